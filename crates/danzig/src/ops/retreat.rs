//! Retreat along the line of communication (3.6, 3.9, series rules 7 and 13, DZ-R98): the nearest
//! goal that can be reached, the hexes on the way, fire and losses on it, and leaving the map.

use kernel::{Clerk, Event};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::field::{Field, is_lannes};
use super::fortress;
use super::hex::{HEXES, Heading, Hex};
use super::losses::eliminate;
use super::map::{Gate, Terrain};
use super::march::Mover;
use super::pace::pay_retreat;
use super::passage;
use super::{march, passage::gate_open};
use crate::{Marks, Owed, Place, Side, Table, UnitId, UnitSet};

/// Where a retreat leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// The west edge, for the French.
    WestEdge,
    /// The entry hex in the east, for Lannes.
    EastEntry,
    /// The city.
    City,
    /// The fort.
    Fort,
}

/// Why a counter goes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// It has just been disordered: three hexes, cavalry five.
    Broken,
    /// It is its owner's movement step: the full allowance.
    Step,
    /// Guns get out of the way of a charge: two hexes, in order.
    Evades,
}

const FAR: u16 = u16::MAX;

/// Which hexes a retreat may be planned through.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shy {
    /// None that an enemy controls.
    Yes,
    /// Any that is free.
    No,
    /// Any that is free, as if there were no Vistula.
    Swimming,
}

/// For every hex the number of hexes to the goal, over ground a unit may retreat on.
struct Way {
    distance: Box<[u16; HEXES]>,
    first: [(Goal, Option<u16>); 2],
}

impl Way {
    /// The goals nearest to a hex.
    fn nearest(&self, from: Hex) -> impl Iterator<Item = Goal> + '_ {
        let least = Some(self.distance[from.index()]);
        self.first.iter().filter(move |(_, far)| *far == least).map(|(goal, _)| *goal)
    }
}

/// Whether a retreating counter may go from one hex to the next.
fn passable(field: &Field<'_>, unit: UnitId, from: Hex, side: Heading, to: Hex, swims: bool) -> bool {
    let edge = field.map.edge(from, side);
    let terrain = field.map.terrain(to);
    let owner = unit.side();
    if terrain == Terrain::Sea || edge.wall() || field.enemy_at(to, owner) || field.covered(to, owner) {
        return false;
    }
    if edge.vistula() && !field.bridge(from, to) && !swims {
        return false;
    }
    if edge.gate() || terrain == Terrain::Fort {
        return owner == Side::Prussian;
    }
    let arm = unit.data().arm;
    let by_way = edge.way();
    let guns_in_wood = arm.is_artillery() && field.ground(to) == Terrain::Forest;
    let over_rampart = edge.camp() && arm != crate::Arm::Infantry;
    by_way || (!guns_in_wood && !over_rampart)
}

/// The goal hexes of a counter.
fn goal_hexes(field: &Field<'_>, unit: UnitId, goal: Goal, mut each: impl FnMut(Hex)) {
    match goal {
        Goal::WestEdge => field.map.west_edge.iter().copied().for_each(&mut each),
        Goal::EastEntry => each(field.map.east_entry),
        Goal::Fort => field.map.fort.iter().copied().for_each(&mut each),
        // The hex outside an open gate is one short of the city.
        Goal::City => Gate::CITY
            .into_iter()
            .filter(|&gate| {
                passage::gate_open_to(field.table, unit, gate).is_ok() && gate_open(field.table, gate)
            })
            .for_each(|gate| each(gate.hexes().0)),
    }
}

/// The goals a counter may have.
fn goals(unit: UnitId) -> &'static [Goal] {
    match unit.side() {
        Side::Prussian => &[Goal::City, Goal::Fort],
        Side::French if is_lannes(unit) => &[Goal::EastEntry],
        Side::French => &[Goal::WestEdge],
    }
}

/// Hexes to a goal from everywhere at least as near as `from`, over the hexes that `shy` allows. City hexes are only reached,
/// never crossed.
fn distances(field: &Field<'_>, unit: UnitId, from: Hex, goal: Goal, shy: Shy) -> Box<[u16; HEXES]> {
    let mut distance = Box::new([FAR; HEXES]);
    let mut queue = Vec::with_capacity(256);
    goal_hexes(field, unit, goal, |hex| {
        if !field.enemy_at(hex, unit.side()) {
            distance[hex.index()] = 0;
            queue.push(hex);
        }
    });
    let mut at = 0;
    while let Some(&hex) = queue.get(at) {
        at += 1;
        let here = distance[hex.index()];
        for (heading, next) in hex.around() {
            let terrain = field.map.terrain(next);
            let back = heading.back();
            if distance[next.index()] != FAR
                || terrain == Terrain::City
                || !passable(field, unit, next, back, hex, shy == Shy::Swimming)
                || field.enemy_at(next, unit.side())
            {
                continue;
            }
            if shy == Shy::Yes && here > 0 && !field.controllers(hex, unit.side()).is_empty() {
                continue;
            }
            distance[next.index()] = here + 1;
            if next == from {
                // Every hex nearer to the goal is known by now.
                return distance;
            }
            queue.push(next);
        }
    }
    distance
}

