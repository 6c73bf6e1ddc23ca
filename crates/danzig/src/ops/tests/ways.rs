//! City gates, the fort, the concentration area, entries, boats, the bridge, redoubts, stars.

use super::*;
use crate::{Level, Side};

#[test]
fn gates_before_and_after_the_siege_works() {
    let mut table = table();
    let id = unit("P01");
    table.unit_mut(id).place = Place::Reserve;
    let mover = Mover::fresh(UnitSet::of(id));
    let listed = |table: &Table| {
        let mut gates = Vec::new();
        list_strides(table, &mover, |stride| gates.push(stride));
        gates.len()
    };
    assert_eq!(listed(&table), 5);
    let leave = Stride::LeaveCity(Gate::Oliva);
    let mut out = table.clone();
    let mut going = mover;
    let (on, cited) = with_dice(&[], |clerk| stride(&mut out, &mut going, leave, clerk));
    assert!(on && cited.contains(&"DZ-3.1-08".to_owned()) && cited.contains(&"DZ-3.1.2-02".to_owned()));
    assert_eq!((at(&out, id).as_str(), going.spent), ("2515", 0));
    // Back in by the same gate, free again.
    let inwards = Stride::Go(hex(2515).towards(hex(2615)).unwrap());
    let (on, cited) = with_dice(&[], |clerk| stride(&mut out, &mut going, inwards, clerk));
    assert!(!on && cited.contains(&"DZ-3.1-09".to_owned()) && cited.contains(&"DZ-R103".to_owned()));
    assert_eq!(out.unit(id).place, Place::Reserve);
    table.danzig.siege_works_begun = true;
    assert_eq!(listed(&table), 2);
    assert_eq!(refused(check_stride(&table, &mover, leave)), "DZ-3.1-10");
    let mut going = mover;
    let (_, cited) =
        with_dice(&[], |clerk| stride(&mut table, &mut going, Stride::LeaveCity(Gate::Petershagen), clerk));
    assert!(cited.contains(&"DZ-3.1-10".to_owned()));
}

#[test]
fn the_relief_enters_by_two_ways_and_lifts_the_city_once() {
    let mut table = table();
    let id = place(&mut table, "K01", 2515, Heading::East);
    let gate = Stride::Go(hex(2515).towards(hex(2615)).unwrap());
    assert_eq!(refused(check_stride(&table, &Mover::fresh(UnitSet::of(id)), gate)), "DZ-4.2-08");
    let id = place(&mut table, "K01", 3023, Heading::West);
    let gate = Stride::Go(hex(3023).towards(hex(3022)).unwrap());
    let mut mover = Mover::fresh(UnitSet::of(id));
    check_stride(&table, &mover, gate).unwrap();
    let morale = table.danzig.morale;
    let (_, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, gate, clerk));
    assert!(cited.contains(&"DZ-6.2-04".to_owned()) && cited.contains(&"DZ-4.2-09".to_owned()));
    assert_eq!(table.danzig.morale, morale + 3);
    // A red arrow would do as well, but only once.
    let mut other = super::table();
    let id = place(&mut other, "K02", 2607, Heading::East);
    let mut mover = Mover::fresh(UnitSet::of(id));
    let (_, cited) = with_dice(&[], |clerk| stride(&mut other, &mut mover, Stride::Go(Heading::East), clerk));
    assert!(cited.contains(&"DZ-6.2-05".to_owned()));
    assert_eq!(other.danzig.morale, morale + 3);
    other.danzig.relieved(&mut Unheard);
    assert_eq!(other.danzig.morale, morale + 3);
}

