//! Phase 2.1 (chapters 5.3, 6.1 and 7.0): bridge declaration, Benningsen and the corvette, French
//! arrivals and ammunition, Kamenski's landing, replacements and the repair of batteries.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::danzig::{BatteryRepairStep, KamenskiTurn};
use rulebook::tables::danzig as tables;
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::ops::{self, Hex};
use crate::setup::{FACINGS, LANDINGS};
use crate::siege::{self, WallId};
use crate::state::{Options, State, Table};
use crate::unit::{Arm, Corps, Formation, Level, Marks, Nation, Place, Side, UnitId, UnitSet};

/// The turn on which Kamenski and Lannes arrive.
#[must_use]
pub fn relief_turn(options: &Options) -> u8 {
    match options.kamenski_turn {
        KamenskiTurn::V10 => 10,
        KamenskiTurn::V8 => 8,
    }
}

/// The turn on which a counter arrives; 0 for the garrison and for battalions.
#[must_use]
pub fn arrival(unit: UnitId, options: &Options) -> u8 {
    match unit.data().corps {
        Corps::Kamenski | Corps::Lannes => relief_turn(options),
        Corps::Besiegers | Corps::Garrison => unit.data().turn,
    }
}

/// French units that come into play this turn wait off the map; ammunition is added.
pub(crate) fn receive(state: &mut State, clerk: &mut impl Clerk) {
    let table = &mut state.table;
    let turn = table.turn;
    count_lost_regiments(table);
    if !clerk.holds(rule!(DZ_2_1_01), true) {
        return;
    }
    for unit in UnitId::of_side(Side::French) {
        let due = arrival(unit, &table.options);
        let kept_back = table.marked(unit, Marks::POSTPONED);
        table.unit_mut(unit).marks.clear(Marks::POSTPONED);
        if due == turn
            && due > 0
            && table.unit(unit).place == Place::Away
            && unit.data().level != Level::Battalion
        {
            let rule = match (turn, unit.data().corps) {
                (_, Corps::Lannes) => rule!(DZ_5_3_09),
                (1, _) => rule!(DZ_5_2_02),
                (2, _) => rule!(DZ_5_3_03),
                (4, _) => rule!(DZ_5_3_05),
                (10, _) => rule!(DZ_R03),
                _ => rule!(DZ_5_3_01),
            };
            if kept_back || clerk.holds(rule, true) {
                table.unit_mut(unit).place = Place::Waiting;
            }
        }
    }
    let (twelve, twenty_four) = match turn {
        3 => (70, 0),
        5 => (100, 50),
        7 => (80, 0),
        _ => (0, 0),
    };
    if twelve > 0 {
        let rule = match turn {
            3 => rule!(DZ_5_3_04),
            5 => rule!(DZ_5_3_06),
            _ => rule!(DZ_5_3_07),
        };
        let due = clerk.modifier(rule, i32::from(twelve) + i32::from(twenty_four)) > 0;
        if due && clerk.holds(rule!(DZ_5_3_13), true) {
            table.danzig.ammunition_12 += twelve;
            table.danzig.ammunition_24 += clerk.rather(rule!(DZ_6_1_07), twenty_four, twelve);
        }
        clerk.happened(|| {
            Event::new(phrase::danzig::AMMUNITION_ARRIVES)
                .with("twelve", twelve)
                .with("twenty_four", twenty_four)
        });
    }
}

/// A regiment whose battalions are all lost is lost itself, and may come back as a regiment.
fn count_lost_regiments(table: &mut Table) {
    for regiment in UnitId::of_side(Side::French).filter(|unit| unit.data().level == Level::Regiment) {
        let battalions = regiment.battalions();
        let lost = table.unit(regiment).place == Place::Away
            && battalions.iter().all(|battalion| table.unit(*battalion).place == Place::Eliminated);
        if lost {
            for battalion in battalions {
                table.unit_mut(*battalion).place = Place::Away;
            }
            let counter = table.unit_mut(regiment);
            counter.place = Place::Eliminated;
            counter.steps = 0;
        }
    }
}

/// Whether the French player may still keep a unit back.
fn check_postpone(table: &Table, unit: UnitId) -> Verdict<()> {
    if !rule!(DZ_R76).holds(unit.data().corps != Corps::Kamenski) {
        return Err(Refusal::rule(rule!(DZ_R76), phrase::danzig::KAMENSKI_IS_NOT_POSTPONED));
    }
    let due = table.unit(unit).place == Place::Waiting && !table.marked(unit, Marks::POSTPONED);
    if !rule!(DZ_5_3_11).holds(due) {
        return Err(Refusal::rule(rule!(DZ_5_3_11), phrase::danzig::NOT_DUE).with("unit", unit.data().label));
    }
    Ok(())
}

