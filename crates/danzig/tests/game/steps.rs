//! Steps of the game that few games come to: the dice that end a repetition, Russian guns in the city.

use danzig::ops::{Goal, Heading, Hex, Mover, Stride, Terrain, map};
use danzig::{Action, Formation, Hand, Marks, Phase, Place, Side, State, UnitId, UnitSet};
use kernel::{Desk, Game as _, Scripted, Setup, Spoken};

fn begun(options: &[(&str, &str)]) -> State {
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let mut state = State::start(&Setup { scenario: String::new(), options }).expect("legal options");
    for action in [Action::SetUpTheRest, Action::SetUpDone] {
        decide(&mut state, &action, &[]);
    }
    state
}

/// Decides with exactly these dice; the rules that were cited.
fn decide(state: &mut State, action: &Action, dice: &[u8]) -> Vec<String> {
    let side = state.to_move().expect("somebody is to move");
    let mut desk = Desk::new(Scripted::new(dice), Spoken::default());
    state.apply(side, action, &mut desk).expect("a legal action");
    desk.dice.finish().expect("all dice are used");
    desk.notes.reasons().map(|because| because.rule.to_string()).collect()
}

#[test]
fn the_higher_die_names_who_plays_the_last_half_round() {
    let mut state = begun(&[("repetition", "rolloff")]);
    state.phase = Phase::Repetition;
    state.clock.asked = 0;
    assert_eq!(state.to_move(), Some(Side::French));
    // A tie is rolled again.
    let cited = decide(&mut state, &Action::ClaimRepetition, &[3, 3, 2, 5]);
    assert!(cited.contains(&"DZ-3.1-03".to_owned()), "{cited:?}");
    assert_eq!((state.phase, state.to_move()), (Phase::LastHalf, Some(Side::Prussian)));
    decide(&mut state, &Action::NameLastHalf { side: Side::French }, &[]);
    assert_eq!((state.phase, state.clock.phasing, state.clock.last_half), (Phase::Half, Side::French, true));
    // After it the operational part is over: turn 1 has no other.
    decide(&mut state, &Action::Pass, &[]);
    assert_eq!(state.table.turn, 2);
}

#[test]
fn russian_guns_relieve_the_city_but_do_nothing_on_its_walls() {
    let mut state = begun(&[]);
    let guns = UnitId::of_code("K11").expect("a battery of Kamenski");
    state.table.turn = 10;
    state.phase = Phase::Move;
    state.clock.phasing = Side::Prussian;
    let before_the_gate = Hex::at(36, 16).expect("a hex");
    let counter = state.table.unit_mut(guns);
    (counter.place, counter.formation) = (Place::Hex(before_the_gate), Formation::Limbered);
    state.hand = Hand::Moving(Mover::fresh(UnitSet::of(guns)));
    let morale = state.table.danzig.morale;
    let inwards = Heading::ALL
        .into_iter()
        .find(|side| before_the_gate.beyond(*side) == Hex::at(35, 17))
        .expect("the gate is beside it");
    let cited = decide(&mut state, &Action::March(Stride::Go(inwards)), &[]);
    assert!(cited.contains(&"DZ-6.2-07".to_owned()) && cited.contains(&"DZ-6.2-04".to_owned()), "{cited:?}");
    assert_eq!((state.table.unit(guns).place, state.table.danzig.morale), (Place::Reserve, morale + 3));
    state.phase = Phase::GarrisonMove;
    state.hand = Hand::Empty;
    let to = Place::Wall(danzig::siege::WallId(0));
    let walk = Action::Garrison(danzig::siege::GarrisonMove::Infantry { unit: guns, to });
    let refusal = state.validate(state.active(), &walk).unwrap_err();
    assert_eq!(refusal.rule.map(|rule| rule.to_string()).as_deref(), Some("DZ-4.2-08"));
}

