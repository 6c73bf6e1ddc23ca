//! The siege map: walls, trenches, batteries and what is done to them (chapter 4).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many points both walls have: even numbers are the first wall, odd ones the second.
pub const WALL_POINTS: usize = 36;

/// A wall point: pair `n` (H1 to H9, then B1 to B9) has the first-wall point `2 n` and the
/// second-wall point `2 n + 1`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct WallId(pub u8);

/// A field work, by its slot.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct WorkId(pub u8);

/// A spot of open ground, in whole metres.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Spot {
    /// To the right.
    pub x: i16,
    /// Upwards.
    pub y: i16,
}

/// What changes on the siege map besides the counters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SiegeMap {
    /// Level of each wall point, 20 to 0.
    pub levels: Vec<u8>,
}
