//! The record: a game as its decisions. JSON Lines, appended and never edited; every line carries
//! the hash of all before it, every decision the dice it used and the hash of the state after it.
//!
//! ```text
//! {"glacis":2,"system":"danzig","scenario":"…","options":{},"seed":{"open":"…"},"terms":{…},"product":"0.1.0","chain":"…"}
//! {"n":1,"side":"french","deed":{"decide":{"action":…,"dice":[{"d":6,"face":4}]}},"state":"…","chain":"…"}
//! ```

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{Phrase, Refusal, Seed, Setup, Verdict};

/// The version of the format.
pub const FORMAT: u32 = 2;

/// A hash as the record uses it.
pub type Hash = [u8; 32];

/// The phrases of a record that cannot be trusted.
pub mod record_phrase {
    use crate::Phrase;

    macro_rules! phrases {
        ($($(#[$meta:meta])* $name:ident = $key:literal;)*) => {
            $($(#[$meta])* pub const $name: Phrase = Phrase::declared($key);)*
            /// All of them.
            pub const ALL: &[Phrase] = &[$($name),*];
        };
    }

    phrases! {
        /// There is no line at all.
        EMPTY = "record-empty";
        /// The first line is no header (`detail`).
        NO_HEADER = "record-no-header";
        /// Another version of the format (`found`, `expected`, and the `product` that wrote and reads it).
        VERSION = "record-version";
        /// A record of another system (`found`, `expected`).
        OTHER_SYSTEM = "record-other-system";
        /// The line is no entry (`line`, `detail`).
        NO_ENTRY = "record-no-entry";
        /// The line was altered (`line`).
        ALTERED = "record-altered";
        /// An entry is missing before this line (`line`, `expected`, `found`).
        MISSING = "record-missing";
        /// The lines are out of order (`line`, `expected`, `found`).
        OUT_OF_ORDER = "record-out-of-order";
        /// An entry stands twice (`line`, `found`).
        REPEATED = "record-repeated";
        /// The rules refuse the order of this line (`line`, `detail`).
        REFUSED = "record-refused";
        /// The dice of this line do not fit (`line`, `detail`).
        DICE = "record-dice";
        /// The dice of this line are not those of the seed (`line`).
        NOT_OF_THE_SEED = "record-not-of-the-seed";
        /// The state after this line is another (`line`).
        STATE = "record-state";
        /// The seed revealed is not the one committed to (`line`).
        COMMITMENT = "record-commitment";
        /// The sealed seed of a seat is not the one its pledge commits to (`line`).
        PLEDGE = "record-pledge";
        /// An order that was sealed is opened as another, out of turn, or not at all (`line`).
        SEAL = "record-seal";
        /// The seed is revealed while the game goes on, or a second time (`line`).
        REVEALED = "record-revealed";
        /// A game is taken over with a new seed although it is over, or without one although it is not (`line`).
        ADOPTED = "record-adopted";
    }
}

use record_phrase as phrase;

/// Where the dice of a recorded game come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// From a seed everybody may read.
    Open(HexHash),
    /// From a seed that is secret until the end; this is its hash.
    Committed(HexHash),
    /// From a real table: the players rolled.
    Table,
}

/// 32 bytes, written in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HexHash(pub Hash);

impl std::fmt::Display for HexHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl Serialize for HexHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl<'de> Deserialize<'de> for HexHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        blake3::Hash::from_hex(&text)
            .map(|hash| Self(*hash.as_bytes()))
            .map_err(|_| serde::de::Error::custom("not 64 hexadecimal digits"))
    }
}

/// The hash a secret seed is committed to with.
#[must_use]
pub fn commitment(seed: &Seed) -> Hash {
    *blake3::Hasher::new_derive_key("glacis seed commitment v1").update(seed).finalize().as_bytes()
}

/// What was settled about the players before the first order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The sides that the machine plays, by name.
    pub machines: Vec<String>,
    /// Whether a die or a revelation may be taken back against the machine.
    pub take_backs: bool,
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The version of the format.
    pub glacis: u32,
    /// The system: `danzig`.
    pub system: String,
    /// The scenario.
    pub scenario: String,
    /// Options that differ from the default.
    pub options: BTreeMap<String, String>,
    /// Where the dice come from.
    pub seed: Source,
    /// What was settled about the players.
    pub terms: Terms,
    /// The version of the program that began it.
    pub product: String,
}

impl Header {
    /// The header of a game that begins now.
    #[must_use]
    pub fn new(system: &str, setup: &Setup, seed: Source, terms: Terms) -> Self {
        Self {
            glacis: FORMAT,
            system: system.to_owned(),
            scenario: setup.scenario.clone(),
            options: setup.options.clone(),
            seed,
            terms,
            product: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// The setup it names.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup { scenario: self.scenario.clone(), options: self.options.clone() }
    }
}

/// What one side may propose to the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Offer {
    /// To end the game as a draw.
    Draw,
    /// To go back to before the last decision of the side that asks, dice and revelations included.
    TakeBack,
    /// To roll all further dice on a real table.
    TableDice,
}

