//! Many games side by side: one index for each of them goes in, what each then sees comes out. A game that is
//! over makes room for the next.

use kernel::{Live, Refusal, Setup, Verdict, phrase};

use super::{Arena, WIDTH, not_offered};
use crate::simulation::stream;
use crate::system::Game;

/// What became of a game with its last index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It goes on.
    No,
    /// It is over, and the next one has begun in its place.
    Over,
    /// It was too long, and the next one has begun in its place.
    Cut,
}

/// Games side by side.
pub struct Batch {
    games: Vec<Seat>,
    seed: String,
    sides: usize,
    width: usize,
    longest: Option<u64>,
}

/// A place in the batch.
struct Seat {
    game: Box<dyn Arena>,
    number: u64,
    /// Indexes chosen in this game.
    steps: u64,
    lot: Live,
    ended: Ended,
    /// What the last game was worth to each side, from -1 to 1, if the last index ended it.
    rewards: Vec<f32>,
}

impl Batch {
    /// So many games of a system. The first of them have the numbers 0, 1, 2 …; whoever makes room for the
    /// next takes the number that is as many further on. A game of more indexes than `longest` is cut short.
    ///
    /// # Errors
    /// When there is no such scenario or option, or not one game.
    pub fn open(game: &Game, setup: &Setup, seed: &str, games: u64, longest: Option<u64>) -> Verdict<Self> {
        if games == 0 {
            return Err(Refusal::field("games", phrase::IMPOSSIBLE_VALUE)
                .with("found", 0)
                .with("expected", "1…"));
        }
        let mut seats = Vec::new();
        for number in 0..games {
            let mut arena = (game.arena)(setup)?;
            let stream = stream(seed, number);
            arena.begin(stream);
            seats.push(Seat {
                game: arena,
                number,
                steps: 0,
                lot: Live::numbered(!stream),
                ended: Ended::No,
                rewards: vec![0.0; game.hosting.sides().len()],
            });
        }
        let width = seats.first().map_or(0, |seat| seat.game.names().len());
        let sides = game.hosting.sides().len();
        Ok(Self { games: seats, seed: seed.to_owned(), sides, width, longest })
    }

    /// How many games there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Never: there is always one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// How many sides a game has.
    #[must_use]
    pub const fn sides(&self) -> usize {
        self.sides
    }

    /// How many numbers a side sees.
    #[must_use]
    pub const fn width(&self) -> usize {
        self.width
    }

    /// Gives each game its index.
    ///
    /// # Errors
    /// When there are not as many as games, or one of them may not be chosen: then no game has changed.
    pub fn step(&mut self, indexes: &[u16]) -> Verdict<()> {
        if indexes.len() != self.games.len() {
            let counted = |many: usize| i64::try_from(many).unwrap_or(i64::MAX);
            return Err(Refusal::field("actions", phrase::WRONG_LENGTH)
                .with("found", counted(indexes.len()))
                .with("expected", counted(self.games.len())));
        }
        for (place, (seat, index)) in self.games.iter().zip(indexes).enumerate() {
            if seat.game.choices().binary_search(index).is_err() {
                return Err(not_offered(format!("actions.{place}"), *index, seat.game.choices()));
            }
        }
        let many = u64::try_from(self.games.len()).unwrap_or(u64::MAX);
        for (seat, index) in self.games.iter_mut().zip(indexes) {
            seat.game.choose(*index)?;
            seat.steps += 1;
            seat.ended = Ended::No;
            let over = seat.game.asked().is_none();
            if !over && self.longest.is_none_or(|longest| seat.steps < longest) {
                continue;
            }
            seat.ended = if over { Ended::Over } else { Ended::Cut };
            let scores = seat.game.scores();
            for (side, reward) in seat.rewards.iter_mut().enumerate() {
                *reward = scores
                    .as_ref()
                    .and_then(|scores| scores.get(side))
                    .map_or(0.0, |score| reward_of(*score));
            }
            seat.number += many;
            seat.steps = 0;
            seat.game.begin(stream(&self.seed, seat.number));
        }
        Ok(())
    }

    /// For each game an index that may be chosen, each as likely as any other.
    pub fn any(&mut self) -> Vec<u16> {
        self.games.iter_mut().map(|seat| seat.game.any(&mut seat.lot)).collect()
    }

    /// What the side that is asked sees in each game, one row after the other.
    pub fn each_features(&mut self, mut row: impl FnMut(usize, &[f32])) {
        for (place, seat) in self.games.iter_mut().enumerate() {
            let reader = seat.game.asked();
            row(place, seat.game.features(reader));
        }
    }

    /// The indexes that may be chosen in each game: 1 for each that may, in rows of [`WIDTH`].
    pub fn masks(&self, into: &mut [u8]) {
        into.fill(0);
        for (seat, row) in self.games.iter().zip(into.chunks_exact_mut(WIDTH)) {
            for choice in seat.game.choices() {
                if let Some(mark) = row.get_mut(usize::from(*choice)) {
                    *mark = 1;
                }
            }
        }
    }

    /// Who is asked in each game, by place.
    pub fn asked(&self) -> impl Iterator<Item = usize> {
        self.games.iter().map(|seat| seat.game.asked().unwrap_or_default())
    }

    /// What the last index did to each game, and what it was worth to each side.
    pub fn ended(&self) -> impl Iterator<Item = (Ended, &[f32])> {
        self.games.iter().map(|seat| (seat.ended, seat.rewards.as_slice()))
    }
}

/// What a score is worth to whoever learns: 1 won, -1 lost.
#[expect(clippy::cast_possible_truncation, reason = "who learns reckons in single precision")]
fn reward_of(score: f64) -> f32 {
    (2.0 * score - 1.0) as f32
}
