//! The armies of a siege: the attacker's points enter; the points of a side, its siege equipment and
//! the multipliers of its army list leave. Sections "general" and "equipment" of the supplement.

use kernel::{ArmyPoints, Clerk, Effect};
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

/// The points that Min and Max of a list are printed for.
const LIST_SIZE: i32 = 1000;

/// The budget of a side in a siege of this size.
pub fn budget(role: Role, attacker_points: i32, clerk: &mut impl Clerk) -> Budget {
    let army = match role {
        Role::Attacker => attacker_points,
        Role::Defender => {
            let army = attacker_points / 2;
            clerk.because(rule!(BR_GENERAL_04), Effect::Limit(army.into()));
            army
        }
    };
    let (min_multiplier, max_multiplier) = multipliers(role, army, clerk);
    let (equipment, artillery) = equipment(army, clerk);
    Budget { army, equipment, artillery, min_multiplier, max_multiplier }
}

/// The multipliers of Min and Max.
fn multipliers(role: Role, army: i32, clerk: &mut impl Clerk) -> (i32, i32) {
    if army < LIST_SIZE {
        clerk.because(rule!(BR_R60), Effect::Set(0.into()));
        return (0, 1);
    }
    let down = army / LIST_SIZE;
    if role == Role::Attacker {
        clerk.because(rule!(BR_GENERAL_09), Effect::Set(down.into()));
        return (down, down);
    }
    if army % LIST_SIZE == 0 {
        clerk.because(rule!(BR_GENERAL_08), Effect::Set(down.into()));
        return (down, down);
    }
    clerk.because(rule!(BR_GENERAL_07), Effect::Set(down.into()));
    let up = down + 1;
    clerk.because(rule!(BR_GENERAL_06), Effect::Set(up.into()));
    clerk.applied(rule!(BR_GENERAL_10));
    (down, up)
}

/// A quarter of the army for equipment, to the nearest 5 points; half of that for artillery.
fn equipment(army: i32, clerk: &mut impl Clerk) -> (i32, ArmyPoints) {
    // The nearest 5 of army / 4 in whole numbers; a tie goes up (BR-R34).
    let equipment = (army + 10) / 20 * 5;
    clerk.because(rule!(BR_EQUIPMENT_05), Effect::Limit(equipment.into()));
    if army % 20 == 10 {
        clerk.applied(rule!(BR_R34));
    }
    let artillery = ArmyPoints::halves(equipment);
    clerk.applied(rule!(BR_EQUIPMENT_06));
    (equipment, artillery)
}
