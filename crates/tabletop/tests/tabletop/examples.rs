//! The worked examples of the fire ledger that need a table: sections 1 to 3, 10 and 12 of the
//! procedure. Each test bears the number of its example.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use kernel::{Desk, Losses, Scripted, Silent, Spoken};
use rulebook::options::tabletop::{BallRemoval, Ditch, Options};
use serde_json::{Value, json};
use tabletop::fire::corridor::{Corridor, Count};
use tabletop::fire::declare::{Declaration, Fired, Hit};
use tabletop::fire::ground::{Element, Ground, Part, Slot, Target};
use tabletop::fire::measure::CoverChoice;
use tabletop::fire::removal::apply;
use tabletop::fire::{Class, Cover, Duration, Group, Projectile};
use tabletop::scene::{Instant, Scene};

use crate::support::{
    at, column, company, elite, fire, foot, guns, hits, losses, simple, stand, table, whole, with_terrain,
};

/// A line that shoots at a column that came 4.5 cm nearer in each quarter and stands `gap` away.
fn approached(weapon: &str, gap: f64, still_first: bool) -> Result<Duration, kernel::Refusal> {
    let mut shooter = foot(
        "s",
        "blue",
        &[json!({ "name": "a", "figures": 3, "fire": 4, "weapon": weapon })],
        stand(50.0, 50.0, 0.0, "line"),
    );
    if weapon == "musketoon" {
        shooter = json!({ "id": "s", "side": "blue", "place": stand(50.0, 50.0, 0.0, "line"), "troops": { "cavalry": {
            "class": "light", "companies": [{ "name": "a", "figures": 3, "fire": 4, "weapon": weapon }] } } });
    }
    if !still_first {
        shooter["record"] =
            json!({ "start": stand(50.0, 48.0, 0.0, "line"), "middle": stand(50.0, 50.0, 0.0, "line") });
    }
    let mut target = column("t", 50.0, 50.0 + gap);
    target["record"] = json!({
        "middle": stand(50.0, 50.0 + gap + 4.5, 180.0, "company-column"),
        "start": stand(50.0, 50.0 + gap + 9.0, 180.0, "company-column"),
    });
    let scene = table(&[shooter, target]);
    let fired = fire(&scene, simple(0, 1), &[3])?;
    Ok(fired[0].hits[0].groups[0].duration)
}

/// The fire of a line of six with this record at a column in front of it.
fn after(record: Value) -> Result<Duration, kernel::Refusal> {
    let mut body = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 50.0, 0.0, "line"));
    body["record"] = record;
    let fired = fire(&table(&[body, column("t", 50.0, 60.0)]), simple(0, 1), &[3])?;
    Ok(fired[0].hits[0].groups[0].duration)
}

#[test]
fn fe_ex_01_still_for_the_half_period() {
    assert_eq!(after(json!({})), Ok(Duration::Whole));
    let late = after(json!({ "middle": stand(50.0, 47.0, 0.0, "line") }));
    assert_eq!(late.unwrap_err().rule.unwrap().as_str(), "FE-1-07", "not if it moved in Q2");
}

#[test]
fn fe_ex_02_still_for_its_second_quarter() {
    let moved = json!({ "start": stand(50.0, 47.0, 0.0, "line"), "middle": stand(50.0, 50.0, 0.0, "line") });
    assert_eq!(after(moved), Ok(Duration::Quarter));
}

#[test]
fn fe_ex_03_musketoon_at_10_cm_is_a_quarter_fire() {
    assert_eq!(approached("musketoon", 10.0, true), Ok(Duration::Quarter));
    assert_eq!(approached("musketoon", 10.0, false), Ok(Duration::Quarter));
}

#[test]
fn fe_ex_04_musket_at_17_cm_does_not_fire() {
    assert_eq!(approached("musket", 17.0, true).unwrap_err().rule.unwrap().as_str(), "FE-1.4-04");
}

#[test]
fn fe_ex_05_rifle_at_21_cm_is_a_whole_fire() {
    assert_eq!(approached("rifle", 21.0, true), Ok(Duration::Whole));
    assert_eq!(approached("rifle", 21.0, false), Ok(Duration::Quarter));
}

/// A column that charged a line from `length` away, and a second line beside the first.
fn charge(length: f64) -> Scene {
    let line = |id: &str, x: f64| {
        let mut companies = vec![company("centre", 16, 5)];
        companies.push(elite("elite", 4, 6));
        foot(id, "blue", &companies, stand(x, 50.0, 0.0, "line"))
    };
    let mut charger = column("c", 50.0, 50.05);
    charger["record"] = json!({
        "start": stand(50.0, 50.05 + length, 180.0, "company-column"),
        "middle": stand(50.0, 50.05, 180.0, "company-column"),
        "contact": { "with": "s", "charging": true, "length": length },
    });
    table(&[line("s", 50.0), line("n", 85.0), charger])
}

