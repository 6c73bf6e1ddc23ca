//! The game contract: what every system offers, and nothing more.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Audience, Clerk, Live, Refusal, Sides, Topic, Verdict, phrase};

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

/// Whether all decisions of a kind are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Freedom {
    /// The list is complete: what is not in it is refused.
    Listed,
    /// Free geometry: the list holds sensible candidates, and the check takes any other that is right.
    Free,
}

/// A game for two or more sides.
///
/// The state is plain data: no clock, no generator, no pointer. Chance comes only through the
/// clerk, so that the same state, action and dice always give the same state again.
///
/// # The contract
/// - [`deciders`](Self::deciders) is empty exactly when [`outcome`](Self::outcome) is `Some`.
/// - For every side that decides, [`actions`](Self::actions) lists at least one action, sorted and
///   without doubles, and [`validate`](Self::validate) accepts all of them; of a kind that is
///   [`Listed`](Freedom::Listed) it accepts no other. For any other side the list is empty.
/// - Where several sides decide, they do so in secret: no decision is carried out before the last is
///   known. Then all are, one after the other in the order of [`SIDES`](Self::SIDES). Each was
///   validated in the state that all of them saw, which the ones before it may have changed since: a
///   game that cannot carry them out one by one keeps them until the last. What they were is open then.
/// - [`perform`](Self::perform) is only called with an action that was validated: in this state, or
///   in the one from which several sides decided.
/// - A step that neither rolled nor revealed leaves every side as wise as it was.
/// - [`view`](Self::view) is built from what the reader may know and from nothing else; a spectator
///   sees no more than any side does.
/// - What a side may decide, and why not something else, follows from its view alone.
/// - [`imagine`](Self::imagine) gives a state that its reader cannot tell from the true one.
/// - After the end the list of actions is empty and every action is refused.
/// - What a rule says before an event that only one side may read is as private as the event: see
///   [`Line::readable`](crate::Line::readable).
pub trait Game: Clone + PartialEq + Debug + Serialize + DeserializeOwned {
    /// The system's name: `danzig`.
    const SYSTEM: &'static str;
    /// A side.
    type Side: Copy + Ord + Debug + Serialize + DeserializeOwned + 'static;
    /// All sides, in a fixed order; 32 at most.
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

    /// Whose decision it is: one side's, or that of several at once, in secret.
    fn deciders(&self) -> Sides;

    /// Lists what a side may decide now; of a free kind, sensible candidates.
    fn actions(&self, side: Self::Side, into: &mut Vec<Self::Action>);

    /// Whether a side whose decision it is may decide this.
    ///
    /// # Errors
    /// The refusal, with its rule.
    fn validate(&self, side: Self::Side, action: &Self::Action) -> Verdict<()>;

    /// Carries out a validated action.
    fn perform(&mut self, side: Self::Side, action: &Self::Action, clerk: &mut impl Clerk) -> Disclosure;

    /// How it ended, if it did.
    fn outcome(&self) -> Option<Self::Outcome>;

    /// What a side, or a spectator, may see.
    fn view(&self, reader: Option<Self::Side>) -> Self::View;

    /// A whole state that agrees with everything the reader of this view may know; what is hidden from
    /// him is drawn from the stream. The reader sees the same view of it. Where nothing is hidden it is
    /// the state itself.
    fn imagine(view: &Self::View, stream: &mut Live) -> Self;

    /// Who may know what was decided, before it is carried out. An order for one side only is to the
    /// others an order of which they hear what the rules say aloud.
    fn audience(&self, _side: Self::Side, _action: &Self::Action) -> Audience {
        Audience::All
    }

    /// Whether all decisions of this one's kind are listed.
    #[must_use]
    fn freedom(_action: &Self::Action) -> Freedom {
        Freedom::Listed
    }

    /// What kind of decision this is, and what it is about: offers are told by it, stage by stage. By
    /// default the name of its variant, and nothing in particular.
    #[must_use]
    fn topic(action: &Self::Action) -> Topic {
        Topic::named(action)
    }

    /// The first stage of what a side is offered: the kinds of decision, with how many there are of each.
    /// A game with long lists counts without making them.
    fn kinds(&self, side: Self::Side) -> Vec<(&'static str, usize)> {
        self.counted(side, |topic| Some(topic.kind))
    }

    /// The second stage: what the decisions of a kind are about, with how many there are of each.
    fn subjects(&self, side: Self::Side, kind: &str) -> Vec<(Option<u32>, usize)> {
        self.counted(side, |topic| (topic.kind == kind).then_some(topic.subject))
    }

    /// The last stage: the decisions of a kind about one subject, as the whole list has them.
    fn candidates(&self, side: Self::Side, kind: &str, subject: Option<u32>, into: &mut Vec<Self::Action>) {
        self.actions(side, into);
        into.retain(|action| {
            let topic = Self::topic(action);
            topic.kind == kind && topic.subject == subject
        });
    }

    /// What is offered to a side, counted by a part of its topics.
    #[doc(hidden)]
    fn counted<K: Ord>(&self, side: Self::Side, part: impl Fn(Topic) -> Option<K>) -> Vec<(K, usize)> {
        let mut actions = Vec::new();
        self.actions(side, &mut actions);
        let mut counts = BTreeMap::new();
        for key in actions.iter().filter_map(|action| part(Self::topic(action))) {
            *counts.entry(key).or_insert(0) += 1;
        }
        counts.into_iter().collect()
    }

    /// Whether it is this side's decision.
    fn decides(&self, side: Self::Side) -> bool {
        self.deciders().has(Self::place(side))
    }

    /// Whose decision it is, where only one side decides.
    fn to_move(&self) -> Option<Self::Side> {
        let deciders = self.deciders();
        deciders.first().filter(|_| deciders.count() == 1).and_then(|place| Self::SIDES.get(place).copied())
    }

    /// Whether this side may decide this now.
    ///
    /// # Errors
    /// The refusal: the game is over, it is another's decision, or a rule forbids it.
    fn check(&self, side: Self::Side, action: &Self::Action) -> Verdict<()> {
        let deciders = self.deciders();
        if deciders.is_empty() {
            return Err(Refusal::plain(phrase::GAME_OVER));
        }
        if !deciders.has(Self::place(side)) {
            return Err(Self::not_yours(deciders));
        }
        self.validate(side, action)
    }

    /// It is the decision of others.
    #[doc(hidden)]
    fn not_yours(deciders: Sides) -> Refusal {
        let names: Vec<String> = deciders
            .iter()
            .filter_map(|place| Self::SIDES.get(place))
            .map(|side| format!("{side:?}"))
            .collect();
        Refusal::plain(phrase::NOT_YOUR_DECISION).with("to_move", names.join(", "))
    }

    /// Decides: checks, then performs. A refused action leaves the state untouched. Where several sides
    /// decide at once, it is for [`Play`](crate::Play) to wait for the last.
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
        Ok(self.perform(side, action, clerk))
    }

    /// The place of a side in [`SIDES`](Self::SIDES), as audiences of events use it.
    fn place(side: Self::Side) -> usize {
        Self::SIDES.iter().position(|&other| other == side).unwrap_or(Self::SIDES.len())
    }
}
