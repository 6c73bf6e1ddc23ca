//! The ground: hills with hachures, woods in pen, water, roads, houses, walls and fields.

use super::{INK, Pen, scatter, units};
use crate::geometry::{Point, Polygon, Segment};
use crate::scene::{
    Cause, Element, FieldKind, Hill, House, Kind, Obstacle, ObstacleClass, Plateau, Road, Scene, WaterKind,
    WoodKind,
};

/// Draws the ground, lowest things first.
pub(super) fn draw(pen: &mut Pen, scene: &Scene) {
    for layer in 0..8 {
        for element in scene.elements() {
            if layer_of(&element.kind) == layer {
                one(pen, element);
            }
        }
    }
}

pub(super) const fn layer_of(kind: &Kind) -> u8 {
    match kind {
        Kind::Hill(_) | Kind::Plateau(_) => 0,
        Kind::Field(..) | Kind::Marsh(..) => 1,
        Kind::Water(_) => 2,
        Kind::Ford(..) => 3,
        Kind::Road(_) => 4,
        Kind::Bridge(..) => 5,
        Kind::Wood(..) => 6,
        _ => 7,
    }
}

pub(super) fn one(pen: &mut Pen, element: &Element) {
    match &element.kind {
        Kind::Hill(hill) => self::hill(pen, hill),
        Kind::Plateau(plateau) => self::plateau(pen, plateau),
        Kind::Wood(area, kind) => wood(pen, area, *kind),
        Kind::Track(track, _) => {
            let path = pen.smooth(&track.axis, false);
            pen.put(format_args!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"#efe3c8\" stroke-width=\"{:.1}\"/>\
                 <path d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1\" stroke-dasharray=\"5 4\"/>",
                units(i64::from(track.width.count())) * 0.6
            ));
        }
        Kind::House(house) => self::house(pen, house),
        Kind::Village(_) => {}
        Kind::Road(road) => self::road(pen, road),
        Kind::Bridge(_, area) => {
            let path = pen.path(area.outline(), true);
            pen.put(format_args!(
                "<path d=\"{path}\" fill=\"#e6d5b4\" stroke=\"{INK}\" stroke-width=\"2\"/>"
            ));
        }
        Kind::Water(water) => {
            let width = units(
                water.banks[0]
                    .first()
                    .zip(water.banks[1].first())
                    .map_or(300, |(a, b)| a.gap_to(*b).rounded()),
            );
            let path = pen.smooth(&water.axis, false);
            let (fill, shore) = match water.kind {
                WaterKind::Ditch => ("#c9cfc2", "#6d7a72"),
                _ => ("#bccfd8", "#4d6f86"),
            };
            pen.put(format_args!(
                "<g fill=\"none\" stroke-linecap=\"butt\"><path d=\"{path}\" stroke=\"{shore}\" stroke-width=\"{width:.1}\"/>\
                 <path d=\"{path}\" stroke=\"{fill}\" stroke-width=\"{:.1}\"/>\
                 <path d=\"{path}\" stroke=\"{shore}\" stroke-width=\"{:.1}\" stroke-opacity=\".35\"/>\
                 <path d=\"{path}\" stroke=\"{fill}\" stroke-width=\"{:.1}\"/>\
                 <path d=\"{path}\" stroke=\"{shore}\" stroke-width=\".8\" stroke-opacity=\".5\" stroke-dasharray=\"22 14\"/></g>",
                (width - 2.4).max(1.0),
                width * 0.62,
                (width * 0.62 - 1.4).max(0.5),
            ));
        }
        Kind::Ford(_, area) => {
            let path = pen.path(area.outline(), true);
            pen.put(format_args!(
                "<path d=\"{path}\" fill=\"#dfd9bd\" fill-opacity=\".75\" stroke=\"#4d6f86\" stroke-width=\".8\" stroke-dasharray=\"2 3\"/>"
            ));
        }
        Kind::Marsh(_, area) => {
            let path = pen.smooth(area.outline(), true);
            pen.put(format_args!("<path d=\"{path}\" fill=\"url(#marsh)\" stroke=\"#5f7a6a\" stroke-width=\"1\" stroke-dasharray=\"4 3\"/>"));
        }
        Kind::Field(kind, area) => {
            let path = pen.path(area.outline(), true);
            let (fill, edge) = match kind {
                FieldKind::TallCrops => ("crops", "#a98a3c"),
                FieldKind::Vineyard => ("vines", "#71803f"),
                FieldKind::Ploughed => ("plough", "#a88e68"),
            };
            pen.put(format_args!(
                "<path d=\"{path}\" fill=\"url(#{fill})\" stroke=\"{edge}\" stroke-width=\"1\"/>"
            ));
        }
        Kind::Obstacle(obstacle) => wall(pen, obstacle),
        Kind::Redoubt(redoubt) => {
            let path = pen.path(redoubt.interior.outline(), true);
            pen.put(format_args!("<path d=\"{path}\" fill=\"#e0cda6\"/>"));
            wall(pen, &redoubt.faces);
        }
        Kind::Abandoned(setup, base) => {
            let path = pen.path(&base.corners, true);
            let (x, y) = pen.at(base.centre);
            let dash = if setup.cause == Cause::Abandoned { "" } else { " stroke-dasharray=\"3 2\"" };
            pen.put(format_args!(
                "<path d=\"{path}\" fill=\"#d8cbb0\" stroke=\"{INK}\" stroke-width=\"1\"{dash}/>\
                 <g transform=\"translate({x:.1} {y:.1}) rotate({})\" stroke=\"{INK}\" fill=\"none\" stroke-width=\"1.6\">\
                 <circle r=\"6\"/><path d=\"M0 6V-13M-4.2 -4.2L4.2 4.2M-4.2 4.2L4.2 -4.2\"/></g>",
                f64::from(setup.facing) + 70.0
            ));
        }
    }
}

