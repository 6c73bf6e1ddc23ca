//! What the terrain matrix does to bodies that stand on it: each cell is derived or refused, in every
//! question that looks at a scene (geometry page, section 9).
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use crate::asked::ask;
use rulebook::tables::tabletop_terrain::TERRAIN_MATRIX;
use serde_json::{Value, json};

use crate::support::{company, foot, stand};

/// The columns of the matrix, each with a body of that kind at (100, 100).
const KINDS: [&str; 5] = ["infantry", "skirmishers", "cavalry", "foot_artillery", "horse_artillery"];

fn body(kind: &str, id: &str, side: &str, place: Value) -> Value {
    let squadrons: Vec<Value> =
        (0..3).map(|k| json!({ "name": format!("s{k}"), "figures": 2, "fire": 2 })).collect();
    let companies: Vec<Value> = (0..4).map(|k| company(&format!("c{k}"), 2, 4)).collect();
    match kind {
        "cavalry" => json!({ "id": id, "side": side, "place": place,
            "troops": { "cavalry": { "class": "light", "companies": squadrons } } }),
        "infantry" | "skirmishers" => foot(id, side, &companies, place),
        guns => json!({ "id": id, "side": side, "place": place, "troops": { "artillery": {
            "calibre": "calibre-6", "guns": 6, "fire": 5,
            "team": if guns == "foot_artillery" { "foot" } else { "horse" } } } }),
    }
}

/// How each kind stands for the matrix: in the formation that roads, tracks and bridges take.
fn formation(kind: &str) -> &'static str {
    match kind {
        "infantry" => "company-column",
        "skirmishers" => "skirmish",
        "cavalry" => "column",
        _ => "limbered",
    }
}

fn ring(left: f64, low: f64, right: f64, high: f64) -> Value {
    json!([[left, low], [right, low], [right, high], [left, high]])
}

fn element(id: &str, shape: Value) -> Value {
    json!({ "id": id, "shape": shape })
}

/// The table on which some ground lies under (100, 100), for the rows that scenes know as areas.
fn ground(row: &str) -> Option<Vec<Value>> {
    let around = ring(80.0, 80.0, 120.0, 120.0);
    let wood = || element("grove", json!({ "wood": { "outline": ring(60.0, 60.0, 140.0, 140.0) } }));
    let hill = || {
        element(
            "hill",
            json!({ "hill": { "outline": ring(60.0, 60.0, 140.0, 140.0), "crest": [[65, 130], [135, 130]] } }),
        )
    };
    let water = |kind: &str| {
        element("water", json!({ "water": { "kind": kind, "axis": [[0, 100], [200, 100]], "width": 40 } }))
    };
    let road = || element("road", json!({ "road": { "axis": [[100, 0], [100, 200]], "width": 6 } }));
    let crossings = |kind: &str| -> Vec<Value> {
        let bridge = |id: &str, x: f64| {
            element(id, json!({ "bridge": { "corner": [x, 78], "length": 8, "width": 44, "over": "water" } }))
        };
        let ford = |id: &str, x: f64| {
            element(id, json!({ "ford": { "corner": [x, 78], "length": 40, "width": 44, "river": "water" } }))
        };
        match kind {
            "ford" => vec![water("river"), ford("here", 80.0), bridge("there", 10.0)],
            "bridge" => vec![water("river"), bridge("here", 96.0), bridge("there", 10.0)],
            kind => vec![water(kind), bridge("far", 30.0), bridge("there", 10.0)],
        }
    };
    let one = |shape: Value| Some(vec![element("here", shape)]);
    match row {
        "plain" => Some(Vec::new()),
        "hill_slope_bare" => Some(vec![hill()]),
        "hill_crest" => one(json!({ "hill": { "outline": ring(60.0, 60.0, 140.0, 140.0),
            "crest": [[65, 99], [135, 99]] } })),
        "hill_slope_wooded" => Some(vec![hill(), element("trees", json!({ "wood": { "outline": around } }))]),
        "hill_slope_cultivated" => Some(vec![
            hill(),
            element("vines", json!({ "field": { "kind": "vineyard", "outline": around } })),
        ]),
        "plateau_slope" => one(json!({ "plateau": { "outline": ring(60.0, 60.0, 140.0, 190.0),
            "crest": ring(65.0, 130.0, 135.0, 180.0) } })),
        "plateau_top" => one(json!({ "plateau": { "outline": ring(60.0, 60.0, 140.0, 140.0),
            "crest": ring(65.0, 65.0, 135.0, 135.0) } })),
        "wood" => Some(vec![wood()]),
        "forest_track" | "wood_ride" => {
            let kind = if row == "wood_ride" { "ride" } else { "track" };
            Some(vec![
                wood(),
                element(
                    "way",
                    json!({ "track": { "wood": "grove", "axis": [[100, 60], [100, 140]], "width": 8, "kind": kind } }),
                ),
            ])
        }
        "stream" => Some(vec![water("stream")]),
        "ditch" => Some(vec![water("ditch")]),
        "river" | "large_river" => Some(crossings(if row == "river" { "river" } else { "large-river" })),
        "bridge" | "ford" => Some(crossings(row)),
        "marsh" => one(json!({ "marsh": { "outline": around } })),
        "road" => Some(vec![road()]),
        "redoubt" => one(json!({ "redoubt": { "line": [[60, 60], [140, 60], [140, 140], [60, 140]],
            "gaps": [{ "from": 100, "to": 120 }] } })),
        "tall_crops" => one(json!({ "field": { "kind": "tall-crops", "outline": around } })),
        "vineyard_flat" => one(json!({ "field": { "kind": "vineyard", "outline": around } })),
        "ploughed_land" => one(json!({ "field": { "kind": "ploughed", "outline": around } })),
        "abandoned_battery" => one(
            json!({ "abandoned-battery": { "at": [100, 100], "facing": 0, "crew": 4, "cause": "spiked" } }),
        ),
        "light_linear_obstacle" => {
            one(json!({ "obstacle": { "line": [[60, 97], [140, 97]], "class": "light" } }))
        }
        "hard_linear_obstacle" => {
            one(json!({ "obstacle": { "line": [[60, 97], [140, 97]], "class": "hard" } }))
        }
        _ => None,
    }
}

