//! The movement step of a half-round (chapters 3.1 and 3.7), decision by decision: what is taken in hand,
//! how it marches, who fires at it as it leaves, how the charged react.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::WallsRemannedInOperationalRounds;
use rulebook::{phrase, rule};

use super::rounds::defensive_fire;
use super::{Decision, Step, arrivals, end_or_not_now};
use crate::action::Action;
use crate::ops::{self, Mover, Reaction, Stride};
use crate::siege::{self, GarrisonMove};
use crate::state::{Hand, Phase, State};
use crate::unit::{Corps, Marks, Place, Side, UnitId, UnitSet};

/// The refusal of everything that is not asked while something is in hand.
fn not_now() -> Refusal {
    Refusal::rule(rule!(DZ_3_1_04), phrase::danzig::NOT_NOW)
}

/// 3.1: the phasing player moves: units enter the map, stacks are taken up, cavalry charges, boats put off.
pub(super) struct Move;

impl Move {
    /// Whether the garrison may go back to the walls during the rounds, by option.
    fn remans_walls(state: &State) -> bool {
        let option = state.table.options.walls_remanned_in_operational_rounds;
        state.clock.phasing == Side::Prussian && option == WallsRemannedInOperationalRounds::True
    }

    fn check_enter(state: &State, unit: UnitId, hex: ops::Hex) -> Verdict<()> {
        let table = &state.table;
        let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
        if !rule!(DZ_5_3_02).holds(table.unit(unit).place == Place::Waiting && unit.side() == Side::French) {
            return refuse(rule!(DZ_5_3_02), phrase::danzig::NOT_DUE);
        }
        if !rule!(DZ_5_3_11).holds(!table.marked(unit, Marks::POSTPONED)) {
            return refuse(rule!(DZ_5_3_11), phrase::danzig::NOT_DUE);
        }
        let due = unit.data().corps != Corps::Lannes || arrivals::lannes_may_enter(state);
        if !rule!(DZ_3_1_12).holds(due) {
            return Err(Refusal::rule(rule!(DZ_3_1_12), phrase::danzig::LANNES_NOT_YET));
        }
        ops::check_entry(table, unit, hex)
    }
}

