//! Phase 2.5, the Prussian siege actions (chapter 4.9), decision by decision: movement and pivots, fire,
//! repairs and the counter-mine, the sortie, the counter-attack.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::Counterattacks;
use rulebook::{phrase, rule};

use super::{Decision, Step, end, end_or_not_now, replacements};
use crate::action::Action;
use crate::siege::{self, GarrisonMove as Move, Muster};
use crate::state::{Phase, State};
use crate::unit::{Marks, Side, UnitId};

/// 2.5.1: the garrison moves inside the walls; one battery changes its point, all may turn.
pub(super) struct GarrisonMove;

impl Decision for GarrisonMove {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_garrison(&state.table, !state.clock.battery_moved, |garrison| {
            into.push(Action::Garrison(garrison));
        });
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::Garrison(garrison) => {
                siege::check_garrison(&state.table, !state.clock.battery_moved, garrison)
            }
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::Garrison(garrison) = action else { return true };
        if matches!(garrison, Move::Battery { .. }) {
            let moved = clerk.rather(rule!(DZ_4_9_03), true, false);
            state.clock.battery_moved = clerk.rather(rule!(DZ_5_1_06), moved, false);
        }
        siege::garrison_move(&mut state.table, garrison, clerk);
        false
    }
}

impl Step for GarrisonMove {
    fn may_run_out() -> bool {
        false
    }

    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::BatteryFire
    }
}

/// 2.5.2: every undamaged battery fires once.
pub(super) struct BatteryFire;

impl Decision for BatteryFire {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_battery_shots(&state.table, |battery, target| {
            into.push(Action::FireBattery { battery, target });
        });
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::FireBattery { battery, target } => {
                siege::check_battery_shot(&state.table, battery, target)
            }
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::FireBattery { battery, target } = *action else { return true };
        siege::fire_battery(&mut state.table, battery, target, clerk);
        false
    }
}

impl Step for BatteryFire {
    fn passed_over(state: &State, clerk: &mut impl Clerk) {
        siege::say_why_batteries_are_silent(&state.table, clerk);
    }

    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::WallRepair
    }
}

/// 2.5.3: one level of one wall point is repaired.
pub(super) struct WallRepair;

impl Decision for WallRepair {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_wall_repairs(&state.table, |point| into.push(Action::RepairWall { point }));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::RepairWall { point } => siege::check_wall_repair(&state.table, point),
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if let Action::RepairWall { point } = *action {
            siege::repair_wall(&mut state.table, point, clerk);
        }
        true
    }
}

impl Step for WallRepair {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if replacements::repairs_at_once(&state.table.options) {
            LateBatteryRepair::next(state, clerk)
        } else {
            Phase::LateBatteryRepair
        }
    }
}

/// 2.5.3, by option: batteries are repaired here instead of in phase 2.1.
pub(super) struct LateBatteryRepair;

impl Decision for LateBatteryRepair {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        replacements::list_battery_repairs(&state.table, into);
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::RepairBattery { battery, point, facing } => {
                replacements::check_repair_battery(&state.table, battery, point, facing)
            }
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::RepairBattery { battery, point, facing } = *action else { return true };
        replacements::repair_battery(&mut state.table, battery, point, facing, clerk);
        false
    }
}

impl Step for LateBatteryRepair {
    fn next(_: &mut State, clerk: &mut impl Clerk) -> Phase {
        clerk.rather(rule!(DZ_2_5_5_01), Phase::Countermine, Phase::Sortie)
    }
}

/// 2.5.3: the die against the mine.
pub(super) struct Countermine;

impl Decision for Countermine {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        if siege::may_countermine(&state.table) {
            into.push(Action::Countermine);
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::Countermine if rule!(DZ_8_0_03).holds(siege::may_countermine(&state.table)) => Ok(()),
            Action::Countermine => Err(Refusal::rule(rule!(DZ_8_0_03), phrase::danzig::NO_MINE_TO_COUNTER)),
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if *action == Action::Countermine {
            siege::countermine(&mut state.table, clerk);
        }
        true
    }
}

