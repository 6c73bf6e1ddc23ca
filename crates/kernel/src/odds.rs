//! Exact odds: the very code that rolls, run once for every outcome of the dice it asks for.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use crate::tally::{Known, Ways};
use crate::{Count, Dice, Reading, Refusal, Tally, phrase};

/// The most paths of dice that are walked before the odds are given up.
pub const MOST_PATHS: usize = 4_000_000;

thread_local! {
    /// What this thread may still walk in all, and what it was given.
    static ALLOWANCE: Cell<Option<(usize, usize)>> = const { Cell::new(None) };
}

/// Does work that may walk so many paths of dice in all, over however many odds and stages; beyond
/// that the odds are given up as [`TooManyOutcomes`]. For those who answer strangers: the same
/// question is answered or refused alike, however busy the machine is.
///
/// ```
/// use kernel::{Dice, Odds, frugally};
///
/// let three = || Odds::of(|dice| dice.die(6) + dice.die(6) + dice.die(6));
/// assert!(frugally(216, three).is_ok());
/// assert_eq!(frugally(215, three), Err(kernel::TooManyOutcomes));
/// ```
pub fn frugally<T>(most_paths: usize, work: impl FnOnce() -> T) -> T {
    /// Gives back what was allowed before, even if the work panics.
    struct Before(Option<(usize, usize)>);
    impl Drop for Before {
        fn drop(&mut self) {
            ALLOWANCE.set(self.0);
        }
    }
    let _before = Before(ALLOWANCE.replace(Some((most_paths, most_paths))));
    work()
}

/// Takes one path of what this thread may walk; false when nothing is left.
fn spend() -> bool {
    match ALLOWANCE.get() {
        None => true,
        Some((0, _)) => false,
        Some((left, given)) => {
            ALLOWANCE.set(Some((left - 1, given)));
            true
        }
    }
}

/// Dice that take every face in turn: one path of a depth-first walk.
///
/// The walk runs the code again for each path. Branches already fixed are replayed; new ones start
/// at the first; after a run the last that has another moves on.
#[derive(Debug, Default)]
pub struct Exhaustive {
    path: Vec<Branch>,
    at: usize,
    known: Known,
}

/// One step of a path: what it came to, of what it may come to.
#[derive(Debug)]
enum Branch {
    /// One die.
    Die { face: u8, sides: u8 },
    /// A handful of dice, by the place of the tally among the ways.
    Handful { place: usize, ways: Arc<Ways> },
}

impl Exhaustive {
    /// Whether this path has asked for a die.
    pub(crate) const fn rolled(&self) -> bool {
        self.at > 0
    }

    /// How many cases this path stands for, of how many.
    fn weight(&self) -> (Count, Count) {
        let (mut cases, mut of) = (Count::ONE, Count::ONE);
        for branch in &self.path {
            match branch {
                Branch::Die { sides, .. } => of = of.times(&Count::from(u128::from(*sides))),
                Branch::Handful { place, ways } => {
                    if let Some((_, ways)) = ways.tallies.get(*place) {
                        cases = cases.times(ways);
                    }
                    of = of.times(&ways.total);
                }
            }
        }
        (cases, of)
    }

    /// Moves on to the next path; false after the last.
    fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some(branch) = self.path.pop() {
            let next = match branch {
                Branch::Die { face, sides } if face < sides => Branch::Die { face: face + 1, sides },
                Branch::Handful { place, ways } if place + 1 < ways.tallies.len() => {
                    Branch::Handful { place: place + 1, ways }
                }
                Branch::Die { .. } | Branch::Handful { .. } => continue,
            };
            self.path.push(next);
            return true;
        }
        false
    }
}

impl Dice for Exhaustive {
    fn die(&mut self, sides: u8) -> u8 {
        let sides = sides.max(1);
        if self.at == self.path.len() {
            self.path.push(Branch::Die { face: 1, sides });
        }
        self.at += 1;
        match self.path.get(self.at - 1) {
            Some(Branch::Die { face, .. }) => *face,
            // The code asked for something else than on the path before: no rule does.
            _ => 1,
        }
    }

