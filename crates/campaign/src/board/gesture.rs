//! What a reader seems to mean when he points at something with a formation: the order it would be in this phase.
//! The rules then say why it cannot be given.

use kernel::board::Gesture;

use super::names::{body_of, hex_of};
use super::reach::{mover, way};
use crate::game::{Action, Body, Hand, LeaderId, Phase, State, around};
use crate::map::HexId;
use crate::terms::Army;

/// The orders that a gesture may mean, the likeliest first.
pub(super) fn meant(state: &State, side: Army, gesture: &Gesture) -> Vec<Action> {
    let subject = gesture.subject.as_deref();
    let object = gesture.object.as_deref();
    let body = subject.or(object).and_then(body_of);
    let head = match body {
        Some(Body::Formation(head)) => Some(head),
        _ => None,
    };
    let hex =
        object.filter(|_| subject.is_some() || body.is_none()).and_then(|object| hex_of(state, side, object));
    let to = object.filter(|_| subject.is_some()).and_then(body_of);
    let one = |action: Option<Action>| action.into_iter().collect();
    match state.public.phase {
        _ if state.public.walk.is_some() => one(hex.map(Action::RetreatTo)),
        Phase::Admin => one(hex.map(Action::MoveCentre)),
        Phase::Organise => match (head, to) {
            (Some(leader), Some(Body::Formation(superior))) => vec![Action::Attach { leader, superior }],
            (Some(leader), _) => vec![Action::Gather(leader)],
            _ => Vec::new(),
        },
        Phase::Command => one(head.map(Action::Command)),
        Phase::Combat => match (head, hex) {
            (Some(head), Some(hex)) => vec![Action::Attack { hex, formations: vec![head] }],
            _ => Vec::new(),
        },
        Phase::Force | Phase::React if state.host(side).hand.is_none() => one(head.map(Action::ForceMarch)),
        Phase::Guns(_) if state.host(side).hand.is_none() => one(head.map(Action::GunsMarch)),
        Phase::Move | Phase::Force | Phase::React | Phase::Guns(_) => {
            let Some(hand) = mover(state, side, subject.or(object)) else { return Vec::new() };
            marched(state, side, hand, head, hex)
        }
        _ => Vec::new(),
    }
}

fn marched(state: &State, side: Army, hand: Hand, head: Option<LeaderId>, hex: Option<HexId>) -> Vec<Action> {
    let Some(hex) = hex.filter(|&hex| state.body_at(side, hand.body) != Some(hex)) else {
        return vec![Action::TakeUp(hand.body)];
    };
    let held = state.seen(Some(side), crate::game::enemy(side)).iter().any(|seen| seen.hex == hex);
    if held && state.host(side).hand.is_some() {
        return vec![Action::Repulse(hex)];
    }
    if held {
        return way(state, side, hand, onto(state, side, hand, hex));
    }
    let reached = state.reach_of(side, hand).into_iter().find(|one| one.path.last() == Some(&hex));
    let path = reached.map_or_else(|| state.long_way(side, hand, hex), |one| one.path);
    if path.is_empty() {
        return way(state, side, hand, vec![hex]);
    }
    let mut orders = way(state, side, hand, path);
    // What is too far for today is a goal for the days to come.
    let goal = head.filter(|_| state.host(side).hand.is_none());
    orders.extend(goal.map(|formation| Action::Standing { formation, goal: Some(hex) }));
    orders
}

/// The way onto an enemy, which the rules refuse for the enemy and not for the way.
fn onto(state: &State, side: Army, hand: Hand, hex: HexId) -> Vec<HexId> {
    let start = state.body_at(side, hand.body);
    let beside = around(hex).filter_map(|next| {
        let way = state.long_way(side, hand, next);
        (Some(next) == start || !way.is_empty()).then_some(way)
    });
    let mut path = beside.min_by_key(Vec::len).unwrap_or_default();
    path.push(hex);
    path
}
