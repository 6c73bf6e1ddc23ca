//! Orders and their moves, and blunders (section 3.2 of the game page; sections 4.2 to 4.4 of the core
//! rules). What two dice must show comes from [`crate::command`].

use kernel::{Clerk, Desk, Event, Measure, Refusal, Scripted, Silent, Verdict};
use rulebook::options::breach::MachineOrders;
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;
use tabletop::geometry::{Facing, Point};

use crate::command::{self, Order, OrderResult, Ordered, OrdersEnd, Pace};
use crate::lists::Line;
use crate::scenario::{Scenario, Side};
use crate::terms::{Arm, Item};

use super::super::action::{Action, Charge, Move, Target};
use super::super::candidates;
use super::super::charge::Landed;
use super::super::geometry::shift;
use super::super::ground::{Boxed, Keep};
use super::super::moves::Mover;
use super::super::names;
use super::super::plan::{ElementId, TABLE};
use super::super::profile::{Troop, profile};
use super::super::state::{
    BlunderKind, Blundered, CharacterId, Look, Place, State, Step, Unit, UnitId, UnitSet,
};
use super::Opened;

impl Unit {
    /// Whether it gets its orders by itself only.
    fn is_ordered_alone(&self) -> bool {
        matches!(self.troop, Troop::Line(Line::Gyrocopter | Line::SteamTank)) || self.profile().engine
    }
}

impl State {
    // Orders: a character takes command and orders units until he fails or has done.

    pub(super) fn open_orders(&mut self) -> Opened {
        let able = self.hand.commander.is_some() || !self.commanders().is_empty();
        if able {
            return Opened::Ask(self.active);
        }
        self.next(Step::Characters)
    }

    fn commanders(&self) -> Vec<CharacterId> {
        let enemies = self.table.boxes(self.active.other());
        let obeys = |commander: CharacterId, from: Point, (id, unit): (UnitId, &Unit)| {
            self.fact(from, unit, &enemies).is_ok_and(|fact| self.needed(commander, &[id], &[fact]).is_ok())
        };
        self.speakers()
            .filter(|&(id, from)| {
                self.table.character(id).is_some_and(|one| !one.done)
                    && self.table.of_side(self.active).any(|unit| obeys(id, from, unit))
            })
            .map(|(id, _)| id)
            .collect()
    }

    pub(super) fn list_orders(&self, into: &mut Vec<Action>) {
        for (id, unit) in self.table.of_side(self.active) {
            if unit.item.moves_once() && unit.marks.moved_once && !unit.marks.engaged {
                into.push(Action::Abandon(id));
            }
        }
        let Some(commander) = self.hand.commander else {
            into.push(Action::EndOrders);
            into.extend(self.commanders().into_iter().map(Action::TakeCommand));
            return;
        };
        into.push(Action::Dismiss);
        let who = self.table.character(commander).filter(|one| one.side == self.active);
        let from = who.and_then(|one| self.table.whereabouts(one));
        // What each unit brings to an order is the same in every group.
        let known: Vec<(UnitId, Ordered)> = from.map_or_else(Vec::new, |from| {
            let own = self.table.of_side(self.active);
            let enemies = self.table.boxes(self.active.other());
            own.filter_map(|(id, unit)| Some((id, self.fact(from, unit, &enemies).ok()?))).collect()
        });
        let allowed = |units: &[UnitId]| {
            let fact = |id: &UnitId| known.iter().find(|(other, _)| other == id).map(|(_, fact)| *fact);
            let facts: Option<Vec<Ordered>> = units.iter().map(fact).collect();
            facts.is_some_and(|facts| self.needed(commander, units, &facts).is_ok())
        };
        for (id, unit) in self.table.of_side(self.active) {
            if unit.profile().engine {
                if unit.orders == 0 && allowed(&[id]) {
                    let facings = self.engine_facings(unit).into_iter();
                    let fits = facings.filter(|&facing| self.turned(id, unit, facing).is_ok());
                    into.extend(fits.map(|facing| Action::TurnEngine { unit: id, facing }));
                }
            } else if allowed(&[id]) {
                into.push(Action::Order(vec![id]));
            }
        }
        self.list_infiltrators(into);
        let beside = self.table.neighbours(self.active);
        let mut tried: Vec<(UnitSet, bool)> = Vec::new();
        let mut listed = into.len();
        for (id, _) in self.table.of_side(self.active) {
            let mut group = UnitSet::one(id);
            let mut around = beside.get(usize::from(id.0)).copied().unwrap_or_default();
            for _ in 1..4 {
                let Some(next) = around.without(group).first().filter(|_| listed < 120) else { break };
                group = group.with(next);
                around = around.and(beside.get(usize::from(next.0)).copied().unwrap_or_default());
                // From another of its units the same group counts again, and is there already.
                if let Some((_, allowed)) = tried.iter().find(|(known, _)| *known == group) {
                    listed += usize::from(*allowed);
                    continue;
                }
                let units: Vec<UnitId> = group.iter().collect();
                let alone = |id: &UnitId| self.table.unit(*id).is_some_and(Unit::is_ordered_alone);
                let allowed = !units.iter().any(alone) && allowed(&units);
                tried.push((group, allowed));
                if allowed {
                    listed += 1;
                    into.push(Action::Order(units));
                }
            }
        }
    }

