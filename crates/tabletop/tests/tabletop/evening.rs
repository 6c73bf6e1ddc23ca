//! An evening at the table: what is laid is judged at every edit, what is applied is written to the
//! table, the clock keeps the books of the fire procedure, and the record tells it all again.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use kernel::record::Record;
use kernel::{Desk, Game, Live, Node, Play, Scripted, Setup as Start, Source, Spoken};
use rulebook::options::tabletop::Options;
use rulebook::rule;
use serde_json::{Value, json};
use tabletop::evening::may::{self, Deed};
use tabletop::evening::{Action, Evening, Seat, Shot, Step, Thing, Written};
use tabletop::geometry::Point;
use tabletop::movement::Pace;
use tabletop::scene::{Formation, Place, Setup, Shape};

use crate::large;
use crate::support::{column, company, foot, guns, stand};

const SCENES: [&str; 9] = [
    include_str!("../../../../scenarios/tabletop/column-behind-the-hedge.json"),
    include_str!("../../../../scenarios/tabletop/crest.json"),
    include_str!("../../../../scenarios/tabletop/fortified-farm.json"),
    include_str!("../../../../scenarios/tabletop/grand-battery.json"),
    include_str!("../../../../scenarios/tabletop/river-crossing.json"),
    include_str!("../../../../scenarios/tabletop/skirmish-screen.json"),
    include_str!("../../../../scenarios/tabletop/square-charged.json"),
    include_str!("../../../../scenarios/tabletop/village-street.json"),
    include_str!("../../../../scenarios/tabletop/wood-edge.json"),
];

fn read(text: &str) -> Setup {
    Node::parse(text).unwrap().read().unwrap_or_else(|fault| panic!("{fault}"))
}

fn laid(terrain: &[Value], bodies: &[Value]) -> Setup {
    read(&json!({ "name": "t", "width": 120, "depth": 90, "terrain": terrain, "bodies": bodies }).to_string())
}

/// A battery that looks north at a column behind a hedge.
fn hedge() -> Setup {
    laid(
        &[
            json!({ "id": "hedge", "shape": { "obstacle": { "line": [[50, 40], [70, 40]], "class": "light" } } }),
        ],
        &[guns("battery", 8, 4, 6, stand(60.0, 12.0, 0.0, "in-position")), column("column", 60.0, 41.0)],
    )
}

fn shot(shooter: &str, target: &str) -> Action {
    Action::Fire(Shot {
        shooter: shooter.to_owned(),
        part: None,
        slot: None,
        target: target.to_owned(),
        side: None,
        projectile: tabletop::fire::Projectile::Ball,
        burn: false,
        batters: None,
    })
}

fn apply(evening: &mut Evening, action: &Action, dice: &[u8]) -> Vec<String> {
    let mut desk = Desk::new(Scripted::new(dice), Spoken::default());
    evening.apply(Seat::Umpire, action, &mut desk).unwrap_or_else(|refusal| panic!("{refusal}"));
    desk.dice.finish().unwrap();
    desk.notes.reasons().map(|reason| reason.rule.to_string()).collect()
}

fn refused(evening: &Evening, action: &Action) -> Option<kernel::RuleId> {
    evening.check(Seat::Umpire, action).unwrap_err().rule
}

/// A die of the fuzz.
struct Lot(Live);

impl Lot {
    fn below(&mut self, most: usize) -> usize {
        use kernel::Dice;
        let roll = (0..3).fold(0, |sum, _| sum * 100 + usize::from(self.0.die(100)) - 1);
        roll % most.max(1)
    }

    fn shift(&mut self) -> i64 {
        i64::try_from(self.below(4001)).unwrap() - 2000
    }
}

