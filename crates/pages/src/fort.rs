//! The sign of the house: a bastioned front after Vauban's first system, drawn by its own rules.
//! Nothing enters; lines leave.

use std::f64::consts::TAU;
use std::fmt::Write;

use maud::{Markup, PreEscaped, html};

type Point = (f64, f64);

fn mix(a: Point, b: Point, share: f64) -> Point {
    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
}

fn length(a: Point, b: Point) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// The foot of the perpendicular from `p` on the line through `a` and `b`.
fn foot(p: Point, a: Point, b: Point) -> Point {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let share = ((p.0 - a.0) * dx + (p.1 - a.1) * dy) / (dx * dx + dy * dy);
    mix(a, b, share)
}

fn scaled(p: Point, by: f64) -> Point {
    (p.0 * by, p.1 * by)
}

/// A closed outline as path data.
fn outline(points: &[Point]) -> String {
    let mut path = line(points);
    path.push('Z');
    path
}

fn line(points: &[Point]) -> String {
    let mut path = String::new();
    for (place, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    path
}

/// The lines of a fortress with this many bastions, its salients on a circle.
struct Trace {
    rampart: Vec<Point>,
    counterscarp: Vec<Point>,
    ravelins: Vec<[Point; 4]>,
    covered_way: Vec<Point>,
}

fn trace(bastions: u32, radius: f64, turn: f64) -> Trace {
    let salient = |n: u32| {
        let angle = turn + TAU * f64::from(n) / f64::from(bastions);
        (radius * angle.cos(), radius * angle.sin())
    };
    let mut trace = Trace {
        rampart: Vec::new(),
        counterscarp: Vec::new(),
        ravelins: Vec::new(),
        covered_way: Vec::new(),
    };
    for n in 0..bastions {
        let (a, b) = (salient(n), salient(n + 1));
        let side = length(a, b);
        let middle = mix(a, b, 0.5);
        let outward = scaled(middle, 1.0 / length(middle, (0.0, 0.0)));
        let out = |from: Point, by: f64| (from.0 + outward.0 * by, from.1 + outward.1 * by);
        // The perpendicular is a sixth of the side, the face two sevenths.
        let inner = out(middle, -side / 6.0);
        let (left, right) = (
            mix(a, inner, side * 2.0 / 7.0 / length(a, inner)),
            mix(b, inner, side * 2.0 / 7.0 / length(b, inner)),
        );
        let (left_foot, right_foot) = (foot(left, b, inner), foot(right, a, inner));
        trace.rampart.extend([a, left, left_foot, right_foot, right]);
        let ditch = side * 0.075;
        let reach = (radius + ditch) / radius;
        let fold = out(inner, ditch * 1.9);
        trace.counterscarp.extend([scaled(a, reach), fold]);
        let apex = out(middle, side * 0.21);
        let base = out(inner, ditch * 2.1);
        trace.ravelins.push([apex, mix(apex, left, 0.62), base, mix(apex, right, 0.62)]);
        let tip = out(apex, ditch * 1.8);
        let shoulder_left = mix(scaled(a, reach + 0.09), tip, 0.52);
        let shoulder_right = mix(scaled(b, reach + 0.09), tip, 0.52);
        let inward = |p: Point| out(p, -side * 0.045);
        trace.covered_way.extend([
            scaled(a, reach + 0.1),
            inward(shoulder_left),
            tip,
            inward(shoulder_right),
        ]);
    }
    trace
}

/// Strokes that fall away from a crest, long and short in turn.
fn hachures(crest: &[Point], reach: f64, step: f64) -> String {
    let mut path = String::new();
    for (place, &from) in crest.iter().enumerate() {
        let to = crest[(place + 1) % crest.len()];
        let along = length(from, to);
        let normal = ((to.1 - from.1) / along, -(to.0 - from.0) / along);
        let mut at = step / 2.0;
        let mut stroke = place;
        while at < along {
            let (x, y) = mix(from, to, at / along);
            let long = reach * [1.0, 0.55, 0.8, 0.45, 0.9, 0.6][stroke % 6];
            let start = reach * 0.06;
            let _ = write!(
                path,
                "M{:.1} {:.1}l{:.1} {:.1}",
                x + normal.0 * start,
                y + normal.1 * start,
                normal.0 * long,
                normal.1 * long
            );
            at += step;
            stroke += 1;
        }
    }
    path
}

/// The blocks of a town inside the walls, in rings around a square.
fn town(radius: f64) -> String {
    let mut path = String::new();
    for (ring, houses) in [(0.22, 6_u32), (0.42, 11), (0.61, 17)] {
        for house in 0..houses {
            let share = |part: f64| TAU * (f64::from(house) + part) / f64::from(houses);
            let uneven = 0.03 * f64::from((house * 7 + houses) % 3);
            let (near, far) = (radius * (ring - 0.07), radius * (ring + 0.045 + uneven));
            let corner = |at: f64, r: f64| (r * share(at).cos(), r * share(at).sin());
            path.push_str(&outline(&[
                corner(0.1, near),
                corner(0.88, near),
                corner(0.88, far),
                corner(0.1, far),
            ]));
        }
    }
    path
}

/// A parallel with batteries and the zigzags that lead to it.
fn approaches() -> (String, String, String) {
    let arc = |radius: f64, from: f64, to: f64| -> Vec<Point> {
        (0..=16)
            .map(|n| {
                let angle = from + (to - from) * f64::from(n) / 16.0;
                (radius * angle.cos(), radius * angle.sin())
            })
            .collect()
    };
    let (first, second) = (arc(231.0, 0.16, 0.92), arc(190.0, 0.3, 0.78));
    let zigzag = |from: Point, to: Point, wide: f64| -> Vec<Point> {
        let across = ((to.1 - from.1) / length(from, to), -(to.0 - from.0) / length(from, to));
        (0..=4_u32)
            .map(|n| {
                let (x, y) = mix(from, to, f64::from(n) / 4.0);
                let swing = match n {
                    0 | 4 => 0.0,
                    n if n % 2 == 0 => wide,
                    _ => -wide,
                };
                (x + across.0 * swing, y + across.1 * swing)
            })
            .collect()
    };
    let mut trench = line(&first);
    trench.push_str(&line(&second));
    for (from, to) in [(first[3], second[3]), (first[13], second[13])] {
        trench.push_str(&line(&zigzag(from, to, 9.0)));
    }
    let mut guns = String::new();
    for &(x, y) in [first[2], first[5], first[11], first[14], second[4], second[8], second[12]].iter() {
        let far = length((x, y), (0.0, 0.0));
        let (ux, uy) = (-x / far, -y / far);
        let _ = write!(guns, "M{:.1} {:.1}l{:.1} {:.1}", x + ux * 3.0, y + uy * 3.0, ux * 9.0, uy * 9.0);
    }
    let shot = line(&[second[8], (118.0 * 0.54_f64.cos(), 118.0 * 0.54_f64.sin())]);
    (trench, guns, shot)
}

/// The plate on the front page: a fortress and the works in front of it.
pub(crate) fn plate(label: &str) -> Markup {
    let fort = trace(6, 104.0, 0.02);
    let (trench, guns, shot) = approaches();
    html! {
        svg.plate viewBox="-215 -178 460 380" role="img" aria-label=(label) {
            path.glacis d=(hachures(&fort.covered_way, 27.0, 3.1)) {}
            path.crest d=(outline(&fort.covered_way)) {}
            path.ditch d=(outline(&fort.counterscarp)) {}
            @for ravelin in &fort.ravelins { path.wall d=(outline(ravelin)) {} }
            path.wall d=(outline(&fort.rampart)) {}
            path.parapet d=(outline(&fort.rampart.iter().map(|&p| scaled(p, 0.93)).collect::<Vec<_>>())) {}
            path.town d=(town(72.0)) {}
            path.trench d=(trench) {}
            path.earth d=(trench) {}
            path.guns d=(guns) {}
            path.shot d=(shot) {}
            (compass(-176.0, -130.0))
        }
    }
}

fn compass(x: f64, y: f64) -> Markup {
    let place = format!("translate({x} {y})");
    PreEscaped(format!(
        "<g class=\"compass\" transform=\"{place}\"><circle r=\"17\"/><circle r=\"2\"/>\
         <path d=\"M0-26L4 0L0 26L-4 0Z\"/><path class=\"half\" d=\"M0-26L4 0L0 26Z\"/>\
         <path d=\"M-21 0H21\"/><text y=\"-30\" text-anchor=\"middle\">N</text></g>"
    ))
}

/// The sign beside the name.
pub(crate) fn sign() -> Markup {
    let fort = trace(5, 40.0, -TAU / 4.0);
    html! {
        svg.sign viewBox="-50 -50 100 100" aria-hidden="true" {
            path.outer d=(outline(&fort.covered_way)) {}
            path.inner d=(outline(&fort.rampart)) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trace_is_a_star_that_closes_and_stays_inside_its_covered_way() {
        let fort = trace(6, 104.0, 0.0);
        assert_eq!(fort.rampart.len(), 30);
        let farthest = fort.rampart.iter().map(|&p| length(p, (0.0, 0.0))).fold(0.0, f64::max);
        assert!((farthest - 104.0).abs() < 1e-9);
        let salient = length(fort.covered_way[0], (0.0, 0.0));
        assert!(salient > farthest);
    }

    #[test]
    fn hachures_fall_outwards() {
        let square = [(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)];
        let strokes = hachures(&square, 5.0, 20.0);
        assert!(strokes.starts_with("M0.0 -10.3l0.0 -5.0"), "{strokes}");
    }
}
