//! The suite every game passes unchanged: the contract of [`Game`], checked at every node of random
//! games, and golden playthroughs.
//!
//! ```text
//! Suite::<Danzig>::new(scenarios()).games(20).most_decisions(5000).twin(hide_otherwise).run();
//! golden("tests/golden/danzig.txt", &playthrough::<Danzig>(&setup, 7, 40));
//! ```
//!
//! What it cannot see: a game that computes its own chance from its own state, deterministically,
//! looks to it like a rule. What a state keeps beside its serialised form, or takes from outside,
//! it does find, because every step is done again from a copy that was written and read.

#![allow(clippy::panic, reason = "the suite speaks to tests, and a failed check must fail the test")]

mod golden;
mod node;
mod playouts;
mod trial;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

use crate::record::state_hash;
use crate::{
    Desk, Dice, Game, HexHash, Line, Live, Play, Record, Refusal, Seed, Setup, Silent, Source, Step, StepKind,
};

pub use golden::{golden, playthrough};
use node::Node;
pub use playouts::playouts;
pub use trial::{Played, Tally, Trial, Usual, random_game, random_games};

/// Gives another state that this side cannot tell from the given one, if there is any.
pub type Twin<G> = fn(&G, <G as Game>::Side, &mut Live) -> Option<G>;

/// What a failure is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Check {
    /// The setups of the suite start, always the same game, and a setup that does not exist is refused.
    Start,
    /// A game ends within the bound.
    End,
    /// Somebody decides exactly when there is no outcome.
    Deciders,
    /// The list of actions is not empty, sorted and unique, and empty after the end.
    List,
    /// A listed action is accepted.
    Listed,
    /// An action that is not listed is refused.
    Unlisted,
    /// Nobody decides but those whose decision it is.
    WrongSide,
    /// An order for another point of the game is refused.
    Stale,
    /// A refused order changes nothing.
    Untouched,
    /// What was written is read back equal.
    RoundTrip,
    /// The same state, action and dice give the same again.
    Repeatable,
    /// The kind of a step follows from its dice and what it disclosed.
    Kind,
    /// A plain step can be taken back exactly, and no other.
    Undo,
    /// Kinds, subjects and candidates give the list again.
    Stages,
    /// Sealed orders change nothing until the last is in, and come to the same in whatever order they were
    /// sealed, and however often changed.
    Sealed,
    /// A state imagined from a view gives the same view, offers and refusals to its reader.
    Imagine,
    /// Who is not to know an order cannot tell it from others of its kind.
    Audience,
    /// The record is read and played again to the same states and words.
    Record,
    /// A side sees the same in two states that it cannot tell apart.
    TwinView,
    /// A side is refused in the same words in two states that it cannot tell apart.
    TwinRefusal,
    /// A step that neither rolls nor reveals leaves a side as wise as it was.
    TwinStep,
    /// The twins of the suite differ from the states they are twins of, somewhere.
    Twins,
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "start",
            Self::End => "end",
            Self::Deciders => "deciders",
            Self::List => "list",
            Self::Listed => "a listed action is accepted",
            Self::Unlisted => "an action never offered is refused",
            Self::WrongSide => "wrong side",
            Self::Stale => "stale order",
            Self::Untouched => "a refusal changes nothing",
            Self::RoundTrip => "round trip",
            Self::Repeatable => "same state, action and dice",
            Self::Kind => "kind of step",
            Self::Undo => "undo",
            Self::Stages => "stages of the offer",
            Self::Sealed => "sealed orders",
            Self::Imagine => "imagined state",
            Self::Audience => "audience of an order",
            Self::Record => "record",
            Self::TwinView => "twin: view",
            Self::TwinRefusal => "twin: refusal",
            Self::TwinStep => "twin: plain step",
            Self::Twins => "twins",
        })
    }
}

