//! The country before the walls: fields under the plough, heights in hachures, roads and the brook,
//! woods and hedges in pen, villages as small plans, the camp on the Zigankenberg.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "units of a sheet 1,400 wide")]

use std::fmt::Write as _;

use super::ink::{beads, flowing, path};
use super::siege_ground::{HEIGHT, Point, SCALE, Strewn, at, block, fine, line, polygon};
use crate::siege::geometry::inside;
use crate::siege::{GROUND, Spot};

/// Hills that no rule knows of: centre, width and depth in metres.
const HILLS: [(f64, f64, f64, f64); 2] = [(1990.0, 560.0, 660.0, 380.0), (2470.0, 1060.0, 420.0, 280.0)];

/// Woods: centre, half their width and depth in metres, and how many trees are tried for.
const WOODS: [(f64, f64, f64, f64, u32); 4] = [
    (2640.0, 560.0, 120.0, 170.0, 260),
    (80.0, 420.0, 62.0, 230.0, 170),
    (2080.0, 130.0, 170.0, 95.0, 230),
    (640.0, 1010.0, 60.0, 30.0, 24),
];

/// The roads that meet before the gate, in metres.
const ROADS: [&[(f64, f64)]; 3] = [
    &[
        (1320.0, 1500.0),
        (1318.0, 1400.0),
        (1325.0, 1240.0),
        (1320.0, 1080.0),
        (1300.0, 900.0),
        (1360.0, 700.0),
        (1560.0, 440.0),
        (1760.0, 220.0),
        (1840.0, 0.0),
    ],
    &[
        (1322.0, 1150.0),
        (1480.0, 1010.0),
        (1700.0, 880.0),
        (1900.0, 850.0),
        (2150.0, 880.0),
        (2480.0, 870.0),
        (2800.0, 930.0),
    ],
    &[
        (1320.0, 1180.0),
        (1080.0, 1140.0),
        (760.0, 1090.0),
        (420.0, 1120.0),
        (340.0, 1100.0),
        (120.0, 1050.0),
        (0.0, 1060.0),
    ],
];

/// The brook of Schidlitz, in metres.
const BROOK: &[(f64, f64)] = &[
    (1640.0, 0.0),
    (1600.0, 180.0),
    (1660.0, 380.0),
    (1560.0, 560.0),
    (1490.0, 720.0),
    (1470.0, 900.0),
    (1455.0, 1080.0),
    (1430.0, 1260.0),
    (1395.0, 1400.0),
    (1375.0, 1500.0),
];

/// Everything outside the walls.
pub(super) fn draw(svg: &mut String) {
    fields(svg);
    heights(svg);
    zone(svg);
    villages(svg);
    ways(svg);
    woods(svg);
}

/// A line through metres, flowing over the sheet.
fn drawn(points: &[(f64, f64)]) -> Vec<Point> {
    let line: Vec<Point> = points.iter().map(|(x, y)| at(*x, *y)).collect();
    flowing(&line)
}

/// Points along the ways, close enough to tell whether something stands in them.
fn trodden() -> Vec<Point> {
    let ways = ROADS.iter().copied().chain([BROOK]);
    ways.flat_map(|way| beads(&drawn(way), 4.0)).map(|(place, _)| place).collect()
}

fn near(places: &[Point], (x, y): Point, distance: f64) -> bool {
    places.iter().any(|(a, b)| (a - x).hypot(b - y) < distance)
}

/// Whether a place in metres is open country: no camp, no village, no box.
fn is_open(x: f64, y: f64) -> bool {
    let place = Spot::metres(x as i32, y as i32).fine();
    let ground = &*GROUND;
    !(inside(place, &ground.zone)
        || ground.villages.iter().any(|village| inside(place, village))
        || inside(place, &ground.kalke_box)
        || inside(place, &ground.kalke))
}

/// Whether a place in metres cannot be ploughed: the slope of a hill, or a wood.
fn is_wild(x: f64, y: f64) -> bool {
    let hilly = HILLS.iter().any(|(cx, cy, w, d)| (2.0 * (x - cx) / w).hypot(2.0 * (y - cy) / d) < 1.38);
    // The field of fire of the Kalke-Schanze.
    let cleared = (x - 200.0).hypot(y - 935.0) < 170.0;
    hilly || cleared || WOODS.iter().any(|(cx, cy, w, d, _)| ((x - cx) / w).hypot((y - cy) / d) < 1.1)
}