#[test]
fn the_fusiliers_are_two_battalions_inside_the_city_and_one_counter_outside() {
    let mut state = begun(&[]);
    state.table.turn = 10;
    state.phase = Phase::Move;
    state.clock.phasing = Side::Prussian;
    let [first, second] = ["K07", "K07b"].map(|code| UnitId::of_code(code).expect("fusiliers"));
    let gate = danzig::ops::Gate::Petershagen;
    let (inside, outside) = gate.hexes();
    let enter = |state: &mut State, steps: u8| {
        let counter = state.table.unit_mut(first);
        (counter.place, counter.steps) = (Place::Hex(outside), steps);
        counter.marks.clear(Marks::MOVED);
        state.hand = Hand::Moving(Mover::fresh(UnitSet::of(first)));
        decide(state, &Action::March(Stride::Go(outside.towards(inside).expect("beside it"))), &[])
    };
    let standing = |state: &State| {
        [first, second].map(|unit| (state.table.unit(unit).place, state.table.unit(unit).steps))
    };
    let cited = enter(&mut state, 3);
    assert!(cited.contains(&"DZ-6.2-06".to_owned()) && cited.contains(&"DZ-R22".to_owned()), "{cited:?}");
    assert_eq!(standing(&state), [(Place::Reserve, 2), (Place::Reserve, 1)]);
    // They leave together, the first at their head, and from wherever they stand.
    for unit in [first, second] {
        state.table.unit_mut(unit).marks.clear(Marks::MOVED);
    }
    let taken_up = |unit| Action::TakeUp { units: UnitSet::of(unit) };
    let refusal = state.validate(state.active(), &taken_up(second)).expect_err("the first leads");
    assert_eq!(refusal.rule.map(|rule| rule.to_string()).as_deref(), Some("DZ-R22"));
    state.table.unit_mut(second).place = Place::Wall(danzig::siege::WallId(0));
    let mut left = state.clone();
    decide(&mut left, &taken_up(first), &[]);
    decide(&mut left, &Action::March(Stride::LeaveCity(gate)), &[]);
    assert_eq!(standing(&left), [(Place::Hex(outside), 3), (Place::Away, 0)]);
    assert_eq!(left.hand, Hand::Moving(Mover { by_road: true, ..Mover::fresh(UnitSet::of(first)) }));
    // A step for a lost battalion, while the other is in the city; alone it leaves as the regiment.
    let counter = state.table.unit_mut(first);
    (counter.place, counter.steps) = (Place::Eliminated, 0);
    let mut grown = state.clone();
    grown.phase = Phase::ReplacementPrussian;
    decide(&mut grown, &Action::ReplacePrussian { unit: first }, &[]);
    assert_eq!(standing(&grown)[0], (Place::Reserve, 1));
    decide(&mut state, &taken_up(second), &[]);
    decide(&mut state, &Action::March(Stride::LeaveCity(gate)), &[]);
    assert_eq!(standing(&state), [(Place::Hex(outside), 1), (Place::Away, 0)]);
    // Two steps make one battalion.
    enter(&mut state, 2);
    assert_eq!(standing(&state), [(Place::Reserve, 2), (Place::Eliminated, 0)]);
}

/// A Prussian battalion in disorder at a hex, at the beginning of the Prussian half-round.
fn broken_at(state: &mut State, unit: UnitId, hex: Hex) {
    let counter = state.table.unit_mut(unit);
    (counter.place, counter.formation) = (Place::Hex(hex), Formation::Column);
    counter.marks.set(Marks::DISORDERED);
}

