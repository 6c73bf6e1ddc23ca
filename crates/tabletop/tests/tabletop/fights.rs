//! What the umpire writes to the table after a round of melee and after guns have fired at a wall: figures off,
//! the beaten pushed back in the state the ground leaves them, who is in the house, who is taken, and lengths of
//! wall that change their class; all of it in the record.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use kernel::record::Record;
use kernel::{Centimetres, Desk, Game, Node, Play, Scripted, Setup as Start, Source, Spoken, Whole};
use rulebook::options::tabletop::Options;
use rulebook::rule;
use serde_json::{Value, json};
use tabletop::evening::{Action, Evening, Fought, Lost, Seat, Shot, Step, Written};
use tabletop::fire::Projectile;
use tabletop::geometry::Point;
use tabletop::scene::{BodySetup, ObstacleClass, Place, Setup, Shape, State};
use tabletop::terrain::aftermath::{Choice, Winner};

use crate::support::{company, foot, guns, stand};

fn laid(terrain: &[Value], bodies: &[Value]) -> Evening {
    let text =
        json!({ "name": "t", "width": 120, "depth": 90, "terrain": terrain, "bodies": bodies }).to_string();
    let table: Setup = Node::parse(&text).unwrap().read().unwrap_or_else(|fault| panic!("{fault}"));
    table.check(&Options::default()).unwrap_or_else(|faults| panic!("{}", faults[0]));
    Evening::on(table, Options::default())
}

/// A battalion of three companies of six, in line.
fn line(id: &str, side: &str, x: f64, y: f64, facing: f64) -> Value {
    let companies: Vec<Value> = (1..=3).map(|k| company(&format!("c{k}"), 6, 4)).collect();
    foot(id, side, &companies, stand(x, y, facing, "line"))
}

fn fought(winner: Winner, choice: Choice, lost: (i32, i32)) -> Fought {
    let count = |figures| Whole::new(figures).unwrap();
    Fought {
        attacker: "blue".to_owned(),
        defender: "red".to_owned(),
        winner,
        choice,
        lost: Lost { attacker: count(lost.0), defender: count(lost.1) },
    }
}

fn apply(evening: &mut Evening, action: &Action, dice: &[u8]) -> Vec<String> {
    let mut desk = Desk::new(Scripted::new(dice), Spoken::default());
    evening.apply(Seat::Umpire, action, &mut desk).unwrap_or_else(|refusal| panic!("{refusal}"));
    desk.dice.finish().unwrap();
    desk.notes.reasons().map(|reason| reason.rule.to_string()).collect()
}

fn body<'a>(evening: &'a Evening, id: &str) -> Option<&'a BodySetup> {
    evening.table().bodies.iter().find(|body| body.id == id)
}

fn at(evening: &Evening, id: &str) -> Point {
    match &body(evening, id).unwrap().place {
        Place::Stand(stand) => stand.at,
        other => panic!("{other:?}"),
    }
}

fn figures(evening: &Evening, id: &str) -> i32 {
    let text = serde_json::to_value(&body(evening, id).unwrap().troops).unwrap();
    let companies = text["infantry"]["companies"].as_array().unwrap();
    companies.iter().map(|one| i32::try_from(one["figures"].as_i64().unwrap()).unwrap()).sum()
}

/// Blue looks north and touches red, who looks south.
fn face_to_face(terrain: &[Value], more: &[Value]) -> Evening {
    let mut bodies = vec![line("blue", "blue", 60.0, 30.0, 0.0), line("red", "red", 60.0, 30.0, 180.0)];
    bodies.extend(more.iter().cloned());
    laid(terrain, &bodies)
}

