//! Tables that several lay together: one link, and whoever has it sees and changes the same table. A
//! table is what it began as and the changes since, each numbered; a change that does not know the last
//! one is told what it missed and tried again. They are kept in the store, and in memory while they are: so
//! much in all, so much for each network; every browser keeps its own copy besides.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use kernel::{Node, Refusal, phrase};
use serde::Deserialize;
use serde::de::IgnoredAny;
use tokio::sync::{Mutex as AsyncMutex, watch};

use super::games::raw;
use super::guard::{Asker, Sent};
use super::places::Place;
use super::{LARGEST_BODY, LARGEST_TABLE, Server, Trouble, secrets};
use crate::store::{Change as Heard, LaidTable, Store, StoreFault, now, to_hex};

/// A table nobody touched in so many seconds is forgotten.
const KEPT: i64 = 7 * 24 * 3600;
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
    by: String,
    used: i64,
    version: watch::Sender<usize>,
}

/// All tables that are laid together, by their word.
#[derive(Default)]
pub(super) struct Tables {
    held: Mutex<HashMap<String, Shared>>,
    /// Held by whoever writes to the store: what is told to others is on the disk.
    writing: AsyncMutex<()>,
}

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
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up the tables of the store; those that are too old or too many are forgotten there, too.
    pub(super) async fn recall(&self, store: &Store) -> Result<(), StoreFault> {
        let mut gone = Vec::new();
        for table in store.laid_tables().await? {
            gone.extend(self.begin(table, now()));
        }
        gone.extend(self.outlived(now()));
        store.forget_laid(&gone).await
    }

    /// Holds a table; those that it pushes out are given back.
    fn begin(&self, table: LaidTable, now: i64) -> Vec<String> {
        let LaidTable { word, start, network, used, changes } = table;
        let mut gone = self.outlived(now);
        let mut all = self.all();
        let bytes = start.len() + changes.iter().map(String::len).sum::<usize>();
        gone.extend(make_room(&mut all, bytes, MOST_EACH, |one| one.by == network));
        gone.extend(make_room(&mut all, bytes, MOST, |_| true));
        let version = watch::Sender::new(changes.len());
        all.insert(word, Shared { start, changes, bytes, by: network, used, version });
        gone
    }

    /// Tables that nobody has touched for too long.
    fn outlived(&self, now: i64) -> Vec<String> {
        let mut all = self.all();
        let old: Vec<String> =
            all.iter().filter(|(_, one)| now - one.used >= KEPT).map(|(word, _)| word.clone()).collect();
        all.retain(|word, _| !old.contains(word));
        old
    }

    /// Keeps a new table in the store, and holds it.
    async fn lay(&self, store: &Store, table: LaidTable) -> Result<(), StoreFault> {
        let _alone = self.writing.lock().await;
        store.lay(table.clone()).await?;
        let gone = self.begin(table, now());
        store.forget_laid(&gone).await
    }

    /// A table that another process has begun or changed is read from the store they share.
    async fn renew(&self, store: &Store, word: &str) -> Result<(), StoreFault> {
        let known = self.all().get(word).map(|one| one.changes.len());
        match known {
            Some(known) if store.is_shared() => {
                let more = store.laid_changes(word, known).await?;
                if let Some(one) = self.all().get_mut(word)
                    && one.changes.len() == known
                    && !more.is_empty()
                {
                    one.add(more);
                }
            }
            Some(_) => {}
            None => {
                if let Some(table) = store.laid_table(word).await? {
                    let gone = self.begin(table, now());
                    store.forget_laid(&gone).await?;
                }
            }
        }
        Ok(())
    }

    /// Tells whoever listens here of what another process did to a table. What this process did itself comes
    /// back to it too; what cannot be read now is read at the next look.
    pub(super) async fn heard(&self, store: &Store, heard: &Heard) {
        let least = match heard {
            Heard::Laid(_, version) => *version,
            Heard::Unknown => usize::MAX,
            Heard::Game(..) => return,
        };
        let is_meant = |word: &String| !matches!(heard, Heard::Laid(laid, _) if laid != word);
        let is_news = |one: &Shared| one.changes.len() < least && one.version.receiver_count() > 0;
        let words: Vec<String> = self
            .all()
            .iter()
            .filter(|(word, one)| is_meant(word) && is_news(one))
            .map(|(word, _)| word.clone())
            .collect();
        for word in words {
            let _ = self.renew(store, &word).await;
        }
    }

    fn listen(&self, word: &str) -> Option<watch::Receiver<usize>> {
        self.all().get(word).map(|one| one.version.subscribe())
    }

    /// The table since a change, as JSON; whole without one.
    fn since(&self, word: &str, seen: Option<usize>, now: i64) -> Option<String> {
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

    /// What becomes of a change, before anything is done with it.
    fn judge(&self, word: &str, seen: usize, change: &str) -> Option<Put> {
        let all = self.all();
        let one = all.get(word)?;
        if seen != one.changes.len() {
            let told = format!("{{\"version\":{},\"changes\":[{}]}}", one.changes.len(), missed(one, seen));
            return Some(Put::Missed(told));
        }
        if one.changes.len() >= MOST_CHANGES || one.bytes + change.len() > MOST_EACH {
            return Some(Put::Full);
        }
        Some(Put::Done(seen + 1))
    }

    /// Holds the change of this number, unless it was read from the store meanwhile; the tables that it pushes out are given back.
    fn put(&self, word: &str, version: usize, change: String, now: i64) -> Vec<String> {
        let mut all = self.all();
        let Some(one) = all.get_mut(word) else { return Vec::new() };
        one.used = now;
        if one.changes.len() >= version {
            return Vec::new();
        }
        // A table that grows pushes out older ones as a new one does, never itself: it was used last.
        let by = one.by.clone();
        let mut gone = make_room(&mut all, change.len(), MOST_EACH, |one| one.by == by);
        gone.extend(make_room(&mut all, change.len(), MOST, |_| true));
        if let Some(one) = all.get_mut(word) {
            one.add(vec![change]);
        }
        gone
    }

    /// Changes a table as it stood after `seen` changes, in the store first.
    async fn change(
        &self,
        store: &Store,
        word: &str,
        seen: usize,
        change: String,
    ) -> Result<Option<Put>, StoreFault> {
        let _alone = self.writing.lock().await;
        self.renew(store, word).await?;
        let judged = self.judge(word, seen, &change);
        let Some(Put::Done(version)) = judged else { return Ok(judged) };
        match store.change_laid(word, version, &change, now()).await {
            Err(StoreFault::Conflict) => {
                // Another process came first.
                self.renew(store, word).await?;
                return Ok(self.judge(word, seen, &change).filter(|put| !matches!(put, Put::Done(_))));
            }
            written => written?,
        }
        let gone = self.put(word, version, change, now());
        store.forget_laid(&gone).await?;
        Ok(Some(Put::Done(version)))
    }
}

