//! Plans of fortresses: walls, towers and gates with their places enter; what each can hold and stand,
//! what adjoins what, and everything that is wrong with the plan leave. Sections "general", "towers" and
//! "scenario 3" of the supplement.

use kernel::{Centimetres, Clerk, Millimetres, RuleId};
use rulebook::options::breach::{GateKind, Options};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::bombard::Element;
use crate::towers;

/// What a part of a fortress is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// A section of wall.
    Wall,
    /// A tower.
    Tower,
    /// A gate.
    Gate,
}

/// A part of a fortress on the table, its sides along those of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: PartKind,
    /// Its left edge.
    pub x: Centimetres,
    /// Its near edge.
    pub y: Centimetres,
    /// From left to right.
    pub width: Centimetres,
    /// From near to far.
    pub depth: Centimetres,
    /// Whether it was declared a tower for its height.
    pub tall: bool,
    /// Whether it is rubble; of a gate, whether its leaf is broken.
    pub destroyed: bool,
    /// Destruction dice it carries.
    pub destruction_dice: i32,
    /// Stands on it or in it.
    pub stands: i32,
    /// Whether the besieger holds it.
    pub taken: bool,
    /// Whether oil or rocks are ready on it.
    pub oil: bool,
}

/// What can be wrong with a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// A wall section that is not 40 mm long.
    Length,
    /// A tower or a gate tower whose base is too small.
    Base,
    /// Two parts on the same ground.
    Overlap,
    /// A part beyond the table.
    Table,
    /// More stands than it holds.
    Crowded,
    /// A number of walls, towers or gates that is not that of the scenario: a warning.
    Number,
    /// No room for the besieger beyond 75 cm.
    Zone,
}

/// Something wrong with a plan.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Violation {
    /// What is wrong.
    pub what: Fault,
    /// With which part; null with the whole.
    pub element: Option<String>,
    /// The rule.
    pub rule: String,
    /// Whether the plan may be used all the same.
    pub warning: bool,
}

/// What a part is worth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Appraised {
    /// Its name.
    pub name: String,
    /// What it withstands; of a gate, its structure.
    pub resistance: i32,
    /// What the leaf of a gate withstands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaf: Option<i32>,
    /// Stands it holds.
    pub capacity: i32,
    /// What adjoins it.
    pub adjoins: Vec<String>,
    /// Sides from which troops in it can be assaulted on foot; only of towers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sides: Option<i32>,
}

/// The size of the table.
const TABLE: (Centimetres, Centimetres) = (Centimetres::whole(180), Centimetres::whole(120));
/// How far the besieger starts from every wall, beyond this: 15 cm of the defender and 60 more.
const BEYOND: i64 = 75;

impl Part {
    const fn right(&self) -> i32 {
        self.x.count() + self.width.count()
    }

    const fn far(&self) -> i32 {
        self.y.count() + self.depth.count()
    }

    /// Whether it counts as a tower for those in it.
    fn is_tower(&self, options: &Options, clerk: &mut impl Clerk) -> bool {
        match self.kind {
            PartKind::Wall => false,
            PartKind::Tower => true,
            PartKind::Gate => clerk.holds(rule!(BR_GENERAL_13), options.gate_kind == GateKind::Tower),
        }
    }

    /// How far two parts overlap in each direction: below nothing, they are apart.
    fn shared(&self, other: &Self) -> (i32, i32) {
        let across = self.right().min(other.right()) - self.x.count().max(other.x.count());
        let deep = self.far().min(other.far()) - self.y.count().max(other.y.count());
        (across, deep)
    }

    fn overlaps(&self, other: &Self) -> bool {
        let (across, deep) = self.shared(other);
        across > 0 && deep > 0
    }

    /// Whether they share an edge.
    fn adjoins(&self, other: &Self) -> bool {
        let (across, deep) = self.shared(other);
        (across == 0 && deep > 0) || (deep == 0 && across > 0)
    }

    fn base(&self) -> [Millimetres; 2] {
        [self.width, self.depth].map(|side| Millimetres::hundredths(side.count().saturating_mul(10)))
    }

    /// The stands it holds.
    pub fn capacity(&self, options: &Options, clerk: &mut impl Clerk) -> i32 {
        if self.is_tower(options, clerk) {
            towers::tower(self.base(), self.tall, clerk).stands
        } else {
            clerk.limit(rule!(BC_14_1_01), 1)
        }
    }

    /// The squared distance from a corner of the table, in hundredths.
    fn squared_distance(&self, (x, y): (i32, i32)) -> i64 {
        let off = |low: i32, high: i32, at: i32| i64::from((low - at).max(at - high).max(0));
        let (across, deep) = (off(self.x.count(), self.right(), x), off(self.y.count(), self.far(), y));
        across * across + deep * deep
    }
}

