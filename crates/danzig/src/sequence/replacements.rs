//! Phase 2.1 (chapter 6.1), decision by decision: a step comes back to either side, and damaged batteries
//! are repaired.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::danzig::BatteryRepairStep;
use rulebook::{phrase, rule};

use super::{Decision, Step, end_or_not_now, rounds};
use crate::action::Action;
use crate::ops;
use crate::setup::FACINGS;
use crate::siege::{self, WallId};
use crate::state::{Options, Phase, State, Table};
use crate::unit::{Arm, Formation, Marks, Nation, Place, Side, UnitId, UnitSet};

/// Whether a lost battalion of Kamenski's Fusiliers may come back: the other one is in the city, and their
/// steps are those of one regiment (DZ-R22, DZ-R28).
fn fusiliers_return(table: &Table, unit: UnitId) -> bool {
    let other = unit.regiment().or_else(|| unit.battalions().first().copied());
    table.unit(unit).place == Place::Eliminated
        && other.is_some_and(|other| {
            matches!(table.unit(other).place, Place::Reserve | Place::Wall(_) | Place::Kalke)
        })
}

/// The counters of a side that have lost steps.
fn weakened(table: &Table, side: Side) -> impl Iterator<Item = UnitId> + '_ {
    UnitId::of_side(side).filter(|unit| {
        let state = table.unit(*unit);
        state.steps < state.most || state.place == Place::Eliminated
    })
}

/// Whether a French unit may get the replacement step of the turn.
fn check_replace_french(table: &Table, unit: UnitId) -> Verdict<()> {
    let refuse = |phrase| Err(Refusal::rule(rule!(DZ_R28), phrase).with("unit", unit.data().label));
    let data = unit.data();
    let state = table.unit(unit);
    if data.side != Side::French {
        return refuse(phrase::danzig::NOT_YOURS);
    }
    if !rule!(DZ_6_1_02).holds(!data.arm.is_artillery()) {
        return Err(
            Refusal::rule(rule!(DZ_6_1_02), phrase::danzig::NO_STEPS_FOR_GUNS).with("unit", data.label)
        );
    }
    match state.place {
        Place::Eliminated => match data.regiment {
            // A lost battalion comes back while its regiment is on the siege map.
            Some(regiment) => {
                let stands = regiment.battalions().iter().any(|other| table.unit(*other).place.is_siege());
                if stands { Ok(()) } else { refuse(phrase::danzig::REGIMENT_NOT_THERE) }
            }
            None => Ok(()),
        },
        Place::Away | Place::Waiting => refuse(phrase::danzig::NOT_ON_A_MAP),
        _ if state.steps >= state.most => refuse(phrase::danzig::AT_FULL_STRENGTH),
        Place::Hex(hex) => {
            let mut fuller = table.clone();
            fuller.unit_mut(unit).steps += 1;
            Ok(ops::Field::of(&fuller).fits(UnitSet::of(unit), hex)?)
        }
        Place::Work(_) | Place::Wall(_) | Place::Open(_)
            if !rule!(DZ_4_2_04).holds(siege::steps_on(table, Side::French, state.place) < 2) =>
        {
            Err(Refusal::rule(rule!(DZ_4_2_04), phrase::danzig::NO_ROOM).with("steps", 2))
        }
        Place::Kalke => check_kalke_room(table, Side::French),
        _ => Ok(()),
    }
}

