//! Where a counter of the operational map is wanted, and the marches that bring it there: the trenches
//! for the siege corps, the city for the relief, the stars that the other side holds for everybody else.
//! Such marches are the candidates of the movement step (3.1); any other way may be ordered as well.

use std::collections::VecDeque;
use std::sync::LazyLock;

use crate::ops::{self, Gate, HEXES, Heading, Hex, Mover, Path, Route, Standpoint, Stride, Terrain, map};
use crate::sequence::lannes_may_enter;
use crate::state::{State, Table};
use crate::unit::{Arm, Corps, Level, Marks, Place, Side, UnitId, UnitSet};

/// Far away, or out of reach.
pub(crate) const FAR: u8 = u8::MAX;
/// What a shaded hex counts as on the way: the guns of the fortress are avoided where it can be.
const SHADED: u8 = 15;
/// What the Vistula counts as on the way: boats take a round.
const RIVER: u8 = 6;
/// Whether a counter's place is in the trenches.
pub(crate) fn digs(unit: UnitId) -> bool {
    let data = unit.data();
    match (data.corps, data.arm) {
        (Corps::Besiegers, Arm::Infantry) => data.level == Level::Regiment && unit.index() % 5 < 3,
        (Corps::Besiegers, arm) => arm.is_siege_train(),
        _ => false,
    }
}

/// Hexes from a hex to the goal of a stack: the trenches, the gates of the city, or the nearest star
/// that the other side holds.
pub(crate) fn nearest(table: &Table, units: UnitSet, hex: Hex) -> u8 {
    let Some(unit) = units.iter().next() else { return FAR };
    let data = unit.data();
    let to =
        |field: usize| FIELDS.get(field).and_then(|field| field.get(hex.index())).copied().unwrap_or(FAR);
    if digs(unit) {
        return to(0);
    }
    if data.corps == Corps::Kamenski {
        return to(1);
    }
    // Most of the garrison stays behind its walls.
    if data.corps == Corps::Garrison && data.arm == Arm::Infantry && unit.index() % 6 != 0 {
        return FAR;
    }
    (0..map().stars.len())
        .filter(|star| (table.ops.stars >> star & 1 == 1) == (data.side == Side::Prussian))
        .map(|star| to(2 + star))
        .min()
        .unwrap_or(FAR)
}

/// Hexes a stack has still to go.
pub(crate) fn way(table: &Table, units: UnitSet) -> u8 {
    match units.iter().next().map(|unit| table.unit(unit).place) {
        Some(Place::Hex(hex)) => nearest(table, units, hex),
        _ => FAR,
    }
}

/// The stride that brings the stack in hand nearest to its goal, if any brings it nearer.
pub(crate) fn best_stride(table: &Table, mover: &Mover) -> Option<Stride> {
    let unit = mover.units.iter().next()?;
    let place = table.unit(unit).place;
    let mut nearest_yet = way(table, mover.units);
    let mut best = None;
    let mut enters = None;
    ops::list_strides(table, mover, |stride| {
        let reached = match (stride, place) {
            (Stride::EnterConcentration, _) if digs(unit) => {
                enters = Some(stride);
                FAR
            }
            (Stride::Go(heading), Place::Hex(hex)) => {
                hex.beyond(heading).map_or(FAR, |next| nearest(table, mover.units, next))
            }
            (Stride::LeaveCity(gate), _) => nearest(table, mover.units, gate.hexes().1),
            _ => FAR,
        };
        if reached < nearest_yet {
            nearest_yet = reached;
            best = Some(stride);
        }
    });
    enters.or(best)
}

/// The steps that bring a stack nearer to its goal, as far as it may stay where they end.
fn path_from(mut here: Standpoint) -> Option<Path> {
    let mut strides = Vec::new();
    let mut good = 0;
    while strides.len() < Path::MOST
        && here.goes_on
        && let Some(stride) = best_stride(&here.table, &here.mover)
        && here.make(stride).is_ok()
    {
        strides.push(stride);
        if here.check_stop().is_ok() {
            good = strides.len();
        }
    }
    strides.truncate(good);
    Path::of(&strides).filter(|path| !path.is_empty())
}

