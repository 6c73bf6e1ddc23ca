//! What the garrison may choose (chapters 4.3.2 and 4.9): where its batteries look, who goes out; and that
//! whatever a shot or a fight does is told.

use danzig::siege::{
    self, BatteryTarget, CounterAttack, GarrisonMove, Group, Muster, Sortie, SortieTarget, WorkKind,
};
use danzig::siege::{GunTarget, KalkeSide};
use danzig::{Action, Arm, Place, Side, State, Table, UnitId};
use kernel::board::Board as _;
use kernel::{Game as _, Line, Setup, Spoken, Told as _};
use rulebook::Lang;

use crate::common::{approach, foot, lay, network, point, post, refused, storm, table, with_dice};

/// The facings that a battery is offered.
fn pivots(table: &Table, gun: UnitId) -> Vec<u16> {
    let mut facings = Vec::new();
    siege::list_garrison(table, false, |garrison| {
        if let GarrisonMove::Pivot { battery, facing } = garrison
            && battery == gun
        {
            facings.push(facing);
        }
    });
    facings
}

#[test]
fn kalke_turns_to_the_third_parallel_and_fires_at_it() {
    let table = &mut table();
    approach(table);
    let third = lay(table, WorkKind::Parallel, 750, 1125);
    let gun = post(table, Side::Prussian, Arm::Fortress, Place::Kalke, 1);
    let target = BatteryTarget::Work(third);
    assert_eq!(refused(siege::check_battery_shot(table, gun, target)), "DZ-4.5.1-02");
    let offered = pivots(table, gun);
    assert!(offered.len() <= 4, "{offered:?}");
    let turned = |facing: u16| {
        let mut turned = table.clone();
        let pivot = GarrisonMove::Pivot { battery: gun, facing };
        siege::check_garrison(&turned, false, &pivot).unwrap();
        with_dice(&[], |clerk| siege::garrison_move(&mut turned, &pivot, clerk));
        turned
    };
    let facing = offered.into_iter().find(|facing| {
        let turned = turned(*facing);
        siege::check_battery_shot(&turned, gun, target).is_ok()
    });
    let mut turned = turned(facing.expect("a facing that sees it"));
    with_dice(&[6], |clerk| siege::fire_battery(&mut turned, gun, target, clerk));
    assert!(turned.siege.work(third).unwrap().damaged);
}

#[test]
fn a_battery_pivots_to_any_degree_and_no_other() {
    let table = &mut table();
    let gun = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
    let pivot = |facing| siege::check_garrison(table, false, &GarrisonMove::Pivot { battery: gun, facing });
    for facing in [0, 17, 123, 359] {
        pivot(facing).unwrap();
    }
    assert_eq!(pivot(360).unwrap_err().field.as_deref(), Some("facing"));
    // With nothing to look at, the usual facings but its own.
    assert_eq!(pivots(table, gun), [225, 315]);
    // The one battery of the turn that changes its point may be turned there.
    let moved = GarrisonMove::Battery { battery: gun, to: point("H7"), facing: 270 };
    with_dice(&[], |clerk| siege::garrison_move(table, &moved, clerk));
    let turned = GarrisonMove::Pivot { battery: gun, facing: 200 };
    siege::check_garrison(table, false, &turned).unwrap();
    with_dice(&[], |clerk| siege::garrison_move(table, &turned, clerk));
    let again = GarrisonMove::Pivot { battery: gun, facing: 201 };
    assert_eq!(refused(siege::check_garrison(table, false, &again)), "DZ-5.1-07");
}

