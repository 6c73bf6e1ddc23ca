//! What a game offers to whoever thinks ahead, beside its doctrine.

use std::collections::BTreeMap;

use kernel::Live;

use crate::Planner;

/// A game that can be thought ahead in: its ends, and its positions before them, are worth something. All
/// but the worth of an end has a default.
pub trait Searcher: Planner<View: Sync, Action: Send + Sync, Side: Send + Sync> {
    /// So many decisions after the last that was thought about, a playout is cut and the position judged.
    const HORIZON: u32 = 200;

    /// What an end is worth to a side: 1 when it has won, 0 when it has lost, one half when neither has.
    fn score(outcome: &Self::Outcome, side: Self::Side) -> f64;

    /// What a position in the middle of the game is worth to a side, from 0 to 1: as far as is known, the
    /// score that it may expect.
    fn evaluate(&self, _side: Self::Side) -> f64 {
        0.5
    }

    /// Whether the decision is worth thinking about. Where it is not, the doctrine is followed.
    #[must_use]
    fn weighty(_side: Self::Side, _view: &Self::View, offered: &[Self::Action]) -> bool {
        offered.len() > 1
    }

    /// What else might be done than the doctrine says, the most promising first; `most` at most. By default
    /// one of every kind by lot, then a second of every kind, and so on.
    #[must_use]
    fn alternatives(
        _side: Self::Side,
        _view: &Self::View,
        offered: &[Self::Action],
        most: usize,
        stream: &mut Live,
    ) -> Vec<Self::Action> {
        one_of_each_kind::<Self>(offered, most, stream)
    }
}

/// One of every kind by lot, then a second of every kind, and so on: `most` of them at most.
pub fn one_of_each_kind<G: Searcher>(
    offered: &[G::Action],
    most: usize,
    stream: &mut Live,
) -> Vec<G::Action> {
    let mut kinds = BTreeMap::<&str, Vec<&G::Action>>::new();
    for action in offered {
        kinds.entry(G::topic(action).kind).or_default().push(action);
    }
    let mut kinds: Vec<Vec<&G::Action>> = kinds.into_values().collect();
    let mut drawn = Vec::new();
    while !kinds.is_empty() {
        for kind in &mut kinds {
            if drawn.len() == most {
                return drawn;
            }
            let place = stream.below(u32::try_from(kind.len()).unwrap_or(u32::MAX)) as usize;
            if place < kind.len() {
                drawn.push(kind.swap_remove(place).clone());
            }
        }
        kinds.retain(|kind| !kind.is_empty());
    }
    drawn
}