#[test]
fn the_owner_chooses_between_two_goals_at_the_same_distance_and_in_a_village() {
    let unit = UnitId::of_code("P20").expect("a battalion");
    let begin = |hex: Hex| {
        let mut state = begun(&[]);
        decide(&mut state, &Action::EndPhase, &[]);
        broken_at(&mut state, unit, hex);
        // The French pass; the Prussian half begins with the retreats.
        decide(&mut state, &Action::Pass, &[]);
        state
    };
    let tied = Hex::all()
        .find(|hex| {
            let mut state = begun(&[]);
            broken_at(&mut state, unit, *hex);
            map().terrain(*hex) == Terrain::Clear && danzig::ops::retreat_goals(&state.table, unit).len() == 2
        })
        .expect("somewhere city and fort are equally near");
    let state = begin(tied);
    assert_eq!((state.phase, state.to_move()), (Phase::Retreat, Some(Side::Prussian)));
    let mut offered = offered(&state);
    let to = |goal| Action::Retreat { unit, goal: Some(goal) };
    assert_eq!(offered, [to(Goal::City), to(Goal::Fort)]);
    let [city, fort] = [Goal::City, Goal::Fort].map(|goal| {
        let mut state = state.clone();
        let cited = decide(&mut state, &to(goal), &[]);
        assert!(
            cited.contains(&"DZ-3.6-02".to_owned()) && cited.contains(&"DZ-3.9-02".to_owned()),
            "{cited:?}"
        );
        assert_eq!(state.phase, Phase::Half);
        state.table.unit(unit).place
    });
    assert_ne!(city, fort);
    // In a village he may stay.
    let village = Hex::at(21, 31).expect("Heubude");
    let mut state = begin(village);
    state.actions(state.active(), &mut offered);
    assert_eq!(offered.first(), Some(&Action::Retreat { unit, goal: None }));
    assert!(offered.len() > 1);
    decide(&mut state, &Action::Retreat { unit, goal: None }, &[]);
    assert_eq!((state.phase, state.table.unit(unit).place), (Phase::Half, Place::Hex(village)));
}

/// Puts a counter on the operational map as it would enter it.
fn put(state: &mut State, code: &str, (row, column): (u16, u16), facing: Heading) -> UnitId {
    let unit = UnitId::of_code(code).expect("a counter");
    let counter = state.table.unit_mut(unit);
    counter.place = Place::Hex(Hex::at(row, column).expect("a hex"));
    counter.facing = facing as u16;
    counter.formation = Formation::at_entry(unit.data().arm);
    unit
}

fn offered(state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    state.actions(state.active(), &mut actions);
    actions
}

fn in_step(phase: Phase) -> State {
    let mut state = begun(&[]);
    state.phase = phase;
    state.clock.phasing = Side::French;
    state
}

#[test]
fn those_who_see_a_charge_choose_whether_to_fire_at_it() {
    let begin = || {
        let mut state = in_step(Phase::Move);
        let horse = ["F22", "F23"].map(|code| put(&mut state, code, (6, 3), Heading::East));
        let guns = put(&mut state, "K11", (6, 8), Heading::West);
        state.table.unit_mut(guns).formation = Formation::Unlimbered;
        let foot = put(&mut state, "P01", (6, 8), Heading::West);
        let units: UnitSet = horse.into_iter().collect();
        let charge = danzig::ops::Charge { units, target: Hex::at(6, 8).unwrap(), heading: Heading::East };
        decide(&mut state, &Action::Charge(charge), &[]);
        // They ride on until they leave a hex two hexes before the guns.
        assert_eq!(state.table.unit(horse[0]).place, Place::Hex(Hex::at(6, 6).unwrap()));
        assert_eq!(state.to_move(), Some(Side::Prussian));
        assert_eq!(offered(&state), [Action::OpportunityShot { firer: guns }, Action::Decline]);
        (state, horse, guns, foot)
    };
    let (mut held, horse, guns, foot) = begin();
    decide(&mut held, &Action::Decline, &[]);
    assert!(!held.table.marked(guns, Marks::FIRED_OPPORTUNITY));
    assert_eq!(held.table.unit(horse[1]).place, Place::Hex(Hex::at(6, 7).unwrap()));
    let reactions = [danzig::ops::Reaction::Stand, danzig::ops::Reaction::Square]
        .map(|reaction| Action::React { unit: foot, reaction });
    assert_eq!((held.to_move(), offered(&held)), (Some(Side::Prussian), reactions.to_vec()));
    // Factor 5, die 4: one step, and the French choose whose.
    let (mut state, horse, guns, foot) = begin();
    let cited = decide(&mut state, &Action::OpportunityShot { firer: guns }, &[4]);
    assert!(cited.contains(&"DZ-3.5-01".to_owned()), "{cited:?}");
    assert_eq!(state.to_move(), Some(Side::French));
    assert_eq!(offered(&state), horse.map(|unit| Action::TakeLoss { unit }));
    decide(&mut state, &Action::TakeLoss { unit: horse[1] }, &[]);
    assert_eq!(horse.map(|unit| state.table.unit(unit).steps), [3, 2]);
    assert_eq!(offered(&state), reactions);
    // Who cannot form anything is not asked: skirmishers stand.
    let (mut state, horse, ..) = begin();
    state.table.unit_mut(foot).formation = Formation::Skirmish;
    decide(&mut state, &Action::Decline, &[6]);
    decide(&mut state, &Action::Occupy { from: None }, &[]);
    assert_eq!(state.hand, Hand::Empty);
    assert!(horse.iter().all(|unit| state.table.unit(*unit).formation == Formation::Blown));
}

