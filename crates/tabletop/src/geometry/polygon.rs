//! Simple polygons with holes, closed sets: what lies in them, what part of a segment does.

use super::{Extent, Gap, Point, Ratio, Segment};

/// A simple polygon, listed counter-clockwise, with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polygon {
    outer: Vec<Point>,
    holes: Vec<Vec<Point>>,
    extent: Extent,
}

impl Polygon {
    /// A polygon without holes; its points are turned counter-clockwise if need be.
    #[must_use]
    pub fn new(outer: Vec<Point>) -> Self {
        Self::with_holes(outer, Vec::new())
    }

    /// A polygon with holes.
    #[must_use]
    pub fn with_holes(mut outer: Vec<Point>, mut holes: Vec<Vec<Point>>) -> Self {
        if double_area(&outer) < 0 {
            outer.reverse();
        }
        for hole in &mut holes {
            if double_area(hole) > 0 {
                hole.reverse();
            }
        }
        let extent = Extent::of(&outer);
        Self { outer, holes, extent }
    }

    /// Its outline, counter-clockwise.
    #[must_use]
    pub fn outline(&self) -> &[Point] {
        &self.outer
    }

    /// Its holes, clockwise.
    #[must_use]
    pub fn holes(&self) -> &[Vec<Point>] {
        &self.holes
    }

    /// The box around it.
    #[must_use]
    pub const fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Twice its area, holes left out.
    #[must_use]
    pub fn double_area(&self) -> i128 {
        double_area(&self.outer) + self.holes.iter().map(|hole| double_area(hole)).sum::<i128>()
    }

    /// Every edge, of the outline and of the holes.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        ring(&self.outer).chain(self.holes.iter().flat_map(|hole| ring(hole)))
    }

    /// Whether a point lies in the closed polygon, not in the interior of a hole.
    #[must_use]
    pub fn holds(&self, point: Point) -> bool {
        self.extent.holds(point)
            && in_ring(&self.outer, point) != Place::Out
            && self.holes.iter().all(|hole| in_ring(hole, point) != Place::In)
    }

    /// Whether a point lies strictly within.
    #[must_use]
    pub fn holds_strictly(&self, point: Point) -> bool {
        self.extent.holds(point)
            && in_ring(&self.outer, point) == Place::In
            && self.holes.iter().all(|hole| in_ring(hole, point) == Place::Out)
    }

    /// Whether a point lies strictly within the outline, holes or not.
    #[must_use]
    pub fn outline_holds_strictly(&self, point: Point) -> bool {
        self.extent.holds(point) && in_ring(&self.outer, point) == Place::In
    }

    /// The distance from a point to the outline.
    #[must_use]
    pub fn gap_to_outline(&self, point: Point) -> Gap {
        self.edges().map(|edge| edge.gap_to(point)).min().unwrap_or(Gap::FAR)
    }

    /// The distance between this area and another (0 when they meet).
    #[must_use]
    pub fn gap_to(&self, other: &Self) -> Gap {
        let inside = other.outer.first().is_some_and(|&point| self.holds(point))
            || self.outer.first().is_some_and(|&point| other.holds(point));
        if inside {
            return Gap::ZERO;
        }
        self.edges()
            .flat_map(|edge| other.edges().map(move |against| edge.gap_between(against)))
            .min()
            .unwrap_or(Gap::FAR)
    }

    /// The maximal parts of a segment, of positive length, whose inner points lie within the
    /// interior.
    #[must_use]
    pub fn parts(&self, segment: Segment) -> Vec<(Ratio, Ratio)> {
        if segment.from == segment.to || !self.extent.meets(&segment.extent()) {
            return Vec::new();
        }
        let mut cuts = Vec::with_capacity(8);
        for edge in self.edges() {
            cut(segment, edge, &mut cuts);
        }
        if cuts.is_empty() {
            return if self.holds_strictly(segment.from) {
                vec![(Ratio::START, Ratio::END)]
            } else {
                Vec::new()
            };
        }
        cuts.push(Ratio::START);
        cuts.push(Ratio::END);
        cuts.sort_unstable();
        cuts.dedup();
        let mut parts: Vec<(Ratio, Ratio)> = Vec::new();
        for pair in cuts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if !self.middle_is_within(segment, from, to) {
                continue;
            }
            match parts.last_mut() {
                // A place where the interior only touches itself does not cut a part in two.
                Some(last) if last.1 == from && self.place_is_within(segment, from) => last.1 = to,
                _ => parts.push((from, to)),
            }
        }
        parts
    }

    /// Whether a segment runs through the interior.
    #[must_use]
    pub fn is_entered_by(&self, segment: Segment) -> bool {
        if !self.extent.meets(&segment.extent()) {
            return false;
        }
        // A proper crossing of an edge is enough, and by far the commonest case.
        let proper = self.edges().any(|edge| {
            let (a, b) = (edge.from.turn(edge.to, segment.from), edge.from.turn(edge.to, segment.to));
            let (c, d) = (segment.from.turn(segment.to, edge.from), segment.from.turn(segment.to, edge.to));
            a.signum() * b.signum() < 0 && c.signum() * d.signum() < 0
        });
        proper || !self.parts(segment).is_empty()
    }

    fn middle_is_within(&self, segment: Segment, from: Ratio, to: Ratio) -> bool {
        self.place_is_within(segment, Ratio { n: from.n * to.d + to.n * from.d, d: 2 * from.d * to.d })
    }

    fn place_is_within(&self, segment: Segment, at: Ratio) -> bool {
        let x = i128::from(segment.from.x) * at.d + i128::from(segment.to.x - segment.from.x) * at.n;
        let y = i128::from(segment.from.y) * at.d + i128::from(segment.to.y - segment.from.y) * at.n;
        in_ring_scaled(&self.outer, x, y, at.d) == Place::In
            && self.holes.iter().all(|hole| in_ring_scaled(hole, x, y, at.d) == Place::Out)
    }
}

