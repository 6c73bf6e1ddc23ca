//! The operational map from the table: the engraved ground, what has been built on it, and the
//! counters with strength, state and facing.

use std::fmt::Write as _;

use kernel::{Fact, Measure};
use rulebook::{Lang, phrase::danzig_ops as phrase, speak};

use super::chart::CHART;
use super::ink::{HEIGHT, HEX, Point, WIDTH, centre, path};
use super::sheet::{self, Scale};
use crate::ops::{Field, Hex, has_facing, heading, map};
use crate::{Arm, Formation, Nation, Table, UnitId};

const STYLE: &str = "\
.height{fill:#e9dcb9;fill-opacity:.55}.wood{fill:#c9cf9f;fill-opacity:.6}\
.marsh{fill:#d3ddcb;fill-opacity:.65}.hachure{stroke:#5b4a33;stroke-width:.55;stroke-opacity:.62;fill:none}\
.crown{fill:#a9b67c;stroke:#56633a;stroke-width:.45}.shade{fill:none;stroke:#3f4a2a;stroke-width:.7}\
.tuft{fill:none;stroke:#5d7f76;stroke-width:.5}.furrow{fill:none;stroke:#a5935b;stroke-width:.55}\
.sea{fill:#cfdcd8}.coast{fill:none;stroke:#3b3325;stroke-width:1.1}.wave{fill:none;stroke:#7e9ea1;stroke-opacity:.75}\
.w3{stroke-width:5}.w3i{stroke-width:4;stroke:#cfdcd8;stroke-opacity:1}.w4{stroke-width:12;stroke-opacity:.55}\
.w4i{stroke-width:11.1;stroke:#cfdcd8;stroke-opacity:1}.w5{stroke-width:21;stroke-opacity:.4}\
.w5i{stroke-width:20.2;stroke:#cfdcd8;stroke-opacity:1}\
.bank{fill:none;stroke:#3b3325;stroke-width:9.4;stroke-linecap:round;stroke-linejoin:round}\
.river{fill:none;stroke:#b9cfd1;stroke-width:7.6;stroke-linecap:round;stroke-linejoin:round}\
.current{fill:none;stroke:#6f929a;stroke-width:.5;stroke-dasharray:14 6 3 6}\
.stream{fill:none;stroke:#5f8790;stroke-width:1.7;stroke-linecap:round}\
.zone{fill:url(#hatch)}.limit{fill:none;stroke:#a8402f;stroke-width:.7;stroke-dasharray:2 3;stroke-opacity:.7}\
.lattice{fill:none;stroke:#6b5a3a;stroke-width:.4;stroke-opacity:.2}\
.road{fill:none;stroke:#4a3a24;stroke-width:3.4;stroke-linecap:round}.roadbed{fill:none;stroke:#f7f0de;stroke-width:1.9;stroke-linecap:round}\
.track{fill:none;stroke:#4a3a24;stroke-width:1.3;stroke-dasharray:5 3}.ferry{fill:none;stroke:#3b3325;stroke-width:.9;stroke-dasharray:1.5 2.5}\
.boat{fill:#4a3a24}.house{fill:#b98a72;stroke:#5a2f22;stroke-width:.5}\
.ditch{fill:none;stroke:#9dbcc0;stroke-width:9;stroke-linejoin:round}.small{stroke-width:5}\
.town{fill:#ead3c2}.block{fill:#c9937c;stroke:#8a4b38;stroke-width:.4}\
.rampart{fill:none;stroke:#7b2f22;stroke-width:3.2;stroke-linejoin:miter}.bastion{fill:#dfae94;stroke:#7b2f22;stroke-width:.9}\
.camp{fill:#e6cfb0;fill-opacity:.5}.campline{fill:none;stroke:#7b5a2c;stroke-width:2}.tick{stroke:#7b5a2c;stroke-width:.7}\
.star{fill:#2f5a93;stroke:#1d3350;stroke-width:.5}.star.open{fill:#f5edd9;stroke:#2f5a93;stroke-width:1}\
.redoubt{fill:none;stroke:#4a3a24;stroke-width:.9;stroke-dasharray:2 1.6}.redoubt.built{fill:#b08a55;stroke-width:1.3;stroke-dasharray:none}\
.arrow{fill:#b23a2a}.bridge{fill:none;stroke:#3b3325;stroke-width:5}.planks{fill:none;stroke:#d9c294;stroke-width:3.4;stroke-dasharray:1.6 .9}\
.entry{fill:#4a3a24}.place{font:italic 11.5px Palatino,Georgia,serif;fill:#3b3325;text-anchor:middle;paint-order:stroke;stroke:#f5edd9;stroke-width:2.4;stroke-linejoin:round}\
.wide{font-size:17px;letter-spacing:5px;fill:#5c7f86;stroke:none}.towntext{font-size:16px;font-style:normal;letter-spacing:7px;fill:#4a1a10;stroke:#ead3c2;stroke-width:4}\
.body{stroke:#1c1812;stroke-width:.8}.mark{fill:none;stroke:#fdf8ea;stroke-width:1}.dot{fill:#fdf8ea}\
.steps{font:600 7.5px 'DejaVu Sans',Arial,sans-serif;fill:#fdf8ea;text-anchor:middle}.nose{fill:#1c1812}\
.broken .body{fill-opacity:.12;stroke-dasharray:2.5 1.5;stroke-width:1.2}.broken .steps{fill:#1c1812}.broken .mark{stroke:#1c1812}.broken .dot{fill:#1c1812}\
.shadow{fill:#2e2619;fill-opacity:.28}\
@media (prefers-color-scheme:dark){.height{fill:#2a3643}.wood{fill:#2c3b34}.marsh{fill:#24363d}\
.hachure,.coast,.road,.track{stroke:#cfd6d0}.roadbed{stroke:#1d2732}.sea{fill:#15202b}.w3i,.w4i,.w5i{stroke:#15202b}\
.river{stroke:#2f4a58}.place{fill:#dfe5dc;stroke:#1d2732}.town{fill:#33302f}.block{fill:#5d4238}\
.lattice{stroke:#cfd6d0}.bank{stroke:#cfd6d0}}";