#[test]
fn the_beaten_goes_three_centimetres_straight_back() {
    let mut evening = face_to_face(&[], &[]);
    let (here, there) = (at(&evening, "blue"), at(&evening, "red"));
    let rules = apply(&mut evening, &Action::Melee(fought(Winner::Attacker, Choice::Occupy, (1, 4))), &[]);
    assert!(rules.contains(&"TE-R98".to_owned()), "{rules:?}");
    assert_eq!(at(&evening, "red"), there.moved(0, 300));
    assert_eq!(at(&evening, "blue"), here, "who won stays");
    assert_eq!((figures(&evening, "blue"), figures(&evening, "red")), (17, 14));
    let red = body(&evening, "red").unwrap();
    assert_eq!((red.state, red.lost.all), (State::Disorganised, 4));
    assert!(red.record.melee_q1 && !red.record.melee_q2);
    // A drawn round moves nobody, in the second quarter of the half-period.
    let mut drawn = face_to_face(&[], &[]);
    apply(&mut drawn, &Action::Next(Step::Quarter), &[]);
    apply(&mut drawn, &Action::Melee(fought(Winner::Nobody, Choice::Occupy, (0, 0))), &[]);
    assert_eq!(at(&drawn, "red"), there);
    assert!(body(&drawn, "blue").unwrap().record.melee_q2);
}

#[test]
fn a_friend_behind_stops_the_recoil_and_is_disorganised() {
    // The line is one rank of 1.5 cm: its friend stands a centimetre behind its back.
    let mut evening = face_to_face(&[], &[line("friend", "red", 60.0, 32.5, 180.0)]);
    let there = at(&evening, "red");
    apply(&mut evening, &Action::Melee(fought(Winner::Attacker, Choice::Occupy, (0, 0))), &[]);
    let gone = at(&evening, "red").y - there.y;
    assert!((0..300).contains(&gone), "it goes {gone}");
    assert_eq!(body(&evening, "friend").unwrap().state, State::Disorganised);
    evening.table().check(&Options::default()).unwrap_or_else(|faults| panic!("{}", faults[0]));
}

#[test]
fn who_is_pushed_into_a_river_is_lost() {
    let river = json!({ "id": "river", "shape": { "water": { "kind": "river", "axis": [[0, 36], [120, 36]], "width": 6 } } });
    let ford = json!({ "id": "ford", "shape": { "ford": { "corner": [95, 31], "length": 9, "width": 10, "river": "river" } } });
    let bridge = json!({ "id": "bridge", "shape": { "bridge": { "corner": [15, 31], "length": 5, "width": 10, "over": "river" } } });
    let mut evening = face_to_face(&[river, ford, bridge], &[]);
    let rules = apply(&mut evening, &Action::Melee(fought(Winner::Attacker, Choice::Occupy, (0, 0))), &[]);
    assert!(rules.contains(&"TE-R66".to_owned()), "{rules:?}");
    assert!(body(&evening, "red").is_none());
}

#[test]
fn over_a_hedge_the_winner_takes_it_or_follows() {
    let hedge = || json!({ "id": "hedge", "shape": { "obstacle": { "line": [[40, 30], [80, 30]], "class": "light" } } });
    let mut stays = face_to_face(&[hedge()], &[]);
    let (blue, red) = (at(&stays, "blue"), at(&stays, "red"));
    let rules = apply(&mut stays, &Action::Melee(fought(Winner::Attacker, Choice::Occupy, (0, 1))), &[]);
    assert!(rules.contains(&"TE-8.6-11".to_owned()), "{rules:?}");
    assert_eq!((at(&stays, "blue"), at(&stays, "red")), (blue, red.moved(0, 300)));
    assert_eq!(body(&stays, "red").unwrap().state, State::Disorganised);
    let mut follows = face_to_face(&[hedge()], &[]);
    assert!(follows.endings("blue", "red").unwrap().attacker_follows);
    apply(&mut follows, &Action::Melee(fought(Winner::Attacker, Choice::Follow, (0, 1))), &[]);
    assert_eq!((at(&follows, "blue"), at(&follows, "red")), (blue.moved(0, 300), red.moved(0, 300)));
    assert_eq!(body(&follows, "blue").unwrap().state, State::Disorganised, "a hedge takes its order");
}

