//! The siege map (chapters 4 and 8): a metric plane with two walls, the works of the besieger and the
//! guns of both sides. Rules here take the table and a clerk, and give verdicts and results.

pub mod fire;
pub mod geometry;
mod ground;
pub mod melee;
mod state;
mod tables;

pub use geometry::{Facing, Fine, Rect, Spot};
pub use ground::{GROUND, Ground, Piece};
pub use state::*;
pub use tables::{Blow, FireResult};
