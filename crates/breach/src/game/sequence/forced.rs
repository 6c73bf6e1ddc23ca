//! Forced moves (section 4.8 of the game page): driven back, beaten, drawing back; friends that make way,
//! the table edge, and stands that are lost on the way.

use kernel::{Clerk, Event};
use rulebook::phrase::breach_game as words;
use rulebook::rule;
use tabletop::geometry::{Facing, Gap, Point};

use crate::terms::{Arm, Item};

use super::super::geometry::{Rect, beside};
use super::super::ground::{Formation, Keep};
use super::super::moves::Mover;
use super::super::plan::{ElementId, Slot, TABLE};
use super::super::state::{Look, Place, Push, State, Step, Unit, UnitId, UnitSet, Why};
use super::Opened;

impl State {
    /// A unit is to be moved by so much.
    pub(super) fn push_back(&mut self, unit: UnitId, shift: (i64, i64), why: Why) {
        let push = Push { unit, shift, why, firm: UnitSet::default(), asked: 0 };
        self.steps.push(Step::Forced(push));
    }

    /// Moves it, or asks the friend in its way.
    pub(super) fn forced(&mut self, push: Push, clerk: &mut impl Clerk) -> Opened {
        let Some(unit) = self.table.unit(push.unit).copied().filter(Unit::is_on_table) else {
            return self.over();
        };
        let friend = self.friend_in_way(&unit, &push);
        if let Some(friend) = friend {
            self.next(Step::MakeWay(Push { asked: push.asked + 1, ..push }, friend));
            return Opened::Done;
        }
        self.over();
        match push.why {
            Why::Driven => self.driven_back(push, &unit, clerk),
            Why::Beaten | Why::Repelled => self.beaten_back(push, &unit, clerk),
        }
        self.table.with_unit(push.unit, |unit| {
            unit.marks.exposed = true;
            for stand in &mut unit.stands {
                stand.post = None;
            }
        });
        if push.why == Why::Beaten {
            self.table.with_unit(push.unit, |unit| {
                if unit.item.is_machine() || unit.item == Item::Mantlets {
                    unit.lose_item();
                }
            });
        }
        self.release();
        Opened::Done
    }

    /// An unengaged friend in the way who has not been asked in vain.
    fn friend_in_way(&self, unit: &Unit, push: &Push) -> Option<UnitId> {
        if push.asked >= 3 {
            return None;
        }
        let moved: Vec<Rect> = unit
            .alive()
            .filter_map(|at| self.table.ground_rect(unit, at))
            .flat_map(|rect| [rect.shifted(push.shift.0, push.shift.1), rect.swept(push.shift)])
            .collect();
        self.table
            .of_side(unit.side)
            .find(|(id, other)| {
                *id != push.unit
                    && !push.firm.has(*id)
                    && !other.marks.engaged
                    && !other.is_posted()
                    && other.machine.is_none()
                    && !other.profile().engine
                    && self.table.bases(other).any(|base| moved.iter().any(|own| own.overlaps(&base)))
            })
            .map(|(id, _)| id)
    }

    pub(super) fn open_make_way(&mut self, push: &Push, friend: UnitId) -> Opened {
        match self.table.unit(friend) {
            Some(friend) => Opened::Ask(friend.side),
            None => self.next(Step::Forced(*push)),
        }
    }

    pub(super) fn make_way(&mut self, yes: bool, clerk: &mut impl Clerk) {
        let Some(Step::MakeWay(mut push, friend)) = self.steps.pop() else { return };
        let aside = if yes { self.aside(&push, friend) } else { None };
        match aside {
            Some(after) => {
                let before = self.table.unit(friend).copied();
                self.table.with_unit(friend, |unit| *unit = after);
                if let Some(before) = before {
                    self.overrun(&before, &after);
                }
                let [mover, maker] = clerk.two_d6();
                if clerk.holds(rule!(BC_9_03), mover == 6) {
                    self.confuse(push.unit, clerk);
                }
                if clerk.holds(rule!(BC_9_03), maker == 6) {
                    self.confuse(friend, clerk);
                }
            }
            None => push.firm = push.firm.with(friend),
        }
        self.steps.push(Step::Forced(push));
    }

