//! Movement commands (section 3.4).

use std::rc::Rc;

use kernel::{Clerk, Event, MovementPoints, Refusal, Verdict};
use rulebook::options::campaign::Envoy;
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::map::HexId;
use crate::routes::Ways;
use crate::terms::{Army, Game};

use super::super::action::Action;
use super::super::roster::{Key, LeaderId, constant, enemy, place};
use super::super::state::{Phase, Scenario, Segment, State};
use super::{Opened, not_now};

/// The most that a listed order commands at once.
const MOST_AT_ONCE: usize = 6;

/// The ways along which dispatches go.
struct Dispatch {
    centre: Option<Rc<Ways>>,
    commander: Option<Rc<Ways>>,
}

impl State {
    pub(super) fn open_command(&mut self, clerk: &mut impl Clerk) -> Opened {
        let army = self.public.phasing;
        if self.skips(Segment::Command) || self.eligible(army).is_empty() {
            self.end_segment(clerk);
            return Opened::Done;
        }
        Opened::Ask(army)
    }

    /// From where dispatches go.
    fn dispatch(&self, side: Army) -> Dispatch {
        let most = MovementPoints::whole(constant(Key::Dispatch));
        let host = self.host(side);
        let centre = match self.kind() {
            Game::Battle => Some(self.base(side).source),
            Game::Campaign => self.centre_active(side),
        };
        let Some(centre) = centre else { return Dispatch { centre: None, commander: None } };
        let seen = self.seen(Some(side), enemy(side));
        // Whoever is addressed may stand in an enemy zone.
        let heads: Vec<HexId> = host.heads().into_iter().filter_map(|head| host.leader_at(head)).collect();
        let field = self.field_of(side, &seen, &heads);
        let commander = match self.kind() {
            Game::Battle => None,
            Game::Campaign => {
                self.commander_near(side, centre).and_then(|commander| host.leader_at(commander))
            }
        };
        Dispatch {
            centre: Some(field.lines_from(centre, most)),
            commander: commander.map(|at| field.lines_from(at, most)),
        }
    }

    /// The heads of a side's formations, each with the line by which dispatches reach it, as far as it knows.
    pub(crate) fn dispatch_lines(&self, side: Army) -> Vec<(LeaderId, Option<Vec<HexId>>)> {
        let dispatch = self.dispatch(side);
        let ways = || [&dispatch.centre, &dispatch.commander].into_iter().flatten();
        let line = |at: HexId| {
            let shortest = ways().filter(|ways| ways.cost(at).is_some()).min_by_key(|ways| ways.cost(at));
            shortest.map(|ways| ways.path(at))
        };
        let host = self.host(side);
        host.heads().into_iter().map(|head| (head, host.leader_at(head).and_then(line))).collect()
    }

    /// The formations that may get a command.
    fn eligible(&self, side: Army) -> Vec<LeaderId> {
        if self.commands_left(side) == 0 {
            return Vec::new();
        }
        let dispatch = self.dispatch(side);
        let heads = self.host(side).heads();
        heads.into_iter().filter(|&head| self.may_command(side, head, &dispatch).is_ok()).collect()
    }

    fn commands_left(&self, side: Army) -> i32 {
        match self.kind() {
            Game::Battle => self.base(side).commands,
            Game::Campaign => self.base(side).ap / constant(Key::CommandCost),
        }
    }

    fn may_command(&self, side: Army, head: LeaderId, dispatch: &Dispatch) -> Verdict<()> {
        self.formation(side, head)?;
        let host = self.host(side);
        let flags = host.flags(head);
        if rule!(CC_5_5_01).holds(flags.command || flags.entered) {
            return Err(Refusal::rule(rule!(CC_5_5_01), phrase::HAS_COMMAND).with("leader", head.name()));
        }
        let Some(at) = host.leader_at(head) else { return not_now() };
        if self.besieged(side, at) {
            return Err(Refusal::rule(rule!(CA_R71), phrase::BESIEGED));
        }
        let Some(centre) = &dispatch.centre else {
            return Err(Refusal::rule(rule!(CC_5_5_01), phrase::CENTRE_INACTIVE));
        };
        let reached = centre.cost(at).is_some()
            || dispatch.commander.as_ref().is_some_and(|commander| commander.cost(at).is_some());
        if rule!(CC_5_5_01).holds(!reached) {
            return Err(Refusal::rule(rule!(CC_5_5_01), phrase::NO_DISPATCH).with("leader", head.name()));
        }
        Ok(())
    }

    pub(super) fn list_command(&self, side: Army, into: &mut Vec<Action>) {
        into.push(Action::EndCommand);
        let mut eligible = self.eligible(side);
        into.extend(eligible.iter().map(|&head| Action::Command(head)));
        let host = self.host(side);
        eligible.sort_by_key(|&head| (-(host.strength(head).all() * (6 - head.initiative())), head));
        let most = usize::try_from(self.commands_left(side)).unwrap_or(0).min(MOST_AT_ONCE);
        for count in 2..=most.min(eligible.len()) {
            let mut heads = eligible[..count].to_vec();
            heads.sort_unstable();
            into.push(Action::Commands(heads));
        }
        self.list_skips(into);
    }

    pub(super) fn check_command(&self, side: Army, action: &Action) -> Verdict<()> {
        let heads = match action {
            Action::EndCommand => return Ok(()),
            Action::SkipTo(to) => return self.check_skip(*to),
            Action::Command(head) => std::slice::from_ref(head),
            Action::Commands(heads) => heads,
            _ => return not_now(),
        };
        if heads.is_empty() || heads.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err(Refusal::field("formations", phrase::NOT_SORTED));
        }
        if rule!(CC_5_4_01).holds(heads.len() > usize::try_from(self.commands_left(side)).unwrap_or(0)) {
            return Err(Refusal::rule(rule!(CC_5_4_01), phrase::NO_POINTS)
                .with("needed", i32::try_from(heads.len()).unwrap_or(i32::MAX))
                .with("left", self.commands_left(side)));
        }
        let dispatch = self.dispatch(side);
        heads.iter().try_for_each(|&head| self.may_command(side, head, &dispatch))
    }

    pub(super) fn act_command(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        let heads = match action {
            Action::Command(head) => std::slice::from_ref(head),
            Action::Commands(heads) => heads.as_slice(),
            _ => return self.end_segment(clerk),
        };
        for &head in heads {
            let battle = self.kind() == Game::Battle;
            let base = self.base_mut(side);
            if battle {
                base.commands -= clerk.value(rule!(CA_R53), 1);
            } else {
                base.ap -= clerk.value(rule!(CC_5_4_01), constant(Key::CommandCost));
            }
            self.host_mut(side).flags_mut(head).command = true;
        }
        if matches!(action, Action::Commands(_)) {
            clerk.happened(|| Event::new(phrase::STAFF).only_for(place(side)));
            self.end_segment(clerk);
        }
    }

    /// Murat's envoy (CA-R78), when the French end their commands on the first turn.
    pub(super) fn envoy(&mut self, clerk: &mut impl Clerk) {
        let public = &self.public;
        let sends = public.options.envoy == Envoy::Turn1
            && matches!(public.scenario, Scenario::Hollabrunn | Scenario::November)
            && public.turn == 1
            && public.phasing == Army::French
            && public.phase == Phase::Command;
        if sends {
            let die = clerk.d6();
            self.public.truce = clerk.holds(rule!(CA_R78), die <= 3);
            clerk.happened(|| Event::new(phrase::ENVOY).with("die", i32::from(die)));
        }
    }
}
