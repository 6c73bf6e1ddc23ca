//! Phase 2.5, the Prussian siege actions (chapter 4.9): movement and pivots, fire, repairs and the
//! counter-mine, the sortie, the counter-attack.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::Counterattacks;
use rulebook::{phrase, rule};

use super::{arrivals, end};
use crate::action::Action;
use crate::siege::{self, GarrisonMove};
use crate::state::{Phase, State};
use crate::unit::{Marks, Side, UnitId};

pub(crate) fn list(state: &State, into: &mut Vec<Action>) {
    let table = &state.table;
    into.push(Action::EndPhase);
    match state.phase {
        Phase::GarrisonMove => {
            siege::list_garrison(table, !state.clock.battery_moved, |garrison| {
                into.push(Action::Garrison(garrison));
            });
        }
        Phase::BatteryFire => {
            siege::list_battery_shots(table, |battery, target| {
                into.push(Action::FireBattery { battery, target });
            });
        }
        Phase::WallRepair => siege::list_wall_repairs(table, |point| into.push(Action::RepairWall { point })),
        Phase::LateBatteryRepair => arrivals::list_battery_repairs(table, into),
        Phase::Countermine if siege::may_countermine(table) => into.push(Action::Countermine),
        Phase::Sortie => {
            siege::list_sorties(table, &state.muster, |sortie| into.push(Action::DeclareSortie(sortie)));
            siege::list_sortie_muster(table, &state.muster, |unit| into.push(Action::Muster { unit }));
            into.extend(state.muster.iter().map(|unit| Action::Dismiss { unit }));
        }
        Phase::SortieFire => {
            if let Some(run) = &state.sortie {
                siege::list_field_fire(table, run, |battery, group| {
                    into.push(Action::FieldFire { battery, group });
                });
            }
        }
        Phase::Defenders => {
            if let Some(run) = &state.sortie {
                siege::list_defenders(table, run, |unit, work| {
                    into.push(Action::CommitDefender { unit, work });
                });
            }
        }
        Phase::CounterAttack => {
            siege::list_counterattacks(table, &state.muster, |attack| {
                if check_counterattack(state, &attack).is_ok() {
                    into.push(Action::DeclareCounterAttack(attack));
                }
            });
            let named = UnitId::of_side(Side::Prussian).map(|unit| Action::Muster { unit });
            into.extend(named.filter(|muster| check(state, muster).is_ok()));
            into.extend(state.muster.iter().map(|unit| Action::Dismiss { unit }));
        }
        // Once the melee is being fought nobody fires any more.
        Phase::CounterAttackFire if table.siege.brawl.is_none() => {
            if let Some(attack) = &state.counterattack {
                siege::list_counter_fire(table, attack, |battery| {
                    into.push(Action::CounterAttackFire { battery });
                });
            }
        }
        _ => {}
    }
}

/// One counter-attack a turn, or one for each position by option.
fn check_counterattack(state: &State, attack: &siege::CounterAttack) -> Verdict<()> {
    let made = state.clock.counterattacked;
    let again = match state.table.options.counterattacks {
        Counterattacks::OnePerTurn => made != 0,
        Counterattacks::OnePerPosition => made & (1 << attack.target.index()) != 0,
    };
    if again {
        return Err(Refusal::rule(rule!(DZ_R51), phrase::danzig::ONE_COUNTERATTACK));
    }
    siege::check_counterattack(&state.table, attack)
}

pub(crate) fn check(state: &State, action: &Action) -> Verdict<()> {
    let table = &state.table;
    match (state.phase, *action) {
        (Phase::GarrisonMove, Action::Garrison(garrison)) => {
            siege::check_garrison(table, !state.clock.battery_moved, &garrison)
        }
        (Phase::BatteryFire, Action::FireBattery { battery, target }) => {
            siege::check_battery_shot(table, battery, target)
        }
        (Phase::WallRepair, Action::RepairWall { point }) => siege::check_wall_repair(table, point),
        (Phase::LateBatteryRepair, Action::RepairBattery { battery, point, facing }) => {
            arrivals::check_repair_battery(table, battery, point, facing)
        }
        (Phase::Countermine, Action::Countermine) => {
            if rule!(DZ_8_0_03).holds(siege::may_countermine(table)) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_8_0_03), phrase::danzig::NO_MINE_TO_COUNTER))
            }
        }
        (Phase::Sortie, Action::Muster { unit }) => siege::check_sortie_muster(table, &state.muster, unit),
        (Phase::CounterAttack, Action::Muster { unit }) => {
            siege::check_counter_muster(table, &state.muster, unit, |attack| {
                check_counterattack(state, attack)
            })
        }
        (Phase::Sortie | Phase::CounterAttack, Action::Dismiss { unit }) => {
            if rule!(DZ_4_9_11).holds(state.muster.has(unit)) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_4_9_11), phrase::danzig_siege::NOT_NAMED)
                    .with("unit", unit.data().label))
            }
        }
        (Phase::Sortie, Action::DeclareSortie(sortie)) => siege::check_sortie(table, &sortie),
        (Phase::CounterAttack, Action::DeclareCounterAttack(attack)) => check_counterattack(state, &attack),
        (Phase::SortieFire, Action::FieldFire { battery, group }) => match &state.sortie {
            Some(run) => siege::check_field_fire(table, run, battery, group),
            None => Err(Refusal::rule(rule!(DZ_2_5_01), phrase::danzig::NOT_NOW)),
        },
        (Phase::Defenders, Action::CommitDefender { unit, work }) => match &state.sortie {
            Some(run) => siege::check_defender(table, run, unit, work),
            None => Err(Refusal::rule(rule!(DZ_2_5_01), phrase::danzig::NOT_NOW)),
        },
        (Phase::CounterAttackFire, Action::CounterAttackFire { battery }) => match &state.counterattack {
            Some(attack) => siege::check_counter_fire(table, attack, battery),
            None => Err(Refusal::rule(rule!(DZ_2_5_01), phrase::danzig::NOT_NOW)),
        },
        (_, Action::EndPhase) => Ok(()),
        _ => Err(Refusal::rule(rule!(DZ_2_5_01), phrase::danzig::NOT_NOW)),
    }
}

