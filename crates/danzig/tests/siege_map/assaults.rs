//! Assaults on the walls and on the Kalke-Schanze (chapters 4.7.4 and 4.8), captures and demolition.

use danzig::siege::{
    self, Assault, BatteryTarget, Build, Facing, GarrisonMove, Group, GunTarget, KalkeSide, Pose, SiegeMove,
    Sortie, SortieTarget, Spot, WorkKind,
};
use danzig::{Arm, Marks, Owed, Place, Side, UnitId};
use rulebook::rule;

use crate::common::{approach, build, foot, lay, point, post, refused, says, storm, table, with_dice};

#[test]
fn dz_ex_08_a_point_won_high_is_demolished_first() {
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
fn dz_ex_09_a_point_won_low_is_built_on() {
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

#[test]
fn dz_ex_33_surplus_steps_leave_a_won_point() {
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

/// Four steps against two behind a damaged wall, 2:1. A 2: the attackers lose a step, and whose it is they
/// choose; then the defenders test.
#[test]
fn the_owner_chooses_whose_step_is_lost_in_an_assault() {
    let table = &mut table();
    let head = approach(table);
    let h5 = point("H5");
    table.siege.wall_mut(h5).level = 12;
    let next = table.siege.work(head).unwrap().links.iter().next().unwrap();
    let (first, second) =
        (foot(table, Side::French, Place::Work(head), 2), foot(table, Side::French, Place::Work(next), 2));
    let defender = foot(table, Side::Prussian, Place::Wall(h5), 2);
    let among = [first, second].into_iter().collect();
    let assault = Assault { units: among, at: GunTarget::Wall(h5) };
    let exposure = with_dice(&[1, 2], |clerk| {
        let mut exposure = siege::begin_assault(table, &assault, clerk);
        siege::exposed_shot(table, &mut exposure, clerk);
        siege::arrive(table, &exposure, clerk);
        exposure
    })
    .0;
    assert_eq!(table.owed, [Owed::Losses { side: Side::French, among, steps: 1 }]);
    assert!(table.siege.brawl.is_some());
    table.owed.clear();
    let notes = with_dice(&[6], |clerk| {
        siege::lose_step(table, second, clerk);
        siege::arrive(table, &exposure, clerk);
    })
    .1;
    assert!(table.siege.brawl.is_none() && says(&notes, rule!(DZ_4_6_02)));
    assert_eq!((table.unit(first).steps, table.unit(second).steps), (2, 1));
    assert_eq!((table.unit(first).place, table.unit(defender).place), (Place::Wall(h5), Place::Reserve));
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
    siege::list_sorties(table, &siege::Muster::default(), |sortie| listed.push(sortie));
    assert!(listed.contains(&sortie));
    siege::check_sortie(table, &sortie).unwrap();
    // Prussian guns fire at it first.
    let wall = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H1")), 1);
    table.unit_mut(wall).facing = 240;
    siege::check_battery_shot(table, wall, BatteryTarget::Kalke).unwrap();
    let notes = with_dice(&[6], |clerk| {
        let mut run = siege::begin_sortie(table, &sortie, clerk);
        assert!(siege::sortie_melee(table, &mut run, clerk), "the French choose whose step is lost");
        assert!(matches!(table.owed.pop(), Some(Owed::Losses { side: Side::French, steps: 1, .. })));
        siege::lose_step(table, units[1], clerk);
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
