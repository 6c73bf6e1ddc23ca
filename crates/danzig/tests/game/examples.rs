//! Worked examples of the ledger that need the whole game: arrivals, the rounds, the track of morale and
//! the end.

use danzig::ops::{Heading, Hex};
use danzig::siege::WallId;
use danzig::{Action, Arm, Corps, Marks, Phase, Place, Score, Side, State, UnitId, UnitSet};
use kernel::{Desk, Game as _, Line, Live, Scripted, Setup, Silent, Spoken};

use crate::common::offered;

fn begun(options: &[(&str, &str)]) -> State {
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let mut state = State::start(&Setup { scenario: String::new(), options }).expect("legal options");
    for action in [Action::SetUpTheRest, Action::SetUpDone] {
        decide(&mut state, &action);
    }
    state
}

/// Decides something that takes no dice; what was said.
fn decide(state: &mut State, action: &Action) -> Vec<Line> {
    let side = state.to_move().expect("somebody is to move");
    let mut desk = Desk::new(Scripted::new(&[]), Spoken::default());
    state.apply(side, action, &mut desk).expect("a legal action");
    desk.dice.finish().expect("no dice are used");
    desk.notes.into_lines()
}

/// Both players do as little as they may until this holds.
fn idle_until(state: &mut State, holds: impl Fn(&State) -> bool) {
    let mut dice = Live::numbered(1);
    for _ in 0..2_000 {
        if holds(state) {
            return;
        }
        let side = state.to_move().expect("somebody is to move");
        let actions = offered(state);
        let rests = |action: &&Action| matches!(action, Action::EndPhase | Action::Pass | Action::Decline);
        let action = *actions.iter().find(rests).unwrap_or(&actions[0]);
        state.apply(side, &action, &mut Desk::new(&mut dice, Silent)).expect("a legal action");
    }
    assert!(holds(state), "it never comes to that");
}

fn unit(code: &str) -> UnitId {
    UnitId::of_code(code).expect("a counter")
}

fn point(code: &str) -> WallId {
    WallId::of_code(code).expect("a point")
}

/// A French battalion on a point of the second wall, at the last step of a turn, with the morale at 0.
fn stormed(turn: u8, options: &[(&str, &str)]) -> (State, UnitId) {
    let mut state = begun(options);
    state.table.turn = turn;
    state.phase = Phase::CounterAttack;
    state.table.danzig.morale = 0;
    let battalion = unit("F01a");
    let counter = state.table.unit_mut(battalion);
    (counter.place, counter.steps, counter.most) = (Place::Wall(point("h5")), 2, 2);
    for wall in [point("H5"), point("h5")] {
        let wall = state.table.siege.wall_mut(wall);
        (wall.level, wall.holder) = (0, Side::French);
    }
    (state, battalion)
}

#[test]
fn dz_ex_13_the_siege_train() {
    let mut state = begun(&[]);
    for (turn, twelve, twenty_four, mortars) in
        [(3, (2, 70), (0, 0), 1), (5, (4, 170), (3, 50), 2), (7, (5, 250), (4, 50), 3)]
    {
        idle_until(&mut state, |state| state.table.turn == turn && state.phase == Phase::Half);
        let received = |arm: Arm| {
            let there = |unit: &UnitId| state.table.unit(*unit).place != Place::Away;
            UnitId::of_side(Side::French).filter(|unit| unit.data().arm == arm).filter(there).count()
        };
        let stores = &state.table.danzig;
        assert_eq!((received(Arm::Siege12), stores.ammunition_12), twelve, "turn {turn}");
        assert_eq!((received(Arm::Siege24), stores.ammunition_24), twenty_four, "turn {turn}");
        assert_eq!(received(Arm::Mortar), mortars, "turn {turn}");
    }
}

