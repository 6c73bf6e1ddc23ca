//! Bridges and pontoons (section 3.5): the works of the bridge chart, by what is in hand.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::{phrase::campaign_game as phrase, rule};

use crate::bridges::{self, Bridge, Enemy, Task, Work};
use crate::map::{HexId, map};
use crate::terms::{Army, Side};

use super::super::action::Action;
use super::super::knowledge::around;
use super::super::march::quiet;
use super::super::roster::{enemy, place};
use super::super::state::{Body, Hand, Span, State, Train};
use super::not_now;

impl State {
    /// The works for which there is water beside a hex.
    pub(super) fn list_works(&self, at: HexId, into: &mut Vec<Action>) {
        let sides = map().cell(at).sides;
        for (direction, side) in sides.into_iter().enumerate().filter(|(_, side)| *side != Side::None) {
            let Some(to) = at.neighbour(direction) else { continue };
            let span = Span::between(at, to);
            let laid = self.public.pontoons.iter().any(|(found, _)| *found == span);
            if laid || side.is_bridge() {
                into.extend([Action::DamageBridge(to), Action::RepairBridge(to)]);
            }
            if laid {
                into.push(Action::LiftPontoon(to));
            } else if matches!(side, Side::PrimaryRiver | Side::SecondaryRiver) {
                into.push(Action::LayPontoon(to));
            }
        }
    }

    /// What a work costs, in halves, if it may be done.
    pub(super) fn work(&self, side: Army, hand: Hand, action: &Action) -> Verdict<i16> {
        let Some(at) = self.body_at(side, hand.body) else { return not_now() };
        let (work, to) = match *action {
            Action::DamageBridge(to) => (Work::Damage, to),
            Action::RepairBridge(to) => (Work::Repair, to),
            Action::LayPontoon(to) => (Work::Lay, to),
            Action::LiftPontoon(to) => (Work::TakeUp, to),
            _ => return not_now(),
        };
        let no_bridge =
            || Err(Refusal::rule(rule!(CA_BRIDGES_01), phrase::NO_BRIDGE).with("hex", to.called()));
        let Some(direction) = at.towards(to) else { return no_bridge() };
        let span = Span::between(at, to);
        let printed = map().cell(at).sides[direction];
        let pontoon = self.public.pontoons.iter().any(|(found, _)| *found == span);
        let damaged = self.public.damaged.contains(&span);
        let (all_cavalry, carries) = match hand.body {
            Body::Vedette(_) => (true, false),
            Body::Formation(head) => {
                let host = self.host(side);
                let points = host.strength(head);
                if points.all() == 0 {
                    return not_now();
                }
                (points.infantry + points.artillery == 0, host.carries(head))
            }
        };
        if matches!(hand.body, Body::Vedette(_)) && work != Work::Damage {
            return not_now();
        }
        let bridge = match printed {
            _ if pontoon || work == Work::Lay => Bridge::Pontoon,
            Side::PrimaryBridge => Bridge::PrimaryRiver,
            Side::SecondaryBridge => Bridge::SecondaryRiver,
            _ => return no_bridge(),
        };
        let held = self.known_field(side);
        match work {
            Work::Damage if damaged => return no_bridge(),
            Work::Repair if !damaged => return no_bridge(),
            Work::Lay => {
                let river = matches!(printed, Side::PrimaryRiver | Side::SecondaryRiver);
                let both = map().cell(to).in_play && map().cell(at).in_play;
                if rule!(CC_15_3_01).holds(!carries) {
                    return Err(Refusal::rule(rule!(CC_15_3_01), phrase::NO_PONTOON));
                }
                if rule!(CA_BRIDGES_13).holds(!river || pontoon || !both || all_cavalry) {
                    return Err(Refusal::rule(rule!(CA_BRIDGES_13), phrase::NO_PONTOON));
                }
            }
            Work::TakeUp => {
                let burdened = matches!(self.host(side).train, Train::With(_));
                if rule!(CA_BRIDGES_11).holds(!pontoon || all_cavalry || burdened || held.is_occupied(to)) {
                    return Err(Refusal::rule(rule!(CA_BRIDGES_11), phrase::NO_PONTOON));
                }
            }
            _ => {}
        }
        let beside = |hex: HexId| held.is_occupied(hex);
        let near = if beside(to) {
            Enemy::AtTheBridge
        } else if around(at).any(beside) {
            Enemy::Beside
        } else {
            Enemy::None
        };
        let cost = bridges::cost(&Task { bridge, work, all_cavalry, enemy: near, damaged }, &mut quiet())?;
        let cost = i16::try_from(cost.points.count()).unwrap_or(i16::MAX);
        if !self.affords(side, hand, cost) {
            return Err(Refusal::rule(rule!(CC_7_1_01), phrase::NO_MP));
        }
        Ok(cost)
    }

    pub(super) fn do_work(&mut self, side: Army, action: &Action, clerk: &mut impl Clerk) {
        let Some(hand) = self.host(side).hand else { return };
        let Ok(cost) = self.work(side, hand, action) else { return };
        let Some(at) = self.body_at(side, hand.body) else { return };
        let cost = i16::try_from(clerk.value(rule!(CA_BRIDGES_01), i32::from(cost))).unwrap_or(cost);
        match hand.body {
            Body::Formation(head) => self.host_mut(side).flags_mut(head).worked += cost,
            Body::Vedette(number) => {
                if let Some(vedette) = self.host_mut(side).vedettes.get_mut(&number) {
                    vedette.spent += cost;
                }
            }
        }
        let (Action::DamageBridge(to)
        | Action::RepairBridge(to)
        | Action::LayPontoon(to)
        | Action::LiftPontoon(to)) = *action
        else {
            return;
        };
        let span = Span::between(at, to);
        match action {
            Action::DamageBridge(_) => {
                clerk.applied(rule!(CA_R64));
                self.public.damaged.push(span);
                self.public.damaged.sort_unstable();
            }
            Action::RepairBridge(_) => self.public.damaged.retain(|found| *found != span),
            Action::LayPontoon(_) => {
                self.public.pontoons.push((span, side));
                self.public.pontoons.sort_unstable_by_key(|(span, _)| *span);
                self.host_mut(side).train = Train::Laid;
            }
            _ => {
                let was =
                    self.public.pontoons.iter().find(|(found, _)| *found == span).map(|(_, army)| *army);
                self.public.pontoons.retain(|(found, _)| *found != span);
                self.public.damaged.retain(|found| *found != span);
                if let Body::Formation(head) = hand.body {
                    self.host_mut(side).train = Train::With(head);
                }
                if was == Some(enemy(side)) {
                    self.host_mut(enemy(side)).train = Train::None;
                }
            }
        }
        clerk.happened(|| Event::new(phrase::WORKED).with("hex", at.called()).with("to", to.called()));
        clerk.happened(|| Event::new(phrase::STAFF).only_for(place(side)));
    }
}
