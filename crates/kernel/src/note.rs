//! What a rule says while it acts. `Silent` hears nothing and costs nothing; `Spoken` keeps every
//! line in order.

use std::fmt;

use serde::Serialize;

use crate::{Fact, Measure, Phrase, RuleId};

/// What a rule did, as data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It applied; its text says all.
    Applied,
    /// It added to a factor, a die or a value.
    Modifier(i32),
    /// It multiplied by a fraction.
    Times(u32, u32),
    /// It set a value.
    Set(Measure),
    /// It limited a value.
    Limit(Measure),
    /// It forbade.
    Refused,
}

impl fmt::Display for Effect {
    /// The language-neutral form, for golden files.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Applied => f.write_str("applied"),
            Self::Modifier(value) => write!(f, "{value:+}"),
            Self::Times(numerator, 1) => write!(f, "x{numerator}"),
            Self::Times(numerator, denominator) => write!(f, "x{numerator}/{denominator}"),
            Self::Set(value) => write!(f, "= {value}"),
            Self::Limit(value) => write!(f, "limit {value}"),
            Self::Refused => f.write_str("refused"),
        }
    }
}

/// One reason: the rule and what it did.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Because {
    /// The rule.
    pub rule: RuleId,
    /// What it did.
    pub effect: Effect,
}

/// Who may read an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Everybody.
    All,
    /// Only the side with this place in [`Game::SIDES`](crate::Game::SIDES).
    Side(usize),
}

/// Something that happened on the table: a line of the log, as data.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Event {
    /// The message.
    pub phrase: Phrase,
    /// Its arguments.
    pub facts: Vec<Fact>,
    /// Who may read it.
    pub audience: Audience,
}

impl Event {
    /// An event everybody sees.
    #[must_use]
    pub const fn new(phrase: Phrase) -> Self {
        Self { phrase, facts: Vec::new(), audience: Audience::All }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Measure>) -> Self {
        self.facts.push(Fact { name, value: value.into() });
        self
    }

    /// Shows it to one side only.
    #[must_use]
    pub const fn only_for(mut self, side: usize) -> Self {
        self.audience = Audience::Side(side);
        self
    }

    /// Whether the side with this place (or a spectator) may read it.
    #[must_use]
    pub fn is_for(&self, side: Option<usize>) -> bool {
        match self.audience {
            Audience::All => true,
            Audience::Side(only) => side == Some(only),
        }
    }
}

/// A line of what was said, in order: the reasons of an event stand before it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// A rule acted.
    Because(Because),
    /// Something happened.
    Happened(Event),
}

impl Line {
    /// The lines that the side with this place (or a spectator) may read: an event meant for
    /// another takes its reasons with it.
    #[must_use]
    pub fn readable(lines: &[Self], side: Option<usize>) -> Vec<&Self> {
        let mut readable = Vec::with_capacity(lines.len());
        let mut event = 0;
        for line in lines {
            match line {
                Self::Happened(happened) if !happened.is_for(side) => readable.truncate(event),
                Self::Because(_) => readable.push(line),
                Self::Happened(_) => {
                    readable.push(line);
                    event = readable.len();
                }
            }
        }
        readable
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Because(because) => write!(f, "{} {}", because.rule, because.effect),
            Self::Happened(event) => {
                write!(f, "* {}", event.phrase.key())?;
                for fact in &event.facts {
                    write!(f, " {}={}", fact.name, fact.value)?;
                }
                Ok(())
            }
        }
    }
}

/// Where the lines go.
pub trait Notes {
    /// A rule acted.
    fn because(&mut self, because: Because);
    /// Something happened; the event is made only if somebody listens.
    fn happened(&mut self, event: impl FnOnce() -> Event);
}

/// Nobody listens: for playouts. Compiles to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Notes for Silent {
    #[inline(always)]
    fn because(&mut self, _: Because) {}
    #[inline(always)]
    fn happened(&mut self, _: impl FnOnce() -> Event) {}
}

/// Every line is kept, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spoken {
    lines: Vec<Line>,
}

impl Spoken {
    /// What was said, in order.
    #[must_use]
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The reasons alone, in order.
    pub fn reasons(&self) -> impl Iterator<Item = &Because> {
        self.lines.iter().filter_map(|line| match line {
            Line::Because(because) => Some(because),
            Line::Happened(_) => None,
        })
    }

    /// Gives the lines away.
    #[must_use]
    pub fn into_lines(self) -> Vec<Line> {
        self.lines
    }
}

impl Notes for Spoken {
    fn because(&mut self, because: Because) {
        self.lines.push(Line::Because(because));
    }

    fn happened(&mut self, event: impl FnOnce() -> Event) {
        self.lines.push(Line::Happened(event()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_for_another_takes_its_reasons_with_it() {
        let mut notes = Spoken::default();
        let reason = |id| Because { rule: RuleId::declared(id), effect: Effect::Applied };
        notes.because(reason("EX-1"));
        notes.happened(|| Event::new(Phrase::declared("open")));
        notes.because(reason("EX-2"));
        notes.because(reason("EX-3"));
        notes.happened(|| Event::new(Phrase::declared("secret")).only_for(1));
        notes.because(reason("EX-4"));
        let read =
            |side| Line::readable(notes.lines(), side).iter().map(ToString::to_string).collect::<Vec<_>>();
        let open = ["EX-1 applied", "* open", "EX-4 applied"];
        assert_eq!(read(None), open);
        assert_eq!(read(Some(0)), open);
        assert_eq!(read(Some(1)).len(), 6);
    }
}
