//! `cargo xtask trace`: which rules the running engine *cited* while the tests passed, and in which
//! tests. A floor per ledger is kept in `xtask/trace-floor.toml`, so that the figures can only grow;
//! the rules that no test can make act are listed in `rules/unproven.toml`, each with its reason.
//! Whether a test would notice if the rule were another is asked by `cargo xtask prove`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rulebook::Book;
use serde::Deserialize;
use serde_json::json;

use crate::axe;
use crate::chromium::Chromium;
use crate::postgres::{self, Postgres};
use crate::prove;
use crate::python;
use crate::run::{Failure, root};
use crate::suite::{self, Binary};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object: ledger -> proven, cited, total.
    #[arg(long)]
    json: bool,
    /// List the rules not cited.
    #[arg(long)]
    missing: bool,
    /// Raise the floors to what is cited now.
    #[arg(long)]
    raise: bool,
}

/// How far one ledger is cited.
struct Cited {
    book: Book,
    cited: Vec<&'static str>,
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

impl Cited {
    fn total(&self) -> usize {
        self.cited.len() + self.missing.len()
    }
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let trace = traced(suite::build(&[])?, &[], &[])?;
    let books = books(&trace);
    if args.json {
        let proven = prove::known()?;
        let table: serde_json::Map<_, _> = books
            .iter()
            .map(|book| {
                let proven = book.cited.iter().filter(|id| proven.contains(**id)).count();
                let row = json!({ "proven": proven, "cited": book.cited.len(), "total": book.total() });
                (book.book.name().to_owned(), row)
            })
            .collect();
        println!("{}", serde_json::Value::Object(table));
    } else {
        report(&books);
    }
    if args.missing {
        let reasons = reasons()?;
        for rule in books.iter().flat_map(|book| &book.missing) {
            match reasons.iter().find(|reason| reason.id == *rule) {
                Some(Reason { reason, .. }) => println!("{rule}: {reason}"),
                None => println!("{rule}"),
            }
        }
    }
    if args.raise { raise(&books) } else { Ok(()) }
}

/// Runs all tests with a recording clerk, random games from this number on for so long, and checks
/// the floors.
pub(crate) fn check(binaries: Vec<Binary>, seed: u64, games: Duration) -> Result<Trace, Failure> {
    let told = [("GLACIS_FIRST", seed.to_string()), ("GLACIS_SECONDS", games.as_secs().to_string())];
    let trace = traced(binaries, &[], &told)?;
    let books = books(&trace);
    report(&books);
    let floors = floors()?;
    for book in &books {
        let floor = floors.get(book.book.name()).copied().unwrap_or(0);
        if book.cited.len() < floor {
            return Err(format!(
                "{}: {} rules cited, {floor} were before (cargo xtask trace --missing)",
                book.book.name(),
                book.cited.len()
            ));
        }
    }
    check_reasons(&books, &reasons()?)?;
    Ok(trace)
}

/// Each reason is given for a rule that is really never cited, and only once; and every rule is cited or has its
/// reason.
fn check_reasons(books: &[Cited], reasons: &[Reason]) -> Result<(), Failure> {
    let missing: BTreeSet<&str> = books.iter().flat_map(|book| book.missing.iter().copied()).collect();
    let mut seen = BTreeSet::new();
    for Reason { id, reason } in reasons {
        let fault = if !missing.contains(id.as_str()) {
            "is cited, or no rule that can act: strike it out"
        } else if !seen.insert(id) {
            "stands twice"
        } else if reason.trim().is_empty() {
            "has no reason"
        } else {
            continue;
        };
        return Err(format!("rules/unproven.toml: {id} {fault}"));
    }
    let mut all = books.iter().flat_map(|book| &book.missing);
    let unexplained = all.find(|id| seen.iter().all(|listed| listed != *id));
    match unexplained {
        Some(id) => Err(format!("{id} is neither cited nor listed in rules/unproven.toml")),
        None => Ok(()),
    }
}

fn reasons() -> Result<Vec<Reason>, Failure> {
    let fail = |error: &dyn std::fmt::Display| format!("rules/unproven.toml: {error}");
    let text = fs::read_to_string(root().join("rules/unproven.toml")).map_err(|error| fail(&error))?;
    toml::from_str::<Unproven>(&text).map(|file| file.rule).map_err(|error| fail(&error))
}

/// Where the processes of the tests of these packages write.
fn folder(packages: &[String]) -> PathBuf {
    let name: Vec<&str> = std::iter::once("trace").chain(packages.iter().map(String::as_str)).collect();
    root().join("target").join(name.join("-"))
}

/// The list of the programs whose tests are in a trace.
const BINARIES: &str = "binaries.json";

/// Runs the tests of these packages, or of all, all of which must pass.
fn traced(binaries: Vec<Binary>, packages: &[String], told: &[(&str, String)]) -> Result<Trace, Failure> {
    let folder = folder(packages);
    let fail = |error: std::io::Error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(fail)?;
    }
    fs::create_dir_all(&folder).map_err(fail)?;
    // Only the tests of the server want a database and a browser.
    let served = binaries.iter().any(|binary| SERVED.contains(&binary.name.as_str()));
    let postgres = if served { Postgres::start()? } else { None };
    let chromium = served.then(|| {
        python::prepare();
        Chromium::prepare()
    });
    let axe = if served { axe::file() } else { None };
    let tell = |tests: &mut std::process::Command| {
        tests.env("GLACIS_TRACE", &folder).envs(told.iter().map(|(name, value)| (name, value)));
        if let Some(postgres) = &postgres {
            tests.env(postgres::VARIABLE, &postgres.address);
        }
        if let Some(chromium) = &chromium {
            chromium.tell(tests);
        }
        if let Some(file) = &axe {
            tests.env(axe::VARIABLE, file);
        }
    };
    suite::run(&binaries, packages, &tell)?;
    if let Some(chromium) = &chromium {
        chromium.report();
    }
    let list = serde_json::to_vec(&binaries).map_err(|error| error.to_string())?;
    fs::write(folder.join(BINARIES), list).map_err(fail)?;
    Trace::read(&folder, binaries).map_err(fail)
}

