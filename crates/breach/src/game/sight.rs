//! Sight, the closest enemy and protection (section 4.4 of the game page).

use rulebook::rule;
use tabletop::geometry::Point;

use crate::shooting::Cover;
use crate::terms::{Arm, Item};

use super::geometry::{Rect, distance, part_way};
use super::ground::Boxed;
use super::plan::{ElementId, Kind, Terrain};
use super::state::{Look, Place, Table, Unit, UnitId, UnitSet};

/// No base has a point farther from the middle of its front.
const LARGEST: i64 = 1_000;

/// What somebody looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// A way to charge.
    Charge,
    /// A way for a shot.
    Shot,
}

impl Table {
    /// The edges by which a stand with this footprint sees.
    fn eyes(&self, unit: &Unit, at: usize, rect: &Rect) -> [Option<(Point, Point)>; 4] {
        let [fl, rl, rr, fr] = rect.corners;
        let all = || [(fl, fr), (rl, fl), (rr, rl), (fr, rr)].map(Some);
        let one = |edge| [Some(edge), None, None, None];
        match unit.stands[at].place {
            Place::Tower { .. } if rule!(BR_TOWERS_23).holds(true) => all(),
            Place::Rampart { element, look } => {
                let outward = self.plan().element(element).and_then(|part| part.outward);
                let turned = outward.map_or(0, |facing| facing.count() / 900);
                let edges = [(fl, fr), (fr, rr), (rr, rl), (rl, fl)];
                let out = usize::from(turned) % 4;
                let edge = match look {
                    Look::Out => out,
                    Look::In => (out + 2) % 4,
                };
                one(edges[edge])
            }
            _ if unit.profile().all_round => all(),
            _ => one((fl, fr)),
        }
    }

    /// Whether a stand has a clear ray to a footprint.
    pub(crate) fn ray(
        &self,
        unit: &Unit,
        at: usize,
        mark: &Rect,
        target: Option<UnitId>,
        aloft: bool,
        aim: Aim,
    ) -> bool {
        let Some(own) = self.stand_rect(unit, at) else { return false };
        let all_round = unit.profile().all_round || matches!(unit.stands[at].place, Place::Tower { .. });
        let eyes = self.eyes(unit, at, &own);
        if !all_round && eyes.iter().flatten().all(|&(left, right)| is_behind(left, right, mark)) {
            return false;
        }
        let from_works = unit.stands[at].place.element();
        let width = if aim == Aim::Shot { 100 } else { 0 };
        let reach = own.halves().0 + own.halves().1 + mark.halves().0 + mark.halves().1;
        let hull = Rect::strip(own.centre, mark.centre, 2 * reach);
        let mut blockers = Blockers::default();
        let artillery = unit.profile().arm == Arm::Artillery;
        for (id, other) in self.each() {
            let same = other.side == unit.side && other.number == unit.number;
            if Some(id) == target {
                continue;
            }
            // From the works one looks over friends; guns up there, or at something higher, over everybody.
            let over = from_works.is_some() && other.side == unit.side;
            if over || (artillery && (from_works.is_some() || aloft)) {
                continue;
            }
            for (to, stand) in other.stands.iter().enumerate() {
                if let Place::Ground { front, facing } = stand.place
                    && hull.may_be_near(front, LARGEST, 0)
                    && hull.may_be_beside(front, LARGEST)
                    && !(same && to == at)
                {
                    let (width, depth) = other.profile().base;
                    let base = Rect::new(front, facing, width, depth);
                    blockers.solid.extend(Some(base).filter(|base| base.overlaps(&hull)));
                }
            }
            if let Some(machine) = other.machine_rect().filter(|base| !same && base.overlaps(&hull)) {
                blockers.solid.push(machine);
            }
        }
        for (kind, ground) in self.plan().terrain.iter().filter(|(_, ground)| ground.overlaps(&hull)) {
            match kind {
                Terrain::Building => blockers.solid.push(*ground),
                Terrain::Wood => blockers.woods.push(*ground),
                Terrain::Broken | Terrain::Field | Terrain::Hedge => {}
            }
        }
        for (id, part) in self.plan().each().filter(|(_, part)| part.rect.overlaps(&hull)) {
            let down = !self.stands(id);
            if down && rule!(BR_BREACHES_06).holds(true) {
                continue;
            }
            if from_works == Some(id) || part.rect == *mark || self.works_rect(id) == Some(*mark) {
                continue;
            }
            let high = from_works.is_some() || aloft;
            let blocks = match part.kind {
                Kind::Tower | Kind::LoneTower => true,
                Kind::Wall => !high,
                Kind::Gate => {
                    let behind = part.slot(super::plan::Slot::Inner).is_some_and(|(slot, _)| {
                        unit.stands[at].place.element().is_none() && own.front() == slot
                    });
                    (high && !self.is_wall(id)) || (!high && !self.gate_is_open(id) && !behind)
                }
            };
            if blocks {
                blockers.solid.push(part.rect);
            }
        }
        let half = unit.profile().engine.then(|| distance(own.corners[0], own.corners[3]) / 2);
        // A corner ahead is seen where nothing is in the way.
        if blockers.is_empty() && half.is_none() {
            let open = |&(left, right): &(Point, Point)| {
                distance(left, right) >= 100
                    && mark.corners.iter().any(|corner| all_round || left.turn(right, *corner) > 0)
            };
            if eyes.iter().flatten().any(open) {
                return true;
            }
        }
        // A mark that one thing hides from a whole edge is not looked at point by point.
        let cores: Vec<Core> = blockers.solid.iter().filter_map(Core::of).collect();
        let hidden = |edge: (Point, Point), marks: &[Point]| cores.iter().any(|core| core.hides(edge, marks));
        let eyes = eyes.map(|edge| edge.filter(|&edge| !hidden(edge, &mark.corners)));
        if eyes.iter().all(Option::is_none) {
            return false;
        }
        // Engines look down a corridor as wide as they are.
        let mut outline = mark.outline();
        outline.retain(|point| half.is_none_or(|half| (own.frame(*point).0 >> 30).abs() <= half));
        eyes.into_iter().flatten().any(|(left, right)| {
            let mut ahead = outline.iter().filter(|point| all_round || left.turn(right, **point) > 0);
            if blockers.is_empty() {
                return distance(left, right) >= 100 && ahead.next().is_some();
            }
            let ahead: Vec<Point> =
                ahead.copied().filter(|&point| !hidden((left, right), &[point])).collect();
            let length = if ahead.is_empty() { 0 } else { distance(left, right) };
            let mut eyes = (1..=(length - 50) / 50).map(|step| part_way(left, right, step * 50, length));
            eyes.any(|eye| ahead.iter().any(|&point| !blockers.bar(eye, point, width)))
        })
    }

