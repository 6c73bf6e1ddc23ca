//! Every question of the siege map, with its refusals.
#![allow(clippy::needless_pass_by_value, reason = "JSON built where it is asked")]

use rulebook::Lang;
use serde_json::{Value, json};

fn ask(name: &str, request: Value) -> Value {
    let question = super::questions().into_iter().find(|question| question.name == name).unwrap();
    serde_json::from_str(&question.ask(&request.to_string(), Lang::En).json).unwrap()
}

fn fire(request: Value) -> Value {
    ask("danzig.siege-fire", request)
}

#[test]
fn the_example_of_the_umpire() {
    let reply = fire(json!({"gun": "24pdr", "distance_m": 180, "target": "wall", "dice": [5]}));
    assert_eq!(
        reply["answer"],
        json!({"factor": 7, "roll": 3, "result": "1", "infantry_steps": 1, "morale_test": false,
               "wall_levels": 0, "work_steps": 0})
    );
    assert_eq!(reply["dice"], json!([5]));
}

#[test]
fn shots_of_every_kind() {
    let night =
        json!({"gun": "field", "factor": 4, "distance_m": 300, "target": "open", "night": true, "dice": [5]});
    assert_eq!(fire(night)["answer"]["roll"], 2);
    let raked =
        json!({"gun": "prussian", "distance_m": 700.5, "target": "work", "enfilade": true, "dice": [6]});
    assert_eq!(fire(raked)["answer"]["work_steps"], 1);
    let low = json!({"gun": "24pdr", "distance_m": 90, "target": "wall", "level": 1, "dice": [6]});
    assert_eq!(fire(low)["answer"]["wall_levels"], 1);
    let village =
        json!({"gun": "fortress", "distance_m": 9000, "target": "open", "village": true, "dice": [6]});
    assert_eq!(fire(village.clone())["answer"]["factor"], 7);
    assert_eq!(fire(village)["answer"]["roll"], 5);
    let two = json!({"gun": "prussian", "distance_m": 90, "target": "work", "dice": [6],
                     "options": {"result_2_on_trench": "two_steps"}});
    assert_eq!(fire(two)["answer"]["work_steps"], 2);
    let odds = fire(json!({"gun": "12pdr", "distance_m": 50, "target": "wall", "level": 12}));
    assert_eq!(odds["odds"].as_array().unwrap().len(), 6);
    assert_eq!(odds["odds"][0]["p"], "1/6");
}

#[test]
fn wrong_shots_are_refused_by_name() {
    let refused = |request: Value| fire(request)["refused"]["field"].clone();
    assert_eq!(refused(json!({"gun": "12pdr", "distance_m": 1251, "target": "wall"})), "distance_m");
    assert_eq!(refused(json!({"gun": "12pdr", "distance_m": 90, "target": "wall", "level": 21})), "level");
    assert_eq!(refused(json!({"gun": "12pdr", "factor": 0, "distance_m": 90, "target": "wall"})), "factor");
    assert_eq!(
        refused(json!({"gun": "12pdr", "distance_m": 90, "target": "open", "damaged": true})),
        "damaged"
    );
    assert_eq!(refused(json!({"gun": "12pdr", "distance_m": 90, "target": "open", "night": true})), "night");
    assert_eq!(refused(json!({"gun": "12pdr", "distance_m": -1, "target": "open"})), "distance_m");
    assert_eq!(refused(json!({"gun": "12pdr", "distance_m": 90, "target": "open", "x": 1})), "x");
    let far = fire(json!({"gun": "12pdr", "distance_m": 1251, "target": "wall"}));
    assert_eq!(far["refused"]["rule"], "DZ-R12");
}

#[test]
fn dz_ex_36_enfilade_in_the_fire_step_beyond_750_m() {
    // A battery of factor 7 that rakes an intact parallel whose farthest corner is 840 m away.
    let shot = |options: Value| {
        ask(
            "danzig.enfilade",
            json!({
            "gun": {"x_m": 100, "y_m": 975}, "facing": 0, "fire_step": true,
            "work": {"kind": "parallel", "x_m": 890, "y_m": 975, "facing": 90}, "options": options}),
        )
    };
    assert_eq!(shot(json!({}))["answer"]["enfiladed"], false);
    let unlimited = shot(json!({"enfilade_in_fire_step_max_m": "unlimited"}));
    assert_eq!(unlimited["answer"]["enfiladed"], true);
    let cited: Vec<&Value> =
        unlimited["because"].as_array().unwrap().iter().map(|one| &one["rule"]).collect();
    assert_eq!(cited, ["DZ-4.5.3-02"], "the 750 m are not what was asked for");
    let plain = fire(json!({"gun": "prussian", "distance_m": 760, "target": "work", "dice": [4]}));
    assert_eq!((&plain["answer"]["factor"], &plain["answer"]["roll"]), (&json!(3), &json!(2)));
    let raked =
        fire(json!({"gun": "prussian", "distance_m": 760, "target": "work", "enfilade": true, "dice": [4]}));
    assert_eq!((&raked["answer"]["factor"], &raked["answer"]["roll"]), (&json!(7), &json!(2)));
}

