//! Games over HTTP: begin one, see it, give orders, take the record away.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::{Line, Node, Offer, Refusal, Setup, phrase};
use rulebook::Lang;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::guard::{body, cookies, language, parameter, seats};
use super::hall::{Created, Happening, PlayerKind, SPECTATOR, Table};
use super::{Server, Trouble, secrets};
use crate::host::{Hosted, Order};
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

/// A decision.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Act {
    /// How many entries the record held when the decision was made.
    seen: u64,
    /// The decision: one of those offered, or another that the rules accept.
    #[schemars(with = "Value")]
    action: Node,
    /// The dice rolled for it on a real table.
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

type Here = State<Arc<Server>>;

/// Answers in the language of the request, refusals too.
pub(super) fn answered(lang: Lang, done: Result<Response, Trouble>) -> Response {
    done.unwrap_or_else(|trouble| trouble.answer(lang))
}

fn ok(value: &Value) -> Response {
    raw(value.to_string())
}

/// JSON that is already text.
pub(super) fn raw(json: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}

pub(super) async fn health(State(server): Here) -> Response {
    match server.hall.store().answers().await {
        Ok(()) => ok(&json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") })),
        Err(fault) => Trouble::from(fault).answer(Lang::En),
    }
}

pub(super) async fn systems(State(server): Here) -> Response {
    let systems: Vec<Value> = server
        .hall
        .systems()
        .iter()
        .map(
            |system| json!({ "system": system.name, "scenarios": system.scenarios, "sides": system.sides() }),
        )
        .collect();
    ok(&Value::from(systems))
}

pub(super) async fn create(
    State(server): Here,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let Creation { system, scenario, options, seats, dice } = body(&bytes)?;
        let setup = Setup { scenario, options };
        let created = server.hall.create(&system, &setup, &seats, dice == DiceKind::Table).await?;
        super::log(&format!("game {} of {system} begins", created.id));
        Ok(welcome(&server, &created))
    };
    answered(lang, done.await)
}

pub(super) async fn import(
    State(server): Here,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let Import { record, seed, seats } = body(&bytes)?;
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
    };
    answered(lang, done.await)
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
            let word = secrets::feed_word(&secrets::hash(secret.reveal()));
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

/// The games whose cookies the request carries.
pub(super) async fn mine(State(server): Here, RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let lang = language(&headers, query.as_deref());
    let mut names: Vec<&str> = cookies(&headers)
        .filter_map(|(name, _)| name.strip_prefix("glacis_")?.rsplit_once('_').map(|(game, _)| game))
        .take(64)
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut games = Vec::new();
    for name in names {
        let Ok(table) = server.hall.table(name).await else { continue };
        let Ok(held) = seats(&table, &headers) else { continue };
        let held: Vec<&str> = held
            .iter()
            .map(|&place| usize::try_from(place).ok().and_then(|place| table.sides.get(place)))
            .map(|side| side.map_or("spectator", String::as_str))
            .collect();
        match server.hall.look(&table).await {
            Ok(seen) => games.extend(seen.game().map(|game| {
                let mut known = summary(&table, game);
                known["seats"] = json!(held);
                known
            })),
            Err(trouble) => return trouble.answer(lang),
        }
    }
    ok(&Value::from(games))
}

/// What everybody at the table may know of a game.
pub(super) fn summary(table: &Table, game: &dyn Hosted) -> Value {
    let side = |place: Option<usize>| place.and_then(|place| table.sides.get(place));
    let offered = game.offered().map(|(by, offer)| {
        let what = match offer {
            Offer::Draw => "draw",
            Offer::TakeBack => "take-back",
        };
        json!({ "by": side(Some(by)), "offer": what })
    });
    json!({
        "game": table.id,
        "system": table.system.name,
        "sides": table.sides,
        "entries": game.entries(),
        "to_move": side(game.to_move()),
        "over": game.is_over(),
        "outcome": game.outcome(),
        "offered": offered,
        "dice_rolled": game.has_rolled(),
        "header": serde_json::from_str::<Value>(table.header()).unwrap_or_default(),
    })
}

