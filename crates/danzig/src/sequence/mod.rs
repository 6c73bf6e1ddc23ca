//! The turn as an explicit state machine (chapter 2, the table of states): who decides now, what he
//! may decide, what it does, and what follows. Steps in which nobody has a choice are passed over.

mod arrivals;
mod end;
mod french;
mod owed;
mod prussian;
mod repetition;
mod rounds;

use kernel::{
    Chooses, Chosen, Clerk, Disclosure, Freedom, Game, Live, Options as _, Refusal, Setup, Sides, Topic,
    Verdict,
};
use rulebook::options::danzig::TrenchCounterMm;
use rulebook::tables::danzig as tables;
use rulebook::{phrase, rule};

use crate::action::Action;
use crate::setup;
use crate::siege;
use crate::state::{Clock, Hand, Options, Outcome, Phase, State};
use crate::unit::Side;
use crate::view::View;

pub use arrivals::{arrival, relief_turn};

/// The scenarios there are.
pub const SCENARIOS: [&str; 1] = ["danzig-1807"];

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
        Ok(Self {
            table: setup::table(options),
            phase: Phase::SetUp,
            clock: Clock::default(),
            hand: Hand::Empty,
            enfiladed: siege::WorkSet::default(),
            muster: siege::Muster::default(),
            sortie: None,
            counterattack: None,
            over: false,
            entered: false,
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
        if !self.table.owed.is_empty() {
            return owed::check(self, action);
        }
        match self.phase {
            Phase::SetUp => setup::check(&self.table, action),
            phase if phase < Phase::Retreat => arrivals::check(self, action),
            phase if phase < Phase::DesertionRoll => rounds::check(self, action),
            phase if phase < Phase::Mine => end::check(self, action),
            phase if phase < Phase::GarrisonMove => french::check(self, action),
            phase if phase < Phase::GameOver => prussian::check(self, action),
            _ => Err(Refusal::plain(kernel::phrase::GAME_OVER)),
        }
    }

    fn perform(&mut self, _: Side, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        if self.table.owed.is_empty() {
            self.over = match self.phase {
                Phase::SetUp => setup::perform(&mut self.table, action, clerk),
                phase if phase < Phase::Retreat => arrivals::perform(self, action, clerk),
                phase if phase < Phase::DesertionRoll => rounds::perform(self, action, clerk),
                phase if phase < Phase::Mine => end::perform(self, action, clerk),
                phase if phase < Phase::GarrisonMove => french::perform(self, action, clerk),
                _ => prussian::perform(self, action, clerk),
            };
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
        owed::decider(self).unwrap_or_else(|| self.decider())
    }

    /// Who decides in the present phase, when the table owes nothing.
    fn decider(&self) -> Side {
        match self.phase {
            Phase::SetUp
            | Phase::Benningsen
            | Phase::Dauntless
            | Phase::ArrivalsKamenski
            | Phase::ReplacementPrussian
            | Phase::BatteryRepair
            | Phase::DesertionRoll
            | Phase::Desertion
            | Phase::Enfilade
            | Phase::GarrisonMove
            | Phase::BatteryFire
            | Phase::WallRepair
            | Phase::LateBatteryRepair
            | Phase::Countermine
            | Phase::Sortie
            | Phase::CounterAttack => Side::Prussian,
            Phase::Retreat | Phase::Half | Phase::Fire | Phase::Melee | Phase::LastHalf => self.clock.phasing,
            Phase::Move => match self.hand {
                Hand::Leaving { .. } | Hand::Running { .. } | Hand::Charged { .. } => {
                    self.clock.phasing.other()
                }
                _ => self.clock.phasing,
            },
            Phase::Repair | Phase::Build | Phase::SiegeMove | Phase::Assault => match self.hand {
                Hand::Exposed(_) => Side::Prussian,
                _ => Side::French,
            },
            Phase::DefensiveFire => self.clock.phasing.other(),
            Phase::Repetition => self.asking(),
            _ => Side::French,
        }
    }

    /// Lists what may be decided, unsorted.
    fn list(&self, into: &mut Vec<Action>) {
        if !self.table.owed.is_empty() {
            owed::list(self, into);
            return;
        }
        match self.phase {
            Phase::SetUp => setup::list(&self.table, into),
            phase if phase < Phase::Retreat => arrivals::list(self, into),
            phase if phase < Phase::DesertionRoll => rounds::list(self, into),
            phase if phase < Phase::Mine => end::list(self, into),
            phase if phase < Phase::GarrisonMove => french::list(self, into),
            phase if phase < Phase::GameOver => prussian::list(self, into),
            _ => {}
        }
    }

    /// Goes on to the next decision: what the table owes, the present phase, or the next one in which
    /// somebody has a choice.
    fn go_on(&mut self, clerk: &mut impl Clerk) {
        let mut offered = Vec::new();
        loop {
            owed::settle(self, clerk);
            while self.table.owed.is_empty()
                && match self.hand {
                    Hand::Empty | Hand::Moving(_) => false,
                    Hand::Exposed(_) => french::settle(self, clerk),
                    _ => rounds::settle(self, clerk),
                }
            {
                owed::settle(self, clerk);
            }
            if self.phase == Phase::GameOver || !self.table.owed.is_empty() {
                return;
            }
            if self.entered {
                self.entered = false;
                self.over = !rounds::has_choice(self) && {
                    offered.clear();
                    self.list(&mut offered);
                    offered.is_empty() || offered == [Action::EndPhase]
                };
            }
            if !self.over {
                return;
            }
            self.next(clerk);
            self.entered = true;
        }
    }

    /// Leaves the phase for its successor, doing what nobody decides.
    fn next(&mut self, clerk: &mut impl Clerk) {
        use Phase as P;
        self.phase = match self.phase {
            P::SetUp => self.begin_turn(clerk),
            P::BridgeDeclare => self.after_bridge(clerk),
            P::Benningsen | P::Dauntless => self.after_events(clerk),
            P::ArrivalsFrench if self.table.turn >= relief_turn(&self.table.options) => P::ArrivalsKamenski,
            P::ArrivalsFrench => self.after_arrivals(clerk),
            P::ArrivalsKamenski => self.after_arrivals(clerk),
            P::ReplacementFrench => P::ReplacementPrussian,
            P::ReplacementPrussian => P::BatteryRepair,
            P::BatteryRepair => self.begin_rounds(clerk),
            phase if phase < P::DesertionRoll => rounds::next(self, clerk),
            phase if phase < P::Mine => end::next(self, clerk),
            phase if phase < P::GarrisonMove => french::next(self, clerk),
            phase if phase < P::GameOver => prussian::next(self, clerk),
            phase => phase,
        };
    }

    fn begin_turn(&mut self, clerk: &mut impl Clerk) -> Phase {
        self.table.turn += 1;
        clerk.applied(rule!(DZ_2_0_01));
        clerk.applied(rule!(DZ_1_2_01));
        clerk.applied(rule!(DZ_2_0_02));
        let turn = self.table.turn;
        if let Some(days) = tables::TURN_CALENDAR.iter().find(|row| row.turn == i32::from(turn)) {
            clerk.applied(rule!(DZ_2_0_03));
            clerk.happened(|| {
                let (first, last) = (day_and_month(days.first_day), day_and_month(days.last_day));
                kernel::Event::new(phrase::danzig::TURN_BEGINS)
                    .with("turn", turn)
                    .with("first", first.0)
                    .with("first_month", first.1)
                    .with("last", last.0)
                    .with("last_month", last.1)
            });
        }
        self.clock = Clock::default();
        if self.table.turn >= 2 { Phase::BridgeDeclare } else { self.after_bridge(clerk) }
    }

    /// Benningsen on turns 5 to 9, the corvette on turn 11, then arrivals.
    fn after_bridge(&mut self, clerk: &mut impl Clerk) -> Phase {
        match self.table.turn {
            5..=9 if !self.table.danzig.benningsen_done => Phase::Benningsen,
            11 => Phase::Dauntless,
            _ => self.after_events(clerk),
        }
    }

    fn after_events(&mut self, clerk: &mut impl Clerk) -> Phase {
        arrivals::receive(self, clerk);
        Phase::ArrivalsFrench
    }

    fn after_arrivals(&mut self, clerk: &mut impl Clerk) -> Phase {
        if self.table.turn >= 2 { Phase::ReplacementFrench } else { self.begin_rounds(clerk) }
    }

    fn begin_rounds(&mut self, clerk: &mut impl Clerk) -> Phase {
        clerk.applied(rule!(DZ_2_2_01));
        clerk.applied(rule!(DZ_1_2_02));
        rounds::begin_round(self, clerk)
    }
}

/// The day and the month of a date of the calendar, such as `1807-03-19`.
fn day_and_month(date: &str) -> (u8, u8) {
    let mut parts = date.rsplit('-').map(|part| part.parse().unwrap_or_default());
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}
