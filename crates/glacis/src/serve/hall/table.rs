//! A game that is loaded: its seats, who listens to it, and what is told to whom.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use kernel::{Audience, Fact, HexHash, Line, Saying, Seed, Sides};
use opponent::{Budget, Level};
use rulebook::{Lang, phrase as words};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use tokio::sync::{Mutex as AsyncMutex, MutexGuard, broadcast};

use super::Trouble;
use super::journal::Journal;
use crate::host::{Hosted, Hosting, OnSheet, Report};
use crate::serve::secrets;
use crate::store::{Damage, Opened, StoredSeat, now};

/// So many happenings wait for a slow reader; then he is told to refresh.
const BACKLOG: usize = 64;

/// So long the machine that thinks ahead thinks about a decision.
const THINKS: Budget = Budget::Milliseconds(NonZero::new(1000).unwrap());

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A person.
    Human,
    /// The machine, playing at random.
    Random,
    /// The machine, playing by the doctrine of the game.
    Sensible,
    /// The machine, thinking ahead about every decision that is worth it.
    Search,
}

impl PlayerKind {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Random => "random",
            Self::Sensible => "sensible",
            Self::Search => "search",
        }
    }

    /// How the machine plays, where it plays.
    pub(super) const fn level(self) -> Option<Level> {
        match self {
            Self::Human => None,
            Self::Random => Some(Level::Random),
            Self::Sensible => Some(Level::Sensible),
            Self::Search => Some(Level::Search(THINKS)),
        }
    }

    /// The player of a seat that is kept so.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        [Self::Human, Self::Random, Self::Sensible, Self::Search].into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a seat that is kept so is the computer's.
    fn is_computer(name: &str) -> bool {
        Self::from_name(name).is_some_and(|kind| kind != Self::Human)
    }
}

/// Something that happened in a game.
#[derive(Debug)]
pub struct Happening {
    /// How many entries the record holds now.
    pub n: u64,
    /// When, in seconds since 1970.
    pub at: i64,
    /// Who did it, by place.
    pub side: Option<usize>,
    /// What was done.
    pub deed: &'static str,
    /// What the order is called.
    order: Option<Saying>,
    /// Where the game stood when it was ordered.
    pub moment: Option<Saying>,
    /// The day of the game on which it was ordered.
    pub day: Option<Saying>,
    /// Where on a sheet the order lies.
    place: Option<OnSheet>,
    /// Who may know what the order was.
    audience: Audience,
    /// The hash that a sealed order is committed to with.
    pub commitment: Option<HexHash>,
    /// The words of a player.
    pub words: Option<String>,
    /// The faces of the dice that were rolled for it.
    pub dice: Vec<u8>,
    /// What was said; each reader sees his part.
    pub said: Vec<Line>,
    /// Whose decision was waited for after it.
    pub awaited: Sides,
    /// Whether the game was over.
    pub over: bool,
    /// The entry with which the game was taken over from elsewhere, if it was.
    pub imported: Option<u64>,
}

impl Happening {
    pub(super) fn new(game: &dyn Hosted, n: u64, at: i64, told: Report) -> Self {
        let Report {
            side,
            deed,
            order,
            moment,
            day,
            place,
            audience,
            commitment,
            words,
            said,
            awaited,
            over,
            ..
        } = told;
        let (dice, imported) =
            (told.dice.into_iter().map(|(_, face)| face).collect(), game.fairness().adopted);
        Self {
            n,
            at,
            side,
            deed,
            order,
            moment,
            day,
            place,
            audience,
            commitment,
            words,
            dice,
            said,
            awaited,
            over,
            imported,
        }
    }

    /// What the order is called, for a reader who may know it.
    #[must_use]
    pub fn order_for(&self, reader: Option<usize>) -> Option<&Saying> {
        self.order.as_ref().filter(|_| self.is_open_to(reader))
    }

