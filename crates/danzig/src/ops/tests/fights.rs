//! Melee, charges, disorder, retreat, elimination and rally.

use kernel::Odds;
use proptest::prelude::*;
use series::MeleeOdds;

use super::*;
use crate::{Arm, Side};

fn man(arm: Arm, formation: Formation, steps: u8) -> Fighter {
    Fighter { arm, formation, disordered: false, steps, charging: false }
}

fn attack(who: Fighter, from: Terrain, into: Terrain) -> u32 {
    attack_strength(
        &who,
        &AttackGround { from, into, ..AttackGround::default() },
        Against::default(),
        &mut Unheard,
    )
}

#[test]
fn strengths_are_those_of_the_value_table() {
    use Formation as F;
    let foot = |formation| man(Arm::Infantry, formation, 2);
    let clear = Terrain::Clear;
    // In halves: two steps of value 3, 2, 1.
    assert_eq!(attack(foot(F::Column), clear, clear), 12);
    assert_eq!(attack(foot(F::Line), clear, clear), 8);
    assert_eq!(attack(foot(F::Skirmish), clear, clear), 4);
    assert_eq!(attack(foot(F::Column), clear, Terrain::Forest), 8);
    assert_eq!(attack(foot(F::Column), clear, Terrain::Marsh), 8);
    assert_eq!(attack(foot(F::Column), clear, Terrain::Difficult), 8);
    assert_eq!(attack(foot(F::Column), clear, Terrain::Village), 4);
    assert_eq!(attack(foot(F::Adapted), Terrain::Village, Terrain::Village), 4);
    assert_eq!(attack(foot(F::Skirmish), clear, Terrain::Village), 2, "never below one half a step");
    let redoubt =
        AttackGround { from: clear, into: Terrain::Forest, redoubt: true, ..AttackGround::default() };
    assert_eq!(attack_strength(&foot(F::Column), &redoubt, Against::default(), &mut Unheard), 4);
    let horse = |arm, charging| Fighter { charging, ..man(arm, F::Formed, 2) };
    assert_eq!(attack(horse(Arm::LightCavalry, false), clear, clear), 8);
    assert_eq!(attack(horse(Arm::HeavyCavalry, false), clear, clear), 12);
    assert_eq!(attack(horse(Arm::LightCavalry, true), clear, clear), 12);
    assert_eq!(attack(horse(Arm::HeavyCavalry, true), clear, clear), 16);
    assert_eq!(attack(horse(Arm::HeavyCavalry, true), clear, Terrain::Marsh), 4);
    assert_eq!(attack(horse(Arm::HeavyCavalry, false), Terrain::Village, clear), 4);
    let square = Against { square: true };
    let open = AttackGround { from: clear, into: clear, ..AttackGround::default() };
    assert_eq!(attack_strength(&horse(Arm::HeavyCavalry, true), &open, square, &mut Unheard), 4);
    let defend = |who, ground, charged| defence_strength(&who, ground, charged, &mut Unheard);
    assert_eq!(defend(foot(F::Line), clear, false), 8);
    assert_eq!(defend(foot(F::Line), clear, true), 4);
    assert_eq!(defend(foot(F::Column), clear, true), 8);
    assert_eq!(defend(foot(F::Square), clear, true), 16);
    assert_eq!(defend(foot(F::Line), Terrain::Marsh, false), 12, "the column's value in marsh");
    assert_eq!(defend(foot(F::Adapted), Terrain::Forest, false), 12);
    assert_eq!(defend(foot(F::Adapted), Terrain::Village, false), 8);
    assert_eq!(defend(horse(Arm::HeavyCavalry, false), Terrain::Marsh, false), 4);
    assert_eq!(defend(Fighter { disordered: true, ..foot(F::Column) }, clear, false), 4);
    assert_eq!(defend(man(Arm::FieldArtillery, F::Unlimbered, 5), clear, false), 10);
    assert_eq!(defend(man(Arm::FieldArtillery, F::Limbered, 5), clear, false), 0);
    assert_eq!(defend(man(Arm::Siege24, F::Limbered, 1), clear, false), 0);
}

