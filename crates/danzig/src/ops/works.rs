//! Boats, the bridge and the redoubts of the operational map (3.1, 3.1.3, 3.8.3), and the investment
//! (9.1).

use kernel::{Clerk, Event, Verdict};
use rulebook::options::danzig::BoatsMoveAfterLanding;
use rulebook::{phrase::danzig_ops as phrase, rule};

use super::bar::Bar;
use super::field::Field;
use super::hex::Hex;
use super::map::{Terrain, map};
use super::{Boats, fortress, march};
use crate::{Arm, Marks, Place, Side, Table, UnitId, UnitSet};

/// Whether two hexes face each other over the Vistula.
fn across_river(from: Hex, to: Hex) -> bool {
    from.towards(to).is_some_and(|side| map().edge(from, side).vistula())
}

fn may_cross(field: &Field<'_>, side: Side, units: UnitSet, across: Hex) -> Result<(), Bar> {
    Bar::BoatsTaken.bars(!field.table.ops.boats[side as usize].units.is_empty())?;
    let mut place = None;
    for unit in units.iter() {
        let state = field.unit(unit);
        let from = field.hex_of(unit)?;
        Bar::Apart.bars(unit.side() != side || *place.get_or_insert(from) != from)?;
        Bar::Disordered.bars(state.is_disordered())?;
        Bar::Moved.bars(state.marks.has(Marks::MOVED) || state.marks.has(Marks::CHARGED))?;
        Bar::NotRiverside.bars(!across_river(from, across))?;
    }
    let Some(from) = place else { return Err(Bar::NotHere) };
    let walls = matches!(field.map.terrain(across), Terrain::City | Terrain::Fort)
        || matches!(field.map.terrain(from), Terrain::City | Terrain::Fort);
    let walled_off = if side == Side::French { Bar::FrenchAtWalls } else { Bar::FortGate };
    walled_off.bars(walls)?;
    Bar::Sea.bars(field.map.terrain(across) == Terrain::Sea)?;
    Bar::Covered.bars(field.covered(across, side))?;
    let rampart = from.towards(across).is_some_and(|heading| field.map.edge(from, heading).camp());
    Bar::CampHexside.bars(rampart && units.iter().any(|unit| unit.data().arm != Arm::Infantry))?;
    Bar::ForestGuns.bars(
        field.ground(across) == Terrain::Forest && units.iter().any(|unit| unit.data().arm.is_artillery()),
    )?;
    Bar::Enemy.bars(field.enemy_at(across, side))?;
    field.fits(units, across)
}

/// Lists the crossings a side may start: each counter alone and each whole stack.
pub fn list_boats(table: &Table, side: Side, mut each: impl FnMut(UnitSet, Hex)) {
    let field = Field::of(table);
    if !table.ops.boats[side as usize].units.is_empty() {
        return;
    }
    for unit in UnitId::of_side(side) {
        let Place::Hex(from) = field.unit(unit).place else { continue };
        if !field.map.cell(from).riverside {
            continue;
        }
        let stack: UnitSet = field.at(from).collect();
        for (_, across) in from.around() {
            if may_cross(&field, side, UnitSet::of(unit), across).is_ok() {
                each(UnitSet::of(unit), across);
            }
            if stack.len() > 1
                && stack.iter().next() == Some(unit)
                && may_cross(&field, side, stack, across).is_ok()
            {
                each(stack, across);
            }
        }
    }
}

/// Whether a stack may take to the boats.
///
/// # Errors
/// The refusal.
pub fn check_boats(table: &Table, side: Side, units: UnitSet, across: Hex) -> Verdict<()> {
    Ok(may_cross(&Field::of(table), side, units, across)?)
}

/// A stack starts to cross: it stays in its hex, can be attacked, and does nothing else this round.
pub fn start_crossing(table: &mut Table, units: UnitSet, across: Hex, clerk: &mut impl Clerk) {
    let Some(first) = units.iter().next() else { return };
    clerk.applied(rule!(DZ_3_1_3_01));
    if let Place::Hex(from) = table.unit(first).place {
        clerk.happened(|| Event::new(phrase::BOATS_START).with("hex", from.to_string()));
    }
    for unit in units.iter() {
        table.unit_mut(unit).marks.set(Marks::MOVED);
    }
    table.ops.boats[first.side() as usize] = Boats { units, to: across };
}

