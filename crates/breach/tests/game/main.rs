//! Whole games: random games to their end with the invariants of the law, the contract of the kernel, and
//! the worked examples of the game page.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

mod agreed;
mod conformance;
mod devices;
mod doctrine;
mod ends;
mod examples;
mod invariants;
mod laid;
mod lists;
mod magic;
mod newcomers;
mod page;
mod players;
mod random_games;
mod records;
mod table;
mod works;
