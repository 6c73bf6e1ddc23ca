//! The besieger: be invested on turn 2, garrison the stars, dig, silence the guns, open both walls,
//! lodge, storm when the city has no heart left.

mod attack;
mod guns;
mod network;
mod posts;
mod rounds;
mod storm;
mod trenches;

use super::Mind;
use crate::action::Action;
use crate::siege::{Build, WallId};
use crate::state::Phase;
use crate::unit::UnitId;

/// The points of the first wall before which the attack lies, the main one first: the middle of the
/// Hagelsberg, to which the way from the concentration area is shortest, and its neighbours.
pub(crate) const BREACHES: [WallId; 3] = [WallId(8), WallId(10), WallId(6)];

pub(crate) fn decide(mind: &Mind<'_>) -> Action {
    match mind.state.phase {
        Phase::Half => rounds::half(mind),
        Phase::Move => rounds::movement(mind),
        Phase::Redoubt => {
            mind.best_or_rest(|action| matches!(action, Action::BuildRedoubt { .. }).then_some(1))
        }
        Phase::ReplacementFrench => replacement(mind),
        Phase::Mine => mind.first(|action| *action == Action::ExplodeMine),
        Phase::Mortars => mind.first(|action| matches!(action, Action::FireMortar { .. })),
        Phase::Guns => guns::fire(mind),
        Phase::Repair => repair(mind),
        Phase::Build => network::build(mind),
        Phase::SiegeMove => trenches::movement(mind),
        Phase::Assault => storm::assault(mind),
        Phase::SortieFire => mind.first(|action| matches!(action, Action::FieldFire { .. })),
        Phase::CounterAttackFire => mind.first(|action| matches!(action, Action::CounterAttackFire { .. })),
        Phase::Defenders => storm::defenders(mind),
        _ => mind.rest(),
    }
}

/// A step comes back to the steadiest of those who dig and storm, then to anybody.
fn replacement(mind: &Mind<'_>) -> Action {
    mind.best_or_rest(|action| match action {
        Action::ReplaceFrench { unit } => {
            let siege = mind.table().unit(*unit).place.is_siege();
            Some(i32::from(siege) * 10 + i32::from(unit.data().morale))
        }
        _ => None,
    })
}

/// Damaged works are made whole, those nearest to the wall first, by the weakest hands; under the wall only
/// while its guns are silent, and in the bound only what lies on the way.
fn repair(mind: &Mind<'_>) -> Action {
    let silent = network::is_silent(mind);
    let bound = network::is_bound(mind);
    let near = |work| mind.metres(work, BREACHES[0]) < 300;
    mind.best_or_rest(|action| match action {
        Action::Build(Build::Repair { work, .. }) if near(*work) && !silent => None,
        Action::Build(Build::Repair { work, .. }) if bound && !network::is_on_the_way(mind, *work) => None,
        Action::Build(Build::Repair { work, worker }) => {
            let near = 3_000 - mind.metres(*work, BREACHES[0]).min(3_000);
            Some(near * 10 - weight(mind, *worker))
        }
        _ => None,
    })
}

/// What a battalion is worth in a fight: the least is good enough to dig.
fn weight(mind: &Mind<'_>, unit: UnitId) -> i32 {
    i32::from(mind.table().unit(unit).steps) * 6 + i32::from(unit.data().morale)
}
