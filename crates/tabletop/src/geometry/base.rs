//! The base of a figure: an oriented rectangle with its named points.

use super::angle::turned_halves;
use super::{Extent, Facing, Gap, Point, Segment, forward, into_frame};

/// The base of a figure. Corners are rounded once, from the place and facing of its body, so that
/// figures that stand side by side share their corners exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    /// The corners counter-clockwise: front left, rear left, rear right, front right.
    pub corners: [Point; 4],
    /// The middle of the front edge.
    pub front: Point,
    /// The centre.
    pub centre: Point,
    /// Where it faces.
    pub facing: Facing,
    /// The five points by which it is seen: the centre and the corners drawn in a little.
    pub points: [Point; 5],
    /// The box around it.
    pub extent: Extent,
}

/// An arc of fire to each side of the facing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arc {
    /// 22.5 degrees.
    Narrow,
    /// 45 degrees.
    Wide,
}

impl Base {
    /// The base whose front edge has its middle `x2 / 2` to the right and `y2 / 2` ahead of the
    /// origin of a frame (twice the coordinates, so that half widths stay whole), turned by
    /// `turn` tenths within that frame.
    #[must_use]
    pub fn placed(
        origin: Point,
        frame: Facing,
        (x2, y2): (i64, i64),
        turn: i32,
        (width, depth): (i64, i64),
    ) -> Self {
        // Local offsets in the base's own frame are turned into the body's frame first: the turns
        // inside a body are quarter turns, which need no rounding.
        let local = |right2: i64, ahead2: i64| {
            let (dx, dy) = match turn.rem_euclid(3600) {
                900 => (ahead2, -right2),
                1800 => (-right2, -ahead2),
                2700 => (-ahead2, right2),
                _ => (right2, ahead2),
            };
            turned_halves(origin, frame, x2 + dx, y2 + dy)
        };
        let corners =
            [local(-width, 0), local(-width, -2 * depth), local(width, -2 * depth), local(width, 0)];
        let inset = 2 * 5;
        let points = [
            local(0, -depth),
            local(-width + inset, -inset),
            local(-width + inset, -2 * depth + inset),
            local(width - inset, -2 * depth + inset),
            local(width - inset, -inset),
        ];
        Self {
            corners,
            front: local(0, 0),
            centre: points[0],
            facing: frame.turned(turn),
            points,
            extent: Extent::of(&corners),
        }
    }

    /// A base by the middle of its front edge.
    #[must_use]
    pub fn new(front: Point, facing: Facing, width: i64, depth: i64) -> Self {
        Self::placed(front, facing, (0, 0), 0, (width, depth))
    }

    /// The place of a figure at the wall of a house: a stretch of wall without depth, seen and
    /// seeing by its middle.
    #[must_use]
    pub fn at_wall(left: Point, right: Point, facing: Facing) -> Self {
        let middle = left.towards(right, 1, 2);
        let corners = [left, left, right, right];
        Self {
            corners,
            front: middle,
            centre: middle,
            facing,
            points: [middle; 5],
            extent: Extent::of(&corners),
        }
    }

    /// Moves it by so much.
    pub fn shift(&mut self, dx: i64, dy: i64) {
        for point in self.corners.iter_mut().chain(&mut self.points) {
            *point = point.moved(dx, dy);
        }
        self.front = self.front.moved(dx, dy);
        self.centre = self.centre.moved(dx, dy);
        self.extent = Extent { low: self.extent.low.moved(dx, dy), high: self.extent.high.moved(dx, dy) };
    }

    /// The left end of the front edge.
    #[must_use]
    pub const fn front_left(&self) -> Point {
        self.corners[0]
    }

    /// The right end of the front edge.
    #[must_use]
    pub const fn front_right(&self) -> Point {
        self.corners[3]
    }