#[test]
fn the_french_stay_out_of_city_and_fort_and_prussians_out_of_the_siege_map() {
    let mut table = table();
    let foot = place(&mut table, "F01", 2515, Heading::East);
    let go = |from: u16, to: u16| Stride::Go(hex(from).towards(hex(to)).unwrap());
    let check =
        |table: &Table, id, stride| refused(check_stride(table, &Mover::fresh(UnitSet::of(id)), stride));
    assert_eq!(check(&table, foot, go(2515, 2615)), "DZ-3.8.1-01");
    let foot = place(&mut table, "F02", 926, Heading::West);
    assert_eq!(check(&table, foot, go(926, 825)), "DZ-3.8.1-01");
    let garrison = place(&mut table, "P01", 2508, Heading::East);
    let into = go(2508, 2509);
    assert!(map().cell(hex(2509)).siege_map);
    assert!(check_stride(&table, &Mover::fresh(UnitSet::of(garrison)), into).is_ok());
    table.danzig.concentration_entered = true;
    assert_eq!(check(&table, garrison, into), "DZ-3.1.2-03");
    assert_eq!(check(&table, garrison, Stride::EnterConcentration), "DZ-3.1.2-03");
    let wall = place(&mut table, "P02", 2414, Heading::East);
    let edge = hex(2615).around().find(|&(side, _)| map().edge(hex(2615), side).wall());
    assert!(edge.is_some() && wall.side() == Side::Prussian);
}

#[test]
fn the_fort_has_its_own_ferry() {
    let mut table = table();
    let id = place(&mut table, "P01", 825, Heading::East);
    let mut mover = Mover::fresh(UnitSet::of(id));
    check_stride(&table, &mover, Stride::FortFerry).unwrap();
    let (_, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, Stride::FortFerry, clerk));
    assert_eq!((cited, at(&table, id).as_str(), mover.spent), (vec!["DZ-3.1.3-05".to_owned()], "0723", 0));
    let outside = place(&mut table, "P02", 926, Heading::East);
    assert_eq!(
        refused(check_stride(&table, &Mover::fresh(UnitSet::of(outside)), Stride::FortFerry)),
        "DZ-3.1.3-05"
    );
    // Out through its gate along the track.
    let mover = walk(&mut table, id, &[622]).unwrap();
    assert_eq!(mover.spent, 1);
}

#[test]
fn the_ferry_costs_four_and_lands_on_a_free_bank() {
    let mut table = table();
    let id = place(&mut table, "F01", 2727, Heading::NorthEast);
    let go = Stride::Go(hex(2727).towards(hex(2627)).unwrap());
    let mut mover = Mover::fresh(UnitSet::of(id));
    let (_, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, go, clerk));
    assert!(cited.contains(&"DZ-3.1.3-03".to_owned()));
    assert_eq!((mover.spent, at(&table, id).as_str()), (4, "2627"));
    let foe = place(&mut table, "P01", 2727, Heading::NorthEast);
    let wreck = check_stride(&table, &Mover::fresh(UnitSet::of(foe)), Stride::DestroyBridge);
    assert_eq!(refused(wreck), "DZ-3.1.3-04");
    assert_eq!(refused(check_stride(&table, &Mover::fresh(UnitSet::of(foe)), go)), "DZ-R35");
}

