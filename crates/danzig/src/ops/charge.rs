//! Cavalry charges (series rules 12, DZ-R94, TET): the run, the reaction of the target, the melee at
//! charging values. All charging cavalry ends blown.

use kernel::{Clerk, Event, Verdict};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::bar::Bar;
use super::clash::Clash;
use super::field::{Field, heading};
use super::hex::{HEXES, Heading, Hex};
use super::losses::holds;
use super::map::Terrain;
use super::retreat::{self, Cause};
use super::terrain::{Crossing, Travel, step_cost};
use super::{HalfStep, Pursuit, Unheard, fire, fortress, march};
use crate::{Arm, Formation, Marks, Place, Side, Table, UnitId, UnitSet};

/// A charge: who, at what, and the way they go over the last two hexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Charge {
    /// The cavalry, from one hex.
    pub units: UnitSet,
    /// The hex charged.
    pub target: Hex,
    /// The heading of the last two hexes.
    pub heading: Heading,
}

/// What the target of a charge does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// Stands as it is.
    Stand,
    /// Infantry in line or column tries to form square: each counter tests its morale.
    Square,
    /// Cavalry that has the charger in front countercharges.
    Countercharge,
    /// Limbered guns get out of the way.
    Evade,
}

impl Charge {
    /// The hex it attacks from, and the one before it.
    fn approach(&self) -> Option<(Hex, Hex)> {
        let last = self.target.beyond(self.heading.back())?;
        Some((last, last.beyond(self.heading.back())?))
    }
}

/// Whether a counter may charge at all: its hex and its movement points.
fn may_charge(field: &Field<'_>, unit: UnitId) -> Result<(Hex, u8), Bar> {
    let state = field.unit(unit);
    let hex = field.hex_of(unit)?;
    Bar::Disordered.bars(state.is_disordered())?;
    let pursuit = &field.table.ops.pursuit;
    if pursuit.open && pursuit.units.has(unit) {
        return Ok((hex, pursuit.left));
    }
    Bar::NotCavalry.bars(
        !unit.data().arm.is_cavalry() || !matches!(state.formation, Formation::Formed | Formation::Adapted),
    )?;
    Bar::Moved.bars(state.marks.has(Marks::MOVED) || state.marks.has(Marks::CHARGED))?;
    Bar::Crossing.bars(field.table.ops.boats[unit.side() as usize].units.has(unit))?;
    Ok((hex, unit.data().mp))
}

/// The charge cost of one hexside, if a charge may pass there.
fn run_cost(
    field: &Field<'_>,
    side: Side,
    from: Hex,
    heading: Heading,
    clerk: &mut impl Clerk,
) -> Result<(Hex, u8), Bar> {
    let to = from.beyond(heading).ok_or(Bar::OffMap)?;
    let edge = field.map.edge(from, heading);
    let walls = if side == Side::French { Bar::FrenchAtWalls } else { Bar::Wall };
    walls.bars(matches!(field.map.terrain(to), Terrain::City | Terrain::Fort) || edge.gate())?;
    Bar::Enemy.bars(field.holder(to).is_some())?;
    Bar::Covered.bars(field.covered(to, side))?;
    let step = Crossing {
        travel: Travel::Charge,
        in_line: false,
        uses_ways: false,
        terrain: field.map.terrain(to),
        redoubt: field.redoubt(to),
        edge,
        bridge: field.bridge(from, to),
    };
    Ok((to, step_cost(&step, field.options(), clerk)?))
}

/// The cheapest charge costs from a hex to everywhere within an allowance, and the way back.
struct Reach {
    cost: Box<[u8; HEXES]>,
    from: Box<[u8; HEXES]>,
}

const UNREACHED: u8 = u8::MAX;

/// No cavalry has more movement points.
const MOST_POINTS: u8 = 16;