#[test]
fn uphill_streams_and_bridges_weaken_an_attack() {
    let edge = |a: u16, b: u16| map().edge(hex(a), hex(a).towards(hex(b)).unwrap());
    let up = AttackGround {
        edge: edge(1001, 1101),
        from: Terrain::Clear,
        into: Terrain::Clear,
        ..AttackGround::default()
    };
    let column = man(Arm::Infantry, Formation::Column, 2);
    let (strength, cited) = with_dice(&[], |clerk| attack_strength(&column, &up, Against::default(), clerk));
    assert_eq!(strength, 8);
    assert!(cited.contains(&"DZ-TET-06".to_owned()));
    let bridge = AttackGround {
        edge: Edge::default(),
        bridge: true,
        from: Terrain::Clear,
        into: Terrain::Clear,
        ..up
    };
    assert_eq!(attack_strength(&column, &bridge, Against::default(), &mut Unheard), 8);
    let horse = man(Arm::LightCavalry, Formation::Formed, 2);
    let (strength, cited) =
        with_dice(&[], |clerk| attack_strength(&horse, &bridge, Against::default(), clerk));
    assert_eq!(strength, 4);
    assert_eq!(cited, ["DZ-TET-07"]);
}

#[test]
fn the_exact_odds_of_a_melee_are_those_of_the_companion() {
    // Against a 2-step battalion of morale 4 the attacker wins: 1:3 6 %, 1:2 14 %, 1:1 31 %, 3:2 47 %, 2:1 64 %, 3:1 81 %, 4:1 92 %.
    let expected = ["1/18", "5/36", "11/36", "17/36", "23/36", "29/36", "11/12"];
    for (odds, expected) in MeleeOdds::ALL.into_iter().zip(expected) {
        let wins = Odds::of(|dice| {
            let mut desk = Desk::new(dice, Silent);
            let result = series::melee_result(odds, Clerk::d6(&mut desk));
            let beaten = result.defender.disordered
                || (result.defender.test
                    && !series::morale_test(4, result.defender.steps > 0, false, &mut desk));
            beaten && !result.attacker.disordered
        })
        .unwrap();
        assert_eq!(wins.chance(&true).to_string(), expected, "{}", odds.name());
    }
}

fn facing_off() -> (Table, UnitId, UnitId) {
    let mut table = table();
    let attacker = place(&mut table, "F01", 605, Heading::East);
    let defender = place(&mut table, "P01", 606, Heading::West);
    (table, attacker, defender)
}

#[test]
fn a_won_melee_drives_out_and_moves_in() {
    // Four steps of column against two: 2:1. A 5 costs a step and disorders.
    let (mut table, attacker, defender) = facing_off();
    let order = Melee { target: hex(606), attackers: UnitSet::of(attacker) };
    check_melee(&table, Side::French, &order).unwrap();
    let ((), cited) = with_dice(&[5], |clerk| melee(&mut table, &order, clerk));
    assert!(cited.contains(&"DZ-TET-02".to_owned()));
    assert_eq!(at(&table, attacker), "0606");
    assert_eq!(table.unit(defender).steps, 1);
    assert!(table.unit(defender).is_disordered());
    assert_ne!(at(&table, defender), "0606");
    assert_eq!(refused(check_melee(&table, Side::French, &order)), "DZ-R94");
    // A 1: the attacker loses a step and is thrown back.
    let (mut table, attacker, defender) = facing_off();
    with_dice(&[1], |clerk| melee(&mut table, &order, clerk));
    assert_eq!((table.unit(attacker).steps, table.unit(attacker).is_disordered()), (3, true));
    assert_eq!(at(&table, defender), "0606");
}

#[test]
fn flanks_surrounding_and_disorder_shift_two_columns_at_most() {
    let facts = FightFacts { attack: 8, defence: 8, flank: true, surrounded: true, disordered: true };
    let (fought, cited) = with_dice(&[3], |clerk| fight(&facts, clerk));
    assert_eq!(fought.odds, MeleeOdds::TwoToOne);
    assert_eq!(cited.len(), 3);
    let mut table = table();
    let back = place(&mut table, "F01", 607, Heading::West);
    let front = place(&mut table, "F02", 605, Heading::East);
    place(&mut table, "P01", 606, Heading::West);
    let order = Melee { target: hex(606), attackers: [back, front].into_iter().collect() };
    let mut listed = Vec::new();
    list_melees(&table, Side::French, |melee| listed.push(melee));
    assert!(listed.contains(&order), "{listed:?}");
    let notes = kernel::scripted(&[6], |clerk| melee(&mut table, &order, clerk)).unwrap().1;
    let text: Vec<String> = notes.lines().iter().map(ToString::to_string).collect();
    assert!(text.contains(&"* danzig-ops-melee hex=0606 odds=4:1 roll=6".to_owned()), "{text:?}");
}