#[test]
fn each_owner_chooses_whose_step_is_lost_in_a_melee() {
    let mut state = in_step(Phase::Melee);
    let foot = ["F01", "F02"].map(|code| put(&mut state, code, (6, 5), Heading::East));
    let enemies = ["P01", "P02"].map(|code| put(&mut state, code, (6, 6), Heading::West));
    let melee = danzig::ops::Melee { target: Hex::at(6, 6).unwrap(), attackers: foot.into_iter().collect() };
    // 8 x 3 against 4 x 3: 2:1; a 3 takes a step from both, then every defender tests.
    decide(&mut state, &Action::Melee(melee), &[3]);
    assert_eq!(
        (state.to_move(), offered(&state)),
        (Some(Side::French), foot.map(|unit| Action::TakeLoss { unit }).to_vec())
    );
    let refusal = state.validate(state.active(), &Action::TakeLoss { unit: enemies[0] }).unwrap_err();
    assert_eq!(refusal.rule.map(|rule| rule.to_string()).as_deref(), Some("DZ-R43"));
    decide(&mut state, &Action::TakeLoss { unit: foot[1] }, &[]);
    assert_eq!(state.to_move(), Some(Side::Prussian));
    assert_eq!(offered(&state), enemies.map(|unit| Action::TakeLoss { unit }));
    // Both hold: the one at half strength with a 1.
    decide(&mut state, &Action::TakeLoss { unit: enemies[0] }, &[1, 4]);
    // Nobody is left to be fought: the step is over.
    assert_eq!(state.hand, Hand::Empty);
    assert_ne!(state.phase, Phase::Melee);
    assert_eq!(foot.map(|unit| state.table.unit(unit).steps), [4, 3]);
    assert_eq!(enemies.map(|unit| state.table.unit(unit).steps), [1, 2]);
    assert_eq!(state.table.unit(foot[0]).place, Place::Hex(Hex::at(6, 5).unwrap()));
}