    /// Where on a sheet the order lies, for a reader who may know it.
    #[must_use]
    pub fn place_for(&self, reader: Option<usize>) -> Option<OnSheet> {
        self.place.filter(|_| self.is_open_to(reader))
    }

    fn is_open_to(&self, reader: Option<usize>) -> bool {
        match self.audience {
            Audience::All => true,
            Audience::Side(side) => reader == Some(side),
        }
    }
}

/// A happening as a reader is told it.
#[derive(Serialize, JsonSchema)]
struct Shown<'a> {
    /// The number of the entry.
    n: u64,
    /// When, in seconds since 1970.
    at: i64,
    /// The side that did it.
    by: Option<&'a str>,
    /// What kind of deed it was.
    deed: &'static str,
    /// The first side whose decision is waited for.
    to_move: Option<&'a str>,
    /// All sides whose decision is waited for.
    deciders: Vec<&'a str>,
    /// Whether the game is over.
    over: bool,
    /// What a sealed order is committed to with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    commitment: Option<HexHash>,
    /// The entry with which this server took the game over.
    #[serde(skip_serializing_if = "Option::is_none")]
    imported: Option<u64>,
    /// What a player said.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'a str>,
    /// What was said while it was carried out, as far as the reader may know.
    said: Vec<Said>,
}

/// The JSON Schema of what happened, as readers are told it.
pub fn happened_schema() -> serde_json::Value {
    let settings = SchemaSettings::default().for_serialize();
    settings.into_generator().into_root_schema_for::<Shown<'static>>().to_value()
}

/// A line of what was said, as data and in words.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Said {
    /// A rule did something.
    Because {
        #[schemars(with = "String")]
        rule: kernel::RuleId,
        effect: String,
    },
    /// Something happened.
    Happened {
        #[schemars(with = "String")]
        event: kernel::Phrase,
        text: String,
    },
}

/// The words of the events among what was said that a reader may read.
pub fn sentences(lines: &[Line], reader: Option<usize>, lang: Lang) -> Vec<String> {
    let events = Line::readable(lines, reader).into_iter().filter_map(|line| match line {
        Line::Happened(event) => Some(rulebook::speak(event.phrase, &event.facts, lang)),
        Line::Because(_) => None,
    });
    events.collect()
}

/// What stands before the data of an event, and after it.
const DATA: &[u8] = b"\ndata: ";
const END: &[u8] = b"\n\n";

/// One event as it goes over the wire. Its data is JSON, which has no line breaks.
#[must_use]
pub fn event(name: &str, id: u64, data: &str) -> String {
    format!("event: {name}\nid: {id}\ndata: {data}\n\n")
}

/// Something that has just happened, for everybody who listens. Its text is made once for all who
/// may read the same in the same language.
#[derive(Debug)]
pub struct News {
    /// What happened.
    pub happening: Arc<Happening>,
    /// What those may decide whose decision it is, by place, where a listener asked for it.
    actions: Vec<(usize, String)>,
    events: Mutex<Vec<(Option<usize>, Lang, Bytes)>>,
}

impl News {
    pub(super) fn new(happening: Arc<Happening>, actions: Vec<(usize, String)>) -> Self {
        Self { happening, actions, events: Mutex::default() }
    }

    /// The news as this reader may see them, as JSON.
    #[must_use]
    pub fn text(&self, table: &Table, reader: Option<usize>, lang: Lang) -> Bytes {
        let event = self.event(table, reader, lang);
        let start = event.windows(DATA.len()).position(|part| part == DATA).map_or(0, |at| at + DATA.len());
        event.slice(start..event.len() - END.len())
    }

    /// The news as this reader may see them, as an event of a stream.
    #[must_use]
    pub fn event(&self, table: &Table, reader: Option<usize>, lang: Lang) -> Bytes {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let known = events.iter().find(|(whose, tongue, _)| (*whose, *tongue) == (reader, lang));
        if let Some((_, _, event)) = known {
            return event.clone();
        }
        let mut text = table.shown(&self.happening, reader, lang);
        if let Some((_, actions)) = self.actions.iter().find(|(place, _)| reader == Some(*place)) {
            text.pop();
            text.push_str(",\"actions\":");
            text.push_str(actions);
            text.push('}');
        }
        let event = Bytes::from(event("happened", self.happening.n, &text));
        events.push((reader, lang, event.clone()));
        event
    }
}

