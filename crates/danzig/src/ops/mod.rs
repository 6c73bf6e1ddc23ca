//! The operational map: hexes, movement, fire and melee around the city (chapter 3).
//!
//! What the sequence of the turn asks of this room, all on [`Table`](crate::Table); `list_*` fill a
//! vector that is reused (sorted is not needed), `check_*` say why not, the verbs change the table:
//! - movement, one hex or one turn at a time: `Mover` (small, Copy, serde: a
//!   [`UnitSet`](crate::UnitSet) of one hex and what is left of its points), `Stride` (Copy, Ord,
//!   serde: into a neighbour, turn to a facing, take a formation, ferry, into/out of the city, into
//!   the concentration area ...), `list_movers(table, side, &mut Vec<UnitSet>)`,
//!   `take_up(table, UnitSet) -> Mover`, `list_strides(table, &Mover, &mut Vec<Stride>)`,
//!   `check_stride(..) -> Verdict<..>`, `stride(&mut table, &mut Mover, Stride, clerk)` (fortress
//!   opportunity fire included); `enter(&mut table, UnitId, Hex, clerk) -> Mover` for entries;
//! - `list_opportunity(table, &Mover, left: Hex, &mut Vec<UnitId>)`,
//!   `opportunity_shot(&mut table, UnitId, &Mover, left, clerk)`;
//! - `forced_retreats(table, side, &mut Vec<UnitId>)`, `retreat(&mut table, UnitId, clerk)`;
//! - charges: `list_charges(table, side, &mut Vec<Charge>)`, reactions, `charge(..)`;
//! - fire: `Attack { target: Hex, firers: UnitSet }`, `list_fire(table, side, defensive: bool,
//!   &mut Vec<Attack>)`, `check_fire`, `fire`; `fortress_defensive_fire(&mut table, clerk)`;
//!   `anyone_targeted(table) -> bool` for the end of the rounds;
//! - melee: `Melee { target: Hex, attackers: UnitSet }`, `list_melees`, `check_melee`, `melee`;
//! - boats, bridge, redoubts: `list_*`, `check_*`, verb; `rally(&mut table, clerk)`;
//!   `invested(table) -> bool`.
//!
//! Losses that the owner may share out in more than one way are pushed on `table.owed`.

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

mod stub;
pub use stub::*;
