//! Whole games: random games to their end with the invariants of the law, and the contract of the kernel.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

mod board;
mod conformance;
mod doctrine;
mod examples;
mod examples_attrition;
mod examples_ends;
mod examples_fights;
mod examples_marches;
mod history;
mod invariants;
mod lines;
mod lists;
mod newcomers;
mod random_games;
mod statements;
mod table;
