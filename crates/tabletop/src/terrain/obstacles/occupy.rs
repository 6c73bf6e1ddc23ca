//! Section 8.3 of the terrain chapter, and the extension of a front along a wall or a house (5.5):
//! who holds an obstacle, how a body spreads along it and when it may leave.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::super::troops::{Formation, Troops};

/// Figures that hold the obstacle: those in base contact with it.
pub fn occupied_by(touching: i32, clerk: &mut impl Clerk) -> i32 {
    if touching > 0 { clerk.value(rule!(TE_8_3_01), touching) } else { 0 }
}

/// A change of formation at an obstacle follows its outline; the figures that end touching it hold
/// it. Gives back how many do.
///
/// # Errors
/// When the body does not touch it.
pub fn deploy_along(figures: i32, room: i32, in_contact: bool, clerk: &mut impl Clerk) -> Verdict<i32> {
    if !clerk.holds(rule!(TE_8_3_02), in_contact) {
        return Err(Refusal::rule(rule!(TE_8_3_02), phrase::NOT_AT_OBSTACLE));
    }
    Ok(occupied_by(figures.min(room), clerk))
}

/// May a body that lines an obstacle march off? Not while its figures face different ways.
///
/// # Errors
/// Until it has changed formation again, normally to march column.
pub fn may_leave(troops: &Troops, faces_several_ways: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    let one_way = !faces_several_ways || troops.formation == Formation::CompanyColumn;
    if !clerk.holds(rule!(TE_8_3_03), one_way) {
        return Err(Refusal::rule(rule!(TE_8_3_03), phrase::FACES_SEVERAL_WAYS));
    }
    Ok(())
}

/// What an extension happens at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A house, after a drawn round.
    House,
    /// A linear obstacle that nobody defends.
    Obstacle,
    /// A linear obstacle, after a drawn round.
    ObstacleAfterDraw,
}

/// An extension of the front over one period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Figures in contact when it begins.
    pub in_contact: i32,
    /// Figures to bring up.
    pub wanted: i32,
    /// Figures the sides or the obstacle have room for in all.
    pub room: i32,
}

/// Figures that come up in a quarter.
const PER_QUARTER: i32 = 3;

/// Figures in contact after each of the four quarters of a period; what fights is what touches at
/// the end of the first half-period.
pub fn extend(at: At, extension: Extension, clerk: &mut impl Clerk) -> [i32; 4] {
    let by = match at {
        At::House => rule!(TE_5_5_21),
        At::Obstacle => rule!(TE_8_3_04),
        At::ObstacleAfterDraw => rule!(TE_8_6_17),
    };
    let mut now = extension.in_contact;
    let mut after = [now; 4];
    if !clerk.holds(by, true) {
        return after;
    }
    let room = clerk.rather(rule!(TE_R58), extension.room.max(extension.in_contact), i32::MAX);
    clerk.applied(rule!(TE_5_5_22));
    let per_quarter = clerk.limit(rule!(TE_5_5_25), PER_QUARTER);
    let target = room.min(extension.in_contact.saturating_add(extension.wanted.max(0)));
    let wanted = clerk.value(rule!(TE_5_5_23), target - extension.in_contact);
    let target = extension.in_contact + wanted;
    for (quarter, slot) in after.iter_mut().enumerate() {
        if quarter < 2 || (now < target && !later(clerk)) {
            now = (now + per_quarter).min(target);
        }
        *slot = now;
    }
    after[3] = clerk.value(rule!(TE_5_5_26), now);
    after
}

/// What is not up in the first half-period waits for the next period.
fn later(clerk: &mut impl Clerk) -> bool {
    let not_now = clerk.holds(rule!(TE_5_5_24), true);
    let not_before = clerk.holds(rule!(TE_5_5_27), true);
    not_now && not_before
}

/// Figures of the attacker's first rank after losses: those that come up replace them, while the
/// garrison leaves its gaps on an attacked side.
pub fn replace_losses(in_contact: i32, lost: i32, brought_up: i32, clerk: &mut impl Clerk) -> i32 {
    let replaced = clerk.rather(rule!(TE_5_5_28), brought_up.clamp(0, PER_QUARTER * 2), 0);
    (in_contact - lost).max(0) + replaced
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::Arm;

    #[test]
    fn te_ex_22_a_front_on_a_thinly_held_side() {
        let (after, _) =
            told(|clerk| extend(At::House, Extension { in_contact: 3, wanted: 4, room: 7 }, clerk));
        assert_eq!(after, [6, 7, 7, 7]);
    }

    #[test]
    fn te_ex_23_extending_the_front() {
        let extension = Extension { in_contact: 3, wanted: 30, room: 40 };
        let (after, said) = told(|clerk| extend(At::House, extension, clerk));
        assert_eq!(after, [6, 9, 9, 9]);
        assert!(said.contains(&"TE-5.5-24") && said.contains(&"TE-5.5-27"));
        let resumed = Extension { in_contact: 9, ..extension };
        assert_eq!(told(|clerk| extend(At::House, resumed, clerk)).0[0], 12);
    }

    #[test]
    fn te_ex_28_deploying_along_a_wall() {
        // A wall that turns a corner has room for the whole battalion: everyone who touches holds it.
        let (held, said) = told(|clerk| deploy_along(12, 14, true, clerk));
        assert_eq!(held, Ok(12));
        assert!(said.contains(&"TE-8.3-01"));
        assert_eq!(
            told(|clerk| deploy_along(12, 14, false, clerk)).0.unwrap_err().rule,
            Some(rule!(TE_8_3_02))
        );
    }

    #[test]
    fn te_ex_29_a_hedge_entered_by_its_open_end() {
        let line = Troops::new(Arm::Infantry, Formation::Line);
        let (refused, _) = told(|clerk| may_leave(&line, true, clerk));
        assert_eq!(refused.unwrap_err().rule, Some(rule!(TE_8_3_03)));
        let column = Troops::new(Arm::Infantry, Formation::CompanyColumn);
        assert!(told(|clerk| may_leave(&column, true, clerk)).0.is_ok());
        assert!(told(|clerk| may_leave(&line, false, clerk)).0.is_ok());
    }

    #[test]
    fn extensions_at_obstacles_obey_the_same_rate() {
        let extension = Extension { in_contact: 2, wanted: 5, room: 6 };
        for at in [At::Obstacle, At::ObstacleAfterDraw] {
            assert_eq!(told(|clerk| extend(at, extension, clerk)).0, [5, 6, 6, 6]);
        }
    }

    #[test]
    fn figures_brought_up_replace_the_fallen() {
        assert_eq!(told(|clerk| replace_losses(3, 2, 4, clerk)).0, 5);
    }
}
