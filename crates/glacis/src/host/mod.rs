//! Games being played, whatever their system: orders of any game go in as JSON, lines of its record
//! and what was said come out.

mod ledger;
mod luck;
mod played;
mod proof;

use kernel::board::{Board, Position};
use kernel::{
    Audience, Fairness, HexHash, Line, Live, Node, Offer, Saying, Seed, Setup, Sides, Source, Terms, Verdict,
};
use opponent::{Budget, Level, Searcher};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, schema_for};
use serde_json::Value;

pub use ledger::{Account, Gauge, Ledger, Results, Weighed};
pub use luck::{Luck, Tally, luck_of};
use played::Played;
pub(crate) use played::side_names;
pub use proof::{DiceProof, Proof, Stretch, prove, reopen};

/// A game that was opened, or why not.
type Opening = Verdict<Box<dyn Hosted>>;

/// A game that can be hosted.
#[derive(Clone, Copy)]
pub struct Hosting {
    /// The name of its system.
    pub name: &'static str,
    /// The scenarios it offers.
    pub scenarios: &'static [&'static str],
    sides: fn() -> Vec<String>,
    begin: fn(&Setup, Source, Option<Seed>, Terms) -> Opening,
    open: fn(&str, Option<Seed>) -> Opening,
    resume: fn(&str, Option<Seed>, &str, &[u8]) -> Opening,
    shapes: fn() -> Shapes,
}

/// The JSON Schemas of what a game reads and tells.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// A decision, as it is sent and as the record writes it: null for what it leaves open.
    pub action: Value,
    /// What a reader may see.
    pub view: Value,
    /// How it ended.
    pub outcome: Value,
}

impl Shapes {
    fn of<G: Board>() -> Self
    where
        G::Action: JsonSchema,
        G::View: JsonSchema,
        G::Outcome: JsonSchema,
    {
        let told = || SchemaSettings::default().for_serialize().into_generator();
        Self {
            action: schema_for!(G::Action).to_value(),
            view: told().into_root_schema_for::<G::View>().to_value(),
            outcome: told().into_root_schema_for::<G::Outcome>().to_value(),
        }
    }
}

impl Hosting {
    /// Makes a game one that can be hosted, with what it is measured by.
    #[must_use]
    pub fn of<G, C>(scenarios: &'static [&'static str]) -> Self
    where
        G: Board + Searcher + Send + Sync + 'static,
        G::Side: Send + Sync,
        G::Action: JsonSchema + Send + Sync,
        G::View: JsonSchema,
        G::Outcome: JsonSchema,
        C: Counting<G> + 'static,
    {
        Self {
            name: G::SYSTEM,
            scenarios,
            sides: side_names::<G>,
            begin: Played::<G, C>::begin,
            open: Played::<G, C>::open,
            resume: Played::<G, C>::resume,
            shapes: Shapes::of::<G>,
        }
    }

    /// The shapes of what it reads and tells.
    #[must_use]
    pub fn shapes(&self) -> Shapes {
        (self.shapes)()
    }

    /// The names of its sides, by place.
    #[must_use]
    pub fn sides(&self) -> Vec<String> {
        (self.sides)()
    }

    /// Begins a game on these terms.
    ///
    /// # Errors
    /// When there is no such scenario, option or side.
    pub fn begin(
        &self,
        setup: &Setup,
        source: Source,
        secret: Option<Seed>,
        terms: Terms,
    ) -> Verdict<Box<dyn Hosted>> {
        (self.begin)(setup, source, secret, terms)
    }

    /// Opens a game from the first line of its record; the rest is added with [`Hosted::follow`].
    ///
    /// # Errors
    /// When the line is no header of this system.
    pub fn open(&self, header: &str, secret: Option<Seed>) -> Verdict<Box<dyn Hosted>> {
        (self.open)(header, secret)
    }

    /// Opens a game from a snapshot taken after `last_line`.
    ///
    /// # Errors
    /// When the snapshot does not fit the line.
    pub fn resume(
        &self,
        header: &str,
        secret: Option<Seed>,
        last_line: &str,
        snapshot: &[u8],
    ) -> Verdict<Box<dyn Hosted>> {
        (self.resume)(header, secret, last_line, snapshot)
    }
}

