//! Rules of the fire chapter that no worked example shows, each on a small table.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use crate::support;
use crate::support::{
    at, column, company, elite, fire, foot, guns, hits, simple, stand, table, whole, with_terrain,
};
use kernel::{Desk, Live, Losses, Scripted, Silent, Spoken};
use rulebook::options::tabletop::{FireInsideCrops, FireOrder, Options};
use serde_json::{Value, json};
use tabletop::fire::declare::{Declaration, Fired, Hit, Method};
use tabletop::fire::ground::{Element, Ground, Part, Slot, Target};
use tabletop::fire::phase;
use tabletop::fire::removal::{Suffered, apply};
use tabletop::fire::{Class, Cover, Projectile};
use tabletop::scene::Scene;

fn line(id: &str, side: &str, figures: i32, y: f64, facing: f64) -> Value {
    foot(id, side, &[company("a", figures, 4)], stand(50.0, y, facing, "line"))
}

fn refused(scene: &Scene, declared: Declaration) -> String {
    let refusal = fire(scene, declared, &[1]).expect_err("refused");
    refusal.rule.map_or_else(String::new, |rule| rule.as_str().to_owned())
}

fn suffer(
    scene: &Scene,
    shooter: usize,
    target: usize,
    men: i32,
    projectile: Projectile,
) -> (Suffered, Vec<String>) {
    let options = Options::default();
    let ground = Ground::new(scene, &options);
    let fired = Fired {
        declaration: Declaration { projectile, ..simple(shooter, target) },
        hits: vec![Hit {
            target: at(target),
            losses: Losses::men(men),
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
    let mut desk = Desk::new(Scripted::new(&[]), Spoken::default());
    let suffered = apply(&ground, &[fired], &mut desk).remove(0);
    (suffered, desk.notes.reasons().map(|because| because.rule.as_str().to_owned()).collect())
}

#[test]
fn officers_pistols_and_unarmed_horse_never_fire() {
    let officer = json!({ "id": "o", "side": "blue", "troops": { "officer": {} }, "place": stand(50.0, 50.0, 0.0, "single") });
    assert_eq!(refused(&table(&[officer, line("t", "red", 6, 55.0, 180.0)]), simple(0, 1)), "FE-1.1-05");
    let lancers = json!({ "id": "l", "side": "blue", "place": stand(50.0, 50.0, 0.0, "line"), "troops": { "cavalry": {
        "class": "light", "companies": [{ "name": "a", "figures": 4, "fire": 0, "weapon": "none" }] } } });
    assert_eq!(refused(&table(&[lancers, line("t", "red", 6, 55.0, 180.0)]), simple(0, 1)), "FE-1.1-02");
}

#[test]
fn guns_that_are_limbered_or_have_lost_their_order_do_not_fire() {
    let target = column("t", 50.0, 90.0);
    let limbered = guns("b", 6, 3, 5, stand(50.0, 50.0, 0.0, "limbered"));
    assert_eq!(refused(&table(&[limbered, target.clone()]), simple(0, 1)), "FE-R64");
    let mut loose = guns("b", 6, 3, 5, stand(50.0, 50.0, 0.0, "in-position"));
    loose["state"] = json!("unformed");
    assert_eq!(refused(&table(&[loose, target]), simple(0, 1)), "FE-3.6-05");
}

#[test]
fn nobody_fires_into_a_melee_or_within_2_cm_of_one() {
    let friend = foot("f", "blue", &[company("a", 4, 4)], stand(50.0, 60.0, 0.0, "line"));
    let enemy = foot("e", "red", &[company("a", 4, 4)], stand(50.0, 60.05, 180.0, "line"));
    let beside = foot("n", "red", &[company("a", 1, 4)], stand(54.5, 60.0, 180.0, "line"));
    let shooter = foot("s", "blue", &[company("a", 8, 4)], stand(56.0, 50.0, 0.0, "line"));
    let scene = table(&[shooter, friend, enemy, beside]);
    assert_eq!(refused(&scene, simple(0, 2)), "FE-1.5-03");
    assert_eq!(refused(&scene, simple(0, 3)), "FE-1.5-04");
    assert_eq!(refused(&scene, simple(1, 3)), "FE-1.5-05");
}

#[test]
fn the_faces_of_a_square_that_are_not_in_contact_fire_on() {
    let companies = [company("a", 12, 5)];
    let square = foot("s", "blue", &companies, stand(50.0, 50.0, 0.0, "hollow-square"));
    let enemy = foot("e", "red", &[company("a", 3, 4)], stand(50.0, 50.05, 180.0, "line"));
    let flank = foot("g", "red", &[company("a", 4, 4)], stand(64.0, 46.0, 270.0, "line"));
    let scene = table(&[square, enemy, flank]);
    let face = |face: u8| Declaration::new(Element { body: 0, part: Part::Face(face) }, Slot::Joint, at(2));
    assert_eq!(hits(&scene, face(1), 3)[0].target.body, 2);
    assert_eq!(refused(&scene, face(0)), "FE-1.5-05");
    assert_eq!(refused(&scene, simple(0, 2)), "FE-R71", "a square fires by face");
}

#[test]
fn companies_may_take_different_enemies() {
    let shooter =
        foot("s", "blue", &[company("a", 4, 4), company("b", 4, 4)], stand(50.0, 50.0, 0.0, "line"));
    let left = foot("l", "red", &[company("a", 4, 4)], stand(46.0, 62.0, 180.0, "line"));
    let right = foot("r", "red", &[company("a", 4, 4)], stand(54.0, 62.0, 180.0, "line"));
    let scene = table(&[shooter, left, right]);
    let company = |company: u16, target: usize| {
        Declaration::new(Element { body: 0, part: Part::Company(company) }, Slot::Joint, at(target))
    };
    let options = Options::default();
    let mut desk = Desk::new(Live::from_seed([1; 32]), Spoken::default());
    let outcome = phase::resolve(&scene, &options, &[company(0, 1), company(1, 2)], &mut desk).unwrap();
    assert_eq!(outcome.fires.len(), 2, "{:?}", outcome.refused);
    assert!(desk.notes.reasons().any(|because| because.rule.as_str() == "FE-1.5-08"));
}

#[test]
fn a_rallying_target_is_measured_at_the_end_only_and_counts_as_deep() {
    let mut target = line("t", "red", 6, 60.0, 180.0);
    target["situation"] = json!("rallying");
    let scene = table(&[line("s", "blue", 8, 50.0, 0.0), target]);
    assert_eq!(refused(&scene, Declaration::new(whole(0), Slot::First, at(1))), "FE-1.5-09");
    // 4, deep +1, beyond a third -2, die +1.
    assert_eq!(hits(&scene, simple(0, 1), 3)[0].groups[0].factor, 4);
}

#[test]
fn a_body_that_changes_formation_has_the_class_of_the_one_it_seeks() {
    let class = |to: &str| {
        let mut target = column("t", 50.0, 60.0);
        target["changing_to"] = json!(to);
        let scene = table(&[line("s", "blue", 8, 50.0, 0.0), target]);
        hits(&scene, simple(0, 1), 3);
        scene.bodies()[1].now().class
    };
    assert_eq!(class("line"), Some(Class::Line));
    assert_eq!(class("skirmish"), Some(Class::Mass), "skirmish order counts only once complete");
}

#[test]
fn an_officer_alone_is_a_target_and_is_lost_at_40() {
    let officer = json!({ "id": "o", "side": "red", "troops": { "officer": { "budget": 60 } }, "place": stand(50.0, 58.0, 180.0, "single") });
    let scene = table(&[line("s", "blue", 8, 50.0, 0.0), officer.clone()]);
    assert!(!hits(&scene, simple(0, 1), 3).is_empty());
    let (suffered, reasons) = suffer(&scene, 0, 1, 40, Projectile::Ball);
    assert!(suffered.destroyed && suffered.budget == 60);
    assert!(reasons.contains(&"FE-1.5-15".to_owned()));
    let guarded = table(&[line("s", "blue", 8, 50.0, 0.0), officer, line("f", "red", 4, 66.0, 180.0)]);
    assert_eq!(refused(&guarded, simple(0, 1)), "FE-1.5-13");
}

#[test]
fn the_order_to_support_makes_a_third_priority() {
    let mut shooter = line("s", "blue", 12, 50.0, 0.0);
    shooter["order"] = json!({ "kind": "support", "of": "f" });
    let mut friend = foot("f", "blue", &[company("a", 4, 4)], stand(80.0, 50.0, 0.0, "line"));
    friend["record"] = json!({ "fired_at_by": ["far"] });
    let near = guns("near", 6, 3, 5, stand(45.0, 63.0, 180.0, "in-position"));
    let near = {
        let mut near = near;
        near["side"] = json!("red");
        near
    };
    let mut far = guns("far", 6, 3, 5, stand(55.0, 66.0, 180.0, "in-position"));
    far["side"] = json!("red");
    let scene = table(&[shooter, friend, near, far]);
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let mut desk = Desk::new(Scripted::new(&[]), Spoken::default());
    let ranked = ground.rank(whole(0), Slot::Joint, &[at(2), at(3)], &mut desk);
    assert_eq!(
        ranked.iter().map(|one| (one.class, one.allowed)).collect::<Vec<_>>(),
        [(5, false), (3, true)]
    );
    let refusal = ground.must_take(whole(0), Slot::Joint, at(2), &mut desk).unwrap_err();
    assert_eq!(refusal.rule.unwrap().as_str(), "FE-1.6-01");
}

#[test]
fn method_one_makes_a_fire_of_each_factor() {
    let companies = [elite("v", 2, 6), company("f", 8, 4), elite("g", 2, 5)];
    let shooter = foot("s", "blue", &companies, stand(50.0, 50.0, 0.0, "line"));
    let wide: Vec<Value> = (1..=2).map(|k| company(&format!("c{k}"), 12, 4)).collect();
    let target = foot("t", "red", &wide, stand(50.0, 56.0, 180.0, "company-column"));
    let scene = table(&[shooter, target]);
    let apart = Declaration { method: Method::Apart, ..simple(0, 1) };
    let fires = fire(&scene, apart, &[1, 1, 1]).unwrap();
    assert_eq!(fires.iter().map(|fired| fired.hits[0].figures).collect::<Vec<_>>(), [8, 2, 2]);
}

#[test]
fn fe_ex_15_detached_skirmishers_fire_for_themselves() {
    let main = foot("m", "blue", &[company("f", 8, 4), elite("g", 2, 5)], stand(50.0, 50.0, 0.0, "line"));
    let mut out = foot("v", "blue", &[elite("v", 2, 6)], stand(75.0, 52.0, 0.0, "skirmish"));
    out["unit"] = json!("m");
    let scene = table(&[
        main,
        out,
        line("t", "red", 12, 62.0, 180.0),
        foot("u", "red", &[company("a", 4, 4)], stand(75.0, 62.0, 180.0, "line")),
    ]);
    let body = &hits(&scene, simple(0, 2), 3)[0];
    assert_eq!(body.figures, 10);
    // Two of ten are no quarter: the losses are those of ten fusiliers.
    let plain = table(&[line("m", "blue", 10, 50.0, 0.0), line("t", "red", 12, 62.0, 180.0)]);
    assert_eq!(body.losses, hits(&plain, simple(0, 1), 3)[0].losses);
    let skirmishers = &hits(&scene, simple(1, 3), 1)[0];
    assert_eq!(skirmishers.groups[0].factor, 6 - 2 + 1, "no bad shot");
}

#[test]
fn two_screens_stop_bullets_and_what_is_out_of_range_behind_one_is_spared() {
    let screen = |id: &str, y: f64| foot(id, "red", &[company("a", 4, 4)], stand(50.0, y, 180.0, "skirmish"));
    let shooter = line("s", "blue", 8, 50.0, 0.0);
    let scene = table(&[shooter.clone(), column("t", 50.0, 66.0), screen("k", 57.0), screen("m", 61.0)]);
    let order: Vec<usize> = hits(&scene, simple(0, 1), 5).iter().map(|hit| hit.target.body).collect();
    assert_eq!(order, [2, 3]);
    let far = table(&[shooter.clone(), screen("k", 67.0), column("t", 50.0, 73.0)]);
    assert_eq!(hits(&far, simple(0, 1), 5).len(), 1);
    let gap = table(&[shooter, screen("k", 57.0), column("t", 50.0, 67.0)]);
    assert_eq!(hits(&gap, simple(0, 1), 5).len(), 1, "more than 7 cm behind");
}

fn village(posts: Value, more: &[Value]) -> Scene {
    let terrain = [
        json!({ "id": "r", "shape": { "road": { "axis": [[0, 80], [200, 80]], "width": 4 } } }),
        json!({ "id": "h", "shape": { "house": { "corner": [46, 82.2], "length": 9, "width": 8 } } }),
    ];
    let mut garrison =
        foot("g", "red", &[company("a", 4, 4)], json!({ "garrison": { "house": "h", "posts": posts } }));
    garrison["record"] = json!({ "revealed": true });
    let bodies: Vec<Value> = more.iter().cloned().chain([garrison]).collect();
    with_terrain(&terrain, &bodies)
}

#[test]
fn howitzers_set_a_house_on_fire_with_a_six() {
    let mut battery = guns("b", 8, 4, 6, stand(50.0, 50.0, 0.0, "in-position"));
    battery["troops"]["artillery"]["howitzers"] = json!(true);
    let posts = json!([{ "side": 0, "company": "a", "figures": 4 }]);
    let scene = village(posts.clone(), &[battery]);
    let target = Target { body: 1, side: Some(0) };
    let burn = Declaration { burn: true, ..Declaration::new(whole(0), Slot::Joint, target) };
    let six = fire(&scene, burn, &[6]).unwrap().remove(0);
    assert!(six.ignited && six.hits[0].cover == Cover::Hard && !six.hits.is_empty());
    let five = fire(&scene, burn, &[5]).unwrap().remove(0);
    assert!(!five.ignited && five.hits[0].losses > Losses::ZERO, "the losses count all the same");
    let near = village(
        posts.clone(),
        &[{
            let mut near = guns("b", 8, 4, 6, stand(50.0, 70.0, 0.0, "in-position"));
            near["troops"]["artillery"]["howitzers"] = json!(true);
            near
        }],
    );
    let canister = Declaration { projectile: Projectile::Canister, ..burn };
    assert_eq!(refused(&near, canister), "FE-3.3-17");
    let plain = village(posts, &[guns("b", 8, 4, 6, stand(50.0, 50.0, 0.0, "in-position"))]);
    assert_eq!(refused(&plain, burn), "FE-3.3-15");
    let mut open = guns("b", 8, 4, 6, stand(50.0, 50.0, 0.0, "in-position"));
    open["troops"]["artillery"]["howitzers"] = json!(true);
    assert_eq!(
        refused(&table(&[open, column("t", 50.0, 80.0)]), Declaration { burn: true, ..simple(0, 1) }),
        "FE-3.3-14"
    );
}

#[test]
fn figures_of_a_garrison_come_off_the_side_fired_at() {
    let posts =
        json!([{ "side": 0, "company": "a", "figures": 2 }, { "side": 1, "company": "a", "figures": 2 }]);
    let scene = village(posts, &[line("s", "blue", 8, 74.0, 0.0)]);
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let target = Target { body: 1, side: Some(0) };
    let mut fired = fire(&scene, Declaration::new(whole(0), Slot::Joint, target), &[3]).unwrap().remove(0);
    fired.hits[0].losses = Losses::men(125);
    let mut desk = Desk::new(Scripted::new(&[]), Silent);
    let suffered = apply(&ground, &[fired], &mut desk).remove(0);
    assert_eq!(suffered.figures, 2, "the third 40 finds nobody on that side");
    assert!(suffered.removed.iter().all(|&figure| scene.bodies()[1].now().figures[figure].face == 0));
}

#[test]
fn a_battery_has_one_target_in_a_half_period() {
    let battery = guns("b", 8, 4, 6, stand(50.0, 50.0, 0.0, "in-position"));
    let scene = table(&[battery, column("t", 48.0, 90.0), column("u", 53.0, 90.0)]);
    let options = Options::default();
    let mut desk = Desk::new(Live::from_seed([1; 32]), Silent);
    let shots =
        [Declaration::new(whole(0), Slot::First, at(1)), Declaration::new(whole(0), Slot::Second, at(2))];
    let refusal = phase::resolve(&scene, &options, &shots, &mut desk).unwrap_err();
    assert_eq!(refusal.rule.unwrap().as_str(), "FE-3.4-10");
    let same = [shots[0], Declaration { target: at(1), ..shots[1] }];
    assert_eq!(phase::resolve(&scene, &options, &same, &mut desk).unwrap().fires.len(), 2);
}

#[test]
fn artillery_needs_its_target_in_view_and_range_for_the_half_period() {
    let battery = guns("b", 3, 3, 5, stand(50.0, 20.0, 0.0, "in-position"));
    let mut target = column("t", 50.0, 80.0);
    target["record"] = json!({ "middle": stand(50.0, 84.5, 180.0, "company-column"), "start": stand(50.0, 89.0, 180.0, "company-column") });
    let scene = table(&[battery.clone(), target]);
    assert!(fire(&scene, simple(0, 1), &[]).unwrap()[0].lost, "60 + 9 is beyond 65");
    let canister = Declaration { projectile: Projectile::Canister, ..simple(0, 1) };
    let far = table(&[battery, column("t", 50.0, 50.0)]);
    assert!(fire(&far, canister, &[]).unwrap()[0].lost, "30 cm is no canister for a 3-pounder");
}

#[test]
fn a_centre_outside_the_corridor_gives_no_penetration() {
    let battery = guns("b", 6, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    let long = foot("t", "red", &[company("a", 12, 4)], stand(60.0, 80.0, 180.0, "line"));
    let scene = table(&[battery, long, column("c", 54.0, 88.0)]);
    assert_eq!(hits(&scene, simple(0, 1), 3).len(), 1);
}

#[test]
fn ball_stops_beyond_its_penetration_and_canister_behind_a_line() {
    let battery = guns("b", 3, 4, 5, stand(50.0, 50.0, 0.0, "in-position"));
    let mut horse = battery.clone();
    horse["troops"]["artillery"]["team"] = json!("horse");
    let scene = table(&[horse, line("t", "red", 6, 60.0, 180.0), column("c", 50.0, 76.0)]);
    assert_eq!(hits(&scene, simple(0, 1), 3).len(), 1, "13.5 is more than 13");
    let near = table(&[battery.clone(), line("t", "red", 6, 60.0, 180.0), column("c", 50.0, 64.0)]);
    assert_eq!(hits(&near, simple(0, 1), 3).len(), 2);
    let canister = Declaration { projectile: Projectile::Canister, ..simple(0, 1) };
    assert_eq!(hits(&near, canister, 3).len(), 1);
    let screen = foot("k", "red", &[company("a", 3, 4)], stand(50.0, 54.0, 180.0, "skirmish"));
    let wide = table(&[battery.clone(), screen, column("c", 50.0, 64.0)]);
    assert_eq!(hits(&wide, canister, 3).len(), 1, "7.5 behind the screen");
    let friend = foot("f", "blue", &[company("a", 2, 4)], stand(54.0, 55.0, 0.0, "skirmish"));
    let blocked = table(&[battery, line("t", "red", 6, 60.0, 180.0), friend]);
    assert_eq!(refused(&blocked, canister), "FE-3.7-27");
}

#[test]
fn from_a_plateau_only_the_target_is_hit() {
    let plateau = json!({ "id": "p", "shape": { "plateau": {
        "outline": [[20, 20], [80, 20], [80, 60], [20, 60]], "crest": [[25, 25], [75, 25], [75, 55], [25, 55]] } } });
    let battery = guns("b", 8, 4, 6, stand(50.0, 52.0, 0.0, "in-position"));
    let bodies = [battery, line("t", "red", 6, 80.0, 180.0), column("c", 50.0, 86.0)];
    let scene = with_terrain(&[plateau], &bodies);
    assert_eq!(hits(&scene, simple(0, 1), 3).len(), 1);
    let flat = table(&bodies);
    assert_eq!(hits(&flat, simple(0, 1), 3).len(), 2);
}

#[test]
fn the_hidden_observer_sees_and_does_not_fire() {
    let hill = json!({ "id": "k", "shape": { "hill": {
        "outline": [[20, 40], [80, 40], [80, 70], [20, 70]], "crest": [[22, 55], [78, 55]] } } });
    let watcher = foot("w", "blue", &[company("a", 6, 4)], stand(50.0, 53.8, 0.0, "line"));
    let target = line("t", "red", 6, 72.0, 180.0);
    let scene = with_terrain(&[hill], &[watcher, target]);
    assert_eq!(refused(&scene, simple(0, 1)), "FE-1.3-07");
    assert_eq!(refused(&scene, simple(1, 0)), "TE-2.3-01", "and is not seen");
}

#[test]
fn gunners_lost_and_the_gun_left_behind() {
    let mut guns = guns("t", 8, 4, 6, stand(50.0, 80.0, 180.0, "in-position"));
    guns["side"] = json!("red");
    guns["troops"]["artillery"]["budget"] = json!(112);
    let scene = table(&[line("s", "blue", 8, 62.0, 0.0), guns]);
    let (some, _) = suffer(&scene, 0, 1, 80, Projectile::Ball);
    assert_eq!((some.figures, some.budget, some.destroyed), (2, 28, false));
    let (all, reasons) = suffer(&scene, 0, 1, 500, Projectile::Ball);
    assert!(all.destroyed && all.losses == Losses::men(160) && all.marker == Losses::ZERO);
    for rule in ["FE-3.7-22", "FE-3.7-25", "FE-3.7-26", "FE-3.1-04"] {
        assert!(reasons.contains(&rule.to_owned()), "{rule}");
    }
    let mut weak = support::guns("b", 8, 4, 6, stand(50.0, 20.0, 0.0, "in-position"));
    weak["troops"]["artillery"]["crew"] = json!(2);
    assert_eq!(hits(&table(&[weak, column("t", 50.0, 60.0)]), simple(0, 1), 3)[0].figures, 2);
}

#[test]
fn where_figures_are_removed() {
    let mixed: Vec<Value> = vec![elite("e", 3, 5), company("a", 3, 4), company("b", 3, 4)];
    let target = foot(
        "t",
        "red",
        &mixed,
        json!({ "stand": { "at": [50, 70], "facing": 180, "formation": "company-column", "front": 4 } }),
    );
    let behind = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 90.0, 180.0, "line"));
    let scene = table(&[behind, target.clone()]);
    let (rear, _) = suffer(&scene, 0, 1, 40, Projectile::Ball);
    assert_eq!(
        scene.bodies()[1].now().figures[rear.removed[0]].rank,
        2,
        "from the rear, the last rank first"
    );
    let ahead = table(&[line("s", "blue", 8, 60.0, 0.0), target.clone()]);
    let (front, reasons) = suffer(&ahead, 0, 1, 80, Projectile::Ball);
    let kinds: Vec<u16> = front.removed.iter().map(|&k| ahead.bodies()[1].now().figures[k].company).collect();
    assert_eq!(kinds, [1, 0], "regular, then elite");
    assert!(reasons.contains(&"FE-4.4-06".to_owned()));
    let battery = table(&[guns("b", 8, 4, 6, stand(50.0, 55.0, 0.0, "in-position")), target]);
    let (canister, reasons) = suffer(&battery, 0, 1, 80, Projectile::Canister);
    assert!(canister.removed.iter().all(|&k| battery.bodies()[1].now().figures[k].rank == 0));
    assert!(reasons.contains(&"FE-3.3-11".to_owned()) && reasons.contains(&"FE-3.7-20".to_owned()));
    let (ball, _) = suffer(&battery, 0, 1, 120, Projectile::Ball);
    let ranks: Vec<u16> = ball.removed.iter().map(|&k| battery.bodies()[1].now().figures[k].rank).collect();
    assert_eq!(ranks, [0, 1, 2], "rank after rank");
    let flank = foot("s", "blue", &[company("a", 4, 4)], stand(30.0, 70.0, 90.0, "line"));
    let long = foot(
        "t",
        "red",
        &[company("l", 3, 4), company("m", 3, 4), company("r", 3, 4)],
        stand(50.0, 70.0, 180.0, "line"),
    );
    let scene = table(&[flank, long]);
    let (end, _) = suffer(&scene, 0, 1, 40, Projectile::Ball);
    assert_eq!(
        end.removed,
        [8],
        "the outermost figure of the near flank: the right one of a line facing south"
    );
}

#[test]
fn alternating_fire_lets_losses_count_at_once() {
    let wide: Vec<Value> = (1..=2).map(|k| company(&format!("c{k}"), 8, 9)).collect();
    let strong = foot("s", "blue", &wide, stand(50.0, 50.0, 0.0, "line"));
    let scene = table(&[strong, foot("t", "red", &[company("a", 1, 4)], stand(50.0, 56.0, 180.0, "line"))]);
    let fires = |order: FireOrder| {
        let options = Options { fire_order: order, ..Options::default() };
        let mut desk = Desk::new(Live::from_seed([9; 32]), Silent);
        phase::resolve(&scene, &options, &[simple(0, 1), simple(1, 0)], &mut desk).unwrap().fires.len()
    };
    assert_eq!(fires(FireOrder::Simultaneous), 2);
    assert_eq!(fires(FireOrder::Alternating), 1, "the target is gone before it fires");
}

#[test]
fn what_the_umpire_says_of_hidden_enemies() {
    let wood =
        json!({ "id": "w", "shape": { "wood": { "outline": [[30, 60], [70, 60], [70, 80], [30, 80]] } } });
    let hidden = line("h", "red", 6, 61.0, 180.0);
    let behind = foot("b", "red", &[company("a", 3, 4)], stand(50.0, 66.0, 180.0, "line"));
    let scene = json!({ "name": "t", "width": 200, "depth": 150, "terrain": [wood], "bodies": [line("s", "blue", 8, 50.0, 0.0), hidden, behind] });
    let asking = tabletop::questions().into_iter().find(|asking| asking.name == "tabletop.shoot").unwrap();
    let reply: Value = serde_json::from_str(
        &asking.ask(&json!({ "scene": scene, "shooter": "s" }).to_string(), rulebook::Lang::En).json,
    )
    .unwrap();
    let rules: Vec<&str> = reply["because"]
        .as_array()
        .unwrap()
        .iter()
        .map(|because| because["rule"].as_str().unwrap())
        .collect();
    assert!(rules.contains(&"FE-1.3-02") && rules.contains(&"FE-1-04"), "{rules:?}");
    assert_eq!(reply["answer"]["refused"].as_array().unwrap().len(), 2);
}

/// The priority of the first enemy for the first body.
fn class_of(terrain: &[Value], bodies: &[Value]) -> u8 {
    let scene = with_terrain(terrain, bodies);
    let options = Options::default();
    let ground = Ground::new(&scene, &options);
    let mut desk = Desk::new(Scripted::new(&[]), Spoken::default());
    ground.rank(whole(0), Slot::Joint, &[at(1)], &mut desk)[0].class
}

fn area(id: &str, kind: &str, outline: Value) -> Value {
    let shape = match kind {
        "ploughed" | "tall-crops" => json!({ "field": { "kind": kind, "outline": outline } }),
        _ => json!({ kind: { "outline": outline } }),
    };
    json!({ "id": id, "shape": shape })
}

#[test]
fn an_enemy_threatens_as_far_as_its_move_and_its_charge_go() {
    let shooter = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 50.0, 0.0, "line"));
    let class = |terrain: &[Value], y: f64, facing: f64, formation: &str| {
        let enemy =
            foot("e", "red", &[company("a", 3, 4), company("b", 3, 4)], stand(50.0, y, facing, formation));
        class_of(terrain, &[shooter.clone(), enemy])
    };
    // 9 cm and a bonus of 4.
    assert_eq!(class(&[], 63.0, 180.0, "company-column"), 2);
    assert_eq!(class(&[], 63.1, 180.0, "company-column"), 5);
    // Nobody charges over ploughed land, and 4 cm of it cost 8.
    let ploughed = [area("f", "ploughed", json!([[30, 52], [70, 52], [70, 56], [30, 56]]))];
    assert_eq!(class(&ploughed, 60.0, 180.0, "company-column"), 5);
    assert_eq!(class(&ploughed, 54.0, 180.0, "company-column"), 2);
    // A line that has its back turned needs a quarter to turn about, and has 3 cm left.
    assert_eq!(class(&[], 55.5, 0.0, "line"), 2, "2.5 cm deep, 3 cm away");
    assert_eq!(class(&[], 55.6, 0.0, "line"), 5);
}

