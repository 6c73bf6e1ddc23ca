//! The turn as a state machine (section 2 of the game page). Each chapter tells its phases: who decides, what
//! may be chosen, whether a choice is legal, what it does. What nobody decides is done in between.

mod admin;
mod attrition;
mod battle;
mod combat;
mod command;
mod forced;
mod guns;
mod movement;
mod organise;
mod politics;
mod retreat;
mod start;
mod works;

use kernel::{
    Audience, Clerk, Disclosure, Event, Freedom, Game, Live, Options as _, Refusal, Setup, Sides, Topic,
    Verdict,
};
use rulebook::options::campaign::{LossChoice, Options};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::terms::Army;

use super::action::Action;
use super::roster::{LeaderId, enemy, place};
use super::setup::{self, SCENARIOS};
use super::state::{Body, Hand, Outcome, Phase, Scenario, Segment, State};
use super::view::View;

pub(crate) use combat::stances;

/// What comes of looking at a phase.
pub(crate) enum Opened {
    /// This side decides.
    Ask(Army),
    /// Something was done, or the phase is over.
    Done,
}

/// Out of turn.
pub(crate) fn not_now<T>() -> Verdict<T> {
    Err(Refusal::plain(phrase::NOT_NOW))
}

impl Game for State {
    const SYSTEM: &'static str = "campaign";
    type Side = Army;
    const SIDES: &'static [Army] = &[Army::French, Army::AustroRussian];
    type Action = Action;
    type View = View;
    type Outcome = Outcome;

    fn start(setup: &Setup) -> Verdict<Self> {
        let name = if setup.scenario.is_empty() { SCENARIOS[0] } else { setup.scenario.as_str() };
        let Some(scenario) = Scenario::named(name) else {
            return Err(Refusal::field("scenario", kernel::phrase::UNKNOWN_CHOICE)
                .with("found", name)
                .with("expected", SCENARIOS.join(", ")));
        };
        let mut options = Options::default();
        for (name, value) in &setup.options {
            options.set(name, value)?;
        }
        if options.loss_choice == LossChoice::Owner {
            return Err(Refusal::rule(rule!(CA_R73), phrase::OPTION_NOT_PLAYED)
                .with("option", "loss_choice")
                .with("value", options.loss_choice.name()));
        }
        Ok(setup::table(scenario, options))
    }

    fn deciders(&self) -> Sides {
        self.public.asked.map_or(Sides::NONE, |army| Sides::one(place(army)))
    }

    fn actions(&self, side: Army, into: &mut Vec<Action>) {
        into.clear();
        if self.public.asked == Some(side) {
            self.list(side, into);
            into.sort_unstable();
            into.dedup();
        }
    }

    fn validate(&self, side: Army, action: &Action) -> Verdict<()> {
        if self.public.outcome.is_some() {
            return Err(Refusal::plain(kernel::phrase::GAME_OVER));
        }
        if self.public.asked != Some(side) {
            return Err(Refusal::plain(kernel::phrase::NOT_YOUR_DECISION)
                .with("to_move", self.public.asked.map_or(String::new(), |army| format!("{army:?}"))));
        }
        self.judge(side, action)
    }

    fn perform(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) -> Disclosure {
        let (before, fog) = (self.armies(), self.public.fog);
        let (at, turns) = ((self.public.phase, self.public.asked), self.public.own_turns);
        let gropes = self.public.fog && action.gropes();
        let public = action.is_public();
        self.act(side, action, clerk);
        if !public {
            // Whatever was said so far is the staff's own business.
            clerk.happened(|| Event::new(phrase::STAFF).only_for(place(side)));
        }
        self.run(clerk);
        // What a side sees follows from where everybody stands and the fog.
        let after = self.armies();
        let changed = before != after || fog != self.public.fog;
        if changed || turns != self.public.own_turns {
            self.report(&after);
        }
        let shown = changed && self.looks(&before, fog) != self.looks(&after, self.public.fog);
        // Who is asked next, and whether dice fall before, hangs on what only one side knows; and in fog
        // whether anything was met. Whether such a step can be taken back must not tell it.
        let moved_on = at != (self.public.phase, self.public.asked);
        if gropes || moved_on || shown { Disclosure::Revealed } else { Disclosure::Nothing }
    }

