#![allow(missing_docs, unused_variables, clippy::all)]
use super::Hex;
use crate::state::Table;
use crate::unit::{Side, UnitId, UnitSet};
use kernel::{Clerk, Verdict};
use serde::{Deserialize, Serialize};
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Mover {
    pub units: UnitSet,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Stride {
    A,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Attack {
    pub target: Hex,
    pub firers: UnitSet,
}
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Melee {
    pub target: Hex,
    pub attackers: UnitSet,
}
pub fn check_landing(t: &Table, u: UnitId, h: Hex) -> Verdict<()> {
    Ok(())
}
pub fn list_bridges(t: &Table, f: impl FnMut(UnitId, Hex)) {}
pub fn check_bridge(t: &Table, u: UnitId, h: Hex) -> Verdict<()> {
    Ok(())
}
pub fn declare_bridge(t: &mut Table, u: UnitId, h: Hex, c: &mut impl Clerk) {}
pub fn place_bridge(t: &mut Table, c: &mut impl Clerk) {}
pub fn french_beside_vistula(t: &Table) -> bool {
    false
}
pub fn begin_half(t: &mut Table, s: Side, c: &mut impl Clerk) {}
pub fn check_entry(t: &Table, u: UnitId, h: Hex) -> Verdict<()> {
    Ok(())
}
pub fn entries(t: &Table, u: UnitId) -> Vec<Hex> {
    Vec::new()
}
pub fn enter(t: &mut Table, u: UnitId, h: Hex, c: &mut impl Clerk) -> Mover {
    Mover { units: UnitSet::of(u) }
}
pub fn list_redoubts(t: &Table, f: impl FnMut(UnitId)) {}
pub fn check_redoubt(t: &Table, u: UnitId) -> Verdict<()> {
    Ok(())
}
pub fn build_redoubt(t: &mut Table, u: UnitId, c: &mut impl Clerk) {}
pub fn list_fire(t: &Table, s: Side, d: bool, f: impl FnMut(Attack)) {}
pub fn check_fire(t: &Table, s: Side, d: bool, a: &Attack) -> Verdict<()> {
    Ok(())
}
pub fn fire(t: &mut Table, d: bool, a: &Attack, c: &mut impl Clerk) {}
pub fn list_melees(t: &Table, s: Side, f: impl FnMut(Melee)) {}
pub fn check_melee(t: &Table, s: Side, a: &Melee) -> Verdict<()> {
    Ok(())
}
pub fn melee(t: &mut Table, a: &Melee, c: &mut impl Clerk) {}
pub fn list_strides(t: &Table, m: &Mover, f: impl FnMut(Stride)) {}
pub fn check_stride(t: &Table, m: &Mover, s: Stride) -> Verdict<()> {
    Ok(())
}
pub fn stride(t: &mut Table, m: &mut Mover, s: Stride, c: &mut impl Clerk) -> bool {
    false
}
pub fn still_moving(t: &Table, m: &mut Mover) -> bool {
    false
}
pub fn opportunity(t: &Table, m: &Mover, s: Stride) -> UnitSet {
    UnitSet::EMPTY
}
pub fn opportunity_shot(t: &mut Table, u: UnitId, m: &Mover, c: &mut impl Clerk) {}
pub fn list_boats(t: &Table, s: Side, f: impl FnMut(UnitSet, Hex)) {}
pub fn check_boats(t: &Table, s: Side, u: UnitSet, h: Hex) -> Verdict<()> {
    Ok(())
}
pub fn start_crossing(t: &mut Table, u: UnitSet, h: Hex, c: &mut impl Clerk) {}
pub fn list_movers(t: &Table, s: Side, f: impl FnMut(UnitSet)) {}
pub fn check_take_up(t: &Table, s: Side, u: UnitSet) -> Verdict<()> {
    Ok(())
}
pub fn take_up(t: &mut Table, u: UnitSet) -> Mover {
    Mover { units: u }
}
pub fn fortress_defensive_fire(t: &mut Table, c: &mut impl Clerk) {}
pub fn anyone_targeted(t: &Table) -> bool {
    false
}
pub fn rally(t: &mut Table, c: &mut impl Clerk) {}
pub fn invested(t: &Table) -> bool {
    true
}
impl Hex {
    pub fn nth(n: usize) -> Option<Self> {
        u16::try_from(n).ok().map(Hex)
    }
}
