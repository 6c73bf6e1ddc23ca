//! Movement in the trenches: guns into their emplacements, stormers to the head of the sap, guards into
//! the parallels, and everybody else back to dig again.

use super::super::Mind;
use super::network::free_emplacements;
use super::{BREACHES, storm, weight};
use crate::action::Action;
use crate::siege::{GROUND, SiegeMove, WallId, WorkId, WorkKind, steps_on};
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// Battalions kept in the concentration area for the work of the next turn.
const DIGGERS: usize = 10;
/// As near to the head of the trenches as this is the front, in decimetres.
const FRONT_DM: i16 = 1_000;
/// From so far an assault is made.
const REACH_M: i32 = 250;

pub(super) fn movement(mind: &Mind<'_>) -> Action {
    guns(mind)
        .or_else(|| kalke(mind))
        .or_else(|| stormers(mind))
        .or_else(|| back(mind))
        .or_else(|| guards(mind))
        .unwrap_or_else(|| mind.rest())
}

/// Guns go where they serve best: breaching guns forward, mortars behind, field guns where sorties come.
fn guns(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let free = free_emplacements(mind);
    let mut guns: Vec<UnitId> = UnitId::of_side(Side::French)
        .filter(|unit| unit.data().arm.is_artillery() && table.unit(*unit).place.is_siege())
        .filter(|unit| !table.unit(*unit).is_disordered() && !table.marked(*unit, Marks::MOVED))
        .collect();
    guns.sort_by_key(|gun| (rank(gun.data().arm), *gun));
    guns.into_iter().find_map(|gun| {
        let here = match table.unit(gun).place {
            Place::Work(id) => Some(service(mind, gun, id)),
            _ => None,
        };
        let (worth, to) = free.iter().map(|id| (service(mind, gun, *id), *id)).max()?;
        // A gun that serves is not moved for a trifle.
        let better = here.is_none_or(|here| worth >= here + 60);
        let order = Action::SiegeMove(SiegeMove::Network { unit: gun, to });
        (better && worth > 0 && mind.allows(&order)).then_some(order)
    })
}

const fn rank(arm: Arm) -> u8 {
    match arm {
        Arm::Siege24 => 0,
        Arm::Mortar => 1,
        Arm::Siege12 => 2,
        _ => 3,
    }
}

/// What an emplacement is worth to a gun.
fn service(mind: &Mind<'_>, gun: UnitId, id: WorkId) -> i32 {
    let far = mind.metres(id, BREACHES[0]).min(2_000);
    let on_wall = mind.table().siege.work(id).is_some_and(crate::siege::Work::is_on_wall);
    match gun.data().arm {
        // On the wall itself a gun would be counter-attacked.
        _ if on_wall => 0,
        // All at once: of many guns some are left that can answer.
        Arm::Siege12 if !storm::is_near(mind) => 0,
        // Farther off than this they break nothing and only draw fire.
        Arm::Siege24 if far > 250 => 0,
        Arm::Siege24 => 2_000 - far,
        // Farther off than this a shot at a battery is wasted.
        Arm::Siege12 if far > 500 => 0,
        Arm::Siege12 => 1_500 - (far - 170).abs(),
        // A mortar serves anywhere, so that others have the places they need.
        Arm::Mortar if far > 500 => 500 + far,
        Arm::Mortar => 0,
        // The siege train comes first: until it is there field guns stand in the printed redoubts only.
        _ if mind.table().turn < 8 && !is_redoubt(mind, id) => 0,
        _ => 100 + far / 100,
    }
}

/// Whether an emplacement lies on a printed redoubt.
fn is_redoubt(mind: &Mind<'_>, id: WorkId) -> bool {
    mind.table().siege.work(id).is_some_and(|work| GROUND.redoubts.contains(&work.pose.at))
}

/// Two strong battalions into the box before the Kalke-Schanze, until it is taken; a garrison then.
fn kalke(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let mine = table.siege.kalke.holder == Side::French;
    let there = table.at(Side::French, if mine { Place::Kalke } else { Place::KalkeBox }).count();
    if there >= if mine { 1 } else { 2 } || waiting(mind).len() < 4 {
        return None;
    }
    waiting(mind).into_iter().rev().find_map(|unit| {
        let order =
            Action::SiegeMove(if mine { SiegeMove::IntoKalke { unit } } else { SiegeMove::Box { unit } });
        (table.unit(unit).steps == 2 && mind.allows(&order)).then_some(order)
    })
}

