//! The player who understands the game: it gives the orders of the game's own doctrine.

use kernel::{Game, Live};

use crate::{Player, Random};

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

/// The order that the doctrine gives this side on this table, or one by lot where the rules refuse that; none
/// where nothing is offered.
pub(crate) fn order_of<G: Planner>(
    state: &G,
    side: G::Side,
    view: &G::View,
    offered: &[G::Action],
    stream: &mut Live,
) -> Option<G::Action> {
    if offered.is_empty() {
        return None;
    }
    let order = G::plan(side, view, offered, stream);
    let legal = offered.binary_search(&order).is_ok() || state.validate(side, &order).is_ok();
    Some(if legal { order } else { Player::<G>::choose(&mut Random, side, view, offered, stream) })
}
