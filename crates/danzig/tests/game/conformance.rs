//! The contract of the kernel, checked at the nodes of random games, from the first set-up and from
//! the middle of sieges.

use danzig::{Action, Outcome, Side, State, View};
use kernel::conformance::Suite;
use kernel::{Clerk, Desk, Disclosure, Freedom, Game, Live, Setup, Sides, Silent, Topic, Verdict};
use serde::{Deserialize, Serialize};

use crate::common::Manner;

fn setup(options: &[(&str, &str)]) -> Setup {
    Setup {
        scenario: danzig::SCENARIOS[0].to_owned(),
        options: options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
    }
}

#[test]
fn the_contract_holds() {
    let setups = [setup(&[]), setup(&[("kamenski_turn", "8"), ("repetition", "rolloff")])];
    let report =
        Suite::<State>::new(setups).games(1).most_decisions(200_000).every(89).imagined_steps().run();
    assert!(report.rolled > 0 && report.plain > 0 && report.refused > 0, "{report:?}");
}

/// The same game from the middle of a siege, brought about by legal orders against an idle garrison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct Besieged<const TURN: u8>(State);

impl<const TURN: u8> Game for Besieged<TURN> {
    const SYSTEM: &'static str = "danzig-besieged";
    type Side = Side;
    const SIDES: &'static [Side] = State::SIDES;
    type Action = Action;
    type View = View;
    type Outcome = Outcome;

    fn start(setup: &Setup) -> Verdict<Self> {
        let mut state = State::start(setup)?;
        let mut stream = Live::numbered(3);
        let mut desk = Desk::new(Live::numbered(4), Silent);
        let manner = Manner::Prepared { turn: TURN, uniform: false };
        let mut actions = Vec::new();
        let mut decisions = 0;
        while let Some(side) = state.to_move().filter(|_| state.table.turn < TURN) {
            state.actions(side, &mut actions);
            let action = actions[manner.choose(&state, &actions, &mut stream)];
            state.apply(side, &action, &mut desk)?;
            decisions += 1;
            assert!(decisions < 50_000, "the turn does not come");
        }
        Ok(Self(state))
    }

    fn deciders(&self) -> Sides {
        self.0.deciders()
    }

    fn actions(&self, side: Side, into: &mut Vec<Action>) {
        self.0.actions(side, into);
    }

    fn validate(&self, side: Side, action: &Action) -> Verdict<()> {
        self.0.validate(side, action)
    }

    fn perform(&mut self, side: Side, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        self.0.perform(side, action, clerk)
    }

    fn imagine(view: &View, stream: &mut Live) -> Self {
        Self(State::imagine(view, stream))
    }

    fn freedom(action: &Action) -> Freedom {
        State::freedom(action)
    }

    fn topic(action: &Action) -> Topic {
        State::topic(action)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }

    fn view(&self, reader: Option<Side>) -> View {
        self.0.view(reader)
    }
}

fn holds_from<const TURN: u8>(games: u64) {
    let report =
        Suite::<Besieged<TURN>>::new([setup(&[])]).games(games).most_decisions(200_000).every(89).run();
    assert!(report.rolled > 0 && report.plain > 0 && report.refused > 0, "{report:?}");
}

#[test]
fn the_contract_holds_from_the_middle_of_a_siege() {
    holds_from::<9>(1);
    holds_from::<13>(2);
}
