//! The worked examples of the ledger, with their numbers.

use campaign::terms::{Crossing, Hex};
use campaign::{pursuit, terrain};
use serde_json::json;

use crate::{answer, ask, effect};

#[test]
fn ca_ex_01_cavalry_of_two_to_one() {
    assert_eq!(answer("campaign.cavalry", r#"{"active": 8, "passive": 4}"#), json!({"modifier": -2}));
}

#[test]
fn ca_ex_02_cavalry_of_other_ratios() {
    for (active, passive, modifier) in [(9, 3, -3), (5, 4, 0), (4, 6, 1), (1, 3, 3), (0, 2, 3), (0, 0, 0)] {
        let request = format!(r#"{{"active": {active}, "passive": {passive}}}"#);
        assert_eq!(answer("campaign.cavalry", &request), json!({"modifier": modifier}), "{request}");
    }
}

#[test]
fn ca_ex_03_a_forced_march_in_mud() {
    let request =
        r#"{"size_sp": 22, "march_mp": 8, "ap": 8, "forced_mp": 2, "mud": true, "bonus": 1, "dice": [4]}"#;
    let reply = ask("campaign.attrition", request);
    assert_eq!(reply["answer"], json!({"loss_sp": 4, "die": 6, "row": 6, "column": 7}));
    assert_eq!(effect(&reply, "CA-attrition-04").as_deref(), Some("= 7-10"));
}

#[test]
fn ca_ex_04_a_besieged_garrison() {
    let request = r#"{"size_sp": 10, "march_mp": 0, "besieged": true, "dice": [5]}"#;
    assert_eq!(answer("campaign.attrition", request), json!({"loss_sp": 1, "die": 5, "row": 6, "column": 3}));
}

#[test]
fn ca_ex_05_a_small_formation_well_fed() {
    let request = r#"{"size_sp": 7, "march_mp": 9, "ap": 12, "dice": [6]}"#;
    let reply = ask("campaign.attrition", request);
    assert_eq!(reply["answer"], json!({"loss_sp": 0, "die": 6, "row": 1, "column": 7}));
    assert_eq!(effect(&reply, "CA-attrition-04").as_deref(), Some("= 11+"));
}

#[test]
fn ca_ex_06_a_formation_beyond_the_table() {
    let march = |size: i32| {
        ask("campaign.attrition", &format!(r#"{{"size_sp": {size}, "march_mp": 3, "ap": 5, "dice": [3]}}"#))
    };
    let reply = march(60);
    // Distance index 2, die band 1.
    assert_eq!(reply["answer"], json!({"loss_sp": 4, "die": 3, "row": 10, "column": 1 + 2 + 1}));
    assert_eq!(reply["answer"]["column"], 4);
    assert_eq!(effect(&reply, "CA-attrition-04").as_deref(), Some("= 4-6"));
    assert_eq!([39, 48].map(|size| march(size)["answer"]["row"].clone()), [9, 9]);
}

#[test]
fn ca_ex_07_foraging_around_a_depot() {
    let (value, notes) = kernel::scripted(&[], |clerk| {
        terrain::forage(Hex::Depot, &[Hex::Clear; 6], &Default::default(), clerk)
    })
    .unwrap();
    assert_eq!(value, 1120);
    assert!(notes.reasons().any(|because| because.rule.as_str() == "CA-terrain-13"));
    let request = r#"{"size_sp": 12, "march_mp": 0, "forage": 11.2, "dice": [1]}"#;
    let reply = ask("campaign.attrition", request);
    assert_eq!(reply["answer"]["row"], 3);
    assert_eq!(effect(&reply, "CA-attrition-19").as_deref(), Some("= 11+"));
}

fn combat(request: &str) -> serde_json::Value {
    answer("campaign.combat", request)
}

#[test]
fn ca_ex_08_the_attacker_loses_at_two_to_one() {
    let found = combat(r#"{"attacker_sp": 10, "defender_sp": 5, "ground": "plain", "dice": [6]}"#);
    assert_eq!(
        found,
        json!({"ratio": "2-1", "column": 8, "die": 6, "attacker": 3, "defender": 2, "loser": "attacker"})
    );
    let battle = combat(
        r#"{"attacker_sp": 10, "defender_sp": 5, "ground": "plain", "dice": [6],
            "rounds": [{"attacker": "pursuit", "defender": "pursuit"}]}"#,
    );
    assert_eq!(battle["loser"], "attacker");
    assert_eq!(battle["retreat"], 3);
    assert_eq!(battle["defender_lost"], 2);
    assert_eq!(battle["attacker_lost"], 0);
}

#[test]
fn ca_ex_09_an_attack_on_a_hill() {
    let found = combat(r#"{"attacker_sp": 17, "defender_sp": 10, "ground": "effect", "dice": [3]}"#);
    assert_eq!(
        found,
        json!({"ratio": "3-2", "column": 6, "die": 3, "attacker": 2, "defender": 2, "loser": "defender"})
    );
    let even = combat(r#"{"attacker_sp": 10, "defender_sp": 10, "ground": "plain", "dice": [3]}"#);
    assert_eq!((&even["ratio"], &even["column"]), (&json!("1-1"), &found["column"]));
}

#[test]
fn ca_ex_10_seven_to_one() {
    let found = combat(r#"{"attacker_sp": 35, "defender_sp": 5, "ground": "plain", "dice": [2]}"#);
    assert_eq!(
        found,
        json!({"ratio": "7-1", "column": 11, "die": 0, "attacker": 0, "defender": 8, "loser": "defender"})
    );
}

#[test]
fn ca_ex_11_one_to_seven() {
    let found = combat(r#"{"attacker_sp": 2, "defender_sp": 14, "ground": "plain", "dice": [5]}"#);
    assert_eq!(
        found,
        json!({"ratio": "1-7", "column": 1, "die": 6, "attacker": 8, "defender": 0, "loser": "attacker"})
    );
}

#[test]
fn ca_ex_12_snow_against_a_bonus() {
    let found = combat(
        r#"{"attacker_sp": 10, "defender_sp": 10, "ground": "plain", "snow": true, "bonus": 1, "dice": [6]}"#,
    );
    assert_eq!(
        found,
        json!({"ratio": "1-1", "column": 6, "die": 6, "attacker": 3, "defender": 1, "loser": "attacker"})
    );
}

#[test]
fn ca_ex_13_a_foraging_attacker() {
    let found = combat(
        r#"{"attacker_sp": 10, "defender_sp": 10, "ground": "plain", "foraging": "attacker", "dice": [1]}"#,
    );
    assert_eq!(
        found,
        json!({"ratio": "1-1", "column": 4, "die": 1, "attacker": 2, "defender": 4, "loser": "defender"})
    );
}

#[test]
fn ca_ex_14_guns_in_mud() {
    let request = r#"{"artillery_sp": 5, "weather": "mud", "bonus": 1, "dice": [3]}"#;
    assert_eq!(answer("campaign.artillery", request), json!({"loss_sp": 0, "die": 4}));
}

#[test]
fn ca_ex_15_a_pursuit_of_five_hexes() {
    let compared =
        answer("campaign.initiative", r#"{"active": 4, "passive": 2, "purpose": "pursuit", "cavalry": -1}"#);
    assert_eq!(compared, json!({"initiative": 0, "resistance": -1}));
    // One pitched round lost adds 1: -1 + 1 = 0.
    let request = r#"{"initiative": 4, "retreat": 5, "modifier": 0, "dice": [4], "path": {}}"#;
    let reply = ask("campaign.pursuit", request);
    assert_eq!(reply["answer"], json!({"advance": 4, "die": 4, "loss_sp": 4, "may_advance": 4}));
    // The line of 4-5 starts in column 1, and 8 - 5 = 3 columns follow.
    assert_eq!(effect(&reply, "CA-pursuit-02"), Some(format!("= {}", 1 + 3)));
}

#[test]
fn ca_ex_16_no_pursuit_beyond_the_table() {
    for die in 1..=6 {
        let request = format!(r#"{{"initiative": 2, "retreat": 1, "dice": [{die}]}}"#);
        assert_eq!(answer("campaign.pursuit", &request), json!({"advance": 0, "die": die}));
    }
    let column = |retreat| {
        kernel::scripted(&[], |clerk| pursuit::column(2, retreat, &Default::default(), clerk)).unwrap().0
    };
    // A retreat of 2 stands in the last column; the line of 2 starts in column 3.
    assert_eq!((column(2), column(8)), (Some(9), Some(3)));
    assert_eq!(column(1), None, "3 + 7 = 10 is beyond the chart");
}

#[test]
fn ca_ex_17_napoleon_far_from_vienna() {
    let request = r#"{"source": "vienna", "distance": 37, "commander_bonus": true, "dice": [4, 6]}"#;
    assert_eq!(answer("campaign.admin", request), json!({"ap": 5}));
    let road =
        answer("campaign.supply", r#"{"army": "french", "hex": "1822", "centre": "1822", "source": "2854"}"#);
    assert_eq!(road["road_hexes"], 37);
}

#[test]
fn ca_ex_18_krems_far_away() {
    let request = r#"{"source": "krems", "distance": 33, "dice": [5, 6]}"#;
    assert_eq!(answer("campaign.admin", request), json!({"ap": 0}));
}

#[test]
fn ca_ex_19_a_seven_in_december() {
    let request = r#"{"month": "december", "previous_die": 6, "dice": [6]}"#;
    assert_eq!(answer("campaign.weather", request), json!({"weather": "clear", "fog": false, "die": 7}));
}

#[test]
fn ca_ex_20_frost_and_fog() {
    let request = r#"{"month": "december", "previous_die": 1, "dice": [2]}"#;
    assert_eq!(answer("campaign.weather", request), json!({"weather": "frost", "fog": true, "die": 1}));
}

#[test]
fn ca_ex_21_talks_are_opened() {
    let first = answer("campaign.negotiation", r#"{"morale": -4, "dice": [4, 5]}"#);
    assert_eq!(first, json!({"result": "talks", "turns": 2}));
    let second = answer(
        "campaign.negotiation",
        r#"{"morale": -4, "under_way": true, "turns_left": 2, "dice": [5, 6]}"#,
    );
    assert_eq!(second, json!({"result": "marginal-victory", "turns": 0}));
}

#[test]
fn ca_ex_22_the_prussian_ultimatum() {
    let found = answer("campaign.ultimatum", r#"{"morale": 3, "dice": [3]}"#);
    assert_eq!(found, json!({"result": "prussian-ultimatum", "die": 1}));
}

#[test]
fn ca_ex_23_a_bridge_under_the_enemys_eyes() {
    let request = r#"{"bridge": "secondary-river", "action": "repair", "enemy": "beside"}"#;
    assert_eq!(answer("campaign.bridge", request), json!({"mp": 7, "march_mp": 0}));
}

#[test]
fn ca_ex_24_out_of_a_zone_over_a_bridge() {
    let request = r#"{"arm": "infantry", "hex": "clear", "road": "primary", "side": "secondary-bridge",
        "leaves_zoc": {"enemy_sp": 2, "enemy_has_cavalry": false, "campaign": true}}"#;
    assert_eq!(answer("campaign.move-cost", request), json!({"mp": 2.5}));
}

#[test]
fn ca_ex_25_beyond_the_last_column_while_foraging() {
    let found = combat(
        r#"{"attacker_sp": 35, "defender_sp": 5, "ground": "plain", "foraging": "attacker", "dice": [2]}"#,
    );
    assert_eq!(
        found,
        json!({"ratio": "7-1", "column": 9, "die": 0, "attacker": 0, "defender": 7, "loser": "defender"})
    );
    let on_the_line = |sp: i32| {
        let found =
            combat(&format!(r#"{{"attacker_sp": {sp}, "defender_sp": 5, "ground": "plain", "dice": [2]}}"#));
        (found["ratio"].clone(), found["column"].clone())
    };
    assert_eq!(on_the_line(25), (json!("5-1"), json!(11)));
    assert_eq!(on_the_line(15), (json!("3-1"), json!(9)));
}

#[test]
fn ca_ex_26_a_pursuit_over_a_river() {
    let pursue = |crossing: &str, followed: bool| {
        let request = format!(
            r#"{{"initiative": 3, "retreat": 4, "dice": [3],
                "path": {{"crossing": "{crossing}", "followed": {followed}}}}}"#
        );
        let found = answer("campaign.pursuit", &request);
        assert_eq!(found["advance"], 2);
        found["loss_sp"].as_i64().unwrap()
    };
    assert_eq!(pursue("secondary-river", true), 4);
    assert_eq!(pursue("secondary-river", false), 2);
    assert_eq!(pursue("secondary-bridge", true), 2);
    assert_eq!(pursue("primary-bridge", true), 4);
    let (column, _) =
        kernel::scripted(&[], |clerk| pursuit::column(3, 4, &Default::default(), clerk)).unwrap();
    assert_eq!(column, Some(6));
    // Doubling happens once, whatever the number of causes.
    let path = pursuit::Path {
        retreat: 4,
        blocked: 0,
        crossing: Crossing::PrimaryPontoon,
        followed: true,
        through_ezoc: true,
        winner_loss: 1,
    };
    let (toll, _) = kernel::scripted(&[], |clerk| pursuit::toll(2, &path, clerk)).unwrap();
    assert_eq!(toll.loss, 4);
}

#[test]
fn ca_ex_27_snow_after_snow() {
    let first = answer("campaign.weather", r#"{"month": "november", "turn": 1, "dice": [1]}"#);
    assert_eq!(first, json!({"weather": "snow", "fog": false, "die": 1}));
    let second =
        answer("campaign.weather", r#"{"month": "november", "turn": 2, "previous_die": 1, "dice": [3]}"#);
    assert_eq!(second, json!({"weather": "snow", "fog": true, "die": 2}));
}
