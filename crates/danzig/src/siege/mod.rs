//! The siege map (chapters 4 and 8): a metric plane with two walls, the works of the besieger and the
//! guns of both sides. Rules here take the table and a clerk, and give verdicts and results.

mod candidates;
pub mod fire;
pub mod geometry;
mod ground;
pub mod melee;
mod network;
pub mod sight;
mod state;
mod tables;
mod trench;

pub use candidates::candidates;
pub use geometry::{Facing, Fine, Rect, Spot};
pub use ground::{GROUND, Ground, Piece};
pub use sight::{BatteryTarget, GunTarget, Sited, list_enfiladed};
pub use state::*;
pub use tables::{Blow, FireResult};
pub use trench::{Site, check_site};

mod wanted;
pub use wanted::*;
