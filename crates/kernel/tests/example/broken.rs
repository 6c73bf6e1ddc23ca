//! The example with one fault at a time: the suite finds each.

use std::sync::atomic::{AtomicBool, Ordering};

use kernel::conformance::{Check, Failure, Suite};
use kernel::{
    Audience, Clerk, Disclosure, Effect, Event, Freedom, Game, Live, Phrase, Refusal, RuleId, Setup, Sides,
    Verdict,
};
use serde::{Deserialize, Serialize};

use countermine::{self, Action, Countermine, Outcome, Phase, Side, View, setup};

macro_rules! wrongs {
    ($($name:ident => $check:expr;)*) => {
        /// What is wrong with a [`Broken`] game.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Wrong { $($name),* }

        const WRONGS: &[Wrong] = &[$(Wrong::$name),*];

        /// Every wrong game, with the check that must find it and the one that does.
        fn findings() -> Vec<(Wrong, Option<Check>, Option<Check>)> {
            vec![$((Wrong::$name, $check, found::<{ Wrong::$name as usize }>())),*]
        }
    };
}

wrongs! {
    Nothing => None;
    TakesAnyScenario => Some(Check::Start);
    TakesAnyOption => Some(Check::Start);
    NeverEnds => Some(Check::End);
    MovesAfterTheEnd => Some(Check::Deciders);
    OffersNothing => Some(Check::List);
    OffersTwice => Some(Check::List);
    OffersUnsorted => Some(Check::List);
    RefusesWhatItOffers => Some(Check::Listed);
    AcceptsTooMuch => Some(Check::Unlisted);
    AcceptsFreely => None;
    AcceptsOddArguments => Some(Check::Unlisted);
    AcceptsTheWrongSide => Some(Check::WrongSide);
    ActsBeforeItChecks => Some(Check::Untouched);
    ForgetsWhenWritten => Some(Check::RoundTrip);
    KeepsAGenerator => Some(Check::Repeatable);
    RollsElsewhere => Some(Check::Repeatable);
    ListensToItself => Some(Check::Repeatable);
    ShowsTheMine => Some(Check::TwinView);
    ShowsTheMineToSpectators => Some(Check::TwinView);
    OffersByTheMine => Some(Check::TwinRefusal);
    RefusesByTheMine => Some(Check::TwinRefusal);
    CallsRevelationsPlain => Some(Check::TwinStep);
    CallsSomeRevelationsPlain => Some(Check::TwinStep);
    WhispersAloud => Some(Check::TwinStep);
    ReasonsAloud => Some(Check::TwinStep);
    SaysWhereItLays => Some(Check::Audience);
    ImaginesNoMine => Some(Check::Imagine);
    MiscountsKinds => Some(Check::Stages);
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Broken<const WRONG: usize> {
    game: Countermine,
    /// What a faulty game keeps beside what it writes.
    #[serde(skip)]
    kept: u8,
}

impl<const WRONG: usize> Broken<WRONG> {
    const fn is(wrong: Wrong) -> bool {
        WRONGS[WRONG] as usize == wrong as usize
    }

    /// Whether the countermine lies under the first gallery: what the besieger may not know.
    fn secret(&self) -> bool {
        self.game.mine == Some(0)
    }
}

impl<const WRONG: usize> PartialEq for Broken<WRONG> {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game && (!Self::is(Wrong::ForgetsWhenWritten) || self.kept == other.kept)
    }
}

#[derive(Serialize)]
struct Shown {
    view: View,
    mine: Option<u16>,
}

impl<const WRONG: usize> Game for Broken<WRONG> {
    const SYSTEM: &'static str = "broken";
    type Side = Side;
    const SIDES: &'static [Side] = Countermine::SIDES;
    type Action = Action;
    type View = Shown;
    type Outcome = Outcome;

    fn start(setup: &Setup) -> Verdict<Self> {
        let mut setup = setup.clone();
        if Self::is(Wrong::TakesAnyScenario) {
            setup.scenario = "broad".to_owned();
        }
        if Self::is(Wrong::TakesAnyOption) {
            setup.options.clear();
        }
        Ok(Self { game: Countermine::start(&setup)?, kept: 0 })
    }

