//! The luck ledger: what each side rolled against what dice roll on average, and the exact chance
//! of doing at least as well, or at most as well.

use std::collections::BTreeMap;

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
        let all = Big::from(1).times_power(die, tally.dice);
        let below = at_most(die, tally.dice, tally.sum.saturating_sub(1));
        let at_least = all.clone().minus(&below);
        let at_most = at_most(die, tally.dice, tally.sum);
        Self {
            side,
            die,
            dice: tally.dice,
            sum: tally.sum,
            expected: f64::from(tally.dice) * (f64::from(die) + 1.0) / 2.0,
            at_least: at_least.percent_of(&all),
            at_most: at_most.percent_of(&all),
            at_least_exact: at_least
                .as_u128()
                .zip(all.as_u128())
                .map(|(cases, all)| kernel::Chance::new(cases, all).to_string()),
        }
    }
}

/// In how many ways `dice` dice of `die` sides show at most `sum`, by inclusion and exclusion:
/// the sum over k of (-1)^k · C(dice, k) · C(sum - die·k, dice).
fn at_most(die: u8, dice: u32, sum: u64) -> Big {
    let count = u64::from(dice);
    let most = sum.min(count * u64::from(die));
    let (mut plus, mut minus) = (Big::from(0), Big::from(0));
    let mut choose = Big::from(1);
    let mut rest = most;
    let mut ways = if rest >= count { binomial(rest, count) } else { return Big::from(0) };
    for k in 0..=count {
        let term = ways.times(&choose);
        if k % 2 == 0 {
            plus.add(&term)
        } else {
            minus.add(&term)
        }
        choose = choose.times_small(count - k).divided_by(k + 1);
        if rest < count + u64::from(die) {
            break;
        }
        // C(rest - 1, count) = C(rest, count) · (rest - count) / rest, once for each side of the die.
        for _ in 0..die {
            ways = ways.times_small(rest - count).divided_by(rest);
            rest -= 1;
        }
    }
    plus.minus(&minus)
}

fn binomial(n: u64, k: u64) -> Big {
    (0..k).fold(Big::from(1), |value, step| value.times_small(n - step).divided_by(step + 1))
}

/// A whole number of any size, lowest digits first, to the base 2^32.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Big(Vec<u32>);

/// The low and the high half of a product or sum.
const fn halves(value: u64) -> (u32, u64) {
    ((value & 0xffff_ffff) as u32, value >> 32)
}

impl From<u32> for Big {
    fn from(value: u32) -> Self {
        Self(vec![value])
    }
}

impl Big {
    fn trimmed(mut self) -> Self {
        while self.0.len() > 1 && self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    fn add(&mut self, other: &Self) {
        let mut carry = 0;
        for place in 0..self.0.len().max(other.0.len()) {
            if place == self.0.len() {
                self.0.push(0);
            }
            let other = u64::from(other.0.get(place).copied().unwrap_or(0));
            let (low, high) = halves(u64::from(self.0[place]) + other + carry);
            self.0[place] = low;
            carry = high;
        }
        self.0.push(halves(carry).0);
        *self = std::mem::replace(self, Self(Vec::new())).trimmed();
    }

    /// The difference; nothing is ever taken from less.
    fn minus(mut self, other: &Self) -> Self {
        let mut borrow = 0;
        for place in 0..self.0.len() {
            let other = u64::from(other.0.get(place).copied().unwrap_or(0)) + borrow;
            let own = u64::from(self.0[place]);
            borrow = u64::from(own < other);
            self.0[place] = halves((own + (borrow << 32)) - other).0;
        }
        self.trimmed()
    }

    /// The product with a number below 2^32.
    fn times_small(mut self, factor: u64) -> Self {
        let mut carry = 0;
        for digit in &mut self.0 {
            let (low, high) = halves(u64::from(*digit) * factor + carry);
            *digit = low;
            carry = high;
        }
        self.0.push(halves(carry).0);
        self.trimmed()
    }

    fn times(&self, other: &Self) -> Self {
        let mut product = Self(vec![0; self.0.len() + other.0.len() + 1]);
        for (place, &digit) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (offset, &other) in other.0.iter().chain(&[0, 0]).enumerate() {
                let Some(slot) = product.0.get_mut(place + offset) else { break };
                let (low, high) = halves(u64::from(*slot) + u64::from(digit) * u64::from(other) + carry);
                *slot = low;
                carry = high;
            }
        }
        product.trimmed()
    }

    fn times_power(self, base: u8, exponent: u32) -> Self {
        (0..exponent).fold(self, |value, _| value.times_small(u64::from(base)))
    }

    /// The quotient by a number below 2^32 that divides it.
    fn divided_by(mut self, divisor: u64) -> Self {
        let mut rest = 0_u64;
        for digit in self.0.iter_mut().rev() {
            let value = (rest << 32) | u64::from(*digit);
            *digit = halves(value / divisor).0;
            rest = value % divisor;
        }
        self.trimmed()
    }

    fn as_u128(&self) -> Option<u128> {
        (self.0.len() <= 4)
            .then(|| self.0.iter().rev().fold(0, |value, &digit| (value << 32) | u128::from(digit)))
    }

    /// This part of a whole in percent: both are cut to their leading digits, which a `f64` cannot
    /// tell from the exact quotient.
    fn percent_of(&self, whole: &Self) -> f64 {
        let leading = |big: &Self| {
            big.0
                .iter()
                .rev()
                .take(4)
                .fold(0.0_f64, |value, &digit| value * 4_294_967_296.0 + f64::from(digit))
        };
        let places = |big: &Self| i32::try_from(big.0.len().saturating_sub(4)).unwrap_or(i32::MAX);
        100.0 * leading(self) / leading(whole) * 2.0_f64.powi(32 * (places(self) - places(whole)))
    }
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
