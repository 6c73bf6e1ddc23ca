//! Phase 2.2, the operational rounds (chapter 3.1), decision by decision: retreats, the half-round played
//! or passed, redoubts, defensive fire, fire and melee, and how the operational part ends. Movement is in
//! [`movement`](super::movement).

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::danzig::{RedoubtRate, Repetition as RepetitionRule};
use rulebook::{phrase, rule};

use super::repetition::{fingerprint, roll_off};
use super::{Decision, Step, arrivals, end, end_or_not_now};
use crate::action::Action;
use crate::ops;
use crate::state::{Hand, Phase, State};
use crate::unit::{Formation, Marks, Place, Side, UnitId};

/// The refusal of everything that is not asked in this step of a round.
fn not_now() -> Refusal {
    Refusal::rule(rule!(DZ_3_1_04), phrase::danzig::NOT_NOW)
}

/// The operational part begins.
pub(super) fn begin(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    clerk.applied(rule!(DZ_2_2_01));
    begin_round(state, clerk)
}

/// The next round begins with the half of the player who is first on this turn.
fn begin_round(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    open_round(state);
    state.clock.second_half = false;
    state.clock.phasing = first_player(state, clerk);
    clerk.applied(rule!(DZ_3_1_04));
    begin_half(state, clerk)
}

/// Another round: a redoubt may be built again, and who is in the concentration area may leave it.
fn open_round(state: &mut State) {
    state.clock.round = state.clock.round.saturating_add(1);
    if state.table.options.redoubt_rate == RedoubtRate::PerRound {
        state.clock.redoubt_built = false;
    }
    for unit in UnitId::of_side(Side::French) {
        let counter = state.table.unit_mut(unit);
        if counter.place == Place::Concentration {
            counter.marks.set(Marks::SETTLED);
        }
    }
}

/// The French play first, except on the turn of Kamenski's landing.
fn first_player(state: &State, clerk: &mut impl Clerk) -> Side {
    if state.table.turn == arrivals::relief_turn(&state.table.options) {
        clerk.rather(rule!(DZ_6_2_02), Side::Prussian, Side::French)
    } else {
        clerk.rather(rule!(DZ_1_2_03), Side::French, Side::Prussian)
    }
}

/// A half-round begins: marks of the last one are taken off, disordered units retreat.
fn begin_half(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    let phasing = state.clock.phasing;
    state.clock.passed = false;
    state.clock.moved = false;
    state.clock.acted = false;
    state.clock.boats_used = false;
    let step_marks = Marks::MOVED
        .and(Marks::FIRED)
        .and(Marks::FIRED_OPPORTUNITY)
        .and(Marks::ASSAULTED)
        .and(Marks::CHARGED);
    for unit in UnitId::all() {
        let counter = state.table.unit_mut(unit);
        counter.marks.clear(step_marks);
        if unit.side() == phasing && counter.formation == Formation::Blown {
            counter.formation = Formation::Formed;
        }
    }
    state.clock.landed = ops::begin_half(&mut state.table, phasing, clerk);
    Phase::Retreat
}

/// 3.9: the phasing player's disordered units retreat where he has the choice.
pub(super) struct Retreat;

impl Decision for Retreat {
    fn decider(state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        for unit in UnitId::of_side(state.clock.phasing) {
            let choices = ops::retreat_choices(&state.table, unit);
            into.extend(choices.into_iter().map(|goal| Action::Retreat { unit, goal }));
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        let Action::Retreat { unit, goal } = *action else { return Err(not_now()) };
        if unit.side() == state.clock.phasing && ops::retreat_choices(&state.table, unit).contains(&goal) {
            return Ok(());
        }
        Err(Refusal::rule(rule!(DZ_3_6_02), phrase::danzig::NO_SUCH_RETREAT).with("unit", unit.data().label))
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if let Action::Retreat { unit, goal } = *action {
            ops::retreat(&mut state.table, unit, goal, clerk);
        }
        !UnitId::of_side(state.clock.phasing).any(|unit| !ops::retreat_choices(&state.table, unit).is_empty())
    }
}

impl Step for Retreat {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::Half
    }
}

