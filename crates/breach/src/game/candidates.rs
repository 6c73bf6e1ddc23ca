//! Sensible moves for those who click and for machines (section 4.9 of the game page). Every candidate is
//! validated by whoever asks for it.

use tabletop::geometry::{Facing, Point};

use crate::scenario::{Scenario, Side};
use crate::terms::Item;

use super::action::{Move, Way};
use super::geometry::{ahead, distance, shift, towards};
use super::ground::{Formation, aloft};
use super::plan::{ElementId, Kind, Slot, seat};
use super::state::{Look, Place, STANDS, State, Table, Unit, UnitId};

/// A unit moved as it stands.
pub(crate) fn rigid(id: UnitId, unit: &Unit, by: (i64, i64)) -> Option<Move> {
    if let Some((front, facing)) = unit.machine {
        return Some(Move { unit: id, stands: Vec::new(), machine: Some((front.moved(by.0, by.1), facing)) });
    }
    let mut stands = Vec::with_capacity(4);
    for at in unit.alive() {
        let Place::Ground { front, facing } = unit.stands[at].place else { return None };
        let to = Place::Ground { front: front.moved(by.0, by.1), facing };
        stands.push(Way { stand: u8::try_from(at).ok()?, via: Vec::new(), to });
    }
    Some(Move { unit: id, stands, machine: None })
}

/// Runs of empty sections that a unit with ladders or a siege tower might climb.
pub(crate) fn runs(table: &Table, unit: &Unit) -> Vec<Vec<ElementId>> {
    let mut found = Vec::new();
    if table.scenario != Scenario::Keep || !matches!(unit.item, Item::Ladders | Item::SiegeTower) {
        return found;
    }
    let near = |element: ElementId| {
        table.works_rect(element).is_some_and(|rect| {
            unit.alive().filter_map(|at| table.ground_rect(unit, at)).any(|own| own.is_near(&rect, 2_000))
        })
    };
    let empty = |element: ElementId| {
        table.is_wall(element) && table.stands(element) && table.on(element).next().is_none() && near(element)
    };
    for (id, _) in table.plan().each().filter(|(id, _)| empty(*id)) {
        let mut run = vec![id];
        found.push(run.clone());
        while run.len() < 3 {
            let next = run.last().and_then(|&last| table.plan().element(last)?.beside[1]);
            let Some(next) = next.filter(|&next| empty(next)) else { break };
            run.push(next);
            found.push(run.clone());
        }
    }
    found
}

/// The front middle of a unit as it stands.
fn lead(table: &Table, unit: &Unit) -> Option<(Point, Facing)> {
    if let Some(pose) = unit.machine {
        return Some(pose);
    }
    let mut count = 0;
    let (mut x, mut y) = (0, 0);
    let mut faced = Facing::NORTH;
    for at in unit.alive() {
        let rect = table.stand_rect(unit, at)?;
        if count == 0 {
            faced = rect.facing;
        }
        x += rect.front().x;
        y += rect.front().y;
        count += 1;
    }
    (count > 0).then(|| (Point::new(x / count, y / count), faced))
}

/// The places a unit might make for.
fn goals(state: &State, unit: &Unit) -> Vec<Point> {
    let table = &state.table;
    let plan = table.plan();
    let mut goals = Vec::new();
    let Some((from, _)) = lead(table, unit) else { return goals };
    let enemies =
        || table.of_side(unit.side.other()).filter_map(|(_, other)| lead(table, other)).map(|(at, _)| at);
    let nearest = enemies().min_by_key(|at| from.square_to(*at));
    match table.scenario {
        Scenario::Watchtower => {
            let door = table.entrance.and_then(|slot| plan.elements.first()?.slot(slot));
            goals.extend(door.map(|(front, facing)| {
                let (dx, dy) = ahead(facing, -300);
                front.moved(dx, dy)
            }));
        }
        Scenario::Help if unit.side == Side::Garrison => {
            goals.extend([from.x, 4_500, 13_500].map(|x| Point::new(x, 11_900)));
        }
        Scenario::Help => {}
        Scenario::Keep if unit.side == Side::Besieger => {
            let held = |id: ElementId| table.held_by(id) == Some(Side::Garrison);
            let slots = plan
                .each()
                .filter(|(id, part)| {
                    if unit.item.rams() { part.kind == Kind::Gate } else { held(*id) && table.is_wall(*id) }
                })
                .filter_map(|(_, part)| part.slot(Slot::Outer));
            let best = slots.min_by_key(|(front, _)| front.square_to(from));
            goals.extend(best.map(|(front, facing)| {
                let (dx, dy) = ahead(facing, -150);
                front.moved(dx, dy)
            }));
            goals.extend(
                plan.each()
                    .filter(|(id, part)| {
                        !table.stands(*id) || (part.kind == Kind::Gate && table.gate_is_open(*id))
                    })
                    .map(|(_, part)| part.rect.centre)
                    .take(2),
            );
            goals.push(Point::cm(90, 7));
        }
        Scenario::Keep => {
            goals.push(Point::cm(90, 7));
            goals.extend(
                plan.each().filter(|(id, _)| !table.stands(*id)).map(|(_, part)| part.rect.centre).take(2),
            );
        }
    }
    if let Some(enemy) = nearest {
        goals.push(enemy);
        let by = shift(enemy, from, Facing::NORTH, 2_800);
        goals.push(enemy.moved(by.0, by.1));
    }
    goals.truncate(8);
    goals
}

