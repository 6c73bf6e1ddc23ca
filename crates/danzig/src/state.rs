//! What is on the table. `Table` is what the rules of both maps read and change; `State` adds where
//! the turn stands. The siege part belongs to [`siege`](crate::siege), the operational part to
//! [`ops`](crate::ops).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use rulebook::options::danzig::Options;

use crate::cut::Cut;
use crate::ops::{Cause, Charge, Clash, Hex, Mover, OpsMap, Path, Run, Stride};
use crate::siege::{CounterAttack, Exposure, Muster, SiegeMap, SortieRun, WallId, WorkSet};
use crate::unit::{Marks, Place, Side, UNITS, UnitId, UnitSet, UnitState};

/// Everything the rules of the two maps read and change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Table {
    /// The options of this game.
    pub options: Options,
    /// Turn 1 to 15; 0 during set-up.
    pub turn: u8,
    /// All counters.
    #[serde(with = "many")]
    #[schemars(with = "Vec<UnitState>", length(equal = UNITS))]
    pub units: [UnitState; UNITS],
    /// The operational map.
    pub ops: OpsMap,
    /// The siege map.
    pub siege: SiegeMap,
    /// The city and the stores.
    pub danzig: Danzig,
    /// Decisions the rules have left to a player, to be taken before anything else goes on. The
    /// last one is taken first.
    pub owed: Vec<Owed>,
}

/// The morale track, the stores and the once-only events.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Danzig {
    /// Morale of the city.
    pub morale: u8,
    /// Repairs of Prussian batteries left.
    pub repair_pool: u8,
    /// French 12-pounder ammunition.
    pub ammunition_12: u16,
    /// French 24-pounder ammunition.
    pub ammunition_24: u16,
    /// Construction points left in this step.
    pub construction: u8,
    /// There was infantry in the concentration area when the construction step began.
    pub may_build: bool,
    /// The first trench has been opened.
    pub siege_works_begun: bool,
    /// The concentration area has been entered.
    pub concentration_entered: bool,
    /// No sortie is possible any more.
    pub sorties_over: bool,
    /// Kamenski's bonus has been given.
    pub relief_done: bool,
    /// Benningsen has moved.
    pub benningsen_done: bool,
    /// A wall point has been at level 0.
    pub first_zero_done: bool,
    /// The French have been on the second wall.
    pub second_line_done: bool,
    /// The mine has been dug.
    pub mine_used: bool,
    /// Benningsen's army holds Lannes back for one round.
    pub lannes_delayed: bool,
}

/// A decision that a result of the rules leaves to a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Owed {
    /// The owner takes this many steps from these units of his; there is more than one way.
    Losses {
        /// Whose units.
        side: Side,
        /// The units.
        among: UnitSet,
        /// Steps still to be taken.
        steps: u8,
    },
    /// A unit falls back, and two goals are as near: its owner chooses (3.6).
    Retreat {
        /// The unit.
        unit: UnitId,
        /// Why it goes.
        cause: Cause,
    },
    /// Skirmishers attacked by infantry may fall back a hex before the melee (series rules 4).
    GiveWay(UnitId),
    /// One stack of those who have won a melee may occupy the hex (series rules 11).
    Occupy {
        /// The hex they have won.
        hex: Hex,
        /// Who attacked.
        victors: UnitSet,
    },
    /// A Prussian battery has lost its wall point and must go to another.
    Battery(UnitId),
    /// More than two French steps stand on a won wall point.
    Excess(WallId),
    /// The Prussian chooses who stays after a counter-attack.
    Occupier {
        /// The point that was attacked.
        target: WallId,
        /// The place the attackers stand on.
        from: Place,
        /// Whether the point was won.
        won: bool,
    },
}

