//! The devices of a siege in the game: rams, flyers, earthworks, each rule where it acts.

use breach::game::{
    Action, Answer, Charge, ElementId, Move, Place, Slot, State, Step, Target, TowerSide, UnitId, Way,
    Whereabouts,
};
use breach::scenario::Side;
use breach::terms::Item;
use kernel::Game as _;
use tabletop::geometry::{Facing, Point};

use crate::table::{
    at, bare, decide, engage, ground, listed, ordered, person, places, post, put, refusal, start, up,
};

const NORTH: Facing = Facing::NORTH;
const SOUTH: Facing = Facing::SOUTH;
const G: Side = Side::Garrison;
const B: Side = Side::Besieger;

fn charge(unit: UnitId, target: Target) -> Action {
    Action::Charge(Charge { unit, target, extra: Vec::new(), envelop: false })
}

/// A unit with a portable ram at the outer foot of `wall_front_2`.
fn rammers(state: &mut State, name: &str) -> UnitId {
    let id = put(state, name, &[(8_200, 1_600), (8_200, 1_800), (8_200, 2_000)], SOUTH);
    state.table.units[usize::from(id.0)].item = Item::PortableRam;
    post(state, id, 0, 5, Slot::Outer);
    id
}

/// BR-ramming-01: guns do not shoot at the section that their own men ram, but at its neighbour.
#[test]
fn guns_spare_the_section_their_own_men_ram() {
    let mut state = bare("keep", &[]);
    rammers(&mut state, "d8");
    let d18 = put(&mut state, "d18", &[(8_200, 5_000), (8_400, 5_000)], SOUTH);
    at(&mut state, B, &[Step::Shoot]);
    let bombard = |at| Action::Bombard { unit: d18, element: ElementId(at), leaf: false };
    assert!(refusal(&state, B, &bombard(5)).contains("BR-ramming-01"));
    assert_eq!(refusal(&state, B, &bombard(4)), "");
}

/// BR-ramming-02, BR-ramming-03: rammers are in close combat and do not shoot; those whom they ram are no
/// target for their friends.
#[test]
fn rammers_and_those_above_them_are_in_close_combat() {
    let mut state = bare("keep", &[]);
    let d13 = rammers(&mut state, "d13");
    let e8 = up(&mut state, "e8", &[4, 5, 6]);
    let e9 = up(&mut state, "e9", &[8, 9, 10]);
    let d12 = put(&mut state, "d12", &[(8_800, 3_000)], SOUTH);
    at(&mut state, B, &[Step::Shoot]);
    let shot = |unit, target| Action::Shoot { unit, target };
    assert!(refusal(&state, B, &shot(d13, e9)).contains("BR-ramming-02"));
    assert!(refusal(&state, B, &shot(d12, e8)).contains("BR-ramming-03"));
    assert_eq!(refusal(&state, B, &shot(d12, e9)), "");
}

/// BR-ramming-08: in their own turn the defenders shoot at the rammers.
#[test]
fn rammers_are_shot_at_in_the_turn_of_the_defenders() {
    let mut state = bare("keep", &[]);
    let d8 = rammers(&mut state, "d8");
    let e8 = up(&mut state, "e8", &[4, 5, 6]);
    at(&mut state, G, &[Step::Shoot]);
    decide(&mut state, G, &Action::Shoot { unit: e8, target: d8 }, &[4, 1, 1, 1]);
    assert!(state.table.units[usize::from(e8.0)].marks.shot);
}

/// BR-ramming-14: those above the ram shoot or pour; no blow is struck, and nobody stays engaged.
#[test]
fn nobody_strikes_at_rammers() {
    let mut state = bare("keep", &[]);
    let d8 = rammers(&mut state, "d8");
    let e8 = up(&mut state, "e8", &[4, 5, 6]);
    at(&mut state, B, &[Step::Fights]);
    assert_eq!(listed(&state, B), [Action::Ram(d8), Action::WaiveRam(d8)]);
    decide(&mut state, B, &Action::Ram(d8), &[]);
    assert_eq!(listed(&state, G), [Action::React { unit: e8, answer: Answer::Shoot }, Action::Decline]);
    decide(&mut state, G, &Action::Decline, &[5]);
    assert_eq!(state.table.elements[5].dice, 1);
    let engaged = |id: UnitId| state.table.units[usize::from(id.0)].marks.engaged;
    assert_eq!((engaged(d8), engaged(e8)), (false, false));
}