/// Points along a closed line, so far apart.
fn along(outline: &[Point], step: i64) -> Vec<Point> {
    let next = outline.iter().cycle().skip(1);
    let mut points = Vec::new();
    for (&a, &b) in outline.iter().zip(next) {
        let length = Segment::new(a, b).length().max(1);
        points.extend(
            (0..length).step_by(usize::try_from(step).unwrap_or(100)).map(|far| a.towards(b, far, length)),
        );
    }
    points
}

/// Contours between the foot and the crest, and hachures that run down the slope in three courses, as an
/// engraver cuts them: closer and heavier towards the crest.
fn hill(pen: &mut Pen, hill: &Hill) {
    let foot = pen.smooth(hill.outline.outline(), true);
    pen.put(format_args!("<path d=\"{foot}\" fill=\"#e6d3a8\" stroke=\"#9a7b4f\" stroke-width=\"1.4\"/>"));
    let rim = along(hill.outline.outline(), 220);
    for (tint, share) in [("#dec593", 36), ("#d3b47c", 68)] {
        let ring: Vec<Point> =
            rim.iter().map(|&point| point.towards(nearest_on(&hill.crest, point), share, 100)).collect();
        let path = pen.smooth(&ring, true);
        pen.put(format_args!("<path d=\"{path}\" fill=\"{tint}\" fill-opacity=\".7\"/>"));
    }
    let mut courses = [String::new(), String::new(), String::new()];
    // Never more strokes than an eye can tell apart, however large the hill.
    let step = (i64::try_from(rim.len()).unwrap_or(i64::MAX).saturating_mul(220) / 400).max(105);
    for (number, point) in along(hill.outline.outline(), step).into_iter().enumerate() {
        let crest = nearest_on(&hill.crest, point);
        if Segment::new(point, crest).length() < 120 {
            continue;
        }
        let late = if number % 2 == 0 { 0 } else { 7 };
        for (course, (from, to)) in courses.iter_mut().zip([(6, 26), (38, 60), (68, 88)]) {
            let ends = [point.towards(crest, from + late, 100), point.towards(crest, to + late / 2, 100)];
            course.push_str(&pen.path(&ends, false));
        }
    }
    for (course, width) in courses.iter().zip([".7", "1", "1.3"]) {
        pen.put(format_args!(
            "<path d=\"{course}\" stroke=\"#7d5c33\" stroke-width=\"{width}\" stroke-opacity=\".6\" stroke-linecap=\"round\" fill=\"none\"/>"
        ));
    }
    let crest = pen.smooth(&hill.crest, false);
    pen.put(format_args!(
        "<path d=\"{crest}\" fill=\"none\" stroke=\"#6b4d27\" stroke-width=\"2.4\" stroke-linecap=\"round\"/>"
    ));
    let long = pen.path(&hill.long_crest, false);
    pen.put(format_args!(
        "<path d=\"{long}\" fill=\"none\" stroke=\"#6b4d27\" stroke-width=\".9\" stroke-dasharray=\"2 5\"/>"
    ));
}

