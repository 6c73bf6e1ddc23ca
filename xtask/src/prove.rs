//! `cargo xtask prove`: which rules would be missed. One rule at a time is falsified at run time (a
//! modifier negated, a value shifted, a condition turned round), and the tests in which the engine
//! asked for it are run again, the cheapest first. A rule is *proven* when one of them fails,
//! *cited* when they all pass, and *never cited* when the tests of the whole house do not make it
//! act. The rules once proven stand in `xtask/prove-floor.toml`; the list only grows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rulebook::Book;
use serde::{Deserialize, Serialize};
use serde_json::json;
use yardstick::patience;

use crate::run::{Failure, root};
use crate::suite::{self, Ending};
use crate::trace::{self, Part, Test, Trace};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Print one JSON object: ledger -> proven, cited, total.
    #[arg(long)]
    json: bool,
    /// Prove this rule only.
    #[arg(long)]
    rule: Option<String>,
    /// Prove the rules of this ledger only.
    #[arg(long)]
    book: Option<String>,
    /// Trace and run the tests of this package only; may be given several times.
    #[arg(long)]
    package: Vec<String>,
    /// Put what is proven now on the list of what must stay proven.
    #[arg(long)]
    raise: bool,
    /// How many seconds of tests may be spent on one rule.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
}

/// How a rule came out of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Finding {
    /// This test fails without it.
    Proven(String),
    /// So many tests do not miss it; so many more would have taken too long.
    Survived {
        tests: usize,
        left: usize,
    },
    /// Nothing in the tests can be falsified: the rule is only cited.
    OnlyCited,
    Never,
}

type Findings = BTreeMap<String, Finding>;

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let wanted = wanted(args)?;
    let trace = trace::last_or_new(&args.package)?;
    let began = Instant::now();
    let found = prove(&trace, &wanted, patience(Duration::from_secs(args.seconds)))?;
    keep(&found)?;
    if args.rule.is_some() {
        for (rule, finding) in &found {
            eprintln!("{rule}: {}", said(finding));
        }
        return Ok(());
    }
    let rows: Vec<Row> = Book::ALL.iter().filter_map(|&book| Row::of(book, &found)).collect();
    for row in &rows {
        row.report(&found);
    }
    eprintln!("{} rules in {:.0} s", found.len(), began.elapsed().as_secs_f64());
    if args.json {
        let table: serde_json::Map<_, _> = rows.iter().map(Row::json).collect();
        println!("{}", serde_json::Value::Object(table));
    }
    if args.raise { raise(&found) } else { Ok(()) }
}

/// The rules that are asked for.
fn wanted(args: &Args) -> Result<Vec<&'static str>, Failure> {
    if let Some(book) = &args.book
        && !Book::ALL.iter().any(|known| known.name() == book)
    {
        let names: Vec<&str> = Book::ALL.iter().map(|book| book.name()).collect();
        return Err(format!("no book is called {book}; there are {}", names.join(", ")));
    }
    let books = Book::ALL.iter().filter(|book| args.book.as_ref().is_none_or(|name| name == book.name()));
    let mut rules = books.flat_map(|&book| trace::provable(book));
    match &args.rule {
        None => Ok(rules.collect()),
        Some(id) => match rules.find(|rule| rule == id) {
            Some(rule) => Ok(vec![rule]),
            None => Err(format!("{id} is no rule that can act")),
        },
    }
}

/// One line of the report.
struct Row {
    book: Book,
    proven: usize,
    cited: usize,
    total: usize,
}

impl Row {
    fn of(book: Book, found: &Findings) -> Option<Self> {
        let all = || trace::provable(book).filter_map(|rule| found.get(rule));
        let proven = all().filter(|finding| matches!(finding, Finding::Proven(_))).count();
        let cited = all().filter(|finding| !matches!(finding, Finding::Never)).count();
        Some(Self { book, proven, cited, total: all().count() }).filter(|row| row.total > 0)
    }