/// Trees in pen, the farther ones first: a crown, its shaded side, and the shadow it throws.
pub(super) fn trees(planted: &[(Point, f64)]) -> String {
    let mut planted: Vec<(Point, f64)> = planted.to_vec();
    planted.sort_by(|(a, _), (b, _)| a.1.total_cmp(&b.1));
    let (mut crowns, mut shades, mut shadows) = (String::new(), String::new(), String::new());
    for ((x, y), size) in planted {
        let _ = write!(
            crowns,
            "M{:.1} {y:.1}a{size:.1} {size:.1} 0 1 0 {:.1} 0a{size:.1} {size:.1} 0 1 0 {:.1} 0",
            x - size,
            2.0 * size,
            -2.0 * size
        );
        let _ = write!(
            shades,
            "M{:.1} {:.1}q{:.1} {:.1} {:.1} {:.1}",
            x + size * 0.8,
            y - size * 0.4,
            size * 0.1,
            size * 1.1,
            -size * 1.1,
            size * 1.2
        );
        let _ = write!(shadows, "M{:.1} {:.1}l{:.1} {:.1}", x + size * 0.5, y + size, size * 1.1, size * 0.5);
    }
    format!(
        "<path class='cast' d='{shadows}'/><path class='tree' d='{crowns}'/><path class='treeshade' d='{shades}'/>"
    )
}

