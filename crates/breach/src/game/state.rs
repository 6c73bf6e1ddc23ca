//! What is on the table (section 1 of the game page): units and their stands, characters, the fortress,
//! earthworks, and what is being done. Plain data; nothing of the dice to come.

use kernel::Centimetres;
use rulebook::options::breach::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tabletop::geometry::{Facing, Point};

use crate::command::{Blunder, Character as Rank};
use crate::lists::Line;
use crate::scenario::{Scenario, Side};
use crate::terms::Item;

use super::action::{Answer, Charge, Spell};
use super::muster::ArmyList;
use super::plan::{ElementId, Slot};
use super::profile::Troop;

/// A unit, by its place in the table's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct UnitId(pub u8);

/// A character, by his place in the table's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct CharacterId(pub u8);

/// A section of earthworks, by its place in the table's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct WorkId(pub u8);

/// A set of units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct UnitSet(pub u64);

impl UnitSet {
    /// One unit.
    #[must_use]
    pub const fn one(unit: UnitId) -> Self {
        Self(if unit.0 < 64 { 1 << unit.0 } else { 0 })
    }

    /// These and one more.
    #[must_use]
    pub const fn with(self, unit: UnitId) -> Self {
        Self(self.0 | Self::one(unit).0)
    }

    /// Whether the unit is one of them.
    #[must_use]
    pub const fn has(self, unit: UnitId) -> bool {
        self.0 & Self::one(unit).0 != 0
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These and others.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These but for others.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The first of them.
    #[must_use]
    pub fn first(self) -> Option<UnitId> {
        self.iter().next()
    }

    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = UnitId> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let next = u8::try_from(left.trailing_zeros()).ok().filter(|_| left != 0)?;
            left &= left - 1;
            Some(UnitId(next))
        })
    }
}

impl FromIterator<UnitId> for UnitSet {
    fn from_iter<T: IntoIterator<Item = UnitId>>(units: T) -> Self {
        units.into_iter().fold(Self::default(), Self::with)
    }
}

/// Over which edge a stand on a rampart looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Look {
    /// Outwards.
    Out,
    /// Into the courtyard.
    In,
}

/// Where a stand is (4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// On the ground.
    Ground {
        /// The middle of its front edge.
        front: Point,
        /// Where it faces.
        facing: Facing,
    },
    /// On a rampart.
    Rampart {
        /// Which section.
        element: ElementId,
        /// Over which edge it looks.
        look: Look,
    },
    /// In a tower.
    Tower {
        /// Which.
        element: ElementId,
    },
    /// Not yet set up.
    Reserve,
    /// Forced off the table; it may come back.
    Off,
    /// Out by the exit edge.
    Out,
    /// Removed.
    Dead,
}

impl Place {
    /// The element it is on or in.
    #[must_use]
    pub const fn element(self) -> Option<ElementId> {
        match self {
            Self::Rampart { element, .. } | Self::Tower { element } => Some(element),
            _ => None,
        }
    }

    /// How high it is: on the ground, on a rampart, in a tower.
    #[must_use]
    pub const fn level(self) -> u8 {
        match self {
            Self::Rampart { .. } => 1,
            Self::Tower { .. } => 2,
            _ => 0,
        }
    }

    /// Whether it is on the table.
    #[must_use]
    pub const fn is_on_table(self) -> bool {
        matches!(self, Self::Ground { .. } | Self::Rampart { .. } | Self::Tower { .. })
    }
}

/// A place at the foot of the works where a stand attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Post {
    /// The element.
    pub element: ElementId,
    /// Which of its slots.
    pub slot: Slot,
}

/// A stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Stand {
    /// Where it is.
    pub place: Place,
    /// The slot it is posted at.
    pub post: Option<Post>,
}

/// The most stands of a unit.
pub const STANDS: usize = 4;