    fn tally(&mut self, dice: u32, reading: &Reading) -> Tally {
        if dice == 0 {
            return Tally::default();
        }
        if self.at == self.path.len() {
            self.path.push(Branch::Handful { place: 0, ways: self.known.of(dice, reading) });
        }
        self.at += 1;
        match self.path.get(self.at - 1) {
            Some(Branch::Handful { place, ways }) => {
                ways.tallies.get(*place).map_or_else(Tally::default, |(tally, _)| *tally)
            }
            _ => Tally::default(),
        }
    }
}

/// There were more paths, or a finer denominator, than can be counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("more outcomes than can be counted")]
pub struct TooManyOutcomes;

impl From<TooManyOutcomes> for Refusal {
    fn from(_: TooManyOutcomes) -> Self {
        let limit = ALLOWANCE.get().map_or(MOST_PATHS, |(_, given)| given.min(MOST_PATHS));
        Self::plain(phrase::TOO_MANY_OUTCOMES).with("limit", i64::try_from(limit).unwrap_or(i64::MAX))
    }
}

/// An exact probability in lowest terms.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chance {
    favourable: Count,
    of: Count,
}

impl Chance {
    /// `favourable` cases of `of`, in lowest terms. Of none, it is no chance at all.
    #[must_use]
    pub fn new(favourable: impl Into<Count>, of: impl Into<Count>) -> Self {
        let (favourable, of) = (favourable.into(), of.into());
        if of.is_zero() {
            return Self { favourable: Count::ZERO, of: Count::ONE };
        }
        let common = favourable.common(&of);
        Self { favourable: favourable.over(&common), of: of.over(&common) }
    }

    /// The cases counted, and of how many.
    #[must_use]
    pub const fn parts(&self) -> (&Count, &Count) {
        (&self.favourable, &self.of)
    }

    /// As a number between 0 and 1, for drawing and sorting by eye.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        self.favourable.as_f64() / self.of.as_f64()
    }
}

impl fmt::Display for Chance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.favourable, self.of)
    }
}

impl Serialize for Chance {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Every outcome with its exact weight: cases counted over one common denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Odds<T> {
    outcomes: Vec<(T, Count)>,
    total: Count,
}

impl<T: Ord> Odds<T> {
    /// Runs `run` for every path of dice it asks for and merges equal results.
    ///
    /// ```
    /// use kernel::{Clerk, Desk, Odds, Silent};
    ///
    /// let sum = Odds::of(|dice| Desk::new(dice, Silent).two_d6().iter().sum::<u8>()).unwrap();
    /// assert_eq!(sum.chance(&7).to_string(), "1/6");
    /// ```
    ///
    /// # Errors
    /// When there are more outcomes than can be counted.
    pub fn of(run: impl FnMut(&mut Exhaustive) -> T) -> Result<Self, TooManyOutcomes> {
        Self::within(MOST_PATHS, run)
    }

    /// The same, given up after so many paths of dice.
    ///
    /// # Errors
    /// When there are more.
    pub fn within(most_paths: usize, run: impl FnMut(&mut Exhaustive) -> T) -> Result<Self, TooManyOutcomes> {
        Self::walked(&mut Exhaustive::default(), most_paths, run)
    }

    /// The same with dice that have been walked before: what they know of handfuls is not found again.
    pub(crate) fn walked(
        dice: &mut Exhaustive,
        most_paths: usize,
        mut run: impl FnMut(&mut Exhaustive) -> T,
    ) -> Result<Self, TooManyOutcomes> {
        dice.path.clear();
        let mut weights = Weights::default();
        for _ in 0..most_paths {
            if !spend() {
                break;
            }
            dice.at = 0;
            let outcome = run(dice);
            let (cases, of) = dice.weight();
            weights.add(outcome, &cases, &of);
            if !dice.advance() {
                return Ok(weights.into_odds());
            }
        }
        Err(TooManyOutcomes)
    }

