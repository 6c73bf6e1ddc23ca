//! Sets of hexes as bits: no heap, cheap to copy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hex::Hex;

/// A set of hexes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct HexSet([u64; 29]);

impl HexSet {
    /// Adds a hex.
    pub fn insert(&mut self, hex: Hex) {
        self.0[hex.index() / 64] |= 1 << (hex.index() % 64);
    }

    /// Whether a hex is in it.
    #[must_use]
    pub fn has(&self, hex: Hex) -> bool {
        self.0[hex.index() / 64] & (1 << (hex.index() % 64)) != 0
    }

    /// Takes everything out.
    pub const fn clear(&mut self) {
        self.0 = [0; 29];
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::hex::HEXES;
    use super::*;

    proptest! {
        #[test]
        fn a_set_holds_what_was_put_in(a in 0..HEXES, b in 0..HEXES) {
            let (a, b) = (Hex::nth(a).unwrap(), Hex::nth(b).unwrap());
            let mut set = HexSet::default();
            set.insert(a);
            prop_assert!(set.has(a) && set.has(b) == (a == b));
        }
    }
}
