//! What a stride costs (3.1, 3.2, 3.7, TET, series rules 4 to 8): terrain, roads, turning, formations,
//! zones of control, room. A [`Mover`] and a [`Stride`] enter, the price or the bar leaves.

use std::sync::LazyLock;

use kernel::Clerk;
use rulebook::options::danzig::{GunMinimumMove, Options};
use rulebook::rule;
use rulebook::tables::danzig::SERIES_FORMATIONS;

use super::bar::Bar;
use super::field::{Field, Load, ground_of, has_facing, heading, uses_ways};
use super::hex::{Heading, Hex};
use super::map::{Gate, Terrain, map};
use super::march::{Mover, Stride};
use super::terrain::{Crossing, Travel, road_bonus, step_cost};
use super::{Unheard, passage, works};
use crate::{Arm, Formation, Side, Table, UnitId, UnitSet};

/// What a stride costs and does to the rest of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Price {
    /// Movement points.
    pub cost: u8,
    /// The move is still wholly on the road.
    pub by_road: bool,
    /// It goes no further.
    pub halts: bool,
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

/// Where the stack in hand stands.
pub(super) fn standing(field: &Field<'_>, mover: &Mover) -> Result<Hex, Bar> {
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

/// Whether a road or track runs through a hex: units in column, limbered or disordered turn free on it.
fn on_way(hex: Hex) -> bool {
    map().cell(hex).edges.iter().any(|edge| edge.way())
}

/// The turn a counter must make before it can leave by a hexside: its new facing and what it pays.
pub(super) fn turn_to_leave(
    table: &Table,
    unit: UnitId,
    from: Hex,
    side: Heading,
) -> Result<(Heading, u8), Bar> {
    let state = table.unit(unit);
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
    let free = ground_of(table, from) != Terrain::Difficult || on_way(from);
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

/// What a modifier adds to a cost.
fn added(modifier: i32) -> u8 {
    u8::try_from(modifier).unwrap_or(0)
}

/// Through a gate, into the city or the fort or out of the fort.
fn through_gate(field: &Field<'_>, unit: UnitId, from: Hex, to: Hex) -> Result<(), Bar> {
    Bar::FrenchAtWalls.bars(unit.side() == Side::French)?;
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
    Bar::FrenchAtWalls
        .bars(unit.side() == Side::French && matches!(terrain, Terrain::City | Terrain::Fort))?;
    if edge.gate() {
        through_gate(field, unit, from, to)?;
        if terrain == Terrain::City {
            return Ok((to, clerk.value(rule!(DZ_3_1_08), 0)));
        }
    }
    if field.enemy_at(to, unit.side()) {
        return Err(if edge.ferry() && !field.bridge(from, to) { Bar::FerryHeld } else { Bar::Enemy });
    }
    Bar::Covered.bars(field.covered(to, unit.side()))?;
    let (_, turning) = turn_to_leave(field.table, unit, from, side)?;
    let turning = if turning > 0 { added(clerk.modifier(rule!(DZ_TET_13), turning.into())) } else { 0 };
    let cost = step_cost(&crossing(field, unit, from, to, side), field.options(), clerk)?;
    if edge.camp() && !edge.way() {
        clerk.applied(rule!(DZ_R97));
    }
    Ok((to, cost + turning))
}

/// Pays for a step of a retreat in the owner's movement step: terrain and roads as in any move, but no
/// zones of control (DZ-3.9-02). False when the points do not suffice.
pub(super) fn pay_retreat(field: &Field<'_>, mover: &mut Mover, from: Hex, side: Heading) -> bool {
    let (Some(unit), Some(to)) = (mover.units.iter().next(), from.beyond(side)) else { return false };
    let step = crossing(field, unit, from, to, side);
    let inside = field.map.terrain(to) == Terrain::City;
    let cost = if inside { 0 } else { step_cost(&step, field.options(), &mut Unheard).unwrap_or(1) };
    mover.by_road &= step.edge.road();
    let bonus = if mover.by_road { road_bonus(step.travel) } else { 0 };
    let paid = !mover.halted
        && (mover.afford(cost, bonus).is_ok() || {
            // After its guaranteed hex a gun goes no further.
            mover.halted = true;
            guaranteed_hex(field.options(), mover, field.ground(to), &mut Unheard).is_ok()
        });
    mover.spent = mover.spent.saturating_add(cost);
    paid
}

/// What is the same whichever way the stack goes.
struct Start {
    /// The hex it leaves.
    from: Hex,
    /// The enemies that control it.
    holds: UnitSet,
    /// What the stack takes up.
    load: Load,
}

impl Start {
    fn of(field: &Field<'_>, mover: &Mover, from: Hex) -> Self {
        Self { from, holds: field.controllers(from, mover.side()), load: field.load(mover.units, 0) }
    }
}

/// What going into the next hex costs the stack.
fn price_go(
    field: &Field<'_>,
    mover: &Mover,
    start: &Start,
    side: Heading,
    clerk: &mut impl Clerk,
) -> Result<(Hex, Price), Bar> {
    let from = start.from;
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
        return Ok((to, Price { cost, by_road, halts: true }));
    }
    let awaits = field.controllers(to, mover.side());
    if !start.holds.is_empty() {
        Bar::ZoneToZone.bars(start.holds.iter().any(|unit| awaits.has(unit)))?;
        cost += added(clerk.modifier(rule!(DZ_R94), 1));
    }
    let halts = !awaits.is_empty();
    let price = Price { cost, by_road, halts };
    if bonus > 0 && mover.afford(cost, 0).is_err() {
        bonus = added(clerk.modifier(rule!(DZ_TET_12), bonus.into()));
    }
    match mover.afford(cost, bonus) {
        Ok(()) => Ok((to, price)),
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
    let one = guns && (ground == Terrain::Marsh || anywhere);
    if clerk.holds(rule!(DZ_3_7_03), one) && clerk.holds(rule!(DZ_TET_03), one) { Ok(()) } else { Err(()) }
}

/// Whether the stack could stop in a hex it is about to enter.
pub(super) fn may_stop(field: &Field<'_>, mover: &Mover, hex: Hex, spent: u8) -> Result<(), Bar> {
    finds_room(field, mover, &field.load(mover.units, 0), hex, spent)
}

/// The same when it is known what the stack takes up.
fn finds_room(field: &Field<'_>, mover: &Mover, load: &Load, hex: Hex, spent: u8) -> Result<(), Bar> {
    if field.map.terrain(hex) == Terrain::City {
        return Ok(());
    }
    field.takes(load, mover.units, hex)?;
    let on_bonus = mover.by_road && mover.slowest().is_some_and(|(_, mp)| spent > mp);
    let others = |unit: UnitId| !mover.units.has(unit) && !unit.data().arm.is_artillery();
    Bar::ColumnOfRoute.bars(on_bonus && field.at(hex).any(others))?;
    Ok(())
}

/// A step into a hex where the stack cannot stop is taken only if it can go on from there.
fn may_go(
    field: &Field<'_>,
    mover: &Mover,
    start: &Start,
    side: Heading,
    clerk: &mut impl Clerk,
) -> Result<(Hex, Price), Bar> {
    let (to, price) = price_go(field, mover, start, side, clerk)?;
    let spent = mover.spent.saturating_add(price.cost);
    let after = Mover { by_road: price.by_road, ..*mover };
    let Err(bar) = finds_room(field, &after, &start.load, to, spent) else {
        return Ok((to, price));
    };
    if price.halts {
        return Err(bar);
    }
    let onward =
        to.around().any(|(next, beyond)| goes_on(field, mover, to, next, beyond, spent, price.by_road));
    if onward { Ok((to, price)) } else { Err(bar) }
}

/// The ways a stack that may still move can go from its hex.
pub(super) fn ways(field: &Field<'_>, mover: &Mover, from: Hex, mut each: impl FnMut(Heading)) {
    let start = Start::of(field, mover, from);
    for side in Heading::ALL {
        if may_go(field, mover, &start, side, &mut Unheard).is_ok() {
            each(side);
        }
    }
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

/// What it costs the stack to turn where it stands.
pub(super) fn price_turn(
    field: &Field<'_>,
    mover: &Mover,
    hex: Hex,
    to: Heading,
    clerk: &mut impl Clerk,
) -> Result<Price, Bar> {
    let mut cost = 0;
    let mut turns = false;
    for unit in mover.units.iter() {
        let Some(facing) = field.facing(unit) else { continue };
        let angle = facing.angle(to);
        turns |= angle > 0;
        let state = field.unit(unit);
        let stiff = matches!(state.formation, Formation::Line | Formation::Unlimbered);
        let on_road = || uses_ways(state, Travel::of(unit.data().arm)) && on_way(hex);
        if stiff || (field.ground(hex) == Terrain::Difficult && !on_road()) {
            cost = cost.max(angle);
        }
    }
    Bar::SameFacing.bars(!turns)?;
    if cost > 0 {
        let rule = if field.ground(hex) == Terrain::Difficult { rule!(DZ_TET_13) } else { rule!(DZ_R94) };
        cost = clerk.value(rule, cost);
        mover.afford(cost, 0)?;
    }
    Ok(Price { cost, by_road: mover.by_road, halts: false })
}

/// What a counter pays to take a formation where it stands.
pub(super) fn price_form(field: &Field<'_>, unit: UnitId, hex: Hex, into: Formation) -> Result<u8, Bar> {
    let state = field.unit(unit);
    let ground = field.ground(hex);
    Bar::SameFormation.bars(state.formation == into)?;
    let arm = unit.data().arm;
    match (arm, into) {
        (Arm::Infantry, Formation::Skirmish) if !unit.data().light => return Err(Bar::NotLight),
        (Arm::Infantry, Formation::Column | Formation::Line | Formation::Square | Formation::Skirmish)
        | (Arm::FieldArtillery, Formation::Limbered | Formation::Unlimbered) => {}
        (Arm::Siege12 | Arm::Siege24, Formation::Unlimbered) => Bar::SiegeGunsLimbered.bars(true)?,
        (Arm::Mortar, Formation::Unlimbered) => Bar::MortarsLimbered.bars(true)?,
        _ => return Err(Bar::FormationArm),
    }
    Bar::FormationTerrain.bars(ground.adapts() && into != Formation::Limbered)?;
    Ok(match (state.formation, into) {
        // Skirmishers close up as fast as they open out.
        (Formation::Skirmish, Formation::Column) => FORMING[Formation::Skirmish as usize],
        _ => FORMING[into as usize],
    })
}

pub(super) fn price(
    field: &Field<'_>,
    mover: &Mover,
    stride: Stride,
    clerk: &mut impl Clerk,
) -> Result<Price, Bar> {
    let alone = |cost| {
        mover.afford(cost, 0)?;
        Ok(Price { cost, by_road: false, halts: false })
    };
    // Whoever comes onto the map into a controlled hex stops there like everybody else.
    let onto = |cost, hex| {
        let halts = !field.controllers(hex, mover.side()).is_empty();
        alone(cost).map(|price| Price { halts, ..price })
    };
    match stride {
        Stride::Go(_) | Stride::Turn(_) if mover.halted => Err(Bar::Stopped),
        Stride::Go(side) => {
            let start = Start::of(field, mover, standing(field, mover)?);
            may_go(field, mover, &start, side, clerk).map(|(_, price)| price)
        }
        Stride::Turn(to) => price_turn(field, mover, standing(field, mover)?, to, clerk),
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
            Bar::Stopped.bars(mover.halted)?;
            cost = clerk.value(rule!(DZ_R94), cost);
            if field.ground(hex) == Terrain::Marsh && !clerk.holds(rule!(DZ_3_7_02), true) {
                return Err(Bar::FormationTerrain);
            }
            mover.afford(cost, 0)?;
            Ok(Price { cost, by_road: mover.by_road, halts: false })
        }
        Stride::FortFerry => {
            let from = standing(field, mover)?;
            let to = passage::fort_ferry(field, mover.units, from)?;
            may_stop(field, mover, to, mover.spent)?;
            alone(clerk.value(rule!(DZ_3_1_3_05), 0))
        }
        Stride::LeaveCity(gate) => {
            let unit = mover.units.iter().next().ok_or(Bar::NotHere)?;
            passage::check_leave_city(field, unit, gate)?;
            onto(clerk.value(rule!(DZ_3_1_08), 0), gate.hexes().1)
        }
        Stride::EnterConcentration => {
            let from = standing(field, mover)?;
            for unit in mover.units.iter() {
                passage::check_concentration(field, unit, from)?;
            }
            Bar::Stopped.bars(mover.halted)?;
            let cost = clerk.value(rule!(DZ_R71), 1);
            let divided = mover.units.iter().any(|unit| !unit.battalions().is_empty());
            alone(cost + if divided { clerk.rather(rule!(DZ_4_2_03), 0, 1) } else { 0 })
        }
        Stride::LeaveConcentration(hex) => {
            let unit = mover.units.iter().next().ok_or(Bar::NotHere)?;
            passage::check_leave_concentration(field, unit, hex)?;
            onto(1, hex)
        }
        Stride::DestroyBridge => {
            works::check_destroy_bridge(field, mover.units, standing(field, mover)?)?;
            Ok(Price { cost: 0, by_road: mover.by_road, halts: false })
        }
    }
}
