//! Fortresses and those who storm them as pictures: SVG in the manner of the engraved maps, seen from the
//! besieger's side, so that the outer faces of the works show. One hand draws the umpire's plan and the
//! table of the game: stone (`stone`), troops (`troops`) and the sheet under them (`ground`).

pub(crate) mod ground;
pub(crate) mod hand;
pub(crate) mod stone;
pub(crate) mod troops;

use kernel::Centimetres;

use crate::fortress::{Part, PartKind};
use crate::scenario::Side;

use hand::{Pen, Spot, escaped};
use stone::{Brow, Form, Leaf, Stonework};

pub use ground::sheet;

/// The style of stone and troops, by day and by night.
pub const STYLE: &str = include_str!("draw.css");

/// Around a plan, in millimetres.
const MARGIN: f64 = 30.0;

/// The plan of a fortress: what is far from the garrison's edge is below, as those see it who storm it.
#[must_use]
pub fn svg(parts: &[Part]) -> String {
    let edge = |read: fn(&Part) -> f64, pick: fn(f64, f64) -> f64, start: f64| {
        parts.iter().map(read).fold(start, pick)
    };
    let far_right = edge(|part| (part.x + part.width).as_decimal(), f64::max, f64::NEG_INFINITY);
    let far_left = edge(|part| part.x.as_decimal(), f64::min, f64::INFINITY);
    let near = edge(|part| part.y.as_decimal(), f64::min, f64::INFINITY);
    let far = edge(|part| (part.y + part.depth).as_decimal(), f64::max, f64::NEG_INFINITY);
    let (width, height) = ((far_right - far_left) * 10.0 + 2.0 * MARGIN, (far - near) * 10.0 + 2.0 * MARGIN);
    let middle = (width / 2.0, height / 2.0);
    let ground = |part: &Part| {
        let [x, y, w, d] =
            [part.x, part.y, part.width, part.depth].map(|length: Centimetres| length.as_decimal());
        [(far_right - x - w) * 10.0 + MARGIN, (y - near) * 10.0 + MARGIN, w * 10.0, d * 10.0]
    };
    let mut pen = Pen::default();
    pen.put(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\">\
         <style>{STYLE}</style><rect class=\"s-paper\" width=\"{width:.0}\" height=\"{height:.0}\"></rect>"
    ));
    let mut order: Vec<&Part> = parts.iter().collect();
    // What is farther from the reader is drawn first.
    order.sort_by_key(|part| part.y + part.depth);
    for part in order {
        let place = ground(part);
        let stonework = stonework(part, place, middle);
        pen.put(format_args!("{}", stonework.draw()));
        troops_on(&mut pen, part, &stonework);
    }
    for part in parts {
        name(&mut pen, part, ground(part), middle);
    }
    pen.put(format_args!("</svg>"));
    pen.done()
}

/// A part of a plan as stone. A plan does not say where outside is: away from its middle.
fn stonework(part: &Part, ground: [f64; 4], middle: Spot) -> Stonework {
    let [x, y, w, d] = ground;
    let (cx, cy) = (x + w / 2.0, y + d / 2.0);
    let brow = match part.kind {
        PartKind::Wall if w >= d && cy >= middle.1 => Brow::Near,
        PartKind::Wall if w >= d => Brow::Far,
        PartKind::Wall if cx < middle.0 => Brow::Left,
        PartKind::Wall => Brow::Right,
        PartKind::Tower | PartKind::Gate => Brow::Round,
    };
    let form = match part.kind {
        PartKind::Wall => Form::Wall,
        PartKind::Tower => Form::Tower,
        PartKind::Gate => Form::Gate(if part.destroyed { Leaf::Broken } else { Leaf::Shut }),
    };
    let holder = if part.taken { Side::Besieger } else { Side::Garrison };
    Stonework {
        form,
        ground,
        brow,
        dice: u8::try_from(part.destruction_dice.clamp(0, 99)).unwrap_or(0),
        leaf_dice: 0,
        hits: 0,
        down: part.destroyed && part.kind != PartKind::Gate,
        oil: part.oil,
        flag: (part.stands > 0 && part.kind != PartKind::Wall).then_some(holder),
    }
}

/// Those who stand on it: a small block for each stand.
fn troops_on(pen: &mut Pen, part: &Part, stonework: &Stonework) {
    let side = if part.taken { Side::Besieger } else { Side::Garrison };
    let count = part.stands.clamp(0, 12);
    let (cx, cy) = stonework.middle();
    for stand in 0..count {
        let across = (f64::from(stand) - f64::from(count - 1) / 2.0) * 11.0;
        pen.put(format_args!(
            "<g class=\"counter {}\" transform=\"translate({:.1} {cy:.1}) scale(.5)\">{}</g>",
            troops::class(side),
            cx + across,
            troops::block(side)
        ));
    }
}

/// The name of a part: under it, or beside a section that runs up the sheet, towards the middle.
fn name(pen: &mut Pen, part: &Part, [x, y, w, d]: [f64; 4], middle: Spot) {
    let (at, anchor) = if d <= w {
        ((x + w / 2.0, y + d + 12.0), "middle")
    } else if x + w / 2.0 < middle.0 {
        ((x + w + 4.0, y + d / 2.0 + 2.0), "start")
    } else {
        ((x - 4.0, y + d / 2.0 + 2.0), "end")
    };
    pen.put(format_args!(
        "<text class=\"s-name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>",
        at.0,
        at.1,
        escaped(&part.name)
    ));
}
