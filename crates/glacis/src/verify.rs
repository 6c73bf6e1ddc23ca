//! `glacis verify`: whether a recorded game can be believed.

use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use glacis::host::{DiceProof, prove};
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
    say(phrase::verify::CHAIN_WHOLE, &[entries, system.clone()])?;
    let header = text.lines().next().unwrap_or_default();
    match prove(&glacis::systems(), &record, header) {
        Err(refusal) => {
            eprintln!("glacis: {}: {}", file.display(), rulebook::refusal(&refusal, lang));
            return Ok(ExitCode::FAILURE);
        }
        Ok(None) => say(phrase::verify::UNKNOWN_SYSTEM, &[system])?,
        Ok(Some(proof)) => {
            say(phrase::verify::PLAYED_AGAIN, &[])?;
            let dice = match proof.dice {
                DiceProof::OpenSeed => phrase::verify::OPEN_SEED,
                DiceProof::RevealedSeed => phrase::verify::REVEALED_SEED,
                DiceProof::SecretSeed => phrase::verify::SECRET_SEED,
                DiceProof::Table => phrase::verify::TABLE_DICE,
            };
            say(dice, &[])?;
            for luck in &proof.luck {
                let side = proof.sides.get(luck.side).map_or("", String::as_str);
                let name = |name, value: String| Fact { name, value: value.into() };
                let facts = [
                    name("side", side.to_owned()),
                    name("dice", format!("{}d{}", luck.dice, luck.die)),
                    name("sum", luck.sum.to_string()),
                    name("expected", format!("{:.1}", luck.expected)),
                    name("more", format!("{:.2}", luck.at_least)),
                    name("less", format!("{:.2}", luck.at_most)),
                ];
                say(phrase::verify::LUCK, &facts)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
