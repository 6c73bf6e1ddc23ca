//! `glacis verify`: whether a recorded game can be believed. The chain of hashes needs no rules;
//! where this program knows the game, every order, die and state is checked as well.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use kernel::{Game, Play, Record, Saying, Verdict};
use rulebook::{Lang, phrase};

use crate::Failure;
use crate::systems::{Systems, with_system};
use crate::told::{sentence, words};

pub(crate) fn run(file: &Path, lang: Lang) -> Result<ExitCode, Failure> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    match verify(&String::from_utf8_lossy(&bytes), lang) {
        Ok(said) => {
            println!("{}", said.join("\n"));
            Ok(ExitCode::SUCCESS)
        }
        Err(refusal) => {
            eprintln!("glacis: {}: {}", file.display(), rulebook::refusal(&refusal, lang));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn verify(text: &str, lang: Lang) -> Verdict<Vec<String>> {
    let record = Record::read(text)?;
    let mut said = Vec::new();
    if record.truncated {
        said.push(words(phrase::verify::TRUNCATED, lang));
    }
    let whole = Saying::new(phrase::verify::CHAIN_WHOLE)
        .with("entries", i64::try_from(record.lines.len()).unwrap_or(i64::MAX))
        .with("system", record.header.system.as_str());
    said.push(sentence(&whole, lang));
    said.push(match Systems::named(&record.header.system) {
        Some(system) => {
            with_system!(system, G => replayed::<G>(&record))?;
            words(phrase::verify::REPLAYED, lang)
        }
        None => words(phrase::verify::UNKNOWN_SYSTEM, lang),
    });
    Ok(said)
}

fn replayed<G: Game>(record: &Record) -> Verdict<()> {
    Play::<G>::replay(record, None).map(|_| ())
}
