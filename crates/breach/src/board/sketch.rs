//! An order on the table before it is given: where the stands would end and by which lanes, whom they
//! would touch, who would stand behind those who fight; the line of a shot. Everything comes from the code
//! that will carry it out.

use std::fmt::Write as _;

use kernel::board::Spot;

use super::names::{stand_spot, unit_spot, works_spot};
use super::standing::{SCALE, picture};
use crate::draw::ground::spot;
use crate::game::{Action, Charge, ElementId, Move, Place, Rect, State, Touch, Unit, UnitId, backs};
use crate::terms::Arm;

/// What would come of an order, as SVG; nothing where there is nothing to see.
pub(super) fn sketch(state: &State, action: &Action) -> Option<String> {
    let drawn = match action {
        Action::Charge(charge)
        | Action::InitiativeCharge(charge)
        | Action::AdvanceCharge(charge)
        | Action::RamAdvance(Some(charge)) => charged(state, action, charge)?,
        Action::March(moves) => marched(state, moves),
        Action::FallBack(step) => marched(state, std::slice::from_ref(step)),
        Action::Deploy { unit, places, machine, item } => {
            let mut after = *state.table.unit(*unit)?;
            after.item = *item;
            after.machine = *machine;
            for (stand, place) in after.stands.iter_mut().zip(places) {
                stand.place = *place;
            }
            ghost(&with(state, *unit, after), *unit)
        }
        Action::Climb { unit, elements } => climbed(state, *unit, elements)?,
        Action::Shoot { unit, target } => {
            let (from, to) = (state.table.unit(*unit)?, state.table.unit(*target)?);
            ray(unit_spot(state, from)?, unit_spot(state, to)?)
        }
        Action::Bombard { unit, element, .. } => {
            ray(unit_spot(state, state.table.unit(*unit)?)?, works_spot(state, *element)?)
        }
        Action::Fight(unit) => fought(state, *unit),
        _ => return None,
    };
    Some(drawn)
}

/// The state with a unit as it would be.
fn with(state: &State, id: UnitId, after: Unit) -> State {
    let mut then = state.clone();
    then.table.with_unit(id, |unit| *unit = after);
    then
}