    fn deciders(&self) -> Sides {
        let deciders = self.game.deciders();
        if deciders.is_empty() && Self::is(Wrong::MovesAfterTheEnd) {
            return Sides::one(Self::place(Side::Garrison));
        }
        deciders
    }

    fn actions(&self, side: Side, into: &mut Vec<Action>) {
        self.game.actions(side, into);
        if Self::is(Wrong::OffersNothing) && self.game.phase == Phase::Answer {
            into.clear();
        }
        if Self::is(Wrong::OffersTwice) {
            into.extend(into.last().copied());
        }
        if Self::is(Wrong::OffersUnsorted) {
            into.reverse();
        }
        if Self::is(Wrong::OffersByTheMine) && self.secret() && into.len() > 1 {
            into.retain(|action| *action != Action::Listen(0));
        }
    }

    fn validate(&self, side: Side, action: &Action) -> Verdict<()> {
        let no = || Err(Refusal::rule(RuleId::declared("EX-0"), Phrase::declared("ex-no")));
        match (WRONGS[WRONG], action) {
            (Wrong::RefusesWhatItOffers, Action::Listen(1)) => return no(),
            (Wrong::OffersByTheMine, Action::Listen(0)) if self.secret() => return no(),
            (Wrong::AcceptsTooMuch | Wrong::AcceptsFreely, Action::Hold)
            | (Wrong::AcceptsOddArguments, Action::Listen(200..)) => {
                return Ok(());
            }
            _ => {}
        }
        self.game.validate(side, action).map_err(|refusal| {
            if Self::is(Wrong::RefusesByTheMine) && self.secret() {
                refusal.with("mine", 0_u8)
            } else {
                refusal
            }
        })
    }

    fn check(&self, side: Side, action: &Action) -> Verdict<()> {
        if self.decides(side) || Self::is(Wrong::AcceptsTheWrongSide) && self.outcome().is_none() {
            return self.validate(side, action);
        }
        self.game.check(side, action)
    }

    fn apply(&mut self, side: Side, action: &Action, clerk: &mut impl Clerk) -> Verdict<Disclosure> {
        if Self::is(Wrong::ActsBeforeItChecks) && self.game.phase == Phase::Answer {
            self.game.galleries[0].known = true;
        }
        self.check(side, action)?;
        Ok(self.perform(side, action, clerk))
    }

    fn perform(&mut self, side: Side, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        static ELSEWHERE: AtomicBool = AtomicBool::new(false);
        let secret = self.secret();
        let disclosure = self.game.perform(side, action, clerk);
        let over = self.game.outcome().is_some();
        let Countermine { galleries, phase, .. } = &mut self.game;
        let first = &mut galleries[0];
        match WRONGS[WRONG] {
            Wrong::NeverEnds if over => *phase = Phase::Works(2),
            Wrong::ForgetsWhenWritten => self.kept = 1,
            Wrong::KeepsAGenerator => {
                self.kept = self.kept.wrapping_add(1);
                first.known ^= self.kept.is_multiple_of(4);
            }
            Wrong::RollsElsewhere => first.known ^= ELSEWHERE.fetch_xor(true, Ordering::Relaxed),
            Wrong::ListensToItself => clerk.happened(|| {
                first.known = true;
                Event::new(Phrase::declared("ex-oh"))
            }),
            Wrong::WhispersAloud if *action == Action::Hold && secret => {
                clerk.happened(|| Event::new(Phrase::declared("ex-smiles")));
            }
            Wrong::SaysWhereItLays if matches!(action, Action::Lay(0)) => {
                clerk.happened(|| Event::new(Phrase::declared("ex-under-the-first")));
            }
            Wrong::ReasonsAloud if secret && matches!(action, Action::Dig(_)) => {
                clerk.because(RuleId::declared("EX-9"), Effect::Applied);
            }
            Wrong::CallsRevelationsPlain => return Disclosure::Nothing,
            Wrong::CallsSomeRevelationsPlain if matches!(action, Action::Listen(_)) => {
                return if secret { disclosure } else { Disclosure::Nothing };
            }
            _ => {}
        }
        disclosure
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game.outcome()
    }

