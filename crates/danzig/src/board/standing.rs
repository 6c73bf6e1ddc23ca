//! What stands on the two maps, from the ground upwards, every thing with a spoken name. The scale is
//! that of the drawings: units of the sheet for the hexes, metres for the siege.

use std::fmt::Write;

use kernel::board::{Picture, Stack, Standing, Thing, Waiting};
use kernel::{Measure, Saying, Told as _};
use rulebook::phrase::danzig_board as words;

use super::counter::{counter_name, face, piece, whereabouts};
use super::names::{unit_name, unit_thing, work_name};
use crate::draw;
use crate::draw::ops::hex_centre;
use crate::draw::siege::metres;
use crate::ops::{Hex, has_facing, heading, map};
use crate::siege::{Fine, GROUND, INTACT, Mine, WallId, Work, WorkId, WorkKind};
use crate::state::State;
use crate::unit::{Marks, Place, Side, UnitId};

/// How large a counter is on the operational map.
const SMALL: f64 = 1.15;
/// How large a counter is on the siege map.
const LARGE: f64 = 2.5;

/// What stands on the operational map.
pub(super) fn operational(state: &State) -> Vec<Standing> {
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
    let stack = |(hex, units): (Hex, Vec<UnitId>)| {
        let (x, y) = hex_centre(hex);
        let size = units.len();
        let pieces = units.into_iter().enumerate().map(|(place, unit)| {
            let lift = lift(place, size);
            let held = state.table.unit(unit);
            let turn = has_facing(held).then(|| f64::from(heading(held) as u8) * 60.0);
            piece(state, unit, (x + lift * 2.6, y - lift * 3.4), SMALL, turn)
        });
        Standing::Stack(Stack { id: format!("h:{hex}"), at: (x, y), pieces: pieces.collect() })
    };
    let mut all = vec![Standing::Drawing(signs(state))];
    all.extend(hexes.into_iter().map(stack));
    all
}

/// How far a counter of a stack is shifted, so that the stack stays centred on its place.
fn lift(place: usize, size: usize) -> f64 {
    let number = |count: usize| f64::from(u16::try_from(count).unwrap_or(0));
    number(place) - number(size.saturating_sub(1)) / 2.0
}

