//! Games begin here: new ones, and recorded ones that are taken over.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::{Refusal, Setup, phrase};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::guard::Sent;
use super::hall::{Created, PlayerKind, SPECTATOR};
use super::secrets::{self, Mint};
use super::{LARGEST_RECORD, Server, Trouble};
use crate::store::from_hex;

/// Where the dice come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum DiceKind {
    /// From a secret seed that is committed to at the start and revealed at the end.
    #[default]
    Fair,
    /// From a real table: orders carry the dice they need.
    Table,
}

/// To begin a game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Creation {
    /// The system.
    system: String,
    /// The scenario.
    scenario: String,
    /// Options that differ from the default.
    #[serde(default)]
    options: BTreeMap<String, String>,
    /// Who plays each side; people, where nothing is said.
    #[serde(default)]
    seats: BTreeMap<String, PlayerKind>,
    /// Where the dice come from.
    #[serde(default)]
    dice: DiceKind,
    /// A secret word of the sender's own, drawn by lot for this game: 32 bytes in hexadecimal. The same
    /// request made again with the same word is answered with the same game.
    #[serde(default)]
    once: Option<String>,
}

/// To take over a recorded game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Import {
    /// The record, as it was exported.
    record: String,
    /// The secret seed in hexadecimal, for a game that is to go on with it.
    #[serde(default)]
    seed: Option<String>,
    /// Who plays each side.
    #[serde(default)]
    seats: BTreeMap<String, PlayerKind>,
}

pub(super) async fn create(State(server): State<Arc<Server>>, sent: Sent) -> Result<Response, Trouble> {
    let Creation { system, scenario, options, seats, dice, once } = sent.read()?;
    let mint = match once {
        None => Mint::new()?,
        Some(word) if blake3::Hash::from_hex(&word).is_ok() => Mint::of_request(sent.text()?),
        Some(word) => return Err(Refusal::field("once", phrase::BAD_VALUE).with("found", word).into()),
    };
    let setup = Setup { scenario, options };
    let created = server.hall.create(&system, &setup, &seats, dice == DiceKind::Table, &mint).await?;
    super::log(&format!("game {} of {system} begins", created.id));
    Ok(welcome(&server, &created))
}

pub(super) async fn import(
    State(server): State<Arc<Server>>,
    sent: Sent<LARGEST_RECORD>,
) -> Result<Response, Trouble> {
    let Import { record, seed, seats } = sent.read()?;
    let seed = match seed {
        None => None,
        Some(text) => Some(
            from_hex(&text)
                .and_then(|bytes| bytes.try_into().ok())
                .ok_or_else(|| Refusal::field("seed", phrase::BAD_VALUE).with("found", "64 × 0…9 a…f"))?,
        ),
    };
    let created = server.hall.import(&record, seed, &seats).await?;
    super::log(&format!("game {} is imported", created.id));
    Ok(welcome(&server, &created))
}

/// The only answer that holds secrets.
fn welcome(server: &Server, created: &Created) -> Response {
    let base = &server.manners.base_url;
    let seats: Vec<Value> = created
        .seats
        .iter()
        // Nobody sits down for the computer.
        .filter(|(_, _, player, _)| *player == PlayerKind::Human)
        .map(|(place, side, player, secret)| {
            let word = secrets::feed_word(secrets::hash(secret.reveal()).to_hex().as_str());
            let seat = seat_name(*place);
            json!({
                "side": side,
                "player": player,
                "secret": secret.reveal(),
                "link": format!("{base}/s/{}/{}", created.id, secret.reveal()),
                "feed": format!("{base}/feed/{}/{seat}/{word}", created.id),
            })
        })
        .collect();
    let json = json!({ "game": created.id, "seats": seats, "commitment": created.commitment });
    (StatusCode::CREATED, [(header::CONTENT_TYPE, "application/json")], json.to_string()).into_response()
}

/// The seat in an address: its place, or `s` for spectators.
fn seat_name(place: i64) -> String {
    if place == SPECTATOR { "s".to_owned() } else { place.to_string() }
}
