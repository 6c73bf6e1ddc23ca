//! What a reader seems to mean when he points at something or holds a tool over a place: the order it
//! would be in this step. The rules then say whether it can be given, or why not.

use kernel::Verdict;
use kernel::board::Gesture;
use tabletop::geometry::{Facing, Point};

use super::HIGH;
use super::choice::ground_of;
use super::names::{earthwork_of, person_of, unit_of, works_of};
use crate::game::{
    Action, Answer, CharacterId, Charge, ElementId, Formation, Keep, Kind, Look, Move, Mover, Place, Rect,
    State, Step, TABLE, Target, TowerSide, Unit, UnitId, UnitSet, Way, Whereabouts, WorkId, beside, towards,
};
use crate::terms::Item;

/// What was pointed at.
#[derive(Clone, Copy, Debug, Default)]
struct Pointed {
    unit: Option<UnitId>,
    person: Option<CharacterId>,
    element: Option<ElementId>,
    work: Option<WorkId>,
    place: Option<Point>,
}

impl Pointed {
    fn of(state: &State, gesture: &Gesture) -> Self {
        let object = gesture.object.as_deref().unwrap_or_default();
        Self {
            unit: unit_of(state, object),
            person: person_of(state, object),
            element: works_of(state, object),
            work: earthwork_of(object),
            place: place(gesture),
        }
    }
}

/// The place of the table that a gesture points at: the sheet lies with the south above.
fn place(gesture: &Gesture) -> Option<Point> {
    let (x, y) = gesture.at?;
    #[allow(clippy::cast_possible_truncation, reason = "the height of the sheet in millimetres")]
    let high = HIGH as i64;
    Some(Point::new(TABLE.0 - i64::from(x) * 10, (high - i64::from(y)) * 10))
}

/// How the tool in hand is turned: the page counts from the right against the clock.
fn facing(gesture: &Gesture) -> Facing {
    Facing::tenths((270 - gesture.facing.unwrap_or(90)).rem_euclid(360) * 10)
}

/// The orders that a gesture may mean, the likeliest first.
pub(super) fn meant(state: &State, gesture: &Gesture) -> Verdict<Vec<Action>> {
    if let Some(tool) = gesture.tool.as_deref() {
        return Ok(laid(state, tool, gesture).into_iter().collect());
    }
    let subject = gesture.subject.as_deref().unwrap_or_default();
    let pointed = Pointed::of(state, gesture);
    if let Some(person) = person_of(state, subject) {
        return Ok(by_person(state, person, &pointed));
    }
    Ok(match unit_of(state, subject).or(pointed.unit) {
        Some(unit) => by_unit(state, unit, &pointed),
        None => by_nobody(state, &pointed),
    })
}

/// What a tool lays down there.
fn laid(state: &State, tool: &str, gesture: &Gesture) -> Option<Action> {
    let (middle, facing) = (place(gesture)?, facing(gesture));
    match tool {
        "work" => Some(Action::PlaceWork { front: beside(middle, facing, 0, 50), facing }),
        "character" => {
            let place = Whereabouts::At(middle);
            let named = gesture.subject.as_deref().and_then(|subject| person_of(state, subject));
            let character = named.or_else(|| next_person(state))?;
            Some(match state.steps.last()? {
                Step::DeployCharacters => Action::DeployCharacter { character, place },
                _ => Action::MoveCharacter { character, to: place },
            })
        }
        _ => {
            let formation = if tool == "line" { Formation::Line } else { Formation::Column };
            let id = moved_unit(state)?;
            drawn_up(state, id, formation, middle, facing)
        }
    }
}

/// The character whose turn it is to be placed or moved.
fn next_person(state: &State) -> Option<CharacterId> {
    let side = state.asked?;
    let setting_up = matches!(state.steps.last(), Some(Step::DeployCharacters));
    let waits =
        |place: Whereabouts, moved: bool| if setting_up { place == Whereabouts::Reserve } else { !moved };
    state.table.people().find(|(_, one)| one.side == side && waits(one.place, one.moved)).map(|(id, _)| id)
}

/// The unit that is placed or moved with tools now.
pub(super) fn moved_unit(state: &State) -> Option<UnitId> {
    match state.steps.last()? {
        Step::Deploy => state.in_hand(),
        Step::Move => match state.hand.waiting.as_slice() {
            [only] => Some(*only),
            _ => None,
        },
        _ => None,
    }
}

/// A unit drawn up with its middle there.
fn drawn_up(
    state: &State,
    id: UnitId,
    formation: Formation,
    middle: Point,
    facing: Facing,
) -> Option<Action> {
    let one = state.table.unit(id)?;
    let stands = if one.is_on_table() { one.strength() } else { one.began };
    let setting_up = matches!(state.steps.last(), Some(Step::Deploy));
    let item = if setting_up { state.gift(one) } else { one.item };
    let wanted = Unit { item, ..*one };
    let (_, deep) = ground_of(&wanted, formation, i64::from(stands));
    let front = beside(middle, facing, 0, deep / 2);
    let (places, machine) = state.table.template(&wanted, formation, front, facing);
    let places: Vec<Place> = places.into_iter().take(usize::from(stands)).collect();
    if setting_up {
        return Some(Action::Deploy { unit: id, places, machine, item });
    }
    if one.machine.is_some() {
        return Some(Action::March(vec![Move { unit: id, stands: Vec::new(), machine }]));
    }
    Some(Action::March(vec![Move { unit: id, stands: ways(state, id, one, &places), machine: None }]))
}