impl Decision for Move {
    fn decider(state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        let table = &state.table;
        let phasing = state.clock.phasing;
        into.push(Action::EndPhase);
        if phasing == Side::French {
            let lannes = arrivals::lannes_may_enter(state);
            let may = |unit: UnitId| {
                !table.marked(unit, Marks::POSTPONED) && (lannes || unit.data().corps != Corps::Lannes)
            };
            ops::list_entries(table, may, |unit, hex| into.push(Action::EnterMap { unit, hex }));
        }
        ops::list_movers(table, phasing, |units| into.push(Action::TakeUp { units }));
        if !state.clock.moved {
            let first = into.len();
            ops::list_charges(table, phasing, |charge| into.push(Action::Charge(charge)));
            into[first..].sort_unstable();
        }
        if !state.clock.boats_used {
            let first = into.len();
            ops::list_boats(table, phasing, |units, across| into.push(Action::BoatsStart { units, across }));
            into[first..].sort_unstable();
        }
        if Self::remans_walls(state) {
            siege::list_garrison(table, false, |garrison| {
                if matches!(garrison, GarrisonMove::Infantry { .. }) {
                    into.push(Action::Garrison(garrison));
                }
            });
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        let table = &state.table;
        let phasing = state.clock.phasing;
        match *action {
            Action::EnterMap { unit, hex } if phasing == Side::French => Self::check_enter(state, unit, hex),
            Action::TakeUp { units } => ops::check_take_up(table, phasing, units),
            Action::Charge(charge) => {
                if !rule!(DZ_R94).holds(!state.clock.moved) {
                    return Err(Refusal::rule(rule!(DZ_R94), phrase::danzig::CHARGES_COME_FIRST));
                }
                ops::check_charge(table, phasing, &charge)
            }
            Action::BoatsStart { units, across } => {
                if !rule!(DZ_3_1_3_01).holds(!state.clock.boats_used) {
                    return Err(Refusal::rule(rule!(DZ_3_1_3_01), phrase::danzig::ONE_STACK_ON_BOATS));
                }
                ops::check_boats(table, phasing, units, across)
            }
            Action::Garrison(garrison @ GarrisonMove::Infantry { .. }) => {
                if !rule!(DZ_R103).holds(Self::remans_walls(state)) {
                    return Err(Refusal::rule(rule!(DZ_R103), phrase::danzig::NOT_NOW));
                }
                siege::check_garrison(table, false, &garrison)
            }
            _ => end_or_not_now(rule!(DZ_3_1_04), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let table = &mut state.table;
        match *action {
            Action::EnterMap { unit, hex } => {
                let lannes = unit.data().corps == Corps::Lannes;
                clerk.applied(if lannes { rule!(DZ_3_1_12) } else { rule!(DZ_5_3_02) });
                let mover = ops::enter(table, unit, hex, clerk);
                // Who has come in may go on at once.
                let goes_on = !lannes || clerk.holds(rule!(DZ_6_2_03), true);
                state.hand = if goes_on { Hand::Moving(mover) } else { Hand::Empty };
                (state.clock.moved, state.clock.acted) = (true, true);
            }
            Action::TakeUp { units } => {
                let rule = match state.clock.phasing {
                    Side::French => rule!(DZ_3_1_05),
                    Side::Prussian => rule!(DZ_3_1_2_01),
                };
                let mover = ops::take_up(table, units);
                state.hand = clerk.rather(rule, Hand::Moving(mover), Hand::Empty);
                state.clock.moved = true;
            }
            Action::Charge(charge) => {
                let run = ops::Run::begin(table, &charge, clerk);
                state.hand = run.map_or(Hand::Empty, |run| Hand::Running {
                    run,
                    waiting: run.watchers(table),
                    shelled: false,
                });
                state.clock.acted = true;
            }
            Action::BoatsStart { units, across } => {
                ops::start_crossing(table, units, across, clerk);
                (state.clock.boats_used, state.clock.acted) = (true, true);
            }
            Action::Garrison(garrison) => {
                clerk.applied(rule!(DZ_R103));
                siege::garrison_move(table, &garrison, clerk);
                state.clock.acted = true;
            }
            _ => return true,
        }
        false
    }
}

impl Step for Move {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if state.clock.phasing == Side::French { Phase::Redoubt } else { defensive_fire(state, clerk) }
    }

    fn is_open(state: &State) -> bool {
        ops::anyone_moves(&state.table, state.clock.phasing)
    }
}

/// Whether a step leads elsewhere: one that cannot stop where it stands may do nothing else.
fn goes(stride: Stride) -> bool {
    !matches!(stride, Stride::Turn(_) | Stride::Form(_) | Stride::DestroyBridge)
}

/// Whether the stack in hand can make such a step.
fn may_go_on(state: &State, mover: &Mover) -> bool {
    let mut any = false;
    ops::list_strides(&state.table, mover, |stride| any |= goes(stride));
    any
}

/// 3.1: the stack in hand takes one step after the other, until it is put down.
pub(super) struct March;

impl Decision for March {
    fn decider(state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        let Hand::Moving(mover) = state.hand else { return };
        let may_stop = ops::list_march(&state.table, &mover, |may_stop, stride| {
            if may_stop || goes(stride) {
                into.push(Action::March(stride));
            }
        });
        if may_stop || into.is_empty() {
            into.push(Action::PutDown);
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match (state.hand, *action) {
            (Hand::Moving(mover), Action::March(stride)) => {
                ops::check_stride(&state.table, &mover, stride)?;
                if goes(stride) { Ok(()) } else { ops::check_put_down(&state.table, &mover) }
            }
            (Hand::Moving(mover), Action::PutDown) if may_go_on(state, &mover) => {
                ops::check_put_down(&state.table, &mover)
            }
            (_, Action::PutDown) => Ok(()),
            _ => Err(not_now()),
        }
    }

    fn perform(state: &mut State, action: &Action, _: &mut impl Clerk) -> bool {
        let Hand::Moving(mover) = state.hand else { return false };
        if let Action::March(stride) = *action {
            let waiting = ops::opportunity(&state.table, &mover, stride);
            state.hand = Hand::Leaving { mover, stride, waiting, shelled: false };
            state.clock.acted = true;
        } else {
            for unit in mover.units.iter() {
                state.table.unit_mut(unit).marks.set(Marks::MOVED);
            }
            state.hand = Hand::Empty;
        }
        false
    }
}

/// Series rules 10: those whom a stack or a charge passes may fire at it as it leaves its hex.
pub(super) struct Passing;

impl Decision for Passing {
    fn decider(state: &State) -> Side {
        state.clock.phasing.other()
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        if let Hand::Leaving { waiting, .. } | Hand::Running { waiting, .. } = state.hand {
            into.extend(waiting.iter().map(|firer| Action::OpportunityShot { firer }));
            into.push(Action::Decline);
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match (state.hand, *action) {
            (
                Hand::Leaving { waiting, .. } | Hand::Running { waiting, .. },
                Action::OpportunityShot { firer },
            ) if waiting.has(firer) => Ok(()),
            (_, Action::Decline) => Ok(()),
            _ => Err(not_now()),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let (moving, waiting) = match &mut state.hand {
            Hand::Leaving { mover, waiting, .. } => (mover.units, waiting),
            Hand::Running { run, waiting, .. } => (run.charge.units, waiting),
            _ => return false,
        };
        if let Action::OpportunityShot { firer } = *action {
            waiting.remove(firer);
            ops::opportunity_shot(&mut state.table, firer, moving, clerk);
        } else {
            *waiting = UnitSet::EMPTY;
        }
        false
    }
}

/// Series rules 12: the charged stand, form square, evade or charge in their turn.
pub(super) struct Charged;

impl Decision for Charged {
    fn decider(state: &State) -> Side {
        state.clock.phasing.other()
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        let Hand::Charged { charge, waiting, .. } = state.hand else { return };
        for unit in waiting.iter() {
            ops::list_reactions(&state.table, &charge, unit, |reaction| {
                into.push(Action::React { unit, reaction });
            });
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match (state.hand, *action) {
            (Hand::Charged { charge, waiting, .. }, Action::React { unit, reaction })
                if waiting.has(unit) =>
            {
                ops::check_reaction(&state.table, &charge, unit, reaction)
            }
            (_, Action::React { .. }) => Err(ops::Bar::CannotReact.into()),
            _ => Err(not_now()),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if let (Hand::Charged { charge, waiting, countercharge }, Action::React { unit, reaction }) =
            (&mut state.hand, *action)
        {
            waiting.remove(unit);
            if reaction == Reaction::Countercharge {
                countercharge.insert(unit);
            }
            ops::react(&mut state.table, charge, unit, reaction, clerk);
        }
        false
    }
}

/// What is in hand goes on as far as nobody has to decide anything: a stack or a charge whose enemies
/// have fired is fired at by the fortress and takes its step, a melee is fought on. To be called while
/// nothing is owed; true when something has been done.
pub(super) fn settle(state: &mut State, clerk: &mut impl Clerk) -> bool {
    let table = &mut state.table;
    state.hand = match state.hand {
        Hand::Leaving { mut mover, stride, waiting, shelled } => {
            if !ops::still_moving(table, &mut mover) {
                Hand::Empty
            } else if !waiting.is_empty() {
                return false;
            } else if shelled || !ops::shell(table, &mover, stride, clerk) {
                let goes_on = ops::make(table, &mut mover, stride, clerk).unwrap_or(true);
                if goes_on { Hand::Moving(mover) } else { Hand::Empty }
            } else {
                Hand::Leaving { mover, stride, waiting, shelled: true }
            }
        }
        Hand::Running { mut run, waiting, shelled } => {
            if !run.goes_on(table) {
                Hand::Empty
            } else if !waiting.is_empty() {
                return false;
            } else if !shelled {
                run.shell(table, clerk);
                Hand::Running { run, waiting, shelled: true }
            } else if run.step(table, clerk) {
                let charge = run.charge;
                let waiting = ops::reactors(table, &charge);
                Hand::Charged { charge, waiting, countercharge: UnitSet::EMPTY }
            } else {
                Hand::Running { run, waiting: run.watchers(table), shelled: false }
            }
        }
        // Who can only stand is not asked.
        Hand::Charged { charge, waiting, countercharge } if waiting.is_empty() => {
            Hand::Fighting(ops::strike_home(&charge, countercharge))
        }
        Hand::Fighting(mut clash) => {
            clash.carry_on(table, clerk);
            if clash.is_over() { Hand::Empty } else { Hand::Fighting(clash) }
        }
        Hand::Empty | Hand::Moving(_) | Hand::Charged { .. } | Hand::Exposed(_) => return false,
    };
    true
}
