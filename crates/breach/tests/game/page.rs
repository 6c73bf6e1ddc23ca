//! Worked examples of the game page: moves, orders, sieges and ends, each with its own numbers.

use breach::game::{
    Action, Charge, ElementId, Look, Move, Place, Reason, Slot, Step, Target, Way, Whereabouts,
};
use breach::scenario::Side;
use breach::shooting::{self, Cover, Moment, Shooter, Weapon};
use breach::terms::{Arm, Armour, Item, Machine};
use kernel::{Centimetres, Game as _};
use tabletop::geometry::{Facing, Point};

use crate::table::{
    at, bare, decide, engage, ground, listed, machine, ordered, person, places, post, put, refusal, unit, up,
};

const NORTH: Facing = Facing::NORTH;
const SOUTH: Facing = Facing::SOUTH;
const G: Side = Side::Garrison;
const B: Side = Side::Besieger;

fn charge(unit: breach::game::UnitId, target: Target) -> Charge {
    Charge { unit, target, extra: Vec::new(), envelop: false }
}

/// BG-EX-12: straight away, and 5 cm from every enemy at the end.
#[test]
fn bg_ex_12() {
    let mut state = bare("watchtower", &[]);
    let e12 = put(&mut state, "e12", &[(7_000, 6_000)], NORTH);
    put(&mut state, "d4", &[(7_000, 6_000 + 18 * 100)], SOUTH);
    put(&mut state, "d5", &[(7_000, 5_600 - 31 * 100)], NORTH);
    at(&mut state, G, &[Step::Initiative]);
    let evade = |cm: i32| Action::InitiativeEvade { unit: e12, distance: Centimetres::whole(cm) };
    let evades: Vec<Action> = listed(&state, G)
        .into_iter()
        .filter(|action| matches!(action, Action::InitiativeEvade { .. }))
        .collect();
    assert_eq!(evades, [evade(13), evade(26)]);
    assert!(refusal(&state, G, &evade(27)).contains("BC-5.3-01"));
    // The full pace is 30 cm.
    assert!(refusal(&state, G, &evade(31)).contains("BC-5.3-01"));
    decide(&mut state, G, &evade(26), &[]);
    assert_eq!(places(&state, e12)[0], ground(7_000, 6_000 - 26 * 100, NORTH));
}

