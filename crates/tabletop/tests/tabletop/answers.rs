//! What an answer owes its reader: the numbers of the book on a scene's melee, the sentence of every
//! option that changed it, and the shape its published schema promises.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use std::collections::BTreeSet;

use kernel::Options as _;
use rulebook::options::tabletop::Options;
use serde_json::{Value, json};

use crate::asked::ask;
use crate::support::{self, column, company, foot, stand};

fn scene(terrain: &[Value], bodies: &[Value]) -> Value {
    json!({ "name": "t", "width": 200, "depth": 150, "terrain": terrain, "bodies": bodies })
}

fn element(id: &str, shape: Value) -> Value {
    json!({ "id": id, "shape": shape })
}

fn line(id: &str, side: &str, figures: i32, at: [f64; 2], facing: f64) -> Value {
    foot(id, side, &[company("a", figures, 4)], stand(at[0], at[1], facing, "line"))
}

fn march(id: &str, side: &str, wide: i32, at: [f64; 2], facing: f64) -> Value {
    let companies: Vec<Value> = (0..4).map(|k| company(&format!("c{k}"), wide, 4)).collect();
    foot(id, side, &companies, stand(at[0], at[1], facing, "company-column"))
}

fn melee(terrain: &[Value], attacker: Value, defender: Value, round: i32) -> Value {
    let table = scene(terrain, &[attacker, defender]);
    let request = json!({ "on-table": { "scene": table, "attacker": "a", "defender": "d", "round": round } });
    let reply = ask("tabletop.melee-ground", &request);
    assert!(reply["answer"]["round"].is_object(), "{reply}");
    reply
}

/// Of both sides: figures that fight, factor, state.
fn sides(reply: &Value) -> [(i64, i64, String); 2] {
    ["attacker", "defender"].map(|side| {
        let stand = &reply["answer"]["round"][side];
        let number = |name: &str| stand[name].as_i64().unwrap();
        (number("fights"), number("factor"), stand["state"].as_str().unwrap().to_owned())
    })
}

fn cites(reply: &Value, rule: &str) -> bool {
    reply["because"].as_array().is_some_and(|all| all.iter().any(|because| because["rule"] == rule))
}

#[test]
fn te_8_6_18_an_attacker_who_stayed_shares_the_obstacle() {
    for (class, first, penalty) in [("light", -1, -1), ("hard", -2, -2)] {
        let wall = [element("w", json!({ "obstacle": { "line": [[20, 50], [80, 50]], "class": class } }))];
        let fought = |round| {
            let (a, d) =
                (line("a", "blue", 12, [50.0, 50.0], 0.0), line("d", "red", 10, [50.0, 50.0], 180.0));
            let reply = melee(&wall, a, d, round);
            let [attacker, defender] = sides(&reply);
            assert!(cites(&reply, "TE-R77"), "{reply}");
            assert_eq!((attacker.0, defender.0), (10, 10), "those that stand face to face: {reply}");
            [attacker.1, defender.1]
        };
        assert_eq!(fought(1), [first, 0], "{class}: the occupant alone");
        assert_eq!(fought(2), [penalty, penalty], "{class}: shared");
    }
}

#[test]
fn te_r77_across_an_obstacle_fights_who_has_an_enemy_straight_opposite() {
    let hedge = element("h", json!({ "obstacle": { "line": [[20, 50], [80, 50]], "class": "light" } }));
    // Fronts of 18 and of 15 cm that share 7.5 cm: five figures on either side.
    let (a, d) = (line("a", "blue", 12, [50.0, 50.0], 0.0), line("d", "red", 10, [59.0, 50.0], 180.0));
    let reply = melee(&[hedge], a, d, 1);
    assert_eq!(sides(&reply).map(|side| side.0), [5, 5], "{reply}");
}

