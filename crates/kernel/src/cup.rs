//! The dice cup of a recorded game: whose seeds are in it, and the stream of every roll.
//!
//! Dice follow from the seeds and from how many decisions have rolled before, and from nothing else:
//! no order, word, offer or step taken back changes what comes, and nothing refused tells of it.
//! `docs/fair-dice.md` says what is hashed, byte by byte.

use serde::{Deserialize, Serialize};

use crate::record::{Hash, HexBytes, HexHash, Pledge, Sealed, Source, commitment};
use crate::{Live, Refusal, Seed, Verdict, phrase};

/// Where the dice of a game come from: what everybody may know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provenance {
    /// They come from here since this entry of the record; 0 for its beginning.
    pub since: u64,
    /// The server's part.
    pub source: Source,
    /// The seats that put in a seed of their own, by place, with the hashes of those seeds.
    pub pledges: Vec<(usize, HexHash)>,
    /// Whether the seeds are known to this reader, so that every die was compared with them.
    pub checked: bool,
}

/// What everybody may know about the fairness of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fairness {
    /// Where its dice come from now.
    pub provenance: Provenance,
    /// The entry with which this server took it over from elsewhere, the last one if there are several.
    pub adopted: Option<u64>,
    /// The places that the machine plays.
    pub machines: Vec<usize>,
    /// Whether a die or a revelation may be taken back against the machine.
    pub take_backs: bool,
    /// How many decisions that rolled were taken back by agreement.
    pub rolls_taken_back: u32,
    /// The places whose players may still put a seed of their own into the dice.
    pub may_pledge: Vec<usize>,
}

/// The cup. Without its seeds it is part of a snapshot; the seeds stay where they are kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Cup {
    source: Source,
    /// The entry since which all have agreed to roll on a real table.
    table: Option<u64>,
    since: u64,
    /// The seats' seeds, sealed, in the order of their lines.
    pledges: Vec<(usize, Pledge)>,
    /// How many decisions of the whole record rolled, those taken back included: it never goes back.
    rolls: u64,
    /// How many of them had rolled when the dice began to come from this source.
    rolls_before: u64,
    #[serde(skip)]
    secret: Option<Seed>,
    #[serde(skip)]
    mixed: Option<Seed>,
}

impl Cup {
    /// The cup of a source from this entry on, after so many rolls.
    pub(crate) fn new(source: Source, since: u64, rolls: u64) -> Self {
        let secret = match source {
            Source::Open(HexHash(seed)) => Some(seed),
            Source::Committed(_) | Source::Table => None,
        };
        let mut cup = Self {
            source,
            table: None,
            since,
            pledges: Vec::new(),
            rolls,
            rolls_before: rolls,
            secret,
            mixed: None,
        };
        cup.mix();
        cup
    }

    /// The cup of a snapshot, with the seeds that were kept elsewhere.
    pub(crate) fn known(mut self, secret: Option<Seed>) -> Self {
        match self.source {
            Source::Open(HexHash(seed)) => {
                self.secret = Some(seed);
                self.mix();
            }
            Source::Committed(_) => {
                secret.map(|seed| self.entrust(seed));
            }
            Source::Table => {}
        }
        self
    }

    pub(crate) const fn rolls(&self) -> u64 {
        self.rolls
    }

    pub(crate) fn is_table(&self) -> bool {
        self.table.is_some() || self.source == Source::Table
    }

    /// Whether there is a secret to be revealed at the end.
    pub(crate) const fn is_committed(&self) -> bool {
        matches!(self.source, Source::Committed(_))
    }

    /// The seed of a source that everybody may read.
    pub(crate) const fn open_seed(&self) -> Option<Seed> {
        match self.source {
            Source::Open(HexHash(seed)) => Some(seed),
            Source::Committed(_) | Source::Table => None,
        }
    }

    /// The secret seed of a committed source, if it is known.
    pub(crate) fn secret(&self) -> Option<Seed> {
        self.secret.filter(|_| self.is_committed())
    }

