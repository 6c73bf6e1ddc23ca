//! What players may agree on besides the book: resistances of their own, several items for a unit, and whom a
//! stand strikes. Each test is named after its ruling.

use breach::game::{Action, State, Step, UnitId};
use breach::scenario::Side;
use breach::terms::Item;
use kernel::{Desk, Game as _, Scripted, Setup, Silent};
use tabletop::geometry::Facing;

use crate::table::{at, bare, decide, engage, listed, ordered, put, refusal, unit};

const G: Side = Side::Garrison;
const B: Side = Side::Besieger;
const GATE: usize = 7;
const TOWER: usize = 3;
const WALL: usize = 5;

fn of(state: &State, id: UnitId) -> &breach::game::Unit {
    &state.table.units[usize::from(id.0)]
}

fn custom() -> State {
    let own = [
        ("structure_resistance", "custom"),
        ("gate_resistance", "6"),
        ("wall_resistance", "10"),
        ("tower_resistance", "15"),
    ];
    let mut state = bare("keep", &own);
    at(&mut state, B, &[Step::Shoot]);
    state
}

/// BR-R02: 7 is more than the 6 of the leaf, 11 more than the 10 of a wall, 16 more than the 15 of a tower;
/// the structure of the gate stands halfway, at 12.
#[test]
fn br_r02_the_numbers_of_the_players_hold_in_the_game() {
    for (dice, falls) in [([3, 4], true), ([3, 3], false)] {
        let mut state = custom();
        state.table.elements[GATE].leaf_hits = 2;
        decide(&mut state, B, &Action::EndShooting, &dice);
        assert_eq!(state.table.elements[GATE].leaf_down, falls);
    }
    for (element, dice, falls) in [
        (WALL, [4, 4, 3], true),
        (WALL, [4, 3, 3], false),
        (TOWER, [6, 6, 4], true),
        (TOWER, [6, 6, 3], false),
        (GATE, [6, 6, 1], true),
        (GATE, [6, 5, 1], false),
    ] {
        let mut state = custom();
        state.table.elements[element].hits = 3;
        decide(&mut state, B, &Action::EndShooting, &dice);
        assert_eq!(state.table.elements[element].down, falls, "{element}: {dice:?}");
    }
}

/// BR-R02: numbers of one's own only where players set them; a tower is stronger than a wall.
#[test]
fn br_r02_what_cannot_be_agreed_on_is_refused() {
    let refused = |options: &[(&str, &str)]| {
        let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let setup = Setup { scenario: "keep".to_owned(), options: options.collect() };
        State::start(&setup).err().map_or_else(String::new, |refusal| refusal.to_string())
    };
    assert!(refused(&[("wall_resistance", "25")]).contains("BR-R108"));
    assert!(refused(&[("tower_resistance", "40")]).contains("BR-R109"));
    let equal = [("structure_resistance", "custom"), ("wall_resistance", "30")];
    assert!(refused(&equal).contains("BR-towers-04"));
    assert_eq!(refused(&[("structure_resistance", "custom"), ("wall_resistance", "25")]), "");
}

/// The besieger sets up this unit, all others of both sides being gone or later.
fn setting_up(name: &str, option: &str) -> (State, UnitId) {
    let mut state = bare("keep", &[("equipment_per_unit", option)]);
    for one in state.table.units.iter_mut().filter(|one| one.side == G) {
        for stand in &mut one.stands {
            stand.place = breach::game::Place::Dead;
        }
    }
    let id = unit(&state, name);
    at(&mut state, B, &[Step::Deploy]);
    state.hand.placing = Some(B);
    state.hand.unit = Some(id);
    (state, id)
}

fn first_place(state: &State, item: Item) -> Action {
    let places = listed(state, B).into_iter();
    let wanted = |action: &Action| matches!(action, Action::Deploy { item: given, .. } if *given == item);
    places.into_iter().find(wanted).unwrap()
}