#[test]
fn te_7_3_01_whoever_fights_between_trees_with_all_its_men_is_unformed() {
    let road = element(
        "r",
        json!({ "road": { "axis": [[50, 0], [50, 100]], "width": 5, "tree_lined": [{ "from": 0, "to": 100 }] } }),
    );
    let fought = |round| {
        let (a, d) = (march("a", "blue", 3, [50.0, 40.0], 0.0), march("d", "red", 3, [50.0, 40.0], 180.0));
        sides(&melee(std::slice::from_ref(&road), a, d, round)).map(|side| side.2)
    };
    assert_eq!(fought(1), ["formed", "formed"]);
    assert_eq!(fought(2), ["unformed", "unformed"]);
    let fighter = json!({ "figures": 12, "touching": 3, "troops": { "front": 3, "ranks": 4 } });
    let facts = |attacker: bool| {
        let place = json!({ "road": { "tree_lined": true, "attacker_between_trees": attacker } });
        let round = json!({ "place": place, "round": 2, "attacker": fighter, "defender": fighter });
        sides(&ask("tabletop.melee-ground", &json!({ "round": round }))).map(|side| side.2)
    };
    assert_eq!(facts(true), ["unformed", "unformed"]);
    assert_eq!(facts(false), ["formed", "unformed"]);
}

#[test]
fn fe_2_3_02_the_width_of_contact_is_that_of_the_narrower_front_and_one_on_each_side_overlaps() {
    // Fronts that lie edge on edge: who touches at a corner alone is the overlap.
    for (wide, centre, fights) in [(2, 50.0, 4), (3, 50.75, 5), (4, 50.0, 6)] {
        let (a, d) =
            (line("a", "blue", 12, [50.0, 50.0], 0.0), march("d", "red", wide, [centre, 50.0], 180.0));
        let reply = melee(&[], a, d, 1);
        let [attacker, defender] = sides(&reply);
        assert_eq!((attacker.0, defender.0), (fights, i64::from(wide)), "{reply}");
        // How many fight is explained, and not by the ruling on obstacles.
        assert!(cites(&reply, "TE-R90") && !cites(&reply, "TE-R77"), "{reply}");
    }
    let (a, d) = (line("a", "blue", 12, [50.0, 50.0], 0.0), line("d", "red", 6, [50.0, 50.0], 180.0));
    let [attacker, defender] = sides(&melee(&[], a, d, 1));
    assert_eq!((attacker.0, defender.0), (8, 6));
}

#[test]
fn te_r90_flank_and_rear_count_in_the_first_round_and_from_the_rear_there_is_no_reply() {
    let defender = || line("d", "red", 12, [50.0, 50.0], 0.0);
    let behind = line("a", "blue", 12, [50.0, 47.5], 0.0);
    let reply = melee(&[], behind.clone(), defender(), 1);
    let [attacker, taken] = sides(&reply);
    assert_eq!((attacker.0, attacker.1, taken.0, taken.1), (12, 4, 0, 0), "{reply}");
    assert_eq!(sides(&melee(&[], behind, defender(), 2)).map(|side| (side.0, side.1)), [(12, 0), (12, 0)]);
    let beside = line("a", "blue", 4, [41.0, 48.75], 90.0);
    let reply = melee(&[], beside, defender(), 1);
    let [attacker, taken] = sides(&reply);
    // Two figures meet the end of the line, which brings up one more on its inner side.
    assert_eq!((attacker.0, attacker.1, taken.0, taken.1), (2, 3, 2, 0), "{reply}");
    let fighter =
        json!({ "figures": 12, "touching": 3, "troops": { "formation": "hollow-square", "front": 3 } });
    let round = json!({ "place": "open", "attacker": fighter, "defender": fighter, "reached": "rear" });
    let [square, _] = sides(&ask("tabletop.melee-ground", &json!({ "round": round })));
    assert_eq!((square.0, square.1), (3, 0), "a square has no rear");
}

