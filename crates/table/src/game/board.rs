//! The two maps: the ground below, what stands on it above, every thing with a spoken name.

use std::fmt::Write;

use danzig::ops::{Heading, Hex, has_facing, heading, map};
use danzig::siege::{Fine, GROUND, INTACT, Mine, Spot, WallId, WorkKind};
use danzig::{Arm, Marks, Nation, Place, Side, State, UnitId};
use maud::{Markup, html};
use rulebook::phrase::board as words;

use super::choice::{hex_name, place_name, unit_name, unit_thing, work_name};
use crate::reader::Reader;

/// Size of the sheet of the operational map.
pub(crate) const OPS: (f64, f64) = (1170.0, 990.0);
/// Size of the sheet of the siege map, in metres.
pub(crate) const SIEGE: (f64, f64) = (2800.0, 2000.0);
/// Distance between neighbouring hexes on the sheet.
const HEX: f64 = 26.0;

/// The centre of a hex on the sheet of the operational map.
pub(crate) fn hex_centre(hex: Hex) -> (f64, f64) {
    let (x, y) = hex.centre();
    (20.0 + x * HEX - 9.0, 22.0 + 946.0 + 15.0 - y * HEX)
}

/// A spot on the sheet of the siege map: metres, downwards.
pub(crate) fn on_sheet(spot: Spot) -> (f64, f64) {
    (f64::from(spot.x) / 10.0, SIEGE.1 - f64::from(spot.y) / 10.0)
}

#[allow(clippy::cast_precision_loss, reason = "a map is three kilometres wide")]
fn fine(place: Fine) -> (f64, f64) {
    let unit = (Spot::new(1, 0).fine().x * 10) as f64;
    (place.x as f64 / unit, SIEGE.1 - place.y as f64 / unit)
}

const fn nation_class(nation: Nation) -> &'static str {
    match nation {
        Nation::Baden => "baden",
        Nation::France => "france",
        Nation::Poland => "poland",
        Nation::Saxony => "saxony",
        Nation::Prussia => "prussia",
        Nation::Russia => "russia",
    }
}

/// The spoken name of a counter: who, how strong, in what state, where.
fn counter_name(reader: &Reader, state: &State, unit: UnitId) -> String {
    let counter = state.table.unit(unit);
    let nation =
        rulebook::speak_key(&format!("board-nation-{}", nation_class(unit.data().nation)), reader.lang);
    let arm = rulebook::speak_key(&format!("board-arm-{}", arm_word(unit.data().arm)), reader.lang);
    let mut name = format!("{}, {nation}, {arm}, {}/{}", unit_name(unit), counter.steps, counter.most);
    if counter.is_disordered() {
        let _ = write!(name, ", {}", reader.say(words::DISORDERED));
    }
    if counter.marks.has(Marks::DAMAGED) {
        let _ = write!(name, ", {}", reader.say(words::DAMAGED));
    }
    if counter.marks.has(Marks::WORKER) {
        let _ = write!(name, ", {}", reader.say(words::WORKER));
    }
    let _ = write!(name, ", {}", place_name(reader, state, counter.place));
    name
}

const fn arm_word(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "infantry",
        Arm::LightCavalry => "light-cavalry",
        Arm::HeavyCavalry => "heavy-cavalry",
        Arm::FieldArtillery => "field-artillery",
        Arm::Siege24 => "siege24",
        Arm::Siege12 => "siege12",
        Arm::Mortar => "mortar",
        Arm::Fortress => "fortress",
    }
}