/// How a game ended that its rules did not end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending<S> {
    /// This side gave up.
    Resigned(S),
    /// All agreed on a draw.
    Drawn,
}

/// A die as it was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rolled {
    /// How many sides it has.
    pub d: u8,
    /// The face it shows.
    pub face: u8,
}

/// A seat's own seed, which is mixed into the dice: committed to, and sealed with the server's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pledge {
    /// The hash of the seed: whoever sent it finds it again.
    pub commitment: HexHash,
    /// The seed, under a mask that follows from the server's seed.
    pub sealed: HexHash,
}

/// An order that is sealed: committed to, and under a mask that follows from the server's seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sealed {
    /// The hash of its salt and itself.
    pub commitment: HexHash,
    /// Its salt and itself, masked, in a length that tells nothing.
    pub masked: HexBytes,
}

/// Bytes, written in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexBytes(pub Vec<u8>);

impl Serialize for HexBytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::with_capacity(2 * self.0.len());
        for byte in &self.0 {
            text.extend(
                [byte >> 4, byte & 15].map(|digit| char::from_digit(digit.into(), 16).unwrap_or('0')),
            );
        }
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for HexBytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digit = |byte: u8| match byte {
            b'0'..=b'9' => Some(byte - b'0'),
            b'a'..=b'f' => Some(byte - b'a' + 10),
            _ => None,
        };
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        let bytes: Option<Vec<u8>> =
            pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
        bytes
            .filter(|_| rest.is_empty())
            .map(Self)
            .ok_or_else(|| serde::de::Error::custom("not hexadecimal digits in pairs"))
    }
}

/// What an entry records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Deed<A> {
    /// A decision and the dice it used.
    Decide {
        /// The decision.
        action: A,
        /// The dice, in order.
        dice: Vec<Rolled>,
        /// What opens it, where it was sealed before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        salt: Option<HexHash>,
    },
    /// A decision that waits for those of others: nobody reads it before the last is in.
    Seal(Sealed),
    /// The last decision, or what the side has sealed, is taken back.
    Undo,
    /// The side gives the game up.
    Resign,
    /// The side proposes something to the others.
    Offer(Offer),
    /// The side agrees to what is offered.
    Accept,
    /// The side declines what is offered, or withdraws its own offer.
    Decline,
    /// Words of a player, which change nothing.
    Words(String),
    /// The side puts a seed of its own into the dice, before the first of them.
    Pledge(Pledge),
    /// Another server takes the game over.
    Adopt {
        /// The hash of its own seed, from which all further dice come; none if the game is over.
        commitment: Option<HexHash>,
        /// What was settled about the players there.
        terms: Terms,
    },
    /// The secret seed, at the end.
    Reveal(HexHash),
}

/// Any later line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry<S, A> {
    /// Its number, from 1.
    pub n: u64,
    /// Who did it; nobody for the seed.
    pub side: Option<S>,
    /// What was done.
    pub deed: Deed<A>,
    /// The hash of the state after it.
    pub state: HexHash,
}

/// The hash of a state, over its canonical form (`docs/record.md`).
///
/// # Panics
/// Never for the plain data that states are: writing it to memory cannot fail.
#[must_use]
pub fn state_hash(state: &impl Serialize) -> Hash {
    let bytes = crate::canonical::bytes(state).expect("plain data can be written to memory");
    *blake3::hash(&bytes).as_bytes()
}

/// Closes a line: the JSON of `content` with the hash of everything up to and including it.
///
/// # Panics
/// Never for the plain data that entries are.
pub(crate) fn seal(before: &Hash, content: &impl Serialize) -> (String, Hash) {
    let mut line = serde_json::to_string(content).expect("plain data can be written as JSON");
    line.truncate(line.len() - 1);
    let chain = chain_hash(before, &line);
    line.push_str(",\"chain\":\"");
    line.push_str(blake3::Hash::from_bytes(chain).to_hex().as_str());
    line.push_str("\"}");
    (line, chain)
}

fn chain_hash(before: &Hash, body: &str) -> Hash {
    *blake3::Hasher::new_keyed(before).update(body.as_bytes()).finalize().as_bytes()
}

/// A key that everybody can make from the first line of a record.
pub(crate) fn key_of(header_line: &str) -> Hash {
    blake3::derive_key("glacis sealed order open key v1", header_line.as_bytes())
}

/// The chain before the first line.
pub(crate) const ROOT: Hash = [0; 32];

/// A line taken apart: its body, the hash it claims, and its content.
pub(crate) struct Closed<T> {
    pub(crate) content: T,
    body: String,
    pub(crate) chain: Option<Hash>,
}

/// The first line of a record, alone.
///
/// # Errors
/// When it is no header of this format, or was altered.
pub fn read_header(line: &str) -> Verdict<Header> {
    let record = Record::read(&format!("{line}\n"))?;
    Ok(record.header)
}

