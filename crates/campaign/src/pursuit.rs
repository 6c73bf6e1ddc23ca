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
    let column = column.map(|column| clerk.value(rule!(CA_PURSUIT_02), column));
    let die = i32::from(clerk.d6()) + pursuit.modifier;
    let die = clerk.value(rule!(CA_PURSUIT_10), die.clamp(-1, 7));
    let advance = column.map_or(0, |column| tables::pursuit_advance(column, die));
    let mut advance = clerk.value(rule!(CA_PURSUIT_01), advance);
    if advance == 0 {
        advance = clerk.limit(rule!(CA_PURSUIT_04), 0);
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
    let mut loss = clerk.value(rule!(CA_PURSUIT_03), advance);
    if advance > 0 && doubled(path, clerk) {
        loss *= 2;
    }
    if loss < path.winner_loss {
        loss = clerk.value(rule!(CA_R43), path.winner_loss);
    }
    let room = room(path.retreat, path.blocked);
    let advance = if room < advance { clerk.limit(rule!(CA_PURSUIT_05), room) } else { advance };
    Toll { loss, advance }
}

/// How far pursuers can follow a retreat: the hex the loser left is the first of the advance; the last of
/// the retreat stays closed unless he could not go the whole way.
#[must_use]
pub const fn room(retreat: i32, blocked: i32) -> i32 {
    let walked = retreat - blocked;
    if blocked > 0 { walked + 1 } else { walked }
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
        if !rule.holds(tables::side(side).is_some_and(|row| row.doubles)) {
            clerk.because(rule, Effect::Times(1, 1));
        } else if clerk.holds(rule!(CA_PURSUIT_06), path.followed) {
            clerk.because(rule, Effect::Times(2, 1));
            doubles = true;
        }
    }
    if rule!(CA_TERRAIN_33).holds(path.through_ezoc) {
        if !doubles {
            clerk.because(rule!(CA_TERRAIN_33), Effect::Times(2, 1));
        }
        doubles = true;
    }
    doubles
}
