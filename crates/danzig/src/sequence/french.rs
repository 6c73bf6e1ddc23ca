//! Phase 2.4, the French siege actions (chapter 4.8), decision by decision: mine, mortars, siege guns;
//! repairs, building and the enfilade they invite; movement; assaults. Between them the fire at whoever
//! is in the open.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::RepairBeforeBuilding;
use rulebook::{phrase, rule};

use super::{Decision, Step, end_or_not_now};
use crate::action::Action;
use crate::siege::{self, Build as Work};
use crate::state::{Hand, Phase, State};
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// The siege actions of a turn begin: nobody has moved, fired, worked or stormed yet.
pub(super) fn begin(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    let marks = Marks::MOVED
        .and(Marks::FIRED)
        .and(Marks::FIRED_OPPORTUNITY)
        .and(Marks::ASSAULTED)
        .and(Marks::WORKER)
        .and(Marks::PIVOTED);
    for unit in UnitId::all() {
        state.table.unit_mut(unit).marks.clear(marks);
    }
    clerk.rather(rule!(DZ_2_4_01), Phase::Mine, Phase::SiegeMove)
}

/// 2.4.1: the mine goes up, or waits.
pub(super) struct Mine;

impl Decision for Mine {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        if siege::mine_is_ripe(&state.table) {
            into.push(Action::ExplodeMine);
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::ExplodeMine if rule!(DZ_8_0_04).holds(siege::mine_is_ripe(&state.table)) => Ok(()),
            Action::ExplodeMine => Err(Refusal::rule(rule!(DZ_8_0_04), phrase::danzig::MINE_NOT_RIPE)),
            _ => end_or_not_now(rule!(DZ_2_4_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if *action == Action::ExplodeMine {
            siege::explode_mine(&mut state.table, clerk);
        }
        true
    }
}

impl Step for Mine {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::Mortars
    }
}

/// 2.4.1: the mortars fire at the city, one after the other.
pub(super) struct Mortars;

impl Decision for Mortars {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_mortars(&state.table, |mortar| into.push(Action::FireMortar { mortar }));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::FireMortar { mortar } => siege::check_mortar(&state.table, mortar),
            _ => end_or_not_now(rule!(DZ_2_4_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::FireMortar { mortar } = *action else { return true };
        siege::fire_mortar(&mut state.table, mortar, clerk);
        false
    }
}

impl Step for Mortars {
    fn next(_: &mut State, clerk: &mut impl Clerk) -> Phase {
        clerk.applied(rule!(DZ_2_4_1_01));
        Phase::Guns
    }
}

/// The shots of one order that are offered; any other number may be ordered.
const SALVO: u8 = 6;

/// 2.4.1: the siege batteries fire while they have ammunition.
pub(super) struct Guns;

impl Decision for Guns {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_gun_shots(&state.table, |gun, target| {
            into.push(Action::FireSiegeGun { gun, target });
            into.push(Action::Bombard { gun, target, shots: SALVO });
        });
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::FireSiegeGun { gun, target } => siege::check_gun_shot(&state.table, gun, target),
            Action::Bombard { gun, target, shots } => siege::check_bombard(&state.table, gun, target, shots),
            _ => end_or_not_now(rule!(DZ_2_4_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        match *action {
            Action::FireSiegeGun { gun, target } => {
                siege::fire_gun(&mut state.table, gun, target, clerk);
                false
            }
            Action::Bombard { gun, target, shots } => {
                siege::bombard(&mut state.table, gun, target, shots, clerk);
                false
            }
            _ => true,
        }
    }
}

impl Step for Guns {
    fn passed_over(state: &State, clerk: &mut impl Clerk) {
        siege::say_why_guns_are_silent(&state.table, clerk);
    }

    /// Demolitions; then ten points, if there is infantry in the concentration area to spend them.
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        siege::demolitions(&mut state.table, clerk);
        let workers = state
            .table
            .at(Side::French, Place::Concentration)
            .any(|unit| unit.data().arm == Arm::Infantry && !state.table.unit(unit).is_disordered());
        state.table.danzig.may_build = workers;
        state.table.danzig.construction = if workers { siege::CONSTRUCTION_POINTS } else { 0 };
        clerk.rather(rule!(DZ_2_4_2_01), Phase::Repair, Phase::SiegeMove)
    }
}

/// 2.4.2: damaged works are repaired, before anything is built.
pub(super) struct Repair;

impl Decision for Repair {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        if state.table.danzig.may_build {
            siege::list_repairs(&state.table, |build| into.push(Action::Build(build)));
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::Build(build) if build.is_repair() => siege::check_build(&state.table, build),
            _ => end_or_not_now(rule!(DZ_2_4_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::Build(build) = action else { return true };
        state.hand = Hand::Exposed(siege::begin_build(&mut state.table, build, clerk));
        false
    }
}

impl Step for Repair {
    fn next(_: &mut State, clerk: &mut impl Clerk) -> Phase {
        clerk.rather(rule!(DZ_4_7_2_17), Phase::Build, Phase::Enfilade)
    }
}

/// 2.4.2: works are built, changed and given up.
pub(super) struct Build;

impl Build {
    /// Whether new works have to wait because a repair that could be made was not (DZ-R56, by option).
    /// Nobody must spend points: he who repairs nothing builds nothing either.
    fn waits(state: &State) -> bool {
        let mut any = false;
        if state.table.options.repair_before_building == RepairBeforeBuilding::Compulsory {
            siege::list_repairs(&state.table, |_| any = true);
        }
        any
    }
}

impl Decision for Build {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        let waits = Self::waits(state);
        siege::list_builds(&state.table, |build| {
            if !waits || matches!(build, Work::Remove { .. }) {
                into.push(Action::Build(build));
            }
        });
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        let Action::Build(build) = action else { return end_or_not_now(rule!(DZ_2_4_01), action) };
        let waits = !matches!(build, Work::Remove { .. }) && Self::waits(state);
        if !rule!(DZ_4_8_04).holds(!(build.is_repair() || waits)) {
            return Err(Refusal::rule(rule!(DZ_4_8_04), phrase::danzig::REPAIRS_COME_FIRST));
        }
        siege::check_build(&state.table, build)
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::Build(build) = action else { return true };
        state.hand = Hand::Exposed(siege::begin_build(&mut state.table, build, clerk));
        false
    }
}

impl Step for Build {
    fn may_run_out() -> bool {
        false
    }

