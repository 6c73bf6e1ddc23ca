//! What a player may decide (section 3 of the game page), in the order of the phases.

use kernel::{Centimetres, Freedom, Topic};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tabletop::geometry::{Facing, Point};

use crate::lists::{self, Line};
use crate::terms::Item;

use super::plan::{ElementId, Slot};
use super::state::{CharacterId, Place, UnitId, Whereabouts, WorkId};

/// So far from the table nothing is measured, in hundredths of a centimetre.
const BEYOND: i64 = 40_000;

/// The way of one stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// Which stand of the unit.
    pub stand: u8,
    /// Up to three waypoints of its centre.
    #[serde(default)]
    pub via: Vec<Point>,
    /// Where it ends.
    pub to: Place,
}

/// The move of a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Move {
    /// Which.
    pub unit: UnitId,
    /// Its stands; those not listed stay. Of a unit with a covered machine the stands follow the machine.
    pub stands: Vec<Way>,
    /// The covered machine: the middle of its front edge, and its facing.
    pub machine: Option<(Point, Facing)>,
}

/// What is charged (4.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// A unit on the ground.
    Unit(UnitId),
    /// A section, from outside.
    Wall(ElementId),
    /// A section, from the courtyard.
    Inside(ElementId),
    /// A section, along the rampart.
    Along(ElementId),
    /// A tower, from one of its sides: a slot, or the section beside it.
    TowerSide(ElementId, TowerSide),
    /// An element, with a ram.
    Ram(ElementId),
}

/// A side of a tower.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TowerSide {
    /// From the ground at a slot.
    Slot(Slot),
    /// From the section beside it.
    Section(ElementId),
}

/// A charge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Charge {
    /// Who.
    pub unit: UnitId,
    /// What.
    pub target: Target,
    /// Sections attacked besides, at most two.
    #[serde(default)]
    pub extra: Vec<ElementId>,
    /// Whether stands without contact envelop the flank.
    #[serde(default)]
    pub envelop: bool,
}

/// How an attack is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// Oil or rocks.
    Oil,
    /// Shots.
    Shoot,
}

