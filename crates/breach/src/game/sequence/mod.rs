//! The game as a state machine (section 2 of the game page): what is to be done lies on a stack, the next
//! on top. A step without anything to decide is done at once; an interrupt is put on top of what it
//! interrupts. Each chapter tells its steps: who decides, what may be chosen, what each choice does.

mod army;
mod combat;
mod command;
mod deploy;
mod end;
mod forced;
mod infiltrate;
mod magic;
mod order;
mod reaction;
mod result;
mod round;
mod shoot;
mod winner;

use kernel::{
    Clerk, Desk, Disclosure, Freedom, Game, Live, Options as _, Refusal, Scripted, Setup, Sides, Silent,
    Topic, Verdict,
};
use rulebook::options::breach::Options;
use rulebook::{phrase::breach_game as phrase, rule};

use crate::scenario::{Earlier, Scenario, Side};

use super::action::Action;
use super::setup;
use super::state::{InHand, Melee, Outcome, State, Step};
use super::view::View;

/// The scenarios that can be played.
pub const SCENARIOS: [&str; 4] = ["watchtower", "help", "keep", "campaign"];

/// What comes of looking at a step.
pub(crate) enum Opened {
    /// This side decides.
    Ask(Side),
    /// Something was done, or the step is over.
    Done,
}

impl Game for State {
    const SYSTEM: &'static str = "breach";
    type Side = Side;
    const SIDES: &'static [Side] = &[Side::Garrison, Side::Besieger];
    type Action = Action;
    type View = View;
    type Outcome = Outcome;

    fn start(setup: &Setup) -> Verdict<Self> {
        let name = if setup.scenario.is_empty() { SCENARIOS[2] } else { setup.scenario.as_str() };
        let (scenario, campaign) = match name {
            "watchtower" => (Scenario::Watchtower, false),
            "help" => (Scenario::Help, false),
            "keep" => (Scenario::Keep, false),
            "campaign" => (Scenario::Watchtower, true),
            _ => {
                return Err(Refusal::field("scenario", kernel::phrase::UNKNOWN_CHOICE)
                    .with("found", name)
                    .with("expected", SCENARIOS.join(", ")));
            }
        };
        let mut options = Options::default();
        for (name, value) in &setup.options {
            options.set(name, value)?;
        }
        crate::bombard::agreed(&options)?;
        let mut state = Self {
            table: setup::table(scenario, options, Earlier::default()),
            campaign,
            winners: Vec::new(),
            lists: Default::default(),
            turn: 0,
            active: Side::Besieger,
            first: Side::Besieger,
            steps: vec![Step::Army(Self::first_to_write(scenario))],
            asked: None,
            hand: InHand::default(),
            melee: Melee::default(),
            outcome: None,
        };
        // Nothing is rolled before the first decision.
        state.run(&mut Desk::new(Scripted::new(&[]), Silent));
        Ok(state)
    }

    fn deciders(&self) -> Sides {
        self.asked.map_or(Sides::NONE, |side| Sides::one(Self::place(side)))
    }

    fn actions(&self, side: Side, into: &mut Vec<Action>) {
        into.clear();
        if self.asked == Some(side) && self.outcome.is_none() {
            self.list(into);
            into.sort_unstable();
            into.dedup();
        }
    }

    fn validate(&self, side: Side, action: &Action) -> Verdict<()> {
        if self.outcome.is_some() {
            return Err(Refusal::plain(kernel::phrase::GAME_OVER));
        }
        if self.asked != Some(side) {
            return Err(Refusal::plain(kernel::phrase::NOT_YOUR_DECISION)
                .with("to_move", self.asked.map_or("", Side::id)));
        }
        self.check(action)
    }

