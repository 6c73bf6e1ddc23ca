//! The players: of the example game one side digs and takes back for ever; of any other both sides play
//! what they are offered, at random, to the end, and then another game.

use std::cell::{Cell, RefCell};
use std::io::{Error, Result};
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, spawn_local};

use super::wire::{Wire, find, items_after, number_after};
use super::{EXAMPLE, Figures};

/// So many orders of a game are remembered until their events come.
const REMEMBERED: usize = 64;

/// One game: its path and the secrets of its seats.
struct Seats {
    path: String,
    sides: [String; 2],
    spectator: String,
}

/// When the last orders of a game were given, and by which side.
type Sent = RefCell<[Option<(u64, usize, Instant)>; REMEMBERED]>;

/// What a bot decides on: the entries of the record and what it is offered.
pub(super) struct Turn {
    n: u64,
    actions: Vec<u8>,
}

/// Everything the bots of one table share.
pub(super) struct Table {
    address: String,
    /// Whether it is the example game.
    example: bool,
    seats: Seats,
    sent: Sent,
    figures: Rc<Figures>,
    over: Cell<bool>,
}

/// When and how fast orders are given.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// The time between two orders of one game; none, as fast as the server answers.
    pub(super) every: Option<Duration>,
    pub(super) end: Instant,
}

impl Table {
    /// Begins a game.
    pub(super) async fn begin(address: &str, system: &str, figures: &Rc<Figures>) -> Result<Rc<Self>> {
        let mut wire = Wire::open(address).await?;
        let example = system == EXAMPLE;
        let known = systems(&mut wire).await?;
        let unknown = || Error::other(format!("the server knows no {system}"));
        let known = known.iter().find(|known| known["system"] == system).ok_or_else(unknown)?;
        let scenario = if example { json!("broad") } else { known["scenarios"][0].clone() };
        let side = |place: usize| known["sides"][place].as_str().unwrap_or_default().to_owned();
        let sides = [side(0), side(1)];
        let body = json!({ "system": system, "scenario": scenario }).to_string();
        let (_, answer) = wire.send("POST", "/api/games", "", body.as_bytes()).await?;
        let answer: Value = serde_json::from_slice(answer)?;
        let missing = || Error::other(format!("no game: {answer}"));
        let secret = |side: &str| {
            let seat = answer["seats"].as_array()?.iter().find(|seat| seat["side"] == side)?;
            seat["secret"].as_str().map(str::to_owned)
        };
        let [one, two] = sides.map(|side| secret(&side).ok_or_else(missing));
        let seats = Seats {
            path: format!("/api/games/{}", answer["game"].as_str().ok_or_else(missing)?),
            sides: [one?, two?],
            spectator: secret("spectator").ok_or_else(missing)?,
        };
        if example {
            let act = format!("{}/act", seats.path);
            wire.send("POST", &act, &seats.sides[1], b"{\"seen\":0,\"action\":{\"lay\":3}}").await?;
        }
        Ok(Rc::new(Self {
            address: address.to_owned(),
            example,
            seats,
            sent: RefCell::new([None; REMEMBERED]),
            figures: figures.clone(),
            over: Cell::new(false),
        }))
    }

    /// Opens the stream of a side, or of a spectator, and times what comes. A bot that plays what it
    /// is offered is given its turns.
    pub(super) async fn listen(
        self: &Rc<Self>,
        side: Option<usize>,
        turns: Option<mpsc::UnboundedSender<Turn>>,
    ) -> Result<JoinHandle<()>> {
        let mut wire = Wire::open(&self.address).await?;
        let secret = side.map_or(&self.seats.spectator, |side| &self.seats.sides[side]);
        let wish = if turns.is_some() { "?actions=true" } else { "" };
        wire.listen(&format!("{}/events{wish}", self.seats.path), secret).await?;
        let table = self.clone();
        Ok(spawn_local(async move {
            while let Ok(event) = wire.event().await {
                let now = Instant::now();
                let Some(n) = number_after(event, b"\nid: ") else { continue };
                let sent = table.sent.borrow()[place(n)];
                if let Some((_, by, at)) = sent.filter(|&(sent, _, _)| sent == n)
                    && side != Some(by)
                {
                    table.figures.waited(now.duration_since(at));
                }
                if let Some(turns) = &turns {
                    // A bot that is gone has stopped playing.
                    let _ = turns.send(Turn { n, actions: table.offered(event) });
                }
            }
        }))
    }

