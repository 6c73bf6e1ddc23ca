//! Many games of a system between players of the house: which games, what is counted of each, and playing
//! them on several threads. Game number `n` of a seed is the same game wherever it is played; its [`Row`]
//! is written as the same bytes.
//!
//! ```
//! use glacis::simulation::Match;
//!
//! for system in glacis::systems().iter().filter(|system| system.game.is_some()) {
//!     let games = Match::of(system.name(), "a").unwrap();
//!     let row = games.row(7).unwrap();
//!     assert_eq!(row.line(), games.row(7).unwrap().line());
//!     assert!((row.counted.scores.values().sum::<f64>() - 1.0).abs() < 1e-9);
//! }
//! ```

mod compare;
mod elo;
mod page;
mod parquet;
mod sheet;
mod summary;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

use kernel::{Setup, Verdict};
use opponent::{Level, Searcher, watched};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::host::Counting;
use crate::system::Game;

pub use compare::{Comparison, Known};
pub use elo::{Encounter, Strength, strengths};
pub(crate) use page::end_name;
pub use page::page;
pub use sheet::{Format, write};
pub(crate) use summary::real as figure;
pub use summary::{Counts, Share, Summary, wilson};

/// What is counted of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counted {
    /// How it ended, in one word; none if it was given up.
    pub result: Option<String>,
    /// The turn on which it ended, where it can end before the last.
    pub turn: Option<u8>,
    /// How many decisions were made.
    pub decisions: u32,
    /// What the end is worth to each side: 1 a victory, one half a draw or a game given up.
    pub scores: BTreeMap<String, f64>,
    /// What the gauges of the game showed at the start and at the end of every turn.
    pub curves: BTreeMap<String, Vec<i64>>,
    /// By how much decisions of each kind changed each gauge, in all.
    pub changes: BTreeMap<String, BTreeMap<String, i64>>,
    /// How it ended, as records write it.
    pub outcome: Value,
}

/// What is counted of a game, with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The number of the game.
    pub game: u64,
    /// What is counted of it.
    pub counted: Counted,
}

impl Row {
    /// The row as a line of JSON, without its end.
    #[must_use]
    pub fn line(&self) -> String {
        // Plain data can always be written; maps are in order, so that the same row is the same bytes.
        let rest = serde_json::to_string(&self.counted).unwrap_or_default();
        format!("{{\"game\":{},{}", self.game, rest.get(1..).unwrap_or_default())
    }

    /// The row that a line holds.
    #[must_use]
    pub fn read(line: &str) -> Option<Self> {
        let mut value: Value = serde_json::from_str(line).ok()?;
        let game = value.as_object_mut()?.remove("game")?.as_u64()?;
        Some(Self { game, counted: serde_json::from_value(value).ok()? })
    }
}

/// Why there is no such match.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// No game of this name.
    #[error("{0}: {1}")]
    System(String, String),
    /// No scenario of this name.
    #[error("{0}: {1}")]
    Scenario(String, String),
    /// No side of this name.
    #[error("{0}: {1}")]
    Side(String, String),
    /// No level of this name.
    #[error("{0}: {1}")]
    Level(String, String),
}

/// Games between the same players under the same options, numbered from 0.
#[derive(Clone)]
pub struct Match {
    game: Game,
    /// How the games begin.
    pub setup: Setup,
    /// Who plays, in the order of the sides.
    pub levels: Vec<Level>,
    /// The text that all the games follow from.
    pub seed: String,
}

impl Match {
    /// Games of a system from a seed: its first scenario, sensible players.
    ///
    /// # Errors
    /// When there is no game of this name.
    pub fn of(system: &str, seed: &str) -> Result<Self, Fault> {
        let all = crate::systems();
        let names: Vec<&str> = all.iter().filter(|one| one.game.is_some()).map(crate::System::name).collect();
        let found = all.iter().find(|one| one.name() == system).and_then(|one| one.game.clone());
        let game = found.ok_or_else(|| Fault::System(system.to_owned(), names.join(", ")))?;
        let scenario = game.hosting.scenarios.first().copied().unwrap_or_default().to_owned();
        Ok(Self {
            setup: Setup { scenario, options: BTreeMap::new() },
            levels: vec![Level::Sensible; game.hosting.sides().len()],
            seed: seed.to_owned(),
            game,
        })
    }

    /// The same of another scenario.
    ///
    /// # Errors
    /// When there is none of this name.
    pub fn scenario(mut self, name: &str) -> Result<Self, Fault> {
        let known = self.game.hosting.scenarios;
        if !known.contains(&name) {
            return Err(Fault::Scenario(name.to_owned(), known.join(", ")));
        }
        name.clone_into(&mut self.setup.scenario);
        Ok(self)
    }

