//! Live refresh: server-sent events of a game, each reader seeing his part.

use std::convert::Infallible;
use std::fmt::Write;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use kernel::Sides;
use rulebook::Lang;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Interval, MissedTickBehavior};

use super::Trouble;
use super::guard::Seated;
use super::hall::{Eager, News, Table, event};
use super::places::Place;

/// A sign of life is sent this often, so that proxies keep quiet connections.
const SIGN_OF_LIFE: Duration = Duration::from_secs(25);
/// Somebody who comes back is told of so much that he missed; beyond that, the view tells it all.
const MOST_MISSED: u64 = 256;
/// So many of the places of a game are for its players alone.
const FOR_PLAYERS: usize = 32;

struct Listener {
    table: Arc<Table>,
    reader: Option<usize>,
    lang: Lang,
    first: Option<String>,
    news: Receiver<Arc<News>>,
    stopping: watch::Receiver<bool>,
    life: Interval,
    _eager: Option<Eager>,
    _place: Place<IpAddr>,
}

/// Opens a stream: what a returning listener missed (`Last-Event-ID`), where the game stands, then
/// everything that happens.
pub(super) async fn stream(seated: Seated, headers: HeaderMap) -> Result<Response, Trouble> {
    let Seated { server, table, asker, .. } = &seated;
    // However many look on, the players find a place.
    let most = server.manners.most_listeners;
    let most = if seated.sides().is_empty() { most.saturating_sub(FOR_PLAYERS) } else { most };
    if table.listeners() >= most {
        return Err(Trouble::TooManyListeners);
    }
    let place = server.streams.take(asker.from).map_err(|_| Trouble::TooManyStreams)?;
    let reader = seated.reading(Sides::NONE)?;
    let eager = asker.parameter("actions") == Some("true");
    let heard = headers.get("last-event-id").and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if let Some(heard) = heard {
        // Read now, so that the game is not held up for it below.
        server.hall.log(table, heard, &asker.whose()).await?;
    }
    let (missed, state, news, eager) = {
        let seen = server.hall.look(table).await?;
        let entries = seen.game().ok_or(Trouble::NoSuchGame)?.entries();
        let missed = heard
            .filter(|&heard| heard < entries && entries - heard <= MOST_MISSED)
            .and_then(|heard| seen.journal_after(heard))
            .unwrap_or_default();
        // Under the lock of the game nothing can happen between this look and the first news.
        let (news, eager) = table.listen(eager);
        let game = seen.game().ok_or(Trouble::NoSuchGame)?;
        let awaited = game.awaited();
        let mut state = json!({
            "n": entries,
            "to_move": table.side(awaited.first()),
            "deciders": table.names(awaited),
            "over": game.is_over(),
        });
        if let Some(entry) = game.fairness().adopted {
            state["imported"] = entry.into();
        }
        let mut state = state.to_string();
        let own = reader.filter(|&place| game.deciders().has(place));
        if let (Some(_), Some(place), None) = (&eager, own, seen.damage()) {
            state.pop();
            // Writing to a string cannot fail.
            let _ = write!(state, ",\"actions\":{}}}", game.actions(place));
        }
        (missed, event("state", entries, &state), news, eager)
    };
    let first = if missed.is_empty() {
        state
    } else {
        let (table, lang) = (table.clone(), asker.lang);
        let told = move || {
            let mut first = String::new();
            for happening in &missed {
                first.push_str(&event("happened", happening.n, &table.shown(happening, reader, lang)));
            }
            first + &state
        };
        server.hall.readers().work(&asker.whose(), told).await?
    };
    let mut life = tokio::time::interval(SIGN_OF_LIFE);
    life.set_missed_tick_behavior(MissedTickBehavior::Delay);
    life.reset();
    let listener = Listener {
        table: table.clone(),
        reader,
        lang: asker.lang,
        first: Some(first),
        news,
        stopping: server.stopping.clone(),
        life,
        _eager: eager,
        _place: place,
    };
    let body = Body::from_stream(stream::unfold(listener, next));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}

async fn next(mut listener: Listener) -> Option<(Result<Bytes, Infallible>, Listener)> {
    if let Some(first) = listener.first.take() {
        return Some((Ok(first.into()), listener));
    }
    let heard = tokio::select! {
        heard = listener.news.recv() => Some(heard),
        _ = listener.life.tick() => None,
        _ = listener.stopping.wait_for(|stopping| *stopping) => return None,
    };
    let event = match heard {
        Some(Ok(news)) => news.event(&listener.table, listener.reader, listener.lang),
        // Too slow for what happened meanwhile: the whole view tells it all.
        Some(Err(RecvError::Lagged(_))) => {
            let state = json!({ "n": listener.table.told() });
            Bytes::from(format!("event: refresh\ndata: {state}\n\n"))
        }
        Some(Err(RecvError::Closed)) => return None,
        None => Bytes::from_static(b": \n\n"),
    };
    Some((Ok(event), listener))
}
