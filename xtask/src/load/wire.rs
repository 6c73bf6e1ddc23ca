//! HTTP by hand over one kept connection: no more is read of an answer than its length, and of an
//! event than its number. What is measured is the server, so the client does as little as it can.

use std::io::{Error, ErrorKind, Result};
use std::time::{Duration, Instant};

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

/// A connection that was quiet for so long is opened anew: the server closes quiet ones.
const QUIET: Duration = Duration::from_secs(5);

/// A connection.
pub(super) struct Wire {
    stream: TcpStream,
    address: String,
    out: Vec<u8>,
    buffer: Vec<u8>,
    /// What was taken out of the buffer already.
    taken: usize,
    used: Instant,
}

impl Wire {
    pub(super) async fn open(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            address: address.to_owned(),
            out: Vec::new(),
            buffer: Vec::new(),
            taken: 0,
            used: Instant::now(),
        })
    }

    async fn write(&mut self, method: &str, path: &str, secret: &str, body: &[u8]) -> Result<()> {
        let Self { stream, address, out, .. } = self;
        out.clear();
        for part in [method, " ", path, " HTTP/1.1\r\nhost: ", address, "\r\nauthorization: Bearer ", secret]
        {
            out.extend_from_slice(part.as_bytes());
        }
        out.extend_from_slice(format!("\r\ncontent-length: {}\r\n\r\n", body.len()).as_bytes());
        out.extend_from_slice(body);
        stream.write_all(out).await
    }

    /// Waits for more bytes.
    async fn fill(&mut self) -> Result<()> {
        if self.taken == self.buffer.len() {
            self.buffer.clear();
            self.taken = 0;
        } else if self.taken > 64 << 10 {
            self.buffer.drain(..self.taken);
            self.taken = 0;
        }
        loop {
            self.stream.readable().await?;
            self.buffer.reserve(4096);
            match self.stream.try_read_buf(&mut self.buffer) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(_) => return Ok(()),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Takes everything up to and including `end`.
    async fn take_until(&mut self, end: &[u8]) -> Result<std::ops::Range<usize>> {
        let mut searched = self.taken;
        loop {
            if let Some(place) = find(&self.buffer[searched..], end) {
                let range = self.taken..searched + place + end.len();
                self.taken = range.end;
                return Ok(range);
            }
            // The end may have come in two pieces.
            let kept = self.taken;
            searched = self.buffer.len().saturating_sub(end.len()).max(kept);
            let offset = searched - kept;
            self.fill().await?;
            searched = self.taken + offset;
        }
    }

    /// The head of an answer: its status and the length of its body.
    async fn head(&mut self) -> Result<(u16, usize)> {
        let head = self.take_until(b"\r\n\r\n").await?;
        let head = &self.buffer[head];
        let status = head.get(9..12).and_then(|code| number(code, 0)).unwrap_or(0);
        let length = find(head, b"content-length: ").and_then(|place| number(head, place + 16));
        Ok((u16::try_from(status).unwrap_or(0), length.and_then(|n| usize::try_from(n).ok()).unwrap_or(0)))
    }

    /// Sends a request and waits for the answer.
    pub(super) async fn send(
        &mut self,
        method: &str,
        path: &str,
        secret: &str,
        body: &[u8],
    ) -> Result<(u16, &[u8])> {
        if self.used.elapsed() > QUIET {
            *self = Self::open(&self.address.clone()).await?;
        }
        self.used = Instant::now();
        self.write(method, path, secret, body).await?;
        let (status, length) = self.head().await?;
        while self.buffer.len() - self.taken < length {
            self.fill().await?;
        }
        let start = self.taken;
        self.taken += length;
        Ok((status, &self.buffer[start..start + length]))
    }

    /// Opens a stream of events.
    pub(super) async fn listen(&mut self, path: &str, secret: &str) -> Result<()> {
        self.write("GET", path, secret, b"").await?;
        match self.head().await? {
            (200, _) => Ok(()),
            (status, _) => Err(Error::other(format!("a stream is refused with {status}"))),
        }
    }

    /// The next event of a stream: its lines. Chunks are not taken apart: their sizes stand on
    /// lines of their own, which are no fields of an event.
    pub(super) async fn event(&mut self) -> Result<&[u8]> {
        let range = self.take_until(b"\n\n").await?;
        Ok(&self.buffer[range])
    }
}

/// Where a piece of text begins.
pub(super) fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    let (&first, rest) = piece.split_first()?;
    let mut from = 0;
    while let Some(place) = text[from..].iter().position(|&byte| byte == first) {
        from += place + 1;
        if text[from..].starts_with(rest) {
            return Some(from - 1);
        }
    }
    None
}

/// The number that begins at a place.
fn number(text: &[u8], place: usize) -> Option<u64> {
    let digits = text.get(place..)?.iter().take_while(|byte| byte.is_ascii_digit());
    Some(digits.fold(0, |number: u64, digit| number.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'))))
}

/// The number after a piece of text.
pub(super) fn number_after(text: &[u8], piece: &[u8]) -> Option<u64> {
    number(text, find(text, piece)? + piece.len())
}

/// The items of the JSON list that begins after a piece of text.
pub(super) fn items_after<'a>(text: &'a [u8], piece: &[u8]) -> Vec<&'a [u8]> {
    let Some(place) = find(text, piece) else { return Vec::new() };
    let list = &text[place + piece.len()..];
    let (mut items, mut depth, mut start, mut quoted, mut escaped) = (Vec::new(), 0_i32, 1, false, false);
    for (place, &byte) in list.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    items.extend(list.get(start..place).filter(|item| !item.is_empty()));
                    break;
                }
            }
            b',' if depth == 1 => {
                items.push(&list[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_taken_apart_at_its_own_commas() {
        let text = br#"{"n":7,"actions":["a,]",{"b":[1,2]},"c\""],"x":[9]}"#;
        assert_eq!(items_after(text, b"\"actions\":"), [&br#""a,]""#[..], br#"{"b":[1,2]}"#, br#""c\"""#]);
        assert!(items_after(b"{\"actions\":[]}", b"\"actions\":").is_empty());
        assert_eq!(number_after(text, b"\"n\":"), Some(7));
    }
}
