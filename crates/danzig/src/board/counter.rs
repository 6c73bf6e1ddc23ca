//! A counter: the sign of its arm, its strength, its state and where it looks. Sides differ in outline,
//! nations in letters, states in shape; colour only helps.

use std::fmt::Write;

use kernel::board::{Piece, Spot};
use kernel::{Game as _, Measure};
use rulebook::phrase::danzig_board as words;

use super::names::{heading_name, phrase, place_name, unit_name, unit_thing, word};
use crate::ops::{has_facing, heading};
use crate::state::State;
use crate::unit::{Arm, Marks, Nation, Place, Side, UnitId};

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

const fn nation_letters(nation: Nation) -> &'static str {
    match nation {
        Nation::Baden => "Ba",
        Nation::France => "Fr",
        Nation::Poland => "Po",
        Nation::Saxony => "Sa",
        Nation::Prussia => "Pr",
        Nation::Russia => "Ru",
    }
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

/// The spoken name of a counter: who, how strong, in what state, where.
pub(super) fn counter_name(state: &State, unit: UnitId) -> Measure {
    let counter = state.table.unit(unit);
    let data = unit.data();
    let mut name = vec![
        unit_name(unit),
        phrase(&format!("nation-{}", nation_class(data.nation))).into(),
        phrase(&format!("arm-{}", arm_word(data.arm))).into(),
        format!("{}/{}", counter.steps, counter.most).into(),
    ];
    let marks = [
        (Marks::DISORDERED, words::DISORDERED),
        (Marks::DAMAGED, words::DAMAGED),
        (Marks::WORKER, words::WORKER),
        (Marks::MOVED, words::MOVED),
    ];
    name.extend(marks.into_iter().filter(|(mark, _)| counter.marks.has(*mark)).map(|(_, word)| word.into()));
    if let Place::Hex(_) = counter.place {
        name.push(phrase(&format!("formation-{}", word(&counter.formation))).into());
        if has_facing(counter) {
            name.push(heading_name(heading(counter)).into());
        }
    }
    name.push(place_name(state, whereabouts(state, unit)));
    Measure::Several(name)
}

/// Where a counter is; a regiment that has been split is where its battalions rest.
pub(super) fn whereabouts(state: &State, unit: UnitId) -> Place {
    let place = state.table.unit(unit).place;
    let rests = |other: &UnitId| state.table.unit(*other).place == Place::Concentration;
    if place == Place::Away && unit.battalions().iter().any(rests) { Place::Concentration } else { place }
}

/// The sign of an arm, in a field of 10 by 7 around the origin.
const fn sign(arm: Arm) -> &'static str {
    match arm {
        Arm::Infantry => "M-5 -3.5h10v7h-10ZM-5 -3.5l10 7M5 -3.5l-10 7",
        Arm::LightCavalry => "M-5 -3.5h10v7h-10ZM-5 3.5l10 -7",
        Arm::HeavyCavalry => {
            "M-5 -3.5h10v7h-10ZM-5 3.5l10 -7M-5 1.200l6.700 -4.700M-1.700 3.500l6.700 -4.700"
        }
        Arm::FieldArtillery => {
            "M-5 .500h9M-3 -1.200h5v1.700M-2.500 2a1.700 1.700 0 1 0 3.400 0a1.700 1.700 0 1 0 -3.400 0"
        }
        Arm::Siege24 | Arm::Siege12 => {
            "M-5 -2h10M-5 -.300h10M-3.500 2a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0 -3 0M.500 2a1.500 1.500 0 1 0 3 0a1.500 1.500 0 1 0 -3 0"
        }
        Arm::Mortar => "M-3 3.500h6l1.500 -7h-9ZM-4.500 3.500h9",
        Arm::Fortress => "M-5 3.500V-2.500h2.400v2.200h1.400v-2.200h2.400v2.200h1.400v-2.200h2.400v6Z",
    }
}

/// The number on a counter: its steps, or the calibre of a siege gun.
fn number(state: &State, unit: UnitId) -> String {
    match unit.data().arm {
        Arm::Siege24 => "24".to_owned(),
        Arm::Siege12 => "12".to_owned(),
        Arm::Mortar | Arm::Fortress | Arm::FieldArtillery => String::new(),
        _ => state.table.unit(unit).steps.to_string(),
    }
}

/// The outline of 20 by 14: square corners for the besieger, cut ones for the garrison and its relief.
const fn outline(side: Side) -> &'static str {
    match side {
        Side::French => "M-10 -7H10V7H-10Z",
        Side::Prussian => "M-7.500 -7H7.500L10 -4.500V4.500L7.500 7H-7.500L-10 4.500V-4.500Z",
    }
}

fn class(state: &State, unit: UnitId) -> String {
    let counter = state.table.unit(unit);
    let mut class = format!("counter n-{}", nation_class(unit.data().nation));
    for (mark, word) in
        [(Marks::DISORDERED, " disordered"), (Marks::DAMAGED, " damaged"), (Marks::MOVED, " moved")]
    {
        if counter.marks.has(mark) {
            class.push_str(word);
        }
    }
    class
}

/// The face of a counter around the origin. Out of order it is hollow and tilted; a damaged battery is
/// hollow and cracked.
pub(super) fn face(state: &State, unit: UnitId) -> String {
    let (held, data) = (state.table.unit(unit), unit.data());
    let number = number(state, unit);
    let tilt = if held.is_disordered() { "rotate(-13)" } else { "rotate(0)" };
    let place = match number.len() {
        0 => "translate(0 -.6) scale(1.15)",
        1 => "translate(-3.600 -.8)",
        _ => "translate(-4.800 -.8) scale(.8)",
    };
    let outline = outline(unit.side());
    let mut face = format!(
        r#"<g class="{}" transform="{tilt}"><path class="shadow" d="{outline}" transform="translate(.8 .8)"></path><path class="body" d="{outline}"></path><path class="sign" d="{}" transform="{place}"></path>"#,
        class(state, unit),
        sign(data.arm),
    );
    let (size, x) = if number.len() > 1 { (" small", "4.400") } else { ("", "6") };
    if !number.is_empty() {
        let _ = write!(face, r#"<text class="steps{size}" x="{x}" y="2.400">{number}</text>"#);
    }
    let _ = write!(face, r#"<text class="nation" x="-9" y="6.200">{}</text>"#, nation_letters(data.nation));
    if held.marks.has(Marks::DAMAGED) {
        face.push_str(r#"<path class="crack" d="M-6 -7L-2 -2L-4 1L1 7M7 -7L4 -3L6 1L3 7"></path>"#);
    }
    if held.marks.has(Marks::WORKER) {
        face.push_str(r#"<path class="spade" d="M6 -9.500h4v4l-2 2l-2 -2ZM8 -9.500v-3"></path>"#);
    }
    face + "</g>"
}

/// A counter on a map.
pub(super) fn piece(state: &State, unit: UnitId, at: Spot, scale: f64, turn: Option<f64>) -> Piece {
    Piece {
        id: unit_thing(unit),
        side: State::place(unit.side()),
        label: counter_name(state, unit),
        caption: unit_name(unit),
        at,
        scale,
        turn,
        picture: face(state, unit),
    }
}