/// BR-portable-ram-09: with a log at the wall a unit rams it.
#[test]
fn a_log_at_the_wall_rams_it() {
    let mut state = bare("keep", &[]);
    let d8 = put(&mut state, "d8", &[(8_200, 2_600), (8_200, 2_800), (8_200, 3_000)], SOUTH);
    state.table.units[usize::from(d8.0)].item = Item::PortableRam;
    ordered(&mut state, B, &[d8]);
    decide(&mut state, B, &charge(d8, Target::Ram(ElementId(5))), &[]);
    at(&mut state, B, &[Step::Fights]);
    assert!(listed(&state, B).contains(&Action::Ram(d8)));
}

/// BR-portable-ram-07, BR-portable-ram-08: driven back, a unit takes its log along, but not into a hedge.
#[test]
fn a_log_goes_where_its_unit_is_driven_but_not_into_a_hedge() {
    for (front, cm, kept) in [((9_000, 4_000), 3, true), ((5_200, 7_000), 1, false)] {
        let mut state = bare("keep", &[]);
        let d8 = put(&mut state, "d8", &[front], SOUTH);
        let unit = &mut state.table.units[usize::from(d8.0)];
        unit.item = Item::PortableRam;
        (unit.shot_hits, unit.shot_from) = (1, Some((Point::new(front.0, front.1 - 2_000), 2_000)));
        state.steps = vec![Step::DriveBack];
        (state.active, state.asked) = (G, Some(B));
        decide(&mut state, B, &Action::DriveBack(d8), &[cm]);
        let item = state.table.units[usize::from(d8.0)].item;
        assert_eq!(item, if kept { Item::PortableRam } else { Item::None });
        let Place::Ground { front: after, .. } = places(&state, d8)[0] else { panic!("off the ground") };
        assert_eq!(after.y - front.1, i64::from(cm) * 100);
    }
}

/// BR-flyers-03 to BR-flyers-05: beaten by 2 from the air, the defenders leave their section; the flyers do
/// not follow them.
#[test]
fn flyers_drive_off_and_do_not_follow() {
    let mut state = bare("keep", &[]);
    let d20 = put(&mut state, "d20", &[(8_200, 1_600)], SOUTH);
    post(&mut state, d20, 0, 5, Slot::Outer);
    let e9 = up(&mut state, "e9", &[5]);
    state.table.units[usize::from(e9.0)].before = 1;
    engage(&mut state, &[d20, e9]);
    at(&mut state, B, &[Step::Fights]);
    decide(&mut state, B, &Action::Fight(e9), &[6, 1, 1, 1, 2, 2, 2]);
    assert!(matches!(places(&state, e9)[0], Place::Ground { .. }));
    let ways = listed(&state, B);
    assert!(ways.contains(&Action::Stand(d20)));
    assert!(!ways.iter().any(|action| matches!(action, Action::Pursue(_))), "{ways:?}");
}

