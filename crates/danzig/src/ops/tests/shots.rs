//! Fire: factors, cover, arcs, sight, opportunity, the fortress rings, and who may be fired at.

use kernel::{Odds, Silent as Mute};

use super::*;
use crate::{Owed, Side};

fn strike(facts: FireFacts, die: u8) -> (i32, i32, series::FireResult) {
    let (strike, _) = with_dice(&[die], |clerk| shot(&facts, clerk).unwrap());
    (strike.factor, strike.roll, strike.result)
}

#[test]
fn factors_by_firer_and_range() {
    let range = |firer: Firer| (1..=6).map(|far| firer.factor(far)).collect::<Vec<_>>();
    assert_eq!(range(Firer::FrenchGuns(5)), [5, 4, 3, 2, 0, 0]);
    assert_eq!(range(Firer::ReserveGuns(6)), [6, 5, 4, 3, 2, 0]);
    assert_eq!(range(Firer::RussianGuns(6)), [6, 5, 4, 3, 0, 0]);
    assert_eq!(range(Firer::FrenchGuns(3)), [3, 2, 1, 0, 0, 0]);
    assert_eq!(range(Firer::Battalion(Formation::Line)), [2, 0, 0, 0, 0, 0]);
    assert_eq!(Firer::Regiment(Formation::Line, 4).factor(1), 4);
    assert_eq!(Firer::Regiment(Formation::Line, 3).factor(1), 3);
    for formation in [Formation::Column, Formation::Square, Formation::Skirmish, Formation::Adapted] {
        assert_eq!(Firer::Regiment(formation, 4).factor(1), 1);
    }
    assert_eq!(Firer::Silent.factor(1), 0);
}

#[test]
fn cover_lowers_the_factor_and_the_rest_the_die() {
    let facts = |terrain| FireFacts {
        factor: 5,
        cover: Cover { terrain, ..Cover::default() },
        ..FireFacts::default()
    };
    assert_eq!(strike(facts(Terrain::Clear), 4).0, 5);
    assert_eq!(strike(facts(Terrain::Marsh), 4).0, 5);
    assert_eq!(strike(facts(Terrain::Forest), 4).0, 4);
    assert_eq!(strike(facts(Terrain::Difficult), 4).0, 4);
    assert_eq!(strike(facts(Terrain::Village), 4).0, 3);
    let work =
        FireFacts { factor: 5, cover: Cover { redoubt: true, ..Cover::default() }, ..FireFacts::default() };
    assert_eq!(strike(work, 4).0, 3);
    let camp =
        FireFacts { factor: 5, cover: Cover { camp_side: true, ..Cover::default() }, ..FireFacts::default() };
    assert_eq!(strike(camp, 4).0, 3);
    let open = FireFacts { factor: 5, ..FireFacts::default() };
    assert_eq!(strike(FireFacts { skirmish: true, ..open }, 4).1, 3);
    assert_eq!(strike(FireFacts { guns_alone: true, ..open }, 4).1, 3);
    assert_eq!(strike(FireFacts { dense: true, raked: true, helpless: true, ..open }, 4).1, 6);
    let hopeless =
        FireFacts { factor: 2, cover: Cover { redoubt: true, ..Cover::default() }, ..FireFacts::default() };
    assert_eq!(kernel::scripted(&[], |clerk| shot(&hopeless, clerk)).unwrap().0, Err(Bar::CoverTooGood));
}

#[test]
fn the_exact_odds_of_a_fortress_shot_on_a_battalion() {
    // Factor 7 in the open on a 2-step battalion of morale 4: destroyed 1/2, one step 1/6,
    // disordered 1/18, unharmed 5/18.
    let odds = Odds::of(|dice| {
        let mut table = table();
        let id = place(&mut table, "P01", 3917, Heading::East);
        let mut desk = Desk::new(dice, Mute);
        let strike = shot(&FireFacts { factor: 7, ..FireFacts::default() }, &mut desk).unwrap();
        let full = table.unit(id).steps;
        match strike.result {
            series::FireResult::Steps(steps) if steps >= full => "destroyed",
            series::FireResult::Steps(_) => "one step",
            series::FireResult::Test if !series::morale_test(4, false, false, &mut desk) => "disordered",
            _ => "unharmed",
        }
    })
    .unwrap();
    let chances: Vec<String> = odds.iter().map(|(what, chance)| format!("{what} {chance}")).collect();
    assert_eq!(chances, ["destroyed 1/2", "disordered 1/18", "one step 1/6", "unharmed 5/18"]);
}

