//! The initiative matrix and the cavalry differential: two commanders, their horse and the weather
//! enter, the resistance modifier leaves.

use kernel::Clerk;
use rulebook::options::campaign::{ForageResistance, Initiative4Vs1, Options};
use rulebook::rule;

use crate::tables::{self, Superior};
use crate::terms::{Foraging, Game, Party, Weather};

/// What the comparison is made for.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    /// To leave a zone of control.
    LeaveZoc,
    /// To pursue.
    Pursuit,
}

/// A comparison. The active side counts as the attacker of `foraging`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Initiative of the active (or pursuing) commander.
    pub active: i32,
    /// Initiative of the passive commander.
    pub passive: i32,
    /// The weather.
    pub weather: Weather,
    /// What it is made for.
    pub purpose: Purpose,
    /// The cavalry differential modifier.
    pub cavalry: i32,
    /// Who is in forage mode.
    pub foraging: Foraging,
    /// The kind of game.
    pub game: Game,
}

/// The modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Resistance {
    /// Of the matrix.
    pub initiative: i32,
    /// In all.
    pub resistance: i32,
}

/// Compares.
pub fn compare(of: &Comparison, options: &Options, clerk: &mut impl Clerk) -> Resistance {
    let printed = options.initiative_4_vs_1 == Initiative4Vs1::Plus1 && of.passive == 4 && of.active <= 1;
    if printed {
        clerk.applied(rule!(CA_R23));
    }
    let initiative = clerk.value(rule!(CA_INITIATIVE_01), tables::initiative(of.active, of.passive, printed));
    let mut exempt = match options.forage_resistance {
        ForageResistance::Neither => of.foraging != Foraging::None,
        ForageResistance::OnlyWhenActive => of.foraging.includes(Party::Attacker),
    };
    if of.foraging != Foraging::None {
        exempt = clerk.rather(rule!(CA_R27), exempt, !exempt);
    }
    if exempt {
        return Resistance { initiative, resistance: clerk.value(rule!(CA_INITIATIVE_06), 0) };
    }
    let mut resistance = clerk.modifier(rule!(CA_INITIATIVE_02), initiative);
    if clerk.holds(rule!(CA_WEATHER_06), of.weather.rains() || of.weather == Weather::Snow) {
        let value = if of.purpose == Purpose::Pursuit { 1 } else { -1 };
        resistance += clerk.modifier(rule!(CA_INITIATIVE_03), value);
    }
    let limit = tables::cavalry_limit(of.game);
    let cavalry = of.cavalry.clamp(-limit, limit);
    if cavalry != 0 {
        resistance += clerk.modifier(rule!(CA_INITIATIVE_04), cavalry);
    }
    Resistance { initiative, resistance }
}

/// The cavalry differential of two forces of horse, active against passive.
pub fn cavalry(active: i32, passive: i32, game: Game, clerk: &mut impl Clerk) -> i32 {
    let (superior, more, less) = if active >= passive {
        (Superior::Active, active, passive)
    } else {
        (Superior::Passive, passive, active)
    };
    let (more, less) = (i64::from(more), i64::from(less));
    let read = if more == 0 { 0 } else { tables::cavalry(superior, more, less) };
    let value = clerk.rather(rule!(CA_CAVALRY_01), read, 0);
    if value == 0 {
        return clerk.modifier(rule!(CA_CAVALRY_04), 0);
    }
    let rule = if value < 0 { rule!(CA_CAVALRY_02) } else { rule!(CA_CAVALRY_03) };
    match game {
        Game::Campaign => clerk.modifier(rule, value),
        Game::Battle => clerk.modifier(rule!(CA_R26), value.signum()),
    }
}
