//! `glacis map`: the maps of a recorded game at any point, as SVG.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use kernel::Play;

use crate::systems::Systems;
use crate::{Failure, Language, replay};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The record.
    file: PathBuf,
    /// Draw the game as it stood after so many entries.
    #[arg(long, value_name = "N")]
    to: Option<u64>,
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    language: Language,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let lang = args.language.get();
    let (record, system) = replay::open(&args.file, lang)?;
    let refused = |refusal: kernel::Refusal| rulebook::refusal(&refusal, lang);
    let drawings = match system {
        Systems::Danzig => {
            let play = Play::<danzig::State>::replay(&record, args.to).map_err(refused)?;
            danzig::draw::maps(play.state(), lang)
        }
    };
    fs::create_dir_all(&args.out).map_err(|error| format!("{}: {error}", args.out.display()))?;
    for (name, svg) in drawings {
        let path = args.out.join(format!("{name}.svg"));
        fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{}", path.display());
    }
    Ok(ExitCode::SUCCESS)
}
