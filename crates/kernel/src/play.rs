//! A game being played and recorded: orders go in, lines of the record come out. Whatever it refuses
//! is refused alike at a live table, in a record that is checked and in one that is taken over.
//!
//! - here: decisions, their dice, steps taken back;
//! - `sealed`: decisions of several sides at once, in secret;
//! - `parley`: what players do to each other beside the rules, and what a server does to their game;
//! - `again`: the same from a record or a snapshot.

mod again;
mod parley;
mod sealed;

use serde::{Deserialize, Serialize};

use crate::cup::{Cup, Fairness};
use crate::record::{
    Deed, Ending, Entry, Hash, Header, HexHash, Offer, ROOT, Rolled, Source, Terms, line_fault,
    record_phrase, seal, state_hash,
};
use crate::{
    Desk, Dice, Disclosure, Game, Kept, Line, Refusal, Scripted, Seed, Setup, Sides, Spoken, Verdict, phrase,
};

pub use sealed::Opened;
use sealed::Phase;

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
    /// The hash that a sealed order is committed to with.
    pub commitment: Option<HexHash>,
}

impl Step {
    /// A step that rolls nothing and says nothing.
    pub(crate) const fn silent(record_line: String) -> Self {
        Self {
            record_line,
            dice: Vec::new(),
            sides: Vec::new(),
            said: Vec::new(),
            kind: StepKind::Plain,
            commitment: None,
        }
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

/// The most entries of a record. Beyond them a side can only give up: no game needs a tenth of it.
pub const MOST_ENTRIES: u64 = 49_152;

/// How many decisions can be taken back one after the other; each is kept as it stood before it.
pub(crate) const MOST_UNDONE: usize = 256;

/// How many decisions that rolled or revealed can be taken back when the others agree.
const MOST_BACK: usize = 8;

/// A decision that can still be taken back.
#[derive(Clone, Debug)]
struct Past<G: Game> {
    side: G::Side,
    before: G,
    kind: StepKind,
    /// It was decided at once with the one before it: neither is taken back alone.
    joined: bool,
}

/// What is offered, by whom, and which places have agreed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Pending<S> {
    by: S,
    offer: Offer,
    agreed: Sides,
}

/// A game in progress, bound to its record.
#[derive(Clone, Debug)]
pub struct Play<G: Game> {
    header: Header,
    header_line: String,
    cup: Cup,
    /// The seed of a commitment that a later line of the record may make.
    coming: Option<Seed>,
    terms: Terms,
    /// The places that the machine plays.
    machines: Sides,
    state: G,
    /// The orders of several sides that wait for each other.
    phase: Phase<G>,
    /// The decisions that can be taken back: the plain ones since the last die or revelation, and
    /// a few more for when the others agree.
    past: Vec<Past<G>>,
    /// Whether decisions were made that `past` never knew: the game was resumed from a snapshot.
    forgetful: bool,
    ending: Option<Ending<G::Side>>,
    pending: Option<Pending<G::Side>>,
    entries: u64,
    /// The last entry that was more than talk: orders given since then are not stale.
    moved: u64,
    chain: Hash,
    /// Whether nothing can follow: the seed is known, or the game was taken over when it was over.
    closed: bool,
    adopted: Option<u64>,
    rolls_taken_back: u32,
    /// What each side said and proposed so far, by place.
    talk: Vec<u32>,
}

impl<G: Game> Play<G> {
    /// Begins a game between people whose dice come from `source`. With a committed seed, `secret` is
    /// that seed.
    ///
    /// # Errors
    /// When the scenario or an option does not exist, or the secret is not the seed committed to.
    pub fn begin(setup: &Setup, source: Source, secret: Option<Seed>) -> Verdict<Self> {
        Self::begin_on(setup, source, secret, Terms::default())
    }

    /// Begins a game on these terms.
    ///
    /// # Errors
    /// As [`begin`](Self::begin); or when the terms name a side that does not exist, or the machine
    /// would have to roll on a real table.
    pub fn begin_on(setup: &Setup, source: Source, secret: Option<Seed>, terms: Terms) -> Verdict<Self> {
        if source == Source::Table && !terms.machines.is_empty() {
            return Err(Refusal::field("dice", phrase::MACHINE_TABLE));
        }
        let play = Self::with_header(Header::new(G::SYSTEM, setup, source, terms), secret)?;
        let strange = play.cup.is_committed() && play.cup.secret() != secret;
        if strange { Err(play.fault(record_phrase::COMMITMENT)) } else { Ok(play) }
    }

