//! The operational rounds: as long as anybody is wanted elsewhere the half-round is played.

use kernel::Game as _;

use super::super::Mind;
use super::super::march::{self, Errand};
use super::posts;
use crate::action::Action;
use crate::ops;
use crate::state::{Hand, Phase};
use crate::unit::{Marks, Side};

/// After so many rounds of a turn whoever has not arrived stays where he is.
const PATIENCE: u16 = 40;

/// Played, if there is anything to be ordered or anybody to be attacked; passed otherwise.
pub(super) fn half(mind: &Mind<'_>) -> Action {
    if mind.state.clock.round > PATIENCE {
        return Action::Pass;
    }
    let mut imagined = mind.state.clone();
    imagined.phase = Phase::Move;
    let mut offered = Vec::new();
    imagined.actions(mind.side, &mut offered);
    let mind = Mind { plan: mind.plan, state: &imagined, side: mind.side, offered: &offered };
    let mut contact = false;
    ops::list_melees(mind.table(), Side::French, |_| contact = true);
    ops::list_fire(mind.table(), Side::French, false, |_| contact = true);
    if contact || order(&mind).is_some() { Action::PlayHalf } else { Action::Pass }
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
    let fresh = |errand: &Errand| errand.units.iter().all(|unit| !mind.table().marked(unit, Marks::MOVED));
    posts::errands(mind).iter().filter(|errand| fresh(errand)).find_map(|errand| march::towards(mind, errand))
}
