//! Movement (3.1, 3.2, 3.7, series rules 4 to 8): a stack is taken up, makes one stride after the
//! other and is put down. A [`Mover`] and a [`Stride`] enter, the changed table and what is left of
//! the movement points leave.

use kernel::{Clerk, Event, RuleId, Verdict};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bar::Bar;
use super::field::{Field, faces, has_facing, is_lannes};
use super::fortress;
use super::hex::{Heading, Hex};
use super::map::{Gate, Terrain, map};
use super::pace::{may_stop, price, price_form, price_turn, standing, turn_to_leave, ways};
use super::passage;
use super::{Unheard, works};
use crate::{Arm, Corps, Formation, Level, Marks, Place, Side, Table, UnitId, UnitSet};

/// A stack in hand, and how far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Mover {
    /// Who moves.
    pub units: UnitSet,
    /// Movement points spent.
    pub spent: u8,
    /// Every hex so far was entered along a road.
    pub by_road: bool,
    /// It cannot go on: it entered a controlled hex or used a gun's guaranteed hex.
    pub halted: bool,
}

/// One step of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Stride {
    /// Into the next hex, over the ferry or through a gate.
    Go(Heading),
    /// Turns where it stands.
    Turn(Heading),
    /// Changes its formation.
    Form(Formation),
    /// From one part of the fort to the other.
    FortFerry,
    /// Out of the city.
    LeaveCity(Gate),
    /// From a red-arrow hex into the concentration area.
    EnterConcentration,
    /// From the concentration area into a red-arrow hex.
    LeaveConcentration(Hex),
    /// Destroys the bridge at whose end it stands.
    DestroyBridge,
}

impl Stride {
    /// Whether it leads elsewhere: a stack that cannot stop where it stands may do nothing else.
    #[must_use]
    pub const fn goes(self) -> bool {
        !matches!(self, Self::Turn(_) | Self::Form(_) | Self::DestroyBridge)
    }
}

/// The rule that gives a counter its movement points.
fn allowance_rule(unit: UnitId) -> RuleId {
    match unit.data().arm {
        Arm::Infantry => rule!(DZ_3_2_03),
        Arm::Siege12 | Arm::Siege24 => rule!(DZ_3_3_2_01),
        Arm::Mortar => rule!(DZ_3_3_3_01),
        _ => rule!(DZ_R91),
    }
}

impl Mover {
    /// A stack that has not moved yet.
    #[must_use]
    pub const fn fresh(units: UnitSet) -> Self {
        Self { units, spent: 0, by_road: true, halted: false }
    }

    /// The slowest of the stack and its movement points.
    pub(super) fn slowest(&self) -> Option<(UnitId, u8)> {
        self.units.iter().map(|unit| (unit, unit.data().mp)).min_by_key(|&(unit, mp)| (mp, unit))
    }

    pub(super) fn afford(&self, cost: u8, bonus: u8) -> Result<(), Bar> {
        let Some((unit, mp)) = self.slowest() else { return Err(Bar::NotHere) };
        let left = (mp + bonus).saturating_sub(self.spent);
        let rule = allowance_rule(unit);
        if rule.holds(cost <= left) { Ok(()) } else { Err(Bar::Points { cost, left, rule }) }
    }

    /// Whether it has the points for this.
    ///
    /// # Errors
    /// The bar when it has not.
    pub(super) fn pay(&self, cost: u8) -> Result<(), Bar> {
        self.afford(cost, 0)
    }

    pub(super) fn side(&self) -> Side {
        self.units.iter().next().map_or(Side::French, UnitId::side)
    }
}

/// Whether a counter may be taken up alone.
fn may_move(table: &Table, unit: UnitId) -> Result<(), Bar> {
    let state = table.unit(unit);
    Bar::Immobile.bars(unit.data().mp == 0)?;
    match state.place {
        Place::Hex(_) => {}
        Place::Reserve | Place::Wall(_) if unit.side() == Side::Prussian => {
            passage::muster(table, unit)?;
        }
        Place::Concentration if unit.data().level == Level::Single => {
            passage::check_settled(table, unit)?;
        }
        Place::Away if unit.data().level == Level::Regiment => {
            passage::check_settled(table, unit)?;
        }
        _ => return Err(Bar::NotHere),
    }
    Bar::Disordered.bars(state.is_disordered())?;
    Bar::Moved.bars(state.marks.has(Marks::MOVED) || state.marks.has(Marks::CHARGED))?;
    Bar::Blown.bars(state.formation == Formation::Blown)?;
    Bar::Crossing.bars(table.ops.boats[unit.side() as usize].units.has(unit))?;
    Ok(())
}