/// What weighs on a unit in a turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Marks {
    /// Confused until the end of its next own Command phase.
    pub confused: bool,
    /// Burst through by friends: confused until the end of this Command phase.
    pub shaken: bool,
    /// It has moved by initiative.
    pub initiative: bool,
    /// It has charged, climbed or lost its orders: no more of them in this phase.
    pub finished: bool,
    /// It has charged in this player turn: the bonus of the first round, and no protection.
    pub charged: bool,
    /// It has advanced in this phase.
    pub advanced: bool,
    /// It has shot, or may not.
    pub shot: bool,
    /// It is in close combat.
    pub engaged: bool,
    /// It has fought in this phase.
    pub fought: bool,
    /// It has dug, reformed or made its attempt with a ram in this phase.
    pub worked: bool,
    /// The one move of its machine, portable ram or mantlets is made.
    pub moved_once: bool,
    /// It was driven back, or may not be, in this phase.
    pub driven: bool,
    /// It has lost the protection of its ground: it charged, advanced, pursued or retreated.
    pub exposed: bool,
    /// A collapse has split it: its groups are units of their own until the end of the Combat phase.
    pub split: bool,
    /// A retreat has split it.
    pub torn: bool,
    /// There was no place for it: it takes no part.
    pub left_out: bool,
    /// Held back, to appear by an order.
    pub held: bool,
    /// Set up where its enemies do not see it yet.
    pub veiled: bool,
    /// Home back was answered in this phase.
    pub homed: bool,
    /// A spell fills it with dread until the end of its own next turn.
    pub dread: bool,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Unit {
    /// Whose.
    pub side: Side,
    /// Its number in the list of its side: `e4`.
    pub number: u8,
    /// What it is.
    pub troop: Troop,
    /// Its stands; those it began with are first, and a dead one keeps its number.
    pub stands: [Stand; 4],
    /// Stands it began with.
    pub began: u8,
    /// Whether its last stand is an attached skirmisher.
    pub skirmisher: bool,
    /// What it carries.
    pub item: Item,
    /// What the ready-made army gives it to carry.
    pub wish: Item,
    /// What it has besides, the next to be used first (BR-R73).
    pub spare: [Item; 2],
    /// Where its covered machine stands.
    pub machine: Option<(Point, Facing)>,
    /// Unsaved hits on the machine in this phase.
    pub machine_hits: u8,
    /// Hits that are not enough for a stand.
    pub odd_hits: u8,
    /// Unsaved hits by shots in this phase.
    pub shot_hits: u8,
    /// The nearest stand that shot at it in this phase, and how far it was.
    pub shot_from: Option<(Point, u16)>,
    /// Hits that count in the first round.
    pub before: u8,
    /// Blunders that weigh on it.
    pub penalty: u8,
    /// Orders it has received in this phase.
    pub orders: u8,
    /// It attacks along the rampart, or a side of a tower from it: towards this element.
    pub along: Option<ElementId>,
    /// How far the enemy went whom it pursues, for the next round.
    pub pursues: Option<u8>,
    /// After a collapse: the stands that keep the odd hits, as bits.
    pub hits_on: u8,
    /// Where it was forced off the table.
    pub left_at: Option<Point>,
    /// The spells that have affected it in this turn, as bits.
    pub spells: u8,
    /// Whatever else weighs on it.
    pub marks: Marks,
}

/// Where a character is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Whereabouts {
    /// With a unit.
    With(UnitId),
    /// On the ground.
    At(Point),
    /// On an element.
    On(ElementId),
    /// Not yet set up.
    Reserve,
    /// Out by the exit edge.
    Out,
    /// Slain.
    Slain,
}

/// A character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Character {
    /// Whose.
    pub side: Side,
    /// His number in the list of his side.
    pub number: u8,
    /// His line.
    pub line: Line,
    /// Where he is.
    pub place: Whereabouts,
    /// He gives no more orders in this phase.
    pub done: bool,
    /// He has moved in this phase.
    pub moved: bool,
    /// What he rides, or what he works with.
    pub mount: Option<Line>,
    /// The spell he has in this turn.
    pub casting: Casting,
}

/// What a Wizard may still cast in a turn (core 12).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Casting {
    /// Any one spell.
    #[default]
    Any,
    /// After a teleport, one other.
    Another,
    /// None.
    Done,
}

/// The state of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Works {
    /// It is a breach.
    pub down: bool,
    /// Its destruction dice.
    pub dice: u8,
    /// Hits of this phase.
    pub hits: u8,
    /// Oil or rocks lie ready.
    pub oil: bool,
    /// The leaf of the gate is destroyed.
    pub leaf_down: bool,
    /// The destruction dice of the leaf.
    pub leaf_dice: u8,
    /// Its hits of this phase.
    pub leaf_hits: u8,
    /// Troops in it have shot at a unit that assaulted beside it in this Command phase.
    pub shot_beside: bool,
}

