//! Where games are kept: an embedded SQLite file or a PostgreSQL that several processes share. The
//! same tables, the same queries, the same promises: an order is acknowledged only when it is on
//! the disk, and the next entry of a record is the one after the last, whoever writes it.

mod damage;
mod file;
mod forget;
mod laid;
mod read;
mod recall;
mod writer;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection as _, PgPool, SqlitePool};
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot};

pub use damage::{Beside, Damage, Mending, Wrong};
use file::File;
pub use forget::Stale;
pub use laid::LaidTable;
pub(crate) use read::to_hex;
pub use read::{Lines, Opened, RawRow, Snapshot, StoredEntry};
pub use recall::{Kept, Memory, Recalled};
use writer::Job;

/// The migrations, in order; each is applied once.
const MIGRATIONS: &[&str] = &[include_str!("../../migrations/1.sql"), include_str!("../../migrations/2.sql")];

/// The channel on which processes tell each other of new entries and of changed tables.
const CHANNEL: &str = "glacis";

/// What stands before the word of a table where others are told of it; no game is called so.
const LAID: &str = "table/";

/// How long a database may take to answer before it counts as unreachable.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long whoever asks whether it can be written waits for it.
const PROBE_PATIENCE: Duration = Duration::from_secs(1);

/// Whether the database can be written is found out at most this often.
const PROBE_EVERY: Duration = Duration::from_secs(1);

/// Where the games are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// An SQLite file.
    Sqlite(PathBuf),
    /// A PostgreSQL database, by its address.
    Postgres(String),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(path) = text.strip_prefix("sqlite:") {
            let path = path.strip_prefix("//").unwrap_or(path);
            if path.is_empty() {
                return Err("sqlite:FILE".to_owned());
            }
            return Ok(Self::Sqlite(path.into()));
        }
        if text.starts_with("postgres:") || text.starts_with("postgresql:") {
            return Ok(Self::Postgres(text.to_owned()));
        }
        Err("sqlite:FILE, postgres://USER@HOST/DATABASE".to_owned())
    }
}

/// What the store could not do.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreFault {
    /// The folder of the SQLite file cannot be made or written.
    #[error("the folder {} cannot be written: {detail}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        detail: String,
    },
    /// The file is there, and is something else.
    #[error("the file {} is not a database: {detail}", file.display())]
    NotADatabase {
        /// The file.
        file: PathBuf,
        /// How it was found.
        detail: String,
    },
    /// The database does not answer or refuses us.
    #[error("the database {place} cannot be reached: {detail}")]
    Unreachable {
        /// The database, without any password.
        place: String,
        /// Why.
        detail: String,
    },
    /// The tables are of a newer version of the program.
    #[error("the database is of a newer version (tables {found}, known {known})")]
    Newer {
        /// The version found.
        found: i64,
        /// The version known.
        known: i64,
    },
    /// Another order came first; nothing was written.
    #[error("another order came first")]
    Conflict,
    /// The file of the database was removed or replaced while it was open.
    #[error("the file {} was removed or replaced while it was open", file.display())]
    Gone {
        /// The file.
        file: PathBuf,
    },
    /// There is no room left to write.
    #[error("the disk is full: {0}")]
    Full(String),
    /// The database failed while it was used.
    #[error("the database failed: {0}")]
    Failed(String),
}

