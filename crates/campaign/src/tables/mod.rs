//! The charts of the book, read once from `rules/tables/campaign` into the types of this crate. Rule
//! code reads only these; no word of a table reaches it.

mod ground;

use std::sync::LazyLock;

use kernel::{Measure, MovementPoints, Shifted};
use rulebook::tables::campaign as csv;

use crate::terms::{Army, Game, Month, Party, Weather};
pub use ground::{
    HexRow, SideCost, SideLine, SideRow, hex, hex_named, leaving_zoc, primary_road, secondary_road, side,
};
pub use rulebook::tables::campaign::{
    AdminColumnsSupplySource as SupplySource, BridgesBridge, CavalryDifferentialSuperiorSide as Superior,
    UltimatumResult, ViennaMoraleCondition,
};

/// The line of the combat chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// Without terrain effect.
    Na,
    /// With terrain effect.
    A,
}

/// A result of the combat chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombatCell {
    /// The attacker's number.
    pub attacker: i32,
    /// The defender's number.
    pub defender: i32,
    /// Who lost.
    pub loser: Party,
}

impl Shifted for CombatCell {
    fn shifted(self) -> Self {
        Self { attacker: self.attacker + 1, defender: self.defender + 1, ..self }
    }
}

/// As the chart prints it.
impl From<CombatCell> for Measure {
    fn from(cell: CombatCell) -> Self {
        format!("{}/{}", cell.attacker, cell.defender).into()
    }
}

/// A level of the force ratio: 0 is 1-1, 1 is 3-2, n is n-1; -1 is 2-3, -n is 1-n.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(pub i32);

impl Level {
    /// The level as it is printed.
    #[must_use]
    pub fn printed(self) -> String {
        match self.0 {
            0 => "1-1".to_owned(),
            1 => "3-2".to_owned(),
            -1 => "2-3".to_owned(),
            above if above > 0 => format!("{above}-1"),
            below => format!("1-{}", below.unsigned_abs()),
        }
    }

    fn read(printed: &str) -> Option<Self> {
        (-20..=20).map(Self).find(|level| level.printed() == printed)
    }
}

impl Shifted for Level {
    fn shifted(self) -> Self {
        Self(self.0.shifted())
    }
}

impl From<Level> for Measure {
    fn from(level: Level) -> Self {
        level.printed().into()
    }
}

struct Crt {
    lines: [Vec<Level>; 2],
    cells: Vec<[Option<CombatCell>; 7]>,
}

static CRT: LazyLock<Crt> = LazyLock::new(|| {
    let line = |name: &str| {
        csv::COMBAT_RESULTS
            .iter()
            .find(|row| row.die == name)
            .map(|row| row.c.iter().filter_map(|ratio| Level::read(ratio)).collect())
            .unwrap_or_default()
    };
    let lines: [Vec<Level>; 2] = [line("NA"), line("A")];
    let cells = lines[0]
        .iter()
        .map(|level| {
            let mut column = [None; 7];
            for row in csv::COMBAT_RESULTS_LONG.iter().filter(|row| row.ratio_na == level.printed()) {
                if let Some(cell) = usize::try_from(row.die).ok().and_then(|die| column.get_mut(die)) {
                    let loser = match row.loser {
                        csv::CombatResultsLongLoser::Attacker => Party::Attacker,
                        csv::CombatResultsLongLoser::Defender => Party::Defender,
                    };
                    *cell = Some(CombatCell { attacker: row.attacker, defender: row.defender, loser });
                }
            }
            column
        })
        .collect();
    Crt { lines, cells }
});

/// The printed levels of a line, column by column.
#[must_use]
pub fn combat_line(line: Line) -> &'static [Level] {
    &CRT.lines[line as usize]
}

/// The combat chart: columns 1 to 11, dice 0 to 6; both are limited to the chart.
#[must_use]
pub fn combat(column: i32, die: i32) -> CombatCell {
    let column = usize::try_from(column - 1).unwrap_or(0);
    let die = usize::try_from(die).unwrap_or(0).min(6);
    CRT.cells.get(column).or_else(|| CRT.cells.last()).and_then(|cells| cells[die]).unwrap_or(CombatCell {
        attacker: 0,
        defender: 0,
        loser: Party::Attacker,
    })
}