    /// The stands in the path, moved straight sideways or back to the nearest place where the unit still
    /// hangs together (BR-R98).
    fn aside(&self, push: &Push, friend: UnitId) -> Option<Unit> {
        let mover = self.table.unit(push.unit)?;
        let unit = self.table.unit(friend)?;
        let moved: Vec<Rect> = mover
            .alive()
            .filter_map(|at| self.table.ground_rect(mover, at))
            .map(|rect| rect.shifted(push.shift.0, push.shift.1))
            .collect();
        let in_path: Vec<usize> = unit
            .alive()
            .filter(|&at| {
                self.table
                    .ground_rect(unit, at)
                    .is_some_and(|rect| moved.iter().any(|own| own.overlaps(&rect)))
            })
            .collect();
        let pace = unit.paces().0;
        let clear = |after: &Unit| {
            after
                .alive()
                .filter_map(|at| self.table.ground_rect(after, at))
                .all(|rect| !moved.iter().any(|own| own.overlaps(&rect)))
        };
        for whole in [false, true] {
            let mut distance = 50;
            while distance <= pace {
                for (right, forwards) in [(-distance, 0), (distance, 0), (0, -distance)] {
                    let mut after = *unit;
                    for at in unit.alive().filter(|at| whole || in_path.contains(at)) {
                        if let Place::Ground { front, facing } = unit.stands[at].place {
                            let front = beside(front, facing, right, forwards);
                            after.stands[at].place = Place::Ground { front, facing };
                        }
                    }
                    if clear(&after) {
                        let mover =
                            Mover::new(&self.table, friend, pace, UnitSet::default(), Keep::Away(10))?;
                        if mover.ends(&after).is_ok() {
                            return Some(after);
                        }
                    }
                }
                distance += 50;
            }
        }
        None
    }

    pub(super) fn confuse(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        self.table.with_unit(id, |unit| unit.marks.confused = true);
        if let Some(unit) = self.table.unit(id) {
            let name = unit.name();
            clerk.happened(|| Event::new(words::CONFUSED).with("unit", name));
        }
    }

