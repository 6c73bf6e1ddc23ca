//! Questions of the operational map: what a march costs, what a volley does, how a melee ends. Plain
//! facts or the counters of a saved game enter; the answer comes from the very rules of the game.

mod fire;
mod march;
mod melee;
#[cfg(test)]
mod tests;

use kernel::{Refusal, Verdict};
use rulebook::{Asking, Inquiring, phrase::danzig_ops as phrase, rule};

use crate::ops::Terrain;
use crate::{Arm, Formation, State};

/// The questions of the operational map.
pub(super) fn questions() -> Vec<Asking> {
    vec![
        rulebook::question::<march::MoveQuestion>(),
        rulebook::question::<fire::FireQuestion>(),
        rulebook::question::<melee::MeleeQuestion>(),
    ]
}

/// The same, asked about a position.
pub(super) fn inquiries() -> Vec<Inquiring<State>> {
    vec![
        rulebook::inquiry::<march::MoveQuestion>(),
        rulebook::inquiry::<fire::FireQuestion>(),
        rulebook::inquiry::<melee::MeleeQuestion>(),
    ]
}

const fn clear() -> Terrain {
    Terrain::Clear
}

/// Whether an arm knows a formation.
const fn knows(arm: Arm, formation: Formation) -> bool {
    match arm {
        Arm::Infantry => matches!(
            formation,
            Formation::Column
                | Formation::Line
                | Formation::Square
                | Formation::Skirmish
                | Formation::Adapted
        ),
        Arm::LightCavalry | Arm::HeavyCavalry => {
            matches!(formation, Formation::Formed | Formation::Blown | Formation::Adapted)
        }
        _ => matches!(formation, Formation::Limbered | Formation::Unlimbered),
    }
}

/// Whether an arm may take a formation.
fn check_formation(arm: Arm, formation: Formation, field: String) -> Verdict<()> {
    if knows(arm, formation) {
        Ok(())
    } else {
        Err(Refusal::rule(rule!(DZ_R94), phrase::FORMATION_ARM).at(field))
    }
}
