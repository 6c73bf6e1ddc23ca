//! A game played again: from its record, line by line, or from a snapshot. What cannot have happened is
//! refused with its line, by the same code that refuses it at the table.

use serde::{Deserialize, Serialize};

use super::sealed::{Phase, faces_of};
use super::{Pending, Play, Step};
use crate::cup::Cup;
use crate::record::{
    self, Deed, Ending, Entry, Hash, HexHash, Record, Rolled, Terms, line_fault, record_phrase, state_hash,
    unseal,
};
use crate::{Game, Refusal, Scripted, Seed, Verdict, phrase};

/// What a game needs to go on without its past.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Snapshot<G: Game> {
    entries: u64,
    moved: u64,
    chain: Hash,
    state: G,
    phase: Phase<G>,
    ending: Option<Ending<G::Side>>,
    pending: Option<Pending<G::Side>>,
    cup: Cup,
    terms: Terms,
    closed: bool,
    adopted: Option<u64>,
    rolls_taken_back: u32,
    talk: Vec<u32>,
}

impl<G: Game> Play<G> {
    /// Plays a record again, checking every order, die and state. Stops after `most` entries.
    ///
    /// # Errors
    /// The first line that cannot have happened.
    pub fn replay(record: &Record, most: Option<u64>) -> Verdict<Self> {
        Self::replay_with(record, most, |_, _| {})
    }

    /// Like [`replay`](Self::replay), handing every step to `watch` with the game after it.
    ///
    /// # Errors
    /// The first line that cannot have happened.
    pub fn replay_with(
        record: &Record,
        most: Option<u64>,
        mut watch: impl FnMut(&Self, &Step),
    ) -> Verdict<Self> {
        if record.header.system != G::SYSTEM {
            return Err(Refusal::plain(record_phrase::OTHER_SYSTEM)
                .with("found", record.header.system.as_str())
                .with("expected", G::SYSTEM));
        }
        let entries = record.entries::<G::Side, G::Action>()?;
        let revealed = entries.iter().find_map(|entry| match entry.deed {
            Deed::Reveal(HexHash(seed)) => Some(seed),
            _ => None,
        });
        // A seed that is not the one committed to is refused at the line that reveals it.
        let mut play = Self::with_header(record.header.clone(), revealed)?;
        let most = most.map_or(entries.len(), |most| usize::try_from(most).unwrap_or(usize::MAX));
        for (entry, line) in entries.into_iter().zip(&record.lines).take(most) {
            let step = play.redo(entry, line)?;
            watch(&play, &step);
        }
        Ok(play)
    }

    /// Begins again from the first line of a record; with a committed seed, `secret` is that seed, or
    /// the one that a later line commits to. The other lines are added with [`follow`](Self::follow).
    ///
    /// # Errors
    /// When the line is no header of this system.
    pub fn open(header_line: &str, secret: Option<Seed>) -> Verdict<Self> {
        let header = record::read_header(header_line)?;
        if header.system != G::SYSTEM {
            return Err(Refusal::plain(record_phrase::OTHER_SYSTEM)
                .with("found", header.system.as_str())
                .with("expected", G::SYSTEM));
        }
        Self::with_header(header, secret)
    }

    /// Goes one line of the record further, checking the order, the dice and the state.
    ///
    /// # Errors
    /// When this line cannot be the next one.
    pub fn follow(&mut self, line: &str) -> Verdict<Step> {
        let number = self.entries + 1;
        let entry = unseal::<Entry<G::Side, G::Action>>(line)
            .map_err(|detail| line_fault(record_phrase::NO_ENTRY, number).with("detail", detail))?
            .content;
        if entry.n != number {
            return Err(line_fault(record_phrase::ALTERED, number));
        }
        self.redo(entry, line)
    }

    fn redo(&mut self, entry: Entry<G::Side, G::Action>, line: &str) -> Verdict<Step> {
        let number = entry.n;
        let expected = entry.state;
        let step = self.again(entry)?;
        if HexHash(state_hash(&self.state)) != expected {
            return Err(line_fault(record_phrase::STATE, number));
        }
        if step.record_line != line {
            return Err(line_fault(record_phrase::ALTERED, number));
        }
        Ok(step)
    }

    /// What the game needs to go on from here without its past. The record stays the truth.
    ///
    /// # Panics
    /// Never for the plain data that states are: writing it to memory cannot fail.
    #[must_use]
    pub fn snapshot(&self) -> Vec<u8> {
        let snapshot = Snapshot {
            entries: self.entries,
            moved: self.moved,
            chain: self.chain,
            state: self.state.clone(),
            phase: self.phase.clone(),
            ending: self.ending,
            pending: self.pending,
            cup: self.cup.clone(),
            terms: self.terms.clone(),
            closed: self.closed,
            adopted: self.adopted,
            rolls_taken_back: self.rolls_taken_back,
            talk: self.talk.clone(),
        };
        let mut bytes = postcard::to_stdvec(&snapshot).expect("plain data can be written to memory");
        let hash = blake3::hash(&bytes);
        bytes.extend_from_slice(hash.as_bytes());
        bytes
    }

