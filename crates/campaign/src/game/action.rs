//! What a player may decide (section 3 of the game page), one variant per line of `game_actions.csv`.

use kernel::{Freedom, Topic};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::battle::Stance;
use crate::map::HexId;

use super::roster::{LeaderId, UnitId};
use super::state::{Body, Segment, Share, Watch};

/// A decision.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// The first turn starts.
    Begin,
    /// A blocked entrant waits (core 17).
    Wait(LeaderId),
    /// A blocked entrant comes next turn by another source (core 17).
    Redirect {
        /// The head of its tree.
        entrant: LeaderId,
        /// The source.
        source: HexId,
    },
    /// Another supply source becomes the active one (core 5.8).
    ChangeSource(HexId),
    /// The centre of operations moves (core 5.4).
    MoveCentre(HexId),
    /// The centre comes back on the map (core 5.4).
    ReformCentre(HexId),
    /// Mortier is called.
    CallMortier,
    /// The administration is over.
    EndAdmin,
    /// A leader comes under a superior (core 2.6).
    Attach {
        /// Who.
        leader: LeaderId,
        /// Under whom.
        superior: LeaderId,
    },
    /// A leader heads a formation of his own (core 2.6).
    Detach(LeaderId),
    /// Every direct subordinate with troops is detached (3.13).
    Spread(LeaderId),
    /// Every leader of the hex that fits is attached (3.13).
    Gather(LeaderId),
    /// A unit changes its leader, or has none (core 2.6).
    Transfer {
        /// The unit.
        unit: UnitId,
        /// Its new leader.
        to: Option<LeaderId>,
    },
    /// A vedette is detached (core 2.7).
    VedetteOut(UnitId),
    /// A vedette returns (core 2.7).
    VedetteIn {
        /// Its number.
        vedette: u8,
        /// The unit it joins.
        unit: UnitId,
    },
    /// A formation goes foraging (core 11.3).
    ForageOn(LeaderId),
    /// It stops (core 11.3).
    ForageOff(LeaderId),
    /// Stragglers come back (CA-R50).
    Recover {
        /// To this unit.
        unit: UnitId,
        /// So many.
        sp: u8,
    },
    /// Stragglers come back wherever they can (3.13).
    RecoverAll,
    /// A replacement joins a unit (core 17).
    Replace(UnitId),
    /// How a formation shares attrition between its arms (3.8).
    Losses {
        /// The formation.
        formation: LeaderId,
        /// How.
        share: Share,
    },
    /// The organisation is over.
    EndOrganise,
    /// A formation gets a movement command (core 5.5).
    Command(LeaderId),
    /// Several do, and no more (3.13).
    Commands(Vec<LeaderId>),
    /// No more commands.
    EndCommand,
    /// A formation, vedette or lone leader is taken in hand (core 5.7).
    TakeUp(Body),
    /// Taken up, marched and halted in one (3.13).
    Order {
        /// The formation.
        formation: LeaderId,
        /// Its way.
        path: Vec<HexId>,
    },
    /// A standing goal is set or dropped (3.13).
    Standing {
        /// Of this formation.
        formation: LeaderId,
        /// The goal.
        goal: Option<HexId>,
    },
    /// Everybody marches on to his standing goal (3.13).
    CarryOn,
    /// When the enemy's turns ask (3.13).
    Watch(Watch),
    /// Nothing is asked before this segment (3.13).
    SkipTo(Segment),
    /// The movement is over.
    EndMovement,
    /// What is in hand marches (section 5).
    March(Vec<HexId>),
    /// It pushes the enemy out of an adjacent hex (core 9).
    Repulse(HexId),
    /// It damages a bridge.
    DamageBridge(HexId),
    /// It repairs one.
    RepairBridge(HexId),
    /// It lays its pontoon.
    LayPontoon(HexId),
    /// It takes a pontoon up.
    LiftPontoon(HexId),
    /// It leaves a leader behind.
    DropLeader(LeaderId),
    /// It leaves a unit behind.
    DropUnit(UnitId),
    /// It is done.
    Halt,
    /// A formation tries a forced march (core 10).
    ForceMarch(LeaderId),
    /// No more forced marches.
    EndForced,
    /// How a loss falls on infantry and cavalry (3.8).
    TakeLosses {
        /// Infantry.
        infantry: u8,
        /// Cavalry.
        cavalry: u8,
    },
    /// An attack (core 12.1).
    Attack {
        /// The hex attacked.
        hex: HexId,
        /// The formations that attack.
        formations: Vec<LeaderId>,
    },
    /// No more attacks.
    EndCombat,
    /// The garrison comes out to fight.
    Accept,
    /// It shuts itself up.
    Decline,
    /// The choice of battle (core 12.3).
    Stance(Stance),
    /// A formation marches to the guns (core 10.4).
    GunsMarch(LeaderId),
    /// Nobody does now.
    Pass,
    /// Nobody does in this battle (3.13).
    PassBattle,
    /// The other side attacks in its turn (core 12.7).
    Counterattack,
    /// It does not, and the battle is over.
    Stop,
    /// The winner slips away (core 12.6).
    Override,
    /// He stays.
    Stand,
    /// A step of a retreat (core 13).
    RetreatTo(HexId),
    /// All the steps of the group (3.13).
    RetreatRest,
    /// These formations pursue (core 14).
    Pursue(Vec<LeaderId>),
    /// Nobody does.
    NoPursuit,
    /// The pursuers go so many hexes (core 14.3).
    Advance(u8),
    /// The Austro-Russians declare their victory.
    DeclareVictory,
    /// They play on.
    DeclineVictory,
}

