//! The Combat phase before the blows (section 3.4 of the game page): digging, the next fight or ramming
//! attempt, through the opening, and who defends which side of a tower.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::breach::{AttackAllocation, EarthworkRemovalPhase, RamAdvance};
use rulebook::phrase::breach_game as phrase;
use rulebook::rule;

use crate::bombard::Element;
use crate::earthworks::{self, Diggers};
use crate::oil::Means;
use crate::ram;
use crate::scenario::Side;
use crate::terms::Item;

use super::super::action::{Action, Charge, Move, Target};
use super::super::candidates::rigid;
use super::super::charge::Landed;
use super::super::geometry::ahead;
use super::super::ground::Keep;
use super::super::moves::Mover;
use super::super::plan::ElementId;
use super::super::state::{Melee, Place, Ramming, State, Step, Unit, UnitId, UnitSet, WorkId};
use super::Opened;
use super::reaction::small;

/// A tower, how many of its sides are attacked, and the stands in it.
type TowerFight = (ElementId, usize, Vec<(UnitId, usize)>);

impl State {
    // Digging at earthworks.

    fn diggers(&self, side: Side) -> Vec<(UnitId, Vec<(u8, WorkId)>)> {
        let mut found = Vec::new();
        for (id, unit) in self.table.of_side(side) {
            if unit.marks.worked || unit.marks.engaged {
                continue;
            }
            let mut works = Vec::new();
            for at in unit.alive() {
                let Some(rect) = self.table.ground_rect(unit, at) else { continue };
                let touched = self.table.standing_works().find(|(_, work)| work.touches(&rect));
                if let (Some((work, _)), Ok(stand)) = (touched, u8::try_from(at))
                    && let Ok(work) = u8::try_from(work)
                {
                    works.push((stand, WorkId(work)));
                }
            }
            if !works.is_empty() && self.check_dig(side, id, &works).is_ok() {
                found.push((id, works));
            }
        }
        found
    }

    pub(super) fn open_dig(&mut self, side: Side) -> Opened {
        if !self.diggers(side).is_empty() {
            return Opened::Ask(side);
        }
        self.after_dig(side)
    }

    fn after_dig(&mut self, side: Side) -> Opened {
        let both = self.table.options.earthwork_removal_phase != EarthworkRemovalPhase::OwnTurn;
        if both && side == self.active {
            return self.next(Step::Dig(side.other()));
        }
        for unit in &mut self.table.units {
            unit.marks.worked = false;
        }
        self.next(Step::Fights)
    }

    pub(super) fn list_dig(&self, side: Side, into: &mut Vec<Action>) {
        into.push(Action::EndDig);
        into.extend(self.diggers(side).into_iter().map(|(unit, works)| Action::Dig { unit, works }));
    }

    pub(super) fn check_dig(&self, side: Side, id: UnitId, works: &[(u8, WorkId)]) -> Verdict<()> {
        let unit =
            self.table.unit(id).filter(|unit| unit.side == side && unit.is_on_table() && !unit.marks.worked);
        let Some(unit) = unit else {
            return Err(Refusal::rule(rule!(BR_EARTHWORKS_12), phrase::NO_SUCH_UNIT));
        };
        let diggers =
            Diggers { arm: unit.profile().arm, engaged: unit.marks.engaged, own_turn: side == self.active };
        earthworks::may_dig(&diggers, &self.table.options)?;
        let mut known = 0_u8;
        for &(stand, work) in works {
            let bit = 1_u8.checked_shl(stand.into()).unwrap_or(0);
            let rect = unit
                .alive()
                .find(|&at| at == usize::from(stand) && known & bit == 0)
                .and_then(|at| self.table.ground_rect(unit, at));
            known |= bit;
            let touches = self
                .table
                .standing_works()
                .any(|(at, base)| at == usize::from(work.0) && rect.is_some_and(|rect| rect.touches(&base)));
            if rule!(BR_EARTHWORKS_13).holds(!touches) {
                return Err(Refusal::rule(rule!(BR_EARTHWORKS_13), phrase::WORK_NOT_TOUCHED));
            }
        }
        if works.is_empty() {
            return Err(Refusal::rule(rule!(BR_EARTHWORKS_13), phrase::WORK_NOT_TOUCHED));
        }
        Ok(())
    }

    pub(super) fn dig(&mut self, id: UnitId, works: &[(u8, WorkId)], clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        for &(stand, work) in works {
            if earthworks::dig(unit.attack(usize::from(stand)), clerk)
                && let Some(section) = self.table.earthworks.get_mut(usize::from(work.0))
                && section.standing
            {
                section.standing = false;
                clerk.happened(|| Event::new(phrase::WORK_REMOVED));
            }
        }
        self.table.with_unit(id, |unit| unit.marks.worked = true);
    }

