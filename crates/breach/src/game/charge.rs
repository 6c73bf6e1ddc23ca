//! Charges (section 4.6 of the game page): a unit and a target enter; where its stands end, at which
//! posts, and whom it has charged leave. What must be attacked at a wall comes from [`crate::contact`].

use kernel::{Desk, Refusal, Scripted, Silent, Verdict};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::{Facing, Point};

use crate::contact::{self, Status};
use crate::terms::{Arm, Item};

use super::action::{Charge, Target, TowerSide};
use super::geometry::{Rect, beside, distance};
use super::ground::{Formation, Keep};
use super::moves::Mover;
use super::plan::{ElementId, Kind, Slot};
use super::sight::Aim;
use super::state::{Place, Post, Table, Unit, UnitId, UnitSet};

/// Where a charge ends.
#[derive(Clone, Debug)]
pub(crate) struct Landed {
    /// The unit afterwards.
    pub(crate) after: Unit,
    /// The enemy units it has charged.
    pub(crate) charged: UnitSet,
}

fn refused(rule: kernel::RuleId, reason: kernel::Phrase) -> Refusal {
    Refusal::rule(rule, reason)
}

impl Table {
    /// How far a unit charges.
    pub(crate) fn charge_pace(&self, unit: &Unit) -> i64 {
        if unit.machine.is_some() {
            return 1_500;
        }
        match unit.profile().arm {
            Arm::Flyer if self.formation(unit) == Formation::Irregular => 1_000,
            Arm::Flyer => 6_000,
            _ => unit.paces().0,
        }
    }

    /// Where a charge ends, if it may be made.
    pub(crate) fn charge(&self, charge: &Charge, pace: i64) -> Verdict<Landed> {
        match self.charger(charge.unit, pace) {
            Some(mut mover) => self.charge_of(&mut mover, charge),
            None => Err(refused(rule!(BC_5_4_01), phrase::NO_SUCH_UNIT)),
        }
    }

