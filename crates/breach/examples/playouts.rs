//! Silent playouts on one core, a uniformly random choice from the full list at every decision:
//! `playouts [DECISIONS]` plays whole games until that many decisions are made (the last game is cut
//! short) and prints what was played and how fast, by the clock and by the processor.

use std::time::Instant;

use breach::game::{SCENARIOS, State};
use kernel::{Desk, Game as _, Live, Setup, Silent};

/// What was played.
#[derive(Default)]
struct Played {
    games: u64,
    decisions_of_whole_games: u64,
    decisions: u64,
    choices: u64,
}

fn main() {
    let most = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(100_000);
    // The tables are read once; that is no part of a decision.
    let (mut warm, mut played) = (Played::default(), Played::default());
    game(0, 2_000, &mut warm);
    let (clock, processor) = (Instant::now(), processor_seconds());
    let mut number = 0;
    while played.decisions < most {
        game(number, most, &mut played);
        number += 1;
    }
    let clock = clock.elapsed().as_secs_f64();
    clones();
    report(&played, "clock", clock);
    if let (Some(before), Some(after)) = (processor, processor_seconds()) {
        report(&played, "processor", after - before);
    }
}

/// How long the clone of a state in mid-game takes.
fn clones() {
    const CLONES: u32 = 100_000;
    let Ok(mut state) = State::start(&Setup::default()) else { return };
    let mut choice = Live::numbered(7);
    let mut desk = Desk::new(Live::numbered(8), Silent);
    let mut actions = Vec::new();
    for _ in 0..150 {
        let Some(side) = state.to_move() else { return };
        state.actions(side, &mut actions);
        let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
        let Some(action) = actions.get(choice.below(count) as usize) else { return };
        state.perform(side, action, &mut desk);
    }
    let clock = Instant::now();
    for _ in 0..CLONES {
        std::hint::black_box(std::hint::black_box(&state).clone());
    }
    println!("    clone {:7.3} microseconds", clock.elapsed().as_secs_f64() * 1e6 / f64::from(CLONES));
}

/// Plays one game to its end, or until so many decisions have been made in all.
fn game(number: u64, most: u64, played: &mut Played) {
    // The three scenarios in turn.
    let scenario = SCENARIOS[usize::try_from(number % 3).unwrap_or(0)].to_owned();
    let Ok(mut state) = State::start(&Setup { scenario, ..Setup::default() }) else { return };
    let mut choice = Live::numbered(number);
    let mut desk = Desk::new(Live::numbered(number ^ 0x5eed), Silent);
    let mut actions = Vec::new();
    let before = played.decisions;
    while let Some(side) = state.to_move() {
        if played.decisions == most {
            return;
        }
        state.actions(side, &mut actions);
        let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
        let Some(action) = actions.get(choice.below(count) as usize) else { return };
        state.perform(side, action, &mut desk);
        played.decisions += 1;
        played.choices += u64::from(count);
    }
    played.games += 1;
    played.decisions_of_whole_games += played.decisions - before;
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn report(played: &Played, by: &str, seconds: f64) {
    println!(
        "{:>9} {seconds:7.3} s: {:9.0} decisions/s, {:6.1} games/s; {} decisions, {} whole games, mean length {:.0}, mean branching {:.1}",
        by,
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
