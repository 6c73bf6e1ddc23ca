//! Section 2 of the terrain chapter: hills. Slopes slow and loosen, the crest decides who fires
//! over it, and height gives a bonus in the round of contact.

use kernel::{Centimetres, Clerk, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::ground::{Cited, Ground};
use super::state::{self, State};
use super::troops::{Formation, Troops};

/// A bare slope, the crest included.
pub(crate) const BARE_SLOPE: Cited = Cited {
    entry: None,
    speed: Some(rule!(TE_2_4_01)),
    speed_open: None,
    close: Some(rule!(TE_2_4_02)),
    horse: None,
    open: None,
    charge: Some(rule!(TE_2_4_03)),
    change: Some(rule!(TE_2_4_04)),
    deploy: Some(rule!(TE_2_5_09)),
};

/// A slope with trees, vines or cereals.
pub(crate) const COVERED_SLOPE: Cited = Cited {
    entry: Some(rule!(TE_2_4_10)),
    speed: Some(rule!(TE_2_4_11)),
    speed_open: Some(rule!(TE_2_4_14)),
    close: Some(rule!(TE_2_4_13)),
    open: Some(rule!(TE_2_4_12)),
    ..BARE_SLOPE
};

/// The formation in which a body bent along a curved crest is fired at and attacked, and its
/// state, which the bend leaves alone.
pub fn bent_along_crest(troops: &Troops, clerk: &mut impl Clerk) -> (Formation, State) {
    let state = clerk.value(rule!(TE_2_2_04), troops.state);
    (clerk.rather(rule!(TE_2_2_05), Formation::Line, troops.formation), state)
}

/// The state of a body climbing or descending at forced march.
pub fn forced_march(troops: &Troops, clerk: &mut impl Clerk) -> State {
    state::worsen(troops.state, State::Disordered, rule!(TE_2_4_06), clerk)
}

/// A body on a slope does not step back with its face to the enemy.
///
/// # Errors
/// Always, on a slope.
pub fn move_back(on_slope: bool) -> Verdict<()> {
    if rule!(TE_2_4_07).holds(on_slope) {
        return Err(Refusal::rule(rule!(TE_2_4_07), phrase::NO_BACKWARD_ON_SLOPE));
    }
    Ok(())
}

/// Quarters to reorganise on the slope itself.
///
/// # Errors
/// When worse than disorganised: that needs ground clear of its cause.
pub fn reorganise_on_slope(troops: &Troops, halted: bool, clerk: &mut impl Clerk) -> Verdict<i32> {
    if rule!(TE_2_6_07).holds(!halted || troops.state > State::Disorganised) {
        return Err(Refusal::rule(rule!(TE_2_6_07), phrase::CANNOT_REORGANISE_HERE)
            .with("state", state::word(troops.state)));
    }
    if troops.state == State::Formed {
        return Ok(0);
    }
    let quarters = state::reform_quarters(troops.state, troops.status, clerk);
    Ok(clerk.value(rule!(TE_2_6_07), quarters))
}

/// The state of a body that moves again on the slope where it reorganised.
pub fn resume_on_slope(troops: &Troops, clerk: &mut impl Clerk) -> State {
    state::worsen(troops.state, State::Disorganised, rule!(TE_2_6_08), clerk)
}

/// Guns are deployed neither on the crest nor on the slope.
pub(crate) fn unlimber(ground: Ground, _clerk: &mut impl Clerk) -> Verdict<()> {
    let rule = if ground == Ground::HillCrest { rule!(TE_2_5_08) } else { rule!(TE_2_5_09) };
    Refusal::rule(rule, phrase::NO_UNLIMBERING).with("ground", ground.word()).stands(())
}

/// Figures of a firing body, by where they stand to the crest between it and its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CrestFire {
    /// Astride it.
    pub astride: i32,
    /// On the slope towards the target.
    pub beyond: i32,
    /// Behind it.
    pub behind: i32,
}

