//! Games over HTTP: see one, hear what happened in it, take its record away.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use kernel::{Fairness, Offer, Refusal, Sides, Source, phrase};
use rulebook::Lang;
use serde_json::{Value, json};

use super::guard::{Asker, Seated, cookies, seats};
use super::hall::{SPECTATOR, Seen, Table};
use super::{Server, Trouble};
use crate::host::Hosted;

/// The most entries of a log that are told at once; who wants more asks again, with `since`.
const LONGEST_LOG: usize = 2000;

fn ok(value: &Value) -> Response {
    raw(value.to_string())
}

/// JSON that is already text.
pub(super) fn raw(json: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], json.into()).into_response()
}

/// Whether orders can be kept now, and what is known of the games. The status is 503 if they cannot.
pub(super) async fn health(State(server): State<Arc<Server>>, asker: Asker) -> Response {
    let figures = server.hall.figures();
    let fault = server.hall.store().writable().await.err();
    let status = match (&fault, figures.damaged) {
        (Some(_), _) => "unavailable",
        (None, 0) => "ok",
        (None, _) => "damaged",
    };
    let mut told = json!({ "status": status, "version": env!("CARGO_PKG_VERSION"), "games": figures });
    let Some(fault) = fault else { return ok(&told) };
    let trouble = Trouble::from(fault);
    told["trouble"] = json!(trouble.text(asker.lang));
    (trouble.status(), ok(&told)).into_response()
}

pub(super) async fn systems(State(server): State<Arc<Server>>) -> Response {
    let systems = server.hall.systems().iter().map(
        |system| json!({ "system": system.name, "scenarios": system.scenarios, "sides": system.sides() }),
    );
    ok(&systems.collect())
}

/// The games whose cookies the request carries.
pub(super) async fn mine(
    State(server): State<Arc<Server>>,
    headers: HeaderMap,
    asker: Asker,
) -> Result<Response, Trouble> {
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
            .map(|&place| table.side(usize::try_from(place).ok()).unwrap_or("spectator"))
            .collect();
        // Of one that is damaged from the start there is nothing to tell.
        let seen = match server.hall.look(&table).await {
            Err(Trouble::Damaged(_)) => continue,
            seen => seen?,
        };
        games.extend(seen.game().map(|game| {
            let mut known = summary(&table, &seen, game, asker.lang);
            known["seats"] = json!(held);
            known
        }));
    }
    Ok(ok(&Value::from(games)))
}

/// What everybody at the table may know of a game.
fn summary(table: &Table, seen: &Seen<'_>, game: &dyn Hosted, lang: Lang) -> Value {
    let offered = game.offered().map(|(by, offer)| {
        let what = match offer {
            Offer::Draw => "draw",
            Offer::TakeBack => "take-back",
            Offer::TableDice => "table-dice",
        };
        json!({ "by": table.side(Some(by)), "offer": what })
    });
    let fairness = game.fairness();
    let sealed = game.sealed().into_iter();
    let sealed = sealed.map(|(place, hash)| json!({ "side": table.side(Some(place)), "commitment": hash }));
    json!({
        "game": table.id,
        "system": table.system.name,
        "sides": table.sides,
        "entries": game.entries(),
        "to_move": table.side(game.awaited().first()),
        "deciders": table.names(game.awaited()),
        "sealed": sealed.collect::<Vec<_>>(),
        "over": game.is_over(),
        "outcome": game.outcome(),
        "damaged": seen.damage().map(|damage| damage.text(lang)),
        "offered": offered,
        "dice_rolled": game.has_rolled(),
        "dice": dice(table, &fairness),
        "imported": fairness.adopted,
        "rolls_taken_back": fairness.rolls_taken_back,
        "machine_take_backs": fairness.take_backs,
        "header": serde_json::from_str::<Value>(table.header()).unwrap_or_default(),
    })
}

/// Where the dice come from, and who had a hand in them.
fn dice(table: &Table, fairness: &Fairness) -> Value {
    let provenance = &fairness.provenance;
    let (source, commitment) = match provenance.source {
        Source::Open(_) => ("open", None),
        Source::Committed(commitment) => ("committed", Some(commitment)),
        Source::Table => ("table", None),
    };
    let pledges = provenance.pledges.iter();
    let pledges =
        pledges.map(|(place, hash)| json!({ "side": table.side(Some(*place)), "commitment": hash }));
    json!({
        "source": source,
        "since": provenance.since,
        "commitment": commitment,
        "pledges": pledges.collect::<Vec<_>>(),
        "may_pledge": fairness.may_pledge.iter().map(|&place| table.side(Some(place))).collect::<Vec<_>>(),
    })
}

