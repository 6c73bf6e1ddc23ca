//! What things and places of the maps are called, on the page and aloud.

use kernel::board::{NamedPlace, PIECE, ThingId};
use kernel::{Measure, Phrase, Saying};
use rulebook::phrase::danzig_board as words;
use serde::Serialize;
use serde_json::Value;

use crate::draw::ops::hex_centre;
use crate::ops::{Heading, Hex, map};
use crate::siege::{WorkId, WorkKind};
use crate::state::State;
use crate::unit::{Place, UnitId, UnitSet};

/// The word of the board with this key. One that is missing shows as its own key: tests look for it.
pub(super) fn phrase(key: &str) -> Phrase {
    rulebook::phrase_of(&format!("danzig-board-{key}")).unwrap_or(Phrase::declared("danzig-board-"))
}

/// How the record writes a value that is one of several.
pub(super) fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        Ok(Value::Object(fields)) => fields.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    }
}

/// The name of a counter in the page.
pub(super) fn unit_thing(unit: UnitId) -> ThingId {
    format!("{PIECE}{unit}")
}

/// The counter with this name.
pub(super) fn unit_of(thing: &str) -> Option<UnitId> {
    thing.strip_prefix(PIECE).and_then(UnitId::of_code)
}

/// What a counter is called.
pub(super) fn unit_name(unit: UnitId) -> Measure {
    unit.data().label.into()
}

/// What counters are called, one after the other.
pub(super) fn unit_names(units: UnitSet) -> Measure {
    Measure::Several(units.iter().map(unit_name).collect())
}

/// What a hex is called: its number and, if it has one, its name.
pub(super) fn hex_name(hex: Hex) -> Measure {
    match map().name(hex) {
        Some(name) => Saying::new(words::HEX_NAMED).with("hex", hex.to_string()).with("name", name).into(),
        None => hex.to_string().into(),
    }
}

/// What a hex is called, with what grows there.
pub(super) fn hex_label(hex: Hex) -> Measure {
    let terrain = phrase(&format!("terrain-{}", word(&map().terrain(hex))));
    [hex_name(hex), terrain.into()].into()
}

/// The hexes for the keyboard: terrain, height, signs.
pub(super) fn hexes() -> Vec<NamedPlace> {
    let map = map();
    let named = |hex: Hex| {
        let cell = map.cell(hex);
        let mut name = vec![hex_label(hex)];
        if cell.level > 0 {
            name.push(Saying::new(words::HEIGHT).with("level", cell.level).into());
        }
        let signs = [
            (words::SIGN_STAR, cell.star.is_some()),
            (words::SIGN_REDOUBT, cell.redoubt.is_some()),
            (words::SIGN_ARROW, cell.red_arrow),
        ];
        name.extend(signs.into_iter().filter(|(_, there)| *there).map(|(sign, _)| sign.into()));
        NamedPlace { id: format!("h:{hex}"), at: hex_centre(hex), name: Measure::Several(name) }
    };
    Hex::all().map(named).collect()
}

/// What a work is called.
pub(super) fn work_name(state: &State, id: WorkId) -> Measure {
    let kind = match state.table.siege.work(id).map(|work| work.kind) {
        Some(WorkKind::Sap) => words::WORK_SAP,
        Some(WorkKind::Parallel) => words::WORK_PARALLEL,
        Some(WorkKind::Battery) => words::WORK_BATTERY,
        None => words::WORK_WORK,
    };
    Saying::new(kind).with("number", i64::from(id.number())).into()
}

/// The name of a kind of work in the page.
pub(super) const fn kind_word(kind: WorkKind) -> &'static str {
    match kind {
        WorkKind::Sap => "sap",
        WorkKind::Parallel => "parallel",
        WorkKind::Battery => "battery",
    }
}

/// What a place is called.
pub(super) fn place_name(state: &State, place: Place) -> Measure {
    match place {
        Place::Away => words::PLACE_AWAY.into(),
        Place::Waiting => words::PLACE_WAITING.into(),
        Place::Eliminated => words::PLACE_ELIMINATED.into(),
        Place::Hex(hex) | Place::Crossing(hex) => hex_name(hex),
        Place::Reserve => words::PLACE_RESERVE.into(),
        Place::Wall(point) => point.code().into(),
        Place::Green(point) => Saying::new(words::PLACE_GREEN).with("point", point.code()).into(),
        Place::Kalke => words::PLACE_KALKE.into(),
        Place::KalkeBox => words::PLACE_KALKE_BOX.into(),
        Place::Concentration => words::PLACE_CONCENTRATION.into(),
        Place::Work(work) => work_name(state, work),
        Place::Open(_) => words::PLACE_OPEN.into(),
    }
}

/// A heading by the compass.
pub(super) fn heading_name(heading: Heading) -> Phrase {
    phrase(&format!("heading-{}", word(&heading)))
}
