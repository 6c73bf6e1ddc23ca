//! What the luck of a game is measured by: the steps of the armies and the walls.

use crate::state::{Owed, State};
use crate::unit::{Place, Side, UnitId};

/// The steps of an army in play, less those it still owes.
#[must_use]
pub fn steps(state: &State, side: Side) -> i64 {
    let table = &state.table;
    let counters = UnitId::of_side(side).map(|unit| table.unit(unit));
    let in_play = counters.filter(|counter| !matches!(counter.place, Place::Away | Place::Eliminated));
    let owed = table.owed.iter().map(|owed| match owed {
        Owed::Losses { side: whose, steps, .. } if *whose == side => i64::from(*steps),
        _ => 0,
    });
    in_play.map(|counter| i64::from(counter.steps)).sum::<i64>() - owed.sum::<i64>()
}

/// The levels of all wall points.
#[must_use]
pub fn walls(state: &State) -> i64 {
    state.table.siege.walls.iter().map(|wall| i64::from(wall.level)).sum()
}
