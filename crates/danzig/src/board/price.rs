//! What orders are paid with, and who else could carry them out.

use kernel::board::Variants;
use kernel::{Game as _, Measure, Phrase};
use rulebook::phrase::danzig_board as words;

use super::names::{place_name, unit_name};
use crate::action::Action;
use crate::siege::Build;
use crate::state::{Hand, State};
use crate::unit::{Arm, Side, UnitId};

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

/// The same work by another unit.
const fn by(build: Build, unit: UnitId) -> Build {
    match build {
        Build::New { kind, pose, .. } => Build::New { kind, pose, worker: unit },
        Build::Repair { work, .. } => Build::Repair { work, worker: unit },
        Build::Upgrade { work, .. } => Build::Upgrade { work, worker: unit },
        other => other,
    }
}

/// The same work by somebody else, where anybody else may do it.
pub(super) fn workers(state: &State, side: Side, action: &Action) -> Option<Variants<Action>> {
    let Action::Build(build) = *action else { return None };
    let (Build::New { worker, .. } | Build::Repair { worker, .. } | Build::Upgrade { worker, .. }) = build
    else {
        return None;
    };
    let able: Vec<(UnitId, Action)> = UnitId::of_side(worker.side())
        .filter(|unit| unit.data().arm == Arm::Infantry)
        .map(|unit| (unit, Action::Build(by(build, unit))))
        .filter(|(unit, action)| *unit == worker || state.validate(side, action).is_ok())
        .collect();
    let meant = able.iter().position(|(unit, _)| *unit == worker)?;
    let name = |unit| Measure::from([unit_name(unit), place_name(state, state.table.unit(unit).place)]);
    let each = able.into_iter().map(|(unit, action)| (name(unit), action)).collect();
    Some(Variants { title: words::WHO_WORKS, each, meant })
}
