//! The works in the game: towers, breaches and ramparts, each rule where it acts.

use breach::game::{
    Action, Answer, Charge, ElementId, Look, Move, Place, Slot, State, Step, Target, TowerSide, Troop,
    UnitId, Way, Whereabouts,
};
use breach::lists::Line;
use breach::scenario::Side;
use breach::terms::Item;
use kernel::Game as _;
use tabletop::geometry::{Facing, Point};

use crate::table::{
    at, bare, decide, engage, ground, listed, ordered, person, places, post, put, refusal, start, unit, up,
};

const NORTH: Facing = Facing::NORTH;
const SOUTH: Facing = Facing::SOUTH;
const G: Side = Side::Garrison;
const B: Side = Side::Besieger;
const TOWER: ElementId = ElementId(3);

fn charge(unit: UnitId, target: Target) -> Action {
    Action::Charge(Charge { unit, target, extra: Vec::new(), envelop: false })
}

fn react(unit: UnitId, answer: Answer) -> Action {
    Action::React { unit, answer }
}

/// The fight that a side may choose.
fn fight(state: &State, side: Side) -> Action {
    let fights = listed(state, side);
    fights.into_iter().find(|action| matches!(action, Action::Fight(_))).unwrap()
}

/// BR-towers-18, BR-towers-19, BR-towers-21: the garrison names one side, and foot soldiers without ladders
/// attack there and nowhere else.
#[test]
fn the_watchtower_is_attacked_at_its_declared_side() {
    let mut state = start("watchtower", &[]);
    assert_eq!(state.to_move(), Some(G));
    decide(&mut state, G, &Action::DeclareSide(Slot::South), &[]);
    assert_eq!(state.table.entrance, Some(Slot::South));

    let mut state = bare("watchtower", &[]);
    state.table.entrance = Some(Slot::South);
    let e6 = unit(&state, "e6");
    for stand in state.table.units[usize::from(e6.0)].stands.iter_mut().take(3) {
        stand.place = Place::Tower { element: ElementId(0) };
    }
    let d4 = put(&mut state, "d4", &[(8_600, 5_000), (9_000, 5_000), (9_400, 5_000)], NORTH);
    ordered(&mut state, B, &[d4]);
    let side = |slot| charge(d4, Target::TowerSide(ElementId(0), TowerSide::Slot(slot)));
    assert!(refusal(&state, B, &side(Slot::West)).contains("BR-towers-18"));
    decide(&mut state, B, &side(Slot::South), &[]);
    let posts: Vec<_> =
        state.table.units[usize::from(d4.0)].stands.iter().filter_map(|stand| stand.post).collect();
    assert_eq!(posts.iter().map(|post| post.slot).collect::<Vec<_>>(), [Slot::South]);
}

/// BR-towers-23, BR-towers-24: shots from a tower go all round, at the enemy who is closest to it.
#[test]
fn a_tower_shoots_all_round_at_the_closest() {
    let mut state = bare("keep", &[]);
    let e10 = up(&mut state, "e10", &[3, 3, 3]);
    let behind = put(&mut state, "d5", &[(8_000, 800)], NORTH);
    let before = put(&mut state, "d6", &[(7_400, 3_000)], SOUTH);
    at(&mut state, G, &[Step::Shoot]);
    let shot = |target| Action::Shoot { unit: e10, target };
    assert!(refusal(&state, G, &shot(before)).contains("BR-towers-24"));
    decide(&mut state, G, &shot(behind), &[1, 1, 1]);
    assert!(state.table.units[usize::from(e10.0)].marks.shot);
}