impl From<sqlx::Error> for StoreFault {
    fn from(error: sqlx::Error) -> Self {
        // SQLITE_FULL, and what PostgreSQL calls disk_full.
        let full = |code: &str| code == "13" || code == "53100";
        match error.as_database_error().and_then(sqlx::error::DatabaseError::code) {
            Some(code) if full(&code) => Self::Full(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// A connection pool of one of the two databases.
#[derive(Clone)]
enum Db {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Runs the same code on either database.
macro_rules! on {
    ($db:expr, $pool:ident => $body:expr) => {
        match $db {
            Db::Sqlite($pool) => $body,
            Db::Postgres($pool) => $body,
        }
    };
}
use on;

/// A seat as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSeat {
    /// The place of the side; -1 for spectators.
    pub place: i64,
    /// The hash of its secret, in hexadecimal.
    pub hash: String,
    /// Who plays: `human`, or the name of a computer player.
    pub player: String,
}

/// A game as it is created or imported.
#[derive(Clone, Debug)]
pub struct NewGame {
    /// Its name in addresses.
    pub id: String,
    /// Its system.
    pub system: String,
    /// The first line of its record.
    pub header: String,
    /// Its secret seed, in hexadecimal, or nothing.
    pub seed: String,
    /// Its seats.
    pub seats: Vec<StoredSeat>,
    /// The entries it begins with.
    pub lines: Vec<String>,
}

/// Lines to append to a record.
#[derive(Clone, Debug)]
pub struct Append {
    /// The game.
    pub game: String,
    /// How many entries the record holds before.
    pub before: u64,
    /// The time, in seconds since 1970.
    pub at: i64,
    /// The lines.
    pub lines: Vec<String>,
    /// The state after them, now and then.
    pub snapshot: Option<Vec<u8>>,
}

/// To cut a game back to its sound entries.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The game.
    pub game: String,
    /// How many entries stay.
    pub sound: u64,
    /// How many entries were counted before, as it stands there: a game that moved on since is left alone.
    pub counted: String,
    /// What follows those that stay, where the game needs another seed to go on.
    pub adopted: Option<Adopted>,
}

/// The line with which a game is taken over with another seed.
#[derive(Clone, Debug)]
pub struct Adopted {
    /// The line.
    pub line: String,
    /// The seed, in hexadecimal.
    pub seed: String,
}

/// Another process appended to a record or changed a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// This game holds so many entries now.
    Game(String, u64),
    /// This table that several lay together holds so many changes now.
    Laid(String, usize),
    /// Some changes may have been missed.
    Unknown,
}

/// The store.
pub struct Store {
    db: Db,
    jobs: mpsc::Sender<Job>,
    /// When it was last found out whether the database can be written, and what was found.
    probed: Mutex<Option<(Instant, Result<(), StoreFault>)>>,
    /// Held by whoever finds it out.
    probing: AsyncMutex<()>,
}

impl Store {
    /// Opens the database, brings its tables up to date and starts the writer.
    ///
    /// # Errors
    /// When the folder cannot be written, the database not reached, or it is of a newer version.
    pub async fn open(place: &Place) -> Result<Self, StoreFault> {
        let (db, file) = match place {
            Place::Sqlite(path) => {
                let (pool, file) = open_sqlite(path).await?;
                (Db::Sqlite(pool), Some(file))
            }
            Place::Postgres(address) => (Db::Postgres(open_postgres(address).await?), None),
        };
        migrate(&db).await?;
        let jobs = writer::start(db.clone(), file);
        Ok(Self { db, jobs, probed: Mutex::default(), probing: AsyncMutex::default() })
    }

    /// Whether other processes may write to the same games.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        matches!(self.db, Db::Postgres(_))
    }

    /// Keeps a new game.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn create(&self, game: NewGame) -> Result<(), StoreFault> {
        self.ask(|reply| Job::Create(Box::new(game), reply)).await
    }

    /// Appends to a record; returns when the lines are safely on the disk.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when another order came first.
    pub async fn append(&self, append: Append) -> Result<(), StoreFault> {
        self.noted(self.ask(|reply| Job::Append(append, reply)).await)
    }

    /// Cuts a game back to its sound entries. What is cut is gone: a copy is the caller's affair.
    ///
    /// # Errors
    /// [`StoreFault::Conflict`] when the game moved on meanwhile.
    pub async fn cut(&self, cut: Cut) -> Result<(), StoreFault> {
        self.ask(|reply| Job::Cut(cut, reply)).await
    }

