//! `cargo xtask load`: how many orders the server takes, and how long the other side waits to hear of
//! them. Bounded, on this machine only: the server is started on the loopback address with a database
//! of its own, and stopped at the end.
//!
//! With the kernel's example game, in which one side digs and takes back for ever, what is measured
//! is the server (legality, dice, hashes, durable commit, events); with any other game its rules as well.

mod attacks;
mod bots;
mod wire;

use std::cell::{Cell, RefCell};
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::{LocalSet, spawn_local};

use self::attacks::{Attack, Pressed};
use self::bots::{Pace, Table};
use crate::postgres::Postgres;
use crate::run::{Failure, cargo, root, run as run_command};

/// Nobody needs more; and a slip of the finger should not take the machine down.
const MOST: usize = 2000;

/// Orders a second beside attacks, where nothing is said: a full evening, not a race.
const PACE: u32 = 200;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// What is played: a system that the server knows.
    #[arg(long, default_value = EXAMPLE)]
    game: String,
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
    /// Beside play, attack the server in every way known, one after the other for so many seconds each.
    #[arg(long)]
    attacks: bool,
    /// Take the server as it was last built.
    #[arg(long)]
    no_build: bool,
}

/// The example game.
pub(crate) const EXAMPLE: &str = "countermine";

/// What was seen.
#[derive(Default)]
struct Figures {
    orders: Cell<u64>,
    errors: Cell<u64>,
    /// From order to the other side's event, in microseconds.
    waits: RefCell<Vec<u32>>,
    random: Cell<u64>,
}

impl Figures {
    fn answered(&self, status: u16) {
        let count = if status == 200 { &self.orders } else { &self.errors };
        count.set(count.get() + 1);
    }

    fn failed(&self, error: &std::io::Error) {
        eprintln!("{error}");
        self.errors.set(self.errors.get() + 1);
    }

    fn waited(&self, wait: Duration) {
        self.waits.borrow_mut().push(u32::try_from(wait.as_micros()).unwrap_or(u32::MAX));
    }