/// What each part is worth.
pub fn appraise(parts: &[Part], options: &Options, clerk: &mut impl Clerk) -> Vec<Appraised> {
    parts
        .iter()
        .map(|part| {
            let element = match part.kind {
                PartKind::Wall => Element::Wall,
                PartKind::Tower => Element::Tower,
                PartKind::Gate => Element::GateTower,
            };
            let beside: Vec<&Part> =
                parts.iter().filter(|other| other.name != part.name && part.adjoins(other)).collect();
            let walls = beside.iter().filter(|other| !other.is_tower(options, clerk)).count();
            let sides = part.is_tower(options, clerk).then(|| {
                if walls == 0 {
                    clerk.value(rule!(BR_TOWERS_18), 1)
                } else {
                    // One for each wall beside it, one for the courtyard.
                    clerk.value(rule!(BR_R66), i32::try_from(walls).unwrap_or(i32::MAX - 1) + 1)
                }
            });
            Appraised {
                name: part.name.clone(),
                resistance: element.resistance(options, clerk),
                leaf: (part.kind == PartKind::Gate).then(|| Element::Gate.resistance(options, clerk)),
                capacity: part.capacity(options, clerk),
                adjoins: beside.iter().map(|other| other.name.clone()).collect(),
                sides,
            }
        })
        .collect()
}

/// Everything that is wrong with a plan; with the points of the defender, also its numbers.
pub fn check(
    parts: &[Part],
    defender_points: Option<i32>,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (place, part) in parts.iter().enumerate() {
        check_part(part, options, clerk, &mut violations);
        if let Some(other) = parts.iter().skip(place + 1).find(|other| part.overlaps(other)) {
            violations.push(fault(Fault::Overlap, Some(other), rule!(BR_GENERAL_11)));
        }
    }
    if let Some(points) = defender_points {
        check_numbers(parts, points, clerk, &mut violations);
        let room = corners()
            .into_iter()
            .any(|corner| parts.iter().all(|part| part.squared_distance(corner) > (BEYOND * 100).pow(2)));
        if clerk.holds(rule!(BR_SCENARIO_3_13), !room) {
            violations.push(fault(Fault::Zone, None, rule!(BR_SCENARIO_3_13)));
        }
    }
    violations
}

fn check_part(part: &Part, options: &Options, clerk: &mut impl Clerk, violations: &mut Vec<Violation>) {
    let long = part.width.max(part.depth);
    if part.kind == PartKind::Wall && clerk.holds(rule!(BR_GENERAL_11), long != Centimetres::whole(4)) {
        violations.push(fault(Fault::Length, Some(part), rule!(BR_GENERAL_11)));
    }
    if part.is_tower(options, clerk) && !towers::tower(part.base(), part.tall, clerk).is_tower {
        violations.push(fault(Fault::Base, Some(part), rule!(BR_TOWERS_01)));
    }
    let (wide, deep) = TABLE;
    let beyond = part.right() > wide.count() || part.far() > deep.count();
    if clerk.holds(rule!(BC_3_01), beyond) {
        violations.push(fault(Fault::Table, Some(part), rule!(BC_3_01)));
    }
    let capacity =
        if part.destroyed && part.kind != PartKind::Gate { 0 } else { part.capacity(options, clerk) };
    if part.stands > capacity {
        let rule = if part.is_tower(options, clerk) { rule!(BR_TOWERS_22) } else { rule!(BC_14_1_01) };
        violations.push(fault(Fault::Crowded, Some(part), rule));
    }
}

/// Six walls and a tower for each full 500 points, and a gate: other numbers are a matter of taste.
fn check_numbers(parts: &[Part], points: i32, clerk: &mut impl Clerk, violations: &mut Vec<Violation>) {
    let wanted = wanted(points, clerk);
    let found = |kind: PartKind| {
        i32::try_from(parts.iter().filter(|part| part.kind == kind).count()).unwrap_or(i32::MAX)
    };
    if wanted != (found(PartKind::Wall), found(PartKind::Tower), found(PartKind::Gate)) {
        let mut number = fault(Fault::Number, None, rule!(BR_SCENARIO_3_03));
        number.warning = clerk.holds(rule!(BR_R55), true);
        violations.push(number);
    }
}

/// The walls, towers and gates of a fortress for so many points of the defending army.
pub fn wanted(points: i32, clerk: &mut impl Clerk) -> (i32, i32, i32) {
    let full = clerk.value(rule!(BR_SCENARIO_3_03), points / 500);
    (6 * full, full, clerk.value(rule!(BR_R48), 1))
}

fn fault(what: Fault, part: Option<&Part>, rule: RuleId) -> Violation {
    Violation {
        what,
        element: part.map(|part| part.name.clone()),
        rule: rule.as_str().to_owned(),
        warning: false,
    }
}

const fn corners() -> [(i32, i32); 4] {
    let (wide, deep) = (TABLE.0.count(), TABLE.1.count());
    [(0, 0), (wide, 0), (0, deep), (wide, deep)]
}