#[test]
fn the_victors_say_who_moves_in_and_may_stay() {
    let mut state = in_step(Phase::Melee);
    let west = put(&mut state, "F01", (6, 5), Heading::East);
    let east = put(&mut state, "F02", (6, 7), Heading::West);
    let enemy = put(&mut state, "P01", (6, 6), Heading::West);
    let target = Hex::at(6, 6).unwrap();
    let melee = danzig::ops::Melee { target, attackers: [west, east].into_iter().collect() };
    // Surrounded and taken in the rear at 4:1: a 2 drives them out.
    decide(&mut state, &Action::Melee(melee), &[2]);
    assert!(state.table.unit(enemy).is_disordered());
    let ways = [None, Hex::at(6, 5), Hex::at(6, 7)].map(|from| Action::Occupy { from });
    assert_eq!((state.to_move(), offered(&state)), (Some(Side::French), ways.to_vec()));
    let mut stays = state.clone();
    decide(&mut stays, &Action::Occupy { from: None }, &[]);
    assert_eq!(stays.hand, Hand::Empty);
    assert_eq!(stays.table.at(Side::French, Place::Hex(target)).next(), None);
    let cited = decide(&mut state, &Action::Occupy { from: Hex::at(6, 7) }, &[]);
    assert!(cited.contains(&"DZ-R94".to_owned()), "{cited:?}");
    assert_eq!(state.table.unit(east).place, Place::Hex(target));
    assert_eq!(state.table.unit(west).place, Place::Hex(Hex::at(6, 5).unwrap()));
}

#[test]
fn skirmishers_give_way_to_infantry_or_stand() {
    let mut state = in_step(Phase::Melee);
    let foot = put(&mut state, "F01", (6, 5), Heading::East);
    let light = put(&mut state, "P18", (6, 6), Heading::West);
    state.table.unit_mut(light).formation = Formation::Skirmish;
    let target = Hex::at(6, 6).unwrap();
    let melee = danzig::ops::Melee { target, attackers: UnitSet::of(foot) };
    decide(&mut state, &Action::Melee(melee), &[]);
    // Three of the six hexes are in the front of the attacker: its own and two it controls.
    let ways = [None, Hex::at(5, 7), Hex::at(6, 7), Hex::at(7, 7)];
    let ways = ways.map(|to| Action::GiveWay { unit: light, to });
    assert_eq!((state.to_move(), offered(&state)), (Some(Side::Prussian), ways.to_vec()));
    // They stand, at value 1 a step against 3: the dice fall.
    let mut stands = state.clone();
    let cited = decide(&mut stands, &Action::GiveWay { unit: light, to: None }, &[6]);
    assert!(cited.contains(&"DZ-TET-02".to_owned()), "{cited:?}");
    // They go: the hex is empty and the attacker may move in.
    decide(&mut state, &Action::GiveWay { unit: light, to: Hex::at(6, 7) }, &[]);
    assert_eq!(state.table.unit(light).place, Place::Hex(Hex::at(6, 7).unwrap()));
    decide(&mut state, &Action::Occupy { from: Hex::at(6, 5) }, &[]);
    assert_eq!(state.table.unit(foot).place, Place::Hex(target));
    assert!(!state.table.unit(light).is_disordered());
}

#[test]
fn losses_by_the_fortress_do_not_cost_the_garrison_its_defensive_fire() {
    let mut state = in_step(Phase::Move);
    let foot = ["F01", "F02"].map(|code| put(&mut state, code, (40, 17), Heading::East));
    let foe = put(&mut state, "P20", (40, 18), Heading::West);
    state.table.unit_mut(foe).formation = Formation::Line;
    // The fortress fires with 3; a 5 takes a step from the stack.
    decide(&mut state, &Action::EndPhase, &[5]);
    assert_eq!(offered(&state), foot.map(|unit| Action::TakeLoss { unit }));
    decide(&mut state, &Action::TakeLoss { unit: foot[0] }, &[]);
    assert_eq!((state.phase, state.to_move()), (Phase::DefensiveFire, Some(Side::Prussian)));
    let attack = danzig::ops::Attack { target: Hex::at(40, 17).unwrap(), firers: UnitSet::of(foe) };
    assert!(offered(&state).contains(&Action::DefensiveFire(attack)));
}

