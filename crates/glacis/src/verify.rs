//! `glacis verify`: whether a recorded game can be believed.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use glacis::host::{DiceProof, prove};
use kernel::{Fact, Record};
use rulebook::{Lang, phrase};

use crate::{Failure, tell};

pub(crate) fn run(file: &Path, lang: Lang) -> Result<ExitCode, Failure> {
    let bytes = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let record = match Record::read(&text) {
        Ok(record) => record,
        Err(refusal) => {
            complain!("glacis: {}: {}", file.display(), rulebook::refusal(&refusal, lang));
            return Ok(ExitCode::FAILURE);
        }
    };
    let say = |phrase, facts: &[Fact]| tell(&rulebook::speak(phrase, facts, lang));
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
            complain!("glacis: {}: {}", file.display(), rulebook::refusal(&refusal, lang));
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
            let account = proof.ledger.account(&proof.sides, lang);
            let name = |name, value: String| Fact { name, value: value.into() };
            let side = |place: usize| proof.sides.get(place).cloned().unwrap_or_default();
            for luck in &account.luck {
                let facts = [
                    name("side", side(luck.side)),
                    name("dice", format!("{}d{}", luck.dice, luck.die)),
                    name("sum", luck.sum.to_string()),
                    name("expected", format!("{:.1}", luck.expected)),
                    name("more", format!("{:.2}", luck.at_least)),
                    name("less", format!("{:.2}", luck.at_most)),
                ];
                say(phrase::verify::LUCK, &facts)?;
            }
            for line in &account.results {
                let facts = [
                    name("side", side(line.side)),
                    name("gauge", line.text.clone()),
                    Fact { name: "decisions", value: i64::from(line.decisions).into() },
                    name("actual", format!("{:+}", line.actual)),
                    name("expected", format!("{:+.1}", line.expected)),
                    name("more", format!("{:.2}", line.at_least)),
                    name("less", format!("{:.2}", line.at_most)),
                ];
                say(phrase::verify::RESULTS, &facts)?;
            }
            if account.not_weighed > 0 {
                let count = Fact { name: "decisions", value: i64::from(account.not_weighed).into() };
                say(phrase::verify::NOT_WEIGHED, &[count])?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
