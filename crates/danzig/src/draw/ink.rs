//! The draughtsman's hand: points, smooth curves through hexsides, outlines of sets of hexes, and a
//! scatter that is the same on every sheet.

use std::fmt::Write as _;

use crate::ops::{Heading, Hex};

/// A point of the sheet.
pub(super) type Point = (f64, f64);

/// Distance between the centres of neighbouring hexes on the sheet.
pub(super) const HEX: f64 = 26.0;
/// Width of the sheet inside the frame.
pub(super) const WIDTH: f64 = 1130.0;
/// Height of the sheet inside the frame.
pub(super) const HEIGHT: f64 = 946.0;

/// The centre of a hex on the sheet.
pub(super) fn centre(hex: Hex) -> Point {
    let (x, y) = hex.centre();
    (x * HEX - 9.0, HEIGHT + 15.0 - y * HEX)
}

/// The two ends of a hexside, clockwise.
pub(super) fn side(hex: Hex, heading: Heading) -> [Point; 2] {
    let (x, y) = centre(hex);
    let radius = HEX / 3.0_f64.sqrt();
    let corner = |turn: f64| {
        let angle = turn.to_radians();
        (x + radius * angle.sin(), y - radius * angle.cos())
    };
    let middle = 60.0 * f64::from(heading as u8);
    [corner(middle - 30.0), corner(middle + 30.0)]
}

/// The same corner seen from three hexes is one: a key to match them by.
#[allow(clippy::cast_possible_truncation, reason = "the sheet is a few hundred units wide")]
fn key((x, y): Point) -> (i64, i64) {
    // Corners lie far more than half a unit apart.
    ((x * 2.0).round() as i64, (y * 2.0).round() as i64)
}

/// Joins hexsides into as few continuous lines as possible. The order and sense of each side is kept.
pub(super) fn joined(mut sides: Vec<[Point; 2]>) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    while let Some([a, b]) = sides.pop() {
        let mut line = vec![a, b];
        loop {
            let end = key(*line.last().unwrap_or(&b));
            let Some(at) = sides.iter().position(|&[from, _]| key(from) == end) else { break };
            line.push(sides.swap_remove(at)[1]);
        }
        loop {
            let start = key(*line.first().unwrap_or(&a));
            let Some(at) = sides.iter().position(|&[_, to]| key(to) == start) else { break };
            line.insert(0, sides.swap_remove(at)[0]);
        }
        lines.push(line);
    }
    lines
}

/// Joins hexsides that have no sense of their own: rivers and streams.
pub(super) fn joined_either_way(mut sides: Vec<[Point; 2]>) -> Vec<Vec<Point>> {
    let mut lines = Vec::new();
    while let Some([a, b]) = sides.pop() {
        let mut line = vec![a, b];
        for _ in 0..2 {
            loop {
                let end = key(*line.last().unwrap_or(&b));
                let Some(at) = sides.iter().position(|&[p, q]| key(p) == end || key(q) == end) else { break };
                let [p, q] = sides.swap_remove(at);
                line.push(if key(p) == end { q } else { p });
            }
            line.reverse();
        }
        lines.push(line);
    }
    lines
}

/// The border of a set of hexes, the set on the right hand.
pub(super) fn border(inside: impl Fn(Hex) -> bool) -> Vec<Vec<Point>> {
    let mut sides = Vec::new();
    for hex in Hex::all().filter(|&hex| inside(hex)) {
        for heading in Heading::ALL {
            if !hex.beyond(heading).is_some_and(&inside) {
                sides.push(side(hex, heading).map(past_frame));
            }
        }
    }
    joined(sides)
}

/// Corners on the rim of the grid are pushed out of sight, so that the frame cuts the ground cleanly.
fn past_frame((x, y): Point) -> Point {
    const OUT: f64 = 60.0;
    let (left, bottom) = centre(Hex::printed(101));
    let (right, _) = centre(Hex::printed(5036));
    let (_, top) = centre(Hex::printed(136));
    let x = if x < left - 5.0 {
        x - OUT
    } else if x > right + 5.0 {
        x + OUT
    } else {
        x
    };
    let y = if y > bottom - 5.0 {
        y + OUT
    } else if y < top - 8.0 {
        y - OUT
    } else {
        y
    };
    (x, y)
}

/// Whether a line closes on itself.
fn closed(line: &[Point]) -> bool {
    line.len() > 3 && line.first().map(|&p| key(p)) == line.last().map(|&p| key(p))
}