#[test]
fn te_4_2_05_somebody_at_the_edge_of_a_wood_is_hidden_because_he_has_not_shown_himself() {
    let wood = element("w", json!({ "wood": { "outline": [[10, 30], [90, 30], [90, 60], [10, 60]] } }));
    let shooter = line("s", "blue", 12, [50.0, 20.0], 0.0);
    let asked = |y: f64, revealed: bool| {
        let mut target = line("t", "red", 12, [50.0, y], 180.0);
        target["record"] = json!({ "revealed": revealed });
        let table = scene(std::slice::from_ref(&wood), &[shooter.clone(), target]);
        ask("tabletop.shoot", &json!({ "scene": table, "shooter": "s", "target": "t", "dice": [3] }))
    };
    let unknown = asked(31.0, false);
    assert_eq!(unknown["refused"]["rule"], "TE-4.2-05", "{unknown}");
    assert!(unknown["refused"]["message"].as_str().unwrap().contains("has not shown itself"), "{unknown}");
    assert_eq!(asked(31.0, true)["answer"]["hits"][0]["cover"], "light");
    let deep = asked(40.0, true);
    assert!(deep["refused"]["message"].as_str().unwrap().contains("too deep"), "{deep}");
}

#[test]
fn fe_1_5_01_each_group_says_what_cover_it_met() {
    let hedge = element("h", json!({ "obstacle": { "line": [[50, 59.5], [70, 59.5]], "class": "light" } }));
    let bodies = [line("s", "blue", 12, [50.0, 50.0], 0.0), line("t", "red", 12, [50.0, 60.0], 180.0)];
    let request = json!({ "scene": scene(&[hedge], &bodies), "shooter": "s", "target": "t", "dice": [3] });
    let reply = ask("tabletop.shoot", &request);
    let groups = reply["answer"]["hits"][0]["groups"].as_array().unwrap().clone();
    let covers: BTreeSet<&str> = groups.iter().map(|group| group["cover"].as_str().unwrap()).collect();
    assert_eq!(covers, BTreeSet::from(["none", "light"]), "{reply}");
    // Light cover is one point of the factor.
    let factor =
        |cover: &str| groups.iter().find(|group| group["cover"] == cover).unwrap()["factor"].as_i64();
    assert_eq!(factor("none").unwrap() - factor("light").unwrap(), 1, "{reply}");
}

fn shot(bodies: &[Value], more: Value) -> Value {
    let mut request = json!({ "scene": scene(&[], bodies), "shooter": "s", "target": "t", "dice": [3] });
    request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ask("tabletop.shoot", &request)
}

#[test]
fn fe_2_1_03_skirmishers_fire_in_the_wide_arc_and_a_line_in_the_narrow_one() {
    // Between 30 and 45 degrees off the front.
    let shooter =
        |formation: &str| foot("s", "blue", &[company("a", 1, 4)], stand(50.0, 50.0, 0.0, formation));
    let aside = || line("t", "red", 2, [60.0, 60.0], 180.0);
    let narrow = shot(&[shooter("line"), aside()], json!({}));
    assert_eq!(narrow["refused"]["rule"], "FE-2.1-07", "{narrow}");
    let wide = shot(&[shooter("skirmish"), aside()], json!({}));
    assert_eq!(wide["answer"]["hits"][0]["groups"][0]["figures"], 1, "{wide}");
}

#[test]
fn fe_2_3_09_a_fire_divided_by_quarter_is_halved() {
    let bodies = [line("s", "blue", 12, [50.0, 50.0], 0.0), column("t", 50.0, 60.0)];
    let duration = |slot: &str| {
        let reply = shot(&bodies, json!({ "slot": slot }));
        reply["answer"]["hits"][0]["groups"][0]["duration"]
            .as_str()
            .unwrap_or_else(|| panic!("{reply}"))
            .to_owned()
    };
    assert_eq!(["first", "joint", "second"].map(duration), ["quarter", "whole", "quarter"]);
}

