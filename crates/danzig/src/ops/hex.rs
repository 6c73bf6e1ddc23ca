//! The grid of the operational map (map plan, A1): 50 columns of 36 flat-topped hexes, even columns
//! half a hex higher. The top of the map is east, its left is north.

use std::fmt;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Unexpected};
use serde::{Deserialize, Serialize, Serializer};

/// Columns of the map.
pub const COLUMNS: u16 = 50;
/// Rows of the map.
pub const ROWS: u16 = 36;
/// Hexes of the map.
pub const HEXES: usize = 1800;

/// A hexside of a hex, and so the way a unit faces or moves. Named after the compass: east is up.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Heading {
    /// Up.
    #[default]
    East,
    /// Up and right.
    SouthEast,
    /// Down and right.
    SouthWest,
    /// Down.
    West,
    /// Down and left.
    NorthWest,
    /// Up and left.
    NorthEast,
}

impl Heading {
    /// All six, clockwise from the top.
    pub const ALL: [Self; 6] =
        [Self::East, Self::SouthEast, Self::SouthWest, Self::West, Self::NorthWest, Self::NorthEast];

    /// Turned clockwise by so many sixths of a circle.
    #[must_use]
    pub const fn turned(self, sixths: u8) -> Self {
        Self::ALL[((self as u8 + sixths % 6) % 6) as usize]
    }

    /// The opposite way.
    #[must_use]
    pub const fn back(self) -> Self {
        self.turned(3)
    }

    /// Sixths of a circle between two headings, the short way: 0 to 3.
    #[must_use]
    pub const fn angle(self, other: Self) -> u8 {
        let turn = (self as u8 + 6 - other as u8) % 6;
        if turn > 3 { 6 - turn } else { turn }
    }
}

/// A hex of the map, as a small number. Printed and written as the map does: column, then row.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex(pub(crate) u16);

impl Hex {
    /// The hex of a column and a row, both counted from 1.
    #[must_use]
    pub const fn at(column: u16, row: u16) -> Option<Self> {
        if column >= 1 && column <= COLUMNS && row >= 1 && row <= ROWS {
            Some(Self((column - 1) * ROWS + row - 1))
        } else {
            None
        }
    }

    /// The hex at a place of the list of all hexes.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "the bound keeps the number within the grid")]
    pub const fn nth(place: usize) -> Option<Self> {
        if place < HEXES { Some(Self(place as u16)) } else { None }
    }

    /// A hex by its printed number; for numbers written in the code.
    #[must_use]
    pub(crate) const fn printed(number: u16) -> Self {
        match Self::at(number / 100, number % 100) {
            Some(hex) => hex,
            None => Self(0),
        }
    }

    /// Every hex, column by column.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COLUMNS * ROWS).map(Self)
    }

    /// Its place in the list of all hexes.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its column, from 1.
    #[must_use]
    pub const fn column(self) -> u16 {
        self.0 / ROWS + 1
    }

    /// Its row, from 1.
    #[must_use]
    pub const fn row(self) -> u16 {
        self.0 % ROWS + 1
    }

    /// The hex beyond a hexside, if the map goes on there.
    #[must_use]
    pub fn beyond(self, heading: Heading) -> Option<Self> {
        let next = NEIGHBOURS[self.index()][heading as usize];
        (next != NOWHERE).then_some(Self(next))
    }

    /// The hexes around it, each with the hexside that leads there.
    pub fn around(self) -> impl Iterator<Item = (Heading, Self)> {
        Heading::ALL.into_iter().filter_map(move |heading| Some((heading, self.beyond(heading)?)))
    }

    /// The hexside that leads to a neighbour.
    #[must_use]
    pub fn towards(self, neighbour: Self) -> Option<Heading> {
        Heading::ALL.into_iter().find(|&heading| NEIGHBOURS[self.index()][heading as usize] == neighbour.0)
    }

    /// Hexes from one to the other.
    #[must_use]
    pub const fn distance(self, other: Self) -> u16 {
        let across = self.column().abs_diff(other.column());
        let along = self.height().abs_diff(other.height());
        if along > across { across + (along - across) / 2 } else { across }
    }

    /// Twice the row, one more in an even column: heights that compare across columns.
    const fn height(self) -> u16 {
        2 * self.row() + (self.column() + 1) % 2
    }

    /// The three cube coordinates, which sum to nothing.
    pub(crate) const fn cube(self) -> [i32; 3] {
        let column = self.column() as i32;
        let height = self.height() as i32;
        // Two columns to the right along one axis raise the height by two halves.
        let r = (height - column - 1) / 2;
        [column, r, -column - r]
    }

    /// The hex with these cube coordinates.
    pub(crate) fn from_cube([column, r, _]: [i32; 3]) -> Option<Self> {
        let height = 2 * r + column + 1;
        let column = u16::try_from(column).ok()?;
        let row = u16::try_from((height - i32::from((column + 1) % 2)) / 2).ok()?;
        Self::at(column, row)
    }

    /// The hex centre on a drawing, in units of the distance between neighbours: right and up.
    #[must_use]
    pub fn centre(self) -> (f64, f64) {
        let half_root_three = 3.0_f64.sqrt() / 2.0;
        (f64::from(self.column()) * half_root_three, f64::from(self.height()) / 2.0)
    }
}