fn scene(terrain: &[Value], bodies: &[Value]) -> Value {
    json!({ "name": "t", "width": 200, "depth": 200, "terrain": terrain, "bodies": bodies })
}

/// What a scene makes of its first body: its state, or the rule or field that refuses it.
fn verdict(scene: &Value) -> Result<String, String> {
    let reply = ask("tabletop.scene", &json!({ "scene": scene, "draw": false }));
    if let Some(refused) = reply["refused"].as_object() {
        assert!(!refused["message"].as_str().unwrap().is_empty());
        assert_eq!(refused["field"], "scene.bodies.0.place", "{reply}");
        return Err(refused["rule"].as_str().unwrap_or_else(|| panic!("{reply}")).to_owned());
    }
    let worsened = reply["answer"]["worsened"].as_array().map_or(&[][..], Vec::as_slice);
    let own = worsened.iter().find(|one| one["body"] == scene["bodies"][0]["id"]);
    Ok(own.map_or("formed", |one| one["state"].as_str().unwrap()).to_owned())
}

/// What the matrix says of a kind in a row: whether it may enter, and the state it has there.
fn cell(row: &str, kind: &str) -> (bool, &'static str) {
    let row = TERRAIN_MATRIX.iter().find(|one| one.element.word() == row).unwrap();
    let (enter, state) = match kind {
        "infantry" => (row.enter_infantry, row.state_infantry_during),
        "skirmishers" => (row.enter_skirmishers, row.state_skirmishers_during),
        "cavalry" => (row.enter_cavalry, row.state_cavalry_during),
        "foot_artillery" => (row.enter_foot_artillery.word() == "yes", row.state_artillery_during),
        _ => (row.enter_horse_artillery, row.state_artillery_during),
    };
    let state = match state.word() {
        worse @ ("disorganised" | "unformed" | "disordered") => worse,
        // The column of the test is two figures wide.
        _ => "formed",
    };
    (enter, state)
}

