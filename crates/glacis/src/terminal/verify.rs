//! `glacis verify`: whether a recorded game can be believed.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use crate::host::{DiceProof, Proof, Stretch, prove};
use kernel::{Fact, Measure, Phrase, Record, Source};
use rulebook::{Lang, phrase};

use super::{Failure, tell};

/// Carries out `glacis verify`.
///
/// # Errors
/// When it cannot be carried out at all: a file that cannot be read or written, say.
pub fn run(file: &Path, lang: Lang) -> Result<ExitCode, Failure> {
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
    let header = text.lines().next().unwrap_or_default();
    let proven = match prove(&crate::systems(), &record, header) {
        Ok(proven) => proven,
        Err(refusal) => {
            complain!("glacis: {}: {}", file.display(), rulebook::refusal(&refusal, lang));
            return Ok(ExitCode::FAILURE);
        }
    };
    let evenings = crate::systems::system(&record.header.system).and_then(|system| system.evenings);
    let evening = match evenings.map(|evenings| (evenings.prove)(&record)).transpose() {
        Ok(evening) => evening,
        Err(refusal) => {
            complain!("glacis: {}: {}", file.display(), rulebook::refusal(&refusal, lang));
            return Ok(ExitCode::FAILURE);
        }
    };
    if record.truncated {
        say(phrase::verify::TRUNCATED, &[])?;
    }
    let entries =
        Fact { name: "entries", value: i64::try_from(record.lines.len()).unwrap_or(i64::MAX).into() };
    let system = Fact { name: "system", value: record.header.system.as_str().into() };
    say(phrase::verify::CHAIN_WHOLE, &[entries, system.clone()])?;
    match proven {
        None if evening.is_some() => {
            say(phrase::verify::PLAYED_AGAIN, &[])?;
            let to = u64::try_from(record.lines.len()).unwrap_or(u64::MAX);
            if let Some(fairness) = evening {
                say(dice_phrase(&Stretch { to, fairness }, true), &[])?;
            }
        }
        None => say(phrase::verify::UNKNOWN_SYSTEM, &[system])?,
        Some(proof) => {
            say(phrase::verify::PLAYED_AGAIN, &[])?;
            for (phrase, facts) in about_the_dice(&proof) {
                say(phrase, &facts)?;
            }
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

fn number(name: &'static str, value: u64) -> Fact {
    Fact { name, value: i64::try_from(value).unwrap_or(i64::MAX).into() }
}

/// What could be proven of the dice of a part.
fn dice_phrase(stretch: &Stretch, last: bool) -> Phrase {
    match stretch.dice(last) {
        DiceProof::OpenSeed => phrase::verify::OPEN_SEED,
        DiceProof::RevealedSeed => phrase::verify::REVEALED_SEED,
        DiceProof::SecretSeed => phrase::verify::SECRET_SEED,
        DiceProof::LostSeed => phrase::verify::LOST_SEED,
        DiceProof::Table => phrase::verify::TABLE_DICE,
    }
}

/// What could be checked of the dice and what could not, part by part and seat by seat.
fn about_the_dice(proof: &Proof) -> Vec<(Phrase, Vec<Fact>)> {
    let mut said = Vec::new();
    let parts = proof.stretches.len();
    for (place, stretch) in proof.stretches.iter().enumerate() {
        let fairness = &stretch.fairness;
        let provenance = &fairness.provenance;
        if fairness.adopted.is_some_and(|entry| entry == provenance.since) {
            said.push((phrase::verify::IMPORTED, vec![number("entry", provenance.since)]));
        }
        if parts > 1 {
            said.push((
                phrase::verify::STRETCH,
                vec![number("from", provenance.since), number("to", stretch.to)],
            ));
        }
        said.push((dice_phrase(stretch, place + 1 == parts), Vec::new()));
        if !matches!(provenance.source, Source::Committed(_)) {
            continue;
        }
        for (place, side) in proof.sides.iter().enumerate() {
            let side = Fact { name: "side", value: Measure::Name(side.clone()) };
            let hash = provenance.pledges.iter().find(|(pledged, _)| *pledged == place);
            match hash {
                Some((_, hash)) => {
                    let hash = Fact { name: "hash", value: hash.to_string().into() };
                    said.push((phrase::verify::PLEDGED, vec![side, hash]));
                }
                None if fairness.machines.contains(&place) => {
                    said.push((phrase::verify::MACHINE_SEAT, vec![side]));
                }
                None => said.push((phrase::verify::NOT_PLEDGED, vec![side])),
            }
        }
    }
    let last = proof.stretches.last().map(|stretch| &stretch.fairness);
    // A game that was over when it was taken over has no part of its own.
    let over = last.and_then(|last| last.adopted.filter(|&entry| entry > last.provenance.since));
    said.extend(over.map(|entry| (phrase::verify::IMPORTED, vec![number("entry", entry)])));
    let back = last.map_or(0, |last| u64::from(last.rolls_taken_back));
    if back > 0 {
        said.push((phrase::verify::ROLLS_TAKEN_BACK, vec![number("count", back)]));
    }
    said
}
