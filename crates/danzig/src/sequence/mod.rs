//! The turn as an explicit state machine (chapter 2, the table of states). A [`Step`] is one decision as
//! the book tells it: who decides, what he may choose, whether a choice is legal, what it does, and what
//! comes next stand together in one block, in the order of the turn. Steps in which nobody has a choice
//! are passed over.

mod arrivals;
mod end;
mod french;
mod movement;
mod owed;
mod prussian;
mod repetition;
mod replacements;
mod rounds;

use kernel::{
    Chooses, Chosen, Clerk, Disclosure, Freedom, Game, Live, Options as _, Refusal, RuleId, Setup, Sides,
    Topic, Verdict,
};
use rulebook::options::danzig::TrenchCounterMm;
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::cut::Cut;
use crate::setup;
use crate::siege;
use crate::state::{Clock, Hand, Options, Outcome, Phase, State};
use crate::unit::Side;
use crate::view::View;

pub use arrivals::{arrival, relief_turn};
pub(crate) use arrivals::{begin_turn, lannes_may_enter};

/// A decision: who takes it, what he may choose, whether a choice is legal, and what it does.
pub(crate) trait Decision {
    /// Who decides.
    fn decider(state: &State) -> Side;

    /// What he may choose.
    fn offer(state: &State, into: &mut Vec<Action>);

    /// Whether he may choose this.
    fn check(state: &State, action: &Action) -> Verdict<()>;

    /// What his choice does; true when nothing more is decided in this step.
    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool;
}

/// A step of the turn: a decision, and what comes after it.
pub(crate) trait Step: Decision {
    /// What is done when the step is over and nobody decides; gives back the step that comes next.
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase;

    /// Whether it is looked after every decision if there is anything left but to end the step: then it
    /// ends by itself. Not where the list is long to make.
    fn may_run_out() -> bool {
        true
    }

    /// Whether it is plain at sight that there is more than one choice.
    fn is_open(_: &State) -> bool {
        false
    }

    /// Says why nobody decides in this step, where a player will wonder: it is passed over.
    fn passed_over(_: &State, _: &mut impl Clerk) {}
}

/// Calls a function of the step in which the game is.
macro_rules! step {
    ($state:expr, $call:ident($($given:expr),*)) => {
        match $state.phase {
            Phase::SetUp => setup::SetUp::$call($($given),*),
            // 2.1
            Phase::BridgeDeclare => arrivals::BridgeDeclare::$call($($given),*),
            Phase::Benningsen => arrivals::Benningsen::$call($($given),*),
            Phase::Dauntless => arrivals::Dauntless::$call($($given),*),
            Phase::ArrivalsFrench => arrivals::ArrivalsFrench::$call($($given),*),
            Phase::ArrivalsKamenski => arrivals::ArrivalsKamenski::$call($($given),*),
            Phase::ReplacementFrench => replacements::ReplacementFrench::$call($($given),*),
            Phase::ReplacementPrussian => replacements::ReplacementPrussian::$call($($given),*),
            Phase::BatteryRepair => replacements::BatteryRepair::$call($($given),*),
            // 2.2
            Phase::Retreat => rounds::Retreat::$call($($given),*),
            Phase::Half => rounds::Half::$call($($given),*),
            Phase::Move => movement::Move::$call($($given),*),
            Phase::Redoubt => rounds::Redoubt::$call($($given),*),
            Phase::DefensiveFire => rounds::DefensiveFire::$call($($given),*),
            Phase::Fire => rounds::Fire::$call($($given),*),
            Phase::Melee => rounds::Melee::$call($($given),*),
            Phase::Repetition => rounds::Repetition::$call($($given),*),
            Phase::LastHalf => rounds::LastHalf::$call($($given),*),
            // 2.3
            Phase::DesertionRoll => end::DesertionRoll::$call($($given),*),
            Phase::Desertion => end::Desertion::$call($($given),*),
            // 2.4
            Phase::Mine => french::Mine::$call($($given),*),
            Phase::Mortars => french::Mortars::$call($($given),*),
            Phase::Guns => french::Guns::$call($($given),*),
            Phase::Repair => french::Repair::$call($($given),*),
            Phase::Build => french::Build::$call($($given),*),
            Phase::Enfilade => french::Enfilade::$call($($given),*),
            Phase::SiegeMove => french::SiegeMove::$call($($given),*),
            Phase::Assault => french::Assault::$call($($given),*),
            // 2.5
            Phase::GarrisonMove => prussian::GarrisonMove::$call($($given),*),
            Phase::BatteryFire => prussian::BatteryFire::$call($($given),*),
            Phase::WallRepair => prussian::WallRepair::$call($($given),*),
            Phase::LateBatteryRepair => prussian::LateBatteryRepair::$call($($given),*),
            Phase::Countermine => prussian::Countermine::$call($($given),*),
            Phase::Sortie => prussian::Sortie::$call($($given),*),
            Phase::SortieFire => prussian::SortieFire::$call($($given),*),
            Phase::Defenders => prussian::Defenders::$call($($given),*),
            Phase::SortieMelee => prussian::SortieMelee::$call($($given),*),
            Phase::CounterAttack => prussian::CounterAttack::$call($($given),*),
            Phase::CounterAttackFire => prussian::CounterAttackFire::$call($($given),*),
            Phase::GameOver => end::GameOver::$call($($given),*),
        }
    };
}

