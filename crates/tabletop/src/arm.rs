//! The arm of a body: one notion for fire, sight and ground. What a request may call it depends on what
//! it asks about: fire knows the cuirass and no teams, ground knows teams and no cuirass.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The arms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// On foot.
    #[default]
    Infantry,
    /// Mounted.
    Cavalry,
    /// Mounted and armoured.
    Cuirassiers,
    /// Guns drawn by walking gunners.
    FootArtillery,
    /// Guns whose gunners ride.
    HorseArtillery,
    /// A general or an aide-de-camp by himself.
    Officer,
}

impl Arm {
    /// Whether it rides in formation.
    #[must_use]
    pub const fn is_cavalry(self) -> bool {
        matches!(self, Self::Cavalry | Self::Cuirassiers)
    }

    /// Whether it rides, alone or in formation.
    #[must_use]
    pub const fn is_mounted(self) -> bool {
        matches!(self, Self::Cavalry | Self::Cuirassiers | Self::Officer)
    }

    /// Whether it has guns.
    #[must_use]
    pub const fn is_artillery(self) -> bool {
        matches!(self, Self::FootArtillery | Self::HorseArtillery)
    }
}

/// The words for a target of fire.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "TargetArm")]
pub(crate) enum TargetWord {
    /// On foot.
    Infantry,
    /// Mounted.
    Cavalry,
    /// Mounted and armoured.
    Cuirassiers,
    /// Guns and gunners.
    Artillery,
    /// A general or an aide-de-camp by himself.
    Officer,
}

/// The words for a body on the ground.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Arm")]
pub(crate) enum GroundWord {
    /// On foot.
    Infantry,
    /// Mounted.
    Cavalry,
    /// Guns drawn by walking gunners.
    FootArtillery,
    /// Guns whose gunners ride.
    HorseArtillery,
}

/// Reads the arm of a target of fire.
pub(crate) fn of_target<'de, D: Deserializer<'de>>(from: D) -> Result<Arm, D::Error> {
    Ok(match TargetWord::deserialize(from)? {
        TargetWord::Infantry => Arm::Infantry,
        TargetWord::Cavalry => Arm::Cavalry,
        TargetWord::Cuirassiers => Arm::Cuirassiers,
        TargetWord::Artillery => Arm::FootArtillery,
        TargetWord::Officer => Arm::Officer,
    })
}

/// Writes the arm of a target of fire as it is read.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
pub(crate) fn as_target<S: Serializer>(arm: &Arm, into: S) -> Result<S::Ok, S::Error> {
    let word = match arm {
        Arm::Infantry => TargetWord::Infantry,
        Arm::Cavalry => TargetWord::Cavalry,
        Arm::Cuirassiers => TargetWord::Cuirassiers,
        Arm::FootArtillery | Arm::HorseArtillery => TargetWord::Artillery,
        Arm::Officer => TargetWord::Officer,
    };
    word.serialize(into)
}

/// Reads the arm of a body on the ground.
pub(crate) fn on_ground<'de, D: Deserializer<'de>>(from: D) -> Result<Arm, D::Error> {
    Ok(match GroundWord::deserialize(from)? {
        GroundWord::Infantry => Arm::Infantry,
        GroundWord::Cavalry => Arm::Cavalry,
        GroundWord::FootArtillery => Arm::FootArtillery,
        GroundWord::HorseArtillery => Arm::HorseArtillery,
    })
}