fn plateau(pen: &mut Pen, plateau: &Plateau) {
    let foot = pen.smooth(plateau.outline.outline(), true);
    let top = pen.smooth(plateau.top.outline(), true);
    pen.put(format_args!(
        "<path d=\"{foot}\" fill=\"#e0c99a\" stroke=\"#9a7b4f\" stroke-width=\"1.4\"/>\
         <path d=\"{top}\" fill=\"#efe0bb\" stroke=\"#6b4d27\" stroke-width=\"2\"/>"
    ));
    hachures(pen, &plateau.contour, |point| plateau.outline.holds(point) && !plateau.top.holds(point));
}

fn nearest_on(line: &[Point], point: Point) -> Point {
    line.windows(2)
        .map(|edge| Segment::new(edge[0], edge[1]).nearest_to(point))
        .min_by_key(|near| near.square_to(point))
        .unwrap_or(point)
}

/// Short strokes away from a crest, on the sides where `on_slope` holds, longer and shorter in turn.
fn hachures(pen: &mut Pen, crest: &[Point], on_slope: impl Fn(Point) -> bool) {
    let mut strokes = String::new();
    let mut number = 0_i64;
    for edge in crest.windows(2) {
        let length = Segment::new(edge[0], edge[1]).length().max(1);
        let (dx, dy) = (edge[1].x - edge[0].x, edge[1].y - edge[0].y);
        for along in (60..length).step_by(110) {
            number += 1;
            let root = edge[0].towards(edge[1], along, length);
            for side in [1, -1] {
                let reach = if number % 2 == 0 { 260 } else { 170 };
                let offset = |by: i64| root.moved(-dy * side * by / length, dx * side * by / length);
                let (start, end) = (offset(25), offset(reach));
                if on_slope(start) && on_slope(end) {
                    strokes.push_str(&pen.path(&[start, end], false));
                }
            }
        }
    }
    pen.put(format_args!(
        "<path d=\"{strokes}\" stroke=\"#7d5c33\" stroke-width=\".9\" stroke-opacity=\".75\" fill=\"none\"/>"
    ));
}