#[test]
fn refusals_of_melee() {
    let (mut table, attacker, _) = facing_off();
    let order = |units: UnitId, target| Melee { target: hex(target), attackers: UnitSet::of(units) };
    let check =
        |table: &Table, units, target| refused(check_melee(table, Side::French, &order(units, target)));
    assert_eq!(check(&table, attacker, 604), "DZ-R94", "nobody there");
    table.unit_mut(attacker).facing = Heading::West as u16;
    assert_eq!(check(&table, attacker, 606), "DZ-R94", "behind it");
    table.unit_mut(attacker).facing = Heading::East as u16;
    form(&mut table, attacker, Formation::Square);
    assert_eq!(check(&table, attacker, 606), "DZ-R94");
    form(&mut table, attacker, Formation::Column);
    table.unit_mut(attacker).marks.set(Marks::DISORDERED);
    assert_eq!(check(&table, attacker, 606), "DZ-R30");
    let guns = place(&mut table, "F32", 605, Heading::East);
    assert_eq!(check(&table, guns, 606), "DZ-R106");
    let far = place(&mut table, "F03", 603, Heading::East);
    assert_eq!(check(&table, far, 606), "DZ-R94");
    // Walls, ramparts, the river, a redoubt.
    place(&mut table, "K01", 825, Heading::East);
    let foot = place(&mut table, "F04", 926, Heading::West);
    assert_eq!(check(&table, foot, 825), "DZ-3.8.1-01");
    place(&mut table, "P18", 320, Heading::West);
    let horse = place(&mut table, "F20", 220, Heading::SouthEast);
    let side = hex(220).towards(hex(320)).unwrap();
    table.unit_mut(horse).facing = side as u16;
    assert_eq!(check(&table, horse, 320), "DZ-R106");
    place(&mut table, "P19", 2627, Heading::East);
    let bank = place(&mut table, "F05", 2727, Heading::NorthEast);
    table.unit_mut(bank).facing = hex(2727).towards(hex(2627)).unwrap() as u16;
    assert_eq!(check(&table, bank, 2627), "DZ-TET-06");
    table.ops.bridge = Some((hex(2727), hex(2627)));
    assert!(check_melee(&table, Side::French, &order(bank, 2627)).is_ok());
    form(&mut table, bank, Formation::Line);
    assert_eq!(check(&table, bank, 2627), "DZ-R40");
    let none = Melee { target: hex(606), attackers: UnitSet::EMPTY };
    assert_eq!(refused(check_melee(&table, Side::French, &none)), "DZ-R94");
}

#[test]
fn a_village_neither_tests_nor_breaks() {
    let mut table = table();
    let defender = place(&mut table, "P01", 1507, Heading::West);
    let attackers: UnitSet =
        ["F01", "F02"].map(|code| place(&mut table, code, 1508, Heading::West)).into_iter().collect();
    // 8 steps x (3 - 2) = 8 against 4: 2:1; a 4 would disorder: here it costs a step.
    let order = Melee { target: hex(1507), attackers };
    check_melee(&table, Side::French, &order).unwrap();
    let ((), cited) = with_dice(&[4], |clerk| melee(&mut table, &order, clerk));
    assert!(cited.contains(&"DZ-TET-08".to_owned()));
    assert_eq!((table.unit(defender).steps, table.unit(defender).is_disordered()), (1, false));
    assert_eq!(at(&table, defender), "1507");
}

#[test]
fn the_siege_train_is_swept_aside() {
    let mut table = table();
    let gun = place(&mut table, "F41", 606, Heading::West);
    let mortar = place(&mut table, "F51", 606, Heading::West);
    let foe = place(&mut table, "P01", 607, Heading::West);
    let order = Melee { target: hex(606), attackers: UnitSet::of(foe) };
    let ((), cited) = with_dice(&[], |clerk| melee(&mut table, &order, clerk));
    assert!(cited.contains(&"DZ-3.3.2-02".to_owned()) && cited.contains(&"DZ-3.3.3-02".to_owned()));
    assert!(table.unit(gun).is_disordered() && table.unit(mortar).is_disordered());
    assert_eq!(at(&table, foe), "0606");
    // Caught again while disordered they are gone.
    table.unit_mut(gun).place = Place::Hex(hex(605));
    table.unit_mut(foe).facing = Heading::West as u16;
    table.unit_mut(foe).marks.clear(Marks::ASSAULTED);
    let order = Melee { target: hex(605), attackers: UnitSet::of(foe) };
    with_dice(&[], |clerk| melee(&mut table, &order, clerk));
    assert_eq!(table.unit(gun).place, Place::Eliminated);
}

