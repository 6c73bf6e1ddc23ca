//! One game of a known system, asked for in stages.

use kernel::{Desk, Live, Refusal, Setup, Sides, Silent, Verdict, phrase};
use opponent::features::{self, Numbers, variants};
use opponent::{Featured, Searcher};
use serde_json::{Value, json};

use super::{Arena, WIDTH, not_offered};

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Kind,
    Subject,
    /// One of those left, or a block of so many of them.
    Order {
        block: usize,
    },
}

/// What the row of numbers ends with: what its reader is asked.
const ASKED: [&str; 7] = [
    "asked.decides",
    "asked.for=kind",
    "asked.for=subject",
    "asked.for=order",
    "asked.kind",
    "asked.subject",
    "asked.left",
];

pub(super) struct Table<G: Featured + Searcher> {
    /// The table as the scenario sets it.
    start: G,
    state: G,
    desk: Desk<Live, Silent>,
    decisions: u64,
    /// Who has still to decide before anything is carried out.
    waiting: Sides,
    /// What those who decide in secret have decided.
    orders: Vec<(G::Side, G::Action)>,
    /// What the side that is asked is offered, and what each is about: the index of its kind, and its subject.
    offered: Vec<G::Action>,
    topics: Vec<(u16, Option<u32>)>,
    /// Those that can still be meant, by their place in the list.
    left: Vec<usize>,
    stage: Stage,
    choices: Vec<u16>,
    /// The subjects that the choices stand for.
    subjects: Vec<Option<u32>>,
    /// Whether an index was chosen for this decision.
    began: bool,
    kinds: &'static [&'static str],
    seen: Numbers,
    /// Whose eyes the numbers were seen with, if the table has not changed since.
    seen_by: Option<Option<usize>>,
}

impl<G: Featured + Searcher> Table<G> {
    pub(super) fn open(setup: &Setup) -> Verdict<Self> {
        let start = G::start(setup)?;
        let mut table = Self {
            state: start.clone(),
            start,
            desk: Desk::new(dice(0), Silent),
            decisions: 0,
            waiting: Sides::NONE,
            orders: Vec::new(),
            offered: Vec::new(),
            topics: Vec::new(),
            left: Vec::new(),
            stage: Stage::Kind,
            choices: Vec::new(),
            subjects: Vec::new(),
            began: false,
            kinds: variants::<G::Action>(),
            seen: Numbers::default(),
            seen_by: None,
        };
        table.deciders();
        Ok(table)
    }

    /// Asks whoever decides now.
    fn deciders(&mut self) {
        self.waiting = self.state.deciders();
        self.offer();
    }

    /// Offers the first of those who have still to decide all that he may.
    fn offer(&mut self) {
        self.offered.clear();
        self.choices.clear();
        self.began = false;
        let Some(side) = self.waiting.first().and_then(|place| G::SIDES.get(place).copied()) else { return };
        self.state.actions(side, &mut self.offered);
        let mut last: (&str, u16) = ("", 0);
        self.topics.clear();
        for action in &self.offered {
            let topic = G::topic(action);
            if !std::ptr::eq(last.0, topic.kind) {
                // What has no name of its own comes after those that have.
                let place = self.kinds.iter().position(|kind| *kind == topic.kind);
                let index = place.unwrap_or(self.kinds.len()).min(WIDTH - 1);
                last = (topic.kind, u16::try_from(index).unwrap_or_default());
            }
            self.topics.push((last.1, topic.subject));
        }
        self.left.clear();
        self.left.extend(0..self.offered.len());
        self.ask(Stage::Kind);
    }

    /// Asks for the first stage, from this one on, at which there is something to choose.
    fn ask(&mut self, from: Stage) {
        self.choices.clear();
        if from == Stage::Kind {
            self.stage = Stage::Kind;
            for &at in &self.left {
                let kind = self.topics[at].0;
                if self.choices.last() != Some(&kind) {
                    self.choices.push(kind);
                }
            }
            in_order(&mut self.choices);
            if self.choices.len() > 1 {
                return;
            }
        }
        if matches!(from, Stage::Kind | Stage::Subject) && self.ask_for_subject() {
            self.stage = Stage::Subject;
            return;
        }
        let many = self.left.len();
        let mut block = 1;
        while many.div_ceil(block) > WIDTH {
            block *= WIDTH;
        }
        self.stage = Stage::Order { block };
        self.choices.clear();
        if many > 1 || !self.began {
            self.choices.extend((0..=u16::MAX).take(many.div_ceil(block)));
        }
    }

    /// Whether there are several subjects to choose from. Each has the index of its own number, after one for
    /// nothing in particular; where numbers are too large for that, of its place among them.
    fn ask_for_subject(&mut self) -> bool {
        self.subjects.clear();
        for &at in &self.left {
            let subject = self.topics[at].1;
            if self.subjects.last() != Some(&subject) {
                self.subjects.push(subject);
            }
        }
        in_order(&mut self.subjects);
        if self.subjects.len() < 2 || self.subjects.len() > WIDTH {
            return false;
        }
        let own = |subject: &Option<u32>| match subject {
            None => Some(0),
            Some(number) => u16::try_from(*number).ok()?.checked_add(1).filter(|at| usize::from(*at) < WIDTH),
        };
        self.choices.clear();
        if self.subjects.iter().all(|subject| own(subject).is_some()) {
            self.choices.extend(self.subjects.iter().filter_map(own));
        } else {
            self.choices.extend((0..=u16::MAX).take(self.subjects.len()));
        }
        true
    }

