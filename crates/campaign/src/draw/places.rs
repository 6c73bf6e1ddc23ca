//! Towns as small plans with their names, supply sources as pennants, and the key to the signs.

use std::fmt::Write;

use rulebook::tables::campaign_1805 as csv;
use rulebook::{Lang, phrase::campaign as phrase};

use super::geometry::centre;
use super::{ALLIED, BRICK, FRENCH, INK, PAPER, WATER, bounds, said};
use crate::map::{HexId, map};
use crate::terms::Army;

/// A rectangle that a name or a plan covers.
#[derive(Clone, Copy)]
struct Patch {
    x: f64,
    y: f64,
    w: f64,
    h: f64,
}

impl Patch {
    fn overlap(self, other: Self) -> f64 {
        let across = (self.x + self.w).min(other.x + other.w) - self.x.max(other.x);
        let down = (self.y + self.h).min(other.y + other.h) - self.y.max(other.y);
        if across > 0.0 && down > 0.0 { across * down } else { 0.0 }
    }
}

/// Letter size by kind of place.
fn letters(kind: &str) -> f64 {
    match kind {
        "citadel" => 15.0,
        "depot" => 14.0,
        "town" => 10.5,
        _ => 8.2,
    }
}

/// The plan of a place.
fn plan(svg: &mut String, kind: &str, x: f64, y: f64) {
    let _ = write!(svg, "<g transform=\"translate({x:.1} {y:.1})\">");
    match kind {
        "citadel" => {
            svg.push_str("<path d=\"M0 -11L3.4 -5.5L10 -7L7 -1L11.5 4L5 5L3 11L-1.5 6.5L-8 8.5L-6.5 2L-11.5 -2L-5.5 -4.5Z\" ");
            let _ = write!(svg, "fill=\"#e9cfb9\" stroke=\"{INK}\" stroke-width=\"1\"/>");
            blocks(
                svg,
                &[(-4.0, -3.6, 3.4, 3.0), (0.6, -3.8, 3.6, 2.8), (-3.4, 0.6, 3.0, 3.2), (0.8, 0.4, 3.4, 3.0)],
            );
        }
        "depot" => {
            let _ = write!(
                svg,
                "<rect x=\"-8\" y=\"-7\" width=\"16\" height=\"14\" fill=\"#efdfc6\" stroke=\"{INK}\" stroke-width=\".9\"/>"
            );
            blocks(
                svg,
                &[
                    (-6.2, -5.2, 4.4, 3.6),
                    (-0.8, -5.4, 3.2, 4.0),
                    (3.4, -5.0, 3.2, 3.2),
                    (-6.0, 0.4, 3.4, 4.6),
                    (-1.4, 0.6, 4.2, 3.4),
                    (3.8, 0.2, 2.8, 4.8),
                ],
            );
        }
        "town" => blocks(
            svg,
            &[(-5.0, -4.0, 4.0, 3.2), (0.2, -4.4, 3.4, 3.4), (-4.4, 0.4, 3.2, 3.4), (0.0, 0.2, 4.6, 3.0)],
        ),
        _ => blocks(svg, &[(-2.8, -2.0, 2.4, 2.0), (0.4, -0.6, 2.4, 2.0), (-1.8, 1.0, 1.8, 1.6)]),
    }
    svg.push_str("</g>");
}

fn blocks(svg: &mut String, blocks: &[(f64, f64, f64, f64)]) {
    let mut path = String::new();
    for (x, y, w, h) in blocks {
        let _ = write!(path, "M{x} {y}h{w}v{h}h-{w}z");
    }
    let _ = write!(svg, "<path d=\"{path}\" fill=\"{BRICK}\" stroke=\"{INK}\" stroke-width=\".6\"/>");
}

/// All places with their names.
pub(super) fn draw(svg: &mut String) {
    let names = plans(svg);
    svg.push_str(&names);
}

/// The names alone, where [`draw`] writes them: to be laid over what is marked on the sheet.
pub(super) fn names() -> String {
    plans(&mut String::new())
}

