//! Random games from positions laid before the walls, inside them and on the road out, so that every
//! device of a siege is met: machines, ladders, breaches, towers fought for from several sides.

use std::collections::BTreeMap;

use breach::game::{Action, Place, Slot, State, Step, Whereabouts};
use breach::scenario::Side;
use breach::terms::Item;
use kernel::{Desk, Game as _, Live, Scripted, Setup, Silent};
use tabletop::geometry::{Facing, Point};

use crate::invariants;
use crate::players::{self, Manner};
use crate::table::{bare, machine, person, put, up};

const NORTH: Facing = Facing::NORTH;
const SOUTH: Facing = Facing::SOUTH;

/// The ready-made armies set up, the besiegers brought near.
fn before_the_walls(stream: &mut Live) -> State {
    let mut options = players::options(stream);
    for name in ["army_choice", "deployment"] {
        options.remove(name);
    }
    let mut state = State::start(&Setup { scenario: "keep".to_owned(), options }).unwrap();
    let mut actions = Vec::new();
    while matches!(state.steps.last(), Some(Step::Works(_) | Step::Deploy | Step::DeployCharacters)) {
        let side = state.to_move().unwrap();
        state.actions(side, &mut actions);
        let rest =
            [Action::PlaceTheRest, Action::DeployTheRest].into_iter().find(|rest| actions.contains(rest));
        let action = rest.unwrap_or_else(|| actions[0].clone());
        state.apply(side, &action, &mut Desk::new(Scripted::new(&[]), Silent)).unwrap();
    }
    let nearer = i64::from(5_200 + stream.below(8) * 100);
    for unit in state.table.units.iter_mut().filter(|unit| unit.side == Side::Besieger) {
        if matches!(unit.troop, breach::game::Troop::Engine(_)) {
            continue;
        }
        for stand in &mut unit.stands {
            if let Place::Ground { front, facing } = stand.place {
                stand.place = Place::Ground { front: front.moved(0, -nearer), facing };
            }
        }
        unit.machine = unit.machine.map(|(front, facing)| (front.moved(0, -nearer), facing));
    }
    // Works that stand where the besiegers do are gone.
    state.table.earthworks.clear();
    for works in &mut state.table.elements {
        works.dice = u8::try_from(stream.below(4)).unwrap();
        works.leaf_dice = u8::try_from(stream.below(3)).unwrap();
    }
    state
}

/// Besiegers on the left wall and in the courtyard, the garrison in the towers and on the right.
fn inside(stream: &mut Live) -> State {
    let mut state = bare("keep", &[]);
    up(&mut state, "d5", &[4, 5, 6]);
    up(&mut state, "d7", &[2, 1, 0]);
    for (name, y) in [("d6", 1_000), ("d8", 700), ("d17", 400)] {
        put(&mut state, name, &[(7_900, y), (8_300, y), (8_700, y)], NORTH);
    }
    up(&mut state, "e8", &[3, 3, 3]);
    up(&mut state, "e12", &[8, 9, 10]);
    up(&mut state, "e13", &[11, 11, 11]);
    up(&mut state, "e9", &[12, 13, 14]);
    put(&mut state, "e4", &[(9_400, 1_000), (9_800, 1_000), (10_200, 1_000)], Facing::tenths(2700));
    for (unit, y) in [("e5", 400)] {
        put(&mut state, unit, &[(9_400, y), (9_800, y), (10_200, y)], NORTH);
    }
    // Outside a tower on wheels, a ram, ladders.
    machine(&mut state, "d11", Item::SiegeTower, (9_800, 2_500), SOUTH);
    machine(&mut state, "d10", Item::Ram, (9_000, 2_200), SOUTH);
    for (name, x, item) in [("d9", 10_600, Item::PortableRam), ("d12", 11_600, Item::Ladders)] {
        let id = put(&mut state, name, &[(x, 2_400), (x, 2_600), (x, 2_800)], SOUTH);
        state.table.units[usize::from(id.0)].item = item;
    }
    put(&mut state, "d18", &[(9_000, 5_000), (9_200, 5_000)], SOUTH);
    person(&mut state, "e2", Whereabouts::At(Point::cm(90, 3)));
    let with = crate::table::unit(&state, "e13");
    person(&mut state, "e1", Whereabouts::With(with));
    person(&mut state, "d1", Whereabouts::At(Point::cm(90, 45)));
    person(&mut state, "d2", Whereabouts::At(Point::cm(86, 30)));
    let active = if stream.below(2) == 0 { Side::Besieger } else { Side::Garrison };
    for at in [5, 9] {
        state.table.elements[at].dice = 3;
    }
    state.table.elements[7].leaf_dice = 2;
    (state.active, state.turn) = (active, 3);
    begin(state)
}

