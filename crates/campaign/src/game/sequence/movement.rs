//! Movement (section 3.5): taking up, marching, pushing the enemy back, dropping; and the orders of 3.13 that
//! stand for many of them.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::initiative::{self, Comparison, Purpose};
use crate::map::{HexId, map};
use crate::terms::{Arm, Army, Foraging, Hex};
use crate::terrain::{self, Step};

use super::super::action::Action;
use super::super::march::quiet;
use super::super::roster::{Key, LeaderId, constant, enemy, halves, place};
use super::super::state::{
    Body, Flags, Flight, Group, Hand, Mode, Segment, State, Walk, Watch, Whereabouts, Why,
};
use super::{Opened, not_now};

impl State {
    pub(super) fn open_move(&mut self, clerk: &mut impl Clerk) -> Opened {
        let army = self.public.phasing;
        if self.public.walk.is_some() {
            return self.open_walk(clerk);
        }
        if self.host(army).hand.is_some() {
            return Opened::Ask(army);
        }
        if self.skips(Segment::Move) || self.bodies(army).is_empty() {
            self.end_segment(clerk);
            return Opened::Done;
        }
        Opened::Ask(army)
    }

    /// Whatever may be taken up.
    fn bodies(&self, side: Army) -> Vec<Body> {
        let host = self.host(side);
        let formations = host.heads().into_iter().map(Body::Formation);
        let vedettes = host.vedettes.keys().map(|&number| Body::Vedette(number));
        formations.chain(vedettes).filter(|&body| self.may_take_up(side, body).is_ok()).collect()
    }

    fn may_take_up(&self, side: Army, body: Body) -> Verdict<()> {
        let host = self.host(side);
        let done = match body {
            Body::Formation(head) => {
                self.formation(side, head)?;
                let besieged = host.leader_at(head).is_some_and(|hex| self.besieged(side, hex));
                if besieged && host.strength(head).all() > 0 {
                    return Err(Refusal::rule(rule!(CA_R71), phrase::BESIEGED));
                }
                host.flags(head).done
            }
            Body::Vedette(number) => match host.vedettes.get(&number) {
                Some(vedette) => vedette.done,
                None => return Err(Refusal::rule(rule!(CC_2_7_02), phrase::NO_SUCH_VEDETTE)),
            },
        };
        if done { Err(Refusal::rule(rule!(CC_5_7_01), phrase::DONE)) } else { Ok(()) }
    }

    pub(super) fn list_move(&self, side: Army, into: &mut Vec<Action>) {
        let host = self.host(side);
        if let Some(hand) = host.hand {
            into.push(Action::Halt);
            self.marches(side, hand, into);
            let mut wanted = Vec::new();
            if let Some(at) = self.body_at(side, hand.body) {
                let seen = self.seen(Some(side), enemy(side));
                let near = seen.iter().map(|seen| seen.hex).filter(|&hex| at.towards(hex).is_some());
                wanted.extend(near.map(Action::Repulse));
                self.list_works(at, &mut wanted);
            }
            if let Body::Formation(head) = hand.body {
                wanted.extend(
                    host.tree(head).into_iter().filter(|&leader| leader != head).map(Action::DropLeader),
                );
                let below = host.units_below(head).into_iter();
                let troops =
                    below.filter_map(|id| Some((id, host.units.get(&id).filter(|unit| unit.sp > 0)?)));
                for (id, unit) in troops {
                    wanted.push(Action::DropUnit(id));
                    if unit.arm == Arm::Cavalry {
                        wanted.push(Action::VedetteOut(id));
                    }
                }
            }
            into.extend(wanted.into_iter().filter(|action| self.check_hand(side, hand, action).is_ok()));
            return;
        }
        into.push(Action::EndMovement);
        into.extend(self.bodies(side).into_iter().map(Action::TakeUp));
        if self.check_move(side, &Action::CarryOn).is_ok() {
            into.push(Action::CarryOn);
        }
        let watches = [Watch::Always, Watch::Near, Watch::Never].map(Action::Watch);
        into.extend(watches.into_iter().filter(|action| self.check_move(side, action).is_ok()));
        self.list_skips(into);
    }

