//! The shapes that others script against, to the letter; and what is refused, by which field.

use serde_json::json;

use crate::{answer, ask, refused};

#[test]
fn the_examples_of_the_shapes_hold() {
    let found = |question: &str, request: &str| answer(question, request);
    assert_eq!(
        found("campaign.combat", r#"{"attacker_sp": 18, "defender_sp": 9, "ground": "plain", "dice": [3]}"#),
        json!({"ratio": "2-1", "column": 8, "die": 3, "attacker": 2, "defender": 3, "loser": "defender"})
    );
    assert_eq!(
        found("campaign.attrition", r#"{"size_sp": 22, "march_mp": 5, "ap": 8, "dice": [4]}"#),
        json!({"loss_sp": 2, "die": 4, "row": 6, "column": 5})
    );
    assert_eq!(
        found("campaign.artillery", r#"{"artillery_sp": 6, "dice": [2]}"#),
        json!({"loss_sp": 2, "die": 2})
    );
    assert_eq!(
        found("campaign.pursuit", r#"{"initiative": 4, "retreat": 5, "modifier": 0, "dice": [3]}"#),
        json!({"advance": 4, "die": 3})
    );
    assert_eq!(
        found("campaign.weather", r#"{"month": "november", "previous_die": 6, "dice": [1]}"#),
        json!({"weather": "snow", "fog": true, "die": 2})
    );
    assert_eq!(
        found("campaign.admin", r#"{"source": "vienna", "distance": 18, "dice": [3, 4]}"#),
        json!({"ap": 2})
    );
    assert_eq!(
        found("campaign.negotiation", r#"{"morale": -2, "dice": [5, 4]}"#),
        json!({"result": "talks", "turns": 1})
    );
    assert_eq!(
        found(
            "campaign.initiative",
            r#"{"active": 3, "passive": 4, "weather": "clear", "purpose": "leave-zoc", "cavalry": 0}"#
        ),
        json!({"initiative": 2, "resistance": 2})
    );
    assert_eq!(
        found(
            "campaign.move-cost",
            r#"{"arm": "cavalry", "hex": "town", "ground": "forest", "side": "secondary-river",
                "leaves_zoc": {"enemy_sp": 5, "enemy_has_cavalry": true, "campaign": true}}"#
        ),
        json!({"mp": 6})
    );
}

#[test]
fn what_is_impossible_is_refused_by_its_field() {
    for (question, request, field) in [
        ("campaign.combat", r#"{"attacker_sp": 0, "defender_sp": 9, "ground": "plain"}"#, "attacker_sp"),
        ("campaign.combat", r#"{"attacker_sp": 3, "defender_sp": -1, "ground": "plain"}"#, "defender_sp"),
        ("campaign.combat", r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "hill"}"#, "ground"),
        (
            "campaign.combat",
            r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "plain", "bonus": -1}"#,
            "bonus",
        ),
        ("campaign.combat", r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "plain", "fog": true}"#, "fog"),
        (
            "campaign.combat",
            r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "plain", "dice": [7]}"#,
            "dice",
        ),
        (
            "campaign.combat",
            r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "plain", "dice": [1, 1]}"#,
            "dice",
        ),
        ("campaign.combat", r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "plain", "dice": []}"#, "dice"),
        (
            "campaign.combat",
            r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "plain", "rounds": []}"#,
            "rounds",
        ),
        (
            "campaign.combat",
            r#"{"attacker_sp": 3, "defender_sp": 1, "ground": "plain", "counter_ground": "plain"}"#,
            "counter_ground",
        ),
        ("campaign.combat", r#"{"defender_sp": 1, "ground": "plain"}"#, "attacker_sp"),
        ("campaign.combat", r#"{"attacker_sp": null, "defender_sp": 1, "ground": "plain"}"#, "attacker_sp"),
        ("campaign.attrition", r#"{"size_sp": 0, "march_mp": 5, "ap": 8}"#, "size_sp"),
        ("campaign.attrition", r#"{"size_sp": 5, "march_mp": 0.25, "ap": 8}"#, "march_mp"),
        ("campaign.attrition", r#"{"size_sp": 5, "march_mp": -1, "ap": 8}"#, "march_mp"),
        ("campaign.attrition", r#"{"size_sp": 5, "march_mp": 2, "ap": 8, "forage": 3}"#, "forage"),
        ("campaign.attrition", r#"{"size_sp": 5, "march_mp": 2}"#, "ap"),
        ("campaign.attrition", r#"{"size_sp": 5, "march_mp": 2, "forage": -1}"#, "forage"),
        ("campaign.artillery", r#"{"artillery_sp": 0}"#, "artillery_sp"),
        ("campaign.artillery", r#"{"artillery_sp": 3, "weather": "hail"}"#, "weather"),
        ("campaign.pursuit", r#"{"initiative": 6, "retreat": 5}"#, "initiative"),
        ("campaign.pursuit", r#"{"initiative": 4, "retreat": 0}"#, "retreat"),
        ("campaign.weather", r#"{"month": "october"}"#, "month"),
        ("campaign.weather", r#"{"month": "november", "previous_die": 0}"#, "previous_die"),
        ("campaign.weather", r#"{"month": "november", "turn": 9}"#, "month"),
        ("campaign.weather", r#"{"month": "december", "turn": 20, "turns": 5}"#, "turns"),
        ("campaign.admin", r#"{"source": "olmutz", "distance": 3}"#, "source"),
        ("campaign.admin", r#"{"source": "vienna", "distance": -3}"#, "distance"),
        ("campaign.negotiation", r#"{"morale": 4}"#, "morale"),
        ("campaign.initiative", r#"{"active": 3, "passive": 4}"#, "purpose"),
        (
            "campaign.initiative",
            r#"{"active": 3, "passive": 4, "purpose": "pursuit", "cavalry": 4}"#,
            "cavalry",
        ),
        ("campaign.move-cost", r#"{"arm": "infantry", "hex": "hill", "ground": "clear"}"#, "ground"),
        ("campaign.move-cost", r#"{"arm": "infantry", "hex": "town", "ground": "depot"}"#, "ground"),
        ("campaign.move-cost", r#"{"arm": "infantry", "hex": "clear", "side": "lake"}"#, "side"),
        ("campaign.move-cost", r#"{"arm": "infantry", "hex": "clear", "side": "primary-river"}"#, "side"),
        (
            "campaign.move-cost",
            r#"{"arm": "infantry", "hex": "clear", "leaves_zoc": {"enemy_sp": 0, "enemy_has_cavalry": false, "campaign": true}}"#,
            "leaves_zoc.enemy_sp",
        ),
        ("campaign.reach", r#"{"hex": "4001", "arm": "infantry"}"#, "hex"),
        ("campaign.reach", r#"{"hex": "2054", "arm": "infantry"}"#, "hex"),
        ("campaign.supply", r#"{"army": "french", "hex": "1822", "source": "0101"}"#, "source"),
        (
            "campaign.battle",
            r#"{"attacker": {"infantry": 0, "initiative": 3}, "defender": {"infantry": 3, "initiative": 3}}"#,
            "attacker.infantry",
        ),
    ] {
        assert_eq!(refused(question, request).0.as_deref(), Some(field), "{question} {request}");
    }
}

#[test]
fn without_dice_the_odds_are_exact_and_sum_to_one() {
    for (question, request) in [
        ("campaign.combat", r#"{"attacker_sp": 18, "defender_sp": 9, "ground": "plain"}"#),
        ("campaign.attrition", r#"{"size_sp": 22, "march_mp": 5, "ap": 8}"#),
        ("campaign.admin", r#"{"source": "krems", "distance": 18}"#),
        ("campaign.negotiation", r#"{"morale": 0}"#),
        ("campaign.ultimatum", r#"{"morale": 2}"#),
    ] {
        let reply = ask(question, request);
        let odds = reply["odds"].as_array().unwrap();
        let sum: f64 = odds
            .iter()
            .map(|outcome| {
                let (cases, of) = outcome["p"].as_str().unwrap().split_once('/').unwrap();
                cases.parse::<f64>().unwrap() / of.parse::<f64>().unwrap()
            })
            .sum();
        assert!((sum - 1.0).abs() < 1e-12, "{question}: {sum}");
    }
    let reply = ask("campaign.combat", r#"{"attacker_sp": 18, "defender_sp": 9, "ground": "plain"}"#);
    assert_eq!(reply["odds"].as_array().unwrap().len(), 6);
    assert_eq!(reply["odds"][0]["p"], "1/6");
}

#[test]
fn dice_given_where_nothing_is_rolled_are_not_used() {
    let far = ask(
        "campaign.admin",
        r#"{"source": "vienna", "distance": 41, "commander_bonus": true, "dice": [3, 4]}"#,
    );
    assert_eq!(far["answer"], json!({"ap": 0}));
    assert!(far.get("dice").is_none());
    let early = ask("campaign.ultimatum", r#"{"morale": 0, "turn": 6, "dice": [3]}"#);
    assert_eq!(early["answer"], json!({"result": "not-yet"}));
}

#[test]
fn an_explanation_names_every_rule_that_acted() {
    let reply = ask(
        "campaign.combat",
        r#"{"attacker_sp": 35, "defender_sp": 5, "ground": "plain", "foraging": "attacker", "snow": true,
            "bonus": 1, "dice": [2]}"#,
    );
    let lines: Vec<String> = reply["because"]
        .as_array()
        .unwrap()
        .iter()
        .map(|because| {
            format!("{} {}", because["rule"].as_str().unwrap(), because["effect"].as_str().unwrap())
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    CA-crt-03 = 7-1
    CA-crt-04 -2
    CA-crt-02 = 11
    CA-crt-12 -2
    CA-crt-10 -1
    CA-weather-07 applies
    CA-crt-11 +1
    CA-crt-01 = 0/7
    CA-crt-06 applies
    CA-crt-08 applies
    ");
}

#[test]
fn every_question_has_a_schema_and_speaks_french() {
    for asking in campaign::questions() {
        let schema = asking.schema();
        assert_eq!(schema["question"], asking.name);
        assert!(schema["request"]["properties"]["options"].is_object(), "{}", asking.name);
    }
    let reply = ask(
        "campaign.combat",
        r#"{"attacker_sp": 1, "defender_sp": 1, "ground": "plain", "lang": "fr", "dice": [1]}"#,
    );
    assert!(reply["because"][0]["text"].as_str().unwrap().contains("rapport"));
}