    pub(super) fn end_dig(&mut self) {
        if let Some(Step::Dig(side)) = self.steps.last() {
            let side = *side;
            self.after_dig(side);
        }
    }

    // The next fight or attempt.

    pub(super) fn list_fights(&self, into: &mut Vec<Action>) {
        let touches = self.table.contacts();
        let mut known = UnitSet::default();
        for (id, unit) in self.table.each() {
            if unit.is_on_table() && unit.marks.engaged && !unit.marks.fought && !known.has(id) {
                let units = self.table.engagement(id, &touches);
                if units == UnitSet::one(id) {
                    continue;
                }
                let fresh = self.table.each().all(|(other, unit)| !units.has(other) || !unit.marks.fought);
                known = UnitSet(known.0 | units.0);
                if fresh {
                    into.push(Action::Fight(id));
                }
            }
        }
        for (id, unit) in self.table.of_side(self.active) {
            if self.active == Side::Besieger && self.may_ram(unit) {
                into.extend([Action::Ram(id), Action::WaiveRam(id)]);
            }
        }
    }

    fn may_ram(&self, unit: &Unit) -> bool {
        let Some(element) = unit.rams_at().filter(|&element| self.table.stands(element)) else {
            return false;
        };
        let attempt = ram::Attempt {
            unit: self.rammers(unit),
            own_turn: unit.side == self.active,
            confused: unit.is_confused(),
            engaged: unit.marks.engaged,
        };
        !unit.marks.worked && ram::may_try(&attempt).is_ok() && self.table.stands(element)
    }

    fn rammers(&self, unit: &Unit) -> crate::oil::Below {
        crate::oil::Below {
            means: if unit.machine.is_some() { Means::Ram } else { Means::PortableRam },
            stands: i32::from(unit.strength()),
            hits: unit.profile().hits,
            armour: unit.profile().armour,
            earlier_hits: 0,
        }
    }

    pub(super) fn open_fights(&mut self) -> Opened {
        self.melee = Melee::default();
        let mut list = Vec::new();
        self.list_fights(&mut list);
        if list.is_empty() {
            return self.next(Step::Reform(self.active));
        }
        Opened::Ask(self.active)
    }

    pub(super) fn fight(&mut self, id: UnitId) {
        let touches = self.table.contacts();
        self.melee = Melee { units: self.table.engagement(id, &touches), round: 1, ..Melee::default() };
        self.begin_round();
    }

    /// A round: stands of a tower are assigned, owners name whom they strike where that is theirs to say.
    pub(super) fn begin_round(&mut self) {
        self.melee.named.clear();
        self.steps.push(Step::Round);
        if rule!(BR_R81).holds(self.table.options.attack_allocation == AttackAllocation::Chosen) {
            self.steps.push(Step::Strikes(self.active));
        }
        self.steps.push(Step::Assign);
    }

    /// The first round of a fight and nothing that follows from it: for those who weigh it. Nothing where
    /// stands of a tower must be assigned first.
    pub(crate) fn first_round(&self, id: UnitId, clerk: &mut impl Clerk) -> Option<Self> {
        let mut then = self.clone();
        then.fight(id);
        if let Opened::Ask(_) = then.open_assign() {
            return None;
        }
        if let Some(Step::Strikes(_)) = then.steps.last() {
            then.over();
        }
        then.round(clerk);
        Some(then)
    }

    // Ramming.

    pub(super) fn ram(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(element) = self.table.unit(id).and_then(Unit::rams_at) else { return };
        // Those above shoot or pour; they strike no blow.
        clerk.applied(rule!(BR_RAMMING_14));
        let ramming = Ramming {
            unit: id,
            element,
            reacted: UnitSet::default(),
            poured: false,
            hits: 0,
            declared: [None; 4],
            resolving: false,
            failed: false,
        };
        self.table.with_unit(id, |unit| unit.marks.worked = true);
        self.steps.push(Step::RamReaction(ramming));
    }

