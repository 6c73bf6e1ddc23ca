//! The faces of the dice: what each side rolled against what dice show on average, and the exact
//! chance of showing at least, or at most, as much. It tells whether the dice were fair, not whether
//! they were kind: that is told by what came of them (see `ledger`).

use std::collections::BTreeMap;

use kernel::Count;
use serde::Serialize;

/// What one side rolled with dice of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many dice.
    pub dice: u32,
    /// The sum of their faces.
    pub sum: u64,
}

/// One line of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Luck {
    /// The side, by place.
    pub side: usize,
    /// The sides of these dice.
    pub die: u8,
    /// How many were rolled.
    pub dice: u32,
    /// The sum of their faces.
    pub sum: u64,
    /// What they show on average.
    pub expected: f64,
    /// The chance, in percent, that fair dice show this sum or more; exact, then rounded.
    pub at_least: f64,
    /// The chance, in percent, that fair dice show this sum or less.
    pub at_most: f64,
    /// The chance of this sum or more as an exact fraction, where it can be written out.
    pub at_least_exact: Option<String>,
}

/// The ledger of some rolls: who rolled, the sides of the die and its face.
pub fn luck_of(rolls: impl IntoIterator<Item = (usize, u8, u8)>) -> Vec<Luck> {
    let mut tallies = BTreeMap::<(usize, u8), Tally>::new();
    for (side, die, face) in rolls {
        let tally = tallies.entry((side, die)).or_default();
        tally.dice += 1;
        tally.sum += u64::from(face);
    }
    tallies.into_iter().map(|((side, die), tally)| Luck::of(side, die, tally)).collect()
}

impl Luck {
    fn of(side: usize, die: u8, tally: Tally) -> Self {
        let all = (0..tally.dice).fold(Count::ONE, |all, _| all.times(&cases(die)));
        let below = at_most(die, tally.dice, tally.sum.saturating_sub(1));
        let at_least = all.minus(&below);
        let at_most = at_most(die, tally.dice, tally.sum);
        Self {
            side,
            die,
            dice: tally.dice,
            sum: tally.sum,
            expected: f64::from(tally.dice) * (f64::from(die) + 1.0) / 2.0,
            at_least: 100.0 * at_least.share_of(&all),
            at_most: 100.0 * at_most.share_of(&all),
            at_least_exact: at_least
                .as_u128()
                .zip(all.as_u128())
                .map(|(cases, all)| kernel::Chance::new(cases, all).to_string()),
        }
    }
}

/// In how many ways `dice` dice of `die` sides show at most `sum`, by inclusion and exclusion:
/// the sum over k of (-1)^k · C(dice, k) · C(sum - die·k, dice).
fn at_most(die: u8, dice: u32, sum: u64) -> Count {
    let count = u64::from(dice);
    let most = sum.min(count * u64::from(die));
    let (mut plus, mut minus) = (Count::ZERO, Count::ZERO);
    let mut choose = Count::ONE;
    let mut rest = most;
    let mut ways = if rest >= count { binomial(rest, count) } else { return Count::ZERO };
    for k in 0..=count {
        let term = ways.times(&choose);
        if k % 2 == 0 {
            plus = plus.plus(&term);
        } else {
            minus = minus.plus(&term);
        }
        choose = choose.times(&cases(count - k)).over(&cases(k + 1));
        if rest < count + u64::from(die) {
            break;
        }
        // C(rest - 1, count) = C(rest, count) · (rest - count) / rest, once for each side of the die.
        for _ in 0..die {
            ways = ways.times(&cases(rest - count)).over(&cases(rest));
            rest -= 1;
        }
    }
    plus.minus(&minus)
}

fn cases(number: impl Into<u128>) -> Count {
    Count::from(number.into())
}

fn binomial(n: u64, k: u64) -> Count {
    (0..k).fold(Count::ONE, |value, step| value.times(&cases(n - step)).over(&cases(step + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_sixes_are_one_in_thirty_six() {
        let luck = luck_of([(0, 6, 6), (0, 6, 6)]);
        assert_eq!(luck[0].at_least_exact.as_deref(), Some("1/36"));
        assert!((luck[0].at_most - 100.0).abs() < 1e-9);
        assert!((luck[0].expected - 7.0).abs() < 1e-9);
    }

    #[test]
    fn the_tails_agree_with_counting_every_roll() {
        let exact = kernel::Odds::of(|dice| {
            use kernel::Dice;
            (0..5).map(|_| u64::from(dice.die(6))).sum::<u64>()
        });
        let exact = exact.expect("few outcomes");
        for sum in 5..=30 {
            let luck = Luck::of(0, 6, Tally { dice: 5, sum });
            assert_eq!(luck.at_least_exact, Some(exact.chance_that(|&other| other >= sum).to_string()));
        }
    }

    #[test]
    fn a_long_game_keeps_exact_tails() {
        // 2,000 dice at their mean: the two tails share the middle and are equal by symmetry.
        let luck = Luck::of(0, 6, Tally { dice: 2000, sum: 7000 });
        assert!(
            (luck.at_least - luck.at_most).abs() < 1e-9 && luck.at_least > 50.0 && luck.at_least < 51.0,
            "{luck:?}"
        );
        // And far out: 400 sixes of 400 dice are 6^-400 of all cases, too small for a double.
        let luck = Luck::of(0, 6, Tally { dice: 400, sum: 2400 });
        assert!(luck.at_least.abs() < 1e-300);
    }
}
