//! Who plays a seat that nobody takes: at random, but he rather does something than nothing. He is handed a
//! state that his side imagines, and weighs strengths as the game page does (`game_weights.csv`).

use kernel::Live;
use opponent::{Planner, any_of};
use rulebook::tables::campaign::GameWeightsKey as Weight;

use crate::battle::Stance;
use crate::map::HexId;
use crate::terms::{Army, Game};

use super::action::Action;
use super::knowledge::{Seen, range};
use super::march::distance;
use super::roster::{LeaderId, enemy};
use super::state::{Body, Phase, State};
use super::view::View;

/// A weight, in hundredths.
fn weight(key: Weight) -> i32 {
    key.row().value
}

/// Whether one strength is at least so many hundredths of another.
const fn outweighs(own: i32, other: i32, hundredths: i32) -> bool {
    own * 100 >= other * hundredths
}

/// The SP that a stack may be taken for.
fn estimate(seen: &Seen) -> i32 {
    match seen.contact {
        Some(contact) => match (contact.open, contact.band) {
            (Some(open), _) => open.iter().sum(),
            (None, Some(band)) => {
                let (least, most) = range(band);
                i32::midpoint(least, most.min(60))
            }
            (None, None) if contact.class < 3 => i32::from(contact.class),
            (None, None) => 8,
        },
        None => 8,
    }
}

/// Where in the list a choice of this kind stands, one of several by lot.
fn any(actions: &[Action], dice: &mut Live, fits: impl Fn(&Action) -> bool) -> Option<usize> {
    let places: Vec<usize> =
        actions.iter().enumerate().filter(|(_, action)| fits(action)).map(|(place, _)| place).collect();
    let count = u32::try_from(places.len()).ok().filter(|count| *count > 0)?;
    places.get(dice.below(count) as usize).copied()
}

/// The best by a score, the first of equals.
fn best(actions: &[Action], score: impl Fn(&Action) -> Option<i32>) -> Option<usize> {
    let scored = actions.iter().enumerate().filter_map(|(place, action)| Some((place, score(action)?)));
    scored.max_by_key(|&(place, score)| (score, std::cmp::Reverse(place))).map(|(place, _)| place)
}

impl Planner for State {
    fn plan(side: Army, view: &View, offered: &[Action], stream: &mut Live) -> Action {
        let imagined = view.imagine(stream);
        let chosen = choose(&imagined, side, offered, stream);
        offered.get(chosen).unwrap_or_else(|| any_of(offered, stream)).clone()
    }
}

/// Chooses for a side.
fn choose(state: &State, side: Army, actions: &[Action], dice: &mut Live) -> usize {
    let found = if !state.public.owed.is_empty() {
        any(actions, dice, |_| true)
    } else {
        match state.public.phase {
            Phase::Admin => administer(actions, dice),
            Phase::Organise => organise(actions, dice),
            Phase::Command => command(state, side, actions),
            Phase::Move | Phase::React | Phase::Force | Phase::Guns(_) if state.public.walk.is_none() => {
                march(state, side, actions, dice)
            }
            Phase::Combat => attack(state, side, actions),
            Phase::StanceAttacker
            | Phase::StanceDefender
            | Phase::RestanceAttacker
            | Phase::RestanceDefender => stance(state, side, actions),
            Phase::Move | Phase::Retreat => any(actions, dice, |action| *action == Action::RetreatRest),
            Phase::Counter => Some(counter(state, side, actions)),
            Phase::Pursue => best(actions, |action| match action {
                Action::Pursue(leaders) => i32::try_from(leaders.len()).ok(),
                _ => None,
            }),
            Phase::Advance => best(actions, |action| match action {
                Action::Advance(hexes) => Some(i32::from(*hexes)),
                _ => None,
            }),
            Phase::Declare => any(actions, dice, |action| *action == Action::DeclareVictory),
            _ => None,
        }
    };
    found.or_else(|| any(actions, dice, |_| true)).unwrap_or(0)
}

fn administer(actions: &[Action], dice: &mut Live) -> Option<usize> {
    let moves = any(actions, dice, |action| {
        matches!(action, Action::MoveCentre(_) | Action::ReformCentre(_) | Action::CallMortier)
    });
    moves.filter(|_| dice.below(3) == 0).or_else(|| any(actions, dice, |action| *action == Action::EndAdmin))
}

fn organise(actions: &[Action], dice: &mut Live) -> Option<usize> {
    let wanted = any(actions, dice, |action| matches!(action, Action::RecoverAll | Action::Replace(_)));
    let grouped = || any(actions, dice, |action| matches!(action, Action::Gather(_) | Action::ForageOff(_)));
    wanted.or_else(grouped).or_else(|| any(actions, dice, |action| *action == Action::EndOrganise))
}

