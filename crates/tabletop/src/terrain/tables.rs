//! The terrain matrix as typed rows: its words are read here, once, and nowhere else.

use std::sync::LazyLock;

use rulebook::tables::tabletop_terrain::TERRAIN_MATRIX;

use super::state::State;

/// A part of full speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// Above the line.
    pub of: u32,
    /// Below it.
    pub whole: u32,
}

impl Fraction {
    /// Full speed.
    pub const ONE: Self = Self { of: 1, whole: 1 };
    /// Half of it.
    pub const HALF: Self = Self { of: 1, whole: 2 };

    /// So many of so many.
    #[must_use]
    pub const fn new(of: u32, whole: u32) -> Self {
        Self { of, whole }
    }

    /// One part of another.
    #[must_use]
    pub const fn times(self, other: Self) -> Self {
        Self { of: self.of.saturating_mul(other.of), whole: self.whole.saturating_mul(other.whole) }
    }
}

/// Whether and how an occupant of an element may be charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChargeAt {
    /// Like anybody.
    Yes,
    /// Never.
    No,
    /// If the charger stays off the element.
    FromOutside,
    /// Legal, but without the melee bonus.
    NoMeleeBonus,
    /// Once the first rank is out of it.
    OnceFirstRankOut,
}

/// A row of the matrix, read once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) enter: [bool; 5],
    pub(crate) speed: [Option<Fraction>; 5],
    pub(crate) during: [Option<State>; 5],
    pub(crate) charge_through: bool,
    pub(crate) charge_at: ChargeAt,
    pub(crate) change: Change,
    pub(crate) deploy: Deploy,
}

/// Whether a formation may be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    Yes,
    No,
    IfItFits,
}

/// Whether guns may be deployed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deploy {
    Yes,
    No,
    IfItFits,
}

fn fraction(cell: &str) -> Option<Fraction> {
    match cell {
        "1" => Some(Fraction::ONE),
        "1/2" => Some(Fraction::HALF),
        "1/4" => Some(Fraction::new(1, 4)),
        "3/4" => Some(Fraction::new(3, 4)),
        _ => None,
    }
}

fn imposed(cell: &str) -> Option<State> {
    match cell {
        "disorganised" => Some(State::Disorganised),
        // A ride forms those with a narrow front; see `woods::ride_keeps_order`.
        "unformed" | "formed_if_front_2_else_unformed" => Some(State::Unformed),
        _ => None,
    }
}

static ROWS: LazyLock<Vec<(&'static str, Row)>> = LazyLock::new(|| {
    TERRAIN_MATRIX
        .iter()
        .map(|row| {
            let artillery = (fraction(row.speed_artillery), imposed(row.state_artillery_during));
            let row_ = Row {
                enter: [
                    row.enter_infantry,
                    row.enter_skirmishers,
                    row.enter_cavalry,
                    row.enter_foot_artillery == "yes",
                    row.enter_horse_artillery,
                ],
                speed: [
                    fraction(row.speed_infantry),
                    fraction(row.speed_skirmishers),
                    fraction(row.speed_cavalry),
                    artillery.0,
                    artillery.0,
                ],
                during: [
                    imposed(row.state_infantry_during),
                    imposed(row.state_skirmishers_during),
                    imposed(row.state_cavalry_during),
                    artillery.1,
                    artillery.1,
                ],
                charge_through: row.charge_from_or_through,
                charge_at: match row.charge_at_occupant {
                    "no" => ChargeAt::No,
                    "from_outside" => ChargeAt::FromOutside,
                    "no_melee_bonus" => ChargeAt::NoMeleeBonus,
                    "once_first_rank_out" => ChargeAt::OnceFirstRankOut,
                    _ => ChargeAt::Yes,
                },
                change: match row.formation_change {
                    "yes" | "yes_when_touching_not_while_crossing" | "" => Change::Yes,
                    "no" => Change::No,
                    _ => Change::IfItFits,
                },
                deploy: match row.artillery_may_deploy {
                    "yes" | "yes_behind" => Deploy::Yes,
                    "no" => Deploy::No,
                    _ => Deploy::IfItFits,
                },
            };
            (row.element, row_)
        })
        .collect()
});

/// The row of an element.
pub(crate) fn row(name: &str) -> Row {
    // The build has checked the table; the first row, plain, stands for a name it lacks.
    ROWS.iter().find(|(element, _)| *element == name).or(ROWS.first()).map_or(
        Row {
            enter: [true; 5],
            speed: [Some(Fraction::ONE); 5],
            during: [None; 5],
            charge_through: true,
            charge_at: ChargeAt::Yes,
            change: Change::Yes,
            deploy: Deploy::Yes,
        },
        |(_, row)| *row,
    )
}
