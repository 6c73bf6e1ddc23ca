//! `glacis play` and `glacis replay`: a game in the terminal, and a recorded one read again.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use danzig::{Action, Side, State, auto_choice};
use kernel::{Fact, Game as _, HexHash, Line, Live, Measure, Play, Record, Seed, Setup, Source};
use rulebook::{Lang, phrase};

use crate::{Failure, Language};

/// The games that can be played in the terminal.
#[derive(Clone, Copy, clap::ValueEnum)]
pub(crate) enum System {
    /// The siege of Danzig, 1807.
    Danzig,
}

/// Which sides the machine plays.
#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub(crate) enum Auto {
    /// The French.
    French,
    /// The Prussians.
    Prussian,
    /// Both.
    Both,
}

impl Auto {
    fn plays(self, side: Side) -> bool {
        match self {
            Self::Both => true,
            Self::French => side == Side::French,
            Self::Prussian => side == Side::Prussian,
        }
    }
}

/// What `glacis play` is told.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The game.
    system: System,
    /// The number its dice grow from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Options that differ from the default: `kamenski_turn=8,morale_start=18`.
    #[arg(long, value_delimiter = ',', value_name = "NAME=VALUE")]
    options: Vec<String>,
    /// Where the record is written.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The sides the machine plays, at random but sensibly.
    #[arg(long, value_name = "SIDE")]
    auto: Option<Auto>,
    #[command(flatten)]
    language: Language,
}

/// What `glacis replay` is told.
#[derive(clap::Args)]
pub(crate) struct ReplayArgs {
    /// The record.
    file: PathBuf,
    /// Stops after so many decisions.
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    #[command(flatten)]
    language: Language,
}

/// What `glacis map` is told.
#[derive(clap::Args)]
pub(crate) struct MapArgs {
    /// The record.
    file: PathBuf,
    /// Draws the maps as they stood after so many decisions; without it, at the end.
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    /// The folder the drawings go to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    language: Language,
}

