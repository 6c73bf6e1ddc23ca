//! Corners of the fire chapter: charged batteries, shots by quarter, elements and what is left behind.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use crate::support::{
    at, column, company, fire, foot, guns, hits, simple, stand, table, whole, with_terrain,
};
use kernel::{Centimetres, Desk, Live, Losses, Scripted, Silent, Spoken};
use rulebook::options::tabletop::{ArtilleryExposure, Options};
use serde_json::{Value, json};
use tabletop::fire::declare::{Declaration, Fired, Hit};
use tabletop::fire::ground::{Element, Ground, Part, Slot, Target};
use tabletop::fire::measure::CoverChoice;
use tabletop::fire::phase;
use tabletop::fire::removal::{Suffered, apply};
use tabletop::fire::{Class, Cover, Duration, Projectile};
use tabletop::scene::{Muster, Place, Scene, Shape};

fn rule_of(refusal: &kernel::Refusal) -> &'static str {
    refusal.rule.map_or("", |rule| rule.as_str())
}

/// A column that charged body `with` along x = 50 from `length` away, down to y = 50.05.
fn charger(with: &str, length: f64) -> Value {
    let mut charger = column("c", 50.0, 50.05);
    charger["record"] = json!({
        "start": stand(50.0, 50.05 + length, 180.0, "company-column"),
        "middle": stand(50.0, 50.05 + length - 4.5, 180.0, "company-column"),
        "contact": { "with": with, "charging": true, "length": length },
    });
    charger
}

fn battery(calibre: i32, y: f64) -> Value {
    guns("b", calibre, 4, 5, stand(50.0, y, 0.0, "in-position"))
}

#[test]
fn a_charged_battery_measures_where_the_charger_was_after_its_quarter() {
    let scene = table(&[battery(8, 50.0), charger("b", 8.7)]);
    let hit = &hits(&scene, Declaration::new(whole(0), Slot::Charged, at(1)), 3)[0];
    assert_eq!((hit.distance, hit.groups[0].duration), (Centimetres::hundredths(425), Duration::Quarter));
    let late = table(&[battery(8, 50.0), charger("b", 4.4)]);
    let refused = fire(&late, Declaration::new(whole(0), Slot::Charged, at(1)), &[]).unwrap_err();
    assert_eq!(rule_of(&refused), "FE-1.4-09");
}

#[test]
fn a_charged_battery_fires_at_its_charger_alone() {
    let other = column("o", 50.0, 80.0);
    let scene = table(&[battery(8, 50.0), charger("b", 9.0), other]);
    let refused = fire(&scene, Declaration::new(whole(0), Slot::Charged, at(2)), &[]).unwrap_err();
    assert_eq!(rule_of(&refused), "FE-R15");
}

#[test]
fn a_charged_battery_counts_only_the_path_it_saw() {
    // A wood hides the charger until the last 4 cm.
    let wood = json!({ "id": "w", "shape": { "wood": { "outline": [[40, 54.1], [60, 54.1], [60, 75], [40, 75]] } } });
    let bodies = [battery(8, 50.0), charger("b", 9.0)];
    assert!(fire(&table(&bodies), Declaration::new(whole(0), Slot::Charged, at(1)), &[3]).is_ok());
    let hidden = with_terrain(&[wood], &bodies);
    let refused = fire(&hidden, Declaration::new(whole(0), Slot::Charged, at(1)), &[]).unwrap_err();
    assert_eq!(rule_of(&refused), "FE-1.4-09");
}

#[test]
fn another_battery_has_its_shot_at_the_end_of_the_first_quarter() {
    let line = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 50.0, 0.0, "line"));
    let beside = guns("b", 8, 4, 5, stand(30.0, 60.0, 90.0, "in-position"));
    let scene = table(&[line, beside, charger("s", 9.0)]);
    let hit = &hits(&scene, Declaration::new(whole(1), Slot::First, at(2)), 3)[0];
    assert_eq!(hit.groups[0].duration, Duration::Quarter);
    let refused = fire(&scene, Declaration::new(whole(1), Slot::Joint, at(2)), &[]).unwrap_err();
    assert_eq!(rule_of(&refused), "FE-1.4-14");
}

