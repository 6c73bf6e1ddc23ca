//! The operational map itself (3.1, 3.7, 3.8 and the map plan, A2 to A10): terrain, levels,
//! hexsides, roads, gates, the shaded zone and its rings, stars, redoubts and entries. Made once
//! from the tables; nothing enters, a [`Map`] leaves.

use std::sync::LazyLock;

use rulebook::tables::danzig::{MAP_OPERATIONAL_HEXES, MAP_OPERATIONAL_HEXSIDES, MAP_OPERATIONAL_ROADS};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::hex::{HEXES, Heading, Hex};
use super::sight;

/// What covers a hex.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Terrain {
    /// Open ground.
    Clear,
    /// Wood.
    Forest,
    /// Cultivated ground.
    Difficult,
    /// Marsh.
    Marsh,
    /// Village.
    Village,
    /// Inside the walls of Danzig.
    City,
    /// Inside the entrenched camp.
    Camp,
    /// Inside fort Weichselmünde.
    Fort,
    /// The bay.
    #[default]
    Sea,
}

impl Terrain {
    fn of(word: &str) -> Self {
        match word {
            "clear" => Self::Clear,
            "forest" => Self::Forest,
            "difficult" => Self::Difficult,
            "marsh" => Self::Marsh,
            "village" => Self::Village,
            "danzig" => Self::City,
            "camp" => Self::Camp,
            "fort" => Self::Fort,
            _ => Self::Sea,
        }
    }

    /// Whether it is a fortified place: city, fort or camp.
    #[must_use]
    pub const fn is_fortress(self) -> bool {
        matches!(self, Self::City | Self::Fort | Self::Camp)
    }

    /// Whether houses, trees or walls hide what lies behind.
    #[must_use]
    pub const fn hides(self) -> bool {
        matches!(self, Self::Forest | Self::Village | Self::City | Self::Fort)
    }

    /// Whether infantry and cavalry must adapt their order to it.
    #[must_use]
    pub const fn adapts(self) -> bool {
        matches!(self, Self::Forest | Self::Village)
    }
}

/// What lies on a hexside, seen from the hex it is crossed from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge(u16);

impl Edge {
    const VISTULA: u16 = 1;
    const STREAM: u16 = 2;
    const UP: u16 = 4;
    const DOWN: u16 = 8;
    const WALL: u16 = 16;
    const GATE: u16 = 32;
    const CAMP: u16 = 64;
    const FERRY: u16 = 128;
    const ROAD: u16 = 256;
    const TRACK: u16 = 512;

    /// A hexside as plain facts: a slope that rises, a stream, the rampart of the camp.
    #[must_use]
    pub const fn made(up: bool, stream: bool, camp: bool) -> Self {
        let mut bits = 0;
        if up {
            bits |= Self::UP;
        }
        if stream {
            bits |= Self::STREAM;
        }
        if camp {
            bits |= Self::CAMP;
        }
        Self(bits)
    }

    const fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    /// The river.
    #[must_use]
    pub const fn vistula(self) -> bool {
        self.has(Self::VISTULA)
    }
    /// A stream.
    #[must_use]
    pub const fn stream(self) -> bool {
        self.has(Self::STREAM)
    }
    /// A slope that rises this way.
    #[must_use]
    pub const fn up(self) -> bool {
        self.has(Self::UP)
    }
    /// A slope that falls this way.
    #[must_use]
    pub const fn down(self) -> bool {
        self.has(Self::DOWN)
    }
    /// A wall of the city or the fort.
    #[must_use]
    pub const fn wall(self) -> bool {
        self.has(Self::WALL)
    }
    /// A gate in such a wall.
    #[must_use]
    pub const fn gate(self) -> bool {
        self.has(Self::GATE)
    }
    /// The rampart of the entrenched camp.
    #[must_use]
    pub const fn camp(self) -> bool {
        self.has(Self::CAMP)
    }
    /// The ferry.
    #[must_use]
    pub const fn ferry(self) -> bool {
        self.has(Self::FERRY)
    }
    /// A road crosses it.
    #[must_use]
    pub const fn road(self) -> bool {
        self.has(Self::ROAD)
    }
    /// A road or a track crosses it.
    #[must_use]
    pub const fn way(self) -> bool {
        self.has(Self::ROAD | Self::TRACK)
    }
    /// Nothing at all.
    #[must_use]
    pub const fn plain(self) -> bool {
        self.0 == 0
    }
}