/// 3.1: the phasing player plays his half-round, or passes.
pub(super) struct Half;

impl Decision for Half {
    fn decider(state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.extend([Action::Pass, Action::PlayHalf]);
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::Pass | Action::PlayHalf => Ok(()),
            _ => Err(not_now()),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if *action == Action::Pass {
            state.clock.passed = clerk.rather(rule!(DZ_1_2_04), true, false);
        }
        true
    }
}

impl Step for Half {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if state.clock.passed { defensive_fire(state, clerk) } else { Phase::Move }
    }

    fn is_open(_: &State) -> bool {
        true
    }
}

/// 3.1 and 3.8.3: at the end of the French movement one redoubt may be built.
pub(super) struct Redoubt;

impl Decision for Redoubt {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        if !state.clock.redoubt_built {
            into.push(Action::EndPhase);
            ops::list_redoubts(&state.table, |unit| into.push(Action::BuildRedoubt { unit }));
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        let Action::BuildRedoubt { unit } = *action else {
            return end_or_not_now(rule!(DZ_3_1_04), action);
        };
        if !rule!(DZ_3_1_07).holds(!state.clock.redoubt_built) {
            return Err(Refusal::rule(rule!(DZ_3_1_07), phrase::danzig::ONE_REDOUBT));
        }
        ops::check_redoubt(&state.table, unit)
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if let Action::BuildRedoubt { unit } = *action {
            state.clock.acted = true;
            state.clock.redoubt_built = true;
            ops::build_redoubt(&mut state.table, unit, clerk);
        }
        true
    }
}

impl Step for Redoubt {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        defensive_fire(state, clerk)
    }
}

/// The fortress fires by itself; then the other player's counters may.
pub(super) fn defensive_fire(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    if state.clock.phasing == Side::French {
        ops::fortress_defensive_fire(&mut state.table, clerk);
    }
    Phase::DefensiveFire
}

/// 3.1: the player who does not move fires.
pub(super) struct DefensiveFire;

impl Decision for DefensiveFire {
    fn decider(state: &State) -> Side {
        state.clock.phasing.other()
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        ops::list_fire(&state.table, Self::decider(state), true, |attack| {
            into.push(Action::DefensiveFire(attack));
        });
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::DefensiveFire(attack) => {
                ops::check_fire(&state.table, Self::decider(state), true, attack)
            }
            _ => end_or_not_now(rule!(DZ_3_1_04), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::DefensiveFire(attack) = action else { return true };
        ops::fire(&mut state.table, true, attack, clerk);
        false
    }
}

impl Step for DefensiveFire {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        if rule!(DZ_3_1_04).holds(true) { Phase::Fire } else { Phase::Melee }
    }
}

/// 3.1: the phasing player fires.
pub(super) struct Fire;

impl Decision for Fire {
    fn decider(state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        if !state.clock.passed {
            into.push(Action::EndPhase);
            ops::list_fire(&state.table, state.clock.phasing, false, |attack| {
                into.push(Action::Fire(attack));
            });
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::Fire(attack) => ops::check_fire(&state.table, state.clock.phasing, false, attack),
            _ => end_or_not_now(rule!(DZ_3_1_04), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::Fire(attack) = action else { return true };
        state.clock.acted = true;
        ops::fire(&mut state.table, false, attack, clerk);
        false
    }
}

impl Step for Fire {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::Melee
    }
}

/// 3.1: the phasing player fights his melees.
pub(super) struct Melee;

impl Decision for Melee {
    fn decider(state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        if !state.clock.passed {
            into.push(Action::EndPhase);
            ops::list_melees(&state.table, state.clock.phasing, |melee| into.push(Action::Melee(melee)));
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::Melee(melee) => ops::check_melee(&state.table, state.clock.phasing, melee),
            _ => end_or_not_now(rule!(DZ_3_1_04), action),
        }
    }

