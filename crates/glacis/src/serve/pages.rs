//! What a browser is shown. Seat links end here: the secret goes into a cookie that no script can
//! read, and is gone from the address bar.

use std::collections::VecDeque;
use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use danzig::{Action, Side};
use kernel::record::Deed;
use kernel::{Game as _, Line, Play, Record};
use rulebook::Lang;
use table::game::{Seen, Told};
use table::{Query, Reader};

use super::games::raw;
use super::guard::{Seated, cookie_name};
use super::hall::Table;
use super::{Server, Trouble};

/// A cookie lives this long, in seconds: games last weeks.
const COOKIE_LIFE: u32 = 400 * 86400;

/// The page of a game begins with so many entries of its journal.
const LONGEST_JOURNAL: usize = 80;

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

/// Which part of the journal a page wants.
enum Journal {
    None,
    After(u64),
}

/// A game as this reader sees it, and what is made of it.
async fn shown(
    seated: &Seated,
    lang: Lang,
    journal: impl FnOnce(&Query) -> Journal,
    make: impl FnOnce(&Seen<'_>, &Query) -> String,
) -> Result<String, Trouble> {
    let Seated { server, table, asker, .. } = seated;
    let query = Query::parse(asker.query.as_deref().unwrap_or_default());
    let held = seated.sides();
    let sides: Vec<Side> =
        held.iter().filter_map(|&place| danzig::State::SIDES.get(place).copied()).collect();
    let reader = held.first().copied();
    let told = match journal(&query) {
        Journal::None => Vec::new(),
        Journal::After(since) => journal_of(server, table, since, reader, lang).await?,
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
    Ok(make(&seen, &query))
}

/// The last entries of a game's journal, each order named as it stood before it. It follows the
/// record: what it has read once it does not read again.
pub(super) struct Chronicle {
    play: Play<danzig::State>,
    entries: VecDeque<Chronicled>,
}

struct Chronicled {
    n: u64,
    by: Option<Side>,
    /// What was ordered, in every language.
    order: Option<[String; Lang::ALL.len()]>,
    rolled: bool,
    said: Vec<Line>,
}

/// What a line of a record orders.
#[derive(serde::Deserialize)]
struct Glance {
    side: Option<Side>,
    deed: Deed<Action>,
}

impl Chronicle {
    fn open(header: &str) -> Result<Self, Trouble> {
        Ok(Self { play: Play::open(header, None)?, entries: VecDeque::new() })
    }

    fn follow(&mut self, line: &str) -> Result<(), Trouble> {
        let entry: Option<Glance> = serde_json::from_str(line).ok();
        let order = entry.as_ref().and_then(|entry| match &entry.deed {
            Deed::Decide { action, .. } => Some(
                Lang::ALL.map(|lang| table::game::order_name(&Reader::of(lang), self.play.state(), action)),
            ),
            Deed::Undo => Some(Lang::ALL.map(|lang| rulebook::speak_key("server-deed-undo", lang))),
            _ => None,
        });
        let step = self.play.follow(line)?;
        if self.entries.len() == LONGEST_JOURNAL {
            self.entries.pop_front();
        }
        self.entries.push_back(Chronicled {
            n: self.play.entries(),
            by: entry.and_then(|entry| entry.side),
            order,
            rolled: !step.dice.is_empty(),
            said: step.said,
        });
        Ok(())
    }
}

/// The journal after an entry, as this reader may read it.
async fn journal_of(
    server: &Server,
    table: &Table,
    since: u64,
    reader: Option<usize>,
    lang: Lang,
) -> Result<Vec<Told>, Trouble> {
    let mut kept = table.chronicle.lock().await;
    let mut chronicle = match kept.take() {
        Some(chronicle) => chronicle,
        None => Chronicle::open(table.header())?,
    };
    for entry in server.hall.store().lines(&table.id, chronicle.play.entries()).await? {
        chronicle.follow(&entry.line)?;
    }
    let place = Lang::ALL.iter().position(|&other| other == lang).unwrap_or(0);
    let wanted = chronicle.entries.iter().filter(|entry| entry.n > since);
    let told = wanted
        .map(|entry| Told {
            n: entry.n,
            by: entry.by,
            order: entry.order.as_ref().map(|order| order[place].clone()),
            rolled: entry.rolled,
            said: Line::readable(&entry.said, reader).into_iter().cloned().collect(),
        })
        .collect();
    *kept = Some(chronicle);
    Ok(told)
}

/// The page of a game.
async fn game(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let make = |seen: &Seen<'_>, _: &Query| table::game::game_page(&reader, seen);
    shown(&seated, reader.lang, |_| Journal::After(0), make).await.map(Html)
}

/// The parts of it that change, with the news since the entry the reader knows.
async fn parts(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let news = |query: &Query| {
        let since = query.get("since").and_then(|text| text.parse::<u64>().ok());
        since.map_or(Journal::None, Journal::After)
    };
    let make = |seen: &Seen<'_>, _: &Query| table::game::game_parts(&reader, seen);
    shown(&seated, reader.lang, news, make).await.map(Html)
}

/// What may come of an order.
async fn odds(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| {
        table::game::game_odds(&reader, seen.state, query.get("action").unwrap_or_default())
    };
    shown(&seated, reader.lang, |_| Journal::None, make).await.map(Html)
}

/// Why something cannot be ordered.
async fn why(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| table::game::game_why(&reader, seen.state, query);
    shown(&seated, reader.lang, |_| Journal::None, make).await.map(Html)
}

/// Where counters may march.
async fn reach(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| table::game::game_reach(&reader, seen.state, query);
    shown(&seated, reader.lang, |_| Journal::None, make).await.map(raw)
}

/// How likely the shots of a counter are to do anything.
async fn chances(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    let make = |seen: &Seen<'_>, query: &Query| table::game::game_chances(seen.state, query);
    shown(&seated, reader.lang, |_| Journal::None, make).await.map(raw)
}
