//! What a position is worth: the chance that Danzig surrenders in time, from the morale that will be left
//! at the end of turn 12 if the siege goes on as it stands, and from how much of both walls is still in the
//! way. The weights are set by hand (docs/opponent.md).

use crate::ops;
use crate::siege::{WallId, is_french, steps_on};
use crate::state::{Score, State, Table};
use crate::unit::{Arm, Corps, Place, Side, UnitId};

/// The last turn on which a surrender is a French victory.
const LAST: f64 = 12.0;
/// How steeply the chance falls with each point of morale left.
const STEEP: f64 = 0.55;
/// What a turn that the walls will still cost too much counts as, in points of morale.
const LATE: f64 = 1.0;

/// The worth of a position for a side: 1 for a victory, 1/2 for a draw, 0 for a defeat.
#[must_use]
pub fn worth(state: &State, side: Side) -> f64 {
    let french = match state.outcome.map(|outcome| outcome.result) {
        Some(Score::FrenchVictory) => 1.0,
        Some(Score::Draw) => 0.5,
        Some(Score::PrussianMinor | Score::PrussianMajor) => 0.0,
        None => {
            let table = &state.table;
            let late = (turns_to_open(table) - turns_left(table)).max(0.0);
            1.0 / (1.0 + (STEEP * (morale_left(table) + LATE * late)).exp())
        }
    };
    match side {
        Side::French => french,
        Side::Prussian => 1.0 - french,
    }
}

/// The turns that are left to the French, this one included.
fn turns_left(table: &Table) -> f64 {
    (LAST + 1.0 - f64::from(table.turn.max(1))).max(0.0)
}

/// The morale that is to be expected at the end of turn 12; below 0 as much as there is to spare.
fn morale_left(table: &Table) -> f64 {
    let city = &table.danzig;
    let left = turns_left(table);
    // Every star that is still to be trodden costs a part of a turn.
    let lost =
        ops::map().stars.iter().zip(0..).filter(|(_, place)| table.ops.stars >> place & 1 == 0).map(|_| 1.0);
    let lost: f64 = lost.sum();
    let invested = (left - if table.turn < 2 { 1.0 } else { 0.7 * lost }).max(0.0);
    let mortars = UnitId::of_side(Side::French)
        .filter(|unit| unit.data().arm == Arm::Mortar)
        .map(|unit| match table.unit(unit).place {
            Place::Work(_) => left,
            _ => (LAST - f64::from(unit.data().turn)).clamp(0.0, left),
        })
        .sum::<f64>();
    let walls = if city.first_zero_done { 0.0 } else { 2.0 } + if city.second_line_done { 0.0 } else { 2.0 };
    let corvette = if table.turn >= 11 { 0.0 } else { 1.0 };
    let relief = if city.relief_done || !relief_threatens(table) { 0.0 } else { 1.5 };
    f64::from(city.morale) - invested - mortars / 6.0 - walls * 0.9 - corvette + relief
}

/// Whether Kamenski may still come into the city.
fn relief_threatens(table: &Table) -> bool {
    let kamenski = UnitId::of_side(Side::Prussian).filter(|unit| unit.data().corps == Corps::Kamenski);
    table.turn < crate::relief_turn(&table.options)
        || kamenski.into_iter().any(|unit| matches!(table.unit(unit).place, Place::Hex(_)))
}

/// About how many turns it will take until the second wall can be stormed: the best pair counts.
fn turns_to_open(table: &Table) -> f64 {
    let pair = |first: WallId| {
        let (outer, inner) = (table.siege.wall(first).level, table.siege.wall(first.linked()).level);
        if is_french(table, first.linked()) {
            return 0.0;
        }
        let held = if steps_on(table, Side::Prussian, Place::Wall(first.linked())) > 0 { 0.5 } else { 0.0 };
        f64::from(outer.saturating_sub(10)) / 8.0 + f64::from(inner.saturating_sub(16)) / 4.0 + held
    };
    let guns = if table.turn < 6 { f64::from(6 - table.turn) } else { 0.0 };
    guns + WallId::first_wall().map(pair).fold(f64::MAX, f64::min)
}
