//! The rulebook: the ledgers of the five books as code.
//!
//! The build reads `rules/`, `maps/` and `words/`, refuses what is not sound, and gives
//! - typed ids, so that a wrong one does not compile: [`rule!`]`(FE_5_16)`;
//! - texts in French and English, rulings, options and examples;
//! - typed rows of every table: [`tables`];
//! - words: a [`Phrase`](kernel::Phrase) with its facts becomes a sentence in the reader's language.
//!
//! ```
//! use rulebook::{Lang, rule, text};
//!
//! assert!(text(rule!(FE_5_16), &Default::default(), Lang::En).contains("+1"));
//! let hits = rulebook::search("crest", Lang::En).unwrap();
//! assert!(hits.iter().any(|hit| hit.id.as_str().starts_with("TE-2")));
//! ```

mod lang;
mod ledger;
mod printed;
mod search;
mod umpire;
mod words;

pub use lang::{Lang, Text};
pub use ledger::{
    Book, Entry, Example, Kind, Otherwise, Rule, Ruling, Toggle, entry, examples, ids, rules, rulings, text,
};
pub use printed::{PrintedTable, printed_table};
pub use search::{Hit, LONGEST_SEARCH, MOST_WORDS, fold, folded_words, search, sought};
pub use umpire::{Answered, Asking, Inquiring, RefusedBy, Replied, inquiry, question, without_null};
pub use words::{effect, measure, name, phrase, phrase_of, refusal, speak, speak_key, speak_with_key};

/// The id of a rule or ruling of the ledgers, checked by the compiler: `rule!(FE_5_16)`.
#[macro_export]
macro_rules! rule {
    ($id:ident) => {
        $crate::ids::$id
    };
}

/// The options of each system, from the rulings that leave a choice.
#[allow(clippy::doc_markdown, reason = "texts of the ledger")]
pub mod options {
    use kernel::{Refusal, Verdict};

    /// The value, if the system offers it for this option.
    fn offered<'a>(
        all: &[(&'static str, &'static [&'static str])],
        name: &str,
        value: &'a str,
    ) -> Verdict<Option<&'a str>> {
        let field = format!("options.{name}");
        let Some((_, values)) = all.iter().find(|(known, _)| *known == name) else {
            let names: Vec<&str> = all.iter().map(|(known, _)| *known).collect();
            return Err(
                Refusal::field(field, kernel::phrase::UNKNOWN_FIELD).with("expected", names.join(", "))
            );
        };
        if values.contains(&value) {
            return Ok(Some(value));
        }
        Err(Refusal::field(field, kernel::phrase::UNKNOWN_CHOICE)
            .with("found", format!("\"{value}\""))
            .with("expected", values.join(", ")))
    }

    include!(concat!(env!("OUT_DIR"), "/options.rs"));
}

/// The tables, typed by the schema of their folder. Columns in centimetres, metres and movement
/// points are quantities; other decimals are hundredths.
#[allow(clippy::all, clippy::doc_markdown, reason = "generated from the tables")]
pub mod tables {
    include!(concat!(env!("OUT_DIR"), "/tables.rs"));
}
