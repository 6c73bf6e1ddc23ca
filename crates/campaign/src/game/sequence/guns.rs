//! The sound of the guns (core 10.4): between the rounds of a pitched battle formations nearby may march to it.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::campaign::Guns;
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::terms::Army;

use super::super::action::Action;
use super::super::march::distance;
use super::super::roster::{Key, LeaderId, constant, enemy, place};
use super::super::state::{Body, Hand, Mode, Phase, State, Watch, Why};
use super::{Opened, not_now};

impl State {
    pub(super) fn open_guns(&mut self, army: Army, _: &mut impl Clerk) -> Opened {
        if self.host(army).hand.is_some() || self.hears(army) {
            return Opened::Ask(army);
        }
        self.after_guns(army);
        Opened::Done
    }

    /// The other side hears next, then comes the counterattack.
    fn after_guns(&mut self, army: Army) {
        self.public.phase =
            if army == self.public.phasing { Phase::Guns(enemy(army)) } else { Phase::Counter };
    }

    /// Whether a side is asked.
    fn hears(&self, army: Army) -> bool {
        let never = army != self.public.phasing && self.host(army).watch == Watch::Never;
        let on = self.public.options.guns == Guns::On && !self.public.fog;
        rule!(CA_R63).holds(on)
            && !self.host(army).deaf
            && !never
            && self.host(army).heads().into_iter().any(|head| self.may_hear(army, head).is_ok())
    }

    fn may_hear(&self, side: Army, head: LeaderId) -> Verdict<()> {
        self.formation(side, head)?;
        let host = self.host(side);
        let (Some(battle), Some(at)) = (&self.public.battle, host.leader_at(head)) else { return not_now() };
        let flags = host.flags(head);
        let refused = |reason| Err(Refusal::rule(rule!(CA_R63), reason));
        if host.strength(head).fighting() == 0 {
            return refused(phrase::NO_TROOPS);
        }
        if host.force.leaders.contains(&head) {
            return refused(phrase::IN_BATTLE);
        }
        if rule!(CC_10_4_01).holds(distance(at, battle.hex) > constant(Key::GunsHeard)) {
            return Err(Refusal::rule(rule!(CC_10_4_01), phrase::NOT_NEARER));
        }
        let elsewhere = flags.guns.is_some_and(|number| number != battle.number);
        let fought = side == self.public.phasing && flags.fought > 0;
        if flags.guns_tried || flags.forced_used || elsewhere || fought {
            return refused(phrase::DONE);
        }
        if flags.mode == Mode::Forage || flags.shaken || self.besieged(side, at) {
            return refused(phrase::SHAKEN);
        }
        Ok(())
    }

    pub(super) fn list_guns(&self, side: Army, into: &mut Vec<Action>) {
        if let Some(hand) = self.host(side).hand {
            into.push(Action::Halt);
            return self.marches(side, hand, into);
        }
        into.extend([Action::Pass, Action::PassBattle]);
        let heads = self.host(side).heads().into_iter();
        into.extend(heads.filter(|&head| self.may_hear(side, head).is_ok()).map(Action::GunsMarch));
    }

    pub(super) fn check_guns(&self, side: Army, action: &Action) -> Verdict<()> {
        if self.host(side).hand.is_some() {
            return self.check_forced(side, action);
        }
        match action {
            Action::Pass | Action::PassBattle => Ok(()),
            Action::GunsMarch(head) => self.may_hear(side, *head),
            _ => not_now(),
        }
    }

    pub(super) fn act_guns(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        match action {
            Action::Pass => self.after_guns(side),
            Action::PassBattle => {
                self.host_mut(side).deaf = true;
                self.after_guns(side);
            }
            Action::GunsMarch(head) => {
                let number = self.public.battle.as_ref().map(|battle| battle.number);
                let flags = self.host_mut(side).flags_mut(*head);
                flags.guns_tried = true;
                flags.guns = number;
                clerk.applied(rule!(CC_10_4_01));
                let granted = self.forced_points(side, *head, clerk);
                if granted > 0 {
                    let why = Why::Guns { foot: granted, horse: granted, gone: 0 };
                    self.host_mut(side).hand = Some(Hand { body: Body::Formation(*head), why });
                }
                clerk.happened(|| {
                    Event::new(if granted > 0 { phrase::TAKEN_UP } else { phrase::NOT_MOVED })
                        .with("who", head.name())
                        .only_for(place(side))
                });
            }
            Action::March(path) => {
                self.walk(side, path, clerk);
                self.contact(side, clerk);
            }
            _ => {
                let Some(hand) = self.host_mut(side).hand.take() else { return };
                let (Body::Formation(head), Why::Guns { gone, .. }) = (hand.body, hand.why) else { return };
                if clerk.holds(rule!(CC_3_02), true) {
                    self.march_attrition(side, head, gone, gone, clerk);
                }
                self.join(side, head, clerk);
            }
        }
    }

    /// Whoever stands in a joining hex belongs to the battle from the next round.
    fn join(&mut self, side: Army, head: LeaderId, clerk: &mut impl Clerk) {
        let Some(battle) = &self.public.battle else { return };
        let Some(at) = self.host(side).leader_at(head) else { return };
        let attacks = battle.attacker == side;
        let joins = if attacks { self.may_attack_over(at, battle.hex) } else { at == battle.hex };
        if joins && self.host(side).strength(head).fighting() > 0 && clerk.holds(rule!(CA_R63), true) {
            self.commit(side, head);
        }
        clerk.happened(|| Event::new(phrase::STAFF).only_for(place(side)));
    }

    /// A formation belongs to the force of its side.
    pub(super) fn commit(&mut self, side: Army, head: LeaderId) {
        let host = self.host_mut(side);
        let (leaders, units) = (host.tree(head), host.units_below(head));
        host.force.leaders.extend(leaders);
        host.force.units.extend(units);
        host.force.leaders.sort_unstable();
        host.force.leaders.dedup();
        host.force.units.sort_unstable();
        host.force.units.dedup();
        host.flags_mut(head).goal = None;
    }
}