/// The programs of tests whose rules act in other programs, which they start: they prove nothing.
const SERVED: [&str; 2] = ["glacis browser", "glacis server"];

/// The last trace of these packages if their tests are still the same, or else a new one.
pub(crate) fn last_or_new(packages: &[String]) -> Result<Trace, Failure> {
    let folder = folder(packages);
    let mut binaries = suite::build(packages)?;
    binaries.retain(|binary| !SERVED.contains(&binary.name.as_str()));
    let list = fs::read(folder.join(BINARIES)).ok();
    let last: Vec<Binary> = list.and_then(|list| serde_json::from_slice(&list).ok()).unwrap_or_default();
    if binaries.iter().all(|binary| last.contains(binary)) {
        return Trace::read(&folder, last).map_err(|error| format!("{}: {error}", folder.display()));
    }
    traced(binaries, packages, &[])
}

/// What a test had to do with a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    /// The engine cited the rule in it.
    pub(crate) cited: bool,
    /// The engine would have gone another way in it if the rule had been false.
    pub(crate) asked: bool,
}

/// One test: the number of its program and its name there.
pub(crate) type Test = (usize, String);

/// What the processes of the tests wrote.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) binaries: Vec<Binary>,
    /// The rules cited by anybody, in a test or in a program it started.
    cited: BTreeSet<String>,
    /// By rule, the tests that had to do with it.
    pub(crate) tests: BTreeMap<String, BTreeMap<Test, Part>>,
    /// How many milliseconds a test took from its first rule on.
    pub(crate) took: BTreeMap<Test, u64>,
}

impl Trace {
    fn read(folder: &Path, binaries: Vec<Binary>) -> std::io::Result<Self> {
        let mut trace = Self { binaries, ..Self::default() };
        for file in fs::read_dir(folder)? {
            let path = file?.path();
            if path.file_name().is_some_and(|name| name != BINARIES) {
                trace.add(&fs::read_to_string(path)?);
            }
        }
        Ok(trace)
    }

    /// Takes over the file of one process.
    fn add(&mut self, text: &str) {
        let mut program = None;
        for line in text.lines() {
            let mut words = line.splitn(3, '\t');
            let (Some(kind), Some(what)) = (words.next(), words.next()) else { continue };
            // Threads that a test or a server starts have no test's name.
            let test = words.next().filter(|name| !name.is_empty() && *name != "main");
            let test = || Some((program?, test?.to_owned()));
            match kind {
                "of" => program = self.binaries.iter().position(|binary| binary.program == Path::new(what)),
                "took" => {
                    if let (Some(test), Ok(took)) = (test(), what.parse()) {
                        self.took.insert(test, took);
                    }
                }
                _ => {
                    if kind == "cited" {
                        self.cited.insert(what.to_owned());
                    }
                    if let Some(test) = test() {
                        let part = self.tests.entry(what.to_owned()).or_default().entry(test).or_default();
                        part.cited |= kind == "cited";
                        part.asked |= kind == "asked";
                    }
                }
            }
        }
    }

