//! Magic (core 12): each spell with its number, who may cast it where, and the Runesmith.

use breach::game::{Action, Casting, CharacterId, Move, Slot, Spell, State, Step, UnitId, Way, Whereabouts};
use breach::lists::Line;
use breach::scenario::Side;
use tabletop::geometry::{Facing, Point};

use crate::table::{at, bare, decide, engage, ground, listed, ordered, person, post, put, refusal};

const G: Side = Side::Garrison;
const B: Side = Side::Besieger;
const NORTH: Facing = Facing::NORTH;
const SOUTH: Facing = Facing::SOUTH;

fn of(state: &State, id: UnitId) -> &breach::game::Unit {
    &state.table.units[usize::from(id.0)]
}

fn wizard(state: &mut State, name: &str, x: i64, y: i64) -> CharacterId {
    let id = person(state, name, Whereabouts::At(Point::new(x, y)));
    state.table.characters[usize::from(id.0)].line = Line::Wizard;
    id
}

/// A Wizard at (90, 10) in the Shooting phase of the garrison, and Warriors at a distance to his front.
fn before(magic: &str, distance: i64) -> (State, CharacterId, UnitId) {
    let mut state = bare("watchtower", &[("magic", magic)]);
    let e2 = wizard(&mut state, "e2", 9_000, 1_000);
    let d4 = put(&mut state, "d4", &[(9_000, 1_000 + distance)], SOUTH);
    at(&mut state, G, &[Step::Shoot]);
    (state, e2, d4)
}

fn cast(character: CharacterId, spell: Spell) -> Action {
    Action::Cast { character, spell }
}

/// BR-R59: without the option nobody casts.
#[test]
fn br_r59_magic_is_an_option() {
    let (state, e2, d4) = before("off", 2_000);
    assert_eq!(listed(&state, G), [Action::EndShooting]);
    assert!(refusal(&state, G, &cast(e2, Spell::Dread(d4))).contains("BC-12-01"));
    let (state, e2, d4) = before("on", 2_000);
    let spells = [Spell::FireLine(d4), Spell::Dread(d4)].map(|spell| cast(e2, spell));
    assert_eq!(listed(&state, G), [vec![Action::EndShooting], spells.to_vec()].concat());
    // A Hero is no Wizard.
    assert!(refusal(&state, G, &cast(CharacterId(2), Spell::Dread(d4))).contains("BC-12-01"));
}

/// BC-12-01, BC-12-02, BC-12-07: dread works on 4, not on 3; one spell in a phase.
#[test]
fn bc_12_02_a_spell_needs_its_number() {
    for (die, works) in [(1, false), (3, false), (4, true), (6, true)] {
        let (mut state, e2, d4) = before("on", 2_000);
        // A second Wizard, so that the phase goes on.
        wizard(&mut state, "e3", 9_100, 1_000);
        decide(&mut state, G, &cast(e2, Spell::Dread(d4)), &[die]);
        assert_eq!(of(&state, d4).marks.dread, works, "{die}");
        assert!(refusal(&state, G, &cast(e2, Spell::FireLine(d4))).contains("BC-12-01"));
    }
}

/// BC-12-03: a second Wizard does not cast the same spell on a unit, but another.
#[test]
fn bc_12_03_a_spell_affects_a_unit_once() {
    let (mut state, e2, d4) = before("on", 2_000);
    let e3 = wizard(&mut state, "e3", 9_100, 1_000);
    decide(&mut state, G, &cast(e2, Spell::Dread(d4)), &[4]);
    assert!(refusal(&state, G, &cast(e3, Spell::Dread(d4))).contains("BC-12-03"));
    assert_eq!(refusal(&state, G, &cast(e3, Spell::FireLine(d4))), "");
}

/// BC-12-04: 30 cm and no farther; nobody in between.
#[test]
fn bc_12_04_reach_and_sight() {
    let (state, e2, d4) = before("on", 3_000);
    assert_eq!(refusal(&state, G, &cast(e2, Spell::Dread(d4))), "");
    let (state, e2, d4) = before("on", 3_001);
    assert!(refusal(&state, G, &cast(e2, Spell::Dread(d4))).contains("BC-12-04"));
    let (mut state, e2, d4) = before("on", 2_000);
    put(&mut state, "e4", &[(8_600, 2_000), (9_000, 2_000), (9_400, 2_000)], NORTH);
    assert!(refusal(&state, G, &cast(e2, Spell::Dread(d4))).contains("BC-12-04"));
    // The unit he is with is not in his way.
    let with = crate::table::unit(&state, "e4");
    person(&mut state, "e2", Whereabouts::With(with));
    assert_eq!(refusal(&state, G, &cast(e2, Spell::Dread(d4))), "");
}

