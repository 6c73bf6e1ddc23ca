//! Forgetting games that nobody plays. Each goes in a transaction of its own, and only if no order
//! came meanwhile.

use super::{Db, Store, StoreFault, on};

/// Which games may be forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stale {
    /// Those in which only machines sit, since their last entry.
    Machines,
    /// Those without any entry, since they were begun.
    Unplayed,
}

impl Stale {
    /// Finds them: name and entries.
    const fn query(self) -> &'static str {
        match self {
            Self::Machines => {
                "SELECT id, entries FROM games WHERE created <= $1 \
                 AND NOT EXISTS (SELECT 1 FROM seats \
                     WHERE seats.game = games.id AND place >= 0 AND player = 'human') \
                 AND COALESCE((SELECT at FROM entries \
                     WHERE entries.game = games.id AND n = games.entries), created) <= $1"
            }
            Self::Unplayed => "SELECT id, entries FROM games WHERE created <= $1 AND entries = 0",
        }
    }
}

impl Store {
    /// Forgets games untouched since a time, in seconds since 1970; gives back their names.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget(&self, stale: Stale, before: i64) -> Result<Vec<String>, StoreFault> {
        // Writing nothing new takes the lock that an order takes, and tells whether one came first.
        const LOCK: &str = "UPDATE games SET entries = entries WHERE id = $1 AND entries = $2";
        const DELETE: [&str; 4] = [
            "DELETE FROM snapshots WHERE game = $1",
            "DELETE FROM entries WHERE game = $1",
            "DELETE FROM seats WHERE game = $1",
            "DELETE FROM games WHERE id = $1",
        ];
        on!(&self.db, pool => {
            let found: Vec<(String, i64)> = sqlx::query_as(stale.query()).bind(before).fetch_all(pool).await?;
            let mut forgotten = Vec::new();
            for (game, entries) in found {
                let mut transaction = pool.begin().await?;
                let locked = sqlx::query(LOCK).bind(&game).bind(entries).execute(&mut *transaction).await?;
                if locked.rows_affected() == 0 {
                    continue;
                }
                for statement in DELETE {
                    sqlx::query(statement).bind(&game).execute(&mut *transaction).await?;
                }
                transaction.commit().await?;
                forgotten.push(game);
            }
            Ok(forgotten)
        })
    }
}
