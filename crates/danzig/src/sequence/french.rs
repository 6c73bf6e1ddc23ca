//! Phase 2.4, the French siege actions (chapter 4.8): mine, mortars, siege guns; repairs, building and
//! the enfilade they invite; movement; assaults.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::RepairBeforeBuilding;
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::siege;
use crate::state::{Hand, Phase, State};
use crate::unit::{Arm, Marks, Place, Side, UnitId};

pub(crate) fn list(state: &State, into: &mut Vec<Action>) {
    let table = &state.table;
    if let Hand::Exposed(_) = state.hand {
        into.extend([Action::OpportunityFire, Action::Decline]);
        return;
    }
    into.push(Action::EndPhase);
    match state.phase {
        Phase::Mine if siege::mine_is_ripe(table) => into.push(Action::ExplodeMine),
        Phase::Mortars => siege::list_mortars(table, |mortar| into.push(Action::FireMortar { mortar })),
        Phase::Guns => {
            siege::list_gun_shots(table, |gun, target| into.push(Action::FireSiegeGun { gun, target }));
        }
        Phase::Repair if table.danzig.may_build => {
            siege::list_repairs(table, |build| into.push(Action::Build(build)));
        }
        Phase::Build => {
            let waits = repairs_come_first(state);
            siege::list_builds(table, |build| {
                if !waits || matches!(build, siege::Build::Remove { .. }) {
                    into.push(Action::Build(build));
                }
            });
        }
        Phase::Enfilade => into.extend(state.enfiladed.iter().map(|work| Action::EnfiladeFire { work })),
        Phase::SiegeMove => siege::list_moves(table, |siege_move| into.push(Action::SiegeMove(siege_move))),
        Phase::Assault => siege::list_assaults(table, |assault| into.push(Action::Assault(assault))),
        _ => {}
    }
}

pub(crate) fn check(state: &State, action: &Action) -> Verdict<()> {
    let table = &state.table;
    if let Hand::Exposed(_) = state.hand {
        return match action {
            Action::OpportunityFire | Action::Decline => Ok(()),
            _ => Err(Refusal::rule(rule!(DZ_4_1_1_05), phrase::danzig::NOT_NOW)),
        };
    }
    match (state.phase, *action) {
        (Phase::Mine, Action::ExplodeMine) => {
            if rule!(DZ_8_0_04).holds(siege::mine_is_ripe(table)) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_8_0_04), phrase::danzig::MINE_NOT_RIPE))
            }
        }
        (Phase::Mortars, Action::FireMortar { mortar }) => siege::check_mortar(table, mortar),
        (Phase::Guns, Action::FireSiegeGun { gun, target }) => siege::check_gun_shot(table, gun, target),
        (Phase::Repair, Action::Build(build)) if build.is_repair() => siege::check_build(table, &build),
        (Phase::Build, Action::Build(build)) => {
            let waits = !matches!(build, siege::Build::Remove { .. }) && repairs_come_first(state);
            if !rule!(DZ_4_8_04).holds(!(build.is_repair() || waits)) {
                return Err(Refusal::rule(rule!(DZ_4_8_04), phrase::danzig::REPAIRS_COME_FIRST));
            }
            siege::check_build(table, &build)
        }
        (Phase::Enfilade, Action::EnfiladeFire { work }) => {
            if rule!(DZ_4_5_3_02).holds(state.enfiladed.contains(work)) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_4_5_3_02), phrase::danzig::NOT_ENFILADED))
            }
        }
        (Phase::SiegeMove, Action::SiegeMove(siege_move)) => siege::check_move(table, &siege_move),
        (Phase::Assault, Action::Assault(assault)) => siege::check_assault(table, &assault),
        (_, Action::EndPhase) => Ok(()),
        _ => Err(Refusal::rule(rule!(DZ_2_4_01), phrase::danzig::NOT_NOW)),
    }
}

/// Whether new works have to wait because a repair that could be made was not (DZ-R56, by option).
/// Nobody must spend points: he who repairs nothing builds nothing either.
fn repairs_come_first(state: &State) -> bool {
    let mut any = false;
    if state.table.options.repair_before_building == RepairBeforeBuilding::Compulsory {
        siege::list_repairs(&state.table, |_| any = true);
    }
    any
}

