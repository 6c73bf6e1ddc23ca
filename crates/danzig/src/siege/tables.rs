//! The charts of the siege map as typed tables, read once from the rows of the rulebook.

use std::sync::LazyLock;

use rulebook::options::danzig::{ArtilleryLeavesAt, Options};
use rulebook::tables::danzig as rows;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::series;

pub(crate) use rulebook::tables::danzig::{
    ConstructionCostsItem as Item, SiegeFireModifiersSituation as FireSituation,
    SiegeMeleeModifiersMelee as Melee, SiegeMeleeModifiersSituation as Situation,
};

/// A result of the fire table (DZ-R87).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub enum FireResult {
    /// No effect.
    #[serde(rename = "none")]
    None,
    /// Every unit of the target tests its morale.
    #[serde(rename = "*")]
    Test,
    /// One step.
    #[serde(rename = "1")]
    One,
    /// Two steps.
    #[serde(rename = "2")]
    Two,
    /// Three steps.
    #[serde(rename = "3")]
    Three,
}

impl From<series::FireResult> for FireResult {
    fn from(result: series::FireResult) -> Self {
        match result {
            series::FireResult::None | series::FireResult::Steps(0) => Self::None,
            series::FireResult::Test => Self::Test,
            series::FireResult::Steps(1) => Self::One,
            series::FireResult::Steps(2) => Self::Two,
            series::FireResult::Steps(_) => Self::Three,
        }
    }
}

/// What a fire result does on the siege map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FireEffect {
    /// Infantry steps the stack loses.
    pub infantry: u8,
    /// Every unit tests.
    pub test: bool,
    /// Every gun in the stack is hit.
    pub guns: bool,
    /// Steps a field fortification loses.
    pub work: u8,
    /// Levels a wall loses to a 24-pounder.
    pub wall_24: u8,
    /// Levels a wall loses to a 12-pounder.
    pub wall_12: u8,
}

/// The charts.
#[derive(Debug)]
pub(crate) struct Charts {
    effects: [FireEffect; 5],
}

/// The charts.
pub(crate) static CHARTS: LazyLock<Charts> = LazyLock::new(|| Charts {
    effects: rows::SIEGE_FIRE_RESULTS.each_ref().map(|row| FireEffect {
        infantry: small(row.infantry_steps_lost),
        test: row.every_unit_tests_morale,
        guns: row.prussian_battery == "damaged",
        work: small(row.field_fort_steps_lost.unwrap_or(0)),
        wall_24: small(row.wall_levels_lost_24pdr.unwrap_or(0)),
        wall_12: small(row.wall_levels_lost_12pdr.unwrap_or(0)),
    }),
});

fn small(value: i32) -> u8 {
    u8::try_from(value).unwrap_or(0)
}

impl Charts {
    /// Charts on which nothing is written: what there would be without them.
    pub(crate) const BLANK: Self = Self {
        effects: [FireEffect { infantry: 0, test: false, guns: false, work: 0, wall_24: 0, wall_12: 0 }; 5],
    };

    /// What a fire result does.
    #[must_use]
    pub(crate) const fn effect(&self, result: FireResult) -> FireEffect {
        self.effects[result as usize]
    }
}

/// What a level of a wall point allows (DZ-4.7.1-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WallEffect {
    /// Modifier of the fire die.
    pub fire: i32,
    /// A Prussian battery may stand there.
    pub artillery: bool,
    /// The French may storm it.
    pub assault: bool,
    /// The French may build on it.
    pub build: bool,
}

/// The row of the wall table for a level.
#[must_use]
pub(crate) fn wall_effect(level: u8) -> WallEffect {
    let level = i32::from(level);
    let row = rows::WALL_DAMAGE.iter().find(|row| (row.level_min..=row.level_max).contains(&level));
    row.map_or(WallEffect { fire: 0, artillery: false, assault: false, build: false }, |row| WallEffect {
        fire: row.fire_die_modifier,
        artillery: row.prussian_artillery_may_deploy,
        assault: row.french_may_assault,
        build: row.french_may_build,
    })
}

/// Whether a battery may stand on a point of this level (DZ-4.7.1-05, DZ-R08).
#[must_use]
pub(crate) fn bears_artillery(level: u8, options: &Options) -> bool {
    match options.artillery_leaves_at {
        ArtilleryLeavesAt::V10 => wall_effect(level).artillery,
        ArtilleryLeavesAt::V9 => level > 9,
    }
}

/// The construction points an item costs (DZ-4.8-07).
#[must_use]
pub(crate) fn cost(item: Item) -> u8 {
    small(item.row().points)
}

/// A modifier of the siege melee table (DZ-4.8-26).
#[must_use]
pub(crate) fn melee_modifier(melee: Melee, situation: Situation) -> i32 {
    rows::SIEGE_MELEE_MODIFIERS
        .iter()
        .find(|row| row.melee == melee && row.situation == situation)
        .map_or(0, |row| row.attacker_value_modifier)
}

/// A modifier of the siege fire die (DZ-4.5.1-09).
#[must_use]
pub(crate) fn fire_modifier(situation: FireSituation) -> i32 {
    situation.row().die_modifier
}
