//! A scene as a picture: clean SVG in the manner of an engraved map. A scene and what to lay over it
//! enter; markup leaves. One centimetre of table is ten units of the picture.

mod bodies;
mod overlay;
mod terrain;
pub mod things;

use std::fmt::Write;

use crate::geometry::Point;
use crate::scene::Scene;

pub use overlay::{Mark, Overlay};

/// Ink of the engraving.
const INK: &str = "#3a2f26";
/// The paper.
const PAPER: &str = "#f3ead7";
/// The margin around the table, in hundredths of a centimetre.
const MARGIN: i64 = 350;

/// The pen: markup in the making, with the table turned north up.
struct Pen {
    svg: String,
    depth: i64,
}

impl Pen {
    /// Adds formatted markup.
    fn put(&mut self, markup: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.svg.write_fmt(markup);
    }

    /// A place in units of the picture.
    fn at(&self, point: Point) -> (f64, f64) {
        (units(point.x), units(self.depth - point.y))
    }

    /// A path through some points.
    fn path(&self, points: &[Point], closed: bool) -> String {
        let mut path = String::new();
        for (place, &point) in points.iter().enumerate() {
            let (x, y) = self.at(point);
            let _ = write!(path, "{}{x:.1} {y:.1}", if place == 0 { "M" } else { "L" });
        }
        if closed {
            path.push('Z');
        }
        path
    }

    /// A path through some points, rounded at its corners like a line drawn by hand.
    fn smooth(&self, points: &[Point], closed: bool) -> String {
        let at: Vec<(f64, f64)> = points.iter().map(|&point| self.at(point)).collect();
        let count = at.len();
        if count < 3 {
            return self.path(points, closed);
        }
        let middle = |a: (f64, f64), b: (f64, f64)| (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1));
        // Corners are rounded over at most a centimetre, so that the line stays where the rules see it.
        let near = |corner: (f64, f64), other: (f64, f64)| {
            let length = (other.0 - corner.0).hypot(other.1 - corner.1).max(0.1);
            let reach = (10.0 / length).min(0.5);
            if reach >= 0.5 {
                middle(corner, other)
            } else {
                (corner.0 + (other.0 - corner.0) * reach, corner.1 + (other.1 - corner.1) * reach)
            }
        };
        let mut path = String::new();
        let corners: Vec<usize> = if closed { (0..count).collect() } else { (1..count - 1).collect() };
        if !closed {
            let _ = write!(path, "M{:.1} {:.1}", at[0].0, at[0].1);
        }
        for (step, &k) in corners.iter().enumerate() {
            let (before, here, after) = (at[(k + count - 1) % count], at[k], at[(k + 1) % count]);
            let (start, end) = (near(here, before), near(here, after));
            let letter = if closed && step == 0 { 'M' } else { 'L' };
            let _ = write!(
                path,
                "{letter}{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
                start.0, start.1, here.0, here.1, end.0, end.1
            );
        }
        if closed {
            path.push('Z');
        } else {
            let last = at[count - 1];
            let _ = write!(path, "L{:.1} {:.1}", last.0, last.1);
        }
        path
    }

    /// A name with a halo of paper around it.
    fn label(&mut self, (x, y): (f64, f64), size: f64, class: &str, text: &str) {
        self.put(format_args!(
            "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\">{}</text>",
            escaped(text)
        ));
    }
}

/// Hundredths of a centimetre as units of the picture.
#[allow(clippy::cast_precision_loss, reason = "a picture")]
fn units(hundredths: i64) -> f64 {
    hundredths as f64 / 10.0
}

/// Text that is safe in markup.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

/// A small number that looks like chance and is always the same for the same place.
fn scatter(a: i64, b: i64, salt: i64) -> f64 {
    let mut hash = a.wrapping_mul(73_856_093) ^ b.wrapping_mul(19_349_663) ^ salt.wrapping_mul(83_492_791);
    hash ^= hash >> 13;
    hash = hash.wrapping_mul(1_274_126_177);
    hash ^= hash >> 16;
    #[allow(clippy::cast_precision_loss, reason = "a picture")]
    let part = (hash & 1023) as f64 / 1023.0;
    part
}