/// Battalions of the concentration area that may move, the weakest first.
fn waiting(mind: &Mind<'_>) -> Vec<UnitId> {
    let table = mind.table();
    let mut units: Vec<UnitId> = mind
        .infantry(Side::French)
        .filter(|unit| {
            table.unit(*unit).place == Place::Concentration
                && !table.marked(*unit, Marks::MOVED)
                && !table.marked(*unit, Marks::WORKER)
        })
        .collect();
    units.sort_by_key(|unit| (weight(mind, *unit), *unit));
    units
}

/// Four steps for each point that shall be stormed now, within reach of it.
fn stormers(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    storm::wanted(mind).into_iter().find_map(|point| {
        let near: Vec<WorkId> = table.siege.network.iter().filter(|id| reaches(mind, *id, point)).collect();
        let ready: u8 = near
            .iter()
            .map(|id| {
                table
                    .at(Side::French, Place::Work(*id))
                    .filter(|unit| unit.data().arm == Arm::Infantry && !table.marked(*unit, Marks::WORKER))
                    .map(|unit| table.unit(unit).steps)
                    .sum::<u8>()
            })
            .sum();
        if ready >= 8 {
            return None;
        }
        let mut strong = waiting(mind);
        strong.reverse();
        strong.iter().filter(|unit| table.unit(**unit).steps == 2).find_map(|unit| {
            near.iter().find_map(|to| {
                let order = Action::SiegeMove(SiegeMove::Network { unit: *unit, to: *to });
                mind.allows(&order).then_some(order)
            })
        })
    })
}

fn reaches(mind: &Mind<'_>, id: WorkId, point: WallId) -> bool {
    mind.metres(id, point) <= REACH_M
}

/// Whoever stands in the rear and is not wanted there goes back to dig.
fn back(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let free = UnitId::of_side(Side::French).filter(|unit| {
        unit.data().arm == Arm::Infantry
            && !table.marked(*unit, Marks::MOVED)
            && !table.marked(*unit, Marks::WORKER)
    });
    let waiting = waiting(mind).len();
    let quiet = is_safe(mind);
    free.filter(|unit| match table.unit(*unit).place {
        Place::Work(id) => {
            quiet || waiting < DIGGERS && !is_front(mind, id) || !table.siege.network.contains(id)
        }
        Place::Open(_) => true,
        _ => false,
    })
    .find_map(|unit| {
        let order = Action::SiegeMove(SiegeMove::Back { unit });
        mind.allows(&order).then_some(order)
    })
}

/// The works nearest to the wall, in which guards stand: the others are wanted to dig.
fn is_front(mind: &Mind<'_>, id: WorkId) -> bool {
    let siege = &mind.table().siege;
    let deep = |id: WorkId| siege.work(id).map(|work| work.pose.at.y);
    let deepest = siege.network.iter().filter_map(deep).max();
    deep(id).zip(deepest).is_some_and(|(here, deepest)| here >= deepest - FRONT_DM)
}

/// A battalion in each of the works nearest to the wall, as long as enough are left to dig.
fn guards(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let waiting = waiting(mind);
    if waiting.len() <= DIGGERS {
        return None;
    }
    let empty = table.siege.network.iter().filter(|id| {
        is_front(mind, *id)
            && steps_on(table, Side::French, Place::Work(*id)) == 0
            && table.siege.work(*id).is_some_and(|work| work.kind != WorkKind::Sap || work.pose.at.y > 11_000)
    });
    let unit = *waiting.first()?;
    let order =
        empty.map(|to| Action::SiegeMove(SiegeMove::Network { unit, to })).find(|order| mind.allows(order));
    order.filter(|_| !is_safe(mind))
}

/// No sortie can come any more: until the storm nobody need stand in the trenches, under fire.
fn is_safe(mind: &Mind<'_>) -> bool {
    mind.table().danzig.sorties_over && storm::wanted(mind).is_empty()
}
