//! How often a player is asked: a game with sensible play takes no more decisions than an evening has
//! patience for.

use std::collections::BTreeMap;

use danzig::{Cut, Outcome, Phase, Side, State, auto_choice};
use kernel::{Desk, Game as _, Live, Setup, Silent};

/// The decisions of a game: all of them, those of each turn of each side, and how many of each kind.
struct Asked {
    all: usize,
    turns: BTreeMap<(u8, Side), usize>,
    kinds: BTreeMap<&'static str, usize>,
    outcome: Option<Outcome>,
    last: u8,
}

fn play(scenario: &str, seed: u64) -> Asked {
    let setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
    let mut state = State::start(&setup).unwrap();
    let (mut stream, mut desk) = (Live::numbered(seed), Desk::new(Live::numbered(seed + 1000), Silent));
    let mut asked = Asked { all: 0, turns: BTreeMap::new(), kinds: BTreeMap::new(), outcome: None, last: 0 };
    let mut actions = Vec::new();
    while let Some(side) = state.to_move() {
        state.actions(side, &mut actions);
        let action = actions[auto_choice(&state.view(Some(side)), &actions, &mut stream)];
        if state.phase != Phase::SetUp {
            asked.all += 1;
            *asked.turns.entry((state.table.turn, side)).or_default() += 1;
            *asked.kinds.entry(State::topic(&action).kind).or_default() += 1;
        }
        state.apply(side, &action, &mut desk).unwrap();
    }
    Asked { outcome: state.outcome(), last: state.table.turn, ..asked }
}

/// A cut of the siege begins as the siege stood, and ends with its last turn or a surrender.
#[test]
fn a_short_scenario_is_a_few_turns_of_the_siege() {
    for cut in Cut::ALL {
        let Asked { all, turns, outcome, last, .. } = play(cut.scenario(), 1);
        let outcome = outcome.expect("it is over");
        eprintln!("{cut:?}: {all} decisions, {outcome:?}");
        assert_eq!(turns.keys().next().map(|(turn, _)| *turn), Some(cut.first_turn()));
        assert!(last == cut.last_turn() || outcome.surrendered.is_some(), "{cut:?} ended on turn {last}");
        assert_eq!(outcome.cut, Some(cut));
        assert!(all < 500, "{cut:?}: {all} decisions");
    }
}

#[test]
fn a_sensible_game_takes_an_evening() {
    for seed in 1..=3 {
        let Asked { all, turns, kinds, .. } = play(danzig::SCENARIOS[0], seed);
        let mut of_turns: Vec<usize> = turns.into_values().collect();
        of_turns.sort_unstable();
        let median = of_turns[of_turns.len() / 2];
        eprintln!("seed {seed}: {all} decisions, {median} in the middle turn of a player, {kinds:?}");
        assert!(all <= 1_500, "seed {seed}: {all} decisions");
        assert!(median < 60, "seed {seed}: {median} decisions in the middle turn of a player");
    }
}
