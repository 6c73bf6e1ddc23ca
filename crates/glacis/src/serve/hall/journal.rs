//! What happened in a game since its beginning: read from the record once, when somebody first asks,
//! and added to as the game goes on. The luck ledger grows in the same way.

use std::collections::VecDeque;
use std::sync::Arc;

use rulebook::Lang;

use super::table::{Happening, Seen, Table};
use super::{Hall, LONGEST, Trouble};
use crate::host::{Account, Hosted, Ledger};
use crate::serve::workshop::{Progress, Whose};
use crate::store::{Memory, StoredEntry};

/// So many entries are read on the spot.
const FEW: u64 = 32;

/// Everything that happened, or nothing if nobody asked yet. Entry `n` stands at place `n - 1`.
#[derive(Default)]
pub(super) struct Journal(Option<Vec<Arc<Happening>>>);

impl Journal {
    /// Adds what has just happened.
    pub(super) fn add(&mut self, happening: &Arc<Happening>) {
        let Some(entries) = &mut self.0 else { return };
        if happening.n == entries.len() as u64 + 1 {
            entries.push(happening.clone());
        } else {
            // Something is missing: it is read again when it is asked for.
            self.0 = None;
        }
    }
}

impl Seen<'_> {
    /// What happened after the first `since` entries, if it was read already.
    #[must_use]
    pub fn journal_after(&self, since: u64) -> Option<Vec<Arc<Happening>>> {
        let entries = self.guard.as_ref()?.journal.0.as_ref()?;
        let since = usize::try_from(since).unwrap_or(usize::MAX);
        Some(entries.get(since..).unwrap_or_default().to_vec())
    }
}

/// A record being played again from its first line: what happened so far, and the lines to come.
struct Reading {
    game: Box<dyn Hosted>,
    entries: Vec<Arc<Happening>>,
    lines: VecDeque<StoredEntry>,
    /// Whether everything read so far could be played.
    fits: bool,
}

impl Reading {
    fn new(table: &Table) -> Result<Self, Trouble> {
        let game = table.system.open(&table.opened.header, table.seed)?;
        Ok(Self { game, entries: Vec::new(), lines: VecDeque::new(), fits: true })
    }

    /// Goes one line further; whether there was one that fits.
    fn step(&mut self) -> bool {
        let Some(entry) = self.lines.pop_front() else { return false };
        let told = self.game.follow(&entry.line);
        self.fits = told.is_ok();
        if let Ok(told) = told {
            self.entries.push(Arc::new(Happening::new(self.game.as_ref(), entry.n, entry.at, told)));
        }
        self.fits
    }

    fn read(&self) -> u64 {
        self.entries.len() as u64
    }
}

impl Hall {
    /// Everything that happened after the first `since` entries. The record is read while the game
    /// goes on: orders do not wait for it.
    ///
    /// # Errors
    /// When the store fails, or too much is being worked out.
    pub async fn log(
        self: &Arc<Self>,
        table: &Arc<Table>,
        since: u64,
        whose: &Whose,
    ) -> Result<Vec<Arc<Happening>>, Trouble> {
        if let Some(known) = self.look(table).await?.journal_after(since) {
            return Ok(known);
        }
        // Of several who ask at once, one reads for all.
        let _alone = table.reading.lock().await;
        let mut reading = Reading::new(table)?;
        let mut reopened = false;
        loop {
            let mut seen = self.look(table).await?;
            if let Some(known) = seen.journal_after(since) {
                return Ok(known);
            }
            let Some(sitting) = seen.guard.as_mut() else { return Ok(Vec::new()) };
            let (read, last) = (reading.read(), sitting.game.entries());
            if reading.fits && last > read + FEW {
                drop(seen);
                reading.lines = self.lines(table, read).await?.into();
                reading.fits = !reading.lines.is_empty();
                let step = |reading: &mut Reading| Ok::<_, Trouble>(reading.step());
                reading = self.readers.slices(whose, LONGEST, reading, step).await?.done()?;
                continue;
            }
            // What came meanwhile is little, and nothing comes while the game is held.
            let lines = self.store.lines(&table.id, read).await?.entries;
            reading.lines = lines.into_iter().take_while(|entry| entry.n <= last).collect();
            while reading.fits && reading.step() {}
            if reading.fits && reading.read() == last {
                sitting.journal.0 = Some(reading.entries);
                return Ok(seen.journal_after(since).unwrap_or_default());
            }
            if reopened {
                return Err(Trouble::Broken(format!("game {} cannot be read", table.id)));
            }
            // What is kept is no longer what was opened.
            self.reopen(table, sitting, Memory::Short).await?;
            reading = Reading::new(table)?;
            reopened = true;
        }
    }

    /// The luck ledger of a game: what was rolled, and what came of it. Weighing every way the dice
    /// could have fallen takes long in a long game: what was weighed is kept, and who comes back goes
    /// on from there.
    ///
    /// # Errors
    /// When the store fails, or too much is being worked out.
    pub async fn luck(&self, table: &Table, lang: Lang, whose: &Whose) -> Result<Account, Trouble> {
        let mut guard = table.luck.lock().await;
        let ledger = match guard.take() {
            Some(ledger) => ledger,
            None => Ledger::new(table.system.open(&table.opened.header, table.seed)?),
        };
        let lines: VecDeque<StoredEntry> = self.lines(table, ledger.entries()).await?.into();
        let step = |(ledger, lines): &mut (Ledger, VecDeque<StoredEntry>)| {
            let Some(entry) = lines.pop_front() else { return Ok::<_, Trouble>(false) };
            let followed = ledger.follow(&entry.line);
            followed.map_err(|refusal| Trouble::Broken(refusal.to_string()))?;
            Ok(true)
        };
        let (done, (ledger, _)) = match self.readers.slices(whose, LONGEST, (ledger, lines), step).await? {
            Progress::Done(state) => (true, state),
            Progress::Unfinished(state) => (false, state),
        };
        if !done {
            *guard = Some(ledger);
            return Err(Trouble::Busy);
        }
        let sides = table.sides.clone();
        let weighed = move || (ledger.account(&sides, lang), ledger);
        let (account, ledger) = self.readers.work(whose, weighed).await?;
        *guard = Some(ledger);
        Ok(account)
    }
}
