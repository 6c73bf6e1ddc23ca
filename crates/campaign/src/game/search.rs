//! What the machine thinks ahead by: the campaign is won, lost or neither.

use opponent::Searcher;

use super::state::{Outcome, State};
use crate::terms::Army;

impl Searcher for State {
    fn score(outcome: &Outcome, side: Army) -> f64 {
        match outcome.winner {
            Some(winner) => f64::from(u8::from(winner == side)),
            None => 0.5,
        }
    }
}
