//! Section 5.4: fire from a house and at it, side by side.

use kernel::{Centimetres, Clerk, Effect, Refusal, Verdict, Whole};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;
use rulebook::tables::tabletop_terrain::HouseActionsAction as Takes;
use schemars::JsonSchema;
use serde::Deserialize;

use super::super::state::State;
use super::super::troops::Formation;
use super::Side;

/// A garrison that wants to fire from one side.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FromHouse {
    /// The side.
    pub side: Side,
    /// Figures on it.
    pub figures: Whole<0, 99>,
    /// Sides that an enemy attacks.
    #[serde(default)]
    pub attacked: Vec<Side>,
    /// An enemy unit is inside.
    #[serde(default)]
    pub enemy_inside: bool,
    /// Figures of the side that are being moved.
    #[serde(default)]
    pub moving: Whole<0, 99>,
}

/// How a garrison fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseFire {
    /// Figures that fire.
    pub figures: i32,
    /// Tenths of a degree on either side of the outward normal.
    pub angle: i32,
    /// Their state as shooters.
    pub state: State,
}

/// May the figures of a side fire?
///
/// # Errors
/// From an attacked side, and with an enemy in the house.
pub fn from_house(fire: &FromHouse, clerk: &mut impl Clerk) -> Verdict<HouseFire> {
    no_enemy_inside(fire.enemy_inside)?;
    not_attacked(fire.attacked.contains(&fire.side), !fire.attacked.is_empty(), clerk)
        .map_err(|refusal| refusal.with("side", fire.side.word()))?;
    let figures = not_moving(fire.figures.get(), fire.moving.get(), clerk);
    Ok(HouseFire { figures, angle: angle(clerk), state: state_of_shooters(clerk) })
}

/// Once an enemy is in the house its garrison fires at nobody outside.
///
/// # Errors
/// With an enemy inside.
pub(crate) fn no_enemy_inside(enemy_inside: bool) -> Verdict<()> {
    if rule!(TE_5_4_05).holds(enemy_inside) {
        return Err(Refusal::rule(rule!(TE_5_4_05), phrase::ENEMY_INSIDE));
    }
    Ok(())
}

/// A side under attack is silent to the last figure; the others fire on.
///
/// # Errors
/// For the side under attack.
pub(crate) fn not_attacked(this_side: bool, some_side: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if rule!(TE_5_4_03).holds(this_side) {
        return Err(Refusal::rule(rule!(TE_5_4_03), phrase::SIDE_ATTACKED));
    }
    if some_side {
        clerk.applied(rule!(TE_5_4_04));
    }
    Ok(())
}

/// The figures of a side that fire while others of it are being moved.
pub(crate) fn not_moving(on_side: i32, moving: i32, clerk: &mut impl Clerk) -> i32 {
    let staying = (on_side - moving).max(0);
    if moving > 0 { clerk.limit(rule!(TE_5_2_24), staying) } else { staying }
}

/// Tenths of a degree on either side of the outward normal.
pub(crate) fn angle(clerk: &mut impl Clerk) -> i32 {
    clerk.rather(rule!(TE_5_4_01), 225, 450)
}

/// How a garrison counts as a shooter.
pub(crate) fn state_of_shooters(clerk: &mut impl Clerk) -> State {
    clerk.value(rule!(TE_5_4_06), State::Unformed)
}

/// From the wall, not from the bases shown before it.
pub fn range(wall_to_target: Centimetres, clerk: &mut impl Clerk) -> Centimetres {
    clerk.value(rule!(TE_5_4_02), wall_to_target)
}

/// A fire at a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AtHouse {
    /// Figures on the side fired at.
    pub figures: Whole<0, 99>,
    /// The garrison has fired, fought or started to leave.
    pub revealed: bool,
    /// A friend attacks that side.
    #[serde(default)]
    pub friend_attacks_side: bool,
}

/// May the side be fired at? If so the garrison is a line behind hard shelter.
///
/// # Errors
/// Before it is known to be held, and over a friend at the wall.
pub fn at_house(fire: AtHouse, clerk: &mut impl Clerk) -> Verdict<Formation> {
    if rule!(TE_5_4_07).holds(!fire.revealed) {
        return Err(Refusal::rule(rule!(TE_5_4_07), phrase::NOT_REVEALED));
    }
    if rule!(TE_5_4_08).holds(fire.friend_attacks_side) {
        return Err(Refusal::rule(rule!(TE_5_4_08), phrase::FRIEND_AT_WALL));
    }
    is_held(fire.figures.get() > 0)?;
    clerk.applied(rule!(TE_5_4_07));
    Ok(clerk.rather(rule!(TE_5_4_10), Formation::Line, Formation::CompanyColumn))
}

/// A side that nobody holds is no target.
///
/// # Errors
/// When it is empty.
pub(crate) fn is_held(held: bool) -> Verdict<()> {
    if rule!(TE_R51).holds(held) { Ok(()) } else { Err(Refusal::rule(rule!(TE_R51), phrase::SIDE_EMPTY)) }
}

