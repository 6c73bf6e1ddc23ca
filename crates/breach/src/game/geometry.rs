//! Bases and strips on the table (section 4.1 of the game page): oriented rectangles in hundredths of
//! a centimetre, whether two of them share ground, and how far they are apart. Whole numbers only.

use tabletop::geometry::{Facing, Point, forward};

/// Sines are scaled by so many bits.
const SCALE: u32 = 30;
/// Bases are drawn in by so much before they are said to overlap.
const INSET: i64 = 2;
/// Anything nearer is in contact.
pub(crate) const GRAIN: i64 = 10;

/// An oriented rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rect {
    /// Counter-clockwise: front left, rear left, rear right, front right.
    pub(crate) corners: [Point; 4],
    /// The middle.
    pub(crate) centre: Point,
    /// Where it faces; north for strips.
    pub(crate) facing: Facing,
    /// The direction ahead, scaled.
    ahead: (i64, i64),
    /// Half the width and half the depth.
    half: (i64, i64),
}

/// A box along the axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Around {
    low: Point,
    high: Point,
}

impl Around {
    /// The box of a rectangle.
    pub(crate) fn of(rect: &Rect) -> Self {
        let [first, rest @ ..] = rect.corners;
        rest.into_iter()
            .fold(Self { low: first, high: first }, |all, corner| all.and(Self { low: corner, high: corner }))
    }

    /// The box of a leg.
    pub(crate) fn leg(from: Point, to: Point) -> Self {
        Self { low: from, high: from }.and(Self { low: to, high: to })
    }

    /// A box that holds a base by its front: no point of it is farther from there than `size`.
    pub(crate) const fn front(front: Point, size: i64) -> Self {
        Self { low: front, high: front }.grown(size)
    }

    /// The box around both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            low: Point::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y)),
            high: Point::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y)),
        }
    }

    /// The box grown on all sides.
    pub(crate) const fn grown(self, by: i64) -> Self {
        Self { low: self.low.moved(-by, -by), high: self.high.moved(by, by) }
    }

    /// Whether two boxes share a point.
    pub(crate) const fn meets(&self, other: &Self) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// Whether a place lies in it.
    pub(crate) const fn holds(&self, place: Point) -> bool {
        self.low.x <= place.x && place.x <= self.high.x && self.low.y <= place.y && place.y <= self.high.y
    }

    /// Whether a box lies in it.
    pub(crate) const fn covers(&self, other: &Self) -> bool {
        self.holds(other.low) && self.holds(other.high)
    }

    /// Whether a rectangle lies in it.
    pub(crate) fn holds_all(&self, rect: &Rect) -> bool {
        rect.corners.iter().all(|corner| self.holds(*corner))
    }

    /// Whether it could reach a base by its front: no point of it is farther from there than `size`.
    pub(crate) const fn may_hold(&self, front: Point, size: i64) -> bool {
        self.grown(size).holds(front)
    }
}

/// A scaled length as a length.
const fn unscaled(value: i64) -> i64 {
    (value + (1 << (SCALE - 1))) >> SCALE
}

impl Rect {
    /// A base by the middle of its front edge.
    pub(crate) fn new(front: Point, facing: Facing, width: i64, depth: i64) -> Self {
        let (s, c) = forward(facing);
        let (wide, deep) = ((width * c, -width * s), (depth * s, depth * c));
        // So many half widths to the right and half depths back.
        let local = |right: i64, back: i64| {
            let dx = (right * wide.0 - back * deep.0 + (1 << SCALE)) >> (SCALE + 1);
            let dy = (right * wide.1 - back * deep.1 + (1 << SCALE)) >> (SCALE + 1);
            front.moved(dx, dy)
        };
        Self {
            corners: [local(-1, 0), local(-1, 2), local(1, 2), local(1, 0)],
            centre: local(0, 1),
            facing,
            ahead: (s, c),
            half: (width / 2, depth / 2),
        }
    }

