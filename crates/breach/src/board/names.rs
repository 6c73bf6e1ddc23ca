//! Names in pages, and where what they name lies on the sheet: `u:e4` for a unit or a character, `w:gate`
//! for an element, `k:3` for a section of earthworks.

use kernel::board::{PIECE, Spot, ThingId};

use crate::draw::ground::{area, spot};
pub(super) use crate::game::names::{person, phrase, unit, works};
use crate::game::{
    Character, CharacterId, ElementId, Place, State, Target, TowerSide, Unit, UnitId, Whereabouts, WorkId,
};
use crate::scenario::Side;

/// The name of a unit in pages.
pub(super) fn unit_thing(state: &State, id: UnitId) -> Option<ThingId> {
    state.table.unit(id).map(|unit| format!("{PIECE}{}", unit.name()))
}

/// The name of a character in pages.
pub(super) fn person_thing(state: &State, id: CharacterId) -> Option<ThingId> {
    state.table.character(id).map(|character| format!("{PIECE}{}", character.name()))
}

/// The name of an element in pages.
pub(super) fn works_thing(state: &State, id: ElementId) -> Option<ThingId> {
    state.table.plan().element(id).map(|part| format!("w:{}", part.id))
}

/// The unit with this name.
pub(super) fn unit_of(state: &State, thing: &str) -> Option<UnitId> {
    let name = thing.strip_prefix(PIECE)?;
    state.table.each().find(|(_, unit)| unit.name() == name).map(|(id, _)| id)
}

/// The character with this name.
pub(super) fn person_of(state: &State, thing: &str) -> Option<CharacterId> {
    let name = thing.strip_prefix(PIECE)?;
    state.table.people().find(|(_, character)| character.name() == name).map(|(id, _)| id)
}

/// The element with this name.
pub(super) fn works_of(state: &State, thing: &str) -> Option<ElementId> {
    state.table.plan().named(thing.strip_prefix("w:")?)
}

/// The earthwork with this name.
pub(super) fn earthwork_of(thing: &str) -> Option<WorkId> {
    thing.strip_prefix("k:")?.parse().ok().map(WorkId)
}

/// Where an element lies on the sheet: the middle of what is seen of it.
pub(super) fn works_spot(state: &State, element: ElementId) -> Option<Spot> {
    super::standing::stonework(state, element).map(|stone| stone.middle())
}

/// Where a stand lies on the sheet.
pub(super) fn stand_spot(state: &State, unit: &Unit, at: usize) -> Option<Spot> {
    let stand = unit.stands.get(at)?;
    match stand.place {
        Place::Ground { .. } => state.table.stand_rect(unit, at).map(|rect| spot(rect.centre)),
        Place::Rampart { element, .. } | Place::Tower { element } => works_spot(state, element),
        Place::Reserve | Place::Off | Place::Out | Place::Dead => None,
    }
}

/// Where a unit lies on the sheet: the middle of its stands.
pub(super) fn unit_spot(state: &State, unit: &Unit) -> Option<Spot> {
    let spots: Vec<Spot> = unit.alive().filter_map(|at| stand_spot(state, unit, at)).collect();
    let count = f64::from(u32::try_from(spots.len()).ok().filter(|count| *count > 0)?);
    let sum = spots.iter().fold((0.0, 0.0), |sum, spot| (sum.0 + spot.0, sum.1 + spot.1));
    Some((sum.0 / count, sum.1 / count))
}

/// Where a character lies on the sheet.
pub(super) fn person_spot(state: &State, character: &Character) -> Option<Spot> {
    match character.place {
        Whereabouts::With(id) => {
            let (x, y) = unit_spot(state, state.table.unit(id)?)?;
            // Several with one unit stand side by side.
            let before = state.table.people().filter(|(_, other)| {
                other.place == character.place
                    && (other.side, other.number) < (character.side, character.number)
            });
            let aside = f64::from(u32::try_from(before.count()).unwrap_or(0));
            // Behind their unit, as each side stands on the sheet.
            let rear = match character.side {
                Side::Garrison => -13.0,
                Side::Besieger => 15.0,
            };
            Some((x - 16.0 + 26.0 * aside, y + rear))
        }
        Whereabouts::At(point) => Some(spot(point)),
        Whereabouts::On(element) => works_spot(state, element),
        Whereabouts::Reserve | Whereabouts::Out | Whereabouts::Slain => None,
    }
}

/// Where an earthwork lies on the sheet.
pub(super) fn earthwork_spot(state: &State, work: WorkId) -> Option<Spot> {
    let work = state.table.earthworks.get(usize::from(work.0))?;
    let [x, y, w, d] = area(&work.rect());
    Some((x + w / 2.0, y + d / 2.0))
}

/// What is charged, by its name in pages.
pub(super) fn target_thing(state: &State, target: Target) -> Option<ThingId> {
    match target {
        Target::Unit(unit) => unit_thing(state, unit),
        Target::Wall(element)
        | Target::Inside(element)
        | Target::Along(element)
        | Target::TowerSide(element, _)
        | Target::Ram(element) => works_thing(state, element),
    }
}

/// Where what is charged is marked: an attack on a tower or a wall at the side it comes from.
pub(super) fn target_spot(state: &State, target: Target) -> Option<Spot> {
    let slot = |element: ElementId, slot| {
        let part = state.table.plan().element(element)?;
        part.slot(slot).map(|(front, _)| spot(front))
    };
    match target {
        Target::Unit(unit) => unit_spot(state, state.table.unit(unit)?),
        Target::TowerSide(element, TowerSide::Slot(side)) => slot(element, side),
        Target::TowerSide(element, TowerSide::Section(section)) => {
            let (one, other) = (works_spot(state, element)?, works_spot(state, section)?);
            Some(((one.0 * 2.0 + other.0) / 3.0, (one.1 * 2.0 + other.1) / 3.0))
        }
        Target::Inside(element) => slot(element, crate::game::Slot::Inner),
        Target::Wall(element) | Target::Along(element) | Target::Ram(element) => works_spot(state, element),
    }
}
