//! Marches on the operational map: a field of costs to a goal, and the step that brings a stack nearest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use danzig::ops::{HEXES, Hex, Stride, Terrain, map};
use danzig::{Action, Arm, Place, Side, State, UnitId};

/// A hex by its printed number.
pub(crate) fn hex(printed: u16) -> Hex {
    Hex::at(printed / 100, printed % 100).expect("a hex of the map")
}

/// The hex a counter stands on.
pub(crate) fn hex_of(state: &State, unit: UnitId) -> Option<Hex> {
    match state.table.unit(unit).place {
        Place::Hex(hex) => Some(hex),
        _ => None,
    }
}

/// What every hex is away from a goal, in movement points; the fire zones and the neighbourhood of the
/// enemy are gone round.
fn field(state: &State, unit: UnitId, goals: &[Hex]) -> Vec<u32> {
    let map = map();
    let enemies: Vec<Hex> =
        UnitId::of_side(unit.side().other()).filter_map(|other| hex_of(state, other)).collect();
    let (marsh, forest) = match unit.data().arm {
        Arm::Infantry => (2, 2),
        Arm::LightCavalry | Arm::HeavyCavalry => (4, 4),
        _ => (5, 1000),
    };
    let mut far = vec![u32::MAX; HEXES];
    let mut queue = BinaryHeap::new();
    for goal in goals {
        far[goal.index()] = 0;
        queue.push(Reverse((0, *goal)));
    }
    while let Some(Reverse((cost, hex))) = queue.pop() {
        if cost > far[hex.index()] {
            continue;
        }
        // What it costs to enter this hex from each neighbour.
        let ground = match map.terrain(hex) {
            Terrain::Marsh => marsh,
            Terrain::Forest => forest,
            _ => 1,
        };
        let under_fire = unit.side() == Side::French && map.shaded(hex) && map.cell(hex).star.is_none();
        let danger = u32::from(under_fire) * 200
            + u32::from(enemies.iter().any(|enemy| enemy.distance(hex) <= 1)) * 300;
        for (heading, next) in hex.around() {
            let edge = map.edge(next, heading.back());
            let barred = edge.wall() || edge.vistula();
            if barred || matches!(map.terrain(next), Terrain::Sea | Terrain::City | Terrain::Fort) {
                continue;
            }
            let step =
                if edge.way() { 1 } else { ground + u32::from(edge.up()) + u32::from(edge.stream()) * 2 };
            let total = cost + step + danger;
            if total < far[next.index()] {
                far[next.index()] = total;
                queue.push(Reverse((total, next)));
            }
        }
    }
    far
}

/// The next step of the stack in hand towards a goal, or the order to stay.
pub(crate) fn step(state: &State, unit: UnitId, goals: &[Hex], offered: &[Action]) -> Action {
    let stop = Action::PutDown;
    let Some(here) = hex_of(state, unit) else { return stop };
    let far = field(state, unit, goals);
    let best = offered
        .iter()
        .filter_map(|action| match action {
            Action::March(Stride::Go(heading)) => {
                here.beyond(*heading).map(|next| (far[next.index()], *action))
            }
            _ => None,
        })
        .min_by_key(|(cost, _)| *cost);
    match best {
        Some((cost, action)) if cost < far[here.index()] || !offered.contains(&stop) => action,
        _ if offered.contains(&stop) => face_the_enemy(state, unit, here, offered).unwrap_or(stop),
        _ => offered[0],
    }
}

/// A turn towards an enemy beside the stack.
fn face_the_enemy(state: &State, unit: UnitId, here: Hex, offered: &[Action]) -> Option<Action> {
    let enemy = UnitId::of_side(unit.side().other())
        .filter_map(|other| hex_of(state, other))
        .find_map(|hex| here.towards(hex))?;
    let turn = Action::March(Stride::Turn(enemy));
    (state.table.unit(unit).facing != enemy as u16 && offered.contains(&turn)).then_some(turn)
}
