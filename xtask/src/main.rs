//! The chores of the project. `cargo xtask test` is the one command that proves everything.

mod axe;
mod book;
mod chromium;
mod compare;
mod examples;
mod fuzz;
mod instructions;
mod load;
mod packages;
mod postgres;
mod prove;
mod publish;
mod python;
mod run;
mod suite;
mod test;
mod trace;
mod wheel;

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
    Test(test::Args),
    /// Run the tests and report which rules the running engine cited in them.
    Trace(trace::Args),
    /// Falsify one rule at a time and report which ones the tests would miss.
    Prove(prove::Args),
    /// Compare every worked example of the ledgers with the numbers of its test.
    Examples,
    /// Ask two builds of the program the same thousands of questions and compare the answers.
    Compare(compare::Args),
    /// Pack the crates that can be published, and build a program outside the workspace from the packages.
    Package,
    /// Fetch what the tests want of Python: the validator of the API, the hash of the records.
    Python,
    /// Build the Python package, install it into a virtual environment and run its tests.
    Wheel,
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
    let chore = Cli::parse().chore;
    let closes = matches!(chore, Chore::Test(_));
    let done = match chore {
        Chore::Test(args) => test::run(&args),
        Chore::Trace(args) => trace::run(&args),
        Chore::Prove(args) => prove::run(&args),
        Chore::Examples => examples::run(),
        Chore::Compare(args) => compare::run(&args),
        Chore::Package => publish::check(),
        Chore::Python => {
            python::prepare();
            Ok(())
        }
        Chore::Wheel => wheel::check(),
        Chore::Instructions(args) => instructions::run(&args),
        Chore::Fuzz(args) => fuzz::run(&args),
        Chore::Crash => test::crash(),
        Chore::Load(args) => load::run(&args),
    };
    if let Err(failure) = &done {
        eprintln!("xtask: {failure}");
    }
    // Whatever became of the rest, the last line says what the tests came to.
    if let Some(count) = suite::counted().filter(|_| closes) {
        println!("{count}");
    }
    if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
