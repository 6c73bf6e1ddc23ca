//! `cargo xtask test`: everything that must hold before a change is good.

use std::collections::BTreeSet;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::Deserialize;

use crate::postgres::{self, Postgres};
use crate::run::{Failure, cargo, output, patient_cargo, run as run_command, skipped, skipped_in_all};
use crate::suite;
use crate::{book, examples, prove, publish, trace, wheel};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Which random games are played and which tenth of the proven rules is proven again; each run
    /// takes another and prints it.
    #[arg(long)]
    seed: Option<u64>,
}

/// The steps that were taken and their seconds; some of them side by side.
#[derive(Default)]
struct Steps(Mutex<Vec<(&'static str, f64)>>);

impl Steps {
    fn take<T>(&self, name: &'static str, step: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
        eprintln!("\n== {name}");
        let began = Instant::now();
        let done = step();
        let took = began.elapsed().as_secs_f64();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((name, took));
        done
    }

    fn report(&self, total: Duration) {
        eprintln!();
        for (name, seconds) in &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            eprintln!("{name:<20} {seconds:>6.0} s");
        }
        eprintln!("{:<20} {:>6.0} s", "total", total.as_secs_f64());
    }
}

/// How long random games are begun.
const GAMES: Duration = Duration::from_secs(20);

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let (steps, began) = (Steps::default(), Instant::now());
    let done = all(args, &steps);
    steps.report(began.elapsed());
    done?;
    match skipped_in_all() {
        0 => eprintln!("all of it holds"),
        count => eprintln!("all that could be checked here holds; skipped: {count}"),
    }
    Ok(())
}

fn all(args: &Args, steps: &Steps) -> Result<(), Failure> {
    let seed = args.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        now.map_or(0, |now| now.as_secs())
    });
    eprintln!("seed {seed} (cargo xtask test --seed {seed} comes back to it)");
    steps.take("format", || run_cargo(&["fmt", "--all", "--check"]))?;
    steps.take("examples", examples::run)?;
    let binaries = steps.take("build of the tests", || suite::build(&[]))?;
    // The tests wait much for browsers and databases; what only compiles goes on beside them.
    let (tested, compiled) = std::thread::scope(|scope| {
        let beside = scope.spawn(|| {
            steps.take("lints", lints)?;
            steps.take("the book", book::check)?;
            compiled_again(steps)
        });
        let tested = steps.take("tests and trace", || trace::check(binaries, seed, GAMES));
        let compiled =
            beside.join().unwrap_or_else(|_| Err("what is done beside the tests was not".to_owned()));
        (tested, compiled)
    });
    let trace = tested?;
    compiled?;
    steps.take("proven rules", || prove::check(&trace, seed))
}

/// A machine that is so many times slower than a usual one compiles everything once, for its tests.
const TOO_SLOW: f64 = 2.5;

/// The crates once more: for their documentation, for a browser tab, as they are packed and as Python wants them.
fn compiled_again(steps: &Steps) -> Result<(), Failure> {
    let pace = yardstick::pace();
    if pace > TOO_SLOW {
        let count = 2 + publish::PROGRAMS.len() + wheel::tests()?;
        let what = "documentation, wasm32, packages and the Python package are left to another";
        skipped(
            count,
            &format!("everything takes {pace:.1} times as long here as on a usual machine: {what}"),
        );
        return Ok(());
    }
    steps.take("documentation", documentation)?;
    steps.take("wasm32", wasm)?;
    steps.take("packages", publish::check)?;
    steps.take("python", wheel::check)
}

/// Everything is looked over, examples and benchmarks too; what is only advised elsewhere is demanded here.
fn lints() -> Result<(), Failure> {
    let mut command =
        patient_cargo(&["clippy", "--workspace", "--all-targets", "--features", suite::FEATURES]);
    command.args(["--", "-D", "warnings"]);
    run_command(command)
}

/// Builds the documentation of every crate; a link that leads nowhere is a fault.
fn documentation() -> Result<(), Failure> {
    let mut command = patient_cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run_command(command)
}

