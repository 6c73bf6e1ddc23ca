//! What an order looks like on the table: who acts, on what, where, how what it lays down lies.

use kernel::board::{Choice, Pose, Sense, Spot, ThingId};
use kernel::{Game as _, Phrase, Saying, Told as _};
use rulebook::phrase::breach_board as words;
use tabletop::geometry::{Facing, Point};

use super::names::{
    earthwork_spot, person_spot, person_thing, phrase, stand_spot, target_spot, target_thing, unit_spot,
    unit_thing, works_spot, works_thing,
};
use super::standing::turned;
use super::{HIGH, TABLE};
use crate::draw::ground::spot;
use crate::game::{
    Action, Charge, ElementId, Formation, MACHINE_BASE, Move, Place, Rect, Spell, State, Step, Unit, UnitId,
    Whereabouts, WorkId,
};

/// An order as its giver meets it.
pub(super) fn choice(state: &State, action: &Action) -> Choice {
    let topic = State::topic(action);
    let (object, at) = aimed(state, action);
    let pose = pose(state, action);
    Choice {
        kind: topic.kind.to_owned(),
        heading: heading(topic.kind),
        label: formed_label(state.tell(action), pose),
        subjects: subjects(state, action),
        object,
        at: at.map(|at| (TABLE, at)),
        pose,
        sense: sense(action),
        at_once: matches!(action, Action::PickUnit(_) | Action::TakeCommand(_) | Action::PlaceOil(_)),
        in_a_row: false,
    }
}

/// What an order does, with the formation in which it is done.
fn formed_label(told: Saying, pose: Option<Pose>) -> Saying {
    match pose.map(|pose| pose.tool) {
        Some("line") => Saying::new(words::IN_LINE).with("order", told),
        Some("column") => Saying::new(words::IN_COLUMN).with("order", told),
        _ => told,
    }
}

/// What stands over orders of a kind.
fn heading(kind: &str) -> Phrase {
    phrase(&format!("kind-{kind}"))
}

/// Who acts.
fn subjects(state: &State, action: &Action) -> Vec<ThingId> {
    match action {
        Action::TakeCommand(character)
        | Action::DeployCharacter { character, .. }
        | Action::MoveCharacter { character, .. }
        | Action::Cast { character, .. } => person_thing(state, *character).into_iter().collect(),
        Action::Order(units) => units.iter().filter_map(|&unit| unit_thing(state, unit)).collect(),
        Action::March(moves) => moves.iter().filter_map(|step| unit_thing(state, step.unit)).collect(),
        Action::Escape(_) | Action::NameTarget(_) | Action::BlunderChoice(_) => Vec::new(),
        other => other.unit().and_then(|unit| unit_thing(state, unit)).into_iter().collect(),
    }
}

