//! `glacis simulate`: many games of a system between players of the house, counted. Every game has a seed
//! of its own that follows from the seed of all and from its number, so that the results are the same
//! whatever the number of threads.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use kernel::{Fact, Measure, Phrase};
use rulebook::{Lang, phrase};

use super::{Failure, Language, tell};
use crate::System;
use crate::simulation::{Counted, Fault, Going, Match, in_order};

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
    /// Who plays each side: `SIDE=LEVEL`, joined by commas; who is not named plays sensibly.
    #[arg(long, value_delimiter = ',', value_name = "SIDE=LEVEL")]
    players: Vec<String>,
    /// The scenario; without it, the first of the system.
    #[arg(long)]
    scenario: Option<String>,
    /// Options of the rulings: `name=value`, several times or joined by commas.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// So many games at once; without it, as many as there are cores.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Write a line of JSON for each game into this file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    language: Language,
}

/// Those that can be played.
fn with_games() -> PossibleValuesParser {
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
    let mut file = match &args.out {
        Some(path) => {
            let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
            Some(BufWriter::new(file))
        }
        None => None,
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = args.threads.map_or(cores, NonZero::get);
    let mut all = Vec::new();
    let mut progress = Progress::begin(args.games, lang);
    let stop = AtomicBool::new(false);
    in_order(
        0..args.games,
        threads,
        &stop,
        |number| games.row(number),
        |_, row| {
            let row = row.map_err(|refusal| rulebook::refusal(&refusal, lang))?;
            if let Some(file) = &mut file {
                writeln!(file, "{}", row.line())?;
            }
            all.push(row.counted);
            progress.tell(all.len());
            Ok::<_, Failure>(Going::On)
        },
    )?;
    progress.clear();
    if let Some(file) = &mut file {
        file.flush()?;
    }
    let players: Vec<String> =
        games.sides().iter().zip(&games.levels).map(|(side, level)| format!("{side}={level}")).collect();
    let facts = [
        number("games", args.games),
        word("system", &args.system),
        word("scenario", &games.setup.scenario),
        word("seed", &args.seed),
        word("players", &players.join(", ")),
    ];
    say(phrase::simulate::PLAYED, &facts, lang)?;
    report(&all, lang)?;
    Ok(ExitCode::SUCCESS)
}

/// The games that are asked for.
fn games(args: &Args) -> Result<Match, Failure> {
    let mut games = Match::of(&args.system, &args.seed)?;
    if let Some(scenario) = &args.scenario {
        games = games.scenario(scenario).map_err(|fault| format!("--scenario {fault}"))?;
    }
    for player in &args.players {
        let (side, level) = player.split_once('=').unwrap_or((player, ""));
        games = games.player(side, level).map_err(|fault| match fault {
            Fault::Side(_, known) | Fault::Level(_, known) => format!("--players {player}: {known}"),
            other => other.to_string(),
        })?;
    }
    for option in &args.set {
        let (name, value) = option.split_once('=').ok_or_else(|| format!("--set {option}: NAME=VALUE"))?;
        games = games.option(name, value);
    }
    Ok(games)
}

/// The line that tells how far it is, on the error stream, now and then.
struct Progress {
    begun: Instant,
    told: Option<Instant>,
    games: u64,
    lang: Lang,
}

impl Progress {
    fn begin(games: u64, lang: Lang) -> Self {
        Self { begun: Instant::now(), told: None, games, lang }
    }

    fn tell(&mut self, done: usize) {
        let now = Instant::now();
        if self.told.is_some_and(|told| now - told < Duration::from_secs(1)) {
            return;
        }
        self.told = Some(now);
        let done = u64::try_from(done).unwrap_or(u64::MAX);
        let seconds = (now - self.begun).as_secs_f64().max(0.001);
        let rate = count(done) / seconds;
        let left = count(self.games.saturating_sub(done)) / rate.max(0.001);
        let facts = [
            number("done", done),
            number("games", self.games),
            word("rate", &format!("{rate:.1}")),
            word("left", &format!("{left:.0}")),
        ];
        let line = rulebook::speak(phrase::simulate::PROGRESS, &facts, self.lang);
        let _ = write!(io::stderr(), "\r\x1b[K{line}");
    }

    fn clear(&self) {
        if self.told.is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

/// Shares of the outcomes with their intervals, the turns on which games ended, and their lengths.
fn report(all: &[Counted], lang: Lang) -> Result<(), Failure> {
    let given_up = rulebook::speak(
        phrase::simulate::UNFINISHED,
        &[number("decisions", u64::from(opponent::LONGEST))],
        lang,
    );
    let mut results = BTreeMap::<&str, u64>::new();
    let mut turns = BTreeMap::<u8, u64>::new();
    for counted in all {
        *results.entry(counted.result.as_deref().unwrap_or(&given_up)).or_default() += 1;
        if let Some(turn) = counted.turn {
            *turns.entry(turn).or_default() += 1;
        }
    }
    let games = u64::try_from(all.len()).unwrap_or(u64::MAX);
    for (result, times) in &results {
        let (low, high) = wilson(*times, games);
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let facts = [
            word("result", result),
            number("count", *times),
            word("percent", &percent(count(*times) / count(games).max(1.0))),
            word("low", &percent(low)),
            word("high", &percent(high)),
        ];
        say(phrase::simulate::SHARE, &facts, lang)?;
    }
    if !turns.is_empty() {
        say(phrase::simulate::TURNS, &[], lang)?;
        let rest = games - turns.values().sum::<u64>();
        let bar = |times: u64| "#".repeat(usize::try_from(times * 50 / games.max(1)).unwrap_or(0));
        for (turn, times) in &turns {
            let facts =
                [number("turn", u64::from(*turn)), number("count", *times), word("bar", &bar(*times))];
            say(phrase::simulate::TURN, &facts, lang)?;
        }
        say(phrase::simulate::TO_THE_LAST, &[number("count", rest), word("bar", &bar(rest))], lang)?;
    }
    let mut lengths: Vec<u32> = all.iter().map(|counted| counted.decisions).collect();
    lengths.sort_unstable();
    let at = |place: usize| number_of(lengths.get(place).copied().unwrap_or(0));
    let facts = [
        Fact { name: "median", value: at(lengths.len() / 2) },
        Fact { name: "least", value: at(0) },
        Fact { name: "most", value: at(lengths.len().saturating_sub(1)) },
    ];
    say(phrase::simulate::LENGTH, &facts, lang)
}

fn number_of(value: u32) -> Measure {
    i64::from(value).into()
}

fn say(phrase: Phrase, facts: &[Fact], lang: Lang) -> Result<(), Failure> {
    Ok(tell(rulebook::speak(phrase, facts, lang).trim_end())?)
}

fn number(name: &'static str, value: u64) -> Fact {
    Fact { name, value: i64::try_from(value).unwrap_or(i64::MAX).into() }
}

fn word(name: &'static str, value: &str) -> Fact {
    Fact { name, value: value.into() }
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn count(many: u64) -> f64 {
    many as f64
}

/// Wilson's interval of 95 % for a share.
fn wilson(times: u64, of: u64) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    if of == 0 {
        return (0.0, 1.0);
    }
    let (n, share) = (count(of), count(times) / count(of));
    let weight = 1.0 + Z * Z / n;
    let middle = (share + Z * Z / (2.0 * n)) / weight;
    let half = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt() / weight;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn the_interval_is_wilsons() {
        // 50 of 100: 0.4038 to 0.5962; 0 of 20: 0 to 0.1611.
        let (low, high) = wilson(50, 100);
        assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(0, 20);
        assert!(low.abs() < 1e-9 && (high - 0.1611).abs() < 1e-4, "{low} {high}");
        assert!(wilson(0, 0) == (0.0, 1.0));
    }
}
