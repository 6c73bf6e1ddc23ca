//! What is on the table (section 1 of the game page): what both sides know stands in [`Public`], what only
//! one of them knows in its [`Host`]. Nothing else is kept.

use std::collections::BTreeMap;

use rulebook::options::campaign::Options;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::Stance;
use crate::map::HexId;
use crate::terms::{Arm, Army, Weather};

pub use super::fight::{Battle, Extent, Flight, Group, Outcome, Owed, Reason, Siege, Walk};
use super::roll::Roll;
use super::roster::{LeaderId, UnitId};

/// A scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Scenario {
    /// The battle of Austerlitz.
    Austerlitz,
    /// Hollabrunn and Schöngrabern.
    Hollabrunn,
    /// The campaign from 15 November.
    November,
    /// The campaign from 1 December.
    December,
}

/// Where a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Whereabouts {
    /// On the map.
    Map(HexId),
    /// Still to enter, in this hex, on this turn.
    Due {
        /// Where.
        hex: HexId,
        /// When.
        turn: u8,
    },
    /// Not before he is called.
    Called,
    /// Lost.
    Lost,
}

/// A leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Leader {
    /// His superior.
    pub superior: Option<LeaderId>,
    /// Where he is.
    pub at: Whereabouts,
    /// Whether he was regrouped in this turn.
    pub organised: bool,
}

/// A unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Unit {
    /// Its arm.
    pub arm: Arm,
    /// Its SP.
    pub sp: i32,
    /// The most it may have.
    pub most: i32,
    /// Its leader.
    pub leader: Option<LeaderId>,
    /// Where it is, if it has no leader.
    pub at: Whereabouts,
    /// Whether it was regrouped in this turn.
    pub organised: bool,
}

/// A vedette.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Vedette {
    /// The unit its SP came from.
    pub unit: UnitId,
    /// Where it is.
    pub hex: HexId,
    /// MP spent, in halves.
    pub spent: i16,
    /// Whether it is done.
    pub done: bool,
}

/// Forage mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// No forage.
    #[default]
    Normal,
    /// Foraging.
    Forage,
    /// It was left in this turn.
    Leaving,
}

/// How a formation shares attrition between infantry and cavalry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Share {
    /// In proportion, cavalry rounded down.
    #[default]
    InProportion,
    /// Infantry first.
    InfantryFirst,
    /// Cavalry first.
    CavalryFirst,
}

/// When a side is asked in the enemy's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Watch {
    /// Always.
    Always,
    /// When the enemy is near.
    #[default]
    Near,
    /// Never.
    Never,
}

/// A segment of the own player turn, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Segment {
    /// Organisation.
    Organise,
    /// Commands.
    Command,
    /// Movement.
    Move,
    /// Own forced marches.
    Force,
    /// Combat.
    Combat,
    /// The end of the player turn.
    End,
}

/// Something that moves by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Body {
    /// A formation, or a lone leader.
    Formation(LeaderId),
    /// A vedette.
    Vedette(u8),
}

/// What is remembered of a formation, by its head.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Flags {
    /// Forage mode.
    pub mode: Mode,
    /// Whether it has a command.
    pub command: bool,
    /// Whether it entered in this turn.
    pub entered: bool,
    /// Whether it moved or failed to.
    pub done: bool,
    /// MP marched by infantry and artillery, in halves.
    pub foot: i16,
    /// MP marched by cavalry.
    pub horse: i16,
    /// MP worked at bridges.
    pub worked: i16,
    /// Stragglers taken back in this turn.
    pub recovered: i32,
    /// MP of forced march among those marched.
    pub forced: i16,
    /// Whether a forced march was tried in this player turn.
    pub tried: bool,
    /// Whether it succeeded: then the guns are not heard any more.
    pub forced_used: bool,
    /// MP marched in the last own turn.
    pub last_march: i16,
    /// The hex that it failed to push the enemy out of.
    pub failed_repulse: Option<HexId>,
    /// Enemy hexes around which it slipped.
    pub slipped: Vec<HexId>,
    /// Attacks made in this phase.
    pub fought: u8,
    /// Whether it may attack once more.
    pub again: bool,
    /// The battle whose guns it follows.
    pub guns: Option<u8>,
    /// Whether it tried since the last round.
    pub guns_tried: bool,
    /// Whether it retreated.
    pub shaken: bool,
    /// Its standing goal.
    pub goal: Option<HexId>,
    /// Whether the goal was set in this player turn.
    pub goal_set: bool,
    /// How it shares attrition.
    pub share: Share,
}

