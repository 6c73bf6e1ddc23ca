//! `cargo xtask load`: how many orders the server takes, and how long the other side waits to hear of
//! them. Bounded, on this machine only: the server is started on the loopback address with a database
//! of its own, and stopped at the end.
//!
//! The game is the kernel's example, in which one side digs and takes back for ever: what is measured
//! is the server (legality, dice, hashes, durable commit, events), not one game's rules.

use std::collections::HashMap;
use std::io::{BufRead, BufReader as StdReader};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::postgres::Postgres;
use crate::run::{Failure, cargo, root, run as run_command};

/// Nobody needs more; and a slip of the finger should not take the machine down.
const MOST: usize = 2000;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games.
    #[arg(long, default_value_t = 64)]
    games: usize,
    /// How many event streams in all; at least one for each side of each game.
    #[arg(long, default_value_t = 0)]
    streams: usize,
    /// Orders a second in all; as fast as the server answers where nothing is said.
    #[arg(long)]
    orders: Option<u32>,
    /// For how long.
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// A private PostgreSQL instead of SQLite.
    #[arg(long)]
    postgres: bool,
}

/// What was seen.
#[derive(Default)]
struct Figures {
    orders: AtomicU64,
    errors: AtomicU64,
    /// From order to the other side's event, in microseconds.
    waits: Mutex<Vec<u32>>,
}

/// When each entry of a game was ordered.
type Sent = Mutex<HashMap<u64, Instant>>;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.games > MOST || args.streams > 4 * MOST || args.seconds > 600 {
        return Err(format!("at most {MOST} games, {} streams, 600 seconds", 4 * MOST));
    }
    run_command(cargo(&["build", "--release", "-p", "glacis", "--example", "host"]))?;
    let postgres = if args.postgres { Postgres::start()? } else { None };
    let folder = root().join(format!("target/load-{}", std::process::id()));
    let database = match &postgres {
        Some(postgres) => postgres.address.clone(),
        None if args.postgres => return Err("there is no PostgreSQL".to_owned()),
        None => format!("sqlite:{}", folder.join("games.db").display()),
    };
    let mut server = Server::start(&database)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let figures = Arc::new(Figures::default());
    let done = runtime.block_on(load(args, server.address.clone(), figures.clone()));
    let memory = server.resident();
    server.stop();
    let _ = std::fs::remove_dir_all(&folder);
    let took = done.map_err(|error| error.to_string())?;
    report(args, &figures, took, memory);
    Ok(())
}

struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(database: &str) -> Result<Self, Failure> {
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
        let mut child = Command::new(target.join("release/examples/host"))
            .args(["127.0.0.1:0", database, "0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("the server does not start: {error}"))?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            let _ = StdReader::new(stdout).read_line(&mut line);
        }
        Ok(Self { child, address: line.trim().to_owned() })
    }

    /// Its resident memory, in kilobytes.
    fn resident(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    fn stop(&mut self) {
        let _ = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        let _ = self.child.wait();
    }
}

/// A connection that speaks HTTP by hand.
struct Wire {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Wire {
    async fn open(address: &str) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address: address.to_owned() })
    }

    async fn head(&mut self) -> std::io::Result<(u16, usize)> {
        let (mut status, mut length) = (0, 0);
        let mut line = String::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
                status = rest.get(..3).and_then(|code| code.parse().ok()).unwrap_or(0);
            } else if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap_or(0);
            } else if line.trim().is_empty() {
                return Ok((status, length));
            }
        }
    }

    async fn send(
        &mut self,
        method: &str,
        path: &str,
        secret: &str,
        body: &str,
    ) -> std::io::Result<(u16, Vec<u8>)> {
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {secret}\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        self.stream.get_mut().write_all(request.as_bytes()).await?;
        let (status, length) = self.head().await?;
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).await?;
        Ok((status, body))
    }

    /// The data of the next event of a stream.
    async fn event(&mut self, line: &mut String) -> std::io::Result<()> {
        loop {
            line.clear();
            if self.stream.read_line(line).await? == 0 {
                return Err(std::io::ErrorKind::UnexpectedEof.into());
            }
            if line.starts_with("data: ") {
                return Ok(());
            }
        }
    }
}

/// One game: its path and the secrets of its seats.
struct Seats {
    path: String,
    besieger: String,
    garrison: String,
    spectator: String,
}

async fn begin(wire: &mut Wire) -> std::io::Result<Seats> {
    let body = json!({ "system": "countermine", "scenario": "broad" }).to_string();
    let (_, answer) = wire.send("POST", "/api/games", "", &body).await?;
    let answer: Value = serde_json::from_slice(&answer)?;
    let secret = |side: &str| {
        let seat = answer["seats"].as_array()?.iter().find(|seat| seat["side"] == side)?;
        seat["secret"].as_str().map(str::to_owned)
    };
    let missing = || std::io::Error::other(format!("no game: {answer}"));
    let seats = Seats {
        path: format!("/api/games/{}", answer["game"].as_str().ok_or_else(missing)?),
        besieger: secret("besieger").ok_or_else(missing)?,
        garrison: secret("garrison").ok_or_else(missing)?,
        spectator: secret("spectator").ok_or_else(missing)?,
    };
    let lay = json!({ "seen": 0, "action": { "lay": 3 } }).to_string();
    wire.send("POST", &format!("{}/act", seats.path), &seats.garrison, &lay).await?;
    Ok(seats)
}

