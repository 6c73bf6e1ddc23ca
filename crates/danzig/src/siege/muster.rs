//! Who goes out (chapter 4.9): the Prussian names his battalions one by one, in the order of their groups,
//! for a sortie or a counter-attack, and may send them back while he has not given the word.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sortie::pairs;
use crate::state::Table;
use crate::unit::{UnitId, UnitSet};

/// Most battalions of a sortie: three groups of two.
const MOST: usize = 6;

/// Those who are named, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Muster([Option<UnitId>; MOST]);

impl Muster {
    /// Those who are named, the first first.
    pub fn iter(&self) -> impl Iterator<Item = UnitId> {
        self.0.into_iter().flatten()
    }

    /// Whether nobody is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Whether a unit is named.
    #[must_use]
    pub fn has(&self, unit: UnitId) -> bool {
        self.iter().any(|other| other == unit)
    }

    /// Those who are named, without their order.
    #[must_use]
    pub fn units(&self) -> UnitSet {
        self.iter().collect()
    }

    /// The same with one more at the end; nothing if he is named already or there is no room.
    #[must_use]
    pub fn with(mut self, unit: UnitId) -> Option<Self> {
        if self.has(unit) {
            return None;
        }
        *self.0.iter_mut().find(|slot| slot.is_none())? = Some(unit);
        Some(self)
    }

    /// The same without one; those after him close up.
    #[must_use]
    pub fn without(self, unit: UnitId) -> Self {
        let mut rest = Self::default();
        self.iter()
            .filter(|other| *other != unit)
            .zip(&mut rest.0)
            .for_each(|(unit, slot)| *slot = Some(unit));
        rest
    }

    /// Groups of two steps, in order.
    pub(super) fn groups(&self, table: &Table) -> Vec<(UnitId, Option<UnitId>)> {
        pairs(table, &self.iter().collect::<Vec<_>>())
    }
}