    fn driven_back(&mut self, push: Push, unit: &Unit, clerk: &mut impl Clerk) {
        let distance = Gap::whole(push.shift.0 * push.shift.0 + push.shift.1 * push.shift.1).rounded();
        if self.table.is_on_works(unit) {
            self.off_rampart(push.unit, unit, distance, clerk);
            return;
        }
        let edge = unit.alive().filter_map(|at| self.table.ground_rect(unit, at)).any(|rect| {
            let moved = rect.shifted(push.shift.0, push.shift.1);
            let court = self.table.plan().courtyard.is_some() && moved.centre.y <= 100;
            !court
                && moved
                    .corners
                    .iter()
                    .any(|corner| !(0..=TABLE.0).contains(&corner.x) || !(0..=TABLE.1).contains(&corner.y))
        });
        let steps = (distance / 10).max(1);
        let sweeps = |other: &Unit| {
            unit.alive().filter_map(|at| self.table.ground_rect(unit, at)).any(|rect| {
                let hull = rect.swept(push.shift);
                self.table.bases(other).any(|base| base.overlaps(&hull))
            })
        };
        let others = || self.table.each().filter(|(id, _)| *id != push.unit);
        let met_foe =
            others().any(|(_, other)| (other.side != unit.side || other.marks.engaged) && sweeps(other));
        let met_friend = others().any(|(_, other)| other.side == unit.side && sweeps(other));
        // A centimetre short of enemies and of those who fight.
        let keep = if met_foe { Keep::Clear(100) } else { Keep::Away(10) };
        // A portable ram is carried along, but lost in difficult ground (BR-portable-ram-08).
        let carried = unit.item == Item::PortableRam;
        let light = Unit { item: if carried { Item::None } else { unit.item }, ..*unit };
        let mut made = 0;
        for step in (1..=steps).rev() {
            let by = (push.shift.0 * step / steps, push.shift.1 * step / steps);
            if let Ok(mut after) = self.shifted(push.unit, &light, by, keep) {
                let rough = |rect: &Rect| self.table.barred(unit, rect).is_some();
                let stuck = carried
                    && after
                        .alive()
                        .filter_map(|at| self.table.ground_rect(&after, at))
                        .any(|rect| rough(&rect));
                let lost = clerk.holds(rule!(BR_PORTABLE_RAM_08), stuck);
                let kept = clerk.holds(rule!(BR_PORTABLE_RAM_07), carried && !lost);
                if kept {
                    after.item = Item::PortableRam;
                } else if carried {
                    after.use_next();
                }
                self.table.with_unit(push.unit, |unit| *unit = after);
                self.overrun(unit, &after);
                made = step;
                break;
            }
        }
        if made < steps {
            if edge {
                self.off_edge(push.unit, clerk);
                return;
            }
            let sure = clerk.holds(rule!(BC_9_01), met_foe || met_friend);
            if sure || clerk.d6() == 6 {
                self.confuse(push.unit, clerk);
            }
        }
        let half = unit.paces().1;
        self.table.with_unit(push.unit, |unit| {
            if clerk.holds(rule!(BC_14_9_01), unit.item == Item::Mantlets && distance > half) {
                unit.lose_item();
            }
        });
    }

    /// A rampart is left for the ground inside (BR-R77).
    pub(super) fn off_rampart(&mut self, id: UnitId, unit: &Unit, distance: i64, clerk: &mut impl Clerk) {
        if clerk.holds(rule!(BR_R77), distance <= 100) {
            return;
        }
        for at in unit.alive() {
            if let Place::Tower { element } = unit.stands[at].place {
                self.out_of_tower(id, at, element, distance, clerk);
                continue;
            }
            let Place::Rampart { element, look } = unit.stands[at].place else { continue };
            let Some(part) = self.table.plan().element(element) else { continue };
            let Some(outward) = part.outward else { continue };
            let Some(rect) = self.table.works_rect(element) else { continue };
            // The middle of the edge it looked over, moved inwards; facing kept.
            let facing = match look {
                Look::Out => outward,
                Look::In => outward.turned(1800),
            };
            let half = 100;
            let edge = match look {
                Look::Out => beside(rect.centre, outward, 0, half),
                Look::In => beside(rect.centre, outward, 0, -half),
            };
            let front = beside(edge, outward, 0, -distance.max(200));
            let mut place = None;
            for extra in 0..12 {
                let front = beside(front, outward, 0, -50 * extra);
                let candidate = Place::Ground { front, facing };
                let current = self.table.unit(id).copied().unwrap_or(*unit);
                if self.table.fits(&current, candidate, UnitSet::one(id), Keep::Away(10)).is_ok()
                    && self.free_of_own(&current, at, candidate)
                {
                    place = Some(candidate);
                    break;
                }
            }
            match place {
                Some(place) => self.table.with_unit(id, |unit| unit.stands[at].place = place),
                None => self.kill(id, at, clerk),
            }
        }
        self.tear(id);
    }

