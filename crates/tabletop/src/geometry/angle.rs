//! Facings in tenths of a degree and the one table of sines that turns bases.

use std::f64::consts::PI;
use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Point, length::round_away};

/// Sines and cosines are scaled by this many bits.
const SCALE: u32 = 30;

/// A direction in tenths of a degree, 0 = north, clockwise. Written in degrees: `22.5`.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "f64", into = "f64")]
#[schemars(with = "f64")]
pub struct Facing(u16);

impl Facing {
    /// North.
    pub const NORTH: Self = Self(0);
    /// East.
    pub const EAST: Self = Self(900);
    /// South.
    pub const SOUTH: Self = Self(1800);
    /// West.
    pub const WEST: Self = Self(2700);

    /// So many tenths of a degree, taken round the compass.
    #[must_use]
    pub fn tenths(tenths: i32) -> Self {
        Self(u16::try_from(tenths.rem_euclid(3600)).unwrap_or_default())
    }

    /// How many tenths of a degree it is.
    #[must_use]
    pub const fn count(self) -> u16 {
        self.0
    }

    /// Turned clockwise by so many tenths.
    #[must_use]
    pub fn turned(self, tenths: i32) -> Self {
        Self::tenths(i32::from(self.0) + tenths)
    }

    /// The smaller angle to another direction, in tenths.
    #[must_use]
    pub fn angle_to(self, other: Self) -> u16 {
        let apart = self.0.abs_diff(other.0);
        apart.min(3600 - apart)
    }
}

impl TryFrom<f64> for Facing {
    type Error = String;

    fn try_from(degrees: f64) -> Result<Self, String> {
        let tenths = degrees * 10.0;
        if !(0.0..3600.0).contains(&tenths) || (tenths - tenths.round()).abs() > 1e-6 {
            return Err(format!("{degrees}: 0, 0.1 … 359.9"));
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        Ok(Self(tenths.round() as u16 % 3600))
    }
}

impl From<Facing> for f64 {
    fn from(facing: Facing) -> Self {
        Self::from(facing.0) / 10.0
    }
}

/// The sines of a quarter turn in tenths of a degree, scaled by 2^30 and rounded once.
static SINES: LazyLock<[i64; 901]> = LazyLock::new(|| {
    std::array::from_fn(|tenths| {
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_precision_loss,
            reason = "the one rounding of the table"
        )]
        let sine = ((tenths as f64 * PI / 1800.0).sin() * f64::from(1_u32 << SCALE)).round() as i64;
        sine
    })
});

/// The scaled sine and cosine of a direction.
fn sine_and_cosine(facing: Facing) -> (i64, i64) {
    let table = &*SINES;
    let (quarter, rest) = (facing.0 / 900, usize::from(facing.0 % 900));
    let (s, c) = (table[rest], table[900 - rest]);
    match quarter {
        0 => (s, c),
        1 => (c, -s),
        2 => (-s, -c),
        _ => (-c, s),
    }
}

/// The place that lies `x` to the right and `y` ahead of `origin` for someone facing so.
#[must_use]
pub fn turned(origin: Point, facing: Facing, x: i64, y: i64) -> Point {
    let (s, c) = sine_and_cosine(facing);
    let round = |value: i64| round_away(i128::from(value), 1 << SCALE);
    Point::new(origin.x + round(x * c + y * s), origin.y + round(y * c - x * s))
}

/// The same for coordinates in half hundredths, so that middles need no second rounding.
pub(crate) fn turned_halves(origin: Point, facing: Facing, x2: i64, y2: i64) -> Point {
    let (s, c) = sine_and_cosine(facing);
    let round = |value: i64| round_away(i128::from(value), 1 << (SCALE + 1));
    Point::new(origin.x + round(x2 * c + y2 * s), origin.y + round(y2 * c - x2 * s))
}

/// The direction ahead, scaled by 2^30.
#[must_use]
pub fn forward(facing: Facing) -> (i64, i64) {
    sine_and_cosine(facing)
}

/// A place in the frame of an observer: how far to the right and how far ahead, scaled by 2^30.
#[must_use]
pub fn into_frame(origin: Point, facing: Facing, place: Point) -> (i64, i64) {
    let (s, c) = sine_and_cosine(facing);
    let (dx, dy) = (place.x - origin.x, place.y - origin.y);
    (dx * c - dy * s, dx * s + dy * c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sine_of_the_table_lies_near_a_half_so_every_machine_rounds_alike() {
        for tenths in 0..=900_u32 {
            let exact = (f64::from(tenths) * PI / 1800.0).sin() * f64::from(1_u32 << SCALE);
            assert!(((exact - exact.floor()) - 0.5).abs() > 1e-4, "{tenths}");
        }
    }

    #[test]
    fn ahead_is_north_at_zero_and_turns_clockwise() {
        let origin = Point::cm(50, 50);
        assert_eq!(turned(origin, Facing::NORTH, 100, 300), Point::new(5100, 5300));
        assert_eq!(turned(origin, Facing::EAST, 100, 300), Point::new(5300, 4900));
        assert_eq!(turned(origin, Facing::SOUTH, 100, 300), Point::new(4900, 4700));
        assert_eq!(turned(origin, Facing::WEST, 100, 300), Point::new(4700, 5100));
        assert_eq!(turned(origin, Facing::tenths(450), 0, 1000), Point::new(5707, 5707));
    }

    #[test]
    fn degrees_are_read_to_the_tenth_and_no_finer() {
        assert_eq!(serde_json::from_str::<Facing>("22.5").unwrap(), Facing::tenths(225));
        assert_eq!(serde_json::from_str::<Facing>("90").unwrap(), Facing::EAST);
        for wrong in ["360", "-1", "22.55", "1e300"] {
            assert!(serde_json::from_str::<Facing>(wrong).is_err(), "{wrong}");
        }
    }
}