    /// Whether two units can be ordered together: they touch, or stand on works that adjoin.
    fn joined(&self, one: UnitId, other: UnitId) -> bool {
        match (self.table.unit(one), self.table.unit(other)) {
            (Some(one), Some(other)) => self.table.units_touch(one, other),
            _ => false,
        }
    }

    /// The facings an engine might be turned to: the nearest enemies, the nearest elements.
    fn engine_facings(&self, unit: &Unit) -> Vec<Facing> {
        let Some(own) = unit.alive().next().and_then(|at| self.table.ground_rect(unit, at)) else {
            return Vec::new();
        };
        let mut facings: Vec<Facing> = self
            .table
            .plan()
            .each()
            .filter(|(id, _)| self.table.stands(*id))
            .map(|(_, part)| super::super::geometry::towards(own.front(), part.rect.centre))
            .take(3)
            .collect();
        facings.dedup();
        facings
    }

    /// The order as the rules of command have it, if it may be given.
    pub(crate) fn may_order(&self, commander: CharacterId, units: &[UnitId]) -> Verdict<i32> {
        self.needed(commander, units, &self.facts(commander, units)?)
    }

    fn needed(&self, commander: CharacterId, units: &[UnitId], facts: &[Ordered]) -> Verdict<i32> {
        let mut quiet = Desk::new(Scripted::new(&[]), Silent);
        let order = self.as_order(commander, units, facts)?;
        command::needed(&order, &self.table.options, &mut quiet)
    }

    fn facts(&self, commander: CharacterId, units: &[UnitId]) -> Verdict<Vec<Ordered>> {
        let who = self.table.character(commander).filter(|one| one.side == self.active);
        let from = who.and_then(|one| self.table.whereabouts(one));
        let Some(from) = from else { return Err(Refusal::rule(rule!(BC_4_2_13), phrase::NOBODY_COMMANDS)) };
        if rule!(BC_4_3_01).holds(units.is_empty() || units.len() > 4) {
            return Err(Refusal::rule(rule!(BC_4_3_01), rulebook::phrase::breach::BRIGADE_TOO_LARGE));
        }
        let mut facts = Vec::with_capacity(units.len());
        let enemies = self.table.boxes(self.active.other());
        for (place, &id) in units.iter().enumerate() {
            let unit = self.table.unit(id).filter(|unit| unit.side == self.active && unit.is_on_table());
            let Some(unit) = unit.filter(|_| !units[..place].contains(&id)) else {
                return Err(Refusal::rule(rule!(BC_4_2_14), phrase::NO_SUCH_UNIT));
            };
            facts.push(self.fact(from, unit, &enemies)?);
            if units.len() > 1 && unit.is_ordered_alone() {
                return Err(Refusal::rule(rule!(BC_4_3_03), phrase::NOT_TOGETHER));
            }
        }
        let mut linked = vec![units[0]];
        while linked.len() < units.len() {
            let next = units
                .iter()
                .copied()
                .find(|id| !linked.contains(id) && linked.iter().any(|&member| self.joined(member, *id)));
            let Some(next) = next else {
                return Err(Refusal::rule(rule!(BC_4_3_03), phrase::NOT_TOGETHER));
            };
            linked.push(next);
        }
        Ok(facts)
    }