/// The candidates for the move of an order, until enough are found.
pub(crate) fn marches(state: &State, found: &mut impl FnMut(Vec<Move>) -> bool) {
    let waiting = &state.hand.waiting;
    let [id] = waiting[..] else {
        group(state, found);
        return;
    };
    let table = &state.table;
    let Some(unit) = table.unit(id) else { return };
    let allowance = state.allowance(unit);
    if !table.is_on_works(unit) {
        for goal in goals(state, unit) {
            if !one_towards(state, id, unit, goal, found) {
                return;
            }
        }
        for eighth in 0..8 {
            let facing = Facing::tenths(eighth * 450);
            for distance in [allowance, allowance / 2] {
                if let Some(step) = rigid(id, unit, ahead(facing, distance - 1))
                    && !found(vec![step])
                {
                    return;
                }
            }
        }
    }
    if table.scenario != Scenario::Help && unit.item != Item::Ram {
        aloft_moves(state, id, unit, found);
    }
}

/// Moves of these straight towards a goal, until enough are found.
pub(crate) fn towards_goal(
    state: &State,
    waiting: &[UnitId],
    goal: Point,
    found: &mut impl FnMut(Vec<Move>) -> bool,
) {
    let table = &state.table;
    let units: Vec<(UnitId, &Unit)> = waiting.iter().filter_map(|&id| Some((id, table.unit(id)?))).collect();
    if let [(id, unit)] = units[..] {
        if !table.is_on_works(unit) {
            one_towards(state, id, unit, goal, found);
        }
        return;
    }
    let Some((from, facing)) = units.first().and_then(|(_, unit)| lead(table, unit)) else { return };
    let least = units.iter().map(|(_, unit)| state.allowance(unit)).min().unwrap_or(0);
    let far = distance(from, goal).min(least);
    for part in [far, far * 3 / 4, far / 2] {
        let by = shift(from, goal, facing, part);
        let moves: Option<Vec<Move>> = units.iter().map(|&(id, unit)| rigid(id, unit, by)).collect();
        if moves.is_some_and(|moves| !found(moves)) {
            return;
        }
    }
}

/// Moves of one unit on the ground towards a goal, in line and in column; whether more are wanted.
fn one_towards(
    state: &State,
    id: UnitId,
    unit: &Unit,
    goal: Point,
    found: &mut impl FnMut(Vec<Move>) -> bool,
) -> bool {
    let table = &state.table;
    let allowance = state.allowance(unit);
    let Some((from, _)) = lead(table, unit) else { return true };
    let far = distance(from, goal);
    let facing = towards(from, goal);
    let fronts = fronts(table, unit);
    for formation in [Formation::Line, Formation::Column] {
        if unit.machine.is_some() && formation == Formation::Column {
            continue;
        }
        // The whole way and a good part of it; turning costs something.
        for part in [far.min(allowance), far.min(allowance) - 300, far.min(allowance) / 2] {
            if part <= 0 {
                continue;
            }
            let by = shift(from, goal, facing, part);
            if !found(vec![drawn(table, id, unit, &fronts, formation, from.moved(by.0, by.1), facing)]) {
                return false;
            }
        }
    }
    true
}

