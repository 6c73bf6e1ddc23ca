//! A game being played and recorded: orders go in, lines of the record come out.

use serde::{Deserialize, Serialize};

use crate::record::record_phrase;
use crate::record::{
    self, Deed, Ending, Entry, Hash, Header, HexHash, Offer, ROOT, Record, Source, line_fault, seal,
    state_hash, unseal,
};
use crate::{
    Desk, Dice, Disclosure, Game, Kept, Line, Live, Refusal, Scripted, Seed, Setup, Spoken, Verdict, phrase,
};

/// What became of an order.
#[derive(Clone, Debug)]
pub struct Step {
    /// The line to append to the record.
    pub record_line: String,
    /// The faces of the dice it used, in order.
    pub dice: Vec<u8>,
    /// How many sides each of those dice had.
    pub sides: Vec<u8>,
    /// What was said while it was carried out.
    pub said: Vec<Line>,
    /// What kind of step it was.
    pub kind: StepKind,
}

impl Step {
    /// A step that rolls nothing and says nothing.
    pub(crate) const fn silent(record_line: String) -> Self {
        Self { record_line, dice: Vec::new(), sides: Vec::new(), said: Vec::new(), kind: StepKind::Plain }
    }
}

/// What a step did to what the players know; only a plain one can be taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    /// It rolled dice.
    Rolled,
    /// It revealed something hidden.
    Revealed,
    /// It did neither.
    Plain,
}

impl StepKind {
    /// Follows from the dice used and what was disclosed, and from nothing else.
    #[must_use]
    pub fn of(dice: &[u8], disclosure: Disclosure) -> Self {
        match disclosure {
            _ if !dice.is_empty() => Self::Rolled,
            Disclosure::Revealed => Self::Revealed,
            Disclosure::Nothing => Self::Plain,
        }
    }
}

/// How many decisions that rolled or revealed can be taken back when the others agree.
const MOST_BACK: usize = 8;

/// A decision that can still be taken back.
#[derive(Clone, Debug)]
struct Past<G: Game> {
    side: G::Side,
    before: G,
    kind: StepKind,
}

/// What is offered, by whom, and which places have agreed (a bit for each).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pending<S> {
    by: S,
    offer: Offer,
    agreed: u64,
}

/// What a game needs to go on without its past.
#[derive(Serialize, Deserialize)]
#[serde(bound = "")]
struct Snapshot<G: Game> {
    entries: u64,
    chain: Hash,
    state: G,
    ending: Option<Ending<G::Side>>,
    pending: Option<Pending<G::Side>>,
    rolled: bool,
    revealed: bool,
}

/// A game in progress, bound to its record.
#[derive(Clone, Debug)]
pub struct Play<G: Game> {
    header: Header,
    header_line: String,
    secret: Option<Seed>,
    state: G,
    /// The decisions that can be taken back: the plain ones since the last die or revelation, and
    /// a few more for when the others agree.
    past: Vec<Past<G>>,
    /// Whether decisions were made that `past` never knew: the game was resumed from a snapshot.
    forgetful: bool,
    ending: Option<Ending<G::Side>>,
    pending: Option<Pending<G::Side>>,
    /// Whether a die was rolled.
    rolled: bool,
    entries: u64,
    chain: Hash,
    /// Whether the secret seed was revealed: whoever knows it knows the coming dice.
    revealed: bool,
}

impl<G: Game> Play<G> {
    /// Begins a game whose dice come from `source`. With a committed seed, `secret` is that seed.
    ///
    /// # Errors
    /// When the scenario or an option does not exist, or the secret is not the seed committed to.
    pub fn begin(setup: &Setup, source: Source, secret: Option<Seed>) -> Verdict<Self> {
        Self::with_header(Header::new(G::SYSTEM, setup, source), secret)
    }

    fn with_header(header: Header, secret: Option<Seed>) -> Verdict<Self> {
        let state = G::start(&header.setup())?;
        let (header_line, chain) = seal(&ROOT, &header);
        let open = match header.seed {
            Source::Open(HexHash(seed)) => Some(seed),
            Source::Committed(_) | Source::Table => None,
        };
        let mut play = Self {
            header,
            header_line,
            secret: open,
            state,
            past: Vec::new(),
            forgetful: false,
            ending: None,
            pending: None,
            rolled: false,
            entries: 0,
            chain,
            revealed: false,
        };
        if let (Source::Committed(_), Some(seed)) = (&play.header.seed, secret) {
            play.entrust(seed)?;
        }
        Ok(play)
    }

    /// Hands over the secret seed of a game that was read from its record, so that it can go on.
    ///
    /// # Errors
    /// When the game has no secret seed, or another one.
    pub fn entrust(&mut self, seed: Seed) -> Verdict<()> {
        self.committed_to(&seed)?;
        self.secret = Some(seed);
        Ok(())
    }

