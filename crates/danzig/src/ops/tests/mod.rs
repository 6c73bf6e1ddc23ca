//! Tests of the operational map: what every one of them needs.

mod fights;
mod ground;
mod marches;
mod shots;
mod ways;

use kernel::{Desk, Live, Scripted, Silent, Spoken, Verdict};

use super::*;
use crate::{Formation, Marks, Owed, Place, UnitId};

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
        self::stride(table, &mut mover, stride, &mut Unheard);
    }
    Ok(mover)
}

/// A stride with the fire of the fortress; true while anybody goes on.
pub(crate) fn stride(table: &mut Table, mover: &mut Mover, stride: Stride, clerk: &mut impl Clerk) -> bool {
    shell(table, mover, stride, clerk);
    take_owed(table, clerk);
    still_moving(table, mover) && make(table, mover, stride, clerk).unwrap_or(true)
}

/// Everybody whose choice it is takes the first one.
pub(crate) fn take_owed(table: &mut Table, clerk: &mut impl Clerk) {
    while let Some(owed) = table.owed.pop() {
        match owed {
            Owed::Losses { side, among, steps } => {
                take_loss(table, exposed(table, among).iter().next().unwrap(), clerk);
                if steps > 1 {
                    table.owed.push(Owed::Losses { side, among, steps: steps - 1 });
                }
            }
            Owed::Retreat { unit, cause } => {
                let goal = retreat_goals(table, unit).first().copied();
                fall_back_to(table, unit, cause, goal, clerk);
            }
            Owed::GiveWay(unit) => {
                if let Some(to) = ways_to_give(table, unit).first() {
                    give_way(table, unit, *to, clerk);
                }
            }
            other => panic!("{other:?} on the operational map"),
        }
    }
}

/// A melee to its end.
pub(crate) fn melee(table: &mut Table, order: &Melee, clerk: &mut impl Clerk) {
    let clash = super::melee(table, order);
    fight_out(table, clash, clerk);
}

fn fight_out(table: &mut Table, mut clash: Clash, clerk: &mut impl Clerk) {
    for _ in 0..50 {
        if clash.is_over() {
            return;
        }
        clash.carry_on(table, clerk);
        if let Some(Owed::Occupy { hex, victors }) = table.owed.last().copied() {
            table.owed.pop();
            if let Some(from) = ways_to_occupy(table, victors, hex).first() {
                clash.occupy(table, *from, clerk);
            }
        }
        take_owed(table, clerk);
    }
    panic!("a melee that does not end");
}

/// A charge up to its target; everybody who may fires at it.
pub(crate) fn run(table: &mut Table, charge: &Charge, clerk: &mut impl Clerk) -> Option<Charge> {
    let mut run = Run::begin(table, charge, clerk)?;
    loop {
        for firer in run.watchers(table).iter() {
            opportunity_shot(table, firer, run.charge.units, clerk);
            take_owed(table, clerk);
        }
        run.shell(table, clerk);
        take_owed(table, clerk);
        if !run.goes_on(table) {
            return None;
        }
        if run.step(table, clerk) {
            return Some(run.charge);
        }
    }
}

/// The same reaction by all who can, and the melee that follows.
pub(crate) fn react_and_charge(
    table: &mut Table,
    charge: Charge,
    reaction: Reaction,
    clerk: &mut impl Clerk,
) {
    let mut countercharge = UnitSet::EMPTY;
    for unit in reactors(table, &charge).iter() {
        if check_reaction(table, &charge, unit, reaction).is_ok() {
            react(table, &charge, unit, reaction, clerk);
            take_owed(table, clerk);
            if reaction == Reaction::Countercharge {
                countercharge.insert(unit);
            }
        }
    }
    fight_out(table, strike_home(&charge, countercharge), clerk);
}

pub(crate) fn fresh(table: &mut Table, id: UnitId) {
    table.unit_mut(id).marks.clear(Marks::MOVED);
}