/// BG-EX-33 as a game: who charges any side is shot at by all who face nobody yet; one stand fights at each
/// side (BR-towers-25, BR-towers-26, BR-towers-27).
#[test]
fn bg_ex_33_in_the_game() {
    let mut state = bare("keep", &[]);
    let e10 = up(&mut state, "e10", &[3, 3, 3]);
    let d5 = up(&mut state, "d5", &[4]);
    let d6 = put(&mut state, "d6", &[(7_800, 800), (8_200, 800), (8_600, 800)], NORTH);
    ordered(&mut state, B, &[d5, d6]);
    decide(&mut state, B, &charge(d5, Target::TowerSide(TOWER, TowerSide::Section(ElementId(4)))), &[]);
    // Three stands shoot: 2 hits, 1 of them saved.
    decide(&mut state, G, &react(e10, Answer::Shoot), &[4, 1, 5, 4, 2]);
    decide(&mut state, B, &charge(d6, Target::TowerSide(TOWER, TowerSide::Slot(Slot::Inner))), &[]);
    // One stand faces d5 now: two shoot.
    decide(&mut state, G, &react(e10, Answer::Shoot), &[5, 2, 3]);
    let before = |id: UnitId| state.table.units[usize::from(id.0)].before;
    assert_eq!((before(d5), before(d6)), (1, 1));
    at(&mut state, B, &[Step::Fights]);
    let fight = fight(&state, B);
    decide(&mut state, B, &fight, &[]);
    // 2 to 1 + 2: the besiegers lose by 1.
    decide(&mut state, G, &Action::Assign(vec![0, 1]), &[6, 6, 1, 2, 3, 5, 4, 2, 3, 1, 6, 1, 1, 5]);
    assert!(places(&state, d6).contains(&ground(7_600, 1_100, NORTH)), "{:?}", places(&state, d6));
    let unit = |id: UnitId| &state.table.units[usize::from(id.0)];
    assert_eq!((unit(e10).strength(), unit(d5).strength(), unit(d6).strength()), (3, 1, 3));
    assert!(!unit(d5).marks.engaged && !unit(d6).marks.engaged);
}

/// In a tower those who have no missiles face the enemies who came before; the others all shoot.
#[test]
fn those_without_missiles_face_the_enemy_first() {
    let mut state = bare("keep", &[]);
    let e10 = up(&mut state, "e10", &[3]);
    up(&mut state, "e4", &[3]);
    let d5 = up(&mut state, "d5", &[4]);
    let d6 = put(&mut state, "d6", &[(7_800, 800), (8_200, 800), (8_600, 800)], NORTH);
    ordered(&mut state, B, &[d5, d6]);
    decide(&mut state, B, &charge(d5, Target::TowerSide(TOWER, TowerSide::Section(ElementId(4)))), &[]);
    decide(&mut state, G, &Action::Decline, &[]);
    decide(&mut state, B, &charge(d6, Target::TowerSide(TOWER, TowerSide::Slot(Slot::Inner))), &[]);
    decide(&mut state, G, &react(e10, Answer::Shoot), &[1]);

    // Alone, the one stand faces d5 and shoots at nobody else.
    let mut state = bare("keep", &[]);
    up(&mut state, "e10", &[3]);
    let d5 = up(&mut state, "d5", &[4]);
    let d6 = put(&mut state, "d6", &[(7_800, 800), (8_200, 800), (8_600, 800)], NORTH);
    ordered(&mut state, B, &[d5, d6]);
    decide(&mut state, B, &charge(d5, Target::TowerSide(TOWER, TowerSide::Section(ElementId(4)))), &[]);
    decide(&mut state, G, &Action::Decline, &[]);
    decide(&mut state, B, &charge(d6, Target::TowerSide(TOWER, TowerSide::Slot(Slot::Inner))), &[]);
    assert!(!matches!(state.steps.last(), Some(Step::Reaction(_))), "{:?}", state.steps);
}

/// BR-towers-28: who has wiped out the defenders of a tower holds it, although an enemy is near.
#[test]
fn who_takes_a_tower_goes_no_farther() {
    let mut state = bare("keep", &[]);
    let e10 = up(&mut state, "e10", &[3]);
    state.table.units[usize::from(e10.0)].odd_hits = 2;
    let d6 = put(&mut state, "d6", &[(7_600, 1_200), (7_600, 1_000)], NORTH);
    post(&mut state, d6, 0, 3, Slot::Inner);
    engage(&mut state, &[e10, d6]);
    put(&mut state, "e5", &[(7_600, 400), (8_000, 400)], NORTH);
    at(&mut state, B, &[Step::Fights]);
    let fight = fight(&state, B);
    decide(&mut state, B, &fight, &[6, 1, 1, 1, 1, 1]);
    assert_eq!(places(&state, d6)[..2], [Place::Tower { element: TOWER }; 2]);
    assert!(matches!(state.steps.last(), Some(Step::Reform(_))), "{:?}", state.steps);
}

/// BR-breaches-03: a stand in a breach makes orders harder by 1.
#[test]
fn in_a_breach_orders_are_harder() {
    for (down, half) in [(true, true), (false, false)] {
        let mut state = bare("keep", &[]);
        state.table.elements[5].down = down;
        let e4 = put(&mut state, "e4", &[(8_200, if down { 1_600 } else { 1_000 })], NORTH);
        let e1 = person(&mut state, "e1", Whereabouts::At(Point::cm(82, 4)));
        // Two stands lost and 9 for the General: 7, and 6 in the breach.
        at(&mut state, G, &[Step::Orders]);
        decide(&mut state, G, &Action::TakeCommand(e1), &[]);
        decide(&mut state, G, &Action::Order(vec![e4]), &[4, 3]);
        assert_eq!(state.hand.half, half);
    }
}

