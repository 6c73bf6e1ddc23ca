//! What is dug and what is shot to pieces on the siege map: trenches as dug earth with the spoil on the
//! enemy's side, breaches with their rubble, the sides of the Kalke-Schanze, the mine.

use std::fmt::Write as _;

use super::siege_ground::{Point, SCALE, spot};
use crate::Table;
use crate::siege::{GROUND, INTACT, KalkeSide, Mine, WallId, Work, WorkKind};

/// The sides of the Kalke-Schanze as they stand, in units of the sheet.
#[must_use]
pub fn kalke(table: &Table) -> String {
    let mut svg = String::new();
    let corners: Vec<Point> = GROUND.kalke.iter().map(|corner| spot(corner.spot())).collect();
    for side in KalkeSide::ALL {
        let (mx, my) = spot(GROUND.kalke_side(side));
        // The side whose middle this is.
        let ends = corners.iter().zip(corners.iter().cycle().skip(1)).min_by(|(a, b), (c, d)| {
            let off = |p: &Point, q: &Point| ((p.0 + q.0) / 2.0 - mx).hypot((p.1 + q.1) / 2.0 - my);
            off(a, b).total_cmp(&off(c, d))
        });
        let Some((a, b)) = ends else { continue };
        let damage = table.siege.kalke.damage[side as usize];
        let class = match crate::siege::fire::kalke_state(damage, &table.options) {
            0 => "side",
            1 | 2 => "side hurt",
            _ => "side gone",
        };
        let _ = write!(svg, "<path class='{class}' d='M{:.1} {:.1}L{:.1} {:.1}'/>", a.0, a.1, b.0, b.1);
    }
    svg
}

/// What the guns have done to a wall point, in units of the sheet: the lower its level, the wider the
/// gap in the masonry and the farther the rubble has slid into the ditch.
#[must_use]
pub fn breach(table: &Table, id: WallId) -> String {
    let level = table.siege.wall(id).level;
    if level >= INTACT {
        return String::new();
    }
    let (x, y) = spot(GROUND.point(id));
    let gone = f64::from(INTACT - level) / f64::from(INTACT);
    let (wide, deep) = (9.0 + 11.0 * gone, 7.0 + 13.0 * gone);
    let number = u32::try_from(WallId::all().position(|other| other == id).unwrap_or(0)).unwrap_or(0);
    let strewn = |count: u32, salt: u32| f64::from((number * 31 + count * 17 + salt * 7) % 23) / 23.0;
    let (mut stones, count) = (String::new(), 5 + u32::from(INTACT - level));
    for stone in 0..count {
        let along = (strewn(stone, 1) - 0.5) * 2.0;
        let down = strewn(stone, 2);
        let size = 0.9 + 1.5 * strewn(stone, 3);
        let _ = write!(
            stones,
            "M{:.1} {:.1}l{size:.1} {:.1}l{:.1} {size:.1}l-{size:.1} -{:.1}Z",
            x + along * wide * (0.55 + 0.45 * down),
            y + 4.0 + down * deep,
            size * 0.4,
            -size * 0.5,
            size * 0.5
        );
    }
    let slope = format!(
        "M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z",
        x - wide * 0.6,
        y - 3.0,
        x + wide * 0.6,
        y - 3.0,
        x + wide,
        y + deep * 0.9,
        x - wide,
        y + deep * 0.9
    );
    format!("<path class='slope' d='{slope}'/><path class='rubble' d='{stones}'/>")
}

/// The works: first the earth thrown up, then what is dug, so that trenches run into each other.
pub(super) fn trenches(svg: &mut String, table: &Table) {
    for shape in [thrown_up, dug_out] {
        for (_, work) in table.siege.all_works() {
            let class = if work.damaged { "hurt" } else { "work" };
            let _ = write!(svg, "<g class='{class}'>{}</g>", shape(work));
        }
    }
}

/// The earth thrown up for a work, in units of the sheet. All of it is drawn before anything dug.
#[must_use]
pub fn thrown_up(work: &Work) -> String {
    laid(work, &spoil(work))
}