impl Shared {
    /// Adds changes, and tells whoever listens.
    fn add(&mut self, changes: Vec<String>) {
        self.bytes += changes.iter().map(String::len).sum::<usize>();
        self.changes.extend(changes);
        self.version.send_replace(self.changes.len());
    }
}

fn missed(one: &Shared, seen: usize) -> String {
    one.changes.get(seen..).unwrap_or_default().join(",")
}

/// Forgets the oldest of some until so many bytes more fit; gives back their words.
fn make_room(
    all: &mut HashMap<String, Shared>,
    more: usize,
    most: usize,
    of: impl Fn(&Shared) -> bool,
) -> Vec<String> {
    let mut gone = Vec::new();
    loop {
        let held: usize = all.values().filter(|one| of(one)).map(|one| one.bytes).sum();
        let oldest = all.iter().filter(|(_, one)| of(one)).min_by_key(|(_, one)| one.used);
        match oldest.map(|(word, _)| word.clone()) {
            Some(word) if held + more > most => {
                drop(all.remove(&word));
                gone.push(word);
            }
            _ => return gone,
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
    let network = asker.from.to_string();
    let table = LaidTable { word: word.clone(), start, network, used: now(), changes: Vec::new() };
    server.tables.lay(server.hall.store(), table).await.map_err(Trouble::Store)?;
    Ok(raw(format!("{{\"word\":\"{word}\",\"version\":0}}")))
}

/// The table, or what was changed since `seen`.
pub(super) async fn get(
    State(server): State<Arc<Server>>,
    Path(word): Path<String>,
    asker: Asker,
) -> Result<Response, Trouble> {
    let seen = asker.parameter("seen").and_then(|seen| seen.parse().ok());
    server.tables.renew(server.hall.store(), &word).await.map_err(Trouble::Store)?;
    server.tables.since(&word, seen, now()).map(raw).ok_or(Trouble::NoSuchPage)
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
    let put = server.tables.change(server.hall.store(), &word, seen, change).await.map_err(Trouble::Store)?;
    match put.ok_or(Trouble::NoSuchPage)? {
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
    server.tables.renew(server.hall.store(), &word).await.map_err(Trouble::Store)?;
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

    fn table(word: &str, network: &str, start: String, used: i64) -> LaidTable {
        LaidTable { word: word.to_owned(), start, network: network.to_owned(), used, changes: Vec::new() }
    }

    /// Judged, and put if it may be.
    fn put(tables: &Tables, word: &str, seen: usize, change: String, now: i64) -> Option<Put> {
        let judged = tables.judge(word, seen, &change);
        if let Some(Put::Done(version)) = judged {
            tables.put(word, version, change, now);
        }
        judged
    }

    #[test]
    fn a_change_that_missed_another_is_told_of_it_and_loses_nothing() {
        let tables = Tables::default();
        tables.begin(table("word", "192.0.2.1", "{\"table\":1}".to_owned(), 0), 0);
        assert_eq!(put(&tables, "word", 0, change(1), 0), Some(Put::Done(1)));
        let late = put(&tables, "word", 0, change(2), 0);
        assert_eq!(late, Some(Put::Missed("{\"version\":1,\"changes\":[{\"patch\":1}]}".to_owned())));
        assert_eq!(put(&tables, "word", 1, change(2), 0), Some(Put::Done(2)));
        let whole = tables.since("word", None, 0).unwrap();
        assert_eq!(
            whole,
            "{\"version\":2,\"changes\":[{\"patch\":1},{\"patch\":2}],\"start\":{\"table\":1}}"
        );
        assert_eq!(tables.since("word", Some(2), 0).as_deref(), Some("{\"version\":2,\"changes\":[]}"));
        assert_eq!(put(&tables, "other", 0, change(1), 0), None);
    }

    /// On a database that several share, a change is told to its own process, too, and may be read before it is held.
    #[test]
    fn a_change_that_was_read_from_the_store_meanwhile_is_held_once() {
        let tables = Tables::default();
        tables.begin(table("word", "192.0.2.1", "{}".to_owned(), 0), 0);
        assert_eq!(tables.judge("word", 0, &change(1)), Some(Put::Done(1)));
        tables.all().get_mut("word").unwrap().add(vec![change(1)]);
        tables.put("word", 1, change(1), 0);
        let held = tables.since("word", Some(0), 0);
        assert_eq!(held.as_deref(), Some("{\"version\":1,\"changes\":[{\"patch\":1}]}"));
    }

    #[test]
    fn a_table_that_is_full_says_so_instead_of_asking_again() {
        let tables = Tables::default();
        tables.begin(table("word", "192.0.2.1", "{}".to_owned(), 0), 0);
        let large = || format!("{{\"patch\":\"{}\"}}", "y".repeat(MOST_EACH / 2));
        assert_eq!(put(&tables, "word", 0, large(), 0), Some(Put::Done(1)));
        assert_eq!(put(&tables, "word", 1, large(), 0), Some(Put::Full));
    }

    #[test]
    fn one_network_pushes_out_its_own() {
        let tables = Tables::default();
        let start = || format!("{{\"x\":\"{}\"}}", "y".repeat(1 << 20));
        tables.begin(table("neighbour", "192.0.2.1", start(), 0), 0);
        let mut gone = Vec::new();
        for number in 0..20 {
            gone.extend(tables.begin(table(&format!("word-{number}"), "192.0.2.2", start(), number), number));
        }
        assert!(tables.listen("neighbour").is_some() && tables.listen("word-19").is_some());
        assert!(tables.listen("word-0").is_none());
        assert!(gone.contains(&"word-0".to_owned()), "the store forgets it, too: {gone:?}");
    }

    #[test]
    fn a_table_nobody_touches_for_a_week_is_forgotten() {
        let tables = Tables::default();
        tables.begin(table("old", "192.0.2.1", "{}".to_owned(), 0), 0);
        tables.begin(table("young", "192.0.2.1", "{}".to_owned(), 10), 10);
        assert_eq!(tables.outlived(KEPT), ["old"]);
        assert!(tables.listen("young").is_some());
    }

    /// Tables that begin small and grow hold no more than those that begin large.
    #[test]
    fn tables_that_grow_push_out_their_own_and_are_full_at_last() {
        let tables = Tables::default();
        let large = || format!("{{\"x\":\"{}\"}}", "y".repeat(60 << 10));
        for word in 0..20 {
            tables.begin(table(&format!("word-{word}"), "192.0.2.2", "{}".to_owned(), 0), 0);
        }
        for (round, word) in (0..20).flat_map(|round| (0..20).map(move |word| (round, word))) {
            put(&tables, &format!("word-{word}"), round, large(), i64::try_from(round).unwrap());
        }
        let held: usize = tables.all().values().map(|one| one.bytes).sum();
        assert!(held <= MOST_EACH, "{held} bytes");
        tables.begin(table("last", "192.0.2.2", "{}".to_owned(), 60), 60);
        let full = (0..).find_map(|seen| match put(&tables, "last", seen, large(), 60) {
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
