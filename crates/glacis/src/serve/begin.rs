//! Games begin here: new ones, and recorded ones that are taken over.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::Setup;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::guard::Sent;
use super::hall::{Created, PlayerKind, Players, SPECTATOR};
use super::{LARGEST_RECORD, Server, Trouble, secrets};

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

pub(super) async fn create(State(server): State<Arc<Server>>, sent: Sent) -> Result<Response, Trouble> {
    let Creation { system, scenario, options, seats, dice, machine_take_backs } = sent.read()?;
    let setup = Setup { scenario, options };
    let players = Players { seats, take_backs: machine_take_backs };
    let created = server.hall.create(&system, &setup, &players, dice == DiceKind::Table).await?;
    super::log(&format!("game {} of {system} begins", created.id));
    Ok(welcome(&server, &created))
}

pub(super) async fn import(
    State(server): State<Arc<Server>>,
    sent: Sent<LARGEST_RECORD>,
) -> Result<Response, Trouble> {
    let Import { record, seats, machine_take_backs } = sent.read()?;
    let players = Players { seats, take_backs: machine_take_backs };
    let created = server.hall.import(&record, &players).await?;
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
