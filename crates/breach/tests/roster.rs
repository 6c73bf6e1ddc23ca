//! The quartermaster's `breach.roster`: its fixed shape, every violation with its rule, the ready
//! armies, and what must hold for any list.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod asking;

use asking::{answer, ask, refused, table};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn roster(request: &Value) -> Value {
    answer("breach.roster", request)
}

/// A violation as (what, line, rule).
type Wrong = (String, Option<String>, String);

fn violations(request: &Value) -> Vec<Wrong> {
    let answer = roster(request);
    let mut found: Vec<Wrong> = answer["violations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let text = |name: &str| one[name].as_str().map(str::to_owned);
            (text("what").unwrap(), text("line"), text("rule").unwrap())
        })
        .collect();
    assert_eq!(answer["legal"], found.is_empty(), "{answer}");
    found.sort();
    found
}

fn wrong(what: &str, line: &str, rule: &str) -> Wrong {
    (what.to_owned(), (line != "null").then(|| line.to_owned()), rule.to_owned())
}

/// A list of `army` of 1000 points for a siege.
#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn with(army: &str, role: &str, lines: Value, equipment: Value) -> Value {
    json!({ "army": army, "role": role, "points": 1000, "lines": lines, "equipment": equipment })
}

/// The least that a Dwarf army of 1000 points needs.
fn dwarfs() -> Value {
    json!({ "general": 1, "warriors": 2 })
}

/// The least that an Imperial army of 1000 points needs.
fn imperials() -> Value {
    json!({ "general": 1, "halberdiers": 2, "crossbowmen": 2 })
}

fn and(base: &Value, more: &Value) -> Value {
    let mut all: Map<String, Value> = base.as_object().unwrap().clone();
    all.extend(more.as_object().unwrap().clone());
    Value::Object(all)
}

#[test]
fn the_shape_is_the_one_others_script_against() {
    let request = json!({ "army": "dwarf", "role": "attacker", "points": 1000, "siege": true,
        "lines": { "general": 1, "warriors": 1 }, "equipment": { "ladders": 3 } });
    assert_eq!(
        roster(&request),
        json!({ "army": 265, "equipment": 15, "artillery": 0, "legal": false,
            "violations": [{ "what": "min", "line": "warriors", "rule": "BR-general-09" }] })
    );
}

#[test]
fn the_least_army_is_legal_on_either_side() {
    for role in ["attacker", "defender"] {
        assert_eq!(violations(&with("dwarf", role, dwarfs(), json!({}))), []);
        assert_eq!(violations(&with("empire", role, imperials(), json!({}))), []);
    }
}

#[test]
fn there_is_exactly_one_general() {
    for count in [0, 2] {
        let lines = and(&dwarfs(), &json!({ "general": count }));
        let found = violations(&with("dwarf", "attacker", lines, json!({})));
        assert_eq!(found, [wrong("general", "general", "BR-R08")]);
    }
    let none = violations(&with("dwarf", "attacker", json!({ "warriors": 2 }), json!({})));
    assert_eq!(none, [wrong("general", "general", "BR-R08")]);
}

/// Too few and too many, by the rule of whoever asks.
#[test]
fn min_and_max_name_the_rule_of_the_side() {
    let few = json!({ "general": 1, "halberdiers": 1, "crossbowmen": 2, "flagellants": 2 });
    let of = |role: &str, siege: bool| {
        let mut request = with("empire", role, few.clone(), json!({}));
        request["siege"] = json!(siege);
        violations(&request)
    };
    assert_eq!(
        of("attacker", true),
        [wrong("max", "flagellants", "BR-general-09"), wrong("min", "halberdiers", "BR-general-09")]
    );
    assert_eq!(
        of("defender", true),
        [wrong("max", "flagellants", "BR-general-06"), wrong("min", "halberdiers", "BR-general-07")]
    );
    for role in ["attacker", "defender"] {
        assert_eq!(
            of(role, false),
            [wrong("max", "flagellants", "BR-R42"), wrong("min", "halberdiers", "BR-R42")]
        );
    }
}