/// Moves, turns, removes or doubles something.
fn edited(table: &mut Setup, lot: &mut Lot) {
    let (dx, dy) = (lot.shift(), lot.shift());
    let turn = i32::try_from(lot.below(3600)).unwrap();
    let move_all = |points: &mut Vec<Point>| points.iter_mut().for_each(|point| *point = point.moved(dx, dy));
    let things = table.terrain.len() + table.bodies.len();
    if things == 0 {
        return;
    }
    let pick = lot.below(things);
    let kind = lot.below(10);
    if pick < table.terrain.len() {
        if kind == 0 {
            table.terrain.remove(pick);
            return;
        }
        match &mut table.terrain[pick].shape {
            Shape::Hill(hill) => {
                move_all(&mut hill.outline);
                if kind < 8 {
                    move_all(&mut hill.crest);
                }
            }
            Shape::Plateau(plateau) => move_all(&mut plateau.outline),
            Shape::Wood(wood) => move_all(&mut wood.outline),
            Shape::Road(road) => move_all(&mut road.axis),
            Shape::Water(water) => move_all(&mut water.axis),
            Shape::Obstacle(line) => move_all(&mut line.line),
            Shape::Field(field) => move_all(&mut field.outline),
            Shape::Marsh(marsh) => move_all(&mut marsh.outline),
            Shape::Redoubt(redoubt) => move_all(&mut redoubt.line),
            Shape::House(house) => {
                house.corner = house.corner.moved(dx, dy);
                house.angle = house.angle.turned(turn);
            }
            Shape::Bridge(bridge) => bridge.corner = bridge.corner.moved(dx, dy),
            Shape::Ford(ford) => ford.corner = ford.corner.moved(dx, dy),
            Shape::AbandonedBattery(gun) => gun.at = gun.at.moved(dx, dy),
            Shape::Track(_) | Shape::Village(_) => {}
        }
        return;
    }
    let pick = pick - table.terrain.len();
    match kind {
        0 => drop(table.bodies.remove(pick)),
        1 => {
            let mut twin = table.bodies[pick].clone();
            twin.id.push('+');
            table.bodies.push(twin);
        }
        _ => {
            if let Place::Stand(stand) = &mut table.bodies[pick].place {
                stand.at = stand.at.moved(dx, dy);
                if kind > 6 {
                    stand.facing = stand.facing.turned(turn);
                }
            }
        }
    }
}

#[test]
fn ten_thousand_edits_never_leave_a_table_its_checker_refuses_unsaid() {
    let options = Options::default();
    let mut lot = Lot(Live::from_seed([16; 32]));
    let (mut wrong, mut right) = (0, 0);
    for round in 0..1_000 {
        let mut table = read(SCENES[round % SCENES.len()]);
        for _ in 0..10 {
            edited(&mut table, &mut lot);
            let survey = table.survey(&options);
            let verdict = table.checked("scene", &options);
            assert_eq!(survey.scene().is_some(), verdict.is_ok(), "{:?}", verdict.err());
            assert_eq!(survey.faults().is_empty(), verdict.is_ok());
            if let Err(first) = verdict {
                wrong += 1;
                let said = survey.faults().iter().any(|fault| fault.refusal.reason == first.reason);
                assert!(said, "the survey says what the checker says: {first}");
                // Whatever is wrong belongs to something that lies on the table.
                for fault in survey.faults() {
                    let on_table = |id: &String| {
                        table.terrain.iter().any(|one| &one.id == id)
                            || table.bodies.iter().any(|one| &one.id == id)
                    };
                    assert!(fault.thing.as_ref().is_some_and(on_table), "{}", fault.refusal);
                }
            } else {
                right += 1;
            }
        }
    }
    assert!(wrong > 1_000 && right > 1_000, "both kinds come up: {wrong} wrong, {right} right");
}