/// The steps of the turn at which somebody decides, in the order of the turn. What nobody decides is
/// done on the way from one to the next.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// 5.1: the Prussian sets up.
    #[default]
    SetUp,
    /// 2.1: the French declare a bridge.
    BridgeDeclare,
    /// 2.1: Benningsen.
    Benningsen,
    /// 2.1: the corvette.
    Dauntless,
    /// 2.1: French arrivals.
    ArrivalsFrench,
    /// 2.1: Kamenski lands.
    ArrivalsKamenski,
    /// 2.1: a French step comes back.
    ReplacementFrench,
    /// 2.1: a Prussian step comes back.
    ReplacementPrussian,
    /// 2.1: batteries are repaired.
    BatteryRepair,
    /// 2.2: disordered units of the phasing player retreat.
    Retreat,
    /// 2.2: pass, or play the half-round.
    Half,
    /// 2.2: charges and movement.
    Move,
    /// 2.2: a redoubt is built.
    Redoubt,
    /// 2.2: fire of the player who does not move.
    DefensiveFire,
    /// 2.2: fire of the phasing player.
    Fire,
    /// 2.2: melees of the phasing player.
    Melee,
    /// 2.2: a repeated position; the first player may ask for the dice, then the second.
    Repetition,
    /// 2.2: the winner of the dice names who plays the last half-round.
    LastHalf,
    /// 2.3: desertion is rolled.
    DesertionRoll,
    /// 2.3: the Prussian removes the deserters.
    Desertion,
    /// 2.4.1: the mine.
    Mine,
    /// 2.4.1: mortars.
    Mortars,
    /// 2.4.1: siege guns.
    Guns,
    /// 2.4.2: repairs.
    Repair,
    /// 2.4.2: building.
    Build,
    /// 2.4.2: enfilading shots.
    Enfilade,
    /// 2.4.3: French movement on the siege map.
    SiegeMove,
    /// 2.4.4: assaults.
    Assault,
    /// 2.5.1: movement of the garrison.
    GarrisonMove,
    /// 2.5.2: fire of the batteries.
    BatteryFire,
    /// 2.5.3: a wall is repaired.
    WallRepair,
    /// 2.5.3 by option: batteries are repaired.
    LateBatteryRepair,
    /// 2.5.3: the counter-mine.
    Countermine,
    /// 2.5.4: a sortie is declared.
    Sortie,
    /// 2.5.4: field guns fire at it.
    SortieFire,
    /// 2.5.4: defenders are brought up.
    Defenders,
    /// 2.5.4: the melees of the sortie, one after the other.
    SortieMelee,
    /// 2.5.5: a counter-attack is declared.
    CounterAttack,
    /// 2.5.5: field guns fire at it.
    CounterAttackFire,
    /// It is over.
    GameOver,
}

/// Where the turn stands, besides the phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Clock {
    /// The operational round of this turn, from 1.
    pub round: u16,
    /// Whose half-round it is.
    pub phasing: Side,
    /// Whether it is the second half of the round.
    pub second_half: bool,
    /// Passes in a row, in this turn.
    pub passes: u8,
    /// The half-round is a pass.
    pub passed: bool,
    /// Something has been moved in this half-round; no charge can be declared any more.
    pub moved: bool,
    /// The phasing player has done something in this half-round: without it the half-round is a pass.
    pub acted: bool,
    /// A redoubt was built this round, or this turn by option.
    pub redoubt_built: bool,
    /// A stack took to the boats in this step.
    pub boats_used: bool,
    /// A stack has landed from boats in this half-round, which is no pass then.
    pub landed: bool,
    /// One last half-round is being played.
    pub last_half: bool,
    /// Positions at the end of the rounds of this turn, as fingerprints.
    pub seen: Vec<u64>,
    /// Lannes has been offered his arrival.
    pub lannes_offered: bool,
    /// Steps still to desert.
    pub deserters: u8,
    /// A battery has changed place this turn.
    pub battery_moved: bool,
    /// Who has not asked for the dice yet in this repetition.
    pub asked: u8,
    /// Wall points counter-attacked this turn, one bit each.
    pub counterattacked: u64,
}

impl Default for Clock {
    fn default() -> Self {
        Self {
            round: 0,
            phasing: Side::French,
            second_half: false,
            passes: 0,
            passed: false,
            moved: false,
            acted: false,
            redoubt_built: false,
            boats_used: false,
            landed: false,
            last_half: false,
            seen: Vec::new(),
            lannes_offered: false,
            deserters: 0,
            battery_moved: false,
            asked: 0,
            counterattacked: 0,
        }
    }
}

