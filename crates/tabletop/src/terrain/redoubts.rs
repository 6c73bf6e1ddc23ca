//! Section 9.1 of the terrain chapter: redoubts. Linear faces that protect like a house, held by
//! troops in line, and lost with everybody in them when they are taken from the rear.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::tabletop::{Options, RedoubtEliteRefusal};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::state::State;
use super::troops::{Formation, Status, Troops};

/// May this body go in? Infantry and guns, by the rear gap alone.
///
/// # Errors
/// Horse, and whoever comes another way.
pub fn may_enter(troops: &Troops, by_gap: bool, clerk: &mut impl Clerk) -> Verdict<()> {
    if rule!(TE_R73).holds(troops.arm.is_mounted()) {
        return Err(Refusal::rule(rule!(TE_R73), phrase::NOT_ADMITTED)
            .with("arm", phrase::ARM_CAVALRY)
            .with("ground", phrase::GROUND_REDOUBT));
    }
    if !clerk.holds(rule!(TE_9_1_04), by_gap) {
        return Err(Refusal::rule(rule!(TE_9_1_04), phrase::REDOUBT_BY_GAP));
    }
    Ok(())
}

/// How a body stands in a redoubt: formed, and in line.
pub fn inside(clerk: &mut impl Clerk) -> (Formation, State) {
    (Formation::Line, clerk.value(rule!(TE_9_1_03), State::Formed))
}

/// What becomes of a garrison whose rear is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakenFromRear {
    /// All prisoners.
    Captured,
    /// It may refuse and fight on.
    MayRefuse,
}

/// An enemy has passed the gap or touches the garrison from behind.
pub fn taken_from_rear(status: Status, options: &Options, clerk: &mut impl Clerk) -> TakenFromRear {
    let taken = clerk.rather(rule!(TE_9_1_05), TakenFromRear::Captured, TakenFromRear::MayRefuse);
    let refusal = options.redoubt_elite_refusal == RedoubtEliteRefusal::Yes && status >= Status::Elite;
    if clerk.holds(rule!(TE_R73), refusal) { TakenFromRear::MayRefuse } else { taken }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terrain::testing::told;
    use crate::terrain::troops::Arm;

    #[test]
    fn a_redoubt_is_entered_from_behind_by_foot_and_guns() {
        let foot = Troops::new(Arm::Infantry, Formation::Line);
        assert!(told(|clerk| may_enter(&foot, true, clerk)).0.is_ok());
        assert_eq!(told(|clerk| may_enter(&foot, false, clerk)).0.unwrap_err().rule, Some(rule!(TE_9_1_04)));
        let horse = Troops::new(Arm::Cavalry, Formation::Line);
        assert_eq!(told(|clerk| may_enter(&horse, true, clerk)).0.unwrap_err().rule, Some(rule!(TE_R73)));
        assert_eq!(told(|clerk| inside(clerk)).0, (Formation::Line, State::Formed));
    }

    #[test]
    fn a_guard_refuses_only_with_the_option() {
        let mut options = Options::default();
        let taken = |options: &Options, status| told(|clerk| taken_from_rear(status, options, clerk)).0;
        assert_eq!(taken(&options, Status::Guard), TakenFromRear::Captured);
        options.redoubt_elite_refusal = RedoubtEliteRefusal::Yes;
        assert_eq!(taken(&options, Status::Guard), TakenFromRear::MayRefuse);
        assert_eq!(taken(&options, Status::Regular), TakenFromRear::Captured);
    }
}
