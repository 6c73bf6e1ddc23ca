//! The terms of the three linked scenarios (`breach.scenario`): the table of their parameters cell by
//! cell, what the earlier ones change, and the worked examples.

use breach::scenario::{Side, campaign};
use rulebook::options::breach::{CampaignVictory, Options};
use serde_json::{Value, json};

use crate::asking::{answer, refused};
use crate::table;

fn terms(request: &Value) -> Value {
    answer("breach.scenario", request)
}

/// A parameter of a scenario, as the table has it.
fn parameter(scenario: i32, name: &str) -> String {
    let rows = table("scenario_parameters");
    let row = rows.iter().find(|row| row["scenario"] == scenario.to_string() && row["parameter"] == name);
    row.unwrap_or_else(|| panic!("{scenario} {name}"))["value"].clone()
}

#[test]
fn the_numbers_are_those_of_the_table() {
    let plain = [1, 2, 3].map(|scenario| terms(&json!({ "scenario": scenario })));
    let cell = |scenario: usize, path: &str, name: &str| {
        let found = plain[scenario - 1].pointer(path).unwrap_or(&Value::Null).to_string();
        assert_eq!(found, parameter(scenario.try_into().unwrap(), name), "{scenario} {path}");
    };
    for scenario in [1, 3] {
        cell(scenario, "/besieger/points", "attacker_points");
        cell(scenario, "/garrison/points", "defender_points");
    }
    cell(2, "/besieger/points", "dwarf_points");
    cell(1, "/clear_cm", "objective_clear_radius");
    cell(3, "/clear_cm", "terrain_clear_radius");
    cell(1, "/gap_cm", "deployment_gap");
    cell(2, "/gap_cm", "deployment_gap");
    cell(3, "/gap_cm", "attacker_zone_gap");
    cell(3, "/end_rolls_from", "end_roll_start_turn");
    let lists = |side: &str| {
        let names: Vec<&str> =
            plain[2][side]["open"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        names.join("+")
    };
    assert_eq!(lists("besieger"), parameter(3, "attacker_lists"));
    assert_eq!(lists("garrison"), parameter(3, "defender_lists"));
    let roles =
        |scenario: usize| ["besieger", "garrison"].map(|side| plain[scenario - 1][side]["role"].clone());
    assert_eq!(
        [1, 2, 3].map(roles),
        [["attacker", "defender"], ["defender", "attacker"], ["attacker", "defender"]]
    );
    assert_eq!([0, 1, 2].map(|place| plain[place]["siege"].clone()), [false, false, true]);
    assert_eq!([0, 1, 2].map(|place| plain[place]["break_point"].clone()), [true, true, false]);
    assert_eq!(
        [0, 1, 2].map(|place| plain[place]["deploys_first"].clone()),
        ["more-units", "besieger", "garrison"]
    );
    assert_eq!([0, 1, 2].map(|place| plain[place]["first_turn"].clone()), ["dice", "dice", "besieger"]);
    assert_eq!(
        [0, 1, 2].map(|place| plain[place]["objective"].clone()),
        ["hold-watchtower", "exit", "sections"]
    );
    assert_eq!(
        [0, 1, 2].map(|place| plain[place].get("last_turn").cloned()),
        [Some(json!(20)), Some(json!(20)), None]
    );
    assert_eq!(plain[0]["fortress"], json!({ "walls": 0, "towers": 1, "gates": 0 }));
}

/// Both armies of scenario 1 have ordinary limits; the keep is defended by one list, stormed by two.
#[test]
fn the_limits_of_the_lists_are_those_of_the_scenario() {
    let limits = |scenario: i32, side: &str| {
        let forces = terms(&json!({ "scenario": scenario }))[side].clone();
        let number = |name: &str| forces[name].as_i64().unwrap();
        (number("min_multiplier"), number("max_multiplier"), number("equipment"), number("artillery"))
    };
    assert_eq!(limits(1, "besieger"), (1, 1, 0, 0));
    assert_eq!(limits(1, "garrison"), (1, 1, 0, 0));
    assert_eq!(limits(2, "besieger"), (1, 1, 0, 0));
    assert_eq!(limits(3, "besieger"), (2, 2, 500, 250));
    assert_eq!(limits(3, "garrison"), (1, 1, 250, 0));
}

#[test]
fn br_ex_16_earthworks_for_a_hundred_points() {
    let won = terms(&json!({ "scenario": 2, "first": "besieger" }));
    assert_eq!(won["besieger"]["works"], json!({ "points": 100, "sections": 6, "lost": 10 }));
    assert_eq!(won["besieger"]["open"], json!(["earthworks"]));
    let price =
        table("equipment_siege").into_iter().find(|row| row["id"] == "earthwork").unwrap()["cost"].clone();
    assert_eq!((price, 6 * 15), (15.to_string(), 90));
    let nothing = json!({ "points": 0, "sections": 0, "lost": 0 });
    for request in [json!({ "scenario": 2, "first": "garrison" }), json!({ "scenario": 2 })] {
        assert_eq!(terms(&request)["besieger"]["works"], nothing);
    }
    assert_eq!(terms(&json!({ "scenario": 1 }))["besieger"]["works"], nothing);
    // A scenario played alone takes the result of the one before from the options.
    let chosen = json!({ "scenario": 2, "options": { "besieger_won_1": "yes" } });
    assert_eq!(terms(&chosen)["besieger"]["works"]["sections"], 6);
    let said = json!({ "scenario": 2, "first": "garrison", "options": { "besieger_won_1": "yes" } });
    assert_eq!(terms(&said)["besieger"]["works"], nothing);
}

#[test]
fn br_ex_19_the_parts_of_a_fortress() {
    let built = |garrison: i32| {
        let fortress = terms(&json!({ "scenario": 3, "garrison_points": garrison }))["fortress"].clone();
        ["walls", "towers", "gates"].map(|name| fortress[name].as_i64().unwrap())
    };
    assert_eq!(built(1000), [12, 2, 1]);
    assert_eq!(built(1500), [18, 3, 1]);
    // Two full 500s.
    assert_eq!(built(1250), [12, 2, 1]);
    assert_eq!(built(2 * 500), built(1250));
}

/// Least die that ends the siege after a turn.
fn least_die(turn: i32, helped: bool) -> Option<i32> {
    (1..=6).find(|die| {
        let request = json!({ "scenario": 3, "turn": turn, "message_got_through": helped, "dice": [die] });
        answer("breach.end", &request)["ends"] == true
    })
}

#[test]
fn bg_ex_47_what_the_campaign_carries_over() {
    let second = terms(&json!({ "scenario": 2, "first": "besieger" }));
    assert_eq!(second["besieger"]["works"], json!({ "points": 100, "sections": 6, "lost": 10 }));
    let third = terms(&json!({ "scenario": 3, "first": "besieger", "second": "garrison" }));
    assert_eq!(third["end_rolls_from"], 5);
    assert_eq!([5, 6, 7, 8, 9, 10].map(|turn| least_die(turn, true)), [6, 5, 4, 3, 2, 1].map(Some));
    assert_eq!(terms(&json!({ "scenario": 3, "second": "besieger" }))["end_rolls_from"], 6);
    let chosen = json!({ "scenario": 3, "options": { "garrison_won_2": "yes" } });
    assert_eq!(terms(&chosen)["end_rolls_from"], 5);
}

#[test]
fn bg_ex_45_the_end_and_the_score() {
    let section = |kind: &str, attacker: i32, defender: i32, destroyed: bool| json!({ "kind": kind, "attacker": attacker, "defender": defender, "destroyed": destroyed });
    let end = json!({ "scenario": 3, "turn": 7, "dice": [4] });
    assert_eq!(answer("breach.end", &end)["ends"], true);
    assert_eq!(4 + 7, 11);
    let mut sections =
        vec![section("gate", 0, 0, true), section("tower", 0, 0, true), section("wall", 0, 0, true)];
    sections.extend(vec![section("wall", 1, 0, false); 4]);
    sections.push(section("courtyard", 9, 5, false));
    sections.extend(vec![section("wall", 0, 1, false); 6]);
    sections.extend([section("tower", 0, 3, false), section("wall", 0, 0, false)]);
    // 4 × 50 + 200 against 6 × 50 + 150.
    assert_eq!(
        answer("breach.score", &json!({ "sections": sections })),
        json!({ "attacker": 400, "defender": 450, "winner": "defender" })
    );
}

#[test]
fn other_totals_keep_the_proportion() {
    let of = |request: Value| {
        let terms = terms(&request);
        (terms["besieger"]["points"].as_i64().unwrap(), terms["garrison"]["points"].as_i64().unwrap())
    };
    assert_eq!(of(json!({ "scenario": 1, "garrison_points": 1001 })), (1502, 1001));
    assert_eq!(of(json!({ "scenario": 1, "besieger_points": 2000 })), (2000, 1333));
    assert_eq!(of(json!({ "scenario": 3, "garrison_points": 1500 })), (3000, 1500));
    assert_eq!(of(json!({ "scenario": 3, "besieger_points": 2501 })), (2501, 1250));
    let by = |field: &str, rule: &str| (field.to_owned(), rule.to_owned());
    let no = |request: Value| refused("breach.scenario", &request);
    assert_eq!(
        no(json!({ "scenario": 1, "besieger_points": 1499, "garrison_points": 1000 })),
        by("besieger_points", "BR-scenario-1-05")
    );
    assert_eq!(
        no(json!({ "scenario": 3, "besieger_points": 1999, "garrison_points": 1000 })),
        by("besieger_points", "BR-scenario-3-07")
    );
    assert_eq!(
        no(json!({ "scenario": 2, "besieger_points": 1500 })),
        by("besieger_points", "BR-scenario-2-05")
    );
    assert_eq!(
        no(json!({ "scenario": 2, "garrison_points": 450 })),
        by("garrison_points", "BR-scenario-2-06")
    );
}

/// The relief force costs what the named one costs; one in its place 450 at most.
#[test]
fn the_relief_force_has_its_own_limit() {
    let points = |option: &str| {
        let request = json!({ "scenario": 2, "options": { "relief_force": option } });
        terms(&request)["garrison"]["points"].clone()
    };
    assert_eq!((points("named"), points("substitute")), (json!(455), json!(450)));
}

#[test]
fn limits_of_turns_follow_the_options() {
    let last = |scenario: i32, options: Value| {
        terms(&json!({ "scenario": scenario, "options": options })).get("last_turn").cloned()
    };
    assert_eq!(last(1, json!({ "stall_limit": "none" })), None);
    assert_eq!(last(2, json!({ "scenario2_turn_limit": "8" })), Some(json!(8)));
    assert_eq!(last(2, json!({ "stall_limit": "none" })), None);
}

#[test]
fn only_what_came_before_can_matter() {
    let no = |request: Value| refused("breach.scenario", &request);
    let by = |field: &str| (field.to_owned(), "BR-campaign-01".to_owned());
    assert_eq!(no(json!({ "scenario": 1, "first": "besieger" })), by("first"));
    assert_eq!(no(json!({ "scenario": 2, "second": "besieger" })), by("second"));
    assert_eq!(no(json!({ "scenario": 4 })).0, "scenario");
}

/// The last battle decides the campaign, or two of three.
#[test]
fn the_campaign_has_a_winner() {
    let won = |winners: [Side; 3], campaign_victory: CampaignVictory| {
        let options = Options { campaign_victory, ..Options::default() };
        kernel::scripted(&[], |clerk| campaign(winners, &options, clerk)).unwrap().0
    };
    let winners = [Side::Besieger, Side::Besieger, Side::Garrison];
    assert_eq!(won(winners, CampaignVictory::LastBattle), Side::Garrison);
    assert_eq!(won(winners, CampaignVictory::BestOfThree), Side::Besieger);
    let winners = [Side::Garrison, Side::Besieger, Side::Garrison];
    assert_eq!(won(winners, CampaignVictory::BestOfThree), Side::Garrison);
}
