//! The ready armies, the rosters of the ledger and its worked examples, and what the scenarios ask of a
//! roster.

use serde_json::{Map, Value, json};

use crate::asking::answer;
use crate::roster::{and, dwarfs, imperials, roster, violations, with, wrong};
use crate::table;

/// A ready army as a request.
fn ready(scenario: &str, side: &str) -> Value {
    let mut lines: Map<String, Value> = Map::new();
    let mut equipment: Map<String, Value> = Map::new();
    let add = |to: &mut Map<String, Value>, what: &str, count: i64| {
        let before = to.get(what).and_then(Value::as_i64).unwrap_or(0);
        to.insert(what.to_owned(), json!(before + count));
    };
    let of =
        |row: &std::collections::HashMap<String, String>| row["scenario"] == scenario && row["side"] == side;
    for row in table("default_armies").iter().filter(|row| of(row)) {
        let purse = if row["budget"] == "army" { &mut lines } else { &mut equipment };
        add(purse, &row["line"], 1);
        if row["attached"] != "-" {
            add(&mut lines, &row["attached"], 1);
        }
        if row["equipment"] != "-" {
            add(&mut equipment, &row["equipment"], 1);
        }
    }
    for row in table("default_works").iter().filter(|row| of(row)) {
        add(&mut equipment, &row["item"], row["count"].parse().unwrap());
    }
    let totals = table("default_totals");
    let limits = totals.iter().find(|row| of(row)).unwrap();
    let attacks = (side == "besieger") != (scenario == "2");
    let mut request = json!({ "army": limits["list"], "role": if attacks { "attacker" } else { "defender" },
        "points": limits["army_limit"].parse::<i32>().unwrap(), "scenario": scenario.parse::<i32>().unwrap(),
        "lines": lines, "equipment": equipment });
    if scenario == "2" {
        request["first"] = json!("besieger");
    }
    request
}

/// The ready armies are legal, and cost what the table of their totals says.
#[test]
fn the_ready_armies_are_legal_and_cost_what_is_written() {
    for row in table("default_totals") {
        let muster = roster(&ready(&row["scenario"], &row["side"]));
        assert_eq!(muster["violations"], json!([]), "{row:?}");
        for (name, column) in
            [("army", "army_points"), ("equipment", "equipment_points"), ("artillery", "artillery_points")]
        {
            assert_eq!(muster[name].to_string(), row[column], "{row:?}");
        }
    }
}

/// So are the older ones.
#[test]
fn the_rosters_of_the_ledger_are_legal() {
    for (scenario, army) in
        [(1, "empire"), (1, "dwarf"), (2, "dwarf"), (2, "empire"), (3, "dwarf"), (3, "empire")]
    {
        let mut request = json!({ "army": army, "scenario": scenario, "lines": {}, "equipment": {} });
        let points = match (scenario, army) {
            (1, "dwarf") => 1500,
            (3, "dwarf") => 2000,
            _ => 1000,
        };
        let attacks = (army == "dwarf") != (scenario == 2);
        request["points"] = json!(points);
        request["role"] = json!(if attacks { "attacker" } else { "defender" });
        let mut total = 0;
        for row in table("rosters") {
            if row["scenario"] != scenario.to_string() || row["army"] != army {
                continue;
            }
            let purse = if row["budget"] == "army" { "lines" } else { "equipment" };
            request[purse][&row["id"]] = json!(row["count"].parse::<i32>().unwrap());
            total += row["points_total"].parse::<i64>().unwrap();
        }
        let muster = roster(&request);
        assert_eq!(muster["violations"], json!([]), "{request}");
        assert_eq!(muster["army"].as_i64().unwrap() + muster["equipment"].as_i64().unwrap(), total);
    }
}

