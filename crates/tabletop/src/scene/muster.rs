//! What a body is: foot, horse, guns or an officer, with companies, weapons and crews.

use kernel::Whole;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Arm;
use crate::fire::{Calibre, SmallArm};

/// What a body is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Muster {
    /// Foot.
    Infantry(Drill),
    /// Horse.
    Cavalry(Weight),
    /// Guns.
    Artillery(Battery),
    /// A general or an aide.
    Officer(Officer),
}

impl Muster {
    /// Its arm.
    #[must_use]
    pub const fn arm(&self) -> Arm {
        match self {
            Self::Infantry(_) => Arm::Infantry,
            Self::Cavalry(weight) if weight.cuirass => Arm::Cuirassiers,
            Self::Cavalry(_) => Arm::Cavalry,
            Self::Artillery(battery) => match battery.team {
                GunTeam::Foot => Arm::FootArtillery,
                GunTeam::Horse => Arm::HorseArtillery,
            },
            Self::Officer(_) => Arm::Officer,
        }
    }

    /// Its companies or squadrons.
    #[must_use]
    pub fn companies(&self) -> &[Company] {
        match self {
            Self::Infantry(drill) => &drill.companies,
            Self::Cavalry(weight) => &weight.companies,
            Self::Artillery(_) | Self::Officer(_) => &[],
        }
    }
}

/// Infantry: its drill and its companies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// Its class of movement.
    #[serde(default)]
    pub class: DrillClass,
    /// Its companies, in the order they stand from left to right or from front to rear.
    pub companies: Vec<Company>,
}

/// Classes of infantry movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DrillClass {
    /// French, British, Prussian.
    #[default]
    A,
    /// Austrian, Russian.
    B,
    /// Militia, landwehr.
    C,
}

/// Cavalry: its weight and its squadrons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Its class.
    pub class: WeightClass,
    /// Whether it wears the cuirass.
    #[serde(default)]
    pub cuirass: bool,
    /// Whether it carries lances.
    #[serde(default)]
    pub lance: bool,
    /// Its squadrons.
    pub companies: Vec<Company>,
}

/// Classes of cavalry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WeightClass {
    /// Light.
    Light,
    /// Medium.
    Medium,
    /// Heavy.
    Heavy,
    /// Irregular horse.
    Irregular,
}

/// A company or squadron: figures of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Company {
    /// Its name.
    pub name: String,
    /// Its figures now.
    pub figures: Whole<0, 60>,
    /// Its figures at the start of the game; those it has now unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Whole<1, 60>>,
    /// Its base fire factor.
    pub fire: Whole<-5, 15>,
    /// Its base melee value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub melee: Option<Whole<-5, 15>>,
    /// What it fires with; what its arm carries unless told: infantry the musket, cavalry the
    /// musketoon (FE-1.1-02, FE-1.1-03).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weapon: Option<Weapon>,
    /// Whether its figures are elite.
    #[serde(default)]
    pub elite: bool,
    /// Whether they are sappers.
    #[serde(default)]
    pub sappers: bool,
    /// Whether they are light infantry, for the option `skirmish_die`.
    #[serde(default)]
    pub light: bool,
}

impl Company {
    /// What its figures fire with in a body of that arm.
    #[must_use]
    pub fn carries(&self, arm: Arm) -> Weapon {
        self.weapon.unwrap_or(if arm.is_cavalry() { Weapon::Musketoon } else { Weapon::Musket })
    }
}

/// What a figure fires with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Weapon {
    /// The infantry musket.
    Musket,
    /// The rifle.
    Rifle,
    /// The cavalry musketoon.
    Musketoon,
    /// Nothing.
    None,
}

impl Weapon {
    /// The small arm, if it is one.
    #[must_use]
    pub const fn small_arm(self) -> Option<SmallArm> {
        match self {
            Self::Musket => Some(SmallArm::Musket),
            Self::Rifle => Some(SmallArm::Rifle),
            Self::Musketoon => Some(SmallArm::Musketoon),
            Self::None => None,
        }
    }
}

/// How guns are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GunTeam {
    /// Foot artillery.
    #[default]
    Foot,
    /// Horse artillery.
    Horse,
}

/// A battery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// Its calibre.
    pub calibre: Calibre,
    /// Its pieces.
    pub guns: Whole<1, 24>,
    /// Gunner figures left; those of the table of crews unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crew: Option<Whole<0, 12>>,
    /// Gunner figures at the start; those of the table of crews unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_crew: Option<Whole<1, 12>>,
    /// Its base fire factor.
    pub fire: Whole<-5, 15>,
    /// Its base melee value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub melee: Option<Whole<-5, 15>>,
    /// How it is drawn.
    #[serde(default)]
    pub team: GunTeam,
    /// Whether it has howitzers.
    #[serde(default)]
    pub howitzers: bool,
    /// Its budget.
    #[serde(default)]
    pub budget: u32,
}

/// A general or an aide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Officer {
    /// A general, or an aide if not.
    #[serde(default = "yes")]
    pub general: bool,
    /// His command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Whole<0, 5>>,
    /// His charisma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charisma: Option<Whole<0, 5>>,
    /// His budget.
    #[serde(default)]
    pub budget: u32,
}

const fn yes() -> bool {
    true
}