/// The nearest goals of a counter with the distance of each, and the way to the nearest.
fn way(field: &Field<'_>, unit: UnitId, from: Hex, wanted: Option<Goal>) -> Option<(Goal, Way, bool)> {
    for shy in [Shy::Yes, Shy::No] {
        let mut first = [(Goal::City, None); 2];
        let mut best: Option<(u16, Goal, Box<[u16; HEXES]>)> = None;
        for (slot, &goal) in first.iter_mut().zip(goals(unit)) {
            let distance = distances(field, unit, from, goal, shy);
            let far = distance[from.index()];
            if far == FAR {
                continue;
            }
            *slot = (goal, Some(far));
            let nearer = best.as_ref().is_none_or(|(least, ..)| far < *least);
            let chosen = wanted == Some(goal) && best.as_ref().is_some_and(|(least, ..)| far == *least);
            if nearer || chosen {
                best = Some((far, goal, distance));
            }
        }
        if let Some((_, goal, distance)) = best {
            return Some((goal, Way { distance, first }, shy == Shy::No));
        }
    }
    None
}

/// The goals a retreating counter may choose between: one, or two at the same distance.
#[must_use]
pub fn retreat_goals(table: &Table, unit: UnitId) -> Vec<Goal> {
    let field = Field::of(table);
    let Ok(from) = field.hex_of(unit) else { return Vec::new() };
    way(&field, unit, from, None).map(|(_, way, _)| way.nearest(from).collect()).unwrap_or_default()
}

/// What the owner of a counter that must retreat may choose between: two goals at the same distance
/// (3.6), or in a village to stay or to go on (3.9). Nothing where the rules leave him no choice, or
/// when the counter has retreated in this step.
#[must_use]
pub fn retreat_choices(table: &Table, unit: UnitId) -> Vec<Option<Goal>> {
    let state = table.unit(unit);
    let Place::Hex(hex) = state.place else { return Vec::new() };
    if !state.is_disordered() || state.marks.has(Marks::MOVED) {
        return Vec::new();
    }
    let field = Field::of(table);
    if field.map.terrain(hex) == Terrain::Fort {
        return Vec::new();
    }
    let in_village = field.ground(hex) == Terrain::Village;
    let goals = retreat_goals(table, unit);
    match goals.len() {
        0 => Vec::new(),
        1 if !in_village => Vec::new(),
        _ => in_village.then_some(None).into_iter().chain(goals.into_iter().map(Some)).collect(),
    }
}

/// Disordered counters of the phasing side retreat, where their owner has no choice.
pub fn forced_retreats(table: &mut Table, side: Side, clerk: &mut impl Clerk) {
    for unit in UnitId::of_side(side) {
        if table.unit(unit).is_disordered()
            && matches!(table.unit(unit).place, Place::Hex(_))
            && retreat_choices(table, unit).is_empty()
        {
            retreat(table, unit, None, clerk);
        }
    }
}

/// A disordered counter retreats in its owner's movement step with its full allowance (3.9); it stops
/// in a village. `wanted` decides between two goals at the same distance; without it a counter in a
/// village stays there.
pub fn retreat(table: &mut Table, unit: UnitId, wanted: Option<Goal>, clerk: &mut impl Clerk) {
    table.unit_mut(unit).marks.set(Marks::MOVED);
    if clerk.holds(rule!(DZ_3_9_02), true) {
        fall_back_to(table, unit, Cause::Step, wanted, clerk);
    }
}

/// A counter falls back at once. Where two goals are as near, the choice is its owner's (3.6).
pub(super) fn fall_back(table: &mut Table, unit: UnitId, cause: Cause, clerk: &mut impl Clerk) {
    fall_back_to(table, unit, cause, None, clerk);
}