pub(crate) fn unseal<T: DeserializeOwned>(line: &str) -> Result<Closed<T>, String> {
    let (body, rest) = line.rsplit_once(",\"chain\":\"").ok_or("no hash at its end")?;
    // Only the digits as we write them: an `a` that became an `A` is an altered line too.
    let chain = rest.strip_suffix("\"}").and_then(|hex| {
        blake3::Hash::from_hex(hex)
            .ok()
            .filter(|hash| hash.to_hex().as_str() == hex)
            .map(|hash| *hash.as_bytes())
    });
    let content = serde_json::from_str(&format!("{body}}}")).map_err(|error| error.to_string())?;
    Ok(Closed { content, body: body.to_owned(), chain })
}

/// A record whose chain is whole.
#[derive(Clone, Debug)]
pub struct Record {
    /// The header.
    pub header: Header,
    /// The lines of the entries, as written.
    pub lines: Vec<String>,
    /// Whether a half-written last line was dropped.
    pub truncated: bool,
}

/// The parts of a header that every format has.
#[derive(Deserialize)]
struct Version {
    glacis: u32,
    product: String,
}

/// The parts of an entry that need no game to read.
#[derive(Deserialize)]
struct Numbered {
    n: u64,
}

fn at(phrase: Phrase, line: usize) -> Refusal {
    Refusal::plain(phrase).with("line", i64::try_from(line).unwrap_or(i64::MAX))
}

impl Record {
    /// Reads a record and checks its chain. A last line that a crash left half-written is dropped.
    ///
    /// # Errors
    /// The first bad line, and what is wrong with it.
    pub fn read(text: &str) -> Verdict<Self> {
        let mut lines: Vec<&str> = text.split('\n').collect();
        let unfinished = lines.pop().unwrap_or_default();
        let complete = unseal::<serde_json::Value>(unfinished).is_ok_and(|sealed| sealed.chain.is_some());
        let truncated = !unfinished.is_empty() && !complete;
        if complete {
            lines.push(unfinished);
        }
        let [first, entries @ ..] = lines.as_slice() else {
            return Err(Refusal::plain(phrase::EMPTY));
        };
        let no_header = |detail| Refusal::plain(phrase::NO_HEADER).with("detail", detail);
        let version: Closed<Version> = unseal(first).map_err(no_header)?;
        if version.content.glacis != FORMAT {
            return Err(Refusal::plain(phrase::VERSION)
                .with("found", version.content.glacis)
                .with("expected", FORMAT)
                .with("product", version.content.product));
        }
        let header: Closed<Header> = unseal(first).map_err(no_header)?;
        let mut chain = chain_hash(&ROOT, &header.body);
        if header.chain != Some(chain) {
            return Err(at(phrase::ALTERED, 1));
        }
        for (place, line) in entries.iter().enumerate() {
            let number = place + 2;
            let entry: Closed<Numbered> =
                unseal(line).map_err(|detail| at(phrase::NO_ENTRY, number).with("detail", detail))?;
            let expected = chain_hash(&chain, &entry.body);
            if entry.chain != Some(expected) {
                return Err(Self::broken(entries, place, entry.content.n));
            }
            chain = expected;
        }
        let lines = entries.iter().map(|&line| line.to_owned()).collect();
        Ok(Self { header: header.content, lines, truncated })
    }

    /// Tells a removed line from a moved, a doubled and an altered one. All lines before `place`
    /// are whole, so that `found` is either the number of one of them or a later one.
    fn broken(entries: &[&str], place: usize, found: u64) -> Refusal {
        let number_of = |line: &&str| unseal::<Numbered>(line).ok().map(|sealed| sealed.content.n);
        let expected = place as u64 + 1;
        let (before, after) = (&entries[..place], &entries[place + 1..]);
        let fault = |phrase| {
            at(phrase, place + 2)
                .with("expected", i64::try_from(expected).unwrap_or(i64::MAX))
                .with("found", i64::try_from(found).unwrap_or(i64::MAX))
        };
        if before.contains(&entries[place]) {
            fault(phrase::REPEATED)
        } else if found != expected && after.iter().any(|line| number_of(line) == Some(expected)) {
            fault(phrase::OUT_OF_ORDER)
        } else if found <= expected || after.first().and_then(number_of) == Some(expected + 1) {
            at(phrase::ALTERED, place + 2)
        } else {
            fault(phrase::MISSING)
        }
    }

    /// The typed entries.
    ///
    /// # Errors
    /// The first line that is no entry of this game.
    pub fn entries<S: DeserializeOwned, A: DeserializeOwned>(&self) -> Verdict<Vec<Entry<S, A>>> {
        self.lines
            .iter()
            .enumerate()
            .map(|(place, line)| {
                unseal(line)
                    .map(|sealed| sealed.content)
                    .map_err(|detail| at(phrase::NO_ENTRY, place + 2).with("detail", detail))
            })
            .collect()
    }
}

/// A refusal of a line of a record.
pub(crate) fn line_fault(phrase: Phrase, entry: u64) -> Refusal {
    Refusal::plain(phrase).with("line", i64::try_from(entry + 1).unwrap_or(i64::MAX))
}
