//! What a result leaves to be decided: losses, retreats, hexes won, batteries that must leave.

use super::{Mind, prussian};
use crate::action::Action;
use crate::ops::map;
use crate::state::Owed;
use crate::unit::{Place, Side};

/// Settles what is owed.
pub(crate) fn settle(mind: &Mind<'_>, owed: Owed) -> Action {
    let table = mind.table();
    match owed {
        // Whole battalions before the last step of one, and of those the least steady.
        Owed::Losses { .. } => mind.best_or_rest(|action| match action {
            Action::TakeLoss { unit } => {
                let counter = table.unit(*unit);
                Some(i32::from(counter.steps) * 10 - i32::from(unit.data().morale))
            }
            _ => None,
        }),
        Owed::Retreat { .. } | Owed::Excess(_) => mind.offered[0],
        Owed::GiveWay(_) => mind.first(|action| matches!(action, Action::GiveWay { to: None, .. })),
        // What was won is held, except under the guns of the fortress.
        Owed::Occupy { hex, .. } => {
            let shelled = mind.side == Side::French && map().shaded(hex) && map().cell(hex).star.is_none();
            mind.first(|action| matches!(action, Action::Occupy { from } if from.is_some() != shelled))
        }
        Owed::Battery(battery) => prussian::displace(mind, battery),
        // The strongest stays on the point that was won; on the launching point nobody is wanted.
        Owed::Occupier { won, .. } => mind.best_or_rest(|action| match action {
            Action::ChooseOccupier { unit: Some(unit) } if won => Some(i32::from(table.unit(*unit).steps)),
            Action::ChooseOccupier { unit: None } => Some(0),
            Action::ChooseOccupier { unit: Some(unit) } => {
                // He may as well stand on a wall that nobody holds.
                let empty = !matches!(table.unit(*unit).place, Place::Green(_));
                Some(i32::from(empty))
            }
            _ => None,
        }),
    }
}