    fn committed_to(&self, seed: &Seed) -> Verdict<()> {
        match self.header.seed {
            Source::Committed(HexHash(hash)) if hash == record::commitment(seed) => Ok(()),
            _ => Err(line_fault(record_phrase::COMMITMENT, self.entries + 1)),
        }
    }

    /// The first line of the record.
    #[must_use]
    pub fn header_line(&self) -> &str {
        &self.header_line
    }

    /// The header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The table as it stands.
    #[must_use]
    pub fn state(&self) -> &G {
        &self.state
    }

    /// How many entries the record holds.
    #[must_use]
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The hash of the record so far.
    #[must_use]
    pub fn chain(&self) -> &Hash {
        &self.chain
    }

    /// Gives an order, meant for the game as it stood after `seen` entries.
    ///
    /// # Errors
    /// When the order is stale or refused; nothing has changed then.
    pub fn decide(&mut self, seen: u64, side: G::Side, action: &G::Action) -> Verdict<Step> {
        match self.live_dice(action) {
            Some(dice) => self.step(seen, side, action, dice, |_, _| Ok(())),
            None => self.decide_with(seen, side, action, &[]),
        }
    }

    /// Gives an order with the dice rolled for it on a real table, or read from a record.
    ///
    /// # Errors
    /// When the order is stale or refused, or the dice are not exactly those it needs: where the
    /// seed is known, those of the seed. Nothing has changed then.
    pub fn decide_with(
        &mut self,
        seen: u64,
        side: G::Side,
        action: &G::Action,
        faces: &[u8],
    ) -> Verdict<Step> {
        let line = self.entries + 1;
        match self.live_dice(action) {
            Some(dice) => self.step(seen, side, action, dice, |_, rolled| {
                if rolled == faces { Ok(()) } else { Err(line_fault(record_phrase::NOT_OF_THE_SEED, line)) }
            }),
            None => self.step(seen, side, action, Scripted::new(faces), |dice, _| Ok(dice.finish()?)),
        }
    }

    /// The dice of the seed for this action, if the seed is known.
    pub(crate) fn live_dice(&self, action: &G::Action) -> Option<Live> {
        let order = serde_json::to_vec(action).ok()?;
        self.secret.map(|seed| Live::for_decision(&seed, &self.chain, &order))
    }

    /// The same game without its past: a place to try steps and take them back.
    #[cfg(feature = "conformance")]
    pub(crate) fn fork(&self) -> Self {
        Self {
            header: self.header.clone(),
            header_line: String::new(),
            state: self.state.clone(),
            past: Vec::new(),
            ..*self
        }
    }

    /// Carries an order out on a copy, which becomes the state if `fits` accepts the dice.
    fn step<D: Dice>(
        &mut self,
        seen: u64,
        side: G::Side,
        action: &G::Action,
        dice: D,
        fits: impl FnOnce(D, &[u8]) -> Verdict<()>,
    ) -> Verdict<Step> {
        self.fresh(seen)?;
        self.state.check(side, action)?;
        let mut after = self.state.clone();
        let mut desk = Desk::new(Kept::new(dice), Spoken::default());
        let disclosure = after.perform(action, &mut desk);
        let sides = desk.dice.sides().to_vec();
        let (dice, faces) = desk.dice.into_parts();
        fits(dice, &faces)?;
        let kind = StepKind::of(&faces, disclosure);
        let before = std::mem::replace(&mut self.state, after);
        self.past.push(Past { side, before, kind });
        if kind != StepKind::Plain {
            self.past.drain(..self.past.len().saturating_sub(MOST_BACK));
        }
        self.pending = None;
        self.rolled |= !faces.is_empty();
        let deed = Deed::Decide { action: action.clone(), dice: faces.clone() };
        let record_line = self.append(Some(side), deed);
        Ok(Step { record_line, dice: faces, sides, said: desk.notes.into_lines(), kind })
    }

    /// Takes back the last decision, if it was this side's and neither rolled nor revealed.
    ///
    /// # Errors
    /// When the order is stale or there is nothing to take back.
    pub fn undo(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.fresh(seen)?;
        match self.past.pop() {
            Some(Past { side: who, before, kind: StepKind::Plain }) if who == side => {
                self.state = before;
                self.pending = None;
                Ok(Step::silent(self.append(Some(side), Deed::Undo)))
            }
            other => {
                self.past.extend(other);
                Err(Refusal::plain(phrase::NOTHING_TO_UNDO))
            }
        }
    }

