//! A position of any system as one reader may see it: the board contract without its types. Orders
//! are the JSON that records write.

use serde_json::Value;

use super::{
    Board, Choice, Gesture, Lesson, NamedPlace, Reached, Reckoning, Roll, Sense, Sheet, Sign, Standing,
    Status, ThingId, Tool, Variants, Waiting, Wording,
};
use crate::{
    Because, Chance, Chosen, Desk, Event, Line, Odds, Phrase, Refusal, Saying, Spoken, Verdict, phrase,
};

/// A choice that is offered, with the order it gives.
#[derive(Clone, Debug)]
pub struct Offered {
    /// The order, as JSON.
    pub action: String,
    /// What it looks like.
    pub choice: Choice,
}

/// A kind of order that is offered, where the whole list is too long to be read at once.
#[derive(Clone, Debug)]
pub struct Kind {
    /// The kind, as the record writes it.
    pub name: String,
    /// How many orders there are of it.
    pub count: usize,
    /// The first of them.
    pub first: Choice,
}

/// Which orders of a long list are wanted.
#[derive(Clone, Copy, Debug)]
pub enum Wanted<'a> {
    /// Those of a kind.
    Kind(&'a str),
    /// Those that something carries out.
    By(&'a str),
}

/// What may come of an order.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// What is said in each case, and how likely that is, the likeliest first; nothing if the dice can
    /// fall in too many ways.
    pub outcomes: Option<Vec<(Outlook, Chance)>>,
    /// The rules that act.
    pub because: Vec<Because>,
    /// What it costs, whatever the dice say.
    pub price: Vec<Price>,
    /// What should be known beforehand.
    pub warnings: Vec<Saying>,
    /// Whether the price says all.
    pub is_told_by_price: bool,
    /// The same by somebody else.
    pub variants: Option<Variants<Value>>,
}

/// What an order comes to in one case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outlook {
    /// This is said to have happened; nothing, if it has no effect.
    Settled(Vec<String>),
    /// Nothing has happened yet: another side decides first.
    Answered,
}

/// What an order takes from a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The store.
    pub of: Phrase,
    /// What is in it.
    pub before: i64,
    /// What is left.
    pub after: i64,
}

/// What a gesture comes to.
#[derive(Clone, Debug)]
pub enum Meant {
    /// An order that can be given.
    Order(Offered),
    /// It would be an order, but a rule forbids it.
    Refused(Refusal),
    /// Nothing was chosen that could do it.
    NobodyChosen,
}

