//! What can be wrong with a game as it is kept. The record is the truth: a game is sound up to the
//! first entry that is missing, cannot be read or cannot be what was written.

use std::fmt;

use kernel::{Phrase, Refusal};
use rulebook::{Lang, phrase::store as words};

/// What is wrong with a game, and how much of it is sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// What is wrong.
    pub wrong: Wrong,
    /// How many entries, from the first, are sound.
    pub sound: u64,
    /// How it was found, for the log.
    pub detail: String,
}

/// The ways in which a game can be damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// The first line of the record is not what was written.
    Header,
    /// The secret seed is missing or another.
    Seed,
    /// An entry is missing, and later ones are there.
    Missing,
    /// An entry is not text.
    Unreadable,
    /// An entry is not what was written: the chain of hashes breaks there.
    Altered,
    /// The chain is whole, but the rules of this version refuse an entry.
    Unplayable,
    /// The last entries are lost: so many were counted, or a snapshot knows of so many.
    Lost(u64),
    /// There are more entries than were counted.
    Uncounted(u64),
    /// The record is whole, and something that is kept beside it is not what was written.
    Beside(Beside),
}

/// What is kept beside a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// A seat, or the hash of its secret.
    Seats,
    /// Who plays a seat.
    Players,
    /// The name of the system.
    System,
    /// When the game was begun, or an entry written.
    Times,
}

impl Beside {
    const fn word(self) -> Phrase {
        match self {
            Self::Seats => words::BESIDE_SEATS,
            Self::Players => words::BESIDE_PLAYERS,
            Self::System => words::BESIDE_SYSTEM,
            Self::Times => words::BESIDE_TIMES,
        }
    }
}

/// What cutting a game back to its sound entries does for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mending {
    /// The game can go on.
    Cut,
    /// The game can go on, but nothing of it was lost before: another version may play it.
    CutIfNamed,
    /// Nothing.
    None,
}

impl Damage {
    /// The same as a refusal of whatever is asked of the game.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let (phrase, claimed): (Phrase, u64) = match self.wrong {
            Wrong::Header => (words::DAMAGED_HEADER, 0),
            Wrong::Seed => (words::DAMAGED_SEED, 0),
            Wrong::Missing => (words::DAMAGED_MISSING, 0),
            Wrong::Unreadable => (words::DAMAGED_UNREADABLE, 0),
            Wrong::Altered => (words::DAMAGED_ALTERED, 0),
            Wrong::Unplayable => (words::DAMAGED_UNPLAYABLE, 0),
            Wrong::Lost(claimed) => (words::DAMAGED_LOST, claimed),
            Wrong::Uncounted(claimed) => (words::DAMAGED_UNCOUNTED, claimed),
            Wrong::Beside(_) => (words::DAMAGED_BESIDE, 0),
        };
        let refusal = Refusal::plain(phrase)
            .with("sound", number(self.sound))
            .with("from", number(self.sound + 1))
            .with("claimed", number(claimed));
        match self.wrong {
            Wrong::Beside(what) => refusal.with("what", what.word()),
            _ => refusal,
        }
    }

    /// The same in words.
    #[must_use]
    pub fn text(&self, lang: Lang) -> String {
        rulebook::refusal(&self.refusal(), lang)
    }

    /// What cutting back does for it.
    #[must_use]
    pub const fn mending(&self) -> Mending {
        match self.wrong {
            Wrong::Header | Wrong::Seed | Wrong::Beside(_) => Mending::None,
            Wrong::Unplayable => Mending::CutIfNamed,
            Wrong::Missing | Wrong::Unreadable | Wrong::Altered | Wrong::Lost(_) | Wrong::Uncounted(_) => {
                Mending::Cut
            }
        }
    }
}

impl fmt::Display for Damage {
    /// For the log.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Lang::En))?;
        if self.detail.is_empty() { Ok(()) } else { write!(f, " ({})", self.detail) }
    }
}
