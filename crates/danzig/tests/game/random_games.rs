//! Random games to the end: the invariants of the table hold after every action, and every record is
//! verified and played again to the same state; `cargo xtask fuzz` plays ten thousand, `cargo xtask
//! test` others each time.

use std::collections::BTreeMap;

use danzig::{Action, Side, State};
use kernel::conformance::{Played, Tally, Trial, Usual, random_game, random_games};
use kernel::{Game as _, Live, Setup, Step};

use crate::common::{Guard, Manner, random_options};
use crate::told::told;

/// A random siege, with the guard who watches its table.
struct Siege {
    manner: Manner,
    stream: Live,
    guard: Guard,
}

impl Trial for Siege {
    type Game = State;

    const MOST: usize = 300_000;

    fn begin(number: u64) -> (Self, Setup) {
        let mut stream = Live::numbered(number);
        let setup = Setup {
            scenario: danzig::SCENARIOS[0].to_owned(),
            options: if number % 3 == 2 { random_options(&mut stream) } else { BTreeMap::new() },
        };
        let guard = Guard::new(&State::start(&setup).unwrap());
        (Self { manner: Manner::of(number), stream, guard }, setup)
    }

    fn choose(&mut self, state: &State, _: Side, actions: &[Action]) -> usize {
        self.manner.choose(state, actions, &mut self.stream)
    }

    fn check(&mut self, before: &State, action: &Action, step: &Step, after: &State) -> Result<(), String> {
        if !step.dice.is_empty() {
            told(&before.table, &after.table, &step.said)?;
        }
        self.guard.check(after, action)
    }

    fn note(&self, _: &State, action: &Action, tally: &mut Tally) {
        *tally.entry(kind(action)).or_default() += 1;
    }

    fn ended(&self, state: &State, tally: &mut Tally) {
        let outcome = state.outcome().unwrap();
        for met in [
            format!("outcome {:?}", outcome.result),
            format!("surrender {}", outcome.surrendered.is_some()),
            format!("morale {:02} to the end", state.table.danzig.morale),
            format!("second line entered {}", state.table.danzig.second_line_done),
        ] {
            *tally.entry(met).or_default() += 1;
        }
    }
}

#[test]
fn games_come_to_an_end() {
    let Played { games, decisions, tally, faults } = random_games::<Siege>(Usual::Others(200));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(decisions > 0);
    if games >= 200 {
        // What must be reached, so that it is tried at all.
        for kind in [
            "Assault",
            "BoatsStart",
            "Build Mine",
            "Build New",
            "Charge",
            "Countermine",
            "DeclareCounterAttack",
            "DeclareSortie",
            "Desert",
            "ExplodeMine",
            "FireMortar",
            "FireSiegeGun",
            "RollDesertion",
            "second line entered true",
        ] {
            assert!(tally.contains_key(kind), "no game reached {kind}");
        }
    }
    // Through a breach the city is seldom starved of its heart as well.
    if games >= 5_000 {
        assert!(tally.contains_key("surrender true"), "no city surrendered");
    }
}

/// In this game the garrison wins back a point on which two steps of its own stand already (DZ-4.2-06).
#[test]
fn a_point_that_is_held_has_no_room_for_those_who_win_it_back() {
    assert_eq!(random_game::<Siege>(5059, &mut Tally::new()).err(), None);
}

fn kind(action: &Action) -> String {
    let text = format!("{action:?}");
    let mut words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default().to_owned();
    match action {
        Action::Build(_) | Action::SiegeMove(_) | Action::March(_) => {
            format!("{first} {}", words.next().unwrap_or_default())
        }
        _ => first,
    }
}