/// How a stack may go towards its goal.
fn route_on(table: &Table, mover: &Mover) -> Option<Route> {
    let path = path_from(Standpoint::new(table.clone(), *mover))?;
    Some(Route { units: mover.units, entry: None, path })
}

/// The march that is proposed next: one that brings a counter beside the map, then a stack with one goal,
/// then a single counter where it is wanted. The others are proposed theirs when it has marched.
pub(crate) fn next_route(state: &State) -> Option<Route> {
    let table = &state.table;
    entry_route(state).or_else(|| {
        let mut stacks = Vec::new();
        ops::list_movers(table, state.clock.phasing, |units| {
            stacks.extend(has_errand(table, units).then_some(units));
        });
        stacks.sort_by_key(|units| std::cmp::Reverse(units.len()));
        stacks.into_iter().find_map(|units| route_on(table, &Mover::fresh(units)))
    })
}

/// How the next counter comes onto the map, where it is nearest to its goal, and marches on.
fn entry_route(state: &State) -> Option<Route> {
    if state.clock.phasing != Side::French {
        return None;
    }
    let table = &state.table;
    let lannes = lannes_may_enter(state);
    let may = |unit: UnitId| {
        !table.marked(unit, Marks::POSTPONED) && (lannes || unit.data().corps != Corps::Lannes)
    };
    let mut best: Option<(UnitId, Hex)> = None;
    // The entries of a counter are listed one after the other.
    ops::list_entries(table, may, |unit, hex| {
        let far = |hex| nearest(table, UnitSet::of(unit), hex);
        match &mut best {
            None => best = Some((unit, hex)),
            Some((known, so_far)) if *known == unit && far(hex) < far(*so_far) => *so_far = hex,
            Some(_) => {}
        }
    });
    let (unit, hex) = best?;
    let units = UnitSet::of(unit);
    let here = Standpoint::entered(table, units, hex)?;
    let stays = here.check_stop().is_ok();
    let path = path_from(here);
    (stays || path.is_some()).then(|| Route { units, entry: Some(hex), path: path.unwrap_or_default() })
}

/// Whether a stack is wanted elsewhere, all of it in the same place.
fn has_errand(table: &Table, units: UnitSet) -> bool {
    let mut ways = units.iter().map(|unit| (way(table, UnitSet::of(unit)), digs(unit)));
    let Some(first) = ways.next() else { return false };
    first.0 < FAR && first != (0, false) && ways.all(|other| other == first)
}

/// Hexes to each goal, whatever else it costs: the red arrows, the gates, then the stars.
static FIELDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let map = map();
    let gates = [Gate::Petershagen, Gate::Langgarten].map(|gate| gate.hexes().1);
    let mut fields = vec![distances(&map.red_arrows), distances(&gates)];
    fields.extend(map.stars.iter().map(|star| distances(&[*star])));
    fields
});

fn distances(goals: &[Hex]) -> Vec<u8> {
    let mut field = vec![FAR; HEXES];
    let mut queue: VecDeque<Hex> = goals.iter().copied().collect();
    for goal in goals {
        field[goal.index()] = 0;
    }
    while let Some(hex) = queue.pop_front() {
        let step = if map().shaded(hex) { SHADED } else { 1 };
        for heading in Heading::ALL {
            let edge = map().edge(hex, heading);
            let Some(beyond) = hex.beyond(heading) else { continue };
            let river = if edge.vistula() && !edge.ferry() { RIVER } else { 0 };
            let next = field[hex.index()].saturating_add(step + river);
            let blocked = matches!(map().terrain(beyond), Terrain::Sea | Terrain::City | Terrain::Fort);
            if edge.wall() || blocked || next >= field[beyond.index()] {
                continue;
            }
            field[beyond.index()] = next;
            queue.push_back(beyond);
        }
    }
    field
}
