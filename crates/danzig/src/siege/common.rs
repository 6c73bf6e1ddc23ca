//! What all rules of the siege map share: who stands where, how many steps count, what a test, a loss,
//! a hit or disorder does (chapters 4.2, 4.3 and 4.6).

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::SiegeRally;
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fire::Struck;
use super::melee::Defence;
use super::state::{WallId, WallSet, WorkId, WorkKind};
use super::tables::bears_artillery;
use crate::series::{self, MeleeResult, Toll};
use crate::state::{Owed, Table};
use crate::unit::{Arm, Corps, Marks, Place, Side, UnitId, UnitSet};

/// Most infantry steps in a work, on a wall point or in the open (`stacking_siege.csv`).
pub(super) const STACK: u8 = 2;

/// The infantry of a side in a place, in order.
pub(crate) fn infantry_at(table: &Table, side: Side, place: Place) -> impl Iterator<Item = UnitId> + '_ {
    table.at(side, place).filter(|unit| unit.data().arm == Arm::Infantry)
}

/// Infantry steps on the walls of the Kalke-Schanze, at most (DZ-4.7.4-01).
const KALKE_WALL_STEPS: u8 = 4;

/// The steps a unit counts on the siege map: a Russian regiment of Kamenski serves as one battalion
/// (DZ-R22).
#[must_use]
pub fn steps_of(table: &Table, unit: UnitId) -> u8 {
    let steps = table.unit(unit).steps;
    if rule!(DZ_6_2_06).holds(unit.data().corps == Corps::Kamenski) { steps.min(STACK) } else { steps }
}

/// Infantry steps of a side in a place.
#[must_use]
pub fn steps_on(table: &Table, side: Side, place: Place) -> u8 {
    infantry_at(table, side, place).map(|unit| steps_of(table, unit)).sum()
}

/// The gun or mortar of a side in a place.
#[must_use]
pub fn gun_at(table: &Table, side: Side, place: Place) -> Option<UnitId> {
    table.at(side, place).find(|unit| unit.data().arm.is_artillery())
}

/// The wall point under a place: a point itself, or a work built on one.
#[must_use]
pub fn wall_under(table: &Table, place: Place) -> Option<WallId> {
    match place {
        Place::Wall(point) => Some(point),
        Place::Work(id) => {
            let covers = table.siege.work(id)?.covers;
            covers.iter().find(|point| point.is_second()).or_else(|| covers.iter().next())
        }
        _ => None,
    }
}

/// Whether a French unit or work is on a wall point (DZ-R82).
#[must_use]
pub fn has_french(table: &Table, point: WallId) -> bool {
    table.at(Side::French, Place::Wall(point)).next().is_some() || table.siege.work_on(point).is_some()
}

/// The wall points with a French unit or work on them (DZ-R82).
#[must_use]
pub(super) fn french_on_walls(table: &Table) -> WallSet {
    let mut points = WallSet::default();
    for unit in UnitId::of_side(Side::French) {
        if let Place::Wall(point) = table.unit(unit).place {
            points = points.with(point);
        }
    }
    table.siege.all_works().flat_map(|(_, work)| work.covers.iter()).fold(points, WallSet::with)
}

/// Whether the French hold a wall point: with a work, or since an earlier turn with infantry.
#[must_use]
pub fn is_french(table: &Table, point: WallId) -> bool {
    table.siege.work_on(point).is_some()
        || (table.siege.wall(point).holder == Side::French
            && infantry_at(table, Side::French, Place::Wall(point)).next().is_some())
}

/// Whether Prussian infantry stands on a wall point.
#[must_use]
pub fn is_manned(table: &Table, point: WallId) -> bool {
    infantry_at(table, Side::Prussian, Place::Wall(point)).next().is_some()
}

