//! Section 5.6: what a morale result makes of a garrison.

use kernel::{Clerk, Effect, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::state::State;
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
        if garrison.refuses && !may_refuse {
            return Err(Refusal::rule(rule!(TE_5_6_02), phrase::ONLY_ELITE_REFUSES).at("refuses"));
        }
        clerk.applied(rule!(TE_5_6_01));
        if garrison.refuses {
            clerk.applied(rule!(TE_5_6_02));
            return Ok(Fate::Holds);
        }
        return Ok(Fate::Surrenders);
    }
    let (_, length) = quarters("leave_on_morale_result");
    clerk.because(rule!(TE_5_6_03), Effect::Set(length.into()));
    let away = garrison.cause.opposite();
    let free = |side: &Side| !garrison.touched.contains(side);
    let side = if free(&away) {
        clerk.because(rule!(TE_5_6_04), Effect::Set(away.word().into()));
        away
    } else {
        clerk.applied(rule!(TE_R62));
        match Side::ALL.into_iter().find(|side| side.adjoins(away) && free(side)) {
            Some(side) => side,
            None => return Ok(Fate::Surrenders),
        }
    };
    clerk.applied(rule!(TE_5_6_05));
    Ok(Fate::Leaves { side, quarters: length, reforms_in_line: garrison.result == Morale::Retreat })
}

/// May the enemy in melee with it pursue a unit that leaves a house on a morale result?
///
/// # Errors
/// Never.
pub fn pursue() -> Verdict<()> {
    Err(Refusal::rule(rule!(TE_5_6_06), phrase::NO_PURSUIT_FROM_HOUSE))
}

/// The result for a unit caught while entering or crossing, and beaten: halt or worse is rout.
pub fn caught_and_beaten(result: Morale, rule: kernel::RuleId, clerk: &mut impl Clerk) -> Morale {
    if result < Morale::Halt {
        return result;
    }
    clerk.applied(rule);
    result.max(Morale::Rout)
}

/// The state in which a unit that had to leave stands outside.
#[must_use]
pub fn state_outside(result: Morale) -> State {
    if result >= Morale::Rout { State::Disordered } else { State::Unformed }
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
    fn te_ex_50() {
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
        assert!(pursue().is_err());
    }

    #[test]
    fn the_beaten_who_were_caught_rout_on_a_halt() {
        let after = |result| told(|clerk| caught_and_beaten(result, rule!(TE_4_5_09), clerk)).0;
        assert_eq!(after(Morale::Obeys), Morale::Obeys);
        assert_eq!(after(Morale::Halt), Morale::Rout);
        assert_eq!(after(Morale::Flight), Morale::Flight);
    }
}
