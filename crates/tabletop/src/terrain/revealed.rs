//! How long a unit that gave itself away in a wood or a house stays known to the enemy (TE-R30).

use kernel::Clerk;
use rulebook::options::tabletop::{Options, RevealedLasts};
use rulebook::rule;
use schemars::JsonSchema;
use serde::Deserialize;

/// A unit that has fired, fought or started to leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GaveItselfAway {
    /// Quarters since then in which it neither fired, fought nor moved out.
    pub quiet_quarters: u16,
    /// It is in a wood, and no figure stands at the edge any more.
    #[serde(default)]
    pub left_the_edge: bool,
}

/// Quarters of a period.
const PERIOD: u16 = 4;

/// Does the enemy still know of it?
pub fn still(unit: GaveItselfAway, options: &Options, clerk: &mut impl Clerk) -> bool {
    let known = match options.revealed_lasts {
        RevealedLasts::OnePeriod => unit.quiet_quarters < PERIOD && !unit.left_the_edge,
        RevealedLasts::WholeGame => true,
    };
    clerk.value(rule!(TE_R30), i32::from(known)) == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    #[test]
    fn a_quiet_period_hides_again_unless_the_option_remembers() {
        let known = |quiet_quarters, left_the_edge, options: &Options| {
            told(|clerk| still(GaveItselfAway { quiet_quarters, left_the_edge }, options, clerk)).0
        };
        let mut options = Options::default();
        assert!(known(3, false, &options) && !known(4, false, &options) && !known(0, true, &options));
        options.revealed_lasts = RevealedLasts::WholeGame;
        assert!(known(40, true, &options));
    }
}
