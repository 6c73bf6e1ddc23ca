//! `cargo xtask load --attacks`: requests that cost the server as much as they can, one kind after the
//! other, beside play. What counts is what the players and the doctor notice of it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::Result;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::{JoinHandle, spawn_local};

use super::EXAMPLE;
use super::bots::systems;
use super::wire::Wire;
use crate::run::{crates_with, root};

/// So many press at once.
const PRESSING: usize = 16;
/// So many bodies are left half-sent at once.
const HALVES: usize = 1100;
/// The doctor asks this often.
const PULSE: Duration = Duration::from_millis(20);

/// A long game, to be taken over and looked back at.
static RECORD: LazyLock<String> = LazyLock::new(|| {
    let text = crates_with("src/lib.rs").ok().into_iter().flatten().find_map(|system| {
        let folder = std::fs::read_dir(root().join("scenarios").join(system)).ok()?;
        let mut files = folder.filter_map(std::result::Result::ok).map(|entry| entry.path());
        let record = files.find(|file| file.extension().is_some_and(|ending| ending == "record"))?;
        std::fs::read_to_string(record).ok()
    });
    text.unwrap_or_default()
});

/// What is done to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attack {
    /// Nothing, to compare with.
    None,
    /// A search for as many words as fit into a request.
    Words,
    /// A search for as many as are sought.
    Search,
    /// Pages of a scene with as many bodies as a page draws.
    Scene,
    /// A question about a scene as large as a request may be.
    Question,
    /// The odds of a long battle.
    Odds,
    /// Long records to take over.
    Import,
    /// Long games as they once stood, and their luck.
    Past,
    /// Bodies that never come to their end.
    Halves,
    /// Streams of events, more than a game has places.
    Streams,
    /// Games that machines play against each other.
    Machines,
}

impl Attack {
    pub(super) const ALL: [Self; 11] = [
        Self::None,
        Self::Words,
        Self::Search,
        Self::Scene,
        Self::Question,
        Self::Odds,
        Self::Import,
        Self::Past,
        Self::Halves,
        Self::Streams,
        Self::Machines,
    ];

    pub(super) fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// What was seen of an attack.
#[derive(Default)]
pub(super) struct Seen {
    stop: Cell<bool>,
    /// How often each status came; 0 for a connection that was closed.
    statuses: RefCell<BTreeMap<u16, u64>>,
    bytes: Cell<u64>,
    /// How long the doctor waited, in microseconds.
    health: RefCell<Vec<u32>>,
    sick: Cell<u64>,
}

impl Seen {
    fn answered(&self, status: u16, bytes: usize) {
        *self.statuses.borrow_mut().entry(status).or_default() += 1;
        self.bytes.set(self.bytes.get() + bytes as u64);
    }

    /// The figures, for the report.
    pub(super) fn report(&self) -> Value {
        let mut health = self.health.take();
        health.sort_unstable();
        let at = |permille: usize| {
            let place = health.len().saturating_sub(1) * permille / 1000;
            health.get(place).map(|&micros| f64::from(micros) / 1000.0)
        };
        let statuses: BTreeMap<String, u64> =
            self.statuses.borrow().iter().map(|(status, count)| (status.to_string(), *count)).collect();
        json!({
            "healthz_ms": { "p50": at(500), "p99": at(990), "max": at(1000), "failed": self.sick.get() },
            "attack_answers": statuses,
            "attack_megabytes": self.bytes.get() >> 20,
        })
    }
}

/// An attack under way.
pub(super) struct Pressed {
    pub(super) seen: Rc<Seen>,
    tasks: Vec<JoinHandle<()>>,
}

impl Pressed {
    /// Begins an attack, and sends the doctor.
    pub(super) fn begin(address: &str, attack: Attack) -> Self {
        let seen = Rc::new(Seen::default());
        let mut tasks = vec![spawn_local(doctor(address.to_owned(), seen.clone()))];
        let pressing = match attack {
            Attack::None => 0,
            Attack::Halves => HALVES,
            _ => PRESSING,
        };
        for number in 0..pressing {
            tasks.push(spawn_local(press(address.to_owned(), attack, number, seen.clone())));
        }
        Self { seen, tasks }
    }

