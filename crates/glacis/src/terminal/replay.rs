//! `glacis replay`: a recorded game told again, step by step.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kernel::record::Deed;
use kernel::{Play, Record, Saying, Told};
use rulebook::{Lang, phrase};
use serde::Deserialize;

use super::told::{said, sentence, words};
use super::{Failure, Language};
use crate::system::{Game, System};

/// What `glacis replay` is told.
#[derive(clap::Args)]
pub struct Args {
    /// The record.
    file: PathBuf,
    /// Stop after so many entries.
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    /// Tell only where the game stands at the end.
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    language: Language,
}

/// A comment on a record: JSON Lines beside it, in a file with the ending `notes`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Note {
    /// The entry it follows.
    n: u64,
    fr: String,
    en: String,
}

/// The commentary beside a record, if there is one.
fn notes(record: &Path) -> Result<Vec<Note>, Failure> {
    let file = record.with_extension("notes");
    if file == record || !file.is_file() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    text.lines()
        .enumerate()
        .map(|(at, line)| {
            serde_json::from_str(line)
                .map_err(|error| format!("{}:{}: {error}", file.display(), at + 1).into())
        })
        .collect()
}

/// Reads a record.
fn read(file: &Path, lang: Lang) -> Result<Record, Failure> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    Record::read(&String::from_utf8_lossy(&bytes))
        .map_err(|refusal| format!("{}: {}", file.display(), rulebook::refusal(&refusal, lang)).into())
}

/// The game of a record.
fn of(system: Option<System>, record: &Record, lang: Lang) -> Result<Game, Failure> {
    system.and_then(|system| system.game).ok_or_else(|| {
        let unknown =
            Saying::new(phrase::verify::UNKNOWN_SYSTEM).with("system", record.header.system.as_str());
        sentence(&unknown, lang).into()
    })
}

/// Reads a record and finds its game.
pub(super) fn open(file: &Path, lang: Lang) -> Result<(Record, Game), Failure> {
    let record = read(file, lang)?;
    let game = of(crate::systems::system(&record.header.system), &record, lang)?;
    Ok((record, game))
}

/// Carries out `glacis replay`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let record = read(&args.file, lang)?;
    let system = crate::systems::system(&record.header.system);
    match system.as_ref().and_then(|system| system.evenings) {
        Some(evenings) => (evenings.replay)(&record, args, lang),
        None => (of(system, &record, lang)?.replay)(&record, args, lang),
    }
}

/// Tells a record of this game again.
///
/// # Errors
/// When its commentary cannot be read or nobody listens any more.
pub fn tell<G: Told>(record: &Record, args: &Args, lang: Lang) -> Result<ExitCode, Failure> {
    let mut output = BufWriter::new(io::stdout().lock());
    let notes = notes(&args.file)?;
    let entries =
        record.entries::<G::Side, G::Action>().map_err(|refusal| rulebook::refusal(&refusal, lang))?;
    let start = Play::<G>::replay(record, Some(0)).map_err(|refusal| rulebook::refusal(&refusal, lang))?;
    let mut before = start.state().clone();
    let mut failed = None;
    let replayed = Play::<G>::replay_with(record, args.to, |play, step| {
        if !args.quiet && failed.is_none() {
            let entry = usize::try_from(play.entries()).ok().and_then(|number| entries.get(number - 1));
            let told = (|| -> io::Result<()> {
                if let Some(entry) = entry {
                    let who = entry.side.map(|side| words(G::name(side), lang)).unwrap_or_default();
                    let what = match &entry.deed {
                        Deed::Decide { action, .. } => sentence(&before.tell(action), lang),
                        Deed::Seal(_) => words(phrase::play::SEALS, lang),
                        Deed::Undo => words(phrase::play::UNDONE, lang),
                        Deed::Resign => words(phrase::play::RESIGNS, lang),
                        Deed::Offer(_) => words(phrase::play::OFFERS, lang),
                        Deed::Accept => words(phrase::play::ACCEPTS, lang),
                        Deed::Decline => words(phrase::play::DECLINES, lang),
                        Deed::Words(text) => format!("« {text} »"),
                        Deed::Pledge(_) => words(phrase::play::PLEDGES, lang),
                        Deed::Adopt { .. } => words(phrase::play::TAKEN_OVER, lang),
                        Deed::Reveal(_) => words(phrase::play::SEED_REVEALED, lang),
                    };
                    let what = crate::printable(&what);
                    writeln!(output, "{:>5}  {who}{}{what}", entry.n, lang.colon())?;
                }
                said::step(&mut output, step, &record.header.options, lang)?;
                for note in notes.iter().filter(|note| note.n == play.entries()) {
                    let text = if lang == Lang::Fr { &note.fr } else { &note.en };
                    let lines: Vec<String> = text.lines().map(crate::printable).collect();
                    writeln!(output, "\n       {}\n", lines.join("\n"))?;
                }
                Ok(())
            })();
            failed = told.err();
        }
        before = play.state().clone();
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    match replayed {
        Ok(play) => {
            for line in play.state().standing() {
                writeln!(output, "{}", sentence(&line, lang))?;
            }
            if let Some(outcome) = play.state().outcome() {
                writeln!(output, "{}", sentence(&G::ending(&outcome), lang))?;
            }
            output.flush()?;
            Ok(ExitCode::SUCCESS)
        }
        Err(refusal) => {
            output.flush()?;
            complain!("glacis: {}", rulebook::refusal(&refusal, lang));
            Ok(ExitCode::FAILURE)
        }
    }
}
