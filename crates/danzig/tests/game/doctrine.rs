//! The machine that plays by doctrine: what it orders is legal, follows from its stream alone, and goes
//! where the doctrine says.

use danzig::doctrine::{Plan, worth};
use danzig::siege::WallId;
use danzig::{Action, Arm, Phase, Place, Score, Side, State, UnitId};
use kernel::{Desk, Game as _, Live, Setup, Silent};
use opponent::{Level, Planner as _, Player, Random, duel};

/// The siege with the morale that the doctrine was measured with.
fn setup() -> Setup {
    Setup { options: [("morale_start".to_owned(), "14".to_owned())].into(), ..Setup::default() }
}

/// Plays a game of doctrine on these sides against the random player, and looks at every order.
fn played(number: u64, sensible: &[Side], mut look: impl FnMut(&State, Side, &Action)) -> State {
    let mut state = State::start(&setup()).expect("the scenario is there");
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
        if state.phase == Phase::Build && danzig::ops::invested(&state.table) {
            invested.get_or_insert(turn);
        }
        if WallId::first_wall().any(|point| state.table.siege.wall(point).level == 0) {
            fell.get_or_insert(turn);
        }
    });
    assert!(invested.is_some_and(|turn| turn <= 4), "invested on {invested:?}");
    assert!(fell.is_some_and(|turn| turn <= 12), "the first wall fell on {fell:?}");
}

/// How many of six games against the random player a side wins by doctrine.
fn won(levels: [Level; 2], wins: impl Fn(Score) -> bool) -> usize {
    (0..6)
        .filter(|number| {
            let game = duel::<State>(&setup(), &levels, *number).expect("it begins");
            game.last.outcome().is_some_and(|outcome| wins(outcome.result))
        })
        .count()
}

#[test]
fn the_doctrine_of_either_side_beats_chance() {
    let besieger = won([Level::Sensible, Level::Random], |score| score == Score::FrenchVictory);
    assert!(besieger >= 5, "the besieger won {besieger} of 6");
    let besieged = won([Level::Random, Level::Sensible], |score| {
        matches!(score, Score::PrussianMinor | Score::PrussianMajor)
    });
    assert_eq!(besieged, 6, "the besieged won {besieged} of 6");
}

#[test]
fn one_sided_plans_are_played_by_the_rules_too() {
    for plan in Plan::ALL {
        assert_eq!(Plan::named(plan.name()), Some(plan));
    }
    let mut state = State::start(&setup()).expect("the scenario is there");
    let mut desk = Desk::new(Live::numbered(4), Silent);
    let (mut offered, mut outside) = (Vec::new(), 0);
    while let Some(side) = state.to_move().filter(|_| state.table.turn < 3) {
        state.actions(side, &mut offered);
        let plan = if side == Side::Prussian { Plan::Sally } else { Plan::OneWall };
        let order = plan.order(side, &state.view(Some(side)), &offered);
        state.apply(side, &order, &mut desk).unwrap_or_else(|refusal| panic!("{order:?}: {refusal:?}"));
        let garrison = UnitId::of_side(Side::Prussian).filter(|unit| unit.data().arm == Arm::Infantry);
        let out = garrison.filter(|unit| matches!(state.table.unit(*unit).place, Place::Hex(_))).count();
        outside = outside.max(out);
    }
    assert!(outside >= 10, "{outside} battalions at most were outside at once");
}

#[test]
fn a_position_is_worth_what_it_came_to() {
    let start = State::start(&setup()).expect("the scenario is there");
    let before = worth(&start, Side::French);
    assert!((0.0..=1.0).contains(&before));
    assert!((before + worth(&start, Side::Prussian) - 1.0).abs() < 1e-9);
    let lost = played(3, &[Side::Prussian], |_, _, _| {});
    assert!(worth(&lost, Side::Prussian) > 0.99, "the city held out");
    let mut shaken = start;
    shaken.table.danzig.morale = 3;
    assert!(worth(&shaken, Side::French) > before);
}

#[test]
fn a_city_that_is_defended_does_not_fall_to_chance() {
    let end = played(3, &[Side::Prussian], |_, _, _| {});
    assert_eq!(end.outcome().map(|outcome| outcome.result), Some(Score::PrussianMajor));
}

#[test]
fn the_same_number_gives_the_same_game() {
    let play = || duel::<State>(&setup(), &[Level::Random, Level::Sensible], 5).expect("it begins");
    let (one, two) = (play(), play());
    assert_eq!((one.last, one.decisions), (two.last, two.decisions));
}
