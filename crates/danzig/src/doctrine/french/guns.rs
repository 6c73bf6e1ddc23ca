//! The siege guns: 24-pounders at the pair of wall points that is to fall, 12-pounders at whoever stands on
//! them and at the batteries that answer. Shots repeat, so that one gun of each kind is enough; the rounds
//! are few, and some are kept for the turn of the storm.

use super::super::{Mind, Plan, metres};
use super::network::is_empty;
use super::{BREACHES, storm};
use crate::action::Action;
use crate::ops::Unheard;
use crate::siege::{GROUND, GunTarget, MOST_SHOTS, WallId, french_shot, gun_at};
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// Rounds of the 12-pounders that are left to clear the breach of the last storm.
const KEPT_12: u16 = 25;
/// Rounds of the 24-pounders that are left to the last storm.
const KEPT_24: u16 = 12;
/// As far below the wall as this a work can be built on a point.
const LODGED: u8 = 10;
/// A point as low as this can be stormed.
const OPEN: u8 = 16;
/// So many shots at one mark before the next thing is thought of.
const SALVO: u8 = 4;

pub(super) fn fire(mind: &Mind<'_>) -> Action {
    breach(mind).or_else(|| clear(mind)).or_else(|| silence(mind)).unwrap_or_else(|| mind.rest())
}

/// The wall that is to be opened next, by the gun whose shot is strongest.
fn breach(mind: &Mind<'_>) -> Option<Action> {
    let point = target(mind)?;
    let gun = gun_for(mind, Arm::Siege24, point)?;
    shots_at(mind, gun, point, SALVO)
}

/// The next point to be shot at: the outer one and the inner one until works can be built on them. After the
/// second wall has been entered once, rounds are spent on it again when the city has no heart left, then on
/// its neighbours too, until they can be stormed.
fn target(mind: &Mind<'_>) -> Option<WallId> {
    let (siege, city) = (&mind.table().siege, &mind.table().danzig);
    let above = |point: WallId, level: u8| siege.work_on(point).is_none() && siege.wall(point).level > level;
    let first = BREACHES[0];
    if above(first, LODGED) {
        return Some(first);
    }
    let wanted = storm::is_last(mind) || !city.second_line_done && city.ammunition_24 > KEPT_24;
    if !wanted {
        return None;
    }
    let main = first.linked();
    let neighbours =
        [BREACHES[1].linked(), BREACHES[2].linked()].into_iter().filter(|_| storm::is_last(mind));
    std::iter::once((main, LODGED))
        .chain(neighbours.map(|point| (point, OPEN)))
        .find(|(point, level)| above(*point, *level) && gun_for(mind, Arm::Siege24, *point).is_some())
        .map(|(point, _)| point)
}

/// The gun of a kind with the strongest shot at a point, if the shot can tell.
fn gun_for(mind: &Mind<'_>, arm: Arm, point: WallId) -> Option<UnitId> {
    let enough = match arm {
        Arm::Siege24 => 7,
        _ => 4,
    };
    UnitId::of_side(Side::French)
        .filter(|unit| unit.data().arm == arm)
        .filter_map(|gun| Some((strength(mind, gun, point)?, gun)))
        .filter(|(strength, _)| *strength >= enough)
        .max_by_key(|(strength, gun)| (*strength, std::cmp::Reverse(*gun)))
        .map(|(_, gun)| gun)
}

/// The factor of a gun at a point.
fn strength(mind: &Mind<'_>, gun: UnitId, point: WallId) -> Option<u8> {
    let shot = french_shot(mind.table(), gun, GunTarget::Wall(point), &mut Unheard).ok()?;
    Some(shot.printed.saturating_sub(shot.bands))
}

/// As many shots as this in one order, or fewer where the rounds run out.
fn shots_at(mind: &Mind<'_>, gun: UnitId, point: WallId, most: u8) -> Option<Action> {
    let target = GunTarget::Wall(point);
    let salvo = (2..=most.min(MOST_SHOTS)).rev().map(|shots| Action::Bombard { gun, target, shots });
    salvo.chain([Action::FireSiegeGun { gun, target }]).find(|order| mind.allows(order))
}

/// Whoever stands on a point that is to be built on or stormed now.
fn clear(mind: &Mind<'_>) -> Option<Action> {
    let siege = &mind.table().siege;
    let build = (siege.wall(BREACHES[0]).level <= LODGED && siege.work_on(BREACHES[0]).is_none())
        .then_some(BREACHES[0]);
    let marks = build.into_iter().chain(storm::wanted(mind));
    marks.filter(|point| !is_empty(mind, *point)).find_map(|point| {
        let gun = gun_for(mind, Arm::Siege12, point)?;
        shots_at(mind, gun, point, SALVO)
    })
}

/// The batteries that answer, those nearest to the breach first.
fn silence(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let kept = if storm::is_last(mind) { 0 } else { KEPT_12 };
    if mind.plan == Plan::OneWall || !storm::is_ripe(mind) || table.danzig.ammunition_12 <= kept {
        return None;
    }
    let breach = GROUND.point(BREACHES[0]);
    let mut batteries: Vec<(i32, WallId)> = WallId::all()
        .filter(|point| {
            gun_at(table, Side::Prussian, Place::Wall(*point))
                .is_some_and(|battery| !table.marked(battery, Marks::DAMAGED))
        })
        .map(|point| (metres(GROUND.point(point), breach), point))
        .collect();
    batteries.sort_unstable();
    batteries.into_iter().find_map(|(_, point)| {
        let gun = gun_for(mind, Arm::Siege12, point)?;
        let left = u8::try_from(table.danzig.ammunition_12 - kept).unwrap_or(u8::MAX);
        shots_at(mind, gun, point, left.min(SALVO))
    })
}
