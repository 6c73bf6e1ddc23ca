//! One game of a known system behind the interface that knows no system.

use std::marker::PhantomData;

use kernel::board::{Board, Position, position};
use kernel::record::Deed;
use kernel::{
    Audience, Desk, Ending, Fairness, Game, HexHash, Live, Node, Odds, Offer, Opened, Play, Refusal, Saying,
    Seed, Setup, Sides, Silent, Source, Step, Terms, Verdict, phrase,
};
use opponent::{Budget, Level, Search, Searcher};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Advice, Counting, Hosted, Judged, OnSheet, Order, Report, Weighed};

/// What is hidden from a reader is drawn from a stream that follows from what everybody knows: the first
/// line of the record, how many entries it has, and the number of the draw.
const IMAGINED: &str = "glacis imagined table v1";

/// A decision is weighed if its dice can fall in at most so many ways: those of five dice.
const MOST_WAYS: usize = 7776;

/// The worth of an order that rolls is the mean of so many throws.
const THROWS: u32 = 48;

/// What a position is worth to a side: its end, or what the doctrine thinks of it.
fn worth<G: Searcher>(state: &G, side: G::Side) -> f64 {
    state.outcome().map_or_else(|| state.evaluate(side), |outcome| G::score(&outcome, side))
}

pub(super) struct Played<G: Game, C> {
    play: Play<G>,
    measure: PhantomData<C>,
}

/// The names of the sides of a game, by place.
pub(crate) fn side_names<G: Game>() -> Vec<String> {
    G::SIDES.iter().map(|side| name(*side)).collect()
}

/// The name of a side as records write it.
fn name(side: impl serde::Serialize + std::fmt::Debug) -> String {
    match serde_json::to_value(&side) {
        Ok(Value::String(name)) => name,
        _ => format!("{side:?}"),
    }
}

impl<G, C> Played<G, C>
where
    G: Board + Searcher + Send + Sync + 'static,
    G::Side: Send + Sync,
    G::Action: Send + Sync,
    C: Counting<G> + 'static,
{
    fn of(play: Play<G>) -> Box<dyn Hosted> {
        Box::new(Self { play, measure: PhantomData })
    }

    pub(super) fn begin(
        setup: &Setup,
        source: Source,
        secret: Option<Seed>,
        terms: Terms,
    ) -> Verdict<Box<dyn Hosted>> {
        Play::begin_on(setup, source, secret, terms).map(Self::of)
    }

    pub(super) fn open(header: &str, secret: Option<Seed>) -> Verdict<Box<dyn Hosted>> {
        Play::open(header, secret).map(Self::of)
    }

    pub(super) fn resume(
        header: &str,
        secret: Option<Seed>,
        last_line: &str,
        snapshot: &[u8],
    ) -> Verdict<Box<dyn Hosted>> {
        Play::resume(header, secret, last_line, snapshot).map(Self::of)
    }

    fn side(place: usize) -> Verdict<G::Side> {
        G::SIDES.get(place).copied().ok_or_else(|| Refusal::field("side", phrase::IMPOSSIBLE_VALUE))
    }

    /// Gives a decision of the game, and says what it is called.
    fn act(
        &mut self,
        seen: u64,
        side: G::Side,
        action: &Node,
        dice: Option<&[u8]>,
    ) -> Verdict<(Step, Named)> {
        let action = action.clone().read_written().map_err(|refusal| {
            let path = refusal.field.as_deref().map_or("action".to_owned(), |path| format!("action.{path}"));
            refusal.at(path)
        })?;
        let order = self.named(side, &action);
        let step = match dice {
            None => self.play.decide(seen, side, &action),
            Some(faces) => self.play.decide_with(seen, side, &action, faces),
        }?;
        // Of a sealed order nothing is told.
        Ok(if step.commitment.is_some() { (step, None) } else { (step, order) })
    }

    /// What an order is called, and who may know.
    fn named(&self, side: G::Side, action: &G::Action) -> Named {
        let state = self.play.state();
        Some(Naming::of(state, side, action, state.audience(side, action)))
    }

    fn told(&self, step: Step, side: Option<usize>, deed: &'static str, named: Named) -> Report {
        let (order, audience, moment, day, at) = named.map_or(
            (None, Audience::All, None, None, None),
            |Naming { order, audience, moment, day, at }| (Some(order), audience, moment, day, at),
        );
        Report {
            line: step.record_line,
            side,
            deed,
            order,
            moment,
            day,
            place: at,
            audience,
            commitment: step.commitment,
            words: None,
            said: step.said,
            dice: step.sides.into_iter().zip(step.dice).collect(),
            awaited: self.play.awaited(),
            over: self.play.is_over(),
        }
    }

    /// A state that this reader cannot tell from the true one.
    fn seen(&self, reader: Option<G::Side>, draw: u64) -> G {
        let mut hasher = blake3::Hasher::new_derive_key(IMAGINED);
        hasher.update(self.play.header_line().as_bytes());
        hasher.update(&self.play.entries().to_le_bytes()).update(&draw.to_le_bytes());
        let mut stream = Live::from_seed(*hasher.finalize().as_bytes());
        G::imagine(&self.play.state().view(reader), &mut stream)
    }

    /// A side, and the table as it imagines it, if it is its decision.
    fn deciding(&self, place: usize) -> Option<(G::Side, G)> {
        let side = *G::SIDES.get(place).filter(|_| self.play.deciders().has(place))?;
        Some((side, self.seen(Some(side), 0)))
    }

    /// What a side may decide, told from what it sees; an order that waits for its dice cannot be changed.
    fn offered_to(&self, place: usize) -> Vec<G::Action> {
        let mut actions = Vec::new();
        if let Some((side, seen)) = self.deciding(place) {
            if self.play.is_opening() {
                self.play.actions(side, &mut actions);
            } else {
                seen.actions(side, &mut actions);
            }
        }
        actions
    }
}

