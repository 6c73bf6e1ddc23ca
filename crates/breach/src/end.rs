//! The end of the siege of Braken Keep: a turn enters; whether the game ends with it leaves.
//! Section "scenario 3" of the supplement.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase::breach as phrase, rule};

/// The sum of die and turn that ends the siege.
const ENOUGH: i32 = 11;
/// The first turn with a roll.
pub(crate) const FIRST_ROLL: i32 = 6;
/// The same when help was fetched.
pub(crate) const FIRST_ROLL_WITH_HELP: i32 = 5;

/// Whether the game ends after this turn.
///
/// # Errors
/// Only the third scenario is ended by a roll.
pub fn ends(scenario: i32, turn: i32, message_got_through: bool, clerk: &mut impl Clerk) -> Verdict<bool> {
    match scenario {
        1 => return Err(Refusal::rule(rule!(BR_SCENARIO_1_16), phrase::NO_END_ROLL).at("scenario")),
        2 => return Err(Refusal::rule(rule!(BR_R45), phrase::NO_END_ROLL).at("scenario")),
        _ => {}
    }
    let first = if message_got_through {
        clerk.value(rule!(BR_SCENARIO_3_17), FIRST_ROLL_WITH_HELP)
    } else {
        FIRST_ROLL
    };
    let enough = clerk.value(rule!(BR_SCENARIO_3_16), ENOUGH);
    if turn < first {
        return Ok(false);
    }
    Ok(i32::from(clerk.d6()) + turn >= enough)
}