fn check_replace_prussian(table: &Table, unit: UnitId) -> Verdict<()> {
    let data = unit.data();
    let refuse = |phrase| Err(Refusal::rule(rule!(DZ_6_1_03), phrase).with("unit", data.label));
    if !rule!(DZ_6_1_06).holds(data.nation != Nation::Russia) {
        return Err(
            Refusal::rule(rule!(DZ_6_1_06), phrase::danzig::NO_STEPS_FOR_RUSSIANS).with("unit", data.label)
        );
    }
    if !rule!(DZ_6_1_03).holds(data.side == Side::Prussian && data.arm == Arm::Infantry) {
        return refuse(phrase::danzig::ONLY_INFANTRY);
    }
    let state = table.unit(unit);
    if fusiliers_return(table, unit) {
        return Ok(());
    }
    if !rule!(DZ_6_1_03).holds(matches!(state.place, Place::Reserve | Place::Wall(_) | Place::Kalke)) {
        return refuse(phrase::danzig::NOT_IN_THE_CITY);
    }
    if !rule!(DZ_6_1_03).holds(state.steps < state.most) {
        return refuse(phrase::danzig::AT_FULL_STRENGTH);
    }
    if let Place::Wall(_) = state.place
        && !rule!(DZ_4_2_06).holds(siege::steps_on(table, Side::Prussian, state.place) < 2)
    {
        return Err(Refusal::rule(rule!(DZ_4_2_06), phrase::danzig::NO_ROOM).with("steps", 2));
    }
    if state.place == Place::Kalke {
        return check_kalke_room(table, Side::Prussian);
    }
    Ok(())
}

/// Whether the Kalke-Schanze has room for one step more.
fn check_kalke_room(table: &Table, side: Side) -> Verdict<()> {
    let most = siege::KALKE_STEPS;
    if rule!(DZ_4_7_4_01).holds(siege::steps_on(table, side, Place::Kalke) < most) {
        return Ok(());
    }
    Err(Refusal::rule(rule!(DZ_4_7_4_01), phrase::danzig::NO_ROOM).with("steps", most))
}

/// Whether a damaged battery may be repaired onto a point.
pub(super) fn check_repair_battery(
    table: &Table,
    battery: UnitId,
    point: WallId,
    facing: u16,
) -> Verdict<()> {
    let damaged = battery.data().arm == Arm::Fortress && table.marked(battery, Marks::DAMAGED);
    if !rule!(DZ_6_1_04).holds(damaged) {
        return Err(
            Refusal::rule(rule!(DZ_6_1_04), phrase::danzig::NOT_DAMAGED).with("unit", battery.data().label)
        );
    }
    if facing >= 360 {
        return Err(Refusal::field("facing", phrase::danzig::NO_SUCH_FACING));
    }
    if !rule!(DZ_4_3_2_04).holds(table.unit(battery).place != Place::Kalke) {
        return Err(Refusal::rule(rule!(DZ_4_3_2_04), phrase::danzig::NOT_ON_THE_WALLS)
            .with("unit", battery.data().label));
    }
    if !rule!(DZ_R29).holds(matches!(table.unit(battery).place, Place::Wall(_))) {
        return Err(
            Refusal::rule(rule!(DZ_R29), phrase::danzig::NOT_ON_THE_WALLS).with("unit", battery.data().label)
        );
    }
    if !rule!(DZ_6_1_04).holds(table.danzig.repair_pool > 0) {
        return Err(Refusal::rule(rule!(DZ_6_1_04), phrase::danzig::POOL_EMPTY));
    }
    siege::check_battery_place(table, battery, point)
}

/// Lists the repairs of batteries.
pub(super) fn list_battery_repairs(table: &Table, into: &mut Vec<Action>) {
    if table.danzig.repair_pool == 0 {
        return;
    }
    for battery in UnitId::of_side(Side::Prussian).filter(|unit| table.marked(*unit, Marks::DAMAGED)) {
        for point in WallId::all() {
            if check_repair_battery(table, battery, point, FACINGS[1]).is_ok() {
                let facings = siege::facings(table, Place::Wall(point)).into_iter();
                into.extend(facings.map(|facing| Action::RepairBattery { battery, point, facing }));
            }
        }
    }
}

/// Repairs a battery.
pub(super) fn repair_battery(
    table: &mut Table,
    battery: UnitId,
    point: WallId,
    facing: u16,
    clerk: &mut impl Clerk,
) {
    let spent = i8::try_from(clerk.modifier(rule!(DZ_6_1_04), -1)).unwrap_or(0);
    table.danzig.repair_pool = table.danzig.repair_pool.saturating_add_signed(spent);
    let state = table.unit_mut(battery);
    state.place = clerk.rather(rule!(DZ_6_1_05), Place::Wall(point), state.place);
    state.facing = facing;
    state.marks.clear(clerk.rather(rule!(DZ_4_3_2_02), Marks::DAMAGED, Marks::default()));
}

