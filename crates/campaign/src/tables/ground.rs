//! The terrain charts: hexes, and roads, water and zones of control.

use std::sync::LazyLock;

use kernel::MovementPoints;
use rulebook::tables::campaign as csv;

use super::Line;
use crate::terms::{Hex, Side};

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

const fn hex_name(hex: Hex) -> &'static str {
    match hex {
        Hex::Clear => "clear",
        Hex::Mountain => "mountain",
        Hex::Forest => "forest",
        Hex::Hill => "hill",
        Hex::WoodedHill => "wooded_hill",
        Hex::Town => "town",
        Hex::Depot => "depot",
        Hex::Citadel => "citadel",
    }
}

/// The hex with this name in the tables.
#[must_use]
pub fn hex_named(name: &str) -> Option<Hex> {
    Hex::ALL.iter().copied().find(|&hex| hex_name(hex) == name)
}

const fn side_name(side: Side) -> &'static str {
    match side {
        Side::None => "none",
        Side::PrimaryRiver => "primary_river",
        Side::SecondaryRiver => "secondary_river",
        Side::PrimaryBridge => "primary_bridge",
        Side::SecondaryBridge => "secondary_bridge",
        Side::Pontoon => "pontoon",
        Side::Lake => "lake",
    }
}

static HEXES: LazyLock<Vec<HexRow>> = LazyLock::new(|| {
    Hex::ALL
        .iter()
        .filter_map(|&hex| csv::TERRAIN_HEXES.iter().find(|row| row.terrain == hex_name(hex)))
        .map(|row| HexRow {
            infantry: points(row.infantry_mp),
            cavalry: points(row.cavalry_mp),
            forage: row.forage_value,
            line: match row.crt_line {
                "A" => Some(Line::A),
                "NA" => Some(Line::Na),
                _ => None,
            },
            infantry_factor: hundredths(row.attacking_infantry_factor),
            cavalry_factor: hundredths(row.attacking_cavalry_factor),
            artillery: match row.attacker_artillery_allowed {
                "yes" => Some(true),
                "no" => Some(false),
                _ => None,
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
            let row = csv::TERRAIN_HEXSIDES.iter().find(|row| row.feature == side_name(side))?;
            Some(SideRow {
                cost: match row.infantry_mp {
                    "forbidden" => SideCost::Forbidden,
                    "bridge_only" => SideCost::BridgeOnly,
                    text => SideCost::Add(points(text)?),
                },
                line: match row.crt_line {
                    "forbidden" => SideLine::Forbidden,
                    "bridge_only" => SideLine::BridgeOnly,
                    "A" => SideLine::Line(Line::A),
                    _ => SideLine::Line(Line::Na),
                },
                doubles: row.pursuit_loss_factor_if_retreat_crosses == "2",
                counterattack_optional: row.counterattack_across == "optional",
                freezes: row.treated_as_in_frost_or_snow == "secondary_river",
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

fn feature(name: &str) -> MovementPoints {
    csv::TERRAIN_HEXSIDES
        .iter()
        .find(|row| row.feature == name)
        .and_then(|row| points(row.infantry_mp))
        .unwrap_or_default()
}

static ROADS: LazyLock<[MovementPoints; 3]> =
    LazyLock::new(|| [feature("primary_road"), feature("secondary_road"), feature("enemy_zoc")]);

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