#[test]
fn fe_1_6_05_who_fired_comes_before_who_is_near_but_for_a_unit_that_a_general_leads() {
    let mut shooter = line("s", "blue", 12, [50.0, 50.0], 0.0);
    shooter["record"] = json!({ "fired_at_by": ["far"] });
    // Farther than either of them comes in a half-period.
    let enemies = [column("t", 46.0, 66.0), column("far", 54.0, 69.0)];
    let mut bodies = vec![shooter];
    bodies.extend(enemies);
    let refused = shot(&bodies, json!({}));
    assert_eq!(refused["refused"]["rule"], "FE-1.6-01", "{refused}");
    // A general in contact frees a unit of the line from all priorities but the first two.
    bodies.push(json!({ "id": "g", "side": "blue", "troops": { "officer": {} },
        "place": stand(50.0, 47.5, 0.0, "single") }));
    let led = shot(&bodies, json!({}));
    assert_eq!(led["answer"]["hits"][0]["body"], "t", "{led}");
}

#[test]
fn fe_1_1_03_no_infantry_fires_the_musketoon() {
    let mut shooter = line("s", "blue", 12, [50.0, 50.0], 0.0);
    shooter["troops"]["infantry"]["companies"][0]["weapon"] = json!("musketoon");
    let refused = shot(&[shooter, column("t", 50.0, 60.0)], json!({}));
    assert_eq!(refused["refused"]["rule"], "FE-1.1-03", "{refused}");
}

#[test]
fn fe_3_7_07_a_ball_goes_through_one_line_and_stops_in_the_second() {
    let mut guns = support::guns("s", 12, 4, 6, stand(50.0, 20.0, 0.0, "in-position"));
    guns["id"] = json!("s");
    let behind = [line("t", "red", 6, [50.0, 60.0], 180.0), line("u", "red", 6, [50.0, 68.0], 180.0)];
    let mut bodies = vec![guns, column("v", 50.0, 76.0)];
    bodies.extend(behind);
    let reply = shot(&bodies, json!({}));
    let hits = reply["answer"]["hits"].as_array().unwrap_or_else(|| panic!("{reply}"));
    let struck: Vec<&str> = hits.iter().map(|hit| hit["body"].as_str().unwrap()).collect();
    // All of them stand within the 24 cm that a ball of 12 carries behind a line.
    assert_eq!(struck, ["t", "u"], "{reply}");
}

#[test]
fn a_front_wider_than_the_target_and_an_officer_of_two_figures_are_refused_by_field() {
    let fire = |target: Value| {
        let shooter = json!({ "weapon": "musket", "factor": 4, "figures": 12 });
        ask("tabletop.fire", &json!({ "shooter": shooter, "distance_cm": 4, "target": target, "dice": [3] }))
    };
    let wide = fire(json!({ "class": "line", "front": 30 }));
    assert_eq!(wide["refused"]["field"], "target.front", "{wide}");
    assert!(fire(json!({ "class": "line", "front": 24 }))["answer"].is_object());
    let twins = fire(json!({ "arm": "officer", "figures": 2 }));
    assert_eq!(twins["refused"]["field"], "target.figures", "{twins}");
    assert!(fire(json!({ "arm": "officer", "figures": 1 }))["answer"].is_object());
}