/// A wood: a tinted ground and trees drawn one by one, more of them along the edge.
fn wood(pen: &mut Pen, area: &Polygon, kind: WoodKind) {
    let mut path = pen.smooth(area.outline(), true);
    for hole in area.holes() {
        path.push_str(&pen.smooth(hole, true));
    }
    pen.put(format_args!(
        "<path d=\"{path}\" fill=\"#c8d2a6\" fill-rule=\"evenodd\" stroke=\"#55673a\" stroke-width=\"1.2\" stroke-dasharray=\"5 2\"/>"
    ));
    let extent = area.extent();
    let (width, depth) = (extent.high.x - extent.low.x, extent.high.y - extent.low.y);
    // Never more trees than an eye can tell apart, however large the wood.
    let (mut trees, mut step) = (String::new(), 210);
    while (width / step) * (depth / step) > 1500 {
        step *= 2;
    }
    let columns = width / step + 1;
    for row in 0..=depth / step {
        for column in 0..=columns {
            let place = extent.low.moved(column * step, row * step);
            let jitter = |salt: i64| match kind {
                // Orchards are planted in rows.
                WoodKind::Orchard => 0.5,
                WoodKind::Forest => scatter(column + extent.low.x, row + extent.low.y, salt),
            };
            #[allow(clippy::cast_possible_truncation, reason = "a picture")]
            let shift = |salt: i64| ((jitter(salt) - 0.5) * 150.0) as i64;
            let tree = place.moved(shift(1) + step / 2, shift(2) + step / 2);
            if !area.holds_strictly(tree) || area.gap_to_outline(tree).rounded() < 55 {
                continue;
            }
            let (x, y) = pen.at(tree);
            let r = match kind {
                WoodKind::Orchard => 3.6,
                WoodKind::Forest => 3.6 + 2.4 * jitter(3),
            };
            trees.push_str(&format!(
                "M{:.1} {y:.1}a{r:.1} {r:.1} 0 1 1 {:.1} 0a{:.1} {:.1} 0 0 1 {:.1} 0M{x:.1} {:.1}v{:.1}",
                x - r,
                2.0 * r,
                r,
                r * 0.7,
                -2.0 * r,
                y + r * 0.55,
                r * 0.8,
            ));
        }
    }
    pen.put(format_args!(
        "<path d=\"{trees}\" fill=\"#8fa468\" fill-opacity=\".85\" stroke=\"#3f5129\" stroke-width=\".8\"/>"
    ));
}

fn road(pen: &mut Pen, road: &Road) {
    let path = pen.smooth(&road.setup.axis, false);
    let width = units(i64::from(road.setup.width.count()));
    pen.put(format_args!(
        "<g fill=\"none\"><path d=\"{path}\" stroke=\"#8a744f\" stroke-width=\"{width:.1}\"/>\
         <path d=\"{path}\" stroke=\"#efe3c8\" stroke-width=\"{:.1}\"/></g>",
        (width - 2.2).max(1.0)
    ));
    let mut trees = String::new();
    let mut before = 0;
    for edge in road.setup.axis.windows(2) {
        let length = Segment::new(edge[0], edge[1]).length().max(1);
        let (dx, dy) = (edge[1].x - edge[0].x, edge[1].y - edge[0].y);
        for along in (0..=length).step_by(180) {
            let lined = road.setup.tree_lined.iter().any(|part| {
                (i64::from(part.from.count())..=i64::from(part.to.count())).contains(&(before + along))
            });
            if !lined {
                continue;
            }
            let reach = i64::from(road.setup.width.count()) / 2 + 30;
            for side in [1, -1] {
                let root = edge[0].towards(edge[1], along, length);
                let (x, y) = pen.at(root.moved(-dy * side * reach / length, dx * side * reach / length));
                trees.push_str(&format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.6\"/>"));
            }
        }
        before += length;
    }
    if !trees.is_empty() {
        pen.put(format_args!("<g fill=\"#8fa468\" stroke=\"#3f5129\" stroke-width=\"1\">{trees}</g>"));
    }
}

/// A house: hatched roof, ridge, heavy wall; damaged stretches lighter.
fn house(pen: &mut Pen, house: &House) {
    let corners = house.area.outline();
    let path = pen.path(corners, true);
    let fill = if house.setup.burning { "#e2662b" } else { "url(#hatch)" };
    pen.put(format_args!("<path d=\"{path}\" fill=\"{fill}\" stroke=\"#4a211a\" stroke-width=\"2.6\"/>"));
    if let [a, b, c, d] = corners {
        let ridge = if a.square_to(*b) >= b.square_to(*c) {
            [a.towards(*d, 1, 2), b.towards(*c, 1, 2)]
        } else {
            [a.towards(*b, 1, 2), d.towards(*c, 1, 2)]
        };
        let ridge = pen.path(&ridge, false);
        pen.put(format_args!("<path d=\"{ridge}\" stroke=\"#4a211a\" stroke-width=\"1.2\"/>"));
    }
    for damage in &house.setup.damage {
        let side = &house.sides[usize::try_from(damage.side.get()).unwrap_or(0).min(3)];
        let at = |along: kernel::Centimetres| {
            side.left.towards(side.right, i64::from(along.count()), side.length.max(1))
        };
        let path = pen.path(&[at(damage.from), at(damage.to)], false);
        pen.put(format_args!(
            "<path d=\"{path}\" stroke=\"#f3ead7\" stroke-width=\"3\" stroke-dasharray=\"3 2\"/>"
        ));
    }
}