#[test]
fn skirmishers_fall_back_before_infantry() {
    let mut table = table();
    let light = place(&mut table, "P18", 606, Heading::West);
    form(&mut table, light, Formation::Skirmish);
    let foot = place(&mut table, "F01", 605, Heading::East);
    let order = Melee { target: hex(606), attackers: UnitSet::of(foot) };
    with_dice(&[], |clerk| melee(&mut table, &order, clerk));
    assert_eq!(at(&table, foot), "0606");
    assert!(!table.unit(light).is_disordered());
}

#[test]
fn disorder_sends_back_twice_kills_and_rally_ends_it() {
    let mut table = table();
    let id = place(&mut table, "F01", 2410, Heading::East);
    let ((), cited) = with_dice(&[], |clerk| disorder(&mut table, id, clerk));
    assert!(cited.contains(&"DZ-3.6-01".to_owned()));
    assert_eq!(at(&table, id), "2407", "three hexes to the west");
    // Its next movement step: the whole allowance, six hexes, and out by the edge.
    let (_, cited) = with_dice(&[], |clerk| begin_half(&mut table, Side::French, clerk));
    assert!(cited.contains(&"DZ-3.9-02".to_owned()) && cited.contains(&"DZ-3.9-05".to_owned()));
    assert_eq!(table.unit(id).place, Place::Waiting);
    let ((), cited) = with_dice(&[], |clerk| rally(&mut table, clerk));
    assert_eq!(cited, ["DZ-3.9-01"]);
    assert!(!table.unit(id).is_disordered());
    let id = place(&mut table, "F02", 2410, Heading::East);
    table.unit_mut(id).marks.set(Marks::DISORDERED);
    let ((), cited) = with_dice(&[], |clerk| disorder(&mut table, id, clerk));
    assert_eq!((cited, table.unit(id).place), (vec!["DZ-3.9-03".to_owned()], Place::Eliminated));
}

#[test]
fn prussians_retreat_to_the_nearer_of_city_and_fort() {
    let mut table = table();
    let city = place(&mut table, "P01", 2414, Heading::West);
    let ((), cited) = with_dice(&[], |clerk| disorder(&mut table, city, clerk));
    assert!(cited.contains(&"DZ-3.6-02".to_owned()) && cited.contains(&"DZ-3.9-04".to_owned()));
    assert_eq!(table.unit(city).place, Place::Reserve);
    let fort = place(&mut table, "P02", 1125, Heading::West);
    with_dice(&[], |clerk| disorder(&mut table, fort, clerk));
    assert_eq!(at(&table, fort), "0825");
    assert_eq!(retreat_goals(&table, fort), [Goal::Fort]);
}

#[test]
fn the_vistula_without_a_bridge_is_the_end() {
    let mut table = table();
    let lost = place(&mut table, "F01", 1819, Heading::East);
    let ((), cited) = with_dice(&[], |clerk| disorder(&mut table, lost, clerk));
    assert!(cited.contains(&"DZ-3.1.3-09".to_owned()), "{cited:?}");
    assert_eq!(table.unit(lost).place, Place::Eliminated);
    let mut table = super::table();
    table.ops.bridge = Some((hex(1718), hex(1617)));
    let saved = place(&mut table, "F01", 1818, Heading::East);
    let edge = map().edge(hex(1718), hex(1718).towards(hex(1617)).unwrap());
    assert!(edge.vistula(), "the bridge of this test lies over the river");
    with_dice(&[], |clerk| disorder(&mut table, saved, clerk));
    assert!(matches!(table.unit(saved).place, Place::Hex(_)), "{}", at(&table, saved));
    // Surrounded on dry land: eliminated by the general rule.
    let mut table = super::table();
    let ringed = place(&mut table, "F01", 606, Heading::East);
    for (code, (_, around)) in ["P01", "P02", "P04", "P05", "P13", "P14"].into_iter().zip(hex(606).around()) {
        let number = around.column() * 100 + around.row();
        place(&mut table, code, number, Heading::East);
    }
    let ((), cited) = with_dice(&[], |clerk| disorder(&mut table, ringed, clerk));
    assert!(cited.contains(&"DZ-R98".to_owned()), "{cited:?}");
}

