//! Section 4 of the terrain chapter: woods, tracks, rides and clearings. Sight is elsewhere; this
//! is entry, order, fire and melee under trees.

use kernel::{Centimetres, Clerk, Effect, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::ground::Cited;
use super::state::{self, State};
use super::troops::{Arm, Formation, Troops};
use crate::sight::LIMITS;

/// A wood, a forest or an orchard.
pub(crate) const WOOD: Cited = Cited {
    entry: Some(rule!(TE_4_3_01)),
    speed: Some(rule!(TE_4_3_02)),
    speed_open: Some(rule!(TE_R09)),
    close: Some(rule!(TE_4_3_03)),
    horse: None,
    open: Some(rule!(TE_4_3_04)),
    charge: Some(rule!(TE_4_5_02)),
    change: Some(rule!(TE_4_3_05)),
    deploy: None,
};

/// A forest track.
pub(crate) const TRACK: Cited = Cited {
    entry: Some(rule!(TE_R34)),
    speed: Some(rule!(TE_4_3_11)),
    speed_open: None,
    close: Some(rule!(TE_4_3_11)),
    horse: None,
    open: Some(rule!(TE_R07)),
    charge: Some(rule!(TE_4_5_02)),
    change: Some(rule!(TE_4_3_05)),
    deploy: None,
};

/// A wide ride: a track for all but narrow infantry.
pub(crate) const RIDE: Cited = Cited { close: Some(rule!(TE_4_3_13)), ..TRACK };

/// The widest front on a track or ride (TE-R34), in figures.
const TRACK_FRONT: (i32, i32) = (3, 2);

/// Does the body keep to the track? Column only, and no wider than on a road.
pub(crate) fn fits_track(troops: &Troops) -> Verdict<()> {
    let (widest, in_column) = match troops.arm {
        Arm::Infantry => (TRACK_FRONT.0, troops.formation.is_march_column() || troops.skirmishes()),
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => (TRACK_FRONT.1, troops.formation.is_march_column()),
        Arm::FootArtillery | Arm::HorseArtillery => return Ok(()),
    };
    let front = troops.abreast()?;
    if rule!(TE_R34).holds(in_column && front <= widest) {
        return Ok(());
    }
    Err(Refusal::rule(rule!(TE_R34), phrase::TOO_WIDE_FOR_TRACK).with("front", front).with("limit", widest))
}

/// On a ride infantry with a front of at most two figures stays formed.
pub(crate) fn ride_keeps_order(troops: &Troops, clerk: &mut impl Clerk) -> bool {
    let narrow = troops.arm == Arm::Infantry
        && !troops.skirmishes()
        && troops.front.is_some_and(|front| front.get() <= 2);
    narrow && state::stays_formed(rule!(TE_4_3_13), clerk).is_none()
}

/// A body in a wood may break its alignment along the edge; skirmishers' bases may overlap there.
pub fn follow_edge(troops: &Troops, clerk: &mut impl Clerk) -> bool {
    clerk.applied(rule!(TE_4_3_07));
    clerk.holds(rule!(TE_4_3_14), troops.skirmishes())
}

/// Quarters to line the edge of a wood from column: twice the time of march column to line in the
/// plain, once the head has reached the edge.
///
/// # Errors
/// While the head is short of the edge, or the body is in no column.
pub fn extend_along_edge(
    troops: &Troops,
    head_at_edge: bool,
    plain_quarters: i32,
    clerk: &mut impl Clerk,
) -> Verdict<i32> {
    let column = matches!(
        troops.formation,
        Formation::CompanyColumn | Formation::DivisionColumn | Formation::ClosedColumn
    );
    if rule!(TE_4_3_08).holds(troops.arm != Arm::Infantry || !column || !head_at_edge) {
        return Err(Refusal::rule(rule!(TE_4_3_08), phrase::HEAD_NOT_AT_EDGE));
    }
    let (times, _) = clerk.times(rule!(TE_4_3_08), (2, 1));
    let quarters = plain_quarters.saturating_mul(times.cast_signed());
    clerk.because(rule!(TE_R37), state::set(State::Unformed));
    Ok(quarters)
}

/// In a clearing a body wholly inside it may spend the time of re-forming.
///
/// # Errors
/// While a base is still under the trees.
pub fn reform_in_clearing(troops: &Troops, wholly_inside: bool, clerk: &mut impl Clerk) -> Verdict<i32> {
    if rule!(TE_R36).holds(!wholly_inside) {
        return Err(Refusal::rule(rule!(TE_R36), phrase::NOT_WHOLLY_IN_CLEARING));
    }
    let lets = clerk.holds(rule!(TE_4_3_09), true);
    Ok(if lets { state::reform_quarters(troops.state, troops.status, clerk) } else { 0 })
}

/// How deep in the trees a fire out of a wood may begin, and how far fire carries inside one.
/// So far one sees and fires in a wood, as the table of sight distances says.
fn inside() -> Centimetres {
    Centimetres::hundredths(i32::try_from(LIMITS.in_wood).unwrap_or(i32::MAX))
}

/// Whether somebody with so many hundredths of a centimetre of trees before him stands at the edge:
/// there he sees and fires out, and is fired at once he has given himself away.
#[must_use]
pub(crate) fn is_at_edge(depth: i64) -> bool {
    depth < LIMITS.wood_edge
}

/// A wood between a shooter and a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WoodFire {
    /// From a wood at somebody outside it: the depth of trees the shot goes through.
    Outwards(Centimetres),
    /// At somebody in a wood, from outside: his depth, and whether he has given himself away.
    Inwards {
        /// The depth of trees in front of him.
        depth: Centimetres,
        /// He has fired, fought or moved out (TE-R30).
        revealed: bool,
    },
    /// Both in one wood, so far apart.
    Inside(Centimetres),
}

