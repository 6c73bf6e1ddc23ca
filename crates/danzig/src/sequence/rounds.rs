//! Phase 2.2, the operational rounds (chapter 3.1): half-rounds, movement with the fire it draws,
//! redoubts, defensive fire, fire and melee, and how the operational part ends.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::danzig::{RedoubtRate, Repetition, WallsRemannedInOperationalRounds};
use rulebook::{phrase, rule};

use super::repetition::{fingerprint, roll_off};
use super::{arrivals, end};
use crate::action::Action;
use crate::ops::{self, Mover, Reaction, Stride};
use crate::siege::{self, GarrisonMove};
use crate::state::{Hand, Phase, State};
use crate::unit::{Corps, Formation, Marks, Place, Side, UnitId, UnitSet};

/// The next round begins with the half of the player who is first on this turn.
pub(crate) fn begin_round(state: &mut State, clerk: &mut impl Clerk) -> Phase {
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

/// Whether Lannes may enter in the present half-round.
fn lannes_may_enter(state: &State) -> bool {
    let turn = arrivals::relief_turn(&state.table.options);
    state.table.turn > turn || (state.table.turn == turn && state.clock.round >= lannes_round(state))
}

/// The round of Lannes's arrival on his turn.
fn lannes_round(state: &State) -> u16 {
    let round = if rule!(DZ_6_2_03).holds(true) { 2 } else { 1 };
    if state.table.danzig.lannes_delayed { round + 1 } else { round }
}

/// Whether Lannes is still to be offered his arrival.
fn lannes_pending(state: &State) -> bool {
    state.table.turn == arrivals::relief_turn(&state.table.options) && !state.clock.lannes_offered
}

fn check_enter(state: &State, unit: UnitId, hex: ops::Hex) -> Verdict<()> {
    let table = &state.table;
    if !rule!(DZ_5_3_02).holds(table.unit(unit).place == Place::Waiting && unit.side() == Side::French) {
        return Err(Refusal::rule(rule!(DZ_5_3_02), phrase::danzig::NOT_DUE).with("unit", unit.data().label));
    }
    if !rule!(DZ_5_3_11).holds(!table.marked(unit, Marks::POSTPONED)) {
        return Err(Refusal::rule(rule!(DZ_5_3_11), phrase::danzig::NOT_DUE).with("unit", unit.data().label));
    }
    if !rule!(DZ_3_1_12).holds(unit.data().corps != Corps::Lannes || lannes_may_enter(state)) {
        return Err(Refusal::rule(rule!(DZ_3_1_12), phrase::danzig::LANNES_NOT_YET));
    }
    ops::check_entry(table, unit, hex)
}

/// Lists the decisions of the operational rounds.
pub(crate) fn list(state: &State, into: &mut Vec<Action>) {
    let table = &state.table;
    let phasing = state.clock.phasing;
    match state.phase {
        Phase::Retreat => {
            for unit in UnitId::of_side(phasing) {
                let choices = ops::retreat_choices(table, unit);
                into.extend(choices.into_iter().map(|goal| Action::Retreat { unit, goal }));
            }
        }
        Phase::Half => into.extend([Action::Pass, Action::PlayHalf]),
        Phase::Move => list_moves(state, into),
        Phase::Redoubt if !state.clock.redoubt_built => {
            into.push(Action::EndPhase);
            ops::list_redoubts(table, |unit| into.push(Action::BuildRedoubt { unit }));
        }
        Phase::DefensiveFire => {
            into.push(Action::EndPhase);
            ops::list_fire(table, phasing.other(), true, |attack| into.push(Action::DefensiveFire(attack)));
        }
        Phase::Fire if !state.clock.passed => {
            into.push(Action::EndPhase);
            ops::list_fire(table, phasing, false, |attack| into.push(Action::Fire(attack)));
        }
        Phase::Melee if !state.clock.passed => {
            into.push(Action::EndPhase);
            ops::list_melees(table, phasing, |melee| into.push(Action::Melee(melee)));
        }
        Phase::Repetition => into.extend([Action::ClaimRepetition, Action::EndPhase]),
        Phase::LastHalf => {
            into.extend([Side::French, Side::Prussian].map(|side| Action::NameLastHalf { side }));
        }
        _ => {}
    }
}

/// Whether the garrison may go back to the walls during the rounds, by option.
fn remans_walls(state: &State) -> bool {
    state.clock.phasing == Side::Prussian
        && state.table.options.walls_remanned_in_operational_rounds == WallsRemannedInOperationalRounds::True
}

fn list_moves(state: &State, into: &mut Vec<Action>) {
    let table = &state.table;
    let phasing = state.clock.phasing;
    match state.hand {
        Hand::Leaving { waiting, .. } | Hand::Running { waiting, .. } => {
            into.extend(waiting.iter().map(|firer| Action::OpportunityShot { firer }));
            into.push(Action::Decline);
        }
        Hand::Moving(mover) => {
            let may_stop = ops::list_march(table, &mover, |may_stop, stride| {
                if may_stop || goes(stride) {
                    into.push(Action::March(stride));
                }
            });
            if may_stop || into.is_empty() {
                into.push(Action::PutDown);
            }
        }
        Hand::Charged { charge, waiting, .. } => {
            for unit in waiting.iter() {
                ops::list_reactions(table, &charge, unit, |reaction| {
                    into.push(Action::React { unit, reaction });
                });
            }
        }
        Hand::Empty | Hand::Exposed(_) | Hand::Fighting(_) => {
            into.push(Action::EndPhase);
            if phasing == Side::French {
                let lannes = lannes_may_enter(state);
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
                ops::list_boats(table, phasing, |units, across| {
                    into.push(Action::BoatsStart { units, across });
                });
                into[first..].sort_unstable();
            }
            if remans_walls(state) {
                siege::list_garrison(table, false, |garrison| {
                    if matches!(garrison, GarrisonMove::Infantry { .. }) {
                        into.push(Action::Garrison(garrison));
                    }
                });
            }
        }
    }
}

/// Whether it is plain at sight that the phasing player has more than one choice.
pub(crate) fn has_choice(state: &State) -> bool {
    match state.phase {
        Phase::Half => true,
        Phase::Move => ops::anyone_moves(&state.table, state.clock.phasing),
        _ => false,
    }
}

/// Whether this may be decided now.
pub(crate) fn check(state: &State, action: &Action) -> Verdict<()> {
    let table = &state.table;
    let phasing = state.clock.phasing;
    match (state.phase, *action) {
        (Phase::Retreat, Action::Retreat { unit, goal }) => {
            let own = unit.side() == phasing;
            if own && ops::retreat_choices(table, unit).contains(&goal) {
                return Ok(());
            }
            Err(Refusal::rule(rule!(DZ_3_6_02), phrase::danzig::NO_SUCH_RETREAT)
                .with("unit", unit.data().label))
        }
        (Phase::Half, Action::Pass | Action::PlayHalf) => Ok(()),
        (Phase::Move, _) => check_move(state, action),
        (Phase::Redoubt, Action::BuildRedoubt { unit }) => {
            if !rule!(DZ_3_1_07).holds(!state.clock.redoubt_built) {
                return Err(Refusal::rule(rule!(DZ_3_1_07), phrase::danzig::ONE_REDOUBT));
            }
            ops::check_redoubt(table, unit)
        }
        (Phase::DefensiveFire, Action::DefensiveFire(attack)) => {
            ops::check_fire(table, phasing.other(), true, &attack)
        }
        (Phase::Fire, Action::Fire(attack)) => ops::check_fire(table, phasing, false, &attack),
        (Phase::Melee, Action::Melee(melee)) => ops::check_melee(table, phasing, &melee),
        (Phase::Repetition, Action::ClaimRepetition) | (Phase::LastHalf, Action::NameLastHalf { .. }) => {
            Ok(())
        }
        (
            Phase::Redoubt | Phase::DefensiveFire | Phase::Fire | Phase::Melee | Phase::Repetition,
            Action::EndPhase,
        ) => Ok(()),
        _ => Err(Refusal::rule(rule!(DZ_3_1_04), phrase::danzig::NOT_NOW)),
    }
}

fn check_move(state: &State, action: &Action) -> Verdict<()> {
    let table = &state.table;
    let phasing = state.clock.phasing;
    match (state.hand, *action) {
        (
            Hand::Leaving { waiting, .. } | Hand::Running { waiting, .. },
            Action::OpportunityShot { firer },
        ) if waiting.has(firer) => Ok(()),
        (Hand::Leaving { .. } | Hand::Running { .. }, Action::Decline) => Ok(()),
        (Hand::Moving(mover), Action::PutDown) => {
            if may_go_on(state, &mover, goes) {
                ops::check_put_down(table, &mover)
            } else {
                Ok(())
            }
        }
        (Hand::Charged { charge, waiting, .. }, Action::React { unit, reaction }) => {
            if !waiting.has(unit) {
                return Err(ops::Bar::CannotReact.into());
            }
            ops::check_reaction(table, &charge, unit, reaction)
        }
        (Hand::Empty, Action::Charge(charge)) => {
            if state.clock.moved {
                return Err(Refusal::rule(rule!(DZ_R94), phrase::danzig::CHARGES_COME_FIRST));
            }
            ops::check_charge(table, phasing, &charge)
        }
        (Hand::Moving(mover), Action::March(stride)) => {
            ops::check_stride(table, &mover, stride)?;
            if goes(stride) { Ok(()) } else { ops::check_put_down(table, &mover) }
        }
        (Hand::Empty, Action::EnterMap { unit, hex }) if phasing == Side::French => {
            check_enter(state, unit, hex)
        }
        (Hand::Empty, Action::BoatsStart { units, across }) => {
            if !rule!(DZ_3_1_3_01).holds(!state.clock.boats_used) {
                return Err(Refusal::rule(rule!(DZ_3_1_3_01), phrase::danzig::ONE_STACK_ON_BOATS));
            }
            ops::check_boats(table, phasing, units, across)
        }
        (Hand::Empty, Action::Garrison(garrison @ GarrisonMove::Infantry { .. })) => {
            if !remans_walls(state) {
                return Err(Refusal::rule(rule!(DZ_R103), phrase::danzig::NOT_NOW));
            }
            siege::check_garrison(table, false, &garrison)
        }
        (Hand::Empty, Action::TakeUp { units }) => ops::check_take_up(table, phasing, units),
        (Hand::Empty, Action::EndPhase) => Ok(()),
        _ => Err(Refusal::rule(rule!(DZ_3_1_04), phrase::danzig::NOT_NOW)),
    }
}

/// Does it; true when the phase is over.
pub(crate) fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
    state.clock.acted |= acts(action);
    match *action {
        Action::Retreat { unit, goal } => {
            ops::retreat(&mut state.table, unit, goal, clerk);
            !UnitId::of_side(state.clock.phasing)
                .any(|unit| !ops::retreat_choices(&state.table, unit).is_empty())
        }
        Action::Pass => {
            state.clock.passed = clerk.rather(rule!(DZ_1_2_04), true, false);
            true
        }
        Action::EnterMap { unit, hex } => {
            clerk.applied(match unit.data().corps {
                Corps::Lannes => rule!(DZ_3_1_12),
                _ => rule!(DZ_5_3_02),
            });
            state.clock.moved = true;
            let mover = ops::enter(&mut state.table, unit, hex, clerk);
            // Who has come in may go on at once.
            let goes_on = unit.data().corps != Corps::Lannes || clerk.holds(rule!(DZ_6_2_03), true);
            state.hand = if goes_on { Hand::Moving(mover) } else { Hand::Empty };
            false
        }
        Action::TakeUp { units } => {
            state.clock.moved = true;
            let rule = match state.clock.phasing {
                Side::French => rule!(DZ_3_1_05),
                Side::Prussian => rule!(DZ_3_1_2_01),
            };
            let mover = ops::take_up(&mut state.table, units);
            state.hand = clerk.rather(rule, Hand::Moving(mover), Hand::Empty);
            false
        }
        Action::PutDown => {
            put_down(state);
            false
        }
        Action::March(stride) => {
            if let Hand::Moving(mover) = state.hand {
                let waiting = ops::opportunity(&state.table, &mover, stride);
                state.hand = Hand::Leaving { mover, stride, waiting, shelled: false };
            }
            false
        }
        Action::OpportunityShot { firer } => {
            let moving = match &mut state.hand {
                Hand::Leaving { mover, waiting, .. } => Some((mover.units, waiting)),
                Hand::Running { run, waiting, .. } => Some((run.charge.units, waiting)),
                _ => None,
            };
            if let Some((moving, waiting)) = moving {
                waiting.remove(firer);
                ops::opportunity_shot(&mut state.table, firer, moving, clerk);
            }
            false
        }
        Action::Decline => {
            if let Hand::Leaving { waiting, .. } | Hand::Running { waiting, .. } = &mut state.hand {
                *waiting = UnitSet::EMPTY;
            }
            false
        }
        Action::Charge(charge) => {
            state.hand = match ops::Run::begin(&mut state.table, &charge, clerk) {
                Some(run) => {
                    let waiting = run.watchers(&state.table);
                    Hand::Running { run, waiting, shelled: false }
                }
                None => Hand::Empty,
            };
            false
        }
        Action::React { unit, reaction } => {
            if let Hand::Charged { charge, waiting, countercharge } = &mut state.hand {
                waiting.remove(unit);
                if reaction == Reaction::Countercharge {
                    countercharge.insert(unit);
                }
                ops::react(&mut state.table, charge, unit, reaction, clerk);
            }
            false
        }
        Action::Garrison(garrison) => {
            clerk.applied(rule!(DZ_R103));
            siege::garrison_move(&mut state.table, &garrison, clerk);
            false
        }
        Action::BoatsStart { units, across } => {
            state.clock.boats_used = true;
            ops::start_crossing(&mut state.table, units, across, clerk);
            false
        }
        Action::BuildRedoubt { unit } => {
            state.clock.redoubt_built = true;
            ops::build_redoubt(&mut state.table, unit, clerk);
            true
        }
        Action::DefensiveFire(attack) => {
            ops::fire(&mut state.table, true, &attack, clerk);
            false
        }
        Action::Fire(attack) => {
            ops::fire(&mut state.table, false, &attack, clerk);
            false
        }
        Action::Melee(melee) => {
            state.hand = Hand::Fighting(ops::melee(&mut state.table, &melee));
            false
        }
        Action::ClaimRepetition => {
            roll_off(state, clerk);
            true
        }
        Action::NameLastHalf { side } => {
            state.clock.phasing = side;
            true
        }
        _ => true,
    }
}