/// BR-R73: mantlets besides a portable ram; when it is left they come into use. One item is the rule.
#[test]
fn br_r73_several_items_are_used_one_after_the_other() {
    let (state, d8) = setting_up("d8", "one");
    let more = |unit| Action::AddItem { unit, item: Item::Mantlets };
    assert!(refusal(&state, B, &more(d8)).contains("BR-R73"));
    assert!(!listed(&state, B).contains(&more(d8)));

    let (mut state, d8) = setting_up("d8", "several");
    let mantlets = state.table.stores[1].items[1];
    assert!(listed(&state, B).contains(&more(d8)));
    decide(&mut state, B, &more(d8), &[]);
    assert_eq!(state.table.stores[1].items[1], mantlets - 1);
    // Nothing twice.
    assert!(refusal(&state, B, &more(d8)).contains("BR-R73"));
    let place = first_place(&state, Item::PortableRam);
    decide(&mut state, B, &place, &[]);
    assert_eq!(
        (of(&state, d8).item, of(&state, d8).spare),
        (Item::PortableRam, [Item::Mantlets, Item::None])
    );
    ordered(&mut state, B, &[d8]);
    decide(&mut state, B, &Action::Abandon(d8), &[]);
    assert_eq!((of(&state, d8).item, of(&state, d8).spare), (Item::Mantlets, [Item::None; 2]));
    decide(&mut state, B, &Action::Abandon(d8), &[]);
    assert_eq!(of(&state, d8).item, Item::None);
}

/// BR-R73, BR-ladders-04: ladders go with nothing else.
#[test]
fn br_r73_ladders_stand_alone() {
    let (mut state, d5) = setting_up("d5", "several");
    let ladders = first_place(&state, Item::Ladders);
    decide(&mut state, B, &Action::AddItem { unit: d5, item: Item::PortableRam }, &[]);
    assert!(refusal(&state, B, &ladders).contains("BR-ladders-04"));
    let place = first_place(&state, Item::None);
    decide(&mut state, B, &place, &[]);
    assert_eq!(of(&state, d5).item, Item::PortableRam);
}

/// One stand of the besieger with two units of the garrison along its front.
fn two_foes(option: &str) -> (State, [UnitId; 3]) {
    let mut state = bare("watchtower", &[("attack_allocation", option)]);
    let d4 = put(&mut state, "d4", &[(9_000, 3_000)], Facing::SOUTH);
    let e5 = put(&mut state, "e5", &[(8_800, 3_000)], Facing::NORTH);
    let e6 = put(&mut state, "e6", &[(9_200, 3_000)], Facing::NORTH);
    engage(&mut state, &[d4, e5, e6]);
    at(&mut state, B, &[Step::Fights]);
    (state, [d4, e5, e6])
}

/// One hit of the besieger, who strikes first; nobody else does anything.
fn fight_on(state: &mut State, action: &Action) {
    let mut dice = vec![6, 1, 1];
    dice.extend([1; 60]);
    state.apply(B, action, &mut Desk::new(Scripted::new(&dice), Silent)).unwrap();
}

/// BR-R81: by the rule the lower number is struck; the owner may name the other.
#[test]
fn br_r81_the_owner_names_whom_a_stand_strikes() {
    let (mut state, [_, e5, e6]) = two_foes("automatic");
    fight_on(&mut state, &Action::Fight(e5));
    assert_eq!((of(&state, e5).odd_hits, of(&state, e6).odd_hits), (1, 0));

    for (named, hits) in [(0, (1, 0)), (1, (0, 1))] {
        let (mut state, [d4, e5, e6]) = two_foes("chosen");
        decide(&mut state, B, &Action::Fight(e5), &[]);
        let strike = |target| Action::Strike { unit: d4, stand: 0, target };
        assert_eq!(listed(&state, B), [strike(e5), strike(e6)]);
        fight_on(&mut state, &strike([e5, e6][named]));
        assert_eq!((of(&state, e5).odd_hits, of(&state, e6).odd_hits), hits);
    }
}
