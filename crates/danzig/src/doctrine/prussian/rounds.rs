//! The operational rounds of the garrison outside, and of the relief.

use kernel::Game as _;

use super::super::Mind;
use super::super::march;
use super::posts;
use crate::action::Action;
use crate::state::{Hand, Phase};
use crate::unit::Marks;

/// After so many rounds of a turn whoever has not arrived stays where he is.
const PATIENCE: u16 = 30;

/// Played, if anybody is wanted elsewhere and can go there; passed otherwise.
pub(super) fn half(mind: &Mind<'_>) -> Action {
    if mind.state.clock.round > PATIENCE {
        return Action::Pass;
    }
    let mut imagined = mind.state.clone();
    imagined.phase = Phase::Move;
    let mut offered = Vec::new();
    imagined.actions(mind.side, &mut offered);
    let mind = Mind { plan: mind.plan, state: &imagined, side: mind.side, offered: &offered };
    if order(&mind).is_some() { Action::PlayHalf } else { Action::Pass }
}

/// One march after the other; the stack in hand first.
pub(super) fn movement(mind: &Mind<'_>) -> Action {
    if let Hand::Moving(mover) = mind.state.hand {
        let errand = posts::errands(mind).into_iter().find(|errand| errand.units == mover.units);
        return errand.and_then(|errand| march::towards(mind, &errand)).unwrap_or_else(|| mind.rest());
    }
    order(mind).unwrap_or_else(|| mind.rest())
}

fn order(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    posts::errands(mind)
        .iter()
        .filter(|errand| errand.units.iter().all(|unit| !table.marked(unit, Marks::MOVED)))
        .find_map(|errand| march::towards(mind, errand))
}
