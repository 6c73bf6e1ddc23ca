//! Cuts of the siege of 1807: a few turns of it played by themselves, from the table as it stood when they
//! began (`scenarios/danzig/*.json`, taken from the record of 1807). The rules are those of the whole game;
//! a cut ends with its last turn, or earlier if Danzig surrenders.

use kernel::{Refusal, Verdict};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::siege::{GROUND, WallId};
use crate::state::{Options, Score, State, Table};

/// So near to the first wall lies a trench that has done its work in the first three turns, in metres.
const NEAR_M: u32 = 350;

/// A cut of the siege.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cut {
    /// Turns 2 to 4: the trenches are opened.
    FirstParallel,
    /// Turns 10 and 11: Kamenski lands, Lannes comes along the Nehrung.
    Relief,
    /// Turns 10 to 12: from the lodgement over the second wall.
    Assault,
}

impl Cut {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::FirstParallel, Self::Relief, Self::Assault];

    /// Its name among the scenarios.
    #[must_use]
    pub const fn scenario(self) -> &'static str {
        match self {
            Self::FirstParallel => "first-parallel-1807",
            Self::Relief => "relief-1807",
            Self::Assault => "assault-1807",
        }
    }

    /// The cut of this name.
    #[must_use]
    pub fn named(scenario: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|cut| cut.scenario() == scenario)
    }

    /// The turn it begins with.
    #[must_use]
    pub const fn first_turn(self) -> u8 {
        match self {
            Self::FirstParallel => 2,
            Self::Relief | Self::Assault => 10,
        }
    }

    /// The turn it ends with.
    #[must_use]
    pub const fn last_turn(self) -> u8 {
        match self {
            Self::FirstParallel => 4,
            Self::Relief => 11,
            Self::Assault => 12,
        }
    }

    const fn table(self) -> &'static str {
        match self {
            Self::FirstParallel => include_str!("../scenarios/first-parallel-1807.json"),
            Self::Relief => include_str!("../scenarios/relief-1807.json"),
            Self::Assault => include_str!("../scenarios/assault-1807.json"),
        }
    }

    /// The game as it stood when the cut begins.
    pub(crate) fn begin(self, options: Options) -> Verdict<State> {
        let unsound = |fault: serde_json::Error| {
            Refusal::field("scenario", kernel::phrase::BAD_VALUE).with("detail", fault.to_string())
        };
        let mut state: State = serde_json::from_str(self.table()).map_err(unsound)?;
        state.table.options = options;
        Ok(state)
    }

    /// Who has won if Danzig has not surrendered by the end of its last turn.
    pub(crate) fn result(self, table: &Table) -> Score {
        let french = match self {
            Self::FirstParallel => table.siege.network.iter().any(|id| {
                let near = |at: crate::siege::Spot, point: WallId| {
                    at.fine().centimetres_to(GROUND.point(point).fine()) <= i64::from(NEAR_M) * 100
                };
                table.siege.work(id).is_some_and(|work| {
                    !work.damaged && WallId::first_wall().any(|point| near(work.pose.at, point))
                })
            }),
            Self::Relief => !table.danzig.relief_done,
            Self::Assault => false,
        };
        if french { Score::FrenchVictory } else { Score::PrussianMinor }
    }
}