/// The seat a reader looks from: the one he names, the one to move, or his first.
pub(super) fn reading(
    table: &Table,
    held: &[i64],
    named: Option<&str>,
    to_move: Option<usize>,
) -> Result<Option<usize>, Trouble> {
    let sides: Vec<usize> = held.iter().filter_map(|&place| usize::try_from(place).ok()).collect();
    match named {
        Some("spectator") => Ok(None),
        Some(name) => {
            let place = place_of(table, name)?;
            if sides.contains(&place) { Ok(Some(place)) } else { Err(Trouble::NotYourSeat) }
        }
        None => Ok(to_move.filter(|place| sides.contains(place)).or(sides.first().copied())),
    }
}

fn place_of(table: &Table, name: &str) -> Result<usize, Trouble> {
    table.sides.iter().position(|side| side == name).ok_or_else(|| {
        Refusal::field("side", phrase::UNKNOWN_CHOICE)
            .with("found", format!("\"{name}\""))
            .with("expected", table.sides.join(", "))
            .into()
    })
}

pub(super) async fn view(
    State(server): Here,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let held = seats(&table, &headers)?;
        let seen = server.hall.look(&table).await?;
        let game = seen.game().ok_or(Trouble::NoSuchGame)?;
        let reader = reading(&table, &held, parameter(query.as_deref(), "side"), game.to_move())?;
        let seat = reader.map_or("spectator", |place| &table.sides[place]);
        // The view is already JSON: it is put into its place as it is.
        let mut json = summary(&table, game).to_string();
        json.pop();
        json.push_str(&format!(",\"seat\":{},\"view\":{}}}", json!(seat), game.view(reader)));
        Ok(raw(json))
    };
    answered(lang, done.await)
}

pub(super) async fn actions(
    State(server): Here,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let held = seats(&table, &headers)?;
        let seen = server.hall.look(&table).await?;
        let game = seen.game().ok_or(Trouble::NoSuchGame)?;
        // What another may decide can show what is hidden from this reader.
        let own =
            game.to_move().is_some_and(|place| held.iter().any(|&held| usize::try_from(held) == Ok(place)));
        let list = if own { game.actions() } else { "[]".to_owned() };
        let to_move = game.to_move().and_then(|place| table.sides.get(place));
        Ok(raw(format!(
            "{{\"entries\":{},\"to_move\":{},\"actions\":{list}}}",
            game.entries(),
            json!(to_move)
        )))
    };
    answered(lang, done.await)
}

/// One order of a seat, from its request to its answer.
async fn order(
    server: &Arc<Server>,
    game: &str,
    headers: &HeaderMap,
    query: Option<&str>,
    read: impl FnOnce() -> Result<(u64, Option<String>, Order), Trouble>,
) -> Response {
    let lang = language(headers, query);
    let done = async {
        let table = server.hall.table(game).await?;
        let held = seats(&table, headers)?;
        let (seen, side, order) = read()?;
        let place = acting(server, &table, &held, side.as_deref()).await?;
        let happening = server.hall.order(&table, place, seen, order).await?;
        Ok(raw(happened(&table, &happening, Some(place), lang)))
    };
    answered(lang, done.await)
}

/// The seat that acts: the one named, or the only one held, or of several the one to move.
async fn acting(
    server: &Arc<Server>,
    table: &Arc<Table>,
    held: &[i64],
    named: Option<&str>,
) -> Result<usize, Trouble> {
    let sides: Vec<usize> = held.iter().filter_map(|&place| usize::try_from(place).ok()).collect();
    if let Some(name) = named {
        let place = place_of(table, name)?;
        return if sides.contains(&place) { Ok(place) } else { Err(Trouble::NotYourSeat) };
    }
    match sides.as_slice() {
        [] => Err(Trouble::NotYourSeat),
        [only] => Ok(*only),
        [first, ..] => {
            let seen = server.hall.look(table).await?;
            let to_move = seen.game().and_then(Hosted::to_move);
            Ok(to_move.filter(|place| sides.contains(place)).unwrap_or(*first))
        }
    }
}