#[test]
fn a_sortie_of_the_battalions_that_were_named() {
    let table = &mut table();
    let ids = network(table);
    let doubles: Vec<UnitId> = (0..4).map(|_| foot(table, Side::Prussian, Place::Reserve, 2)).collect();
    let singles: Vec<UnitId> =
        (0..3).map(|_| foot(table, Side::Prussian, Place::Wall(point("H1")), 1)).collect();
    // Two one-step battalions, then the last of the two-step ones: nobody would have thought of it.
    let mut muster = Muster::default();
    for unit in [singles[2], singles[0], doubles[3]] {
        siege::check_sortie_muster(table, &muster, unit).unwrap();
        muster = muster.with(unit).unwrap();
    }
    let mut ready = Vec::new();
    siege::list_sorties(table, &Muster::default(), |sortie| ready.push(sortie));
    let mut named = Vec::new();
    siege::list_sorties(table, &muster, |sortie| named.push(sortie));
    let [sortie]: [Sortie; 1] = named.try_into().unwrap();
    assert!(!ready.contains(&sortie));
    let groups: Vec<_> = sortie.groups.iter().flatten().map(|g| (g.unit, g.with, g.target)).collect();
    let target = SortieTarget::Work;
    assert_eq!(groups, [(singles[2], Some(singles[0]), target(ids[2])), (doubles[3], None, target(ids[1]))]);
    siege::check_sortie(table, &sortie).unwrap();
    with_dice(&[], |clerk| siege::begin_sortie(table, &sortie, clerk));
    for unit in [singles[2], singles[0], doubles[3]] {
        assert!(matches!(table.unit(unit).place, Place::Open(_)));
    }
    assert_eq!(table.unit(doubles[0]).place, Place::Reserve);
}

/// Works are counted from 1 in every order that names one, in the terminal, in a replay and on the page.
#[test]
fn a_sortie_names_a_work_by_the_number_that_a_shot_at_it_names() {
    let mut state = State::start(&Setup::default()).unwrap();
    state.table = table();
    let ids = network(&mut state.table);
    let battalion = foot(&mut state.table, Side::Prussian, Place::Reserve, 2);
    let battery = post(&mut state.table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
    for (at, id) in ids.into_iter().enumerate() {
        let number = at + 1;
        let mut sortie = Sortie { groups: Default::default() };
        sortie.groups[0] = Some(Group { unit: battalion, with: None, target: SortieTarget::Work(id) });
        let orders = [
            Action::DeclareSortie(sortie),
            Action::FireBattery { battery, target: BatteryTarget::Work(id) },
            Action::EnfiladeFire { work: id },
        ];
        for (order, lang) in orders.iter().flat_map(|order| Lang::ALL.map(|lang| (order, lang))) {
            let speak = |saying: kernel::Saying| rulebook::speak(saying.phrase, &saying.facts, lang);
            let told = speak(state.tell(order));
            assert!(told.contains(&format!("#{number}")), "{told}");
            let label = speak(state.choice(Side::Prussian, order).label);
            let mut words = label.split(|letter: char| !letter.is_alphanumeric());
            assert!(words.any(|word| word == number.to_string()), "{number} in {label}");
        }
    }
}

#[test]
fn who_may_not_go_is_not_named() {
    let table = &mut table();
    network(table);
    let gun = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
    let french = foot(table, Side::French, Place::Concentration, 2);
    let outside = foot(table, Side::Prussian, Place::Kalke, 2);
    let named = |table: &Table, muster: &Muster, unit| siege::check_sortie_muster(table, muster, unit);
    assert_eq!(refused(named(table, &Muster::default(), gun)), "DZ-4.3.2-06");
    assert_eq!(refused(named(table, &Muster::default(), french)), "DZ-4.9-11");
    assert_eq!(refused(named(table, &Muster::default(), outside)), "DZ-4.9-11");
    let mut muster = Muster::default();
    for _ in 0..3 {
        let unit = foot(table, Side::Prussian, Place::Reserve, 2);
        assert_eq!(muster.with(unit).and_then(|muster| muster.with(unit)), None);
        muster = muster.with(unit).unwrap();
    }
    // Three groups of two steps are out: there is no place for a fourth.
    let fourth = foot(table, Side::Prussian, Place::Reserve, 1);
    assert_eq!(refused(named(table, &muster, fourth)), "DZ-4.9-12");
    let first = muster.iter().next().unwrap();
    named(table, &muster.without(first), fourth).unwrap();
    table.danzig.sorties_over = true;
    assert_eq!(refused(named(table, &Muster::default(), fourth)), "DZ-4.9-10");
}

#[test]
fn a_counter_attack_of_the_battalions_that_were_named() {
    let table = &mut table();
    let h5 = point("H5");
    foot(table, Side::French, Place::Wall(h5), 2);
    (table.siege.wall_mut(h5).level, table.siege.wall_mut(h5).holder) = (0, Side::French);
    let units: Vec<UnitId> = (0..6).map(|_| foot(table, Side::Prussian, Place::Reserve, 2)).collect();
    let check = |table: &Table, muster: &Muster, unit| {
        siege::check_counter_muster(table, muster, unit, |attack| siege::check_counterattack(table, attack))
    };
    let mut muster = Muster::default();
    for unit in [units[5], units[4]] {
        check(table, &muster, unit).unwrap();
        muster = muster.with(unit).unwrap();
    }
    assert_eq!(refused(check(table, &muster, units[0])), "DZ-4.9-21");
    let on_a_wall = foot(table, Side::Prussian, Place::Wall(point("B1")), 2);
    assert_eq!(refused(check(table, &Muster::default(), on_a_wall)), "DZ-R51");
    let mut ready = Vec::new();
    siege::list_counterattacks(table, &Muster::default(), |attack| ready.push(attack));
    let mut named = Vec::new();
    siege::list_counterattacks(table, &muster, |attack| named.push(attack));
    let attack = CounterAttack { units: muster.units(), target: h5 };
    assert_eq!(named, [attack]);
    assert!(!ready.contains(&attack));
}

/// The phrases of what happened.
fn told(notes: &Spoken) -> Vec<&'static str> {
    notes
        .lines()
        .iter()
        .filter_map(|line| match line {
            Line::Happened(event) => Some(event.phrase.key()),
            Line::Because(_) => None,
        })
        .collect()
}