/// The game itself and, once somebody asked for it, everything that happened in it.
pub(super) struct Sitting {
    /// The game.
    pub game: Box<dyn Hosted>,
    pub(super) journal: Journal,
    /// What is wrong with it as it is kept: then it can only be read.
    pub(super) damage: Option<Damage>,
}

impl Sitting {
    /// Whether orders can be given.
    pub(super) fn sound(&self) -> Result<(), Trouble> {
        self.damage.clone().map_or(Ok(()), |damage| Err(Trouble::Damaged(damage)))
    }
}

/// A game that is loaded.
pub struct Table {
    /// Its name.
    pub id: String,
    /// Its system.
    pub system: Hosting,
    /// The names of its sides.
    pub sides: Vec<String>,
    pub(super) opened: Opened,
    /// The secret seed, if there is one that can be used.
    pub(super) seed: Option<Seed>,
    /// What is kept of the secret of each seat, ready to be compared.
    hashes: Vec<Option<blake3::Hash>>,
    /// Nothing here means that the record must be read again.
    pub(super) sitting: AsyncMutex<Option<Sitting>>,
    pub(super) luck: AsyncMutex<Option<crate::host::Ledger>>,
    /// Held by whoever reads the record for the journal.
    pub(super) reading: AsyncMutex<()>,
    news: broadcast::Sender<Arc<News>>,
    /// How many listeners want to be told what they may decide.
    eager: AtomicUsize,
    pub(super) thinking: AtomicBool,
    pub(super) used: AtomicI64,
    /// How many entries were told of.
    told: AtomicU64,
}

impl Table {
    pub(super) fn new(id: &str, system: Hosting, opened: Opened) -> Self {
        Self {
            id: id.to_owned(),
            system,
            sides: system.sides(),
            hashes: opened.seats.iter().map(|seat| blake3::Hash::from_hex(&seat.hash).ok()).collect(),
            seed: opened.secret().ok().flatten(),
            opened,
            sitting: AsyncMutex::new(None),
            luck: AsyncMutex::new(None),
            reading: AsyncMutex::new(()),
            news: broadcast::Sender::new(BACKLOG),
            eager: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
            used: AtomicI64::new(now()),
            told: AtomicU64::new(0),
        }
    }

    /// Its seats.
    #[must_use]
    pub fn seats(&self) -> &[StoredSeat] {
        &self.opened.seats
    }

    /// When it was created.
    #[must_use]
    pub fn created(&self) -> i64 {
        self.opened.created
    }

    /// The first line of its record.
    #[must_use]
    pub fn header(&self) -> &str {
        &self.opened.header
    }

    /// The seat that this secret opens.
    #[must_use]
    pub fn seat_of(&self, secret: &str) -> Option<&StoredSeat> {
        let hash = secrets::hash(secret);
        // Every seat is compared, in constant time (blake3 sees to that), whatever the first ones say.
        self.hashes
            .iter()
            .zip(&self.opened.seats)
            // Nobody sits down for the computer.
            .filter(|(kept, seat)| **kept == Some(hash) && !PlayerKind::is_computer(&seat.player))
            .fold(None, |_, (_, seat)| Some(seat))
    }

    pub(super) fn is_computer(&self, place: usize) -> bool {
        self.level(place).is_some()
    }

    /// How the machine plays at this place, if it does.
    pub(super) fn level(&self, place: usize) -> Option<Level> {
        let seat = self.opened.seats.iter().find(|seat| usize::try_from(seat.place) == Ok(place))?;
        PlayerKind::from_name(&seat.player)?.level()
    }

