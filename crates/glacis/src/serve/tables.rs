//! Tables that several lay together: one link, and whoever has it sees and changes the same table. A
//! table is what it began as and the changes since, each numbered; a change that does not know the last
//! one is told what it missed and tried again. They are kept in memory like the shelf: so much in all, so
//! much for each network; every browser keeps its own copy besides.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use kernel::{Node, Refusal, phrase};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::watch;

use super::games::raw;
use super::guard::{Asker, Sent};
use super::places::Place;
use super::{LARGEST_BODY, LARGEST_TABLE, Server, Trouble, secrets};
use crate::store::to_hex;

/// A table nobody touched in this time is forgotten.
const KEPT: Duration = Duration::from_secs(7 * 24 * 3600);
/// The most bytes that are kept in all.
const MOST: usize = 64 << 20;
/// The most bytes that are kept for one network.
const MOST_EACH: usize = 8 << 20;
/// The most changes of one table.
const MOST_CHANGES: usize = 20_000;
/// A sign of life is sent this often, so that proxies keep quiet connections.
const SIGN_OF_LIFE: Duration = Duration::from_secs(25);

struct Shared {
    start: String,
    changes: Vec<String>,
    bytes: usize,
    by: IpAddr,
    used: Instant,
    version: watch::Sender<usize>,
}

/// All tables that are laid together, by their word.
#[derive(Default)]
pub(super) struct Tables(Mutex<HashMap<String, Shared>>);

/// What became of a change.
#[derive(Debug, PartialEq, Eq)]
enum Put {
    /// It is the change of this number.
    Done(usize),
    /// Others came first: this is what it missed.
    Missed(String),
    /// The table holds as much as one may.
    Full,
}

impl Tables {
    fn all(&self) -> MutexGuard<'_, HashMap<String, Shared>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, by: IpAddr, word: String, start: String, now: Instant) {
        let mut all = self.all();
        all.retain(|_, one| now.saturating_duration_since(one.used) < KEPT);
        make_room(&mut all, start.len(), MOST_EACH, |one| one.by == by);
        make_room(&mut all, start.len(), MOST, |_| true);
        let bytes = start.len();
        let version = watch::Sender::new(0);
        all.insert(word, Shared { start, changes: Vec::new(), bytes, by, used: now, version });
    }

    fn listen(&self, word: &str) -> Option<watch::Receiver<usize>> {
        self.all().get(word).map(|one| one.version.subscribe())
    }

    /// The table since a change, as JSON; whole without one.
    fn since(&self, word: &str, seen: Option<usize>, now: Instant) -> Option<String> {
        let mut all = self.all();
        let one = all.get_mut(word)?;
        one.used = now;
        let start = seen.map_or_else(|| format!(",\"start\":{}", one.start), |_| String::new());
        Some(format!(
            "{{\"version\":{},\"changes\":[{}]{start}}}",
            one.changes.len(),
            missed(one, seen.unwrap_or(0))
        ))
    }

    fn put(&self, word: &str, seen: usize, change: String, now: Instant) -> Option<Put> {
        let mut all = self.all();
        let one = all.get_mut(word)?;
        one.used = now;
        if seen != one.changes.len() {
            let told = format!("{{\"version\":{},\"changes\":[{}]}}", one.changes.len(), missed(one, seen));
            return Some(Put::Missed(told));
        }
        if one.changes.len() >= MOST_CHANGES || one.bytes + change.len() > MOST_EACH {
            return Some(Put::Full);
        }
        // A table that grows pushes out older ones as a new one does, never itself: it was used last.
        let by = one.by;
        make_room(&mut all, change.len(), MOST_EACH, |one| one.by == by);
        make_room(&mut all, change.len(), MOST, |_| true);
        let one = all.get_mut(word)?;
        one.bytes += change.len();
        one.changes.push(change);
        let version = one.changes.len();
        one.version.send_replace(version);
        Some(Put::Done(version))
    }
}

fn missed(one: &Shared, seen: usize) -> String {
    one.changes.get(seen..).unwrap_or_default().join(",")
}

/// Forgets the oldest of some until so many bytes more fit.
fn make_room(all: &mut HashMap<String, Shared>, more: usize, most: usize, of: impl Fn(&Shared) -> bool) {
    loop {
        let held: usize = all.values().filter(|one| of(one)).map(|one| one.bytes).sum();
        let oldest = all.iter().filter(|(_, one)| of(one)).min_by_key(|(_, one)| one.used);
        match oldest.map(|(word, _)| word.clone()) {
            Some(word) if held + more > most => drop(all.remove(&word)),
            _ => return,
        }
    }
}