impl Step for Countermine {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::Sortie
    }
}

/// Whether a battalion was named, so that it may stay behind after all.
fn check_dismiss(state: &State, unit: UnitId) -> Verdict<()> {
    if rule!(DZ_4_9_11).holds(state.muster.has(unit)) {
        return Ok(());
    }
    Err(Refusal::rule(rule!(DZ_4_9_11), phrase::danzig_siege::NOT_NAMED).with("unit", unit.data().label))
}

/// 2.5.4: a sortie is declared: ready groups, or battalions named one after the other.
pub(super) struct Sortie;

impl Decision for Sortie {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_sorties(&state.table, &state.muster, |sortie| into.push(Action::DeclareSortie(sortie)));
        siege::list_sortie_muster(&state.table, &state.muster, |unit| into.push(Action::Muster { unit }));
        into.extend(state.muster.iter().map(|unit| Action::Dismiss { unit }));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::DeclareSortie(sortie) => siege::check_sortie(&state.table, &sortie),
            Action::Muster { unit } => siege::check_sortie_muster(&state.table, &state.muster, unit),
            Action::Dismiss { unit } => check_dismiss(state, unit),
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        match *action {
            Action::Muster { unit } => {
                clerk.applied(rule!(DZ_4_9_11));
                state.muster = state.muster.with(unit).unwrap_or(state.muster);
                return false;
            }
            Action::Dismiss { unit } => {
                state.muster = state.muster.without(unit);
                return false;
            }
            Action::DeclareSortie(sortie) => {
                state.sortie = Some(siege::begin_sortie(&mut state.table, &sortie, clerk));
            }
            _ => {}
        }
        state.muster = Muster::default();
        true
    }
}

impl Step for Sortie {
    fn next(state: &mut State, _: &mut impl Clerk) -> Phase {
        if state.sortie.is_some() { Phase::SortieFire } else { Phase::CounterAttack }
    }
}

/// 2.5.4: the French field guns fire at the groups, by night.
pub(super) struct SortieFire;

impl Decision for SortieFire {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        if let Some(run) = &state.sortie {
            siege::list_field_fire(&state.table, run, |battery, group| {
                into.push(Action::FieldFire { battery, group });
            });
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match (action, &state.sortie) {
            (Action::FieldFire { battery, group }, Some(run)) => {
                siege::check_field_fire(&state.table, run, *battery, *group)
            }
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::FieldFire { battery, group } = *action else { return true };
        if let Some(run) = &mut state.sortie {
            siege::field_fire(&mut state.table, run, battery, group, clerk);
        }
        false
    }
}

impl Step for SortieFire {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::Defenders
    }
}

/// 2.5.4: the French bring up defenders.
pub(super) struct Defenders;

impl Decision for Defenders {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        if let Some(run) = &state.sortie {
            siege::list_defenders(&state.table, run, |unit, work| {
                into.push(Action::CommitDefender { unit, work });
            });
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match (action, &state.sortie) {
            (Action::CommitDefender { unit, work }, Some(run)) => {
                siege::check_defender(&state.table, run, *unit, *work)
            }
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::CommitDefender { unit, work } = *action else { return true };
        if let Some(run) = &mut state.sortie {
            siege::commit_defender(&mut state.table, run, unit, work, clerk);
        }
        false
    }
}

impl Step for Defenders {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        SortieMelee::next(state, clerk)
    }
}

/// 2.5.4: the melees of the sortie, one after the other; nobody decides anything but his losses.
pub(super) struct SortieMelee;

impl Decision for SortieMelee {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        end_or_not_now(rule!(DZ_2_5_01), action)
    }

    fn perform(_: &mut State, _: &Action, _: &mut impl Clerk) -> bool {
        true
    }
}

impl Step for SortieMelee {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if let Some(run) = &mut state.sortie
            && siege::sortie_melee(&mut state.table, run, clerk)
        {
            return Phase::SortieMelee;
        }
        state.sortie = None;
        Phase::CounterAttack
    }
}

