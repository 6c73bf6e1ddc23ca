//! The armies of a siege: the attacker's points enter; the points of a side, its siege equipment and
//! the multipliers of its army list leave. Sections "general" and "equipment" of the supplement.

use kernel::{ArmyPoints, Clerk};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The sides of a siege.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Who storms.
    Attacker,
    /// Who holds.
    Defender,
}

impl Role {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }
}

/// What a side may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Budget {
    /// Points of troops, at most.
    pub army: i32,
    /// Points of siege equipment, at most.
    pub equipment: i32,
    /// Points of that for siege artillery, at most.
    pub artillery: ArmyPoints,
    /// How many times the Min of the list.
    pub min_multiplier: i32,
    /// How many times the Max of the list.
    pub max_multiplier: i32,
}

/// How many times the Min and the Max of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Multipliers {
    /// Of the Min.
    pub min: i32,
    /// Of the Max.
    pub max: i32,
}

/// What a side may spend on siege equipment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// In all.
    pub equipment: i32,
    /// On siege artillery.
    pub artillery: ArmyPoints,
}

/// The points that Min and Max of a list are printed for.
const LIST_SIZE: i32 = 1000;

/// The budget of a side in a siege of this size.
pub fn budget(role: Role, attacker_points: i32, clerk: &mut impl Clerk) -> Budget {
    let army = match role {
        Role::Attacker => attacker_points,
        Role::Defender => clerk.limit(rule!(BR_GENERAL_04), attacker_points / 2),
    };
    let Multipliers { min, max } = multipliers(role, army, clerk);
    let Allotment { equipment, artillery } = allotment(army, clerk);
    Budget { army, equipment, artillery, min_multiplier: min, max_multiplier: max }
}

/// The multipliers of an army of this size in a siege.
pub fn multipliers(role: Role, army: i32, clerk: &mut impl Clerk) -> Multipliers {
    if army < LIST_SIZE {
        return small(clerk);
    }
    let down = army / LIST_SIZE;
    match role {
        Role::Attacker => {
            let down = clerk.value(rule!(BR_GENERAL_09), down);
            Multipliers { min: down, max: down }
        }
        Role::Defender if army % LIST_SIZE == 0 => {
            let down = clerk.value(rule!(BR_GENERAL_08), down);
            Multipliers { min: down, max: down }
        }
        Role::Defender => {
            let min = clerk.value(rule!(BR_GENERAL_07), down);
            let up = clerk.value(rule!(BR_GENERAL_06), down + 1);
            Multipliers { min, max: clerk.rather(rule!(BR_GENERAL_10), up, down) }
        }
    }
}

/// The multipliers of an army of this size where no siege rules are used.
pub fn ordinary_multipliers(army: i32, clerk: &mut impl Clerk) -> Multipliers {
    if army < LIST_SIZE {
        return small(clerk);
    }
    let down = clerk.value(rule!(BR_R42), army / LIST_SIZE);
    Multipliers { min: down, max: down }
}

/// A small army need not keep the minimums.
fn small(clerk: &mut impl Clerk) -> Multipliers {
    Multipliers { min: clerk.value(rule!(BR_R60), 0), max: 1 }
}

/// A quarter of the army for equipment, to the nearest 5 points; half of that for artillery.
pub fn allotment(army: i32, clerk: &mut impl Clerk) -> Allotment {
    // The nearest 5 of army / 4, in whole numbers.
    let tie_up = if clerk.holds(rule!(BR_R34), army % 20 == 10) { 10 } else { 9 };
    let equipment = clerk.limit(rule!(BR_EQUIPMENT_05), (army + tie_up) / 20 * 5);
    let (half, whole) = (ArmyPoints::halves(equipment), ArmyPoints::whole(equipment));
    Allotment { equipment, artillery: clerk.rather(rule!(BR_EQUIPMENT_06), half, whole) }
}
