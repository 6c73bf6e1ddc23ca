//! The umpire's questions of Danzig.

mod ops;
mod siege;

use rulebook::Asking;

/// Every question of this system.
#[must_use]
pub fn questions() -> Vec<Asking> {
    let mut all = ops::questions();
    all.extend(siege::questions());
    all
}
