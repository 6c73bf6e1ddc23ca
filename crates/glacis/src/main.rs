//! The program: a thin command line over the libraries.
//!
//! Exit status: 0 when all went well, 1 when something was refused or found wrong, 2 when the
//! command itself could not be understood or carried out.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use glacis::terminal::{
    Language, ask, care, complain, map, play, replay, rules, simulate, start, tournament, verify,
};

/// The umpire, the map and the opponent for horse-and-musket sieges and battles.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Ask the umpire: one JSON object per line in, one per line out.
    ///
    /// A request with `dice` is answered; without, where dice are needed, the answer is the exact
    /// distribution. The exit status is 1 if any line was refused.
    Ask(ask::Args),
    /// Read a rule, or find one by words.
    Rules(rules::Args),
    /// Serve games over HTTP: what `glacis` alone does.
    Serve(start::Args),
    /// Look after the games of a server: check them, cut damaged ones back, take their records out.
    Store(care::Args),
    /// Play a game in the terminal: the legal choices grouped by kind, with search and undo.
    Play(play::Args),
    /// Let the players of the house play many games and count how they end.
    Simulate(simulate::Args),
    /// Let levels of play meet, everybody everybody from every side, and tell how strong they are.
    Tournament(tournament::Args),
    /// Tell a recorded game again, step by step.
    Replay(replay::Args),
    /// Draw the maps of a recorded game at any point, as SVG; or a map by its name.
    Map(map::Args),
    /// Write the charts of a book as sheets for the table.
    Charts(map::ChartsArgs),
    /// Check a recorded game: its chain of hashes, its orders, its dice and its states.
    Verify {
        /// The record.
        file: PathBuf,
        #[command(flatten)]
        language: Language,
    },
}

fn main() -> ExitCode {
    // Alone, the program serves.
    let command = Cli::parse().command.or_else(|| Cli::parse_from(["glacis", "serve"]).command);
    let Some(command) = command else { return ExitCode::from(2) };
    let done = match command {
        Command::Ask(args) => ask::run(&args),
        Command::Rules(args) => rules::run(&args),
        Command::Play(args) => play::run(&args),
        Command::Simulate(args) => simulate::run(&args),
        Command::Tournament(args) => tournament::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Map(args) => map::run(&args),
        Command::Charts(args) => map::charts(&args),
        Command::Serve(args) => start::run(args),
        Command::Store(args) => care::run(args),
        Command::Verify { file, language } => verify::run(&file, language.get()),
    };
    match done {
        Ok(code) => code,
        Err(failure) if closed(failure.as_ref()) => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&format!("glacis: {failure}"));
            ExitCode::from(2)
        }
    }
}

/// Whether the reader of our output went away, as `head` does: no reason to complain.
fn closed(failure: &(dyn std::error::Error + 'static)) -> bool {
    failure
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
