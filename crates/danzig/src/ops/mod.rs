//! The operational map: hexes, movement, fire and melee around the city (chapter 3).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many columns the map has.
pub const COLUMNS: u16 = 50;
/// How many rows the map has.
pub const ROWS: u16 = 36;

/// A hex, by its place in the table of hexes: column after column.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Hex(pub u16);

/// What changes on the operational map besides the counters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OpsMap {
    /// Built redoubts, one bit for each printed redoubt hex in the order of the table.
    pub redoubts: u16,
    /// Who stood last on each blue star, one bit each: set for the French.
    pub stars: u16,
    /// The two ends of the bridge.
    pub bridge: Option<(Hex, Hex)>,
    /// The bridge declared this turn.
    pub declared: Option<(Hex, Hex)>,
}
