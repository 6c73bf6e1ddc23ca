//! A table as a test wants it: who stands where with how much, an order with its dice, and what is said of it.

use campaign::HexId;
use campaign::game::{
    Action, Battle, Body, Flags, Force, Hand, Leader, LeaderId, Phase, State, UnitId, Vedette, Whereabouts,
    Why,
};
use campaign::terms::{Arm, Army, Weather};
use kernel::{Game as _, MovementPoints, Refusal, Setup, Spoken, scripted};

pub fn hex(text: &str) -> HexId {
    HexId::read(text).unwrap()
}

pub fn path(text: &str) -> Vec<HexId> {
    text.split(' ').map(hex).collect()
}

pub fn leader(id: &str) -> LeaderId {
    LeaderId::named(id).unwrap()
}

/// A scenario in a phase of a side's own turn, under a clear sky.
pub fn table(scenario: &str, phase: Phase, side: Army) -> State {
    let mut state = State::start(&Setup { scenario: scenario.to_owned(), ..Setup::default() }).unwrap();
    state.public.phase = phase;
    state.public.phasing = side;
    state.public.asked = Some(side);
    state.public.weather = Weather::Clear;
    state.public.fog = false;
    state
}

pub fn put(state: &mut State, who: &str, at: &str) {
    let who = leader(who);
    let host = &mut state.hosts[who.army() as usize];
    for one in host.tree(who) {
        host.leaders.get_mut(&one).unwrap().at = Whereabouts::Map(hex(at));
    }
    host.leaders.get_mut(&who).unwrap().superior = None;
}

/// Takes everybody of an army but these off the map.
pub fn only(state: &mut State, army: Army, who: &[&str]) {
    let host = &mut state.hosts[army as usize];
    let kept: Vec<LeaderId> = who.iter().flat_map(|id| host.tree(leader(id))).collect();
    for (id, found) in host.leaders.iter_mut() {
        if !kept.contains(id) {
            *found = Leader { superior: None, at: Whereabouts::Lost, ..*found };
        }
    }
    for unit in host.units.values_mut().filter(|unit| unit.leader.is_none()) {
        unit.at = Whereabouts::Lost;
    }
}

pub fn in_hand(state: &mut State, who: &str) {
    let who = leader(who);
    state.hosts[who.army() as usize].hand = Some(Hand { body: Body::Formation(who), why: Why::March });
}

/// Whoever is asked decides this, and exactly these dice fall; what was said of it.
pub fn act(state: &mut State, action: &Action, dice: &[u8]) -> Spoken {
    let side = state.public.asked.unwrap();
    state.validate(side, action).unwrap_or_else(|refusal| panic!("{action:?}: {refusal}"));
    let done = scripted(dice, |clerk| state.perform(side, action, clerk));
    done.unwrap_or_else(|fault| {
        panic!("{action:?}: {fault}, then {:?}", (state.public.phase, state.public.asked))
    })
    .1
}

/// What a rule did, each time it spoke.
pub fn told(said: &Spoken, rule: &str) -> Vec<String> {
    said.reasons()
        .filter(|because| because.rule.as_str() == rule)
        .map(|because| because.effect.to_string())
        .collect()
}

/// Gives a formation these SP of infantry, cavalry and artillery, all in one unit of each arm.
pub fn strength(state: &mut State, who: &str, points: [i32; 3]) {
    let host = &mut state.hosts[leader(who).army() as usize];
    let units = host.units_below(leader(who));
    for (arm, sp) in [Arm::Infantry, Arm::Cavalry, Arm::Artillery].into_iter().zip(points) {
        let of_arm: Vec<UnitId> = units.iter().copied().filter(|id| host.units[id].arm == arm).collect();
        assert!(sp == 0 || !of_arm.is_empty(), "{who} has no {arm:?}");
        for (place, id) in of_arm.iter().enumerate() {
            let unit = host.units.get_mut(id).unwrap();
            unit.sp = if place == 0 { sp } else { 0 };
            unit.most = unit.most.max(unit.sp);
        }
    }
}

