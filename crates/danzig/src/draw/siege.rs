//! The siege map from the table: the engraved ground, the trenches as dug earth with the spoil before
//! them, ring gauges on the wall points, guns and battalions as counters.

use std::fmt::Write as _;

use kernel::{Fact, Measure};
use rulebook::{Lang, phrase::danzig_siege as phrase, speak};

use super::siege_ground::{GROUND_SVG, HEIGHT, Point, SCALE, WIDTH, at, spot};
use crate::siege::{GROUND, INTACT, KalkeSide, Mine, Spot, WallId, Work, WorkKind};
use crate::{Arm, Marks, Nation, Place, Side, Table, UnitId};

const STYLE: &str = "\
.paper{fill:#f2e9d2}.sheet{fill:#f5edd9}.furrow{fill:none;stroke:#a5935b;stroke-width:.4;stroke-opacity:.55}\
.balk{fill:#e9e0b8;fill-opacity:.28;stroke:#a5935b;stroke-width:.4;stroke-opacity:.6}\
.zone{fill:#cdd3ab;fill-opacity:.62;stroke:#5f6f3a;stroke-width:1.1;stroke-dasharray:7 4}\
.tent{fill:#f8f2e0;stroke:#4c5530;stroke-width:.6;stroke-linejoin:round}\
.village{fill:#d9cdb0;fill-opacity:.55}.house{fill:#a98a72;stroke:#4f3527;stroke-width:.45}.tree{fill:#8d9b62;stroke:#56633a;stroke-width:.35}\
.terreplein{fill:#ece0c6}.town{fill:#e7d2bf}.block{fill:#cb9a82;stroke:#8a4b38;stroke-width:.45}.ridge{fill:none;stroke:#8a4b38;stroke-width:.4}.court{fill:#ead9c2;stroke:#8a4b38;stroke-width:.3}.church{fill:#5a2418;stroke:#2e1109;stroke-width:.4}\
.lane{fill:none;stroke:#6b5334;stroke-width:4.2;stroke-linecap:round}.lanebed{fill:none;stroke:#f7f0de;stroke-width:2.8;stroke-linecap:round}.brook{fill:none;stroke:#6f929a;stroke-width:1.8}\
.reserve{fill:#efe3cd;stroke:#7b5a48;stroke-width:.8;stroke-dasharray:4 3}\
.counterscarp{fill:none;stroke:#4a4438;stroke-width:16.4;stroke-linejoin:round}.water{fill:none;stroke:#bcd0d1;stroke-width:14.8;stroke-linejoin:round}\
.wave{fill:none;stroke:#6f929a;stroke-width:.5;stroke-dasharray:9 5 3 5;stroke-linejoin:round}\
.scarp{fill:none;stroke:#3f2a20;stroke-width:9;stroke-linejoin:miter}.rampart{fill:none;stroke:#d9b198;stroke-width:7.2;stroke-linejoin:miter}\
.rampart2{fill:none;stroke:#8a4b38;stroke-width:3;stroke-linejoin:miter}.parapet{fill:none;stroke:#8a4b38;stroke-width:1;stroke-dasharray:2.6 1.4}\
.bridge{fill:none;stroke:#5b4a33;stroke-width:5;stroke-dasharray:1.4 .9}.gate{fill:#7b2f22;stroke:#3f2a20;stroke-width:.7}\
.covered{fill:none;stroke:#e3cfae;stroke-width:7}.palisade{fill:none;stroke:#4a3a24;stroke-width:2.2;stroke-dasharray:.8 1.9}\
.crest{fill:none;stroke:#3f2f1f;stroke-width:1.7;stroke-linejoin:round}\
.hachure{fill:none;stroke:#5b4a33;stroke-width:.55;stroke-opacity:.8}.faint{stroke-opacity:.42;stroke-width:.45}\
.link{fill:none;stroke:#3f2a20;stroke-width:.7;stroke-opacity:.55}.green{fill:#7d9a58;stroke:#3d4f25;stroke-width:.7}\
.printed{fill:none;stroke:#4a3a24;stroke-width:.9;stroke-dasharray:3 2}.box{fill:none;stroke:#7b2f22;stroke-width:.9;stroke-dasharray:4 3}\
.schanze{fill:#e3cfae;stroke:none}.side{fill:none;stroke:#3f2a20;stroke-width:4.4}.side.hurt{stroke:#8a6a4a;stroke-width:3;stroke-dasharray:5 2.5}\
.side.gone{stroke:#a8926e;stroke-width:1.6;stroke-dasharray:1.5 4}\
.spoil{fill:#c3a272;stroke:#6d5333;stroke-width:.6}.dug{fill:#6b4a2b;stroke:#3a2716;stroke-width:.5}.floor{fill:none;stroke:#c09a63;stroke-width:.9;stroke-dasharray:1.4 1.6}\
.clod{fill:#7d5f3b}.platform{fill:#d8bd8c;stroke:#3a2716;stroke-width:.5}.embrasure{stroke:#f5edd9;stroke-width:2;fill:none}\
.hurt .spoil{fill:#e0cfab;stroke-dasharray:2 2}.hurt .dug{fill:#b59a73;stroke-dasharray:3 2.5}.hurt .floor{stroke:none}\
.slope{fill:#d9c3a0;stroke:#8a6a4a;stroke-width:.5;stroke-dasharray:3 1.5}.rubble{fill:#a9745c;stroke:#5a3325;stroke-width:.35}\
.mine{fill:none;stroke:#7b2f22;stroke-width:1.4;stroke-dasharray:2 2.5}\
.disc{fill:#f9f2e0;stroke:#3f2a20;stroke-width:.5}.disc.french{fill:#d3dcea}.track{fill:none;stroke:#d8c7ab;stroke-width:2.6}\
.level{fill:none;stroke:#8c2f22;stroke-width:2.6}.level.worn{stroke:#c07a2c}.level.french{stroke:#27457c}\
.count{font:600 7.6px 'DejaVu Sans',Arial,sans-serif;fill:#2e2619;text-anchor:middle}\
.tiny{font:italic 10px Palatino,Georgia,serif;fill:#4a3a24;text-anchor:middle}\
.place{font:italic 17px Palatino,Georgia,serif;fill:#3b3325;text-anchor:middle;paint-order:stroke;stroke:#f5edd9;stroke-width:3;stroke-linejoin:round}\
.wide{font-size:25px;letter-spacing:6px;fill:#55632f;stroke:none}.towntext{font-size:22px;font-style:normal;letter-spacing:12px;fill:#5a2418;stroke:#e7d2bf;stroke-width:4}\
.frame{fill:none;stroke:#2e2619}.title{font:21px Palatino,Georgia,serif;letter-spacing:2px;fill:#2e2619;text-anchor:middle}\
.sub{font:italic 12px Palatino,Georgia,serif;fill:#2e2619;text-anchor:middle}\
.body{stroke:#1c1812;stroke-width:.8}.mark{fill:none;stroke:#fdf8ea;stroke-width:.9}.dot{fill:#fdf8ea}.shadow{fill:#2e2619;fill-opacity:.28}\
.steps{font:600 7px 'DejaVu Sans',Arial,sans-serif;fill:#fdf8ea;text-anchor:middle}\
.broken .body{fill-opacity:.12;stroke-dasharray:2.5 1.5}.broken .steps{fill:#1c1812}.broken .mark{stroke:#1c1812}.broken .dot{fill:#1c1812}\
.arc{fill:#8c2f22;fill-opacity:.07;stroke:#8c2f22;stroke-width:.4;stroke-opacity:.5;stroke-dasharray:3 3}.arc.french{fill:#27457c;stroke:#27457c}\
@media (prefers-color-scheme:dark){.paper,.sheet{fill:#1d2732}.balk{fill:#26323d}.furrow,.balk{stroke:#5d6a66}.zone{fill:#2b3a33;stroke:#8fa177}\
.village{fill:#2b3036}.house{fill:#6b5548}.terreplein{fill:#242d37}.town{fill:#2f2d2e}.block{fill:#5d4238}.court{fill:#2c2a2b}.ridge,.court{stroke:#8d6a5b}.church{fill:#c79a86}.reserve{fill:#2a2f36}.lane{stroke:#8d9690}.lanebed{stroke:#252f3a}.brook{stroke:#4f7585}.printed,.box,.link{stroke:#b9ab90}.tree{fill:#56633f;stroke:#39442a}.tent{fill:#cfd6d0}\
.water{stroke:#2f4a58}.counterscarp{stroke:#cfd6d0}.hachure,.crest,.frame{stroke:#cfd6d0}.covered{stroke:#3a3f42}.rampart{stroke:#6d5246}\
.title,.sub,.place,.tiny{fill:#e8ece4}.place{stroke:#1d2732}.disc{fill:#2a333c}.count{fill:#e8ece4}.track{stroke:#4a535b}.schanze{fill:#3a3f42}}";

