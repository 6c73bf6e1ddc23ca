//! Random games to the end, with the invariants of the table checked after every action.

use danzig::{State, auto_choice};
use kernel::{Desk, Game as _, Live, Setup, Silent};

/// Most decisions a game may take before it counts as endless.
const MOST: usize = 300_000;

/// How often each kind of action was taken, and how the games ended.
type Tally = std::collections::BTreeMap<String, usize>;

fn play(number: u64, tally: &mut Tally) -> usize {
    let first = std::env::var("GLACIS_FIRST").ok().and_then(|text| text.parse().ok()).unwrap_or(0);
    let number = number + first;
    let mut state = State::start(&Setup::default()).expect("the default set-up is legal");
    let mut dice = Live::numbered(number);
    let mut desk = Desk::new(Live::numbered(number + 1_000_000), Silent);
    let mut actions = Vec::new();
    let mut last = std::collections::VecDeque::new();
    for count in 0..MOST {
        let Some(side) = state.to_move() else {
            let outcome = state.outcome().expect("nobody is to move");
            *tally.entry(format!("outcome {:?}", outcome.result)).or_default() += 1;
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
        *tally.entry(kind(&action)).or_default() += 1;
        last.push_back(action);
        if last.len() > 12 {
            last.pop_front();
        }
        if let Err(fault) = crate::common::invariants(&state) {
            panic!("game {number}, decision {count}, after {action:?}: {fault}");
        }
    }
    panic!("game {number} does not end: turn {}, round {}: {last:?}", state.table.turn, state.clock.round);
}

#[test]
fn games_come_to_an_end() {
    let games = std::env::var("GLACIS_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(200);
    let mut total = 0;
    let mut tally = Tally::new();
    for number in 0..games {
        total += play(number, &mut tally);
    }
    println!("{games} games, {total} decisions: {tally:#?}");
    assert!(total > 0);
}

fn kind(action: &danzig::Action) -> String {
    let text = format!("{action:?}");
    let mut words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_owned();
    match action {
        danzig::Action::Build(_) | danzig::Action::SiegeMove(_) | danzig::Action::March(_) => {
            format!("{first} {}", words.next().unwrap_or_default())
        }
        _ => first,
    }
}