#[test]
fn a_charged_body_that_had_both_quarters_may_divide_its_fire() {
    let line = foot("s", "blue", &[company("a", 20, 4)], stand(50.0, 50.0, 0.0, "line"));
    let scene = table(&[line.clone(), charger("s", 9.0)]);
    let shot = |slot| hits(&scene, Declaration::new(whole(0), slot, at(1)), 3).remove(0);
    assert_eq!(shot(Slot::Charged).groups[0].duration, Duration::Whole);
    let first = shot(Slot::First);
    assert_eq!((first.distance, first.groups[0].duration), (Centimetres::hundredths(455), Duration::Quarter));
    let second = shot(Slot::Second);
    assert_eq!((second.distance, second.groups[0].duration), (Centimetres::hundredths(5), Duration::Quarter));
    let once = table(&[line, charger("s", 6.0)]);
    let refused = fire(&once, Declaration::new(whole(0), Slot::First, at(1)), &[]).unwrap_err();
    assert_eq!(rule_of(&refused), "FE-R15", "one quarter is not divided");
}

/// A column that came from `start` over `middle` to `now`, all along x = 50.
fn marched(start: f64, middle: f64, now: f64) -> Value {
    let mut target = column("t", 50.0, now);
    target["record"] = json!({ "middle": stand(50.0, middle, 180.0, "company-column"),
        "start": stand(50.0, start, 180.0, "company-column") });
    target
}

#[test]
fn the_first_shot_of_a_battery_adds_the_approach_to_the_last_distance() {
    let scene = table(&[battery(3, 20.0), marched(82.0, 77.0, 72.0)]);
    let fired = fire(&scene, Declaration::new(whole(0), Slot::First, at(1)), &[3]).unwrap().remove(0);
    assert!(!fired.lost, "52 + 10 is within 65");
    assert_eq!(fired.hits[0].distance, Centimetres::whole(57));
}

#[test]
fn one_quarter_in_range_is_no_whole_fire_of_a_battery() {
    let mut target = marched(78.0, 75.0, 75.0);
    target["record"]["moved_q1"] = json!(12);
    let scene = table(&[battery(3, 20.0), target]);
    let options =
        Options { artillery_exposure: ArtilleryExposure::OneQuarterLikeSmallArms, ..Options::default() };
    let mut desk = Desk::new(Scripted::new(&[3]), Silent);
    let fired = Ground::new(&scene, &options).resolve(simple(0, 1), &mut desk).unwrap().remove(0);
    assert_eq!(fired.hits[0].groups[0].duration, Duration::Quarter, "55 + 12 is beyond 65");
}

#[test]
fn ball_declared_beyond_the_range_is_lost() {
    let scene = table(&[battery(3, 20.0), column("t", 50.0, 120.0)]);
    let fired = fire(&scene, simple(0, 1), &[]).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert!(fired[0].lost && fired[0].hits.is_empty());
    let asking = tabletop::questions().into_iter().find(|asking| asking.name == "tabletop.shoot").unwrap();
    let request = json!({ "scene": scene.setup(), "shooter": "b" }).to_string();
    let reply: Value = serde_json::from_str(&asking.ask(&request, rulebook::Lang::En).json).unwrap();
    assert_eq!(reply["answer"]["targets"][0]["body"], "t", "nothing is measured beforehand: {reply}");
}

#[test]
fn ball_does_not_pass_through_a_house() {
    let terrain = [
        json!({ "id": "r", "shape": { "road": { "axis": [[0, 80], [200, 80]], "width": 4 } } }),
        json!({ "id": "h", "shape": { "house": { "corner": [46, 82.2], "length": 9, "width": 8 } } }),
    ];
    let posts = json!([{ "side": 0, "company": "a", "figures": 4 }]);
    let mut garrison =
        foot("g", "red", &[company("a", 4, 4)], json!({ "garrison": { "house": "h", "posts": posts } }));
    garrison["record"] = json!({ "revealed": true });
    let scene = with_terrain(&terrain, &[battery(8, 50.0), garrison, column("c", 50.0, 92.0)]);
    let target = Target { body: 1, side: Some(0) };
    let hits = hits(&scene, Declaration::new(whole(0), Slot::Joint, target), 3);
    assert_eq!(hits.len(), 1, "the house stops what passed its wall");
}