/// How the siege ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Outcome {
    /// The turn Danzig surrendered, if it did.
    pub surrendered: Option<u8>,
    /// The result.
    pub result: Score,
    /// The cut of the siege that was played, if it was not the whole.
    pub cut: Option<Cut>,
}

/// Who has won, and how clearly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// French victory.
    FrenchVictory,
    /// Draw.
    Draw,
    /// Minor Prussian victory.
    PrussianMinor,
    /// Major Prussian victory.
    PrussianMajor,
}

/// A game: the table and where the turn stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct State {
    /// What is on the table.
    pub table: Table,
    /// Who decides what now, unless the table owes a decision first.
    pub phase: Phase,
    /// Where the turn stands.
    pub clock: Clock,
    /// The stack being moved, and what interrupts it.
    pub hand: Hand,
    /// What is left of the march that was ordered for the stack in hand.
    pub march: Option<Marching>,
    /// Enfiladed works that have not been fired at yet in this step.
    pub enfiladed: WorkSet,
    /// Who is named for the sortie or counter-attack that is not declared yet.
    pub muster: Muster,
    /// The sortie under way.
    pub sortie: Option<SortieRun>,
    /// The counter-attack under way.
    pub counterattack: Option<CounterAttack>,
    /// The phase is over as soon as the table owes nothing.
    pub over: bool,
    /// The phase has just been entered: whether anybody has a choice in it is seen when the table owes
    /// nothing.
    pub entered: bool,
    /// The cut of the siege that is played, if it is not the whole.
    pub cut: Option<Cut>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// A march that was ordered as a whole, while it is made stride by stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Marching {
    /// The steps still to be made.
    pub path: Path,
    /// Something happened on the way: whoever ordered it is asked again.
    pub disturbed: bool,
}

/// What the phasing player has in hand on the operational map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Hand {
    /// Nothing.
    #[default]
    Empty,
    /// A stack on the move.
    Moving(Mover),
    /// A stack about to take a step in the sights of these.
    Leaving {
        /// The stack.
        mover: Mover,
        /// The step.
        stride: Stride,
        /// Who may still fire.
        waiting: UnitSet,
        /// The fortress has fired.
        shelled: bool,
    },
    /// A charge about to leave a hex in the sights of these.
    Running {
        /// The charge.
        run: Run,
        /// Who may still fire.
        waiting: UnitSet,
        /// The fortress has fired.
        shelled: bool,
    },
    /// A charge that has come up to its target; the units there react.
    Charged {
        /// The charge.
        charge: Charge,
        /// Who may still react.
        waiting: UnitSet,
        /// Who countercharges.
        countercharge: UnitSet,
    },
    /// A melee of the operational map.
    Fighting(Clash),
    /// French troops in the open on the siege map, under fire.
    Exposed(Exposure),
}

impl Table {
    /// A counter.
    #[must_use]
    pub fn unit(&self, unit: UnitId) -> &UnitState {
        &self.units[unit.index()]
    }

    /// A counter, to be changed.
    pub fn unit_mut(&mut self, unit: UnitId) -> &mut UnitState {
        &mut self.units[unit.index()]
    }

    /// The counters of a side in a place, in order.
    pub fn at(&self, side: Side, place: Place) -> impl Iterator<Item = UnitId> + '_ {
        UnitId::of_side(side).filter(move |unit| self.unit(*unit).place == place)
    }

    /// The counters of a side on a hex, in order.
    pub fn on_hex(&self, side: Side, hex: Hex) -> impl Iterator<Item = UnitId> + '_ {
        self.at(side, Place::Hex(hex))
    }

    /// Whether a counter carries these marks.
    #[must_use]
    pub fn marked(&self, unit: UnitId, marks: Marks) -> bool {
        self.unit(unit).marks.has(marks)
    }
}

/// Arrays longer than serde knows, as sequences.
pub(crate) mod many {
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(crate) fn serialize<T: Serialize, S: Serializer, const N: usize>(
        array: &[T; N],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(array)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<[T; N], D::Error> {
        let list = Vec::<T>::deserialize(deserializer)?;
        let found = list.len();
        list.try_into().map_err(|_| D::Error::custom(format!("{found} elements where {N} are expected")))
    }
}
