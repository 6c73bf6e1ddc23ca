//! The one writer of a process. Orders that arrive while a commit is under way share the next one:
//! one wait for the disk serves them all (group commit). The number of every entry is checked in the
//! transaction that writes it.

use std::collections::BTreeSet;

use serde::Serialize;
use sqlx::pool::PoolConnection;
use sqlx::{Postgres, Sqlite};
use tokio::sync::{mpsc, oneshot};

use super::read::to_hex;
use super::{Append, CHANNEL, Db, NewGame, StoreFault, now};

/// The most orders that share a commit.
const MOST_TOGETHER: usize = 256;
/// The longest message that PostgreSQL passes on.
const LONGEST_NOTE: usize = 7900;

pub(super) type Reply = oneshot::Sender<Result<(), StoreFault>>;

pub(super) enum Job {
    Create(Box<NewGame>, Reply),
    Append(Append, Reply),
    Stop(Reply),
}

/// A row for the database, which reads the rows of a batch from one JSON list.
#[derive(Serialize)]
struct Move<'a> {
    g: &'a str,
    f: u64,
    l: u64,
}

#[derive(Serialize)]
struct Row<'a> {
    g: &'a str,
    n: u64,
    a: i64,
    t: &'a str,
}

pub(super) async fn start(db: Db) -> Result<mpsc::Sender<Job>, StoreFault> {
    let (send, receive) = mpsc::channel(4096);
    tokio::spawn(run(db, receive));
    Ok(send)
}

async fn run(db: Db, mut jobs: mpsc::Receiver<Job>) {
    let mut held = None;
    loop {
        let Some(first) = (match held.take() {
            Some(job) => Some(job),
            None => jobs.recv().await,
        }) else {
            return;
        };
        let mut appends = Vec::new();
        let mut games = BTreeSet::new();
        let mut next = Some(first);
        while let Some(job) = next.take() {
            match job {
                Job::Append(append, reply) if games.insert(append.game.clone()) => {
                    appends.push((append, reply));
                    if appends.len() < MOST_TOGETHER {
                        next = jobs.try_recv().ok();
                    }
                }
                other => held = Some(other),
            }
        }
        if !appends.is_empty() {
            append_all(&db, appends).await;
            continue;
        }
        match held.take() {
            Some(Job::Create(game, reply)) => {
                let done = create(&db, &game).await;
                let _ = reply.send(done);
            }
            Some(Job::Stop(reply)) => {
                let _ = reply.send(Ok(()));
                return;
            }
            other => held = other,
        }
    }
}

/// Writes a batch and answers each of its orders.
async fn append_all(db: &Db, appends: Vec<(Append, Reply)>) {
    let (appends, replies): (Vec<Append>, Vec<Reply>) = appends.into_iter().unzip();
    let mut done = write(db, &appends).await;
    if matches!(done, Err(StoreFault::Failed(ref why)) if why.contains("deadlock")) {
        done = write(db, &appends).await;
    }
    match done {
        Ok(moved) => {
            for (append, reply) in appends.iter().zip(replies) {
                let won = moved.contains(&append.game);
                let _ = reply.send(if won { Ok(()) } else { Err(StoreFault::Conflict) });
            }
        }
        Err(fault) => {
            let why = fault.to_string();
            for reply in replies {
                let _ = reply.send(Err(StoreFault::Failed(why.clone())));
            }
        }
    }
}

/// The statements that differ between the two databases.
struct Words {
    begin: &'static str,
    /// Locks the games of a batch in one order, so that no two processes wait for each other.
    lock: Option<&'static str>,
    advance: &'static str,
    insert: &'static str,
}

const SQLITE: Words = Words {
    begin: "BEGIN IMMEDIATE",
    lock: None,
    advance: "UPDATE games SET entries = w.l FROM \
        (SELECT value ->> 'g' AS g, value ->> 'f' AS f, value ->> 'l' AS l FROM json_each($1)) AS w \
        WHERE games.id = w.g AND games.entries = w.f RETURNING games.id",
    insert: "INSERT INTO entries (game, n, at, line) \
        SELECT value ->> 'g', value ->> 'n', value ->> 'a', value ->> 't' FROM json_each($1)",
};

const POSTGRES: Words = Words {
    begin: "BEGIN",
    lock: Some(
        "SELECT id FROM games WHERE id IN (SELECT g FROM json_to_recordset($1::json) AS w (g TEXT)) \
        ORDER BY id FOR UPDATE",
    ),
    advance: "UPDATE games SET entries = w.l FROM \
        json_to_recordset($1::json) AS w (g TEXT, f BIGINT, l BIGINT) \
        WHERE games.id = w.g AND games.entries = w.f RETURNING games.id",
    insert: "INSERT INTO entries (game, n, at, line) \
        SELECT g, n, a, t FROM json_to_recordset($1::json) AS w (g TEXT, n BIGINT, a BIGINT, t TEXT)",
};

const SNAPSHOT: &str = "INSERT INTO snapshots (game, n, product, state) VALUES ($1, $2, $3, $4) \
    ON CONFLICT (game) DO UPDATE SET n = excluded.n, product = excluded.product, state = excluded.state \
    WHERE snapshots.n < excluded.n";

/// Either connection of the writer.
enum Connection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