/// BC-12-05: three attacks on every unit under the line, friends too.
#[test]
fn bc_12_05_a_line_of_fire() {
    let (mut state, e2, d4) = before("on", 2_000);
    let d5 = put(&mut state, "d5", &[(9_000, 3_400)], SOUTH);
    let e6 = put(&mut state, "e6", &[(9_000, 3_990)], NORTH);
    let beside = put(&mut state, "d6", &[(9_300, 3_000)], SOUTH);
    // The spell; Halberdiers one hit and their save; Warriors two hits and their saves; nothing.
    let dice = [5, 4, 1, 1, 1, 4, 4, 1, 1, 4, 1, 1, 1];
    decide(&mut state, G, &cast(e2, Spell::FireLine(d4)), &dice);
    let hits = [e6, d4, d5, beside].map(|id| of(&state, id).shot_hits);
    assert_eq!(hits, [1, 1, 0, 0]);
    let (mut state, e2, d4) = before("on", 2_000);
    decide(&mut state, G, &cast(e2, Spell::FireLine(d4)), &[4]);
    assert_eq!(of(&state, d4).shot_hits, 0);
}

/// BC-12-06: a friend moves as if ordered, once, and not from close combat.
#[test]
fn bc_12_06_the_voice_of_command() {
    let (mut state, e2, _) = before("on", 8_000);
    wizard(&mut state, "e3", 9_100, 1_000);
    let e6 = put(&mut state, "e6", &[(8_600, 2_000), (9_000, 2_000), (9_400, 2_000)], NORTH);
    let voice = cast(e2, Spell::CommandVoice(e6));
    let mut engaged = state.clone();
    engage(&mut engaged, &[e6]);
    assert!(refusal(&engaged, G, &voice).contains("BC-12-06"));
    decide(&mut state, G, &voice, &[5]);
    assert_eq!(state.steps.last(), Some(&Step::Move));
    let stands = [8_600, 9_000, 9_400].into_iter().zip(0..);
    let ways = stands.map(|(x, stand)| Way { stand, via: Vec::new(), to: ground(x, 4_000, NORTH) });
    let march = Action::March(vec![Move { unit: e6, stands: ways.collect(), machine: None }]);
    decide(&mut state, G, &march, &[]);
    assert_eq!(of(&state, e6).stands[1].place, ground(9_000, 4_000, NORTH));
    assert_eq!(state.steps.last(), Some(&Step::Shoot));
    let again = cast(crate::table::character(&state, "e3"), Spell::CommandVoice(e6));
    assert!(refusal(&state, G, &again).contains("BC-12-03"));
}

/// BC-12-07: half pace until the end of its own turn.
#[test]
fn bc_12_07_dread_halves_the_pace() {
    let (mut state, e2, d4) = before("on", 3_000);
    decide(&mut state, G, &cast(e2, Spell::Dread(d4)), &[4]);
    assert_eq!((state.active, of(&state, d4).marks.dread), (B, true));
    let march = |cm: i64| {
        let way = Way { stand: 0, via: Vec::new(), to: ground(9_000, 4_000 - cm, SOUTH) };
        Action::March(vec![Move { unit: d4, stands: vec![way], machine: None }])
    };
    ordered(&mut state, B, &[d4]);
    state.steps = vec![Step::PlayerTurnEnd, Step::Move];
    assert_eq!(refusal(&state, B, &march(1_000)), "");
    assert!(refusal(&state, B, &march(1_001)).contains("BC-5.2-02"));
    decide(&mut state, B, &Action::Halt, &[]);
    assert_eq!((state.active, of(&state, d4).marks.dread), (G, false));
}