    /// Goes on from a snapshot that was taken after `last_line` of the record.
    ///
    /// # Errors
    /// When the snapshot is spoiled or not of that line: its number, its hash and its state must agree.
    pub fn resume(
        header_line: &str,
        secret: Option<Seed>,
        last_line: &str,
        snapshot: &[u8],
    ) -> Verdict<Self> {
        let mut play = Self::open(header_line, secret)?;
        let fault = || Refusal::plain(record_phrase::STATE).with("line", 0);
        let (bytes, hash) = snapshot.split_last_chunk::<32>().ok_or_else(fault)?;
        if blake3::hash(bytes) != *hash {
            return Err(fault());
        }
        let snapshot: Snapshot<G> = postcard::from_bytes(bytes).map_err(|_| fault())?;
        let last = unseal::<Entry<G::Side, serde::de::IgnoredAny>>(last_line).map_err(|_| fault())?;
        if last.content.n != snapshot.entries
            || last.chain != Some(snapshot.chain)
            || last.content.state != HexHash(state_hash(&snapshot.state))
        {
            return Err(line_fault(record_phrase::STATE, snapshot.entries));
        }
        play.entries = snapshot.entries;
        play.moved = snapshot.moved;
        play.chain = snapshot.chain;
        play.state = snapshot.state;
        play.phase = snapshot.phase;
        play.ending = snapshot.ending;
        play.pending = snapshot.pending;
        play.cup = snapshot.cup.known(secret);
        play.machines = Self::machines(&snapshot.terms)?;
        play.terms = snapshot.terms;
        play.closed = snapshot.closed;
        play.adopted = snapshot.adopted;
        play.rolls_taken_back = snapshot.rolls_taken_back;
        play.talk = snapshot.talk;
        play.forgetful = true;
        Ok(play)
    }

    /// Does again what an entry records.
    fn again(&mut self, entry: Entry<G::Side, G::Action>) -> Verdict<Step> {
        let number = entry.n;
        let now = self.entries;
        let refused = |refusal: Refusal| {
            let itself = [record_phrase::NOT_OF_THE_SEED, record_phrase::PLEDGE, record_phrase::SEAL];
            if itself.contains(&refusal.reason) {
                return refusal;
            }
            let phrase = if refusal.field.as_deref() == Some("dice") {
                record_phrase::DICE
            } else {
                record_phrase::REFUSED
            };
            line_fault(phrase, number).with("detail", refusal)
        };
        match (entry.deed, entry.side) {
            (Deed::Decide { action, dice, salt }, Some(side)) => {
                self.decide_again(side, &action, &dice, salt).map_err(refused)
            }
            (Deed::Seal(sealed), Some(side)) => self.seal_again(side, sealed).map_err(refused),
            (Deed::Undo, Some(side)) => self.undo(now, side).map_err(refused),
            (Deed::Resign, Some(side)) => self.resign(now, side).map_err(refused),
            (Deed::Offer(offer), Some(side)) => self.offer(now, side, offer).map_err(refused),
            (Deed::Accept, Some(side)) => self.accept(now, side).map_err(refused),
            (Deed::Decline, Some(side)) => self.decline(now, side).map_err(refused),
            (Deed::Words(words), Some(side)) => self.words(now, side, &words).map_err(refused),
            (Deed::Pledge(pledge), Some(side)) => self.pledged(side, pledge).map_err(refused),
            (Deed::Adopt { commitment, terms }, None) => self.taken_over(commitment, terms).map(Step::silent),
            (Deed::Reveal(HexHash(seed)), None) => self.reveal(seed).map(Step::silent),
            _ => Err(line_fault(record_phrase::NO_ENTRY, number).with("detail", "side")),
        }
    }

    /// Decides again, with the dice that were recorded: where the seeds are known, with those that
    /// follow from them.
    fn decide_again(
        &mut self,
        side: G::Side,
        action: &G::Action,
        recorded: &[Rolled],
        salt: Option<HexHash>,
    ) -> Verdict<Step> {
        self.fresh(self.entries)?;
        match salt {
            Some(salt) => self.believes_opened(side, action, salt)?,
            // What several decide at once is sealed first.
            None if self.is_opening() || self.state.deciders().count() > 1 => {
                return Err(self.fault(record_phrase::SEAL));
            }
            None => self.state.check(side, action)?,
        }
        let other = self.fault(record_phrase::NOT_OF_THE_SEED);
        if let Some(dice) = self.cup.dice() {
            return self.carry_out(side, action, salt, dice, |_, rolled| {
                if rolled == recorded { Ok(()) } else { Err(other) }
            });
        }
        if self.cup.is_table() && !recorded.is_empty() && self.is_machine(side) {
            return Err(Refusal::plain(phrase::MACHINE_TABLE));
        }
        let faces = faces_of(recorded);
        self.carry_out(side, action, salt, Scripted::new(&faces), |dice, rolled| {
            dice.finish()?;
            match rolled.iter().zip(recorded).find(|(rolled, recorded)| rolled != recorded) {
                None => Ok(()),
                Some((rolled, recorded)) => Err(Refusal::field("dice", phrase::IMPOSSIBLE_VALUE)
                    .with("found", format!("d{}", recorded.d))
                    .with("expected", format!("d{}", rolled.d))),
            }
        })
    }
}