    /// What an order to a unit depends on, if it can have one.
    fn fact(&self, from: Point, unit: &Unit, enemies: &[Boxed<'_>]) -> Verdict<Ordered> {
        let marks = &unit.marks;
        let closed = marks.engaged || marks.finished || unit.is_confused() || unit.rams_at().is_some();
        if rule!(BC_4_2_14).holds(closed) {
            return Err(Refusal::rule(rule!(BC_4_2_14), phrase::NO_ORDERS));
        }
        if rule!(BC_4_1_02).holds(marks.initiative) {
            return Err(Refusal::rule(rule!(BC_4_1_02), phrase::NO_ORDERS));
        }
        let once = self.table.options.machine_orders == MachineOrders::OnePerTurn;
        if unit.item.moves_once() && marks.moved_once && once {
            let rule = if unit.item == Item::PortableRam { rule!(BR_PORTABLE_RAM_04) } else { rule!(BR_R30) };
            if rule.holds(true) {
                return Err(Refusal::rule(rule, rulebook::phrase::breach::ONE_MOVE_A_TURN));
            }
        }
        Ok(Ordered {
            distance: super::super::state::cm(self.table.gap_to(from, unit)),
            arm: unit.profile().arm,
            lost_stands: i32::from(unit.lost()),
            enemy_near: self.table.is_any_near(unit, 2_000, enemies),
            dense: self.table.is_in_dense(unit) || rule!(BR_BREACHES_03).holds(self.table.is_in_breach(unit)),
            item: if marks.moved_once { unit.item } else { Item::None },
        })
    }

    fn as_order<'f>(
        &self,
        commander: CharacterId,
        units: &[UnitId],
        facts: &'f [Ordered],
    ) -> Verdict<Order<'f>> {
        let Some(who) = self.table.character(commander) else {
            return Err(Refusal::rule(rule!(BC_4_2_13), phrase::NOBODY_COMMANDS));
        };
        let own = profile(who.side.army(), Troop::Line(who.line));
        let most = |value: &dyn Fn(&Unit) -> u8| {
            units.iter().filter_map(|&id| self.table.unit(id)).map(value).max().unwrap_or(0)
        };
        Ok(Order {
            character: own.character.unwrap_or(command::Character::Hero),
            command: own.command,
            number: i32::from(most(&|unit: &Unit| unit.orders)) + 1,
            road: false,
            blunders: i32::from(most(&|unit: &Unit| unit.penalty)),
            units: facts,
        })
    }

    pub(super) fn check_order(&self, units: &[UnitId]) -> Verdict<()> {
        let Some(commander) = self.hand.commander else {
            return Err(Refusal::rule(rule!(BC_4_2_13), phrase::NOBODY_COMMANDS));
        };
        if units.iter().any(|&id| self.table.unit(id).is_some_and(|unit| unit.profile().engine)) {
            return Err(Refusal::rule(rule!(BR_R07), phrase::NEVER_MOVES));
        }
        self.may_order(commander, units).map(|_| ())
    }

    pub(super) fn check_turn_engine(&self, id: UnitId, facing: Facing) -> Verdict<()> {
        let Some(commander) = self.hand.commander else {
            return Err(Refusal::rule(rule!(BC_4_2_13), phrase::NOBODY_COMMANDS));
        };
        let Some(unit) = self.table.unit(id).filter(|unit| unit.profile().engine && unit.side == self.active)
        else {
            return Err(Refusal::rule(rule!(BR_R07), phrase::NO_SUCH_UNIT));
        };
        if unit.orders > 0 {
            return Err(Refusal::rule(rule!(BR_R07), phrase::NO_ORDERS));
        }
        self.may_order(commander, &[id])?;
        self.turned(id, unit, facing).map(|_| ())
    }

    /// An engine turned on the spot, about its centre.
    fn turned(&self, id: UnitId, unit: &Unit, facing: Facing) -> Verdict<Unit> {
        let mut after = *unit;
        for at in unit.alive() {
            if let Some(rect) = self.table.ground_rect(unit, at) {
                let depth = unit.profile().base.1;
                let (dx, dy) = super::super::geometry::ahead(facing, depth / 2);
                after.stands[at].place = Place::Ground { front: rect.centre.moved(dx, dy), facing };
            }
        }
        let mover = Mover::new(&self.table, id, 0, UnitSet::default(), Keep::Away(10));
        match mover {
            Some(mover) => mover.ends(&after).map(|()| after),
            None => Err(Refusal::rule(rule!(BR_R07), phrase::NO_SUCH_UNIT)),
        }
    }

    pub(super) fn take_command(&mut self, character: CharacterId) {
        self.hand.commander = Some(character);
        self.hand.group.clear();
    }

    pub(super) fn dismiss(&mut self) {
        self.end_group(&[]);
        if let Some(one) =
            self.hand.commander.take().and_then(|id| self.table.characters.get_mut(usize::from(id.0)))
        {
            one.done = true;
        }
    }

    pub(super) fn end_orders(&mut self) {
        self.hand.commander = None;
        self.next(Step::Characters);
    }

    /// Units of the former group that are not ordered again have done.
    pub(super) fn end_group(&mut self, units: &[UnitId]) {
        for id in std::mem::take(&mut self.hand.group) {
            if !units.contains(&id) {
                self.table.with_unit(id, |unit| unit.marks.finished = true);
            }
        }
    }

    /// Gives an order; how far they may move.
    fn given(&mut self, units: &[UnitId], clerk: &mut impl Clerk) -> Pace {
        let Some(commander) = self.hand.commander else { return Pace::None };
        let inside = units.iter().all(|id| self.hand.group.contains(id));
        if !inside {
            self.end_group(units);
        }
        let Ok(facts) = self.facts(commander, units) else { return Pace::None };
        let Ok(order) = self.as_order(commander, units, &facts) else { return Pace::None };
        let in_breach = |&id: &UnitId| self.table.unit(id).is_some_and(|unit| self.table.is_in_breach(unit));
        if units.iter().any(in_breach) {
            clerk.applied(rule!(BR_BREACHES_03));
        }
        let Ok(obeyed) = command::give(&order, &self.table.options, clerk) else { return Pace::None };
        for &id in units {
            self.table.with_unit(id, |unit| unit.orders += 1);
        }
        if !inside {
            self.hand.group = units.to_vec();
        }
        let names = units.iter().filter_map(|&id| self.table.unit(id)).map(names::unit).collect::<Vec<_>>();
        let who = self.table.character(commander).map_or_else(|| "".into(), names::person);
        clerk.happened(|| {
            Event::new(phrase::ORDER_GIVEN)
                .with("who", who)
                .with("units", Measure::Several(names))
                .with(
                    "obeyed",
                    match obeyed.result {
                        OrderResult::Success => phrase::OBEYED,
                        _ => phrase::NOT_OBEYED,
                    },
                )
                .with("needed", obeyed.needed)
        });
        self.after_order(obeyed.orders_end, commander);
        if obeyed.result != OrderResult::Success {
            for &id in units {
                self.table.with_unit(id, |unit| unit.marks.finished = true);
            }
        }
        if let Some(kind) = obeyed.blunder.and_then(BlunderKind::of) {
            self.steps.push(Step::Blunder(Blundered { kind, units: units.to_vec() }));
        }
        obeyed.pace
    }

    /// Whether he, or anybody, still gives orders.
    pub(super) fn after_order(&mut self, end: OrdersEnd, commander: CharacterId) {
        match end {
            OrdersEnd::No => {}
            OrdersEnd::Character => self.dismissed(commander),
            OrdersEnd::All => {
                let active = self.active;
                for one in self.table.characters.iter_mut().filter(|one| one.side == active) {
                    one.done = true;
                }
                self.hand.commander = None;
            }
        }
    }

    /// The first order of the character in command.
    pub(super) fn order_for<'f>(&self, facts: &'f [Ordered]) -> Verdict<Order<'f>> {
        let Some(commander) = self.hand.commander else {
            return Err(Refusal::rule(rule!(BC_4_2_13), phrase::NOBODY_COMMANDS));
        };
        self.as_order(commander, &[], facts)
    }

    fn dismissed(&mut self, commander: CharacterId) {
        if let Some(one) = self.table.characters.get_mut(usize::from(commander.0)) {
            one.done = true;
        }
        self.hand.commander = None;
    }

    pub(super) fn order(&mut self, units: &[UnitId], clerk: &mut impl Clerk) {
        let pace = self.given(units, clerk);
        if pace != Pace::None {
            self.hand.waiting = units.to_vec();
            self.hand.half = pace == Pace::Half;
            self.steps.push(Step::Move);
        }
    }

    pub(super) fn turn_engine(&mut self, id: UnitId, facing: Facing, clerk: &mut impl Clerk) {
        let success = self.given(&[id], clerk) == Pace::Full;
        let turned = self.table.unit(id).and_then(|unit| self.turned(id, unit, facing).ok());
        if let (true, Some(after)) = (success, turned) {
            let orders = self.table.unit(id).map_or(0, |unit| unit.orders);
            self.table.with_unit(id, |unit| {
                *unit = after;
                unit.orders = orders;
            });
        } else if clerk.holds(rule!(BR_R07), true) {
            self.table.with_unit(id, |unit| unit.marks.shot = true);
        }
    }

    pub(super) fn abandon(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| {
            let log = unit.item == Item::PortableRam;
            let kept =
                if log { clerk.rather(rule!(BR_PORTABLE_RAM_05), Item::None, unit.item) } else { Item::None };
            if kept == Item::None {
                unit.use_next();
            }
            unit.machine = None;
            unit.machine_hits = 0;
            unit.marks.moved_once = false;
            for stand in &mut unit.stands {
                stand.post = None;
            }
        });
    }

    // The move of an order: charges one at a time, then the rest together.

    pub(super) fn open_move(&mut self) -> Opened {
        let table = &self.table;
        self.hand.waiting.retain(|&id| table.unit(id).is_some_and(Unit::is_on_table));
        if self.hand.waiting.is_empty() {
            return self.over();
        }
        Opened::Ask(self.active)
    }

    pub(super) fn list_move(&self, into: &mut Vec<Action>) {
        into.push(Action::Halt);
        for &id in &self.hand.waiting {
            let Some(unit) = self.table.unit(id) else { continue };
            if self.check_exit(id).is_ok() {
                into.push(Action::Exit(id));
            }
            if unit.item.moves_once() {
                into.push(Action::Abandon(id));
            }
            if !self.hand.half {
                let pace = self.table.charge_reach(unit);
                let Some(mut charger) = self.table.charger(id, pace).map(Mover::briefly) else { continue };
                for target in self.targets(unit, pace, &self.table.enemies_within(unit, pace)) {
                    let charge = Charge { unit: id, target, extra: Vec::new(), envelop: true };
                    if into.len() < 60 && self.table.charge_of(&mut charger, &charge).is_ok() {
                        into.push(Action::Charge(charge));
                    }
                }
            }
            for elements in candidates::runs(&self.table, unit) {
                if into.len() < 70 && self.check_climb(id, &elements).is_ok() {
                    into.push(Action::Climb { unit: id, elements });
                }
            }
        }
        let mut enough = into.len();
        let marchers: Vec<Mover<'_>> = self.marchers().into_iter().map(Mover::briefly).collect();
        candidates::marches(self, &mut |moves| {
            if self.march_of(&marchers, &moves).is_ok() {
                into.push(Action::March(moves));
                enough += 1;
            }
            enough < 94
        });
    }

    /// The units of the order, about to march: the same for each of their marches.
    fn marchers(&self) -> Vec<Mover<'_>> {
        let moving: UnitSet = self.hand.waiting.iter().copied().collect();
        let waiting = self.hand.waiting.iter();
        waiting
            .filter_map(|&id| {
                let allowance = self.allowance(self.table.unit(id)?);
                Mover::new(&self.table, id, allowance, moving, Keep::Away(10))
            })
            .collect()
    }

    /// How far a unit of the order may march.
    pub(crate) fn allowance(&self, unit: &Unit) -> i64 {
        let half = self.hand.half || rule!(BC_12_07).holds(unit.marks.dread);
        Mover::march_allowance(&self.table, unit, half)
    }

    pub(super) fn check_march(&self, moves: &[Move]) -> Verdict<Vec<(UnitId, Unit)>> {
        self.march_of(&self.marchers(), moves)
    }

    fn march_of(&self, marchers: &[Mover<'_>], moves: &[Move]) -> Verdict<Vec<(UnitId, Unit)>> {
        let moving: UnitSet = self.hand.waiting.iter().copied().collect();
        let mut ends: Vec<(UnitId, Unit)> = Vec::with_capacity(marchers.len());
        for step in moves {
            let fresh = !ends.iter().any(|(id, _)| *id == step.unit);
            let Some(mover) = marchers.iter().find(|mover| mover.id == step.unit && fresh) else {
                return Err(Refusal::rule(rule!(BC_4_3_04), phrase::NO_SUCH_UNIT));
            };
            ends.push((step.unit, mover.check(step)?));
        }
        for &id in &self.hand.waiting {
            if let Some(unit) = self.table.unit(id).filter(|_| !ends.iter().any(|(other, _)| *other == id)) {
                ends.push((id, *unit));
            }
        }
        // Those who march together were left out of each other's checks.
        for (k, (_, one)) in ends.iter().enumerate() {
            for (_, two) in ends.iter().skip(k + 1) {
                let clash = self.table.bases(one).any(|a| self.table.bases(two).any(|b| a.overlaps(&b)));
                let crowd = self.table.plan().each().any(|(element, _)| {
                    let there = |unit: &Unit| {
                        unit.alive().filter(|&at| unit.stands[at].place.element() == Some(element)).count()
                    };
                    let others: usize = self
                        .table
                        .on(element)
                        .filter(|(id, _)| !moving.has(*id))
                        .map(|(_, count)| count)
                        .sum();
                    there(one) + there(two) > 0
                        && there(one) + there(two) + others > self.table.capacity(element)
                });
                if clash || crowd {
                    return Err(Refusal::rule(rule!(BC_5_2_01), phrase::OCCUPIED).with("unit", two.name()));
                }
            }
        }
        if ends.len() > 1 {
            let mut linked = vec![0];
            while linked.len() < ends.len() {
                let next = (0..ends.len()).find(|k| {
                    !linked.contains(k)
                        && linked.iter().any(|&l: &usize| self.table.units_touch(&ends[l].1, &ends[*k].1))
                });
                let Some(next) = next else {
                    if rule!(BC_4_3_04).holds(true) {
                        return Err(Refusal::rule(rule!(BC_4_3_04), phrase::BRIGADE_APART));
                    }
                    break;
                };
                linked.push(next);
            }
        }
        Ok(ends)
    }

    pub(super) fn march(&mut self, moves: &[Move], clerk: &mut impl Clerk) {
        let ends = self.check_march(moves).unwrap_or_default();
        if ends.len() > 1 {
            clerk.applied(rule!(BC_4_3_04));
        }
        self.over();
        for (id, after) in ends {
            let before = self.table.unit(id).copied();
            for (rule, acts) in [
                (rule!(BR_RAMPARTS_01), after.is_on_levels()),
                (rule!(BR_RAMPARTS_02), before.is_some_and(|unit| unit.is_on_levels())),
                (rule!(BR_PORTABLE_RAM_02), after.item == Item::PortableRam),
                (rule!(BC_5_1_02), before.is_some_and(|unit| !self.table.is_orderly(&unit))),
            ] {
                if acts {
                    clerk.applied(rule);
                }
            }
            self.table.with_unit(id, |unit| {
                let moved = unit.stands != after.stands || unit.machine != after.machine;
                *unit = after;
                unit.marks.moved_once |= moved && unit.item.moves_once();
            });
            if let Some(before) = before {
                self.overrun(&before, &after);
            }
            self.spoil(id, clerk);
        }
        self.hand.waiting.clear();
    }

    fn in_order(&self, id: UnitId) -> Verdict<&Unit> {
        let unit = self.table.unit(id).filter(|_| self.hand.waiting.contains(&id));
        unit.ok_or_else(|| Refusal::rule(rule!(BC_4_3_04), phrase::NO_SUCH_UNIT))
    }

    pub(super) fn check_charge(&self, charge: &Charge) -> Verdict<Landed> {
        let unit = self.in_order(charge.unit)?;
        if rule!(BC_4_2_11).holds(self.hand.half) {
            return Err(Refusal::rule(rule!(BC_4_2_11), phrase::NO_CHARGE_AFTER_FAILURE));
        }
        self.table.charge(charge, self.table.charge_reach(unit))
    }

    pub(super) fn charge(&mut self, charge: &Charge, clerk: &mut impl Clerk) {
        let landed = self.check_charge(charge);
        self.hand.waiting.retain(|&id| id != charge.unit);
        if let Ok(landed) = landed {
            self.land(charge, &landed, clerk);
        }
    }

    // Climbing onto empty sections.

    pub(super) fn check_climb(&self, id: UnitId, elements: &[ElementId]) -> Verdict<Unit> {
        let unit = self.in_order(id)?;
        let able = unit.item == Item::Ladders || (unit.item == Item::SiegeTower && unit.is_posted());
        if rule!(BR_R103).holds(!able || unit.profile().arm != Arm::Infantry) {
            return Err(Refusal::rule(rule!(BR_R103), phrase::NO_CLIMBING));
        }
        let chained = elements.windows(2).all(|pair| {
            self.table.plan().element(pair[0]).is_some_and(|part| part.beside.contains(&Some(pair[1])))
        });
        if elements.is_empty() || elements.len() > 3 || !chained {
            return Err(Refusal::rule(rule!(BR_R103), phrase::NOT_ADJOINING));
        }
        let allowance = self.allowance(unit);
        let mut after = *unit;
        let mut left: Vec<usize> =
            unit.alive().filter(|&at| unit.stands[at].place.element().is_none()).collect();
        for &element in elements {
            let free = self.table.is_wall(element)
                && self.table.stands(element)
                && self.table.on(element).next().is_none();
            if rule!(BC_14_1_04).holds(!free) {
                return Err(Refusal::rule(rule!(BC_14_1_04), phrase::SECTION_NOT_EMPTY));
            }
            let Some(rect) = self.table.works_rect(element) else { continue };
            let nearest = left
                .iter()
                .copied()
                .filter_map(|at| {
                    Some((self.table.ground_rect(unit, at)?.centre.gap_to(rect.centre).rounded(), at))
                })
                .min();
            let Some((travel, at)) = nearest else {
                return Err(Refusal::rule(rule!(BR_R103), phrase::NO_CLIMBING));
            };
            let outside =
                self.table.ground_rect(unit, at).is_some_and(|own| !self.table.is_inside(own.centre));
            if rule!(BC_5_2_02).holds(travel > allowance) || !outside {
                return Err(Refusal::rule(rule!(BC_5_2_02), phrase::TOO_FAR)
                    .with("travel", super::super::state::cm(travel))
                    .with("most", super::super::state::cm(allowance)));
            }
            left.retain(|&other| other != at);
            after.stands[at].place = Place::Rampart { element, look: Look::In };
            after.stands[at].post = None;
        }
        if left.is_empty() {
            after.machine = None;
            if after.item.is_machine() {
                after.use_next();
            }
        }
        for at in after.alive() {
            after.stands[at].post = None;
        }
        if rule!(BC_1_01).holds(!self.table.is_whole(&after)) {
            return Err(Refusal::rule(rule!(BC_1_01), phrase::APART));
        }
        Ok(after)
    }

    pub(super) fn climb(&mut self, id: UnitId, elements: &[ElementId]) {
        if let Ok(after) = self.check_climb(id, elements) {
            self.table.with_unit(id, |unit| {
                *unit = after;
                unit.marks.finished = true;
                unit.marks.moved_once |= unit.item.moves_once();
            });
            for &element in elements {
                if let Some(works) = self.table.elements.get_mut(usize::from(element.0)) {
                    works.oil = false;
                }
            }
        }
        self.hand.waiting.retain(|&other| other != id);
    }

    // Out by the exit edge of the second scenario.

    fn check_exit(&self, id: UnitId) -> Verdict<()> {
        let unit = self.in_order(id)?;
        let refused = || Err(Refusal::rule(rule!(BR_SCENARIO_2_12), phrase::NO_EXIT));
        if self.table.scenario != Scenario::Help || unit.side != Side::Garrison {
            return refused();
        }
        let allowance = self.allowance(unit);
        let Some(mover) = Mover::new(&self.table, id, allowance, UnitSet::default(), Keep::Away(10)) else {
            return refused();
        };
        let crosses = unit.alive().filter_map(|at| self.table.ground_rect(unit, at)).any(|rect| {
            let front = rect.corners.iter().map(|corner| corner.y).max().unwrap_or(0);
            let needed = TABLE.1 - front + 1;
            needed <= allowance && {
                let to = rect.centre.moved(0, needed);
                mover.path(rect.centre, to).is_some_and(|way| way.is_empty())
            }
        });
        if crosses { Ok(()) } else { refused() }
    }

    pub(super) fn exit(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        self.hand.waiting.retain(|&other| other != id);
        let mut out = 0;
        self.table.with_unit(id, |unit| {
            for stand in &mut unit.stands {
                if stand.place.is_on_table() {
                    stand.place = Place::Out;
                    stand.post = None;
                    out += 1;
                }
            }
        });
        self.table.stands_out += out;
        let gone: Vec<CharacterId> = self
            .table
            .people()
            .filter(|(_, one)| one.place == super::super::state::Whereabouts::With(id))
            .map(|(id, _)| id)
            .collect();
        for character in gone {
            if let Some(one) = self.table.characters.get_mut(usize::from(character.0)) {
                one.place = super::super::state::Whereabouts::Out;
            }
        }
        self.message_out(clerk);
    }

    // Blunders.

    pub(super) fn open_blunder(&mut self, blunder: &Blundered) -> Opened {
        if blunder.units.is_empty() {
            return self.over();
        }
        Opened::Ask(self.active)
    }

    pub(super) fn blunder_choice(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(Step::Blunder(mut blunder)) = self.steps.pop() else { return };
        blunder.units.retain(|&other| other != id);
        match blunder.kind {
            BlunderKind::Penalty => {
                let more = clerk.modifier(rule!(BC_4_4_03), 1);
                self.table.with_unit(id, |unit| {
                    unit.penalty = unit.penalty.saturating_add(u8::try_from(more).unwrap_or(0));
                });
                blunder.units.clear();
            }
            BlunderKind::Away => self.out_of_the_way(id),
            BlunderKind::Onwards => {
                if !blunder.units.is_empty() {
                    self.steps.push(Step::Blunder(blunder));
                }
                self.onwards(id, clerk);
                return;
            }
        }
        if !blunder.units.is_empty() {
            self.steps.push(Step::Blunder(blunder));
        }
    }

    /// The shortest way out of reach of all enemies, straight away from the closest.
    fn out_of_the_way(&mut self, id: UnitId) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let pace = unit.reach();
        let seen = self.table.closest(&unit, pace, super::super::sight::Aim::Charge);
        let Some(enemy) = seen.first().and_then(|(_, enemy)| self.table.unit(*enemy)) else { return };
        let centre = |unit: &Unit| unit.alive().filter_map(|at| self.table.stand_rect(unit, at)).next();
        let (Some(from), Some(own)) = (centre(enemy), centre(&unit)) else { return };
        let mut best = None;
        for distance in (1..=pace / 100).map(|step| step * 100) {
            let by = shift(from.centre, own.centre, own.facing, distance);
            if let Ok(after) = self.shifted(id, &unit, by, Keep::Away(10)) {
                best = Some(after);
                if self.table.enemies_within(&after, pace).is_empty() {
                    break;
                }
            }
        }
        if let Some(after) = best {
            self.table.with_unit(id, |unit| *unit = after);
            self.overrun(&unit, &after);
        }
    }

    /// A charge at the nearest enemy, or straight towards him.
    fn onwards(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let seen = self.table.closest(&unit, i64::from(i16::MAX), super::super::sight::Aim::Charge);
        let Some(&(_, enemy)) = seen.first() else { return };
        let charge = Charge { unit: id, target: Target::Unit(enemy), extra: Vec::new(), envelop: false };
        if let Ok(landed) = self.table.charge(&charge, self.table.charge_reach(&unit)) {
            self.land(&charge, &landed, clerk);
            return;
        }
        let centre = |unit: &Unit| unit.alive().filter_map(|at| self.table.stand_rect(unit, at)).next();
        let (Some(to), Some(own)) = (self.table.unit(enemy).and_then(centre), centre(&unit)) else { return };
        let Some(mover) = Mover::new(&self.table, id, unit.reach(), UnitSet::default(), Keep::Away(100))
        else {
            return;
        };
        let mut distance = unit.reach();
        while distance > 0 {
            let by = shift(own.centre, to.centre, own.facing, distance);
            if let Some(step) = candidates::rigid(id, &unit, by)
                && let Ok(after) = mover.check(&step)
            {
                self.table.with_unit(id, |unit| *unit = after);
                self.overrun(&unit, &after);
                return;
            }
            distance -= 100;
        }
    }
}