/// The sign of an arm inside a counter of 20 by 14.
const fn sign(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "M-9 -6L9 6M9 -6L-9 6",
        Arm::LightCavalry => "M-9 6L9 -6",
        Arm::HeavyCavalry => "M-9 6L9 -6M-9 2L3 -6M-3 6L9 -2",
        Arm::FieldArtillery => "M-6 3h12M-3 3v-5h6v5",
        Arm::Siege24 => "M-7 -1h14M-7 1h14M-4 4a2 2 0 1 0 .1 0M4 4a2 2 0 1 0 .1 0",
        Arm::Siege12 => "M-6 0h12M-3 3a2 2 0 1 0 .1 0M3 3a2 2 0 1 0 .1 0",
        Arm::Mortar => "M-3 4L0 -4L3 4Z",
        Arm::Fortress => "M-7 3V-2h3v2h3v-2h2v2h3v-2h3v5Z",
    }
}

struct Sheet<'a> {
    reader: &'a Reader,
    state: &'a State,
}

impl Sheet<'_> {
    /// One counter. A tilted, hollow one is out of order; a broken outline is damaged.
    fn counter(&self, unit: UnitId, (x, y): (f64, f64), scale: f64, turn: Option<f64>) -> Markup {
        let counter = self.state.table.unit(unit);
        let mut class = format!("counter n-{}", nation_class(unit.data().nation));
        if counter.is_disordered() {
            class.push_str(" disordered");
        }
        if counter.marks.has(Marks::DAMAGED) {
            class.push_str(" damaged");
        }
        let label = counter_name(self.reader, self.state, unit);
        let steps = if unit.data().arm.is_artillery() { String::new() } else { counter.steps.to_string() };
        html! {
            g class=(class) data-thing=(unit_thing(unit)) tabindex="-1" role="button" aria-label=(label)
                transform=(format!("translate({x:.1} {y:.1}) scale({scale})")) {
                title { (label) }
                @if let Some(turn) = turn { path.nose d="M-4 -8h8l-4 -5Z" transform=(format!("rotate({turn:.0})")) {} }
                rect.shadow x="-9.200" y="-6.200" width="20" height="14" rx="1.500" {}
                rect.body x="-10" y="-7" width="20" height="14" rx="1.500" {}
                path.sign d=(sign(unit.data().arm)) {}
                @if counter.marks.has(Marks::WORKER) { circle.spade cx="8" cy="-6" r="2.500" {} }
                @if !steps.is_empty() { circle.pip cx="0" cy="0" r="4.600" {} text.steps y="2.600" { (steps) } }
            }
        }
    }
}

/// What stands on the operational map.
pub(crate) fn operational(reader: &Reader, state: &State) -> Markup {
    let sheet = Sheet { reader, state };
    let mut hexes: Vec<(Hex, Vec<UnitId>)> = Vec::new();
    for unit in UnitId::all() {
        if let Place::Hex(hex) = state.table.unit(unit).place {
            match hexes.iter_mut().find(|(known, _)| *known == hex) {
                Some((_, stack)) => stack.push(unit),
                None => hexes.push((hex, vec![unit])),
            }
        }
    }
    hexes.sort_by_key(|(hex, _)| (std::cmp::Reverse(hex.row()), hex.column()));
    html! {
        (signs(state))
        @for (hex, stack) in &hexes {
            g.stack data-hex=(hex) {
                @for (place, unit) in stack.iter().enumerate() {
                    @let lift = f64::from(u16::try_from(place).unwrap_or(0));
                    @let (x, y) = hex_centre(*hex);
                    @let counter = state.table.unit(*unit);
                    @let turn = has_facing(counter).then(|| f64::from(heading(counter) as u8) * 60.0);
                    (sheet.counter(*unit, (x + lift * 3.5, y - lift * 4.5), 0.95, turn))
                }
            }
        }
    }
}