/// Whether a battery may stand on a point: free, Prussian-held, the wall high enough.
///
/// # Errors
/// The rule that keeps it away.
pub fn check_battery_place(table: &Table, battery: UnitId, point: WallId) -> Verdict<()> {
    let level = table.siege.wall(point).level;
    if !rule!(DZ_4_3_2_06).holds(battery.data().arm == Arm::Fortress) {
        return Err(
            Refusal::rule(rule!(DZ_4_3_2_06), phrase::ONLY_FORTRESS_GUNS).with("unit", battery.data().label)
        );
    }
    if !rule!(DZ_R62).holds(table.unit(battery).place != Place::Kalke) {
        return Err(Refusal::rule(rule!(DZ_R62), phrase::KALKE_GUNS_STAY).with("unit", battery.data().label));
    }
    if !rule!(DZ_4_7_1_05).holds(bears_artillery(level, &table.options)) {
        return Err(Refusal::rule(rule!(DZ_4_7_1_05), phrase::WALL_TOO_LOW)
            .with("point", point)
            .with("level", level));
    }
    if !rule!(DZ_R63).holds(!has_french(table, point)) {
        return Err(Refusal::rule(rule!(DZ_R63), phrase::NOT_PRUSSIAN).with("point", point));
    }
    let another = table
        .at(Side::Prussian, Place::Wall(point))
        .any(|other| other.data().arm == Arm::Fortress && other != battery);
    if !rule!(DZ_4_2_06).holds(!another) {
        return Err(Refusal::rule(rule!(DZ_4_2_06), phrase::ONE_BATTERY).with("point", point));
    }
    Ok(())
}

/// One morale test: the die must not exceed the morale, one less at or below half strength.
pub fn morale_test(morale: u8, steps: u8, full: u8, clerk: &mut impl Clerk) -> bool {
    let passed = series::morale_test(morale, full > 1 && 2 * steps <= full, false, clerk);
    clerk.applied(rule!(DZ_R89));
    passed
}

/// A unit tests its morale; failure disorders it.
pub(crate) fn test(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) -> bool {
    let (data, state) = (unit.data(), table.unit(unit));
    let passed = morale_test(data.morale, state.steps, data.steps, clerk);
    if !passed {
        disorder(table, unit, clerk);
    }
    passed
}

/// A unit is disorganised: to the concentration area, to the reserve, or turned to damaged.
pub(crate) fn disorder(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    if unit.data().arm == Arm::Fortress {
        if !table.marked(unit, Marks::DAMAGED) {
            let side = clerk.rather(rule!(DZ_4_3_2_01), Marks::DAMAGED, Marks::default());
            table.unit_mut(unit).marks.set(side);
            clerk.happened(|| kernel::Event::new(phrase::GUN_DAMAGED).with("unit", unit.data().label));
        }
        return;
    }
    let state = table.unit_mut(unit);
    let twice = state.is_disordered();
    state.marks.set(Marks::DISORDERED);
    let there =
        if twice { clerk.rather(rule!(DZ_4_6_03), state.place, Place::Eliminated) } else { state.place };
    state.place = match unit.side() {
        _ if there == Place::Eliminated => there,
        Side::French => {
            let back = clerk.rather(rule!(DZ_4_6_01), Place::Concentration, there);
            if unit.data().arm.is_artillery() { clerk.rather(rule!(DZ_4_3_3_02), back, there) } else { back }
        }
        Side::Prussian => clerk.rather(rule!(DZ_4_6_02), Place::Reserve, there),
    };
    let told = match unit.side() {
        Side::French => phrase::THROWN_BACK,
        Side::Prussian => phrase::THROWN_INTO_THE_CITY,
    };
    clerk.happened(|| kernel::Event::new(told).with("unit", unit.data().label));
}

/// A unit loses one step; the last one eliminates it.
pub fn lose_step(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    let state = table.unit_mut(unit);
    state.steps = state.steps.saturating_sub(1);
    if state.steps == 0 {
        state.place = Place::Eliminated;
        state.marks.clear(Marks::DISORDERED);
    }
    clerk.happened(|| kernel::Event::new(phrase::STEP_LOST).with("unit", unit.data().label));
}