/// Figures that fire over a crest towards the far side.
///
/// # Errors
/// When none has passed it.
pub fn firing_over_crest(figures: CrestFire, clerk: &mut impl Clerk) -> Verdict<i32> {
    let passed = figures.astride + figures.beyond;
    if !clerk.holds(rule!(TE_2_5_01), passed > 0) {
        return Err(Refusal::rule(rule!(TE_2_5_01), phrase::CREST_NOT_PASSED));
    }
    let firing = clerk.value(rule!(TE_2_5_02), passed);
    Ok(if figures.behind > 0 { clerk.limit(rule!(TE_2_5_03), firing) } else { firing })
}

/// The fire penalty of standing on a bare slope, disorganised or not: none.
pub fn slope_fire_penalty(troops: &Troops, clerk: &mut impl Clerk) -> i32 {
    if troops.state <= State::Disorganised { clerk.modifier(rule!(TE_2_4_08), 0) } else { 0 }
}

/// The element that covers the slope between a shooter above and his target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownhillOverCover {
    /// The sight of the target is free of what stands on the slope.
    pub sight_free: bool,
    /// The target itself is in that wood or village.
    pub target_inside: bool,
    /// It has given itself away.
    pub revealed: bool,
}

/// May somebody above fire down over a wooded, cultivated or built slope?
///
/// # Errors
/// When the cover hides the target.
pub fn fire_downhill_over_cover(fire: DownhillOverCover, clerk: &mut impl Clerk) -> Verdict<()> {
    if fire.target_inside && !clerk.holds(rule!(TE_2_5_05), fire.revealed) {
        return Err(Refusal::rule(rule!(TE_2_5_05), phrase::NOT_REVEALED));
    }
    if !clerk.holds(rule!(TE_2_5_04), fire.sight_free) {
        return Err(Refusal::rule(rule!(TE_2_5_04), phrase::SLOPE_COVER_HIDES));
    }
    Ok(())
}

/// Clearance to fire over somebody lower.
const CLEARANCE: Centimetres = Centimetres::whole(2);

/// A body, or a melee, that lies lower between the shooter and his target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FiredOver {
    /// Base to base, from the shooter.
    pub distance: Centimetres,
    /// It is a melee.
    pub melee: bool,
    /// The target fights in some melee itself.
    pub target_in_melee: bool,
}

/// May a body beyond the crest, or higher on the slope, fire over this one?
///
/// # Errors
/// Within 2 cm, or when the target is in a melee.
pub fn fire_over(over: FiredOver, clerk: &mut impl Clerk) -> Verdict<()> {
    let rule = if over.melee { rule!(TE_2_5_07) } else { rule!(TE_2_5_06) };
    if rule.holds(over.distance <= CLEARANCE) {
        return Err(Refusal::rule(rule, phrase::TOO_NEAR_TO_FIRE_OVER)
            .with("distance", over.distance)
            .with("limit", CLEARANCE));
    }
    if over.melee && over.target_in_melee {
        return Err(Refusal::rule(rule!(TE_2_5_07), phrase::TARGET_IN_MELEE));
    }
    clerk.applied(rule);
    Ok(())
}

/// Two opponents on a slope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Height {
    /// The mean distance of this side's contacted figures from the crest.
    pub own: Centimetres,
    /// That of the enemy's.
    pub enemy: Centimetres,
    /// The whole front of this side stands on one slope.
    pub whole_front: bool,
    /// Both stand on that slope, or the enemy at its foot.
    pub same_slope: bool,
    /// This side came to the contact.
    pub attacks: bool,
}

