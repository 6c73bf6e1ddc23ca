//! The reserve of administrative points: supply source, distance and two dice enter, the points
//! received leave.

use kernel::{Clerk, Effect};
use rulebook::options::campaign::{AlliedAp, CommanderAp, KremsFar, Options};
use rulebook::rule;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::tables::{self, AdminColumn, SupplySource};

/// The most points an army may hold (campaign-core 5.3).
pub const MOST_POINTS: i32 = 20;

/// The active supply source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The French at Vienna.
    Vienna,
    /// The French at Krems.
    Krems,
    /// Any source of the Austro-Russians.
    AustroRussian,
}

/// The column of a source and a distance in primary road hexes; none beyond the chart.
pub fn column(
    source: Source,
    distance: i32,
    options: &Options,
    clerk: &mut impl Clerk,
) -> Option<AdminColumn> {
    let distance = clerk.value(rule!(CA_ADMIN_02), distance);
    let (from, rule) = match source {
        Source::Vienna => (SupplySource::Vienna2854, rule!(CA_ADMIN_03)),
        Source::Krems => (SupplySource::Krems1154, rule!(CA_ADMIN_04)),
        Source::AustroRussian => (SupplySource::Any, rule!(CA_ADMIN_05)),
    };
    let Some(column) = tables::admin_column(from, distance) else {
        clerk.because(rule!(CA_R16), Effect::Set(0.into()));
        return None;
    };
    let column = clerk.rather(rule, Some(column), None)?;
    match (source, column) {
        (Source::Krems, AdminColumn::FarMinus) => match options.krems_far {
            KremsFar::Minus1 => Some(column),
            KremsFar::SameAsFar => {
                clerk.applied(rule!(CA_R13));
                Some(AdminColumn::Far)
            }
            KremsFar::Nothing => {
                clerk.because(rule!(CA_R13), Effect::Set(0.into()));
                None
            }
        },
        (Source::AustroRussian, AdminColumn::Near) if options.allied_ap == AlliedAp::FarOnly => {
            clerk.applied(rule!(CA_R14));
            Some(AdminColumn::Far)
        }
        _ => Some(column),
    }
}

/// Points received: two dice in the column, and the commander's own.
pub fn receive(
    source: Source,
    distance: i32,
    commander_bonus: i32,
    options: &Options,
    clerk: &mut impl Clerk,
) -> i32 {
    let Some(column) = column(source, distance, options, clerk) else { return 0 };
    let [first, second] = clerk.two_d6();
    let read = tables::admin_points(column, i32::from(first) + i32::from(second));
    let read = clerk.rather(rule!(CA_ADMIN_01), read, 0);
    let mut points = clerk.value(rule!(CA_ADMIN_06), read);
    if commander_bonus > 0 {
        let more = match options.commander_ap {
            CommanderAp::Flat1 => 1,
            CommanderAp::PerPoint => {
                clerk.applied(rule!(CA_R15));
                commander_bonus
            }
        };
        points += clerk.modifier(rule!(CA_ADMIN_07), more);
    }
    points
}
