//! The printed ground of the operational map: coast, river, heights, woods, marsh, fields, villages,
//! fortresses, roads, the fire zone and the lattice. It never changes and is drawn once.

use std::fmt::Write as _;
use std::sync::LazyLock;

use super::ink::{
    Point, beads, border, centre, easy, flowing, joined_either_way, path, paths, scatter, side, within,
};
use crate::ops::{Edge, Exposure, Heading, Hex, Terrain, Way, map};

/// The ground under the counters.
pub(super) static CHART: LazyLock<String> = LazyLock::new(chart);

fn chart() -> String {
    let mut svg = String::with_capacity(600_000);
    washes(&mut svg);
    heights(&mut svg);
    growth(&mut svg);
    waters(&mut svg);
    fire_zone(&mut svg);
    lattice(&mut svg);
    roads(&mut svg);
    villages(&mut svg);
    fortresses(&mut svg);
    svg
}

fn smooth(inside: impl Fn(Hex) -> bool) -> Vec<Vec<Point>> {
    border(inside).iter().map(|line| easy(line)).collect()
}

fn washes(svg: &mut String) {
    let map = map();
    let of = |terrain| paths(&smooth(|hex| map.terrain(hex) == terrain));
    for level in 1..=2 {
        let high = paths(&smooth(|hex| map.cell(hex).level >= level));
        let _ = write!(svg, "<path class='height' d='{high}'/>");
    }
    let _ = write!(svg, "<path class='wood' d='{}'/>", of(Terrain::Forest));
    let _ = write!(svg, "<path class='marsh' d='{}'/>", of(Terrain::Marsh));
}

/// Hachures fall away from the edge of each level.
fn heights(svg: &mut String) {
    let map = map();
    let mut strokes = String::new();
    for level in 1..=2 {
        for line in smooth(|hex| map.cell(hex).level >= level) {
            for (count, ((x, y), (ux, uy))) in beads(&line, 2.6).into_iter().enumerate() {
                // The high ground lies on the right hand, so the slope falls to the left.
                let long = 6.5 + 2.5 * f64::from(u32::try_from(count % 3).unwrap_or(0));
                let (nx, ny) = (uy, -ux);
                let _ = write!(strokes, "M{x:.1} {y:.1}l{:.1} {:.1}", nx * long, ny * long);
            }
        }
    }
    let _ = write!(svg, "<path class='hachure' d='{strokes}'/>");
}

/// Trees, tufts of marsh grass and the furrows of the fields.
fn growth(svg: &mut String) {
    let map = map();
    let (mut crowns, mut shades, mut tufts, mut furrows) =
        (String::new(), String::new(), String::new(), String::new());
    for hex in Hex::all() {
        match map.terrain(hex) {
            Terrain::Forest => {
                for count in 0..11 {
                    let (x, y) = within(hex, count, 1.0);
                    let size = 1.7 + scatter(hex, 90 + count) * 1.1;
                    let _ = write!(
                        crowns,
                        "M{:.1} {y:.1}a{size:.1} {size:.1} 0 1 1 {:.1} 0a{size:.1} {size:.1} 0 1 1 {:.1} 0",
                        x - size,
                        2.0 * size,
                        -2.0 * size
                    );
                    let _ = write!(
                        shades,
                        "M{:.1} {:.1}q{size:.1} {:.1} {:.1} 0",
                        x - size * 0.2,
                        y + size * 0.9,
                        -size * 0.2,
                        size * 1.3
                    );
                }
            }
            Terrain::Marsh => {
                for count in 0..4 {
                    let (x, y) = within(hex, count, 0.95);
                    let wide = 2.6 + scatter(hex, 70 + count) * 2.4;
                    let _ = write!(
                        tufts,
                        "M{:.1} {y:.1}h{:.1}M{x:.1} {y:.1}v-2.4M{:.1} {y:.1}l-1.1 -1.9M{:.1} {y:.1}l1.1 -1.9",
                        x - wide,
                        2.0 * wide,
                        x - 0.9,
                        x + 0.9
                    );
                }
            }
            Terrain::Difficult => {
                let (x, y) = centre(hex);
                let lean = (scatter(hex, 5) - 0.5) * 80.0;
                let (sin, cos) = lean.to_radians().sin_cos();
                for row in -3_i8..=3 {
                    let across = f64::from(row) * 2.7;
                    let half = 9.0 - scatter(hex, 40).mul_add(2.0, f64::from(row.unsigned_abs()));
                    let (mx, my) = (x - across * sin, y + across * cos);
                    let _ = write!(
                        furrows,
                        "M{:.1} {:.1}L{:.1} {:.1}",
                        mx - half * cos,
                        my - half * sin,
                        mx + half * cos,
                        my + half * sin
                    );
                }
            }
            _ => {}
        }
    }
    let _ = write!(
        svg,
        "<path class='crown' d='{crowns}'/><path class='shade' d='{shades}'/><path class='tuft' d='{tufts}'/>\
         <path class='furrow' d='{furrows}'/>"
    );
}