    fn perform(&mut self, _: Side, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        let (veiled, places) = (self.is_secret(), self.hides_places());
        self.act(action, clerk);
        self.run(clerk);
        // Wherever a General fell, but in a melee, whose round is played out first.
        let fought_out = !self.steps.iter().any(|step| matches!(step, Step::RoundEnd(_)));
        if self.outcome.is_none() && fought_out {
            self.generals(clerk);
            // In a campaign the next scenario begins.
            if self.asked.is_none() {
                self.run(clerk);
            }
        }
        // What was written or placed in secret is seen when both have done.
        let revealed = veiled && !self.is_secret();
        if revealed && places {
            clerk.applied(rule!(BR_SCENARIO_1_10));
        }
        if revealed { Disclosure::Revealed } else { Disclosure::Nothing }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome.clone()
    }

    fn view(&self, reader: Option<Side>) -> View {
        View { reader, state: self.seen_by(reader) }
    }

    fn imagine(view: &View, _: &mut Live) -> Self {
        view.state.clone().settled()
    }

    fn freedom(action: &Action) -> Freedom {
        action.freedom()
    }

    fn topic(action: &Action) -> Topic {
        action.topic()
    }
}

impl State {
    /// Does what needs no decision, until somebody is asked or the game is over.
    pub(crate) fn run(&mut self, clerk: &mut impl Clerk) {
        self.asked = None;
        while self.outcome.is_none() {
            let Some(step) = self.steps.last().cloned() else { return };
            if let Opened::Ask(side) = self.open(&step, clerk) {
                self.asked = Some(side);
                return;
            }
        }
    }

    /// The step on top is over; this one comes in its place.
    pub(crate) fn next(&mut self, step: Step) -> Opened {
        self.steps.pop();
        self.steps.push(step);
        Opened::Done
    }

    /// The step on top is over.
    pub(crate) fn over(&mut self) -> Opened {
        self.steps.pop();
        Opened::Done
    }

    /// Looks at the step on top: asks, or does it.
    fn open(&mut self, step: &Step, clerk: &mut impl Clerk) -> Opened {
        match step {
            Step::ChainNext => self.chain_next(),
            Step::Army(side) => self.open_army(*side),
            Step::TowerSide => self.open_tower_side(clerk),
            Step::Works(side) => self.open_works(*side),
            Step::Deploy => self.open_deploy(clerk),
            Step::DeployCharacters => self.open_deploy_characters(),
            Step::FirstTurn => self.first_turn(clerk),
            Step::TurnStart => self.turn_start(),
            Step::PlayerTurnStart => self.player_turn_start(clerk),
            Step::Initiative => self.open_initiative(),
            Step::HomeBack => self.open_home_back(),
            Step::Orders => self.open_orders(),
            Step::Move => self.open_move(),
            Step::Blunder(blunder) => self.open_blunder(blunder),
            Step::Characters => self.open_characters(),
            Step::CommandEnd => self.command_end(clerk),
            Step::Shoot => self.open_shoot(),
            Step::Structure(from) => self.structure(*from, clerk),
            Step::DriveBack => self.open_drive_back(clerk),
            Step::ShootEnd => self.shoot_end(clerk),
            Step::Dig(side) => self.open_dig(*side),
            Step::Fights => self.open_fights(),
            Step::RamReaction(ramming) => self.open_ram_reaction(ramming, clerk),
            Step::RamTest(ramming) => self.ram_test(*ramming, clerk),
            Step::RamAdvance(unit) => self.open_ram_advance(*unit),
            Step::Assign => self.open_assign(),
            Step::Round => self.round(clerk),
            Step::Strikes(side) => self.open_strikes(*side),
            Step::Dispel(..) => self.open_dispel(),
            Step::RoundEnd(ended) => self.round_end(*ended, clerk),
            Step::Losers => self.losers(clerk),
            Step::Draw(side) => self.open_draw(*side, clerk),
            Step::Winner => self.open_winner(clerk),
            Step::Advance(unit) => self.open_advance(*unit),
            Step::Reform(side) => self.open_reform(*side),
            Step::CombatEnd => self.combat_end(clerk),
            Step::PlayerTurnEnd => self.player_turn_end(clerk),
            Step::TurnEnd => self.turn_end(clerk),
            Step::Reaction(onset) => self.open_reaction(onset, clerk),
            Step::Assaulted(unit) => self.assault_seen(*unit),
            Step::Charged(unit) => self.charged(*unit),
            Step::Repel(unit, distance) => self.repel(*unit, *distance, clerk),
            Step::Escape(character) => self.open_escape(*character, clerk),
            Step::Forced(push) => self.forced(*push, clerk),
            Step::MakeWay(push, friend) => self.open_make_way(push, *friend),
            Step::Casualty(unit, count) => self.open_casualty(*unit, *count, clerk),
            Step::TowerTarget(_, tower) => self.open_tower_target(*tower),
            Step::CollapseChoice(unit) => self.open_collapse_choice(*unit),
            Step::SplitChoice(unit) => self.open_split_choice(*unit, clerk),
            Step::GameOver => self.over(),
        }
    }

