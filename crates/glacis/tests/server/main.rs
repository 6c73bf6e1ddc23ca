//! The server as players, cheats and accidents meet it: a process, a database, and the wire.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod client;
mod crash;
mod damage;
mod hostile;
mod house;
mod play;
mod processes;
mod start;