    /// A rectangle along the axes, facing north.
    pub(crate) fn axis(low: Point, high: Point) -> Self {
        let middle = Point::new(i64::midpoint(low.x, high.x), high.y);
        Self::new(middle, Facing::NORTH, high.x - low.x, high.y - low.y)
    }

    /// The strip from one place to another.
    pub(crate) fn strip(from: Point, to: Point, width: i64) -> Self {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let fine = fine_length(from, to);
        let ahead = ((dx << (SCALE + 10)) / fine, (dy << (SCALE + 10)) / fine);
        let length = fine >> 10;
        let half = width / 2;
        let side = (unscaled(ahead.1 * half), unscaled(-ahead.0 * half));
        Self {
            corners: [
                to.moved(-side.0, -side.1),
                from.moved(-side.0, -side.1),
                from.moved(side.0, side.1),
                to.moved(side.0, side.1),
            ],
            centre: Point::new(i64::midpoint(from.x, to.x), i64::midpoint(from.y, to.y)),
            facing: Facing::NORTH,
            ahead,
            half: (half, (length + 1) / 2),
        }
    }

    /// The same elsewhere.
    pub(crate) fn shifted(&self, dx: i64, dy: i64) -> Self {
        Self {
            corners: self.corners.map(|corner| corner.moved(dx, dy)),
            centre: self.centre.moved(dx, dy),
            ..*self
        }
    }

    /// The middle of the front edge.
    pub(crate) fn front(&self) -> Point {
        Point::new(
            i64::midpoint(self.corners[0].x, self.corners[3].x),
            i64::midpoint(self.corners[0].y, self.corners[3].y),
        )
    }

    /// No point of it is farther from its middle.
    pub(crate) const fn reach(&self) -> i64 {
        self.half.0 + self.half.1
    }

    /// Whether a base whose front is there, no point of it farther from the front than `size`, could be so
    /// near; false only where it is not.
    pub(crate) const fn may_be_near(&self, front: Point, size: i64, distance: i64) -> bool {
        let most = self.reach() + size + distance + 8;
        (front.x - self.centre.x).abs() <= most && (front.y - self.centre.y).abs() <= most
    }

    /// The same by its own axes, for long strips: no point of a base is farther from its front than `size`.
    pub(crate) fn may_be_beside(&self, front: Point, size: i64) -> bool {
        let (right, ahead) = self.frame(front);
        let most = |half: i64| (half + size + 8) << SCALE;
        right.abs() <= most(self.half.0) && ahead.abs() <= most(self.half.1)
    }

    /// Its corners drawn in by so much, if it is large enough.
    pub(crate) fn drawn_in(&self, by: i64) -> Option<[Point; 4]> {
        let (wide, deep) = (self.half.0 - by, self.half.1 - by);
        let (s, c) = self.ahead;
        let corner = |right: i64, forwards: i64| {
            self.centre.moved(unscaled(right * c + forwards * s), unscaled(forwards * c - right * s))
        };
        (wide > 0 && deep > 0)
            .then(|| [corner(-wide, deep), corner(-wide, -deep), corner(wide, -deep), corner(wide, deep)])
    }

    /// Whether it could be in a box; false only where it is not.
    pub(crate) const fn may_meet(&self, around: &Around) -> bool {
        around.grown(self.reach()).holds(self.centre)
    }

    /// Whether all of it is on the table.
    pub(crate) fn is_on_table(&self) -> bool {
        let (wide, deep) = super::plan::TABLE;
        self.corners.iter().all(|corner| (0..=wide).contains(&corner.x) && (0..=deep).contains(&corner.y))
    }

    /// Whether the two share ground when each is grown by so much on every side.
    #[inline]
    fn meets_grown(&self, other: &Self, by: i64) -> bool {
        let (dx, dy) = (other.centre.x - self.centre.x, other.centre.y - self.centre.y);
        let most = self.reach() + other.reach() + 2 * by;
        dx.abs() <= most && dy.abs() <= most && self.meets_near(other, by)
    }

