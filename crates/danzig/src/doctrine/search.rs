//! What the machine thinks ahead by: the worth of an end, and of a position before it.

use opponent::Searcher;

use crate::state::{Outcome, Score, State};
use crate::unit::Side;

impl Searcher for State {
    /// A French victory is 1 to the besieger and a draw one half; nobody counts how far the other has won.
    fn score(outcome: &Outcome, side: Side) -> f64 {
        let french = match outcome.result {
            Score::FrenchVictory => 1.0,
            Score::Draw => 0.5,
            Score::PrussianMinor | Score::PrussianMajor => 0.0,
        };
        if side == Side::French { french } else { 1.0 - french }
    }
}