/// Fires as facts that options have a say in.
fn fires() -> Vec<Value> {
    let mut all = Vec::new();
    let mut small = |shooter: Value, distance: f64, target: Value, duration: &str, die: u8| {
        let mut firing = json!({ "weapon": "musket", "factor": 4, "figures": 12 });
        firing.as_object_mut().unwrap().extend(shooter.as_object().unwrap().clone());
        all.push(json!({ "shooter": firing, "distance_cm": distance, "target": target, "duration": duration,
            "dice": [die] }));
    };
    let mass = || json!({ "class": "mass" });
    small(json!({ "factor": -9, "figures": 99 }), 20.0, mass(), "whole", 3);
    small(json!({ "factor": 18 }), 6.0, mass(), "whole", 3);
    small(json!({}), 0.5, mass(), "whole", 3);
    small(json!({ "order": "skirmish" }), 6.0, mass(), "whole", 1);
    small(json!({}), 6.0, json!({ "class": "line", "on_flank": true }), "whole", 3);
    small(json!({}), 3.0, json!({ "class": "line", "arm": "cavalry", "front": 1 }), "whole", 3);
    for figures in 4..16 {
        small(json!({ "superior": 4, "figures": figures }), 6.0, mass(), "quarter", 3);
    }
    for figures in 1..9 {
        small(json!({ "figures": figures }), 6.0, json!({ "class": "mass", "marker": 20 }), "whole", 3);
    }
    for figures in 1..7 {
        let battery = json!({ "weapon": "calibre-9", "factor": 3, "figures": figures });
        let canister = |distance: f64, duration: &str| {
            json!({ "shooter": battery, "projectile": "canister", "distance_cm": distance,
                "duration": duration, "target": { "class": "line", "on_flank": true }, "dice": [3] })
        };
        all.extend([canister(25.0, "whole"), canister(9.0, "quarter")]);
    }
    all
}

/// Small tables that options have a say in.
fn tables() -> Vec<(&'static str, Value)> {
    let shoot = |terrain: &[Value], bodies: &[Value]| {
        (
            "tabletop.shoot",
            json!({ "scene": scene(terrain, bodies), "shooter": "s", "target": "t", "dice": [3] }),
        )
    };
    let shooter = || line("s", "blue", 12, [50.0, 50.0], 0.0);
    let hedge = element("h", json!({ "obstacle": { "line": [[50, 59.5], [70, 59.5]], "class": "light" } }));
    let half = line("t", "red", 12, [50.0, 60.0], 180.0);
    let mut guns = support::guns("s", 8, 4, 6, stand(50.0, 40.0, 0.0, "in-position"));
    guns["id"] = json!("s");
    let hill = element(
        "hill",
        json!({ "hill": { "outline": [[30, 15], [70, 15], [70, 30], [30, 30]], "crest": [[35, 25], [65, 25]] } }),
    );
    let wood = element("w", json!({ "wood": { "outline": [[40, 40], [60, 40], [60, 50], [40, 50]] } }));
    let watcher = line("s", "blue", 12, [50.0, 26.0], 0.0);
    let brook =
        element("brook", json!({ "water": { "kind": "stream", "axis": [[0, 49], [200, 49]], "width": 3 } }));
    let open = foot("s", "blue", &[company("a", 6, 4)], stand(50.0, 50.0, 0.0, "skirmish"));
    let mut all = vec![
        shoot(std::slice::from_ref(&hedge), &[shooter(), half.clone()]),
        shoot(&[hedge], &[guns, half]),
        shoot(&[], &[shooter(), column("t", 50.0, 54.0)]),
        ("tabletop.scene", json!({ "scene": scene(&[brook], &[open]) })),
    ];
    for x in [56.0, 58.0, 60.0, 62.0, 64.0, 66.0, 68.0, 70.0] {
        all.push(shoot(&[], &[shooter(), column("t", x, 62.0)]));
        let bodies = [watcher.clone(), column("t", x, 60.0)];
        all.push((
            "tabletop.sight",
            json!({ "scene": scene(&[hill.clone(), wood.clone()], &bodies),
            "from": "s", "to": "t" }),
        ));
    }
    all
}

