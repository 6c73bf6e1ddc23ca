//! Rates and charge bonuses of the tables (tabletop-core, sections 6 and 8): troops enter, a distance
//! leaves.

use kernel::{Centimetres, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::tables::tabletop_core::{CHARGE_BONUSES, MOVEMENT_RATES};

use super::Pace;
use crate::terrain::troops::{Arm, Formation, Troops};

/// The movement of a half-period from the tables (tabletop-core, section 6).
///
/// # Errors
/// When the tables know no such troops.
pub fn rate(troops: &Troops, class: &str, pace: Pace) -> Verdict<Centimetres> {
    let arm = match troops.arm {
        _ if troops.formation == Formation::Single => "officer",
        Arm::Infantry => "infantry",
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => "cavalry",
        Arm::FootArtillery | Arm::HorseArtillery => "artillery",
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
    let formation = match pace {
        Pace::Forced => "forced_march",
        // Nothing gives a single rider a charge.
        Pace::Charge if troops.formation == Formation::Single => "charge",
        // A front known to be wider than the limit moves as a line.
        _ if column && troops.front.is_some_and(|front| front.get() > widest) => "line",
        _ => troops.formation.table_name(),
    };
    MOVEMENT_RATES
        .iter()
        .find(|row| row.arm == arm && row.class == class && row.formation == formation)
        .map(|row| row.half_period_cm)
        .ok_or_else(|| {
            Refusal::field("body.class", phrase::NO_SUCH_RATE)
                .with("class", class)
                .with("formation", formation)
        })
}

/// The charge bonus of the tables (tabletop-core, section 8).
#[must_use]
pub fn charge_distance(troops: &Troops, class: &str) -> Centimetres {
    CHARGE_BONUSES
        .iter()
        .find(|row| match troops.arm {
            Arm::Infantry => row.arm == "infantry" && row.formation == troops.formation.table_name(),
            Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => row.arm == "cavalry" && row.type_ == class,
            Arm::FootArtillery | Arm::HorseArtillery => false,
        })
        .map_or(Centimetres::ZERO, |row| row.distance_bonus_cm)
}