#[test]
fn arcs_and_their_refusals() {
    let reply = ask(
        "danzig.arc",
        json!({"side": "french", "gun": {"x_m": 850, "y_m": 1125}, "facing": 90,
                                        "target": {"point": "H5"}}),
    );
    assert_eq!(
        reply["answer"],
        json!({"in_arc": true, "in_sight": true, "distance_m": 140, "distance_mm": 35, "reduction": 1})
    );
    let hidden = ask(
        "danzig.arc",
        json!({"side": "prussian", "gun": {"point": "h1"}, "facing": 320,
                                         "target": {"point": "H5"}}),
    );
    assert_eq!((&hidden["answer"]["in_arc"], &hidden["answer"]["in_sight"]), (&json!(true), &json!(false)));
    let rule = |side: &str, target: Value| {
        ask("danzig.arc", json!({"side": side, "gun": {"point": "H5"}, "facing": 90, "target": target}))
            ["refused"]["rule"].clone()
    };
    assert_eq!(rule("french", json!({"point": "Hg5"})), "DZ-4.3.3-05");
    assert_eq!(rule("french", json!({"x_m": 1200, "y_m": 1800})), "DZ-4.4-04");
    assert_eq!(rule("prussian", json!({"x_m": 600, "y_m": 300})), "DZ-4.9-20");
    assert_eq!(rule("prussian", json!({"x_m": 200, "y_m": 700})), "DZ-4.4-01");
}

#[test]
fn places_and_why_not() {
    let sap = |x: i32, y: i32| json!({"kind": "sap", "x_m": x, "y_m": y, "facing": 90});
    let place = |work: Value, works: Value, walls: Value| {
        ask("danzig.place", json!({"work": work, "works": works, "walls": walls}))
    };
    assert_eq!(place(sap(700, 550), json!([]), json!([]))["answer"]["legal"], true);
    let rule = |work: Value, works: Value, walls: Value| place(work, works, walls)["refused"]["rule"].clone();
    assert_eq!(rule(sap(700, 580), json!([]), json!([])), "DZ-4.7.2-06");
    assert_eq!(rule(sap(700, 480), json!([]), json!([])), "DZ-R80");
    assert_eq!(rule(sap(700, 750), json!([sap(700, 550), sap(700, 650)]), json!([])), "DZ-4.7.2-14");
    let damaged = json!({"kind": "sap", "x_m": 700, "y_m": 550, "facing": 90, "damaged": true});
    assert_eq!(rule(sap(700, 650), json!([damaged]), json!([])), "DZ-4.7.2-12");
    let parallel =
        |x: i32, y: i32, facing: i32| json!({"kind": "parallel", "x_m": x, "y_m": y, "facing": facing});
    assert_eq!(place(parallel(750, 625, 90), json!([sap(700, 550)]), json!([]))["answer"]["cost"], 1);
    assert_eq!(rule(parallel(750, 640, 0), json!([sap(700, 550), sap(700, 650)]), json!([])), "DZ-4.7.2-09");
    let t = json!([sap(700, 550), parallel(750, 625, 90)]);
    assert_eq!(place(parallel(850, 625, 90), t.clone(), json!([]))["answer"]["legal"], true);
    assert_eq!(rule(parallel(780, 675, 90), t.clone(), json!([])), "DZ-4.7.2-20");
    assert_eq!(rule(parallel(760, 640, 90), t, json!([])), "DZ-R80");
    let short = json!({"kind": "sap", "x_m": 700, "y_m": 525, "facing": 90, "length_m": 50});
    assert_eq!(rule(short, json!([]), json!([])), "DZ-4.7.2-24");
    // A battery over H5.
    let head = json!([sap(850, 550), sap(850, 650), sap(850, 1200)]);
    let over = json!({"kind": "battery", "x_m": 850, "y_m": 1275, "facing": 90});
    let low = json!([{"point": "H5", "level": 10}]);
    assert_eq!(rule(over.clone(), head.clone(), json!([])), "DZ-4.7.2-22");
    assert_eq!(
        rule(over.clone(), head.clone(), json!([{"point": "H5", "level": 10, "held": true}])),
        "DZ-4.7.2-22"
    );
    assert_eq!(rule(over, head, low), "DZ-4.7.2-12", "the head is not connected");
    let across = json!({"kind": "sap", "x_m": 1310, "y_m": 1400, "facing": 90});
    assert_eq!(rule(across, json!([]), json!([])), "DZ-R64");
}

