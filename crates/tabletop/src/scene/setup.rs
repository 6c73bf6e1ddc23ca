//! The table as a person writes it: size, terrain, bodies and what each did in the half-period.

use kernel::{Centimetres, Losses, Whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::terrain::ElementSetup;
pub use crate::fire::State;
use crate::fire::{self, SmallArm};
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
    pub troops: Troops,
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

/// What a body is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Troops {
    /// Foot.
    Infantry(Drill),
    /// Horse.
    Cavalry(Weight),
    /// Guns.
    Artillery(Battery),
    /// A general or an aide.
    Officer(Officer),
}

/// The arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Foot.
    Infantry,
    /// Horse.
    Cavalry,
    /// Guns.
    Artillery,
    /// A single officer.
    Officer,
}

/// Infantry: its drill and its companies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drill {
    /// Its class of movement.
    #[serde(default)]
    pub class: DrillClass,
    /// Its companies, in the order they stand from left to right or from front to rear.
    pub companies: Vec<Company>,
}

/// Classes of infantry movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DrillClass {
    /// French, British, Prussian.
    #[default]
    A,
    /// Austrian, Russian.
    B,
    /// Militia, landwehr.
    C,
}

/// Cavalry: its weight and its squadrons.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Weight {
    /// Its class.
    pub class: WeightClass,
    /// Whether it wears the cuirass.
    #[serde(default)]
    pub cuirass: bool,
    /// Whether it carries lances.
    #[serde(default)]
    pub lance: bool,
    /// Its squadrons.
    pub companies: Vec<Company>,
}

/// Classes of cavalry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WeightClass {
    /// Light.
    Light,
    /// Medium.
    Medium,
    /// Heavy.
    Heavy,
    /// Irregular horse.
    Irregular,
}

/// A company or squadron: figures of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Company {
    /// Its name.
    pub name: String,
    /// Its figures now.
    pub figures: Whole<0, 60>,
    /// Its figures at the start of the game; those it has now unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial: Option<Whole<1, 60>>,
    /// Its base fire factor.
    pub fire: Whole<-5, 15>,
    /// Its base melee value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub melee: Option<Whole<-5, 15>>,
    /// What it fires with; what its arm carries unless told: infantry the musket, cavalry the
    /// musketoon (FE-1.1-02, FE-1.1-03).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weapon: Option<Weapon>,
    /// Whether its figures are elite.
    #[serde(default)]
    pub elite: bool,
    /// Whether they are sappers.
    #[serde(default)]
    pub sappers: bool,
    /// Whether they are light infantry, for the option `skirmish_die`.
    #[serde(default)]
    pub light: bool,
}

impl Company {
    /// What its figures fire with in a body of that arm.
    #[must_use]
    pub fn carries(&self, arm: Arm) -> Weapon {
        self.weapon.unwrap_or(if arm == Arm::Cavalry { Weapon::Musketoon } else { Weapon::Musket })
    }
}

/// What a figure fires with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Weapon {
    /// The infantry musket.
    Musket,
    /// The rifle.
    Rifle,
    /// The cavalry musketoon.
    Musketoon,
    /// Nothing.
    None,
}

impl Weapon {
    /// The small arm, if it is one.
    #[must_use]
    pub const fn small_arm(self) -> Option<SmallArm> {
        match self {
            Self::Musket => Some(SmallArm::Musket),
            Self::Rifle => Some(SmallArm::Rifle),
            Self::Musketoon => Some(SmallArm::Musketoon),
            Self::None => None,
        }
    }
}

/// Calibres in pounds of ball, as they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Calibre {
    #[serde(rename = "calibre-3")]
    Three,
    #[serde(rename = "calibre-4")]
    Four,
    #[serde(rename = "calibre-6")]
    Six,
    #[serde(rename = "calibre-8")]
    Eight,
    #[serde(rename = "calibre-9")]
    Nine,
    #[serde(rename = "calibre-12")]
    Twelve,
}

