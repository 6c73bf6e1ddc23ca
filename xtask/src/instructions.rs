//! `cargo xtask instructions`: instructions per call of the hot paths, counted by callgrind. A
//! count does not depend on what else the machine is doing, so that a regression shows.
//!
//! Each path is run a few and many times by an example of its crate; the difference divided by the
//! difference of runs leaves start-up out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::run::{Failure, cargo, output, root, run as run_command};

/// A path that needs so many per cent more than recorded has regressed.
const TOLERANCE: u64 = 5;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Record the counts instead of comparing.
    #[arg(long)]
    record: bool,
}

/// A hot path: its name, the example that runs it, and how often.
struct Path {
    name: &'static str,
    package: &'static str,
    example: &'static str,
    /// What the example is told before the number of runs.
    told: Option<&'static str>,
    few: u64,
    many: u64,
}

impl Path {
    /// A path of the example `hot`.
    const fn hot(name: &'static str) -> Self {
        Self { name, package: "glacis", example: "hot", told: Some(name), few: 1_000, many: 3_000 }
    }
}

/// The hot paths; of Danzig, the decisions of the first random games, whole games among them.
const PATHS: &[Path] = &[
    Path::hot("fire-silent"),
    Path::hot("fire-mute"),
    Path::hot("fire-spoken"),
    Path::hot("fire-odds"),
    Path::hot("fire-line"),
    Path {
        name: "danzig-decision",
        package: "danzig",
        example: "playouts",
        told: None,
        few: 20_000,
        many: 80_000,
    },
];

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if output(version()).is_err() {
        eprintln!("skipped ({}): valgrind is not installed (Debian: apt-get install valgrind)", PATHS.len());
        return Ok(());
    }
    let mut built = BTreeSet::new();
    for Path { package, example, .. } in PATHS {
        if built.insert(example) {
            run_command(cargo(&["build", "--release", "-p", package, "--example", example]))?;
        }
    }
    let mut counts = BTreeMap::new();
    for path in PATHS {
        let count = (count(path, path.many)? - count(path, path.few)?) / (path.many - path.few);
        eprintln!("{:<16} {count:>8} instructions", path.name);
        counts.insert(path.name.to_owned(), count);
    }
    if args.record { record(&counts) } else { compare(&counts) }
}

fn version() -> Command {
    let mut command = Command::new("valgrind");
    command.arg("--version");
    command
}

fn count(path: &Path, runs: u64) -> Result<u64, Failure> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(target.join("release/examples").join(path.example))
        .args(path.told)
        .arg(runs.to_string());
    let result = command.output().map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    said.lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| format!("valgrind did not count {}: {said}", path.name))
}

fn file() -> PathBuf {
    root().join("xtask/instructions.toml")
}

fn record(counts: &BTreeMap<String, u64>) -> Result<(), Failure> {
    let mut text =
        "# Instructions per call of the hot paths: `cargo xtask instructions --record`.\n".to_owned();
    for (path, count) in counts {
        text.push_str(&format!("{path} = {count}\n"));
    }
    fs::write(file(), text).map_err(|error| format!("xtask/instructions.toml: {error}"))
}

fn compare(counts: &BTreeMap<String, u64>) -> Result<(), Failure> {
    let text = fs::read_to_string(file()).map_err(|error| format!("xtask/instructions.toml: {error}"))?;
    let recorded: BTreeMap<String, u64> =
        toml::from_str(&text).map_err(|error| format!("xtask/instructions.toml: {error}"))?;
    for (path, &count) in counts {
        let before = recorded.get(path).copied().unwrap_or(u64::MAX / 200);
        if count * 100 > before * (100 + TOLERANCE) {
            return Err(format!("{path}: {count} instructions, {before} recorded"));
        }
    }
    Ok(())
}