#[test]
fn a_fire_is_applied_and_the_next_half_period_remembers_it() {
    let mut evening = Evening::on(hedge(), Options::default());
    let before = evening.table().clone();
    apply(&mut evening, &shot("battery", "column"), &[6]);
    let column = evening.table().bodies.iter().find(|body| body.id == "column").unwrap();
    assert!(column.lost.all > 0 || column.marker.count() > 0, "losses stand on the table");
    assert_eq!(column.lost.all, column.lost.to_ball);
    assert_ne!(evening.table(), &before);
    // It has fired: not again in this half-period (FE-2.3-08), nor is it on the list of open fires.
    assert_eq!(refused(&evening, &shot("battery", "column")), Some(rule!(FE_2_3_08)));
    assert!(evening.open_fires().is_empty());
    apply(&mut evening, &Action::Next(Step::Quarter), &[]);
    assert_eq!(evening.clock().quarter(), 2);
    apply(&mut evening, &Action::Next(Step::HalfPeriod), &[]);
    assert_eq!((evening.clock().period(), evening.clock().quarter()), (1, 3));
    let column = evening.table().bodies.iter().find(|body| body.id == "column").unwrap();
    assert_eq!(column.record.fired_at_by, ["battery"], "who fired in the previous phase");
    assert_eq!(evening.open_fires().len(), 1, "a new phase, a new fire");
    // Everything is still a table the checker accepts, with the figures gone.
    let scene = evening.table().checked("table", &Options::default()).unwrap();
    assert_eq!(scene.body("column", "").unwrap().strength(), 12 - i64::from(column.lost.all));
    apply(&mut evening, &shot("battery", "column"), &[1]);
    apply(&mut evening, &Action::Next(Step::HalfPeriod), &[]);
    assert_eq!((evening.clock().period(), evening.clock().quarter()), (2, 1));
}

/// All fires of a phase are simultaneous: who is shot to pieces still fires with the figures it had.
#[test]
fn the_fires_of_a_phase_count_the_figures_at_its_opening() {
    let companies: Vec<Value> = (1..=3).map(|k| company(&format!("c{k}"), 4, 4)).collect();
    let table = laid(
        &[],
        &[
            foot("blue", "blue", &companies, stand(60.0, 40.0, 0.0, "line")),
            foot("red", "red", &companies, stand(60.0, 46.0, 180.0, "line")),
        ],
    );
    let mut first = Evening::on(table.clone(), Options::default());
    apply(&mut first, &shot("blue", "red"), &[6]);
    apply(&mut first, &shot("red", "blue"), &[3]);
    let mut second = Evening::on(table, Options::default());
    apply(&mut second, &shot("red", "blue"), &[3]);
    apply(&mut second, &shot("blue", "red"), &[6]);
    assert_eq!(first.table(), second.table(), "the order of declaration changes nothing");
    // Laid by hand in between, the phase is over: the table counts as it lies.
    let thing = Thing::Body(Box::new(first.table().bodies[0].clone()));
    apply(&mut first, &Action::Edit { put: Written(vec![thing]), taken: Vec::new(), sheet: None }, &[]);
    assert_eq!(first.table(), second.table());
}

#[test]
fn a_march_is_written_with_where_it_came_from() {
    let mut evening = Evening::on(hedge(), Options::default());
    let march = |to: Point| Action::March { body: "column".to_owned(), to: vec![to], pace: Pace::Normal };
    let column =
        |evening: &Evening| evening.table().bodies.iter().find(|body| body.id == "column").unwrap().clone();
    let start = column(&evening).place;
    apply(&mut evening, &march(Point::cm(60, 10)), &[]);
    let first = column(&evening);
    assert_eq!(first.record.start.as_ref(), Some(&start));
    assert_eq!(first.record.middle, None, "at the end of Q1 it stands where it stands now");
    let twice = evening.check(Seat::Umpire, &march(Point::cm(60, 10))).unwrap_err();
    assert_eq!(twice.reason, rulebook::phrase::evening::ACTED, "one march a quarter");
    apply(&mut evening, &Action::Next(Step::Quarter), &[]);
    apply(&mut evening, &march(Point::cm(60, 10)), &[]);
    let second = column(&evening);
    assert_eq!(second.record.start.as_ref(), Some(&start));
    assert_eq!(second.record.middle.as_ref(), Some(&first.place));
    evening.table().checked("table", &Options::default()).unwrap();
    // A column that marched in both quarters does not fire (FE-1-07); the book closes with the half-period.
    assert_eq!(refused(&evening, &shot("column", "battery")), Some(rule!(FE_1_07)));
    apply(&mut evening, &Action::Next(Step::Quarter), &[]);
    assert_eq!((column(&evening).record.start, column(&evening).record.middle), (None, None));
}