#[test]
fn every_cell_of_the_matrix_is_derived_or_refused() {
    let mut cells = 0;
    for row in TERRAIN_MATRIX {
        let element = row.element.word();
        let Some(terrain) = ground(element) else {
            // A house is entered by its own rules; the others are parts of elements tried here.
            let others = ["hill_slope_built", "house", "wood_clearing", "village_street", "tree_lined_road"];
            assert!(others.contains(&element), "{element} has no table");
            continue;
        };
        for kind in KINDS {
            let mut place = stand(100.0, 100.0, 0.0, formation(kind));
            if kind == "skirmishers" {
                place["stand"]["front"] = json!(2);
            }
            let mut stands = body(kind, "b", "blue", place);
            if element.starts_with("hill") || element.starts_with("plateau") {
                // A slope loosens who moves on it.
                stands["record"] = json!({ "moved_q2": 1 });
            }
            let found = verdict(&scene(&terrain, &[stands]));
            let (enters, state) = cell(element, kind);
            match found {
                Ok(found) => {
                    assert!(enters, "{kind} may not enter {element}");
                    assert_eq!(found, state, "{kind} in {element}");
                }
                Err(rule) => assert!(!enters, "{kind} is refused in {element} by {rule}"),
            }
            cells += 1;
        }
    }
    assert_eq!(cells, 5 * 25);
}

#[test]
fn guns_are_in_position_only_where_the_matrix_deploys_them() {
    for row in TERRAIN_MATRIX {
        let Some(terrain) = ground(row.element.word()) else { continue };
        let guns = body("horse_artillery", "b", "blue", stand(100.0, 100.0, 0.0, "in-position"));
        let found = verdict(&scene(&terrain, &[guns]));
        let deploys = ["yes", "if_room", "yes_if_base_fits"].contains(&row.artillery_may_deploy.word());
        assert_eq!(found.is_ok(), deploys, "{:?}: {found:?}", row.element);
    }
    let on_crest = scene(
        &ground("hill_crest").unwrap(),
        &[body("foot_artillery", "b", "blue", stand(100.0, 100.0, 0.0, "in-position"))],
    );
    assert_eq!(verdict(&on_crest).unwrap_err(), "TE-2.5-08");
    let shot = ask("tabletop.shoot", &json!({ "scene": on_crest, "shooter": "b" }));
    assert_eq!(shot["refused"]["rule"], "TE-2.5-08", "{shot}");
}

#[test]
fn a_line_in_a_wood_fires_without_formation() {
    let wood = element("grove", json!({ "wood": { "outline": ring(60.0, 60.0, 140.0, 101.0) } }));
    let fire = |terrain: &[Value]| {
        let line = foot("s", "blue", &[company("a", 12, 4)], stand(100.0, 100.0, 0.0, "line"));
        let mut target = foot("t", "red", &[company("a", 12, 4)], stand(100.0, 106.5, 180.0, "line"));
        target["record"] = json!({ "revealed": true });
        let request =
            json!({ "scene": scene(terrain, &[line, target]), "shooter": "s", "target": "t", "dice": [1] });
        ask("tabletop.shoot", &request)
    };
    let hit = |reply: &Value| {
        let hit = &reply["answer"]["hits"][0];
        (hit["groups"][0]["factor"].as_i64().unwrap(), hit["losses"].as_i64().unwrap())
    };
    let (plain, wooded) = (fire(&[]), fire(&[wood]));
    assert_eq!((hit(&plain), hit(&wooded)), ((4, 40), (2, 25)), "{wooded}");
    let because = wooded["because"].as_array().unwrap();
    assert!(because.iter().any(|one| one["rule"] == "TE-4.3-03"), "{wooded}");
}

#[test]
fn a_slope_loosens_who_moves_on_it_and_not_who_has_stood_still() {
    let terrain = ground("hill_slope_bare").unwrap();
    let on_slope = |record: Value, status: &str| {
        let mut body = body("infantry", "b", "blue", stand(100.0, 100.0, 0.0, "company-column"));
        body["record"] = record;
        body["status"] = json!(status);
        verdict(&scene(&terrain, &[body])).unwrap()
    };
    assert_eq!(on_slope(json!({}), "regular"), "formed");
    assert_eq!(on_slope(json!({ "moved_q2": 2 }), "regular"), "disorganised");
    // A quarter is enough to reorganise, but not for irregulars.
    assert_eq!(on_slope(json!({ "moved_q1": 2 }), "regular"), "formed");
    assert_eq!(on_slope(json!({ "moved_q1": 2 }), "irregular"), "disorganised");
}

