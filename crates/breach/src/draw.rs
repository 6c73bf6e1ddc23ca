//! A plan of a fortress as a picture: SVG in the manner of an engraved map, the outside up. Parts and what
//! stands on them enter; markup leaves. One centimetre of table is twenty units of the picture.

use std::fmt::Write;

use kernel::Centimetres;

use crate::fortress::{Part, PartKind};

/// Ink of the engraving.
const INK: &str = "#3a2f26";
/// The paper.
const PAPER: &str = "#f3ead7";
/// Stone.
const STONE: &str = "#d9cbb0";
/// Those inside, those outside: told apart by their hatching as well.
const GARRISON: &str = "#2f5d8a";
const BESIEGER: &str = "#a8432f";
/// Around the plan, in centimetres.
const MARGIN: f64 = 3.0;
/// Units of the picture in a centimetre.
const SCALE: f64 = 20.0;

/// The pen: markup in the making, with the plan turned so that what is far is up.
struct Pen {
    svg: String,
    left: f64,
    top: f64,
}

impl Pen {
    fn put(&mut self, markup: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.svg.write_fmt(markup);
    }

    /// A rectangle of the plan as left, top, width and height in the picture.
    fn frame(&self, part: &Part) -> [f64; 4] {
        let [x, y, w, d] = [part.x, part.y, part.width, part.depth].map(Centimetres::as_decimal);
        [(x - self.left) * SCALE, (self.top - y - d) * SCALE, w * SCALE, d * SCALE]
    }

    fn rect(&mut self, [x, y, w, h]: [f64; 4], looks: &str) {
        self.put(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" {looks}/>"
        ));
    }

    fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64) {
        self.put(format_args!(
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"{INK}\" stroke-width=\"{width}\"/>",
            from.0, from.1, to.0, to.1
        ));
    }
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

/// A number that looks like chance and is always the same for the same place.
fn scatter(a: i32, b: i32) -> f64 {
    let mut hash = a.wrapping_mul(73_856_093) ^ b.wrapping_mul(19_349_663);
    hash = (hash ^ (hash >> 13)).wrapping_mul(1_274_126_177);
    f64::from((hash ^ (hash >> 16)) & 1023) / 1023.0
}

/// The plan.
#[must_use]
pub fn svg(parts: &[Part]) -> String {
    let edge = |read: fn(&Part) -> f64, pick: fn(f64, f64) -> f64, start: f64| {
        parts.iter().map(read).fold(start, pick)
    };
    let left = edge(|part| part.x.as_decimal(), f64::min, f64::INFINITY) - MARGIN;
    let right = edge(|part| (part.x + part.width).as_decimal(), f64::max, f64::NEG_INFINITY) + MARGIN;
    let near = edge(|part| part.y.as_decimal(), f64::min, f64::INFINITY) - MARGIN;
    let top = edge(|part| (part.y + part.depth).as_decimal(), f64::max, f64::NEG_INFINITY) + MARGIN;
    let mut pen = Pen { svg: String::new(), left, top };
    let (width, height) = ((right - left) * SCALE, (top - near) * SCALE);
    pen.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\
         <style>text{{fill:{INK};paint-order:stroke;stroke:{PAPER};stroke-width:3px;\
         font:italic 11px Georgia,serif}}</style>\
         <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>"
    ));
    for part in parts {
        stone(&mut pen, part);
    }
    for part in parts {
        troops(&mut pen, part);
        name(&mut pen, part, width);
    }
    pen.svg.push_str("</svg>");
    pen.svg
}

/// The name of a part: under it, or beside a section that runs up the sheet, towards the middle.
fn name(pen: &mut Pen, part: &Part, width: f64) {
    let [x, y, w, h] = pen.frame(part);
    let (at, anchor) = if h <= w {
        ((x + w / 2.0, y + h + 13.0), "middle")
    } else if x + w / 2.0 < width / 2.0 {
        ((x + w + 5.0, y + h / 2.0 + 4.0), "start")
    } else {
        ((x - 5.0, y + h / 2.0 + 4.0), "end")
    };
    pen.put(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        at.0,
        at.1,
        escaped(&part.name)
    ));
}

/// The stone itself: whole, cracked by its dice, or fallen.
fn stone(pen: &mut Pen, part: &Part) {
    let [x, y, w, h] = pen.frame(part);
    if part.destroyed && part.kind != PartKind::Gate {
        rubble(pen, [x, y, w, h]);
        return;
    }
    let weight = if part.kind == PartKind::Wall { 1.4 } else { 2.4 };
    pen.rect([x, y, w, h], &format!("fill=\"{STONE}\" stroke=\"{INK}\" stroke-width=\"{weight}\""));
    // Battlements on the long sides.
    let teeth = 5;
    for tooth in 0..teeth {
        let at = (f64::from(tooth) + 0.25) / f64::from(teeth);
        let size = 0.5 / f64::from(teeth);
        let merlons = if w >= h {
            [[x + at * w, y, size * w, h * 0.16], [x + at * w, y + h * 0.84, size * w, h * 0.16]]
        } else {
            [[x, y + at * h, w * 0.16, size * h], [x + w * 0.84, y + at * h, w * 0.16, size * h]]
        };
        for merlon in merlons {
            pen.rect(merlon, &format!("fill=\"{INK}\" fill-opacity=\".55\""));
        }
    }
    if part.kind == PartKind::Gate {
        let (door, middle) = (w * 0.4, x + w / 2.0);
        let fill = if part.destroyed { PAPER } else { "#6d5238" };
        pen.rect(
            [middle - door / 2.0, y, door, h],
            &format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.2\""),
        );
    }
    for crack in 0..part.destruction_dice.min(12) {
        let start = scatter(part.x.count() + crack, part.y.count());
        let bend = scatter(part.y.count() - crack, part.x.count());
        let from = (x + w * start, y);
        let to = (x + w * bend, y + h * (0.35 + 0.6 * scatter(crack, part.width.count())));
        pen.line(from, to, 1.1);
    }
    if part.oil {
        pen.put(format_args!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.6\"/>",
            x + w - 7.0,
            y + 7.0
        ));
    }
}

/// A breach: stones on the ground where the wall was.
fn rubble(pen: &mut Pen, [x, y, w, h]: [f64; 4]) {
    pen.rect([x, y, w, h], &format!("fill=\"none\" stroke=\"{INK}\" stroke-dasharray=\"3 4\""));
    for stone in 0..14 {
        let (across, deep) = (scatter(stone, 7), scatter(stone, 31));
        pen.put(format_args!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"{:.1}\" fill=\"{STONE}\" stroke=\"{INK}\" stroke-width=\".8\"/>",
            x + w * across,
            y + h * deep,
            2.0 + 3.0 * scatter(stone, 53)
        ));
    }
}

/// Those who stand on it: a small block for each stand, striped if they are besiegers.
fn troops(pen: &mut Pen, part: &Part) {
    let [x, y, w, h] = pen.frame(part);
    let colour = if part.taken { BESIEGER } else { GARRISON };
    let (block, gap) = (13.0, 3.0);
    let row = f64::from(part.stands.max(0)) * (block + gap) - gap;
    for stand in 0..part.stands.clamp(0, 12) {
        let left = x + w / 2.0 - row / 2.0 + f64::from(stand) * (block + gap);
        let top = y + h / 2.0 - 4.0;
        pen.rect([left, top, block, 8.0], &format!("fill=\"{colour}\" stroke=\"{PAPER}\""));
        if part.taken {
            pen.line((left, top + 8.0), (left + block, top), 1.2);
        }
    }
}
