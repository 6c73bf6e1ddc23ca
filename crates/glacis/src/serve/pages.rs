//! What a browser is shown. Seat links end here: the secret goes into a cookie that no script can
//! read, and is gone from the address bar.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use danzig::{Action, Side};
use kernel::record::Deed;
use kernel::{Game as _, Line, Play, Record};
use table::game::{Seen, Told};
use table::{Query, Reader};

use super::games::answered;
use super::guard::{cookie_name, language, seats};
use super::{Server, Trouble};

/// A cookie lives this long, in seconds: games last weeks.
const COOKIE_LIFE: u32 = 400 * 86400;

/// The page of a game begins with so many entries of its journal.
const LONGEST_JOURNAL: u64 = 80;

pub(super) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/s/{game}/{secret}", get(sit_down))
        .route("/g/{game}", get(game))
        .route("/g/{game}/parts", get(parts))
        .route("/g/{game}/odds", get(odds))
        .route("/g/{game}/why", get(why))
        .route("/g/{game}/reach", get(reach))
        .route("/g/{game}/chances", get(chances))
}

/// Takes the secret of a link into a cookie and leads on to the game.
async fn sit_down(
    State(server): State<Arc<Server>>,
    Path((game, secret)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let seat = table.seat_of(&secret).ok_or(Trouble::WrongSecret)?;
        let name = cookie_name(&game, seat.place);
        let secure = if server.manners.base_url.starts_with("https:") { "; Secure" } else { "" };
        let cookie =
            format!("{name}={secret}; Path=/; Max-Age={COOKIE_LIFE}; HttpOnly; SameSite=Lax{secure}");
        let headers = [
            (header::SET_COOKIE, cookie),
            (header::LOCATION, format!("/g/{game}")),
            (header::REFERRER_POLICY, "no-referrer".to_owned()),
        ];
        Ok((StatusCode::SEE_OTHER, headers).into_response())
    };
    answered(lang, done.await)
}