    pub(super) fn check_move(&self, side: Army, action: &Action) -> Verdict<()> {
        let host = self.host(side);
        if let Some(hand) = host.hand {
            return self.check_hand(side, hand, action);
        }
        match action {
            Action::EndMovement => Ok(()),
            Action::SkipTo(to) => self.check_skip(*to),
            Action::TakeUp(body) => self.may_take_up(side, *body),
            Action::Order { formation, path } => {
                self.may_take_up(side, Body::Formation(*formation))?;
                let hand = Hand { body: Body::Formation(*formation), why: Why::March };
                let seen = self.seen(Some(side), enemy(side));
                let field = self.field_of(side, &seen, &[]);
                self.plan(side, hand, path, &seen, &field).map(drop)
            }
            Action::Standing { formation, goal } => {
                self.formation(side, *formation)?;
                let flags = host.flags(*formation);
                let away = goal.is_some_and(|goal| !map().cell(goal).in_play);
                if rule!(CA_R83).holds(flags.done || flags.goal_set || away || flags.goal == *goal) {
                    return Err(Refusal::rule(rule!(CA_R83), phrase::ONCE_PER_TURN));
                }
                Ok(())
            }
            Action::CarryOn => {
                if self.next_to_carry_on(side).is_none() {
                    return Err(Refusal::rule(rule!(CA_R83), phrase::NOBODY));
                }
                Ok(())
            }
            Action::Watch(watch) => {
                if rule!(CA_R83).holds(host.watch_set || host.watch == *watch) {
                    return Err(Refusal::rule(rule!(CA_R83), phrase::ONCE_PER_TURN));
                }
                Ok(())
            }
            _ => not_now(),
        }
    }

    /// The next formation that goes on to its standing goal.
    fn next_to_carry_on(&self, side: Army) -> Option<LeaderId> {
        let host = self.host(side);
        let mut heads: Vec<LeaderId> =
            host.heads().into_iter().filter(|&head| host.flags(head).goal.is_some()).collect();
        if heads.is_empty() {
            return None;
        }
        let field = self.known_field(side);
        heads.retain(|&head| {
            self.may_take_up(side, Body::Formation(head)).is_ok()
                && host.leader_at(head).is_some_and(|hex| !field.in_zone(hex))
        });
        heads.into_iter().min_by_key(|head| (-head.initiative(), *head))
    }

    fn check_hand(&self, side: Army, hand: Hand, action: &Action) -> Verdict<()> {
        let host = self.host(side);
        let head = match hand.body {
            Body::Formation(head) => Some(head),
            Body::Vedette(_) => None,
        };
        match *action {
            Action::Halt => Ok(()),
            Action::March(ref path) => {
                let seen = self.seen(Some(side), enemy(side));
                let field = self.field_of(side, &seen, &[]);
                self.plan(side, hand, path, &seen, &field).map(drop)
            }
            Action::Repulse(hex) => {
                let Some(head) = head.filter(|&head| host.strength(head).all() > 0) else { return not_now() };
                self.may_repulse(side, head, hand, hex)
            }
            Action::DamageBridge(_)
            | Action::RepairBridge(_)
            | Action::LayPontoon(_)
            | Action::LiftPontoon(_) => self.work(side, hand, action).map(drop),
            Action::DropLeader(leader) => match head {
                Some(head) if leader != head && host.tree(head).contains(&leader) => Ok(()),
                _ => Err(Refusal::plain(phrase::NO_SUCH_FORMATION).with("leader", leader.name())),
            },
            Action::DropUnit(unit) => match head {
                Some(head)
                    if host.units_below(head).contains(&unit)
                        && host.units.get(&unit).is_some_and(|unit| unit.sp > 0) =>
                {
                    Ok(())
                }
                _ => Err(Refusal::plain(phrase::NO_SUCH_UNIT).with("unit", unit.name())),
            },
            Action::VedetteOut(unit) => match head {
                Some(head) if host.units_below(head).contains(&unit) => self.may_detach(side, unit, false),
                _ => Err(Refusal::plain(phrase::NO_SUCH_UNIT).with("unit", unit.name())),
            },
            _ => not_now(),
        }
    }

    /// Whether there is so much left for every arm.
    pub(super) fn affords(&self, side: Army, hand: Hand, cost: i16) -> bool {
        self.purse(side, hand).left.into_iter().flatten().all(|left| left >= cost)
    }

