//! The games this program can play, by name.

use clap::ValueEnum;

/// A game with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Systems {
    /// Le Siège de Dantzig 1807.
    Danzig,
}

impl Systems {
    /// The game a record names.
    pub(crate) fn named(system: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|known| known.name() == system)
    }

    /// Its name in records.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Danzig => "danzig",
        }
    }

    /// The scenario played unless another is named.
    pub(crate) fn first_scenario(self) -> &'static str {
        match self {
            Self::Danzig => danzig::SCENARIOS.first().copied().unwrap_or_default(),
        }
    }
}

/// Runs an expression with `G` the type of the game.
macro_rules! with_system {
    ($system:expr, $game:ident => $body:expr) => {
        match $system {
            $crate::systems::Systems::Danzig => {
                type $game = danzig::State;
                $body
            }
        }
    };
}

pub(crate) use with_system;
