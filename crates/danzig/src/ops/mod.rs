//! The operational map: hexes, movement, fire and melee around the city (chapter 3, with the series
//! rules where the document sends there: DZ-R94).
//!
//! Everything works on [`Table`]. `list_*` call back with each thing that may be done,
//! `check_*` say why not, the verbs change the table and say what they did to a clerk:
//! - movement, one hex or one turn at a time: [`Mover`] and [`Stride`] with [`list_movers`],
//!   [`check_take_up`], [`take_up`], [`list_strides`], [`check_stride`], [`make`],
//!   [`check_put_down`]; [`opportunity`], [`opportunity_shot`] and [`shell`] between the decision to leave a
//!   hex and the step; [`enter`] and [`entries`] for arrivals;
//! - [`begin_half`] lands boats and makes the forced retreats; [`rally`] ends them;
//! - charges: [`Charge`], [`Run`], [`Reaction`], [`react`], [`strike_home`], then as a melee;
//! - fire: [`Attack`], [`list_fire`], [`check_fire`], [`fire`](fire()), [`fortress_defensive_fire`],
//!   [`anyone_targeted`];
//! - melee: [`Melee`], [`list_melees`], [`check_melee`], [`melee`](melee()), [`Clash`];
//! - boats, bridge and redoubts; [`invested`].
//!
//! Losses that the owner may share out in more than one way are pushed on `table.owed`.

mod bar;
mod charge;
mod clash;
mod field;
mod fire;
mod fortress;
mod hex;
mod losses;
mod map;
mod march;
mod melee;
mod pace;
mod passage;
mod retreat;
mod route;
mod sets;
mod sight;
mod terrain;
mod volley;
mod works;

use kernel::{Clerk, Effect, Event, RuleId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::series;

pub use bar::Bar;
pub use charge::{
    Charge, Reaction, Run, check_charge, check_reaction, list_charges, list_reactions, react, reactors,
    strike_home,
};
pub use clash::{Clash, give_way, melee, ways_to_give, ways_to_occupy};
pub use field::{Field, has_facing, has_room, heading};
pub(crate) use fire::aimed;
pub use fire::{Attack, anyone_targeted, check_fire, fire, list_fire, opportunity, opportunity_shot};
pub use fortress::fortress_defensive_fire;
pub use hex::{COLUMNS, HEXES, Heading, Hex, ROWS};
pub(crate) use losses::holds;
pub use losses::{disorder, exposed, rally, take_loss};
pub use map::{Cell, Edge, Exposure, Gate, Map, Road, Terrain, WallSight, Way, map};
pub use march::{
    Mover, Stride, anyone_moves, check_put_down, check_stride, check_take_up, list_march, list_movers,
    list_strides, make, shell, still_moving, take_up,
};
pub use melee::{
    Against, Fight, FightFacts, Fighter, Melee, Swept, attack_strength, check_melee, defence_strength, fight,
    list_melees, strength_of, swept,
};
pub(crate) use melee::{Encounter, met};
pub use passage::{check_entry, check_landing, enter, entries, gate_open, list_entries};
pub use retreat::{Cause, Goal, fall_back_to, forced_retreats, retreat, retreat_choices, retreat_goals};
pub use route::{Path, Route, Standpoint, check_path};
pub use sets::HexSet;
pub use terrain::{AttackGround, Cover, Crossing, Travel, step_cost};
pub use volley::{FireFacts, Firer, Strike, shot};
pub use works::{
    build_redoubt, check_boats, check_bridge, check_redoubt, declare_bridge, french_beside_vistula, invested,
    list_boats, list_bridges, list_redoubts, place_bridge, start_crossing,
};

use crate::{Side, Table, UnitSet};

/// A stack on its way over the river by boats: it stays in its hex until it lands.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Boats {
    /// Who crosses; nobody when there is no crossing.
    pub units: UnitSet,
    /// The hex across the river.
    pub to: Hex,
}

/// Cavalry that has won a charge and may spend what is left of its points on a second one.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct Pursuit {
    /// Who charged last.
    units: UnitSet,
    /// Movement points left.
    left: u8,
    /// They have won and may charge again.
    open: bool,
}

/// The step of a half-round, as far as the rules of this map ask for it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum HalfStep {
    /// Movement and the fire it draws.
    #[default]
    Movement,
    /// Defensive fire.
    DefensiveFire,
    /// Offensive fire.
    Fire,
    /// Melee.
    Melee,
}

/// What changes on the operational map besides the counters.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct OpsMap {
    /// Built redoubts, one bit for each printed redoubt hex in the order of the table.
    pub redoubts: u16,
    /// Who stood last on each blue star, one bit each: set for the French.
    pub stars: u16,
    /// The two ends of the bridge.
    pub bridge: Option<(Hex, Hex)>,
    /// The bridge declared this turn.
    pub declared: Option<(Hex, Hex)>,
    /// Boats under way, by side.
    pub boats: [Boats; 2],
    /// Units that have entered by each road in this movement step: the later ones pay for them.
    pub entered: [u8; 5],
    /// A charge that may be followed by another.
    pursuit: Pursuit,
    /// The step that the sets below speak of.
    step: HalfStep,
    /// Hexes fired at by units in this fire step.
    targets: HexSet,
    /// Hexes attacked in this melee step.
    fought: HexSet,
    /// Hexes where a unit of each side was disordered in this step.
    shaken: [HexSet; 2],
}

impl std::hash::Hash for OpsMap {
    /// Only what makes two positions different: the sets of a step are not part of it.
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.redoubts, self.stars, self.bridge, self.declared, self.boats).hash(state);
    }
}

impl OpsMap {
    /// The step that is being played; a new one forgets what was noted for the last.
    fn step_into(&mut self, step: HalfStep) {
        if self.step != step {
            self.step = step;
            self.targets.clear();
            self.fought.clear();
            self.shaken.iter_mut().for_each(HexSet::clear);
        }
    }
}

/// A half-round begins: disordered units of the phasing side retreat where they have no choice, boats
/// land. True if boats have landed.
pub fn begin_half(table: &mut Table, phasing: Side, clerk: &mut impl Clerk) -> bool {
    table.ops.step = HalfStep::Melee;
    table.ops.step_into(HalfStep::Movement);
    table.ops.entered = [0; 5];
    table.ops.pursuit = Pursuit::default();
    // Whoever is broken as he puts off falls back at once, and again only in his next movement step.
    forced_retreats(table, phasing, clerk);
    works::land_boats(table, phasing, clerk)
}

/// A clerk for questions nobody listens to and nothing is rolled in.
pub(crate) struct Unheard;

impl Clerk for Unheard {
    #[inline]
    fn die(&mut self, _: u8) -> u8 {
        1
    }
    #[inline]
    fn because(&mut self, _: RuleId, _: Effect) {}
    #[inline]
    fn happened(&mut self, _: impl FnOnce() -> Event) {}
}

#[cfg(test)]
pub(crate) mod tests;