/// A gate of the city or of the fort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Gate {
    /// The Oliva gate.
    Oliva,
    /// The Jakob gate.
    Jakob,
    /// The Schidlitz gate.
    Schidlitz,
    /// The Petershagen gate, on the road to Alt-Schottland.
    Petershagen,
    /// The Langgarten gate, on the track to the ferry.
    Langgarten,
    /// The fort's gate on the right bank.
    Weichselmuende,
    /// The fort's gate on the left bank.
    Neufahrwasser,
}

impl Gate {
    /// The five gates of the city.
    pub const CITY: [Self; 5] =
        [Self::Oliva, Self::Jakob, Self::Schidlitz, Self::Petershagen, Self::Langgarten];
    /// The two gates of the fort.
    pub const FORT: [Self; 2] = [Self::Weichselmuende, Self::Neufahrwasser];

    fn of(name: &str) -> Option<Self> {
        Some(match name {
            "Oliva" => Self::Oliva,
            "Jakob" => Self::Jakob,
            "Schidlitz" => Self::Schidlitz,
            "Petershagen" => Self::Petershagen,
            "Langgarten" => Self::Langgarten,
            "Weichselmuende" => Self::Weichselmuende,
            "Neufahrwasser" => Self::Neufahrwasser,
            _ => return None,
        })
    }

    /// The hex inside and the hex outside.
    #[must_use]
    pub fn hexes(self) -> (Hex, Hex) {
        map().gates[self as usize]
    }
}

/// Where a hex lies with regard to the guns of the fortress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exposure {
    /// Out of their reach.
    #[default]
    None,
    /// In the shaded zone.
    Shaded,
    /// So many hexes outside it: 1 to 3.
    Ring(u8),
}

/// Whether the walls see a hex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WallSight {
    /// From nowhere.
    #[default]
    Never,
    /// From a wall point on the same height, unless units stand between.
    OverUnits,
    /// From a wall point on another height.
    Always,
}

/// One hex of the map.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// What covers it.
    pub terrain: Terrain,
    /// Its level, 0 to 2.
    pub level: u8,
    /// Its six hexsides.
    pub edges: [Edge; 6],
    /// Under the siege map, outside the walls.
    pub siege_map: bool,
    /// One of the four hexes that lead to the concentration area.
    pub red_arrow: bool,
    /// The place of its blue star among [`Map::stars`].
    pub star: Option<u8>,
    /// The place of its redoubt among [`Map::redoubts`].
    pub redoubt: Option<u8>,
    /// The Vistula touches it.
    pub riverside: bool,
    /// It is shaded by the city or the fort; the second, by the camp.
    shaded: [bool; 2],
    /// Exposure while the camp is held by the French, and while it is not.
    exposure: [Exposure; 2],
    /// Sight from the walls in the same two cases.
    seen: [WallSight; 2],
}

/// The kind of a road.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A road.
    Road,
    /// A track.
    Track,
}

/// A road or track, hex by hex.
#[derive(Clone, Debug)]
pub struct Road {
    /// Its kind.
    pub kind: Way,
    /// Its name.
    pub name: &'static str,
    /// Its hexes in order.
    pub hexes: Vec<Hex>,
}

/// The operational map.
#[derive(Debug)]
pub struct Map {
    cells: Vec<Cell>,
    names: Vec<Option<&'static str>>,
    gates: [(Hex, Hex); 7],
    /// The blue stars, in the order of their numbers.
    pub stars: Vec<Hex>,
    /// The printed redoubts.
    pub redoubts: Vec<Hex>,
    /// The four hexes that lead to the concentration area.
    pub red_arrows: Vec<Hex>,
    /// The four western entries.
    pub west_entries: Vec<Hex>,
    /// The eastern entry, for Lannes.
    pub east_entry: Hex,
    /// The two ends of the ferry: left bank, right bank.
    pub ferry: (Hex, Hex),
    /// Both parts of the fort: right bank, left bank.
    pub fort: Vec<Hex>,
    /// The hexes of the camp.
    pub camp: Vec<Hex>,
    /// The roads and tracks.
    pub roads: Vec<Road>,
    /// Wall points: fortress hexes that have a neighbour outside.
    wall_points: Vec<Hex>,
    /// The hexes of the west edge, the French line of communication.
    pub west_edge: Vec<Hex>,
    /// Hexes touching the Vistula between the fort and the ferry landing, outside city, fort and camp.
    pub waterside: Vec<Hex>,
}

