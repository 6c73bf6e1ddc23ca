//! Whether a recorded game can be believed, without any server: every order, die and state is done
//! again by the rules, and the dice are compared with the seeds once they are known.

use kernel::record::Deed;
use kernel::{Fairness, HexHash, Provenance, Record, Seed, Source, Verdict};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Hosted, Hosting, Ledger};
use crate::System;

/// What could be proven about the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceProof {
    /// All follow from the seed, which everybody could read from the start.
    OpenSeed,
    /// All follow from the seed that was committed to at the start and revealed at the end.
    RevealedSeed,
    /// The seed is still secret: they are possible, and no more can be said yet.
    SecretSeed,
    /// The game went on elsewhere and the seed was never revealed: they are possible, and no more can
    /// ever be said.
    LostSeed,
    /// The players rolled them on a real table.
    Table,
}

/// A part of a record whose dice come from one place.
#[derive(Clone, Debug)]
pub struct Stretch {
    /// Its last entry.
    pub to: u64,
    /// What is known about it: where its dice come from, and which seats had a hand in them.
    pub fairness: Fairness,
}

impl Stretch {
    /// What could be proven about its dice.
    #[must_use]
    pub fn dice(&self, last: bool) -> DiceProof {
        let Provenance { source, checked, .. } = &self.fairness.provenance;
        match source {
            Source::Open(_) => DiceProof::OpenSeed,
            Source::Table => DiceProof::Table,
            Source::Committed(_) if *checked => DiceProof::RevealedSeed,
            Source::Committed(_) if last => DiceProof::SecretSeed,
            Source::Committed(_) => DiceProof::LostSeed,
        }
    }
}

/// What was proven about a record.
pub struct Proof {
    /// About its dice, part by part.
    pub stretches: Vec<Stretch>,
    /// Its luck ledger.
    pub ledger: Ledger,
    /// The names of its sides.
    pub sides: Vec<String>,
}

#[derive(Deserialize)]
struct Glance {
    deed: Deed<IgnoredAny>,
}

/// Opens a recorded game at its beginning, with the seed that its last line reveals, if it does. A seed
/// that is not the one committed to is refused at that line.
///
/// # Errors
/// When the first line is no header of this system.
pub fn reopen(system: &Hosting, record: &Record, header_line: &str) -> Verdict<Box<dyn Hosted>> {
    let revealed = record.lines.iter().rev().find_map(|line| revealed_in(line));
    system.open(header_line, revealed)
}

/// Plays a record again. Nothing if no system here knows its rules.
///
/// # Errors
/// The first line that cannot have happened.
pub fn prove(systems: &[System], record: &Record, header_line: &str) -> Verdict<Option<Proof>> {
    let named = systems.iter().find(|system| system.name() == record.header.system);
    let Some(hosting) = named.and_then(|system| system.game.as_ref()).map(|game| game.hosting) else {
        return Ok(None);
    };
    let mut ledger = Ledger::new(reopen(&hosting, record, header_line)?);
    let mut stretches = vec![Stretch { to: 0, fairness: ledger.fairness() }];
    for line in &record.lines {
        ledger.follow(line)?;
        let now = Stretch { to: ledger.entries(), fairness: ledger.fairness() };
        let since = |stretch: &Stretch| stretch.fairness.provenance.since;
        stretches.pop_if(|last| since(last) == since(&now));
        stretches.push(now);
    }
    Ok(Some(Proof { stretches, ledger, sides: hosting.sides() }))
}

fn revealed_in(line: &str) -> Option<Seed> {
    match serde_json::from_str::<Glance>(line).ok()?.deed {
        Deed::Reveal(HexHash(seed)) => Some(seed),
        _ => None,
    }
}
