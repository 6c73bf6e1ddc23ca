//! What the machine says that it is after: one sentence for each step of the turn. It tells the doctrine's
//! purpose and no order, and nothing in this game is hidden.

use kernel::{Phrase, Saying};
use rulebook::phrase::danzig_intent as words;

use crate::ops;
use crate::state::{Phase, State, Table};
use crate::unit::{Corps, Place, Side, UnitId};

/// What a machine on this side is after in this step.
#[must_use]
pub fn intention(state: &State, side: Side) -> Saying {
    let purpose = match side {
        Side::French => french(state.phase),
        Side::Prussian => prussian(state.phase),
    };
    purpose.map_or_else(|| at_large(&state.table, side), Saying::new)
}

fn french(phase: Phase) -> Option<Phrase> {
    Some(match phase {
        Phase::Mine | Phase::Guns => words::FRENCH_GUNS,
        Phase::Mortars => words::FRENCH_MORTARS,
        Phase::Repair => words::FRENCH_REPAIR,
        Phase::Build => words::FRENCH_BUILD,
        Phase::SiegeMove => words::FRENCH_TRENCHES,
        Phase::Assault => words::FRENCH_ASSAULT,
        Phase::SortieFire | Phase::Defenders | Phase::SortieMelee | Phase::CounterAttackFire => {
            words::FRENCH_GUARD
        }
        _ => return None,
    })
}

fn prussian(phase: Phase) -> Option<Phrase> {
    Some(match phase {
        Phase::SetUp => words::PRUSSIAN_SET_UP,
        Phase::BatteryRepair | Phase::LateBatteryRepair => words::PRUSSIAN_BATTERIES,
        Phase::Enfilade | Phase::BatteryFire => words::PRUSSIAN_FIRE,
        Phase::GarrisonMove => words::PRUSSIAN_CITY,
        Phase::WallRepair => words::PRUSSIAN_WALLS,
        Phase::Countermine => words::PRUSSIAN_COUNTERMINE,
        Phase::Sortie => words::PRUSSIAN_SORTIE,
        Phase::CounterAttack => words::PRUSSIAN_COUNTER_ATTACK,
        _ => return None,
    })
}

/// What a side is after on the operational map, and while the other acts.
fn at_large(table: &Table, side: Side) -> Saying {
    let open = i64::from(table.ops.stars.count_ones());
    let stars = i64::try_from(ops::map().stars.len()).unwrap_or(0);
    match side {
        Side::French if !ops::invested(table) => {
            Saying::new(words::FRENCH_INVEST).with("open", (stars - open).max(0))
        }
        Side::French => Saying::new(words::FRENCH_HOLD),
        Side::Prussian if is_kamenski_out(table) => Saying::new(words::PRUSSIAN_RELIEF),
        Side::Prussian => Saying::new(words::PRUSSIAN_CONTEST),
    }
}

/// Whether Kamenski's men stand outside the city.
fn is_kamenski_out(table: &Table) -> bool {
    UnitId::of_side(Side::Prussian)
        .any(|unit| unit.data().corps == Corps::Kamenski && matches!(table.unit(unit).place, Place::Hex(_)))
}