/// The defender of 1500 points has the Max of 2000 and the Min of 1000; nobody else has.
#[test]
fn only_the_defender_of_a_siege_rounds_his_maximums_up() {
    let of = |role: &str, siege: bool, flagellants: i32| {
        let lines = and(&imperials(), &json!({ "flagellants": flagellants }));
        let mut request = with("empire", role, lines, json!({}));
        request["points"] = json!(1500);
        request["siege"] = json!(siege);
        violations(&request)
    };
    assert_eq!(of("defender", true, 2), []);
    assert_eq!(of("defender", true, 3), [wrong("max", "flagellants", "BR-general-06")]);
    assert_eq!(of("attacker", true, 2), [wrong("max", "flagellants", "BR-general-09")]);
    assert_eq!(of("defender", false, 2), [wrong("max", "flagellants", "BR-R42")]);
}

/// Below 1000 points the minimums are ignored and the maximums are those of the list.
#[test]
fn a_small_army_need_not_keep_the_minimums() {
    let of = |flagellants: i32| {
        let lines = json!({ "general": 1, "flagellants": flagellants });
        let mut request = with("empire", "attacker", lines, json!({}));
        request["points"] = json!(900);
        violations(&request)
    };
    assert_eq!(of(1), []);
    assert_eq!(of(2), [wrong("max", "flagellants", "BR-general-09")]);
}

/// One unit of handgunners per thousand points stands in for the line whose minimum it may fill.
#[test]
fn handgunners_stand_in_once_per_thousand_points() {
    let dwarf = |warriors: i32, handgunners: i32| {
        let lines = json!({ "general": 1, "warriors": warriors, "handgunners": handgunners });
        violations(&with("dwarf", "attacker", lines, json!({})))
    };
    assert_eq!(dwarf(1, 1), []);
    assert_eq!(dwarf(0, 2), [wrong("min", "warriors", "BR-general-09")]);
    let imperial = json!({ "general": 1, "halberdiers": 2, "crossbowmen": 1, "handgunners": 1 });
    assert_eq!(violations(&with("empire", "defender", imperial, json!({}))), []);
}

#[test]
fn what_stands_once_in_an_army_stands_once_in_any() {
    let lines = json!({ "general": 1, "warriors": 6, "runesmith": 2, "anvil": 2 });
    let mut request = with("dwarf", "attacker", lines, json!({}));
    request["points"] = json!(3000);
    assert_eq!(violations(&request), [wrong("max", "anvil", "BR-R08")]);
}

/// Whatever is borne needs a bearer of its own.
#[test]
fn nothing_is_attached_to_nobody() {
    let of = |more: Value| violations(&with("empire", "attacker", and(&imperials(), &more), json!({})));
    assert_eq!(of(json!({ "skirmishers": 4 })), []);
    assert_eq!(of(json!({ "skirmishers": 5 })), [wrong("attached", "skirmishers", "BR-R08")]);
    // Flagellants and riders take no skirmishers along.
    assert_eq!(
        of(json!({ "skirmishers": 5, "flagellants": 1, "knights": 1 })),
        [wrong("attached", "skirmishers", "BR-R08")]
    );
    assert_eq!(of(json!({ "griffon": 1 })), []);
    assert_eq!(of(json!({ "war_altar": 1 })), [wrong("attached", "war_altar", "BR-R08")]);
    assert_eq!(of(json!({ "war_altar": 1, "wizard": 1, "griffon": 1 })), []);
    let anvil = and(&dwarfs(), &json!({ "anvil": 1 }));
    assert_eq!(
        violations(&with("dwarf", "attacker", anvil, json!({}))),
        [wrong("attached", "anvil", "BR-R08")]
    );
    let lone = json!({ "general": 0, "halberdiers": 2, "crossbowmen": 2, "griffon": 1 });
    assert_eq!(
        violations(&with("empire", "attacker", lone, json!({}))),
        [wrong("attached", "griffon", "BR-R08"), wrong("general", "general", "BR-R08")]
    );
}

