//! Whole games: the contract of the kernel, random games, golden playthroughs, refusals.

mod common;
mod conformance;
mod playthroughs;
mod random_games;
mod refusals;