/// A check that failed: which, and how to come back to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The system.
    pub system: &'static str,
    /// The setup of the game.
    pub setup: Setup,
    /// The number of the game's seed.
    pub seed: u64,
    /// How many decisions had been taken.
    pub node: u64,
    /// The check.
    pub check: Check,
    /// What was found.
    pub detail: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { system, setup, seed, node, check, detail } = self;
        write!(
            f,
            "{system} {:?} {:?}, seed {seed}, node {node}: {check}: {detail}",
            setup.scenario, setup.options
        )
    }
}

impl std::error::Error for Failure {}

/// What the suite saw, so that a test can ask whether it saw enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Games played to their end.
    pub games: u64,
    /// Nodes checked in full.
    pub nodes: u64,
    /// Steps done and compared that rolled.
    pub rolled: u64,
    /// Steps done and compared that revealed.
    pub revealed: u64,
    /// Steps done, compared and taken back.
    pub plain: u64,
    /// Refusals compared.
    pub refused: u64,
    /// Pairs of different states that a side could not tell apart.
    pub twins: u64,
    /// Times that several sides decided at once.
    pub sealed: u64,
    /// States imagined that were not the true one.
    pub imagined: u64,
    /// Pairs of orders that another side could not tell apart.
    pub private: u64,
}

impl Report {
    fn count(&mut self, kind: StepKind) {
        match kind {
            StepKind::Rolled => self.rolled += 1,
            StepKind::Revealed => self.revealed += 1,
            StepKind::Plain => self.plain += 1,
        }
    }
}

/// A fault without its place.
type Fault = (Check, String);
type Found<T = ()> = Result<T, Fault>;

/// Fails the check unless it holds.
fn ensure(holds: bool, check: Check, detail: impl FnOnce() -> String) -> Found {
    if holds { Ok(()) } else { Err((check, detail())) }
}

/// The suite, with how far it goes.
#[derive(Clone, Debug)]
pub struct Suite<G: Game> {
    setups: Vec<Setup>,
    games: u64,
    first_seed: u64,
    most_decisions: u64,
    every: u64,
    width: usize,
    pool: usize,
    twin: Option<Twin<G>>,
    imagined_steps: bool,
}

impl<G: Game> Suite<G> {
    /// The suite for games that begin with these setups: of each ten games of at most 5000
    /// decisions, checked in full at every node.
    #[must_use]
    pub fn new(setups: impl IntoIterator<Item = Setup>) -> Self {
        Self {
            setups: setups.into_iter().collect(),
            games: 10,
            first_seed: 0,
            most_decisions: 5000,
            every: 1,
            width: 8,
            pool: 200,
            twin: None,
            imagined_steps: false,
        }
    }

    /// How many games of each setup.
    #[must_use]
    pub fn games(mut self, games: u64) -> Self {
        self.games = games;
        self
    }

    /// The number of the first game's seed: with `games(1)`, the way back to a failure.
    #[must_use]
    pub fn first_seed(mut self, seed: u64) -> Self {
        self.first_seed = seed;
        self
    }

    /// The bound within which every game ends.
    #[must_use]
    pub fn most_decisions(mut self, most: u64) -> Self {
        self.most_decisions = most;
        self
    }

    /// Checks only every so many nodes in full. The list and who is to move are checked at all.
    #[must_use]
    pub fn every(mut self, nodes: u64) -> Self {
        self.every = nodes.max(1);
        self
    }

    /// How many actions of a list are tried at a node.
    #[must_use]
    pub fn width(mut self, actions: usize) -> Self {
        self.width = actions;
        self
    }

    /// How many actions of other nodes are tried at a node, at least if there are so many.
    #[must_use]
    pub fn pool(mut self, actions: usize) -> Self {
        self.pool = actions;
        self
    }

    /// Steps are taken in what a side imagines as well, as in twins: a plain one must tell it nothing.
    #[must_use]
    pub fn imagined_steps(mut self) -> Self {
        self.imagined_steps = true;
        self
    }

    /// States that a side cannot tell apart; without them, or [`imagined_steps`](Self::imagined_steps),
    /// no step is looked at for what it tells.
    #[must_use]
    pub fn twin(mut self, twin: Twin<G>) -> Self {
        self.twin = Some(twin);
        self
    }