/// The whole sheet: width and height.
pub const SHEET: (f64, f64) = (WIDTH + 2.0 * EDGE.0, HEIGHT + 2.0 * EDGE.1);
/// Distance between the centres of neighbouring hexes.
pub const STEP: f64 = HEX;
/// The paper around the frame: left and right, above and below.
const EDGE: (f64, f64) = (20.0, 22.0);

/// The centre of a hex, from the upper left corner of the sheet.
#[must_use]
pub fn hex_centre(hex: Hex) -> (f64, f64) {
    let (x, y) = centre(hex);
    (x + EDGE.0, y + EDGE.1)
}

/// Draws the operational map.
#[must_use]
pub fn operational(table: &Table, lang: Lang) -> String {
    drawing(lang, Some(table))
}

/// Draws the printed ground of the operational map, the same for every game: nothing stands on it.
#[must_use]
pub fn ground(lang: Lang) -> String {
    drawing(lang, None)
}

/// A window onto the printed ground between two hexes, at the lower left and the upper right.
pub(super) fn excerpt(lang: Lang, low: Hex, high: Hex) -> String {
    let ((x, foot), (end, y)) = (hex_centre(low), hex_centre(high));
    seen(lang, None, (x, y), (end - x, foot - y))
}

fn drawing(lang: Lang, table: Option<&Table>) -> String {
    seen(lang, table, (0.0, 0.0), SHEET)
}

/// The sheet, as much of it as can be seen from this corner.
fn seen(lang: Lang, table: Option<&Table>, (x, y): Point, (wide, high): Point) -> String {
    let mut svg = String::with_capacity(CHART.len() + 60_000);
    let (full_width, full_height) = SHEET;
    let _ = write!(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='{x} {y} {wide} {high}' width='{wide}' \
         height='{high}'><style>{STYLE}{}</style><defs><pattern id='hatch' width='5' height='5' \
         patternUnits='userSpaceOnUse' patternTransform='rotate(38)'><path d='M0 0V5' stroke='#b04a38' \
         stroke-width='.55' stroke-opacity='.5'/></pattern><clipPath id='map'><rect width='{WIDTH}' \
         height='{HEIGHT}'/></clipPath></defs><rect class='paper' width='{full_width}' height='{full_height}'/>\
         <g transform='translate({} {})'><rect class='sheet' width='{WIDTH}' height='{HEIGHT}'/>\
         <g clip-path='url(#map)'>",
        sheet::STYLE,
        EDGE.0,
        EDGE.1
    );
    svg.push_str(&CHART);
    printed(&mut svg);
    if let Some(table) = table {
        signs(&mut svg, table);
    }
    names(&mut svg, lang);
    if let Some(table) = table {
        counters(&mut svg, table, lang);
    }
    svg.push_str("</g>");
    sheet::frame(&mut svg, (WIDTH, HEIGHT), HEX * 2.0);
    cartouche(&mut svg, table, lang);
    svg.push_str("</g></svg>");
    svg
}

