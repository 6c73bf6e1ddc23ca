//! The terrain charts: hexes, and roads, water and zones of control.

use std::sync::LazyLock;

use kernel::MovementPoints;
use rulebook::tables::campaign as csv;

use super::Line;
use crate::terms::{Hex, Side};
use csv::TerrainHexsidesFeature as Feature;

/// A row of the terrain chart; `None` where a town takes the value of its ground.
#[derive(Clone, Debug, PartialEq)]
pub struct HexRow {
    /// Cost for infantry and artillery.
    pub infantry: Option<MovementPoints>,
    /// Cost for cavalry.
    pub cavalry: Option<MovementPoints>,
    /// Forage value in hundredths.
    pub forage: i32,
    /// The combat line.
    pub line: Option<Line>,
    /// What attacking infantry counts, in hundredths.
    pub infantry_factor: Option<i32>,
    /// What attacking cavalry counts, in hundredths.
    pub cavalry_factor: Option<i32>,
    /// Whether the attacker's guns may fire.
    pub artillery: Option<bool>,
    /// The most SP the attacker may count.
    pub limit: Option<i32>,
    /// How many times the first `defender_limit` defending SP count.
    pub defender_factor: i32,
    /// How many defending SP count so.
    pub defender_limit: Option<i32>,
    /// Whether a formation here may always choose a pitched battle.
    pub pitched: bool,
}

/// What a hexside costs to cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideCost {
    /// So many more MP.
    Add(MovementPoints),
    /// Not at all.
    Forbidden,
    /// Only over a bridge.
    BridgeOnly,
}

/// What a hexside does to an attack over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideLine {
    /// It sets the line.
    Line(Line),
    /// No attack.
    Forbidden,
    /// Only over a bridge.
    BridgeOnly,
}

/// A row of the chart of roads and water.
#[derive(Clone, Debug, PartialEq)]
pub struct SideRow {
    /// Crossing cost.
    pub cost: SideCost,
    /// Effect on an attack.
    pub line: SideLine,
    /// Whether pursuit losses double when the retreat crosses it.
    pub doubles: bool,
    /// Whether the defender may decline to counterattack over it.
    pub counterattack_optional: bool,
    /// Whether frost and snow make it a secondary river.
    pub freezes: bool,
    /// What it costs communications, where that differs.
    pub communication: Option<MovementPoints>,
}

fn points(text: &str) -> Option<MovementPoints> {
    text.parse().ok().and_then(|value| MovementPoints::from_decimal(value).ok())
}

fn hundredths(text: &str) -> Option<i32> {
    kernel::Metres::from_decimal(text.parse().ok()?).ok().map(kernel::Metres::count)
}

const fn terrain(hex: Hex) -> csv::TerrainHexesTerrain {
    use csv::TerrainHexesTerrain as Terrain;
    match hex {
        Hex::Clear => Terrain::Clear,
        Hex::Mountain => Terrain::Mountain,
        Hex::Forest => Terrain::Forest,
        Hex::Hill => Terrain::Hill,
        Hex::WoodedHill => Terrain::WoodedHill,
        Hex::Town => Terrain::Town,
        Hex::Depot => Terrain::Depot,
        Hex::Citadel => Terrain::Citadel,
    }
}

/// The hex with this name in the tables.
#[must_use]
pub fn hex_named(name: &str) -> Option<Hex> {
    Hex::ALL.iter().copied().find(|&hex| terrain(hex).word() == name)
}

/// The row of a hexside; a bare one has none.
const fn feature_of(side: Side) -> Option<Feature> {
    Some(match side {
        Side::None => return None,
        Side::PrimaryRiver => Feature::PrimaryRiver,
        Side::SecondaryRiver => Feature::SecondaryRiver,
        Side::PrimaryBridge => Feature::PrimaryBridge,
        Side::SecondaryBridge => Feature::SecondaryBridge,
        Side::Pontoon => Feature::Pontoon,
        Side::Lake => Feature::Lake,
    })
}

