//! The sheet under a game: paper, a graduated frame, a rose. The table lies with the south above, the
//! garrison's edge, so that the works are seen as those see them who storm them. One unit is a millimetre.

use std::fmt::Write as _;

use rulebook::{Lang, phrase::breach_board as words, speak};

use super::hand::{Pen, Spot, scatter};
use crate::game::{Plan, Rect, TABLE, Terrain};
use tabletop::geometry::Point;

/// The table in millimetres.
pub(crate) const SIZE: Spot = (1_800.0, 1_200.0);
/// The paper around it.
pub(crate) const MARGIN: f64 = 44.0;

const PAPER: &str = "\
.paper{fill:#f2e9d2}.sheet{fill:#f5edd9}.frame{fill:none;stroke:#2e2619}.ink{fill:#2e2619}\
.tuft{fill:none;stroke:#a5935b;stroke-width:1.1;stroke-opacity:.55}.ten{stroke:#8b7a52;stroke-width:.5;stroke-opacity:.35;fill:none}\
.word{font:italic 24px Palatino,Georgia,serif;letter-spacing:5px;fill:#55492f;text-anchor:middle}\
.num{font:13px Palatino,Georgia,serif;fill:#2e2619;text-anchor:middle}.north{font:600 22px Palatino,Georgia,serif;fill:#2e2619;text-anchor:middle}\
.rose{fill:none;stroke:#2e2619;stroke-width:1.1}\
@media (prefers-color-scheme:dark){.paper,.sheet{fill:#1d2732}.frame,.rose{stroke:#cfd6d0}.ink,.num,.north{fill:#cfd6d0}\
.tuft{stroke:#5d6a66}.ten{stroke:#5d6a66}.word{fill:#b9c0b4}}";

/// Where a place of the table lies on the sheet.
#[allow(clippy::cast_precision_loss, reason = "a table is a few thousand hundredths of a centimetre wide")]
pub(crate) fn spot(place: Point) -> Spot {
    ((TABLE.0 - place.x) as f64 / 10.0, place.y as f64 / 10.0)
}

/// The ground of a rectangle along the axes, as left, top, width, depth on the sheet.
pub(crate) fn area(rect: &Rect) -> [f64; 4] {
    let corners = rect.corners.map(spot);
    let least = |read: fn(&Spot) -> f64| corners.iter().map(read).fold(f64::INFINITY, f64::min);
    let most = |read: fn(&Spot) -> f64| corners.iter().map(read).fold(f64::NEG_INFINITY, f64::max);
    let (left, top) = (least(|spot| spot.0), least(|spot| spot.1));
    [left, top, most(|spot| spot.0) - left, most(|spot| spot.1) - top]
}

/// The sheet without anything on it.
#[must_use]
pub fn sheet(lang: Lang) -> String {
    let (wide, high) = SIZE;
    let (full_wide, full_high) = (wide + 2.0 * MARGIN, high + 2.0 * MARGIN);
    let mut svg = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {full_wide} {full_high}' width='{full_wide}' height='{full_high}'>\
         <style>{PAPER}</style><rect class='paper' width='{full_wide}' height='{full_high}'/><g transform='translate({MARGIN} {MARGIN})'>\
         <rect class='sheet' width='{wide}' height='{high}'/>"
    );
    let mut tufts = String::new();
    for number in 0..420 {
        let (x, y) = (wide * scatter(number, 11), high * scatter(23, number));
        let _ = write!(tufts, "M{x:.0} {y:.0}l-3 -6M{x:.0} {y:.0}v-8M{x:.0} {y:.0}l3 -6");
    }
    let mut tens = String::new();
    for step in 1..6 {
        let _ = write!(tens, "M0 {0}H{wide}M{1} 0V{high}", step * 200, step * 300);
    }
    let _ = write!(svg, "<path class='tuft' d='{tufts}'/><path class='ten' d='{tens}'/>");
    frame(&mut svg);
    let _ = write!(
        svg,
        "<text class='word' x='{0}' y='-14'>{1}</text><text class='word' x='{0}' y='{2}'>{3}</text>",
        wide / 2.0,
        speak(words::EDGE_GARRISON, &[], lang),
        high + 36.0,
        speak(words::EDGE_BESIEGER, &[], lang),
    );
    rose(&mut svg, (1_735.0, 1_135.0), lang);
    svg + "</g></svg>"
}