/// The boats of a side land at its next movement step, unless an enemy holds the bank (3.1.3, DZ-R34).
pub(super) fn land_boats(table: &mut Table, side: Side, clerk: &mut impl Clerk) -> bool {
    let Boats { units, to } = std::mem::take(&mut table.ops.boats[side as usize]);
    // Who has been lost or brought away meanwhile does not land.
    let units: UnitSet =
        units.iter().filter(|&unit| matches!(table.unit(unit).place, Place::Hex(_))).collect();
    if units.is_empty() {
        return false;
    }
    if !clerk.holds(rule!(DZ_3_1_3_02), true) {
        return false;
    }
    let field = Field::of(table);
    if field.enemy_at(to, side) || field.covered(to, side) || field.fits(units, to).is_err() {
        clerk.applied(rule!(DZ_R34));
        clerk.happened(|| Event::new(phrase::BOATS_FAIL).with("hex", to.to_string()));
        return false;
    }
    let units = leave_bank(table, units, clerk);
    if units.is_empty() {
        return false;
    }
    for unit in units.iter() {
        march::put(table, unit, to, clerk);
        if table.options.boats_move_after_landing == BoatsMoveAfterLanding::False {
            table.unit_mut(unit).marks.set(Marks::MOVED);
        }
    }
    clerk.happened(|| Event::new(phrase::BOATS_LAND).with("hex", to.to_string()));
    true
}

/// The stack puts off from its bank, under the fire of the fortress if the bank is shaded (DZ-R37). Those
/// who are still in order cross.
fn leave_bank(table: &mut Table, units: UnitSet, clerk: &mut impl Clerk) -> UnitSet {
    let from = units.iter().next().map(|unit| table.unit(unit).place);
    let Some(Place::Hex(hex)) = from else { return units };
    if fortress::opportunity(table, units, hex, clerk) {
        for unit in units.iter().filter(|unit| table.unit(*unit).is_disordered()).collect::<UnitSet>().iter()
        {
            table.unit_mut(unit).marks.set(Marks::MOVED);
        }
    }
    let ready = |unit: &UnitId| {
        let state = table.unit(*unit);
        state.place == Place::Hex(hex) && !state.is_disordered()
    };
    units.iter().filter(ready).collect()
}

fn may_build_bridge(field: &Field<'_>, unit: UnitId, across: Hex) -> Result<(), Bar> {
    Bar::BridgeExists.bars(field.table.ops.bridge.is_some() || field.table.ops.declared.is_some())?;
    let from = field.hex_of(unit)?;
    let fit = unit.side() == Side::French
        && unit.data().arm == Arm::Infantry
        && !field.unit(unit).is_disordered()
        && across_river(from, across);
    Bar::BridgeBuilder.bars(!fit)?;
    Bar::BridgeShaded.bars(field.map.shaded(from) || field.map.shaded(across))?;
    let land = |hex| !field.map.terrain(hex).is_fortress() && field.map.terrain(hex) != Terrain::Sea;
    Bar::BridgeShaded.bars(!(land(from) && land(across)))
}

/// Lists the bridges the French may declare.
pub fn list_bridges(table: &Table, mut each: impl FnMut(UnitId, Hex)) {
    let field = Field::of(table);
    for unit in UnitId::of_side(Side::French) {
        let Place::Hex(from) = field.unit(unit).place else { continue };
        if field.map.cell(from).riverside {
            for (_, across) in from.around() {
                if may_build_bridge(&field, unit, across).is_ok() {
                    each(unit, across);
                }
            }
        }
    }
}

/// Whether a unit may declare a bridge towards the hex across the river.
///
/// # Errors
/// The refusal.
pub fn check_bridge(table: &Table, unit: UnitId, across: Hex) -> Verdict<()> {
    Ok(may_build_bridge(&Field::of(table), unit, across)?)
}

/// A unit begins to build a bridge.
pub fn declare_bridge(table: &mut Table, unit: UnitId, across: Hex, clerk: &mut impl Clerk) {
    if let Place::Hex(from) = table.unit(unit).place {
        clerk.applied(rule!(DZ_3_1_3_06));
        table.ops.declared = Some((from, across));
        table.unit_mut(unit).marks.set(Marks::BRIDGING);
    }
}