#[test]
fn canister_counts_the_lanes_that_reach_though_the_axis_does_not() {
    let askew: Vec<Value> = (0..8)
        .map(|k| json!({ "at": [44.0 + f64::from(k) * 1.4, 68.4 + f64::from(k) * 0.55], "facing": 158.6 }))
        .collect();
    let target =
        foot("t", "red", &[company("a", 8, 4)], json!({ "bases": { "formation": "line", "bases": askew } }));
    let scene = table(&[battery(4, 50.0), target]);
    let canister = Declaration { projectile: Projectile::Canister, ..simple(0, 1) };
    let hits = hits(&scene, canister, 3);
    assert!(hits[0].distance > Centimetres::whole(20));
    assert_eq!(hits[0].figures, 1);
}

#[test]
fn a_battery_turns_no_more_than_22_5_degrees_in_a_quarter() {
    let mut turned = battery(8, 50.0);
    turned["record"] = json!({ "start": stand(48.23, 49.27, 315.0, "in-position"),
        "middle": stand(50.0, 50.0, 0.0, "in-position") });
    let refused = fire(&table(&[turned, column("t", 50.0, 90.0)]), simple(0, 1), &[]).unwrap_err();
    assert_eq!(rule_of(&refused), "FE-3.5-01");
}

#[test]
fn the_nearest_enemy_is_the_nearest_to_the_company_that_fires() {
    let screen =
        foot("s", "blue", &[company("a", 5, 4), company("b", 5, 4)], stand(50.0, 50.0, 0.0, "skirmish"));
    let scene = table(&[screen, column("x", 40.0, 66.0), column("y", 60.0, 67.0)]);
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let mut desk = Desk::new(Scripted::new(&[]), Silent);
    let company = |number| Element { body: 0, part: Part::Company(number) };
    assert!(ground.must_take(company(0), Slot::Joint, at(1), &mut desk).is_ok());
    let refused = ground.must_take(company(1), Slot::Joint, at(1), &mut desk).unwrap_err();
    assert_eq!(rule_of(&refused), "FE-1.6-01");
    assert!(ground.must_take(company(1), Slot::Joint, at(2), &mut desk).is_ok());
}

#[test]
fn a_company_of_rifles_reaches_farther_than_its_battalion() {
    let rifles = json!({ "name": "r", "figures": 2, "fire": 5, "weapon": "rifle" });
    let line = foot("s", "blue", &[company("a", 6, 4), rifles], stand(50.0, 50.0, 0.0, "line"));
    let scene = table(&[line, column("t", 50.0, 75.0)]);
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let mut desk = Desk::new(Scripted::new(&[]), Silent);
    assert!(ground.is_eligible(whole(0), Slot::Joint, at(1), &mut desk).is_ok());
    assert_eq!(ground.prospects(whole(0)), [at(1)]);
    let hit = &hits(&scene, simple(0, 1), 3)[0];
    assert_eq!(hit.figures, 2);
}

#[test]
fn two_officers_are_not_a_unit() {
    let officer = |id: &str, x: f64| json!({ "id": id, "side": "red", "troops": { "officer": {} }, "place": stand(x, 62.0, 180.0, "single") });
    let line = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 50.0, 0.0, "line"));
    let alone = table(&[line.clone(), officer("g", 50.0), officer("a", 54.0)]);
    assert!(fire(&alone, simple(0, 1), &[3]).is_ok());
    let kept = table(&[line, officer("g", 50.0), column("c", 56.0, 64.0)]);
    assert_eq!(rule_of(&fire(&kept, simple(0, 1), &[]).unwrap_err()), "FE-1.5-13");
}

fn one_hit(declaration: Declaration, men: i32) -> Fired {
    Fired {
        declaration,
        hits: vec![Hit {
            target: declaration.target,
            losses: Losses::men(men),
            figures: 4,
            groups: Vec::new(),
            distance: Centimetres::whole(10),
            cover: Cover::None,
            covers: Vec::new(),
        }],
        point_blank: false,
        lost: false,
        ignited: false,
    }
}

