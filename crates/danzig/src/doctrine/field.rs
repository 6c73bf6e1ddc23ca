//! How far every hex is from a goal, for one who has to march there: roads are sought, marsh and woods
//! cost, the Vistula takes a boat, and the guns of the fortress and the enemy are gone round.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Mind;
use crate::ops::{Exposure, HEXES, Hex, Terrain, map};
use crate::unit::{Arm, Side};

/// Out of reach.
pub(crate) const FAR: u16 = u16::MAX;
/// What a crossing by boat counts as: a round.
const BOAT: u16 = 8;
/// What a hex under the guns of the fortress counts as; a ring around it as its share of a hex beside it.
const SHELLED: u16 = 120;
const RING: u16 = 2;
/// What a hex beside the enemy counts as: whoever enters it stops there.
const CONTACT: u16 = 5;
/// What a hex counts as that the enemy holds.
const HELD: u16 = 60;

/// The distances to the nearest of these goals.
pub(crate) fn field(mind: &Mind<'_>, arm: Arm, goals: &[Hex]) -> Vec<u16> {
    let map = map();
    let mut danger = vec![0_u16; HEXES];
    for (_, hex) in mind.enemies() {
        danger[hex.index()] = HELD;
        for (_, beside) in hex.around() {
            danger[beside.index()] = danger[beside.index()].max(CONTACT);
        }
    }
    let mut far = vec![FAR; HEXES];
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
        let shelled = match map.exposure(hex, true) {
            _ if mind.side == Side::Prussian || map.cell(hex).star.is_some() => 0,
            Exposure::None => 0,
            Exposure::Shaded => SHELLED,
            Exposure::Ring(ring) => RING * (4 - u16::from(ring.min(3))),
        };
        let into = ground(map.terrain(hex), arm) + danger[hex.index()] + shelled;
        for (heading, from) in hex.around() {
            let edge = map.edge(from, heading.back());
            let closed = match map.terrain(from) {
                Terrain::Sea => true,
                Terrain::City | Terrain::Fort => mind.side == Side::French,
                _ => false,
            };
            if edge.wall() || closed {
                continue;
            }
            let over = match () {
                () if edge.vistula() && edge.ferry() => 4,
                () if edge.vistula() => BOAT,
                () if edge.way() => 0,
                () => u16::from(edge.up()) + u16::from(edge.stream()) * 2,
            };
            let on_the_way = if edge.way() { 1 + into - ground(map.terrain(hex), arm) } else { into };
            let total = cost.saturating_add(on_the_way + over);
            if total < far[from.index()] {
                far[from.index()] = total;
                queue.push(Reverse((total, from)));
            }
        }
    }
    far
}

/// What a hex costs to enter, off the roads.
const fn ground(terrain: Terrain, arm: Arm) -> u16 {
    match (terrain, arm) {
        (Terrain::Marsh | Terrain::Forest, Arm::Infantry) => 2,
        (Terrain::Marsh | Terrain::Forest, Arm::LightCavalry | Arm::HeavyCavalry) => 4,
        (Terrain::Marsh, _) => 6,
        (Terrain::Forest, _) => 200,
        _ => 1,
    }
}
