//! Players that choose. A player is given what its side may see and what it may decide, and has a
//! random stream of its own: it never sees the table itself, nor the dice to come.
//!
//! - [`Random`] knows nothing of the game;
//! - [`Sensible`] plays the doctrine of the game's own [`Planner`], which stands beside its rules;
//! - [`Featured`] says how a game is told in numbers, to players that learn;
//! - [`Search`] thinks ahead: it tries what the doctrine proposes, and other orders, on tables that it imagines;
//! - [`duel`](fn@duel) lets two or more of them play a game out, by number, for whoever counts games.
//!
//! ```
//! use countermine::{Action, Countermine, Side, setup};
//! use kernel::{Game, Live};
//! use opponent::{Player, Random};
//!
//! let game = Countermine::start(&setup("narrow", None)).unwrap();
//! let mut offered = Vec::new();
//! game.actions(Side::Garrison, &mut offered);
//! let view = game.view(Some(Side::Garrison));
//! let order = Player::<Countermine>::choose(
//!     &mut Random, Side::Garrison, &view, &offered, &mut Live::numbered(1),
//! );
//! assert!(matches!(order, Action::Lay(_)));
//! ```

mod duel;
pub mod features;
mod level;
mod player;
mod random;
mod search;
mod searcher;
mod sensible;

pub use duel::{Duel, LONGEST, duel, watched};
pub use features::{Featured, Pen};
pub use level::{Level, NoSuchLevel};
pub use player::Player;
pub use random::{Random, any_of};
pub use search::{Budget, NoBudget, Prospect, Search, Thought};
pub use searcher::{Searcher, one_of_each_kind};
use sensible::order_of;
pub use sensible::{Planner, Sensible};