static HEXES: LazyLock<Vec<HexRow>> = LazyLock::new(|| {
    Hex::ALL
        .iter()
        .map(|&hex| terrain(hex).row())
        .map(|row| HexRow {
            infantry: points(row.infantry_mp),
            cavalry: points(row.cavalry_mp),
            forage: row.forage_value,
            line: match row.crt_line {
                csv::TerrainHexesCrtLine::A => Some(Line::A),
                csv::TerrainHexesCrtLine::NA => Some(Line::Na),
                csv::TerrainHexesCrtLine::OtherTerrain => None,
            },
            infantry_factor: hundredths(row.attacking_infantry_factor),
            cavalry_factor: hundredths(row.attacking_cavalry_factor),
            artillery: match row.attacker_artillery_allowed {
                csv::TerrainHexesAttackerArtilleryAllowed::Yes => Some(true),
                csv::TerrainHexesAttackerArtilleryAllowed::No => Some(false),
                csv::TerrainHexesAttackerArtilleryAllowed::OtherTerrain => None,
            },
            limit: row.attacker_sp_limit.and_then(|limit| limit.parse().ok()),
            defender_factor: row.defender_factor,
            defender_limit: row.defender_factor_sp_limit,
            pitched: row.pitched_battle_always_allowed,
        })
        .collect()
});

/// The terrain chart. Every hex has a row: a test says so.
#[must_use]
pub fn hex(hex: Hex) -> &'static HexRow {
    &HEXES[hex as usize]
}

static SIDES: LazyLock<Vec<Option<SideRow>>> = LazyLock::new(|| {
    Side::ALL
        .iter()
        .map(|&side| {
            let row = feature_of(side)?.row();
            Some(SideRow {
                cost: match row.infantry_mp {
                    "forbidden" => SideCost::Forbidden,
                    "bridge_only" => SideCost::BridgeOnly,
                    text => SideCost::Add(points(text)?),
                },
                line: match row.crt_line {
                    csv::TerrainHexsidesCrtLine::Forbidden => SideLine::Forbidden,
                    csv::TerrainHexsidesCrtLine::BridgeOnly => SideLine::BridgeOnly,
                    csv::TerrainHexsidesCrtLine::A => SideLine::Line(Line::A),
                    csv::TerrainHexsidesCrtLine::NA | csv::TerrainHexsidesCrtLine::Blank => {
                        SideLine::Line(Line::Na)
                    }
                },
                doubles: row.pursuit_loss_factor_if_retreat_crosses
                    == csv::TerrainHexsidesPursuitLossFactorIfRetreatCrosses::V2,
                counterattack_optional: row.counterattack_across
                    == csv::TerrainHexsidesCounterattackAcross::Optional,
                freezes: row.treated_as_in_frost_or_snow
                    == csv::TerrainHexsidesTreatedAsInFrostOrSnow::SecondaryRiver,
                communication: row.communication_mp.map(MovementPoints::whole),
            })
        })
        .collect()
});

/// The chart of water and bridges; `None` for a bare hexside.
#[must_use]
pub fn side(side: Side) -> Option<&'static SideRow> {
    SIDES[side as usize].as_ref()
}

fn cost_of(feature: Feature) -> MovementPoints {
    points(feature.row().infantry_mp).unwrap_or_default()
}

static ROADS: LazyLock<[MovementPoints; 3]> = LazyLock::new(|| {
    [cost_of(Feature::PrimaryRoad), cost_of(Feature::SecondaryRoad), cost_of(Feature::EnemyZoc)]
});

/// A hex of primary road.
#[must_use]
pub fn primary_road() -> MovementPoints {
    ROADS[0]
}

/// A hex of secondary road.
#[must_use]
pub fn secondary_road() -> MovementPoints {
    ROADS[1]
}

/// The way out of an enemy zone of control.
#[must_use]
pub fn leaving_zoc() -> MovementPoints {
    ROADS[2]
}
