//! A refusal is an answer: it names the rule that forbids, or the field that is wrong, and the
//! facts that make it so.

use std::fmt;

use serde::Serialize;

use crate::{Fact, Measure, Phrase, RuleId, trace};

/// What a rule answers when asked whether something may be done.
pub type Verdict<T> = Result<T, Refusal>;

/// Why something may not be done, or why a request makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Refusal {
    /// The rule that forbids it.
    pub rule: Option<RuleId>,
    /// The dotted path of the field that is wrong.
    pub field: Option<String>,
    /// The message, with the facts below as its arguments.
    pub reason: Phrase,
    /// The facts.
    pub facts: Vec<Fact>,
}

impl Refusal {
    /// A refusal by a rule.
    #[must_use]
    pub fn rule(rule: RuleId, reason: Phrase) -> Self {
        trace::cited(rule);
        Self { rule: Some(rule), field: None, reason, facts: Vec::new() }
    }

    /// A refusal of a field of a request.
    #[must_use]
    pub fn field(path: impl Into<String>, reason: Phrase) -> Self {
        Self { rule: None, field: Some(path.into()), reason, facts: Vec::new() }
    }

    /// A refusal that neither a rule nor a field explains: the order came too late, say.
    #[must_use]
    pub const fn plain(reason: Phrase) -> Self {
        Self { rule: None, field: None, reason, facts: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<Measure>) -> Self {
        self.facts.push(Fact { name, value: value.into() });
        self
    }

    /// Names the field of the request that the rule refuses.
    #[must_use]
    pub fn at(mut self, path: impl Into<String>) -> Self {
        self.field = Some(path.into());
        self
    }

    /// Refuses; `without` is what would be if there were no such rule, so that a test run can falsify
    /// it at the line that acts.
    ///
    /// # Errors
    /// This refusal, as long as its rule stands.
    pub fn stands<T>(self, without: T) -> Verdict<T> {
        if self.rule.is_some_and(trace::falsified) { Ok(without) } else { Err(self) }
    }
}

impl fmt::Display for Refusal {
    /// The language-neutral form: rule, field, reason, facts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused")?;
        if let Some(rule) = self.rule {
            write!(f, " by {rule}")?;
        }
        if let Some(field) = &self.field {
            write!(f, " at {field}")?;
        }
        write!(f, ": {}", self.reason.key())?;
        for fact in &self.facts {
            write!(f, " {}={}", fact.name, fact.value)?;
        }
        Ok(())
    }
}

impl std::error::Error for Refusal {}
