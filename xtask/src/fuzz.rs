//! `cargo xtask fuzz`: random games of every system to their end, in release and on all cores: the
//! invariants after every action, every record verified and played again.

use crate::run::{Failure, cargo, crates_with, run as run_command};
use crate::suite;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many games.
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// The number of the first game: with `--games 1`, the way back to a failure.
    #[arg(long, default_value_t = 0)]
    first: u64,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    for system in crates_with("tests/game/random_games.rs")? {
        let mut tests = cargo(&["test", "--release", "-p", &suite::package(&system), "--test", "game"]);
        tests.args(["games_come_to_an_end", "--", "--nocapture"]);
        tests.env("GLACIS_GAMES", args.games.to_string()).env("GLACIS_FIRST", args.first.to_string());
        run_command(tests)?;
    }
    Ok(())
}
