//! A tiny honest game, and everything the kernel promises to games, proven with it.

#![allow(clippy::unwrap_used, reason = "every function here is part of a test")]

mod agreed;
mod broken;
mod contract;
mod fair;
mod record;
mod sealed;
mod standard;
