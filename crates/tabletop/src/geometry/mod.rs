//! Exact plane geometry of the table (terrain geometry page, section 1): integers in hundredths of
//! a centimetre enter, verdicts and rounded lengths leave. No floating point in a predicate.

mod angle;
mod base;
mod length;
mod polygon;
mod segment;

pub use angle::{Facing, forward, into_frame, turned};
pub use base::{Arc, Base};
pub use length::{Gap, Ratio};
pub use polygon::{Polygon, hull, strip};
pub use segment::{Segment, crosses_line, gap_to_line};

use kernel::Centimetres;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Anything nearer than this many hundredths of a centimetre is in contact (TE-R12).
pub const GRAIN: i64 = 10;

/// A place on the table, in hundredths of a centimetre from its south-west corner, x east, y
/// north. Written `[x, y]` in centimetres.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(from = "[Centimetres; 2]", into = "[Centimetres; 2]")]
#[schemars(with = "[Centimetres; 2]")]
pub struct Point {
    /// East.
    pub x: i64,
    /// North.
    pub y: i64,
}

impl Point {
    /// A place in hundredths of a centimetre.
    #[must_use]
    pub const fn new(x: i64, y: i64) -> Self {
        Self { x, y }
    }

    /// A place in whole centimetres.
    #[must_use]
    pub const fn cm(x: i64, y: i64) -> Self {
        Self { x: x * 100, y: y * 100 }
    }

    /// The cross product of `a - self` and `b - self`: positive when the turn is to the left.
    #[must_use]
    pub const fn turn(self, a: Self, b: Self) -> i64 {
        (a.x - self.x) * (b.y - self.y) - (a.y - self.y) * (b.x - self.x)
    }

    /// The square of the distance to another place.
    #[must_use]
    pub const fn square_to(self, other: Self) -> i64 {
        let (dx, dy) = (other.x - self.x, other.y - self.y);
        dx * dx + dy * dy
    }

    /// The distance to another place.
    #[must_use]
    pub fn gap_to(self, other: Self) -> Gap {
        Gap::whole(self.square_to(other))
    }

    /// The place moved by so much.
    #[must_use]
    pub const fn moved(self, dx: i64, dy: i64) -> Self {
        Self { x: self.x + dx, y: self.y + dy }
    }

    /// The place a share `part / whole` of the way to another, rounded.
    #[must_use]
    pub fn towards(self, other: Self, part: i64, whole: i64) -> Self {
        if whole == 0 {
            return self;
        }
        let along = |from: i64, to: i64| {
            from + length::round_away(i128::from(to - from) * i128::from(part), i128::from(whole))
        };
        Self { x: along(self.x, other.x), y: along(self.y, other.y) }
    }
}

impl From<[Centimetres; 2]> for Point {
    fn from([x, y]: [Centimetres; 2]) -> Self {
        Self { x: i64::from(x.count()), y: i64::from(y.count()) }
    }
}

impl From<Point> for [Centimetres; 2] {
    fn from(point: Point) -> Self {
        [length::centimetres(point.x), length::centimetres(point.y)]
    }
}

/// A box with sides along the axes, for quick refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The south-west corner.
    pub low: Point,
    /// The north-east corner.
    pub high: Point,
}

impl Extent {
    /// The smallest box around some points; nothing is a box that meets nothing.
    #[must_use]
    pub fn of<'a>(points: impl IntoIterator<Item = &'a Point>) -> Self {
        points.into_iter().fold(
            Self { low: Point::new(i64::MAX, i64::MAX), high: Point::new(i64::MIN, i64::MIN) },
            |extent, point| extent.with(*point),
        )
    }

    /// The box grown to hold a point.
    #[must_use]
    pub fn with(self, point: Point) -> Self {
        Self {
            low: Point::new(self.low.x.min(point.x), self.low.y.min(point.y)),
            high: Point::new(self.high.x.max(point.x), self.high.y.max(point.y)),
        }
    }

    /// The box around both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.with(other.low).with(other.high)
    }

    /// The box grown on all sides.
    #[must_use]
    pub fn grown(self, by: i64) -> Self {
        Self { low: self.low.moved(-by, -by), high: self.high.moved(by, by) }
    }

    /// Whether the two boxes share a point.
    #[must_use]
    pub const fn meets(&self, other: &Self) -> bool {
        self.low.x <= other.high.x
            && other.low.x <= self.high.x
            && self.low.y <= other.high.y
            && other.low.y <= self.high.y
    }

    /// Whether a point lies in it.
    #[must_use]
    pub const fn holds(&self, point: Point) -> bool {
        self.low.x <= point.x && point.x <= self.high.x && self.low.y <= point.y && point.y <= self.high.y
    }
}
