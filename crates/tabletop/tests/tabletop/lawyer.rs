//! Questions that a rules lawyer puts at the table, with the answers of the two chapters.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use crate::asked::ask;
use crate::support::{column, company, foot, guns, stand};
use serde_json::{Value, json};

fn scene(terrain: &[Value], bodies: &[Value]) -> Value {
    json!({ "name": "t", "width": 200, "depth": 150, "terrain": terrain, "bodies": bodies })
}

fn shoot(scene: &Value, shooter: &str, target: &str, more: Value) -> Value {
    let mut request = json!({ "scene": scene, "shooter": shooter, "target": target });
    for (key, value) in more.as_object().unwrap() {
        request[key] = value.clone();
    }
    ask("tabletop.shoot", &request)
}

fn cited(reply: &Value, rule: &str) -> usize {
    reply["because"].as_array().map_or(0, |all| all.iter().filter(|because| because["rule"] == rule).count())
}

fn house(id: &str, low: [f64; 2], high: [f64; 2]) -> Value {
    json!({ "id": id, "shape": { "house": { "corner": low, "length": high[0] - low[0], "width": high[1] - low[1] } } })
}

/// Horse in line whose squadrons say nothing of what they carry.
fn horse(id: &str, side: &str, x: f64, y: f64, facing: f64) -> Value {
    let squadrons: Vec<Value> = (1..=2).map(|k| company(&format!("s{k}"), 3, 2)).collect();
    json!({ "id": id, "side": side, "place": stand(x, y, facing, "line"),
        "troops": { "cavalry": { "class": "light", "companies": squadrons } } })
}

#[test]
fn cavalry_carries_the_musketoon_unless_told() {
    let far = |y| scene(&[], &[horse("h", "blue", 50.0, 50.0, 0.0), column("t", 50.0, y)]);
    let fired = shoot(&far(64.9), "h", "t", json!({ "dice": [3] }));
    assert_eq!(fired["answer"]["hits"][0]["body"], "t", "{fired}");
    let beyond = shoot(&far(65.1), "h", "t", json!({}));
    assert_eq!(beyond["refused"]["rule"], "FE-1.1-01", "15 cm and no more: {beyond}");
    let mut musket = horse("h", "blue", 50.0, 50.0, 0.0);
    musket["troops"]["cavalry"]["companies"][0]["weapon"] = json!("musket");
    let refused = shoot(&scene(&[], &[musket, column("t", 50.0, 60.0)]), "h", "t", json!({}));
    assert_eq!(refused["refused"]["rule"], "FE-1.1-02", "{refused}");
}

#[test]
fn a_shooter_in_its_reaction_quarter_still_receives_a_charge() {
    let mut line = foot("s", "blue", &[company("a", 20, 4)], stand(50.0, 50.0, 0.0, "line"));
    line["record"] = json!({ "reacting": true });
    let mut charger = column("c", 50.0, 50.05);
    charger["record"] = json!({
        "start": stand(50.0, 59.05, 180.0, "company-column"),
        "middle": stand(50.0, 54.55, 180.0, "company-column"),
        "contact": { "with": "s", "charging": true, "length": 9 },
    });
    let table = scene(&[], &[line, charger, column("o", 60.0, 65.0)]);
    let received = shoot(&table, "s", "c", json!({ "dice": [3] }));
    assert_eq!(received["answer"]["point_blank"], true, "{received}");
    let mut idle = table.clone();
    idle["bodies"].as_array_mut().unwrap().remove(1);
    let refused = shoot(&idle, "s", "o", json!({}));
    assert_eq!(refused["refused"]["rule"], "TE-R53", "{refused}");
}

