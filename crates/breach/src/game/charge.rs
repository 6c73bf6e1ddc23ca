//! Charges (section 4.6 of the game page): a unit and a target enter; where its stands end, at which
//! posts, and whom it has charged leave. Those at the works are in [`super::assault`].

use kernel::{Refusal, Verdict};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::{Facing, Point};

use crate::terms::Arm;

use super::action::{Charge, Target};
use super::geometry::{GRAIN, Rect, beside, distance};
use super::ground::{Formation, Keep};
use super::moves::Mover;
use super::plan::Slot;
use super::sight::Aim;
use super::state::{Place, STANDS, Table, Unit, UnitId, UnitSet};

/// Where a charge ends.
#[derive(Clone, Debug)]
pub(crate) struct Landed {
    /// The unit afterwards.
    pub(crate) after: Unit,
    /// The enemy units it has charged.
    pub(crate) charged: UnitSet,
}

pub(super) fn refused(rule: kernel::RuleId, reason: kernel::Phrase) -> Refusal {
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
        let theirs = self.ground_rects(enemy);
        let mut pairs: Vec<(i64, usize, usize)> = Vec::with_capacity(16);
        for to in enemy.alive() {
            let Some(mark) = &theirs[to] else { continue };
            for at in unit.alive() {
                if let Some(own) = mover.start(at).filter(|own| own.is_near(mark, mover.allowance)) {
                    pairs.push((own.gap(mark), to, at));
                }
            }
        }
        pairs.sort_unstable();
        let seen = pairs.iter().find(|(gap, to, at)| {
            *gap <= mover.allowance
                && theirs[*to]
                    .is_some_and(|mark| self.ray(unit, *at, &mark, Some(target), false, Aim::Charge))
        });
        let Some(&(_, first_mark, _)) = seen else {
            let rule = rule!(BC_5_4_01);
            let reason = if pairs.is_empty() { phrase::OUT_OF_REACH } else { phrase::NOT_SEEN };
            return Err(refused(rule, reason));
        };
        // The zone of most chargers, in the frame of the stand that is charged.
        let Some(mark) = theirs[first_mark] else {
            return Err(refused(rule!(BC_5_4_01), phrase::OUT_OF_REACH));
        };
        let mut zones = [0_u8; 4];
        let mut first_zone = None;
        for at in unit.alive() {
            if let Some(own) = mover.start(at) {
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
            let Some(mark) = theirs[to] else { continue };
            if let Some(mut after) = self.drawn_up(mover, &theirs, &mark, zone) {
                if envelop && (zone == 1 || zone == 3) {
                    self.envelop(mover, &theirs, &mut after);
                }
                let touched = self.touched_by(&after);
                return Ok(Landed { after, charged: touched.with(target) });
            }
        }
        // Beyond a breach others than infantry see whom they cannot reach.
        let foot = matches!(unit.profile().arm, Arm::Infantry | Arm::Flyer);
        let own = unit.alive().filter_map(|at| mover.start(at)).next();
        let beyond = !foot && own.is_some_and(|own| self.is_over_breach(own.centre, mark.centre));
        let rule = if beyond { rule!(BR_BREACHES_07) } else { rule!(BC_5_4_02) };
        Err(refused(rule, phrase::NO_ROOM_FOR_CHARGE))
    }

    /// In a flank charge stands without contact go straight on until a front corner touches the charged
    /// unit, within their pace; where something is in the way they stay.
    fn envelop(&self, mover: &Mover<'_>, theirs: &[Option<Rect>; STANDS], after: &mut Unit) {
        let base = mover.unit.profile().base;
        let touches = |place: Place| {
            self.footprint(place, base)
                .is_some_and(|rect| theirs.iter().flatten().any(|other| other.touches(&rect)))
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
                    && mover.has_room(place)
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
                    .any(|own| self.bases_near(enemy, &own, GRAIN).any(|base| base.touches(&own)))
            })
            .map(|(id, _)| id)
            .collect()
    }

    /// The charging unit at an edge of a stand: one stand on it, the others beside and behind.
    fn drawn_up(
        &self,
        mover: &Mover<'_>,
        theirs: &[Option<Rect>; STANDS],
        mark: &Rect,
        zone: usize,
    ) -> Option<Unit> {
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
        let near = |at: usize| mover.start(at).map_or(i64::MAX, |rect| rect.centre.square_to(middle));
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
                if !mover.has_room(place) {
                    continue;
                }
                let first = stands.iter().copied().find(|&at| mover.reach(at, place).is_some());
                if let Some(first) = first
                    && let Some(after) =
                        self.join(mover, theirs, &stands, first, front, facing, (width, depth))
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
        theirs: &[Option<Rect>; STANDS],
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
            self.footprint(place, (width - drawn_in, depth))
                .is_some_and(|rect| theirs.iter().flatten().any(|base| base.touches(&rect)))
        };
        for &at in stands.iter().filter(|&&at| at != first) {
            let line = [-1, 1, -2, 2, -3, 3].map(|k| (k, 0));
            let behind: Vec<(i64, i64)> = taken.iter().map(|&(k, rank)| (k, rank + 1)).collect();
            let joins = |slot: (i64, i64), taken: &[(i64, i64)]| {
                taken.iter().any(|&(k, rank)| rank == slot.1 && (k - slot.0).abs() == 1)
                    || taken.contains(&(slot.0, slot.1 - 1))
            };
            let open = |slot: &(i64, i64)| !taken.contains(slot) && joins(*slot, &taken);
            let front = line.into_iter().filter(|slot| open(slot) && touches(pose(*slot), 40));
            let corner = line.into_iter().filter(|slot| open(slot) && touches(pose(*slot), 0));
            let slot = front
                .chain(corner)
                .chain(behind.into_iter().filter(&open))
                .find(|&slot| mover.has_room(pose(slot)) && mover.reach(at, pose(slot)).is_some())?;
            taken.push(slot);
            after.stands.get_mut(at)?.place = pose(slot);
        }
        Some(after)
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