/// A French battery at 2410 facing down a clear slope of hexes, and a Prussian battalion before it.
fn duel(distance: u16) -> (Table, UnitId, UnitId) {
    let mut table = table();
    let guns = place(&mut table, "F32", 604, Heading::East);
    form(&mut table, guns, Formation::Unlimbered);
    let foe = place(&mut table, "P01", 604 + distance, Heading::West);
    (table, guns, foe)
}

#[test]
fn a_battery_fires_through_its_front_and_once() {
    let (mut table, guns, foe) = duel(2);
    let attack = Attack { target: hex(606), firers: UnitSet::of(guns) };
    let mut listed = Vec::new();
    list_fire(&table, Side::French, false, |attack| listed.push(attack));
    assert_eq!(listed, [attack]);
    assert!(anyone_targeted(&table));
    let ((), cited) = with_dice(&[6], |clerk| fire(&mut table, false, &attack, clerk));
    for rule in ["DZ-3.5-01", "DZ-3.4-01", "DZ-3.3.1-01"] {
        assert!(cited.contains(&rule.to_owned()), "{rule}");
    }
    assert_eq!(table.unit(foe).place, Place::Eliminated, "factor 4, die 6: two steps");
    let (mut table, guns, _) = duel(2);
    with_dice(&[1], |clerk| fire(&mut table, false, &attack, clerk));
    assert_eq!(refused(check_fire(&table, Side::French, false, &attack)), "DZ-3.5-01");
    let other = place(&mut table, "F33", 704, Heading::East);
    form(&mut table, other, Formation::Unlimbered);
    let again = Attack { target: hex(606), firers: UnitSet::of(other) };
    assert_eq!(refused(check_fire(&table, Side::French, false, &again)), "DZ-3.5-01");
    table.unit_mut(guns).facing = Heading::West as u16;
    table.unit_mut(guns).marks.clear(Marks::FIRED);
    table.ops.targets.clear();
    assert_eq!(refused(check_fire(&table, Side::French, false, &attack)), "DZ-R94");
}

#[test]
fn refusals_of_fire() {
    let (mut table, guns, _) = duel(2);
    let at = |table: &Table, firer: UnitId, target| {
        check_fire(table, Side::French, false, &Attack { target: hex(target), firers: UnitSet::of(firer) })
    };
    assert_eq!(refused(at(&table, guns, 605)), "DZ-3.5-01", "nobody there");
    table.unit_mut(unit("P01")).place = Place::Hex(hex(609));
    assert_eq!(refused(at(&table, guns, 609)), "DZ-R94", "five hexes");
    table.unit_mut(unit("P01")).place = Place::Hex(hex(607));
    place(&mut table, "F05", 605, Heading::East);
    assert_eq!(refused(at(&table, guns, 607)), "DZ-3.4-01", "friends between on one level");
    let siege = place(&mut table, "F45", 606, Heading::East);
    let mortar = place(&mut table, "F51", 706, Heading::East);
    assert_eq!(refused(at(&table, siege, 607)), "DZ-3.3.2-01");
    assert_eq!(refused(at(&table, mortar, 607)), "DZ-3.3.3-01");
    let horse = place(&mut table, "F20", 507, Heading::East);
    assert_eq!(refused(at(&table, horse, 607)), "DZ-R94");
    let foot = place(&mut table, "F02", 606, Heading::East);
    table.unit_mut(foot).marks.set(Marks::DISORDERED);
    assert_eq!(refused(at(&table, foot, 607)), "DZ-R30");
    // Two of one stack, cover that is too good, and the fort that fires at a star.
    table.unit_mut(foot).marks.clear(Marks::DISORDERED);
    let second = place(&mut table, "F03", 606, Heading::East);
    let both: UnitSet = [foot, second].into_iter().collect();
    let attack = Attack { target: hex(607), firers: both };
    assert_eq!(refused(check_fire(&table, Side::French, false, &attack)), "DZ-3.5-01");
    let foe = place(&mut table, "P02", 1507, Heading::West);
    let column = place(&mut table, "F04", 1508, Heading::West);
    assert_eq!(refused(at(&table, column, 1507)), "DZ-TET-05", "{foe}");
}