#[test]
fn regiments_become_battalions_and_battalions_a_regiment() {
    let mut table = table();
    let regiment = place(&mut table, "F01", 2608, Heading::East);
    table.unit_mut(regiment).steps = 3;
    let swept = place(&mut table, "P18", 2709, Heading::West);
    let mut mover = Mover::fresh(UnitSet::of(regiment));
    check_stride(&table, &mover, Stride::EnterConcentration).unwrap();
    let (on, cited) =
        with_dice(&[], |clerk| stride(&mut table, &mut mover, Stride::EnterConcentration, clerk));
    assert!(!on);
    for rule in ["DZ-3.1.4-01", "DZ-3.1.4-02", "DZ-4.2-01", "DZ-4.2-03", "DZ-3.1.2-04", "DZ-R71"] {
        assert!(cited.contains(&rule.to_owned()), "{rule}: {cited:?}");
    }
    let steps =
        |table: &Table| regiment.battalions().iter().map(|&b| table.unit(b).steps).collect::<Vec<_>>();
    assert_eq!(steps(&table), [2, 1]);
    assert_eq!((table.unit(regiment).place, table.unit(swept).place), (Place::Away, Place::Reserve));
    // It leaves in a later round, whole, as a regiment with what is left.
    fresh(&mut table, regiment);
    let leave = |table: &Table| check_take_up(table, Side::French, UnitSet::of(regiment));
    assert_eq!(refused(leave(&table)), "DZ-R71");
    for &battalion in regiment.battalions() {
        table.unit_mut(battalion).marks.set(Marks::SETTLED);
    }
    table.unit_mut(regiment.battalions()[0]).steps = 1;
    let away = {
        let mut table = table.clone();
        table.unit_mut(regiment.battalions()[1]).place = Place::Kalke;
        leave(&table)
    };
    assert_eq!(refused(away), "DZ-4.2-02");
    leave(&table).unwrap();
    let mut mover = take_up(&mut table, UnitSet::of(regiment));
    let mut listed = Vec::new();
    list_strides(&table, &mover, |stride| listed.push(stride));
    assert_eq!(listed.len(), 4);
    assert_eq!(refused(check_stride(&table, &mover, Stride::LeaveConcentration(hex(2607)))), "DZ-3.1.4-01");
    let out = Stride::LeaveConcentration(hex(2708));
    let (on, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, out, clerk));
    assert!(on && cited.contains(&"DZ-3.1.4-03".to_owned()) && cited.contains(&"DZ-4.2-02".to_owned()));
    assert_eq!((table.unit(regiment).steps, mover.spent, at(&table, regiment).as_str()), (2, 1, "2708"));
    assert_eq!(steps(&table), [0, 0]);
    let off = regiment.battalions().iter().all(|battalion| table.unit(*battalion).place == Place::Away);
    assert!(off, "DZ-3.2-01: there are no battalions on this map");
    assert_eq!(regiment.data().level, Level::Regiment);
}

#[test]
fn who_may_not_enter_the_concentration_area() {
    let mut table = table();
    let check = |table: &mut Table, code, at| {
        let id = place(table, code, at, Heading::East);
        let verdict = check_stride(table, &Mover::fresh(UnitSet::of(id)), Stride::EnterConcentration);
        table.unit_mut(id).place = Place::Away;
        verdict
    };
    assert_eq!(refused(check(&mut table, "F20", 2608)), "DZ-R71");
    assert_eq!(refused(check(&mut table, "L01", 2608)), "DZ-3.1.4-04");
    assert_eq!(refused(check(&mut table, "L10", 2608)), "DZ-3.1.4-04");
    assert_eq!(refused(check(&mut table, "F01", 2607)), "DZ-3.1.4-01");
    for code in ["F32", "F41", "F45", "F51"] {
        check(&mut table, code, 2908).unwrap();
    }
}

#[test]
fn entries_and_those_who_follow_on_the_same_road() {
    let mut table = table();
    let (a, b) = (unit("F01"), unit("F02"));
    table.unit_mut(a).place = Place::Waiting;
    table.unit_mut(b).place = Place::Waiting;
    assert_eq!(entries(&table, a).collect::<Vec<_>>(), [901, 2501, 3101, 3901].map(hex));
    assert_eq!(refused(check_entry(&table, a, hex(2036))), "DZ-5.3-02");
    let first = enter(&mut table, a, hex(901), &mut Unheard);
    assert_eq!(first.spent, 1);
    table.unit_mut(a).place = Place::Hex(hex(903));
    let second = enter(&mut table, b, hex(901), &mut Unheard);
    assert_eq!(second.spent, 2);
    assert_eq!(refused(check_entry(&table, b, hex(901))), "DZ-5.3-02");
    // Held by an enemy, the entry is the nearest free hex.
    let mut table = super::table();
    table.unit_mut(a).place = Place::Waiting;
    place(&mut table, "P31", 2501, Heading::West);
    assert_eq!(refused(check_entry(&table, a, hex(2501))), "DZ-5.3-12");
    let beside = entries(&table, a).nth(1).unwrap();
    assert_eq!(beside.distance(hex(2501)), 1);
    let (_, cited) = with_dice(&[], |clerk| enter(&mut table, a, beside, clerk));
    assert!(cited.contains(&"DZ-5.3-12".to_owned()));
    let lannes = unit("L01");
    table.unit_mut(lannes).place = Place::Waiting;
    assert_eq!(entries(&table, lannes).collect::<Vec<_>>(), [hex(2036)]);
    check_entry(&table, lannes, hex(2036)).unwrap();
}