/// May a fire pass the trees? Light shelter for whoever is in them is [`super::cover`]'s.
///
/// # Errors
/// The rule that stops it.
pub fn may_fire(fire: WoodFire, clerk: &mut impl Clerk) -> Verdict<()> {
    match fire {
        WoodFire::Outwards(depth) => {
            if !clerk.holds(rule!(TE_4_4_01), is_at_edge(depth.count().into())) {
                return Err(Refusal::rule(rule!(TE_4_4_01), phrase::NOT_AT_EDGE).with("distance", depth));
            }
            Ok(())
        }
        WoodFire::Inwards { depth, revealed } => {
            if !is_at_edge(depth.count().into()) {
                return Err(Refusal::rule(rule!(TE_4_4_02), phrase::NOT_AT_EDGE).with("distance", depth));
            }
            if !clerk.holds(rule!(TE_4_4_02), revealed) {
                return Err(Refusal::rule(rule!(TE_4_4_02), phrase::NOT_REVEALED));
            }
            Ok(())
        }
        WoodFire::Inside(distance) => {
            if rule!(TE_4_4_04).holds(distance > inside()) {
                return Err(
                    Refusal::rule(rule!(TE_4_4_04), phrase::TOO_FAR_IN_WOOD).with("distance", distance)
                );
            }
            clerk.because(rule!(TE_4_4_04), Effect::Limit(inside().into()));
            Ok(())
        }
    }
}

