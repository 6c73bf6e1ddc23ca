//! The set-up of the Prussian player (chapter 5.1): every counter of the garrison and all twelve
//! batteries find their place, one after the other in the order of the roster. Nothing French is on
//! either map.

use std::sync::LazyLock;

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::danzig::{KalkeInfantryAtSetup, MoraleStart};
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::ops::{self, Hex, map};
use crate::sequence::{Decision, Step, begin_turn};
use crate::siege::{WALL_POINTS, WallId, WallSet};
use crate::state::{Danzig, Options, Phase, State, Table};
use crate::unit::{Arm, Corps, Formation, Marks, Place, Side, UNITS, UnitId, UnitSet, UnitState};

/// Infantry steps that start outside the city.
const OUTSIDE: u8 = 8;
/// Batteries on the walls.
const ON_THE_WALLS: usize = 10;
/// Batteries on one half of the walls, at most.
const ON_ONE_HALF: usize = 7;
/// The facing of a gun that looks straight away from the city.
pub(crate) const OUTWARD: u16 = 270;
/// The facings offered for a gun on the walls; any other whole degree may be given too.
pub(crate) const FACINGS: [u16; 3] = [OUTWARD - 45, OUTWARD, OUTWARD + 45];

/// Where the garrison's troops outside the walls may start: fort, camp, and the hexes beside the
/// Vistula between them and the city.
pub static OUTSIDE_HEXES: LazyLock<Vec<Hex>> = LazyLock::new(|| {
    let mut hexes: Vec<Hex> = map().waterside.iter().chain(&map().fort).chain(&map().camp).copied().collect();
    hexes.sort_unstable();
    hexes.dedup();
    hexes
});

/// The hexes of the camp and of the fort, where Kamenski lands.
pub static LANDINGS: LazyLock<Vec<Hex>> = LazyLock::new(|| {
    let mut hexes: Vec<Hex> = map().fort.iter().chain(&map().camp).copied().collect();
    hexes.sort_unstable();
    hexes
});

/// The table before anybody has set up.
#[must_use]
pub fn table(options: Options) -> Table {
    let mut units = [UnitState::default(); UNITS];
    for (state, unit) in units.iter_mut().zip(UnitId::all()) {
        let data = unit.data();
        state.steps = data.steps;
        state.most = data.steps;
        state.formation = Formation::at_entry(data.arm);
        // Nobody is on a map yet: the French come later.
        if data.side == Side::French && !rule!(DZ_5_2_01).holds(true) {
            state.place = Place::Waiting;
        }
    }
    let morale = match options.morale_start {
        MoraleStart::V14 => 14,
        MoraleStart::V15 => 15,
        MoraleStart::V16 => 16,
        MoraleStart::V17 => 17,
        MoraleStart::V18 => 18,
        MoraleStart::V19 => 19,
        MoraleStart::V20 => 20,
    };
    Table {
        options,
        turn: 0,
        units,
        ops: ops::OpsMap::default(),
        siege: crate::siege::SiegeMap::default(),
        danzig: Danzig { morale, repair_pool: 40, ..Danzig::default() },
        owed: Vec::new(),
    }
}

/// The next counter to be placed, in the order of the roster.
fn next(table: &Table) -> Option<UnitId> {
    let sets_up = |unit: UnitId| rule!(DZ_5_1_01).holds(unit.data().corps == Corps::Garrison);
    UnitId::of_side(Side::Prussian).find(|unit| sets_up(*unit) && table.unit(*unit).place == Place::Away)
}

/// Infantry steps of the garrison outside the city.
fn steps_outside(table: &Table) -> u8 {
    infantry()
        .filter(|unit| matches!(table.unit(*unit).place, Place::Hex(_)))
        .map(|unit| table.unit(unit).steps)
        .sum()
}

fn infantry() -> impl Iterator<Item = UnitId> {
    UnitId::of_side(Side::Prussian)
        .filter(|unit| unit.data().corps == Corps::Garrison && unit.data().arm == Arm::Infantry)
}

/// Steps of the infantry still to be placed, the counter in hand left out.
fn steps_to_come(table: &Table, hand: UnitId) -> u8 {
    infantry()
        .filter(|unit| *unit != hand && table.unit(*unit).place == Place::Away)
        .map(|unit| table.unit(unit).steps)
        .sum()
}

/// Infantry steps in a place.
fn steps_in(table: &Table, place: Place) -> u8 {
    table
        .at(Side::Prussian, place)
        .filter(|unit| unit.data().arm == Arm::Infantry)
        .map(|unit| table.unit(unit).steps)
        .sum()
}

/// Whether a wall point belongs to the Hagelsberg half.
fn on_hagelsberg(point: WallId) -> bool {
    point.0 < 18
}

