//! The quartermaster: a list of troops and siege equipment enters; what it costs and everything that
//! is wrong with it, each with its rule, leave. Core section 2, sections "general", "equipment",
//! "artillery" and "ladders" of the supplement.

use std::collections::BTreeMap;

use kernel::{ArmyPoints, Clerk, RuleId};
use rulebook::options::breach::{EquipmentPerUnit, LadderPrice, Options};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::army::{self, Allotment, Multipliers, Role};
use crate::lists::{Army, Counts, Entry, Item, Kind, Line, Relation, Scope, Sublist, Ware};

/// Whether the siege rules are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Battle {
    /// They are.
    Siege,
    /// They are not: no equipment, ordinary Min and Max.
    Field,
}

/// Whose army a list stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Race {
    /// The people of the list.
    #[default]
    OfTheList,
    /// Elves of any kind.
    Elves,
    /// Bretonnians.
    Bretonnians,
}

/// A list as somebody wrote it.
#[derive(Clone, Copy, Debug)]
pub struct Roster<'a> {
    /// The army list it is written from.
    pub army: Army,
    /// Whose it is.
    pub race: Race,
    /// The side it is for.
    pub role: Role,
    /// The agreed size of this army.
    pub points: i32,
    /// Whether it is for a siege.
    pub battle: Battle,
    /// Its troops. Lines of the other list count for nothing.
    pub lines: &'a Counts<Line>,
    /// Its siege equipment.
    pub equipment: &'a Counts<Item>,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// There is not exactly one General.
    General,
    /// Too few.
    Min,
    /// Too many.
    Max,
    /// Nobody is there to bear it.
    Attached,
    /// Not open to this side.
    Closed,
    /// The troops cost too much.
    Points,
    /// The equipment costs too much.
    Equipment,
    /// Too much of that is siege artillery.
    Artillery,
    /// A unit carries what it may not carry.
    Carried,
    /// The scenario names another force.
    Force,
    /// The two armies are not of the sizes that the scenario asks for.
    Ratio,
}

/// One thing that is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Violation {
    /// What.
    pub what: What,
    /// The line or item; none where it is the whole.
    pub line: Option<&'static str>,
    /// The rule that says so.
    #[schemars(with = "String")]
    pub rule: RuleId,
}

/// A list with its sums.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Muster {
    /// Points of the troops.
    pub army: i32,
    /// Points of the siege equipment, artillery included.
    pub equipment: i32,
    /// Points of siege artillery.
    pub artillery: i32,
    /// Whether nothing is wrong.
    pub legal: bool,
    /// What is wrong.
    pub violations: Vec<Violation>,
}

impl Muster {
    pub(crate) fn new(sums: Sums, violations: Vec<Violation>) -> Self {
        let Sums { army, equipment, artillery } = sums;
        Self { army, equipment, artillery, legal: violations.is_empty(), violations }
    }

    /// The same with one more thing wrong.
    #[must_use]
    pub(crate) fn with(mut self, violation: Violation) -> Self {
        self.violations.push(violation);
        self.legal = false;
        self
    }
}

/// What a list costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// The troops.
    pub army: i32,
    /// The siege equipment, artillery included.
    pub equipment: i32,
    /// The siege artillery.
    pub artillery: i32,
}

impl Roster<'_> {
    /// The lines of its list with how many of each it has, nothing left out.
    pub fn entries(&self) -> impl Iterator<Item = (&'static Entry, i32)> {
        self.army.list().iter().map(|entry| (entry, self.lines.of(entry.line)))
    }

    /// How many units of a kind.
    #[must_use]
    pub fn units(&self, kind: Kind) -> i32 {
        let units = self.entries().filter(|(entry, _)| entry.kind == kind && entry.line != Line::Skirmishers);
        units.map(|(_, count)| count).sum()
    }
}

