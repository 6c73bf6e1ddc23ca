//! What units, characters and places of the table are called.

use kernel::{Measure, Phrase, Saying};
use rulebook::phrase::breach_board as words;

use super::plan::ElementId;
use super::profile::Troop;
use super::state::{Character, Table, Unit};

/// The word of the board with this key. One that is missing shows as its own key: tests look for it.
pub(crate) fn phrase(key: &str) -> Phrase {
    let key = format!("breach-board-{}", key.replace('_', "-"));
    rulebook::phrase_of(&key).unwrap_or(Phrase::declared("breach-board-"))
}

/// What troops are called.
pub(crate) fn troop(troop: Troop) -> Phrase {
    match troop {
        Troop::Line(line) => phrase(&format!("line-{}", line.id())),
        Troop::Engine(item) => phrase(&format!("line-{}", item.id())),
    }
}

/// A unit with its name and its number.
pub(crate) fn unit(unit: &Unit) -> Measure {
    Saying::new(words::UNIT).with("name", troop(unit.troop)).with("code", unit.name()).into()
}

/// A character likewise.
pub(crate) fn person(character: &Character) -> Measure {
    let name = phrase(&format!("line-{}", character.line.id()));
    Saying::new(words::UNIT).with("name", name).with("code", character.name()).into()
}

/// An element of the works.
pub(crate) fn works(table: &Table, element: ElementId) -> Measure {
    table
        .plan()
        .element(element)
        .map_or_else(|| "".into(), |part| phrase(&format!("works-{}", part.id)).into())
}
