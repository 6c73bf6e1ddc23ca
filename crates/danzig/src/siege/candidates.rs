//! Sensible places for new works: snapped to the border of the concentration area, to the heads of
//! saps and to the ends and fronts of parallels, at useful angles, and onto the wall points that may be
//! lodged in. Every candidate has passed [`check_site`]; any other pose may still be asked for.

use super::geometry::{DM, FINE, Facing, Fine};
use super::ground::GROUND;
use super::state::{LONG_M, Pose, SHORT_M, SiegeMap, WallId, Work, WorkKind};
use super::tables::wall_effect;
use super::trench::{SHORTEST_SAP_M, check_site};
use crate::ops::Unheard;

const LONG: i64 = LONG_M as i64 * DM;
const SHORT: i64 = SHORT_M as i64 * DM;
/// How far apart the first saps are offered along the border, in metres.
const SPACING_M: i16 = 50;

/// Offers every candidate that may be built.
pub fn candidates(
    map: &SiegeMap,
    turn: u8,
    held_by_prussians: impl Fn(WallId) -> bool + Copy,
    mut offer: impl FnMut(WorkKind, Pose),
) {
    let lodgings: Vec<Fine> = WallId::all()
        .filter(|id| wall_effect(map.wall(*id).level).build && !held_by_prussians(*id))
        .map(|id| GROUND.point(id).fine())
        .collect();
    let mut check = |kind: WorkKind, pose: Pose| {
        if check_site(map, kind, pose, turn, held_by_prussians, &mut Unheard).is_ok() {
            offer(kind, pose);
        }
    };
    from_the_zone(&mut check);
    for id in map.network.iter() {
        let Some(work) = map.work(id) else { continue };
        match work.kind {
            WorkKind::Sap => from_a_sap(map, work, &lodgings, &mut check),
            WorkKind::Parallel | WorkKind::Battery => from_a_parallel(work, &lodgings, &mut check),
        }
    }
}

/// Saps square to the long front of the concentration area.
fn from_the_zone(check: &mut impl FnMut(WorkKind, Pose)) {
    for metres in (350..=1400).step_by(SPACING_M as usize) {
        check(WorkKind::Sap, Pose::new(super::Spot::metres(metres, 550), Facing::CITY));
    }
}

/// The pose whose rear has this place at so many decimetres to the left of its middle.
fn with_rear(kind: WorkKind, place: Fine, facing: Facing, left: i64, length: u8) -> Pose {
    let depth = match kind {
        WorkKind::Sap => i64::from(length) * DM,
        WorkKind::Parallel | WorkKind::Battery => SHORT,
    };
    let vector = facing.vector();
    let centre = place.plus(vector.times(depth / 2)).minus(vector.left().times(left));
    Pose { at: centre.spot(), facing, length }
}