/// What an order is called, who may know, where the game stood, and where on a sheet the order lies.
struct Naming {
    order: Saying,
    audience: Audience,
    moment: Option<Saying>,
    day: Option<Saying>,
    at: Option<OnSheet>,
}

impl Naming {
    fn of<G: Board>(state: &G, side: G::Side, action: &G::Action, audience: Audience) -> Self {
        let moment = state.standing().into_iter().next();
        let at = state.choice(side, action).at;
        Self { order: state.tell(action), audience, moment, day: state.day(), at }
    }
}

type Named = Option<Naming>;

/// Plain data can always be written as JSON.
fn json_of(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// What a line of a record says; of any game, where nothing is asked of its orders.
#[derive(Deserialize)]
struct Glance<S, A> {
    side: Option<S>,
    deed: Deed<A>,
}

impl<G, C> Hosted for Played<G, C>
where
    G: Board + Searcher + Send + Sync + 'static,
    G::Side: Send + Sync,
    G::Action: Send + Sync,
    C: Counting<G> + 'static,
{
    fn entries(&self) -> u64 {
        self.play.entries()
    }

    fn deciders(&self) -> Sides {
        self.play.deciders()
    }

    fn awaited(&self) -> Sides {
        self.play.awaited()
    }

    fn sealed(&self) -> Vec<(usize, HexHash)> {
        self.play.sealed().collect()
    }

    fn own_sealed(&self, place: usize) -> Option<String> {
        G::SIDES.get(place).and_then(|side| self.play.own_sealed(*side)).map(|action| json_of(&action))
    }

    fn is_over(&self) -> bool {
        self.play.is_over()
    }

    fn has_rolled(&self) -> bool {
        self.play.has_rolled()
    }

    fn fairness(&self) -> Fairness {
        self.play.fairness()
    }

    fn adopt(&mut self, seed: Seed, terms: Terms) -> Verdict<String> {
        self.play.adopt(seed, terms)
    }

    fn outcome(&self) -> Option<Value> {
        match self.play.ending() {
            Some(Ending::Drawn) => Some(json!("drawn")),
            Some(Ending::Resigned(side)) => Some(json!({ "resigned": name(side) })),
            None => self.play.state().outcome().and_then(|outcome| serde_json::to_value(outcome).ok()),
        }
    }

    fn offered(&self) -> Option<(usize, Offer)> {
        self.play.offered().map(|(side, offer)| (G::place(side), offer))
    }

    fn actions(&self, place: usize) -> String {
        json_of(&self.offered_to(place))
    }

    fn kinds(&self, place: usize) -> Vec<(&'static str, usize)> {
        self.deciding(place).map(|(side, seen)| seen.kinds(side)).unwrap_or_default()
    }

    fn subjects(&self, place: usize, kind: &str) -> Vec<(Option<u32>, usize)> {
        self.deciding(place).map(|(side, seen)| seen.subjects(side, kind)).unwrap_or_default()
    }

    fn candidates(&self, place: usize, kind: &str, subject: Option<u32>) -> String {
        let mut actions = Vec::new();
        if let Some((side, seen)) = self.deciding(place) {
            seen.candidates(side, kind, subject, &mut actions);
        }
        json_of(&actions)
    }

    fn view(&self, reader: Option<usize>) -> String {
        let reader = reader.and_then(|place| G::SIDES.get(place).copied());
        json_of(&self.play.state().view(reader))
    }

    fn order(&mut self, seen: u64, place: usize, order: Order) -> Verdict<Vec<Report>> {
        let side = Self::side(place)?;
        let (mut name, mut said) = (None, None);
        let (step, deed) = match order {
            Order::Act { action, dice } => {
                let (step, order) = self.act(seen, side, &action, dice.as_deref())?;
                name = order;
                let deed = if step.commitment.is_some() { "seal" } else { "decide" };
                (step, deed)
            }
            Order::Undo => (self.play.undo(seen, side)?, "undo"),
            Order::Resign => (self.play.resign(seen, side)?, "resign"),
            Order::Offer(offer) => (self.play.offer(seen, side, offer)?, "offer"),
            Order::Accept => (self.play.accept(seen, side)?, "accept"),
            Order::Decline => (self.play.decline(seen, side)?, "decline"),
            Order::Words(words) => {
                let step = self.play.words(seen, side, &words)?;
                said = Some(words);
                (step, "words")
            }
            Order::Pledge(seed) => (self.play.pledge(side, &seed)?, "pledge"),
        };
        let mut first = self.told(step, Some(place), deed, name);
        first.words = said;
        let mut all = vec![first];
        // The last order that was waited for opens them all.
        while let Some(Opened { side, action, step, before }) = self.play.open_next() {
            let named = Some(Naming::of(&before, side, &action, Audience::All));
            all.push(self.told(step, Some(G::place(side)), "decide", named));
        }
        if let Some(line) = self.play.reveal_at_the_end() {
            all.push(Report { line, ..Report::quiet("reveal", &*self) });
        }
        Ok(all)
    }

    fn follow(&mut self, line: &str) -> Verdict<Report> {
        let glance: Option<Glance<G::Side, G::Action>> = serde_json::from_str(line).ok();
        let order = glance.as_ref().and_then(|glance| match (&glance.deed, glance.side) {
            (Deed::Decide { action, salt: None, .. }, Some(side)) => self.named(side, action),
            // What was sealed is open to all.
            (Deed::Decide { action, salt: Some(_), .. }, Some(side)) => {
                Some(Naming::of(self.play.state(), side, action, Audience::All))
            }
            _ => None,
        });
        let step = self.play.follow(line)?;
        let Some(Glance { side, deed }) = glance else { return Ok(self.told(step, None, "decide", order)) };
        let mut told = self.told(step, side.map(G::place), deed_name(&deed), order);
        if let Deed::Words(words) = deed {
            told.words = Some(words);
        }
        Ok(told)
    }

    fn choose(&self, place: usize, level: Level, stream: &mut Live) -> Option<Order> {
        let side = *G::SIDES.get(place).filter(|_| self.play.awaited().has(place))?;
        let view = self.play.state().view(Some(side));
        let action = level.player::<G>().choose(side, &view, &self.offered_to(place), stream);
        let action = Node::parse(&serde_json::to_string(&action).ok()?).ok()?;
        Some(Order::Act { action, dice: None })
    }

    fn advise(&self, place: usize, budget: Budget, stream: &mut Live) -> Vec<Advice> {
        let Some(&side) = G::SIDES.get(place).filter(|_| self.play.deciders().has(place)) else {
            return Vec::new();
        };
        let view = self.play.state().view(Some(side));
        let offered = self.offered_to(place);
        if offered.is_empty() {
            return Vec::new();
        }
        if !G::weighty(side, &view, &offered) {
            let order = G::plan(side, &view, &offered, stream);
            return vec![Advice { action: json_of(&order), promise: None }];
        }
        let thought = Search::new(budget).think::<G>(side, &view, &offered, stream);
        let advice = |one: opponent::Prospect<G::Action>| Advice {
            action: json_of(&one.action),
            promise: Some((one.worth, one.playouts)),
        };
        thought.prospects.into_iter().map(advice).collect()
    }

    fn judge(&self) -> f64 {
        G::SIDES.first().map_or(0.5, |side| worth(self.play.state(), *side))
    }

    fn judge_line(&self, line: &str) -> Option<Judged> {
        let glance: Glance<G::Side, G::Action> = serde_json::from_str(line).ok()?;
        let Deed::Decide { action, dice, .. } = glance.deed else { return None };
        let (side, first) = (glance.side?, *G::SIDES.first()?);
        let state = self.play.state();
        if state.validate(side, &action).is_err() {
            return None;
        }
        let after = |dice: Live| {
            let mut after = state.clone();
            after.perform(side, &action, &mut Desk::new(dice, Silent));
            worth(&after, first)
        };
        // Without dice there is one way only; else so many throws, always the same, stand for all.
        let throws = if dice.is_empty() { 1 } else { THROWS };
        let sum: f64 = (0..throws).map(|number| after(Live::numbered(number.into()))).sum();
        Some(Judged { before: worth(state, first), expected: sum / f64::from(throws) })
    }

    fn weigh(&self, line: &str) -> Option<Weighed> {
        let glance: Glance<G::Side, G::Action> = serde_json::from_str(line).ok()?;
        let Deed::Decide { action, dice, .. } = glance.deed else { return None };
        let side = glance.side?;
        if dice.is_empty() || C::gauges().is_empty() {
            return None;
        }
        let state = self.seen(None, 0);
        if state.validate(side, &action).is_err() {
            return None;
        }
        let before: Vec<i64> = C::gauges().iter().map(|gauge| (gauge.read)(&state)).collect();
        let odds = Odds::within(MOST_WAYS, |dice| {
            let mut after = state.clone();
            after.perform(side, &action, &mut Desk::new(dice, Silent));
            let gauges = C::gauges().iter().zip(&before);
            gauges.map(|(gauge, before)| (gauge.read)(&after) - before).collect()
        });
        Some(Weighed { side: G::place(side), odds })
    }

    fn gauge_names(&self) -> Vec<&'static str> {
        C::gauges().iter().map(|gauge| gauge.name).collect()
    }

    fn gauges(&self) -> Vec<i64> {
        C::gauges().iter().map(|gauge| (gauge.read)(self.play.state())).collect()
    }

    fn is_forgetful(&self) -> bool {
        self.play.is_forgetful()
    }

    fn snapshot(&self) -> Vec<u8> {
        self.play.snapshot()
    }

    fn header_line(&self) -> String {
        self.play.header_line().to_owned()
    }

    fn position(&self, reader: Option<usize>) -> Box<dyn Position> {
        let side = reader.and_then(|place| G::SIDES.get(place).copied());
        position(self.seen(side, 0), side)
    }

    fn fork(&self) -> Box<dyn Hosted> {
        Self::of(self.play.clone())
    }
}

const fn deed_name<A>(deed: &Deed<A>) -> &'static str {
    match deed {
        Deed::Decide { .. } => "decide",
        Deed::Seal(_) => "seal",
        Deed::Undo => "undo",
        Deed::Resign => "resign",
        Deed::Offer(_) => "offer",
        Deed::Accept => "accept",
        Deed::Decline => "decline",
        Deed::Words(_) => "words",
        Deed::Pledge(_) => "pledge",
        Deed::Adopt { .. } => "adopt",
        Deed::Reveal(_) => "reveal",
    }
}