#[test]
fn what_lies_in_its_way_an_enemy_goes_round() {
    let shooter = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 50.0, 0.0, "line"));
    let enemy = |x: f64, y: f64| {
        foot("e", "red", &[company("a", 3, 4), company("b", 3, 4)], stand(x, y, 180.0, "company-column"))
    };
    let class = |terrain: &[Value], y: f64| class_of(terrain, &[shooter.clone(), enemy(50.0, y)]);
    let marsh = |left: f64, right: f64| {
        [area("m", "marsh", json!([[left, 51], [right, 51], [right, 52], [left, 52]]))]
    };
    // Round the near end in 8.3 cm; the far ends are too far.
    assert_eq!(class(&marsh(49.8, 70.0), 57.5), 2);
    assert_eq!(class(&marsh(40.0, 70.0), 57.5), 5);
    // A river whose bridges are far away, or one of them near.
    let river = |bridge_at: f64| {
        let bridge = |id: &str, x: f64| json!({ "id": id, "shape": { "bridge": { "corner": [x, 51.9], "length": 5, "width": 2.2, "over": "r" } } });
        let water = json!({ "kind": "river", "axis": [[0, 53], [200, 53]], "width": 2 });
        [json!({ "id": "r", "shape": { "water": water } }), bridge("b", bridge_at), bridge("c", 180.0)]
    };
    assert_eq!(class(&river(150.0), 57.0), 5);
    assert_eq!(class(&river(47.5), 57.0), 2);
    // Another unit of the shooter's side stands before it.
    let mut screen = foot("k", "blue", &[company("a", 12, 4)], stand(50.0, 55.0, 0.0, "line"));
    assert_eq!(class_of(&[], &[shooter.clone(), enemy(50.0, 58.0), screen.clone()]), 5);
    screen["place"] = stand(62.0, 55.0, 0.0, "line");
    assert_eq!(class_of(&[], &[shooter, enemy(50.0, 58.0), screen]), 2);
}

