//! The umpire's questions of Danzig.

mod siege;

use rulebook::Asking;

/// Every question of this system.
#[must_use]
pub fn questions() -> Vec<Asking> {
    siege::questions()
}
