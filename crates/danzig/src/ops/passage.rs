//! Ways on and off the operational map: city gates (3.1, 3.1.2), the fort's ferry (3.1.3), the
//! concentration area with its regiments and battalions (3.1.4, 4.2), the entries of the French
//! (5.3) and the landing of Kamenski (6.2).

use kernel::{Clerk, Event, Verdict};
use rulebook::{phrase::danzig_ops as phrase, rule};

use super::bar::Bar;
use super::field::{Field, is_lannes};
use super::hex::Hex;
use super::map::{Gate, Terrain, map};
use super::march::{self, Mover};
use crate::{Arm, Corps, Formation, Level, Marks, Place, Side, Table, UnitId, UnitSet};

/// Whether a gate of the city is open: all five before the siege works begin, then only those to
/// Alt-Schottland and to the ferry (DZ-R20).
#[must_use]
pub fn gate_open(table: &Table, gate: Gate) -> bool {
    rule!(DZ_3_1_2_02).holds(!table.danzig.siege_works_begun)
        || matches!(gate, Gate::Petershagen | Gate::Langgarten)
}

/// Whether a counter may pass a gate of the city.
pub(super) fn gate_open_to(table: &Table, unit: UnitId, gate: Gate) -> Result<(), Bar> {
    let relief = unit.data().corps == Corps::Kamenski;
    Bar::GateOfKamenski.bars(relief && !matches!(gate, Gate::Petershagen | Gate::Langgarten))?;
    Bar::GateClosed.bars(!gate_open(table, gate))
}

/// A counter has come through a gate: it stands in the reserve.
pub(super) fn enter_city(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    let rule = if table.danzig.siege_works_begun { rule!(DZ_3_1_10) } else { rule!(DZ_3_1_09) };
    clerk.applied(rule);
    shelter(table, unit, clerk);
}

/// Puts a counter into the city.
pub(super) fn shelter(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_R103));
    let counter = table.unit_mut(unit);
    counter.place = Place::Reserve;
    counter.formation = Formation::at_entry(unit.data().arm);
    divide(table, unit, clerk);
    clerk.happened(|| Event::new(phrase::SHELTERS).with("unit", unit.data().label));
    if unit.data().corps == Corps::Kamenski {
        clerk.applied(if unit.data().arm == Arm::Infantry { rule!(DZ_6_2_06) } else { rule!(DZ_6_2_07) });
        if !table.danzig.relief_done
            && clerk.holds(rule!(DZ_6_2_04), true)
            && clerk.holds(rule!(DZ_4_2_09), true)
        {
            table.danzig.relieved(clerk);
        }
    }
}

/// Kamenski's Fusiliers have come into the city: two battalions of at most two steps (DZ-R22).
fn divide(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    for &second in unit.battalions() {
        clerk.applied(rule!(DZ_R22));
        let first = table.unit_mut(unit);
        let rest = first.steps.saturating_sub(2);
        (first.steps, first.most) = (first.steps - rest, 2);
        let place = if rest > 0 { first.place } else { Place::Eliminated };
        let other = crate::UnitState { place, steps: rest, ..*first };
        *table.unit_mut(second) = other;
    }
}

/// Whether a counter is in play, on whichever map.
fn in_play(table: &Table, unit: UnitId) -> bool {
    !matches!(table.unit(unit).place, Place::Away | Place::Eliminated)
}

/// Those who leave the city together: a counter by itself, but Kamenski's Fusiliers with both their
/// battalions, the first at their head.
pub(super) fn muster(table: &Table, unit: UnitId) -> Result<UnitSet, Bar> {
    let mut units = UnitSet::of(unit);
    if let Some(first) = unit.regiment()
        && in_play(table, first)
    {
        return Err(Bar::FusiliersApart);
    }
    for &second in unit.battalions().iter().filter(|second| in_play(table, **second)) {
        let state = table.unit(second);
        let inside = matches!(state.place, Place::Reserve | Place::Wall(_));
        Bar::FusiliersApart.bars(!inside || state.is_disordered() || state.marks.has(Marks::MOVED))?;
        units.insert(second);
    }
    Ok(units)
}