#[test]
fn a_broken_battalion_as_near_to_the_city_as_to_the_fort_goes_where_its_owner_wants() {
    let mut state = in_step(Phase::Fire);
    let foe = UnitId::of_code("P20").expect("a battalion");
    let foot = UnitId::of_code("F01").expect("a regiment");
    let stand = |state: &mut State, hex: Hex| {
        let place = hex.beyond(Heading::West).filter(|west| map().terrain(*west) == Terrain::Clear);
        for (unit, place, facing) in [(foe, Some(hex), Heading::West), (foot, place, Heading::East)] {
            let counter = state.table.unit_mut(unit);
            counter.place = place.map_or(Place::Away, Place::Hex);
            (counter.facing, counter.formation) = (facing as u16, Formation::Line);
        }
        place.is_some()
    };
    let tied = Hex::all()
        .find(|hex| {
            map().terrain(*hex) == Terrain::Clear
                && stand(&mut state, *hex)
                && danzig::ops::retreat_goals(&state.table, foe).len() == 2
        })
        .expect("somewhere city and fort are equally near");
    let attack = danzig::ops::Attack { target: tied, firers: UnitSet::of(foot) };
    // Factor 4, die 3: a test, and it fails.
    decide(&mut state, &Action::Fire(attack), &[3, 6]);
    let to = |goal| Action::Retreat { unit: foe, goal: Some(goal) };
    assert_eq!(
        (state.to_move(), offered(&state)),
        (Some(Side::Prussian), vec![to(Goal::City), to(Goal::Fort)])
    );
    assert_eq!(state.table.unit(foe).place, Place::Hex(tied));
    let cited = decide(&mut state, &to(Goal::Fort), &[]);
    assert!(cited.contains(&"DZ-3.6-02".to_owned()), "{cited:?}");
    assert_ne!(state.table.unit(foe).place, Place::Hex(tied));
    // Nothing is owed any more, and nobody is left to be fired at: the step is over.
    assert!(state.table.owed.is_empty());
    assert_ne!(state.phase, Phase::Fire);
}

#[test]
fn a_half_round_in_which_boats_land_is_no_pass() {
    let mut state = begun(&[]);
    decide(&mut state, &Action::EndPhase, &[]);
    let horse = UnitId::of_code("F20").expect("a regiment");
    state.table.unit_mut(horse).place = Place::Hex(Hex::at(16, 17).expect("a hex"));
    decide(&mut state, &Action::PlayHalf, &[]);
    let across = Hex::at(17, 18).expect("a hex");
    decide(&mut state, &Action::BoatsStart { units: UnitSet::of(horse), across }, &[]);
    decide(&mut state, &Action::EndPhase, &[]);
    for _ in 0..20 {
        if state.phase != Phase::Half {
            decide(&mut state, &Action::EndPhase, &[]);
        }
    }
    decide(&mut state, &Action::Pass, &[]);
    assert_eq!(state.table.unit(horse).place, Place::Hex(across), "the boats have landed");
    // The French pass after the Prussians; but they have landed, so that the part goes on.
    decide(&mut state, &Action::Pass, &[]);
    assert_eq!((state.table.turn, state.phase, state.clock.passes), (1, Phase::Half, 0));
}

#[test]
fn benningsen_delays_lannes_up_to_the_turn_of_his_arrival() {
    for (turn, delayed) in [(7, true), (8, true), (9, false)] {
        let mut state = begun(&[("kamenski_turn", "8")]);
        state.table.turn = turn;
        state.phase = Phase::Benningsen;
        let morale = state.table.danzig.morale;
        decide(&mut state, &Action::RollBenningsen, &[6, 6]);
        assert_eq!(
            (state.table.danzig.lannes_delayed, state.table.danzig.morale),
            (delayed, morale + 2),
            "{turn}"
        );
    }
}