/// Draws the plans of all places, larger ones first; gives back the names, each where it hides least.
fn plans(svg: &mut String) -> String {
    let (bx, by, bw, bh) = bounds();
    let mut towns: Vec<(&csv::Towns, HexId)> =
        csv::TOWNS.iter().filter_map(|town| HexId::read(town.hex).map(|hex| (town, hex))).collect();
    towns.sort_by(|a, b| letters(b.0.kind).total_cmp(&letters(a.0.kind)));
    let mut taken: Vec<Patch> = towns
        .iter()
        .map(|(_, hex)| {
            let (x, y) = centre(*hex);
            Patch { x: x - 6.0, y: y - 6.0, w: 12.0, h: 12.0 }
        })
        .collect();
    // The pennants keep their room.
    for army in [Army::French, Army::AustroRussian] {
        for &source in map().sources(army) {
            pennant(svg, army, source, &mut taken);
        }
    }
    let mut names = String::new();
    for (town, hex) in towns {
        let (x, y) = centre(hex);
        plan(svg, town.kind, x, y);
        let size = letters(town.kind);
        let letters_wide = f64::from(u32::try_from(town.name_1805.chars().count()).unwrap_or(0));
        let (w, h) = (letters_wide * size * 0.52, size);
        let gap = if size > 12.0 { 14.0 } else { 7.0 };
        let spots = [
            (x + gap, y - h / 2.0),
            (x - gap - w, y - h / 2.0),
            (x - w / 2.0, y - gap - h),
            (x - w / 2.0, y + gap),
            (x + gap * 0.7, y - gap - h * 0.6),
            (x + gap * 0.7, y + gap * 0.5),
            (x - gap * 0.7 - w, y - gap - h * 0.6),
            (x - gap * 0.7 - w, y + gap * 0.5),
        ];
        let cost = |patch: &Patch| {
            let outside = (bx + 3.0 - patch.x).max(0.0)
                + (patch.x + patch.w - bx - bw + 3.0).max(0.0)
                + (by - patch.y).max(0.0)
                + (patch.y + patch.h - by - bh).max(0.0);
            taken.iter().map(|other| patch.overlap(*other)).sum::<f64>() + outside * 200.0
        };
        let best = spots
            .iter()
            .map(|&(x, y)| Patch { x, y, w, h })
            .min_by(|a, b| cost(a).total_cmp(&cost(b)))
            .unwrap_or(Patch { x, y, w, h });
        taken.push(best);
        let style = if size > 12.0 { "letter-spacing=\".8\"" } else { "" };
        let _ = write!(
            names,
            "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" {style}>{}</text>",
            best.x,
            best.y + h * 0.8,
            town.name_1805
        );
    }
    format!(
        "<g stroke=\"{PAPER}\" stroke-width=\"2.6\" stroke-opacity=\".85\" paint-order=\"stroke\" stroke-linejoin=\"round\">{names}</g>"
    )
}

/// A pennant on a supply source.
fn pennant(svg: &mut String, army: Army, hex: HexId, taken: &mut Vec<Patch>) {
    let (bx, by, bw, _) = bounds();
    let (x, y) = centre(hex);
    let (x, y) = (x.clamp(bx + 4.0, bx + bw - 22.0), y.max(by + 16.0));
    flag(svg, army, x, y);
    taken.push(Patch { x, y: y - 20.0, w: 18.0, h: 20.0 });
}

fn flag(svg: &mut String, army: Army, x: f64, y: f64) {
    let colour = if army == Army::French { FRENCH } else { ALLIED };
    // French pennants are swallow-tailed, allied ones pointed: not by colour alone.
    let shape = if army == Army::French { "h16l-4 5l4 5h-16z" } else { "l17 5l-17 5z" };
    let _ = write!(
        svg,
        "<path d=\"M{x:.1} {y:.1}v-20\" stroke=\"{INK}\" stroke-width=\"1.2\"/>\
         <path d=\"M{x:.1} {:.1}{shape}\" fill=\"{colour}\" stroke=\"{INK}\" stroke-width=\".6\"/>",
        y - 20.0
    );
}