    /// The same where their middles are near each other: no axis of either parts them.
    #[inline(never)]
    fn meets_near(&self, other: &Self, by: i64) -> bool {
        let (dx, dy) = (other.centre.x - self.centre.x, other.centre.y - self.centre.y);
        let grown = |half: (i64, i64)| ((half.0 + by).max(0), (half.1 + by).max(0));
        let ((aw, ad), (bw, bd)) = (grown(self.half), grown(other.half));
        let ((ax, ay), (bx, by_)) = (self.ahead, other.ahead);
        let along = ((ax * bx + ay * by_) >> SCALE).abs();
        let across = ((ax * by_ - ay * bx) >> SCALE).abs();
        let apart = |x: i64, y: i64, own: i64, deep: i64, wide: i64| {
            (dx * x + dy * y).abs() >= (own << SCALE) + deep + wide
        };
        !(apart(ax, ay, ad, bd * along, bw * across)
            || apart(ay, -ax, aw, bw * along, bd * across)
            || apart(bx, by_, bd, ad * along, aw * across)
            || apart(by_, -bx, bw, aw * along, ad * across))
    }

    /// Whether they overlap: more than rounded corners of flush bases do.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.meets_grown(other, -INSET)
    }

    /// Whether they are at most about so far apart; never wrong where they are.
    pub(crate) fn is_near(&self, other: &Self, distance: i64) -> bool {
        self.meets_grown(other, distance / 2 + 2)
    }

    /// The distance between them, rounded to the hundredth of a centimetre, halves up.
    pub(crate) fn gap(&self, other: &Self) -> i64 {
        if self.meets_grown(other, 0) {
            return 0;
        }
        let mut four_squares = u64::MAX;
        for (one, two) in [(self, other), (other, self)] {
            for k in 0..4 {
                let (from, to) = (one.corners[k], one.corners[(k + 1) % 4]);
                // A corner well on the inner side of an edge is nearer to another edge.
                let inner = 4 * ((to.x - from.x).abs() + (to.y - from.y).abs());
                for &corner in &two.corners {
                    let turn = from.turn(to, corner);
                    if turn <= inner {
                        four_squares = four_squares.min(squares_to(from, to, corner, turn));
                    }
                }
            }
        }
        root_of_four(four_squares)
    }

    /// The distance to a place.
    pub(crate) fn gap_to(&self, place: Point) -> i64 {
        root_of_four(self.squares_from(place))
    }

    /// Four times the square of the distance to a place, rounded down.
    pub(crate) fn squares_from(&self, place: Point) -> u64 {
        let mut nearest = u64::MAX;
        for k in 0..4 {
            let (from, to) = (self.corners[k], self.corners[(k + 1) % 4]);
            let turn = from.turn(to, place);
            // On the inner side of all edges it is on the rectangle.
            if turn < 0 {
                nearest = nearest.min(squares_to(from, to, place, turn));
            }
        }
        if nearest == u64::MAX { 0 } else { nearest }
    }

    /// The ground it sweeps when it is moved as it stands.
    pub(crate) fn swept(&self, (dx, dy): (i64, i64)) -> Self {
        let (x, y) = self.frame(self.centre.moved(dx, dy));
        let (a, b) = self.half;
        let half = if y.abs() >= x.abs() { a } else { b };
        Self::strip(self.centre, self.centre.moved(dx, dy), 2 * half)
    }

    /// The point of it that is nearest to a place. For bases only, whose facing is theirs.
    pub(crate) fn nearest(&self, place: Point) -> Point {
        let (x, y) = self.frame(place);
        let (a, b) = self.half;
        beside(self.centre, self.facing, unscaled(x).clamp(-a, a), unscaled(y).clamp(-b, b))
    }

    /// Whether they touch: nearer than the grain.
    pub(crate) fn touches(&self, other: &Self) -> bool {
        self.is_near(other, GRAIN) && (self.is_flush(other) || self.gap(other) < GRAIN)
    }

    /// Whether a corner of each is at the same place, or almost.
    fn is_flush(&self, other: &Self) -> bool {
        let near = |a: &Point, b: &Point| (a.x - b.x).abs() < 5 && (a.y - b.y).abs() < 5;
        self.corners.iter().any(|own| other.corners.iter().any(|their| near(own, their)))
    }

    /// Whether a place lies on it, edges included.
    pub(crate) fn holds(&self, place: Point) -> bool {
        (0..4).all(|k| self.corners[k].turn(self.corners[(k + 1) % 4], place) >= 0)
    }

    /// Where a place lies for someone in the middle who looks ahead: to the right and ahead, scaled.
    pub(crate) const fn frame(&self, place: Point) -> (i64, i64) {
        let (dx, dy) = (place.x - self.centre.x, place.y - self.centre.y);
        let (s, c) = self.ahead;
        (dx * c - dy * s, dx * s + dy * c)
    }

    /// The points of its edge by which it is seen: the corners, and one every centimetre between them.
    pub(crate) fn outline(&self) -> Vec<Point> {
        let mut points = Vec::with_capacity(32);
        for k in 0..4 {
            let (from, to) = (self.corners[k], self.corners[(k + 1) % 4]);
            points.push(from);
            let length = distance(from, to);
            let mut at = 100;
            while at < length {
                points.push(part_way(from, to, at, length));
                at += 100;
            }
        }
        points
    }

    /// Half its width and half its depth.
    pub(crate) const fn halves(&self) -> (i64, i64) {
        self.half
    }
}

