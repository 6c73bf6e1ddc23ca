//! Decisions that a result leaves to a player and that come before everything else, one after the other:
//! whose steps are lost (4.5.2), where to a broken unit falls back (3.6), whether skirmishers give way
//! (series rules 4), who occupies a hex won in melee (series rules 11), where a battery goes that has lost
//! its point (4.8), where surplus steps go after an assault (4.8), who stays after a counter-attack (4.9).

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::ops::{self, Hex};
use crate::siege::{self, WallId};
use crate::state::{Hand, Owed, State, Table};
use crate::unit::{Place, Side, UnitId, UnitSet};

/// Something owed, with what is known of it: a [`Decision`](super::Decision) of its own.
trait Debt {
    /// Who decides.
    fn decider(&self, state: &State) -> Side;
    /// What he may choose.
    fn offer(&self, table: &Table, into: &mut Vec<Action>);
    /// Whether he may choose this.
    fn check(&self, table: &Table, action: &Action) -> Verdict<()>;
    /// What his choice does; the debt is taken off already.
    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk);
}

/// Calls a function of the debt that comes first.
macro_rules! first_debt {
    ($owed:expr, $call:ident($($given:expr),*)) => {
        match $owed {
            Owed::Losses { side, among, steps } => Losses { side, among, steps }.$call($($given),*),
            Owed::Retreat { unit, cause } => Retreat { unit, cause }.$call($($given),*),
            Owed::GiveWay(unit) => GiveWay(unit).$call($($given),*),
            Owed::Occupy { hex, victors } => Occupy { hex, victors }.$call($($given),*),
            Owed::Battery(battery) => Battery(battery).$call($($given),*),
            Owed::Excess(point) => Excess(point).$call($($given),*),
            Owed::Occupier { target, from, won } => Occupier { target, from, won }.$call($($given),*),
        }
    };
}

/// Who decides what is owed, if anything is.
pub(super) fn decider(state: &State) -> Option<Side> {
    let owed = state.table.owed.last().copied()?;
    Some(first_debt!(owed, decider(state)))
}

/// What he may choose.
pub(super) fn offer(state: &State, into: &mut Vec<Action>) {
    if let Some(owed) = state.table.owed.last().copied() {
        first_debt!(owed, offer(&state.table, into));
    }
}

/// Whether he may choose this.
pub(super) fn check(state: &State, action: &Action) -> Verdict<()> {
    match state.table.owed.last().copied() {
        Some(owed) => first_debt!(owed, check(&state.table, action)),
        None => Ok(()),
    }
}

/// His choice is carried out; afterwards the interrupted phase goes on.
pub(super) fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) {
    if let Some(owed) = state.table.owed.pop() {
        first_debt!(owed, pay(state, action, clerk));
    }
}

