//! Sets of sides, by their places: who decides, who has decided, whom the machine plays.

use serde::{Deserialize, Serialize};

/// A set of sides, by their places in [`Game::SIDES`](crate::Game::SIDES).
///
/// ```
/// use kernel::Sides;
///
/// let both: Sides = [0, 1].into_iter().collect();
/// assert!(both.has(1) && both.count() == 2);
/// assert_eq!(both.without(0), Sides::one(1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sides(u32);

impl Sides {
    /// Nobody.
    pub const NONE: Self = Self(0);

    const fn bit(place: usize) -> u32 {
        if place < 32 { 1 << place } else { 0 }
    }

    /// The side at this place alone.
    #[must_use]
    pub const fn one(place: usize) -> Self {
        Self(Self::bit(place))
    }

    /// These, and the one at this place.
    #[must_use]
    pub const fn with(self, place: usize) -> Self {
        Self(self.0 | Self::bit(place))
    }

    /// These without the one at this place.
    #[must_use]
    pub const fn without(self, place: usize) -> Self {
        Self(self.0 & !Self::bit(place))
    }

    /// Whether the side at this place is one of them.
    #[must_use]
    pub const fn has(self, place: usize) -> bool {
        self.0 & Self::bit(place) != 0
    }

    /// How many they are.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first of them.
    #[must_use]
    pub const fn first(self) -> Option<usize> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// Their places, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..32).filter(move |&place| self.has(place))
    }
}

impl FromIterator<usize> for Sides {
    fn from_iter<T: IntoIterator<Item = usize>>(places: T) -> Self {
        places.into_iter().fold(Self::NONE, Self::with)
    }
}
