//! The garrison (chapter 4.9): its moves, sorties and counter-attacks.

use danzig::siege::{self, CounterAttack, GarrisonMove, Group, Sortie, SortieTarget, Spot, WorkKind};
use danzig::{Arm, Corps, Nation, Owed, Place, Side, UnitId};
use rulebook::rule;

use crate::common::{approach, foot, lay, network, point, post, refused, says, table, with_dice};

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
    siege::list_counterattacks(table, &siege::Muster::default(), |attack| listed.push(attack));
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
    assert!(says(&notes, rule!(DZ_4_3_2_03)));
    assert_eq!((table.unit(battery).place, table.unit(battery).facing), (Place::Wall(point("H3")), 250));
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

/// Kamenski's Fusiliers act as two battalions, each with its own place.
#[test]
fn the_fusiliers_serve_on_the_walls_and_in_sorties() {
    let table = &mut table();
    let halves = ["K07", "K07b"].map(|code| UnitId::of_code(code).unwrap());
    for unit in halves {
        let state = table.unit_mut(unit);
        (state.place, state.steps, state.most) = (Place::Reserve, 2, 2);
    }
    let walls = ["H1", "H2"].map(|code| Place::Wall(point(code)));
    let mut listed = Vec::new();
    siege::list_garrison(table, false, |garrison| listed.push(garrison));
    for (unit, to) in halves.into_iter().zip(walls) {
        let garrison = GarrisonMove::Infantry { unit, to };
        assert!(listed.contains(&garrison));
        siege::check_garrison(table, false, &garrison).unwrap();
    }
    let both = GarrisonMove::Infantry { unit: halves[1], to: walls[0] };
    table.unit_mut(halves[0]).place = walls[0];
    assert_eq!(refused(siege::check_garrison(table, false, &both)), "DZ-4.2-06");
    // Each of them makes a group of a sortie.
    let ids = network(table);
    let sortie = |unit| {
        let group = Group { unit, with: None, target: SortieTarget::Work(ids[2]) };
        Sortie { groups: [Some(group), None, None] }
    };
    for unit in halves {
        siege::check_sortie(table, &sortie(unit)).unwrap();
    }
    assert_eq!(siege::steps_on(table, Side::Prussian, walls[0]), 2);
}
