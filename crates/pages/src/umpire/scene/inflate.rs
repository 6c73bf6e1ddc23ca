//! A scene in an address is packed: deflate without header (RFC 1951) in base64url, as every browser
//! writes it. Text of an address enters; the scene leaves, or nothing if it is cut off or too long.

/// The longest scene that is unpacked.
const LONGEST: usize = 256 * 1024;

/// Unpacks base64url text.
pub(super) fn unpack(text: &str) -> Option<String> {
    let bytes = base64url(text)?;
    String::from_utf8(inflate(&bytes)?).ok()
}

fn base64url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut word, mut held) = (0_u32, 0_u32);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'-' | b'+' | b' ' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        };
        word = (word << 6 | u32::from(value)) & 0xff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push(u8::try_from(word >> held & 0xff).ok()?);
        }
    }
    Some(bytes)
}

/// Bits, the lowest of each byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Option<usize> {
        let mut value = 0;
        for place in 0..count {
            let byte = *self.bytes.get(self.at / 8)?;
            value |= usize::from(byte >> (self.at % 8) & 1) << place;
            self.at += 1;
        }
        Some(value)
    }
}

/// A prefix code: how many words there are of each length, and the symbols in order.
struct Code {
    counts: [usize; 16],
    symbols: Vec<usize>,
}

impl Code {
    fn new(lengths: &[usize]) -> Self {
        let mut counts = [0; 16];
        for &length in lengths {
            counts[length.min(15)] += 1;
        }
        counts[0] = 0;
        let mut symbols: Vec<usize> = (0..lengths.len()).filter(|&symbol| lengths[symbol] > 0).collect();
        symbols.sort_by_key(|&symbol| lengths[symbol]);
        Self { counts, symbols }
    }

    fn read(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut place) = (0, 0, 0);
        for length in 1..16 {
            code |= bits.take(1)?;
            let count = self.counts[length];
            if code < first + count {
                return self.symbols.get(place + code - first).copied();
            }
            place += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        None
    }
}

/// The order in which the lengths of the length code are written.
const ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

fn inflate(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut bits = Bits { bytes, at: 0 };
    let mut out = Vec::new();
    loop {
        let last = bits.take(1)? == 1;
        match bits.take(2)? {
            0 => stored(&mut bits, &mut out)?,
            1 => {
                let mut lengths = [8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                block(&mut bits, &mut out, &Code::new(&lengths), &Code::new(&[5; 30]))?;
            }
            2 => {
                let (words, far) = codes(&mut bits)?;
                block(&mut bits, &mut out, &words, &far)?;
            }
            _ => return None,
        }
        if last {
            return Some(out);
        }
    }
}

fn stored(bits: &mut Bits<'_>, out: &mut Vec<u8>) -> Option<()> {
    bits.at = bits.at.next_multiple_of(8);
    let length = bits.take(16)?;
    bits.take(16)?;
    let from = bits.at / 8;
    out.extend_from_slice(bits.bytes.get(from..from.checked_add(length)?)?);
    bits.at += length * 8;
    (out.len() <= LONGEST).then_some(())
}

/// The two codes of a block that brings its own.
fn codes(bits: &mut Bits<'_>) -> Option<(Code, Code)> {
    let words = bits.take(5)? + 257;
    let far = bits.take(5)? + 1;
    let mut lengths = [0; 19];
    for &place in &ORDER[..(bits.take(4)? + 4).min(19)] {
        lengths[place] = bits.take(3)?;
    }
    let code = Code::new(&lengths);
    let mut lengths: Vec<usize> = Vec::new();
    while lengths.len() < words + far {
        let (value, times) = match code.read(bits)? {
            16 => (*lengths.last()?, bits.take(2)? + 3),
            17 => (0, bits.take(3)? + 3),
            18 => (0, bits.take(7)? + 11),
            length => (length, 1),
        };
        lengths.extend(std::iter::repeat_n(value, times));
    }
    Some((Code::new(lengths.get(..words)?), Code::new(lengths.get(words..words + far)?)))
}

fn block(bits: &mut Bits<'_>, out: &mut Vec<u8>, words: &Code, far: &Code) -> Option<()> {
    // How many bits more say the exact length or distance, and where each class of them begins.
    let extra = |symbol: usize| if symbol < 8 { 0 } else { symbol / 4 - 1 };
    loop {
        match words.read(bits)? {
            byte @ 0..256 => out.push(u8::try_from(byte).ok()?),
            256 => return Some(()),
            symbol @ 257..286 => {
                let class = symbol - 257;
                let length = if class == 28 {
                    258
                } else {
                    let more = extra(class);
                    let base = if class < 8 { class } else { (4 + class % 4) << more };
                    3 + base + bits.take(u32::try_from(more).ok()?)?
                };
                let class = far.read(bits)?;
                let more = if class < 4 { 0 } else { class / 2 - 1 };
                let base = if class < 4 { class } else { (2 + class % 2) << more };
                let back = 1 + base + bits.take(u32::try_from(more).ok()?)?;
                let from = out.len().checked_sub(back)?;
                for place in from..from + length {
                    out.push(out[place]);
                }
            }
            _ => return None,
        }
        if out.len() > LONGEST {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_browser_packed_is_unpacked() {
        // Written by zlib, level 9, without header: a block with its own codes, then a fixed one.
        assert_eq!(unpack(FIXED).as_deref(), Some("{\"name\": \"A hedge\"}"));
        let text = unpack(DYNAMIC).unwrap();
        assert_eq!(text.len(), 1208);
        assert!(text.starts_with("{\"terrain\": [{\"id\": 0, "), "{text}");
        assert!(text.ends_with("\"width\": 80}"), "{text}");
    }

    #[test]
    fn what_is_cut_off_or_nonsense_is_nothing() {
        for end in 0..DYNAMIC.len() {
            assert_eq!(unpack(&DYNAMIC[..end]).filter(|text| text.len() == 1208), None);
        }
        for text in ["", "_", "////////", "é", "BwAA"] {
            assert_eq!(unpack(text), None);
        }
    }

    const FIXED: &str = "q1bKS8xNVbJSUHJUyEhNSU9VqgUA";
    const DYNAMIC: &str = "fdNNCoMwGIThq0jWXZj_2KuULgpKDRUFESyId68t30igMKtAGHzgJW5q6eb5kUd1rW6byu1x1pdKveV85fF7pfo8DGq_VDLRMrGx2KzT1BYbI5voyu907bMrRlZGmmBONo5gXjaJYUFGhmBRNp5gSTYNwxokYhmROhBNn7GJplHbMQ61I-OQW1MPwT3zEDwxD8UN9dA8MA_NG_Ys0dwyzyB6JJ5B9EA4NHeUQ_TEODTXzENzTz1Eb5iH5oZ5aB6YZ-vzPyegPV_6P3g_btbcLv0v0v4B";
}