    fn may_repulse(&self, side: Army, head: LeaderId, hand: Hand, hex: HexId) -> Verdict<()> {
        let seen = self.seen(Some(side), enemy(side));
        let Some(at) = self.host(side).leader_at(head) else { return not_now() };
        let there = seen.iter().any(|seen| seen.hex == hex && !seen.headquarters);
        let refused = |rule, reason| Err(Refusal::rule(rule, reason));
        if !there || at.towards(hex).is_none() {
            return refused(rule!(CA_R55), phrase::NOBODY);
        }
        if rule!(CC_9_3_01).holds(map().cell(hex).hex == Hex::Citadel) {
            return refused(rule!(CC_9_3_01), phrase::CITADEL);
        }
        if self.host(side).flags(head).mode == Mode::Forage {
            return refused(rule!(CC_11_3_01), phrase::FORAGES);
        }
        if rule!(CC_9_1_01).holds(!self.affords(side, hand, halves(Key::RepulseCost))) {
            return refused(rule!(CC_9_1_01), phrase::NO_MP);
        }
        if !self.infantry_passes(at, hex) {
            return refused(rule!(CC_9_1_01), phrase::NO_CROSSING);
        }
        Ok(())
    }

    /// Whether infantry may go over the hexside between two hexes in this weather.
    pub(crate) fn infantry_passes(&self, from: HexId, to: HexId) -> bool {
        let Some(direction) = from.towards(to) else { return false };
        let (side, road) = self.way(from, direction);
        let to = map().cell(to);
        let step = Step { hex: to.hex, ground: to.ground, road, side };
        let options = &self.public.options;
        to.in_play && terrain::enter(Arm::Infantry, step, self.public.weather, options, &mut quiet()).is_ok()
    }

    pub(super) fn act_move(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        match action {
            Action::EndMovement => self.end_segment(clerk),
            Action::TakeUp(body) => {
                self.take_up(side, *body, clerk);
            }
            Action::Order { formation, path } => {
                clerk.applied(rule!(CA_R83));
                self.order(side, *formation, path, clerk);
            }
            Action::Standing { formation, goal } => {
                let flags = self.host_mut(side).flags_mut(*formation);
                flags.goal = *goal;
                flags.goal_set = true;
            }
            Action::CarryOn => {
                clerk.applied(rule!(CA_R83));
                for _ in 0..32 {
                    let Some(head) = self.next_to_carry_on(side) else { break };
                    let Some(goal) = self.host(side).flags(head).goal else { break };
                    let path = self.standing_way(side, head, goal);
                    if path.is_empty() {
                        self.host_mut(side).flags_mut(head).goal = None;
                        continue;
                    }
                    self.order(side, head, &path, clerk);
                    if self.host(side).hand.is_some() {
                        break;
                    }
                }
            }
            Action::Watch(watch) => {
                let host = self.host_mut(side);
                host.watch = *watch;
                host.watch_set = true;
            }
            Action::March(path) => {
                self.walk(side, path, clerk);
                self.contact(side, clerk);
            }
            Action::Repulse(hex) => self.repulse(side, *hex, clerk),
            Action::DropLeader(leader) => {
                self.detach(side, *leader);
                self.host_mut(side).flags_mut(*leader).done = clerk.holds(rule!(CC_GAME_04), true);
                self.recount(side);
            }
            Action::DropUnit(unit) => {
                let host = self.host_mut(side);
                if let Some(at) = host.unit_at(*unit).filter(|_| clerk.holds(rule!(CC_2_3_01), true))
                    && let Some(found) = host.units.get_mut(unit)
                {
                    found.leader = None;
                    found.at = Whereabouts::Map(at);
                }
                self.recount(side);
            }
            Action::VedetteOut(unit) => self.detach_vedette(side, *unit),
            Action::DamageBridge(_)
            | Action::RepairBridge(_)
            | Action::LayPontoon(_)
            | Action::LiftPontoon(_) => self.do_work(side, action, clerk),
            _ => self.halt(side, clerk),
        }
    }

