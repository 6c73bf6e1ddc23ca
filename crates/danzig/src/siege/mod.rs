//! The siege map (chapters 4 and 8): a metric plane with two walls, the works of the besieger and the
//! guns of both sides. Rules here take plain data and a clerk, and give verdicts and results.

pub mod geometry;
mod state;

pub use geometry::{Facing, Fine, Rect, Spot};
pub use state::*;

mod wanted;
pub use wanted::*;
