//! Section 9.2 of the terrain chapter: tall crops, vineyards and ploughed land.

use kernel::{Centimetres, Clerk, Effect, Refusal, Verdict};
use rulebook::options::tabletop::{FireInsideCrops, Options};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::ground::Cited;
use super::state::{self, State};
use super::troops::Arm;

/// Wheat, maize and the like; vines on flat ground too (TE-R86).
pub(crate) const TALL_CROPS: Cited = Cited {
    entry: Some(rule!(TE_9_2_01)),
    speed: Some(rule!(TE_9_2_03)),
    speed_open: Some(rule!(TE_9_2_04)),
    close: Some(rule!(TE_9_2_02)),
    horse: None,
    open: Some(rule!(TE_9_2_04)),
    charge: Some(rule!(TE_R87)),
    change: None,
    deploy: Some(rule!(TE_9_2_01)),
};

/// Ploughed land.
pub(crate) const PLOUGHED_LAND: Cited = Cited {
    entry: None,
    speed: Some(rule!(TE_9_2_11)),
    speed_open: None,
    close: None,
    horse: None,
    open: Some(rule!(TE_9_2_13)),
    charge: Some(rule!(TE_9_2_12)),
    change: None,
    deploy: None,
};

/// Ploughed land leaves a formation as it is.
pub(crate) fn ploughed_keeps_order(clerk: &mut impl Clerk) -> Option<State> {
    state::stays_formed(rule!(TE_9_2_13), clerk)
}

/// Two opponents in one field fire under this distance, where the option lets them.
const INSIDE: Centimetres = Centimetres::whole(4);

/// A fire that has to do with standing crops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CropFire {
    /// The shooter stands in them.
    pub shooter_inside: bool,
    /// They are vines, whose leaves do not burn (TE-R86).
    pub vines: bool,
    /// The target stands in the same field.
    pub target_inside: bool,
    /// The arm of the target.
    pub target_arm: Arm,
    /// Base to base.
    pub distance: Centimetres,
}

/// May this fire be given?
///
/// # Errors
/// Out of tall crops, and at infantry hidden in them.
pub fn may_fire(fire: CropFire, options: &Options, clerk: &mut impl Clerk) -> Verdict<()> {
    let hidden = fire.target_inside && !fire.shooter_inside && fire.target_arm == Arm::Infantry;
    if rule!(TE_R87).holds(hidden) {
        return Err(Refusal::rule(rule!(TE_R87), phrase::HIDDEN_IN_CROPS));
    }
    if !fire.shooter_inside {
        return Ok(());
    }
    if clerk.holds(rule!(TE_R86), fire.vines) {
        return Ok(());
    }
    let duel = fire.target_inside
        && fire.distance < INSIDE
        && options.fire_inside_crops == FireInsideCrops::AllowedUnder4Cm;
    if duel {
        clerk.because(rule!(TE_R87), Effect::Limit(INSIDE.into()));
        return Ok(());
    }
    Refusal::rule(rule!(TE_9_2_07), phrase::NO_FIRE_FROM_CROPS).stands(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn fire() -> CropFire {
        CropFire {
            shooter_inside: true,
            vines: false,
            target_inside: false,
            target_arm: Arm::Infantry,
            distance: Centimetres::whole(3),
        }
    }

    #[test]
    fn te_ex_47_fire() {
        let options = Options::default();
        for target_inside in [false, true] {
            let fire = CropFire { target_inside, ..fire() };
            assert_eq!(
                told(|clerk| may_fire(fire, &options, clerk)).0.unwrap_err().rule,
                Some(rule!(TE_9_2_07))
            );
        }
    }

    #[test]
    fn the_option_lets_opponents_in_one_field_fire_under_four_centimetres() {
        let options = Options { fire_inside_crops: FireInsideCrops::AllowedUnder4Cm, ..Options::default() };
        let inside = |distance| {
            let fire = CropFire { target_inside: true, distance, ..fire() };
            told(|clerk| may_fire(fire, &options, clerk)).0.is_ok()
        };
        assert!(inside(Centimetres::hundredths(390)));
        assert!(!inside(Centimetres::hundredths(400)));
    }

    #[test]
    fn vines_do_not_burn_and_horsemen_stick_out() {
        let options = Options::default();
        assert!(told(|clerk| may_fire(CropFire { vines: true, ..fire() }, &options, clerk)).0.is_ok());
        let at = CropFire { shooter_inside: false, target_inside: true, ..fire() };
        assert_eq!(told(|clerk| may_fire(at, &options, clerk)).0.unwrap_err().rule, Some(rule!(TE_R87)));
        let horse = CropFire { target_arm: Arm::Cavalry, ..at };
        assert!(told(|clerk| may_fire(horse, &options, clerk)).0.is_ok());
    }
}
