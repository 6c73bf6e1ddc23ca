//! Section 4.4 of the fire chapter, the bookkeeping: losses gather on a marker, and each 40 of
//! them take a figure.

use kernel::{Clerk, Losses};
use rulebook::options::tabletop::{FigureLostAt40, Options};
use rulebook::rule;

use crate::Arm;

/// One figure is 40 men (FE-R67).
pub const MEN_PER_FIGURE: i32 = 40;

/// What losses do to a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Toll {
    /// The losses that count: no more than remove the body.
    pub losses: Losses,
    /// Figures to remove.
    pub figures: i32,
    /// What stays on the marker.
    pub marker: Losses,
    /// No figure is left.
    pub destroyed: bool,
}

/// Adds losses to the marker of a body of `figures` figures and converts what is due.
pub fn take(
    marker: Losses,
    losses: Losses,
    figures: i32,
    arm: Arm,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Toll {
    let all = Losses::men(MEN_PER_FIGURE * figures) - marker;
    let losses = if losses > all { clerk.limit(rule!(FE_R66), all) } else { losses };
    let mut total = marker + losses;
    if marker > Losses::ZERO && losses > Losses::ZERO {
        total = clerk.rather(rule!(FE_4_4_02), total, losses);
    }
    let due = match options.figure_lost_at_40 {
        FigureLostAt40::Reached => total.count() / MEN_PER_FIGURE,
        FigureLostAt40::Exceeded => {
            let full = total.count() / MEN_PER_FIGURE;
            let exceeded = (total.count() - 1).max(0) / MEN_PER_FIGURE;
            if full == exceeded { full } else { clerk.rather(rule!(FE_R54), exceeded, full) }
        }
    };
    // The last figure goes when its 40 are full, whatever the option: there is nothing left to hit.
    let mut gone = if total.count() >= MEN_PER_FIGURE * figures { figures } else { due.min(figures) };
    let mut rest = Losses::men(total.count() - MEN_PER_FIGURE * gone);
    if gone > 0 {
        gone = clerk.value(rule!(FE_4_1_09), gone);
        rest = clerk.value(rule!(FE_4_4_03), rest);
        if arm == Arm::Officer {
            gone = clerk.rather(rule!(FE_1_5_14), gone, 0);
        }
    }
    let rest = clerk.value(rule!(FE_4_4_01), rest);
    Toll { losses, figures: gone, marker: rest, destroyed: gone == figures }
}

#[cfg(test)]
mod tests {
    use kernel::{Desk, Scripted, Silent};
    use proptest::prelude::*;

    use super::*;

    fn toll(marker: i32, losses: i32, figures: i32) -> (i32, i32) {
        let mut desk = Desk::new(Scripted::new(&[]), Silent);
        let (marker, losses) = (Losses::men(marker), Losses::men(losses));
        let toll = take(marker, losses, figures, Arm::Infantry, &Options::default(), &mut desk);
        (toll.figures, toll.marker.count())
    }

    #[test]
    fn fe_ex_31_losses_of_fire_and_melee_gather() {
        assert_eq!(toll(10, 15, 24), (0, 25));
    }

    #[test]
    fn fe_ex_32_a_figure_goes_and_the_rest_stays() {
        assert_eq!(toll(35, 20, 24), (1, 15));
    }

    #[test]
    fn fe_ex_45_forty_is_enough() {
        assert_eq!((toll(25, 15, 24), toll(0, 120, 24), toll(10, 110, 24)), ((1, 0), (3, 0), (3, 0)));
    }

    #[test]
    fn the_option_exceeded_keeps_forty_on_the_marker() {
        let exceeded = Options { figure_lost_at_40: FigureLostAt40::Exceeded, ..Options::default() };
        let mut desk = Desk::new(Scripted::new(&[]), Silent);
        let toll = take(Losses::men(25), Losses::men(15), 24, Arm::Infantry, &exceeded, &mut desk);
        assert_eq!((toll.figures, toll.marker.count()), (0, 40));
    }

    proptest! {
        #[test]
        fn nothing_is_gained_or_lost(marker in 0_i32..8, losses in 0_i32..200, figures in 1_i32..30) {
            let mut desk = Desk::new(Scripted::new(&[]), Silent);
            let (marker, losses) = (Losses::men(5 * marker), Losses::men(5 * losses));
            let toll = take(marker, losses, figures, Arm::Infantry, &Options::default(), &mut desk);
            prop_assert_eq!(toll.losses.count() + marker.count(), 40 * toll.figures + toll.marker.count());
            prop_assert!(toll.figures <= figures && toll.losses <= losses);
            prop_assert_eq!(toll.destroyed, toll.figures == figures);
        }
    }
}