    /// A number below `count`: the choices of the bots, the same in every run.
    fn below(&self, count: u32) -> usize {
        let next =
            self.random.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.random.set(next);
        usize::try_from((next >> 33) % u64::from(count.max(1))).unwrap_or_default()
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if args.games > MOST || args.streams > 4 * MOST || args.seconds > 600 {
        return Err(format!("at most {MOST} games, {} streams, 600 seconds", 4 * MOST));
    }
    if !args.no_build {
        run_command(cargo(&["build", "--release", "-p", "glacis", "--example", "host"]))?;
    }
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
    let busy = load_average();
    let attacks = if args.attacks { &Attack::ALL[..] } else { &[Attack::None] };
    let mut failed = None;
    for &attack in attacks {
        let figures = Rc::new(Figures::default());
        let local = LocalSet::new();
        let done = local.block_on(&runtime, async {
            let pressed = args.attacks.then(|| Pressed::begin(&server.address, attack));
            let spent = load(args, &server, &figures).await;
            let seen = match pressed {
                Some(pressed) => Some(pressed.end().await),
                None => None,
            };
            spent.map(|spent| (spent, seen))
        });
        match done {
            Ok((spent, seen)) => {
                let mut figures = report(args, &figures, &spent, server.resident(), busy.as_deref());
                if let Some(seen) = seen {
                    figures["attack"] = json!(attack.name());
                    figures["noticed"] = seen.report();
                }
                println!("{}", serde_json::to_string_pretty(&figures).unwrap_or_default());
            }
            Err(error) => failed = Some(format!("{}: {error}", attack.name())),
        }
    }
    server.stop();
    let _ = std::fs::remove_dir_all(&folder);
    failed.map_or(Ok(()), Err)
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
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("the server does not start: {error}"))?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            let _ = BufReader::new(stdout).read_line(&mut line);
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

/// The time a process spent on the processors, in seconds. The kernel counts in hundredths.
fn processor_seconds(process: &str) -> f64 {
    let ticks = || {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
        Some(fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?)
    };
    ticks().unwrap_or(0.0) / 100.0
}

/// How busy the machine is with other things.
fn load_average() -> Option<String> {
    let text = std::fs::read_to_string("/proc/loadavg").ok()?;
    text.split(' ').next().map(str::to_owned)
}

/// What the playing took, in seconds.
struct Spent {
    time: f64,
    server: f64,
    clients: f64,
}

async fn load(args: &Args, server: &Server, figures: &Rc<Figures>) -> std::io::Result<Spent> {
    let mut tables = Vec::new();
    for _ in 0..args.games {
        tables.push(Table::begin(&server.address, &args.game, figures).await?);
    }
    // Bots that play what is offered open the streams of their sides themselves; more are spectators.
    let streams = args.streams.max(2 * args.games);
    let first = if args.game == EXAMPLE { 0 } else { 2 * args.games };
    for number in first..streams {
        let side = Some(number / args.games).filter(|&side| side < 2);
        tables[number % args.games].listen(side, None).await?;
    }
    let process = server.child.id().to_string();
    let (before, own) = (processor_seconds(&process), processor_seconds("self"));
    let began = Instant::now();
    let pace = Pace {
        every: args
            .orders
            .or(args.attacks.then_some(PACE))
            .map(|orders| Duration::from_secs_f64(args.games as f64 / f64::from(orders.max(1)))),
        end: began + Duration::from_secs(args.seconds),
    };
    let mut players = Vec::new();
    for (place, table) in tables.into_iter().enumerate() {
        let first = pace.every.map_or(began, |pace| began + pace.mul_f64(place as f64 / args.games as f64));
        players.push(spawn_local(keep_playing(
            table,
            args.game.clone(),
            server.address.clone(),
            figures.clone(),
            first,
            pace,
        )));
    }
    for player in players {
        let _ = player.await;
    }
    Ok(Spent {
        time: began.elapsed().as_secs_f64(),
        server: processor_seconds(&process) - before,
        clients: processor_seconds("self") - own,
    })
}

/// Plays a game, and another when it is over, until the time is up.
async fn keep_playing(
    mut table: Rc<Table>,
    game: String,
    address: String,
    figures: Rc<Figures>,
    first: Instant,
    pace: Pace,
) {
    tokio::time::sleep_until(first.into()).await;
    loop {
        if let Err(error) = table.play(pace).await {
            return figures.failed(&error);
        }
        if Instant::now() >= pace.end {
            return;
        }
        match Table::begin(&address, &game, &figures).await {
            Ok(next) => table = next,
            Err(error) => return figures.failed(&error),
        }
    }
}

fn report(args: &Args, figures: &Figures, spent: &Spent, memory: Option<u64>, busy: Option<&str>) -> Value {
    let mut waits = figures.waits.take();
    waits.sort_unstable();
    let at = |permille: usize| {
        let place = waits.len().saturating_sub(1) * permille / 1000;
        waits.get(place).map(|&micros| f64::from(micros) / 1000.0)
    };
    let orders = figures.orders.get();
    let each = |seconds: f64| (seconds * 1e6 / orders.max(1) as f64).round();
    json!({
        "game": format!("{:?}", args.game).to_lowercase(),
        "database": if args.postgres { "postgres" } else { "sqlite" },
        "games": args.games,
        "streams": args.streams.max(2 * args.games),
        "seconds": spent.time,
        "orders": orders,
        "orders_per_second": (orders as f64 / spent.time).round(),
        "errors": figures.errors.get(),
        "events_timed": waits.len(),
        "event_after_ms": { "p50": at(500), "p95": at(950), "p99": at(990), "max": at(1000) },
        "processor_microseconds_per_order": { "server": each(spent.server), "clients": each(spent.clients) },
        "resident_mb": memory.map(|kilobytes| kilobytes / 1024),
        "load_average_before": busy,
    })
}
