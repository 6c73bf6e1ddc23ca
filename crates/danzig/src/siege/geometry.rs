//! The plane of the siege map (chapter 4.1.1): spots in decimetres, facings in degrees, counters as
//! oriented rectangles. All tests are exact: a facing is a vector of the integer table below, so that
//! every corner is a whole number of fine units and every answer the same on every machine.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "each cast is bounded where it stands: the plane is 2,800 m wide"
)]

use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Fine units in a decimetre; also the length of the vector of a facing.
pub const FINE: i64 = 16_384;
/// Decimetres in a metre.
pub const DM: i64 = 10;
/// What two counters may miss or overlap each other by: 1 mm of the map, 4 m of ground (DZ-R14).
pub const TOLERANCE_DM: i64 = 40;

/// `round(16384 sin a)` for 0 to 90 degrees.
const SINES: [i64; 91] = [
    0, 286, 572, 857, 1143, 1428, 1713, 1997, 2280, 2563, 2845, 3126, 3406, 3686, 3964, 4240, 4516, 4790,
    5063, 5334, 5604, 5872, 6138, 6402, 6664, 6924, 7182, 7438, 7692, 7943, 8192, 8438, 8682, 8923, 9162,
    9397, 9630, 9860, 10087, 10311, 10531, 10749, 10963, 11174, 11381, 11585, 11786, 11982, 12176, 12365,
    12551, 12733, 12911, 13085, 13255, 13421, 13583, 13741, 13894, 14044, 14189, 14330, 14466, 14598, 14726,
    14849, 14968, 15082, 15191, 15296, 15396, 15491, 15582, 15668, 15749, 15826, 15897, 15964, 16026, 16083,
    16135, 16182, 16225, 16262, 16294, 16322, 16344, 16362, 16374, 16382, 16384,
];

/// A place on the siege map, in decimetres: x to the right (south), y upwards (east, to the city).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(deny_unknown_fields)]
pub struct Spot {
    /// Decimetres to the right.
    pub x: i16,
    /// Decimetres upwards.
    pub y: i16,
}

impl Spot {
    /// The spot so many decimetres right and up.
    #[must_use]
    pub const fn new(x: i16, y: i16) -> Self {
        Self { x, y }
    }

    /// The spot so many metres right and up; beyond the plane it stops at its edge.
    #[must_use]
    pub fn metres(x: i32, y: i32) -> Self {
        Self { x: narrow(i64::from(x) * DM), y: narrow(i64::from(y) * DM) }
    }

    /// The same place in fine units.
    #[must_use]
    pub const fn fine(self) -> Fine {
        Fine { x: self.x as i64 * FINE, y: self.y as i64 * FINE }
    }
}

const fn narrow(dm: i64) -> i16 {
    if dm > i16::MAX as i64 {
        i16::MAX
    } else if dm < i16::MIN as i64 {
        i16::MIN
    } else {
        dm as i16
    }
}

/// Where a counter looks, in whole degrees from the x axis towards the y axis: 90 is the city.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Facing(#[schemars(range(min = 0, max = 359))] u16);

impl Facing {
    /// Towards the city, straight up the map.
    pub const CITY: Self = Self(90);

    /// The facing of so many degrees, turned into 0 to 359.
    #[must_use]
    pub const fn degrees(degrees: i32) -> Self {
        Self(degrees.rem_euclid(360) as u16)
    }

    /// Its degrees, 0 to 359.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// The facing so many degrees further round.
    #[must_use]
    pub const fn turned(self, degrees: i32) -> Self {
        Self::degrees(self.0 as i32 + degrees)
    }

    /// The facing whose vector lies nearest to the way from one spot to another.
    #[must_use]
    pub fn towards(from: Spot, to: Spot) -> Self {
        let way = to.fine().minus(from.fine());
        let mut best = (i64::MIN, Self::CITY);
        for degrees in 0..360 {
            let facing = Self::degrees(degrees);
            let along = facing.vector().dot(way);
            if along > best.0 {
                best = (along, facing);
            }
        }
        best.1
    }

    /// Its vector, [`FINE`] long.
    #[must_use]
    pub const fn vector(self) -> Fine {
        Fine { x: sine(self.0 + 90), y: sine(self.0) }
    }
}

