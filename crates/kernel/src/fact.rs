//! Typed data that becomes words only at the edge: a phrase (the key of a message in both
//! languages) and the facts it speaks of.

use std::fmt;

use serde::Serialize;

use crate::{Centimetres, Losses, Metres, MovementPoints, Refusal, RuleId, Saying, Steps};

/// The key of a message. The rulebook declares one constant per message of its word files and
/// refuses to build when a language lacks one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Phrase(&'static str);

impl Phrase {
    /// Declares a key. For the rulebook and for the kernel's own phrases.
    #[must_use]
    pub const fn declared(key: &'static str) -> Self {
        Self(key)
    }

    /// The key.
    #[must_use]
    pub const fn key(self) -> &'static str {
        self.0
    }
}

impl fmt::Debug for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// A value in a fact or an effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// A plain number.
    Number(i64),
    /// A length on the table.
    Centimetres(Centimetres),
    /// A length on the siege map.
    Metres(Metres),
    /// Movement points.
    MovementPoints(MovementPoints),
    /// Men lost.
    Losses(Losses),
    /// Steps.
    Steps(Steps),
    /// A word to be translated.
    Word(Phrase),
    /// A name or a code that is the same in every language.
    Name(String),
    /// Another rule.
    Rule(RuleId),
    /// A sentence, or a name that is made like one.
    Said(Box<Saying>),
    /// Several, one after the other.
    Several(Vec<Measure>),
    /// Another refusal, which explains this one.
    Refusal(Box<Refusal>),
}

impl From<Saying> for Measure {
    fn from(saying: Saying) -> Self {
        Self::Said(Box::new(saying))
    }
}

impl<const N: usize> From<[Self; N]> for Measure {
    fn from(several: [Self; N]) -> Self {
        Self::Several(several.into())
    }
}

macro_rules! measure_from {
    ($($type:ty => $variant:ident),* $(,)?) => {
        $(impl From<$type> for Measure {
            #[inline]
            fn from(value: $type) -> Self {
                Self::$variant(value.into())
            }
        })*
    };
}

measure_from! {
    u8 => Number, u16 => Number, u32 => Number, i8 => Number, i16 => Number, i32 => Number, i64 => Number,
    Centimetres => Centimetres, Metres => Metres, MovementPoints => MovementPoints,
    Losses => Losses, Steps => Steps, Phrase => Word, String => Name, &str => Name, RuleId => Rule,
}

impl From<Refusal> for Measure {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(Box::new(refusal))
    }
}

impl fmt::Display for Measure {
    /// The language-neutral form, for golden files and logs of programmers.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Centimetres(length) => write!(f, "{length} cm"),
            Self::Metres(length) => write!(f, "{length} m"),
            Self::MovementPoints(points) => write!(f, "{points} MP"),
            Self::Losses(men) => write!(f, "{men}"),
            Self::Steps(steps) => write!(f, "{steps}"),
            Self::Word(phrase) => write!(f, "{}", phrase.key()),
            Self::Name(name) => write!(f, "{name}"),
            Self::Rule(rule) => write!(f, "{rule}"),
            Self::Said(saying) => {
                write!(f, "{}", saying.phrase.key())?;
                saying.facts.iter().try_for_each(|fact| write!(f, " {}={}", fact.name, fact.value))
            }
            Self::Several(several) => several
                .iter()
                .enumerate()
                .try_for_each(|(place, one)| write!(f, "{}{one}", if place == 0 { "" } else { ", " })),
            Self::Refusal(refusal) => write!(f, "{refusal}"),
        }
    }
}

/// A named value: the argument of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Fact {
    /// The name the message uses for it.
    pub name: &'static str,
    /// The value.
    pub value: Measure,
}

/// The phrases the kernel itself speaks; the rulebook checks that it has them all.
pub mod phrase {
    use super::Phrase;

