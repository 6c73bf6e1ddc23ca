//! `cargo xtask trace`: which rules the running engine cited while the tests passed. A floor per
//! ledger is kept in `xtask/trace-floor.toml`, so that the proof can only grow; the rules that no
//! test can prove are listed in `rules/unproven.toml`, each with its reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use rulebook::Book;
use serde::Deserialize;
use serde_json::json;

use crate::axe;
use crate::chromium::Chromium;
use crate::openapi;
use crate::postgres::{self, Postgres};
use crate::run::{Failure, cargo, root, run as run_command};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object: ledger -> proven, total.
    #[arg(long)]
    json: bool,
    /// List the rules not proven.
    #[arg(long)]
    missing: bool,
    /// Raise the floors to what is proven now.
    #[arg(long)]
    raise: bool,
}

/// How far one ledger is proven.
struct Proof {
    book: Book,
    proven: usize,
    missing: Vec<&'static str>,
}

/// `rules/unproven.toml`: the rules that no test can make the engine cite, and why.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unproven {
    #[serde(default)]
    rule: Vec<Reason>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reason {
    id: String,
    reason: String,
}

impl Proof {
    fn total(&self) -> usize {
        self.proven + self.missing.len()
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let proofs = proofs(&run_tests()?);
    if args.json {
        let table: serde_json::Map<_, _> = proofs
            .iter()
            .map(|proof| {
                (proof.book.name().to_owned(), json!({ "proven": proof.proven, "total": proof.total() }))
            })
            .collect();
        println!("{}", serde_json::Value::Object(table));
    } else {
        report(&proofs);
    }
    if args.missing {
        let reasons = reasons()?;
        for rule in proofs.iter().flat_map(|proof| &proof.missing) {
            match reasons.iter().find(|reason| reason.id == *rule) {
                Some(Reason { reason, .. }) => println!("{rule}: {reason}"),
                None => println!("{rule}"),
            }
        }
    }
    if args.raise { raise(&proofs) } else { Ok(()) }
}

/// Runs all tests with a recording clerk and checks the floors.
pub(crate) fn check() -> Result<(), Failure> {
    let proofs = proofs(&run_tests()?);
    report(&proofs);
    let floors = floors()?;
    for proof in &proofs {
        let floor = floors.get(proof.book.name()).copied().unwrap_or(0);
        if proof.proven < floor {
            return Err(format!(
                "{}: {} rules proven, {floor} were before (cargo xtask trace --missing)",
                proof.book.name(),
                proof.proven
            ));
        }
    }
    check_reasons(&proofs, &reasons()?)
}

/// The books that are not written whole yet: their missing rules need no reason.
const BEGUN: [Book; 2] = [Book::Breach, Book::BreachCore];

/// Each reason is given for a rule that is really without proof, and only once; and every rule of a
/// finished book is proven or has its reason.
fn check_reasons(proofs: &[Proof], reasons: &[Reason]) -> Result<(), Failure> {
    let missing: BTreeSet<&str> = proofs.iter().flat_map(|proof| proof.missing.iter().copied()).collect();
    let mut seen = BTreeSet::new();
    for Reason { id, reason } in reasons {
        let fault = if !missing.contains(id.as_str()) {
            "is proven, or no rule to be proven: strike it out"
        } else if !seen.insert(id) {
            "stands twice"
        } else if reason.trim().is_empty() {
            "has no reason"
        } else {
            continue;
        };
        return Err(format!("rules/unproven.toml: {id} {fault}"));
    }
    let finished = proofs.iter().filter(|proof| !BEGUN.contains(&proof.book));
    let unexplained =
        finished.flat_map(|proof| &proof.missing).find(|id| seen.iter().all(|listed| listed != *id));
    match unexplained {
        Some(id) => Err(format!("{id} is neither proven nor listed in rules/unproven.toml")),
        None => Ok(()),
    }
}

fn reasons() -> Result<Vec<Reason>, Failure> {
    let fail = |error: &dyn std::fmt::Display| format!("rules/unproven.toml: {error}");
    let text = fs::read_to_string(root().join("rules/unproven.toml")).map_err(|error| fail(&error))?;
    toml::from_str::<Unproven>(&text).map(|file| file.rule).map_err(|error| fail(&error))
}

/// The ids cited in the tests, all of which passed.
fn run_tests() -> Result<BTreeSet<String>, Failure> {
    let folder = root().join("target/trace");
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(fail)?;
    }
    fs::create_dir_all(&folder).map_err(fail)?;
    let mut tests = cargo(&["test", "--workspace", "--features", "kernel/trace"]);
    // What the tests say goes beside: the report alone is for whoever reads our output.
    // The same random cases on every machine; set the variable to try others.
    if std::env::var_os("PROPTEST_RNG_SEED").is_none() {
        tests.env("PROPTEST_RNG_SEED", "1807");
    }
    tests.env("GLACIS_TRACE", &folder).stdout(std::io::stderr());
    let postgres = Postgres::start()?;
    if let Some(postgres) = &postgres {
        tests.env(postgres::VARIABLE, &postgres.address);
    }
    openapi::prepare();
    let chromium = Chromium::prepare();
    chromium.tell(&mut tests);
    axe::tell(&mut tests);
    run_command(tests)?;
    chromium.report();
    cited(&folder).map_err(fail)
}

