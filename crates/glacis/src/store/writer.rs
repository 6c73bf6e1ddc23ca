//! The one writer of a process. Orders that arrive while a commit is under way share the next one:
//! one wait for the disk serves them all (group commit). The number of every entry is checked in the
//! transaction that writes it.

use std::collections::BTreeSet;
use std::fmt::Write;

use futures_util::TryStreamExt;
use sqlx::pool::PoolConnection;
use sqlx::{Either, Executor, Postgres, Sqlite};
use tokio::sync::{mpsc, oneshot};

use super::file::{File, Identity};
use super::laid::{Laying, lay_rows};
use super::read::to_hex;
use super::{Adopted, Append, CHANNEL, Cut, Db, NewGame, StoreFault, now};

/// The most orders that share a commit: their names fit into one message of PostgreSQL.
const MOST_TOGETHER: usize = 256;

/// So many lines of a record that is taken over are written with one statement.
const LINES_AT_ONCE: usize = 256;

/// Whoever asks whether anything can be written wants to know of so many bytes.
const PROBE_ROOM: usize = 16 << 10;

pub(super) type Reply = oneshot::Sender<Result<(), StoreFault>>;

pub(super) enum Job {
    Create(Box<NewGame>, Reply),
    Append(Append, Reply),
    Cut(Cut, Reply),
    Lay(Laying, Reply),
    Probe(Reply),
    Stop(Reply),
}

pub(super) fn start(db: Db, file: Option<File>) -> mpsc::Sender<Job> {
    let (send, receive) = mpsc::channel(4096);
    tokio::spawn(run(Pen { db, file, kept: None }, receive));
    send
}

