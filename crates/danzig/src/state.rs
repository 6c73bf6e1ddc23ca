//! What is on the table. `Table` is what the rules of both maps read and change; `State` adds where
//! the turn stands. The siege part belongs to [`siege`](crate::siege), the operational part to
//! [`ops`](crate::ops).

use serde::{Deserialize, Serialize};

pub use rulebook::options::danzig::Options;

use crate::ops::{Hex, OpsMap};
use crate::siege::{SiegeMap, WallId};
use crate::unit::{Marks, Place, Side, UNITS, UnitId, UnitState};

/// Everything the rules of the two maps read and change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// The options of this game.
    pub options: Options,
    /// Turn 1 to 15; 0 during set-up.
    pub turn: u8,
    /// All counters.
    #[serde(with = "many")]
    pub units: [UnitState; UNITS],
    /// The operational map.
    pub ops: OpsMap,
    /// The siege map.
    pub siege: SiegeMap,
    /// The city and the stores.
    pub danzig: Danzig,
    /// Decisions the rules have left to a player, to be taken before anything else goes on. The
    /// last one is taken first.
    pub owed: Vec<Owed>,
}

/// The morale track, the stores and the once-only events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Danzig {
    /// Morale of the city.
    pub morale: u8,
    /// Repairs of Prussian batteries left.
    pub repair_pool: u8,
    /// French 12-pounder ammunition.
    pub ammunition_12: u16,
    /// French 24-pounder ammunition.
    pub ammunition_24: u16,
    /// Construction points left in this step.
    pub construction: u8,
    /// The first trench has been opened.
    pub siege_works_begun: bool,
    /// The concentration area has been entered.
    pub concentration_entered: bool,
    /// No sortie is possible any more.
    pub sorties_over: bool,
    /// Kamenski's bonus has been given.
    pub relief_done: bool,
    /// Benningsen has moved.
    pub benningsen_done: bool,
    /// A wall point has been at level 0.
    pub first_zero_done: bool,
    /// The French have been on the second wall.
    pub second_line_done: bool,
    /// The mine has been dug.
    pub mine_used: bool,
    /// Benningsen's army holds Lannes back for one round.
    pub lannes_delayed: bool,
}

/// A decision that a result of the rules leaves to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Owed {
    /// The owner takes this many steps from his units in a place; there is more than one way.
    Losses {
        /// Whose units.
        side: Side,
        /// Where they stand.
        place: Place,
        /// Steps still to be taken.
        steps: u8,
    },
    /// A Prussian battery has lost its wall point and must go to another.
    Battery(UnitId),
    /// More than two French steps stand on a won wall point.
    Excess(WallId),
    /// The Prussian chooses who stays after a counter-attack.
    Occupier {
        /// The point that was attacked.
        target: WallId,
        /// The place the attackers stand on.
        from: Place,
        /// Whether the point was won.
        won: bool,
    },
}

impl Table {
    /// A counter.
    #[must_use]
    pub fn unit(&self, unit: UnitId) -> &UnitState {
        &self.units[unit.index()]
    }

    /// A counter, to be changed.
    pub fn unit_mut(&mut self, unit: UnitId) -> &mut UnitState {
        &mut self.units[unit.index()]
    }

    /// The counters of a side in a place, in order.
    pub fn at(&self, side: Side, place: Place) -> impl Iterator<Item = UnitId> + '_ {
        UnitId::of_side(side).filter(move |unit| self.unit(*unit).place == place)
    }

    /// The counters of a side on a hex, in order.
    pub fn on_hex(&self, side: Side, hex: Hex) -> impl Iterator<Item = UnitId> + '_ {
        self.at(side, Place::Hex(hex))
    }

    /// Whether a counter carries these marks.
    #[must_use]
    pub fn marked(&self, unit: UnitId, marks: Marks) -> bool {
        self.unit(unit).marks.has(marks)
    }
}

/// Arrays longer than serde knows, as sequences.
pub(crate) mod many {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer, const N: usize>(
        array: &[T; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(array)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[T; N], D::Error> {
        let list = Vec::<T>::deserialize(deserializer)?;
        let found = list.len();
        list.try_into().map_err(|_| D::Error::custom(format!("{found} elements where {N} are expected")))
    }
}