/// Reckons a list and finds everything that is wrong with it.
pub fn muster(roster: &Roster<'_>, options: &Options, clerk: &mut impl Clerk) -> Muster {
    let sums = sums(roster, options, clerk);
    let times = multipliers(roster, clerk);
    let mut violations = Vec::new();
    general(roster, clerk, &mut violations);
    limits(roster, times, clerk, &mut violations);
    attached(roster, clerk, &mut violations);
    let allotment = army::allotment(roster.points, clerk);
    // What is left of the one is no help to the other.
    let excess = sums.army - roster.points;
    let spare = allotment.equipment - sums.equipment;
    if clerk.holds(rule!(BR_R35), excess > 0) && (excess > spare || clerk.holds(rule!(BR_EQUIPMENT_11), true))
    {
        violations.push(Violation { what: What::Points, line: None, rule: rule!(BR_R35) });
    }
    equipment(roster, sums, times, allotment, clerk, &mut violations);
    Muster::new(sums, violations)
}

/// What a list costs.
pub fn sums(roster: &Roster<'_>, options: &Options, clerk: &mut impl Clerk) -> Sums {
    let mut army = 0;
    for (entry, count) in roster.entries().filter(|(_, count)| *count > 0) {
        army += clerk.modifier(rule!(BR_R08), count * entry.points);
    }
    let (mut equipment, mut artillery) = (0, 0);
    for ware in Ware::all() {
        let count = roster.equipment.of(ware.item);
        if count == 0 {
            continue;
        }
        let engine = ware.sublist == Sublist::SiegeArtillery;
        let list = if engine { rule!(BR_ARTILLERY_01) } else { rule!(BR_EQUIPMENT_14) };
        let price = clerk.value(list, ware.points);
        let cost = match ware.item {
            Item::Ladders => ladders(roster, count, price, ware.rule, options, clerk),
            _ => clerk.modifier(ware.rule, count * price),
        };
        if clerk.holds(rule!(BR_EQUIPMENT_03), true) {
            equipment += cost;
        } else {
            army += cost;
        }
        if engine {
            artillery += cost;
        }
    }
    Sums { army, equipment, artillery }
}

/// What ladders for so many units cost: a price for the whole unit, or for each of its stands.
fn ladders(
    roster: &Roster<'_>,
    sets: i32,
    price: i32,
    rule: RuleId,
    options: &Options,
    clerk: &mut impl Clerk,
) -> i32 {
    /// A unit of infantry without skirmishers.
    const STANDS: i32 = 3;
    let price = clerk.rather(rule!(BR_LADDERS_01), price, 0);
    let once = clerk.modifier(rule, sets * price);
    match options.ladder_price {
        LadderPrice::PerUnit => clerk.rather(rule!(BR_LADDERS_03), once, once * STANDS),
        LadderPrice::PerStand => {
            // Units with a fourth stand climb only when there are not enough others.
            let skirmishers = roster.lines.of(Line::Skirmishers);
            let of_four = (sets + skirmishers - roster.units(Kind::Infantry)).clamp(0, sets.min(skirmishers));
            let each = once * STANDS + of_four * price;
            clerk.rather(rule!(BR_R31), each, once)
        }
    }
}

/// The Min and Max of every line.
fn limits(roster: &Roster<'_>, times: Multipliers, clerk: &mut impl Clerk, violations: &mut Vec<Violation>) {
    let (min_rule, max_rule) = match (roster.battle, roster.role) {
        (Battle::Field, _) => (rule!(BR_R42), rule!(BR_R42)),
        (Battle::Siege, Role::Attacker) => (rule!(BR_GENERAL_09), rule!(BR_GENERAL_09)),
        (Battle::Siege, Role::Defender) => (rule!(BR_GENERAL_07), rule!(BR_GENERAL_06)),
    };
    for (entry, count) in roster.entries().filter(|(entry, _)| entry.line != Line::General) {
        let line = Some(entry.line.id());
        let (min, max) = bounds(entry, times);
        let max_rule = if entry.scope == Scope::PerArmy { rule!(BR_R08) } else { max_rule };
        if count < min && clerk.holds(min_rule, count + stand_ins(roster, entry.line, times) < min) {
            violations.push(Violation { what: What::Min, line, rule: min_rule });
        }
        if let Some(max) = max
            && clerk.holds(max_rule, count > max)
        {
            violations.push(Violation { what: What::Max, line, rule: max_rule });
        }
    }
}