#[test]
fn dz_ex_16_batteries_are_repaired_on_the_walls_alone() {
    let mut state = begun(&[]);
    state.table.turn = 3;
    state.phase = Phase::BatteryRepair;
    let batteries: Vec<UnitId> =
        UnitId::of_side(Side::Prussian).filter(|unit| unit.data().arm == Arm::Fortress).collect();
    assert_eq!(batteries.len(), 12);
    let at = |place: fn(Place) -> bool| {
        batteries.iter().copied().filter(|unit| place(state.table.unit(*unit).place)).collect::<Vec<_>>()
    };
    let damaged: Vec<UnitId> = at(|place| matches!(place, Place::Wall(_))).into_iter().take(5).collect();
    let in_kalke = at(|place| place == Place::Kalke)[0];
    for battery in damaged.iter().chain([&in_kalke]) {
        state.table.unit_mut(*battery).marks.set(Marks::DAMAGED);
    }
    assert_eq!(state.table.danzig.repair_pool, 40);
    let mut repaired = 0;
    while let Some(repair) =
        offered(&state).into_iter().find(|action| matches!(action, Action::RepairBattery { .. }))
    {
        decide(&mut state, &repair);
        if let Action::RepairBattery { battery, point, .. } = repair {
            assert_eq!(state.table.unit(battery).place, Place::Wall(point), "DZ-6.1-05");
        }
        repaired += 1;
        assert!(repaired <= 40, "the pool is empty");
    }
    assert_eq!((repaired, state.table.danzig.repair_pool), (5, 35));
    assert!(state.table.marked(in_kalke, Marks::DAMAGED));
    assert!(damaged.iter().all(|battery| !state.table.marked(*battery, Marks::DAMAGED)));
}

#[test]
fn dz_ex_17_a_life_of_the_morale() {
    let mut danzig = begun(&[("morale_start", "19")]).table.danzig;
    let nobody = &mut Desk::new(Scripted::new(&[]), Silent);
    assert_eq!(danzig.morale, 19);
    // Invested on turns 2 to 10, and on turn 11.
    (2..=10).for_each(|_| danzig.invested(nobody));
    assert_eq!(danzig.morale, 19 - 9);
    danzig.invested(nobody);
    (0..2).for_each(|_| danzig.set_on_fire(nobody));
    // Only the first point at zero and the first march of Benningsen count.
    (0..2).for_each(|_| danzig.wall_point_at_zero(nobody));
    (0..2).for_each(|_| danzig.benningsen(nobody));
    danzig.corvette(false, nobody);
    assert_eq!(danzig.morale, 5);
}

#[test]
fn dz_ex_18_the_turn_of_the_surrender_decides() {
    for (turn, result) in [
        (12, Score::FrenchVictory),
        (13, Score::Draw),
        (14, Score::PrussianMinor),
        (15, Score::PrussianMajor),
    ] {
        let (mut state, _) = stormed(turn, &[]);
        decide(&mut state, &Action::EndPhase);
        let outcome = state.outcome.expect("it is over");
        assert_eq!((outcome.surrendered, outcome.result), (Some(turn), result));
    }
    let (mut state, _) = stormed(15, &[]);
    state.table.danzig.morale = 1;
    decide(&mut state, &Action::EndPhase);
    let outcome = state.outcome.expect("it is over");
    assert_eq!((outcome.surrendered, outcome.result), (None, Score::PrussianMajor));
}

