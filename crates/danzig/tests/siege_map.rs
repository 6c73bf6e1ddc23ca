//! The rules of the siege map on a whole table: the examples of the book and the orders it refuses.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use danzig::siege::{
    self, Assault, BatteryTarget, Build, CounterAttack, Facing, GarrisonMove, Group, GunTarget, KalkeSide,
    Mine, OpenEnd, Pose, RedoubtId, SiegeMove, Sortie, SortieTarget, Spot, WallId, WorkId, WorkKind,
};
use danzig::{Arm, Corps, Level, Marks, Nation, Owed, Place, Side, State, Table, UnitId};
use kernel::{Clerk, Desk, Game as _, Odds, Scripted, Setup, Silent, Spoken, Verdict, scripted};
use rulebook::rule;

/// A table on turn 5 with nobody on it.
fn table() -> Table {
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

fn point(code: &str) -> WallId {
    WallId::of_code(code).unwrap()
}

/// The first unused counter of a kind, put in a place with so many steps.
fn post(table: &mut Table, side: Side, arm: Arm, place: Place, steps: u8) -> UnitId {
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

fn foot(table: &mut Table, side: Side, place: Place, steps: u8) -> UnitId {
    post(table, side, Arm::Infantry, place, steps)
}

/// Runs a rule with exactly these dice and keeps what it said.
fn with_dice<T>(dice: &[u8], rule: impl FnOnce(&mut Desk<Scripted<'_>, Spoken>) -> T) -> (T, Spoken) {
    scripted(dice, rule).unwrap()
}

fn says(notes: &Spoken, rule: kernel::RuleId) -> bool {
    notes.reasons().any(|because| because.rule == rule)
}

fn refused<T: std::fmt::Debug>(verdict: Verdict<T>) -> &'static str {
    verdict.unwrap_err().rule.unwrap().as_str()
}

/// Builds without opportunity fire on the way.
fn build(table: &mut Table, build: Build) -> Spoken {
    siege::check_build(table, &build).unwrap();
    with_dice(&[], |clerk| {
        let exposure = siege::begin_build(table, &build, clerk);
        assert_eq!(exposure.shots, 0);
        siege::arrive(table, &exposure, clerk);
    })
    .1
}

fn dig(table: &mut Table, kind: WorkKind, x: i32, y: i32) -> WorkId {
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let pose = Pose::new(Spot::metres(x, y), Facing::CITY);
    build(table, Build::New { kind, pose, worker });
    table.siege.all_works().find(|(_, work)| work.worker == Some(worker)).unwrap().0
}

/// Digs for nothing: the points and the worker are given back.
fn lay(table: &mut Table, kind: WorkKind, x: i32, y: i32) -> WorkId {
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
fn network(table: &mut Table) -> [WorkId; 3] {
    [
        lay(table, WorkKind::Sap, 850, 550),
        lay(table, WorkKind::Sap, 850, 650),
        lay(table, WorkKind::Parallel, 850, 725),
    ]
}

/// The natural attack on H5 up to the foot of the wall.
fn approach(table: &mut Table) -> WorkId {
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

#[test]
fn dz_ex_01() {
    let table = &mut table();
    use WorkKind::{Battery, Parallel, Sap};
    for x in [700, 1000] {
        dig(table, Sap, x, 550);
        dig(table, Sap, x, 650);
    }
    for x in [750, 850, 950] {
        dig(table, Parallel, x, 725);
    }
    dig(table, Sap, 850, 800);
    dig(table, Battery, 650, 725);
    assert_eq!(table.danzig.construction, 0);
    assert_eq!(table.siege.all_works().count(), 9);
    assert_eq!(UnitId::all().filter(|unit| table.marked(*unit, Marks::WORKER)).count(), 9);
    assert!(table.danzig.siege_works_begun);
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let pose = Pose::new(Spot::metres(400, 550), Facing::CITY);
    let more = Build::New { kind: Sap, pose, worker };
    assert_eq!(refused(siege::check_build(table, &more)), "DZ-4.7.2-10");
}

#[test]
fn dz_ex_05_and_06() {
    let table = &mut table();
    let morale = table.danzig.morale;
    approach(table);
    table.siege.wall_mut(point("H5")).level = 7;
    // A battery over H5 and one beside it; a sap goes on.
    let pose = Pose::new(Spot::metres(850, 1275), Facing::CITY);
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let notes = build(table, Build::New { kind: WorkKind::Battery, pose, worker });
    assert!(says(&notes, rule!(DZ_4_7_2_22)) && says(&notes, rule!(DZ_4_7_2_23)));
    assert_eq!(table.siege.wall(point("H5")).level, 0);
    assert_eq!(table.danzig.morale, morale - 2);
    assert!(table.danzig.sorties_over);
    dig(table, WorkKind::Battery, 950, 1225);
    dig(table, WorkKind::Sap, 850, 1350);
    assert_eq!(table.danzig.construction, 10 - 5);
    // The second wall at 10: a sap would be the third of no run; a battery covers h5.
    table.siege.wall_mut(point("h5")).level = 10;
    let pose = Pose::new(Spot::metres(850, 1425), Facing::CITY);
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let notes = build(table, Build::New { kind: WorkKind::Parallel, pose, worker });
    assert!(says(&notes, rule!(DZ_9_1_13)));
    assert_eq!(table.danzig.morale, morale - 4);
    assert_eq!(siege::wall_under(table, table.unit(worker).place), Some(point("h5")));
}

#[test]
fn dz_ex_08() {
    for (level, after) in [(16, 6), (14, 4), (11, 1)] {
        let table = &mut table();
        let head = approach(table);
        table.turn = 6;
        let h5 = point("H5");
        table.siege.wall_mut(h5).level = level;
        let unit = foot(table, Side::French, Place::Work(head), 2);
        storm(table, &[unit], GunTarget::Wall(h5), &[1]);
        assert_eq!(table.unit(unit).place, Place::Wall(h5));
        with_dice(&[], |clerk| siege::captures(table, clerk));
        assert!(siege::is_french(table, h5));
        table.turn = 7;
        let notes = with_dice(&[], |clerk| siege::demolitions(table, clerk)).1;
        assert!(says(&notes, rule!(DZ_4_8_24)));
        assert_eq!(table.siege.wall(h5).level, after);
        assert!(table.marked(unit, Marks::WORKER));
        let worker = foot(table, Side::French, Place::Concentration, 1);
        let pose = Pose::new(Spot::metres(850, 1275), Facing::CITY);
        let over = |worker| Build::New { kind: WorkKind::Parallel, pose, worker };
        assert_eq!(refused(siege::check_build(table, &over(worker))), "DZ-4.8-24");
        table.turn = 8;
        table.unit_mut(unit).marks.clear(Marks::WORKER);
        with_dice(&[], |clerk| siege::demolitions(table, clerk));
        assert_eq!(table.siege.wall(h5).level, after, "once only");
        // Two steps hold the point: one of them is the worker.
        assert_eq!(refused(siege::check_build(table, &over(worker))), "DZ-R57");
        build(table, over(unit));
        assert_eq!(table.siege.wall(h5).level, 0);
    }
}

#[test]
fn dz_ex_09() {
    let table = &mut table();
    let head = approach(table);
    let h5 = point("H5");
    table.turn = 6;
    table.siege.wall_mut(h5).level = 10;
    let unit = foot(table, Side::French, Place::Work(head), 1);
    storm(table, &[unit], GunTarget::Wall(h5), &[1]);
    let worker = foot(table, Side::French, Place::Concentration, 1);
    let over = Build::New {
        kind: WorkKind::Parallel,
        pose: Pose::new(Spot::metres(850, 1275), Facing::CITY),
        worker,
    };
    assert_eq!(refused(siege::check_build(table, &over)), "DZ-4.8-22");
    with_dice(&[], |clerk| siege::captures(table, clerk));
    table.turn = 7;
    let notes = build(table, over);
    assert!(says(&notes, rule!(DZ_4_8_22)));
    assert_eq!(table.siege.wall(h5).level, 0);
}

/// An assault with the dice of its shot and melee.
fn storm(table: &mut Table, units: &[UnitId], at: GunTarget, dice: &[u8]) -> Spoken {
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

#[test]
fn dz_ex_14() {
    let table = &mut table();
    let ids = network(table);
    let work = ids[2];
    table.siege.work_mut(work).unwrap().kind = WorkKind::Battery;
    let gun = post(table, Side::French, Arm::Siege12, Place::Work(work), 1);
    let battery = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
    table.turn = 6;
    // Range 540 m: factor 4; a 6 less 2 is a test, failed by a 5.
    let notes = with_dice(&[6, 5], |clerk| {
        siege::fire_battery(table, battery, BatteryTarget::Work(work), clerk);
    })
    .1;
    assert!(says(&notes, rule!(DZ_4_3_3_02)) && says(&notes, rule!(DZ_4_6_01)));
    assert_eq!(table.unit(gun).place, Place::Concentration);
    assert!(table.unit(gun).is_disordered() && table.unit(gun).steps == 1);
    table.turn = 7;
    with_dice(&[], |clerk| siege::rally(table, Side::French, clerk));
    let at = GunTarget::Wall(point("H5"));
    assert_eq!(refused(siege::check_gun_shot(table, gun, at)), "DZ-4.3.3-04");
    let back = SiegeMove::Network { unit: gun, to: work };
    siege::check_move(table, &back).unwrap();
    with_dice(&[], |clerk| {
        let exposure = siege::begin_move(table, &back, clerk);
        siege::arrive(table, &exposure, clerk);
    });
    table.turn = 8;
    siege::check_gun_shot(table, gun, at).unwrap();
}

#[test]
fn dz_ex_15() {
    let table = &mut table();
    approach(table);
    table.turn = 8;
    let pose = Pose::new(Spot::metres(850, 1300), Facing::CITY);
    let notes = build(table, Build::Mine { pose });
    assert!(says(&notes, rule!(DZ_8_0_01)));
    assert_eq!(table.danzig.construction, 8);
    assert!(matches!(table.siege.mine, Mine::Dug { under, turn: 8, .. } if under == point("H5")));
    assert!(!siege::may_countermine(table) && !siege::mine_is_ripe(table));
    assert_eq!(refused(siege::check_build(table, &Build::Mine { pose })), "DZ-8.0-01");
    table.turn = 9;
    assert!(siege::may_countermine(table) && !siege::mine_is_ripe(table));
    let odds = Odds::of(|dice| {
        let mut table = table.clone();
        siege::countermine(&mut table, &mut Desk::new(dice, Silent));
        table.siege.mine == Mine::Spent
    })
    .unwrap();
    assert_eq!(odds.chance(&false).to_string(), "5/6");
    table.options.set_n_plus_1();
    assert!(siege::mine_is_ripe(table));
    table.turn = 10;
    let notes = with_dice(&[4], |clerk| siege::explode_mine(table, clerk)).1;
    assert!(says(&notes, rule!(DZ_8_0_04)));
    assert_eq!(table.siege.wall(point("H5")).level, 16);
    assert_eq!(table.siege.mine, Mine::Spent);
}

trait NPlus1 {
    fn set_n_plus_1(&mut self);
}

impl NPlus1 for danzig::Options {
    fn set_n_plus_1(&mut self) {
        self.mine_earliest_explosion = rulebook::options::danzig::MineEarliestExplosion::NPlus1;
    }
}

#[test]
fn dz_ex_29() {
    let table = &mut table();
    let ids = network(table);
    table.siege.work_mut(ids[2]).unwrap().kind = WorkKind::Battery;
    let (morale, ammunition) =
        (table.danzig.morale, (table.danzig.ammunition_12, table.danzig.ammunition_24));
    for die in [6, 2, 6] {
        let mortar = post(table, Side::French, Arm::Mortar, Place::Work(ids[2]), 1);
        siege::check_mortar(table, mortar).unwrap();
        let mut listed = 0;
        siege::list_mortars(table, |_| listed += 1);
        assert_eq!(listed, 1);
        with_dice(&[die], |clerk| siege::fire_mortar(table, mortar, clerk));
        assert_eq!(refused(siege::check_mortar(table, mortar)), "DZ-4.8-01");
    }
    assert_eq!(table.danzig.morale, morale - 2);
    assert_eq!((table.danzig.ammunition_12, table.danzig.ammunition_24), ammunition);
}

#[test]
fn dz_ex_30() {
    let table = &mut table();
    approach(table);
    let (h5, work) = (point("H5"), table.siege.work_on(point("H5")));
    assert_eq!(work, None);
    let third = table.siege.all_works().find(|(_, w)| w.pose.at == Spot::metres(850, 1125)).unwrap().0;
    let gun = post(table, Side::French, Arm::Siege24, Place::Work(third), 1);
    table.siege.wall_mut(h5).level = 12;
    let battery = post(table, Side::Prussian, Arm::Fortress, Place::Wall(h5), 1);
    let battalion = foot(table, Side::Prussian, Place::Wall(h5), 2);
    let at = GunTarget::Wall(h5);
    // 140 m: factor 7, die -1: a 5 is a 4, result 2; a 4 is a 3, result 1.
    let notes = with_dice(&[5], |clerk| siege::fire_gun(table, gun, at, clerk)).1;
    assert!(says(&notes, rule!(DZ_4_5_2_04)) && says(&notes, rule!(DZ_4_7_1_05)));
    assert_eq!(table.siege.wall(h5).level, 10);
    assert_eq!(table.unit(battalion).place, Place::Eliminated);
    assert!(table.marked(battery, Marks::DAMAGED));
    assert_eq!(table.owed, [Owed::Battery(battery)]);
    assert_eq!(refused(siege::check_battery_place(table, battery, h5)), "DZ-4.7.1-05");
    siege::check_battery_place(table, battery, point("H4")).unwrap();
    table.owed.clear();
    table.unit_mut(battery).place = Place::Wall(point("H4"));
    with_dice(&[4], |clerk| siege::fire_gun(table, gun, at, clerk));
    assert_eq!(table.siege.wall(h5).level, 10);
    with_dice(&[5], |clerk| siege::fire_gun(table, gun, at, clerk));
    assert_eq!(table.siege.wall(h5).level, 8);
    assert_eq!(table.danzig.ammunition_24, 17);
}

#[test]
fn dz_ex_33() {
    let table = &mut table();
    let head = approach(table);
    let h5 = point("H5");
    table.siege.wall_mut(h5).level = 12;
    let first = foot(table, Side::French, Place::Work(head), 2);
    let second = foot(table, Side::French, Place::Open(Spot::metres(950, 1150)), 2);
    let notes = storm(table, &[first, second], GunTarget::Wall(h5), &[1]);
    assert!(says(&notes, rule!(DZ_4_8_25)));
    assert_eq!(table.owed, [Owed::Excess(h5)]);
    let mut offered = Vec::new();
    siege::list_excess(table, h5, |unit, to| offered.push((unit, to)));
    assert_eq!(offered.len(), 2);
    table.owed.clear();
    assert_eq!(refused(siege::check_excess(table, h5, first, Place::Concentration)), "DZ-4.8-25");
    let (unit, to) = offered[0];
    with_dice(&[], |clerk| siege::place_excess(table, h5, unit, to, clerk));
    assert!(table.owed.is_empty());
    assert_eq!(siege::steps_on(table, Side::French, Place::Wall(h5)), 2);
}

#[test]
fn assaults_beaten_off_go_home_and_batteries_are_displaced() {
    let table = &mut table();
    let head = approach(table);
    let h5 = point("H5");
    table.siege.wall_mut(h5).level = 12;
    let unit = foot(table, Side::French, Place::Work(head), 2);
    let defender = foot(table, Side::Prussian, Place::Wall(h5), 2);
    // No effect; 1:1 with a 4: the attacker loses a step, the defender tests and holds.
    let notes = storm(table, &[unit], GunTarget::Wall(h5), &[1, 4, 1]);
    assert!(says(&notes, rule!(DZ_R66)) && says(&notes, rule!(DZ_4_8_19)));
    assert_eq!((table.unit(unit).place, table.unit(unit).steps), (Place::Work(head), 1));
    assert_eq!(table.unit(defender).place, Place::Wall(h5));
    let again = Assault { units: danzig::UnitSet::of(unit), at: GunTarget::Wall(h5) };
    assert_eq!(refused(siege::check_assault(table, &again)), "DZ-R101");
    // A damaged battery alone gives way.
    table.turn = 6;
    table.unit_mut(defender).place = Place::Reserve;
    table.unit_mut(unit).marks.clear(Marks::ASSAULTED);
    let battery = post(table, Side::Prussian, Arm::Fortress, Place::Wall(h5), 1);
    table.unit_mut(battery).marks.set(Marks::DAMAGED);
    let notes = storm(table, &[unit], GunTarget::Wall(h5), &[1]);
    assert!(says(&notes, rule!(DZ_4_8_20)) && says(&notes, rule!(DZ_4_3_2_07)));
    assert!(table.owed.contains(&Owed::Battery(battery)));
    // An assault under fire: two steps gone, nobody left.
    table.turn = 7;
    let h6 = point("H6");
    table.siege.wall_mut(h6).level = 12;
    let other = foot(table, Side::French, Place::Work(head), 2);
    let notes = storm(table, &[other], GunTarget::Wall(h6), &[4]);
    assert!(says(&notes, rule!(DZ_4_1_1_05)) && says(&notes, rule!(DZ_4_1_1_07)));
    assert_eq!(table.unit(other).place, Place::Eliminated);
}

#[test]
fn a_second_wall_is_stormed_over_a_first_that_is_held() {
    let table = &mut table();
    let (h5, second) = (point("H5"), point("h5"));
    table.siege.wall_mut(h5).level = 5;
    table.siege.wall_mut(h5).holder = Side::French;
    table.siege.wall_mut(second).level = 16;
    let unit = foot(table, Side::French, Place::Wall(h5), 2);
    let morale = table.danzig.morale;
    let notes = storm(table, &[unit], GunTarget::Wall(second), &[1]);
    assert!(says(&notes, rule!(DZ_9_1_13)) && says(&notes, rule!(DZ_4_1_1_11)));
    assert_eq!(table.danzig.morale, morale - 2);
    // The point left behind is Prussian again.
    let notes = with_dice(&[], |clerk| siege::captures(table, clerk)).1;
    assert!(says(&notes, rule!(DZ_R82)) && says(&notes, rule!(DZ_4_8_21)));
    assert_eq!(table.siege.wall(h5).holder, Side::Prussian);
    assert!(siege::is_french(table, second));
}

#[test]
fn moves_inside_and_outside_the_network() {
    let table = &mut table();
    let ids = network(table);
    let unit = foot(table, Side::French, Place::Concentration, 2);
    let go = |table: &mut Table, siege_move: SiegeMove, dice: &[u8]| {
        siege::check_move(table, &siege_move).unwrap();
        with_dice(dice, |clerk| {
            let mut exposure = siege::begin_move(table, &siege_move, clerk);
            while exposure.shots > 0 {
                siege::exposed_shot(table, &mut exposure, clerk);
            }
            siege::arrive(table, &exposure, clerk);
        })
        .1
    };
    let notes = go(table, SiegeMove::Network { unit, to: ids[2] }, &[]);
    assert!(says(&notes, rule!(DZ_4_8_08)) && says(&notes, rule!(DZ_4_1_1_02)));
    assert_eq!(table.unit(unit).place, Place::Work(ids[2]));
    let twice = SiegeMove::Back { unit };
    assert_eq!(refused(siege::check_move(table, &twice)), "DZ-4.1.1-09");
    table.unit_mut(unit).marks.clear(Marks::MOVED);
    // A damaged sap on the way: one shot, die -1.
    table.siege.work_mut(ids[0]).unwrap().damaged = true;
    table.siege.join();
    assert_eq!(refused(siege::check_move(table, &twice)), "DZ-4.1.1-08");
    let other = foot(table, Side::French, Place::Concentration, 1);
    let notes = go(table, SiegeMove::Through { unit: other, to: ids[1] }, &[2]);
    assert!(
        says(&notes, rule!(DZ_4_7_2_18)) && says(&notes, rule!(DZ_4_1_1_13)) && says(&notes, rule!(DZ_R17))
    );
    assert_eq!(table.unit(other).place, Place::Work(ids[1]));
    // The siege train needs intact trench.
    let gun = post(table, Side::French, Arm::Siege24, Place::Concentration, 1);
    assert_eq!(refused(siege::check_move(table, &SiegeMove::Through { unit: gun, to: ids[1] })), "DZ-4.8-11");
    let open = |unit, to| SiegeMove::Open { unit, with: None, exit: None, via: None, to, facing: 90 };
    let far = OpenEnd::Spot(Spot::metres(1200, 900));
    assert_eq!(refused(siege::check_move(table, &open(gun, far))), "DZ-4.8-11");
    // 400 m in the open: two shots.
    let notes = go(table, open(unit, far), &[1, 1]);
    assert!(says(&notes, rule!(DZ_4_8_10)) && says(&notes, rule!(DZ_4_8_12)));
    assert_eq!(table.unit(unit).place, Place::Open(Spot::metres(1200, 900)));
    // Disorganised on the way: a * and a failed test.
    table.unit_mut(unit).marks.clear(Marks::MOVED);
    let notes = go(table, open(unit, OpenEnd::Concentration), &[2, 6]);
    assert!(says(&notes, rule!(DZ_4_6_01)));
    assert!(table.unit(unit).is_disordered() && table.unit(unit).place == Place::Concentration);
    // A field battery may stand in the open.
    let field = post(table, Side::French, Arm::FieldArtillery, Place::Concentration, 5);
    let notes = go(table, open(field, OpenEnd::Spot(Spot::metres(400, 600))), &[1]);
    assert!(says(&notes, rule!(DZ_R41)));
    // In an emplacement it is unlimbered at once; there is room for one gun.
    let emplacement = lay(table, WorkKind::Sap, 1000, 550);
    let emplacement = {
        assert!(table.siege.network.contains(emplacement));
        lay(table, WorkKind::Battery, 1000, 625)
    };
    let other = post(table, Side::French, Arm::FieldArtillery, Place::Concentration, 5);
    let notes = go(table, SiegeMove::Network { unit: other, to: emplacement }, &[]);
    assert!(says(&notes, rule!(DZ_4_3_1_04)) && says(&notes, rule!(DZ_4_8_09)));
    let third = post(table, Side::French, Arm::FieldArtillery, Place::Concentration, 5);
    let full = SiegeMove::Network { unit: third, to: emplacement };
    assert_eq!(refused(siege::check_move(table, &full)), "DZ-4.2-04");
    // Into a village: one off the die.
    let mover = foot(table, Side::French, Place::Open(Spot::metres(1500, 900)), 2);
    let notes = go(table, open(mover, OpenEnd::Spot(Spot::metres(1390, 900))), &[2]);
    assert!(says(&notes, rule!(DZ_4_5_1_07)));
    for unit in UnitId::all() {
        table.unit_mut(unit).marks.clear(Marks::MOVED.and(Marks::DISORDERED));
    }
    let mut listed = Vec::new();
    siege::list_moves(table, |siege_move| listed.push(siege_move));
    assert!(listed.len() > 3);
    for siege_move in listed {
        siege::check_move(table, &siege_move).unwrap();
    }
}

#[test]
fn repairs_beyond_a_break_draw_fire_on_the_worker() {
    let table = &mut table();
    let ids = network(table);
    for id in [ids[0], ids[1]] {
        table.siege.work_mut(id).unwrap().damaged = true;
    }
    table.siege.join();
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let beyond = Build::Repair { work: ids[1], worker };
    siege::check_build(table, &beyond).unwrap();
    let (exposure, notes) = with_dice(&[5], |clerk| {
        let mut exposure = siege::begin_build(table, &beyond, clerk);
        assert_eq!(exposure.shots, 1);
        siege::exposed_shot(table, &mut exposure, clerk);
        siege::arrive(table, &exposure, clerk);
        exposure
    });
    assert_eq!(exposure.shots, 0);
    assert!(says(&notes, rule!(DZ_4_8_06)) && says(&notes, rule!(DZ_R81)));
    // Lost on the way: not repaired, no point spent.
    assert_eq!(table.unit(worker).place, Place::Eliminated);
    assert!(table.siege.work(ids[1]).unwrap().damaged);
    assert_eq!(table.danzig.construction, 10);
    let worker = foot(table, Side::French, Place::Concentration, 1);
    let notes = build(table, Build::Repair { work: ids[0], worker });
    assert!(says(&notes, rule!(DZ_4_7_2_03)) && says(&notes, rule!(DZ_4_8_05)));
    assert_eq!(table.danzig.construction, 9);
    assert!(table.siege.network.contains(ids[0]));
    let mut repairs = Vec::new();
    foot(table, Side::French, Place::Concentration, 1);
    siege::list_repairs(table, |build| repairs.push(build));
    assert_eq!(repairs.len(), 1);
}

#[test]
fn upgrades_redoubts_removals_and_short_saps() {
    let table = &mut table();
    let ids = network(table);
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let notes = build(table, Build::Upgrade { work: ids[2], worker });
    assert!(says(&notes, rule!(DZ_4_7_2_08)));
    let worker = foot(table, Side::French, Place::Concentration, 2);
    assert_eq!(refused(siege::check_build(table, &Build::Upgrade { work: ids[2], worker })), "DZ-R57");
    assert_eq!(refused(siege::check_build(table, &Build::Upgrade { work: ids[1], worker })), "DZ-4.7.2-27");
    // R2 lies at the right end of the first parallel.
    for x in [950, 1050] {
        lay(table, WorkKind::Parallel, x, 725);
    }
    let arm = Build::Redoubt { redoubt: RedoubtId(1), facing: Facing::CITY, worker };
    assert_eq!(refused(siege::check_build(table, &arm)), "DZ-4.7.3-02");
    siege::end_turn(table);
    let points = table.danzig.construction;
    let notes = build(table, arm);
    assert!(says(&notes, rule!(DZ_4_7_3_02)));
    assert_eq!(table.danzig.construction, points);
    let notes = build(table, Build::Remove { work: ids[2] });
    assert!(says(&notes, rule!(DZ_4_7_2_25)) && says(&notes, rule!(DZ_R79)));
    assert!(table.siege.work(ids[2]).is_none());
    // A sap near the wall is cut short.
    let table = &mut self::table();
    let head = approach(table);
    let worker = foot(table, Side::French, Place::Concentration, 2);
    assert_eq!(
        refused(siege::check_build(table, &Build::Shorten { work: WorkId(0), length: 50, worker })),
        "DZ-4.7.2-24"
    );
    let notes = build(table, Build::Shorten { work: head, length: 60, worker });
    assert!(says(&notes, rule!(DZ_4_7_2_24)));
    assert_eq!(table.siege.work(head).unwrap().pose.at, Spot::metres(850, 1180));
    assert!(table.siege.network.contains(head));
    let mut listed = Vec::new();
    foot(table, Side::French, Place::Concentration, 2);
    siege::list_builds(table, |build| listed.push(build));
    for build in &listed {
        siege::check_build(table, build).unwrap();
    }
    assert!(listed.len() > 30);
}

#[test]
fn enfilade_strikes_the_work_and_those_in_it() {
    let table = &mut table();
    lay(table, WorkKind::Sap, 700, 550);
    lay(table, WorkKind::Sap, 700, 650);
    let raked = lay(table, WorkKind::Parallel, 750, 725);
    let unit = foot(table, Side::French, Place::Work(raked), 2);
    let gun = post(table, Side::Prussian, Arm::Fortress, Place::Kalke, 1);
    table.unit_mut(gun).facing = 340;
    assert!(siege::enfiladed(table).contains(raked));
    let notes = with_dice(&[5], |clerk| siege::enfilade_shot(table, raked, clerk)).1;
    for rule in [rule!(DZ_4_5_3_04), rule!(DZ_4_5_1_05), rule!(DZ_4_7_4_02), rule!(DZ_4_7_2_16)] {
        assert!(says(&notes, rule), "{rule}");
    }
    assert!(table.siege.work(raked).unwrap().damaged);
    assert_eq!(table.unit(unit).steps, 1);
    // A second hit and it is gone; who is left stands in the open.
    with_dice(&[4], |clerk| siege::enfilade_shot(table, raked, clerk));
    assert!(table.siege.work(raked).is_none());
    assert_eq!(table.unit(unit).place, Place::Eliminated);
    table.unit_mut(gun).marks.set(Marks::DAMAGED);
    assert!(siege::enfiladed(table).is_empty());
}

#[test]
fn the_kalke_schanze_is_bombarded_stormed_and_retaken() {
    let table = &mut table();
    let guns: Vec<UnitId> =
        (0..2).map(|_| post(table, Side::Prussian, Arm::Fortress, Place::Kalke, 1)).collect();
    let garrison = foot(table, Side::Prussian, Place::Kalke, 2);
    // Bombarded from the first parallel's left.
    for (kind, x, y) in [(WorkKind::Sap, 400, 550), (WorkKind::Battery, 400, 625)] {
        lay(table, kind, x, y);
    }
    let work = table.siege.all_works().find(|(_, w)| w.kind == WorkKind::Battery).unwrap().0;
    let gun = post(table, Side::French, Arm::Siege12, Place::Work(work), 1);
    let at = GunTarget::Kalke(KalkeSide::K2);
    let notes = with_dice(&[6, 1, 1, 1], |clerk| siege::fire_gun(table, gun, at, clerk)).1;
    assert!(says(&notes, rule!(DZ_4_5_2_02)));
    table.siege.kalke.damage[KalkeSide::K2 as usize] = 1;
    let notes = with_dice(&[6], |clerk| siege::fire_gun(table, gun, at, clerk)).1;
    assert!(says(&notes, rule!(DZ_4_7_4_03)));
    assert_eq!(table.siege.kalke.damage, [0, 2, 0]);
    assert_eq!(table.unit(garrison).steps, 1);
    assert!(guns.iter().all(|gun| table.marked(*gun, Marks::DAMAGED)));
    // Stormed.
    let units: Vec<UnitId> = (0..2).map(|_| foot(table, Side::French, Place::Concentration, 2)).collect();
    for unit in &units {
        let into_box = SiegeMove::Box { unit: *unit };
        siege::check_move(table, &into_box).unwrap();
        with_dice(&[], |clerk| {
            let exposure = siege::begin_move(table, &into_box, clerk);
            siege::arrive(table, &exposure, clerk);
        });
    }
    let third = foot(table, Side::French, Place::Concentration, 2);
    assert_eq!(refused(siege::check_move(table, &SiegeMove::Box { unit: third })), "DZ-4.7.4-05");
    let notes = storm(table, &units, at, &[5]);
    assert!(says(&notes, rule!(DZ_4_7_4_06)) && says(&notes, rule!(DZ_4_7_4_07)));
    assert_eq!(table.siege.kalke.holder, Side::French);
    assert!(guns.iter().all(|gun| table.unit(*gun).place == Place::Eliminated));
    assert!(units.iter().all(|unit| table.unit(*unit).place == Place::Kalke));
    siege::check_move(table, &SiegeMove::IntoKalke { unit: third }).unwrap();
    // Retaken, not on the same turn.
    let raiders: Vec<UnitId> = (0..2).map(|_| foot(table, Side::Prussian, Place::Reserve, 2)).collect();
    let target = SortieTarget::Kalke(KalkeSide::K2);
    let group = |unit: UnitId| Some(Group { unit, with: None, target });
    let sortie = Sortie { groups: [group(raiders[0]), group(raiders[1]), None] };
    assert_eq!(refused(siege::check_sortie(table, &sortie)), "DZ-4.7.4-08");
    table.turn += 1;
    let mut listed = Vec::new();
    siege::list_sorties(table, |sortie| listed.push(sortie));
    assert!(listed.contains(&sortie));
    siege::check_sortie(table, &sortie).unwrap();
    // Prussian guns fire at it first.
    let wall = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H1")), 1);
    table.unit_mut(wall).facing = 240;
    siege::check_battery_shot(table, wall, BatteryTarget::Kalke).unwrap();
    let notes = with_dice(&[6], |clerk| {
        let mut run = siege::begin_sortie(table, &sortie, clerk);
        assert!(!siege::sortie_melee(table, &mut run, clerk));
    })
    .1;
    assert!(says(&notes, rule!(DZ_4_7_4_08)));
    assert_eq!(table.siege.kalke.holder, Side::Prussian);
    assert!(raiders.iter().all(|unit| table.unit(*unit).place == Place::Kalke));
    let anew = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H2")), 1);
    let into = GarrisonMove::Infantry { unit: anew, to: Place::Kalke };
    assert_eq!(refused(siege::check_garrison(table, true, &into)), "DZ-4.3.2-06");
}

#[test]
fn a_sortie_with_field_guns_and_defenders() {
    let table = &mut table();
    let ids = network(table);
    let right = lay(table, WorkKind::Battery, 950, 725);
    let field = post(table, Side::French, Arm::FieldArtillery, Place::Work(right), 5);
    let single = foot(table, Side::French, Place::Work(ids[2]), 1);
    let double = foot(table, Side::French, Place::Work(ids[0]), 2);
    let raiders: Vec<UnitId> = (0..3).map(|_| foot(table, Side::Prussian, Place::Reserve, 2)).collect();
    let group = |unit, work| Some(Group { unit, with: None, target: SortieTarget::Work(work) });
    // The nearest to the walls first, then what touches it.
    let wrong = Sortie { groups: [group(raiders[0], ids[0]), None, None] };
    assert_eq!(refused(siege::check_sortie(table, &wrong)), "DZ-4.9-09");
    let near = ids[2];
    let jump = Sortie { groups: [group(raiders[0], near), group(raiders[1], ids[0]), None] };
    assert_eq!(refused(siege::check_sortie(table, &jump)), "DZ-R47");
    let sortie = Sortie { groups: [group(raiders[0], near), group(raiders[1], right), None] };
    siege::check_sortie(table, &sortie).unwrap();
    let mut run = with_dice(&[], |clerk| siege::begin_sortie(table, &sortie, clerk)).0;
    // The battery looks up the map at the group before its neighbour.
    let mut shots = Vec::new();
    siege::list_field_fire(table, &run, |battery, group| shots.push((battery, group)));
    assert!(shots.iter().all(|(battery, _)| *battery == field) && !shots.is_empty());
    let at = shots[0].1;
    let notes = with_dice(&[4], |clerk| siege::field_fire(table, &mut run, field, at, clerk)).1;
    assert!(says(&notes, rule!(DZ_4_9_13)) && says(&notes, rule!(DZ_4_3_1_03)));
    assert_eq!(refused(siege::check_field_fire(table, &run, field, at)), "DZ-4.9-13");
    let siege_gun = post(table, Side::French, Arm::Siege12, Place::Concentration, 1);
    assert_eq!(refused(siege::check_field_fire(table, &run, siege_gun, at)), "DZ-4.3.3-05");
    // A one-step unit is exchanged for a two-step one.
    siege::check_defender(table, &run, double, ids[2]).unwrap();
    let notes = with_dice(&[], |clerk| siege::commit_defender(table, &mut run, double, ids[2], clerk)).1;
    assert!(
        says(&notes, rule!(DZ_4_9_15)) && says(&notes, rule!(DZ_4_9_14)) && says(&notes, rule!(DZ_4_9_16))
    );
    assert_eq!(table.unit(double).place, Place::Work(ids[2]));
    assert_eq!(table.unit(single).place, Place::Work(ids[0]));
    // One step lost and a failed test: the parallel is lost; the field battery holds at 1:3.
    let (more, notes) = with_dice(&[6, 6], |clerk| siege::sortie_melee(table, &mut run, clerk));
    assert!(more && says(&notes, rule!(DZ_4_9_17)) && says(&notes, rule!(DZ_4_9_18)));
    assert!(table.siege.work(ids[2]).unwrap().damaged);
    let (more, notes) = with_dice(&[1], |clerk| siege::sortie_melee(table, &mut run, clerk));
    assert!(!more && says(&notes, rule!(DZ_4_9_19)));
    assert!(raiders.iter().all(|unit| !matches!(table.unit(*unit).place, Place::Open(_))));
    table.danzig.sorties_over = true;
    assert_eq!(refused(siege::check_sortie(table, &sortie)), "DZ-4.9-10");
}

#[test]
fn counter_attacks_on_both_walls() {
    let table = &mut table();
    let (h5, inner) = (point("H5"), point("h5"));
    let french = foot(table, Side::French, Place::Wall(h5), 2);
    table.siege.wall_mut(h5).level = 0;
    table.siege.wall_mut(h5).holder = Side::French;
    let units: Vec<UnitId> = (0..3).map(|_| foot(table, Side::Prussian, Place::Reserve, 2)).collect();
    let both = CounterAttack { units: units[..2].iter().copied().collect(), target: h5 };
    let all = CounterAttack { units: units.iter().copied().collect(), target: h5 };
    assert_eq!(refused(siege::check_counterattack(table, &all)), "DZ-4.9-21");
    let nothing = CounterAttack { target: point("H4"), ..both };
    assert_eq!(refused(siege::check_counterattack(table, &nothing)), "DZ-4.9-21");
    siege::check_counterattack(table, &both).unwrap();
    // 3:1 on bare ground.
    let notes = with_dice(&[4], |clerk| {
        siege::begin_counterattack(table, &both, clerk);
        assert_eq!(siege::steps_on(table, Side::Prussian, Place::Wall(inner)), 4);
        siege::counter_melee(table, &both, clerk);
    })
    .1;
    assert!(says(&notes, rule!(DZ_4_9_25)) && says(&notes, rule!(DZ_R52)) && says(&notes, rule!(DZ_4_9_27)));
    assert!(table.unit(french).is_disordered());
    let owed = table.owed.pop().unwrap();
    assert_eq!(owed, Owed::Occupier { target: h5, from: Place::Wall(inner), won: true });
    let notes = with_dice(&[], |clerk| {
        siege::occupy(table, h5, Place::Wall(inner), true, Some(units[0]), clerk);
    })
    .1;
    assert!(says(&notes, rule!(DZ_4_9_24)));
    assert_eq!(table.unit(units[0]).place, Place::Wall(h5));
    assert_eq!(table.unit(units[1]).place, Place::Reserve);

    // A lodgement on the second wall with a field battery, attacked from the green point.
    let table = &mut self::table();
    approach(table);
    for code in ["H5", "h5"] {
        table.siege.wall_mut(point(code)).level = 3;
    }
    for (kind, y) in [(WorkKind::Battery, 1275), (WorkKind::Sap, 1350), (WorkKind::Battery, 1425)] {
        lay(table, kind, 850, y);
    }
    let work = table.siege.work_on(inner).unwrap();
    let field = post(table, Side::French, Arm::FieldArtillery, Place::Work(work), 5);
    let unit = foot(table, Side::Prussian, Place::Reserve, 2);
    let attack = CounterAttack { units: danzig::UnitSet::of(unit), target: inner };
    let mut listed = Vec::new();
    siege::list_counterattacks(table, |attack| listed.push(attack));
    assert!(listed.contains(&attack));
    let notes = with_dice(&[2], |clerk| {
        siege::begin_counterattack(table, &attack, clerk);
        assert_eq!(table.unit(unit).place, Place::Green(inner));
        let mut guns = 0;
        siege::list_counter_fire(table, &attack, |_| guns += 1);
        assert_eq!(guns, 1);
        siege::counter_fire(table, &attack, field, clerk);
    })
    .1;
    assert!(says(&notes, rule!(DZ_4_3_1_02)));
    // The guns gone, the work falls without a melee.
    table.unit_mut(field).place = Place::Concentration;
    let notes = with_dice(&[], |clerk| siege::counter_melee(table, &attack, clerk)).1;
    assert!(says(&notes, rule!(DZ_4_9_26)));
    assert!(table.siege.work(work).is_none());
}

#[test]
fn the_garrison_inside_its_walls() {
    let table = &mut table();
    let h5 = point("H5");
    let unit = foot(table, Side::Prussian, Place::Reserve, 2);
    let to_wall = GarrisonMove::Infantry { unit, to: Place::Wall(h5) };
    table.siege.wall_mut(h5).level = 3;
    siege::check_garrison(table, true, &to_wall).unwrap();
    let notes = with_dice(&[], |clerk| siege::garrison_move(table, &to_wall, clerk)).1;
    assert!(
        says(&notes, rule!(DZ_4_9_01))
            && says(&notes, rule!(DZ_4_7_1_06))
            && says(&notes, rule!(DZ_4_1_2_02))
    );
    let second = foot(table, Side::Prussian, Place::Reserve, 1);
    let crowd = GarrisonMove::Infantry { unit: second, to: Place::Wall(h5) };
    assert_eq!(refused(siege::check_garrison(table, true, &crowd)), "DZ-4.2-06");
    let green = GarrisonMove::Infantry { unit: second, to: Place::Green(point("h5")) };
    assert_eq!(refused(siege::check_garrison(table, true, &green)), "DZ-4.9-02");
    let out = GarrisonMove::Infantry { unit: second, to: Place::Open(Spot::metres(850, 1000)) };
    assert_eq!(refused(siege::check_garrison(table, true, &out)), "DZ-4.1.2-01");
    let battery = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H4")), 1);
    let moved = |to: &str| GarrisonMove::Battery { battery, to: point(to), facing: 250 };
    assert_eq!(refused(siege::check_garrison(table, false, &moved("H3"))), "DZ-4.9-03");
    assert_eq!(refused(siege::check_garrison(table, true, &moved("H5"))), "DZ-4.7.1-05");
    let notes = with_dice(&[], |clerk| siege::garrison_move(table, &moved("H3"), clerk)).1;
    assert!(says(&notes, rule!(DZ_4_9_03)) && says(&notes, rule!(DZ_4_3_2_03)));
    let kalke = post(table, Side::Prussian, Arm::Fortress, Place::Kalke, 1);
    let leave = GarrisonMove::Battery { battery: kalke, to: point("H2"), facing: 250 };
    assert_eq!(refused(siege::check_garrison(table, true, &leave)), "DZ-R62");
    let pivot = GarrisonMove::Pivot { battery: kalke, facing: 10 };
    let notes = with_dice(&[], |clerk| siege::garrison_move(table, &pivot, clerk)).1;
    assert!(says(&notes, rule!(DZ_4_3_2_05)) && says(&notes, rule!(DZ_5_1_07)));
    let notes = with_dice(&[], |clerk| siege::repair_wall(table, h5, clerk)).1;
    assert!(says(&notes, rule!(DZ_4_9_07)));
    assert_eq!(table.siege.wall(h5).level, 4);
    assert_eq!(refused(siege::check_wall_repair(table, point("H1"))), "DZ-4.9-07");
    let mut listed = Vec::new();
    siege::list_garrison(table, true, |garrison| listed.push(garrison));
    assert!(!listed.is_empty());
    for garrison in listed {
        siege::check_garrison(table, true, &garrison).unwrap();
    }
    // Kamenski's men only by option.
    let russian = UnitId::all()
        .find(|unit| {
            unit.data().corps == Corps::Kamenski
                && unit.data().nation == Nation::Russia
                && unit.data().arm == Arm::Infantry
        })
        .unwrap();
    (table.unit_mut(russian).place, table.unit_mut(russian).steps) = (Place::Reserve, 4);
    assert_eq!(siege::steps_of(table, russian), 2);
    table.options.kamenski_mans_walls = rulebook::options::danzig::KamenskiMansWalls::False;
    let serve = GarrisonMove::Infantry { unit: russian, to: Place::Wall(point("H1")) };
    assert_eq!(refused(siege::check_garrison(table, true, &serve)), "DZ-4.2-08");
}

#[test]
fn prussian_fire_on_everything_in_sight() {
    let table = &mut table();
    let ids = network(table);
    let battery = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
    let unit = foot(table, Side::French, Place::Open(Spot::metres(850, 1000)), 2);
    let mut listed = Vec::new();
    siege::list_battery_shots(table, |unit, at| listed.push((unit, at)));
    assert_eq!(listed.len(), ids.len() + 1);
    let at = BatteryTarget::Open(Spot::metres(850, 1000));
    // 225 m: factor 6, no cover; a 5 takes two steps.
    let notes = with_dice(&[5], |clerk| siege::fire_battery(table, battery, at, clerk)).1;
    for rule in [rule!(DZ_4_9_04), rule!(DZ_4_9_05), rule!(DZ_6_1_08), rule!(DZ_4_4_01)] {
        assert!(says(&notes, rule), "{rule}");
    }
    assert_eq!(table.unit(unit).place, Place::Eliminated);
    assert_eq!(refused(siege::check_battery_shot(table, battery, at)), "DZ-4.9-04");
    table.unit_mut(battery).marks.clear(Marks::FIRED);
    assert_eq!(refused(siege::check_battery_shot(table, battery, at)), "DZ-4.1.1-04");
    table.unit_mut(battery).facing = 90;
    assert_eq!(
        refused(siege::check_battery_shot(table, battery, BatteryTarget::Work(ids[2]))),
        "DZ-4.5.1-02"
    );
    // From behind the second wall nothing is seen of H5.
    table.unit_mut(battery).place = Place::Wall(point("h1"));
    table.unit_mut(battery).facing = 320;
    foot(table, Side::French, Place::Wall(point("H5")), 2);
    assert_eq!(
        refused(siege::check_battery_shot(table, battery, BatteryTarget::Wall(point("H5")))),
        "DZ-4.4-02"
    );
    // A stack of two shares its loss by choice.
    let spot = Spot::metres(1000, 1000);
    for _ in 0..2 {
        foot(table, Side::French, Place::Open(spot), 1);
    }
    table.unit_mut(battery).place = Place::Wall(point("H6"));
    table.unit_mut(battery).facing = 270;
    with_dice(&[4], |clerk| siege::fire_battery(table, battery, BatteryTarget::Open(spot), clerk));
    assert_eq!(table.owed, [Owed::Losses { side: Side::French, place: Place::Open(spot), steps: 1 }]);
}

/// One row for each order the rules of the siege map refuse; the table is untouched.
#[test]
fn refusals() {
    let mut table = table();
    let ids = network(&mut table);
    let table = &mut table;
    let gun = post(table, Side::French, Arm::Siege24, Place::Work(ids[2]), 1);
    let field = post(table, Side::French, Arm::FieldArtillery, Place::Concentration, 5);
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let crowd = foot(table, Side::French, Place::Work(ids[0]), 2);
    let prussian = foot(table, Side::Prussian, Place::Reserve, 2);
    table.siege.wall_mut(point("H5")).level = 12;
    let one = foot(table, Side::Prussian, Place::Reserve, 1);
    let before = table.clone();
    let h5 = GunTarget::Wall(point("H5"));
    let assault = |unit| Assault { units: danzig::UnitSet::of(unit), at: h5 };
    let open = |unit, to| SiegeMove::Open { unit, with: None, exit: None, via: None, to, facing: 90 };
    let new =
        |kind, x, y, worker| Build::New { kind, pose: Pose::new(Spot::metres(x, y), Facing::CITY), worker };
    let rows: Vec<(&str, Verdict<()>)> = vec![
        ("DZ-4.7.2-27", siege::check_gun_shot(table, gun, h5)),
        ("DZ-2.4.1-01", siege::check_gun_shot(table, field, h5)),
        ("DZ-4.3.3-01", siege::check_gun_shot(table, worker, h5)),
        ("DZ-4.8-16", {
            let mut working = table.clone();
            working.unit_mut(worker).marks.set(Marks::WORKER);
            siege::check_assault(&working, &assault(worker))
        }),
        ("DZ-4.3.4-01", siege::check_mortar(table, gun)),
        ("DZ-4.7.2-03", siege::check_build(table, &Build::Repair { work: ids[0], worker })),
        ("DZ-4.7.2-21", siege::check_build(table, &new(WorkKind::Sap, 400, 550, field))),
        ("DZ-4.7.2-04", siege::check_build(table, &new(WorkKind::Sap, 400, 550, crowd))),
        ("DZ-R80", siege::check_build(table, &new(WorkKind::Sap, 860, 550, worker))),
        (
            "DZ-8.0-02",
            siege::check_build(table, &Build::Mine { pose: Pose::new(Spot::metres(850, 800), Facing::CITY) }),
        ),
        (
            "DZ-R55",
            siege::check_build(
                table,
                &Build::Mine { pose: Pose::new(Spot::metres(850, 1240), Facing::CITY) },
            ),
        ),
        (
            "DZ-R99",
            siege::check_build(
                table,
                &Build::Redoubt { redoubt: RedoubtId(0), facing: Facing::degrees(0), worker },
            ),
        ),
        ("DZ-4.2-05", siege::check_move(table, &SiegeMove::Network { unit: worker, to: ids[0] })),
        ("DZ-4.2-05", siege::check_move(table, &SiegeMove::Network { unit: field, to: ids[0] })),
        ("DZ-R102", siege::check_move(table, &open(worker, OpenEnd::Wall(point("H5"))))),
        ("DZ-4.1.1-10", siege::check_move(table, &open(worker, OpenEnd::Spot(Spot::metres(1200, 1700))))),
        ("DZ-R64", siege::check_move(table, &open(worker, OpenEnd::Spot(Spot::metres(1300, 1450))))),
        (
            "DZ-4.8-10",
            siege::check_move(
                table,
                &SiegeMove::Open {
                    unit: worker,
                    with: None,
                    exit: None,
                    via: Some(Spot::metres(2500, 1000)),
                    to: OpenEnd::Concentration,
                    facing: 90,
                },
            ),
        ),
        ("DZ-R104", siege::check_move(table, &open(worker, OpenEnd::Spot(Spot::metres(850, 700))))),
        ("DZ-4.7.4-05", siege::check_move(table, &SiegeMove::Box { unit: crowd })),
        ("DZ-4.7.4-09", siege::check_move(table, &SiegeMove::IntoKalke { unit: worker })),
        ("DZ-R60", siege::check_move(table, &SiegeMove::OutOfKalke { unit: worker })),
        ("DZ-4.8-14", siege::check_assault(table, &assault(worker))),
        ("DZ-4.8-14", siege::check_assault(table, &assault(gun))),
        (
            "DZ-R60",
            siege::check_assault(table, &Assault { at: GunTarget::Kalke(KalkeSide::K1), ..assault(worker) }),
        ),
        (
            "DZ-4.9-12",
            siege::check_sortie(
                table,
                &Sortie {
                    groups: [
                        Some(Group { unit: prussian, with: Some(one), target: SortieTarget::Work(ids[2]) }),
                        None,
                        None,
                    ],
                },
            ),
        ),
        ("DZ-R82", {
            let mut held = table.clone();
            foot(&mut held, Side::French, Place::Wall(point("H5")), 1);
            siege::check_wall_repair(&held, point("H5"))
        }),
    ];
    for (rule, verdict) in rows {
        assert_eq!(refused(verdict), rule);
    }
    assert_eq!(*table, before);
}

/// Silence costs no words: a rule that is not listened to gives the same table.
#[test]
fn silent_and_spoken_agree() {
    let mut spoken = table();
    approach(&mut spoken);
    let mut silent = spoken.clone();
    fn shots(table: &mut Table, clerk: &mut impl Clerk) {
        let battery = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
        let work = table.siege.all_works().last().unwrap().0;
        siege::fire_battery(table, battery, BatteryTarget::Work(work), clerk);
    }
    with_dice(&[6], |clerk| shots(&mut spoken, clerk));
    shots(&mut silent, &mut Desk::new(Scripted::new(&[6]), Silent));
    assert_eq!(spoken, silent);
}
