//! The printed ground of the siege map as an engraving: the country before the walls, then the city
//! behind its bastions, the wet ditch, the covered way and the glacis that falls from its crest.

#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "units of a sheet 1,400 wide")]

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::siege::geometry::inside;
use crate::siege::{Fine, GROUND, Spot, WallId};

/// A point of the sheet.
pub(super) type Point = (f64, f64);

/// Sheet units to a metre.
pub(super) const SCALE: f64 = 0.5;
/// Width of the sheet inside the frame.
pub(super) const WIDTH: f64 = 2800.0 * SCALE;
/// Height of the sheet inside the frame.
pub(super) const HEIGHT: f64 = 2000.0 * SCALE;

/// The ground, the same for every state of a game.
pub(super) static GROUND_SVG: LazyLock<String> = LazyLock::new(draw);

/// Where metres of the map lie on the sheet.
pub(super) fn at(x: f64, y: f64) -> Point {
    (x * SCALE, HEIGHT - y * SCALE)
}

/// Where a spot of the map lies on the sheet.
pub(super) fn spot(spot: Spot) -> Point {
    at(f64::from(spot.x) / 10.0, f64::from(spot.y) / 10.0)
}

/// Where a fine place of the map lies on the sheet.
pub(super) fn fine(place: Fine) -> Point {
    spot(place.spot())
}

/// Numbers that look strewn and are the same on every sheet.
pub(super) struct Strewn(pub(super) u64);

impl Strewn {
    /// A number from 0 up to, not including, 1.
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / f64::from(1_u32 << 24)
    }

    /// A number between these two.
    pub(super) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.next()
    }
}

