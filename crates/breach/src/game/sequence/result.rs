//! What comes of a round (sections 3.6 and 4.8 of the game page; sections 8.3, 8.4, 14.4 and 14.5 of the
//! core rules): losers retreat, ramparts and towers change hands.

use kernel::Clerk;
use rulebook::options::breach::BeatenFromInside;
use rulebook::rule;

use crate::scenario::Side;
use crate::terms::Arm;

use super::super::ground::Keep;
use super::super::melee::Touch;
use super::super::plan::{ElementId, Slot};
use super::super::state::{Aftermath, Ended, Look, Place, Post, State, Step, Unit, UnitId, UnitSet, Why};
use super::Opened;

impl State {
    /// The end of a round, after the casualties.
    pub(super) fn round_end(&mut self, ended: Ended, clerk: &mut impl Clerk) -> Opened {
        self.over();
        self.generals(clerk);
        if self.outcome.is_some()
            || self.steps.is_empty()
            || matches!(self.steps.last(), Some(Step::ChainNext))
        {
            return Opened::Done;
        }
        self.melee.winner = ended.winner;
        self.melee.distance = ended.distance;
        if ended.outcome != Aftermath::Taken {
            self.release();
        }
        match (ended.outcome, ended.winner) {
            (Aftermath::Unresolved, _) => {}
            (Aftermath::FallBack, _) | (_, None) => {
                self.steps.push(Step::Draw(self.active.other()));
                self.steps.push(Step::Draw(self.active));
                self.melee.chosen = UnitSet::default();
                self.melee.fall_back = 0;
            }
            (Aftermath::Held | Aftermath::Destroyed, Some(_)) => self.steps.push(Step::Winner),
            (Aftermath::Retreat, Some(_)) => {
                self.steps.push(Step::Winner);
                self.steps.push(Step::Losers);
            }
            (Aftermath::Taken, Some(winner)) => self.occupy(winner, ended.distance, clerk),
        }
        Opened::Done
    }

    /// The losers retreat, in the order of their numbers.
    pub(super) fn losers(&mut self, clerk: &mut impl Clerk) -> Opened {
        self.over();
        let Some(winner) = self.melee.winner else { return Opened::Done };
        let touches = self.table.contacts();
        let losers: Vec<UnitId> = self
            .table
            .each()
            .filter(|(id, unit)| self.melee.units.has(*id) && unit.side != winner && unit.is_on_table())
            .map(|(id, _)| id)
            .collect();
        let distance = i64::from(self.melee.distance) * 100;
        for id in losers.into_iter().rev() {
            let Some(unit) = self.table.unit(id).copied() else { continue };
            if let Some((at, enemy)) = self.fights_along(id, &unit, &touches) {
                self.along_back(id, at, enemy, distance, clerk);
                continue;
            }
            if unit.alive().all(|at| matches!(unit.stands[at].place, Place::Tower { .. })) {
                continue;
            }
            let wings = touches.iter().any(|touch| {
                touch.other.0 == id
                    && touch.place.is_some()
                    && self.table.unit(touch.one.0).is_some_and(|foe| foe.profile().arm == Arm::Flyer)
            });
            if wings && !clerk.holds(rule!(BR_FLYERS_05), true) {
                continue;
            }
            if let Some(shift) = self.retreat_shift(id, &unit, &touches, distance) {
                self.push_back(id, shift, Why::Beaten);
            }
        }
        Opened::Done
    }

    /// The stand of a unit that fights along a rampart, and the element its enemy is on.
    fn fights_along(&self, id: UnitId, unit: &Unit, touches: &[Touch]) -> Option<(usize, ElementId)> {
        if let Some(enemy) = unit.along {
            let beside = self.table.plan().element(enemy)?.beside;
            let at = unit.alive().find(|&at| {
                let own = unit.stands[at].place.element();
                own.is_some() && beside.contains(&own)
            })?;
            return Some((at, enemy));
        }
        let along = Some(crate::combat::Place::Along);
        let touch = touches.iter().find(|touch| touch.place == along && touch.other.0 == id)?;
        let enemy = self.table.unit(touch.one.0)?;
        Some((touch.other.1, enemy.stands.get(touch.one.1)?.place.element()?))
    }

    /// Straight away from the edge with most enemies.
    fn retreat_shift(&self, id: UnitId, unit: &Unit, touches: &[Touch], distance: i64) -> Option<(i64, i64)> {
        let mut counts = [0_u8; 4];
        let mut facing = None;
        for touch in touches {
            let (own, foe) = if touch.one.0 == id {
                (touch.one, touch.other)
            } else if touch.other.0 == id {
                (touch.other, touch.one)
            } else {
                continue;
            };
            let rect = self.table.stand_rect(unit, own.1)?;
            facing.get_or_insert(rect.facing);
            let enemy = self.table.unit(foe.0)?;
            let other = self.table.stand_rect(enemy, foe.1)?;
            let (x, y) = rect.frame(other.centre);
            let (x, y) = (x >> 30, y >> 30);
            let (a, b) = rect.halves();
            let edge = if y >= b && x.abs() - a <= y - b {
                0
            } else if -y >= b && x.abs() - a <= -y - b {
                2
            } else if x < 0 {
                3
            } else {
                1
            };
            counts[edge] += 1;
        }
        let facing = facing.or_else(|| {
            let first = unit.alive().next()?;
            self.table.stand_rect(unit, first).map(|rect| rect.facing)
        })?;
        let most = counts.iter().copied().max()?;
        let edge = [0, 3, 1, 2].into_iter().find(|&edge| counts[edge] == most)?;
        let away = facing.turned(match edge {
            0 => 1800,
            1 => 2700,
            2 => 0,
            _ => 900,
        });
        Some(super::super::geometry::ahead(away, distance))
    }

