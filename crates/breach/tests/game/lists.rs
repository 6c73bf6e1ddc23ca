//! The lists of decisions, whole, at every node of random games: one figure for all of them. Whatever makes
//! listing faster leaves it as it is; a rule or a table that is meant to change the lists changes it.

use std::hash::{Hash as _, Hasher};

use breach::game::{SCENARIOS, State};
use kernel::{Desk, Game as _, Live, Setup, Silent};

use crate::players::{self, Manner};

/// A hash that is the same in every build.
struct Fold(u64);

impl Hasher for Fold {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// All lists of one game, whose players do anything or go for the enemy, and how many decisions it had.
fn lists(number: u64) -> (u64, u64) {
    let scenario = SCENARIOS[usize::try_from(number % 3).unwrap()].to_owned();
    let mut stream = Live::numbered(number);
    let options = if number % 4 == 3 { players::options(&mut stream) } else { Default::default() };
    let manner = if number.is_multiple_of(2) { Manner::Any } else { Manner::Bold };
    let mut state = State::start(&Setup { scenario, options }).unwrap();
    let mut desk = Desk::new(Live::numbered(number ^ 0x5eed), Silent);
    let mut actions = Vec::new();
    let mut fold = Fold(0xcbf2_9ce4_8422_2325);
    let mut decisions = 0;
    while let Some(side) = state.to_move() {
        state.actions(side, &mut actions);
        actions.hash(&mut fold);
        let chosen = manner.choose(&state, side, &actions, &mut stream);
        state.perform(side, &actions[chosen], &mut desk);
        decisions += 1;
    }
    (fold.finish(), decisions)
}

#[test]
fn listing_fast_lists_the_same() {
    let games = std::env::var("GLACIS_GAMES").ok().and_then(|count| count.parse().ok()).unwrap_or(12);
    let mut all = Fold(0);
    let mut decisions = 0;
    for number in 0..games {
        let (lists, count) = lists(number);
        all.write_u64(lists);
        decisions += count;
    }
    println!("{games} games, {decisions} decisions: {:#x}", all.finish());
    if games == 12 {
        assert_eq!((decisions, all.finish()), (2_928, 0x9417_dffc_3c73_332d));
    }
}