/// Each kind of thing that a shot or a fight of the siege map can do is told.
#[test]
fn every_effect_is_told() {
    let table = &mut table();
    let ids = network(table);
    table.siege.work_mut(ids[2]).unwrap().kind = WorkKind::Battery;
    let gun = post(table, Side::French, Arm::Siege24, Place::Work(ids[2]), 1);
    let battery = post(table, Side::Prussian, Arm::Fortress, Place::Wall(point("H5")), 1);
    let shot = |table: &mut Table, dice: &[u8]| {
        table.unit_mut(battery).marks.clear(danzig::Marks::FIRED);
        told(
            &with_dice(dice, |clerk| siege::fire_battery(table, battery, BatteryTarget::Work(ids[2]), clerk))
                .1,
        )
    };
    // Factor 4 at 540 m: a 6 less 2 is a test, failed by a 6: the gun is thrown back and nothing else.
    assert_eq!(shot(table, &[6, 6]), ["danzig-siege-thrown-back"]);
    // A battery on a wall: damaged by a failed test.
    table.unit_mut(gun).place = Place::Work(ids[2]);
    table.unit_mut(gun).marks.clear(danzig::Marks::DISORDERED);
    let at = GunTarget::Wall(point("H5"));
    let mut effects = std::collections::BTreeSet::new();
    for die in 1..=6 {
        for test in 1..=6 {
            let mut again = table.clone();
            let Ok((_, notes)) =
                kernel::scripted(&[die, test], |clerk| siege::fire_gun(&mut again, gun, at, clerk))
            else {
                continue;
            };
            effects.extend(told(&notes));
        }
    }
    assert!(effects.contains("danzig-siege-gun-damaged"), "{effects:?}");
    // Infantry tests and is thrown back into the city.
    let foot_on_wall = foot(table, Side::Prussian, Place::Wall(point("H5")), 2);
    table.unit_mut(battery).place = Place::Away;
    let notes = with_dice(&[5, 6], |clerk| siege::fire_gun(table, gun, at, clerk)).1;
    assert_eq!(told(&notes), ["danzig-siege-thrown-into-the-city"]);
    assert_eq!(table.unit(foot_on_wall).place, Place::Reserve);
    // The Kalke-Schanze: a side is damaged, then the place taken.
    let table = &mut self::table();
    let side = KalkeSide::K3;
    let damaged = siege::Kalke { damage: [0, 0, 3], ..siege::Kalke::default() };
    table.siege.kalke = damaged;
    let stormer = foot(table, Side::French, Place::KalkeBox, 2);
    let notes = storm(table, &[stormer], GunTarget::Kalke(side), &[]);
    assert_eq!(told(&notes), ["danzig-siege-kalke-taken"]);
}
