//! How scenarios end: armies that break, Generals that fall.

use breach::game::{Action, Place, Reason, State, Step, Whereabouts};
use breach::scenario::Side;
use kernel::Game as _;
use tabletop::geometry::{Facing, Point};

use crate::table::{at, bare, decide, engage, person, put, up};

const G: Side = Side::Garrison;
const B: Side = Side::Besieger;

/// The sections of the example: 400 points for the besieger, 450 for the garrison.
fn held() -> State {
    let mut state = bare("keep", &[]);
    state.table.elements[7].leaf_down = true;
    state.table.elements[3].down = true;
    state.table.elements[0].down = true;
    // Besiegers on four walls, nine of them in the courtyard.
    up(&mut state, "d5", &[1, 2, 4]);
    up(&mut state, "d6", &[5]);
    for (name, y) in [("d7", 1_000), ("d8", 700), ("d9", 400)] {
        put(&mut state, name, &[(7_900, y), (8_300, y), (8_700, y)], Facing::NORTH);
    }
    // The garrison on six walls and in the right tower, five in the courtyard.
    up(&mut state, "e8", &[8, 9, 10]);
    up(&mut state, "e9", &[12, 13, 14]);
    up(&mut state, "e10", &[11]);
    put(&mut state, "e5", &[(9_600, 1_000), (10_000, 1_000), (10_400, 1_000)], Facing::NORTH);
    put(&mut state, "e6", &[(9_600, 700), (10_000, 700)], Facing::NORTH);
    state
}

/// A General falls with the unit he is with, far from the walls.
fn general_falls(state: &mut State, turn: u8, general: &str, unit: &str, by: &str) {
    let (one, other) = if unit.starts_with('e') { (NORTH, SOUTH) } else { (SOUTH, NORTH) };
    let lost = put(state, unit, &[(6_000, 8_000)], one);
    let winner = put(state, by, &[(6_000, 8_000)], other);
    person(state, general, Whereabouts::With(lost));
    state.table.units[usize::from(lost.0)].odd_hits = if unit.starts_with('e') { 2 } else { 3 };
    engage(state, &[lost, winner]);
    state.turn = turn;
    at(state, B, &[Step::Fights]);
    let besieger_first = general.starts_with('e');
    // The side in its turn strikes first; one unsaved hit is enough.
    let dice: &[u8] =
        if besieger_first { &[4, 1, 1, 1, 1, 1, 1, 1, 1] } else { &[1, 1, 1, 1, 1, 4, 1, 1, 1] };
    decide(state, B, &Action::Fight(if besieger_first { lost } else { winner }), dice);
}

const NORTH: Facing = Facing::NORTH;
const SOUTH: Facing = Facing::SOUTH;

/// BG-EX-46: in turn 6 the General's side has lost; in turn 7 the 450 to 400 points decide.
#[test]
fn bg_ex_46() {
    let mut state = held();
    general_falls(&mut state, 6, "e1", "e4", "d11");
    let end = state.outcome().unwrap();
    assert_eq!((end.winner, end.reason, end.points), (B, Reason::General, None));
    let mut state = held();
    general_falls(&mut state, 7, "e1", "e4", "d11");
    let end = state.outcome().unwrap();
    assert_eq!((end.winner, end.reason, end.points), (G, Reason::Points, Some([450, 400])));
}

/// BR-EX-24: the besieger's General falls in turn 6, or in turn 7 when he leads 400 to 350.
#[test]
fn br_ex_24() {
    let mut state = held();
    general_falls(&mut state, 6, "d1", "d12", "e4");
    assert_eq!(state.outcome().map(|end| (end.winner, end.reason)), Some((G, Reason::General)));
    let mut state = held();
    // Two walls fewer for the garrison.
    for name in ["e8", "e9"] {
        let id = crate::table::unit(&state, name);
        state.table.units[usize::from(id.0)].stands[2].place = Place::Dead;
    }
    general_falls(&mut state, 7, "d1", "d12", "e4");
    let end = state.outcome().unwrap();
    assert_eq!((end.winner, end.points), (B, Some([350, 400])));
}

/// Units of a side are gone, so many of them; somebody of each side is left to be asked.
fn lost(scenario: &str, side: Side, gone: usize) -> State {
    let mut state = bare(scenario, &[]);
    let (mut left, mut known) = (gone, 0);
    for unit in &mut state.table.units {
        for stand in &mut unit.stands {
            let (column, row) = (known % 40, known / 40);
            let y = if unit.side == G { 500 } else { 10_000 } + 500 * row;
            let place = Place::Ground { front: Point::new(600 + 420 * column, y), facing: NORTH };
            known += 1;
            let dead = stand.place == Place::Dead || (unit.side == side && left > 0);
            stand.place = if dead { Place::Dead } else { place };
        }
        if unit.side == side && left > 0 {
            left -= 1;
        }
    }
    at(&mut state, B, &[Step::Characters]);
    decide(&mut state, B, &Action::EndCharacters, &[]);
    state
}

fn end(state: &State) -> Option<(Side, Reason)> {
    state.outcome().map(|end| (end.winner, end.reason))
}

/// BR-scenario-1-15, BR-scenario-2-13, BR-scenario-2-14: half the units lost, and the other side has won;
/// one unit less, and it goes on.
#[test]
fn a_broken_army_withdraws() {
    assert_eq!(end(&lost("watchtower", B, 5)), None);
    assert_eq!(end(&lost("watchtower", B, 6)), Some((G, Reason::Broken)));
    assert_eq!(end(&lost("help", B, 3)), None);
    assert_eq!(end(&lost("help", B, 4)), Some((G, Reason::Broken)));
    assert_eq!(end(&lost("help", G, 1)), None);
    assert_eq!(end(&lost("help", G, 2)), Some((B, Reason::Broken)));
}

/// BR-general-01, BR-scenario-3-15: in the siege no loss ends the game.
#[test]
fn no_loss_ends_a_siege() {
    assert_eq!(end(&lost("keep", G, 13)), None);
}

/// BR-scenario-1-14 and the others: a General who falls in the field takes his army with him.
#[test]
fn a_general_who_falls_in_the_field_ends_the_scenario() {
    for (scenario, general, winner) in
        [("watchtower", "e1", B), ("watchtower", "d1", G), ("help", "e1", B), ("help", "d1", G)]
    {
        let mut state = lost(scenario, G, 0);
        person(&mut state, general, Whereabouts::Slain);
        at(&mut state, B, &[Step::Characters]);
        decide(&mut state, B, &Action::EndCharacters, &[]);
        assert_eq!(end(&state), Some((winner, Reason::General)), "{scenario} {general}");
    }
}