    /// Whether the engine cited this rule.
    pub(crate) fn cites(&self, rule: &str) -> bool {
        self.cited.contains(rule)
    }
}

fn books(trace: &Trace) -> Vec<Cited> {
    Book::ALL
        .iter()
        .map(|&book| {
            let (cited, missing) = provable(book).partition(|id| trace.cites(id));
            Cited { book, cited, missing }
        })
        .collect()
}

/// The rules of a book that can act, in its order.
pub(crate) fn provable(book: Book) -> impl Iterator<Item = &'static str> {
    let rules = rulebook::rules().iter();
    rules.filter(move |rule| rule.book == book && rule.kind.can_act()).map(|rule| rule.id.as_str())
}

fn report(books: &[Cited]) {
    for book in books {
        let (cited, total) = (book.cited.len(), book.total());
        let percent = 100 * cited / total.max(1);
        eprintln!("{:<18} {cited:>4} of {total:>4} rules cited ({percent} %)", book.book.name());
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

fn raise(books: &[Cited]) -> Result<(), Failure> {
    let floors = floors()?;
    let mut text =
        "# Rules cited in the tests, per ledger. `cargo xtask trace --raise` lifts them; they never fall.\n"
            .to_owned();
    for book in books {
        let floor = floors.get(book.book.name()).copied().unwrap_or(0).max(book.cited.len());
        text.push_str(&format!("{} = {floor}\n", book.book.name()));
    }
    fs::write(floor_file(), text).map_err(|error| format!("xtask/trace-floor.toml: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables of `ARCHITECTURE.md` and `docs/rules/README.md` say what the ledgers, the floors and the reasons say.
    #[test]
    fn what_is_said_to_be_proven_is() {
        let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
        let rules = fs::read_to_string(root().join("docs/rules/README.md")).unwrap();
        let (floors, reasons, proven) = (floors().unwrap(), reasons().unwrap(), prove::floors().unwrap());
        for &book in Book::ALL {
            let of_book = || rulebook::rules().iter().filter(|rule| rule.book == book);
            let exempt = of_book().filter(|rule| reasons.iter().any(|reason| reason.id == rule.id.as_str()));
            let can = provable(book).count();
            let (all, cited, exempt) = (of_book().count(), floors[book.name()], exempt.count());
            let proven = proven.get(book.name()).map_or(0, BTreeSet::len);
            let (idle, left) = (all - can, can - cited - exempt);
            let row =
                format!("| {} | {all} | {idle} | {cited} | {proven} | {exempt} | {left} |", book.name());
            assert!(text.contains(&row), "{row}");
            let row = format!("| {} | {proven} | {cited} | {can} |", book.name());
            assert!(rules.contains(&row), "docs/rules/README.md: {row}");
            assert_eq!(left, 0, "{row}");
        }
    }

    #[test]
    fn the_file_of_a_process_says_which_test_had_to_do_with_which_rule() {
        let binary: Binary = serde_json::from_value(json!({
            "name": "campaign campaign", "program": "/t/campaign", "folder": "/t",
            "built": { "secs_since_epoch": 0, "nanos_since_epoch": 0 },
        }))
        .unwrap();
        let mut trace = Trace { binaries: vec![binary], ..Trace::default() };
        trace.add(
            "of\t/t/campaign\ncited\tCA-1\trules::one\nasked\tCA-1\trules::one\nasked\tCA-2\trules::one\n\
             cited\tCA-3\t\ntook\t12\trules::one\n",
        );
        trace.add("of\t/t/glacis\ncited\tCA-4\tmain\n");
        let test = (0, "rules::one".to_owned());
        assert_eq!(trace.tests["CA-1"][&test], Part { cited: true, asked: true });
        assert_eq!(trace.tests["CA-2"][&test], Part { cited: false, asked: true });
        assert_eq!(trace.took[&test], 12);
        assert!(["CA-1", "CA-3", "CA-4"].iter().all(|rule| trace.cites(rule)) && !trace.cites("CA-2"));
        assert!(!trace.tests.contains_key("CA-3") && !trace.tests.contains_key("CA-4"));
    }
}
