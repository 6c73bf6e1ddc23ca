//! Earthworks: who digs at which section enters; the sections that go leave. Section "earthworks" of the
//! supplement.

use kernel::{Clerk, Reading, Refusal, Verdict};
use rulebook::options::breach::{EarthworkRemovalPhase, Options};
use rulebook::{phrase::breach as phrase, rule};

use crate::terms::{Arm, count};

/// A unit that digs at earthworks in a Combat phase.
#[derive(Clone, Copy, Debug)]
pub struct Diggers {
    /// What they are.
    pub arm: Arm,
    /// Whether they are in close combat.
    pub engaged: bool,
    /// Whether it is the turn of their own side.
    pub own_turn: bool,
}

/// Whether they may dig.
///
/// # Errors
/// Others than infantry, the engaged, and the phase of the enemy.
pub fn may_dig(diggers: &Diggers, options: &Options) -> Verdict<()> {
    let refused = |rule, reason, field: &str| Err(Refusal::rule(rule, reason).at(field));
    if rule!(BR_EARTHWORKS_12).holds(diggers.arm != Arm::Infantry) {
        return refused(rule!(BR_EARTHWORKS_12), phrase::INFANTRY_DIGS, "arm");
    }
    if rule!(BR_EARTHWORKS_12).holds(diggers.engaged) {
        return refused(rule!(BR_EARTHWORKS_12), phrase::ENGAGED, "engaged");
    }
    let own_only = options.earthwork_removal_phase == EarthworkRemovalPhase::OwnTurn;
    if rule!(BR_R27).holds(own_only && !diggers.own_turn) {
        return refused(rule!(BR_R27), phrase::OWN_TURN_ONLY, "own_turn");
    }
    Ok(())
}

/// Whether a stand of this Attack removes the section it digs at.
pub fn dig(attack: i32, clerk: &mut impl Clerk) -> bool {
    let dice = clerk.value(rule!(BR_EARTHWORKS_13), attack);
    let six = clerk.value(rule!(BR_EARTHWORKS_14), 6);
    clerk.tally(count(dice), &Reading::at_least(six).up_to(1)).sum > 0
}
