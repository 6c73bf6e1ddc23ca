//! Section 3 of the terrain chapter: plateaus. The flat top is plain, the ring around it is slope,
//! and 15 cm below the contour lie out of reach of whoever stands behind it.

use kernel::{Centimetres, Clerk, Effect, Refusal, RuleId, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::SightDistancesKey;

use super::ground::{Cited, Fraction};
use super::hills;

/// The ring between contour and footprint follows the slopes of hills.
pub(crate) const SLOPE: Cited = Cited {
    speed: Some(rule!(TE_3_3_02)),
    close: Some(rule!(TE_3_3_02)),
    charge: Some(rule!(TE_3_3_02)),
    change: Some(rule!(TE_3_3_02)),
    deploy: Some(rule!(TE_3_3_04)),
    ..hills::BARE_SLOPE
};

/// The dead ground below the contour.
fn dead_ground() -> Centimetres {
    SightDistancesKey::PlateauDeadGroundOutwards.row().distance_cm
}

/// A body has its full movement back once all its figures stand on the flat top.
pub fn speed_on_top(all_figures_on_top: bool, clerk: &mut impl Clerk) -> Fraction {
    if all_figures_on_top {
        clerk.makes(rule!(TE_3_3_01), Effect::Times(1, 1), Fraction::ONE, Fraction::HALF)
    } else {
        let (of, whole) = clerk.times(rule!(TE_3_3_02), (1, 2));
        Fraction::new(of, whole)
    }
}

/// A change of formation on the top needs room on the top.
pub(crate) fn change_on_top(fits: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if clerk.holds(rule!(TE_3_3_03), fits) {
        return Ok(());
    }
    Err(Refusal::rule(rule!(TE_3_3_03), phrase::NO_ROOM).with("ground", phrase::GROUND_PLATEAU_TOP))
}

/// Guns unlimber on the top if their deployed base lies wholly inside the contour.
pub(crate) fn unlimber_on_top(fits: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if clerk.holds(rule!(TE_3_3_04), fits) {
        return Ok(());
    }
    Refusal::rule(rule!(TE_3_3_05), phrase::NO_ROOM).with("ground", phrase::GROUND_PLATEAU_TOP).stands(())
}

/// Fire between the plain and the flat top, or on the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlateauFire {
    /// Both stand on the flat top.
    OnTop,
    /// From the contour down: the hill rules.
    FromContour,
    /// From behind the contour, at a target so far from it.
    FromBehind(Centimetres),
    /// From the plain, so far from the contour, at somebody behind it.
    FromPlain(Centimetres),
}

/// May this fire be given?
///
/// # Errors
/// When the contour hides the one below.
pub fn may_fire(fire: PlateauFire, clerk: &mut impl Clerk) -> Verdict<()> {
    let beyond = |distance: Centimetres, rule: RuleId| {
        if rule.holds(distance > dead_ground()) {
            Ok(rule)
        } else {
            Err(Refusal::rule(rule, phrase::BELOW_CONTOUR)
                .with("distance", distance)
                .with("limit", dead_ground()))
        }
    };
    let rule = match fire {
        PlateauFire::OnTop => rule!(TE_3_4_01),
        PlateauFire::FromContour => rule!(TE_3_4_02),
        PlateauFire::FromBehind(distance) => beyond(distance, rule!(TE_3_4_03))?,
        PlateauFire::FromPlain(distance) => beyond(distance, rule!(TE_3_4_05))?,
    };
    clerk.applied(rule);
    Ok(())
}

/// Does the ball of a battery on the top go on behind its target? Never at a target off the top.
pub fn penetrates(target_on_top: bool, clerk: &mut impl Clerk) -> bool {
    !clerk.holds(rule!(TE_3_4_04), !target_on_top)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    #[test]
    fn te_ex_37_fire() {
        let cm = Centimetres::hundredths;
        let allowed = |fire| told(|clerk| may_fire(fire, clerk)).0.is_ok();
        for fire in [PlateauFire::FromBehind, PlateauFire::FromPlain] {
            assert!(!allowed(fire(cm(1500))));
            assert!(allowed(fire(cm(1510))));
        }
        assert!(allowed(PlateauFire::OnTop) && allowed(PlateauFire::FromContour));
    }

    #[test]
    fn the_top_is_plain_once_all_stand_on_it() {
        assert_eq!(told(|clerk| speed_on_top(true, clerk)).0, Fraction::ONE);
        assert_eq!(told(|clerk| speed_on_top(false, clerk)).0, Fraction::HALF);
    }

    #[test]
    fn manoeuvres_need_room_on_the_top() {
        assert!(told(|clerk| change_on_top(true, clerk)).0.is_ok());
        assert_eq!(told(|clerk| change_on_top(false, clerk)).0.unwrap_err().rule, Some(rule!(TE_3_3_03)));
        assert!(told(|clerk| unlimber_on_top(true, clerk)).0.is_ok());
        let (refused, _) = told(|clerk| unlimber_on_top(false, clerk));
        assert_eq!(refused.unwrap_err().rule, Some(rule!(TE_3_3_05)));
    }

    #[test]
    fn a_ball_from_the_top_stops_at_a_target_below() {
        assert!(!told(|clerk| penetrates(false, clerk)).0);
        assert!(told(|clerk| penetrates(true, clerk)).0);
    }
}