/// Blue stars still held, redoubts built, the bridge.
fn signs(state: &State) -> String {
    let (map, ops) = (map(), &state.table.ops);
    let mut signs = String::new();
    for (place, hex) in map.stars.iter().enumerate() {
        if ops.stars & (1 << place) != 0 {
            let (x, y) = hex_centre(*hex);
            let _ = write!(signs, r#"<path class="star" d="{}"></path>"#, star(x + 8.0, y - 7.0));
        }
    }
    for (place, hex) in map.redoubts.iter().enumerate() {
        if ops.redoubts & (1 << place) != 0 {
            let (x, y) = hex_centre(*hex);
            let _ =
                write!(signs, r#"<path class="redoubt" d="M{:.1} {y:.1}l8 -5l8 5v8h-16Z"></path>"#, x - 8.0);
        }
    }
    if let Some((a, b)) = ops.bridge {
        let ((ax, ay), (bx, by)) = (hex_centre(a), hex_centre(b));
        for class in ["bridge", "planks"] {
            let _ = write!(signs, r#"<path class="{class}" d="M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"></path>"#);
        }
    }
    signs
}

pub(super) fn star(x: f64, y: f64) -> String {
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
        let (x, y) = metres(point.spot());
        let _ = write!(path, "{}{x:.0} {y:.0}", if place == 0 { 'M' } else { 'L' });
    }
    path + "Z"
}

/// Something drawn in units of the sheet, on a board that counts in metres.
fn engraved(drawing: &str) -> String {
    format!(r#"<g transform="scale({})">{drawing}</g>"#, 1.0 / draw::siege::METRE)
}

/// The part of a work that lies open, lighter if it is damaged.
fn earth(work: &Work, drawn: fn(&Work) -> String) -> String {
    let class = if work.damaged { r#" class="hurt""# } else { "" };
    format!("<g{class}>{}</g>", engraved(&drawn(work)))
}

/// What stands on the siege map: walls with their levels, works, counters.
pub(super) fn siege(state: &State) -> Vec<Standing> {
    let works = || state.table.siege.all_works();
    let mut ground = String::from(r#"<g class="earth" aria-hidden="true">"#);
    ground.push_str(&engraved(&draw::siege::kalke(&state.table)));
    let breaches: String = WallId::all().map(|id| draw::siege::breach(&state.table, id)).collect();
    ground.push_str(&engraved(&breaches));
    works().for_each(|(_, work)| ground.push_str(&earth(work, draw::siege::thrown_up)));
    works().for_each(|(_, work)| ground.push_str(&earth(work, draw::siege::dug_out)));
    ground.push_str("</g>");
    let mut all = vec![Standing::Drawing(ground)];
    all.extend(works().map(|(id, work)| Standing::Thing(dug(state, id, work))));
    if let Mine::Dug { pose, .. } = state.table.siege.mine {
        let outline = polygon(&pose.rect(WorkKind::Sap).corners());
        all.push(Standing::Drawing(format!(r#"<path class="mine" d="{outline}"></path>"#)));
    }
    all.extend(WallId::all().map(|id| Standing::Thing(wall_point(state, id))));
    all.extend(stacks(state));
    all
}

/// Those who stand there, by name.
fn those_at(state: &State, place: Place) -> impl Iterator<Item = Measure> + '_ {
    UnitId::all().filter(move |unit| state.table.unit(*unit).place == place).map(unit_name)
}

/// A work: its outline over the drawn earth.
fn dug(state: &State, id: WorkId, work: &Work) -> Thing {
    let mut label = vec![work_name(state, id), format!("{}°", work.pose.facing.get()).into()];
    label.extend(work.damaged.then_some(words::DAMAGED.into()));
    label.extend(those_at(state, Place::Work(id)));
    let class = if work.kind == WorkKind::Battery { "work battery" } else { "work" };
    let outline = format!(r#"<path class="outline" d="{}"></path>"#, polygon(&work.rect().corners()));
    Thing {
        id: format!("k:{}", id.0),
        class: class.to_owned(),
        label: Measure::Several(label),
        at: metres(work.pose.at),
        picture: Picture::InPlace(outline),
    }
}

/// A wall point with its level as a ring that empties.
fn wall_point(state: &State, id: WallId) -> Thing {
    let point = state.table.siege.wall(id);
    let share = f64::from(point.level) / f64::from(INTACT);
    let round = 2.0 * std::f64::consts::PI * 17.0;
    let french = point.holder == Side::French;
    let name =
        Saying::new(words::POINT).with("point", id.code()).with("now", point.level).with("most", INTACT);
    let mut label = vec![name.into(), State::name(point.holder).into()];
    label.extend(those_at(state, Place::Wall(id)));
    let ground = if french {
        r#"<rect class="ground" x="-21" y="-21" width="42" height="42" rx="4"></rect>"#
    } else {
        r#"<circle class="ground" r="21"></circle>"#
    };
    let picture = format!(
        r#"{ground}<circle class="gauge-ground" r="17"></circle><circle class="gauge" r="17" transform="rotate(-90)" stroke-dasharray="{:.1} {round:.1}"></circle><text class="level" y="6.500">{}</text><text class="code" y="34">{}</text>"#,
        share * round,
        point.level,
        id.code(),
    );
    let mut class = "point".to_owned();
    for (word, so) in [(" french", french), (" worn", point.level < INTACT)] {
        class.push_str(if so { word } else { "" });
    }
    Thing {
        id: format!("w:{}", id.code()),
        class,
        label: Measure::Several(label),
        at: metres(GROUND.point(id)),
        picture: Picture::Around(picture),
    }
}

/// Where the counters of a place are drawn; nothing for those laid out one beside the other.
fn stack_place(state: &State, place: Place, side: Side) -> Option<(f64, f64)> {
    let (x, y) = match place {
        Place::Wall(point) => {
            // Behind the point, seen from its holder.
            let (x, y) = metres(GROUND.point(point));
            (x, if side == Side::French { y + 44.0 } else { y - 42.0 })
        }
        Place::Green(point) => metres(GROUND.green(point)),
        Place::Work(id) => metres(state.table.siege.work(id)?.pose.at),
        Place::Open(spot) => metres(spot),
        _ => return None,
    };
    Some((x, y))
}

/// Where the counters stand and who is in each stack, laid out beside what they stand on.
fn laid_out(state: &State) -> Vec<(Place, (f64, f64), Vec<UnitId>)> {
    let mut stacks: Vec<(Place, (f64, f64), Vec<UnitId>)> = Vec::new();
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
        let (gx, gy) = metres(GROUND.kalke_guns);
        let at = match place {
            Place::Reserve => row(&mut reserve, 11, (1042.0, 112.0)),
            Place::Concentration => row(&mut zone, 20, (240.0, 1578.0)),
            Place::Kalke => row(&mut kalke, 3, (gx - 60.0, gy - 6.0)),
            Place::KalkeBox => row(&mut boxed, 2, (gx - 30.0, gy + 120.0)),
            _ => continue,
        };
        stacks.push((place, at, vec![unit]));
    }
    stacks
}

/// The counters of the siege map.
fn stacks(state: &State) -> impl Iterator<Item = Standing> + '_ {
    laid_out(state).into_iter().map(|(_, (x, y), units)| {
        let size = units.len();
        let id = units.first().map(|unit| unit_thing(*unit)).unwrap_or_default();
        let pieces = units.into_iter().enumerate().map(|(place, unit)| {
            let lift = lift(place, size);
            let held = state.table.unit(unit);
            let emplaced = matches!(held.place, Place::Wall(_) | Place::Work(_) | Place::Kalke);
            let facing = match held.place {
                Place::Work(id) => state.table.siege.work(id).map_or(90, |work| work.pose.facing.get()),
                _ => held.facing,
            };
            let turn = (unit.data().arm.is_artillery() && emplaced).then(|| 90.0 - f64::from(facing));
            piece(state, unit, (x + lift * 8.0, y - lift * 12.0), LARGE, turn)
        });
        Standing::Stack(Stack { id: format!("u:{id}"), at: (x, y), pieces: pieces.collect() })
    })
}

/// The counters on neither map. Those who wait to enter come first; split regiments could only leave
/// the siege again.
pub(super) fn beside(state: &State) -> Vec<Waiting> {
    let off = |unit: &UnitId| {
        matches!(state.table.unit(*unit).place, Place::Away | Place::Waiting | Place::Eliminated)
    };
    let rests = |unit: UnitId| whereabouts(state, unit) == Place::Concentration;
    let mut units: Vec<UnitId> = UnitId::all().filter(off).collect();
    units.sort_by_key(|unit| rests(*unit));
    let waiting = |unit: UnitId| Waiting {
        id: unit_thing(unit),
        label: counter_name(state, unit),
        caption: unit_name(unit),
        picture: face(state, unit),
        rests: rests(unit),
        broken: state.table.unit(unit).marks.has(Marks::DAMAGED),
    };
    units.into_iter().map(waiting).collect()
}