#[test]
fn the_record_of_an_evening_is_replayed_and_verified() {
    let empty = Start { scenario: "empty".to_owned(), ..Start::default() };
    let mut play = Play::<Evening>::begin(&empty, Source::Table, None).unwrap();
    let mut text = format!("{}\n", play.header_line());
    let mut act = |play: &mut Play<Evening>, action: &Action, dice: &[u8]| {
        let step = play.decide_with(play.entries(), Seat::Umpire, action, dice).unwrap();
        text.push_str(&format!("{}\n", step.record_line));
    };
    act(&mut play, &Action::Lay(Written(hedge())), &[]);
    act(&mut play, &shot("battery", "column"), &[5]);
    act(&mut play, &Action::Next(Step::HalfPeriod), &[]);
    act(
        &mut play,
        &Action::Edit { put: Written(Vec::new()), taken: vec!["hedge".to_owned()], sheet: None },
        &[],
    );
    act(&mut play, &shot("battery", "column"), &[2]);
    act(&mut play, &Action::Close, &[]);
    let again = Play::<Evening>::replay(&Record::read(&text).unwrap(), None).unwrap();
    assert_eq!(again.state(), play.state());
    // One die turned, and it is no longer the record of this evening.
    let forged = text.replace("\"face\":5", "\"face\":6");
    assert_ne!(forged, text);
    let refused =
        Record::read(&forged).and_then(|record| Play::<Evening>::replay(&record, None)).unwrap_err();
    assert_eq!(refused.reason, kernel::record::record_phrase::ALTERED);
    let closed = play.decide_with(play.entries(), Seat::Umpire, &Action::Close, &[]).unwrap_err();
    assert_eq!(closed.reason, kernel::phrase::GAME_OVER);
}

#[test]
fn everything_a_body_may_do_stands_beside_what_is_refused() {
    let scene = hedge().checked("t", &Options::default()).unwrap();
    let may = may::may(&scene, &Options::default(), 0);
    let fires: Vec<&Deed> = may.can.iter().filter(|deed| matches!(deed, Deed::Fire { .. })).collect();
    assert!(
        matches!(fires[..], [Deed::Fire { target: Some(target), distance: None, .. }] if target == "column")
    );
    assert!(may.can.contains(&Deed::Form), "they may be limbered");
    // Guns in position do not march; the column does, and may not charge over the hedge (TE-8.6-02).
    let column = may::may(&scene, &Options::default(), 1);
    assert!(
        column.can.iter().any(
            |deed| matches!(deed, Deed::March { pace: Pace::Normal, quarter, .. } if quarter.count() > 0)
        )
    );
    assert!(
        column.refused.iter().any(|(deed, _)| matches!(deed, Deed::Fire { .. })),
        "a column has no muskets to bear at 28 cm"
    );
    for scene in SCENES {
        let scene = read(scene).checked("t", &Options::default()).unwrap();
        for place in 0..scene.bodies().len() {
            let may = may::may(&scene, &Options::default(), place);
            assert!(!may.can.is_empty() || !may.refused.is_empty());
        }
    }
}