    /// Runs the suite.
    ///
    /// # Panics
    /// When a check fails, with its seed and node.
    pub fn run(&self) -> Report {
        match self.try_run() {
            Ok(report) => report,
            Err(failure) => panic!("{failure}"),
        }
    }

    /// Runs the suite.
    ///
    /// # Errors
    /// The first check that failed.
    pub fn try_run(&self) -> Result<Report, Box<Failure>> {
        let mut report = Report::default();
        for setup in &self.setups {
            let failure = |seed, node, (check, detail): Fault| {
                let setup = setup.clone();
                Box::new(Failure { system: G::SYSTEM, setup, seed, node, check, detail })
            };
            let start = self.start(setup).map_err(|fault| failure(self.first_seed, 0, fault))?;
            let pool = self.gather(&start);
            for seed in self.first_seed..self.first_seed + self.games {
                let place = Place { system: G::SYSTEM, seed, node: Cell::new(0) };
                self.game(setup, &place, &pool, &mut report)
                    .map_err(|fault| failure(seed, place.node.get(), fault))?;
                report.games += 1;
            }
        }
        if self.twin.is_some() && report.twins == 0 {
            return Err(Box::new(Failure {
                system: G::SYSTEM,
                setup: self.setups.first().cloned().unwrap_or_default(),
                seed: self.first_seed,
                node: 0,
                check: Check::Twins,
                detail: "the function never gave another state".to_owned(),
            }));
        }
        Ok(report)
    }

    fn start(&self, setup: &Setup) -> Found<G> {
        let start = |setup: &Setup| G::start(setup).map_err(|refusal| (Check::Start, refusal.to_string()));
        let first = start(setup)?;
        ensure(first == start(setup)?, Check::Start, || "it does not always start alike".to_owned())?;
        let nowhere = Setup { scenario: "no such scenario".to_owned(), ..setup.clone() };
        ensure(G::start(&nowhere).is_err(), Check::Start, || "it starts any scenario".to_owned())?;
        let mut odd = setup.clone();
        odd.options.insert("no such option".to_owned(), "on".to_owned());
        ensure(G::start(&odd).is_err(), Check::Start, || "it takes any option".to_owned())?;
        Ok(first)
    }

    /// Actions from all over the same games played silently, to be tried where they do not belong.
    fn gather(&self, start: &G) -> Vec<G::Action> {
        let mut pool = BTreeSet::new();
        let mut list = Vec::new();
        for seed in self.first_seed..self.first_seed + self.games {
            let mut choice = Live::numbered(seed);
            let mut state = start.clone();
            for _ in 0..self.most_decisions {
                list.clear();
                let mut orders = Vec::new();
                for &side in G::SIDES.iter().filter(|&&side| state.decides(side)) {
                    list.clear();
                    state.actions(side, &mut list);
                    if list.is_empty() {
                        break;
                    }
                    for _ in 0..self.width {
                        pool.insert(pick(&list, &mut choice).clone());
                    }
                    if pool.len() > 2 * self.pool {
                        pool.retain(|_| choice.below(2) == 0);
                    }
                    let action = pick(&list, &mut choice).clone();
                    if state.check(side, &action).is_ok() {
                        orders.push((side, action));
                    }
                }
                if orders.is_empty() {
                    break;
                }
                for (side, action) in orders {
                    state.perform(side, &action, &mut Desk::new(&mut choice, Silent));
                }
            }
        }
        pool.into_iter().collect()
    }

