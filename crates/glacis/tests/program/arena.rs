//! Games for players that learn: every system is told in numbers and played by indexes.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::collections::BTreeSet;

use countermine::Countermine;
use glacis::arena::{Arena, Batch, Ended, WIDTH};
use glacis::system::Game;
use kernel::{Game as _, Live, Setup};
use serde_json::{Value, json};

use crate::example::example;

fn setup(scenario: &str) -> Setup {
    Setup { scenario: scenario.to_owned(), ..Setup::default() }
}

fn games() -> Vec<Game> {
    glacis::systems().into_iter().chain([example()]).filter_map(|system| system.game).collect()
}

fn countermine(scenario: &str) -> Box<dyn Arena> {
    (example().game.unwrap().arena)(&setup(scenario)).unwrap()
}

/// Chooses the index that stands for this.
fn choose(arena: &mut dyn Arena, meaning: &Value) {
    let index = arena.choices().iter().copied().find(|index| arena.meaning(*index).as_ref() == Some(meaning));
    assert!(index.is_some(), "no choice means {meaning}");
    arena.choose(index.unwrap()).unwrap();
}

/// Random games of every scenario of every system: there is always something to choose, below the width and in
/// order; the numbers are always as many as their names, none twice, and each side has its own.
#[test]
fn every_system_is_played_by_indexes_and_told_in_numbers() {
    for game in games() {
        for scenario in game.hosting.scenarios {
            let mut arena = (game.arena)(&setup(scenario)).unwrap();
            arena.begin(1807);
            let names = arena.names();
            assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{scenario}: a name twice");
            let mut lot = Live::numbered(7);
            let mut steps = 0;
            while let Some(asked) = arena.asked()
                && steps < 3_000
            {
                let choices = arena.choices().to_vec();
                assert!(!choices.is_empty() && choices.is_sorted_by(|one, next| one < next), "{scenario}");
                assert!(usize::from(*choices.last().unwrap()) < WIDTH, "{scenario}: {choices:?}");
                if steps % 50 == 0 {
                    assert!(choices.iter().all(|index| arena.meaning(*index).is_some()), "{scenario}");
                    for reader in (0..game.hosting.sides().len()).map(Some).chain([None]) {
                        let numbers = arena.features(reader);
                        assert_eq!(numbers.len(), names.len(), "{scenario}");
                        assert!(numbers.iter().all(|number| number.is_finite()), "{scenario}");
                        let decides = numbers[names.iter().position(|name| name == "asked.decides").unwrap()];
                        assert_eq!(decides > 0.5, reader == Some(asked), "{scenario}");
                    }
                }
                let index = arena.any(&mut lot);
                arena.choose(index).unwrap();
                steps += 1;
            }
            if let Some(scores) = arena.scores() {
                assert!((scores.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{scenario}: {scores:?}");
                assert_eq!(arena.choose(0).unwrap_err().reason, kernel::phrase::GAME_OVER);
            }
            assert!(arena.decisions() > 0, "{scenario}");
        }
    }
}

/// The kinds of a system are those that its orders are written with: none is without an index of its own.
#[test]
fn every_kind_of_order_has_an_index_of_its_own() {
    for game in games() {
        let mut arena = (game.arena)(&setup(game.hosting.scenarios[0])).unwrap();
        let kinds = arena.kinds();
        assert!(kinds.len() > 5 && kinds.len() < WIDTH, "{}: {kinds:?}", game.hosting.name);
        let mut lot = Live::numbered(3);
        for _ in 0..2_000 {
            if arena.asked().is_none() {
                arena.begin(4);
            }
            for index in arena.choices() {
                let meaning = arena.meaning(*index).unwrap();
                if let Some(kind) = meaning.get("kind") {
                    assert_eq!(*kind, kinds[usize::from(*index)], "{}", game.hosting.name);
                }
            }
            let index = arena.any(&mut lot);
            arena.choose(index).unwrap();
        }
    }
}

/// Every order that is offered can be chosen, once, however long the list is.
#[test]
fn a_list_longer_than_the_indexes_is_told_in_blocks() {
    let game = Countermine::start(&countermine::setup("vast", None)).unwrap();
    let mut offered = Vec::new();
    game.actions(countermine::Side::Garrison, &mut offered);
    assert!(offered.len() > WIDTH, "{}", offered.len());
    let mut arena = countermine("vast");
    // All are of one kind, about galleries whose numbers are too large to be indexes: they come in blocks.
    let mut found = Vec::new();
    for block in arena.choices().to_vec() {
        arena.begin(0);
        assert!(arena.meaning(block).unwrap().get("block").is_some(), "{:?}", arena.meaning(block));
        arena.choose(block).unwrap();
        found.extend(arena.choices().iter().map(|index| arena.meaning(*index).unwrap()["order"].clone()));
    }
    let all: Vec<Value> = offered.iter().map(|action| json!(action)).collect();
    assert_eq!(found, all);
}

/// A stage with one choice is passed over, and the last index carries the order out.
#[test]
fn a_decision_is_asked_for_stage_by_stage() {
    let mut arena = countermine("narrow");
    assert_eq!(arena.asked(), Some(1));
    choose(&mut *arena, &json!({ "subject": 1 }));
    assert_eq!((arena.asked(), arena.decisions()), (Some(0), 1));
    let kinds: Vec<Value> = arena.choices().iter().map(|index| arena.meaning(*index).unwrap()).collect();
    assert_eq!(kinds, [json!({ "kind": "dig" }), json!({ "kind": "listen" })]);
    choose(&mut *arena, &json!({ "kind": "dig" }));
    assert_eq!(arena.decisions(), 1, "what to dig is still to be said");
    let refused = arena.choose(255).unwrap_err();
    assert_eq!(
        (refused.field.as_deref(), refused.reason),
        (Some("action"), kernel::phrase::IMPOSSIBLE_VALUE)
    );
    choose(&mut *arena, &json!({ "subject": 0 }));
    assert_eq!(arena.decisions(), 2);
}

/// Orders of the night are written in secret: whoever is asked second sees nothing of the first one's, and
/// neither is carried out before both are there.
#[test]
fn who_decides_in_secret_shows_nothing() {
    let night = |sapped: u32| {
        let mut arena = countermine("dark");
        choose(&mut *arena, &json!({ "subject": 2 }));
        for _ in 0..2 {
            choose(&mut *arena, &json!({ "kind": "listen" }));
            let first = arena.choices()[0];
            arena.choose(first).unwrap();
        }
        // There is nothing else to do: the one order is asked for as it is.
        choose(&mut *arena, &json!({ "order": "hold" }));
        let before = arena.decisions();
        assert_eq!(arena.asked(), Some(0));
        let watched = arena.features(Some(1)).to_vec();
        choose(&mut *arena, &json!({ "kind": "sap" }));
        assert_eq!(arena.features(Some(1)), watched, "what is half said is nobody's business");
        choose(&mut *arena, &json!({ "subject": sapped }));
        assert_eq!((arena.asked(), arena.decisions()), (Some(1), before));
        let seen = arena.features(Some(1)).to_vec();
        choose(&mut *arena, &json!({ "kind": "sleep" }));
        assert_eq!(arena.decisions(), before + 2);
        (seen, arena.features(Some(1)).to_vec())
    };
    let ((one, after_one), (other, after_other)) = (night(0), night(1));
    assert_eq!(one, other);
    assert_ne!(after_one, after_other);
}

/// The games of a batch follow from its seed; one that is over makes room for the next.
#[test]
fn a_batch_is_the_same_for_its_seed() {
    let game = example().game.unwrap();
    let play = |seed: &str| {
        let mut batch = Batch::open(&game, &setup("broad"), seed, 4, Some(60)).unwrap();
        let (mut told, mut over) = (Vec::new(), 0);
        for _ in 0..300 {
            let indexes = batch.any();
            batch.step(&indexes).unwrap();
            batch.each_features(|_, numbers| told.extend_from_slice(numbers));
            for (ended, rewards) in batch.ended() {
                if ended == Ended::Over {
                    over += 1;
                    assert!(
                        (rewards.iter().sum::<f32>()).abs() < 1e-6 && rewards[0].abs() > 0.9,
                        "{rewards:?}"
                    );
                }
            }
        }
        assert!(over > 10, "{over}");
        told
    };
    assert!(play("a") == play("a"));
    assert!(play("a") != play("b"));
}

/// One wrong index, and no game of the batch has changed.
#[test]
fn a_batch_refuses_before_it_begins() {
    let game = example().game.unwrap();
    let mut batch = Batch::open(&game, &setup("narrow"), "a", 2, None).unwrap();
    let mut before = Vec::new();
    batch.each_features(|_, numbers| before.extend_from_slice(numbers));
    let mut indexes = batch.any();
    indexes[1] = 200;
    assert_eq!(batch.step(&indexes).unwrap_err().field.as_deref(), Some("actions.1"));
    assert_eq!(batch.step(&indexes[..1]).unwrap_err().field.as_deref(), Some("actions"));
    let mut after = Vec::new();
    batch.each_features(|_, numbers| after.extend_from_slice(numbers));
    assert_eq!(before, after);
    assert!(
        Batch::open(&game, &setup("narrow"), "a", 0, None)
            .is_err_and(|refusal| refusal.field.as_deref() == Some("games"))
    );
}