/// What is dug for a work, in units of the sheet.
#[must_use]
pub fn dug_out(work: &Work) -> String {
    laid(work, &dug(work))
}

/// A shape laid where the work lies, looking where it looks.
fn laid(work: &Work, shape: &str) -> String {
    let (x, y) = spot(work.pose.at);
    let turn = -f64::from(work.pose.facing.get());
    format!("<g transform='translate({x:.1} {y:.1}) rotate({turn})'>{shape}</g>")
}

/// A strip of earth with an uneven outer edge, from one end to the other, before the trench.
fn bank(near: f64, far: f64, half: f64, seed: u16) -> String {
    let mut d = format!("M{near} {:.1}", -half);
    let steps = 9;
    for step in 0..=steps {
        let y = -half + 2.0 * half * f64::from(step) / f64::from(steps);
        let bump = f64::from((u32::from(seed) * 7 + u32::try_from(step).unwrap_or(0) * 13) % 5) * 0.32;
        let _ = write!(d, "L{:.1} {y:.1}", far + bump);
    }
    let _ = write!(d, "L{near} {half:.1}Z");
    d
}

/// What is thrown up: on the enemy's side of a parallel, on both sides of a sap.
fn spoil(work: &Work) -> String {
    let half = f64::from(work.pose.length) * SCALE / 2.0;
    let seed = work.pose.at.x.unsigned_abs();
    match work.kind {
        WorkKind::Sap => {
            let mut d = String::new();
            for side in [-1.0, 1.0] {
                let _ = write!(d, "M{:.1} {:.1}", -half, 3.2 * side);
                let steps = 9;
                for step in 0..=steps {
                    let x = -half + 2.0 * half * f64::from(step) / f64::from(steps);
                    let bump = f64::from((u32::from(seed) + u32::try_from(step).unwrap_or(0) * 11) % 4) * 0.4;
                    let _ = write!(d, "L{x:.1} {:.1}", (6.4 + bump) * side);
                }
                let _ = write!(d, "L{half:.1} {:.1}Z", 3.2 * side);
            }
            format!("<path class='spoil' d='{d}'/>")
        }
        WorkKind::Parallel => format!("<path class='spoil' d='{}'/>", bank(0.0, 7.4, half, seed)),
        WorkKind::Battery => format!("<path class='spoil' d='{}'/>", bank(0.0, 10.6, half, seed)),
    }
}

/// What is dug: the trench itself, with platforms and embrasures in a battery.
fn dug(work: &Work) -> String {
    let half = f64::from(work.pose.length) * SCALE / 2.0;
    match work.kind {
        WorkKind::Sap => format!(
            "<path class='dug' d='M{0:.1} -2.9H{1:.1}V2.9H{0:.1}Z'/><path class='floor' d='M{0:.1} 0H{1:.1}'/>",
            -half - 12.0,
            half + 5.0
        ),
        WorkKind::Parallel => format!(
            "<path class='dug' d='M-7 {0:.1}H.4V{1:.1}H-7Z'/><path class='floor' d='M-3.3 {0:.1}V{1:.1}'/>",
            -half, half
        ),
        WorkKind::Battery => {
            let mut guns = String::new();
            let mut gaps = String::new();
            for place in [-0.6, -0.2, 0.2, 0.6] {
                let y = place * half;
                let _ = write!(guns, "M-6 {:.1}h6v4.6h-6Z", y - 2.3);
                let _ = write!(gaps, "M1 {y:.1}H11.4");
            }
            format!(
                "<path class='dug' d='M-8 {0:.1}H.8V{1:.1}H-8Z'/><path class='platform' d='{guns}'/>\
                 <path class='embrasure' d='{gaps}'/>",
                -half, half
            )
        }
    }
}

/// The gallery of the mine.
pub(super) fn mine(svg: &mut String, table: &Table) {
    let Mine::Dug { pose, .. } = table.siege.mine else { return };
    let (x, y) = spot(pose.at);
    let _ = write!(
        svg,
        "<g transform='translate({x:.1} {y:.1}) rotate({})'><path class='mine' d='M-25 -3.4H25V3.4H-25Z'/></g>",
        -f64::from(pose.facing.get())
    );
}