fn explore(field: &Field<'_>, side: Side, start: Hex, allowance: u8) -> Reach {
    let mut run = Reach { cost: Box::new([UNREACHED; HEXES]), from: Box::new([UNREACHED; HEXES]) };
    let mut buckets: [Vec<Hex>; 17] = Default::default();
    run.cost[start.index()] = 0;
    buckets[0].push(start);
    for spent in 0..=allowance.min(MOST_POINTS) {
        while let Some(hex) = buckets[usize::from(spent)].pop() {
            if run.cost[hex.index()] != spent {
                continue;
            }
            // A controlled hex ends any run through it.
            if hex != start && !field.controllers(hex, side).is_empty() {
                continue;
            }
            for heading in Heading::ALL {
                // No hex costs less than one point.
                let near =
                    hex.beyond(heading).is_some_and(|to| run.cost[to.index()] <= spent.saturating_add(1));
                if near {
                    continue;
                }
                let Ok((to, cost)) = run_cost(field, side, hex, heading, &mut Unheard) else { continue };
                let total = spent.saturating_add(cost);
                if total <= allowance && total < run.cost[to.index()] {
                    run.cost[to.index()] = total;
                    run.from[to.index()] = heading as u8;
                    if let Some(bucket) = buckets.get_mut(usize::from(total)) {
                        bucket.push(to);
                    }
                }
            }
        }
    }
    run
}

/// Whether the target can be charged from a hex by these counters.
fn check_clash(
    field: &Field<'_>,
    units: UnitSet,
    last: Hex,
    heading: Heading,
    target: Hex,
) -> Result<(), Bar> {
    let edge = field.map.edge(last, heading);
    Bar::FrenchAtWalls.bars(
        matches!(field.map.terrain(target), Terrain::City | Terrain::Fort) || edge.wall() || edge.gate(),
    )?;
    Bar::CavalryAtWorks.bars(field.redoubt(target) || edge.camp())?;
    Bar::AcrossVistula.bars(edge.vistula() && !field.bridge(last, target))?;
    if units.is_empty() { Err(Bar::NobodyAttacks) } else { Ok(()) }
}

fn validate(field: &Field<'_>, side: Side, charge: &Charge, known: Option<&Reach>) -> Result<(), Bar> {
    Bar::NobodyThere.bars(!field.enemy_at(charge.target, side))?;
    let mut start = None;
    let mut allowance = u8::MAX;
    for unit in charge.units.iter() {
        Bar::NotCavalry.bars(unit.side() != side)?;
        let (hex, points) = may_charge(field, unit)?;
        Bar::Apart.bars(*start.get_or_insert(hex) != hex)?;
        allowance = allowance.min(points);
    }
    let Some(start) = start else { return Err(Bar::NobodyAttacks) };
    let (last, before) = charge.approach().ok_or(Bar::NoRun)?;
    check_clash(field, charge.units, last, charge.heading, charge.target)?;
    Bar::NoSight.bars(!field.sees(start, charge.target))?;
    Bar::Enemy.bars(field.holder(last).is_some())?;
    field.fits(charge.units, last)?;
    let (_, end) = run_cost(field, side, before, charge.heading, &mut Unheard)?;
    let way = |run: &Reach| run.cost[before.index()];
    let cost = known.map_or_else(|| way(&explore(field, side, start, allowance)), way);
    let cost = cost.saturating_add(end);
    let rule = rule!(DZ_TET_11);
    if !rule.holds(cost <= allowance) {
        return Err(Bar::Points { cost, left: allowance, rule });
    }
    // It cannot run on through a hex an enemy controls.
    Bar::Stopped.bars(before != start && !field.controllers(before, side).is_empty())?;
    Ok(())
}

/// Whether a side may make this charge.
///
/// # Errors
/// The refusal.
pub fn check_charge(table: &Table, side: Side, charge: &Charge) -> Verdict<()> {
    Ok(validate(&Field::of(table), side, charge, None)?)
}

/// Lists the charges of a side: every cavalry counter and every stack of them, at every target.
pub fn list_charges(table: &Table, side: Side, mut each: impl FnMut(Charge)) {
    let field = Field::of(table);
    for unit in UnitId::of_side(side).filter(|unit| unit.data().arm.is_cavalry()) {
        let Ok((start, points)) = may_charge(&field, unit) else { continue };
        let reach = u16::from(points) + 1;
        let mut run: Option<Reach> = None;
        for enemy in UnitId::of_side(side.other()) {
            let Place::Hex(target) = field.unit(enemy).place else { continue };
            let far = target.distance(start);
            if !(2..=reach).contains(&far) || field.at(target).next() != Some(enemy) {
                continue;
            }
            if !field.sees(start, target) {
                continue;
            }
            let stack: UnitSet = field.at(start).filter(|&other| may_charge(&field, other).is_ok()).collect();
            for heading in Heading::ALL {
                let alone = Charge { units: UnitSet::of(unit), target, heading };
                let Some((_, before)) = alone.approach() else { continue };
                // Every hex costs at least one point: most runs are too long at sight.
                let Ok((_, end)) = run_cost(&field, side, before, heading, &mut Unheard) else { continue };
                if before.distance(start) + u16::from(end) > u16::from(points) {
                    continue;
                }
                let known = run.get_or_insert_with(|| explore(&field, side, start, points));
                if known.cost[before.index()] == UNREACHED {
                    continue;
                }
                if validate(&field, side, &alone, Some(known)).is_ok() {
                    each(alone);
                }
                let together = Charge { units: stack, ..alone };
                if stack.len() > 1
                    && stack.iter().next() == Some(unit)
                    && validate(&field, side, &together, Some(known)).is_ok()
                {
                    each(together);
                }
            }
        }
    }
}