    /// Whether a stand sees a unit, within a distance.
    pub(crate) fn stand_sees(
        &self,
        unit: &Unit,
        at: usize,
        target: UnitId,
        within: (i64, i64),
        aim: Aim,
    ) -> bool {
        let (Some(other), Some(own)) = (self.unit(target), self.stand_rect(unit, at)) else { return false };
        let machine = other.machine_rect().into_iter();
        let marks = other.alive().filter_map(|to| {
            self.stand_rect(other, to).map(|rect| (rect, other.stands[to].place.element().is_some()))
        });
        marks.chain(machine.map(|rect| (rect, false))).any(|(rect, aloft)| {
            own.is_near(&rect, within.1) && {
                let gap = own.gap(&rect);
                gap <= within.1 && gap >= within.0 && self.ray(unit, at, &rect, Some(target), aloft, aim)
            }
        })
    }

    /// Whether some stand of a unit sees another unit.
    pub(crate) fn sees(&self, unit: &Unit, target: UnitId, within: i64, aim: Aim) -> bool {
        unit.alive().any(|at| self.stand_sees(unit, at, target, (0, within), aim))
    }

    /// Whether every stand of a unit is on the works.
    pub(crate) fn is_fortified(&self, unit: &Unit) -> bool {
        unit.alive().all(|at| unit.stands[at].place.element().is_some())
    }

    /// The enemies within a distance by their gap, nearest first.
    pub(crate) fn enemies_within(&self, unit: &Unit, distance: i64) -> Vec<(i64, UnitId)> {
        self.nearest_of(unit, distance, &self.boxes(unit.side.other()))
    }

