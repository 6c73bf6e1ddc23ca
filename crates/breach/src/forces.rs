//! The forces of the three scenarios: a list and the scenario it is for enter; the same sums and
//! violations as of any list leave, with what the scenario itself asks for. Sections "scenario 1" to
//! "scenario 3" of the supplement.

use kernel::{Clerk, RuleId};
use rulebook::options::breach::{Options, ReliefForce};
use rulebook::rule;
use rulebook::tables::breach::{DEFAULT_ARMIES, DEFAULT_TOTALS, DEFAULT_WORKS};

use crate::army::Role;
use crate::lists::{Army, Counts, Item, Kind, Line, Listed, Ware};
use crate::roster::{self, Battle, Muster, Roster, Violation, What};
use crate::scenario::{self, Earlier, RELIEF_UNITS, Scenario, Side};

/// What a list is written for.
#[derive(Clone, Copy, Debug)]
pub struct Occasion {
    /// The scenario.
    pub scenario: Scenario,
    /// What came before.
    pub earlier: Earlier,
    /// The size of the other army, where it is known.
    pub other_points: Option<i32>,
}

impl Scenario {
    /// Whether it is fought by the siege rules.
    #[must_use]
    pub const fn battle(self) -> Battle {
        match self {
            Self::Watchtower | Self::Help => Battle::Field,
            Self::Keep => Battle::Siege,
        }
    }
}

/// Reckons a list for a scenario and finds everything that is wrong with it.
pub fn muster(roster: &Roster<'_>, occasion: Occasion, options: &Options, clerk: &mut impl Clerk) -> Muster {
    let roster = Roster { battle: occasion.scenario.battle(), ..*roster };
    match (occasion.scenario, Side::with_role(roster.role, occasion.scenario)) {
        (Scenario::Help, Side::Garrison) => relief(&roster, options, clerk),
        (Scenario::Help, Side::Besieger) => entrenched(&roster, occasion.earlier, options, clerk),
        (Scenario::Watchtower, _) => {
            let muster = roster::muster(&roster, options, clerk);
            ratio(muster, &roster, occasion, rule!(BR_SCENARIO_1_05), clerk)
        }
        (Scenario::Keep, _) => {
            let muster = roster::muster(&roster, options, clerk);
            ratio(muster, &roster, occasion, rule!(BR_SCENARIO_3_07), clerk)
        }
    }
}

/// The sizes of the two armies.
fn ratio(
    muster: Muster,
    roster: &Roster<'_>,
    occasion: Occasion,
    rule: RuleId,
    clerk: &mut impl Clerk,
) -> Muster {
    let Some(other) = occasion.other_points else { return muster };
    let (attacker, defender) = match roster.role {
        Role::Attacker => (roster.points, other),
        Role::Defender => (other, roster.points),
    };
    let enough = match occasion.scenario {
        Scenario::Watchtower => scenario::watchtower_ratio(attacker, defender),
        Scenario::Help => true,
        Scenario::Keep => scenario::keep_ratio(attacker, defender),
    };
    if clerk.holds(rule, !enough) {
        muster.with(Violation { what: What::Ratio, line: None, rule })
    } else {
        muster
    }
}

/// The besieger of scenario 2: an ordinary army, with earthworks if the race was won.
fn entrenched(roster: &Roster<'_>, earlier: Earlier, options: &Options, clerk: &mut impl Clerk) -> Muster {
    let given = scenario::works(earlier.or_chosen(options, clerk), clerk);
    let size = clerk.value(rule!(BR_SCENARIO_2_05), 1000);
    let wrong_size = roster.points != size;
    let mut muster = if given.points > 0 {
        let bare = roster.equipment.without(Item::Earthwork);
        let mut muster = roster::muster(&Roster { equipment: &bare, ..*roster }, options, clerk);
        let dug = roster.equipment.of(Item::Earthwork);
        muster.equipment += dug * earthwork();
        if clerk.holds(rule!(BR_SCENARIO_2_03), dug > given.sections) {
            muster =
                muster.with(Violation { what: What::Equipment, line: None, rule: rule!(BR_SCENARIO_2_03) });
        }
        muster
    } else {
        roster::muster(roster, options, clerk)
    };
    if wrong_size {
        muster = muster.with(Violation { what: What::Force, line: None, rule: rule!(BR_SCENARIO_2_05) });
    }
    muster
}

/// What a section of earthworks costs.
fn earthwork() -> i32 {
    Ware::all().iter().find(|ware| ware.item == Item::Earthwork).map_or(0, |ware| ware.points)
}