#[test]
fn br_ex_13_one_allotment_over_all_lists() {
    let budget = answer("breach.budget", &json!({ "role": "defender", "attacker_points": 2000 }));
    assert_eq!((&budget["equipment"], &budget["artillery"]), (&json!(250), &json!(125)));
    // Earthworks and oil together: 10 × 15 + 20 × 5 = 250.
    let of = |oil: i32| {
        violations(&with("empire", "defender", imperials(), json!({ "earthwork": 10, "oil_rocks": oil })))
    };
    assert_eq!(of(20), []);
    assert_eq!(of(21), [wrong("equipment", "null", "BR-equipment-05")]);
}

#[test]
fn br_ex_17_three_knights_and_a_general() {
    let named = json!({ "army": "empire", "role": "attacker", "points": 450, "scenario": 2,
        "lines": { "general": 1, "knights": 3 } });
    let muster = roster(&named);
    // 3 × 110 + 125.
    assert_eq!((&muster["army"], &muster["legal"]), (&json!(455), &json!(true)));
    let price = |line: &str| {
        table("army_empire").into_iter().find(|row| row["id"] == line).unwrap()["points"].clone()
    };
    assert_eq!((price("knights"), price("general")), (110.to_string(), 125.to_string()));
    let mut substitute = named.clone();
    substitute["options"] = json!({ "relief_force": "substitute" });
    assert_eq!(violations(&substitute), [wrong("points", "null", "BR-scenario-2-07")]);
    assert_eq!(455 - 450, 5);
}

#[test]
fn the_relief_force_is_a_general_and_riders() {
    let of = |army: &str, lines: Value, equipment: Value, option: &str| {
        let mut request = with(army, "attacker", lines, equipment);
        request["scenario"] = json!(2);
        request["options"] = json!({ "relief_force": option });
        violations(&request)
    };
    let two = json!({ "general": 1, "knights": 2 });
    assert_eq!(
        of("empire", two.clone(), json!({}), "named"),
        [wrong("force", "knights", "BR-scenario-2-06")]
    );
    assert_eq!(of("empire", two.clone(), json!({}), "substitute"), []);
    let mixed = json!({ "general": 1, "knights": 2, "pistoliers": 1 });
    assert_eq!(of("empire", mixed, json!({}), "substitute"), []);
    let foot = json!({ "general": 1, "knights": 1, "halberdiers": 1 });
    assert_eq!(
        of("empire", foot, json!({}), "substitute"),
        [wrong("force", "halberdiers", "BR-scenario-2-07")]
    );
    assert_eq!(
        of("empire", json!({ "general": 1 }), json!({}), "substitute"),
        [wrong("force", "null", "BR-scenario-2-07")]
    );
    assert_eq!(
        of("empire", two, json!({ "ladders": 1 }), "substitute"),
        [wrong("closed", "ladders", "BR-scenario-2-02")]
    );
    // Dwarfs have no cavalry: Rangers go, whatever the option says.
    assert_eq!(of("dwarf", json!({ "general": 1, "rangers": 2 }), json!({}), "named"), []);
    assert_eq!(
        of("dwarf", json!({ "general": 1, "warriors": 1 }), json!({}), "named"),
        [wrong("force", "null", "BR-scenario-2-07"), wrong("force", "warriors", "BR-scenario-2-07")]
    );
}

/// The besieger of scenario 2 has earthworks only if he won the race.
#[test]
fn earthworks_of_the_second_scenario_are_won_in_the_first() {
    let of = |first: Option<&str>, sections: i32, points: i32| {
        let mut request = with("dwarf", "defender", dwarfs(), json!({ "earthwork": sections }));
        request["scenario"] = json!(2);
        request["points"] = json!(points);
        if let Some(first) = first {
            request["first"] = json!(first);
        }
        violations(&request)
    };
    assert_eq!(of(Some("besieger"), 6, 1000), []);
    assert_eq!(of(Some("besieger"), 7, 1000), [wrong("equipment", "null", "BR-scenario-2-03")]);
    assert_eq!(of(Some("garrison"), 6, 1000), [wrong("closed", "earthwork", "BR-scenario-1-03")]);
    assert_eq!(of(None, 6, 1000), [wrong("closed", "earthwork", "BR-scenario-1-03")]);
    assert_eq!(of(None, 0, 999), [wrong("force", "null", "BR-scenario-2-05")]);
}

