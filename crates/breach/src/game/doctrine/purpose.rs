//! What each unit is for, scenario by scenario, and how near a place brings it to that.

use tabletop::geometry::Point;

use crate::scenario::{Scenario, Side};
use crate::terms::{Arm, Item};

use super::super::geometry::ahead;
use super::super::plan::{ElementId, Kind, Slot};
use super::super::state::{Place, Unit, UnitId};
use super::super::{Move, Way};
use super::{NEVER, Staff};

/// What a unit is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To enter a tower and hold it.
    Enter(ElementId, Point),
    /// To be at a place.
    Reach(Point),
    /// To stand so far from the nearest enemy that it can shoot.
    Range(i64),
    /// To get at the nearest enemy on the ground.
    Seek,
    /// To man empty sections of its own works.
    Man,
    /// To stay where it is.
    Stay,
}

/// So far from the walls troops wait out of range.
const WAIT: i64 = 3_200;
/// Hand weapons shoot so far that this is near enough.
const SHOT: i64 = 2_800;
/// A gun that breaks walls does so from here.
const BATTERY: i64 = 5_900;

impl Staff<'_> {
    /// What a unit is for.
    pub(super) fn purpose(&self, id: UnitId, unit: &Unit) -> Purpose {
        if unit.profile().engine {
            return Purpose::Stay;
        }
        match (self.table.scenario, self.side) {
            (Scenario::Watchtower, side) => self.race(id, unit, side),
            (Scenario::Help, Side::Garrison) => Purpose::Reach(self.way_out(unit)),
            (Scenario::Help, Side::Besieger) => self.net(unit),
            (Scenario::Keep, Side::Besieger) => self.siege(unit),
            (Scenario::Keep, Side::Garrison) => self.defence(unit),
        }
    }

    /// Scenario 1: the nearest of foot makes for the entrance, the others cover them.
    fn race(&self, id: UnitId, unit: &Unit, side: Side) -> Purpose {
        let tower = ElementId(0);
        let inside = |unit: &Unit| unit.alive().any(|at| unit.stands[at].place.element() == Some(tower));
        if inside(unit) {
            return Purpose::Stay;
        }
        let Some(door) = self.door() else { return Purpose::Seek };
        let free = self.table.held_by(tower) != Some(side);
        let runner = |unit: &Unit| {
            let foot = unit.profile().arm == Arm::Infantry && unit.profile().weapon.is_none();
            foot && unit.strength() >= 2 && !unit.is_confused()
        };
        let nearer = self
            .own()
            .filter(|(other, one)| *other != id && runner(one) && !one.marks.engaged)
            .filter(|(_, one)| self.table.gap_to(door, one) < self.table.gap_to(door, unit))
            .count();
        if free && runner(unit) && nearer < 1 {
            return Purpose::Enter(tower, door);
        }
        match unit.profile().arm {
            Arm::Artillery => Purpose::Range(unit.profile().range.1 - 200),
            _ if unit.profile().weapon.is_some() => Purpose::Range(SHOT),
            _ if side == Side::Garrison => {
                // A screen between the tower and those who come for it.
                let aside = (i64::from(unit.number) % 5 - 2) * 900;
                Purpose::Reach(Point::new(9_000 + aside, 7_200))
            }
            _ => Purpose::Seek,
        }
    }

    /// Before the entrance of the watchtower.
    fn door(&self) -> Option<Point> {
        let (front, facing) = self.table.plan().elements.first()?.slot(self.table.entrance?)?;
        let (dx, dy) = ahead(facing, -250);
        Some(front.moved(dx, dy))
    }

    /// Scenario 2, those who break out: the lane with the fewest in it.
    fn way_out(&self, unit: &Unit) -> Point {
        let from = self.middle(unit).unwrap_or(Point::cm(90, 20));
        let blocked = |x: i64| -> i64 {
            self.enemies()
                .filter_map(|(_, enemy)| Some((self.middle(enemy)?, enemy)))
                .filter(|(at, _)| at.y > from.y - 1_000)
                .map(|(at, enemy)| {
                    let aside = (at.x - x).abs();
                    let stands = if aside < 1_000 { 4_000 } else { 0 };
                    let shoots =
                        if enemy.profile().weapon.is_some() { (3_000 - aside).max(0) / 4 } else { 0 };
                    stands + shoots
                })
                .sum()
        };
        let lanes = (1..30).map(|lane| lane * 600);
        let x = lanes.min_by_key(|&x| blocked(x) + (x - from.x).abs()).unwrap_or(from.x);
        // Around before through: the lane is entered beside those who bar it.
        let y = if (x - from.x).abs() > 1_500 { (from.y + 3_000).min(11_900) } else { 11_900 };
        Point::new(x, y)
    }

    /// Scenario 2, those who bar the way.
    fn net(&self, unit: &Unit) -> Purpose {
        if unit.profile().arm == Arm::Artillery {
            return Purpose::Stay;
        }
        // Where those who break out will be: in front of the nearest of them, on his way to the edge.
        let from = self.middle(unit).unwrap_or(Point::cm(90, 100));
        let nearest =
            self.enemies().filter_map(|(_, enemy)| self.middle(enemy)).min_by_key(|at| at.square_to(from));
        match nearest {
            Some(at) if unit.profile().weapon.is_some() => {
                if at.gap_to(from).rounded() > SHOT {
                    Purpose::Reach(Point::new(at.x, from.y))
                } else {
                    Purpose::Stay
                }
            }
            Some(at) => Purpose::Reach(Point::new(at.x, (at.y + 2_500).clamp(from.y.min(8_000), 11_000))),
            None => Purpose::Stay,
        }
    }

    /// Scenario 3, the besieger.
    fn siege(&self, unit: &Unit) -> Purpose {
        let from = self.middle(unit).unwrap_or(Point::cm(90, 90));
        let works = self.table.is_on_works(unit);
        if works {
            return Purpose::Stay;
        }
        if self.table.is_inside(from) {
            return Purpose::Seek;
        }
        let profile = unit.profile();
        let plan = self.table.plan();
        let slot = |element: ElementId| plan.element(element).and_then(|part| part.slot(Slot::Outer));
        let gate = plan.each().find(|(id, part)| part.kind == Kind::Gate && !self.table.gate_is_open(*id));
        if let Some((front, _)) = gate.and_then(|(id, _)| slot(id))
            && unit.item.rams()
        {
            return Purpose::Reach(front);
        }
        match profile.arm {
            Arm::Artillery => {
                let wall = Point::new(from.x.clamp(7_800, 10_200), 1_600);
                return if from.gap_to(wall).rounded() > BATTERY {
                    Purpose::Reach(wall)
                } else {
                    Purpose::Stay
                };
            }
            Arm::Flyer => return Purpose::Range(SHOT),
            _ => {}
        }
        if let Some(opening) = self.openings().into_iter().min_by_key(|at| at.square_to(from))
            && profile.weapon.is_none()
        {
            // Through it, and into the courtyard behind it.
            let through = from.gap_to(opening).rounded() < 2_000 && (from.x - opening.x).abs() < 600;
            return Purpose::Reach(if through { Point::new(opening.x, 700) } else { opening.moved(0, 600) });
        }
        if matches!(unit.item, Item::Ladders | Item::SiegeTower) {
            let machine = unit.item == Item::SiegeTower;
            let weakest = plan
                .each()
                .filter(|(id, _)| self.table.is_wall(*id) && self.table.stands(*id))
                .filter_map(|(id, part)| Some((id, part.slot(Slot::Outer)?.0)))
                .filter(|(id, _)| self.table.held_by(*id) != Some(self.side))
                .min_by_key(|(id, at)| {
                    let held = i64::from(self.table.held_by(*id).is_some());
                    at.gap_to(from).rounded() + 1_000 * held
                });
            let Some((id, at)) = weakest else { return Purpose::Seek };
            let empty = self.table.held_by(id).is_none();
            if machine || empty || self.is_late() || at.gap_to(from).rounded() > WAIT {
                return Purpose::Reach(at);
            }
        }
        if profile.weapon.is_some() {
            return Purpose::Range(SHOT);
        }
        let y = if self.is_late() { 2_200 } else { 1_600 + WAIT };
        Purpose::Reach(Point::new(from.x.clamp(7_800, 10_200), y))
    }

    /// Whether a unit leaves what it carries: a ram is of no use before an open gate.
    pub(super) fn leaving(&self, id: UnitId) -> i64 {
        let open = self
            .table
            .plan()
            .each()
            .any(|(element, part)| part.kind == Kind::Gate && self.table.gate_is_open(element));
        let ram = self.table.unit(id).is_some_and(|unit| unit.item.rams());
        if open && ram { 300 } else { NEVER }
    }

    /// Whether the end may come any turn: who waits longer gets nothing.
    pub(super) const fn is_late(&self) -> bool {
        self.state.turn >= 3
    }

    /// Breaches, and a gate that stands open.
    fn openings(&self) -> Vec<Point> {
        let plan = self.table.plan();
        let open = plan.each().filter(|(id, part)| {
            !self.table.stands(*id) || (part.kind == Kind::Gate && self.table.gate_is_open(*id))
        });
        open.map(|(_, part)| part.rect.centre).collect()
    }

    /// Scenario 3, the garrison: who is on the works stays, the reserve closes openings and refills.
    fn defence(&self, unit: &Unit) -> Purpose {
        if self.table.is_on_works(unit) || unit.profile().arm == Arm::Artillery {
            return Purpose::Stay;
        }
        let from = self.middle(unit).unwrap_or(Point::cm(90, 7));
        let inside =
            self.enemies().any(|(_, enemy)| self.middle(enemy).is_some_and(|at| self.table.is_inside(at)));
        if inside {
            return Purpose::Seek;
        }
        let open = self
            .openings()
            .into_iter()
            .filter(|at| !self.own().any(|(_, one)| *one != *unit && self.table.gap_to(*at, one) < 200))
            .min_by_key(|at| at.square_to(from));
        if let Some(open) = open {
            return Purpose::Reach(open);
        }
        let empty = self.table.plan().each().any(|(id, _)| {
            self.table.is_wall(id) && self.table.stands(id) && self.table.held_by(id).is_none()
        });
        if empty && unit.profile().arm == Arm::Infantry { Purpose::Man } else { Purpose::Stay }
    }

    /// Where a unit makes for, if it does.
    pub(super) fn goal(&self, id: UnitId, unit: &Unit) -> Option<Point> {
        match self.purpose(id, unit) {
            Purpose::Enter(_, door) => Some(door),
            Purpose::Reach(goal) => Some(goal),
            Purpose::Range(_) | Purpose::Seek => {
                let from = self.middle(unit)?;
                self.enemies().filter_map(|(_, enemy)| self.middle(enemy)).min_by_key(|at| at.square_to(from))
            }
            Purpose::Man | Purpose::Stay => None,
        }
    }

    /// How much nearer a move brings its unit to what it is for.
    pub(super) fn gain(&self, step: &Move) -> i64 {
        let Some(unit) = self.table.unit(step.unit) else { return 0 };
        let purpose = self.purpose(step.unit, unit);
        let after = self.moved(unit, step);
        self.potential(&after, purpose) - self.potential(unit, purpose)
    }

    /// A unit after a move.
    fn moved(&self, unit: &Unit, step: &Move) -> Unit {
        let mut after = *unit;
        if let Some((front, facing)) = step.machine {
            let by = unit.machine.map_or((0, 0), |(old, _)| (front.x - old.x, front.y - old.y));
            after.machine = Some((front, facing));
            for stand in &mut after.stands {
                if let Place::Ground { front, .. } = &mut stand.place {
                    *front = front.moved(by.0, by.1);
                }
            }
        }
        for Way { stand, to, .. } in &step.stands {
            if let Some(stand) = after.stands.get_mut(usize::from(*stand)) {
                stand.place = *to;
            }
        }
        after
    }

    /// How near a unit is to what it is for: 100 for 20 cm, always below zero but in the right place.
    pub(super) fn potential(&self, unit: &Unit, purpose: Purpose) -> i64 {
        let Some(at) = self.middle(unit) else { return 0 };
        let far = |goal: Point| at.gap_to(goal).rounded() / 20;
        match purpose {
            Purpose::Enter(tower, door) => {
                let inside =
                    unit.alive().filter(|&at| unit.stands[at].place.element() == Some(tower)).count();
                if inside >= 2 { 2_000 } else { -far(door) }
            }
            Purpose::Reach(goal) => -far(goal),
            Purpose::Range(range) => {
                let nearest = self.nearest_enemy(at);
                -((nearest - range).max(0) + (range * 3 / 5 - nearest).max(0)) / 20
            }
            Purpose::Seek => -self.nearest_enemy(at) / 20,
            Purpose::Man => {
                let manned = unit.alive().filter_map(|at| unit.stands[at].place.element());
                let empty = |element: &ElementId| self.table.held_by(*element).is_none();
                60 * i64::try_from(manned.filter(empty).count()).unwrap_or(0)
            }
            Purpose::Stay => 0,
        }
    }

    /// How far the nearest enemy is from a place.
    pub(super) fn nearest_enemy(&self, at: Point) -> i64 {
        self.enemies().map(|(_, enemy)| self.table.gap_to(at, enemy)).min().unwrap_or(20_000)
    }

    /// The middle of a unit.
    pub(super) fn middle(&self, unit: &Unit) -> Option<Point> {
        let (mut x, mut y, mut count) = (0, 0, 0);
        for rect in self.table.bases(unit) {
            x += rect.centre.x;
            y += rect.centre.y;
            count += 1;
        }
        (count > 0).then(|| Point::new(x / count, y / count))
    }
}