/// Ground as facts that options have a say in.
fn grounds() -> Vec<(&'static str, Value)> {
    let open = json!({ "formation": "skirmish", "front": 6 });
    let column = json!({ "formation": "company-column", "front": 3, "ranks": 4 });
    let march = |body: &Value, ground: &str| {
        let path = json!([{ "cm": 4, "ground": [ground] }, { "cm": 9 }]);
        ("tabletop.move", json!({ "march": { "body": body, "path": path, "quarters": 4 } }))
    };
    let fighter = |troops: Value, charging: bool| json!({ "figures": 12, "touching": 4, "troops": troops, "charging": charging });
    let caught = json!({ "round": { "place": { "obstacle": { "class": "light", "defender_caught": true } },
        "attacker": fighter(json!({ "formation": "line", "front": 12 }), true),
        "defender": fighter(column.clone(), false) } });
    vec![
        march(&open, "stream"),
        march(&open, "hill-slope"),
        march(&open, "ford"),
        march(&column, "ditch"),
        march(&column, "vineyard"),
        march(&column, "wood"),
        (
            "tabletop.move",
            json!({ "march": { "body": column, "quarters": 4, "road_bonus": true,
            "path": [{ "cm": 40, "ground": ["road"], "on_road": true }] } }),
        ),
        ("tabletop.obstacle", json!({ "cross": { "class": "hard", "troops": column, "half_period_cm": 9 } })),
        ("tabletop.obstacle", json!({ "cross": { "class": "light", "troops": open, "half_period_cm": 12 } })),
        (
            "tabletop.obstacle",
            json!({ "shell": { "target": "house", "calibre": 12, "distance_cm": 30,
            "quarters": 4, "intact_cm": 20 } }),
        ),
        ("tabletop.fire-ground", json!({ "revealed": { "quiet_quarters": 5 } })),
        ("tabletop.melee-ground", caught),
        ("tabletop.melee-ground", json!({ "redoubt-from-rear": { "status": "guard" } })),
        (
            "tabletop.move",
            json!({ "charge": { "charger": column, "way": {}, "target": { "in_house": true } } }),
        ),
    ]
}

fn requests() -> Vec<(&'static str, Value)> {
    let fires = fires().into_iter().map(|request| ("tabletop.fire", request));
    fires.chain(tables()).chain(grounds()).collect()
}

/// Whether a reason quotes the sentence that these options put in the place of the usual one.
fn quotes(reply: &Value, chosen: &kernel::Chosen) -> bool {
    reply["because"].as_array().is_some_and(|all| {
        all.iter().any(|because| {
            let entry = rulebook::entry(because["rule"].as_str().unwrap()).unwrap();
            entry.changed(chosen).is_some_and(|otherwise| because["text"] == otherwise.text.en)
        })
    })
}

#[test]
fn an_answer_that_an_option_changed_quotes_its_sentence() {
    let asked = requests();
    let usual: Vec<Value> = asked.iter().map(|(question, request)| ask(question, request)).collect();
    for ((question, request), reply) in asked.iter().zip(&usual) {
        assert!(
            reply["answer"].is_object() || reply["refused"]["rule"].is_string(),
            "{question} {request}: {reply}"
        );
    }
    let mut acted = BTreeSet::new();
    for (name, values) in Options::all() {
        for value in &values[1..] {
            let mut options = Options::default();
            options.set(name, value).unwrap();
            for ((question, request), usual) in asked.iter().zip(&usual) {
                let mut request = request.clone();
                request["options"] = json!({ name: value });
                let reply = ask(question, &request);
                if usual["answer"].is_null()
                    || reply["answer"].is_null()
                    || usual["answer"] == reply["answer"]
                {
                    continue;
                }
                acted.insert(name);
                assert!(quotes(&reply, &options.chosen()), "{name}={value}: {question} {request}: {reply}");
            }
        }
    }
    let wanted = [
        "canister_limit",
        "enfilade",
        "factor_below_minus_5",
        "factor_above_15",
        "point_blank_bonus_from_cm",
        "point_blank_one_horseman",
        "skirmish_die",
        "canister_double_order",
        "figure_lost_at_40",
        "rounding",
        "partial_cover",
        "arc_apex",
        "dead_ground_measure",
        "skirmishers_elsewhere",
        "skirmishers_on_bare_slope",
        "ditch",
        "flat_vineyard",
        "road_bonus_rounding",
        "linear_crossing",
        "degradation_ends",
        "revealed_lasts",
        "caught_crossing",
        "redoubt_elite_refusal",
        "degrading_fire_causes_losses",
        "small_arms_call",
    ];
    let missing: Vec<&str> = wanted.into_iter().filter(|name| !acted.contains(name)).collect();
    assert!(missing.is_empty(), "never acted: {missing:?}");
}

