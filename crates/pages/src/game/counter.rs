//! A counter: the sign of its arm, its strength, its state and where it looks. Sides differ in outline,
//! nations in letters, states in shape; colour only helps.

use std::fmt::Write;

use danzig::{Arm, Marks, Nation, Place, Side, State, UnitId};
use maud::{Markup, html};
use rulebook::phrase::board as words;

use super::choice::{heading_name, place_name, unit_name, unit_thing, word};
use super::panel::side_key;
use crate::reader::Reader;

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
pub(crate) fn counter_name(reader: &Reader, state: &State, unit: UnitId) -> String {
    let counter = state.table.unit(unit);
    let say = |key: String| rulebook::speak_key(&key, reader.lang);
    let nation = say(format!("board-nation-{}", nation_class(unit.data().nation)));
    let arm = say(format!("board-arm-{}", arm_word(unit.data().arm)));
    let mut name =
        format!("{}, {nation}, {arm}, {}/{}", unit_name(reader, unit), counter.steps, counter.most);
    for (mark, phrase) in [
        (Marks::DISORDERED, words::DISORDERED),
        (Marks::DAMAGED, words::DAMAGED),
        (Marks::WORKER, words::WORKER),
        (Marks::MOVED, words::MOVED),
    ] {
        if counter.marks.has(mark) {
            let _ = write!(name, ", {}", reader.say(phrase));
        }
    }
    if let Place::Hex(_) = counter.place {
        let _ = write!(name, ", {}", say(format!("board-formation-{}", word(&counter.formation))));
        if danzig::ops::has_facing(counter) {
            let facing = heading_name(reader, danzig::ops::heading(counter));
            let _ = write!(name, ", {facing}");
        }
    }
    let _ = write!(name, ", {}", place_name(reader, state, whereabouts(state, unit)));
    name
}

/// Where a counter is; a regiment that has been split is where its battalions rest.
pub(crate) fn whereabouts(state: &State, unit: UnitId) -> Place {
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
pub(crate) fn face(state: &State, unit: UnitId) -> Markup {
    let (held, data) = (state.table.unit(unit), unit.data());
    let number = number(state, unit);
    let tilt = if held.is_disordered() { "rotate(-13)" } else { "rotate(0)" };
    let place = match number.len() {
        0 => "translate(0 -.6) scale(1.15)",
        1 => "translate(-3.600 -.8)",
        _ => "translate(-4.800 -.8) scale(.8)",
    };
    html! {
        g class=(class(state, unit)) transform=(tilt) {
            path.shadow d=(outline(unit.side())) transform="translate(.8 .8)" {}
            path.body d=(outline(unit.side())) {}
            path.sign d=(sign(data.arm)) transform=(place) {}
            @if !number.is_empty() { text.steps.small[number.len() > 1] x=(if number.len() > 1 { "4.400" } else { "6" }) y="2.400" { (number) } }
            text.nation x="-9" y="6.200" { (nation_letters(data.nation)) }
            @if held.marks.has(Marks::DAMAGED) { path.crack d="M-6 -7L-2 -2L-4 1L1 7M7 -7L4 -3L6 1L3 7" {} }
            @if held.marks.has(Marks::WORKER) { path.spade d="M6 -9.500h4v4l-2 2l-2 -2ZM8 -9.500v-3" {} }
        }
    }
}

/// A counter on a map: a picture with a name; the map around it is what takes clicks and keys.
pub(crate) fn counter(
    reader: &Reader,
    state: &State,
    unit: UnitId,
    (x, y): (f64, f64),
    scale: f64,
    turn: Option<f64>,
) -> Markup {
    let label = counter_name(reader, state, unit);
    html! {
        g.piece data-thing=(unit_thing(unit)) data-side=(side_key(unit.side())) tabindex="-1" role="img" aria-label=(label)
            transform=(format!("translate({x:.1} {y:.1}) scale({scale})")) {
            g aria-hidden="true" {
                title { (label) }
                @if let Some(turn) = turn { path.nose d="M-3.500 -9.500h7l-3.500 -4.500Z" transform=(format!("rotate({turn:.0})")) {} }
                (face(state, unit))
                text.label y="12.500" { (unit_name(reader, unit)) }
            }
        }
    }
}
