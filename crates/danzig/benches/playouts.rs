//! Silent playouts with uniformly random choices, and clones of a state in mid-game.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use danzig::State;
use kernel::{Desk, Game as _, Live, Setup, Silent};

fn main() {
    divan::main();
}

/// Plays until the end or `most` decisions; gives the decisions made and the choices seen.
fn play(number: u64, most: usize) -> (usize, usize, State) {
    let mut state = State::start(&Setup::default()).unwrap_or_else(|refusal| panic!("{refusal}"));
    let mut dice = Live::numbered(number);
    let mut desk = Desk::new(Live::numbered(number ^ 0x5eed), Silent);
    let mut actions = Vec::new();
    let (mut decisions, mut choices) = (0, 0);
    while let Some(side) = state.to_move().filter(|_| decisions < most) {
        state.actions(side, &mut actions);
        choices += actions.len();
        let choice = dice.below(u32::try_from(actions.len()).unwrap_or(1)) as usize;
        let action = actions[choice];
        state.perform(side, &action, &mut desk);
        decisions += 1;
    }
    (decisions, choices, state)
}

/// Decisions per second over 20,000 decisions.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn uniform_decisions(bencher: divan::Bencher<'_, '_>) {
    bencher.counter(divan::counter::ItemsCount::new(20_000_usize)).bench(|| {
        let (mut left, mut number) = (20_000, 0);
        while left > 0 {
            let (decisions, _, _) = play(number, left);
            left -= decisions;
            number += 1;
        }
    });
}

/// A whole game.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn whole_game() -> usize {
    play(7, usize::MAX).0
}

/// A clone of a state in mid-game.
#[divan::bench]
fn clone(bencher: divan::Bencher<'_, '_>) {
    let (_, _, state) = play(7, 3_000);
    bencher.bench_local(|| divan::black_box(&state).clone());
}
