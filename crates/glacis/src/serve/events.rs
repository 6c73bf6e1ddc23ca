//! Live refresh: server-sent events of a game, each reader seeing his part.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use rulebook::Lang;
use serde_json::json;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

use super::games::{answered, happened, reading};
use super::guard::{language, parameter, seats};
use super::hall::{Eager, Happening, Table};
use super::{Server, Trouble};

/// A sign of life is sent this often, so that proxies keep quiet connections.
const SIGN_OF_LIFE: Duration = Duration::from_secs(25);

struct Listener {
    table: Arc<Table>,
    reader: Option<usize>,
    lang: Lang,
    first: Option<Event>,
    happenings: Receiver<Arc<Happening>>,
    stopping: watch::Receiver<bool>,
    _eager: Option<Eager>,
}

/// Opens a stream: first where the game stands, then everything that happens.
pub(super) async fn stream(
    State(server): State<Arc<Server>>,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let held = seats(&table, &headers)?;
        if table.listeners() >= server.manners.most_listeners {
            return Err(Trouble::TooManyListeners);
        }
        let eager = parameter(query.as_deref(), "actions") == Some("true");
        let (first, reader, happenings, eager) = {
            let seen = server.hall.look(&table).await?;
            let game = seen.game().ok_or(Trouble::NoSuchGame)?;
            let reader = reading(&table, &held, parameter(query.as_deref(), "side"), None)?;
            // Under the lock of the game nothing can happen between this look and the first event.
            let (happenings, eager) = table.listen(eager);
            let to_move = game.to_move().and_then(|place| table.sides.get(place));
            let mut json =
                json!({ "n": game.entries(), "to_move": to_move, "over": game.is_over() }).to_string();
            if eager.is_some() && reader.is_some() && game.to_move() == reader {
                json.pop();
                json.push_str(&format!(",\"actions\":{}}}", game.actions()));
            }
            (
                Event::default().event("state").id(game.entries().to_string()).data(json),
                reader,
                happenings,
                eager,
            )
        };
        let listener = Listener {
            table: table.clone(),
            reader,
            lang,
            first: Some(first),
            happenings,
            stopping: server.stopping.clone(),
            _eager: eager,
        };
        let events = stream::unfold(listener, next);
        Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)).into_response())
    };
    answered(lang, done.await)
}

async fn next(mut listener: Listener) -> Option<(Result<Event, Infallible>, Listener)> {
    if let Some(first) = listener.first.take() {
        return Some((Ok(first), listener));
    }
    let heard = tokio::select! {
        heard = listener.happenings.recv() => heard,
        _ = listener.stopping.wait_for(|stopping| *stopping) => return None,
    };
    let event = match heard {
        Ok(happening) => {
            let json = happened(&listener.table, &happening, listener.reader, listener.lang);
            Event::default().event("happened").id(happening.n.to_string()).data(json)
        }
        // Too slow for what happened meanwhile: the whole view tells it all.
        Err(RecvError::Lagged(_)) => Event::default().event("refresh").data("{}"),
        Err(RecvError::Closed) => return None,
    };
    Some((Ok(event), listener))
}