fn batteries_on_walls(table: &Table) -> impl Iterator<Item = WallId> + '_ {
    UnitId::of_side(Side::Prussian).filter(|unit| unit.data().arm == Arm::Fortress).filter_map(|unit| {
        match table.unit(unit).place {
            Place::Wall(point) => Some(point),
            _ => None,
        }
    })
}

/// Whether the garrison may put this infantry counter into the city.
fn check_city(table: &Table, unit: UnitId, place: Place) -> Verdict<()> {
    if !rule!(DZ_5_1_02).holds(unit.data().arm == Arm::Infantry) {
        return Err(
            Refusal::rule(rule!(DZ_5_1_02), phrase::danzig::ONLY_INFANTRY).with("unit", unit.data().label)
        );
    }
    if !rule!(DZ_5_1_03).holds(steps_outside(table) + steps_to_come(table, unit) >= OUTSIDE) {
        return Err(Refusal::rule(rule!(DZ_5_1_03), phrase::danzig::EIGHT_STEPS_OUTSIDE));
    }
    check_city_place(table, unit, place, steps_in(table, place))
}

/// Whether there is room for infantry in this place of the city, where so many steps stand.
fn check_city_place(table: &Table, unit: UnitId, place: Place, there: u8) -> Verdict<()> {
    let steps = table.unit(unit).steps;
    match place {
        Place::Reserve => Ok(()),
        Place::Wall(point) if usize::from(point.0) < WALL_POINTS => {
            if !rule!(DZ_4_2_06).holds(there + steps <= 2) {
                return Err(Refusal::rule(rule!(DZ_4_2_06), phrase::danzig::NO_ROOM).with("steps", 2));
            }
            Ok(())
        }
        Place::Kalke if table.options.kalke_infantry_at_setup == KalkeInfantryAtSetup::UpTo6Steps => {
            if there + steps > 6 {
                return Err(Refusal::rule(rule!(DZ_R100), phrase::danzig::NO_ROOM).with("steps", 6));
            }
            Ok(())
        }
        Place::Kalke => Err(Refusal::rule(rule!(DZ_R100), phrase::danzig::NO_INFANTRY_IN_KALKE)),
        _ => Err(Refusal::rule(rule!(DZ_5_1_02), phrase::danzig::NOT_IN_THE_CITY)),
    }
}

fn check_outside(table: &Table, unit: UnitId, hex: Hex) -> Verdict<()> {
    check_outside_hex(&ops::Field::of(table), steps_outside(table), unit, hex)
}

/// The same, when it is known who stands where and how many steps stand outside.
fn check_outside_hex(field: &ops::Field<'_>, steps: u8, unit: UnitId, hex: Hex) -> Verdict<()> {
    if !rule!(DZ_4_3_2_08).holds(unit.data().arm != Arm::Fortress) {
        return Err(Refusal::rule(rule!(DZ_4_3_2_08), phrase::danzig::BATTERY_ON_A_WALL));
    }
    if !rule!(DZ_5_1_03).holds(OUTSIDE_HEXES.binary_search(&hex).is_ok()) {
        return Err(Refusal::rule(rule!(DZ_5_1_03), phrase::danzig::NOT_BESIDE_THE_VISTULA));
    }
    if !rule!(DZ_5_1_03).holds(unit.data().arm != Arm::Infantry || steps + field.unit(unit).steps <= OUTSIDE)
    {
        return Err(Refusal::rule(rule!(DZ_5_1_03), phrase::danzig::EIGHT_STEPS_OUTSIDE));
    }
    Ok(field.fits(UnitSet::of(unit), hex)?)
}

fn check_battery(table: &Table, battery: UnitId, place: Place, facing: u16) -> Verdict<()> {
    if !rule!(DZ_5_1_04).holds(battery.data().arm == Arm::Fortress) {
        return Err(
            Refusal::rule(rule!(DZ_5_1_04), phrase::danzig::NOT_A_BATTERY).with("unit", battery.data().label)
        );
    }
    if facing >= 360 {
        return Err(Refusal::field("facing", phrase::danzig::NO_SUCH_FACING));
    }
    check_battery_place(table, batteries_on_walls(table).collect(), place)
}

