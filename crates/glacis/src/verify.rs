//! `glacis verify`: whether a recorded game can be believed.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use kernel::{Fact, Record};
use rulebook::{Lang, phrase};

use crate::Failure;

pub(crate) fn run(file: &Path, lang: Lang) -> Result<ExitCode, Failure> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let record = match Record::read(&text) {
        Ok(record) => record,
        Err(refusal) => {
            eprintln!("glacis: {}: {}", file.display(), rulebook::refusal(&refusal, lang));
            return Ok(ExitCode::FAILURE);
        }
    };
    let say = |phrase, facts: &[Fact]| -> io::Result<()> {
        println!("{}", rulebook::speak(phrase, facts, lang));
        Ok(())
    };
    if record.truncated {
        say(phrase::verify::TRUNCATED, &[])?;
    }
    let entries =
        Fact { name: "entries", value: i64::try_from(record.lines.len()).unwrap_or(i64::MAX).into() };
    let system = Fact { name: "system", value: record.header.system.as_str().into() };
    say(phrase::verify::CHAIN_WHOLE, &[entries, system])?;
    Ok(ExitCode::SUCCESS)
}
