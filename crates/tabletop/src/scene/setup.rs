//! The table as a person writes it: size, terrain, bodies and what each did in the half-period.

use kernel::{Centimetres, Losses, Whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::muster::Muster;
use super::record::Record;
use super::terrain::ElementSetup;
pub use crate::fire::State;
use crate::geometry::{Facing, Point};

/// A described table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// Its name.
    pub name: String,
    /// What happens there.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub story: String,
    /// West to east.
    pub width: Centimetres,
    /// South to north.
    pub depth: Centimetres,
    /// The terrain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terrain: Vec<ElementSetup>,
    /// The bodies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<BodySetup>,
}

/// The two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Blue.
    Blue,
    /// Red.
    Red,
}

impl Side {
    /// The other one.
    #[must_use]
    pub const fn enemy(self) -> Self {
        match self {
            Self::Blue => Self::Red,
            Self::Red => Self::Blue,
        }
    }
}

/// Figures that stand together under one loss marker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BodySetup {
    /// Its name, unlike any other on the table.
    pub id: String,
    /// What players call it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Whose it is.
    pub side: Side,
    /// The unit it is detached from, if it is (FE-2.2-09).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What it is.
    pub troops: Muster,
    /// Its status.
    #[serde(default)]
    pub status: Status,
    /// Its morale; that of its status unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub morale: Option<Whole<0, 20>>,
    /// Its state.
    #[serde(default)]
    pub state: State,
    /// What it is undergoing beside its state.
    #[serde(default)]
    pub situation: Situation,
    /// The formation it is changing into (FE-1.5-11).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changing_to: Option<Formation>,
    /// Where it stands now, when the fire phase opens.
    pub place: Place,
    /// Its order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Order>,
    /// Losses not yet converted into figures: 0 to 35, or 40 with the option `figure_lost_at_40`.
    #[serde(default)]
    pub marker: Losses,
    /// Figures lost in the game, and those of them lost to ball.
    #[serde(default)]
    pub lost: Figures,
    /// What it did in this half-period.
    #[serde(default)]
    pub record: Record,
}

/// Counts of figures lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Figures {
    /// All figures lost in the game.
    #[serde(default)]
    pub all: u16,
    /// Those lost to ball.
    #[serde(default)]
    pub to_ball: u16,
}

/// What troops are made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Irregular.
    Irregular,
    /// Regular.
    #[default]
    Regular,
    /// Elite.
    Elite,
    /// Guard.
    Guard,
}

/// What a body undergoes beside its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Situation {
    /// Nothing.
    #[default]
    Steady,
    /// Stopped by a rally test and not yet re-formed.
    Rallying,
    /// Retreating.
    Retreating,
    /// Routing.
    Routing,
    /// Fleeing.
    Fleeing,
}

/// Formations of all arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Formation {
    /// A column of companies, one behind the other; the march column.
    CompanyColumn,
    /// Two companies abreast.
    DivisionColumn,
    /// A closed column of companies.
    ClosedColumn,
    /// A column of cavalry.
    Column,
    /// One rank.
    Line,
    /// Two ranks.
    DoubleLine,
    /// A hollow square.
    HollowSquare,
    /// A full square.
    FullSquare,
    /// Skirmish order.
    Skirmish,
    /// Cavalry in open order.
    Foragers,
    /// Guns behind their teams.
    Limbered,
    /// Guns in position.
    InPosition,
    /// A single mounted figure.
    Single,
}

/// Where a body is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// In formation.
    Stand(Stand),
    /// Each base by itself: a line bent along a crest, a loose screen.
    Bases(Bases),
    /// In a house.
    Garrison(GarrisonAt),
}

/// A formation on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Stand {
    /// The middle of the front edge of its first rank.
    pub at: Point,
    /// Where it faces.
    pub facing: Facing,
    /// Its formation.
    pub formation: Formation,
    /// Figures in each full rank; what the formation gives unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub front: Option<Whole<1, 60>>,
}

/// Bases placed one by one, in the order of the companies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bases {
    /// Their formation.
    pub formation: Formation,
    /// Each of them.
    pub bases: Vec<BaseAt>,
}

/// One base.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BaseAt {
    /// The middle of its front edge.
    pub at: Point,
    /// Where it faces.
    pub facing: Facing,
    /// Its rank, the first unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<Whole<0, 59>>,
}

/// A body in a house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GarrisonAt {
    /// The house.
    pub house: String,
    /// Who stands where; figures not posted are the reserve.
    pub posts: Vec<Post>,
    /// What the garrison is busy with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<Busy>,
}

/// Figures of a company on one side of a house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Post {
    /// The side, 0 to 3.
    pub side: Whole<0, 3>,
    /// The company.
    pub company: String,
    /// How many of its figures.
    pub figures: Whole<1, 60>,
    /// Whether they are being moved, and so do not fire (TE-5.2-24).
    #[serde(default)]
    pub moving: bool,
}

/// What a garrison is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Busy {
    /// The action.
    pub action: HouseAction,
    /// Quarters left.
    pub quarters: Whole<0, 4>,
}

/// Actions at a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum HouseAction {
    /// Going in.
    Entering,
    /// Shifting figures between sides.
    Repositioning,
    /// Changing places with another unit.
    Relieving,
    /// Going out.
    Leaving,
}

/// An order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Order {
    /// Which one.
    pub kind: OrderKind,
    /// The body or terrain element to support, cover, defend, sustain or deny.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
}

/// The orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderKind {
    /// Attack.
    Attack,
    /// Support.
    Support,
    /// Cover.
    Cover,
    /// Defend.
    Defend,
    /// Sustain.
    Sustain,
    /// Deny.
    Deny,
    /// March.
    March,
    /// Fall back.
    FallBack,
    /// Rest.
    Rest,
}
