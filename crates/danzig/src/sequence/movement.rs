//! The movement step of a half-round (chapters 3.1 and 3.7), decision by decision: what is taken in hand,
//! how it marches, who fires at it as it leaves, how the charged react.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::WallsRemannedInOperationalRounds;
use rulebook::{phrase, rule};

use super::rounds::defensive_fire;
use super::{Decision, Step, arrivals, end_or_not_now};
use crate::action::Action;
use crate::errand;
use crate::ops::{self, Mover, Reaction, Route, Standpoint, Stride};
use crate::siege::{self, GarrisonMove};
use crate::state::{Hand, Marching, Phase, State, Table};
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

    /// Whether a stack may march this way, and stay where it leads.
    fn check_route(state: &State, route: &Route) -> Verdict<()> {
        let Route { units, entry, path } = *route;
        let from = match entry {
            Some(hex) => {
                let one = || Refusal::field("units", phrase::danzig::ONE_ENTERS);
                let unit = units.iter().next().filter(|_| units.len() == 1).ok_or_else(one)?;
                if state.clock.phasing != Side::French {
                    return Err(not_now());
                }
                Self::check_enter(state, unit, hex)?;
                Standpoint::entered(&state.table, units, hex).ok_or_else(one)?
            }
            None => {
                ops::check_take_up(&state.table, state.clock.phasing, units)?;
                if path.is_empty() {
                    return Err(Refusal::field("path", phrase::danzig::NO_WAY));
                }
                Standpoint::new(state.table.clone(), Mover::fresh(units))
            }
        };
        ops::check_path(from, &path)
    }

    /// A counter comes onto the map: it is in hand then, if it may go on at once.
    fn enter(state: &mut State, unit: UnitId, hex: ops::Hex, clerk: &mut impl Clerk) {
        let lannes = unit.data().corps == Corps::Lannes;
        clerk.applied(if lannes { rule!(DZ_3_1_12) } else { rule!(DZ_5_3_02) });
        let mover = ops::enter(&mut state.table, unit, hex, clerk);
        let goes_on = !lannes || clerk.holds(rule!(DZ_6_2_03), true);
        state.hand = if goes_on { Hand::Moving(mover) } else { Hand::Empty };
        (state.clock.moved, state.clock.acted) = (true, true);
    }

    /// A stack is taken in hand.
    fn take_up(state: &mut State, units: UnitSet, clerk: &mut impl Clerk) {
        let rule = match state.clock.phasing {
            Side::French => rule!(DZ_3_1_05),
            Side::Prussian => rule!(DZ_3_1_2_01),
        };
        let mover = ops::take_up(&mut state.table, units);
        state.hand = clerk.rather(rule, Hand::Moving(mover), Hand::Empty);
        state.clock.moved = true;
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
        into.extend(errand::next_route(state).map(Action::MarchAlong));
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
            Action::MarchAlong(route) => Self::check_route(state, &route),
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
            Action::EnterMap { unit, hex } => Self::enter(state, unit, hex, clerk),
            Action::TakeUp { units } => Self::take_up(state, units, clerk),
            Action::MarchAlong(Route { units, entry, path }) => {
                match entry.zip(units.iter().next()) {
                    Some((hex, unit)) => Self::enter(state, unit, hex, clerk),
                    None => Self::take_up(state, units, clerk),
                }
                if let Hand::Moving(_) = state.hand {
                    state.march = Some(Marching { path, disturbed: false });
                }
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

/// Whether the stack in hand can make such a step.
fn may_go_on(state: &State, mover: &Mover) -> bool {
    let mut any = false;
    ops::list_strides(&state.table, mover, |stride| any |= stride.goes());
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
            if may_stop || stride.goes() {
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
                if stride.goes() { Ok(()) } else { ops::check_put_down(&state.table, &mover) }
            }
            (Hand::Moving(mover), Action::MarchAlong(Route { units, entry: None, path })) => {
                if units != mover.units {
                    return Err(Refusal::field("units", phrase::danzig::OTHERS_IN_HAND));
                }
                if path.is_empty() {
                    return Err(Refusal::field("path", phrase::danzig::NO_WAY));
                }
                ops::check_path(Standpoint::new(state.table.clone(), mover), &path)
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
        match *action {
            Action::March(stride) => leave(state, mover, stride),
            Action::MarchAlong(route) => {
                state.march = Some(Marching { path: route.path, disturbed: false });
            }
            _ => put_down(state, &mover),
        }
        false
    }
}

/// The stack in hand is about to take a step, in the sights of whoever sees it go.
fn leave(state: &mut State, mover: Mover, stride: Stride) {
    let waiting = ops::opportunity(&state.table, &mover, stride);
    state.hand = Hand::Leaving { mover, stride, waiting, shelled: false };
    state.clock.acted = true;
}

fn put_down(state: &mut State, mover: &Mover) {
    for unit in mover.units.iter() {
        state.table.unit_mut(unit).marks.set(Marks::MOVED);
    }
    (state.hand, state.march) = (Hand::Empty, None);
}

/// The march that was ordered goes on by itself: its next step, or its end. It stops, and its owner is
/// asked, where something has happened to the stack or the way is no longer open; who can only be put down
/// is put down. True when something has been done.
pub(super) fn march_on(state: &mut State) -> bool {
    let Hand::Moving(mover) = state.hand else { return false };
    if let Some(Marching { path, disturbed: false }) = state.march.take() {
        match path.split_first() {
            Some((stride, path)) if ops::check_stride(&state.table, &mover, stride).is_ok() => {
                state.march = Some(Marching { path, disturbed: false });
                leave(state, mover, stride);
                return true;
            }
            None if ops::check_put_down(&state.table, &mover).is_ok() => {
                put_down(state, &mover);
                return true;
            }
            _ => {}
        }
    }
    let mut offered = Vec::new();
    March::offer(state, &mut offered);
    let stays = offered == [Action::PutDown];
    if stays {
        put_down(state, &mover);
    }
    stays
}

/// Steps of the stack, and whether it is in order: what fire may change.
fn condition(table: &Table, units: UnitSet) -> Vec<(u8, bool)> {
    units.iter().map(|unit| table.unit(unit)).map(|unit| (unit.steps, unit.is_disordered())).collect()
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
            Hand::Leaving { mover, waiting, .. } => {
                // Whoever is fired at is asked whether he goes on.
                if let (Some(march), Action::OpportunityShot { .. }) = (&mut state.march, action) {
                    march.disturbed = true;
                }
                (mover.units, waiting)
            }
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

/// The stack makes its step, the fire it draws being over.
fn stride_out(state: &mut State, mut mover: Mover, stride: Stride, clerk: &mut impl Clerk) -> Hand {
    if ops::make(&mut state.table, &mut mover, stride, clerk).unwrap_or(true) {
        return Hand::Moving(mover);
    }
    state.march = None;
    Hand::Empty
}

/// What is in hand goes on as far as nobody has to decide anything: a stack or a charge whose enemies
/// have fired is fired at by the fortress and takes its step, a melee is fought on. To be called while
/// nothing is owed; true when something has been done.
pub(super) fn settle(state: &mut State, clerk: &mut impl Clerk) -> bool {
    let table = &mut state.table;
    state.hand = match state.hand {
        Hand::Leaving { mut mover, stride, waiting, shelled } => {
            if !ops::still_moving(table, &mut mover) {
                state.march = None;
                Hand::Empty
            } else if !waiting.is_empty() {
                return false;
            } else if shelled {
                stride_out(state, mover, stride, clerk)
            } else {
                let before = condition(table, mover.units);
                if ops::shell(table, &mover, stride, clerk) {
                    let hurt = !table.owed.is_empty() || condition(table, mover.units) != before;
                    if let Some(march) = state.march.as_mut().filter(|_| hurt) {
                        march.disturbed = true;
                    }
                    Hand::Leaving { mover, stride, waiting, shelled: true }
                } else {
                    stride_out(state, mover, stride, clerk)
                }
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