impl<'de> Deserialize<'de> for Facing {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let degrees = u16::deserialize(deserializer)?;
        if degrees < 360 {
            Ok(Self(degrees))
        } else {
            let found = serde::de::Unexpected::Unsigned(u64::from(degrees));
            Err(serde::de::Error::invalid_value(found, &"0–359"))
        }
    }
}

const fn sine(degrees: u16) -> i64 {
    let degrees = degrees % 360;
    match degrees {
        0..=90 => SINES[degrees as usize],
        91..=180 => SINES[180 - degrees as usize],
        181..=270 => -SINES[degrees as usize - 180],
        _ => -SINES[360 - degrees as usize],
    }
}

/// A place or a way in fine units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fine {
    /// To the right.
    pub x: i64,
    /// Upwards.
    pub y: i64,
}

impl Fine {
    /// The way from `other` to this place.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }

    /// This place moved by a way.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }

    /// So many times as long.
    #[must_use]
    pub const fn times(self, factor: i64) -> Self {
        Self { x: self.x * factor, y: self.y * factor }
    }

    /// The scalar product.
    #[must_use]
    pub const fn dot(self, other: Self) -> i64 {
        self.x * other.x + self.y * other.y
    }

    /// The cross product: positive when `other` lies to the left.
    #[must_use]
    pub const fn cross(self, other: Self) -> i64 {
        self.x * other.y - self.y * other.x
    }

    /// A quarter turn to the left.
    #[must_use]
    pub const fn left(self) -> Self {
        Self { x: -self.y, y: self.x }
    }

    /// The square of the distance.
    #[must_use]
    pub const fn squared_to(self, other: Self) -> i64 {
        let way = self.minus(other);
        way.dot(way)
    }

    /// The nearest spot of the plane.
    #[must_use]
    pub const fn spot(self) -> Spot {
        const fn round(fine: i64) -> i16 {
            narrow((fine + FINE / 2).div_euclid(FINE))
        }
        Spot { x: round(self.x), y: round(self.y) }
    }

    /// The distance to another place in centimetres, rounded once.
    #[must_use]
    pub fn centimetres_to(self, other: Self) -> i64 {
        let way = self.minus(other);
        let (x, y) = (way.x as f64, way.y as f64);
        (x.hypot(y) * 10.0 / FINE as f64).round() as i64
    }
}

/// Whether two places lie within so many decimetres of each other, both ends included.
#[must_use]
pub const fn within(a: Fine, b: Fine, dm: i64) -> bool {
    let limit = dm * FINE;
    a.squared_to(b) <= limit * limit
}

/// Whether the closed segments `ab` and `cd` have a point in common.
#[must_use]
pub fn cross(a: Fine, b: Fine, c: Fine, d: Fine) -> bool {
    let turn = |p: Fine, q: Fine, r: Fine| q.minus(p).cross(r.minus(p)).signum();
    let between = |p: Fine, q: Fine, r: Fine| {
        r.x >= p.x.min(q.x) && r.x <= p.x.max(q.x) && r.y >= p.y.min(q.y) && r.y <= p.y.max(q.y)
    };
    let (abc, abd, cda, cdb) = (turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b));
    if abc != abd && cda != cdb && abc * abd <= 0 && cda * cdb <= 0 {
        return true;
    }
    (abc == 0 && between(a, b, c))
        || (abd == 0 && between(a, b, d))
        || (cda == 0 && between(c, d, a))
        || (cdb == 0 && between(c, d, b))
}

/// Whether a place lies within so many decimetres of the segment `ab`.
#[must_use]
pub fn near_segment(place: Fine, a: Fine, b: Fine, dm: i64) -> bool {
    let (along, way) = (b.minus(a), place.minus(a));
    let length = along.dot(along);
    let done = way.dot(along);
    if done <= 0 || length == 0 {
        return within(place, a, dm);
    }
    if done >= length {
        return within(place, b, dm);
    }
    // cross² <= dm² · length, in 128 bits.
    let off = i128::from(along.cross(way));
    let limit = i128::from(dm * FINE);
    off * off <= limit * limit * i128::from(length)
}

/// Whether two segments come within so many decimetres of each other.
#[must_use]
pub fn segments_touch(a: Fine, b: Fine, c: Fine, d: Fine, dm: i64) -> bool {
    near_segment(a, c, d, dm)
        || near_segment(b, c, d, dm)
        || near_segment(c, a, b, dm)
        || near_segment(d, a, b, dm)
        || cross(a, b, c, d)
}

