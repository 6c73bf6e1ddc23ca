//! Sorties against the works that are badly guarded, and counter-attacks on whatever the French hold of
//! the walls.

use super::super::{Mind, Plan};
use crate::action::Action;
use crate::siege::{CounterAttack, Sortie, SortieTarget, steps_on};
use crate::unit::{Place, Side};

/// A sortie is made when it promises as much as this.
const WORTH_IT: i32 = 4;

pub(super) fn sortie(mind: &Mind<'_>) -> Action {
    if mind.plan == Plan::Walls {
        return mind.rest();
    }
    mind.best_or_rest(|action| match action {
        Action::DeclareSortie(sortie) => Some(promise(mind, sortie)).filter(|worth| *worth >= WORTH_IT),
        _ => None,
    })
}

/// What a sortie promises: works left alone are lost, guns are driven off; men in an intact work throw
/// most attackers back.
fn promise(mind: &Mind<'_>, sortie: &Sortie) -> i32 {
    let table = mind.table();
    let group = |target: SortieTarget| match target {
        SortieTarget::Work(id) => {
            let men = i32::from(steps_on(table, Side::French, Place::Work(id)));
            let gun = table.at(Side::French, Place::Work(id)).any(|unit| unit.data().arm.is_artillery());
            let damaged = table.siege.work(id).is_some_and(|work| work.damaged);
            let guard = match (men, damaged) {
                (0, _) => 2,
                (1, _) => 1,
                (_, true) => 0,
                _ => -3,
            };
            guard + i32::from(gun) * 2
        }
        SortieTarget::Kalke(_) => 2 - i32::from(steps_on(table, Side::French, Place::Kalke)),
    };
    sortie.groups.iter().flatten().map(|one| group(one.target)).sum()
}

/// Four steps at once, the second wall before the first; a bare point before a work.
pub(super) fn counter_attack(mind: &Mind<'_>) -> Action {
    if mind.plan == Plan::Walls {
        return mind.rest();
    }
    mind.best_or_rest(|action| match action {
        Action::DeclareCounterAttack(attack) => Some(pressure(mind, attack)).filter(|worth| *worth > 0),
        _ => None,
    })
}

fn pressure(mind: &Mind<'_>, attack: &CounterAttack) -> i32 {
    let table = mind.table();
    let steps: i32 = attack.units.iter().map(|unit| i32::from(table.unit(unit).steps)).sum();
    let place = table.siege.work_on(attack.target).map_or(Place::Wall(attack.target), Place::Work);
    let held = i32::from(steps_on(table, Side::French, place));
    let intact = table.siege.work_on(attack.target).and_then(|id| table.siege.work(id));
    let value = match intact {
        Some(work) if !work.damaged => 1,
        _ => 2,
    };
    let odds = steps * value * 10 / (held * 2).max(1);
    // Hope is enough where the city would fall.
    let last = attack.target.is_second() && table.danzig.morale <= 2;
    let worth = i32::from(attack.target.is_second()) * 40 + odds.min(40);
    if last || odds >= 10 { worth } else { 0 }
}
