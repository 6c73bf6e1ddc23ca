//! Who orders whom, and where the characters ride.

use kernel::Game;
use tabletop::geometry::Point;

use crate::command;
use crate::scenario::{Scenario, Side};
use crate::terms::Item;

use super::super::Action;
use super::super::profile::{Troop, profile};
use super::super::state::{Character, CharacterId, Step, Unit, UnitId, Whereabouts};
use super::purpose::Purpose;
use super::{AT_ONCE, NEVER, Staff};

/// Of a hundred throws of two dice so many show this or less; twelve is never a success.
const fn chance(needed: i32) -> i64 {
    match needed {
        i32::MIN..=1 => 0,
        2 => 3,
        3 => 8,
        4 => 17,
        5 => 28,
        6 => 42,
        7 => 58,
        8 => 72,
        9 => 83,
        10 => 92,
        _ => 97,
    }
}

/// An order that brings less is not given.
const WORTH_AN_ORDER: i64 = 15;
/// Of so many orders it is tried out what they would bring.
const MOST_TRIED: usize = 6;

impl Staff<'_> {
    /// Who speaks next: Heroes before the General, whose failure ends all orders; nobody who has nothing
    /// to say.
    pub(super) fn call(&self, id: CharacterId) -> i64 {
        let Some(one) = self.table.character(id) else { return NEVER };
        let best = self
            .own()
            .filter_map(|(unit, _)| Some((unit, self.state.may_order(id, &[unit]).ok()?)))
            .map(|(unit, needed)| self.urgency(unit) * chance(needed) / 100)
            .max()
            .unwrap_or(0);
        if best < WORTH_AN_ORDER {
            return -1;
        }
        if one.is_general() { best / 4 } else { best }
    }

    /// The order that promises most, and that there is a move for.
    pub(super) fn best_order<'o>(
        &self,
        orders: impl Iterator<Item = &'o Action>,
    ) -> Option<(i64, &'o Action)> {
        let mut orders: Vec<(i64, &Action, &[UnitId])> = orders
            .filter_map(|action| match action {
                Action::Order(units) => Some((self.order(units), action, &units[..])),
                _ => None,
            })
            .filter(|(worth, ..)| *worth > 0)
            .collect();
        orders.sort_by_key(|(worth, ..)| std::cmp::Reverse(*worth));
        let found =
            orders.into_iter().take(MOST_TRIED).find(|(_, _, units)| self.promise(units) >= WORTH_AN_ORDER);
        found.map(|(worth, action, _)| (worth, action))
    }

    /// What the best move of these would bring if the order were heard.
    fn promise(&self, units: &[UnitId]) -> i64 {
        let mut heard = self.state.clone();
        heard.hand.waiting = units.to_vec();
        heard.hand.half = false;
        heard.steps.push(Step::Move);
        let mut offered = Vec::new();
        heard.actions(self.side, &mut offered);
        Staff::of(self.side, &heard).best(&offered).map_or(0, |(worth, _)| worth)
    }

    /// What an order to these is worth: what each may gain, as likely as it is heard.
    fn order(&self, units: &[UnitId]) -> i64 {
        let Some(commander) = self.state.hand.commander else { return NEVER };
        let Ok(needed) = self.state.may_order(commander, units) else { return NEVER };
        // Those who have no purpose are not dragged along, and a brigade moves as its lowest unit does.
        let gains: Vec<i64> = units.iter().map(|&unit| self.urgency(unit)).collect();
        if gains.iter().any(|&gain| gain < WORTH_AN_ORDER) {
            return NEVER;
        }
        // Nobody enters a tower, or a fight for the works, in a brigade.
        let alone = |unit: &UnitId| {
            self.table.unit(*unit).is_some_and(|one| match self.purpose(*unit, one) {
                Purpose::Enter(..) => true,
                Purpose::Reach(goal) => self.is_siege() && self.table.gap_to(goal, one) < 2_500,
                _ => false,
            })
        };
        if units.len() > 1 && units.iter().any(alone) {
            return NEVER;
        }
        let together = if units.len() > 1 { 80 } else { 100 };
        gains.iter().sum::<i64>() * together / 100 * chance(needed) / 100
    }

    /// What a unit may gain by a move: the way to its purpose, or a fight it can reach.
    fn urgency(&self, id: UnitId) -> i64 {
        let Some(unit) = self.table.unit(id) else { return 0 };
        let purpose = self.purpose(id, unit);
        if purpose == Purpose::Stay && self.is_siege() {
            return 0;
        }
        let pace = self.state.allowance(unit).max(unit.paces().0) / 20;
        let way = match purpose {
            Purpose::Stay => 0,
            Purpose::Man => 120,
            Purpose::Enter(..) => pace + 60,
            _ => (-self.potential(unit, purpose)).clamp(0, pace),
        };
        way.max(self.prey(id, unit)) * self.weight(unit) / 100
    }

    /// Before a fortress time is short: those who will storm go first, machines follow as they can.
    fn weight(&self, unit: &Unit) -> i64 {
        if !self.is_siege() || self.side == Side::Garrison {
            return 100;
        }
        match unit.item {
            Item::Ladders => 200,
            Item::None if unit.profile().weapon.is_none() => 180,
            Item::PortableRam | Item::SiegeTower => 130,
            Item::Ram | Item::Sow => 80,
            Item::None | Item::Mantlets => 70,
        }
    }

    /// What the best charge within reach promises.
    fn prey(&self, id: UnitId, unit: &Unit) -> i64 {
        let reach = self.table.charge_pace(unit);
        self.enemies()
            .filter(|(_, enemy)| !self.table.is_on_works(enemy) && self.table.is_within(unit, enemy, reach))
            .map(|(enemy, _)| self.field(id, enemy))
            .max()
            .unwrap_or(0)
    }

    /// What it is worth that a character rides there, against staying.
    pub(super) fn ride(&self, id: CharacterId, to: Whereabouts) -> i64 {
        if to == Whereabouts::Out {
            // The General follows when enough are out.
            return if self.table.stands_out >= 3 { AT_ONCE } else { NEVER };
        }
        let stays = self.table.character(id).map_or(0, |one| self.seat(id, one.place));
        let gain = self.seat(id, to) - stays;
        if gain > 10 { gain } else { -1 }
    }

    /// What a place is worth to a character: near those he is to order, safe, and never alone.
    pub(super) fn seat(&self, id: CharacterId, place: Whereabouts) -> i64 {
        let Some(one) = self.table.character(id) else { return 0 };
        let Some(at) = self.table.whereabouts(&Character { place, ..*one }) else { return NEVER };
        let general = one.is_general();
        let safe = self.nearest_enemy(at).min(if general { 3_000 } else { 1_500 }) / 10;
        let company = match place {
            Whereabouts::With(unit) => self.table.unit(unit).map_or(0, |unit| {
                let exposed = unit.marks.engaged || self.table.gap_to(at, unit) > 0;
                30 * i64::from(unit.strength()) - if exposed { 60 } else { 0 }
            }),
            _ => -40,
        };
        let danger = if general { safe * 2 } else { safe };
        company + danger - self.distance_to_those_who_move(at) / 20 + self.towards_the_edge(one, at)
    }

    /// How far those are on the mean who have somewhere to go.
    fn distance_to_those_who_move(&self, at: Point) -> i64 {
        let movers = self.own().filter(|(id, unit)| self.purpose(*id, unit) != Purpose::Stay);
        let far: Vec<i64> = movers.map(|(_, unit)| self.table.gap_to(at, unit)).collect();
        far.iter().sum::<i64>() / i64::try_from(far.len()).unwrap_or(1).max(1)
    }

    /// Who breaks out takes his General along.
    fn towards_the_edge(&self, one: &Character, at: Point) -> i64 {
        let leaves = self.table.scenario == Scenario::Help && self.side == Side::Garrison && one.is_general();
        if leaves { at.y / 20 } else { 0 }
    }

    /// What a character adds where he fights.
    pub(super) fn bonus(&self, unit: UnitId) -> i64 {
        i64::from(self.table.bonus(unit))
    }

    /// Whether the General rides with a unit.
    pub(super) fn has_general(&self, unit: UnitId) -> bool {
        self.table.people().any(|(_, one)| {
            one.place == Whereabouts::With(unit)
                && profile(one.side.army(), Troop::Line(one.line)).character
                    == Some(command::Character::General)
        })
    }
}