    /// What is left of the points is lost; the works that are raked are fired at.
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        let left = state.table.danzig.construction;
        if left > 0 {
            state.table.danzig.construction = clerk.rather(rule!(DZ_4_7_2_11), 0, left);
        }
        state.table.danzig.may_build = false;
        state.enfiladed = siege::enfiladed(&state.table);
        if !state.enfiladed.is_empty() {
            let none = siege::WorkSet::default();
            state.enfiladed = clerk.rather(rule!(DZ_4_5_3_01), state.enfiladed, none);
        }
        Phase::Enfilade
    }
}

/// 2.4.2: one shot at each work that is raked.
pub(super) struct Enfilade;

impl Decision for Enfilade {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        into.extend(state.enfiladed.iter().map(|work| Action::EnfiladeFire { work }));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::EnfiladeFire { work } if rule!(DZ_4_5_3_02).holds(state.enfiladed.contains(work)) => {
                Ok(())
            }
            Action::EnfiladeFire { .. } => {
                Err(Refusal::rule(rule!(DZ_4_5_3_02), phrase::danzig::NOT_ENFILADED))
            }
            _ => end_or_not_now(rule!(DZ_2_4_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::EnfiladeFire { work } = *action else { return true };
        state.enfiladed.remove(work);
        siege::enfilade_shot(&mut state.table, work, clerk);
        false
    }
}

impl Step for Enfilade {
    fn next(_: &mut State, clerk: &mut impl Clerk) -> Phase {
        clerk.rather(rule!(DZ_2_4_3_01), Phase::SiegeMove, Phase::Assault)
    }
}

/// 2.4.3: the French move, in the trenches or in the open.
pub(super) struct SiegeMove;

impl Decision for SiegeMove {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_moves(&state.table, |siege_move| into.push(Action::SiegeMove(siege_move)));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::SiegeMove(siege_move) => siege::check_move(&state.table, siege_move),
            _ => end_or_not_now(rule!(DZ_2_4_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::SiegeMove(siege_move) = action else { return true };
        state.hand = Hand::Exposed(siege::begin_move(&mut state.table, siege_move, clerk));
        false
    }
}

impl Step for SiegeMove {
    fn may_run_out() -> bool {
        false
    }

    fn next(_: &mut State, clerk: &mut impl Clerk) -> Phase {
        clerk.applied(rule!(DZ_2_4_4_01));
        Phase::Assault
    }
}

/// 2.4.4: the French storm wall points and the Kalke-Schanze.
pub(super) struct Assault;

impl Decision for Assault {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        siege::list_assaults(&state.table, |assault| into.push(Action::Assault(assault)));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::Assault(assault) => siege::check_assault(&state.table, assault),
            _ => end_or_not_now(rule!(DZ_2_4_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::Assault(assault) = action else { return true };
        state.hand = Hand::Exposed(siege::begin_assault(&mut state.table, assault, clerk));
        false
    }
}

impl Step for Assault {
    /// 2.4.5: the French rally, and the Prussian siege actions begin.
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        siege::end_assaults(&mut state.table, clerk);
        if clerk.holds(rule!(DZ_2_4_5_01), true) {
            siege::rally(&mut state.table, Side::French, clerk);
        }
        clerk.applied(rule!(DZ_2_5_1_01));
        clerk.rather(rule!(DZ_2_5_01), Phase::GarrisonMove, Phase::BatteryFire)
    }
}

/// 4.1.1: whoever is in the open may be fired at, shot by shot; then he does what he set out for.
pub(super) struct UnderFire;

impl Decision for UnderFire {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.extend([Action::OpportunityFire, Action::Decline]);
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::OpportunityFire | Action::Decline => Ok(()),
            _ => Err(Refusal::rule(rule!(DZ_4_1_1_05), phrase::danzig::NOT_NOW)),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if let Hand::Exposed(mut exposure) = state.hand {
            match action {
                Action::OpportunityFire => siege::exposed_shot(&mut state.table, &mut exposure, clerk),
                _ => siege::waive_shot(&state.table, &mut exposure),
            }
            state.hand = Hand::Exposed(exposure);
        }
        false
    }
}

impl UnderFire {
    /// Whoever has come through the fire does what he set out for; true if somebody has.
    pub(super) fn settle(state: &mut State, clerk: &mut impl Clerk) -> bool {
        match state.hand {
            Hand::Exposed(exposure) if exposure.shots == 0 => {
                siege::arrive(&mut state.table, &exposure, clerk);
                if state.table.siege.brawl.is_none() {
                    state.hand = Hand::Empty;
                }
                true
            }
            _ => false,
        }
    }
}