    /// Those of these units within a distance of one by their gap, nearest first.
    pub(crate) fn nearest_of(&self, unit: &Unit, distance: i64, others: &[Boxed<'_>]) -> Vec<(i64, UnitId)> {
        let mut near: Vec<(i64, UnitId)> = self.near_of(unit, distance, others).collect();
        near.sort_unstable();
        near
    }

    /// The enemies within a distance of one stand, nearest first.
    pub(crate) fn enemies_of_stand(&self, unit: &Unit, at: usize, distance: i64) -> Vec<(i64, UnitId)> {
        let Some(own) = self.stand_rect(unit, at) else { return Vec::new() };
        let mut near: Vec<(i64, UnitId)> = self
            .of_side(unit.side.other())
            .filter_map(|(id, other)| {
                let rects = other.alive().filter_map(|to| self.stand_rect(other, to));
                let gaps = rects.chain(other.machine_rect()).filter(|rect| own.is_near(rect, distance));
                let gap = gaps.map(|rect| own.gap(&rect)).min()?;
                (gap <= distance).then_some((gap, id))
            })
            .collect();
        near.sort_unstable();
        near
    }

    /// The closest visible enemies within a distance: one, or several that are equally close.
    pub(crate) fn closest(&self, unit: &Unit, distance: i64, aim: Aim) -> Vec<(i64, UnitId)> {
        let mut found: Vec<(i64, UnitId)> = Vec::new();
        for (gap, id) in self.enemies_within(unit, distance) {
            if found.first().is_some_and(|(least, _)| gap > *least) {
                break;
            }
            if self.sees(unit, id, distance, aim) {
                found.push((gap, id));
            }
        }
        found
    }

    /// How a stand is covered against shots from a place.
    pub(crate) fn cover(&self, unit: &Unit, at: usize, from: Point, inside: bool) -> Cover {
        let arm = unit.profile().arm;
        if !arm.takes_cover() {
            return Cover::Open;
        }
        match unit.stands[at].place {
            Place::Tower { .. } => return Cover::Tower,
            Place::Rampart { .. } => return if inside { Cover::Defended } else { Cover::Fortified },
            _ => {}
        }
        let Some(rect) = self.ground_rect(unit, at) else { return Cover::Open };
        if self.behind_work(&rect, from) && rule!(BR_EARTHWORKS_07).holds(true) {
            return Cover::Fortified;
        }
        if self.is_defended(unit, at, from) { Cover::Defended } else { Cover::Open }
    }

    /// Whether an earthwork lies between a base and a place.
    pub(crate) fn behind_work(&self, rect: &Rect, from: Point) -> bool {
        self.standing_works().any(|(_, work)| parted(&work, rect, from))
    }

    /// Whether a stand on the ground is defended against an enemy at a place.
    pub(crate) fn is_defended(&self, unit: &Unit, at: usize, from: Point) -> bool {
        let Some(rect) = self.ground_rect(unit, at) else { return false };
        let arm = unit.profile().arm;
        if !arm.takes_cover() {
            return false;
        }
        let foot = arm == Arm::Infantry;
        if foot && self.breach_at(rect.centre).is_some() && rule!(BR_BREACHES_04).holds(true) {
            return true;
        }
        let dense = |kind: Terrain| matches!(kind, Terrain::Wood | Terrain::Broken);
        if foot && self.plan().terrain.iter().any(|(kind, ground)| dense(*kind) && ground.holds(rect.centre))
        {
            return true;
        }
        let hedge = self.plan().terrain.iter().filter(|(kind, _)| *kind == Terrain::Hedge);
        if hedge.into_iter().any(|(_, hedge)| parted(hedge, &rect, from)) {
            return true;
        }
        if self.behind_work(&rect, from) && rule!(BR_EARTHWORKS_08).holds(true) {
            return true;
        }
        let (x, y) = rect.frame(from);
        let (a, b) = rect.halves();
        unit.item == Item::Mantlets && (y >> 30) >= b && (x >> 30).abs() - a <= (y >> 30) - b
    }

    /// The breach under a place.
    pub(crate) fn breach_at(&self, place: Point) -> Option<ElementId> {
        self.plan().each().find(|(id, part)| !self.stands(*id) && part.rect.holds(place)).map(|(id, _)| id)
    }

    /// Whether a stand of the unit is in dense ground.
    pub(crate) fn is_in_dense(&self, unit: &Unit) -> bool {
        unit.alive().any(|at| {
            self.ground_rect(unit, at).is_some_and(|rect| {
                self.plan().terrain.iter().any(|(kind, ground)| {
                    matches!(kind, Terrain::Wood | Terrain::Broken) && ground.overlaps(&rect)
                })
            })
        })
    }

    /// Whether a stand of the unit is in a breach.
    pub(crate) fn is_in_breach(&self, unit: &Unit) -> bool {
        let places = unit.alive().filter_map(|at| self.ground_rect(unit, at));
        places.into_iter().any(|rect| self.breach_at(rect.centre).is_some())
    }

    /// Whether a breach lies between two places.
    pub(crate) fn is_over_breach(&self, from: Point, to: Point) -> bool {
        let line = Rect::strip(from, to, 0);
        self.plan().each().any(|(id, part)| !self.stands(id) && part.rect.overlaps(&line))
    }
}

/// Whether the whole outline of a base lies behind an edge, its rounded points included.
fn is_behind(left: Point, right: Point, mark: &Rect) -> bool {
    let slack = (right.x - left.x).abs() + (right.y - left.y).abs();
    mark.corners.iter().all(|&corner| left.turn(right, corner) < -slack)
}

/// Which enemies a unit has been found to see, and which it was asked about.
#[derive(Default)]
pub(crate) struct Seen {
    asked: UnitSet,
    seen: UnitSet,
}

impl Seen {
    /// Whether an enemy is seen; looked for once.
    pub(crate) fn of(&mut self, enemy: UnitId, look: impl FnOnce() -> bool) -> bool {
        if !self.asked.has(enemy) {
            self.asked = self.asked.with(enemy);
            if look() {
                self.seen = self.seen.with(enemy);
            }
        }
        self.seen.has(enemy)
    }
}

/// The inner part of something solid, so far from its edges that whatever crosses it is barred however it
/// is rounded: by its diagonals.
struct Core {
    diagonals: [(Point, Point); 2],
}

impl Core {
    /// The core of a base that is large enough to have one.
    fn of(rect: &Rect) -> Option<Self> {
        rect.drawn_in(12).map(|[fl, rl, rr, fr]| Self { diagonals: [(fl, rr), (rl, fr)] })
    }