    /// Gives the game up.
    ///
    /// # Errors
    /// When the order is stale or the game is over.
    pub fn resign(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.going_on(seen)?;
        self.pending = None;
        self.ending = Some(Ending::Resigned(side));
        Ok(Step::silent(self.append(Some(side), Deed::Resign)))
    }

    /// Proposes something to the other sides. The offer lapses with the next decision.
    ///
    /// # Errors
    /// When the order is stale, the game is over, something is offered already, or there is no
    /// decision of this side to take back.
    pub fn offer(&mut self, seen: u64, side: G::Side, offer: Offer) -> Verdict<Step> {
        self.going_on(seen)?;
        if self.pending.is_some() {
            return Err(Refusal::plain(phrase::OFFER_PENDING));
        }
        if offer == Offer::TakeBack && !self.past.iter().any(|past| past.side == side) {
            return Err(Refusal::plain(phrase::NOTHING_TO_UNDO));
        }
        self.pending = Some(Pending { by: side, offer, agreed: Self::bit(side) });
        Ok(Step::silent(self.append(Some(side), Deed::Offer(offer))))
    }

    /// Agrees to what another side offers. When all have agreed, it is done.
    ///
    /// # Errors
    /// When the order is stale, the game is over or nothing is offered to this side.
    pub fn accept(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.going_on(seen)?;
        let mut pending = self.offered_to(side)?;
        pending.agreed |= Self::bit(side);
        if pending.offer == Offer::TakeBack && !self.past.iter().any(|past| past.side == pending.by) {
            return Err(Refusal::plain(phrase::NOTHING_TO_UNDO));
        }
        let all = G::SIDES.iter().all(|&side| pending.agreed & Self::bit(side) != 0);
        self.pending = Some(pending).filter(|_| !all);
        match pending.offer {
            Offer::Draw if all => self.ending = Some(Ending::Drawn),
            Offer::TakeBack if all => {
                while let Some(past) = self.past.pop() {
                    self.state = past.before;
                    if past.side == pending.by {
                        break;
                    }
                }
            }
            Offer::Draw | Offer::TakeBack => {}
        }
        Ok(Step::silent(self.append(Some(side), Deed::Accept)))
    }

    /// Declines what another side offers, or withdraws the own offer.
    ///
    /// # Errors
    /// When the order is stale, the game is over or nothing is offered.
    pub fn decline(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.going_on(seen)?;
        if self.pending.take().is_none() {
            return Err(Refusal::plain(phrase::NO_OFFER));
        }
        Ok(Step::silent(self.append(Some(side), Deed::Decline)))
    }

    fn offered_to(&self, side: G::Side) -> Verdict<Pending<G::Side>> {
        self.pending
            .filter(|pending| pending.agreed & Self::bit(side) == 0)
            .ok_or_else(|| Refusal::plain(phrase::NO_OFFER))
    }

    fn bit(side: G::Side) -> u64 {
        1 << G::place(side).min(63)
    }

    /// What is offered, and by whom.
    #[must_use]
    pub fn offered(&self) -> Option<(G::Side, Offer)> {
        self.pending.map(|pending| (pending.by, pending.offer))
    }

    /// How the players ended the game, where its rules did not.
    #[must_use]
    pub fn ending(&self) -> Option<Ending<G::Side>> {
        self.ending
    }

    /// Whose decision it is; nobody's when the game is over, however it ended.
    #[must_use]
    pub fn to_move(&self) -> Option<G::Side> {
        if self.is_over() { None } else { self.state.to_move() }
    }