/// A section of earthworks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Earthwork {
    /// The middle of its front edge.
    pub front: Point,
    /// Where it faces.
    pub facing: Facing,
    /// Whose it is.
    pub owner: Side,
    /// Whether it stands.
    pub standing: bool,
}

/// What a side has not placed yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Stores {
    /// Sections of earthworks.
    pub earthworks: u8,
    /// Provisions of oil or rocks.
    pub oil: u8,
    /// Ladders, mantlets, portable rams, rams, siege towers, sows.
    pub items: [u8; 6],
    /// The rest is placed without asking.
    pub rest: bool,
}

/// The table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// The scenario.
    pub scenario: Scenario,
    /// The options.
    pub options: Options,
    /// The units of both sides, the garrison's first.
    pub units: Vec<Unit>,
    /// The characters of both sides.
    pub characters: Vec<Character>,
    /// The elements, in the order of the plan.
    pub elements: Vec<Works>,
    /// Earthworks.
    pub earthworks: Vec<Earthwork>,
    /// What is not placed yet: garrison, besieger.
    pub stores: [Stores; 2],
    /// The side of the watchtower that can be attacked.
    pub entrance: Option<Slot>,
    /// Who holds the watchtower, and for how many player turns.
    pub holder: Option<(UnitId, u8)>,
    /// Stands out by the exit edge.
    pub stands_out: u8,
}

/// An order in hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct InHand {
    /// Who commands.
    pub commander: Option<CharacterId>,
    /// The units of his last order.
    pub group: Vec<UnitId>,
    /// Those that have not moved yet.
    pub waiting: Vec<UnitId>,
    /// Whether they go at half pace only.
    pub half: bool,
    /// The unit in hand while units are set up, and whether it was picked.
    pub unit: Option<UnitId>,
    /// Whose unit is set up.
    pub placing: Option<Side>,
}

/// An attack that waits for reactions.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Onset {
    /// Who attacks.
    pub unit: UnitId,
    /// What.
    pub charge: Charge,
    /// Who was charged on the ground and may shoot.
    pub charged: UnitSet,
    /// Who has reacted.
    pub reacted: UnitSet,
    /// Elements whose oil is poured.
    pub poured: u16,
    /// The first stand's place before the attack, for those who must see it.
    pub from: Point,
    /// Unsaved hits of the reactions.
    pub hits: u8,
    /// Reactions declared and not yet resolved, where all are declared first (BR-R79).
    pub declared: Vec<(UnitId, Answer)>,
    /// They are being resolved.
    pub resolving: bool,
    /// One of them has stopped the assault.
    pub failed: bool,
}

/// A unit that is forced to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Push {
    /// Which.
    pub unit: UnitId,
    /// By how much.
    pub shift: (i64, i64),
    /// Why.
    pub why: Why,
    /// Friends that do not make way.
    pub firm: UnitSet,
    /// Friends that were asked.
    pub asked: u8,
}

/// Why a unit is forced to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// Shots drive it back.
    Driven,
    /// It was beaten.
    Beaten,
    /// It draws back from the works.
    Repelled,
}

/// A fight in hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Melee {
    /// All units of it.
    pub units: UnitSet,
    /// The round, from 1.
    pub round: u8,
    /// Defending stands of a tower, by the attacked sides in plan order.
    pub assigned: Vec<u8>,
    /// The side that has won the round.
    pub winner: Option<Side>,
    /// How far the losers went.
    pub distance: u8,
    /// Winners that have chosen.
    pub chosen: UnitSet,
    /// Winners that pursue.
    pub pursuers: UnitSet,
    /// The dice of the fall back of the side that is asked.
    pub fall_back: u8,
    /// Whom stands strike, where their owner has named it (BR-R81).
    pub named: Vec<(UnitId, u8, UnitId)>,
}