/// How many of a line there must and may be.
#[must_use]
pub fn bounds(entry: &Entry, times: Multipliers) -> (i32, Option<i32>) {
    match entry.scope {
        Scope::PerThousand => (entry.min * times.min, entry.max.map(|max| max * times.max)),
        Scope::PerArmy => (entry.min, entry.max),
    }
}

/// Exactly one General, whatever the size.
pub(crate) fn general(roster: &Roster<'_>, clerk: &mut impl Clerk, violations: &mut Vec<Violation>) {
    if clerk.holds(rule!(BR_R08), roster.lines.of(Line::General) != 1) {
        let line = Some(Line::General.id());
        violations.push(Violation { what: What::General, line, rule: rule!(BR_R08) });
    }
}

/// The multipliers of Min and Max.
pub fn multipliers(roster: &Roster<'_>, clerk: &mut impl Clerk) -> Multipliers {
    match roster.battle {
        Battle::Siege => army::multipliers(roster.role, roster.points, clerk),
        Battle::Field => army::ordinary_multipliers(roster.points, clerk),
    }
}

/// Units of another line that count towards the Min of this one: one per full thousand points.
fn stand_ins(roster: &Roster<'_>, line: Line, times: Multipliers) -> i32 {
    let ties = roster.army.ties().filter(|tie| tie.relation == Relation::CountsAs && tie.other == line);
    ties.map(|tie| roster.lines.of(tie.line).min(times.min)).sum()
}

/// Whatever is borne needs a bearer of its own. What has the fewest kinds of bearers chooses first,
/// so that nobody goes without whom another choice would serve.
fn attached(roster: &Roster<'_>, clerk: &mut impl Clerk, violations: &mut Vec<Violation>) {
    let mut bearers: BTreeMap<Line, Vec<Line>> = BTreeMap::new();
    for tie in roster.army.ties().filter(|tie| tie.relation == Relation::BorneBy) {
        bearers.entry(tie.line).or_default().push(tie.other);
    }
    let mut borne: Vec<(Line, Vec<Line>)> = bearers.into_iter().collect();
    borne.sort_by_key(|(_, bearers)| bearers.len());
    let mut free: BTreeMap<Line, i32> = roster.lines.iter().collect();
    for (line, bearers) in borne {
        let mut without = roster.lines.of(line);
        for bearer in bearers {
            let free = free.entry(bearer).or_default();
            let taken = without.min(*free);
            *free -= taken;
            without -= taken;
        }
        if clerk.holds(rule!(BR_R08), without > 0) {
            violations.push(Violation { what: What::Attached, line: Some(line.id()), rule: rule!(BR_R08) });
        }
    }
}

/// What is not open, too many engines, too much spent.
fn equipment(
    roster: &Roster<'_>,
    sums: Sums,
    times: Multipliers,
    allotment: Allotment,
    clerk: &mut impl Clerk,
    violations: &mut Vec<Violation>,
) {
    for ware in Ware::all() {
        let count = roster.equipment.of(ware.item);
        let line = Some(ware.item.id());
        if count == 0 {
            continue;
        }
        if let Some(rule) = closed(ware.item, roster, clerk) {
            violations.push(Violation { what: What::Closed, line, rule });
        } else if let Some(max) = ware.max
            && clerk.holds(ware.rule, count > max * times.max)
        {
            violations.push(Violation { what: What::Max, line, rule: ware.rule });
        }
    }
    let excess = sums.equipment - allotment.equipment;
    let spare = roster.points - sums.army;
    if clerk.holds(rule!(BR_EQUIPMENT_09), excess > 0)
        && (excess > spare || clerk.holds(rule!(BR_EQUIPMENT_10), true))
    {
        violations.push(Violation { what: What::Equipment, line: None, rule: rule!(BR_EQUIPMENT_05) });
    }
    let artillery = ArmyPoints::whole(sums.artillery);
    if roster.role == Role::Attacker && artillery > allotment.artillery {
        violations.push(Violation { what: What::Artillery, line: None, rule: rule!(BR_EQUIPMENT_06) });
    }
}

