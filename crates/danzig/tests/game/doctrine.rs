//! The machine that plays by doctrine: what it orders is legal, follows from its stream alone, and goes
//! where the doctrine says.

use danzig::siege::WallId;
use danzig::{Action, Phase, Score, Side, State};
use kernel::{Desk, Game as _, Live, Setup, Silent};
use opponent::{Level, Planner as _, Player, Random, duel};

/// Plays a game of doctrine on these sides against the random player, and looks at every order.
fn played(number: u64, sensible: &[Side], mut look: impl FnMut(&State, Side, &Action)) -> State {
    let mut state = State::start(&Setup::default()).expect("the scenario is there");
    let mut desk = Desk::new(Live::numbered(number), Silent);
    let mut stream = Live::numbered(number);
    let mut offered = Vec::new();
    let mut decisions = 0;
    while let Some(side) = state.to_move() {
        decisions += 1;
        assert!(decisions < 20_000, "the game does not end");
        state.actions(side, &mut offered);
        let view = state.view(Some(side));
        let order = if sensible.contains(&side) {
            let order = State::plan(side, &view, &offered, &mut stream);
            look(&state, side, &order);
            order
        } else {
            Player::<State>::choose(&mut Random, side, &view, &offered, &mut stream)
        };
        state.apply(side, &order, &mut desk).unwrap_or_else(|refusal| panic!("{order:?}: {refusal:?}"));
    }
    state
}

#[test]
fn the_doctrine_of_both_sides_is_legal_and_ends_the_game() {
    let end = played(1, &[Side::French, Side::Prussian], |_, _, order| {
        // Trenches are dug to stay.
        assert!(!matches!(order, Action::Build(danzig::siege::Build::Remove { .. })), "{order:?}");
    });
    assert!(end.outcome().is_some());
}

#[test]
fn the_besieger_invests_on_turn_2_and_opens_the_first_wall() {
    let (mut invested, mut fell) = (None, None);
    played(2, &[Side::French], |state, _, _| {
        let turn = state.table.turn;
        if state.phase == Phase::Guns && danzig::ops::invested(&state.table) {
            invested.get_or_insert(turn);
        }
        if WallId::first_wall().any(|point| state.table.siege.wall(point).level == 0) {
            fell.get_or_insert(turn);
        }
    });
    assert!(invested.is_some_and(|turn| turn <= 4), "invested on {invested:?}");
    assert!(fell.is_some_and(|turn| turn <= 9), "the first wall fell on {fell:?}");
}

#[test]
fn a_city_that_is_defended_does_not_fall_to_chance() {
    let end = played(3, &[Side::Prussian], |_, _, _| {});
    assert_eq!(end.outcome().map(|outcome| outcome.result), Some(Score::PrussianMajor));
}

#[test]
fn the_same_number_gives_the_same_game() {
    let play = || duel::<State>(&Setup::default(), &[Level::Random, Level::Sensible], 5).expect("it begins");
    let (one, two) = (play(), play());
    assert_eq!((one.last, one.decisions), (two.last, two.decisions));
}
