//! The program as a library: games hosted over HTTP, kept in a database, and the questions of the
//! umpire. The command line is a thin layer over it.

pub mod host;
pub mod serve;
pub mod store;

use host::System;
use rulebook::Asking;

/// All questions of all systems, by name.
#[must_use]
pub fn questions() -> Vec<Asking> {
    let mut all = tabletop::questions();
    all.sort_by_key(|asking| asking.name);
    all
}

/// The systems whose games can be played.
#[must_use]
pub fn systems() -> Vec<System> {
    Vec::new()
}