/// A closed item has no other violation, and its points count.
#[test]
fn closed_items_name_the_rule_that_closes_them() {
    let attacker = with("dwarf", "attacker", dwarfs(), json!({ "oil_rocks": 1 }));
    assert_eq!(violations(&attacker), [wrong("closed", "oil_rocks", "BR-equipment-15")]);
    assert_eq!(roster(&attacker)["equipment"], 5);
    for item in ["portable_ram", "ladders", "sow", "mantlets", "siege_tower", "ram"] {
        let defender = with("dwarf", "defender", dwarfs(), json!({ item: 1 }));
        assert_eq!(violations(&defender), [wrong("closed", item, "BR-equipment-16")]);
    }
    for engine in ["mangonel", "bombard", "trebuchet"] {
        let defender = with("dwarf", "defender", dwarfs(), json!({ engine: 2 }));
        assert_eq!(violations(&defender), [wrong("closed", engine, "BR-scenario-3-10")], "{engine}");
    }
    let mut field = with("dwarf", "attacker", dwarfs(), json!({ "earthwork": 1, "mangonel": 1 }));
    field["siege"] = json!(false);
    assert_eq!(
        violations(&field),
        [wrong("closed", "earthwork", "BR-scenario-1-03"), wrong("closed", "mangonel", "BR-scenario-1-03")]
    );
    assert_eq!((&roster(&field)["equipment"], &roster(&field)["artillery"]), (&json!(95), &json!(80)));
    for role in ["attacker", "defender"] {
        assert_eq!(violations(&with("dwarf", role, dwarfs(), json!({ "earthwork": 1 }))), []);
    }
    assert_eq!(violations(&with("dwarf", "defender", dwarfs(), json!({ "oil_rocks": 1 }))), []);
}

/// Each engine once per full thousand points, and half of the allotment for all of them.
#[test]
fn engines_have_a_max_and_half_the_allotment() {
    let of = |points: i32, equipment: Value| {
        let mut request =
            with("dwarf", "attacker", json!({ "general": 1, "warriors": points / 500 }), equipment);
        request["points"] = json!(points);
        violations(&request)
    };
    assert_eq!(of(1000, json!({ "mangonel": 1 })), []);
    assert_eq!(of(4000, json!({ "mangonel": 4, "bombard": 1 })), []);
    assert_eq!(of(4000, json!({ "mangonel": 5 })), [wrong("max", "mangonel", "BR-artillery-02")]);
    assert_eq!(of(4000, json!({ "bombard": 5 })), [wrong("max", "bombard", "BR-artillery-03")]);
    assert_eq!(
        of(2000, json!({ "trebuchet": 3 })),
        [wrong("artillery", "null", "BR-equipment-06"), wrong("max", "trebuchet", "BR-artillery-04")]
    );
    assert_eq!(of(2000, json!({ "trebuchet": 2 })), []);
}

#[test]
fn troops_and_equipment_are_paid_from_two_purses() {
    let of = |warriors: i32, ladders: i32| {
        let lines = json!({ "general": 1, "warriors": warriors });
        violations(&with("dwarf", "attacker", lines, json!({ "ladders": ladders })))
    };
    // 155 + 7 × 110 = 925, 250 points of ladders.
    assert_eq!(of(7, 50), []);
    assert_eq!(of(8, 0), [wrong("points", "null", "BR-R35")]);
    assert_eq!(of(2, 51), [wrong("equipment", "null", "BR-equipment-05")]);
}

/// The bombard is not for Elves of any kind, nor for Bretonnians.
#[test]
fn some_peoples_have_no_bombard() {
    for race in ["elves", "bretonnians"] {
        let mut request = with("empire", "attacker", imperials(), json!({ "bombard": 1, "mangonel": 0 }));
        request["race"] = json!(race);
        assert_eq!(violations(&request), [wrong("closed", "bombard", "BR-artillery-06")]);
    }
    let own = with("empire", "attacker", imperials(), json!({ "bombard": 1 }));
    assert_eq!(violations(&own), []);
}

