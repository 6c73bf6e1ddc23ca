//! Section 5.6: what a morale result makes of a garrison.

use kernel::{Clerk, Effect, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::HouseActionsAction as Takes;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::troops::Status;
use super::{Side, quarters};

/// The results of a morale test, from good to bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Morale {
    /// It goes on.
    Obeys,
    /// Halt on the spot.
    Halt,
    /// Retreat.
    Retreat,
    /// Rout.
    Rout,
    /// Flight.
    Flight,
}

/// A garrison after its test.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Tested {
    /// The result.
    pub result: Morale,
    /// Its quality.
    #[serde(default)]
    pub status: Status,
    /// An enemy unit is in the house.
    #[serde(default)]
    pub enemy_inside: bool,
    /// The side from which the cause of the test came.
    pub cause: Side,
    /// Sides that an enemy touches.
    #[serde(default)]
    pub touched: Vec<Side>,
    /// An elite or guard garrison refuses to surrender.
    #[serde(default)]
    pub refuses: bool,
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// It holds on.
    Holds,
    /// It is made prisoner.
    Surrenders,
    /// It goes.
    Leaves {
        /// By this side.
        side: Side,
        /// In so many quarters.
        quarters: i32,
        /// Once out it re-forms in line; with a worse result than retreat it runs.
        reforms_in_line: bool,
    },
}

/// What the result means for a garrison.
///
/// # Errors
/// When a unit that is neither elite nor guard would refuse to surrender.
pub fn fate(garrison: &Tested, clerk: &mut impl Clerk) -> Verdict<Fate> {
    if garrison.result < Morale::Retreat {
        return Ok(Fate::Holds);
    }
    if garrison.enemy_inside {
        let may_refuse = garrison.status >= Status::Elite;
        if rule!(TE_5_6_02).holds(garrison.refuses && !may_refuse) {
            return Err(Refusal::rule(rule!(TE_5_6_02), phrase::ONLY_ELITE_REFUSES).at("refuses"));
        }
        let surrenders = clerk.rather(rule!(TE_5_6_01), Fate::Surrenders, Fate::Holds);
        return Ok(if clerk.holds(rule!(TE_5_6_02), garrison.refuses) { Fate::Holds } else { surrenders });
    }
    let (_, length) = quarters(Takes::LeaveOnMoraleResult, clerk);
    let length = clerk.value(rule!(TE_5_6_03), length);
    let away = garrison.cause.opposite();
    let free = |side: &Side| !garrison.touched.contains(side);
    let side = if free(&away) {
        let told = Effect::Set(away.word().into());
        clerk.makes(rule!(TE_5_6_04), told, away, garrison.cause)
    } else {
        let beside = Side::ALL.into_iter().find(|side| side.adjoins(away) && free(side));
        match clerk.rather(rule!(TE_R62), beside, None) {
            Some(side) => side,
            None => return Ok(Fate::Surrenders),
        }
    };
    let retreats = garrison.result == Morale::Retreat;
    let reforms_in_line = clerk.rather(rule!(TE_5_6_05), retreats, !retreats);
    Ok(Fate::Leaves { side, quarters: length, reforms_in_line })
}

/// May the enemy in melee with it pursue a unit that leaves a house on a morale result?
///
/// # Errors
/// Never.
pub fn pursue() -> Verdict<()> {
    Refusal::rule(rule!(TE_5_6_06), phrase::NO_PURSUIT_FROM_HOUSE).stands(())
}

/// Where a unit was caught in movement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Caught {
    /// Entering a wood, or leaving it.
    AtWood,
    /// Entering a house: the rules of the wood.
    AtHouse,
    /// Crossing a linear obstacle.
    AtObstacle,
}

/// The result for a unit caught while entering or crossing, and beaten: halt or worse is rout.
pub fn caught_and_beaten(result: Morale, caught: Caught, clerk: &mut impl Clerk) -> Morale {
    if result < Morale::Halt {
        return result;
    }
    let rule = match caught {
        Caught::AtWood => rule!(TE_4_5_09),
        Caught::AtHouse => rule!(TE_5_2_11),
        Caught::AtObstacle => rule!(TE_8_6_10),
    };
    clerk.rather(rule, result.max(Morale::Rout), result)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn tested(status: Status, enemy_inside: bool) -> Tested {
        Tested {
            result: Morale::Retreat,
            status,
            enemy_inside,
            cause: Side::North,
            touched: vec![],
            refuses: false,
        }
    }

    #[test]
    fn te_ex_50_a_garrison_that_must_retreat() {
        let meets = |garrison: &Tested| told(|clerk| fate(garrison, clerk)).0;
        assert_eq!(meets(&tested(Status::Regular, true)), Ok(Fate::Surrenders));
        assert_eq!(meets(&tested(Status::Guard, true)), Ok(Fate::Surrenders));
        let refusing = Tested { refuses: true, ..tested(Status::Guard, true) };
        assert_eq!(meets(&refusing), Ok(Fate::Holds));
        let pretending = Tested { refuses: true, ..tested(Status::Regular, true) };
        assert_eq!(meets(&pretending).unwrap_err().rule, Some(rule!(TE_5_6_02)));
        assert_eq!(
            meets(&tested(Status::Regular, false)),
            Ok(Fate::Leaves { side: Side::South, quarters: 2, reforms_in_line: true })
        );
    }

    #[test]
    fn a_halt_changes_nothing_and_a_rout_does_not_re_form() {
        let meets = |garrison: &Tested| told(|clerk| fate(garrison, clerk)).0.unwrap();
        assert_eq!(meets(&Tested { result: Morale::Halt, ..tested(Status::Regular, true) }), Fate::Holds);
        let rout = Tested { result: Morale::Rout, ..tested(Status::Regular, false) };
        assert!(matches!(meets(&rout), Fate::Leaves { reforms_in_line: false, .. }));
        let shut = Tested { touched: vec![Side::South], ..tested(Status::Regular, false) };
        assert!(matches!(meets(&shut), Fate::Leaves { side: Side::East, .. }));
        let ringed = Tested { touched: vec![Side::South, Side::East, Side::West], ..shut };
        assert_eq!(meets(&ringed), Fate::Surrenders);
        assert_eq!(pursue().unwrap_err().rule, Some(rule!(TE_5_6_06)));
    }

    #[test]
    fn the_beaten_who_were_caught_rout_on_a_halt() {
        let after = |result| told(|clerk| caught_and_beaten(result, Caught::AtWood, clerk)).0;
        assert_eq!(after(Morale::Obeys), Morale::Obeys);
        assert_eq!(after(Morale::Halt), Morale::Rout);
        assert_eq!(after(Morale::Flight), Morale::Flight);
    }
}
