//! Rangers who start off the table (core 17, ruling BR-R100): held back while units are set up, brought on
//! by an order.

use kernel::{Clerk, Refusal, Verdict};
use rulebook::options::breach::Infiltration;
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;
use tabletop::geometry::{Facing, Point};

use crate::command::{self, OrderResult, Ordered, OrdersEnd};
use crate::forces;
use crate::lists::Line;
use crate::scenario::Side;
use crate::terms::Item;

use super::super::action::Action;
use super::super::ground::{Formation, Keep};
use super::super::moves::Mover;
use super::super::plan::{TABLE, Terrain};
use super::super::state::{Place, State, Unit, UnitId, UnitSet, cm};

impl State {
    /// Whether a unit may be held back: Rangers, one for each full thousand points.
    pub(super) fn check_hold_back(&self, id: UnitId) -> Verdict<()> {
        let refused = || Err(Refusal::rule(rule!(BR_R100), phrase::NO_INFILTRATION));
        let Some(unit) = self.table.unit(id) else { return refused() };
        let on = self.table.options.infiltration == Infiltration::On;
        let held =
            self.table.units.iter().filter(|other| other.side == unit.side && other.marks.held).count();
        let most = forces::ready(self.table.scenario, unit.side).points / 1_000;
        let full = i32::try_from(held).unwrap_or(i32::MAX) >= most;
        if rule!(BR_R100).holds(!on) || !unit.is_line(Line::Rangers) || full {
            return refused();
        }
        Ok(())
    }

    pub(super) fn hold_back(&mut self, id: UnitId) {
        self.table.with_unit(id, |unit| unit.marks.held = true);
        self.placed();
    }

    /// The places where held-back units might appear: dense ground, and every edge but the enemy's.
    pub(super) fn list_infiltrators(&self, into: &mut Vec<Action>) {
        let held = self.table.each().filter(|(_, unit)| unit.side == self.active && unit.marks.held);
        for (id, unit) in held {
            let mut poses: Vec<(Point, Facing)> = self
                .table
                .plan()
                .terrain
                .iter()
                .filter(|(kind, _)| matches!(kind, Terrain::Wood | Terrain::Broken))
                .map(|(_, ground)| (ground.centre, Facing::NORTH))
                .collect();
            for y in [2_000, 4_000, 6_000, 8_000, 10_000] {
                poses.push((Point::new(200, y), Facing::tenths(900)));
                poses.push((Point::new(TABLE.0 - 200, y), Facing::tenths(2700)));
            }
            for (front, facing) in poses {
                let (places, _) = self.table.template(unit, Formation::Line, front, facing);
                let places = places[..usize::from(unit.began)].to_vec();
                if into.len() < 120 && self.check_infiltrate(id, &places).is_ok() {
                    into.push(Action::Infiltrate { unit: id, places });
                }
            }
        }
    }

    /// Where held-back Rangers are after they have appeared.
    pub(super) fn check_infiltrate(&self, id: UnitId, places: &[Place]) -> Verdict<Unit> {
        let refused = || Refusal::rule(rule!(BR_R100), phrase::NO_INFILTRATION);
        if self.hand.commander.is_none() {
            return Err(Refusal::rule(rule!(BC_4_2_13), phrase::NOBODY_COMMANDS));
        }
        let unit = self.table.unit(id).filter(|unit| unit.side == self.active && unit.marks.held);
        let unit = unit.ok_or_else(refused)?;
        if places.len() != usize::from(unit.began) {
            return Err(Refusal::rule(rule!(BC_1_01), phrase::TOO_MANY_STANDS));
        }
        let mut after = *unit;
        for (stand, &place) in after.stands.iter_mut().zip(places) {
            if place.element().is_some() {
                return Err(refused());
            }
            stand.place = place;
        }
        let rects = || after.alive().filter_map(|at| self.table.ground_rect(&after, at));
        let dense = rects().all(|rect| {
            self.table.plan().terrain.iter().any(|(kind, ground)| {
                matches!(kind, Terrain::Wood | Terrain::Broken) && ground.holds(rect.centre)
            })
        });
        let edge = rects().any(|rect| {
            rect.corners.iter().any(|corner| {
                let own = match unit.side {
                    Side::Garrison => corner.y < 10,
                    Side::Besieger => corner.y > TABLE.1 - 10,
                };
                own || corner.x < 10 || corner.x > TABLE.0 - 10
            })
        });
        if rule!(BR_R100).holds(!dense && !edge) {
            return Err(refused());
        }
        let mover = Mover::new(&self.table, id, 0, UnitSet::default(), Keep::Away(10)).ok_or_else(refused)?;
        mover.ends(&after)?;
        let mut quiet = kernel::Desk::new(kernel::Scripted::new(&[]), kernel::Silent);
        let facts = [self.appearing(&after)?];
        let order = self.order_for(&facts)?;
        command::needed(&order, &self.table.options, &mut quiet)?;
        Ok(after)
    }

    /// The order to a unit that appears: distance and enemies at the place, no other penalty.
    fn appearing(&self, after: &Unit) -> Verdict<Ordered> {
        let from = self
            .hand
            .commander
            .and_then(|id| self.table.character(id))
            .and_then(|one| self.table.whereabouts(one));
        let Some(from) = from else {
            return Err(Refusal::rule(rule!(BC_4_2_13), phrase::NOBODY_COMMANDS));
        };
        Ok(Ordered {
            distance: cm(self.table.gap_to(from, after)),
            arm: after.profile().arm,
            lost_stands: 0,
            enemy_near: self
                .table
                .of_side(self.active.other())
                .any(|(_, enemy)| self.table.is_within(after, enemy, 2_000)),
            dense: false,
            item: Item::None,
        })
    }

    pub(super) fn infiltrate(&mut self, id: UnitId, places: &[Place], clerk: &mut impl Clerk) {
        let Ok(after) = self.check_infiltrate(id, places) else { return };
        let Some(commander) = self.hand.commander else { return };
        self.end_group(&[]);
        let obeyed = self.appearing(&after).and_then(|facts| {
            let facts = [facts];
            let order = self.order_for(&facts)?;
            command::give(&order, &self.table.options, clerk)
        });
        let Ok(obeyed) = obeyed else { return };
        if obeyed.result == OrderResult::Success {
            let before = self.table.unit(id).copied().unwrap_or(after);
            self.table.with_unit(id, |unit| {
                *unit = after;
                unit.marks.held = false;
                unit.orders = 1;
            });
            self.hand.group = vec![id];
            self.overrun(&before, &after);
        }
        self.after_order(obeyed.orders_end, commander);
        if obeyed.orders_end == OrdersEnd::No {
            return;
        }
        self.hand.group.clear();
    }
}