#[test]
fn a_half_round_in_which_nothing_is_done_is_a_pass() {
    let mut state = begun(&[]);
    decide(&mut state, &Action::EndPhase, &[]);
    let mut moving = state.clone();
    decide(&mut state, &Action::PlayHalf, &[]);
    decide(&mut state, &Action::EndPhase, &[]);
    assert_eq!((state.phase, state.clock.phasing), (Phase::Half, Side::Prussian));
    decide(&mut state, &Action::Pass, &[]);
    assert_eq!(state.table.turn, 2, "both have passed");
    // Whoever has moved has not.
    decide(&mut moving, &Action::PlayHalf, &[]);
    let unit = UnitId::of_code("F01").expect("a regiment");
    decide(&mut moving, &Action::EnterMap { unit, hex: Hex::at(9, 1).expect("a hex") }, &[]);
    decide(&mut moving, &Action::PutDown, &[]);
    decide(&mut moving, &Action::EndPhase, &[]);
    for _ in 0..20 {
        if moving.phase != Phase::Half {
            decide(&mut moving, &Action::EndPhase, &[]);
        }
    }
    decide(&mut moving, &Action::Pass, &[]);
    assert_eq!((moving.table.turn, moving.clock.passes), (1, 1));
}

#[test]
fn the_last_half_round_is_one_of_a_new_round() {
    let mut state = begun(&[("repetition", "rolloff")]);
    state.phase = Phase::LastHalf;
    state.clock.round = 4;
    state.clock.redoubt_built = true;
    let guns = UnitId::of_code("F32").expect("a battery");
    state.table.unit_mut(guns).place = Place::Concentration;
    decide(&mut state, &Action::NameLastHalf { side: Side::French }, &[]);
    assert_eq!((state.clock.round, state.clock.redoubt_built), (5, false));
    assert!(state.table.marked(guns, Marks::SETTLED), "they may leave the area again");
}

#[test]
fn the_kalke_schanze_takes_no_seventh_step() {
    let mut state = begun(&[]);
    state.table.turn = 3;
    let mut man = |codes: [&str; 4]| {
        for (code, steps) in codes.into_iter().zip([2, 2, 1, 1]) {
            let unit = UnitId::of_code(code).expect("a battalion");
            let counter = state.table.unit_mut(unit);
            (counter.place, counter.steps, counter.most) = (Place::Kalke, steps, 2);
        }
        UnitId::of_code(codes[3]).expect("a battalion")
    };
    let prussian = man(["P01", "P02", "P03", "P04"]);
    let french = man(["F01a", "F01b", "F02a", "F02b"]);
    let rule = |state: &State, action: Action| {
        state.validate(state.active(), &action).unwrap_err().rule.unwrap().to_string()
    };
    state.phase = Phase::ReplacementPrussian;
    assert_eq!(rule(&state, Action::ReplacePrussian { unit: prussian }), "DZ-4.7.4-01");
    state.phase = Phase::ReplacementFrench;
    assert_eq!(rule(&state, Action::ReplaceFrench { unit: french }), "DZ-4.7.4-01");
    let other = UnitId::of_code("P02").expect("a battalion");
    state.table.unit_mut(other).place = Place::Reserve;
    state.phase = Phase::ReplacementPrussian;
    assert!(state.validate(state.active(), &Action::ReplacePrussian { unit: prussian }).is_ok());
}

#[test]
fn troops_set_up_in_a_village_are_drawn_up_for_it() {
    let state = begun(&[]);
    let village = Hex::at(26, 27).expect("Ganskrug");
    let there: Vec<UnitId> = state.table.on_hex(Side::Prussian, village).collect();
    assert!(!there.is_empty());
    assert!(there.iter().all(|unit| state.table.unit(*unit).formation == Formation::Adapted));
    let mut state = State::start(&Setup::default()).expect("legal options");
    let unit = UnitId::of_code("P01").expect("a battalion");
    decide(&mut state, &Action::SetOutsideUnit { unit, hex: village }, &[]);
    assert_eq!(state.table.unit(unit).formation, Formation::Adapted);
}