/// Up onto the works, along them, down from them.
fn aloft_moves(state: &State, id: UnitId, unit: &Unit, found: &mut impl FnMut(Vec<Move>) -> bool) {
    let table = &state.table;
    let plan = table.plan();
    let stands: Vec<usize> = unit.alive().collect();
    let ways = |places: &[Place]| -> Vec<Way> {
        stands
            .iter()
            .zip(places)
            .filter_map(|(&at, &to)| Some(Way { stand: u8::try_from(at).ok()?, via: Vec::new(), to }))
            .collect()
    };
    for (element, part) in plan.each().filter(|(element, _)| table.stands(*element)) {
        if table.held_by(element) == Some(unit.side.other()) {
            continue;
        }
        let places: Vec<Place> = if table.is_wall(element) {
            let mut run = vec![element];
            while run.len() < stands.len() {
                let next = run.last().and_then(|&last| plan.element(last)?.beside[1]);
                let Some(next) = next.filter(|&next| table.is_wall(next)) else { break };
                run.push(next);
            }
            if run.len() < stands.len() {
                continue;
            }
            run.iter().map(|&element| aloft(table, element, Look::Out)).collect()
        } else {
            vec![Place::Tower { element }; stands.len()]
        };
        let near = stands
            .iter()
            .filter_map(|&at| table.stand_rect(unit, at))
            .any(|own| own.is_near(&part.rect, 2_600));
        if near && !found(vec![Move { unit: id, stands: ways(&places), machine: None }]) {
            return;
        }
    }
    if table.is_on_works(unit) && table.scenario == Scenario::Keep {
        for anchor in &plan.anchors[seat(Side::Garrison)] {
            if !table.is_inside(anchor.front) {
                continue;
            }
            let fronts = fronts(table, unit);
            let step = drawn(table, id, unit, &fronts, Formation::Line, anchor.front, anchor.facing);
            if !found(vec![step]) {
                return;
            }
        }
    }
}

/// The fronts of the stands of a unit.
fn fronts(table: &Table, unit: &Unit) -> [Option<Point>; STANDS] {
    table.footprints(unit).map(|rect| rect.map(|rect| rect.front()))
}

/// A unit drawn up anew, its stands with their fronts given to the places nearest first.
fn drawn(
    table: &Table,
    id: UnitId,
    unit: &Unit,
    fronts: &[Option<Point>; STANDS],
    formation: Formation,
    front: Point,
    facing: Facing,
) -> Move {
    let (places, machine) = table.template(unit, formation, front, facing);
    if unit.machine.is_some() {
        return Move { unit: id, stands: Vec::new(), machine };
    }
    let mut left = unit.there();
    let mut stands = Vec::with_capacity(4);
    for place in places.into_iter().take(usize::from(unit.strength())) {
        let Place::Ground { front, .. } = place else { continue };
        let near = |at: usize| fronts[at].map_or(i64::MAX, |own| own.square_to(front));
        let alive = (0..STANDS).filter(|at| left & 1 << at != 0);
        let Some(best) = alive.min_by_key(|&at| (near(at), at)) else { break };
        left &= !(1 << best);
        if let Ok(stand) = u8::try_from(best) {
            stands.push(Way { stand, via: Vec::new(), to: place });
        }
    }
    Move { unit: id, stands, machine: None }
}

/// A brigade moves as it stands.
fn group(state: &State, found: &mut impl FnMut(Vec<Move>) -> bool) {
    let table = &state.table;
    let units: Vec<(UnitId, &Unit)> =
        state.hand.waiting.iter().filter_map(|&id| Some((id, table.unit(id)?))).collect();
    let Some(&(_, first)) = units.first() else { return };
    let least = units.iter().map(|(_, unit)| state.allowance(unit)).min().unwrap_or(0);
    let Some((from, facing)) = lead(table, first) else { return };
    let mut shifts: Vec<(i64, i64)> = Vec::new();
    for goal in goals(state, first) {
        let far = distance(from, goal);
        shifts.push(shift(from, goal, facing, least.min(far)));
    }
    for eighth in 0..8 {
        let facing = Facing::tenths(eighth * 450);
        shifts.extend([least - 1, least / 2].map(|distance| ahead(facing, distance)));
    }
    for by in shifts.into_iter().take(32) {
        let moves: Option<Vec<Move>> = units.iter().map(|&(id, unit)| rigid(id, unit, by)).collect();
        if let Some(moves) = moves
            && !found(moves)
        {
            return;
        }
    }
}
