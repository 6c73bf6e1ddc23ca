//! What the garrison does inside its walls (chapters 2.5.1, 2.5.3, 4.1.2 and 4.9): movement, one battery,
//! pivots, the repair of a wall.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::KamenskiMansWalls;
use rulebook::{phrase::danzig_siege as phrase, rule};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::{STACK, check_battery_place, french_on_walls, has_french, steps_of, steps_on};
use super::facing::{facings_for, marks};
use super::ground::GROUND;
use super::state::{INTACT, WallId};
use super::tables::bears_artillery;
use crate::state::Table;
use crate::unit::{Arm, Corps, Marks, Place, Side, UnitId};

/// Infantry steps the Kalke-Schanze holds.
pub(crate) const KALKE_STEPS: u8 = 6;

/// A move of the Prussian movement step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum GarrisonMove {
    /// A battalion between reserve, walls and the Kalke-Schanze.
    Infantry {
        /// Who.
        unit: UnitId,
        /// Where to.
        to: Place,
    },
    /// The one battery of the turn that changes its point.
    Battery {
        /// The battery.
        battery: UnitId,
        /// Its new point.
        to: WallId,
        /// Where it looks, in degrees.
        facing: u16,
    },
    /// A battery turns on its point.
    Pivot {
        /// The battery.
        battery: UnitId,
        /// Where it looks, in degrees.
        facing: u16,
    },
}

/// Whether infantry serves on the siege map: the garrison, and by option Kamenski's (DZ-R22).
pub(crate) fn serves(table: &Table, unit: UnitId) -> bool {
    let data = unit.data();
    data.side == Side::Prussian
        && rule!(DZ_6_2_07).holds(data.arm == Arm::Infantry)
        && (data.corps != Corps::Kamenski || table.options.kamenski_mans_walls == KamenskiMansWalls::True)
}

/// Whether a move of the garrison is legal.
///
/// # Errors
/// The rule that forbids it.
pub fn check_garrison(table: &Table, battery_may_move: bool, garrison: &GarrisonMove) -> Verdict<()> {
    match *garrison {
        GarrisonMove::Infantry { unit, to } => check_infantry(table, unit, to),
        GarrisonMove::Battery { battery, to, facing } => {
            check_turned(table, battery, facing)?;
            let one = rule!(DZ_4_3_2_03).holds(battery_may_move) && rule!(DZ_5_1_06).holds(battery_may_move);
            if !(one && rule!(DZ_4_9_03).holds(battery_may_move)) {
                return Err(Refusal::rule(rule!(DZ_4_9_03), phrase::ONE_BATTERY_MOVES));
            }
            if table.unit(battery).place == Place::Wall(to) {
                return Err(Refusal::rule(rule!(DZ_4_9_03), phrase::SAME_PLACE));
            }
            if !rule!(DZ_5_1_07).holds(!table.marked(battery, Marks::PIVOTED)) {
                return Err(
                    Refusal::rule(rule!(DZ_5_1_07), phrase::HAS_MOVED).with("unit", battery.data().label)
                );
            }
            check_battery_place(table, battery, to)
        }
        GarrisonMove::Pivot { battery, facing } => {
            check_turned(table, battery, facing)?;
            let turns = !table.marked(battery, Marks::PIVOTED) && table.unit(battery).facing != facing;
            if !rule!(DZ_5_1_07).holds(turns) {
                return Err(
                    Refusal::rule(rule!(DZ_5_1_07), phrase::HAS_MOVED).with("unit", battery.data().label)
                );
            }
            Ok(())
        }
    }
}

fn check_turned(table: &Table, battery: UnitId, facing: u16) -> Verdict<()> {
    if facing >= 360 {
        return Err(Refusal::field("facing", phrase::BAD_FACING));
    }
    let placed = matches!(table.unit(battery).place, Place::Wall(_) | Place::Kalke);
    if !rule!(DZ_4_3_2_06).holds(battery.data().arm == Arm::Fortress && placed) {
        return Err(
            Refusal::rule(rule!(DZ_4_3_2_06), phrase::ONLY_FORTRESS_GUNS).with("unit", battery.data().label)
        );
    }
    Ok(())
}