    /// Plays one game to its end, checking on the way.
    fn game(&self, setup: &Setup, place: &Place, pool: &[G::Action], report: &mut Report) -> Found {
        let mut choice = Live::numbered(place.seed);
        let source = Source::Open(HexHash(open_seed(&mut choice)));
        let mut play = Play::<G>::begin(setup, source, None).map_err(refused(Check::Start))?;
        let mut past = Past { text: format!("{}\n", play.header_line()), ..Past::default() };
        loop {
            let in_full = place.node.get().is_multiple_of(self.every);
            let mut node = Node { suite: self, play: &play, pool, choice: &mut choice, report };
            let lists = node.lists()?;
            if in_full || lists.is_empty() {
                node.check(&lists, &past.plain)?;
            }
            if lists.is_empty() {
                return past.compare(&play, &mut choice);
            }
            ensure(place.node.get() < self.most_decisions, Check::End, || {
                format!("no end after {} decisions", self.most_decisions)
            })?;
            let talker = match lists.as_slice() {
                [(side, list)] => {
                    decided(&mut play, &mut past, (*side, pick(list, &mut choice)), &mut choice)?;
                    *side
                }
                several => {
                    sealed(&mut play, &mut past, several, &mut choice)?;
                    report.sealed += 1;
                    several[0].0
                }
            };
            if choice.below(16) == 0 && !play.is_over() {
                let step = play.words(play.entries(), talker, "well dug").map_err(refused(Check::Record))?;
                past.remember(&play, &step);
            }
            place.node.set(place.node.get() + 1);
        }
    }
}

fn refused(check: Check) -> impl Fn(Refusal) -> Fault {
    move |refusal| (check, refusal.to_string())
}

/// One side decides, and sometimes changes its mind, and back: the record holds both.
fn decided<G: Game>(
    play: &mut Play<G>,
    past: &mut Past<G>,
    (side, action): (G::Side, &G::Action),
    choice: &mut Live,
) -> Found {
    let before = play.state().clone();
    let decide = |play: &mut Play<G>, past: &mut Past<G>| {
        let step = play.decide(play.entries(), side, action).map_err(refused(Check::Listed))?;
        past.remember(play, &step);
        Ok(step.kind)
    };
    let kind = decide(play, past)?;
    if kind == StepKind::Plain && choice.below(8) == 0 {
        let after = play.state().clone();
        let step = play.undo(play.entries(), side).map_err(refused(Check::Undo))?;
        past.remember(play, &step);
        ensure(*play.state() == before, Check::Undo, || format!("{action:?} is not taken back"))?;
        decide(play, past)?;
        ensure(*play.state() == after, Check::Repeatable, || format!("{action:?} done again"))?;
    }
    match kind {
        StepKind::Plain => past.plain.push((side, before)),
        StepKind::Rolled | StepKind::Revealed => past.plain.clear(),
    }
    Ok(())
}

/// Several sides decide at once: in any order, some of them more than once. It comes to the same as when
/// each seals its last order, one after the other.
fn sealed<G: Game>(
    play: &mut Play<G>,
    past: &mut Past<G>,
    lists: &[(G::Side, Vec<G::Action>)],
    choice: &mut Live,
) -> Found {
    let (seen, before) = (play.entries(), play.state().clone());
    let orders: Vec<(G::Side, &G::Action)> =
        lists.iter().map(|(side, list)| (*side, pick(list, choice))).collect();
    let mut straight = play.fork();
    for &(side, action) in &orders {
        straight.decide(seen, side, action).map_err(refused(Check::Sealed))?;
    }
    let mut expected = Vec::new();
    while let Some(opened) = straight.open_next() {
        expected.push(opened.step.said);
    }
    let mut waiting: Vec<usize> = (0..orders.len()).collect();
    while !waiting.is_empty() {
        let place = waiting.remove(choice.below(u32::try_from(waiting.len()).unwrap_or(u32::MAX)) as usize);
        let ((side, last), list) = (orders[place], &lists[place].1);
        // However much was sealed meanwhile, nobody's order is stale.
        let seal = |play: &mut Play<G>, past: &mut Past<G>, action: &G::Action| {
            let step = play.decide(seen, side, action).map_err(refused(Check::Sealed))?;
            past.remember(play, &step);
            let quiet = *play.state() == before && step.said.is_empty() && step.dice.is_empty();
            ensure(quiet && step.commitment.is_some(), Check::Sealed, || format!("{action:?} is not sealed"))
        };
        // The last one of all cannot change his mind.
        while !waiting.is_empty() && choice.below(3) == 0 {
            seal(play, past, pick(list, choice))?;
            if choice.below(2) == 0 {
                let step = play.undo(seen, side).map_err(refused(Check::Sealed))?;
                past.remember(play, &step);
                ensure(play.awaited().has(G::place(side)), Check::Sealed, || "it is kept".to_owned())?;
            }
        }
        seal(play, past, last)?;
    }
    let mut said = Vec::new();
    while let Some(opened) = play.open_next() {
        ensure(opened.step.kind != StepKind::Plain, Check::Sealed, || "what was opened is plain".to_owned())?;
        past.remember(play, &opened.step);
        said.push(opened.step.said);
    }
    past.plain.clear();
    // The first order may have ended the game.
    let whole = play.is_over() || said.len() == orders.len() && play.sealed().next().is_none();
    ensure(whole, Check::Sealed, || format!("{} of {} orders are opened", said.len(), orders.len()))?;
    ensure(play.state() == straight.state() && said == expected, Check::Sealed, || {
        format!("{orders:?} come to something else when they are sealed in another order")
    })
}

