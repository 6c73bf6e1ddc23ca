//! The program as a library: games hosted over HTTP, kept in a database, the questions of the umpire
//! and the commands of the terminal. The command line is a thin layer over it.

pub mod host;
mod plain;
pub mod serve;
pub mod store;
pub mod system;
pub mod systems;
pub mod terminal;

pub use plain::printable;
pub use system::System;
pub use systems::{questions, systems};