    pub(crate) fn provenance(&self) -> Provenance {
        let by_table =
            |since| Provenance { since, source: Source::Table, pledges: Vec::new(), checked: false };
        self.table.map_or_else(
            || Provenance {
                since: self.since,
                source: self.source.clone(),
                pledges: self.pledges.iter().map(|(place, pledge)| (*place, pledge.commitment)).collect(),
                checked: self.mixed.is_some(),
            },
            by_table,
        )
    }

    /// Takes the secret seed of a game that goes on, or is checked, if it is the one committed to and
    /// opens every pledge.
    pub(crate) fn entrust(&mut self, seed: Seed) -> bool {
        let fits = matches!(self.source, Source::Committed(HexHash(hash)) if hash == commitment(&seed))
            && self.pledges.iter().all(|(_, pledge)| pledge.open(&seed).is_some());
        if fits {
            self.secret = Some(seed);
            self.mix();
        }
        fits
    }

    /// The server's seed and those of the seats, in the order of their pledges, become one.
    fn mix(&mut self) {
        self.mixed = self.secret.and_then(|server| {
            let mut hasher = blake3::Hasher::new_derive_key("glacis mixed seed v2");
            hasher.update(&server);
            for (_, pledge) in &self.pledges {
                hasher.update(&pledge.open(&server)?);
            }
            Some(*hasher.finalize().as_bytes())
        });
    }

    /// The dice of the next decision that rolls, if the seeds are known.
    pub(crate) fn dice(&self) -> Option<Live> {
        let mixed = self.mixed.filter(|_| !self.is_table())?;
        Some(Live::for_roll(&mixed, self.rolls))
    }

    /// A decision has rolled.
    pub(crate) const fn has_rolled(&mut self) {
        self.rolls += 1;
    }

    /// Whether the seat at this place may still put in a seed of its own.
    pub(crate) fn may_pledge(&self, place: usize) -> Verdict<()> {
        if self.is_table() || !self.is_committed() {
            return Err(Refusal::plain(phrase::NO_PLEDGES));
        }
        if self.pledges.iter().any(|(pledged, _)| *pledged == place) {
            return Err(Refusal::plain(phrase::PLEDGED_ALREADY));
        }
        if self.rolls > self.rolls_before {
            return Err(Refusal::plain(phrase::PLEDGE_TOO_LATE));
        }
        Ok(())
    }

    /// Whether a pledge holds what it says, as far as can be told yet.
    pub(crate) fn believes(&self, pledge: &Pledge) -> bool {
        self.secret.is_none_or(|server| pledge.open(&server).is_some())
    }

    pub(crate) fn pledge(&mut self, place: usize, pledge: Pledge) {
        self.pledges.push((place, pledge));
        self.mix();
    }

    /// All have agreed to roll on a real table from this entry on.
    pub(crate) const fn roll_on_the_table(&mut self, since: u64) {
        self.table = Some(since);
    }
}

fn derived(context: &str, parts: &[&[u8]]) -> Hash {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(part);
    }
    *hasher.finalize().as_bytes()
}

impl Pledge {
    /// Commits to a seat's seed and seals it with the server's, so that whoever learns the server's
    /// seed at the end learns all.
    pub(crate) fn seal(seed: &Seed, server: &Seed) -> Self {
        let commitment = derived("glacis seat seed commitment v2", &[seed]);
        Self { commitment: HexHash(commitment), sealed: HexHash(masked(seed, server, &commitment)) }
    }

    /// The seat's seed, if it is the one committed to.
    pub(crate) fn open(&self, server: &Seed) -> Option<Seed> {
        let seed = masked(&self.sealed.0, server, &self.commitment.0);
        (derived("glacis seat seed commitment v2", &[&seed]) == self.commitment.0).then_some(seed)
    }
}

/// The least length of a sealed order in bytes; a longer one has four times as many, and so on.
const SEALED_LENGTH: usize = 256;

impl Sealed {
    /// Commits to an order and masks it. The salt follows from the key and from the record so far: nobody
    /// who has not the key can guess it.
    pub(crate) fn seal(order: &str, key: &Seed, chain: &Hash) -> Self {
        let salt = derived("glacis sealed order salt v1", &[key, chain]);
        let commitment = Self::commitment_of(order, &salt);
        let mut bytes = [&salt, order.as_bytes()].concat();
        let mut length = SEALED_LENGTH;
        while length < bytes.len() {
            length *= 4;
        }
        bytes.resize(length, b' ');
        veil(&mut bytes, key, &commitment);
        Self { commitment: HexHash(commitment), masked: HexBytes(bytes) }
    }

