//! Section 8 of the terrain chapter: linear obstacles. [`cross`] takes a body over them by ranks,
//! [`occupy`] lines them, [`degrade`] is what guns do to them; the fight over them is in
//! [`super::melee`], the sappers are in [`super::engineers`].

pub mod cross;
pub mod degrade;
pub mod occupy;

use kernel::Phrase;
use rulebook::phrase::tabletop_terrain as phrase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cover::{Cover, MeleeCover};
use super::ground::Fraction;

/// The class of a piece of linear obstacle.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum ObstacleClass {
    /// Hedge, palisade, barricade.
    #[default]
    Light,
    /// Stone wall, abatis.
    Hard,
    /// The face of a redoubt.
    RedoubtFace,
    /// A house side or redoubt face shot to pieces: hard, and nothing degrades it again.
    HardForGood,
}

impl ObstacleClass {
    /// Its shelter against fire.
    #[must_use]
    pub const fn fire_cover(self) -> Cover {
        match self {
            Self::Light => Cover::Light,
            Self::Hard | Self::RedoubtFace | Self::HardForGood => Cover::Hard,
        }
    }

    /// Its shelter in melee.
    #[must_use]
    pub const fn melee_cover(self) -> MeleeCover {
        match self {
            Self::Light => MeleeCover::Light,
            Self::Hard | Self::HardForGood => MeleeCover::Hard,
            Self::RedoubtFace => MeleeCover::House,
        }
    }

    /// Whether it is crossed like a hedge.
    #[must_use]
    pub const fn is_light(self) -> bool {
        matches!(self, Self::Light)
    }

    /// The part of its movement a crossing body keeps.
    #[must_use]
    pub const fn fraction(self) -> Fraction {
        if self.is_light() { Fraction::new(3, 4) } else { Fraction::HALF }
    }

    /// Its name, for readers.
    #[must_use]
    pub const fn word(self) -> Phrase {
        match self {
            Self::Light => phrase::OBSTACLE_LIGHT,
            Self::Hard => phrase::OBSTACLE_HARD,
            Self::RedoubtFace => phrase::OBSTACLE_REDOUBT_FACE,
            Self::HardForGood => phrase::OBSTACLE_HARD_FOR_GOOD,
        }
    }
}
