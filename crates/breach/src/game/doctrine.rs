//! The machine's seat: it plays at random, but rather does something than nothing.

use kernel::Live;
use opponent::{Planner, any_of};

use super::{Action, State, View};
use crate::scenario::Side;

impl Planner for State {
    fn plan(_: Side, _: &View, offered: &[Action], stream: &mut Live) -> Action {
        let rest =
            offered.iter().find(|action| matches!(action, Action::DeployTheRest | Action::PlaceTheRest));
        if let Some(rest) = rest {
            return rest.clone();
        }
        let any = any_of(offered, stream);
        // To do something is mostly better than to let it be.
        let again = ends(any) && offered.len() > 1 && stream.below(4) != 0;
        if again { any_of(offered, stream).clone() } else { any.clone() }
    }
}

/// Whether a decision lets something be.
fn ends(action: &Action) -> bool {
    matches!(
        action,
        Action::EndInitiative
            | Action::EndOrders
            | Action::Dismiss
            | Action::EndCharacters
            | Action::EndShooting
            | Action::EndDig
            | Action::Halt
            | Action::Abandon(_)
    )
}
