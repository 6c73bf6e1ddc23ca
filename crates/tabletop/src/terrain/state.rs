//! The ladder of states (TE-R01): what worsens a body, what a bad state forbids, how it ends. A
//! state and its causes enter; the state that holds, or a refusal, leaves.

use kernel::{Clerk, Effect, Measure, Phrase, Refusal, RuleId, Shifted, Verdict};
use rulebook::options::tabletop::{CaughtCrossing, DegradationEnds, Options};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::{FormationStates, FormationStatesState as Named};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::arm;

use super::troops::{Arm, Status, Troops};
pub use crate::fire::State;

/// The word for a state.
#[must_use]
pub fn word(state: State) -> Phrase {
    match state {
        State::Formed => phrase::STATE_FORMED,
        State::Disorganised => phrase::STATE_DISORGANISED,
        State::Unformed => phrase::STATE_UNFORMED,
        State::Disordered => phrase::STATE_DISORDERED,
    }
}

impl From<State> for Measure {
    fn from(state: State) -> Self {
        word(state).into()
    }
}

impl Shifted for State {
    fn shifted(self) -> Self {
        match self {
            Self::Formed => Self::Disorganised,
            Self::Disorganised => Self::Unformed,
            Self::Unformed => Self::Disordered,
            Self::Disordered => Self::Formed,
        }
    }
}

/// A state as what a rule set.
#[must_use]
pub fn set(state: State) -> Effect {
    Effect::Set(word(state).into())
}

/// The worse of two states, said to come from `rule` (TE-R01: one state, the worst).
pub fn worsen(state: State, imposed: State, rule: RuleId, clerk: &mut impl Clerk) -> State {
    let imposed = clerk.value(rule, imposed);
    if state > imposed { clerk.value(rule!(TE_R01), state) } else { imposed }
}

/// Says by which rule a body stays formed: nothing is imposed on it.
pub(crate) fn stays_formed(rule: RuleId, clerk: &mut impl Clerk) -> Option<State> {
    let state = clerk.value(rule, State::Formed);
    (state > State::Formed).then_some(state)
}

/// The row of a state.
fn row(state: State) -> &'static FormationStates {
    let named = match state {
        State::Formed => Named::Formed,
        State::Disorganised => Named::Disorganised,
        State::Unformed => Named::Unformed,
        State::Disordered => Named::Disordered,
    };
    named.row()
}

/// Quarters a halted body needs to re-form, with no base in the terrain that caused its state.
pub fn reform_quarters(state: State, status: Status, clerk: &mut impl Clerk) -> i32 {
    let mut quarters = row(state).reform_quarters;
    if quarters > 0 && status == Status::Irregular {
        quarters += 1;
    }
    if quarters > 0 { clerk.value(rule!(TE_R02), quarters) } else { 0 }
}

/// The melee factor of a state (tabletop-core, section 3).
#[must_use]
pub fn melee_factor(state: State) -> i32 {
    row(state).melee_factor
}

/// An unformed or disordered body must re-form before it does anything else, unless the ground it
/// still touches imposes its state (TE-5.2-05, TE-R03).
///
/// # Errors
/// When it must re-form first.
pub fn may_act(troops: &Troops, held_by_ground: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if troops.state < State::Unformed {
        return Ok(());
    }
    if clerk.holds(rule!(TE_R03), held_by_ground) {
        return Ok(());
    }
    let quarters = reform_quarters(troops.state, troops.status, clerk);
    Refusal::rule(rule!(TE_5_2_05), phrase::REFORM_FIRST)
        .with("state", word(troops.state))
        .with("quarters", quarters)
        .stands(())
}

/// What a state gained from ground becomes once no base touches that ground (TE-R02).
pub fn on_leaving(before: State, gained: State, options: &Options, clerk: &mut impl Clerk) -> State {
    match options.degradation_ends {
        DegradationEnds::AutomaticOnExit if gained > before => clerk.value(rule!(TE_R02), before),
        DegradationEnds::AutomaticOnExit | DegradationEnds::ReformNeeded => gained,
    }
}

/// Who touched a body caught in movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Catcher {
    /// The arm of the attacker.
    #[serde(default, deserialize_with = "arm::on_ground")]
    #[schemars(with = "arm::GroundWord")]
    pub arm: Arm,
    /// It made an effective charge: declared, and run at least a quarter straight ahead.
    #[serde(default)]
    pub charging: bool,
}

/// The state of a body touched while entering or crossing (TE-R31).
pub fn caught(state: State, by: Catcher, options: &Options, clerk: &mut impl Clerk) -> State {
    let disorders = by.charging
        && match options.caught_crossing {
            CaughtCrossing::OnlyChargingCavalryDisorders => by.arm.is_mounted(),
            CaughtCrossing::ChargeDecides => true,
        };
    worsen(state, if disorders { State::Disordered } else { State::Unformed }, rule!(TE_R31), clerk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::Formation;

    #[test]
    fn the_worst_state_is_kept() {
        let (state, said) =
            told(|clerk| worsen(State::Unformed, State::Disorganised, rule!(TE_2_4_02), clerk));
        assert_eq!(state, State::Unformed);
        assert!(said.contains(&"TE-R01"));
    }

    #[test]
    fn re_forming_takes_the_times_of_the_table_and_irregulars_one_quarter_more() {
        for (state, regular) in
            [(State::Formed, 0), (State::Disorganised, 1), (State::Unformed, 2), (State::Disordered, 4)]
        {
            assert_eq!(told(|clerk| reform_quarters(state, Status::Regular, clerk)).0, regular);
            let irregular = if regular == 0 { 0 } else { regular + 1 };
            assert_eq!(told(|clerk| reform_quarters(state, Status::Irregular, clerk)).0, irregular);
        }
    }

    #[test]
    fn an_unformed_body_re_forms_first_unless_the_ground_holds_it() {
        let body = Troops::new(Arm::Infantry, Formation::Line).in_state(State::Unformed);
        let (verdict, _) = told(|clerk| may_act(&body, false, clerk));
        assert_eq!(verdict.unwrap_err().rule, Some(rule!(TE_5_2_05)));
        let (verdict, said) = told(|clerk| may_act(&body, true, clerk));
        assert_eq!((verdict, said.contains(&"TE-R03")), (Ok(()), true));
    }

    #[test]
    fn leaving_ground_gives_order_back_only_with_the_option() {
        let mut options = Options::default();
        assert_eq!(
            told(|clerk| on_leaving(State::Formed, State::Unformed, &options, clerk)).0,
            State::Unformed
        );
        options.degradation_ends = DegradationEnds::AutomaticOnExit;
        assert_eq!(
            told(|clerk| on_leaving(State::Formed, State::Unformed, &options, clerk)).0,
            State::Formed
        );
    }

    #[test]
    fn who_disorders_a_body_caught_in_movement_is_an_option() {
        let infantry = Catcher { arm: Arm::Infantry, charging: true };
        let mut options = Options::default();
        assert_eq!(told(|clerk| caught(State::Formed, infantry, &options, clerk)).0, State::Unformed);
        options.caught_crossing = CaughtCrossing::ChargeDecides;
        assert_eq!(told(|clerk| caught(State::Formed, infantry, &options, clerk)).0, State::Disordered);
    }
}
