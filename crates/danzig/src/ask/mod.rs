//! The umpire's questions of Danzig, as plain facts or about a position of a game.

mod ops;
mod siege;

use rulebook::{Asking, Inquiring};

use crate::State;

/// Every question of this system.
#[must_use]
pub fn questions() -> Vec<Asking> {
    let mut all = ops::questions();
    all.extend(siege::questions());
    all
}

/// Every question of this system, asked about a position of a game: the request names counters, points
/// and works instead of describing them.
#[must_use]
pub fn inquiries() -> Vec<Inquiring<State>> {
    let mut all = ops::inquiries();
    all.extend(siege::inquiries());
    all
}