/// BC-12-08: in dread a stand of Warriors strikes with two dice instead of three.
#[test]
fn bc_12_08_dread_is_terror() {
    for (dread, blows) in [(false, 3), (true, 2)] {
        let mut state = bare("watchtower", &[("magic", "on")]);
        let d4 = put(&mut state, "d4", &[(9_000, 3_000)], SOUTH);
        let e6 = put(&mut state, "e6", &[(9_000, 3_000)], NORTH);
        engage(&mut state, &[d4, e6]);
        state.table.units[usize::from(d4.0)].marks.dread = dread;
        at(&mut state, B, &[Step::Fights]);
        // Nobody hits; the besiegers fall back by three dice.
        let dice = vec![1; blows + 3 + 3];
        decide(&mut state, B, &Action::Fight(e6), &dice);
    }
}

/// BC-12-09: anywhere on 2, not on 1; then one other spell.
#[test]
fn bc_12_09_a_teleport_and_one_other_spell() {
    let (mut state, e2, d4) = before("on", 8_000);
    wizard(&mut state, "e3", 9_100, 7_000);
    let there = Whereabouts::At(Point::new(9_000, 7_000));
    let mut failed = state.clone();
    decide(&mut failed, G, &cast(e2, Spell::Teleport(there)), &[1]);
    assert_eq!(failed.table.characters[usize::from(e2.0)].place, Whereabouts::At(Point::new(9_000, 1_000)));
    assert!(refusal(&failed, G, &cast(e2, Spell::Teleport(there))).contains("BC-12-01"));
    assert!(refusal(&state, G, &cast(e2, Spell::Dread(d4))).contains("BC-12-04"));
    decide(&mut state, G, &cast(e2, Spell::Teleport(there)), &[2]);
    let one = &state.table.characters[usize::from(e2.0)];
    assert_eq!((one.place, one.casting), (there, Casting::Another));
    let back = Whereabouts::At(Point::new(9_000, 1_000));
    assert!(refusal(&state, G, &cast(e2, Spell::Teleport(back))).contains("BC-12-09"));
    decide(&mut state, G, &cast(e2, Spell::Dread(d4)), &[4]);
    assert!(of(&state, d4).marks.dread);
}

/// BC-12-10: within 50 cm the Runesmith cancels on 4; beyond nobody asks him.
#[test]
fn bc_12_10_the_runesmith_cancels() {
    for (away, attempt, dice, dread) in [
        (5_000, Some(true), vec![4], false),
        (5_000, Some(true), vec![3], true),
        (5_000, Some(false), vec![], true),
        (5_001, None, vec![], true),
    ] {
        let (mut state, e2, d4) = before("on", 2_000);
        wizard(&mut state, "e3", 9_100, 1_000);
        person(&mut state, "d3", Whereabouts::At(Point::new(9_000 + away, 1_000)));
        decide(&mut state, G, &cast(e2, Spell::Dread(d4)), &[4]);
        let asked = state.asked == Some(B);
        assert_eq!(asked, attempt.is_some());
        if let Some(attempt) = attempt {
            assert_eq!(listed(&state, B), [Action::Dispel(false), Action::Dispel(true)]);
            decide(&mut state, B, &Action::Dispel(attempt), &dice);
        }
        assert_eq!(of(&state, d4).marks.dread, dread, "{attempt:?} {dice:?}");
        assert_eq!((state.asked, state.steps.last()), (Some(G), Some(&Step::Shoot)));
    }
}

/// BR-R59: no spell across standing walls, but at those who assault them, and through a breach.
#[test]
fn br_r59_walls_stop_spells() {
    let mut state = bare("keep", &[("magic", "on")]);
    let e2 = wizard(&mut state, "e2", 8_200, 700);
    let d5 = put(&mut state, "d5", &[(8_200, 2_500)], SOUTH);
    at(&mut state, G, &[Step::Shoot]);
    let dread = cast(e2, Spell::Dread(d5));
    assert!(refusal(&state, G, &dread).contains("BR-R59"));
    let there = cast(e2, Spell::Teleport(Whereabouts::At(Point::new(8_200, 3_000))));
    assert!(refusal(&state, G, &there).contains("BR-R59"));
    let mut assault = state.clone();
    post(&mut assault, d5, 0, 5, Slot::Outer);
    assert_eq!(refusal(&assault, G, &dread), "");
    state.table.elements[5].down = true;
    assert_eq!(refusal(&state, G, &dread), "");
    assert_eq!(refusal(&state, G, &there), "");
}