fn star_path((x, y): Point, size: f64) -> String {
    let points: Vec<Point> = (0..10)
        .map(|point| {
            let angle = f64::from(point) * std::f64::consts::PI / 5.0;
            let far = if point % 2 == 0 { size } else { size * 0.42 };
            (x + far * angle.sin(), y - far * angle.cos())
        })
        .collect();
    path(&points) + "Z"
}

/// Printed signs: stars, places for redoubts, arrows and entries.
fn printed(svg: &mut String) {
    let map = map();
    for &hex in &map.stars {
        let (x, y) = centre(hex);
        let _ = write!(svg, "<path class='star open' d='{}'/>", star_path((x + 8.0, y - 7.0), 5.0));
    }
    for &hex in &map.redoubts {
        let (x, y) = centre(hex);
        let _ = write!(svg, "<path class='redoubt' d='M{:.1} {:.1}l8 -5l8 5v8h-16Z'/>", x - 8.0, y);
    }
    for &hex in &map.red_arrows {
        let (x, y) = centre(hex);
        let _ = write!(
            svg,
            "<path class='arrow' d='M{:.1} {:.1}l4 -9l4 9l-2.6 -1v8h-2.8v-8Z'/>",
            x - 4.0,
            y + 1.0
        );
    }
    for (&hex, down) in map.west_entries.iter().map(|hex| (hex, false)).chain([(&map.east_entry, true)]) {
        let (x, y) = centre(hex);
        let (base, tip) = if down { (y - 9.0, 7.0) } else { (y + 9.0, -7.0) };
        let _ = write!(svg, "<path class='entry' d='M{:.1} {base:.1}h8l-4 {tip}Z'/>", x - 4.0);
    }
}

/// What has come of the printed signs: stars that are held, redoubts that are built, the bridge.
fn signs(svg: &mut String, table: &Table) {
    let map = map();
    let field = Field::of(table);
    for (place, &hex) in map.stars.iter().enumerate() {
        let (x, y) = centre(hex);
        if table.ops.stars & (1 << place) != 0 {
            let _ = write!(svg, "<path class='star' d='{}'/>", star_path((x + 8.0, y - 7.0), 5.0));
        }
    }
    for &hex in map.redoubts.iter().filter(|&&hex| field.redoubt(hex)) {
        let (x, y) = centre(hex);
        let _ = write!(svg, "<path class='redoubt built' d='M{:.1} {:.1}l8 -5l8 5v8h-16Z'/>", x - 8.0, y);
    }
    if let Some((a, b)) = table.ops.bridge {
        let d = path(&[centre(a), centre(b)].map(|p| toward(p, midpoint(centre(a), centre(b)), 0.55)));
        let _ = write!(svg, "<path class='bridge' d='{d}'/><path class='planks' d='{d}'/>");
    }
}

fn midpoint(a: Point, b: Point) -> Point {
    ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0)
}

fn toward(p: Point, q: Point, share: f64) -> Point {
    (p.0 + (q.0 - p.0) * share, p.1 + (q.1 - p.1) * share)
}