fn applied(scene: &Scene, fires: &[Fired]) -> Suffered {
    let options = Options::default();
    apply(&Ground::new(scene, &options), fires, &mut Desk::new(Scripted::new(&[]), Silent)).remove(0)
}

#[test]
fn ball_takes_the_centre_of_the_rank() {
    let aside = guns("b", 8, 4, 5, stand(44.0, 50.0, 0.0, "in-position"));
    let scene = table(&[aside, column("t", 50.0, 70.0)]);
    let suffered = applied(&scene, &[one_hit(simple(0, 1), 80)]);
    let places: Vec<(u16, u16)> = suffered
        .removed
        .iter()
        .map(|&figure| &scene.bodies()[1].now().figures[figure])
        .map(|figure| (figure.rank, figure.file))
        .collect();
    assert_eq!(places, [(0, 1), (1, 1)]);
    let after = phase::after_losses(&scene, &[suffered]);
    assert_eq!((after.bodies[1].lost.all, after.bodies[1].lost.to_ball), (2, 2));
}

/// A house with two figures on sides 0 and 1 and two in reserve, held by body 0, and two enemies.
fn village() -> Scene {
    let terrain = [
        json!({ "id": "r", "shape": { "road": { "axis": [[0, 80], [200, 80]], "width": 4 } } }),
        json!({ "id": "h", "shape": { "house": { "corner": [46, 82.2], "length": 9, "width": 8 } } }),
    ];
    let posts =
        json!([{ "side": 0, "company": "a", "figures": 2 }, { "side": 1, "company": "a", "figures": 2 }]);
    let mut garrison =
        foot("g", "red", &[company("a", 6, 4)], json!({ "garrison": { "house": "h", "posts": posts } }));
    garrison["record"] = json!({ "revealed": true });
    let south = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 74.0, 0.0, "line"));
    let east = foot("e", "blue", &[company("a", 8, 4)], stand(70.0, 86.0, 270.0, "line"));
    with_terrain(&terrain, &[garrison, south, east])
}

#[test]
fn further_figures_of_a_garrison_come_off_the_side_that_suffered_most() {
    let scene = village();
    let at_side =
        |by: usize, side: u8| Declaration::new(whole(by), Slot::Joint, Target { body: 0, side: Some(side) });
    let suffered = applied(&scene, &[one_hit(at_side(1, 0), 60), one_hit(at_side(2, 1), 30)]);
    let faces: Vec<u8> =
        suffered.removed.iter().map(|&figure| scene.bodies()[0].now().figures[figure].face).collect();
    assert_eq!((faces.as_slice(), suffered.marker), (&[0, 0][..], Losses::men(10)));
}

#[test]
fn whoever_empties_a_side_idles_for_a_quarter() {
    let mut setup = serde_json::to_value(village().setup()).unwrap();
    setup["bodies"][0]["troops"]["infantry"]["companies"][0]["figures"] = json!(4);
    setup["bodies"][1]["troops"]["infantry"]["companies"][0]["fire"] = json!(15);
    setup["bodies"][0]["marker"] = json!(20);
    let asking = tabletop::questions().into_iter().find(|asking| asking.name == "tabletop.shoot").unwrap();
    let shoot = |die: i32| -> Value {
        let request = json!({ "scene": setup, "shooter": "s", "target": "g", "side": 0, "dice": [die] });
        serde_json::from_str(&asking.ask(&request.to_string(), rulebook::Lang::En).json).unwrap()
    };
    let emptied = shoot(3);
    assert_eq!(emptied["answer"]["hits"][0]["figures_lost"], 2, "{emptied}");
    assert_eq!(emptied["answer"]["shooter_idles"], 1);
    let thinned = shoot(1);
    assert_eq!(thinned["answer"]["hits"][0]["figures_lost"], 1, "{thinned}");
    assert!(thinned["answer"].get("shooter_idles").is_none());
}