#[test]
fn kamenski_lands_where_there_is_room_and_no_french() {
    let mut table = table();
    assert!(check_landing(&table, unit("K01"), hex(419)).is_ok());
    place(&mut table, "F01", 419, Heading::East);
    assert_eq!(refused(check_landing(&table, unit("K01"), hex(520))), "DZ-R94", "the French hold the camp");
    assert!(check_landing(&table, unit("K01"), hex(825)).is_ok());
    place(&mut table, "K02", 825, Heading::East);
    place(&mut table, "K03", 825, Heading::East);
    assert_eq!(refused(check_landing(&table, unit("K01"), hex(825))), "DZ-R94");
}

#[test]
fn dz_ex_34_a_crossing_begun_in_the_last_half_round() {
    // A crossing under way when the part ends lands in the owner's next movement step.
    let mut table = table();
    let id = place(&mut table, "F01", 1617, Heading::East);
    let across = hex(1617)
        .around()
        .find(|&(side, hex)| {
            map().edge(super::hex(1617), side).vistula() && !map().terrain(hex).is_fortress()
        })
        .map(|(_, hex)| hex)
        .unwrap();
    check_boats(&table, Side::French, UnitSet::of(id), across).unwrap();
    let mut listed = Vec::new();
    list_boats(&table, Side::French, |units, to| listed.push((units, to)));
    assert!(listed.contains(&(UnitSet::of(id), across)));
    let ((), cited) = with_dice(&[], |clerk| start_crossing(&mut table, UnitSet::of(id), across, clerk));
    assert_eq!(cited, ["DZ-3.1.3-01"]);
    assert_eq!(at(&table, id), "1617", "it stays in its hex meanwhile");
    fresh(&mut table, id);
    assert_eq!(refused(check_take_up(&table, Side::French, UnitSet::of(id))), "DZ-3.1.3-02");
    assert_eq!(refused(check_boats(&table, Side::French, UnitSet::of(id), across)), "DZ-3.1.3-01");
    let held = {
        let mut table = table.clone();
        let number = across.column() * 100 + across.row();
        place(&mut table, "P01", number, Heading::West);
        let (_, cited) = with_dice(&[], |clerk| begin_half(&mut table, Side::French, clerk));
        assert!(cited.contains(&"DZ-R34".to_owned()));
        at(&table, id)
    };
    assert_eq!(held, "1617");
    rally(&mut table, &mut Unheard);
    with_dice(&[], |clerk| begin_half(&mut table, Side::Prussian, clerk));
    assert_eq!(at(&table, id), "1617");
    let (_, cited) = with_dice(&[], |clerk| begin_half(&mut table, Side::French, clerk));
    assert!(cited.contains(&"DZ-3.1.3-02".to_owned()));
    assert_eq!(table.unit(id).place, Place::Hex(across));
    assert!(check_take_up(&table, Side::French, UnitSet::of(id)).is_ok(), "and may move at once");
    // Disorder on the way loses the crossing.
    table.ops.boats[0] = Boats { units: UnitSet::of(id), to: hex(1617) };
    disorder(&mut table, id, &mut Unheard);
    assert!(table.ops.boats[0].units.is_empty());
    let dry = place(&mut table, "F02", 2403, Heading::East);
    assert_eq!(refused(check_boats(&table, Side::French, UnitSet::of(dry), hex(2404))), "DZ-3.1.3-01");
}

