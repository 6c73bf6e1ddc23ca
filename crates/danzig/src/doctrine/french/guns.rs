//! The siege guns: 24-pounders at the wall from where they break it, 12-pounders at the batteries that
//! hurt most; rounds are kept for the turns of lodgement and storm.

use super::super::Mind;
use super::BREACHES;
use super::network::is_empty;
use crate::action::Action;
use crate::ops::Unheard;
use crate::siege::{GunTarget, MOST_SHOTS, WallId, french_shot, gun_at};
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// Rounds of the 12-pounders kept back at the start of the turn of this number.
const KEPT: [u16; 16] = [250, 250, 250, 60, 50, 110, 90, 120, 90, 60, 40, 20, 0, 0, 0, 0];

pub(super) fn fire(mind: &Mind<'_>) -> Action {
    breach(mind).or_else(|| silence(mind)).unwrap_or_else(|| mind.rest())
}

/// The wall that is to be opened next, by the gun that stands nearest.
fn breach(mind: &Mind<'_>) -> Option<Action> {
    let target = targets(mind).into_iter().find_map(|point| Some((point, gun_for(mind, point)?)));
    let (point, gun) = target?;
    let target = GunTarget::Wall(point);
    let shots = (2..=6).rev().find_map(|shots| {
        let order = Action::Bombard { gun, target, shots };
        (shots <= MOST_SHOTS && mind.allows(&order)).then_some(order)
    });
    Some(shots.unwrap_or(Action::FireSiegeGun { gun, target }))
}

/// The points to be shot at, pair by pair and the outer one first, down to where a work can be built on
/// them. The rounds are few: the second pair waits for the first, and whoever still stands on a breach is
/// left to the 12-pounders and the storm.
fn targets(mind: &Mind<'_>) -> Vec<WallId> {
    let siege = &mind.table().siege;
    let closed = |point: &WallId| siege.work_on(*point).is_none() && siege.wall(*point).level > 10;
    let pair = |first: &WallId| [*first, first.linked()].into_iter().find(closed);
    BREACHES.iter().find_map(pair).into_iter().collect()
}

/// The 24-pounder with the strongest shot at a point, if it is strong enough to tell.
fn gun_for(mind: &Mind<'_>, point: WallId) -> Option<UnitId> {
    let table = mind.table();
    let strength = |gun: &UnitId| {
        let shot = french_shot(table, *gun, GunTarget::Wall(point), &mut Unheard).ok()?;
        Some(shot.printed.saturating_sub(shot.bands))
    };
    UnitId::of_side(Side::French)
        .filter(|unit| unit.data().arm == Arm::Siege24)
        .filter_map(|gun| Some((strength(&gun)?, gun)))
        .filter(|(strength, _)| *strength >= 7)
        .max_by_key(|(strength, gun)| (*strength, std::cmp::Reverse(*gun)))
        .map(|(_, gun)| gun)
}

/// Whoever stands on a breach, then the batteries that answer, the nearest to the breach first.
fn silence(mind: &Mind<'_>) -> Option<Action> {
    let table = mind.table();
    let kept = KEPT[usize::from(table.turn).min(15)];
    mind.best(|action| {
        let Action::FireSiegeGun { gun, target } = action else { return None };
        if gun.data().arm != Arm::Siege12 || table.danzig.ammunition_12 == 0 {
            return None;
        }
        let GunTarget::Wall(point) = target else { return None };
        let shot = french_shot(table, *gun, *target, &mut Unheard).ok()?;
        let strength = i32::from(shot.printed.saturating_sub(shot.bands));
        if table.siege.wall(*point).level <= 10 && !is_empty(mind, *point) && strength >= 3 {
            return Some(1_000 + strength);
        }
        let battery = gun_at(table, Side::Prussian, Place::Wall(*point))?;
        if table.marked(battery, Marks::DAMAGED) || table.danzig.ammunition_12 <= kept {
            return None;
        }
        let aside = i32::from(point.0.abs_diff(BREACHES[0].0));
        (strength >= 4).then_some(strength * 40 - aside)
    })
}
