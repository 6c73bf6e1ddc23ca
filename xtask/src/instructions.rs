//! `cargo xtask instructions`: instructions per call of the hot paths, counted by callgrind. A
//! count does not depend on what else the machine is doing, so that a regression shows.
//!
//! Each path is run a few and many times by an example of its crate; the difference divided by the
//! difference of runs leaves start-up out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::run::{Failure, cargo, crates_with, output, root, run as run_command};
use crate::suite;

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
    name: String,
    package: String,
    example: String,
    /// What the example is told before the number of runs.
    told: Option<&'static str>,
    few: u64,
    many: u64,
}

impl Path {
    /// A path of the example `hot`.
    fn hot(name: &'static str) -> Self {
        let package = "glacis".to_owned();
        Self {
            name: name.to_owned(),
            package,
            example: "hot".to_owned(),
            told: Some(name),
            few: 1_000,
            many: 3_000,
        }
    }

    /// The decisions of a system's games.
    fn decisions(package: String) -> Self {
        let name = format!("{package}-decision");
        let example = format!("{package}-playouts");
        Self { name, package, example, told: None, few: 20_000, many: 80_000 }
    }
}

/// The hot paths of the umpire.
const FIRE: [&str; 5] = ["fire-silent", "fire-mute", "fire-spoken", "fire-odds", "fire-line"];

/// The hot paths; of every game, the decisions of the first random games, whole games among them.
fn paths() -> Result<Vec<Path>, Failure> {
    let games = crates_with("examples/playouts.rs")?.into_iter().map(Path::decisions);
    Ok(FIRE.map(Path::hot).into_iter().chain(games).collect())
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if output(version()).is_err() {
        eprintln!("skipped (1): valgrind is not installed (Debian: apt-get install valgrind)");
        return Ok(());
    }
    let mut built = BTreeSet::new();
    let paths = paths()?;
    for Path { package, example, .. } in &paths {
        if built.insert((package, example)) {
            run_command(cargo(&[
                "build",
                "--release",
                "-p",
                &suite::package(package),
                "--example",
                example,
            ]))?;
        }
    }
    let mut counts = BTreeMap::new();
    for path in &paths {
        let count = (count(path, path.many)? - count(path, path.few)?) / (path.many - path.few);
        eprintln!("{:<16} {count:>8} instructions", path.name);
        counts.insert(path.name.clone(), count);
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
        .arg(target.join("release/examples").join(&path.example))
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
