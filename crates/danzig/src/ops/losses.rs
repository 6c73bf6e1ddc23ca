//! What fire and melee do to the men (series rules 10 and 13, 3.9): steps lost, morale tests,
//! disorder, elimination, rally.

use kernel::{Clerk, Event};
use rulebook::{phrase::danzig_ops as phrase, rule};

use super::field::ground_of;
use super::hex::Hex;
use super::map::Terrain;
use super::retreat::{self, Cause};
use super::series::morale_test;
use crate::{Marks, Owed, Place, Side, Table, UnitId, UnitSet};

/// A counter is gone.
pub(super) fn eliminate(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    let counter = table.unit_mut(unit);
    counter.steps = 0;
    counter.place = Place::Eliminated;
    counter.marks = Marks::default();
    table.ops.boats[unit.side() as usize].units.remove(unit);
    clerk.happened(|| Event::new(phrase::ELIMINATED).with("unit", unit.data().label));
}

/// A counter loses a step.
fn lose_one(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    let counter = table.unit_mut(unit);
    counter.steps = counter.steps.saturating_sub(1);
    if counter.steps == 0 {
        eliminate(table, unit, clerk);
    }
}

/// The counters that a loss may fall on: infantry and cavalry first, guns when alone.
#[must_use]
pub fn exposed(table: &Table, among: UnitSet) -> UnitSet {
    let alive: UnitSet = among.iter().filter(|&unit| table.unit(unit).steps > 0).collect();
    let troops: UnitSet = alive.iter().filter(|unit| !unit.data().arm.is_artillery()).collect();
    if troops.is_empty() { alive } else { troops }
}

/// Takes steps from counters. Where their owner has a choice it is left to him (DZ-R43).
pub(super) fn lose_steps(table: &mut Table, hex: Hex, among: UnitSet, steps: u8, clerk: &mut impl Clerk) {
    if steps == 0 || among.is_empty() {
        return;
    }
    clerk.happened(|| Event::new(phrase::LOSSES).with("hex", hex.to_string()).with("steps", steps));
    for taken in 0..steps {
        let open = exposed(table, among);
        let total: u32 = open.iter().map(|unit| u32::from(table.unit(unit).steps)).sum();
        let Some(first) = open.iter().next() else { return };
        let rest = steps - taken;
        if open.len() > 1 && total > u32::from(rest) {
            table.owed.push(Owed::Losses { side: first.side(), among, steps: rest });
            return;
        }
        lose_one(table, first, clerk);
    }
}

/// Takes an owed step from a counter of the operational map.
pub fn take_loss(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_R43));
    lose_one(table, unit, clerk);
}

/// Whether a friend in or beside a hex was disordered in this step.
fn friend_shaken(table: &Table, side: Side, hex: Hex) -> bool {
    let shaken = &table.ops.shaken[side as usize];
    shaken.has(hex) || hex.around().any(|(_, next)| shaken.has(next))
}

/// A counter tests its morale; in a village it passes by itself. True when it holds.
pub(crate) fn holds(table: &Table, unit: UnitId, hex: Hex, clerk: &mut impl Clerk) -> bool {
    if ground_of(table, hex) == Terrain::Village && clerk.holds(rule!(DZ_TET_08), true) {
        return true;
    }
    let state = table.unit(unit);
    let half = state.steps * 2 <= unit.data().steps;
    let shaken = friend_shaken(table, unit.side(), hex);
    let holds = morale_test(unit.data().morale, half, shaken, clerk);
    if holds {
        clerk.happened(|| Event::new(phrase::TEST_PASSED).with("unit", unit.data().label));
    }
    holds
}

/// Every counter of a stack tests; those that fail are disordered. First all dice, then all retreats.
pub(super) fn test_all(table: &mut Table, hex: Hex, among: UnitSet, clerk: &mut impl Clerk) {
    let mut broken = UnitSet::EMPTY;
    for unit in among.iter() {
        if table.unit(unit).place == Place::Hex(hex) && !holds(table, unit, hex, clerk) {
            broken.insert(unit);
        }
    }
    disorder_all(table, broken, clerk);
}

/// Disorders counters of one hex, then sends them back.
pub(super) fn disorder_all(table: &mut Table, units: UnitSet, clerk: &mut impl Clerk) {
    let mut fleeing = UnitSet::EMPTY;
    for unit in units.iter() {
        if mark_disordered(table, unit, clerk) {
            fleeing.insert(unit);
        }
    }
    for unit in fleeing.iter() {
        retreat::fall_back(table, unit, Cause::Broken, clerk);
    }
}

/// A counter of the operational map is disordered and retreats at once; if it already was disordered
/// it is eliminated (3.9).
pub fn disorder(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    disorder_all(table, UnitSet::of(unit), clerk);
}

/// Marks a counter as disordered; true if it is to retreat.
fn mark_disordered(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) -> bool {
    let Place::Hex(hex) = table.unit(unit).place else { return false };
    if table.unit(unit).is_disordered() && clerk.holds(rule!(DZ_3_9_03), true) {
        eliminate(table, unit, clerk);
        return false;
    }
    clerk.applied(rule!(DZ_R89));
    table.ops.shaken[unit.side() as usize].insert(hex);
    table.ops.boats[unit.side() as usize].units.remove(unit);
    let counter = table.unit_mut(unit);
    counter.marks.set(Marks::DISORDERED);
    counter.marks.clear(Marks::BRIDGING);
    if unit.data().arm.is_artillery() {
        counter.formation = crate::Formation::Limbered;
    }
    clerk.happened(|| Event::new(phrase::BREAKS).with("unit", unit.data().label));
    true
}

/// The end of the operational part: every disordered counter of both sides rallies, on both maps and
/// off them (3.9, DZ-R30).
pub fn rally(table: &mut Table, clerk: &mut impl Clerk) {
    let broken = UnitId::all().any(|unit| table.unit(unit).is_disordered());
    if !(broken && clerk.holds(rule!(DZ_3_9_01), broken)) {
        return;
    }
    for unit in UnitId::all() {
        if table.unit(unit).is_disordered() {
            let ground = match table.unit(unit).place {
                Place::Hex(hex) => ground_of(table, hex),
                _ => Terrain::Clear,
            };
            let arm = unit.data().arm;
            let counter = table.unit_mut(unit);
            counter.marks.clear(Marks::DISORDERED);
            if counter.place.is_operational() {
                let adapted = ground.adapts() && !arm.is_artillery();
                counter.formation =
                    if adapted { crate::Formation::Adapted } else { crate::Formation::at_entry(arm) };
            }
            clerk.happened(|| Event::new(phrase::RALLIES).with("unit", unit.data().label));
        }
    }
}
