//! A game being played and recorded: orders go in, lines of the record come out.

use crate::record::record_phrase;
use crate::record::{
    self, Deed, Entry, Hash, Header, HexHash, ROOT, Record, Source, line_fault, seal, state_hash,
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
    /// What was said while it was carried out.
    pub said: Vec<Line>,
    /// What kind of step it was.
    pub kind: StepKind,
}

impl Step {
    /// A step that rolls nothing and says nothing.
    pub(crate) const fn silent(record_line: String) -> Self {
        Self { record_line, dice: Vec::new(), said: Vec::new(), kind: StepKind::Plain }
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

/// A game in progress, bound to its record.
#[derive(Clone, Debug)]
pub struct Play<G: Game> {
    header: Header,
    header_line: String,
    secret: Option<Seed>,
    state: G,
    /// The plain steps since the last die or revelation: who took each, and the state before it.
    plain: Vec<(G::Side, G)>,
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
            plain: Vec::new(),
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
            plain: Vec::new(),
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
        let (dice, faces) = desk.dice.into_parts();
        fits(dice, &faces)?;
        let kind = StepKind::of(&faces, disclosure);
        let before = std::mem::replace(&mut self.state, after);
        match kind {
            StepKind::Plain => self.plain.push((side, before)),
            StepKind::Rolled | StepKind::Revealed => self.plain.clear(),
        }
        let deed = Deed::Decide { action: action.clone(), dice: faces.clone() };
        let record_line = self.append(Some(side), deed);
        Ok(Step { record_line, dice: faces, said: desk.notes.into_lines(), kind })
    }

    /// Takes back the last decision, if it was this side's and neither rolled nor revealed.
    ///
    /// # Errors
    /// When the order is stale or there is nothing to take back.
    pub fn undo(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.fresh(seen)?;
        match self.plain.pop() {
            Some((who, before)) if who == side => {
                self.state = before;
                Ok(Step::silent(self.append(Some(side), Deed::Undo)))
            }
            other => {
                self.plain.extend(other);
                Err(Refusal::plain(phrase::NOTHING_TO_UNDO))
            }
        }
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
        if self.revealed {
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
            let number = entry.n;
            let expected = entry.state;
            let step = play.again(entry)?;
            if HexHash(state_hash(&play.state)) != expected {
                return Err(line_fault(record_phrase::STATE, number));
            }
            if step.record_line != *line {
                return Err(line_fault(record_phrase::ALTERED, number));
            }
            watch(&play, &step);
        }
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
            (Deed::Words(words), Some(side)) => Ok(Step::silent(self.words(side, &words))),
            (Deed::Reveal(HexHash(seed)), None) => self.reveal(seed).map(Step::silent),
            _ => Err(line_fault(record_phrase::NO_ENTRY, number).with("detail", "side")),
        }
    }
}