/// The infantry, cavalry and artillery of a formation.
pub fn points(state: &State, who: &str) -> [i32; 3] {
    let found = state.host(leader(who).army()).strength(leader(who));
    [found.infantry, found.cavalry, found.artillery]
}

/// What is remembered of a formation, to be set.
pub fn set<'a>(state: &'a mut State, who: &str) -> &'a mut Flags {
    state.hosts[leader(who).army() as usize].flags.or_default(leader(who))
}

/// A vedette of an army in a hex.
pub fn vedette(state: &mut State, army: Army, at: &str) {
    let host = &mut state.hosts[army as usize];
    let unit = *host.units.iter().find(|(_, unit)| unit.arm == Arm::Cavalry).unwrap().0;
    let number = u8::try_from(host.vedettes.len()).unwrap() + 1;
    host.vedettes.insert(number, Vedette { unit, hex: hex(at), spent: 0, done: false });
}

/// A post without a leader: some unit of the army with so many SP of infantry.
pub fn post(state: &mut State, army: Army, at: &str, sp: i32) -> UnitId {
    let host = &mut state.hosts[army as usize];
    let (&id, unit) = host.units.iter_mut().find(|(_, unit)| unit.arm == Arm::Infantry).unwrap();
    (unit.leader, unit.at, unit.sp, unit.most) = (None, Whereabouts::Map(hex(at)), sp, unit.most.max(sp));
    id
}

/// The centre of an army is off the map: nothing is received, and no dice fall for it.
pub fn no_centre(state: &mut State, army: Army) {
    state.public.bases[army as usize].centre = None;
}

/// The last segment of a player turn that a side ends: attrition and all that follows comes of `EndForced`.
pub fn at_the_end(state: &mut State, side: Army) {
    (state.public.phase, state.public.phasing, state.public.asked) = (Phase::Force, side, Some(side));
    state.public.second = state.public.first != side;
}

/// A battle of these formations, in the first round; nobody has chosen yet.
pub fn battle(state: &mut State, attackers: &[&str], main: &str, defenders: &[&str], at: &str) -> Battle {
    let force = |state: &State, heads: &[&str]| {
        let mut force = Force::default();
        for head in heads {
            let host = state.host(leader(head).army());
            force.leaders.extend(host.tree(leader(head)));
            force.units.extend(host.units_below(leader(head)));
        }
        force.leaders.sort_unstable();
        force.units.sort_unstable();
        force
    };
    let attacker = leader(attackers[0]).army();
    let forces = [force(state, attackers), force(state, defenders)];
    let start = [0, 1].map(|party: usize| {
        let army = leader([attackers[0], defenders[0]][party]).army();
        state.host(army).force_points(&forces[party]).all()
    });
    for (force, head) in forces.into_iter().zip([attackers[0], defenders[0]]) {
        state.hosts[leader(head).army() as usize].force = force;
    }
    state.public.phasing = attacker;
    state.public.attacked = vec![hex(at)];
    Battle {
        number: 0,
        hex: hex(at),
        main: hex(main),
        attacker,
        round: 1,
        stances: [None; 2],
        failed_repulse: false,
        start,
        lost: [0; 2],
        round_lost: [0; 2],
        rounds_lost: [0; 2],
        pitched: false,
        numbers: [0; 2],
        loser: None,
        eliminated: false,
        quiet: false,
        winner_loss: 0,
        pursuit: 0,
        limit: 0,
        advanced: 0,
    }
}

pub fn refused(state: &State, action: &Action) -> Refusal {
    state.validate(state.public.asked.unwrap(), action).unwrap_err()
}

/// The MP that a formation's infantry and artillery have marched, and those left of its allowance.
pub fn marched(state: &State, who: &str) -> [String; 2] {
    let (head, flags) = (leader(who), flags(state, who));
    let most = state.allowance(head.army(), head)[0].unwrap();
    [flags.foot, most - flags.foot].map(|halves| MovementPoints::halves(i32::from(halves)).to_string())
}

pub fn at(state: &State, who: &str) -> String {
    let who = leader(who);
    state.host(who.army()).leader_at(who).unwrap().to_string()
}

pub fn flags(state: &State, who: &str) -> Flags {
    let who = leader(who);
    state.host(who.army()).flags(who)
}