#[test]
fn forty_stands_on_a_marker_where_forty_must_be_exceeded() {
    let mut target = column("t", 50.0, 60.0);
    target["marker"] = json!(40);
    let shooter = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 50.0, 0.0, "line"));
    let table = scene(&[], &[shooter, target]);
    let strict = shoot(&table, "s", "t", json!({ "dice": [3] }));
    assert_eq!(strict["refused"]["field"], "scene.bodies.1.marker", "{strict}");
    let exceeded = json!({ "dice": [3], "options": { "figure_lost_at_40": "exceeded" } });
    let hit = shoot(&table, "s", "t", exceeded)["answer"]["hits"][0].clone();
    // 4, deep +1, 10 cm -2, die +1: 4; eight figures make 25: 65, one figure and 25.
    assert_eq!((&hit["losses"], &hit["figures_lost"], &hit["marker"]), (&json!(25), &json!(1), &json!(25)));
    let mut over = table;
    over["bodies"][1]["marker"] = json!(45);
    let refused = shoot(&over, "s", "t", json!({ "options": { "figure_lost_at_40": "exceeded" } }));
    assert_eq!(refused["refused"]["field"], "scene.bodies.1.marker", "{refused}");
}

#[test]
fn a_refusal_names_the_whole_path_of_its_field() {
    let field = |question: &str, request: Value| ask(question, &request)["refused"]["field"].clone();
    let table = scene(&[], &[column("t", 50.0, 60.0)]);
    let off = json!({ "on-table": { "scene": table, "body": "t", "to": [[50, 50], [50, 200]] } });
    assert_eq!(field("tabletop.move", off), "on-table.to[1]");
    let nobody = json!({ "on-table": { "scene": table, "body": "x", "to": [[50, 50]] } });
    assert_eq!(field("tabletop.move", nobody), "on-table.body");
    let fight = json!({ "on-table": { "scene": table, "attacker": "t", "defender": "x" } });
    assert_eq!(field("tabletop.melee-ground", fight), "on-table.defender");
    let bad = json!({ "on-table": { "scene": { "name": "t", "width": 1, "depth": 1 }, "house": "h" } });
    assert_eq!(field("tabletop.house", bad), "on-table.scene.width");
    let door = json!({ "enter-on-table": { "scene": table, "house": "h", "body": "t", "quarter": 1 } });
    assert_eq!(field("tabletop.house", door), "enter-on-table.house");
    let storm = json!({ "assault-on-table": { "scene": table, "house": "h", "attacker": "x" } });
    assert_eq!(field("tabletop.house", storm), "assault-on-table.attacker");
    let high = json!({ "inventory": { "mountains": 1 } });
    assert_eq!(field("tabletop.layout", high), "inventory.mountains");
}

#[test]
fn water_without_vegetation_is_a_warning() {
    let reply =
        ask("tabletop.layout", &json!({ "inventory": { "water_points": 1, "bare_water_points": 1 } }));
    assert_eq!(reply["answer"]["labels"], json!(["marshy"]), "{reply}");
    assert_eq!(cited(&reply, "TE-R97"), 1, "{reply}");
}

/// A house by a road with two figures on its south side, two on its north side and one in reserve, and
/// guns that fire canister at the south side from 8 cm.
fn shelled() -> Value {
    let posts =
        json!([{ "side": 0, "company": "a", "figures": 2 }, { "side": 2, "company": "b", "figures": 2 }]);
    let companies = [company("a", 2, 4), company("b", 2, 4), company("c", 1, 4)];
    let mut garrison = foot("g", "red", &companies, json!({ "garrison": { "house": "h", "posts": posts } }));
    garrison["record"] = json!({ "revealed": true });
    let road = json!({ "id": "r", "shape": { "road": { "axis": [[57.6, 0], [57.6, 150]], "width": 5 } } });
    let battery = guns("b", 12, 6, 9, stand(50.0, 52.0, 0.0, "in-position"));
    scene(&[road, house("h", [45.0, 60.0], [55.0, 70.0])], &[battery, garrison])
}

#[test]
fn losses_of_a_house_come_off_the_side_fired_at_then_out_of_the_reserve() {
    let reply = shoot(&shelled(), "b", "g", json!({ "dice": [6], "projectile": "canister" }));
    let hit = &reply["answer"]["hits"][0];
    // 9, canister +3, hard cover -3, die +2: 11; six gunners make 60, doubled under 10 cm.
    assert_eq!((&hit["losses"], &hit["figures_lost"]), (&json!(120), &json!(3)), "{reply}");
    assert_eq!(hit["removed"], json!([["a", 0, 1], ["a", 0, 0]]), "nobody of the north side");
    assert_eq!(reply["answer"]["shooter_idles"], 1);
    assert_eq!((cited(&reply, "TE-5.4-11"), cited(&reply, "TE-R52")), (2, 1), "{reply}");
    let empty = shoot(&shelled(), "b", "g", json!({ "side": 1 }));
    assert_eq!((&empty["refused"]["rule"], &empty["refused"]["field"]), (&json!("TE-R51"), &json!("side")));
}

