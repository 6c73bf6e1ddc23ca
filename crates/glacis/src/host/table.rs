//! One game of a known system behind the interface that knows no system.

use kernel::record::Deed;
use kernel::{
    Desk, Ending, Fairness, Game, Live, Node, Odds, Offer, Play, Refusal, Saying, Seed, Setup, Silent,
    Source, Step, Terms, Verdict, phrase,
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Chooser, Hosted, Order, Told, Weighed};

/// A decision is weighed if its dice can fall in at most so many ways: those of five dice.
const MOST_WAYS: usize = 7776;

pub(super) struct Table<G: Game, C> {
    play: Play<G>,
    chooser: C,
}

/// The names of the sides of a game, by place.
pub(super) fn side_names<G: Game>() -> Vec<String> {
    G::SIDES.iter().map(|side| name(*side)).collect()
}

/// The name of a side as records write it.
fn name(side: impl serde::Serialize + std::fmt::Debug) -> String {
    match serde_json::to_value(&side) {
        Ok(Value::String(name)) => name,
        _ => format!("{side:?}"),
    }
}

impl<G, C> Table<G, C>
where
    G: Game + Send + 'static,
    G::Side: Send,
    G::Action: Send,
    C: Chooser<G> + 'static,
{
    fn of(play: Play<G>) -> Box<dyn Hosted> {
        Box::new(Self { play, chooser: C::default() })
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
    ) -> Verdict<(Step, Option<Saying>)> {
        let action = action.clone().read_written().map_err(|refusal| {
            let path = refusal.field.as_deref().map_or("action".to_owned(), |path| format!("action.{path}"));
            refusal.at(path)
        })?;
        let order = C::tell(self.play.state(), &action);
        let step = match dice {
            None => self.play.decide(seen, side, &action),
            Some(faces) => self.play.decide_with(seen, side, &action, faces),
        }?;
        Ok((step, order))
    }
}

fn told(step: Step, side: Option<usize>, deed: &'static str, order: Option<Saying>) -> Told {
    let dice = step.sides.into_iter().zip(step.dice).collect();
    Told { lines: vec![step.record_line], side, deed, order, words: None, said: step.said, dice }
}

/// What a line of a record says; of any game, where nothing is asked of its orders.
#[derive(Deserialize)]
struct Glance<S, A> {
    side: Option<S>,
    deed: Deed<A>,
}

impl<G, C> Hosted for Table<G, C>
where
    G: Game + Send + 'static,
    G::Side: Send,
    G::Action: Send,
    C: Chooser<G> + 'static,
{
    fn entries(&self) -> u64 {
        self.play.entries()
    }

    fn to_move(&self) -> Option<usize> {
        self.play.to_move().map(G::place)
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

    fn actions(&self) -> String {
        let mut actions = Vec::new();
        if let Some(side) = self.play.to_move() {
            self.play.state().actions(side, &mut actions);
        }
        serde_json::to_string(&actions).unwrap_or_else(|_| "[]".to_owned())
    }

    fn view(&self, reader: Option<usize>) -> String {
        let reader = reader.and_then(|place| G::SIDES.get(place).copied());
        serde_json::to_string(&self.play.state().view(reader)).unwrap_or_else(|_| "null".to_owned())
    }

    fn order(&mut self, seen: u64, place: usize, order: Order) -> Verdict<Told> {
        let side = Self::side(place)?;
        let (mut name, mut said) = (None, None);
        let (step, deed) = match order {
            Order::Act { action, dice } => {
                let (step, order) = self.act(seen, side, &action, dice.as_deref())?;
                name = order;
                (step, "decide")
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
        let mut told = told(step, Some(place), deed, name);
        told.words = said;
        told.lines.extend(self.play.reveal_at_the_end());
        Ok(told)
    }

    fn follow(&mut self, line: &str) -> Verdict<Told> {
        let glance: Option<Glance<G::Side, G::Action>> = serde_json::from_str(line).ok();
        let order = glance.as_ref().and_then(|glance| match &glance.deed {
            Deed::Decide { action, .. } => C::tell(self.play.state(), action),
            _ => None,
        });
        let step = self.play.follow(line)?;
        let Some(Glance { side, deed }) = glance else { return Ok(told(step, None, "decide", order)) };
        let mut told = told(step, side.map(G::place), deed_name(&deed), order);
        if let Deed::Words(words) = deed {
            told.words = Some(words);
        }
        Ok(told)
    }

    fn choose(&self, stream: &mut Live) -> Option<Order> {
        let side = self.play.to_move()?;
        let mut actions = Vec::new();
        self.play.state().actions(side, &mut actions);
        let place = self.chooser.choose(self.play.state(), side, &actions, stream);
        let action = actions.get(place).or(actions.last())?;
        let action = Node::parse(&serde_json::to_string(action).ok()?).ok()?;
        Some(Order::Act { action, dice: None })
    }

    fn weigh(&self, line: &str) -> Option<Weighed> {
        let glance: Glance<G::Side, G::Action> = serde_json::from_str(line).ok()?;
        let Deed::Decide { action, dice } = glance.deed else { return None };
        let side = glance.side?;
        let state = self.play.state();
        if dice.is_empty() || C::gauges().is_empty() || state.validate(side, &action).is_err() {
            return None;
        }
        let before = self.gauges();
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

    fn table(&self) -> &dyn std::any::Any {
        self.play.state()
    }
}

const fn deed_name<A>(deed: &Deed<A>) -> &'static str {
    match deed {
        Deed::Decide { .. } => "decide",
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
