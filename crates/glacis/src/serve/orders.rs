//! Orders of a seat, each from its request to its answer.

use axum::response::Response;
use kernel::{HexHash, Node, Offer, Sides};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Trouble;
use super::games::raw;
use super::guard::{Seated, Sent};
use crate::host::{Hosted, Order};

/// A decision.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Act {
    /// How many entries the record held when the decision was made.
    seen: u64,
    /// The decision: one of those offered, or another that the rules accept.
    #[schemars(with = "Value")]
    action: Node,
    /// The dice rolled for it on a real table; refused in a game that rolls its own.
    #[serde(default)]
    dice: Option<Vec<u8>>,
    /// The side, where several are played from one place.
    #[serde(default)]
    side: Option<String>,
}

/// An order without more to say.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Plain {
    /// How many entries the record held.
    seen: u64,
    /// The side, where several are played from one place.
    #[serde(default)]
    side: Option<String>,
}

/// What can be proposed.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum OfferKind {
    /// To end the game as a draw.
    Draw,
    /// To go back to before one's own last decision.
    TakeBack,
    /// To roll all further dice on a real table.
    TableDice,
}

/// A proposal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Proposal {
    /// How many entries the record held.
    seen: u64,
    /// What is proposed.
    offer: OfferKind,
    /// The side, where several are played from one place.
    #[serde(default)]
    side: Option<String>,
}

/// An answer to a proposal.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Consent {
    /// How many entries the record held.
    seen: u64,
    /// Whether it is agreed to.
    accept: bool,
    /// The side, where several are played from one place.
    #[serde(default)]
    side: Option<String>,
}

/// A seed of one's own for the dice.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pledge {
    /// 32 bytes nobody can guess, in hexadecimal.
    #[schemars(with = "String", regex(pattern = "^[0-9a-f]{64}$"))]
    seed: HexHash,
    /// The side, where several are played from one place.
    #[serde(default)]
    side: Option<String>,
}

/// Words of a player.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    /// How many entries the record held.
    seen: u64,
    /// The words.
    words: String,
    /// The side, where several are played from one place.
    #[serde(default)]
    side: Option<String>,
}

/// Gives an order and tells what came of it.
async fn order(
    seated: &Seated,
    (seen, side, order): (u64, Option<String>, Order),
) -> Result<Response, Trouble> {
    let Seated { server, table, asker, .. } = seated;
    let place = acting(seated, side.as_deref()).await?;
    let news = server.hall.order(table, place, seen, order).await?;
    Ok(raw(news.text(table, Some(place), asker.lang)))
}

/// The seat that acts: the one named, or the only one held, or of several the one that is waited for.
async fn acting(seated: &Seated, named: Option<&str>) -> Result<usize, Trouble> {
    if let Some(name) = named {
        return seated.own(name);
    }
    let sides = seated.sides();
    match sides.as_slice() {
        [] => Err(Trouble::NotYourSeat),
        [only] => Ok(*only),
        [first, ..] => {
            let seen = seated.server.hall.look(&seated.table).await?;
            let awaited = seen.game().map_or(Sides::NONE, Hosted::awaited);
            Ok(awaited.iter().find(|place| sides.contains(place)).unwrap_or(*first))
        }
    }
}

macro_rules! orders {
    ($($name:ident: $type:ty => |$read:ident| $order:expr;)*) => {
        $(pub(super) async fn $name(seated: Seated, sent: Sent) -> Result<Response, Trouble> {
            let $read: $type = sent.read()?;
            order(&seated, ($read.seen, $read.side, $order)).await
        })*
    };
}

orders! {
    act: Act => |act| Order::Act { action: act.action, dice: act.dice };
    undo: Plain => |plain| Order::Undo;
    resign: Plain => |plain| Order::Resign;
    offer: Proposal => |proposal| Order::Offer(match proposal.offer {
        OfferKind::Draw => Offer::Draw,
        OfferKind::TakeBack => Offer::TakeBack,
        OfferKind::TableDice => Offer::TableDice,
    });
    answer: Consent => |consent| if consent.accept { Order::Accept } else { Order::Decline };
    words: Words => |words| Order::Words(words.words);
}

/// Puts a seed of one's own into the dice. It is for no moment of the game, but for all of it.
pub(super) async fn pledge(seated: Seated, sent: Sent) -> Result<Response, Trouble> {
    let Pledge { seed: HexHash(seed), side } = sent.read()?;
    let seen = seated.server.hall.look(&seated.table).await?.game().map_or(0, Hosted::entries);
    order(&seated, (seen, side, Order::Pledge(seed))).await
}
