//! Section 5 of the terrain chapter: houses. Each element is held and lost by itself, side by
//! side: [`entry`] gets a unit in, [`garrison`] spreads it over the four sides, [`exit`] gets it
//! out, [`fire`] is what may be fired from and at it, [`assault`] the fight, [`surrender`] what
//! morale makes of it.

pub mod assault;
pub mod entry;
pub mod exit;
pub mod fire;
pub mod garrison;
pub mod surrender;

use kernel::{Centimetres, Clerk, Phrase, Verdict};
use rulebook::options::tabletop::{Options, SkirmisherBaseInHouse};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::HouseActionsAction;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A side of a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// North.
    North,
    /// East.
    East,
    /// South.
    South,
    /// West.
    West,
}

impl Side {
    /// All four, clockwise.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// The side across the house.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// Whether two sides share a corner.
    #[must_use]
    pub fn adjoins(self, other: Self) -> bool {
        self != other && self.opposite() != other
    }

    /// Its name, for readers.
    #[must_use]
    pub const fn word(self) -> Phrase {
        match self {
            Self::North => phrase::SIDE_NORTH,
            Self::East => phrase::SIDE_EAST,
            Self::South => phrase::SIDE_SOUTH,
            Self::West => phrase::SIDE_WEST,
        }
    }
}

/// The front of one figure against a wall.
const FIGURE: i32 = 150;

/// Figures a side holds: its length by 1.5 cm, rounded down; 3 cm each for a garrison of
/// skirmishers, if the option keeps them on their bases.
pub fn capacity(length: Centimetres, skirmishers: bool, options: &Options, clerk: &mut impl Clerk) -> i32 {
    let wide = skirmishers && options.skirmisher_base_in_house == SkirmisherBaseInHouse::Skirmish3Cm;
    let figures = length.count().max(0) / if wide { FIGURE * 2 } else { FIGURE };
    let figures = clerk.limit(rule!(TE_5_5_02), figures);
    if skirmishers { clerk.limit(rule!(TE_R42), figures) } else { figures }
}

/// Quarters an action in a house takes: reaction, then the action itself.
pub(crate) fn quarters(action: HouseActionsAction, clerk: &mut impl Clerk) -> (i32, i32) {
    let row = action.row();
    clerk.rather(rule!(TE_5_2_40), (row.reaction_quarters, row.action_quarters), (0, 0))
}

/// Whether a house may be used again after a fire.
///
/// # Errors
/// While it burns, and with the default option ever after.
pub(crate) fn not_burning(burnt: Option<Burnt>, options: &Options) -> Verdict<()> {
    use kernel::Refusal;
    use rulebook::options::tabletop::BurningHouse;
    match burnt {
        None => Ok(()),
        Some(Burnt::EarlierPeriod) if options.burning_house == BurningHouse::ReusableNextPeriod => Ok(()),
        Some(_) => Refusal::rule(rule!(TE_R49), phrase::HOUSE_BURNS).stands(()),
    }
}

/// When a house was set on fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Burnt {
    /// In this period.
    ThisPeriod,
    /// In an earlier one.
    EarlierPeriod,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    #[test]
    fn te_ex_16_figures_a_side_holds() {
        let options = Options::default();
        let held = |hundredths| {
            told(|clerk| capacity(Centimetres::hundredths(hundredths), false, &options, clerk)).0
        };
        assert_eq!(held(700), 4);
        assert_eq!(held(500), 3);
        assert_eq!(held(600), 4);
    }

    #[test]
    fn skirmishers_take_twice_the_wall_only_with_the_option() {
        let mut options = Options::default();
        let held = |options: &Options| told(|clerk| capacity(Centimetres::whole(9), true, options, clerk)).0;
        assert_eq!(held(&options), 6);
        options.skirmisher_base_in_house = SkirmisherBaseInHouse::Skirmish3Cm;
        assert_eq!(held(&options), 3);
    }

    #[test]
    fn opposite_and_adjoining_sides() {
        for side in Side::ALL {
            assert_eq!(side.opposite().opposite(), side);
            assert_eq!(Side::ALL.iter().filter(|other| side.adjoins(**other)).count(), 2);
        }
    }
}