#[test]
fn figures_taken_from_the_reserve_leave_their_company() {
    let scene = village();
    let side = Target { body: 0, side: Some(0) };
    let suffered = applied(&scene, &[one_hit(Declaration::new(whole(1), Slot::Joint, side), 120)]);
    assert_eq!((suffered.figures, suffered.removed.len()), (3, 2));
    let after = phase::after_losses(&scene, &[suffered]);
    let Muster::Infantry(drill) = &after.bodies[0].troops else { panic!("infantry") };
    assert_eq!(drill.companies[0].figures.get(), 3);
    let Place::Garrison(garrison) = &after.bodies[0].place else { panic!("a garrison") };
    assert_eq!(garrison.posts.len(), 1, "side 1 is still held");
    assert!(after.check(&Options::default()).is_ok());
}

#[test]
fn the_gun_of_a_lost_crew_stays_on_the_table() {
    let mut guns = guns("t", 8, 4, 6, stand(50.0, 80.0, 180.0, "in-position"));
    guns["side"] = json!("red");
    guns["troops"]["artillery"]["budget"] = json!(100);
    let scene = table(&[foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 62.0, 0.0, "line")), guns]);
    let some = applied(&scene, &[one_hit(simple(0, 1), 40), one_hit(simple(0, 1), 80)]);
    assert_eq!(some.budget, 37, "three of the eight eighths of 100");
    let all = applied(&scene, &[one_hit(simple(0, 1), 200)]);
    assert_eq!(all.budget, 50);
    let after = phase::after_losses(&scene, &[all]);
    assert_eq!(after.bodies.len(), 1);
    let Shape::AbandonedBattery(gun) = &after.terrain[0].shape else { panic!("the gun") };
    assert_eq!((gun.crew.get(), gun.battery.as_deref()), (4, Some("t")));
    assert!(after.check(&Options::default()).is_ok());
}

#[test]
fn nobody_fires_twice_with_the_same_figures() {
    let line = foot("s", "blue", &[company("a", 4, 4), company("b", 4, 4)], stand(50.0, 50.0, 0.0, "line"));
    let scene = table(&[line, column("t", 50.0, 60.0)]);
    let fires = |shots: &[(Part, Slot)]| {
        let declared: Vec<Declaration> = shots
            .iter()
            .map(|&(part, slot)| Declaration::new(Element { body: 0, part }, slot, at(1)))
            .collect();
        let mut desk = Desk::new(Live::from_seed([3; 32]), Silent);
        let outcome = phase::resolve(&scene, &Options::default(), &declared, &mut desk).unwrap();
        let rules: Vec<&str> = outcome.refused.iter().map(|(_, refusal)| rule_of(refusal)).collect();
        (outcome.fires.len(), rules)
    };
    let (joint, first, second) = (Slot::Joint, Slot::First, Slot::Second);
    let company = Part::Company;
    assert_eq!(fires(&[(Part::Whole, first), (Part::Whole, second)]), (2, vec![]));
    assert_eq!(fires(&[(company(0), joint), (company(1), joint)]), (2, vec![]));
    assert_eq!(fires(&[(Part::Whole, joint), (Part::Whole, joint)]), (1, vec!["FE-2.3-08"]));
    assert_eq!(fires(&[(Part::Whole, first), (Part::Whole, joint)]), (1, vec!["FE-2.3-08"]));
    assert_eq!(fires(&[(Part::Whole, joint), (company(0), joint)]), (1, vec!["FE-R71"]));
}

#[test]
fn a_screen_in_cover_ends_the_fire_at_exposed_figures_too() {
    let hedge =
        json!({ "id": "h", "shape": { "obstacle": { "line": [[30, 58], [70, 58]], "class": "light" } } });
    let line = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 50.0, 0.0, "line"));
    let screen = foot("k", "red", &[company("a", 3, 4)], stand(50.0, 58.5, 180.0, "skirmish"));
    let scene = with_terrain(&[hedge], &[line, screen, column("t", 50.0, 66.0)]);
    for choice in [CoverChoice::Whole, CoverChoice::Exposed] {
        let met = hits(&scene, Declaration { choice, ..simple(0, 2) }, 3);
        assert_eq!((met.len(), met[0].target), (1, at(1)), "{choice:?}");
    }
}