/// Whether a step of this option is the one for repairing batteries.
pub(super) fn repairs_at_once(options: &Options) -> bool {
    options.battery_repair_step == BatteryRepairStep::Phase2_1
}

/// 6.1: a French step comes back.
pub(super) struct ReplacementFrench;

impl Decision for ReplacementFrench {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        let weakened = weakened(&state.table, Side::French);
        into.extend(
            weakened
                .filter(|unit| check_replace_french(&state.table, *unit).is_ok())
                .map(|unit| Action::ReplaceFrench { unit }),
        );
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::ReplaceFrench { unit } => check_replace_french(&state.table, unit),
            _ => end_or_not_now(rule!(DZ_2_1_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::ReplaceFrench { unit } = *action else { return true };
        let step = clerk.rather(rule!(DZ_6_1_01), 1, 0);
        let counter = state.table.unit_mut(unit);
        if counter.place == Place::Eliminated {
            counter.steps = step;
            counter.marks = Marks::default();
            counter.formation = Formation::at_entry(unit.data().arm);
            counter.place =
                if unit.data().regiment.is_some() { Place::Concentration } else { Place::Waiting };
        } else {
            counter.steps = (counter.steps + step).min(counter.most);
        }
        clerk.happened(|| Event::new(phrase::danzig::STEP_COMES_BACK).with("unit", unit.data().label));
        true
    }
}

impl Step for ReplacementFrench {
    fn next(_: &mut State, clerk: &mut impl Clerk) -> Phase {
        clerk.rather(rule!(DZ_2_0_02), Phase::ReplacementPrussian, Phase::BatteryRepair)
    }
}

/// 6.1: a Prussian step comes back.
pub(super) struct ReplacementPrussian;

impl Decision for ReplacementPrussian {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        let weakened = weakened(&state.table, Side::Prussian);
        into.extend(
            weakened
                .filter(|unit| check_replace_prussian(&state.table, *unit).is_ok())
                .map(|unit| Action::ReplacePrussian { unit }),
        );
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::ReplacePrussian { unit } => check_replace_prussian(&state.table, unit),
            _ => end_or_not_now(rule!(DZ_2_1_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::ReplacePrussian { unit } = *action else { return true };
        let counter = state.table.unit_mut(unit);
        counter.steps = (counter.steps + clerk.rather(rule!(DZ_6_1_03), 1, 0)).min(counter.most);
        if counter.place == Place::Eliminated {
            clerk.applied(rule!(DZ_R28));
            (counter.place, counter.marks) = (Place::Reserve, Marks::default());
        }
        clerk.happened(|| Event::new(phrase::danzig::STEP_COMES_BACK).with("unit", unit.data().label));
        true
    }
}

impl Step for ReplacementPrussian {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::BatteryRepair
    }
}

/// 6.1: damaged batteries are repaired and placed again, unless they are repaired in phase 2.5.3.
pub(super) struct BatteryRepair;

impl Decision for BatteryRepair {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        if repairs_at_once(&state.table.options) {
            list_battery_repairs(&state.table, into);
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        let Action::RepairBattery { battery, point, facing } = *action else {
            return end_or_not_now(rule!(DZ_2_1_01), action);
        };
        if !rule!(DZ_R29).holds(repairs_at_once(&state.table.options)) {
            return Err(Refusal::rule(rule!(DZ_R29), phrase::danzig::NOT_NOW));
        }
        check_repair_battery(&state.table, battery, point, facing)
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::RepairBattery { battery, point, facing } = *action else { return true };
        repair_battery(&mut state.table, battery, point, facing, clerk);
        false
    }
}

impl Step for BatteryRepair {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        rounds::begin(state, clerk)
    }
}