    /// What may be decided now.
    fn list(&self, into: &mut Vec<Action>) {
        let Some(step) = self.steps.last() else { return };
        match step {
            Step::Army(side) => self.list_army(*side, into),
            Step::TowerSide => self.list_tower_side(into),
            Step::Works(side) => self.list_works(*side, into),
            Step::Deploy => self.list_deploy(into),
            Step::DeployCharacters => self.list_deploy_characters(into),
            Step::Initiative => self.list_initiative(into),
            Step::HomeBack => self.list_home_back(into),
            Step::Orders => self.list_orders(into),
            Step::Move => self.list_move(into),
            Step::Blunder(blunder) => {
                into.extend(blunder.units.iter().map(|&unit| Action::BlunderChoice(unit)));
            }
            Step::Characters => self.list_characters(into),
            Step::Shoot => self.list_shoot(into),
            Step::DriveBack => self.list_drive_back(into),
            Step::Dig(side) => self.list_dig(*side, into),
            Step::Fights => self.list_fights(into),
            Step::RamReaction(ramming) => self.list_ram_reaction(ramming, into),
            Step::RamAdvance(unit) => self.list_ram_advance(*unit, into),
            Step::Assign => self.list_assign(into),
            Step::Strikes(side) => self.list_strikes(*side, into),
            Step::Dispel(..) => into.extend([Action::Dispel(true), Action::Dispel(false)]),
            Step::Draw(side) => self.list_draw(*side, into),
            Step::Winner => self.list_winner(into),
            Step::Advance(unit) => self.list_advance(*unit, into),
            Step::Reform(side) => self.list_reform(*side, into),
            Step::Reaction(onset) => self.list_reaction(onset, into),
            Step::Escape(character) => self.list_escape(*character, into),
            Step::MakeWay(..) => into.extend([Action::MakeWay(true), Action::MakeWay(false)]),
            Step::Casualty(unit, _) => self.list_casualty(*unit, into),
            Step::TowerTarget(_, tower) => {
                into.extend(self.table.on(*tower).map(|(unit, _)| Action::NameTarget(unit)));
            }
            Step::CollapseChoice(unit) => self.list_collapse_choice(*unit, into),
            Step::SplitChoice(unit) => self.list_split_choice(*unit, into),
            _ => {}
        }
    }

