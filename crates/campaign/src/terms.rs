//! The words of the charts as types: arms, ground, water, weather, sides of the war. They are what
//! a request may say and what the tables are read into.

use std::fmt;

use kernel::MovementPoints;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};

/// Declares a list of words: kebab-case outside, an enum inside.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(
            Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
        )]
        #[serde(rename_all = "kebab-case")]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// Every one of them, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
        }
    };
}

words! {
    /// An arm.
    Arm {
        /// Foot.
        #[default] Infantry,
        /// Horse.
        Cavalry,
        /// Guns.
        Artillery,
    }
}

words! {
    /// What a hex is on the terrain chart.
    Hex {
        /// Clear ground.
        #[default] Clear,
        /// Mountain.
        Mountain,
        /// Forest.
        Forest,
        /// Hill.
        Hill,
        /// Wooded hill.
        WoodedHill,
        /// Town, on some other ground.
        Town,
        /// Depot.
        Depot,
        /// Citadel.
        Citadel,
    }
}

words! {
    /// The ground a town stands on.
    Ground {
        /// Clear ground.
        #[default] Clear,
        /// Mountain.
        Mountain,
        /// Forest.
        Forest,
        /// Hill.
        Hill,
        /// Wooded hill.
        WoodedHill,
    }
}

impl Ground {
    /// The same as a hex without settlement.
    #[must_use]
    pub const fn hex(self) -> Hex {
        match self {
            Self::Clear => Hex::Clear,
            Self::Mountain => Hex::Mountain,
            Self::Forest => Hex::Forest,
            Self::Hill => Hex::Hill,
            Self::WoodedHill => Hex::WoodedHill,
        }
    }
}

words! {
    /// The road a step follows.
    Road {
        /// No road.
        #[default] None,
        /// A primary road.
        Primary,
        /// A secondary road.
        Secondary,
    }
}

words! {
    /// What lies on a hexside.
    Side {
        /// Nothing.
        #[default] None,
        /// A primary river.
        PrimaryRiver,
        /// A secondary river.
        SecondaryRiver,
        /// A bridge over a primary river.
        PrimaryBridge,
        /// A bridge over a secondary river.
        SecondaryBridge,
        /// A pontoon.
        Pontoon,
        /// A lake.
        Lake,
    }
}

impl Side {
    /// Whether there is a river, bridged or not.
    #[must_use]
    pub const fn is_river(self) -> bool {
        !matches!(self, Self::None | Self::Lake)
    }

    /// Whether one goes over it on planks or stone.
    #[must_use]
    pub const fn is_bridge(self) -> bool {
        matches!(self, Self::PrimaryBridge | Self::SecondaryBridge | Self::Pontoon)
    }
}

words! {
    /// What a retreat crosses, as far as pursuit losses care.
    Crossing {
        /// No water.
        #[default] None,
        /// A secondary river without a bridge, or a frozen lake or primary river.
        SecondaryRiver,
        /// A bridge over a primary river.
        PrimaryBridge,
        /// A bridge over a secondary river.
        SecondaryBridge,
        /// A pontoon over a primary river.
        PrimaryPontoon,
        /// A pontoon over a secondary river.
        SecondaryPontoon,
    }
}

words! {
    /// The weather of a turn.
    Weather {
        /// Clear.
        #[default] Clear,
        /// Frost.
        Frost,
        /// Snow.
        Snow,
        /// Rain.
        Rain,
        /// Mud.
        Mud,
        /// Rain over mud.
        RainMud,
    }
}

impl Weather {
    /// Whether water bears.
    #[must_use]
    pub const fn freezes(self) -> bool {
        matches!(self, Self::Frost | Self::Snow)
    }

    /// Whether it rains, over mud or not.
    #[must_use]
    pub const fn rains(self) -> bool {
        matches!(self, Self::Rain | Self::RainMud)
    }

    /// Whether there is mud, rained on or not.
    #[must_use]
    pub const fn is_muddy(self) -> bool {
        matches!(self, Self::Mud | Self::RainMud)
    }
}

words! {
    /// A month of the weather chart.
    Month {
        /// November.
        #[default] November,
        /// December.
        December,
    }
}

impl Month {
    /// The other month of the chart.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::November => Self::December,
            Self::December => Self::November,
        }
    }
}

words! {
    /// The kind of game: a statement reserved to one is ignored in the other (CA-general-03).
    Game {
        /// The campaign.
        #[default] Campaign,
        /// A battle scenario.
        Battle,
    }
}

