//! Tables that several lay together, as they are kept: a restart loses none of them.

use super::{Db, Store, StoreFault, on};

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

    /// Keeps a new table.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lay(&self, table: &LaidTable) -> Result<(), StoreFault> {
        const LAY: &str = "INSERT INTO laid_tables (word, start, network, used) VALUES ($1, $2, $3, $4)";
        let LaidTable { word, start, network, used, .. } = table;
        on!(&self.db, pool => {
            sqlx::query(LAY).bind(word).bind(start).bind(network).bind(used).execute(pool).await?;
        });
        Ok(())
    }

    /// Keeps the change of this number: false if another process has kept one of that number, or the table is
    /// gone.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn change_laid(&self, word: &str, n: usize, change: &str, at: i64) -> Result<bool, StoreFault> {
        const USED: &str = "UPDATE laid_tables SET used = $2 WHERE word = $1";
        const CHANGE: &str =
            "INSERT INTO laid_changes (word, n, change) VALUES ($1, $2, $3) ON CONFLICT (word, n) DO NOTHING";
        let n = i64::try_from(n).unwrap_or(i64::MAX);
        on!(&self.db, pool => {
            let mut transaction = pool.begin().await?;
            // Writing first takes the lock that all who change this table take.
            let used = sqlx::query(USED).bind(word).bind(at).execute(&mut *transaction).await?;
            if used.rows_affected() == 0 {
                return Ok(false);
            }
            let kept = sqlx::query(CHANGE).bind(word).bind(n).bind(change).execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok(kept.rows_affected() == 1)
        })
    }

    /// Forgets tables.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_laid(&self, words: &[String]) -> Result<(), StoreFault> {
        const DELETE: [&str; 2] =
            ["DELETE FROM laid_changes WHERE word = $1", "DELETE FROM laid_tables WHERE word = $1"];
        on!(&self.db, pool => {
            for word in words {
                let mut transaction = pool.begin().await?;
                for statement in DELETE {
                    sqlx::query(statement).bind(word).execute(&mut *transaction).await?;
                }
                transaction.commit().await?;
            }
        });
        Ok(())
    }
}
