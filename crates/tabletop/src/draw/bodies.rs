//! The bodies: every figure on its base, the front edge heavy, the name of the body beside it.

use super::{INK, Pen};
use crate::geometry::Point;
use crate::scene::{Arm, Body, Formation, Scene, Side};

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

fn one(pen: &mut Pen, body: &Body) {
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
        Arm::Cavalry => {
            let path = pen.path(&[front.towards(centre, 1, 3), centre, centre.towards(front, -1, 2)], false);
            pen.put(format_args!("<path d=\"{path}\" stroke=\"#f6efe0\" stroke-width=\"4\" stroke-linecap=\"round\"/>"));
        }
        Arm::Officer => pen.put(format_args!(
            "<path transform=\"translate({x:.1} {y:.1})\" d=\"M0-8L2.4-2.4 8.4-2.2 3.6 1.6 5.2 7.4 0 4-5.2 7.4-3.6 1.6-8.4-2.2-2.4-2.4Z\" fill=\"#f0c75e\" stroke=\"{INK}\" stroke-width=\".8\"/>"
        )),
        Arm::Artillery => {}
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

/// The names of the bodies, behind their last rank.
pub(super) fn names(pen: &mut Pen, scene: &Scene) {
    let mut taken: Vec<(f64, f64, f64)> = Vec::new();
    for body in scene.bodies() {
        let now = body.now();
        let class = match body.side() {
            Side::Blue => "blue",
            Side::Red => "red",
        };
        let centre = now.extent.low.towards(now.extent.high, 1, 2);
        let (x, mut y) = pen.at(Point::new(centre.x, now.extent.low.y));
        let (_, above) = pen.at(Point::new(centre.x, now.extent.high.y));
        // South of the body, or north of it if it faces south.
        let faces_south = (900..2700).contains(&now.facing.count());
        y = if faces_south && now.house.is_none() { above - 6.0 } else { y + 13.0 };
        #[allow(clippy::cast_precision_loss, reason = "a picture")]
        let half = body.name().chars().count() as f64 * 2.9;
        while taken.iter().any(|&(tx, ty, th)| (tx - x).abs() < half + th && (ty - y).abs() < 11.5) {
            y += if faces_south { -12.0 } else { 12.0 };
        }
        taken.push((x, y, half));
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