/// Where the suite is, told even when the game itself panics.
struct Place {
    system: &'static str,
    seed: u64,
    node: Cell<u64>,
}

impl Drop for Place {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{} panicked in the game of seed {}, node {}", self.system, self.seed, self.node.get());
        }
    }
}

/// What a game has been so far.
struct Past<G: Game> {
    /// The record.
    text: String,
    /// After every entry, the hash of the state and what was said.
    entries: Vec<(HexHash, Vec<Line>)>,
    /// The plain steps since the last die or revelation: who took each, and the state before it.
    plain: Vec<(G::Side, G)>,
}

impl<G: Game> Default for Past<G> {
    fn default() -> Self {
        Self { text: String::new(), entries: Vec::new(), plain: Vec::new() }
    }
}

impl<G: Game> Past<G> {
    fn remember(&mut self, play: &Play<G>, step: &Step) {
        self.text.push_str(&step.record_line);
        self.text.push('\n');
        self.entries.push((HexHash(state_hash(play.state())), step.said.clone()));
    }

    /// Reads the record of the finished game and plays it again, to its end and to some entry.
    fn compare(&self, play: &Play<G>, choice: &mut Live) -> Found {
        let fail = |refusal: Refusal| (Check::Record, refusal.to_string());
        let record = Record::read(&self.text).map_err(fail)?;
        let mut entry = 0;
        let mut same = true;
        let again = Play::<G>::replay_with(&record, None, |play, step| {
            let (state, said) = &self.entries[entry];
            same &= *state == HexHash(state_hash(play.state())) && *said == step.said;
            entry += 1;
        })
        .map_err(fail)?;
        ensure(same && entry == self.entries.len(), Check::Record, || {
            "states or words differ when it is played again".to_owned()
        })?;
        ensure(again.state() == play.state() && again.chain() == play.chain(), Check::Record, || {
            "it is played again to another end".to_owned()
        })?;
        if self.entries.is_empty() {
            return Ok(());
        }
        let most = choice.below(u32::try_from(self.entries.len()).unwrap_or(u32::MAX)) as usize;
        let part = Play::<G>::replay(&record, Some(most as u64 + 1)).map_err(fail)?;
        ensure(HexHash(state_hash(part.state())) == self.entries[most].0, Check::Record, || {
            format!("entry {} is another state when it is played to there", most + 1)
        })
    }
}

/// One of a list that is not empty.
fn pick<'a, T>(list: &'a [T], choice: &mut Live) -> &'a T {
    &list[choice.below(u32::try_from(list.len()).unwrap_or(u32::MAX)) as usize]
}

fn open_seed(choice: &mut Live) -> Seed {
    std::array::from_fn(|_| choice.die(255))
}