/// A linear obstacle, each stretch by its class: beads for a hedge, a double line for a wall.
fn wall(pen: &mut Pen, obstacle: &Obstacle) {
    let mut before = 0;
    for edge in obstacle.line.windows(2) {
        let length = Segment::new(edge[0], edge[1]).length().max(1);
        for &(from, to, class) in &obstacle.pieces {
            let (from, to) = ((from - before).max(0), (to - before).min(length));
            if from >= to {
                continue;
            }
            let ends = [edge[0].towards(edge[1], from, length), edge[0].towards(edge[1], to, length)];
            let path = pen.path(&ends, false);
            let looks = match class {
                ObstacleClass::Open => "stroke=\"#8a744f\" stroke-width=\"1\" stroke-dasharray=\"1.5 5\"",
                ObstacleClass::Light => {
                    "stroke=\"#55733a\" stroke-width=\"5.4\" stroke-linecap=\"round\" stroke-dasharray=\".1 5.6\""
                }
                ObstacleClass::Hard => "stroke=\"#5a4a3c\" stroke-width=\"4.6\"",
                ObstacleClass::HardFinal => "stroke=\"#5a4a3c\" stroke-width=\"4\" stroke-dasharray=\"6 2\"",
                ObstacleClass::House => "stroke=\"#5b3a20\" stroke-width=\"7\"",
            };
            pen.put(format_args!("<path d=\"{path}\" fill=\"none\" {looks}/>"));
            if matches!(class, ObstacleClass::Hard | ObstacleClass::House) {
                pen.put(format_args!(
                    "<path d=\"{path}\" fill=\"none\" stroke=\"#d9cbb2\" stroke-width=\"1.5\" stroke-dasharray=\"5 1.6\"/>"
                ));
            }
        }
        before += length;
    }
}

/// The names of the ground, and what of the picture they cover.
pub(super) fn names(pen: &mut Pen, scene: &Scene) -> Vec<(f64, f64, f64, f64)> {
    let mut covered = Vec::new();
    for element in scene.elements() {
        if element.label.is_empty() || matches!(element.kind, Kind::Village(_)) {
            continue;
        }
        let middle = match &element.kind {
            Kind::Hill(hill) => hill.crest[hill.crest.len() / 2].moved(0, 320),
            Kind::Road(road) => beside(&road.setup.axis),
            Kind::Water(water) => beside(&water.axis),
            Kind::Obstacle(obstacle) => beside(&obstacle.line),
            _ => element.extent.low.towards(element.extent.high, 1, 2).moved(0, -40),
        };
        let class = if matches!(element.kind, Kind::Water(_)) { "place water" } else { "place" };
        // A name keeps clear of the bodies it would run over.
        let crowded = scene.bodies().iter().any(|body| body.now().extent.grown(80).holds(middle));
        let place = if crowded { element.extent.low.moved(0, -120).towards(middle, 1, 2) } else { middle };
        let (x, y) = pen.at(place);
        pen.label((x, y), 13.0, class, &element.label);
        #[allow(clippy::cast_precision_loss, reason = "a picture")]
        let half = element.label.chars().count() as f64 * 3.8;
        covered.push((x - half, y - 11.0, x + half, y + 3.0));
    }
    covered
}

fn beside(line: &[Point]) -> Point {
    let middle = line.len() / 2;
    let point = match (line.get(middle.saturating_sub(1)), line.get(middle)) {
        (Some(a), Some(b)) => a.towards(*b, 1, 3),
        _ => Point::default(),
    };
    point.moved(0, 200)
}