/// Does it; true when the phase is over.
pub(crate) fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
    let table = &mut state.table;
    match *action {
        Action::Garrison(garrison) => {
            if matches!(garrison, GarrisonMove::Battery { .. }) {
                let moved = clerk.rather(rule!(DZ_4_9_03), true, false);
                state.clock.battery_moved = clerk.rather(rule!(DZ_5_1_06), moved, false);
            }
            siege::garrison_move(table, &garrison, clerk);
            false
        }
        Action::FireBattery { battery, target } => {
            siege::fire_battery(table, battery, target, clerk);
            false
        }
        Action::RepairWall { point } => {
            siege::repair_wall(table, point, clerk);
            true
        }
        Action::RepairBattery { battery, point, facing } => {
            arrivals::repair_battery(table, battery, point, facing, clerk);
            false
        }
        Action::Countermine => {
            siege::countermine(table, clerk);
            true
        }
        Action::Muster { unit } => {
            clerk.applied(match state.phase {
                Phase::Sortie => rule!(DZ_4_9_11),
                _ => rule!(DZ_4_9_21),
            });
            state.muster = state.muster.with(unit).unwrap_or(state.muster);
            false
        }
        Action::Dismiss { unit } => {
            state.muster = state.muster.without(unit);
            false
        }
        Action::DeclareSortie(sortie) => {
            state.muster = siege::Muster::default();
            state.sortie = Some(siege::begin_sortie(table, &sortie, clerk));
            true
        }
        Action::FieldFire { battery, group } => {
            if let Some(run) = &mut state.sortie {
                siege::field_fire(table, run, battery, group, clerk);
            }
            false
        }
        Action::CommitDefender { unit, work } => {
            if let Some(run) = &mut state.sortie {
                siege::commit_defender(table, run, unit, work, clerk);
            }
            false
        }
        Action::DeclareCounterAttack(attack) => {
            state.muster = siege::Muster::default();
            state.clock.counterattacked |= 1 << attack.target.index();
            siege::begin_counterattack(table, &attack, clerk);
            for unit in UnitId::of_side(Side::French) {
                table.unit_mut(unit).marks.clear(Marks::FIRED);
            }
            state.counterattack = Some(attack);
            true
        }
        Action::CounterAttackFire { battery } => {
            if let Some(attack) = state.counterattack {
                siege::counter_fire(table, &attack, battery, clerk);
            }
            false
        }
        _ => {
            state.muster = siege::Muster::default();
            true
        }
    }
}

/// Goes on from a phase of the Prussian siege actions.
pub(crate) fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    match state.phase {
        Phase::GarrisonMove => Phase::BatteryFire,
        Phase::BatteryFire => Phase::WallRepair,
        Phase::WallRepair if !arrivals::repairs_at_once(&state.table.options) => Phase::LateBatteryRepair,
        Phase::WallRepair | Phase::LateBatteryRepair => {
            clerk.rather(rule!(DZ_2_5_5_01), Phase::Countermine, Phase::Sortie)
        }
        Phase::Countermine => Phase::Sortie,
        Phase::Sortie if state.sortie.is_some() => Phase::SortieFire,
        Phase::SortieFire => Phase::Defenders,
        Phase::Defenders | Phase::SortieMelee => {
            if let Some(run) = &mut state.sortie
                && siege::sortie_melee(&mut state.table, run, clerk)
            {
                return Phase::SortieMelee;
            }
            state.sortie = None;
            Phase::CounterAttack
        }
        Phase::Sortie => Phase::CounterAttack,
        Phase::CounterAttack if state.counterattack.is_some() => Phase::CounterAttackFire,
        Phase::CounterAttackFire => {
            if let Some(attack) = state.counterattack {
                siege::counter_melee(&mut state.table, &attack, clerk);
                if state.table.siege.brawl.is_some() {
                    return Phase::CounterAttackFire;
                }
            }
            state.counterattack = None;
            Phase::CounterAttack
        }
        _ => {
            if clerk.holds(rule!(DZ_2_5_6_01), true) {
                siege::rally(&mut state.table, Side::Prussian, clerk);
            }
            end::surrender(state, clerk)
        }
    }
}