    /// One certain outcome.
    pub fn certain(outcome: T) -> Self {
        Self { outcomes: vec![(outcome, Count::ONE)], total: Count::ONE }
    }

    /// What follows from each outcome, merged: a second stage of chance.
    ///
    /// # Errors
    /// When there are more outcomes than can be counted.
    pub fn and_then<U: Ord>(
        &self,
        mut next: impl FnMut(&T) -> Result<Odds<U>, TooManyOutcomes>,
    ) -> Result<Odds<U>, TooManyOutcomes> {
        let mut weights = Weights::default();
        for (outcome, weight) in &self.outcomes {
            let after = next(outcome)?;
            let denominator = self.total.times(&after.total);
            for (follower, cases) in after.outcomes {
                weights.add(follower, &weight.times(&cases), &denominator);
            }
        }
        Ok(weights.into_odds())
    }

    /// The same odds of something read off each outcome, merged.
    pub fn map<U: Ord>(self, mut read: impl FnMut(T) -> U) -> Odds<U> {
        let mut merged = BTreeMap::new();
        for (outcome, weight) in self.outcomes {
            let sum = merged.entry(read(outcome)).or_insert(Count::ZERO);
            *sum = sum.plus(&weight);
        }
        Odds { outcomes: merged.into_iter().collect(), total: self.total }
    }

    /// The chance of one outcome.
    pub fn chance(&self, outcome: &T) -> Chance {
        self.chance_that(|other| other == outcome)
    }

    /// The chance of all outcomes that fit.
    pub fn chance_that(&self, fits: impl Fn(&T) -> bool) -> Chance {
        let fitting = self.outcomes.iter().filter(|(outcome, _)| fits(outcome));
        Chance::new(fitting.map(|(_, weight)| weight).sum::<Count>(), self.total.clone())
    }

    /// The outcomes in ascending order, each with its chance.
    pub fn iter(&self) -> impl Iterator<Item = (&T, Chance)> {
        self.outcomes
            .iter()
            .map(|(outcome, weight)| (outcome, Chance::new(weight.clone(), self.total.clone())))
    }

    /// The outcomes in ascending order with the cases that give them, over [`total`](Self::total).
    pub fn counts(&self) -> &[(T, Count)] {
        &self.outcomes
    }

    /// Gives the outcomes away, with the cases of each.
    pub fn into_counts(self) -> Vec<(T, Count)> {
        self.outcomes
    }

    /// The common denominator: all cases.
    pub const fn total(&self) -> &Count {
        &self.total
    }
}

impl<T: Ord, E> Odds<Result<T, E>> {
    /// The outcomes that came to something, when all of them did.
    pub(crate) fn flatten(self) -> Odds<T> {
        let outcomes =
            self.outcomes.into_iter().filter_map(|(outcome, weight)| Some((outcome.ok()?, weight)));
        Odds { outcomes: outcomes.collect(), total: self.total }
    }
}

/// Outcomes being gathered over a common denominator that grows as it must.
struct Weights<T> {
    merged: BTreeMap<T, Count>,
    total: Count,
}

impl<T> Default for Weights<T> {
    fn default() -> Self {
        Self { merged: BTreeMap::new(), total: Count::ONE }
    }
}

impl<T: Ord> Weights<T> {
    fn add(&mut self, outcome: T, cases: &Count, denominator: &Count) {
        let mut share = Count::ONE;
        if self.total != *denominator {
            let common = self.total.common(denominator);
            let growth = denominator.over(&common);
            if growth != Count::ONE {
                for weight in self.merged.values_mut() {
                    *weight = weight.times(&growth);
                }
                self.total = self.total.times(&growth);
            }
            share = self.total.over(denominator);
        }
        let sum = self.merged.entry(outcome).or_insert(Count::ZERO);
        *sum = sum.plus(&cases.times(&share));
    }