/// The end of the turn: the bridge stands if its builder has neither moved nor been disordered.
pub fn place_bridge(table: &mut Table, clerk: &mut impl Clerk) {
    let Some(ends) = table.ops.declared.take() else { return };
    for unit in UnitId::of_side(Side::French) {
        let counter = table.unit_mut(unit);
        let stayed = counter.marks.has(Marks::BRIDGING) && counter.place == Place::Hex(ends.0);
        counter.marks.clear(Marks::BRIDGING);
        if stayed && clerk.holds(rule!(DZ_3_1_3_06), stayed) {
            table.ops.bridge = Some(ends);
        }
    }
}

/// Whether a stack may destroy the bridge.
pub(super) fn check_destroy_bridge(field: &Field<'_>, units: UnitSet, at: Hex) -> Result<(), Bar> {
    let end = field.table.ops.bridge.is_some_and(|(a, b)| at == a || at == b);
    let ferry = at == field.map.ferry.0 || at == field.map.ferry.1;
    Bar::FerryStands.bars(ferry && !end)?;
    let enemy = units.iter().all(|unit| unit.side() == Side::Prussian);
    Bar::NoBridgeEnd.bars(!(end && enemy))
}

/// The bridge is gone.
pub(super) fn destroy_bridge(table: &mut Table, clerk: &mut impl Clerk) {
    table.ops.bridge = clerk.rather(rule!(DZ_3_1_3_08), None, table.ops.bridge);
    clerk.happened(|| Event::new(phrase::BRIDGE_DESTROYED));
}

fn may_build_redoubt(field: &Field<'_>, unit: UnitId) -> Result<(), Bar> {
    let hex = field.hex_of(unit)?;
    Bar::RedoubtNone.bars(field.map.cell(hex).redoubt.is_none() || field.redoubt(hex))?;
    let state = field.unit(unit);
    let idle = !state.marks.has(Marks::MOVED)
        && !state.marks.has(Marks::CHARGED)
        && !field.table.ops.boats[Side::French as usize].units.has(unit);
    let fit =
        unit.side() == Side::French && unit.data().arm == Arm::Infantry && !state.is_disordered() && idle;
    Bar::RedoubtBuilder.bars(!fit)
}

/// Lists the units that may build the redoubt of their hex.
pub fn list_redoubts(table: &Table, mut each: impl FnMut(UnitId)) {
    let field = Field::of(table);
    for unit in UnitId::of_side(Side::French) {
        if may_build_redoubt(&field, unit).is_ok() {
            each(unit);
        }
    }
}

/// Whether a unit may build the redoubt of its hex.
///
/// # Errors
/// The refusal.
pub fn check_redoubt(table: &Table, unit: UnitId) -> Verdict<()> {
    Ok(may_build_redoubt(&Field::of(table), unit)?)
}

/// A unit builds the redoubt of its hex.
pub fn build_redoubt(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    let Place::Hex(hex) = table.unit(unit).place else { return };
    let Some(place) = map().cell(hex).redoubt else { return };
    clerk.applied(rule!(DZ_3_1_06));
    table.ops.redoubts |= clerk.rather(rule!(DZ_3_8_3_02), 1 << place, 0);
    // Clear ground without restrictions: an adapted unit takes up its column again, with a facing.
    for unit in table.on_hex(Side::French, hex).collect::<UnitSet>().iter() {
        let counter = table.unit_mut(unit);
        if counter.formation == crate::Formation::Adapted {
            let drawn_up = crate::Formation::at_entry(unit.data().arm);
            counter.formation = clerk.rather(rule!(DZ_3_8_3_04), drawn_up, counter.formation);
        }
    }
    clerk.happened(|| {
        Event::new(phrase::REDOUBT_BUILT).with("unit", unit.data().label).with("hex", hex.to_string())
    });
}

/// Whether a French unit stands beside the Vistula (7.0).
#[must_use]
pub fn french_beside_vistula(table: &Table) -> bool {
    UnitId::of_side(Side::French)
        .any(|unit| matches!(table.unit(unit).place, Place::Hex(hex) if map().cell(hex).riverside))
}

/// Whether every blue star was last held by the French (9.1).
#[must_use]
pub fn invested(table: &Table) -> bool {
    let all = (1_u16 << map().stars.len()) - 1;
    table.ops.stars & all == all
}
