//! The kernel: dice, notes, odds, the game contract and the record. It knows no game.
//!
//! A rule is a function that is handed a [`Clerk`]. It never rolls a die or writes a log by
//! itself, so that one implementation gives the game, the explanation, the exact odds and the
//! silent playout:
//!
//! ```
//! use kernel::{Clerk, Desk, Effect, Live, Odds, RuleId, Silent, scripted};
//!
//! const BREACH: RuleId = RuleId::declared("EX-1");
//!
//! /// A breach falls on 5 or 6; a mine adds one to the die.
//! fn storm(mined: bool, clerk: &mut impl Clerk) -> bool {
//!     let mut die = i32::from(clerk.d6());
//!     if mined {
//!         die += clerk.modifier(BREACH, 1);
//!     }
//!     die >= 5
//! }
//!
//! // At a real table, with the die that was rolled, and with the reasons:
//! let (falls, notes) = scripted(&[4], |clerk| storm(true, clerk)).unwrap();
//! assert!(falls);
//! assert_eq!(notes.reasons().next().unwrap().effect, Effect::Modifier(1));
//!
//! // The exact odds, from the same code:
//! let odds = Odds::of(|dice| storm(true, &mut Desk::new(dice, Silent))).unwrap();
//! assert_eq!(odds.chance(&true).to_string(), "1/2");
//!
//! // And a silent playout:
//! storm(false, &mut Desk::new(Live::from_seed([0; 32]), Silent));
//! ```

mod ask;
pub mod board;
mod canonical;
mod clerk;
#[cfg(feature = "conformance")]
pub mod conformance;
mod count;
mod cup;
mod dice;
mod fact;
mod game;
mod note;
mod odds;
mod play;
mod quantity;
pub mod record;
mod refusal;
mod rule;
mod sides;
mod stages;
mod strict;
mod tally;
mod told;
mod topic;
mod trace;

pub use ask::{
    Asked, Chooses, Drawn, Exhibited, Gallery, Inquiry, Options, Question, Reply, with_dice, without_dice,
};
pub use clerk::{Clerk, Desk, scripted};
pub use count::Count;
pub use cup::{Fairness, Provenance};
pub use dice::{Dice, DiceFault, Kept, Live, Scripted, Seed};
pub use fact::{Fact, Measure, Phrase, phrase};
pub use game::{Chosen, Disclosure, Freedom, Game, Setup};
pub use note::{Audience, Because, Effect, Event, Line, Notes, Silent, Spoken};
pub use odds::{Chance, Exhaustive, MOST_PATHS, Odds, TooManyOutcomes, frugally};
pub use play::{MOST_ENTRIES, Opened, Play, Step, StepKind};
pub use quantity::{
    ArmyPoints, Centimetres, Losses, Metres, Millimetres, MovementPoints, NotAQuantity, Steps, Whole,
};
pub use record::{Ending, Header, HexHash, Offer, Record, Rolled, Source, Terms};
pub use refusal::{Refusal, Verdict};
pub use rule::RuleId;
pub use sides::Sides;
pub use stages::{Stages, Walker};
pub use strict::{Node, wanted_phrases};
pub use tally::{Reading, Tally};
pub use told::{Saying, Told};
pub use topic::Topic;
pub use trace::Shifted;
