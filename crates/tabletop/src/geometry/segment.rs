//! Straight segments and polylines: crossing, meeting, distance.

use super::{Extent, Gap, Point, Ratio};

/// A straight segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Where it starts.
    pub from: Point,
    /// Where it ends.
    pub to: Point,
}

impl Segment {
    /// A segment.
    #[must_use]
    pub const fn new(from: Point, to: Point) -> Self {
        Self { from, to }
    }

    /// The square of its length.
    #[must_use]
    pub const fn square(self) -> i64 {
        self.from.square_to(self.to)
    }

    /// Its rounded length.
    #[must_use]
    pub fn length(self) -> i64 {
        Gap::whole(self.square()).rounded()
    }

    /// The box around it.
    #[must_use]
    pub fn extent(self) -> Extent {
        Extent::of([&self.from, &self.to])
    }

    /// The half-open crossing test: a point exactly on a line is taken as lying on its left, so
    /// that passing through a vertex of a polyline counts once.
    #[must_use]
    pub const fn crosses(self, a: Point, b: Point) -> bool {
        (a.turn(b, self.from) >= 0) != (a.turn(b, self.to) >= 0)
            && (self.from.turn(self.to, a) >= 0) != (self.from.turn(self.to, b) >= 0)
    }

    /// Whether the two closed segments share a point.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        if !self.extent().meets(&other.extent()) {
            return false;
        }
        let (a, b) = (self.from.turn(self.to, other.from), self.from.turn(self.to, other.to));
        let (c, d) = (other.from.turn(other.to, self.from), other.from.turn(other.to, self.to));
        if a == 0 && b == 0 && c == 0 && d == 0 {
            return true;
        }
        (a.signum() * b.signum() <= 0) && (c.signum() * d.signum() <= 0)
    }

    /// Whether a point lies on it.
    #[must_use]
    pub fn holds(self, point: Point) -> bool {
        self.from.turn(self.to, point) == 0 && self.extent().holds(point)
    }

    /// The distance to a point.
    #[must_use]
    pub fn gap_to(self, point: Point) -> Gap {
        let square = self.square();
        let along = (point.x - self.from.x) * (self.to.x - self.from.x)
            + (point.y - self.from.y) * (self.to.y - self.from.y);
        if along <= 0 || square == 0 {
            self.from.gap_to(point)
        } else if along >= square {
            self.to.gap_to(point)
        } else {
            let turn = u128::from(self.from.turn(self.to, point).unsigned_abs());
            Gap::fraction(turn * turn, u128::from(square.unsigned_abs()))
        }
    }

    /// The distance to another segment.
    #[must_use]
    pub fn gap_between(self, other: Self) -> Gap {
        if self.meets(other) {
            return Gap::ZERO;
        }
        self.gap_to(other.from)
            .min(self.gap_to(other.to))
            .min(other.gap_to(self.from))
            .min(other.gap_to(self.to))
    }

    /// Its point nearest to a place, rounded.
    #[must_use]
    pub fn nearest_to(self, point: Point) -> Point {
        let square = self.square();
        let along = (point.x - self.from.x) * (self.to.x - self.from.x)
            + (point.y - self.from.y) * (self.to.y - self.from.y);
        if along <= 0 || square == 0 {
            self.from
        } else if along >= square {
            self.to
        } else {
            self.from.towards(self.to, along, square)
        }
    }

    /// Where on this segment it meets the line through `a` and `b`, if it is not parallel to it
    /// and the meeting lies within both.
    #[must_use]
    pub fn meeting(self, a: Point, b: Point) -> Option<Ratio> {
        let (start, end) = (a.turn(b, self.from), a.turn(b, self.to));
        if start == end || start.signum() * end.signum() > 0 {
            return None;
        }
        let (left, right) = (self.from.turn(self.to, a), self.from.turn(self.to, b));
        if left.signum() * right.signum() > 0 {
            return None;
        }
        Some(Ratio::new(i128::from(start), i128::from(start - end)))
    }

    /// The place at a share of its way, rounded.
    #[must_use]
    pub fn at(self, ratio: Ratio) -> Point {
        let along = |from: i64, to: i64| {
            from + super::length::round_away(i128::from(to - from) * ratio.n, ratio.d.max(1))
        };
        Point::new(along(self.from.x, self.to.x), along(self.from.y, self.to.y))
    }
}

/// Whether a segment crosses a polyline (half-open test on each edge).
#[must_use]
pub fn crosses_line(segment: Segment, line: &[Point]) -> bool {
    line.windows(2).any(|edge| segment.crosses(edge[0], edge[1]))
}

/// The distance from a point to a polyline.
#[must_use]
pub fn gap_to_line(point: Point, line: &[Point]) -> Gap {
    line.windows(2).map(|edge| Segment::new(edge[0], edge[1]).gap_to(point)).min().unwrap_or(Gap::FAR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_passed_through_counts_once() {
        let line = [Point::new(0, 0), Point::new(10, 10), Point::new(20, 0)];
        let through = Segment::new(Point::new(10, -5), Point::new(10, 30));
        let crossings = line.windows(2).filter(|edge| through.crosses(edge[0], edge[1])).count();
        assert_eq!(crossings, 1);
    }

    #[test]
    fn the_distance_between_segments_is_the_shortest_one() {
        let a = Segment::new(Point::new(0, 0), Point::new(100, 0));
        let b = Segment::new(Point::new(50, 30), Point::new(50, 90));
        assert_eq!(a.gap_between(b).rounded(), 30);
        let c = Segment::new(Point::new(50, -10), Point::new(50, 90));
        assert_eq!(a.gap_between(c), Gap::ZERO);
        let d = Segment::new(Point::new(110, 10), Point::new(200, 10));
        assert_eq!(a.gap_between(d).rounded(), 14);
    }
}