/// Units of the sheet to a metre of the map.
pub const METRE: f64 = SCALE;
/// The sheet inside its frame, in metres: width and height.
pub const METRES: (f64, f64) = (WIDTH / SCALE, HEIGHT / SCALE);
/// The paper around the frame, in metres: left and right, above and below.
pub const MARGIN: (f64, f64) = (EDGE.0 / SCALE, EDGE.1 / SCALE);
/// The paper around the frame, in units of the sheet.
const EDGE: (f64, f64) = (20.0, 22.0);

/// Where a spot lies on the sheet, in metres from its upper left corner.
#[must_use]
pub fn metres(there: Spot) -> (f64, f64) {
    let (x, y) = spot(there);
    (x / SCALE, y / SCALE)
}

/// Draws the siege map.
#[must_use]
pub fn siege(table: &Table, lang: Lang) -> String {
    sheet(lang, Some(table))
}

/// Draws the printed ground of the siege map, the same for every game: nothing stands on it.
#[must_use]
pub fn ground(lang: Lang) -> String {
    sheet(lang, None)
}

fn sheet(lang: Lang, table: Option<&Table>) -> String {
    let mut svg = String::with_capacity(GROUND_SVG.len() + 60_000);
    let (full_width, full_height) = (WIDTH + 2.0 * EDGE.0, HEIGHT + 2.0 * EDGE.1);
    let _ = write!(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {full_width} {full_height}' width='{full_width}' \
         height='{full_height}'><style>{STYLE}</style><defs><clipPath id='sheet'><rect width='{WIDTH}' \
         height='{HEIGHT}'/></clipPath></defs><rect class='paper' width='{full_width}' height='{full_height}'/>\
         <g transform='translate({} {})'><rect class='sheet' width='{WIDTH}' height='{HEIGHT}'/>\
         <g clip-path='url(#sheet)'>",
        EDGE.0, EDGE.1
    );
    svg.push_str(&GROUND_SVG);
    names(&mut svg, lang);
    if let Some(table) = table {
        svg.push_str(&kalke(table));
        for id in WallId::all() {
            svg.push_str(&breach(table, id));
        }
        trenches(&mut svg, table);
        mine(&mut svg, table);
        gauges(&mut svg, table);
        counters(&mut svg, table);
    }
    svg.push_str("</g>");
    frame(&mut svg);
    cartouche(&mut svg, table, lang);
    svg.push_str("</g></svg>");
    svg
}

fn names(svg: &mut String, lang: Lang) {
    let mut name = |x: f64, y: f64, class: &str, text: &str| {
        let (x, y) = at(x, y);
        let _ = write!(svg, "<text class='place {class}' x='{x:.1}' y='{y:.1}'>{text}</text>");
    };
    name(870.0, 170.0, "wide", "ZIGANKENBERG");
    name(1350.0, 1955.0, "towntext", &speak(phrase::MAP_CITY, &[], lang));
    for (x, y, text) in [
        (1300.0, 1115.0, "Schidlitz"),
        (1860.0, 755.0, "Stolzenberg"),
        (330.0, 1095.0, "Aller Engel"),
        (1320.0, 1205.0, "Neugarten"),
        (200.0, 858.0, "Kalke-Schanze"),
        (690.0, 1215.0, "Hagelsberg"),
        (1720.0, 1230.0, "Bischofsberg"),
    ] {
        name(x, y, "", text);
    }
}

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
fn trenches(svg: &mut String, table: &Table) {
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

fn mine(svg: &mut String, table: &Table) {
    let Mine::Dug { pose, .. } = table.siege.mine else { return };
    let (x, y) = spot(pose.at);
    let _ = write!(
        svg,
        "<g transform='translate({x:.1} {y:.1}) rotate({})'><path class='mine' d='M-25 -3.4H25V3.4H-25Z'/></g>",
        -f64::from(pose.facing.get())
    );
}

/// The level of a point as a ring that empties, and as a number.
fn gauges(svg: &mut String, table: &Table) {
    const RADIUS: f64 = 8.6;
    for id in WallId::all() {
        let (x, y) = spot(GROUND.point(id));
        let wall = table.siege.wall(id);
        let french = crate::siege::has_french(table, id);
        let whole = std::f64::consts::TAU * RADIUS;
        let part = whole * f64::from(wall.level) / f64::from(INTACT);
        let (disc, level) = match (french, wall.level) {
            (true, _) => ("disc french", "level french"),
            (false, INTACT) => ("disc", "level"),
            (false, _) => ("disc", "level worn"),
        };
        let _ = write!(
            svg,
            "<g transform='translate({x:.1} {y:.1})'><title>{id} {}</title><circle class='{disc}' r='10.4'/>\
             <circle class='track' r='{RADIUS}'/><circle class='{level}' r='{RADIUS}' transform='rotate(-90)' \
             stroke-dasharray='{part:.1} {whole:.1}'/><text class='count' y='2.7'>{}</text></g>",
            wall.level, wall.level
        );
    }
}

fn colour(nation: Nation) -> &'static str {
    match nation {
        Nation::France => "#27457c",
        Nation::Poland => "#94263a",
        Nation::Saxony => "#3f6b42",
        Nation::Baden => "#a9812e",
        Nation::Prussia => "#35353b",
        Nation::Russia => "#2c4a3b",
    }
}

/// Where the counters of a place begin, and how they are laid out.
fn counters(svg: &mut String, table: &Table) {
    let mut crowds = [0_u32; 2];
    let mut stacks: Vec<(Place, u32)> = Vec::new();
    for unit in UnitId::all() {
        let place = table.unit(unit).place;
        if !place.is_siege() {
            continue;
        }
        let order = match stacks.iter_mut().find(|(known, _)| *known == place) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                stacks.push((place, 0));
                0
            }
        };
        let fan = f64::from(order);
        let (x, y) = match place {
            Place::Concentration | Place::Reserve => {
                let crowd = usize::from(place == Place::Reserve);
                let at_row = crowds[crowd];
                crowds[crowd] += 1;
                let per_row = if crowd == 1 { 13 } else { 20 };
                let (column, row) = (f64::from(at_row % per_row), f64::from(at_row / per_row));
                let (x, y) = if crowd == 1 { at(1030.0, 1890.0) } else { at(350.0, 455.0) };
                (x + column * 26.0, y + row * 22.0)
            }
            Place::Work(id) => {
                let Some(work) = table.siege.work(id) else { continue };
                let (x, y) = spot(work.pose.at);
                match (work.kind, unit.data().arm.is_artillery()) {
                    (WorkKind::Battery, true) => (x + 12.0, y + 4.0),
                    (WorkKind::Battery, false) => (x - 12.0 + fan * 5.0, y + 4.0 - fan * 5.0),
                    (WorkKind::Sap | WorkKind::Parallel, _) => (x + fan * 7.0, y + 4.0 - fan * 6.0),
                }
            }
            Place::Open(there) => {
                let (x, y) = spot(there);
                (x + fan * 6.0, y - fan * 5.0)
            }
            Place::Wall(point) => {
                let (x, y) = spot(GROUND.point(point));
                let behind = if unit.side() == Side::French { 20.0 } else { -19.0 };
                let gun = unit.data().arm == Arm::Fortress;
                (
                    x + if gun { 0.0 } else { 9.0 + fan * 5.0 },
                    y + if gun { behind } else { behind - 9.0 - fan * 5.0 },
                )
            }
            Place::Green(point) => {
                let (x, y) = spot(GROUND.green(point));
                (x + fan * 6.0, y - fan * 5.0)
            }
            Place::Kalke => {
                let (x, y) = spot(GROUND.kalke_guns);
                (x - 8.0 + fan * 11.0, y + 6.0 + (fan % 2.0) * 9.0)
            }
            Place::KalkeBox => {
                let (x, y) = at(130.0, 720.0);
                (x + fan * 26.0, y)
            }
            _ => continue,
        };
        counter(svg, table, unit, (x, y));
    }
}