    pub(super) fn ram_test(&mut self, ramming: Ramming, clerk: &mut impl Clerk) -> Opened {
        self.over();
        let Some(unit) = self.table.unit(ramming.unit).copied().filter(|unit| unit.rams_at().is_some())
        else {
            return Opened::Done;
        };
        let at = usize::from(ramming.element.0);
        let Some(works) = self.table.elements.get(at).copied().filter(|works| !works.down) else {
            return Opened::Done;
        };
        let structure = self.part_kind(ramming.element);
        let leaf = structure == Element::GateTower && !works.leaf_down && clerk.holds(rule!(BR_R99), true);
        let (kind, dice) = if leaf { (Element::Gate, works.leaf_dice) } else { (structure, works.dice) };
        let resistance = kind.resistance(&self.table.options, clerk);
        let below = self.rammers(&unit);
        let before = ram::untouched(&below);
        let rammed = ram::attempt(&below, before, resistance, dice.into(), &self.table.options, clerk);
        match rammed.attempt {
            ram::Ended::Destroyed => {
                if leaf {
                    self.leaf_falls(ramming.element, clerk);
                    self.table.with_unit(ramming.unit, |unit| {
                        for stand in &mut unit.stands {
                            stand.post = None;
                        }
                    });
                } else {
                    self.collapse(ramming.element, clerk);
                }
                if clerk.holds(rule!(BR_RAMMING_05), true) {
                    self.steps.push(Step::RamAdvance(ramming.unit));
                }
            }
            ram::Ended::Failed => {
                if let Some(works) = self.table.elements.get_mut(at) {
                    let dice = small(rammed.destruction_dice);
                    if leaf { works.leaf_dice = dice } else { works.dice = dice }
                }
                if rammed.back_cm > 0 {
                    self.steps.push(Step::Repel(ramming.unit, small(rammed.back_cm)));
                }
            }
            ram::Ended::Abandoned => {}
        }
        Opened::Done
    }

    /// Where the rammers would charge through the opening.
    pub(super) fn check_ram_advance(&self, id: UnitId, charge: &Charge) -> Verdict<Landed> {
        let Some(unit) = self.table.unit(id).filter(|_| charge.unit == id) else {
            return Err(Refusal::rule(rule!(BR_RAMMING_06), phrase::NO_SUCH_UNIT));
        };
        if !matches!(charge.target, Target::Unit(_)) {
            return Err(Refusal::rule(rule!(BR_RAMMING_06), phrase::NOT_THIS_WAY));
        }
        // The ram is left first.
        let mut table = self.table.clone();
        table.with_unit(id, Unit::lose_item);
        let landed = table.charge(charge, 2_000)?;
        self.nearest_only(unit, charge, &landed)?;
        Ok(landed)
    }

    /// An advance goes for the closest visible enemy.
    pub(super) fn nearest_only(&self, unit: &Unit, charge: &Charge, landed: &Landed) -> Verdict<()> {
        let seen = self.table.closest(unit, 2_000, super::super::sight::Aim::Charge);
        let Target::Unit(target) = charge.target else { return Ok(()) };
        let closest = seen.iter().any(|(_, id)| *id == target || landed.charged.has(*id));
        if rule!(BC_8_5_04).holds(!closest && !seen.is_empty()) {
            return Err(Refusal::rule(rule!(BC_8_5_04), phrase::OUT_OF_REACH));
        }
        Ok(())
    }

    pub(super) fn open_ram_advance(&mut self, id: UnitId) -> Opened {
        let mut list = Vec::new();
        self.list_ram_advance(id, &mut list);
        match self.table.unit(id) {
            Some(unit) if list.len() > 1 => Opened::Ask(unit.side),
            _ => self.over(),
        }
    }

    pub(super) fn list_ram_advance(&self, id: UnitId, into: &mut Vec<Action>) {
        into.push(Action::RamAdvance(None));
        let Some(unit) = self.table.unit(id) else { return };
        for (_, enemy) in self.table.enemies_within(unit, 2_000) {
            let charge = Charge { unit: id, target: Target::Unit(enemy), extra: Vec::new(), envelop: false };
            if self.check_ram_advance(id, &charge).is_ok() {
                into.push(Action::RamAdvance(Some(charge)));
            }
        }
        let facing = unit.alive().find_map(|at| self.table.ground_rect(unit, at)).map(|rect| rect.facing);
        let light = Unit { item: Item::None, machine: None, ..*unit };
        for distance in [2_000, 1_500, 1_000, 500] {
            let step = facing.and_then(|facing| rigid(id, &light, ahead(facing, distance)));
            if let Some(step) = step.filter(|step| self.check_ram_march(id, step).is_ok()) {
                into.push(Action::RamMarch(step));
            }
        }
    }

    pub(super) fn ram_advance(&mut self, charge: Option<&Charge>, clerk: &mut impl Clerk) {
        self.over();
        let Some(charge) = charge else { return };
        let landed = self.check_ram_advance(charge.unit, charge);
        self.table.with_unit(charge.unit, Unit::lose_item);
        if let Ok(landed) = landed {
            let free = self.table.options.ram_advance == RamAdvance::FreeMoveWithBonus;
            let bonus = clerk.holds(rule!(BR_R21), free) && clerk.holds(rule!(BR_RAMMING_06), true);
            self.steps.push(Step::Charged(charge.unit));
            self.land(charge, &landed, clerk);
            // It fights in the second round, with the bonus of a charge, and advances no further.
            self.table.with_unit(charge.unit, |unit| {
                unit.marks.advanced = true;
                unit.marks.charged = bonus;
            });
        }
    }