    /// Ends it.
    pub(super) async fn end(self) -> Rc<Seen> {
        self.seen.stop.set(true);
        // Whoever still waits for an answer is not waited for.
        for task in self.tasks {
            task.abort();
            let _ = task.await;
        }
        self.seen
    }
}

async fn doctor(address: String, seen: Rc<Seen>) {
    let mut wire = None;
    while !seen.stop.get() {
        let asked = Instant::now();
        let answered = async {
            let wire = match &mut wire {
                Some(wire) => wire,
                None => wire.insert(Wire::open(&address).await?),
            };
            wire.send("GET", "/healthz", "", b"").await.map(|(status, _)| status)
        };
        let answered: Result<u16> = answered.await;
        seen.health.borrow_mut().push(u32::try_from(asked.elapsed().as_micros()).unwrap_or(u32::MAX));
        if !matches!(answered, Ok(200)) {
            seen.sick.set(seen.sick.get() + 1);
            wire = None;
        }
        tokio::time::sleep(PULSE).await;
    }
}

/// Repeats an attack until it is over.
async fn press(address: String, attack: Attack, number: usize, seen: Rc<Seen>) {
    while !seen.stop.get() {
        if once(&address, attack, number, &seen).await.is_err() {
            seen.answered(0, 0);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

/// Sends requests of one kind over one connection, for as long as it lasts.
async fn once(address: &str, attack: Attack, number: usize, seen: &Seen) -> Result<()> {
    let mut wire = Wire::open(address).await?;
    let crowd = || crowd(250);
    let (method, path, body) = match attack {
        Attack::None => return Ok(()),
        Attack::Words => ("GET", format!("/rules?q={}", "a+".repeat(30_000)), String::new()),
        Attack::Search => ("GET", format!("/rules?q={}", "a+the+of+".repeat(5)), String::new()),
        Attack::Scene => {
            ("POST", "/umpire/scene".to_owned(), format!("from=b0&table={}", crowd().replace('"', "%22")))
        }
        Attack::Question => {
            let body = format!("{{\"scene\":{},\"shooter\":\"b0\",\"draw\":true}}", crowd());
            ("POST", "/api/ask/tabletop.shoot".to_owned(), body)
        }
        Attack::Odds => ("POST", "/api/ask/campaign.battle".to_owned(), BATTLE.to_owned()),
        Attack::Import => ("POST", "/api/import".to_owned(), json!({ "record": *RECORD }).to_string()),
        Attack::Past => return past(&mut wire, number, seen).await,
        Attack::Halves => return half(address, seen).await,
        Attack::Streams => return streams(address, &mut wire, seen).await,
        Attack::Machines => {
            let all = systems(&mut wire).await?;
            let known = all.iter().find(|known| known["system"] != EXAMPLE).cloned().unwrap_or_default();
            let sides = known["sides"].as_array().into_iter().flatten().filter_map(Value::as_str);
            let seats: BTreeMap<&str, &str> = sides.map(|side| (side, "sensible")).collect();
            let body =
                json!({ "system": known["system"], "scenario": known["scenarios"][0], "seats": seats });
            ("POST", "/api/games".to_owned(), body.to_string())
        }
    };
    while !seen.stop.get() {
        let (status, answer) = wire.send(method, &path, "", body.as_bytes()).await?;
        seen.answered(status, answer.len());
        if attack == Attack::Machines {
            // Four games each are enough to keep every thread thinking.
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        if status == 429 || status == 503 {
            // As fast as a stubborn client comes back.
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
    Ok(())
}

/// A battle of 1805 with everything that rolls.
const BATTLE: &str = r#"{"attacker": {"infantry": 60, "cavalry": 20, "artillery": 20, "initiative": 4},
    "defender": {"infantry": 60, "cavalry": 20, "artillery": 20, "initiative": 2}, "rounds": [
    {"attacker": "pitched", "defender": "pitched"}, {"attacker": "pitched", "defender": "pitched"},
    {"attacker": "pitched", "defender": "pitched"}, {"attacker": "pitched", "defender": "pitched"},
    {"attacker": "pitched", "defender": "pitched"}, {"attacker": "pitched", "defender": "pitched"}]}"#;

/// Takes a long game over, then looks back at it here and there, and asks for its luck.
async fn past(wire: &mut Wire, number: usize, seen: &Seen) -> Result<()> {
    let body = json!({ "record": *RECORD }).to_string();
    let (status, answer) = wire.send("POST", "/api/import", "", body.as_bytes()).await?;
    seen.answered(status, answer.len());
    let Ok(begun) = serde_json::from_slice::<Value>(answer) else { return Ok(()) };
    let (Some(game), Some(secret)) = (begun["game"].as_str(), begun["seats"][0]["secret"].as_str()) else {
        tokio::time::sleep(Duration::from_millis(50)).await;
        return Ok(());
    };
    for at in (0_usize..).map(|step| (step * 397 + number * 61) % 1200) {
        if seen.stop.get() {
            break;
        }
        let path = if at % 5 == 0 { format!("/api/games/{game}/luck") } else { format!("/g/{game}?at={at}") };
        let (status, answer) = wire.send("GET", &path, secret, b"").await?;
        seen.answered(status, answer.len());
    }
    Ok(())
}

/// Sends half a body and waits to be thrown out.
async fn half(address: &str, seen: &Seen) -> Result<()> {
    let mut stream = TcpStream::connect(address).await?;
    let head =
        format!("POST /api/ask/tabletop.fire HTTP/1.1\r\nhost: {address}\r\ncontent-length: 1000\r\n\r\n{{");
    stream.write_all(head.as_bytes()).await?;
    let mut answer = [0; 1024];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut answer) {
            Ok(read) => {
                let status = std::str::from_utf8(answer.get(9..12).unwrap_or_default()).unwrap_or_default();
                seen.answered(status.parse().unwrap_or(0), read);
                return Ok(());
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Begins a game and opens streams to it until no more are given.
async fn streams(address: &str, wire: &mut Wire, seen: &Seen) -> Result<()> {
    let body = json!({ "system": "countermine", "scenario": "broad" }).to_string();
    let (_, answer) = wire.send("POST", "/api/games", "", body.as_bytes()).await?;
    let begun: Value = serde_json::from_slice(answer)?;
    let (Some(game), Some(secret)) = (begun["game"].as_str(), begun["seats"][2]["secret"].as_str()) else {
        return Ok(());
    };
    let mut open = Vec::new();
    while !seen.stop.get() && open.len() < 300 {
        let mut stream = Wire::open(address).await?;
        let opened = stream.listen(&format!("/api/games/{game}/events"), secret).await;
        seen.answered(if opened.is_ok() { 200 } else { 429 }, 0);
        if opened.is_ok() {
            open.push(stream);
        } else {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    Ok(())
}

/// A table with so many bodies, in two armies.
fn crowd(count: u32) -> String {
    let bodies: Vec<Value> = (0..count)
        .map(|place| {
            let (side, front, facing) = if place % 2 == 0 { ("blue", 10, 0) } else { ("red", 150, 180) };
            let at = [place / 2 % 20 * 15 + 10, front + place / 40 * 10];
            json!({
                "id": format!("b{place}"), "side": side,
                "troops": { "infantry": { "class": "b", "companies": [
                    { "name": "one", "figures": 3, "fire": 4, "melee": 4 },
                ] } },
                "place": { "stand": { "at": at, "facing": facing, "formation": "line" } },
            })
        })
        .collect();
    json!({ "name": "A crowd", "width": 320, "depth": 300, "terrain": [], "bodies": bodies }).to_string()
}