/// BR-breaches-05 to BR-breaches-07: everybody sees through a breach, infantry alone goes through it.
#[test]
fn a_breach_is_seen_through_and_closed_to_riders() {
    let mut state = bare("keep", &[]);
    let e4 = put(&mut state, "e4", &[(8_200, 1_000)], NORTH);
    let d12 = put(&mut state, "d12", &[(8_200, 3_000)], SOUTH);
    at(&mut state, B, &[Step::Shoot]);
    let shot = Action::Shoot { unit: d12, target: e4 };
    assert!(refusal(&state, B, &shot).contains("BC-1-02"));
    state.table.elements[5].down = true;
    assert_eq!(refusal(&state, B, &shot), "");
    decide(&mut state, B, &shot, &[1]);

    // In the left wall, from where the gate is too far for a way around.
    let (east, west) = (Facing::tenths(900), Facing::tenths(2700));
    let mut state = bare("keep", &[]);
    state.table.elements[1].down = true;
    let e4 = put(&mut state, "e4", &[(7_800, 600)], west);
    let d5 = put(&mut state, "d5", &[(6_400, 600)], east);
    ordered(&mut state, G, &[e4]);
    let out = charge(e4, Target::Unit(d5));
    assert_eq!(refusal(&state, G, &out), "");
    state.table.units[usize::from(e4.0)].troop = Troop::Line(Line::Knights);
    assert!(refusal(&state, G, &out).contains("BR-breaches-07"), "{}", refusal(&state, G, &out));
    let step = Move {
        unit: e4,
        stands: vec![Way { stand: 0, via: Vec::new(), to: ground(6_900, 600, west) }],
        machine: None,
    };
    assert!(refusal(&state, G, &Action::March(vec![step])).contains("BR-breaches-05"));
    // Nor does a way lead round the wall over the edge of the table.
    let via = vec![Point::new(7_600, -200), Point::new(7_000, -200)];
    let stands = vec![Way { stand: 0, via, to: ground(6_900, 600, west) }];
    let round = Action::March(vec![Move { unit: e4, stands, machine: None }]);
    assert!(refusal(&state, G, &round).contains("BC-5.6-01"), "{}", refusal(&state, G, &round));
}

/// BR-breaches-14 to BR-breaches-16: the parts of a unit close up on a stand that its owner names, which may
/// turn about but not go elsewhere.
#[test]
fn a_split_unit_closes_up_on_a_stand_that_may_pivot() {
    let mut state = bare("keep", &[]);
    let e13 = up(&mut state, "e13", &[8, 9, 10]);
    put(&mut state, "d12", &[(9_800, 4_000)], SOUTH);
    state.table.elements[9].hits = 4;
    at(&mut state, B, &[Step::Shoot]);
    decide(&mut state, B, &Action::EndShooting, &[6, 6, 6, 6]);
    assert!(matches!(state.steps.last(), Some(Step::Reform(_))));
    let wall = |at, look| Place::Rampart { element: ElementId(at), look };
    let breach = ground(9_800, 1_600, NORTH);
    let reform = |places: Vec<(u8, Place)>| Action::Reform { unit: e13, stand: 0, places };
    let apart = refusal(&state, G, &reform(vec![(2, ground(9_800, 900, NORTH))]));
    assert!(apart.contains("BR-breaches-15"), "{apart}");
    let elsewhere = refusal(&state, G, &reform(vec![(0, wall(6, Look::Out)), (2, breach)]));
    assert!(elsewhere.contains("BR-breaches-16"), "{elsewhere}");
    decide(&mut state, G, &reform(vec![(0, wall(8, Look::In)), (2, breach)]), &[]);
    assert_eq!(places(&state, e13)[..3], [wall(8, Look::In), Place::Dead, breach]);
}

/// BR-breaches-12: whatever the numbers of its stands, a unit is split by the fall of the section between them.
#[test]
fn a_unit_is_split_by_the_section_between_its_stands() {
    let mut state = bare("keep", &[]);
    let e13 = up(&mut state, "e13", &[8, 10, 9]);
    state.table.units[usize::from(e13.0)].odd_hits = 1;
    put(&mut state, "d12", &[(9_800, 4_000)], SOUTH);
    state.table.elements[9].hits = 4;
    at(&mut state, B, &[Step::Shoot]);
    decide(&mut state, B, &Action::EndShooting, &[6, 6, 6, 6]);
    assert!(state.table.units[usize::from(e13.0)].marks.split);
    assert_eq!(listed(&state, G), [Action::KeepOddHits(0), Action::KeepOddHits(1)]);
}