fn signs(state: &State) -> Markup {
    let map = map();
    html! {
        @for (place, hex) in map.stars.iter().enumerate() {
            @let (x, y) = hex_centre(*hex);
            @let held = state.table.ops.stars & (1 << place) != 0;
            path class=(if held { "star held" } else { "star" }) d=(star(x + 8.0, y - 7.0)) {}
        }
        @for (place, hex) in map.redoubts.iter().enumerate() {
            @let (x, y) = hex_centre(*hex);
            @if state.table.ops.redoubts & (1 << place) != 0 {
                path.redoubt d=(format!("M{:.1} {y:.1}l8 -5l8 5v8h-16Z", x - 8.0)) {}
            }
        }
        @if let Some((a, b)) = state.table.ops.bridge {
            @let ((ax, ay), (bx, by)) = (hex_centre(a), hex_centre(b));
            path.bridge d=(format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1}")) {}
        }
    }
}

fn star(x: f64, y: f64) -> String {
    let mut path = String::new();
    for point in 0..10 {
        let angle = f64::from(point) * std::f64::consts::PI / 5.0;
        let far = if point % 2 == 0 { 5.0 } else { 2.1 };
        let letter = if point == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{:.1} {:.1}", x + far * angle.sin(), y - far * angle.cos());
    }
    path + "Z"
}

fn polygon(points: &[Fine]) -> String {
    let mut path = String::new();
    for (place, point) in points.iter().enumerate() {
        let (x, y) = fine(*point);
        let _ = write!(path, "{}{x:.0} {y:.0}", if place == 0 { 'M' } else { 'L' });
    }
    path + "Z"
}

/// What stands on the siege map: walls with their levels, works, counters.
pub(crate) fn siege(reader: &Reader, state: &State) -> Markup {
    let sheet = Sheet { reader, state };
    html! {
        @for (id, work) in state.table.siege.all_works() {
            @let corners = work.rect().corners();
            @let label = work_label(reader, state, id, work.damaged);
            g class=(if work.damaged { "work damaged" } else { "work" }) data-thing={ "k:" (id.0) } tabindex="-1" role="button" aria-label=(label) {
                title { (label) }
                path.dug d=(polygon(&corners)) {}
                @let (a, b) = work.rect().front();
                @let ((ax, ay), (bx, by)) = (fine(a), fine(b));
                path.spoil d=(format!("M{ax:.0} {ay:.0}L{bx:.0} {by:.0}")) {}
                @if work.kind == WorkKind::Battery {
                    @let (x, y) = on_sheet(work.pose.at);
                    circle.platform cx=(format!("{x:.0}")) cy=(format!("{y:.0}")) r="14" {}
                }
            }
        }
        @if let Mine::Dug { pose, .. } = state.table.siege.mine {
            path.mine d=(polygon(&pose.rect(WorkKind::Sap).corners())) {}
        }
        @for id in WallId::all() { (wall_point(reader, state, id)) }
        (groups(&sheet))
    }
}

fn work_label(reader: &Reader, state: &State, id: danzig::siege::WorkId, damaged: bool) -> String {
    let mut label = work_name(reader, state, id);
    if damaged {
        let _ = write!(label, ", {}", reader.say(words::DAMAGED));
    }
    for unit in UnitId::all().filter(|unit| state.table.unit(*unit).place == Place::Work(id)) {
        let _ = write!(label, ", {}", unit_name(unit));
    }
    label
}

/// A wall point with its level as a ring that empties.
fn wall_point(reader: &Reader, state: &State, id: WallId) -> Markup {
    let point = state.table.siege.wall(id);
    let (x, y) = on_sheet(GROUND.point(id));
    let share = f64::from(point.level) / f64::from(INTACT);
    let round = 2.0 * std::f64::consts::PI * 19.0;
    let held =
        if point.holder == Side::French { reader.say(words::FRENCH) } else { reader.say(words::PRUSSIAN) };
    let label = format!(
        "{} {}, {} {}/{INTACT}, {held}",
        reader.say(words::WALL),
        id.code(),
        reader.say(words::LEVEL),
        point.level
    );
    html! {
        g class=(if point.holder == Side::French { "point french" } else { "point" }) data-thing={ "w:" (id.code()) } tabindex="-1" role="button"
            aria-label=(label) transform=(format!("translate({x:.0} {y:.0})")) {
            title { (label) }
            circle.ground r="23" {}
            circle.gauge-ground r="19" {}
            circle.gauge r="19" transform="rotate(-90)" stroke-dasharray=(format!("{:.1} {round:.1}", share * round)) {}
            text.level y="7" { (point.level) }
        }
    }
}

