//! Decisions that a result leaves to a player and that come before everything else: whose steps are
//! lost (4.5.2), where to a broken unit falls back (3.6), whether skirmishers give way (series rules 4),
//! who occupies a hex won in melee (series rules 11), where a battery goes that has lost its point
//! (4.8), where surplus steps go after an assault (4.8), who stays after a counter-attack (4.9).

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::ops;
use crate::siege::{self, WallId};
use crate::state::{Hand, Owed, State};
use crate::unit::{Place, Side};

/// Who decides what is owed, if anything is.
pub(crate) fn decider(state: &State) -> Option<Side> {
    state.table.owed.last().map(|owed| match owed {
        Owed::Losses { side, .. } => *side,
        Owed::Retreat { unit, .. } | Owed::GiveWay(unit) => unit.side(),
        Owed::Occupy { .. } => state.clock.phasing,
        Owed::Battery(_) | Owed::Occupier { .. } => Side::Prussian,
        Owed::Excess(_) => Side::French,
    })
}

pub(crate) fn list(state: &State, into: &mut Vec<Action>) {
    let table = &state.table;
    match table.owed.last() {
        Some(Owed::Losses { among, .. }) => {
            into.extend(ops::exposed(table, *among).iter().map(|unit| Action::TakeLoss { unit }));
        }
        Some(Owed::Retreat { unit, .. }) => {
            let goals = ops::retreat_goals(table, *unit).into_iter();
            into.extend(goals.map(|goal| Action::Retreat { unit: *unit, goal: Some(goal) }));
        }
        Some(Owed::GiveWay(unit)) => {
            let ways = ops::ways_to_give(table, *unit).into_iter().map(Some);
            into.extend(ways.chain([None]).map(|to| Action::GiveWay { unit: *unit, to }));
        }
        Some(Owed::Occupy { hex, victors }) => {
            let ways = ops::ways_to_occupy(table, *victors, *hex).into_iter().map(Some);
            into.extend(ways.chain([None]).map(|from| Action::Occupy { from }));
        }
        Some(Owed::Battery(battery)) => {
            let battery = *battery;
            for point in
                WallId::all().filter(|point| siege::check_battery_place(table, battery, *point).is_ok())
            {
                let facings = siege::facings(table, Place::Wall(point)).into_iter();
                into.extend(facings.map(|facing| Action::DisplaceBattery { battery, point, facing }));
            }
        }
        Some(Owed::Excess(point)) => {
            siege::list_excess(table, *point, |unit, to| into.push(Action::PlaceExcess { unit, to }));
        }
        Some(Owed::Occupier { from, won, .. }) => {
            into.extend(
                table
                    .at(Side::Prussian, *from)
                    .filter(|unit| siege::may_stay(table, *from, *won, *unit))
                    .map(|unit| Action::ChooseOccupier { unit: Some(unit) }),
            );
            if !won {
                into.push(Action::ChooseOccupier { unit: None });
            }
        }
        None => {}
    }
}