/// The map, made on first use.
#[must_use]
pub fn map() -> &'static Map {
    static MAP: LazyLock<Map> = LazyLock::new(Map::drawn);
    &MAP
}

impl Map {
    fn drawn() -> Self {
        let mut map = Self {
            cells: vec![Cell::default(); HEXES],
            names: vec![None; HEXES],
            gates: [(Hex::printed(101), Hex::printed(101)); 7],
            stars: Vec::new(),
            redoubts: Vec::new(),
            red_arrows: Vec::new(),
            west_entries: Vec::new(),
            east_entry: Hex::printed(2036),
            ferry: (Hex::printed(2727), Hex::printed(2627)),
            fort: Vec::new(),
            camp: Vec::new(),
            roads: Vec::new(),
            wall_points: Vec::new(),
            west_edge: Vec::new(),
            waterside: Vec::new(),
        };
        map.draw_hexes();
        map.draw_hexsides();
        map.draw_roads();
        map.find_places();
        map.find_exposure();
        map
    }

    fn draw_hexes(&mut self) {
        for row in &MAP_OPERATIONAL_HEXES {
            let Ok(hex) = row.hex.parse::<Hex>() else { continue };
            let cell = &mut self.cells[hex.index()];
            cell.terrain = Terrain::of(row.terrain);
            cell.level = u8::try_from(row.level).unwrap_or(0);
            cell.siege_map = row.siege_map.is_some();
            cell.shaded = [
                matches!(row.shaded, "city" | "fort" | "fort+camp"),
                matches!(row.shaded, "camp" | "fort+camp"),
            ];
            self.names[hex.index()] = row.name;
            if row.red_arrow.is_some() {
                cell.red_arrow = true;
                self.red_arrows.push(hex);
            }
            if row.star.is_some() {
                cell.star = u8::try_from(self.stars.len()).ok();
                self.stars.push(hex);
            }
            if row.redoubt.is_some() {
                cell.redoubt = u8::try_from(self.redoubts.len()).ok();
                self.redoubts.push(hex);
            }
            match row.entry {
                Some(entry) if entry.starts_with('W') => self.west_entries.push(hex),
                Some(entry) if entry.starts_with('E') => self.east_entry = hex,
                _ => {}
            }
        }
    }

    fn draw_hexsides(&mut self) {
        for row in &MAP_OPERATIONAL_HEXSIDES {
            let (Ok(a), Ok(b)) = (row.hex_a.parse::<Hex>(), row.hex_b.parse::<Hex>()) else { continue };
            let mut bits = 0;
            for feature in row.features.split('+') {
                bits |= match feature {
                    "vistula" => Edge::VISTULA,
                    "stream" => Edge::STREAM,
                    "wall" => Edge::WALL,
                    "camp" => Edge::CAMP,
                    "ferry" => {
                        self.ferry =
                            if self.cells[a.index()].terrain == Terrain::Village { (b, a) } else { (a, b) };
                        Edge::FERRY
                    }
                    _ => {
                        if let Some(gate) = feature.strip_prefix("gate:").and_then(Gate::of) {
                            let inside = self.cells[a.index()].terrain;
                            let ends =
                                if matches!(inside, Terrain::City | Terrain::Fort) { (a, b) } else { (b, a) };
                            self.gates[gate as usize] = ends;
                            Edge::GATE
                        } else {
                            0
                        }
                    }
                };
            }
            let rises_to_b = row.uphill_towards.and_then(|number| {
                let number = u16::try_from(number).ok()?;
                Some(Hex::at(number / 100, number % 100)? == b)
            });
            let slope = match rises_to_b {
                Some(true) => [Edge::UP, Edge::DOWN],
                Some(false) => [Edge::DOWN, Edge::UP],
                None => [0, 0],
            };
            self.add_edge(a, b, bits | slope[0]);
            self.add_edge(b, a, bits | slope[1]);
        }
    }

    fn add_edge(&mut self, from: Hex, to: Hex, bits: u16) {
        if let Some(heading) = from.towards(to) {
            self.cells[from.index()].edges[heading as usize].0 |= bits;
        }
    }