async fn run(mut pen: Pen, mut jobs: mpsc::Receiver<Job>) {
    let mut held = None;
    // A database that does not answer now is met again with the first job.
    pen.kept = pen.connect().await.ok();
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
            append_all(&mut pen, appends).await;
            continue;
        }
        match held.take() {
            Some(Job::Create(game, reply)) => {
                let _ = reply.send(pen.write(Deed::Rows(Rows::Create(&game))).await.map(drop));
            }
            Some(Job::Cut(cut, reply)) => {
                let done = pen.write(Deed::Rows(Rows::Cut(&cut))).await;
                let fits = |moved: BTreeSet<String>| {
                    if moved.contains(&cut.game) { Ok(()) } else { Err(StoreFault::Conflict) }
                };
                let _ = reply.send(done.and_then(fits));
            }
            Some(Job::Lay(laying, reply)) => {
                let done = pen.write(Deed::Rows(Rows::Lay(&laying))).await;
                let fits = |moved: BTreeSet<String>| {
                    if moved.contains(laying.word()) { Ok(()) } else { Err(StoreFault::Conflict) }
                };
                let _ = reply.send(done.and_then(fits));
            }
            // Whoever asked may have been told meanwhile that it takes too long.
            Some(Job::Probe(reply)) if reply.is_closed() => {}
            Some(Job::Probe(reply)) => {
                let _ = reply.send(pen.write(Deed::Rows(Rows::Probe)).await.map(drop));
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
async fn append_all(pen: &mut Pen, appends: Vec<(Append, Reply)>) {
    let (appends, replies): (Vec<Append>, Vec<Reply>) = appends.into_iter().unzip();
    let mut done = pen.write(Deed::Append(&appends)).await;
    if matches!(done, Err(StoreFault::Failed(ref why)) if why.contains("deadlock")) {
        done = pen.write(Deed::Append(&appends)).await;
    }
    match done {
        Ok(moved) => {
            for (append, reply) in appends.iter().zip(replies) {
                let won = moved.contains(&append.game);
                let _ = reply.send(if won { Ok(()) } else { Err(StoreFault::Conflict) });
            }
        }
        Err(fault) => {
            for reply in replies {
                let _ = reply.send(Err(fault.clone()));
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

/// `rows` rows of `columns` parameters each. They have no numbers: what a statement of several leaves
/// out of a numbering would be bound to the next one's.
fn values(rows: usize, columns: usize) -> String {
    let row = format!("({})", vec!["?"; columns].join(", "));
    format!("VALUES {}", vec![row; rows].join(", "))
}

/// A batch of SQLite in one transaction and one trip to its thread: either all games stand where
/// their orders found them and everything is written, or nothing is. Each size of batch has a
/// statement of its own, which is prepared once; sizes are rounded up to a power of two, and the rows
/// that are too many are empty and fit no game.
fn sqlite_statement(moves: usize, rows: usize, shots: usize) -> String {
    // The count alone is not enough: nothing is written after an entry that is not there.
    let fits = "games.id = w.column1 AND games.entries = w.column2 AND (w.column2 = 0 \
        OR EXISTS (SELECT 1 FROM entries WHERE game = w.column1 AND n = w.column2))";
    let mut text = format!(
        "BEGIN IMMEDIATE; \
        WITH w AS ({moves}) UPDATE games SET entries = w.column3 FROM w WHERE {fits} \
            AND (SELECT COUNT(*) FROM w JOIN games ON {fits}) = ?; \
        INSERT INTO entries (game, n, at, line) \
            SELECT * FROM ({rows}) WHERE changes() = ? AND column1 IS NOT NULL; ",
        moves = values(moves, 3),
        rows = values(rows, 4),
    );
    if shots > 0 {
        // As many changes as there are lines tell that the lines were written just now.
        let _ = write!(
            text,
            "INSERT INTO snapshots (game, n, product, state) \
                SELECT * FROM ({shots}) WHERE changes() > 0 AND column1 IS NOT NULL \
                ON CONFLICT (game) DO UPDATE \
                SET n = excluded.n, product = excluded.product, state = excluded.state; ",
            shots = values(shots, 4),
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
        WHERE games.id = w.g AND games.entries = w.f \
        AND (w.f = 0 OR EXISTS (SELECT 1 FROM entries WHERE game = w.g AND n = w.f)) \
        RETURNING games.id, games.entries), \
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
pub(super) enum Connection {
    Sqlite(PoolConnection<Sqlite>),
    Postgres(PoolConnection<Postgres>),
}

/// Runs a statement on either connection; gives how many rows it changed.
macro_rules! execute {
    ($connection:expr, $query:expr $(, $value:expr)*) => {
        match $connection {
            Connection::Sqlite(connection) => {
                sqlx::query($query)$(.bind($value))*.execute(&mut **connection).await.map(|done| done.rows_affected())
            }
            Connection::Postgres(connection) => {
                sqlx::query($query)$(.bind($value))*.execute(&mut **connection).await.map(|done| done.rows_affected())
            }
        }
    };
}

pub(super) use execute;

/// What is to be written: a batch of orders, which has a statement of its own, or anything else.
#[derive(Clone, Copy)]
enum Deed<'a> {
    Append(&'a [Append]),
    Rows(Rows<'a>),
}

/// What is written statement by statement.
#[derive(Clone, Copy)]
enum Rows<'a> {
    Create(&'a NewGame),
    Cut(&'a Cut),
    Lay(&'a Laying),
    /// Nothing that stays: whether anything could be.
    Probe,
}

/// The one connection that writes: its memory of the last pages stays right, as nobody else does.
struct Kept {
    connection: Connection,
    /// The log that SQLite writes through it.
    log: Option<Identity>,
}

struct Pen {
    db: Db,
    /// The file, where the database is one.
    file: Option<File>,
    kept: Option<Kept>,
}

impl Pen {
    async fn connect(&self) -> Result<Kept, StoreFault> {
        let connection = match &self.db {
            Db::Sqlite(pool) => {
                let mut connection = pool.acquire().await?;
                // The log is there once something was read.
                sqlx::query("SELECT 1 FROM games LIMIT 1").execute(&mut *connection).await?;
                Connection::Sqlite(connection)
            }
            Db::Postgres(pool) => Connection::Postgres(pool.acquire().await?),
        };
        Ok(Kept { connection, log: self.file.as_ref().and_then(File::log) })
    }

    /// Whether what this connection writes can be read under the name of the file.
    async fn check(&self, kept: &mut Kept) -> Result<(), StoreFault> {
        let Some(file) = &self.file else { return Ok(()) };
        if !file.is_there() {
            return Err(file.gone());
        }
        if kept.log.is_none() || file.log() != kept.log {
            // The log alone is gone, with orders that were acknowledged: they go home into the file.
            execute!(&mut kept.connection, "PRAGMA wal_checkpoint(PASSIVE)")?;
            return Err(file.gone());
        }
        Ok(())
    }

    /// Writes, and gives the games whose orders came in time once it is sure where they went.
    async fn write(&mut self, deed: Deed<'_>) -> Result<BTreeSet<String>, StoreFault> {
        let mut kept = match self.kept.take() {
            Some(kept) => kept,
            None => self.connect().await?,
        };
        if let Err(fault) = self.check(&mut kept).await {
            self.kept = Some(kept);
            return Err(fault);
        }
        let done = match (&mut kept.connection, deed) {
            (Connection::Sqlite(connection), Deed::Append(appends)) => {
                write_sqlite(connection, appends).await
            }
            (Connection::Postgres(connection), Deed::Append(appends)) => {
                write_postgres(connection, appends).await
            }
            (connection, Deed::Rows(rows)) => write_rows(connection, rows).await,
        };
        match done {
            Ok(moved) => {
                let checked = self.check(&mut kept).await;
                self.kept = Some(kept);
                checked.map(|()| moved)
            }
            Err(error) => {
                // A connection that cannot even take back is broken; either way it is not kept.
                let _ = execute!(&mut kept.connection, "ROLLBACK");
                Err(error.into())
            }
        }
    }
}

/// Writes in one transaction; gives the game that was cut, or the table that was laid or changed.
async fn write_rows(connection: &mut Connection, rows: Rows<'_>) -> Result<BTreeSet<String>, sqlx::Error> {
    let begin = match connection {
        Connection::Sqlite(_) => "BEGIN IMMEDIATE",
        Connection::Postgres(_) => "BEGIN",
    };
    execute!(connection, begin)?;
    let mut moved = BTreeSet::new();
    match rows {
        Rows::Create(game) => create_rows(connection, game).await?,
        Rows::Cut(cut) => {
            if cut_rows(connection, cut).await? {
                moved.insert(cut.game.clone());
            }
        }
        Rows::Lay(laying) => {
            if lay_rows(connection, laying).await? {
                moved.insert(laying.word().to_owned());
            }
        }
        Rows::Probe => probe_rows(connection).await?,
    }
    execute!(connection, "COMMIT")?;
    Ok(moved)
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
    let mut query = sqlx::query(&sql);
    for (game, before, last) in moves {
        query = query.bind(game).bind(before).bind(last);
    }
    for _ in 0..3 * no_moves {
        query = query.bind(None::<i64>);
    }
    query = query.bind(count);
    for (game, n, at, line) in rows {
        query = query.bind(game).bind(n).bind(at).bind(line);
    }
    for _ in 0..4 * no_rows {
        query = query.bind(None::<i64>);
    }
    query = query.bind(count);
    for (game, n, state) in shots {
        query = query.bind(game).bind(n).bind(env!("CARGO_PKG_VERSION")).bind(state);
    }
    for _ in 0..4 * no_shots {
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

/// One statement for so many lines of one game: a record that is taken over holds nobody up.
fn many_lines(count: usize) -> String {
    let rows: Vec<String> =
        (0..count).map(|row| format!("($1, ${}, $2, ${})", 2 * row + 3, 2 * row + 4)).collect();
    format!("INSERT INTO entries (game, n, at, line) VALUES {}", rows.join(", "))
}

async fn create_rows(connection: &mut Connection, game: &NewGame) -> Result<(), sqlx::Error> {
    const GAME: &str =
        "INSERT INTO games (id, system, header, seed, entries, created) VALUES ($1, $2, $3, $4, $5, $6)";
    const SEAT: &str = "INSERT INTO seats (game, place, hash, player) VALUES ($1, $2, $3, $4)";
    let at = now();
    let entries = i64::try_from(game.lines.len()).unwrap_or(i64::MAX);
    execute!(connection, GAME, &game.id, &game.system, &game.header, &game.seed, entries, at)?;
    for seat in &game.seats {
        execute!(connection, SEAT, &game.id, seat.place, &seat.hash, &seat.player)?;
    }
    let lines: Vec<(i64, &String)> = (1_i64..).zip(&game.lines).collect();
    for lines in lines.chunks(LINES_AT_ONCE) {
        let sql = many_lines(lines.len());
        match connection {
            Connection::Sqlite(connection) => {
                let query = sqlx::query(&sql).bind(&game.id).bind(at);
                let query = lines.iter().fold(query, |query, (n, line)| query.bind(*n).bind(*line));
                query.execute(&mut **connection).await?;
            }
            Connection::Postgres(connection) => {
                let query = sqlx::query(&sql).bind(&game.id).bind(at);
                let query = lines.iter().fold(query, |query, (n, line)| query.bind(*n).bind(*line));
                query.execute(&mut **connection).await?;
            }
        }
    }
    Ok(())
}

/// Cuts a game back; whether it stood where it was said to stand.
async fn cut_rows(connection: &mut Connection, cut: &Cut) -> Result<bool, sqlx::Error> {
    const COUNT: &str = "UPDATE games SET entries = $1 WHERE id = $2 AND CAST(entries AS TEXT) = $3";
    const ENTRIES: &str = "DELETE FROM entries WHERE game = $1 AND n > $2";
    const SNAPSHOT: &str = "DELETE FROM snapshots WHERE game = $1";
    const SEED: &str = "UPDATE games SET seed = $1 WHERE id = $2";
    const LINE: &str = "INSERT INTO entries (game, n, at, line) VALUES ($1, $2, $3, $4)";
    let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let (sound, more) = (signed(cut.sound), i64::from(cut.adopted.is_some()));
    if execute!(connection, COUNT, sound + more, &cut.game, &cut.counted)? != 1 {
        return Ok(false);
    }
    execute!(connection, ENTRIES, &cut.game, sound)?;
    execute!(connection, SNAPSHOT, &cut.game)?;
    if let Some(Adopted { line, seed }) = &cut.adopted {
        execute!(connection, SEED, seed, &cut.game)?;
        execute!(connection, LINE, &cut.game, sound + 1, now(), line)?;
    }
    Ok(true)
}

/// A game that is begun and taken away again: it needs the room and the rights that an order needs.
async fn probe_rows(connection: &mut Connection) -> Result<(), sqlx::Error> {
    const BEGIN: &str = "INSERT INTO games (id, system, header, seed, entries, created) \
        VALUES ('probe', '', $1, '', 0, 0)";
    const END: &str = "DELETE FROM games WHERE id = 'probe'";
    execute!(connection, BEGIN, " ".repeat(PROBE_ROOM))?;
    execute!(connection, END)?;
    Ok(())
}
