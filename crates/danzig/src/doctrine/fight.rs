//! Fire, melee and charges of the operational map, for either side: every shot is fired, a melee is
//! fought when the odds are good, the charged form square.

use super::{Mind, Plan};
use crate::action::Action;
use crate::ops::{self, Hex, Melee, Reaction, Unheard, map};
use crate::series::MeleeOdds;
use crate::unit::{Arm, Formation, Side, UnitSet};

/// A shot at whoever passes.
pub(crate) fn opportunity(mind: &Mind<'_>) -> Action {
    mind.first(|action| matches!(action, Action::OpportunityShot { .. }))
}

/// Squares against horse, horse against horse; guns get away.
pub(crate) fn charged(mind: &Mind<'_>) -> Action {
    mind.best_or_rest(|action| match action {
        Action::React { unit, reaction } => Some(match (reaction, unit.data().arm) {
            (Reaction::Evade, _) => 4,
            (Reaction::Countercharge, _) => 3,
            (Reaction::Square, Arm::Infantry) => 2,
            _ => 1,
        }),
        _ => None,
    })
}

/// The volley with the most behind it, one hex after the other.
pub(crate) fn fire(mind: &Mind<'_>) -> Action {
    let weight = |firers: UnitSet| -> i32 {
        firers
            .iter()
            .map(|unit| match mind.table().unit(unit) {
                gun if unit.data().arm.is_artillery() => i32::from(gun.steps),
                foot if foot.formation == Formation::Line => i32::from(foot.steps),
                _ => 1,
            })
            .sum()
    };
    mind.best_or_rest(|action| match action {
        Action::Fire(attack) | Action::DefensiveFire(attack) => Some(weight(attack.firers)),
        _ => None,
    })
}

/// The melee with the best odds, if they are two to one or better; three to one beyond the river, where the
/// broken have no way back.
pub(crate) fn melee(mind: &Mind<'_>) -> Action {
    let enough = |target: Hex| match mind.side {
        Side::French if target.row() >= 22 => MeleeOdds::ThreeToOne,
        Side::Prussian if mind.plan == Plan::Sally => MeleeOdds::Even,
        _ => MeleeOdds::TwoToOne,
    };
    mind.best_or_rest(|action| match action {
        Action::Melee(melee) => {
            let (odds, strength) = odds(mind, melee)?;
            let star = i32::from(map().cell(melee.target).star.is_some()) * 4;
            (odds >= enough(melee.target)).then_some(star + odds as i32 * 10 + strength.min(9))
        }
        _ => None,
    })
}

/// The column of a melee, and how many times the defender's strength the attacker has.
fn odds(mind: &Mind<'_>, melee: &Melee) -> Option<(MeleeOdds, i32)> {
    let Some(facts) = ops::met(mind.table(), melee, &mut Unheard).ok()?.facts else {
        // The siege train alone is swept aside without a fight.
        return Some((MeleeOdds::FourToOne, 9));
    };
    let shifts = u8::from(facts.flank) + u8::from(facts.surrounded) + u8::from(facts.disordered);
    let column = MeleeOdds::of(facts.attack, facts.defence).shifted(shifts.min(2));
    Some((column, i32::try_from(facts.attack / facts.defence.max(1)).unwrap_or(9)))
}