    /// Whether this may be decided now: what is free is checked by itself, the rest is in the list.
    fn check(&self, action: &Action) -> Verdict<()> {
        let not_now = || Refusal::plain(phrase::NOT_NOW);
        let Some(step) = self.steps.last() else { return Err(not_now()) };
        if action.is_beyond() {
            return Err(Refusal::rule(rule!(BC_5_6_01), phrase::OFF_THE_TABLE));
        }
        match (step, action) {
            (Step::Works(side), Action::PlaceWork { front, facing }) => {
                self.check_work(*side, *front, *facing)
            }
            (Step::Deploy, Action::Deploy { unit, places, machine, item }) => {
                self.check_deploy(*unit, places, *machine, *item).map(|_| ())
            }
            (Step::DeployCharacters, Action::DeployCharacter { character, place }) => {
                self.check_deploy_character(*character, *place)
            }
            (Step::Initiative, Action::InitiativeCharge(charge)) => {
                self.check_initiative_charge(charge).map(|_| ())
            }
            (Step::Initiative, Action::InitiativeEvade { unit, distance }) => {
                self.check_evade(*unit, i64::from(distance.count())).map(|_| ())
            }
            (Step::Initiative, Action::EndInitiative) => self.check_end_initiative(),
            (Step::Orders, Action::Order(units)) => self.check_order(units),
            (Step::Orders, Action::Infiltrate { unit, places }) => {
                self.check_infiltrate(*unit, places).map(|_| ())
            }
            (Step::Orders, Action::TurnEngine { unit, facing }) => self.check_turn_engine(*unit, *facing),
            (Step::Move, Action::March(moves)) => self.check_march(moves).map(|_| ()),
            (Step::Move, Action::Charge(charge)) => self.check_charge(charge).map(|_| ()),
            (Step::Move, Action::Climb { unit, elements }) => self.check_climb(*unit, elements).map(|_| ()),
            (Step::Characters, Action::MoveCharacter { character, to }) => {
                self.check_move_character(*character, *to)
            }
            (Step::Shoot, Action::Cast { character, spell }) => {
                self.check_cast(*character, *spell).map(|_| ())
            }
            (Step::Dig(side), Action::Dig { unit, works }) => self.check_dig(*side, *unit, works),
            (Step::RamAdvance(unit), Action::RamAdvance(Some(charge))) => {
                self.check_ram_advance(*unit, charge).map(|_| ())
            }
            (Step::RamAdvance(_), Action::RamAdvance(None)) => Ok(()),
            (Step::RamAdvance(unit), Action::RamMarch(step)) => self.check_ram_march(*unit, step).map(|_| ()),
            (Step::Assign, Action::Assign(stands)) => self.check_assign(stands),
            (Step::Draw(_) | Step::Winner, Action::FallBack(step)) => self.check_fall_back(step).map(|_| ()),
            (Step::Advance(unit), Action::AdvanceCharge(charge)) => {
                self.check_advance(*unit, charge).map(|_| ())
            }
            (Step::Reform(side), Action::Reform { unit, stand, places }) => {
                self.check_reform(*side, *unit, *stand, places).map(|_| ())
            }
            (_, action) if action.freedom() == Freedom::Listed => {
                let mut list = Vec::new();
                self.list(&mut list);
                if list.contains(action) { Ok(()) } else { Err(self.why_not(action)) }
            }
            _ => Err(not_now()),
        }
    }