    fn outcome(&self) -> Option<Outcome> {
        self.public.outcome
    }

    fn view(&self, reader: Option<Army>) -> View {
        View::of(self, reader)
    }

    fn imagine(view: &View, stream: &mut Live) -> Self {
        view.imagine(stream)
    }

    fn audience(&self, side: Army, action: &Action) -> Audience {
        if action.is_public() { Audience::All } else { Audience::Side(place(side)) }
    }

    fn freedom(action: &Action) -> Freedom {
        action.freedom()
    }

    fn topic(action: &Action) -> Topic {
        action.topic()
    }
}

impl State {
    /// Lists what may be chosen.
    fn list(&self, side: Army, into: &mut Vec<Action>) {
        if !self.public.owed.is_empty() {
            return self.list_losses(into);
        }
        match self.public.phase {
            Phase::Begin => into.push(Action::Begin),
            Phase::Entry => self.list_entry(side, into),
            Phase::Admin => self.list_admin(side, into),
            Phase::Organise => self.list_organise(side, into),
            Phase::Command => self.list_command(side, into),
            Phase::Move if self.public.walk.is_some() => self.list_retreat(into),
            Phase::Move => self.list_move(side, into),
            Phase::React | Phase::Force => self.list_forced(side, into),
            Phase::Combat => self.list_combat(side, into),
            Phase::Decline => into.extend([Action::Accept, Action::Decline]),
            Phase::StanceAttacker
            | Phase::StanceDefender
            | Phase::RestanceAttacker
            | Phase::RestanceDefender => into.extend(stances().map(Action::Stance)),
            Phase::Override => into.extend([Action::Override, Action::Stand]),
            Phase::Guns(_) => self.list_guns(side, into),
            Phase::Counter => into.extend([Action::Counterattack, Action::Stop]),
            Phase::Retreat => self.list_retreat(into),
            Phase::Pursue => self.list_pursue(side, into),
            Phase::Advance => self.list_advance(into),
            Phase::Declare => into.extend([Action::DeclareVictory, Action::DeclineVictory]),
            _ => {}
        }
    }

    /// Whether a choice is legal.
    fn judge(&self, side: Army, action: &Action) -> Verdict<()> {
        if let Action::Losses { formation, share } = action {
            return self.check_share(side, *formation, *share);
        }
        if !self.public.owed.is_empty() {
            return self.check_losses(action);
        }
        match self.public.phase {
            Phase::Begin if *action == Action::Begin => Ok(()),
            Phase::Entry => self.check_entry(side, action),
            Phase::Admin => self.check_admin(side, action),
            Phase::Organise => self.check_organise(side, action),
            Phase::Command => self.check_command(side, action),
            Phase::Move if self.public.walk.is_some() => self.check_retreat(action),
            Phase::Move => self.check_move(side, action),
            Phase::React | Phase::Force => self.check_forced(side, action),
            Phase::Combat => self.check_combat(side, action),
            Phase::Guns(_) => self.check_guns(side, action),
            Phase::Retreat => self.check_retreat(action),
            Phase::Pursue => self.check_pursue(side, action),
            Phase::Advance => self.check_advance(action),
            Phase::Decline
            | Phase::StanceAttacker
            | Phase::StanceDefender
            | Phase::RestanceAttacker
            | Phase::RestanceDefender
            | Phase::Override
            | Phase::Counter
            | Phase::Declare => {
                let mut list = Vec::new();
                self.list(side, &mut list);
                if list.contains(action) { Ok(()) } else { not_now() }
            }
            _ => not_now(),
        }
    }

