//! Towers: the base of an element enters; whether it is a tower, and how many stands it holds,
//! leave. Section "towers" of the supplement.

use kernel::{Clerk, Effect, Millimetres};
use rulebook::rule;
use schemars::JsonSchema;
use serde::Serialize;

/// What an element of a fortress is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Tower {
    /// Whether it is a tower; otherwise it is a wall section.
    pub is_tower: bool,
    /// Stands it holds; none when it is no tower.
    pub stands: i32,
}

/// The least side of a tower.
const LEAST: Millimetres = Millimetres::whole(40);
/// Half of a stand is a square of this side.
const HALF_STAND: Millimetres = Millimetres::whole(20);

/// Judges an element by its base; `tall` when it was declared a tower for its height before the game.
pub fn tower(base: [Millimetres; 2], tall: bool, clerk: &mut impl Clerk) -> Tower {
    let large = base.into_iter().all(|side| side >= LEAST);
    clerk.applied(rule!(BR_TOWERS_01));
    if !large {
        if !tall {
            return Tower { is_tower: false, stands: 0 };
        }
        clerk.applied(rule!(BR_TOWERS_02));
    }
    let [across, deep] = base.map(|side| side.count().max(0) / HALF_STAND.count());
    clerk.applied(rule!(BR_R12));
    let fit = across.saturating_mul(deep) / 2;
    // A tower by declaration holds one stand at least (BR-R12).
    let stands = fit.saturating_mul(2).max(1);
    clerk.because(rule!(BR_TOWERS_22), Effect::Limit(stands.into()));
    Tower { is_tower: true, stands }
}