/// The ways of stands to new places, the nearest first, around what is in the way.
fn ways(state: &State, id: UnitId, one: &Unit, places: &[Place]) -> Vec<Way> {
    let mover = Mover::new(&state.table, id, state.allowance(one), UnitSet::one(id), Keep::Away(10));
    let mut left: Vec<usize> = one.alive().collect();
    let mut ways = Vec::with_capacity(places.len());
    for &to in places {
        let Some(end) = state.table.footprint(to, one.profile().base) else { continue };
        let far = |at: usize| {
            state.table.stand_rect(one, at).map_or(i64::MAX, |rect| rect.centre.square_to(end.centre))
        };
        let Some(best) = left.iter().copied().min_by_key(|&at| (far(at), at)) else { break };
        left.retain(|&at| at != best);
        let Ok(stand) = u8::try_from(best) else { continue };
        let straight = Way { stand, via: Vec::new(), to };
        ways.push(mover.as_ref().and_then(|mover| mover.reach(best, to)).unwrap_or(straight));
    }
    ways
}

/// With a character chosen.
fn by_person(state: &State, id: CharacterId, pointed: &Pointed) -> Vec<Action> {
    let place = pointed
        .unit
        .map(Whereabouts::With)
        .or(pointed.element.map(Whereabouts::On))
        .or(pointed.place.map(Whereabouts::At));
    match state.steps.last() {
        Some(Step::DeployCharacters) => {
            place.map(|place| Action::DeployCharacter { character: id, place }).into_iter().collect()
        }
        Some(Step::Characters) => {
            place.map(|to| Action::MoveCharacter { character: id, to }).into_iter().collect()
        }
        Some(Step::Orders) => match (state.hand.commander, pointed.unit) {
            (Some(_), Some(unit)) => vec![Action::Order(vec![unit])],
            _ => vec![Action::TakeCommand(id)],
        },
        _ => Vec::new(),
    }
}

/// With nobody chosen: a place that is aimed at.
fn by_nobody(state: &State, pointed: &Pointed) -> Vec<Action> {
    match (state.steps.last(), pointed.element) {
        (Some(Step::Works(_)), Some(element)) => vec![Action::PlaceOil(element)],
        _ => Vec::new(),
    }
}

/// The charges that pointing at something may mean.
fn charges(state: &State, id: UnitId, pointed: &Pointed) -> Vec<Charge> {
    let Some(one) = state.table.unit(id) else { return Vec::new() };
    let mut targets = Vec::new();
    let foe = pointed.unit.filter(|&foe| state.table.unit(foe).is_some_and(|foe| foe.side != one.side));
    let on = foe.and_then(|foe| state.table.unit(foe)).and_then(|foe| {
        foe.alive().find_map(|at| foe.stands.get(at).and_then(|stand| stand.place.element()))
    });
    if let Some(foe) = foe.filter(|_| on.is_none()) {
        targets.push(Target::Unit(foe));
    }
    if let Some(element) = pointed.element.or(on) {
        let part = state.table.plan().element(element);
        if one.item.rams() {
            targets.push(Target::Ram(element));
        }
        if state.table.is_wall(element) {
            targets.extend([Target::Wall(element), Target::Inside(element), Target::Along(element)]);
        } else if let Some(part) = part {
            let slots = part.slots.iter().map(|&(slot, ..)| TowerSide::Slot(slot));
            let sections = part.beside.iter().flatten().map(|&section| TowerSide::Section(section));
            targets.extend(slots.chain(sections).map(|side| Target::TowerSide(element, side)));
        }
    }
    targets.into_iter().map(|target| Charge { unit: id, target, extra: Vec::new(), envelop: true }).collect()
}