/// Whether a battery may be set up in this place, when there are batteries on these points.
fn check_battery_place(table: &Table, taken: WallSet, place: Place) -> Verdict<()> {
    match place {
        Place::Kalke => {
            let there =
                table.at(Side::Prussian, Place::Kalke).filter(|unit| unit.data().arm == Arm::Fortress);
            if !rule!(DZ_5_1_04).holds(there.count() < 2) {
                return Err(Refusal::rule(rule!(DZ_5_1_04), phrase::danzig::TWO_BATTERIES_IN_KALKE));
            }
            Ok(())
        }
        Place::Wall(point) if usize::from(point.0) < WALL_POINTS => {
            if !rule!(DZ_5_1_04).holds(!taken.contains(point)) {
                return Err(Refusal::rule(rule!(DZ_5_1_04), phrase::danzig::POINT_HAS_A_BATTERY));
            }
            if !rule!(DZ_5_1_04).holds(taken.iter().count() < ON_THE_WALLS) {
                return Err(Refusal::rule(rule!(DZ_5_1_04), phrase::danzig::TEN_BATTERIES_ON_WALLS));
            }
            let half = taken.iter().filter(|other| on_hagelsberg(*other) == on_hagelsberg(point)).count();
            if !rule!(DZ_5_1_05).holds(half < ON_ONE_HALF) {
                return Err(Refusal::rule(rule!(DZ_5_1_05), phrase::danzig::SEVEN_ON_ONE_HALF));
            }
            Ok(())
        }
        _ => Err(Refusal::rule(rule!(DZ_5_1_04), phrase::danzig::BATTERY_ON_A_WALL)),
    }
}

/// 5.1: the garrison is set up, counter by counter.
pub(crate) struct SetUp;

impl Decision for SetUp {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    /// The places of the next counter.
    fn offer(state: &State, into: &mut Vec<Action>) {
        let table = &state.table;
        let Some(unit) = next(table) else {
            into.push(Action::SetUpDone);
            return;
        };
        if unit.data().arm == Arm::Fortress {
            let taken: WallSet = batteries_on_walls(table).collect();
            for place in WallId::all().map(Place::Wall).chain([Place::Kalke]) {
                if check_battery_place(table, taken, place).is_ok() {
                    into.extend(FACINGS.map(|facing| Action::SetBattery { battery: unit, place, facing }));
                }
            }
            into.push(Action::SetUpTheRest);
            return;
        }
        // What keeps a counter out of the reserve keeps it off the walls too.
        if check_city(table, unit, Place::Reserve).is_ok() {
            let mut on_walls = [0; WALL_POINTS];
            for other in infantry() {
                if let Place::Wall(point) = table.unit(other).place {
                    on_walls[point.index()] += table.unit(other).steps;
                }
            }
            let walls = WallId::all().map(|point| (Place::Wall(point), on_walls[point.index()]));
            let kalke = (Place::Kalke, steps_in(table, Place::Kalke));
            for (place, there) in [(Place::Reserve, 0)].into_iter().chain(walls).chain([kalke]) {
                if check_city_place(table, unit, place, there).is_ok() {
                    into.push(Action::SetCityUnit { unit, place });
                }
            }
        }
        let (field, steps) = (ops::Field::of(table), steps_outside(table));
        for &hex in OUTSIDE_HEXES.iter() {
            if check_outside_hex(&field, steps, unit, hex).is_ok() {
                into.push(Action::SetOutsideUnit { unit, hex });
            }
        }
        into.push(Action::SetUpTheRest);
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        let table = &state.table;
        let in_turn = |unit: UnitId| {
            if rule!(DZ_5_1_08).holds(next(table) == Some(unit)) {
                Ok(())
            } else {
                Err(Refusal::rule(rule!(DZ_5_1_08), phrase::danzig::ANOTHER_COUNTER_FIRST)
                    .with("unit", unit.data().label))
            }
        };
        match *action {
            Action::SetCityUnit { unit, place } => {
                in_turn(unit).and_then(|()| check_city(table, unit, place))
            }
            Action::SetOutsideUnit { unit, hex } => {
                in_turn(unit).and_then(|()| check_outside(table, unit, hex))
            }
            Action::SetBattery { battery, place, facing } => {
                in_turn(battery).and_then(|()| check_battery(table, battery, place, facing))
            }
            Action::SetUpDone if next(table).is_none() => Ok(()),
            Action::SetUpTheRest if next(table).is_some() => Ok(()),
            Action::SetUpDone => Err(Refusal::rule(rule!(DZ_5_1_08), phrase::danzig::NOT_ALL_PLACED)),
            _ => Err(Refusal::rule(rule!(DZ_5_1_08), phrase::danzig::NOT_NOW)),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let table = &mut state.table;
        match *action {
            Action::SetCityUnit { unit, place } => {
                clerk.applied(rule!(DZ_5_1_02));
                table.unit_mut(unit).place = place;
            }
            Action::SetOutsideUnit { unit, hex } => {
                clerk.applied(rule!(DZ_5_1_03));
                set_outside(table, unit, hex);
            }
            Action::SetBattery { battery, place, facing } => {
                clerk.applied(rule!(DZ_5_1_04));
                set_battery(table, battery, place, facing);
            }
            Action::SetUpTheRest => set_up_the_rest(table, clerk),
            Action::SetUpDone => {
                let away = |of: fn(UnitId) -> bool| {
                    UnitId::all().filter(|unit| of(*unit)).all(|unit| table.unit(unit).place == Place::Away)
                };
                let no_french = clerk.holds(rule!(DZ_5_2_01), away(|unit| unit.side() == Side::French));
                let no_relief =
                    clerk.holds(rule!(DZ_5_1_01), away(|unit| unit.data().corps == Corps::Kamenski));
                return clerk.holds(rule!(DZ_5_1_08), next(table).is_none()) && no_french && no_relief;
            }
            _ => {}
        }
        false
    }
}

impl Step for SetUp {
    fn may_run_out() -> bool {
        false
    }

    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        begin_turn(state, clerk)
    }
}

