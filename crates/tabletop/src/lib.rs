//! The miniatures table: the fire and terrain chapters as an umpire.
//!
//! A table is written as a [`scene::Setup`] (JSON), checked into a [`scene::Scene`], and asked
//! about: who sees whom, who may fire at what, with what losses.

pub mod geometry;
pub mod scene;