/// Artillery losses; die and strength are limited to the chart.
#[must_use]
pub fn artillery(die: i32, strength: i32) -> i32 {
    let die = usize::try_from(die).unwrap_or(0).min(csv::ARTILLERY_FIRE.len() - 1);
    let row = &csv::ARTILLERY_FIRE[die];
    match strength {
        i32::MIN..=0 => 0,
        1 => row.art_1,
        2..=3 => row.art_2_3,
        4..=5 => row.art_4_5,
        6..=7 => row.art_6_7,
        8.. => row.art_8_plus,
    }
}

/// A column of the attrition chart: the army's administrative points, or forage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ApColumn {
    /// 11 or more.
    ElevenPlus,
    /// 7 to 10.
    SevenToTen,
    /// 4 to 6.
    FourToSix,
    /// 1 to 3.
    OneToThree,
    /// None.
    Zero,
}

impl ApColumn {
    /// The column that holds this many points.
    #[must_use]
    pub const fn of(points: i32) -> Self {
        match points {
            11.. => Self::ElevenPlus,
            7..=10 => Self::SevenToTen,
            4..=6 => Self::FourToSix,
            1..=3 => Self::OneToThree,
            _ => Self::Zero,
        }
    }

    /// As the heading prints it.
    #[must_use]
    pub const fn printed(self) -> &'static str {
        match self {
            Self::ElevenPlus => "11+",
            Self::SevenToTen => "7-10",
            Self::FourToSix => "4-6",
            Self::OneToThree => "1-3",
            Self::Zero => "0",
        }
    }
}

impl Shifted for ApColumn {
    fn shifted(self) -> Self {
        match self {
            Self::ElevenPlus => Self::SevenToTen,
            Self::SevenToTen => Self::FourToSix,
            Self::FourToSix => Self::OneToThree,
            Self::OneToThree => Self::Zero,
            Self::Zero => Self::ElevenPlus,
        }
    }
}

impl From<ApColumn> for Measure {
    fn from(column: ApColumn) -> Self {
        column.printed().into()
    }
}

/// The size bands of a column, each with its row, in ascending order.
static SIZES: LazyLock<[Vec<(i32, i32, i32)>; 5]> = LazyLock::new(|| {
    let bands = |pick: fn(&csv::MarchAttritionRows) -> Option<&'static str>| {
        csv::MARCH_ATTRITION_ROWS
            .iter()
            .filter_map(|row| {
                let (low, high) = pick(row)?.split_once('-')?;
                Some((low.parse().ok()?, high.parse().ok()?, row.row))
            })
            .collect()
    };
    [
        bands(|row| row.ap_11_plus),
        bands(|row| row.ap_7_10),
        bands(|row| row.ap_4_6),
        bands(|row| row.ap_1_3),
        bands(|row| row.ap_0),
    ]
});

/// The size bands of a column: lowest size, highest size, row.
#[must_use]
pub fn size_bands(column: ApColumn) -> &'static [(i32, i32, i32)] {
    &SIZES[column as usize]
}

/// The distance bands as the heading prints them.
#[must_use]
pub fn distance_bands() -> Vec<&'static str> {
    csv::MARCH_ATTRITION_COLUMNS.iter().map(|row| row.distance).collect()
}

/// The attrition row of a size, and whether the size lies beyond the printed bands.
#[must_use]
pub fn attrition_row(column: ApColumn, size: i32) -> (i32, bool) {
    let bands = &SIZES[column as usize];
    if let Some(&(_, _, row)) = bands.iter().find(|(low, high, _)| (*low..=*high).contains(&size)) {
        return (row, false);
    }
    let last = bands.last().map_or(11, |&(_, _, row)| row);
    ((last + 1).min(11), true)
}

/// The place of a march in the distance bands, and whether it lies beyond them.
#[must_use]
pub fn distance_band(march: MovementPoints) -> (usize, bool) {
    let hundredths = march.count() * 50;
    let bands = &csv::MARCH_ATTRITION_COLUMNS;
    bands
        .iter()
        .position(|row| (row.mp_min..=row.mp_max).contains(&hundredths))
        .map_or((bands.len() - 1, true), |band| (band, false))
}

/// The loss column of a distance band and a modified die.
#[must_use]
pub fn attrition_column(band: usize, die: i32) -> i32 {
    let row = &csv::MARCH_ATTRITION_COLUMNS[band.min(csv::MARCH_ATTRITION_COLUMNS.len() - 1)];
    match die {
        i32::MIN..=2 => row.die_0_2,
        3..=4 => row.die_3_4,
        5..=6 => row.die_5_6,
        7..=8 => row.die_7_8,
        9..=10 => row.die_9_10,
        11.. => row.die_11_plus,
    }
}

