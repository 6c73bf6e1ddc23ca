//! A table laid by hand for the worked examples: who stands where, and what is being decided.

use breach::game::{
    Action, CharacterId, ElementId, Look, Place, Post, Slot, State, Step, UnitId, Whereabouts,
};
use breach::scenario::Side;
use breach::terms::Item;
use kernel::{Desk, Game as _, Scripted, Setup, Silent};
use tabletop::geometry::{Facing, Point};

/// A scenario before its first decision.
pub fn start(scenario: &str, options: &[(&str, &str)]) -> State {
    let mut setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
    setup.options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    State::start(&setup).unwrap()
}

/// A scenario with nobody on the table, in the second turn of the besieger.
pub fn bare(scenario: &str, options: &[(&str, &str)]) -> State {
    let mut state = start(scenario, options);
    for unit in &mut state.table.units {
        for stand in &mut unit.stands {
            stand.place = if stand.place == Place::Dead { Place::Dead } else { Place::Reserve };
        }
    }
    for works in &mut state.table.elements {
        works.oil = false;
    }
    // The Generals watch from afar, so that somebody is asked in every turn.
    for (name, place) in [("e1", Point::cm(3, 3)), ("d1", Point::cm(177, 117))] {
        person(&mut state, name, Whereabouts::At(place));
    }
    state.steps = vec![Step::TurnStart];
    (state.active, state.first, state.turn) = (Side::Besieger, Side::Besieger, 2);
    state
}

/// The unit with this name.
pub fn unit(state: &State, name: &str) -> UnitId {
    let place = state.table.units.iter().position(|unit| unit.name() == name).unwrap();
    UnitId(u8::try_from(place).unwrap())
}

/// The character with this name.
pub fn character(state: &State, name: &str) -> CharacterId {
    let place = state.table.characters.iter().position(|one| one.name() == name).unwrap();
    CharacterId(u8::try_from(place).unwrap())
}

/// Puts a character somewhere.
pub fn person(state: &mut State, name: &str, place: Whereabouts) -> CharacterId {
    let id = character(state, name);
    state.table.characters[usize::from(id.0)].place = place;
    id
}

/// Puts stands of a unit on the ground, in hundredths of a centimetre; those left over are lost.
pub fn put(state: &mut State, name: &str, fronts: &[(i64, i64)], facing: Facing) -> UnitId {
    let places: Vec<Place> =
        fronts.iter().map(|&(x, y)| Place::Ground { front: Point::new(x, y), facing }).collect();
    set(state, name, &places)
}

/// Puts stands of a unit on or into elements, looking out.
pub fn up(state: &mut State, name: &str, elements: &[u8]) -> UnitId {
    let place = |&at: &u8| {
        let element = ElementId(at);
        if [3, 7, 11].contains(&at) {
            Place::Tower { element }
        } else {
            Place::Rampart { element, look: Look::Out }
        }
    };
    let places: Vec<Place> = elements.iter().map(place).collect();
    set(state, name, &places)
}

fn set(state: &mut State, name: &str, places: &[Place]) -> UnitId {
    let id = unit(state, name);
    let unit = &mut state.table.units[usize::from(id.0)];
    for (at, stand) in unit.stands.iter_mut().enumerate().take(usize::from(unit.began)) {
        stand.place = places.get(at).copied().unwrap_or(Place::Dead);
    }
    id
}

/// A covered ram, siege tower or sow of a unit in column behind it.
pub fn machine(state: &mut State, name: &str, item: Item, front: (i64, i64), facing: Facing) -> UnitId {
    let behind =
        |k: i64| if facing == Facing::SOUTH { front.1 + 400 + 200 * k } else { front.1 - 400 - 200 * k };
    let id = put(state, name, &[0, 1, 2].map(|k| (front.0, behind(k))), facing);
    let unit = &mut state.table.units[usize::from(id.0)];
    unit.item = item;
    unit.machine = Some((Point::new(front.0, front.1), facing));
    id
}

/// Posts a stand of a unit.
pub fn post(state: &mut State, id: UnitId, stand: usize, element: u8, slot: Slot) {
    state.table.units[usize::from(id.0)].stands[stand].post =
        Some(Post { element: ElementId(element), slot });
}

/// These units are in close combat.
pub fn engage(state: &mut State, units: &[UnitId]) {
    for id in units {
        state.table.units[usize::from(id.0)].marks.engaged = true;
    }
}

/// This is to be decided by a side in its own turn.
pub fn at(state: &mut State, side: Side, steps: &[Step]) {
    state.steps = steps.to_vec();
    state.active = side;
    state.asked = Some(side);
}

/// An order has succeeded: these units move.
pub fn ordered(state: &mut State, side: Side, units: &[UnitId]) {
    at(state, side, &[Step::Orders, Step::Move]);
    state.hand.waiting = units.to_vec();
    state.hand.half = false;
}

/// Decides with these dice, no more and no fewer.
pub fn decide(state: &mut State, side: Side, action: &Action, dice: &[u8]) {
    let mut desk = Desk::new(Scripted::new(dice), Silent);
    state.apply(side, action, &mut desk).unwrap();
    desk.dice.finish().unwrap();
}

/// Why a decision is refused.
pub fn refusal(state: &State, side: Side, action: &Action) -> String {
    state.validate(side, action).err().map_or_else(String::new, |refusal| refusal.to_string())
}

/// What a side may decide.
pub fn listed(state: &State, side: Side) -> Vec<Action> {
    let mut actions = Vec::new();
    state.actions(side, &mut actions);
    actions
}

/// A place on the ground, in hundredths of a centimetre.
pub fn ground(x: i64, y: i64, facing: Facing) -> Place {
    Place::Ground { front: Point::new(x, y), facing }
}

/// Where the stands of a unit are.
pub fn places(state: &State, id: UnitId) -> Vec<Place> {
    state.table.units[usize::from(id.0)].stands.iter().map(|stand| stand.place).collect()
}
