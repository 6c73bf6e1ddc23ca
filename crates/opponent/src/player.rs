//! What a player is.

use kernel::{Game, Live};

/// A player of one game.
pub trait Player<G: Game>: Send {
    /// The order of the side that sees `view`: one of those `offered` to it, or another that the game
    /// allows where it is free. The list is never empty.
    fn choose(
        &mut self,
        side: G::Side,
        view: &G::View,
        offered: &[G::Action],
        stream: &mut Live,
    ) -> G::Action;
}
