//! What the rules of the siege map refuse, and that nobody needs to listen to them.

use danzig::siege::{
    self, Assault, BatteryTarget, Build, Facing, Group, GunTarget, KalkeSide, OpenEnd, Pose, RedoubtId,
    SiegeMove, Sortie, SortieTarget, Spot, WorkKind,
};
use danzig::{Arm, Marks, Place, Side, Table};
use kernel::{Clerk, Desk, Scripted, Silent, Verdict};

use crate::common::{approach, foot, network, point, post, refused, table, with_dice};

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
