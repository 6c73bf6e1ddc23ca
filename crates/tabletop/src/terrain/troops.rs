//! What the terrain chapter needs to know of a body: arm, formation, state, front. Facts enter as
//! words of a request; the columns of the terrain matrix ([`Kind`]) leave.

use kernel::{Centimetres, Phrase, Refusal, Verdict, Whole};
use rulebook::phrase::tabletop_terrain as phrase;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::arm;

pub use crate::Arm;
pub use crate::fire::State;
pub use crate::scene::{Formation, Status};

impl Formation {
    /// The ranks it has, whatever the number of figures; a column or a square has as many as they make.
    #[must_use]
    pub const fn ranks(self) -> Option<i32> {
        match self {
            Self::Line
            | Self::Skirmish
            | Self::Foragers
            | Self::Limbered
            | Self::InPosition
            | Self::Single => Some(1),
            Self::DoubleLine => Some(2),
            Self::CompanyColumn
            | Self::DivisionColumn
            | Self::ClosedColumn
            | Self::Column
            | Self::HollowSquare
            | Self::FullSquare => None,
        }
    }

    /// The column that may take roads, tracks and bridges (TE-R10).
    #[must_use]
    pub const fn is_march_column(self) -> bool {
        matches!(self, Self::CompanyColumn | Self::Column)
    }
}

/// The columns of the terrain matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Foot in close order.
    Infantry,
    /// Foot in skirmish order.
    Skirmishers,
    /// Horse.
    Cavalry,
    /// Guns, gunners on foot.
    FootArtillery,
    /// Guns, gunners mounted.
    HorseArtillery,
}

/// A body, as ground sees it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Troops {
    /// Its arm; infantry unless said otherwise.
    #[serde(default, deserialize_with = "arm::on_ground")]
    #[schemars(with = "arm::GroundWord")]
    pub arm: Arm,
    /// Its formation; company column unless said otherwise.
    #[serde(default = "march_column")]
    pub formation: Formation,
    /// Its state.
    #[serde(default)]
    pub state: State,
    /// Its quality.
    #[serde(default)]
    pub status: Status,
    /// Figures in its first rank.
    pub front: Option<Whole<1, 999>>,
    /// Its ranks, one behind the other.
    pub ranks: Option<Whole<1, 99>>,
}

const fn march_column() -> Formation {
    Formation::CompanyColumn
}

impl Troops {
    /// A formed body of this arm and formation.
    #[must_use]
    pub fn new(arm: Arm, formation: Formation) -> Self {
        Self { arm, formation, state: State::Formed, status: Status::Regular, front: None, ranks: None }
    }

    /// With this front.
    #[must_use]
    pub fn front(mut self, figures: i32) -> Self {
        self.front = Whole::new(figures);
        self
    }

    /// With so many ranks.
    #[must_use]
    pub fn ranks(mut self, ranks: i32) -> Self {
        self.ranks = Whole::new(ranks);
        self
    }

    /// In this state.
    #[must_use]
    pub fn in_state(mut self, state: State) -> Self {
        self.state = state;
        self
    }

    /// Of this quality.
    #[must_use]
    pub fn of_status(mut self, status: Status) -> Self {
        self.status = status;
        self
    }

    /// Its column in the terrain matrix.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self.arm {
            Arm::Infantry if self.formation == Formation::Skirmish => Kind::Skirmishers,
            Arm::Infantry => Kind::Infantry,
            Arm::Cavalry | Arm::Cuirassiers | Arm::Officer => Kind::Cavalry,
            Arm::FootArtillery => Kind::FootArtillery,
            Arm::HorseArtillery => Kind::HorseArtillery,
        }
    }

    /// Whether it is foot in skirmish order.
    #[must_use]
    pub fn skirmishes(&self) -> bool {
        self.kind() == Kind::Skirmishers
    }

    /// Figures abreast: as said; guns and single riders are one.
    ///
    /// # Errors
    /// When nobody said how many, and the formation does not tell.
    pub fn abreast(&self) -> Verdict<i32> {
        let one = self.arm.is_artillery() || self.formation == Formation::Single;
        self.front
            .map(Whole::get)
            .or(one.then_some(1))
            .ok_or_else(|| Refusal::field("front", phrase::FRONT_NEEDED))
    }

    /// Its ranks: as said, or those its formation always has.
    ///
    /// # Errors
    /// When nobody said how many, and the formation does not tell.
    pub fn deep(&self) -> Verdict<i32> {
        self.ranks
            .map(Whole::get)
            .or(self.formation.ranks())
            .ok_or_else(|| Refusal::field("ranks", phrase::RANKS_NEEDED))
    }

    /// The depth of one rank (TE-R92).
    #[must_use]
    pub fn base_depth(&self) -> Centimetres {
        Centimetres::hundredths(if self.arm == Arm::Infantry { 250 } else { 500 })
    }
}

/// The word for an arm.
#[must_use]
pub fn arm_word(kind: Kind) -> Phrase {
    match kind {
        Kind::Infantry => phrase::ARM_INFANTRY,
        Kind::Skirmishers => phrase::ARM_SKIRMISHERS,
        Kind::Cavalry => phrase::ARM_CAVALRY,
        Kind::FootArtillery => phrase::ARM_FOOT_ARTILLERY,
        Kind::HorseArtillery => phrase::ARM_HORSE_ARTILLERY,
    }
}