/// Each name once, beside its first hex.
fn names(svg: &mut String, lang: Lang) {
    let mut seen: Vec<String> = Vec::new();
    for hex in Hex::all() {
        let Some(name) = map().name(hex) else { continue };
        let sign_only = map().cell(hex).redoubt.is_some();
        let said = rulebook::name(name, lang);
        let short = said.split([',', '(']).next().unwrap_or(&said).trim().to_owned();
        if seen.contains(&short) || sign_only || name.ends_with("gate") || name.starts_with("ferry") {
            continue;
        }
        let at = if name == "Holm" { Hex::at(18, 19).unwrap_or(hex) } else { hex };
        let (x, y) = centre(at);
        let _ = write!(svg, "<text class='place' x='{x:.1}' y='{:.1}'>{short}</text>", y + 16.0);
        seen.push(short);
    }
    let (x, y) = centre(Hex::at(30, 18).unwrap_or_default());
    let city = speak(phrase::MAP_CITY, &[], lang);
    let _ = write!(svg, "<text class='place towntext' x='{x:.1}' y='{y:.1}'>{city}</text>");
    let sea = speak(phrase::MAP_SEA, &[], lang);
    let _ = write!(svg, "<text class='place wide' transform='translate(118 150) rotate(-38)'>{sea}</text>");
}

/// The colour of a nation.
const fn colour(nation: Nation) -> &'static str {
    match nation {
        Nation::France => "#2f4f8f",
        Nation::Poland => "#93293c",
        Nation::Saxony => "#3f6a3c",
        Nation::Baden => "#a77a24",
        Nation::Prussia => "#35363c",
        Nation::Russia => "#2b4638",
    }
}

fn counters(svg: &mut String, table: &Table, lang: Lang) {
    let field = Field::of(table);
    for hex in Hex::all() {
        for (place, unit) in field.at(hex).enumerate() {
            // A stack is fanned out, the first on top of it drawn last.
            let step = f64::from(u32::try_from(place).unwrap_or(0));
            let (x, y) = centre(hex);
            counter(svg, table, unit, (x + step * 4.0, y - step * 5.0), lang);
        }
    }
}

/// One counter: an oblong whose long side is the front of a line and the flank of a column, a nose
/// that shows the facing, the sign of the arm, and the steps. Out of order it is hollow and tilted.
fn counter(svg: &mut String, table: &Table, unit: UnitId, (x, y): Point, lang: Lang) {
    let state = table.unit(unit);
    let data = unit.data();
    let broken = state.is_disordered();
    let faces = has_facing(state);
    let turn = if broken {
        17.0
    } else if faces {
        f64::from(heading(state) as u8) * 60.0
    } else {
        0.0
    };
    let (wide, deep) = match (data.arm, state.formation) {
        (_, Formation::Line | Formation::Unlimbered) => (21.0, 10.0),
        (_, Formation::Square | Formation::Skirmish | Formation::Adapted) => (14.0, 14.0),
        _ => (12.0, 18.0),
    };
    let class = if broken { "broken" } else { "whole" };
    let (left, top) = (-wide / 2.0, -deep / 2.0);
    let _ = write!(
        svg,
        "<g class='{class}' transform='translate({x:.1} {y:.1})'><title>{} {} {}/{}</title><g transform='rotate({turn})'>\
         <rect class='shadow' x='{:.1}' y='{:.1}' width='{wide}' height='{deep}' rx='1.2'/>\
         <rect class='body' fill='{}' x='{left}' y='{top}' width='{wide}' height='{deep}' rx='1.2'/>",
        data.code,
        rulebook::name(data.label, lang).replace('&', "&amp;").replace('<', "&lt;"),
        state.steps,
        data.steps,
        left + 0.9,
        top + 0.9,
        colour(data.nation),
    );
    if faces && !broken {
        let _ = write!(svg, "<path class='nose' d='M-3 {top}h6l-3 -3.2Z'/>");
    }
    let sign = match data.arm {
        Arm::Infantry => {
            format!("M{left} {top}L{:.1} {:.1}M{:.1} {top}L{left} {:.1}", -left, -top, -left, -top)
        }
        Arm::LightCavalry | Arm::HeavyCavalry => format!("M{left} {:.1}L{:.1} {top}", -top, -left),
        _ => String::new(),
    };
    let _ = write!(svg, "<path class='mark' stroke-opacity='.45' d='{sign}'/>");
    if data.arm.is_artillery() {
        let _ = write!(svg, "<circle class='dot' cy='{:.1}' r='1.7'/>", top + 3.0);
    }
    let _ = write!(svg, "</g><text class='steps' y='2.8'>{}</text></g>", state.steps);
}

