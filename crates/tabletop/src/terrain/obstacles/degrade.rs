//! Section 8.5, its end: what guns do to obstacles. They change the class of a length, never more.

use kernel::{Centimetres, Clerk, Effect, Refusal, Verdict, Whole};
use rulebook::options::tabletop::{DegradingFireCausesLosses, Options};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::{
    ARTILLERY_DEGRADATION_RANGE, ArtilleryDegradationFromClass as Class,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What guns fire at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shelled {
    /// The side of a house.
    House,
    /// The face of a redoubt.
    Redoubt,
    /// A wall.
    HardLinear,
    /// A hedge.
    LightLinear,
}

impl Shelled {
    const fn class(self) -> Class {
        match self {
            Self::House => Class::House,
            Self::Redoubt => Class::Redoubt,
            Self::HardLinear => Class::HardLinear,
            Self::LightLinear => Class::LightLinear,
        }
    }
}

/// What a battery fires.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Shot {
    /// Round shot.
    #[default]
    Ball,
    /// Canister.
    Canister,
}

/// Batteries firing at one length of obstacle.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shelling {
    /// What they fire at.
    pub target: Shelled,
    /// Their calibre.
    pub calibre: Whole<3, 12>,
    /// From the battery to the obstacle.
    pub distance_cm: Centimetres,
    /// What they fire.
    #[serde(default)]
    pub shot: Shot,
    /// Quarters of fire.
    pub quarters: Whole<1, 400>,
    /// How many batteries.
    #[serde(default)]
    pub batteries: Whole<1, 99>,
    /// Length within the lane that is still whole.
    pub intact_cm: Centimetres,
}

/// What the shells achieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Damage {
    /// Length that changed its class.
    pub degraded_cm: Centimetres,
    /// Its class now.
    pub becomes: Option<Degraded>,
    /// Whether the same fire inflicts losses on the occupants.
    pub causes_losses: bool,
}

/// What a degraded length is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Degraded {
    /// Light shelter.
    Light,
    /// Hard shelter for good.
    Hard,
}

/// Below this distance a calibre degrades.
fn reach(calibre: i32) -> Option<Centimetres> {
    ARTILLERY_DEGRADATION_RANGE.iter().find(|row| row.calibre == calibre).map(|row| row.degrades_below_cm)
}

/// The fire of one or more batteries at an obstacle.
///
/// # Errors
/// With canister, at half range or more, at anything light.
pub fn shell(shelling: &Shelling, options: &Options, clerk: &mut impl Clerk) -> Verdict<Damage> {
    let Some(reach) = reach(shelling.calibre.get()) else {
        return Err(Refusal::field("calibre", kernel::phrase::IMPOSSIBLE_VALUE)
            .with("found", shelling.calibre.get())
            .with("expected", "3, 4, 6, 8, 9, 12"));
    };
    if rule!(TE_8_5_09).holds(shelling.shot == Shot::Canister) {
        return Err(Refusal::rule(rule!(TE_8_5_09), phrase::BALL_ONLY));
    }
    if shelling.distance_cm >= reach {
        return Err(Refusal::rule(rule!(TE_8_5_09), phrase::BEYOND_HALF_RANGE)
            .with("distance", shelling.distance_cm)
            .with("limit", reach));
    }
    if shelling.target == Shelled::LightLinear {
        Refusal::rule(rule!(TE_8_5_15), phrase::LIGHT_IS_NOT_DEGRADED).stands(())?;
    }
    clerk.because(rule!(TE_8_5_09), Effect::Limit(reach.into()));
    let row = shelling.target.class().row();
    let per_quarter = clerk.rather(rule!(TE_8_5_12), i64::from(row.cm_per_quarter), 0);
    let length = per_quarter * i64::from(shelling.quarters.get()) * i64::from(shelling.batteries.get());
    let degraded = length.min(i64::from(shelling.intact_cm.count().max(0)));
    let degraded = Centimetres::hundredths(i32::try_from(degraded).unwrap_or(i32::MAX));
    let degraded = clerk.value(rule!(TE_8_5_10), degraded);
    let (rule, becomes) = match shelling.target {
        Shelled::HardLinear => (rule!(TE_8_5_14), Degraded::Light),
        Shelled::House | Shelled::Redoubt | Shelled::LightLinear => (rule!(TE_8_5_13), Degraded::Hard),
    };
    let becomes = clerk.rather(rule, Some(becomes), None);
    clerk.applied(rule!(TE_8_5_11));
    let causes_losses = options.degrading_fire_causes_losses == DegradingFireCausesLosses::Yes;
    let causes_losses = clerk.value(rule!(TE_R82), i32::from(causes_losses)) == 1;
    Ok(Damage {
        degraded_cm: degraded,
        becomes: becomes.filter(|_| degraded > Centimetres::ZERO),
        causes_losses,
    })
}

