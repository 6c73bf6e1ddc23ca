//! The facts of a melee on some ground, and what the ground makes of both sides: what a player says
//! and what he is told.

use kernel::{Centimetres, Verdict, Whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::cover::MeleeCover;
use super::super::obstacles::ObstacleClass;
use super::super::state::State;
use super::super::troops::{Formation, Troops};

/// One side of a melee.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Fighter {
    /// The body.
    pub troops: Troops,
    /// All its figures.
    pub figures: Whole<1, 999>,
    /// First-rank figures in contact: with an enemy figure, or with the obstacle opposite one.
    pub touching: Whole<0, 999>,
    /// It has followed an enemy that recoiled in the round before.
    #[serde(default)]
    pub followed: bool,
    /// It was moving when the enemy touched it.
    #[serde(default)]
    pub moving: bool,
    /// It charged.
    #[serde(default)]
    pub charging: bool,
}

impl Fighter {
    /// Whether it is a square, which has neither flank nor rear.
    pub(super) const fn is_square(&self) -> bool {
        matches!(self.troops.formation, Formation::HollowSquare | Formation::FullSquare)
    }

    /// Figures abreast: as said, or all of them shared among its ranks.
    ///
    /// # Errors
    /// When neither the front nor the ranks are known.
    pub(super) fn abreast(&self) -> Verdict<i32> {
        let ranks = self.troops.ranks.map(Whole::get).or(self.troops.formation.ranks());
        let ranks = ranks.filter(|_| !self.is_square());
        match (self.troops.front, ranks) {
            (None, Some(ranks)) => Ok((self.figures.get() + ranks - 1) / ranks),
            _ => self.troops.abreast(),
        }
    }

    /// Ranks: as said, or as many as its figures make on its front.
    ///
    /// # Errors
    /// When neither the front nor the ranks are known.
    pub(super) fn deep(&self) -> Verdict<i32> {
        match (self.troops.ranks, self.troops.front) {
            (None, Some(front)) => Ok((self.figures.get() + front.get() - 1) / front.get()),
            _ => self.troops.deep(),
        }
    }
}

/// The ground of a melee.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Place {
    /// Plain, crops, ploughed land, a plateau's top.
    Open,
    /// A slope.
    Slope(Slope),
    /// A wood.
    Wood(Wood),
    /// A linear obstacle, or the face of a redoubt.
    Obstacle(Obstacle),
    /// A stream or a ford.
    Water(Water),
    /// A road, a street, a bridge.
    Road(Road),
    /// A battery abandoned, spiked or overturned.
    AbandonedBattery(Battery),
}

/// Melee on a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Slope {
    /// Mean distance of the attacker's contacted figures from the crest.
    pub attacker_cm: Centimetres,
    /// Mean distance of the defender's.
    pub defender_cm: Centimetres,
    /// Both stand on one slope, or the lower one at its foot.
    #[serde(default = "yes")]
    pub same_slope: bool,
    /// The attacker's whole front stands on that slope.
    #[serde(default = "yes")]
    pub attacker_whole_front: bool,
    /// The defender's does.
    #[serde(default = "yes")]
    pub defender_whole_front: bool,
    /// The attacker touches the slope, instead of reaching its foot from outside.
    #[serde(default = "yes")]
    pub attacker_on_slope: bool,
}

/// Melee in a wood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wood {
    /// The attacker's figures that fight are in the wood.
    #[serde(default)]
    pub attacker_in: bool,
    /// The defender's are.
    #[serde(default = "yes")]
    pub defender_in: bool,
    /// The defender was caught while entering or leaving.
    #[serde(default)]
    pub defender_caught: bool,
}

/// Melee over a linear obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Obstacle {
    /// Its class.
    pub class: ObstacleClass,
    /// The defender touches it.
    #[serde(default = "yes")]
    pub defender_touches: bool,
    /// The attacker touches it too, from the other side, since the round before.
    #[serde(default)]
    pub attacker_kept_contact: bool,
    /// The attacker comes from a side where the obstacle is not.
    #[serde(default)]
    pub from_open_side: bool,
    /// The defender was caught while crossing it.
    #[serde(default)]
    pub defender_caught: bool,
    /// One side has followed across: ranks of it that are over.
    pub followed_across: Option<FollowedAcross>,
}