/// Where a point lies against a ring.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    In,
    On,
    Out,
}

fn ring(points: &[Point]) -> impl Iterator<Item = Segment> + '_ {
    let last = points.last().copied();
    points.iter().scan(last, |before, &point| {
        let edge = before.map(|before| Segment::new(before, point));
        *before = Some(point);
        edge
    })
}

fn double_area(points: &[Point]) -> i128 {
    ring(points)
        .map(|edge| {
            i128::from(edge.from.x) * i128::from(edge.to.y) - i128::from(edge.to.x) * i128::from(edge.from.y)
        })
        .sum()
}

fn in_ring(points: &[Point], point: Point) -> Place {
    let mut inside = false;
    for edge in ring(points) {
        let turn = edge.from.turn(edge.to, point);
        if turn == 0 && edge.extent().holds(point) {
            return Place::On;
        }
        if (edge.from.y > point.y) != (edge.to.y > point.y) && (turn > 0) == (edge.to.y > edge.from.y) {
            inside = !inside;
        }
    }
    if inside { Place::In } else { Place::Out }
}

/// The same for the point `(x / d, y / d)`.
fn in_ring_scaled(points: &[Point], x: i128, y: i128, d: i128) -> Place {
    let mut inside = false;
    for edge in ring(points) {
        let (ax, ay) = (i128::from(edge.from.x), i128::from(edge.from.y));
        let (bx, by) = (i128::from(edge.to.x), i128::from(edge.to.y));
        let turn = (bx - ax) * (y - ay * d) - (by - ay) * (x - ax * d);
        if turn == 0
            && (ax.min(bx) * d..=ax.max(bx) * d).contains(&x)
            && (ay.min(by) * d..=ay.max(by) * d).contains(&y)
        {
            return Place::On;
        }
        if (ay * d > y) != (by * d > y) && (turn > 0) == (by > ay) {
            inside = !inside;
        }
    }
    if inside { Place::In } else { Place::Out }
}

/// Adds the places where an edge cuts, touches or bounds a segment.
fn cut(segment: Segment, edge: Segment, cuts: &mut Vec<Ratio>) {
    if let Some(place) = segment.meeting(edge.from, edge.to) {
        cuts.push(place);
    } else if segment.from.turn(segment.to, edge.from) == 0 && segment.from.turn(segment.to, edge.to) == 0 {
        let square = i128::from(segment.square());
        for end in [edge.from, edge.to] {
            let along = i128::from(end.x - segment.from.x) * i128::from(segment.to.x - segment.from.x)
                + i128::from(end.y - segment.from.y) * i128::from(segment.to.y - segment.from.y);
            if (0..=square).contains(&along) {
                cuts.push(Ratio::new(along, square));
            }
        }
    }
}

/// The convex hull of some points, counter-clockwise.
#[must_use]
pub fn hull(mut points: Vec<Point>) -> Polygon {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return Polygon::new(points);
    }
    let mut around: Vec<Point> = Vec::with_capacity(points.len());
    let mut half = |points: &mut dyn Iterator<Item = Point>| {
        let floor = around.len() + 1;
        for point in points {
            while around.len() > floor && around[around.len() - 2].turn(around[around.len() - 1], point) <= 0
            {
                around.pop();
            }
            around.push(point);
        }
        around.pop();
    };
    half(&mut points.iter().copied());
    half(&mut points.iter().rev().copied());
    Polygon::new(around)
}