/// The force that breaks out in scenario 2: the one that is named, or one that takes its place.
fn relief(roster: &Roster<'_>, options: &Options, clerk: &mut impl Clerk) -> Muster {
    let sums = roster::sums(roster, options, clerk);
    let mut violations = Vec::new();
    let named = options.relief_force == ReliefForce::Named && roster.army == Army::Empire;
    if named {
        for (entry, count) in roster.entries() {
            let wanted = match entry.line {
                Line::General => 1,
                Line::Knights => RELIEF_UNITS,
                _ => 0,
            };
            if clerk.holds(rule!(BR_SCENARIO_2_06), count != wanted) {
                let line = Some(entry.line.id());
                violations.push(Violation { what: What::Force, line, rule: rule!(BR_SCENARIO_2_06) });
            }
        }
    } else {
        substitute(roster, clerk, &mut violations);
        let most =
            scenario::relief_points(&Options { relief_force: ReliefForce::Substitute, ..*options }, clerk);
        if sums.army > most {
            violations.push(Violation { what: What::Points, line: None, rule: rule!(BR_SCENARIO_2_07) });
        }
    }
    for (item, count) in roster.equipment.iter() {
        if clerk.holds(rule!(BR_SCENARIO_2_02), count > 0) {
            let line = Some(item.id());
            violations.push(Violation { what: What::Closed, line, rule: rule!(BR_SCENARIO_2_02) });
        }
    }
    Muster::new(sums, violations)
}

/// A General and one to three units of cavalry; Dwarfs, who have none, take Rangers.
fn substitute(roster: &Roster<'_>, clerk: &mut impl Clerk, violations: &mut Vec<Violation>) {
    roster::general(roster, clerk, violations);
    let dwarfs = clerk.holds(rule!(BR_SCENARIO_2_08), roster.army == Army::Dwarf);
    let mut riders = 0;
    for (entry, count) in roster.entries().filter(|(entry, _)| entry.line != Line::General) {
        let rides = if dwarfs { entry.line == Line::Rangers } else { entry.kind == Kind::Cavalry };
        if rides {
            riders += count;
        } else if clerk.holds(rule!(BR_SCENARIO_2_07), count > 0) {
            let line = Some(entry.line.id());
            violations.push(Violation { what: What::Force, line, rule: rule!(BR_SCENARIO_2_07) });
        }
    }
    if clerk.holds(rule!(BR_SCENARIO_2_07), !(1..=RELIEF_UNITS).contains(&riders)) {
        violations.push(Violation { what: What::Force, line: None, rule: rule!(BR_SCENARIO_2_07) });
    }
}

/// A ready army.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ready {
    /// The size it is for.
    pub points: i32,
    /// Its troops.
    pub lines: Counts<Line>,
    /// Its siege equipment, works included.
    pub equipment: Counts<Item>,
}

/// The ready army of a side in a scenario (`default_armies.csv`, `default_works.csv`).
#[must_use]
pub fn ready(scenario: Scenario, side: Side) -> Ready {
    let own = |row_scenario: i32, row_side: &str| {
        Scenario::numbered(row_scenario) == Some(scenario) && row_side == side.id()
    };
    let units = DEFAULT_ARMIES.iter().filter(|row| own(row.scenario, row.side));
    let (mut lines, mut equipment) = (Counts::default(), Counts::default());
    for row in units {
        for word in [row.line, row.attached] {
            if let Some(line) = Line::named(word) {
                lines.add(line, 1);
            }
        }
        for word in [row.line, row.equipment] {
            if let Some(item) = Item::named(word) {
                equipment.add(item, 1);
            }
        }
    }
    for row in DEFAULT_WORKS.iter().filter(|row| own(row.scenario, row.side)) {
        if let Some(item) = Item::named(row.item) {
            equipment.add(item, row.count);
        }
    }
    let totals = DEFAULT_TOTALS.iter().find(|row| own(row.scenario, row.side));
    Ready { points: totals.map_or(0, |row| row.army_limit), lines, equipment }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster::Race;

    /// Every ready army is legal where it fights, and costs what the table of totals says.
    #[test]
    fn the_ready_armies_are_legal() {
        for row in &DEFAULT_TOTALS {
            let scenario = Scenario::numbered(row.scenario).unwrap();
            let side = if row.side == "besieger" { Side::Besieger } else { Side::Garrison };
            let Ready { points, lines, equipment } = ready(scenario, side);
            let roster = Roster {
                army: side.army(),
                race: Race::OfTheList,
                role: side.role(scenario),
                points,
                battle: scenario.battle(),
                lines: &lines,
                equipment: &equipment,
            };
            let earlier = Earlier { first: Some(Side::Besieger), second: None };
            let occasion = Occasion { scenario, earlier, other_points: None };
            let (found, _) =
                kernel::scripted(&[], |clerk| muster(&roster, occasion, &Options::default(), clerk)).unwrap();
            assert_eq!(found.violations, [], "{row:?}");
            assert_eq!(
                (found.army, found.equipment, found.artillery),
                (row.army_points, row.equipment_points, row.artillery_points)
            );
        }
    }
}