    fn into_odds(self) -> Odds<T> {
        Odds { outcomes: self.merged.into_iter().collect(), total: self.total }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Live;

    /// A little code that asks for dice depending on dice: the shape of any rule.
    fn branching(dice: &mut impl Dice, sides: &[u8], stop_at: u8) -> u32 {
        let mut sum = 0;
        for &sides in sides {
            let face = dice.die(sides);
            sum += u32::from(face);
            if face == stop_at {
                break;
            }
        }
        sum
    }

    proptest! {
        #[test]
        fn probabilities_sum_to_exactly_one(sides in prop::collection::vec(1_u8..9, 0..5), stop_at in 1_u8..9) {
            let odds = Odds::of(|dice| branching(dice, &sides, stop_at)).unwrap();
            prop_assert_eq!(&odds.counts().iter().map(|(_, weight)| weight).sum::<Count>(), odds.total());
        }

        #[test]
        fn a_handful_is_its_dice_one_by_one(dice in 0_u32..5, need in 1..8, most in 1_u32..20) {
            for reading in [Reading::at_least(need), Reading::SUM.up_to(most).marking(6)] {
                let at_once = Odds::of(|walk| walk.tally(dice, &reading)).unwrap();
                let singly = Odds::of(|walk| {
                    (0..dice).fold(Tally::default(), |tally, _| reading.and(tally, walk.die(6)))
                }).unwrap();
                prop_assert_eq!(at_once.counts().len(), singly.counts().len());
                for (tally, chance) in singly.iter() {
                    prop_assert_eq!(chance, at_once.chance(tally));
                }
            }
        }

        #[test]
        fn a_second_stage_is_the_same_as_one_walk(first in 1_u8..7, second in 1_u8..7) {
            let in_one = Odds::of(|dice| u32::from(dice.die(first)) * 10 + u32::from(dice.die(second))).unwrap();
            let in_two = Odds::of(|dice| dice.die(first)).unwrap()
                .and_then(|a| Odds::of(|dice| u32::from(*a) * 10 + u32::from(dice.die(second)))).unwrap();
            for (outcome, chance) in in_one.iter() {
                prop_assert_eq!(chance, in_two.chance(outcome));
            }
        }
    }

    #[test]
    fn the_odds_agree_with_a_million_live_rolls() {
        let sides = [6, 6, 4];
        let odds = Odds::of(|dice| branching(dice, &sides, 6)).unwrap();
        let mut dice = Live::numbered(1807);
        let mut seen = BTreeMap::<u32, u32>::new();
        let rolls = 1_000_000;
        for _ in 0..rolls {
            *seen.entry(branching(&mut dice, &sides, 6)).or_default() += 1;
        }
        assert!(seen.keys().all(|outcome| !odds.chance(outcome).parts().0.is_zero()));
        for (outcome, chance) in odds.iter() {
            let p = chance.as_f64();
            let expected = p * f64::from(rolls);
            let deviation = (expected * (1.0 - p)).sqrt();
            let found = f64::from(seen.get(outcome).copied().unwrap_or(0));
            assert!((found - expected).abs() < 5.0 * deviation, "{outcome}: {found} for {expected}");
        }
    }

    #[test]
    fn a_hundred_dice_have_exact_odds() {
        let hits = Odds::of(|dice| dice.tally(100, &Reading::at_least(6)).sum).unwrap();
        assert_eq!(hits.counts().iter().map(|(_, cases)| cases).sum::<Count>(), *hits.total());
        let none = hits.chance(&0);
        assert!(none.parts().0.to_string().starts_with("78886090522101180541"), "5 to the 100th");
        assert_eq!(none.parts().1.to_string().len(), 78, "6 to the 100th");
    }

    #[test]
    fn code_without_dice_has_one_certain_outcome() {
        let odds = Odds::of(|_| "calm").unwrap();
        assert_eq!(
            odds.iter().map(|(o, c)| (*o, c.to_string())).collect::<Vec<_>>(),
            [("calm", "1/1".to_owned())]
        );
    }
}