/// As many commands as leave a reserve.
fn command(state: &State, side: Army, actions: &[Action]) -> Option<usize> {
    let base = state.base(side);
    let spare = match state.kind() {
        Game::Battle => base.commands,
        Game::Campaign => base.ap - weight(Weight::ApKeep) / 100,
    };
    best(actions, |action| match action {
        Action::Commands(leaders) => i32::try_from(leaders.len()).ok().filter(|count| *count <= spare),
        Action::EndCommand => Some(0),
        _ => None,
    })
}

/// How far a hex is from what a side looks for: enemies it can beat, else its friends.
fn interest(state: &State, side: Army, head: LeaderId, hex: HexId) -> i32 {
    let host = state.host(side);
    let own = host.strength(head).all();
    let seen = state.seen(Some(side), enemy(side));
    let far = weight(Weight::SeekHexes) / 100;
    let prey = seen
        .iter()
        .filter(|seen| !seen.headquarters && distance(hex, seen.hex) <= far)
        .map(|seen| {
            let away = distance(hex, seen.hex);
            if outweighs(own, estimate(seen), weight(Weight::AttackRatio)) { -2 * away } else { away.min(4) }
        })
        .max();
    let friends = host.heads().into_iter().filter(|&other| other != head);
    let friends = friends.filter_map(|other| host.leader_at(other)).filter(|&at| distance(hex, at) <= 1);
    prey.unwrap_or(0) + i32::try_from(friends.count()).unwrap_or(0).min(3)
}

fn march(state: &State, side: Army, actions: &[Action], dice: &mut Live) -> Option<usize> {
    let host = state.host(side);
    if let Some(hand) = host.hand {
        let Body::Formation(head) = hand.body else { return any(actions, dice, |_| true) };
        let here = host.leader_at(head)?;
        if host.flags(head).marched() > 0 && dice.below(2) == 0 {
            return any(actions, dice, |action| *action == Action::Halt);
        }
        let lot = i32::try_from(dice.below(4)).unwrap_or(0);
        return best(actions, |action| match action {
            Action::March(path) => path.last().map(|&end| interest(state, side, head, end) + lot),
            Action::Repulse(_) => Some(1),
            Action::Halt => Some(interest(state, side, head, here)),
            _ => None,
        });
    }
    let carry_on = any(actions, dice, |action| *action == Action::CarryOn);
    let take_up = || {
        any(actions, dice, |action| match action {
            Action::TakeUp(Body::Formation(head)) => host.strength(*head).all() > 0,
            Action::GunsMarch(_) => true,
            _ => false,
        })
    };
    let ends = |action: &Action| matches!(action, Action::EndMovement | Action::EndForced | Action::Pass);
    carry_on.or_else(take_up).or_else(|| any(actions, dice, ends))
}

fn attack(state: &State, side: Army, actions: &[Action]) -> Option<usize> {
    let seen = state.seen(Some(side), enemy(side));
    best(actions, |action| match action {
        Action::EndCombat => Some(0),
        Action::Attack { hex, formations } => {
            let own: i32 = formations.iter().map(|&head| state.host(side).strength(head).fighting()).sum();
            let other = seen.iter().find(|seen| seen.hex == *hex).map_or(8, estimate);
            let enough = outweighs(own, other, weight(Weight::AttackRatio));
            enough.then_some(100 * own / other.max(1))
        }
        _ => None,
    })
}

/// The forces of the battle, the own first.
fn forces(state: &State, side: Army) -> [i32; 2] {
    [side, enemy(side)].map(|army| {
        let host = state.host(army);
        host.force_points(&host.force).fighting()
    })
}

fn stance(state: &State, side: Army, actions: &[Action]) -> Option<usize> {
    let [own, other] = forces(state, side);
    let attacks = state.public.battle.as_ref().is_some_and(|battle| battle.attacker == side);
    let pitched = if attacks {
        outweighs(own, other, weight(Weight::PitchedAttacker))
            && own >= weight(Weight::PitchedAttackerSp) / 100
    } else {
        outweighs(own, other, weight(Weight::PitchedDefender))
    };
    let wanted = if pitched { Stance::Pitched } else { Stance::Pursuit };
    actions.iter().position(|action| *action == Action::Stance(wanted))
}

fn counter(state: &State, side: Army, actions: &[Action]) -> usize {
    let [own, other] = forces(state, side);
    let goes_on = outweighs(own, other, weight(Weight::CounterRatio));
    let wanted = if goes_on { Action::Counterattack } else { Action::Stop };
    actions.iter().position(|action| *action == wanted).unwrap_or(0)
}
