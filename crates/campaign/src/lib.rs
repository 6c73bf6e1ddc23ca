//! The 1805 campaign: every chart of the book as typed code, as a question to the umpire and as a
//! sheet for the table; and the map it is played on.
//!
//! One module per chart. Each is a function that is handed a [`kernel::Clerk`], so that the same
//! code answers with the dice of a real table, gives the exact odds, and says why:
//!
//! ```
//! use campaign::combat::{Attack, resolve};
//! use campaign::{Line, terms::{Party, Strength}};
//!
//! let attack = Attack::new(Strength::whole(10), Strength::whole(5), Line::Na);
//! let (outcome, notes) =
//!     kernel::scripted(&[6], |clerk| resolve(&attack, &Default::default(), clerk)).unwrap();
//! assert_eq!((outcome.attacker, outcome.defender, outcome.loser), (3, 2, Party::Attacker));
//! assert!(notes.reasons().any(|because| because.rule.as_str() == "CA-crt-07"));
//! ```
//!
//! A march on the map, along the road from Brünn to Olmütz, free and with an enemy in the way:
//!
//! ```
//! use campaign::routes::{Enemy, Field};
//! use campaign::terms::{Arm, Game, Weather};
//! use campaign::{HexId, map};
//! use kernel::MovementPoints;
//!
//! let [from, to] = ["1822", "2121"].map(|hex| HexId::read(hex).unwrap());
//! let (options, six) = (Default::default(), MovementPoints::whole(6));
//! let free = Field::new(map(), Weather::Clear, Game::Campaign, &[], &[], &options);
//! let ways = free.ways(Arm::Infantry, from, six);
//! assert_eq!(ways.cost(to), Some(MovementPoints::halves(5)));
//! assert_eq!(ways.path(to).len(), 4);
//!
//! let enemy = Enemy { hex: to, sp: 500, cavalry: true, foraging: false };
//! let held = Field::new(map(), Weather::Clear, Game::Campaign, &[enemy], &[], &options);
//! assert_eq!(held.ways(Arm::Infantry, from, six).cost(to), None);
//! ```

pub mod admin;
pub mod artillery;
mod ask;
pub mod attrition;
pub mod battle;
pub mod board;
pub mod bridges;
mod chart;
pub mod combat;
mod draw;
pub mod game;
pub mod initiative;
pub mod map;
pub mod politics;
pub mod pursuit;
pub mod routes;
pub mod tables;
pub mod terms;
pub mod terrain;
pub mod weather;

pub use ask::questions;
pub use chart::charts;
pub use draw::{map_names, map_svg, sheet_svg};
pub use map::{HexId, Map, map};
pub use tables::Line;