    /// The counts of an arm that is no longer there are dropped.
    fn recount(&mut self, side: Army) {
        let Some(Hand { body: Body::Formation(head), .. }) = self.host(side).hand else { return };
        let [foot, horse] = self.allowance(side, head);
        let flags = self.host_mut(side).flags_mut(head);
        if foot.is_none() {
            flags.foot = 0;
        }
        if horse.is_none() {
            flags.horse = 0;
        }
    }

    /// A standing goal ends where there is contact.
    pub(super) fn contact(&mut self, side: Army, clerk: &mut impl Clerk) {
        let Some(Hand { body: Body::Formation(head), .. }) = self.host(side).hand else { return };
        let Some(at) = self.host(side).leader_at(head) else { return };
        if !self.exerting(enemy(side), at).is_empty() {
            clerk.applied(rule!(CC_16_01));
            if self.host(side).strength(head).cavalry > 0 {
                clerk.applied(rule!(CC_16_02));
            }
            self.host_mut(side).flags_mut(head).goal = None;
        }
    }

    /// Takes something in hand, if it can be moved.
    fn take_up(&mut self, side: Army, body: Body, clerk: &mut impl Clerk) -> bool {
        let free = match body {
            Body::Vedette(_) => clerk.holds(rule!(CC_2_7_02), true),
            Body::Formation(head) => {
                let host = self.host(side);
                host.flags(head).command || host.strength(head).all() == 0
            }
        };
        let moves = free
            || match body {
                Body::Formation(head) => self.initiative_roll(side, head, clerk) >= 0,
                Body::Vedette(_) => true,
            };
        let host = self.host_mut(side);
        if moves {
            host.hand = Some(Hand { body, why: Why::March });
        } else if let Body::Formation(head) = body {
            host.flags_mut(head).done = true;
        }
        clerk.happened(|| {
            Event::new(if moves { phrase::TAKEN_UP } else { phrase::NOT_MOVED })
                .with("who", body.name())
                .only_for(place(side))
        });
        moves
    }

    /// Rolls against the initiative of a head, with the resistance of a zone he stands in: what is left of
    /// his initiative, or less than nothing.
    pub(super) fn initiative_roll(&mut self, side: Army, head: LeaderId, clerk: &mut impl Clerk) -> i32 {
        let resistance = self.resistance(side, head, clerk);
        let die = i32::from(clerk.d6());
        let mut modified = die + resistance.unwrap_or(0);
        if modified < 0 {
            modified = clerk.limit(rule!(CC_5_7_02), 0);
        }
        let initiative = clerk.value(rule!(CC_5_7_01), head.initiative());
        initiative - modified
    }

    /// The resistance of the strongest enemy in whose zone a formation stands.
    fn resistance(&self, side: Army, head: LeaderId, clerk: &mut impl Clerk) -> Option<i32> {
        let at = self.host(side).leader_at(head)?;
        let hexes = self.exerting(enemy(side), at);
        let strongest = hexes
            .into_iter()
            .map(|hex| (self.largest_at(enemy(side), hex), hex))
            .filter(|(sp, _)| *sp > 0)
            .min_by_key(|&(sp, hex)| (-sp, hex))?;
        let strongest = clerk.rather(rule!(CA_R68), Some(strongest.1), None)?;
        Some(self.resistance_of(side, head, strongest, clerk))
    }

    /// The SP of the largest formation or post of a hex that does not forage.
    fn largest_at(&self, army: Army, hex: HexId) -> i32 {
        let host = self.host(army);
        let heads = host.heads().into_iter().filter(|&head| host.leader_at(head) == Some(hex));
        let led = heads
            .filter(|&head| host.flags(head).mode != Mode::Forage)
            .map(|head| host.strength(head).all())
            .max()
            .unwrap_or(0);
        let post =
            host.units.iter().filter(|(id, unit)| unit.leader.is_none() && host.unit_at(**id) == Some(hex));
        led.max(post.map(|(_, unit)| unit.sp).sum())
    }