/// A counter falls back to the nearest goal, or to the one its owner wants of two as near.
pub fn fall_back_to(
    table: &mut Table,
    unit: UnitId,
    cause: Cause,
    wanted: Option<Goal>,
    clerk: &mut impl Clerk,
) {
    let Place::Hex(start) = table.unit(unit).place else { return };
    let field = Field::of(table);
    if cause == Cause::Step && wanted.is_none() && field.ground(start) == Terrain::Village {
        return;
    }
    if field.map.terrain(start) == Terrain::Fort && clerk.holds(rule!(DZ_3_9_04), true) {
        return;
    }
    let Some((goal, way, harried)) = way(&field, unit, start, wanted) else {
        if cause == Cause::Evades {
            return;
        }
        let rule = if cut_off_by_river(&field, unit, start) { rule!(DZ_3_1_3_09) } else { rule!(DZ_R98) };
        if clerk.holds(rule, true) {
            eliminate(table, unit, clerk);
        }
        return;
    };
    if cause != Cause::Step && wanted.is_none() && way.nearest(start).count() > 1 {
        table.owed.push(Owed::Retreat { unit, cause });
        return;
    }
    let line = match goal {
        Goal::WestEdge | Goal::EastEntry => rule!(DZ_3_6_01),
        Goal::City | Goal::Fort => rule!(DZ_3_6_02),
    };
    if !clerk.holds(line, true) {
        return;
    }
    let hexes = match cause {
        Cause::Broken if unit.data().arm.is_cavalry() => 5,
        Cause::Broken => 3,
        Cause::Evades => 2,
        // As far as its movement points go.
        Cause::Step => u16::MAX,
    };
    let mut at = start;
    let mut gone = 0;
    let mut mover = Mover::fresh(UnitSet::of(unit));
    loop {
        let field = Field::of(table);
        let stay = gone >= hexes && field.fits(UnitSet::of(unit), at).is_ok();
        let rests = gone > 0 && cause == Cause::Step && field.ground(at) == Terrain::Village;
        if way.distance[at.index()] == 0 || stay || (rests && field.fits(UnitSet::of(unit), at).is_ok()) {
            break;
        }
        let here = way.distance[at.index()];
        let next = at
            .around()
            .filter(|&(heading, next)| {
                way.distance[next.index()] < here && passable(&field, unit, at, heading, next, false)
            })
            .min_by_key(|&(_, next)| (way.distance[next.index()], next));
        let Some((heading, next)) = next else { break };
        if cause == Cause::Step {
            let paid = pay_retreat(&field, &mut mover, at, heading);
            if !paid && field.fits(UnitSet::of(unit), at).is_ok() {
                break;
            }
        }
        let controlled = harried && !field.controllers(next, unit.side()).is_empty();
        fortress::opportunity(table, UnitSet::of(unit), at, clerk);
        if table.unit(unit).place != Place::Hex(at) {
            return;
        }
        if controlled {
            clerk.applied(rule!(DZ_R94));
            super::losses::lose_steps(table, at, UnitSet::of(unit), 1, clerk);
            if table.unit(unit).place == Place::Eliminated {
                return;
            }
        }
        if Field::of(table).map.terrain(next) == Terrain::City && clerk.holds(rule!(DZ_3_9_04), true) {
            passage::shelter(table, unit, clerk);
            return;
        }
        table.unit_mut(unit).facing = heading as u16;
        march::put(table, unit, next, clerk);
        at = next;
        gone += 1;
        if Field::of(table).map.terrain(at) == Terrain::Fort {
            clerk.applied(rule!(DZ_3_9_04));
        }
    }
    let edge = matches!(goal, Goal::WestEdge | Goal::EastEntry) && way.distance[at.index()] == 0;
    // Guns that evade stay on the edge, where there is room.
    let stays = cause == Cause::Evades && Field::of(table).fits(UnitSet::EMPTY, at).is_ok();
    if edge && !stays {
        clerk.happened(|| Event::new(phrase::LEAVES).with("unit", unit.data().label));
        let counter = table.unit_mut(unit);
        counter.place = clerk.rather(rule!(DZ_3_9_05), Place::Waiting, Place::Eliminated);
        counter.marks.set(Marks::POSTPONED);
    } else {
        if Field::of(table).ground(at) == Terrain::Village && cause == Cause::Step {
            clerk.applied(rule!(DZ_3_9_02));
        }
        clerk.happened(|| {
            Event::new(phrase::RETREATS).with("unit", unit.data().label).with("hex", at.to_string())
        });
    }
}

/// Whether nothing but the Vistula keeps a counter from its goals.
fn cut_off_by_river(field: &Field<'_>, unit: UnitId, from: Hex) -> bool {
    field.table.ops.bridge.is_none()
        && goals(unit)
            .iter()
            .any(|&goal| distances(field, unit, from, goal, Shy::Swimming)[from.index()] != FAR)
}
