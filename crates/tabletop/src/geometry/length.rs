//! Lengths that are compared with limits: exact squares, rounded once to the hundredth of a
//! centimetre, halves up (FE-R69).

use kernel::Centimetres;

/// A distance, kept as the whole part of four times its square, which is all that rounding needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gap(u128);

impl Gap {
    /// No distance at all.
    pub const ZERO: Self = Self(0);
    /// Farther than anything on a table.
    pub const FAR: Self = Self(u128::MAX);

    /// From the square of the distance.
    #[must_use]
    pub const fn whole(square: i64) -> Self {
        Self(square.unsigned_abs() as u128 * 4)
    }

    /// From the square of the distance as a fraction.
    #[must_use]
    pub const fn fraction(numerator: u128, denominator: u128) -> Self {
        if denominator == 0 { Self::FAR } else { Self(numerator * 4 / denominator) }
    }

    /// The distance in hundredths of a centimetre, halves up.
    #[must_use]
    pub fn rounded(self) -> i64 {
        if self == Self::FAR {
            return i64::MAX;
        }
        i64::try_from(self.0.isqrt().div_ceil(2)).unwrap_or(i64::MAX)
    }

    /// The distance rounded down to the hundredth.
    #[must_use]
    pub fn rounded_down(self) -> i64 {
        i64::try_from((self.0 / 4).isqrt()).unwrap_or(i64::MAX)
    }

    /// The distance as a quantity.
    #[must_use]
    pub fn centimetres(self) -> Centimetres {
        centimetres(self.rounded())
    }

    /// Whether bases so far apart are in contact (TE-R12).
    #[must_use]
    pub fn touches(self) -> bool {
        self.rounded() < super::GRAIN
    }
}

/// Hundredths as a quantity; beyond what it can hold, the largest.
pub(crate) fn centimetres(hundredths: i64) -> Centimetres {
    Centimetres::hundredths(i32::try_from(hundredths).unwrap_or(if hundredths < 0 {
        i32::MIN
    } else {
        i32::MAX
    }))
}

/// A quotient rounded to the nearest whole, halves away from zero.
pub(crate) fn round_away(numerator: i128, denominator: i128) -> i64 {
    let (n, d) = if denominator < 0 { (-numerator, -denominator) } else { (numerator, denominator) };
    let magnitude = (2 * n.abs() + d) / (2 * d);
    let value = if n < 0 { -magnitude } else { magnitude };
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// A place along a segment: a fraction between 0 and 1, compared by cross-multiplication.
#[derive(Clone, Copy, Debug)]
pub struct Ratio {
    /// Above the line.
    pub n: i128,
    /// Below the line, positive.
    pub d: i128,
}

impl Ratio {
    /// The start.
    pub const START: Self = Self { n: 0, d: 1 };
    /// The end.
    pub const END: Self = Self { n: 1, d: 1 };

    /// A fraction with a positive denominator.
    #[must_use]
    pub const fn new(n: i128, d: i128) -> Self {
        if d < 0 { Self { n: -n, d: -d } } else { Self { n, d } }
    }

    /// The length of the stretch from this place to a later one on a segment whose squared length
    /// is `square`, rounded.
    #[must_use]
    pub fn stretch(self, later: Self, square: i64) -> i64 {
        let n = (later.n * self.d - self.n * later.d).max(0).unsigned_abs();
        let d = (self.d * later.d).unsigned_abs();
        if n == 0 || d == 0 {
            return 0;
        }
        // The largest r with (2r - 1)^2 d^2 <= 4 square n^2, from a guess that is off by a little.
        let right = Wide::square(2 * n).times(square.unsigned_abs());
        let reached = |r: u128| r == 0 || Wide::square((2 * r - 1) * d) <= right;
        let (mut low, mut high) = (0_u128, u128::from(square.unsigned_abs().isqrt()) + 2);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if reached(middle) { low = middle } else { high = middle }
        }
        i64::try_from(low).unwrap_or(i64::MAX)
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.n * other.d == other.n * self.d
    }
}

impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.n * other.d).cmp(&(other.n * self.d))
    }
}

/// A whole number of 256 bits: just enough to square a fraction of a fraction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    fn square(value: u128) -> Self {
        let (h, l) = (value >> 64, value & u128::from(u64::MAX));
        let cross = h * l;
        let (low, carry) = (l * l).overflowing_add(cross << 65);
        Self { high: h * h + (cross >> 63) + u128::from(carry), low }
    }

    fn times(self, factor: u64) -> Self {
        let factor = u128::from(factor);
        let below = (self.low & u128::from(u64::MAX)) * factor;
        let above = (self.low >> 64) * factor;
        let (low, carry) = below.overflowing_add(above << 64);
        Self { high: self.high * factor + (above >> 64) + u128::from(carry), low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_to_the_nearest_hundredth_halves_up() {
        assert_eq!(Gap::whole(9).rounded(), 3);
        assert_eq!(Gap::whole(2).rounded(), 1);
        assert_eq!(Gap::whole(3).rounded(), 2);
        assert_eq!(Gap::fraction(25, 4).rounded(), 3, "2.5 goes up");
        assert_eq!(Gap::fraction(624, 100).rounded(), 2);
        assert_eq!(Gap::whole(8).rounded_down(), 2);
    }

    #[test]
    fn a_stretch_of_a_segment_is_its_share_of_the_length() {
        let half = Ratio::new(1, 2);
        assert_eq!(Ratio::START.stretch(half, 300 * 300), 150);
        assert_eq!(half.stretch(Ratio::END, 5 * 5), 3, "2.5 goes up");
        assert_eq!(Ratio::new(1, 3).stretch(Ratio::new(1, 3), 100), 0);
        let near = Ratio::new(12_345_678_901, 20_000_000_000);
        let far = Ratio::new(19_999_999_999, 20_000_000_001);
        assert_eq!(near.stretch(far, 20_000_000_000), 54_124);
    }
}