/// On what, and where.
fn aimed(state: &State, action: &Action) -> (Option<ThingId>, Option<Spot>) {
    let element = |element: ElementId| (works_thing(state, element), works_spot(state, element));
    let unit = |unit: UnitId| {
        let at = state.table.unit(unit).and_then(|one| unit_spot(state, one));
        (unit_thing(state, unit), at)
    };
    let charged = |charge: &Charge| (target_thing(state, charge.target), target_spot(state, charge.target));
    let whereabouts = |place: Whereabouts| match place {
        Whereabouts::With(with) => unit(with),
        Whereabouts::On(on) => element(on),
        Whereabouts::At(point) => (None, Some(spot(point))),
        Whereabouts::Reserve | Whereabouts::Out | Whereabouts::Slain => (None, None),
    };
    let placed = |place: Option<&Place>, one: UnitId| match place {
        Some(Place::Ground { .. }) => {
            let of = state.table.unit(one);
            (None, of.zip(place).and_then(|(of, &place)| middle_of(state, of, place)))
        }
        Some(Place::Rampart { element: on, .. } | Place::Tower { element: on }) => element(*on),
        _ => (None, None),
    };
    match action {
        Action::DeclareSide(slot) => {
            let tower = state.table.plan().elements.first();
            (None, tower.and_then(|part| part.slot(*slot)).map(|(front, _)| spot(front)))
        }
        Action::PlaceWork { front, .. } => (None, Some(spot(*front))),
        Action::PlaceOil(on) => element(*on),
        Action::Deploy { unit, places, machine, .. } => match machine {
            Some((front, _)) => (None, Some(spot(*front))),
            None => placed(places.first(), *unit),
        },
        Action::Infiltrate { unit, places } => placed(places.first(), *unit),
        Action::DeployCharacter { place, .. } => whereabouts(*place),
        Action::MoveCharacter { to, .. } | Action::Cast { spell: Spell::Teleport(to), .. } => {
            whereabouts(*to)
        }
        Action::Cast { spell: Spell::FireLine(at) | Spell::CommandVoice(at) | Spell::Dread(at), .. } => {
            unit(*at)
        }
        Action::InitiativeCharge(charge)
        | Action::Charge(charge)
        | Action::AdvanceCharge(charge)
        | Action::RamAdvance(Some(charge)) => charged(charge),
        Action::InitiativeMachine { element: against, .. } => element(*against),
        Action::HomeBack { character, .. } => {
            let who = state.table.character(*character);
            (person_thing(state, *character), who.and_then(|who| person_spot(state, who)))
        }
        Action::March(moves) => moves.first().map_or((None, None), |step| match step.machine {
            Some((front, _)) => (None, Some(spot(front))),
            None => placed(step.stands.first().map(|way| &way.to), step.unit),
        }),
        Action::FallBack(step) | Action::RamMarch(step) => {
            placed(step.stands.first().map(|way| &way.to), step.unit)
        }
        Action::Climb { elements, .. } => elements.first().map_or((None, None), |&first| element(first)),
        Action::Shoot { target, .. } | Action::Strike { target, .. } => unit(*target),
        Action::Bombard { element: at, .. } => element(*at),
        Action::Dig { works, .. } => {
            let first = works.first().map(|&(_, work)| work);
            (
                first.map(|WorkId(work)| format!("k:{work}")),
                first.and_then(|work| earthwork_spot(state, work)),
            )
        }
        Action::RemoveStand(stand) | Action::KeepOddHits(stand) => {
            let one = in_question(state);
            let at = one.and_then(|one| stand_spot(state, one, usize::from(*stand)));
            (None, at)
        }
        Action::Escape(to) | Action::NameTarget(to) | Action::BlunderChoice(to) => unit(*to),
        Action::Ram(of) | Action::WaiveRam(of) => {
            let against = state.table.unit(*of).and_then(Unit::rams_at);
            against.map_or((None, None), element)
        }
        Action::Order(units) => {
            let at = units
                .first()
                .and_then(|&first| state.table.unit(first))
                .and_then(|one| unit_spot(state, one));
            (None, at)
        }
        other => other.unit().map_or((None, None), |of| (None, unit(of).1)),
    }
}

/// The unit that somebody is asked about.
pub(super) fn in_question(state: &State) -> Option<&Unit> {
    match state.steps.last()? {
        Step::Casualty(unit, _) | Step::CollapseChoice(unit) | Step::SplitChoice(unit) => {
            state.table.unit(*unit)
        }
        _ => None,
    }
}

/// The middle of a stand that would stand there.
fn middle_of(state: &State, one: &Unit, place: Place) -> Option<Spot> {
    state.table.footprint(place, one.profile().base).map(|rect| spot(rect.centre))
}

/// How it is shown, and what goes with it.
const fn sense(action: &Action) -> Sense {
    match action {
        Action::DeclareSide(_)
        | Action::PlaceOil(_)
        | Action::RemoveStand(_)
        | Action::KeepOddHits(_)
        | Action::Escape(_)
        | Action::NameTarget(_)
        | Action::Strike { .. }
        | Action::Cast { .. }
        | Action::BlunderChoice(_) => Sense::Aim,
        Action::Shoot { .. } | Action::Bombard { .. } => Sense::Shot,
        Action::GiveUpWorks
        | Action::EndInitiative
        | Action::EndOrders
        | Action::Dismiss
        | Action::Halt
        | Action::EndCharacters
        | Action::EndShooting
        | Action::EndDig
        | Action::Decline
        | Action::RamAdvance(None)
        | Action::AdvanceNone
        | Action::Stop => Sense::Pass,
        _ => Sense::Deed,
    }
}

