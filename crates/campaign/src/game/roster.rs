//! Who there is: the leaders and units of the tables, each by a small number that keeps the order of its id,
//! and the numbers of the game page as named constants.

use std::fmt;
use std::sync::LazyLock;

use rulebook::tables::campaign as csv;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Unexpected};
use serde::{Deserialize, Serialize, Serializer};

use crate::map::HexId;
use crate::terms::{Arm, Army};

use super::roll::Numbered;

pub(crate) use csv::GameConstantsKey as Key;

/// The numbers of the game page: as they stand, and as movement points in halves.
static CONSTANTS: LazyLock<[(i32, i16); Key::ALL.len()]> = LazyLock::new(|| {
    let mut read = [(0, 0); Key::ALL.len()];
    for key in Key::ALL {
        let value = key.row().value;
        let points = kernel::MovementPoints::from_decimal(value.parse().unwrap_or_default());
        let halves = points.map_or(0, |points| i16::try_from(points.count()).unwrap_or(0));
        read[key as usize] = (value.parse().unwrap_or_default(), halves);
    }
    read
});

/// A number of the game page.
pub(crate) fn constant(key: Key) -> i32 {
    CONSTANTS[key as usize].0
}

/// Movement points of the game page, in halves.
pub(crate) fn halves(key: Key) -> i16 {
    CONSTANTS[key as usize].1
}

/// An army by the word of the tables.
pub(crate) fn army(word: &str) -> Army {
    if word == "french" { Army::French } else { Army::AustroRussian }
}

/// The place of an army in lists.
pub(crate) const fn place(army: Army) -> usize {
    army as usize
}

/// The other army.
pub(crate) const fn enemy(army: Army) -> Army {
    match army {
        Army::French => Army::AustroRussian,
        Army::AustroRussian => Army::French,
    }
}

static LEADERS: LazyLock<Vec<&'static csv::GameLeaders>> = LazyLock::new(|| {
    let mut rows: Vec<_> = csv::GAME_LEADERS.iter().collect();
    rows.sort_by_key(|row| row.id);
    rows
});

/// The units with their names, by id.
static UNITS: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let setup = csv::GAME_SETUP.iter().map(|row| (row.unit, row.name_en));
    let entering = csv::GAME_REINFORCEMENTS.iter().map(|row| (row.unit, row.name_en));
    let mut names: Vec<_> = setup.chain(entering).collect();
    names.sort_unstable();
    names.dedup_by_key(|(id, _)| *id);
    names
});

/// A leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeaderId(u8);

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(u8);

impl Numbered for LeaderId {
    fn place(self) -> usize {
        usize::from(self.0)
    }
}

impl Numbered for UnitId {
    fn place(self) -> usize {
        usize::from(self.0)
    }
}

impl LeaderId {
    /// The leader of this id.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        LEADERS.binary_search_by_key(&id, |row| row.id).ok().and_then(|at| u8::try_from(at).ok()).map(Self)
    }

    /// All leaders there are.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).take(LEADERS.len()).map(Self)
    }

    fn row(self) -> &'static csv::GameLeaders {
        LEADERS.get(usize::from(self.0)).copied().unwrap_or(&csv::GAME_LEADERS[0])
    }

    /// His id.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.row().id
    }

    /// His name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name_en
    }

    /// His number, for lists.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// His army.
    #[must_use]
    pub fn army(self) -> Army {
        army(self.row().side)
    }

    /// His rank: the lower the higher.
    #[must_use]
    pub fn rank(self) -> i32 {
        self.row().rank_order
    }

    /// His initiative.
    #[must_use]
    pub fn initiative(self) -> i32 {
        self.row().initiative
    }

    /// His bonus.
    #[must_use]
    pub fn bonus(self) -> i32 {
        self.row().bonus
    }

    /// His span, in half points.
    #[must_use]
    pub fn span(self) -> i32 {
        self.row().command_span * 2
    }

    /// What he takes of his superior's span, in half points.
    #[must_use]
    pub fn subordination(self) -> i32 {
        self.row().subordination * 2
    }

    /// Whether he commands his army.
    #[must_use]
    pub fn commands_army(self) -> bool {
        self.rank() == 0
    }

    /// Rank, initiative, id: the first of several commands.
    #[must_use]
    pub fn seniority(self) -> (i32, i32, Self) {
        (self.rank(), -self.initiative(), self)
    }
}

impl UnitId {
    /// All units there are.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        (0..=u8::MAX).take(UNITS.len()).map(Self)
    }

    /// The unit of this id.
    #[must_use]
    pub fn named(id: &str) -> Option<Self> {
        UNITS.binary_search_by_key(&id, |(name, _)| name).ok().and_then(|at| u8::try_from(at).ok()).map(Self)
    }

    /// Its id.
    #[must_use]
    pub fn id(self) -> &'static str {
        UNITS.get(usize::from(self.0)).map_or("", |(id, _)| id)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        UNITS.get(usize::from(self.0)).map_or("", |(_, name)| name)
    }

    /// Its number, for lists.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }
}

macro_rules! by_name {
    ($type:ident, $expected:literal) => {
        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.id())
            }
        }

        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.id())
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::named(&text).ok_or_else(|| de::Error::invalid_value(Unexpected::Str(&text), &$expected))
            }
        }

        impl JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "description": $expected })
            }
        }
    };
}

by_name!(LeaderId, "the id of a leader");
by_name!(UnitId, "the id of a unit");

/// An arm by the word of the tables.
pub(crate) fn arm(word: &str) -> Arm {
    match word {
        "cavalry" => Arm::Cavalry,
        "artillery" => Arm::Artillery,
        _ => Arm::Infantry,
    }
}

/// A hex of the tables; every one of them is on the map, which a test holds them to.
pub(crate) fn hex(text: &str) -> HexId {
    HexId::read(text).unwrap_or(HexId { column: 1, row: 1 })
}
