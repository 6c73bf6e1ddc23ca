//! Movement (3.1, 3.2, 3.7, series rules 4 to 8): a stack is taken up, makes one stride after the
//! other and is put down. A [`Mover`] and a [`Stride`] enter, the changed table and what is left of
//! the movement points leave.

use kernel::{Clerk, Effect, Event, RuleId, Verdict};
use rulebook::options::danzig::{GunMinimumMove, Options};
use rulebook::tables::danzig::SERIES_FORMATIONS;
use rulebook::{phrase::danzig_ops as phrase, rule};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

use super::bar::Bar;
use super::field::{Field, has_facing, heading, is_lannes, uses_ways};
use super::fortress;
use super::hex::{Heading, Hex};
use super::map::{Gate, Terrain};
use super::passage;
use super::terrain::{Crossing, Travel, road_bonus, step_cost};
use super::{Unheard, works};
use crate::{Arm, Corps, Formation, Level, Marks, Place, Side, Table, UnitId, UnitSet};

/// A stack in hand, and how far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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

/// What a stride costs and does to the rest of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Price {
    cost: u8,
    by_road: bool,
    halts: bool,
}

/// The cost of taking each formation, from the table of formations.
static FORMING: LazyLock<[u8; 9]> = LazyLock::new(|| {
    let mut costs = [0; 9];
    for row in &SERIES_FORMATIONS {
        let formation = match row.formation {
            "column" => Formation::Column,
            "line" => Formation::Line,
            "square" => Formation::Square,
            "skirmish" => Formation::Skirmish,
            "limbered" => Formation::Limbered,
            "unlimbered" => Formation::Unlimbered,
            _ => continue,
        };
        let first = row.cost_to_enter_mp.bytes().next().unwrap_or(b'0');
        costs[formation as usize] = first.saturating_sub(b'0');
    }
    costs
});

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
    fn slowest(&self) -> Option<(UnitId, u8)> {
        self.units.iter().map(|unit| (unit, unit.data().mp)).min_by_key(|&(unit, mp)| (mp, unit))
    }

    fn afford(&self, cost: u8, bonus: u8) -> Result<(), Bar> {
        let Some((unit, mp)) = self.slowest() else { return Err(Bar::NotHere) };
        let left = (mp + bonus).saturating_sub(self.spent);
        if cost > left { Err(Bar::Points { cost, left, rule: allowance_rule(unit) }) } else { Ok(()) }
    }

    /// Whether it has the points for this.
    ///
    /// # Errors
    /// The bar when it has not.
    pub(super) fn pay(&self, cost: u8) -> Result<(), Bar> {
        self.afford(cost, 0)
    }

    fn side(&self) -> Side {
        self.units.iter().next().map_or(Side::French, UnitId::side)
    }
}

/// Whether a counter may be taken up alone.
fn may_move(field: &Field<'_>, unit: UnitId) -> Result<(), Bar> {
    let state = field.unit(unit);
    if unit.data().mp == 0 {
        return Err(Bar::Immobile);
    }
    match state.place {
        Place::Hex(_) => {}
        Place::Reserve | Place::Wall(_) if unit.side() == Side::Prussian => {}
        Place::Concentration if unit.data().level == Level::Single => {
            passage::check_settled(field.table, unit)?;
        }
        Place::Away if unit.data().level == Level::Regiment => {
            passage::check_settled(field.table, unit)?;
        }
        _ => return Err(Bar::NotHere),
    }
    if state.is_disordered() {
        return Err(Bar::Disordered);
    }
    if state.marks.has(Marks::MOVED) || state.marks.has(Marks::CHARGED) {
        return Err(Bar::Moved);
    }
    if state.formation == Formation::Blown {
        return Err(Bar::Blown);
    }
    if field.table.ops.boats[unit.side() as usize].units.has(unit) {
        return Err(Bar::Crossing);
    }
    Ok(())
}