/// Kamenski's Fusiliers are one counter again; gives back the counter that leaves the city.
fn rejoin(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) -> UnitId {
    let first = unit.regiment().unwrap_or(unit);
    let Some(&second) = first.battalions().first() else { return unit };
    clerk.applied(rule!(DZ_R22));
    let steps = [first, second].map(|half| if in_play(table, half) { table.unit(half).steps } else { 0 });
    let marks = table.unit(unit).marks;
    let other = table.unit_mut(second);
    (other.place, other.steps, other.marks) = (Place::Away, 0, Marks::default());
    let counter = table.unit_mut(first);
    (counter.steps, counter.most, counter.marks) = (steps.iter().sum(), first.data().steps, marks);
    first
}

/// Whether a counter in the city may leave it by a gate.
pub(super) fn check_leave_city(field: &Field<'_>, unit: UnitId, gate: Gate) -> Result<(), Bar> {
    Bar::NotHere.bars(
        !matches!(field.unit(unit).place, Place::Reserve | Place::Wall(_)) || !Gate::CITY.contains(&gate),
    )?;
    gate_open_to(field.table, unit, gate)?;
    let (_, outside) = gate.hexes();
    Bar::Enemy.bars(field.enemy_at(outside, unit.side()))?;
    Bar::Covered.bars(field.covered(outside, unit.side()))?;
    field.fits(muster(field.table, unit)?, outside)
}

/// A counter leaves the city: it stands before the gate and has spent nothing. Gives back the counter
/// that stands there.
pub(super) fn leave_city(table: &mut Table, unit: UnitId, gate: Gate, clerk: &mut impl Clerk) -> UnitId {
    let unit = rejoin(table, unit, clerk);
    let (inside, outside) = gate.hexes();
    clerk.applied(if table.danzig.siege_works_begun { rule!(DZ_3_1_10) } else { rule!(DZ_3_1_2_02) });
    let counter = table.unit_mut(unit);
    counter.formation = Formation::at_entry(unit.data().arm);
    counter.facing = inside.towards(outside).unwrap_or_default() as u16;
    march::put(table, unit, outside, clerk);
    unit
}

/// The other part of the fort, for a stack in one of them.
pub(super) fn fort_ferry(field: &Field<'_>, units: UnitSet, from: Hex) -> Result<Hex, Bar> {
    let prussian = units.iter().all(|unit| unit.side() == Side::Prussian);
    Bar::NoFort.bars(!prussian || field.map.terrain(from) != Terrain::Fort)?;
    field.map.fort.iter().copied().find(|&hex| hex != from).ok_or(Bar::NoFort)
}

/// Whether a counter may go from a hex into the concentration area.
pub(super) fn check_concentration(field: &Field<'_>, unit: UnitId, from: Hex) -> Result<(), Bar> {
    march::barred_from_siege(unit)?;
    Bar::NoArrow.bars(!field.map.cell(from).red_arrow)
}

/// A French counter goes into the concentration area; a regiment becomes battalions. The first time
/// ever, Prussians and Russians under the siege map are put into the city.
pub(super) fn enter_concentration(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_3_1_4_01));
    clerk.happened(|| Event::new(phrase::CONCENTRATION).with("unit", unit.data().label));
    table.unit_mut(unit).marks.clear(Marks::SETTLED);
    if unit.battalions().is_empty() || !clerk.holds(rule!(DZ_3_1_4_02), true) {
        let counter = table.unit_mut(unit);
        counter.place = Place::Concentration;
        counter.formation = Formation::Limbered;
    } else {
        split(table, unit, clerk);
    }
    if !table.danzig.concentration_entered {
        table.danzig.concentration_entered = true;
        sweep(table, clerk);
    }
}

/// A regiment of n steps becomes battalions of two, the last of one if n is odd (DZ-R72).
fn split(table: &mut Table, regiment: UnitId, clerk: &mut impl Clerk) {
    let size = clerk.rather(rule!(DZ_4_2_01), 2, 1);
    let mut left = table.unit(regiment).steps;
    for &battalion in regiment.battalions() {
        let counter = table.unit_mut(battalion);
        counter.steps = left.min(size);
        counter.most = size;
        counter.place = if left > 0 { Place::Concentration } else { Place::Eliminated };
        counter.marks = Marks::default();
        left -= left.min(size);
    }
    table.unit_mut(regiment).place = clerk.rather(rule!(DZ_4_8_13), Place::Away, Place::Concentration);
}