/// Whether a place lies inside a polygon or on its border.
#[must_use]
pub fn inside(place: Fine, polygon: &[Fine]) -> bool {
    let mut within = false;
    let mut previous = match polygon.last() {
        Some(last) => *last,
        None => return false,
    };
    for &corner in polygon {
        if near_segment(place, previous, corner, 0) {
            return true;
        }
        if (corner.y > place.y) != (previous.y > place.y) {
            let side = previous.minus(corner).cross(place.minus(corner));
            if (side > 0) == (previous.y > corner.y) && side != 0 {
                within = !within;
            }
        }
        previous = corner;
    }
    within
}

/// A counter on the map: its centre, half its extent along and half across its facing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    /// The centre.
    pub centre: Fine,
    /// From the centre to the middle of the front.
    pub ahead: Fine,
    /// From the centre to the middle of the left side.
    pub aside: Fine,
    /// The length of `ahead`.
    deep: i64,
    /// The length of `aside`.
    broad: i64,
}

impl Rect {
    /// The counter `depth` decimetres deep along its facing and `breadth` broad across it.
    #[must_use]
    pub const fn new(centre: Fine, facing: Facing, depth: i64, breadth: i64) -> Self {
        let vector = facing.vector();
        // Halves of whole metres: depth and breadth are even numbers of decimetres.
        let (deep, broad) = (depth / 2, breadth / 2);
        Self {
            centre,
            ahead: vector.times(deep),
            aside: vector.left().times(broad),
            deep: deep * FINE,
            broad: broad * FINE,
        }
    }

    /// Front left, front right, rear right, rear left.
    #[must_use]
    pub const fn corners(&self) -> [Fine; 4] {
        let (front, rear) = (self.centre.plus(self.ahead), self.centre.minus(self.ahead));
        [front.plus(self.aside), front.minus(self.aside), rear.minus(self.aside), rear.plus(self.aside)]
    }

    /// The front side, left corner first.
    #[must_use]
    pub const fn front(&self) -> (Fine, Fine) {
        let [left, right, ..] = self.corners();
        (left, right)
    }

    /// The rear side, right corner first.
    #[must_use]
    pub const fn rear(&self) -> (Fine, Fine) {
        let [_, _, right, left] = self.corners();
        (right, left)
    }

    /// The middle of the front edge.
    #[must_use]
    pub const fn muzzle(&self) -> Fine {
        self.centre.plus(self.ahead)
    }

    /// Whether the place lies in the rectangle grown by so many decimetres (shrunk if negative).
    #[must_use]
    pub const fn holds(&self, place: Fine, grown: i64) -> bool {
        let way = place.minus(self.centre);
        let grown = grown * FINE;
        way.dot(self.ahead).abs() <= self.ahead.dot(self.ahead) + grown * self.deep
            && way.dot(self.aside).abs() <= self.aside.dot(self.aside) + grown * self.broad
    }

    /// Whether two counters overlap by more than the tolerance.
    #[must_use]
    pub fn overlaps(&self, other: &Self) -> bool {
        self.depth_of_overlap(other) > TOLERANCE_DM * FINE
    }

    /// How deep two counters overlap, in fine units; negative when they are apart along some axis.
    fn depth_of_overlap(&self, other: &Self) -> i64 {
        let way = other.centre.minus(self.centre);
        let mut least = i64::MAX;
        let axes = [
            (self.ahead, self.deep),
            (self.aside, self.broad),
            (other.ahead, other.deep),
            (other.aside, other.broad),
        ];
        for (axis, length) in axes {
            let reach = |rect: &Self| rect.ahead.dot(axis).abs() + rect.aside.dot(axis).abs();
            let depth = reach(self) + reach(other) - way.dot(axis).abs();
            least = least.min(depth / length.max(1));
        }
        least
    }

    /// Whether two counters touch: they come within the tolerance of each other.
    #[must_use]
    pub fn touches(&self, other: &Self) -> bool {
        // Far apart is the common case.
        if !within(
            self.centre,
            other.centre,
            (self.deep + self.broad + other.deep + other.broad) / FINE + TOLERANCE_DM,
        ) {
            return false;
        }
        if self.depth_of_overlap(other) > 0 {
            return true;
        }
        let (mine, theirs) = (self.corners(), other.corners());
        sides(&mine).any(|(a, b)| sides(&theirs).any(|(c, d)| segments_touch(a, b, c, d, TOLERANCE_DM)))
    }