    /// Carries out a decision.
    fn act(&mut self, action: &Action, clerk: &mut impl Clerk) {
        match action {
            Action::TakeDefaultArmy
            | Action::BuyUnit { .. }
            | Action::RemoveUnit(_)
            | Action::BuyItem(_)
            | Action::RemoveItem(_)
            | Action::ArmyDone => self.write(action, clerk),
            Action::DeclareSide(slot) => self.declare_side(*slot, clerk),
            Action::PlaceWork { front, facing } => self.place_work(*front, *facing, clerk),
            Action::PlaceOil(element) => self.place_oil(*element, clerk),
            Action::PlaceTheRest => self.place_the_rest(clerk),
            Action::GiveUpWorks => self.give_up_works(clerk),
            Action::PickUnit(unit) => self.hand.unit = Some(*unit),
            Action::Deploy { unit, places, machine, item } => {
                self.deploy(*unit, places, *machine, *item, clerk);
            }
            Action::LeaveOut(unit) => self.leave_out(*unit),
            Action::HoldBack(unit) => self.hold_back(*unit),
            Action::DeployTheRest => self.deploy_the_rest(),
            Action::DeployCharacter { character, place } => self.deploy_character(*character, *place),
            Action::InitiativeCharge(charge) => self.initiative_charge(charge, clerk),
            Action::InitiativeEvade { unit, distance } => {
                self.evade(*unit, i64::from(distance.count()), clerk);
            }
            Action::InitiativeMachine { unit, element } => self.initiative_machine(*unit, *element, clerk),
            Action::EndInitiative => _ = self.next(Step::HomeBack),
            Action::HomeBack { unit, character } => self.home_back(*unit, *character, clerk),
            Action::Stay(unit) => self.table.with_unit(*unit, |unit| unit.marks.homed = true),
            Action::TakeCommand(character) => self.take_command(*character),
            Action::Order(units) => self.order(units, clerk),
            Action::TurnEngine { unit, facing } => self.turn_engine(*unit, *facing, clerk),
            Action::Infiltrate { unit, places } => self.infiltrate(*unit, places, clerk),
            Action::Dismiss => self.dismiss(),
            Action::EndOrders => self.end_orders(),
            Action::Abandon(unit) => self.abandon(*unit, clerk),
            Action::March(moves) => self.march(moves, clerk),
            Action::Charge(charge) => self.charge(charge, clerk),
            Action::Climb { unit, elements } => self.climb(*unit, elements),
            Action::Exit(unit) => self.exit(*unit, clerk),
            Action::Halt => _ = self.over(),
            Action::BlunderChoice(unit) => self.blunder_choice(*unit, clerk),
            Action::MoveCharacter { character, to } => self.move_character(*character, *to, clerk),
            Action::EndCharacters => _ = self.next(Step::CommandEnd),
            Action::Shoot { unit, target } => self.shoot(*unit, *target, clerk),
            Action::Bombard { unit, element, leaf } => self.bombard(*unit, *element, *leaf, clerk),
            Action::EndShooting => _ = self.next(Step::Structure(0)),
            Action::DriveBack(unit) => self.drive_back(*unit, clerk),
            Action::MakeWay(yes) => self.make_way(*yes, clerk),
            Action::Dig { unit, works } => self.dig(*unit, works, clerk),
            Action::EndDig => self.end_dig(),
            Action::Fight(unit) => self.fight(*unit),
            Action::Ram(unit) => self.ram(*unit, clerk),
            Action::WaiveRam(unit) => self.table.with_unit(*unit, |unit| unit.marks.worked = true),
            Action::React { unit, answer } => self.react(*unit, *answer, clerk),
            Action::Decline => self.decline(),
            Action::RamAdvance(charge) => self.ram_advance(charge.as_ref(), clerk),
            Action::RamMarch(step) => self.ram_march(step),
            Action::Assign(stands) => self.assign(stands),
            Action::RemoveStand(stand) => self.remove_chosen(*stand, clerk),
            Action::KeepOddHits(stand) => self.keep_odd_hits(*stand),
            Action::FallBack(step) => self.fall_back(step, clerk),
            Action::Stand(unit) => self.stand(*unit),
            Action::Pursue(unit) => self.pursue(*unit, clerk),
            Action::Continue => self.go_on(),
            Action::Stop => self.stop(clerk),
            Action::Advance(unit) => self.advance(*unit),
            Action::AdvanceCharge(charge) => self.advance_charge(charge, clerk),
            Action::AdvanceNone => _ = self.over(),
            Action::Reform { unit, stand, places } => self.reform(*unit, *stand, places, clerk),
            Action::Keep(unit) => self.table.with_unit(*unit, |unit| unit.marks.worked = true),
            Action::Escape(unit) => self.escape(*unit),
            Action::NameTarget(unit) => self.name_target(*unit, clerk),
            Action::AddItem { unit, item } => self.add_item(*unit, *item),
            Action::Strike { unit, stand, target } => self.melee.named.push((*unit, *stand, *target)),
            Action::Cast { character, spell } => self.cast(*character, *spell, clerk),
            Action::Dispel(attempt) => self.dispel(*attempt, clerk),
        }
    }

    /// Why a decision of a listed kind is refused.
    fn why_not(&self, action: &Action) -> Refusal {
        match action {
            Action::BuyUnit { .. } | Action::BuyItem(_) | Action::ArmyDone => self.why_not_bought(action),
            Action::Shoot { unit, target } => self.why_no_shot(*unit, *target),
            Action::Bombard { unit, element, leaf } => self.why_no_bombardment(*unit, *element, *leaf),
            Action::InitiativeMachine { unit, element } => self.why_no_machine(*unit, *element),
            Action::React { answer, .. } => self.why_no_reaction(*answer),
            Action::AddItem { unit, item } => self.why_no_more(*unit, *item),
            _ => Refusal::plain(phrase::NOT_NOW),
        }
    }
}