    /// The resistance of an enemy hex.
    fn resistance_of(&self, side: Army, head: LeaderId, hex: HexId, clerk: &mut impl Clerk) -> i32 {
        let other = self.stacks(enemy(side)).get(&hex).copied().unwrap_or_default();
        let own = self.host(side).strength(head);
        let kind = self.kind();
        let cavalry = initiative::cavalry(own.cavalry, other.points.cavalry, kind, clerk);
        let forages = self.host(side).flags(head).mode == Mode::Forage;
        let of = Comparison {
            active: head.initiative(),
            passive: other.commander.map_or(0, LeaderId::initiative),
            weather: self.public.weather,
            purpose: Purpose::LeaveZoc,
            cavalry,
            foraging: if forages { Foraging::Attacker } else { Foraging::None },
            game: kind,
        };
        initiative::compare(&of, &self.public.options, clerk).resistance
    }

    fn order(&mut self, side: Army, head: LeaderId, path: &[HexId], clerk: &mut impl Clerk) {
        if !self.take_up(side, Body::Formation(head), clerk) {
            return;
        }
        let reached = self.walk(side, path, clerk);
        let goal = self.host(side).flags(head).goal.is_some();
        self.contact(side, clerk);
        // Contact on the way to a standing goal is something that happened.
        let touched = goal && self.host(side).flags(head).goal.is_none() && {
            let at = self.host(side).leader_at(head);
            at.is_some_and(|at| !self.exerting(enemy(side), at).is_empty())
        };
        if reached && !touched {
            self.halt(side, clerk);
        }
    }

    /// Out of hand, and done.
    pub(super) fn halt(&mut self, side: Army, _: &mut impl Clerk) {
        let host = self.host_mut(side);
        let Some(hand) = host.hand.take() else { return };
        match hand.body {
            Body::Formation(head) => host.flags_mut(head).done = true,
            Body::Vedette(number) => {
                if let Some(vedette) = host.vedettes.get_mut(&number) {
                    vedette.done = true;
                }
            }
        }
    }

    fn repulse(&mut self, side: Army, hex: HexId, clerk: &mut impl Clerk) {
        let Some(Hand { body: Body::Formation(head), .. }) = self.host(side).hand else { return };
        let cost = clerk.value(rule!(CC_9_1_01), halves(Key::RepulseCost));
        let flags: &mut Flags = self.host_mut(side).flags_mut(head);
        flags.foot += cost;
        flags.horse += cost;
        self.recount(side);
        let other = self.stacks(enemy(side)).get(&hex).copied().unwrap_or_default();
        let succeeds = if other.only_vedettes() {
            clerk.holds(rule!(CC_9_3_01), true)
        } else {
            let die = i32::from(clerk.d6());
            let own = self.host(side).strength(head).fighting();
            let theirs = other.points.fighting();
            let enough = clerk.rather(rule!(CA_R55), own >= constant(Key::RepulseRatio) * theirs, true);
            let sure = clerk.holds(rule!(CC_9_2_01), own >= constant(Key::RepulseSureRatio) * theirs);
            let resistance = self.resistance_of(side, head, hex, clerk);
            enough && (sure || (die + resistance).max(0) <= head.initiative())
        };
        // Nobody sees the die, nor what would have been needed.
        clerk.happened(|| Event::new(phrase::STAFF).only_for(usize::MAX));
        let Some(at) = self.host(side).leader_at(head) else { return };
        if !succeeds {
            return self.repulse_failed(side, head, hex, clerk);
        }
        clerk.happened(|| Event::new(phrase::REPULSED).with("hex", hex.called()));
        let force = self.host(enemy(side)).all_at(hex);
        let group = Group {
            from: hex,
            path: Vec::new(),
            left: constant(Key::RepulseRetreat),
            blocked: 0,
            zone: false,
            off: false,
            sp: other.points.all(),
        };
        self.host_mut(enemy(side)).groups = vec![force];
        self.public.walk =
            Some(Walk { army: enemy(side), flight: Flight::Repulse, enemy: at, groups: vec![group] });
    }

    /// A failed repulse halts the mover.
    pub(super) fn repulse_failed(&mut self, side: Army, head: LeaderId, hex: HexId, clerk: &mut impl Clerk) {
        let halted = clerk.holds(rule!(CC_9_4_01), true);
        clerk.happened(|| Event::new(phrase::NOT_REPULSED).with("hex", hex.called()));
        self.host_mut(side).flags_mut(head).failed_repulse = Some(hex);
        if halted {
            self.halt(side, clerk);
        }
    }
}