    /// Whether the game is over: by its rules, by the players, or because the seed is known.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.revealed || self.ending.is_some() || self.state.outcome().is_some()
    }

    /// Whether a die was rolled.
    #[must_use]
    pub fn has_rolled(&self) -> bool {
        self.rolled
    }

    /// Whether the secret seed was revealed.
    #[must_use]
    pub fn is_revealed(&self) -> bool {
        self.revealed
    }

    /// Whether older decisions could be taken back if the whole record were played again.
    #[must_use]
    pub fn is_forgetful(&self) -> bool {
        self.forgetful
    }

    /// Adds words of a player; every later die depends on them.
    pub fn words(&mut self, side: G::Side, words: &str) -> String {
        self.append(Some(side), Deed::Words(words.to_owned()))
    }

    /// Reveals the secret seed, at the end: nothing can be decided after it.
    ///
    /// # Errors
    /// When there is none, or it is not the one committed to.
    pub fn reveal(&mut self, seed: Seed) -> Verdict<String> {
        self.committed_to(&seed)?;
        self.revealed = true;
        Ok(self.append(None, Deed::Reveal(HexHash(seed))))
    }

    fn fresh(&self, seen: u64) -> Verdict<()> {
        if self.revealed || self.ending.is_some() {
            return Err(Refusal::plain(phrase::GAME_OVER));
        }
        if seen == self.entries {
            return Ok(());
        }
        let number = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        Err(Refusal::plain(phrase::STALE_ORDER)
            .with("expected", number(self.entries))
            .with("found", number(seen)))
    }

    fn going_on(&self, seen: u64) -> Verdict<()> {
        if self.is_over() {
            return Err(Refusal::plain(phrase::GAME_OVER));
        }
        self.fresh(seen)
    }

    fn append(&mut self, side: Option<G::Side>, deed: Deed<G::Action>) -> String {
        let entry = Entry { n: self.entries + 1, side, deed, state: HexHash(state_hash(&self.state)) };
        let (line, chain) = seal(&self.chain, &entry);
        self.entries += 1;
        self.chain = chain;
        line
    }

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
        let mut play = Self::with_header(record.header.clone(), None)?;
        // A seed that is not the one committed to is refused at the line that reveals it.
        play.secret = play.secret.or(revealed.filter(|seed| play.committed_to(seed).is_ok()));
        let most = most.map_or(entries.len(), |most| usize::try_from(most).unwrap_or(usize::MAX));
        for (entry, line) in entries.into_iter().zip(&record.lines).take(most) {
            let step = play.redo(entry, line)?;
            watch(&play, &step);
        }
        Ok(play)
    }

    /// Begins again from the first line of a record; with a committed seed, `secret` is that seed.
    /// The other lines are added with [`follow`](Self::follow).
    ///
    /// # Errors
    /// When the line is no header of this system, or the secret is not the seed committed to.
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
            chain: self.chain,
            state: self.state.clone(),
            ending: self.ending,
            pending: self.pending,
            rolled: self.rolled,
            revealed: self.revealed,
        };
        postcard::to_stdvec(&snapshot).expect("plain data can be written to memory")
    }

    /// Goes on from a snapshot that was taken after `last_line` of the record.
    ///
    /// # Errors
    /// When the snapshot is not of that line: its number, its hash and its state must agree.
    pub fn resume(
        header_line: &str,
        secret: Option<Seed>,
        last_line: &str,
        snapshot: &[u8],
    ) -> Verdict<Self> {
        let mut play = Self::open(header_line, secret)?;
        let fault = || Refusal::plain(record_phrase::STATE).with("line", 0);
        let snapshot: Snapshot<G> = postcard::from_bytes(snapshot).map_err(|_| fault())?;
        let last = unseal::<Entry<G::Side, serde::de::IgnoredAny>>(last_line).map_err(|_| fault())?;
        if last.content.n != snapshot.entries
            || last.chain != Some(snapshot.chain)
            || last.content.state != HexHash(state_hash(&snapshot.state))
        {
            return Err(line_fault(record_phrase::STATE, snapshot.entries));
        }
        play.entries = snapshot.entries;
        play.chain = snapshot.chain;
        play.state = snapshot.state;
        play.ending = snapshot.ending;
        play.pending = snapshot.pending;
        play.rolled = snapshot.rolled;
        play.revealed = snapshot.revealed;
        play.forgetful = true;
        Ok(play)
    }

    /// Does again what an entry records.
    fn again(&mut self, entry: Entry<G::Side, G::Action>) -> Verdict<Step> {
        let number = entry.n;
        let refused = |refusal: Refusal| {
            if refusal.reason == record_phrase::NOT_OF_THE_SEED {
                return refusal;
            }
            let phrase = if refusal.field.as_deref() == Some("dice") {
                record_phrase::DICE
            } else {
                record_phrase::REFUSED
            };
            line_fault(phrase, number).with("detail", refusal.to_string())
        };
        match (entry.deed, entry.side) {
            (Deed::Decide { action, dice }, Some(side)) => {
                self.decide_with(self.entries, side, &action, &dice).map_err(refused)
            }
            (Deed::Undo, Some(side)) => self.undo(self.entries, side).map_err(refused),
            (Deed::Resign, Some(side)) => self.resign(self.entries, side).map_err(refused),
            (Deed::Offer(offer), Some(side)) => self.offer(self.entries, side, offer).map_err(refused),
            (Deed::Accept, Some(side)) => self.accept(self.entries, side).map_err(refused),
            (Deed::Decline, Some(side)) => self.decline(self.entries, side).map_err(refused),
            (Deed::Words(words), Some(side)) => Ok(Step::silent(self.words(side, &words))),
            (Deed::Reveal(HexHash(seed)), None) => self.reveal(seed).map(Step::silent),
            _ => Err(line_fault(record_phrase::NO_ENTRY, number).with("detail", "side")),
        }
    }
}
