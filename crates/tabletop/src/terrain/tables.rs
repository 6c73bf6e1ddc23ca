//! The terrain matrix as typed rows: its words are read here, once, and nowhere else.

use rulebook::tables::tabletop_terrain::{
    TerrainMatrixArtilleryMayDeploy, TerrainMatrixChargeAtOccupant, TerrainMatrixElement,
    TerrainMatrixEnterFootArtillery, TerrainMatrixFormationChange, TerrainMatrixSpeed, TerrainMatrixState,
};

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

const fn fraction(cell: TerrainMatrixSpeed) -> Option<Fraction> {
    match cell {
        TerrainMatrixSpeed::V1 => Some(Fraction::ONE),
        TerrainMatrixSpeed::V1_2 => Some(Fraction::HALF),
        TerrainMatrixSpeed::V1_4 => Some(Fraction::new(1, 4)),
        TerrainMatrixSpeed::V3_4 => Some(Fraction::new(3, 4)),
        // Nobody marches there.
        TerrainMatrixSpeed::Blank | TerrainMatrixSpeed::V2QuartersToEnter => None,
    }
}

const fn imposed(cell: TerrainMatrixState) -> Option<State> {
    match cell {
        TerrainMatrixState::Disorganised => Some(State::Disorganised),
        // A ride forms those with a narrow front; see `woods::ride_keeps_order`.
        TerrainMatrixState::Unformed | TerrainMatrixState::FormedIfFront2ElseUnformed => {
            Some(State::Unformed)
        }
        TerrainMatrixState::Blank | TerrainMatrixState::Formed | TerrainMatrixState::Unchanged => None,
    }
}

/// The row of an element.
pub(crate) fn row(element: TerrainMatrixElement) -> Row {
    let row = element.row();
    let artillery = (fraction(row.speed_artillery), imposed(row.state_artillery_during));
    Row {
        enter: [
            row.enter_infantry,
            row.enter_skirmishers,
            row.enter_cavalry,
            row.enter_foot_artillery == TerrainMatrixEnterFootArtillery::Yes,
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
            TerrainMatrixChargeAtOccupant::Yes | TerrainMatrixChargeAtOccupant::Blank => ChargeAt::Yes,
            TerrainMatrixChargeAtOccupant::No => ChargeAt::No,
            TerrainMatrixChargeAtOccupant::FromOutside => ChargeAt::FromOutside,
            TerrainMatrixChargeAtOccupant::NoMeleeBonus => ChargeAt::NoMeleeBonus,
            TerrainMatrixChargeAtOccupant::OnceFirstRankOut => ChargeAt::OnceFirstRankOut,
        },
        change: match row.formation_change {
            TerrainMatrixFormationChange::Yes
            | TerrainMatrixFormationChange::YesWhenTouchingNotWhileCrossing
            | TerrainMatrixFormationChange::Blank => Change::Yes,
            TerrainMatrixFormationChange::No => Change::No,
            TerrainMatrixFormationChange::IfRoom | TerrainMatrixFormationChange::YesIfItFits => {
                Change::IfItFits
            }
        },
        deploy: match row.artillery_may_deploy {
            TerrainMatrixArtilleryMayDeploy::Yes | TerrainMatrixArtilleryMayDeploy::YesBehind => Deploy::Yes,
            TerrainMatrixArtilleryMayDeploy::No => Deploy::No,
            TerrainMatrixArtilleryMayDeploy::IfRoom | TerrainMatrixArtilleryMayDeploy::YesIfBaseFits => {
                Deploy::IfItFits
            }
        },
    }
}
