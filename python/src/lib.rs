//! Glacis for Python: a thin layer over the registry. Requests, orders, views and answers go through it as
//! JSON, what players that learn see as rows of bytes; the package in `glacis/` makes Python of both.

mod arena;
mod game;
mod simulation;

use glacis::system::Game as Played;
use kernel::{Refusal, Setup};
use pyo3::prelude::*;
use rulebook::Lang;

/// A refusal as an exception: the sentence, the rule and the field.
fn refused(refusal: &Refusal, lang: Lang) -> PyErr {
    let sentence = rulebook::refusal(refusal, lang);
    let rule = refusal.rule.map(|rule| rule.as_str().to_owned());
    let field = refusal.field.clone();
    Python::attach(|py| {
        let made = py
            .import("glacis.refused")
            .and_then(|module| module.getattr("Refused")?.call1((sentence, rule, field)));
        match made {
            Ok(error) => PyErr::from_value(error),
            Err(error) => error,
        }
    })
}

/// The language of this code; English where there is none.
fn language(code: &str) -> Lang {
    Lang::from_code(code).unwrap_or(Lang::En)
}

/// What there is none of, and what there is.
fn unknown(field: &str, found: &str, expected: &[&str]) -> PyErr {
    let refusal = Refusal::field(field, kernel::phrase::UNKNOWN_CHOICE)
        .with("found", found)
        .with("expected", expected.join(", "));
    refused(&refusal, Lang::En)
}

/// The game of the system with this name.
fn played(system: &str) -> PyResult<Played> {
    let all: Vec<_> = glacis::systems().into_iter().filter(|system| system.game.is_some()).collect();
    let names: Vec<&str> = all.iter().map(glacis::System::name).collect();
    let found = all.iter().find(|known| known.name() == system).and_then(|known| known.game.clone());
    found.ok_or_else(|| unknown("system", system, &names))
}

/// How a game begins; without a scenario, with the first of its system.
fn setup(game: &Played, scenario: Option<String>, options: Vec<(String, String)>) -> Setup {
    let first = || game.hosting.scenarios.first().copied().unwrap_or_default().to_owned();
    Setup { scenario: scenario.unwrap_or_else(first), options: options.into_iter().collect() }
}

/// The place of a side.
fn place(game: &Played, side: &str) -> PyResult<usize> {
    let sides = game.hosting.sides();
    let names: Vec<&str> = sides.iter().map(String::as_str).collect();
    names.iter().position(|name| *name == side).ok_or_else(|| unknown("side", side, &names))
}

/// The systems that can be played, with their scenarios and sides, as JSON.
#[pyfunction]
fn systems() -> String {
    let games = glacis::systems().into_iter().filter_map(|system| system.game);
    let told = games.map(|game| {
        let told = serde_json::json!({ "scenarios": game.hosting.scenarios, "sides": game.hosting.sides() });
        (game.hosting.name.to_owned(), told)
    });
    serde_json::Value::Object(told.collect()).to_string()
}

/// The names of the questions.
#[pyfunction]
fn questions() -> Vec<&'static str> {
    glacis::questions().iter().map(|asking| asking.name).collect()
}

/// The schemas of a question, as JSON.
#[pyfunction]
fn schema(question: &str) -> PyResult<String> {
    asking(question).map(|asking| asking.schema().to_string())
}

/// The answer to a question, as JSON.
#[pyfunction]
fn ask(py: Python<'_>, question: &str, request: &str, lang: &str) -> PyResult<String> {
    let asking = asking(question)?;
    Ok(py.detach(|| asking.ask(request, language(lang)).json))
}

fn asking(question: &str) -> PyResult<rulebook::Asking> {
    let all = glacis::questions();
    let names: Vec<&str> = all.iter().map(|asking| asking.name).collect();
    all.iter()
        .find(|asking| asking.name == question)
        .copied()
        .ok_or_else(|| unknown("question", question, &names))
}

/// The module below the package.
#[pymodule]
mod _glacis {
    #[pymodule_export]
    use super::arena::{Arena, Batch};
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::simulation::rows;
    #[pymodule_export]
    use super::{ask, questions, schema, systems};

    /// So many indexes there are at every stage.
    #[pymodule_export]
    const WIDTH: usize = glacis::arena::WIDTH;
}
