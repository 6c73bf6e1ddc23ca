//! The machine that plays by doctrine: what it orders is legal, follows from what it sees, and wins.

use breach::game::{Action, State};
use breach::scenario::Side;
use kernel::{Desk, Game, Live, Setup, Silent};
use opponent::{Level, Planner, Player, Random, duel};

fn setup(scenario: &str) -> Setup {
    Setup { scenario: scenario.to_owned(), ..Setup::default() }
}

/// How many of so many games the garrison wins.
fn won(scenario: &str, levels: [Level; 2], games: u64) -> usize {
    (0..games)
        .filter(|&number| {
            let played = duel::<State>(&setup(scenario), &levels, number).unwrap();
            played.last.outcome().is_some_and(|end| end.winner == Side::Garrison)
        })
        .count()
}

#[test]
fn who_races_for_the_watchtower_beats_chance_on_either_side() {
    assert!(won("watchtower", [Level::Sensible, Level::Random], 10) >= 9);
    assert!(won("watchtower", [Level::Random, Level::Sensible], 10) <= 1);
}

#[test]
fn who_breaks_out_beats_chance_and_so_does_who_bars_the_way() {
    assert!(won("help", [Level::Sensible, Level::Random], 20) >= 18);
    assert!(won("help", [Level::Random, Level::Sensible], 20) <= 2);
}

#[test]
fn a_keep_that_is_defended_does_not_fall_to_chance() {
    assert_eq!(won("keep", [Level::Sensible, Level::Random], 5), 5);
}

/// Every order is legal, the same view gives the same order, and a garrison keeps its walls.
#[test]
fn the_doctrine_is_legal_and_follows_from_the_view() {
    let mut state = State::start(&setup("keep")).unwrap();
    let mut desk = Desk::new(Live::numbered(7), Silent);
    let mut stream = Live::numbered(7);
    let mut offered = Vec::new();
    while let Some(side) = state.to_move() {
        state.actions(side, &mut offered);
        let view = state.view(Some(side));
        let order = if side == Side::Garrison {
            let order = State::plan(side, &view, &offered, &mut stream);
            assert_eq!(order, State::plan(side, &view, &offered, &mut Live::numbered(8)));
            assert!(!matches!(order, Action::Pursue(_)), "the garrison does not pursue out of its walls");
            order
        } else {
            Player::<State>::choose(&mut Random, side, &view, &offered, &mut stream)
        };
        state.apply(side, &order, &mut desk).unwrap_or_else(|refusal| panic!("{order:?}: {refusal:?}"));
    }
}
