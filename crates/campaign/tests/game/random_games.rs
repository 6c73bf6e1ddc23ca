//! Random games to the end: the invariants hold after every action, and every record is verified and
//! played again to the same state.

use campaign::game::{Action, SCENARIOS, State};
use campaign::terms::Army;
use kernel::conformance::{Played, Tally, Trial, Usual, random_games};
use kernel::{Game as _, Live, Setup, Step, Topic};

use crate::invariants;

/// A random campaign: short scenarios, every twentieth game a long one.
struct Campaign {
    stream: Live,
    scenario: &'static str,
}

impl Trial for Campaign {
    type Game = State;

    const MOST: usize = 100_000;
    const OFFERED: usize = 160;

    fn begin(number: u64) -> (Self, Setup) {
        let scenario = SCENARIOS[match number % 20 {
            // The long ones in turn.
            19 => 2 + usize::try_from(number / 20 % 2).unwrap(),
            other => usize::from(other % 4 == 3),
        }];
        let setup = Setup { scenario: scenario.to_owned(), ..Setup::default() };
        (Self { stream: Live::numbered(number), scenario }, setup)
    }

    fn choose(&mut self, _: &State, _: Army, actions: &[Action]) -> usize {
        self.stream.below(u32::try_from(actions.len()).unwrap()) as usize
    }

    fn check(&mut self, before: &State, _: &Action, _: &Step, after: &State) -> Result<(), String> {
        invariants::check(after)?;
        invariants::goes_on(before, after)
    }

    fn note(&self, _: &State, action: &Action, tally: &mut Tally) {
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
    let Played { faults, .. } = random_games::<Campaign>(Usual::Same(200));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