#[test]
fn figures_that_are_moved_do_not_fire_and_the_others_of_their_side_do() {
    let mut table = shelled();
    let at = table["bodies"][1]["place"]["garrison"]["posts"].as_array_mut().unwrap();
    at[0]["figures"] = json!(1);
    at.push(json!({ "side": 0, "company": "a", "figures": 1, "moving": true }));
    let reply = shoot(&table, "g", "b", json!({ "part": { "side": 0 }, "dice": [3] }));
    assert_eq!(reply["answer"]["hits"][0]["groups"][0]["figures"], 1, "{reply}");
    assert!(cited(&reply, "TE-5.2-24") > 0, "{reply}");
    table["bodies"][1]["place"]["garrison"]["posts"].as_array_mut().unwrap().remove(0);
    let refused = shoot(&table, "g", "b", json!({ "part": { "side": 0 } }));
    assert_eq!(refused["refused"]["rule"], "TE-5.2-24", "{refused}");
}

/// A general at (50, 20) who rides north.
fn ride(terrain: &[Value], others: &[Value], more: Value) -> Value {
    let general = json!({ "id": "o", "side": "blue", "troops": { "officer": {} },
        "place": stand(50.0, 20.0, 0.0, "single") });
    let bodies: Vec<Value> = [general].into_iter().chain(others.iter().cloned()).collect();
    let mut request = json!({ "scene": scene(terrain, &bodies), "body": "o", "to": [[50, 60]] });
    for (key, value) in more.as_object().unwrap() {
        request[key] = value.clone();
    }
    ask("tabletop.move", &json!({ "on-table": request }))
}

fn block(low: f64, high: f64) -> Value {
    json!([[30, low], [70, low], [70, high], [30, high]])
}

#[test]
fn an_officer_rides_24_cm_through_everything_but_water_and_marsh() {
    let rode = |terrain: &[Value], others: &[Value]| {
        let reply = ride(terrain, others, json!({}));
        reply["answer"]["on-table"]["march"]["quarters_cm"].clone()
    };
    let whole = json!([12, 12]);
    assert_eq!(rode(&[], &[]), whole);
    let shapes = [
        json!({ "wood": { "outline": block(22.0, 60.0) } }),
        json!({ "obstacle": { "line": [[0, 25], [100, 25]], "class": "hard" } }),
        json!({ "field": { "kind": "ploughed", "outline": block(22.0, 60.0) } }),
        json!({ "water": { "axis": [[0, 30], [200, 30]], "width": 2, "kind": "stream" } }),
        json!({ "road": { "axis": [[50, 0], [50, 150]], "width": 5 } }),
    ];
    for shape in shapes {
        assert_eq!(rode(&[json!({ "id": "x", "shape": shape })], &[]), whole, "{shape}");
    }
    let friend = foot("f", "blue", &[company("a", 8, 4)], stand(50.0, 26.0, 0.0, "line"));
    assert_eq!(rode(&[], &[friend]), whole, "and through his own");
    let marsh = json!({ "id": "x", "shape": { "marsh": { "outline": block(22.0, 60.0) } } });
    assert_eq!(ride(&[marsh], &[], json!({}))["refused"]["rule"], "TE-6.5-01");
    let river = json!({ "id": "s", "shape": { "water": { "axis": [[0, 30], [200, 30]], "width": 4, "kind": "river" } } });
    let ford = |id: &str, x: i32| json!({ "id": id, "shape": { "ford": { "river": "s", "corner": [x, 28], "length": 8, "width": 4 } } });
    let far = ride(&[river, ford("f", 100), ford("g", 150)], &[], json!({}));
    assert_eq!(far["refused"]["rule"], "TE-6.3-01", "{far}");
}