words! {
    /// A side of the war.
    Army {
        /// The French.
        #[default] French,
        /// The Austro-Russians.
        AustroRussian,
    }
}

words! {
    /// A side of a combat.
    Party {
        /// The side that attacks.
        #[default] Attacker,
        /// The side that is attacked.
        Defender,
    }
}

impl Party {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Attacker => Self::Defender,
            Self::Defender => Self::Attacker,
        }
    }
}

words! {
    /// Which of two formations is in forage mode.
    Foraging {
        /// Neither.
        #[default] None,
        /// The attacking one.
        Attacker,
        /// The defending one.
        Defender,
        /// Both.
        Both,
    }
}

impl Foraging {
    /// Whether this party forages.
    #[must_use]
    pub fn includes(self, party: Party) -> bool {
        self == Self::Both
            || match party {
                Party::Attacker => self == Self::Attacker,
                Party::Defender => self == Self::Defender,
            }
    }
}

/// A strength in strength points, fractions allowed; kept in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(i64);

impl Strength {
    const SCALE: i64 = 1_000_000;
    const MOST: i64 = 10_000;

    /// A whole number of strength points.
    #[must_use]
    pub const fn whole(points: i32) -> Self {
        Self(points as i64 * Self::SCALE)
    }

    /// In hundredths of a strength point.
    #[must_use]
    pub const fn hundredths(hundredths: i64) -> Self {
        Self(hundredths * (Self::SCALE / 100))
    }

    /// From millionths, if there is anything.
    #[must_use]
    pub const fn from_millionths(millionths: i64) -> Option<Self> {
        if millionths > 0 { Some(Self(millionths)) } else { None }
    }

    /// In millionths.
    #[must_use]
    pub const fn millionths(self) -> i64 {
        self.0
    }

    /// From a decimal number, if it is above zero and no more than an army ever had.
    #[must_use]
    pub fn from_decimal(value: f64) -> Option<Self> {
        if !value.is_finite() || value > Self::MOST as f64 {
            return None;
        }
        #[allow(clippy::cast_possible_truncation, reason = "bounded just above")]
        let scaled = (value * Self::SCALE as f64).round() as i64;
        (scaled > 0).then_some(Self(scaled))
    }
}

struct StrengthReader;

impl Visitor<'_> for StrengthReader {
    type Value = Strength;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0 < SP ≤ {}", Strength::MOST)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Strength, E> {
        Strength::from_decimal(value).ok_or_else(|| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Strength, E> {
        i32::try_from(value)
            .ok()
            .and_then(|value| Strength::from_decimal(f64::from(value)))
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Strength, E> {
        i32::try_from(value)
            .ok()
            .and_then(|value| Strength::from_decimal(f64::from(value)))
            .ok_or_else(|| E::invalid_value(Unexpected::Unsigned(value), &self))
    }
}

impl<'de> Deserialize<'de> for Strength {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_f64(StrengthReader)
    }
}

impl JsonSchema for Strength {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "StrengthPoints".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "exclusiveMinimum": 0, "maximum": Self::MOST })
    }
}

/// Movement points that cannot be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spent(pub MovementPoints);

impl<'de> Deserialize<'de> for Spent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = MovementPoints::deserialize(deserializer)?;
        if (0..=1000).contains(&points.count()) {
            return Ok(Self(points));
        }
        Err(de::Error::invalid_value(Unexpected::Float(points.as_decimal()), &"0, 0.5, 1, 1.5 … 500"))
    }
}

impl JsonSchema for Spent {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "MovementPointsSpent".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 500, "multipleOf": 0.5 })
    }
}

/// A decimal number in hundredths, not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ForageValue(pub i32);

impl<'de> Deserialize<'de> for ForageValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = kernel::Metres::deserialize(deserializer)?.count();
        if (0..=100_000).contains(&value) {
            return Ok(Self(value));
        }
        Err(de::Error::invalid_value(Unexpected::Float(f64::from(value) / 100.0), &"0 … 1000"))
    }
}

impl Serialize for ForageValue {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        kernel::Metres::hundredths(self.0).serialize(serializer)
    }
}

impl kernel::Shifted for ForageValue {
    fn shifted(self) -> Self {
        Self(self.0 + 100)
    }
}

impl From<ForageValue> for kernel::Measure {
    fn from(value: ForageValue) -> Self {
        kernel::Metres::hundredths(value.0).to_string().into()
    }
}

impl JsonSchema for ForageValue {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ForageValue".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1000 })
    }
}
