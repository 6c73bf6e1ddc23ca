//! Golden playthroughs: a short game as text, reviewed like code and compared on every change.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::{open_seed, pick};
use crate::record::state_hash;
use crate::{Audience, Game, HexHash, Line, Live, Play, Setup, Source, Step};

/// A game of at most so many random decisions, as text: each with its side, action and dice and
/// every line that was said, and at the end the hash of the state.
///
/// # Panics
/// When the setup does not exist or the game refuses what it offers.
#[must_use]
pub fn playthrough<G: Game>(setup: &Setup, seed: u64, decisions: usize) -> String {
    tell::<G>(setup, seed, decisions)
        .unwrap_or_else(|fault| panic!("{} cannot be played: {fault}", G::SYSTEM))
}

fn tell<G: Game>(setup: &Setup, seed: u64, decisions: usize) -> Result<String, Box<dyn std::error::Error>> {
    let mut choice = Live::numbered(seed);
    let source = Source::Open(HexHash(open_seed(&mut choice)));
    let mut play = Play::<G>::begin(setup, source, None)?;
    let options = serde_json::to_string(&setup.options)?;
    let mut text = format!("{} {:?} options {options} seed {seed}\n", G::SYSTEM, setup.scenario);
    let mut list = Vec::new();
    for number in 1..=decisions {
        let deciding: Vec<G::Side> =
            G::SIDES.iter().copied().filter(|&side| play.state().decides(side)).collect();
        if deciding.is_empty() {
            break;
        }
        let mut told = Vec::new();
        for side in deciding {
            list.clear();
            play.state().actions(side, &mut list);
            if list.is_empty() {
                return Err("nothing is offered".into());
            }
            let action = pick(&list, &mut choice);
            let step = play.decide(play.entries(), side, action)?;
            let order = serde_json::to_string(action)?;
            let sealed = if step.commitment.is_some() { ", sealed" } else { "" };
            writeln!(text, "\n{number}. {} {order} (one of {}{sealed})", name(&side)?, list.len())?;
            told.push(step);
        }
        while let Some(opened) = play.open_next() {
            told.push(opened.step);
        }
        for step in told {
            tell_step::<G>(&mut text, &step)?;
        }
    }
    match play.state().outcome() {
        Some(outcome) => writeln!(text, "\noutcome {}", serde_json::to_string(&outcome)?)?,
        None => writeln!(text, "\nunfinished")?,
    }
    writeln!(text, "state {}", serde_json::to_string(&HexHash(state_hash(play.state())))?.trim_matches('"'))?;
    Ok(text)
}

/// The dice of a step and what was said.
fn tell_step<G: Game>(text: &mut String, step: &Step) -> Result<(), Box<dyn std::error::Error>> {
    if !step.dice.is_empty() {
        writeln!(text, "   dice {}", step.dice.iter().map(u8::to_string).collect::<Vec<_>>().join(" "))?;
    }
    for line in &step.said {
        write!(text, "   {line}")?;
        if let Line::Happened(event) = line
            && let Audience::Side(place) = event.audience
        {
            let reader = G::SIDES.get(place).map_or(Ok("nobody".to_owned()), name)?;
            write!(text, " (only for {reader})")?;
        }
        text.push('\n');
    }
    Ok(())
}

/// A side as it is written in a record.
fn name(side: &impl serde::Serialize) -> Result<String, serde_json::Error> {
    Ok(serde_json::to_string(side)?.trim_matches('"').to_owned())
}

/// Compares a text with a checked-in file. With `GLACIS_GOLDEN=write` in the environment it writes
/// the file instead, for the difference to be reviewed.
///
/// # Panics
/// When they differ, with the first line that does; or when the file cannot be read or written.
pub fn golden(path: impl AsRef<Path>, text: &str) {
    let write = std::env::var_os("GLACIS_GOLDEN").is_some_and(|value| value == "write");
    if let Err(fault) = compare(path.as_ref(), text, write) {
        panic!("{fault}");
    }
}

fn compare(path: &Path, text: &str, write: bool) -> Result<(), String> {
    let fault =
        |error: &std::io::Error| format!("{}: {error} (GLACIS_GOLDEN=write writes the file)", path.display());
    if write {
        return path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(path, text))
            .map_err(|error| fault(&error));
    }
    let kept = fs::read_to_string(path).map_err(|error| fault(&error))?;
    if kept == text {
        return Ok(());
    }
    let (mut kept_lines, mut lines) = (kept.lines(), text.lines());
    let mut number = 0;
    loop {
        number += 1;
        let pair = (kept_lines.next(), lines.next());
        if pair.0 != pair.1 || pair == (None, None) {
            let shown = |line: Option<&str>| line.unwrap_or("(the end)").to_owned();
            return Err(format!(
                "{}, line {number}:\n  the file: {}\n  the game: {}\nIf the game is right, GLACIS_GOLDEN=write writes the file.",
                path.display(),
                shown(pair.0),
                shown(pair.1),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_golden_file_is_written_compared_and_its_first_difference_shown() {
        let folder = std::env::temp_dir().join(format!("glacis-golden-{}", std::process::id()));
        let path = folder.join("new").join("game.txt");
        assert!(compare(&path, "a\nb\n", false).unwrap_err().contains("GLACIS_GOLDEN=write"));
        compare(&path, "a\nb\n", true).unwrap();
        compare(&path, "a\nb\n", false).unwrap();
        let other = compare(&path, "a\nc\nd\n", false).unwrap_err();
        assert!(other.contains("line 2:\n  the file: b\n  the game: c\n"), "{other}");
        let shorter = compare(&path, "a\n", false).unwrap_err();
        assert!(shorter.contains("line 2:\n  the file: b\n  the game: (the end)\n"), "{shorter}");
        let unended = compare(&path, "a\nb", false).unwrap_err();
        assert!(unended.contains("(the end)"), "the last newline counts: {unended}");
        fs::remove_dir_all(folder).unwrap();
    }
}