#[test]
fn nobody_fires_out_of_tall_crops_and_in_them_only_by_the_option() {
    let crops = [area("c", "tall-crops", json!([[30, 40], [70, 40], [70, 51], [30, 51]]))];
    let shooter = line("s", "blue", 6, 50.5, 0.0);
    let outside = with_terrain(&crops, &[shooter.clone(), column("t", 50.0, 56.0)]);
    let (near, far) = (line("t", "red", 6, 44.1, 0.0), line("t", "red", 6, 42.0, 0.0));
    let fired = |scene: &Scene, choice: FireInsideCrops| {
        let options = Options { fire_inside_crops: choice, ..Options::default() };
        let mut desk = Desk::new(Scripted::new(&[3]), Silent);
        let verdict = Ground::new(scene, &options).resolve(simple(0, 1), &mut desk);
        verdict.map(|_| ()).map_err(|refusal| refusal.rule.unwrap().as_str())
    };
    // It sees out, half a centimetre from the edge, and may not fire.
    for choice in [FireInsideCrops::Forbidden, FireInsideCrops::AllowedUnder4Cm] {
        assert_eq!(fired(&outside, choice), Err("TE-9.2-07"));
    }
    let behind = |enemy: &Value| {
        let shooter = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 46.5, 180.0, "line"));
        with_terrain(&crops, &[shooter, enemy.clone()])
    };
    assert_eq!(fired(&behind(&near), FireInsideCrops::Forbidden), Err("TE-9.2-07"));
    assert_eq!(fired(&behind(&near), FireInsideCrops::AllowedUnder4Cm), Ok(()), "2.4 cm");
    assert_eq!(fired(&behind(&far), FireInsideCrops::AllowedUnder4Cm), Err("TE-9.2-07"), "4.5 cm");
}
