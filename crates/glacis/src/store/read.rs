//! Reading games back.

use std::cmp::Ordering;

use sqlx::{Row, ValueRef};

use super::damage::{Beside, Damage, Wrong};
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
    /// What of this is not even of the right kind.
    pub strange: Option<Beside>,
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

/// The entries of a record as far as they can be read one after the other.
#[derive(Clone, Debug)]
pub struct Lines {
    /// The entries.
    pub entries: Vec<StoredEntry>,
    /// What is wrong with those that follow.
    pub damage: Option<Damage>,
    /// The first whose time is no time.
    pub untimed: Option<u64>,
}

impl Lines {
    /// Reads the next row, or finds out why it cannot be read: number, time and text as they are kept.
    fn add(&mut self, next: u64, n: Option<i64>, at: Option<i64>, line: Vec<u8>) {
        let wrong = |wrong: Wrong, detail: String| Damage { wrong, sound: next - 1, detail };
        match (n.and_then(|n| u64::try_from(n).ok()), String::from_utf8(line)) {
            (Some(n), Ok(line)) if n == next => {
                self.untimed = self.untimed.or(at.is_none().then_some(n));
                self.entries.push(StoredEntry { n, at: at.unwrap_or_default(), line });
            }
            (Some(n), Err(error)) if n == next => {
                self.damage = Some(wrong(Wrong::Unreadable, error.to_string()));
            }
            (Some(n), _) => self.damage = Some(wrong(Wrong::Missing, format!("the next is {n}"))),
            (None, _) => self.damage = Some(wrong(Wrong::Missing, "the next has no number".to_owned())),
        }
    }

    /// Compares what was read with how many entries were counted.
    fn count(&mut self, found: u64, counted: u64) {
        let wrong = match found.cmp(&counted) {
            _ if self.damage.is_some() => return,
            Ordering::Equal => return,
            Ordering::Less => Wrong::Lost(counted),
            Ordering::Greater => Wrong::Uncounted(counted),
        };
        self.damage = Some(Damage { wrong, sound: found, detail: String::new() });
    }
}

/// A state to open a long game from.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// After so many entries.
    pub n: u64,
    /// The version of the program that took it; others may not understand it.
    pub product: String,
    /// The state.
    pub state: Vec<u8>,
}

/// A row of a record as it is, for keeping a copy: its number, its time and its bytes.
#[derive(Clone, Debug)]
pub struct RawRow {
    /// Its number.
    pub n: String,
    /// When it was written.
    pub at: String,
    /// What stands there.
    pub line: Vec<u8>,
}

/// The bytes of a column, whatever stands there.
macro_rules! bytes {
    ($row:expr, $column:expr) => {
        $row.try_get_unchecked::<Option<Vec<u8>>, _>($column).ok().flatten().unwrap_or_default()
    };
}

/// The text of a column, whatever stands there: what is not text is not what was written, and will
/// not be taken for it.
macro_rules! text {
    ($row:expr, $column:expr) => {
        String::from_utf8_lossy(&bytes!($row, $column)).into_owned()
    };
}

/// The number in a column, if there is one.
macro_rules! number {
    ($row:expr, $column:expr) => {
        $row.try_get::<Option<i64>, _>($column).ok().flatten()
    };
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
            let rows = sqlx::query(SEATS).bind(id).fetch_all(pool).await?;
            let seats = rows.iter().filter_map(|row| {
                Some(StoredSeat { place: number!(row, 0)?, hash: text!(row, 1), player: text!(row, 2) })
            });
            let seats: Vec<StoredSeat> = seats.collect();
            let created = number!(row, 3);
            let strange = match created {
                _ if seats.len() < rows.len() => Some(Beside::Seats),
                None => Some(Beside::Times),
                Some(_) => None,
            };
            Ok(Some(Opened {
                system: text!(row, 0),
                header: text!(row, 1),
                seed: text!(row, 2),
                created: created.unwrap_or_default(),
                seats,
                strange,
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

    /// How many entries were counted, as it stands there: what is no number is told too.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn counted(&self, id: &str) -> Result<String, StoreFault> {
        const COUNT: &str = "SELECT CAST(entries AS TEXT) FROM games WHERE id = $1";
        on!(&self.db, pool => {
            let row = sqlx::query(COUNT).bind(id).fetch_optional(pool).await?;
            Ok(row.map(|row| text!(row, 0)).unwrap_or_default())
        })
    }

    /// The names of all games, the oldest first.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn games(&self) -> Result<Vec<String>, StoreFault> {
        const GAMES: &str = "SELECT id FROM games ORDER BY created, id";
        on!(&self.db, pool => {
            let rows = sqlx::query(GAMES).fetch_all(pool).await?;
            Ok(rows.iter().map(|row| text!(row, 0)).collect())
        })
    }

    /// The entries after the first `after`, up to the first that cannot be read.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn lines(&self, id: &str, after: u64) -> Result<Lines, StoreFault> {
        self.lines_between(id, after, u64::MAX).await
    }

    /// The entries of a game after the first `after`, up to and including this one.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn lines_between(&self, id: &str, after: u64, last: u64) -> Result<Lines, StoreFault> {
        // One statement, so that entries and count are of the same moment.
        const LINES: &str = "SELECT games.entries, entries.n, entries.at, entries.line \
            FROM games LEFT JOIN entries ON entries.game = games.id AND entries.n > $2 AND entries.n <= $3 \
            WHERE games.id = $1 ORDER BY entries.n";
        on!(&self.db, pool => {
            let rows = sqlx::query(LINES).bind(id).bind(signed(after)).bind(signed(last)).fetch_all(pool).await?;
            let mut lines = Lines { entries: Vec::with_capacity(rows.len()), damage: None, untimed: None };
            let (mut next, mut counted) = (after + 1, 0);
            for row in &rows {
                counted = number!(row, 0).map_or(0, unsigned);
                // A game without such entries has one row all the same, with nothing in it.
                let empty = row.try_get_raw(1).is_ok_and(|value| value.is_null());
                if empty || lines.damage.is_some() {
                    continue;
                }
                lines.add(next, number!(row, 1), number!(row, 2), bytes!(row, 3));
                next += 1;
            }
            lines.count(next - 1, counted.min(last).max(after));
            Ok(lines)
        })
    }

    /// The rows of a record after the first `after`, as they are.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn raw_rows(&self, id: &str, after: u64) -> Result<Vec<RawRow>, StoreFault> {
        const ROWS: &str = "SELECT CAST(n AS TEXT), CAST(at AS TEXT), line FROM entries \
            WHERE game = $1 AND n > $2 ORDER BY n";
        on!(&self.db, pool => {
            let rows = sqlx::query(ROWS).bind(id).bind(signed(after)).fetch_all(pool).await?;
            Ok(rows
                .iter()
                .map(|row| RawRow { n: text!(row, 0), at: text!(row, 1), line: bytes!(row, 2) })
                .collect())
        })
    }

    /// The last snapshot of a game.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn snapshot(&self, id: &str) -> Result<Option<Snapshot>, StoreFault> {
        const SNAPSHOT: &str = "SELECT n, product, state FROM snapshots WHERE game = $1";
        on!(&self.db, pool => {
            let Some(row) = sqlx::query(SNAPSHOT).bind(id).fetch_optional(pool).await? else {
                return Ok(None);
            };
            let state = from_hex(&text!(row, 2)).unwrap_or_default();
            Ok(number!(row, 0).map(|n| Snapshot { n: unsigned(n), product: text!(row, 1), state }))
        })
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