#[test]
fn dz_ex_19_thrown_out_in_time() {
    let thrown_out = (0..200).find_map(|seed| {
        let (mut state, battalion) = stormed(12, &[]);
        let mut dice = Live::numbered(seed);
        let attack = offered(&state)
            .into_iter()
            .find(|action| {
                matches!(action, Action::DeclareCounterAttack(attack) if attack.target == point("h5"))
            })
            .expect("the garrison may try to retake it");
        let mut play = |state: &mut State, action: &Action| {
            let side = state.to_move().expect("somebody is to move");
            state.apply(side, action, &mut Desk::new(&mut dice, Silent)).expect("a legal action");
        };
        play(&mut state, &attack);
        let mut decisions = 0;
        while state.table.turn == 12 && state.outcome.is_none() {
            decisions += 1;
            assert!(decisions < 1_000, "the turn does not end");
            let actions = offered(&state);
            let action = *actions.iter().find(|action| **action == Action::EndPhase).unwrap_or(&actions[0]);
            play(&mut state, &action);
        }
        (!matches!(state.table.unit(battalion).place, Place::Wall(_))).then_some(state)
    });
    let state = thrown_out.expect("some counter-attack succeeds");
    assert_eq!((state.outcome, state.table.turn, state.table.danzig.morale), (None, 13, 0));
}

#[test]
fn dz_ex_23_the_split_of_the_wall_batteries() {
    // Counter by counter, the others anywhere; then the batteries.
    let splits = |hagelsberg: usize| {
        let mut state = State::start(&Setup::default()).expect("the usual options");
        let mut points = WallId::all().take(hagelsberg).chain(WallId::all().skip(18).take(10 - hagelsberg));
        loop {
            let sets = |action: &Action| !matches!(action, Action::SetUpTheRest);
            let action = match offered(&state).into_iter().find(sets).expect("something to set up") {
                Action::SetBattery { battery, .. } => match points.next() {
                    Some(point) => Action::SetBattery { battery, place: Place::Wall(point), facing: 0 },
                    None => return Ok::<(), kernel::Refusal>(()),
                },
                other => other,
            };
            state.validate(state.active(), &action)?;
            decide(&mut state, &action);
        }
    };
    for hagelsberg in [3, 4, 5, 6, 7] {
        splits(hagelsberg).expect("a legal split");
    }
    for hagelsberg in [2, 8] {
        let refusal = splits(hagelsberg).expect_err("too many on one half");
        assert_eq!(refusal.rule.map(|rule| rule.to_string()).as_deref(), Some("DZ-5.1-05"));
    }
}

#[test]
fn dz_ex_24_the_dates_of_the_turns() {
    let days = |turn: u8| {
        let (mut state, _) = stormed(turn - 1, &[]);
        state.table.danzig.morale = 9;
        let said = decide(&mut state, &Action::EndPhase);
        let begins = said.iter().find_map(|line| match line {
            Line::Happened(event) if event.phrase.key() == "danzig-turn-begins" => Some(event),
            _ => None,
        });
        rulebook::speak(begins.expect("the turn begins").phrase, &begins.unwrap().facts, rulebook::Lang::En)
    };
    for (turn, said) in [
        (2, "turn 2 begins (31 March to 4 April)"),
        (8, "turn 8 begins (30 April to 4 May)"),
        (10, "turn 10 begins (10 May to 14 May)"),
        (12, "turn 12 begins (20 May to 24 May)"),
        (13, "turn 13 begins (25 May to 29 May)"),
        (15, "turn 15 begins (4 June to 8 June)"),
    ] {
        assert_eq!(days(turn), said);
    }
    let first = rulebook::tables::danzig::TURN_CALENDAR[0];
    assert_eq!(
        (first.turn, first.first_day, first.last_day, first.days),
        (1, "1807-03-19", "1807-03-30", 12)
    );
}

#[test]
fn dz_ex_25_two_passes_end_the_part() {
    let mut state = begun(&[]);
    state.table.turn = 4;
    state.phase = Phase::Half;
    (state.clock.round, state.clock.phasing) = (3, Side::French);
    let broken = unit("F20");
    let counter = state.table.unit_mut(broken);
    counter.place = Place::Hex(Hex::at(6, 3).expect("a hex"));
    decide(&mut state, &Action::Pass);
    assert_eq!((state.phase, state.to_move()), (Phase::Half, Some(Side::Prussian)));
    state.table.unit_mut(broken).marks.set(Marks::DISORDERED);
    decide(&mut state, &Action::Pass);
    assert!(state.table.turn == 4 && state.phase >= Phase::DesertionRoll, "{:?}", state.phase);
    assert!(!state.table.unit(broken).is_disordered(), "everybody has rallied");
}