    /// Whether orders can be kept now: something was written, and is where it belongs. Found out by
    /// writing, at most once a second; an order that could not be kept tells it at once.
    ///
    /// # Errors
    /// Why they cannot.
    pub async fn writable(&self) -> Result<(), StoreFault> {
        // Of several who ask at once, one finds out for all.
        let _alone = self.probing.lock().await;
        if let Some((_, found)) = self.probed().as_ref().filter(|(at, _)| at.elapsed() < PROBE_EVERY) {
            return found.clone();
        }
        let late = |_| Err(StoreFault::Failed(format!("no answer within {} s", PROBE_PATIENCE.as_secs())));
        let found = tokio::time::timeout(PROBE_PATIENCE, self.ask(Job::Probe)).await.unwrap_or_else(late);
        *self.probed() = Some((Instant::now(), found.clone()));
        found
    }

    fn probed(&self) -> MutexGuard<'_, Option<(Instant, Result<(), StoreFault>)>> {
        self.probed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps in mind that something could not be written.
    fn noted(&self, written: Result<(), StoreFault>) -> Result<(), StoreFault> {
        if let Err(fault) = &written
            && !matches!(fault, StoreFault::Conflict)
        {
            *self.probed() = Some((Instant::now(), Err(fault.clone())));
        }
        written
    }

    /// Waits until everything asked for so far is written, and closes the database.
    pub async fn close(&self) {
        let _ = self.ask(Job::Stop).await;
        on!(&self.db, pool => pool.close().await);
    }

    async fn ask(
        &self,
        job: impl FnOnce(oneshot::Sender<Result<(), StoreFault>>) -> Job,
    ) -> Result<(), StoreFault> {
        let stopped = || StoreFault::Failed("the writer has stopped".to_owned());
        let (reply, answer) = oneshot::channel();
        self.jobs.send(job(reply)).await.map_err(|_| stopped())?;
        answer.await.map_err(|_| stopped())?
    }

    /// The changes that other processes (and this one) make, as they are told.
    ///
    /// # Errors
    /// When the database cannot be listened to.
    pub async fn changes(&self) -> Result<Option<mpsc::Receiver<Change>>, StoreFault> {
        let Db::Postgres(pool) = &self.db else { return Ok(None) };
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        let (send, receive) = mpsc::channel(1024);
        tokio::spawn(async move {
            loop {
                let heard: Vec<Change> = match listener.try_recv().await {
                    Ok(Some(note)) => note.payload().split(',').filter_map(change).collect(),
                    Ok(None) => vec![Change::Unknown],
                    Err(_) => {
                        tokio::time::sleep(Duration::from_millis(200)).await;
                        vec![Change::Unknown]
                    }
                };
                for change in heard {
                    if send.send(change).await.is_err() {
                        return;
                    }
                }
            }
        });
        Ok(Some(receive))
    }
}

fn change(text: &str) -> Option<Change> {
    let (name, count) = text.split_once(':')?;
    Some(match name.strip_prefix(LAID) {
        Some(word) => Change::Laid(word.to_owned(), count.parse().ok()?),
        None => Change::Game(name.to_owned(), count.parse().ok()?),
    })
}

/// The time as it is kept: seconds since 1970.
pub(crate) fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

async fn open_sqlite(path: &Path) -> Result<(SqlitePool, File), StoreFault> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let fault = |detail: String| StoreFault::Folder { folder: folder.to_owned(), detail };
    let failed = |error: sqlx::Error| {
        // SQLITE_CORRUPT and SQLITE_NOTADB.
        let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
        match code.as_deref() {
            Some("11" | "26") => {
                StoreFault::NotADatabase { file: path.to_owned(), detail: error.to_string() }
            }
            _ => fault(format!("{}: {error}", path.display())),
        }
    };
    std::fs::create_dir_all(folder).map_err(|error| fault(error.to_string()))?;
    file::make_private(path).map_err(|error| fault(format!("{}: {error}", path.display())))?;
    let options = SqliteConnectOptions::new()
        .filename(path)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(PATIENCE)
        // Bringing the log home makes the orders of one commit wait: seldom, then (64 MB of log).
        .pragma("wal_autocheckpoint", "16000")
        // What a statement needs to take itself back is small: no file for each.
        .pragma("temp_store", "MEMORY")
        .disable_statement_logging();
    // Made at the start if need be; a file that goes missing later is not made anew.
    let first = options.clone().create_if_missing(true).connect().await.map_err(failed)?;
    let file = File::opened(path).map_err(|error| fault(error.to_string()))?;
    let pool = SqlitePoolOptions::new()
        .max_connections(4)
        .test_before_acquire(false)
        .acquire_timeout(PATIENCE)
        .connect_with(options)
        .await
        .map_err(failed)?;
    first.close().await?;
    Ok((pool, file))
}

