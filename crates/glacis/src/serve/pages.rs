//! What a browser is shown. Seat links end here: the secret goes into a cookie that no script can
//! read, and is gone from the address bar.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use danzig::Side;
use kernel::{Game as _, Line, Play, Record};
use table::game::{Seen, Told};
use table::{Query, Reader};

use super::guard::{Seated, cookie_name};
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
    with_journal: bool,
    make: impl FnOnce(&Seen<'_>, &Query) -> String,
) -> Result<Response, Trouble> {
    let Seated { server, table, asker, .. } = seated;
    let query = Query::parse(asker.query.as_deref().unwrap_or_default());
    let held = seated.sides();
    let sides: Vec<Side> =
        held.iter().filter_map(|&place| danzig::State::SIDES.get(place).copied()).collect();
    let reader = held.first().copied();
    let told: Vec<Told> = if with_journal {
        let log = server.hall.log(table, 0).await?;
        log.iter()
            .map(|happening| Told {
                n: happening.n,
                by: happening.side.and_then(|place| danzig::State::SIDES.get(place).copied()),
                said: Line::readable(&happening.said, reader).into_iter().cloned().collect(),
            })
            .collect()
    } else {
        Vec::new()
    };
    let at = query.get("at").and_then(|text| text.parse::<u64>().ok());
    let past = match at {
        Some(at) => {
            let record = Record::read(&server.hall.record(table).await?)?;
            Some(Play::<danzig::State>::replay(&record, Some(at))?)
        }
        None => None,
    };
    let look = server.hall.look(table).await?;
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
    Ok(Html(make(&seen, &query)).into_response())
}

/// The page of a game.
async fn game(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    shown(&seated, true, |seen, _| table::game::game_page(&reader, seen)).await
}

/// The parts of it that change.
async fn parts(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    shown(&seated, false, |seen, _| table::game::game_parts(&reader, seen)).await
}

/// What may come of an order.
async fn odds(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| {
        table::game::game_odds(&reader, seen.state, query.get("action").unwrap_or_default())
    };
    shown(&seated, false, make).await
}

/// Why something cannot be ordered.
async fn why(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    shown(&seated, false, |seen, query| table::game::game_why(&reader, seen.state, query)).await
}