    macro_rules! phrases {
        ($($(#[$meta:meta])* $name:ident = $key:literal;)*) => {
            $($(#[$meta])* pub const $name: Phrase = Phrase::declared($key);)*
            /// All of them.
            pub const ALL: &[Phrase] = &[$($name),*];
        };
    }

    phrases! {
        /// The text is not JSON (`detail`).
        NOT_JSON = "kernel-not-json";
        /// The request is not an object.
        NOT_AN_OBJECT = "kernel-not-an-object";
        /// A field nobody asked for (`expected`).
        UNKNOWN_FIELD = "kernel-unknown-field";
        /// A field that must be there.
        MISSING_FIELD = "kernel-missing-field";
        /// A field given twice.
        DUPLICATE_FIELD = "kernel-duplicate-field";
        /// A value of the wrong kind (`found`, `expected`).
        WRONG_TYPE = "kernel-wrong-type";
        /// A value that cannot be (`found`, `expected`).
        IMPOSSIBLE_VALUE = "kernel-impossible-value";
        /// A word that is none of the choices (`found`, `expected`).
        UNKNOWN_CHOICE = "kernel-unknown-choice";
        /// A list of the wrong length (`found`, `expected`).
        WRONG_LENGTH = "kernel-wrong-length";
        /// A value refused for another reason (`detail`).
        BAD_VALUE = "kernel-bad-value";
        /// Fewer dice than the question rolls (`roll`, `sides`).
        DIE_MISSING = "kernel-die-missing";
        /// More dice than the question rolls (`given`, `used`).
        DIE_LEFT_OVER = "kernel-die-left-over";
        /// A face the die does not have (`roll`, `face`, `sides`).
        DIE_IMPOSSIBLE = "kernel-die-impossible";
        /// Dice for a question that never rolls any.
        NO_DICE = "kernel-no-dice";
        /// More outcomes than can be counted (`limit`).
        TOO_MANY_OUTCOMES = "kernel-too-many-outcomes";
        /// It is not this side's decision (`to_move`).
        NOT_YOUR_DECISION = "kernel-not-your-decision";
        /// The order was given for another point of the game (`expected`, `found`).
        STALE_ORDER = "kernel-stale-order";
        /// The game is over.
        GAME_OVER = "kernel-game-over";
        /// Nothing to take back: the last step rolled a die or revealed something.
        NOTHING_TO_UNDO = "kernel-nothing-to-undo";
        /// Nothing is offered that this side could answer.
        NO_OFFER = "kernel-no-offer";
        /// Something is offered already.
        OFFER_PENDING = "kernel-offer-pending";
        /// Dice were sent although the game rolls its own.
        DICE_NOT_ASKED = "kernel-dice-not-asked";
        /// The seed of the dice is not known here: nothing can be rolled.
        SEED_UNKNOWN = "kernel-seed-unknown";
        /// The dice of this game take no seed of this seat.
        NO_PLEDGES = "kernel-no-pledges";
        /// The seat has put in its seed already.
        PLEDGED_ALREADY = "kernel-pledged-already";
        /// A die has been rolled: no seed can be added any more.
        PLEDGE_TOO_LATE = "kernel-pledge-too-late";
        /// Against the machine no die or revelation is taken back in this game.
        TAKE_BACK_OFF = "kernel-take-back-off";
        /// The dice are rolled on a real table already.
        TABLE_ALREADY = "kernel-table-already";
        /// All orders are in: the one that was sealed can no longer be changed.
        ORDER_SEALED = "kernel-order-sealed";
        /// The machine plays this seat: it decides, declines and gives back, and does nothing else.
        MACHINE_SEAT = "kernel-machine-seat";
        /// The machine cannot roll on a real table.
        MACHINE_TABLE = "kernel-machine-table";
        /// The record is as long as one may be (`most`).
        TOO_LONG = "kernel-too-long";
        /// This side has said and proposed as much as it may (`most`).
        TOO_MUCH_TALK = "kernel-too-much-talk";
        /// A text holds a character that is none to be read (`found`).
        CONTROL_CHARACTER = "kernel-control-character";
        /// The action is none of those offered.
        NOT_OFFERED = "kernel-not-offered";
        /// There is no such question (`name`).
        UNKNOWN_QUESTION = "kernel-unknown-question";
    }
}
