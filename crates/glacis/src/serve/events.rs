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
use super::streams::{MOST_OF_A_SEAT, Stream};

/// A sign of life is sent this often, so that proxies keep quiet connections.
const SIGN_OF_LIFE: Duration = Duration::from_secs(25);
/// Somebody who comes back is told of so much that he missed; beyond that, the view tells it all.
const MOST_MISSED: u64 = 256;
/// What a stream says that makes room for a newer one of its seat: it does not come back at once.
const REPLACED: &[u8] = b"retry: 60000\nevent: replaced\ndata: {}\n\n";

struct Listener {
    table: Arc<Table>,
    reader: Option<usize>,
    lang: Lang,
    first: Option<String>,
    news: Receiver<Arc<News>>,
    stopping: watch::Receiver<bool>,
    life: Interval,
    /// The place of a player's seat, which a newer stream of it may take.
    seat: Option<Stream>,
    /// Whether it was taken.
    replaced: bool,
    _eager: Option<Eager>,
    _place: Place<IpAddr>,
}

/// Opens a stream: what a returning listener missed (`Last-Event-ID`), where the game stands, then
/// everything that happens.
pub(super) async fn stream(seated: Seated, headers: HeaderMap) -> Result<Response, Trouble> {
    let Seated { server, table, asker, .. } = &seated;
    let reader = seated.reading(Sides::NONE)?;
    // However many look on, every seat finds its places.
    let player = reader.or(seated.sides().first().copied());
    let for_players = table.sides.len() * MOST_OF_A_SEAT;
    if player.is_none() && table.listeners() >= server.manners.most_listeners.saturating_sub(for_players) {
        return Err(Trouble::TooManyListeners);
    }
    let place = server.streams.take(asker.from).map_err(|_| Trouble::TooManyStreams)?;
    let seat = player.map(|player| server.seats.open(&table.id, player));
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
        seat,
        replaced: false,
        _eager: eager,
        _place: place,
    };
    let body = Body::from_stream(stream::unfold(listener, next));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}

/// What a listener waits for.
enum Heard {
    News(Result<Arc<News>, RecvError>),
    Nothing,
    Replaced,
}

async fn next(mut listener: Listener) -> Option<(Result<Bytes, Infallible>, Listener)> {
    if let Some(first) = listener.first.take() {
        return Some((Ok(first.into()), listener));
    }
    if listener.replaced {
        return None;
    }
    let replaced = async {
        match &mut listener.seat {
            Some(seat) => seat.replaced().await,
            None => std::future::pending().await,
        }
    };
    let heard = tokio::select! {
        heard = listener.news.recv() => Heard::News(heard),
        _ = listener.life.tick() => Heard::Nothing,
        () = replaced => Heard::Replaced,
        _ = listener.stopping.wait_for(|stopping| *stopping) => return None,
    };
    let event = match heard {
        Heard::News(Ok(news)) => news.event(&listener.table, listener.reader, listener.lang),
        // Too slow for what happened meanwhile: the whole view tells it all.
        Heard::News(Err(RecvError::Lagged(_))) => {
            let state = json!({ "n": listener.table.told() });
            Bytes::from(format!("event: refresh\ndata: {state}\n\n"))
        }
        Heard::News(Err(RecvError::Closed)) => return None,
        Heard::Nothing => Bytes::from_static(b": \n\n"),
        Heard::Replaced => {
            listener.replaced = true;
            Bytes::from_static(REPLACED)
        }
    };
    Some((Ok(event), listener))
}