/// Whether the phasing player does something with this, so that his half-round is no pass (DZ-R32).
const fn acts(action: &Action) -> bool {
    matches!(
        action,
        Action::EnterMap { .. }
            | Action::March(_)
            | Action::Charge(_)
            | Action::Garrison(_)
            | Action::BoatsStart { .. }
            | Action::BuildRedoubt { .. }
            | Action::Fire(_)
            | Action::Melee(_)
    )
}

/// What is in hand goes on as far as nobody has to decide anything: a stack or a charge whose enemies
/// have fired is fired at by the fortress and takes its step, a melee is fought on. To be called while
/// nothing is owed; true when something has been done.
pub(crate) fn settle(state: &mut State, clerk: &mut impl Clerk) -> bool {
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

/// Whether the stack in hand can make such a step.
fn may_go_on(state: &State, mover: &Mover, such: impl Fn(Stride) -> bool) -> bool {
    let mut any = false;
    ops::list_strides(&state.table, mover, |stride| any |= such(stride));
    any
}

/// Whether a step leads elsewhere: one that cannot stop where it stands may do nothing else.
fn goes(stride: Stride) -> bool {
    !matches!(stride, Stride::Turn(_) | Stride::Form(_) | Stride::DestroyBridge)
}

fn put_down(state: &mut State) {
    if let Hand::Moving(mover) = state.hand {
        for unit in mover.units.iter() {
            state.table.unit_mut(unit).marks.set(Marks::MOVED);
        }
    }
    state.hand = Hand::Empty;
}

/// Goes on from a phase of the rounds.
pub(crate) fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    match state.phase {
        Phase::Retreat => Phase::Half,
        Phase::Half if state.clock.passed => defensive_fire(state, clerk),
        Phase::Half => Phase::Move,
        Phase::Move if state.clock.phasing == Side::French => Phase::Redoubt,
        Phase::Move | Phase::Redoubt => defensive_fire(state, clerk),
        Phase::DefensiveFire if rule!(DZ_3_1_04).holds(true) => Phase::Fire,
        Phase::DefensiveFire | Phase::Fire => Phase::Melee,
        Phase::Melee => half_end(state, clerk),
        Phase::Repetition => match state.clock.asked {
            0 | 1 => {
                state.clock.asked += 1;
                if state.clock.asked == 2 { begin_round(state, clerk) } else { Phase::Repetition }
            }
            _ => Phase::LastHalf,
        },
        Phase::LastHalf => {
            state.clock.last_half = true;
            open_round(state);
            begin_half(state, clerk)
        }
        phase => phase,
    }
}

