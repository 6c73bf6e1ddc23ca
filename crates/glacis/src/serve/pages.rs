//! What a browser is shown. Seat links end here: the secret goes into a cookie that no script can
//! read, and is gone from the address bar.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use danzig::Side;
use kernel::{Game as _, Line, Saying};
use rulebook::Lang;
use table::game::{LONGEST_JOURNAL, Seen, Told};
use table::{Query, Reader};

use super::guard::{Seated, cookie_name};
use super::hall::Happening;
use super::{Server, Trouble};

/// A cookie lives this long, in seconds: games last weeks.
const COOKIE_LIFE: u32 = 400 * 86400;

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
) -> Result<Response, Trouble> {
    let table = server.hall.table(&game).await?;
    let seat = table.seat_of(&secret).ok_or(Trouble::WrongSecret)?;
    let name = cookie_name(&game, seat.place);
    let secure = if server.manners.base_url.starts_with("https:") { "; Secure" } else { "" };
    let cookie = format!("{name}={secret}; Path=/; Max-Age={COOKIE_LIFE}; HttpOnly; SameSite=Lax{secure}");
    let headers = [
        (header::SET_COOKIE, cookie),
        (header::LOCATION, format!("/g/{game}")),
        (header::REFERRER_POLICY, "no-referrer".to_owned()),
    ];
    Ok((StatusCode::SEE_OTHER, headers).into_response())
}

/// A game as this reader sees it, and what is made of it.
async fn shown(
    seated: &Seated,
    since: Option<u64>,
    lang: Lang,
    make: impl FnOnce(&Seen<'_>, &Query) -> String,
) -> Result<String, Trouble> {
    let Seated { server, table, asker, .. } = seated;
    let query = Query::parse(asker.query.as_deref().unwrap_or_default());
    let held = seated.sides();
    let sides: Vec<Side> =
        held.iter().filter_map(|&place| danzig::State::SIDES.get(place).copied()).collect();
    let reader = held.first().copied();
    let at = query.get("at").and_then(|text| text.parse::<u64>().ok());
    let past = match at {
        Some(at) => Some(server.past.after(&server.hall, table, at).await?),
        None => None,
    };
    let mut look = server.hall.look(table).await?;
    // Under the same lock as the table: no entry is counted that is not told.
    let log = match since {
        Some(since) => server.hall.missed(table, &mut look, since).await?,
        None => Vec::new(),
    };
    let longest = log.len().saturating_sub(LONGEST_JOURNAL);
    let told: Vec<Told> = log[longest..].iter().map(|happening| told(happening, reader, lang)).collect();
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
    Ok(make(&seen, &query))
}

/// A line that begins like a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A happening as a line of the journal.
fn told(happening: &Happening, reader: Option<usize>, lang: Lang) -> Told {
    let name = |order: &Saying| sentence(&rulebook::speak(order.phrase, &order.facts, lang));
    let undone =
        || (happening.deed == "undo").then(|| sentence(&rulebook::speak_key("server-deed-undo", lang)));
    Told {
        n: happening.n,
        by: happening.side.and_then(|place| danzig::State::SIDES.get(place).copied()),
        order: happening.order.as_ref().map(name).or_else(undone),
        rolled: happening.rolled,
        said: Line::readable(&happening.said, reader).into_iter().cloned().collect(),
    }
}

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The page of a game.
async fn game(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    shown(&seated, Some(0), reader.lang, |seen, _| table::game::game_page(&reader, seen)).await.map(Html)
}

/// The parts of it that change, with the news since the entry the reader knows.
async fn parts(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let query = Query::parse(seated.asker.query.as_deref().unwrap_or_default());
    let since = query.get("since").and_then(|text| text.parse().ok());
    shown(&seated, since, reader.lang, |seen, _| table::game::game_parts(&reader, seen)).await.map(Html)
}

/// What may come of an order.
async fn odds(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| {
        table::game::game_odds(&reader, seen.state, query.get("action").unwrap_or_default())
    };
    shown(&seated, None, reader.lang, make).await.map(Html)
}

/// Why something cannot be ordered.
async fn why(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| table::game::game_why(&reader, seen.state, query);
    shown(&seated, None, reader.lang, make).await.map(Html)
}

/// Where counters may march.
async fn reach(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| table::game::game_reach(&reader, seen.state, query);
    shown(&seated, None, reader.lang, make).await.map(json)
}

/// How likely the shots of a counter are to do anything.
async fn chances(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| table::game::game_chances(seen.state, query);
    shown(&seated, None, reader.lang, make).await.map(json)
}
