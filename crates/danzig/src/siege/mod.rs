//! The siege map: walls, trenches, batteries and what is done to them (chapter 4).
//!
//! What the sequence of the turn asks of this room, all on [`Table`](crate::Table); `list_*` fill a
//! vector that is reused (sorted is not needed), `check_*` say why not, the verbs change the table:
//! - fire: `list_mortars`, `fire_mortar`; `GunTarget` (wall point or Kalke side),
//!   `list_gun_shots(table, &mut Vec<(UnitId, GunTarget)>)`, `check_gun_shot`, `fire_gun`;
//!   `explode_mine`, `countermine`; `list_battery_shots` / `check_` / `fire_battery` for the Prussian;
//! - works: `Build` (Copy, Ord, serde: repair, sap, parallel, battery, upgrade, on the wall, printed
//!   redoubt, shorten, mine, remove, each with its pose and worker), `list_repairs`, `list_builds`
//!   (candidates), `check_build`, `build`; `demolitions(&mut table, clerk)`;
//!   `list_enfiladed(table, &mut Vec<WorkId>)`, `enfilade_shot`;
//! - movement: `SiegeMove` (unit or group, to a work, concentration area, box, Kalke or along an open
//!   path), `list_moves`, `check_move`, `begin_move` / one `opportunity shot or waive` at a time;
//! - assaults: `Assault { units: UnitSet, target }`, `list_assaults`, `check_`, `assault`, Kalke too;
//! - Prussian: `GarrisonMove` (infantry, battery, pivot) with `list_`, `check_`, verb; `list_displacements`
//!   (battery, point, facing), `displace`; `repair_wall`; `Sortie` with `list_`, `check_`, `begin_sortie`,
//!   field fire, defenders, melees; `CounterAttack` likewise, `occupy`;
//! - `captures(&mut table, clerk)`, `rally(&mut table, Side, clerk)`, `breach(table) -> bool`.
//!
//! Losses that the owner may share out in more than one way, batteries to be displaced, surplus steps
//! and occupiers are pushed on `table.owed`. Morale: methods of [`Danzig`](crate::Danzig).

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
