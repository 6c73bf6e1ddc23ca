//! Le Siège de Dantzig 1807: a whole game on two maps.

mod action;
mod ask;
pub mod board;
mod cut;
mod doctrine;
pub mod draw;
mod errand;
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