#[test]
fn dz_ex_35_two_battalions_storm_together() {
    let storm = |dice: Value| {
        ask(
            "danzig.assault",
            json!({
        "attackers": [{"steps": 2}, {"steps": 2}], "level": 12, "defenders": [{"steps": 2}], "dice": dice}),
        )
    };
    // A shot of 7 without effect, then 2:1.
    let reply = storm(json!([1, 5]));
    assert_eq!(reply["answer"], json!({"won": true, "attacker_steps": 4, "defender_steps": 1}));
    let rules: Vec<&str> =
        reply["because"].as_array().unwrap().iter().filter_map(|b| b["rule"].as_str()).collect();
    for rule in ["DZ-4.1.1-05", "DZ-4.8-17", "DZ-4.8-18", "DZ-4.8-19"] {
        assert!(rules.contains(&rule), "{rule}");
    }
    let high = ask("danzig.assault", json!({"attackers": [{"steps": 2}], "level": 17}));
    assert_eq!(high["refused"]["rule"], "DZ-4.7.1-08");
    let many = json!({"attackers": [{"steps": 2}, {"steps": 2}, {"steps": 1}], "level": 12});
    assert_eq!(ask("danzig.assault", many)["refused"]["rule"], "DZ-4.8-15");
}

#[test]
fn the_odds_of_an_assault_are_those_of_the_companion_text() {
    let won = |defenders: Value| -> f64 {
        let reply = ask(
            "danzig.assault",
            json!({
            "attackers": [{"steps": 2}, {"steps": 2}], "level": 12, "defenders": defenders}),
        );
        reply["odds"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|o| o["answer"]["won"] == true)
            .map(|o| {
                let (n, d) = o["p"].as_str().unwrap().split_once('/').unwrap();
                n.parse::<f64>().unwrap() / d.parse::<f64>().unwrap()
            })
            .sum()
    };
    let (two, one) = (won(json!([{"steps": 2}])), won(json!([{"steps": 1}])));
    assert!((two - 347.0 / 972.0).abs() < 1e-12, "{two}");
    assert!((one - 157.0 / 216.0).abs() < 1e-12, "{one}");
}

#[test]
fn sorties_and_morale() {
    let sortie = |dice: Value| {
        ask(
            "danzig.sortie",
            json!({
        "attackers": [{"steps": 2}], "defenders": [{"steps": 2}], "dice": dice}),
        )
    };
    assert_eq!(
        sortie(json!([2]))["answer"],
        json!({"ratio": "1:2", "work": "intact", "attacker_steps": 2, "defender_steps": 2})
    );
    let odds = ask("danzig.sortie", json!({"attackers": [{"steps": 2}], "defenders": [{"steps": 2}]}));
    assert!(odds["odds"].as_array().unwrap().len() > 3);
    let empty = ask("danzig.sortie", json!({"attackers": [{"steps": 1}], "damaged": true}));
    assert_eq!(empty["answer"]["work"], "destroyed");
    let fired = ask(
        "danzig.sortie",
        json!({"attackers": [{"steps": 2}], "field_guns": [{"distance_m": 90}], "dice": [6, 3]}),
    );
    assert_eq!(fired["answer"]["work"], "damaged");
    let test = |request: Value| ask("danzig.morale", request);
    assert_eq!(test(json!({"morale": 4, "dice": [4]}))["answer"]["passed"], true);
    assert_eq!(test(json!({"morale": 4, "steps": 1, "full": 2, "dice": [4]}))["answer"]["passed"], false);
    assert_eq!(test(json!({"morale": 4}))["odds"][1]["p"], "2/3");
}

/// The rules of a reply with what they did.
fn reasons(reply: &Value) -> Vec<(&str, &str)> {
    let list = reply["because"].as_array().unwrap_or_else(|| panic!("{reply}"));
    list.iter().filter_map(|because| because["rule"].as_str().zip(because["effect"].as_str())).collect()
}