const NOWHERE: u16 = u16::MAX;

/// The six neighbours of every hex.
static NEIGHBOURS: [[u16; 6]; HEXES] = neighbours();

#[allow(clippy::cast_possible_truncation, reason = "fewer hexes than the number can hold")]
const fn neighbours() -> [[u16; 6]; HEXES] {
    let mut table = [[NOWHERE; 6]; HEXES];
    let mut index = 0;
    while index < HEXES {
        let hex = Hex(index as u16);
        let (column, row) = (hex.column(), hex.row());
        // In an odd column the right and left neighbours stand at this row and the one below.
        let upper = if column % 2 == 1 { row } else { row + 1 };
        let around = [
            (column, row + 1),
            (column + 1, upper),
            (column + 1, upper - 1),
            (column, row - 1),
            (column - 1, upper - 1),
            (column - 1, upper),
        ];
        let mut side = 0;
        while side < 6 {
            if let Some(next) = Hex::at(around[side].0, around[side].1) {
                table[index][side] = next.0;
            }
            side += 1;
        }
        index += 1;
    }
    table
}

impl fmt::Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.column(), self.row())
    }
}

impl fmt::Debug for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

impl FromStr for Hex {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text.len() != 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(());
        }
        let number: u16 = text.parse().map_err(|_| ())?;
        Self::at(number / 100, number % 100).ok_or(())
    }
}

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_u16(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "0101–5036";
        if deserializer.is_human_readable() {
            let text = String::deserialize(deserializer)?;
            text.parse().map_err(|()| de::Error::invalid_value(Unexpected::Str(&text), &EXPECTED))
        } else {
            let place = u16::deserialize(deserializer)?;
            Self::nth(usize::from(place))
                .ok_or_else(|| de::Error::invalid_value(Unexpected::Unsigned(u64::from(place)), &EXPECTED))
        }
    }
}

impl JsonSchema for Hex {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Hex".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]{4}$", "description": "0101–5036" })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_hex_is_written_as_it_is_printed() {
        assert_eq!("1606".parse::<Hex>().unwrap().to_string(), "1606");
        for none in ["0037", "5137", "é06"] {
            assert_eq!(none.parse::<Hex>(), Err(()), "{none}");
        }
        assert_eq!(serde_json::to_string(&Hex::printed(901)).unwrap(), "\"0901\"");
        let refused = serde_json::from_str::<Hex>("\"5101\"").unwrap_err().to_string();
        assert!(refused.contains("0101–5036"), "{refused}");
    }

    #[test]
    fn the_neighbours_of_an_odd_and_an_even_column() {
        let around =
            |number| Hex::printed(number).around().map(|(_, hex)| hex.to_string()).collect::<Vec<_>>();
        assert_eq!(around(1506), ["1507", "1606", "1605", "1505", "1405", "1406"]);
        assert_eq!(around(1606), ["1607", "1707", "1706", "1605", "1506", "1507"]);
        assert_eq!(around(101), ["0102", "0201"]);
    }

    proptest! {
        #[test]
        fn distance_is_a_metric_and_neighbours_are_one_apart(a in 0..HEXES, b in 0..HEXES, c in 0..HEXES) {
            let [a, b, c] = [a, b, c].map(|place| Hex::nth(place).unwrap());
            prop_assert_eq!(a.distance(b), b.distance(a));
            prop_assert!(a.distance(c) <= a.distance(b) + b.distance(c));
            prop_assert_eq!(Hex::from_cube(a.cube()), Some(a));
            let cube = a.cube().into_iter().zip(b.cube()).map(|(x, y)| (x - y).abs()).max().unwrap();
            prop_assert_eq!(i32::from(a.distance(b)), cube);
            for (heading, next) in a.around() {
                prop_assert_eq!(a.distance(next), 1);
                prop_assert_eq!(next.beyond(heading.back()), Some(a));
                prop_assert_eq!(a.towards(next), Some(heading));
            }
        }
    }
}