    /// Whether every line from an edge to places between these crosses a diagonal: its ends lie on both
    /// sides of the outermost lines, hence of all.
    fn hides(&self, (left, right): (Point, Point), marks: &[Point]) -> bool {
        self.diagonals.iter().any(|&(one, two)| {
            let (one, two) = if one.turn(two, left) > 0 { (one, two) } else { (two, one) };
            let crosses = |eye: Point, mark: Point| eye.turn(mark, one) < 0 && eye.turn(mark, two) > 0;
            [left, right].into_iter().all(|eye| one.turn(two, eye) > 0)
                && marks
                    .iter()
                    .all(|&mark| one.turn(two, mark) < 0 && crosses(left, mark) && crosses(right, mark))
        })
    }
}

/// What may bar the rays between two bases.
#[derive(Default)]
struct Blockers {
    solid: Vec<Rect>,
    woods: Vec<Rect>,
}

impl Blockers {
    fn is_empty(&self) -> bool {
        self.solid.is_empty() && self.woods.is_empty()
    }

    /// Whether a ray is barred: by something solid, or by too much of a wood.
    fn bar(&mut self, eye: Point, point: Point, width: i64) -> bool {
        let square = eye.square_to(point);
        // Whatever is farther from the line than it reaches does not meet the ray.
        let beside = |blocker: &Rect| {
            let (turn, most) = (eye.turn(point, blocker.centre), blocker.reach() + width / 2 + 4);
            turn * turn > most * most * square
        };
        let mut ray = None;
        let barred = self.solid.iter().position(|blocker| {
            !beside(blocker) && blocker.overlaps(ray.get_or_insert_with(|| Rect::strip(eye, point, width)))
        });
        // What has barred one ray bars the next as a rule: it is looked at first.
        if let Some(place) = barred {
            self.solid.swap(0, place);
        }
        barred.is_some() || self.woods.iter().any(|wood| inside_length(wood, eye, point) > 200)
    }
}

/// Whether a base touches a work and a place lies on its other side.
fn parted(work: &Rect, rect: &Rect, from: Point) -> bool {
    if !work.is_near(rect, 10) || work.gap(rect) >= 10 {
        return false;
    }
    // The long axis of the work.
    let (x, y) = work.frame(rect.centre);
    let (fx, fy) = work.frame(from);
    let (w, d) = work.halves();
    if w >= d { (y > 0) != (fy > 0) } else { (x > 0) != (fx > 0) }
}

/// The length of a segment inside a wood, roughly to the centimetre.
fn inside_length(wood: &Rect, from: Point, to: Point) -> i64 {
    let length = distance(from, to).max(1);
    let steps = (length / 50).clamp(1, 400);
    let [_, low, _, high] = wood.corners;
    let at = |k: i64| part_way(from, to, k, steps);
    let inside = {
        let (first, last) = inside_steps(steps, low.x, high.x, |k| at(k).x);
        let (from, to) = inside_steps(steps, low.y, high.y, |k| at(k).y);
        (last.min(to) - first.max(from)).max(0)
    };
    inside * length / (steps + 1)
}

/// The steps from `0` to `steps` on which a coordinate, which only grows or only shrinks, lies between two
/// values: the first of them, and the first beyond them.
fn inside_steps(steps: i64, low: i64, high: i64, at: impl Fn(i64) -> i64) -> (i64, i64) {
    let grows = at(0) <= at(steps);
    let first = |reached: &dyn Fn(i64) -> bool| {
        let (mut least, mut most) = (0, steps + 1);
        while least < most {
            let middle = i64::midpoint(least, most);
            if reached(middle) { most = middle } else { least = middle + 1 }
        }
        least
    };
    if grows {
        (first(&|k| at(k) >= low), first(&|k| at(k) > high))
    } else {
        (first(&|k| at(k) <= high), first(&|k| at(k) < low))
    }
}

#[cfg(test)]
mod tests {
    use tabletop::geometry::Facing;