/// The fortress fires by itself; then the other player's counters may.
fn defensive_fire(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    if state.clock.phasing == Side::French {
        ops::fortress_defensive_fire(&mut state.table, clerk);
    }
    Phase::DefensiveFire
}

/// The end test of a half-round: two passes in a row, nobody in anybody's sights, Lannes not awaited.
fn half_end(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    let turn = arrivals::relief_turn(&state.table.options);
    if state.clock.phasing == Side::French
        && state.table.turn == turn
        && state.clock.round >= lannes_round(state)
    {
        state.clock.lannes_offered = true;
    }
    if state.clock.last_half {
        clerk.applied(rule!(DZ_3_1_03));
        return end::after_rounds(state, clerk);
    }
    // A half-round in which nothing was done is a pass, one in which boats have landed is none (DZ-R32).
    let passed = !state.clock.acted && !state.clock.landed;
    state.clock.passes = if passed { state.clock.passes.saturating_add(1) } else { 0 };
    if rule!(DZ_2_2_01).holds(state.clock.passes >= 2) && !lannes_pending(state) {
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

/// The repetition test: the third time a position stands, the part is over.
fn round_end(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    let position = fingerprint(state);
    let before = state.clock.seen.iter().filter(|seen| **seen == position).count();
    state.clock.seen.push(position);
    if !lannes_pending(state) && clerk.holds(rule!(DZ_3_1_02), before >= 2) {
        clerk.happened(|| Event::new(phrase::danzig::POSITION_REPEATED));
        return end::after_rounds(state, clerk);
    }
    if before == 1 && state.table.options.repetition == Repetition::Rolloff && !lannes_pending(state) {
        state.clock.asked = 0;
        return Phase::Repetition;
    }
    if clerk.holds(rule!(DZ_1_2_02), true) {
        return begin_round(state, clerk);
    }
    end::after_rounds(state, clerk)
}
