//! Rates and charge bonuses of the tables (tabletop-core, sections 6 and 8): troops enter, a distance
//! leaves.

use kernel::{Centimetres, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::tables::tabletop_core::{
    CHARGE_BONUSES, ChargeBonusesArm, ChargeBonusesFormation, ChargeBonusesType, MOVEMENT_RATES,
    MovementRatesArm, MovementRatesClass, MovementRatesFormation,
};

use super::Pace;
use crate::terrain::troops::{Arm, Formation, Troops};

/// A class of the table of rates: the drill of infantry, the weight of cavalry, the team of guns.
pub type RateClass = MovementRatesClass;

/// A type of the table of charge bonuses: the weight of cavalry.
pub type ChargeType = ChargeBonusesType;

/// Its column of the table of rates.
const fn rated(formation: Formation) -> MovementRatesFormation {
    match formation {
        Formation::CompanyColumn => MovementRatesFormation::CompanyColumn,
        Formation::DivisionColumn => MovementRatesFormation::DivisionColumn,
        Formation::ClosedColumn => MovementRatesFormation::ClosedColumn,
        Formation::Line => MovementRatesFormation::Line,
        Formation::DoubleLine => MovementRatesFormation::DoubleLine,
        Formation::HollowSquare => MovementRatesFormation::HollowSquare,
        Formation::FullSquare => MovementRatesFormation::FullSquare,
        Formation::Skirmish => MovementRatesFormation::Skirmish,
        Formation::Column => MovementRatesFormation::Column,
        Formation::Foragers => MovementRatesFormation::Foragers,
        Formation::Limbered => MovementRatesFormation::Limbered,
        Formation::InPosition => MovementRatesFormation::ByHand,
        Formation::Single => MovementRatesFormation::Mounted,
    }
}

/// Its row of the charge bonuses of infantry; what is not in the table gains nothing by charging.
const fn charging(formation: Formation) -> Option<ChargeBonusesFormation> {
    match formation {
        Formation::CompanyColumn => Some(ChargeBonusesFormation::CompanyColumn),
        Formation::DivisionColumn => Some(ChargeBonusesFormation::DivisionColumn),
        Formation::ClosedColumn => Some(ChargeBonusesFormation::ClosedColumn),
        Formation::Line => Some(ChargeBonusesFormation::Line),
        Formation::DoubleLine => Some(ChargeBonusesFormation::DoubleLine),
        Formation::Skirmish => Some(ChargeBonusesFormation::Skirmish),
        Formation::HollowSquare
        | Formation::FullSquare
        | Formation::Column
        | Formation::Foragers
        | Formation::Limbered
        | Formation::InPosition
        | Formation::Single => None,
    }
}

/// The movement of a half-period from the tables (tabletop-core, section 6).
///
/// # Errors
/// When the tables know no such troops.
pub fn rate(troops: &Troops, class: RateClass, pace: Pace) -> Verdict<Centimetres> {
    let arm = match troops.arm {
        _ if troops.formation == Formation::Single => MovementRatesArm::Officer,
        Arm::Infantry => MovementRatesArm::Infantry,
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => MovementRatesArm::Cavalry,
        Arm::FootArtillery | Arm::HorseArtillery => MovementRatesArm::Artillery,
    };
    let widest = match troops.arm {
        Arm::Infantry => 6,
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => 4,
        Arm::FootArtillery | Arm::HorseArtillery => i32::MAX,
    };
    let column = matches!(
        troops.formation,
        Formation::CompanyColumn | Formation::DivisionColumn | Formation::ClosedColumn | Formation::Column
    );
    let unknown = |formation: &'static str| no_such_rate(class.word(), formation);
    let formation = match pace {
        Pace::Forced => MovementRatesFormation::ForcedMarch,
        // Nothing gives a single rider a charge.
        Pace::Charge if troops.formation == Formation::Single => return Err(unknown("charge")),
        // A front known to be wider than the limit moves as a line.
        _ if column && troops.front.is_some_and(|front| front.get() > widest) => MovementRatesFormation::Line,
        _ => rated(troops.formation),
    };
    MOVEMENT_RATES
        .iter()
        .find(|row| row.arm == arm && row.class == class && row.formation == formation)
        .map(|row| row.half_period_cm)
        .ok_or_else(|| unknown(formation.word()))
}

/// The movement of a half-period of a class that a request names (see [`rate`]).
///
/// # Errors
/// When the tables know no such class or troops.
pub fn rate_named(troops: &Troops, class: &str, pace: Pace) -> Verdict<Centimetres> {
    let known = RateClass::named(class).ok_or_else(|| no_such_rate(class, rated(troops.formation).word()))?;
    rate(troops, known, pace)
}

fn no_such_rate(class: &str, formation: &'static str) -> Refusal {
    Refusal::field("body.class", phrase::NO_SUCH_RATE).with("class", class).with("formation", formation)
}

/// The charge bonus of the tables (tabletop-core, section 8): of infantry by its formation, of cavalry by
/// its type.
#[must_use]
pub fn charge_distance(troops: &Troops, cavalry: Option<ChargeType>) -> Centimetres {
    let row = match troops.arm {
        Arm::Infantry => charging(troops.formation).and_then(|formation| {
            CHARGE_BONUSES
                .iter()
                .find(|row| row.arm == ChargeBonusesArm::Infantry && row.formation == formation)
        }),
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => cavalry.and_then(|cavalry| {
            CHARGE_BONUSES.iter().find(|row| row.arm == ChargeBonusesArm::Cavalry && row.type_ == cavalry)
        }),
        Arm::FootArtillery | Arm::HorseArtillery => None,
    };
    row.map_or(Centimetres::ZERO, |row| row.distance_bonus_cm)
}