    /// Does what was chosen.
    fn act(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        if let Action::Losses { formation, share } = action {
            self.host_mut(side).flags_mut(*formation).share = *share;
            return;
        }
        if !self.public.owed.is_empty() {
            return self.take_losses(action, clerk);
        }
        if let Action::SkipTo(segment) = action {
            self.host_mut(side).skip = Some(*segment);
            return self.end_segment(clerk);
        }
        match self.public.phase {
            Phase::Begin => self.public.phase = Phase::TurnStart,
            Phase::Entry => self.act_entry(side, action),
            Phase::Admin => self.act_admin(side, action, clerk),
            Phase::Organise => self.act_organise(side, action, clerk),
            Phase::Command => self.act_command(side, action, clerk),
            Phase::Move if self.public.walk.is_some() => self.act_retreat(action, clerk),
            Phase::Move => self.act_move(side, action, clerk),
            Phase::React | Phase::Force => self.act_forced(side, action, clerk),
            Phase::Combat => self.act_combat(side, action, clerk),
            Phase::Decline => self.act_decline(action, clerk),
            Phase::StanceAttacker
            | Phase::StanceDefender
            | Phase::RestanceAttacker
            | Phase::RestanceDefender => self.act_stance(side, action, clerk),
            Phase::Override => self.act_override(action, clerk),
            Phase::Guns(_) => self.act_guns(side, action, clerk),
            Phase::Counter => self.act_counter(action),
            Phase::Retreat => self.act_retreat(action, clerk),
            Phase::Pursue => self.act_pursue(side, action, clerk),
            Phase::Advance => self.act_advance(action, clerk),
            Phase::Declare => self.act_declare(action, clerk),
            _ => {}
        }
    }

    /// An order carried out by itself, without what follows from it when the enemy or the staff go on; a march
    /// with what it would cost if the formation stayed where it leads.
    pub(crate) fn glanced(&self, side: Army, action: &Action, clerk: &mut impl Clerk) -> Self {
        let mut after = self.clone();
        after.act(side, action, clerk);
        let head = match (action, self.host(side).hand) {
            (Action::Order { formation, .. }, _) => Some(*formation),
            (Action::March(_), Some(Hand { body: Body::Formation(head), .. })) => Some(head),
            _ => None,
        };
        let troops = |head: &LeaderId| {
            let host = after.host(side);
            host.strength(*head).all() > 0 && host.flags(*head).marched() > 0
        };
        if let Some(head) = head.filter(|_| self.public.phase == Phase::Move).filter(troops) {
            after.wear_march(side, head, clerk);
        }
        after
    }

    /// Goes on until somebody has to decide, or it is over.
    fn run(&mut self, clerk: &mut impl Clerk) {
        let mut list = Vec::new();
        loop {
            self.public.asked = None;
            if self.public.outcome.is_some() {
                self.public.phase = Phase::Over;
                return;
            }
            let Opened::Ask(side) = self.open(clerk) else { continue };
            if let Some(only) = self.only_choice(side, &mut list) {
                self.act(side, &only, clerk);
                if !only.is_public() {
                    clerk.happened(|| Event::new(phrase::STAFF).only_for(place(side)));
                }
                continue;
            }
            self.public.asked = Some(side);
            return;
        }
    }

    /// The one action of a side that has no other: that is no decision. Group orders are none of their own.
    fn only_choice(&self, side: Army, list: &mut Vec<Action>) -> Option<Action> {
        if self.plainly_chooses(side) {
            return None;
        }
        list.clear();
        self.list(side, list);
        let mut own = list.iter().filter(|action| !Self::is_shortcut(action));
        match (own.next(), own.next()) {
            (Some(only), None) => Some(only.clone()),
            _ => None,
        }
    }

    /// Whether whoever is asked has a choice without looking closer: he may end the segment, and was asked
    /// because he may do something else.
    fn plainly_chooses(&self, side: Army) -> bool {
        if !self.public.owed.is_empty() || self.public.walk.is_some() {
            return false;
        }
        if let Some(hand) = self.host(side).hand {
            return self.may_march(side, hand);
        }
        match self.public.phase {
            Phase::Organise => self.may_organise(side),
            Phase::Command
            | Phase::Move
            | Phase::React
            | Phase::Force
            | Phase::Combat
            | Phase::Decline
            | Phase::StanceAttacker
            | Phase::StanceDefender
            | Phase::RestanceAttacker
            | Phase::RestanceDefender
            | Phase::Override
            | Phase::Guns(_)
            | Phase::Counter
            | Phase::Declare => true,
            _ => false,
        }
    }