/// The rule that closes an item to this side, if one does.
fn closed(item: Item, roster: &Roster<'_>, clerk: &mut impl Clerk) -> Option<RuleId> {
    let Some(rule) = closing(item, roster) else {
        let opening = opening(item, roster);
        return opening.iter().copied().find(|&rule| !clerk.holds(rule, true));
    };
    let scenario = [rule!(BR_SCENARIO_1_03), rule!(BR_SCENARIO_3_10)].contains(&rule);
    let closes = clerk.holds(rule, true) && (!scenario || clerk.holds(rule!(BR_EQUIPMENT_07), true));
    closes.then_some(rule)
}

/// The rules by which an item that nothing closes is open to more than one side or army.
fn opening(item: Item, roster: &Roster<'_>) -> &'static [RuleId] {
    match item {
        Item::Earthwork => &[rule!(BR_EARTHWORKS_01), rule!(BR_EQUIPMENT_08)],
        Item::Mangonel | Item::Bombard | Item::Trebuchet => &[rule!(BR_EQUIPMENT_08)],
        _ if roster.race != Race::OfTheList => &[rule!(BR_EQUIPMENT_13)],
        _ => &[],
    }
}

/// The rule that would close an item to this side.
#[must_use]
pub fn closing(item: Item, roster: &Roster<'_>) -> Option<RuleId> {
    match (roster.battle, roster.role, item) {
        (Battle::Field, ..) => Some(rule!(BR_SCENARIO_1_03)),
        (_, Role::Attacker, Item::OilRocks) => Some(rule!(BR_EQUIPMENT_15)),
        (_, Role::Defender, Item::Mangonel | Item::Bombard | Item::Trebuchet) => {
            Some(rule!(BR_SCENARIO_3_10))
        }
        (_, Role::Defender, item) if item.is_carried() => Some(rule!(BR_EQUIPMENT_16)),
        (_, Role::Attacker, Item::Bombard) if roster.race != Race::OfTheList => Some(rule!(BR_ARTILLERY_06)),
        _ => None,
    }
}

/// What one unit carries.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Load {
    /// The line of the unit.
    pub line: Line,
    /// Its siege equipment.
    pub items: Vec<Item>,
}

/// What is wrong with how equipment is shared out: who may carry it, and what does not go together.
pub fn loads(army: Army, loads: &[Load], options: &Options, clerk: &mut impl Clerk) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut wrong = |line, rule| violations.push(Violation { what: What::Carried, line: Some(line), rule });
    for load in loads.iter().filter(|load| !load.items.is_empty()) {
        let foot = army.entry(load.line).is_some_and(|entry| entry.kind == Kind::Infantry)
            && load.line != Line::Skirmishers;
        if clerk.holds(rule!(BR_R05), !foot) {
            wrong(load.line.id(), rule!(BR_R05));
        }
        for item in &load.items {
            if clerk.holds(rule!(BR_EQUIPMENT_04), !item.is_carried()) {
                wrong(item.id(), rule!(BR_EQUIPMENT_04));
            }
        }
        let several = load.items.len() > 1;
        let crowded = match options.equipment_per_unit {
            EquipmentPerUnit::One => several,
            EquipmentPerUnit::Several => {
                let machine = |item: &&Item| matches!(item, Item::Ram | Item::SiegeTower | Item::Sow);
                let twice = |item: &Item| load.items.iter().filter(|other| *other == item).count() > 1;
                load.items.iter().filter(machine).count() > 1 || load.items.iter().any(twice)
            }
        };
        if clerk.holds(rule!(BR_LADDERS_04), several && load.items.contains(&Item::Ladders)) {
            wrong(Item::Ladders.id(), rule!(BR_LADDERS_04));
        } else if clerk.holds(rule!(BR_R73), crowded) {
            wrong(load.line.id(), rule!(BR_R73));
        }
    }
    violations
}
