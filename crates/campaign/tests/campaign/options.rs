//! Every option of the rulings changes what it says it changes.

use kernel::Options as _;
use rulebook::options::campaign::Options;
use serde_json::Value;

use crate::ask;

/// Option, value, question, request, where to look, the default there, the value there.
type Case =
    (&'static str, &'static str, &'static str, &'static str, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    (
        "attrition_stagger",
        "column_2",
        "campaign.attrition",
        r#"{"size_sp": 22, "march_mp": 5, "ap": 8, "dice": [4]}"#,
        "/answer/column",
        "5",
        "6",
    ),
    (
        "attrition_rows",
        "regular",
        "campaign.attrition",
        r#"{"size_sp": 22, "march_mp": 5, "ap": 8, "dice": [4]}"#,
        "/answer/loss_sp",
        "2",
        "1",
    ),
    ("forage_area", "occupied_hex", "campaign.forage", r#"{"hex": "1822"}"#, "/answer/forage", "11", "4"),
    (
        "crt_ends",
        "always_5_1",
        "campaign.combat",
        r#"{"attacker_sp": 6, "defender_sp": 1, "ground": "effect", "dice": [3]}"#,
        "/answer/die",
        "3",
        "2",
    ),
    (
        "defender_bonus",
        "adds_1_per_point",
        "campaign.combat",
        r#"{"attacker_sp": 6, "defender_sp": 1, "ground": "plain", "defender_bonus": 2, "dice": [3]}"#,
        "/answer/die",
        "2",
        "4",
    ),
    (
        "krems_far",
        "same_as_far",
        "campaign.admin",
        r#"{"source": "krems", "distance": 30, "dice": [3, 4]}"#,
        "/answer/ap",
        "3",
        "4",
    ),
    (
        "krems_far",
        "nothing",
        "campaign.admin",
        r#"{"source": "krems", "distance": 30, "commander_bonus": true, "dice": [3, 4]}"#,
        "/answer/ap",
        "4",
        "0",
    ),
    (
        "allied_ap",
        "far_only",
        "campaign.admin",
        r#"{"source": "austro-russian", "distance": 10, "dice": [3, 4]}"#,
        "/answer/ap",
        "2",
        "4",
    ),
    (
        "commander_ap",
        "per_point",
        "campaign.admin",
        r#"{"source": "vienna", "distance": 10, "commander_bonus": true, "bonus_points": 2, "dice": [3, 4]}"#,
        "/answer/ap",
        "3",
        "4",
    ),
    (
        "december_seven",
        "rain",
        "campaign.weather",
        r#"{"month": "december", "previous_die": 6, "dice": [6]}"#,
        "/answer/weather",
        "\"clear\"",
        "\"rain\"",
    ),
    (
        "fog",
        "none",
        "campaign.weather",
        r#"{"month": "november", "dice": [2]}"#,
        "/answer/fog",
        "true",
        "false",
    ),
    (
        "rain_on_mud",
        "never",
        "campaign.artillery",
        r#"{"artillery_sp": 6, "weather": "rain-mud", "dice": [2]}"#,
        "/answer/die",
        "4",
        "3",
    ),
    (
        "rain_on_mud",
        "never",
        "campaign.weather",
        r#"{"month": "november", "previous_weather": "mud", "dice": [5]}"#,
        "/answer/weather",
        "\"rain-mud\"",
        "\"rain\"",
    ),
    (
        "frozen_primary_rivers",
        "lakes_only",
        "campaign.move-cost",
        r#"{"arm": "infantry", "hex": "clear", "side": "primary-river", "weather": "frost"}"#,
        "/answer/mp",
        "2",
        "",
    ),
    (
        "pursuit_alignment",
        "column_3",
        "campaign.pursuit",
        r#"{"initiative": 1, "retreat": 5, "dice": [3]}"#,
        "/answer/advance",
        "1",
        "2",
    ),
    (
        "pursuit_alignment",
        "printed",
        "campaign.pursuit",
        r#"{"initiative": 1, "retreat": 5, "dice": [3]}"#,
        "/answer/advance",
        "1",
        "4",
    ),
    (
        "initiative_4_vs_1",
        "plus_1",
        "campaign.initiative",
        r#"{"active": 1, "passive": 4, "purpose": "pursuit"}"#,
        "/answer/initiative",
        "2",
        "1",
    ),
    (
        "forage_resistance",
        "only_when_active",
        "campaign.initiative",
        r#"{"active": 3, "passive": 4, "purpose": "pursuit", "foraging": "defender"}"#,
        "/answer/resistance",
        "0",
        "2",
    ),
    (
        "pohrlitz_15_november",
        "yes",
        "campaign.morale",
        r#"{"morale": 0, "events": ["austro-russian-capture-pohrlitz"], "from_15_november": true}"#,
        "/answer/morale",
        "0",
        "1",
    ),
    (
        "pohrlitz_15_november",
        "only",
        "campaign.morale",
        r#"{"morale": 0, "events": ["austro-russian-capture-pohrlitz"]}"#,
        "/answer/morale",
        "1",
        "0",
    ),
    (
        "negotiation_truce",
        "no_attacks",
        "campaign.battle",
        r#"{"attacker": {"infantry": 9, "initiative": 3}, "defender": {"infantry": 3, "initiative": 3}, "negotiations": true, "pursue": false, "dice": [1]}"#,
        "/answer/ending",
        "\"retreat\"",
        "",
    ),
    (
        "ultimatum_start",
        "first_turn",
        "campaign.ultimatum",
        r#"{"morale": 0, "turn": 2, "dice": [6]}"#,
        "/answer/result",
        "\"not-yet\"",
        "\"prussia-leaves\"",
    ),
    (
        "communication_roads",
        "one_mp",
        "campaign.supply",
        r#"{"army": "french", "hex": "2848", "centre": "2854"}"#,
        "/answer/centre/mp",
        "3",
        "6",
    ),
    (
        "snow_six",
        "natural_six",
        "campaign.combat",
        r#"{"attacker_sp": 1, "defender_sp": 1, "ground": "plain", "snow": true, "bonus": 1, "dice": [6]}"#,
        "/answer/die",
        "6",
        "5",
    ),
    (
        "combat_terrain",
        "single_effect",
        "campaign.battle",
        r#"{"attacker": {"infantry": 8, "artillery": 2, "initiative": 3}, "defender": {"infantry": 4, "initiative": 3}, "hex": "forest", "side": "secondary-river", "pursue": false, "dice": [3]}"#,
        "/answer/retreat",
        "2",
        "3",
    ),
];

fn with(request: &str, option: &str, value: &str) -> String {
    let mut request: Value = serde_json::from_str(request).unwrap();
    request["options"] = serde_json::json!({ option: value });
    request.to_string()
}

fn read(reply: &Value, place: &str) -> String {
    reply.pointer(place).map_or_else(String::new, Value::to_string)
}

#[test]
fn every_value_of_every_option_acts() {
    for &(option, value, question, request, place, usual, changed) in CASES {
        let reply = ask(question, request);
        assert_eq!(read(&reply, place), usual, "{option} by default: {reply}");
        let reply = ask(question, &with(request, option, value));
        assert_eq!(read(&reply, place), changed, "{option} = {value}: {reply}");
    }
}

/// Options of the whole game, which no question asks for: the tests of the game play them.
const OF_THE_GAME: &[&str] = &[
    "multi_hex_terrain",
    "stragglers",
    "centre_move",
    "start_ap",
    "override",
    "intelligence",
    "guns",
    "final_score",
    "austerlitz_turns",
    "loss_choice",
    "envoy",
];

#[test]
fn no_option_is_left_out() {
    for (option, values) in Options::all() {
        for value in values[1..].iter().filter(|_| !OF_THE_GAME.contains(&option)) {
            assert!(
                CASES.iter().any(|case| case.0 == option && case.1 == *value),
                "no case shows {option} = {value}"
            );
        }
        let reply = ask("campaign.cavalry", &with(r#"{"active": 1, "passive": 1}"#, option, "perhaps"));
        assert_eq!(reply["refused"]["field"], format!("options.{option}"));
    }
}

/// An answer that follows an option quotes the ruling, and in the words of the value chosen.
#[test]
fn the_ruling_is_quoted_by_the_answer_its_option_changes() {
    let forage = r#"{"active": 3, "passive": 4, "purpose": "leave-zoc", "foraging": "defender"}"#;
    for (question, request, rule, option, value) in [
        (
            "campaign.weather",
            r#"{"month": "december", "previous_die": 6, "dice": [6]}"#,
            "CA-R17",
            "december_seven",
            "rain",
        ),
        ("campaign.weather", r#"{"month": "november", "dice": [2]}"#, "CA-R18", "fog", "none"),
        ("campaign.initiative", forage, "CA-R27", "forage_resistance", "only_when_active"),
    ] {
        let mut asked: Value = serde_json::from_str(request).unwrap();
        let quoted = |reply: &Value| {
            let because = reply["because"].as_array().unwrap_or_else(|| panic!("{reply}"));
            let found = because.iter().find(|one| one["rule"] == rule);
            found.unwrap_or_else(|| panic!("{rule}: {reply}"))["text"].as_str().unwrap().to_owned()
        };
        let usual = quoted(&ask(question, &asked.to_string()));
        asked["options"] = serde_json::json!({ option: value });
        let otherwise = quoted(&ask(question, &asked.to_string()));
        assert_ne!(usual, otherwise, "{rule}");
    }
}
