//! How a game is told to people: its decisions and its situation as phrases with facts, never as
//! words. Pages, terminal and logs make sentences of them.

use serde::Serialize;

use crate::{Fact, Game, Measure, Phrase};

/// A phrase with its facts: a sentence to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Saying {
    /// The message.
    pub phrase: Phrase,
    /// Its arguments.
    pub facts: Vec<Fact>,
}

impl Saying {
    /// A phrase without facts.
    #[must_use]
    pub const fn new(phrase: Phrase) -> Self {
        Self { phrase, facts: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Measure>) -> Self {
        self.facts.push(Fact { name, value: value.into() });
        self
    }
}

/// A game that can be told and drawn.
pub trait Told: Game {
    /// Where the game stands: turn, step, what matters now. The first line is the headline.
    fn standing(&self) -> Vec<Saying>;

    /// What kind of decision this is; a list is grouped by it.
    fn kind(action: &Self::Action) -> Saying;

    /// The decision itself.
    fn tell(&self, action: &Self::Action) -> Saying;

    /// A side by name.
    fn name(side: Self::Side) -> Phrase;

    /// How the game ended.
    fn ending(outcome: &Self::Outcome) -> Saying;
}