/// What of a schema is not kept: the paths of required fields that are not there.
fn lacking(value: &Value, schema: &Value, root: &Value, path: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).unwrap();
        return lacking(value, target, root, path, found);
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(all) = schema[choice].as_array() {
            let tried = all.iter().map(|one| {
                let mut found = Vec::new();
                lacking(value, one, root, path, &mut found);
                if !fits(value, one, root) {
                    found.push(format!("{path}: another kind"));
                }
                found
            });
            found.extend(tried.min_by_key(Vec::len).unwrap_or_default());
        }
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap();
        if value.get(name).is_none() {
            found.push(format!("{path}.{name}"));
        }
    }
    if let (Some(properties), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, field) in fields {
            match properties.get(name) {
                Some(of) => lacking(field, of, root, &format!("{path}.{name}"), found),
                None => found.push(format!("{path}.{name}: unknown")),
            }
        }
    }
    if let (items @ Value::Object(_), Some(all)) = (&schema["items"], value.as_array()) {
        for (k, one) in all.iter().enumerate() {
            lacking(one, items, root, &format!("{path}[{k}]"), found);
        }
    }
}

/// Whether a value is of the type that a schema names.
fn fits(value: &Value, schema: &Value, root: &Value) -> bool {
    if let Some(name) = schema["$ref"].as_str() {
        return fits(value, root.pointer(name.trim_start_matches('#')).unwrap(), root);
    }
    let is = |kind: &str| match kind {
        "null" => value.is_null(),
        "string" => value.is_string(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "boolean" => value.is_boolean(),
        _ => value.is_number(),
    };
    match &schema["type"] {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().any(|kind| is(kind.as_str().unwrap())),
        _ => true,
    }
}

#[test]
fn answers_keep_the_schema_that_is_published_for_them() {
    let mut asked = requests();
    let open = line("s", "blue", 12, [50.0, 50.0], 0.0);
    asked.push((
        "tabletop.shoot",
        json!({ "scene": scene(&[], &[open, column("t", 50.0, 60.0)]), "shooter": "s" }),
    ));
    let beyond = json!({ "weapon": "calibre-3", "factor": 5, "figures": 3 });
    asked.push((
        "tabletop.fire",
        json!({ "shooter": beyond, "distance_cm": 400, "target": { "class": "line" }, "dice": [3] }),
    ));
    asked.push(("tabletop.engineers", json!({ "profile": { "melee": 4, "fire": 4, "budget": 10 } })));
    asked.push((
        "tabletop.engineers",
        json!({ "work": { "task": "build-bridge", "sappers": 4, "quarters": 4, "length_cm": 6 } }),
    ));
    asked.push(("tabletop.layout", json!({ "inventory": { "woods": 3 } })));
    asked.push(("tabletop.house", json!({ "come-back": {} })));
    let mut kept = BTreeSet::new();
    for asking in tabletop::questions() {
        let schema = asking.schema()["answer"].clone();
        for (_, request) in asked.iter().filter(|(question, _)| *question == asking.name) {
            let reply = ask(asking.name, request);
            let answers: Vec<&Value> = match reply["odds"].as_array() {
                Some(odds) => odds.iter().map(|one| &one["answer"]).collect(),
                None => reply.get("answer").into_iter().collect(),
            };
            for answer in answers {
                let mut found = Vec::new();
                lacking(answer, &schema, &schema, asking.name, &mut found);
                assert!(found.is_empty(), "{found:?} in {answer}");
                kept.insert(asking.name);
            }
        }
    }
    let all: BTreeSet<&str> = tabletop::questions().iter().map(|asking| asking.name).collect();
    assert_eq!(kept, all, "every question is answered at least once");
}
