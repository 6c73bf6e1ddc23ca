//! The words of the wall: arms, machines, armour and lengths as the questions and the game use them.
//! Section 1 of the core rules and the equipment lists of the supplement.

use std::borrow::Cow;

use kernel::{Centimetres, Clerk, Reading};
use rulebook::options::breach::{MachineExcessHits, Options};
use rulebook::rule;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

/// What a unit is made of.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// Foot.
    #[default]
    Infantry,
    /// Horse.
    Cavalry,
    /// Chariots.
    Chariot,
    /// Guns and engines.
    Artillery,
    /// Monsters on foot.
    Monster,
    /// Whatever flies.
    Flyer,
}

impl Arm {
    /// How far a unit of it goes at full pace.
    pub fn full_pace(self, clerk: &mut impl Clerk) -> Centimetres {
        let pace = match self {
            Self::Infantry | Self::Monster => 20,
            Self::Cavalry | Self::Chariot => 30,
            Self::Artillery => 10,
            Self::Flyer => 100,
        };
        Centimetres::whole(clerk.value(rule!(BC_5_1_01), pace))
    }

    /// Whether its stands can be defended or fortified at all.
    #[must_use]
    pub const fn takes_cover(self) -> bool {
        matches!(self, Self::Infantry | Self::Artillery)
    }
}

/// What a unit of the besieger may carry or push.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// Nothing.
    #[default]
    None,
    /// Ladders, grapnels and ropes.
    Ladders,
    /// Shields on wheels.
    Mantlets,
    /// A log carried by hand.
    PortableRam,
    /// A covered ram.
    Ram,
    /// A tower on wheels.
    SiegeTower,
    /// A covered gallery.
    Sow,
}

impl Item {
    /// Whether its unit makes one move a turn only.
    #[must_use]
    pub const fn moves_once(self) -> bool {
        !matches!(self, Self::None | Self::Ladders)
    }
}

/// A covered machine, which takes the shots meant for its unit.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Machine {
    /// None.
    #[default]
    None,
    /// A covered ram.
    Ram,
    /// A siege tower.
    SiegeTower,
    /// A sow.
    Sow,
}

/// The Hits of a covered machine.
pub const MACHINE_HITS: i32 = 3;

/// Armour: the least face that saves, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Armour(i32);

impl Armour {
    /// None at all.
    pub const NONE: Self = Self(7);
    /// The 3+ of covered machines.
    pub const MACHINE: Self = Self(3);

    /// The armour of this face or more; 0 is none.
    #[must_use]
    pub fn new(face: i32) -> Option<Self> {
        match face {
            0 => Some(Self::NONE),
            3..=6 => Some(Self(face)),
            _ => None,
        }
    }

    /// Worse by so many.
    #[must_use]
    pub fn worse(self, by: i32) -> Self {
        Self((self.0 + by).clamp(2, 7))
    }

    /// The hits that are left of these after one die for each: as long as there is armour.
    pub fn unsaved(self, hits: i32, clerk: &mut impl Clerk) -> i32 {
        if self >= Self::NONE || hits == 0 {
            return hits;
        }
        let face = clerk.value(rule!(BC_6_04), self.0);
        hits - shown(hits, face, clerk)
    }
}

impl Default for Armour {
    fn default() -> Self {
        Self::NONE
    }
}

impl<'de> Deserialize<'de> for Armour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let face = i64::deserialize(deserializer)?;
        i32::try_from(face)
            .ok()
            .and_then(Self::new)
            .ok_or_else(|| D::Error::invalid_value(Unexpected::Signed(face), &"0, 3–6"))
    }
}

impl JsonSchema for Armour {
    fn schema_name() -> Cow<'static, str> {
        "Armour".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "enum": [0, 3, 4, 5, 6], "default": 0 })
    }
}

/// A length on the table as it is measured: not below nothing, with two decimals at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cm(pub Centimetres);

impl<'de> Deserialize<'de> for Cm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let written = f64::deserialize(deserializer)?;
        let read = Centimetres::from_decimal(written).ok();
        // What was rounded is not what was written: the third decimal counts.
        read.filter(|read| {
            *read >= Centimetres::ZERO && read.as_decimal().to_bits() == (written + 0.0).to_bits()
        })
        .map(Self)
        .ok_or_else(|| D::Error::invalid_value(Unexpected::Float(written), &"0, 0.01, 0.02 …"))
    }
}

impl JsonSchema for Cm {
    fn schema_name() -> Cow<'static, str> {
        "Cm".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "multipleOf": 0.01, "description": "cm" })
    }
}

/// How many of so many dice show this face or more.
pub(crate) fn shown(dice: i32, face: i32, clerk: &mut impl Clerk) -> i32 {
    read(clerk.tally(count(dice), &Reading::at_least(face)).sum)
}

/// A number of dice, which is never below none.
pub(crate) fn count(dice: i32) -> u32 {
    u32::try_from(dice).unwrap_or(0)
}

/// What was read off dice, as a number among others.
pub(crate) fn read(sum: u32) -> i32 {
    i32::try_from(sum).unwrap_or(i32::MAX)
}

/// What becomes of stands that are hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Casualties {
    /// Whole stands removed.
    pub stands: i32,
    /// Hits that are not enough for another; none when nobody is left.
    pub odd_hits: i32,
    /// Whether nobody is left.
    pub all: bool,
}

/// The hits beyond the last of a machine that fall on its unit.
pub fn carried(hits: i32, options: &Options, clerk: &mut impl Clerk) -> i32 {
    let over = (hits - MACHINE_HITS).max(0);
    let carried = over > 0 && options.machine_excess_hits == MachineExcessHits::Carried;
    if clerk.holds(rule!(BR_R83), carried) { over } else { 0 }
}

/// The stands that fall to these hits, those kept from before included.
pub fn casualties(stands: i32, hits_value: i32, hits: i32, clerk: &mut impl Clerk) -> Casualties {
    let each = clerk.value(rule!(BC_6_07), hits_value.max(1));
    let lost = (hits / each).min(stands);
    let all = lost == stands;
    Casualties { stands: lost, odd_hits: if all { 0 } else { hits % each }, all }
}