/// The infantry of a place that a shot may hit: all of it, but in the Kalke-Schanze only the steps on its
/// walls, those of the best morale first (DZ-R100).
fn exposed(table: &Table, side: Side, place: Place) -> Vec<UnitId> {
    let mut infantry: Vec<UnitId> = infantry_at(table, side, place).collect();
    if place == Place::Kalke {
        infantry.sort_by_key(|unit| (std::cmp::Reverse(unit.data().morale), *unit));
        let mut steps = 0;
        infantry.retain(|unit| {
            let fits = steps + steps_of(table, *unit) <= KALKE_WALL_STEPS;
            if fits {
                steps += steps_of(table, *unit);
            }
            fits
        });
    }
    infantry
}

/// What a shot does to the stack in a place. Losses that can be shared in more than one way are owed.
pub(crate) fn strike(table: &mut Table, side: Side, place: Place, struck: &Struck, clerk: &mut impl Clerk) {
    let infantry = exposed(table, side, place);
    let guns: Vec<UnitId> = table.at(side, place).filter(|unit| unit.data().arm.is_artillery()).collect();
    if struck.test {
        for unit in infantry.iter().chain(&guns) {
            if !(table.marked(*unit, Marks::DAMAGED) || table.unit(*unit).is_disordered()) {
                test(table, *unit, clerk);
            }
        }
    }
    if struck.guns {
        for gun in guns {
            if gun.data().arm == Arm::FieldArtillery {
                clerk.applied(rule!(DZ_R43));
            }
            disorder(table, gun, clerk);
        }
    }
    take(table, side, &infantry, struck.infantry, clerk);
}

/// Takes steps from a stack: at once where there is no choice, else they are owed.
fn take(table: &mut Table, side: Side, units: &[UnitId], steps: u8, clerk: &mut impl Clerk) {
    if steps == 0 || units.is_empty() {
        return;
    }
    clerk.applied(rule!(DZ_R43));
    let there: u8 = units.iter().map(|unit| table.unit(*unit).steps).sum();
    if units.len() == 1 || there <= steps {
        for unit in units {
            for _ in 0..steps.min(table.unit(*unit).steps) {
                lose_step(table, *unit, clerk);
            }
        }
    } else {
        table.owed.push(Owed::Losses { side, among: units.iter().copied().collect(), steps });
        clerk.happened(|| kernel::Event::new(phrase::STEPS_OWED).with("steps", steps));
    }
}

/// A melee of the siege map whose dice have fallen, while its players take the steps they have lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Brawl {
    attackers: UnitSet,
    defenders: UnitSet,
    result: MeleeResult,
}

impl Brawl {
    /// The dice have fallen: steps are lost, by choice of their owner where he has one (DZ-R43).
    pub(super) fn begin(
        table: &mut Table,
        attackers: &[UnitId],
        defenders: &[UnitId],
        result: MeleeResult,
        clerk: &mut impl Clerk,
    ) -> Self {
        for (units, toll) in [(defenders, result.defender), (attackers, result.attacker)] {
            // A siege battery has no steps to lose.
            let troops: Vec<UnitId> =
                units.iter().copied().filter(|unit| unit.data().arm != Arm::Fortress).collect();
            if let Some(first) = troops.first() {
                take(table, first.side(), &troops, toll.steps, clerk);
            }
        }
        let set = |units: &[UnitId]| units.iter().copied().collect();
        Self { attackers: set(attackers), defenders: set(defenders), result }
    }

    /// The steps are lost: those who are left are disordered or test. Gives back whether the attacker
    /// wins and whether the defender has left.
    pub(super) fn end(self, table: &mut Table, clerk: &mut impl Clerk) -> (bool, bool) {
        let defended = shake(table, self.defenders, self.result.defender, clerk);
        let attacked = shake(table, self.attackers, self.result.attacker, clerk);
        (attacked && !defended, !defended)
    }
}

