//! Games between players of the house, by their numbers.

use glacis::simulation::Match;
use kernel::Refusal;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rulebook::Lang;

use crate::refused;

/// Plays so many games of a seed from this number on: a line of JSON for each. The game of a number is the same
/// wherever it is played.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the package gives them by name")]
pub(crate) fn rows<'py>(
    py: Python<'py>,
    system: &str,
    scenario: Option<&str>,
    options: Vec<(String, String)>,
    players: Vec<(String, String)>,
    seed: &str,
    first: u64,
    count: u64,
) -> PyResult<Bound<'py, PyBytes>> {
    let fault = |fault: &dyn std::fmt::Display| PyValueError::new_err(fault.to_string());
    let mut games = Match::of(system, seed).map_err(|error| fault(&error))?;
    if let Some(scenario) = scenario {
        games = games.scenario(scenario).map_err(|error| fault(&error))?;
    }
    for (side, level) in &players {
        games = games.player(side, level).map_err(|error| fault(&error))?;
    }
    for (name, value) in &options {
        games = games.option(name, value);
    }
    let lines = py.detach(|| {
        (first..first.saturating_add(count)).try_fold(String::new(), |mut lines, number| {
            lines.push_str(&games.row(number)?.line());
            lines.push('\n');
            Ok::<_, Refusal>(lines)
        })
    });
    let lines = lines.map_err(|refusal| refused(&refusal, Lang::En))?;
    Ok(PyBytes::new(py, lines.as_bytes()))
}