/// A body that followed across an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FollowedAcross {
    /// It is the attacker, not the defender.
    #[serde(default = "yes")]
    pub attacker: bool,
    /// Ranks over.
    pub ranks_across: Whole<0, 99>,
}

/// Melee at water.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Water {
    /// The attacker touches it.
    #[serde(default)]
    pub attacker_in: bool,
    /// The defender does.
    #[serde(default)]
    pub defender_in: bool,
    /// The attacker was pushed back into it.
    #[serde(default)]
    pub attacker_pushed_in: bool,
    /// The defender was pushed back into it.
    #[serde(default)]
    pub defender_pushed_in: bool,
}

/// Melee on a road.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Road {
    /// The unit on the road has room for its line.
    #[serde(default = "yes")]
    pub room_to_deploy: bool,
    /// Trees line it.
    #[serde(default)]
    pub tree_lined: bool,
    /// It is a bridge, and the unit is partly on it.
    #[serde(default)]
    pub bridge: bool,
    /// It is a bridge, and the attacker is partly on it.
    #[serde(default)]
    pub attacker_on_bridge: bool,
    /// Trees line it, and the attacker too fights on it.
    #[serde(default)]
    pub attacker_between_trees: bool,
    /// The attack comes in flank.
    #[serde(default)]
    pub flank: bool,
}

/// Melee at abandoned guns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// The defender stands among them, or touches them on the side of the contact.
    #[serde(default = "yes")]
    pub defender_holds: bool,
    /// Both touch them from opposite sides.
    #[serde(default)]
    pub attacker_touches: bool,
}

fn yes() -> bool {
    true
}

/// One side of the melee, as the ground leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Stand {
    /// Figures that fight.
    pub fights: i32,
    /// In this state.
    pub state: State,
    /// Behind this.
    pub cover: MeleeCover,
    /// The factor ground and state add, in all.
    pub factor: i32,
    /// The parts of that factor.
    pub parts: Vec<Part>,
    /// Whether a charge bonus counts.
    pub charge_bonus: bool,
}

/// A part of a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Part {
    /// What for.
    pub what: What,
    /// How much.
    pub value: i32,
}

/// What ground counts for in melee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The state of the body.
    State,
    /// The cover of the enemy.
    EnemyCover,
    /// Above on a slope, or dry before an enemy in a stream.
    Above,
    /// Following a recoiling enemy.
    Following,
    /// Taking the enemy in flank.
    Flank,
    /// Taking the enemy in rear.
    Rear,
}

/// The side on which a body is touched.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Reached {
    /// Its front; a square has nothing else.
    #[default]
    Front,
    /// Its flank.
    Flank,
    /// Its rear.
    Rear,
}

/// Both sides of a round.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Round {
    /// The attacker.
    pub attacker: Stand,
    /// The defender.
    pub defender: Stand,
}

impl Place {
    /// The order in which elements of one ground act: what counts figures more strictly comes last.
    pub(super) const fn order(&self) -> u8 {
        match self {
            Self::Open => 0,
            Self::Wood(_) => 1,
            Self::Slope(_) => 2,
            Self::Water(_) => 3,
            Self::Road(_) => 4,
            Self::AbandonedBattery(_) => 5,
            Self::Obstacle(_) => 6,
        }
    }

    /// Whether its own rules say who fights from the second round on.
    pub(super) const fn says_who_fights(&self) -> bool {
        matches!(self, Self::Slope(_) | Self::Wood(_) | Self::Obstacle(_))
    }

    /// Whether only figures in contact fight in its first round, without overlap.
    pub(super) const fn is_by_contact(&self) -> bool {
        match self {
            Self::Wood(wood) => !wood.defender_caught,
            Self::Obstacle(line) => line.defender_touches && !line.from_open_side && !line.defender_caught,
            _ => false,
        }
    }
}