    fn report(&self, found: &Findings) {
        let (proven, cited, total) = (self.proven, self.cited, self.total);
        let percent = 100 * proven / cited.max(1);
        let never = total - cited;
        eprintln!(
            "{:<18} {proven:>4} of {cited:>4} cited rules proven ({percent} %), {never} never cited",
            self.book.name()
        );
        for rule in trace::provable(self.book) {
            if let Some(finding @ (Finding::Survived { .. } | Finding::OnlyCited)) = found.get(rule) {
                eprintln!("   {rule}: {}", said(finding));
            }
        }
    }

    fn json(&self) -> (String, serde_json::Value) {
        let row = json!({ "proven": self.proven, "cited": self.cited, "total": self.total });
        (self.book.name().to_owned(), row)
    }
}

fn said(finding: &Finding) -> String {
    match finding {
        Finding::Proven(test) => format!("proven by {test}"),
        Finding::Survived { tests, left: 0 } => format!("cited only; no test of {tests} misses it"),
        Finding::Survived { tests, left } => {
            format!("cited only; no test of {tests} misses it, {left} would take too long")
        }
        Finding::OnlyCited => "cited only; nothing that it says can be falsified".to_owned(),
        Finding::Never => "never cited".to_owned(),
    }
}

/// Falsifies each of these rules, several at the same time in processes of their own.
fn prove(trace: &Trace, rules: &[&str], budget: Duration) -> Result<Findings, Failure> {
    let waiting = Mutex::new(rules.iter());
    let found: Mutex<Result<Findings, Failure>> = Mutex::new(Ok(Findings::new()));
    let worker = || {
        loop {
            let rule = waiting.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
            let Some(rule) = rule else { return };
            let finding = prove_one(trace, rule, budget);
            let mut found = found.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            match (&mut *found, finding) {
                (Ok(found), Ok(finding)) => drop(found.insert((*rule).to_owned(), finding)),
                (Err(_), _) => return,
                (_, Err(failure)) => {
                    *found = Err(failure);
                    return;
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..suite::hands() {
            scope.spawn(worker);
        }
    });
    found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Runs the tests in which the engine asked for this rule until one fails without it.
fn prove_one(trace: &Trace, rule: &str, budget: Duration) -> Result<Finding, Failure> {
    if !trace.cites(rule) {
        return Ok(Finding::Never);
    }
    let mut waiting = candidates(trace, rule);
    if waiting.is_empty() {
        return Ok(Finding::OnlyCited);
    }
    let (mut spent, mut tests) = (Duration::ZERO, 0);
    while !waiting.is_empty() && spent < budget {
        let (round, rest) = next_round(waiting);
        waiting = rest;
        tests += round.len();
        let cost: Duration = round.iter().map(|candidate| candidate.cost).sum();
        let began = Instant::now();
        if let Some(test) = fails(trace, rule, &round, cost)? {
            return Ok(Finding::Proven(test));
        }
        spent += began.elapsed();
    }
    Ok(Finding::Survived { tests, left: waiting.len() })
}

/// A test that may miss a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Candidate {
    test: Test,
    cost: Duration,
}

/// The tests that cite the rule and ask for it, the cheapest first, then those that only ask: the
/// condition of the rule was looked at and did not hold.
fn candidates(trace: &Trace, rule: &str) -> Vec<Candidate> {
    let parts = trace.tests.get(rule).into_iter().flatten().filter(|(_, part)| part.asked);
    let mut found: Vec<(&Part, Candidate)> = parts
        .map(|(test, part)| {
            let cost = Duration::from_millis(trace.took.get(test).copied().unwrap_or(0));
            (part, Candidate { test: test.clone(), cost })
        })
        .collect();
    found.sort_by_key(|(part, candidate)| (!part.cited, candidate.cost));
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// What is run in one process: some tests of one program that are cheap together.
fn next_round(waiting: Vec<Candidate>) -> (Vec<Candidate>, Vec<Candidate>) {
    const MOST: usize = 8;
    const TOGETHER: Duration = Duration::from_millis(200);
    let (mut round, mut rest): (Vec<Candidate>, Vec<Candidate>) = (Vec::new(), Vec::new());
    let mut cost = Duration::ZERO;
    for candidate in waiting {
        let fits = match round.first() {
            None => true,
            Some(first) => {
                let same = first.test.0 == candidate.test.0;
                same && round.len() < MOST && cost + candidate.cost <= TOGETHER
            }
        };
        if fits {
            cost += candidate.cost;
            round.push(candidate);
        } else {
            rest.push(candidate);
        }
    }
    (round, rest)
}

/// The first of these tests that fails without the rule, if one does.
fn fails(trace: &Trace, rule: &str, round: &[Candidate], cost: Duration) -> Result<Option<String>, Failure> {
    let Some(binary) = round.first().and_then(|first| trace.binaries.get(first.test.0)) else {
        return Ok(None);
    };
    let mut command = suite::call(&binary.program, &binary.folder);
    command.arg("--exact").args(round.iter().map(|candidate| &candidate.test.1));
    command.env("GLACIS_FALSIFY", rule).env("RUST_TEST_THREADS", "1");
    // A failure is what is looked for: nothing is to be written down or made smaller.
    command.env("INSTA_UPDATE", "no").env("INSTA_OUTPUT", "none");
    command.env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1").env("PROPTEST_MAX_SHRINK_ITERS", "0");
    let named = |test: &str| format!("{}::{test}", binary.name.replace(' ', "/"));
    let all = || round.iter().map(|candidate| candidate.test.1.as_str()).collect::<Vec<_>>().join(" or ");
    // A test that another rule makes endless is stopped; a busy machine is given its time.
    let limit = patience(Duration::from_secs(15)) + 10 * cost;
    let (ending, said) = suite::run_limited(&command, limit)?;
    Ok(match ending {
        Ending::Passed => None,
        Ending::Hung => Some(format!("{} (endless)", named(&all()))),
        Ending::Failed => {
            let mut failed =
                said.lines().filter_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
            Some(
                failed
                    .next()
                    .map_or_else(|| named(&all()), |test| named(test.trim_end_matches(" - should panic"))),
            )
        }
    })
}

fn found_file() -> PathBuf {
    root().join("target/prove.json")
}

/// Keeps what was found now beside what was found before of other rules.
fn keep(found: &Findings) -> Result<(), Failure> {
    let mut all = last();
    all.extend(found.iter().map(|(rule, finding)| (rule.clone(), finding.clone())));
    let text = serde_json::to_vec_pretty(&all).map_err(|error| error.to_string())?;
    fs::write(found_file(), text).map_err(|error| format!("{}: {error}", found_file().display()))
}

fn last() -> Findings {
    fs::read(found_file()).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
}

/// The rules known to be proven: those on the list, and those of the last run.
pub(crate) fn known() -> Result<BTreeSet<String>, Failure> {
    let mut known: BTreeSet<String> = floors()?.into_values().flatten().collect();
    for (rule, finding) in last() {
        if matches!(finding, Finding::Proven(_)) {
            known.insert(rule);
        }
    }
    Ok(known)
}

const FLOORS: &str = "xtask/prove-floor.toml";

/// The rules that must stay proven, by book.
pub(crate) fn floors() -> Result<BTreeMap<String, BTreeSet<String>>, Failure> {
    let text = fs::read_to_string(root().join(FLOORS)).map_err(|error| format!("{FLOORS}: {error}"))?;
    toml::from_str(&text).map_err(|error| format!("{FLOORS}: {error}"))
}

fn raise(found: &Findings) -> Result<(), Failure> {
    let floors = floors()?;
    let mut text = "# Rules proven: a test fails when that one rule is falsified. `cargo xtask prove --raise` adds to the\n\
                    # list, and nothing is struck out; `cargo xtask test` proves a tenth of it again each time.\n"
        .to_owned();
    for book in Book::ALL {
        let listed = |rule: &str| floors.get(book.name()).is_some_and(|rules| rules.contains(rule));
        let proven = |rule: &str| matches!(found.get(rule), Some(Finding::Proven(_)));
        text.push_str(&format!("{} = [\n", book.name()));
        for rule in trace::provable(*book).filter(|rule| listed(rule) || proven(rule)) {
            text.push_str(&format!("    \"{rule}\",\n"));
        }
        text.push_str("]\n");
    }
    fs::write(root().join(FLOORS), text).map_err(|error| format!("{FLOORS}: {error}"))
}

/// Every rule of the list is still asked for in a test, and those of this tenth are still missed
/// when they are falsified.
pub(crate) fn check(trace: &Trace, seed: u64) -> Result<(), Failure> {
    let listed: BTreeSet<String> = floors()?.into_values().flatten().collect();
    let known: BTreeSet<&str> = Book::ALL.iter().flat_map(|&book| trace::provable(book)).collect();
    for rule in &listed {
        if !known.contains(rule.as_str()) {
            return Err(format!("{FLOORS}: {rule} is no rule that can act"));
        }
        if candidates(trace, rule).is_empty() {
            return Err(format!("{FLOORS}: no test makes the engine ask for {rule} any more"));
        }
    }
    let tenth: Vec<&str> = tenth(&listed, seed);
    let found = prove(trace, &tenth, patience(Duration::from_secs(30)))?;
    let lost: Vec<String> = found
        .iter()
        .filter(|(_, finding)| !matches!(finding, Finding::Proven(_)))
        .map(|(rule, finding)| format!("{rule}: {}", said(finding)))
        .collect();
    eprintln!("{} of {} rules proven again", found.len() - lost.len(), listed.len());
    if lost.is_empty() { Ok(()) } else { Err(format!("{FLOORS}: no longer proven: {}", lost.join("; "))) }
}

/// A tenth of the list, another one with each seed.
fn tenth(listed: &BTreeSet<String>, seed: u64) -> Vec<&str> {
    let turn = usize::try_from(seed % 10).unwrap_or(0);
    listed.iter().skip(turn).step_by(10).map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(program: usize, name: &str, cost: u64) -> Candidate {
        Candidate { test: (program, name.to_owned()), cost: Duration::from_millis(cost) }
    }

    #[test]
    fn a_round_is_of_one_program_and_cheap() {
        let waiting =
            vec![candidate(0, "a", 1), candidate(1, "b", 2), candidate(0, "c", 150), candidate(0, "d", 60)];
        let (round, rest) = next_round(waiting);
        assert_eq!(round, [candidate(0, "a", 1), candidate(0, "c", 150)]);
        assert_eq!(rest, [candidate(1, "b", 2), candidate(0, "d", 60)]);
        // What is dear goes alone.
        assert_eq!(next_round(vec![candidate(0, "e", 9000), candidate(0, "f", 9000)]).0.len(), 1);
    }

    #[test]
    fn the_tests_that_cite_a_rule_come_before_those_that_only_ask() {
        let mut trace = Trace::default();
        let mut add = |name: &str, cited, asked, took| {
            let test = (0, name.to_owned());
            trace.took.insert(test.clone(), took);
            trace.tests.entry("R".to_owned()).or_default().insert(test, Part { cited, asked });
        };
        add("only asks", false, true, 1);
        add("dear", true, true, 50);
        add("cheap", true, true, 5);
        add("only cites", true, false, 1);
        let names: Vec<String> = candidates(&trace, "R").into_iter().map(|found| found.test.1).collect();
        assert_eq!(names, ["cheap", "dear", "only asks"]);
    }

    #[test]
    fn ten_tenths_are_the_whole_list() {
        let listed: BTreeSet<String> = (0..37).map(|number| format!("R-{number:02}")).collect();
        let all: BTreeSet<String> =
            (100..110).flat_map(|seed| tenth(&listed, seed)).map(str::to_owned).collect();
        assert_eq!(all, listed);
    }

    /// The floors of the books are lists of their own rules.
    #[test]
    fn the_list_names_books_and_their_rules() {
        for (book, rules) in floors().unwrap() {
            let book = Book::ALL.iter().find(|known| known.name() == book).unwrap();
            let known: BTreeSet<&str> = trace::provable(*book).collect();
            assert!(rules.iter().all(|rule| known.contains(rule.as_str())), "{}", book.name());
        }
    }
}