fn cited(folder: &Path) -> std::io::Result<BTreeSet<String>> {
    let mut cited = BTreeSet::new();
    for file in fs::read_dir(folder)? {
        let text = fs::read_to_string(file?.path())?;
        cited.extend(text.lines().map(str::to_owned));
    }
    Ok(cited)
}

fn proofs(cited: &BTreeSet<String>) -> Vec<Proof> {
    Book::ALL
        .iter()
        .map(|&book| {
            let provable =
                rulebook::rules().iter().filter(|rule| rule.book == book && rule.kind.can_be_proven());
            let (proven, missing): (Vec<_>, Vec<_>) =
                provable.map(|rule| rule.id.as_str()).partition(|id| cited.contains(*id));
            Proof { book, proven: proven.len(), missing }
        })
        .collect()
}

fn report(proofs: &[Proof]) {
    for proof in proofs {
        let percent = 100 * proof.proven / proof.total().max(1);
        eprintln!(
            "{:<18} {:>4} of {:>4} rules proven ({percent} %)",
            proof.book.name(),
            proof.proven,
            proof.total()
        );
    }
}

fn floor_file() -> PathBuf {
    root().join("xtask/trace-floor.toml")
}

fn floors() -> Result<BTreeMap<String, usize>, Failure> {
    let text =
        fs::read_to_string(floor_file()).map_err(|error| format!("xtask/trace-floor.toml: {error}"))?;
    toml::from_str(&text).map_err(|error| format!("xtask/trace-floor.toml: {error}"))
}

fn raise(proofs: &[Proof]) -> Result<(), Failure> {
    let floors = floors()?;
    let mut text =
        "# Rules proven in the tests, per ledger. `cargo xtask trace --raise` lifts them; they never fall.\n"
            .to_owned();
    for proof in proofs {
        let floor = floors.get(proof.book.name()).copied().unwrap_or(0).max(proof.proven);
        text.push_str(&format!("{} = {floor}\n", proof.book.name()));
    }
    fs::write(floor_file(), text).map_err(|error| format!("xtask/trace-floor.toml: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of `ARCHITECTURE.md` says what the ledgers, the floors and the reasons say.
    #[test]
    fn what_is_said_to_be_proven_is() {
        let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
        let (floors, reasons) = (floors().unwrap(), reasons().unwrap());
        for &book in Book::ALL {
            let of_book = || rulebook::rules().iter().filter(|rule| rule.book == book);
            let exempt = of_book().filter(|rule| reasons.iter().any(|reason| reason.id == rule.id.as_str()));
            let can = of_book().filter(|rule| rule.kind.can_be_proven()).count();
            let (all, cited, exempt) = (of_book().count(), floors[book.name()], exempt.count());
            let (idle, left) = (all - can, can - cited - exempt);
            let row = format!("| {} | {all} | {idle} | {cited} | {exempt} | {left} |", book.name());
            assert!(text.contains(&row), "{row}");
            assert!(left == 0 || BEGUN.contains(&book), "{row}");
        }
    }
}
