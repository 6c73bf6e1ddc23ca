//! The miniatures table: the fire and terrain chapters as an umpire.

pub mod movement;
pub mod terrain;
