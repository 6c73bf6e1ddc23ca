//! Section 6 of the terrain chapter: streams, rivers, bridges, fords, large rivers and marshes.

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::ground::{Cited, Ground};
use super::state::{self, State};
use super::troops::{Arm, Troops};

/// A stream, or a ditch.
pub(crate) const STREAM: Cited = Cited {
    entry: Some(rule!(TE_6_2_01)),
    speed: Some(rule!(TE_6_2_03)),
    speed_open: None,
    close: Some(rule!(TE_6_2_02)),
    horse: None,
    open: None,
    charge: Some(rule!(TE_6_2_07)),
    change: None,
    deploy: Some(rule!(TE_6_2_05)),
};

/// A ford: a harder stream.
pub(crate) const FORD: Cited = Cited {
    entry: Some(rule!(TE_6_3_06)),
    speed: Some(rule!(TE_6_3_09)),
    close: Some(rule!(TE_R66)),
    charge: Some(rule!(TE_R66)),
    change: Some(rule!(TE_R66)),
    deploy: Some(rule!(TE_6_3_06)),
    ..STREAM
};

/// Deep water.
pub(crate) const RIVER: Cited = Cited {
    entry: Some(rule!(TE_6_3_01)),
    speed: None,
    speed_open: None,
    close: None,
    horse: None,
    open: None,
    charge: Some(rule!(TE_6_3_01)),
    change: None,
    deploy: Some(rule!(TE_6_3_01)),
};

/// Deeper water.
pub(crate) const LARGE_RIVER: Cited = Cited {
    entry: Some(rule!(TE_6_4_01)),
    charge: Some(rule!(TE_6_4_01)),
    deploy: Some(rule!(TE_6_4_01)),
    ..RIVER
};

/// A marsh.
pub(crate) const MARSH: Cited = Cited {
    entry: Some(rule!(TE_6_5_01)),
    charge: Some(rule!(TE_6_5_01)),
    deploy: Some(rule!(TE_6_5_01)),
    ..RIVER
};

/// A bridge: a road that nobody deploys on.
pub(crate) const BRIDGE: Cited = Cited {
    entry: None,
    speed: None,
    charge: None,
    change: Some(rule!(TE_6_3_03)),
    deploy: Some(rule!(TE_R67)),
    ..RIVER
};

/// The front of one figure, which is the width of one lane of sappers' bridge.
const LANE: i32 = 150;

/// Does a body fit on a bridge? A scenery bridge takes the fronts of a road; a sappers' bridge a
/// front no wider than itself.
///
/// # Errors
/// When it is too wide.
pub fn fits_bridge(troops: &Troops, built_width: Option<Centimetres>, clerk: &mut impl Clerk) -> Verdict<()> {
    let figure = match troops.arm {
        Arm::Infantry if troops.skirmishes() => 300,
        Arm::Infantry => LANE,
        Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => 250,
        Arm::FootArtillery | Arm::HorseArtillery => 500,
    };
    let abreast = troops.abreast()?;
    let fits = match built_width {
        Some(width) => abreast.saturating_mul(figure) <= width.count(),
        None => match troops.arm {
            Arm::Infantry => abreast <= 3,
            Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => abreast <= 2,
            Arm::FootArtillery | Arm::HorseArtillery => true,
        },
    };
    if rule!(TE_R67).holds(!fits) {
        return Err(Refusal::rule(rule!(TE_R67), phrase::TOO_WIDE_FOR_BRIDGE).with("front", abreast));
    }
    clerk.applied(rule!(TE_6_3_05));
    Ok(())
}

