//! Hills as hachures that fall away from the crest, woods in pen, water and roads as curves.

use std::collections::BTreeMap;
use std::fmt::Write;

use rulebook::tables::campaign_1805 as csv;

use super::geometry::{Point, SIZE, centre, chains, chance, curve, eased, edge, outline, rings, rounded};
use super::{INK, PAPER, WATER, bounds};
use crate::map::{HexId, map};
use crate::terms::{Ground, Hex, Road};

fn hexes() -> impl Iterator<Item = HexId> {
    map().cells().iter().map(|cell| cell.id)
}

fn is_high(hex: HexId) -> bool {
    matches!(map().cell(hex).ground, Ground::Hill | Ground::WoodedHill | Ground::Mountain)
}

fn is_wooded(hex: HexId) -> bool {
    matches!(map().cell(hex).ground, Ground::WoodedHill | Ground::Forest)
}

/// Washes, hachures and woods.
pub(super) fn draw(svg: &mut String) {
    let mut hachures = String::new();
    wash(svg, "#e6d8b6", ".62", &rings(is_high, hexes()), Some(&mut hachures));
    wash(svg, "#b9c498", ".42", &rings(is_wooded, hexes()), None);
    let high_woods = rings(|hex| map().cell(hex).ground == Ground::WoodedHill, hexes());
    for ring in high_woods {
        fall(&rounded(&ring), 3.2, &mut hachures);
    }
    for cell in map().cells().iter().filter(|cell| is_high(cell.id)) {
        brow(cell.id, &mut hachures);
    }
    let _ = write!(
        svg,
        "<path d=\"{hachures}\" fill=\"none\" stroke=\"#6b553a\" stroke-opacity=\".55\" stroke-width=\".55\" stroke-linecap=\"round\"/>"
    );
    trees(svg);
    out_of_play(svg);
}

fn wash(
    svg: &mut String,
    colour: &str,
    opacity: &str,
    rings: &[Vec<Point>],
    mut hachures: Option<&mut String>,
) {
    let mut path = String::new();
    for ring in rings {
        let round = rounded(ring);
        path.push_str(&outline(&round));
        if let Some(hachures) = hachures.as_deref_mut() {
            fall(&round, 6.5, hachures);
        }
    }
    let _ = write!(
        svg,
        "<path d=\"{path}\" fill=\"{colour}\" fill-opacity=\"{opacity}\" fill-rule=\"evenodd\"/>"
    );
}

/// Short strokes from a crest outwards, the ground lying to the right of the way.
fn fall(ring: &[Point], length: f64, path: &mut String) {
    let (bx, by, bw, bh) = bounds();
    let mut salt = 0_u32;
    for (place, &from) in ring.iter().enumerate() {
        let to = ring[(place + 1) % ring.len()];
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let span = dx.hypot(dy).max(0.01);
        let (nx, ny) = (dy / span, -dx / span);
        let mut along = 0.0;
        while along < span {
            salt = salt.wrapping_add(1);
            let wobble = 0.6 + 0.8 * chance(HexId { column: 1, row: 1 }, salt);
            let (x, y) = (from.0 + dx * along / span, from.1 + dy * along / span);
            let reach = length * wobble;
            let inside = x > bx + 4.0 && x < bx + bw - 4.0 && y > by + 4.0 && y < by + bh - 4.0;
            if inside {
                let _ = write!(path, "M{x:.1} {y:.1}l{:.1} {:.1}", nx * reach, ny * reach);
            }
            along += 2.1 + wobble;
        }
    }
}

/// A few strokes on the height itself, like the brow of a hill seen from above.
fn brow(hex: HexId, path: &mut String) {
    let (cx, cy) = centre(hex);
    for tuft in 0..2_u32 {
        let x = cx + (chance(hex, tuft * 3 + 1) - 0.5) * SIZE * 1.3;
        let y = cy + (chance(hex, tuft * 3 + 2) - 0.5) * SIZE * 1.2;
        let turn = (chance(hex, tuft * 3 + 3) - 0.5) * 1.2;
        for stroke in 0..5_u8 {
            let angle = turn + (f64::from(stroke) - 2.0) * 0.32 + std::f64::consts::FRAC_PI_2;
            let (dx, dy) = (angle.cos(), angle.sin());
            let _ = write!(path, "M{:.1} {:.1}l{:.1} {:.1}", x + dx * 3.0, y + dy * 3.0, dx * 3.6, dy * 3.6);
        }
    }
}