async fn load(args: &Args, address: String, figures: Arc<Figures>) -> std::io::Result<Duration> {
    let mut wire = Wire::open(&address).await?;
    let mut games = Vec::new();
    for _ in 0..args.games {
        games.push((Arc::new(begin(&mut wire).await?), Arc::new(Sent::default())));
    }
    // The other side listens; more streams are spectators, who listen too.
    let streams = args.streams.max(2 * args.games);
    for number in 0..streams {
        let (seats, sent) = games[number % games.len()].clone();
        let round = number / games.len();
        let mut wire = Wire::open(&address).await?;
        let figures = figures.clone();
        let secret = [&seats.garrison, &seats.besieger, &seats.spectator][round.min(2)].clone();
        let request = format!(
            "GET {}/events HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {secret}\r\n\r\n",
            seats.path
        );
        wire.stream.get_mut().write_all(request.as_bytes()).await?;
        let (status, _) = wire.head().await?;
        if status != 200 {
            return Err(std::io::Error::other(format!("a stream is refused with {status}")));
        }
        tokio::spawn(async move {
            let mut line = String::new();
            while wire.event(&mut line).await.is_ok() {
                let now = Instant::now();
                let n = number_after(&line, "\"n\":");
                let sent = sent.lock().unwrap_or_else(PoisonError::into_inner);
                if let (Some(at), true) = (n.and_then(|n| sent.get(&n)), round != 1) {
                    let wait = u32::try_from(now.duration_since(*at).as_micros()).unwrap_or(u32::MAX);
                    figures.waits.lock().unwrap_or_else(PoisonError::into_inner).push(wait);
                }
            }
        });
    }
    let began = Instant::now();
    let end = began + Duration::from_secs(args.seconds);
    let pace =
        args.orders.map(|orders| Duration::from_secs_f64(args.games as f64 / f64::from(orders.max(1))));
    let mut players = Vec::new();
    for (place, (seats, sent)) in games.into_iter().enumerate() {
        let (address, figures) = (address.clone(), figures.clone());
        let first = pace.map_or(began, |pace| began + pace.mul_f64(place as f64 / args.games as f64));
        players.push(tokio::spawn(async move {
            tokio::time::sleep_until(first.into()).await;
            if play(&address, &seats, &sent, &figures, pace, end).await.is_err() {
                figures.errors.fetch_add(1, Ordering::Relaxed);
            }
        }));
    }
    for player in players {
        let _ = player.await;
    }
    Ok(began.elapsed())
}

/// The besieger digs and takes back, each order as soon as the last is acknowledged, or at a pace.
async fn play(
    address: &str,
    seats: &Seats,
    sent: &Sent,
    figures: &Figures,
    pace: Option<Duration>,
    end: Instant,
) -> std::io::Result<()> {
    let mut wire = Wire::open(address).await?;
    let mut next = Instant::now();
    for n in 1_u64.. {
        if Instant::now() >= end {
            break;
        }
        let (path, body) = if n % 2 == 1 {
            ("act", format!("{{\"seen\":{n},\"action\":{{\"dig\":{}}}}}", n / 2 % 4))
        } else {
            ("undo", format!("{{\"seen\":{n}}}"))
        };
        {
            let mut sent = sent.lock().unwrap_or_else(PoisonError::into_inner);
            sent.insert(n + 1, Instant::now());
            sent.remove(&n.saturating_sub(64));
        }
        let (status, _) =
            wire.send("POST", &format!("{}/{path}", seats.path), &seats.besieger, &body).await?;
        if status == 200 {
            figures.orders.fetch_add(1, Ordering::Relaxed);
        } else {
            figures.errors.fetch_add(1, Ordering::Relaxed);
        }
        if let Some(pace) = pace {
            next += pace;
            tokio::time::sleep_until(next.into()).await;
        }
    }
    Ok(())
}

fn number_after(text: &str, key: &str) -> Option<u64> {
    let rest = &text[text.find(key)? + key.len()..];
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn report(args: &Args, figures: &Figures, took: Duration, memory: Option<u64>) {
    let mut waits = figures.waits.lock().unwrap_or_else(PoisonError::into_inner).clone();
    waits.sort_unstable();
    let at = |permille: usize| {
        let place = waits.len().saturating_sub(1) * permille / 1000;
        waits.get(place).map(|&micros| f64::from(micros) / 1000.0)
    };
    let orders = figures.orders.load(Ordering::Relaxed);
    let figures = json!({
        "database": if args.postgres { "postgres" } else { "sqlite" },
        "games": args.games,
        "streams": args.streams.max(2 * args.games),
        "seconds": took.as_secs_f64(),
        "orders": orders,
        "orders_per_second": orders as f64 / took.as_secs_f64(),
        "errors": figures.errors.load(Ordering::Relaxed),
        "events_timed": waits.len(),
        "event_after_ms": { "p50": at(500), "p95": at(950), "p99": at(990), "max": at(1000) },
        "resident_mb": memory.map(|kilobytes| kilobytes / 1024),
    });
    println!("{}", serde_json::to_string_pretty(&figures).unwrap_or_default());
}