/// The looks of text in a drawing. [`svg`] brings them along; a page that embeds [`Sheet`] has them in
/// its own style sheet.
pub const STYLE: &str = "text{fill:#3a2f26;paint-order:stroke;stroke:#f3ead7;stroke-width:3.2px;\
    stroke-linejoin:round;text-anchor:middle}.place{font-style:italic;letter-spacing:.06em}\
    .water{fill:#41627a;font-style:italic}.blue{fill:#23406e}.red{fill:#8c2a22}\
    .title{stroke:none;letter-spacing:.14em;font-variant:small-caps}.small{stroke:none;font-size:11px}\
    .start{text-anchor:start}.good{fill:#2d6a3a}.bad{fill:#a3231b}.toll{stroke:none;font-weight:700}";

/// A drawing without its frame: to be embedded in a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The part of the plane it shows: left, top, width and height.
    pub view: String,
    /// Its markup.
    pub markup: String,
}

/// Draws a scene with its overlays.
#[must_use]
pub fn svg(scene: &Scene, overlays: &[Overlay]) -> String {
    let Sheet { view, markup } = sheet(scene, overlays);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{view}\" role=\"img\" \
         font-family=\"'EB Garamond',Garamond,'Hoefler Text',Georgia,serif\"><title>{}</title>\
         <style>{STYLE}</style>{markup}</svg>",
        escaped(&scene.setup().name)
    )
}

/// Draws a scene with its overlays, without frame and style.
#[must_use]
pub fn sheet(scene: &Scene, overlays: &[Overlay]) -> Sheet {
    let mut pen = Pen { svg: String::with_capacity(64 * 1024), depth: scene.depth() };
    let (width, depth) = (units(scene.width()), units(scene.depth()));
    let margin = units(MARGIN);
    let (left, top) = (-margin, -margin - 22.0);
    let (wide, high) = (width + 2.0 * margin, depth + 2.0 * margin + 44.0);
    definitions(&mut pen);
    pen.put(format_args!(
        "<rect x=\"{left:.0}\" y=\"{top:.0}\" width=\"{wide:.0}\" height=\"{high:.0}\" fill=\"#e9dcc0\"/>\
         <rect width=\"{width:.0}\" height=\"{depth:.0}\" fill=\"{PAPER}\"/>\
         <g clip-path=\"url(#table)\">"
    ));
    pen.put(format_args!(
        "<clipPath id=\"table\"><rect width=\"{width:.0}\" height=\"{depth:.0}\"/></clipPath>"
    ));
    terrain::draw(&mut pen, scene);
    overlay::beneath(&mut pen, scene, overlays);
    bodies::draw(&mut pen, scene);
    overlay::above(&mut pen, scene, overlays);
    let covered = terrain::names(&mut pen, scene);
    bodies::names(&mut pen, scene, covered);
    pen.put(format_args!("</g>"));
    frame(&mut pen, scene, width, depth);
    Sheet { view: format!("{left:.0} {top:.0} {wide:.0} {high:.0}"), markup: pen.svg }
}