fn check_infantry(table: &Table, unit: UnitId, to: Place) -> Verdict<()> {
    let refuse = |rule, reason| Err(Refusal::rule(rule, reason).with("unit", unit.data().label));
    let state = table.unit(unit);
    if !rule!(DZ_4_3_2_06).holds(unit.data().arm != Arm::Fortress) {
        return refuse(rule!(DZ_4_3_2_06), phrase::ONLY_INFANTRY);
    }
    if !rule!(DZ_4_2_08).holds(unit.data().corps != Corps::Kamenski || serves(table, unit)) {
        return refuse(rule!(DZ_4_2_08), phrase::NOT_ON_THE_MAP);
    }
    if !rule!(DZ_4_1_2_02).holds(serves(table, unit)) {
        return refuse(rule!(DZ_4_1_2_02), phrase::ONLY_INFANTRY);
    }
    if !rule!(DZ_4_1_2_02).holds(matches!(state.place, Place::Reserve | Place::Wall(_) | Place::Kalke)) {
        return refuse(rule!(DZ_4_1_2_02), phrase::NOT_ON_THE_MAP);
    }
    if !rule!(DZ_R30).holds(!state.is_disordered()) {
        return refuse(rule!(DZ_R30), phrase::DISORDERED);
    }
    if !rule!(DZ_4_9_01).holds(!table.marked(unit, Marks::MOVED) && state.place != to) {
        return refuse(rule!(DZ_4_9_01), phrase::HAS_MOVED);
    }
    let there = steps_on(table, Side::Prussian, to);
    match to {
        Place::Reserve if rule!(DZ_2_5_1_01).holds(true) => Ok(()),
        Place::Wall(point) => {
            if !rule!(DZ_4_9_01).holds(!has_french(table, point)) {
                return Err(Refusal::rule(rule!(DZ_4_9_01), phrase::NOT_PRUSSIAN).with("point", point));
            }
            // However low the wall is.
            let fits = rule!(DZ_4_7_1_06).holds(true) && there + steps_of(table, unit) <= STACK;
            if !rule!(DZ_4_2_06).holds(fits) {
                return Err(Refusal::rule(rule!(DZ_4_2_06), phrase::NO_ROOM).with("steps", there));
            }
            Ok(())
        }
        Place::Kalke => {
            if !rule!(DZ_R62).holds(table.siege.kalke.holder == Side::Prussian) {
                return refuse(rule!(DZ_R62), phrase::NOT_OWN_KALKE);
            }
            if !rule!(DZ_4_7_4_01).holds(there + steps_of(table, unit) <= KALKE_STEPS) {
                return Err(Refusal::rule(rule!(DZ_4_7_4_01), phrase::NO_ROOM).with("steps", there));
            }
            Ok(())
        }
        Place::Green(_) if !rule!(DZ_4_9_02).holds(false) => {
            refuse(rule!(DZ_4_9_02), phrase::GREEN_ONLY_TO_ATTACK)
        }
        _ if !rule!(DZ_4_1_2_01).holds(false) => refuse(rule!(DZ_4_1_2_01), phrase::ONLY_INSIDE),
        _ => Ok(()),
    }
}

