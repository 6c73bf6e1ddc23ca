//! The hall: all games of this process. A game is loaded when somebody asks for it and forgotten
//! when nobody has for a while; what matters is in the store. Orders of one game are carried out one
//! after the other, and nobody hears of an order before it is on the disk.

mod journal;
mod orders;
mod review;
mod table;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kernel::record::{commitment, read_header};
use kernel::{HexHash, MOST_ENTRIES, Record, Refusal, Seed, Setup, Source, Terms, phrase};
use rulebook::phrase as words;
use tokio::sync::Semaphore;

use super::secrets::{self, Mint, Secret};
use super::trouble::Trouble;
use super::workshop::{Whose, Workshop};
use crate::host::{Hosted, Hosting, reopen};
use crate::store::{Damage, NewGame, Store, StoredEntry, StoredSeat, Wrong, now, to_hex};

pub use table::{Eager, Happening, News, PlayerKind, Seen, Table, event, happened_schema, sentences};

/// A game nobody asked for in this time (in seconds) is forgotten.
const IDLE: i64 = 600;

/// How long somebody may have a long record played again for him.
pub(super) const LONGEST: Duration = Duration::from_secs(60);

/// The longest name of a game.
const LONGEST_NAME: usize = 64;

/// The place of spectators among the seats.
pub const SPECTATOR: i64 = -1;

/// A game that was just created: its secrets are known now, and to whoever makes the same request again.
pub struct Created {
    /// Its name.
    pub id: String,
    /// The secret of each seat: place, side or spectator, who plays, secret.
    pub seats: Vec<(i64, String, PlayerKind, Secret)>,
    /// The hash that the seed of the dice is committed to with.
    pub commitment: Option<String>,
}

/// Who plays a new game, and on which terms.
#[derive(Clone, Debug, Default)]
pub struct Players {
    /// Who plays each side; people, where nothing is said.
    pub seats: BTreeMap<String, PlayerKind>,
    /// Whether a die or a revelation may be taken back against the machine.
    pub take_backs: bool,
}

impl Players {
    fn of(&self, side: &str) -> PlayerKind {
        self.seats.get(side).copied().unwrap_or(PlayerKind::Human)
    }

    /// The terms as the record keeps them.
    fn terms(&self, system: Hosting) -> Result<Terms, Trouble> {
        let sides = system.sides();
        if let Some(stranger) = self.seats.keys().find(|name| !sides.contains(name)) {
            return Err(Refusal::field(format!("seats.{stranger}"), phrase::UNKNOWN_FIELD)
                .with("expected", sides.join(", "))
                .into());
        }
        let machines = sides.into_iter().filter(|side| self.of(side) != PlayerKind::Human).collect();
        Ok(Terms { machines, take_backs: self.take_backs })
    }
}

/// All games of this process.
pub struct Hall {
    systems: Vec<Hosting>,
    store: Store,
    /// Where things are worked out for readers.
    readers: Workshop,
    /// Where games are opened and their computer players decide what takes no time.
    games: Workshop,
    /// Where machines think ahead: on threads of their own, which nothing else waits for.
    minds: Workshop,
    /// Whole records are read one after the other, for readers and to open games, so that there is
    /// always a connection to the database left for what is short.
    reading: Semaphore,
    opening: Semaphore,
    tables: Mutex<HashMap<String, Arc<Table>>>,
    /// The games that are known to be damaged as they are kept.
    damaged: Mutex<BTreeMap<String, Damage>>,
    /// How many games were opened since the start, and how many entries were played again for it.
    opened: AtomicU64,
    replayed: AtomicU64,
}

/// What the hall can tell of itself.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Figures {
    /// How many games are known to be damaged.
    pub damaged: usize,
    /// How many games were read from the store since the start.
    pub opened: u64,
    /// How many entries were played again for it.
    pub replayed: u64,
}