/// A half-round in which a unit goes one hex and does nothing else.
fn goes(state: &mut State, unit: UnitId, heading: Heading) {
    decide(state, &Action::PlayHalf);
    decide(state, &Action::TakeUp { units: UnitSet::of(unit) });
    decide(state, &Action::March(danzig::ops::Stride::Go(heading)));
    decide(state, &Action::PutDown);
    for _ in 0..20 {
        if state.phase != Phase::Half && state.phase < Phase::DesertionRoll {
            decide(state, &Action::EndPhase);
        }
    }
}

#[test]
fn dz_ex_27_the_third_time_ends_the_part() {
    let mut state = begun(&[]);
    state.table.turn = 4;
    state.phase = Phase::Half;
    (state.clock.round, state.clock.phasing) = (1, Side::French);
    let [horse, foot] = [unit("F20"), unit("P20")];
    for (unit, (row, column)) in [(horse, (6, 3)), (foot, (24, 33))] {
        let counter = state.table.unit_mut(unit);
        counter.place = Place::Hex(Hex::at(row, column).expect("a hex"));
        counter.facing = Heading::East as u16;
        counter.formation = danzig::Formation::Skirmish;
    }
    state.table.unit_mut(horse).formation = danzig::Formation::Formed;
    for round in 1..=6 {
        assert_eq!((state.phase, state.clock.round), (Phase::Half, round));
        // To and fro: both, then the Prussians alone, then the French alone.
        let heading = if round % 2 == 1 { Heading::East } else { Heading::West };
        for (unit, rests) in [(horse, 3..=4), (foot, 5..=6)] {
            if rests.contains(&round) {
                decide(&mut state, &Action::Pass);
            } else {
                goes(&mut state, unit, heading);
            }
        }
    }
    assert!(state.phase >= Phase::DesertionRoll, "the part has ended: {:?}", state.phase);
}

#[test]
fn dz_ex_28_the_part_goes_on_until_lannes_may_come() {
    for (delayed, round) in [(false, 2), (true, 3)] {
        let mut state = begun(&[]);
        idle_until(&mut state, |state| state.table.turn == 10 && state.phase == Phase::Half);
        state.table.danzig.lannes_delayed = delayed;
        let may_come = |state: &State| {
            offered(state).iter().any(
                |action| matches!(action, Action::EnterMap { unit, .. } if unit.data().corps == Corps::Lannes),
            )
        };
        for passed in 1..round {
            assert_eq!((state.table.turn, state.clock.round), (10, passed));
            let mut played = state.clone();
            idle_until(&mut played, |state| {
                state.clock.phasing == Side::French && state.phase == Phase::Half
            });
            decide(&mut played, &Action::PlayHalf);
            assert!(!may_come(&played), "not yet in round {passed}");
            decide(&mut state, &Action::Pass);
            decide(&mut state, &Action::Pass);
        }
        assert_eq!((state.table.turn, state.phase, state.clock.round), (10, Phase::Half, round));
        idle_until(&mut state, |state| state.clock.phasing == Side::French && state.phase == Phase::Half);
        decide(&mut state, &Action::PlayHalf);
        assert!(may_come(&state), "in round {round}");
    }
}

#[test]
fn dz_ex_32_whether_the_breach_needs_both_walls() {
    for (option, surrenders) in [("false", true), ("true", false)] {
        let (mut state, _) = stormed(12, &[("breach_needs_both_walls", option)]);
        state.table.siege.wall_mut(point("H5")).holder = Side::Prussian;
        decide(&mut state, &Action::EndPhase);
        assert_eq!(state.outcome.is_some(), surrenders, "{option}");
    }
}