/// A spell, and at whom it is cast (core 12.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Spell {
    /// A line of fire over an enemy.
    FireLine(UnitId),
    /// A friend moves.
    CommandVoice(UnitId),
    /// An enemy is in dread.
    Dread(UnitId),
    /// The Wizard himself goes elsewhere.
    Teleport(Whereabouts),
}

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    // 3.1 Before the first turn
    /// The ready-made army is taken.
    TakeDefaultArmy,
    /// A unit or a character is written down.
    BuyUnit {
        /// Its line.
        line: Line,
        /// Skirmishers, a mount or whatever else it has.
        attached: Option<Line>,
    },
    /// It is struck out again, by its place in the list.
    RemoveUnit(u8),
    /// Siege equipment or an engine is written down.
    BuyItem(lists::Item),
    /// It is struck out again.
    RemoveItem(lists::Item),
    /// The list is done.
    ArmyDone,
    /// The entrance of the watchtower.
    DeclareSide(Slot),
    /// An earthwork is placed.
    PlaceWork {
        /// The middle of its front edge.
        front: Point,
        /// Where it faces.
        facing: Facing,
    },
    /// Oil or rocks are laid ready.
    PlaceOil(ElementId),
    /// The remaining works as the ready-made set-up has them.
    PlaceTheRest,
    /// The remaining works are given up.
    GiveUpWorks,
    /// Another unit is taken in hand.
    PickUnit(UnitId),
    /// A unit is set up.
    Deploy {
        /// Which.
        unit: UnitId,
        /// Its stands, in their order.
        places: Vec<Place>,
        /// Its covered machine.
        machine: Option<(Point, Facing)>,
        /// What it is given to carry.
        item: Item,
    },
    /// There is no place for it.
    LeaveOut(UnitId),
    /// Rangers are held back, to appear later.
    HoldBack(UnitId),
    /// The remaining units as the ready-made set-up has them.
    DeployTheRest,
    /// A character is set up.
    DeployCharacter {
        /// Who.
        character: CharacterId,
        /// Where.
        place: Whereabouts,
    },

    // 3.2 Command phase
    /// A charge by initiative.
    InitiativeCharge(Charge),
    /// A unit goes out of the way.
    InitiativeEvade {
        /// Which.
        unit: UnitId,
        /// How far.
        distance: Centimetres,
    },
    /// A machine or a portable ram moves against the works by initiative.
    InitiativeMachine {
        /// Whose.
        unit: UnitId,
        /// Against what.
        element: ElementId,
    },
    /// No more moves by initiative.
    EndInitiative,
    /// A flyer returns towards a character.
    HomeBack {
        /// Which.
        unit: UnitId,
        /// To whom.
        character: CharacterId,
    },
    /// It stays where it is.
    Stay(UnitId),
    /// A character takes command.
    TakeCommand(CharacterId),
    /// An order to a unit or a brigade.
    Order(Vec<UnitId>),
    /// An order that turns a siege engine.
    TurnEngine {
        /// Which.
        unit: UnitId,
        /// To where.
        facing: Facing,
    },
    /// An order that brings held-back Rangers onto the table.
    Infiltrate {
        /// Which.
        unit: UnitId,
        /// Where its stands appear.
        places: Vec<Place>,
    },
    /// The character has done.
    Dismiss,
    /// No more orders.
    EndOrders,
    /// A unit leaves what it carries.
    Abandon(UnitId),
    /// The units of the order move.
    March(Vec<Move>),
    /// A unit of the order charges.
    Charge(Charge),
    /// A unit of the order climbs onto empty sections.
    Climb {
        /// Which.
        unit: UnitId,
        /// Where, in plan order.
        elements: Vec<ElementId>,
    },
    /// A unit of the order leaves by the exit edge.
    Exit(UnitId),
    /// No further move.
    Halt,
    /// The unit that a blunder falls on next.
    BlunderChoice(UnitId),
    /// A character moves.
    MoveCharacter {
        /// Who.
        character: CharacterId,
        /// Where to.
        to: Whereabouts,
    },
    /// No more moves of characters.
    EndCharacters,

    // 3.3 Shooting phase
    /// A unit shoots.
    Shoot {
        /// Who.
        unit: UnitId,
        /// At whom.
        target: UnitId,
    },
    /// A gun shoots at the works.
    Bombard {
        /// Which.
        unit: UnitId,
        /// What.
        element: ElementId,
        /// Whether it is the leaf of the gate.
        leaf: bool,
    },
    /// No more shots.
    EndShooting,
    /// A unit is driven back.
    DriveBack(UnitId),
    /// Whether a friend makes way.
    MakeWay(bool),

    // 3.4 Combat phase
    /// Stands dig at earthworks.
    Dig {
        /// Whose.
        unit: UnitId,
        /// Which stand at which section.
        works: Vec<(u8, WorkId)>,
    },
    /// No more digging.
    EndDig,
    /// The fight of this unit is next.
    Fight(UnitId),
    /// A ramming attempt.
    Ram(UnitId),
    /// No attempt in this turn.
    WaiveRam(UnitId),
    /// A unit reacts.
    React {
        /// Which.
        unit: UnitId,
        /// How.
        answer: Answer,
    },
    /// Nobody else reacts.
    Decline,
    /// Through the opening: a charge, or nothing.
    RamAdvance(Option<Charge>),
    /// Through the opening without a charge.
    RamMarch(Move),
    /// Stands of a tower are assigned to the attacked sides.
    Assign(Vec<u8>),
    /// A stand is removed.
    RemoveStand(u8),
    /// The part of the unit with this stand keeps the odd hits.
    KeepOddHits(u8),
    /// A unit falls back.
    FallBack(Move),
    /// A unit stands.
    Stand(UnitId),
    /// A unit pursues.
    Pursue(UnitId),
    /// A tower is attacked on.
    Continue,
    /// It is not.
    Stop,
    /// A unit advances.
    Advance(UnitId),
    /// It charges.
    AdvanceCharge(Charge),
    /// It does not.
    AdvanceNone,
    /// A unit reforms.
    Reform {
        /// Which.
        unit: UnitId,
        /// The stand that stays.
        stand: u8,
        /// The others.
        places: Vec<(u8, Place)>,
    },
    /// It stays as it is.
    Keep(UnitId),

    // 3.5 Interrupts
    /// A character joins a unit.
    Escape(UnitId),
    /// The unit in the tower that is shot at.
    NameTarget(UnitId),

    // Where options leave more to be decided
    /// A unit about to be set up is given an item besides the one it uses (BR-R73).
    AddItem {
        /// Which.
        unit: UnitId,
        /// What.
        item: Item,
    },
    /// Whom a stand strikes that touches several (BR-R81).
    Strike {
        /// Whose.
        unit: UnitId,
        /// Which stand.
        stand: u8,
        /// Whom.
        target: UnitId,
    },
    /// A Wizard casts a spell.
    Cast {
        /// Who.
        character: CharacterId,
        /// What.
        spell: Spell,
    },
    /// Whether the Runesmith tries to cancel it.
    Dispel(bool),
}