/// A body that is one JSON value, and nothing that could stand beside it.
fn value(text: &str) -> Result<String, Trouble> {
    match Node::parse(text)? {
        Node::Object(_) => Ok(text.to_owned()),
        _ => Err(Refusal::plain(phrase::NOT_JSON).with("detail", "{…}").into()),
    }
}

/// A change as every browser that hears of it takes it: what it touches, each with how it was and is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    #[serde(rename = "patch")]
    _patch: Patch,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Patch {
    /// The list, the name, the thing before and after.
    #[serde(rename = "things")]
    _things: Vec<(String, String, IgnoredAny, IgnoredAny)>,
    /// The names of a list in their order, before and after.
    #[serde(rename = "order")]
    _order: BTreeMap<String, (IgnoredAny, IgnoredAny)>,
    /// The field, before and after.
    #[serde(rename = "fields")]
    _fields: Vec<(String, IgnoredAny, IgnoredAny)>,
    /// What goes with the table, before and after.
    #[serde(rename = "rest")]
    _rest: Option<(IgnoredAny, IgnoredAny)>,
}

/// Puts a table where others can reach it.
pub(super) async fn share(
    State(server): State<Arc<Server>>,
    asker: Asker,
    sent: Sent<LARGEST_TABLE>,
) -> Result<Response, Trouble> {
    let start = value(sent.text()?)?;
    let word = to_hex(&secrets::random::<16>()?);
    server.tables.begin(asker.from, word.clone(), start, Instant::now());
    Ok(raw(format!("{{\"word\":\"{word}\",\"version\":0}}")))
}

/// The table, or what was changed since `seen`.
pub(super) async fn get(
    State(server): State<Arc<Server>>,
    Path(word): Path<String>,
    asker: Asker,
) -> Result<Response, Trouble> {
    let seen = asker.parameter("seen").and_then(|seen| seen.parse().ok());
    server.tables.since(&word, seen, Instant::now()).map(raw).ok_or(Trouble::NoSuchPage)
}

/// Changes the table as it stood after `seen` changes; a conflict is answered with what was missed.
pub(super) async fn change(
    State(server): State<Arc<Server>>,
    Path(word): Path<String>,
    asker: Asker,
    sent: Sent<LARGEST_BODY>,
) -> Result<Response, Trouble> {
    let seen = asker.parameter("seen").and_then(|seen| seen.parse().ok());
    let seen = seen.ok_or_else(|| Refusal::field("seen", phrase::MISSING_FIELD))?;
    let change = sent.text()?;
    Node::parse(change)?.read::<Change>()?;
    let change = change.to_owned();
    match server.tables.put(&word, seen, change, Instant::now()).ok_or(Trouble::NoSuchPage)? {
        Put::Done(version) => Ok(raw(format!("{{\"version\":{version}}}"))),
        Put::Full => Err(Trouble::TooLarge),
        Put::Missed(told) => {
            Ok((StatusCode::CONFLICT, [(header::CONTENT_TYPE, "application/json")], told).into_response())
        }
    }
}

struct Listener {
    version: watch::Receiver<usize>,
    stopping: watch::Receiver<bool>,
    first: bool,
    _place: Place<IpAddr>,
}

/// Tells the number of the last change, now and whenever there is another.
pub(super) async fn events(
    State(server): State<Arc<Server>>,
    Path(word): Path<String>,
    asker: Asker,
) -> Result<Response, Trouble> {
    let version = server.tables.listen(&word).ok_or(Trouble::NoSuchPage)?;
    let place = server.streams.take(asker.from).map_err(|_| Trouble::TooManyStreams)?;
    let listener = Listener { version, stopping: server.stopping.clone(), first: true, _place: place };
    let body = Body::from_stream(stream::unfold(listener, next));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}

