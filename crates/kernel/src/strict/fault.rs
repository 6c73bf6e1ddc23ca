//! What is wrong with a request, and where: serde's faults as refusals with the dotted path of a field.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::{Measure, Phrase, Refusal, phrase};

/// What is wrong, and where; the path grows from the leaf up while the error travels.
#[derive(Debug)]
pub(super) struct Fault {
    path: Vec<String>,
    reason: Phrase,
    found: Option<String>,
    expected: Option<Measure>,
}

impl Fault {
    pub(super) fn new(reason: Phrase, found: Option<String>, expected: Option<Measure>) -> Self {
        Self { path: Vec::new(), reason, found, expected }
    }

    pub(super) fn under(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self
    }

    /// Says what kind of value was wanted, in words that can be translated.
    pub(super) fn wanted(mut self, kind: Phrase) -> Self {
        if self.reason == phrase::WRONG_TYPE && self.path.is_empty() {
            self.expected = Some(Measure::Word(kind));
        }
        self
    }

    pub(super) fn into_refusal(mut self) -> Refusal {
        self.path.reverse();
        let mut refusal = if self.path.is_empty() {
            Refusal::plain(self.reason)
        } else {
            Refusal::field(self.path.join("."), self.reason)
        };
        if let Some(found) = self.found {
            refusal = refusal.with("found", found);
        }
        if let Some(expected) = self.expected {
            refusal = refusal.with("expected", expected);
        }
        refusal
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.reason.key(), self.path.join("."))
    }
}

impl std::error::Error for Fault {}

fn shown(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Bool(value) => value.to_string(),
        Unexpected::Unsigned(value) => value.to_string(),
        Unexpected::Signed(value) => value.to_string(),
        Unexpected::Float(value) => value.to_string(),
        Unexpected::Str(value) => format!("\"{value}\""),
        Unexpected::Unit | Unexpected::Option => "null".to_owned(),
        Unexpected::Seq => "[…]".to_owned(),
        Unexpected::Map => "{…}".to_owned(),
        other => other.to_string(),
    }
}

pub(super) fn choices(expected: &'static [&'static str]) -> Option<Measure> {
    Some(Measure::Name(expected.join(", ")))
}

impl de::Error for Fault {
    fn custom<T: Display>(message: T) -> Self {
        Self::new(phrase::BAD_VALUE, Some(message.to_string()), None)
    }
    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(phrase::WRONG_TYPE, Some(shown(&found)), Some(expected.to_string().into()))
    }
    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(phrase::IMPOSSIBLE_VALUE, Some(shown(&found)), Some(expected.to_string().into()))
    }
    fn invalid_length(found: usize, expected: &dyn Expected) -> Self {
        Self::new(phrase::WRONG_LENGTH, Some(found.to_string()), Some(expected.to_string().into()))
    }
    fn unknown_variant(found: &str, expected: &'static [&'static str]) -> Self {
        Self::new(phrase::UNKNOWN_CHOICE, Some(format!("\"{found}\"")), choices(expected))
    }
    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(phrase::UNKNOWN_FIELD, None, choices(expected)).under(field)
    }
    fn missing_field(field: &'static str) -> Self {
        Self::new(phrase::MISSING_FIELD, None, None).under(field)
    }
    fn duplicate_field(field: &'static str) -> Self {
        Self::new(phrase::DUPLICATE_FIELD, None, None).under(field)
    }
}
