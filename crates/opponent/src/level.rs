//! Strengths of play, as commands name them.

use std::fmt;
use std::str::FromStr;

use crate::{Budget, Player, Random, Search, Searcher, Sensible};

/// A strength of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// [`Random`].
    Random,
    /// [`Sensible`].
    Sensible,
    /// [`Search`] on one thread.
    Search(Budget),
}

impl Level {
    /// How levels are written.
    pub const FORMS: &'static str = "random, sensible, search:PLAYOUTS, search:TIMEms";

    /// Somebody who plays at this level.
    #[must_use]
    pub fn player<G: Searcher>(self) -> Box<dyn Player<G>> {
        match self {
            Self::Random => Box::new(Random),
            Self::Sensible => Box::new(Sensible),
            Self::Search(budget) => Box::new(Search::new(budget)),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Sensible => f.write_str("sensible"),
            Self::Search(budget) => write!(f, "search:{budget}"),
        }
    }
}

/// There is no such level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchLevel;

impl fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Level::FORMS)
    }
}

impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(name: &str) -> Result<Self, NoSuchLevel> {
        match name {
            "random" => Ok(Self::Random),
            "sensible" => Ok(Self::Sensible),
            _ => {
                let budget = name.strip_prefix("search:").ok_or(NoSuchLevel)?;
                budget.parse().map(Self::Search).map_err(|_| NoSuchLevel)
            }
        }
    }
}