    fn with_header(header: Header, secret: Option<Seed>) -> Verdict<Self> {
        let state = G::start(&header.setup())?;
        let (header_line, chain) = seal(&ROOT, &header);
        let mut cup = Cup::new(header.seed.clone(), 0, 0);
        // A seed that does not fit may be that of a later commitment.
        secret.map(|seed| cup.entrust(seed));
        Ok(Self {
            cup,
            coming: secret,
            machines: Self::machines(&header.terms)?,
            terms: header.terms.clone(),
            header,
            header_line,
            state,
            phase: Phase::default(),
            past: Vec::new(),
            forgetful: false,
            ending: None,
            pending: None,
            entries: 0,
            moved: 0,
            chain,
            closed: false,
            adopted: None,
            rolls_taken_back: 0,
            talk: vec![0; G::SIDES.len()],
        })
    }

    /// The places of the sides that terms name.
    fn machines(terms: &Terms) -> Verdict<Sides> {
        let name = |side: &G::Side| serde_json::to_value(side).ok()?.as_str().map(str::to_owned);
        terms.machines.iter().try_fold(Sides::NONE, |machines, named| {
            let side = G::SIDES.iter().find(|side| name(side).as_ref() == Some(named));
            let side = side.ok_or_else(|| {
                Refusal::field("terms.machines", phrase::UNKNOWN_CHOICE)
                    .with("found", named.as_str())
                    .with("expected", G::SIDES.iter().filter_map(name).collect::<Vec<_>>().join(", "))
            })?;
            Ok(machines.with(G::place(*side)))
        })
    }

    /// Hands over the secret seed of a game that was read from its record, so that it can go on.
    ///
    /// # Errors
    /// When the game has no secret seed, or another one.
    pub fn entrust(&mut self, seed: Seed) -> Verdict<()> {
        if self.cup.entrust(seed) { Ok(()) } else { Err(self.fault(record_phrase::COMMITMENT)) }
    }