    /// The four edges.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        (0..4).map(|k| Segment::new(self.corners[k], self.corners[(k + 1) % 4]))
    }

    /// Whether a point lies on it, edge included.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        self.extent.holds(point)
            && (0..4).all(|k| self.corners[k].turn(self.corners[(k + 1) % 4], point) >= 0)
    }

    /// Whether a segment meets it.
    #[must_use]
    pub fn is_met_by(&self, segment: Segment) -> bool {
        self.extent.meets(&segment.extent())
            && (self.holds(segment.from) || self.edges().any(|edge| edge.meets(segment)))
    }

    /// Whether it shares a region of positive area with a convex or other polygon.
    #[must_use]
    pub fn overlaps(&self, area: &super::Polygon) -> bool {
        self.extent.meets(area.extent())
            && (self.edges().any(|edge| area.is_entered_by(edge))
                || area.holds_strictly(self.centre)
                || area.outline().iter().any(|&point| self.holds_strictly(point)))
    }

    fn holds_strictly(&self, point: Point) -> bool {
        (0..4).all(|k| self.corners[k].turn(self.corners[(k + 1) % 4], point) > 0)
    }

    /// Whether two bases share a region of positive area.
    #[must_use]
    pub fn overlaps_base(&self, other: &Self) -> bool {
        if !self.extent.meets(&other.extent) {
            return false;
        }
        // Two convex sets are apart if an edge of one has the other on its far side.
        let apart = |a: &Self, b: &Self| {
            (0..4).any(|k| {
                let (from, to) = (a.corners[k], a.corners[(k + 1) % 4]);
                from != to && b.corners.iter().all(|&corner| from.turn(to, corner) <= 0)
            })
        };
        !apart(self, other) && !apart(other, self)
    }

    /// The distance to another base.
    #[must_use]
    pub fn gap_to(&self, other: &Self) -> Gap {
        if self.holds(other.corners[0]) || other.holds(self.corners[0]) {
            return Gap::ZERO;
        }
        self.edges()
            .flat_map(|edge| other.edges().map(move |against| edge.gap_between(against)))
            .min()
            .unwrap_or(Gap::FAR)
    }

    /// The distance to a segment.
    #[must_use]
    pub fn gap_to_segment(&self, segment: Segment) -> Gap {
        if self.holds(segment.from) {
            return Gap::ZERO;
        }
        self.edges().map(|edge| edge.gap_between(segment)).min().unwrap_or(Gap::FAR)
    }

    /// The distance to a polyline.
    #[must_use]
    pub fn gap_to_line(&self, line: &[Point]) -> Gap {
        line.windows(2)
            .map(|edge| self.gap_to_segment(Segment::new(edge[0], edge[1])))
            .min()
            .unwrap_or(Gap::FAR)
    }

    /// The distance to the outline of an area.
    #[must_use]
    pub fn gap_to_outline(&self, area: &super::Polygon) -> Gap {
        area.edges().map(|edge| self.gap_to_segment(edge)).min().unwrap_or(Gap::FAR)
    }

    /// Its point nearest to a place, rounded: the place itself if it lies on the base.
    #[must_use]
    pub fn nearest_to(&self, place: Point) -> Point {
        if self.holds(place) {
            return place;
        }
        self.edges()
            .map(|edge| edge.nearest_to(place))
            .min_by_key(|near| near.square_to(place))
            .unwrap_or(self.centre)
    }

    /// Whether some point of this base lies in the arc of a figure with its apex there, facing so
    /// (FE-R20). A convex set meets the arc if a corner lies in it or an edge crosses its axis ahead.
    #[must_use]
    pub fn is_in_arc(&self, apex: Point, facing: Facing, arc: Arc) -> bool {
        let frame = self.corners.map(|corner| into_frame(apex, facing, corner));
        frame.iter().any(|&(x, y)| in_arc(x, y, arc))
            || (0..4).any(|k| {
                let ((x0, y0), (x1, y1)) = (frame[k], frame[(k + 1) % 4]);
                (x0 < 0) != (x1 < 0) && {
                    // y on the axis = (y0 x1 - y1 x0) / (x1 - x0)
                    let above = i128::from(y0) * i128::from(x1) - i128::from(y1) * i128::from(x0);
                    (above >= 0) == (x1 > x0) || above == 0
                }
            })
    }

    /// Whether some point of this base lies in the strip straight ahead of another, `reach`
    /// hundredths deep.
    #[must_use]
    pub fn is_in_strip_of(&self, shooter: &Self, reach: i64) -> bool {
        let (fx, fy) = forward(shooter.facing);
        let ahead = |point: Point| Point::new(point.x + ((fx * reach) >> 30), point.y + ((fy * reach) >> 30));
        let strip = Self {
            corners: [
                ahead(shooter.front_left()),
                shooter.front_left(),
                shooter.front_right(),
                ahead(shooter.front_right()),
            ],
            ..shooter.clone()
        };
        let strip = Self { extent: Extent::of(&strip.corners), ..strip };
        strip.overlaps_base(self)
    }
}

/// Whether a place in the frame of a figure lies in its arc.
fn in_arc(x: i64, y: i64, arc: Arc) -> bool {
    if y < 0 {
        return false;
    }
    match arc {
        Arc::Wide => x.abs() <= y,
        Arc::Narrow => {
            let sum = i128::from(x.abs()) + i128::from(y);
            sum * sum <= 2 * i128::from(y) * i128::from(y)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_side_by_side_touch_and_do_not_overlap_at_any_angle() {
        for tenths in [0, 225, 450, 333, 1234, 3599] {
            let facing = Facing::tenths(tenths);
            let a = Base::placed(Point::cm(50, 50), facing, (-150, 0), 0, (150, 250));
            let b = Base::placed(Point::cm(50, 50), facing, (150, 0), 0, (150, 250));
            assert_eq!(a.front_right(), b.front_left());
            assert_eq!(a.gap_to(&b), Gap::ZERO);
            assert!(!a.overlaps_base(&b), "{tenths}");
        }
    }

    #[test]
    fn the_arc_is_judged_on_the_whole_base() {
        let apex = Point::cm(50, 50);
        let base = |x: i64, y: i64| Base::new(Point::new(x, y), Facing::SOUTH, 150, 250);
        assert!(base(5000, 6000).is_in_arc(apex, Facing::NORTH, Arc::Narrow));
        // tan 22.5 = 0.4142: at 10 cm ahead the arc is 4.14 cm wide; the far edge is at 12.5 cm.
        assert!(base(5000 + 414 + 75, 6000).is_in_arc(apex, Facing::NORTH, Arc::Narrow));
        assert!(base(5000 + 517 + 75, 6000).is_in_arc(apex, Facing::NORTH, Arc::Narrow));
        assert!(!base(5000 + 519 + 75, 6000).is_in_arc(apex, Facing::NORTH, Arc::Narrow));
        assert!(base(5000 + 519 + 75, 6000).is_in_arc(apex, Facing::NORTH, Arc::Wide));
        assert!(!base(5000, 4000).is_in_arc(apex, Facing::NORTH, Arc::Wide), "behind");
        // A long base across the axis, with both ends outside the arc.
        let across = Base::new(Point::new(5000, 5100), Facing::SOUTH, 4000, 100);
        assert!(across.is_in_arc(apex, Facing::NORTH, Arc::Narrow));
        let behind = Base::new(Point::new(5000, 4800), Facing::SOUTH, 4000, 100);
        assert!(!behind.is_in_arc(apex, Facing::NORTH, Arc::Narrow));
    }
}