/// A game as this reader sees it, and what is made of it.
async fn shown(
    server: &Arc<Server>,
    game: &str,
    headers: &HeaderMap,
    query: &Query,
    journal: Journal<'_>,
    make: impl FnOnce(&Seen<'_>) -> String,
) -> Result<String, Trouble> {
    let table = server.hall.table(game).await?;
    let held: Vec<usize> =
        seats(&table, headers)?.into_iter().filter_map(|place| usize::try_from(place).ok()).collect();
    let sides: Vec<Side> =
        held.iter().filter_map(|&place| danzig::State::SIDES.get(place).copied()).collect();
    let reader = held.first().copied();
    let told = match journal {
        Journal::None => Vec::new(),
        Journal::After(since, words) => journal_of(&server.hall.record(&table).await?, since, reader, words)?,
    };
    let at = query.get("at").and_then(|text| text.parse::<u64>().ok());
    let past = match at {
        Some(at) => {
            let record = Record::read(&server.hall.record(&table).await?)?;
            Some(Play::<danzig::State>::replay(&record, Some(at))?)
        }
        None => None,
    };
    let look = server.hall.look(&table).await?;
    let hosted = look.game().ok_or(Trouble::NoSuchGame)?;
    let present = hosted.table().downcast_ref::<danzig::State>().ok_or(Trouble::NoSuchGame)?;
    let at = at.filter(|at| *at < hosted.entries());
    let state = match (&past, at) {
        (Some(play), Some(_)) => play.state(),
        _ => present,
    };
    let seen = Seen {
        game: &table.id,
        state,
        seats: &sides,
        entries: hosted.entries(),
        at,
        told: &told,
        over: hosted.is_over(),
    };
    Ok(make(&seen))
}

/// Which part of the journal a page wants, and in whose words.
enum Journal<'a> {
    None,
    After(u64, &'a Reader),
}

/// What a line of a record orders.
#[derive(serde::Deserialize)]
struct Glance {
    side: Option<Side>,
    deed: Deed<Action>,
}

/// The journal after an entry: the record played again, each order named as it stood before it.
fn journal_of(record: &str, since: u64, reader: Option<usize>, words: &Reader) -> Result<Vec<Told>, Trouble> {
    let mut lines = record.lines();
    let mut play = Play::<danzig::State>::open(lines.next().unwrap_or_default(), None)?;
    let all: Vec<&str> = lines.collect();
    let first = since.max((all.len() as u64).saturating_sub(LONGEST_JOURNAL));
    let mut told = Vec::new();
    for line in all {
        let wanted = play.entries() >= first;
        let entry: Option<Glance> = if wanted { serde_json::from_str(line).ok() } else { None };
        let order = entry.as_ref().and_then(|entry| match &entry.deed {
            Deed::Decide { action, .. } => Some(table::game::order_name(words, play.state(), action)),
            Deed::Undo => Some(rulebook::speak_key("server-deed-undo", words.lang)),
            _ => None,
        });
        let step = play.follow(line)?;
        if wanted {
            told.push(Told {
                n: play.entries(),
                by: entry.and_then(|entry| entry.side),
                order,
                rolled: !step.dice.is_empty(),
                said: Line::readable(&step.said, reader).into_iter().cloned().collect(),
            });
        }
    }
    Ok(told)
}

type Asked = (State<Arc<Server>>, Path<String>, RawQuery, HeaderMap, Reader);

fn query_of(query: Option<&str>) -> Query {
    Query::parse(query.unwrap_or_default())
}

/// The page of a game.
async fn game((State(server), Path(game), RawQuery(query), headers, reader): Asked) -> Response {
    let query = query_of(query.as_deref());
    let journal = Journal::After(0, &reader);
    let done = shown(&server, &game, &headers, &query, journal, |seen| table::game::game_page(&reader, seen));
    answered(reader.lang, done.await.map(|page| Html(page).into_response()))
}

/// The parts of it that change, with the news since the entry the reader knows.
async fn parts((State(server), Path(game), RawQuery(query), headers, reader): Asked) -> Response {
    let query = query_of(query.as_deref());
    let since = query.get("since").and_then(|text| text.parse::<u64>().ok());
    let journal = since.map_or(Journal::None, |since| Journal::After(since, &reader));
    let done =
        shown(&server, &game, &headers, &query, journal, |seen| table::game::game_parts(&reader, seen));
    answered(reader.lang, done.await.map(|page| Html(page).into_response()))
}

/// What may come of an order.
async fn odds((State(server), Path(game), RawQuery(query), headers, reader): Asked) -> Response {
    let query = query_of(query.as_deref());
    let done = shown(&server, &game, &headers, &query, Journal::None, |seen| {
        table::game::game_odds(&reader, seen.state, query.get("action").unwrap_or_default())
    });
    answered(reader.lang, done.await.map(|page| Html(page).into_response()))
}

/// Why something cannot be ordered.
async fn why((State(server), Path(game), RawQuery(query), headers, reader): Asked) -> Response {
    let query = query_of(query.as_deref());
    let done = shown(&server, &game, &headers, &query, Journal::None, |seen| {
        table::game::game_why(&reader, seen.state, &query)
    });
    answered(reader.lang, done.await.map(|page| Html(page).into_response()))
}

/// Where counters may march.
async fn reach((State(server), Path(game), RawQuery(query), headers, reader): Asked) -> Response {
    let query = query_of(query.as_deref());
    let done = shown(&server, &game, &headers, &query, Journal::None, |seen| {
        table::game::game_reach(&reader, seen.state, &query)
    });
    answered(reader.lang, done.await.map(json))
}

/// How likely the shots of a counter are to do anything.
async fn chances((State(server), Path(game), RawQuery(query), headers, reader): Asked) -> Response {
    let query = query_of(query.as_deref());
    let done = shown(&server, &game, &headers, &query, Journal::None, |seen| {
        table::game::game_chances(seen.state, &query)
    });
    answered(reader.lang, done.await.map(json))
}

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