/// The firing angle each side of the front, in tenths of a degree: an unformed body 22.5, one in
/// skirmish order 45 as long as it keeps that order, as a hollow square does.
pub fn firing_angle(troops: &Troops, clerk: &mut impl Clerk) -> i32 {
    let (narrow, wide) = (225, 450);
    if troops.skirmishes() && troops.state < State::Unformed {
        return clerk.rather(rule!(TE_4_4_05), wide, narrow);
    }
    if troops.formation == Formation::HollowSquare && troops.state < State::Unformed {
        return clerk.rather(rule!(FE_2_1_03), wide, narrow);
    }
    if troops.state >= State::Unformed { clerk.rather(rule!(TE_4_4_05), narrow, wide) } else { narrow }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    #[test]
    fn te_ex_05_lining_the_edge_of_a_wood() {
        let column = Troops::new(Arm::Infantry, Formation::CompanyColumn);
        for plain in [3, 4, 5] {
            assert_eq!(told(|clerk| extend_along_edge(&column, true, plain, clerk)).0, Ok(2 * plain));
        }
        let (early, _) = told(|clerk| extend_along_edge(&column, false, 3, clerk));
        assert_eq!(early.unwrap_err().rule, Some(rule!(TE_4_3_08)));
    }

    #[test]
    fn a_track_takes_columns_and_a_ride_keeps_narrow_ones_formed() {
        let column = Troops::new(Arm::Infantry, Formation::CompanyColumn);
        assert!(fits_track(&column.clone().front(3)).is_ok());
        assert_eq!(fits_track(&column.clone().front(4)).unwrap_err().rule, Some(rule!(TE_R34)));
        let wide = fits_track(&Troops::new(Arm::Infantry, Formation::Line).front(12)).unwrap_err();
        assert_eq!(wide.rule, Some(rule!(TE_R34)));
        assert_eq!(fits_track(&column).unwrap_err().reason, phrase::FRONT_NEEDED);
        assert_eq!(
            fits_track(&Troops::new(Arm::Cavalry, Formation::Column).front(3)).unwrap_err().rule,
            Some(rule!(TE_R34))
        );
        assert!(told(|clerk| ride_keeps_order(&column.clone().front(2), clerk)).0);
        assert!(!told(|clerk| ride_keeps_order(&column.front(3), clerk)).0);
    }

    #[test]
    fn the_edge_may_be_followed_and_only_skirmishers_overlap() {
        assert!(!told(|clerk| follow_edge(&Troops::new(Arm::Infantry, Formation::Line), clerk)).0);
        assert!(told(|clerk| follow_edge(&Troops::new(Arm::Infantry, Formation::Skirmish), clerk)).0);
    }

    #[test]
    fn a_clearing_lets_a_unit_re_form_once_it_is_wholly_inside() {
        let body = Troops::new(Arm::Infantry, Formation::Line).in_state(State::Unformed);
        assert_eq!(told(|clerk| reform_in_clearing(&body, true, clerk)).0, Ok(2));
        assert_eq!(
            told(|clerk| reform_in_clearing(&body, false, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_R36))
        );
    }

    #[test]
    fn fire_in_and_out_of_a_wood() {
        let cm = Centimetres::hundredths;
        let allowed = |fire| told(|clerk| may_fire(fire, clerk)).0.is_ok();
        assert!(allowed(WoodFire::Outwards(cm(190))));
        assert!(!allowed(WoodFire::Outwards(cm(200))));
        assert!(allowed(WoodFire::Inwards { depth: cm(190), revealed: true }));
        assert!(!allowed(WoodFire::Inwards { depth: cm(190), revealed: false }));
        assert!(!allowed(WoodFire::Inwards { depth: cm(200), revealed: true }));
        assert!(allowed(WoodFire::Inside(cm(800))));
        assert!(!allowed(WoodFire::Inside(cm(810))));
    }

    #[test]
    fn the_angle_of_fire_follows_order_and_state() {
        let line = Troops::new(Arm::Infantry, Formation::Line);
        let open = Troops::new(Arm::Infantry, Formation::Skirmish);
        assert_eq!(told(|clerk| firing_angle(&line.clone().in_state(State::Unformed), clerk)).0, 225);
        assert_eq!(told(|clerk| firing_angle(&open, clerk)).0, 450);
        let square = Troops::new(Arm::Infantry, Formation::HollowSquare);
        assert_eq!(told(|clerk| firing_angle(&square, clerk)).0, 450);
        assert_eq!(told(|clerk| firing_angle(&square.in_state(State::Unformed), clerk)).0, 225);
        assert_eq!(told(|clerk| firing_angle(&open.in_state(State::Unformed), clerk)).0, 225);
    }
}