/// The title of the sheet; with a table also its turn.
fn cartouche(svg: &mut String, table: Option<&Table>, lang: Lang) {
    let title = speak(phrase::MAP_TITLE, &[], lang);
    let sub = table.map_or_else(
        || speak(phrase::MAP_NAME, &[], lang),
        |table| {
            let turn = [Fact { name: "turn", value: Measure::Number(table.turn.into()) }];
            speak(phrase::MAP_SUBTITLE, &turn, lang)
        },
    );
    let scale = Scale { division: HEX * 2.0, marks: &["0", "500", "1000 m"] };
    sheet::cartouche(svg, (WIDTH - 314.0, 22.0), &title, &[sub], &scale);
    sheet::rose(svg, (WIDTH - 52.0, HEIGHT - 52.0), 30.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Heading;
    use crate::ops::tests::{form, place, table};

    /// A table with a counter of each kind, in order and out of it.
    fn busy() -> Table {
        let mut table = table();
        table.turn = 6;
        for (code, hex, facing, formation) in [
            ("F01", 2607, Heading::East, Formation::Column),
            ("F04", 2506, Heading::SouthEast, Formation::Line),
            ("F08", 1812, Heading::East, Formation::Column),
            ("F32", 1711, Heading::SouthEast, Formation::Unlimbered),
            ("F45", 2603, Heading::East, Formation::Limbered),
            ("F20", 4114, Heading::East, Formation::Formed),
            ("F12", 3606, Heading::East, Formation::Square),
            ("F10", 1627, Heading::West, Formation::Adapted),
            ("L01", 2034, Heading::West, Formation::Column),
            ("P01", 1819, Heading::West, Formation::Column),
            ("P18", 2016, Heading::West, Formation::Line),
            ("P31", 1923, Heading::East, Formation::Formed),
            ("K01", 520, Heading::West, Formation::Column),
            ("K11", 520, Heading::West, Formation::Limbered),
        ] {
            let id = place(&mut table, code, hex, facing);
            form(&mut table, id, formation);
        }
        let broken = place(&mut table, "F05", 2304, Heading::West);
        table.unit_mut(broken).marks.set(crate::Marks::DISORDERED);
        table.unit_mut(broken).steps = 2;
        table.ops.stars = 0b10_1101;
        table.ops.redoubts = 0b1001;
        table.ops.bridge = Some((Hex::printed(1617), Hex::printed(1718)));
        table
    }

    #[test]
    fn the_drawing_is_well_formed_and_shows_what_stands() {
        let svg = operational(&busy(), Lang::Fr);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert!(!svg.contains("NaN") && !svg.contains("inf "));
        assert!(svg.contains("Siège de Dantzig") && svg.contains("tour 6"));
        assert_eq!(svg.matches("class='broken'").count(), 1);
        assert_eq!(svg.matches("class='whole'").count(), 14);
        assert_eq!(svg.matches("redoubt built").count(), 2);
        assert_eq!(svg.matches("class='star'").count(), 4);
        assert!(svg.contains("class='bridge'"));
        if let Some(folder) = std::env::var_os("GLACIS_DRAWINGS") {
            std::fs::write(std::path::Path::new(&folder).join("operational.svg"), &svg).unwrap();
        }
    }

    #[test]
    fn nothing_stands_on_the_printed_ground() {
        let svg = ground(Lang::En);
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        assert!(!svg.contains("class='body'") && !svg.contains("class='bridge'"));
        let (a, b) = (hex_centre(Hex::printed(2607)), hex_centre(Hex::printed(2608)));
        assert!(((a.0 - b.0).hypot(a.1 - b.1) - STEP).abs() < 0.01, "neighbours are a step apart");
    }

    #[test]
    fn the_same_table_is_drawn_the_same() {
        assert_eq!(operational(&busy(), Lang::En), operational(&busy(), Lang::En));
    }

    #[test]
    fn every_translated_name_is_on_a_counter_or_on_the_map() {
        let labels: Vec<&str> = UnitId::all().map(|unit| unit.data().label).collect();
        let places: Vec<&str> = Hex::all().filter_map(|hex| map().name(hex)).collect();
        for row in &rulebook::tables::glossary::NAMES {
            assert!(labels.contains(&row.en) || places.contains(&row.en), "{} is nowhere", row.en);
        }
        let french = ground(Lang::Fr);
        assert!(french.contains(">digue du Werder<") && !french.contains("Werder dike"));
        assert_eq!(french.matches(">fort de Weichselmünde<").count(), 1, "each name stands once");
    }
}