async fn next(mut listener: Listener) -> Option<(Result<Bytes, Infallible>, Listener)> {
    let news = std::mem::take(&mut listener.first)
        || tokio::select! {
            changed = listener.version.changed() => changed.is_ok(),
            () = tokio::time::sleep(SIGN_OF_LIFE) => false,
            _ = listener.stopping.wait_for(|stopping| *stopping) => return None,
        };
    if !news {
        // The table is forgotten once nobody can tell of it.
        let sign = listener.version.has_changed().is_ok().then(|| Bytes::from_static(b": \n\n"))?;
        return Some((Ok(sign), listener));
    }
    let version = *listener.version.borrow_and_update();
    Some((Ok(Bytes::from(format!("data: {version}\n\n"))), listener))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(number: usize) -> String {
        format!("{{\"patch\":{number}}}")
    }

    #[test]
    fn a_change_that_missed_another_is_told_of_it_and_loses_nothing() {
        let (tables, now) = (Tables::default(), Instant::now());
        tables.begin([192, 0, 2, 1].into(), "word".to_owned(), "{\"table\":1}".to_owned(), now);
        assert_eq!(tables.put("word", 0, change(1), now), Some(Put::Done(1)));
        let late = tables.put("word", 0, change(2), now);
        assert_eq!(late, Some(Put::Missed("{\"version\":1,\"changes\":[{\"patch\":1}]}".to_owned())));
        assert_eq!(tables.put("word", 1, change(2), now), Some(Put::Done(2)));
        let whole = tables.since("word", None, now).unwrap();
        assert_eq!(
            whole,
            "{\"version\":2,\"changes\":[{\"patch\":1},{\"patch\":2}],\"start\":{\"table\":1}}"
        );
        assert_eq!(tables.since("word", Some(2), now).as_deref(), Some("{\"version\":2,\"changes\":[]}"));
        assert_eq!(tables.put("other", 0, change(1), now), None);
    }

    #[test]
    fn a_table_that_is_full_says_so_instead_of_asking_again() {
        let (tables, now) = (Tables::default(), Instant::now());
        tables.begin([192, 0, 2, 1].into(), "word".to_owned(), "{}".to_owned(), now);
        let large = || format!("{{\"patch\":\"{}\"}}", "y".repeat(MOST_EACH / 2));
        assert_eq!(tables.put("word", 0, large(), now), Some(Put::Done(1)));
        assert_eq!(tables.put("word", 1, large(), now), Some(Put::Full));
    }

    #[test]
    fn one_network_pushes_out_its_own() {
        let (tables, now) = (Tables::default(), Instant::now());
        let start = || format!("{{\"x\":\"{}\"}}", "y".repeat(1 << 20));
        tables.begin([192, 0, 2, 1].into(), "neighbour".to_owned(), start(), now);
        for number in 0..20 {
            let later = now + Duration::from_secs(number);
            tables.begin([192, 0, 2, 2].into(), format!("word-{number}"), start(), later);
        }
        assert!(tables.listen("neighbour").is_some() && tables.listen("word-19").is_some());
        assert!(tables.listen("word-0").is_none());
    }

    /// Tables that begin small and grow hold no more than those that begin large.
    #[test]
    fn tables_that_grow_push_out_their_own_and_are_full_at_last() {
        let (tables, now) = (Tables::default(), Instant::now());
        let by = [192, 0, 2, 2].into();
        let large = || format!("{{\"x\":\"{}\"}}", "y".repeat(60 << 10));
        for word in 0..20 {
            tables.begin(by, format!("word-{word}"), "{}".to_owned(), now);
        }
        for (seconds, word) in (0..20).flat_map(|round| (0..20).map(move |word| (round, word))) {
            tables.put(&format!("word-{word}"), seconds, large(), now + Duration::from_secs(seconds as u64));
        }
        let held: usize = tables.all().values().map(|one| one.bytes).sum();
        assert!(held <= MOST_EACH, "{held} bytes");
        let later = now + Duration::from_secs(60);
        tables.begin(by, "last".to_owned(), "{}".to_owned(), later);
        let full = (0..).find_map(|seen| match tables.put("last", seen, large(), later) {
            Some(Put::Done(_)) => None,
            other => Some((seen, other)),
        });
        assert_eq!(full, Some((MOST_EACH / large().len(), Some(Put::Full))));
    }

    #[test]
    fn a_change_is_read_as_every_browser_reads_it() {
        let read = |text: &str| Node::parse(text).unwrap().read::<Change>().map(drop);
        let patch = |things: &str| format!(r#"{{"patch":{{"things":{things},"order":{{}},"fields":[]}}}}"#);
        assert_eq!(read(&patch(r#"[["bodies","column",null,{"id":"column"}]]"#)), Ok(()));
        let field = |text: &str| read(text).unwrap_err().field.unwrap_or_default();
        assert_eq!(field(&patch("{}")), "patch.things");
        assert_eq!(field(r#"{"patch":{"things":[],"order":{}}}"#), "patch.fields");
        assert_eq!(field(r#"{"patch":{"things":[],"order":{},"fields":[]},"x":1}"#), "x");
    }
}