/// The two armies of scenarios 1 and 3 have their proportion.
#[test]
fn the_sizes_of_both_armies_are_in_proportion() {
    let of = |scenario: i32, role: &str, points: i32, other: i32| {
        let mut request = with("dwarf", role, json!({ "general": 1, "warriors": 10 }), json!({}));
        request["points"] = json!(points);
        request["scenario"] = json!(scenario);
        request["other_points"] = json!(other);
        violations(&request)
    };
    assert_eq!(of(1, "attacker", 1500, 1000), []);
    assert_eq!(of(1, "attacker", 1499, 1000), [wrong("ratio", "null", "BR-scenario-1-05")]);
    assert_eq!(of(1, "defender", 1301, 1950), [wrong("ratio", "null", "BR-scenario-1-05")]);
    assert_eq!(of(3, "attacker", 2600, 1300), []);
    assert_eq!(of(3, "attacker", 2599, 1300), [wrong("ratio", "null", "BR-scenario-3-07")]);
    assert_eq!(of(3, "defender", 1300, 2600), []);
}

#[test]
fn bg_ex_01_the_ready_besieger_of_the_third_scenario() {
    let besieger = ready("3", "besieger");
    let muster = roster(&besieger);
    assert_eq!(
        muster,
        json!({ "army": 2000, "equipment": 335, "artillery": 210, "legal": true, "violations": [] })
    );
    assert_eq!((besieger["points"].clone(), besieger["scenario"].clone()), (json!(2000), json!(3)));
    let bought = |item: &str| besieger["equipment"][item].as_i64().unwrap();
    assert_eq!(bought("trebuchet") * 120 + bought("bombard") * 90, 210);
    assert_eq!((bought("ladders"), bought("portable_ram"), bought("siege_tower")), (4, 2, 2));
    assert_eq!((bought("mantlets"), bought("earthwork")), (3, 2));
    let rest = bought("ladders") * 5 + bought("portable_ram") * 5 + bought("ram") * 10;
    let rest = rest + bought("siege_tower") * 10 + bought("sow") * 5 + bought("mantlets") * 10;
    assert_eq!(210 + rest + bought("earthwork") * 15, 335);
    let budget = answer("breach.budget", &json!({ "role": "attacker", "attacker_points": 2000 }));
    assert_eq!((&budget["equipment"], &budget["artillery"]), (&json!(500), &json!(250)));
    assert_eq!(budget["equipment"].as_i64().unwrap() - 335, 165);
}

#[test]
fn bg_ex_02_half_the_allotment_for_engines() {
    let with_two = |more: Value| {
        let mut request = ready("3", "besieger");
        request["equipment"] = and(&json!({ "trebuchet": 2 }), &more);
        (roster(&request), violations(&request))
    };
    let (muster, found) = with_two(json!({ "mangonel": 1 }));
    assert_eq!(
        (&muster["artillery"], found),
        (&json!(320), vec![wrong("artillery", "null", "BR-equipment-06")])
    );
    let (muster, found) = with_two(json!({ "ladders": 1 }));
    assert_eq!((&muster["equipment"], &muster["artillery"], found), (&json!(245), &json!(240), vec![]));
    let budget = answer("breach.budget", &json!({ "role": "attacker", "attacker_points": 2000 }));
    assert_eq!((&budget["equipment"], &budget["artillery"]), (&json!(500), &json!(250)));
    let price = |id: &str| {
        table("equipment_artillery").into_iter().find(|row| row["id"] == id).unwrap()["cost"].clone()
    };
    assert_eq!((price("mangonel"), 240 + 80), (80.to_string(), 320));
    assert_eq!(240 + 5, 245);
}