/// Runs a statement on either connection.
macro_rules! execute {
    ($connection:expr, $query:expr $(, $value:expr)*) => {
        match $connection {
            Connection::Sqlite(connection) => {
                sqlx::query($query)$(.bind($value))*.execute(&mut **connection).await.map(drop)
            }
            Connection::Postgres(connection) => {
                sqlx::query($query)$(.bind($value))*.execute(&mut **connection).await.map(drop)
            }
        }
    };
}

async fn connect(db: &Db) -> Result<(Connection, &'static Words), StoreFault> {
    Ok(match db {
        Db::Sqlite(pool) => (Connection::Sqlite(pool.acquire().await?), &SQLITE),
        Db::Postgres(pool) => (Connection::Postgres(pool.acquire().await?), &POSTGRES),
    })
}

/// Ends a transaction: commits what went well, takes back what did not.
async fn end<T>(connection: &mut Connection, done: Result<T, StoreFault>) -> Result<T, StoreFault> {
    match done {
        Ok(value) => match execute!(connection, "COMMIT") {
            Ok(()) => Ok(value),
            Err(error) => {
                let _ = execute!(connection, "ROLLBACK");
                Err(error.into())
            }
        },
        Err(fault) => {
            // A connection that cannot even take back is broken; the pool drops it.
            let _ = execute!(connection, "ROLLBACK");
            Err(fault)
        }
    }
}

/// Writes a batch in one transaction; gives the games whose orders came in time.
async fn write(db: &Db, appends: &[Append]) -> Result<BTreeSet<String>, StoreFault> {
    let (mut connection, words) = connect(db).await?;
    execute!(&mut connection, words.begin)?;
    let done = write_rows(&mut connection, words, appends).await;
    end(&mut connection, done).await
}

async fn write_rows(
    connection: &mut Connection,
    words: &Words,
    appends: &[Append],
) -> Result<BTreeSet<String>, StoreFault> {
    let last = |append: &Append| append.before + append.lines.len() as u64;
    let moves: Vec<Move<'_>> =
        appends.iter().map(|append| Move { g: &append.game, f: append.before, l: last(append) }).collect();
    let moves = json(&moves)?;
    if let Some(lock) = words.lock {
        execute!(connection, lock, &moves)?;
    }
    let moved: Vec<String> = match connection {
        Connection::Sqlite(connection) => {
            sqlx::query_scalar(words.advance).bind(&moves).fetch_all(&mut **connection).await?
        }
        Connection::Postgres(connection) => {
            sqlx::query_scalar(words.advance).bind(&moves).fetch_all(&mut **connection).await?
        }
    };
    let moved: BTreeSet<String> = moved.into_iter().collect();
    let won = || appends.iter().filter(|append| moved.contains(&append.game));
    let at = now();
    let rows: Vec<Row<'_>> = won()
        .flat_map(|append| {
            (append.before + 1..).zip(&append.lines).map(move |(n, line)| Row {
                g: &append.game,
                n,
                a: at,
                t: line,
            })
        })
        .collect();
    execute!(connection, words.insert, json(&rows)?)?;
    for append in won() {
        if let Some(snapshot) = &append.snapshot {
            let n = i64::try_from(last(append)).unwrap_or(i64::MAX);
            let product = env!("CARGO_PKG_VERSION");
            execute!(connection, SNAPSHOT, &append.game, n, product, to_hex(snapshot))?;
        }
    }
    if matches!(connection, Connection::Postgres(_)) {
        let mut note = String::new();
        for append in won() {
            let word = format!("{}:{}", append.game, last(append));
            if note.len() + word.len() > LONGEST_NOTE {
                execute!(connection, "SELECT pg_notify($1, $2)", CHANNEL, &std::mem::take(&mut note))?;
            }
            if !note.is_empty() {
                note.push(',');
            }
            note.push_str(&word);
        }
        execute!(connection, "SELECT pg_notify($1, $2)", CHANNEL, &note)?;
    }
    Ok(moved)
}

fn json(rows: &impl Serialize) -> Result<String, StoreFault> {
    serde_json::to_string(rows).map_err(|error| StoreFault::Failed(error.to_string()))
}

async fn create(db: &Db, game: &NewGame) -> Result<(), StoreFault> {
    let (mut connection, words) = connect(db).await?;
    execute!(&mut connection, words.begin)?;
    let done = create_rows(&mut connection, words, game).await;
    end(&mut connection, done).await
}

async fn create_rows(connection: &mut Connection, words: &Words, game: &NewGame) -> Result<(), StoreFault> {
    const GAME: &str =
        "INSERT INTO games (id, system, header, seed, entries, created) VALUES ($1, $2, $3, $4, $5, $6)";
    const SEAT: &str = "INSERT INTO seats (game, place, hash, player) VALUES ($1, $2, $3, $4)";
    let at = now();
    let entries = i64::try_from(game.lines.len()).unwrap_or(i64::MAX);
    execute!(connection, GAME, &game.id, &game.system, &game.header, &game.seed, entries, at)?;
    for seat in &game.seats {
        execute!(connection, SEAT, &game.id, seat.place, &seat.hash, &seat.player)?;
    }
    if !game.lines.is_empty() {
        let rows: Vec<Row<'_>> =
            (1..).zip(&game.lines).map(|(n, line)| Row { g: &game.id, n, a: at, t: line }).collect();
        execute!(connection, words.insert, json(&rows)?)?;
    }
    Ok(())
}