fn trees(svg: &mut String) {
    let mut path = String::new();
    for cell in map().cells().iter().filter(|cell| is_wooded(cell.id)) {
        let (cx, cy) = centre(cell.id);
        let many = if cell.ground == Ground::Forest { 7_u32 } else { 4 };
        for tree in 0..many {
            let x = cx + (chance(cell.id, 40 + tree * 2) - 0.5) * SIZE * 1.5;
            let y = cy + (chance(cell.id, 41 + tree * 2) - 0.5) * SIZE * 1.4;
            let r = 1.5 + chance(cell.id, 80 + tree);
            let _ = write!(
                path,
                "M{:.1} {y:.1}a{r:.1} {r:.1} 0 1 1 {:.1} 0M{x:.1} {y:.1}v1.6M{:.1} {:.1}h2.4",
                x - r,
                2.0 * r,
                x + 0.4,
                y + 1.6
            );
        }
    }
    let _ = write!(
        svg,
        "<path d=\"{path}\" fill=\"#93a46f\" fill-opacity=\".35\" stroke=\"#4d5a36\" stroke-width=\".55\" stroke-opacity=\".8\"/>"
    );
}

/// Hexes beyond the Danube: a thin hatch.
fn out_of_play(svg: &mut String) {
    let mut path = String::new();
    for ring in rings(|hex| !map().cell(hex).in_play, hexes()) {
        path.push_str(&outline(&rounded(&ring)));
    }
    let _ = write!(
        svg,
        "<defs><pattern id=\"closed\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(35)\">\
         <path d=\"M0 0V5\" stroke=\"{INK}\" stroke-opacity=\".35\" stroke-width=\".7\"/></pattern></defs>\
         <path d=\"{path}\" fill=\"url(#closed)\"/>"
    );
}

/// A river: its class and its hexsides.
type River = (&'static str, Vec<(Point, Point)>);

/// Rivers as banks, lakes as pools, and the names beside them.
pub(super) fn water(svg: &mut String) {
    let mut rivers: BTreeMap<&str, River> = BTreeMap::new();
    for row in &csv::RIVERS {
        let (Some(a), Some(b)) = (HexId::read(row.hex_a), HexId::read(row.hex_b)) else { continue };
        let Some(direction) = a.towards(b) else { continue };
        rivers.entry(row.river).or_insert_with(|| (row.class, Vec::new())).1.push(edge(a, direction));
    }
    let mut names = String::new();
    for (name, (class, edges)) in &rivers {
        let lines = chains(edges, &[]);
        let (bank, stream) = match *class {
            "primary" => (8.0, 6.2),
            "lake" => (9.0, 7.4),
            _ => (2.6, 1.5),
        };
        let mut path = String::new();
        for line in &lines {
            path.push_str(&curve(&eased(line)));
        }
        for (colour, wide) in [(WATER, bank), ("#b7ccd0", stream)] {
            let _ = write!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{wide}\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/>"
            );
        }
        if let Some(longest) = lines.iter().max_by_key(|line| line.len())
            && *class != "lake"
        {
            river_name(&mut names, name, &eased(longest));
        }
    }
    let _ = write!(
        svg,
        "<g font-style=\"italic\" font-size=\"10\" letter-spacing=\"1.6\" fill=\"#3f6170\" text-anchor=\"middle\" \
         stroke=\"{PAPER}\" stroke-width=\"2.4\" paint-order=\"stroke\" stroke-linejoin=\"round\">{names}</g>"
    );
}

