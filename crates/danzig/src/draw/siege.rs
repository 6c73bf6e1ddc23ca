//! The siege map from the table: the engraved ground, the trenches as dug earth with the spoil before
//! them, ring gauges on the wall points, guns and battalions as counters.

use std::fmt::Write as _;

use kernel::{Fact, Measure};
use rulebook::{Lang, phrase::danzig_siege as phrase, speak};

use super::sheet::{self, Scale};
use super::siege_counters::counters;
use super::siege_ground::{GROUND_SVG, HEIGHT, Point, SCALE, WIDTH, at, spot};
pub use super::siege_works::{breach, dug_out, kalke, thrown_up};
use super::siege_works::{mine, trenches};
use crate::Table;
use crate::siege::{GROUND, INTACT, Spot, WallId};

const STYLE: &str = "\
.furrow{fill:none;stroke:#a5935b;stroke-width:.4;stroke-opacity:.55}\
.balk{fill:#e9e0b8;fill-opacity:.28;stroke:#a5935b;stroke-width:.4;stroke-opacity:.6}\
.zone{fill:#cdd3ab;fill-opacity:.62;stroke:#5f6f3a;stroke-width:1.1;stroke-dasharray:7 4}\
.tent{fill:#f8f2e0;stroke:#4c5530;stroke-width:.6;stroke-linejoin:round}.hilltop{fill:#ece2c4;fill-opacity:.7}\
.treeshade{fill:none;stroke:#4a5630;stroke-width:.7}.cast{fill:none;stroke:#4a4430;stroke-width:.5;stroke-opacity:.55}\
.bed{fill:#dfe0b8;stroke:#7d8052;stroke-width:.35;stroke-dasharray:1.2 .8}.roof{fill:none;stroke:#4f3527;stroke-width:.4}.bank{fill:none;stroke:#4f6f76;stroke-width:2.6}\
.village{fill:#e4d9bb;fill-opacity:.8;stroke:#8b7a52;stroke-width:.5;stroke-dasharray:1.5 2.5}.house{fill:#b98a72;stroke:#4f3527;stroke-width:.5}.tree{fill:#bcc692;stroke:#4f5c35;stroke-width:.45}\
.terreplein{fill:#ece0c6}.town{fill:#e7d2bf}.block{fill:#cb9a82;stroke:#8a4b38;stroke-width:.45}.ridge{fill:none;stroke:#8a4b38;stroke-width:.4}.court{fill:#ead9c2;stroke:#8a4b38;stroke-width:.3}.church{fill:#5a2418;stroke:#2e1109;stroke-width:.4}\
.lane{fill:none;stroke:#6b5334;stroke-width:4.2;stroke-linecap:round}.lanebed{fill:none;stroke:#f7f0de;stroke-width:2.8;stroke-linecap:round}.brook{fill:none;stroke:#bcd0d1;stroke-width:1.5}\
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
.use{font-size:14px;stroke:none;fill-opacity:.8}.wide{font-size:25px;letter-spacing:6px;fill:#55632f;stroke:none}.towntext{font-size:24px;font-style:normal;letter-spacing:13px;fill:#5a2418;stroke:none}\
.body{stroke:#1c1812;stroke-width:.8}.mark{fill:none;stroke:#fdf8ea;stroke-width:.9}.dot{fill:#fdf8ea}.shadow{fill:#2e2619;fill-opacity:.28}\
.steps{font:600 7px 'DejaVu Sans',Arial,sans-serif;fill:#fdf8ea;text-anchor:middle}\
.broken .body{fill-opacity:.12;stroke-dasharray:2.5 1.5}.broken .steps{fill:#1c1812}.broken .mark{stroke:#1c1812}.broken .dot{fill:#1c1812}\
.arc{fill:#8c2f22;fill-opacity:.07;stroke:#8c2f22;stroke-width:.4;stroke-opacity:.5;stroke-dasharray:3 3}.arc.french{fill:#27457c;stroke:#27457c}\
@media (prefers-color-scheme:dark){.hilltop{fill:#232f3a}.treeshade,.cast{stroke:#1b231b}.bed{fill:#2a352f;stroke:#55624a}.roof{stroke:#2b211c}.bank{stroke:#6f929a}.balk{fill:#26323d}.furrow,.balk{stroke:#5d6a66}.zone{fill:#2b3a33;stroke:#8fa177}\
.village{fill:#2b3036}.house{fill:#6b5548}.terreplein{fill:#242d37}.town{fill:#2f2d2e}.block{fill:#5d4238}.court{fill:#2c2a2b}.ridge,.court{stroke:#8d6a5b}.church{fill:#c79a86}.reserve{fill:#2a2f36}.lane{stroke:#8d9690}.lanebed{stroke:#252f3a}.brook{stroke:#4f7585}.printed,.box,.link{stroke:#b9ab90}.tree{fill:#4d5d42;stroke:#8a9a72}.tent{fill:#cfd6d0}\
.water{stroke:#2f4a58}.counterscarp{stroke:#cfd6d0}.hachure,.crest{stroke:#cfd6d0}.covered{stroke:#3a3f42}.rampart{stroke:#6d5246}.scarp{stroke:#c4a596}\
.place,.tiny{fill:#e8ece4}.place{stroke:#1d2732}.disc{fill:#2a333c}.count{fill:#e8ece4}.track{stroke:#4a535b}.schanze{fill:#3a3f42}}";

/// The style of what a diagram lays over the map.
const OVER: &str = "\
.arc{fill-opacity:.16}.ray{fill:none;stroke:#8c2f22;stroke-width:1.6;stroke-dasharray:6 4}\
.way{fill:none;stroke:#27457c;stroke-width:2.4}.shot{fill:#f9f2e0;stroke:#8c2f22;stroke-width:2}\
@media (prefers-color-scheme:dark){.ray{stroke:#ff9c8a}.way{stroke:#8fb4ff}.shot{fill:#2a333c;stroke:#ff9c8a}}";

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
    drawing(lang, Some(table))
}

/// Draws the printed ground of the siege map, the same for every game: nothing stands on it.
#[must_use]
pub fn ground(lang: Lang) -> String {
    drawing(lang, None)
}

/// A window onto the siege map, without its frame: from this corner of the sheet, so wide and so high,
/// with something laid over it.
pub(super) fn excerpt(
    table: &Table,
    lang: Lang,
    (x, y): Point,
    (width, height): Point,
    over: &str,
) -> String {
    let mut svg = String::with_capacity(GROUND_SVG.len() + 60_000);
    let _ = write!(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='{x:.1} {y:.1} {width:.1} {height:.1}' width='{:.0}' \
         height='{:.0}'><style>{STYLE}{}{OVER}</style><g><rect class='sheet' width='{WIDTH}' height='{HEIGHT}'/>",
        width * 2.0,
        height * 2.0,
        sheet::STYLE
    );
    scenery(&mut svg, lang, Some(table));
    svg.push_str(over);
    svg.push_str("</g></svg>");
    svg
}

/// What stands on the map, from the ground upwards.
fn scenery(svg: &mut String, lang: Lang, table: Option<&Table>) {
    svg.push_str(&GROUND_SVG);
    names(svg, lang);
    if let Some(table) = table {
        svg.push_str(&kalke(table));
        for id in WallId::all() {
            svg.push_str(&breach(table, id));
        }
        trenches(svg, table);
        mine(svg, table);
        gauges(svg, table);
        counters(svg, table, lang);
    }
}

fn drawing(lang: Lang, table: Option<&Table>) -> String {
    let mut svg = String::with_capacity(GROUND_SVG.len() + 60_000);
    let (full_width, full_height) = (WIDTH + 2.0 * EDGE.0, HEIGHT + 2.0 * EDGE.1);
    let _ = write!(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {full_width} {full_height}' width='{full_width}' \
         height='{full_height}'><style>{STYLE}{}</style><defs><clipPath id='sheet'><rect width='{WIDTH}' \
         height='{HEIGHT}'/></clipPath></defs><rect class='paper' width='{full_width}' height='{full_height}'/>\
         <g transform='translate({} {})'><rect class='sheet' width='{WIDTH}' height='{HEIGHT}'/>\
         <g clip-path='url(#sheet)'>",
        sheet::STYLE,
        EDGE.0,
        EDGE.1
    );
    scenery(&mut svg, lang, table);
    svg.push_str("</g>");
    sheet::frame(&mut svg, (WIDTH, HEIGHT), 100.0 * SCALE);
    cartouche(&mut svg, table, lang);
    svg.push_str("</g></svg>");
    svg
}

fn names(svg: &mut String, lang: Lang) {
    let mut name = |x: f64, y: f64, class: &str, text: &str| {
        let (x, y) = at(x, y);
        let _ = write!(svg, "<text class='place {class}' x='{x:.1}' y='{y:.1}'>{text}</text>");
    };
    name(870.0, 205.0, "wide", "ZIGANKENBERG");
    name(870.0, 165.0, "use", &speak(phrase::MAP_ZONE, &[], lang));
    name(1350.0, 1728.0, "use", &speak(phrase::MAP_RESERVE, &[], lang));
    name(1350.0, 1948.0, "towntext", &speak(phrase::MAP_CITY, &[], lang));
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

/// The title of the sheet; with a table also its turn and stores.
fn cartouche(svg: &mut String, table: Option<&Table>, lang: Lang) {
    let fact = |name, value: i64| Fact { name, value: Measure::Number(value) };
    let title = speak(phrase::MAP_TITLE, &[], lang);
    let lines = match table {
        None => vec![speak(phrase::MAP_NAME, &[], lang)],
        Some(Table { turn, danzig, .. }) => {
            let when = [fact("turn", (*turn).into()), fact("morale", danzig.morale.into())];
            let stores = [
                fact("heavy", danzig.ammunition_24.into()),
                fact("light", danzig.ammunition_12.into()),
                fact("repairs", danzig.repair_pool.into()),
            ];
            vec![speak(phrase::MAP_SUBTITLE, &when, lang), speak(phrase::MAP_STORES, &stores, lang)]
        }
    };
    let scale = Scale { division: 100.0 * SCALE, marks: &["0", "100", "200", "300 m"] };
    sheet::cartouche(svg, (WIDTH - 314.0, HEIGHT - 122.0), &title, &lines, &scale);
    sheet::rose(svg, (44.0, HEIGHT - 44.0), 25.0);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::siege::{Build, Facing, Pose, WorkKind};
    use crate::{Arm, Place, Side, UnitId};

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