    /// Whether the segment `ab` passes through the rectangle shrunk by the tolerance.
    #[must_use]
    pub fn is_crossed_by(&self, a: Fine, b: Fine) -> bool {
        self.shrunk(TOLERANCE_DM).meets(a, b)
    }

    /// Whether the segment `ab` has a point in common with the rectangle, its border included.
    #[must_use]
    pub fn meets(&self, a: Fine, b: Fine) -> bool {
        self.holds(a, 0) || self.holds(b, 0) || sides(&self.corners()).any(|(c, d)| cross(a, b, c, d))
    }

    /// The place of the rectangle that is nearest to another place.
    #[must_use]
    pub fn nearest(&self, place: Fine) -> Fine {
        if self.holds(place, 0) {
            return place;
        }
        let way = place.minus(self.centre);
        let along = |half: Fine| {
            let square = half.dot(half).max(1);
            let done = i128::from(way.dot(half).clamp(-square, square));
            let part = |x: i64| (i128::from(x) * done / i128::from(square)) as i64;
            Fine { x: part(half.x), y: part(half.y) }
        };
        self.centre.plus(along(self.ahead)).plus(along(self.aside))
    }

    /// The rectangle drawn in by so many decimetres on every side.
    #[must_use]
    pub fn shrunk(&self, dm: i64) -> Self {
        let draw_in = |half: Fine, length: i64| {
            let less = (length - dm * FINE).max(FINE);
            let part = |x: i64| (i128::from(x) * i128::from(less) / i128::from(length.max(1))) as i64;
            (Fine { x: part(half.x), y: part(half.y) }, less)
        };
        let (ahead, deep) = draw_in(self.ahead, self.deep);
        let (aside, broad) = draw_in(self.aside, self.broad);
        Self { centre: self.centre, ahead, aside, deep, broad }
    }

    /// The square of the distance from the rectangle to a place, in fine units.
    #[must_use]
    pub fn squared_to(&self, place: Fine) -> i64 {
        if self.holds(place, 0) {
            return 0;
        }
        sides(&self.corners()).map(|(a, b)| squared_to_segment(place, a, b)).min().unwrap_or(0)
    }
}

/// The sides of a polygon.
pub fn sides(corners: &[Fine]) -> impl Iterator<Item = (Fine, Fine)> + '_ {
    corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| (*a, *b))
}

/// The square of the distance from a place to the segment `ab`, rounded down.
#[must_use]
pub fn squared_to_segment(place: Fine, a: Fine, b: Fine) -> i64 {
    let (along, way) = (b.minus(a), place.minus(a));
    let length = along.dot(along);
    let done = way.dot(along);
    if done <= 0 || length == 0 {
        return place.squared_to(a);
    }
    if done >= length {
        return place.squared_to(b);
    }
    let off = i128::from(along.cross(way));
    (off * off / i128::from(length)) as i64
}

/// Whether a target lies within 45 degrees of a facing, both edges included.
#[must_use]
pub fn sees(gun: Fine, facing: Facing, target: Fine) -> bool {
    let way = target.minus(gun);
    let vector = facing.vector();
    vector.cross(way).abs() <= vector.dot(way) || way == Fine::default()
}

/// The whole degrees of a way, rounded down: 0 to 359.
#[must_use]
pub fn bearing(way: Fine) -> u16 {
    let quarter = match (way.x, way.y) {
        (1.., 0..) => 0,
        (..=0, 1..) => 90,
        (..=-1, ..=0) => 180,
        _ => 270,
    };
    let (mut low, mut high) = (quarter, quarter + 90);
    while high - low > 1 {
        let middle = u16::midpoint(low, high);
        if Facing(middle % 360).vector().cross(way) >= 0 { low = middle } else { high = middle }
    }
    low
}

/// Whether a target lies in the arc of a gun.
///
/// # Errors
/// The refusal by the arc of 90 degrees.
pub fn in_arc(gun: Fine, facing: Facing, target: Fine) -> kernel::Verdict<()> {
    if rule!(DZ_4_5_1_02).holds(sees(gun, facing, target)) {
        Ok(())
    } else {
        Err(kernel::Refusal::rule(rule!(DZ_4_5_1_02), rulebook::phrase::danzig_siege::OUT_OF_ARC)
            .with("facing", facing.get()))
    }
}