/// A position of any system as one reader may see it.
pub trait Position: Send + Sync {
    /// The words of its system.
    fn wording(&self) -> &'static Wording;
    /// Its sheets.
    fn sheets(&self) -> &'static [Sheet];
    /// The places of a sheet that have a name.
    fn places(&self, sheet: &str) -> Vec<NamedPlace>;
    /// The sides as records write them, by place.
    fn sides(&self) -> Vec<String>;
    /// What a side is called.
    fn side_name(&self, place: usize) -> Option<Phrase>;
    /// Whose eyes it is seen with; nobody's for a spectator.
    fn reader(&self) -> Option<usize>;
    /// Who owes a decision.
    fn deciders(&self) -> Vec<usize>;
    /// What it is all about, for a side or a spectator.
    fn aims(&self, side: Option<usize>) -> &'static [Phrase];
    /// What the signs on its sheets mean.
    fn legend(&self) -> Vec<Sign>;
    /// What a newcomer is told of the decision before him.
    fn lesson(&self) -> Option<Lesson>;
    /// What a machine on a side says that it is after now.
    fn intention(&self, place: usize) -> Option<Saying>;
    /// The options it is played with.
    fn chosen(&self) -> Chosen;
    /// Where it stands.
    fn status(&self) -> Status;
    /// What stands on a sheet.
    fn on_sheet(&self, sheet: &str) -> Vec<Standing>;
    /// The pieces on no sheet.
    fn beside(&self) -> Vec<Waiting>;
    /// The list that the reader's staff keeps, if it keeps one.
    fn roll(&self) -> Option<Roll>;
    /// What is at stake now, if the reader can reckon with it.
    fn reckoning(&self) -> Option<Reckoning>;
    /// What a newspaper makes of an event.
    fn news(&self, event: &Event) -> Option<Saying>;
    /// The tools that can be taken in hand.
    fn tools(&self) -> Vec<Tool>;
    /// What the reader may decide.
    fn offers(&self) -> Vec<Offered>;
    /// How many orders that are.
    fn count(&self) -> usize;
    /// The first stage of a long list: its kinds, in the order of the list.
    fn kinds(&self) -> Vec<Kind>;
    /// The next stage: of a kind, or of something that acts, as many orders as are wanted at most.
    fn some_offers(&self, of: &Wanted<'_>, most: usize) -> Vec<Offered>;
    /// What an order of the reader's is called.
    fn label(&self, action: &str) -> Option<Saying>;
    /// Where pieces may go; the orders of the way as JSON.
    ///
    /// # Errors
    /// Why they cannot be taken in hand.
    fn reach(&self, pieces: &[ThingId]) -> Verdict<Vec<Reached<Value>>>;
    /// What may come of an order: `said` makes a sentence of an event.
    ///
    /// # Errors
    /// Why it cannot be given.
    fn forecast(&self, action: &str, said: &dyn Fn(&Event) -> String) -> Verdict<Forecast>;
    /// How likely each shot of a piece is to do anything, in hundredths, by its order.
    fn chances(&self, piece: &str) -> Vec<(Value, u8)>;
    /// What a gesture comes to.
    fn meant(&self, gesture: &Gesture) -> Meant;
    /// An order as it would look on its sheet, if it can be given and there is something to see.
    fn sketch(&self, action: &str) -> Option<(&'static str, String)>;
}

/// A state that a side, or a spectator, may see.
#[must_use]
pub fn position<G>(state: G, reader: Option<G::Side>) -> Box<dyn Position>
where
    G: Board + Send + Sync + 'static,
    G::Side: Send + Sync,
{
    Box::new(Seen { state, reader })
}

/// So many ways the dice may fall are looked at; an order with more is too long to list.
const MOST_RUNS: usize = 20_000;
/// So many are looked at for the figure on a target.
const FEW_RUNS: usize = 1_300;

struct Seen<G: Board> {
    state: G,
    reader: Option<G::Side>,
}

impl<G: Board> Seen<G> {
    /// The side whose orders can be looked at: the reader's or, where he has none to give, whoever
    /// decides. What they would come to follows from what the reader may see.
    fn side(&self) -> Verdict<G::Side> {
        let deciders = self.state.deciders();
        let decider = || deciders.first().and_then(|place| G::SIDES.get(place).copied());
        let deciding = self.reader.filter(|side| deciders.has(G::place(*side))).or_else(decider);
        deciding.ok_or_else(|| Refusal::plain(phrase::GAME_OVER))
    }

    fn actions(&self, side: G::Side) -> Vec<G::Action> {
        let mut actions = Vec::new();
        self.state.actions(side, &mut actions);
        actions
    }

    fn offered(&self, side: G::Side, action: &G::Action) -> Offered {
        Offered { action: json(action).to_string(), choice: self.state.choice(side, action) }
    }

    /// What is said if an order is carried out, as far as the reader may know.
    fn carried_out(&self, side: G::Side, action: &G::Action, dice: &mut impl crate::Dice) -> (G, Vec<Line>) {
        let mut desk = Desk::new(dice, Spoken::default());
        let after = self.state.glance(side, action, &mut desk).unwrap_or_else(|| {
            let mut after = self.state.clone();
            let _ = after.perform(side, action, &mut desk);
            after
        });
        let lines = desk.notes.into_lines();
        let readable = Line::readable(&lines, self.reader.map(G::place)).into_iter().cloned().collect();
        (after, readable)
    }

    /// How likely it is that anything is said of this order; nothing if that is too long to find out.
    fn chance(&self, side: G::Side, action: &G::Action) -> Option<u8> {
        let outcomes = Odds::within(FEW_RUNS, |dice| {
            let (_, lines) = self.carried_out(side, action, &mut *dice);
            lines.iter().any(|line| matches!(line, Line::Happened(_)))
        })
        .ok()?;
        let share: f64 = outcomes.iter().filter(|(said, _)| **said).map(|(_, chance)| chance.as_f64()).sum();
        hundredths(share)
    }

    fn forecast_of(
        &self,
        side: G::Side,
        action: &G::Action,
        said: &dyn Fn(&Event) -> String,
    ) -> Verdict<Forecast> {
        self.state.validate(side, action)?;
        let mut because = Vec::new();
        let mut bill = Bill::of(&self.state);
        let outcomes = Odds::within(MOST_RUNS, |dice| {
            let (after, lines) = self.carried_out(side, action, &mut *dice);
            bill.compare(&self.state, &after);
            if because.is_empty() {
                because = lines.iter().filter_map(reason).collect();
            }
            let told: Vec<String> = lines.iter().filter_map(event).map(said).collect();
            let next = after.deciders();
            let answered = told.is_empty() && !next.is_empty() && !next.has(G::place(side));
            if answered { Outlook::Answered } else { Outlook::Settled(told) }
        });
        let outcomes = outcomes.ok().map(|outcomes| {
            let mut rows: Vec<(Outlook, Chance)> =
                outcomes.iter().map(|(outlook, chance)| (outlook.clone(), chance)).collect();
            rows.sort_by(|a, b| b.1.as_f64().total_cmp(&a.1.as_f64()));
            rows
        });
        let variants = self.state.variants(side, action).map(|Variants { title, each, meant }| Variants {
            title,
            each: each.into_iter().map(|(name, action)| (name, json(&action))).collect(),
            meant,
        });
        let is_told_by_price = G::is_told_by_price(action);
        let warnings = self.state.warnings(side, action);
        Ok(Forecast { outcomes, because, price: bill.prices(), warnings, is_told_by_price, variants })
    }
}

fn json(value: &impl serde::Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

fn reason(line: &Line) -> Option<Because> {
    match line {
        Line::Because(because) => Some(because.clone()),
        Line::Happened(_) => None,
    }
}

const fn event(line: &Line) -> Option<&Event> {
    match line {
        Line::Happened(event) => Some(event),
        Line::Because(_) => None,
    }
}

/// A share as whole hundredths.
fn hundredths(share: f64) -> Option<u8> {
    (0..=100_u8).min_by(|a, b| {
        let off = |hundredths: u8| (f64::from(hundredths) - 100.0 * share).abs();
        off(*a).total_cmp(&off(*b))
    })
}

impl<G> Position for Seen<G>
where
    G: Board + Send + Sync,
    G::Side: Send + Sync,
{
    fn wording(&self) -> &'static Wording {
        &G::WORDING
    }

    fn sheets(&self) -> &'static [Sheet] {
        G::SHEETS
    }

    fn places(&self, sheet: &str) -> Vec<NamedPlace> {
        G::places(sheet)
    }

    fn sides(&self) -> Vec<String> {
        G::SIDES.iter().map(|side| json(side).as_str().unwrap_or_default().to_owned()).collect()
    }

    fn side_name(&self, place: usize) -> Option<Phrase> {
        G::SIDES.get(place).map(|side| G::name(*side))
    }

    fn reader(&self) -> Option<usize> {
        self.reader.map(G::place)
    }

    fn deciders(&self) -> Vec<usize> {
        self.state.deciders().iter().collect()
    }

    fn aims(&self, side: Option<usize>) -> &'static [Phrase] {
        self.state.aims(side.and_then(|place| G::SIDES.get(place).copied()))
    }