/// Why something is in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// An ordinary march.
    March,
    /// A forced march, with so many halves left for each arm.
    Forced {
        /// Infantry and artillery.
        foot: i16,
        /// Cavalry.
        horse: i16,
    },
    /// A march to the guns.
    Guns {
        /// Infantry and artillery.
        foot: i16,
        /// Cavalry.
        horse: i16,
        /// MP marched so far, the larger count.
        gone: i16,
    },
}

/// What is in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Hand {
    /// Who.
    pub body: Body,
    /// Why.
    pub why: Why,
}

/// The pontoon train of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Train {
    /// A leader has it.
    With(LeaderId),
    /// It lies somewhere.
    Laid,
    /// It is gone.
    None,
}

/// A force of a battle, or a group that retreats.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Force {
    /// Its leaders.
    pub leaders: Vec<LeaderId>,
    /// Its units.
    pub units: Vec<UnitId>,
    /// Its vedettes.
    pub vedettes: Vec<u8>,
}

/// A report of an enemy hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// The turn.
    pub turn: u8,
    /// What was seen.
    pub seen: super::knowledge::Seen,
}

/// What only one side knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Host {
    /// Its leaders.
    pub leaders: Roll<LeaderId, Leader>,
    /// Its units.
    pub units: Roll<UnitId, Unit>,
    /// Its vedettes.
    pub vedettes: BTreeMap<u8, Vedette>,
    /// Of its formations.
    pub flags: Roll<LeaderId, Flags>,
    /// What it has in hand.
    pub hand: Option<Hand>,
    /// Stragglers: infantry and cavalry.
    pub pool: [i32; 2],
    /// Hexes foraged in the last own turn.
    pub foraged: Vec<HexId>,
    /// Hexes foraged in this one.
    pub foraging: Vec<HexId>,
    /// SP lost by attrition for good or as stragglers.
    pub worn: i32,
    /// SP lost for good, by arm.
    pub gone: [i32; 3],
    /// SP that came as replacements.
    pub replaced: i32,
    /// Its pontoon train.
    pub train: Train,
    /// When it is asked in the enemy's turn.
    pub watch: Watch,
    /// Whether that was set in this player turn.
    pub watch_set: bool,
    /// What it skips to.
    pub skip: Option<Segment>,
    /// Entrants that were asked for in this turn.
    pub asked_for: Vec<LeaderId>,
    /// Whether the centre was moved in this turn.
    pub centre_moved: bool,
    /// Whether the source was changed in this turn.
    pub source_changed: bool,
    /// Whether the replacement of the turn was used.
    pub replacement_used: bool,
    /// Its choice in the battle, while it is sealed.
    pub sealed: Option<Stance>,
    /// Whether it does not want to hear of the guns any more in this battle.
    pub deaf: bool,
    /// Its force in the battle.
    pub force: Force,
    /// The groups of it that retreat.
    pub groups: Vec<Force>,
    /// Its pursuers.
    pub pursuers: Vec<LeaderId>,
    /// The reports it has.
    pub reports: Vec<Report>,
    /// What was reported in this player turn.
    pub reported: Vec<(HexId, u8)>,
}

