//! Sections 4.3 and 6 of the fire chapter: the loss table and the arithmetic of its readings.

use std::cmp::Ordering;

use kernel::{Clerk, Effect, Losses, RuleId};
use rulebook::options::tabletop::{CanisterDoubleOrder, FactorAbove15, FactorBelowMinus5, Options, Rounding};
use rulebook::rule;
use rulebook::tables::tabletop_fire::LOSS_TABLE;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a figure fired: a quarter fire is halved.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Duration {
    /// The half-period.
    #[default]
    Whole,
    /// One quarter of the period.
    Quarter,
}

/// Figures that fire with the same factor for the same time (FE-2.2-01).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The factor, die included.
    pub factor: i32,
    /// How many figures.
    pub figures: i32,
    /// How long.
    pub duration: Duration,
}

/// What is done to the readings of a fire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjustment {
    /// One tenth more: enough figures of a higher factor (FE-2.2-06).
    pub tenth_more: bool,
    /// Canister under 10 cm (FE-3.3-10).
    pub doubled: bool,
}

const LOWEST: i32 = -5;
const HIGHEST: i32 = 15;

/// The table's figure for a factor and a number of figures (FE-4.3-04), in blocks of 24 (FE-R50).
pub fn reading(factor: i32, figures: i32, options: &Options, clerk: &mut impl Clerk) -> Losses {
    let below = factor < LOWEST && options.factor_below_minus_5 == FactorBelowMinus5::Zero;
    let read = if figures <= 0 {
        0
    } else if below {
        clerk.value(rule!(FE_R76), 0)
    } else {
        let factor = if factor < LOWEST { clerk.value(rule!(FE_R76), LOWEST) } else { factor };
        let row = usize::try_from(factor.clamp(LOWEST, HIGHEST) - LOWEST).unwrap_or(0);
        let row = &LOSS_TABLE[row].n;
        let blocks = figures / 24 * row[23];
        let rest = usize::try_from(figures % 24).ok().and_then(|rest| rest.checked_sub(1));
        blocks + rest.map_or(0, |rest| row[rest])
    };
    let read = match options.factor_above_15 {
        FactorAbove15::AddOneLossPerFigurePerPointThenRoundTo5 if factor > HIGHEST && figures > 0 => {
            let more = round5(10 * (read + figures * (factor - HIGHEST)));
            clerk.value(rule!(FE_R51), Losses::men(more)).count()
        }
        _ => read,
    };
    clerk.value(rule!(FE_6_01), Losses::men(read))
}

/// Ten times a value, rounded to a multiple of 5: 2.5 and more go up (FE-4.3-06, FE-4.3-07).
const fn round5(tenths: i32) -> i32 {
    let (fives, rest) = (tenths / 50, tenths % 50);
    5 * fives + if rest >= 25 { 5 } else { 0 }
}

/// One tenth more, rounded to a multiple of 5 (FE-2.2-05, FE-4.3-05).
#[must_use]
pub fn uplift(losses: Losses, clerk: &mut impl Clerk) -> Losses {
    rounded(tenths(losses, clerk.times(rule!(FE_4_3_05), (11, 10))), clerk)
}

/// Half, rounded to a multiple of 5, but half of 5 is nothing (FE-4.3-08, FE-4.3-10, FE-4.3-12).
#[must_use]
pub fn halve(losses: Losses, clerk: &mut impl Clerk) -> Losses {
    if losses == Losses::men(5) {
        return clerk.value(rule!(FE_4_3_12), Losses::ZERO);
    }
    let half = rounded(tenths(losses, clerk.times(rule!(FE_4_3_08), (1, 2))), clerk);
    if 2 * half.count() == losses.count() { half } else { clerk.value(rule!(FE_4_3_10), half) }
}

/// The losses of a body behind another that the same fire struck: less half of what that one took
/// (FE-R30), never below nothing.
#[must_use]
pub fn behind(losses: Losses, front: Losses, rule: RuleId, clerk: &mut impl Clerk) -> Losses {
    let half = halve(front, clerk);
    let less = clerk.modifier(rule, -half.count());
    (losses + Losses::men(less)).max(Losses::ZERO)
}

/// Half of what a melee entered in the second half-period inflicts (FE-4.3-09).
#[must_use]
pub fn halve_melee(losses: Losses, clerk: &mut impl Clerk) -> Losses {
    if clerk.holds(rule!(FE_4_3_09), true) { halve(losses, clerk) } else { losses }
}

