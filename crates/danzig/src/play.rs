//! A player that chooses: random, but sensible enough to bring the armies where the siege is decided
//! and to let every step come to its end.

use std::collections::VecDeque;
use std::sync::LazyLock;

use kernel::Live;

use crate::action::Action;
use crate::ops::{HEXES, Heading, Hex, Stride, Terrain, map};
use crate::siege::{Build, GunTarget, SiegeMove, WorkKind};
use crate::state::{Hand, Phase, State};
use crate::unit::{Arm, Corps, Level, Place, Side, UnitId};

/// Far away, or out of reach.
const FAR: u8 = u8::MAX;

/// Chooses among the actions offered. Gives the place in the list, 0 for an empty one.
#[must_use]
pub fn auto_choice(state: &State, actions: &[Action], dice: &mut Live) -> usize {
    let count = u32::try_from(actions.len()).unwrap_or(u32::MAX);
    let any = dice.below(count) as usize;
    let stop = actions.iter().position(|action| {
        matches!(action, Action::EndPhase | Action::PutDown | Action::Decline | Action::Pass)
    });
    let mut one_in = |chances: u32| dice.below(chances) == 0;
    match (state.phase, state.hand) {
        (Phase::SetUp, _) => {
            let rest = actions.iter().position(|action| *action == Action::SetUpTheRest);
            rest.filter(|_| one_in(8)).unwrap_or(any)
        }
        (Phase::Half, _) => {
            let pass =
                one_in(if state.clock.round > 6 { 1 } else { 3 }) || (state.clock.round > 2 && one_in(2));
            usize::from(pass == (stop == Some(1)))
        }
        (Phase::Move, Hand::Moving(mover)) => {
            let unit = mover.units.iter().next().unwrap_or_else(|| UnitId::new(0));
            if one_in(8) {
                return any;
            }
            best_step(state, unit, actions).or(stop).unwrap_or(any)
        }
        (phase, hand) => {
            let chances = match phase {
                Phase::Move if state.clock.phasing == Side::Prussian => 4,
                Phase::Build | Phase::Move | Phase::Guns => 20,
                Phase::ArrivalsFrench => 1,
                _ => 10,
            };
            if stop.is_some() && one_in(chances) {
                return stop.unwrap_or(any);
            }
            if hand == Hand::Empty && !one_in(3) {
                let best = actions.iter().enumerate().map(|(at, action)| (value(state, action), at)).max();
                if let Some((worth, _)) = best
                    && worth > 0
                {
                    let best: Vec<usize> =
                        (0..actions.len()).filter(|at| value(state, &actions[*at]) == worth).collect();
                    let pick = dice.below(u32::try_from(best.len()).unwrap_or(1)) as usize;
                    return best.get(pick).copied().unwrap_or(any);
                }
            }
            match stop {
                // Anything but the end of the step.
                Some(stop) if any == stop && count > 1 => (any + 1) % actions.len(),
                _ => any,
            }
        }
    }
}

/// What an action of the siege is worth to a simple mind; 0 for what it has no opinion of.
fn value(state: &State, action: &Action) -> i32 {
    let table = &state.table;
    match *action {
        Action::Build(build) => match build {
            Build::New { kind, pose, .. } => {
                let forward = i32::from(pose.at.y);
                forward + if kind == WorkKind::Battery { 600 } else { 0 }
            }
            Build::Upgrade { .. } => 9_000,
            Build::Redoubt { .. } => 12_000,
            Build::Mine { .. } => 20_000,
            _ => 0,
        },
        Action::FireSiegeGun { target: GunTarget::Wall(point), .. } => {
            20 + i32::from(20_u8.saturating_sub(table.siege.wall(point).level))
        }
        Action::SiegeMove(SiegeMove::Network { unit, to }) => {
            let forward = table.siege.work(to).map_or(0, |work| i32::from(work.pose.at.y));
            forward + if unit.data().arm.is_artillery() { 20_000 } else { 0 }
        }
        Action::SiegeMove(SiegeMove::Back { .. } | SiegeMove::OutOfKalke { .. }) => 0,
        Action::SiegeMove(SiegeMove::Box { .. }) => 100,
        Action::Assault(_) | Action::DeclareCounterAttack(_) | Action::ExplodeMine => 10,
        _ => 0,
    }
}

/// The step that brings a counter nearest to its goal, if any brings it nearer.
fn best_step(state: &State, unit: UnitId, actions: &[Action]) -> Option<usize> {
    let field = &FIELDS[goal(unit)];
    let wants_trenches = goal(unit) == 0;
    let from = match state.table.unit(unit).place {
        Place::Hex(hex) => field[hex.index()],
        _ => FAR,
    };
    let mut best = None;
    let mut nearest = from;
    for (at, action) in actions.iter().enumerate() {
        let reached = match (action, state.table.unit(unit).place) {
            (Action::March(Stride::EnterConcentration), _) if wants_trenches => return Some(at),
            (Action::March(Stride::Go(heading)), Place::Hex(hex)) => {
                hex.beyond(*heading).map_or(FAR, |next| field[next.index()])
            }
            (Action::March(Stride::LeaveCity(gate)), _) => field[gate.hexes().1.index()],
            _ => FAR,
        };
        if reached < nearest {
            nearest = reached;
            best = Some(at);
        }
    }
    best
}

/// Which field of distances leads a counter: 0 the trenches, 1 the gates of the city, then the stars.
fn goal(unit: UnitId) -> usize {
    let data = unit.data();
    let stars = map().stars.len().max(1);
    match (data.corps, data.arm) {
        (Corps::Kamenski, _) => 1,
        (Corps::Besiegers, Arm::Infantry) if data.level == Level::Regiment && unit.index() % 5 < 3 => 0,
        (Corps::Besiegers, arm) if arm.is_artillery() => 0,
        _ => 2 + unit.index() % stars,
    }
}

/// Hexes to each goal over land, whatever it costs.
static FIELDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let map = map();
    let gates = [crate::ops::Gate::Petershagen, crate::ops::Gate::Langgarten].map(|gate| gate.hexes().1);
    let mut fields = vec![distances(&map.red_arrows), distances(&gates)];
    fields.extend(map.stars.iter().map(|star| distances(&[*star])));
    fields
});

fn distances(goals: &[Hex]) -> Vec<u8> {
    let mut field = vec![FAR; HEXES];
    let mut queue: VecDeque<Hex> = goals.iter().copied().collect();
    for goal in goals {
        field[goal.index()] = 0;
    }
    while let Some(hex) = queue.pop_front() {
        let next = field[hex.index()].saturating_add(1);
        for heading in Heading::ALL {
            let edge = map().edge(hex, heading);
            let Some(beyond) = hex.beyond(heading) else { continue };
            let barred = edge.wall() || (edge.vistula() && !edge.ferry());
            let shaded = map().shaded(beyond);
            let blocked = matches!(map().terrain(beyond), Terrain::Sea | Terrain::City | Terrain::Fort);
            if barred || blocked || shaded || next >= field[beyond.index()] {
                continue;
            }
            field[beyond.index()] = next;
            queue.push_back(beyond);
        }
    }
    field
}