/// What is to be done, the next on top.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The next scenario is set up.
    ChainNext,
    /// This side writes its list.
    Army(Side),
    /// The entrance of the watchtower is declared.
    TowerSide,
    /// Earthworks and oil are placed, by this side next.
    Works(Side),
    /// Units are set up.
    Deploy,
    /// Characters are set up.
    DeployCharacters,
    /// Who begins.
    FirstTurn,
    /// A game turn begins.
    TurnStart,
    /// A player turn begins.
    PlayerTurnStart,
    /// Moves by initiative.
    Initiative,
    /// Flyers return.
    HomeBack,
    /// Orders.
    Orders,
    /// The move of an order.
    Move,
    /// A blunder.
    Blunder(Blundered),
    /// Characters move.
    Characters,
    /// The Command phase ends.
    CommandEnd,
    /// Shots.
    Shoot,
    /// The works are tested.
    Structure(u8),
    /// Units are driven back.
    DriveBack,
    /// The Shooting phase ends.
    ShootEnd,
    /// Digging, by this side.
    Dig(Side),
    /// The next fight is chosen.
    Fights,
    /// Reactions to a ramming attempt.
    RamReaction(Ramming),
    /// The test of a ram.
    RamTest(Ramming),
    /// Through the opening.
    RamAdvance(UnitId),
    /// Stands of a tower are assigned to its sides.
    Assign,
    /// A round.
    Round,
    /// The end of a round.
    RoundEnd(Ended),
    /// The losers of a round retreat.
    Losers,
    /// Units fall back after a draw.
    Draw(Side),
    /// What the winners do.
    Winner,
    /// A charge after the destruction of the enemy.
    Advance(UnitId),
    /// A unit falls back by itself.
    Reform(Side),
    /// The Combat phase ends.
    CombatEnd,
    /// A player turn ends.
    PlayerTurnEnd,
    /// A game turn ends.
    TurnEnd,
    /// Reactions to a charge.
    Reaction(Onset),
    /// A charge is over: the fight that follows an advance.
    Charged(UnitId),
    /// A unit was stopped by the reactions and goes back.
    Repel(UnitId, u8),
    /// A character must find friends.
    Escape(CharacterId),
    /// A forced move.
    Forced(Push),
    /// A friend is in its way.
    MakeWay(Push, UnitId),
    /// The reactions to the charge of this unit are over.
    Assaulted(UnitId),
    /// Stands are lost.
    Casualty(UnitId, u8),
    /// Which unit in a tower is shot at.
    TowerTarget(UnitId, ElementId),
    /// Which part of a split unit keeps its hits.
    CollapseChoice(UnitId),
    /// Which stand a torn unit loses.
    SplitChoice(UnitId),
    /// The end.
    GameOver,
    /// This side names whom its stands strike.
    Strikes(Side),
    /// A spell that the Runesmith may cancel.
    Dispel(CharacterId, Spell),
}

/// A blunder in hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Blundered {
    /// What it was.
    pub kind: BlunderKind,
    /// Units that have not been dealt with.
    pub units: Vec<UnitId>,
}

/// Kinds of blunder with something to decide or to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BlunderKind {
    /// A unit takes -1.
    Penalty,
    /// They go out of the way.
    Away,
    /// They go for the enemy.
    Onwards,
}

impl BlunderKind {
    /// The kind of a blunder of the table, if something is done.
    pub(crate) const fn of(blunder: Blunder) -> Option<Self> {
        match blunder {
            Blunder::Minus1 => Some(Self::Penalty),
            Blunder::Away => Some(Self::Away),
            Blunder::Charge => Some(Self::Onwards),
            Blunder::Halt => None,
        }
    }
}

/// A ramming attempt in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Ramming {
    /// Who rams.
    pub unit: UnitId,
    /// What.
    pub element: ElementId,
    /// Who has reacted.
    pub reacted: UnitSet,
    /// Oil was poured.
    pub poured: bool,
    /// Unsaved hits of the reactions.
    pub hits: u8,
    /// Reactions declared and not yet resolved, where all are declared first (BR-R79).
    pub declared: [Option<(UnitId, Answer)>; 4],
    /// They are being resolved.
    pub resolving: bool,
    /// One of them has stopped the attempt.
    pub failed: bool,
}

/// A round that was fought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Ended {
    /// The side that has won it.
    pub winner: Option<Side>,
    /// How far the losers go.
    pub distance: u8,
    /// What follows.
    pub outcome: Aftermath,
}

