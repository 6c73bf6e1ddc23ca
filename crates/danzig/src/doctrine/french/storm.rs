//! The storm: the first wall to clear it, the second once for the city's heart, and for good when it has
//! none left. Guards go to whatever a sortie attacks.

use super::super::Mind;
use super::{BREACHES, weight};
use crate::action::Action;
use crate::relief_turn;
use crate::siege::{Assault, GunTarget, SortieTarget, WallId, gun_at, steps_on};
use crate::unit::{Marks, Place, Side};

/// Whether the city surrenders if the second wall is held at the end of this turn: its first storm takes
/// two points of morale by itself.
pub(super) fn is_last(mind: &Mind<'_>) -> bool {
    let city = &mind.table().danzig;
    city.morale <= if city.second_line_done { 0 } else { 2 }
}

/// What the relief gives back to the city.
const RELIEF: u8 = 3;

/// How much morale would be left to the city if both walls were entered now; until Kamenski has landed with
/// what he is going to bring.
fn heart(mind: &Mind<'_>) -> u8 {
    let (table, city) = (mind.table(), &mind.table().danzig);
    let walls = 2 * u8::from(!city.first_zero_done) + 2 * u8::from(!city.second_line_done);
    let relief = RELIEF * u8::from(!city.relief_done && table.turn < relief_turn(&table.options));
    (city.morale + relief).saturating_sub(walls)
}

/// Whether the siege draws to its end: the second parallel is dug and the guns that silence the walls go
/// into it. Before that nobody need stand under fire, for the city loses heart by itself.
pub(super) fn is_near(mind: &Mind<'_>) -> bool {
    heart(mind) <= 4 || mind.table().turn >= 10
}

/// Whether it is time to silence the walls, and to come up to them as soon as they are: a turn later they
/// are opened, stormed, and the city is to fall.
pub(super) fn is_ripe(mind: &Mind<'_>) -> bool {
    heart(mind) <= 3 || mind.table().turn >= 11
}

/// The points that shall be stormed now, the most wanted first.
pub(super) fn wanted(mind: &Mind<'_>) -> Vec<WallId> {
    let table = mind.table();
    let mut points: Vec<WallId> = Vec::new();
    if is_last(mind) || !table.danzig.second_line_done {
        let inner = BREACHES.iter().map(|first| first.linked());
        points.extend(inner.filter(|point| table.siege.wall(*point).level <= 16));
    }
    for point in BREACHES.into_iter().take(1) {
        let level = table.siege.wall(point).level;
        let held = steps_on(table, Side::Prussian, Place::Wall(point)) > 0;
        // A breach that is held must be cleared before anything can be built on it; a wall that nobody
        // holds is taken and pulled down from within, which saves the rounds of the heavy guns.
        if table.siege.work_on(point).is_none()
            && (level <= 10 && held || (11..=16).contains(&level) && !held)
        {
            points.push(point);
        }
    }
    points
}

pub(super) fn assault(mind: &Mind<'_>) -> Action {
    let wanted = wanted(mind);
    let last = is_last(mind);
    mind.best_or_rest(|action| {
        let Action::Assault(assault) = action else { return None };
        let odds = odds(mind, assault)?;
        match assault.at {
            GunTarget::Kalke(_) => (odds >= 10).then_some(odds),
            GunTarget::Wall(point) => {
                let place = wanted.iter().position(|other| *other == point)?;
                let enough = if last && point.is_second() { 5 } else { 15 };
                (odds >= enough).then_some(1_000 + odds.min(60) - i32::try_from(place).ok()?)
            }
        }
    })
}

/// Tenths of the defender's strength that the stormers have; the strongest count a little more.
fn odds(mind: &Mind<'_>, assault: &Assault) -> Option<i32> {
    let table = mind.table();
    let steps: i32 = assault.units.iter().map(|unit| i32::from(table.unit(unit).steps)).sum();
    let nerve: i32 = assault.units.iter().map(|unit| weight(mind, unit)).sum();
    let (value, defence) = match assault.at {
        GunTarget::Wall(point) => {
            let there = i32::from(steps_on(table, Side::Prussian, Place::Wall(point)));
            let gun = gun_at(table, Side::Prussian, Place::Wall(point))
                .is_some_and(|gun| !table.marked(gun, Marks::DAMAGED));
            let defence = if there > 0 { there * 2 } else { i32::from(gun) * 2 };
            (if table.siege.wall(point).level > 0 { 2 } else { 3 }, defence)
        }
        GunTarget::Kalke(side) => {
            let there = i32::from(steps_on(table, Side::Prussian, Place::Kalke));
            let guns = table.at(Side::Prussian, Place::Kalke).count();
            let damage = table.siege.kalke.damage[side as usize];
            let value = match damage {
                0 => 1,
                1 | 2 => 2,
                _ => 3,
            };
            (value, if there > 0 { there * 2 } else { i32::try_from(guns).ok()? * 2 })
        }
    };
    Some(steps * value * 10 / defence.max(1) + nerve / 20)
}

/// The guard of the trenches: the strongest battalion to the work that is attacked.
pub(super) fn defenders(mind: &Mind<'_>) -> Action {
    let attacked = |work| {
        mind.state.sortie.as_ref().is_some_and(|run| {
            run.sortie.groups.iter().flatten().any(|group| group.target == SortieTarget::Work(work))
        })
    };
    mind.best_or_rest(|action| match action {
        Action::CommitDefender { unit, work } if attacked(*work) => Some(weight(mind, *unit)),
        _ => None,
    })
}
