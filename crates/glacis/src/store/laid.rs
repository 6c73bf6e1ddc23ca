//! Tables that several lay together, as they are kept: a restart loses none of them. The one writer of the
//! process writes them like orders, so that nothing is acknowledged that is not on the disk under its name.

use super::writer::{Connection, Job, execute};
use super::{CHANNEL, Db, LAID, Store, StoreFault, on};

/// A table as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaidTable {
    /// Its name in addresses.
    pub word: String,
    /// What it began as.
    pub start: String,
    /// Whose it is.
    pub network: String,
    /// When it was last touched, in seconds since 1970.
    pub used: i64,
    /// The changes since, in their order.
    pub changes: Vec<String>,
}

type Row = (String, String, String, i64);

impl Store {
    /// All tables.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn laid_tables(&self) -> Result<Vec<LaidTable>, StoreFault> {
        const ALL: &str = "SELECT word, start, network, used FROM laid_tables ORDER BY used";
        let rows: Vec<Row> = on!(&self.db, pool => sqlx::query_as(ALL).fetch_all(pool).await?);
        let mut tables = Vec::with_capacity(rows.len());
        for row in rows {
            tables.push(self.with_changes(row).await?);
        }
        Ok(tables)
    }

    /// A table, if there is one of this name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn laid_table(&self, word: &str) -> Result<Option<LaidTable>, StoreFault> {
        const ONE: &str = "SELECT word, start, network, used FROM laid_tables WHERE word = $1";
        let row: Option<Row> =
            on!(&self.db, pool => sqlx::query_as(ONE).bind(word).fetch_optional(pool).await?);
        match row {
            Some(row) => self.with_changes(row).await.map(Some),
            None => Ok(None),
        }
    }

    async fn with_changes(&self, (word, start, network, used): Row) -> Result<LaidTable, StoreFault> {
        let changes = self.laid_changes(&word, 0).await?;
        Ok(LaidTable { word, start, network, used, changes })
    }

    /// The changes of a table after the first so many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn laid_changes(&self, word: &str, after: usize) -> Result<Vec<String>, StoreFault> {
        const CHANGES: &str = "SELECT change FROM laid_changes WHERE word = $1 AND n > $2 ORDER BY n";
        let after = i64::try_from(after).unwrap_or(i64::MAX);
        Ok(on!(&self.db, pool => sqlx::query_scalar(CHANGES).bind(word).bind(after).fetch_all(pool).await?))
    }

    /// Keeps a new table; returns when it is safely on the disk.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lay(&self, table: LaidTable) -> Result<(), StoreFault> {
        self.noted(self.ask(|reply| Job::Lay(Laying::Begin(table), reply)).await)
    }

    /// Keeps the change of this number; returns when it is safely on the disk.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when another process has kept one of that number, or the table is gone.
    pub async fn change_laid(&self, word: &str, n: usize, change: &str, at: i64) -> Result<(), StoreFault> {
        let laying = Laying::Change { word: word.to_owned(), n, change: change.to_owned(), at };
        self.noted(self.ask(|reply| Job::Lay(laying, reply)).await)
    }

    /// Forgets tables.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_laid(&self, words: &[String]) -> Result<(), StoreFault> {
        for word in words {
            self.ask(|reply| Job::Lay(Laying::Forget(word.clone()), reply)).await?;
        }
        Ok(())
    }
}

/// What the writer does with a table.
pub(super) enum Laying {
    /// It is kept.
    Begin(LaidTable),
    /// It is changed.
    Change {
        /// Which.
        word: String,
        /// The number of the change.
        n: usize,
        /// The change.
        change: String,
        /// When, in seconds since 1970.
        at: i64,
    },
    /// It is forgotten.
    Forget(String),
}

impl Laying {
    /// The table it is about.
    pub(super) fn word(&self) -> &str {
        match self {
            Self::Begin(table) => &table.word,
            Self::Change { word, .. } | Self::Forget(word) => word,
        }
    }
}

/// Writes it, and tells other processes of a change; whether the table stood where it was said to stand.
pub(super) async fn lay_rows(connection: &mut Connection, laying: &Laying) -> Result<bool, sqlx::Error> {
    const LAY: &str = "INSERT INTO laid_tables (word, start, network, used) VALUES ($1, $2, $3, $4)";
    const USED: &str = "UPDATE laid_tables SET used = $1 WHERE word = $2";
    const CHANGE: &str =
        "INSERT INTO laid_changes (word, n, change) VALUES ($1, $2, $3) ON CONFLICT (word, n) DO NOTHING";
    match laying {
        Laying::Begin(LaidTable { word, start, network, used, .. }) => {
            execute!(connection, LAY, word, start, network, *used)?;
            Ok(true)
        }
        Laying::Change { word, n, change, at } => {
            let number = i64::try_from(*n).unwrap_or(i64::MAX);
            // Writing the time first takes the lock that all who change this table take.
            let stood = execute!(connection, USED, *at, word)? == 1
                && execute!(connection, CHANGE, word, number, change)? == 1;
            if stood && matches!(connection, Connection::Postgres(_)) {
                execute!(connection, "SELECT pg_notify($1, $2)", CHANNEL, format!("{LAID}{word}:{n}"))?;
            }
            Ok(stood)
        }
        Laying::Forget(word) => {
            execute!(connection, "DELETE FROM laid_changes WHERE word = $1", word)?;
            execute!(connection, "DELETE FROM laid_tables WHERE word = $1", word)?;
            Ok(true)
        }
    }
}