pub(super) fn polygon(points: &[Point]) -> String {
    let mut d = String::new();
    for (place, (x, y)) in points.iter().enumerate() {
        let _ = write!(d, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
    }
    d.push('Z');
    d
}

pub(super) fn line(points: &[Point]) -> String {
    let mut d = polygon(points);
    d.pop();
    d
}

/// A quadrilateral about a point, turned by so many degrees.
pub(super) fn block((x, y): Point, wide: f64, deep: f64, turn: f64) -> [Point; 4] {
    let (sin, cos) = turn.to_radians().sin_cos();
    [(-wide, -deep), (wide, -deep), (wide, deep), (-wide, deep)]
        .map(|(a, b)| (x + (a * cos - b * sin) / 2.0, y + (a * sin + b * cos) / 2.0))
}

fn draw() -> String {
    let mut svg = String::with_capacity(160_000);
    super::siege_country::draw(&mut svg);
    city(&mut svg);
    fortifications(&mut svg);
    marks(&mut svg);
    svg
}

/// The city: blocks between streets, churches, gardens under the rampart.
fn city(svg: &mut String) {
    let inner: Vec<Point> = GROUND.inner.iter().map(|corner| fine(*corner)).collect();
    let _ = write!(svg, "<path class='terreplein' d='{}'/>", polygon(&inner));
    let outline: Vec<Point> = GROUND.city.iter().map(|corner| fine(*corner)).collect();
    let _ = write!(svg, "<path class='town' d='{}'/>", polygon(&outline));
    let mut strewn = Strewn(7);
    let (mut blocks, mut roofs, mut planted) = (String::new(), String::new(), Vec::new());
    let mut courts = String::new();
    // Rows of blocks between streets: houses round a court, their roofs in short strokes.
    for row in 0..6 {
        let middle = 1678.0 + 54.0 * f64::from(row);
        let mut x = 440.0 + strewn.between(0.0, 40.0);
        let mut number = 0;
        while x < 2240.0 {
            let wide = strewn.between(44.0, 96.0);
            // Every fourth street is a broad one.
            let street = if number % 4 == 3 { 22.0 } else { strewn.between(8.0, 12.0) };
            number += 1;
            let (left, right) = (x, x + wide);
            x = right + street;
            let deep = strewn.between(38.0, 43.0);
            let lean = 6.0 * (left / 500.0).sin();
            let mut corner = |cx: f64, cy: f64| {
                (cx + strewn.between(-2.5, 2.5), middle + lean + cy + strewn.between(-2.0, 2.0))
            };
            let half = deep / 2.0;
            let metres = [corner(left, half), corner(right, half), corner(right, -half), corner(left, -half)];
            let in_city = metres
                .iter()
                .all(|(cx, cy)| inside(Spot::metres(*cx as i32, *cy as i32).fine(), &GROUND.city));
            // The reserve of the garrison and the name of the city stay clear of houses.
            let kept = metres.iter().any(|(cx, cy)| {
                ((992.0..1708.0).contains(cx) && (1712.0..1928.0).contains(cy))
                    || ((1120.0..1580.0).contains(cx) && *cy > 1712.0)
            });
            if !in_city || kept || strewn.next() < 0.04 {
                continue;
            }
            let corners = metres.map(|(cx, cy)| at(cx, cy));
            blocks.push_str(&polygon(&corners));
            let centre = (
                corners.iter().map(|c| c.0).sum::<f64>() / 4.0,
                corners.iter().map(|c| c.1).sum::<f64>() / 4.0,
            );
            let inwards =
                |p: Point, share: f64| (p.0 + (centre.0 - p.0) * share, p.1 + (centre.1 - p.1) * share);
            courts.push_str(&polygon(&corners.map(|c| (inwards(c, 0.42).0, inwards(c, 0.62).1))));
            let houses = (wide / 13.0) as i32;
            for house in 1..houses {
                let part = f64::from(house) / f64::from(houses);
                let mix = |a: Point, b: Point| (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
                for front in [mix(corners[0], corners[1]), mix(corners[3], corners[2])] {
                    roofs.push_str(&line(&[front, (front.0, inwards(front, 0.55).1)]));
                }
            }
        }
    }
    // Churches: a nave, a choir and a tower.
    let mut churches = String::new();
    for (x, y) in [(770.0, 1810.0), (905.0, 1705.0), (1845.0, 1790.0), (1985.0, 1880.0), (1345.0, 1685.0)] {
        let (x, y) = at(x, y);
        let _ = write!(churches, "M{x:.1} {y:.1}h13v-3.5h4.5l2.5 3.500v3l-2.5 3.500h-4.5v-2h-13Z");
        let _ = write!(churches, "M{:.1} {:.1}h5v7.5h-5Z", x - 5.0, y - 1.2);
    }
    for _ in 0..150 {
        let (x, y) = (strewn.between(560.0, 2090.0), strewn.between(1560.0, 1650.0));
        if GROUND.in_city(Spot::metres(x as i32, (y - 25.0) as i32).fine()) {
            planted.push((at(x, y), strewn.between(1.6, 2.5)));
        }
    }
    let _ = write!(
        svg,
        "{}<path class='block' d='{blocks}'/><path class='court' d='{courts}'/>\
         <path class='ridge' d='{roofs}'/><path class='church' d='{churches}'/>",
        super::siege_country::trees(&planted)
    );
    let reserve: Vec<Point> = [(1000.0, 1720.0), (1700.0, 1720.0), (1700.0, 1920.0), (1000.0, 1920.0)]
        .map(|(x, y)| at(x, y))
        .to_vec();
    let _ = write!(svg, "<path class='reserve' d='{}'/>", polygon(&reserve));
}

/// A line moved so many units to its right hand: outwards, for walls drawn from left to right.
fn beside(points: &[Point], distance: f64) -> Vec<Point> {
    let normal = |a: Point, b: Point| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        let length = dx.hypot(dy).max(1e-6);
        (-dy / length, dx / length)
    };
    points
        .iter()
        .enumerate()
        .map(|(place, here)| {
            let before = place.checked_sub(1).and_then(|p| points.get(p)).map(|p| normal(*p, *here));
            let after = points.get(place + 1).map(|next| normal(*here, *next));
            let (x, y) = match (before, after) {
                (Some(a), Some(b)) => {
                    let sum = (a.0 + b.0, a.1 + b.1);
                    let length = sum.0.hypot(sum.1).max(0.6);
                    (2.0 * sum.0 / length / length.max(1.0), 2.0 * sum.1 / length / length.max(1.0))
                }
                (Some(n), None) | (None, Some(n)) => n,
                (None, None) => (0.0, 0.0),
            };
            (here.0 + distance * x, here.1 + distance * y)
        })
        .collect()
}

/// The trace of the second wall with a bastion at each point: shoulders, faces and salient.
fn bastioned(points: &[Point]) -> Vec<Point> {
    let mut trace = Vec::new();
    let salient: Vec<bool> = {
        let known: Vec<Point> = WallId::second_wall().map(|id| spot(GROUND.point(id))).collect();
        points
            .iter()
            .map(|p| known.iter().any(|k| (k.0 - p.0).abs() < 0.2 && (k.1 - p.1).abs() < 0.2))
            .collect()
    };
    for (place, here) in points.iter().enumerate() {
        let neighbours = (place.checked_sub(1).and_then(|p| points.get(p)), points.get(place + 1));
        let ((Some(before), Some(after)), true) = (neighbours, salient.get(place).copied().unwrap_or(false))
        else {
            trace.push(*here);
            continue;
        };
        let toward = |to: &Point, distance: f64| {
            let (dx, dy) = (to.0 - here.0, to.1 - here.1);
            let length = dx.hypot(dy).max(1e-6);
            (here.0 + dx / length * distance, here.1 + dy / length * distance)
        };
        let (left, right) = (toward(before, 15.0), toward(after, 15.0));
        let (dx, dy) = (right.0 - left.0, right.1 - left.1);
        let length = dx.hypot(dy).max(1e-6);
        let out = |p: Point, distance: f64| (p.0 - dy / length * distance, p.1 + dx / length * distance);
        trace.extend([left, out(left, 5.5), out(*here, 15.0), out(right, 5.5), right]);
    }
    trace
}

fn fortifications(svg: &mut String) {
    let ground = &*GROUND;
    // The second wall: rampart and bastions, the wet ditch before it.
    let mut curtain: Vec<Point> =
        ground.second_wall.first().map(|piece| vec![fine(piece.a)]).unwrap_or_default();
    let points: Vec<Point> = ground.points.iter().map(|p| spot(*p)).collect();
    for piece in &ground.second_wall {
        let end = fine(piece.b);
        // Halfway points between neighbours are no vertices of the trace.
        let vertex = points.iter().any(|p| (p.0 - end.0).abs() < 0.2 && (p.1 - end.1).abs() < 0.2)
            || [(1270.0, 1560.0), (1320.0, 1575.0), (1370.0, 1560.0), (2150.0, 1650.0)]
                .iter()
                .any(|(x, y)| at(*x, *y) == end);
        if vertex {
            curtain.push(end);
        }
    }
    let trace = bastioned(&curtain);
    let ditch = beside(&curtain, 22.0);
    let _ = write!(
        svg,
        "<path class='counterscarp' d='{0}'/><path class='water' d='{0}'/><path class='wave' d='{1}'/>\
         <path class='wave' d='{2}'/><path class='wave' d='{3}'/>",
        line(&ditch),
        line(&beside(&curtain, 17.5)),
        line(&beside(&curtain, 22.0)),
        line(&beside(&curtain, 26.5)),
    );
    let _ = write!(
        svg,
        "<path class='scarp' d='{0}'/><path class='rampart' d='{0}'/><path class='parapet' d='{0}'/>",
        line(&trace)
    );
    // The gate: a bridge over the ditch and its ravelin.
    let (x, y) = at(1320.0, 1575.0);
    let _ = write!(
        svg,
        "<path class='bridge' d='M{x:.1} {:.1}v48'/><path class='rampart2' d='M{:.1} {:.1}L{x:.1} {:.1}L{:.1} {:.1}'/>\
         <rect class='gate' x='{:.1}' y='{:.1}' width='12' height='9'/>",
        y - 4.0,
        x - 20.0,
        y + 40.0,
        y + 60.0,
        x + 20.0,
        y + 40.0,
        x - 6.0,
        y - 6.0
    );
    // The first wall: the covered way with its places of arms, and the glacis.
    let mut strewn = Strewn(1806);
    for half in ["H", "B"] {
        let mut crest: Vec<Point> = Vec::new();
        for piece in &ground.first_wall {
            if piece.owner.code().starts_with(half) {
                for end in [piece.a, piece.b] {
                    let place = fine(end);
                    let corner =
                        points.iter().any(|p| (p.0 - place.0).abs() < 0.2 && (p.1 - place.1).abs() < 0.2)
                            || [(430.0, 1500.0), (2200.0, 1500.0)].iter().any(|(x, y)| at(*x, *y) == place);
                    if corner && crest.last() != Some(&place) {
                        crest.push(place);
                    }
                }
            }
        }
        glacis(svg, &crest, &mut strewn);
        let _ = write!(
            svg,
            "<path class='covered' d='{}'/><path class='palisade' d='{}'/><path class='crest' d='{}'/>",
            line(&beside(&crest, -5.0)),
            line(&beside(&crest, -2.4)),
            line(&crest)
        );
    }
}

/// Hachures that fall away from a crest, long and fine at the salients.
fn glacis(svg: &mut String, crest: &[Point], strewn: &mut Strewn) {
    let (foot, mut near, mut far) = (beside(crest, 46.0), String::new(), String::new());
    for (place, pair) in crest.windows(2).enumerate() {
        let (Some(c), Some(d)) = (foot.get(place), foot.get(place + 1)) else { continue };
        let length = (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
        let count = (length / 2.1) as i32;
        for step in 0..count {
            let part = (f64::from(step) + strewn.between(0.0, 0.8)) / f64::from(count);
            let mix = |a: Point, b: Point| (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
            let (top, bottom) = (mix(pair[0], pair[1]), mix(*c, *d));
            let go = |share: f64| (top.0 + (bottom.0 - top.0) * share, top.1 + (bottom.1 - top.1) * share);
            near.push_str(&line(&[go(0.10), go(strewn.between(0.34, 0.52))]));
            if step % 2 == 0 {
                far.push_str(&line(&[go(strewn.between(0.52, 0.6)), go(strewn.between(0.78, 1.0))]));
            }
        }
    }
    let _ = write!(svg, "<path class='hachure' d='{near}'/><path class='hachure faint' d='{far}'/>");
}

/// Printed redoubts, green points, links, the outline of Kalke and its box.
fn marks(svg: &mut String) {
    let ground = &*GROUND;
    let mut links = String::new();
    for id in WallId::second_wall() {
        links.push_str(&line(&[spot(ground.point(id)), spot(ground.point(id.linked()))]));
        links.push_str(&line(&[spot(ground.point(id)), spot(ground.green(id))]));
    }
    let _ = write!(svg, "<path class='link' d='{links}'/>");
    for green in ground.greens {
        let (x, y) = spot(green);
        let _ = write!(svg, "<circle class='green' cx='{x:.1}' cy='{y:.1}' r='3.4'/>");
    }
    for (number, redoubt) in ground.redoubts.iter().enumerate() {
        let (x, y) = spot(*redoubt);
        let _ = write!(
            svg,
            "<rect class='printed' x='{:.1}' y='{:.1}' width='50' height='25'/><text class='tiny' x='{x:.1}' \
             y='{:.1}'>R{}</text>",
            x - 25.0,
            y - 12.5,
            y + 3.0,
            number + 1
        );
    }
    let outline = |shape: &[Fine]| shape.iter().map(|corner| fine(*corner)).collect::<Vec<Point>>();
    let _ = write!(svg, "<path class='box' d='{}'/>", polygon(&outline(&ground.kalke_box)));
    // Hachures all round the triangle.
    let kalke = outline(&ground.kalke);
    let middle = (kalke.iter().map(|p| p.0).sum::<f64>() / 3.0, kalke.iter().map(|p| p.1).sum::<f64>() / 3.0);
    let mut hachures = String::new();
    for (a, b) in kalke.iter().zip(kalke.iter().cycle().skip(1)) {
        for step in 0..22 {
            let part = f64::from(step) / 22.0;
            let p = (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part);
            let out = |share: f64| (p.0 + (p.0 - middle.0) * share, p.1 + (p.1 - middle.1) * share);
            hachures.push_str(&line(&[out(0.16), out(0.5 + 0.12 * f64::from(step % 3))]));
        }
    }
    let _ =
        write!(svg, "<path class='hachure' d='{hachures}'/><path class='schanze' d='{}'/>", polygon(&kalke));
}