    fn view(&self, reader: Option<Side>) -> Shown {
        let shows = match reader {
            Some(_) => Self::is(Wrong::ShowsTheMine),
            None => Self::is(Wrong::ShowsTheMineToSpectators),
        };
        let listened = self.game.galleries.iter().any(|gallery| gallery.known);
        Shown { view: self.game.view(reader), mine: self.game.mine.filter(|_| shows && listened) }
    }

    fn imagine(view: &Shown, stream: &mut Live) -> Self {
        let mut game = Countermine::imagine(&view.view, stream);
        if Self::is(Wrong::ImaginesNoMine) {
            game.mine = None;
        }
        Self { game, kept: 0 }
    }

    fn audience(&self, side: Side, action: &Action) -> Audience {
        self.game.audience(side, action)
    }

    fn kinds(&self, side: Side) -> Vec<(&'static str, usize)> {
        let mut kinds = self.counted(side, |topic| Some(topic.kind));
        if Self::is(Wrong::MiscountsKinds) {
            kinds.pop();
        }
        kinds
    }

    fn freedom(action: &Action) -> Freedom {
        if Self::is(Wrong::AcceptsFreely) { Freedom::Free } else { Countermine::freedom(action) }
    }
}

fn suite<const WRONG: usize>() -> Suite<Broken<WRONG>> {
    let twin = |state: &Broken<WRONG>, side, choice: &mut Live| {
        let game = countermine::twin(&state.game, side, choice)?;
        Some(Broken { game, ..state.clone() })
    };
    Suite::new([setup("broad", None)]).games(20).most_decisions(40).twin(twin)
}

/// The check that fails, if any does.
fn found<const WRONG: usize>() -> Option<Check> {
    suite::<WRONG>().try_run().err().map(|failure| failure.check)
}

#[test]
fn every_fault_is_found_by_its_check() {
    for (wrong, expected, found) in findings() {
        assert_eq!(found, expected, "{wrong:?}");
    }
}

#[test]
fn a_twin_that_is_never_another_state_proves_nothing() {
    let idle = suite::<{ Wrong::Nothing as usize }>().twin(|state, _, _| Some(state.clone()));
    assert_eq!(idle.try_run().unwrap_err().check, Check::Twins);
}

/// What a side imagines is a twin as well: a game that names no others is not let off.
#[test]
fn what_leaks_in_a_plain_step_is_found_without_twins_of_its_own() {
    fn bare<const WRONG: usize>() -> Option<Check> {
        let suite = Suite::<Broken<WRONG>>::new([setup("broad", None)]).games(20).most_decisions(40);
        suite.imagined_steps().try_run().err().map(|failure| failure.check)
    }
    assert_eq!(bare::<{ Wrong::Nothing as usize }>(), None);
    let leaks = [
        bare::<{ Wrong::CallsRevelationsPlain as usize }>(),
        bare::<{ Wrong::WhispersAloud as usize }>(),
        bare::<{ Wrong::ReasonsAloud as usize }>(),
    ];
    assert_eq!(leaks, [Some(Check::TwinStep); 3]);
}

#[test]
fn a_failure_leads_back_to_itself() {
    let failure: Failure = *suite::<{ Wrong::ShowsTheMine as usize }>().try_run().unwrap_err();
    let again =
        suite::<{ Wrong::ShowsTheMine as usize }>().first_seed(failure.seed).games(1).try_run().unwrap_err();
    assert_eq!((again.seed, again.node, again.check), (failure.seed, failure.node, failure.check));
    let words = failure.to_string();
    for part in ["broken", "broad", "seed 0, node", "twin: view", "Besieger sees"] {
        assert!(words.contains(part), "{words}");
    }
}

#[test]
#[should_panic(expected = "twin: view")]
fn run_panics_with_the_failure() {
    suite::<{ Wrong::ShowsTheMine as usize }>().run();
}
