//! A system as the whole house knows it: everything that is done for one is done for each of the list in
//! [`systems`](crate::systems::systems).

use std::process::ExitCode;

use kernel::board::Board;
use kernel::{Fairness, Play, Record, Setup, Told, Verdict};
use opponent::{Featured, Level, Searcher};
use rulebook::{Asking, Inquiring, Lang, Replied};
use schemars::JsonSchema;
use serde_json::Value;

use crate::arena::{self, Arena};
use crate::host::{Counting, Hosting};
use crate::simulation::{self, Counted};
use crate::terminal::{Failure, play, replay};

/// Files with their names.
pub type Files = Vec<(String, String)>;

/// The maps of a game after so many entries of a record.
pub type DrawsMaps = fn(&Record, Option<u64>, Lang) -> Verdict<Files>;

/// Answers about a position.
pub type Answers = Box<dyn Fn(&str, Lang) -> Replied>;

/// Takes the position of a record after so many entries, and answers about it.
pub type About = Box<dyn FnOnce(&Record, Option<u64>) -> Verdict<Answers>>;

/// A system: a rulebook with what can be done with it.
#[derive(Clone)]
pub struct System {
    /// What the pages show of it: its name, style and maps, and its game.
    pub shown: pages::System,
    /// The questions that its umpire answers.
    pub questions: fn() -> Vec<Asking>,
    /// Its charts as sheets for the table.
    pub charts: Option<fn(Lang) -> Files>,
    /// Records of whole games, within the repository: to read, and to check everything by.
    pub records: &'static [&'static str],
    /// Its game.
    pub game: Option<Game>,
    /// Records of it though nobody is hosted in it: evenings at a real table.
    pub evenings: Option<Evenings>,
}

/// Records of evenings that were played on a real table: proven and told like those of games.
#[derive(Clone, Copy)]
pub struct Evenings {
    /// Plays a record again: what is known of its dice.
    pub prove: fn(&Record) -> Verdict<Fairness>,
    /// A record of it, told again.
    pub replay: fn(&Record, &replay::Args, Lang) -> Result<ExitCode, Failure>,
}

impl Evenings {
    /// The evenings that this game keeps.
    #[must_use]
    pub fn of<G: Told>() -> Self {
        Self {
            prove: |record| Play::<G>::replay(record, None).map(|play| play.fairness()),
            replay: replay::tell::<G>,
        }
    }
}

/// The game of a system.
#[derive(Clone)]
pub struct Game {
    /// How it is hosted.
    pub hosting: Hosting,
    /// Played in the terminal.
    pub play: fn(&play::Args, &Hosting) -> Result<ExitCode, Failure>,
    /// A game between players of these levels, in the order of the sides, played out by its number.
    pub simulate: fn(&Setup, &[Level], u64) -> Verdict<Counted>,
    /// A table of it for players that learn.
    pub arena: fn(&Setup) -> Verdict<Box<dyn Arena>>,
    /// A record of it, told again.
    pub replay: fn(&Record, &replay::Args, Lang) -> Result<ExitCode, Failure>,
    /// Its maps as they stood after so many entries of a record.
    pub maps: Option<DrawsMaps>,
    /// A question about a position of a record, by its name.
    pub inquire: fn(&str) -> Option<Inquiry>,
    /// The contract of the kernel, checked in one random game of each scenario.
    ///
    /// # Panics
    /// When it does not hold.
    #[cfg(feature = "conformance")]
    pub conforms: fn(&[&str]) -> kernel::conformance::Report,
}

/// A question that can be asked of a position.
pub struct Inquiry {
    /// The JSON Schema of its requests.
    pub schema: Value,
    /// Takes the position of a record after so many entries, and answers about it.
    pub about: About,
}

impl Game {
    /// A game with its scenarios and what it is measured by.
    #[must_use]
    pub fn of<G, C>(scenarios: &'static [&'static str]) -> Self
    where
        G: Board + Featured + Searcher + Send + Sync + 'static,
        G::Side: Send + Sync,
        G::Action: JsonSchema + Send + Sync,
        G::View: JsonSchema,
        G::Outcome: JsonSchema,
        C: Counting<G> + 'static,
    {
        Self {
            hosting: Hosting::of::<G, C>(scenarios),
            play: play::session::<G>,
            simulate: simulation::counted::<G, C>,
            arena: arena::open::<G>,
            replay: replay::tell::<G>,
            maps: None,
            inquire: |_| None,
            #[cfg(feature = "conformance")]
            conforms: |scenarios| {
                let setup = |name: &&str| Setup { scenario: (*name).to_owned(), ..Default::default() };
                kernel::conformance::Suite::<G>::new(scenarios.iter().map(setup))
                    .games(1)
                    .most_decisions(200_000)
                    .every(499)
                    .width(4)
                    .pool(40)
                    .run()
            },
        }
    }
}

impl System {
    /// A system of which nothing is known but its questions.
    #[must_use]
    pub const fn asked(name: &'static str, questions: fn() -> Vec<Asking>) -> Self {
        let shown = pages::System { name, style: "", maps: &[], figures: &[], game: None };
        Self { shown, questions, charts: None, records: &[], game: None, evenings: None }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.shown.name
    }
}

/// The maps of a game as its record has them.
///
/// # Errors
/// When the record is not true.
pub fn drawn<G: Board>(
    record: &Record,
    to: Option<u64>,
    draw: impl FnOnce(&G) -> Vec<(&'static str, String)>,
) -> Verdict<Files> {
    let play = Play::<G>::replay(record, to)?;
    Ok(draw(play.state()).into_iter().map(|(name, svg)| (name.to_owned(), svg)).collect())
}

/// The question with this name, about positions of this game.
#[must_use]
pub fn inquiry<G: Board + 'static>(all: Vec<Inquiring<G>>, name: &str) -> Option<Inquiry> {
    let inquiring = all.into_iter().find(|inquiring| inquiring.name == name)?;
    let schema = inquiring.schema();
    let about = move |record: &Record, to: Option<u64>| {
        let state = Play::<G>::replay(record, to)?.state().clone();
        let ask: Answers = Box::new(move |text: &str, lang: Lang| inquiring.reply(&state, text, lang));
        Ok(ask)
    };
    Some(Inquiry { schema, about: Box::new(about) })
}
