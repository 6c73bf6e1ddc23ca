//! The worked examples of the game page, with their own numbers.

use breach::game::{Action, Place, Slot, State, Step, UnitId};
use breach::scenario::Side;
use breach::terms::Item;
use kernel::{Desk, Game as _, Scripted, Setup, Silent};
use tabletop::geometry::{Facing, Point};

fn start(scenario: &str) -> State {
    State::start(&Setup { scenario: scenario.to_owned(), ..Setup::default() }).unwrap()
}

/// Decides with these dice, no more and no fewer.
fn decide(state: &mut State, side: Side, action: &Action, dice: &[u8]) {
    let mut desk = Desk::new(Scripted::new(dice), Silent);
    state.apply(side, action, &mut desk).unwrap();
    desk.dice.finish().unwrap();
}

/// The unit with this name.
fn unit(state: &State, name: &str) -> UnitId {
    let place = state.table.units.iter().position(|unit| unit.name() == name).unwrap();
    UnitId(u8::try_from(place).unwrap())
}

fn works_done(state: &mut State) {
    while matches!(state.steps.last(), Some(Step::Works(_))) {
        let side = state.to_move().unwrap();
        decide(state, side, &Action::PlaceTheRest, &[]);
    }
}

fn rule_of(state: &State, side: Side, action: &Action) -> Option<String> {
    state.validate(side, action).err().map(|refusal| refusal.to_string())
}

/// BG-EX-03: one stand of the besieger, more than 75 cm from every element.
#[test]
fn bg_ex_03() {
    let mut state = start("keep");
    works_done(&mut state);
    decide(&mut state, Side::Garrison, &Action::DeployTheRest, &[]);
    let d17 = unit(&state, "d17");
    decide(&mut state, Side::Besieger, &Action::PickUnit(d17), &[]);
    state.table.units[usize::from(d17.0)].began = 1;
    for stand in &mut state.table.units[usize::from(d17.0)].stands[1..] {
        stand.place = Place::Dead;
    }
    let at = |x, y| Action::Deploy {
        unit: d17,
        places: vec![Place::Ground { front: Point::cm(x, y), facing: Facing::SOUTH }],
        machine: None,
        item: Item::None,
    };
    assert_eq!(rule_of(&state, Side::Besieger, &at(90, 92)), None);
    for (x, y) in [(90, 91), (10, 60), (10, 52)] {
        let refusal = rule_of(&state, Side::Besieger, &at(x, y)).unwrap();
        assert!(refusal.contains("BR-scenario-3-13"), "{x} {y}: {refusal}");
    }
}

/// BG-EX-04: three stands in a tower for four leave room for one.
#[test]
fn bg_ex_04() {
    let mut state = start("keep");
    works_done(&mut state);
    let (e10, e14) = (unit(&state, "e10"), unit(&state, "e14"));
    let tower = breach::game::ElementId(3);
    let deploy = |unit, places: Vec<Place>| Action::Deploy { unit, places, machine: None, item: Item::None };
    decide(&mut state, Side::Garrison, &Action::PickUnit(e10), &[]);
    decide(&mut state, Side::Garrison, &deploy(e10, vec![Place::Tower { element: tower }; 3]), &[]);
    decide(&mut state, Side::Garrison, &Action::PickUnit(e14), &[]);
    let refusal = rule_of(&state, Side::Garrison, &deploy(e14, vec![Place::Tower { element: tower }; 3]));
    assert!(refusal.unwrap().contains("BR-towers-22"));
    let look = breach::game::Look::Out;
    let wall = |at| Place::Rampart { element: breach::game::ElementId(at), look };
    let places = vec![Place::Tower { element: tower }, wall(4), wall(5)];
    assert_eq!(rule_of(&state, Side::Garrison, &deploy(e14, places)), None);
}

/// BG-EX-05: a tie is settled by one more die.
#[test]
fn bg_ex_05() {
    let mut state = start("watchtower");
    decide(&mut state, Side::Garrison, &Action::DeclareSide(Slot::South), &[]);
    while matches!(state.steps.last(), Some(Step::Deploy)) {
        let side = state.to_move().unwrap();
        decide(&mut state, side, &Action::DeployTheRest, &[]);
    }
    let mut actions = Vec::new();
    while matches!(state.steps.last(), Some(Step::DeployCharacters)) {
        let side = state.to_move().unwrap();
        state.actions(side, &mut actions);
        let left = state.table.characters.iter().filter(|one| !one.is_on_table()).count();
        decide(&mut state, side, &actions[0].clone(), if left == 1 { &[4, 4, 5] } else { &[] });
    }
    assert_eq!((state.first, state.turn, state.active), (Side::Besieger, 1, Side::Besieger));
}

/// A table of the first scenario with nobody on it.
fn empty() -> State {
    let mut state = start("watchtower");
    for unit in &mut state.table.units {
        for stand in &mut unit.stands {
            stand.place = Place::Off;
        }
    }
    state.active = Side::Besieger;
    state.turn = 2;
    state
}

