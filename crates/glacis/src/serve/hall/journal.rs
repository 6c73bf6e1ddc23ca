//! What happened in a game since its beginning: read from the record once, when somebody first asks,
//! and added to as the game goes on. The luck ledger grows in the same way.

use std::sync::Arc;

use rulebook::Lang;

use super::table::{Happening, Seen, Table};
use super::{Hall, Trouble};
use crate::host::{Account, Ledger};
use crate::store::Memory;

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

impl Hall {
    /// Everything that happened after the first `since` entries.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn log(
        self: &Arc<Self>,
        table: &Arc<Table>,
        since: u64,
    ) -> Result<Vec<Arc<Happening>>, Trouble> {
        let mut seen = self.look(table).await?;
        self.missed(table, &mut seen, since).await
    }

    /// The same, of a game that is being looked at.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn missed(
        &self,
        table: &Table,
        seen: &mut Seen<'_>,
        since: u64,
    ) -> Result<Vec<Arc<Happening>>, Trouble> {
        let Some(sitting) = seen.guard.as_mut() else { return Ok(Vec::new()) };
        let entries = match sitting.journal.0.take() {
            Some(entries) => entries,
            None => match self.read_journal(table, sitting.game.entries()).await? {
                Some(entries) => entries,
                None => {
                    // What is kept is no longer what was opened.
                    self.reopen(table, sitting, Memory::Short).await?;
                    let read = self.read_journal(table, sitting.game.entries()).await?;
                    read.ok_or_else(|| Trouble::Broken(format!("game {} cannot be read", table.id)))?
                }
            },
        };
        let entries = sitting.journal.0.insert(entries);
        let since = usize::try_from(since).unwrap_or(usize::MAX);
        Ok(entries.get(since..).unwrap_or_default().to_vec())
    }

    /// The record played again from its first line to the entry with this number; nothing if that
    /// cannot be done.
    async fn read_journal(&self, table: &Table, last: u64) -> Result<Option<Vec<Arc<Happening>>>, Trouble> {
        let lines = self.store.lines(&table.id, 0).await?.entries;
        let mut game = table.system.open(&table.opened.header, table.seed)?;
        let read = lines.into_iter().take_while(|entry| entry.n <= last).map(|entry| {
            let told = game.follow(&entry.line).ok()?;
            Some(Arc::new(Happening::new(game.as_ref(), entry.n, entry.at, told)))
        });
        let read: Option<Vec<_>> = read.collect();
        Ok(read.filter(|entries| entries.len() as u64 == last))
    }

    /// The luck ledger of a game: what was rolled, and what came of it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn luck(&self, table: &Table, lang: Lang) -> Result<Account, Trouble> {
        let mut guard = table.luck.lock().await;
        let mut ledger = match guard.take() {
            Some(ledger) => ledger,
            None => Ledger::new(table.system.open(&table.opened.header, table.seed)?),
        };
        let lines = self.lines(table, ledger.entries()).await?;
        // Weighing every way the dice could have fallen is no work for a thread that serves others.
        let weighed = tokio::task::spawn_blocking(move || {
            for entry in &lines {
                ledger.follow(&entry.line)?;
            }
            Ok::<_, kernel::Refusal>(ledger)
        });
        let ledger = weighed
            .await
            .map_err(|error| Trouble::Broken(error.to_string()))?
            .map_err(|refusal| Trouble::Broken(refusal.to_string()))?;
        let account = ledger.account(&table.sides, lang);
        *guard = Some(ledger);
        Ok(account)
    }
}