    /// The orders that an index of the last stage stands for, by their places among those left.
    fn block(&self, index: u16, block: usize) -> std::ops::Range<usize> {
        let first = usize::from(index) * block;
        first..(first + block).min(self.left.len())
    }

    fn subject(&self, index: u16) -> Option<Option<u32>> {
        let place = self.choices.binary_search(&index).ok()?;
        self.subjects.get(place).copied()
    }

    /// Carries out what was decided once nobody is waited for.
    fn settle(&mut self) {
        let Some(side) = self.waiting.first() else { return };
        if let (Some(&at), Some(&decider)) = (self.left.first(), G::SIDES.get(side)) {
            self.orders.push((decider, self.offered.swap_remove(at)));
        }
        self.waiting = self.waiting.without(side);
        if !self.waiting.is_empty() {
            return self.offer();
        }
        for (side, order) in self.orders.drain(..) {
            if self.state.outcome().is_none() {
                self.state.perform(side, &order, &mut self.desk);
                self.decisions += 1;
            }
        }
        self.seen_by = None;
        self.deciders();
    }
}

/// The dice of the game of this number.
fn dice(number: u64) -> Live {
    Live::numbered(number)
}

/// Sorts, and leaves out what is there twice; most lists are made in order.
fn in_order<T: Ord>(list: &mut Vec<T>) {
    if !list.is_sorted_by(|one, next| one < next) {
        list.sort_unstable();
        list.dedup();
    }
}

impl<G> Arena for Table<G>
where
    G: Featured + Searcher + Send + Sync,
    G::Side: Send + Sync,
    G::Action: Send + Sync,
{
    fn begin(&mut self, number: u64) {
        self.state = self.start.clone();
        self.desk = Desk::new(dice(number), Silent);
        self.decisions = 0;
        self.orders.clear();
        self.seen_by = None;
        self.deciders();
    }

    fn asked(&self) -> Option<usize> {
        self.waiting.first()
    }

    fn choices(&self) -> &[u16] {
        &self.choices
    }

    fn meaning(&self, index: u16) -> Option<Value> {
        self.choices.binary_search(&index).ok()?;
        match self.stage {
            Stage::Kind => Some(json!({ "kind": self.kinds.get(usize::from(index))? })),
            Stage::Subject => Some(json!({ "subject": self.subject(index)? })),
            Stage::Order { block } => {
                let range = self.block(index, block);
                if block > 1 {
                    return Some(json!({ "block": [range.start, range.end] }));
                }
                let order = self.left.get(range.start).and_then(|at| self.offered.get(*at))?;
                Some(json!({ "order": serde_json::to_value(order).ok()? }))
            }
        }
    }

    fn choose(&mut self, index: u16) -> Verdict<()> {
        if self.choices.binary_search(&index).is_err() {
            return Err(if self.waiting.is_empty() {
                Refusal::field("action", phrase::GAME_OVER)
            } else {
                not_offered("action".to_owned(), index, &self.choices)
            });
        }
        self.began = true;
        match self.stage {
            Stage::Kind => {
                self.left.retain(|&at| self.topics[at].0 == index);
                self.ask(Stage::Subject);
            }
            Stage::Subject => {
                let subject = self.subject(index).flatten();
                self.left.retain(|&at| self.topics[at].1 == subject);
                self.ask(Stage::Order { block: 1 });
            }
            Stage::Order { block } => {
                let range = self.block(index, block);
                self.left.truncate(range.end);
                self.left.drain(..range.start);
                self.ask(Stage::Order { block: 1 });
            }
        }
        if self.choices.is_empty() {
            self.settle();
        }
        Ok(())
    }

    fn features(&mut self, reader: Option<usize>) -> &[f32] {
        if self.seen_by == Some(reader) {
            let view = self.seen.0.len().saturating_sub(ASKED.len());
            self.seen.0.truncate(view);
        } else {
            self.seen.0.clear();
            let side = reader.and_then(|place| G::SIDES.get(place).copied());
            G::features(&self.state.view(side), &mut self.seen);
            self.seen_by = Some(reader);
        }
        // What somebody is about to decide is nobody else's business.
        let asked = reader.is_some() && reader == self.asked();
        let number = |number: Option<u32>| number.and_then(|number| u16::try_from(number).ok());
        let first = self.left.first().and_then(|at| self.topics.get(*at)).filter(|_| asked);
        let kind = first.filter(|_| self.stage != Stage::Kind).map(|topic| topic.0);
        let subject = first.filter(|_| matches!(self.stage, Stage::Order { .. })).map(|topic| topic.1);
        let yes = |yes: bool| f32::from(u8::from(yes && asked));
        self.seen.0.extend([
            yes(true),
            yes(self.stage == Stage::Kind),
            yes(self.stage == Stage::Subject),
            yes(matches!(self.stage, Stage::Order { .. })),
            kind.map_or(-1.0, f32::from),
            subject.and_then(number).map_or(-1.0, f32::from),
            if asked { f32::from(u16::try_from(self.left.len()).unwrap_or(u16::MAX)) } else { 0.0 },
        ]);
        &self.seen.0
    }

    fn names(&self) -> Vec<String> {
        let mut names = features::names::<G>(&self.start.view(None));
        names.extend(ASKED.map(str::to_owned));
        names
    }

    fn scores(&self) -> Option<Vec<f64>> {
        let outcome = self.state.outcome()?;
        Some(G::SIDES.iter().map(|side| G::score(&outcome, *side)).collect())
    }

    fn decisions(&self) -> u64 {
        self.decisions
    }

    fn kinds(&self) -> &'static [&'static str] {
        self.kinds
    }
}