#[test]
fn rounds_that_cannot_be() {
    let evening = face_to_face(&[], &[line("far", "red", 60.0, 60.0, 180.0)]);
    let refused = |fought: Fought| evening.check(Seat::Umpire, &Action::Melee(fought)).unwrap_err();
    let many = refused(fought(Winner::Attacker, Choice::Occupy, (0, 19)));
    assert_eq!(
        (many.field.as_deref(), many.reason),
        (Some("lost.defender"), rulebook::phrase::evening::TOO_MANY_LOST)
    );
    let far = Fought { defender: "far".to_owned(), ..fought(Winner::Attacker, Choice::Occupy, (0, 0)) };
    assert_eq!(refused(far).reason, rulebook::phrase::tabletop_terrain::NOT_IN_CONTACT);
    let own = Fought { attacker: "far".to_owned(), ..fought(Winner::Attacker, Choice::Occupy, (0, 0)) };
    assert_eq!(refused(own).field.as_deref(), Some("defender"));
}

/// Red holds a farm with one company on each side; blue touches its south side.
fn farm() -> Evening {
    let posts: Vec<Value> = (0..3)
        .map(|side| json!({ "side": side, "company": format!("c{}", side + 1), "figures": 4 }))
        .collect();
    let companies: Vec<Value> = (1..=3).map(|k| company(&format!("c{k}"), 4, 4)).collect();
    laid(
        &[
            json!({ "id": "farm", "shape": { "house": { "corner": [56, 40], "length": 9, "width": 8 } } }),
            json!({ "id": "road", "shape": { "road": { "axis": [[0, 50.8], [120, 50.8]], "width": 5 } } }),
        ],
        &[
            line("blue", "blue", 60.5, 40.0, 0.0),
            foot("red", "red", &companies, json!({ "garrison": { "house": "farm", "posts": posts } })),
        ],
    )
}

#[test]
fn a_house_is_stormed_and_held_at_the_end_of_the_period() {
    let mut evening = farm();
    let rules = apply(&mut evening, &Action::Melee(fought(Winner::Attacker, Choice::Follow, (1, 3))), &[]);
    assert!(rules.contains(&"TE-5.5-12".to_owned()) && rules.contains(&"TE-5.5-16".to_owned()), "{rules:?}");
    let blue = body(&evening, "blue").unwrap();
    assert_eq!((blue.record.inside.as_deref(), blue.state), (Some("farm"), State::Unformed));
    // The figures came off the side that was attacked.
    let Place::Garrison(held) = &body(&evening, "red").unwrap().place else { panic!("it holds on") };
    let posted: Vec<i32> = held.posts.iter().map(|post| post.figures.get()).collect();
    assert_eq!(posted, [1, 4, 4]);
    // Inside the rest of the garrison falls; at the end of the period the house is blue's.
    apply(&mut evening, &Action::Melee(fought(Winner::Attacker, Choice::Occupy, (0, 9))), &[]);
    assert!(body(&evening, "red").is_none());
    apply(&mut evening, &Action::Next(Step::HalfPeriod), &[]);
    assert!(body(&evening, "blue").unwrap().record.inside.is_some());
    let rules = apply(&mut evening, &Action::Next(Step::HalfPeriod), &[]);
    assert!(rules.contains(&"TE-R56".to_owned()), "{rules:?}");
    assert!(matches!(&body(&evening, "blue").unwrap().place, Place::Garrison(at) if at.house == "farm"));
}

#[test]
fn beaten_off_from_a_house() {
    let mut evening = farm();
    let there = at(&evening, "blue");
    apply(&mut evening, &Action::Melee(fought(Winner::Defender, Choice::Occupy, (2, 0))), &[]);
    assert_eq!(at(&evening, "blue"), there.moved(0, -300));
    assert_eq!(body(&evening, "blue").unwrap().state, State::Disorganised);
    assert!(body(&evening, "red").unwrap().record.revealed);
}

