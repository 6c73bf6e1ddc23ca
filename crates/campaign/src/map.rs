//! The map of 1805: 39 columns by 54 rows of hexes with their ground, roads, rivers, bridges and
//! towns, built once from `maps/campaign-1805` and checked.

use std::fmt;
use std::sync::LazyLock;

use rulebook::tables::campaign_1805 as csv;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Unexpected};
use serde::{Deserialize, Serialize, Serializer};

use crate::tables;
use crate::terms::{Army, Ground, Hex, Road, Side};

/// Columns of the map.
pub const COLUMNS: u8 = 39;
/// Rows of the map.
pub const ROWS: u8 = 54;

/// Hexes of the map.
pub const HEXES: usize = COLUMNS as usize * ROWS as usize;

/// A set of hexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexSet([u64; HEXES.div_ceil(64)]);

impl HexSet {
    /// No hex.
    pub const EMPTY: Self = Self([0; HEXES.div_ceil(64)]);

    /// Whether a hex is in it.
    #[must_use]
    pub const fn has(&self, hex: HexId) -> bool {
        let place = hex.place();
        self.0[place / 64] >> (place % 64) & 1 == 1
    }

    /// Puts a hex into it.
    pub const fn insert(&mut self, hex: HexId) {
        self.insert_at(hex.place());
    }

    /// Puts the hex at a place of the list of cells into it.
    pub(crate) const fn insert_at(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    /// The places of its hexes in the list of cells, in order.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().enumerate().flat_map(|(word, bits)| {
            let left = |bits: u64| (bits != 0).then_some(bits);
            std::iter::successors(left(bits), move |bits| left(bits & (bits - 1)))
                .map(move |bits| word * 64 + bits.trailing_zeros() as usize)
        })
    }

    /// What is in either.
    #[must_use]
    pub(crate) fn and(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
        self
    }

    /// What is in this one alone.
    #[must_use]
    pub(crate) fn without(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(other.0).for_each(|(word, less)| *word &= !less);
        self
    }
}

/// The hex at every place of the list of cells.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a map has fewer columns and rows than a byte counts, and fewer hexes than two"
)]
static PLACES: [HexId; HEXES] = {
    let mut places = [HexId { column: 1, row: 1 }; HEXES];
    let mut place = 0;
    while place < HEXES {
        let (column, row) = (place / ROWS as usize, place % ROWS as usize);
        places[place] = HexId { column: column as u8 + 1, row: row as u8 + 1 };
        place += 1;
    }
    places
};

/// The places of the neighbours of every hex, or [`HEXES`] off the map.
#[expect(
    clippy::cast_possible_truncation,
    reason = "a map has fewer columns and rows than a byte counts, and fewer hexes than two"
)]
pub(crate) static NEIGHBOURS: [[u16; 6]; HEXES] = {
    let mut neighbours = [[HEXES as u16; 6]; HEXES];
    let mut place = 0;
    while place < HEXES {
        let mut direction = 0;
        while direction < 6 {
            if let Some(next) = PLACES[place].neighbour(direction) {
                neighbours[place][direction] = next.place() as u16;
            }
            direction += 1;
        }
        place += 1;
    }
    neighbours
};

impl FromIterator<HexId> for HexSet {
    fn from_iter<I: IntoIterator<Item = HexId>>(hexes: I) -> Self {
        let mut set = Self::EMPTY;
        for hex in hexes {
            set.insert(hex);
        }
        set
    }
}

/// The number of a hex: column and row, `CCRR`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HexId {
    /// The column, from 1.
    pub column: u8,
    /// The row, from 1.
    pub row: u8,
}

impl HexId {
    /// The hex with this column and row, if it is on the map.
    #[must_use]
    pub fn new(column: i32, row: i32) -> Option<Self> {
        let column = u8::try_from(column).ok().filter(|column| (1..=COLUMNS).contains(column))?;
        let row = u8::try_from(row).ok().filter(|row| (1..=ROWS).contains(row))?;
        Some(Self { column, row })
    }

    /// Reads `CCRR`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text.len() != 4 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        Self::new(text[..2].parse().ok()?, text[2..].parse().ok()?)
    }

    /// What people call it: its name with its number, or its number.
    #[must_use]
    pub fn called(self) -> String {
        map().cell(self).name.map_or_else(|| self.to_string(), |name| format!("{name} {self}"))
    }

    /// Its place in the list of cells.
    #[must_use]
    pub const fn place(self) -> usize {
        (self.column as usize - 1) * ROWS as usize + self.row as usize - 1
    }

    /// The hex at a place of the list of cells.
    #[must_use]
    pub fn placed(place: usize) -> Option<Self> {
        PLACES.get(place).copied()
    }

    /// The neighbour in a direction: 0 is the top, then clockwise.
    #[must_use]
    pub const fn neighbour(self, direction: usize) -> Option<Self> {
        // Even columns stand half a hex lower.
        let low = (self.column + 1) % 2;
        let (column, row) = match direction {
            0 => (self.column, self.row - 1),
            1 => (self.column + 1, self.row + low - 1),
            2 => (self.column + 1, self.row + low),
            3 => (self.column, self.row + 1),
            4 => (self.column - 1, self.row + low),
            _ => (self.column - 1, self.row + low - 1),
        };
        if column == 0 || row == 0 || column > COLUMNS || row > ROWS {
            return None;
        }
        Some(Self { column, row })
    }

    /// The direction of an adjacent hex.
    #[must_use]
    pub fn towards(self, other: Self) -> Option<usize> {
        if self.column.abs_diff(other.column) > 1 || self.row.abs_diff(other.row) > 1 {
            return None;
        }
        (0..6).find(|&direction| self.neighbour(direction) == Some(other))
    }
}