/// May a body in or at water fire?
///
/// # Errors
/// From a ford, and from a stream guns that are not in position.
pub fn may_fire(water: Ground, troops: &Troops, clerk: &mut impl Clerk) -> Verdict<()> {
    match water {
        Ground::Ford => Refusal::rule(rule!(TE_6_3_07), phrase::NO_FIRE_FROM_FORD).stands(()),
        Ground::Stream | Ground::Ditch if troops.arm.is_artillery() => {
            Refusal::rule(rule!(TE_6_2_05), phrase::NO_UNLIMBERING).with("ground", water.word()).stands(())
        }
        Ground::Stream | Ground::Ditch => {
            clerk.applied(rule!(TE_6_2_05));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// May a body coming out of water be charged? Once its whole first rank is out, by a charger who
/// stays dry.
///
/// # Errors
/// Before that.
pub fn may_be_charged(first_rank_out: bool, charger_stays_dry: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if rule!(TE_6_2_07).holds(!charger_stays_dry) {
        return Err(
            Refusal::rule(rule!(TE_6_2_07), phrase::NO_CHARGE_THROUGH).with("ground", phrase::GROUND_STREAM)
        );
    }
    if !clerk.holds(rule!(TE_6_2_08), first_rank_out) {
        return Err(Refusal::rule(rule!(TE_6_2_08), phrase::STILL_IN_WATER));
    }
    Ok(())
}

/// What water makes of a recoil.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recoiled {
    /// It stands, in this state.
    Stands(State),
    /// It is destroyed.
    Destroyed,
}

/// A body pushed back into water or marsh.
pub fn pushed_into(water: Ground, troops: &Troops, clerk: &mut impl Clerk) -> Recoiled {
    match water {
        Ground::Stream | Ground::Ditch => {
            Recoiled::Stands(state::worsen(troops.state, State::Unformed, rule!(TE_6_2_09), clerk))
        }
        Ground::Marsh => {
            Recoiled::Stands(state::worsen(troops.state, State::Unformed, rule!(TE_6_5_02), clerk))
        }
        Ground::Ford => clerk.rather(rule!(TE_6_3_08), Recoiled::Destroyed, Recoiled::Stands(troops.state)),
        Ground::River | Ground::LargeRiver => {
            clerk.rather(rule!(TE_R66), Recoiled::Destroyed, Recoiled::Stands(troops.state))
        }
        _ => Recoiled::Stands(troops.state),
    }
}

/// The state of whoever follows an enemy into a stream; he has the bonus of following.
pub fn follow_into_stream(troops: &Troops, clerk: &mut impl Clerk) -> State {
    clerk.applied(rule!(TE_6_2_10));
    state::worsen(troops.state, State::Unformed, rule!(TE_6_2_11), clerk)
}

/// Is the opponent in a stream lower, for the bonus of the round of contact (TE-R64)?
pub fn enemy_below_in_stream(own_in: bool, enemy_in: bool, round: i32, clerk: &mut impl Clerk) -> bool {
    if enemy_in && own_in {
        return clerk.value(rule!(TE_R64), 0) != 0;
    }
    clerk.holds(rule!(TE_6_2_06), enemy_in && round == 1)
}

/// The state in which a body partly on a bridge fights with its whole strength.
pub fn whole_strength_on_bridge(troops: &Troops, clerk: &mut impl Clerk) -> State {
    state::worsen(troops.state, State::Unformed, rule!(TE_6_3_04), clerk)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::Formation;

    fn column() -> Troops {
        Troops::new(Arm::Infantry, Formation::CompanyColumn).front(3)
    }

    #[test]
    fn bridges_take_the_fronts_of_roads_or_of_their_lanes() {
        assert!(told(|clerk| fits_bridge(&column(), None, clerk)).0.is_ok());
        assert_eq!(
            told(|clerk| fits_bridge(&column().front(4), None, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_R67))
        );
        let width = Some(Centimetres::hundredths(300));
        assert_eq!(
            told(|clerk| fits_bridge(&column(), width, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_R67))
        );
        assert!(told(|clerk| fits_bridge(&column().front(2), width, clerk)).0.is_ok());
        let horse = Troops::new(Arm::Cavalry, Formation::Column).front(2);
        assert!(told(|clerk| fits_bridge(&horse, None, clerk)).0.is_ok());
        assert_eq!(told(|clerk| fits_bridge(&horse, width, clerk)).0.unwrap_err().rule, Some(rule!(TE_R67)));
    }

    #[test]
    fn fire_from_water() {
        assert!(told(|clerk| may_fire(Ground::Stream, &column(), clerk)).0.is_ok());
        let guns = Troops::new(Arm::HorseArtillery, Formation::Limbered);
        assert_eq!(
            told(|clerk| may_fire(Ground::Stream, &guns, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_6_2_05))
        );
        assert_eq!(
            told(|clerk| may_fire(Ground::Ford, &column(), clerk)).0.unwrap_err().rule,
            Some(rule!(TE_6_3_07))
        );
    }

    #[test]
    fn a_unit_leaving_a_stream_is_charged_once_its_head_is_out() {
        assert!(told(|clerk| may_be_charged(true, true, clerk)).0.is_ok());
        assert_eq!(
            told(|clerk| may_be_charged(false, true, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_6_2_08))
        );
        assert_eq!(
            told(|clerk| may_be_charged(true, false, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_6_2_07))
        );
    }

    #[test]
    fn water_behind_a_beaten_unit() {
        let into = |water| told(|clerk| pushed_into(water, &column(), clerk)).0;
        assert_eq!(into(Ground::Stream), Recoiled::Stands(State::Unformed));
        assert_eq!(into(Ground::Marsh), Recoiled::Stands(State::Unformed));
        assert_eq!(into(Ground::Ford), Recoiled::Destroyed);
        assert_eq!(into(Ground::River), Recoiled::Destroyed);
        assert_eq!(told(|clerk| follow_into_stream(&column(), clerk)).0, State::Unformed);
    }

    #[test]
    fn only_a_dry_unit_is_above_one_in_a_stream() {
        assert!(told(|clerk| enemy_below_in_stream(false, true, 1, clerk)).0);
        assert!(!told(|clerk| enemy_below_in_stream(true, true, 1, clerk)).0);
        assert!(!told(|clerk| enemy_below_in_stream(false, true, 2, clerk)).0);
    }

    #[test]
    fn a_bridge_leaves_no_order_to_a_whole_unit() {
        assert_eq!(told(|clerk| whole_strength_on_bridge(&column(), clerk)).0, State::Unformed);
    }
}
