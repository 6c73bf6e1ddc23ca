//! What an order looks like on the map: who acts, on what, where.

use kernel::board::{Choice, Sense, ThingId};
use kernel::{Game as _, Told};

use super::MAP;
use super::names::{body_thing, hex_thing, leader_thing, post_thing};
use crate::draw::hex_centre;
use crate::game::{Action, Body, LeaderId, State, UnitId};
use crate::map::HexId;
use crate::terms::Army;

/// An order as its giver meets it.
pub(super) fn choice(state: &State, side: Army, action: &Action) -> Choice {
    let object = object(state, action);
    let subjects = subjects(state, side, action);
    let at = object.or_else(|| place(state, side, action));
    Choice {
        kind: State::topic(action).kind.to_owned(),
        heading: <State as Told>::kind(action).phrase,
        label: state.tell(action),
        subjects,
        object: object.map(hex_thing),
        at: at.map(|hex| (MAP, hex_centre(hex))),
        pose: None,
        sense: sense(action),
        at_once: matches!(action, Action::Command(_) | Action::Standing { .. }),
        in_a_row: false,
    }
}

/// The piece of a leader: that of his formation.
fn formation(state: &State, side: Army, leader: LeaderId) -> ThingId {
    leader_thing(state.host(side).head(leader))
}

/// The piece in which a unit marches or stands.
fn column(state: &State, side: Army, unit: UnitId) -> Option<ThingId> {
    let host = state.host(side);
    match host.units.get(&unit)?.leader {
        Some(leader) => Some(formation(state, side, leader)),
        None => host.unit_at(unit).map(post_thing),
    }
}

/// Who acts.
fn subjects(state: &State, side: Army, action: &Action) -> Vec<ThingId> {
    let hand = || state.host(side).hand.map(|hand| body_thing(hand.body)).into_iter().collect();
    match action {
        Action::Attach { leader, .. }
        | Action::Detach(leader)
        | Action::Spread(leader)
        | Action::Gather(leader)
        | Action::ForageOn(leader)
        | Action::ForageOff(leader)
        | Action::Losses { formation: leader, .. }
        | Action::Command(leader)
        | Action::Order { formation: leader, .. }
        | Action::Standing { formation: leader, .. }
        | Action::ForceMarch(leader)
        | Action::GunsMarch(leader) => vec![formation(state, side, *leader)],
        Action::Transfer { unit, .. }
        | Action::VedetteOut(unit)
        | Action::Recover { unit, .. }
        | Action::Replace(unit) => column(state, side, *unit).into_iter().collect(),
        Action::VedetteIn { vedette, .. } => vec![body_thing(Body::Vedette(*vedette))],
        Action::TakeUp(body) => vec![body_thing(*body)],
        Action::March(_)
        | Action::Repulse(_)
        | Action::DamageBridge(_)
        | Action::RepairBridge(_)
        | Action::LayPontoon(_)
        | Action::LiftPontoon(_)
        | Action::DropLeader(_)
        | Action::DropUnit(_) => hand(),
        Action::Attack { formations, .. } => {
            formations.iter().map(|&head| formation(state, side, head)).collect()
        }
        _ => Vec::new(),
    }
}

/// On which hex.
fn object(state: &State, action: &Action) -> Option<HexId> {
    match action {
        Action::Redirect { source: hex, .. }
        | Action::ChangeSource(hex)
        | Action::MoveCentre(hex)
        | Action::ReformCentre(hex)
        | Action::Standing { goal: Some(hex), .. }
        | Action::Repulse(hex)
        | Action::DamageBridge(hex)
        | Action::RepairBridge(hex)
        | Action::LayPontoon(hex)
        | Action::LiftPontoon(hex)
        | Action::Attack { hex, .. }
        | Action::RetreatTo(hex) => Some(*hex),
        Action::Order { path, .. } | Action::March(path) => path.last().copied(),
        Action::Attach { superior, .. } => {
            state.public.asked.and_then(|side| state.host(side).leader_at(*superior))
        }
        _ => None,
    }
}

/// Where whoever acts stands, for orders that are about nothing else.
fn place(state: &State, side: Army, action: &Action) -> Option<HexId> {
    let host = state.host(side);
    match action {
        Action::Detach(leader)
        | Action::Spread(leader)
        | Action::Gather(leader)
        | Action::ForageOn(leader)
        | Action::ForageOff(leader)
        | Action::Command(leader)
        | Action::ForceMarch(leader)
        | Action::GunsMarch(leader)
        | Action::TakeUp(Body::Formation(leader)) => host.leader_at(*leader),
        Action::TakeUp(body @ Body::Vedette(_)) => state.body_at(side, *body),
        Action::Transfer { unit, .. }
        | Action::VedetteOut(unit)
        | Action::VedetteIn { unit, .. }
        | Action::Recover { unit, .. }
        | Action::Replace(unit) => host.unit_at(*unit),
        // What is for the whole army is given from its base: it stands in the lists, not among the large buttons.
        Action::Watch(_) | Action::SkipTo(_) => {
            let base = state.base(side);
            base.centre.or(Some(base.source))
        }
        _ => None,
    }
}

/// How it is shown, and what goes with it.
const fn sense(action: &Action) -> Sense {
    match action {
        Action::TakeUp(_) => Sense::Take,
        Action::March(_) | Action::Order { .. } => Sense::March,
        Action::Repulse(_) => Sense::Step,
        Action::Halt => Sense::Stop,
        Action::RetreatTo(_) | Action::MoveCentre(_) | Action::ReformCentre(_) => Sense::Aim,
        Action::EndAdmin
        | Action::EndOrganise
        | Action::EndCommand
        | Action::EndMovement
        | Action::EndForced
        | Action::EndCombat
        | Action::Pass
        | Action::PassBattle
        | Action::NoPursuit
        | Action::DeclineVictory => Sense::Pass,
        Action::SkipTo(_) => Sense::Forgo,
        _ => Sense::Deed,
    }
}