#[test]
fn lannes_goes_back_to_his_entry() {
    let mut table = table();
    let id = place(&mut table, "L01", 2132, Heading::West);
    let ((), cited) = with_dice(&[], |clerk| disorder(&mut table, id, clerk));
    assert!(cited.contains(&"DZ-3.6-01".to_owned()));
    with_dice(&[], |clerk| begin_half(&mut table, Side::French, clerk));
    assert_eq!(table.unit(id).place, Place::Waiting);
}

fn charge_at(reaction: Reaction, dice: &[u8]) -> (Table, UnitId, UnitId, Vec<String>) {
    let mut table = table();
    let horse = place(&mut table, "F23", 603, Heading::East);
    let foot = place(&mut table, "P01", 608, Heading::West);
    form(&mut table, foot, Formation::Line);
    let charge = Charge { units: UnitSet::of(horse), target: hex(608), heading: Heading::East };
    check_charge(&table, Side::French, &charge).unwrap();
    let mut listed = Vec::new();
    list_charges(&table, Side::French, |charge| listed.push(charge));
    assert!(listed.contains(&charge), "{listed:?}");
    let ((), cited) = with_dice(dice, |clerk| {
        let arrived = run(&mut table, &charge, clerk).unwrap();
        check_reaction(&table, &arrived, foot, reaction).unwrap();
        react_and_charge(&mut table, arrived, reaction, clerk);
    });
    (table, horse, foot, cited)
}

#[test]
fn a_charge_rides_down_a_line_and_breaks_on_a_square() {
    // Heavy cavalry, 3 x 4 = 12 against 2 x 1 = 2: 4:1. A 2 disorders the line.
    let (table, horse, foot, cited) = charge_at(Reaction::Stand, &[2]);
    assert!(cited.contains(&"DZ-TET-11".to_owned()) && cited.contains(&"DZ-R94".to_owned()));
    assert_eq!(at(&table, horse), "0608");
    assert_eq!(table.unit(horse).formation, Formation::Blown);
    assert!(table.unit(foot).is_disordered());
    // The line passes its test and forms square: 3 x 1 = 3 against 2 x 4 = 8: 1:3; a 5 throws them back.
    let (table, horse, foot, _) = charge_at(Reaction::Square, &[1, 5]);
    assert_eq!(table.unit(foot).formation, Formation::Square);
    assert!(table.unit(horse).is_disordered());
    // It fails: the charge goes home as before.
    let (table, _, foot, _) = charge_at(Reaction::Square, &[6, 2]);
    assert!(table.unit(foot).is_disordered());
}

#[test]
fn victors_may_charge_once_more_with_what_is_left() {
    let mut table = table();
    let horse = place(&mut table, "F23", 603, Heading::East);
    let first = place(&mut table, "P01", 606, Heading::West);
    place(&mut table, "P02", 609, Heading::West);
    form(&mut table, first, Formation::Line);
    let charge = |target| Charge { units: UnitSet::of(horse), target: hex(target), heading: Heading::East };
    let strike = |table: &mut Table, target, dice: &[u8]| {
        with_dice(dice, |clerk| {
            let arrived = run(table, &charge(target), clerk).unwrap();
            react_and_charge(table, arrived, Reaction::Stand, clerk);
        });
    };
    // Two hexes of run, eight points left; the line breaks and P01 flees past its friends.
    strike(&mut table, 606, &[2]);
    assert_eq!(at(&table, horse), "0606");
    assert!(check_charge(&table, Side::French, &charge(609)).is_ok());
    strike(&mut table, 609, &[6]);
    assert_eq!(table.unit(horse).formation, Formation::Blown);
    let mut listed = Vec::new();
    list_charges(&table, Side::French, |charge| listed.push(charge));
    assert!(listed.is_empty(), "no third charge: {listed:?}");
}

#[test]
fn refusals_of_a_charge() {
    let mut table = table();
    let horse = place(&mut table, "F23", 603, Heading::East);
    let foot = place(&mut table, "F01", 503, Heading::East);
    place(&mut table, "P01", 604, Heading::West);
    let charge = |units, target, heading| Charge { units: UnitSet::of(units), target: hex(target), heading };
    let check = |table: &Table, charge| refused(check_charge(table, Side::French, &charge));
    assert_eq!(check(&table, charge(foot, 604, Heading::East)), "DZ-R94");
    assert_eq!(check(&table, charge(horse, 609, Heading::East)), "DZ-R94", "nobody there");
    form(&mut table, horse, Formation::Blown);
    assert_eq!(check(&table, charge(horse, 604, Heading::East)), "DZ-R94");
    form(&mut table, horse, Formation::Formed);
    // A built redoubt is not charged.
    place(&mut table, "P02", 1709, Heading::West);
    table.ops.redoubts = 1 << map().cell(hex(1709)).redoubt.unwrap();
    table.unit_mut(horse).place = Place::Hex(hex(1706));
    assert_eq!(check(&table, charge(horse, 1709, Heading::East)), "DZ-R106");
    let foe = unit("P02");
    let react = |reaction| check_reaction(&table, &charge(horse, 1709, Heading::East), foe, reaction);
    assert!(react(Reaction::Stand).is_ok());
    assert_eq!(refused(react(Reaction::Evade)), "DZ-R94");
}

