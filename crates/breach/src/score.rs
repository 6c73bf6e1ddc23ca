//! Who has won a siege: the sections of the fortress enter; the victory points and the winner leave.
//! Section "scenario 3" of the supplement.

use std::cmp::Ordering;

use kernel::Clerk;
use rulebook::options::breach::{Options, SiegeTie};
use rulebook::rule;
use rulebook::tables::breach::SECTION_VICTORY_POINTS;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::army::Role;

/// The kinds of section.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// 40 mm of wall.
    Wall,
    /// A whole tower.
    Tower,
    /// A gate.
    Gate,
    /// All the ground inside.
    Courtyard,
}

/// A section at the end of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// What it is.
    pub kind: Kind,
    /// Stands of the attacker in it.
    pub attacker: i32,
    /// Stands of the defender in it.
    pub defender: i32,
    /// Whether it is destroyed.
    pub destroyed: bool,
}

/// The score of a siege.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Score {
    /// The attacker's victory points.
    pub attacker: i32,
    /// The defender's.
    pub defender: i32,
    /// Who has won.
    pub winner: Role,
}

impl Kind {
    /// Its name in the table.
    const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Tower => "tower",
            Self::Gate => "gate",
            Self::Courtyard => "courtyard",
        }
    }

    /// The victory points of whoever controls it.
    fn points(self) -> i32 {
        let row = SECTION_VICTORY_POINTS.iter().find(|row| row.section == self.name());
        row.map_or(0, |row| row.victory_points)
    }
}

/// Counts the sections.
pub fn score(sections: &[Section], options: &Options, clerk: &mut impl Clerk) -> Score {
    let (mut attacker, mut defender) = (0, 0);
    for section in sections {
        match control(section, clerk) {
            Some(Role::Attacker) => {
                attacker += clerk.modifier(rule!(BR_SCENARIO_3_19), section.kind.points());
            }
            Some(Role::Defender) => {
                defender += clerk.modifier(rule!(BR_SCENARIO_3_19), section.kind.points());
            }
            None => {}
        }
    }
    let winner = match attacker.cmp(&defender) {
        Ordering::Greater => Role::Attacker,
        Ordering::Less => Role::Defender,
        Ordering::Equal => {
            let winner = match options.siege_tie {
                SiegeTie::DefenderWins => Role::Defender,
                SiegeTie::AttackerWins => Role::Attacker,
            };
            clerk.rather(rule!(BR_R51), winner, winner.other())
        }
    };
    Score { attacker, defender, winner: clerk.rather(rule!(BR_SCENARIO_3_25), winner, winner.other()) }
}

/// Who controls a section, if anybody does.
fn control(section: &Section, clerk: &mut impl Clerk) -> Option<Role> {
    if clerk.holds(rule!(BR_SCENARIO_3_22), section.destroyed) {
        return None;
    }
    if clerk.holds(rule!(BR_SCENARIO_3_21), section.attacker == section.defender) {
        return None;
    }
    let more = if section.attacker > section.defender { Role::Attacker } else { Role::Defender };
    Some(clerk.rather(rule!(BR_SCENARIO_3_20), more, more.other()))
}