/// Batteries that look north at a wall with a battalion behind it, 29 cm away.
fn wall(class: &str, batteries: &[(&str, f64)]) -> Evening {
    let mut bodies = vec![line("column", "red", 60.0, 41.0, 180.0)];
    bodies.extend(batteries.iter().map(|(id, x)| guns(id, 8, 4, 6, stand(*x, 12.0, 0.0, "in-position"))));
    laid(
        &[json!({ "id": "wall", "shape": { "obstacle": { "line": [[40, 41], [80, 41]], "class": class } } })],
        &bodies,
    )
}

fn shot(shooter: &str, projectile: Projectile) -> Action {
    Action::Fire(Shot {
        shooter: shooter.to_owned(),
        part: None,
        slot: None,
        target: "column".to_owned(),
        side: None,
        projectile,
        burn: false,
        batters: Some("wall".to_owned()),
    })
}

/// The lengths of the wall that are light now, in hundredths of a centimetre.
fn light(evening: &Evening) -> Vec<(i32, i32)> {
    let Shape::Obstacle(line) = &evening.table().terrain[0].shape else { panic!("a wall") };
    let light = line.pieces.iter().filter(|piece| piece.class == ObstacleClass::Light);
    light.map(|piece| (piece.from.count(), piece.to.count())).collect()
}

/// TE-8.5-10 and TE-R82: three centimetres in a half-period, centred on the axis; batteries add up, and the
/// occupants suffer as with the wall whole.
#[test]
fn balls_shoot_a_wall_to_pieces() {
    let mut evening = wall("hard", &[("a", 54.0), ("b", 65.0)]);
    let rules = apply(&mut evening, &shot("a", Projectile::Ball), &[4]);
    assert!(rules.contains(&"TE-8.5-14".to_owned()), "{rules:?}");
    // Its lane ends at 59 cm: the length is found within it.
    assert_eq!(light(&evening), [(1600, 1900)]);
    let lost = body(&evening, "column").unwrap().marker;
    let mut plain = wall("hard", &[("a", 54.0), ("b", 65.0)]);
    let Action::Fire(as_usual) = shot("a", Projectile::Ball) else { panic!("a shot") };
    apply(&mut plain, &Action::Fire(Shot { batters: None, ..as_usual }), &[4]);
    assert_eq!(body(&plain, "column").unwrap().marker, lost);
    apply(&mut evening, &shot("b", Projectile::Ball), &[4]);
    let all: i32 = light(&evening).iter().map(|(from, to)| to - from).sum();
    assert_eq!(all, 600, "{:?}", light(&evening));
    evening.table().check(&Options::default()).unwrap_or_else(|faults| panic!("{}", faults[0]));
    // Once is enough.
    let again = evening.check(Seat::Umpire, &shot("a", Projectile::Ball)).unwrap_err();
    assert_eq!(again.rule, Some(rule!(FE_2_3_08)));
}

#[test]
fn what_no_ball_shoots_to_pieces() {
    let refused = |evening: &Evening, action: &Action| evening.check(Seat::Umpire, action).unwrap_err().rule;
    let hard = wall("hard", &[("a", 60.0)]);
    assert_eq!(refused(&wall("light", &[("a", 60.0)]), &shot("a", Projectile::Ball)), Some(rule!(TE_8_5_15)));
    let alone = Action::Batter { battery: "a".to_owned(), element: "wall".to_owned() };
    assert_eq!(refused(&hard, &alone), Some(rule!(TE_R82)), "there is somebody to fire at");
    assert_eq!(hard.wall_before("a", "column").as_deref(), Some("wall"));
    assert_eq!(wall("light", &[("a", 60.0)]).wall_before("a", "column"), None);
}

