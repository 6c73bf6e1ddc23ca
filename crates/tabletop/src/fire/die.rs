//! Sections 4.1 and 4.2 of the fire chapter: the one die of a fire.

use kernel::Clerk;
use rulebook::options::tabletop::{Options, SkirmishDie};
use rulebook::rule;
use rulebook::tables::tabletop_fire as tables;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::weapon::SmallArm;

/// How a body fights.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Shoulder to shoulder.
    #[default]
    Close,
    /// As skirmishers, or as foragers on horseback.
    Skirmish,
}

/// Whether the shooter rolls the skirmishers' die, on which no shot is bad. Foragers (musketoons in
/// open order) roll the ordinary one (FE-R49).
pub fn rolls_skirmish_die(
    arm: SmallArm,
    order: Order,
    light_company: bool,
    options: &Options,
    clerk: &mut impl Clerk,
) -> bool {
    let skirmishes = order == Order::Skirmish && arm != SmallArm::Musketoon;
    match options.skirmish_die {
        SkirmishDie::AllSkirmishers => skirmishes,
        SkirmishDie::LightCompaniesOnly => skirmishes && !clerk.holds(rule!(FE_R49), !light_company),
    }
}

/// The die of a fire: the face that fell and the bonus it gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    /// The natural face.
    pub face: u8,
    /// What it adds to the factor.
    pub bonus: i32,
}

/// Rolls the die of a fire and gives its bonus.
pub fn bonus(skirmish: bool, clerk: &mut impl Clerk) -> i32 {
    roll(skirmish, clerk).bonus
}

/// Rolls the die of a fire.
pub fn roll(skirmish: bool, clerk: &mut impl Clerk) -> Roll {
    let face = clerk.d6();
    let face = clerk.value(rule!(FE_4_1_06), face);
    let row = usize::from(face.clamp(1, 6)) - 1;
    let row = &tables::DIE_RESULTS[clerk.rather(rule!(FE_5_27), row, 5 - row)];
    let bonus = if skirmish {
        clerk.modifier(rule!(FE_4_2_01), row.bonus_shooter_in_skirmish_order)
    } else {
        clerk.modifier(rule!(FE_4_1_07), row.bonus)
    };
    Roll { face, bonus }
}
