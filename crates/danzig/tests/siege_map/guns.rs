//! French and Prussian fire (chapters 4.3 to 4.5): guns, mortars, enfilade, batteries.

use danzig::siege::{self, BatteryTarget, Facing, GunTarget, KalkeSide, Pose, SiegeMove, Spot, WorkKind};
use danzig::{Arm, Marks, Owed, Place, Side};
use rulebook::rule;

use crate::common::{approach, foot, lay, network, point, post, refused, says, table, with_dice};

#[test]
fn dz_ex_14_a_battery_that_is_hit_misses_a_fire_step() {
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
fn dz_ex_29_mortars_set_the_city_on_fire() {
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
fn dz_ex_30_three_shots_at_a_wall_point() {
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
    assert_eq!(table.danzig.ammunition_24, 20 - 3);
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
    let among = (0..2).map(|_| foot(table, Side::French, Place::Open(spot), 1)).collect();
    table.unit_mut(battery).place = Place::Wall(point("H6"));
    table.unit_mut(battery).facing = 270;
    with_dice(&[4], |clerk| siege::fire_battery(table, battery, BatteryTarget::Open(spot), clerk));
    assert_eq!(table.owed, [Owed::Losses { side: Side::French, among, steps: 1 }]);
}

/// Six steps garrison the Kalke-Schanze, four of them on its walls: the other two test nothing.
#[test]
fn a_shot_at_kalke_reaches_only_those_on_its_walls() {
    let table = &mut table();
    let ids = network(table);
    table.siege.work_mut(ids[2]).unwrap().kind = WorkKind::Battery;
    // Turned towards Kalke and near enough for a 24-pounder to make them test.
    table.siege.work_mut(ids[2]).unwrap().pose = Pose::new(Spot::metres(500, 925), Facing::degrees(170));
    let gun = post(table, Side::French, Arm::Siege24, Place::Work(ids[2]), 1);
    for _ in 0..3 {
        foot(table, Side::Prussian, Place::Kalke, 2);
    }
    let at = GunTarget::Kalke(KalkeSide::K2);
    siege::check_gun_shot(table, gun, at).unwrap();
    // Factor 6, 4 less 2: a test for each of two battalions, and for nobody else.
    with_dice(&[4, 1, 1], |clerk| siege::fire_gun(table, gun, at, clerk));
}
