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
use kernel::{HexHash, Record, Refusal, Seed, Setup, Source, phrase};

use super::secrets::{self, Mint, Secret};
use super::trouble::Trouble;
use crate::host::System;
use crate::store::{NewGame, Store, StoreFault, StoredSeat, now, to_hex};

pub use table::{Eager, Happening, News, PlayerKind, Seen, Table, event, sentences};

/// A game nobody asked for in this time (in seconds) is forgotten.
const IDLE: i64 = 600;

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

    /// Begins a game, unless one was struck from the same mint before: then it is that one. Its dice
    /// come from a secret seed, or from a real table.
    ///
    /// # Errors
    /// When there is no such system, scenario, option or side, or the store fails.
    pub async fn create(
        self: &Arc<Self>,
        system: &str,
        setup: &Setup,
        players: &BTreeMap<String, PlayerKind>,
        table_dice: bool,
        mint: &Mint,
    ) -> Result<Created, Trouble> {
        let system = self.system(system)?;
        let seed = secrets::random::<32>()?;
        let (source, seed) = if table_dice {
            (Source::Table, None)
        } else {
            (Source::Committed(HexHash(commitment(&seed))), Some(seed))
        };
        let header = system.begin(setup, source, seed)?.header_line();
        self.keep(system, header, seed, players, Vec::new(), mint).await
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
        self.keep(system, header, seed, players, record.lines, &Mint::new()?).await
    }

    async fn keep(
        self: &Arc<Self>,
        system: System,
        header: String,
        seed: Option<Seed>,
        players: &BTreeMap<String, PlayerKind>,
        lines: Vec<String>,
        mint: &Mint,
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
        let _ = self.look(&table).await;
        Ok(Created { id, seats, commitment: table.seed().map(|seed| to_hex(&commitment(&seed))) })
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
