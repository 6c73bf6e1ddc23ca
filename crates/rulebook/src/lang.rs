//! The two languages.

use serde::{Deserialize, Serialize};

/// A language Glacis speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// French, the language of the books.
    Fr,
    /// English.
    #[default]
    En,
}

impl Lang {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Fr, Self::En];

    /// `fr` or `en`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Fr => "fr",
            Self::En => "en",
        }
    }

    /// A colon as this language prints it.
    #[must_use]
    pub const fn colon(self) -> &'static str {
        match self {
            Self::Fr => "\u{a0}: ",
            Self::En => ": ",
        }
    }

    /// The language with this code.
    #[must_use]
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|lang| lang.code() == code)
    }
}

/// A text in both languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Text {
    /// English.
    pub en: &'static str,
    /// French.
    pub fr: &'static str,
}

impl Text {
    /// The text in one language.
    #[must_use]
    pub const fn get(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::Fr => self.fr,
            Lang::En => self.en,
        }
    }
}