/// The distance between two places, halves up.
pub(crate) fn distance(from: Point, to: Point) -> i64 {
    rounded(from.square_to(to))
}

/// The root of a square, halves up.
pub(crate) fn rounded(square: i64) -> i64 {
    root_of_four(4 * square.unsigned_abs())
}

/// Half the root of a number, halves up: the distance whose square is a quarter of it.
pub(crate) fn root_of_four(four_squares: u64) -> i64 {
    i64::try_from(root(four_squares).div_ceil(2)).unwrap_or(i64::MAX)
}

/// The length from one place to another in 1024ths, at least one.
fn fine_length(from: Point, to: Point) -> i64 {
    let square = from.square_to(to).unsigned_abs() << 20;
    i64::try_from(root(square)).unwrap_or(i64::MAX).max(1)
}

/// The root of a number, rounded down. Roots of what a double holds exactly are rounded by the processor,
/// alike on every machine, and put right where the rounding went up.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "below 2^52 every step is exact but the root, which is checked"
)]
fn root(number: u64) -> u64 {
    if number >= 1 << 52 {
        return number.isqrt();
    }
    let root = (number as f64).sqrt() as u64;
    root - u64::from(root * root > number)
}

/// The place a share of the way to another, halves away from the first.
pub(crate) const fn part_way(from: Point, to: Point, part: i64, whole: i64) -> Point {
    const fn along(by: i64, part: i64, whole: i64) -> i64 {
        let shares = by * part;
        (2 * shares.abs() + whole) / (2 * whole) * shares.signum()
    }
    from.moved(along(to.x - from.x, part, whole), along(to.y - from.y, part, whole))
}

/// Four times the square of the distance from an edge to a place on which its line turns so, rounded down.
fn squares_to(from: Point, to: Point, place: Point, turn: i64) -> u64 {
    let square = from.square_to(to);
    let along = (place.x - from.x) * (to.x - from.x) + (place.y - from.y) * (to.y - from.y);
    let near = |square: i64| 4 * square.unsigned_abs();
    if along <= 0 || square == 0 {
        near(from.square_to(place))
    } else if along >= square {
        near(to.square_to(place))
    } else {
        let turn = turn.unsigned_abs();
        4 * turn * turn / square.unsigned_abs()
    }
}

