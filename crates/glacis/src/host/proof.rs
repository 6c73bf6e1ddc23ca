//! Whether a recorded game can be believed, without any server: every order, die and state is done
//! again by the rules, and the dice are compared with the seed once it is known.

use kernel::record::Deed;
use kernel::{HexHash, Record, Seed, Source, Verdict};
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Ledger, System};

/// What could be proven about the dice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiceProof {
    /// All follow from the seed, which everybody could read from the start.
    OpenSeed,
    /// All follow from the seed that was committed to at the start and revealed at the end.
    RevealedSeed,
    /// The seed is still secret: they are possible, and no more can be said yet.
    SecretSeed,
    /// The players rolled them on a real table.
    Table,
}

/// What was proven about a record.
pub struct Proof {
    /// About its dice.
    pub dice: DiceProof,
    /// Its luck ledger.
    pub ledger: Ledger,
    /// The names of its sides.
    pub sides: Vec<String>,
}

#[derive(Deserialize)]
struct Glance {
    deed: Deed<IgnoredAny>,
}

/// Plays a record again. Nothing if no system here knows its rules.
///
/// # Errors
/// The first line that cannot have happened.
pub fn prove(systems: &[System], record: &Record, header_line: &str) -> Verdict<Option<Proof>> {
    let Some(system) = systems.iter().find(|system| system.name == record.header.system) else {
        return Ok(None);
    };
    let revealed = record.lines.iter().rev().find_map(|line| revealed_in(line));
    // A seed that is not the one committed to is refused at the line that reveals it.
    let (game, known) = match system.open(header_line, revealed) {
        Ok(game) => (game, revealed.is_some()),
        Err(_) => (system.open(header_line, None)?, false),
    };
    let mut ledger = Ledger::new(game);
    for line in &record.lines {
        ledger.follow(line)?;
    }
    let dice = match record.header.seed {
        Source::Open(_) => DiceProof::OpenSeed,
        Source::Table => DiceProof::Table,
        Source::Committed(_) if known => DiceProof::RevealedSeed,
        Source::Committed(_) => DiceProof::SecretSeed,
    };
    Ok(Some(Proof { dice, ledger, sides: system.sides() }))
}

fn revealed_in(line: &str) -> Option<Seed> {
    match serde_json::from_str::<Glance>(line).ok()?.deed {
        Deed::Reveal(HexHash(seed)) => Some(seed),
        _ => None,
    }
}
