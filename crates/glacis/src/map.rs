//! `glacis map`: the maps of a recorded game at any point, or a map by its name, as SVG; and
//! `glacis charts`: the charts of a book as sheets for the table.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use kernel::Play;

use crate::systems::Systems;
use crate::{Failure, Language, replay, tell};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A record, or the name of a map: `campaign-1805`.
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

/// The books whose charts can be printed.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Book {
    /// The 1805 campaign.
    Campaign,
}

#[derive(clap::Args)]
pub(crate) struct ChartsArgs {
    /// The book.
    book: Book,
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    language: Language,
}

pub(crate) fn charts(args: &ChartsArgs) -> Result<ExitCode, Failure> {
    let sheets = match args.book {
        Book::Campaign => campaign::charts(args.language.get()),
    };
    write_all(&args.out, sheets)
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

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    if args.what.as_os_str() == "campaign-1805" {
        let svg = campaign::map_svg(lang);
        return match (args.out.extension().and_then(|ending| ending.to_str()), args.out.file_name()) {
            (Some("svg"), Some(name)) => {
                write_all(args.out.parent().unwrap_or(Path::new(".")), [(PathBuf::from(name), svg)])
            }
            _ => write_all(&args.out, [(PathBuf::from("campaign-1805.svg"), svg)]),
        };
    }
    let (record, system) = replay::open(&args.what, lang)?;
    let refused = |refusal: kernel::Refusal| rulebook::refusal(&refusal, lang);
    match system {
        Systems::Danzig => {
            let play = Play::<danzig::State>::replay(&record, args.to).map_err(refused)?;
            write_all(&args.out, danzig::draw::maps(&play.state().table, lang))
        }
    }
}