fn check_kamenski(table: &Table, unit: UnitId, hex: Hex) -> Verdict<()> {
    if !rule!(DZ_3_1_11).holds(lands(table, unit)) {
        return Err(Refusal::rule(rule!(DZ_3_1_11), phrase::danzig::NOT_DUE).with("unit", unit.data().label));
    }
    if !rule!(DZ_6_2_01).holds(LANDINGS.binary_search(&hex).is_ok()) {
        return Err(Refusal::rule(rule!(DZ_6_2_01), phrase::danzig::LANDS_IN_CAMP_OR_FORT));
    }
    ops::check_landing(table, unit, hex)
}

/// Whether a counter of Kamenski is still to land.
fn lands(table: &Table, unit: UnitId) -> bool {
    let data = unit.data();
    data.corps == Corps::Kamenski && data.regiment.is_none() && table.unit(unit).place == Place::Away
}

fn landing_next(table: &Table) -> Option<UnitId> {
    UnitId::of_side(Side::Prussian).find(|unit| lands(table, *unit))
}

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
pub(crate) fn check_repair_battery(
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
pub(crate) fn list_battery_repairs(table: &Table, into: &mut Vec<Action>) {
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
pub(crate) fn repair_battery(
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
pub(crate) fn repairs_at_once(options: &Options) -> bool {
    options.battery_repair_step == BatteryRepairStep::Phase2_1
}

/// Lists the decisions of the phase.
pub(crate) fn list(state: &State, into: &mut Vec<Action>) {
    use crate::state::Phase as P;
    let table = &state.table;
    match state.phase {
        P::BridgeDeclare => {
            into.push(Action::EndPhase);
            ops::list_bridges(table, |unit, across| into.push(Action::DeclareBridge { unit, across }));
        }
        P::Benningsen => into.push(Action::RollBenningsen),
        P::Dauntless => into.push(Action::RollDauntless),
        P::ArrivalsFrench => {
            into.push(Action::EndPhase);
            let due = UnitId::of_side(Side::French).filter(|unit| table.unit(*unit).place == Place::Waiting);
            for unit in due.filter(|unit| check_postpone(table, *unit).is_ok()) {
                into.push(Action::Postpone { unit });
            }
        }
        P::ArrivalsKamenski => {
            if let Some(unit) = landing_next(table) {
                for &hex in LANDINGS.iter().filter(|hex| check_kamenski(table, unit, **hex).is_ok()) {
                    into.push(Action::PlaceKamenski { unit, hex });
                }
            }
            if into.is_empty() {
                into.push(Action::EndPhase);
            }
        }
        P::ReplacementFrench => {
            into.push(Action::EndPhase);
            for unit in weakened(table, Side::French) {
                if check_replace_french(table, unit).is_ok() {
                    into.push(Action::ReplaceFrench { unit });
                }
            }
        }
        P::ReplacementPrussian => {
            into.push(Action::EndPhase);
            for unit in weakened(table, Side::Prussian) {
                if check_replace_prussian(table, unit).is_ok() {
                    into.push(Action::ReplacePrussian { unit });
                }
            }
        }
        P::BatteryRepair => {
            into.push(Action::EndPhase);
            if repairs_at_once(&table.options) {
                list_battery_repairs(table, into);
            }
        }
        _ => {}
    }
}

/// Whether this may be decided now.
pub(crate) fn check(state: &State, action: &Action) -> Verdict<()> {
    use crate::state::Phase as P;
    let table = &state.table;
    match (state.phase, *action) {
        (P::BridgeDeclare, Action::DeclareBridge { unit, across }) => ops::check_bridge(table, unit, across),
        (P::Benningsen, Action::RollBenningsen) | (P::Dauntless, Action::RollDauntless) => Ok(()),
        (P::Benningsen | P::Dauntless, _) => Err(Refusal::rule(rule!(DZ_R77), phrase::danzig::NOT_NOW)),
        (P::ArrivalsFrench, Action::Postpone { unit }) => check_postpone(table, unit),
        (P::ArrivalsKamenski, Action::PlaceKamenski { unit, hex }) => check_kamenski(table, unit, hex),
        (P::ArrivalsKamenski, Action::EndPhase) => {
            let mut offered = Vec::new();
            list(state, &mut offered);
            if offered.contains(action) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_3_1_11), phrase::danzig::NOT_ALL_PLACED))
            }
        }
        (P::ReplacementFrench, Action::ReplaceFrench { unit }) => check_replace_french(table, unit),
        (P::ReplacementPrussian, Action::ReplacePrussian { unit }) => check_replace_prussian(table, unit),
        (P::BatteryRepair, Action::RepairBattery { battery, point, facing }) => {
            if !repairs_at_once(&table.options) {
                return Err(Refusal::rule(rule!(DZ_R29), phrase::danzig::NOT_NOW));
            }
            check_repair_battery(table, battery, point, facing)
        }
        (_, Action::EndPhase) => Ok(()),
        _ => Err(Refusal::rule(rule!(DZ_2_1_01), phrase::danzig::NOT_NOW)),
    }
}