    fn legend(&self) -> Vec<Sign> {
        G::legend()
    }

    fn lesson(&self) -> Option<Lesson> {
        self.reader.and_then(|side| self.state.lesson(side))
    }

    fn intention(&self, place: usize) -> Option<Saying> {
        G::SIDES.get(place).and_then(|side| self.state.intention(*side))
    }

    fn chosen(&self) -> Chosen {
        self.state.chosen()
    }

    fn status(&self) -> Status {
        self.state.status(self.reader)
    }

    fn on_sheet(&self, sheet: &str) -> Vec<Standing> {
        self.state.on_sheet(self.reader, sheet)
    }

    fn beside(&self) -> Vec<Waiting> {
        self.state.beside(self.reader)
    }

    fn roll(&self) -> Option<Roll> {
        self.state.roll(self.reader)
    }

    fn reckoning(&self) -> Option<Reckoning> {
        self.state.reckoning(self.reader)
    }

    fn news(&self, event: &Event) -> Option<Saying> {
        G::news(event)
    }

    fn tools(&self) -> Vec<Tool> {
        self.reader.map(|side| self.state.tools(side)).unwrap_or_default()
    }

    fn offers(&self) -> Vec<Offered> {
        let Some(side) = self.reader else { return Vec::new() };
        self.actions(side).iter().map(|action| self.offered(side, action)).collect()
    }

    fn count(&self) -> usize {
        let Some(side) = self.reader else { return 0 };
        self.state.kinds(side).into_iter().map(|(_, count)| count).sum()
    }

    fn kinds(&self) -> Vec<Kind> {
        let Some(side) = self.reader else { return Vec::new() };
        let mut kinds: Vec<Kind> = Vec::new();
        for action in self.actions(side) {
            let name = G::topic(&action).kind;
            match kinds.iter_mut().find(|kind| kind.name == name) {
                Some(kind) => kind.count += 1,
                None => {
                    let first = self.state.choice(side, &action);
                    kinds.push(Kind { name: name.to_owned(), count: 1, first });
                }
            }
        }
        kinds
    }