/// With a unit chosen.
fn by_unit(state: &State, id: UnitId, pointed: &Pointed) -> Vec<Action> {
    let Some(one) = state.table.unit(id) else { return Vec::new() };
    let charges = || charges(state, id, pointed);
    match state.steps.last() {
        Some(Step::Works(_)) => by_nobody(state, pointed),
        Some(Step::Deploy) => match (pointed.element, pointed.place) {
            (Some(element), _) => vec![onto(state, id, one, element)],
            (None, Some(middle)) => {
                let facing =
                    if one.side == crate::scenario::Side::Garrison { Facing::NORTH } else { Facing::SOUTH };
                drawn_up(state, id, Formation::Line, middle, facing).into_iter().collect()
            }
            (None, None) => vec![Action::PickUnit(id)],
        },
        Some(Step::Initiative) => {
            let machine = pointed.element.map(|element| Action::InitiativeMachine { unit: id, element });
            machine.into_iter().chain(charges().into_iter().map(Action::InitiativeCharge)).collect()
        }
        Some(Step::HomeBack) => match pointed.person {
            Some(character) => vec![Action::HomeBack { unit: id, character }],
            None => vec![Action::Stay(id)],
        },
        Some(Step::Orders) => match pointed.element.filter(|_| one.profile().engine) {
            Some(element) => turned_to(state, id, one, element).into_iter().collect(),
            None => vec![Action::Order(vec![id])],
        },
        Some(Step::Move) => {
            let mut orders: Vec<Action> = charges().into_iter().map(Action::Charge).collect();
            if let Some(element) = pointed.element {
                if matches!(one.item, Item::Ladders | Item::SiegeTower) {
                    orders.push(Action::Climb { unit: id, elements: vec![element] });
                }
                orders.push(up_to(state, id, one, element));
            }
            if let Some(middle) = pointed.place.filter(|_| orders.is_empty()) {
                orders.extend(onwards(state, id, one, middle));
            }
            orders
        }
        Some(Step::Shoot) => {
            let shot = pointed.unit.filter(|&foe| foe != id).map(|target| Action::Shoot { unit: id, target });
            let bombards = pointed
                .element
                .into_iter()
                .flat_map(|element| [false, true].map(|leaf| Action::Bombard { unit: id, element, leaf }));
            shot.into_iter().chain(bombards).collect()
        }
        Some(Step::Dig(_)) => {
            let stands = one.alive().filter_map(|at| u8::try_from(at).ok());
            let works = stands.zip(pointed.work).collect();
            vec![Action::Dig { unit: id, works }]
        }
        Some(Step::Fights) => vec![Action::Fight(id), Action::Ram(id)],
        Some(Step::RamReaction(_) | Step::Reaction(_)) => {
            [Answer::Oil, Answer::Shoot].map(|answer| Action::React { unit: id, answer }).into()
        }
        Some(Step::DriveBack) => vec![Action::DriveBack(id)],
        Some(Step::Advance(_)) => charges().into_iter().map(Action::AdvanceCharge).collect(),
        Some(Step::RamAdvance(_)) => {
            charges().into_iter().map(|charge| Action::RamAdvance(Some(charge))).collect()
        }
        Some(Step::Winner | Step::Draw(_)) => {
            vec![Action::Pursue(id), Action::Advance(id), Action::Stand(id)]
        }
        Some(Step::Escape(_)) => vec![Action::Escape(id)],
        Some(Step::TowerTarget(..)) => vec![Action::NameTarget(id)],
        Some(Step::Blunder(_)) => vec![Action::BlunderChoice(id)],
        Some(Step::Reform(_)) => vec![Action::Keep(id)],
        _ => Vec::new(),
    }
}

/// A march to a place, drawn up towards it as the unit stands.
fn onwards(state: &State, id: UnitId, one: &Unit, middle: Point) -> Option<Action> {
    let from = one
        .machine_rect()
        .or_else(|| one.alive().next().and_then(|at| state.table.stand_rect(one, at)))
        .map(|rect: Rect| rect.centre)?;
    let formation = match state.table.formation(one) {
        Formation::Column if one.strength() > 1 => Formation::Column,
        _ => Formation::Line,
    };
    drawn_up(state, id, formation, middle, towards(from, middle))
}

/// A unit set up on an element and those after it.
fn onto(state: &State, id: UnitId, one: &Unit, element: ElementId) -> Action {
    let places = up_from(state, element, usize::from(one.began));
    Action::Deploy { unit: id, places, machine: None, item: state.gift(one) }
}

/// A unit that goes up onto the works.
fn up_to(state: &State, id: UnitId, one: &Unit, element: ElementId) -> Action {
    let stands: Vec<usize> = one.alive().collect();
    let places = up_from(state, element, stands.len());
    let ways = stands
        .iter()
        .zip(places)
        .filter_map(|(&at, to)| Some(Way { stand: u8::try_from(at).ok()?, via: Vec::new(), to }));
    Action::March(vec![Move { unit: id, stands: ways.collect(), machine: None }])
}

/// So many places of the works, from this one on in the order of the plan.
fn up_from(state: &State, element: ElementId, count: usize) -> Vec<Place> {
    let table = &state.table;
    if !table.is_wall(element) {
        return vec![Place::Tower { element }; count];
    }
    let mut run = vec![element];
    while run.len() < count {
        let next = run.last().and_then(|&last| table.plan().element(last)?.beside[1]);
        let Some(next) = next.filter(|&next| table.is_wall(next)) else { break };
        run.push(next);
    }
    run.into_iter().map(|element| Place::Rampart { element, look: Look::Out }).collect()
}

/// An engine turned to an element.
fn turned_to(state: &State, id: UnitId, one: &Unit, element: ElementId) -> Option<Action> {
    let own = one.alive().next().and_then(|at| state.table.ground_rect(one, at))?;
    let part = state.table.plan().element(element).filter(|part| part.kind != Kind::LoneTower)?;
    Some(Action::TurnEngine { unit: id, facing: towards(own.front(), part.rect.centre) })
}
