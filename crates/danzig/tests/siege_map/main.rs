//! The rules of the siege map on a whole table, by chapter: the examples of the book and the orders it
//! refuses.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

mod assaults;
mod choices;
mod common;
mod garrison;
mod guns;
mod refusals;
mod walls;
mod works;