/// The loss at the crossing of row and column, both from 1 and limited to the chart.
#[must_use]
pub fn attrition_loss(row: i32, column: i32) -> i32 {
    let row = usize::try_from(row - 1).unwrap_or(0).min(csv::MARCH_ATTRITION_LOSSES.len() - 1);
    let column = usize::try_from(column - 1).unwrap_or(0).min(9);
    csv::MARCH_ATTRITION_LOSSES[row].col[column]
}

/// The place of an initiative in the four or five bands of the charts: 0-1, 2, 3, 4 (and 5).
fn initiative_band(initiative: i32) -> usize {
    usize::try_from(initiative - 1).unwrap_or(0)
}

/// The initiative matrix: restored, or as printed.
#[must_use]
pub fn initiative(active: i32, passive: i32, printed: bool) -> i32 {
    let (row, column) = (initiative_band(passive).min(4), initiative_band(active).min(4));
    if printed {
        return csv::INITIATIVE_MATRIX_PRINTED[row].active[column];
    }
    let row = &csv::INITIATIVE_MATRIX[row];
    column.checked_sub(1).map_or(row.active_0_1, |column| row.active[column])
}

/// The pursuit column of a commander and a retreat, as restored; `None` beyond the chart.
#[must_use]
pub fn pursuit_column(initiative: i32, retreat: i32) -> Option<i32> {
    let row = &csv::PURSUIT_ALIGNMENT[initiative_band(initiative).min(3)];
    match usize::try_from(retreat - 1) {
        Ok(place) => row.retreat.get(place).copied().unwrap_or(Some(row.retreat_8_plus)),
        Err(_) => None,
    }
}

/// The pursuit column as printed.
#[must_use]
pub fn pursuit_column_printed(initiative: i32, retreat: i32) -> Option<i32> {
    let row = &csv::PURSUIT_ALIGNMENT_PRINTED[initiative_band(initiative).min(3)];
    let wanted = if retreat >= 8 { "8+".to_owned() } else { retreat.to_string() };
    let place = row.col.iter().position(|cell| *cell == wanted)?;
    i32::try_from(place + 1).ok()
}

/// The advance of a pursuit column (1 to 9) and a modified die.
#[must_use]
pub fn pursuit_advance(column: i32, die: i32) -> i32 {
    let row = match die {
        i32::MIN..=0 => 0,
        1..=2 => 1,
        3..=4 => 2,
        5..=6 => 3,
        7.. => 4,
    };
    let column = usize::try_from(column - 1).unwrap_or(0);
    csv::PURSUIT_ADVANCE[row].col.get(column).copied().unwrap_or(0)
}

/// The cavalry differential: the modifier of the band the superior side stands in.
///
/// `more` and `less` are the cavalry of the stronger and of the weaker side.
#[must_use]
pub fn cavalry(superior: Superior, more: i64, less: i64) -> i32 {
    csv::CAVALRY_DIFFERENTIAL
        .iter()
        .filter(|row| row.superior_side == superior)
        .find(|row| {
            more * 100 >= i64::from(row.ratio_min) * less
                && row.ratio_max_excluded.is_none_or(|end| more * 100 < i64::from(end) * less)
        })
        .map_or(0, |row| row.modifier)
}

/// The cavalry bands: the superior side, the least ratio in hundredths, the modifier.
#[must_use]
pub fn cavalry_bands() -> Vec<(Superior, i32, i32)> {
    csv::CAVALRY_DIFFERENTIAL.iter().map(|row| (row.superior_side, row.ratio_min, row.modifier)).collect()
}

/// The weather of a month and a modified die, and its fog.
#[must_use]
pub fn weather(month: Month, die: i32) -> (Weather, bool) {
    let name = match month {
        Month::November => csv::WeatherMonth::November,
        Month::December => csv::WeatherMonth::December,
    };
    csv::WEATHER.iter().find(|row| row.month == name && row.modified_die == die).map_or(
        (Weather::Clear, false),
        |row| {
            let weather = match row.weather {
                csv::WeatherWeather::Frost => Weather::Frost,
                csv::WeatherWeather::Snow => Weather::Snow,
                csv::WeatherWeather::Mud => Weather::Mud,
                csv::WeatherWeather::Rain => Weather::Rain,
                csv::WeatherWeather::Clear => Weather::Clear,
            };
            (weather, row.fog_ruled)
        },
    )
}