#[test]
fn an_officer_turns_as_he_likes_and_never_charges_or_force_marches() {
    let zigzag = ride(&[], &[], json!({ "to": [[50, 22], [60, 22], [60, 30]] }));
    assert_eq!(zigzag["answer"]["on-table"]["march"]["quarters_cm"], json!([12, 8]), "{zigzag}");
    let back = ride(&[], &[], json!({ "to": [[50, 10]], "pace": "backward" }));
    assert_eq!(back["answer"]["on-table"]["march"]["quarters_cm"], json!([6, 4]), "{back}");
    for pace in ["forced", "charge"] {
        let enemy = column("e", 50.0, 40.0);
        let refused = ride(&[], &[enemy], json!({ "to": [[50, 40]], "pace": pace }));
        assert_eq!(refused["refused"]["field"], "on-table.body", "{pace}: {refused}");
    }
    let facts = json!({ "march": { "body": { "arm": "cavalry", "formation": "single" },
        "path": [{ "cm": 60, "ground": ["wood"] }] } });
    let rode = ask("tabletop.move", &facts);
    assert_eq!(rode["answer"]["marched"]["quarters_cm"], json!([12, 12]), "{rode}");
}

/// A plateau with guns of the guard and a general on its contour, an enemy at y = 55 and a column
/// behind him.
fn plateau(before: Value) -> Value {
    let ring =
        |low: i32, high: i32| json!([[low, low - 20], [100 - low, low - 20], [100 - low, high], [low, high]]);
    let relief =
        json!({ "id": "p", "shape": { "plateau": { "outline": ring(30, 50), "crest": ring(35, 45) } } });
    let mut battery = guns("b", 12, 4, 5, stand(50.0, 45.0, 0.0, "in-position"));
    battery["status"] = json!("guard");
    let general = json!({ "id": "o", "side": "blue", "troops": { "officer": {} },
        "place": stand(50.0, 40.0, 0.0, "single") });
    scene(&[relief], &[battery, general, before, column("e", 50.0, 68.9)])
}

#[test]
fn from_a_plateau_balls_go_over_a_line_and_canister_does_not() {
    let line = foot("m", "red", &[company("a", 10, 4)], stand(50.0, 55.0, 180.0, "line"));
    let table = plateau(line);
    let ball = shoot(&table, "b", "e", json!({ "dice": [3] }));
    assert_eq!(ball["answer"]["hits"][0]["groups"][0]["figures"], 4, "{ball}");
    assert_eq!(ball["answer"]["hits"].as_array().unwrap().len(), 1, "and nothing beyond: {ball}");
    assert_eq!(cited(&ball, "TE-3.4-04"), 1);
    let canister = shoot(&table, "b", "e", json!({ "projectile": "canister" }));
    assert_eq!(canister["refused"]["rule"], "FE-R44", "{canister}");
    assert_eq!(canister["refused"]["field"], "projectile");
    let screen = foot("m", "red", &[company("a", 5, 4)], stand(50.0, 55.0, 180.0, "skirmish"));
    let over = shoot(&plateau(screen), "b", "e", json!({ "projectile": "canister", "dice": [3] }));
    assert_eq!(over["answer"]["hits"][0]["body"], "e", "{over}");
}

#[test]
fn canister_waits_for_friends_to_clear_the_corridor_and_not_for_a_general() {
    let battery = || guns("b", 8, 4, 5, stand(50.0, 40.0, 0.0, "in-position"));
    let fire = |between: Value, projectile: &str| {
        let table = scene(&[], &[battery(), between, column("e", 50.0, 58.0)]);
        shoot(&table, "b", "e", json!({ "projectile": projectile, "dice": [3] }))
    };
    let screen = || foot("f", "blue", &[company("a", 5, 4)], stand(50.0, 50.0, 0.0, "skirmish"));
    assert_eq!(fire(screen(), "canister")["refused"]["rule"], "FE-3.7-27");
    assert!(fire(screen(), "ball")["answer"]["hits"].is_array());
    let line = foot("f", "blue", &[company("a", 10, 4)], stand(50.0, 50.0, 0.0, "line"));
    assert_eq!(fire(line, "ball")["refused"]["rule"], "FE-1.3-05", "not even seen");
    let general = json!({ "id": "f", "side": "blue", "troops": { "officer": {} },
        "place": stand(50.0, 50.0, 0.0, "single") });
    let table = scene(&[], &[battery(), general, column("e", 50.0, 58.0)]);
    let fired = shoot(&table, "b", "e", json!({ "projectile": "canister", "dice": [3] }));
    assert_eq!(fired["answer"]["hits"][0]["losses"], 45, "{fired}");
}