    use super::*;

    /// Every step looked at, as the law has it.
    fn step_by_step(wood: &Rect, from: Point, to: Point) -> i64 {
        let length = distance(from, to).max(1);
        let steps = (length / 50).clamp(1, 400);
        let inside = (0..=steps).filter(|&k| wood.holds(part_way(from, to, k, steps))).count();
        i64::try_from(inside).unwrap_or(0) * length / (steps + 1)
    }

    proptest::proptest! {
        #[test]
        fn the_length_in_a_wood_is_that_of_its_steps(
            (a, b, c, d) in (0_i64..18_000, 0_i64..12_000, 0_i64..18_000, 0_i64..12_000),
            (x, y, w, h) in (0_i64..9_000, 0_i64..6_000, 1_i64..9_000, 1_i64..6_000),
        ) {
            let wood = Rect::axis(Point::new(x, y), Point::new(x + w, y + h));
            let (from, to) = (Point::new(a, b), Point::new(c, d));
            proptest::prop_assert_eq!(inside_length(&wood, from, to), step_by_step(&wood, from, to));
        }

        #[test]
        fn what_is_beside_a_ray_does_not_bar_it(
            (a, b, c, d) in (0_i64..9_000, 0_i64..9_000, 0_i64..9_000, 0_i64..9_000),
            (x, y, turn) in (0_i64..9_000, 0_i64..9_000, 0_i32..3_600),
            width in 0_i64..2,
        ) {
            let base = Rect::new(Point::new(x, y), Facing::tenths(turn), 400, 200);
            let (eye, point) = (Point::new(a, b), Point::new(c, d));
            let mut blockers = Blockers { solid: vec![base], woods: Vec::new() };
            let barred = base.overlaps(&Rect::strip(eye, point, width * 100));
            proptest::prop_assert_eq!(blockers.bar(eye, point, width * 100), barred);
        }

        #[test]
        fn no_ray_passes_what_hides_a_mark(
            (x, y, turn) in (0_i64..3_000, 0_i64..3_000, 0_i32..3_600),
            (mx, my, faced) in (-3_000_i64..3_000, -3_000_i64..3_000, 0_i32..3_600),
            (share, aside, turned) in (0_i64..100, -250_i64..250, 0_i32..3_600),
            width in 0_i64..2,
        ) {
            let base = |x, y, turn| Rect::new(Point::new(x, y), Facing::tenths(turn), 400, 200);
            let (own, mark) = (base(x, y, turn), base(x + mx, y + my, faced));
            // Somewhere between them, more or less.
            let between = base(x + mx * share / 100 + aside, y + my * share / 100 - aside, turned);
            let [left, _, _, right] = own.corners;
            let length = distance(left, right);
            let core = Core::of(&between).unwrap();
            let mut blockers = Blockers { solid: vec![between], woods: Vec::new() };
            let eyes: Vec<Point> =
                (1..=(length - 50) / 50).map(|step| part_way(left, right, step * 50, length)).collect();
            let whole = core.hides((left, right), &mark.corners);
            for point in mark.outline() {
                if whole || core.hides((left, right), &[point]) {
                    for &eye in &eyes {
                        proptest::prop_assert!(blockers.bar(eye, point, width * 100));
                    }
                }
            }
        }
    }
}