/// The month of a turn of the calendar, for weather.
#[must_use]
pub fn month_of(turn: i32) -> Option<Month> {
    let row = csv::CALENDAR_1805.iter().find(|row| row.turn == turn)?;
    Some(if row.weather_month == "november" { Month::November } else { Month::December })
}

/// A result of the negotiation chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overture {
    /// A dot: refused for good.
    Refused,
    /// R/A: again next turn.
    Again,
    /// A star.
    Star,
    /// Negotiations for so many turns.
    Talks(i32),
}

/// The negotiation chart.
#[must_use]
pub fn negotiation(dice: i32, morale: i32) -> Overture {
    let place = usize::try_from(dice - 2).unwrap_or(0).min(csv::NEGOTIATION.len() - 1);
    let row = &csv::NEGOTIATION[place];
    let cell = match morale {
        i32::MIN..=-4 => row.vm_5_4,
        -3 => row.vm_3,
        -2 => row.vm_2,
        -1 => row.vm_1,
        0 => row.vm_0,
        1 => row.vm[0],
        2 => row.vm[1],
        3.. => row.vm[2],
    };
    match cell {
        "RA" => Overture::Again,
        "STAR" => Overture::Star,
        "N1" => Overture::Talks(1),
        "N2" => Overture::Talks(2),
        "N3" => Overture::Talks(3),
        _ => Overture::Refused,
    }
}

/// A column of the administrative chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AdminColumn {
    /// Far, reduced.
    FarMinus,
    /// Far.
    Far,
    /// Near.
    Near,
}

/// The column for a supply source and a distance; `None` beyond the bands.
#[must_use]
pub fn admin_column(source: SupplySource, distance: i32) -> Option<AdminColumn> {
    let row = csv::ADMIN_COLUMNS.iter().find(|row| {
        row.supply_source == source && (row.distance_min..=row.distance_max).contains(&distance)
    })?;
    Some(match row.column {
        csv::AdminColumnsColumn::Near => AdminColumn::Near,
        csv::AdminColumnsColumn::Far => AdminColumn::Far,
        csv::AdminColumnsColumn::FarMinus => AdminColumn::FarMinus,
    })
}

/// The administrative points of a sum of two dice.
#[must_use]
pub fn admin_points(column: AdminColumn, dice: i32) -> i32 {
    let place = usize::try_from(dice - 2).unwrap_or(0).min(csv::ADMIN_POINTS.len() - 1);
    let row = &csv::ADMIN_POINTS[place];
    match column {
        AdminColumn::FarMinus => row.far_minus,
        AdminColumn::Far => row.far,
        AdminColumn::Near => row.near,
    }
}

/// The ultimatum chart: its result.
#[must_use]
pub fn ultimatum(die: i32) -> UltimatumResult {
    csv::ULTIMATUM
        .iter()
        .find(|row| (row.die_min..=row.die_max).contains(&die))
        .map_or(UltimatumResult::RollAgain, |row| row.result)
}

/// The change of Vienna's morale by its condition.
#[must_use]
pub fn morale_change(condition: ViennaMoraleCondition) -> i32 {
    condition.row().change
}

/// The communications of an army.
#[derive(Clone, Debug, PartialEq)]
pub struct Communications {
    /// The dispatch distance.
    pub dispatch: MovementPoints,
    /// The supply distance.
    pub supply: MovementPoints,
    /// The supply source hexes, as numbered.
    pub sources: Vec<&'static str>,
}

impl Communications {
    /// No distance and no source.
    pub const NONE: Self =
        Self { dispatch: MovementPoints::ZERO, supply: MovementPoints::ZERO, sources: Vec::new() };
}

/// The communications chart.
#[must_use]
pub fn communications(army: Army) -> Communications {
    let side = match army {
        Army::French => csv::CommunicationsSide::French,
        Army::AustroRussian => csv::CommunicationsSide::AustroRussian,
    };
    let row = side.row();
    Communications {
        dispatch: MovementPoints::whole(row.dispatch_mp),
        supply: MovementPoints::whole(row.supply_mp),
        sources: row.supply_sources.split(' ').collect(),
    }
}

/// The bridge chart.
#[must_use]
pub fn bridge(bridge: BridgesBridge) -> &'static csv::Bridges {
    bridge.row()
}

/// The cavalry limit of a kind of game.
#[must_use]
pub const fn cavalry_limit(game: Game) -> i32 {
    match game {
        Game::Campaign => 3,
        Game::Battle => 1,
    }
}
