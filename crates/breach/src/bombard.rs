//! Breaking the works: guns or a ram and an element enter; whether it falls, and the destruction dice
//! it carries, leave. Section 14.2 of the core rules with the rulings on structures and rams.

use kernel::{Centimetres, Clerk, Reading, Refusal, Verdict};
use rulebook::options::breach::{
    GateKind, GateResistance, Options, RamHits, StructureResistance, TowerResistance, WallResistance,
};
use rulebook::{phrase::breach as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terms::{count, read, shown};

/// What can be brought down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Element {
    /// The leaf of a gate.
    Gate,
    /// A section of wall.
    Wall,
    /// A tower.
    Tower,
    /// The structure of a gate that is a tower.
    GateTower,
    /// A section of palisade.
    PalisadeWall,
    /// A tower of a palisade.
    PalisadeTower,
}

impl Element {
    /// What it withstands: it falls to more than that.
    pub fn resistance(self, options: &Options, clerk: &mut impl Clerk) -> i32 {
        let Resistances { gate, wall, tower } = Resistances::of(options);
        if self == Self::GateTower && options.gate_kind == GateKind::Wall {
            return clerk.value(rule!(BR_R14), wall);
        }
        let resistance = match self {
            Self::Gate => gate,
            Self::Wall => wall,
            Self::Tower => clerk.rather(rule!(BR_TOWERS_04), tower, wall),
            Self::GateTower => i32::midpoint(wall, tower),
            Self::PalisadeWall => wall - 5,
            Self::PalisadeTower => clerk.rather(rule!(BR_TOWERS_04), tower - 5, wall - 5),
        };
        let rule = match (options.structure_resistance, self) {
            (StructureResistance::V12_20_30, _) => rule!(BC_14_2_02),
            (StructureResistance::Custom, Self::Gate) => rule!(BR_R107),
            (StructureResistance::Custom, Self::Wall | Self::PalisadeWall) => rule!(BR_R108),
            (StructureResistance::Custom, Self::Tower | Self::PalisadeTower) => rule!(BR_R109),
            (StructureResistance::Custom, Self::GateTower) => rule!(BR_R02),
        };
        clerk.value(rule, resistance)
    }
}

/// What gate, wall and tower withstand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Resistances {
    gate: i32,
    wall: i32,
    tower: i32,
}

impl Resistances {
    /// Those of the table, or those that the players have set.
    const fn of(options: &Options) -> Self {
        Self {
            gate: match options.gate_resistance {
                GateResistance::V6 => 6,
                GateResistance::V9 => 9,
                GateResistance::V12 => 12,
                GateResistance::V15 => 15,
                GateResistance::V18 => 18,
                GateResistance::V24 => 24,
            },
            wall: match options.wall_resistance {
                WallResistance::V10 => 10,
                WallResistance::V15 => 15,
                WallResistance::V20 => 20,
                WallResistance::V25 => 25,
                WallResistance::V30 => 30,
            },
            tower: match options.tower_resistance {
                TowerResistance::V15 => 15,
                TowerResistance::V20 => 20,
                TowerResistance::V25 => 25,
                TowerResistance::V30 => 30,
                TowerResistance::V35 => 35,
                TowerResistance::V40 => 40,
            },
        }
    }
}

/// Whether resistances like these can be agreed on: numbers of one's own only where the players set them
/// (BR-R02), and towers stronger than walls.
///
/// # Errors
/// When they cannot, with the option that is wrong.
pub(crate) fn agreed(options: &Options) -> Verdict<()> {
    let table = options.structure_resistance != StructureResistance::Custom;
    for (rule, field, changed) in [
        (rule!(BR_R107), "options.gate_resistance", options.gate_resistance != GateResistance::V12),
        (rule!(BR_R108), "options.wall_resistance", options.wall_resistance != WallResistance::V20),
        (rule!(BR_R109), "options.tower_resistance", options.tower_resistance != TowerResistance::V30),
    ] {
        if table && rule.holds(changed) {
            return Err(Refusal::rule(rule, phrase::RESISTANCE_OF_THE_TABLE).at(field));
        }
    }
    let Resistances { wall, tower, .. } = Resistances::of(options);
    if rule!(BR_TOWERS_04).holds(tower <= wall) {
        return Err(
            Refusal::rule(rule!(BR_TOWERS_04), phrase::TOWER_NOT_STRONGER).at("options.tower_resistance")
        );
    }
    Ok(())
}

/// The guns that break walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Breacher {
    /// A cannon of the army.
    Cannon,
    /// A stone thrower of the army.
    StoneThrower,
    /// A siege engine.
    Mangonel,
    /// A siege engine.
    Bombard,
    /// A siege engine.
    Trebuchet,
}

/// A gun and its distance from the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gun {
    /// What it is.
    pub gun: Breacher,
    /// Its stands.
    pub stands: i32,
    /// From the element.
    pub distance: Centimetres,
}

/// Rams, as bombardments have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RamItem {
    /// A covered ram.
    Ram,
    /// A log carried by hand.
    PortableRam,
}

/// What is done to an element each turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Battering {
    /// Guns shoot at it, one after the other.
    Guns(Vec<Gun>),
    /// A unit rams it.
    Ram {
        /// With what.
        item: RamItem,
        /// The stands of the unit.
        stands: i32,
    },
}