/// Disorder, or the tests, of those whom a melee has left. Gives back whether anybody is still there in
/// order.
fn shake(table: &mut Table, units: UnitSet, blow: Toll, clerk: &mut impl Clerk) -> bool {
    for unit in units.iter() {
        if table.unit(unit).steps == 0 {
            continue;
        }
        // A step lost, disorder or a failed test: to a siege battery it is all one.
        if blow.disordered || (blow.steps > 0 && unit.data().arm == Arm::Fortress) {
            disorder(table, unit, clerk);
        } else if blow.test {
            test(table, unit, clerk);
        }
    }
    units.iter().any(|unit| {
        let state = table.unit(unit);
        state.steps > 0 && !state.is_disordered() && !table.marked(unit, Marks::DAMAGED)
    })
}

/// A work loses steps; at the second it is gone.
pub(crate) fn damage_work(table: &mut Table, id: WorkId, steps: u8, clerk: &mut impl Clerk) {
    let Some(work) = table.siege.work_mut(id) else { return };
    if steps == 0 {
        return;
    }
    // It has two of them.
    if clerk.holds(rule!(DZ_4_7_2_16), true) && steps == 1 && !work.damaged {
        work.damaged = true;
        table.siege.join();
        clerk.happened(|| kernel::Event::new(phrase::WORK_DAMAGED).with("work", id));
    } else {
        destroy_work(table, id, clerk);
    }
}

/// A work is gone: infantry in it stands where it was, in the open or on the bare wall point; a gun
/// goes to the concentration area.
pub(crate) fn destroy_work(table: &mut Table, id: WorkId, clerk: &mut impl Clerk) {
    let Some(work) = table.siege.remove_work(id) else { return };
    clerk.applied(rule!(DZ_R79));
    let left = work.covers.iter().next().map_or(Place::Open(work.pose.at), Place::Wall);
    let inside: Vec<UnitId> = table.at(Side::French, Place::Work(id)).collect();
    let mut there = steps_on(table, Side::French, left);
    for unit in inside {
        // Guns go back; so does infantry where others stand in the open on the very spot already.
        let steps = table.unit(unit).steps;
        let infantry = !unit.data().arm.is_artillery();
        let full = there + steps > STACK;
        let stays = infantry && (!full || !clerk.holds(rule!(DZ_4_2_12), full));
        if stays {
            there = there.saturating_add(steps);
        }
        table.unit_mut(unit).place = if stays { left } else { Place::Concentration };
    }
    clerk.happened(|| kernel::Event::new(phrase::WORK_GONE).with("work", id));
}

/// A wall point loses levels; a battery on it may have to leave, the city may lose heart.
pub(crate) fn lower_wall(table: &mut Table, point: WallId, levels: u8, clerk: &mut impl Clerk) {
    let wall = table.siege.wall_mut(point);
    let before = wall.level;
    wall.level = wall.level.saturating_sub(levels);
    let level = wall.level;
    if level == before {
        return;
    }
    clerk.happened(|| kernel::Event::new(phrase::WALL_LOWERED).with("point", point).with("level", level));
    if level == 0 {
        table.danzig.wall_point_at_zero(clerk);
    }
    if !bears_artillery(level, &table.options) {
        displace_from(table, point, clerk);
    }
}

/// The battery on a point must go elsewhere.
pub(crate) fn displace_from(table: &mut Table, point: WallId, clerk: &mut impl Clerk) {
    let battery = table.at(Side::Prussian, Place::Wall(point)).find(|unit| unit.data().arm == Arm::Fortress);
    if let Some(battery) = battery
        && !table.owed.contains(&Owed::Battery(battery))
        && clerk.holds(rule!(DZ_4_7_1_05), true)
    {
        table.owed.push(Owed::Battery(battery));
    }
}