/// Tenths of these losses times a fraction.
fn tenths(losses: Losses, (numerator, denominator): (u32, u32)) -> i32 {
    10 * losses.count() * numerator.cast_signed() / denominator.cast_signed()
}

fn rounded(tenths: i32, clerk: &mut impl Clerk) -> Losses {
    let result = Losses::men(round5(tenths));
    match (10 * result.count()).cmp(&tenths) {
        Ordering::Greater => clerk.value(rule!(FE_4_3_06), result),
        Ordering::Less => clerk.value(rule!(FE_4_3_07), result),
        Ordering::Equal => result,
    }
}

/// Whether one tenth is added: the figures of a higher base factor are at least a quarter of those
/// that fire (FE-2.2-06).
#[must_use]
pub fn earns_a_tenth_more(superior: i32, figures: i32, clerk: &mut impl Clerk) -> bool {
    if superior == 0 {
        return false;
    }
    let granted = 4 * superior >= figures;
    clerk.because(rule!(FE_2_2_06), if granted { Effect::Times(11, 10) } else { Effect::Refused });
    rule!(FE_2_2_06).holds(granted)
}

/// The losses of one fire on one body: readings, one tenth, doubling, halving, in this order
/// (FE-4.1-08, FE-4.3-11, FE-R37, FE-R53).
pub fn losses(groups: &[Group], adjustment: Adjustment, options: &Options, clerk: &mut impl Clerk) -> Losses {
    let mut whole = Losses::ZERO;
    let mut quarter = Losses::ZERO;
    if !clerk.holds(rule!(FE_4_3_03), true) {
        return whole;
    }
    for group in groups {
        let read = reading(group.factor, group.figures, options, clerk);
        match group.duration {
            Duration::Whole => whole += read,
            Duration::Quarter => quarter += read,
        }
    }
    let read = whole + quarter;
    let counted = if let [_] = groups {
        clerk.value(rule!(FE_4_1_08), read)
    } else {
        let apart = clerk.rather(rule!(FE_2_2_01), read, Losses::ZERO);
        clerk.value(rule!(FE_2_2_02), apart)
    };
    whole += counted - read;
    let brief = quarter > Losses::ZERO && clerk.times(rule!(FE_4_1_10), (1, 2)) == (1, 2);
    if options.rounding == Rounding::FinalOnly {
        return rounded_once(whole, quarter, adjustment, options, clerk);
    }
    if adjustment.tenth_more && clerk.times(rule!(FE_2_2_05), (11, 10)) == (11, 10) {
        // The tenth comes before the half.
        let first = quarter == Losses::ZERO || clerk.holds(rule!(FE_4_3_11), true);
        let mut more = |part| if part > Losses::ZERO { uplift(part, clerk) } else { part };
        whole = more(whole);
        if first {
            quarter = more(quarter);
        }
    }
    let twice = |losses: Losses| losses + losses;
    let quarter_was = quarter > Losses::ZERO;
    let doubled = adjustment.doubled && clerk.times(rule!(FE_3_3_10), (2, 1)) == (2, 1);
    if doubled {
        whole = twice(whole);
        if options.canister_double_order == CanisterDoubleOrder::BeforeHalving {
            quarter = twice(quarter);
        }
    }
    if brief {
        quarter = halve(quarter, clerk);
    }
    let late = options.canister_double_order == CanisterDoubleOrder::AfterHalving;
    if doubled && late && quarter_was && clerk.holds(rule!(FE_R37), true) {
        quarter = twice(quarter);
    }
    whole + quarter
}