fn may_take_up(field: &Field<'_>, side: Side, units: UnitSet) -> Result<(), Bar> {
    let mut place = None;
    for unit in units.iter() {
        Bar::NotHere.bars(unit.side() != side)?;
        may_move(field.table, unit)?;
        let here = field.unit(unit).place;
        let alone = !matches!(here, Place::Hex(_)) && units.len() > 1;
        Bar::Apart.bars(alone || *place.get_or_insert(here) != here)?;
    }
    if place.is_none() { Err(Bar::NotHere) } else { Ok(()) }
}

/// Lists the stacks a side may take up: every counter that may move, and every whole stack.
pub fn list_movers(table: &Table, side: Side, mut each: impl FnMut(UnitSet)) {
    let field = Field::of(table);
    for unit in UnitId::of_side(side) {
        if may_move(table, unit).is_err() {
            continue;
        }
        each(UnitSet::of(unit));
        let Place::Hex(hex) = table.unit(unit).place else { continue };
        if field.is_alone(unit, hex) {
            continue;
        }
        // A whole stack comes after the last of its counters: so the list is in order.
        let stack: UnitSet = field.at(hex).filter(|&other| may_move(table, other).is_ok()).collect();
        if stack.len() > 1 && stack.iter().last() == Some(unit) {
            each(stack);
        }
    }
}

/// Whether a side has anything to take up.
#[must_use]
pub fn anyone_moves(table: &Table, side: Side) -> bool {
    UnitId::of_side(side).any(|unit| may_move(table, unit).is_ok())
}

/// Whether a side may take up these counters together.
///
/// # Errors
/// The refusal.
pub fn check_take_up(table: &Table, side: Side, units: UnitSet) -> Verdict<()> {
    Ok(may_take_up(&Field::of(table), side, units)?)
}

/// Takes up a stack.
#[must_use]
pub fn take_up(_: &mut Table, units: UnitSet) -> Mover {
    Mover::fresh(units)
}

/// Keeps in hand only those who are still in order where the stack stands; false when nobody is.
pub fn still_moving(table: &Table, mover: &mut Mover) -> bool {
    let units = mover.units;
    for unit in units.iter() {
        let state = table.unit(unit);
        let gone = matches!(state.place, Place::Eliminated | Place::Waiting);
        if gone || state.is_disordered() {
            mover.units.remove(unit);
        }
    }
    !mover.units.is_empty()
}

/// The hex a stack in hand stands in, if it is on the map.
fn hex_of(table: &Table, mover: &Mover) -> Option<Hex> {
    mover.units.iter().next().and_then(|unit| match table.unit(unit).place {
        Place::Hex(hex) => Some(hex),
        _ => None,
    })
}

/// Lists the strides the stack in hand may make, told first whether it may stop where it stands.
pub fn list_march(table: &Table, mover: &Mover, mut each: impl FnMut(bool, Stride)) -> bool {
    let field = Field::of(table);
    let stops = standing(&field, mover).is_ok_and(|hex| may_stop(&field, mover, hex, mover.spent).is_ok())
        || hex_of(table, mover).is_none();
    strides(&field, mover, |stride| each(stops, stride));
    stops
}

/// Lists the strides the stack in hand may make.
pub fn list_strides(table: &Table, mover: &Mover, each: impl FnMut(Stride)) {
    strides(&Field::of(table), mover, each);
}

fn strides(field: &Field<'_>, mover: &Mover, mut each: impl FnMut(Stride)) {
    let Some(unit) = mover.units.iter().next() else { return };
    let may = |stride| price(field, mover, stride, &mut Unheard).is_ok();
    match field.unit(unit).place {
        Place::Hex(hex) => {
            // A stack that cannot go on neither turns nor forms.
            if !mover.halted {
                ways(field, mover, hex, |side| each(Stride::Go(side)));
                for side in Heading::ALL {
                    if price_turn(field, mover, hex, side, &mut Unheard).is_ok() {
                        each(Stride::Turn(side));
                    }
                }
                for formation in CHOSEN {
                    let known = mover.units.iter().any(|unit| forms(unit).contains(&formation));
                    if known && may(Stride::Form(formation)) {
                        each(Stride::Form(formation));
                    }
                }
            }
            let cell = field.map.cell(hex);
            if cell.terrain == Terrain::Fort && may(Stride::FortFerry) {
                each(Stride::FortFerry);
            }
            if cell.red_arrow && may(Stride::EnterConcentration) {
                each(Stride::EnterConcentration);
            }
            if may(Stride::DestroyBridge) {
                each(Stride::DestroyBridge);
            }
        }
        Place::Reserve | Place::Wall(_) => {
            for gate in Gate::CITY {
                if may(Stride::LeaveCity(gate)) {
                    each(Stride::LeaveCity(gate));
                }
            }
        }
        _ => {
            for &hex in &field.map.red_arrows {
                if may(Stride::LeaveConcentration(hex)) {
                    each(Stride::LeaveConcentration(hex));
                }
            }
        }
    }
}

