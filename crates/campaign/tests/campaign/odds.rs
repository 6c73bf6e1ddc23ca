//! Odds: the chains and the phases against every path of dice walked one by one.

use campaign::battle::{Battle, Force, Points, Retreat, Stance, Stances};
use campaign::combat::{Affair, Attack};
use campaign::politics::{self, Talks};
use campaign::tables::Line;
use campaign::terms::{Foraging, Game, Ground, Hex, Month, Side, Strength, Weather};
use campaign::weather::{self, Memory};
use kernel::{Desk, Odds, Silent};
use serde_json::json;

use crate::{answer, ask};

/// A battle with guns on both sides.
fn battle(rounds: Vec<Stances>) -> Battle {
    let force = |infantry, cavalry, artillery, initiative, bonus| Force {
        points: Points { infantry, cavalry, artillery },
        initiative,
        bonus,
        ..Force::default()
    };
    Battle {
        forces: [force(14, 4, 3, 4, 1), force(8, 1, 2, 2, 0)],
        hex: Hex::Hill,
        ground: Ground::Clear,
        attacker_hex: Hex::Clear,
        attacker_ground: Ground::Clear,
        side: Side::None,
        weather: Weather::Snow,
        fog: false,
        rounds,
        shift: 0,
        after_failed_repulse: false,
        declines: false,
        stops_after: None,
        negotiations: false,
        pursue: true,
        retreat: Retreat::default(),
        game: Game::Campaign,
    }
}

#[test]
fn the_phases_of_a_battle_give_the_same_odds_as_one_long_walk() {
    let battle = battle(Vec::new());
    let options = Default::default();
    let walked = Odds::of(|dice| battle.fight(&options, &mut Desk::new(dice, Silent)).unwrap()).unwrap();
    let phased = battle.odds(&options).unwrap().odds;
    assert!(walked.counts().len() > 20);
    assert_eq!(walked.counts().len(), phased.counts().len());
    for (state, chance) in walked.iter() {
        assert_eq!(chance, phased.chance(state));
    }
}

#[test]
fn a_battle_of_three_rounds_can_still_be_foreseen() {
    let pitched = Stances { attacker: Stance::Pitched, defender: Stance::Pitched };
    let last = Stances { attacker: Stance::Pursuit, defender: Stance::Pitched };
    let odds = battle(vec![pitched, pitched, last]).odds(&Default::default()).unwrap().odds;
    let sum: kernel::Count = odds.counts().iter().map(|(_, cases)| cases).sum();
    assert_eq!(&sum, odds.total());
    assert!(odds.counts().iter().any(|(state, _)| state.rounds_lost[0] == 2));
}

#[test]
fn the_longest_battle_can_be_asked_without_dice() {
    let rounds = [r#"{"attacker": "pitched", "defender": "pitched"}"#; 6].join(", ");
    let battle = ask(
        "campaign.battle",
        &format!(
            r#"{{"attacker": {{"infantry": 31, "cavalry": 8, "artillery": 5, "initiative": 5, "bonus": 2}},
            "defender": {{"infantry": 24, "cavalry": 5, "artillery": 6, "initiative": 2}},
            "rounds": [{rounds}]}}"#
        ),
    );
    let combat = ask(
        "campaign.combat",
        &format!(r#"{{"attacker_sp": 30, "defender_sp": 24, "ground": "plain", "rounds": [{rounds}]}}"#),
    );
    for reply in [battle, combat] {
        let odds = reply["odds"].as_array().unwrap();
        assert!(odds.len() > 100, "{reply}");
        assert!(odds.iter().all(|outcome| outcome["answer"]["rounds"].as_i64() <= Some(6)));
    }
}