    /// The hash of an order and its salt.
    pub(crate) fn commitment_of(order: &str, salt: &Hash) -> Hash {
        derived("glacis sealed order commitment v1", &[salt, order.as_bytes()])
    }

    /// The order and its salt, if they are those committed to.
    pub(crate) fn open(&self, key: &Seed) -> Option<(String, Hash)> {
        let mut bytes = self.masked.0.clone();
        veil(&mut bytes, key, &self.commitment.0);
        let (salt, order) = bytes.split_first_chunk::<32>()?;
        let order = std::str::from_utf8(order).ok()?.trim_end_matches(' ');
        (Self::commitment_of(order, salt) == self.commitment.0).then(|| (order.to_owned(), *salt))
    }
}

/// Masks and unmasks an order.
fn veil(bytes: &mut [u8], key: &Seed, commitment: &Hash) {
    let mut hasher = blake3::Hasher::new_derive_key("glacis sealed order v1");
    hasher.update(key).update(commitment);
    let mut mask = vec![0; bytes.len()];
    hasher.finalize_xof().fill(&mut mask);
    for (byte, mask) in bytes.iter_mut().zip(mask) {
        *byte ^= mask;
    }
}

/// Seals and opens.
fn masked(text: &Hash, server: &Seed, commitment: &Hash) -> Hash {
    let mask = derived("glacis sealed seat seed v2", &[server, commitment]);
    std::array::from_fn(|place| text[place] ^ mask[place])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dice;

    const SERVER: Seed = [7; 32];

    fn committed() -> Cup {
        Cup::new(Source::Committed(HexHash(commitment(&SERVER))), 0, 0)
    }

    fn rolled(cup: &Cup) -> [u8; 20] {
        let mut dice = cup.dice().expect("the seeds are known");
        [(); 20].map(|()| dice.die(6))
    }

    #[test]
    fn a_pledge_is_opened_by_the_seed_that_sealed_it_and_by_no_other() {
        let pledge = Pledge::seal(&[1; 32], &SERVER);
        assert_eq!(pledge.open(&SERVER), Some([1; 32]));
        assert_eq!(pledge.open(&[8; 32]), None);
        assert_ne!(pledge.sealed.0, [1; 32]);
    }

    #[test]
    fn a_sealed_order_is_opened_by_its_key_alone_and_its_length_tells_nothing() {
        let [short, long] = ["\"hold\"", "{\"dig\":200}"].map(|order| Sealed::seal(order, &SERVER, &[3; 32]));
        assert_eq!(short.open(&SERVER).map(|(order, _)| order).as_deref(), Some("\"hold\""));
        assert_eq!((short.open(&[8; 32]), short.masked.0.len()), (None, long.masked.0.len()));
        assert_ne!(short.commitment, Sealed::seal("\"hold\"", &SERVER, &[4; 32]).commitment);
        let endless = Sealed::seal(&"x".repeat(300), &SERVER, &[3; 32]);
        assert_eq!(endless.masked.0.len(), 1024);
        assert!(endless.open(&SERVER).is_some());
    }

    #[test]
    fn every_seed_and_every_roll_counts_for_the_dice() {
        let mut cup = committed();
        assert!(cup.dice().is_none() && !cup.entrust([8; 32]) && cup.entrust(SERVER));
        let mut seen = vec![rolled(&cup)];
        for (place, seed) in [(0, [1; 32]), (1, [2; 32])] {
            cup.pledge(place, Pledge::seal(&seed, &SERVER));
            seen.push(rolled(&cup));
        }
        cup.has_rolled();
        seen.push(rolled(&cup));
        let different: std::collections::BTreeSet<_> = seen.iter().collect();
        assert_eq!(different.len(), seen.len(), "{seen:?}");
    }

    #[test]
    fn a_seed_that_does_not_open_a_pledge_is_not_taken() {
        let mut cup = committed();
        cup.pledge(0, Pledge::seal(&[1; 32], &[9; 32]));
        assert!(!cup.entrust(SERVER) && cup.dice().is_none());
    }
}
