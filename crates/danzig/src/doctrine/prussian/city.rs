//! The garrison: it mans what is threatened and nothing else, and mends the wall where that keeps the
//! besieger off it.

use super::super::{Mind, metres};
use crate::action::Action;
use crate::siege::{GROUND, GarrisonMove, WallId, steps_on};
use crate::unit::{Arm, Place, Side, UnitId};

use super::batteries;

/// A wall needs men when the trenches are as near as this.
const NEAR_M: i32 = 350;
/// Battalions kept in reserve for sorties and counter-attacks.
const RESERVE: usize = 4;

/// The points before which the trenches stand, the nearest first; a breach before all others.
pub(super) fn threatened(mind: &Mind<'_>) -> Vec<WallId> {
    let siege = &mind.table().siege;
    let mut points: Vec<(i32, WallId)> = WallId::all()
        .filter_map(|point| {
            let at = GROUND.point(point);
            let far = siege.all_works().map(|(_, work)| metres(work.pose.at, at)).min()?;
            let open = siege.wall(point).level <= 16;
            (far <= NEAR_M && siege.work_on(point).is_none()).then_some((far - i32::from(open) * 400, point))
        })
        .collect();
    points.sort_unstable();
    points.into_iter().map(|(_, point)| point).collect()
}

/// Men onto the threatened points, guns to the front that is attacked, muzzles at the nearest trench.
pub(super) fn movement(mind: &Mind<'_>) -> Action {
    man(mind).or_else(|| kalke(mind)).or_else(|| batteries::turn(mind)).unwrap_or_else(|| mind.rest())
}

/// The battalions of the reserve, the best first.
fn reserve(mind: &Mind<'_>) -> Vec<UnitId> {
    let table = mind.table();
    let mut units: Vec<UnitId> = mind
        .infantry(Side::Prussian)
        .filter(|unit| table.unit(*unit).place == Place::Reserve && unit.data().arm == Arm::Infantry)
        .collect();
    units.sort_by_key(|unit| std::cmp::Reverse((table.unit(*unit).steps, unit.data().morale)));
    units
}

fn man(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let reserve = reserve(mind);
    if reserve.len() <= RESERVE {
        return None;
    }
    let bare = threatened(mind)
        .into_iter()
        .filter(|point| steps_on(table, Side::Prussian, Place::Wall(*point)) == 0)
        .take(reserve.len());
    bare.into_iter().find_map(|point| {
        reserve.iter().skip(RESERVE).find_map(|unit| {
            let order = Action::Garrison(GarrisonMove::Infantry { unit: *unit, to: Place::Wall(point) });
            mind.allows(&order).then_some(order)
        })
    })
}

/// The Kalke-Schanze is filled while it is ours: from there the trenches are raked.
fn kalke(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let full = steps_on(table, Side::Prussian, Place::Kalke) >= 6;
    if full || table.siege.kalke.holder != Side::Prussian || table.siege.kalke.taken_on > 0 {
        return None;
    }
    reserve(mind).into_iter().skip(RESERVE).find_map(|unit| {
        let order = Action::Garrison(GarrisonMove::Infantry { unit, to: Place::Kalke });
        mind.allows(&order).then_some(order)
    })
}

/// The point that one level more denies to the storm or to a work; else the lowest of the front.
pub(super) fn repair(mind: &Mind<'_>) -> Action {
    let threatened = threatened(mind);
    mind.best_or_rest(|action| match action {
        Action::RepairWall { point } => {
            let level = mind.table().siege.wall(*point).level;
            let front = threatened.iter().position(|other| other == point)?;
            let denies = match level {
                10 => 60,
                16 => 50,
                8 | 9 => 30,
                14 | 15 => 25,
                _ => 10,
            };
            Some(denies + 20 - i32::try_from(front).ok()?.min(20))
        }
        _ => None,
    })
}

/// A step comes back to the best of those who stand on the walls.
pub(super) fn replacement(mind: &Mind<'_>) -> Action {
    mind.best_or_rest(|action| match action {
        Action::ReplacePrussian { unit } => Some(i32::from(unit.data().morale)),
        _ => None,
    })
}

/// The least steady run away, those in reserve and those who are weakened first.
pub(super) fn deserters(mind: &Mind<'_>) -> Action {
    let table = mind.table();
    mind.best_or_rest(|action| match action {
        Action::Desert { unit } => {
            let counter = table.unit(*unit);
            let reserve = i32::from(counter.place == Place::Reserve);
            Some(reserve * 10 + i32::from(counter.steps == 1) * 5 - i32::from(unit.data().morale))
        }
        _ => None,
    })
}
