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
use super::hall::{Created, PlayerKind, Players, SPECTATOR};
use super::secrets::{self, Mint};
use super::{LARGEST_RECORD, Server, Trouble};
use crate::store::now;

/// Where the dice come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
enum DiceKind {
    /// From a secret seed, committed to at the start and revealed at the end, mixed with those that the
    /// seats put in.
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
    /// Whether a die or a revelation may be taken back against the machine; such take-backs are counted.
    #[serde(default)]
    machine_take_backs: bool,
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
    /// Who plays each side.
    #[serde(default)]
    seats: BTreeMap<String, PlayerKind>,
    /// Whether a die or a revelation may be taken back against the machine; such take-backs are counted.
    #[serde(default)]
    machine_take_backs: bool,
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
    let Creation { system, scenario, options, seats, dice, machine_take_backs, once } = sent.read()?;
    let mint = match &once {
        None => Mint::new()?,
        Some(word) if blake3::Hash::from_hex(word).is_ok() => Mint::of_request(sent.text()?),
        Some(word) => {
            return Err(Refusal::field("once", phrase::BAD_VALUE).with("found", word.as_str()).into());
        }
    };
    // Whoever only asks again begins nothing.
    let again = once.is_some() && server.hall.table(&mint.name()).await.is_ok();
    if !again {
        count(&server, &asker)?;
    }
    let setup = Setup { scenario, options };
    let players = Players { seats, take_backs: machine_take_backs };
    let created = server.hall.create(&system, &setup, &players, dice == DiceKind::Table, &mint).await?;
    if !again {
        super::log(&format!("game {} of {system} begins", created.id));
    }
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
    let Import { record, seats, machine_take_backs } =
        server.hall.readers().work(&whose, move || sent.read()).await??;
    count(&server, &asker)?;
    let players = Players { seats, take_backs: machine_take_backs };
    let created = server.hall.import(record, &players, &whose).await?;
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