/// Patterns.
fn definitions(pen: &mut Pen) {
    pen.put(format_args!(
        "<defs>\
         <pattern id=\"crops\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\">\
         <rect width=\"9\" height=\"9\" fill=\"#eddca0\"/><path d=\"M2.2 8V3M2.2 4.8L.8 3.4M2.2 4.8L3.6 3.4M6.7 5.5V.6\
         M6.7 2.4L5.3 1M6.7 2.4L8.1 1\" stroke=\"#a98a3c\" stroke-width=\".7\" fill=\"none\"/></pattern>\
         <pattern id=\"plough\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(18)\">\
         <rect width=\"5\" height=\"5\" fill=\"#e7d6b6\"/><path d=\"M0 1.2H5M0 3.7H5\" stroke=\"#a88e68\" stroke-width=\".8\"/></pattern>\
         <pattern id=\"vines\" width=\"10\" height=\"8\" patternUnits=\"userSpaceOnUse\"><rect width=\"10\" height=\"8\" fill=\"#e4dfb8\"/>\
         <path d=\"M2 7V2M2 3q2-1.6 3 .6M7 4V-1M7 8V6M7 0q2-1.6 3 .6\" stroke=\"#71803f\" stroke-width=\".8\" fill=\"none\"/></pattern>\
         <pattern id=\"hatch\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect width=\"4\" height=\"4\" fill=\"#d9a58b\"/><path d=\"M0 0V4\" stroke=\"#7a3a2a\" stroke-width=\"1\"/></pattern>\
         <pattern id=\"marsh\" width=\"16\" height=\"10\" patternUnits=\"userSpaceOnUse\"><rect width=\"16\" height=\"10\" fill=\"#d9e0cf\"/>\
         <path d=\"M1 4H8M9 9H15M3 4V1.4M4.6 4V.8M6.2 4V1.8M11 9V6.4M12.4 9V5.8M13.8 9V6.8\" stroke=\"#5f7a6a\" stroke-width=\".8\"/></pattern>\
         </defs>"
    ));
}

/// The measures along the edges: a tick every ten centimetres, a number every twenty.
fn measures(pen: &mut Pen, width: f64, depth: f64) {
    let ticks = |side: f64| {
        (1_i32..).map(|tens| (10 * tens, 100.0 * f64::from(tens))).take_while(move |&(_, at)| at < side)
    };
    pen.put(format_args!("<path fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.2\" d=\""));
    for (_, x) in ticks(width) {
        pen.put(format_args!("M{x:.0} -10v6M{x:.0} {:.0}v6", depth + 4.0));
    }
    for (_, up) in ticks(depth) {
        let y = depth - up;
        pen.put(format_args!("M-10 {y:.0}h6M{:.0} {y:.0}h6", width + 4.0));
    }
    pen.put(format_args!("\"/>"));
    for (cm, x) in ticks(width).filter(|(cm, _)| cm % 20 == 0) {
        pen.put(format_args!("<text class=\"small\" x=\"{x:.0}\" y=\"{:.0}\">{cm}</text>", depth + 21.0));
    }
    for (cm, up) in ticks(depth).filter(|(cm, _)| cm % 20 == 0) {
        pen.put(format_args!("<text class=\"small\" x=\"-21\" y=\"{:.0}\">{cm}</text>", depth - up + 4.0));
    }
}

/// The border of the map: a double line with the measures, a scale and the north.
fn frame(pen: &mut Pen, scene: &Scene, width: f64, depth: f64) {
    pen.put(format_args!(
        "<g fill=\"none\" stroke=\"{INK}\"><rect x=\"-4\" y=\"-4\" width=\"{:.0}\" height=\"{:.0}\" stroke-width=\"2.2\"/>\
         <rect x=\"-10\" y=\"-10\" width=\"{:.0}\" height=\"{:.0}\" stroke-width=\".8\"/></g>",
        width + 8.0,
        depth + 8.0,
        width + 20.0,
        depth + 20.0
    ));
    measures(pen, width, depth);
    let name = &scene.setup().name;
    pen.label((width / 2.0, -22.0), 21.0, "title", name);
    // A scale of twenty centimetres, in fives.
    let (x, y) = (2.0, depth + 29.0);
    for k in 0..4 {
        let fill = if k % 2 == 0 { INK } else { PAPER };
        pen.put(format_args!(
            "<rect x=\"{:.1}\" y=\"{y:.1}\" width=\"50\" height=\"5\" fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\".8\"/>",
            x + 50.0 * f64::from(k)
        ));
    }
    pen.put(format_args!(
        "<text class=\"small start\" x=\"{:.1}\" y=\"{:.1}\">20 cm</text>",
        x + 207.0,
        y + 6.5
    ));
    let (x, y) = (width - 12.0, depth + 41.0);
    pen.put(format_args!(
        "<g transform=\"translate({x:.1} {y:.1})\"><path d=\"M0 -16L4 0L0 -3.4L-4 0Z\" fill=\"{INK}\"/>\
         <text class=\"small\" x=\"-12\" y=\"-3\">N</text></g>"
    ));
}
