//! What a newcomer is told: a lesson for each decision of his first turn, the aim of the game he plays, and
//! why a step in which guns might have fired is passed over.

use danzig::{Cut, Phase, SCENARIOS, Side, State, auto_choice};
use kernel::board::Board as _;
use kernel::{Desk, Game as _, Line, Live, Setup, Silent, Spoken};
use rulebook::Lang;

fn start(scenario: &str) -> State {
    State::start(&Setup { scenario: scenario.to_owned(), ..Setup::default() }).unwrap()
}

/// Every lesson points at something that can be ordered there, and there are lessons for both sides.
#[test]
fn a_lesson_points_at_what_can_be_ordered() {
    let mut taught = std::collections::BTreeSet::new();
    for scenario in SCENARIOS {
        let mut state = start(scenario);
        let first = state.table.turn;
        let (mut stream, mut desk) = (Live::numbered(5), Desk::new(Live::numbered(6), Silent));
        let mut actions = Vec::new();
        while let Some(side) = state.to_move().filter(|_| state.table.turn <= first + 1) {
            state.actions(side, &mut actions);
            if let Some(lesson) = state.lesson(side) {
                let kinds = actions.iter().map(|action| State::topic(action).kind);
                let points = kinds.into_iter().any(|kind| lesson.points_at.contains(&kind));
                // Who has nobody to march has nothing to be pointed at.
                assert!(points || state.phase == Phase::Move, "{:?} of {side:?}: {lesson:?}", state.phase);
                taught.insert((side, format!("{:?}", state.phase)));
            }
            let action = actions[auto_choice(&state.view(Some(side)), &actions, &mut stream)];
            state.apply(side, &action, &mut desk).unwrap();
        }
    }
    let of = |side: Side| taught.iter().filter(|(one, _)| *one == side).count();
    assert!(of(Side::French) >= 6 && of(Side::Prussian) >= 5, "{taught:?}");
}

/// A cut is won otherwise than the siege: its players are told how.
#[test]
fn the_aim_is_that_of_the_scenario() {
    let goal = |scenario: &str, side| {
        let goal = start(scenario).aims(Some(side))[0];
        Lang::ALL.map(|lang| rulebook::speak(goal, &[], lang))
    };
    for side in [Side::French, Side::Prussian] {
        let whole = goal(SCENARIOS[0], side);
        for cut in Cut::ALL {
            for (told, siege) in goal(cut.scenario(), side).iter().zip(&whole) {
                assert_ne!(told, siege, "{cut:?}");
                assert!(told.contains(&cut.last_turn().to_string()), "{cut:?}: {told}");
            }
        }
    }
}

/// The guns that have come but stand in no battery are silent, and it is said of each why.
#[test]
fn why_no_gun_fires_is_said_where_the_step_is_passed_over() {
    let mut state = start(SCENARIOS[0]);
    let (mut stream, mut dice) = (Live::numbered(1), Live::numbered(1001));
    let (mut told, mut actions) = (Vec::new(), Vec::new());
    while let Some(side) = state.to_move().filter(|_| state.table.turn < 6) {
        state.actions(side, &mut actions);
        let action = actions[auto_choice(&state.view(Some(side)), &actions, &mut stream)];
        let mut desk = Desk::new(&mut dice, Spoken::default());
        state.apply(side, &action, &mut desk).unwrap();
        for line in desk.notes.into_lines() {
            if let Line::Happened(event) = line {
                told.push(rulebook::speak(event.phrase, &event.facts, Lang::En));
            }
        }
    }
    let silent: Vec<&String> = told.iter().filter(|line| line.contains("cannot fire")).collect();
    assert!(!silent.is_empty(), "{told:#?}");
    assert!(silent.iter().all(|line| line.split(": ").nth(1).is_some_and(|why| why.len() > 8)), "{silent:?}");
}