/// Is this side above its enemy, for the bonus of the round of contact (TE-R26)?
pub fn above(height: Height, round: i32, clerk: &mut impl Clerk) -> bool {
    if !height.same_slope || height.own.count().saturating_add(10) > height.enemy.count() {
        return false;
    }
    if round > 1 {
        return clerk.value(rule!(TE_2_6_03), 0) != 0;
    }
    if !height.whole_front {
        return clerk.value(rule!(TE_2_6_05), 0) != 0;
    }
    clerk.holds(if height.attacks { rule!(TE_2_6_02) } else { rule!(TE_2_6_01) }, true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::{Arm, Status};

    fn line() -> Troops {
        Troops::new(Arm::Infantry, Formation::Line).front(12)
    }

    #[test]
    fn te_ex_02_figures_firing_over_a_crest() {
        let fire = |astride, beyond, behind| {
            told(|clerk| firing_over_crest(CrestFire { astride, beyond, behind }, clerk)).0
        };
        assert_eq!(fire(12, 0, 0), Ok(12));
        assert_eq!(fire(0, 12, 0), Ok(12));
        assert_eq!(fire(5, 3, 4), Ok(8));
        assert_eq!(fire(0, 0, 12).unwrap_err().rule, Some(rule!(TE_2_5_01)));
    }

    #[test]
    fn te_ex_38_firing_over_friends_below() {
        let over = |hundredths, melee| {
            let over =
                FiredOver { distance: Centimetres::hundredths(hundredths), melee, target_in_melee: false };
            told(|clerk| fire_over(over, clerk)).0.is_ok()
        };
        assert!(!over(200, false) && over(210, false));
        assert!(!over(200, true) && over(210, true));
        let engaged = FiredOver { distance: Centimetres::whole(5), melee: true, target_in_melee: true };
        assert_eq!(told(|clerk| fire_over(engaged, clerk)).0.unwrap_err().reason, phrase::TARGET_IN_MELEE);
    }

    #[test]
    fn a_unit_on_a_curved_crest_bends_freely_and_is_in_line() {
        let column = Troops::new(Arm::Infantry, Formation::CompanyColumn);
        for body in [line(), column] {
            assert_eq!(told(|clerk| bent_along_crest(&body, clerk)).0, (Formation::Line, State::Formed));
        }
    }

    #[test]
    fn forced_march_on_a_slope_disorders_and_nobody_backs_down() {
        assert_eq!(told(|clerk| forced_march(&line(), clerk)).0, State::Disordered);
        assert_eq!(move_back(true).unwrap_err().rule, Some(rule!(TE_2_4_07)));
        assert!(move_back(false).is_ok());
    }

    #[test]
    fn a_quarter_reorganises_on_a_slope_until_the_unit_moves_on() {
        let loosened = line().in_state(State::Disorganised);
        assert_eq!(told(|clerk| reorganise_on_slope(&loosened, true, clerk)).0, Ok(1));
        let militia = loosened.clone().of_status(Status::Irregular);
        assert_eq!(told(|clerk| reorganise_on_slope(&militia, true, clerk)).0, Ok(2));
        assert_eq!(
            told(|clerk| reorganise_on_slope(&loosened, false, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_2_6_07))
        );
        assert_eq!(
            told(|clerk| reorganise_on_slope(&line().in_state(State::Unformed), true, clerk))
                .0
                .unwrap_err()
                .rule,
            Some(rule!(TE_2_6_07))
        );
        assert_eq!(told(|clerk| resume_on_slope(&line(), clerk)).0, State::Disorganised);
    }

    #[test]
    fn a_slope_costs_a_shooter_nothing() {
        assert_eq!(told(|clerk| slope_fire_penalty(&line().in_state(State::Disorganised), clerk)).0, 0);
    }

    #[test]
    fn cover_on_the_slope_hides_from_above_until_it_is_revealed() {
        let fire = |sight_free, target_inside, revealed| {
            told(|clerk| {
                fire_downhill_over_cover(DownhillOverCover { sight_free, target_inside, revealed }, clerk)
            })
            .0
        };
        assert!(fire(true, false, false).is_ok());
        assert_eq!(fire(false, false, false).unwrap_err().rule, Some(rule!(TE_2_5_04)));
        assert_eq!(fire(true, true, false).unwrap_err().rule, Some(rule!(TE_2_5_05)));
        assert!(fire(true, true, true).is_ok());
    }

    #[test]
    fn height_counts_in_the_round_of_contact_for_a_whole_front() {
        let height = Height {
            own: Centimetres::whole(3),
            enemy: Centimetres::whole(5),
            whole_front: true,
            same_slope: true,
            attacks: false,
        };
        assert!(told(|clerk| above(height, 1, clerk)).0);
        assert!(told(|clerk| above(Height { attacks: true, ..height }, 1, clerk)).0);
        assert!(!told(|clerk| above(height, 2, clerk)).0);
        assert!(!told(|clerk| above(Height { whole_front: false, ..height }, 1, clerk)).0);
        let level = Height { enemy: Centimetres::hundredths(309), ..height };
        assert!(!told(|clerk| above(level, 1, clerk)).0);
    }
}
