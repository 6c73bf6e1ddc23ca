//! Le Siège de Dantzig 1807: a whole game on two maps.

mod morale;
pub mod ops;
pub mod siege;
mod state;
mod unit;

pub use state::{Danzig, Options, Owed, Table};
pub use unit::{
    Arm, Corps, Formation, Level, Marks, Nation, Place, ROSTER, Side, UNITS, Unit, UnitId, UnitSet, UnitState,
};
