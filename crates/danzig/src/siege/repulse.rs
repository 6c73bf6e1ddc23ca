//! What the French do against a sortie (chapter 4.9): the fire of field guns by night, and defenders
//! brought up to the works under attack.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::{phrase::danzig_siege as phrase, rule};

use super::common::{STACK, infantry_at, steps_on, strike};
use super::fire::{Gun, Shot, Target, bands_between, check_range, fire};
use super::geometry::in_arc;
use super::sight::Sited;
use super::sortie::{Group, SortieRun, SortieTarget, left, stand};
use super::state::WorkId;

use crate::state::Table;
use crate::unit::{Arm, Marks, Place, Side, UnitId};

/// The shot of a field battery at a group.
///
/// # Errors
/// The rule that forbids it.
pub fn check_field_fire(table: &Table, run: &SortieRun, battery: UnitId, group: u8) -> Verdict<()> {
    field_shot(table, run, battery, group).map(drop)
}

fn field_shot(table: &Table, run: &SortieRun, battery: UnitId, group: u8) -> Verdict<(Shot, Place)> {
    let data = battery.data();
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", data.label));
    if !rule!(DZ_4_3_3_05).holds(!matches!(data.arm, Arm::Siege12 | Arm::Siege24)) {
        return refuse(rule!(DZ_4_3_3_05), phrase::ONLY_FIELD_GUNS);
    }
    let field = data.side == Side::French && data.arm == Arm::FieldArtillery;
    if !rule!(DZ_4_3_1_03).holds(field) {
        return refuse(rule!(DZ_4_3_1_03), phrase::ONLY_FIELD_GUNS);
    }
    if !rule!(DZ_R30).holds(!table.unit(battery).is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    let at = usize::from(group);
    let (Some(Some(target)), Some(fired)) = (run.sortie.groups.get(at), run.fired.get(at)) else {
        return Err(Refusal::field("group", phrase::NO_SUCH_GROUP));
    };
    if !rule!(DZ_4_9_13).holds(!fired.has(battery)) {
        return refuse(rule!(DZ_4_9_13), phrase::HAS_FIRED);
    }
    let there = left(table, target);
    let Some(first) = there.first() else {
        return Err(Refusal::field("group", phrase::NO_SUCH_GROUP));
    };
    if !rule!(DZ_4_1_1_03).holds(table.unit(battery).place != Place::Concentration) {
        return refuse(rule!(DZ_4_1_1_03), phrase::NOT_EMPLACED);
    }
    let Some(sited) = Sited::of(table, battery)
        .filter(|_| matches!(table.unit(battery).place, Place::Work(_) | Place::Open(_)))
    else {
        return refuse(rule!(DZ_4_9_13), phrase::NOT_EMPLACED);
    };
    let (spot, front) = stand(&table.siege, at, target.target);
    in_arc(sited.centre, sited.facing, spot.fine())?;
    let bands = bands_between(sited.muzzle(), front);
    check_range(data.gun, bands)?;
    let open = Target::Open { village: false, damaged_trench: false };
    let shot = Shot { gun: Gun::Field, printed: data.gun, bands, target: open, enfilade: false, night: true };
    Ok((shot, table.unit(*first).place))
}

/// The French field batteries on the siege map.
fn field_batteries(table: &Table) -> impl Iterator<Item = UnitId> + '_ {
    UnitId::of_side(Side::French).filter(|unit| {
        unit.data().arm == Arm::FieldArtillery
            && matches!(table.unit(*unit).place, Place::Work(_) | Place::Open(_))
    })
}

/// Lists the shots of the field batteries at a sortie.
pub fn list_field_fire(table: &Table, run: &SortieRun, mut each: impl FnMut(UnitId, u8)) {
    for battery in field_batteries(table) {
        for group in 0..3 {
            if check_field_fire(table, run, battery, group).is_ok() {
                each(battery, group);
            }
        }
    }
}

/// A field battery fires at a group, by night.
pub fn field_fire(
    table: &mut Table,
    run: &mut SortieRun,
    battery: UnitId,
    group: u8,
    clerk: &mut impl Clerk,
) {
    let Ok((shot, place)) = field_shot(table, run, battery, group) else { return };
    if let Some(fired) = run.fired.get_mut(usize::from(group)) {
        fired.insert(battery);
    }
    let fired = shoot(table, &shot, place, clerk);
    debug_assert!(fired.is_ok());
}

fn shoot(table: &mut Table, shot: &Shot, place: Place, clerk: &mut impl Clerk) -> Verdict<()> {
    let options = table.options;
    let in_the_open = clerk.holds(rule!(DZ_4_3_1_02), matches!(place, Place::Open(_)));
    let field_gun = clerk.holds(rule!(DZ_4_3_1_03), shot.gun == Gun::Field);
    let struck = fire(shot, &options, clerk)?;
    if in_the_open && field_gun {
        strike(table, Side::Prussian, place, &struck, clerk);
    }
    Ok(())
}

