//! How a sensible player plays: goals, plans and the worth of what is offered, for both sides. It sees
//! what its side sees, which in this game is the whole table, and asks the rules what is legal; it never
//! sees dice to come. Where it has nothing to do it ends the step or passes.

mod debts;
mod field;
mod fight;
mod french;
mod march;
mod prussian;
mod search;

use kernel::{Game as _, Live};
use opponent::Planner;

use crate::action::Action;
use crate::ops::Hex;
use crate::siege::{GROUND, Spot, WallId, WorkId};
use crate::state::{Hand, Phase, State, Table};
use crate::unit::{Arm, Place, Side, UnitId};
use crate::view::View;

impl Planner for State {
    fn plan(side: Side, view: &View, offered: &[Action], _: &mut Live) -> Action {
        Mind { state: &view.state, side, offered }.decide()
    }
}

/// What a player has before him: the table, his side and what is offered to him.
pub(crate) struct Mind<'v> {
    pub(crate) state: &'v State,
    pub(crate) side: Side,
    pub(crate) offered: &'v [Action],
}

impl Mind<'_> {
    fn decide(&self) -> Action {
        if self.offered.len() == 1 {
            return self.offered[0];
        }
        if let Some(owed) = self.table().owed.last() {
            return debts::settle(self, *owed);
        }
        match (self.state.phase, self.state.hand) {
            (_, Hand::Leaving { .. } | Hand::Running { .. }) => fight::opportunity(self),
            (_, Hand::Charged { .. }) => fight::charged(self),
            // Whoever is in the open is fired at: the shot costs nothing.
            (_, Hand::Exposed(_)) => self.first(|action| *action == Action::OpportunityFire),
            (Phase::DefensiveFire | Phase::Fire, _) => fight::fire(self),
            (Phase::Melee, _) => fight::melee(self),
            _ if self.side == Side::French => french::decide(self),
            _ => prussian::decide(self),
        }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.state.table
    }

    /// Whether this order is legal now.
    pub(crate) fn allows(&self, action: &Action) -> bool {
        self.offered.binary_search(action).is_ok() || self.state.validate(self.side, action).is_ok()
    }

    /// To let it be: the end of the step, a pass, no shot; where there is no such thing, the first order.
    pub(crate) fn rest(&self) -> Action {
        self.first(|action| {
            matches!(action, Action::EndPhase | Action::Pass | Action::Decline | Action::PutDown)
        })
    }

    /// The first order of this kind; else the first of all.
    pub(crate) fn first(&self, wanted: impl Fn(&Action) -> bool) -> Action {
        self.offered.iter().copied().find(|action| wanted(action)).unwrap_or(self.offered[0])
    }

    /// The order that is worth most, if any is worth anything; of equals the first.
    pub(crate) fn best(&self, worth: impl Fn(&Action) -> Option<i32>) -> Option<Action> {
        let mut best: Option<(i32, Action)> = None;
        for action in self.offered {
            if let Some(worth) = worth(action)
                && best.is_none_or(|(most, _)| worth > most)
            {
                best = Some((worth, *action));
            }
        }
        best.map(|(_, action)| action)
    }

    /// The best of what is offered, or nothing at all.
    pub(crate) fn best_or_rest(&self, worth: impl Fn(&Action) -> Option<i32>) -> Action {
        self.best(worth).unwrap_or_else(|| self.rest())
    }

    /// The hex a counter stands on.
    pub(crate) fn hex_of(&self, unit: UnitId) -> Option<Hex> {
        match self.table().unit(unit).place {
            Place::Hex(hex) => Some(hex),
            _ => None,
        }
    }

    /// The hexes on which the enemy stands, outside city and fort.
    pub(crate) fn enemies(&self) -> impl Iterator<Item = (UnitId, Hex)> {
        UnitId::of_side(self.side.other()).filter_map(|unit| Some((unit, self.hex_of(unit)?)))
    }

    /// Infantry of a side on the siege map that is in order.
    pub(crate) fn infantry(&self, side: Side) -> impl Iterator<Item = UnitId> {
        UnitId::of_side(side).filter(|unit| {
            let counter = self.table().unit(*unit);
            unit.data().arm == Arm::Infantry && counter.place.is_siege() && !counter.is_disordered()
        })
    }

    /// Metres from a work to a wall point; far away if there is no such work.
    pub(crate) fn metres(&self, work: WorkId, point: WallId) -> i32 {
        self.table().siege.work(work).map_or(i32::MAX, |work| metres(work.pose.at, GROUND.point(point)))
    }
}

/// Metres between two spots.
pub(crate) fn metres(a: Spot, b: Spot) -> i32 {
    i32::try_from(a.fine().centimetres_to(b.fine()) / 100).unwrap_or(i32::MAX)
}
