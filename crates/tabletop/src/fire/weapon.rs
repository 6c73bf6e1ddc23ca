//! Weapons, ranges and range bands: sections 1.1, 3.2 and 5 of the fire chapter.

use std::sync::LazyLock;

use kernel::Centimetres;
use rulebook::tables::tabletop_fire as tables;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Weapon {
    Musketoon,
    Musket,
    Rifle,
    #[serde(rename = "calibre-3")]
    Calibre3,
    #[serde(rename = "calibre-4")]
    Calibre4,
    #[serde(rename = "calibre-6")]
    Calibre6,
    #[serde(rename = "calibre-8")]
    Calibre8,
    #[serde(rename = "calibre-9")]
    Calibre9,
    #[serde(rename = "calibre-12")]
    Calibre12,
}

impl Weapon {
    /// The weapon as small arm or gun.
    #[must_use]
    pub const fn kind(self) -> WeaponKind {
        match self {
            Self::Musketoon => WeaponKind::Small(SmallArm::Musketoon),
            Self::Musket => WeaponKind::Small(SmallArm::Musket),
            Self::Rifle => WeaponKind::Small(SmallArm::Rifle),
            Self::Calibre3 => WeaponKind::Gun(Calibre::Three),
            Self::Calibre4 => WeaponKind::Gun(Calibre::Four),
            Self::Calibre6 => WeaponKind::Gun(Calibre::Six),
            Self::Calibre8 => WeaponKind::Gun(Calibre::Eight),
            Self::Calibre9 => WeaponKind::Gun(Calibre::Nine),
            Self::Calibre12 => WeaponKind::Gun(Calibre::Twelve),
        }
    }
}

/// The two families of weapons, which the chapter treats apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeaponKind {
    /// Carried by men.
    Small(SmallArm),
    /// Drawn by horses.
    Gun(Calibre),
}

/// A small arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SmallArm {
    /// Of the cavalry.
    Musketoon,
    /// Of the infantry.
    Musket,
    /// Of those whose entry says so.
    Rifle,
}

/// The calibre of a battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Calibre {
    #[serde(rename = "calibre-3")]
    Three,
    #[serde(rename = "calibre-4")]
    Four,
    #[serde(rename = "calibre-6")]
    Six,
    #[serde(rename = "calibre-8")]
    Eight,
    #[serde(rename = "calibre-9")]
    Nine,
    #[serde(rename = "calibre-12")]
    Twelve,
}

impl Calibre {
    /// All calibres, in the order of the tables.
    pub const ALL: [Self; 6] = [Self::Three, Self::Four, Self::Six, Self::Eight, Self::Nine, Self::Twelve];

    /// In pounds.
    #[must_use]
    pub const fn pounds(self) -> i32 {
        match self {
            Self::Three => 3,
            Self::Four => 4,
            Self::Six => 6,
            Self::Eight => 8,
            Self::Nine => 9,
            Self::Twelve => 12,
        }
    }
}

/// What a battery fires.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Projectile {
    /// Ball, also called round shot.
    #[default]
    Ball,
    /// Canister.
    Canister,
}

impl Projectile {
    /// The one that is not fired.
    #[must_use]
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Ball => Self::Canister,
            Self::Canister => Self::Ball,
        }
    }
}

/// The limits of a small arm: a distance beyond one of them is in the next band.
#[derive(Clone, Copy, Debug)]
pub struct SmallArmBands {
    /// Point-blank up to here.
    pub point_blank: Centimetres,
    /// One third of the range.
    pub third: Centimetres,
    /// Two thirds of the range.
    pub two_thirds: Centimetres,
    /// The range.
    pub range: Centimetres,
}

/// The limits of a gun.
#[derive(Clone, Copy, Debug)]
pub struct GunBands {
    /// Canister reaches so far.
    pub canister: Centimetres,
    /// One half of the range.
    pub half: Centimetres,
    /// Three quarters of the range.
    pub three_quarters: Centimetres,
    /// The range.
    pub range: Centimetres,
    /// How far behind a line a ball still hits.
    pub penetration: Centimetres,
}

/// Under this distance canister is doubled (FE-3.3-10).
pub const CANISTER_DOUBLED_UNDER: Centimetres = Centimetres::whole(10);

static SMALL_ARMS: LazyLock<[SmallArmBands; 3]> = LazyLock::new(|| {
    use tables::SmallArmsBandsWeapon as Weapon;
    [Weapon::Musketoon, Weapon::Musket, Weapon::Rifle].map(|weapon| {
        let row = weapon.row();
        SmallArmBands {
            point_blank: row.point_blank_max_cm,
            third: row.third_cm,
            two_thirds: row.two_thirds_cm,
            range: row.max_range_cm,
        }
    })
});

static GUNS: LazyLock<[GunBands; 6]> = LazyLock::new(|| {
    Calibre::ALL.map(|calibre| {
        let pounds = calibre.pounds();
        let bands = tables::ARTILLERY_BANDS.iter().find(|row| row.calibre == pounds);
        let canister = tables::CANISTER_RANGES.iter().find(|row| row.calibre == pounds);
        let penetration = tables::PENETRATION_DISTANCES.iter().find(|row| row.calibre == pounds);
        let (Some(bands), Some(canister), Some(penetration)) = (bands, canister, penetration) else {
            unreachable!("the tables have a row for each calibre: see the tests of this module");
        };
        GunBands {
            canister: canister.canister_range_cm,
            half: bands.half_range_cm,
            three_quarters: bands.three_quarter_range_cm,
            range: bands.max_range_cm,
            penetration: penetration.penetration_cm,
        }
    })
});

impl SmallArm {
    /// Its range and bands.
    #[must_use]
    pub fn bands(self) -> SmallArmBands {
        SMALL_ARMS[self as usize]
    }
}

impl Calibre {
    /// Its range and bands.
    #[must_use]
    pub fn bands(self) -> GunBands {
        GUNS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bands_are_the_fractions_of_the_range_the_book_names() {
        for arm in [SmallArm::Musketoon, SmallArm::Musket, SmallArm::Rifle] {
            let bands = arm.bands();
            assert_eq!(bands.third.count() * 3, bands.range.count());
            assert_eq!(bands.two_thirds.count() * 3, bands.range.count() * 2);
        }
        for calibre in Calibre::ALL {
            let bands = calibre.bands();
            assert_eq!(bands.canister.count() * 4, bands.range.count());
            assert_eq!(bands.half.count() * 2, bands.range.count());
            assert_eq!(bands.three_quarters.count() * 4, bands.range.count() * 3);
            assert_eq!(bands.penetration.count() * 5, bands.range.count());
        }
    }
}