#[test]
fn a_bridge_takes_a_turn_beside_unshaded_water() {
    let mut table = table();
    let id = place(&mut table, "F01", 1617, Heading::East);
    let mut sites = Vec::new();
    list_bridges(&table, |_, hex| sites.push(hex));
    let across = sites[0];
    assert!(check_bridge(&table, id, across).is_ok());
    let horse = place(&mut table, "F20", 1615, Heading::East);
    assert_eq!(refused(check_bridge(&table, horse, across)), "DZ-3.1.3-06");
    let shaded = Hex::all()
        .flat_map(|hex| Heading::ALL.map(|side| (hex, side)))
        .find(|&(hex, side)| {
            map().edge(hex, side).vistula() && map().shaded(hex) && !map().terrain(hex).is_fortress()
        })
        .unwrap();
    table.unit_mut(id).place = Place::Hex(shaded.0);
    assert_eq!(refused(check_bridge(&table, id, shaded.0.beyond(shaded.1).unwrap())), "DZ-3.1.3-07");
    table.unit_mut(id).place = Place::Hex(hex(1617));
    declare_bridge(&mut table, id, across, &mut Unheard);
    assert_eq!(refused(check_bridge(&table, id, across)), "DZ-R36");
    let moved = {
        let mut table = table.clone();
        walk(&mut table, id, &[1616, 1617]).unwrap();
        place_bridge(&mut table, &mut Unheard);
        table.ops.bridge
    };
    assert_eq!(moved, None, "the builder has moved");
    let ((), cited) = with_dice(&[], |clerk| place_bridge(&mut table, clerk));
    assert_eq!((cited, table.ops.bridge), (vec!["DZ-3.1.3-06".to_owned()], Some((hex(1617), across))));
    // It is crossed like open ground, and a Prussian at its end may destroy it.
    let go = Stride::Go(hex(1617).towards(across).unwrap());
    check_stride(&table, &Mover::fresh(UnitSet::of(id)), go).unwrap();
    table.unit_mut(id).place = Place::Away;
    let foe = place(&mut table, "P01", 1616, Heading::East);
    assert_eq!(
        refused(check_stride(&table, &Mover::fresh(UnitSet::of(foe)), Stride::DestroyBridge)),
        "DZ-3.1.3-08"
    );
    let mut mover = walk(&mut table, foe, &[1617]).unwrap();
    check_stride(&table, &mover, Stride::DestroyBridge).unwrap();
    let (_, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, Stride::DestroyBridge, clerk));
    assert_eq!((cited, table.ops.bridge), (vec!["DZ-3.1.3-08".to_owned()], None));
}