impl Hall {
    /// Opens the hall.
    pub fn open(
        systems: Vec<Hosting>,
        store: Store,
        readers: Workshop,
        games: Workshop,
        minds: Workshop,
    ) -> Arc<Self> {
        let hall = Arc::new(Self {
            systems,
            store,
            readers,
            games,
            minds,
            reading: Semaphore::new(1),
            opening: Semaphore::new(1),
            tables: Mutex::default(),
            damaged: Mutex::default(),
            opened: AtomicU64::new(0),
            replayed: AtomicU64::new(0),
        });
        let weak = Arc::downgrade(&hall);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_secs(60)).await;
                let Some(hall) = weak.upgrade() else { return };
                hall.forget_idle(now() - IDLE);
            }
        });
        hall
    }

    /// The systems whose games can be played.
    #[must_use]
    pub fn systems(&self) -> &[Hosting] {
        &self.systems
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Where things are worked out for readers.
    #[must_use]
    pub fn readers(&self) -> &Workshop {
        &self.readers
    }

    /// Where machines think ahead.
    #[must_use]
    pub fn minds(&self) -> &Workshop {
        &self.minds
    }

    /// What the hall can tell of itself.
    #[must_use]
    pub fn figures(&self) -> Figures {
        Figures {
            damaged: self.damaged.lock().unwrap_or_else(PoisonError::into_inner).len(),
            opened: self.opened.load(Ordering::Relaxed),
            replayed: self.replayed.load(Ordering::Relaxed),
        }
    }

    /// Keeps in mind what is wrong with a game, or that nothing is; what is new goes to the log.
    fn note(&self, id: &str, damage: Option<&Damage>) {
        let mut damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner);
        match damage {
            Some(damage) if damaged.insert(id.to_owned(), damage.clone()).as_ref() != Some(damage) => {
                super::log(&format!("game {id} is {damage}"));
            }
            Some(_) => {}
            None => drop(damaged.remove(id)),
        }
    }

    fn loaded_tables(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game by its name, if it is in memory.
    #[must_use]
    pub fn loaded_table(&self, id: &str) -> Option<Arc<Table>> {
        self.loaded_tables().get(id).cloned()
    }

    /// Forgets games that are no longer in the store.
    pub fn forget(&self, games: &[String]) {
        let mut tables = self.loaded_tables();
        for game in games {
            tables.remove(game);
        }
    }

    /// Forgets the games that nobody listens to and nobody asked for since `before`.
    pub fn forget_idle(&self, before: i64) {
        self.loaded_tables().retain(|_, table| {
            table.listeners() > 0
                || Arc::strong_count(table) > 1
                || table.used.load(Ordering::Relaxed) > before
        });
    }

    fn system(&self, name: &str) -> Result<Hosting, Trouble> {
        let known: Vec<&str> = self.systems.iter().map(|system| system.name).collect();
        self.systems.iter().copied().find(|system| system.name == name).ok_or_else(|| {
            Refusal::field("system", phrase::UNKNOWN_CHOICE)
                .with("found", format!("\"{name}\""))
                .with("expected", known.join(", "))
                .into()
        })
    }

    /// Begins a game, unless one was struck from the same mint before: then it is that one. Its dice
    /// come from a secret seed, or from a real table.
    ///
    /// # Errors
    /// When there is no such system, scenario, option or side, or the store fails.
    pub async fn create(
        self: &Arc<Self>,
        system: &str,
        setup: &Setup,
        players: &Players,
        table_dice: bool,
        mint: &Mint,
    ) -> Result<Created, Trouble> {
        let system = self.system(system)?;
        let terms = players.terms(system)?;
        let seed = secrets::random::<32>()?;
        // Where the players roll, the seed still seals what they write in secret.
        let source = if table_dice { Source::Table } else { Source::Committed(HexHash(commitment(&seed))) };
        let header = system.begin(setup, source, Some(seed), terms)?.header_line();
        self.keep(system, header, Some(seed), players, Vec::new(), mint).await
    }

    /// Takes over a recorded game, after checking every line of it. Its further dice come from a seed
    /// of this server, which a line of its own commits to, whatever its dice came from before.
    ///
    /// # Errors
    /// The first line that cannot have happened.
    pub async fn import(
        self: &Arc<Self>,
        text: String,
        players: &Players,
        whose: &Whose,
    ) -> Result<Created, Trouble> {
        let read = move || {
            let record = Record::read(&text)?;
            Ok::<_, Refusal>((record, text.lines().next().unwrap_or_default().to_owned()))
        };
        let (record, header) = self.readers.work(whose, read).await??;
        // With the line that takes it over it must not be longer than one may be.
        if record.lines.len() as u64 >= MOST_ENTRIES {
            let most = i64::try_from(MOST_ENTRIES - 1).unwrap_or(i64::MAX);
            return Err(Refusal::field("record", words::server::LONG_RECORD).with("most", most).into());
        }
        let system = self.system(&record.header.system)?;
        let terms = players.terms(system)?;
        let game = reopen(&system, &record, &header)?;
        let step = |(game, lines, at): &mut (Box<dyn Hosted>, Vec<String>, usize)| {
            let Some(line) = lines.get(*at) else { return Ok::<_, Refusal>(false) };
            *at += 1;
            game.follow(line).map(|_| true)
        };
        let checked = self.readers.slices(whose, LONGEST, (game, record.lines, 0), step).await?;
        let (mut game, mut lines, _) = checked.done()?;
        let seed = secrets::random::<32>()?;
        let going_on = !game.is_over();
        lines.push(game.adopt(seed, terms)?);
        drop(game);
        self.keep(system, header, going_on.then_some(seed), players, lines, &Mint::new()?).await
    }

    async fn keep(
        self: &Arc<Self>,
        system: Hosting,
        header: String,
        seed: Option<Seed>,
        players: &Players,
        lines: Vec<String>,
        mint: &Mint,
    ) -> Result<Created, Trouble> {
        let sides = system.sides();
        let mut seats = Vec::new();
        for (place, side) in (0_i64..).zip(sides) {
            let player = players.of(&side);
            seats.push((place, side, player, mint.secret(place)));
        }
        seats.push((SPECTATOR, "spectator".to_owned(), PlayerKind::Human, mint.secret(SPECTATOR)));
        let stored = seats
            .iter()
            .map(|(place, _, player, secret)| StoredSeat {
                place: *place,
                hash: secrets::hash(secret.reveal()).to_hex().to_string(),
                player: player.name().to_owned(),
            })
            .collect();
        let id = mint.name();
        let new = NewGame {
            id: id.clone(),
            system: system.name.to_owned(),
            header,
            seed: seed.map(|seed| to_hex(&seed)).unwrap_or_default(),
            seats: stored,
            lines,
        };
        let made = self.store.create(new).await;
        let table = match self.table(&id).await {
            // It was there already: the same request came before, or comes at the same time.
            Ok(table) => table,
            Err(trouble) => return Err(made.err().map_or(trouble, Trouble::from)),
        };
        // Looking at a game wakes its computer player; a store that fails now is met again later.
        let dice =
            self.look(&table).await.ok().and_then(|seen| Some(seen.game()?.fairness().provenance.source));
        let commitment = match dice {
            Some(Source::Committed(hash)) => table.seed.map(|_| hash.to_string()),
            Some(Source::Open(_) | Source::Table) | None => None,
        };
        Ok(Created { id, seats, commitment })
    }

    /// A game by its name.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn table(&self, id: &str) -> Result<Arc<Table>, Trouble> {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        if id.len() > LONGEST_NAME || !id.chars().all(plain) {
            return Err(Trouble::NoSuchGame);
        }
        if let Some(table) = self.loaded_tables().get(id) {
            table.used.store(now(), Ordering::Relaxed);
            return Ok(table.clone());
        }
        let opened = self.store.game(id).await?.ok_or(Trouble::NoSuchGame)?;
        // The record is the truth: what stands beside it only names its system.
        let system = match read_header(&opened.header) {
            Ok(header) => self.system(&header.system).map_err(|_| Trouble::NoSuchGame)?,
            Err(refusal) => {
                let damage = Damage { wrong: Wrong::Header, sound: 0, detail: refusal.to_string() };
                self.note(id, Some(&damage));
                return Err(Trouble::Damaged(damage));
            }
        };
        let table = Arc::new(Table::new(id, system, opened));
        Ok(self.loaded_tables().entry(id.to_owned()).or_insert(table).clone())
    }

    /// The entries of a game after the first `after`, as far as they are sound.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn lines(&self, table: &Table, after: u64) -> Result<Vec<StoredEntry>, Trouble> {
        self.lines_between(table, after, u64::MAX).await
    }

    /// The lines after the first `after`, up to and including this one, as far as they are sound.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn lines_between(
        &self,
        table: &Table,
        after: u64,
        last: u64,
    ) -> Result<Vec<StoredEntry>, Trouble> {
        let sound = {
            let mut guard = table.sitting.lock().await;
            self.loaded(table, &mut guard).await?.damage.as_ref().map(|damage| damage.sound)
        };
        let _turn = self.reading.acquire().await;
        let mut lines = self.store.lines_between(&table.id, after, last).await?.entries;
        lines.retain(|entry| sound.is_none_or(|sound| entry.n <= sound));
        Ok(lines)
    }

    /// The record of a game as text, as far as it is sound.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record(&self, table: &Table) -> Result<String, Trouble> {
        let mut text = format!("{}\n", table.opened.header);
        for entry in self.lines(table, 0).await? {
            text.push_str(&entry.line);
            text.push('\n');
        }
        Ok(text)
    }
}
