//! The umpire on the siege map: one shot, arc and sight, enfilade, the place of a work, an assault, a
//! sortie, a morale test. Facts or the counters of a saved game enter, the rules of the game answer.

mod arc;
mod assault;
mod enfilade;
mod facts;
mod fire;
mod morale;
mod place;
mod sortie;
#[cfg(test)]
mod tests;

use rulebook::{Asking, Inquiring};

use crate::State;

/// The questions of the siege map.
pub(super) fn questions() -> Vec<Asking> {
    vec![
        rulebook::question::<fire::SiegeFire>(),
        rulebook::question::<arc::Arc>(),
        rulebook::question::<enfilade::Enfilade>(),
        rulebook::question::<place::PlaceWork>(),
        rulebook::question::<assault::AssaultQuestion>(),
        rulebook::question::<sortie::SortieQuestion>(),
        rulebook::question::<morale::Morale>(),
    ]
}

/// The same, asked about a position.
pub(super) fn inquiries() -> Vec<Inquiring<State>> {
    vec![
        rulebook::inquiry::<fire::SiegeFire>(),
        rulebook::inquiry::<arc::Arc>(),
        rulebook::inquiry::<enfilade::Enfilade>(),
        rulebook::inquiry::<place::PlaceWork>(),
        rulebook::inquiry::<assault::AssaultQuestion>(),
        rulebook::inquiry::<sortie::SortieQuestion>(),
        rulebook::inquiry::<morale::Morale>(),
    ]
}
