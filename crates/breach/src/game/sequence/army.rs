//! Lists are written (section 3.1 of the game page): the side that deploys first, then the other; in the
//! open or in secret.

use kernel::{Clerk, Desk, Refusal, Scripted, Silent, Verdict};
use rulebook::options::breach::{ArmyChoice, ReliefForce};
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;

use crate::lists::{self, Line, Ware};
use crate::roster::Muster;
use crate::scenario::{Scenario, Side};

use super::super::action::Action;
use super::super::muster::{ArmyList, Bought, MOST_CHANGES, enlist};
use super::super::plan::seat;
use super::super::state::{State, Step};
use super::Opened;

impl State {
    /// The side that writes, and deploys, first.
    pub(super) fn first_to_write(scenario: Scenario) -> Side {
        match scenario {
            Scenario::Watchtower | Scenario::Help => Side::Besieger,
            Scenario::Keep => Side::Garrison,
        }
    }

    /// Whether a side writes a list of its own.
    fn writes(&self, side: Side) -> bool {
        let options = &self.table.options;
        if self.table.scenario == Scenario::Help && side == Side::Garrison {
            // The relief force is named by the scenario, or another is written whatever the choice.
            return rule!(BR_R95).holds(options.relief_force == ReliefForce::Substitute);
        }
        rule!(BR_R72).holds(options.army_choice != ArmyChoice::ReadyMade)
    }

    pub(super) fn open_army(&mut self, side: Side) -> Opened {
        let list = &mut self.lists[seat(side)];
        if !list.done {
            if self.writes(side) {
                return Opened::Ask(side);
            }
            self.lists[seat(side)].done = true;
        }
        let other = side.other();
        if !self.lists[seat(other)].done {
            return self.next(Step::Army(other));
        }
        for side in [Side::Garrison, Side::Besieger] {
            let list = self.lists[seat(side)].clone();
            enlist(&mut self.table, side, &list);
        }
        self.next(Step::TowerSide)
    }

    fn reckoned(&self, side: Side, list: &ArmyList) -> Muster {
        let mut quiet = Desk::new(Scripted::new(&[]), Silent);
        list.reckoned(self.table.scenario, side, self.earlier(), &self.table.options, &mut quiet)
    }

    pub(super) fn list_army(&self, side: Side, into: &mut Vec<Action>) {
        into.push(Action::TakeDefaultArmy);
        let list = &self.lists[seat(side)];
        let now = self.reckoned(side, list);
        if now.legal {
            into.push(Action::ArmyDone);
        }
        if list.changes >= MOST_CHANGES {
            return;
        }
        for bought in Self::wares(side) {
            let mut after = list.clone();
            after.lines.push(bought);
            if ArmyList::worse(&now, &self.reckoned(side, &after)).is_ok() {
                into.push(Action::BuyUnit { line: bought.line, attached: bought.attached });
            }
        }
        for ware in Ware::all() {
            let mut after = list.clone();
            after.items.push(ware.item);
            if ArmyList::worse(&now, &self.reckoned(side, &after)).is_ok() {
                into.push(Action::BuyItem(ware.item));
            }
        }
        let mut known: Vec<Bought> = Vec::new();
        for (at, bought) in list.lines.iter().enumerate().rev() {
            if !known.contains(bought)
                && into.len() < 52
                && let Ok(at) = u8::try_from(at)
            {
                known.push(*bought);
                into.push(Action::RemoveUnit(at));
            }
        }
        let mut items = list.items.clone();
        items.sort_unstable();
        items.dedup();
        into.extend(items.into_iter().map(Action::RemoveItem));
        into.truncate(64);
    }

    /// Everything a side might buy as a unit, with what may be attached to it.
    fn wares(side: Side) -> impl Iterator<Item = Bought> {
        let army = side.army();
        let borne = move |line: Line| {
            army.ties()
                .filter(move |tie| tie.relation == lists::Relation::BorneBy && tie.other == line)
                .map(|tie| Some(tie.line))
        };
        army.list()
            .iter()
            .filter(move |entry| {
                !army.ties().any(|tie| tie.relation == lists::Relation::BorneBy && tie.line == entry.line)
            })
            .flat_map(move |entry| {
                std::iter::once(None)
                    .chain(borne(entry.line))
                    .map(|attached| Bought { line: entry.line, attached })
            })
    }

    /// Why something is not bought.
    pub(super) fn why_not_bought(&self, action: &Action) -> Refusal {
        let Some(Step::Army(side)) = self.steps.last() else { return Refusal::plain(phrase::NOT_NOW) };
        let list = &self.lists[seat(*side)];
        if rule!(BR_R104).holds(list.changes >= MOST_CHANGES) {
            return Refusal::rule(rule!(BR_R104), phrase::LIST_CHANGED_ENOUGH);
        }
        let mut after = list.clone();
        match action {
            Action::BuyUnit { line, attached } => {
                let bought = Bought { line: *line, attached: *attached };
                if !Self::wares(*side).any(|ware| ware == bought) {
                    return Refusal::rule(rule!(BR_R08), phrase::LIST_WOULD_BREAK).with("what", line.id());
                }
                after.lines.push(bought);
            }
            Action::BuyItem(item) => after.items.push(*item),
            Action::ArmyDone => {
                let fault = self.reckoned(*side, list).violations.into_iter().next();
                return fault.map_or_else(
                    || Refusal::plain(phrase::NOT_NOW),
                    |fault| {
                        Refusal::rule(fault.rule, phrase::LIST_NOT_LEGAL)
                            .with("what", fault.line.unwrap_or(""))
                    },
                );
            }
            _ => return Refusal::plain(phrase::NOT_NOW),
        }
        let verdict: Verdict<()> =
            ArmyList::worse(&self.reckoned(*side, list), &self.reckoned(*side, &after));
        verdict.err().unwrap_or_else(|| Refusal::plain(phrase::NOT_NOW))
    }

    /// Changes the list in hand.
    pub(super) fn write(&mut self, action: &Action, clerk: &mut impl Clerk) {
        let Some(Step::Army(side)) = self.steps.last() else { return };
        let list = &mut self.lists[seat(*side)];
        match action {
            Action::BuyUnit { line, attached } => {
                list.lines.push(Bought { line: *line, attached: *attached });
            }
            Action::RemoveUnit(at) if usize::from(*at) < list.lines.len() => {
                list.lines.remove(usize::from(*at));
            }
            Action::BuyItem(item) => list.items.push(*item),
            Action::RemoveItem(item) => {
                if let Some(at) = list.items.iter().rposition(|known| known == item) {
                    list.items.remove(at);
                }
            }
            Action::TakeDefaultArmy => {
                *list = ArmyList { changes: list.changes, done: true, ..ArmyList::default() };
                clerk.applied(rule!(BR_R72));
                return;
            }
            Action::ArmyDone => {
                list.done = true;
                return;
            }
            _ => return,
        }
        list.changes += 1;
    }
}