/// One counter: the sign of the arm and the steps; a gun points where it looks; out of order it is
/// hollow and tilted.
fn counter(svg: &mut String, table: &Table, unit: UnitId, (x, y): Point) {
    let (state, data) = (table.unit(unit), unit.data());
    let broken = state.is_disordered() || state.marks.has(Marks::DAMAGED);
    let class = if broken { "broken" } else { "whole" };
    let label = data.label.replace('&', "&amp;").replace('<', "&lt;");
    let _ = write!(
        svg,
        "<g class='{class}' transform='translate({x:.1} {y:.1})'><title>{} {label} {}/{}</title>",
        data.code, state.steps, data.steps
    );
    if data.arm.is_artillery() {
        let facing = match state.place {
            Place::Work(id) => table.siege.work(id).map_or(90, |work| work.pose.facing.get()),
            Place::Concentration => 0,
            _ => state.facing,
        };
        let turn = -f64::from(facing) + if broken { 14.0 } else { 0.0 };
        let body = match data.arm {
            Arm::Siege24 => 12.0,
            Arm::Mortar => 6.0,
            _ => 9.5,
        };
        let _ = write!(
            svg,
            "<g transform='rotate({turn:.1})'><rect class='shadow' x='-9.1' y='-6.1' width='20' height='14' rx='1.4'/>\
             <rect class='body' fill='{}' x='-10' y='-7' width='20' height='14' rx='1.4'/>\
             <path class='mark' stroke-width='2.2' d='M-4 0h{body}'/><circle class='mark' cx='-3' cy='-3.9' r='2.1'/>\
             <circle class='mark' cx='-3' cy='3.9' r='2.1'/></g></g>",
            colour(data.nation)
        );
        return;
    }
    let turn = if broken { 14 } else { 0 };
    let _ = write!(
        svg,
        "<g transform='rotate({turn})'><rect class='shadow' x='-9.1' y='-6.1' width='20' height='14' rx='1.2'/>\
         <rect class='body' fill='{}' x='-10' y='-7' width='20' height='14' rx='1.2'/>\
         <path class='mark' stroke-opacity='.45' d='M-10 -7L10 7M10 -7L-10 7'/></g>\
         <text class='steps' y='2.6'>{}</text></g>",
        colour(data.nation),
        state.steps
    );
}

