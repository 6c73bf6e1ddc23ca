//! Tables for the rules of the siege map, and how orders are carried out on them with given dice.

use danzig::siege::{self, Assault, Build, Facing, GunTarget, Pose, Spot, WallId, WorkId, WorkKind};
use danzig::{Arm, Corps, Level, Marks, Place, Side, State, Table, UnitId};
use kernel::{Desk, Game as _, Scripted, Setup, Spoken, Verdict, scripted};

/// A table on turn 5 with nobody on it.
pub(crate) fn table() -> Table {
    let mut table = State::start(&Setup::default()).unwrap().table;
    table.turn = 5;
    for unit in UnitId::all() {
        table.unit_mut(unit).place = Place::Away;
    }
    table.danzig.construction = 10;
    table.danzig.may_build = true;
    table.danzig.ammunition_12 = 20;
    table.danzig.ammunition_24 = 20;
    table
}

pub(crate) fn point(code: &str) -> WallId {
    WallId::of_code(code).unwrap()
}

/// The first unused counter of a kind, put in a place with so many steps.
pub(crate) fn post(table: &mut Table, side: Side, arm: Arm, place: Place, steps: u8) -> UnitId {
    let unit = UnitId::of_side(side)
        .find(|unit| {
            let data = unit.data();
            data.arm == arm
                && (arm != Arm::Infantry || data.level == Level::Battalion)
                && data.corps != Corps::Lannes
                && data.steps >= steps
                && table.unit(*unit).place == Place::Away
        })
        .unwrap();
    let state = table.unit_mut(unit);
    (state.place, state.steps, state.facing) = (place, steps, 270);
    unit
}

pub(crate) fn foot(table: &mut Table, side: Side, place: Place, steps: u8) -> UnitId {
    post(table, side, Arm::Infantry, place, steps)
}

/// Runs a rule with exactly these dice and keeps what it said.
pub(crate) fn with_dice<T>(
    dice: &[u8],
    rule: impl FnOnce(&mut Desk<Scripted<'_>, Spoken>) -> T,
) -> (T, Spoken) {
    scripted(dice, rule).unwrap()
}

pub(crate) fn says(notes: &Spoken, rule: kernel::RuleId) -> bool {
    notes.reasons().any(|because| because.rule == rule)
}

pub(crate) fn refused<T: std::fmt::Debug>(verdict: Verdict<T>) -> &'static str {
    verdict.unwrap_err().rule.unwrap().as_str()
}

/// Builds without opportunity fire on the way.
pub(crate) fn build(table: &mut Table, build: Build) -> Spoken {
    siege::check_build(table, &build).unwrap();
    with_dice(&[], |clerk| {
        let exposure = siege::begin_build(table, &build, clerk);
        assert_eq!(exposure.shots, 0);
        siege::arrive(table, &exposure, clerk);
    })
    .1
}

pub(crate) fn dig(table: &mut Table, kind: WorkKind, x: i32, y: i32) -> WorkId {
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let pose = Pose::new(Spot::metres(x, y), Facing::CITY);
    build(table, Build::New { kind, pose, worker });
    table.siege.all_works().find(|(_, work)| work.worker == Some(worker)).unwrap().0
}

/// Digs for nothing: the points and the worker are given back.
pub(crate) fn lay(table: &mut Table, kind: WorkKind, x: i32, y: i32) -> WorkId {
    let points = table.danzig.construction;
    table.danzig.construction = 10;
    let id = dig(table, kind, x, y);
    let worker = table.siege.work(id).unwrap().worker.unwrap();
    let state = table.unit_mut(worker);
    state.place = Place::Away;
    state.marks.clear(Marks::WORKER);
    table.siege.work_mut(id).unwrap().worker = None;
    table.danzig.construction = points;
    id
}

/// Two saps and a parallel: the least network, with its ids.
pub(crate) fn network(table: &mut Table) -> [WorkId; 3] {
    [
        lay(table, WorkKind::Sap, 850, 550),
        lay(table, WorkKind::Sap, 850, 650),
        lay(table, WorkKind::Parallel, 850, 725),
    ]
}

/// The natural attack on H5 up to the foot of the wall.
pub(crate) fn approach(table: &mut Table) -> WorkId {
    network(table);
    for (kind, y) in [
        (WorkKind::Sap, 800),
        (WorkKind::Sap, 900),
        (WorkKind::Battery, 975),
        (WorkKind::Sap, 1050),
        (WorkKind::Battery, 1125),
    ] {
        lay(table, kind, 850, y);
    }
    lay(table, WorkKind::Sap, 850, 1200)
}

/// An assault with the dice of its shot and melee.
pub(crate) fn storm(table: &mut Table, units: &[UnitId], at: GunTarget, dice: &[u8]) -> Spoken {
    let assault = Assault { units: units.iter().copied().collect(), at };
    siege::check_assault(table, &assault).unwrap();
    with_dice(dice, |clerk| {
        let mut exposure = siege::begin_assault(table, &assault, clerk);
        while exposure.shots > 0 {
            siege::exposed_shot(table, &mut exposure, clerk);
        }
        siege::arrive(table, &exposure, clerk);
    })
    .1
}