/// A unit where it would stand.
fn ghost(then: &State, id: UnitId) -> String {
    let Some((unit, (x, y))) = then.table.unit(id).and_then(|unit| Some((unit, unit_spot(then, unit)?)))
    else {
        return String::new();
    };
    let stands = picture(then, id, unit, (x, y));
    format!(r#"<g transform="translate({x:.1} {y:.1}) scale({SCALE})">{stands}</g>"#)
}

/// The lane of a stand: the ground it passes over, and its way.
fn lane(drawn: &mut String, from: &Rect, to: &Rect, via: &[Spot]) {
    let (a, b) = (spot(from.centre), spot(to.centre));
    let mut way = format!("M{:.1} {:.1}", a.0, a.1);
    for (x, y) in via.iter().copied().chain([b]) {
        let _ = write!(way, "L{x:.1} {y:.1}");
    }
    if via.is_empty() {
        // Corners of one side, then of the other: the swath between the two bases.
        let (one, two) = (from.corners.map(spot), to.corners.map(spot));
        let _ = write!(
            drawn,
            r#"<path class="swath" d="M{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}L{:.1} {:.1}Z"></path>"#,
            one[0].0, one[0].1, two[0].0, two[0].1, two[3].0, two[3].1, one[3].0, one[3].1
        );
    }
    let _ = write!(drawn, r#"<path class="lane" d="{way}"></path>"#);
}

/// The lanes of a unit from where it stands to where it would.
fn lanes(state: &State, before: &Unit, after: &Unit) -> String {
    let mut drawn = String::new();
    if let (Some(from), Some(to)) = (before.machine_rect(), after.machine_rect()) {
        lane(&mut drawn, &from, &to, &[]);
        return drawn;
    }
    for at in after.alive() {
        if let (Some(from), Some(to)) =
            (state.table.stand_rect(before, at), state.table.stand_rect(after, at))
            && from != to
        {
            lane(&mut drawn, &from, &to, &[]);
        }
    }
    drawn
}

fn charged(state: &State, action: &Action, charge: &Charge) -> Option<String> {
    let before = state.table.unit(charge.unit)?;
    let pace = match action {
        Action::AdvanceCharge(_) | Action::RamAdvance(_) => 2_000,
        _ => state.table.charge_pace(before),
    };
    let landed = state.table.charge(charge, pace).ok()?;
    let mut drawn = lanes(state, before, &landed.after);
    let then = with(state, charge.unit, landed.after);
    drawn.push_str(&ghost(&then, charge.unit));
    drawn.push_str(&meeting(&then, charge.unit));
    Some(drawn)
}

fn marched(state: &State, moves: &[Move]) -> String {
    let mut drawn = String::new();
    let mut then = state.clone();
    for step in moves {
        let Some(before) = state.table.unit(step.unit).copied() else { continue };
        let mut after = before;
        if let Some(pose) = step.machine {
            after.machine = Some(pose);
            let (places, _) = state.table.template(&before, crate::game::Formation::Column, pose.0, pose.1);
            let alive: Vec<usize> = before.alive().collect();
            for (&at, place) in alive.iter().zip(places) {
                after.stands[at].place = place;
            }
        }
        for way in &step.stands {
            let at = usize::from(way.stand);
            let Some(stand) = after.stands.get_mut(at) else { continue };
            stand.place = way.to;
            stand.post = None;
            let via: Vec<Spot> = way.via.iter().map(|&point| spot(point)).collect();
            if let (Some(from), Some(to)) =
                (state.table.stand_rect(&before, at), state.table.footprint(way.to, before.profile().base))
            {
                lane(&mut drawn, &from, &to, &via);
            }
        }
        if step.machine.is_some() {
            drawn.push_str(&lanes(state, &before, &after));
        }
        then.table.with_unit(step.unit, |unit| *unit = after);
    }
    for step in moves {
        drawn.push_str(&ghost(&then, step.unit));
    }
    drawn
}

fn climbed(state: &State, id: UnitId, elements: &[ElementId]) -> Option<String> {
    let mut after = *state.table.unit(id)?;
    let alive: Vec<usize> = after.alive().collect();
    for (&at, &element) in alive.iter().zip(elements) {
        after.stands[at].place = Place::Rampart { element, look: crate::game::Look::Out };
    }
    Some(ghost(&with(state, id, after), id))
}

/// A shot.
fn ray((ax, ay): Spot, (bx, by): Spot) -> String {
    let turn = (by - ay).atan2(bx - ax).to_degrees();
    format!(
        r#"<path class="ray" d="M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"></path><path class="head" d="M0 0l-12 -5v10Z" transform="translate({bx:.1} {by:.1}) rotate({turn:.0})"></path>"#
    )
}

/// Those who touch each other, and those who stand behind or beside them.
fn meeting(then: &State, id: UnitId) -> String {
    let touches: Vec<Touch> =
        then.table.contacts().into_iter().filter(|touch| touch.one.0 == id || touch.other.0 == id).collect();
    met(then, &touches)
}

fn fought(state: &State, id: UnitId) -> String {
    let all = state.table.contacts();
    let units = state.table.engagement(id, &all);
    let own: Vec<Touch> =
        all.into_iter().filter(|touch| units.has(touch.one.0) && units.has(touch.other.0)).collect();
    met(state, &own)
}

fn met(then: &State, touches: &[Touch]) -> String {
    let mut drawn = String::new();
    let at =
        |(id, stand): (UnitId, usize)| then.table.unit(id).and_then(|unit| stand_spot(then, unit, stand));
    for touch in touches {
        let (Some((ax, ay)), Some((bx, by))) = (at(touch.one), at(touch.other)) else { continue };
        let (mx, my) = (f64::midpoint(ax, bx), f64::midpoint(ay, by));
        let _ = write!(
            drawn,
            r#"<path class="contact" d="M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"></path><circle class="contact" cx="{mx:.1}" cy="{my:.1}" r="6"></circle>"#
        );
    }
    // Supports count on the ground only.
    let fighting: Vec<(UnitId, usize)> = touches
        .iter()
        .filter(|touch| touch.place.is_none())
        .flat_map(|touch| [touch.one, touch.other])
        .collect();
    for (id, unit) in then.table.each().filter(|(_, unit)| unit.profile().arm == Arm::Infantry) {
        for stand in unit.alive().filter(|&stand| !fighting.contains(&(id, stand))) {
            let Some(own) = then.table.ground_rect(unit, stand).filter(|_| !unit.is_confused()) else {
                continue;
            };
            let friend = |&(other, to): &(UnitId, usize)| {
                let friend = then.table.unit(other).filter(|friend| friend.side == unit.side)?;
                then.table.ground_rect(friend, to).filter(|rect| backs(rect, &own))
            };
            if let Some(rect) = fighting.iter().find_map(friend) {
                let ((ax, ay), (bx, by)) = (spot(own.centre), spot(rect.centre));
                let _ =
                    write!(drawn, r#"<path class="support" d="M{ax:.1} {ay:.1}L{bx:.1} {by:.1}"></path>"#);
            }
        }
    }
    drawn
}