macro_rules! orders {
    ($($(#[$meta:meta])* $name:ident: $type:ty => |$read:ident| $order:expr;)*) => {
        $($(#[$meta])*
        pub(super) async fn $name(
            State(server): Here,
            Path(game): Path<String>,
            RawQuery(query): RawQuery,
            headers: HeaderMap,
            bytes: Bytes,
        ) -> Response {
            order(&server, &game, &headers, query.as_deref(), || {
                let $read: $type = body(&bytes)?;
                Ok(($read.seen, $read.side, $order))
            })
            .await
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
    });
    answer: Consent => |consent| if consent.accept { Order::Accept } else { Order::Decline };
    words: Words => |words| Order::Words(words.words);
}

/// A happening as this reader may see it, as JSON.
pub(super) fn happened(table: &Table, happening: &Happening, reader: Option<usize>, lang: Lang) -> String {
    let side = |place: Option<usize>| place.and_then(|place| table.sides.get(place));
    let mut json = json!({
        "n": happening.n,
        "by": side(happening.side),
        "deed": happening.deed,
        "to_move": side(happening.to_move),
        "over": happening.over,
        "said": said(&happening.said, reader, lang),
    })
    .to_string();
    if let (Some(actions), true) = (&happening.actions, happening.to_move == reader && reader.is_some()) {
        json.pop();
        json.push_str(&format!(",\"actions\":{actions}}}"));
    }
    json
}

/// What a reader may read of what was said, as data and in words.
pub(super) fn said(lines: &[Line], reader: Option<usize>, lang: Lang) -> Vec<Value> {
    Line::readable(lines, reader)
        .into_iter()
        .map(|line| match line {
            Line::Because(because) => json!({
                "rule": because.rule,
                "effect": rulebook::effect(&because.effect, lang),
            }),
            Line::Happened(event) => json!({
                "event": event.phrase,
                "text": rulebook::speak(event.phrase, &event.facts, lang),
            }),
        })
        .collect()
}

pub(super) async fn log(
    State(server): Here,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let held = seats(&table, &headers)?;
        let reader = reading(&table, &held, parameter(query.as_deref(), "side"), None)?;
        let since: u64 = parameter(query.as_deref(), "since").and_then(|n| n.parse().ok()).unwrap_or(0);
        let log = server.hall.log(&table).await?;
        let entries: Vec<Value> = log
            .iter()
            .filter(|(n, _, _)| *n > since)
            .map(|(n, at, told)| {
                json!({
                    "n": n,
                    "at": at,
                    "by": told.side.and_then(|place| table.sides.get(place)),
                    "deed": told.deed,
                    "said": said(&told.said, reader, lang),
                })
            })
            .collect();
        Ok(ok(&Value::from(entries)))
    };
    answered(lang, done.await)
}

pub(super) async fn luck(
    State(server): Here,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        seats(&table, &headers)?;
        let luck = server.hall.luck(&table).await?;
        Ok(ok(&json!({ "sides": table.sides, "luck": luck })))
    };
    answered(lang, done.await)
}

/// The record: to everybody once the game is over, before that only to whoever holds every seat,
/// since it shows all that is hidden.
pub(super) async fn record(
    State(server): Here,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let held = seats(&table, &headers)?;
        let over = server.hall.look(&table).await?.game().is_some_and(Hosted::is_over);
        let mut sides = table.seats().iter().filter(|seat| seat.place != SPECTATOR);
        let holds_all = sides.all(|seat| held.contains(&seat.place));
        if !over && !holds_all {
            return Err(Trouble::StillHidden);
        }
        let text = server.hall.record(&table).await?;
        let disposition = format!("attachment; filename=\"glacis-{}.jsonl\"", table.id);
        Ok((
            [
                (header::CONTENT_TYPE, "application/jsonl".to_owned()),
                (header::CONTENT_DISPOSITION, disposition),
            ],
            text,
        )
            .into_response())
    };
    answered(lang, done.await)
}