/// What is owed and leaves no choice is settled at once.
pub(super) fn settle(state: &mut State, clerk: &mut impl Clerk) {
    let mut offered = Vec::new();
    while let Some(owed) = state.table.owed.last().copied() {
        offered.clear();
        offer(state, &mut offered);
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

/// 4.5.2: the owner takes the steps he has lost, one by one.
struct Losses {
    side: Side,
    among: UnitSet,
    steps: u8,
}

impl Debt for Losses {
    fn decider(&self, _: &State) -> Side {
        self.side
    }

    fn offer(&self, table: &Table, into: &mut Vec<Action>) {
        into.extend(ops::exposed(table, self.among).iter().map(|unit| Action::TakeLoss { unit }));
    }

    fn check(&self, table: &Table, action: &Action) -> Verdict<()> {
        match *action {
            Action::TakeLoss { unit } if rule!(DZ_R43).holds(ops::exposed(table, self.among).has(unit)) => {
                Ok(())
            }
            Action::TakeLoss { unit } => Err(Refusal::rule(rule!(DZ_R43), phrase::danzig::NOT_IN_THE_STACK)
                .with("unit", unit.data().label)),
            _ => Err(Refusal::rule(rule!(DZ_R43), phrase::danzig::LOSSES_FIRST)),
        }
    }

    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk) {
        let Action::TakeLoss { unit } = *action else { return };
        let table = &mut state.table;
        if let Place::Hex(_) = table.unit(unit).place {
            ops::take_loss(table, unit, clerk);
        } else {
            clerk.applied(rule!(DZ_R43));
            siege::lose_step(table, unit, clerk);
        }
        if self.steps > 1 {
            let Self { side, among, steps } = *self;
            table.owed.push(Owed::Losses { side, among, steps: steps - 1 });
        }
    }
}

/// 3.6: a broken unit falls back to one of two goals at the same distance.
struct Retreat {
    unit: UnitId,
    cause: ops::Cause,
}

impl Debt for Retreat {
    fn decider(&self, _: &State) -> Side {
        self.unit.side()
    }

    fn offer(&self, table: &Table, into: &mut Vec<Action>) {
        let unit = self.unit;
        let goals = ops::retreat_goals(table, unit).into_iter();
        into.extend(goals.map(|goal| Action::Retreat { unit, goal: Some(goal) }));
    }

    fn check(&self, table: &Table, action: &Action) -> Verdict<()> {
        let legal = matches!(*action, Action::Retreat { unit, goal: Some(goal) }
            if unit == self.unit && ops::retreat_goals(table, unit).contains(&goal));
        if legal {
            return Ok(());
        }
        Err(Refusal::rule(rule!(DZ_3_6_02), phrase::danzig::NO_SUCH_RETREAT)
            .with("unit", self.unit.data().label))
    }

    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk) {
        if let Action::Retreat { goal, .. } = *action {
            ops::fall_back_to(&mut state.table, self.unit, self.cause, goal, clerk);
        }
    }
}

/// Series rules 4: skirmishers give way before a melee, or stand.
struct GiveWay(UnitId);

impl Debt for GiveWay {
    fn decider(&self, _: &State) -> Side {
        self.0.side()
    }

    fn offer(&self, table: &Table, into: &mut Vec<Action>) {
        let ways = ops::ways_to_give(table, self.0).into_iter().map(Some);
        into.extend(ways.chain([None]).map(|to| Action::GiveWay { unit: self.0, to }));
    }

    fn check(&self, table: &Table, action: &Action) -> Verdict<()> {
        match *action {
            Action::GiveWay { unit, to: Some(hex) }
                if unit == self.0 && !ops::ways_to_give(table, unit).contains(&hex) =>
            {
                Err(ops::Bar::CannotGiveWay.into())
            }
            Action::GiveWay { unit, .. } if unit == self.0 => Ok(()),
            _ => Err(ops::Bar::SkirmishersFirst.into()),
        }
    }

    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk) {
        if let Action::GiveWay { unit, to: Some(to) } = *action {
            ops::give_way(&mut state.table, unit, to, clerk);
        }
    }
}

/// Series rules 11: the victors of a melee move into the hex they have won, or stay.
struct Occupy {
    hex: Hex,
    victors: UnitSet,
}

impl Debt for Occupy {
    fn decider(&self, state: &State) -> Side {
        state.clock.phasing
    }

    fn offer(&self, table: &Table, into: &mut Vec<Action>) {
        let ways = ops::ways_to_occupy(table, self.victors, self.hex).into_iter().map(Some);
        into.extend(ways.chain([None]).map(|from| Action::Occupy { from }));
    }

    fn check(&self, table: &Table, action: &Action) -> Verdict<()> {
        match *action {
            Action::Occupy { from: Some(from) }
                if !ops::ways_to_occupy(table, self.victors, self.hex).contains(&from) =>
            {
                Err(ops::Bar::NoAdvance.into())
            }
            Action::Occupy { .. } => Ok(()),
            _ => Err(ops::Bar::VictorsFirst.into()),
        }
    }

    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk) {
        if let (Action::Occupy { from: Some(from) }, Hand::Fighting(clash)) = (*action, &mut state.hand) {
            clash.occupy(&mut state.table, from, clerk);
        }
    }
}