    /// A stand leaves a tower by its door (option of BR-R68).
    fn out_of_tower(
        &mut self,
        id: UnitId,
        at: usize,
        tower: ElementId,
        distance: i64,
        clerk: &mut impl Clerk,
    ) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let part = self.table.plan().element(tower);
        let door = part.and_then(|part| part.slot(self.table.entrance.unwrap_or(Slot::Inner)));
        let place = door.and_then(|(door, facing)| {
            let ways = (0..4).flat_map(|rank| [0, -400, 400, -800, 800].map(move |aside| (aside, rank)));
            ways.map(|(aside, rank)| {
                let front = beside(door, facing, aside, -(distance.max(200) + 200 * rank));
                Place::Ground { front, facing }
            })
            .find(|&place| {
                self.table.fits(&unit, place, UnitSet::one(id), Keep::Away(10)).is_ok()
                    && self.free_of_own(&unit, at, place)
            })
        });
        match place {
            Some(place) => self.table.with_unit(id, |unit| unit.stands[at].place = place),
            None => self.kill(id, at, clerk),
        }
    }

    /// Whether a place is free of the other stands of its own unit.
    pub(super) fn free_of_own(&self, unit: &Unit, at: usize, place: Place) -> bool {
        let Some(rect) = self.table.footprint(place, unit.profile().base) else { return false };
        unit.alive()
            .filter(|&other| other != at)
            .filter_map(|other| self.table.ground_rect(unit, other))
            .all(|base| !base.overlaps(&rect))
    }

    /// Notes that the stands of a unit no longer hang together.
    pub(super) fn tear(&mut self, id: UnitId) {
        if let Some(unit) = self.table.unit(id) {
            let torn = unit.is_on_table() && !self.table.is_whole(unit);
            self.table.with_unit(id, |unit| unit.marks.torn = torn && !unit.marks.split);
        }
    }

    /// A retreat: stands that meet something are lost.
    fn beaten_back(&mut self, push: Push, unit: &Unit, clerk: &mut impl Clerk) {
        let arm = unit.profile().arm;
        if push.why == Why::Beaten && clerk.holds(rule!(BC_8_4_02), arm == Arm::Artillery) {
            self.kill_all(push.unit, clerk);
            return;
        }
        let distance = Gap::whole(push.shift.0 * push.shift.0 + push.shift.1 * push.shift.1).rounded();
        if unit.alive().any(|at| matches!(unit.stands[at].place, Place::Rampart { .. })) {
            self.off_rampart(push.unit, unit, distance, clerk);
        }
        let Some(unit) = self.table.unit(push.unit).copied() else { return };
        let was_aloft = |at: usize| unit.stands[at].place.element().is_some();
        let (dx, dy) = push.shift;
        let mut ends: Vec<(usize, Option<Place>)> = Vec::new();
        for at in unit.alive().filter(|&at| !was_aloft(at)) {
            let Place::Ground { front, facing } = unit.stands[at].place else { continue };
            let Some(rect) = self.table.ground_rect(&unit, at) else { continue };
            let moved = rect.shifted(dx, dy);
            let on_table = moved
                .corners
                .iter()
                .all(|corner: &Point| (0..=TABLE.0).contains(&corner.x) && (0..=TABLE.1).contains(&corner.y));
            let hull = rect.swept((dx, dy));
            let blocked = self.table.each().filter(|(id, _)| *id != push.unit).any(|(_, other)| {
                self.table.bases(other).any(|base| {
                    base.overlaps(&moved)
                        || ((other.side == unit.side || !base.touches(&rect)) && base.overlaps(&hull))
                })
            }) || self.table.barred(&unit, &moved).is_some();
            let lost = !on_table || blocked;
            ends.push((at, (!lost).then_some(Place::Ground { front: front.moved(dx, dy), facing })));
        }
        let before = unit;
        for &(at, place) in &ends {
            match place {
                Some(place) => self.table.with_unit(push.unit, |unit| unit.stands[at].place = place),
                None if clerk.holds(rule!(BC_8_4_01), true) => self.kill(push.unit, at, clerk),
                None => {}
            }
        }
        self.table.with_unit(push.unit, |unit| {
            unit.machine = unit.machine.map(|(front, facing)| (front.moved(dx, dy), facing));
        });
        if let Some(after) = self.table.unit(push.unit).copied() {
            if let Some(machine) = after.machine_rect() {
                let free =
                    self.table.ground_fits(&after, &machine, UnitSet::one(push.unit), Keep::Contact).is_ok();
                if !free {
                    self.table.with_unit(push.unit, Unit::lose_item);
                }
            }
            self.overrun(&before, &after);
        }
        self.tear(push.unit);
    }

    /// A unit is forced off the table.
    fn off_edge(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(before) = self.table.unit(id).copied() else { return };
        let lost = i32::from(before.lost());
        let die = i32::from(clerk.d6()) - lost;
        let result = clerk.value(rule!(BC_5_6_02), die);
        if result <= 0 {
            self.kill_all(id, clerk);
        } else if result <= 2 {
            self.table.with_unit(id, |unit| {
                unit.left_at = unit.stands.iter().find_map(|stand| match stand.place {
                    Place::Ground { front, .. } => Some(front),
                    _ => None,
                });
                for stand in &mut unit.stands {
                    if stand.place.is_on_table() {
                        stand.place = Place::Off;
                        stand.post = None;
                    }
                }
                unit.lose_item();
            });
            self.leave_with(id, clerk);
        }
    }

    /// Characters with a unit off the table: a General counts as slain, others come back with it.
    fn leave_with(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let with: Vec<_> = self
            .table
            .people()
            .filter(|(_, one)| one.is_general() && one.place == super::super::state::Whereabouts::With(id))
            .map(|(id, _)| id)
            .collect();
        for character in with {
            self.slay(character, clerk);
        }
        self.generals(clerk);
    }

    /// A unit off the table rolls at the start of its turn.
    pub(super) fn off_table(&mut self, id: UnitId, clerk: &mut impl Clerk) {
        let Some(unit) = self.table.unit(id).copied() else { return };
        let die = i32::from(clerk.d6()) - i32::from(unit.lost());
        let result = clerk.value(rule!(BC_5_6_02), die);
        if result <= 0 {
            self.kill_all(id, clerk);
            return;
        }
        if result <= 2 {
            return;
        }
        // Back where it left, as near as it finds room, looking onto the table.
        let left = unit.left_at.unwrap_or(Point::cm(90, 60));
        let count = unit.stands.iter().filter(|stand| stand.place == Place::Off).count();
        let shape = Unit { began: u8::try_from(count).unwrap_or(1), ..unit };
        let depth = unit.profile().base.1;
        let (to_west, to_south) = (left.x, left.y);
        let (to_east, to_north) = (TABLE.0 - left.x, TABLE.1 - left.y);
        let least = to_west.min(to_south).min(to_east).min(to_north);
        let inwards = if least == to_south {
            Facing::NORTH
        } else if least == to_north {
            Facing::SOUTH
        } else if least == to_west {
            Facing::tenths(900)
        } else {
            Facing::tenths(2700)
        };
        let onto = |at: Point| {
            let deep = depth * 4 + 10;
            Point::new(at.x.clamp(deep, TABLE.0 - deep), at.y.clamp(deep, TABLE.1 - deep))
        };
        for aside in (0..80).flat_map(|step| [step * 50, -step * 50]) {
            let front = onto(beside(left, inwards, aside, 0));
            for formation in [Formation::Line, Formation::Column] {
                let (places, _) = self.table.template(&shape, formation, front, inwards);
                let mut after = unit;
                let slots = unit.stands.iter().enumerate().filter(|(_, stand)| stand.place == Place::Off);
                for ((at, _), place) in slots.zip(places) {
                    after.stands[at].place = place;
                }
                let mover = Mover::new(&self.table, id, 0, UnitSet::default(), Keep::Away(10));
                if mover.is_some_and(|mover| mover.ends(&after).is_ok()) {
                    after.left_at = None;
                    self.table.with_unit(id, |unit| *unit = after);
                    if result <= 4 {
                        self.table.with_unit(id, |unit| unit.marks.finished = true);
                    }
                    return;
                }
            }
        }
    }
}