/// How a game ended, as it is counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// In one word.
    pub result: String,
    /// The turn on which it did, where it can before the last.
    pub turn: Option<u8>,
}

/// How games of a kind are counted and measured.
pub trait Counting<G: Searcher>: Send + Sync {
    /// How an end is counted when many games are: as records write it, unless the game says it better.
    #[must_use]
    fn ending(outcome: &G::Outcome) -> Ending {
        let result = match serde_json::to_value(outcome) {
            Ok(Value::String(name)) => name,
            Ok(value) => value.to_string(),
            Err(_) => format!("{outcome:?}"),
        };
        Ending { result, turn: None }
    }

    /// The turn, from 1; 0 where a game has none.
    #[must_use]
    fn turn(_state: &G) -> u8 {
        0
    }

    /// What the results of dice are measured by in this game.
    #[must_use]
    fn gauges() -> &'static [Gauge<G>] {
        &[]
    }
}

/// Ends are counted as records write them, and nothing is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl<G: Searcher> Counting<G> for Plain {}

/// An order that somebody might give, as the machine would.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// The order, as JSON.
    pub action: String,
    /// The score that it promises, from 0 to 1, and how many playouts say so; nothing where the doctrine was
    /// followed without thinking ahead.
    pub promise: Option<(f64, u32)>,
}

/// What a decision of a record was worth to the first side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    /// What the position before it was worth.
    pub before: f64,
    /// What the order is worth on average over its dice.
    pub expected: f64,
}

/// What a seat may order.
#[derive(Clone, Debug)]
pub enum Order {
    /// A decision of the game, with the dice where they are rolled on a real table.
    Act {
        /// The decision.
        action: Node,
        /// The dice.
        dice: Option<Vec<u8>>,
    },
    /// To take back the last decision.
    Undo,
    /// To give up.
    Resign,
    /// To propose something.
    Offer(Offer),
    /// To agree to what is proposed.
    Accept,
    /// To decline it.
    Decline,
    /// To say something to the others.
    Words(String),
    /// To put a seed of one's own into the dice.
    Pledge(Seed),
}

