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

/// The most orders that share a commit: their names fit into one message of PostgreSQL.
const MOST_TOGETHER: usize = 256;

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

/// `l` is the number of entries after the whole order, which tells whether it came in time.
#[derive(Serialize)]
struct Row<'a> {
    g: &'a str,
    n: u64,
    l: u64,
    a: i64,
    t: &'a str,
}

#[derive(Serialize)]
struct Shot<'a> {
    g: &'a str,
    l: u64,
    s: String,
}

pub(super) async fn start(db: Db) -> Result<mpsc::Sender<Job>, StoreFault> {
    let (send, receive) = mpsc::channel(4096);
    tokio::spawn(run(db, receive));
    Ok(send)
}

async fn run(db: Db, mut jobs: mpsc::Receiver<Job>) {
    let mut held = None;
    // One connection for all: its memory of the last pages stays right, as nobody else writes.
    let mut kept = None;
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
            append_all(&db, &mut kept, appends).await;
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
async fn append_all(db: &Db, kept: &mut Option<Connection>, appends: Vec<(Append, Reply)>) {
    let (appends, replies): (Vec<Append>, Vec<Reply>) = appends.into_iter().unzip();
    let mut done = write(db, kept, &appends).await;
    if matches!(done, Err(StoreFault::Failed(ref why)) if why.contains("deadlock")) {
        done = write(db, kept, &appends).await;
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

/// One batch in one transaction and one round trip: the games advance that stand where their order
/// found them (`$1`), and of those the lines (`$2`) and snapshots (`$3`) are kept. A game that stands
/// where the order would have led it was led there by another, whose lines are there already.
const SQLITE: &str = "BEGIN IMMEDIATE; \
    UPDATE games SET entries = w.l FROM \
        (SELECT value ->> 'g' AS g, value ->> 'f' AS f, value ->> 'l' AS l FROM json_each($1)) AS w \
        WHERE games.id = w.g AND games.entries = w.f RETURNING games.id; \
    INSERT INTO entries (game, n, at, line) \
        SELECT value ->> 'g', value ->> 'n', value ->> 'a', value ->> 't' FROM json_each($2) \
        JOIN games ON games.id = value ->> 'g' AND games.entries = value ->> 'l' \
        WHERE true ON CONFLICT (game, n) DO NOTHING; \
    INSERT INTO snapshots (game, n, product, state) \
        SELECT value ->> 'g', value ->> 'l', $4, value ->> 's' FROM json_each($3) \
        JOIN games ON games.id = value ->> 'g' AND games.entries = value ->> 'l' \
        WHERE true ON CONFLICT (game) DO UPDATE \
        SET n = excluded.n, product = excluded.product, state = excluded.state; \
    COMMIT";

/// The same, in one statement, which is a transaction by itself; and all processes are told.
const POSTGRES: &str = "WITH moved AS ( \
        UPDATE games SET entries = w.l \
        FROM json_to_recordset($1::json) AS w (g TEXT, f BIGINT, l BIGINT) \
        WHERE games.id = w.g AND games.entries = w.f RETURNING games.id, games.entries), \
    written AS ( \
        INSERT INTO entries (game, n, at, line) \
        SELECT g, n, a, t FROM json_to_recordset($2::json) AS r (g TEXT, n BIGINT, a BIGINT, t TEXT) \
        JOIN moved ON moved.id = g), \
    kept AS ( \
        INSERT INTO snapshots (game, n, product, state) \
        SELECT g, l, $4, s FROM json_to_recordset($3::json) AS s (g TEXT, l BIGINT, s TEXT) \
        JOIN moved ON moved.id = g \
        ON CONFLICT (game) DO UPDATE \
        SET n = excluded.n, product = excluded.product, state = excluded.state), \
    told AS MATERIALIZED ( \
        SELECT pg_notify($5, string_agg(id || ':' || entries, ',')) FROM moved) \
    SELECT moved.id FROM moved, told";

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

async fn connect(db: &Db) -> Result<Connection, StoreFault> {
    Ok(match db {
        Db::Sqlite(pool) => Connection::Sqlite(pool.acquire().await?),
        Db::Postgres(pool) => Connection::Postgres(pool.acquire().await?),
    })
}

/// Writes a batch; gives the games whose orders came in time.
async fn write(
    db: &Db,
    kept: &mut Option<Connection>,
    appends: &[Append],
) -> Result<BTreeSet<String>, StoreFault> {
    let last = |append: &Append| append.before + append.lines.len() as u64;
    let moves: Vec<Move<'_>> =
        appends.iter().map(|append| Move { g: &append.game, f: append.before, l: last(append) }).collect();
    let at = now();
    let rows: Vec<Row<'_>> = appends
        .iter()
        .flat_map(|append| {
            let (g, l) = (append.game.as_str(), last(append));
            (append.before + 1..).zip(&append.lines).map(move |(n, line)| Row { g, n, l, a: at, t: line })
        })
        .collect();
    let shots: Vec<Shot<'_>> = appends
        .iter()
        .filter_map(|append| {
            let snapshot = append.snapshot.as_deref()?;
            Some(Shot { g: &append.game, l: last(append), s: to_hex(snapshot) })
        })
        .collect();
    let (moves, rows, shots) = (json(&moves)?, json(&rows)?, json(&shots)?);
    let product = env!("CARGO_PKG_VERSION");
    let mut connection = match kept.take() {
        Some(connection) => connection,
        None => connect(db).await?,
    };
    let moved: Result<Vec<String>, sqlx::Error> = match &mut connection {
        Connection::Sqlite(connection) => {
            sqlx::query_scalar(SQLITE)
                .bind(&moves)
                .bind(&rows)
                .bind(&shots)
                .bind(product)
                .fetch_all(&mut **connection)
                .await
        }
        Connection::Postgres(connection) => {
            sqlx::query_scalar(POSTGRES)
                .bind(&moves)
                .bind(&rows)
                .bind(&shots)
                .bind(product)
                .bind(CHANNEL)
                .fetch_all(&mut **connection)
                .await
        }
    };
    match moved {
        Ok(moved) => {
            *kept = Some(connection);
            Ok(moved.into_iter().collect())
        }
        Err(error) => {
            // A connection that cannot even take back is broken; either way it is not kept.
            let _ = execute!(&mut connection, "ROLLBACK");
            Err(error.into())
        }
    }
}

fn json(rows: &impl Serialize) -> Result<String, StoreFault> {
    serde_json::to_string(rows).map_err(|error| StoreFault::Failed(error.to_string()))
}

async fn create(db: &Db, game: &NewGame) -> Result<(), StoreFault> {
    let mut connection = connect(db).await?;
    let begin = match db {
        Db::Sqlite(_) => "BEGIN IMMEDIATE",
        Db::Postgres(_) => "BEGIN",
    };
    execute!(&mut connection, begin)?;
    let mut done = create_rows(&mut connection, game).await;
    if done.is_ok() {
        done = execute!(&mut connection, "COMMIT").map_err(StoreFault::from);
    }
    if done.is_err() {
        let _ = execute!(&mut connection, "ROLLBACK");
    }
    done
}

async fn create_rows(connection: &mut Connection, game: &NewGame) -> Result<(), StoreFault> {
    const GAME: &str =
        "INSERT INTO games (id, system, header, seed, entries, created) VALUES ($1, $2, $3, $4, $5, $6)";
    const SEAT: &str = "INSERT INTO seats (game, place, hash, player) VALUES ($1, $2, $3, $4)";
    const ENTRY: &str = "INSERT INTO entries (game, n, at, line) VALUES ($1, $2, $3, $4)";
    let at = now();
    let entries = i64::try_from(game.lines.len()).unwrap_or(i64::MAX);
    execute!(connection, GAME, &game.id, &game.system, &game.header, &game.seed, entries, at)?;
    for seat in &game.seats {
        execute!(connection, SEAT, &game.id, seat.place, &seat.hash, &seat.player)?;
    }
    for (n, line) in (1_i64..).zip(&game.lines) {
        execute!(connection, ENTRY, &game.id, n, at, line)?;
    }
    Ok(())
}