impl Action {
    /// The unit it is about.
    #[must_use]
    pub fn unit(&self) -> Option<UnitId> {
        match self {
            Self::PickUnit(unit)
            | Self::Deploy { unit, .. }
            | Self::LeaveOut(unit)
            | Self::HoldBack(unit)
            | Self::Infiltrate { unit, .. }
            | Self::InitiativeEvade { unit, .. }
            | Self::InitiativeMachine { unit, .. }
            | Self::HomeBack { unit, .. }
            | Self::Stay(unit)
            | Self::TurnEngine { unit, .. }
            | Self::Abandon(unit)
            | Self::Climb { unit, .. }
            | Self::Exit(unit)
            | Self::BlunderChoice(unit)
            | Self::Shoot { unit, .. }
            | Self::Bombard { unit, .. }
            | Self::DriveBack(unit)
            | Self::Dig { unit, .. }
            | Self::Fight(unit)
            | Self::Ram(unit)
            | Self::WaiveRam(unit)
            | Self::React { unit, .. }
            | Self::Stand(unit)
            | Self::Pursue(unit)
            | Self::Advance(unit)
            | Self::Reform { unit, .. }
            | Self::Keep(unit)
            | Self::Escape(unit)
            | Self::NameTarget(unit)
            | Self::AddItem { unit, .. }
            | Self::Strike { unit, .. } => Some(*unit),
            Self::InitiativeCharge(charge)
            | Self::Charge(charge)
            | Self::AdvanceCharge(charge)
            | Self::RamAdvance(Some(charge)) => Some(charge.unit),
            Self::FallBack(step) | Self::RamMarch(step) => Some(step.unit),
            Self::Order(units) => units.first().copied(),
            Self::March(moves) => moves.first().map(|step| step.unit),
            _ => None,
        }
    }

    /// Its kind and the unit it is about.
    #[must_use]
    pub fn topic(&self) -> Topic {
        let topic = Topic::named(self);
        self.unit().map_or(topic, |unit| topic.about(unit.0))
    }

    /// Whether all decisions of its kind are listed.
    #[must_use]
    pub const fn freedom(&self) -> Freedom {
        match self {
            Self::PlaceWork { .. }
            | Self::Deploy { .. }
            | Self::DeployCharacter { .. }
            | Self::InitiativeCharge(_)
            | Self::InitiativeEvade { .. }
            | Self::Order(_)
            | Self::TurnEngine { .. }
            | Self::Infiltrate { .. }
            | Self::March(_)
            | Self::Charge(_)
            | Self::Climb { .. }
            | Self::MoveCharacter { .. }
            | Self::Dig { .. }
            | Self::Assign(_)
            | Self::FallBack(_)
            | Self::AdvanceCharge(_)
            | Self::RamAdvance(_)
            | Self::RamMarch(_)
            | Self::Reform { .. }
            | Self::Cast { .. } => Freedom::Free,
            _ => Freedom::Listed,
        }
    }

    /// Whether it names a place far beyond the table.
    pub(crate) fn is_beyond(&self) -> bool {
        let far = |point: &Point| point.x.abs() > BEYOND || point.y.abs() > BEYOND;
        let aloft = |place: &Place| matches!(place, Place::Ground { front, .. } if far(front));
        let strays = |step: &Move| {
            step.machine.is_some_and(|(front, _)| far(&front))
                || step.stands.iter().any(|way| way.via.iter().any(far) || aloft(&way.to))
        };
        match self {
            Self::PlaceWork { front, .. } => far(front),
            Self::Deploy { places, machine, .. } => {
                places.iter().any(aloft) || machine.is_some_and(|(front, _)| far(&front))
            }
            Self::DeployCharacter { place: Whereabouts::At(point), .. }
            | Self::MoveCharacter { to: Whereabouts::At(point), .. }
            | Self::Cast { spell: Spell::Teleport(Whereabouts::At(point)), .. } => far(point),
            Self::March(moves) => moves.iter().any(strays),
            Self::FallBack(step) | Self::RamMarch(step) => strays(step),
            Self::Reform { places, .. } => places.iter().any(|(_, place)| aloft(place)),
            Self::Infiltrate { places, .. } => places.iter().any(aloft),
            _ => false,
        }
    }
}
