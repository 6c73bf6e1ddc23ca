//! The luck ledger: what came of each side's dice against what was to be expected of them.
//!
//! Every decision that rolled is weighed by the very code that rolled for it, run once for every way
//! its dice could have fallen: what it would have changed on the table (steps of either army, walls,
//! morale ...) and how often. The sums of these changes over the whole game, actual and expected, are
//! the account; and since the decisions' odds are exact, so is the chance that all of them together
//! change as much or more, or as much or less. A decision whose dice can fall in too many ways is
//! counted as not weighed.

use std::collections::BTreeMap;

use kernel::{Count, Odds, TooManyOutcomes, Verdict};
use rulebook::Lang;
use serde::Serialize;

use super::{Hosted, Luck, luck_of};

/// Something on the table that dice change, read as a number. It is shown to everybody: it must read
/// nothing that is hidden from anybody.
pub struct Gauge<G> {
    /// Its name, which is also the end of the key of its words: `french-steps`.
    pub name: &'static str,
    /// Reads it.
    pub read: fn(&G) -> i64,
}

/// What a decision could have changed, gauge by gauge, with the odds of each way.
pub struct Weighed {
    /// Who decided, by place.
    pub side: usize,
    /// The odds, unless its dice can fall in too many ways.
    pub odds: Result<Odds<Vec<i64>>, TooManyOutcomes>,
}

/// One line of the account: one side, one gauge.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Results {
    /// The side that rolled, by place.
    pub side: usize,
    /// What is measured.
    pub gauge: &'static str,
    /// The same in words.
    pub text: String,
    /// How many decisions could have changed it in more than one way.
    pub decisions: u32,
    /// By how much they changed it.
    pub actual: i64,
    /// By how much they change it on average.
    pub expected: f64,
    /// The chance, in percent, of this change or more; exact, then rounded.
    pub at_least: f64,
    /// The chance, in percent, of this change or less.
    pub at_most: f64,
    /// The chance of this change or more as an exact fraction, where it can be written out.
    pub at_least_exact: Option<String>,
}

/// The whole ledger as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Account {
    /// The names of the sides, by place.
    pub sides: Vec<String>,
    /// The faces of the dice.
    pub luck: Vec<Luck>,
    /// What came of them.
    pub results: Vec<Results>,
    /// How many decisions were not weighed, since their dice can fall in too many ways.
    pub not_weighed: u32,
    /// What these figures are, in words.
    pub text: String,
}

/// The sum of many changes: every value it can have, and in how many cases.
struct Sum {
    decisions: u32,
    actual: i64,
    expected: f64,
    /// The lowest value; the cases of it and of those that follow.
    lowest: i64,
    cases: Vec<Count>,
    all: Count,
}

impl Default for Sum {
    fn default() -> Self {
        Self { decisions: 0, actual: 0, expected: 0.0, lowest: 0, cases: vec![Count::ONE], all: Count::ONE }
    }
}

impl Sum {
    /// Adds a decision: every value so far with every change it could make (a convolution).
    fn add(&mut self, odds: &Odds<i64>, actual: i64) {
        let counts = odds.counts();
        let (Some((lowest, _)), Some((highest, _))) = (counts.first(), counts.last()) else { return };
        // What is certain is no luck.
        if lowest == highest {
            return;
        }
        self.decisions += 1;
        self.actual += actual;
        self.expected += odds.iter().map(|(value, chance)| number(*value) * chance.as_f64()).sum::<f64>();
        let spread = usize::try_from(highest - lowest).unwrap_or_default();
        let mut cases = vec![Count::ZERO; self.cases.len() + spread];
        for (value, weight) in counts {
            let offset = usize::try_from(value - lowest).unwrap_or_default();
            for (slot, before) in cases[offset..].iter_mut().zip(&self.cases) {
                *slot = slot.plus(&before.times(weight));
            }
        }
        self.cases = cases;
        self.lowest += lowest;
        self.all = self.all.times(odds.total());
    }