impl Action {
    /// Whether all decisions of its kind are listed.
    #[must_use]
    pub const fn freedom(&self) -> Freedom {
        match self {
            Self::March(_)
            | Self::Order { .. }
            | Self::Standing { .. }
            | Self::Attack { .. }
            | Self::Pursue(_)
            | Self::Commands(_)
            | Self::Attach { .. }
            | Self::Transfer { .. }
            | Self::Losses { .. } => Freedom::Free,
            _ => Freedom::Listed,
        }
    }

    /// Whether the other side may read the order itself (`other_side_sees`).
    #[must_use]
    pub const fn is_public(&self) -> bool {
        matches!(
            self,
            Self::Begin
                | Self::ChangeSource(_)
                | Self::MoveCentre(_)
                | Self::ReformCentre(_)
                | Self::EndAdmin
                | Self::EndOrganise
                | Self::EndCommand
                | Self::EndMovement
                | Self::SkipTo(_)
                | Self::EndForced
                | Self::EndCombat
                | Self::TakeLosses { .. }
                | Self::Accept
                | Self::Decline
                | Self::Counterattack
                | Self::Stop
                | Self::Override
                | Self::Stand
                | Self::RetreatTo(_)
                | Self::RetreatRest
                | Self::NoPursuit
                | Self::Advance(_)
                | Self::DeclareVictory
                | Self::DeclineVictory
        )
    }

    /// Whether it may meet, in fog, what its side does not see.
    #[must_use]
    pub const fn gropes(&self) -> bool {
        matches!(
            self,
            Self::ChangeSource(_)
                | Self::MoveCentre(_)
                | Self::ReformCentre(_)
                | Self::CallMortier
                | Self::Order { .. }
                | Self::CarryOn
                | Self::March(_)
                | Self::Repulse(_)
                | Self::RetreatTo(_)
                | Self::RetreatRest
                | Self::Advance(_)
        )
    }

    /// What it is about.
    #[must_use]
    pub fn topic(&self) -> Topic {
        let topic = Topic::named(self);
        match self {
            Self::Wait(leader)
            | Self::Redirect { entrant: leader, .. }
            | Self::Attach { leader, .. }
            | Self::Detach(leader)
            | Self::Spread(leader)
            | Self::Gather(leader)
            | Self::ForageOn(leader)
            | Self::ForageOff(leader)
            | Self::Losses { formation: leader, .. }
            | Self::Command(leader)
            | Self::Order { formation: leader, .. }
            | Self::Standing { formation: leader, .. }
            | Self::DropLeader(leader)
            | Self::ForceMarch(leader)
            | Self::GunsMarch(leader)
            | Self::TakeUp(Body::Formation(leader)) => topic.about(leader.number()),
            Self::Transfer { unit, .. }
            | Self::VedetteOut(unit)
            | Self::VedetteIn { unit, .. }
            | Self::Recover { unit, .. }
            | Self::Replace(unit)
            | Self::DropUnit(unit) => topic.about(unit.number()),
            Self::Attack { hex, .. } => topic.about(u32::from(hex.column) * 100 + u32::from(hex.row)),
            _ => topic,
        }
    }
}