impl fmt::Display for HexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}{:02}", self.column, self.row)
    }
}

impl Serialize for HexId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HexId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::read(&text)
            .ok_or_else(|| de::Error::invalid_value(Unexpected::Str(&text), &"CCRR, 0101 … 3954"))
    }
}

impl JsonSchema for HexId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "HexNumber".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": "^[0-9]{4}$" })
    }
}

/// A hex of the map.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// Its number.
    pub id: HexId,
    /// What it is on the terrain chart: its settlement, else its ground.
    pub hex: Hex,
    /// Its ground.
    pub ground: Ground,
    /// Its name.
    pub name: Option<&'static str>,
    /// The road in each direction.
    pub roads: [Road; 6],
    /// The hexside in each direction.
    pub sides: [Side; 6],
    /// Whether it is in play.
    pub in_play: bool,
}

/// The map.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    cells: Vec<Cell>,
}

static MAP: LazyLock<Map> = LazyLock::new(Map::read);

/// The supply sources, the French first.
static SOURCES: LazyLock<[Vec<HexId>; 2]> = LazyLock::new(|| {
    [Army::French, Army::AustroRussian]
        .map(|army| tables::communications(army).sources.iter().filter_map(|hex| HexId::read(hex)).collect())
});

/// The map of the 1805 campaign.
#[must_use]
pub fn map() -> &'static Map {
    &MAP
}

/// The road classes of the data.
fn road_class(class: &str) -> Road {
    match class {
        "primary" => Road::Primary,
        "secondary" => Road::Secondary,
        _ => Road::None,
    }
}

/// The hexes of a road, in order.
fn road_hexes(hexes: &str) -> Vec<HexId> {
    hexes.split(' ').filter_map(HexId::read).collect()
}

impl Map {
    fn read() -> Self {
        let mut cells: Vec<Cell> = (1..=COLUMNS)
            .flat_map(|column| (1..=ROWS).map(move |row| HexId { column, row }))
            .map(|id| Cell {
                id,
                hex: Hex::Clear,
                ground: Ground::Clear,
                name: None,
                roads: [Road::None; 6],
                sides: [Side::None; 6],
                in_play: true,
            })
            .collect();
        for row in &csv::HEXES {
            let Some(cell) = HexId::read(row.hex).and_then(|id| cells.get_mut(id.place())) else { continue };
            cell.ground = match row.terrain {
                "forest" => Ground::Forest,
                "hill" => Ground::Hill,
                "wooded_hill" => Ground::WoodedHill,
                _ => Ground::Clear,
            };
            cell.hex = tables::hex_named(row.settlement).unwrap_or(cell.ground.hex());
            cell.name = row.name;
        }
        for row in &csv::OUT_OF_PLAY {
            if let Some(cell) = HexId::read(row.hex).and_then(|id| cells.get_mut(id.place())) {
                cell.in_play = false;
            }
        }
        for row in &csv::RIVERS {
            let side = match (row.class, row.bridge) {
                ("lake", _) => Side::Lake,
                ("primary", "") => Side::PrimaryRiver,
                ("primary", _) => Side::PrimaryBridge,
                (_, "") => Side::SecondaryRiver,
                (_, _) => Side::SecondaryBridge,
            };
            each_way(row.hex_a, row.hex_b, |from, direction| {
                if let Some(cell) = cells.get_mut(from.place()) {
                    cell.sides[direction] = side;
                }
            });
        }
        for row in &csv::ROADS {
            let class = road_class(row.class);
            for pair in road_hexes(row.hexes).windows(2) {
                for (from, to) in [(pair[0], pair[1]), (pair[1], pair[0])] {
                    if let Some(direction) = from.towards(to)
                        && let Some(cell) = cells.get_mut(from.place())
                        && cell.roads[direction] != Road::Primary
                    {
                        cell.roads[direction] = class;
                    }
                }
            }
        }
        Self { cells }
    }

    /// Every hex, column by column.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// A hex. Numbers are checked when they are made, so there always is one.
    #[must_use]
    pub fn cell(&self, id: HexId) -> &Cell {
        &self.cells[id.place().min(self.cells.len() - 1)]
    }