/// Where in the turn we are. What is rolled and done by itself comes between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Before the first turn.
    Begin,
    /// A turn starts, with its weather.
    TurnStart,
    /// A player turn starts.
    PlayerTurn,
    /// Blocked entrants.
    Entry,
    /// APs are received.
    Receive,
    /// Administration.
    Admin,
    /// Organisation.
    Organise,
    /// Commands.
    Command,
    /// Movement.
    Move,
    /// The other side's forced marches.
    React,
    /// The own ones.
    Force,
    /// Attrition.
    Attrition,
    /// Combat.
    Combat,
    /// A garrison accepts or declines.
    Decline,
    /// The attacker's choice.
    StanceAttacker,
    /// The defender's.
    StanceDefender,
    /// Artillery.
    Bombard,
    /// What the artillery left.
    Bombarded,
    /// The attack.
    Clash,
    /// The winner of a pursuit battle may slip away.
    Override,
    /// Leaders in danger, and what comes after the round.
    Leaders,
    /// The sound of the guns, for this side.
    Guns(Army),
    /// The counterattack.
    Counter,
    /// The attacker chooses again.
    RestanceAttacker,
    /// The defender does.
    RestanceDefender,
    /// A retreat.
    Retreat,
    /// Who pursues.
    Pursue,
    /// How far.
    Advance,
    /// What it costs.
    Toll,
    /// A battle is over.
    BattleEnd,
    /// A player turn is over.
    PlayerTurnEnd,
    /// Sieges, control and morale.
    Politics,
    /// The Austro-Russians may declare their victory.
    Declare,
    /// Negotiations and ultimatum.
    Diplomacy,
    /// Whether it is over.
    Victory,
    /// It is.
    Over,
}

/// A bridge or pontoon that is not as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// The lower hex.
    pub a: HexId,
    /// The higher one.
    pub b: HexId,
}

impl Span {
    /// The hexside between two hexes.
    #[must_use]
    pub fn between(one: HexId, other: HexId) -> Self {
        Self { a: one.min(other), b: one.max(other) }
    }
}

/// A centre of operations and what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Base {
    /// Where the centre stands; none is at its source.
    pub centre: Option<HexId>,
    /// The own turn from which it is active.
    pub active_from: u8,
    /// The active source.
    pub source: HexId,
    /// APs.
    pub ap: i32,
    /// Commands left in a battle scenario.
    pub commands: i32,
    /// SP lost in action.
    pub lost: i32,
}

/// Where the talks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Talks {
    /// Not yet.
    NotYet,
    /// Under way, for so many turns.
    UnderWay(i32),
    /// Held.
    Held,
    /// Refused.
    Refused,
}

/// What Prussia does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Prussia {
    /// Nothing yet.
    NotYet,
    /// The ultimatum was delivered on this turn.
    Ultimatum(u8),
    /// It left the coalition.
    Left,
}

/// What both sides know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Public {
    /// The scenario.
    pub scenario: Scenario,
    /// The options.
    pub options: Options,
    /// The turn of the calendar.
    pub turn: u8,
    /// The first player.
    pub first: Army,
    /// Who is phasing.
    pub phasing: Army,
    /// Whether it is the second player turn.
    pub second: bool,
    /// Own turns begun.
    pub own_turns: [u8; 2],
    /// Where in the turn we are.
    pub phase: Phase,
    /// Whose decision it is.
    pub asked: Option<Army>,
    /// The weather.
    pub weather: Weather,
    /// Whether there is fog.
    pub fog: bool,
    /// The natural die of the turn before.
    pub die: Option<u8>,
    /// The bases of both.
    pub bases: [Base; 2],
    /// Who holds each town, depot and citadel.
    pub control: BTreeMap<HexId, Army>,
    /// Places taken in this turn, with who took them and whether he had lost them before.
    pub captures: Vec<(HexId, Army)>,
    /// Damaged bridges.
    pub damaged: Vec<Span>,
    /// Pontoons laid, and whose they are.
    pub pontoons: Vec<(Span, Army)>,
    /// Sieges.
    pub sieges: Vec<Siege>,
    /// Hexes attacked in this phase.
    pub attacked: Vec<HexId>,
    /// The battle.
    pub battle: Option<Battle>,
    /// The retreat.
    pub walk: Option<Walk>,
    /// Losses to be shared out, the first first.
    pub owed: Vec<Owed>,
    /// Vienna's morale.
    pub morale: i32,
    /// The talks.
    pub talks: Talks,
    /// Prussia.
    pub prussia: Prussia,
    /// Critical battles won in this turn, by whom.
    pub critical: Vec<Army>,
    /// Whether Napoleon was eliminated in this turn.
    pub napoleon: bool,
    /// Whether Mortier was called.
    pub mortier: bool,
    /// Whether the envoy keeps the French from 1446 in this player turn.
    pub truce: bool,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// The game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// What both sides know.
    pub public: Public,
    /// What each knows alone.
    pub hosts: [Host; 2],
}