    /// A unit that charges: the same for each of its charges.
    pub(crate) fn charger(&self, id: UnitId, pace: i64) -> Option<Mover<'_>> {
        Mover::new(self, id, pace, UnitSet::default(), Keep::Contact)
    }

    /// Where one of its charges ends, if it may be made.
    pub(crate) fn charge_of(&self, mover: &mut Mover<'_>, charge: &Charge) -> Verdict<Landed> {
        let unit = mover.unit;
        if !unit.is_on_table() {
            return Err(refused(rule!(BC_5_4_01), phrase::NO_SUCH_UNIT));
        }
        if unit.profile().engine || unit.marks.engaged {
            return Err(refused(rule!(BC_5_4_03), phrase::NOT_THIS_WAY));
        }
        mover.charges(match charge.target {
            Target::Unit(target) => Some(target),
            _ => None,
        });
        let mover = &*mover;
        match charge.target {
            Target::Unit(target) => self.at_unit(mover, target, charge.envelop),
            Target::Wall(element) => self.at_wall(mover, element, &charge.extra, Slot::Outer),
            Target::Inside(element) => self.at_wall(mover, element, &charge.extra, Slot::Inner),
            Target::Along(element) => self.along(unit, element),
            Target::TowerSide(tower, side) => self.at_tower(mover, tower, side),
            Target::Ram(element) => self.with_ram(mover, element),
        }
    }

    /// A charge at a unit on the ground.
    fn at_unit(&self, mover: &Mover<'_>, target: UnitId, envelop: bool) -> Verdict<Landed> {
        let unit = mover.unit;
        let Some(enemy) = self.unit(target).filter(|enemy| enemy.is_on_table() && enemy.side != unit.side)
        else {
            return Err(refused(rule!(BC_5_4_01), phrase::NO_SUCH_UNIT));
        };
        if rule!(BR_R83).holds(unit.machine.is_some()) {
            return Err(refused(rule!(BR_R83), phrase::NOT_THIS_WAY));
        }
        let mut pairs: Vec<(i64, usize, usize)> = Vec::new();
        for to in enemy.alive() {
            let Some(mark) = self.ground_rect(enemy, to) else { continue };
            for at in unit.alive() {
                if let Some(own) = self.stand_rect(unit, at).filter(|own| own.is_near(&mark, mover.allowance))
                {
                    pairs.push((own.gap(&mark), to, at));
                }
            }
        }
        pairs.sort_unstable();
        let seen = pairs.iter().find(|(gap, to, at)| {
            *gap <= mover.allowance
                && self
                    .ground_rect(enemy, *to)
                    .is_some_and(|mark| self.ray(unit, *at, &mark, Some(target), false, Aim::Charge))
        });
        let Some(&(_, first_mark, _)) = seen else {
            let rule = rule!(BC_5_4_01);
            let reason = if pairs.is_empty() { phrase::OUT_OF_REACH } else { phrase::NOT_SEEN };
            return Err(refused(rule, reason));
        };
        // The zone of most chargers, in the frame of the stand that is charged.
        let Some(mark) = self.ground_rect(enemy, first_mark) else {
            return Err(refused(rule!(BC_5_4_01), phrase::OUT_OF_REACH));
        };
        let mut zones = [0_u8; 4];
        let mut first_zone = None;
        for at in unit.alive() {
            if let Some(own) = self.stand_rect(unit, at) {
                let zone = zone(&mark, own.centre);
                first_zone.get_or_insert(zone);
                zones[zone] += 1;
            }
        }
        let most = zones.iter().copied().max().unwrap_or(0);
        let zone = first_zone
            .filter(|&zone| zones[zone] == most)
            .or_else(|| zones.iter().position(|&count| count == most))
            .unwrap_or(0);
        let mut marks: Vec<usize> = vec![first_mark];
        for &(_, to, _) in &pairs {
            if !marks.contains(&to) {
                marks.push(to);
            }
        }
        for to in marks {
            let Some(mark) = self.ground_rect(enemy, to) else { continue };
            if let Some(mut after) = self.drawn_up(mover, enemy, &mark, zone) {
                if envelop && (zone == 1 || zone == 3) {
                    self.envelop(mover, enemy, &mut after);
                }
                let touched = self.touched_by(&after);
                return Ok(Landed { after, charged: touched.with(target) });
            }
        }
        // Beyond a breach others than infantry see whom they cannot reach.
        let foot = matches!(unit.profile().arm, Arm::Infantry | Arm::Flyer);
        let own = unit.alive().filter_map(|at| self.stand_rect(unit, at)).next();
        let beyond = !foot && own.is_some_and(|own| self.is_over_breach(own.centre, mark.centre));
        let rule = if beyond { rule!(BR_BREACHES_07) } else { rule!(BC_5_4_02) };
        Err(refused(rule, phrase::NO_ROOM_FOR_CHARGE))
    }

    /// In a flank charge stands without contact go straight on until a front corner touches the charged
    /// unit, within their pace; where something is in the way they stay.
    fn envelop(&self, mover: &Mover<'_>, enemy: &Unit, after: &mut Unit) {
        let base = mover.unit.profile().base;
        let touches = |place: Place| {
            self.footprint(place, base).is_some_and(|rect| {
                enemy.alive().filter_map(|to| self.ground_rect(enemy, to)).any(|other| other.touches(&rect))
            })
        };
        for at in mover.unit.alive() {
            let Place::Ground { front, facing } = after.stands[at].place else { continue };
            if touches(after.stands[at].place) {
                continue;
            }
            for distance in (1..=40).map(|step| step * 50) {
                let place = Place::Ground { front: beside(front, facing, 0, distance), facing };
                if !touches(place) {
                    continue;
                }
                let mut moved = *after;
                moved.stands[at].place = place;
                let clear = self.footprint(place, base).is_some_and(|rect| {
                    let own = moved.alive().filter(|&other| other != at);
                    own.filter_map(|other| self.ground_rect(&moved, other))
                        .all(|other| !other.overlaps(&rect))
                });
                let whole = clear
                    && self.is_whole(&moved)
                    && mover.fits(mover.unit, place).is_ok()
                    && mover.reach(at, place).is_some();
                if whole {
                    *after = moved;
                }
                break;
            }
        }
    }

    /// The enemies that a unit touches on the ground.
    pub(crate) fn touched_by(&self, unit: &Unit) -> UnitSet {
        self.of_side(unit.side.other())
            .filter(|(_, enemy)| {
                unit.alive()
                    .filter_map(|at| self.ground_rect(unit, at))
                    .any(|own| self.bases(enemy).any(|base| base.touches(&own)))
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// The charging unit at an edge of a stand: one stand on it, the others beside and behind.
    fn drawn_up(&self, mover: &Mover<'_>, enemy: &Unit, mark: &Rect, zone: usize) -> Option<Unit> {
        let unit = mover.unit;
        let (width, depth) = unit.profile().base;
        let [fl, rl, rr, fr] = mark.corners;
        let faced = mark.facing;
        let (left, right, facing) = match zone {
            0 => (fr, fl, faced.turned(1800)),
            1 => (rr, fr, faced.turned(-900)),
            2 => (rl, rr, faced),
            _ => (fl, rl, faced.turned(900)),
        };
        let middle = Point::new(i64::midpoint(left.x, right.x), i64::midpoint(left.y, right.y));
        let edge = distance(left, right);
        let near = |a: usize| self.stand_rect(unit, a).map_or(i64::MAX, |rect| rect.centre.square_to(middle));
        let mut stands: Vec<usize> = unit.alive().collect();
        stands.sort_by_key(|&at| (near(at), at));
        let most = (edge + width) / 2 - 100;
        let mut offset = 0;
        while offset <= most {
            for side in [-1, 1] {
                if offset == 0 && side == 1 {
                    continue;
                }
                let front = beside(middle, facing, side * offset, 0);
                let place = Place::Ground { front, facing };
                if mover.fits(unit, place).is_err() {
                    continue;
                }
                let first = stands.iter().copied().find(|&at| mover.reach(at, place).is_some());
                if let Some(first) = first
                    && let Some(after) =
                        self.join(mover, enemy, &stands, first, front, facing, (width, depth))
                {
                    return Some(after);
                }
            }
            offset += 50;
        }
        None
    }

    /// The other stands join the first.
    #[allow(clippy::too_many_arguments, reason = "one placing, told once")]
    fn join(
        &self,
        mover: &Mover<'_>,
        enemy: &Unit,
        stands: &[usize],
        first: usize,
        front: Point,
        facing: Facing,
        (width, depth): (i64, i64),
    ) -> Option<Unit> {
        let unit = mover.unit;
        let mut after = *unit;
        for stand in &mut after.stands {
            stand.post = None;
        }
        after.stands.get_mut(first)?.place = Place::Ground { front, facing };
        let mut taken: Vec<(i64, i64)> = vec![(0, 0)];
        let pose = |slot: (i64, i64)| Place::Ground {
            front: beside(front, facing, slot.0 * width, -slot.1 * depth),
            facing,
        };
        // Contact to the front is more than a corner.
        let touches = |place: Place, drawn_in: i64| {
            self.footprint(place, (width - drawn_in, depth)).is_some_and(|rect| {
                enemy.alive().filter_map(|to| self.ground_rect(enemy, to)).any(|base| base.touches(&rect))
            })
        };
        for &at in stands.iter().filter(|&&at| at != first) {
            let line = [-1, 1, -2, 2, -3, 3].map(|k| (k, 0));
            let behind: Vec<(i64, i64)> = taken.iter().map(|&(k, rank)| (k, rank + 1)).collect();
            let joins = |slot: (i64, i64), taken: &[(i64, i64)]| {
                taken.iter().any(|&(k, rank)| rank == slot.1 && (k - slot.0).abs() == 1)
                    || taken.contains(&(slot.0, slot.1 - 1))
            };
            let front = line.into_iter().filter(|&slot| touches(pose(slot), 40));
            let corner = line.into_iter().filter(|&slot| touches(pose(slot), 0));
            let slot = front.chain(corner).chain(behind).find(|&slot| {
                !taken.contains(&slot)
                    && joins(slot, &taken)
                    && mover.fits(unit, pose(slot)).is_ok()
                    && mover.reach(at, pose(slot)).is_some()
            })?;
            taken.push(slot);
            after.stands.get_mut(at)?.place = pose(slot);
        }
        Some(after)
    }

    /// The sections of the wall that hang together with one, in plan order.
    fn chain(&self, element: ElementId) -> Vec<ElementId> {
        let plan = self.plan();
        let mut chain = vec![element];
        for direction in [0, 1] {
            let mut at = element;
            while let Some(next) = plan.element(at).and_then(|part| part.beside[direction]) {
                if direction == 0 {
                    chain.insert(0, next);
                } else {
                    chain.push(next);
                }
                if !self.is_wall(next) {
                    break;
                }
                at = next;
            }
        }
        chain
    }

    /// Who stands on an element or in the breach that is left of it.
    fn holder(&self, element: ElementId) -> Option<UnitId> {
        if self.stands(element) {
            return self.on(element).next().map(|(id, _)| id);
        }
        let part = self.plan().element(element)?;
        let there = |unit: &Unit| {
            unit.alive().any(|at| self.ground_rect(unit, at).is_some_and(|rect| part.rect.holds(rect.centre)))
        };
        self.each().find(|(_, unit)| there(unit)).map(|(id, _)| id)
    }

    /// A charge at a section of wall, from outside or from the courtyard.
    fn at_wall(
        &self,
        mover: &Mover<'_>,
        element: ElementId,
        extra: &[ElementId],
        slot: Slot,
    ) -> Verdict<Landed> {
        let unit = mover.unit;
        let arm = unit.profile().arm;
        if rule!(BC_5_4_03).holds(!matches!(arm, Arm::Infantry | Arm::Flyer)) {
            return Err(refused(rule!(BC_5_4_03), phrase::NOT_THIS_WAY));
        }
        if !self.is_wall(element) || !self.stands(element) || self.held_by(element) != Some(unit.side.other())
        {
            return Err(refused(rule!(BR_R74), phrase::NO_SUCH_PLACE));
        }
        let way = match (slot, unit.item) {
            (Slot::Inner, item) if !item.is_machine() => contact::Way::Ladders,
            (Slot::Outer, Item::Ladders) => contact::Way::Ladders,
            (Slot::Outer, Item::SiegeTower) if unit.machine.is_some() => contact::Way::SiegeTower,
            (Slot::Outer, _) if arm == Arm::Flyer => contact::Way::Wings,
            _ => contact::Way::None,
        };
        let chain = self.chain(element);
        let sections: Vec<contact::Section> = chain
            .iter()
            .map(|&id| contact::Section {
                status: if !self.is_wall(id) {
                    Status::Tower
                } else if self.stands(id) {
                    Status::Standing
                } else {
                    Status::Breach
                },
                unit: self
                    .holder(id)
                    .and_then(|id| self.unit(id))
                    .filter(|other| other.side != unit.side)
                    .map(Unit::name),
            })
            .collect();
        let place_of = |id: &ElementId| chain.iter().position(|known| known == id);
        let pose = |id: ElementId| {
            let (front, facing) = self.plan().element(id)?.slot(slot)?;
            Some(Place::Ground { front, facing })
        };
        let free = |id: ElementId| {
            pose(id).is_some_and(|place| {
                let rect = self.footprint(place, unit.profile().base);
                rect.is_some_and(|rect| mover.base_fits(unit, &rect).is_ok())
            })
        };
        let reach: Vec<usize> = if way == contact::Way::SiegeTower {
            (0..chain.len()).collect()
        } else {
            (0..chain.len())
                .filter(|&k| {
                    free(chain[k])
                        && unit
                            .alive()
                            .any(|at| pose(chain[k]).is_some_and(|place| mover.reach(at, place).is_some()))
                })
                .collect()
        };
        let also: Vec<usize> = extra.iter().filter_map(place_of).collect();
        let Some(target) = place_of(&element) else {
            return Err(refused(rule!(BR_R74), phrase::NO_SUCH_PLACE));
        };
        let stands = usize::from(unit.strength());
        let asked = contact::Charge { sections: &sections, target, stands, way, reach: &reach, also: &also };
        let mut quiet = Desk::new(Scripted::new(&[]), Silent);
        // A target that no stand reaches is refused by the rule of the posts.
        let found = asked.contact(&mut quiet).map_err(|refusal| match refusal.rule {
            Some(_) => refusal,
            None => refused(rule!(BR_R80), phrase::OUT_OF_REACH),
        })?;
        let sees = self
            .works_rect(element)
            .is_some_and(|rect| unit.alive().any(|at| self.ray(unit, at, &rect, None, true, Aim::Charge)));
        if rule!(BC_5_4_01).holds(!sees) {
            return Err(refused(rule!(BC_5_4_01), phrase::NOT_SEEN));
        }
        let mut after = *unit;
        if way == contact::Way::SiegeTower {
            after = self.machine_at(mover, element, slot)?;
        } else {
            let mut order: Vec<ElementId> = found.touches.iter().map(|&k| chain[k]).collect();
            order.sort_by_key(|id| place_of(id).map_or(usize::MAX, |k| k.abs_diff(target)));
            self.post(mover, &mut after, &order, slot)?;
        }
        let charged = found
            .fights
            .iter()
            .filter_map(|&k| self.holder(chain[k]))
            .filter(|id| self.unit(*id).is_some_and(|other| other.side != unit.side))
            .collect();
        Ok(Landed { after, charged })
    }

    /// Posts stands at slots, the others behind them.
    fn post(&self, mover: &Mover<'_>, after: &mut Unit, order: &[ElementId], slot: Slot) -> Verdict<()> {
        let unit = mover.unit;
        let no_room = || refused(rule!(BC_5_4_02), phrase::NO_ROOM_FOR_CHARGE);
        let (_, depth) = unit.profile().base;
        let mut left: Vec<usize> = unit.alive().collect();
        let mut posted: Vec<(Point, Facing)> = Vec::new();
        for stand in &mut after.stands {
            stand.post = None;
        }
        for &element in order {
            let Some((front, facing)) = self.plan().element(element).and_then(|part| part.slot(slot)) else {
                continue;
            };
            let place = Place::Ground { front, facing };
            let free = mover.fits(unit, place).is_ok();
            let best = left
                .iter()
                .copied()
                .filter(|_| free)
                .filter_map(|at| Some((mover.travel(&mover.reach(at, place)?).ok()?, at)))
                .min();
            let Some((_, at)) = best else {
                if posted.is_empty() {
                    return Err(refused(rule!(BR_R80), phrase::OUT_OF_REACH));
                }
                continue;
            };
            left.retain(|&other| other != at);
            if let Some(stand) = after.stands.get_mut(at) {
                stand.place = place;
                stand.post = self.stands(element).then_some(Post { element, slot });
            }
            posted.push((front, facing));
        }
        let mut free: Vec<(Point, Facing)> = Vec::new();
        for rank in 1..4 {
            free.extend(
                posted.iter().map(|&(front, facing)| (beside(front, facing, 0, -depth * rank), facing)),
            );
        }
        for at in left {
            let place = free.iter().position(|&(front, facing)| {
                let place = Place::Ground { front, facing };
                mover.fits(unit, place).is_ok() && mover.reach(at, place).is_some()
            });
            let (front, facing) = free.remove(place.ok_or_else(no_room)?);
            if let Some(stand) = after.stands.get_mut(at) {
                stand.place = Place::Ground { front, facing };
            }
        }
        if rule!(BC_1_01).holds(!self.is_whole(after)) {
            return Err(no_room());
        }
        Ok(())
    }

    /// A covered machine at a slot, its stands behind it.
    fn machine_at(&self, mover: &Mover<'_>, element: ElementId, slot: Slot) -> Verdict<Unit> {
        let Some((front, facing)) = self.plan().element(element).and_then(|part| part.slot(slot)) else {
            return Err(refused(rule!(BR_R74), phrase::NO_SUCH_PLACE));
        };
        let step = super::action::Move { unit: mover.id, stands: Vec::new(), machine: Some((front, facing)) };
        let mut after = mover.check(&step)?;
        if let Some(first) = after.alive().next() {
            after.stands[first].post = Some(Post { element, slot });
        }
        Ok(after)
    }

    /// An attack along the rampart: nobody moves.
    fn along(&self, unit: &Unit, element: ElementId) -> Verdict<Landed> {
        let adjoins = self.plan().element(element).is_some_and(|part| {
            part.beside.iter().flatten().any(|&beside| {
                self.stands(beside) && unit.alive().any(|at| unit.stands[at].place.element() == Some(beside))
            })
        });
        let held = self.held_by(element) == Some(unit.side.other());
        if !adjoins || !held || !self.is_wall(element) || unit.profile().arm != Arm::Infantry {
            return Err(refused(rule!(BC_14_5_02), phrase::NOT_ADJOINING));
        }
        let mut after = *unit;
        after.along = Some(element);
        Ok(Landed { after, charged: self.on(element).map(|(id, _)| id).collect() })
    }

    /// A charge at a side of a tower.
    fn at_tower(&self, mover: &Mover<'_>, tower: ElementId, side: TowerSide) -> Verdict<Landed> {
        let unit = mover.unit;
        let arm = unit.profile().arm;
        let part = self.plan().element(tower).filter(|_| self.stands(tower) && !self.is_wall(tower));
        let Some(part) = part else { return Err(refused(rule!(BR_R74), phrase::NO_SUCH_PLACE)) };
        if rule!(BC_5_4_03).holds(!matches!(arm, Arm::Infantry | Arm::Flyer)) || unit.machine.is_some() {
            return Err(refused(rule!(BC_5_4_03), phrase::NOT_THIS_WAY));
        }
        if self.held_by(tower) != Some(unit.side.other()) {
            return Err(refused(rule!(BR_TOWERS_05), phrase::NO_SUCH_PLACE));
        }
        if self.each().any(|(_, other)| other.along == Some(tower) && matches!(side, TowerSide::Section(_))) {
            return Err(refused(rule!(BR_TOWERS_08), phrase::SIDE_ATTACKED));
        }
        let charged: UnitSet = self.on(tower).map(|(id, _)| id).collect();
        match side {
            TowerSide::Section(section) => {
                let adjoins = part.beside.contains(&Some(section));
                let there = unit.alive().any(|at| unit.stands[at].place.element() == Some(section));
                if !adjoins || !there {
                    return Err(refused(rule!(BR_TOWERS_05), phrase::NOT_ADJOINING));
                }
                let mut after = *unit;
                after.along = Some(tower);
                Ok(Landed { after, charged })
            }
            TowerSide::Slot(slot) => {
                let open = match part.kind {
                    Kind::LoneTower => rule!(BR_TOWERS_21).holds(self.entrance == Some(slot)),
                    _ => slot == Slot::Inner || rule!(BR_FLYERS_06).holds(arm == Arm::Flyer),
                };
                let lone = part.kind == Kind::LoneTower;
                let rule = if lone { rule!(BR_TOWERS_18) } else { rule!(BR_TOWERS_06) };
                if rule.holds(!open) {
                    return Err(refused(rule, phrase::NOT_THIS_WAY));
                }
                let taken = self.each().any(|(_, other)| {
                    other.alive().any(|at| other.stands[at].post == Some(Post { element: tower, slot }))
                });
                if rule!(BR_TOWERS_08).holds(taken) {
                    return Err(refused(rule!(BR_TOWERS_08), phrase::SIDE_ATTACKED));
                }
                let sees = unit.alive().any(|at| self.ray(unit, at, &part.rect, None, true, Aim::Charge));
                if rule!(BC_5_4_01).holds(!sees) {
                    return Err(refused(rule!(BC_5_4_01), phrase::NOT_SEEN));
                }
                let mut after = *unit;
                self.post(mover, &mut after, &[tower], slot)?;
                Ok(Landed { after, charged })
            }
        }
    }

    /// A ram at an element.
    fn with_ram(&self, mover: &Mover<'_>, element: ElementId) -> Verdict<Landed> {
        let unit = mover.unit;
        if rule!(BR_RAMMING_13).holds(!unit.item.rams()) || !self.stands(element) {
            return Err(refused(rule!(BR_RAMMING_13), phrase::NOT_THIS_WAY));
        }
        let Some(part) = self.plan().element(element).filter(|part| part.kind != Kind::LoneTower) else {
            return Err(refused(rule!(BR_RAMMING_13), phrase::NO_SUCH_PLACE));
        };
        let taken = self.each().any(|(id, other)| {
            id != mover.id
                && other.item.rams()
                && other.alive().any(|at| other.stands[at].post.is_some_and(|post| post.element == element))
        });
        if rule!(BR_R99).holds(taken) {
            return Err(refused(rule!(BR_R99), phrase::SIDE_ATTACKED));
        }
        let sees = unit.alive().any(|at| self.ray(unit, at, &part.rect, None, true, Aim::Charge));
        if unit.machine.is_none() && rule!(BC_5_4_01).holds(!sees) {
            return Err(refused(rule!(BC_5_4_01), phrase::NOT_SEEN));
        }
        let mut why = refused(rule!(BR_R80), phrase::OUT_OF_REACH);
        for slot in [Slot::Outer, Slot::OuterSecond] {
            if part.slot(slot).is_none() {
                continue;
            }
            let after = if unit.machine.is_some() {
                self.machine_at(mover, element, slot)
            } else {
                let mut after = *unit;
                self.post(mover, &mut after, &[element], slot).map(|()| after)
            };
            match after {
                Ok(after) => return Ok(Landed { after, charged: UnitSet::default() }),
                Err(refusal) => why = refusal,
            }
        }
        Err(why)
    }
}

/// The zone of a place around a stand: front, right, rear, left.
fn zone(mark: &Rect, place: Point) -> usize {
    let (x, y) = mark.frame(place);
    let (x, y) = (x >> 30, y >> 30);
    let (a, b) = mark.halves();
    if y >= b && x.abs() - a <= y - b {
        0
    } else if -y >= b && x.abs() - a <= -y - b {
        2
    } else if x < 0 {
        3
    } else {
        1
    }
}