#[test]
fn a_counter_attack_moves_only_those_who_made_it() {
    let begin = || {
        let mut state = begun(&[]);
        state.table.turn = 7;
        state.phase = Phase::CounterAttack;
        for unit in UnitId::of_side(Side::Prussian) {
            if let Place::Wall(_) = state.table.unit(unit).place {
                state.table.unit_mut(unit).place = Place::Reserve;
            }
        }
        let point = |code| danzig::siege::WallId::of_code(code).expect("a wall point");
        let (outer, inner) = (point("H5"), point("h5"));
        let wall = state.table.siege.wall_mut(outer);
        (wall.level, wall.holder) = (5, Side::French);
        let [french, waits, attacks] = ["F01a", "P10", "P11"].map(|code| UnitId::of_code(code).expect("one"));
        let counter = state.table.unit_mut(french);
        (counter.place, counter.steps) = (Place::Wall(outer), 2);
        state.table.unit_mut(waits).place = Place::Wall(inner);
        state.table.unit_mut(attacks).place = Place::Reserve;
        (state, Place::Wall(outer), Place::Wall(inner), waits, attacks)
    };
    let order = |target, attacks| {
        let Place::Wall(target) = target else { panic!("a wall point") };
        Action::DeclareCounterAttack(danzig::siege::CounterAttack { units: UnitSet::of(attacks), target })
    };
    // Even odds: a six drives the French out, who attacked stands there, who waited stays.
    let (mut state, outer, inner, waits, attacks) = begin();
    decide(&mut state, &order(outer, attacks), &[6]);
    assert_eq!((state.table.unit(attacks).place, state.table.unit(waits).place), (outer, inner));
    // A four costs a step and moves nobody: there is no room beside those who waited.
    let (mut state, outer, inner, waits, attacks) = begin();
    decide(&mut state, &order(outer, attacks), &[4, 1]);
    assert_eq!((state.table.unit(attacks).place, state.table.unit(waits).place), (Place::Reserve, inner));
}

/// Battalions are named one by one, sent back, and go out together; the phases leave nobody named.
#[test]
fn battalions_are_named_one_by_one() {
    let mut state = begun(&[]);
    state.table.turn = 7;
    state.phase = Phase::CounterAttack;
    let point = danzig::siege::WallId::of_code("H5").expect("a wall point");
    let wall = state.table.siege.wall_mut(point);
    (wall.level, wall.holder) = (5, Side::French);
    let codes = ["F01a", "P10", "P11", "P12"];
    let [french, first, second, third] = codes.map(|code| UnitId::of_code(code).expect("one"));
    for unit in UnitId::of_side(Side::Prussian) {
        if let Place::Wall(_) = state.table.unit(unit).place {
            state.table.unit_mut(unit).place = Place::Reserve;
        }
    }
    let counter = state.table.unit_mut(french);
    (counter.place, counter.steps) = (Place::Wall(point), 2);
    for unit in [first, second, third] {
        state.table.unit_mut(unit).place = Place::Reserve;
    }
    let dismiss = Action::Dismiss { unit: first };
    let rule = |state: &State, action: &Action| {
        state.validate(state.active(), action).unwrap_err().rule.unwrap().to_string()
    };
    assert_eq!(rule(&state, &dismiss), "DZ-4.9-11");
    decide(&mut state, &Action::Muster { unit: first }, &[]);
    decide(&mut state, &dismiss, &[]);
    decide(&mut state, &Action::Muster { unit: third }, &[]);
    decide(&mut state, &Action::Muster { unit: second }, &[]);
    assert_eq!(rule(&state, &Action::Muster { unit: first }), "DZ-4.9-21");
    let units: UnitSet = [second, third].into_iter().collect();
    let attack = Action::DeclareCounterAttack(danzig::siege::CounterAttack { units, target: point });
    let mut offered = Vec::new();
    state.actions(state.active(), &mut offered);
    let sallies: Vec<&Action> =
        offered.iter().filter(|action| matches!(action, Action::DeclareCounterAttack(_))).collect();
    assert_eq!(sallies, [&attack]);
    decide(&mut state, &attack, &[6]);
    assert!(state.muster.is_empty());
    assert_eq!(state.table.siege.wall(point).holder, Side::Prussian);
}