/// A shot at a group as facts: a field battery of this factor, so many range bands away.
///
/// # Errors
/// When the range leaves nothing of its factor.
pub fn night_shot(
    table: &mut Table,
    group: &Group,
    printed: u8,
    bands: u8,
    clerk: &mut impl Clerk,
) -> Verdict<()> {
    let target = Target::Open { village: false, damaged_trench: false };
    let shot = Shot { gun: Gun::Field, printed, bands, target, enfilade: false, night: true };
    match left(table, group).first().map(|unit| table.unit(*unit).place) {
        Some(place) => shoot(table, &shot, place, clerk),
        None => super::fire::factor(&shot, clerk).map(drop),
    }
}

/// The works under attack.
fn attacked(run: &SortieRun) -> impl Iterator<Item = WorkId> + '_ {
    run.sortie.groups.iter().flatten().filter_map(|group| match group.target {
        SortieTarget::Work(id) => Some(id),
        SortieTarget::Kalke(_) => None,
    })
}

/// Whether a unit may be brought up to a work under attack.
///
/// # Errors
/// The rule that forbids it.
pub fn check_defender(table: &Table, run: &SortieRun, unit: UnitId, work: WorkId) -> Verdict<()> {
    exchange(table, run, unit, work).map(drop)
}

/// Checks a defender; gives back the one-step unit he changes places with, if he must.
fn exchange(table: &Table, run: &SortieRun, unit: UnitId, work: WorkId) -> Verdict<Option<UnitId>> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
    if !rule!(DZ_4_9_14).holds(attacked(run).any(|id| id == work)) {
        return Err(Refusal::rule(rule!(DZ_4_9_14), phrase::NOT_ATTACKED).with("work", work));
    }
    if !rule!(DZ_4_9_14).holds(unit.side() == Side::French && unit.data().arm == Arm::Infantry) {
        return refuse(rule!(DZ_4_9_14), phrase::ONLY_INFANTRY);
    }
    if !rule!(DZ_R30).holds(!table.unit(unit).is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    if !rule!(DZ_R105).holds(!table.marked(unit, Marks::WORKER)) {
        return refuse(rule!(DZ_R105), phrase::IS_A_WORKER);
    }
    let Place::Work(from) = table.unit(unit).place else {
        return refuse(rule!(DZ_4_9_14), phrase::NOT_IN_THE_NETWORK);
    };
    if from == work || attacked(run).any(|id| id == from) {
        return refuse(rule!(DZ_4_9_14), phrase::ALREADY_DEFENDS);
    }
    // The element he comes to may itself be damaged: its intact neighbours lead to it.
    let reach = table.siege.reach(from);
    let led_to = table.siege.work(work).is_some_and(|element| !element.links.and(reach).is_empty());
    if !reach.contains(work) && !rule!(DZ_4_9_16).holds(led_to) {
        return refuse(rule!(DZ_4_9_14), phrase::NO_INTACT_WAY);
    }
    let there = steps_on(table, Side::French, Place::Work(work));
    let steps = table.unit(unit).steps;
    if there + steps <= STACK {
        return Ok(None);
    }
    let single = infantry_at(table, Side::French, Place::Work(work))
        .find(|other| table.unit(*other).steps == 1 && !table.marked(*other, Marks::WORKER));
    let full = || Refusal::rule(rule!(DZ_4_9_14), phrase::NO_ROOM).with("steps", there);
    match single {
        Some(other) if steps == 2 && there == 1 => {
            let other_single = UnitId::of_side(Side::French).any(|third| {
                table.unit(third).steps == 1
                    && third != other
                    && third.data().arm == Arm::Infantry
                    && !table.marked(third, Marks::WORKER)
                    && !table.unit(third).is_disordered()
                    && matches!(table.unit(third).place, Place::Work(id)
                        if reach.contains(id) && !attacked(run).any(|under| under == id))
            });
            if !rule!(DZ_4_9_15).holds(!other_single) {
                return Err(Refusal::rule(rule!(DZ_4_9_15), phrase::ONE_STEP_FIRST));
            }
            Ok(Some(other))
        }
        _ => Err(full()),
    }
}

/// Lists the defenders that may be brought up.
pub fn list_defenders(table: &Table, run: &SortieRun, mut each: impl FnMut(UnitId, WorkId)) {
    for unit in UnitId::of_side(Side::French) {
        if !matches!(table.unit(unit).place, Place::Work(_)) || unit.data().arm != Arm::Infantry {
            continue;
        }
        for work in attacked(run) {
            if check_defender(table, run, unit, work).is_ok() {
                each(unit, work);
            }
        }
    }
}

/// A defender is brought up without being fired at.
pub fn commit_defender(
    table: &mut Table,
    run: &mut SortieRun,
    unit: UnitId,
    work: WorkId,
    clerk: &mut impl Clerk,
) {
    let Ok(other) = exchange(table, run, unit, work) else { return };
    let from = table.unit(unit).place;
    if let Some(other) = other {
        table.unit_mut(other).place = clerk.rather(rule!(DZ_4_9_15), from, Place::Work(work));
    }
    // In one bound, whatever fire lies on the way.
    clerk.applied(rule!(DZ_4_9_16));
    table.unit_mut(unit).place = clerk.rather(rule!(DZ_4_9_14), Place::Work(work), from);
}