#[test]
fn who_stands_behind_a_screen_is_aimed_at_through_it() {
    let line = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 50.0, 0.0, "line"));
    let screen = foot("k", "red", &[company("a", 3, 4)], stand(50.0, 58.5, 180.0, "skirmish"));
    let reasons = |bodies: &[Value], target: usize| -> Vec<String> {
        let (scene, options) = (table(bodies), Options::default());
        let mut desk = Desk::new(Scripted::new(&[3]), Spoken::default());
        Ground::new(&scene, &options).resolve(simple(0, target), &mut desk).unwrap();
        desk.notes.reasons().map(|because| because.rule.as_str().to_owned()).collect()
    };
    let through = reasons(&[line.clone(), screen.clone(), column("t", 50.0, 66.0)], 2);
    assert!(through.contains(&"FE-2.4-06".to_owned()) && through.contains(&"FE-2.4-08".to_owned()));
    let alone = reasons(&[line, screen], 1);
    assert!(!alone.contains(&"FE-2.4-06".to_owned()) && !alone.contains(&"FE-2.4-08".to_owned()));
}

#[test]
fn guns_that_unlimber_count_as_in_position() {
    let mut target = guns("t", 6, 3, 5, stand(50.0, 62.0, 180.0, "limbered"));
    target["side"] = json!("red");
    target["changing_to"] = json!("in-position");
    let line = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 50.0, 0.0, "line"));
    let scene = table(&[line.clone(), target.clone()]);
    assert_eq!(scene.bodies()[1].now().class, Some(Class::Line));
    assert_eq!(hits(&scene, simple(0, 1), 1)[0].groups[0].factor, 4 - 2 - 1);
    target["place"] = stand(50.0, 62.0, 180.0, "in-position");
    target["changing_to"] = json!("limbered");
    let scene = table(&[line, target]);
    assert_eq!(hits(&scene, simple(0, 1), 1)[0].groups[0].factor, 4 - 2 + 1);
}

#[test]
fn from_tall_crops_one_fires_at_most_at_a_neighbour_in_them() {
    let wheat = json!({ "id": "k", "shape": { "field": { "kind": "tall-crops",
        "outline": [[30, 40], [70, 40], [70, 56], [30, 56]] } } });
    let line = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 55.0, 0.0, "line"));
    let outside = foot("t", "red", &[company("a", 6, 4)], stand(50.0, 58.0, 180.0, "line"));
    let back = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 48.0, 0.0, "line"));
    let inside = foot("t", "red", &[company("a", 6, 4)], stand(50.0, 51.5, 180.0, "line"));
    let fires = |bodies: &[Value], name: &str| {
        let mut options = Options::default();
        kernel::Options::set(&mut options, "fire_inside_crops", name).unwrap();
        let scene = with_terrain(std::slice::from_ref(&wheat), bodies);
        let mut desk = Desk::new(Scripted::new(&[3]), Silent);
        Ground::new(&scene, &options).resolve(simple(0, 1), &mut desk).is_ok()
    };
    assert!(!fires(&[line.clone(), outside.clone()], "allowed_under_4_cm"), "not out of them");
    assert!(fires(&[back.clone(), inside.clone()], "allowed_under_4_cm"));
    assert!(!fires(&[back, inside], "forbidden"));
}

#[test]
fn point_blank_spares_who_stands_beside_a_melee() {
    let foot_at = |id: &str, side: &str, figures: i32, x: f64, y: f64, facing: f64| {
        foot(id, side, &[company("a", figures, 4)], stand(x, y, facing, "line"))
    };
    let bodies = [
        foot_at("s", "blue", 6, 50.0, 50.0, 0.0),
        foot_at("t", "red", 1, 50.0, 54.0, 180.0),
        foot_at("m", "red", 2, 53.5, 54.0, 180.0),
        foot_at("f", "blue", 2, 53.5, 53.95, 0.0),
    ];
    assert_eq!(rule_of(&fire(&table(&bodies), simple(0, 1), &[]).unwrap_err()), "FE-1.5-04");
    assert!(fire(&table(&bodies[..2]), simple(0, 1), &[3]).is_ok());
}
