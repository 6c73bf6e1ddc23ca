//! The besieged: hold stars outside as long as it costs the besieger turns, fire at what hurts, repair
//! where it denies a breach, sally when the odds are good, throw the French off the walls, and bring
//! Kamenski into the city.

mod batteries;
mod city;
mod posts;
mod rounds;
mod sallies;

use super::Mind;
use crate::action::Action;
use crate::state::Phase;

pub(crate) use batteries::displace;

pub(crate) fn decide(mind: &Mind<'_>) -> Action {
    match mind.state.phase {
        Phase::SetUp => posts::set_up(mind),
        Phase::Half => rounds::half(mind),
        Phase::Move => rounds::movement(mind),
        Phase::ArrivalsKamenski => posts::landing(mind),
        Phase::ReplacementPrussian => city::replacement(mind),
        Phase::Desertion => city::deserters(mind),
        Phase::BatteryRepair | Phase::LateBatteryRepair => batteries::repair(mind),
        Phase::Enfilade => mind.first(|action| matches!(action, Action::EnfiladeFire { .. })),
        Phase::GarrisonMove => city::movement(mind),
        Phase::BatteryFire => batteries::fire(mind),
        Phase::WallRepair => city::repair(mind),
        Phase::Countermine => mind.first(|action| *action == Action::Countermine),
        Phase::Sortie => sallies::sortie(mind),
        Phase::CounterAttack => sallies::counter_attack(mind),
        _ => mind.rest(),
    }
}
