//! Tests of the operational map: what every one of them needs.

mod fights;
mod ground;
mod marches;
mod shots;
mod ways;

use kernel::{Desk, Live, Scripted, Silent, Spoken, Verdict};

use super::*;
use crate::{Formation, Marks, Place, UnitId};

pub(crate) fn table() -> Table {
    crate::setup::table(crate::Options::default())
}

pub(crate) fn hex(number: u16) -> Hex {
    Hex::printed(number)
}

pub(crate) fn unit(code: &str) -> UnitId {
    UnitId::of_code(code).unwrap()
}

/// Puts a counter on the map, facing a neighbour.
pub(crate) fn place(table: &mut Table, code: &str, at: u16, facing: Heading) -> UnitId {
    let id = unit(code);
    let ground = Field::of(table).ground(hex(at));
    let counter = table.unit_mut(id);
    counter.place = Place::Hex(hex(at));
    counter.facing = facing as u16;
    let adapts = ground.adapts() && !id.data().arm.is_artillery();
    counter.formation = if adapts { Formation::Adapted } else { Formation::at_entry(id.data().arm) };
    id
}

pub(crate) fn form(table: &mut Table, id: UnitId, formation: Formation) {
    table.unit_mut(id).formation = formation;
}

pub(crate) fn at(table: &Table, id: UnitId) -> String {
    match table.unit(id).place {
        Place::Hex(hex) => hex.to_string(),
        other => format!("{other:?}"),
    }
}

/// Runs something with these dice and gives back the rules it cited.
pub(crate) fn with_dice<T>(
    faces: &[u8],
    run: impl FnOnce(&mut Desk<Scripted<'_>, Spoken>) -> T,
) -> (T, Vec<String>) {
    let (result, notes) = kernel::scripted(faces, run).unwrap();
    (result, notes.reasons().map(|because| because.rule.to_string()).collect())
}

pub(crate) fn silent() -> Desk<Live, Silent> {
    Desk::new(Live::numbered(1807), Silent)
}

/// The rule of a refusal.
pub(crate) fn refused<T: std::fmt::Debug>(verdict: Verdict<T>) -> String {
    verdict.unwrap_err().rule.unwrap().to_string()
}

/// Walks a counter along printed hexes; the dice of all fires it draws are ones.
pub(crate) fn walk(table: &mut Table, id: UnitId, path: &[u16]) -> Result<Mover, String> {
    let mut mover = Mover::fresh(UnitSet::of(id));
    for &to in path {
        let Place::Hex(from) = table.unit(id).place else { return Err("off the map".to_owned()) };
        let stride = Stride::Go(from.towards(hex(to)).unwrap());
        check_stride(table, &mover, stride).map_err(|refusal| refusal.to_string())?;
        super::stride(table, &mut mover, stride, &mut Unheard);
    }
    Ok(mover)
}

pub(crate) fn fresh(table: &mut Table, id: UnitId) {
    table.unit_mut(id).marks.clear(Marks::MOVED);
}
