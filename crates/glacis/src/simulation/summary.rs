//! What many games come to, added up game by game: its size does not grow with their number.

use std::collections::BTreeMap;

use super::Row;

/// What some games came to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many games.
    pub games: u64,
    /// How often each end; under no name, games that were given up.
    pub results: BTreeMap<Option<String>, u64>,
    /// The turns on which games ended that could go on.
    pub turns: BTreeMap<u8, u64>,
    /// What all ends were worth to each side.
    pub scores: BTreeMap<String, f64>,
    /// How often each number of decisions.
    pub lengths: Counts<u32>,
    /// What each gauge showed at the start and after every turn.
    pub curves: BTreeMap<String, Vec<Counts<i64>>>,
    /// By how much decisions of each kind changed each gauge, in all games.
    pub changes: BTreeMap<String, BTreeMap<String, i64>>,
}

impl Summary {
    /// Adds a game.
    pub fn add(&mut self, row: &Row) {
        let counted = &row.counted;
        self.games += 1;
        *self.results.entry(counted.result.clone()).or_default() += 1;
        if let Some(turn) = counted.turn {
            *self.turns.entry(turn).or_default() += 1;
        }
        for (side, score) in &counted.scores {
            *self.scores.entry(side.clone()).or_default() += score;
        }
        self.lengths.add(counted.decisions);
        for (gauge, curve) in &counted.curves {
            let turns = self.curves.entry(gauge.clone()).or_default();
            turns.resize(turns.len().max(curve.len()), Counts::default());
            for (seen, value) in turns.iter_mut().zip(curve) {
                seen.add(*value);
            }
        }
        for (gauge, kinds) in &counted.changes {
            let causes = self.changes.entry(gauge.clone()).or_default();
            for (kind, change) in kinds {
                *causes.entry(kind.clone()).or_default() += change;
            }
        }
    }

    /// A share of the games with its interval of 95 % (Wilson's).
    #[must_use]
    pub fn share(&self, times: u64) -> Share {
        let (low, high) = wilson(times, self.games);
        Share { part: real(times) / real(self.games).max(1.0), low, high }
    }

    /// The causes of a gauge's changes, a game, the greatest first.
    #[must_use]
    pub fn causes(&self, gauge: &str) -> Vec<(&str, f64)> {
        let kinds = self.changes.get(gauge).into_iter().flatten();
        #[expect(clippy::cast_precision_loss, reason = "figures for people")]
        let mut causes: Vec<(&str, f64)> =
            kinds.map(|(kind, change)| (kind.as_str(), *change as f64 / real(self.games).max(1.0))).collect();
        causes.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()).then(a.0.cmp(b.0)));
        causes
    }
}

/// A share with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share.
    pub part: f64,
    /// It is hardly less than this.
    pub low: f64,
    /// Nor more than this.
    pub high: f64,
}

/// How often each value was seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts<T: Ord> {
    seen: BTreeMap<T, u64>,
    all: u64,
}

impl<T: Ord + Copy + Into<i64>> Counts<T> {
    fn add(&mut self, value: T) {
        *self.seen.entry(value).or_default() += 1;
        self.all += 1;
    }

    /// How many values were seen.
    #[must_use]
    pub const fn all(&self) -> u64 {
        self.all
    }

    /// The value that so many percent are not above.
    #[must_use]
    pub fn quantile(&self, percent: u64) -> Option<T> {
        let wanted = (self.all * percent).div_ceil(100).max(1);
        let mut so_far = 0;
        self.seen.iter().find_map(|(value, times)| {
            so_far += times;
            (so_far >= wanted).then_some(*value)
        })
    }

    /// Their mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.seen.iter().map(|(value, times)| whole((*value).into()) * real(*times)).sum();
        sum / real(self.all).max(1.0)
    }

    /// So many bins of equal width from the least to the greatest: where each begins, and how often.
    #[must_use]
    pub fn bins(&self, most: u32) -> Vec<(i64, u64)> {
        let bounds = self.seen.keys().next().zip(self.seen.keys().next_back());
        let Some((least, greatest)) = bounds.map(|(a, b)| ((*a).into(), (*b).into())) else {
            return Vec::new();
        };
        let width = (greatest - least + 1 + i64::from(most) - 1) / i64::from(most.max(1));
        let width = width.max(1);
        let mut bins: Vec<(i64, u64)> =
            (0..=(greatest - least) / width).map(|n| (least + n * width, 0)).collect();
        for (value, times) in &self.seen {
            let place = usize::try_from(((*value).into() - least) / width).unwrap_or(0);
            if let Some(bin) = bins.get_mut(place) {
                bin.1 += times;
            }
        }
        bins
    }
}

/// A number as a figure for people.
#[expect(clippy::cast_precision_loss, reason = "figures for people")]
pub(crate) fn real(many: u64) -> f64 {
    many as f64
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn whole(value: i64) -> f64 {
    value as f64
}

/// Wilson's interval of 95 % for a share.
#[must_use]
pub fn wilson(times: u64, of: u64) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (real(of), real(times) / real(of));
    let weight = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / weight;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / weight;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        // 50 of 100: 0.4038 to 0.5962; 0 of 20: 0 to 0.1611.
        let (low, high) = wilson(50, 100);
        assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(0, 20);
        assert!(low.abs() < 1e-9 && (high - 0.1611).abs() < 1e-4, "{low} {high}");
        assert!(wilson(0, 0) == (0.0, 1.0));
    }

    #[test]
    fn bins_and_quantiles_count_everything_once() {
        let mut counts = Counts::<u32>::default();
        (1..=100).for_each(|value| counts.add(value));
        assert_eq!(
            (counts.quantile(50), counts.quantile(25), counts.quantile(100)),
            (Some(50), Some(25), Some(100))
        );
        assert_eq!(counts.bins(4), [(1, 25), (26, 25), (51, 25), (76, 25)]);
        assert!((counts.mean() - 50.5).abs() < 1e-9);
        assert_eq!(Counts::<u32>::default().quantile(50), None);
    }
}
