//! The hall: all games of this process. A game is loaded when somebody asks for it and forgotten
//! when nobody has for a while; what matters is in the store. Orders of one game are carried out one
//! after the other, and nobody hears of an order before it is on the disk.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use kernel::record::commitment;
use kernel::{Fact, HexHash, Line, Live, Offer, Record, Refusal, Seed, Setup, Source, phrase};
use rulebook::{Lang, phrase as words};
use tokio::sync::{Mutex as AsyncMutex, MutexGuard, broadcast};

use super::secrets::{self, Secret};
use super::trouble::Trouble;
use crate::host::{Hosted, Luck, Order, System, Told, luck_of};
use crate::store::{Append, Change, NewGame, Opened, Store, StoreFault, StoredSeat, from_hex, now, to_hex};

/// A snapshot is taken after so many entries.
const SNAPSHOT_EVERY: u64 = 128;
/// So many happenings wait for a slow reader; then he is told to refresh.
const BACKLOG: usize = 64;
/// A game nobody asked for in this time (in seconds) is forgotten.
const IDLE: i64 = 600;

/// The place of spectators among the seats.
pub const SPECTATOR: i64 = -1;

/// Who plays a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// A person.
    Human,
    /// The random but sensible player.
    Sensible,
}

impl PlayerKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Sensible => "sensible",
        }
    }
}

/// Something that happened in a game, for everybody who listens.
#[derive(Debug)]
pub struct Happening {
    /// How many entries the record holds now.
    pub n: u64,
    /// Who did it, by place.
    pub side: Option<usize>,
    /// What was done.
    pub deed: &'static str,
    /// What was said; each reader sees his part.
    pub said: Vec<Line>,
    /// Whose decision it is now.
    pub to_move: Option<usize>,
    /// Whether the game is over.
    pub over: bool,
    /// What the side to move may decide, where a listener asked for it.
    pub actions: Option<String>,
}

/// A game that is loaded.
pub struct Table {
    /// Its name.
    pub id: String,
    /// Its system.
    pub system: System,
    /// The names of its sides.
    pub sides: Vec<String>,
    opened: Opened,
    /// Nothing here means that the record must be read again.
    game: AsyncMutex<Option<Box<dyn Hosted>>>,
    happenings: broadcast::Sender<Arc<Happening>>,
    /// How many listeners want to be told what they may decide.
    eager: AtomicUsize,
    thinking: AtomicBool,
    used: AtomicI64,
}

impl Table {
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
        // Every seat is compared, in constant time, whatever the first ones say.
        self.opened
            .seats
            .iter()
            .filter(|seat| secrets::same(&hash, &seat.hash))
            .fold(None, |_, seat| Some(seat))
    }

    fn is_computer(&self, place: usize) -> bool {
        self.opened
            .seats
            .iter()
            .any(|seat| usize::try_from(seat.place) == Ok(place) && seat.player != PlayerKind::Human.name())
    }

    /// Listens to what happens.
    pub fn listen(self: &Arc<Self>, eager: bool) -> (broadcast::Receiver<Arc<Happening>>, Option<Eager>) {
        let eager = eager.then(|| {
            self.eager.fetch_add(1, Ordering::Relaxed);
            Eager(self.clone())
        });
        (self.happenings.subscribe(), eager)
    }

    /// How many listen.
    #[must_use]
    pub fn listeners(&self) -> usize {
        self.happenings.receiver_count()
    }

    fn seed(&self) -> Option<Seed> {
        from_hex(&self.opened.seed)?.try_into().ok()
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
    guard: MutexGuard<'a, Option<Box<dyn Hosted>>>,
}

impl Seen<'_> {
    /// The game.
    #[must_use]
    pub fn game(&self) -> Option<&dyn Hosted> {
        self.guard.as_deref()
    }
}

/// A game that was just created: the only moment its secrets are known.
pub struct Created {
    /// Its name.
    pub id: String,
    /// The secret of each seat: place, side or spectator, who plays, secret.
    pub seats: Vec<(i64, String, PlayerKind, Secret)>,
    /// The hash that the seed of the dice is committed to with.
    pub commitment: Option<String>,
}

