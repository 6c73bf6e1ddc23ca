//! Stands, machines and characters as counters: the side by outline, the arm by its sign, the state by
//! shape. Everything is drawn around the origin with the front up; a unit of the picture is two
//! millimetres of the table.

use crate::lists::{Item as Ware, Line};
use crate::scenario::Side;
use crate::terms::Item;

use crate::game::Troop;

/// Hundredths of a centimetre in a unit of the picture.
const UNIT: f64 = 20.0;

/// A length of the table in units of the picture.
#[allow(clippy::cast_precision_loss, reason = "a table is a few thousand hundredths of a centimetre wide")]
pub(crate) fn units(length: i64) -> f64 {
    length as f64 / UNIT
}

/// The class of a side.
pub(crate) const fn class(side: Side) -> &'static str {
    match side {
        Side::Garrison => "n-garrison",
        Side::Besieger => "n-besieger",
    }
}

/// The outline of a base: the garrison has cut corners in front, the besieger square ones.
fn outline(side: Side, w: f64, d: f64) -> String {
    let (w, d) = (w / 2.0, d / 2.0);
    let cut = w.min(d) * 0.45;
    match side {
        Side::Garrison => {
            let (left, right, low) = (cut - w, w - cut, cut - d);
            format!("M{left:.1} {:.1}H{right:.1}L{w:.1} {low:.1}V{d:.1}H{:.1}V{low:.1}Z", -d, -w)
        }
        Side::Besieger => format!("M{:.1} {:.1}H{w:.1}V{d:.1}H{:.1}Z", -w, -d, -w),
    }
}

/// The sign of troops, around the origin.
const fn sign(troop: Troop) -> &'static str {
    match troop {
        Troop::Line(Line::Halberdiers) => {
            "M-6 3.200V-3.200M-7.500 -1.500h3M-2 3.200V-3.200M-3.500 -1.500h3M2 3.200V-3.200M.500 -1.500h3M6 3.200V-3.200M4.500 -1.500h3"
        }
        Troop::Line(Line::Handgunners) => "M-7.500 3l4.500 -6M-2.500 3l4.500 -6M2.500 3l4.500 -6",
        Troop::Line(Line::Crossbowmen) => {
            "M-5 3.200V-3M-8 -.500q3 -3.500 6 0M5 3.200V-3M2 -.500q3 -3.500 6 0"
        }
        Troop::Line(Line::Flagellants) => "M-6 -3l4 6M-2 -3l-4 6M2 -3l4 6M6 -3l-4 6",
        Troop::Line(Line::Warriors) => {
            "M-7 0a2.600 2.600 0 1 0 5.200 0a2.600 2.600 0 1 0 -5.200 0M1.800 0a2.600 2.600 0 1 0 5.200 0a2.600 2.600 0 1 0 -5.200 0M-4.400 -.800v1.600M4.400 -.800v1.600"
        }
        Troop::Line(Line::Rangers) => "M-7 3q7 -9 14 0M-7 3h14M0 3V-3.500",
        Troop::Line(Line::Slayers) => "M-8 3l4 -6l4 6l4 -6l4 6",
        Troop::Line(Line::Knights) => {
            "M-3.500 7l7 -14M-3.500 -2a1.800 1.800 0 1 0 3.600 0a1.800 1.800 0 1 0 -3.600 0"
        }
        Troop::Line(Line::Pistoliers) => "M-3.500 7l7 -14M-3 -4h3v2.400",
        Troop::Line(Line::Cannon) => {
            "M0 -8V6M-3.400 2a1.900 1.900 0 1 0 3.400 0a1.900 1.900 0 1 0 3.400 0M-2.400 6h4.800"
        }
        Troop::Line(Line::VolleyGun) => "M-2 -8V4M0 -8V4M2 -8V4M-3.600 4h7.200M-3 7h6",
        Troop::Line(Line::FlameCannon) => "M0 5V-4M0 -4q-3 -2 0 -5q3 3 0 5M-2.600 5h5.200",
        Troop::Line(Line::Gyrocopter) => "M-5 -2h10M0 -7v10M-3 3h6v4h-6Z",
        Troop::Line(Line::SteamTank) => "M-3.500 -6h7v12h-7ZM0 -6V-9M-3.500 0h7",
        Troop::Line(_) => "M-3 0h6",
        Troop::Engine(Ware::Bombard) => "M-2 -8h4V3h-4ZM-3.800 3h7.600v4h-7.600Z",
        Troop::Engine(Ware::Mangonel) => "M-3.500 7V-3h7V7M0 5V-8M-1.800 -8h3.600",
        Troop::Engine(_) => "M-7 11L0 -3L7 11M-4 5h8M0 -3L5 -13M0 -3L-4 6M-6 6h4v4h-4Z",
    }
}