/// The crash test at full length: it takes some minutes.
pub(crate) fn crash() -> Result<(), Failure> {
    let postgres = Postgres::start()?;
    run_cargo(&["build", "-p", "glacis", "--example", "host"])?;
    let mut tests = cargo(&["test", "-p", "glacis", "--test", "server", "crash", "--", "--nocapture"]);
    tests.env("GLACIS_CRASHES", "200");
    if let Some(postgres) = &postgres {
        tests.env(postgres::VARIABLE, &postgres.address);
    }
    run_command(tests)
}

fn run_cargo(arguments: &[&str]) -> Result<(), Failure> {
    run_command(cargo(arguments))
}

/// Checks the pure crates for wasm32 where the target is installed or can be added.
fn wasm() -> Result<(), Failure> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let mut installed = Command::new("rustup");
    installed.args(["target", "list", "--installed"]);
    let mut add = Command::new("rustup");
    add.args(["target", "add", TARGET]);
    if !output(installed).is_ok_and(|list| list.contains(TARGET)) && output(add).is_err() {
        skipped(1, &format!("the target {TARGET} is not installed and cannot be added here"));
        return Ok(());
    }
    let members = Members::read()?;
    let pure = members.pure();
    let mut arguments = vec!["check", "--quiet", "--target", TARGET];
    for package in &pure {
        arguments.extend(["-p", package]);
    }
    run_command(patient_cargo(&arguments))
}

/// What cargo says of the workspace.
#[derive(Deserialize)]
struct Members {
    packages: Vec<Member>,
    workspace_default_members: Vec<String>,
}

/// A package of the workspace.
#[derive(Deserialize)]
struct Member {
    id: String,
    name: String,
    dependencies: Vec<Dependency>,
    metadata: Option<Remarks>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// None for what the package is built of, else `dev` or `build`.
    kind: Option<String>,
}

/// What a package says of itself under `[package.metadata]`.
#[derive(Deserialize)]
struct Remarks {
    /// Why it cannot do without an operating system.
    #[serde(rename = "needs-an-operating-system")]
    needs_an_operating_system: Option<String>,
}

impl Members {
    fn read() -> Result<Self, Failure> {
        let told = output(cargo(&["metadata", "--no-deps", "--format-version", "1"]))?;
        serde_json::from_str(&told).map_err(|error| format!("cargo metadata: {error}"))
    }

    /// The packages that must compile for a browser tab without a server: all that the program is made
    /// of, but for itself and what says that it needs an operating system.
    fn pure(&self) -> BTreeSet<&str> {
        let member = |name: &str| self.packages.iter().find(|package| package.name == name);
        let mut left: Vec<&Member> =
            self.packages.iter().filter(|one| self.workspace_default_members.contains(&one.id)).collect();
        let mut found = BTreeSet::new();
        while let Some(package) = left.pop() {
            let made_of = package.dependencies.iter().filter(|dependency| dependency.kind.is_none());
            for inner in made_of.filter_map(|dependency| member(&dependency.name)) {
                if found.insert(inner.name.as_str()) {
                    left.push(inner);
                }
            }
        }
        let needs = |package: &Member| {
            package.metadata.as_ref().is_some_and(|said| said.needs_an_operating_system.is_some())
        };
        found.retain(|name| member(name).is_some_and(|package| !needs(package)));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every system of the house is there without being named; the server is not.
    #[test]
    fn what_compiles_for_a_browser_tab_follows_from_the_workspace() {
        let members = Members::read().unwrap();
        let pure = members.pure();
        for book in rulebook::Book::ALL {
            let system = suite::package(book.name().split('-').next().unwrap());
            assert!(pure.contains(system.as_str()), "{system}: {pure:?}");
        }
        assert!(pure.contains("glacis-kernel") && pure.contains("glacis-opponent"), "{pure:?}");
        assert!(
            ["glacis", "glacis-pages", "xtask", "countermine"].iter().all(|name| !pure.contains(name)),
            "{pure:?}"
        );
    }
}