#[test]
fn redoubts_rise_and_fall() {
    let mut table = table();
    let id = place(&mut table, "F01", 1526, Heading::East);
    assert_eq!(table.unit(id).formation, Formation::Adapted);
    let mut listed = Vec::new();
    list_redoubts(&table, |unit| listed.push(unit));
    assert_eq!(listed, [id]);
    table.unit_mut(id).marks.set(Marks::MOVED);
    assert_eq!(refused(check_redoubt(&table, id)), "DZ-3.1-06");
    fresh(&mut table, id);
    let ((), cited) = with_dice(&[], |clerk| build_redoubt(&mut table, id, clerk));
    assert_eq!(cited, ["DZ-3.1-06", "DZ-3.8.3-02", "DZ-3.8.3-04"]);
    assert_eq!(refused(check_redoubt(&table, id)), "DZ-3.8.3-01");
    let field = Field::of(&table);
    assert_eq!((field.ground(hex(1526)), field.facing(id)), (Terrain::Clear, Some(Heading::East)));
    // Attacked it counts -2; entered by a Prussian it is gone.
    let foe = place(&mut table, "P01", 1527, Heading::West);
    let (strength, cited) =
        with_dice(&[], |clerk| strength_of(&Field::of(&table), foe, hex(1526), false, clerk));
    assert!(cited.contains(&"DZ-3.8.3-03".to_owned()), "{strength} {cited:?}");
    table.unit_mut(id).place = Place::Away;
    let mut mover = Mover::fresh(UnitSet::of(foe));
    let go = Stride::Go(hex(1527).towards(hex(1526)).unwrap());
    let (_, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, go, clerk));
    assert!(cited.contains(&"DZ-3.8.3-05".to_owned()));
    assert_eq!((table.ops.redoubts, mover.spent), (0, 3));
    assert_eq!(table.unit(foe).formation, Formation::Adapted, "without the redoubt it is a wood");
}

#[test]
fn stars_remember_and_invest() {
    let mut table = table();
    assert!(!invested(&table));
    let id = place(&mut table, "F01", 1506, Heading::East);
    let mut mover = Mover::fresh(UnitSet::of(id));
    let go = Stride::Go(hex(1506).towards(hex(1606)).unwrap());
    let (_, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, go, clerk));
    assert!(cited.contains(&"DZ-R26".to_owned()));
    assert_eq!(table.ops.stars.count_ones(), 1);
    table.ops.stars = (1 << 10) - 1;
    assert!(invested(&table));
    table.unit_mut(id).place = Place::Away;
    let foe = place(&mut table, "P01", 1506, Heading::East);
    walk(&mut table, foe, &[1606]).unwrap();
    assert!(!invested(&table), "passing through is enough");
}

#[test]
fn the_corvette_looks_for_french_beside_the_river() {
    let mut table = table();
    assert!(!french_beside_vistula(&table));
    place(&mut table, "F01", 1617, Heading::East);
    assert!(french_beside_vistula(&table));
}

#[test]
fn the_road_to_alt_schottland_stays_open_when_the_siege_map_is_closed() {
    let mut table = table();
    (table.danzig.siege_works_begun, table.danzig.concentration_entered) = (true, true);
    let id = unit("P01");
    table.unit_mut(id).place = Place::Reserve;
    let mut mover = Mover::fresh(UnitSet::of(id));
    let leave = Stride::LeaveCity(Gate::Petershagen);
    check_stride(&table, &mover, leave).unwrap();
    assert!(stride(&mut table, &mut mover, leave, &mut Unheard));
    walk(&mut table, id, &[3716]).unwrap();
    let aside = Stride::Go(hex(3716).towards(hex(3715)).unwrap());
    assert_eq!(refused(check_stride(&table, &Mover::fresh(UnitSet::of(id)), aside)), "DZ-3.1.2-03");
    walk(&mut table, id, &[3815]).unwrap();
    // The relief comes in by it.
    let relief = place(&mut table, "K01", 3716, Heading::East);
    let morale = table.danzig.morale;
    walk(&mut table, relief, &[3616, 3517]).unwrap();
    assert_eq!((table.unit(relief).place, table.danzig.morale), (Place::Reserve, morale + 3));
}

#[test]
fn whoever_has_left_his_bank_has_lost_his_boats() {
    let mut table = table();
    let guns = place(&mut table, "F32", 1617, Heading::East);
    table.ops.boats[0] = Boats { units: UnitSet::of(guns), to: hex(1718) };
    march::put(&mut table, guns, hex(1616), &mut Unheard);
    assert!(table.ops.boats[0].units.is_empty(), "they got out of the way of a charge");
    // Nobody lands who is no longer there.
    let gone = place(&mut table, "P01", 1718, Heading::East);
    table.ops.boats[1] = Boats { units: UnitSet::of(gone), to: hex(1617) };
    table.unit_mut(gone).place = Place::Eliminated;
    let (landed, cited) = with_dice(&[], |clerk| begin_half(&mut table, Side::Prussian, clerk));
    assert!(!landed && cited.is_empty(), "{cited:?}");
}

