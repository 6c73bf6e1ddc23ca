//! What happened in a game since its beginning: read from the record once, when somebody first asks,
//! and added to as the game goes on. The luck ledger grows in the same way.

use std::sync::Arc;

use rulebook::Lang;

use super::table::{Happening, Seen, Table};
use super::{Hall, Trouble};
use crate::host::{Account, Ledger};

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
            None => self.read_journal(table).await?,
        };
        let entries = sitting.journal.0.insert(entries);
        let since = usize::try_from(since).unwrap_or(usize::MAX);
        Ok(entries.get(since..).unwrap_or_default().to_vec())
    }

    /// The record played again from its first line.
    async fn read_journal(&self, table: &Table) -> Result<Vec<Arc<Happening>>, Trouble> {
        let lines = self.store.lines(&table.id, 0).await?;
        let mut game = table.system.open(&table.opened.header, table.seed())?;
        let read = lines.into_iter().map(|entry| {
            let told = game.follow(&entry.line).map_err(|refusal| Trouble::Broken(refusal.to_string()))?;
            Ok(Arc::new(Happening::new(game.as_ref(), entry.n, entry.at, told)))
        });
        read.collect()
    }

    /// The luck ledger of a game: what was rolled, and what came of it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn luck(&self, table: &Table, lang: Lang) -> Result<Account, Trouble> {
        let mut guard = table.luck.lock().await;
        let mut ledger = match guard.take() {
            Some(ledger) => ledger,
            None => Ledger::new(table.system.open(&table.opened.header, table.seed())?),
        };
        let lines = self.store.lines(&table.id, ledger.entries()).await?;
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