/// Lists the moves of the garrison; batteries with the facings that matter, any other degree may be given.
pub fn list_garrison(table: &Table, battery_may_move: bool, mut each: impl FnMut(GarrisonMove)) {
    let mut steps = [0_u8; super::WALL_POINTS];
    let french = french_on_walls(table);
    let mut battery = super::WallSet::default();
    for unit in UnitId::of_side(Side::Prussian) {
        if let Place::Wall(point) = table.unit(unit).place {
            match unit.data().arm {
                Arm::Fortress => battery = battery.with(point),
                _ => steps[point.index()] += steps_of(table, unit),
            }
        }
    }
    let kalke = steps_on(table, Side::Prussian, Place::Kalke);
    for unit in UnitId::of_side(Side::Prussian) {
        let state = table.unit(unit);
        let movable = serves(table, unit)
            && !state.is_disordered()
            && !table.marked(unit, Marks::MOVED)
            && matches!(state.place, Place::Reserve | Place::Wall(_) | Place::Kalke);
        if !movable {
            continue;
        }
        let mine = steps_of(table, unit);
        if state.place != Place::Reserve {
            each(GarrisonMove::Infantry { unit, to: Place::Reserve });
        }
        for point in WallId::all() {
            if !french.contains(point)
                && state.place != Place::Wall(point)
                && steps[point.index()] + mine <= STACK
            {
                each(GarrisonMove::Infantry { unit, to: Place::Wall(point) });
            }
        }
        if state.place != Place::Kalke
            && table.siege.kalke.holder == Side::Prussian
            && kalke + mine <= KALKE_STEPS
        {
            each(GarrisonMove::Infantry { unit, to: Place::Kalke });
        }
    }
    let batteries = || {
        UnitId::of_side(Side::Prussian).filter(|unit| {
            unit.data().arm == Arm::Fortress
                && matches!(table.unit(*unit).place, Place::Wall(_) | Place::Kalke)
                && !table.marked(*unit, Marks::PIVOTED)
        })
    };
    if battery_may_move {
        for unit in batteries().filter(|unit| table.unit(*unit).place != Place::Kalke) {
            let facing = table.unit(unit).facing;
            for to in WallId::all() {
                let bears = bears_artillery(table.siege.wall(to).level, &table.options);
                if !french.contains(to) && !battery.contains(to) && bears {
                    each(GarrisonMove::Battery { battery: unit, to, facing });
                }
            }
        }
    }
    let marks = marks(table);
    for unit in batteries() {
        let from = match table.unit(unit).place {
            Place::Wall(point) => GROUND.point(point),
            _ => GROUND.kalke_guns,
        };
        let matters = facings_for(&marks, from.fine());
        for facing in matters.into_iter().filter(|facing| *facing != table.unit(unit).facing) {
            each(GarrisonMove::Pivot { battery: unit, facing });
        }
    }
}

/// The garrison moves.
pub fn garrison_move(table: &mut Table, garrison: &GarrisonMove, clerk: &mut impl Clerk) {
    match *garrison {
        GarrisonMove::Infantry { unit, to } => {
            if let Place::Wall(point) = to
                && table.siege.wall(point).level < INTACT
            {
                clerk.applied(rule!(DZ_4_7_1_06));
            }
            let state = table.unit_mut(unit);
            state.place = clerk.rather(rule!(DZ_4_1_2_02), to, state.place);
            state.marks.set(clerk.rather(rule!(DZ_4_9_01), Marks::MOVED, Marks::default()));
        }
        GarrisonMove::Battery { battery, to, facing } => {
            let state = table.unit_mut(battery);
            state.place = clerk.rather(rule!(DZ_4_3_2_03), Place::Wall(to), state.place);
            // In its new place it may still be turned.
            state.facing = clerk.rather(rule!(DZ_4_7_1_04), facing, state.facing);
        }
        GarrisonMove::Pivot { battery, facing } => {
            let state = table.unit_mut(battery);
            let turned = clerk.rather(rule!(DZ_4_3_2_05), facing, state.facing);
            state.facing = clerk.rather(rule!(DZ_4_2_07), turned, state.facing);
            state.marks.set(clerk.rather(rule!(DZ_5_1_07), Marks::PIVOTED, Marks::default()));
        }
    }
}

/// Whether a level of a wall point may be repaired.
///
/// # Errors
/// When it is whole or not controlled.
pub fn check_wall_repair(table: &Table, point: WallId) -> Verdict<()> {
    if !rule!(DZ_R82).holds(!has_french(table, point)) {
        return Err(Refusal::rule(rule!(DZ_R82), phrase::NOT_PRUSSIAN).with("point", point));
    }
    if !rule!(DZ_4_9_07).holds(table.siege.wall(point).level < INTACT) {
        return Err(Refusal::rule(rule!(DZ_4_9_07), phrase::WALL_WHOLE).with("point", point));
    }
    Ok(())
}

/// Lists the wall points that may be repaired.
pub fn list_wall_repairs(table: &Table, each: impl FnMut(WallId)) {
    WallId::all()
        .filter(|point| table.siege.wall(*point).level < INTACT && check_wall_repair(table, *point).is_ok())
        .for_each(each);
}

/// One level of one wall point is repaired.
pub fn repair_wall(table: &mut Table, point: WallId, clerk: &mut impl Clerk) {
    let repaired = i8::try_from(clerk.modifier(rule!(DZ_4_9_07), 1)).unwrap_or(0);
    let wall = table.siege.wall_mut(point);
    wall.level = wall.level.saturating_add_signed(repaired).min(INTACT);
}
