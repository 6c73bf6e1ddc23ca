//! The quartermaster's `breach.roster`: its fixed shape, and every violation with its rule.

use serde_json::{Map, Value, json};

use crate::asking::{answer, refused};

pub(crate) fn roster(request: &Value) -> Value {
    answer("breach.roster", request)
}

/// A violation as (what, line, rule).
pub(crate) type Wrong = (String, Option<String>, String);

pub(crate) fn violations(request: &Value) -> Vec<Wrong> {
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

pub(crate) fn wrong(what: &str, line: &str, rule: &str) -> Wrong {
    (what.to_owned(), (line != "null").then(|| line.to_owned()), rule.to_owned())
}

/// A list of `army` of 1000 points for a siege.
#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
pub(crate) fn with(army: &str, role: &str, lines: Value, equipment: Value) -> Value {
    json!({ "army": army, "role": role, "points": 1000, "lines": lines, "equipment": equipment })
}

/// The least that a Dwarf army of 1000 points needs.
pub(crate) fn dwarfs() -> Value {
    json!({ "general": 1, "warriors": 2 })
}

/// The least that an Imperial army of 1000 points needs.
pub(crate) fn imperials() -> Value {
    json!({ "general": 1, "halberdiers": 2, "crossbowmen": 2 })
}

pub(crate) fn and(base: &Value, more: &Value) -> Value {
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
        // Everything else is open to them.
        request["equipment"] = json!({ "ladders": 1, "mangonel": 1 });
        assert_eq!(violations(&request), []);
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
    // The same thing twice is no use to anybody.
    let mut twice = with("empire", "attacker", imperials(), json!({ "mantlets": 2 }));
    twice["carried"] = foot(json!(["mantlets", "mantlets"]));
    twice["options"] = json!({ "equipment_per_unit": "several" });
    let found = violations(&twice);
    assert!(found.contains(&wrong("carried", "halberdiers", "BR-R73")), "{found:?}");
    assert_eq!(of(foot(json!(["earthwork"])), "one"), [wrong("carried", "earthwork", "BR-equipment-04")]);
    let riders = json!([{ "line": "knights", "items": ["ladders"] }]);
    assert_eq!(of(riders, "one"), [wrong("carried", "knights", "BR-R05")]);
}

#[test]
fn bad_requests_are_refused_by_their_field() {
    let field = |change: Value| {
        let base = with("dwarf", "attacker", dwarfs(), json!({}));
        refused("breach.roster", &and(&base, &change)).0
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
    let by = |rule: &str| ("siege".to_owned(), rule.to_owned());
    assert_eq!(siege(1, true), by("BR-scenario-1-02"));
    assert_eq!(siege(2, true), by("BR-scenario-2-02"));
    assert_eq!(siege(3, false), by("BR-scenario-3-08"));
    let twice = r#"{"army":"dwarf","role":"attacker","points":1000,"lines":{"general":1,"general":1}}"#;
    let asking = breach::questions().into_iter().find(|one| one.name == "breach.roster").unwrap();
    let reply: Value = serde_json::from_str(&asking.ask(twice, rulebook::Lang::En).json).unwrap();
    assert!(reply["refused"]["field"].as_str().unwrap().starts_with("lines"), "{reply}");
}
