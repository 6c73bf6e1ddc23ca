//! The bridge chart: what a formation may do to a bridge or pontoon, and for how many MP.

use kernel::{Clerk, MovementPoints, Refusal, RuleId, Verdict};
use rulebook::{phrase::campaign as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tables::{self, BridgesBridge};

/// A kind of bridge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Bridge {
    /// On a primary river.
    PrimaryRiver,
    /// On a secondary river.
    SecondaryRiver,
    /// A pontoon.
    Pontoon,
}

/// Something to do with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Work {
    /// Cross it.
    Cross,
    /// Damage it.
    Damage,
    /// Destroy it.
    Destroy,
    /// Repair it.
    Repair,
    /// Capture it where it lies.
    Capture,
    /// Capture it and take it up.
    CaptureAndTakeUp,
    /// Lay it.
    Lay,
    /// Take it up.
    TakeUp,
}

/// Where an enemy formation stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Enemy {
    /// Nowhere near.
    #[default]
    None,
    /// In one of the two hexes the bridge joins.
    AtTheBridge,
    /// In another hex adjacent to the formation.
    Beside,
}

/// The work and who does it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The bridge.
    pub bridge: Bridge,
    /// The work.
    pub work: Work,
    /// Whether the formation is all cavalry.
    pub all_cavalry: bool,
    /// Where the enemy is.
    pub enemy: Enemy,
    /// Whether the bridge is damaged.
    pub damaged: bool,
}

/// What a work costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// In MP.
    pub points: MovementPoints,
    /// How many of them count as march for attrition.
    pub march: MovementPoints,
}

impl Cost {
    /// Nothing at all.
    const NONE: Self = Self { points: MovementPoints::ZERO, march: MovementPoints::ZERO };
}

/// What a work costs in MP.
///
/// # Errors
/// When the chart forbids it.
pub fn cost(task: &Task, clerk: &mut impl Clerk) -> Verdict<Cost> {
    let bridge = match task.bridge {
        Bridge::PrimaryRiver => BridgesBridge::PrimaryRiver,
        Bridge::SecondaryRiver => BridgesBridge::SecondaryRiver,
        Bridge::Pontoon => BridgesBridge::Pontoon,
    };
    let Some(row) = clerk.rather(rule!(CA_BRIDGES_01), Some(tables::bridge(bridge)), None) else {
        return Ok(Cost::NONE);
    };
    let pontoon = task.bridge == Bridge::Pontoon;
    let (rule, points, by_all_cavalry) = match task.work {
        Work::Cross => return cross(task, clerk),
        Work::Damage => {
            (damage_rule(task.bridge), MovementPoints::whole(row.damage_mp), row.damage_by_all_cavalry)
        }
        Work::Destroy if rule!(CA_BRIDGES_06).holds(!row.destroy_allowed) => {
            return Err(Refusal::rule(rule!(CA_BRIDGES_06), phrase::BRIDGE_NOT_DESTROYED).at("action"));
        }
        Work::Destroy => (rule!(CA_BRIDGES_06), MovementPoints::ZERO, true),
        Work::Repair => {
            if rule!(CA_BRIDGES_14).holds(task.enemy == Enemy::AtTheBridge) {
                return Err(Refusal::rule(rule!(CA_BRIDGES_14), phrase::ENEMY_AT_BRIDGE).at("enemy"));
            }
            (repair_rule(task.bridge), MovementPoints::whole(row.repair_mp), row.repair_by_all_cavalry)
        }
        Work::Capture | Work::CaptureAndTakeUp if rule!(CA_BRIDGES_10).holds(!row.capture_allowed) => {
            return Err(Refusal::rule(rule!(CA_BRIDGES_10), phrase::BRIDGE_NOT_CAPTURED).at("action"));
        }
        Work::Capture | Work::CaptureAndTakeUp => {
            let (left, taken_up) = row.capture_mp.and_then(|cell| cell.split_once('/')).unwrap_or(("0", "0"));
            let cell = if task.work == Work::Capture { left } else { taken_up };
            let points = MovementPoints::whole(cell.parse().unwrap_or(0));
            (rule!(CA_BRIDGES_11), points, row.capture_by_all_cavalry.unwrap_or(true))
        }
        Work::Lay | Work::TakeUp if rule!(CA_BRIDGES_13).holds(!pontoon) => {
            return Err(Refusal::rule(rule!(CA_BRIDGES_13), phrase::ONLY_PONTOONS).at("action"));
        }
        Work::Lay => (rule!(CA_BRIDGES_13), MovementPoints::whole(3), true),
        Work::TakeUp => (rule!(CA_BRIDGES_13), MovementPoints::whole(2), true),
    };
    if task.all_cavalry && rule.holds(!by_all_cavalry) {
        return Err(Refusal::rule(rule, phrase::NOT_BY_CAVALRY).at("all_cavalry"));
    }
    let mut points = clerk.value(rule, points);
    if task.work == Work::Repair && task.enemy == Enemy::Beside {
        points += MovementPoints::whole(clerk.modifier(rule!(CA_BRIDGES_15), 3));
    }
    let march = clerk.rather(rule!(CA_BRIDGES_12), MovementPoints::ZERO, points);
    Ok(Cost { points, march })
}

fn cross(task: &Task, clerk: &mut impl Clerk) -> Verdict<Cost> {
    if task.damaged {
        return Err(Refusal::rule(rule!(CA_R33), phrase::BRIDGE_DAMAGED).at("damaged"));
    }
    clerk.applied(rule!(CA_BRIDGES_02));
    let side = match task.bridge {
        Bridge::PrimaryRiver => crate::terms::Side::PrimaryBridge,
        Bridge::SecondaryRiver => crate::terms::Side::SecondaryBridge,
        Bridge::Pontoon => crate::terms::Side::Pontoon,
    };
    let points = match tables::side(side).map(|row| row.cost) {
        Some(tables::SideCost::Add(points)) => points,
        _ => MovementPoints::ZERO,
    };
    let points = clerk.value(rule!(CA_TERRAIN_27), points);
    Ok(Cost { points, march: points })
}

const fn damage_rule(bridge: Bridge) -> RuleId {
    match bridge {
        Bridge::PrimaryRiver => rule!(CA_BRIDGES_03),
        Bridge::SecondaryRiver => rule!(CA_BRIDGES_04),
        Bridge::Pontoon => rule!(CA_BRIDGES_05),
    }
}

const fn repair_rule(bridge: Bridge) -> RuleId {
    match bridge {
        Bridge::PrimaryRiver => rule!(CA_BRIDGES_07),
        Bridge::SecondaryRiver => rule!(CA_BRIDGES_08),
        Bridge::Pontoon => rule!(CA_BRIDGES_09),
    }
}
