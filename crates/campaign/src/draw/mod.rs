//! The map of 1805 as an engraved sheet: washes and hachures, rivers and roads as continuous
//! curves, woods in pen, towns as small plans, the hexes a faint lattice under it all.

mod geometry;
mod ground;
mod places;

use std::fmt::Write;

use kernel::Fact;
use rulebook::{Lang, phrase::campaign as phrase, speak};

use crate::map::{COLUMNS, HexId, ROWS, map};
use geometry::{MARGIN, Point, SIZE, STEP, STRIP, centre, edge, height, width};

/// The colours of the house.
const PAPER: &str = "#f4ecd8";
const INK: &str = "#3a2e22";
const WATER: &str = "#6d8c98";
const BRICK: &str = "#c98f76";
const FRENCH: &str = "#2c4a80";
const ALLIED: &str = "#2f5a45";

/// The letters of the map.
const LETTERS: &str =
    "'Libertinus Serif','EB Garamond',Garamond,'Palatino Linotype',Palatino,'DejaVu Serif',serif";

/// The names of the towns as a part of an SVG, just where [`map_svg`] writes them: what is marked on the
/// map may then lie between the sheet and its names.
#[must_use]
pub fn map_names() -> String {
    format!("<g font-family=\"{LETTERS}\" fill=\"{INK}\">{}</g>", places::names())
}

/// The map of the 1805 campaign as an SVG, in the reader's language.
///
/// ```
/// let sheet = campaign::map_svg(rulebook::Lang::Fr);
/// assert!(sheet.starts_with("<svg") && sheet.contains("Austerlitz"));
/// ```
#[must_use]
pub fn map_svg(lang: Lang) -> String {
    drawn(lang, (width(), height() + STRIP), Strip::With)
}

fn drawn(lang: Lang, (w, h): Point, strip: Strip) -> String {
    let mut svg = String::with_capacity(900_000);
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {h:.0}\" width=\"{w:.0}\" height=\"{h:.0}\" \
         font-family=\"{LETTERS}\" \
         fill=\"{INK}\" lang=\"{code}\"><title>{title}</title>\
         <rect width=\"100%\" height=\"100%\" fill=\"{PAPER}\"/>",
        code = lang.code(),
        title = said(phrase::MAP_TITLE, lang),
    );
    clip(&mut svg);
    svg.push_str("<g clip-path=\"url(#sheet)\">");
    ground::draw(&mut svg);
    lattice(&mut svg);
    ground::water(&mut svg);
    ground::roads(&mut svg);
    numbers(&mut svg);
    svg.push_str("</g>");
    frame(&mut svg);
    places::draw(&mut svg);
    if strip == Strip::With {
        cartouche(&mut svg, lang);
    }
    svg.push_str("</svg>\n");
    svg
}

/// The sheet of the game: the map without the strip below it.
pub(crate) const SHEET: (f64, f64) = (1308.0, 2016.0);

/// The map as the sheet of the game, in the reader's language.
#[must_use]
pub fn sheet_svg(lang: Lang) -> String {
    drawn(lang, SHEET, Strip::Without)
}

/// Whether title, scale and signs stand below the map.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strip {
    With,
    Without,
}

/// Where a hex lies on the sheet.
pub(crate) fn hex_centre(hex: HexId) -> Point {
    centre(hex)
}

/// The two ends of a hexside.
pub(crate) fn hexside(hex: HexId, direction: usize) -> (Point, Point) {
    edge(hex, direction)
}

/// A phrase of the map.
fn said(phrase: kernel::Phrase, lang: Lang) -> String {
    speak(phrase, &[], lang)
}

/// The rectangle the map is cut to.
fn bounds() -> (f64, f64, f64, f64) {
    (
        MARGIN + SIZE * 0.25,
        MARGIN + STEP * 0.25,
        width() - 2.0 * MARGIN - SIZE * 0.5,
        height() - 2.0 * MARGIN - STEP * 0.5,
    )
}

fn clip(svg: &mut String) {
    let (x, y, w, h) = bounds();
    let _ = write!(
        svg,
        "<defs><clipPath id=\"sheet\"><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/></clipPath></defs>"
    );
}

fn lattice(svg: &mut String) {
    let mut path = String::new();
    for cell in map().cells() {
        // Each hexside once: the three that look right or down, and the others at the border.
        for direction in 0..6 {
            if (1..=3).contains(&direction) || cell.id.neighbour(direction).is_none() {
                let (a, b) = edge(cell.id, direction);
                let _ = write!(path, "M{:.1} {:.1}L{:.1} {:.1}", a.0, a.1, b.0, b.1);
            }
        }
    }
    let _ = write!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{INK}\" stroke-opacity=\".13\" stroke-width=\".6\"/>"
    );
}

