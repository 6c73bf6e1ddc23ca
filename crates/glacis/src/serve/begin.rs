//! Games begin here: new ones, and recorded ones that are taken over.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{FromRequest, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::{Refusal, Setup, phrase};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::guard::{Asker, Sent};
use super::hall::{Created, PlayerKind, SPECTATOR};
use super::{LARGEST_RECORD, Server, Trouble, secrets};
use crate::store::{from_hex, now};

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

/// Counts a game that this reader begins.
fn count(server: &Server, asker: &Asker) -> Result<(), Trouble> {
    let day = now().div_euclid(86400);
    if server.quota.allow(asker.from, day) { Ok(()) } else { Err(Trouble::TooManyGames) }
}

pub(super) async fn create(
    State(server): State<Arc<Server>>,
    asker: Asker,
    sent: Sent,
) -> Result<Response, Trouble> {
    let Creation { system, scenario, options, seats, dice } = sent.read()?;
    count(&server, &asker)?;
    let setup = Setup { scenario, options };
    let created = server.hall.create(&system, &setup, &seats, dice == DiceKind::Table).await?;
    super::log(&format!("game {} of {system} begins", created.id));
    Ok(welcome(&server, &created))
}

pub(super) async fn import(
    State(server): State<Arc<Server>>,
    asker: Asker,
    request: Request,
) -> Result<Response, Trouble> {
    // A record is large: few are held in memory at once.
    let _place = server.large.take(asker.from)?;
    let sent = Sent::<LARGEST_RECORD>::from_request(request, &server).await?;
    let whose = asker.whose();
    let Import { record, seed, seats } = server.hall.readers().work(&whose, move || sent.read()).await??;
    let seed = match seed {
        None => None,
        Some(text) => Some(
            from_hex(&text)
                .and_then(|bytes| bytes.try_into().ok())
                .ok_or_else(|| Refusal::field("seed", phrase::BAD_VALUE).with("found", "64 × 0…9 a…f"))?,
        ),
    };
    count(&server, &asker)?;
    let created = server.hall.import(record, seed, &seats, &whose).await?;
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