fn half_of(a: Fine, b: Fine) -> Fine {
    Fine { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

/// A second sap, straight or in zig-zag, and the bar of the T.
fn from_a_sap(map: &SiegeMap, sap: &Work, lodgings: &[Fine], check: &mut impl FnMut(WorkKind, Pose)) {
    let rect = sap.rect();
    let (left, right) = rect.front();
    let middle = half_of(left, right);
    let facing = sap.pose.facing;
    let is_second = sap.links.iter().any(|id| map.work(id).is_some_and(|other| other.kind == WorkKind::Sap));
    if !is_second {
        check(WorkKind::Sap, with_rear(WorkKind::Sap, middle, facing, 0, LONG_M));
        for turn in [30, 60] {
            check(WorkKind::Sap, with_rear(WorkKind::Sap, left, facing.turned(turn), SHORT / 2, LONG_M));
            check(WorkKind::Sap, with_rear(WorkKind::Sap, right, facing.turned(-turn), -SHORT / 2, LONG_M));
        }
        shortened(middle, facing, lodgings, check);
    }
    for kind in [WorkKind::Parallel, WorkKind::Battery] {
        // Left and right of the T, and squarely on it.
        for aside in [LONG / 2, 0, -LONG / 2] {
            check(kind, with_rear(kind, middle, facing, aside, LONG_M));
        }
        // Aslant, hinged on a corner of the head.
        for turn in [15, 30] {
            for aside in [LONG / 2, -LONG / 2] {
                check(kind, with_rear(kind, left, facing.turned(turn), aside, LONG_M));
                check(kind, with_rear(kind, right, facing.turned(-turn), aside, LONG_M));
            }
        }
        // Squarely over a wall point before the head.
        for point in lodgings {
            if let Some((ahead, aside)) = before(middle, facing, *point)
                && ahead <= SHORT
                && aside.abs() <= LONG / 2 + SHORT / 2
            {
                check(kind, with_rear(kind, middle, facing, -aside, LONG_M));
            }
        }
    }
}

/// More of the parallel at both ends, straight or bent, and saps from its front.
fn from_a_parallel(work: &Work, lodgings: &[Fine], check: &mut impl FnMut(WorkKind, Pose)) {
    let rect = work.rect();
    let facing = work.pose.facing;
    let [front_left, front_right, rear_right, rear_left] = rect.corners();
    for kind in [WorkKind::Parallel, WorkKind::Battery] {
        check(kind, with_rear(kind, rear_right, facing, LONG / 2, LONG_M));
        check(kind, with_rear(kind, rear_left, facing, -LONG / 2, LONG_M));
        for turn in [15, 30] {
            // Bent forward, hinged on the front corner; bent back, hinged on the rear corner.
            check(kind, with_front(front_right, facing.turned(turn), LONG / 2));
            check(kind, with_rear(kind, rear_right, facing.turned(-turn), LONG / 2, LONG_M));
            check(kind, with_front(front_left, facing.turned(-turn), -LONG / 2));
            check(kind, with_rear(kind, rear_left, facing.turned(turn), -LONG / 2, LONG_M));
        }
    }
    let middle = half_of(front_left, front_right);
    let aside = facing.vector().left();
    for offset in [-LONG / 2, 0, LONG / 2] {
        let head = middle.plus(aside.times(offset));
        check(WorkKind::Sap, with_rear(WorkKind::Sap, head, facing, 0, LONG_M));
        shortened(head, facing, lodgings, check);
    }
    for turn in [30, 60] {
        check(WorkKind::Sap, with_rear(WorkKind::Sap, middle, facing.turned(turn), SHORT / 2, LONG_M));
        check(WorkKind::Sap, with_rear(WorkKind::Sap, middle, facing.turned(-turn), -SHORT / 2, LONG_M));
    }
    // Straight at a wall point: a sap that ends on it, and one just past it.
    for point in lodgings {
        if let Some((ahead, offset)) = before(middle, facing, *point)
            && ahead <= LONG
            && offset.abs() <= LONG / 2 + SHORT / 2
        {
            let head = middle.plus(aside.times(offset));
            check(WorkKind::Sap, with_rear(WorkKind::Sap, head, facing, 0, LONG_M));
            let metres = ahead / DM + 10;
            if let Ok(length) = u8::try_from(metres + metres % 2)
                && (SHORTEST_SAP_M..LONG_M).contains(&length)
            {
                check(WorkKind::Sap, with_rear(WorkKind::Sap, head, facing, 0, length));
            }
        }
    }
}

/// The pose of a parallel or battery whose front has this place at so many decimetres to the left of
/// its middle.
fn with_front(place: Fine, facing: Facing, left: i64) -> Pose {
    let vector = facing.vector();
    let centre = place.minus(vector.times(SHORT / 2)).minus(vector.left().times(left));
    Pose::new(centre.spot(), facing)
}

/// Saps cut short so that a battery after them lies on a wall point.
fn shortened(head: Fine, facing: Facing, lodgings: &[Fine], check: &mut impl FnMut(WorkKind, Pose)) {
    for point in lodgings {
        if let Some((ahead, aside)) = before(head, facing, *point)
            && ahead > SHORT / 2
            && ahead < LONG + SHORT / 2
            && aside.abs() <= LONG / 2
        {
            let metres = (ahead - SHORT / 2) / DM;
            if let Ok(length) = u8::try_from(metres - metres % 2)
                && (SHORTEST_SAP_M..LONG_M).contains(&length)
            {
                check(WorkKind::Sap, with_rear(WorkKind::Sap, head, facing, 0, length));
            }
        }
    }
}

/// How far a place lies ahead and to the left, in decimetres; `None` when it lies behind or far away.
fn before(from: Fine, facing: Facing, place: Fine) -> Option<(i64, i64)> {
    let way = place.minus(from);
    if way.x.abs().max(way.y.abs()) > 3 * LONG * FINE {
        return None;
    }
    let vector = facing.vector();
    let ahead = vector.dot(way) / FINE / FINE;
    (ahead > 0).then(|| (ahead, vector.cross(way) / FINE / FINE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::siege::{Site, Spot};

    /// Builds from the candidates alone: the one of this kind whose centre lies at these metres.
    fn build(map: &mut SiegeMap, kind: WorkKind, x: i32, y: i32) -> Pose {
        let mut found = None;
        let mut offered = Vec::new();
        candidates(
            map,
            2,
            |_| false,
            |candidate, pose| {
                offered.push((candidate, pose));
                if candidate == kind && pose.at.fine().centimetres_to(Spot::metres(x, y).fine()) <= 100 {
                    found = Some(pose);
                }
            },
        );
        let pose = found.unwrap_or_else(|| {
            panic!(
                "{kind:?} at {x}, {y} is not offered: {:?}",
                offered.iter().filter(|c| c.0 == kind).collect::<Vec<_>>()
            )
        });
        place(map, kind, pose);
        pose
    }

    fn place(map: &mut SiegeMap, kind: WorkKind, pose: Pose) {
        let Site { covers, at_zone, links } =
            check_site(map, kind, pose, 2, |_| false, &mut Unheard).unwrap();
        map.add_work(Work { kind, pose, damaged: false, worker: None, covers, at_zone, links }).unwrap();
    }

    /// The natural network of the plan, from the first sap to the lodgement on the second wall.
    #[test]
    fn the_natural_network_is_built_from_candidates_alone() {
        use WorkKind::{Battery, Parallel, Sap};
        let map = &mut SiegeMap::default();
        // First parallel.
        for x in [700, 1000] {
            build(map, Sap, x, 550);
            build(map, Sap, x, 650);
        }
        for (kind, x) in [(Battery, 650), (Parallel, 750), (Parallel, 850), (Parallel, 950), (Battery, 1050)]
        {
            build(map, kind, x, 725);
        }
        // Second parallel.
        for x in [750, 950] {
            build(map, Sap, x, 800);
            build(map, Sap, x, 900);
        }
        for (kind, x) in [(Parallel, 800), (Parallel, 900), (Battery, 700), (Battery, 1000)] {
            build(map, kind, x, 975);
        }
        // Third parallel.
        for x in [800, 900] {
            build(map, Sap, x, 1050);
        }
        for (kind, x) in [(Battery, 750), (Battery, 850), (Battery, 950), (Parallel, 650)] {
            build(map, kind, x, 1125);
        }
        // The foot of the wall.
        for x in [800, 900] {
            build(map, Sap, x, 1200);
        }
        assert_eq!(map.network.len(), 4 + 5 + 4 + 4 + 2 + 4 + 2);
        // A breach at H5 and h5: a battery over the first, a sap onto the second.
        for code in ["H5", "h5"] {
            map.wall_mut(WallId::of_code(code).unwrap()).level = 7;
        }
        build(map, Battery, 850, 1275);
        assert!(map.work_on(WallId::of_code("H5").unwrap()).is_some());
        build(map, Sap, 850, 1350);
        build(map, Battery, 850, 1425);
        assert!(map.work_on(WallId::of_code("h5").unwrap()).is_some());
        // The printed redoubts R2 and R5 touch it.
        assert_eq!(map.redoubts_touched(), 1 << 1 | 1 << 4);
    }

    /// A zig-zag and a bent parallel are offered too.
    #[test]
    fn zig_zag_saps_and_bent_parallels_are_offered() {
        let map = &mut SiegeMap::default();
        build(map, WorkKind::Sap, 800, 550);
        let mut kinds = std::collections::BTreeSet::new();
        candidates(
            map,
            2,
            |_| false,
            |kind, pose| {
                kinds.insert((kind, pose.facing.get()));
            },
        );
        for facing in [30, 60, 90, 120, 150] {
            assert!(kinds.contains(&(WorkKind::Sap, facing)), "{facing}");
        }
        for facing in [60, 75, 90, 105, 120] {
            assert!(kinds.contains(&(WorkKind::Parallel, facing)), "{facing}");
            assert!(kinds.contains(&(WorkKind::Battery, facing)), "{facing}");
        }
        let mut zigzag = None;
        candidates(
            map,
            2,
            |_| false,
            |kind, pose| {
                if kind == WorkKind::Sap && pose.facing.get() == 120 {
                    zigzag = Some(pose);
                }
            },
        );
        place(map, WorkKind::Sap, zigzag.unwrap());
        let mut third = 0;
        candidates(
            map,
            2,
            |_| false,
            |kind, pose| {
                third += u32::from(kind == WorkKind::Sap && pose.at.y > 6500);
            },
        );
        assert_eq!(third, 0, "no third sap in a run");
    }
}
