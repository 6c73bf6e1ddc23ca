//! Two settings on the same seeds: whether they differ, asked after every pair of games without being fooled
//! by asking often.
//!
//! If the settings made no difference, the difference of the scores of a pair would be as likely up as down.
//! Then the wager below (a mixture over all sizes of the difference, self-normalised) is a fair game, and
//! never grows twentyfold with a chance above one in twenty, however long it is looked at (Ville). So the test
//! may stop as soon as it does: the chance of a false alarm stays 5 %.

/// So surely a difference is claimed.
const ALARM: f64 = 0.05;
/// How many pairs that differ the wager is made for.
const EXPECTED: f64 = 8.0;

/// The test, pair by pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Comparison {
    pairs: u64,
    sum: f64,
    squares: f64,
    most: f64,
}

/// What is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// Not enough yet.
    NotYet,
    /// They differ.
    Differ,
    /// If they differ, then by less than matters.
    Alike,
}

impl Comparison {
    /// Adds what the first side scored under the one setting and under the other, in games of one seed.
    pub fn add(&mut self, one: f64, other: f64) {
        let difference = other - one;
        self.pairs += 1;
        self.sum += difference;
        self.squares += difference * difference;
        self.most = self.most.max(self.wager());
    }

    fn wager(&self) -> f64 {
        let spread = EXPECTED + self.squares;
        (EXPECTED / spread).sqrt() * (self.sum * self.sum / (2.0 * spread)).exp()
    }

    /// How many pairs were played.
    #[must_use]
    pub const fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The mean difference.
    #[must_use]
    pub fn difference(&self) -> f64 {
        self.sum / super::summary::real(self.pairs).max(1.0)
    }

    /// The chance of seeing as much, at any time, if there were no difference: at most this.
    #[must_use]
    pub fn chance(&self) -> f64 {
        (1.0 / self.most.max(1.0)).min(1.0)
    }

    /// Half the width of an interval of 95 % for the difference that holds after every pair at once.
    #[must_use]
    pub fn margin(&self) -> f64 {
        let pairs = super::summary::real(self.pairs).max(1.0);
        let about_the_mean = (self.squares - self.sum * self.sum / pairs).max(0.0);
        let spread = EXPECTED + about_the_mean;
        (spread * (2.0 * (1.0 / ALARM).ln() + (spread / EXPECTED).ln())).sqrt() / pairs
    }

    /// What is known, where differences below `enough` do not matter.
    #[must_use]
    pub fn known(&self, enough: f64) -> Known {
        if self.chance() <= ALARM {
            Known::Differ
        } else if self.difference().abs() + self.margin() <= enough {
            Known::Alike
        } else {
            Known::NotYet
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::Live;

    use super::*;

    /// Plays pairs in which the one wins with so many in a hundred and the other with so many, until it is
    /// known or there were so many pairs.
    fn told(one: u32, other: u32, most: u32, number: u64) -> (Known, Comparison) {
        let mut stream = Live::numbered(number);
        let mut test = Comparison::default();
        for _ in 0..most {
            let score = |chance: u32, stream: &mut Live| f64::from(u8::from(stream.below(100) < chance));
            test.add(score(one, &mut stream), score(other, &mut stream));
            if test.known(0.1) != Known::NotYet {
                break;
            }
        }
        (test.known(0.1), test)
    }

    #[test]
    fn a_clear_difference_is_found_early() {
        let (known, test) = told(30, 70, 1_000, 1);
        assert_eq!(known, Known::Differ);
        assert!(test.pairs() < 150 && test.difference() > 0.2, "{test:?}");
    }

    #[test]
    fn where_there_is_none_one_is_claimed_at_most_once_in_twenty() {
        let claimed = (0..400).filter(|&number| told(50, 50, 300, number).0 == Known::Differ).count();
        assert!(claimed <= 20, "{claimed} of 400");
    }

    #[test]
    fn settings_that_are_the_same_are_known_to_be() {
        let mut test = Comparison::default();
        while test.known(0.05) == Known::NotYet {
            test.add(1.0, 1.0);
        }
        assert_eq!(test.known(0.05), Known::Alike);
        assert!(test.pairs() < 200, "{}", test.pairs());
    }
}