/// Calls a function of the decision that is asked: of what is in hand, or of the step.
macro_rules! decision {
    ($state:expr, $call:ident($($given:expr),*)) => {
        match $state.hand {
            Hand::Exposed(_) => french::UnderFire::$call($($given),*),
            Hand::Leaving { .. } | Hand::Running { .. } => movement::Passing::$call($($given),*),
            Hand::Charged { .. } => movement::Charged::$call($($given),*),
            Hand::Moving(_) => movement::March::$call($($given),*),
            Hand::Empty | Hand::Fighting(_) => step!($state, $call($($given),*)),
        }
    };
}

/// Nothing more may be chosen than the end of the step; everything else is out of turn by this rule.
fn end_or_not_now(rule: RuleId, action: &Action) -> Verdict<()> {
    match action {
        Action::EndPhase => Ok(()),
        _ => Err(Refusal::rule(rule, phrase::danzig::NOT_NOW)),
    }
}

/// The scenarios there are.
pub const SCENARIOS: [&str; 4] =
    ["danzig-1807", Cut::FirstParallel.scenario(), Cut::Relief.scenario(), Cut::Assault.scenario()];

impl Chooses for State {
    fn chosen(&self) -> Chosen {
        self.table.options.chosen()
    }
}

impl Game for State {
    const SYSTEM: &'static str = "danzig";
    type Side = Side;
    const SIDES: &'static [Side] = &[Side::French, Side::Prussian];
    type Action = Action;
    type View = View;
    type Outcome = Outcome;

    fn start(setup: &Setup) -> Verdict<Self> {
        if !setup.scenario.is_empty() && !SCENARIOS.contains(&setup.scenario.as_str()) {
            return Err(Refusal::field("scenario", kernel::phrase::UNKNOWN_CHOICE)
                .with("found", setup.scenario.as_str())
                .with("expected", SCENARIOS.join(", ")));
        }
        let mut options = Options::default();
        for (name, value) in &setup.options {
            options.set(name, value)?;
        }
        if options.trench_counter_mm == TrenchCounterMm::MeasuredValues {
            return Err(Refusal::rule(rule!(DZ_R14), phrase::danzig::COUNTERS_NOT_MEASURED));
        }
        if let Some(cut) = Cut::named(&setup.scenario) {
            return cut.begin(options);
        }
        Ok(Self {
            table: setup::table(options),
            phase: Phase::SetUp,
            clock: Clock::default(),
            hand: Hand::Empty,
            march: None,
            enfiladed: siege::WorkSet::default(),
            muster: siege::Muster::default(),
            sortie: None,
            counterattack: None,
            over: false,
            entered: false,
            cut: None,
            outcome: None,
        })
    }

    fn deciders(&self) -> Sides {
        if self.phase == Phase::GameOver {
            return Sides::NONE;
        }
        Sides::one(Self::place(self.active()))
    }

    fn actions(&self, side: Side, into: &mut Vec<Action>) {
        into.clear();
        if !self.decides(side) {
            return;
        }
        self.list(into);
        // Most lists are made in order.
        if !into.is_sorted_by(|one, next| one < next) {
            into.sort_unstable();
            into.dedup();
        }
    }

    fn validate(&self, _: Side, action: &Action) -> Verdict<()> {
        if self.phase == Phase::GameOver {
            return Err(Refusal::plain(kernel::phrase::GAME_OVER));
        }
        if !self.table.owed.is_empty() {
            return owed::check(self, action);
        }
        decision!(self, check(self, action))
    }

    fn perform(&mut self, _: Side, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        if self.table.owed.is_empty() {
            self.over = decision!(self, perform(self, action, clerk));
        } else {
            owed::perform(self, action, clerk);
        }
        self.go_on(clerk);
        Disclosure::Nothing
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn view(&self, reader: Option<Side>) -> View {
        View::of(self, reader)
    }

    fn imagine(view: &View, _: &mut Live) -> Self {
        view.state.clone()
    }

    fn freedom(action: &Action) -> Freedom {
        action.freedom()
    }

    fn topic(action: &Action) -> Topic {
        action.topic()
    }
}

impl State {
    /// The side whose decision it is; of a game that is over, the one that decided last.
    #[must_use]
    pub fn active(&self) -> Side {
        owed::decider(self).unwrap_or_else(|| decision!(self, decider(self)))
    }

    /// Lists what may be decided, unsorted.
    fn list(&self, into: &mut Vec<Action>) {
        if self.table.owed.is_empty() {
            decision!(self, offer(self, into));
        } else {
            owed::offer(self, into);
        }
    }

    /// Goes on to the next decision: what the table owes, the present phase, or the next one in which
    /// somebody has a choice.
    fn go_on(&mut self, clerk: &mut impl Clerk) {
        let mut offered = Vec::new();
        loop {
            offered.clear();
            owed::settle(self, clerk);
            while self.table.owed.is_empty()
                && match self.hand {
                    Hand::Empty => false,
                    Hand::Moving(_) => movement::march_on(self),
                    Hand::Exposed(_) => french::UnderFire::settle(self, clerk),
                    _ => movement::settle(self, clerk),
                }
            {
                owed::settle(self, clerk);
            }
            if self.phase == Phase::GameOver || !self.table.owed.is_empty() {
                return;
            }
            if self.entered || (!self.over && self.hand == Hand::Empty && step!(self, may_run_out())) {
                self.over = !step!(self, is_open(self)) && {
                    self.list(&mut offered);
                    offered.is_empty() || offered == [Action::EndPhase]
                };
                if self.entered && self.over {
                    step!(self, passed_over(self, clerk));
                }
                self.entered = false;
            }
            if !self.over {
                return;
            }
            self.phase = step!(self, next(self, clerk));
            self.entered = true;
        }
    }
}
