//! Forced marches (section 3.6): the other side's first, then the own ones.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::terms::Army;

use super::super::action::Action;
use super::super::march::distance;
use super::super::roster::{Key, LeaderId, constant, enemy, halves, place};
use super::super::state::{Body, Hand, Mode, Phase, Segment, State, Watch, Why};
use super::{Opened, not_now};

impl State {
    pub(super) fn open_react(&mut self, clerk: &mut impl Clerk) -> Opened {
        let army = enemy(self.public.phasing);
        if self.host(army).hand.is_some() || self.reacts(army) {
            return Opened::Ask(army);
        }
        self.end_segment(clerk);
        Opened::Done
    }

    /// Whether a side is asked for forced marches in the enemy's turn (3.13).
    fn reacts(&self, army: Army) -> bool {
        let may = self.may_force_any(army);
        match self.host(army).watch {
            Watch::Never => false,
            Watch::Always => !may.is_empty(),
            Watch::Near => {
                let seen = self.seen(Some(army), enemy(army));
                let near = constant(Key::ReactNear);
                may.iter()
                    .filter_map(|&head| self.host(army).leader_at(head))
                    .any(|at| seen.iter().any(|seen| !seen.headquarters && distance(at, seen.hex) <= near))
            }
        }
    }

    pub(super) fn open_force(&mut self, clerk: &mut impl Clerk) -> Opened {
        let army = self.public.phasing;
        let wants = !self.skips(Segment::Force) && !self.may_force_any(army).is_empty();
        if self.host(army).hand.is_some() || wants {
            return Opened::Ask(army);
        }
        self.end_segment(clerk);
        Opened::Done
    }

    fn may_force_any(&self, side: Army) -> Vec<LeaderId> {
        let heads = self.host(side).heads();
        heads.into_iter().filter(|&head| self.may_force(side, head).is_ok()).collect()
    }

    fn may_force(&self, side: Army, head: LeaderId) -> Verdict<()> {
        self.formation(side, head)?;
        let host = self.host(side);
        let flags = host.flags(head);
        let refused = |reason| Err(Refusal::rule(rule!(CC_10_1_01), reason));
        if host.strength(head).all() == 0 {
            return refused(phrase::NO_TROOPS);
        }
        if rule!(CC_11_3_01).holds(flags.mode == Mode::Forage) {
            return Err(Refusal::rule(rule!(CC_11_3_01), phrase::FORAGES));
        }
        if host.leader_at(head).is_some_and(|hex| self.besieged(side, hex)) {
            return Err(Refusal::rule(rule!(CA_R71), phrase::BESIEGED));
        }
        if rule!(CC_10_1_01).holds(flags.tried) {
            return refused(phrase::DONE);
        }
        Ok(())
    }

    pub(super) fn list_forced(&self, side: Army, into: &mut Vec<Action>) {
        if let Some(hand) = self.host(side).hand {
            into.push(Action::Halt);
            return self.marches(side, hand, into);
        }
        into.push(Action::EndForced);
        into.extend(self.may_force_any(side).into_iter().map(Action::ForceMarch));
        self.list_skips(into);
    }

    pub(super) fn check_forced(&self, side: Army, action: &Action) -> Verdict<()> {
        if let Some(hand) = self.host(side).hand {
            return match action {
                Action::Halt => Ok(()),
                Action::March(path) => {
                    let seen = self.seen(Some(side), enemy(side));
                    let field = self.field_of(side, &seen, &[]);
                    self.plan(side, hand, path, &seen, &field).map(drop)
                }
                _ => not_now(),
            };
        }
        match action {
            Action::EndForced => Ok(()),
            Action::SkipTo(to) => self.check_skip(*to),
            Action::ForceMarch(head) => self.may_force(side, *head),
            _ => not_now(),
        }
    }

    pub(super) fn act_forced(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        match action {
            Action::EndForced => self.end_segment(clerk),
            Action::ForceMarch(head) => {
                self.host_mut(side).flags_mut(*head).tried = true;
                let granted = self.forced_points(side, *head, clerk);
                if granted > 0 {
                    self.host_mut(side).flags_mut(*head).forced_used = true;
                    let why = Why::Forced { foot: granted, horse: granted };
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
                let Body::Formation(head) = hand.body else { return };
                // In the enemy's turn the march is paid for at once.
                if self.public.phase == Phase::React {
                    let flags = self.host(side).flags(head);
                    if clerk.holds(rule!(CC_3_02), true) {
                        self.march_attrition(side, head, flags.forced, flags.forced, clerk);
                    }
                    self.host_mut(side).flags_mut(head).forced = 0;
                }
            }
        }
    }

    /// The MP of a forced march, in halves: none if it fails.
    pub(super) fn forced_points(&mut self, side: Army, head: LeaderId, clerk: &mut impl Clerk) -> i16 {
        let left = self.initiative_roll(side, head, clerk);
        if left < 0 {
            return 0;
        }
        let most = halves(Key::ForcedMost);
        let points = i16::try_from((left + 1) * 2).unwrap_or(most).min(most);
        let points = clerk.value(rule!(CC_10_2_01), i32::from(points));
        i16::try_from(points).unwrap_or(most)
    }
}
