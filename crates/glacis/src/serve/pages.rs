//! What a browser is shown. Seat links end here: the secret goes into a cookie that no script can
//! read, and is gone from the address bar.

use std::net::IpAddr;
use std::num::NonZero;
use std::sync::Arc;

use ::pages::game::{Advised, Day, Entry, Fortune, LONGEST_JOURNAL, Seen, Turning};
use ::pages::{Query, Reader, Shelved};
use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::{Path, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use futures_util::FutureExt;
use kernel::{Line, Live, Saying};
use opponent::Budget;
use rulebook::Lang;

use super::guard::{self, Network, Seated, cookie_name};
use super::hall::Happening;
use super::shelf::OwnShelf;
use super::{LARGEST_ANSWER, LARGEST_TABLE, Server, Trouble, Whose, secrets, squeeze};
use crate::host::Hosted;

/// So long the machine thinks for whoever asks its advice.
const ADVISES: Budget = Budget::Milliseconds(NonZero::new(1500).unwrap());

/// A cookie lives this long, in seconds: games last weeks.
const COOKIE_LIFE: u32 = 400 * 86400;

pub(super) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/s/{game}/{secret}", get(sit_down))
        .route("/g/{game}", get(game))
        .route("/g/{game}/parts", get(parts))
        .route("/g/{game}/offers", get(offers))
        .route("/g/{game}/odds", get(odds))
        .route("/g/{game}/why", get(why))
        .route("/g/{game}/reach", get(reach))
        .route("/g/{game}/chances", get(chances))
        .route("/g/{game}/suggest", get(suggest))
        .route("/g/{game}/review", get(review))
}

/// Has a page of the rules or the umpire worked out apart, and squeezed on the spot; only the files
/// that come with the program and what is remembered in a cookie cost next to nothing.
pub(super) async fn worked_out(
    State(server): State<Arc<Server>>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    if path.starts_with("/assets/") || path.starts_with("/settings/") {
        return next.run(request).await;
    }
    let by = Network::of(request.extensions());
    let shelf = OwnShelf { shelves: server.shelves.clone(), by };
    request.extensions_mut().insert(Shelved(Arc::new(shelf)));
    // Pages read no body but that of a table, which is gathered here, where it can be waited for.
    let request = match gathered(&server, by, request).await {
        Ok(request) => request,
        Err(trouble) => return trouble.into_response(),
    };
    let wanted = squeeze::wanted(&request);
    let made = move || {
        // Nothing in a page waits for anything.
        let page = next.run(request).now_or_never()?;
        let large = page.body().size_hint().exact().is_none_or(|length| length > LARGEST_ANSWER as u64);
        Some(if large { Trouble::LargeAnswer.into_response() } else { squeeze::squeezed(page, wanted) })
    };
    match server.hall.readers().work(&Whose::Reader(by), made).await {
        Ok(Some(page)) => page,
        Ok(None) => Trouble::Broken("a page waits for something".to_owned()).into_response(),
        Err(trouble) => trouble.into_response(),
    }
}