/// Sets up the first stands of a unit; the others are away.
fn put(state: &mut State, name: &str, poses: &[(i64, i64)], facing: Facing) -> UnitId {
    let id = unit(state, name);
    let stands = &mut state.table.units[usize::from(id.0)].stands;
    for (stand, (x, y)) in stands.iter_mut().zip(poses) {
        stand.place = Place::Ground { front: Point::new(*x, *y), facing };
    }
    id
}

/// An order of the besieger has succeeded: these units move.
fn ordered(state: &mut State, units: &[UnitId]) {
    state.steps = vec![Step::Orders, Step::Move];
    state.hand.waiting = units.to_vec();
    state.hand.half = false;
    state.asked = Some(Side::Besieger);
}

fn way(stand: u8, x: i64, y: i64, facing: i32, via: &[(i64, i64)]) -> breach::game::Way {
    breach::game::Way {
        stand,
        via: via.iter().map(|(x, y)| Point::cm(*x, *y)).collect(),
        to: Place::Ground { front: Point::new(x, y), facing: Facing::tenths(facing) },
    }
}

fn march(unit: UnitId, stands: Vec<breach::game::Way>) -> Action {
    Action::March(vec![breach::game::Move { unit, stands, machine: None }])
}

/// BG-EX-09: no part of a stand travels farther than its pace.
#[test]
fn bg_ex_09() {
    let mut state = empty();
    let d4 = put(&mut state, "d4", &[(9_000, 9_200)], Facing::SOUTH);
    ordered(&mut state, &[d4]);
    let to = |x, y, facing| march(d4, vec![way(0, x, y, facing, &[])]);
    assert_eq!(rule_of(&state, Side::Besieger, &to(9_000, 7_200, 1800)), None);
    let refusal = rule_of(&state, Side::Besieger, &to(9_000, 7_400, 1350)).unwrap();
    assert!(refusal.contains("BC-5.2-02") && refusal.contains("20.02"), "{refusal}");
    assert_eq!(rule_of(&state, Side::Besieger, &to(9_000, 7_600, 1350)), None);
    assert_eq!(rule_of(&state, Side::Besieger, &to(9_000, 9_400, 0)), None);
}

/// BG-EX-10: by a waypoint, 9.43 and 10.3 or 8.6 cm.
#[test]
fn bg_ex_10() {
    let mut state = empty();
    let d4 = put(&mut state, "d4", &[(9_000, 9_200)], Facing::SOUTH);
    put(&mut state, "e10", &[(9_000, 8_700)], Facing::NORTH);
    ordered(&mut state, &[d4]);
    let to = |y, via: &[(i64, i64)]| march(d4, vec![way(0, 9_000, y, 1800, via)]);
    assert!(rule_of(&state, Side::Besieger, &to(7_500, &[])).unwrap().contains("BC-5.2-04"));
    assert_eq!(rule_of(&state, Side::Besieger, &to(7_500, &[(95, 85)])), None);
    assert_eq!(rule_of(&state, Side::Besieger, &to(7_700, &[(95, 85)])), None);
}

/// BG-EX-11: a brigade still touches, or nothing moves.
#[test]
fn bg_ex_11() {
    let mut state = empty();
    let d5 = put(&mut state, "d5", &[(8_000, 9_200), (8_400, 9_200), (8_800, 9_200)], Facing::SOUTH);
    let d6 = put(&mut state, "d6", &[(9_200, 9_200), (9_600, 9_200), (10_000, 9_200)], Facing::SOUTH);
    ordered(&mut state, &[d5, d6]);
    let ahead = |unit, x: i64, by: i64| breach::game::Move {
        unit,
        stands: (0..3).map(|k| way(k, x + 400 * i64::from(k), 9_200 - by, 1800, &[])).collect(),
        machine: None,
    };
    let both = |by| Action::March(vec![ahead(d5, 8_000, 2_000), ahead(d6, 9_200, by)]);
    assert_eq!(rule_of(&state, Side::Besieger, &both(2_000)), None);
    assert!(rule_of(&state, Side::Besieger, &both(1_700)).unwrap().contains("BC-4.3-04"));
}

/// BG-EX-50: three stands on three, each to the front of the one before it.
#[test]
fn bg_ex_50() {
    let mut state = empty();
    let e6 = put(&mut state, "e6", &[(8_600, 2_800), (9_000, 2_800), (9_400, 2_800)], Facing::NORTH);
    let d5 = put(&mut state, "d5", &[(8_650, 4_000), (9_050, 4_000), (9_450, 4_000)], Facing::SOUTH);
    ordered(&mut state, &[d5]);
    let charge = Action::Charge(breach::game::Charge {
        unit: d5,
        target: breach::game::Target::Unit(e6),
        extra: Vec::new(),
        envelop: false,
    });
    decide(&mut state, Side::Besieger, &charge, &[]);
    let stands = &state.table.units[usize::from(d5.0)].stands;
    let at = |x| Place::Ground { front: Point::new(x, 2_800), facing: Facing::SOUTH };
    assert_eq!([stands[0].place, stands[1].place, stands[2].place], [at(8_600), at(9_000), at(9_400)]);
}