#[test]
fn a_shot_tells_the_printed_factor_and_its_result() {
    let reply = fire(json!({"gun": "24pdr", "distance_m": 180, "target": "wall", "dice": [5]}));
    let told = reasons(&reply);
    // 8 as printed, one less beyond 100 m: 7.
    assert!(told.contains(&("DZ-4.5.1-03", "= 8")) && told.contains(&("DZ-4.5.1-03", "-1")), "{told:?}");
    assert!(told.contains(&("DZ-4.5.2-03", "= 1")), "{told:?}");
    let printed = json!({"gun": "prussian", "factor": 5, "distance_m": 90, "target": "work", "dice": [6]});
    assert!(reasons(&fire(printed)).contains(&("DZ-4.5.1-03", "= 5")));
    let fortress = fire(json!({"gun": "fortress", "distance_m": 500, "target": "open", "dice": [4]}));
    let told = reasons(&fortress);
    assert!(told.contains(&("DZ-4.1.1-05", "= 7")), "{told:?}");
    assert!(told.iter().all(|(rule, _)| *rule != "DZ-4.5.1-03"), "opportunity fire knows no range: {told:?}");
}

/// DZ-R50 reckons the sortie of its example: 2 steps at 2 + 1 - 2 against 2 steps at 2.
#[test]
fn a_melee_tells_the_strengths_and_the_result() {
    let sortie = json!({"attackers": [{"steps": 2}], "defenders": [{"steps": 2}], "dice": [2]});
    let reply = ask("danzig.sortie", sortie);
    let told = reasons(&reply);
    assert!(told.contains(&("DZ-R50", "= 2 : 4")) && told.contains(&("DZ-R88", "= D/-")), "{told:?}");
    let storm = json!({"attackers": [{"steps": 2}, {"steps": 2}], "level": 12, "defenders": [{"steps": 2}],
                       "dice": [1, 5]});
    let reply = ask("danzig.assault", storm);
    let told = reasons(&reply);
    assert!(told.contains(&("DZ-R50", "= 8 : 4")) && told.contains(&("DZ-R88", "= -/1D")), "{told:?}");
}

#[test]
fn an_assault_that_is_let_come_knows_no_opportunity_fire() {
    let storm = |opportunity: bool, dice: Value| {
        let request = json!({"attackers": [{"steps": 2}, {"steps": 2}], "level": 12,
                             "defenders": [{"steps": 2}], "opportunity": opportunity, "dice": dice});
        let reply = ask("danzig.assault", request);
        reasons(&reply).iter().map(|(rule, _)| (*rule).to_owned()).collect::<Vec<_>>()
    };
    let of_the_shot = ["DZ-4.7.1-09", "DZ-4.8-18", "DZ-4.1.1-05"];
    let (under_fire, let_come) = (storm(true, json!([1, 5])), storm(false, json!([5])));
    for rule in of_the_shot {
        assert!(under_fire.iter().any(|one| one == rule), "{rule}: {under_fire:?}");
        assert!(let_come.iter().all(|one| one != rule), "{rule}: {let_come:?}");
    }
    assert!(let_come.iter().any(|one| one == "DZ-4.8-14"), "{let_come:?}");
}

/// No battery stands on a segment of level 10 or less.
#[test]
fn a_low_wall_bears_no_battery() {
    let storm = |level: u8, battery: &str| {
        let refused = &ask(
            "danzig.assault",
            json!({"attackers": [{"steps": 2}], "level": level, "battery": battery, "opportunity": false}),
        )["refused"];
        (refused["rule"].clone(), refused["field"].clone())
    };
    for battery in ["intact", "damaged"] {
        assert_eq!(storm(10, battery), (json!("DZ-4.7.1-05"), json!("battery")), "{battery}");
        assert_eq!(storm(11, battery), (Value::Null, Value::Null), "{battery}");
    }
    assert_eq!(storm(10, "none"), (Value::Null, Value::Null));
}

#[test]
fn the_works_a_new_one_touches_are_counted_from_one() {
    let sap = json!({"kind": "sap", "x_m": 700, "y_m": 550, "facing": 90});
    let parallel = |x: i32| json!({"kind": "parallel", "x_m": x, "y_m": 625, "facing": 90});
    let touched = |work: Value, works: Value| {
        ask("danzig.place", json!({"work": work, "works": works}))["answer"]["touches"].clone()
    };
    assert_eq!(touched(parallel(750), json!([sap])), json!([1]));
    assert_eq!(touched(parallel(850), json!([sap, parallel(750)])), json!([2]));
}

/// DZ-R08: with the option a battery may still stand at level 10.
#[test]
fn a_battery_stands_at_level_10_where_players_want_it_so() {
    let storm = |options: Value| {
        ask(
            "danzig.assault",
            json!({"attackers": [{"steps": 2}, {"steps": 2}], "level": 10, "battery": "intact",
                "opportunity": false, "dice": [2], "options": options}),
        )
    };
    assert_eq!(storm(json!({}))["refused"]["rule"], "DZ-4.7.1-05");
    assert_eq!(storm(json!({"artillery_leaves_at": "9"}))["answer"]["won"], true);
}