/// May a battery turn on the spot? Not into an obstacle, a house or a wood (TE-R83).
///
/// # Errors
/// When its base would stand in one.
pub fn reorient(base_would_meet_obstacle: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if !clerk.holds(rule!(TE_8_5_08), !base_would_meet_obstacle) {
        return Err(Refusal::rule(rule!(TE_8_5_08), phrase::NO_ROOM_TO_TURN));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn shelling(target: Shelled, distance: i32, half_periods: i32, intact: i32) -> Shelling {
        Shelling {
            target,
            calibre: Whole::new(6).unwrap(),
            distance_cm: Centimetres::hundredths(distance),
            shot: Shot::Ball,
            quarters: Whole::new(half_periods * 2).unwrap(),
            batteries: Whole::default(),
            intact_cm: Centimetres::hundredths(intact),
        }
    }

    fn fire(shelling: &Shelling) -> Verdict<(i32, Option<Degraded>)> {
        told(|clerk| shell(shelling, &Options::default(), clerk))
            .0
            .map(|damage| (damage.degraded_cm.count(), damage.becomes))
    }

    #[test]
    fn te_ex_44_a_battery_degrades_a_wall() {
        assert_eq!(fire(&shelling(Shelled::HardLinear, 4490, 1, 900)), Ok((300, Some(Degraded::Light))));
        assert_eq!(
            fire(&shelling(Shelled::HardLinear, 4500, 1, 900)).unwrap_err().reason,
            phrase::BEYOND_HALF_RANGE
        );
        let house = |half_periods| fire(&shelling(Shelled::House, 3000, half_periods, 700));
        assert_eq!(house(1), Ok((300, Some(Degraded::Hard))));
        assert_eq!(house(2), Ok((600, Some(Degraded::Hard))));
        assert_eq!(house(3), Ok((700, Some(Degraded::Hard))));
        let refused = fire(&shelling(Shelled::LightLinear, 2000, 1, 900)).unwrap_err();
        assert_eq!(refused.rule, Some(rule!(TE_8_5_15)));
    }

    #[test]
    fn canister_degrades_nothing_and_batteries_add_up() {
        let mut wall = shelling(Shelled::HardLinear, 1000, 1, 900);
        wall.batteries = Whole::new(2).unwrap();
        assert_eq!(fire(&wall).map(|(length, _)| length), Ok(600));
        wall.shot = Shot::Canister;
        assert_eq!(fire(&wall).unwrap_err().rule, Some(rule!(TE_8_5_09)));
    }

    #[test]
    fn whether_degrading_fire_also_kills_is_an_option() {
        let wall = shelling(Shelled::HardLinear, 1000, 1, 900);
        let mut options = Options::default();
        assert!(told(|clerk| shell(&wall, &options, clerk)).0.unwrap().causes_losses);
        options.degrading_fire_causes_losses = DegradingFireCausesLosses::No;
        assert!(!told(|clerk| shell(&wall, &options, clerk)).0.unwrap().causes_losses);
    }

    #[test]
    fn a_battery_behind_a_wall_may_have_no_room_to_turn() {
        assert!(told(|clerk| reorient(false, clerk)).0.is_ok());
        assert_eq!(told(|clerk| reorient(true, clerk)).0.unwrap_err().rule, Some(rule!(TE_8_5_08)));
    }
}
