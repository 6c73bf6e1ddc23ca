//! What both sides know of a fight (section 1 of the game page): a battle, a retreat, a siege, losses that are owed;
//! and how the game ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::Stance;
use crate::map::HexId;
use crate::terms::Army;

use super::roster::LeaderId;

/// A loss to be shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Owed {
    /// By whom.
    pub army: Army,
    /// SP.
    pub sp: i32,
    /// Of this formation, after attrition; of the force of the battle otherwise.
    pub attrition: Option<LeaderId>,
}

/// What a retreat is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Flight {
    /// A battle was lost.
    Battle,
    /// A repulse from this hex.
    Repulse,
    /// Vedettes were attacked.
    Vedettes,
}

/// A group that retreats.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// The hex it leaves.
    pub from: HexId,
    /// The hexes it went to.
    pub path: Vec<HexId>,
    /// Hexes still to go.
    pub left: i32,
    /// Hexes it could not go.
    pub blocked: i32,
    /// Whether it entered an enemy zone.
    pub zone: bool,
    /// Whether it is off the map.
    pub off: bool,
    /// SP it had at first.
    pub sp: i32,
}

impl Group {
    /// Where it stands now.
    #[must_use]
    pub fn at(&self) -> HexId {
        self.path.last().copied().unwrap_or(self.from)
    }
}

/// A retreat under way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Walk {
    /// Who retreats.
    pub army: Army,
    /// Why.
    pub flight: Flight,
    /// The hex to keep away from.
    pub enemy: HexId,
    /// The groups.
    pub groups: Vec<Group>,
}

/// A battle, as both sides know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Battle {
    /// Its number in the phase.
    pub number: u8,
    /// The hex attacked.
    pub hex: HexId,
    /// The main hex of the attack.
    pub main: HexId,
    /// Who attacks.
    pub attacker: Army,
    /// The round, from 1.
    pub round: i32,
    /// The choices that are shown, attacker and defender.
    pub stances: [Option<Stance>; 2],
    /// Whether the attack follows a failed repulse.
    pub failed_repulse: bool,
    /// SP at the start.
    pub start: [i32; 2],
    /// SP lost.
    pub lost: [i32; 2],
    /// SP lost in this round.
    pub round_lost: [i32; 2],
    /// Rounds lost.
    pub rounds_lost: [i32; 2],
    /// Whether a pitched round was fought.
    pub pitched: bool,
    /// The numbers of the last clash, attacker and defender.
    pub numbers: [i32; 2],
    /// Who lost it, or is out of it: 0 the attacker, 1 the defender.
    pub loser: Option<u8>,
    /// Whether the loser has nothing left.
    pub eliminated: bool,
    /// Whether nobody fights: vedettes, a siege, or a stop.
    pub quiet: bool,
    /// SP the winner lost in the last clash.
    pub winner_loss: i32,
    /// The pursuit number.
    pub pursuit: i32,
    /// How far the pursuers may go.
    pub limit: i32,
    /// How far they went.
    pub advanced: i32,
}

/// A siege.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Siege {
    /// The citadel.
    pub hex: HexId,
    /// Who is inside.
    pub army: Army,
    /// Turns of siege.
    pub turns: i32,
}

/// How far a victory goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// Operational.
    Operational,
    /// Marginal.
    Marginal,
    /// A victory on points.
    Victory,
    /// Nobody won.
    Draw,
}

/// Why it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A star during the talks.
    Star,
    /// The Austro-Russians declared it.
    Declaration,
    /// An army was destroyed.
    Destruction,
    /// The final score.
    Score,
    /// Points.
    Points,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Who won.
    pub winner: Option<Army>,
    /// How far.
    pub extent: Extent,
    /// Why.
    pub reason: Reason,
    /// The score, or the points of the French and of the Austro-Russians.
    pub totals: [i32; 2],
}
