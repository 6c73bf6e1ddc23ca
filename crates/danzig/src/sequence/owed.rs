//! Decisions that a result leaves to a player and that come before everything else: whose steps are
//! lost (4.5.2), where a battery goes that has lost its point (4.8), where surplus steps go after an
//! assault (4.8), who stays after a counter-attack (4.9).

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::ops;
use crate::setup::FACINGS;
use crate::siege::{self, WallId};
use crate::state::{Owed, State, Table};
use crate::unit::{Place, Side, UnitId};

/// Who decides what is owed, if anything is.
pub(crate) fn decider(state: &State) -> Option<Side> {
    state.table.owed.last().map(|owed| match owed {
        Owed::Losses { side, .. } => *side,
        Owed::Battery(_) | Owed::Occupier { .. } => Side::Prussian,
        Owed::Excess(_) => Side::French,
    })
}

/// Whether a unit may lose one of the steps owed: guns only when nobody else is there.
fn may_lose(table: &Table, side: Side, place: Place, unit: UnitId) -> bool {
    let there = |other: &UnitId| table.unit(*other).place == place && table.unit(*other).steps > 0;
    unit.side() == side
        && there(&unit)
        && (!unit.data().arm.is_artillery()
            || !table.at(side, place).any(|other| !other.data().arm.is_artillery() && there(&other)))
}

pub(crate) fn list(state: &State, into: &mut Vec<Action>) {
    let table = &state.table;
    match table.owed.last() {
        Some(Owed::Losses { side, place: Place::Hex(hex), .. }) => {
            ops::list_losses(table, *side, *hex, |unit| into.push(Action::TakeLoss { unit }));
        }
        Some(Owed::Losses { side, place, .. }) => into.extend(
            table
                .at(*side, *place)
                .filter(|unit| may_lose(table, *side, *place, *unit))
                .map(|unit| Action::TakeLoss { unit }),
        ),
        Some(Owed::Battery(battery)) => {
            let battery = *battery;
            for point in
                WallId::all().filter(|point| siege::check_battery_place(table, battery, *point).is_ok())
            {
                into.extend(FACINGS.map(|facing| Action::DisplaceBattery { battery, point, facing }));
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
        (Some(Owed::Losses { side, place: Place::Hex(hex), .. }), Action::TakeLoss { unit }) => {
            ops::check_loss(table, *side, *hex, unit)
        }
        (Some(Owed::Losses { side, place, .. }), Action::TakeLoss { unit }) => {
            if may_lose(table, *side, *place, unit) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_R43), phrase::danzig::NOT_IN_THE_STACK)
                    .with("unit", unit.data().label))
            }
        }
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
        (Owed::Losses { side, place, steps }, Action::TakeLoss { unit }) => {
            if let Place::Hex(_) = place {
                ops::take_loss(table, unit, clerk);
            } else {
                clerk.applied(rule!(DZ_R43));
                siege::lose_step(table, unit, clerk);
            }
            let left = table.at(side, place).any(|other| may_lose(table, side, place, other));
            if steps > 1 && left {
                table.owed.push(Owed::Losses { side, place, steps: steps - 1 });
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