fn hexsides(has: impl Fn(Edge) -> bool) -> Vec<Vec<Point>> {
    let map = map();
    let mut sides = Vec::new();
    for hex in Hex::all() {
        for heading in [Heading::East, Heading::SouthEast, Heading::SouthWest] {
            if has(map.edge(hex, heading)) {
                sides.push(side(hex, heading));
            }
        }
    }
    joined_either_way(sides).iter().map(|line| easy(line)).collect()
}

fn waters(svg: &mut String) {
    let map = map();
    let streams = paths(&hexsides(Edge::stream));
    let _ = write!(svg, "<path class='stream' d='{streams}'/>");
    let sea: Vec<Vec<Point>> = smooth(|hex| map.terrain(hex) == Terrain::Sea);
    let shore = paths(&sea);
    let river = paths(&hexsides(Edge::vistula));
    // The water lines of an engraved coast lie under the river's mouth.
    let _ = write!(
        svg,
        "<clipPath id='sea'><path d='{shore}'/></clipPath><path class='sea' d='{shore}'/><g clip-path='url(#sea)'>\
         <path class='wave w5' d='{shore}'/><path class='wave w5i' d='{shore}'/><path class='wave w4' d='{shore}'/>\
         <path class='wave w4i' d='{shore}'/><path class='wave w3' d='{shore}'/><path class='wave w3i' d='{shore}'/></g>\
         <path class='bank' d='{river}'/><path class='coast' d='{shore}'/><path class='river' d='{river}'/>\
         <path class='current' d='{river}'/>"
    );
}

fn fire_zone(svg: &mut String) {
    let map = map();
    let zone = smooth(|hex| map.exposure(hex, true) == Exposure::Shaded || map.terrain(hex).is_fortress());
    let hole = smooth(|hex| map.terrain(hex).is_fortress());
    let _ = write!(svg, "<path class='zone' fill-rule='evenodd' d='{}{}'/>", paths(&zone), paths(&hole));
    let _ = write!(svg, "<path class='limit' d='{}'/>", paths(&zone));
}

fn lattice(svg: &mut String) {
    let mut lines = String::new();
    for hex in Hex::all().filter(|&hex| map().terrain(hex) != Terrain::Sea) {
        for heading in Heading::ALL {
            let drawn =
                hex.beyond(heading).is_some_and(|next| next < hex && map().terrain(next) != Terrain::Sea);
            if !drawn {
                let [(ax, ay), (bx, by)] = side(hex, heading);
                let _ = write!(lines, "M{ax:.1} {ay:.1}L{bx:.1} {by:.1}");
            }
        }
    }
    let _ = write!(svg, "<path class='lattice' d='{lines}'/>");
}

fn roads(svg: &mut String) {
    let mut casing = String::new();
    let mut tracks = String::new();
    for road in &map().roads {
        let line: Vec<Point> = road.hexes.iter().map(|&hex| centre(hex)).collect();
        let d = path(&flowing(&line));
        match road.kind {
            Way::Road => casing.push_str(&d),
            Way::Track => tracks.push_str(&d),
        }
    }
    let _ = write!(
        svg,
        "<path class='track' d='{tracks}'/><path class='road' d='{casing}'/><path class='roadbed' d='{casing}'/>"
    );
    let (left, right) = map().ferry;
    let (a, b) = (centre(left), centre(right));
    let _ = write!(svg, "<path class='ferry' d='{}'/>", path(&[a, b]));
    let (x, y) = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let _ = write!(svg, "<path class='boat' d='M{:.1} {y:.1}q4 4 8 0q-4 -4 -8 0Z'/>", x - 4.0);
}