    /// The supply sources of an army.
    #[must_use]
    pub fn sources(&self, army: Army) -> &'static [HexId] {
        &SOURCES[usize::from(army == Army::AustroRussian)]
    }

    /// What is wrong with the data, in the words of whoever edits it; nothing, one hopes.
    #[must_use]
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        check_hexes(&mut faults);
        check_roads(&mut faults);
        self.check_rivers(&mut faults);
        self.check_towns(&mut faults);
        for army in [Army::French, Army::AustroRussian] {
            for &source in self.sources(army) {
                if !self.cell(source).roads.contains(&Road::Primary) {
                    faults.push(format!("the supply source {source} stands on no primary road"));
                }
            }
        }
        faults
    }

    fn check_rivers(&self, faults: &mut Vec<String>) {
        for row in &csv::RIVERS {
            let name = format!("{} {}/{}", row.river, row.hex_a, row.hex_b);
            let ends = HexId::read(row.hex_a).zip(HexId::read(row.hex_b));
            let Some((from, to)) = ends else {
                faults.push(format!("{name}: a hex is not on the map"));
                continue;
            };
            let Some(direction) = from.towards(to) else {
                faults.push(format!("{name}: the hexes are not adjacent"));
                continue;
            };
            let road = self.cell(from).roads[direction];
            if road != road_class(row.road_class) {
                faults.push(format!("{name}: the road over it is not the one named"));
            }
            if (road == Road::None) == row.bridge.ends_with("bridge") {
                faults.push(format!("{name}: a road over a river is a bridge, and a bridge has a road"));
            }
        }
    }

    fn check_towns(&self, faults: &mut Vec<String>) {
        for row in csv::TOWNS.iter().filter(|row| row.hex != "off") {
            let Some(id) = HexId::read(row.hex) else {
                faults.push(format!("{}: {} is not on the map", row.name_1805, row.hex));
                continue;
            };
            let cell = self.cell(id);
            let settled = tables::hex_named(row.kind)
                .filter(|hex| matches!(hex, Hex::Town | Hex::Depot | Hex::Citadel));
            if settled.is_some_and(|hex| hex != cell.hex)
                || (settled.is_none() && cell.hex != cell.ground.hex())
            {
                faults.push(format!("{} is a {} but the hex is not", row.name_1805, row.kind));
            }
            if settled.is_some() && cell.name != Some(row.name_1805) {
                faults.push(format!("{} has another name on the hex", row.name_1805));
            }
        }
    }
}

fn each_way(a: &str, b: &str, mut set: impl FnMut(HexId, usize)) {
    let (Some(a), Some(b)) = (HexId::read(a), HexId::read(b)) else { return };
    if let (Some(there), Some(back)) = (a.towards(b), b.towards(a)) {
        set(a, there);
        set(b, back);
    }
}

fn check_hexes(faults: &mut Vec<String>) {
    let expected = usize::from(COLUMNS) * usize::from(ROWS);
    let mut seen = vec![false; expected];
    for row in &csv::HEXES {
        match HexId::read(row.hex) {
            None => faults.push(format!("{} is not on the map", row.hex)),
            Some(id) if seen[id.place()] => faults.push(format!("{id} stands twice")),
            Some(id) => {
                seen[id.place()] = true;
                check_place(id, row, faults);
            }
        }
    }
    if seen.contains(&false) {
        faults.push("a hex is missing".to_owned());
    }
}

/// The geography agrees with the number: the formula of the scenario, within a hundredth of a degree.
fn check_place(id: HexId, row: &csv::Hexes, faults: &mut Vec<String>) {
    let column = f64::from(id.column) - 20.0;
    let rows = f64::from(id.row) + if id.column.is_multiple_of(2) { 0.5 } else { 0.0 } - 27.0;
    let latitude = 49.0440 - 0.010_395 * column - 0.026_339 * rows;
    let longitude = 16.6046 + 0.034_696 * column - 0.018_258 * rows;
    let far = |text: &str, value: f64| text.parse::<f64>().map_or(true, |found| (found - value).abs() > 0.01);
    if far(row.lat, latitude) || far(row.lon, longitude) {
        faults.push(format!("{id} lies elsewhere than its latitude and longitude say"));
    }
}

fn check_roads(faults: &mut Vec<String>) {
    for row in &csv::ROADS {
        let hexes = road_hexes(row.hexes);
        if hexes.len() != row.hexes.split(' ').count() {
            faults.push(format!("{}: a hex is not on the map", row.road));
        }
        for pair in hexes.windows(2) {
            if pair[0].towards(pair[1]).is_none() {
                faults.push(format!("{}: {} and {} are not adjacent", row.road, pair[0], pair[1]));
            }
        }
        for end in [hexes.first(), hexes.last()].into_iter().flatten() {
            let at_edge = (0..6).any(|direction| end.neighbour(direction).is_none());
            let at_place = csv::TOWNS.iter().any(|town| HexId::read(town.hex) == Some(*end));
            let at_road = csv::ROADS
                .iter()
                .any(|other| other.road != row.road && road_hexes(other.hexes).contains(end));
            if !at_edge && !at_place && !at_road {
                faults.push(format!("{}: it ends in {end}, where nothing is", row.road));
            }
        }
    }
}
