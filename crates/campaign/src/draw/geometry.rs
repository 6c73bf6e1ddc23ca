//! Geometry of the drawn map: centres and corners of hexes, chains of edges, smooth curves. Floats
//! live here and in the drawing alone; no rule reads them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::map::{COLUMNS, HexId, ROWS};

/// A point of the sheet.
pub(crate) type Point = (f64, f64);

/// Centre to corner of a hex.
pub(super) const SIZE: f64 = 20.0;
/// From the edge of the sheet to the map.
pub(super) const MARGIN: f64 = 64.0;
/// Centre to centre of neighbouring hexes.
pub(super) const STEP: f64 = SIZE * 1.732_050_8;

/// Width of the sheet.
pub(super) fn width() -> f64 {
    2.0 * MARGIN + SIZE * (1.5 * f64::from(COLUMNS) + 0.5)
}

/// Height of the map with its margins.
pub(super) fn height() -> f64 {
    2.0 * MARGIN + STEP * (f64::from(ROWS) + 0.5)
}

/// Height of the strip below the map.
pub(super) const STRIP: f64 = 128.0;

/// The centre of a hex.
pub(super) fn centre(hex: HexId) -> Point {
    let low = if hex.column.is_multiple_of(2) { 0.5 } else { 0.0 };
    (
        MARGIN + SIZE * (1.5 * (f64::from(hex.column) - 1.0) + 1.0),
        MARGIN + STEP * (f64::from(hex.row) - 0.5 + low),
    )
}

/// A corner of a hex: 0 is right, then clockwise.
fn corner(hex: HexId, place: usize) -> Point {
    let (x, y) = centre(hex);
    let angle = f64::from(u8::try_from(place % 6).unwrap_or(0)) * std::f64::consts::FRAC_PI_3;
    (x + SIZE * angle.cos(), y + SIZE * angle.sin())
}

/// The two ends of a hexside, clockwise around the hex.
pub(super) fn edge(hex: HexId, direction: usize) -> (Point, Point) {
    (corner(hex, direction + 4), corner(hex, direction + 5))
}

/// A point of the sheet in quarters, to be compared.
type Node = (i64, i64);

/// A point as a key: corners of neighbouring hexes are the same corner.
#[allow(clippy::cast_possible_truncation, reason = "a sheet is some thousand units wide")]
fn key(point: Point) -> Node {
    ((point.0 * 4.0).round() as i64, (point.1 * 4.0).round() as i64)
}

/// Chains of edges, from fork to fork; rings come back to their first point.
pub(super) fn chains(edges: &[(Point, Point)], forks: &[Point]) -> Vec<Vec<Point>> {
    let forced: BTreeSet<_> = forks.iter().copied().map(key).collect();
    let mut points = BTreeMap::new();
    let mut links: BTreeMap<Node, Vec<(usize, Node)>> = BTreeMap::new();
    for (place, &(a, b)) in edges.iter().enumerate() {
        points.insert(key(a), a);
        points.insert(key(b), b);
        links.entry(key(a)).or_default().push((place, key(b)));
        links.entry(key(b)).or_default().push((place, key(a)));
    }
    let is_fork = |node: &Node| links.get(node).map_or(0, Vec::len) != 2 || forced.contains(node);
    let mut used = vec![false; edges.len()];
    let mut found = Vec::new();
    let nodes: Vec<Node> = links.keys().copied().collect();
    let starts = nodes.iter().filter(|node| is_fork(node)).chain(nodes.iter());
    for &start in starts {
        for first in links.get(&start).into_iter().flatten() {
            if used[first.0] {
                continue;
            }
            let mut chain = vec![points[&start]];
            let mut next = Some(*first);
            while let Some((place, node)) = next {
                used[place] = true;
                chain.push(points[&node]);
                next = if is_fork(&node) {
                    None
                } else {
                    links[&node].iter().copied().find(|(place, _)| !used[*place])
                };
            }
            found.push(chain);
        }
    }
    found
}

/// Rings around a set of hexes, clockwise: the set lies to the right of the way.
pub(super) fn rings(inside: impl Fn(HexId) -> bool, all: impl Iterator<Item = HexId>) -> Vec<Vec<Point>> {
    let mut next: BTreeMap<Node, (Point, Point)> = BTreeMap::new();
    for hex in all.filter(|&hex| inside(hex)) {
        for direction in 0..6 {
            if !hex.neighbour(direction).is_some_and(&inside) {
                let (from, to) = edge(hex, direction);
                next.insert(key(from), (from, to));
            }
        }
    }
    let mut rings = Vec::new();
    while let Some((_, (from, to))) = next.pop_first() {
        let mut ring = vec![from, to];
        while let Some((_, to)) = ring.last().and_then(|&end| next.remove(&key(end))) {
            ring.push(to);
        }
        rings.push(ring);
    }
    rings
}

const fn between(a: Point, b: Point) -> Point {
    ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
}

/// The midpoints of a line, its ends kept: the zigzag of hexsides becomes a bank.
pub(super) fn eased(line: &[Point]) -> Vec<Point> {
    let (Some(&first), Some(&last)) = (line.first(), line.last()) else { return Vec::new() };
    let mut eased = vec![first];
    eased.extend(line.windows(2).map(|pair| between(pair[0], pair[1])));
    eased.push(last);
    eased
}

/// The corners of a ring cut twice.
pub(super) fn rounded(ring: &[Point]) -> Vec<Point> {
    let mut points: Vec<Point> = ring[..ring.len().saturating_sub(1)].to_vec();
    for _ in 0..2 {
        let count = points.len();
        points = (0..count)
            .flat_map(|place| {
                let (a, b) = (points[place], points[(place + 1) % count]);
                [
                    (a.0 * 0.7 + b.0 * 0.3, a.1 * 0.7 + b.1 * 0.3),
                    (a.0 * 0.3 + b.0 * 0.7, a.1 * 0.3 + b.1 * 0.7),
                ]
            })
            .collect();
    }
    points
}

/// A smooth open curve: the points pull it, it goes through their midpoints and both ends.
pub(super) fn curve(line: &[Point]) -> String {
    let mut path = String::new();
    let (Some(first), Some(last)) = (line.first(), line.last()) else { return path };
    let _ = write!(path, "M{:.1} {:.1}", first.0, first.1);
    for pair in line.windows(2).skip(1) {
        let middle = between(pair[0], pair[1]);
        let _ = write!(path, "Q{:.1} {:.1} {:.1} {:.1}", pair[0].0, pair[0].1, middle.0, middle.1);
    }
    let _ = write!(path, "L{:.1} {:.1}", last.0, last.1);
    path
}

/// A closed outline.
pub(super) fn outline(ring: &[Point]) -> String {
    let mut path = String::new();
    for (place, point) in ring.iter().enumerate() {
        let _ = write!(path, "{}{:.1} {:.1}", if place == 0 { 'M' } else { 'L' }, point.0, point.1);
    }
    path.push('Z');
    path
}

/// A small number between 0 and 1 that is always the same for the same place.
pub(super) fn chance(hex: HexId, salt: u32) -> f64 {
    let mut seed = u32::from(hex.column) * 7919 + u32::from(hex.row) * 104_729 + salt.wrapping_mul(1_299_709);
    seed ^= seed >> 13;
    seed = seed.wrapping_mul(0x5bd1_e995);
    seed ^= seed >> 15;
    f64::from(seed % 1000) / 1000.0
}
