//! Games of any system for players that learn: what a side sees is a row of numbers, and what it decides is an
//! index below [`WIDTH`], whatever the system and however long its lists are.
//!
//! A decision is asked for in stages: first its kind, then what it is about, then which of those that are left;
//! a stage with one choice is passed over, and a list longer than [`WIDTH`] is told in blocks. Sides that decide
//! in secret are asked one after the other, and nothing is carried out before the last has decided.

mod batch;
mod table;

use kernel::{Live, Refusal, Setup, Verdict, phrase};
use opponent::{Featured, Searcher};
use serde_json::Value;

pub use batch::{Batch, Ended};
use table::Table;

/// So many indexes there are at every stage.
pub const WIDTH: usize = 256;

/// A game that is played by indexes. Sides are named by their place.
pub trait Arena: Send + Sync {
    /// Begins again: the game of this number.
    fn begin(&mut self, number: u64);

    /// Who is asked; nobody when the game is over.
    fn asked(&self) -> Option<usize>;

    /// The indexes that may be chosen now, in order.
    fn choices(&self) -> &[u16];

    /// What an index stands for now, as JSON: a kind, a subject, an order or a block of orders.
    fn meaning(&self, index: u16) -> Option<Value>;

    /// Chooses.
    ///
    /// # Errors
    /// When the index is none of the [`choices`](Self::choices); nothing has changed then.
    fn choose(&mut self, index: u16) -> Verdict<()>;

    /// One of the indexes that may be chosen, each as likely as any other.
    fn any(&self, stream: &mut Live) -> u16 {
        let choices = self.choices();
        let count = u32::try_from(choices.len()).unwrap_or(u32::MAX);
        choices.get(stream.below(count) as usize).copied().unwrap_or_default()
    }

    /// What a side, or a spectator, sees and is asked, in numbers: always as many as [`names`](Self::names).
    fn features(&mut self, reader: Option<usize>) -> &[f32];

    /// The names of these numbers.
    fn names(&self) -> Vec<String>;

    /// What the end is worth to each side: 1 won, 0 lost, one half neither; nothing before the end.
    fn scores(&self) -> Option<Vec<f64>>;

    /// How many decisions were carried out.
    fn decisions(&self) -> u64;

    /// The kinds of decision: the index of each is that of its stage.
    fn kinds(&self) -> &'static [&'static str];
}

/// The refusal of an index that stands for nothing now.
fn not_offered(field: String, index: u16, choices: &[u16]) -> Refusal {
    let offered: Vec<String> = choices.iter().map(u16::to_string).collect();
    Refusal::field(field, phrase::IMPOSSIBLE_VALUE)
        .with("found", i64::from(index))
        .with("expected", offered.join(", "))
}

/// A table for games with this setup, whose first game is that of number 0.
///
/// # Errors
/// When there is no such scenario or option.
pub fn open<G>(setup: &Setup) -> Verdict<Box<dyn Arena>>
where
    G: Featured + Searcher + Send + Sync + 'static,
    G::Side: Send + Sync,
    G::Action: Send + Sync,
{
    Ok(Box::new(Table::<G>::open(setup)?))
}
