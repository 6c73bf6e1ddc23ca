//! Le Siège de Dantzig 1807: a whole game on two maps.
//!
//! A game to its end, both sides played by the machine from what each of them may see:
//!
//! ```
//! use danzig::State;
//! use kernel::{Desk, Game, Live, Setup, Silent};
//! use opponent::Planner;
//!
//! let setup = Setup { scenario: "assault-1807".to_owned(), ..Setup::default() };
//! let mut game = State::start(&setup).unwrap();
//! let mut clerk = Desk::new(Live::numbered(1807), Silent);
//! let (mut stream, mut actions) = (Live::numbered(1), Vec::new());
//! while let Some(place) = game.deciders().first() {
//!     let side = State::SIDES[place];
//!     game.actions(side, &mut actions);
//!     let order = State::plan(side, &game.view(Some(side)), &actions, &mut stream);
//!     game.perform(side, &order, &mut clerk);
//! }
//! let outcome = game.outcome().unwrap();
//! assert_eq!(outcome.cut, Some(danzig::Cut::Assault));
//! println!("{:?}, surrendered in turn {:?}", outcome.result, outcome.surrendered);
//! ```
//!
//! With [`kernel::Play`] instead of `perform` the same game is recorded, and can be verified by anybody; with
//! [`questions`] the umpire answers about any single situation of it.

mod action;
mod ask;
pub mod board;
mod cut;
pub mod doctrine;
pub mod draw;
mod errand;
mod features;
mod gauges;
mod morale;
mod offer;
pub mod ops;
mod play;
mod roster;
pub mod say;
mod sequence;
pub mod series;
pub mod setup;
pub mod siege;
mod state;
mod unit;
mod view;

pub use action::Action;
pub use ask::{inquiries, questions};
pub use cut::Cut;
pub use gauges::{steps, walls};
pub use play::auto_choice;
pub use roster::{ROSTER, Unit};
pub use sequence::{SCENARIOS, arrival, relief_turn};

pub use state::{Clock, Danzig, Hand, Marching, Options, Outcome, Owed, Phase, Score, State, Table};
pub use unit::{Arm, Corps, Formation, Level, Marks, Nation, Place, Side, UNITS, UnitId, UnitSet, UnitState};
pub use view::View;