    /// The same with somebody else on a side.
    ///
    /// # Errors
    /// When there is no such side or level.
    pub fn player(mut self, side: &str, level: &str) -> Result<Self, Fault> {
        let sides = self.sides();
        let place = sides.iter().position(|other| other == side);
        let seat = place.and_then(|place| self.levels.get_mut(place));
        let seat = seat.ok_or_else(|| Fault::Side(side.to_owned(), sides.join(", ")))?;
        *seat = level.parse().map_err(|_| Fault::Level(level.to_owned(), Level::FORMS.to_owned()))?;
        Ok(self)
    }

    /// The same under an option.
    #[must_use]
    pub fn option(mut self, name: &str, value: &str) -> Self {
        self.setup.options.insert(name.to_owned(), value.to_owned());
        self
    }

    /// The names of the sides, in order.
    #[must_use]
    pub fn sides(&self) -> Vec<String> {
        self.game.hosting.sides()
    }

    /// The name of the system.
    #[must_use]
    pub fn system(&self) -> &'static str {
        self.game.hosting.name
    }

    /// Plays the game of this number.
    ///
    /// # Errors
    /// When there is no such option, or value of it.
    pub fn row(&self, number: u64) -> Verdict<Row> {
        let counted = (self.game.simulate)(&self.setup, &self.levels, stream(&self.seed, number))?;
        Ok(Row { game: number, counted })
    }
}

/// The number of a game's streams: it follows from the seed of all and from its place.
pub(crate) fn stream(seed: &str, number: u64) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(seed.as_bytes());
    hasher.update(&number.to_le_bytes());
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// Whether more games are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Going {
    /// They are.
    On,
    /// It is enough.
    Enough,
}

/// Works out `what` for each of these numbers on so many threads, and gives the results out in their order,
/// until it is enough or `stop` is set. What is given out does not depend on the number of threads.
///
/// # Errors
/// The first that `each` gives.
pub fn in_order<T: Send, E>(
    numbers: std::ops::Range<u64>,
    threads: usize,
    stop: &AtomicBool,
    what: impl Fn(u64) -> T + Sync,
    mut each: impl FnMut(u64, T) -> Result<Going, E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (send, next, what) = (send.clone(), &next, &what);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= numbers.end || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    if send.send((number, what(number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut early = BTreeMap::new();
        let mut due = numbers.start;
        let mut done = Ok(Going::On);
        for (number, result) in &receive {
            early.insert(number, result);
            while let Some(result) = early.remove(&due)
                && matches!(done, Ok(Going::On))
            {
                done = each(due, result);
                due += 1;
            }
            if !matches!(done, Ok(Going::On)) {
                break;
            }
        }
        // Whoever still plays finds that nobody wants more.
        next.store(numbers.end, Ordering::Relaxed);
        drop(receive);
        done.map(drop)
    })
}

/// A game played out by the number of its streams, as it is counted.
pub(crate) fn counted<G: Searcher + 'static, C: Counting<G>>(
    setup: &Setup,
    levels: &[Level],
    stream: u64,
) -> Verdict<Counted> {
    let mut gauges = Vec::new();
    let first = G::start(setup)?;
    for gauge in C::gauges() {
        let now = (gauge.read)(&first);
        gauges.push(Watched { now, curve: vec![now], changes: BTreeMap::new() });
    }
    let mut turn = C::turn(&first);
    drop(first);
    let game = watched::<G>(setup, levels, stream, |state, _, order| {
        let (before, now) = (turn, C::turn(state));
        turn = now;
        for (gauge, watched) in C::gauges().iter().zip(&mut gauges) {
            let value = (gauge.read)(state);
            if value != watched.now {
                *watched.changes.entry(G::topic(order).kind).or_default() += value - watched.now;
                watched.now = value;
            }
            // What a turn ends with is what the next begins with.
            watched.curve.extend((before..now).map(|_| value));
        }
    })?;
    let outcome = game.last.outcome();
    let ending = outcome.as_ref().map(C::ending);
    let names = crate::host::side_names::<G>();
    let scores = names.into_iter().zip(G::SIDES).map(|(name, side)| {
        let score = outcome.as_ref().map_or(0.5, |outcome| G::score(outcome, *side));
        (name, score)
    });
    let mut curves = BTreeMap::new();
    let mut changes = BTreeMap::new();
    for (gauge, watched) in C::gauges().iter().zip(gauges) {
        let mut curve = watched.curve;
        curve.push(watched.now);
        curves.insert(gauge.name.to_owned(), curve);
        let kinds = watched.changes.into_iter().filter(|(_, change)| *change != 0);
        changes
            .insert(gauge.name.to_owned(), kinds.map(|(kind, change)| (kind.to_owned(), change)).collect());
    }
    Ok(Counted {
        turn: ending.as_ref().and_then(|ending| ending.turn),
        result: ending.map(|ending| ending.result),
        decisions: game.decisions,
        scores: scores.collect(),
        curves,
        changes,
        outcome: outcome.and_then(|outcome| serde_json::to_value(outcome).ok()).unwrap_or_default(),
    })
}

/// A gauge that is watched through a game.
struct Watched {
    now: i64,
    curve: Vec<i64>,
    changes: BTreeMap<&'static str, i64>,
}
