//! What the machine thinks ahead by: an assault is won or lost.

use opponent::Searcher;

use super::{Outcome, State};
use crate::scenario::Side;

impl Searcher for State {
    fn score(outcome: &Outcome, side: Side) -> f64 {
        f64::from(u8::from(outcome.winner == side))
    }
}
