//! What a player may decide (all actions of the companion text on the sequence). Free geometry comes
//! in as whole metres and degrees; lists offer sensible candidates, the check takes any other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ops::{Attack, Charge, Goal, Hex, Melee, Reaction, Route, Stride};
use crate::siege::{
    Assault, BatteryTarget, Build, CounterAttack, GarrisonMove, GunTarget, SiegeMove, Sortie, WallId, WorkId,
};
use crate::unit::{Place, Side, UnitId, UnitSet};

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// 5.1: a battalion into the city, onto a wall, or by option into Kalke.
    SetCityUnit {
        /// The battalion.
        unit: UnitId,
        /// Where it goes.
        place: Place,
    },
    /// 5.1: a counter outside the city.
    SetOutsideUnit {
        /// The counter.
        unit: UnitId,
        /// Its hex.
        hex: Hex,
    },
    /// 5.1: a battery onto a wall point or into Kalke.
    SetBattery {
        /// The battery.
        battery: UnitId,
        /// Where it goes.
        place: Place,
        /// Where it looks, in degrees.
        facing: u16,
    },
    /// 5.1: everything that is left goes where the plan of the maps suggests.
    SetUpTheRest,
    /// 5.1: the set-up is over.
    SetUpDone,
    /// Nothing more in this step.
    EndPhase,
    /// 2.1: this unit builds a bridge towards that hex until the end of the turn.
    DeclareBridge {
        /// The builder.
        unit: UnitId,
        /// The hex across the river.
        across: Hex,
    },
    /// 2.1: the dice for Benningsen's army.
    RollBenningsen,
    /// 2.1: the die for the corvette.
    RollDauntless,
    /// 2.1: a French unit comes one turn later.
    Postpone {
        /// The unit.
        unit: UnitId,
    },
    /// 2.1: a unit of Kamenski lands.
    PlaceKamenski {
        /// The unit.
        unit: UnitId,
        /// In the camp or the fort.
        hex: Hex,
    },
    /// 2.1: a French step comes back.
    ReplaceFrench {
        /// To this unit.
        unit: UnitId,
    },
    /// 2.1: a Prussian step comes back.
    ReplacePrussian {
        /// To this unit.
        unit: UnitId,
    },
    /// 2.1 (2.5.3 by option): a damaged battery is repaired and placed.
    RepairBattery {
        /// The battery.
        battery: UnitId,
        /// Its point.
        point: WallId,
        /// Where it looks.
        facing: u16,
    },
    /// 2.2: a disordered unit retreats where its owner has the choice: to which of two goals at the same
    /// distance, or from a village; without a goal it stays there.
    Retreat {
        /// The unit.
        unit: UnitId,
        /// Where to, if it does not stay.
        goal: Option<Goal>,
    },
    /// 2.2: nothing in this half-round.
    Pass,
    /// 2.2: this half-round is played.
    PlayHalf,
    /// 2.2: a unit enters the map.
    EnterMap {
        /// The unit.
        unit: UnitId,
        /// The hex of entry.
        hex: Hex,
    },
    /// 2.2: a stack marches a whole way, coming onto the map first if it waits beside it; where something
    /// happens to it its owner is asked again.
    MarchAlong(Route),
    /// 2.2: a stack is taken in hand to be moved.
    TakeUp {
        /// The units, all of one hex.
        units: UnitSet,
    },
    /// 2.2: the stack in hand takes one step.
    March(Stride),
    /// 2.2: the stack in hand stays where it is.
    PutDown,
    /// 2.2: a unit fires at the stack that leaves its sights.
    OpportunityShot {
        /// Who fires.
        firer: UnitId,
    },
    /// Nobody (more) fires.
    Decline,
    /// 2.2: cavalry charges.
    Charge(Charge),
    /// 2.2: what a unit does that is charged.
    React {
        /// The unit.
        unit: UnitId,
        /// What it does.
        reaction: Reaction,
    },
    /// 2.2: a stack takes to the boats.
    BoatsStart {
        /// The units, all of one hex.
        units: UnitSet,
        /// The hex across the river.
        across: Hex,
    },
    /// 2.2: a redoubt is built.
    BuildRedoubt {
        /// By this unit.
        unit: UnitId,
    },
    /// 2.2: fire of the player who does not move.
    DefensiveFire(Attack),
    /// 2.2: fire of the phasing player.
    Fire(Attack),
    /// 2.2: a melee.
    Melee(Melee),
    /// 2.2: what skirmishers do before a melee with infantry.
    GiveWay {
        /// The skirmishers.
        unit: UnitId,
        /// The hex they fall back to; none: they stand.
        to: Option<Hex>,
    },
    /// 2.2: whether the victors of a melee move into the hex they have won.
    Occupy {
        /// The hex of the stack that does; none: all stay.
        from: Option<Hex>,
    },
    /// 2.2: a repeated position; the dice decide.
    ClaimRepetition,
    /// 2.2: this player makes the last half-round.
    NameLastHalf {
        /// Who.
        side: Side,
    },
    /// 2.3: the desertion die.
    RollDesertion,
    /// 2.3: a step of this unit deserts.
    Desert {
        /// The unit.
        unit: UnitId,
    },
    /// The owner takes a step from this unit.
    TakeLoss {
        /// The unit.
        unit: UnitId,
    },
    /// A battery that has lost its point goes to another.
    DisplaceBattery {
        /// The battery.
        battery: UnitId,
        /// Its new point.
        point: WallId,
        /// Where it looks.
        facing: u16,
    },
    /// Surplus steps leave a won point.
    PlaceExcess {
        /// The unit.
        unit: UnitId,
        /// Where it goes.
        to: Place,
    },
    /// Who stays after a counter-attack.
    ChooseOccupier {
        /// The unit, or nobody.
        unit: Option<UnitId>,
    },
    /// 2.4.1: the mine goes up.
    ExplodeMine,
    /// 2.4.1: a mortar fires.
    FireMortar {
        /// The mortar.
        mortar: UnitId,
    },
    /// 2.4.1: a siege gun fires.
    FireSiegeGun {
        /// The battery.
        gun: UnitId,
        /// At what.
        target: GunTarget,
    },
    /// 2.4.1: a siege gun fires at the same mark again and again: until it has fired so often, the mark
    /// has fallen, the gun cannot fire any more or somebody has to decide.
    Bombard {
        /// The battery.
        gun: UnitId,
        /// At what.
        target: GunTarget,
        /// So many shots at most.
        shots: u8,
    },
    /// 2.4.2: something is repaired, built, changed or removed.
    Build(Build),
    /// 2.4.2: an enfilading shot.
    EnfiladeFire {
        /// At this work.
        work: WorkId,
    },
    /// 2.4.3: French movement on the siege map.
    SiegeMove(SiegeMove),
    /// A shot at whoever is in the open.
    OpportunityFire,
    /// 2.4.4: an assault on a wall point or on Kalke.
    Assault(Assault),
    /// 2.5.1: the garrison moves or a battery turns.
    Garrison(GarrisonMove),
    /// 2.5.2: a battery fires.
    FireBattery {
        /// The battery.
        battery: UnitId,
        /// At what.
        target: BatteryTarget,
    },
    /// 2.5.3: one level of one wall point is repaired.
    RepairWall {
        /// The point.
        point: WallId,
    },
    /// 2.5.3: the die of the counter-mine.
    Countermine,
    /// 2.5.4 and 2.5.5: a battalion is named for the sortie or counter-attack, after those named already.
    Muster {
        /// The battalion.
        unit: UnitId,
    },
    /// 2.5.4 and 2.5.5: a battalion that was named stays behind after all.
    Dismiss {
        /// The battalion.
        unit: UnitId,
    },
    /// 2.5.4: a sortie, on the works or on Kalke.
    DeclareSortie(Sortie),
    /// 2.5.4: a field battery fires at a group of the sortie.
    FieldFire {
        /// The battery.
        battery: UnitId,
        /// The group.
        group: u8,
    },
    /// 2.5.4: a defender is brought up.
    CommitDefender {
        /// The unit.
        unit: UnitId,
        /// To this work.
        work: WorkId,
    },
    /// 2.5.5: a counter-attack.
    DeclareCounterAttack(CounterAttack),
    /// 2.5.5: a field battery fires at it.
    CounterAttackFire {
        /// The battery.
        battery: UnitId,
    },
}
