//! The two maps: the ground below, what stands on it above, every thing with a spoken name. The scale
//! is that of the drawings of `danzig::draw`: units of the sheet for the hexes, metres for the siege.

use std::fmt::Write;

use danzig::draw;
use danzig::ops::{Hex, has_facing, heading, map};
use danzig::siege::{Fine, GROUND, INTACT, Mine, Spot, WallId, WorkId, WorkKind};
use danzig::{Marks, Place, Side, State, UnitId};
use maud::{Markup, PreEscaped, html};
use rulebook::phrase::board as words;

use super::choice::{hex_label, unit_name, unit_thing, work_name};
use super::counter::{counter, counter_name};
use crate::reader::Reader;

/// Size of the sheet of the operational map.
pub(crate) const OPS: (f64, f64) = draw::ops::SHEET;
/// Size of the sheet of the siege map inside its frame, in metres.
pub(crate) const SIEGE: (f64, f64) = draw::siege::METRES;
/// The paper around it, in metres.
pub(crate) const MARGIN: (f64, f64) = draw::siege::MARGIN;
/// How large a counter is on the siege map.
const LARGE: f64 = 2.5;

/// The centre of a hex on the sheet of the operational map.
pub(crate) fn hex_centre(hex: Hex) -> (f64, f64) {
    draw::ops::hex_centre(hex)
}

/// A spot on the sheet of the siege map: metres, downwards.
pub(crate) fn on_sheet(spot: Spot) -> (f64, f64) {
    draw::siege::metres(spot)
}

fn fine(place: Fine) -> (f64, f64) {
    on_sheet(place.spot())
}

/// What stands on the operational map.
pub(crate) fn operational(reader: &Reader, state: &State) -> Markup {
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
            @let (x, y) = hex_centre(*hex);
            g.stack data-stack={ "h:" (hex) } data-at=(format!("{x:.1} {y:.1}")) data-size=(stack.len()) {
                @for (place, unit) in stack.iter().enumerate() {
                    @let lift = lift(place, stack.len());
                    @let held = state.table.unit(*unit);
                    @let turn = has_facing(held).then(|| f64::from(heading(held) as u8) * 60.0);
                    (counter(reader, state, *unit, (x + lift * 2.6, y - lift * 3.4), 1.15, turn))
                }
            }
        }
    }
}

/// How far a counter of a stack is shifted, so that the stack stays centred on its place.
fn lift(place: usize, size: usize) -> f64 {
    let number = |count: usize| f64::from(u16::try_from(count).unwrap_or(0));
    number(place) - number(size.saturating_sub(1)) / 2.0
}