/// A line along hexsides made easy: through the middles of the sides, then flowing.
pub(super) fn easy(line: &[Point]) -> Vec<Point> {
    let ring = closed(line);
    let mut middles: Vec<Point> = Vec::with_capacity(line.len() + 2);
    if let (false, Some(&first)) = (ring, line.first()) {
        middles.push(first);
    }
    middles.extend(line.windows(2).filter_map(|pair| match *pair {
        [(ax, ay), (bx, by)] => Some(((ax + bx) / 2.0, (ay + by) / 2.0)),
        _ => None,
    }));
    if ring {
        middles.extend(middles.first().copied());
    } else {
        middles.extend(line.last().copied());
    }
    flowing(&middles)
}

/// Cuts the corners of a line twice, so that it flows.
pub(super) fn flowing(line: &[Point]) -> Vec<Point> {
    let ring = closed(line);
    let mut points = line.to_vec();
    for _ in 0..2 {
        let mut next = Vec::with_capacity(points.len() * 2);
        if let (false, Some(&first)) = (ring, points.first()) {
            next.push(first);
        }
        for pair in points.windows(2) {
            if let &[(ax, ay), (bx, by)] = pair {
                next.push((ax * 0.75 + bx * 0.25, ay * 0.75 + by * 0.25));
                next.push((ax * 0.25 + bx * 0.75, ay * 0.25 + by * 0.75));
            }
        }
        if ring {
            next.extend(next.first().copied());
        } else {
            next.extend(points.last().copied());
        }
        points = next;
    }
    points
}

/// The `d` of a path through points.
pub(super) fn path(points: &[Point]) -> String {
    let mut d = String::new();
    for (at, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if at == 0 { 'M' } else { 'L' });
    }
    if closed(points) {
        d.push('Z');
    }
    d
}

/// The `d` of a path of many lines.
pub(super) fn paths<'a>(lines: impl IntoIterator<Item = &'a Vec<Point>>) -> String {
    lines.into_iter().map(|line| path(line)).collect()
}

/// Points along a line at even distances, each with the direction of the line.
pub(super) fn beads(line: &[Point], every: f64) -> Vec<(Point, Point)> {
    let mut beads = Vec::new();
    let mut left = every / 2.0;
    for pair in line.windows(2) {
        let &[(ax, ay), (bx, by)] = pair else { continue };
        let (dx, dy) = (bx - ax, by - ay);
        let length = dx.hypot(dy);
        if length < 1e-6 {
            continue;
        }
        let (ux, uy) = (dx / length, dy / length);
        let mut at = left;
        while at < length {
            beads.push(((ax + ux * at, ay + uy * at), (ux, uy)));
            at += every;
        }
        left = at - length;
    }
    beads
}

/// A small number from 0 to 1 that depends only on the hex and a count.
pub(super) fn scatter(hex: Hex, count: u32) -> f64 {
    let seed = u32::try_from(hex.index()).unwrap_or(0).wrapping_mul(2_654_435_761);
    let mut bits = seed ^ count.wrapping_mul(0x9e37_79b9);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2c1b_3c6d);
    bits ^= bits >> 12;
    bits = bits.wrapping_mul(0x297a_2d39);
    bits ^= bits >> 15;
    f64::from(bits % 10_000) / 10_000.0
}

/// A point in a hex, scattered within a share of its radius.
pub(super) fn within(hex: Hex, count: u32, share: f64) -> Point {
    let (x, y) = centre(hex);
    let angle = scatter(hex, count * 2) * std::f64::consts::TAU;
    let far = scatter(hex, count * 2 + 1).sqrt() * share * HEX / 2.0;
    (x + far * angle.cos(), y + far * angle.sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_border_of_one_hex_is_closed_and_has_six_sides() {
        let one = Hex::printed(1010);
        let lines = border(|hex| hex == one);
        assert_eq!(lines.len(), 1);
        assert_eq!(lines[0].len(), 7);
        assert!(closed(&lines[0]));
        assert!(path(&flowing(&lines[0])).ends_with('Z'));
    }

    #[test]
    fn beads_lie_evenly() {
        let beads = beads(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)], 4.0);
        assert_eq!(beads.len(), 5);
        assert!((beads[1].0.0 - 6.0).abs() < 1e-9);
    }

    #[test]
    fn scatter_is_the_same_every_time_and_spread_out() {
        let hex = Hex::printed(1010);
        let all: Vec<f64> = (0..20).map(|count| scatter(hex, count)).collect();
        assert!(all.iter().all(|&value| (0.0..1.0).contains(&value)));
        assert!(all.windows(2).all(|pair| (pair[0] - pair[1]).abs() > 1e-6));
    }
}
