//! Whole games: the contract of the kernel, random games, options, golden playthroughs, refusals.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

mod common;
mod conformance;
mod decisions;
mod doctrine;
mod examples;
mod machine;
mod marches;
mod newcomers;
mod options;
mod playthroughs;
mod random_games;
mod refusals;
mod saved;
mod steps;
mod told;
mod walls;