    fn perform(state: &mut State, action: &Action, _: &mut impl Clerk) -> bool {
        let Action::Melee(melee) = action else { return true };
        state.clock.acted = true;
        state.hand = Hand::Fighting(ops::melee(&mut state.table, melee));
        false
    }
}

impl Step for Melee {
    /// The end test of a half-round: two passes in a row, nobody in anybody's sights, Lannes not awaited.
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if state.clock.phasing == Side::French && arrivals::lannes_is_due(state) {
            state.clock.lannes_offered = true;
        }
        if state.clock.last_half {
            clerk.applied(rule!(DZ_3_1_03));
            return end::after_rounds(state, clerk);
        }
        // A half-round in which nothing was done is a pass, one in which boats have landed is none (DZ-R32).
        let passed = !state.clock.acted && !state.clock.landed;
        state.clock.passes = if passed { state.clock.passes.saturating_add(1) } else { 0 };
        if rule!(DZ_2_2_01).holds(state.clock.passes >= 2) && !arrivals::lannes_pending(state) {
            if clerk.holds(rule!(DZ_3_1_01), !ops::anyone_targeted(&state.table)) {
                return end::after_rounds(state, clerk);
            }
            clerk.applied(rule!(DZ_R32));
        }
        if state.clock.second_half {
            return round_end(state, clerk);
        }
        state.clock.second_half = true;
        let other = state.clock.phasing.other();
        state.clock.phasing = clerk.rather(rule!(DZ_3_0_01), other, state.clock.phasing);
        begin_half(state, clerk)
    }
}

/// The repetition test: the third time a position stands, the part is over.
fn round_end(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    let position = fingerprint(state);
    let before = state.clock.seen.iter().filter(|seen| **seen == position).count();
    state.clock.seen.push(position);
    if !arrivals::lannes_pending(state) {
        if clerk.holds(rule!(DZ_3_1_02), before >= 2) {
            clerk.happened(|| Event::new(phrase::danzig::POSITION_REPEATED));
            return end::after_rounds(state, clerk);
        }
        if before == 1 && state.table.options.repetition == RepetitionRule::Rolloff {
            state.clock.asked = 0;
            return Phase::Repetition;
        }
    }
    if clerk.holds(rule!(DZ_1_2_02), true) {
        return begin_round(state, clerk);
    }
    end::after_rounds(state, clerk)
}

/// 3.1, by option: whether the dice shall end a repetition; the French are asked first.
pub(super) struct Repetition;

impl Decision for Repetition {
    fn decider(state: &State) -> Side {
        if state.clock.asked == 0 { Side::French } else { Side::Prussian }
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.extend([Action::ClaimRepetition, Action::EndPhase]);
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::ClaimRepetition => Ok(()),
            _ => end_or_not_now(rule!(DZ_3_1_04), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if *action == Action::ClaimRepetition {
            roll_off(state, clerk);
        }
        true
    }
}

impl Step for Repetition {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        match state.clock.asked {
            0 => {
                state.clock.asked = 1;
                Phase::Repetition
            }
            1 => {
                state.clock.asked = 2;
                begin_round(state, clerk)
            }
            _ => Phase::LastHalf,
        }
    }
}

/// 3.1: he who has rolled higher names who plays the last half-round.
pub(super) struct LastHalf;

impl Decision for LastHalf {
    fn decider(state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.extend([Side::French, Side::Prussian].map(|side| Action::NameLastHalf { side }));
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::NameLastHalf { .. } => Ok(()),
            _ => Err(not_now()),
        }
    }

    fn perform(state: &mut State, action: &Action, _: &mut impl Clerk) -> bool {
        if let Action::NameLastHalf { side } = *action {
            state.clock.phasing = side;
        }
        true
    }
}

impl Step for LastHalf {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        state.clock.last_half = true;
        open_round(state);
        begin_half(state, clerk)
    }
}