/// Draws both maps of a recorded game as SVG.
pub(crate) fn map(args: &MapArgs) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let text = fs::read_to_string(&args.file).map_err(|error| format!("{}: {error}", args.file.display()))?;
    match Record::read(&text).and_then(|record| Play::<State>::replay(&record, args.to)) {
        Ok(game) => {
            fs::create_dir_all(&args.out)?;
            let table = &game.state().table;
            fs::write(args.out.join("operational.svg"), danzig::draw::ops::operational(table, lang))?;
            fs::write(args.out.join("siege.svg"), danzig::draw::siege::siege(table, lang))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refusal) => {
            eprintln!("glacis: {}: {}", args.file.display(), rulebook::refusal(&refusal, lang));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn seed_of(number: u64) -> Seed {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

fn setup_of(options: &[String]) -> Result<Setup, Failure> {
    let mut named = BTreeMap::new();
    for option in options {
        let (name, value) = option.split_once('=').ok_or_else(|| format!("{option}: NAME=VALUE"))?;
        named.insert(name.trim().to_owned(), value.trim().to_owned());
    }
    Ok(Setup { scenario: danzig::SCENARIOS[0].to_owned(), options: named })
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let System::Danzig = args.system;
    let lang = args.language.get();
    let seed = seed_of(args.seed);
    let mut game =
        match Play::<State>::begin(&setup_of(&args.options)?, Source::Open(HexHash(seed)), Some(seed)) {
            Ok(game) => game,
            Err(refusal) => {
                eprintln!("glacis: {}", rulebook::refusal(&refusal, lang));
                return Ok(ExitCode::FAILURE);
            }
        };
    let mut record = args.record.as_ref().map(File::create).transpose()?;
    write_line(record.as_mut(), game.header_line())?;
    let mut dice = Live::numbered(args.seed.wrapping_add(1));
    let mut actions = Vec::new();
    let mut out = io::stdout().lock();
    while let Some(side) = game.state().to_move() {
        game.state().actions(&mut actions);
        let action = if args.auto.is_some_and(|auto| auto.plays(side)) {
            actions[auto_choice(game.state(), &actions, &mut dice)]
        } else {
            headline(&mut out, game.state(), side, lang)?;
            match ask(&mut out, &actions, lang)? {
                Order::Take(action) => action,
                Order::Undo => {
                    match game.undo(game.entries(), side) {
                        Ok(step) => write_line(record.as_mut(), &step.record_line)?,
                        Err(refusal) => writeln!(out, "{}", rulebook::refusal(&refusal, lang))?,
                    }
                    continue;
                }
                Order::Quit => return Ok(ExitCode::SUCCESS),
            }
        };
        match game.decide(game.entries(), side, &action) {
            Ok(step) => {
                write_line(record.as_mut(), &step.record_line)?;
                let reasons = args.auto != Some(Auto::Both);
                tell(&mut out, &action, &step.said, reasons, lang)?;
            }
            Err(refusal) => writeln!(out, "{}", rulebook::refusal(&refusal, lang))?,
        }
    }
    if let Some(outcome) = game.state().outcome() {
        writeln!(out, "{}", serde_json::to_string(&outcome)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn write_line(record: Option<&mut File>, line: &str) -> io::Result<()> {
    record.map_or(Ok(()), |file| writeln!(file, "{line}"))
}

fn headline(out: &mut impl io::Write, state: &State, side: Side, lang: Lang) -> io::Result<()> {
    let facts = [
        Fact { name: "turn", value: state.table.turn.into() },
        Fact { name: "round", value: state.clock.round.into() },
        Fact { name: "phase", value: Measure::Name(word(&state.phase)) },
        Fact { name: "side", value: Measure::Name(word(&side)) },
        Fact { name: "morale", value: state.table.danzig.morale.into() },
    ];
    writeln!(out, "\n{}", rulebook::speak(phrase::play::HEADLINE, &facts, lang))
}

/// The serialised form of a value that is one word.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

/// An action as one line: its kind, then its particulars.
fn describe(action: &Action) -> (String, String) {
    match serde_json::to_value(action) {
        Ok(serde_json::Value::Object(fields)) => fields
            .into_iter()
            .next()
            .map(|(kind, rest)| (kind, rest.to_string().replace(['"', '{', '}'], "").replace(',', " ")))
            .unwrap_or_default(),
        Ok(serde_json::Value::String(kind)) => (kind, String::new()),
        _ => (format!("{action:?}"), String::new()),
    }
}

/// What the player at the keyboard wants.
enum Order {
    Take(Action),
    Undo,
    Quit,
}

/// Most choices of a kind that are printed unasked.
const SHOWN: usize = 12;

/// Prints the choices grouped by kind and reads an order: a number, words to search for, `undo` or
/// `quit`.
fn ask(out: &mut impl io::Write, actions: &[Action], lang: Lang) -> Result<Order, Failure> {
    let lines: Vec<(String, String)> = actions.iter().map(describe).collect();
    let mut search = String::new();
    loop {
        let mut kinds: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, (kind, rest)) in lines.iter().enumerate() {
            let line = format!("{kind} {rest}").to_lowercase();
            if search.split_whitespace().all(|part| line.contains(part)) {
                kinds.entry(kind).or_default().push(at);
            }
        }
        for (kind, places) in &kinds {
            writeln!(out, "{kind} ({})", places.len())?;
            let most = if search.is_empty() { SHOWN } else { usize::MAX };
            for at in places.iter().take(most) {
                writeln!(out, "  {:>4}  {}", at + 1, lines[*at].1)?;
            }
            if places.len() > most {
                writeln!(out, "        ...")?;
            }
        }
        write!(out, "{} ", rulebook::speak(phrase::play::PROMPT, &[], lang))?;
        out.flush()?;
        let mut line = String::new();
        if io::stdin().lock().read_line(&mut line)? == 0 {
            return Ok(Order::Quit);
        }
        match line.trim() {
            "quit" | "q" => return Ok(Order::Quit),
            "undo" | "u" => return Ok(Order::Undo),
            text => match text.parse::<usize>().ok().and_then(|number| actions.get(number.wrapping_sub(1))) {
                Some(action) => return Ok(Order::Take(*action)),
                None => text.to_lowercase().clone_into(&mut search),
            },
        }
    }
}

/// Says what was decided and what happened, with the reasons if they are wanted.
fn tell(
    out: &mut impl io::Write,
    action: &Action,
    said: &[Line],
    reasons: bool,
    lang: Lang,
) -> io::Result<()> {
    let (kind, rest) = describe(action);
    writeln!(out, "> {kind} {rest}")?;
    for line in said {
        match line {
            Line::Happened(event) => {
                writeln!(out, "  {}", rulebook::speak(event.phrase, &event.facts, lang))?
            }
            Line::Because(because) if reasons => {
                writeln!(out, "    {} {}", because.rule, rulebook::effect(&because.effect, lang))?;
            }
            Line::Because(_) => {}
        }
    }
    Ok(())
}

pub(crate) fn replay(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let text = fs::read_to_string(&args.file).map_err(|error| format!("{}: {error}", args.file.display()))?;
    let mut out = io::stdout().lock();
    let mut broken = None;
    let played = Record::read(&text).and_then(|record| {
        let entries = record.entries::<Side, Action>()?;
        Play::<State>::replay_with(&record, args.to, |game, step| {
            let at = usize::try_from(game.entries()).unwrap_or(usize::MAX).wrapping_sub(1);
            let done = match entries.get(at).map(|entry| &entry.deed) {
                Some(kernel::record::Deed::Decide { action, .. }) => {
                    tell(&mut out, action, &step.said, true, lang)
                }
                _ => Ok(()),
            };
            broken = broken.take().or(done.err());
        })
    });
    if let Some(error) = broken {
        return Err(error.into());
    }
    match played {
        Ok(game) => {
            let entries = i64::try_from(game.entries()).unwrap_or(i64::MAX);
            let facts = [
                Fact { name: "entries", value: entries.into() },
                Fact { name: "turn", value: game.state().table.turn.into() },
            ];
            writeln!(out, "{}", rulebook::speak(phrase::play::REPLAYED, &facts, lang))?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refusal) => {
            eprintln!("glacis: {}: {}", args.file.display(), rulebook::refusal(&refusal, lang));
            Ok(ExitCode::FAILURE)
        }
    }
}