#[test]
fn a_counter_in_the_fort_does_not_reach_a_star() {
    let mut table = table();
    let guns = place(&mut table, "K11", 825, Heading::East);
    form(&mut table, guns, Formation::Unlimbered);
    place(&mut table, "F05", 827, Heading::West);
    let near = Attack { target: hex(827), firers: UnitSet::of(guns) };
    let verdict = check_fire(&table, Side::Prussian, true, &near);
    // No star lies within four hexes of the fort on this map: the rule is shown by the fortress.
    assert!(verdict.is_ok() || refused(verdict) == "DZ-3.4-01");
}

#[test]
fn stacks_add_across_hexes_and_the_owner_shares_losses() {
    let mut table = table();
    let (a, b) =
        (place(&mut table, "F01", 604, Heading::East), place(&mut table, "F02", 505, Heading::SouthEast));
    form(&mut table, a, Formation::Line);
    form(&mut table, b, Formation::Line);
    let (x, y) = (place(&mut table, "P01", 605, Heading::West), place(&mut table, "P02", 605, Heading::West));
    let mut listed = Vec::new();
    list_fire(&table, Side::French, true, |attack| listed.push(attack));
    let both: UnitSet = [a, b].into_iter().collect();
    let attack = Attack { target: hex(605), firers: both };
    assert!(listed.contains(&attack), "{listed:?}");
    // Factor 8, die 3: two steps of four, his choice.
    let ((), cited) = with_dice(&[3], |clerk| fire(&mut table, true, &attack, clerk));
    assert!(cited.contains(&"DZ-3.5-01".to_owned()));
    let among: UnitSet = [x, y].into_iter().collect();
    assert_eq!(table.owed, [Owed::Losses { side: Side::Prussian, among, steps: 2 }]);
    assert_eq!(exposed(&table, among), among);
    let ((), cited) = with_dice(&[], |clerk| take_loss(&mut table, y, clerk));
    assert_eq!((table.unit(y).steps, cited), (1, vec!["DZ-R43".to_owned()]));
}

#[test]
fn a_battalion_in_line_fires_with_two_and_from_cover_with_one() {
    let mut table = table();
    let id = place(&mut table, "P01", 605, Heading::West);
    form(&mut table, id, Formation::Line);
    place(&mut table, "F05", 604, Heading::East);
    let attack = Attack { target: hex(604), firers: UnitSet::of(id) };
    let ((), cited) = with_dice(&[1], |clerk| fire(&mut table, true, &attack, clerk));
    assert!(cited.contains(&"DZ-3.2-02".to_owned()));
    let mut table = super::table();
    let id = place(&mut table, "P01", 1507, Heading::West);
    place(&mut table, "F05", 1508, Heading::West);
    let attack = Attack { target: hex(1508), firers: UnitSet::of(id) };
    let fired = check_fire(&table, Side::Prussian, true, &attack);
    if fired.is_ok() {
        let ((), cited) = with_dice(&[1], |clerk| fire(&mut table, true, &attack, clerk));
        assert!(cited.contains(&"DZ-TET-04".to_owned()), "{cited:?}");
    } else {
        assert_eq!(refused(fired), "DZ-TET-05");
    }
}

#[test]
fn opportunity_fire_is_drawn_by_leaving_a_hex_in_front() {
    let (mut table, guns, foe) = duel(2);
    let mover = Mover::fresh(UnitSet::of(foe));
    let go = Stride::Go(Heading::East);
    assert_eq!(opportunity(&table, &mover, go), UnitSet::of(guns));
    assert!(opportunity(&table, &mover, Stride::Turn(Heading::East)).is_empty());
    let ((), cited) = with_dice(&[1], |clerk| opportunity_shot(&mut table, guns, mover.units, clerk));
    assert!(cited.contains(&"DZ-3.5-01".to_owned()));
    assert!(opportunity(&table, &mover, go).is_empty(), "once per movement step");
    let attack = Attack { target: hex(606), firers: UnitSet::of(guns) };
    assert_eq!(
        refused(check_fire(&table, Side::French, true, &attack)),
        "DZ-R94",
        "no defensive fire after it"
    );
    assert!(check_fire(&table, Side::French, false, &attack).is_ok());
    let (table, ..) = duel(3);
    assert!(opportunity(&table, &mover, go).is_empty(), "guns reach two hexes so");
}