    /// What an event or an answer offers; nothing when the decision is another's.
    fn offered(&self, told: &[u8]) -> Vec<u8> {
        if find(told, b"\"over\":true").is_some() {
            self.over.set(true);
        }
        let items = items_after(told, b"\"actions\":");
        match u32::try_from(items.len()) {
            Ok(count @ 1..) => items[self.figures.below(count)].to_vec(),
            _ => Vec::new(),
        }
    }

    /// Gives an order as one side; gives back the answer.
    async fn order<'w>(
        &self,
        wire: &'w mut Wire,
        side: usize,
        n: u64,
        path: &str,
        body: &[u8],
    ) -> Result<&'w [u8]> {
        self.sent.borrow_mut()[place(n + 1)] = Some((n + 1, side, Instant::now()));
        let (status, answer) = wire.send("POST", path, &self.seats.sides[side], body).await?;
        self.figures.answered(status);
        Ok(answer)
    }

    /// Plays until the time is up or the game is over.
    pub(super) async fn play(self: &Rc<Self>, pace: Pace) -> Result<()> {
        if self.example { self.dig_and_take_back(pace).await } else { self.play_what_is_offered(pace).await }
    }

    async fn dig_and_take_back(&self, pace: Pace) -> Result<()> {
        let mut wire = Wire::open(&self.address).await?;
        let [act, undo] = ["act", "undo"].map(|order| format!("{}/{order}", self.seats.path));
        let mut next = Instant::now();
        for n in 1_u64.. {
            if Instant::now() >= pace.end {
                break;
            }
            let (path, body) = if n % 2 == 1 {
                (&act, format!("{{\"seen\":{n},\"action\":{{\"dig\":{}}}}}", n / 2 % 4))
            } else {
                (&undo, format!("{{\"seen\":{n}}}"))
            };
            self.order(&mut wire, 0, n, path, body.as_bytes()).await?;
            pause(pace, &mut next).await;
        }
        Ok(())
    }

    async fn play_what_is_offered(self: &Rc<Self>, pace: Pace) -> Result<()> {
        let mut bots = Vec::new();
        for side in [0, 1] {
            let (send, turns) = mpsc::unbounded_channel();
            let stream = self.listen(Some(side), Some(send)).await?;
            bots.push((spawn_local(self.clone().bot(side, turns, pace)), stream));
        }
        for (bot, stream) in bots {
            let done = bot.await.map_err(Error::other)?;
            stream.abort();
            done?;
        }
        Ok(())
    }

    /// One side of a game: answers its turns, whether told by the stream or by the last answer.
    async fn bot(
        self: Rc<Self>,
        side: usize,
        mut turns: mpsc::UnboundedReceiver<Turn>,
        pace: Pace,
    ) -> Result<()> {
        let mut wire = Wire::open(&self.address).await?;
        let act = format!("{}/act", self.seats.path);
        let (mut seen, mut next) = (None, Instant::now());
        while !self.over.get() {
            let Ok(turn) = tokio::time::timeout_at(pace.end.into(), turns.recv()).await else { break };
            let Some(mut turn) = turn else { break };
            // What the answer to an order has told already comes again in the stream.
            while seen.is_none_or(|seen| turn.n > seen)
                && !turn.actions.is_empty()
                && Instant::now() < pace.end
            {
                let body =
                    [&format!("{{\"seen\":{},\"action\":", turn.n).into_bytes()[..], &turn.actions, b"}"];
                let answer = self.order(&mut wire, side, turn.n, &act, &body.concat()).await?;
                seen = Some(turn.n);
                turn = Turn { n: turn.n + 1, actions: self.offered(answer) };
                pause(pace, &mut next).await;
            }
        }
        Ok(())
    }
}

/// The systems that a server can play.
pub(super) async fn systems(wire: &mut Wire) -> Result<Vec<Value>> {
    let (_, answer) = wire.send("GET", "/api/systems", "", b"").await?;
    Ok(serde_json::from_slice(answer)?)
}

fn place(n: u64) -> usize {
    usize::try_from(n % REMEMBERED as u64).unwrap_or_default()
}

async fn pause(pace: Pace, next: &mut Instant) {
    if let Some(every) = pace.every {
        *next += every;
        tokio::time::sleep_until((*next).into()).await;
    }
}
