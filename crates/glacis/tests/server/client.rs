//! A small honest client, and a dishonest one where a test wants it: HTTP by hand, so that nothing
//! is made better than it is on the wire.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::{Value, json};
use yardstick::patience;

/// An answer.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The message of a refusal.
    pub(crate) fn message(&self) -> String {
        self.json()["refused"]["message"].as_str().unwrap_or_default().to_owned()
    }
}

/// A connection that is kept.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Client {
    pub(crate) fn try_to(address: SocketAddr) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(patience(Duration::from_secs(20))))?;
        Ok(Self { stream: BufReader::new(stream), host: address.to_string() })
    }

    pub(crate) fn to(address: SocketAddr) -> Self {
        Self::try_to(address).unwrap()
    }

    /// Sends a request with any headers and body.
    pub(crate) fn try_send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> std::io::Result<Answer> {
        let mut head = format!("{method} {path} HTTP/1.1\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            head.push_str(&format!("host: {}\r\n", self.host));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
        let mut whole = head.into_bytes();
        whole.extend_from_slice(body);
        self.stream.get_mut().write_all(&whole)?;
        self.read()
    }

    fn head(&mut self) -> std::io::Result<(u16, Vec<(String, String)>)> {
        let gone = || std::io::Error::from(std::io::ErrorKind::UnexpectedEof);
        let mut line = String::new();
        if self.stream.read_line(&mut line)? == 0 {
            return Err(gone());
        }
        let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(gone)?;
        let mut headers = Vec::new();
        loop {
            line.clear();
            if self.stream.read_line(&mut line)? == 0 {
                return Err(gone());
            }
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
        }
        Ok((status, headers))
    }

    fn read(&mut self) -> std::io::Result<Answer> {
        let (status, headers) = self.head()?;
        let length = headers
            .iter()
            .find(|(name, _)| name == "content-length")
            .and_then(|(_, value)| value.parse().ok())
            .unwrap_or(0);
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(Answer { status, headers, body: String::from_utf8_lossy(&body).into_owned() })
    }

    pub(crate) fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.try_send(method, path, headers, body).unwrap()
    }

    pub(crate) fn get(&mut self, path: &str, secret: &str) -> Answer {
        self.send("GET", path, &[("authorization", &format!("Bearer {secret}"))], b"")
    }

    pub(crate) fn post(&mut self, path: &str, secret: &str, body: &Value) -> Answer {
        let body = body.to_string();
        self.send("POST", path, &[("authorization", &format!("Bearer {secret}"))], body.as_bytes())
    }

    /// Sends the same order many times without waiting, and reads what comes of it.
    pub(crate) fn flood(mut self, count: usize, path: &str, secret: &str, body: &Value) -> Vec<Answer> {
        let body = body.to_string();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {secret}\r\ncontent-length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        let mut pen = self.stream.get_ref().try_clone().unwrap();
        let writer = std::thread::spawn(move || pen.write_all(request.repeat(count).as_bytes()).unwrap());
        let answers = (0..count).map(|_| self.read().unwrap()).collect();
        writer.join().unwrap();
        answers
    }

    /// Listens to the events of a game.
    pub(crate) fn events(self, path: &str, secret: &str) -> Events {
        self.events_after(path, secret, None)
    }

    /// Listens again, after the last event that was heard.
    pub(crate) fn events_after(mut self, path: &str, secret: &str, heard: Option<u64>) -> Events {
        let heard = heard.map(|heard| format!("last-event-id: {heard}\r\n")).unwrap_or_default();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {secret}\r\n{heard}\r\n",
            self.host
        );
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let (status, _) = self.head().unwrap();
        assert_eq!(status, 200);
        Events { stream: self.stream }
    }
}

/// A stream of events.
pub(crate) struct Events {
    stream: BufReader<TcpStream>,
}

impl Iterator for Events {
    type Item = (String, Value);

    /// The next event: its name and its data. Chunks are not taken apart: their sizes stand on
    /// lines of their own, which are no fields of an event.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            if self.stream.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.trim().to_owned();
            } else if let Some(data) = line.strip_prefix("data: ") {
                return Some((name, serde_json::from_str(data.trim()).unwrap()));
            }
        }
    }
}

/// A game with its secrets.
#[derive(Clone, Debug)]
pub(crate) struct Begun {
    pub(crate) id: String,
    pub(crate) besieger: String,
    pub(crate) garrison: String,
    pub(crate) spectator: String,
    pub(crate) answer: Value,
}

impl Begun {
    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/api/games/{}{rest}", self.id)
    }

    pub(crate) fn secret(&self, side: &str) -> &str {
        match side {
            "besieger" => &self.besieger,
            "garrison" => &self.garrison,
            _ => &self.spectator,
        }
    }
}

pub(crate) fn begin_with(client: &mut Client, body: &Value) -> Begun {
    let answer = client.send("POST", "/api/games", &[], body.to_string().as_bytes());
    assert_eq!(answer.status, 201, "{answer:?}");
    let answer = answer.json();
    let secret = |side: &str| {
        let seats = answer["seats"].as_array().unwrap();
        let seat = seats.iter().find(|seat| seat["side"] == side);
        seat.map(|seat| seat["secret"].as_str().unwrap().to_owned()).unwrap_or_default()
    };
    Begun {
        id: answer["game"].as_str().unwrap().to_owned(),
        besieger: secret("besieger"),
        garrison: secret("garrison"),
        spectator: secret("spectator"),
        answer,
    }
}

pub(crate) fn begin(client: &mut Client) -> Begun {
    begin_with(client, &json!({ "system": "countermine", "scenario": "broad" }))
}

/// The state of a game as one seat sees it.
pub(crate) fn view(client: &mut Client, game: &Begun, side: &str) -> Value {
    let answer = client.get(&game.path(""), game.secret(side));
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Plays the first action offered to whoever is to move, or the one that `pick` chooses.
pub(crate) fn play_one(client: &mut Client, game: &Begun, pick: impl Fn(usize) -> usize) -> Option<Answer> {
    let state = view(client, game, "spectator");
    let side = state["to_move"].as_str()?.to_owned();
    let offered = client.get(&game.path("/actions"), game.secret(&side)).json();
    let actions = offered["actions"].as_array().unwrap();
    let action = &actions[pick(actions.len()) % actions.len()];
    let order = json!({ "seen": offered["entries"], "action": action });
    Some(client.post(&game.path("/act"), game.secret(&side), &order))
}