/// A village is a few houses along its lane.
fn villages(svg: &mut String) {
    let mut houses = String::new();
    for hex in Hex::all()
        .filter(|&hex| map().terrain(hex) == Terrain::Village || map().name(hex) == Some("Neufahrwasser"))
    {
        let lean = scatter(hex, 3) * 60.0 - 30.0;
        let (x, y) = centre(hex);
        let (sin, cos) = lean.to_radians().sin_cos();
        for count in 0..8_u32 {
            let along = f64::from(count / 2) * 5.2 - 8.0 + scatter(hex, 20 + count) * 1.6;
            let across = if count % 2 == 0 { -3.6 } else { 3.2 } + scatter(hex, 30 + count) * 1.2;
            if scatter(hex, 50 + count) < 0.15 {
                continue;
            }
            let (w, h) = (3.4 + scatter(hex, 60 + count) * 1.4, 2.4 + scatter(hex, 80 + count));
            let at = |dx: f64, dy: f64| (x + dx * cos - dy * sin, y + dx * sin + dy * cos);
            let corners =
                [at(along, across), at(along + w, across), at(along + w, across + h), at(along, across + h)];
            houses.push_str(&path(&corners));
            houses.push('Z');
        }
    }
    let _ = write!(svg, "<path class='house' d='{houses}'/>");
}

fn fortresses(svg: &mut String) {
    let map = map();
    let of = |terrain| border(|hex| map.terrain(hex) == terrain);
    // The city: ditch, rampart, bastions at the outer corners, blocks within.
    let city = of(Terrain::City);
    let d = paths(&city);
    let _ = write!(svg, "<path class='ditch' d='{d}'/><path class='town' d='{d}'/>");
    let mut blocks = String::new();
    for hex in Hex::all().filter(|&hex| map.terrain(hex) == Terrain::City) {
        let (x, y) = centre(hex);
        for count in 0..6_u32 {
            let (column, row) = (f64::from(count % 3), f64::from(count / 3));
            if scatter(hex, 33 + count) < 0.08 {
                continue;
            }
            let (w, h) = (4.6 + scatter(hex, count) * 1.6, 6.6 + scatter(hex, 10 + count) * 2.6);
            let lift = scatter(hex, 44) * 3.0;
            let (bx, by) = (
                x - 10.8 + column * 7.4 + lift / 2.0,
                y - 11.0 + row * 11.4 + lift + scatter(hex, 20 + count),
            );
            let _ = write!(blocks, "M{bx:.1} {by:.1}h{w:.1}v{h:.1}h-{w:.1}Z");
        }
    }
    let _ = write!(svg, "<path class='block' d='{blocks}'/><path class='rampart' d='{d}'/>");
    let mut bastions = String::new();
    for line in &city {
        for three in line.windows(3).step_by(2) {
            let &[a, (x, y), b] = three else { continue };
            let (mx, my) = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
            let (dx, dy) = (x - mx, y - my);
            let long = dx.hypot(dy).max(0.1);
            let (ux, uy) = (dx / long, dy / long);
            let p = |along: f64, across: f64| (x + ux * along - uy * across, y + uy * along + ux * across);
            bastions.push_str(&path(&[p(-2.0, -4.0), p(3.0, -3.6), p(6.5, 0.0), p(3.0, 3.6), p(-2.0, 4.0)]));
            bastions.push('Z');
        }
    }
    let _ = write!(svg, "<path class='bastion' d='{bastions}'/>");
    // The camp: a rampart with its ticks outwards.
    for line in of(Terrain::Camp) {
        let d = path(&line);
        let mut ticks = String::new();
        for ((x, y), (ux, uy)) in beads(&line, 4.0) {
            let _ = write!(ticks, "M{x:.1} {y:.1}l{:.1} {:.1}", uy * 4.0, -ux * 4.0);
        }
        let _ = write!(
            svg,
            "<path class='camp' d='{d}'/><path class='campline' d='{d}'/><path class='tick' d='{ticks}'/>"
        );
    }
    // The fort: a five-pointed trace on each bank.
    for &hex in &map.fort {
        let (x, y) = centre(hex);
        let star: Vec<Point> = (0..10)
            .map(|point| {
                let angle = f64::from(point) * std::f64::consts::PI / 5.0;
                let far = if point % 2 == 0 { 13.0 } else { 8.0 };
                (x + far * angle.sin(), y - far * angle.cos())
            })
            .collect();
        let d = path(&star);
        let _ = write!(svg, "<path class='ditch small' d='{d}Z'/><path class='bastion' d='{d}Z'/>");
    }
}
