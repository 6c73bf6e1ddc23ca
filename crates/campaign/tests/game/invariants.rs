//! What holds after every action (section 9 of the game page).

use std::collections::BTreeSet;

use campaign::game::{Scenario, State, Whereabouts};
use campaign::map;
use campaign::terms::{Arm, Army};
use kernel::{Game as _, Setup};

fn slot(arm: Arm) -> usize {
    arm as usize
}

/// The SP that a side has in all at the start, by arm.
fn starting(state: &State, army: Army) -> [i32; 3] {
    let scenario = match state.public.scenario {
        Scenario::Austerlitz => "austerlitz",
        Scenario::Hollabrunn => "hollabrunn",
        Scenario::November => "november",
        Scenario::December => "december",
    };
    let start = State::start(&Setup { scenario: scenario.to_owned(), ..Setup::default() }).unwrap();
    let mut sums = [0; 3];
    for unit in start.host(army).units.values() {
        sums[slot(unit.arm)] += unit.sp;
    }
    sums
}

/// Where a side has SP.
fn hexes(state: &State, army: Army) -> BTreeSet<campaign::HexId> {
    let host = state.host(army);
    let units = host.units.iter().filter(|(_, unit)| unit.sp > 0).filter_map(|(id, _)| host.unit_at(*id));
    units.chain(host.vedettes.values().map(|vedette| vedette.hex)).collect()
}

pub fn check(state: &State) -> Result<(), String> {
    for army in [Army::French, Army::AustroRussian] {
        let host = state.host(army);
        // 1: strength points are conserved and accounted for.
        let mut sums = host.gone;
        for unit in host.units.values() {
            if !(0..=unit.most).contains(&unit.sp) {
                return Err(format!("{army:?}: a unit has {} of {}", unit.sp, unit.most));
            }
            sums[slot(unit.arm)] += unit.sp;
        }
        sums[0] += host.pool[0] - host.replaced;
        sums[1] += host.pool[1] + i32::try_from(host.vedettes.len()).unwrap();
        let start = starting(state, army);
        if sums != start {
            return Err(format!("{army:?}: {sums:?} SP are accounted for of {start:?}"));
        }
        // Every SP lost is accounted for by its cause: in action, or by attrition and not among the stragglers.
        let (gone, action) = (host.gone.iter().sum::<i32>(), state.base(army).lost);
        if gone != action + host.worn - host.pool.iter().sum::<i32>() {
            return Err(format!(
                "{army:?}: {gone} SP are gone, {action} in action, {} worn, pool {:?}",
                host.worn, host.pool
            ));
        }
        // Nobody stands off the map, and nobody has marched farther than anybody can.
        let posts =
            host.units.values().filter(|unit| unit.leader.is_none()).filter_map(|unit| match unit.at {
                Whereabouts::Map(hex) => Some(hex),
                _ => None,
            });
        let mut stood = posts.chain(host.vedettes.values().map(|vedette| vedette.hex));
        if let Some(hex) = stood.find(|&hex| !map().cell(hex).in_play) {
            return Err(format!("{army:?}: somebody is out of play in {hex}"));
        }
        for (head, flags) in host.flags.iter() {
            // In halves: the allowance, 3 MP extended, 4 MP forced.
            if flags.foot > 2 * (6 + 3 + 4) || flags.horse > 2 * (12 + 3 + 4) || flags.forced > 2 * 4 {
                return Err(format!(
                    "{head} marched {} and {}, {} of it forced",
                    flags.foot, flags.horse, flags.forced
                ));
            }
        }
        // 2: trees, spans and places.
        for (&leader, found) in host.leaders.iter() {
            if let Some(superior) = found.superior {
                if host.leaders.get(&superior).map(|other| other.at) != Some(found.at) {
                    return Err(format!("{leader} is not with {superior}"));
                }
                if superior.rank() >= leader.rank() {
                    return Err(format!("{leader} serves under {superior}"));
                }
            }
            if host.span_used(leader) > leader.span() {
                return Err(format!("{leader} commands more than his span"));
            }
            if let Whereabouts::Map(hex) = found.at
                && !map().cell(hex).in_play
            {
                return Err(format!("{leader} is out of play in {hex}"));
            }
        }
        // 4: nothing without SP stands by itself.
        for (id, unit) in host.units.iter() {
            if unit.sp == 0 && unit.leader.is_none() && host.unit_at(*id).is_some() {
                return Err(format!("{id} stands in a hex without SP"));
            }
        }
        // 6: bounds.
        let base = state.base(army);
        if !(0..=20).contains(&base.ap) || base.commands < 0 || host.pool.iter().any(|&sp| sp < 0) {
            return Err(format!("{army:?}: {base:?}, pool {:?}", host.pool));
        }
        if let Some(centre) = base.centre.filter(|_| state.kind() == campaign::terms::Game::Campaign) {
            let own = state.public.control.get(&centre).is_none_or(|holder| *holder == army)
                || centre == base.source;
            let other = if army == Army::French { Army::AustroRussian } else { Army::French };
            if !own || hexes(state, other).contains(&centre) {
                return Err(format!("{army:?}: the centre of {centre} is not its own"));
            }
        }
        // 7: control.
        for (id, unit) in host.units.iter() {
            if let Some(hex) = host.unit_at(*id).filter(|_| unit.sp > 0)
                && state.public.control.get(&hex).is_some_and(|holder| *holder != army)
            {
                return Err(format!("{id} stands in {hex}, which is not its side's"));
            }
        }
        if let Some(hand) = host.hand {
            let alive = match hand.body {
                campaign::game::Body::Formation(head) => host.is_head(head),
                campaign::game::Body::Vedette(number) => host.vedettes.contains_key(&number),
            };
            if !alive {
                return Err(format!("{hand:?} is in hand and not there"));
            }
        }
    }
    // 3: no hex holds SP of both sides.
    let both: Vec<_> =
        hexes(state, Army::French).intersection(&hexes(state, Army::AustroRussian)).copied().collect();
    if !both.is_empty() {
        return Err(format!("both sides stand in {both:?}"));
    }
    if !(-5..=3).contains(&state.public.morale) {
        return Err(format!("Vienna's morale is {}", state.public.morale));
    }
    for siege in &state.public.sieges {
        if map().cell(siege.hex).hex != campaign::terms::Hex::Citadel || siege.turns < 0 {
            return Err(format!("{siege:?} is no siege"));
        }
    }
    if state.public.battle.as_ref().is_some_and(|battle| battle.round > 6) {
        return Err("a battle of more than six rounds".to_owned());
    }
    Ok(())
}

/// What never falls from one state to the next.
pub fn goes_on(before: &State, after: &State) -> Result<(), String> {
    if after.public.turn < before.public.turn {
        return Err("the turn falls".to_owned());
    }
    for army in [Army::French, Army::AustroRussian] {
        if after.base(army).lost < before.base(army).lost {
            return Err(format!("{army:?}: losses in action fall"));
        }
        if after.host(army).gone.iter().zip(before.host(army).gone).any(|(now, then)| *now < then) {
            return Err(format!("{army:?}: what is gone comes back"));
        }
    }
    Ok(())
}
