//! The machine's doctrine (section 10 of the game page). Every unit has a purpose, every order that is
//! offered a worth: what it brings its units nearer to their purpose, what a fight promises, what a shot is
//! good for. The best is given; to let things be is worth nothing, and is done when nothing is worth more.

mod command;
mod fight;
mod fire;
mod purpose;

use kernel::Live;
use opponent::{Planner, any_of};

use super::state::{Place, Table, Unit};
use super::{Action, State, UnitId, View, candidates};
use crate::scenario::{Scenario, Side};

/// What is done whatever else there is.
const AT_ONCE: i64 = 1_000_000;
/// What is left undone.
const NEVER: i64 = -1_000_000;

/// A side's staff: what it sees, and for whom it plans.
struct Staff<'a> {
    state: &'a State,
    table: &'a Table,
    side: Side,
}

impl Planner for State {
    fn plan(side: Side, view: &View, offered: &[Action], stream: &mut Live) -> Action {
        let staff = Staff::of(side, &view.state);
        staff.best(offered).map_or_else(|| any_of(offered, stream).clone(), |(_, action)| action)
    }
}

impl<'a> Staff<'a> {
    const fn of(side: Side, state: &'a State) -> Self {
        Self { state, table: &state.table, side }
    }

    /// The best of what is offered, and of what the staff thinks of itself, with its worth.
    fn best(&self, offered: &[Action]) -> Option<(i64, Action)> {
        let mut best: Option<(i64, Action)> = None;
        let mut keep = |worth: i64, action: &Action| {
            if best.as_ref().is_none_or(|(known, _)| worth > *known) {
                best = Some((worth, action.clone()));
            }
        };
        let is_order = |action: &&Action| matches!(action, Action::Order(_));
        for action in offered.iter().filter(|action| !is_order(action)) {
            keep(self.worth(action), action);
        }
        if let Some((worth, order)) = self.best_order(offered.iter().filter(is_order)) {
            keep(worth, order);
        }
        self.own_moves(offered, &mut |action| keep(self.worth(action), action));
        best
    }

    /// What an order is worth. A full move towards a purpose, and a stand, are about 100 each.
    fn worth(&self, action: &Action) -> i64 {
        match action {
            // Before the first turn: the ready-made army where the ready-made set-up has it.
            Action::TakeDefaultArmy | Action::PlaceTheRest | Action::DeployTheRest => AT_ONCE,
            Action::DeclareSide(slot) => {
                // The entrance on the side of those who want in.
                let door = self.table.plan().elements.first().and_then(|tower| tower.slot(*slot));
                door.map_or(NEVER, |(front, _)| -front.y)
            }
            Action::DeployCharacter { character, place } => self.seat(*character, *place),
            Action::BuyUnit { .. }
            | Action::BuyItem(_)
            | Action::RemoveUnit(_)
            | Action::RemoveItem(_)
            | Action::GiveUpWorks
            | Action::HoldBack(_)
            | Action::LeaveOut(_)
            | Action::PickUnit(_) => NEVER,

            // Command.
            Action::InitiativeCharge(charge) | Action::Charge(charge) | Action::AdvanceCharge(charge) => {
                self.attack(charge)
            }
            Action::RamAdvance(charge) => charge.as_ref().map_or(0, |charge| self.attack(charge)),
            Action::InitiativeMachine { .. } => 500,
            Action::TakeCommand(character) => self.call(*character),
            Action::Infiltrate { .. } => 60,
            Action::March(moves) => moves.iter().map(|step| self.gain(step)).sum(),
            Action::RamMarch(step) => 40 + self.gain(step),
            Action::Climb { elements, .. } => 300 + 100 * i64::try_from(elements.len()).unwrap_or(0),
            Action::Exit(_) => AT_ONCE,
            Action::MoveCharacter { character, to } => self.ride(*character, *to),
            Action::HomeBack { .. } => 10,
            Action::Abandon(unit) => self.leaving(*unit),
            // An engine keeps the corridor it was laid for.
            Action::InitiativeEvade { .. } | Action::TurnEngine { .. } => NEVER,

            // Shooting.
            Action::Shoot { unit, target } => self.shot(*unit, *target),
            Action::Bombard { element, leaf, .. } => self.bombardment(*element, *leaf),
            Action::NameTarget(unit) => -self.price(*unit),
            Action::MakeWay(yes) => i64::from(*yes),

            // Combat.
            Action::Dig { works, .. } => self.digging(works),
            Action::Ram(_) => 200,
            Action::React { unit, answer } => self.reaction(*unit, *answer),
            Action::RemoveStand(at) => self.loss(*at),
            Action::FallBack(step) => self.gain(step),
            Action::Stand(unit) => self.standing(*unit),
            Action::Pursue(unit) => self.pursuit(*unit),
            Action::Continue => 50,
            Action::Advance(_) => 10,
            Action::Reform { .. } => -10,
            Action::Escape(unit) => self.price(*unit),
            _ => 0,
        }
    }

    /// Moves that the list does not have: assaults on as many sections as a unit can attack, and marches
    /// straight for the purpose of the unit, or of the brigade, in hand.
    fn own_moves(&self, offered: &[Action], weigh: &mut impl FnMut(&Action)) {
        if !matches!(self.state.steps.last(), Some(super::Step::Move)) {
            return;
        }
        for action in offered {
            if let Action::Charge(charge) = action {
                for wider in self.wider(charge) {
                    weigh(&Action::Charge(wider));
                }
            }
        }
        let waiting = &self.state.hand.waiting;
        let Some((first, unit)) = waiting.first().and_then(|&id| Some((id, self.table.unit(id)?))) else {
            return;
        };
        let Some(goal) = self.goal(first, unit) else { return };
        candidates::towards_goal(self.state, waiting, goal, &mut |moves| {
            let march = Action::March(moves);
            if kernel::Game::validate(self.state, self.side, &march).is_ok() {
                weigh(&march);
            }
            true
        });
    }

    /// Its units that can be given orders.
    fn own(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.table.of_side(self.side).filter(|(_, unit)| unit.is_on_table())
    }

    /// The enemy's units on the table.
    fn enemies(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.table.of_side(self.side.other()).filter(|(_, unit)| unit.is_on_table())
    }

    /// What a unit is worth: its stands, more if they fight well.
    fn price(&self, id: UnitId) -> i64 {
        self.table.unit(id).map_or(0, |unit| {
            i64::from(unit.strength())
                * (60 + 20 * i64::from(unit.profile().attack.max(unit.profile().shots)))
        })
    }

    /// Which stand is lost: one that touches nobody, from the rear.
    fn loss(&self, at: u8) -> i64 {
        let unit = match self.state.steps.last() {
            Some(super::Step::Casualty(id, _) | super::Step::SplitChoice(id)) => self.table.unit(*id),
            _ => None,
        };
        let Some(stand) = unit.and_then(|unit| unit.stands.get(usize::from(at))) else { return 0 };
        let posted = i64::from(stand.post.is_some());
        let aloft = i64::from(!matches!(stand.place, Place::Ground { .. }));
        i64::from(at) - 10 * posted - 5 * aloft
    }

    fn is_siege(&self) -> bool {
        self.table.scenario == Scenario::Keep
    }
}