#[test]
fn countercharging_cavalry_fights_at_its_charging_value() {
    let mut table = table();
    let heavy = place(&mut table, "F23", 603, Heading::East);
    let dragoons = place(&mut table, "P31", 608, Heading::West);
    let charge = Charge { units: UnitSet::of(heavy), target: hex(608), heading: Heading::East };
    let mut reactions = Vec::new();
    list_reactions(&table, &charge, dragoons, |reaction| reactions.push(reaction));
    assert_eq!(reactions, [Reaction::Stand, Reaction::Countercharge]);
    // 3 x 4 = 12 against 2 x 4 = 8: 3:2.
    let text = countercharged(&mut table, &charge, 5);
    assert!(text.contains(&"* danzig-ops-melee hex=0608 odds=3:2 roll=5".to_owned()), "{text:?}");
    assert!(table.unit(dragoons).is_disordered());
}

/// What is said when a charge is met by a countercharge and the die falls so.
fn countercharged(table: &mut Table, charge: &Charge, die: u8) -> Vec<String> {
    let ((), notes) = kernel::scripted(&[die], |clerk| {
        let arrived = run(table, charge, clerk).unwrap();
        react_and_charge(table, arrived, Reaction::Countercharge, clerk);
    })
    .unwrap();
    notes.lines().iter().map(ToString::to_string).collect()
}

#[test]
fn a_retreat_pays_for_the_ground_like_any_move() {
    let mut table = table();
    let foot = place(&mut table, "F01", 4522, Heading::East);
    assert_eq!(map().terrain(hex(4522)), Terrain::Marsh);
    table.unit_mut(foot).marks.set(Marks::DISORDERED);
    with_dice(&[], |clerk| begin_half(&mut table, Side::French, clerk));
    let Place::Hex(there) = table.unit(foot).place else { panic!("still on the map") };
    let far = there.distance(hex(4522));
    assert!((1..=3).contains(&far), "six points are three hexes of marsh at most, not {far}");
}

#[test]
fn only_cavalry_that_faces_the_charge_countercharges() {
    let mut table = table();
    let heavy = place(&mut table, "F23", 603, Heading::East);
    place(&mut table, "P31", 608, Heading::West);
    place(&mut table, "P32", 608, Heading::East);
    let charge = Charge { units: UnitSet::of(heavy), target: hex(608), heading: Heading::East };
    // 3 x 4 = 12 against 2 x 4 and 2 x 2 = 12, and through the rear of the second: 3:2.
    let text = countercharged(&mut table, &charge, 5);
    assert!(text.contains(&"* danzig-ops-melee hex=0608 odds=3:2 roll=5".to_owned()), "{text:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever the dice, a melee neither makes nor forgets men, and enemies never share a hex.
    #[test]
    fn a_melee_keeps_the_table_sound(dice in prop::collection::vec(1_u8..=6, 60), a in 1_u8..=4, d in 1_u8..=2) {
        struct Fixed(std::vec::IntoIter<u8>);
        impl kernel::Dice for Fixed {
            fn die(&mut self, _: u8) -> u8 { self.0.next().unwrap_or(1) }
        }
        let (mut table, attacker, defender) = facing_off();
        table.unit_mut(attacker).steps = a;
        table.unit_mut(defender).steps = d;
        let order = Melee { target: hex(606), attackers: UnitSet::of(attacker) };
        let mut desk = Desk::new(Fixed(dice.into_iter()), Silent);
        melee(&mut table, &order, &mut desk);
        prop_assert!(table.unit(attacker).steps <= a && table.unit(defender).steps <= d);
        for id in [attacker, defender] {
            let state = table.unit(id);
            prop_assert_eq!(state.steps == 0, state.place == Place::Eliminated);
        }
        prop_assert!(table.unit(attacker).place != table.unit(defender).place || table.unit(attacker).steps == 0);
    }
}
