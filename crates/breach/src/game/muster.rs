//! Lists that players write themselves (section 3.1 of the game page, before units are set up):
//! what is bought, what may be bought, and the units that come of it. The sums are those of
//! [`crate::forces`].

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::breach::Options;
use rulebook::phrase::breach_game as phrase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::forces::{self, Occasion};
use crate::lists::{self, Counts, Line};
use crate::roster::{Muster, Race, Roster, What};
use crate::scenario::{Earlier, Scenario, Side};
use crate::terms::{Arm, Item};

use super::plan::seat;
use super::profile::{Troop, profile};
use super::setup::{self, fresh, shelf};
use super::state::{Casting, Character, Stores, Table, Unit, Whereabouts};

/// A unit or a character of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Bought {
    /// What it is.
    pub line: Line,
    /// Skirmishers, a mount or whatever else it has.
    pub attached: Option<Line>,
}

/// The list of a side. A list that is done and empty is the ready-made army.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArmyList {
    /// Units and characters, in the order they were bought.
    pub lines: Vec<Bought>,
    /// Siege equipment and engines.
    pub items: Vec<lists::Item>,
    /// How often it was changed.
    pub changes: u8,
    /// Whether it is done.
    pub done: bool,
}

/// A list is changed so often at most (BR-R104).
pub(crate) const MOST_CHANGES: u8 = 200;

impl ArmyList {
    fn counts(&self) -> (Counts<Line>, Counts<lists::Item>) {
        let (mut lines, mut items) = (Counts::default(), Counts::default());
        for bought in &self.lines {
            lines.add(bought.line, 1);
            if let Some(attached) = bought.attached {
                lines.add(attached, 1);
            }
        }
        for &item in &self.items {
            items.add(item, 1);
        }
        (lines, items)
    }

    /// What the quartermaster says to it.
    pub(crate) fn reckoned(
        &self,
        scenario: Scenario,
        side: Side,
        earlier: Earlier,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Muster {
        let (lines, equipment) = self.counts();
        let points = |side: Side| forces::ready(scenario, side).points;
        let roster = Roster {
            army: side.army(),
            race: Race::OfTheList,
            role: side.role(scenario),
            points: points(side),
            battle: scenario.battle(),
            lines: &lines,
            equipment: &equipment,
        };
        let other_points = (scenario != Scenario::Help).then(|| points(side.other()));
        forces::muster(&roster, Occasion { scenario, earlier, other_points }, options, clerk)
    }

    /// The first reason why a changed list is worse than this one, minimums left aside.
    pub(crate) fn worse(before: &Muster, after: &Muster) -> Verdict<()> {
        let new = after
            .violations
            .iter()
            .find(|fault| fault.what != What::Min && !before.violations.contains(fault));
        match new {
            Some(fault) => {
                let what = fault.line.unwrap_or("");
                Refusal::rule(fault.rule, phrase::LIST_WOULD_BREAK).with("what", what).stands(())
            }
            None => Ok(()),
        }
    }
}

/// Replaces the ready-made army of a side by what its list says.
pub(crate) fn enlist(table: &mut Table, side: Side, list: &ArmyList) {
    if list.lines.is_empty() {
        return;
    }
    let army = side.army();
    let mut units: Vec<Unit> = Vec::new();
    let mut characters: Vec<Character> = Vec::new();
    let is_person = |line: Line| profile(army, Troop::Line(line)).character.is_some();
    let mut number = 0;
    for bought in list.lines.iter().filter(|bought| is_person(bought.line)) {
        number += 1;
        characters.push(Character {
            side,
            number,
            line: bought.line,
            place: Whereabouts::Reserve,
            done: false,
            moved: false,
            mount: bought.attached,
            casting: Casting::Any,
        });
    }
    let mut stores = Stores::default();
    let mut wishes: Vec<Item> = Vec::new();
    for &item in &list.items {
        match item {
            lists::Item::Earthwork => stores.earthworks += 1,
            lists::Item::OilRocks => stores.oil += 1,
            other => {
                let carried = setup::item(other.id());
                if let Some(shelf) = shelf(carried) {
                    stores.items[shelf] += 1;
                    wishes.push(carried);
                }
            }
        }
    }
    let mut wishes = wishes.into_iter();
    for bought in list.lines.iter().filter(|bought| !is_person(bought.line)) {
        number += 1;
        let troop = Troop::Line(bought.line);
        let skirmisher = bought.attached == Some(Line::Skirmishers);
        let own = army.entry(bought.line).map_or(1, |entry| entry.stands);
        let stands = u8::try_from(own).unwrap_or(1) + u8::from(skirmisher);
        let foot = profile(army, troop).arm == Arm::Infantry;
        let wish = if foot { wishes.next().unwrap_or_default() } else { Item::None };
        units.push(fresh(side, number, troop, stands, skirmisher, wish));
    }
    for &item in list.items.iter().filter(|item| is_engine(**item)) {
        number += 1;
        units.push(fresh(side, number, Troop::Engine(item), 1, false, Item::None));
    }
    let theirs = table.units.iter().filter(|unit| unit.side != side).copied();
    let others = table.characters.iter().filter(|one| one.side != side).copied();
    (table.units, table.characters) = match side {
        Side::Garrison => {
            (units.into_iter().chain(theirs).collect(), characters.into_iter().chain(others).collect())
        }
        Side::Besieger => (theirs.chain(units).collect(), others.chain(characters).collect()),
    };
    table.stores[seat(side)] = stores;
}

/// Whether an item is a siege engine, which is a unit of its own.
pub(crate) const fn is_engine(item: lists::Item) -> bool {
    matches!(item, lists::Item::Mangonel | lists::Item::Bombard | lists::Item::Trebuchet)
}
