//! Random games to the end, with the invariants of the table checked after every action.

mod common;

use danzig::{State, auto_choice};
use kernel::{Desk, Game as _, Live, Setup, Silent};

/// Most decisions a game may take before it counts as endless.
const MOST: usize = 300_000;

fn play(number: u64) -> usize {
    let first = std::env::var("GLACIS_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let number = number + first;
    let mut state = State::start(&Setup::default()).expect("the default set-up is legal");
    let mut dice = Live::numbered(number);
    let mut desk = Desk::new(Live::numbered(number + 1_000_000), Silent);
    let mut actions = Vec::new();
    let mut last = std::collections::VecDeque::new();
    for count in 0..MOST {
        let Some(side) = state.to_move() else {
            assert!(state.outcome().is_some());
            return count;
        };
        state.actions(&mut actions);
        assert!(!actions.is_empty(), "no action in {:?} (game {number})", state.phase);
        let choice = auto_choice(&state, &actions, &mut dice);
        let action = actions[choice];
        if let Err(refusal) = state.check(side, &action) {
            panic!("game {number}, {:?}: {action:?} is offered but {refusal}", state.phase);
        }
        state.perform(&action, &mut desk);
        last.push_back(action);
        if last.len() > 12 {
            last.pop_front();
        }
        if let Err(fault) = common::invariants(&state) {
            panic!("game {number}, decision {count}, after {action:?}: {fault}");
        }
    }
    panic!("game {number} does not end: turn {}, round {}: {last:?}", state.table.turn, state.clock.round);
}

#[test]
fn games_come_to_an_end() {
    let games = std::env::var("GLACIS_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let mut total = 0;
    for number in 0..games {
        total += play(number);
    }
    println!("{games} games, {total} decisions");
    assert!(total > 0);
}