/// The formations that are chosen, by whichever arm.
const CHOSEN: [Formation; 6] = [
    Formation::Column,
    Formation::Line,
    Formation::Square,
    Formation::Skirmish,
    Formation::Limbered,
    Formation::Unlimbered,
];

/// The formations an arm may choose.
const fn forms_of(arm: Arm, light: bool) -> &'static [Formation] {
    match arm {
        Arm::Infantry if light => {
            &[Formation::Column, Formation::Line, Formation::Square, Formation::Skirmish]
        }
        Arm::Infantry => &[Formation::Column, Formation::Line, Formation::Square],
        Arm::FieldArtillery => &[Formation::Limbered, Formation::Unlimbered],
        _ => &[],
    }
}

fn forms(unit: UnitId) -> &'static [Formation] {
    forms_of(unit.data().arm, unit.data().light)
}

/// Whether the stack in hand may make a stride.
///
/// # Errors
/// The refusal.
pub fn check_stride(table: &Table, mover: &Mover, stride: Stride) -> Verdict<()> {
    price(&Field::of(table), mover, stride, &mut Unheard)?;
    Ok(())
}

/// Whether the stack in hand may be put down where it stands.
///
/// # Errors
/// The refusal: there is no room.
pub fn check_put_down(table: &Table, mover: &Mover) -> Verdict<()> {
    let field = Field::of(table);
    if let Ok(hex) = standing(&field, mover) {
        may_stop(&field, mover, hex, mover.spent)?;
    }
    Ok(())
}

/// The order a counter takes up when it comes into a hex.
fn formation_in(field_ground: Terrain, arm: Arm, now: Formation) -> Formation {
    match (arm, now) {
        (Arm::Infantry, _) | (Arm::LightCavalry | Arm::HeavyCavalry, _) if field_ground.adapts() => {
            Formation::Adapted
        }
        (Arm::Infantry, Formation::Adapted) => Formation::Column,
        (Arm::LightCavalry | Arm::HeavyCavalry, Formation::Adapted) => Formation::Formed,
        _ => now,
    }
}

/// Puts a counter into a hex: formation, stars and redoubts follow.
pub(super) fn put(table: &mut Table, unit: UnitId, hex: Hex, clerk: &mut impl Clerk) {
    let cell = map().cell(hex);
    // A redoubt falls to the first Prussian who comes into it: the ground is then what it was.
    let built = unit.side() == Side::French
        && cell.redoubt.is_some_and(|place| table.ops.redoubts & (1 << place) != 0);
    let ground = if built { Terrain::Clear } else { cell.terrain };
    let state = *table.unit(unit);
    let formation = if state.is_disordered() {
        state.formation
    } else {
        formation_in(ground, unit.data().arm, state.formation)
    };
    let counter = table.unit_mut(unit);
    counter.place = Place::Hex(hex);
    if formation != state.formation {
        counter.formation = clerk.rather(rule!(DZ_TET_13), formation, state.formation);
    }
    counter.marks.clear(Marks::BRIDGING);
    // Whoever has left his bank has lost his boats.
    table.ops.boats[unit.side() as usize].units.remove(unit);
    if let Some(star) = cell.star {
        let bit = 1 << star;
        let before = table.ops.stars;
        match unit.side() {
            Side::French => table.ops.stars |= bit,
            Side::Prussian => table.ops.stars &= !bit,
        }
        if table.ops.stars != before {
            clerk.applied(rule!(DZ_R26));
            clerk.happened(|| Event::new(phrase::STAR).with("hex", hex.to_string()));
        }
    }
    if let (Some(redoubt), Side::Prussian) = (cell.redoubt, unit.side())
        && table.ops.redoubts & (1 << redoubt) != 0
        && clerk.holds(rule!(DZ_3_8_3_05), true)
    {
        table.ops.redoubts &= !(1 << redoubt);
        clerk.happened(|| Event::new(phrase::REDOUBT_LOST).with("hex", hex.to_string()));
    }
    if cell.red_arrow
        && unit.data().corps == Corps::Kamenski
        && !table.danzig.relief_done
        && clerk.holds(rule!(DZ_6_2_05), true)
    {
        table.danzig.relieved(clerk);
    }
}