fn numbers(svg: &mut String) {
    svg.push_str("<g font-size=\"4.6\" text-anchor=\"middle\" fill-opacity=\".42\">");
    for cell in map().cells() {
        let (x, y) = centre(cell.id);
        let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{:.1}\">{}</text>", y - STEP * 0.36, cell.id);
    }
    svg.push_str("</g>");
}

fn frame(svg: &mut String) {
    let (x, y, w, h) = bounds();
    for (gap, stroke) in [(0.0, 1.6), (6.0, 0.7), (24.0, 0.7), (28.0, 2.2)] {
        let _ = write!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"{stroke}\"/>",
            x - gap,
            y - gap,
            w + 2.0 * gap,
            h + 2.0 * gap
        );
    }
    svg.push_str("<g font-size=\"8\" text-anchor=\"middle\" letter-spacing=\".5\">");
    for column in (1..=COLUMNS).step_by(2) {
        let (cx, _) = centre(HexId { column, row: 1 });
        for ty in [y - 11.5, y + h + 18.0] {
            let _ = write!(svg, "<text x=\"{cx:.1}\" y=\"{ty:.1}\">{column:02}</text>");
        }
    }
    for row in (1..=ROWS).step_by(2) {
        let (_, cy) = centre(HexId { column: 1, row });
        for tx in [x - 15.0, x + w + 15.0] {
            let _ = write!(svg, "<text x=\"{tx:.1}\" y=\"{:.1}\">{row:02}</text>", cy + 3.0);
        }
    }
    svg.push_str("</g>");
}

/// Title, scale, signs and north, in a strip that hides nothing of the map.
fn cartouche(svg: &mut String, lang: Lang) {
    let (bx, by, bw, bh) = bounds();
    let (x, w) = (bx - 28.0, bw + 56.0);
    let (y, h) = (by + bh + 42.0, STRIP - 8.0);
    let _ = write!(
        svg,
        "<g><rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.6\"/>\
         <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"{INK}\" stroke-width=\".6\"/>",
        x + 4.0,
        y + 4.0,
        w - 8.0,
        h - 8.0
    );
    let middle = x + 205.0;
    let _ = write!(
        svg,
        "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"30\" letter-spacing=\"2\">{}</text>\
         <text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-size=\"14\" font-style=\"italic\">{}</text>",
        y + 46.0,
        said(phrase::MAP_TITLE, lang),
        y + 68.0,
        said(phrase::MAP_SUBTITLE, lang)
    );
    scale(svg, lang, middle, y + 92.0);
    places::legend(svg, lang, x + 470.0, y + 26.0);
    // The top of the sheet bears 24.5 degrees east of north.
    let _ = write!(
        svg,
        "<g transform=\"translate({:.1} {:.1}) rotate(-24.5)\"><path d=\"M0 -30L6 10L0 4L-6 10Z\" fill=\"{INK}\"/>\
         <path d=\"M0 10V28\" stroke=\"{INK}\" stroke-width=\".8\"/>\
         <text y=\"-35\" font-size=\"11\" text-anchor=\"middle\">{}</text></g></g>",
        x + w - 90.0,
        y + h / 2.0 + 8.0,
        said(phrase::MAP_NORTH, lang)
    );
}

/// A bar of twenty kilometres. Two miles a hex: 3.2187 km from centre to centre.
fn scale(svg: &mut String, lang: Lang, middle: f64, y: f64) {
    let length = 20.0 / 3.2187 * STEP;
    let (x, half) = (middle - length / 2.0 - 16.0, length / 2.0);
    let km = [Fact { name: "km", value: 20.into() }];
    let _ = write!(
        svg,
        "<path d=\"M{x:.1} {y:.1}h{half:.1}\" stroke=\"{INK}\" stroke-width=\"3.8\"/>\
         <rect x=\"{:.1}\" y=\"{:.1}\" width=\"{half:.1}\" height=\"3.2\" fill=\"{PAPER}\" stroke=\"{INK}\" stroke-width=\".7\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{}</text>",
        x + half,
        y - 1.6,
        x + length + 8.0,
        y + 3.6,
        speak(phrase::MAP_SCALE, &km, lang)
    );
}
