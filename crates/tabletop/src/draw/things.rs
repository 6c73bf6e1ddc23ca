//! The things of a table one by one, for a table that is being laid: each is drawn by the same pen as
//! in the whole picture. An element or a body enters; its markup and the outline a finger finds leave.

use super::{INK, Pen, bodies, definitions, overlay, terrain, units};
use crate::geometry::Point;
use crate::scene::{Body, Element, Kind, Scene, Side, Situation, State};

pub use super::overlay::Overlay;

/// One thing, drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    /// Below those of a higher layer.
    pub layer: u8,
    /// Its markup.
    pub markup: String,
    /// Its outline in units of the picture.
    pub outline: Vec<(f64, f64)>,
    /// Whether the outline is that of an area.
    pub closed: bool,
}

/// The layer of the bodies, above all ground.
const BODIES: u8 = 9;

fn pen(depth: i64) -> Pen {
    Pen { svg: String::new(), depth }
}

/// The patterns that things are filled with.
#[must_use]
pub fn patterns() -> String {
    let mut pen = pen(0);
    definitions(&mut pen);
    pen.svg
}

/// An element on a table of this depth.
#[must_use]
pub fn element(element: &Element, depth: i64) -> Thing {
    let mut pen = pen(depth);
    terrain::one(&mut pen, element);
    let (points, closed): (&[Point], bool) = match &element.kind {
        Kind::Obstacle(obstacle) => (&obstacle.line, false),
        Kind::Redoubt(redoubt) => (&redoubt.faces.line, false),
        Kind::Abandoned(_, base) => (&base.corners, true),
        _ => (element.area().map_or(&[], |area| area.outline()), true),
    };
    if !element.label.is_empty() && !points.is_empty() {
        let (x, y) = pen.at(element.extent.low.towards(element.extent.high, 1, 2));
        let class = if matches!(element.kind, Kind::Water(_)) { "place water" } else { "place" };
        pen.label((x, y - 4.0), 13.0, class, &element.label);
    }
    let outline = points.iter().map(|&point| pen.at(point)).collect();
    Thing { layer: terrain::layer_of(&element.kind), markup: pen.svg, outline, closed }
}

/// A body on a table of this depth, with its name, its marker and its state.
#[must_use]
pub fn body(body: &Body, depth: i64) -> Thing {
    let mut pen = pen(depth);
    bodies::one(&mut pen, body);
    let now = body.now();
    let ((left, below), (right, above)) = (pen.at(now.extent.low), pen.at(now.extent.high));
    let faces_south = (900..2700).contains(&now.facing.count()) && now.house.is_none();
    let middle = f64::midpoint(left, right);
    let at = (middle, if faces_south { above - 6.0 } else { below + 13.0 });
    let class = match body.side() {
        Side::Blue => "blue",
        Side::Red => "red",
    };
    pen.label(at, 12.0, class, body.name());
    marks(&mut pen, body, (right, if faces_south { below } else { above }));
    let outline = now.footprint.outline().iter().map(|&point| pen.at(point)).collect();
    Thing { layer: BODIES, markup: pen.svg, outline, closed: true }
}

/// Losses on the marker and figures gone in a disc, the state as chevrons, flight as an arrow.
fn marks(pen: &mut Pen, body: &Body, (x, y): (f64, f64)) {
    let marker = body.setup.marker.count();
    if marker > 0 || body.setup.lost.all > 0 {
        let lost = body.setup.lost.all;
        pen.put(format_args!(
            "<g class=\"mark-losses\" transform=\"translate({:.1} {y:.1})\"><circle r=\"9\" fill=\"#f6efe0\" stroke=\"{INK}\" stroke-width=\"1.4\"/>\
             <text class=\"small\" y=\"3.6\">{marker}</text><text class=\"small\" y=\"-11\">{}</text></g>",
            x + 11.0,
            if lost > 0 { format!("−{lost}") } else { String::new() }
        ));
    }
    let chevrons = match body.state {
        State::Formed => 0,
        State::Disorganised => 1,
        State::Unformed => 2,
        State::Disordered => 3,
    };
    for number in 0..chevrons {
        pen.put(format_args!(
            "<path class=\"mark-state\" d=\"M{:.1} {:.1}l4 -5 4 5\" fill=\"none\" stroke=\"#a3231b\" stroke-width=\"2.2\"/>",
            x + 5.0,
            y + 18.0 + 5.0 * f64::from(number)
        ));
    }
    if body.setup.situation != Situation::Steady {
        pen.put(format_args!(
            "<path class=\"mark-flight\" d=\"M{:.1} {:.1}h12l-4 -4m4 4l-4 4\" fill=\"none\" stroke=\"#a3231b\" stroke-width=\"2\"/>",
            x + 4.0,
            y + 12.0
        ));
    }
}

/// What an answer lays over the table: arcs and corridors, then lines and losses.
#[must_use]
pub fn overlays(scene: &Scene, all: &[Overlay]) -> String {
    let mut pen = pen(scene.depth());
    overlay::beneath(&mut pen, scene, all);
    overlay::above(&mut pen, scene, all);
    pen.svg
}

/// Hundredths of a centimetre as units of the picture.
#[must_use]
pub fn unit(hundredths: i64) -> f64 {
    units(hundredths)
}