/// All games of this process.
pub struct Hall {
    systems: Vec<System>,
    store: Store,
    tables: Mutex<HashMap<String, Arc<Table>>>,
}

impl Hall {
    /// Opens the hall and follows what other processes do to the same games.
    ///
    /// # Errors
    /// When the database cannot be listened to.
    pub async fn open(systems: Vec<System>, store: Store) -> Result<Arc<Self>, StoreFault> {
        let changes = store.changes().await?;
        let hall = Arc::new(Self { systems, store, tables: Mutex::default() });
        if let Some(mut changes) = changes {
            let hall = Arc::downgrade(&hall);
            tokio::spawn(async move {
                while let Some(change) = changes.recv().await {
                    let Some(hall) = hall.upgrade() else { return };
                    hall.changed(change);
                }
            });
        }
        let weak = Arc::downgrade(&hall);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(std::time::Duration::from_secs(60)).await;
                let Some(hall) = weak.upgrade() else { return };
                hall.forget_idle(now() - IDLE);
            }
        });
        Ok(hall)
    }

    /// The systems whose games can be played.
    #[must_use]
    pub fn systems(&self) -> &[System] {
        &self.systems
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    fn loaded_tables(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets the games that nobody listens to and nobody asked for since `before`.
    pub fn forget_idle(&self, before: i64) {
        self.loaded_tables().retain(|_, table| {
            table.listeners() > 0
                || Arc::strong_count(table) > 1
                || table.used.load(Ordering::Relaxed) > before
        });
    }

    fn system(&self, name: &str) -> Result<System, Trouble> {
        let known: Vec<&str> = self.systems.iter().map(|system| system.name).collect();
        self.systems.iter().copied().find(|system| system.name == name).ok_or_else(|| {
            Refusal::field("system", phrase::UNKNOWN_CHOICE)
                .with("found", format!("\"{name}\""))
                .with("expected", known.join(", "))
                .into()
        })
    }

    /// Begins a game. Its dice come from a secret seed, or from a real table.
    ///
    /// # Errors
    /// When there is no such system, scenario, option or side, or the store fails.
    pub async fn create(
        self: &Arc<Self>,
        system: &str,
        setup: &Setup,
        players: &BTreeMap<String, PlayerKind>,
        table_dice: bool,
    ) -> Result<Created, Trouble> {
        let system = self.system(system)?;
        let seed = secrets::random::<32>()?;
        let (source, seed) = if table_dice {
            (Source::Table, None)
        } else {
            (Source::Committed(HexHash(commitment(&seed))), Some(seed))
        };
        let header = system.begin(setup, source, seed)?.header_line();
        self.keep(system, header, seed, players, Vec::new()).await
    }

    /// Takes over a recorded game, after checking every line of it. A game whose seed is secret
    /// goes on only if that seed is given.
    ///
    /// # Errors
    /// The first line that cannot have happened.
    pub async fn import(
        self: &Arc<Self>,
        text: &str,
        seed: Option<Seed>,
        players: &BTreeMap<String, PlayerKind>,
    ) -> Result<Created, Trouble> {
        let record = Record::read(text)?;
        let system = self.system(&record.header.system)?;
        let header = text.lines().next().unwrap_or_default().to_owned();
        let mut game = system.open(&header, seed)?;
        for line in &record.lines {
            game.follow(line)?;
        }
        drop(game);
        self.keep(system, header, seed, players, record.lines).await
    }

    async fn keep(
        self: &Arc<Self>,
        system: System,
        header: String,
        seed: Option<Seed>,
        players: &BTreeMap<String, PlayerKind>,
        lines: Vec<String>,
    ) -> Result<Created, Trouble> {
        let sides = system.sides();
        if let Some(stranger) = players.keys().find(|name| !sides.contains(name)) {
            return Err(Refusal::field(format!("seats.{stranger}"), phrase::UNKNOWN_FIELD)
                .with("expected", sides.join(", "))
                .into());
        }
        let mut seats = Vec::new();
        for (place, side) in (0_i64..).zip(sides) {
            let player = players.get(&side).copied().unwrap_or(PlayerKind::Human);
            seats.push((place, side, player, Secret::new()?));
        }
        seats.push((SPECTATOR, "spectator".to_owned(), PlayerKind::Human, Secret::new()?));
        let stored = seats
            .iter()
            .map(|(place, _, player, secret)| StoredSeat {
                place: *place,
                hash: secrets::hash(secret.reveal()),
                player: player.name().to_owned(),
            })
            .collect();
        let id = secrets::name()?;
        let new = NewGame {
            id: id.clone(),
            system: system.name.to_owned(),
            header,
            seed: seed.map(|seed| to_hex(&seed)).unwrap_or_default(),
            seats: stored,
            lines,
        };
        self.store.create(new).await?;
        let table = self.table(&id).await?;
        self.wake_computer(&table).await;
        Ok(Created { id, seats, commitment: seed.map(|seed| to_hex(&commitment(&seed))) })
    }

    /// A game by its name.
    ///
    /// # Errors
    /// When there is none, or the store fails.
    pub async fn table(&self, id: &str) -> Result<Arc<Table>, Trouble> {
        if let Some(table) = self.loaded_tables().get(id) {
            table.used.store(now(), Ordering::Relaxed);
            return Ok(table.clone());
        }
        let opened = self.store.game(id).await?.ok_or(Trouble::NoSuchGame)?;
        let system = self.system(&opened.system).map_err(|_| Trouble::NoSuchGame)?;
        let table = Arc::new(Table {
            id: id.to_owned(),
            system,
            sides: system.sides(),
            opened,
            game: AsyncMutex::new(None),
            happenings: broadcast::Sender::new(BACKLOG),
            eager: AtomicUsize::new(0),
            thinking: AtomicBool::new(false),
            used: AtomicI64::new(now()),
        });
        Ok(self.loaded_tables().entry(id.to_owned()).or_insert(table).clone())
    }

    /// The game as it stands, for reading.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn look<'a>(self: &Arc<Self>, table: &'a Arc<Table>) -> Result<Seen<'a>, Trouble> {
        let mut guard = table.game.lock().await;
        let opened_now = guard.is_none();
        let game = self.loaded(table, &mut guard).await?;
        if self.store.is_shared() && !opened_now {
            self.catch_up(table, game).await?;
        }
        if opened_now && game.to_move().is_some_and(|place| table.is_computer(place)) {
            self.clone().computer(table.clone());
        }
        Ok(Seen { guard })
    }

    /// The game, read from the store if it is not in memory.
    async fn loaded<'g>(
        &self,
        table: &Table,
        guard: &'g mut Option<Box<dyn Hosted>>,
    ) -> Result<&'g mut Box<dyn Hosted>, Trouble> {
        let game = match guard.take() {
            Some(game) => game,
            None => match self.from_snapshot(table).await? {
                Some(game) => game,
                None => self.from_record(table).await?,
            },
        };
        Ok(guard.insert(game))
    }

    /// The game from its last snapshot and the lines since; nothing if that does not fit.
    async fn from_snapshot(&self, table: &Table) -> Result<Option<Box<dyn Hosted>>, Trouble> {
        let Some((n, snapshot)) = self.store.snapshot(&table.id).await? else { return Ok(None) };
        let lines = self.store.lines(&table.id, n.saturating_sub(1)).await?;
        let Some((last, after)) = lines.split_first() else { return Ok(None) };
        let resumed = table.system.resume(&table.opened.header, table.seed(), &last.line, &snapshot);
        let Ok(mut game) = resumed else { return Ok(None) };
        let whole = after.iter().all(|entry| game.follow(&entry.line).is_ok());
        Ok(whole.then_some(game))
    }

    /// The game played again from the first line.
    async fn from_record(&self, table: &Table) -> Result<Box<dyn Hosted>, Trouble> {
        let mut game = table.system.open(&table.opened.header, table.seed())?;
        for entry in self.store.lines(&table.id, 0).await? {
            game.follow(&entry.line).map_err(|refusal| Trouble::Broken(refusal.to_string()))?;
        }
        Ok(game)
    }

    /// Adds what other processes appended, and tells those who listen here.
    async fn catch_up(&self, table: &Table, game: &mut Box<dyn Hosted>) -> Result<(), Trouble> {
        if self.store.entries(&table.id).await? <= game.entries() {
            return Ok(());
        }
        for entry in self.store.lines(&table.id, game.entries()).await? {
            match game.follow(&entry.line) {
                Ok(told) => drop(tell(table, game.as_ref(), entry.n, &told)),
                Err(_) => {
                    // A line that takes back what a resumed game does not remember.
                    *game = self.from_record(table).await?;
                    let refresh = Told {
                        lines: Vec::new(),
                        side: None,
                        deed: "refresh",
                        said: Vec::new(),
                        dice: Vec::new(),
                    };
                    tell(table, game.as_ref(), game.entries(), &refresh);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Gives an order: carried out, written, then told. The work goes on even if the one who gave
    /// the order hangs up, so that memory and store never disagree.
    ///
    /// # Errors
    /// The refusal, or that another order came first, or that the store fails.
    pub async fn order(
        self: &Arc<Self>,
        table: &Arc<Table>,
        place: usize,
        seen: u64,
        order: Order,
    ) -> Result<Arc<Happening>, Trouble> {
        let (hall, table) = (self.clone(), table.clone());
        let work = tokio::spawn(async move {
            let happening = hall.carry_out(&table, place, seen, order).await?;
            if happening.to_move.is_some_and(|place| table.is_computer(place)) || happening.deed == "offer" {
                hall.computer(table);
            }
            Ok(happening)
        });
        work.await.map_err(|error| Trouble::Broken(error.to_string()))?
    }

    async fn carry_out(
        &self,
        table: &Table,
        place: usize,
        seen: u64,
        order: Order,
    ) -> Result<Arc<Happening>, Trouble> {
        let mut guard = table.game.lock().await;
        let game = self.loaded(table, &mut guard).await?;
        if seen != game.entries() && self.store.is_shared() {
            self.catch_up(table, game).await?;
        }
        let before = game.entries();
        let told = match ordered(game, seen, place, order.clone()) {
            Err(Trouble::Refused(refusal))
                if refusal.reason == phrase::NOTHING_TO_UNDO && game.is_forgetful() =>
            {
                *game = self.from_record(table).await?;
                ordered(game, seen, place, order)
            }
            told => told,
        };
        let told = match told {
            Err(Trouble::Broken(detail)) => {
                // Whatever broke may have left the game in memory half-done.
                *guard = None;
                return Err(Trouble::Broken(detail));
            }
            told => told?,
        };
        let due = before / SNAPSHOT_EVERY != game.entries() / SNAPSHOT_EVERY;
        let append = Append {
            game: table.id.clone(),
            before,
            lines: told.lines.clone(),
            snapshot: due.then(|| game.snapshot()),
        };
        match self.store.append(append).await {
            Ok(()) => {
                let happening = tell(table, game.as_ref(), before + 1, &told);
                if told.lines.len() > 1 {
                    let reveal = Told { side: None, deed: "reveal", said: Vec::new(), ..told };
                    tell(table, game.as_ref(), before + 2, &reveal);
                }
                Ok(happening)
            }
            Err(fault) => {
                // What is in memory was never written: the record is the truth.
                *guard = None;
                if !matches!(fault, StoreFault::Conflict) {
                    return Err(fault.into());
                }
                let entries = self.loaded(table, &mut guard).await?.entries();
                Err(stale(entries, seen).into())
            }
        }
    }

    /// Tells listeners of what another process did, as soon as it is known.
    fn changed(self: Arc<Self>, change: Change) {
        let tables: Vec<Arc<Table>> = match change {
            Change::Game(id, _) => self.loaded_tables().get(&id).cloned().into_iter().collect(),
            Change::Unknown => self.loaded_tables().values().cloned().collect(),
        };
        for table in tables {
            if table.listeners() == 0 {
                continue;
            }
            let hall = self.clone();
            tokio::spawn(async move {
                let mut guard = table.game.lock().await;
                let Ok(game) = hall.loaded(&table, &mut guard).await else { return };
                if hall.catch_up(&table, game).await.is_err() {
                    *guard = None;
                }
            });
        }
    }

    async fn wake_computer(self: &Arc<Self>, table: &Arc<Table>) {
        // Looking at a game wakes its computer player; a store that fails now is met again later.
        let _ = self.look(table).await;
    }

    /// Lets the computer play as long as it is its decision.
    fn computer(self: Arc<Self>, table: Arc<Table>) {
        if table.thinking.swap(true, Ordering::AcqRel) {
            return;
        }
        tokio::spawn(async move {
            while matches!(self.computer_step(&table).await, Some(Ok(()))) {}
            table.thinking.store(false, Ordering::Release);
            // An order that came between the last look and here found the computer still thinking.
            let mut guard = table.game.lock().await;
            let awaited = match self.loaded(&table, &mut guard).await {
                Ok(game) => game.to_move().is_some_and(|place| table.is_computer(place)),
                Err(_) => false,
            };
            drop(guard);
            if awaited {
                self.computer(table);
            }
        });
    }

    /// One order of the computer; nothing when it has none to give.
    async fn computer_step(&self, table: &Table) -> Option<Result<(), Trouble>> {
        let (seen, place, order) = {
            let mut guard = table.game.lock().await;
            let game = self.loaded(table, &mut guard).await.ok()?;
            let asked = game.offered().and_then(|(by, offer)| {
                let place = (0..table.sides.len()).find(|&place| place != by && table.is_computer(place))?;
                // It lets others take back, and plays on.
                Some((place, if offer == Offer::TakeBack { Order::Accept } else { Order::Decline }))
            });
            let (place, order) = match asked {
                Some(answer) => answer,
                None => {
                    let place = game.to_move().filter(|&place| table.is_computer(place))?;
                    let mut stream = Live::from_seed(secrets::random::<32>().ok()?);
                    (place, game.choose(&mut stream)?)
                }
            };
            (game.entries(), place, order)
        };
        Some(self.carry_out(table, place, seen, order).await.map(drop))
    }

    /// The whole record of a game as text.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn record(&self, table: &Table) -> Result<String, Trouble> {
        let mut text = format!("{}\n", table.opened.header);
        for entry in self.store.lines(&table.id, 0).await? {
            text.push_str(&entry.line);
            text.push('\n');
        }
        Ok(text)
    }

    /// Everything that was said, entry by entry, with its time: the record played again.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn log(&self, table: &Table) -> Result<Vec<(u64, i64, Told)>, Trouble> {
        let mut game = table.system.open(&table.opened.header, table.seed())?;
        let mut log = Vec::new();
        for entry in self.store.lines(&table.id, 0).await? {
            let told = game.follow(&entry.line).map_err(|refusal| Trouble::Broken(refusal.to_string()))?;
            log.push((entry.n, entry.at, told));
        }
        Ok(log)
    }

    /// The luck ledger of a game.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn luck(&self, table: &Table) -> Result<Vec<Luck>, Trouble> {
        let log = self.log(table).await?;
        Ok(luck_of(log.iter().flat_map(|(_, _, told)| {
            let side = told.side.unwrap_or(0);
            told.dice.iter().map(move |&(die, face)| (side, die, face))
        })))
    }
}