/// A counter stands in a hex, drawn up as the ground asks (DZ-TET-13).
fn set_outside(table: &mut Table, unit: UnitId, hex: Hex) {
    let counter = table.unit_mut(unit);
    counter.place = Place::Hex(hex);
    if map().terrain(hex).adapts() {
        counter.formation = Formation::Adapted;
    }
}

fn set_battery(table: &mut Table, battery: UnitId, place: Place, facing: u16) {
    let state = table.unit_mut(battery);
    state.place = place;
    state.facing = facing;
    state.formation = Formation::Unlimbered;
}

/// The hexes of the suggested set-up outside the walls, in the order in which they are filled: two
/// battalions on the Holm, one in the camp, one in the fort; cavalry on the right bank.
const SUGGESTED_OUTSIDE: [Hex; 4] =
    [Hex::printed(1821), Hex::printed(2021), Hex::printed(520), Hex::printed(825)];
const SUGGESTED_CAVALRY: [Hex; 2] = [Hex::printed(2627), Hex::printed(1923)];
/// The first-wall points armed first in the suggested set-up, by pair: the Hagelsberg's middle, then
/// the Bischofsberg's.
const SUGGESTED_PAIRS: [u8; 10] = [2, 3, 4, 5, 6, 10, 11, 12, 13, 14];

/// Places every counter that is left as the plan of the maps suggests.
fn set_up_the_rest(table: &mut Table, clerk: &mut impl Clerk) {
    clerk.applied(rule!(DZ_5_1_08));
    let mut horse = 0;
    while let Some(unit) = next(table) {
        match unit.data().arm {
            Arm::Fortress => {
                let place = SUGGESTED_PAIRS
                    .iter()
                    .map(|pair| Place::Wall(WallId(2 * pair)))
                    .chain(WallId::all().map(Place::Wall))
                    .find(|place| check_battery(table, unit, *place, OUTWARD).is_ok())
                    .unwrap_or(Place::Kalke);
                let facing = if place == Place::Kalke { 0 } else { OUTWARD };
                set_battery(table, unit, place, facing);
            }
            Arm::Infantry => {
                let outside = SUGGESTED_OUTSIDE
                    .iter()
                    .copied()
                    .filter(|hex| table.on_hex(Side::Prussian, *hex).next().is_none())
                    .find(|hex| check_outside(table, unit, *hex).is_ok());
                let place = match outside {
                    Some(hex) => {
                        set_outside(table, unit, hex);
                        continue;
                    }
                    None if check_city(table, unit, Place::Reserve).is_ok() => SUGGESTED_PAIRS
                        .iter()
                        .map(|pair| Place::Wall(WallId(2 * pair)))
                        .find(|place| check_city(table, unit, *place).is_ok())
                        .unwrap_or(Place::Reserve),
                    None => {
                        let free = OUTSIDE_HEXES.iter().find(|hex| check_outside(table, unit, **hex).is_ok());
                        free.map_or(Place::Reserve, |hex| Place::Hex(*hex))
                    }
                };
                table.unit_mut(unit).place = place;
            }
            _ => {
                let suggested = SUGGESTED_CAVALRY.get(horse / 2);
                horse += 1;
                let place = suggested
                    .into_iter()
                    .chain(OUTSIDE_HEXES.iter())
                    .find(|hex| check_outside(table, unit, **hex).is_ok());
                match place {
                    Some(hex) => set_outside(table, unit, *hex),
                    None => table.unit_mut(unit).place = Place::Reserve,
                }
            }
        }
    }
}

/// Whether every counter of the roster is where the set-up allows; for tests.
#[must_use]
pub fn is_complete(state: &State) -> bool {
    next(&state.table).is_none()
        && steps_outside(&state.table) == OUTSIDE
        && UnitId::all().all(|unit| !state.table.marked(unit, Marks::DISORDERED))
}