#[test]
fn ladders_are_paid_by_the_unit_or_by_the_stand() {
    let price = |more: Value, ladders: i32, option: &str| {
        let mut request = with("empire", "attacker", and(&imperials(), &more), json!({ "ladders": ladders }));
        request["options"] = json!({ "ladder_price": option });
        roster(&request)["equipment"].clone()
    };
    assert_eq!(price(json!({}), 2, "per_unit"), 10);
    assert_eq!(price(json!({}), 2, "per_stand"), 30);
    // Four units, three of them with a fourth stand: two sets need one of these.
    assert_eq!(price(json!({ "skirmishers": 3 }), 2, "per_stand"), 35);
}

/// Ladders go with nothing else; one item to a unit; only infantry carries any.
#[test]
fn what_a_unit_carries_must_go_together() {
    let of = |carried: Value, option: &str| {
        let equipment = json!({ "ladders": 1, "mantlets": 1, "sow": 1, "earthwork": 1 });
        let mut request = with("empire", "attacker", and(&imperials(), &json!({ "knights": 1 })), equipment);
        request["carried"] = carried;
        request["options"] = json!({ "equipment_per_unit": option });
        violations(&request)
    };
    let foot = |items: Value| json!([{ "line": "halberdiers", "items": items }]);
    assert_eq!(of(foot(json!(["ladders"])), "one"), []);
    for option in ["one", "several"] {
        assert_eq!(
            of(foot(json!(["ladders", "mantlets"])), option),
            [wrong("carried", "ladders", "BR-ladders-04")]
        );
    }
    assert_eq!(of(foot(json!(["sow", "mantlets"])), "one"), [wrong("carried", "halberdiers", "BR-R73")]);
    assert_eq!(of(foot(json!(["sow", "mantlets"])), "several"), []);
    assert_eq!(of(foot(json!(["earthwork"])), "one"), [wrong("carried", "earthwork", "BR-equipment-04")]);
    let riders = json!([{ "line": "knights", "items": ["ladders"] }]);
    assert_eq!(of(riders, "one"), [wrong("carried", "knights", "BR-R05")]);
}