fn stale(expected: u64, found: u64) -> Refusal {
    let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    Refusal::plain(phrase::STALE_ORDER).with("expected", number(expected)).with("found", number(found))
}

/// Gives an order to a game whose code may be wrong: a panic is this order's trouble alone.
fn ordered(game: &mut Box<dyn Hosted>, seen: u64, place: usize, order: Order) -> Result<Told, Trouble> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| game.order(seen, place, order)))
        .map_err(|_| Trouble::Broken("a rule panicked".to_owned()))?
        .map_err(Trouble::from)
}

/// Tells everybody who listens.
fn tell(table: &Table, game: &dyn Hosted, n: u64, told: &Told) -> Arc<Happening> {
    let happening = Arc::new(Happening {
        n,
        side: told.side,
        deed: told.deed,
        said: told.said.clone(),
        to_move: game.to_move(),
        over: game.is_over(),
        actions: (table.eager.load(Ordering::Relaxed) > 0).then(|| game.actions()),
    });
    let _ = table.happenings.send(happening.clone());
    happening
}

/// The name of a side for people: its own word where the words have one.
#[must_use]
pub fn side_word(table: &Table, place: Option<usize>, lang: Lang) -> String {
    match place.and_then(|place| table.sides.get(place)) {
        Some(side) => side.clone(),
        None => rulebook::speak(words::server::NOBODY, &[] as &[Fact], lang),
    }
}