/// The key to the signs, in columns of four.
pub(super) fn legend(svg: &mut String, lang: Lang, x: f64, y: f64) {
    let mut signs: Vec<(String, kernel::Phrase)> = Vec::new();
    for (kind, word) in [
        ("citadel", phrase::WORD_CITADEL),
        ("depot", phrase::WORD_DEPOT),
        ("town", phrase::WORD_TOWN),
        ("village", phrase::MAP_VILLAGE),
    ] {
        let mut sign = String::from("<g transform=\"translate(14 0) scale(.75)\">");
        plan(&mut sign, kind, 0.0, 0.0);
        sign.push_str("</g>");
        signs.push((sign, word));
    }
    let primary = "<path d=\"M0 0H28\" stroke=\"#5d4630\" stroke-width=\"3\"/>\
                   <path d=\"M0 0H28\" stroke=\"#efdcae\" stroke-width=\"1.5\"/>";
    let secondary =
        "<path d=\"M0 0H28\" stroke=\"#5d4630\" stroke-width=\"1.15\" stroke-dasharray=\"7 1.6\"/>";
    let river = |wide: f64, core: f64| {
        format!(
            "<path d=\"M0 1Q7 -3 14 0T28 -1\" fill=\"none\" stroke=\"{WATER}\" stroke-width=\"{wide}\"/>\
             <path d=\"M0 1Q7 -3 14 0T28 -1\" fill=\"none\" stroke=\"#b7ccd0\" stroke-width=\"{core}\"/>"
        )
    };
    let hill = "<path d=\"M2 -3l-1 6M7 -4l-.4 7M12 -4.4v7.6M17 -4l.4 7M22 -3l1 6\" \
                stroke=\"#6b553a\" stroke-width=\".7\"/>";
    let tree = "<path d=\"M4 1a2.2 2.2 0 1 1 4.4 0M13 2a2.2 2.2 0 1 1 4.4 0M20 0a2 2 0 1 1 4 0\" \
                fill=\"#93a46f\" fill-opacity=\".5\" stroke=\"#4d5a36\" stroke-width=\".7\"/>";
    let wood =
        format!("<rect y=\"-6\" width=\"28\" height=\"12\" fill=\"#b9c498\" fill-opacity=\".42\"/>{tree}");
    let high_wood = format!(
        "<rect y=\"-6\" width=\"28\" height=\"12\" fill=\"#e6d8b6\"/>{wood}\
         <path d=\"M2 4l-1 4M9 4.4l-.4 4M16 4.4l.4 4M24 4l1 4\" stroke=\"#6b553a\" stroke-width=\".6\"/>"
    );
    let mut flags = String::from("<g transform=\"translate(2 6) scale(.6)\">");
    flag(&mut flags, Army::French, 0.0, 0.0);
    flag(&mut flags, Army::AustroRussian, 24.0, 0.0);
    flags.push_str("</g>");
    signs.extend([
        (primary.to_owned(), phrase::WORD_PRIMARY_ROAD),
        (secondary.to_owned(), phrase::WORD_SECONDARY_ROAD),
        (river(7.0, 5.4), phrase::WORD_PRIMARY_RIVER),
        (river(2.6, 1.5), phrase::WORD_SECONDARY_RIVER),
        (hill.to_owned(), phrase::WORD_HILL),
        (high_wood, phrase::WORD_WOODED_HILL),
        (wood, phrase::WORD_FOREST),
        (flags, phrase::MAP_SOURCE),
    ]);
    for (column, four) in signs.chunks(4).enumerate() {
        for (row, (sign, word)) in four.iter().enumerate() {
            let sx = x + 168.0 * f64::from(u32::try_from(column).unwrap_or(0));
            let sy = y + 23.0 * f64::from(u32::try_from(row).unwrap_or(0));
            let _ = write!(
                svg,
                "<g transform=\"translate({sx:.1} {sy:.1})\">{sign}<text x=\"38\" y=\"3.6\" font-size=\"11.5\">{}</text></g>",
                said(*word, lang)
            );
        }
    }
}
