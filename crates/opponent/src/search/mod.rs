//! The player who thinks ahead: a Monte-Carlo tree search over what the doctrine proposes. It sees what its
//! side sees; for every playout it imagines a whole table from that, with dice of its own.

mod tree;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZero;
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use kernel::Live;

use crate::{Player, Searcher};
use tree::Tree;

/// How long it thinks about a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// So many playouts: the same stream then gives the same order, whatever the number of threads.
    Playouts(NonZero<u32>),
    /// So many milliseconds.
    Milliseconds(NonZero<u32>),
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Playouts(number) => write!(f, "{number}"),
            Self::Milliseconds(number) => write!(f, "{number}ms"),
        }
    }
}

/// It is no budget: a number of playouts, or of milliseconds (`800ms`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoBudget;

impl FromStr for Budget {
    type Err = NoBudget;

    fn from_str(text: &str) -> Result<Self, NoBudget> {
        let number = |digits: &str| digits.parse().map_err(|_| NoBudget);
        match text.strip_suffix("ms") {
            Some(digits) => number(digits).map(Self::Milliseconds),
            None => number(text).map(Self::Playouts),
        }
    }
}

/// Below so many playouts a second tree is not worth its beginnings.
const LEAST_FOR_A_TREE: u32 = 64;
/// So many trees grow at most, however many threads there are.
const MOST_TREES: u32 = 8;

/// The player who thinks ahead.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// How long it thinks about a decision.
    pub budget: Budget,
    /// On so many threads.
    pub threads: NonZero<usize>,
}

/// What was found of one order.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospect<A> {
    /// The order.
    pub action: A,
    /// How many playouts began with it.
    pub playouts: u32,
    /// The score that they gave on average: from 0, lost, to 1, won.
    pub worth: f64,
    /// Whether the doctrine proposes it.
    pub proposed: bool,
}

/// What came of thinking: orders, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Thought<A> {
    /// The orders that were tried.
    pub prospects: Vec<Prospect<A>>,
}

impl<A> Thought<A> {
    /// How many playouts there were.
    #[must_use]
    pub fn playouts(&self) -> u32 {
        self.prospects.iter().map(|prospect| prospect.playouts).sum()
    }
}

impl Search {
    /// Thinks on one thread.
    #[must_use]
    pub const fn new(budget: Budget) -> Self {
        Self { budget, threads: NonZero::<usize>::MIN }
    }

    /// Thinks about what this side, which sees `view`, is offered.
    #[must_use]
    pub fn think<G: Searcher>(
        &self,
        side: G::Side,
        view: &G::View,
        offered: &[G::Action],
        stream: &mut Live,
    ) -> Thought<G::Action> {
        let first = tree::number(stream);
        let tasks = self.tasks();
        let grow = |number: u64, task: Task| {
            let mut tree = Tree::<G>::new(side, view, offered, Live::numbered(first.wrapping_add(number)));
            task.carry_out(|| tree.playout());
            tree.found()
        };
        let numbered: Vec<(u64, Task)> = (0..).zip(tasks).collect();
        let threads = self.threads.get().min(numbered.len()).max(1);
        let grown: Vec<_> = if threads == 1 {
            numbered.into_iter().map(|(number, task)| grow(number, task)).collect()
        } else {
            thread::scope(|scope| {
                let share = numbered.len().div_ceil(threads);
                let grow = &grow;
                let hands: Vec<_> = numbered
                    .chunks(share)
                    .map(|some| {
                        scope.spawn(move || {
                            some.iter().map(|&(number, task)| grow(number, task)).collect::<Vec<_>>()
                        })
                    })
                    .collect();
                // A tree that could not be grown is as if it had not been planted.
                hands.into_iter().filter_map(|hand| hand.join().ok()).flatten().collect()
            })
        };
        Thought { prospects: merged(grown) }
    }

    /// What each tree has to do. Their number follows from the playouts and not from the threads.
    fn tasks(&self) -> Vec<Task> {
        match self.budget {
            Budget::Playouts(playouts) => {
                let trees = (playouts.get() / LEAST_FOR_A_TREE).clamp(1, MOST_TREES);
                let (each, rest) = (playouts.get() / trees, playouts.get() % trees);
                (0..trees).map(|number| Task::Playouts(each + u32::from(number < rest))).collect()
            }
            Budget::Milliseconds(time) => {
                let until = Instant::now() + Duration::from_millis(time.get().into());
                vec![Task::Until(until); self.threads.get()]
            }
        }
    }
}

/// What a tree has to do.
#[derive(Clone, Copy)]
enum Task {
    Playouts(u32),
    Until(Instant),
}

impl Task {
    fn carry_out(self, mut playout: impl FnMut()) {
        match self {
            Self::Playouts(number) => (0..number).for_each(|_| playout()),
            Self::Until(when) => {
                playout();
                while Instant::now() < when {
                    playout();
                }
            }
        }
    }
}

/// What several trees found, the best first: what was tried most, of equals what is worth more. What is
/// worth less than the doctrine's own proposal comes after it.
fn merged<A: Ord + Clone>(trees: Vec<Vec<Prospect<A>>>) -> Vec<Prospect<A>> {
    let mut all = BTreeMap::<A, Prospect<A>>::new();
    for found in trees.into_iter().flatten() {
        match all.get_mut(&found.action) {
            None => drop(all.insert(found.action.clone(), found)),
            Some(known) => {
                let playouts = known.playouts + found.playouts;
                let sum = known.worth * f64::from(known.playouts) + found.worth * f64::from(found.playouts);
                known.worth = sum / f64::from(playouts.max(1));
                known.playouts = playouts;
                known.proposed |= found.proposed;
            }
        }
    }
    let mut all: Vec<Prospect<A>> = all.into_values().collect();
    let least = all.iter().filter(|one| one.proposed).map(|one| one.worth).fold(0.0, f64::max);
    all.sort_by(|a, b| {
        let better = |one: &Prospect<A>| one.proposed || one.worth > least;
        better(b)
            .cmp(&better(a))
            .then(b.playouts.cmp(&a.playouts))
            .then(b.worth.total_cmp(&a.worth))
            .then(a.action.cmp(&b.action))
    });
    all
}

impl<G: Searcher> Player<G> for Search {
    fn choose(
        &mut self,
        side: G::Side,
        view: &G::View,
        offered: &[G::Action],
        stream: &mut Live,
    ) -> G::Action {
        if offered.len() > 1 && G::weighty(side, view, offered) {
            let thought = self.think::<G>(side, view, offered, stream);
            if let Some(best) = thought.prospects.into_iter().next() {
                return best.action;
            }
        }
        G::plan(side, view, offered, stream)
    }
}