    /// A stand retreats along the rampart (BR-R106): up to a centimetre it stays and is free, by more it
    /// goes as many sections away as 4 cm go into the distance, or is lost.
    fn along_back(&mut self, id: UnitId, at: usize, enemy: ElementId, distance: i64, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| unit.along = None);
        if clerk.holds(rule!(BR_R106), distance <= 100) {
            return;
        }
        let refuge = self.table.unit(id).and_then(|unit| self.along_the_wall(id, unit, at, enemy, distance));
        match refuge {
            Some(place) => self.table.with_unit(id, |unit| unit.stands[at].place = place),
            None => self.kill(id, at, clerk),
        }
        self.spoil(id, clerk);
        self.tear(id);
        self.release();
    }

    /// Where a stand ends that goes along the wall away from an element.
    fn along_the_wall(
        &self,
        id: UnitId,
        unit: &Unit,
        at: usize,
        enemy: ElementId,
        distance: i64,
    ) -> Option<Place> {
        let (mut from, mut here) = (enemy, unit.stands.get(at)?.place.element()?);
        let mut left = (distance + 399) / 400;
        loop {
            let part = self.table.plan().element(here)?;
            let next = part.beside.into_iter().flatten().find(|&next| next != from)?;
            if !self.table.stands(next) {
                return None;
            }
            let place = self.table.looking(next, Look::In);
            if !self.table.is_wall(next) {
                let fits = self.table.fits(unit, place, UnitSet::default(), Keep::Contact).is_ok();
                return fits.then_some(place);
            }
            if self.table.on(next).any(|(other, _)| other != id) {
                return None;
            }
            left -= 1;
            if left <= 0 && self.table.on(next).next().is_none() {
                return Some(place);
            }
            (from, here) = (here, next);
        }
    }

    /// The winners take the place that was attacked (3.6).
    fn occupy(&mut self, winner: Side, distance: u8, clerk: &mut impl Clerk) {
        let posted: Vec<(UnitId, usize, Post)> = self
            .table
            .each()
            .filter(|(id, unit)| self.melee.units.has(*id) && unit.side == winner)
            .flat_map(|(id, unit)| {
                unit.alive().filter_map(move |at| Some((id, at, unit.stands[at].post?))).collect::<Vec<_>>()
            })
            .collect();
        let inside = posted.iter().any(|(_, _, post)| post.slot == Slot::Inner);
        let sections: Vec<ElementId> = posted.iter().map(|(_, _, post)| post.element).collect();
        if sections.iter().all(|&element| self.table.is_wall(element)) {
            if inside {
                self.beaten_from_inside(winner, &sections, distance, clerk);
            } else {
                self.driven_off(winner, distance, clerk);
            }
        }
        let look = if inside && winner == Side::Garrison { Look::Out } else { Look::In };
        for &(id, at, post) in &posted {
            self.take(id, at, post.element, look, clerk);
        }
        // Those who attacked a tower from the rampart beside it move in as well.
        let beside: Vec<(UnitId, ElementId)> = self
            .table
            .of_side(winner)
            .filter(|(id, _)| self.melee.units.has(*id))
            .filter_map(|(id, unit)| Some((id, unit.along.filter(|&element| !self.table.is_wall(element))?)))
            .collect();
        for &(id, tower) in &beside {
            let at = self.table.unit(id).and_then(|unit| self.fights_along(id, unit, &[]));
            if let Some((at, _)) = at {
                self.take(id, at, tower, look, clerk);
            }
            self.table.with_unit(id, |unit| unit.along = None);
        }
        let tower = !beside.is_empty() || sections.iter().any(|&element| !self.table.is_wall(element));
        let units: UnitSet = posted.iter().map(|(id, ..)| *id).collect();
        for id in (0..64).map(UnitId).filter(|id| units.has(*id)) {
            self.follow_up(id, look, clerk);
            self.tear(id);
        }
        self.release();
        // Who has taken a tower holds it, and goes no farther.
        if tower && !clerk.holds(rule!(BR_TOWERS_28), true) {
            self.steps.push(Step::Winner);
        }
    }

    /// A stand of the winners goes onto or into an element, if there is room.
    fn take(&mut self, id: UnitId, at: usize, element: ElementId, look: Look, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id) else { return };
        let side = unit.side;
        let there: usize = self.table.on(element).map(|(_, count)| count).sum();
        let free = self.table.stands(element)
            && there < self.table.capacity(element)
            && self.table.held_by(element) != Some(side.other())
            && self.table.may_enter(side, element);
        // Flyers never stay.
        if !free || clerk.holds(rule!(BR_FLYERS_02), unit.profile().arm == Arm::Flyer) {
            return;
        }
        let place = self.table.looking(element, look);
        self.table.with_unit(id, |unit| {
            unit.stands[at].place = place;
            unit.stands[at].post = None;
        });
        if let Some(works) = self.table.elements.get_mut(usize::from(element.0))
            && side == Side::Besieger
        {
            let lost = clerk.holds(rule!(BR_R58), works.oil);
            works.oil &= !lost;
        }
        self.seized(element, side);
    }

    /// Others of the unit follow those who went up: from a siege tower onto the sections beside, into a
    /// tower as many as fit; those behind close up to the foot.
    fn follow_up(&mut self, id: UnitId, look: Look, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let up: Vec<ElementId> = unit.alive().filter_map(|at| unit.stands[at].place.element()).collect();
        let below = || unit.alive().filter(|&at| unit.stands[at].place.element().is_none());
        let Some(&first) = up.first() else { return };
        if !self.table.is_wall(first) {
            for at in below() {
                self.take(id, at, first, look, clerk);
            }
            return;
        }
        if unit.machine.is_some() {
            let part = self.table.plan().element(first);
            let beside: Vec<ElementId> = part
                .into_iter()
                .flat_map(|part| part.beside)
                .flatten()
                .filter(|&next| self.table.is_wall(next) && self.table.on(next).next().is_none())
                .collect();
            for (at, next) in below().zip(beside) {
                self.take(id, at, next, look, clerk);
            }
            let left = self
                .table
                .unit(id)
                .is_some_and(|unit| unit.alive().any(|at| unit.stands[at].place.element().is_none()));
            if !left {
                self.table.with_unit(id, Unit::lose_item);
            }
            return;
        }
        // The rest stays at the foot, one rank nearer.
        let depth = unit.profile().base.1;
        for at in below() {
            let Place::Ground { front, facing } = unit.stands[at].place else { continue };
            let place =
                Place::Ground { front: super::super::geometry::beside(front, facing, 0, depth), facing };
            let current = self.table.unit(id).copied().unwrap_or(unit);
            let free = self.table.fits(&current, place, UnitSet::one(id), Keep::Contact).is_ok()
                && self.free_of_own(&current, at, place);
            if free && !self.table.is_whole(&current) {
                self.table.with_unit(id, |unit| unit.stands[at].place = place);
            }
        }
    }

    /// Defenders beaten by an assault leave their ramparts, whatever the distance (BR-R77).
    fn driven_off(&mut self, winner: Side, distance: u8, clerk: &mut impl Clerk) {
        let losers: Vec<UnitId> = self
            .table
            .of_side(winner.other())
            .filter(|(id, unit)| {
                let on_wall = |at: usize| matches!(unit.stands[at].place, Place::Rampart { .. });
                self.melee.units.has(*id) && unit.alive().any(on_wall)
            })
            .map(|(id, _)| id)
            .collect();
        for id in losers {
            let Some(unit) = self.table.unit(id).copied() else { continue };
            if clerk.holds(rule!(BC_8_4_02), unit.profile().arm == Arm::Artillery) {
                self.kill_all(id, clerk);
            } else {
                self.off_rampart(id, &unit, i64::from(distance.max(2)) * 100, clerk);
            }
        }
    }

    /// Holders of a rampart beaten from the courtyard: destroyed, or along the rampart (BR-R76).
    fn beaten_from_inside(
        &mut self,
        winner: Side,
        sections: &[ElementId],
        distance: u8,
        clerk: &mut impl Clerk,
    ) {
        let losers: Vec<(UnitId, usize)> = self
            .table
            .of_side(winner.other())
            .filter(|(id, _)| self.melee.units.has(*id))
            .flat_map(|(id, unit)| {
                unit.alive()
                    .filter(|&at| unit.stands[at].place.element().is_some_and(|on| sections.contains(&on)))
                    .map(move |at| (id, at))
                    .collect::<Vec<_>>()
            })
            .collect();
        let destroyed = self.table.options.beaten_from_inside == BeatenFromInside::Destroyed;
        let distance = i64::from(distance) * 100;
        for (id, at) in losers {
            let Some(unit) = self.table.unit(id).copied() else { continue };
            if clerk.holds(rule!(BR_R76), destroyed) {
                self.kill(id, at, clerk);
            } else if distance > 100 {
                let own = unit.stands[at].place.element();
                let part = own.and_then(|own| self.table.plan().element(own));
                let ways = part.map_or([None, None], |part| part.beside);
                let refuge = ways
                    .into_iter()
                    .flatten()
                    .find_map(|enemy| self.along_the_wall(id, &unit, at, enemy, distance));
                match refuge {
                    Some(place) => self.table.with_unit(id, |unit| unit.stands[at].place = place),
                    None => self.kill(id, at, clerk),
                }
                self.spoil(id, clerk);
            }
            self.tear(id);
        }
    }
}