/// The strip of a given width along an axis: its left bank, its right bank and the area between.
#[must_use]
pub fn strip(axis: &[Point], width: i64) -> (Vec<Point>, Vec<Point>, Polygon) {
    let bank = |side: i64| -> Vec<Point> {
        (0..axis.len()).map(|place| offset(axis, place, side * width)).collect()
    };
    let (left, right) = (bank(1), bank(-1));
    let outline = right.iter().chain(left.iter().rev()).copied().collect();
    let area = Polygon::new(outline);
    (left, right, area)
}

/// The point of a bank beside one point of the axis: half a width to the left (or right, if
/// negative), along the bisector of the two edges that meet there.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounded once")]
fn offset(axis: &[Point], place: usize, width: i64) -> Point {
    let here = axis[place];
    let unit = |from: Point, to: Point| {
        let (dx, dy) = ((to.x - from.x) as f64, (to.y - from.y) as f64);
        let length = dx.hypot(dy).max(1.0);
        (dx / length, dy / length)
    };
    let before = place.checked_sub(1).map(|before| unit(axis[before], here));
    let after = axis.get(place + 1).map(|&after| unit(here, after));
    let (a, b) = match (before, after) {
        (Some(a), Some(b)) => (a, b),
        (Some(a), None) | (None, Some(a)) => (a, a),
        (None, None) => ((1.0, 0.0), (1.0, 0.0)),
    };
    let (nx, ny) = (-(a.1 + b.1), a.0 + b.0);
    // A mitre no longer than two widths keeps sharp bends from shooting away.
    let scale = (width as f64 / 2.0) * 2.0 / (nx * nx + ny * ny).max(0.5);
    Point::new(here.x + (nx * scale).round() as i64, here.y + (ny * scale).round() as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: i64, y: i64, side: i64) -> Vec<Point> {
        vec![
            Point::new(x, y),
            Point::new(x + side, y),
            Point::new(x + side, y + side),
            Point::new(x, y + side),
        ]
    }

    #[test]
    fn the_part_of_a_segment_leaves_out_holes_and_edges() {
        let wood = Polygon::with_holes(square(0, 0, 1000), vec![square(400, 400, 200)]);
        let through = Segment::new(Point::new(-500, 500), Point::new(1500, 500));
        let parts = wood.parts(through);
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].0.stretch(parts[0].1, through.square()), 400);
        assert_eq!(parts[1].1.stretch(Ratio::END, through.square()), 500);
        let along = Segment::new(Point::new(-500, 0), Point::new(1500, 0));
        assert!(wood.parts(along).is_empty(), "an edge is not the interior");
        assert!(!wood.is_entered_by(along));
        let corner = Segment::new(Point::new(-100, 100), Point::new(100, -100));
        assert!(!wood.is_entered_by(corner), "touching a corner is not entering");
    }

    #[test]
    fn a_segment_that_passes_a_vertex_from_inside_stays_in_one_part() {
        let notch = Polygon::new(vec![
            Point::new(0, 0),
            Point::new(1000, 0),
            Point::new(1000, 1000),
            Point::new(500, 500),
            Point::new(0, 1000),
        ]);
        let through = Segment::new(Point::new(100, 500), Point::new(900, 500));
        // The notch only touches the segment: the inner point itself lies on the outline.
        assert_eq!(notch.parts(through).len(), 2);
        let below = Segment::new(Point::new(100, 499), Point::new(900, 499));
        assert_eq!(notch.parts(below).len(), 1);
    }

    #[test]
    fn points_on_the_outline_are_inside() {
        let area = Polygon::new(square(0, 0, 100));
        assert!(area.holds(Point::new(0, 50)) && !area.holds_strictly(Point::new(0, 50)));
        assert!(area.holds_strictly(Point::new(1, 50)) && !area.holds(Point::new(-1, 50)));
    }

    #[test]
    fn a_hull_forgets_what_lies_within() {
        let mut points = square(0, 0, 100);
        points.push(Point::new(50, 50));
        points.push(Point::new(50, 0));
        assert_eq!(hull(points).outline().len(), 4);
    }

    #[test]
    fn a_strip_is_as_wide_as_it_says() {
        let (left, right, area) = strip(&[Point::cm(0, 0), Point::cm(0, 10), Point::cm(10, 10)], 200);
        assert_eq!(left[0], Point::new(-100, 0));
        assert_eq!(right[1], Point::new(100, 900));
        assert_eq!(left[1], Point::new(-100, 1100));
        assert!(area.double_area() > 0);
    }
}
