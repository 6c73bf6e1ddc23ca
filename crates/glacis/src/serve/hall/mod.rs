//! The hall: all games of this process. A game is loaded when somebody asks for it and forgotten
//! when nobody has for a while; what matters is in the store. Orders of one game are carried out one
//! after the other, and nobody hears of an order before it is on the disk.

mod journal;
mod orders;
mod table;

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use kernel::record::commitment;
use kernel::{HexHash, Record, Refusal, Seed, Setup, Source, Terms, phrase};

use super::secrets::{self, Secret};
use super::trouble::Trouble;
use crate::host::{System, reopen};
use crate::store::{NewGame, Store, StoreFault, StoredSeat, now, to_hex};

pub use table::{Eager, Happening, News, PlayerKind, Seen, Table, event, sentences};

/// A game nobody asked for in this time (in seconds) is forgotten.
const IDLE: i64 = 600;

/// The place of spectators among the seats.
pub const SPECTATOR: i64 = -1;

/// A game that was just created: the only moment its secrets are known.
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
    fn terms(&self, system: System) -> Result<Terms, Trouble> {
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
                    hall.changed(&change);
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
        players: &Players,
        table_dice: bool,
    ) -> Result<Created, Trouble> {
        let system = self.system(system)?;
        let terms = players.terms(system)?;
        let seed = secrets::random::<32>()?;
        let (source, seed) = if table_dice {
            (Source::Table, None)
        } else {
            (Source::Committed(HexHash(commitment(&seed))), Some(seed))
        };
        let header = system.begin(setup, source, seed, terms)?.header_line();
        self.keep(system, header, seed, players, Vec::new()).await
    }

    /// Takes over a recorded game, after checking every line of it. Its further dice come from a seed
    /// of this server, which a line of its own commits to, whatever its dice came from before.
    ///
    /// # Errors
    /// The first line that cannot have happened.
    pub async fn import(self: &Arc<Self>, text: &str, players: &Players) -> Result<Created, Trouble> {
        let record = Record::read(text)?;
        let system = self.system(&record.header.system)?;
        let terms = players.terms(system)?;
        let header = text.lines().next().unwrap_or_default().to_owned();
        let mut game = reopen(&system, &record, &header)?;
        for line in &record.lines {
            game.follow(line)?;
        }
        let seed = secrets::random::<32>()?;
        let going_on = !game.is_over();
        let mut lines = record.lines;
        lines.push(game.adopt(seed, terms)?);
        drop(game);
        self.keep(system, header, going_on.then_some(seed), players, lines).await
    }

    async fn keep(
        self: &Arc<Self>,
        system: System,
        header: String,
        seed: Option<Seed>,
        players: &Players,
        lines: Vec<String>,
    ) -> Result<Created, Trouble> {
        let sides = system.sides();
        let mut seats = Vec::new();
        for (place, side) in (0_i64..).zip(sides) {
            let player = players.of(&side);
            seats.push((place, side, player, Secret::new()?));
        }
        seats.push((SPECTATOR, "spectator".to_owned(), PlayerKind::Human, Secret::new()?));
        let stored = seats
            .iter()
            .map(|(place, _, player, secret)| StoredSeat {
                place: *place,
                hash: secrets::hash(secret.reveal()).to_hex().to_string(),
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
        // Looking at a game wakes its computer player; a store that fails now is met again later.
        let _ = self.look(&table).await;
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
        let table = Arc::new(Table::new(id, system, opened));
        Ok(self.loaded_tables().entry(id.to_owned()).or_insert(table).clone())
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
}