#[test]
fn half_a_line_behind_a_hedge_is_aimed_at_whole_or_where_it_stands_open() {
    let hedge =
        json!({ "id": "x", "shape": { "obstacle": { "line": [[50, 64.5], [80, 64.5]], "class": "light" } } });
    let shooter = foot("s", "blue", &[company("a", 8, 4)], stand(50.0, 50.0, 0.0, "line"));
    let target = foot("t", "red", &[company("a", 8, 4)], stand(50.0, 65.0, 180.0, "line"));
    let table = scene(&[hedge], &[shooter, target]);
    let whole = shoot(&table, "s", "t", json!({ "dice": [3] }));
    let hit = |reply: &Value| reply["answer"]["hits"][0].clone();
    // 4, beyond two thirds -4, die +1: 1; the hedge -1.
    assert_eq!((&hit(&whole)["cover"], &hit(&whole)["groups"][0]["factor"]), (&json!("light"), &json!(0)));
    assert_eq!((cited(&whole, "FE-R14"), cited(&whole, "FE-1.5-01")), (1, 0), "not wholly inside: {whole}");
    let open = shoot(&table, "s", "t", json!({ "dice": [3], "aim": "exposed" }));
    assert_eq!((&hit(&open)["cover"], &hit(&open)["groups"][0]["factor"]), (&json!("none"), &json!(1)));
    // At exactly 2 cm a wall shelters nobody.
    let wall = |y: f64| json!({ "id": "x", "shape": { "obstacle": { "line": [[30, y], [80, y]], "class": "hard" } } });
    let behind = |y: f64| {
        let mut walled = table.clone();
        walled["terrain"] = json!([wall(y)]);
        hit(&shoot(&walled, "s", "t", json!({ "dice": [3] })))["cover"].clone()
    };
    assert_eq!((behind(63.0), behind(63.01)), (json!("none"), json!("hard")));
}

#[test]
fn skirmishers_fire_out_of_a_wood_under_two_centimetres_deep_and_into_it_at_who_showed_himself() {
    let wood = json!({ "id": "w", "shape": { "wood": { "outline": block(50.0, 90.0) } } });
    let screen = |id: &str, side: &str, y: f64, facing: f64| {
        foot(id, side, &[company("a", 5, 4)], stand(50.0, y, facing, "skirmish"))
    };
    let out = |y: f64| {
        let table =
            scene(std::slice::from_ref(&wood), &[screen("s", "blue", y, 0.0), column("t", 50.0, 100.0)]);
        shoot(&table, "s", "t", json!({ "dice": [3] }))
    };
    assert!(out(88.01)["answer"]["hits"].is_array());
    let mut deep = out(88.0);
    assert_eq!(deep["refused"]["rule"].take(), "TE-4.2-02");
    let into = |revealed: bool| {
        let mut target = screen("t", "red", 89.0, 0.0);
        target["record"] = json!({ "revealed": revealed });
        let table = scene(std::slice::from_ref(&wood), &[screen("s", "blue", 100.0, 180.0), target]);
        shoot(&table, "s", "t", json!({ "dice": [3] }))
    };
    assert_eq!(into(true)["answer"]["hits"][0]["cover"], "light");
    assert_eq!(into(false)["refused"]["rule"], "TE-4.2-04");
}

#[test]
fn a_shooter_on_a_slope_fires_over_a_friend_more_than_two_centimetres_below() {
    let hill = json!({ "id": "h", "shape": { "hill": { "outline": block(10.0, 50.0), "crest": [[35, 30], [65, 30]] } } });
    let line = |id: &str, y: f64| foot(id, "blue", &[company("a", 8, 4)], stand(50.0, y, 0.0, "line"));
    let over = |y: f64| {
        let table =
            scene(std::slice::from_ref(&hill), &[line("s", 33.5), line("f", y), column("t", 50.0, 53.0)]);
        shoot(&table, "s", "t", json!({ "dice": [3] }))
    };
    assert_eq!(over(38.0)["refused"]["rule"], "FE-R70");
    assert_eq!(over(38.01)["answer"]["hits"][0]["groups"][0]["figures"], 8);
}

