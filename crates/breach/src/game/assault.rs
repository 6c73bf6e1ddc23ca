//! Charges at the works (section 4.6 of the game page): at a section of wall, along it, at a side of a
//! tower, with a ram. What must be attacked at a wall comes from [`crate::contact`].

use kernel::{Desk, Scripted, Silent, Verdict};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::{Facing, Point};

use crate::contact::{self, Status};
use crate::terms::{Arm, Item};

use super::action::TowerSide;
use super::charge::{Landed, refused};
use super::geometry::beside;
use super::moves::Mover;
use super::plan::{ElementId, Kind, Slot};
use super::sight::Aim;
use super::state::{Place, Post, Table, Unit, UnitId, UnitSet};

impl Table {
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
    pub(super) fn at_wall(
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
        way.scales()?;
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
        let reach: Vec<usize> = if way == contact::Way::SiegeTower {
            (0..chain.len()).collect()
        } else {
            (0..chain.len())
                .filter(|&k| {
                    pose(chain[k]).is_some_and(|place| {
                        mover.is_in_reach(place)
                            && mover.has_room(place)
                            && unit.alive().any(|at| mover.reach(at, place).is_some())
                    })
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
            let free = mover.has_room(place);
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
                mover.has_room(place) && mover.reach(at, place).is_some()
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
    pub(super) fn along(&self, unit: &Unit, element: ElementId) -> Verdict<Landed> {
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
    pub(super) fn at_tower(&self, mover: &Mover<'_>, tower: ElementId, side: TowerSide) -> Verdict<Landed> {
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
    pub(super) fn with_ram(&self, mover: &Mover<'_>, element: ElementId) -> Verdict<Landed> {
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