    /// Looks at the phase: does what nobody decides, or says who decides.
    fn open(&mut self, clerk: &mut impl Clerk) -> Opened {
        if let Some(owed) = self.public.owed.first() {
            return Opened::Ask(owed.army);
        }
        let phasing = self.public.phasing;
        match self.public.phase {
            Phase::Begin => Opened::Ask(phasing),
            Phase::TurnStart => self.turn_start(clerk),
            Phase::PlayerTurn => self.player_turn(clerk),
            Phase::Entry => self.open_entry(),
            Phase::Receive => self.receive(clerk),
            Phase::Admin => self.open_admin(),
            Phase::Organise => self.open_organise(),
            Phase::Command => self.open_command(clerk),
            Phase::Move => self.open_move(clerk),
            Phase::React => self.open_react(clerk),
            Phase::Force => self.open_force(clerk),
            Phase::Attrition => self.attrition(clerk),
            Phase::Combat => self.open_combat(),
            Phase::Decline => Opened::Ask(enemy(phasing)),
            Phase::StanceAttacker | Phase::RestanceAttacker => Opened::Ask(phasing),
            Phase::StanceDefender => self.open_stance_defender(),
            Phase::RestanceDefender => Opened::Ask(enemy(phasing)),
            Phase::Bombard => self.bombard(clerk),
            Phase::Bombarded => self.bombarded(),
            Phase::Clash => self.clash(clerk),
            Phase::Override => self.open_override(),
            Phase::Leaders => self.leaders(clerk),
            Phase::Guns(army) => self.open_guns(army, clerk),
            Phase::Counter => self.open_counter(clerk),
            Phase::Retreat => self.open_retreat(clerk),
            Phase::Pursue => self.open_pursue(),
            Phase::Advance => self.open_advance(),
            Phase::Toll => self.toll(clerk),
            Phase::BattleEnd => self.battle_end(clerk),
            Phase::PlayerTurnEnd => self.player_turn_end(clerk),
            Phase::Politics => self.political(clerk),
            Phase::Declare => self.open_declare(),
            Phase::Diplomacy => self.diplomacy(clerk),
            Phase::Victory => self.victory(clerk),
            Phase::Over => Opened::Done,
        }
    }

    /// The next phase.
    fn goes_to(&mut self, phase: Phase) -> Opened {
        self.public.phase = phase;
        Opened::Done
    }

    /// Ends the segment in which we are.
    fn end_segment(&mut self, clerk: &mut impl Clerk) {
        self.public.phase = match self.public.phase {
            Phase::Admin => Phase::Organise,
            Phase::Organise => Phase::Command,
            Phase::Command => {
                self.envoy(clerk);
                Phase::Move
            }
            Phase::Move => clerk.rather(rule!(CC_3_03), Phase::React, Phase::Force),
            Phase::React => Phase::Force,
            Phase::Force => Phase::Attrition,
            Phase::Combat => Phase::PlayerTurnEnd,
            other => other,
        };
    }

    /// Whether the phasing side skips a segment.
    fn skips(&self, segment: Segment) -> bool {
        self.host(self.public.phasing).skip.is_some_and(|to| segment < to)
    }

    /// The segments that may be skipped to from here.
    fn list_skips(&self, into: &mut Vec<Action>) {
        let later = [
            Segment::Organise,
            Segment::Command,
            Segment::Move,
            Segment::Force,
            Segment::Combat,
            Segment::End,
        ];
        into.extend(later.into_iter().filter(|&to| self.may_skip(to)).map(Action::SkipTo));
    }

    fn may_skip(&self, to: Segment) -> bool {
        match self.public.phase {
            Phase::Admin => true,
            Phase::Organise => to > Segment::Organise,
            Phase::Command => to > Segment::Command,
            Phase::Move => to > Segment::Move,
            Phase::Force => to > Segment::Force,
            _ => false,
        }
    }

    fn check_skip(&self, to: Segment) -> Verdict<()> {
        if rule!(CA_R83).holds(self.may_skip(to)) {
            Ok(())
        } else {
            Err(Refusal::rule(rule!(CA_R83), phrase::NOT_LATER))
        }
    }

    /// An own formation on the map, by its head.
    fn formation(&self, side: Army, head: LeaderId) -> Verdict<LeaderId> {
        if self.host(side).is_head(head) {
            Ok(head)
        } else {
            Err(Refusal::plain(phrase::NO_SUCH_FORMATION).with("leader", head.name()))
        }
    }
}
