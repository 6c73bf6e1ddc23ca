//! Strengths from a tournament: the model of Bradley and Terry in Elo's points, with intervals.

/// What two players scored against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encounter {
    /// The one, by place.
    pub one: usize,
    /// The other.
    pub other: usize,
    /// How many games.
    pub games: f64,
    /// What the one scored in them.
    pub score: f64,
}

/// A strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// In points; the mean of all players is 0.
    pub points: f64,
    /// Half the width of its interval of 95 %.
    pub margin: f64,
}

/// A natural logarithm of the odds is so many points.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// The strengths of so many players. Every two that met are thought to have drawn one game more than they
/// played, so that whoever always wins is not infinitely strong.
#[must_use]
pub fn strengths(players: usize, encounters: &[Encounter]) -> Vec<Strength> {
    let met: Vec<Encounter> = encounters
        .iter()
        .filter(|met| met.one < players && met.other < players && met.one != met.other)
        .map(|met| Encounter { games: met.games + 1.0, score: met.score + 0.5, ..*met })
        .collect();
    let mut worth = vec![0.0_f64; players];
    for _ in 0..100 {
        let (slope, bend) = at(&worth, &met);
        let step = solve(anchored(bend), slope);
        let largest = step.iter().fold(0.0_f64, |most, one| most.max(one.abs()));
        for (worth, step) in worth.iter_mut().zip(&step) {
            // Far from the top a whole step would leap over it.
            *worth += step.clamp(-1.0, 1.0);
        }
        if largest < 1e-10 {
            break;
        }
    }
    let (_, bend) = at(&worth, &met);
    let mean = worth.iter().sum::<f64>() / f64::from(u32::try_from(players.max(1)).unwrap_or(1));
    (0..players)
        .map(|player| {
            let mut unit = vec![0.0; players];
            unit[player] = 1.0;
            let variance = solve(anchored(bend.clone()), unit)[player] - anchor(players);
            let margin = 1.959_964 * variance.max(0.0).sqrt() * POINTS;
            Strength { points: (worth[player] - mean) * POINTS, margin }
        })
        .collect()
}

/// The slope of the likelihood at these strengths, and how it bends.
fn at(worth: &[f64], met: &[Encounter]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut slope = vec![0.0; worth.len()];
    let mut bend = vec![vec![0.0; worth.len()]; worth.len()];
    for &Encounter { one, other, games, score } in met {
        let chance = 1.0 / (1.0 + (worth[other] - worth[one]).exp());
        slope[one] += score - games * chance;
        slope[other] -= score - games * chance;
        let weight = games * chance * (1.0 - chance);
        bend[one][one] += weight;
        bend[other][other] += weight;
        bend[one][other] -= weight;
        bend[other][one] -= weight;
    }
    (slope, bend)
}

/// All strengths together mean nothing: one is added everywhere, which holds their mean and shows in each
/// variance as [`anchor`].
fn anchored(mut bend: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for row in &mut bend {
        row.iter_mut().for_each(|cell| *cell += 1.0);
    }
    bend
}

fn anchor(players: usize) -> f64 {
    let players = f64::from(u32::try_from(players.max(1)).unwrap_or(1));
    1.0 / (players * players)
}

/// Solves a small system of equations.
fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let Some(pivot) = pivot.filter(|&row| rows[row][column].abs() > 1e-12) else { continue };
        rows.swap(column, pivot);
        right.swap(column, pivot);
        let (above, known) = (rows[column].clone(), right[column]);
        for (row, value) in
            rows.iter_mut().zip(&mut right).enumerate().filter(|(row, _)| *row != column).map(|(_, row)| row)
        {
            let factor = row[column] / above[column];
            for (cell, above) in row.iter_mut().zip(&above).skip(column) {
                *cell -= factor * above;
            }
            *value -= factor * known;
        }
    }
    (0..size)
        .map(|row| if rows[row][row].abs() > 1e-12 { right[row] / rows[row][row] } else { 0.0 })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quarters_of_many_games_are_191_points() {
        let found = strengths(2, &[Encounter { one: 0, other: 1, games: 4_000.0, score: 3_000.0 }]);
        // 400 · log10(3) = 190.8, half of it on each side of the mean.
        assert!((found[0].points - found[1].points - 190.8).abs() < 0.5, "{found:?}");
        assert!((found[0].points + found[1].points).abs() < 1e-6);
        // The difference has a standard error of 1/sqrt(4000 · 3/16) in logarithms: 6.3 points; each alone half.
        assert!((found[0].margin - 1.96 * 6.343 / 2.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn whoever_always_wins_is_strong_and_not_infinitely_so() {
        let met = [
            Encounter { one: 0, other: 1, games: 10.0, score: 10.0 },
            Encounter { one: 1, other: 2, games: 10.0, score: 10.0 },
            Encounter { one: 0, other: 2, games: 10.0, score: 10.0 },
        ];
        let found = strengths(3, &met);
        assert!(found[0].points > 300.0 && found[0].points < 1_500.0, "{found:?}");
        assert!(found[1].points.abs() < 1e-6 && (found[0].points + found[2].points).abs() < 1e-6);
        assert!(found.iter().all(|one| one.margin > 50.0 && one.margin.is_finite()));
    }
}