fn signs(state: &State) -> Markup {
    let map = map();
    html! {
        @for (place, hex) in map.stars.iter().enumerate() {
            @if state.table.ops.stars & (1 << place) != 0 {
                @let (x, y) = hex_centre(*hex);
                path.star d=(star(x + 8.0, y - 7.0)) {}
            }
        }
        @for (place, hex) in map.redoubts.iter().enumerate() {
            @if state.table.ops.redoubts & (1 << place) != 0 {
                @let (x, y) = hex_centre(*hex);
                path.redoubt d=(format!("M{:.1} {y:.1}l8 -5l8 5v8h-16Z", x - 8.0)) {}
            }
        }
        @if let Some((a, b)) = state.table.ops.bridge {
            @let ((ax, ay), (bx, by)) = (hex_centre(a), hex_centre(b));
            @let line = format!("M{ax:.1} {ay:.1}L{bx:.1} {by:.1}");
            path.bridge d=(line) {}
            path.planks d=(line) {}
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

/// Something drawn in units of the sheet, on a board that counts in metres.
fn engraved(drawing: String) -> Markup {
    html! { g transform=(format!("scale({})", 1.0 / draw::siege::METRE)) { (PreEscaped(drawing)) } }
}

/// What stands on the siege map: walls with their levels, works, counters.
pub(crate) fn siege(reader: &Reader, state: &State) -> Markup {
    let works = || state.table.siege.all_works();
    html! {
        g.earth aria-hidden="true" {
            (engraved(draw::siege::kalke(&state.table)))
            (engraved(WallId::all().map(|id| draw::siege::breach(&state.table, id)).collect()))
            @for (_, work) in works() { g.hurt[work.damaged] { (engraved(draw::siege::thrown_up(work))) } }
            @for (_, work) in works() { g.hurt[work.damaged] { (engraved(draw::siege::dug_out(work))) } }
        }
        @for (id, work) in works() {
            @let label = work_label(reader, state, id);
            @let (x, y) = on_sheet(work.pose.at);
            g.work.battery[work.kind == WorkKind::Battery] data-thing={ "k:" (id.0) } data-at=(format!("{x:.0} {y:.0}"))
                tabindex="-1" role="img" aria-label=(label) {
                g aria-hidden="true" { title { (label) } path.outline d=(polygon(&work.rect().corners())) {} }
            }
        }
        @if let Mine::Dug { pose, .. } = state.table.siege.mine {
            path.mine d=(polygon(&pose.rect(WorkKind::Sap).corners())) {}
        }
        @for id in WallId::all() { (wall_point(reader, state, id)) }
        (groups(reader, state))
    }
}

fn work_label(reader: &Reader, state: &State, id: WorkId) -> String {
    let mut label = work_name(reader, state, id);
    let Some(work) = state.table.siege.work(id) else { return label };
    let _ = write!(label, ", {}°", work.pose.facing.get());
    if work.damaged {
        let _ = write!(label, ", {}", reader.say(words::DAMAGED));
    }
    for unit in UnitId::all().filter(|unit| state.table.unit(*unit).place == Place::Work(id)) {
        let _ = write!(label, ", {}", unit_name(reader, unit));
    }
    label
}

/// A wall point with its level as a ring that empties.
fn wall_point(reader: &Reader, state: &State, id: WallId) -> Markup {
    let point = state.table.siege.wall(id);
    let (x, y) = on_sheet(GROUND.point(id));
    let share = f64::from(point.level) / f64::from(INTACT);
    let round = 2.0 * std::f64::consts::PI * 17.0;
    let french = point.holder == Side::French;
    let held = reader.say(if french { words::FRENCH } else { words::PRUSSIAN });
    let mut label = format!(
        "{} {}, {} {}/{INTACT}, {held}",
        reader.say(words::WALL),
        id.code(),
        reader.say(words::LEVEL),
        point.level
    );
    for unit in UnitId::all().filter(|unit| state.table.unit(*unit).place == Place::Wall(id)) {
        let _ = write!(label, ", {}", unit_name(reader, unit));
    }
    html! {
        g.point.french[french].worn[point.level < INTACT] data-thing={ "w:" (id.code()) } tabindex="-1" role="img"
            aria-label=(label) transform=(format!("translate({x:.0} {y:.0})")) {
            g aria-hidden="true" {
                title { (label) }
                @if french { rect.ground x="-21" y="-21" width="42" height="42" rx="4" {} } @else { circle.ground r="21" {} }
                circle.gauge-ground r="17" {}
                circle.gauge r="17" transform="rotate(-90)" stroke-dasharray=(format!("{:.1} {round:.1}", share * round)) {}
                text.level y="6.500" { (point.level) }
                text.code y="34" { (id.code()) }
            }
        }
    }
}

/// A stack of the siege map: what it stands on, where it is drawn, who is in it.
type Stack = (Place, (f64, f64), Vec<UnitId>);

/// Where the counters of a place are drawn; nothing for those laid out one beside the other.
fn stack_place(state: &State, place: Place, side: Side) -> Option<(f64, f64)> {
    let (x, y) = match place {
        Place::Wall(point) => {
            // Behind the point, seen from its holder.
            let (x, y) = on_sheet(GROUND.point(point));
            (x, if side == Side::French { y + 44.0 } else { y - 42.0 })
        }
        Place::Green(point) => on_sheet(GROUND.green(point)),
        Place::Work(id) => on_sheet(state.table.siege.work(id)?.pose.at),
        Place::Open(spot) => on_sheet(spot),
        _ => return None,
    };
    Some((x, y))
}

/// Counters of the siege map, laid out beside what they stand on.
fn groups(reader: &Reader, state: &State) -> Markup {
    let mut stacks: Vec<Stack> = Vec::new();
    let (mut reserve, mut zone, mut kalke, mut boxed) = (0_u16, 0_u16, 0_u16, 0_u16);
    for unit in UnitId::all() {
        let place = state.table.unit(unit).place;
        if let Some(at) = stack_place(state, place, unit.side()) {
            match stacks.iter_mut().find(|(known, spot, _)| *known == place && *spot == at) {
                Some((_, _, stack)) => stack.push(unit),
                None => stacks.push((place, at, vec![unit])),
            }
            continue;
        }
        let row = |count: &mut u16, per_row: u16, (x, y): (f64, f64)| {
            let at = *count;
            *count += 1;
            (x + f64::from(at % per_row) * 60.0, y + f64::from(at / per_row) * 46.0)
        };
        let (gx, gy) = on_sheet(GROUND.kalke_guns);
        let at = match place {
            Place::Reserve => row(&mut reserve, 11, (1042.0, 112.0)),
            Place::Concentration => row(&mut zone, 20, (240.0, 1578.0)),
            Place::Kalke => row(&mut kalke, 3, (gx - 60.0, gy - 6.0)),
            Place::KalkeBox => row(&mut boxed, 2, (gx - 30.0, gy + 120.0)),
            _ => continue,
        };
        stacks.push((place, at, vec![unit]));
    }
    html! {
        @for (_, (x, y), stack) in &stacks {
            g.stack data-stack={ "u:" (stack.first().map(|unit| unit_thing(*unit)).unwrap_or_default()) }
                data-at=(format!("{x:.0} {y:.0}")) data-size=(stack.len()) {
                @for (place, unit) in stack.iter().enumerate() {
                    @let lift = lift(place, stack.len());
                    @let held = state.table.unit(*unit);
                    @let emplaced = matches!(held.place, Place::Wall(_) | Place::Work(_) | Place::Kalke);
                    @let facing = match held.place {
                        Place::Work(id) => state.table.siege.work(id).map_or(90, |work| work.pose.facing.get()),
                        _ => held.facing,
                    };
                    @let turn = (unit.data().arm.is_artillery() && emplaced).then(|| 90.0 - f64::from(facing));
                    (counter(reader, state, *unit, (x + lift * 8.0, y - lift * 12.0), LARGE, turn))
                }
            }
        }
    }
}

/// Whether a counter can be seen on one of the maps.
pub(crate) fn is_on_a_map(place: Place) -> bool {
    !matches!(place, Place::Away | Place::Waiting | Place::Eliminated)
}

/// The spoken names of all hexes, by number, for the keyboard: terrain, height, signs.
pub(crate) fn hex_names(reader: &Reader) -> String {
    let map = map();
    let names: serde_json::Map<String, serde_json::Value> = Hex::all()
        .map(|hex| {
            let cell = map.cell(hex);
            let mut name = hex_label(reader, hex);
            if cell.level > 0 {
                let _ = write!(name, ", {} {}", reader.say(words::HEIGHT), cell.level);
            }
            for (phrase, there) in [
                (words::SIGN_STAR, cell.star.is_some()),
                (words::SIGN_REDOUBT, cell.redoubt.is_some()),
                (words::SIGN_ARROW, cell.red_arrow),
            ] {
                if there {
                    let _ = write!(name, ", {}", reader.say(phrase));
                }
            }
            let (x, y) = hex_centre(hex);
            (hex.to_string(), serde_json::json!([x.round(), y.round(), name]))
        })
        .collect();
    serde_json::Value::Object(names).to_string()
}

/// The counters that are on neither map but may be given orders: to be chosen beside the maps.
pub(crate) fn tray(reader: &Reader, state: &State, units: &[UnitId]) -> Markup {
    html! {
        div.tray role="group" aria-label=(reader.say(words::TRAY)) {
            @for unit in units {
                @let resting = super::counter::whereabouts(state, *unit) == Place::Concentration;
                // The drawing lies over its button: its letters are no part of the button's name.
                div.tray-slot.resting[resting] {
                    svg viewBox="-12 -9 24 18" aria-hidden="true" { (super::counter::face(state, *unit)) }
                    button.tray-unit type="button" data-thing=(unit_thing(*unit)) aria-label=(counter_name(reader, state, *unit)) {
                        span { (unit_name(reader, *unit)) @if state.table.unit(*unit).marks.has(Marks::DAMAGED) { " ✕" } }
                    }
                }
            }
        }
    }
}