#[test]
fn boats_leave_a_shaded_bank_under_fire() {
    let mut table = table();
    let id = unit("F10");
    let (from, across) = Hex::all()
        .flat_map(|hex| hex.around().map(move |(_, across)| (hex, across)))
        .find(|&(from, across)| {
            table.unit_mut(id).place = Place::Hex(from);
            Field::of(&table).fortress_exposure(from) == Exposure::Shaded
                && map().terrain(from) == Terrain::Clear
                && check_boats(&table, Side::French, UnitSet::of(id), across).is_ok()
        })
        .unwrap();
    place(&mut table, "F10", from.column() * 100 + from.row(), Heading::East);
    start_crossing(&mut table, UnitSet::of(id), across, &mut Unheard);
    let shot_at = |dice: &[u8]| {
        let mut table = table.clone();
        let (landed, cited) = with_dice(dice, |clerk| begin_half(&mut table, Side::French, clerk));
        assert!(cited.contains(&"DZ-3.1.1-01".to_owned()), "{cited:?}");
        (landed, *table.unit(id))
    };
    // A shot of 7 without effect, then one that costs the battalion both its steps.
    let (landed, state) = shot_at(&[1]);
    assert!(landed && state.place == Place::Hex(across));
    let (landed, state) = shot_at(&[5]);
    assert!(!landed && state.place == Place::Eliminated);
}

#[test]
fn only_infantry_lands_over_a_rampart() {
    let mut table = table();
    let horse = place(&mut table, "P31", 423, Heading::West);
    assert_eq!(refused(check_boats(&table, Side::Prussian, UnitSet::of(horse), hex(422))), "DZ-TET-10");
    let foot = place(&mut table, "P01", 423, Heading::West);
    check_boats(&table, Side::Prussian, UnitSet::of(foot), hex(422)).unwrap();
}

#[test]
fn in_a_redoubt_everybody_has_a_front() {
    let mut table = table();
    let light = place(&mut table, "F10", 1709, Heading::East);
    form(&mut table, light, Formation::Skirmish);
    assert_eq!(Field::of(&table).facing(light), None);
    table.ops.redoubts = 1 << map().cell(hex(1709)).redoubt.unwrap();
    let field = Field::of(&table);
    assert_eq!(field.facing(light), Some(Heading::East));
    assert!(field.in_front(light, Heading::East) && !field.in_front(light, Heading::West));
    // Any facing will do, and it costs nothing.
    let mut mover = Mover::fresh(UnitSet::of(light));
    let turn = Stride::Turn(Heading::West);
    let (_, cited) = with_dice(&[], |clerk| stride(&mut table, &mut mover, turn, clerk));
    assert!(cited.contains(&"DZ-3.8.3-04".to_owned()) && mover.spent == 0, "{cited:?}");
    assert_eq!(Field::of(&table).facing(light), Some(Heading::West));
}

#[test]
fn guns_that_evade_stay_on_the_edge_only_where_there_is_room() {
    let evades = |crowd: &[&str]| {
        let table = &mut table();
        let guns = place(table, "F32", 1002, Heading::West);
        for code in crowd {
            place(table, code, 1001, Heading::East);
        }
        let ((), cited) = with_dice(&[], |clerk| fall_back_to(table, guns, Cause::Evades, None, clerk));
        (at(table, guns), table.marked(guns, Marks::POSTPONED), cited.contains(&"DZ-3.9-05".to_owned()))
    };
    assert_eq!(evades(&[]), ("1001".to_owned(), false, false));
    assert_eq!(evades(&["F01", "F02", "F03"]), ("Waiting".to_owned(), true, true));
}