    fn some_offers(&self, of: &Wanted<'_>, most: usize) -> Vec<Offered> {
        let Some(side) = self.reader else { return Vec::new() };
        let all = self.actions(side);
        let of_kind = all.iter().filter(|action| match of {
            Wanted::Kind(kind) => G::topic(action).kind == *kind,
            Wanted::By(_) => true,
        });
        let offers = of_kind.map(|action| self.offered(side, action));
        let wanted = offers.filter(|offered| match of {
            Wanted::Kind(_) => true,
            Wanted::By(thing) => offered.choice.subjects.iter().any(|subject| subject == thing),
        });
        wanted.take(most).collect()
    }

    fn label(&self, action: &str) -> Option<Saying> {
        let action: G::Action = serde_json::from_str(action).ok()?;
        self.reader.map(|side| self.state.choice(side, &action).label)
    }

    fn reach(&self, pieces: &[ThingId]) -> Verdict<Vec<Reached<Value>>> {
        let reached = self.state.reach(self.side()?, pieces)?;
        let as_json = |one: Reached<G::Action>| {
            let Reached { to, at, name, cost, left, under_fire, stops, halts, asks, way } = one;
            let way = way.iter().map(json).collect();
            Reached { to, at, name, cost, left, under_fire, stops, halts, asks, way }
        };
        Ok(reached.into_iter().map(as_json).collect())
    }

    fn forecast(&self, action: &str, said: &dyn Fn(&Event) -> String) -> Verdict<Forecast> {
        let action: G::Action = serde_json::from_str(action)
            .map_err(|fault| Refusal::field("action", phrase::BAD_VALUE).with("detail", fault.to_string()))?;
        self.forecast_of(self.side()?, &action, said)
    }

    fn chances(&self, piece: &str) -> Vec<(Value, u8)> {
        let Ok(side) = self.side() else { return Vec::new() };
        let shots = self.actions(side).into_iter().filter(|action| {
            let choice = self.state.choice(side, action);
            choice.sense == Sense::Shot && choice.subjects.iter().any(|subject| subject == piece)
        });
        shots.filter_map(|action| Some((json(&action), self.chance(side, &action)?))).collect()
    }

    fn sketch(&self, action: &str) -> Option<(&'static str, String)> {
        let action: G::Action = serde_json::from_str(action).ok()?;
        let side = self.side().ok()?;
        self.state.validate(side, &action).ok()?;
        self.state.sketch(side, &action)
    }

    fn meant(&self, gesture: &Gesture) -> Meant {
        let side = match self.side() {
            Ok(side) => side,
            Err(refusal) => return Meant::Refused(refusal),
        };
        let orders = match self.state.meant(side, gesture) {
            Ok(orders) => orders,
            Err(refusal) => return Meant::Refused(refusal),
        };
        let mut first = None;
        for action in orders {
            match self.state.validate(side, &action) {
                Ok(()) => return Meant::Order(self.offered(side, &action)),
                Err(refusal) => {
                    first.get_or_insert(refusal);
                }
            }
        }
        match first {
            Some(refusal) => Meant::Refused(refusal),
            None if gesture.subject.is_none() => Meant::NobodyChosen,
            None => Meant::Refused(Refusal::plain(phrase::NOT_OFFERED)),
        }
    }
}

/// What an order costs: the stores before it, and after it whatever the dice say.
struct Bill {
    before: Vec<(Phrase, i64)>,
    after: Option<Vec<Option<i64>>>,
}

impl Bill {
    fn of(state: &impl Board) -> Self {
        Self { before: state.stores(), after: None }
    }

    /// Takes note of one way it may go; what differs between them is no price, and at the end of a
    /// step the stores change for other reasons.
    fn compare<G: Board>(&mut self, before: &G, after: &G) {
        let comparable = before.is_same_step(after);
        let now: Vec<Option<i64>> =
            after.stores().into_iter().map(|(_, store)| comparable.then_some(store)).collect();
        let known = self.after.get_or_insert_with(|| now.clone());
        for (known, now) in known.iter_mut().zip(now) {
            if *known != now {
                *known = None;
            }
        }
    }

    fn prices(self) -> Vec<Price> {
        let after = self.after.unwrap_or_default();
        let known = self.before.into_iter().zip(after);
        let prices = known.filter_map(|((of, before), after)| Some(Price { of, before, after: after? }));
        prices.filter(|price| price.after < price.before).collect()
    }
}