#[test]
fn only_narrow_columns_take_the_bridge_and_horse_guns_never_take_the_ford() {
    let terrain = [
        json!({ "id": "r", "shape": { "road": { "axis": [[50, 0], [50, 150]], "width": 5 } } }),
        json!({ "id": "s", "shape": { "water": { "axis": [[0, 50], [200, 50]], "width": 4, "kind": "river" } } }),
        json!({ "id": "b", "shape": { "bridge": { "corner": [47.5, 48], "length": 5, "width": 4, "over": "s", "road": "r" } } }),
        json!({ "id": "f", "shape": { "ford": { "river": "s", "corner": [100, 48], "length": 8, "width": 4 } } }),
    ];
    let go = |mut body: Value, to: [i32; 2]| {
        body["id"] = json!("c");
        body["side"] = json!("blue");
        ask(
            "tabletop.move",
            &json!({ "on-table": { "scene": scene(&terrain, &[body]), "body": "c", "to": [to] } }),
        )
    };
    let mut march = column("c", 50.0, 40.0);
    march["place"]["stand"]["facing"] = json!(0);
    let crossed = go(march.clone(), [50, 80]);
    assert_eq!(crossed["answer"]["on-table"]["march"]["quarters_cm"], json!([5, 5]), "{crossed}");
    march["place"]["stand"]["formation"] = json!("division-column");
    assert_eq!(go(march, [50, 80])["refused"]["rule"], "TE-R67", "nine centimetres do not fit on five");
    let guns = json!({ "place": stand(104.0, 40.0, 0.0, "limbered"),
        "troops": { "artillery": { "calibre": "calibre-6", "guns": 6, "fire": 5, "team": "horse" } } });
    assert_eq!(go(guns, [104, 80])["refused"]["rule"], "TE-6.3-06");
}

#[test]
fn a_side_is_attacked_once_a_figure_touches_its_wall_wherever_its_defenders_stand() {
    // Two figures hold the west end of the south wall; a company comes to its east end.
    let mut table = shelled();
    let storm = foot("e", "blue", &[company("a", 2, 4)], stand(53.4, 59.95, 0.0, "line"));
    table["bodies"].as_array_mut().unwrap().push(storm);
    table["bodies"].as_array_mut().unwrap().push(column("x", 50.0, 80.0));
    table["bodies"][3]["side"] = json!("blue");
    let silent = shoot(&table, "g", "b", json!({ "part": { "side": 0 } }));
    assert_eq!(silent["refused"]["rule"], "TE-5.4-03", "{silent}");
    let over = shoot(&table, "b", "g", json!({ "side": 0 }));
    assert_eq!(over["refused"]["rule"], "FE-R77", "its own storm the wall: {over}");
    let free = shoot(&table, "g", "x", json!({ "part": { "side": 2 }, "dice": [3] }));
    assert!(cited(&free, "TE-5.4-04") > 0, "{free}");
    let now = ask("tabletop.house", &json!({ "on-table": { "scene": table, "house": "h" } }));
    let sides = now["answer"]["house"]["sides"].as_array().unwrap();
    let attacked: Vec<usize> =
        sides.iter().map(|side| side["attacked_by"].as_array().unwrap().len()).collect();
    assert_eq!(attacked.iter().sum::<usize>(), 1, "one wall: {now}");
    // As wide as the wall it touches the corners of its neighbours, and attacks none of them.
    table["bodies"][2] = foot("e", "blue", &[company("a", 8, 4)], stand(50.0, 59.95, 0.0, "line"));
    let now = ask("tabletop.house", &json!({ "on-table": { "scene": table, "house": "h" } }));
    let sides = now["answer"]["house"]["sides"].as_array().unwrap();
    let attacked: Vec<usize> =
        sides.iter().map(|side| side["attacked_by"].as_array().unwrap().len()).collect();
    assert_eq!(attacked, [1, 0, 0, 0], "{now}");
}
