//! Questions about Vienna, the negotiations and Prussia.

use kernel::{Clerk, Question, Verdict, Whole};
use rulebook::options::campaign::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Likely, likely};
use crate::politics::{self, MoraleEvent, Reply, Talks, Ultimatum as UltimatumResult};

/// Vienna's morale.
type Level = Whole<-5, 3>;

/// `campaign.morale`
pub(crate) struct Morale;

/// Vienna's morale and the events of a turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MoraleRequest {
    morale: Level,
    events: Vec<MoraleEvent>,
    /// Whether the game started on 15 November.
    #[serde(default)]
    from_15_november: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct MoraleAnswer {
    morale: i32,
    /// Whether the Austro-Russians may declare an operational victory.
    operational_victory: bool,
}

impl Question for Morale {
    const NAME: &'static str = "campaign.morale";
    type Options = Options;
    type Request = MoraleRequest;
    type Answer = MoraleAnswer;

    fn answer(request: &MoraleRequest, options: &Options, clerk: &mut impl Clerk) -> Verdict<MoraleAnswer> {
        let vienna = politics::morale(
            request.morale.get(),
            &request.events,
            request.from_15_november,
            options,
            clerk,
        )?;
        Ok(MoraleAnswer { morale: vienna.morale, operational_victory: vienna.may_declare })
    }
}

/// `campaign.negotiation`
pub(crate) struct Negotiation;

/// A roll; or how many turns ahead.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NegotiationRequest {
    morale: Level,
    /// Whether negotiations are under way.
    #[serde(default)]
    under_way: bool,
    /// For how many more turns they are.
    turns_left: Option<Whole<1, 3>>,
    /// Whether negotiations were held and have ended.
    #[serde(default)]
    held_before: bool,
    /// Whether the French have been refused.
    #[serde(default)]
    refused_before: bool,
    /// Over so many turns: the answer is then the exact chance of each ending, and no die is used.
    turns: Option<Whole<1, 23>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum NegotiationAnswer {
    /// One roll.
    Rolled { result: Reply, turns: i32 },
    /// After so many turns.
    Ahead { after_turns: i32, endings: Vec<Likely<Standing>> },
}

/// Where negotiations stand.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Standing {
    /// Refused for good.
    Refused,
    /// Never opened, and still rolled for.
    NotOpened,
    /// Under way.
    UnderWay,
    /// Held and ended, and still rolled for.
    Held,
    /// Marginal French victory.
    MarginalVictory,
}

impl From<Talks> for Standing {
    fn from(talks: Talks) -> Self {
        match talks {
            Talks::NotYet => Self::NotOpened,
            Talks::UnderWay(_) => Self::UnderWay,
            Talks::Held => Self::Held,
            Talks::Refused => Self::Refused,
            Talks::Victory => Self::MarginalVictory,
        }
    }
}

impl Question for Negotiation {
    const NAME: &'static str = "campaign.negotiation";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = NegotiationRequest;
    type Answer = NegotiationAnswer;

    fn answer(
        request: &NegotiationRequest,
        _: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<NegotiationAnswer> {
        let talks = if request.refused_before {
            Talks::Refused
        } else if request.under_way {
            Talks::UnderWay(request.turns_left.map_or(1, Whole::get))
        } else if request.held_before {
            Talks::Held
        } else {
            Talks::NotYet
        };
        let morale = request.morale.get();
        if let Some(turns) = request.turns {
            let odds = politics::negotiate_ahead(morale, talks, turns.get())?.map(Standing::from);
            return Ok(NegotiationAnswer::Ahead {
                after_turns: turns.get(),
                endings: likely(&odds, |standing| standing),
            });
        }
        let (result, turns) = politics::negotiate(morale, talks, clerk)?;
        Ok(NegotiationAnswer::Rolled { result, turns })
    }
}

/// `campaign.ultimatum`
pub(crate) struct Ultimatum;

/// Vienna's morale and the turn.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct UltimatumRequest {
    morale: Level,
    /// The turn of the calendar; by default the rolls have begun.
    turn: Option<Whole<1, 23>>,
    /// The turn the game began with.
    first_turn: Option<Whole<1, 23>>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(crate) struct UltimatumAnswer {
    result: UltimatumResult,
    /// The modified die.
    #[serde(skip_serializing_if = "Option::is_none")]
    die: Option<i32>,
}

impl Question for Ultimatum {
    const NAME: &'static str = "campaign.ultimatum";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = UltimatumRequest;
    type Answer = UltimatumAnswer;

    fn answer(
        request: &UltimatumRequest,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<UltimatumAnswer> {
        let turn = request.turn.map_or(23, Whole::get);
        let began = request.first_turn.map_or(1, Whole::get);
        let (result, die) = politics::ultimatum(request.morale.get(), turn, began, options, clerk);
        Ok(UltimatumAnswer { result, die })
    }
}
