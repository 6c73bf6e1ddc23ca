//! The pages of Glacis: pure functions from data to HTML and SVG, and the router that serves them.
//!
//! Everything works without scripts; one small module makes it quicker. A page depends on what is
//! asked and on the reader's language and nothing else, so the same functions can run in a browser
//! tab.
//!
//! ```
//! use pages::Pages;
//!
//! let pages = Pages::new(tabletop::questions());
//! let router = pages::router(pages);
//! # let _: axum::Router = router;
//! ```

mod answer;
mod assets;
mod error;
mod fort;
pub mod game;
mod home;
mod page;
mod probe;
mod query;
mod reader;
mod router;
mod rules;
mod shape;
mod shelf;
mod system;
mod table;
mod typography;
mod umpire;

pub use error::{not_found, refusal_page};
pub use query::Query;
pub use reader::{Reader, Theme};
pub use router::{Pages, router, routes};
pub use shelf::{Shelf, Shelved, shelf_word};
pub use system::{Figure, Map, Playable, System, place_names};
pub use umpire::{explorer_places, scene_picture};
