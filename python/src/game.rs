//! A game that is played and recorded.

use glacis::host::{Hosted, Order, Report};
use kernel::{HexHash, Line, Live, Node, Setup, Source, Terms};
use opponent::Level;
use pyo3::prelude::*;
use rulebook::Lang;
use serde_json::{Value, json};

use crate::{language, place, played, refused, setup};

/// A game of any system, bound to its record.
#[pyclass(module = "glacis._glacis")]
pub(crate) struct Game {
    game: glacis::system::Game,
    hosted: Box<dyn Hosted>,
    setup: Setup,
    lines: Vec<String>,
}

#[pymethods]
impl Game {
    /// Begins a game; its dice follow from the seed.
    #[new]
    fn new(
        system: &str,
        scenario: Option<String>,
        options: Vec<(String, String)>,
        seed: &str,
        lang: &str,
    ) -> PyResult<Self> {
        let game = played(system)?;
        let setup = setup(&game, scenario, options);
        let source = Source::Open(HexHash(*blake3::hash(seed.as_bytes()).as_bytes()));
        let hosted = game.hosting.begin(&setup, source, None, Terms::default());
        let hosted = hosted.map_err(|refusal| refused(&refusal, language(lang)))?;
        let lines = vec![hosted.header_line()];
        Ok(Self { game, hosted, setup, lines })
    }

    /// A game from its record, every line of which is checked.
    #[staticmethod]
    fn read(record: &str, lang: &str) -> PyResult<Self> {
        let lang = language(lang);
        let checked = kernel::Record::read(record).map_err(|refusal| refused(&refusal, lang))?;
        let game = played(&checked.header.system)?;
        let setup = checked.header.setup();
        let mut lines = record.lines().map(str::to_owned);
        let header = lines.next().unwrap_or_default();
        let mut hosted = game.hosting.open(&header, None).map_err(|refusal| refused(&refusal, lang))?;
        let mut kept = vec![header];
        for line in lines.filter(|line| !line.is_empty()) {
            hosted.follow(&line).map_err(|refusal| refused(&refusal, lang))?;
            kept.push(line);
        }
        Ok(Self { game, hosted, setup, lines: kept })
    }

    /// The name of the system.
    #[getter]
    fn system(&self) -> &'static str {
        self.game.hosting.name
    }

    /// The scenario.
    #[getter]
    fn scenario(&self) -> &str {
        &self.setup.scenario
    }

    /// The sides, in order.
    #[getter]
    fn sides(&self) -> Vec<String> {
        self.game.hosting.sides()
    }

    /// Whose decision is waited for.
    fn deciders(&self) -> Vec<String> {
        let sides = self.game.hosting.sides();
        self.hosted.awaited().iter().filter_map(|place| sides.get(place).cloned()).collect()
    }

    /// What a side may decide, as a JSON list.
    fn actions(&self, py: Python<'_>, side: &str) -> PyResult<String> {
        let place = place(&self.game, side)?;
        Ok(py.detach(|| self.hosted.actions(place)))
    }

    /// The kinds of decision that a side has, with how many there are of each.
    fn kinds(&self, side: &str) -> PyResult<Vec<(&'static str, usize)>> {
        Ok(self.hosted.kinds(place(&self.game, side)?))
    }

    /// What the decisions of a kind are about, with how many there are of each.
    fn subjects(&self, side: &str, kind: &str) -> PyResult<Vec<(Option<u32>, usize)>> {
        Ok(self.hosted.subjects(place(&self.game, side)?, kind))
    }

    /// The decisions of a kind about a subject, as a JSON list.
    fn candidates(&self, side: &str, kind: &str, subject: Option<u32>) -> PyResult<String> {
        Ok(self.hosted.candidates(place(&self.game, side)?, kind, subject))
    }

    /// What a sensible player would decide for a side, as JSON; nothing where it is not asked.
    fn suggestion(&self, py: Python<'_>, side: &str, seed: u64) -> PyResult<Option<String>> {
        let place = place(&self.game, side)?;
        let order = py.detach(|| self.hosted.choose(place, Level::Sensible, &mut Live::numbered(seed)));
        Ok(order.and_then(|order| match order {
            Order::Act { action, .. } => action.read_written::<Value>().ok().map(|order| order.to_string()),
            _ => None,
        }))
    }

    /// Decides for a side; what was said, entry by entry, as JSON.
    fn apply(&mut self, py: Python<'_>, side: &str, action: &str, lang: &str) -> PyResult<String> {
        let (place, lang) = (place(&self.game, side)?, language(lang));
        let seen = self.hosted.entries();
        let told = py.detach(|| {
            let order = Order::Act { action: Node::parse(action)?, dice: None };
            self.hosted.order(seen, place, order)
        });
        self.keep(told.map_err(|refusal| refused(&refusal, lang))?, lang)
    }

    /// Takes back the last decision of a side; what was said, as JSON.
    fn undo(&mut self, side: &str, lang: &str) -> PyResult<String> {
        let (place, lang) = (place(&self.game, side)?, language(lang));
        let told = self.hosted.order(self.hosted.entries(), place, Order::Undo);
        self.keep(told.map_err(|refusal| refused(&refusal, lang))?, lang)
    }

    /// What a side, or a spectator, may see, as JSON.
    fn view(&self, py: Python<'_>, reader: Option<&str>) -> PyResult<String> {
        let reader = reader.map(|side| place(&self.game, side)).transpose()?;
        Ok(py.detach(|| self.hosted.view(reader)))
    }

    /// How it ended, as JSON; nothing before.
    fn outcome(&self) -> Option<String> {
        self.hosted.outcome().map(|outcome| outcome.to_string())
    }

    /// How many entries the record has.
    #[getter]
    fn entries(&self) -> u64 {
        self.hosted.entries()
    }

    /// The record: one JSON object on each line.
    fn record(&self) -> String {
        self.lines.iter().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

impl Game {
    /// Adds what happened to the record, and tells it.
    fn keep(&mut self, reports: Vec<Report>, lang: Lang) -> PyResult<String> {
        let sides = self.game.hosting.sides();
        let mut told = Vec::new();
        for report in reports {
            let said: Vec<Value> = report.said.iter().map(|line| said(line, &self.setup, lang)).collect();
            told.push(json!({
                "side": report.side.and_then(|place| sides.get(place)),
                "deed": report.deed,
                "dice": report.dice,
                "said": said,
            }));
            self.lines.push(report.line);
        }
        Ok(Value::Array(told).to_string())
    }
}

/// A reason with its rule, or a sentence.
fn said(line: &Line, setup: &Setup, lang: Lang) -> Value {
    match line {
        Line::Because(because) => json!({
            "rule": because.rule.as_str(),
            "effect": rulebook::effect(&because.effect, lang),
            "text": rulebook::text(because.rule, &setup.options, lang),
        }),
        Line::Happened(event) => json!({ "text": rulebook::speak(event.phrase, &event.facts, lang) }),
    }
}
