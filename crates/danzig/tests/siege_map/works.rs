//! Construction, repair and the mine (chapters 4.7, 4.8 and 8.0), and who moves through the works.

use danzig::siege::{self, Build, Facing, Mine, OpenEnd, Pose, RedoubtId, SiegeMove, Spot, WorkId, WorkKind};
use danzig::{Arm, Marks, Place, Side, Table, UnitId};
use kernel::{Desk, Odds, Silent};
use rulebook::rule;

use crate::common::{approach, build, dig, foot, lay, network, point, post, refused, says, table, with_dice};

#[test]
fn dz_ex_01_ten_points_nine_works_nine_workers() {
    let table = &mut table();
    assert_eq!(table.danzig.construction, 10);
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
fn dz_ex_05_and_dz_ex_06() {
    let table = &mut table();
    let morale = table.danzig.morale;
    approach(table);
    table.siege.wall_mut(point("H5")).level = 20 - 13;
    assert_eq!(table.siege.wall(point("H5")).level, 7);
    let before = table.siege.all_works().count();
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
    // Each has a worker of its own.
    assert_eq!(table.siege.all_works().count(), before + 3);
    // The second wall at 10: a sap would be the third of no run; a battery covers h5.
    table.siege.wall_mut(point("h5")).level = 10;
    let pose = Pose::new(Spot::metres(850, 1425), Facing::CITY);
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let notes = build(table, Build::New { kind: WorkKind::Parallel, pose, worker });
    assert!(says(&notes, rule!(DZ_9_1_13)));
    assert_eq!(table.danzig.construction, 10 - 5 - 1);
    assert_eq!(table.siege.wall(point("h5")).level, 0);
    assert_eq!(table.danzig.morale, morale - 4);
    assert_eq!(siege::wall_under(table, table.unit(worker).place), Some(point("h5")));
}

#[test]
fn dz_ex_15_the_life_of_a_mine() {
    let table = &mut table();
    approach(table);
    table.turn = 8;
    let pose = Pose::new(Spot::metres(850, 1300), Facing::CITY);
    let notes = build(table, Build::Mine { pose });
    assert!(says(&notes, rule!(DZ_8_0_01)));
    assert_eq!(table.danzig.construction, 10 - 2);
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
fn a_work_beyond_a_gap_is_repaired_over_open_ground_or_by_its_own_men() {
    let table = &mut table();
    let ids = network(table);
    table.siege.remove_work(ids[1]);
    table.siege.work_mut(ids[2]).unwrap().damaged = true;
    table.siege.join();
    let worker = foot(table, Side::French, Place::Concentration, 2);
    let repair = Build::Repair { work: ids[2], worker };
    siege::check_build(table, &repair).unwrap();
    let mut listed = Vec::new();
    siege::list_repairs(table, |build| listed.push(build));
    assert_eq!(listed, [repair]);
    // A hundred metres without trench: one shot.
    let notes = with_dice(&[1], |clerk| {
        let mut exposure = siege::begin_build(table, &repair, clerk);
        assert_eq!(exposure.shots, 1);
        siege::exposed_shot(table, &mut exposure, clerk);
        siege::arrive(table, &exposure, clerk);
    })
    .1;
    assert!(says(&notes, rule!(DZ_4_8_06)) && says(&notes, rule!(DZ_4_7_2_03)));
    assert!(!table.siege.work(ids[2]).unwrap().damaged);
    assert_eq!(table.unit(worker).place, Place::Work(ids[2]));
    // Who stands in it already needs no way at all, when nobody else finds room.
    let work = table.siege.work_mut(ids[2]).unwrap();
    (work.damaged, work.worker) = (true, None);
    table.unit_mut(worker).marks.clear(Marks::WORKER);
    foot(table, Side::French, Place::Concentration, 2);
    build(table, repair);
    assert!(!table.siege.work(ids[2]).unwrap().damaged);
}

#[test]
fn a_bare_wall_point_is_left_only_if_the_option_lets_it() {
    let table = &mut table();
    let wall = point("H5");
    let unit = foot(table, Side::French, Place::Wall(wall), 2);
    let state = table.siege.wall_mut(wall);
    (state.level, state.holder) = (0, Side::French);
    let to = OpenEnd::Concentration;
    let leaves = SiegeMove::Open { unit, with: None, exit: None, via: None, to, facing: 90 };
    siege::check_move(table, &leaves).unwrap();
    table.options.reinforce_bare_wall_point = rulebook::options::danzig::ReinforceBareWallPoint::False;
    assert_eq!(refused(siege::check_move(table, &leaves)), "DZ-R102");
    let mut listed = Vec::new();
    siege::list_moves(table, |siege_move| listed.push(siege_move));
    assert!(listed.is_empty(), "{listed:?}");
}