/// A house with a company before its door.
fn farm() -> Setup {
    let companies: Vec<Value> = (1..=2).map(|k| company(&format!("c{k}"), 3, 4)).collect();
    laid(
        &[
            json!({ "id": "road", "shape": { "road": { "axis": [[0, 50.8], [120, 50.8]], "width": 5 } } }),
            json!({ "id": "farm", "shape": { "house": { "corner": [56, 40], "length": 9, "width": 8 } } }),
        ],
        &[
            foot(
                "blue",
                "blue",
                &companies,
                json!({ "stand": { "at": [60.5, 40], "facing": 0, "formation": "line" } }),
            ),
            column("red", 60.0, 80.0),
        ],
    )
}

#[test]
fn a_house_is_entered_held_and_left() {
    let mut evening = Evening::on(farm(), Options::default());
    let enter = Action::Enter { body: "blue".to_owned(), house: "farm".to_owned() };
    let column = Action::Enter { body: "red".to_owned(), house: "farm".to_owned() };
    let far = evening.check(Seat::Umpire, &column).unwrap_err();
    assert_eq!(far.reason, rulebook::phrase::tabletop_terrain::TOUCHES_NO_SIDE);
    apply(&mut evening, &enter, &[]);
    let blue =
        |evening: &Evening| evening.table().bodies.iter().find(|body| body.id == "blue").unwrap().clone();
    let Place::Garrison(inside) = blue(&evening).place else { panic!("it is in the house") };
    assert_eq!(
        inside.posts.iter().map(|post| post.figures.get()).sum::<i32>(),
        6,
        "every figure has its post"
    );
    assert!(inside.busy.is_some_and(|busy| busy.quarters.get() > 0), "it is busy entering");
    assert!(matches!(blue(&evening).record.start, Some(Place::Stand(_))), "where it came from");
    // One thing a quarter; once it is in, it may leave again by any side nobody touches.
    let leave = Action::Leave { body: "blue".to_owned(), side: 2 };
    let twice = evening.check(Seat::Umpire, &leave).unwrap_err();
    assert_eq!(twice.reason, rulebook::phrase::evening::ACTED);
    apply(&mut evening, &Action::Next(Step::HalfPeriod), &[]);
    let Place::Garrison(inside) = blue(&evening).place else { panic!("it is in the house") };
    assert_eq!(inside.busy, None, "its two quarters are over");
    apply(&mut evening, &leave, &[]);
    assert!(matches!(blue(&evening).place, Place::Stand(_)), "it stands before the house");
    assert_eq!(blue(&evening).state, tabletop::scene::State::Unformed, "without order (TE-5.2-32)");
    evening.table().checked("table", &Options::default()).unwrap();
}

#[test]
fn a_formation_is_changed_and_order_found_again_quarter_by_quarter() {
    let mut table = farm();
    for body in &mut table.bodies {
        if let Place::Stand(stand) = &mut body.place {
            stand.at = stand.at.moved(0, -2000);
        }
    }
    table.bodies[1].state = tabletop::scene::State::Unformed;
    let mut evening = Evening::on(table, Options::default());
    let form = |formation| Action::Form { body: "blue".to_owned(), formation };
    let same = evening.check(Seat::Umpire, &form(Formation::Line)).unwrap_err();
    assert_eq!(same.reason, rulebook::phrase::evening::FORMED_SO);
    apply(&mut evening, &form(Formation::CompanyColumn), &[]);
    let body = |evening: &Evening, place: usize| evening.table().bodies[place].clone();
    let Place::Stand(stand) = body(&evening, 0).place else { panic!("it stands") };
    assert_eq!(stand.formation, Formation::CompanyColumn);
    assert_eq!(body(&evening, 0).record.actions.len(), 1, "a quarter went on it (FE-R07)");
    // A unit without formation does nothing before it has re-formed (TE-5.2-05): two quarters.
    let lost = Action::Form { body: "red".to_owned(), formation: Formation::Line };
    assert_eq!(refused(&evening, &lost), Some(rule!(TE_5_2_05)));
    let reform = Action::Reform { body: "red".to_owned() };
    apply(&mut evening, &reform, &[]);
    assert_eq!(body(&evening, 1).state, tabletop::scene::State::Unformed, "one quarter is not enough");
    apply(&mut evening, &Action::Next(Step::Quarter), &[]);
    apply(&mut evening, &reform, &[]);
    assert_eq!(body(&evening, 1).state, tabletop::scene::State::Formed);
    let formed = evening.check(Seat::Umpire, &reform).unwrap_err();
    assert_eq!(formed.reason, rulebook::phrase::evening::ACTED);
}

