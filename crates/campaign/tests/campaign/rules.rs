//! Rules that no example shows, each with the number it gives.

use serde_json::json;

use crate::{answer, ask, effect, refused};

#[test]
fn forced_march_counts_four_at_most_and_a_die_is_never_below_zero() {
    let reply = ask(
        "campaign.attrition",
        r#"{"size_sp": 5, "march_mp": 12, "ap": 5, "forced_mp": 6, "extended_mp": 2, "dice": [1]}"#,
    );
    assert_eq!(reply["answer"]["die"], 7);
    assert_eq!(effect(&reply, "CA-attrition-15").as_deref(), Some("+4"));
    assert_eq!(effect(&reply, "CA-attrition-18").as_deref(), Some("+2"));
    assert_eq!(effect(&reply, "CA-general-04").as_deref(), Some("at most 9 MP"));
    let calm =
        ask("campaign.attrition", r#"{"size_sp": 5, "march_mp": 0, "ap": 5, "bonus": 2, "dice": [1]}"#);
    assert_eq!(calm["answer"]["die"], 0);
    assert!(effect(&calm, "CA-general-04").is_some());
}

#[test]
fn what_feeds_a_formation() {
    let column = |fields: &str| {
        let reply =
            ask("campaign.attrition", &format!(r#"{{"size_sp": 9, "march_mp": 3, {fields}, "dice": [3]}}"#));
        reply["answer"]["row"].as_i64().unwrap_or_else(|| panic!("{reply}"))
    };
    assert_eq!(column(r#""ap": 11"#), 2);
    assert_eq!(column(r#""ap": 8"#), 3);
    assert_eq!(column(r#""ap": 0"#), 6);
    for starving in [
        r#""ap": 11, "besieged": true"#,
        r#""ap": 11, "out_of_supply": true"#,
        r#""out_of_supply": true"#,
        r#""ap": 11, "inactive_centre": true"#,
        r#""ap": 11, "game": "battle", "source_mp": 18.5"#,
    ] {
        assert_eq!(column(starving), 6, "{starving}");
    }
    assert_eq!(column(r#""ap": 11, "game": "battle", "source_mp": 18"#), 2);
    assert_eq!(column(r#""forage": 7.9, "out_of_supply": true"#), 3);
    let battle = ask(
        "campaign.attrition",
        r#"{"size_sp": 9, "march_mp": 3, "ap": 5, "game": "battle", "extended_mp": 3, "dice": [3]}"#,
    );
    assert_eq!(battle["answer"]["die"], 3, "extended march belongs to the campaign");
    assert!(effect(&battle, "CA-attrition-05").is_some());
}

#[test]
fn weather_on_the_guns_and_the_limits_of_their_die() {
    let die = |weather: &str, face: u8| {
        let request = format!(r#"{{"artillery_sp": 8, "weather": "{weather}", "dice": [{face}]}}"#);
        answer("campaign.artillery", &request)["die"].as_i64().unwrap()
    };
    assert_eq!(
        ["clear", "frost", "snow", "rain", "mud", "rain-mud"].map(|weather| die(weather, 2)),
        [2, 2, 3, 3, 4, 4]
    );
    assert_eq!(die("mud", 6), 6);
    let reply =
        ask("campaign.artillery", r#"{"artillery_sp": 1, "bonus": 2, "cavalry_2_to_1": true, "dice": [1]}"#);
    assert_eq!(reply["answer"], json!({"loss_sp": 1, "die": 0}));
    assert!(effect(&reply, "CA-artillery-07").is_some() && effect(&reply, "CA-artillery-06").is_some());
}

#[test]
fn shifts_beyond_the_chart_become_die_modifiers() {
    let found = |fields: &str| {
        answer(
            "campaign.combat",
            &format!(r#"{{"attacker_sp": 10, "defender_sp": 10, "ground": "plain", {fields}, "dice": [3]}}"#),
        )
    };
    assert_eq!(found(r#""shift": 7"#)["column"], 11);
    assert_eq!(found(r#""shift": 7"#)["die"], 1);
    assert_eq!(found(r#""shift": -7"#)["column"], 1);
    assert_eq!(found(r#""shift": -7"#)["die"], 5);
    assert_eq!(found(r#""after_failed_repulse": true"#)["column"], 4);
    assert_eq!(found(r#""foraging": "defender""#)["column"], 8);
    assert_eq!(found(r#""foraging": "both""#)["column"], 6);
    let low = answer(
        "campaign.combat",
        r#"{"attacker_sp": 1, "defender_sp": 5.5, "ground": "plain", "dice": [3]}"#,
    );
    assert_eq!((&low["ratio"], &low["die"]), (&json!("1-6"), &json!(4)));
    let low =
        answer("campaign.combat", r#"{"attacker_sp": 1, "defender_sp": 5, "ground": "effect", "dice": [3]}"#);
    assert_eq!((&low["ratio"], &low["column"], &low["die"]), (&json!("1-5"), &json!(1), &json!(4)));
}

#[test]
fn the_most_uneven_fight_stays_on_the_chart() {
    let few = answer(
        "campaign.combat",
        r#"{"attacker_sp": 0.000001, "defender_sp": 10000, "ground": "plain", "dice": [1]}"#,
    );
    assert_eq!((&few["column"], &few["die"], &few["loser"]), (&json!(1), &json!(6), &json!("attacker")));
    let many = answer(
        "campaign.combat",
        r#"{"attacker_sp": 10000, "defender_sp": 0.000001, "ground": "effect", "dice": [6]}"#,
    );
    assert_eq!((&many["column"], &many["die"], &many["loser"]), (&json!(11), &json!(0), &json!("defender")));
}

#[test]
fn rounds_alternate_and_end_as_the_sides_chose() {
    let pitched = r#"{"attacker": "pitched", "defender": "pitched"}"#;
    let pursuit = r#"{"attacker": "pitched", "defender": "pursuit"}"#;
    let fight = |rounds: &str, dice: &str| {
        ask(
            "campaign.combat",
            &format!(
                r#"{{"attacker_sp": 12, "defender_sp": 12, "ground": "plain", "rounds": [{rounds}], "dice": {dice}}}"#
            ),
        )
    };
    // 1-1 die 4: 2/2, attacker lost; then 10 against 10, die 4, the counterattacker lost; then 8 against 8, die 1: 1/3.
    let three = fight(&format!("{pitched}, {pitched}, {pursuit}"), "[4, 4, 1]");
    assert_eq!(
        three["answer"],
        json!({"rounds": 3, "attacker_lost": 5, "defender_lost": 4, "attacker_rounds_lost": 1,
               "defender_rounds_lost": 1, "ending": "retreat", "loser": "defender", "retreat": 3})
    );
    let open = fight(pitched, "[4]");
    assert_eq!(open["answer"]["ending"], "undecided");
    let field = |reply: &serde_json::Value| reply["refused"]["field"].as_str().unwrap_or_default().to_owned();
    assert_eq!(field(&fight(&format!("{pitched}, {pursuit}"), "[4, 4]")), "rounds.1");
    assert_eq!(field(&fight(&format!("{pursuit}, {pitched}"), "[4, 4]")), "rounds.1");
    let crushed = answer(
        "campaign.combat",
        &format!(
            r#"{{"attacker_sp": 30, "defender_sp": 4, "ground": "plain", "rounds": [{pitched}], "dice": [1]}}"#
        ),
    );
    assert_eq!((&crushed["ending"], &crushed["loser"]), (&json!("eliminated"), &json!("defender")));
    assert_eq!(
        refused(
            "campaign.combat",
            &format!(
                r#"{{"attacker_sp": 3, "defender_sp": 4, "ground": "plain", "foraging": "defender", "rounds": [{pitched}]}}"#
            )
        ),
        (Some("rounds.0.defender".to_owned()), Some("CA-terrain-12".to_owned()))
    );
    let odds = ask(
        "campaign.combat",
        &format!(
            r#"{{"attacker_sp": 12, "defender_sp": 12, "ground": "plain", "rounds": [{pitched}, {pitched}]}}"#
        ),
    );
    assert!(odds["odds"].as_array().unwrap().len() > 5);
}

const FORCES: &str = r#""attacker": {"infantry": 10, "cavalry": 4, "initiative": 4}, "defender": {"infantry": 6, "cavalry": 1, "initiative": 2}"#;

fn battle(fields: &str) -> serde_json::Value {
    ask("campaign.battle", &format!("{{{FORCES}{fields}}}"))
}

#[test]
fn a_pursuit_battle_goes_from_guns_to_pursuit() {
    // 14 to 7 is 2-1, die 3: 2/3, the defender retreats 3; pursuer 4, retreat 3: column 6.
    // Matrix 4 against 2 is 0; the attacker, with his 2 losses in foot, keeps 4 horse to 1: -3; die 5 - 3 = 2: 3 hexes.
    let reply = battle(r#", "dice": [3, 5]"#);
    assert_eq!(
        reply["answer"],
        json!({"ending": "retreat", "rounds": 1, "loser": "defender", "attacker_lost": 2, "defender_lost": 3,
               "retreat": 3, "advance": 3, "critical": null})
    );
    assert_eq!(effect(&reply, "CA-pursuit-07").as_deref(), Some("-3"));
    let still = battle(r#", "pursue": false, "dice": [3]"#);
    assert_eq!(still["answer"]["defender_lost"], 2, "the loser loses at least what the winner lost");
    let through = battle(r#", "retreat": {"through_ezoc": true}, "dice": [3, 5]"#);
    assert_eq!(through["answer"]["defender_lost"], 6);
    let river =
        battle(r#", "retreat": {"crossing": "secondary-river", "through_ezoc": true}, "dice": [3, 5]"#);
    assert_eq!(river["answer"]["defender_lost"], 6);
    let blocked = battle(r#", "retreat": {"blocked": 2}, "dice": [3, 5]"#);
    assert_eq!(blocked["answer"]["defender_lost"], 5);
    assert_eq!(blocked["answer"]["advance"], 2);
    assert!(effect(&blocked, "CA-pursuit-05").is_some());
    let rain = battle(r#", "weather": "rain", "dice": [3, 5]"#);
    assert_eq!(effect(&rain, "CA-initiative-03").as_deref(), Some("+1"));
    // Rain adds 1 to the pursuer's die: 5 - 3 + 1 = 3, column 6: 2 hexes.
    assert_eq!(rain["answer"]["advance"], 2);
    // A battle scenario knows one point of cavalry, and spares a pursuer who is all cavalry one.
    let horse = ask(
        "campaign.battle",
        r#"{"attacker": {"infantry": 0, "cavalry": 14, "initiative": 4}, "defender": {"infantry": 7, "initiative": 2},
            "game": "battle", "dice": [3, 5]}"#,
    );
    assert_eq!(effect(&horse, "CA-pursuit-08").as_deref(), Some("-1"));
    assert_eq!(effect(&horse, "CA-initiative-04").as_deref(), Some("-1"));
    assert_eq!(effect(&horse, "CA-R26").as_deref(), Some("-1"));
    // Column 6 again; 5 - 1 - 1 = 3: 2 hexes.
    assert_eq!(horse["answer"]["advance"], 2);
}

#[test]
fn a_lost_round_slows_the_pursuit() {
    let reply = ask(
        "campaign.battle",
        r#"{"attacker": {"infantry": 20, "initiative": 4}, "defender": {"infantry": 20, "initiative": 2},
            "rounds": [{"attacker": "pitched", "defender": "pitched"}, {"attacker": "pitched", "defender": "pitched"},
                       {"attacker": "pursuit", "defender": "pitched"}], "dice": [6, 1, 1, 4]}"#,
    );
    // The attacker lost two rounds, 20 to 20 die 6 (3/1) and 17 to 19 die 1 (1/3): +2 when he pursues in the
    // third. There 14 to 18 is 2-3, die 1: 1/4; pursuer 4, retreat 4: column 5; die 4 + 2 = 6: 2 hexes.
    assert_eq!(effect(&reply, "CA-pursuit-09").as_deref(), Some("+2"));
    assert_eq!((&reply["answer"]["retreat"], &reply["answer"]["advance"]), (&json!(4), &json!(2)));
    assert_eq!(reply["answer"]["critical"], "attacker");
    assert_eq!(effect(&reply, "CA-vienna-morale-07").as_deref(), Some("= attacker"));
}

#[test]
fn rain_and_snow_hinder_whoever_leaves_and_whoever_pursues() {
    // 3 against 3 is +1 on the matrix.
    let resistance = |weather: &str, purpose: &str| {
        let request =
            format!(r#"{{"active": 3, "passive": 3, "weather": "{weather}", "purpose": "{purpose}"}}"#);
        answer("campaign.initiative", &request)
    };
    assert_eq!(resistance("clear", "leave-zoc"), json!({"initiative": 1, "resistance": 1}));
    for weather in ["rain", "snow"] {
        assert_eq!(resistance(weather, "leave-zoc"), json!({"initiative": 1, "resistance": 0}));
        assert_eq!(resistance(weather, "pursuit"), json!({"initiative": 1, "resistance": 2}));
    }
}

#[test]
fn ground_water_and_weather_in_an_attack() {
    assert_eq!(battle(r#", "side": "lake""#)["refused"]["rule"], "CA-terrain-19");
    assert_eq!(battle(r#", "side": "primary-river""#)["refused"]["rule"], "CA-terrain-22");
    let ice = battle(r#", "side": "primary-river", "weather": "frost", "dice": [3, 5]"#);
    assert!(effect(&ice, "CA-terrain-20").is_some() && effect(&ice, "CA-terrain-25").is_some());
    let both = battle(r#", "side": "secondary-bridge", "hex": "hill", "dice": [3, 5]"#);
    assert!(effect(&both, "CA-terrain-35").is_some());
    assert_eq!(effect(&both, "CA-crt-02").as_deref(), Some("= 7"), "line A once: 2-1 is column 7");
    let town = battle(r#", "hex": "town", "ground": "wooded-hill", "dice": [3, 5]"#);
    assert!(effect(&town, "CA-terrain-11").is_some() && effect(&town, "CA-terrain-10").is_some());
    // 10 x 0.75 + 4 x 0.5 = 9.5 against 7: 1-1.
    assert_eq!(effect(&town, "CA-crt-03").as_deref(), Some("= 1-1"));
    let citadel = battle(r#", "hex": "citadel", "dice": [3, 5]"#);
    assert_eq!(effect(&citadel, "CA-crt-03").as_deref(), Some("= 1-1"), "14 against 7 doubled");
    let siege = battle(r#", "hex": "citadel", "declines": true"#);
    assert_eq!(siege["answer"]["ending"], "siege");
    assert!(effect(&siege, "CA-terrain-16").is_some());
    assert_eq!(battle(r#", "declines": true"#)["refused"]["field"], "declines");
    let fog = ask(
        "campaign.battle",
        r#"{"attacker": {"infantry": 9, "artillery": 5, "initiative": 3}, "defender": {"infantry": 9, "initiative": 3}, "fog": true, "pursue": false, "dice": [3]}"#,
    );
    assert!(fog["answer"].is_object(), "fog silences the guns of the first round: {fog}");
}

#[test]
fn the_counterattack_is_due_except_over_water_and_from_a_citadel() {
    let rounds = r#", "rounds": [{"attacker": "pitched", "defender": "pitched"}, {"attacker": "pitched", "defender": "pitched"}], "stops_after": 1"#;
    assert_eq!(battle(rounds)["refused"]["field"], "stops_after");
    let river = battle(&format!(r#"{rounds}, "side": "secondary-river", "dice": [3]"#));
    assert_eq!(river["answer"]["ending"], "stopped");
    assert!(effect(&river, "CA-terrain-23").is_some());
    let citadel = battle(&format!(r#"{rounds}, "hex": "citadel", "dice": [3]"#));
    assert_eq!(citadel["answer"]["ending"], "stopped");
    let vedette = ask(
        "campaign.battle",
        r#"{"attacker": {"infantry": 3, "initiative": 3}, "defender": {"infantry": 0, "cavalry": 1, "initiative": 1, "vedette": true},
            "hex": "town", "rounds": [{"attacker": "pitched", "defender": "pitched"}]}"#,
    );
    assert_eq!(vedette["refused"]["rule"], "CA-terrain-12");
}

#[test]
fn zones_of_control_and_their_exceptions() {
    let leave = |arm: &str, sp: &str, cavalry: bool, campaign: bool| {
        let request = format!(
            r#"{{"arm": "{arm}", "hex": "clear", "leaves_zoc": {{"enemy_sp": {sp}, "enemy_has_cavalry": {cavalry}, "campaign": {campaign}}}}}"#
        );
        answer("campaign.move-cost", &request)["mp"].as_f64().unwrap() - 1.0
    };
    let close = |found: f64, wanted: f64| assert!((found - wanted).abs() < 1e-9, "{found} for {wanted}");
    close(leave("infantry", "1", false, true), 0.0);
    close(leave("infantry", "2", false, true), 1.0);
    close(leave("infantry", "3", false, true), 2.0);
    close(leave("infantry", "1.5", false, true), 2.0);
    close(leave("artillery", "2", true, true), 1.0);
    close(leave("cavalry", "5", false, true), 0.0);
    close(leave("cavalry", "5", true, true), 2.0);
    close(leave("cavalry", "2", true, true), 1.0);
    close(leave("infantry", "1", false, false), 2.0);
    close(leave("cavalry", "5", false, false), 2.0);
    let forager = ask(
        "campaign.move-cost",
        r#"{"arm": "infantry", "hex": "clear", "leaves_zoc": {"enemy_sp": 5, "enemy_has_cavalry": false, "enemy_foraging": true, "campaign": true}}"#,
    );
    assert_eq!(forager["answer"]["mp"], 1);
    assert!(effect(&forager, "CA-terrain-40").is_some());
    // Several enemies: the highest of their costs.
    let reply = ask(
        "campaign.reach",
        r#"{"hex": "2021", "arm": "infantry", "to": "1922", "enemies": [{"hex": "2121", "sp": 1}, {"hex": "2122", "sp": 2}]}"#,
    );
    assert_eq!(effect(&reply, "CA-R38").as_deref(), Some("= 1 MP"));
}

#[test]
fn bridge_work_and_its_refusals() {
    let work = |fields: &str| format!("{{{fields}}}");
    assert_eq!(
        refused(
            "campaign.bridge",
            &work(r#""bridge": "pontoon", "action": "repair", "enemy": "at-the-bridge""#)
        )
        .1
        .as_deref(),
        Some("CA-bridges-14")
    );
    assert_eq!(
        refused("campaign.bridge", &work(r#""bridge": "primary-river", "action": "lay""#)).1.as_deref(),
        Some("CA-bridges-13")
    );
    assert_eq!(
        refused("campaign.bridge", &work(r#""bridge": "primary-river", "action": "cross", "damaged": true"#))
            .1
            .as_deref(),
        Some("CA-R33")
    );
    for (action, mp) in [("lay", 3), ("take-up", 2)] {
        let found = answer("campaign.bridge", &format!(r#"{{"bridge": "pontoon", "action": "{action}"}}"#));
        assert_eq!(found, json!({"mp": mp, "march_mp": 0}));
    }
    assert_eq!(
        answer("campaign.bridge", r#"{"bridge": "secondary-river", "action": "cross"}"#),
        json!({"mp": 1, "march_mp": 1})
    );
}

#[test]
fn vienna_and_the_talks() {
    let level = |morale: i32, events: &str| {
        ask("campaign.morale", &format!(r#"{{"morale": {morale}, "events": [{events}]}}"#))
    };
    assert_eq!(
        level(3, r#""napoleon-eliminated""#)["answer"],
        json!({"morale": 3, "operational_victory": true})
    );
    assert_eq!(level(-5, r#""french-capture-olmutz""#)["answer"]["morale"], -5);
    assert_eq!(
        level(0, r#""critical-battle-won-by-french", "critical-battle-won-by-french""#)["answer"]["morale"],
        -2
    );
    assert_eq!(
        level(0, r#""french-capture-olmutz", "french-capture-olmutz""#)["refused"]["field"],
        "events.1"
    );
    assert_eq!(
        refused("campaign.negotiation", r#"{"morale": 0, "refused_before": true}"#).1.as_deref(),
        Some("CA-negotiation-03")
    );
    let held = ask("campaign.negotiation", r#"{"morale": -5, "held_before": true, "dice": [3, 3]}"#);
    assert_eq!(held["answer"], json!({"result": "again", "turns": 0}));
    assert!(effect(&held, "CA-negotiation-07").is_some());
    assert_eq!(
        answer("campaign.ultimatum", r#"{"morale": 0, "turn": 9, "first_turn": 9, "dice": [4]}"#),
        json!({"result": "roll-again", "die": 4})
    );
}

#[test]
fn the_reserve_holds_what_it_receives() {
    let found =
        answer("campaign.admin", r#"{"source": "vienna", "distance": 0, "accumulated": 17, "dice": [5, 5]}"#);
    assert_eq!(found, json!({"ap": 6, "accumulated": 20}));
    let battle = answer("campaign.cavalry", r#"{"active": 9, "passive": 3, "game": "battle"}"#);
    assert_eq!(battle, json!({"modifier": -1}));
}
