//! `cargo xtask instructions`: instructions per call of the hot paths, counted by callgrind. A
//! count does not depend on what else the machine is doing, so that a regression shows.
//!
//! Each path is run `FEW` and `MANY` times by the example `hot` of the crate; the difference
//! divided by the difference of runs leaves start-up out.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::run::{Failure, cargo, output, root, run as run_command};

const FEW: u64 = 1_000;
const MANY: u64 = 3_000;
/// A path that needs so many per cent more than recorded has regressed.
const TOLERANCE: u64 = 5;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Record the counts instead of comparing.
    #[arg(long)]
    record: bool,
}

/// The hot paths, as the example `hot` names them.
const PATHS: &[&str] = &["fire-silent", "fire-mute", "fire-spoken", "fire-odds", "fire-line"];

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    if output(version()).is_err() {
        eprintln!("skipped ({}): valgrind is not installed (Debian: apt-get install valgrind)", PATHS.len());
        return Ok(());
    }
    run_command(cargo(&["build", "--release", "-p", "glacis", "--example", "hot"]))?;
    let mut counts = BTreeMap::new();
    for &path in PATHS {
        let count = (count(path, MANY)? - count(path, FEW)?) / (MANY - FEW);
        eprintln!("{path:<14} {count:>8} instructions");
        counts.insert(path.to_owned(), count);
    }
    if args.record { record(&counts) } else { compare(&counts) }
}

fn version() -> Command {
    let mut command = Command::new("valgrind");
    command.arg("--version");
    command
}

fn count(path: &str, runs: u64) -> Result<u64, Failure> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(target.join("release/examples/hot"))
        .args([path, &runs.to_string()]);
    let result = command.output().map_err(|error| format!("valgrind: {error}"))?;
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    said.lines()
        .find_map(|line| line.split_once("Collected :"))
        .and_then(|(_, number)| number.trim().parse().ok())
        .ok_or_else(|| format!("valgrind did not count {path}: {said}"))
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