/// What follows from a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aftermath {
    /// The losers retreat.
    Retreat,
    /// The attackers take the place.
    Taken,
    /// Nobody moves; it goes on in the next phase.
    Unresolved,
    /// Both sides fall back; at walls the flyers do.
    FallBack,
    /// The tower is held although the round is lost.
    Held,
    /// Nobody is left on one side.
    Destroyed,
}

/// How a scenario ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The watchtower was held.
    Held,
    /// The message got out.
    Exit,
    /// An army broke.
    Broken,
    /// A General fell.
    General,
    /// The points of the sections.
    Points,
    /// The last turn.
    Limit,
    /// Not enough stands are left to get out.
    NoWayLeft,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Outcome {
    /// Who has won: the scenario, or the campaign.
    pub winner: Side,
    /// Why the last scenario ended.
    pub reason: Reason,
    /// The points of garrison and besieger, where they count.
    pub points: Option<[i32; 2]>,
    /// The winners of the scenarios of a campaign.
    pub winners: Vec<Side>,
}

/// The whole game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// The table.
    pub table: Table,
    /// Whether the three scenarios are played one after the other.
    pub campaign: bool,
    /// The winners so far.
    pub winners: Vec<Side>,
    /// The lists of garrison and besieger, where they write their own.
    pub lists: [ArmyList; 2],
    /// The game turn.
    pub turn: u8,
    /// Whose player turn it is.
    pub active: Side,
    /// Who has the first turn.
    pub first: Side,
    /// What is to be done, the next on top.
    pub steps: Vec<Step>,
    /// Whose decision it is.
    pub asked: Option<Side>,
    /// The order in hand.
    pub hand: InHand,
    /// The fight in hand.
    pub melee: Melee,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

impl Unit {
    /// Its living stands on the table, by number.
    pub fn alive(&self) -> impl Iterator<Item = usize> + use<> {
        let there = self.there();
        (0..STANDS).filter(move |at| there & 1 << at != 0)
    }

    /// Its living stands on the table, as bits.
    pub(crate) fn there(&self) -> u8 {
        let bits = (0..).zip(&self.stands).filter(|(_, stand)| stand.place.is_on_table());
        bits.fold(0, |all, (at, _)| all | 1 << at)
    }

    /// How many stands are on the table.
    #[must_use]
    pub fn strength(&self) -> u8 {
        u8::try_from(self.there().count_ones()).unwrap_or(0)
    }

    /// Whether it is on the table.
    #[must_use]
    pub fn is_on_table(&self) -> bool {
        self.there() != 0
    }

    /// Stands it has lost, an attached skirmisher left out.
    #[must_use]
    pub fn lost(&self) -> u8 {
        let own = usize::from(self.began) - usize::from(self.skirmisher);
        let dead = self.stands.iter().take(own).filter(|stand| stand.place == Place::Dead).count();
        u8::try_from(dead).unwrap_or(0)
    }

    /// Whether none of its stands will ever fight again.
    #[must_use]
    pub fn is_destroyed(&self) -> bool {
        self.stands.iter().take(usize::from(self.began)).all(|stand| stand.place == Place::Dead)
    }

    /// Whether it is confused for one reason or the other.
    #[must_use]
    pub const fn is_confused(&self) -> bool {
        self.marks.confused || self.marks.shaken
    }

    /// Its name in the list of its side.
    #[must_use]
    pub fn name(&self) -> String {
        name(self.side, self.number)
    }
}

impl Character {
    /// His name in the list of his side.
    #[must_use]
    pub fn name(&self) -> String {
        name(self.side, self.number)
    }

    /// Whether he is on the table.
    #[must_use]
    pub const fn is_on_table(&self) -> bool {
        matches!(self.place, Whereabouts::With(_) | Whereabouts::At(_) | Whereabouts::On(_))
    }

    /// Whether he commands the army.
    #[must_use]
    pub fn is_general(&self) -> bool {
        super::profile::profile(self.side.army(), Troop::Line(self.line)).character == Some(Rank::General)
    }
}

/// The name of a unit or character: `e4`, `d10`.
fn name(side: Side, number: u8) -> String {
    let letter = match side {
        Side::Garrison => 'e',
        Side::Besieger => 'd',
    };
    format!("{letter}{number}")
}

/// Hundredths of a centimetre as a quantity.
pub(crate) fn cm(hundredths: i64) -> Centimetres {
    Centimetres::hundredths(i32::try_from(hundredths).unwrap_or(i32::MAX))
}
