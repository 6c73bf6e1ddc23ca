//! A handful of dice of which only a sum matters: how many hit, how far it goes, whether a six is
//! among them. Rolled, they are dice like others, one after the other; for the odds they are one
//! step with a branch for every sum, and not one for every order in which the faces may fall.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Count;

/// What is read off a handful of six-sided dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Reading {
    worth: [u32; 6],
    most: u32,
    mark: Option<u8>,
}

/// What was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tally {
    /// What the faces are worth together.
    pub sum: u32,
    /// Whether the marked face was among them.
    pub marked: bool,
}

impl Reading {
    /// The sum of the faces.
    pub const SUM: Self = Self::worth([1, 2, 3, 4, 5, 6]);

    /// The sum of what each face is worth, from the one to the six.
    #[must_use]
    pub const fn worth(worth: [u32; 6]) -> Self {
        Self { worth, most: u32::MAX, mark: None }
    }

    /// How many show this face or a higher one.
    #[must_use]
    pub fn at_least(face: i32) -> Self {
        Self::worth([1, 2, 3, 4, 5, 6].map(|one| u32::from(one >= face)))
    }

    /// A sum above this is not told from it.
    #[must_use]
    pub const fn up_to(mut self, most: u32) -> Self {
        self.most = most;
        self
    }

    /// Also whether this face is among them.
    #[must_use]
    pub const fn marking(mut self, face: u8) -> Self {
        self.mark = Some(face);
        self
    }

    /// What is read with one more face.
    #[must_use]
    pub fn and(&self, so_far: Tally, face: u8) -> Tally {
        let worth = self.worth.get(usize::from(face.wrapping_sub(1))).copied().unwrap_or(0);
        Tally {
            sum: so_far.sum.saturating_add(worth).min(self.most),
            marked: so_far.marked || self.mark == Some(face),
        }
    }
}

/// Every tally of some dice with the cases that give it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ways {
    pub(crate) tallies: Vec<(Tally, Count)>,
    pub(crate) total: Count,
}

impl Ways {
    /// Of no dice.
    fn none() -> Self {
        Self { tallies: vec![(Tally::default(), Count::ONE)], total: Count::ONE }
    }

    /// With one more die.
    fn and_one(&self, reading: &Reading) -> Self {
        let mut merged = BTreeMap::<Tally, Count>::new();
        for (tally, cases) in &self.tallies {
            for face in 1..=6 {
                let sum = merged.entry(reading.and(*tally, face)).or_insert(Count::ZERO);
                *sum = sum.plus(cases);
            }
        }
        let total = self.total.times(&Count::from(6));
        let common = merged.values().fold(total.clone(), |common, cases| common.common(cases));
        let tallies = merged.into_iter().map(|(tally, cases)| (tally, cases.over(&common))).collect();
        Self { tallies, total: total.over(&common) }
    }
}

/// The ways found so far, for each reading and number of dice.
#[derive(Debug, Default)]
pub(crate) struct Known(BTreeMap<Reading, Vec<Arc<Ways>>>);

impl Known {
    /// The ways in which so many dice fall.
    pub(crate) fn of(&mut self, dice: u32, reading: &Reading) -> Arc<Ways> {
        let known = self.0.entry(*reading).or_default();
        let mut last = known.last().map(Arc::clone).unwrap_or_else(|| {
            let none = Arc::new(Ways::none());
            known.push(Arc::clone(&none));
            none
        });
        let wanted = usize::try_from(dice).unwrap_or(usize::MAX);
        while known.len() <= wanted {
            last = Arc::new(last.and_one(reading));
            known.push(Arc::clone(&last));
        }
        known.get(wanted).map_or(last, Arc::clone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(dice: u32, reading: Reading, sum: u32, marked: bool) -> String {
        let ways = Known::default().of(dice, &reading);
        let cases = ways.tallies.iter().find(|(tally, _)| *tally == Tally { sum, marked });
        cases.map_or("never".to_owned(), |(_, cases)| format!("{cases}/{}", ways.total))
    }

    #[test]
    fn the_sum_of_two_dice() {
        assert_eq!(chance(2, Reading::SUM, 7, false), "6/36");
        assert_eq!(chance(2, Reading::SUM, 13, false), "never");
        assert_eq!(chance(2, Reading::SUM.marking(6), 7, true), "2/36");
        assert_eq!(chance(2, Reading::SUM.up_to(10), 10, false), "6/36");
    }

    #[test]
    fn what_is_certain_counts_once() {
        assert_eq!(chance(30, Reading::SUM.up_to(20), 20, false), "1/1");
        assert_eq!(chance(3, Reading::at_least(4), 3, false), "1/8");
        assert_eq!(chance(3, Reading::at_least(7), 0, false), "1/1");
    }
}
