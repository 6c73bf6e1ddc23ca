//! What holds whatever is asked.

use campaign::combat::{self, Attack};
use campaign::map::{HexId, map};
use campaign::routes::Field;
use campaign::terms::{Arm, Foraging, Game, Strength, Weather};
use campaign::{Line, pursuit, tables};
use kernel::MovementPoints;
use proptest::prelude::*;

use crate::ask;

fn arm() -> impl Strategy<Value = Arm> {
    prop::sample::select(Arm::ALL)
}

fn weather() -> impl Strategy<Value = Weather> {
    prop::sample::select(Weather::ALL)
}

fn any_hex() -> impl Strategy<Value = HexId> {
    (1..=39_i32, 1..=54_i32).prop_filter_map("in play", |(column, row)| {
        HexId::new(column, row).filter(|&hex| map().cell(hex).in_play)
    })
}

proptest! {
    #[test]
    fn the_level_is_the_highest_not_above_the_ratio(attacker in 1_i32..400, defender in 1_i32..400) {
        let level = combat::level(Strength::whole(attacker), Strength::whole(defender));
        let value = |level: i32| match level {
            0 => 1.0,
            1 => 1.5,
            -1 => 2.0 / 3.0,
            above if above > 1 => f64::from(above),
            below => 1.0 / f64::from(-below),
        };
        let ratio = f64::from(attacker) / f64::from(defender);
        prop_assert!(value(level.0) <= ratio + 1e-12);
        prop_assert!(value(level.0 + 1) > ratio - 1e-12);
    }

    #[test]
    fn an_attack_always_ends_on_the_chart(
        attacker in 1_i32..400, defender in 1_i32..400, effect: bool, shift in -20_i32..=20, bonus in 0_i32..9,
        snow: bool, repulse: bool, foraging in prop::sample::select(Foraging::ALL), die in 1_u8..=6,
    ) {
        let attack = Attack {
            attacker: Strength::whole(attacker),
            defender: Strength::whole(defender),
            line: if effect { Line::A } else { Line::Na },
            shift, bonus, defender_bonus: 0, snow, after_failed_repulse: repulse, foraging,
        };
        let (outcome, notes) =
            kernel::scripted(&[die], |clerk| combat::resolve(&attack, &Default::default(), clerk)).unwrap();
        prop_assert!((1..=11).contains(&outcome.column) && (0..=6).contains(&outcome.die));
        let cell = tables::combat(outcome.column, outcome.die);
        prop_assert_eq!((cell.attacker, cell.defender, cell.loser), (outcome.attacker, outcome.defender, outcome.loser));
        prop_assert!(notes.reasons().count() >= 5);
    }

    #[test]
    fn a_better_commander_never_pursues_worse(retreat in 1_i32..12, die in -1_i32..=7) {
        let advance = |initiative: i32| {
            let (column, _) =
                kernel::scripted(&[], |clerk| pursuit::column(initiative, retreat, &Default::default(), clerk)).unwrap();
            column.map_or(0, |column| tables::pursuit_advance(column, die))
        };
        for initiative in 0..5 {
            prop_assert!(advance(initiative) <= advance(initiative + 1));
        }
    }

    #[test]
    fn every_path_costs_what_its_steps_cost(start in any_hex(), arm in arm(), weather in weather(), halves in 0_i32..24) {
        let options = Default::default();
        let field = Field::new(map(), weather, Game::Campaign, &[], &[], &options);
        let most = MovementPoints::halves(halves);
        let ways = field.ways(arm, start, most);
        for reached in field.reach(arm, start, most) {
            let path = ways.path(reached.hex);
            prop_assert_eq!(path.first(), Some(&start));
            let mut sum = MovementPoints::ZERO;
            for pair in path.windows(2) {
                let direction = pair[0].towards(pair[1]).unwrap();
                let (step, _) = kernel::scripted(&[], |clerk| field.step(arm, pair[0], direction, clerk)).unwrap();
                sum += step.unwrap().unwrap();
            }
            prop_assert_eq!(sum, reached.cost);
            prop_assert!(sum <= most);
        }
    }

    #[test]
    fn a_mixed_formation_goes_nowhere_its_arms_cannot(start in any_hex(), weather in weather()) {
        let options = Default::default();
        let field = Field::new(map(), weather, Game::Campaign, &[], &[], &options);
        let (foot, horse) = (MovementPoints::whole(6), MovementPoints::whole(9));
        let infantry = field.ways(Arm::Infantry, start, foot);
        let cavalry = field.ways(Arm::Cavalry, start, horse);
        for reached in field.reach_mixed(start, foot, horse) {
            prop_assert!(infantry.cost(reached.hex).is_some_and(|cost| cost <= reached.cost));
            prop_assert!(cavalry.cost(reached.hex).is_some_and(|cost| Some(cost) <= reached.cavalry));
        }
    }

    #[test]
    fn nothing_that_is_asked_brings_the_umpire_down(text in "\\PC{0,60}", place in 0_usize..17) {
        let questions = campaign::questions();
        let asking = &questions[place % questions.len()];
        let reply = asking.ask(&text, rulebook::Lang::Fr);
        prop_assert!(serde_json::from_str::<serde_json::Value>(&reply.json).is_ok());
    }

    #[test]
    fn a_battle_never_loses_more_than_there_is(
        infantry in 1_i32..30, cavalry in 0_i32..10, guns in 0_i32..9, enemy in 1_i32..30,
        dice in prop::collection::vec(1_u8..=6, 12),
    ) {
        let request = format!(
            r#"{{"attacker": {{"infantry": {infantry}, "cavalry": {cavalry}, "artillery": {guns}, "initiative": 3}},
                "defender": {{"infantry": {enemy}, "artillery": {guns}, "initiative": 4}},
                "rounds": [{{"attacker": "pitched", "defender": "pitched"}}, {{"attacker": "pitched", "defender": "pitched"}},
                           {{"attacker": "pursuit", "defender": "pursuit"}}]}}"#
        );
        // As many dice as it takes.
        let reply = (1..=12).map(|many| {
            let request = request.replacen('{', &format!(r#"{{"dice": {:?}, "#, &dice[..many]), 1);
            ask("campaign.battle", &request)
        }).find(|reply| reply.get("answer").is_some());
        let reply = reply.expect("some number of dice is right");
        let lost = |name: &str| i32::try_from(reply["answer"][name].as_i64().unwrap()).unwrap();
        prop_assert!(lost("attacker_lost") <= infantry + cavalry + guns);
        prop_assert!(lost("defender_lost") <= enemy + guns);
    }
}
