//! The player who thinks ahead, at the kernel's example game.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::num::NonZero;

use countermine::{Action, Countermine, Side, setup, twin};
use kernel::{Desk, Game, Live, Setup, Silent};
use opponent::{Budget, Level, NoSuchLevel, Player, Prospect, Search, Searcher, Thought, duel};
use serde_json::json;

fn playouts(number: u32) -> Search {
    Search::new(Budget::Playouts(NonZero::new(number).unwrap()))
}

/// The last work of the last turn: the gallery 1 is finished and known to be clear, the gallery 0 is
/// finished too and known to lie over the countermine, the gallery 2 is not begun.
fn last_work() -> Countermine {
    serde_json::from_value(json!({
        "galleries": [{ "dug": 2, "known": true }, { "dug": 2, "known": true }, { "dug": 0, "known": false }],
        "mine": 0, "phase": { "works": 1 }, "turn": 6, "damp": false, "dark": false, "battery": null,
    }))
    .unwrap()
}

fn thought(search: Search, state: &Countermine, side: Side, stream: u64) -> Thought<Action> {
    let mut offered = Vec::new();
    state.actions(side, &mut offered);
    search.think::<Countermine>(side, &state.view(Some(side)), &offered, &mut Live::numbered(stream))
}

#[test]
fn the_only_way_to_win_is_found() {
    for stream in 0..10 {
        let thought = thought(playouts(400), &last_work(), Side::Besieger, stream);
        let best = &thought.prospects[0];
        assert_eq!(best.action, Action::Assault(1), "stream {stream}: {thought:?}");
        // A die of 5 or 6 takes the place.
        assert!((best.worth - 1.0 / 3.0).abs() < 0.15, "{best:?}");
        // Whatever else is done, it holds: EX-8 leaves no die that is enough over the countermine.
        for Prospect { action, worth, .. } in &thought.prospects[1..] {
            assert!(worth.abs() < 1e-9, "{action:?} is worth {worth}");
        }
    }
}

#[test]
fn the_orders_of_a_night_are_thought_about_without_knowing_the_others() {
    // Both write at once. Only the gallery 1 can be finished by a sap, and nothing is left to do by day
    // but to go through it: who patrols elsewhere loses half the time, whoever sleeps too.
    let night: Countermine = serde_json::from_value(json!({
        "galleries": [{ "dug": 0, "known": true }, { "dug": 1, "known": true }, { "dug": 0, "known": true }],
        "mine": null, "phase": "night", "turn": 5, "damp": false, "dark": true,
        "battery": { "x": 300, "y": 200 },
    }))
    .unwrap();
    assert_eq!(night.deciders().count(), 2);
    let best = |side| thought(playouts(3_000), &night, side, 1).prospects[0].action;
    assert_eq!(best(Side::Garrison), Action::Patrol(1));
}

#[test]
fn the_number_of_threads_changes_nothing_and_the_stream_does() {
    let state = Countermine::start(&setup("dark", None)).unwrap();
    let with = |threads: usize, stream| {
        let search = Search { threads: NonZero::new(threads).unwrap(), ..playouts(300) };
        thought(search, &state, Side::Garrison, stream)
    };
    let one = with(1, 5);
    assert_eq!(one, with(2, 5));
    assert_eq!(one, with(7, 5));
    assert_ne!(one, with(1, 6));
}

#[test]
fn it_plays_out_as_often_as_it_may() {
    for number in [1, 2, 63, 64, 129, 1_000] {
        let thought = thought(playouts(number), &last_work(), Side::Besieger, 3);
        assert_eq!(thought.playouts(), number);
    }
    let time = Search::new(Budget::Milliseconds(NonZero::new(5).unwrap()));
    assert!(thought(time, &last_work(), Side::Besieger, 3).playouts() > 0);
}

#[test]
fn what_it_does_not_see_it_does_not_know() {
    let mut state = Countermine::start(&setup("broad", None)).unwrap();
    let mut desk = Desk::new(Live::numbered(1), Silent);
    state.apply(Side::Garrison, &Action::Lay(2), &mut desk).unwrap();
    let other = twin(&state, Side::Besieger, &mut Live::numbered(3)).unwrap();
    assert_ne!(state.mine, other.mine);
    let think = |state| thought(playouts(200), state, Side::Besieger, 9);
    assert_eq!(think(&state), think(&other));
}

#[test]
fn its_orders_are_legal() {
    for (number, scenario) in (0..).zip(["narrow", "broad", "dark"].iter().cycle().take(12)) {
        let mut state = Countermine::start(&setup(scenario, None)).unwrap();
        let mut desk = Desk::new(Live::numbered(number), Silent);
        let mut stream = Live::numbered(number);
        while state.outcome().is_none() {
            let mut orders = Vec::new();
            for place in state.deciders().iter() {
                let side = Countermine::SIDES[place];
                let mut offered = Vec::new();
                state.actions(side, &mut offered);
                let view = state.view(Some(side));
                let order =
                    Player::<Countermine>::choose(&mut playouts(20), side, &view, &offered, &mut stream);
                state.check(side, &order).unwrap();
                orders.push((side, order));
            }
            for (side, order) in orders {
                state.perform(side, &order, &mut desk);
            }
        }
    }
}

/// What the first of these levels scores in so many games as the besieger, and as the garrison.
fn scores(setup: &Setup, one: Level, other: Level, games: u64) -> (f64, f64) {
    let play = |levels: [Level; 2], side| {
        (0..games)
            .map(|number| {
                let end = duel::<Countermine>(setup, &levels, number).unwrap();
                Countermine::score(&end.last.outcome().unwrap(), side)
            })
            .sum::<f64>()
    };
    (play([one, other], Side::Besieger), play([other, one], Side::Garrison))
}

#[test]
fn it_beats_the_doctrine_of_the_example_where_there_is_something_to_choose() {
    // The garrison has little to decide after it has laid its countermine; the besieger much.
    let search = "search:200".parse().unwrap();
    let setup = setup("broad", None);
    let sensible = scores(&setup, Level::Sensible, Level::Sensible, 40);
    let searching = scores(&setup, search, Level::Sensible, 40);
    assert_eq!((sensible, searching), ((13.0, 27.0), (23.0, 25.0)));
}

#[test]
fn levels_are_written_as_they_are_read() {
    for name in ["random", "sensible", "search:500", "search:800ms"] {
        assert_eq!(name.parse::<Level>().unwrap().to_string(), name);
    }
    for name in ["", "search", "search:", "search:0", "search:1.5", "search:0ms", "clever"] {
        assert_eq!(name.parse::<Level>(), Err(NoSuchLevel), "{name}");
    }
}