/// How a facing of the table is told to the page: from the right, against the clock.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "degrees of a circle")]
pub(super) fn told(facing: Facing) -> u16 {
    (450.0 - turned(facing)).rem_euclid(360.0).round() as u16 % 360
}

/// A pose with a tool: the page knows the middle of the ground, upwards from below.
fn posed(tool: &'static str, front: Point, facing: Facing, (width, depth): (i64, i64)) -> Pose {
    let (x, y) = spot(Rect::new(front, facing, width, depth).centre);
    Pose { tool, at: (x, HIGH - y), facing: told(facing), length: 0.0 }
}

/// How broad and how deep a formation is, in hundredths of a centimetre.
pub(super) fn ground_of(one: &Unit, formation: Formation, stands: i64) -> (i64, i64) {
    let (width, depth) = one.profile().base;
    match (formation, one.item.is_machine()) {
        (_, true) => (MACHINE_BASE.0, MACHINE_BASE.1 + depth * stands),
        (Formation::Line, false) => (width * stands, depth),
        (_, false) => (width, depth * stands),
    }
}

/// Places that make a line or a column, as the tool that lays it.
fn formed(one: &Unit, places: &[Place], machine: Option<(Point, Facing)>) -> Option<Pose> {
    if let Some((front, facing)) = machine {
        let stands =
            i64::try_from(places.len()).ok().filter(|count| *count > 0).unwrap_or(i64::from(one.strength()));
        let burdened = ground_of(one, Formation::Column, stands);
        let deep = (MACHINE_BASE.0, burdened.1.max(MACHINE_BASE.1 + one.profile().base.1 * stands));
        return Some(posed("machine", front, facing, deep));
    }
    let mut fronts = Vec::with_capacity(places.len());
    let mut faced = None;
    for place in places {
        let Place::Ground { front, facing } = *place else { return None };
        if faced.is_some_and(|known| known != facing) {
            return None;
        }
        faced = Some(facing);
        fronts.push(front);
    }
    let (facing, count) = (faced?, i64::try_from(fronts.len()).ok()?);
    let (width, depth) = one.profile().base;
    let sum = |read: fn(&Point) -> i64| fronts.iter().map(read).sum::<i64>() / count;
    let mean = Point::new(sum(|front| front.x), sum(|front| front.y));
    let rect = Rect::new(mean, facing, width, depth);
    // In a line every front lies on one line across, in a column behind one another.
    let ahead = |front: &Point| rect.frame(*front).1.abs() >> 30;
    let aside = |front: &Point| rect.frame(*front).0.abs() >> 30;
    let flat = |front: &Point| (ahead(front) - depth / 2).abs() < 20;
    if fronts.iter().all(flat) {
        Some(posed("line", mean, facing, (width * count, depth)))
    } else if fronts.iter().all(|front| aside(front) < 20) {
        let (x, y) = spot(rect.centre);
        Some(Pose { tool: "column", at: (x, HIGH - y), facing: told(facing), length: 0.0 })
    } else {
        None
    }
}

fn pose(state: &State, action: &Action) -> Option<Pose> {
    let of_move = |step: &Move| {
        let one = state.table.unit(step.unit)?;
        let places: Vec<Place> = step.stands.iter().map(|way| way.to).collect();
        formed(one, &places, step.machine)
    };
    match action {
        Action::PlaceWork { front, facing } => Some(posed("work", *front, *facing, (400, 100))),
        Action::Deploy { unit, places, machine, .. } => formed(state.table.unit(*unit)?, places, *machine),
        Action::Infiltrate { unit, places } => formed(state.table.unit(*unit)?, places, None),
        Action::March(moves) => match moves.as_slice() {
            [only] => of_move(only),
            _ => None,
        },
        Action::FallBack(step) | Action::RamMarch(step) => of_move(step),
        Action::DeployCharacter { place: Whereabouts::At(point), .. }
        | Action::MoveCharacter { to: Whereabouts::At(point), .. } => {
            let (x, y) = spot(*point);
            Some(Pose { tool: "character", at: (x, HIGH - y), facing: 90, length: 0.0 })
        }
        _ => None,
    }
}