/// In the field the beaten are followed, with the bonus of a pursuit.
#[test]
fn the_beaten_are_pursued_in_the_field() {
    let mut state = bare("watchtower", &[]);
    let d4 = put(&mut state, "d4", &[(6_600, 6_000), (7_000, 6_000), (7_400, 6_000)], SOUTH);
    let e6 = put(&mut state, "e6", &[(6_600, 6_000), (7_000, 6_000), (7_400, 6_000)], NORTH);
    engage(&mut state, &[d4, e6]);
    at(&mut state, B, &[Step::Fights]);
    // Two hits, no armour; nothing comes back: beaten by 2.
    let mut dice = vec![4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    dice.extend([1; 9]);
    dice.extend([2, 2, 2]);
    decide(&mut state, B, &Action::Fight(e6), &dice);
    assert!(listed(&state, B).contains(&Action::Pursue(d4)));
    // Three stands of 3 + 1: twelve dice, and nine of the others.
    let mut dice = vec![1; 12];
    dice.extend([1; 9]);
    dice.extend([1; 3]);
    decide(&mut state, B, &Action::Pursue(d4), &dice);
    assert_eq!(state.melee.round, 2);
    assert_eq!(places(&state, d4)[0], ground(6_600, 5_800, SOUTH));
}

/// BC-8.1-01: two rounds are fought in a phase; who pursues after the second keeps contact for the next.
#[test]
fn after_the_second_round_contact_is_kept() {
    let mut state = bare("watchtower", &[]);
    let d4 = put(&mut state, "d4", &[(6_600, 6_000), (7_000, 6_000), (7_400, 6_000)], SOUTH);
    let e6 = put(&mut state, "e6", &[(6_600, 6_000), (7_000, 6_000), (7_400, 6_000)], NORTH);
    engage(&mut state, &[d4, e6]);
    at(&mut state, B, &[Step::Fights]);
    let hit_twice = |more: usize| {
        let mut dice = vec![4, 4];
        // Armour of 6+ does not help; nine dice of the others miss.
        dice.extend(vec![1; more + 2 + 9]);
        dice
    };
    // With the dice of a fall back.
    decide(&mut state, B, &Action::Fight(e6), &[hit_twice(7), vec![2, 2, 2]].concat());
    decide(&mut state, B, &Action::Pursue(d4), &hit_twice(10));
    // Four hits in all: a stand of Hits 3 is gone, and its owner says which.
    let casualty = listed(&state, G)[0].clone();
    decide(&mut state, G, &casualty, &[2, 2, 2]);
    decide(&mut state, B, &Action::Pursue(d4), &[]);
    assert_eq!(state.table.units[usize::from(d4.0)].pursues, Some(2));
    assert!(state.table.units[usize::from(d4.0)].marks.engaged);
}

/// BR-flyers-06: those who fly attack a tower from outside; nobody else does.
#[test]
fn only_flyers_reach_a_tower_from_outside() {
    let mut state = bare("keep", &[]);
    let e10 = up(&mut state, "e10", &[3, 3, 3]);
    let d20 = put(&mut state, "d20", &[(7_400, 4_000)], SOUTH);
    let d5 = put(&mut state, "d5", &[(7_800, 2_600)], SOUTH);
    state.table.units[usize::from(d5.0)].item = Item::Ladders;
    ordered(&mut state, B, &[d5, d20]);
    let side = Target::TowerSide(ElementId(3), TowerSide::Slot(Slot::OuterSecond));
    assert!(refusal(&state, B, &charge(d5, side)).contains("BR-towers-06"));
    decide(&mut state, B, &charge(d20, side), &[]);
    // All missile stands of the tower shoot (BR-flyers-07).
    decide(&mut state, G, &Action::React { unit: e10, answer: Answer::Shoot }, &[1, 1, 1]);
    assert!(state.table.units[usize::from(d20.0)].marks.engaged);
}

/// BR-flyers-08: no oil on those who fly.
#[test]
fn no_oil_reaches_flyers() {
    let mut state = bare("keep", &[]);
    let e8 = up(&mut state, "e8", &[4, 5, 6]);
    state.table.elements[5].oil = true;
    let d20 = put(&mut state, "d20", &[(8_200, 4_000)], SOUTH);
    ordered(&mut state, B, &[d20]);
    decide(&mut state, B, &charge(d20, Target::Wall(ElementId(5))), &[]);
    let answer = |answer| Action::React { unit: e8, answer };
    assert!(refusal(&state, G, &answer(Answer::Oil)).contains("BR-flyers-08"));
    assert_eq!(refusal(&state, G, &answer(Answer::Shoot)), "");
}

/// BR-scenario-3-11, BR-earthworks-03, BR-earthworks-06: the garrison lays the first section; in its zone,
/// one beside the other.
#[test]
fn earthworks_are_laid_in_the_zone_side_by_side() {
    let mut state = start("keep", &[]);
    assert_eq!(state.to_move(), Some(G));
    let lay = |x| Action::PlaceWork { front: Point::cm(x, 28), facing: NORTH };
    assert!(refusal(&state, G, &lay(40)).contains("BR-earthworks-03"));
    decide(&mut state, G, &lay(72), &[]);
    assert_eq!(state.to_move(), Some(B));
    decide(&mut state, B, &Action::GiveUpWorks, &[]);
    decide(&mut state, G, &lay(76), &[]);
    assert_eq!(state.table.earthworks.len(), 2);
}

/// BR-earthworks-04: where players want it so, the defender lays all he has before the attacker.
#[test]
fn the_defender_may_lay_all_first() {
    let mut state = start("keep", &[("scenario3_placement", "defender_all_first")]);
    decide(&mut state, G, &Action::PlaceWork { front: Point::cm(72, 28), facing: NORTH }, &[]);
    assert_eq!(state.to_move(), Some(G));
}

/// BR-scenario-2-04: the earthworks that the race has won lie in the zone, before the troops.
#[test]
fn the_earthworks_of_the_second_scenario() {
    let mut state = start("help", &[("besieger_won_1", "yes")]);
    assert_eq!(state.to_move(), Some(B));
    let lay = |y| Action::PlaceWork { front: Point::cm(72, y), facing: SOUTH };
    assert!(refusal(&state, B, &lay(80)).contains("BR-scenario-2-04"));
    decide(&mut state, B, &lay(104), &[]);
    assert!(matches!(state.steps.last(), Some(Step::Works(_))));
}

/// BR-portable-ram-06: with a log nobody crosses a hedge; without it he does.
#[test]
fn no_log_is_carried_over_a_hedge() {
    let mut state = bare("keep", &[]);
    let d8 = put(&mut state, "d8", &[(5_200, 7_600)], SOUTH);
    state.table.units[usize::from(d8.0)].item = Item::PortableRam;
    ordered(&mut state, B, &[d8]);
    let stands = vec![Way { stand: 0, via: Vec::new(), to: ground(5_200, 6_600, SOUTH) }];
    let march = Action::March(vec![Move { unit: d8, stands, machine: None }]);
    assert!(refusal(&state, B, &march).contains("BR-portable-ram-06"));
    state.table.units[usize::from(d8.0)].item = Item::None;
    assert_eq!(refusal(&state, B, &march), "");
}

/// BR-earthworks-08, BR-earthworks-09: behind a work the charged are defended, 5 to hit; in a pursuit round
/// they are not, 4 to hit.
#[test]
fn earthworks_shelter_from_the_charge_alone() {
    for (exposed, dice) in [(false, [4, 5, 1]), (true, [4, 1, 1])] {
        let mut state = bare("help", &[]);
        state.table.earthworks.push(breach::game::Earthwork {
            front: Point::cm(72, 100),
            facing: SOUTH,
            owner: B,
            standing: true,
        });
        let d6 = put(&mut state, "d6", &[(7_200, 10_100)], SOUTH);
        let e3 = put(&mut state, "e3", &[(7_200, 10_100)], NORTH);
        state.table.units[usize::from(d6.0)].marks.exposed = exposed;
        engage(&mut state, &[d6, e3]);
        at(&mut state, G, &[Step::Fights]);
        // Three dice of the riders, one hit, no save at 6+; three dice that miss: won by 1; the dice of a
        // fall back.
        let mut all = dice.to_vec();
        all.extend([1, 1, 1, 1, 2, 2, 2]);
        decide(&mut state, G, &Action::Fight(e3), &all);
        assert!(matches!(state.steps.last(), Some(Step::Winner)), "{:?}", state.steps);
    }
}

/// BR-breaches-04: infantry in a breach is defended, 5 to hit.
#[test]
fn a_breach_shelters_infantry() {
    let mut state = bare("keep", &[]);
    state.table.elements[5].down = true;
    let e4 = put(&mut state, "e4", &[(8_200, 1_600)], NORTH);
    let d5 = put(&mut state, "d5", &[(8_200, 1_600)], SOUTH);
    state.table.units[usize::from(d5.0)].marks.charged = true;
    engage(&mut state, &[e4, d5]);
    at(&mut state, B, &[Step::Fights]);
    // Three dice, no bonus of a charge: 4 misses, 5 hits, and the save at 6+ fails.
    decide(&mut state, B, &Action::Fight(e4), &[4, 4, 5, 1, 1, 1, 1, 2, 2, 2]);
    assert!(matches!(state.steps.last(), Some(Step::Winner)), "{:?}", state.steps);
}

/// BC-8.4-02: a gun that is beaten is lost.
#[test]
fn a_beaten_gun_is_lost() {
    let mut state = bare("watchtower", &[]);
    let d14 = put(&mut state, "d14", &[(7_000, 6_000), (7_200, 6_000)], SOUTH);
    let e6 = put(&mut state, "e6", &[(7_100, 6_000)], NORTH);
    engage(&mut state, &[d14, e6]);
    at(&mut state, G, &[Step::Fights]);
    // Three dice, one hit, not saved; a die of each gun: beaten by 1. Then the dice of a fall back.
    decide(&mut state, G, &Action::Fight(e6), &[4, 1, 1, 1, 1, 1, 2, 2, 2]);
    assert!(state.table.units[usize::from(d14.0)].is_destroyed());
}

/// BC-10-02: a lone character whom the enemy marches over, and who has no friend within 30 cm, is slain.
#[test]
fn a_lone_character_without_friends_is_slain() {
    let mut state = bare("keep", &[]);
    let d5 = put(&mut state, "d5", &[(9_000, 6_000)], SOUTH);
    let e2 = person(&mut state, "e2", Whereabouts::At(Point::cm(90, 50)));
    put(&mut state, "e6", &[(9_000 + 31 * 100 + 200, 5_000)], NORTH);
    ordered(&mut state, B, &[d5]);
    let stands = vec![Way { stand: 0, via: Vec::new(), to: ground(9_000, 4_600, SOUTH) }];
    decide(&mut state, B, &Action::March(vec![Move { unit: d5, stands, machine: None }]), &[]);
    assert_eq!(state.table.characters[usize::from(e2.0)].place, Whereabouts::Slain);
}

/// BC-10-03: a character goes onto a section that is his or nobody's.
#[test]
fn a_character_keeps_off_the_enemys_walls() {
    let mut state = bare("keep", &[]);
    let e2 = person(&mut state, "e2", Whereabouts::At(Point::cm(82, 10)));
    up(&mut state, "d5", &[5]);
    at(&mut state, G, &[Step::Characters]);
    let onto = |at| Action::MoveCharacter { character: e2, to: Whereabouts::On(ElementId(at)) };
    assert!(refusal(&state, G, &onto(5)).contains("BC-10-03"));
    assert_eq!(refusal(&state, G, &onto(6)), "");
}

/// BC-14.1-04: nobody climbs onto a section that is held.
#[test]
fn a_held_section_is_not_climbed() {
    let mut state = bare("keep", &[]);
    let d6 = put(&mut state, "d6", &[(8_200, 2_600)], SOUTH);
    state.table.units[usize::from(d6.0)].item = Item::Ladders;
    up(&mut state, "e8", &[5]);
    ordered(&mut state, B, &[d6]);
    let climb = |at| Action::Climb { unit: d6, elements: vec![ElementId(at)] };
    assert!(refusal(&state, B, &climb(5)).contains("BC-14.1-04"));
    assert_eq!(refusal(&state, B, &climb(4)), "");
}

/// BC-4.1-04: by initiative a unit charges past nearer enemies on the walls.
#[test]
fn enemies_on_the_walls_may_be_ignored() {
    let mut state = bare("keep", &[]);
    up(&mut state, "e8", &[6]);
    let e4 = put(&mut state, "e4", &[(10_200, 2_200)], NORTH);
    let d5 = put(&mut state, "d5", &[(8_800, 2_600)], SOUTH);
    at(&mut state, B, &[Step::Initiative]);
    let go =
        |target| Action::InitiativeCharge(Charge { unit: d5, target, extra: Vec::new(), envelop: false });
    assert_eq!(refusal(&state, B, &go(Target::Unit(e4))), "");
    decide(&mut state, B, &go(Target::Unit(e4)), &[]);
    assert!(state.table.units[usize::from(d5.0)].marks.engaged);
}
