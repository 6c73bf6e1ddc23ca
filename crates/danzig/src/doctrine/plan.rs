//! The plans a machine can play: the doctrine, and one-sided ones that are only there to be measured
//! against it. No level of the opponent plays those.

use super::Mind;
use crate::action::Action;
use crate::unit::Side;
use crate::view::View;

/// What a player is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The doctrine.
    Sensible,
    /// Besieged: fourteen battalions go out against the stars and fight wherever the odds are even.
    Sally,
    /// Besieged: four battalions and the horse go out against stars that are badly held.
    Raids,
    /// Besieged: nobody goes out, no sortie, no counter-attack.
    Walls,
    /// Besieger: every gun at one pair of wall points, no battery is silenced.
    OneWall,
}

impl Plan {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sensible, Self::Sally, Self::Raids, Self::Walls, Self::OneWall];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sensible => "sensible",
            Self::Sally => "sally",
            Self::Raids => "raids",
            Self::Walls => "walls",
            Self::OneWall => "one-wall",
        }
    }

    /// The plan of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.name() == name)
    }

    /// What a player with this plan orders: one of those offered, or another that the game allows. The list
    /// is not empty.
    #[must_use]
    pub fn order(self, side: Side, view: &View, offered: &[Action]) -> Action {
        Mind { plan: self, state: &view.state, side, offered }.decide()
    }

    /// How many battalions leave the city to fight outside.
    pub(super) const fn battalions_outside(self) -> usize {
        match self {
            Self::Sally => 14,
            Self::Raids => 4,
            Self::Sensible | Self::Walls | Self::OneWall => 0,
        }
    }
}
