//! The guns of the walls: where they stand and look, what they fire at, which are mended.

use super::super::{Mind, metres};
use crate::action::Action;
use crate::ops::Unheard;
use crate::siege::{BatteryTarget, Facing, GROUND, GarrisonMove, Spot, WallId, WorkKind, prussian_shot};
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// A gun looks this far off the trenches before it is turned.
const ASKEW: u16 = 20;

/// The trench that is nearest to a spot.
fn nearest_work(mind: &Mind<'_>, from: Spot) -> Option<Spot> {
    let works = mind.table().siege.all_works().map(|(_, work)| work.pose.at);
    works.min_by_key(|at| (metres(*at, from), *at))
}

/// Where a gun on a point should look: at the nearest trench.
fn outlook(mind: &Mind<'_>, point: WallId) -> u16 {
    let from = GROUND.point(point);
    nearest_work(mind, from).map_or(270, |work| Facing::towards(from, work).get())
}

/// What a point is worth to a battery: the nearer to the trenches the better, but not under them.
fn worth(mind: &Mind<'_>, point: WallId) -> i32 {
    let from = GROUND.point(point);
    let near = nearest_work(mind, from).map_or(500, |work| metres(work, from));
    -(near - 250).abs() - i32::from(point.is_second()) * 150
}

/// A battery that has lost its point goes to the next best.
pub(crate) fn displace(mind: &Mind<'_>, battery: UnitId) -> Action {
    let best = mind.best(|action| match action {
        Action::DisplaceBattery { point, .. } => Some(worth(mind, *point)),
        _ => None,
    });
    match best {
        Some(Action::DisplaceBattery { point, facing, .. }) => {
            let order = Action::DisplaceBattery { battery, point, facing: outlook(mind, point) };
            if mind.allows(&order) { order } else { Action::DisplaceBattery { battery, point, facing } }
        }
        _ => mind.rest(),
    }
}

/// Damaged batteries are mended where they are wanted.
pub(super) fn repair(mind: &Mind<'_>) -> Action {
    let best = mind.best(|action| match action {
        Action::RepairBattery { battery, point, .. } => {
            let home = mind.table().unit(*battery).place == Place::Wall(*point);
            Some(worth(mind, *point) + i32::from(home) * 30)
        }
        _ => None,
    });
    match best {
        Some(Action::RepairBattery { battery, point, facing }) => {
            let order = Action::RepairBattery { battery, point, facing: outlook(mind, point) };
            if mind.allows(&order) { order } else { Action::RepairBattery { battery, point, facing } }
        }
        _ => mind.rest(),
    }
}

/// One battery a turn to the front that is attacked; those that look elsewhere turn to the trenches.
pub(super) fn turn(mind: &Mind<'_>) -> Option<Action> {
    nearest_work(mind, GROUND.point(WallId(8)))?;
    let table = mind.table();
    let guns = || {
        UnitId::of_side(Side::Prussian)
            .filter(|unit| unit.data().arm == Arm::Fortress && !table.marked(*unit, Marks::DAMAGED))
    };
    if !mind.state.clock.battery_moved
        && let Some((worst, battery)) = guns()
            .filter_map(|gun| match table.unit(gun).place {
                Place::Wall(point) => Some((worth(mind, point), gun)),
                _ => None,
            })
            .min()
    {
        let mut points: Vec<(i32, WallId)> = WallId::all()
            .map(|point| (worth(mind, point), point))
            .filter(|(worth, _)| *worth > worst + 200)
            .collect();
        points.sort_unstable_by(|a, b| b.cmp(a));
        let order = points.into_iter().find_map(|(_, to)| {
            let order = Action::Garrison(GarrisonMove::Battery { battery, to, facing: outlook(mind, to) });
            mind.allows(&order).then_some(order)
        });
        if order.is_some() {
            return order;
        }
    }
    guns().filter(|gun| !table.marked(*gun, Marks::PIVOTED)).find_map(|battery| {
        let facing = match table.unit(battery).place {
            Place::Wall(point) => outlook(mind, point),
            Place::Kalke => {
                let from = GROUND.kalke_guns;
                Facing::towards(from, nearest_work(mind, from)?).get()
            }
            _ => return None,
        };
        let off = facing.abs_diff(table.unit(battery).facing);
        let order = Action::Garrison(GarrisonMove::Pivot { battery, facing });
        (off.min(360 - off) > ASKEW && mind.allows(&order)).then_some(order)
    })
}

/// The shot that promises most.
pub(super) fn fire(mind: &Mind<'_>) -> Action {
    let table = mind.table();
    mind.best_or_rest(|action| {
        let Action::FireBattery { battery, target } = action else { return None };
        let (shot, _) = prussian_shot(table, *battery, *target, &mut Unheard).ok()?;
        let factor = if shot.enfilade { 7 } else { i32::from(shot.printed.saturating_sub(shot.bands)) };
        Some(factor * prize(mind, *target))
    })
}

/// What there is to be hit.
fn prize(mind: &Mind<'_>, target: BatteryTarget) -> i32 {
    let table = mind.table();
    let place = match target {
        BatteryTarget::Work(id) => Place::Work(id),
        BatteryTarget::Open(spot) => Place::Open(spot),
        BatteryTarget::Wall(point) => Place::Wall(point),
        BatteryTarget::Kalke => Place::Kalke,
    };
    let men: i32 = table
        .at(Side::French, place)
        .map(|unit| match unit.data().arm {
            Arm::Siege24 => 10,
            Arm::Mortar => 8,
            Arm::Siege12 => 6,
            Arm::FieldArtillery => 3,
            _ => 3 * i32::from(table.unit(unit).steps),
        })
        .sum();
    let ground = match target {
        BatteryTarget::Work(id) => table.siege.work(id).map_or(0, |work| {
            let head = if work.is_on_wall() { 14 } else { i32::from(work.pose.at.y) / 2_000 };
            head + i32::from(work.damaged) * 5 + i32::from(work.kind == WorkKind::Battery)
        }),
        BatteryTarget::Wall(_) => 14,
        BatteryTarget::Open(_) => 8,
        BatteryTarget::Kalke => 2,
    };
    men + ground
}
