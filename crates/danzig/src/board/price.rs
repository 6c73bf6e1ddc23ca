//! What orders are paid with, and who else could carry them out.

use kernel::board::Variants;
use kernel::{Game as _, Measure, Phrase, Saying};
use rulebook::phrase::danzig_board as words;

use super::names::{place_name, unit_name};
use crate::action::Action;
use crate::siege::{Build, MOST_SHOTS, pick};
use crate::state::{Hand, State};
use crate::unit::{Arm, Place, Side, UnitId};

/// The stores of the besieger and of the city, and what is left of a march.
pub(super) fn stores(state: &State) -> Vec<(Phrase, i64)> {
    let danzig = &state.table.danzig;
    let movement = match state.hand {
        Hand::Moving(mover) | Hand::Leaving { mover, .. } => {
            let most = mover.units.iter().map(|unit| unit.data().mp).min().unwrap_or(0);
            most.saturating_sub(mover.spent)
        }
        _ => 0,
    };
    vec![
        (words::TRACK_24, danzig.ammunition_24.into()),
        (words::TRACK_12, danzig.ammunition_12.into()),
        (words::TRACK_BUILD, danzig.construction.into()),
        (words::TRACK_REPAIR, danzig.repair_pool.into()),
        (words::MOVEMENT_LEFT, movement.into()),
    ]
}

/// The same shot again and again, as often as the ammunition allows.
pub(super) fn shots(state: &State, action: &Action) -> Option<Variants<Action>> {
    let (gun, target, meant) = match *action {
        Action::FireSiegeGun { gun, target } => (gun, target, 1),
        Action::Bombard { gun, target, shots } => (gun, target, shots),
        _ => return None,
    };
    let danzig = &state.table.danzig;
    let left = if gun.data().arm == Arm::Siege24 { danzig.ammunition_24 } else { danzig.ammunition_12 };
    let most = u8::try_from(left).unwrap_or(MOST_SHOTS).min(MOST_SHOTS);
    let mut numbers = vec![1, 2, 3, 4, 6, 8, 12, 20, most, meant];
    numbers.retain(|shots| *shots == meant || (1..=most).contains(shots));
    numbers.sort_unstable();
    numbers.dedup();
    let order = |shots| match shots {
        1 => Action::FireSiegeGun { gun, target },
        shots => Action::Bombard { gun, target, shots },
    };
    let name = |shots: u8| Measure::from(Saying::new(words::SHOTS).with("shots", shots));
    let place = numbers.iter().position(|shots| *shots == meant)?;
    let each = numbers.into_iter().map(|shots| (name(shots), order(shots))).collect();
    Some(Variants { title: words::HOW_MANY_SHOTS, each, meant: place })
}

/// The same work by another unit.
const fn by(build: Build, unit: UnitId) -> Build {
    match build {
        Build::New { kind, pose, .. } => Build::New { kind, pose, worker: unit },
        Build::Repair { work, .. } => Build::Repair { work, worker: unit },
        Build::Upgrade { work, .. } => Build::Upgrade { work, worker: unit },
        other => other,
    }
}

/// Who is best spared for a work that is proposed: the weakest battalion that may do it, so that the strong
/// are there for the assault. Nothing where somebody was chosen for it, or nobody is weaker.
pub(super) fn spared(state: &State, build: Build) -> Option<UnitId> {
    let (worker, places) = match build {
        Build::New { worker, .. } => (worker, Vec::new()),
        Build::Repair { work, worker } | Build::Upgrade { work, worker } => (worker, vec![Place::Work(work)]),
        _ => return None,
    };
    if pick(&state.table, &places) != Some(worker) {
        return None;
    }
    let steps = |unit: UnitId| state.table.unit(unit).steps;
    let mut weaker: Vec<UnitId> = state
        .table
        .at(worker.side(), Place::Concentration)
        .filter(|unit| unit.data().arm == Arm::Infantry && steps(*unit) < steps(worker))
        .collect();
    weaker.sort_by_key(|unit| (steps(*unit), *unit));
    weaker.into_iter().find(|unit| state.validate(worker.side(), &Action::Build(by(build, *unit))).is_ok())
}

/// The same work by somebody else, where anybody else may do it; the weakest first.
pub(super) fn workers(state: &State, side: Side, action: &Action) -> Option<Variants<Action>> {
    let Action::Build(build) = *action else { return None };
    let (Build::New { worker, .. } | Build::Repair { worker, .. } | Build::Upgrade { worker, .. }) = build
    else {
        return None;
    };
    let worker = spared(state, build).unwrap_or(worker);
    let mut able: Vec<(UnitId, Action)> = UnitId::of_side(worker.side())
        .filter(|unit| unit.data().arm == Arm::Infantry)
        .map(|unit| (unit, Action::Build(by(build, unit))))
        .filter(|(unit, action)| *unit == worker || state.validate(side, action).is_ok())
        .collect();
    able.sort_by_key(|(unit, _)| (state.table.unit(*unit).steps, *unit));
    let meant = able.iter().position(|(unit, _)| *unit == worker)?;
    let name = |unit| Measure::from([unit_name(unit), place_name(state, state.table.unit(unit).place)]);
    let each = able.into_iter().map(|(unit, action)| (name(unit), action)).collect();
    Some(Variants { title: words::WHO_WORKS, each, meant })
}
