//! Whole numbers of any size: the cases of some hundred dice.

/// A whole number of any size, lowest digits first, to the base 2^32.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Big(Vec<u32>);

/// The low and the high half of a product or sum.
const fn halves(value: u64) -> (u32, u64) {
    ((value & 0xffff_ffff) as u32, value >> 32)
}

impl From<u32> for Big {
    fn from(value: u32) -> Self {
        Self(vec![value])
    }
}

impl From<u128> for Big {
    fn from(value: u128) -> Self {
        Self((0..4).map(|place| ((value >> (32 * place)) & 0xffff_ffff) as u32).collect()).trimmed()
    }
}

impl Big {
    fn trimmed(mut self) -> Self {
        while self.0.len() > 1 && self.0.last() == Some(&0) {
            self.0.pop();
        }
        self
    }

    pub(super) fn add(&mut self, other: &Self) {
        let mut carry = 0;
        for place in 0..self.0.len().max(other.0.len()) {
            if place == self.0.len() {
                self.0.push(0);
            }
            let other = u64::from(other.0.get(place).copied().unwrap_or(0));
            let (low, high) = halves(u64::from(self.0[place]) + other + carry);
            self.0[place] = low;
            carry = high;
        }
        self.0.push(halves(carry).0);
        *self = std::mem::replace(self, Self(Vec::new())).trimmed();
    }

    /// The difference; nothing is ever taken from less.
    pub(super) fn minus(mut self, other: &Self) -> Self {
        let mut borrow = 0;
        for place in 0..self.0.len() {
            let other = u64::from(other.0.get(place).copied().unwrap_or(0)) + borrow;
            let own = u64::from(self.0[place]);
            borrow = u64::from(own < other);
            self.0[place] = halves((own + (borrow << 32)) - other).0;
        }
        self.trimmed()
    }

    /// The product with a number below 2^32.
    pub(super) fn times_small(mut self, factor: u64) -> Self {
        let mut carry = 0;
        for digit in &mut self.0 {
            let (low, high) = halves(u64::from(*digit) * factor + carry);
            *digit = low;
            carry = high;
        }
        self.0.push(halves(carry).0);
        self.trimmed()
    }

    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = Self(vec![0; self.0.len() + other.0.len() + 1]);
        for (place, &digit) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (offset, &other) in other.0.iter().chain(&[0, 0]).enumerate() {
                let Some(slot) = product.0.get_mut(place + offset) else { break };
                let (low, high) = halves(u64::from(*slot) + u64::from(digit) * u64::from(other) + carry);
                *slot = low;
                carry = high;
            }
        }
        product.trimmed()
    }

    pub(super) fn times_power(self, base: u8, exponent: u32) -> Self {
        (0..exponent).fold(self, |value, _| value.times_small(u64::from(base)))
    }

    /// The quotient by a number below 2^32 that divides it.
    pub(super) fn divided_by(mut self, divisor: u64) -> Self {
        let mut rest = 0_u64;
        for digit in self.0.iter_mut().rev() {
            let value = (rest << 32) | u64::from(*digit);
            *digit = halves(value / divisor).0;
            rest = value % divisor;
        }
        self.trimmed()
    }

    pub(super) fn as_u128(&self) -> Option<u128> {
        (self.0.len() <= 4)
            .then(|| self.0.iter().rev().fold(0, |value, &digit| (value << 32) | u128::from(digit)))
    }

    /// This part of a whole in percent: both are cut to their leading digits, which a `f64` cannot
    /// tell from the exact quotient.
    pub(super) fn percent_of(&self, whole: &Self) -> f64 {
        let leading = |big: &Self| {
            big.0
                .iter()
                .rev()
                .take(4)
                .fold(0.0_f64, |value, &digit| value * 4_294_967_296.0 + f64::from(digit))
        };
        let places = |big: &Self| i32::try_from(big.0.len().saturating_sub(4)).unwrap_or(i32::MAX);
        100.0 * leading(self) / leading(whole) * 2.0_f64.powi(32 * (places(self) - places(whole)))
    }
}