#[test]
fn fe_ex_06_and_trace_2_the_charged_line_fires_five_figures_point_blank() {
    let scene = charge(6.0);
    let declared = Declaration::new(whole(0), Slot::Charged, at(2));
    let fired = fire(&scene, declared, &[2]).unwrap().remove(0);
    assert!(fired.point_blank);
    let hit = &fired.hits[0];
    assert_eq!((hit.figures, hit.groups[0].factor, hit.groups[0].duration), (5, 7, Duration::Quarter));
    assert_eq!(hit.losses, Losses::men(15));
}

#[test]
fn fe_ex_07_its_neighbour_has_no_complete_quarter() {
    let scene = charge(6.0);
    let refused = fire(&scene, Declaration::new(whole(1), Slot::First, at(2)), &[]).unwrap_err();
    assert_eq!(refused.rule.unwrap().as_str(), "FE-1.4-14");
}

#[test]
fn fe_ex_10_the_near_and_the_far_half_of_a_line_are_read_apart() {
    // A column in two halves: the near one up to `edge`, straight before the left half of the line, the
    // far one straight before its right half.
    let fired = |near: f64, edge: f64, far: f64| {
        let shooter = foot("s", "blue", &[company("a", 12, 4)], stand(50.0, 50.0, 0.0, "line"));
        let bases: Vec<Value> = (0..24)
            .map(|k| {
                let (file, rank) = (k % 12, k / 12);
                let (left, ahead) = if file < 6 { (edge - 9.0, near) } else { (50.0, far) };
                let at = [left + 0.75 + 1.5 * f64::from(file % 6), 50.0 + ahead + 2.5 * f64::from(rank)];
                json!({ "at": at, "facing": 180, "rank": rank })
            })
            .collect();
        let place = json!({ "bases": { "formation": "division-column", "bases": bases } });
        let target = foot("t", "red", &[company("a", 24, 4)], place);
        let hit = hits(&table(&[shooter, target]), simple(0, 1), 3).remove(0);
        let mut groups: Vec<(i32, i32)> =
            hit.groups.iter().map(|group| (group.factor, group.figures)).collect();
        groups.sort_unstable();
        (groups, hit.losses)
    };
    // Well within the limits, and on them: a third of the range is not beyond it, nor are two thirds.
    for (near, edge, far) in [(6.0, 47.0, 10.0), (6.9, 48.6, 7.1), (7.0, 49.0, 14.0)] {
        assert_eq!(fired(near, edge, far), (vec![(4, 6), (6, 6)], Losses::men(50)), "{near} and {far} cm");
    }
    assert_ne!(fired(7.1, 49.0, 14.0).0, [(4, 6), (6, 6)]);
}

#[test]
fn fe_ex_16_a_line_fires_with_five_figures_at_a_front_of_three() {
    let shooter = foot("s", "blue", &[company("a", 20, 5)], stand(50.0, 50.0, 0.0, "line"));
    let scene = table(&[shooter, column("t", 50.0, 54.0)]);
    let fired = fire(&scene, simple(0, 1), &[1]).unwrap().remove(0);
    assert!(fired.point_blank);
    assert_eq!(fired.hits[0].figures, 5);
}

