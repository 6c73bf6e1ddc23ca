//! The one writer of a process. Orders that arrive while a commit is under way share the next one:
//! one wait for the disk serves them all (group commit). The number of every entry is checked in the
//! transaction that writes it.

use std::collections::BTreeSet;
use std::fmt::Write;

use futures_util::TryStreamExt;
use sqlx::pool::PoolConnection;
use sqlx::{Either, Executor, Postgres, Sqlite};
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

/// A batch as the rows it becomes.
struct Batch<'a> {
    /// The games that advance: from how many entries to how many.
    moves: Vec<(&'a str, i64, i64)>,
    /// Their lines: game, number, time, line.
    rows: Vec<(&'a str, i64, i64, &'a str)>,
    /// Snapshots of some: game, number, state.
    shots: Vec<(&'a str, i64, String)>,
}

impl<'a> Batch<'a> {
    fn of(appends: &'a [Append]) -> Self {
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let mut batch = Self {
            moves: Vec::with_capacity(appends.len()),
            rows: Vec::with_capacity(appends.len()),
            shots: Vec::new(),
        };
        for append in appends {
            let (game, before) = (append.game.as_str(), signed(append.before));
            let last = signed(append.before + append.lines.len() as u64);
            batch.moves.push((game, before, last));
            let lines = (before + 1..).zip(&append.lines);
            batch.rows.extend(lines.map(|(n, line)| (game, n, append.at, line.as_str())));
            batch.shots.extend(append.snapshot.iter().map(|state| (game, last, to_hex(state))));
        }
        batch
    }
}

/// `rows` rows of `columns` parameters each, the first of which is number `first`.
fn values(rows: usize, columns: usize, first: usize) -> String {
    let mut text = String::from("VALUES ");
    for row in 0..rows {
        text.push_str(if row == 0 { "(" } else { ", (" });
        for column in 0..columns {
            let comma = if column == 0 { "" } else { ", " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{comma}?{}", first + row * columns + column);
        }
        text.push(')');
    }
    text
}

/// A batch of SQLite in one transaction and one trip to its thread: either all games stand where
/// their orders found them and everything is written, or nothing is. Each size of batch has a
/// statement of its own, which is prepared once; sizes are rounded up to a power of two, and the rows
/// that are too many are empty and fit no game.
fn sqlite_statement(moves: usize, rows: usize, shots: usize) -> String {
    let (first_row, first_shot) = (3 + 3 * moves, 3 + 3 * moves + 4 * rows);
    let fits = "games.id = w.column1 AND games.entries = w.column2";
    let mut text = format!(
        "BEGIN IMMEDIATE; \
        WITH w AS ({moves}) UPDATE games SET entries = w.column3 FROM w WHERE {fits} \
            AND (SELECT COUNT(*) FROM w JOIN games ON {fits}) = ?1; \
        INSERT INTO entries (game, n, at, line) \
            SELECT * FROM ({rows}) WHERE changes() = ?1 AND column1 IS NOT NULL; ",
        moves = values(moves, 3, 3),
        rows = values(rows, 4, first_row),
    );
    if shots > 0 {
        // As many changes as there are lines tell that the lines were written just now.
        let _ = write!(
            text,
            "INSERT INTO snapshots (game, n, product, state) \
                SELECT column1, column2, ?2, column3 FROM ({shots}) \
                WHERE changes() > 0 AND column1 IS NOT NULL \
                ON CONFLICT (game) DO UPDATE \
                SET n = excluded.n, product = excluded.product, state = excluded.state; ",
            shots = values(shots, 3, first_shot),
        );
    }
    text.push_str("COMMIT");
    text
}

/// The same on PostgreSQL, in one statement, which is a transaction by itself; and all processes are
/// told. Games that another process has moved on are left out, and the others are written.
const POSTGRES: &str = "WITH moved AS ( \
        UPDATE games SET entries = w.l \
        FROM UNNEST($1::text[], $2::bigint[], $3::bigint[]) AS w (g, f, l) \
        WHERE games.id = w.g AND games.entries = w.f RETURNING games.id, games.entries), \
    written AS ( \
        INSERT INTO entries (game, n, at, line) \
        SELECT g, n, a, t FROM UNNEST($4::text[], $5::bigint[], $6::bigint[], $7::text[]) AS r (g, n, a, t) \
        JOIN moved ON moved.id = g), \
    kept AS ( \
        INSERT INTO snapshots (game, n, product, state) \
        SELECT g, l, $8, s FROM UNNEST($9::text[], $10::bigint[], $11::text[]) AS s (g, l, s) \
        JOIN moved ON moved.id = g \
        ON CONFLICT (game) DO UPDATE \
        SET n = excluded.n, product = excluded.product, state = excluded.state), \
    told AS MATERIALIZED ( \
        SELECT string_agg(id, ',') AS ids, pg_notify($12, string_agg(id || ':' || entries, ',')) FROM moved) \
    SELECT COALESCE(ids, '') FROM told";

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
    let mut connection = match kept.take() {
        Some(connection) => connection,
        None => connect(db).await?,
    };
    let done = match &mut connection {
        Connection::Sqlite(connection) => write_sqlite(connection, appends).await,
        Connection::Postgres(connection) => write_postgres(connection, appends).await,
    };
    match done {
        Ok(moved) => {
            *kept = Some(connection);
            Ok(moved)
        }
        Err(error) => {
            // A connection that cannot even take back is broken; either way it is not kept.
            let _ = execute!(&mut connection, "ROLLBACK");
            Err(error.into())
        }
    }
}

/// All at once; or, if one of the orders came too late, one after the other.
async fn write_sqlite(
    connection: &mut PoolConnection<Sqlite>,
    appends: &[Append],
) -> Result<BTreeSet<String>, sqlx::Error> {
    let all = |appends: &[Append]| appends.iter().map(|append| append.game.clone()).collect();
    if write_sqlite_whole(connection, appends).await? {
        return Ok(all(appends));
    }
    let mut moved = BTreeSet::new();
    for append in appends.chunks(1) {
        if appends.len() > 1 && write_sqlite_whole(connection, append).await? {
            moved.extend(all(append));
        }
    }
    Ok(moved)
}

/// Writes all of these orders or none; which, is given back.
async fn write_sqlite_whole(
    connection: &mut PoolConnection<Sqlite>,
    appends: &[Append],
) -> Result<bool, sqlx::Error> {
    let Batch { moves, rows, shots } = Batch::of(appends);
    let padding = |count: usize| if count == 0 { 0 } else { count.next_power_of_two() - count };
    let (no_moves, no_rows, no_shots) = (padding(moves.len()), padding(rows.len()), padding(shots.len()));
    let sql = sqlite_statement(moves.len() + no_moves, rows.len() + no_rows, shots.len() + no_shots);
    let count = i64::try_from(moves.len()).unwrap_or(i64::MAX);
    let mut query = sqlx::query(&sql).bind(count).bind(env!("CARGO_PKG_VERSION"));
    for (game, before, last) in moves {
        query = query.bind(game).bind(before).bind(last);
    }
    for _ in 0..3 * no_moves {
        query = query.bind(None::<i64>);
    }
    for (game, n, at, line) in rows {
        query = query.bind(game).bind(n).bind(at).bind(line);
    }
    for _ in 0..4 * no_rows {
        query = query.bind(None::<i64>);
    }
    for (game, n, state) in shots {
        query = query.bind(game).bind(n).bind(state);
    }
    for _ in 0..3 * no_shots {
        query = query.bind(None::<i64>);
    }
    // The second statement moves the games on.
    let mut results = (&mut **connection).fetch_many(query);
    let (mut statement, mut moved) = (0, 0);
    while let Some(result) = results.try_next().await? {
        if let Either::Left(done) = result {
            statement += 1;
            if statement == 2 {
                moved = done.rows_affected();
            }
        }
    }
    Ok(i64::try_from(moved) == Ok(count))
}

async fn write_postgres(
    connection: &mut PoolConnection<Postgres>,
    appends: &[Append],
) -> Result<BTreeSet<String>, sqlx::Error> {
    let Batch { moves, rows, shots } = Batch::of(appends);
    let column = |read: fn(&(&str, i64, i64)) -> i64| moves.iter().map(read).collect::<Vec<i64>>();
    let moved: String = sqlx::query_scalar(POSTGRES)
        .bind(moves.iter().map(|(game, _, _)| *game).collect::<Vec<_>>())
        .bind(column(|(_, before, _)| *before))
        .bind(column(|(_, _, last)| *last))
        .bind(rows.iter().map(|(game, _, _, _)| *game).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, n, _, _)| *n).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, _, at, _)| *at).collect::<Vec<_>>())
        .bind(rows.iter().map(|(_, _, _, line)| *line).collect::<Vec<_>>())
        .bind(env!("CARGO_PKG_VERSION"))
        .bind(shots.iter().map(|(game, _, _)| *game).collect::<Vec<_>>())
        .bind(shots.iter().map(|(_, n, _)| *n).collect::<Vec<_>>())
        .bind(shots.iter().map(|(_, _, state)| state.as_str()).collect::<Vec<_>>())
        .bind(CHANNEL)
        .fetch_one(&mut **connection)
        .await?;
    Ok(moved.split(',').map(str::to_owned).collect())
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