/// A request with its whole body at hand.
async fn gathered(server: &Server, by: IpAddr, request: Request) -> Result<Request, Trouble> {
    if request.method() != Method::POST {
        return Ok(request.map(|_| Body::empty()));
    }
    let _place = server.large.take(by)?;
    let (parts, body) = request.into_parts();
    let body = guard::whole_body(body, LARGEST_TABLE).await?;
    Ok(Request::from_parts(parts, Body::from(body)))
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

/// A game as this reader sees it, and what is made of it: worked out apart, from a copy, so that the
/// game itself is not held up.
async fn shown<T: Send + 'static>(
    seated: &Seated,
    since: Option<u64>,
    lang: Lang,
    make: impl FnOnce(&Seen<'_>, &Query) -> T + Send + 'static,
) -> Result<T, Trouble> {
    let Seated { server, table, asker, .. } = seated;
    let whose = asker.whose();
    let query = Query::parse(asker.query.as_deref().unwrap_or_default());
    let seats = seated.sides();
    let system = server.systems.iter().find(|system| system.name == table.system.name).copied();
    let system = system.ok_or(Trouble::NoSuchGame)?;
    let at = query.get("at").and_then(|text| text.parse::<u64>().ok());
    let past = match at {
        Some(at) => Some(server.past.after(&server.hall, table, at, &whose).await?),
        None => None,
    };
    let (position, awaited, sealed, reader, entries, over, fairness, damaged) = {
        let look = server.hall.look(table).await?;
        let hosted = look.game().ok_or(Trouble::NoSuchGame)?;
        // Who plays several sides sees with the eyes of one that is waited for.
        let awaits = |place: &usize| hosted.awaited().has(*place);
        let reader = seats.iter().copied().find(awaits).or(seats.first().copied());
        let past = past.filter(|_| at.is_some_and(|at| at < hosted.entries()));
        let position = past.as_deref().unwrap_or(hosted).position(reader);
        let damaged = look.damage().map(|damage| damage.text(lang));
        let awaited: Vec<usize> = hosted.awaited().iter().collect();
        let sealed = reader.and_then(|place| hosted.own_sealed(place));
        (position, awaited, sealed, reader, hosted.entries(), hosted.is_over(), hosted.fairness(), damaged)
    };
    let mut log = match since {
        Some(_) => server.hall.log(table, 0, &whose).await?,
        None => Vec::new(),
    };
    // What came after this look is told with the next one: no entry is told that is not counted. The
    // seeds that players put into the dice stand beside the dice.
    // Whoever looks back is told what had happened by then. A page that was there all the time and one
    // that is loaded now keep the same entries.
    let last = at.unwrap_or(entries).min(entries);
    let first = last.saturating_sub(LONGEST_JOURNAL as u64);
    let days = Days::of(&log, last);
    let known = since.unwrap_or(0).max(first);
    log.retain(|happening| (known + 1..=last).contains(&happening.n) && happening.deed != "pledge");
    let game = table.id.clone();
    let work = move || {
        let told: Vec<Entry> = log.iter().map(|happening| told(happening, reader, lang)).collect();
        let days = days.told(reader, lang);
        let at = at.filter(|at| *at < entries);
        let seen = Seen {
            game: &game,
            system: &system,
            position: &*position,
            seats: &seats,
            awaited: &awaited,
            sealed: sealed.as_deref(),
            entries,
            at,
            told: &told,
            days: &days,
            over,
            fairness: &fairness,
            damaged: damaged.as_deref(),
        };
        make(&seen, &query)
    };
    server.hall.readers().work(&whose, work).await
}

/// The days of a game, each with the entries before it; the last two that are shown with what happened.
struct Days(Vec<(u64, Saying, Vec<Arc<Happening>>)>);

/// So many days are told of, the last first; of earlier ones only the name is.
const TOLD_DAYS: usize = 2;

impl Days {
    /// The days of a record; what happened, up to an entry.
    fn of(log: &[Arc<Happening>], last: u64) -> Self {
        let mut days: Vec<(u64, Saying, Vec<Arc<Happening>>)> = Vec::new();
        for happening in log {
            let Some(day) = &happening.day else { continue };
            if days.last().is_none_or(|(_, known, _)| known != day) {
                days.push((happening.n.saturating_sub(1), day.clone(), Vec::new()));
            }
            if let Some((_, _, told)) = days.last_mut().filter(|_| happening.n <= last) {
                told.push(Arc::clone(happening));
            }
        }
        let shown = days.iter().filter(|(_, _, told)| !told.is_empty()).count();
        for (_, _, told) in days.iter_mut().take(shown.saturating_sub(TOLD_DAYS)) {
            told.clear();
        }
        Self(days)
    }

    /// The same for a reader, in his language.
    fn told(&self, reader: Option<usize>, lang: Lang) -> Vec<Day> {
        let said = |told: &Vec<Arc<Happening>>| -> Vec<Line> {
            let lines = told.iter().flat_map(|happening| Line::readable(&happening.said, reader));
            lines.filter(|line| matches!(line, Line::Happened(_))).cloned().collect()
        };
        let day = |(n, name, told): &(u64, Saying, Vec<Arc<Happening>>)| Day {
            n: *n,
            name: sentence(&rulebook::speak(name.phrase, &name.facts, lang)),
            said: said(told),
        };
        self.0.iter().map(day).collect()
    }
}

/// A line that begins like a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A happening as a line of the journal.
fn told(happening: &Happening, reader: Option<usize>, lang: Lang) -> Entry {
    let name = |order: &Saying| sentence(&rulebook::speak(order.phrase, &order.facts, lang));
    let words = || happening.words.as_ref().map(|words| format!("« {words} »"));
    let deed = || {
        let told = matches!(happening.deed, "undo" | "adopt" | "seal");
        told.then(|| sentence(&rulebook::speak_key(&format!("server-deed-{}", happening.deed), lang)))
    };
    Entry {
        n: happening.n,
        by: happening.side,
        order: happening.order_for(reader).map(name).or_else(words).or_else(deed),
        moment: happening.moment.as_ref().map(name),
        at: happening.place_for(reader),
        takes_back: happening.deed == "undo",
        dice: happening.dice.clone(),
        said: Line::readable(&happening.said, reader).into_iter().cloned().collect(),
    }
}

fn json(text: String) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// The page of a game.
async fn game(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, _: &Query| ::pages::game::game_page(&reader, seen);
    shown(&seated, Some(0), lang, make).await.map(Html)
}

/// The parts of it that change, with the news since the entry the reader knows.
async fn parts(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let query = Query::parse(seated.asker.query.as_deref().unwrap_or_default());
    let since = query.get("since").and_then(|text| text.parse().ok());
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, _: &Query| ::pages::game::game_parts(&reader, seen);
    shown(&seated, since, lang, make).await.map(Html)
}

/// More of a long list of orders.
async fn offers(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, query: &Query| ::pages::game::game_offers(&reader, seen, query);
    shown(&seated, None, lang, make).await.map(Html)
}

/// What may come of an order.
async fn odds(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, query: &Query| {
        ::pages::game::game_odds(&reader, seen.position, query.get("action").unwrap_or_default())
    };
    shown(&seated, None, lang, make).await.map(Html)
}

/// Why something cannot be ordered.
async fn why(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, query: &Query| ::pages::game::game_why(&reader, seen.position, query);
    shown(&seated, None, lang, make).await.map(Html)
}

/// Where pieces may go.
async fn reach(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, query: &Query| ::pages::game::game_reach(&reader, seen.position, query);
    shown(&seated, None, lang, make).await.map(json)
}

/// How likely the shots of a piece are to do anything.
async fn chances(seated: Seated, reader: Reader) -> Result<Response, Trouble> {
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, query: &Query| ::pages::game::game_chances(seen.position, query);
    shown(&seated, None, lang, make).await.map(json)
}

/// What the machine would order in the reader's place. It thinks apart, with a copy of the game before it.
async fn suggest(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let Seated { server, table, asker, .. } = &seated;
    let (copy, place) = {
        let look = server.hall.look(table).await?;
        let hosted = look.game().ok_or(Trouble::NoSuchGame)?;
        let decides = |place: &usize| hosted.awaited().has(*place);
        (hosted.fork(), seated.sides().into_iter().find(decides))
    };
    let advice = match place {
        Some(place) => {
            let mut stream = Live::from_seed(secrets::random::<32>()?);
            let think = move || copy.advise(place, ADVISES, &mut stream);
            server.hall.minds().work(&asker.whose(), think).await?
        }
        None => Vec::new(),
    };
    let advised: Vec<Advised> =
        advice.into_iter().map(|advice| Advised { action: advice.action, promise: advice.promise }).collect();
    let lang = reader.lang;
    let make = move |seen: &Seen<'_>, _: &Query| ::pages::game::game_advice(&reader, seen.position, &advised);
    shown(&seated, None, lang, make).await.map(Html)
}

/// The decisions of a game that is over after which the expected outcome was most another, and the luck.
async fn review(seated: Seated, reader: Reader) -> Result<Html<String>, Trouble> {
    let Seated { server, table, asker, .. } = &seated;
    if !server.hall.look(table).await?.game().is_some_and(Hosted::is_over) {
        return Err(Trouble::StillHidden);
    }
    let lang = reader.lang;
    let marked = server.hall.review(table, &asker.whose()).await?;
    let account = server.hall.luck(table, lang, &asker.whose()).await?;
    let spoken = |saying: &Saying| sentence(&rulebook::speak(saying.phrase, &saying.facts, lang));
    let turnings: Vec<Turning> = marked
        .into_iter()
        .map(|marked| Turning {
            n: marked.n,
            by: marked.side,
            order: marked.order.as_ref().map(spoken).unwrap_or_default(),
            moment: marked.moment.as_ref().map(spoken),
            before: marked.judged.before,
            expected: marked.judged.expected,
            after: marked.after,
        })
        .collect();
    let fortunes: Vec<Fortune> = account
        .results
        .into_iter()
        .map(|line| Fortune {
            side: line.side,
            gauge: line.text,
            actual: line.actual,
            expected: line.expected,
            at_least: line.at_least,
        })
        .collect();
    let make =
        move |seen: &Seen<'_>, _: &Query| ::pages::game::review_page(&reader, seen, &turnings, &fortunes);
    shown(&seated, None, lang, make).await.map(Html)
}
