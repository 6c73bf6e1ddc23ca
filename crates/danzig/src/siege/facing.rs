//! Where a battery looks (chapters 4.3.2 and 5.1): it pivots freely, so that every degree is legal; those
//! are offered that differ in what lies in the arc.

use super::geometry::{Fine, bearing};
use super::ground::GROUND;
use crate::setup::FACINGS;
use crate::state::Table;
use crate::unit::{Place, Side, UnitId};

/// Everything a Prussian battery might be turned to: the works, the French in the open and on bare wall
/// points, and a French Kalke-Schanze.
pub(crate) fn marks(table: &Table) -> Vec<Fine> {
    let mut marks: Vec<Fine> = table.siege.all_works().map(|(_, work)| work.pose.at.fine()).collect();
    for unit in UnitId::of_side(Side::French) {
        match table.unit(unit).place {
            Place::Open(spot) => marks.push(spot.fine()),
            Place::Wall(point) => marks.push(GROUND.point(point).fine()),
            Place::Kalke => marks.push(GROUND.kalke_guns.fine()),
            _ => {}
        }
    }
    marks
}

/// The facings that matter for a battery in a place.
pub(crate) fn facings(table: &Table, place: Place) -> Vec<u16> {
    let from = match place {
        Place::Wall(point) => GROUND.point(point),
        _ => GROUND.kalke_guns,
    };
    facings_for(&marks(table), from.fine())
}

/// The facings that matter from a place with these marks around it: the middle of each run of bearings
/// within a right angle that no other such run contains. Without marks the usual ones.
pub(crate) fn facings_for(marks: &[Fine], from: Fine) -> Vec<u16> {
    let mut bearings: Vec<u16> =
        marks.iter().filter(|mark| **mark != from).map(|mark| bearing(mark.minus(from))).collect();
    if bearings.is_empty() {
        return FACINGS.to_vec();
    }
    bearings.sort_unstable();
    bearings.dedup();
    let count = bearings.len();
    // The bearing at any place of the list, the list going round once more.
    let at = |place: usize| bearings[place % count] + if place < count { 0 } else { 360 };
    // Bearings are rounded down: 89 degrees between two of them are less than 90 in truth.
    let last = |first: usize| {
        (first..first + count).take_while(|next| at(*next) - at(first) <= 89).last().unwrap_or(first)
    };
    let mut facings = Vec::new();
    for first in 0..count {
        let before = if first == 0 { last(count - 1).checked_sub(count) } else { Some(last(first - 1)) };
        let end = last(first);
        if before.is_none_or(|before| before < end) {
            facings.push((at(first) + (at(end) - at(first)).div_ceil(2)) % 360);
        }
    }
    facings
}

#[cfg(test)]
mod tests {
    use super::super::geometry::{Facing, Spot, sees};
    use super::*;

    fn around(bearings: &[(i32, i32)]) -> Vec<u16> {
        let marks: Vec<Fine> =
            bearings.iter().map(|(x, y)| Spot::metres(1000 + x, 1000 + y).fine()).collect();
        facings_for(&marks, Spot::metres(1000, 1000).fine())
    }

    #[test]
    fn one_facing_for_what_one_arc_holds() {
        // All within 20 degrees of the x axis.
        assert_eq!(around(&[(450, 150), (450, 0), (450, -100)]), [3]);
    }

    #[test]
    fn a_facing_for_each_set_that_one_arc_cannot_hold_with_another() {
        // Three marks 60 degrees apart: two arcs.
        assert_eq!(around(&[(500, 10), (250, 440), (-250, 440)]), [31, 90]);
    }

    /// Every mark is seen from some facing, and no facing sees a part only of what another sees.
    #[test]
    fn every_mark_is_seen_and_no_facing_is_idle() {
        let from = Spot::metres(1000, 1000).fine();
        for spread in [7, 31, 89, 90, 91, 120, 359] {
            let marks: Vec<Fine> = (0..9)
                .map(|at| from.plus(Facing::degrees(at * spread + 3 * at * at).vector().times(2000 + 37)))
                .collect();
            let facings = facings_for(&marks, from);
            let held = |facing: &u16| -> Vec<bool> {
                marks.iter().map(|mark| sees(from, Facing::degrees((*facing).into()), *mark)).collect()
            };
            let sets: Vec<Vec<bool>> = facings.iter().map(held).collect();
            for mark in 0..marks.len() {
                assert!(sets.iter().any(|set| set[mark]), "{spread}: {mark} of {facings:?}");
            }
            for (place, set) in sets.iter().enumerate() {
                let idle = sets.iter().enumerate().any(|(other, wider)| {
                    other != place && set.iter().zip(wider).all(|(one, also)| !one || *also)
                });
                assert!(!idle, "{spread}: {} of {facings:?}", facings[place]);
            }
        }
    }

    #[test]
    fn without_marks_the_usual_facings() {
        assert_eq!(around(&[]), FACINGS);
    }
}
