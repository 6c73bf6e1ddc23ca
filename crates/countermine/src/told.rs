//! The example game as it is told. Its phrases have no words: their keys are shown.

use kernel::{Live, Phrase, Saying, Told};
use opponent::{Planner, Searcher, any_of};

use crate::{Action, Countermine, Outcome, Phase, Side, View};

const fn say(key: &'static str) -> Saying {
    Saying::new(Phrase::declared(key))
}

impl Told for Countermine {
    fn standing(&self) -> Vec<Saying> {
        let phase = match self.phase {
            Phase::Laying => "ex-phase-laying",
            Phase::Works(_) => "ex-phase-works",
            Phase::Answer => "ex-phase-answer",
            Phase::Night | Phase::Patrols(_) => "ex-phase-night",
            Phase::Over(_) => "ex-phase-over",
        };
        vec![say("ex-standing").with("turn", self.turn()).with("phase", Phrase::declared(phase))]
    }

    fn kind(action: &Action) -> Saying {
        say(match action {
            Action::Lay(_) => "ex-kind-lay",
            Action::Dig(_) => "ex-kind-dig",
            Action::Listen(_) => "ex-kind-listen",
            Action::Assault(_) => "ex-kind-assault",
            Action::Place(_) => "ex-kind-place",
            Action::Blow | Action::Hold => "ex-kind-answer",
            Action::Sap(_) | Action::Patrol(_) | Action::Sleep => "ex-kind-night",
        })
    }

    fn tell(&self, action: &Action) -> Saying {
        match *action {
            Action::Lay(number) => say("ex-order-lay").with("gallery", number),
            Action::Dig(number) => say("ex-order-dig").with("gallery", number),
            Action::Listen(number) => say("ex-order-listen").with("gallery", number),
            Action::Assault(number) => say("ex-order-assault").with("gallery", number),
            Action::Place(spot) => say("ex-order-place").with("x", spot.x).with("y", spot.y),
            Action::Blow => say("ex-order-blow"),
            Action::Hold => say("ex-order-hold"),
            Action::Sap(number) => say("ex-order-sap").with("gallery", number),
            Action::Patrol(number) => say("ex-order-patrol").with("gallery", number),
            Action::Sleep => say("ex-order-sleep"),
        }
    }

    fn name(side: Side) -> Phrase {
        Phrase::declared(match side {
            Side::Besieger => "ex-besieger",
            Side::Garrison => "ex-garrison",
        })
    }

    fn ending(outcome: &Outcome) -> Saying {
        say(match outcome {
            Outcome::Taken => "ex-won-besieger",
            Outcome::Held => "ex-won-garrison",
        })
    }
}

/// The machine of the example game is no better than chance: every decision is as likely as any other.
impl Planner for Countermine {
    fn plan(_: Side, _: &View, offered: &[Action], stream: &mut Live) -> Action {
        *any_of(offered, stream)
    }
}

impl Searcher for Countermine {
    fn score(outcome: &Outcome, side: Side) -> f64 {
        let winner = match outcome {
            Outcome::Taken => Side::Besieger,
            Outcome::Held => Side::Garrison,
        };
        f64::from(u8::from(side == winner))
    }
}