pub(super) async fn view(seated: Seated) -> Result<Response, Trouble> {
    let table = &seated.table;
    let seen = seated.server.hall.look(table).await?;
    let game = seen.game().ok_or(Trouble::NoSuchGame)?;
    let reader = seated.reading(game.awaited())?;
    let seat = table.side(reader).unwrap_or("spectator");
    // The view is already JSON: it is put into its place as it is.
    let mut json = summary(table, &seen, game, seated.asker.lang).to_string();
    json.pop();
    // What a side has sealed it may read again; nobody else may.
    if let Some(order) = reader.and_then(|place| game.own_sealed(place)) {
        json.push_str(&format!(",\"own_order\":{order}"));
    }
    json.push_str(&format!(",\"seat\":{},\"view\":{}}}", json!(seat), game.view(reader)));
    Ok(raw(json))
}

pub(super) async fn actions(seated: Seated) -> Result<Response, Trouble> {
    let seen = seated.server.hall.look(&seated.table).await?;
    let game = seen.game().ok_or(Trouble::NoSuchGame)?;
    // What another may decide can show what is hidden from this reader.
    let own = seated.reading(game.awaited())?.filter(|_| seen.damage().is_none());
    let told = offered(&seated, game, own)?;
    let awaited = game.awaited();
    let to_move = json!(seated.table.side(awaited.first()));
    let deciders = json!(seated.table.names(awaited));
    let entries = game.entries();
    Ok(raw(format!("{{\"entries\":{entries},\"to_move\":{to_move},\"deciders\":{deciders},{told}}}")))
}

/// What a side is offered: all of it, or stage by stage the kinds of decision, the subjects of a kind, and
/// the decisions about a subject.
fn offered(seated: &Seated, game: &dyn Hosted, own: Option<usize>) -> Result<String, Trouble> {
    let unknown = |field: &str, found: &str, expected: &str| {
        Refusal::field(field, phrase::UNKNOWN_CHOICE)
            .with("found", format!("\"{found}\""))
            .with("expected", expected)
    };
    let asked = ["stage", "kind", "subject"].map(|name| seated.asker.parameter(name));
    let told = match (asked, own) {
        ([None, None, None], own) => {
            format!("\"actions\":{}", own.map_or_else(|| "[]".to_owned(), |place| game.actions(place)))
        }
        ([Some("kinds"), None, None], own) => {
            let kinds = own.map(|place| game.kinds(place)).unwrap_or_default();
            let kinds = kinds.into_iter().map(|(kind, count)| json!({ "kind": kind, "count": count }));
            format!("\"kinds\":{}", kinds.collect::<Value>())
        }
        ([None, Some(kind), None], own) => {
            let subjects = own.map(|place| game.subjects(place, kind)).unwrap_or_default();
            let subjects =
                subjects.into_iter().map(|(subject, count)| json!({ "subject": subject, "count": count }));
            format!("\"subjects\":{}", subjects.collect::<Value>())
        }
        ([None, Some(kind), Some(subject)], own) => {
            let number = match subject {
                "none" => None,
                number => Some(number.parse().map_err(|_| unknown("subject", number, "none, 0, 1 …"))?),
            };
            let list = own.map_or_else(|| "[]".to_owned(), |place| game.candidates(place, kind, number));
            format!("\"actions\":{list}")
        }
        ([Some(stage), _, _], _) => return Err(unknown("stage", stage, "kinds").into()),
        ([None, None, Some(subject)], _) => return Err(unknown("subject", subject, "kind").into()),
    };
    Ok(told)
}

pub(super) async fn log(seated: Seated) -> Result<Response, Trouble> {
    let Seated { server, table, asker, .. } = &seated;
    let reader = seated.reading(Sides::NONE)?;
    let since = asker.parameter("since").and_then(|n| n.parse().ok()).unwrap_or(0);
    let mut log = server.hall.log(table, since, &asker.whose()).await?;
    log.truncate(LONGEST_LOG);
    let (table, lang) = (table.clone(), asker.lang);
    let told = move || {
        let entries: Vec<String> = log.iter().map(|happening| table.shown(happening, reader, lang)).collect();
        format!("[{}]", entries.join(","))
    };
    Ok(raw(server.hall.readers().work(&asker.whose(), told).await?))
}

pub(super) async fn luck(seated: Seated) -> Result<Response, Trouble> {
    let Seated { server, table, asker, .. } = &seated;
    let account = server.hall.luck(table, asker.lang, &asker.whose()).await?;
    Ok(ok(&json!(account)))
}

/// The record: to everybody once the game is over, before that only to whoever holds every seat,
/// since it shows all that is hidden.
pub(super) async fn record(seated: Seated) -> Result<Response, Trouble> {
    let Seated { server, table, held, .. } = &seated;
    let over = server.hall.look(table).await?.game().is_some_and(Hosted::is_over);
    let mut sides = table.seats().iter().filter(|seat| seat.place != SPECTATOR);
    let holds_all = sides.all(|seat| held.contains(&seat.place));
    if !over && !holds_all {
        return Err(Trouble::StillHidden);
    }
    let _place = server.large.take(seated.asker.from)?;
    let text = server.hall.record(table).await?;
    let disposition = format!("attachment; filename=\"glacis-{}.jsonl\"", table.id);
    let headers =
        [(header::CONTENT_TYPE, "application/jsonl".to_owned()), (header::CONTENT_DISPOSITION, disposition)];
    Ok((headers, text).into_response())
}
