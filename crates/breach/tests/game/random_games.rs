//! Random games to the end: the invariants hold after every action, and every record is verified and
//! played again to the same state.

use std::collections::BTreeMap;

use breach::game::{Action, SCENARIOS, State};
use breach::scenario::Side;
use kernel::conformance::{Played, Tally, Trial, Usual, random_games};
use kernel::{Game as _, Live, Setup, Step, Topic};

use crate::invariants;
use crate::players::{self, Manner};

/// A random siege: the scenarios in turn, every sixteenth game a whole campaign.
struct Siege {
    manner: Manner,
    stream: Live,
    scenario: &'static str,
}

impl Trial for Siege {
    type Game = State;

    const MOST: usize = 100_000;
    const OFFERED: usize = 128;

    fn begin(number: u64) -> (Self, Setup) {
        let mut stream = Live::numbered(number);
        let scenario =
            if number % 16 == 7 { SCENARIOS[3] } else { SCENARIOS[usize::try_from(number % 3).unwrap()] };
        // Every third game is played with other options than the book's.
        let options = if number % 3 == 1 { players::options(&mut stream) } else { BTreeMap::new() };
        let setup = Setup { scenario: scenario.to_owned(), options };
        (Self { manner: Manner::of(number), stream, scenario }, setup)
    }

    fn choose(&mut self, state: &State, side: Side, actions: &[Action]) -> usize {
        self.manner.choose(state, side, actions, &mut self.stream)
    }

    fn check(&mut self, before: &State, _: &Action, _: &Step, after: &State) -> Result<(), String> {
        invariants::check(after)?;
        invariants::check_after(before, after)
    }

    fn note(&self, before: &State, action: &Action, tally: &mut Tally) {
        *tally.entry(format!("step {}", players::step(before))).or_default() += 1;
        *tally.entry(Topic::named(action).kind.to_owned()).or_default() += 1;
    }

    fn ended(&self, state: &State, tally: &mut Tally) {
        let outcome = state.outcome().unwrap();
        *tally.entry(format!("{}: {:?} {:?}", self.scenario, outcome.winner, outcome.reason)).or_default() +=
            1;
    }
}

#[test]
fn games_come_to_an_end() {
    let Played { games, tally, faults, .. } = random_games::<Siege>(Usual::Same(200));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    if games >= 200 {
        // What must be reached, so that it is tried at all; the rest is met in games laid at the walls.
        for kind in [
            "abandon",
            "advance_charge",
            "army_done",
            "blunder_choice",
            "bombard",
            "buy_item",
            "buy_unit",
            "charge",
            "decline",
            "dig",
            "drive_back",
            "fall_back",
            "fight",
            "home_back",
            "initiative_charge",
            "initiative_evade",
            "make_way",
            "name_target",
            "pursue",
            "react",
            "reform",
            "remove_item",
            "remove_stand",
            "remove_unit",
            "shoot",
            "stand",
            "take_default_army",
            "turn_engine",
            "step Army",
            "step Draw",
            "step Winner",
        ] {
            assert!(tally.contains_key(kind), "no game reached {kind}");
        }
    }
}