    /// Listens to what happens.
    pub fn listen(self: &Arc<Self>, eager: bool) -> (broadcast::Receiver<Arc<News>>, Option<Eager>) {
        let eager = eager.then(|| {
            self.eager.fetch_add(1, Ordering::Relaxed);
            Eager(self.clone())
        });
        (self.news.subscribe(), eager)
    }

    /// How many listen.
    #[must_use]
    pub fn listeners(&self) -> usize {
        self.news.receiver_count()
    }

    /// How many entries were told of, at least, since the game was loaded.
    #[must_use]
    pub fn told(&self) -> u64 {
        self.told.load(Ordering::Relaxed)
    }

    /// The name of a side, by place.
    #[must_use]
    pub fn side(&self, place: Option<usize>) -> Option<&str> {
        place.and_then(|place| self.sides.get(place)).map(String::as_str)
    }

    /// The names of sides.
    #[must_use]
    pub fn names(&self, sides: Sides) -> Vec<&str> {
        sides.iter().filter_map(|place| self.side(Some(place))).collect()
    }

    /// The name of a side for people: its own word where the words have one.
    #[must_use]
    pub fn side_word(&self, place: Option<usize>, lang: Lang) -> String {
        match self.side(place) {
            Some(side) => side.to_owned(),
            None => rulebook::speak(words::server::NOBODY, &[] as &[Fact], lang),
        }
    }

    /// A happening as this reader may see it, as JSON.
    #[must_use]
    pub fn shown(&self, happening: &Happening, reader: Option<usize>, lang: Lang) -> String {
        let said = Line::readable(&happening.said, reader).into_iter().map(|line| match line {
            Line::Because(because) => {
                Said::Because { rule: because.rule, effect: rulebook::effect(&because.effect, lang) }
            }
            Line::Happened(event) => Said::Happened {
                event: event.phrase,
                text: rulebook::speak(event.phrase, &event.facts, lang),
            },
        });
        let shown = Shown {
            n: happening.n,
            at: happening.at,
            by: self.side(happening.side),
            deed: happening.deed,
            to_move: self.side(happening.awaited.first()),
            deciders: self.names(happening.awaited),
            commitment: happening.commitment,
            over: happening.over,
            imported: happening.imported,
            words: happening.words.as_deref(),
            said: said.collect(),
        };
        // Plain data can always be written as JSON.
        serde_json::to_string(&shown).unwrap_or_default()
    }

    /// Tells everybody who listens, and keeps it where the journal is kept.
    pub(super) fn tell(&self, sitting: &mut Sitting, n: u64, at: i64, told: Report) -> Arc<News> {
        let happening = Arc::new(Happening::new(sitting.game.as_ref(), n, at, told));
        sitting.journal.add(&happening);
        self.told.fetch_max(n, Ordering::Relaxed);
        let eager = self.eager.load(Ordering::Relaxed) > 0;
        let deciders = if eager { sitting.game.deciders() } else { Sides::NONE };
        let actions = deciders.iter().map(|place| (place, sitting.game.actions(place))).collect();
        let news = Arc::new(News::new(happening, actions));
        // Nobody may be listening.
        let _ = self.news.send(news.clone());
        news
    }
}

/// A listener who wants to be told what he may decide, as long as he listens.
pub struct Eager(Arc<Table>);

impl Drop for Eager {
    fn drop(&mut self) {
        self.0.eager.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A game read under its lock.
pub struct Seen<'a> {
    pub(super) guard: MutexGuard<'a, Option<Sitting>>,
}

impl Seen<'_> {
    /// The game.
    #[must_use]
    pub fn game(&self) -> Option<&dyn Hosted> {
        self.guard.as_ref().map(|sitting| sitting.game.as_ref())
    }

    /// What is wrong with it as it is kept.
    #[must_use]
    pub fn damage(&self) -> Option<&Damage> {
        self.guard.as_ref()?.damage.as_ref()
    }
}
