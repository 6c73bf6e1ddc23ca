//! The whole game: three linked scenarios as one state machine (docs/rules/breach-game.md). The rules it
//! plays by are those of the other modules of the crate; here is who stands where, who decides when, and
//! what happens then.

mod action;
mod assault;
mod bases;
mod candidates;
mod charge;
mod crowd;
mod doctrine;
mod features;
mod geometry;
mod ground;
mod melee;
mod moves;
mod muster;
pub(crate) mod names;
mod paths;
mod plan;
mod profile;
pub(crate) mod say;
mod search;
mod sequence;
mod setup;
mod sight;
mod state;
mod view;

pub(crate) use geometry::{Rect, beside, towards};
pub(crate) use ground::{Formation, Keep};
pub(crate) use melee::{Touch, backs};
pub(crate) use moves::Mover;
pub(crate) use plan::{Kind, Plan, TABLE, Terrain};
pub(crate) use profile::MACHINE_BASE;

pub use action::{Action, Answer, Charge, Move, Spell, Target, TowerSide, Way};
pub use muster::{ArmyList, Bought};
pub use plan::{ElementId, Slot};
pub use profile::Troop;
pub use sequence::SCENARIOS;
pub use state::{
    Aftermath, BlunderKind, Blundered, Casting, Character, CharacterId, Earthwork, Ended, InHand, Look,
    Marks, Melee, Onset, Outcome, Place, Post, Push, Ramming, Reason, STANDS, Stand, State, Step, Stores,
    Table, Unit, UnitId, UnitSet, Whereabouts, Why, WorkId, Works,
};
pub use view::View;