/// Prussians and Russians under the siege map go into the city, free and unharmed (3.1.2).
fn sweep(table: &mut Table, clerk: &mut impl Clerk) {
    for unit in UnitId::of_side(Side::Prussian) {
        if let Place::Hex(hex) = table.unit(unit).place
            && map().cell(hex).siege_map
            && clerk.holds(rule!(DZ_3_1_2_04), true)
        {
            clerk.happened(|| Event::new(phrase::SWEPT).with("unit", unit.data().label));
            shelter(table, unit, clerk);
        }
    }
}

/// Whether a regiment, or a counter that is never divided, has been in the concentration area since
/// the start of the round, whole and in order.
pub(super) fn check_settled(table: &Table, unit: UnitId) -> Result<(), Bar> {
    let settled = |unit: UnitId| {
        let state = table.unit(unit);
        Bar::BattalionsMissing.bars(state.place != Place::Concentration || state.is_disordered())?;
        Bar::NotInConcentration.bars(!rule!(DZ_3_1_4_03).holds(state.marks.has(Marks::SETTLED)))
    };
    if unit.data().level == Level::Single {
        return settled(unit);
    }
    let mut any = false;
    for &battalion in unit.battalions() {
        match table.unit(battalion).place {
            Place::Eliminated | Place::Away => {}
            _ => {
                settled(battalion)?;
                any = true;
            }
        }
    }
    if any { Ok(()) } else { Err(Bar::NotInConcentration) }
}

/// Whether a regiment or a gun may leave the concentration area by a red-arrow hex.
pub(super) fn check_leave_concentration(field: &Field<'_>, unit: UnitId, hex: Hex) -> Result<(), Bar> {
    check_settled(field.table, unit)?;
    Bar::NoArrow.bars(!field.map.cell(hex).red_arrow)?;
    Bar::Enemy.bars(field.enemy_at(hex, unit.side()))?;
    // The regiment has no steps of its own yet: count those of its battalions.
    let joined: UnitSet = unit.battalions().iter().copied().filter(|b| field.unit(*b).steps > 0).collect();
    let here = if joined.is_empty() { UnitSet::of(unit) } else { joined };
    field.fits(here, hex)
}

/// A regiment comes together again, or a gun limbers up, in a red-arrow hex.
pub(super) fn leave_concentration(table: &mut Table, unit: UnitId, hex: Hex, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_3_1_4_03));
    if !unit.battalions().is_empty() {
        // On this map there are regiments only.
        let off = clerk.rather(rule!(DZ_3_2_01), Place::Away, Place::Concentration);
        let mut steps = 0;
        for &battalion in unit.battalions() {
            let counter = table.unit_mut(battalion);
            if counter.place == Place::Concentration {
                steps += counter.steps;
            }
            counter.steps = 0;
            counter.place = off;
            counter.marks = Marks::default();
        }
        table.unit_mut(unit).steps = clerk.rather(rule!(DZ_4_2_02), steps, unit.data().steps);
    }
    let counter = table.unit_mut(unit);
    counter.formation = Formation::at_entry(unit.data().arm);
    counter.marks.clear(Marks::SETTLED);
    clerk.happened(|| {
        Event::new(phrase::REGROUPS).with("unit", unit.data().label).with("hex", hex.to_string())
    });
    march::put(table, unit, hex, clerk);
}

/// The entry hexes of a French counter: its own, or the nearest free ones where an enemy stands.
pub fn entries(table: &Table, unit: UnitId) -> impl Iterator<Item = Hex> + use<> {
    entry_hexes(&Field::of(table), unit).into_iter().flatten()
}

fn entry_hexes(field: &Field<'_>, unit: UnitId) -> [Option<Hex>; 4] {
    let map = field.map;
    let mut found = [None; 4];
    let own: &[Hex] = if is_lannes(unit) { std::slice::from_ref(&map.east_entry) } else { &map.west_entries };
    for (place, &entry) in found.iter_mut().zip(own) {
        *place = if rule!(DZ_5_3_12).holds(field.enemy_at(entry, Side::French)) {
            let free = |hex: &Hex| {
                !field.enemy_at(*hex, Side::French)
                    && !matches!(map.terrain(*hex), Terrain::Sea | Terrain::City | Terrain::Fort)
            };
            Hex::all().filter(free).min_by_key(|hex| (hex.distance(entry), *hex))
        } else {
            Some(entry)
        };
    }
    found
}