async fn open_postgres(address: &str) -> Result<PgPool, StoreFault> {
    let options = PgConnectOptions::from_str(address).map_err(|error| StoreFault::Unreachable {
        place: "postgres".to_owned(),
        detail: error.to_string(),
    })?;
    let database = options.get_database().unwrap_or_default();
    let place = format!("postgres://{}:{}/{database}", options.get_host(), options.get_port());
    let options = options.disable_statement_logging();
    PgPoolOptions::new()
        .max_connections(8)
        .acquire_timeout(PATIENCE)
        .connect_with(options)
        .await
        .map_err(|error| StoreFault::Unreachable { place, detail: error.to_string() })
}

/// Applies the migrations that are missing, one transaction for all.
async fn migrate(db: &Db) -> Result<(), StoreFault> {
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    on!(db, pool => {
        let mut connection = pool.acquire().await?;
        // Of several processes that start at once, one migrates and the others wait.
        let begin = match db {
            Db::Sqlite(_) => &["BEGIN IMMEDIATE"][..],
            Db::Postgres(_) => &["BEGIN", "SELECT pg_advisory_xact_lock(1807)"][..],
        };
        for statement in begin {
            sqlx::query(statement).execute(&mut *connection).await?;
        }
        sqlx::query("CREATE TABLE IF NOT EXISTS migrations (n BIGINT PRIMARY KEY)")
            .execute(&mut *connection)
            .await?;
        let found: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(n), 0) FROM migrations")
            .fetch_one(&mut *connection)
            .await?;
        if found > known {
            sqlx::query("ROLLBACK").execute(&mut *connection).await?;
            return Err(StoreFault::Newer { found, known });
        }
        for (n, migration) in (1_i64..).zip(MIGRATIONS) {
            if n <= found {
                continue;
            }
            for statement in statements(migration) {
                sqlx::query(&statement).execute(&mut *connection).await?;
            }
            sqlx::query("INSERT INTO migrations (n) VALUES ($1)").bind(n).execute(&mut *connection).await?;
        }
        sqlx::query("COMMIT").execute(&mut *connection).await?;
    });
    Ok(())
}

/// The statements of a migration, without its comments.
fn statements(migration: &str) -> Vec<String> {
    let bare: Vec<&str> = migration.lines().filter(|line| !line.trim_start().starts_with("--")).collect();
    let bare = bare.join("\n");
    bare.split(';').map(str::trim).filter(|statement| !statement.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_disk_is_told_from_other_failures() {
        let mut full = SqliteConnectOptions::new().in_memory(true).connect().await.expect("in memory");
        let mut run = async |statement: &str| {
            sqlx::query(statement).execute(&mut full).await.map(drop).map_err(StoreFault::from)
        };
        run("CREATE TABLE rows (text TEXT)").await.expect("there is room");
        run("PRAGMA max_page_count = 4").await.expect("a limit");
        let fault = run("INSERT INTO rows VALUES (zeroblob(100000))").await.expect_err("no room is left");
        assert!(matches!(&fault, StoreFault::Full(why) if why.contains("full")), "{fault}");
        let fault = run("INSERT INTO nothing VALUES (1)").await.expect_err("no such table");
        assert!(matches!(&fault, StoreFault::Failed(why) if why.contains("nothing")), "{fault}");
    }
}
