//! The server as players, cheats and accidents meet it: a process, a database, and the wire.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

mod attacks;
mod bounds;
mod client;
mod crash;
mod damage;
mod documented;
mod fair;
mod hostile;
mod house;
mod limits;
mod minds;
mod play;
mod processes;
mod secret;
mod start;
mod tables;
