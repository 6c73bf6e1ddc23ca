//! What lets nothing French through (chapters 4.1.1, 4.7.1 and 4.7.2, DZ-R64, DZ-R80): the pieces of both
//! walls, and the closed ground that joins their ends. Trenches, their joints, moves, assaults and the
//! mine put the same question: which piece do I meet that is not open to me? Nothing is drawn in for the
//! answer: tolerance is for counters among themselves, not for walls.

use super::geometry::{Fine, Rect, TOLERANCE_DM, cross, within};
use super::ground::{Ground, Piece};
use super::state::{WallId, WallSet};

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// The segment of a wall point.
    Wall(WallId),
    /// Ground that lets nothing through.
    Closed,
}

/// A line or a body on the plane.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape<'a> {
    /// A straight way.
    Line(Fine, Fine),
    /// A counter.
    Body(&'a Rect),
}

impl Shape<'_> {
    /// The lower left and the upper right corner of the upright box around it.
    fn bounds(self) -> (Fine, Fine) {
        let span = |corners: &[Fine]| {
            let first = corners.first().copied().unwrap_or_default();
            corners.iter().fold((first, first), |(low, high), corner| {
                (
                    Fine { x: low.x.min(corner.x), y: low.y.min(corner.y) },
                    Fine { x: high.x.max(corner.x), y: high.y.max(corner.y) },
                )
            })
        };
        match self {
            Self::Line(a, b) => span(&[a, b]),
            Self::Body(rect) => span(&rect.corners()),
        }
    }

    /// Whether it has a point in common with a piece of wall.
    fn meets(self, c: Fine, d: Fine) -> bool {
        match self {
            Self::Line(a, b) => cross(a, b, c, d),
            Self::Body(rect) => rect.meets(c, d),
        }
    }

    /// Whether closed ground stops it. The gap before the gate begins at wall points: a line may start
    /// or end there, and a counter that covers one may reach over it by the tolerance.
    fn is_barred(self, c: Fine, d: Fine) -> bool {
        match self {
            Self::Line(a, b) => ![a, b].iter().any(|end| *end == c || *end == d) && cross(a, b, c, d),
            Self::Body(rect) if rect.holds(c, 0) || rect.holds(d, 0) => rect.is_crossed_by(c, d),
            Self::Body(rect) => rect.meets(c, d),
        }
    }
}

impl Ground {
    /// The first obstacle that a line or a body meets; pieces that are open to it are none.
    pub(crate) fn obstacle(&self, shape: Shape<'_>, open: impl Fn(&Piece) -> bool) -> Option<Obstacle> {
        let (low, high) = shape.bounds();
        if high.y < self.lowest_wall {
            return None;
        }
        let near = |a: Fine, b: Fine| {
            a.x.min(b.x) <= high.x && a.x.max(b.x) >= low.x && a.y.min(b.y) <= high.y && a.y.max(b.y) >= low.y
        };
        if self.barriers.iter().any(|(a, b)| near(*a, *b) && shape.is_barred(*a, *b)) {
            return Some(Obstacle::Closed);
        }
        self.first_wall
            .iter()
            .chain(&self.second_wall)
            .find(|piece| near(piece.a, piece.b) && shape.meets(piece.a, piece.b) && !open(piece))
            .map(|piece| Obstacle::Wall(piece.owner))
    }

    /// What keeps two counters that touch from being joined; nothing where a man can step from one into
    /// the other. Each opens the segments whose points it covers.
    pub(crate) fn between(
        &self,
        (rect, covers): (&Rect, WallSet),
        (other, theirs): (&Rect, WallSet),
    ) -> Option<Obstacle> {
        let open = |piece: &Piece| covers.contains(piece.owner) || theirs.contains(piece.owner);
        let mut stopped = None;
        for (from, to) in [(rect, other), (other, rect)] {
            for corner in from.corners() {
                let next = to.nearest(corner);
                // A decimetre more, so that no pair that touches is missed for a rounded place.
                if !within(corner, next, TOLERANCE_DM + 1) {
                    continue;
                }
                match self.obstacle(Shape::Line(corner, next), open) {
                    None => return None,
                    obstacle => stopped = obstacle,
                }
            }
        }
        stopped
    }
}

