//! The chores of the project. `cargo xtask test` is the one command that proves everything.

mod axe;
mod chromium;
mod examples;
mod fuzz;
mod instructions;
mod load;
mod openapi;
mod packages;
mod postgres;
mod run;
mod test;
mod trace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The chores of the project.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Formatting, lints, all tests, the trace of rules, documentation, wasm32.
    Test,
    /// Run the tests and report which rules the running engine cited in them.
    Trace(trace::Args),
    /// Compare every worked example of the ledgers with the numbers of its test.
    Examples,
    /// Fetch the validator that the description of the API is held against.
    Openapi,
    /// Count the instructions of the hot paths under callgrind and compare with the recorded ones.
    Instructions(instructions::Args),
    /// Play 10,000 random games of every system to their end, checking everything on the way.
    Fuzz(fuzz::Args),
    /// Kill the server 200 times under play, over both databases, and look for lost orders.
    Crash,
    /// Measure the server under load, on this machine only.
    Load(load::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().chore {
        Chore::Test => test::run(),
        Chore::Trace(args) => trace::run(&args),
        Chore::Examples => examples::run(),
        Chore::Openapi => {
            openapi::prepare();
            Ok(())
        }
        Chore::Instructions(args) => instructions::run(&args),
        Chore::Fuzz(args) => fuzz::run(&args),
        Chore::Crash => test::crash(),
        Chore::Load(args) => load::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}