/// Counters of the siege map, laid out beside what they stand on.
fn groups(sheet: &Sheet<'_>) -> Markup {
    let state = sheet.state;
    let mut placed: Vec<(UnitId, (f64, f64))> = Vec::new();
    let (mut reserve, mut zone, mut kalke, mut boxed) = (0_u16, 0_u16, 0_u16, 0_u16);
    for unit in UnitId::all() {
        let place = state.table.unit(unit).place;
        let beside = |(x, y): (f64, f64), dx: f64, dy: f64| {
            let same = placed.iter().filter(|(other, _)| state.table.unit(*other).place == place).count();
            let step = f64::from(u16::try_from(same).unwrap_or(0));
            (x + dx + step * 14.0, y + dy - step * 34.0)
        };
        let row = |count: &mut u16, per_row: u16, (x, y): (f64, f64)| {
            let at = *count;
            *count += 1;
            (x + f64::from(at % per_row) * 66.0, y + f64::from(at / per_row) * 48.0)
        };
        let at = match place {
            Place::Wall(point) => beside(on_sheet(GROUND.point(point)), 26.0, -34.0),
            Place::Green(point) => beside(on_sheet(GROUND.green(point)), 0.0, 0.0),
            Place::Work(id) => match state.table.siege.work(id) {
                Some(work) => beside(on_sheet(work.pose.at), 0.0, 0.0),
                None => continue,
            },
            Place::Open(spot) => beside(on_sheet(spot), 0.0, 0.0),
            Place::Reserve => row(&mut reserve, 10, (1020.0, 115.0)),
            Place::Concentration => row(&mut zone, 18, (230.0, 1690.0)),
            Place::Kalke => {
                let (x, y) = on_sheet(GROUND.kalke_guns);
                row(&mut kalke, 3, (x - 50.0, y - 20.0))
            }
            Place::KalkeBox => {
                let (x, y) = on_sheet(GROUND.kalke_guns);
                row(&mut boxed, 2, (x - 30.0, y + 120.0))
            }
            _ => continue,
        };
        placed.push((unit, at));
    }
    html! {
        @for (unit, at) in &placed {
            @let counter = state.table.unit(*unit);
            @let turn = unit.data().arm.is_artillery().then(|| 90.0 - f64::from(counter.facing));
            @let emplaced = matches!(counter.place, Place::Wall(_) | Place::Work(_) | Place::Kalke);
            (sheet.counter(*unit, *at, 2.9, turn.filter(|_| emplaced)))
        }
    }
}

/// The spoken names of all hexes, by number, for the keyboard: terrain, height, name.
pub(crate) fn hex_names(reader: &Reader) -> String {
    let map = map();
    let names: serde_json::Map<String, serde_json::Value> = Hex::all()
        .map(|hex| {
            let terrain = format!("{:?}", map.terrain(hex)).to_lowercase();
            let mut name = format!(
                "{}, {}",
                hex_name(hex),
                rulebook::speak_key(&format!("board-terrain-{terrain}"), reader.lang)
            );
            if map.cell(hex).level > 0 {
                let _ = write!(name, ", {} {}", reader.say(words::HEIGHT), map.cell(hex).level);
            }
            let (x, y) = hex_centre(hex);
            (hex.to_string(), serde_json::json!([x.round(), y.round(), name]))
        })
        .collect();
    serde_json::Value::Object(names).to_string()
}

/// The heading of a neighbour.
pub(crate) fn towards(from: Hex, to: Hex) -> Option<Heading> {
    from.towards(to)
}