#[cfg(test)]
mod tests {
    use kernel::Verdict;
    use rulebook::{phrase::danzig_siege as phrase, rule};

    use super::super::geometry::{Facing, Spot};
    use super::super::ground::GROUND;
    use super::super::state::{Pose, SiegeMap, Work, WorkId, WorkKind};
    use super::super::trench::{check_ground, check_site, lay};
    use super::*;

    /// A counter with its centre at so many decimetres.
    fn pose(x: i16, y: i16, facing: i32) -> Pose {
        Pose::new(Spot::new(x, y), Facing::degrees(facing))
    }

    /// Lays a work wherever it is, as if it began at the zone.
    fn put(map: &mut SiegeMap, kind: WorkKind, pose: Pose) -> WorkId {
        let site = lay(map, kind, &pose.rect(kind), None).unwrap();
        let (covers, links) = (site.covers, site.links);
        let work = Work { kind, pose, damaged: false, worker: None, covers, at_zone: true, links };
        map.add_work(work).unwrap()
    }

    /// Whether two works touch and, each of the other, know that they are joined.
    fn joint(map: &SiegeMap, a: WorkId, b: WorkId) -> bool {
        let (first, second) = (map.work(a).unwrap(), map.work(b).unwrap());
        assert!(first.rect().touches(&second.rect()), "they do not even touch");
        assert_eq!(first.links.contains(b), second.links.contains(a));
        first.links.contains(b)
    }

    /// Whether the ground carries a counter.
    fn ground(kind: WorkKind, pose: Pose) -> Verdict<()> {
        let rect = pose.rect(kind);
        let covers = lay(&SiegeMap::default(), kind, &rect, None)?.covers;
        check_ground(&rect, covers)
    }

    #[track_caller]
    fn crosses(kind: WorkKind, pose: Pose, point: &str) {
        let refusal = ground(kind, pose).unwrap_err();
        assert_eq!(
            refusal,
            kernel::Refusal::rule(rule!(DZ_R80), phrase::CROSSES_WALL)
                .with("point", WallId::of_code(point).unwrap())
        );
    }

    #[track_caller]
    fn barred(kind: WorkKind, pose: Pose) {
        let refusal = ground(kind, pose).unwrap_err();
        assert_eq!((refusal.rule, refusal.reason), (Some(rule!(DZ_R64)), phrase::BARRED));
    }

    /// A parallel a metre before the wall of H5 and H6 and one a metre behind it: less than the tolerance
    /// apart, and neither crosses.
    const BEFORE: (i16, i16) = (9059, 12825);
    const BEHIND: (i16, i16) = (8879, 13320);

    #[test]
    fn works_on_both_sides_of_a_wall_are_not_joined() {
        let map = &mut SiegeMap::default();
        let before = put(map, WorkKind::Parallel, pose(BEFORE.0, BEFORE.1, 110));
        ground(WorkKind::Parallel, pose(BEFORE.0, BEFORE.1, 110)).unwrap();
        ground(WorkKind::Parallel, pose(BEHIND.0, BEHIND.1, 110)).unwrap();
        let refusal = check_site(
            map,
            WorkKind::Parallel,
            pose(BEHIND.0, BEHIND.1, 110),
            5,
            |_| false,
            &mut crate::ops::Unheard,
        )
        .unwrap_err();
        assert_eq!((refusal.rule, refusal.reason), (Some(rule!(DZ_R80)), phrase::WALL_BETWEEN));
        let behind = put(map, WorkKind::Parallel, pose(BEHIND.0, BEHIND.1, 110));
        assert!(!joint(map, before, behind));
    }