/// The riders half-way to the edge.
fn on_the_road(stream: &mut Live) -> State {
    let mut state = bare("help", &[]);
    let y = i64::from(7_000 + stream.below(20) * 100);
    for (name, x) in [("e2", 3_000), ("e3", 6_500), ("e4", 9_000)] {
        put(&mut state, name, &[(x, y), (x + 200, y), (x + 400, y)], NORTH);
    }
    for (name, x) in [("d3", 2_000), ("d5", 5_000), ("d6", 7_800), ("d7", 11_000)] {
        put(&mut state, name, &[(x, 11_400), (x + 400, 11_400), (x + 800, 11_400)], SOUTH);
    }
    put(&mut state, "d9", &[(13_000, 11_400), (13_200, 11_400)], SOUTH);
    person(&mut state, "e1", Whereabouts::At(Point::new(7_000, y - 600)));
    person(&mut state, "d1", Whereabouts::At(Point::cm(70, 115)));
    state.first = Side::Garrison;
    state.active = Side::Garrison;
    begin(state)
}

/// The watchtower, held and attacked.
fn at_the_watchtower(stream: &mut Live) -> State {
    let mut state = bare("watchtower", &[]);
    state.table.entrance = Some(Slot::North);
    let e4 = up(&mut state, "e4", &[]);
    for stand in state.table.units[usize::from(e4.0)].stands.iter_mut().take(3) {
        stand.place = Place::Tower { element: breach::game::ElementId(0) };
    }
    for (name, x) in [("d4", 8_600), ("d5", 10_000), ("d9", 7_000)] {
        put(&mut state, name, &[(x, 7_800), (x + 400, 7_800), (x + 800, 7_800)], SOUTH);
    }
    for (name, x) in [("e6", 8_000), ("e7", 9_600), ("e9", 11_200)] {
        put(&mut state, name, &[(x, 4_200), (x + 400, 4_200), (x + 800, 4_200)], NORTH);
    }
    let half = i64::from(stream.below(10)) * 100;
    person(&mut state, "e1", Whereabouts::At(Point::new(9_000, 3_500)));
    person(&mut state, "e2", Whereabouts::At(Point::new(9_000 + half, 7_000)));
    person(&mut state, "d1", Whereabouts::At(Point::cm(95, 90)));
    state.first = Side::Garrison;
    state.active = Side::Besieger;
    begin(state)
}

/// The player turn begins.
fn begin(mut state: State) -> State {
    // An empty march of a unit that is not there would be refused: the turn begins with its orders.
    state.steps = vec![Step::Orders];
    state.asked = Some(state.active);
    let mut actions = Vec::new();
    state.actions(state.active, &mut actions);
    assert!(!actions.is_empty());
    state
}

#[test]
fn every_device_of_a_siege_is_met() {
    let games: u64 = std::env::var("GLACIS_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(160);
    let mut tally: BTreeMap<String, usize> = BTreeMap::new();
    let mut faults = Vec::new();
    let mut actions = Vec::new();
    for number in 0..games {
        let mut stream = Live::numbered(10_000 + number);
        let mut state = match number % 8 {
            0..=2 => before_the_walls(&mut stream),
            3..=5 => inside(&mut stream),
            6 => on_the_road(&mut stream),
            _ => at_the_watchtower(&mut stream),
        };
        let manner = if number % 5 == 0 { Manner::Any } else { Manner::Bold };
        let mut desk = Desk::new(Live::numbered(number), Silent);
        for count in 0..260 {
            let Some(side) = state.to_move() else { break };
            state.actions(side, &mut actions);
            *tally.entry(format!("step {}", players::step(&state))).or_default() += 1;
            let action = actions[manner.choose(&state, side, &actions, &mut stream)].clone();
            *tally.entry(kernel::Topic::named(&action).kind.to_owned()).or_default() += 1;
            let before = state.clone();
            let applied = state.apply(side, &action, &mut desk).map(|_| ()).map_err(|told| told.to_string());
            let sound = applied
                .and_then(|()| invariants::check(&state))
                .and_then(|()| invariants::check_after(&before, &state));
            if let Err(fault) = sound {
                faults.push(format!("game {number}, decision {count}, {action:?}: {fault}"));
                break;
            }
        }
    }
    println!("{tally:#?}");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    if games >= 160 {
        for kind in [
            "assign",
            "charge",
            "climb",
            "continue",
            "escape",
            "exit",
            "initiative_machine",
            "keep_odd_hits",
            "ram",
            "ram_advance",
            "react",
            "reform",
            "stop",
            "waive_ram",
            "step Advance",
            "step Assign",
            "step CollapseChoice",
            "step Escape",
            "step RamAdvance",
            "step RamReaction",
            "step SplitChoice",
            "step TowerTarget",
        ] {
            assert!(tally.contains_key(kind), "no game reached {kind}");
        }
    }
}