/// Does it; true when the phase is over.
pub(crate) fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
    let table = &mut state.table;
    match *action {
        Action::ExplodeMine => {
            siege::explode_mine(table, clerk);
            return true;
        }
        Action::FireMortar { mortar } => siege::fire_mortar(table, mortar, clerk),
        Action::FireSiegeGun { gun, target } => siege::fire_gun(table, gun, target, clerk),
        Action::Build(build) => state.hand = Hand::Exposed(siege::begin_build(table, &build, clerk)),
        Action::EnfiladeFire { work } => {
            state.enfiladed.remove(work);
            siege::enfilade_shot(table, work, clerk);
        }
        Action::SiegeMove(siege_move) => {
            state.hand = Hand::Exposed(siege::begin_move(table, &siege_move, clerk));
        }
        Action::Assault(assault) => state.hand = Hand::Exposed(siege::begin_assault(table, &assault, clerk)),
        Action::OpportunityFire => {
            if let Hand::Exposed(mut exposure) = state.hand {
                siege::exposed_shot(table, &mut exposure, clerk);
                state.hand = Hand::Exposed(exposure);
            }
        }
        Action::Decline => {
            if let Hand::Exposed(mut exposure) = state.hand {
                siege::waive_shot(table, &mut exposure);
                state.hand = Hand::Exposed(exposure);
            }
        }
        _ => return true,
    }
    false
}

/// Whoever has come through the fire does what he set out for; true if somebody has.
pub(crate) fn settle(state: &mut State, clerk: &mut impl Clerk) -> bool {
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

/// The siege actions of a turn begin: nobody has moved, fired, worked or stormed yet.
pub(crate) fn begin(state: &mut State, clerk: &mut impl Clerk) -> Phase {
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

/// Goes on from a phase of the French siege actions.
pub(crate) fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    match state.phase {
        Phase::Mine => Phase::Mortars,
        Phase::Mortars => {
            clerk.applied(rule!(DZ_2_4_1_01));
            Phase::Guns
        }
        Phase::Guns => begin_construction(state, clerk),
        Phase::Repair => clerk.rather(rule!(DZ_4_7_2_17), Phase::Build, Phase::Enfilade),
        Phase::Build => {
            let left = state.table.danzig.construction;
            if left > 0 {
                state.table.danzig.construction = clerk.rather(rule!(DZ_4_7_2_11), 0, left);
            }
            state.table.danzig.may_build = false;
            state.enfiladed = siege::enfiladed(&state.table);
            if !state.enfiladed.is_empty() {
                state.enfiladed =
                    clerk.rather(rule!(DZ_4_5_3_01), state.enfiladed, siege::WorkSet::default());
            }
            Phase::Enfilade
        }
        Phase::Enfilade => clerk.rather(rule!(DZ_2_4_3_01), Phase::SiegeMove, Phase::Assault),
        Phase::SiegeMove => {
            clerk.applied(rule!(DZ_2_4_4_01));
            Phase::Assault
        }
        Phase::Assault => {
            siege::end_assaults(&mut state.table, clerk);
            if clerk.holds(rule!(DZ_2_4_5_01), true) {
                siege::rally(&mut state.table, Side::French, clerk);
            }
            clerk.applied(rule!(DZ_2_5_1_01));
            clerk.rather(rule!(DZ_2_5_01), Phase::GarrisonMove, Phase::BatteryFire)
        }
        phase => phase,
    }
}

/// Demolitions; then ten points, if there is infantry in the concentration area to spend them.
fn begin_construction(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    siege::demolitions(&mut state.table, clerk);
    let workers = state
        .table
        .at(Side::French, Place::Concentration)
        .any(|unit| unit.data().arm == Arm::Infantry && !state.table.unit(unit).is_disordered());
    state.table.danzig.may_build = workers;
    state.table.danzig.construction = if workers { siege::CONSTRUCTION_POINTS } else { 0 };
    clerk.rather(rule!(DZ_2_4_2_01), Phase::Repair, Phase::SiegeMove)
}