#[test]
fn bad_requests_are_refused_by_their_field() {
    let field = |change: Value| {
        let base = with("dwarf", "attacker", dwarfs(), json!({}));
        refused("breach.roster", &and(&base, &change)).0.unwrap()
    };
    assert_eq!(field(json!({ "lines": { "knights": 1 } })), "lines.knights");
    assert_eq!(field(json!({ "lines": { "goblins": 1 } })), "lines.goblins");
    assert_eq!(field(json!({ "lines": { "general": 201 } })), "lines.general");
    assert_eq!(field(json!({ "lines": { "general": -1 } })), "lines.general");
    assert_eq!(field(json!({ "lines": { "general": null } })), "lines.general");
    assert_eq!(field(json!({ "lines": [] })), "lines");
    assert_eq!(field(json!({ "equipment": { "catapult": 1 } })), "equipment.catapult");
    assert_eq!(field(json!({ "equipment": { "ladders": 1.5 } })), "equipment.ladders");
    assert_eq!(field(json!({ "army": "orc" })), "army");
    assert_eq!(field(json!({ "points": 0 })), "points");
    assert_eq!(field(json!({ "siege": null })), "siege");
    assert_eq!(field(json!({ "other_points": 500 })), "other_points");
    assert_eq!(field(json!({ "first": "besieger" })), "first");
    assert_eq!(field(json!({ "carried": [{ "line": "rangers", "items": [] }] })), "carried.0.line");
    assert_eq!(field(json!({ "carried": [{ "line": "warriors", "items": ["ram"] }] })), "carried.0.items.0");
    let siege = |scenario: i32, siege: bool| {
        let base = with("dwarf", "attacker", dwarfs(), json!({}));
        refused("breach.roster", &and(&base, &json!({ "scenario": scenario, "siege": siege })))
    };
    let by = |rule: &str| (Some("siege".to_owned()), Some(rule.to_owned()));
    assert_eq!(siege(1, true), by("BR-scenario-1-02"));
    assert_eq!(siege(2, true), by("BR-scenario-2-02"));
    assert_eq!(siege(3, false), by("BR-scenario-3-08"));
    let twice = r#"{"army":"dwarf","role":"attacker","points":1000,"lines":{"general":1,"general":1}}"#;
    let asking = breach::questions().into_iter().find(|one| one.name == "breach.roster").unwrap();
    let reply: Value = serde_json::from_str(&asking.ask(twice, rulebook::Lang::En).json).unwrap();
    assert!(reply["refused"]["field"].as_str().unwrap().starts_with("lines"), "{reply}");
}

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
fn br_ex_13() {
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
fn br_ex_17() {
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
fn bg_ex_01() {
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
fn bg_ex_02() {
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

const EMPIRE: [&str; 15] = [
    "halberdiers",
    "handgunners",
    "crossbowmen",
    "flagellants",
    "skirmishers",
    "knights",
    "pistoliers",
    "volley_gun",
    "cannon",
    "steam_tank",
    "general",
    "hero",
    "wizard",
    "griffon",
    "war_altar",
];
const DWARF: [&str; 11] = [
    "warriors",
    "handgunners",
    "rangers",
    "slayers",
    "cannon",
    "flame_cannon",
    "gyrocopter",
    "general",
    "hero",
    "runesmith",
    "anvil",
];
const ITEMS: [&str; 11] = [
    "earthwork",
    "oil_rocks",
    "portable_ram",
    "ladders",
    "sow",
    "mantlets",
    "siege_tower",
    "ram",
    "mangonel",
    "bombard",
    "trebuchet",
];

fn counts(names: &'static [&'static str], most: i32) -> impl Strategy<Value = Value> {
    prop::collection::btree_map(prop::sample::select(names), 0..=most, 0..8).prop_map(|map| json!(map))
}

prop_compose! {
    /// Any list that can be read at all.
    fn any_list()(army in prop::sample::select(vec!["empire", "dwarf"]))
        (lines in counts(if army == "empire" { &EMPIRE } else { &DWARF }, 200), equipment in counts(&ITEMS, 200),
         army in Just(army), role in prop::sample::select(vec!["attacker", "defender"]), points in 1..=100_000_i32,
         siege in any::<bool>()) -> Value {
        json!({ "army": army, "role": role, "points": points, "siege": siege, "lines": lines,
            "equipment": equipment })
    }
}

prop_compose! {
    /// A list that keeps every rule: the least army, then whatever still fits.
    fn legal_list()(army in prop::sample::select(vec!["empire", "dwarf"]), attacks in any::<bool>(),
        points in 1000..=4000_i32, wishes in prop::collection::vec((0_usize..26, 0_i32..4), 0..40)) -> Value {
        let thousands = points / 1000;
        let up = if attacks { thousands } else { (points + 999) / 1000 };
        let list: Vec<_> = table(&format!("army_{army}")).into_iter().filter(|row| {
            // What is borne is left at home here.
            !["mount", "upgrade"].contains(&row["type"].as_str()) && row["id"] != "skirmishers" && row["id"] != "general"
        }).collect();
        let general = if army == "empire" { 125 } else { 155 };
        let mut lines = std::collections::BTreeMap::from([("general".to_owned(), 1)]);
        let mut left = points - general;
        for row in &list {
            let min = row["min_per_1000"].parse::<i32>().unwrap_or(0) * thousands;
            if min > 0 {
                lines.insert(row["id"].clone(), min);
                left -= min * row["points"].parse::<i32>().unwrap();
            }
        }
        let (equipment_left, quarter) = (points / 20 * 5, points / 4);
        let mut purse = equipment_left.min(quarter);
        let mut guns = purse / 2;
        let mut equipment = std::collections::BTreeMap::new();
        for (place, count) in wishes {
            if let Some(row) = list.get(place) {
                let price: i32 = row["points"].parse().unwrap();
                let have = lines.get(&row["id"]).copied().unwrap_or(0);
                let most = row["max_per_1000"].parse::<i32>().map_or(200, |max| max * up);
                let more = count.min(most - have).min(left / price).max(0);
                lines.insert(row["id"].clone(), have + more);
                left -= more * price;
            }
            let Some(item) = ITEMS.get(place) else { continue };
            let engine = ["mangonel", "bombard", "trebuchet"].contains(item);
            let open = match *item {
                "earthwork" => true,
                "oil_rocks" => !attacks,
                _ => attacks,
            };
            let price = match *item { "earthwork" => 15, "mangonel" => 80, "bombard" => 90, "trebuchet" => 120,
                "mantlets" | "siege_tower" | "ram" => 10, _ => 5 };
            let have: i32 = equipment.get(item).copied().unwrap_or(0);
            let most = if engine { thousands - have } else { 200 - have };
            let more = if open { count.min(most).min(purse / price) } else { 0 };
            let more = if engine { more.min(guns / price) } else { more };
            equipment.insert(*item, have + more);
            purse -= more * price;
            if engine { guns -= more * price; }
        }
        json!({ "army": army, "role": if attacks { "attacker" } else { "defender" }, "points": points,
            "lines": lines, "equipment": equipment })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// No list is too odd to be reckoned, and whatever is wrong names a rule of the ledger.
    #[test]
    fn any_list_is_reckoned_and_every_violation_names_its_rule(list in any_list()) {
        let reply = ask("breach.roster", &list);
        let answer = &reply["answer"];
        prop_assert!(answer.is_object(), "{}", reply);
        let violations = answer["violations"].as_array().unwrap();
        prop_assert_eq!(answer["legal"] == true, violations.is_empty());
        for violation in violations {
            let rule = violation["rule"].as_str().unwrap();
            prop_assert!(rulebook::entry(rule).is_some(), "{}", violation);
            if let Some(line) = violation["line"].as_str() {
                let named = ["lines", "equipment"].iter().any(|purse| list[purse].get(line).is_some());
                prop_assert!(named || ["min", "general"].contains(&violation["what"].as_str().unwrap()), "{}", violation);
            }
        }
        let closed: Vec<&Value> = violations.iter().filter(|one| one["what"] == "closed").map(|one| &one["line"]).collect();
        for line in closed {
            prop_assert_eq!(violations.iter().filter(|one| &one["line"] == line).count(), 1);
        }
    }

    /// The sums are those of the lists.
    #[test]
    fn the_sums_are_those_of_the_lists(list in any_list()) {
        let answer = roster(&list);
        let sum = |names: &[&str], column: &str, purse: &str| -> i64 {
            names.iter().flat_map(|name| table(name)).map(|row| {
                let price: i64 = row[column].trim_start_matches('+').parse().unwrap();
                list[purse].get(&row["id"]).and_then(Value::as_i64).unwrap_or(0) * price
            }).sum()
        };
        let army = format!("army_{}", list["army"].as_str().unwrap());
        prop_assert_eq!(answer["army"].as_i64().unwrap(), sum(&[&army], "points", "lines"));
        prop_assert_eq!(answer["equipment"].as_i64().unwrap(), sum(&["equipment_siege", "equipment_artillery"], "cost", "equipment"));
        prop_assert_eq!(answer["artillery"].as_i64().unwrap(), sum(&["equipment_artillery"], "cost", "equipment"));
    }

    /// A list that keeps the rules is accepted.
    #[test]
    fn legal_lists_are_accepted(list in legal_list()) {
        prop_assert_eq!(&roster(&list)["violations"], &json!([]), "{}", list);
    }
}
