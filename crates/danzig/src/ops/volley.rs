//! One volley as plain facts (series rules 10, TET): factors by firer and range, cover, modifiers of
//! the die, the table. Facts enter, a [`Strike`] leaves.

use std::sync::LazyLock;

use kernel::Clerk;
use rulebook::rule;
use rulebook::tables::danzig::{SERIES_FIRE_RANGE_OPERATIONAL, SeriesFireModifiersCondition as Condition};
use schemars::JsonSchema;
use serde::Serialize;

use super::bar::Bar;
use super::field::Field;
use super::series::{FireResult, fire_result};
use super::terrain::{Cover, fire_cover};
use crate::{Arm, Formation, Level, Nation, UnitId};

/// What a counter fires with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Firer {
    /// A battalion.
    Battalion(Formation),
    /// A regiment with its steps.
    Regiment(Formation, u8),
    /// A French double battery: steps.
    FrenchGuns(u8),
    /// The reserve battery of Lannes: steps.
    ReserveGuns(u8),
    /// A Russian battery: steps.
    RussianGuns(u8),
    /// Anything that does not fire here.
    Silent,
}

static GUNS: LazyLock<[[u8; 5]; 3]> = LazyLock::new(|| {
    let mut table = [[0; 5]; 3];
    for row in &SERIES_FIRE_RANGE_OPERATIONAL {
        let place = match row.firer {
            "French field double battery" => 0,
            "R-Art #7" => 1,
            "Russian field battery" => 2,
            _ => continue,
        };
        table[place] = row.hex.map(|cell| cell.and_then(|text| text.parse().ok()).unwrap_or(0));
    }
    table
});

impl Firer {
    pub(super) fn of(field: &Field<'_>, unit: UnitId) -> Self {
        let state = field.unit(unit);
        if state.is_disordered() {
            return Self::Silent;
        }
        let data = unit.data();
        match (data.arm, state.formation) {
            (Arm::Infantry, formation) if data.level == Level::Battalion => Self::Battalion(formation),
            (Arm::Infantry, formation) => Self::Regiment(formation, state.steps),
            (Arm::FieldArtillery, Formation::Unlimbered) => match (data.nation, data.horse) {
                (Nation::Russia, _) => Self::RussianGuns(state.steps),
                (_, true) => Self::ReserveGuns(state.steps),
                _ => Self::FrenchGuns(state.steps),
            },
            _ => Self::Silent,
        }
    }

    fn guns(self) -> Option<(usize, u8)> {
        match self {
            Self::FrenchGuns(steps) => Some((0, steps)),
            Self::ReserveGuns(steps) => Some((1, steps)),
            Self::RussianGuns(steps) => Some((2, steps)),
            _ => None,
        }
    }

    /// How far it fires, in hexes.
    #[must_use]
    pub fn range(self) -> u16 {
        match self.guns() {
            Some((table, _)) => {
                u16::try_from(GUNS[table].iter().filter(|&&factor| factor > 0).count()).unwrap_or(0)
            }
            None if self == Self::Silent => 0,
            None => 1,
        }
    }

    /// Its factor at a distance in hexes; lost steps lower that of guns.
    #[must_use]
    pub fn factor(self, distance: u16) -> u8 {
        if distance == 0 || distance > self.range() {
            return 0;
        }
        match (self, self.guns()) {
            (_, Some((table, steps))) => {
                let full = GUNS[table][0];
                let here = GUNS[table][usize::from(distance - 1).min(4)];
                here.saturating_sub(full.saturating_sub(steps))
            }
            (Self::Battalion(Formation::Line), _) => 2,
            (Self::Regiment(Formation::Line, steps), _) => steps.min(4),
            (Self::Silent, _) => 0,
            _ => 1,
        }
    }

    /// What its factor adds to a shot, with the rule behind it.
    pub(super) fn adds(self, factor: u8, clerk: &mut impl Clerk) -> i32 {
        let rule = match self {
            Self::Battalion(Formation::Line) => rule!(DZ_3_2_02),
            Self::Battalion(Formation::Adapted) | Self::Regiment(Formation::Adapted, _) => rule!(DZ_TET_04),
            Self::Battalion(_) | Self::Regiment(..) | Self::Silent => rule!(DZ_3_5_01),
            Self::FrenchGuns(_) | Self::ReserveGuns(_) | Self::RussianGuns(_) => rule!(DZ_3_3_1_01),
        };
        clerk.modifier(rule, factor.into())
    }
}

/// A shot as plain facts.
#[derive(Clone, Copy, Debug, Default)]
pub struct FireFacts {
    /// The factors of all firers, added.
    pub factor: i32,
    /// The cover of the target.
    pub cover: Cover,
    /// The target is in skirmish order.
    pub skirmish: bool,
    /// The target is unlimbered artillery alone in the open.
    pub guns_alone: bool,
    /// The target is a square, or six or more steps in column.
    pub dense: bool,
    /// The fire comes through the flank or rear of a line or battery.
    pub raked: bool,
    /// The target is limbered or disordered.
    pub helpless: bool,
}

/// What came of a shot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct Strike {
    /// The factor used, cover included.
    pub factor: i32,
    /// The modified die.
    pub roll: i32,
    /// The result.
    pub result: FireResult,
}

struct RollModifiers {
    skirmish: i32,
    guns_alone: i32,
    dense: i32,
    raked: i32,
    helpless: i32,
}

static ROLLS: LazyLock<RollModifiers> = LazyLock::new(|| {
    let of = |condition: Condition| condition.row().value.unwrap_or(0);
    RollModifiers {
        skirmish: of(Condition::TargetInSkirmishOrder),
        guns_alone: of(Condition::TargetIsUnlimberedArtilleryAloneInTheOpen),
        dense: of(Condition::TargetIsASquareOrAStackOf6OrMoreStepsInColumn),
        raked: of(Condition::FireEntersThroughTheFlankOrRearOfALineOrUnlimberedBattery),
        helpless: of(Condition::TargetLimberedOrDisordered),
    }
});

/// The factor of a shot after cover.
pub(super) fn covered(facts: &FireFacts, clerk: &mut impl Clerk) -> i32 {
    facts.factor + fire_cover(facts.cover, clerk)
}

/// Fires: factor, cover, die, table.
///
/// # Errors
/// When the cover leaves no factor.
pub fn shot(facts: &FireFacts, clerk: &mut impl Clerk) -> Result<Strike, Bar> {
    let factor = covered(facts, clerk);
    Bar::CoverTooGood.bars(factor < 1)?;
    let rolls = &*ROLLS;
    let mut modifier = 0;
    for (applies, value) in [
        (facts.skirmish, rolls.skirmish),
        (facts.guns_alone, rolls.guns_alone),
        (facts.dense, rolls.dense),
        (facts.raked, rolls.raked),
        (facts.helpless, rolls.helpless),
    ] {
        if applies {
            modifier += clerk.modifier(rule!(DZ_R87), value);
        }
    }
    let roll = i32::from(clerk.d6()) + modifier.clamp(-2, 2);
    Ok(Strike { factor, roll, result: fire_result(factor, roll) })
}