pub(crate) fn check(state: &State, action: &Action) -> Verdict<()> {
    let table = &state.table;
    match (table.owed.last(), *action) {
        (Some(Owed::Losses { among, .. }), Action::TakeLoss { unit }) => {
            if ops::exposed(table, *among).has(unit) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_R43), phrase::danzig::NOT_IN_THE_STACK)
                    .with("unit", unit.data().label))
            }
        }
        (Some(Owed::Retreat { unit: owed, .. }), Action::Retreat { unit, goal: Some(goal) })
            if *owed == unit && ops::retreat_goals(table, unit).contains(&goal) =>
        {
            Ok(())
        }
        (Some(Owed::GiveWay(owed)), Action::GiveWay { unit, to }) if *owed == unit => match to {
            Some(hex) if !ops::ways_to_give(table, unit).contains(&hex) => {
                Err(ops::Bar::CannotGiveWay.into())
            }
            _ => Ok(()),
        },
        (Some(Owed::Occupy { hex, victors }), Action::Occupy { from }) => match from {
            Some(from) if !ops::ways_to_occupy(table, *victors, *hex).contains(&from) => {
                Err(ops::Bar::NoAdvance.into())
            }
            _ => Ok(()),
        },
        (Some(Owed::Battery(owed)), Action::DisplaceBattery { battery, point, facing })
            if *owed == battery =>
        {
            if facing >= 360 {
                return Err(Refusal::field("facing", phrase::danzig::NO_SUCH_FACING));
            }
            siege::check_battery_place(table, battery, point)
        }
        (Some(Owed::Excess(point)), Action::PlaceExcess { unit, to }) => {
            siege::check_excess(table, *point, unit, to)
        }
        (Some(Owed::Occupier { from, won, .. }), Action::ChooseOccupier { unit }) => match unit {
            None if !won => Ok(()),
            Some(unit) if siege::may_stay(table, *from, *won, unit) => Ok(()),
            _ => Err(Refusal::rule(rule!(DZ_4_9_24), phrase::danzig::NOT_IN_THE_STACK)),
        },
        (Some(Owed::Losses { .. }), _) => Err(Refusal::rule(rule!(DZ_R43), phrase::danzig::LOSSES_FIRST)),
        (Some(Owed::Retreat { unit, .. }), _) => {
            Err(Refusal::rule(rule!(DZ_3_6_02), phrase::danzig::NO_SUCH_RETREAT)
                .with("unit", unit.data().label))
        }
        (Some(Owed::GiveWay(_)), _) => Err(ops::Bar::SkirmishersFirst.into()),
        (Some(Owed::Occupy { .. }), _) => Err(ops::Bar::VictorsFirst.into()),
        (Some(Owed::Battery(_)), _) => Err(Refusal::rule(rule!(DZ_R63), phrase::danzig::BATTERY_FIRST)),
        (Some(Owed::Excess(_)), _) => Err(Refusal::rule(rule!(DZ_4_8_25), phrase::danzig::SURPLUS_FIRST)),
        _ => Err(Refusal::rule(rule!(DZ_4_9_24), phrase::danzig::NOT_NOW)),
    }
}

/// Does it; afterwards the interrupted phase goes on.
pub(crate) fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) {
    let table = &mut state.table;
    let Some(owed) = table.owed.pop() else { return };
    match (owed, *action) {
        (Owed::Losses { side, among, steps }, Action::TakeLoss { unit }) => {
            if let Place::Hex(_) = table.unit(unit).place {
                ops::take_loss(table, unit, clerk);
            } else {
                clerk.applied(rule!(DZ_R43));
                siege::lose_step(table, unit, clerk);
            }
            if steps > 1 {
                table.owed.push(Owed::Losses { side, among, steps: steps - 1 });
            }
        }
        (Owed::Retreat { unit, cause }, Action::Retreat { goal, .. }) => {
            ops::fall_back_to(table, unit, cause, goal, clerk);
        }
        (Owed::GiveWay(_), Action::GiveWay { unit, to: Some(to) }) => ops::give_way(table, unit, to, clerk),
        (Owed::Occupy { .. }, Action::Occupy { from: Some(from) }) => {
            if let Hand::Fighting(clash) = &mut state.hand {
                clash.occupy(table, from, clerk);
            }
        }
        (Owed::Battery(_), Action::DisplaceBattery { battery, point, facing }) => {
            clerk.applied(rule!(DZ_R63));
            let counter = table.unit_mut(battery);
            counter.place = Place::Wall(point);
            counter.facing = facing;
        }
        (Owed::Excess(point), Action::PlaceExcess { unit, to }) => {
            siege::place_excess(table, point, unit, to, clerk);
        }
        (Owed::Occupier { target, from, won }, Action::ChooseOccupier { unit }) => {
            siege::occupy(table, target, from, won, unit, clerk);
        }
        _ => {}
    }
}

/// What is owed and leaves no choice is settled at once.
pub(crate) fn settle(state: &mut State, clerk: &mut impl Clerk) {
    let mut offered = Vec::new();
    while let Some(owed) = state.table.owed.last().copied() {
        offered.clear();
        list(state, &mut offered);
        match (offered.as_slice(), owed) {
            ([], Owed::Battery(battery)) => {
                clerk.applied(rule!(DZ_R63));
                state.table.unit_mut(battery).place = Place::Eliminated;
                state.table.owed.pop();
            }
            ([], Owed::Retreat { unit, cause }) => {
                state.table.owed.pop();
                ops::fall_back_to(&mut state.table, unit, cause, None, clerk);
            }
            ([], _) => {
                state.table.owed.pop();
            }
            ([only], _) => {
                let only = *only;
                perform(state, &only, clerk);
            }
            _ => return,
        }
    }
}