#[test]
fn only_who_was_pushed_back_into_a_marsh_stands_in_it() {
    let terrain = ground("marsh").unwrap();
    let mut pushed = body("infantry", "b", "blue", stand(100.0, 100.0, 0.0, "company-column"));
    assert_eq!(verdict(&scene(&terrain, &[pushed.clone()])).unwrap_err(), "TE-6.5-01");
    pushed["state"] = json!("unformed");
    assert_eq!(verdict(&scene(&terrain, &[pushed])).unwrap(), "formed", "nothing worse is imposed");
    let officer = json!({ "id": "b", "side": "blue", "troops": { "officer": {} },
        "place": stand(100.0, 100.0, 0.0, "single") });
    assert_eq!(verdict(&scene(&terrain, std::slice::from_ref(&officer))).unwrap_err(), "TE-6.5-01");
    assert_eq!(verdict(&scene(&ground("wood").unwrap(), &[officer])).unwrap(), "formed");
}

#[test]
fn a_road_through_a_wood_keeps_a_narrow_column_formed() {
    let terrain = [ground("wood").unwrap(), ground("road").unwrap()].concat();
    let column = |kind: &str| {
        verdict(&scene(&terrain, &[body(kind, "b", "blue", stand(100.0, 100.0, 0.0, formation(kind)))]))
    };
    assert_eq!(column("infantry").unwrap(), "formed");
    assert_eq!(column("cavalry").unwrap(), "formed");
    let line = body("cavalry", "b", "blue", stand(100.0, 100.0, 0.0, "line"));
    assert_eq!(verdict(&scene(&terrain, &[line])).unwrap_err(), "TE-4.3-01");
}

#[test]
fn a_bridge_carries_only_who_fits_on_it() {
    let terrain = ground("bridge").unwrap();
    let wide = body("infantry", "b", "blue", stand(100.0, 100.0, 0.0, "line"));
    assert_eq!(verdict(&scene(&terrain, &[wide])).unwrap_err(), "TE-R67");
    let beside = body("infantry", "b", "blue", stand(94.0, 100.0, 0.0, "company-column"));
    assert_eq!(verdict(&scene(&terrain, &[beside])).unwrap_err(), "TE-6.3-01");
}

fn melee(terrain: &[Value], attacker: Value, defender: Value) -> Value {
    let request = json!({ "on-table": { "scene": scene(terrain, &[attacker, defender]), "attacker": "a", "defender": "d" } });
    let reply = ask("tabletop.melee-ground", &request);
    assert!(reply["answer"].is_object(), "{reply}");
    reply["answer"].clone()
}

fn line(id: &str, side: &str, y: f64, facing: f64) -> Value {
    foot(id, side, &[company("a", 12, 4)], stand(100.0, y, facing, "line"))
}

#[test]
fn a_wooded_slope_is_wood_and_slope_whatever_comes_first() {
    let terrain = ground("hill_slope_wooded").unwrap();
    let reversed: Vec<Value> = terrain.iter().rev().cloned().collect();
    let (a, d) = (line("a", "blue", 100.0, 0.0), line("d", "red", 100.05, 180.0));
    let round = melee(&terrain, a.clone(), d.clone());
    assert_eq!(round, melee(&reversed, a, d));
    let defender = &round["round"]["defender"];
    assert_eq!((&defender["cover"], &defender["state"]), (&json!("light"), &json!("unformed")), "{round}");
    // Unformed -2, the enemy in light shelter -1, above +2.
    assert_eq!(defender["factor"], -1);
    assert_eq!(round["round"]["attacker"]["factor"], -3);
}

#[test]
fn who_fights_in_a_stream_is_disorganised_and_below() {
    let stream = element(
        "brook",
        json!({ "water": { "kind": "stream", "axis": [[0, 102], [200, 102]], "width": 3 } }),
    );
    let round = melee(&[stream], line("a", "blue", 100.0, 0.0), line("d", "red", 100.05, 180.0));
    let sides = (&round["round"]["defender"], &round["round"]["attacker"]);
    assert_eq!((&sides.0["state"], &sides.0["factor"]), (&json!("disorganised"), &json!(-1)), "{round}");
    assert_eq!((&sides.1["state"], &sides.1["factor"]), (&json!("formed"), &json!(2)));
}

/// A redoubt open to the south, and a line in it that faces north.
fn redoubt() -> (Vec<Value>, Value) {
    let works = element(
        "works",
        json!({ "redoubt": { "line": [[85, 90], [115, 90], [115, 110], [85, 110]],
            "gaps": [{ "from": 10, "to": 20 }] } }),
    );
    (vec![works], line("d", "red", 109.95, 0.0))
}