/// The lowest roll with which a special event succeeds; some events have a second, easier line.
fn succeeds_on(event: &str, easier: bool) -> u8 {
    tables::SPECIAL_EVENTS
        .iter()
        .filter(|row| row.event == event)
        .nth(usize::from(easier))
        .and_then(|row| row.success_on.split('-').next()?.parse().ok())
        .unwrap_or(u8::MAX)
}

/// Does it; true when the phase is over.
pub(crate) fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
    let table = &mut state.table;
    match *action {
        Action::DeclareBridge { unit, across } => {
            ops::declare_bridge(table, unit, across, clerk);
            true
        }
        Action::RollBenningsen => {
            let [first, second] = clerk.two_d6();
            let roll = clerk.rather(rule!(DZ_7_0_03), first + second, 0);
            if roll >= clerk.rather(rule!(DZ_7_0_01), succeeds_on("benningsen", false), 0) {
                table.danzig.benningsen(clerk);
                // The dice fall before anybody arrives, on the turn of his arrival too.
                if table.turn <= relief_turn(&table.options) {
                    table.danzig.lannes_delayed = true;
                }
                clerk.happened(|| Event::new(phrase::danzig::BENNINGSEN_MOVES));
            } else {
                clerk.happened(|| Event::new(phrase::danzig::BENNINGSEN_STAYS).with("roll", first + second));
            }
            true
        }
        Action::RollDauntless => {
            let die = clerk.d6();
            let watched = ops::french_beside_vistula(table);
            let came_through = die >= clerk.rather(rule!(DZ_7_0_02), succeeds_on("dauntless", !watched), 0);
            clerk.applied(rule!(DZ_5_3_10));
            table.danzig.corvette(came_through, clerk);
            clerk.happened(|| {
                Event::new(if came_through {
                    phrase::danzig::DAUNTLESS_COMES_THROUGH
                } else {
                    phrase::danzig::DAUNTLESS_FAILS
                })
                .with("roll", die)
            });
            true
        }
        Action::Postpone { unit } => {
            let kept_back = clerk.rather(rule!(DZ_5_3_11), Marks::POSTPONED, Marks::default());
            table.unit_mut(unit).marks.set(kept_back);
            false
        }
        Action::PlaceKamenski { unit, hex } => {
            clerk.applied(rule!(DZ_6_2_01));
            let counter = table.unit_mut(unit);
            counter.place = clerk.rather(rule!(DZ_5_3_08), Place::Hex(hex), Place::Eliminated);
            counter.formation = Formation::at_entry(unit.data().arm);
            clerk.applied(rule!(DZ_3_1_11));
            landing_next(table).is_none()
        }
        Action::ReplaceFrench { unit } => {
            replace_french(table, unit, clerk);
            true
        }
        Action::ReplacePrussian { unit } => {
            let counter = table.unit_mut(unit);
            counter.steps = (counter.steps + clerk.rather(rule!(DZ_6_1_03), 1, 0)).min(counter.most);
            if counter.place == Place::Eliminated {
                clerk.applied(rule!(DZ_R28));
                (counter.place, counter.marks) = (Place::Reserve, Marks::default());
            }
            clerk.happened(|| Event::new(phrase::danzig::STEP_COMES_BACK).with("unit", unit.data().label));
            true
        }
        Action::RepairBattery { battery, point, facing } => {
            repair_battery(table, battery, point, facing, clerk);
            false
        }
        _ => true,
    }
}

fn replace_french(table: &mut Table, unit: UnitId, clerk: &mut impl Clerk) {
    let step = clerk.rather(rule!(DZ_6_1_01), 1, 0);
    let counter = table.unit_mut(unit);
    if counter.place == Place::Eliminated {
        counter.steps = step;
        counter.marks = Marks::default();
        counter.formation = Formation::at_entry(unit.data().arm);
        counter.place = if unit.data().regiment.is_some() { Place::Concentration } else { Place::Waiting };
    } else {
        counter.steps = (counter.steps + step).min(counter.most);
    }
    clerk.happened(|| Event::new(phrase::danzig::STEP_COMES_BACK).with("unit", unit.data().label));
}
