//! `cargo xtask test`: everything that must hold before a change is good.

use std::process::Command;
use std::time::Instant;

use crate::postgres::{self, Postgres};
use crate::run::{Failure, cargo, output, run as run_command, skipped, skipped_in_all};
use crate::{examples, trace};

/// The crates that must compile for a browser tab without a server.
const PURE: &[&str] = &["kernel", "rulebook", "tabletop", "danzig", "campaign", "breach"];

fn run_step(name: &str, step: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
    eprintln!("\n== {name}");
    let began = Instant::now();
    step()?;
    eprintln!("== {name}: {:.0} s", began.elapsed().as_secs_f64());
    Ok(())
}

pub(crate) fn run() -> Result<(), Failure> {
    run_step("format", || run_cargo(&["fmt", "--all", "--check"]))?;
    run_step("lints", || {
        run_cargo(&[
            "clippy",
            "--workspace",
            "--all-targets",
            "--features",
            "kernel/trace",
            "--",
            "-D",
            "warnings",
        ])
    })?;
    run_step("examples", examples::run)?;
    run_step("tests and trace", trace::check)?;
    run_step("documentation", || {
        let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
        command.env("RUSTDOCFLAGS", "-D warnings");
        run_command(command)
    })?;
    run_step("wasm32", wasm)?;
    match skipped_in_all() {
        0 => eprintln!("\n== all of it holds"),
        count => eprintln!("\n== all that could be checked here holds; skipped: {count}"),
    }
    Ok(())
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
    let mut arguments = vec!["check", "--target", TARGET];
    for package in PURE {
        arguments.extend(["-p", package]);
    }
    run_cargo(&arguments)
}