/// The state of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Standing {
    /// Whether it has fallen.
    pub destroyed: bool,
    /// The turn of its fall; 0 while it stands.
    pub turn: i32,
    /// The destruction dice it carries; none once it has fallen.
    pub destruction_dice: i32,
}

impl Breacher {
    /// The least and the greatest range, and the rule that says so.
    const fn range(self) -> (Centimetres, Centimetres) {
        let (least, most) = match self {
            Self::Cannon | Self::StoneThrower => (0, 60),
            Self::Mangonel => (20, 90),
            Self::Bombard => (0, 90),
            Self::Trebuchet => (20, 120),
        };
        (Centimetres::whole(least), Centimetres::whole(most))
    }

    /// The shooting Attacks of a stand.
    pub(crate) fn attacks(self, clerk: &mut impl Clerk) -> i32 {
        match self {
            Self::Cannon => clerk.value(rule!(BC_7_01), 2),
            Self::StoneThrower => clerk.value(rule!(BC_7_05), 3),
            Self::Mangonel | Self::Bombard => clerk.value(rule!(BC_7_09), 4),
            Self::Trebuchet => clerk.value(rule!(BC_7_09), 6),
        }
    }

    /// Whether it can reach.
    ///
    /// # Errors
    /// When the distance is below its least or above its greatest range.
    pub(crate) fn reaches(self, distance: Centimetres, field: &str) -> Verdict<()> {
        let rule = match self {
            Self::Cannon | Self::StoneThrower => rule!(BC_6_01),
            Self::Mangonel | Self::Bombard | Self::Trebuchet => rule!(BR_R07),
        };
        in_range(rule, distance, self.range(), field)
    }
}

/// Whether a distance lies within a range, both ends included.
///
/// # Errors
/// When it does not.
pub(crate) fn in_range(
    rule: kernel::RuleId,
    distance: Centimetres,
    (least, most): (Centimetres, Centimetres),
    field: &str,
) -> Verdict<()> {
    if rule.holds(distance < least || distance > most) {
        return Err(Refusal::rule(rule, phrase::OUT_OF_RANGE)
            .at(field)
            .with("distance", distance)
            .with("least", least)
            .with("most", most));
    }
    Ok(())
}

impl Battering {
    /// Whether it can be done at all.
    ///
    /// # Errors
    /// A gun that does not reach.
    pub fn check(&self) -> Verdict<()> {
        if let Self::Guns(guns) = self {
            for (place, gun) in guns.iter().enumerate() {
                gun.gun.reaches(gun.distance, &format!("guns.{place}.distance_cm"))?;
            }
        }
        Ok(())
    }

    /// How many steps of one turn roll: the guns one by one; a ram rolls nothing before its test.
    pub(crate) fn guns(&self) -> &[Gun] {
        match self {
            Self::Guns(guns) => guns,
            Self::Ram { .. } => &[],
        }
    }

    /// The hits of a turn that need no dice.
    pub(crate) fn certain_hits(&self, options: &Options, clerk: &mut impl Clerk) -> i32 {
        match self {
            Self::Guns(_) => 0,
            Self::Ram { stands, .. } => ram_hits(*stands, options, clerk),
        }
    }
}

/// The hits of one attempt with a ram.
pub fn ram_hits(stands: i32, options: &Options, clerk: &mut impl Clerk) -> i32 {
    match options.ram_hits {
        RamHits::One => clerk.value(rule!(BC_14_7_01), 1),
        RamHits::OnePerStand => clerk.value(rule!(BR_R03), stands),
    }
}

/// The hits of a gun on an element.
pub fn shoot_at(gun: &Gun, clerk: &mut impl Clerk) -> i32 {
    let dice = gun.stands * gun.gun.attacks(clerk);
    let mut face = clerk.value(rule!(BC_14_2_01), 6);
    if matches!(gun.gun, Breacher::Cannon | Breacher::Bombard) {
        face += clerk.modifier(rule!(BC_7_02), -1);
    }
    shown(dice, face, clerk)
}

/// The structure test at the end of the phase, or of a ram at once: `None` when the element falls, else
/// the destruction dice it carries on.
pub fn test(
    resistance: i32,
    hits: i32,
    destruction_dice: i32,
    ram: bool,
    clerk: &mut impl Clerk,
) -> Option<i32> {
    let dice = hits + destruction_dice;
    let ruling = if ram { rule!(BR_R03) } else { rule!(BR_R02) };
    let sum = read(clerk.tally(count(dice), &Reading::SUM.up_to(count(resistance) + 1)).sum);
    if clerk.holds(ruling, sum > resistance) {
        return None;
    }
    Some(destruction_dice + if hits > 0 { clerk.modifier(ruling, 1) } else { 0 })
}

/// One turn: the guns, then the test if there is a hit or a die.
pub fn turn(
    battering: &Battering,
    resistance: i32,
    destruction_dice: i32,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Option<i32> {
    let mut hits = battering.certain_hits(options, clerk);
    for gun in battering.guns() {
        hits += shoot_at(gun, clerk);
    }
    tested(battering, resistance, hits, destruction_dice, clerk)
}

/// The test of a turn.
pub(crate) fn tested(
    battering: &Battering,
    resistance: i32,
    hits: i32,
    destruction_dice: i32,
    clerk: &mut impl Clerk,
) -> Option<i32> {
    test(resistance, hits, destruction_dice, matches!(battering, Battering::Ram { .. }), clerk)
}