#[test]
fn a_wall_that_nobody_holds_is_fired_at_alone() {
    let mut evening = laid(
        &[
            json!({ "id": "wall", "shape": { "obstacle": { "line": [[40, 40], [80, 40]], "class": "hard" } } }),
        ],
        &[guns("a", 8, 4, 6, stand(60.0, 12.0, 0.0, "in-position"))],
    );
    let alone = Action::Batter { battery: "a".to_owned(), element: "wall".to_owned() };
    apply(&mut evening, &alone, &[]);
    assert_eq!(light(&evening), [(1850, 2150)]);
    assert_eq!(evening.check(Seat::Umpire, &alone).unwrap_err().rule, Some(rule!(FE_2_3_08)));
    // In the next half-period the nearest whole length in its lane follows.
    apply(&mut evening, &Action::Next(Step::HalfPeriod), &[]);
    apply(&mut evening, &alone, &[]);
    assert_eq!(light(&evening), [(1700, 2300)]);
    assert_eq!(Centimetres::hundredths(600), Centimetres::whole(6));
}

#[test]
fn the_side_of_a_house_is_degraded_where_the_garrison_stands() {
    let mut evening = farm();
    let mut table = evening.table().clone();
    let battery: BodySetup =
        Node::parse(&guns("a", 8, 4, 6, stand(60.5, 12.0, 0.0, "in-position")).to_string())
            .unwrap()
            .read()
            .unwrap_or_else(|fault| panic!("{fault}"));
    table.bodies.retain(|body| body.id != "blue");
    table.bodies.push(battery);
    for body in &mut table.bodies {
        body.record.revealed = true;
    }
    evening = Evening::on(table, *evening.options());
    assert_eq!(evening.wall_before("a", "red").as_deref(), Some("farm"));
    let Action::Fire(shot) = shot("a", Projectile::Ball) else { panic!("a shot") };
    let shot = Shot { target: "red".to_owned(), batters: Some("farm".to_owned()), ..shot };
    apply(&mut evening, &Action::Fire(shot), &[3]);
    let Shape::House(house) = &evening.table().terrain[0].shape else { panic!("a house") };
    let [damage] = house.damage.as_slice() else { panic!("{:?}", house.damage) };
    assert_eq!((damage.side.get(), damage.to.count() - damage.from.count()), (0, 300));
}

/// Everything is an entry of the record, which can be played again.
#[test]
fn fights_and_breaches_are_in_the_record() {
    let empty = Start { scenario: "empty".into(), ..Start::default() };
    let mut play = Play::<Evening>::begin(&empty, Source::Table, None).unwrap();
    let mut text = format!("{}\n", play.header_line());
    let mut table = face_to_face(&[], &[]).table().clone();
    let shelled = wall("hard", &[("a", 90.0)]);
    table.terrain = shelled.table().terrain.clone();
    let Shape::Obstacle(line) = &mut table.terrain[0].shape else { panic!("a wall") };
    line.line = vec![Point::cm(80, 50), Point::cm(100, 50)];
    table.bodies.extend(shelled.table().bodies.iter().filter(|body| body.id == "a").cloned());
    for action in [
        Action::Lay(Written(table)),
        Action::Melee(fought(Winner::Defender, Choice::Occupy, (2, 1))),
        Action::Next(Step::HalfPeriod),
        Action::Batter { battery: "a".to_owned(), element: "wall".to_owned() },
    ] {
        let step = play.decide_with(play.entries(), Seat::Umpire, &action, &[]);
        text.push_str(&step.unwrap_or_else(|refusal| panic!("{action:?}: {refusal:?}")).record_line);
        text.push('\n');
    }
    let again = Play::<Evening>::replay(&Record::read(&text).unwrap(), None).unwrap();
    assert_eq!(again.state().table(), play.state().table());
    assert_eq!(light(play.state()).len(), 1);
}
