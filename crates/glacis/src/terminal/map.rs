//! `glacis map`: the maps of a recorded game at any point, or a map by its name, as SVG; and
//! `glacis charts`: the charts of a book as sheets for the table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use kernel::Saying;
use rulebook::phrase;

use super::told::sentence;
use super::{Failure, Language, replay, tell};
use crate::System;

/// What `glacis map` is told.
#[derive(clap::Args)]
pub struct Args {
    /// A record, or the name of a map as `systems` lists it.
    what: PathBuf,
    /// Draw the game as it stood after so many entries.
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    /// The folder to write to; for a map by name, a file ending in `.svg` will do.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    language: Language,
}

/// Those whose charts can be printed.
fn with_charts() -> PossibleValuesParser {
    let all = crate::systems();
    PossibleValuesParser::new(all.iter().filter(|system| system.charts.is_some()).map(System::name))
}

/// What `glacis charts` is told.
#[derive(clap::Args)]
pub struct ChartsArgs {
    /// The book.
    #[arg(value_parser = with_charts())]
    book: String,
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    language: Language,
}

/// Carries out `glacis charts`.
///
/// # Errors
/// When the sheets cannot be written.
pub fn charts(args: &ChartsArgs) -> Result<ExitCode, Failure> {
    let charts = crate::systems::system(&args.book).and_then(|system| system.charts);
    let charts = charts.ok_or_else(|| format!("{}: ?", args.book))?;
    write_all(&args.out, charts(args.language.get()))
}

/// Writes files into a folder, made if need be, and says where each is.
fn write_all<N: AsRef<Path>>(
    folder: &Path,
    files: impl IntoIterator<Item = (N, String)>,
) -> Result<ExitCode, Failure> {
    let failed = |path: &Path, error: &std::io::Error| format!("{}: {error}", path.display());
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for (name, text) in files {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| failed(&path, &error))?;
        tell(&path.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Carries out `glacis map`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let maps: Vec<pages::Map> =
        crate::systems().iter().flat_map(|system| system.shown.maps).copied().collect();
    if let Some(map) = maps.iter().find(|map| args.what.as_os_str() == map.name) {
        let svg = (map.draw)(lang);
        return match (args.out.extension().and_then(|ending| ending.to_str()), args.out.file_name()) {
            (Some("svg"), Some(name)) => {
                write_all(args.out.parent().unwrap_or(Path::new(".")), [(PathBuf::from(name), svg)])
            }
            _ => write_all(&args.out, [(PathBuf::from(format!("{}.svg", map.name)), svg)]),
        };
    }
    let (record, game) = replay::open(&args.what, lang)?;
    let maps = game.maps.ok_or_else(|| {
        let saying = Saying::new(phrase::play::NO_MAPS).with("system", record.header.system.as_str());
        sentence(&saying, lang)
    })?;
    let files = maps(&record, args.to, lang).map_err(|refusal| rulebook::refusal(&refusal, lang))?;
    write_all(&args.out, files)
}