fn may_take_up(field: &Field<'_>, side: Side, units: UnitSet) -> Result<(), Bar> {
    let mut place = None;
    for unit in units.iter() {
        if unit.side() != side {
            return Err(Bar::NotHere);
        }
        may_move(field, unit)?;
        let here = field.unit(unit).place;
        let alone = !matches!(here, Place::Hex(_)) && units.len() > 1;
        if alone || *place.get_or_insert(here) != here {
            return Err(Bar::Apart);
        }
    }
    if place.is_none() { Err(Bar::NotHere) } else { Ok(()) }
}

/// Lists the stacks a side may take up: every counter that may move, and every whole stack.
pub fn list_movers(table: &Table, side: Side, mut each: impl FnMut(UnitSet)) {
    let field = Field::of(table);
    for unit in UnitId::of_side(side) {
        if may_move(&field, unit).is_err() {
            continue;
        }
        each(UnitSet::of(unit));
        let Place::Hex(hex) = table.unit(unit).place else { continue };
        let stack: UnitSet = field.at(hex).filter(|&other| may_move(&field, other).is_ok()).collect();
        if stack.len() > 1 && stack.iter().next() == Some(unit) {
            each(stack);
        }
    }
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

/// Where the stack in hand stands.
fn standing(field: &Field<'_>, mover: &Mover) -> Result<Hex, Bar> {
    mover.units.iter().next().ok_or(Bar::NotHere).and_then(|unit| field.hex_of(unit))
}

/// The step of one counter into the next hex, as the terrain table sees it.
fn crossing(field: &Field<'_>, unit: UnitId, from: Hex, to: Hex, side: Heading) -> Crossing {
    let state = field.unit(unit);
    let travel = Travel::of(unit.data().arm);
    Crossing {
        travel,
        in_line: state.formation == Formation::Line && !state.is_disordered(),
        uses_ways: uses_ways(state, travel),
        terrain: field.map.terrain(to),
        redoubt: field.redoubt(to),
        edge: field.map.edge(from, side),
        bridge: field.bridge(from, to),
    }
}

/// The turn a counter must make before it can leave by a hexside: its new facing and what it pays.
fn turn_to_leave(field: &Field<'_>, unit: UnitId, from: Hex, side: Heading) -> Result<(Heading, u8), Bar> {
    let state = field.unit(unit);
    if !has_facing(state) {
        return Ok((side, 0));
    }
    let facing = heading(state);
    let angle = facing.angle(side);
    match state.formation {
        Formation::Line if angle > 1 => return Err(Bar::LineAhead),
        Formation::Line => return Ok((facing, 0)),
        _ => {}
    }
    let free = field.ground(from) != Terrain::Difficult || field.map.edge(from, side).way();
    if free {
        return Ok((side, 0));
    }
    if angle <= 1 {
        return Ok((facing, 0));
    }
    // Just far enough to have the hexside in front.
    let clockwise = facing.turned(angle) == side;
    Ok((if clockwise { side.turned(5) } else { side.turned(1) }, angle - 1))
}

/// Through a gate, into the city or the fort or out of the fort.
fn through_gate(field: &Field<'_>, unit: UnitId, from: Hex, to: Hex) -> Result<(), Bar> {
    if unit.side() == Side::French {
        return Err(Bar::FrenchAtWalls);
    }
    if field.map.terrain(to) == Terrain::City {
        let gate = Gate::CITY.into_iter().find(|gate| gate.hexes() == (to, from)).ok_or(Bar::Wall)?;
        passage::gate_open_to(field.table, unit, gate)?;
    }
    Ok(())
}

/// What going into the next hex costs one counter, walls and enemies considered.
fn unit_step(
    field: &Field<'_>,
    unit: UnitId,
    from: Hex,
    side: Heading,
    clerk: &mut impl Clerk,
) -> Result<(Hex, u8), Bar> {
    let to = from.beyond(side).ok_or(Bar::OffMap)?;
    let edge = field.map.edge(from, side);
    let terrain = field.map.terrain(to);
    let state = field.unit(unit);
    match state.formation {
        Formation::Square => return Err(Bar::SquareStands),
        Formation::Unlimbered => return Err(Bar::Unlimbered),
        Formation::Blown => return Err(Bar::Blown),
        _ => {}
    }
    if unit.side() == Side::French && matches!(terrain, Terrain::City | Terrain::Fort) {
        return Err(Bar::FrenchAtWalls);
    }
    if edge.gate() {
        through_gate(field, unit, from, to)?;
        if terrain == Terrain::City {
            clerk.because(rule!(DZ_3_1_08), Effect::Set(0.into()));
            return Ok((to, 0));
        }
    }
    if field.enemy_at(to, unit.side()) {
        return Err(if edge.ferry() && !field.bridge(from, to) { Bar::FerryHeld } else { Bar::Enemy });
    }
    if field.covered(to, unit.side()) {
        return Err(Bar::Covered);
    }
    let (_, turning) = turn_to_leave(field, unit, from, side)?;
    if turning > 0 {
        clerk.because(rule!(DZ_TET_13), Effect::Modifier(turning.into()));
    }
    let cost = step_cost(&crossing(field, unit, from, to, side), field.options(), clerk)?;
    if edge.camp() && !edge.way() {
        clerk.applied(rule!(DZ_R97));
    }
    Ok((to, cost + turning))
}

/// What going into the next hex costs the stack.
fn price_go(
    field: &Field<'_>,
    mover: &Mover,
    side: Heading,
    clerk: &mut impl Clerk,
) -> Result<(Hex, Price), Bar> {
    if mover.halted {
        return Err(Bar::Stopped);
    }
    let from = standing(field, mover)?;
    let owner = mover.side();
    let mut cost = 0;
    let mut bonus = u8::MAX;
    let mut to = from;
    let edge = field.map.edge(from, side);
    let by_road = mover.by_road && edge.road();
    for unit in mover.units.iter() {
        let (next, own) = unit_step(field, unit, from, side, clerk)?;
        let state = field.unit(unit);
        let travel = Travel::of(unit.data().arm);
        let on_road = by_road && uses_ways(state, travel);
        (to, cost) = (next, cost.max(own));
        bonus = bonus.min(if on_road { road_bonus(travel) } else { 0 });
    }
    if field.map.terrain(to) == Terrain::City {
        return Ok((to, Price { cost: 0, by_road, halts: true }));
    }
    let holds = field.controllers(from, owner);
    let awaits = field.controllers(to, owner);
    if !holds.is_empty() {
        if holds.iter().any(|unit| awaits.has(unit)) {
            return Err(Bar::ZoneToZone);
        }
        cost += 1;
        clerk.because(rule!(DZ_R94), Effect::Modifier(1));
    }
    let halts = !awaits.is_empty();
    let price = Price { cost, by_road, halts };
    match mover.afford(cost, bonus) {
        Ok(()) => {
            if bonus > 0 && mover.afford(cost, 0).is_err() {
                clerk.because(rule!(DZ_TET_12), Effect::Modifier(bonus.into()));
            }
            Ok((to, price))
        }
        Err(bar) => {
            guaranteed_hex(field.options(), mover, field.ground(to), clerk).map_err(|()| bar)?;
            Ok((to, Price { halts: true, ..price }))
        }
    }
}

/// A gun may always go one hex in marsh (by option anywhere), whatever it costs; then it stops.
fn guaranteed_hex(
    options: &Options,
    mover: &Mover,
    ground: Terrain,
    clerk: &mut impl Clerk,
) -> Result<(), ()> {
    let guns = mover.units.iter().all(|unit| unit.data().arm.is_artillery());
    let anywhere = options.gun_minimum_move == GunMinimumMove::AnyTerrain && mover.spent == 0;
    if guns && (ground == Terrain::Marsh || anywhere) {
        clerk.applied(rule!(DZ_3_7_03));
        clerk.applied(rule!(DZ_TET_03));
        Ok(())
    } else {
        Err(())
    }
}

/// Whether the stack could stop in a hex it is about to enter.
fn may_stop(field: &Field<'_>, mover: &Mover, hex: Hex, spent: u8) -> Result<(), Bar> {
    if field.map.terrain(hex) == Terrain::City {
        return Ok(());
    }
    field.fits(mover.units, hex)?;
    let on_bonus = mover.slowest().is_some_and(|(_, mp)| spent > mp) && mover.by_road;
    let others = |unit: UnitId| !mover.units.has(unit) && !unit.data().arm.is_artillery();
    if on_bonus && field.at(hex).any(others) {
        return Err(Bar::ColumnOfRoute);
    }
    Ok(())
}

/// A step into a hex where the stack cannot stop is taken only if it can go on from there.
fn may_go(
    field: &Field<'_>,
    mover: &Mover,
    side: Heading,
    clerk: &mut impl Clerk,
) -> Result<(Hex, Price), Bar> {
    let (to, price) = price_go(field, mover, side, clerk)?;
    let spent = mover.spent.saturating_add(price.cost);
    let Err(bar) = may_stop(field, &Mover { by_road: price.by_road, ..*mover }, to, spent) else {
        return Ok((to, price));
    };
    if price.halts {
        return Err(bar);
    }
    let onward =
        to.around().any(|(next, beyond)| goes_on(field, mover, to, next, beyond, spent, price.by_road));
    if onward { Ok((to, price)) } else { Err(bar) }
}

/// Whether the stack, having passed through friends, could stop one hex further.
fn goes_on(
    field: &Field<'_>,
    mover: &Mover,
    from: Hex,
    side: Heading,
    to: Hex,
    spent: u8,
    by_road: bool,
) -> bool {
    if field.fits(mover.units, to).is_err() || !field.controllers(from, mover.side()).is_empty() {
        return false;
    }
    let mut cost = 0;
    for unit in mover.units.iter() {
        // Turning is left out of account: it is free but for difficult ground.
        if field.ground(from) == Terrain::Difficult || field.unit(unit).formation == Formation::Line {
            return false;
        }
        match unit_step(field, unit, from, side, &mut Unheard) {
            Ok((_, own)) => cost = cost.max(own),
            Err(_) => return false,
        }
    }
    let after = Mover { spent, by_road, ..*mover };
    field.map.terrain(to) != Terrain::City && after.afford(cost, 0).is_ok()
}

fn price_turn(field: &Field<'_>, mover: &Mover, to: Heading, clerk: &mut impl Clerk) -> Result<Price, Bar> {
    if mover.halted {
        return Err(Bar::Stopped);
    }
    let hex = standing(field, mover)?;
    let mut cost = 0;
    let mut turns = false;
    for unit in mover.units.iter() {
        let Some(facing) = field.facing(unit) else { continue };
        let angle = facing.angle(to);
        turns |= angle > 0;
        let state = field.unit(unit);
        let stiff = matches!(state.formation, Formation::Line | Formation::Unlimbered);
        if stiff || field.ground(hex) == Terrain::Difficult {
            cost = cost.max(angle);
        }
    }
    if !turns {
        return Err(Bar::SameFacing);
    }
    if cost > 0 {
        let rule = if field.ground(hex) == Terrain::Difficult { rule!(DZ_TET_13) } else { rule!(DZ_R94) };
        clerk.because(rule, Effect::Set(cost.into()));
    }
    mover.afford(cost, 0)?;
    Ok(Price { cost, by_road: mover.by_road, halts: false })
}

/// What a counter pays to take a formation where it stands.
fn price_form(field: &Field<'_>, unit: UnitId, hex: Hex, into: Formation) -> Result<u8, Bar> {
    let state = field.unit(unit);
    let ground = field.ground(hex);
    if state.formation == into {
        return Err(Bar::SameFormation);
    }
    let arm = unit.data().arm;
    match (arm, into) {
        (Arm::Infantry, Formation::Column | Formation::Line | Formation::Square) => {}
        (Arm::Infantry, Formation::Skirmish) if unit.data().light => {}
        (Arm::Infantry, Formation::Skirmish) => return Err(Bar::NotLight),
        (Arm::FieldArtillery, Formation::Limbered | Formation::Unlimbered) => {}
        (Arm::Siege12 | Arm::Siege24, Formation::Unlimbered) => return Err(Bar::SiegeGunsLimbered),
        (Arm::Mortar, Formation::Unlimbered) => return Err(Bar::MortarsLimbered),
        _ => return Err(Bar::FormationArm),
    }
    if ground.adapts() && into != Formation::Limbered {
        return Err(Bar::FormationTerrain);
    }
    Ok(match (state.formation, into) {
        // Skirmishers close up as fast as they open out.
        (Formation::Skirmish, Formation::Column) => FORMING[Formation::Skirmish as usize],
        _ => FORMING[into as usize],
    })
}

fn price(field: &Field<'_>, mover: &Mover, stride: Stride, clerk: &mut impl Clerk) -> Result<Price, Bar> {
    let alone = |cost| {
        mover.afford(cost, 0)?;
        Ok(Price { cost, by_road: false, halts: false })
    };
    match stride {
        Stride::Go(side) => may_go(field, mover, side, clerk).map(|(_, price)| price),
        Stride::Turn(to) => price_turn(field, mover, to, clerk),
        Stride::Form(into) => {
            let hex = standing(field, mover)?;
            let mut cost = 0;
            let mut bar = Err(Bar::SameFormation);
            for unit in mover.units.iter() {
                match price_form(field, unit, hex, into) {
                    Ok(own) => {
                        cost = cost.max(own);
                        bar = Ok(());
                    }
                    Err(Bar::SameFormation | Bar::FormationArm) if mover.units.len() > 1 => {}
                    Err(other) => return Err(other),
                }
            }
            bar?;
            if mover.halted {
                return Err(Bar::Stopped);
            }
            clerk.because(rule!(DZ_R94), Effect::Set(cost.into()));
            mover.afford(cost, 0)?;
            Ok(Price { cost, by_road: mover.by_road, halts: false })
        }
        Stride::FortFerry => {
            let from = standing(field, mover)?;
            let to = passage::fort_ferry(field, mover.units, from)?;
            may_stop(field, mover, to, mover.spent)?;
            alone(0)
        }
        Stride::LeaveCity(gate) => {
            let unit = mover.units.iter().next().ok_or(Bar::NotHere)?;
            passage::check_leave_city(field, unit, gate)?;
            alone(0)
        }
        Stride::EnterConcentration => {
            let from = standing(field, mover)?;
            for unit in mover.units.iter() {
                passage::check_concentration(field, unit, from)?;
            }
            if mover.halted {
                return Err(Bar::Stopped);
            }
            clerk.because(rule!(DZ_R71), Effect::Set(1.into()));
            alone(1)
        }
        Stride::LeaveConcentration(hex) => {
            let unit = mover.units.iter().next().ok_or(Bar::NotHere)?;
            passage::check_leave_concentration(field, unit, hex)?;
            alone(1)
        }
        Stride::DestroyBridge => {
            works::check_destroy_bridge(field, mover.units, standing(field, mover)?)?;
            Ok(Price { cost: 0, by_road: mover.by_road, halts: false })
        }
    }
}

/// Lists the strides the stack in hand may make.
pub fn list_strides(table: &Table, mover: &Mover, mut each: impl FnMut(Stride)) {
    let field = Field::of(table);
    let Some(unit) = mover.units.iter().next() else { return };
    let may = |stride| price(&field, mover, stride, &mut Unheard).is_ok();
    match table.unit(unit).place {
        Place::Hex(hex) => {
            for side in Heading::ALL {
                for stride in [Stride::Go(side), Stride::Turn(side)] {
                    if may(stride) {
                        each(stride);
                    }
                }
            }
            for formation in forms(unit) {
                if may(Stride::Form(*formation)) {
                    each(Stride::Form(*formation));
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
    let field = Field::of(table);
    let ground = field.ground(hex);
    let cell = field.map.cell(hex);
    let state = *table.unit(unit);
    let formation = if state.is_disordered() {
        state.formation
    } else {
        formation_in(ground, unit.data().arm, state.formation)
    };
    if formation != state.formation {
        clerk.applied(rule!(DZ_TET_13));
    }
    let counter = table.unit_mut(unit);
    counter.place = Place::Hex(hex);
    counter.formation = formation;
    counter.marks.clear(Marks::BRIDGING);
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
    {
        table.ops.redoubts &= !(1 << redoubt);
        clerk.applied(rule!(DZ_3_8_3_05));
        clerk.happened(|| Event::new(phrase::REDOUBT_LOST).with("hex", hex.to_string()));
    }
    if cell.red_arrow && unit.data().corps == Corps::Kamenski {
        if !table.danzig.relief_done {
            clerk.applied(rule!(DZ_6_2_05));
        }
        table.danzig.relieved(clerk);
    }
}

/// Makes a stride that was checked. The fire of the fortress at the hex left comes first; whoever is
/// disordered or lost by it drops out. True while anybody of the stack may go on.
pub fn stride(table: &mut Table, mover: &mut Mover, stride: Stride, clerk: &mut impl Clerk) -> bool {
    let left = standing(&Field::of(table), mover).ok();
    let leaves = matches!(stride, Stride::Go(_) | Stride::EnterConcentration);
    if let (Some(hex), true) = (left, leaves) {
        fortress::opportunity(table, mover.units, hex, clerk);
        if !still_moving(table, mover) {
            return false;
        }
    }
    make(table, mover, stride, clerk).unwrap_or(true)
}

/// Makes a stride that draws no fire: the cost is paid and the table changed. True while the stack may
/// go on.
///
/// # Errors
/// The bar when it may not be made; nothing is changed then.
pub fn make(
    table: &mut Table,
    mover: &mut Mover,
    stride: Stride,
    clerk: &mut impl Clerk,
) -> Result<bool, Bar> {
    let left = standing(&Field::of(table), mover).ok();
    let leaves = matches!(stride, Stride::Go(_) | Stride::EnterConcentration);
    let price = price(&Field::of(table), mover, stride, clerk)?;
    mover.spent = mover.spent.saturating_add(price.cost);
    mover.halted |= price.halts;
    if leaves {
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
                let counter = table.unit_mut(unit);
                if has_facing(counter) {
                    counter.facing = to as u16;
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
            clerk.because(rule!(DZ_3_1_3_05), Effect::Set(0.into()));
            if let Some(Ok(to)) = left.map(|from| passage::fort_ferry(&Field::of(table), mover.units, from)) {
                for unit in mover.units.iter() {
                    put(table, unit, to, clerk);
                }
            }
        }
        Stride::LeaveCity(gate) => {
            for unit in mover.units.iter() {
                passage::leave_city(table, unit, gate, clerk);
            }
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
    let inside = Field::of(table).map.terrain(to) == Terrain::City;
    for unit in units.iter() {
        if inside {
            passage::enter_city(table, unit, clerk);
            continue;
        }
        let facing = turn_to_leave(&Field::of(table), unit, from, side).map_or(side, |(facing, _)| facing);
        table.unit_mut(unit).facing = facing as u16;
        put(table, unit, to, clerk);
    }
}

/// Whether Lannes's troops or cavalry are barred from the siege map.
pub(super) fn barred_from_siege(unit: UnitId) -> Result<(), Bar> {
    if unit.side() == Side::Prussian {
        Err(Bar::PrussianBarred)
    } else if is_lannes(unit) {
        Err(Bar::LannesBarred)
    } else if unit.data().arm.is_cavalry() {
        Err(Bar::CavalryBarred)
    } else {
        Ok(())
    }
}