/// Ploughed fields in thin hatching, where nothing else is: a few strips side by side, each with its own
/// furrows, and a hedge along one end.
fn fields(svg: &mut String) {
    let mut strewn = Strewn(1807);
    let mut laid: Vec<Point> = Vec::new();
    let (mut furrows, mut balks, mut hedges) = (String::new(), String::new(), Vec::new());
    let ways = trodden();
    for _ in 0..1500 {
        let (x, y) = (strewn.between(60.0, 2740.0), strewn.between(40.0, 1190.0));
        let close = laid.iter().any(|(a, b)| (a - x).abs() < 215.0 && (b - y).abs() < 125.0);
        let open = [(0.0, 0.0), (95.0, 0.0), (-95.0, 0.0), (0.0, 60.0), (0.0, -60.0)]
            .iter()
            .all(|(a, b)| is_open(x + a, y + b) && !is_wild(x + a, y + b));
        if close || !open || near(&ways, at(x, y), 36.0) {
            continue;
        }
        laid.push((x, y));
        let turn = strewn.between(-28.0, 28.0);
        let (sin, cos) = turn.to_radians().sin_cos();
        let strips = 2 + (strewn.between(0.0, 2.0) as i32);
        let (mut along, deep) = (-18.0 * f64::from(strips), strewn.between(36.0, 52.0));
        let (cx, cy) = at(x, y);
        for strip in 0..strips {
            let wide = strewn.between(26.0, 40.0);
            let middle = (cx + (along + wide / 2.0) * cos, cy + (along + wide / 2.0) * sin);
            along += wide + 1.6;
            let shorter = deep * strewn.between(0.8, 1.0);
            let corners = block(middle, wide, shorter, turn);
            let across = strip % 2 == 0;
            let rows = (if across { shorter } else { wide } / 4.4) as i32;
            for row in 1..rows {
                let part = f64::from(row) / f64::from(rows);
                let mix = |a: Point, b: Point| (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
                let [a, b, c, d] = corners;
                let furrow = if across { [mix(a, d), mix(b, c)] } else { [mix(a, b), mix(d, c)] };
                furrows.push_str(&line(&furrow));
            }
            balks.push_str(&polygon(&corners));
            for bush in 0..5 {
                let part = (f64::from(bush) + strewn.between(0.1, 0.8)) / 5.0;
                let (hx, hy) = (
                    corners[3].0 + (corners[2].0 - corners[3].0) * part,
                    corners[3].1 + (corners[2].1 - corners[3].1) * part,
                );
                hedges.push(((hx, hy + 1.5), strewn.between(0.9, 2.0)));
            }
        }
    }
    let _ =
        write!(svg, "<path class='balk' d='{balks}'/><path class='furrow' d='{furrows}'/>{}", trees(&hedges));
}

/// Heights beyond the works: two steps of hachures that fall away all round, close and dark where the
/// light of the north-west does not reach.
fn heights(svg: &mut String) {
    let mut strewn = Strewn(1734);
    let (mut light, mut dark, mut tops) = (String::new(), String::new(), String::new());
    for (x, y, wide, deep) in HILLS {
        let (cx, cy) = at(x, y);
        for (step, (size, long)) in [(0.52, 0.30), (0.86, 0.34)].into_iter().enumerate() {
            let around = (wide + deep) * size * SCALE;
            let count = (around / 1.15) as i32;
            let rim = |angle: f64, far: f64| {
                let wobble = 1.0 + 0.10 * (angle * 2.0 + x).sin() + 0.06 * (angle * 5.0 + y).cos();
                let (sin, cos) = angle.sin_cos();
                let half = |length: f64| length / 2.0 * SCALE * far * wobble;
                (cx + half(wide) * cos, cy + half(deep) * sin)
            };
            for place in 0..count {
                let angle = std::f64::consts::TAU * f64::from(place) / f64::from(count);
                // Down and to the right of the sheet lies the shade.
                let shade = f64::midpoint((angle - 0.8).cos(), 1.0);
                let from = size * strewn.between(0.985, 1.015);
                let to = from + long * (0.42 + 0.58 * shade) * strewn.between(0.75, 1.0);
                let stroke = line(&[rim(angle, from), rim(angle, to)]);
                if shade > 0.5 { dark.push_str(&stroke) } else { light.push_str(&stroke) }
            }
            if step == 0 {
                let crest: Vec<Point> =
                    (0..48).map(|n| rim(std::f64::consts::TAU * f64::from(n) / 48.0, size)).collect();
                tops.push_str(&polygon(&crest));
            }
        }
    }
    let _ = write!(
        svg,
        "<path class='hilltop' d='{tops}'/><path class='hachure faint' d='{light}'/><path class='hachure' d='{dark}'/>"
    );
}

/// The brook of Schidlitz and the country roads that meet before the gate.
fn ways(svg: &mut String) {
    let brook = path(&drawn(BROOK));
    let roads: String = ROADS.iter().map(|road| path(&drawn(road))).collect();
    let _ = write!(
        svg,
        "<path class='bank' d='{brook}'/><path class='brook' d='{brook}'/><path class='lane' d='{roads}'/>\
         <path class='lanebed' d='{roads}'/>"
    );
}

/// Woods, and poplars along the high road.
fn woods(svg: &mut String) {
    let (mut planted, mut strewn) = (Vec::new(), Strewn(1793));
    let ways = trodden();
    for (x, y, wide, deep, count) in WOODS {
        for _ in 0..count {
            let (a, b) = (strewn.between(-1.0, 1.0), strewn.between(-1.0, 1.0));
            let place = at(x + a * wide, y + b * deep);
            let free = a * a + b * b < 1.0 && is_open(x + a * wide, y + b * deep);
            if free && !near(&ways, place, 7.0) {
                planted.push((place, strewn.between(2.1, 3.7)));
            }
        }
    }
    for road in ROADS.iter().take(2) {
        for (number, ((x, y), (ux, uy))) in beads(&drawn(road), 15.0).into_iter().enumerate() {
            let side = if number % 2 == 0 { 5.2 } else { -5.2 };
            let (px, py) = (x - uy * side, y + ux * side);
            if is_open(px / SCALE, (HEIGHT - py) / SCALE) && py > 330.0 {
                planted.push(((px, py), strewn.between(1.1, 1.7)));
            }
        }
    }
    svg.push_str(&trees(&planted));
}

/// The concentration area: a height with a green wash, its border, and the tents of the corps.
fn zone(svg: &mut String) {
    let border: Vec<Point> = GROUND.zone.iter().map(|corner| fine(*corner)).collect();
    let mut closed = border.clone();
    closed.extend(border.first().copied());
    let (mut strokes, mut strewn) = (String::new(), Strewn(19));
    let middle = (
        border.iter().map(|p| p.0).sum::<f64>() / border.len() as f64,
        border.iter().map(|p| p.1).sum::<f64>() / border.len() as f64,
    );
    for ((x, y), (ux, uy)) in beads(&closed, 2.2) {
        // Away from the middle, whichever way round the border runs.
        let (nx, ny) = if (x - middle.0) * uy - (y - middle.1) * ux > 0.0 { (uy, -ux) } else { (-uy, ux) };
        let long = strewn.between(7.0, 13.0);
        let from = strewn.between(1.5, 2.5);
        strokes.push_str(&line(&[(x + nx * from, y + ny * from), (x + nx * long, y + ny * long)]));
    }
    let _ = write!(svg, "<path class='hachure' d='{strokes}'/><path class='zone' d='{}'/>", polygon(&border));
    let mut tents = String::new();
    for row in 0..3 {
        for column in 0..14 {
            let x = 330.0 + 76.0 * f64::from(column) + strewn.between(-5.0, 5.0);
            let (x, y) = at(x, 40.0 + 34.0 * f64::from(row));
            let _ = write!(
                tents,
                "M{:.1} {y:.1}l4.500 -7l4.500 7ZM{x:.1} {:.1}v7M{x:.1} {:.1}l3.500 7",
                x - 4.5,
                y - 7.0,
                y - 7.0
            );
        }
    }
    let _ = write!(svg, "<path class='tent' d='{tents}'/>");
}

/// Villages as small plans: houses side by side along their lanes, gardens behind them.
fn villages(svg: &mut String) {
    let mut strewn = Strewn(42);
    let ways = trodden();
    for village in &GROUND.villages {
        let outline: Vec<Point> = village.iter().map(|corner| fine(*corner)).collect();
        let _ = write!(svg, "<path class='village' d='{}'/>", polygon(&outline));
        let (mut houses, mut ridges, mut gardens, mut beds) =
            (String::new(), String::new(), Vec::new(), String::new());
        let bounds = |pick: fn(&Point) -> f64| {
            let values = || outline.iter().map(pick);
            (values().fold(f64::MAX, f64::min), values().fold(f64::MIN, f64::max))
        };
        let ((left, right), (top, bottom)) = (bounds(|p| p.0), bounds(|p| p.1));
        let mut built: Vec<Point> = Vec::new();
        let wanted = ((right - left) * (bottom - top) / 9.0) as usize;
        for _ in 0..wanted {
            let (x, y) = (strewn.between(left + 7.0, right - 7.0), strewn.between(top + 6.0, bottom - 6.0));
            let place = Spot::metres((x / SCALE) as i32, ((HEIGHT - y) / SCALE) as i32).fine();
            let crowded = built.iter().any(|(a, b)| (a - x).abs() < 12.6 && (b - y).abs() < 8.6);
            if crowded || !inside(place, village) || near(&ways, (x, y), 8.5) {
                continue;
            }
            built.push((x, y));
            let turn = strewn.between(-9.0, 9.0);
            // Most are houses, some are gardens with fruit trees.
            if strewn.next() < 0.24 {
                beds.push_str(&polygon(&block((x, y), 11.0, 7.5, turn)));
                for (dx, dy) in [(-3.0, -1.5), (0.6, 1.6), (3.6, -1.0)] {
                    gardens.push(((x + dx, y + dy), strewn.between(1.0, 1.5)));
                }
                continue;
            }
            let (wide, deep) = (strewn.between(6.6, 10.6), strewn.between(4.4, 6.6));
            let corners = block((x, y), wide, deep, turn);
            houses.push_str(&polygon(&corners));
            let middle = |a: Point, b: Point| (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
            ridges.push_str(&line(&[middle(corners[0], corners[3]), middle(corners[1], corners[2])]));
        }
        let _ = write!(
            svg,
            "<path class='bed' d='{beds}'/>{}<path class='house' d='{houses}'/><path class='roof' d='{ridges}'/>",
            trees(&gardens)
        );
    }
}
