//! The program as a library: games hosted over HTTP, kept in a database, the questions of the umpire
//! and the commands of the terminal. The command line is a thin layer over it.
//!
//! The registry lists the systems; every game of it is begun, played and recorded by the same means:
//!
//! ```
//! use glacis::host::Hosted;
//! use kernel::{HexHash, Record, Setup, Source, Terms};
//!
//! for game in glacis::systems().into_iter().filter_map(|system| system.game) {
//!     let setup = Setup { scenario: game.hosting.scenarios[0].to_owned(), ..Setup::default() };
//!     let seed = Source::Open(HexHash([7; 32]));
//!     let begun = game.hosting.begin(&setup, seed, None, Terms::default()).unwrap();
//!     assert!(!begun.is_over() && begun.awaited().count() > 0);
//!     assert!(Record::read(&begun.header_line()).is_ok());
//! }
//! ```

pub mod arena;
pub mod host;
mod plain;
#[cfg(feature = "server")]
pub mod serve;
pub mod simulation;
#[cfg(feature = "server")]
pub mod store;
pub mod system;
pub mod systems;
pub mod terminal;

pub use plain::printable;
pub use system::System;
pub use systems::{questions, systems};
