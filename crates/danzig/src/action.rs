//! What a player may decide (all actions of the companion text on the sequence). Free geometry comes
//! in as whole metres and degrees; lists offer sensible candidates, the check takes any other.

use serde::{Deserialize, Serialize};

use crate::ops::Hex;
use crate::siege::WallId;
use crate::unit::{Place, Side, UnitId, UnitSet};

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
    /// 2.2: nothing in this half-round.
    Pass,
    /// 2.2: this half-round is played.
    PlayHalf,
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
}