#[test]
fn dz_ex_12_fire_of_the_fortress_around_the_shaded_zone() {
    // Hexes outside the zone seen from the walls, in the south where no star stands.
    let field_of = |hex: Hex| {
        let mut table = table();
        let id = unit("F01");
        table.unit_mut(id).place = Place::Hex(hex);
        let exposure = Field::of(&table).fortress_exposure(hex);
        match exposure {
            Exposure::Ring(_) => {
                let ((), cited) = with_dice(&[1], |clerk| fortress_defensive_fire(&mut table, clerk));
                assert!(
                    cited.contains(&"DZ-3.1.1-03".to_owned()) && cited.contains(&"DZ-3.1.1-04".to_owned())
                );
                let notes =
                    kernel::scripted(&[1], |clerk| fortress_defensive_fire(&mut table, clerk)).unwrap().1;
                let set = notes
                    .reasons()
                    .find(|because| because.rule.as_str() == "DZ-3.1.1-06")
                    .unwrap()
                    .effect
                    .clone();
                Some(set.to_string())
            }
            _ => {
                with_dice(&[], |clerk| fortress_defensive_fire(&mut table, clerk));
                None
            }
        }
    };
    assert_eq!(field_of(hex(4017)).as_deref(), Some("= 3"));
    assert_eq!(field_of(hex(4117)).as_deref(), Some("= 2"));
    assert_eq!(field_of(hex(4217)).as_deref(), Some("= 1"));
    assert_eq!(field_of(hex(4317)), None);
    // Zigankenberg lies in the third ring, but its star keeps it safe.
    assert_eq!(map().exposure(hex(2807), true), Exposure::Ring(3));
    let mut table = table();
    place(&mut table, "F01", 2807, Heading::East);
    let ((), cited) = with_dice(&[], |clerk| fortress_defensive_fire(&mut table, clerk));
    assert_eq!(cited, ["DZ-3.1.1-05"]);
    assert!(!anyone_targeted(&table));
}

#[test]
fn dz_ex_26_two_passes_do_not_end_it_while_somebody_is_in_the_sights() {
    let mut table = table();
    let id = place(&mut table, "F01", 4117, Heading::East);
    assert!(anyone_targeted(&table), "two hexes from the zone, in sight of the walls");
    assert_eq!(Exposure::Ring(2).fire_value(), 2);
    // Factor 2, die 6: one step.
    with_dice(&[6], |clerk| fortress_defensive_fire(&mut table, clerk));
    assert_eq!(table.unit(id).steps, 3);
    table.unit_mut(id).place = Place::Hex(hex(4317));
    assert!(!anyone_targeted(&table));
}

#[test]
fn the_camp_has_its_own_zone_until_the_french_hold_it() {
    let mut table = table();
    let id = place(&mut table, "F01", 415, Heading::East);
    assert_eq!(
        (map().exposure(hex(415), true), map().exposure(hex(415), false)),
        (Exposure::Shaded, Exposure::None)
    );
    let go = Stride::Go(Heading::West);
    let mut mover = Mover::fresh(UnitSet::of(id));
    let (_, cited) = with_dice(&[1], |clerk| stride(&mut table.clone(), &mut mover, go, clerk));
    assert!(cited.contains(&"DZ-3.8.2-01".to_owned()), "{cited:?}");
    place(&mut table, "F02", 419, Heading::East);
    assert!(!Field::of(&table).camp_counts());
    let mut mover = Mover::fresh(UnitSet::of(id));
    with_dice(&[], |clerk| stride(&mut table, &mut mover, go, clerk));
}

#[test]
fn whoever_can_be_fired_at_by_several_together_is_a_target() {
    let mut table = table();
    let foot = place(&mut table, "F01", 2602, Heading::East);
    assert_eq!(map().terrain(hex(2602)), Terrain::Village);
    table.unit_mut(foot).marks.set(Marks::DISORDERED);
    for (code, from) in [("P01", 2603), ("P02", 2702)] {
        let towards = hex(from).towards(hex(2602)).unwrap();
        let line = place(&mut table, code, from, towards);
        form(&mut table, line, Formation::Line);
        assert!(!table.unit(line).is_disordered());
    }
    let both = Attack { target: hex(2602), firers: [unit("P01"), unit("P02")].into_iter().collect() };
    check_fire(&table, crate::Side::Prussian, false, &both).unwrap();
    assert!(anyone_targeted(&table), "two and two less two for the village");
    table.unit_mut(unit("P02")).place = Place::Away;
    assert!(!anyone_targeted(&table), "two less two");
}
