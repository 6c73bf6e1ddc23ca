//! Reading games back.

use sqlx::Row;

use super::{Db, Store, StoreFault, StoredSeat, on};

/// A game as it was kept, without its entries.
#[derive(Clone, Debug)]
pub struct Opened {
    /// Its system.
    pub system: String,
    /// The first line of its record.
    pub header: String,
    /// Its secret seed, in hexadecimal, or nothing.
    pub seed: String,
    /// When it was created, in seconds since 1970.
    pub created: i64,
    /// Its seats.
    pub seats: Vec<StoredSeat>,
}

/// An entry as it was kept.
#[derive(Clone, Debug)]
pub struct StoredEntry {
    /// Its number.
    pub n: u64,
    /// When it was written, in seconds since 1970.
    pub at: i64,
    /// The line of the record.
    pub line: String,
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Store {
    /// A game, if there is one with this name.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn game(&self, id: &str) -> Result<Option<Opened>, StoreFault> {
        const GAME: &str = "SELECT system, header, seed, created FROM games WHERE id = $1";
        const SEATS: &str = "SELECT place, hash, player FROM seats WHERE game = $1 ORDER BY place";
        on!(&self.db, pool => {
            let Some(row) = sqlx::query(GAME).bind(id).fetch_optional(pool).await? else { return Ok(None) };
            let seats = sqlx::query(SEATS).bind(id).fetch_all(pool).await?;
            let seats = seats
                .iter()
                .map(|row| StoredSeat { place: row.get(0), hash: row.get(1), player: row.get(2) })
                .collect();
            Ok(Some(Opened {
                system: row.get(0),
                header: row.get(1),
                seed: row.get(2),
                created: row.get(3),
                seats,
            }))
        })
    }

    /// How many entries the record of a game holds.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn entries(&self, id: &str) -> Result<u64, StoreFault> {
        const COUNT: &str = "SELECT entries FROM games WHERE id = $1";
        let count: Option<i64> =
            on!(&self.db, pool => sqlx::query_scalar(COUNT).bind(id).fetch_optional(pool).await?);
        Ok(count.map_or(0, unsigned))
    }

    /// The entries after the first `after`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lines(&self, id: &str, after: u64) -> Result<Vec<StoredEntry>, StoreFault> {
        const LINES: &str = "SELECT n, at, line FROM entries WHERE game = $1 AND n > $2 ORDER BY n";
        on!(&self.db, pool => {
            let rows = sqlx::query(LINES).bind(id).bind(signed(after)).fetch_all(pool).await?;
            Ok(rows
                .iter()
                .map(|row| StoredEntry { n: unsigned(row.get(0)), at: row.get(1), line: row.get(2) })
                .collect())
        })
    }

    /// The last snapshot of a game that this version of the program took.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn snapshot(&self, id: &str) -> Result<Option<(u64, Vec<u8>)>, StoreFault> {
        const SNAPSHOT: &str = "SELECT n, state FROM snapshots WHERE game = $1 AND product = $2";
        on!(&self.db, pool => {
            let row = sqlx::query(SNAPSHOT)
                .bind(id)
                .bind(env!("CARGO_PKG_VERSION"))
                .fetch_optional(pool)
                .await?;
            Ok(row.and_then(|row| Some((unsigned(row.get(0)), from_hex(&row.get::<String, _>(1))?))))
        })
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// When it does not.
    pub async fn answers(&self) -> Result<(), StoreFault> {
        on!(&self.db, pool => sqlx::query("SELECT 1").execute(pool).await.map(drop)?);
        Ok(())
    }
}

/// Bytes as hexadecimal digits.
#[must_use]
pub(crate) fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
}

/// The bytes of hexadecimal digits.
#[must_use]
pub(crate) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = text.as_bytes().chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs.map(|pair| Some((digit(pair[0])? << 4) | digit(pair[1])?)).collect()
}