/// Figures removed from a garrison by a fire that takes so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HouseLosses {
    /// Off the side fired at.
    pub side: i32,
    /// Out of the reserve, when that side has none left (TE-R52).
    pub reserve: i32,
    /// Quarters the shooter idles because nobody is left to fire at.
    pub shooter_idles: i32,
}

/// Whence a garrison takes one figure it has lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    /// Off the side fired at.
    Side,
    /// Out of the reserve: the side has none left.
    Reserve,
    /// From nowhere: nobody is left to lose.
    Nowhere,
}

/// One figure lost comes off the side that receives the fire, then out of the reserve, and never off
/// another side.
pub(crate) fn take_one(on_side: i32, reserve: i32, clerk: &mut impl Clerk) -> Taken {
    if on_side > 0 {
        return clerk.rather(rule!(TE_5_4_11), Taken::Side, Taken::Nowhere);
    }
    if reserve > 0 {
        return clerk.rather(rule!(TE_R52), Taken::Reserve, Taken::Nowhere);
    }
    clerk.because(rule!(TE_R52), Effect::Refused);
    Taken::Nowhere
}

/// Quarters a shooter idles before it notices that the side it fired at is empty.
pub(crate) fn idles(on_side: i32, lost_there: i32, clerk: &mut impl Clerk) -> i32 {
    if on_side <= 0 || lost_there < on_side {
        return 0;
    }
    let idles = super::quarters(Takes::ShooterReactionEmptySide, clerk).0;
    clerk.value(rule!(TE_5_4_12), idles)
}

/// The figures a fire takes from a garrison.
pub fn losses(figures_lost: i32, on_side: i32, reserve: i32, clerk: &mut impl Clerk) -> HouseLosses {
    let mut gone = HouseLosses { side: 0, reserve: 0, shooter_idles: 0 };
    for _ in 0..figures_lost {
        match take_one(on_side - gone.side, reserve - gone.reserve, clerk) {
            Taken::Side => gone.side += 1,
            Taken::Reserve => gone.reserve += 1,
            Taken::Nowhere => break,
        }
    }
    gone.shooter_idles = idles(on_side, gone.side, clerk);
    gone
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;

    fn north(figures: i32) -> FromHouse {
        FromHouse {
            side: Side::North,
            figures: Whole::new(figures).unwrap(),
            attacked: vec![],
            enemy_inside: false,
            moving: Whole::default(),
        }
    }

    #[test]
    fn te_ex_15_fire() {
        // Eight on an attacked side: none fires, engaged or not.
        let attacked = FromHouse { attacked: vec![Side::North], ..north(8) };
        assert_eq!(told(|clerk| from_house(&attacked, clerk)).0.unwrap_err().rule, Some(rule!(TE_5_4_03)));
        let elsewhere = FromHouse { attacked: vec![Side::South], ..north(8) };
        assert_eq!(told(|clerk| from_house(&elsewhere, clerk)).0.unwrap().figures, 8);
        let inside = FromHouse { enemy_inside: true, ..north(8) };
        assert_eq!(told(|clerk| from_house(&inside, clerk)).0.unwrap_err().rule, Some(rule!(TE_5_4_05)));
    }

    #[test]
    fn a_garrison_fires_unformed_from_its_wall() {
        let shifting = FromHouse { moving: Whole::new(2).unwrap(), ..north(4) };
        let (fire, _) = told(|clerk| from_house(&shifting, clerk));
        assert_eq!(fire, Ok(HouseFire { figures: 2, angle: 225, state: State::Unformed }));
        let d = Centimetres::whole(7);
        assert_eq!(told(|clerk| range(d, clerk)).0, d);
    }

    #[test]
    fn a_house_is_fired_at_once_it_is_known_to_be_held() {
        let at = |figures, revealed, friend_attacks_side| {
            let fire = AtHouse { figures: Whole::new(figures).unwrap(), revealed, friend_attacks_side };
            told(|clerk| at_house(fire, clerk)).0.map_err(|refusal| refusal.rule)
        };
        assert_eq!(at(3, true, false), Ok(Formation::Line));
        assert_eq!(at(3, false, false), Err(Some(rule!(TE_5_4_07))));
        assert_eq!(at(3, true, true), Err(Some(rule!(TE_5_4_08))));
        assert_eq!(at(0, true, false), Err(Some(rule!(TE_R51))));
    }

    #[test]
    fn losses_empty_the_side_then_the_reserve() {
        assert_eq!(
            told(|clerk| losses(1, 3, 2, clerk)).0,
            HouseLosses { side: 1, reserve: 0, shooter_idles: 0 }
        );
        assert_eq!(
            told(|clerk| losses(5, 3, 1, clerk)).0,
            HouseLosses { side: 3, reserve: 1, shooter_idles: 1 }
        );
    }
}