/// A place of a sheet.
pub type OnSheet = (&'static str, kernel::board::Spot);

/// A line of the record, and what it did.
#[derive(Clone, Debug)]
pub struct Report {
    /// The line to append to the record; none where it is there already.
    pub line: String,
    /// Who did it, by place.
    pub side: Option<usize>,
    /// What was done: `decide`, `undo` ...
    pub deed: &'static str,
    /// What the order is called.
    pub order: Option<Saying>,
    /// Where the game stood when it was ordered: turn and step.
    pub moment: Option<Saying>,
    /// The day of the game on which it was ordered, where its record is leafed through by days.
    pub day: Option<Saying>,
    /// Where on a sheet the order lies, if it lies anywhere.
    pub place: Option<OnSheet>,
    /// Who may know what the order was.
    pub audience: Audience,
    /// The hash that a sealed order is committed to with.
    pub commitment: Option<HexHash>,
    /// The words of a player.
    pub words: Option<String>,
    /// What was said.
    pub said: Vec<Line>,
    /// The dice: sides and face of each, in order.
    pub dice: Vec<(u8, u8)>,
    /// Whose decision was waited for after it.
    pub awaited: Sides,
    /// Whether the game was over after it.
    pub over: bool,
}

impl Report {
    /// Something that nobody ordered and of which nothing is said.
    #[must_use]
    pub fn quiet(deed: &'static str, game: &dyn Hosted) -> Self {
        Self {
            line: String::new(),
            side: None,
            deed,
            order: None,
            moment: None,
            day: None,
            place: None,
            audience: Audience::All,
            commitment: None,
            words: None,
            said: Vec::new(),
            dice: Vec::new(),
            awaited: game.awaited(),
            over: game.is_over(),
        }
    }
}

/// A game of any system, being played. Sides are named by their place.
pub trait Hosted: Send + Sync {
    /// How many entries the record holds.
    fn entries(&self) -> u64;
    /// Whose decision it is; those of several who have sealed theirs may still change it.
    fn deciders(&self) -> Sides;
    /// Whose decision is waited for.
    fn awaited(&self) -> Sides;
    /// Who has sealed an order, with the hash that it is committed to with.
    fn sealed(&self) -> Vec<(usize, HexHash)>;
    /// The order that a side has sealed, as JSON; for its own eyes only.
    fn own_sealed(&self, side: usize) -> Option<String>;
    /// Whether it is over.
    fn is_over(&self) -> bool;
    /// Whether a die was rolled.
    fn has_rolled(&self) -> bool;
    /// What everybody may know about its dice.
    fn fairness(&self) -> Fairness;
    /// Takes a game over that was begun elsewhere: its further dice come from this seed. The line says so.
    ///
    /// # Errors
    /// When the terms name a side that does not exist.
    fn adopt(&mut self, seed: Seed, terms: Terms) -> Verdict<String>;
    /// How it ended, as JSON.
    fn outcome(&self) -> Option<Value>;
    /// What is offered, and by whom.
    fn offered(&self) -> Option<(usize, Offer)>;
    /// What a side may decide, as a JSON list.
    fn actions(&self, side: usize) -> String;
    /// The first stage of that: the kinds of decision, and how many there are of each.
    fn kinds(&self, side: usize) -> Vec<(&'static str, usize)>;
    /// The second stage: what the decisions of a kind are about, and how many there are of each.
    fn subjects(&self, side: usize, kind: &str) -> Vec<(Option<u32>, usize)>;
    /// The last stage: the decisions of a kind about a subject, as a JSON list.
    fn candidates(&self, side: usize, kind: &str, subject: Option<u32>) -> String;
    /// What a reader may see, as JSON.
    fn view(&self, reader: Option<usize>) -> String;
    /// Carries an order out, and what follows from it: the line of the order first, then those of sealed
    /// orders that are opened, and of the seed at the end.
    ///
    /// # Errors
    /// The refusal; nothing has changed then.
    fn order(&mut self, seen: u64, side: usize, order: Order) -> Verdict<Vec<Report>>;
    /// Goes one line of the record further.
    ///
    /// # Errors
    /// When it cannot be the next line.
    fn follow(&mut self, line: &str) -> Verdict<Report>;
    /// Lets the computer choose for a side, which sees what is its own to see.
    fn choose(&self, side: usize, level: Level, stream: &mut Live) -> Option<Order>;
    /// What the machine would order for a side, which sees what is its own to see: the best first.
    fn advise(&self, side: usize, budget: Budget, stream: &mut Live) -> Vec<Advice>;
    /// What the position is worth to the first side, by the judgement of the doctrine.
    fn judge(&self) -> f64;
    /// What the next line of the record is worth to the first side, if it is a decision.
    fn judge_line(&self, line: &str) -> Option<Judged>;
    /// What the next line of the record could have changed, if it is a decision that rolls: as anybody
    /// could have told who saw no more than a spectator.
    fn weigh(&self, line: &str) -> Option<Weighed>;
    /// The names of the gauges of this game.
    fn gauge_names(&self) -> Vec<&'static str>;
    /// What they show now.
    fn gauges(&self) -> Vec<i64>;
    /// Whether older decisions could be taken back if the record were played again.
    fn is_forgetful(&self) -> bool;
    /// The state, for opening the game faster next time.
    fn snapshot(&self) -> Vec<u8>;
    /// The first line of the record.
    fn header_line(&self) -> String;
    /// The position as a side, or a spectator, may see it: a whole state that this reader cannot tell from
    /// the true one, imagined from what he may see and from a stream that depends on nothing hidden. The
    /// same moment is always imagined the same; where nothing is hidden it is the state itself.
    fn position(&self, reader: Option<usize>) -> Box<dyn Position>;
    /// The same game once more, to go on from.
    fn fork(&self) -> Box<dyn Hosted>;
}
