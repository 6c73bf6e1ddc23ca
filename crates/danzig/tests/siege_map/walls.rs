//! The walls stop the besieger (chapters 4.1.1, 4.7.1 and 4.8, DZ-R64, DZ-R80): nobody walks or storms over
//! one that stands, no surplus leaves through it, no sap stays in it, no mine starts behind it.

use danzig::siege::{
    self, Assault, Build, Facing, GunTarget, OpenEnd, Pose, SiegeMove, Spot, WallSet, Work, WorkId, WorkKind,
    WorkSet,
};
use danzig::{Arm, Marks, Place, Side, Table};

use crate::common::{approach, build, foot, point, post, refused, table};

/// Puts a work on the map as if it began at the zone, its centre at so many decimetres.
fn put(table: &mut Table, kind: WorkKind, x: i16, y: i16, facing: i32) -> WorkId {
    let pose = Pose::new(Spot::new(x, y), Facing::degrees(facing));
    let (covers, links) = (WallSet::default(), WorkSet::default());
    let work = Work { kind, pose, damaged: false, worker: None, covers, at_zone: true, links };
    table.siege.add_work(work).unwrap()
}

#[test]
fn nobody_walks_or_storms_over_a_standing_wall() {
    let table = &mut table();
    let head = approach(table);
    let unit = foot(table, Side::French, Place::Work(head), 2);
    let open = |unit, via, to| SiegeMove::Open { unit, with: None, exit: None, via, to, facing: 90 };
    let behind = OpenEnd::Spot(Spot::metres(850, 1350));
    assert_eq!(refused(siege::check_move(table, &open(unit, None, behind))), "DZ-R64");
    let before_the_gate = Some(Spot::metres(1310, 1200));
    let gate = OpenEnd::Spot(Spot::metres(1310, 1450));
    assert_eq!(refused(siege::check_move(table, &open(unit, before_the_gate, gate))), "DZ-R64");
    // The second wall over the first: only where that is low and empty.
    table.siege.wall_mut(point("h5")).level = 5;
    let storm = Assault { units: [unit].into_iter().collect(), at: GunTarget::Wall(point("h5")) };
    assert_eq!(refused(siege::check_assault(table, &storm)), "DZ-R64");
    table.siege.wall_mut(point("H5")).level = 16;
    siege::check_assault(table, &storm).unwrap();
    let gun = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
    assert_eq!(refused(siege::check_assault(table, &storm)), "DZ-R64");
    table.unit_mut(gun).place = Place::Away;
    siege::check_move(table, &open(unit, None, behind)).unwrap();
    // Not by a bend through the city either, whatever the end of the way.
    let lodged = foot(table, Side::French, Place::Wall(point("h5")), 1);
    table.siege.wall_mut(point("h5")).holder = Side::French;
    let city = Some(Spot::metres(850, 1500));
    assert_eq!(refused(siege::check_move(table, &open(lodged, city, behind))), "DZ-4.1.1-10");
}

#[test]
fn the_points_beside_the_gate_can_be_stormed() {
    let table = &mut table();
    for (code, x) in [("H9", 1225), ("B1", 1400)] {
        table.siege.wall_mut(point(code)).level = 9;
        let unit = foot(table, Side::French, Place::Open(Spot::metres(x, 1250)), 2);
        let storm = Assault { units: [unit].into_iter().collect(), at: GunTarget::Wall(point(code)) };
        siege::check_assault(table, &storm).unwrap();
    }
}

#[test]
fn surplus_steps_do_not_leave_through_a_standing_wall() {
    let table = &mut table();
    let head = approach(table);
    let wall = point("h5");
    table.siege.wall_mut(wall).level = 9;
    for _ in 0..2 {
        foot(table, Side::French, Place::Wall(wall), 2);
    }
    let places = |table: &Table| {
        let mut places = Vec::new();
        siege::list_excess(table, wall, |_, to| places.push(to));
        places.dedup();
        places
    };
    assert_eq!(places(table), [Place::Concentration]);
    table.siege.wall_mut(point("H5")).level = 9;
    assert_eq!(places(table), [Place::Work(head)]);
}

#[test]
fn a_sap_cut_short_off_its_point_does_not_stay_in_the_wall() {
    let table = &mut table();
    put(table, WorkKind::Sap, 7550, 12_000, 90);
    table.siege.wall_mut(point("H4")).level = 7;
    let worker = foot(table, Side::French, Place::Concentration, 2);
    // H4 lies at (755, 1325) in a re-entrant: the wall is lower on both sides of it.
    let pose = Pose { at: Spot::metres(755, 1290), facing: Facing::CITY, length: 80 };
    build(table, Build::New { kind: WorkKind::Sap, pose, worker });
    let sap = table.siege.work_on(point("H4")).unwrap();
    table.siege.work_mut(sap).unwrap().worker = None;
    table.unit_mut(worker).place = Place::Concentration;
    table.unit_mut(worker).marks.clear(Marks::WORKER);
    let cut = |length| siege::check_build(table, &Build::Shorten { work: sap, length, worker });
    assert_eq!(refused(cut(72)), "DZ-R80");
    cut(60).unwrap();
}

#[test]
fn a_mine_does_not_start_behind_a_wall() {
    let table = &mut table();
    put(table, WorkKind::Parallel, 9059, 12_825, 110);
    let behind = Pose::new(Spot::new(8795, 13_552), Facing::degrees(110));
    assert_eq!(refused(siege::check_build(table, &Build::Mine { pose: behind })), "DZ-R55");
}

#[test]
fn french_guns_fire_over_the_first_wall_but_not_over_the_second() {
    let table = &mut table();
    let near = put(table, WorkKind::Battery, 8500, 11_250, 90);
    let gun = post(table, Side::French, Arm::Siege24, Place::Work(near), 1);
    siege::check_gun_shot(table, gun, GunTarget::Wall(point("h5"))).unwrap();
    // From the right the line to h1 passes through the wall beside h2.
    let far = put(table, WorkKind::Battery, 11_000, 11_250, 135);
    table.unit_mut(gun).place = Place::Work(far);
    assert_eq!(refused(siege::check_gun_shot(table, gun, GunTarget::Wall(point("h1")))), "DZ-4.4-04");
}