#[test]
fn a_redoubt_taken_from_the_rear_is_lost_with_its_garrison() {
    let (terrain, garrison) = redoubt();
    let column = |y: f64| {
        let companies: Vec<Value> = (0..4).map(|k| company(&format!("c{k}"), 3, 4)).collect();
        foot("a", "blue", &companies, stand(100.0, y, 0.0, "company-column"))
    };
    let taken = melee(&terrain, column(107.45), garrison.clone());
    assert_eq!(taken, json!({ "rear": { "may_refuse": false } }));
    // With the option a guard may refuse, and then fights without the shelter of the faces.
    let mut guard = garrison.clone();
    guard["status"] = json!("guard");
    let request = json!({ "on-table": { "scene": scene(&terrain, &[column(107.45), guard]),
        "attacker": "a", "defender": "d" }, "options": { "redoubt_elite_refusal": "yes" } });
    let refused = ask("tabletop.melee-ground", &request)["answer"]["rear"].clone();
    assert_eq!(
        (&refused["may_refuse"], &refused["round"]["defender"]["cover"]),
        (&json!(true), &json!("none"))
    );
    // Over a face it is a fight.
    let front = melee(&terrain, line("a", "blue", 110.05, 180.0), garrison);
    assert_eq!(front["round"]["defender"]["cover"], "house", "{front}");
}

#[test]
fn a_street_between_houses_leaves_a_column_no_room() {
    let terrain = [
        element("street", json!({ "road": { "axis": [[100, 0], [100, 200]], "width": 6 } })),
        element("east", json!({ "house": { "corner": [103.2, 95], "length": 8, "width": 8 } })),
        element("west", json!({ "house": { "corner": [88.8, 95], "length": 8, "width": 8 } })),
    ];
    let column = |id: &str, side: &str, y: f64, facing: f64| {
        let companies: Vec<Value> = (0..4).map(|k| company(&format!("c{k}"), 3, 4)).collect();
        foot(id, side, &companies, stand(100.0, y, facing, "company-column"))
    };
    let second = |terrain: &[Value]| {
        let bodies = [column("a", "blue", 100.0, 0.0), column("d", "red", 100.05, 180.0)];
        let request = json!({ "on-table": { "scene": scene(terrain, &bodies), "attacker": "a",
            "defender": "d", "round": 2 } });
        ask("tabletop.melee-ground", &request)["answer"]["round"]["defender"]["state"].clone()
    };
    assert_eq!(second(&terrain), "unformed");
    assert_eq!(second(&terrain[..1]), "formed");
}

#[test]
fn reasons_name_what_is_in_the_way() {
    let shoot = |terrain: &[Value], bodies: &[Value], target: &str, lang: &str| {
        let request =
            json!({ "scene": scene(terrain, bodies), "shooter": "s", "target": target, "lang": lang });
        ask("tabletop.shoot", &request)["refused"]["message"].as_str().unwrap().to_owned()
    };
    let shooter = foot("s", "blue", &[company("a", 6, 4)], stand(100.0, 90.0, 0.0, "line"));
    let terrain = [
        element("road", json!({ "road": { "axis": [[0, 98], [200, 98]], "width": 4 } })),
        element("inn", json!({ "house": { "corner": [95, 100.2], "length": 10, "width": 8 } })),
    ];
    let garrison = foot(
        "t",
        "red",
        &[company("a", 4, 4)],
        json!({ "garrison": { "house": "inn", "posts": [{ "side": 0, "company": "a", "figures": 4 }] } }),
    );
    let unseen = shoot(&terrain, &[shooter.clone(), garrison], "t", "en");
    assert!(unseen.contains("has not shown itself") && !unseen.contains("in the way"), "{unseen}");
    let screen = foot("ours", "blue", &[company("a", 6, 4)], stand(100.0, 95.0, 0.0, "skirmish"));
    let column = foot("t", "red", &[company("a", 3, 4)], stand(100.0, 102.0, 180.0, "line"));
    let stopped = shoot(&[], &[shooter.clone(), screen.clone(), column.clone()], "t", "en");
    assert!(stopped.contains("ours"), "{stopped}");
    // A listing speaks to its reader too.
    for (lang, word) in [("en", "line of fire"), ("fr", "ligne de tir")] {
        let bodies = [shooter.clone(), screen.clone(), column.clone()];
        let request = json!({ "scene": scene(&[], &bodies), "shooter": "s", "lang": lang });
        let list = ask("tabletop.shoot", &request);
        let reason = list["answer"]["refused"][0]["reason"].as_str().unwrap();
        assert!(reason.contains(word) && reason.contains("ours"), "{list}");
    }
}