/// A charge on its way to the hex it attacks from. Wherever it leaves a hex, those who see it may fire,
/// and the fortress does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Run {
    /// The charge, with those who are still in it.
    pub charge: Charge,
    /// The headings still to go, three bits each, the next one lowest.
    way: u64,
    /// How many they are.
    steps: u8,
    /// Movement points left.
    left: u8,
}

impl Run {
    /// The cavalry sets out.
    pub fn begin(table: &mut Table, charge: &Charge, clerk: &mut impl Clerk) -> Option<Self> {
        table.ops.step_into(HalfStep::Movement);
        clerk.applied(rule!(DZ_R94));
        let units = charge.units;
        let first = units.iter().next()?;
        let (_, before) = charge.approach()?;
        let field = Field::of(table);
        let start = field.hex_of(first).ok()?;
        let left = units.iter().filter_map(|unit| Some(may_charge(&field, unit).ok()?.1)).min()?;
        let found = explore(&field, first.side(), start, MOST_POINTS);
        let mut way = charge.heading as u64;
        let mut steps = 1;
        let mut at = before;
        while at != start {
            let heading = *Heading::ALL.get(usize::from(found.from[at.index()]))?;
            way = way << 3 | heading as u64;
            steps += 1;
            at = at.beyond(heading.back())?;
        }
        for unit in units.iter() {
            let counter = table.unit_mut(unit);
            counter.marks.set(Marks::CHARGED);
            counter.marks.set(Marks::MOVED);
            counter.marks.clear(Marks::ASSAULTED);
            if counter.formation == Formation::Blown {
                counter.formation = Formation::Formed;
            }
        }
        Some(Self { charge: *charge, way, steps, left })
    }

    /// Keeps only those still in order; false when nobody is.
    pub fn goes_on(&mut self, table: &Table) -> bool {
        let fit = |unit: &UnitId| table.unit(*unit).stands_in_order();
        self.charge.units = self.charge.units.iter().filter(fit).collect();
        !self.charge.units.is_empty()
    }

    /// The hex it leaves next.
    fn hex(&self, table: &Table) -> Option<Hex> {
        match table.unit(self.charge.units.iter().next()?).place {
            Place::Hex(hex) => Some(hex),
            _ => None,
        }
    }

    /// The enemies who may fire as it leaves its hex.
    #[must_use]
    pub fn watchers(&self, table: &Table) -> UnitSet {
        let mut firers = UnitSet::EMPTY;
        if let (Some(hex), Some(first)) = (self.hex(table), self.charge.units.iter().next()) {
            fire::opportunity_at(&Field::of(table), first.side(), self.charge.units, hex, &mut firers);
        }
        firers
    }

    /// The fortress fires as it leaves its hex.
    pub fn shell(&self, table: &mut Table, clerk: &mut impl Clerk) {
        if let Some(hex) = self.hex(table) {
            fortress::opportunity(table, self.charge.units, hex, clerk);
        }
    }

    /// Goes one hex further; true when it has come up to its target.
    pub fn step(&mut self, table: &mut Table, clerk: &mut impl Clerk) -> bool {
        let heading = Heading::ALL.get((self.way & 7) as usize).copied();
        if let (Some(heading), Some(from), Some(first)) =
            (heading, self.hex(table), self.charge.units.iter().next())
        {
            let run = run_cost(&Field::of(table), first.side(), from, heading, clerk);
            let (to, cost) = run.unwrap_or((from, self.left));
            self.left = self.left.saturating_sub(cost);
            for unit in self.charge.units.iter() {
                table.unit_mut(unit).facing = heading as u16;
                march::put(table, unit, to, clerk);
            }
        }
        self.way >>= 3;
        self.steps = self.steps.saturating_sub(1);
        if self.steps > 0 {
            return false;
        }
        // A second charge is never followed by a third.
        let again = table.ops.pursuit.open;
        let units = if again { UnitSet::EMPTY } else { self.charge.units };
        table.ops.pursuit = Pursuit { units, left: self.left, open: false };
        true
    }
}

