//! The pursuit chart: the pursuer's initiative, the length of the retreat and a modified die enter;
//! the advance and the loss of the retreating side leave.

use kernel::{Clerk, Effect};
use rulebook::options::campaign::{Options, PursuitAlignment};
use rulebook::rule;

use crate::tables;
use crate::terms::{Crossing, Side};

/// A pursuit: the roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pursuit {
    /// The pursuing commander's unmodified initiative.
    pub initiative: i32,
    /// Hexes of retreat.
    pub retreat: i32,
    /// All modifiers of the die, added up.
    pub modifier: i32,
}

/// How far it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Advance {
    /// Hexes of advance; none is no pursuit.
    pub advance: i32,
    /// The die used, -1 to 7.
    pub die: i32,
}

/// The column of a commander and a retreat; `None` beyond the chart.
pub fn column(initiative: i32, retreat: i32, options: &Options, clerk: &mut impl Clerk) -> Option<i32> {
    match options.pursuit_alignment {
        PursuitAlignment::Staircase => tables::pursuit_column(initiative, retreat),
        PursuitAlignment::Column3 => {
            clerk.applied(rule!(CA_R22));
            tables::pursuit_column(initiative.max(2), retreat)
        }
        PursuitAlignment::Printed => {
            clerk.applied(rule!(CA_R22));
            tables::pursuit_column_printed(initiative, retreat)
        }
    }
}

/// Rolls for the pursuit.
pub fn roll(pursuit: &Pursuit, options: &Options, clerk: &mut impl Clerk) -> Advance {
    let column = column(pursuit.initiative, pursuit.retreat, options, clerk);
    if let Some(column) = column {
        clerk.because(rule!(CA_PURSUIT_02), Effect::Set(column.into()));
    }
    let mut die = i32::from(clerk.d6()) + pursuit.modifier;
    if !(-1..=7).contains(&die) {
        die = die.clamp(-1, 7);
    }
    clerk.because(rule!(CA_PURSUIT_10), Effect::Set(die.into()));
    let advance = column.map_or(0, |column| tables::pursuit_advance(column, die));
    clerk.because(rule!(CA_PURSUIT_01), Effect::Set(advance.into()));
    if advance == 0 {
        clerk.because(rule!(CA_PURSUIT_04), Effect::Limit(0.into()));
    }
    Advance { advance, die }
}

/// What makes a pursuit cost more or less than its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Path {
    /// Hexes of retreat.
    pub retreat: i32,
    /// Hexes of it that could not be retreated.
    pub blocked: i32,
    /// The water it crosses.
    pub crossing: Crossing,
    /// Whether a pursuing formation really advances onto the far bank.
    pub followed: bool,
    /// Whether it passes through an enemy zone of control.
    pub through_ezoc: bool,
    /// SP the winner lost.
    pub winner_loss: i32,
}

/// What the loser of the battle suffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Toll {
    /// SP lost to the pursuit.
    pub loss: i32,
    /// Hexes the pursuers may really advance along the path.
    pub advance: i32,
}

/// The loss of the retreating side and the room of the pursuers.
pub fn toll(advance: i32, path: &Path, clerk: &mut impl Clerk) -> Toll {
    clerk.because(rule!(CA_PURSUIT_03), Effect::Set(advance.into()));
    let mut loss = advance;
    if advance > 0 && doubled(path, clerk) {
        loss *= 2;
    }
    if loss < path.winner_loss {
        loss = path.winner_loss;
        clerk.because(rule!(CA_R43), Effect::Set(loss.into()));
    }
    let walked = path.retreat - path.blocked;
    // The hex the loser left is the first of the advance; the last of the retreat stays closed
    // unless he could not go the whole way.
    let room = if path.blocked > 0 { walked + 1 } else { walked };
    let limit = advance.min(room);
    if limit < advance {
        clerk.because(rule!(CA_PURSUIT_05), Effect::Limit(limit.into()));
    }
    Toll { loss, advance: limit }
}

/// Doubling happens once, whatever the number of causes.
fn doubled(path: &Path, clerk: &mut impl Clerk) -> bool {
    let mut doubles = false;
    // A pontoon is the bridge of its river.
    let crossed = match path.crossing {
        Crossing::None => None,
        Crossing::SecondaryRiver => Some((Side::SecondaryRiver, rule!(CA_TERRAIN_26))),
        Crossing::PrimaryBridge | Crossing::PrimaryPontoon => {
            Some((Side::PrimaryBridge, rule!(CA_TERRAIN_29)))
        }
        Crossing::SecondaryBridge | Crossing::SecondaryPontoon => {
            Some((Side::SecondaryBridge, rule!(CA_TERRAIN_29)))
        }
    };
    if let Some((side, rule)) = crossed {
        if !tables::side(side).is_some_and(|row| row.doubles) {
            clerk.because(rule, Effect::Times(1, 1));
        } else if path.followed {
            clerk.applied(rule!(CA_PURSUIT_06));
            clerk.because(rule, Effect::Times(2, 1));
            doubles = true;
        }
    }
    if path.through_ezoc {
        if !doubles {
            clerk.because(rule!(CA_TERRAIN_33), Effect::Times(2, 1));
        }
        doubles = true;
    }
    doubles
}