#[test]
fn the_rounds_of_a_combat_give_the_same_odds_as_one_long_walk() {
    let pitched = Stances { attacker: Stance::Pitched, defender: Stance::Pitched };
    let affair = Affair {
        first: Attack {
            attacker: Strength::whole(9),
            defender: Strength::whole(7),
            line: Line::Na,
            shift: 1,
            bonus: 1,
            defender_bonus: 0,
            snow: false,
            after_failed_repulse: false,
            foraging: Foraging::None,
        },
        counter: Line::A,
        stances: &[pitched; 3],
    };
    let options = Default::default();
    let walked = Odds::of(|dice| affair.fight(&options, &mut Desk::new(dice, Silent)).unwrap()).unwrap();
    assert_eq!(walked, affair.odds(&options).unwrap().odds);
}

#[test]
fn the_weather_chain_is_the_weather_rolled_turn_by_turn() {
    let options = Default::default();
    let months = [Month::November, Month::November, Month::December, Month::December];
    let chain = weather::ahead(&months, Memory::default(), Game::Campaign, &options).unwrap();
    let walked = Odds::of(|dice| {
        let mut desk = Desk::new(dice, Silent);
        let mut memory = Memory::default();
        let mut seen = (Weather::Clear, false);
        for month in months {
            let sky = weather::roll(month, memory, Game::Campaign, &options, &mut desk);
            memory = Memory { die: Some(sky.natural), weather: Some(sky.weather) };
            seen = (sky.weather, sky.fog);
        }
        seen
    })
    .unwrap();
    assert_eq!(chain.counts().len(), walked.counts().len());
    for (sky, chance) in walked.iter() {
        assert_eq!(chance, chain.chance(sky), "{sky:?}");
    }
}

#[test]
fn the_weather_some_turns_ahead_is_exact() {
    let one = answer("campaign.weather", r#"{"month": "november", "turns": 1}"#);
    assert_eq!(
        one,
        json!({"turns": 1, "distribution": [
            {"p": "1/6", "outcome": {"weather": "snow", "fog": false}},
            {"p": "1/6", "outcome": {"weather": "snow", "fog": true}},
            {"p": "1/3", "outcome": {"weather": "rain", "fog": false}},
            {"p": "1/6", "outcome": {"weather": "mud", "fog": false}},
            {"p": "1/6", "outcome": {"weather": "mud", "fog": true}},
        ]})
    );
    // Clear weather in November needs two sixes running.
    let two = answer("campaign.weather", r#"{"month": "november", "turns": 2}"#);
    let clear = two["distribution"]
        .as_array()
        .unwrap()
        .iter()
        .find(|sky| sky["outcome"]["weather"] == "clear")
        .unwrap();
    assert_eq!(clear["p"], "1/36");
    let far = answer("campaign.weather", r#"{"month": "november", "turn": 1, "turns": 23}"#);
    assert!(far["distribution"].as_array().unwrap().len() >= 8);
}

#[test]
fn the_negotiation_chain_is_the_negotiation_rolled_turn_by_turn() {
    for morale in [-5, -3, 0, 3] {
        let chain = politics::negotiate_ahead(morale, Talks::NotYet, 3).unwrap();
        let walked = Odds::of(|dice| {
            let mut desk = Desk::new(dice, Silent);
            let mut talks = Talks::NotYet;
            for _ in 0..3 {
                if let Ok((reply, turns)) = politics::negotiate(morale, talks, &mut desk) {
                    talks = politics::after(talks, reply, turns);
                }
            }
            talks
        })
        .unwrap();
        for (talks, chance) in walked.iter() {
            assert_eq!(chance, chain.chance(talks), "{morale} {talks:?}");
        }
    }
    let once = answer("campaign.negotiation", r#"{"morale": 3, "turns": 1}"#);
    assert_eq!(
        once,
        json!({"after_turns": 1, "endings": [
            {"p": "13/18", "outcome": "refused"},
            {"p": "1/4", "outcome": "not-opened"},
            {"p": "1/36", "outcome": "under-way"},
        ]})
    );
    let long =
        answer("campaign.negotiation", r#"{"morale": -5, "turns": 23, "under_way": true, "turns_left": 2}"#);
    assert!(long["endings"].as_array().unwrap().iter().any(|end| end["outcome"] == "marginal-victory"));
}