/// A stand: its base with the sign of its troops, its front edge marked.
pub(crate) fn stand(side: Side, troop: Troop, (width, depth): (i64, i64), skirmisher: bool) -> String {
    let (w, d) = (units(width), units(depth));
    let outline = outline(side, w, d);
    let sign = if skirmisher { "M-6 0h2M-1 0h2M4 0h2" } else { sign(troop) };
    let rear = match side {
        Side::Garrison => String::new(),
        // The besieger has a second line along the rear.
        Side::Besieger => {
            format!(r#"<path class="rear" d="M{:.1} {:.1}h{:.1}"></path>"#, -w / 2.0, d / 2.0 - 1.6, w)
        }
    };
    format!(
        r#"<path class="shadow" d="{outline}" transform="translate(.8 .8)"></path><path class="body" d="{outline}"></path>{rear}<path class="sign" d="{sign}"></path><path class="front" d="M-1.800 {0:.1}l1.800 -2l1.800 2Z"></path>"#,
        -d / 2.0
    )
}

/// What a stand carries, before its front edge.
pub(crate) fn carried(item: Item, depth: i64) -> String {
    let front = -units(depth) / 2.0;
    let drawn = match item {
        Item::Ladders => {
            "M-5 0V-7M-2.500 0V-7M-5 -1.500h2.500M-5 -3.200h2.500M-5 -5h2.500M2.500 0V-7M5 0V-7M2.500 -1.500h2.500M2.500 -3.200h2.500M2.500 -5h2.500"
        }
        Item::Mantlets => "M-9 -1v-2.400h5v2.400ZM-2.500 -1v-2.400h5v2.400ZM4 -1v-2.400h5v2.400Z",
        Item::PortableRam => "M-1.300 4V-6h2.600V4ZM-1.300 -6l1.300 -1.600l1.300 1.600M-4 1h8M-4 -2h8",
        Item::None | Item::Ram | Item::SiegeTower | Item::Sow => return String::new(),
    };
    format!(r#"<path class="gear" d="{drawn}" transform="translate(0 {front:.1})"></path>"#)
}

/// A covered machine, forty millimetres square: a roof with a beam, a tower with its bridge, a gallery.
pub(crate) fn machine(item: Item, side: Side) -> String {
    let body = match item {
        Item::SiegeTower => {
            r#"<path class="body" d="M-10 -10H10V10H-10Z"></path><path class="roof" d="M-8 -12H8V5H-8Z"></path><path class="plank" d="M-8 -7H8M-8 -2H8M-3 -12V5M3 -12V5"></path><path class="gear" d="M-5 -12V-17H5V-12"></path>"#
        }
        Item::Sow => {
            r#"<path class="body" d="M-10 -10H10V10H-10Z"></path><path class="roof" d="M-10 -8L0 -11L10 -8V8L0 11L-10 8Z"></path><path class="plank" d="M0 -11V11M-10 -3L0 -6L10 -3M-10 3L0 0L10 3"></path>"#
        }
        _ => {
            r#"<path class="body" d="M-10 -10H10V10H-10Z"></path><path class="gear" d="M-1.600 6V-15h3.200V6ZM-1.600 -15l1.600 -2l1.600 2"></path><path class="roof" d="M-8 -7H8V8H-8Z"></path><path class="plank" d="M0 -7V8M-8 -3.500L0 -1L8 -3.500M-8 2L0 4.500L8 2"></path>"#
        }
    };
    format!(
        r#"<g class="{}"><path class="shadow" d="M-10 -10H10V10H-10Z" transform="translate(1.2 1.2)"></path>{body}</g>"#,
        class(side)
    )
}

/// A character: a disc with a star, of as many points as his rank has.
pub(crate) fn character(side: Side, line: Line) -> String {
    let star = match line {
        Line::General => {
            "M0 -5.500L1.500 -1.900L5.300 -1.700L2.400 .700L3.300 4.400L0 2.300L-3.300 4.400L-2.400 .700L-5.300 -1.700L-1.500 -1.900Z"
        }
        Line::Hero => "M0 -5L1.400 -1.400L5 0L1.400 1.400L0 5L-1.400 1.400L-5 0L-1.400 -1.400Z",
        _ => "M-1 -5h2v3.500h3.500v2H1V5h-2V.500h-3.500v-2H-1Z",
    };
    let ring = match side {
        Side::Garrison => r#"<circle class="body" r="7.500"></circle>"#,
        Side::Besieger => r#"<path class="body" d="M-7 -7H7V7H-7Z"></path>"#,
    };
    format!(
        r#"<g class="counter {}"><circle class="shadow" r="7.500" cx=".8" cy=".8"></circle>{ring}<path class="star" d="{star}"></path></g>"#,
        class(side)
    )
}

/// A stand of whatever troops.
pub(crate) fn block(side: Side) -> String {
    let outline = outline(side, 20.0, 10.0);
    format!(
        r#"<path class="shadow" d="{outline}" transform="translate(.8 .8)"></path><path class="body" d="{outline}"></path>"#
    )
}
