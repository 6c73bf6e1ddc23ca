//! Servers as processes, on free ports, over both databases.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use sqlx::{ConnectOptions, Connection, Row};
use yardstick::patience;

use crate::client::Client;

/// A database of one test: a file of its own, or a schema of its own in a shared PostgreSQL.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    pub(crate) address: String,
}

impl Database {
    /// The file of an SQLite database.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        self.address.strip_prefix("sqlite:").map(PathBuf::from)
    }

    /// Runs a statement behind the back of any server; gives its first number, if it gives any.
    pub(crate) fn run(&self, statement: &str) -> Option<i64> {
        let Some(file) = self.file() else {
            let output = Command::new("psql").args([&self.address, "-qtAc", statement]).output().unwrap();
            assert!(output.status.success(), "{output:?}");
            return String::from_utf8(output.stdout).unwrap().trim().parse().ok();
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let options = sqlx::sqlite::SqliteConnectOptions::new().filename(file);
            let mut connection = options.connect().await.unwrap();
            let row = sqlx::query(statement).fetch_optional(&mut connection).await.unwrap();
            connection.close().await.unwrap();
            row.map(|row| row.get(0))
        })
    }
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

fn unique() -> String {
    format!("t{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// The databases to test with. `GLACIS_TEST_POSTGRES` is the address of a PostgreSQL that may be
/// filled with rubbish; `cargo xtask test` starts one.
pub(crate) fn databases() -> Vec<Database> {
    std::iter::once(sqlite()).chain(postgres()).collect()
}

pub(crate) fn sqlite() -> Database {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(unique()).join("games.db");
    Database { address: format!("sqlite:{}", file.display()) }
}

/// A database in the PostgreSQL of the tests, if there is one.
pub(crate) fn postgres() -> Option<Database> {
    let server = std::env::var("GLACIS_TEST_POSTGRES").ok();
    if server.is_none() {
        eprintln!("skipped (1): no PostgreSQL; `cargo xtask test` starts one");
    }
    let server = server?;
    let schema = unique();
    let made = Command::new("psql")
        .args([&server, "-q", "-c", &format!("CREATE SCHEMA {schema}")])
        .status()
        .unwrap();
    assert!(made.success());
    let mark = if server.contains('?') { '&' } else { '?' };
    Some(Database { address: format!("{server}{mark}options=-csearch_path%3D{schema}") })
}

/// A server with the example game.
pub(crate) struct House {
    child: Child,
    pub(crate) address: SocketAddr,
    database: Database,
    rate: u32,
    log: PathBuf,
}

impl House {
    pub(crate) fn open(database: &Database) -> Self {
        Self::open_with(database, "127.0.0.1:0".parse().unwrap(), 0)
    }

    pub(crate) fn open_with(database: &Database, listen: SocketAddr, rate: u32) -> Self {
        Self::open_by(Command::new(host()), database, listen, rate)
    }

    /// A server whose files cannot grow beyond so many blocks of 512 bytes: for it the disk is full.
    pub(crate) fn open_cramped(database: &Database, blocks: u32) -> Self {
        let mut shell = Command::new("sh");
        // Told by an error and not by a signal, as on a full disk.
        shell.args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\""), "sh"]).arg(host());
        Self::open_by(shell, database, "127.0.0.1:0".parse().unwrap(), 0)
    }

    fn open_by(mut command: Command, database: &Database, listen: SocketAddr, rate: u32) -> Self {
        let began = Instant::now();
        let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}.log", unique()));
        command.args([listen.to_string(), database.address.clone(), rate.to_string()]);
        loop {
            let mut child = command
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(std::fs::File::create(&log).unwrap())
                .spawn()
                .unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            if let Ok(address) = line.trim().parse() {
                return Self { child, address, database: database.clone(), rate, log };
            }
            let _ = child.wait();
            assert!(began.elapsed() < patience(Duration::from_secs(10)), "the server does not start");
        }
    }

    pub(crate) fn client(&self) -> Client {
        Client::to(self.address)
    }

    /// What it wrote to its log since it was started.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap()
    }

    /// The most memory it has had so far, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
    }

    /// Pulls the plug: SIGKILL.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts again, at the same address.
    pub(crate) fn again(&mut self) {
        *self = Self::open_with(&self.database.clone(), self.address, self.rate);
    }

    /// Stops it as a service manager would; whether it ended well.
    pub(crate) fn interrupt(&mut self) -> bool {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().success()
    }
}

impl Drop for House {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The program itself, serving with options.
pub(crate) struct Served {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl Served {
    pub(crate) fn open(database: &Database, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_glacis"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database", &database.address])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().rsplit_once("http://").unwrap().1.parse().unwrap();
        Self { child, address }
    }

    pub(crate) fn client(&self) -> Client {
        Client::to(self.address)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The example server, which `cargo test` builds beside the tests.
fn host() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    let folder = tests.parent().and_then(|folder| folder.parent()).unwrap();
    folder.join("examples").join(format!("host{}", std::env::consts::EXE_SUFFIX))
}
