//! What the sequence of the turn calls in this room; each is replaced by the real thing under the same
//! name and signature (a real item in `mod.rs` hides the one of this file).
#![allow(missing_docs, unused_variables, clippy::all, clippy::pedantic)]
use kernel::{Clerk, Verdict};
use serde::{Deserialize, Serialize};

use super::*;
use super::{BatteryTarget, GunTarget};
use crate::state::Table;
use crate::unit::{Place, Side, UnitId, UnitSet};

// --- common ---
/// Infantry steps of a side in a place (Kamenski's regiments count 2 at most, the Fusiliers 4).
pub fn steps_on(t: &Table, s: Side, p: Place) -> u8 {
    0
}
/// Whether a battery may stand on a point (free, Prussian-held, level high enough).
pub fn check_battery_place(t: &Table, b: UnitId, p: WallId) -> Verdict<()> {
    Ok(())
}
/// The wall point under a place: a point itself, or a work built on one.
pub fn wall_under(t: &Table, p: Place) -> Option<WallId> {
    None
}
/// Whether the French hold a wall point.
pub fn is_french(t: &Table, p: WallId) -> bool {
    false
}
/// Takes a step; the last one eliminates.
pub fn lose_step(t: &mut Table, u: UnitId, c: &mut impl Clerk) {}
// --- owed: surplus after an assault, occupier after a counter-attack ---
pub fn list_excess(t: &Table, p: WallId, each: impl FnMut(UnitId, Place)) {}
pub fn check_excess(t: &Table, p: WallId, u: UnitId, to: Place) -> Verdict<()> {
    Ok(())
}
/// Moves it; pushes `Owed::Excess` again if there is still surplus.
pub fn place_excess(t: &mut Table, p: WallId, u: UnitId, to: Place, c: &mut impl Clerk) {}
pub fn occupy(t: &mut Table, target: WallId, from: Place, won: bool, u: Option<UnitId>, c: &mut impl Clerk) {}
// --- 2.4.1 ---
pub fn mine_is_ripe(t: &Table) -> bool {
    false
}
pub fn explode_mine(t: &mut Table, c: &mut impl Clerk) {}
pub fn list_mortars(t: &Table, each: impl FnMut(UnitId)) {}
pub fn check_mortar(t: &Table, u: UnitId) -> Verdict<()> {
    Ok(())
}
/// Sets `Marks::FIRED`.
pub fn fire_mortar(t: &mut Table, u: UnitId, c: &mut impl Clerk) {}
pub fn list_gun_shots(t: &Table, each: impl FnMut(UnitId, GunTarget)) {}
pub fn check_gun_shot(t: &Table, u: UnitId, at: GunTarget) -> Verdict<()> {
    Ok(())
}
pub fn fire_gun(t: &mut Table, u: UnitId, at: GunTarget, c: &mut impl Clerk) {}
// --- 2.4.2; the sequence sets danzig.construction and danzig.may_build before it ---
pub fn demolitions(t: &mut Table, c: &mut impl Clerk) {}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Build {
    Repair { work: WorkId, worker: UnitId },
}
impl Build {
    pub fn is_repair(&self) -> bool {
        true
    }
}
pub fn list_repairs(t: &Table, each: impl FnMut(Build)) {}
pub fn list_builds(t: &Table, each: impl FnMut(Build)) {}
/// Any pose; removal of an element too.
pub fn check_build(t: &Table, b: &Build) -> Verdict<()> {
    Ok(())
}
/// The worker sets out; what becomes of it is the `Errand` of the exposure.
pub fn begin_build(t: &mut Table, b: &Build, c: &mut impl Clerk) -> Exposure {
    Exposure { shots: 0 }
}
pub fn enfiladed(t: &Table) -> WorkSet {
    WorkSet::default()
}
pub fn enfilade_shot(t: &mut Table, w: WorkId, c: &mut impl Clerk) {}
// --- somebody in the open: opportunity shots, one at a time, then the errand (build, move, storm) ---
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exposure {
    /** Shots the Prussian may still take. */
    pub shots: u8,
}
/// One shot of 7 (sets `shots` to 0 if nobody is left to be shot at, else one less).
pub fn exposed_shot(t: &mut Table, e: &mut Exposure, c: &mut impl Clerk) {}
/// One shot is waived.
pub fn waive_shot(t: &Table, e: &mut Exposure) {
    e.shots = e.shots.saturating_sub(1);
}
/// No shot is left: the errand is carried out by who is left in order.
pub fn arrive(t: &mut Table, e: &Exposure, c: &mut impl Clerk) {}
// --- 2.4.3, each unit once (`Marks::MOVED`) ---
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SiegeMove {
    Network { unit: UnitId, to: WorkId },
}
pub fn list_moves(t: &Table, each: impl FnMut(SiegeMove)) {}
pub fn check_move(t: &Table, m: &SiegeMove) -> Verdict<()> {
    Ok(())
}
pub fn begin_move(t: &mut Table, m: &SiegeMove, c: &mut impl Clerk) -> Exposure {
    Exposure { shots: 0 }
}
// --- 2.4.4, walls and Kalke ---
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Assault {
    pub units: UnitSet,
    pub at: GunTarget,
}
pub fn list_assaults(t: &Table, each: impl FnMut(Assault)) {}
pub fn check_assault(t: &Table, a: &Assault) -> Verdict<()> {
    Ok(())
}
pub fn begin_assault(t: &mut Table, a: &Assault, c: &mut impl Clerk) -> Exposure {
    Exposure { shots: 0 }
}
/// What follows when the step ends: units left in the Kalke box go back.
pub fn end_assaults(t: &mut Table, c: &mut impl Clerk) {}
pub fn rally(t: &mut Table, s: Side, c: &mut impl Clerk) {}
// --- 2.5.1, each unit once (`Marks::MOVED`), each pivot once (`Marks::PIVOTED`) ---
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum GarrisonMove {
    Infantry { unit: UnitId, to: Place },
    Battery { battery: UnitId, to: WallId, facing: u16 },
    Pivot { battery: UnitId, facing: u16 },
}
pub fn list_garrison(t: &Table, battery_may_move: bool, each: impl FnMut(GarrisonMove)) {}
pub fn check_garrison(t: &Table, battery_may_move: bool, m: &GarrisonMove) -> Verdict<()> {
    Ok(())
}
pub fn garrison_move(t: &mut Table, m: &GarrisonMove, c: &mut impl Clerk) {}
// --- 2.5.2 ---
pub fn list_battery_shots(t: &Table, each: impl FnMut(UnitId, BatteryTarget)) {}
pub fn check_battery_shot(t: &Table, u: UnitId, at: BatteryTarget) -> Verdict<()> {
    Ok(())
}
pub fn fire_battery(t: &mut Table, u: UnitId, at: BatteryTarget, c: &mut impl Clerk) {}
// --- 2.5.3 ---
pub fn list_wall_repairs(t: &Table, each: impl FnMut(WallId)) {}
pub fn check_wall_repair(t: &Table, p: WallId) -> Verdict<()> {
    Ok(())
}
pub fn repair_wall(t: &mut Table, p: WallId, c: &mut impl Clerk) {}
pub fn may_countermine(t: &Table) -> bool {
    false
}
pub fn countermine(t: &mut Table, c: &mut impl Clerk) {}
// --- 2.5.4, Kalke included; small and Copy ---
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sortie {
    pub groups: [Option<([Option<UnitId>; 2], WorkId)>; 3],
}
pub fn list_sorties(t: &Table, each: impl FnMut(Sortie)) {}
pub fn check_sortie(t: &Table, s: &Sortie) -> Verdict<()> {
    Ok(())
}
/// The sortie under way: the groups, who has fired at which, which melees are over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SortieRun {
    pub sortie: Sortie,
}
pub fn begin_sortie(t: &mut Table, s: &Sortie, c: &mut impl Clerk) -> SortieRun {
    SortieRun { sortie: *s }
}
pub fn list_field_fire(t: &Table, r: &SortieRun, each: impl FnMut(UnitId, u8)) {}
pub fn check_field_fire(t: &Table, r: &SortieRun, u: UnitId, group: u8) -> Verdict<()> {
    Ok(())
}
pub fn field_fire(t: &mut Table, r: &mut SortieRun, u: UnitId, group: u8, c: &mut impl Clerk) {}
pub fn list_defenders(t: &Table, r: &SortieRun, each: impl FnMut(UnitId, WorkId)) {}
pub fn check_defender(t: &Table, r: &SortieRun, u: UnitId, w: WorkId) -> Verdict<()> {
    Ok(())
}
pub fn commit_defender(t: &mut Table, r: &mut SortieRun, u: UnitId, w: WorkId, c: &mut impl Clerk) {}
/// Fights the next melee; true while another one is left. Losses owed are taken before the next call.
pub fn sortie_melee(t: &mut Table, r: &mut SortieRun, c: &mut impl Clerk) -> bool {
    false
}
// --- 2.5.5 ---
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CounterAttack {
    pub units: UnitSet,
    pub target: WallId,
}
pub fn list_counterattacks(t: &Table, each: impl FnMut(CounterAttack)) {}
pub fn check_counterattack(t: &Table, a: &CounterAttack) -> Verdict<()> {
    Ok(())
}
pub fn begin_counterattack(t: &mut Table, a: &CounterAttack, c: &mut impl Clerk) {}
pub fn list_counter_fire(t: &Table, a: &CounterAttack, each: impl FnMut(UnitId)) {}
pub fn check_counter_fire(t: &Table, a: &CounterAttack, u: UnitId) -> Verdict<()> {
    Ok(())
}
/// Sets `Marks::FIRED`.
pub fn counter_fire(t: &mut Table, a: &CounterAttack, u: UnitId, c: &mut impl Clerk) {}
/// Fights; pushes `Owed::Occupier` below the losses.
pub fn counter_melee(t: &mut Table, a: &CounterAttack, c: &mut impl Clerk) {}
// --- 2.6 ---
pub fn captures(t: &mut Table, c: &mut impl Clerk) {}
/// Printed redoubts linked now count as linked from the next turn on; works lose their worker.
pub fn end_turn(t: &mut Table) {}