    /// What is wrong with the next line of the record.
    fn fault(&self, phrase: crate::Phrase) -> Refusal {
        line_fault(phrase, self.entries + 1)
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

    /// What everybody may know about its fairness.
    #[must_use]
    pub fn fairness(&self) -> Fairness {
        Fairness {
            provenance: self.cup.provenance(),
            adopted: self.adopted,
            machines: self.machines.iter().collect(),
            take_backs: self.terms.take_backs,
            rolls_taken_back: self.rolls_taken_back,
            may_pledge: G::SIDES
                .iter()
                .filter(|side| self.may_pledge(**side).is_ok())
                .map(|side| G::place(*side))
                .collect(),
        }
    }

    /// Gives an order, meant for the game as it stood after `seen` entries. Where several sides decide,
    /// it is sealed; [`open_next`](Self::open_next) carries the orders out when the last is in.
    ///
    /// # Errors
    /// When the order is stale or refused; nothing has changed then, and nothing is told of the dice.
    pub fn decide(&mut self, seen: u64, side: G::Side, action: &G::Action) -> Verdict<Step> {
        if self.is_opening() {
            return self.open_with(seen, side, action, &[]);
        }
        if self.state.deciders().count() > 1 {
            return self.seal(seen, side, action);
        }
        if let Some(dice) = self.cup.dice() {
            return self.step(seen, side, action, dice, |_, _| Ok(()));
        }
        let of_a_table = self.cup.is_table();
        self.step(seen, side, action, Scripted::new(&[]), |dice, _| {
            let unknown = || Refusal::plain(phrase::SEED_UNKNOWN);
            dice.finish().map_err(|fault| if of_a_table { fault.into() } else { unknown() })
        })
    }

    /// Gives an order with the dice that were rolled for it on a real table.
    ///
    /// # Errors
    /// When the dice of this game are not rolled on a real table, the order is stale or refused, or
    /// the dice are not exactly those it needs. Nothing has changed then.
    pub fn decide_with(
        &mut self,
        seen: u64,
        side: G::Side,
        action: &G::Action,
        faces: &[u8],
    ) -> Verdict<Step> {
        // Before all orders are in, none is carried out.
        if !self.cup.is_table() || !self.is_opening() && self.state.deciders().count() > 1 {
            return Err(Refusal::field("dice", phrase::DICE_NOT_ASKED));
        }
        self.is_of_people(side)?;
        if self.is_opening() {
            return self.open_with(seen, side, action, faces);
        }
        self.step(seen, side, action, Scripted::new(faces), |dice, _| Ok(dice.finish()?))
    }

    /// The dice of the next roll, if the seeds are known.
    #[cfg(feature = "conformance")]
    pub(crate) fn live_dice(&self) -> Option<crate::Live> {
        self.cup.dice()
    }

    /// The same game without its past: a place to try steps and take them back.
    #[cfg(feature = "conformance")]
    pub(crate) fn fork(&self) -> Self {
        Self {
            header: self.header.clone(),
            header_line: String::new(),
            cup: self.cup.clone(),
            terms: self.terms.clone(),
            state: self.state.clone(),
            phase: self.phase.clone(),
            past: Vec::new(),
            talk: self.talk.clone(),
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
        fits: impl FnOnce(D, &[Rolled]) -> Verdict<()>,
    ) -> Verdict<Step> {
        self.fresh(seen)?;
        self.state.check(side, action)?;
        self.carry_out(side, action, None, dice, fits)
    }

    /// Carries out an order that was checked; one that was sealed is opened with its salt.
    fn carry_out<D: Dice>(
        &mut self,
        side: G::Side,
        action: &G::Action,
        salt: Option<HexHash>,
        dice: D,
        fits: impl FnOnce(D, &[Rolled]) -> Verdict<()>,
    ) -> Verdict<Step> {
        let mut after = self.state.clone();
        let mut desk = Desk::new(Kept::new(dice), Spoken::default());
        let disclosure = after.perform(side, action, &mut desk);
        let sides = desk.dice.sides().to_vec();
        let (dice, faces) = desk.dice.into_parts();
        let rolled: Vec<Rolled> = sides.iter().zip(&faces).map(|(&d, &face)| Rolled { d, face }).collect();
        fits(dice, &rolled)?;
        // What the others knew nothing of is open now.
        let disclosure = if salt.is_some() { Disclosure::Revealed } else { disclosure };
        let kind = StepKind::of(&faces, disclosure);
        let joined = self.phase.opening.as_ref().is_some_and(|(_, done)| *done > 0);
        let before = std::mem::replace(&mut self.state, after);
        self.past.push(Past { side, before, kind, joined });
        if salt.is_some() {
            self.opened(side);
        }
        let kept = if kind == StepKind::Plain { MOST_UNDONE } else { MOST_BACK };
        let most = self.past.len().saturating_sub(kept);
        // Decisions taken at once stay or go together.
        let torn = self.past[most..].iter().take_while(|past| past.joined).count();
        self.past.drain(..most + if self.is_opening() { 0 } else { torn });
        if kind == StepKind::Rolled {
            self.cup.has_rolled();
        }
        self.pending = None;
        let record_line =
            self.append(Some(side), Deed::Decide { action: action.clone(), dice: rolled, salt });
        Ok(Step { record_line, dice: faces, sides, said: desk.notes.into_lines(), kind, commitment: None })
    }

    /// Takes back the last decision, if it was this side's and neither rolled nor revealed; where this
    /// side has sealed an order, that order. What others have sealed lapses when the table changes.
    ///
    /// # Errors
    /// When the order is stale or there is nothing to take back.
    pub fn undo(&mut self, seen: u64, side: G::Side) -> Verdict<Step> {
        self.is_of_people(side)?;
        self.fresh(seen)?;
        if let Some(step) = self.withdraw(side) {
            return Ok(step);
        }
        match self.past.pop() {
            Some(Past { side: who, before, kind: StepKind::Plain, .. })
                if who == side && !self.is_opening() =>
            {
                self.phase = Phase::default();
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

    /// Whether the game is over: by its rules, by the players, or because nothing can follow.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.closed || self.ending.is_some() || self.state.outcome().is_some()
    }

    /// Whether a die was rolled.
    #[must_use]
    pub fn has_rolled(&self) -> bool {
        self.cup.rolls() > 0
    }

    /// Whether older decisions could be taken back if the whole record were played again.
    #[must_use]
    pub fn is_forgetful(&self) -> bool {
        self.forgetful
    }

    /// The last entry that was more than talk: an order given for an earlier one is stale.
    #[must_use]
    pub fn moved(&self) -> u64 {
        self.moved
    }

    /// Whether the machine plays this side.
    fn is_machine(&self, side: G::Side) -> bool {
        self.machines.has(G::place(side))
    }

    /// Refuses what only people do.
    fn is_of_people(&self, side: G::Side) -> Verdict<()> {
        if self.is_machine(side) { Err(Refusal::plain(phrase::MACHINE_SEAT)) } else { Ok(()) }
    }

    /// Whether an order is meant for the game as it stands, and there is room for it.
    fn fresh(&self, seen: u64) -> Verdict<()> {
        self.in_time(seen)?;
        self.has_room()
    }

    fn has_room(&self) -> Verdict<()> {
        if self.entries < MOST_ENTRIES {
            return Ok(());
        }
        Err(Refusal::plain(phrase::TOO_LONG).with("most", i64::try_from(MOST_ENTRIES).unwrap_or(i64::MAX)))
    }

    fn in_time(&self, seen: u64) -> Verdict<()> {
        // A secret seed is revealed in the same breath as the end: nothing comes between.
        let ended = self.ending.is_some() || self.cup.is_committed() && self.state.outcome().is_some();
        if self.closed || ended {
            return Err(Refusal::plain(phrase::GAME_OVER));
        }
        if (self.moved..=self.entries).contains(&seen) {
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
        let talk = matches!(deed, Deed::Words(_) | Deed::Pledge(_) | Deed::Seal(_));
        let entry = Entry { n: self.entries + 1, side, deed, state: HexHash(state_hash(&self.state)) };
        let (line, chain) = seal(&self.chain, &entry);
        self.entries += 1;
        self.moved = if talk { self.moved } else { self.entries };
        self.chain = chain;
        line
    }
}
