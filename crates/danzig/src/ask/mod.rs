//! The umpire's questions of Danzig.

mod ops;

pub use ops::{FireQuestion, MeleeQuestion, MoveQuestion};

/// The questions of the operational map.
#[must_use]
pub fn operational() -> Vec<rulebook::Asking> {
    vec![
        rulebook::question::<MoveQuestion>(),
        rulebook::question::<FireQuestion>(),
        rulebook::question::<MeleeQuestion>(),
    ]
}
