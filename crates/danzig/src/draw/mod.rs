//! The maps drawn as an engraved plan: pure functions from the table to SVG.

mod chart;
mod ink;
pub mod ops;
pub mod siege;
mod siege_ground;