/// Whether a counter in the charged hex can react so.
fn reacts(field: &Field<'_>, charge: &Charge, reaction: Reaction, unit: UnitId) -> bool {
    let state = field.unit(unit);
    let arm = unit.data().arm;
    !state.is_disordered()
        && match reaction {
            Reaction::Stand => true,
            Reaction::Square => {
                arm == Arm::Infantry && matches!(state.formation, Formation::Line | Formation::Column)
            }
            Reaction::Countercharge => {
                let ahead = heading(state).angle(charge.heading.back()) <= 1;
                arm.is_cavalry() && state.formation == Formation::Formed && ahead
            }
            Reaction::Evade => arm.is_artillery() && state.formation == Formation::Limbered,
        }
}

/// Those in the charged hex who can do anything but stand.
#[must_use]
pub fn reactors(table: &Table, charge: &Charge) -> UnitSet {
    let field = Field::of(table);
    let moves = [Reaction::Square, Reaction::Countercharge, Reaction::Evade];
    let can = |unit: &UnitId| moves.iter().any(|reaction| reacts(&field, charge, *reaction, *unit));
    field.at(charge.target).filter(can).collect()
}

/// Lists what a unit in the charged hex may do.
pub fn list_reactions(table: &Table, charge: &Charge, unit: UnitId, each: impl FnMut(Reaction)) {
    let field = Field::of(table);
    [Reaction::Stand, Reaction::Square, Reaction::Countercharge, Reaction::Evade]
        .into_iter()
        .filter(|reaction| reacts(&field, charge, *reaction, unit))
        .for_each(each);
}

/// Whether a unit in the charged hex may react so.
///
/// # Errors
/// The refusal.
pub fn check_reaction(table: &Table, charge: &Charge, unit: UnitId, reaction: Reaction) -> Verdict<()> {
    let field = Field::of(table);
    let here = field.at(charge.target).any(|other| other == unit);
    if here && reacts(&field, charge, reaction, unit) { Ok(()) } else { Err(Bar::CannotReact.into()) }
}

/// A unit in the charged hex reacts; those who countercharge do so when the charge strikes home.
pub fn react(table: &mut Table, charge: &Charge, unit: UnitId, reaction: Reaction, clerk: &mut impl Clerk) {
    match reaction {
        Reaction::Stand | Reaction::Countercharge => {}
        Reaction::Square => {
            if holds(table, unit, charge.target, clerk) {
                clerk.applied(rule!(DZ_R94));
                table.unit_mut(unit).formation = Formation::Square;
                clerk.happened(|| Event::new(phrase::SQUARE).with("unit", unit.data().label));
            }
        }
        Reaction::Evade => retreat::fall_back(table, unit, Cause::Evades, clerk),
    }
}

/// The charge strikes home; these countercharge.
#[must_use]
pub const fn strike_home(charge: &Charge, countercharge: UnitSet) -> Clash {
    Clash::of_charge(charge.target, charge.units, countercharge)
}

/// A charge is over: all who charged are blown; those who have won may charge once more.
pub(super) fn end(table: &mut Table, charged: UnitSet, countercharged: UnitSet, won: bool) {
    for unit in charged.iter().chain(countercharged.iter()) {
        blow(table, unit);
    }
    let pursuers = table.ops.pursuit.units.iter().filter(|&unit| {
        let state = table.unit(unit);
        won && state.stands_in_order()
    });
    let units: UnitSet = pursuers.collect();
    table.ops.pursuit = Pursuit { units, open: !units.is_empty(), ..table.ops.pursuit };
}

/// Cavalry that has charged is blown until its side's next half-round.
fn blow(table: &mut Table, unit: UnitId) {
    let counter = table.unit_mut(unit);
    if matches!(counter.place, Place::Hex(_))
        && !counter.is_disordered()
        && counter.formation == Formation::Formed
    {
        counter.formation = Formation::Blown;
    }
}