fn frame(svg: &mut String) {
    let _ = write!(
        svg,
        "<rect class='frame' stroke-width='1.6' width='{WIDTH}' height='{HEIGHT}'/>\
         <rect class='frame' stroke-width='.6' x='-6' y='-6' width='{:.1}' height='{:.1}'/>",
        WIDTH + 12.0,
        HEIGHT + 12.0
    );
    let mut ticks = String::new();
    for hundred in 1..28 {
        let x = f64::from(hundred) * 100.0 * SCALE;
        let _ = write!(ticks, "M{x:.1} -6v6M{x:.1} {HEIGHT:.1}v6");
    }
    for hundred in 1..20 {
        let y = f64::from(hundred) * 100.0 * SCALE;
        let _ = write!(ticks, "M-6 {y:.1}h6M{WIDTH:.1} {y:.1}h6");
    }
    let _ = write!(svg, "<path class='frame' stroke-width='.6' d='{ticks}'/>");
}

/// The title of the sheet; with a table also its turn and stores.
fn cartouche(svg: &mut String, table: Option<&Table>, lang: Lang) {
    let fact = |name, value: i64| Fact { name, value: Measure::Number(value) };
    let title = speak(phrase::MAP_TITLE, &[], lang);
    let sub = table.map_or_else(
        || speak(phrase::MAP_NAME, &[], lang),
        |table| {
            let facts = [fact("turn", table.turn.into()), fact("morale", table.danzig.morale.into())];
            speak(phrase::MAP_SUBTITLE, &facts, lang)
        },
    );
    let stores = table.map_or_else(String::new, |table| {
        let facts = [
            fact("heavy", table.danzig.ammunition_24.into()),
            fact("light", table.danzig.ammunition_12.into()),
            fact("repairs", table.danzig.repair_pool.into()),
        ];
        speak(phrase::MAP_STORES, &facts, lang)
    });
    let _ = write!(
        svg,
        "<g transform='translate({:.1} {:.1})'><rect class='paper' width='292' height='104'/>\
         <rect class='frame' stroke-width='1.1' width='292' height='104'/><rect class='frame' stroke-width='.5' x='4' \
         y='4' width='284' height='96'/><text class='title' x='146' y='33'>{title}</text>\
         <text class='sub' x='146' y='52'>{sub}</text><text class='sub' x='146' y='69'>{stores}</text>\
         <path class='frame' stroke-width='2.6' d='M62 86h{:.1}'/><text class='sub' x='236' y='90'>300 m</text></g>",
        WIDTH - 314.0,
        HEIGHT - 126.0,
        300.0 * SCALE
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::siege::{Build, Facing, Pose};

    /// A siege well under way.
    fn busy() -> Table {
        use WorkKind::{Battery, Parallel, Sap};
        use kernel::Game as _;
        let mut table = crate::State::start(&kernel::Setup::default()).unwrap().table;
        table.turn = 9;
        table.danzig.morale = 11;
        (table.danzig.ammunition_24, table.danzig.ammunition_12) = (23, 121);
        table.danzig.may_build = true;
        for (point, level) in [("H4", 14), ("H5", 7), ("H6", 16), ("h5", 12), ("H3", 19)] {
            table.siege.wall_mut(WallId::of_code(point).unwrap()).level = level;
        }
        let mut desk = kernel::Desk::new(kernel::Scripted::new(&[]), kernel::Silent);
        let mut free = UnitId::all()
            .filter(|unit| unit.side() == Side::French && unit.data().level == crate::Level::Battalion);
        let plan = [
            (Sap, 700, 550),
            (Sap, 700, 650),
            (Sap, 1000, 550),
            (Sap, 1000, 650),
            (Battery, 650, 725),
            (Parallel, 750, 725),
            (Parallel, 850, 725),
            (Parallel, 950, 725),
            (Battery, 1050, 725),
            (Sap, 750, 800),
            (Sap, 750, 900),
            (Sap, 950, 800),
            (Sap, 950, 900),
            (Parallel, 800, 975),
            (Parallel, 900, 975),
            (Battery, 700, 975),
            (Battery, 1000, 975),
            (Sap, 800, 1050),
            (Sap, 900, 1050),
            (Battery, 750, 1125),
            (Battery, 850, 1125),
            (Battery, 950, 1125),
            (Parallel, 650, 1125),
            (Sap, 850, 1200),
            (Battery, 850, 1275),
        ];
        let mut work_of = Vec::new();
        for (kind, x, y) in plan {
            table.danzig.construction = 10;
            let worker = free.next().unwrap();
            table.unit_mut(worker).place = Place::Concentration;
            let pose = Pose::new(Spot::metres(x, y), Facing::CITY);
            let build = Build::New { kind, pose, worker };
            crate::siege::check_build(&table, &build).unwrap();
            let exposure = crate::siege::begin_build(&mut table, &build, &mut desk);
            crate::siege::arrive(&mut table, &exposure, &mut desk);
            work_of.push(table.unit(worker).place);
            // Most go back to rest.
            if y % 3 != 0 {
                table.unit_mut(worker).place = Place::Concentration;
            }
        }
        for (at, arm) in [
            (19, Arm::Siege24),
            (20, Arm::Siege24),
            (21, Arm::Siege12),
            (15, Arm::Siege12),
            (4, Arm::Mortar),
            (16, Arm::FieldArtillery),
        ] {
            let gun = UnitId::all()
                .find(|u| {
                    u.data().arm == arm && u.side() == Side::French && table.unit(*u).place == Place::Away
                })
                .unwrap();
            table.unit_mut(gun).place = work_of[at];
        }
        for (number, unit) in UnitId::of_side(Side::Prussian).enumerate() {
            let points = ["H2", "H4", "H6", "H8", "h3", "h5", "h7", "B2", "B5", "b3", "H7", "H3"];
            let place = match unit.data().arm {
                Arm::Fortress => Place::Wall(WallId::of_code(points[number % 12]).unwrap()),
                Arm::Infantry if number < 8 => Place::Wall(WallId::of_code(points[number]).unwrap()),
                Arm::Infantry if number < 22 => Place::Reserve,
                _ => continue,
            };
            let state = table.unit_mut(unit);
            (state.place, state.facing) = (place, 270);
        }
        table.siege.kalke.damage = [0, 2, 3];
        let hurt = table.siege.all_works().nth(13).unwrap().0;
        table.siege.work_mut(hurt).unwrap().damaged = true;
        table
    }

    #[test]
    fn the_drawing_is_well_formed_and_shows_what_stands() {
        let svg = siege(&busy(), Lang::Fr);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf "));
        assert!(svg.contains("Siège de Dantzig"));
        assert_eq!(svg.matches("class='level").count(), 36);
        assert_eq!(svg.matches("class='level worn").count(), 4);
        assert_eq!(svg.matches("class='level french").count(), 1);
        assert_eq!(svg.matches("class='hurt'").count(), 2, "its spoil and its trench");
        assert_eq!(svg.matches("class='slope'").count(), 5, "every point that was hit shows it");
        assert!(svg.contains("side hurt") && svg.contains("side gone"));
        if let Some(folder) = std::env::var_os("GLACIS_DRAWINGS") {
            std::fs::write(std::path::Path::new(&folder).join("siege.svg"), &svg).unwrap();
        }
    }

    #[test]
    fn nothing_stands_on_the_printed_ground() {
        let svg = ground(Lang::En);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert!(!svg.contains("class='body'") && !svg.contains("class='level"));
        assert_eq!(metres(Spot::metres(1000, 500)), (1000.0, 1500.0));
        assert_eq!((METRES, MARGIN), ((2800.0, 2000.0), (40.0, 44.0)));
    }
}