    fn draw_roads(&mut self) {
        for row in &MAP_OPERATIONAL_ROADS {
            let kind = if row.kind == "road" { Way::Road } else { Way::Track };
            let bit = if kind == Way::Road { Edge::ROAD } else { Edge::TRACK };
            let hexes: Vec<Hex> = row.hexes.split(' ').filter_map(|text| text.parse().ok()).collect();
            for pair in hexes.windows(2) {
                if let &[a, b] = pair {
                    self.add_edge(a, b, bit);
                    self.add_edge(b, a, bit);
                }
            }
            self.roads.push(Road { kind, name: row.name, hexes });
        }
    }

    fn find_places(&mut self) {
        for hex in Hex::all() {
            let terrain = self.cells[hex.index()].terrain;
            match terrain {
                Terrain::Fort => self.fort.push(hex),
                Terrain::Camp => self.camp.push(hex),
                _ => {}
            }
            if terrain.is_fortress()
                && hex.around().any(|(_, next)| self.cells[next.index()].terrain != terrain)
            {
                self.wall_points.push(hex);
            }
            if hex.row() == 1 && terrain != Terrain::Sea {
                self.west_edge.push(hex);
            }
            let riverside = self.cells[hex.index()].edges.iter().any(|edge| edge.vistula());
            self.cells[hex.index()].riverside = riverside;
            if riverside && (7..=26).contains(&hex.column()) && !terrain.is_fortress() {
                self.waterside.push(hex);
            }
        }
        self.fort.reverse();
    }

    fn find_exposure(&mut self) {
        for camp_counts in [false, true] {
            let shaded: Vec<Hex> = Hex::all()
                .filter(|hex| {
                    let [by_walls, by_camp] = self.cells[hex.index()].shaded;
                    by_walls || (camp_counts && by_camp)
                })
                .collect();
            for hex in Hex::all() {
                let terrain = self.cells[hex.index()].terrain;
                let near = shaded.iter().map(|zone| zone.distance(hex)).min();
                self.cells[hex.index()].exposure[usize::from(camp_counts)] = match near {
                    Some(0) => Exposure::Shaded,
                    _ if terrain == Terrain::Sea || terrain.is_fortress() => Exposure::None,
                    Some(far @ 1..=3) => Exposure::Ring(u8::try_from(far).unwrap_or(3)),
                    _ => Exposure::None,
                };
            }
            let points: Vec<Hex> = self.wall_points(camp_counts).collect();
            for hex in Hex::all() {
                if self.exposure(hex, camp_counts) == Exposure::None {
                    continue;
                }
                let mut seen = WallSight::Never;
                for &point in &points {
                    match sight::from_wall(self, point, hex) {
                        WallSight::Always => {
                            seen = WallSight::Always;
                            break;
                        }
                        WallSight::OverUnits => seen = WallSight::OverUnits,
                        WallSight::Never => {}
                    }
                }
                self.cells[hex.index()].seen[usize::from(camp_counts)] = seen;
            }
        }
    }

    /// A hex of the map.
    #[must_use]
    pub fn cell(&self, hex: Hex) -> &Cell {
        &self.cells[hex.index()]
    }

    /// What covers a hex.
    #[must_use]
    pub fn terrain(&self, hex: Hex) -> Terrain {
        self.cells[hex.index()].terrain
    }

    /// The hexside of a hex.
    #[must_use]
    pub fn edge(&self, hex: Hex, heading: Heading) -> Edge {
        self.cells[hex.index()].edges[heading as usize]
    }

    /// The name of a place, if it has one.
    #[must_use]
    pub fn name(&self, hex: Hex) -> Option<&'static str> {
        self.names[hex.index()]
    }

    /// Where a hex lies with regard to the fortress guns; the camp counts unless the French hold it.
    #[must_use]
    pub fn exposure(&self, hex: Hex, camp_counts: bool) -> Exposure {
        self.cells[hex.index()].exposure[usize::from(camp_counts)]
    }

    /// Whether the walls see a hex, units apart.
    #[must_use]
    pub fn wall_sight(&self, hex: Hex, camp_counts: bool) -> WallSight {
        self.cells[hex.index()].seen[usize::from(camp_counts)]
    }

    /// The wall points that count.
    pub fn wall_points(&self, camp_counts: bool) -> impl Iterator<Item = Hex> + '_ {
        self.wall_points.iter().copied().filter(move |&hex| camp_counts || self.terrain(hex) != Terrain::Camp)
    }

    /// Whether a hex is shaded by anything, the camp included.
    #[must_use]
    pub fn shaded(&self, hex: Hex) -> bool {
        self.exposure(hex, true) == Exposure::Shaded
    }
}