/// Whether a French unit may end in a work: two infantry steps, one gun in a battery emplacement.
///
/// # Errors
/// The stacking rule.
pub fn check_room(table: &Table, unit: UnitId, id: WorkId) -> Verdict<()> {
    let Some(work) = table.siege.work(id) else { return Err(super::sight::no_such_work(id)) };
    let place = Place::Work(id);
    let rule = if work.kind == WorkKind::Battery { rule!(DZ_4_2_04) } else { rule!(DZ_4_2_05) };
    if unit.data().arm.is_artillery() {
        let full = work.kind != WorkKind::Battery
            || table.at(Side::French, place).any(|other| other.data().arm.is_artillery() && other != unit);
        if !rule.holds(!full) {
            return Err(Refusal::rule(rule, phrase::NO_ROOM_FOR_GUN).with("work", id));
        }
        return Ok(());
    }
    let there = infantry_at(table, Side::French, place).filter(|other| *other != unit);
    let steps: u8 = there.map(|other| table.unit(other).steps).sum();
    let fits = steps + table.unit(unit).steps <= STACK;
    if !(rule.holds(fits) && rule!(DZ_4_7_2_05).holds(fits) && rule!(DZ_4_2_12).holds(fits)) {
        return Err(Refusal::rule(rule, phrase::NO_ROOM).with("steps", steps));
    }
    Ok(())
}

/// The rally of a siege step: automatic, for the side whose step it is, or for both by option.
pub fn rally(table: &mut Table, side: Side, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_R30));
    let both = table.options.siege_rally == SiegeRally::BothSides;
    for unit in UnitId::all() {
        let state = table.unit_mut(unit);
        if state.place.is_siege() && state.is_disordered() && (both || unit.side() == side) {
            state.marks.clear(Marks::DISORDERED);
        }
    }
}

/// The end of a turn: printed redoubts linked now count as linked from the next turn on; works lose
/// their worker.
pub fn end_turn(table: &mut Table) {
    table.siege.linked_redoubts = table.siege.redoubts_touched();
    for work in table.siege.works.iter_mut().flatten() {
        work.worker = None;
    }
}

/// The French who hold a work or a point when it is attacked hand to hand.
pub(super) struct Holders {
    /// Their guns of every kind.
    pub(super) guns: Vec<UnitId>,
    /// Who fights: the infantry, or field batteries alone (DZ-R48).
    pub(super) defenders: Vec<UnitId>,
    /// What they defend with.
    pub(super) defence: Defence,
}

impl Holders {
    pub(super) fn of(table: &Table, place: Place) -> Self {
        let infantry: Vec<UnitId> = infantry_at(table, Side::French, place).collect();
        let guns: Vec<UnitId> =
            table.at(Side::French, place).filter(|unit| unit.data().arm.is_artillery()).collect();
        let field: Vec<UnitId> =
            guns.iter().copied().filter(|gun| gun.data().arm == Arm::FieldArtillery).collect();
        let defence = Defence {
            steps: steps_on(table, Side::French, place),
            batteries: 0,
            field_steps: field.iter().map(|gun| table.unit(*gun).steps).sum(),
        };
        Self { guns, defenders: if infantry.is_empty() { field } else { infantry }, defence }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Game as _, scripted};

    use super::*;

    #[test]
    fn the_limits_are_those_of_the_table() {
        let row = |place: &str| {
            rulebook::tables::danzig::STACKING_SIEGE.iter().find(|row| row.place == place).unwrap()
        };
        for place in ["sap", "parallel", "battery_emplacement", "wall_point_pink", "open_ground"] {
            assert_eq!(row(place).infantry_steps, STACK.to_string(), "{place}");
        }
        assert_eq!((row("sap").guns, row("parallel").guns, row("battery_emplacement").guns), ("0", "0", "1"));
        assert_eq!(row("kalke_total").infantry_steps, super::super::garrison::KALKE_STEPS.to_string());
        assert_eq!(
            row("reserve_point_green").infantry_steps,
            super::super::counter::COUNTER_STEPS.to_string()
        );
    }

    #[test]
    fn disorganised_twice_is_nothing_more() {
        let mut table = crate::State::start(&kernel::Setup::default()).unwrap().table;
        let unit = UnitId::of_code("F01a").unwrap();
        table.unit_mut(unit).place = Place::Open(super::super::Spot::metres(900, 900));
        let ((), notes) = scripted(&[], |clerk| {
            disorder(&mut table, unit, clerk);
            disorder(&mut table, unit, clerk);
        })
        .unwrap();
        assert!(notes.reasons().any(|because| because.rule == rule!(DZ_4_6_03)));
        assert_eq!(table.unit(unit).place, Place::Concentration);
    }
}