    /// Where the rammers end who move through the opening without a charge.
    pub(super) fn check_ram_march(&self, id: UnitId, step: &Move) -> Verdict<Unit> {
        let refused = |reason| Refusal::rule(rule!(BR_RAMMING_06), reason);
        if step.unit != id || step.machine.is_some() {
            return Err(refused(phrase::NO_SUCH_UNIT));
        }
        let free = self.table.options.ram_advance == RamAdvance::FreeMoveWithBonus;
        if rule!(BR_R21).holds(!free) {
            return Err(Refusal::rule(rule!(BR_R21), phrase::NOT_THIS_WAY));
        }
        let mut table = self.table.clone();
        table.with_unit(id, Unit::lose_item);
        let mover = Mover::new(&table, id, 2_000, UnitSet::default(), Keep::Away(10));
        mover.ok_or_else(|| refused(phrase::NO_SUCH_UNIT))?.check(step)
    }

    pub(super) fn ram_march(&mut self, step: &Move) {
        self.over();
        let Some(before) = self.table.unit(step.unit).copied() else { return };
        if let Ok(after) = self.check_ram_march(step.unit, step) {
            self.table.with_unit(step.unit, |unit| {
                *unit = after;
                unit.marks.advanced = true;
            });
            self.overrun(&before, &after);
        }
    }

    /// A charge of the Combat phase is over: the fight follows at once if it is fresh.
    pub(super) fn charged(&mut self, id: UnitId) -> Opened {
        self.over();
        let touches = self.table.contacts();
        let units = self.table.engagement(id, &touches);
        let alone = units == UnitSet::one(id);
        let fresh =
            self.table.each().all(|(other, unit)| !units.has(other) || other == id || !unit.marks.fought);
        if !alone && fresh && self.table.unit(id).is_some_and(Unit::is_on_table) {
            self.melee = Melee { units, round: 2, ..Melee::default() };
            self.begin_round();
        }
        Opened::Done
    }

    // Stands of a tower for its sides.

    /// The tower that is fought for, its attacked sides and the stands in it, all units together.
    pub(super) fn tower_fight(&self) -> Option<TowerFight> {
        let touches = self.table.contacts();
        let tower = touches.iter().find(|touch| {
            touch.place == Some(crate::combat::Place::Tower) && self.melee.units.has(touch.one.0)
        })?;
        let element = tower.element?;
        let mut stands = Vec::new();
        for (id, unit) in self.table.each().filter(|(id, _)| self.melee.units.has(*id)) {
            for at in unit.alive() {
                if unit.stands[at].place == (Place::Tower { element }) {
                    stands.push((id, at));
                }
            }
        }
        Some((element, self.sides_attacked(element).max(1), stands))
    }

    pub(super) fn open_assign(&mut self) -> Opened {
        self.melee.assigned.clear();
        let Some((_, sides, stands)) = self.tower_fight() else { return self.over() };
        if sides < 2 || stands.len() < 2 {
            self.melee.assigned = (0..small(i32::try_from(sides).unwrap_or(1))).map(|_| 0).collect();
            return self.over();
        }
        let side = stands.first().and_then(|(id, _)| self.table.unit(*id)).map(|unit| unit.side);
        match side {
            Some(side) => Opened::Ask(side),
            None => self.over(),
        }
    }

    pub(super) fn list_assign(&self, into: &mut Vec<Action>) {
        let Some((_, sides, stands)) = self.tower_fight() else { return };
        let count = stands.len();
        for turn in 0..count.min(8) {
            let assigned = (0..sides).filter_map(|side| u8::try_from((side + turn) % count).ok()).collect();
            into.push(Action::Assign(assigned));
        }
    }

    pub(super) fn check_assign(&self, assigned: &[u8]) -> Verdict<()> {
        let refused = || Err(Refusal::rule(rule!(BR_TOWERS_09), phrase::TOO_MANY_STANDS));
        let Some((_, sides, stands)) = self.tower_fight() else { return refused() };
        let mut distinct: Vec<u8> = assigned.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let wanted = sides.min(stands.len());
        let right = assigned.len() == sides
            && assigned.iter().all(|&at| usize::from(at) < stands.len())
            && distinct.len() == wanted;
        if rule!(BR_TOWERS_09).holds(!right) { refused() } else { Ok(()) }
    }

    pub(super) fn assign(&mut self, assigned: &[u8]) {
        self.melee.assigned = assigned.to_vec();
        self.over();
    }
}