/// 4.8: a battery that has lost its point goes to another.
struct Battery(UnitId);

impl Debt for Battery {
    fn decider(&self, _: &State) -> Side {
        Side::Prussian
    }

    fn offer(&self, table: &Table, into: &mut Vec<Action>) {
        let battery = self.0;
        for point in WallId::all().filter(|point| siege::check_battery_place(table, battery, *point).is_ok())
        {
            let facings = siege::facings(table, Place::Wall(point)).into_iter();
            into.extend(facings.map(|facing| Action::DisplaceBattery { battery, point, facing }));
        }
    }

    fn check(&self, table: &Table, action: &Action) -> Verdict<()> {
        match *action {
            Action::DisplaceBattery { battery, facing: 360.., .. } if battery == self.0 => {
                Err(Refusal::field("facing", phrase::danzig::NO_SUCH_FACING))
            }
            Action::DisplaceBattery { battery, point, .. } if battery == self.0 => {
                siege::check_battery_place(table, battery, point)
            }
            _ => Err(Refusal::rule(rule!(DZ_R63), phrase::danzig::BATTERY_FIRST)),
        }
    }

    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk) {
        if let Action::DisplaceBattery { battery, point, facing } = *action {
            clerk.applied(rule!(DZ_R63));
            let counter = state.table.unit_mut(battery);
            (counter.place, counter.facing) = (Place::Wall(point), facing);
        }
    }
}

/// 4.8: surplus steps leave a won point for the nearest work with room.
struct Excess(WallId);

impl Debt for Excess {
    fn decider(&self, _: &State) -> Side {
        Side::French
    }

    fn offer(&self, table: &Table, into: &mut Vec<Action>) {
        siege::list_excess(table, self.0, |unit, to| into.push(Action::PlaceExcess { unit, to }));
    }

    fn check(&self, table: &Table, action: &Action) -> Verdict<()> {
        match *action {
            Action::PlaceExcess { unit, to } => siege::check_excess(table, self.0, unit, to),
            _ => Err(Refusal::rule(rule!(DZ_4_8_25), phrase::danzig::SURPLUS_FIRST)),
        }
    }

    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk) {
        if let Action::PlaceExcess { unit, to } = *action {
            siege::place_excess(&mut state.table, self.0, unit, to, clerk);
        }
    }
}

/// 4.9: one unit stays after a counter-attack; after one that was lost, perhaps nobody.
struct Occupier {
    target: WallId,
    from: Place,
    won: bool,
}

impl Debt for Occupier {
    fn decider(&self, _: &State) -> Side {
        Side::Prussian
    }

    fn offer(&self, table: &Table, into: &mut Vec<Action>) {
        into.extend(
            table
                .at(Side::Prussian, self.from)
                .filter(|unit| siege::may_stay(table, self.target, self.from, self.won, *unit))
                .map(|unit| Action::ChooseOccupier { unit: Some(unit) }),
        );
        if !self.won {
            into.push(Action::ChooseOccupier { unit: None });
        }
    }

    fn check(&self, table: &Table, action: &Action) -> Verdict<()> {
        match *action {
            Action::ChooseOccupier { unit: None } if !self.won => Ok(()),
            Action::ChooseOccupier { unit: Some(unit) }
                if siege::may_stay(table, self.target, self.from, self.won, unit) =>
            {
                Ok(())
            }
            Action::ChooseOccupier { .. } => {
                Err(Refusal::rule(rule!(DZ_4_9_24), phrase::danzig::NOT_IN_THE_STACK))
            }
            _ => Err(Refusal::rule(rule!(DZ_4_9_24), phrase::danzig::NOT_NOW)),
        }
    }

    fn pay(&self, state: &mut State, action: &Action, clerk: &mut impl Clerk) {
        if let Action::ChooseOccupier { unit } = *action {
            siege::occupy(&mut state.table, self.target, self.from, self.won, unit, clerk);
        }
    }
}
