//! `glacis simulate`: many games of a system between players of the house, counted, written and told. Every
//! game has a seed of its own that follows from the seed of all and from its number, so that the results are
//! the same whatever the number of threads.

mod compare;
mod journal;
mod progress;
mod tell;

use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use clap::builder::PossibleValuesParser;
use rulebook::{Lang, phrase::simulate as words};

use super::{Failure, Language};
use crate::System;
use crate::simulation::{self, Fault, Format, Going, Match, Summary, in_order};
use journal::Journal;
pub(super) use progress::Progress;
pub(super) use tell::{number, say, word};

/// What `glacis simulate` is told.
#[derive(clap::Args)]
pub struct Args {
    /// The game.
    #[arg(value_parser = with_games())]
    system: String,
    /// How many games.
    #[arg(long, default_value_t = 100)]
    games: u64,
    /// Any text; the same text gives the same games.
    #[arg(long, default_value = "glacis")]
    seed: String,
    /// Who plays each side: `SIDE=LEVEL`, joined by commas; who is not named plays sensibly. A level is
    /// `random`, `sensible`, `search:500` (playouts) or `search:800ms`.
    #[arg(long, value_delimiter = ',', value_name = "SIDE=LEVEL")]
    players: Vec<String>,
    /// The scenario; without it, the first of the system.
    #[arg(long)]
    scenario: Option<String>,
    /// Options of the rulings: `name=value`, several times or joined by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Play every game twice, with these options changed the second time, until it is known whether they make
    /// a difference; `--games` is the most.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE", conflicts_with_all = ["out", "resume", "report"])]
    compare: Vec<String>,
    /// Differences of so many percent or less do not matter when settings are compared.
    #[arg(long, default_value_t = 5, value_name = "PERCENT")]
    enough: u8,
    /// So many games at once; without it, as many as there are cores.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Write a row for each game into this file: lines of JSON, CSV or Parquet, by the end of its name
    /// (`.jsonl`, `.csv`, `.parquet`).
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the games that are in the file already.
    #[arg(long, requires = "out")]
    resume: bool,
    /// Write what the games came to into this file, as a page.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
}

/// Those that can be played.
pub(super) fn with_games() -> PossibleValuesParser {
    let all = crate::systems();
    PossibleValuesParser::new(all.iter().filter(|system| system.game.is_some()).map(System::name))
}

/// Carries out `glacis simulate`.
///
/// # Errors
/// When it cannot be carried out at all: there is no such side, level, scenario or option, or the file
/// cannot be written.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let games = games(args)?;
    let stop = interrupted();
    if !args.compare.is_empty() {
        return compare::run(args, &games, &stop, lang);
    }
    let mut summary = Summary::default();
    let out = match &args.out {
        Some(path) => {
            let format = Format::of(path)
                .ok_or_else(|| format!("--out {}: .jsonl, .csv, .parquet", path.display()))?;
            Some((path, format))
        }
        None => None,
    };
    let mut journal = match out {
        Some((path, format)) if args.resume => {
            Some(Journal::resume(path, format, &games, &mut summary, lang)?)
        }
        Some((path, format)) => Some(Journal::begin(path, format)?),
        None => None,
    };
    let mut progress = Progress::begin(args.games, summary.games, lang);
    in_order(
        summary.games..args.games,
        threads(args.threads),
        &stop,
        |number| games.row(number),
        |_, row| {
            let row = row.map_err(|refusal| refused(&refusal, lang))?;
            if let Some(journal) = &mut journal {
                journal.write(&row)?;
            }
            summary.add(&row);
            progress.tell(summary.games);
            Ok::<_, Failure>(Going::On)
        },
    )?;
    progress.clear();
    let whole = summary.games >= args.games;
    if let Some(journal) = journal {
        journal.finish(whole)?;
    }
    let played = tell::played(&games, summary.games, lang);
    super::tell(&played)?;
    tell::report(&summary, lang)?;
    if let Some(path) = &args.report {
        let title = rulebook::speak(words::TITLE, &[word("system", games.system())], lang);
        let page = simulation::page(&title, &played, &summary, lang);
        fs::write(path, page).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The games that are asked for.
fn games(args: &Args) -> Result<Match, Failure> {
    let mut games = begun(&args.system, &args.seed, args.scenario.as_deref(), &args.set)?;
    for player in &args.players {
        let (side, level) = player.split_once('=').unwrap_or((player, ""));
        games = games.player(side, level).map_err(|fault| match fault {
            Fault::Side(_, known) | Fault::Level(_, known) => format!("--players {player}: {known}"),
            other => other.to_string(),
        })?;
    }
    Ok(games)
}

/// Games of a system from a seed, of this scenario and under these options.
pub(super) fn begun(
    system: &str,
    seed: &str,
    scenario: Option<&str>,
    set: &[String],
) -> Result<Match, Failure> {
    let mut games = Match::of(system, seed)?;
    if let Some(scenario) = scenario {
        games = games.scenario(scenario).map_err(|fault| format!("--scenario {fault}"))?;
    }
    changed(games, "--set", set)
}

/// The same games under these options too.
fn changed(mut games: Match, flag: &str, options: &[String]) -> Result<Match, Failure> {
    for option in options {
        let (name, value) = option.split_once('=').ok_or_else(|| format!("{flag} {option}: NAME=VALUE"))?;
        games = games.option(name, value);
    }
    Ok(games)
}

/// So many games at once.
pub(super) fn threads(wanted: Option<NonZero<usize>>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    wanted.map_or_else(cores, NonZero::get)
}

/// Set when the program is told to stop: what is done is then kept and told. Told a second time, it stops
/// at once.
pub(super) fn interrupted() -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let told = stop.clone();
    // Where signals cannot be heard the program is stopped as any other is.
    let _ = thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            if super::start::told_to_stop().await.is_ok() {
                told.store(true, Ordering::Relaxed);
                if super::start::told_to_stop().await.is_ok() {
                    std::process::exit(130);
                }
            }
        });
    });
    stop
}

/// What is refused, as one line.
fn refused(refusal: &kernel::Refusal, lang: Lang) -> Failure {
    rulebook::refusal(refusal, lang).into()
}