/// The frame, graduated every ten centimetres.
fn frame(svg: &mut String) {
    let (wide, high) = SIZE;
    let _ = write!(
        svg,
        "<rect class='frame' stroke-width='2.4' width='{wide}' height='{high}'/>\
         <rect class='frame' stroke-width='1' x='-9' y='-9' width='{}' height='{}'/>",
        wide + 18.0,
        high + 18.0
    );
    let mut bars = String::new();
    for step in (0..18).step_by(2) {
        let _ = write!(bars, "M{0} -7h100v5h-100ZM{0} {1}h100v5h-100Z", step * 100, high + 2.0);
    }
    for step in (0..12).step_by(2) {
        let _ = write!(bars, "M-7 {0}v100h5v-100ZM{1} {0}v100h5v-100Z", step * 100, wide + 2.0);
    }
    let _ = write!(svg, "<path class='ink' d='{bars}'/>");
}

/// The rose: the north is below.
fn rose(svg: &mut String, (x, y): Spot, lang: Lang) {
    let _ = write!(
        svg,
        "<g transform='translate({x} {y})'><circle class='rose' r='30'/><circle class='rose' r='24'/>\
         <path class='ink' d='M0 34L7 0H-7Z'/><path class='rose' d='M0 -34L7 0H-7ZM-34 0L0 -6V6ZM34 0L0 -6V6Z'/>\
         <text class='north' y='58'>{}</text></g>",
        speak(words::NORTH, &[], lang)
    );
}

/// The terrain and the courtyard of a scenario.
pub(crate) fn country(plan: &Plan) -> String {
    let mut pen = Pen::default();
    if let Some(court) = &plan.courtyard {
        pen.rect("t-court", area(court));
    }
    for (number, (kind, rect)) in (1..).zip(&plan.terrain) {
        let [x, y, w, d] = area(rect);
        match kind {
            Terrain::Wood => {
                pen.put(format_args!(r#"<rect class="t-wood" x="{x:.0}" y="{y:.0}" width="{w:.0}" height="{d:.0}" rx="14"></rect>"#));
                for tree in 0..26 {
                    let (cx, cy) = (
                        x + w * (0.07 + 0.86 * scatter(tree, number)),
                        y + d * (0.1 + 0.8 * scatter(number, tree)),
                    );
                    pen.put(format_args!(
                        r#"<path class="t-shade" d="M{:.1} {:.1}a8 3.500 0 0 0 15 1"></path><circle class="t-tree" cx="{cx:.1}" cy="{cy:.1}" r="{:.1}"></circle>"#,
                        cx - 5.0,
                        cy + 6.0,
                        5.5 + 2.5 * scatter(tree, 3)
                    ));
                }
            }
            Terrain::Broken => {
                pen.put(format_args!(r#"<rect class="t-broken" x="{x:.0}" y="{y:.0}" width="{w:.0}" height="{d:.0}" rx="18"></rect>"#));
                let mut marks = String::new();
                for rock in 0..30 {
                    let (cx, cy) = (
                        x + w * (0.06 + 0.86 * scatter(rock, number + 40)),
                        y + d * (0.1 + 0.8 * scatter(number + 40, rock)),
                    );
                    let _ = write!(marks, "M{cx:.1} {cy:.1}l4 -5l5 2l2 4M{cx:.1} {cy:.1}m-5 5h7");
                }
                pen.path("t-rock", &marks);
            }
            Terrain::Field => {
                pen.rect("t-field", [x, y, w, d]);
                let mut furrows = String::new();
                let mut at = x + 6.0;
                while at < x + w {
                    let _ = write!(furrows, "M{at:.1} {:.1}v{:.1}", y + 3.0, d - 6.0);
                    at += 7.0;
                }
                pen.path("t-furrow", &furrows);
            }
            Terrain::Hedge => {
                let mut bushes = String::new();
                let mut at = x + 3.0;
                while at < x + w {
                    let _ = write!(bushes, "M{:.1} {:.1}a4.500 4.500 0 1 1 9 0Z", at - 2.0, y + d);
                    at += 7.0;
                }
                pen.path("t-hedge", &bushes);
            }
            Terrain::Building => {
                pen.outline(
                    "s-cast",
                    &[
                        (x + w, y),
                        (x + w + 8.0, y + 6.0),
                        (x + w + 8.0, y + d + 6.0),
                        (x + 8.0, y + d + 6.0),
                        (x, y + d),
                    ],
                );
                pen.rect("t-house", [x, y, w, d]);
                pen.path("t-ridge", &format!("M{x:.1} {y:.1}l{0:.1} {1:.1}h{2:.1}l{0:.1} {3:.1}M{x:.1} {4:.1}l{0:.1} {3:.1}M{5:.1} {6:.1}l{0:.1} {1:.1}", w * 0.3, d / 2.0, w * 0.4, -d / 2.0, y + d, x + w * 0.7, y + d / 2.0));
            }
        }
    }
    pen.done()
}
