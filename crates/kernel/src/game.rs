//! The game contract: what every system offers, and nothing more.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Clerk, Refusal, Verdict, phrase};

/// Options that differ from the default, by name: `krems_far` is `nothing`.
pub type Chosen = BTreeMap<String, String>;

/// How a game begins: a scenario of the system and the options chosen for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The scenario, by name.
    pub scenario: String,
    /// Options that differ from the default, by name.
    #[serde(default)]
    pub options: Chosen,
}

/// Whether a step showed somebody what was hidden from him. Such a step cannot be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disclosure {
    /// It showed nothing hidden.
    Nothing,
    /// It revealed something.
    Revealed,
}

/// A game for two or more sides.
///
/// The state is plain data: no clock, no generator, no pointer. Chance comes only through the
/// clerk, so that the same state, action and dice always give the same state again.
///
/// # The contract
/// - [`to_move`](Self::to_move) is `None` exactly when [`outcome`](Self::outcome) is `Some`.
/// - While somebody is to move, [`actions`](Self::actions) lists at least one action, sorted and
///   without doubles, and [`validate`](Self::validate) accepts all of them. Unless the game has
///   free geometry it accepts no other.
/// - [`perform`](Self::perform) is only called with an action that was validated in this state.
/// - A step that neither rolled nor revealed leaves every side as wise as it was.
/// - [`view`](Self::view) is built from what the reader may know and from nothing else; a spectator
///   sees no more than any side does.
/// - After the end the list of actions is empty and every action is refused.
/// - What a rule says before an event that only one side may read is as private as the event: see
///   [`Line::readable`](crate::Line::readable).
pub trait Game: Clone + PartialEq + Debug + Serialize + DeserializeOwned {
    /// The system's name: `danzig`.
    const SYSTEM: &'static str;
    /// A side.
    type Side: Copy + Ord + Debug + Serialize + DeserializeOwned + 'static;
    /// All sides, in a fixed order.
    const SIDES: &'static [Self::Side];
    /// What a player may decide.
    type Action: Clone + Ord + Debug + Serialize + DeserializeOwned;
    /// What a reader may see: a redacted type.
    type View: Serialize;
    /// How it ended.
    type Outcome: Clone + PartialEq + Debug + Serialize;

    /// The table as the scenario sets it.
    ///
    /// # Errors
    /// When there is no such scenario or option.
    fn start(setup: &Setup) -> Verdict<Self>;

    /// Whose decision it is.
    fn to_move(&self) -> Option<Self::Side>;

    /// Lists what may be decided now; for free geometry, sensible candidates.
    fn actions(&self, into: &mut Vec<Self::Action>);

    /// Whether the side to move may decide this.
    ///
    /// # Errors
    /// The refusal, with its rule.
    fn validate(&self, action: &Self::Action) -> Verdict<()>;

    /// Carries out a validated action.
    fn perform(&mut self, action: &Self::Action, clerk: &mut impl Clerk) -> Disclosure;

    /// How it ended, if it did.
    fn outcome(&self) -> Option<Self::Outcome>;

    /// What a side, or a spectator, may see.
    fn view(&self, reader: Option<Self::Side>) -> Self::View;

    /// Whether this side may decide this now.
    ///
    /// # Errors
    /// The refusal: the game is over, it is another's decision, or a rule forbids it.
    fn check(&self, side: Self::Side, action: &Self::Action) -> Verdict<()> {
        match self.to_move() {
            None => Err(Refusal::plain(phrase::GAME_OVER)),
            Some(other) if other != side => {
                Err(Refusal::plain(phrase::NOT_YOUR_DECISION).with("to_move", format!("{other:?}")))
            }
            Some(_) => self.validate(action),
        }
    }

    /// Decides: checks, then performs. A refused action leaves the state untouched.
    ///
    /// # Errors
    /// The refusal of [`check`](Self::check).
    fn apply(
        &mut self,
        side: Self::Side,
        action: &Self::Action,
        clerk: &mut impl Clerk,
    ) -> Verdict<Disclosure> {
        self.check(side, action)?;
        Ok(self.perform(action, clerk))
    }

    /// The place of a side in [`SIDES`](Self::SIDES), as audiences of events use it.
    fn place(side: Self::Side) -> usize {
        Self::SIDES.iter().position(|&other| other == side).unwrap_or(Self::SIDES.len())
    }
}