/// The charge of the square in the shipped scene: reached or not, and what is fired before.
#[test]
fn a_charge_says_when_it_comes_to_contact() {
    let companies: Vec<Value> = (1..=3).map(|k| company(&format!("c{k}"), 4, 4)).collect();
    let table = laid(
        &[],
        &[
            foot("blue", "blue", &companies, stand(60.0, 40.0, 0.0, "line")),
            foot("red", "red", &companies, stand(60.0, 46.0, 180.0, "line")),
            foot("far", "red", &companies, stand(60.0, 85.0, 180.0, "line")),
        ],
    );
    let evening = Evening::on(table, Options::default());
    let (after, quarters) = evening.charged("blue", "red").unwrap();
    assert_eq!(quarters, 1, "six centimetres are less than a quarter and the bonus (FE-EX-06)");
    let contact = after.bodies[0].record.contact.clone().unwrap();
    assert!(contact.charging && contact.with == "red");
    assert_eq!(evening.charged("blue", "far"), None);
}

/// What one drag and one question may cost, at 60 bodies and 80 elements: the least of several runs, so
/// that a busy machine does not count.
#[test]
fn a_drag_step_and_everything_one_may_do_stay_cheap() {
    use std::time::Duration;
    use yardstick::patience;
    let scene = large::scene(60);
    assert_eq!((scene.bodies().len(), scene.elements().len()), (60, 80));
    let table = scene.setup().clone();
    let options = Options::default();
    let step = each(40, |by| {
        let mut moved = table.clone();
        if let Place::Stand(stand) = &mut moved.bodies[7].place {
            stand.at = stand.at.moved(i64::from(by), 0);
        }
        let survey = moved.survey(&options);
        let body = survey.bodies().iter().find(|body| body.id() == "b7").unwrap();
        assert!(!tabletop::draw::things::body(body, scene.depth()).markup.is_empty());
    });
    let evening = Evening::on(table.clone(), options);
    let asked = |place: usize| {
        let may = evening.may(&scene, place);
        assert!(!may.can.is_empty() || !may.refused.is_empty());
    };
    let mut all: Vec<(Duration, usize)> =
        (0..scene.bodies().len()).map(|place| (each(2, |_| asked(place)), place)).collect();
    all.sort_unstable();
    // Those that look dearest, again and again.
    let dearest = all.iter().rev().take(6);
    let worst = dearest.map(|&(_, place)| each(20, |_| asked(place))).max().unwrap_or_default();
    eprintln!("a drag step: {step:?}; everything the busiest may do: {worst:?}");
    assert!(step < patience(Duration::from_millis(4)), "a drag step takes {step:?}");
    assert!(worst < patience(Duration::from_millis(30)), "everything one may do takes {worst:?}");
}

/// What one of so many costs on average, by the processor where the system tells: others may be busy.
fn each(times: u32, mut once: impl FnMut(u32)) -> std::time::Duration {
    let began = std::time::Instant::now();
    let spent = || {
        let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        told.split_whitespace().next()?.parse().ok().map(std::time::Duration::from_nanos)
    };
    let before: Option<std::time::Duration> = spent();
    (0..times).for_each(&mut once);
    let spent = before.and_then(|before| spent()?.checked_sub(before));
    spent.unwrap_or_else(|| began.elapsed()) / times
}