#[test]
fn fe_ex_18_canister_with_the_gunners_that_are_near_enough() {
    // The target lies askew: its near end within 20 cm of two lanes of a 4-pounder battery.
    let battery = guns("b", 4, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    let line: Vec<Value> = (0..8)
        .map(|k| json!({ "at": [44.0 + f64::from(k) * 1.4, 67.9 + f64::from(k) * 0.55], "facing": 158.6 }))
        .collect();
    let target =
        foot("t", "red", &[company("a", 8, 4)], json!({ "bases": { "formation": "line", "bases": line } }));
    let scene = table(&[battery, target]);
    let canister = Declaration { projectile: Projectile::Canister, ..simple(0, 1) };
    let with_canister = hits(&scene, canister, 3)[0].figures;
    let with_ball = hits(&scene, simple(0, 1), 3)[0].figures;
    assert_eq!((with_canister, with_ball), (2, 4));
}

#[test]
fn fe_ex_20_the_corridor_of_a_calibre_6_with_four_gunners() {
    let scene = table(&[guns("b", 6, 4, 5, stand(50.0, 50.0, 0.0, "in-position"))]);
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let corridor = Corridor::of(&ground, 0, Instant::P2).unwrap();
    assert_eq!(corridor.half * 2, 1000);
    assert_eq!(corridor.calibre.bands().range.count(), 9000);
}

/// How many gunners of a battery at (50, 50) bear on body 1.
fn bearing(scene: &Scene) -> i64 {
    let options = Options::default();
    let ground = Ground::new(scene, &options);
    let corridor = Corridor::of(&ground, 0, Instant::P2).unwrap();
    let presence = ground.body(1).now();
    let (axis, _) = corridor.axis(presence.centre);
    let on = Corridor::meets(&corridor.framed(&presence.footprint), axis).unwrap();
    let count = Count {
        target: at(1),
        presence,
        instant: Instant::P2,
        axis,
        distance: on.distance,
        projectile: Projectile::Ball,
        passed: &[],
    };
    ground.bearing(0, &corridor, count)
}

#[test]
fn fe_ex_21_six_centimetres_masked_leave_two_of_four() {
    let battery = guns("b", 12, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    let friend = foot("f", "blue", &[company("a", 4, 4)], stand(48.0, 60.0, 0.0, "line"));
    let far = foot("t", "red", &[company("a", 6, 4)], stand(50.0, 90.0, 180.0, "line"));
    assert_eq!(bearing(&table(&[battery.clone(), far.clone(), friend])), 2);
    let wood =
        json!({ "id": "w", "shape": { "wood": { "outline": [[45, 60], [51, 60], [51, 64], [45, 64]] } } });
    assert_eq!(bearing(&with_terrain(&[wood], &[battery, far])), 2);
}

#[test]
fn fe_ex_25_a_second_line_beyond_half_range_suffers_nothing() {
    let battery = guns("b", 6, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    let line = |id: &str, y: f64| foot(id, "red", &[company("a", 6, 4)], stand(50.0, y, 180.0, "line"));
    let scene = table(&[battery, line("t", 90.0), line("u", 100.0)]);
    assert_eq!(losses(&hits(&scene, simple(0, 1), 1)), [15, 0]);
}

/// A twelve-pounder battery, and whatever stands before it; the first is its target.
fn before_the_guns(bodies: &[Value]) -> Vec<Hit> {
    let battery = guns("b", 12, 4, 5, stand(50.0, 20.0, 0.0, "in-position"));
    let all: Vec<Value> = std::iter::once(battery).chain(bodies.iter().cloned()).collect();
    hits(&table(&all), simple(0, 1), 5)
}

fn screen(id: &str, y: f64) -> Value {
    foot(id, "red", &[company("a", 3, 4)], stand(50.0, y, 180.0, "skirmish"))
}

fn line_of_six(y: f64) -> Value {
    foot("l", "red", &[company("a", 6, 4)], stand(50.0, y, 180.0, "line"))
}

#[test]
fn fe_ex_23_ball_through_skirmishers_and_a_line() {
    let behind = column("c", 50.0, 70.0);
    let three = before_the_guns(&[line_of_six(54.0), screen("k", 50.0), behind.clone()]);
    assert_eq!(three.len(), 3);
    // Without the skirmishers the line and the column suffer the same: half the line's losses off.
    let two = before_the_guns(&[line_of_six(54.0), behind.clone()]);
    assert_eq!(losses(&three)[1..], losses(&two));
    let alone = before_the_guns(&[behind]);
    assert_eq!(losses(&alone)[0] - losses(&three)[2], losses(&three)[1] / 2);
}

#[test]
fn fe_ex_24_ball_through_two_screens() {
    let (first, second, behind) = (screen("m", 46.0), screen("k", 50.0), column("c", 50.0, 70.0));
    let four = before_the_guns(&[line_of_six(54.0), first.clone(), second.clone(), behind.clone()]);
    assert_eq!(four.len(), 4);
    let three = before_the_guns(&[column("x", 50.0, 54.0), first, second, behind]);
    assert_eq!(three.len(), 3, "the mass stops the ball");
}

#[test]
fn fe_ex_42_ball_through_skirmishers_line_and_mass() {
    let struck = before_the_guns(&[
        line_of_six(54.0),
        screen("k", 50.0),
        column("c", 50.0, 70.0),
        column("d", 50.0, 80.1),
    ]);
    assert_eq!(losses(&struck), [15, 20, 30]);
}

/// A column with 25 losses on its marker, fired at from the front, which takes a figure of its first
/// rank, and from its flank: whether the owner chooses the second figure, and which it is.
fn from_two_sides(front: i32, flank: i32) -> (bool, Scene, usize) {
    let mut target = column("t", 50.0, 60.0);
    target["marker"] = json!(25);
    let ahead = foot("f", "blue", &[company("a", 4, 4)], stand(50.0, 50.0, 0.0, "line"));
    let aside = foot("g", "blue", &[company("a", 4, 4)], stand(40.0, 65.0, 90.0, "line"));
    let scene = table(&[ahead, aside, target]);
    let fired = |shooter: usize, losses: i32| Fired {
        declaration: simple(shooter, 2),
        hits: vec![Hit {
            target: at(2),
            losses: Losses::men(losses),
            figures: 4,
            groups: Vec::new(),
            distance: kernel::Centimetres::whole(10),
            cover: Cover::None,
            covers: Vec::new(),
        }],
        point_blank: false,
        lost: false,
        ignited: false,
    };
    let options = Options::default();
    let mut desk = Desk::new(Scripted::new(&[]), Spoken::default());
    let suffered =
        apply(&Ground::new(&scene, &options), &[fired(0, front), fired(1, flank)], &mut desk).remove(0);
    assert_eq!(suffered.figures, 2);
    assert_eq!(scene.bodies()[2].now().figures[suffered.removed[0]].rank, 0);
    let chosen = desk.notes.reasons().any(|because| because.rule.as_str() == "FE-4.4-08");
    (chosen, scene, suffered.removed[1])
}

#[test]
fn fe_ex_33_the_second_figure_goes_towards_the_enemy_that_hurt_most() {
    let (chosen, scene, removed) = from_two_sides(25, 30);
    assert!(!chosen);
    let figures = &scene.bodies()[2].now().figures;
    let west = figures.iter().map(|figure| figure.base.centre.x).min().unwrap();
    assert_eq!(figures[removed].base.centre.x, west, "on the flank");
}

#[test]
fn fe_ex_34_between_equals_the_owner_chooses() {
    assert!(from_two_sides(30, 30).0);
}

#[test]
fn fe_ex_35_elite_figures_go_in_proportion() {
    for (regular, elites, every) in [(8, 4, 3), (12, 4, 4), (16, 4, 5)] {
        let target = foot(
            "t",
            "red",
            &[company("r", regular, 4), elite("e", elites, 5)],
            stand(50.0, 60.0, 180.0, "line"),
        );
        let shooter = foot("s", "blue", &[company("a", 12, 4)], stand(50.0, 50.0, 0.0, "line"));
        let scene = table(&[shooter, target]);
        let options = Options::default();
        let ground = Ground::new(&scene, &options);
        let fired = Fired {
            declaration: simple(0, 1),
            hits: vec![Hit {
                target: at(1),
                losses: Losses::men(40 * (every + 1)),
                figures: 12,
                groups: Vec::new(),
                distance: kernel::Centimetres::whole(10),
                cover: Cover::None,
                covers: Vec::new(),
            }],
            point_blank: false,
            lost: false,
            ignited: false,
        };
        let mut desk = Desk::new(Scripted::new(&[]), Silent);
        let suffered = apply(&ground, &[fired], &mut desk).remove(0);
        let kinds: Vec<u16> =
            suffered.removed.iter().map(|&figure| scene.bodies()[1].now().figures[figure].company).collect();
        let elite_at: Vec<usize> = (1..=kinds.len()).filter(|&k| kinds[k - 1] == 1).collect();
        assert_eq!(elite_at, [usize::try_from(every).unwrap()]);
    }
}

#[test]
fn fe_ex_36_and_trace_6_a_battery_that_turns_for_a_quarter() {
    let mut battery = guns("b", 8, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    battery["record"] = json!({ "start": stand(49.04, 49.81, 360.0 - 22.5, "in-position"), "middle": stand(50.0, 50.0, 0.0, "in-position") });
    let scene = table(&[battery.clone(), column("t", 50.0, 90.0)]);
    let hit = &hits(&scene, simple(0, 1), 6)[0];
    assert_eq!((hit.groups[0].factor, hit.losses.count()), (10, 20));
    battery["record"] = json!({
        "start": stand(50.0, 50.0, 360.0 - 45.0, "in-position"), "middle": stand(50.0, 50.0, 337.5, "in-position") });
    let refused = fire(&table(&[battery, column("t", 50.0, 90.0)]), simple(0, 1), &[]).unwrap_err();
    assert_eq!(refused.rule.unwrap().as_str(), "FE-3.5-05");
}

#[test]
fn fe_ex_41_canister_at_8_cm_for_a_quarter() {
    let mut battery = guns("b", 12, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    battery["record"] = json!({ "actions": [{ "quarter": 1, "kind": "pivot" }] });
    let scene = table(&[battery, column("t", 50.0, 58.0)]);
    let canister = Declaration { projectile: Projectile::Canister, ..simple(0, 1) };
    let hit = &hits(&scene, canister, 4)[0];
    assert_eq!((hit.groups[0].factor, hit.losses.count()), (13, 50));
}

#[test]
fn fe_ex_46_beside_a_general_priorities_bind_less() {
    let shooter = |status: &str| {
        let mut body = foot("s", "blue", &[company("a", 12, 4)], stand(50.0, 50.0, 0.0, "line"));
        body["status"] = json!(status);
        body["record"] = json!({ "fired_at_by": ["y"] });
        body
    };
    let general = json!({ "id": "g", "side": "blue", "troops": { "officer": {} }, "place": stand(50.0, 47.45, 0.0, "single") });
    let cavalry = json!({ "id": "x", "side": "red", "place": stand(50.0, 64.0, 180.0, "line"), "troops": { "cavalry": {
        "class": "light", "companies": [{ "name": "a", "figures": 4, "fire": 2, "weapon": "musketoon" }] } } });
    let y = foot("y", "red", &[company("a", 2, 4)], stand(43.0, 66.0, 180.0, "company-column"));
    let z = json!({ "id": "z", "side": "red", "place": stand(60.0, 62.0, 180.0, "in-position"), "troops": { "artillery": {
        "calibre": "calibre-6", "guns": 6, "fire": 5 } } });
    let allowed = |status: &str| {
        let scene = table(&[shooter(status), general.clone(), cavalry.clone(), y.clone(), z.clone()]);
        let options = Options::default();
        let ground = Ground::new(&scene, &options);
        let mut desk = Desk::new(Scripted::new(&[]), Spoken::default());
        let ranked = ground.rank(whole(0), Slot::Joint, &[at(2), at(3), at(4)], &mut desk);
        assert_eq!(ranked.iter().map(|one| one.class).collect::<Vec<_>>(), [2, 4, 5], "{ranked:?}");
        ranked.iter().map(|one| one.allowed).collect::<Vec<_>>()
    };
    assert_eq!(allowed("guard"), [true, true, true]);
    assert_eq!(allowed("elite"), [true, true, true]);
    assert_eq!(allowed("regular"), [true, false, false]);
}

#[test]
fn fe_ex_47_skirmishers_at_skirmishers() {
    let skirmish = |id: &str, side: &str, figures, y: f64, facing: f64| {
        foot(id, side, &[company("v", figures, 6)], stand(50.0, y, facing, "skirmish"))
    };
    let scene = table(&[skirmish("s", "blue", 6, 50.0, 0.0), skirmish("t", "red", 6, 59.0, 180.0)]);
    let hit = &hits(&scene, simple(0, 1), 1)[0];
    assert_eq!((hit.groups[0].factor, hit.figures, hit.losses.count()), (2, 6, 10));
}

#[test]
fn fe_ex_49_partly_in_the_corridor() {
    let battery = guns("b", 6, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    // From the right edge of the corridor over 6 cm of it, and beyond: x from 49 to 61.
    let line = foot("t", "red", &[company("a", 8, 4)], stand(55.0, 80.0, 180.0, "line"));
    assert_eq!(bearing(&table(&[battery.clone(), line.clone()])), 3);
    assert_eq!(bearing(&table(&[battery.clone(), column("t", 50.0, 80.0)])), 4);
    let wood = json!({ "id": "w", "shape": { "wood": { "outline": [[52.5, 60], [55, 60], [55, 64], [52.5, 64]] } } });
    assert_eq!(bearing(&with_terrain(&[wood], &[battery, line])), 2);
}

#[test]
fn fe_ex_50_canister_through_skirmishers() {
    let battery = guns("b", 8, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    let screen = foot("k", "red", &[company("a", 3, 4)], stand(50.0, 59.0, 180.0, "skirmish"));
    let line = foot("l", "red", &[company("a", 6, 4)], stand(50.0, 64.0, 180.0, "line"));
    let scene = table(&[battery, line, screen]);
    let canister = Declaration { projectile: Projectile::Canister, ..simple(0, 1) };
    assert_eq!(losses(&hits(&scene, canister, 3)), [40, 10]);
}

#[test]
fn fe_ex_52_the_class_of_everything() {
    let mut loose = foot("a", "red", &[company("a", 4, 4)], stand(20.0, 20.0, 0.0, "skirmish"));
    loose["state"] = json!("unformed");
    let mut garrison = foot(
        "b",
        "red",
        &[company("a", 4, 4)],
        json!({ "garrison": { "house": "h", "posts": [{ "side": 0, "company": "a", "figures": 4 }] } }),
    );
    garrison["state"] = json!("unformed");
    let mut line = foot("c", "red", &[company("a", 4, 4)], stand(40.0, 20.0, 0.0, "line"));
    line["state"] = json!("disorganised");
    let double = foot("d", "red", &[company("a", 4, 4)], stand(60.0, 20.0, 0.0, "double-line"));
    let limbered = guns("e", 6, 3, 5, stand(80.0, 20.0, 0.0, "limbered"));
    let mut screen = foot("f", "red", &[company("a", 4, 4)], stand(100.0, 20.0, 0.0, "skirmish"));
    screen["state"] = json!("disorganised");
    let foragers = json!({ "id": "g", "side": "red", "place": stand(130.0, 20.0, 0.0, "foragers"), "troops": { "cavalry": {
        "class": "light", "companies": [{ "name": "a", "figures": 4, "fire": 2, "weapon": "musketoon" }] } } });
    let terrain = [
        json!({ "id": "r", "shape": { "road": { "axis": [[0, 50], [200, 50]], "width": 4 } } }),
        json!({ "id": "h", "shape": { "house": { "corner": [50, 52.2], "length": 9, "width": 8 } } }),
    ];
    let scene = with_terrain(&terrain, &[loose, garrison, line, double, limbered, screen, foragers]);
    let classes: Vec<Class> = scene.bodies().iter().map(|body| body.now().class.unwrap()).collect();
    use Class::{Line, Mass, Open};
    assert_eq!(classes, [Mass, Line, Line, Mass, Mass, Open, Open]);
}

#[test]
fn fe_ex_54_a_friend_in_the_way_masks_and_does_not_stop_the_ball() {
    let battery = guns("b", 8, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    let line = foot("t", "red", &[company("a", 5, 4)], stand(50.0, 80.0, 180.0, "line"));
    let friend = foot("f", "blue", &[company("a", 4, 4)], stand(52.0, 60.0, 0.0, "line"));
    let behind = column("c", 50.0, 90.0);
    let scene = table(&[battery, line, friend, behind]);
    let hit = hits(&scene, simple(0, 1), 3);
    assert_eq!(hit.iter().map(|hit| (hit.target.body, hit.figures)).collect::<Vec<_>>(), [(1, 2), (3, 2)]);
}

#[test]
fn trace_1_a_whole_line_by_musketry() {
    let companies = [elite("v", 2, 6), company("f", 8, 4), elite("g", 2, 5)];
    let shooter = foot("s", "blue", &companies, stand(50.0, 50.0, 0.0, "line"));
    let wide: Vec<Value> = (1..=2).map(|k| company(&format!("c{k}"), 12, 4)).collect();
    let target = foot("t", "red", &wide, stand(50.0, 56.0, 180.0, "company-column"));
    let hit = &hits(&table(&[shooter, target]), simple(0, 1), 4)[0];
    assert_eq!((hit.groups[0].factor, hit.figures, hit.losses.count()), (6, 12, 65));
}

#[test]
fn aimed_at_the_exposed_figures_there_is_no_cover() {
    let shooter = foot("s", "blue", &[company("a", 12, 4)], stand(50.0, 50.0, 0.0, "line"));
    let target = foot("t", "red", &[company("a", 12, 4)], stand(50.0, 60.0, 180.0, "line"));
    let hedge =
        json!({ "id": "h", "shape": { "obstacle": { "line": [[30, 59], [50, 59]], "class": "light" } } });
    let scene = with_terrain(&[hedge], &[shooter, target]);
    let exposed = Declaration { choice: CoverChoice::Exposed, ..simple(0, 1) };
    let open = &hits(&scene, exposed, 3)[0];
    let whole = &hits(&scene, simple(0, 1), 3)[0];
    assert_eq!((open.cover, whole.cover), (Cover::None, Cover::Light));
    assert!(open.figures < whole.figures);
}

#[test]
fn fe_ex_09_a_target_seen_in_the_second_quarter_only() {
    let rifles = json!({ "name": "a", "figures": 2, "fire": 5, "weapon": "rifle" });
    let shooter = foot("s", "blue", &[rifles], stand(50.0, 50.0, 0.0, "line"));
    let mut target = column("t", 50.0, 56.0);
    target["record"] = json!({
        "start": stand(90.0, 80.0, 180.0, "company-column"),
        "middle": stand(50.0, 56.0, 180.0, "company-column"),
    });
    let wood = json!({ "id": "w", "shape": { "wood": {
        "outline": [[60, 55], [85, 55], [85, 78], [60, 78]] } } });
    let hit = &hits(&with_terrain(&[wood], &[shooter.clone(), target.clone()]), simple(0, 1), 2)[0];
    // 5, depth +1: the table reads 10 for two figures.
    assert_eq!((hit.groups[0].factor, hit.groups[0].duration), (6, Duration::Quarter));
    assert_eq!(hit.losses, Losses::men(5));
    let in_the_open = &hits(&table(&[shooter, column("t", 50.0, 56.0)]), simple(0, 1), 2)[0];
    assert_eq!(in_the_open.losses, Losses::men(10));
}

#[test]
fn fe_ex_17_a_screen_spares_the_mass_behind_it() {
    let rifles = json!({ "name": "a", "figures": 12, "fire": 2, "weapon": "rifle" });
    let shooter = foot("s", "blue", &[rifles], stand(50.0, 50.0, 0.0, "line"));
    let mass = foot("m", "red", &[company("a", 24, 4)], stand(50.0, 59.0, 180.0, "double-line"));
    let screen = foot("k", "red", &[company("a", 6, 4)], stand(50.0, 56.0, 180.0, "skirmish"));
    let alone = table(&[shooter.clone(), mass.clone()]);
    assert_eq!(losses(&hits(&alone, simple(0, 1), 2)), [30]);
    let screened = table(&[shooter, mass, screen]);
    let struck = hits(&screened, simple(0, 1), 2);
    assert_eq!(struck.iter().map(|hit| hit.target).collect::<Vec<_>>(), [at(2), at(1)]);
    assert_eq!(losses(&struck), [10, 25]);
}

#[test]
fn fe_ex_51_a_garrison_with_an_enemy_at_one_wall() {
    let garrison = json!({ "id": "g", "side": "blue", "record": { "revealed": true },
        "troops": { "infantry": { "companies": [company("north", 4, 4), company("east", 3, 4)] } },
        "place": { "garrison": { "house": "h", "posts": [
            { "side": 2, "company": "north", "figures": 4 }, { "side": 1, "company": "east", "figures": 3 }] } } });
    let terrain = [
        json!({ "id": "r", "shape": { "road": { "axis": [[0, 47], [200, 47]], "width": 5 } } }),
        json!({ "id": "h", "shape": { "house": { "corner": [50, 50], "length": 9, "width": 8 } } }),
    ];
    // A line, 3 cm a quarter, that needs the whole half-period to reach the wall.
    let mut at_wall = foot("n", "red", &[company("a", 4, 4)], stand(54.5, 58.05, 180.0, "line"));
    at_wall["record"] = json!({ "start": stand(54.5, 64.05, 180.0, "line"), "middle": stand(54.5, 61.05, 180.0, "line"),
        "contact": { "with": "g", "charging": false, "length": 6.0 } });
    let other = foot("o", "red", &[company("a", 8, 4)], stand(66.0, 54.0, 270.0, "line"));
    let scene = with_terrain(&terrain, &[garrison, at_wall, other]);
    let (north, east) = (Element { body: 0, part: Part::Side(2) }, Element { body: 0, part: Part::Side(1) });
    let by = |element: Element, slot: Slot, target: Target| {
        fire(&scene, Declaration::new(element, slot, target), &[3]).map_err(|refusal| {
            refusal.rule.map_or_else(|| "no rule".to_owned(), |rule| rule.as_str().to_owned())
        })
    };
    let refused = |element: Element, slot: Slot, target: Target| by(element, slot, target).unwrap_err();
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let slots = |element: Element| ground.slots(element, &mut Desk::new(Scripted::new(&[]), Silent)).unwrap();

    // North: only the fire at contact, and only at the unit that came to the wall.
    // It had two whole quarters and may divide its fire by them.
    assert_eq!(slots(north), [Slot::Charged, Slot::First, Slot::Second]);
    let at_contact = by(north, Slot::Charged, at(1)).unwrap().remove(0);
    assert!(at_contact.point_blank);
    let hit = &at_contact.hits[0];
    // 4, unformed -2, point-blank +1, die +1.
    assert_eq!(hit.groups, [Group { factor: 4, figures: 4, duration: Duration::Whole }]);
    assert_eq!(refused(north, Slot::Charged, at(2)), "FE-R15");
    assert_eq!(refused(north, Slot::Joint, at(1)), "FE-R15");
    for slot in [Slot::First, Slot::Joint, Slot::Second] {
        assert_eq!(refused(north, slot, at(2)), "FE-R15");
    }

    // East: normally, as unformed (-2), at whom it has before it.
    assert_eq!(slots(east), [Slot::First, Slot::Joint, Slot::Second]);
    let fired = by(east, Slot::Joint, at(2)).unwrap().remove(0).hits.remove(0);
    // 4, unformed -2, at 7 cm no band, die +1.
    assert_eq!(fired.distance, kernel::Centimetres::whole(7));
    assert_eq!(fired.groups, [Group { factor: 3, figures: 3, duration: Duration::Whole }]);
    assert_eq!(refused(east, Slot::Charged, at(1)), "FE-2.3-08");
    assert_eq!(refused(east, Slot::Joint, at(1)), "FE-2.3-02");

    // The other unit: at the east side, a line behind hard cover, not at the north side.
    let side = |side: u8| Target { body: 0, side: Some(side) };
    let back = by(whole(2), Slot::Joint, side(1)).unwrap().remove(0).hits.remove(0);
    assert_eq!(back.cover, Cover::Hard);
    assert_eq!(scene.bodies()[0].now().class, Some(Class::Line));
    assert_eq!(refused(whole(2), Slot::Joint, side(2)), "FE-R77");
}

#[test]
fn companies_of_one_unit_share_the_limit_of_point_blank() {
    let companies = [company("left", 6, 4), company("right", 6, 4)];
    let shooter = foot("s", "blue", &companies, stand(50.0, 50.0, 0.0, "line"));
    let scene = table(&[shooter, column("t", 50.0, 53.0)]);
    let declared: Vec<Declaration> = (0..2)
        .map(|company| {
            Declaration::new(Element { body: 0, part: Part::Company(company) }, Slot::Joint, at(1))
        })
        .collect();
    let mut desk = Desk::new(Scripted::new(&[3, 3]), Silent);
    let outcome = tabletop::fire::phase::resolve(&scene, &Options::default(), &declared, &mut desk).unwrap();
    let figures: i32 = outcome.fires.iter().flat_map(|fired| &fired.hits).map(|hit| hit.figures).sum();
    // Three figures in front: five may fire, whoever they belong to.
    assert_eq!(figures, 5);
    assert!(outcome.fires.iter().all(|fired| fired.point_blank));
}

#[test]
fn the_owner_says_where_figures_lost_to_ball_are_taken() {
    let scene = table(&[guns("b", 12, 4, 9, stand(50.0, 20.0, 0.0, "in-position")), column("t", 50.0, 50.0)]);
    let options = Options { ball_removal: BallRemoval::OwnerChoice, ..Options::default() };
    let ground = Ground::new(&scene, &options);
    let ranks = |taken_from: Option<u16>| -> Vec<u16> {
        let mut desk = Desk::new(Scripted::new(&[6]), Silent);
        let fired = ground.resolve(Declaration { taken_from, ..simple(0, 1) }, &mut desk).unwrap();
        let suffered = apply(&ground, &fired, &mut desk);
        suffered[0].removed.iter().map(|&figure| scene.bodies()[1].now().figures[figure].rank).collect()
    };
    let first = ranks(Some(2));
    assert!(!first.is_empty() && first.iter().all(|&rank| rank == 2), "{first:?}");
    assert_eq!(ranks(None)[0], 0, "unattended, the advised pattern");
}

#[test]
fn a_battery_pivots_about_its_middle() {
    let mut battery = guns("b", 8, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    battery["record"] = json!({ "start": stand(50.0, 46.0, 337.5, "in-position"), "middle": stand(50.0, 50.0, 0.0, "in-position") });
    let refused = fire(&table(&[battery, column("t", 50.0, 90.0)]), simple(0, 1), &[]).unwrap_err();
    assert_eq!(refused.rule.unwrap().as_str(), "FE-3.5-04");
}

#[test]
fn a_ditch_shelters_where_it_is_played_as_a_hedge() {
    let ditch = json!({ "id": "d", "shape": { "water": { "kind": "ditch", "axis": [[30, 58], [70, 58]], "width": 1 } } });
    let shooter = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 50.0, 0.0, "line"));
    let scene = with_terrain(&[ditch], &[shooter, column("t", 50.0, 58.8)]);
    let cover = |options: &Options| {
        let mut desk = Desk::new(Scripted::new(&[3]), Silent);
        Ground::new(&scene, options).resolve(simple(0, 1), &mut desk).unwrap()[0].hits[0].cover
    };
    assert_eq!(cover(&Options::default()), Cover::None);
    assert_eq!(cover(&Options { ditch: Ditch::AsLightObstacle, ..Options::default() }), Cover::Light);
}