/// The name of a river along its straightest stretch.
fn river_name(names: &mut String, name: &str, line: &[Point]) {
    let reach = 8.min(line.len().saturating_sub(1)).max(1);
    let (bx, by, bw, bh) = bounds();
    let best = (0..line.len().saturating_sub(reach))
        .filter(|&from| {
            let (x, y) = line[from + reach / 2];
            x > bx + 40.0 && x < bx + bw - 40.0 && y > by + 30.0 && y < by + bh - 12.0
        })
        .max_by(|&a, &b| {
            let span = |from: usize| {
                (line[from + reach].0 - line[from].0).hypot(line[from + reach].1 - line[from].1)
            };
            span(a).total_cmp(&span(b))
        });
    let Some(from) = best else { return };
    let (a, b) = (line[from], line[from + reach]);
    let (mut dx, mut dy) = (b.0 - a.0, b.1 - a.1);
    if dx < 0.0 {
        (dx, dy) = (-dx, -dy);
    }
    let angle = dy.atan2(dx).to_degrees();
    let (x, y) = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let _ = write!(
        names,
        "<text transform=\"translate({x:.1} {y:.1}) rotate({angle:.1})\" y=\"-5\">{name}</text>"
    );
}

/// Roads from fork to fork, through every place on them; bridges last.
pub(super) fn roads(svg: &mut String) {
    let mut edges: BTreeMap<Road, Vec<(Point, Point)>> = BTreeMap::new();
    let mut forks = Vec::new();
    let mut bridges = String::new();
    for cell in map().cells() {
        let (x, y) = centre(cell.id);
        let roads = cell.roads.iter().filter(|road| **road != Road::None).count();
        if cell.hex != Hex::Clear && cell.hex != cell.ground.hex() || roads > 2 || is_named(cell.id) {
            forks.push((x, y));
        }
        for direction in 0..3 {
            let (Some(next), road) = (cell.id.neighbour(direction), cell.roads[direction]) else { continue };
            if road == Road::None {
                continue;
            }
            edges.entry(road).or_default().push(((x, y), centre(next)));
            if cell.sides[direction].is_bridge() {
                bridge(&mut bridges, cell.id, direction);
            }
        }
    }
    for (road, casing, core, dash) in
        [(Road::Secondary, 1.15, 0.0, "7 1.6"), (Road::Primary, 3.0, 1.5, "none")]
    {
        let mut path = String::new();
        for line in chains(edges.get(&road).map_or(&[][..], Vec::as_slice), &forks) {
            path.push_str(&curve(&line));
        }
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"#5d4630\" stroke-width=\"{casing}\" stroke-dasharray=\"{dash}\" stroke-linejoin=\"round\"/>"
        );
        if core > 0.0 {
            let _ = write!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"#efdcae\" stroke-width=\"{core}\" stroke-linejoin=\"round\"/>"
            );
        }
    }
    let _ = write!(
        svg,
        "<path d=\"{bridges}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.1\" stroke-linecap=\"round\"/>"
    );
}

fn is_named(hex: HexId) -> bool {
    csv::TOWNS.iter().any(|town| HexId::read(town.hex) == Some(hex))
}

/// Two parapets across the water.
fn bridge(path: &mut String, hex: HexId, direction: usize) {
    let (a, b) = edge(hex, direction);
    let (x, y) = ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let span = (b.0 - a.0).hypot(b.1 - a.1);
    let (ux, uy) = ((b.0 - a.0) / span, (b.1 - a.1) / span);
    let (vx, vy) = (-uy, ux);
    for side in [-2.6, 2.6] {
        let (px, py) = (x + ux * side, y + uy * side);
        let _ = write!(
            path,
            "M{:.1} {:.1}L{:.1} {:.1}",
            px - vx * 4.0,
            py - vy * 4.0,
            px + vx * 4.0,
            py + vy * 4.0
        );
        for end in [-4.0, 4.0] {
            let (ex, ey) = (px + vx * end, py + vy * end);
            let out = side.signum() * 1.6;
            let _ = write!(
                path,
                "M{ex:.1} {ey:.1}l{:.1} {:.1}",
                ux * out + vx * end * 0.3,
                uy * out + vy * end * 0.3
            );
        }
    }
}
