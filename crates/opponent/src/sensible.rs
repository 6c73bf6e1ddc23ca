//! The player who understands the game: it gives the orders of the game's own doctrine.

use kernel::{Game, Live};

use crate::Player;

/// A game whose doctrine is written down: what a sensible player would do with what he sees. It stands
/// beside the rules of the game, which it may ask what is legal.
pub trait Planner: Game {
    /// The order that follows from the doctrine: one of those offered, or another that the game allows.
    fn plan(side: Self::Side, view: &Self::View, offered: &[Self::Action], stream: &mut Live)
    -> Self::Action;
}

/// The sensible player.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sensible;

impl<G: Planner> Player<G> for Sensible {
    fn choose(
        &mut self,
        side: G::Side,
        view: &G::View,
        offered: &[G::Action],
        stream: &mut Live,
    ) -> G::Action {
        G::plan(side, view, offered, stream)
    }
}