/// Whether a stride takes the stack out of its hex, in the sights of whoever sees it go.
#[must_use]
pub(super) const fn leaves(stride: Stride) -> bool {
    matches!(stride, Stride::Go(_) | Stride::EnterConcentration)
}

/// The fortress fires at the stack in hand as it leaves its hex (3.1.1); true if it does.
pub fn shell(table: &mut Table, mover: &Mover, stride: Stride, clerk: &mut impl Clerk) -> bool {
    match hex_of(table, mover) {
        Some(hex) if leaves(stride) => fortress::opportunity(table, mover.units, hex, clerk),
        _ => false,
    }
}

/// Makes a stride, the fire it draws being over: the cost is paid and the table changed. True while the
/// stack may go on.
///
/// # Errors
/// The bar when it may not be made; nothing is changed then.
pub fn make(
    table: &mut Table,
    mover: &mut Mover,
    stride: Stride,
    clerk: &mut impl Clerk,
) -> Result<bool, Bar> {
    let left = hex_of(table, mover);
    let price = price(&Field::of(table), mover, stride, clerk)?;
    mover.spent = mover.spent.saturating_add(price.cost);
    mover.halted |= price.halts;
    if leaves(stride) {
        mover.by_road = price.by_road;
    }
    for unit in mover.units.iter() {
        table.unit_mut(unit).marks.set(Marks::MOVED);
    }
    let name = |unit: UnitId| unit.data().label;
    match stride {
        Stride::Go(side) => {
            let Some((from, to)) = left.and_then(|from| Some((from, from.beyond(side)?))) else {
                return Ok(false);
            };
            go(table, mover.units, (from, to), side, clerk);
            for unit in mover.units.iter() {
                clerk.happened(|| {
                    Event::new(phrase::GOES)
                        .with("unit", name(unit))
                        .with("hex", to.to_string())
                        .with("cost", price.cost)
                });
            }
            return Ok(mover
                .units
                .iter()
                .next()
                .is_some_and(|unit| table.unit(unit).place == Place::Hex(to)));
        }
        Stride::Turn(to) => {
            for unit in mover.units.iter() {
                if faces(table, unit) {
                    // In a redoubt everybody looks somewhere.
                    if has_facing(table.unit(unit)) || clerk.holds(rule!(DZ_3_8_3_04), true) {
                        table.unit_mut(unit).facing = to as u16;
                    }
                }
                clerk.happened(|| Event::new(phrase::TURNED).with("unit", name(unit)));
            }
        }
        Stride::Form(into) => {
            for unit in mover.units.iter() {
                let Some(hex) = left else { continue };
                if price_form(&Field::of(table), unit, hex, into).is_ok() {
                    table.unit_mut(unit).formation = into;
                    clerk.happened(|| Event::new(phrase::FORMED).with("unit", name(unit)));
                }
            }
        }
        Stride::FortFerry => {
            if let Some(Ok(to)) = left.map(|from| passage::fort_ferry(&Field::of(table), mover.units, from)) {
                for unit in mover.units.iter() {
                    put(table, unit, to, clerk);
                }
            }
        }
        Stride::LeaveCity(gate) => {
            let outside = |unit| passage::leave_city(table, unit, gate, clerk);
            mover.units = mover.units.iter().map(outside).collect();
        }
        Stride::EnterConcentration => {
            for unit in mover.units.iter() {
                passage::enter_concentration(table, unit, clerk);
            }
            return Ok(false);
        }
        Stride::LeaveConcentration(hex) => {
            for unit in mover.units.iter() {
                passage::leave_concentration(table, unit, hex, clerk);
            }
        }
        Stride::DestroyBridge => works::destroy_bridge(table, clerk),
    }
    Ok(true)
}

/// The stack goes into the next hex.
fn go(table: &mut Table, units: UnitSet, (from, to): (Hex, Hex), side: Heading, clerk: &mut impl Clerk) {
    let inside = map().terrain(to) == Terrain::City;
    for unit in units.iter() {
        if inside {
            passage::enter_city(table, unit, clerk);
            continue;
        }
        let facing = turn_to_leave(table, unit, from, side).map_or(side, |(facing, _)| facing);
        table.unit_mut(unit).facing = facing as u16;
        put(table, unit, to, clerk);
    }
}

/// Whether Lannes's troops or cavalry are barred from the siege map.
pub(super) fn barred_from_siege(unit: UnitId) -> Result<(), Bar> {
    Bar::PrussianBarred.bars(unit.side() == Side::Prussian)?;
    Bar::LannesBarred.bars(is_lannes(unit))?;
    Bar::CavalryBarred.bars(unit.data().arm.is_cavalry())
}