    fn line(&self, side: usize, gauge: &'static str, lang: Lang) -> Results {
        let (mut more, mut less) = (Count::ZERO, Count::ZERO);
        for (value, cases) in (self.lowest..).zip(&self.cases) {
            if value >= self.actual {
                more = more.plus(cases);
            }
            if value <= self.actual {
                less = less.plus(cases);
            }
        }
        let exact = more.as_u128().zip(self.all.as_u128());
        Results {
            side,
            gauge,
            text: rulebook::speak_key(&format!("server-gauge-{gauge}"), lang),
            decisions: self.decisions,
            actual: self.actual,
            expected: self.expected,
            at_least: 100.0 * more.share_of(&self.all),
            at_most: 100.0 * less.share_of(&self.all),
            at_least_exact: exact.map(|(cases, all)| kernel::Chance::new(cases, all).to_string()),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "changes on a table are small")]
fn number(value: i64) -> f64 {
    value as f64
}

/// The ledger of a game, which follows its record.
pub struct Ledger {
    game: Box<dyn Hosted>,
    rolls: Vec<(usize, u8, u8)>,
    sums: BTreeMap<(usize, usize), Sum>,
    not_weighed: u32,
}

impl Ledger {
    /// The ledger of a game that stands at its beginning.
    #[must_use]
    pub fn new(game: Box<dyn Hosted>) -> Self {
        Self { game, rolls: Vec::new(), sums: BTreeMap::new(), not_weighed: 0 }
    }

    /// How many entries of the record it has followed.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.game.entries()
    }

    /// What everybody may know about the dice, as far as it has followed.
    #[must_use]
    pub fn fairness(&self) -> kernel::Fairness {
        self.game.fairness()
    }

    /// Goes one line of the record further.
    ///
    /// # Errors
    /// When it cannot be the next line.
    pub fn follow(&mut self, line: &str) -> Verdict<()> {
        let weighed = self.game.weigh(line);
        let before = self.game.gauges();
        let told = self.game.follow(line)?;
        let side = told.side.unwrap_or(0);
        self.rolls.extend(told.dice.iter().map(|&(die, face)| (side, die, face)));
        match weighed {
            Some(Weighed { side, odds: Ok(odds) }) => {
                let after = self.game.gauges();
                for (gauge, (before, after)) in before.iter().zip(&after).enumerate() {
                    let odds = odds.clone().map(|changes| changes.get(gauge).copied().unwrap_or(0));
                    self.sums.entry((side, gauge)).or_default().add(&odds, after - before);
                }
            }
            Some(Weighed { odds: Err(_), .. }) => self.not_weighed += 1,
            None => {}
        }
        Ok(())
    }

    /// The ledger as it is shown, in a language.
    #[must_use]
    pub fn account(&self, sides: &[String], lang: Lang) -> Account {
        let names = self.game.gauge_names();
        let lines = self.sums.iter().filter(|(_, sum)| sum.decisions > 0);
        Account {
            sides: sides.to_vec(),
            luck: luck_of(self.rolls.iter().copied()),
            results: lines
                .filter_map(|(&(side, gauge), sum)| Some(sum.line(side, names.get(gauge)?, lang)))
                .collect(),
            not_weighed: self.not_weighed,
            text: rulebook::speak(rulebook::phrase::server::LUCK_MEASURE, &[], lang),
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::Dice;

    use super::*;

    #[test]
    fn two_decisions_are_summed_case_by_case() {
        // One loss on 5 or 6, then two on a 6: 1/3 and 1/6.
        let one = Odds::of(|dice| -i64::from(dice.die(6) >= 5)).expect("few outcomes");
        let two = Odds::of(|dice| if dice.die(6) == 6 { -2 } else { 0 }).expect("few outcomes");
        let mut sum = Sum::default();
        sum.add(&one, -1);
        sum.add(&two, 0);
        // What cannot change anything is no luck.
        sum.add(&Odds::certain(7), 7);
        let line = sum.line(0, "french-steps", Lang::En);
        assert_eq!((line.decisions, line.actual), (2, -1));
        assert!((line.expected + 2.0 / 3.0).abs() < 1e-12);
        // -1 or more: all but the six: 30 of 36. -1 or less: all but (no, no): 1 - 20/36.
        assert_eq!(line.at_least_exact.as_deref(), Some("5/6"));
        assert!((line.at_most - 100.0 * 16.0 / 36.0).abs() < 1e-9, "{line:?}");
    }

    #[test]
    fn the_tails_agree_with_one_walk_over_all_dice() {
        let shot = |dice: &mut kernel::Exhaustive| match dice.die(6) {
            1 => i64::from(dice.die(4)),
            face => -i64::from(face / 3),
        };
        let together = Odds::of(|dice| shot(dice) + shot(dice) + shot(dice)).expect("few outcomes");
        let each = Odds::of(shot).expect("few outcomes");
        for actual in [-6, -1, 0, 3, 12] {
            let mut sum = Sum::default();
            for share in [actual, 0, 0] {
                sum.add(&each, share);
            }
            let line = sum.line(1, "walls", Lang::Fr);
            let exact = together.chance_that(|&total| total >= actual);
            assert_eq!(line.at_least_exact, Some(exact.to_string()), "{actual}");
        }
    }
}