impl Calibre {
    /// The calibre as the fire chapter knows it.
    #[must_use]
    pub const fn gun(self) -> fire::Calibre {
        match self {
            Self::Three => fire::Calibre::Three,
            Self::Four => fire::Calibre::Four,
            Self::Six => fire::Calibre::Six,
            Self::Eight => fire::Calibre::Eight,
            Self::Nine => fire::Calibre::Nine,
            Self::Twelve => fire::Calibre::Twelve,
        }
    }
}

/// How guns are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GunTeam {
    /// Foot artillery.
    #[default]
    Foot,
    /// Horse artillery.
    Horse,
}

/// A battery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Battery {
    /// Its calibre.
    pub calibre: Calibre,
    /// Its pieces.
    pub guns: Whole<1, 24>,
    /// Gunner figures left; those of the table of crews unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crew: Option<Whole<0, 12>>,
    /// Gunner figures at the start; those of the table of crews unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_crew: Option<Whole<1, 12>>,
    /// Its base fire factor.
    pub fire: Whole<-5, 15>,
    /// Its base melee value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub melee: Option<Whole<-5, 15>>,
    /// How it is drawn.
    #[serde(default)]
    pub team: GunTeam,
    /// Whether it has howitzers.
    #[serde(default)]
    pub howitzers: bool,
    /// Its budget.
    #[serde(default)]
    pub budget: u32,
}

/// A general or an aide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Officer {
    /// A general, or an aide if not.
    #[serde(default = "yes")]
    pub general: bool,
    /// His command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Whole<0, 5>>,
    /// His charisma.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charisma: Option<Whole<0, 5>>,
    /// His budget.
    #[serde(default)]
    pub budget: u32,
}

const fn yes() -> bool {
    true
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

/// What a body did in the half-period that ends now. Nothing written means that it stood still.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Where it was at the start of the half-period, if elsewhere than at the end of Q1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<Place>,
    /// Where it was at the end of Q1, if elsewhere than now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub middle: Option<Place>,
    /// The path moved in Q1; the straight distance unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_q1: Option<Centimetres>,
    /// The path moved in Q2; the straight distance unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_q2: Option<Centimetres>,
    /// Other actions that cost a quarter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<Action>,
    /// In melee at any time of Q1.
    #[serde(default)]
    pub melee_q1: bool,
    /// In melee at any time of Q2.
    #[serde(default)]
    pub melee_q2: bool,
    /// The enemies that fired at it in the previous fire phase.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fired_at_by: Vec<String>,
    /// Whether the enemy knows of it though it is in a wood or house (TE-R30).
    #[serde(default)]
    pub revealed: bool,
    /// Crossing at a ford (TE-6.3-07).
    #[serde(default)]
    pub at_ford: bool,
    /// In its reaction quarter (TE-R53).
    #[serde(default)]
    pub reacting: bool,
    /// Inside a house that the enemy holds, the house it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inside: Option<String>,
    /// The enemy it came into contact with in this half-period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contact: Option<Contact>,
}

/// An action other than a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Action {
    /// The quarter, 1 or 2.
    pub quarter: Whole<1, 2>,
    /// What was done.
    pub kind: ActionKind,
}

/// Actions that break stillness (FE-R07).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ActionKind {
    /// Turned.
    Pivot,
    /// Limbered or unlimbered.
    Limber,
    /// Changed formation.
    ChangeFormation,
    /// Rallied.
    Rally,
    /// Re-formed.
    Reform,
    /// An action at a house.
    House,
}

/// How an enemy was reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Contact {
    /// The enemy.
    pub with: String,
    /// By a charge.
    #[serde(default)]
    pub charging: bool,
    /// The path from the start of the half-period to contact, in movement cost; the straight
    /// distance between the two places unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub length: Option<Centimetres>,
    /// Its base move for a quarter; that of its troops unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quarter_move: Option<Centimetres>,
    /// Its charge bonus; that of its troops unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bonus: Option<Centimetres>,
    /// The last part of the path along which it was seen and in range; judged on the table unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<Centimetres>,
    /// Whether it spent a quarter of this half-period still, in view and in range, before starting.
    #[serde(default)]
    pub waited: bool,
}