/// The option `rounding = final_only`: everything exact, one rounding at the end. Half of exactly
/// 5 is still nothing, before or after the doubling of canister as the option has it.
fn rounded_once(
    whole: Losses,
    quarter: Losses,
    adjustment: Adjustment,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Losses {
    let (numerator, doubled) =
        (if adjustment.tenth_more { 11 } else { 10 }, if adjustment.doubled { 2 } else { 1 });
    let mut tenths = [whole, quarter].map(|part| part.count() * numerator * doubled);
    let halved_late = options.canister_double_order == CanisterDoubleOrder::BeforeHalving;
    if adjustment.doubled && quarter > Losses::ZERO && !halved_late {
        clerk.applied(rule!(FE_R37));
    }
    if tenths[1] == 50 * if halved_late { 1 } else { doubled } {
        tenths[1] = clerk.value(rule!(FE_4_3_12), Losses::ZERO).count();
    }
    // Twice the tenths, so that the halved part stays whole.
    let twentieths = 2 * tenths[0] + tenths[1];
    let result = Losses::men((twentieths + 50) / 100 * 5);
    clerk.value(rule!(FE_R53), result)
}

#[cfg(test)]
mod tests {
    use kernel::{Desk, Scripted, Silent};
    use proptest::prelude::*;

    use super::*;

    fn desk() -> Desk<Scripted<'static>, Silent> {
        Desk::new(Scripted::new(&[]), Silent)
    }

    fn whole(factor: i32, figures: i32) -> Group {
        Group { factor, figures, duration: Duration::Whole }
    }

    fn quarter(factor: i32, figures: i32) -> Group {
        Group { factor, figures, duration: Duration::Quarter }
    }

    fn total(groups: &[Group], tenth_more: bool, doubled: bool) -> i32 {
        losses(groups, Adjustment { tenth_more, doubled }, &Options::default(), &mut desk()).count()
    }

    fn read(factor: i32, figures: i32) -> i32 {
        reading(factor, figures, &Options::default(), &mut desk()).count()
    }

    #[test]
    fn check_values_of_the_procedure() {
        let values = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 70, 75].map(Losses::men);
        assert_eq!(
            values.map(|l| uplift(l, &mut desk()).count()),
            [5, 10, 15, 20, 30, 35, 40, 45, 50, 55, 75, 85]
        );
        assert_eq!(
            values.map(|l| halve(l, &mut desk()).count()),
            [0, 5, 10, 10, 15, 15, 20, 20, 25, 25, 35, 40]
        );
    }

    #[test]
    fn fe_r37_canister_is_doubled_before_the_half_or_by_option_after_it() {
        let fifteen = (1..=24).find(|&figures| read(5, figures) == 15).unwrap();
        let fired = |canister_double_order| {
            let options = Options { canister_double_order, ..Options::default() };
            let adjustment = Adjustment { tenth_more: false, doubled: true };
            losses(&[quarter(5, fifteen)], adjustment, &options, &mut desk()).count()
        };
        // Half of 30 is 15; half of 15 is 10, and twice that is 20.
        assert_eq!(fired(CanisterDoubleOrder::BeforeHalving), 15);
        assert_eq!(fired(CanisterDoubleOrder::AfterHalving), 20);
    }

    #[test]
    fn fe_ex_08_a_quarter_fire_of_10_is_5() {
        assert_eq!(halve(Losses::men(10), &mut desk()), Losses::men(5));
    }

    #[test]
    fn fe_ex_44_half_of_what_the_front_took_is_spared_behind() {
        let front = [5, 10, 15, 20, 25].map(Losses::men);
        let taken = |front| behind(Losses::men(30), front, rule!(FE_3_7_11), &mut desk()).count();
        assert_eq!(front.map(taken), [30, 25, 20, 20, 15]);
        assert_eq!(front.map(|front| 30 - taken(front)), [0, 5, 10, 10, 15]);
        assert_eq!(behind(Losses::men(5), Losses::men(30), rule!(FE_3_7_11), &mut desk()), Losses::ZERO);
    }

    #[test]
    fn fe_ex_22_the_second_line_is_spared_half_of_the_first() {
        let second = behind(Losses::men(10), Losses::men(10), rule!(FE_3_7_11), &mut desk());
        assert_eq!(second, Losses::men(5));
    }

    #[test]
    fn fe_ex_10_two_groups_are_read_apart_and_added() {
        assert_eq!((read(6, 6), read(4, 6)), (30, 20));
        assert_eq!(total(&[whole(6, 6), whole(4, 6)], false, false), 50);
    }

    #[test]
    fn fe_ex_11_method_one_adds_three_fires() {
        let fires =
            [(6, 2), (5, 2), (4, 8)].map(|(factor, figures)| total(&[whole(factor, figures)], false, false));
        assert_eq!(fires, [10, 10, 25]);
        assert_eq!(fires.iter().sum::<i32>(), 45);
    }

    #[test]
    fn fe_ex_12_method_two_adds_a_tenth() {
        assert!(earns_a_tenth_more(4, 12, &mut desk()));
        assert_eq!(read(4, 12), 40);
        assert_eq!(total(&[whole(4, 12)], true, false), 45);
    }

    #[test]
    fn fe_ex_13_four_of_twelve_earn_the_tenth() {
        assert!(earns_a_tenth_more(4, 12, &mut desk()));
    }

    #[test]
    fn fe_ex_14_four_of_twenty_do_not() {
        assert!(!earns_a_tenth_more(4, 20, &mut desk()));
    }

    #[test]
    fn fe_ex_19_canister_under_10_cm_is_doubled() {
        assert_eq!(read(6, 12), 60);
        assert_eq!(total(&[whole(6, 12)], false, true), 120);
    }

    #[test]
    fn fe_ex_27_the_tenth_of_30_is_rounded_up() {
        assert_eq!(read(5, 8), 30);
        assert!(earns_a_tenth_more(2, 8, &mut desk()));
        assert_eq!(total(&[whole(5, 8)], true, false), 35);
    }

    #[test]
    fn fe_ex_28_the_tenth_of_70_is_rounded_down() {
        assert_eq!(uplift(Losses::men(70), &mut desk()), Losses::men(75));
    }

    #[test]
    fn fe_ex_29_half_of_15_is_10() {
        assert_eq!(halve(Losses::men(15), &mut desk()), Losses::men(10));
        assert_eq!(halve_melee(Losses::men(15), &mut desk()), Losses::men(10));
    }

    #[test]
    fn fe_ex_30_half_of_5_is_nothing() {
        assert_eq!(halve(Losses::men(5), &mut desk()), Losses::men(0));
    }

    #[test]
    fn fe_ex_37_the_tenth_comes_before_the_half() {
        assert_eq!((read(5, 8), total(&[whole(5, 8)], true, false)), (30, 35));
        assert_eq!(total(&[quarter(5, 8)], true, false), 20);
        let once = Options { rounding: Rounding::FinalOnly, ..Options::default() };
        let adjustment = Adjustment { tenth_more: true, doubled: false };
        assert_eq!(losses(&[quarter(5, 8)], adjustment, &once, &mut desk()).count(), 15);
    }

    #[test]
    fn fe_ex_38_5_and_its_tenth_are_halved_to_nothing() {
        let five = (LOWEST..=HIGHEST).find(|&factor| read(factor, 1) == 5).unwrap();
        assert_eq!(total(&[quarter(five, 1)], true, false), 0);
    }

    #[test]
    fn fe_ex_39_more_than_24_figures_are_read_in_blocks() {
        assert_eq!((read(5, 24), read(5, 2), read(5, 26)), (95, 10, 105));
    }

    #[test]
    fn fe_ex_40_beyond_the_ends_of_the_table() {
        assert_eq!((read(-6, 24), read(17, 4)), (0, 60));
        let open = Options {
            factor_below_minus_5: FactorBelowMinus5::ClampToMinus5,
            factor_above_15: FactorAbove15::AddOneLossPerFigurePerPointThenRoundTo5,
            ..Options::default()
        };
        assert_eq!(reading(-6, 24, &open, &mut desk()).count(), read(-5, 24));
        assert_eq!(reading(17, 4, &open, &mut desk()).count(), 70);
    }

    #[test]
    fn canister_doubled_after_halving_keeps_the_special_case() {
        let late = Options { canister_double_order: CanisterDoubleOrder::AfterHalving, ..Options::default() };
        let five = (LOWEST..=HIGHEST).find(|&factor| read(factor, 1) == 5).unwrap();
        let adjustment = Adjustment { tenth_more: false, doubled: true };
        assert_eq!(losses(&[quarter(five, 1)], adjustment, &late, &mut desk()).count(), 0);
        assert_eq!(losses(&[quarter(five, 1)], adjustment, &Options::default(), &mut desk()).count(), 5);
        let late_once = Options { rounding: Rounding::FinalOnly, ..late };
        assert_eq!(losses(&[quarter(five, 1)], adjustment, &late_once, &mut desk()).count(), 0);
    }

    proptest! {
        #[test]
        fn more_figures_or_a_higher_factor_never_lower_the_losses(
            factor in -8_i32..18, figures in 0_i32..60, tenth_more: bool, doubled: bool, brief: bool,
        ) {
            let group = |factor, figures| if brief { quarter(factor, figures) } else { whole(factor, figures) };
            let here = total(&[group(factor, figures)], tenth_more, doubled);
            prop_assert!(total(&[group(factor, figures + 1)], tenth_more, doubled) >= here);
            prop_assert!(total(&[group(factor + 1, figures)], tenth_more, doubled) >= here);
            prop_assert_eq!(here % 5, 0);
        }
    }
}