/// BR-R17: groups that are held in close combat reform when they are free, and not before.
#[test]
fn groups_held_in_close_combat_reform_when_they_are_free() {
    let mut state = bare("keep", &[]);
    let e13 = up(&mut state, "e13", &[8, 9, 10]);
    let d6 = put(&mut state, "d6", &[(9_400, 1_600)], SOUTH);
    state.table.units[usize::from(d6.0)].item = Item::Ladders;
    post(&mut state, d6, 0, 8, Slot::Outer);
    engage(&mut state, &[e13, d6]);
    put(&mut state, "d12", &[(9_800, 4_000)], SOUTH);
    state.table.elements[9].hits = 4;
    at(&mut state, B, &[Step::Shoot]);
    decide(&mut state, B, &Action::EndShooting, &[6, 6, 6, 6]);
    // Nobody hits: the fight goes on, the groups stay apart.
    let fight = fight(&state, B);
    decide(&mut state, B, &fight, &[1; 6]);
    assert_eq!(state.active, G);
    assert!(state.table.units[usize::from(e13.0)].marks.split);
    // The enemy is gone: they close up at the end of the Combat phase.
    put(&mut state, "d6", &[], SOUTH);
    at(&mut state, G, &[Step::Dig(G)]);
    decide(&mut state, G, &Action::EndDig, &[]);
    assert!(matches!(state.steps.last(), Some(Step::Reform(G))), "{:?}", state.steps);
    let breach = ground(9_800, 1_600, NORTH);
    decide(&mut state, G, &Action::Reform { unit: e13, stand: 0, places: vec![(2, breach)] }, &[]);
    assert!(!state.table.units[usize::from(e13.0)].marks.split);
    let wall = Place::Rampart { element: ElementId(8), look: Look::Out };
    assert_eq!(places(&state, e13)[..3], [wall, Place::Dead, breach]);
}

/// BR-ramparts-01, BR-ramparts-02: a stand on the wall and one at its foot touch; the unit is irregular.
#[test]
fn a_unit_stands_on_two_levels() {
    let mut state = bare("keep", &[]);
    let e4 = unit(&state, "e4");
    let stands = &mut state.table.units[usize::from(e4.0)].stands;
    stands[0].place = Place::Rampart { element: ElementId(5), look: Look::Out };
    stands[1].place = ground(8_200, 1_400, NORTH);
    stands[2].place = Place::Dead;
    ordered(&mut state, G, &[e4]);
    let step = |x, y| {
        let to = ground(x, y, NORTH);
        Action::March(vec![Move {
            unit: e4,
            stands: vec![Way { stand: 1, via: Vec::new(), to }],
            machine: None,
        }])
    };
    assert!(refusal(&state, G, &step(8_200, 900)).contains("BC-1-01"));
    decide(&mut state, G, &step(8_500, 1_400), &[]);
    assert_eq!(places(&state, e4)[1], ground(8_500, 1_400, NORTH));
    // At half pace, down from the wall and up to 10 cm.
    ordered(&mut state, G, &[e4]);
    let both = |y| {
        let way = |stand, x| Way { stand, via: Vec::new(), to: ground(x, y, NORTH) };
        Action::March(vec![Move { unit: e4, stands: vec![way(0, 8_100), way(1, 8_500)], machine: None }])
    };
    assert!(refusal(&state, G, &both(300)).contains("BC-5.2-02"));
    assert_eq!(refusal(&state, G, &both(700)), "");
}

/// BR-R58: besiegers who close up along a captured wall spoil the oil they find there.
#[test]
fn oil_is_lost_where_besiegers_close_up() {
    let mut state = bare("keep", &[]);
    let d5 = up(&mut state, "d5", &[4, 6]);
    state.table.units[usize::from(d5.0)].marks.split = true;
    state.table.elements[5].oil = true;
    at(&mut state, B, &[Step::Reform(B)]);
    let place = Place::Rampart { element: ElementId(5), look: Look::Out };
    decide(&mut state, B, &Action::Reform { unit: d5, stand: 0, places: vec![(1, place)] }, &[]);
    assert_eq!(places(&state, d5)[1], place);
    assert!(!state.table.elements[5].oil);
}