/// BG-EX-15: 2 to 2 in the field: both fall back, up to 8 and up to 15 cm.
#[test]
fn bg_ex_15() {
    let mut state = bare("watchtower", &[]);
    let d4 = put(&mut state, "d4", &[(6_600, 6_000), (7_000, 6_000), (7_400, 6_000)], SOUTH);
    let e6 = put(&mut state, "e6", &[(6_600, 6_000), (7_000, 6_000), (7_400, 6_000)], NORTH);
    engage(&mut state, &[d4, e6]);
    at(&mut state, B, &[Step::Fights]);
    let mut dice = vec![4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1];
    dice.extend([4, 4, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    dice.extend([2, 5, 1]);
    decide(&mut state, B, &Action::Fight(e6), &dice);
    let back = |unit, cm: i64, way: i64, facing| {
        let stands = [6_600, 7_000, 7_400]
            .into_iter()
            .zip(0..)
            .map(|(x, stand)| Way { stand, via: Vec::new(), to: ground(x, 6_000 + way * cm * 100, facing) })
            .collect();
        Action::FallBack(Move { unit, stands, machine: None })
    };
    let mut wanted = vec![back(d4, 8, 1, SOUTH), back(d4, 4, 1, SOUTH)];
    wanted.sort_unstable();
    assert_eq!(listed(&state, B), wanted);
    assert!(refusal(&state, B, &back(d4, 0, 1, SOUTH)).contains("BC-8.3-05"));
    assert!(refusal(&state, B, &back(d4, 9, 1, SOUTH)).contains("BC-5.2-02"));
    decide(&mut state, B, &back(d4, 8, 1, SOUTH), &[6, 6, 3]);
    let mut wanted = vec![back(e6, 15, -1, NORTH), back(e6, 7, -1, NORTH)];
    wanted.sort_unstable();
    assert_eq!(listed(&state, G), wanted);
}

/// BG-EX-17: die by die against the least protected stand that is not used up.
#[test]
fn bg_ex_17() {
    let target = |cover| shooting::Target {
        stands: 3,
        hits: 3,
        armour: Armour::NONE,
        arm: Arm::Infantry,
        cover,
        earlier_hits: 0,
        machine: Machine::None,
        fanatic: false,
    };
    let shooter = Shooter { weapon: Weapon::Bow, stands: 5, attack: 1, further_stands: 0 };
    let dice = [5, 4, 4, 5, 4];
    let (struck, _) = kernel::scripted(&dice, |clerk| {
        let aim = |cover, clerk: &mut _| {
            shooting::aim(&shooter, Centimetres::whole(20), &target(cover), Moment::Phase, clerk).unwrap()
        };
        let volleys = [aim(Cover::Open, clerk), aim(Cover::Defended, clerk), aim(Cover::Defended, clerk)];
        shooting::roll_in_turn(&volleys, 3, clerk)
    })
    .unwrap();
    assert_eq!(struck.unsaved, 4);
}

/// The same in the game: one stand before the breach, two in it; the last die misses.
#[test]
fn mixed_protection_is_shot_at_die_by_die() {
    let mut state = bare("keep", &[]);
    state.table.elements[5].down = true;
    let e4 = put(&mut state, "e4", &[(8_200, 1_800), (8_200, 1_600)], NORTH);
    let d12 = put(&mut state, "d12", &[(7_800, 4_000), (8_200, 4_000), (8_600, 4_000)], SOUTH);
    at(&mut state, B, &[Step::Shoot]);
    // Three dice at the one in the open: all hit; it is used up, and nobody else is in sight.
    decide(&mut state, B, &Action::Shoot { unit: d12, target: e4 }, &[4, 4, 4]);
    assert!(matches!(state.steps.last(), Some(Step::Casualty(unit, 1)) if *unit == e4), "{:?}", state.steps);
}

/// BG-EX-21: a collapse splits a unit; it reforms with a stand in the breach.
#[test]
fn bg_ex_21() {
    let mut state = bare("keep", &[]);
    let e13 = up(&mut state, "e13", &[8, 9, 10]);
    {
        let unit = &mut state.table.units[usize::from(e13.0)];
        (unit.odd_hits, unit.shot_hits, unit.shot_from) = (1, 1, Some((Point::cm(98, 40), 2_400)));
    }
    let d12 = put(&mut state, "d12", &[(9_800, 4_000)], SOUTH);
    state.table.elements[9].hits = 4;
    at(&mut state, B, &[Step::Shoot]);
    decide(&mut state, B, &Action::EndShooting, &[6, 6, 6, 6]);
    assert!(state.table.elements[9].down);
    assert_eq!(listed(&state, G), [Action::KeepOddHits(0), Action::KeepOddHits(2)]);
    // 1 hit less 2 for the fortification: no die of a drive back.
    decide(&mut state, G, &Action::KeepOddHits(0), &[]);
    let breach = ground(9_800, 1_600, NORTH);
    let reform = Action::Reform { unit: e13, stand: 0, places: vec![(2, breach)] };
    assert!(listed(&state, G).contains(&reform));
    decide(&mut state, G, &reform, &[]);
    let wall = Place::Rampart { element: ElementId(8), look: Look::Out };
    assert_eq!(places(&state, e13)[..3], [wall, Place::Dead, breach]);
    assert_eq!(state.table.units[usize::from(e13.0)].lost(), 1);
    let _ = d12;
}

/// BG-EX-31: the leaf falls, the ram is left, and its unit charges through the passage with +1.
#[test]
fn bg_ex_31() {
    let mut state = bare("keep", &[]);
    let d10 = machine(&mut state, "d10", Item::Ram, (9_000, 1_600), SOUTH);
    post(&mut state, d10, 0, 7, Slot::Outer);
    state.table.elements[7].leaf_dice = 2;
    // 7 cm behind the gate.
    let e4 = put(&mut state, "e4", &[(9_000, 1_200 - 7 * 100), (8_600, 500), (9_400, 500)], NORTH);
    at(&mut state, B, &[Step::Fights]);
    decide(&mut state, B, &Action::Ram(d10), &[6, 5, 4]);
    assert!(state.table.elements[7].leaf_down);
    let advance = Action::RamAdvance(Some(charge(d10, Target::Unit(e4))));
    assert!(listed(&state, B).contains(&advance));
    // Round 2: three stands of 3 + 1 dice, then nine of those who were charged; a draw, and 3D6.
    let mut dice = vec![1; 12];
    dice.extend([1; 9]);
    dice.extend([1, 1, 1]);
    decide(&mut state, B, &advance, &dice);
    let unit = &state.table.units[usize::from(d10.0)];
    assert_eq!((unit.item, unit.machine, state.melee.round), (Item::None, None, 2));
    assert!(unit.marks.advanced);
}

/// BG-EX-36: an earthwork is a fortification against shots and a defence in combat.
#[test]
fn bg_ex_36() {
    let mut state = bare("help", &[("relief_force", "substitute")]);
    for x in [68, 72, 76] {
        state.table.earthworks.push(breach::game::Earthwork {
            front: Point::cm(x, 100),
            facing: SOUTH,
            owner: B,
            standing: true,
        });
    }
    let d6 = put(&mut state, "d6", &[(6_800, 10_100), (7_200, 10_100), (7_600, 10_100)], SOUTH);
    // 14 cm in front of the works and of the stands behind them.
    let e4 = put(&mut state, "e4", &[(7_000, 10_100 - 14 * 100), (7_200, 8_700), (7_400, 8_700)], NORTH);
    let game = state.clone();
    at(&mut state, G, &[Step::Shoot]);
    decide(&mut state, G, &Action::Shoot { unit: e4, target: d6 }, &[5, 6, 4, 3]);
    // One hit less two: nobody is driven back, and the odd hit is dropped.
    assert_eq!(state.table.units[usize::from(d6.0)].strength(), 3);

    let mut state = game;
    put(&mut state, "e4", &[(3_000, 500)], NORTH);
    let e3 = put(&mut state, "e3", &[(6_800, 8_700), (7_200, 8_700), (7_600, 8_700)], NORTH);
    ordered(&mut state, G, &[e3]);
    decide(&mut state, G, &Action::Charge(charge(e3, Target::Unit(d6))), &[]);
    decide(&mut state, B, &Action::Decline, &[]);
    at(&mut state, G, &[Step::Fights]);
    // 9 dice at 5+, no bonus; five saves at 6+; then six dice of the two stands they touch.
    let mut dice = vec![5, 4, 6, 3, 5, 2, 1, 6, 5, 2, 6, 3, 4, 5];
    dice.extend([1; 6]);
    decide(&mut state, G, &Action::Fight(e3), &dice);
    // 4 unsaved hits: one stand of Hits 4.
    assert!(matches!(state.steps.last(), Some(Step::Casualty(unit, 1)) if *unit == d6), "{:?}", state.steps);
}

/// BG-EX-42: over the table edge, 4 less the lost stand comes back, 2 less it stays away.
#[test]
fn bg_ex_42() {
    for (die, away) in [(4, false), (2, true)] {
        let mut dice = vec![5, die];
        // It rolls again at the start of its next turn: 3 - 1 = 2, and is still away.
        dice.extend(away.then_some(3));
        let mut state = bare("watchtower", &[]);
        let d4 = put(&mut state, "d4", &[(9_000, 11_500), (9_400, 11_500)], SOUTH);
        let unit = &mut state.table.units[usize::from(d4.0)];
        (unit.shot_hits, unit.shot_from) = (1, Some((Point::cm(90, 100), 1_500)));
        assert_eq!(unit.lost(), 1);
        state.steps = vec![Step::DriveBack];
        (state.active, state.asked) = (G, Some(B));
        decide(&mut state, B, &Action::DriveBack(d4), &dice);
        let off = places(&state, d4)[..2] == [Place::Off, Place::Off];
        assert_eq!(off, away, "{die}: {:?}", places(&state, d4));
    }
}

/// BG-EX-43 and BR-EX-18: the watchtower is held for two player turns by two stands at least.
#[test]
fn bg_ex_43() {
    for (lost, held) in [(2, true), (3, false)] {
        let mut state = bare("watchtower", &[]);
        state.table.entrance = Some(Slot::South);
        let e4 = up(&mut state, "e4", &[]);
        for stand in &mut state.table.units[usize::from(e4.0)].stands {
            stand.place = Place::Tower { element: ElementId(0) };
        }
        // Somebody to be asked in each turn.
        put(&mut state, "e6", &[(1_000, 300)], NORTH);
        put(&mut state, "d4", &[(17_000, 11_700)], SOUTH);
        state.first = G;
        at(&mut state, G, &[Step::Characters]);
        decide(&mut state, G, &Action::EndCharacters, &[]);
        assert_eq!(state.table.holder, Some((e4, 0)));
        for stand in state.table.units[usize::from(e4.0)].stands.iter_mut().take(lost) {
            stand.place = Place::Dead;
        }
        for side in [B, G] {
            decide(&mut state, side, &Action::EndOrders, &[]);
            decide(&mut state, side, &Action::EndCharacters, &[]);
        }
        assert_eq!(state.outcome().is_some_and(|end| end.winner == G && end.reason == Reason::Held), held);
        assert_eq!(state.table.holder.is_some(), held);
    }
}

/// BR-EX-18: a unit of three stands that loses one has held the tower.
#[test]
fn br_ex_18() {
    for (lost, held) in [(1, true), (2, false)] {
        let mut state = bare("watchtower", &[]);
        let e6 = unit(&state, "e6");
        for stand in state.table.units[usize::from(e6.0)].stands.iter_mut().take(3) {
            stand.place = Place::Tower { element: ElementId(0) };
        }
        put(&mut state, "e7", &[(1_000, 300)], NORTH);
        put(&mut state, "d4", &[(17_000, 11_700)], SOUTH);
        (state.first, state.turn) = (G, 4);
        at(&mut state, G, &[Step::Characters]);
        decide(&mut state, G, &Action::EndCharacters, &[]);
        for stand in state.table.units[usize::from(e6.0)].stands.iter_mut().take(lost) {
            stand.place = Place::Dead;
        }
        for side in [B, G] {
            decide(&mut state, side, &Action::EndOrders, &[]);
            decide(&mut state, side, &Action::EndCharacters, &[]);
        }
        assert_eq!(state.outcome().is_some(), held);
        assert_eq!(state.turn, 5);
    }
}

/// BG-EX-44: three stands and the General are out.
#[test]
fn bg_ex_44() {
    let mut state = bare("help", &[]);
    up(&mut state, "e2", &[]);
    let e3 = put(&mut state, "e3", &[(6_000, 11_000), (6_200, 11_000)], NORTH);
    let e4 = put(&mut state, "e4", &[(9_000, 11_000)], NORTH);
    let e1 = person(&mut state, "e1", Whereabouts::At(Point::cm(75, 120 - 55)));
    ordered(&mut state, G, &[e3]);
    decide(&mut state, G, &Action::Exit(e3), &[]);
    ordered(&mut state, G, &[e4]);
    decide(&mut state, G, &Action::Exit(e4), &[]);
    assert_eq!(state.table.stands_out, 2 + 1);
    at(&mut state, G, &[Step::Characters]);
    decide(&mut state, G, &Action::MoveCharacter { character: e1, to: Whereabouts::Out }, &[]);
    let end = state.outcome().unwrap();
    assert_eq!((end.winner, end.reason), (G, Reason::Exit));
}

/// BR-EX-30: the General alone is not the message; with fewer than three stands left it is lost.
#[test]
fn br_ex_30() {
    let mut state = bare("help", &[]);
    up(&mut state, "e2", &[]);
    let e3 = put(&mut state, "e3", &[(6_000, 11_000), (6_200, 11_000), (6_400, 11_000)], NORTH);
    let e4 = put(&mut state, "e4", &[(9_000, 11_000)], NORTH);
    let e1 = person(&mut state, "e1", Whereabouts::At(Point::cm(75, 100)));
    at(&mut state, G, &[Step::Characters]);
    decide(&mut state, G, &Action::MoveCharacter { character: e1, to: Whereabouts::Out }, &[]);
    assert_eq!((state.outcome(), state.table.stands_out), (None, 0));
    let mut fewer = state.clone();
    let before = state.clone();
    ordered(&mut state, G, &[e3]);
    decide(&mut state, G, &Action::Exit(e3), &[]);
    assert_eq!(state.outcome().map(|end| end.winner), Some(G));
    // Two of the four stands are lost: fewer than three can still be counted.
    for at in [0, 1] {
        fewer.table.units[usize::from(e3.0)].stands[at].place = Place::Dead;
    }
    at(&mut fewer, B, &[Step::Characters]);
    decide(&mut fewer, B, &Action::EndCharacters, &[]);
    assert_eq!(fewer.outcome().map(|end| end.winner), Some(B));
    let _ = (before, e4);
}

/// BG-EX-48: 76 cm at 15 or 20 a turn.
#[test]
fn bg_ex_48() {
    let reaches = |options: &[(&str, &str)], item: Item, front: i64| {
        let mut state = bare("keep", options);
        let name = if item == Item::Ram { "d10" } else { "d8" };
        let id = if item == Item::Ram {
            machine(&mut state, name, item, (9_000, front), SOUTH)
        } else {
            put(&mut state, name, &[(9_000, front), (9_000, front + 200), (9_000, front + 400)], SOUTH)
        };
        state.table.units[usize::from(id.0)].item = item;
        let ram = Action::Charge(charge(id, Target::Ram(ElementId(7))));
        for turn in 1..12 {
            ordered(&mut state, B, &[id]);
            if state.validate(B, &ram).is_ok() {
                return turn;
            }
            let unit = state.table.units[usize::from(id.0)];
            let ahead = |place: Place, by: i64| match place {
                Place::Ground { front, facing } => Place::Ground { front: front.moved(0, -by), facing },
                other => other,
            };
            let step = match unit.machine {
                Some((at, facing)) => {
                    Move { unit: id, stands: Vec::new(), machine: Some((at.moved(0, -1_500), facing)) }
                }
                None => Move {
                    unit: id,
                    stands: (0..3)
                        .map(|at| Way {
                            stand: at,
                            via: Vec::new(),
                            to: ahead(unit.stands[usize::from(at)].place, 2_000),
                        })
                        .collect(),
                    machine: None,
                },
            };
            decide(&mut state, B, &Action::March(vec![step]), &[]);
            state.table.units[usize::from(id.0)].marks.moved_once = false;
        }
        0
    };
    assert_eq!(reaches(&[], Item::Ram, 92 * 100), 6);
    assert_eq!(reaches(&[], Item::PortableRam, 92 * 100), 4);
    assert_eq!(reaches(&[("machine_start", "forward")], Item::Ram, 6_110), 4);
}

/// BG-EX-49: nine of ten half units: the army goes on; ten: it withdraws.
#[test]
fn bg_ex_49() {
    let mut state = bare("watchtower", &[]);
    for name in ["e4", "e5", "e6", "e7"] {
        up(&mut state, name, &[]);
    }
    put(&mut state, "e8", &[(1_000, 300)], NORTH);
    put(&mut state, "d4", &[(17_000, 11_700)], SOUTH);
    let lost: usize = state.table.units.iter().filter(|unit| unit.side == G && unit.is_destroyed()).count();
    assert_eq!(lost, 4);
    state.first = G;
    at(&mut state, G, &[Step::Characters]);
    decide(&mut state, G, &Action::EndCharacters, &[]);
    assert_eq!(state.outcome(), None);
    put(&mut state, "e9", &[(2_000, 300)], NORTH);
    decide(&mut state, B, &Action::EndOrders, &[]);
    decide(&mut state, B, &Action::EndCharacters, &[]);
    let end = state.outcome().unwrap();
    assert_eq!((end.winner, end.reason), (B, Reason::Broken));
}

/// BG-EX-51: measured from the edge of the section, 30.46 and 30.1 cm are out of range.
#[test]
fn bg_ex_51() {
    let mut state = bare("keep", &[]);
    let e8 = up(&mut state, "e8", &[5]);
    let d5 = put(&mut state, "d5", &[(9_000, 4_620)], SOUTH);
    let d6 = put(&mut state, "d6", &[(8_200, 4_610)], SOUTH);
    at(&mut state, G, &[Step::Shoot]);
    let shot = |target| Action::Shoot { unit: e8, target };
    let far = refusal(&state, G, &shot(d5));
    assert!(far.contains("BC-6-01") && far.contains("30.46"), "{far}");
    let near = refusal(&state, G, &shot(d6));
    assert!(near.contains("BC-6-01") && near.contains("30.1"), "{near}");
}

/// BG-EX-52: 30 cm are in range.
#[test]
fn bg_ex_52() {
    let mut state = bare("keep", &[]);
    let e8 = up(&mut state, "e8", &[5]);
    let d6 = put(&mut state, "d6", &[(82 * 100, 46 * 100)], SOUTH);
    at(&mut state, G, &[Step::Shoot]);
    assert_eq!(refusal(&state, G, &Action::Shoot { unit: e8, target: d6 }), "");
}

/// BG-EX-53: from the foot of three empty sections, up by an order.
#[test]
fn bg_ex_53() {
    let mut state = bare("keep", &[]);
    let d5 = put(&mut state, "d5", &[(7_800, 1_600), (8_200, 1_600), (8_600, 1_600)], SOUTH);
    state.table.units[usize::from(d5.0)].item = Item::Ladders;
    let d1 = person(&mut state, "d1", Whereabouts::At(Point::cm(82, 25)));
    at(&mut state, B, &[Step::Orders]);
    decide(&mut state, B, &Action::TakeCommand(d1), &[]);
    decide(&mut state, B, &Action::Order(vec![d5]), &[4, 4]);
    let elements = vec![ElementId(4), ElementId(5), ElementId(6)];
    let climb = Action::Climb { unit: d5, elements };
    assert!(listed(&state, B).contains(&climb));
    decide(&mut state, B, &climb, &[]);
    let on = |at| Place::Rampart { element: ElementId(at), look: Look::In };
    assert_eq!(places(&state, d5)[..3], [on(4), on(5), on(6)]);
    assert!(refusal(&state, B, &Action::Order(vec![d5])).contains("BC-4.2-14"));
}

/// BG-EX-56: a friend makes way to the left; a six confuses him.
#[test]
fn bg_ex_56() {
    let mut state = bare("keep", &[]);
    let d6 = put(&mut state, "d6", &[(9_000, 5_000), (9_000, 5_200), (9_000, 5_400)], SOUTH);
    let d7 = put(&mut state, "d7", &[(9_300, 5_800), (9_500, 6_000), (9_900, 6_000)], SOUTH);
    let unit = &mut state.table.units[usize::from(d6.0)];
    (unit.shot_hits, unit.shot_from) = (2, Some((Point::cm(90, 30), 2_000)));
    state.steps = vec![Step::DriveBack];
    (state.active, state.asked) = (G, Some(B));
    // 5 and 1: 6 cm.
    decide(&mut state, B, &Action::DriveBack(d6), &[5, 1]);
    assert!(matches!(state.steps.last(), Some(Step::MakeWay(_, friend)) if *friend == d7));
    decide(&mut state, B, &Action::MakeWay(true), &[3, 6]);
    assert_eq!(places(&state, d6)[0], ground(9_000, 5_000 + 6 * 100, SOUTH));
    // Left of those who look south is east; one centimetre is enough.
    assert_eq!(places(&state, d7)[0], ground(9_400, 5_800, SOUTH));
    assert_eq!(places(&state, d7)[1], ground(9_500, 6_000, SOUTH));
    let confused = |id: breach::game::UnitId| state.table.units[usize::from(id.0)].marks.confused;
    assert_eq!((confused(d6), confused(d7)), (false, true));
}

/// BG-EX-57: a lone Hero whom warriors march over joins a unit within 30 cm.
#[test]
fn bg_ex_57() {
    let mut state = bare("keep", &[]);
    let d5 = put(&mut state, "d5", &[(9_000, 6_000)], SOUTH);
    let hero = Point::cm(90, 50);
    let e2 = person(&mut state, "e2", Whereabouts::At(hero));
    let e4 = put(&mut state, "e4", &[(9_000 - 12 * 100 - 200, 5_000)], NORTH);
    let e6 = put(&mut state, "e6", &[(9_000 + 29 * 100 + 200, 5_000)], NORTH);
    put(&mut state, "e7", &[(9_000 + 35 * 100 + 200, 5_000)], NORTH);
    ordered(&mut state, B, &[d5]);
    let step = Move {
        unit: d5,
        stands: vec![Way { stand: 0, via: Vec::new(), to: ground(9_000, 4_600, SOUTH) }],
        machine: None,
    };
    decide(&mut state, B, &Action::March(vec![step]), &[]);
    assert_eq!(listed(&state, G), [Action::Escape(e4), Action::Escape(e6)]);
    decide(&mut state, G, &Action::Escape(e6), &[]);
    assert_eq!(state.table.characters[usize::from(e2.0)].place, Whereabouts::With(e6));
    assert_eq!(places(&state, d5)[0], ground(9_000, 4_600, SOUTH));
}

/// BG-EX-58: a covered ram 14.3 cm from the gate gets there by initiative, a portable one 21 cm away not.
#[test]
fn bg_ex_58() {
    let mut state = bare("keep", &[]);
    let d10 = machine(&mut state, "d10", Item::Ram, (9_000, 1_600 + 1_430), SOUTH);
    let d8 = put(&mut state, "d8", &[(9_800, 1_600 + 21 * 100), (9_800, 3_900), (9_800, 4_100)], SOUTH);
    state.table.units[usize::from(d8.0)].item = Item::PortableRam;
    at(&mut state, B, &[Step::Initiative]);
    let go = |unit, at| Action::InitiativeMachine { unit, element: ElementId(at) };
    assert!(refusal(&state, B, &go(d8, 9)).contains("BC-4.1-06"));
    decide(&mut state, B, &go(d10, 7), &[]);
    let unit = &state.table.units[usize::from(d10.0)];
    assert_eq!(unit.machine, Some((Point::cm(90, 16), SOUTH)));
    assert_eq!(unit.stands[0].post.map(|post| post.element), Some(ElementId(7)));
    assert!(unit.marks.moved_once);
    at(&mut state, B, &[Step::Fights]);
    assert!(listed(&state, B).contains(&Action::Ram(d10)));
}

/// BG-EX-59: who fights on the ground does not ram; beaten, he loses the ram.
#[test]
fn bg_ex_59() {
    let mut state = bare("keep", &[]);
    let d10 = machine(&mut state, "d10", Item::Ram, (9_000, 1_600), SOUTH);
    post(&mut state, d10, 0, 7, Slot::Outer);
    // In the rear of the column, which ends at 26 cm.
    let e4 = put(&mut state, "e4", &[(9_000, 2_600)], SOUTH);
    engage(&mut state, &[d10, e4]);
    at(&mut state, B, &[Step::Fights]);
    let fights = listed(&state, B);
    assert!(!fights.contains(&Action::Ram(d10)) && fights.len() == 1, "{fights:?}");
    // One stand on each side: 3 dice with an enemy in the rear, so 2; then 3 dice, a hit, no save: 1 to 0.
    decide(&mut state, B, &fights[0], &[1, 1, 4, 1, 1, 1, 1, 1, 1]);
    assert_eq!(state.table.units[usize::from(d10.0)].item, Item::None);
}

/// BG-EX-60: without its ram a unit is free for another order, at -1.
#[test]
fn bg_ex_60() {
    let mut state = bare("keep", &[]);
    let d8 = put(&mut state, "d8", &[(9_000, 6_000), (9_400, 6_000), (9_800, 6_000)], SOUTH);
    let unit = &mut state.table.units[usize::from(d8.0)];
    (unit.item, unit.orders, unit.marks.moved_once) = (Item::PortableRam, 1, true);
    let d2 = person(&mut state, "d2", Whereabouts::At(Point::new(9_000 - 200 - 15 * 100, 6_000)));
    at(&mut state, B, &[Step::Orders]);
    state.hand.commander = Some(d2);
    state.hand.group = vec![d8];
    assert!(refusal(&state, B, &Action::Order(vec![d8])).contains("BR-portable-ram-04"));
    assert!(listed(&state, B).contains(&Action::Abandon(d8)));
    decide(&mut state, B, &Action::Abandon(d8), &[]);
    // 8 - 1 = 7, and 4 + 3 = 7.
    decide(&mut state, B, &Action::Order(vec![d8]), &[4, 3]);
    assert!(matches!(state.steps.last(), Some(Step::Move)) && !state.hand.half);
}

/// BG-EX-61: 12 and 20 cm up are within a pace, neither within half a pace.
#[test]
fn bg_ex_61() {
    for y in [26, 34] {
        let mut state = bare("keep", &[]);
        let d6 = put(&mut state, "d6", &[(7_800, y * 100), (8_200, y * 100), (8_600, y * 100)], SOUTH);
        state.table.units[usize::from(d6.0)].item = Item::Ladders;
        ordered(&mut state, B, &[d6]);
        let elements = vec![ElementId(4), ElementId(5), ElementId(6)];
        let climb = Action::Climb { unit: d6, elements };
        let mut failed = state.clone();
        failed.hand.half = true;
        assert!(refusal(&failed, B, &climb).contains("BC-5.2-02"), "{y}");
        decide(&mut state, B, &climb, &[]);
        assert_eq!(places(&state, d6)[0], Place::Rampart { element: ElementId(4), look: Look::In });
        assert!(state.table.units[usize::from(d6.0)].marks.finished);
    }
}

/// BG-EX-62: through the open passage, three stands wide if there is room behind it, one if there is not.
#[test]
fn bg_ex_62() {
    for (y, wide) in [(7, true), (12, false)] {
        let mut state = bare("keep", &[]);
        state.table.elements[7].leaf_down = true;
        let e4 = put(&mut state, "e4", &[(9_000, y * 100), (8_600, y * 100), (9_400, y * 100)], NORTH);
        let d5 = put(&mut state, "d5", &[(9_000, 1_700), (9_000, 1_900), (9_000, 2_100)], SOUTH);
        ordered(&mut state, B, &[d5]);
        decide(&mut state, B, &Action::Charge(charge(d5, Target::Unit(e4))), &[]);
        let found = places(&state, d5);
        if wide {
            let at = |x| ground(x, 7 * 100, SOUTH);
            assert_eq!(found[..3], [at(9_000), at(9_400), at(8_600)]);
        } else {
            assert_eq!(found[..3], [1_200, 1_400, 1_600].map(|y| ground(9_000, y, SOUTH)));
        }
    }
}