/// The shift of a forced move: so far along the way from one place to another; straight back where
/// they are one.
pub(crate) fn shift(from: Point, to: Point, facing: Facing, distance: i64) -> (i64, i64) {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if dx == 0 && dy == 0 {
        let (s, c) = forward(facing);
        return (-unscaled(s * distance), -unscaled(c * distance));
    }
    let fine = fine_length(from, to);
    let round = |value: i64| {
        let whole = value * distance * 1024;
        (whole.abs() + fine / 2) / fine * whole.signum()
    };
    (round(dx), round(dy))
}

/// The facing of somebody who looks from one place to another, to the tenth of a degree.
pub(crate) fn towards(from: Point, to: Point) -> Facing {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    if dx == 0 && dy == 0 {
        return Facing::NORTH;
    }
    // The tenth whose line passes nearest: halving the circle, then the two neighbours.
    let side = |tenths: i32| {
        let (s, c) = forward(Facing::tenths(tenths));
        // Positive when the place lies clockwise of the line.
        dx * c - dy * s
    };
    let (mut low, mut high) = if dx >= 0 { (0, 1800) } else { (1800, 3600) };
    while high - low > 1 {
        let middle = i32::midpoint(low, high);
        if side(middle) >= 0 { low = middle } else { high = middle }
    }
    Facing::tenths(if side(low).abs() <= side(high).abs() { low } else { high })
}

/// The direction ahead for a facing, over a distance.
pub(crate) fn ahead(facing: Facing, distance: i64) -> (i64, i64) {
    let (s, c) = forward(facing);
    (unscaled(s * distance), unscaled(c * distance))
}

/// A place to the right and ahead of another for someone who faces so.
pub(crate) fn beside(origin: Point, facing: Facing, right: i64, forwards: i64) -> Point {
    let (s, c) = forward(facing);
    origin.moved(unscaled(right * c + forwards * s), unscaled(forwards * c - right * s))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flush_bases_touch_and_do_not_overlap_at_any_angle() {
        for tenths in [0, 225, 450, 333, 1234, 3599] {
            let facing = Facing::tenths(tenths);
            let a = Rect::new(Point::cm(50, 50), facing, 400, 200);
            let b = Rect::new(beside(Point::cm(50, 50), facing, 400, 0), facing, 400, 200);
            assert!(a.touches(&b) && !a.overlaps(&b), "{tenths}");
            let c = Rect::new(beside(Point::cm(50, 50), facing, 390, 0), facing, 400, 200);
            assert!(a.overlaps(&c), "{tenths}");
        }
    }

    #[test]
    fn roots_are_rounded_down() {
        for root_of in [0, 1, 2, 3, 99, 4_321, 65_536, 1 << 25, (1 << 26) - 1, 1 << 26, (1 << 31) + 7] {
            let square: u64 = root_of * root_of;
            for number in [square.saturating_sub(1), square, square + 1] {
                assert_eq!(root(number), number.isqrt(), "{number}");
            }
        }
    }

    proptest::proptest! {
        #[test]
        fn any_root_is_rounded_down(number in 0_u64..1 << 54) {
            proptest::prop_assert_eq!(root(number), number.isqrt());
        }
    }

    #[test]
    fn distances_are_those_of_the_examples() {
        let wall = Rect::axis(Point::cm(80, 14), Point::cm(84, 16));
        let enemy = |x, y| Rect::new(Point::new(x, y), Facing::SOUTH, 400, 200);
        assert_eq!(wall.gap(&enemy(9000, 4620)), 3046);
        assert_eq!(wall.gap(&enemy(8200, 4610)), 3010);
        assert_eq!(wall.gap(&enemy(8200, 4600)), 3000);
    }

    #[test]
    fn a_shift_goes_its_distance() {
        assert_eq!(shift(Point::cm(0, 10), Point::cm(0, 5), Facing::NORTH, 900), (0, -900));
        assert_eq!(shift(Point::cm(0, 0), Point::cm(3, 4), Facing::NORTH, 500), (300, 400));
        assert_eq!(towards(Point::cm(0, 0), Point::cm(5, 5)), Facing::tenths(450));
        assert_eq!(towards(Point::cm(0, 0), Point::cm(-5, 0)), Facing::WEST);
    }
}
