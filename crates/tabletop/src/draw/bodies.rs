//! The bodies: every figure on its base, the front edge heavy, the name of the body beside it.

use super::{INK, Pen};
use crate::Arm;
use crate::geometry::Point;
use crate::scene::{Body, Formation, Scene, Side};

const fn colours(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::Blue => ("#5d7fb0", "#23406e"),
        Side::Red => ("#c4665a", "#7d241d"),
    }
}

pub(super) fn draw(pen: &mut Pen, scene: &Scene) {
    for body in scene.bodies() {
        one(pen, body);
    }
}

pub(super) fn one(pen: &mut Pen, body: &Body) {
    let (fill, edge) = colours(body.side());
    let now = body.now();
    pen.put(format_args!("<g stroke-linejoin=\"round\">"));
    for figure in &now.figures {
        let base = &figure.base;
        let elite = body.companies().get(usize::from(figure.company)).is_some_and(|company| company.elite);
        if now.house.is_some() {
            let (x, y) = pen.at(base.centre);
            pen.put(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.8\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.4\"/>"
            ));
            continue;
        }
        let path = pen.path(&base.corners, true);
        pen.put(format_args!(
            "<path d=\"{path}\" fill=\"{fill}\" fill-opacity=\"{}\" stroke=\"{edge}\" stroke-width=\".9\"/>",
            if body.is_shapeless() { ".45" } else { ".9" }
        ));
        let front = pen.path(&[base.front_left(), base.front_right()], false);
        pen.put(format_args!("<path d=\"{front}\" stroke=\"{edge}\" stroke-width=\"2.6\" fill=\"none\"/>"));
        mark(pen, body, figure.base.front, figure.base.centre, elite);
    }
    if now.formation == Formation::InPosition {
        guns(pen, body);
    }
    pen.put(format_args!("</g>"));
}

/// The sign of the arm on a base: a dot for a man, a bar for a horseman, a star for an officer.
fn mark(pen: &mut Pen, body: &Body, front: Point, centre: Point, elite: bool) {
    let (x, y) = pen.at(centre);
    match body.arm {
        Arm::Infantry => pen.put(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{}\"/>",
            if elite { "#f0c75e" } else { "#f6efe0" }
        )),
        Arm::Cavalry | Arm::Cuirassiers => {
            let path = pen.path(&[front.towards(centre, 1, 3), centre, centre.towards(front, -1, 2)], false);
            pen.put(format_args!("<path d=\"{path}\" stroke=\"#f6efe0\" stroke-width=\"4\" stroke-linecap=\"round\"/>"));
        }
        Arm::Officer => pen.put(format_args!(
            "<path transform=\"translate({x:.1} {y:.1})\" d=\"M0-8L2.4-2.4 8.4-2.2 3.6 1.6 5.2 7.4 0 4-5.2 7.4-3.6 1.6-8.4-2.2-2.4-2.4Z\" fill=\"#f0c75e\" stroke=\"{INK}\" stroke-width=\".8\"/>"
        )),
        Arm::FootArtillery | Arm::HorseArtillery => {}
    }
}

/// One gun for each gunner figure left, side by side on the base.
fn guns(pen: &mut Pen, body: &Body) {
    let Some(battery) = body.battery() else { return };
    let Some(figure) = body.now().figures.first() else { return };
    let (crew, base) = (battery.crew_left(), &figure.base);
    let turn = f64::from(base.facing);
    for lane in 0..crew {
        let along = |a: Point, b: Point| a.towards(b, 2 * lane + 1, 2 * crew.max(1));
        let front = along(base.corners[0], base.corners[3]);
        let rear = along(base.corners[1], base.corners[2]);
        let (x, y) = pen.at(front.towards(rear, 2, 5));
        pen.put(format_args!(
            "<g transform=\"translate({x:.1} {y:.1}) rotate({turn})\" stroke=\"#f6efe0\" fill=\"none\" stroke-width=\"1.8\">\
             <path d=\"M0 14V-14\" stroke-width=\"3\"/><circle cx=\"-6\" r=\"4.4\"/><circle cx=\"6\" r=\"4.4\"/><path d=\"M-6 0H6\"/></g>"
        ));
    }
}

/// The ground of a picture that something covers: left, top, right, bottom.
type Box = (f64, f64, f64, f64);

const fn overlap(a: Box, b: Box) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// The names of the bodies, behind their last rank if there is room, clear of the other bodies, of
/// each other and of the names of the ground.
pub(super) fn names(pen: &mut Pen, scene: &Scene, mut taken: Vec<Box>) {
    let (width, depth) = (super::units(scene.width()), super::units(scene.depth()));
    let covered: Vec<Box> = scene
        .bodies()
        .iter()
        .map(|body| {
            let extent = body.now().extent;
            let ((left, bottom), (right, top)) = (pen.at(extent.low), pen.at(extent.high));
            (left, top, right, bottom)
        })
        .collect();
    for body in scene.bodies() {
        let now = body.now();
        let class = match body.side() {
            Side::Blue => "blue",
            Side::Red => "red",
        };
        #[allow(clippy::cast_precision_loss, reason = "a picture")]
        let half = body.name().chars().count() as f64 * 3.0;
        let ((left, below), (right, above)) = (pen.at(now.extent.low), pen.at(now.extent.high));
        let (middle, level) = (f64::midpoint(left, right), f64::midpoint(above, below) + 4.0);
        let (south, north) = ((middle, below + 13.0), (middle, above - 6.0));
        // South of the body, or north of it if it faces south; else beside it, or farther off.
        let faces_south = (900..2700).contains(&now.facing.count()) && now.house.is_none();
        let (first, second) = if faces_south { (north, south) } else { (south, north) };
        let (east, west) = ((right + half + 6.0, level), (left - half - 6.0, level));
        let farther =
            (1..=3).map(|k| (first.0, first.1 + f64::from(k) * if faces_south { -12.0 } else { 12.0 }));
        let ground = |&(x, y): &(f64, f64)| (x - half, y - 10.0, x + half, y + 2.0);
        let on_table = |b: Box| b.0 >= 0.0 && b.1 >= 0.0 && b.2 <= width && b.3 <= depth;
        let places: Vec<(f64, f64)> = [first, second, east, west].into_iter().chain(farther).collect();
        let free = |place: &&(f64, f64)| {
            let here = ground(place);
            on_table(here) && !taken.iter().chain(&covered).any(|&other| overlap(here, other))
        };
        let legible = |place: &&(f64, f64)| {
            let here = ground(place);
            on_table(here) && !taken.iter().any(|&other| overlap(here, other))
        };
        let (x, y) = *places.iter().find(free).or_else(|| places.iter().find(legible)).unwrap_or(&first);
        taken.push(ground(&(x, y)));
        pen.label((x, y), 12.0, class, body.name());
        if body.setup.marker.count() > 0 {
            pen.put(format_args!(
                "<g transform=\"translate({:.1} {:.1})\"><circle r=\"8\" fill=\"#f6efe0\" stroke=\"{INK}\"/>\
                 <text class=\"small\" y=\"4\" font-size=\"10\">{}</text></g>",
                x + half + 12.0,
                y - 4.0,
                body.setup.marker.count()
            ));
        }
    }
}
