//! The ledger as the build made it: rules, rulings, examples, and the way to one by its id.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kernel::{Chosen, RuleId};
use serde::Serialize;

use crate::{Lang, Text};

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names of the ledger say it")]
pub enum Kind {
    Advice,
    Construction,
    Definition,
    Equipment,
    Fire,
    Formation,
    Melee,
    Morale,
    Movement,
    Reinforcement,
    Restriction,
    Sequence,
    Setup,
    Sight,
    Supply,
    Table,
    Victory,
    Weather,
}

impl Kind {
    /// Whether a running engine can show that it applied such a rule: advice and definitions act
    /// only through others.
    #[must_use]
    pub const fn can_act(self) -> bool {
        !matches!(self, Self::Advice | Self::Definition)
    }
}

/// One normative statement of a book, in our words.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rule {
    /// Its id.
    pub id: RuleId,
    /// The ledger it stands in.
    pub book: Book,
    /// The section of the book.
    pub section: &'static str,
    /// What it is about.
    pub kind: Kind,
    /// What it says.
    pub text: Text,
    /// What it says under other options.
    pub otherwise: &'static [Otherwise],
    /// The rulings that settle what it leaves open.
    pub rulings: &'static [RuleId],
    /// Whether it leans on core rules the book does not print.
    pub leans_on_series: bool,
}

/// How a question the book leaves open is settled.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ruling {
    /// Its id.
    pub id: RuleId,
    /// The ledger it stands in.
    pub book: Book,
    /// What the book leaves open.
    pub problem: Text,
    /// What is done.
    pub decision: Text,
    /// Why.
    pub why: Text,
    /// The choices a player has instead.
    pub options: &'static [Toggle],
    /// What is done under each of them.
    pub otherwise: &'static [Otherwise],
}

/// What a rule or ruling says where the players chose other than the default.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Otherwise {
    /// The options and values under which it says so, all of them.
    pub when: &'static [(&'static str, &'static str)],
    /// What it says then.
    pub text: Text,
}

impl Otherwise {
    fn holds(&self, chosen: &Chosen) -> bool {
        self.when.iter().all(|(name, value)| chosen.get(*name).is_some_and(|set| set == value))
    }
}

/// A choice that a ruling leaves to the players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Toggle {
    /// Its name.
    pub name: &'static str,
    /// Its values, the default first.
    pub values: &'static [&'static str],
    /// What it changes.
    pub text: Text,
}

/// A worked example of the ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Example {
    /// Its id.
    pub id: &'static str,
    /// The ledger it stands in.
    pub book: Book,
    /// The rules it shows.
    pub rules: &'static [RuleId],
    /// The situation.
    pub given: Text,
    /// What must come out.
    pub expect: Text,
    /// A remark.
    pub note: Option<Text>,
}

include!(concat!(env!("OUT_DIR"), "/ledger.rs"));

/// A rule or a ruling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Entry {
    /// A rule.
    Rule(&'static Rule),
    /// A ruling.
    Ruling(&'static Ruling),
}

impl Entry {
    /// Its id.
    #[must_use]
    pub const fn id(self) -> RuleId {
        match self {
            Self::Rule(rule) => rule.id,
            Self::Ruling(ruling) => ruling.id,
        }
    }

    /// What it says by default: a rule's text, a ruling's decision.
    #[must_use]
    pub const fn text(self) -> &'static Text {
        match self {
            Self::Rule(rule) => &rule.text,
            Self::Ruling(ruling) => &ruling.decision,
        }
    }

    /// What it says under other options.
    #[must_use]
    pub const fn otherwise(self) -> &'static [Otherwise] {
        match self {
            Self::Rule(rule) => rule.otherwise,
            Self::Ruling(ruling) => ruling.otherwise,
        }
    }

    /// What the options chosen change in it: the text that names most of them.
    #[must_use]
    pub fn changed(self, chosen: &Chosen) -> Option<&'static Otherwise> {
        let holding = self.otherwise().iter().filter(|otherwise| otherwise.holds(chosen));
        holding.max_by_key(|otherwise| otherwise.when.len())
    }

    /// What it says under the options chosen.
    #[must_use]
    pub fn text_under(self, chosen: &Chosen) -> &'static Text {
        self.changed(chosen).map_or(self.text(), |otherwise| &otherwise.text)
    }
}

static BY_ID: LazyLock<BTreeMap<&'static str, Entry>> = LazyLock::new(|| {
    let rules = RULES.iter().map(|rule| (rule.id.as_str(), Entry::Rule(rule)));
    let rulings = RULINGS.iter().map(|ruling| (ruling.id.as_str(), Entry::Ruling(ruling)));
    rules.chain(rulings).collect()
});

/// All rules, book by book, in the order of the ledgers.
#[must_use]
pub fn rules() -> &'static [Rule] {
    RULES
}

/// All rulings, book by book.
#[must_use]
pub fn rulings() -> &'static [Ruling] {
    RULINGS
}

/// All examples, book by book.
#[must_use]
pub fn examples() -> &'static [Example] {
    EXAMPLES
}

/// The rule or ruling with this id, however its letters are written.
#[must_use]
pub fn entry(id: &str) -> Option<Entry> {
    BY_ID
        .get(id)
        .copied()
        .or_else(|| BY_ID.iter().find(|(known, _)| known.eq_ignore_ascii_case(id)).map(|(_, entry)| *entry))
}

/// What a rule says under the options chosen, in a language. Empty for an id that no ledger declares.
#[must_use]
pub fn text(rule: RuleId, chosen: &Chosen, lang: Lang) -> &'static str {
    BY_ID.get(rule.as_str()).map_or("", |entry| entry.text_under(chosen).get(lang))
}