    #[test]
    fn no_work_reaches_over_a_wall_by_less_than_the_tolerance() {
        // Over x 775 to 825 the wall between H4 and H5 is lowest at y 1299.2.
        let sap = |length: u8| Pose { length, ..pose(8000, 12_500 + i16::from(length) * 5, 90) };
        ground(WorkKind::Sap, sap(48)).unwrap();
        crosses(WorkKind::Sap, sap(50), "H5");
    }

    #[test]
    fn no_work_lies_along_a_wall_between_two_points() {
        crosses(WorkKind::Parallel, pose(8975, 13_075, 110), "H5");
        crosses(WorkKind::Battery, pose(8975, 13_075, 290), "H5");
    }

    #[test]
    fn works_at_a_salient_are_joined_before_its_tip_and_not_through_it() {
        let map = &mut SiegeMap::default();
        // Side by side, their fronts a metre before the tip of H5.
        let left = put(map, WorkKind::Parallel, pose(7990, 12_640, 90));
        let right = put(map, WorkKind::Parallel, pose(9010, 12_640, 90));
        assert!(joint(map, left, right));
        // Each along its face of the salient: three metres between the corners, with the tip in them.
        let map = &mut SiegeMap::default();
        let (left, right) = (pose(7930, 12_840, 70), pose(9070, 12_840, 110));
        ground(WorkKind::Parallel, left).unwrap();
        ground(WorkKind::Parallel, right).unwrap();
        let (left, right) = (put(map, WorkKind::Parallel, left), put(map, WorkKind::Parallel, right));
        assert!(!joint(map, left, right));
    }

    #[test]
    fn a_work_on_a_point_opens_its_own_segment_only() {
        let map = &mut SiegeMap::default();
        // Over H5 and along the wall: its far end lies before the wall of H6.
        let lodged = put(map, WorkKind::Battery, pose(9045, 12_835, 110));
        assert_eq!(map.work(lodged).unwrap().covers.iter().map(WallId::code).collect::<Vec<_>>(), ["H5"]);
        let behind_h6 = put(map, WorkKind::Sap, pose(9189, 13_696, 110));
        assert!(!joint(map, lodged, behind_h6));
        map.remove_work(behind_h6);
        let behind_h5 = put(map, WorkKind::Parallel, pose(8881, 13_315, 110));
        assert!(joint(map, lodged, behind_h5));
    }

    #[test]
    fn a_work_on_a_point_runs_on_into_the_next_segment_but_not_past_its_point() {
        ground(WorkKind::Battery, pose(8500, 14_090, 90)).unwrap();
        // Over h3, its front a metre below h4: the wall comes back into it beyond h4.
        crosses(WorkKind::Battery, pose(7340, 14_190, 90), "h4");
    }

    #[test]
    fn the_gap_before_the_gate_and_the_ends_of_the_walls_are_closed() {
        let map = &mut SiegeMap::default();
        barred(WorkKind::Sap, pose(13_100, 13_940, 90));
        let before = put(map, WorkKind::Sap, pose(13_100, 13_430, 90));
        let behind = put(map, WorkKind::Sap, pose(13_100, 14_469, 90));
        assert!(!joint(map, before, behind));
        // Between the ends of the two walls, and beside the city.
        for (x, y) in [(4650, 15_750), (4750, 18_250), (21_750, 15_750), (22_250, 18_250)] {
            barred(WorkKind::Sap, pose(x, y, 0));
        }
    }

    #[test]
    fn the_gap_begins_at_points_that_can_be_reached() {
        for code in ["H9", "B1"] {
            let point = GROUND.point(WallId::of_code(code).unwrap()).fine();
            let before = Fine { x: point.x, y: point.y - Spot::new(0, 1000).fine().y };
            let own = |piece: &Piece| piece.owner.code() == code;
            assert_eq!(GROUND.obstacle(Shape::Line(before, point), own), None);
            let through = Fine { x: Spot::metres(1310, 0).fine().x, y: before.y };
            let inside = Fine { x: through.x, y: Spot::metres(0, 1500).fine().y };
            assert_eq!(GROUND.obstacle(Shape::Line(through, inside), own), Some(Obstacle::Closed));
        }
    }
}