/// 2.5.5: a counter-attack on a French lodgement is declared.
pub(super) struct CounterAttack;

impl CounterAttack {
    /// One counter-attack a turn, or one for each position by option.
    fn check_attack(state: &State, attack: &siege::CounterAttack) -> Verdict<()> {
        let made = state.clock.counterattacked;
        let first = match state.table.options.counterattacks {
            Counterattacks::OnePerTurn => made == 0,
            Counterattacks::OnePerPosition => made & (1 << attack.target.index()) == 0,
        };
        if !rule!(DZ_R51).holds(first) {
            return Err(Refusal::rule(rule!(DZ_R51), phrase::danzig::ONE_COUNTERATTACK));
        }
        siege::check_counterattack(&state.table, attack)
    }
}

impl Decision for CounterAttack {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_counterattacks(&state.table, &state.muster, |attack| {
            if Self::check_attack(state, &attack).is_ok() {
                into.push(Action::DeclareCounterAttack(attack));
            }
        });
        let named = UnitId::of_side(Side::Prussian).map(|unit| Action::Muster { unit });
        into.extend(named.filter(|muster| Self::check(state, muster).is_ok()));
        into.extend(state.muster.iter().map(|unit| Action::Dismiss { unit }));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::DeclareCounterAttack(attack) => Self::check_attack(state, &attack),
            Action::Muster { unit } => {
                siege::check_counter_muster(&state.table, &state.muster, unit, |attack| {
                    Self::check_attack(state, attack)
                })
            }
            Action::Dismiss { unit } => check_dismiss(state, unit),
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        match *action {
            Action::Muster { unit } => {
                clerk.applied(rule!(DZ_4_9_21));
                state.muster = state.muster.with(unit).unwrap_or(state.muster);
                return false;
            }
            Action::Dismiss { unit } => {
                state.muster = state.muster.without(unit);
                return false;
            }
            Action::DeclareCounterAttack(attack) => {
                state.clock.counterattacked |= 1 << attack.target.index();
                siege::begin_counterattack(&mut state.table, &attack, clerk);
                for unit in UnitId::of_side(Side::French) {
                    state.table.unit_mut(unit).marks.clear(Marks::FIRED);
                }
                state.counterattack = Some(attack);
            }
            _ => {}
        }
        state.muster = Muster::default();
        true
    }
}

impl Step for CounterAttack {
    /// Without one more counter-attack: 2.5.6, the Prussians rally, and the surrender is tested.
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if state.counterattack.is_some() {
            return Phase::CounterAttackFire;
        }
        if clerk.holds(rule!(DZ_2_5_6_01), true) {
            siege::rally(&mut state.table, Side::Prussian, clerk);
        }
        end::surrender(state, clerk)
    }
}

/// 2.5.5: field guns on the second wall fire at it; then the melee.
pub(super) struct CounterAttackFire;

impl Decision for CounterAttackFire {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        // Once the melee is being fought nobody fires any more.
        if let (Some(attack), None) = (&state.counterattack, &state.table.siege.brawl) {
            siege::list_counter_fire(&state.table, attack, |battery| {
                into.push(Action::CounterAttackFire { battery });
            });
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match (action, &state.counterattack) {
            (Action::CounterAttackFire { battery }, Some(attack)) => {
                siege::check_counter_fire(&state.table, attack, *battery)
            }
            _ => end_or_not_now(rule!(DZ_2_5_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::CounterAttackFire { battery } = *action else { return true };
        if let Some(attack) = state.counterattack {
            siege::counter_fire(&mut state.table, &attack, battery, clerk);
        }
        false
    }
}

impl Step for CounterAttackFire {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if let Some(attack) = state.counterattack {
            siege::counter_melee(&mut state.table, &attack, clerk);
            if state.table.siege.brawl.is_some() {
                return Phase::CounterAttackFire;
            }
        }
        state.counterattack = None;
        Phase::CounterAttack
    }
}
