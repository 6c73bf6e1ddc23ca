//! Silent playouts on one core, a uniformly random choice from the full list at every decision: how fast
//! a game is. For the programs that measure it, and the chores that count its instructions.

use std::time::Instant;

use crate::{Desk, Game, Live, Setup, Silent};

/// What was played.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    games: u64,
    decisions_of_whole_games: u64,
    decisions: u64,
    choices: u64,
}

/// Plays whole games with these setups in turn until so many decisions are made (the first argument of
/// the program, if it has one; the last game is cut short) and prints what was played and how fast, by the
/// clock and by the processor, and how long the clone of a state in mid-game takes.
pub fn playouts<G: Game>(setups: &[Setup], usual: u64) {
    let most = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(usual);
    let Some(first) = setups.first() else { return };
    // Maps and tables are made once; that is no part of a decision.
    game::<G>(first, 0, 2_000, &mut Played::default());
    let mut played = Played::default();
    let (clock, processor) = (Instant::now(), processor_seconds());
    for (number, setup) in (0..).zip(setups.iter().cycle()) {
        game::<G>(setup, number, most, &mut played);
        if played.decisions >= most {
            break;
        }
    }
    report(&played, "clock", clock.elapsed().as_secs_f64());
    if let (Some(before), Some(after)) = (processor, processor_seconds()) {
        report(&played, "processor", after - before);
    }
    clones::<G>(first);
}

/// Plays one game to its end, or until so many decisions have been made in all, and gives the last state.
fn game<G: Game>(setup: &Setup, number: u64, most: u64, played: &mut Played) -> Option<G> {
    let mut state = G::start(setup).ok()?;
    let mut choice = Live::numbered(number);
    let mut desk = Desk::new(Live::numbered(number ^ 0x5eed), Silent);
    let mut actions = Vec::new();
    let before = played.decisions;
    while let Some(side) = state.to_move() {
        if played.decisions == most {
            return Some(state);
        }
        state.actions(side, &mut actions);
        let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
        state.perform(side, actions.get(choice.below(count) as usize)?, &mut desk);
        played.decisions += 1;
        played.choices += u64::from(count);
    }
    played.games += 1;
    played.decisions_of_whole_games += played.decisions - before;
    Some(state)
}

/// How long the clone of a state in mid-game takes.
fn clones<G: Game>(setup: &Setup) {
    const CLONES: u32 = 100_000;
    let Some(state) = game::<G>(setup, 7, 150, &mut Played::default()) else { return };
    let clock = Instant::now();
    for _ in 0..CLONES {
        std::hint::black_box(std::hint::black_box(&state).clone());
    }
    println!("    clone {:7.3} microseconds", clock.elapsed().as_secs_f64() * 1e6 / f64::from(CLONES));
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn report(played: &Played, by: &str, seconds: f64) {
    println!(
        "{by:>9} {seconds:7.3} s: {:9.0} decisions/s, {:6.1} games/s; {} decisions, {} whole games, mean length {:.0}, mean branching {:.1}",
        played.decisions as f64 / seconds,
        played.decisions as f64 / seconds * played.games as f64 / played.decisions_of_whole_games as f64,
        played.decisions,
        played.games,
        played.decisions_of_whole_games as f64 / played.games as f64,
        played.choices as f64 / played.decisions as f64,
    );
}

/// The time this process has had the processor, where the system tells.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
