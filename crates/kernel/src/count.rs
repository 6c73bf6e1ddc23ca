//! Numbers of cases, as large as they must be: a few dozen dice have more outcomes than any machine
//! word counts, and a chance is exact all the same.

use std::fmt;
use std::iter::Sum;

use num_bigint::BigUint;
use num_integer::Integer;

/// So many cases. Up to 128 bits it is a plain number; only beyond does it cost more.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Count(Size);

/// Large only where small cannot be: every number has one form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Size {
    Small(u128),
    Large(BigUint),
}

impl Count {
    /// None at all.
    pub const ZERO: Self = Self(Size::Small(0));
    /// One case.
    pub const ONE: Self = Self(Size::Small(1));

    /// Whether there is none.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The number, where 128 bits hold it.
    #[must_use]
    pub const fn as_u128(&self) -> Option<u128> {
        match &self.0 {
            Size::Small(small) => Some(*small),
            Size::Large(_) => None,
        }
    }

    fn large(&self) -> BigUint {
        match &self.0 {
            Size::Small(small) => BigUint::from(*small),
            Size::Large(large) => large.clone(),
        }
    }

    fn fitted(large: BigUint) -> Self {
        match u128::try_from(&large) {
            Ok(small) => Self(Size::Small(small)),
            Err(_) => Self(Size::Large(large)),
        }
    }

    /// As many cases together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        match self.as_u128().zip(other.as_u128()).and_then(|(a, b)| a.checked_add(b)) {
            Some(small) => Self(Size::Small(small)),
            None => Self::fitted(self.large() + other.large()),
        }
    }

    /// As many cases for each of the others.
    #[must_use]
    pub fn times(&self, other: &Self) -> Self {
        match self.as_u128().zip(other.as_u128()).and_then(|(a, b)| a.checked_mul(b)) {
            Some(small) => Self(Size::Small(small)),
            None => Self::fitted(self.large() * other.large()),
        }
    }

    /// How often the other goes into it; nothing goes into anything once.
    #[must_use]
    pub(crate) fn over(&self, other: &Self) -> Self {
        if other.is_zero() || *other == Self::ONE {
            return self.clone();
        }
        match self.as_u128().zip(other.as_u128()) {
            Some((a, b)) => Self(Size::Small(a / b)),
            None => Self::fitted(self.large() / other.large()),
        }
    }

    /// The largest number that goes into both; one where both are none.
    #[must_use]
    pub(crate) fn common(&self, other: &Self) -> Self {
        let common = match self.as_u128().zip(other.as_u128()) {
            Some((a, b)) => Self(Size::Small(gcd(a, b))),
            None => Self::fitted(self.large().gcd(&other.large())),
        };
        if common.is_zero() { Self::ONE } else { common }
    }

    /// As a floating number, for drawing and sorting by eye.
    #[must_use]
    pub fn as_f64(&self) -> f64 {
        match &self.0 {
            #[allow(clippy::cast_precision_loss, reason = "for display only")]
            Size::Small(small) => *small as f64,
            Size::Large(large) => large.to_string().parse().unwrap_or(f64::INFINITY),
        }
    }
}

impl From<u128> for Count {
    fn from(small: u128) -> Self {
        Self(Size::Small(small))
    }
}

impl<'a> Sum<&'a Count> for Count {
    fn sum<I: Iterator<Item = &'a Count>>(all: I) -> Self {
        all.fold(Self::ZERO, |sum, one| sum.plus(one))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Size::Small(small) => write!(f, "{small}"),
            Size::Large(large) => write!(f, "{large}"),
        }
    }
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(base: u128, exponent: usize) -> Count {
        std::iter::repeat_n(Count::from(base), exponent).fold(Count::ONE, |product, one| product.times(&one))
    }

    #[test]
    fn a_count_grows_beyond_the_machine_and_comes_back() {
        let large = power(6, 60);
        assert_eq!(large.as_u128(), None);
        assert_eq!(large.to_string(), "48873677980689257489322752273774603865660850176");
        assert_eq!(large.over(&power(6, 58)), Count::from(36));
        assert_eq!(large.common(&power(2, 200)), power(2, 60));
        assert_eq!(power(2, 127).plus(&power(2, 127)).over(&power(2, 64)), power(2, 64));
    }

    #[test]
    fn the_common_part_of_nothing_is_one() {
        assert_eq!(Count::ZERO.common(&Count::ZERO), Count::ONE);
        assert_eq!(Count::ZERO.common(&Count::from(6)), Count::from(6));
    }
}