/// Lists where the waiting French counters that `may` come can enter the map.
pub fn list_entries(table: &Table, may: impl Fn(UnitId) -> bool, mut each: impl FnMut(UnitId, Hex)) {
    let waiting = |unit: &UnitId| table.unit(*unit).place == Place::Waiting && may(*unit);
    if !UnitId::of_side(Side::French).any(|unit| waiting(&unit)) {
        return;
    }
    let field = Field::of(table);
    for unit in UnitId::of_side(Side::French).filter(waiting) {
        for hex in entry_hexes(&field, unit).into_iter().flatten() {
            if may_enter(&field, unit, hex).is_ok() {
                each(unit, hex);
            }
        }
    }
}

/// Whether a counter can enter at one of its entry hexes.
fn may_enter(field: &Field<'_>, unit: UnitId, hex: Hex) -> Result<(), Bar> {
    Bar::ForestGuns
        .bars(unit.data().arm.is_artillery() && field.map.terrain(hex) == Terrain::Forest && !on_way(hex))?;
    let (cost, _) = entry_cost(field.table, unit, hex);
    Mover::fresh(UnitSet::of(unit)).pay(cost)?;
    field.fits(UnitSet::of(unit), hex)
}

/// Whether a waiting French counter may enter the map at a hex.
///
/// # Errors
/// The refusal.
pub fn check_entry(table: &Table, unit: UnitId, hex: Hex) -> Verdict<()> {
    Bar::NotWaiting.bars(table.unit(unit).place != Place::Waiting || unit.side() != Side::French)?;
    let field = Field::of(table);
    let own =
        if is_lannes(unit) { hex == field.map.east_entry } else { field.map.west_entries.contains(&hex) };
    let elsewhere = if own { Bar::EntryHeld } else { Bar::NoEntry };
    elsewhere.bars(!entry_hexes(&field, unit).contains(&Some(hex)))?;
    Ok(may_enter(&field, unit, hex)?)
}

fn on_way(hex: Hex) -> bool {
    map().cell(hex).edges.iter().any(|edge| edge.way())
}

/// What the first hex costs, and the place of its road among the entries: one more for each unit
/// that has gone ahead on the same road in this step.
fn entry_cost(table: &Table, unit: UnitId, hex: Hex) -> (u8, usize) {
    let map = map();
    let road = map.west_entries.iter().position(|&entry| entry == hex).unwrap_or(4);
    let first = match map.terrain(hex) {
        _ if on_way(hex) => 1,
        Terrain::Marsh | Terrain::Forest if unit.data().arm == Arm::Infantry => 2,
        Terrain::Marsh | Terrain::Forest => 4,
        _ => 1,
    };
    (first + table.ops.entered[road], road)
}

/// A waiting French counter enters the map.
pub fn enter(table: &mut Table, unit: UnitId, hex: Hex, clerk: &mut impl Clerk) -> Mover {
    let map = map();
    let own = if is_lannes(unit) { hex == map.east_entry } else { map.west_entries.contains(&hex) };
    if !own {
        clerk.applied(rule!(DZ_5_3_12));
    }
    let (cost, road) = entry_cost(table, unit, hex);
    if cost > 1 {
        clerk.modifier(rule!(DZ_R94), i32::from(cost) - 1);
    }
    table.ops.entered[road] = table.ops.entered[road].saturating_add(1);
    let counter = table.unit_mut(unit);
    counter.formation = Formation::at_entry(unit.data().arm);
    counter.facing = if is_lannes(unit) { 3 } else { 0 };
    counter.marks.set(Marks::MOVED);
    clerk
        .happened(|| Event::new(phrase::ENTERS).with("unit", unit.data().label).with("hex", hex.to_string()));
    march::put(table, unit, hex, clerk);
    let mut mover = Mover::fresh(UnitSet::of(unit));
    mover.spent = cost;
    mover.by_road = map.cell(hex).edges.iter().any(|edge| edge.road());
    mover.halted = !Field::of(table).controllers(hex, unit.side()).is_empty();
    mover
}

/// Whether a unit of Kamenski may land in a hex of the camp or of the fort. While the French hold the
/// camp he lands in the fort (DZ-R97).
///
/// # Errors
/// The refusal.
pub fn check_landing(table: &Table, unit: UnitId, hex: Hex) -> Verdict<()> {
    let field = Field::of(table);
    if field.enemy_at(hex, unit.side()) || (!field.camp_counts() && field.map.terrain(hex) == Terrain::Camp) {
        return Err(Bar::Enemy.into());
    }
    Ok(field.fits(UnitSet::of(unit), hex)?)
}
