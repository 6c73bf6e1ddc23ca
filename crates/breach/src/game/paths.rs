//! Ways over the ground (section 4.3 of the game page): what bars them, and the shortest way around it, for
//! charges and candidates.

use std::cell::OnceCell;

use kernel::{Refusal, RuleId, Verdict};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::Point;

use crate::terms::Arm;

use super::action::Way;
use super::crowd::{Crowd, Few};
use super::geometry::{Around, Rect, distance};
use super::ground::Keep;
use super::moves::Mover;
use super::plan::{TABLE, Terrain};
use super::state::{Place, Table, Unit, UnitId};

/// Something that bars a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obstacle {
    pub(super) rect: Rect,
    /// How wide the way past it must be.
    width: i64,
    rule: RuleId,
    /// The unit it belongs to.
    pub(super) unit: Option<UnitId>,
}

/// A leg of a way: a strip, drawn when something is near enough to bar it.
struct Leg {
    from: Point,
    to: Point,
    around: Around,
    narrow: OnceCell<Rect>,
    wide: OnceCell<Rect>,
}

impl Leg {
    fn new(from: Point, to: Point) -> Self {
        let around = Around::leg(from, to).grown(210);
        Self { from, to, around, narrow: OnceCell::new(), wide: OnceCell::new() }
    }

    fn meets(&self, obstacle: &Obstacle) -> bool {
        obstacle.rect.may_meet(&self.around) && {
            let strip = if obstacle.width > 200 { &self.wide } else { &self.narrow };
            let width = if obstacle.width > 200 { 400 } else { 200 };
            strip.get_or_init(|| Rect::strip(self.from, self.to, width)).overlaps(&obstacle.rect)
        }
    }
}

/// A way by the numbers of its nodes, the first of which is where it begins.
#[derive(Clone, Copy, Default)]
struct Legs {
    length: i64,
    nodes: [u8; 3],
    count: usize,
}

impl Legs {
    /// The nodes after the first.
    fn between(&self) -> impl Iterator<Item = usize> {
        self.nodes.iter().take(self.count).map(|&node| usize::from(node))
    }

    fn last(&self) -> usize {
        self.between().last().unwrap_or(0)
    }

    fn passes(&self, node: usize) -> bool {
        self.between().any(|known| known == node)
    }

    /// The same and one leg more.
    fn with(mut self, node: usize, length: i64) -> Self {
        if let (Some(next), Ok(node)) = (self.nodes.get_mut(self.count), u8::try_from(node)) {
            *next = node;
            self.count += 1;
        }
        Self { length, ..self }
    }
}

/// Whether a way may lead over a place.
pub(super) fn is_on_table(place: Point) -> bool {
    (0..=TABLE.0).contains(&place.x) && (0..=TABLE.1).contains(&place.y)
}

impl Mover<'_> {
    /// What may be in his way from one place to another.
    pub(super) fn obstacles(&self, from: Point, to: Point) -> &[Obstacle] {
        if self.within.is_some_and(|within| within.holds(from) && within.holds(to)) {
            self.near_obstacles()
        } else {
            self.anywhere.get_or_init(|| {
                let all = self.table.crowd(self.unit, self.moving, None);
                self.table.obstacles(self.unit, &all, self.keep, None)
            })
        }
    }

    /// What may be in his way on the ground that he can reach.
    pub(super) fn near_obstacles(&self) -> &[Obstacle] {
        self.near
            .get_or_init(|| self.table.obstacles(self.unit, self.crowd_of(self.unit), self.keep, self.within))
    }

    /// Whether a leg is clear; the charged unit does not bar the last.
    pub(super) fn clear(&self, from: Point, to: Point, last: bool) -> Verdict<()> {
        if from == to || self.unit.profile().arm == Arm::Flyer {
            return Ok(());
        }
        self.clear_of(self.obstacles(from, to), &Few::ALL, from, to, last)
    }

    /// Whether a leg is clear of those of some obstacles that are near it.
    pub(super) fn clear_of(
        &self,
        obstacles: &[Obstacle],
        near: &Few,
        from: Point,
        to: Point,
        last: bool,
    ) -> Verdict<()> {
        let leg = Leg::new(from, to);
        for obstacle in near.each(obstacles) {
            if last && obstacle.unit.is_some_and(|unit| self.charged.has(unit)) {
                continue;
            }
            if leg.meets(obstacle) && obstacle.rule.holds(true) {
                return Err(Refusal::rule(obstacle.rule, phrase::BLOCKED));
            }
        }
        Ok(())
    }

    /// The shortest way of a centre with at most three waypoints, if there is one.
    pub(crate) fn path(&self, from: Point, to: Point) -> Option<Vec<Point>> {
        if self.clear(from, to, true).is_ok() {
            return Some(Vec::new());
        }
        let obstacles = self.obstacles(from, to);
        let met = |from: Point, to: Point, last: bool, known: &[usize]| -> Vec<usize> {
            let leg = Leg::new(from, to);
            let obstacles = obstacles.iter().enumerate();
            obstacles
                .filter(|(at, obstacle)| {
                    !(known.contains(at) || last && obstacle.unit.is_some_and(|unit| self.charged.has(unit)))
                        && leg.meets(obstacle)
                })
                .map(|(at, _)| at)
                .collect()
        };
        let mut known = met(from, to, true, &[]);
        for _ in 0..4 {
            known.truncate(16);
            let barring: Vec<&Obstacle> = known.iter().filter_map(|&at| obstacles.get(at)).collect();
            let way = self.around_by(from, to, &barring)?;
            let mut legs = vec![from];
            legs.extend(&way);
            legs.push(to);
            let last = legs.len() - 2;
            let more: Vec<usize> =
                (0..=last).flat_map(|k| met(legs[k], legs[k + 1], k == last, &known)).collect();
            if more.is_empty() {
                return Some(way);
            }
            known.extend(more);
            known.sort_unstable();
            known.dedup();
        }
        None
    }

    /// The shortest way around some obstacles by their corners.
    fn around_by(&self, from: Point, to: Point, barring: &[&Obstacle]) -> Option<Vec<Point>> {
        let mut nodes = vec![from];
        for obstacle in barring {
            let grown = obstacle.width / 2 + 5;
            let centre = obstacle.rect.centre;
            for corner in obstacle.rect.corners {
                let out = |value: i64, middle: i64| value + (value - middle).signum() * grown;
                let node = Point::new(out(corner.x, centre.x), out(corner.y, centre.y));
                if is_on_table(node) {
                    nodes.push(node);
                }
            }
        }
        nodes.push(to);
        let end = nodes.len() - 1;
        // Each leg is looked at once.
        let mut looked: Vec<Option<bool>> = vec![None; nodes.len() * nodes.len()];
        let mut clear = |one: usize, two: usize| {
            *looked[one * (end + 1) + two].get_or_insert_with(|| {
                let leg = Leg::new(nodes[one], nodes[two]);
                barring.iter().all(|obstacle| {
                    (two == end && obstacle.unit.is_some_and(|unit| self.charged.has(unit)))
                        || !leg.meets(obstacle)
                })
            })
        };
        // The shortest way to each node with so many legs.
        let mut best = vec![Legs::default()];
        let mut found: Option<(i64, Vec<Point>)> = None;
        for left in (0..4).rev() {
            let mut next: Vec<Legs> = Vec::new();
            // The last leg leads to the end.
            let first = if left == 0 { end } else { 1 };
            for way in &best {
                for to in first..nodes.len() {
                    if way.passes(to) {
                        continue;
                    }
                    let total = way.length + distance(nodes[way.last()], nodes[to]);
                    if total > self.allowance + 400 || found.as_ref().is_some_and(|(least, _)| total > *least)
                    {
                        continue;
                    }
                    let known = next.iter().position(|other| other.last() == to);
                    if known.is_some_and(|known| next[known].length <= total) || !clear(way.last(), to) {
                        continue;
                    }
                    if to == end {
                        let points: Vec<Point> = way.between().map(|node| nodes[node]).collect();
                        let better =
                            found.as_ref().is_none_or(|known| (total, &points) < (known.0, &known.1));
                        if better {
                            found = Some((total, points));
                        }
                    } else {
                        if let Some(known) = known {
                            next.remove(known);
                        }
                        next.push(way.with(to, total));
                    }
                }
            }
            best = next;
        }
        found.map(|(_, way)| way)
    }

    /// The way of a stand to a place on the ground, if it can be reached.
    pub(crate) fn reach(&self, stand: usize, to: Place) -> Option<Way> {
        let number = u8::try_from(stand).ok()?;
        let from = self.starts.get(stand).copied().flatten()?;
        let end = self.table.footprint(to, self.unit.profile().base)?;
        let mut way = Way { stand: number, via: Vec::new(), to };
        if self.unit.stands.get(stand)?.place.element().is_none() && to.element().is_none() {
            if distance(from.centre, end.centre) > self.allowance {
                return None;
            }
            way.via = self.path(from.centre, end.centre)?;
            // Where the way is straight it has been found open.
            if way.via.is_empty() {
                return (self.straight(&from, &end) <= self.allowance).then_some(way);
            }
        }
        let travel = self.travel(&way).ok()?;
        (travel <= self.allowance).then_some(way)
    }
}

impl Table {
    /// What bars the way of a unit among others, within a box or everywhere.
    fn obstacles(&self, unit: &Unit, crowd: &Crowd, keep: Keep, within: Option<Around>) -> Vec<Obstacle> {
        let front = if unit.machine.is_some() || unit.profile().base.0 > 200 { 400 } else { 200 };
        let mut found = Vec::with_capacity(32);
        for other in crowd.others.iter().filter(|other| !other.aloft) {
            let width = if other.enemy { front } else { 200 };
            found.push(Obstacle { rect: other.rect, width, rule: rule!(BC_5_2_04), unit: Some(other.unit) });
        }
        let around = within.map(|within| within.grown(300));
        let mut ground = |rect: Rect, rule: RuleId| {
            if around.is_none_or(|around| rect.may_meet(&around)) {
                found.push(Obstacle { rect, width: 200, rule, unit: None });
            }
        };
        for (_, rect) in self.solids(unit.side) {
            ground(rect, rule!(BC_14_1_02));
        }
        for rect in self.passage_sides() {
            ground(rect, rule!(BR_R105));
        }
        let arm = unit.profile().arm;
        let burdened = unit.is_burdened();
        for (id, part) in self.plan().each() {
            if !self.stands(id) && (arm != Arm::Infantry || burdened) {
                let rule = match (arm, keep) {
                    (Arm::Infantry, _) => rule!(BR_R28),
                    (_, Keep::Contact) => rule!(BR_BREACHES_07),
                    _ => rule!(BR_BREACHES_05),
                };
                ground(part.rect, rule);
            }
        }
        for (kind, rect) in &self.plan().terrain {
            let heavy = matches!(arm, Arm::Artillery | Arm::Chariot);
            let closed = match kind {
                Terrain::Building => true,
                Terrain::Wood => arm != Arm::Infantry || burdened,
                Terrain::Broken => burdened || arm == Arm::Artillery,
                Terrain::Field => heavy,
                Terrain::Hedge => heavy || burdened,
            };
            if closed {
                ground(*rect, if burdened { rule!(BR_PORTABLE_RAM_06) } else { rule!(BC_5_5_01) });
            }
        }
        if matches!(arm, Arm::Artillery | Arm::Chariot) || burdened {
            for (_, rect) in self.standing_works() {
                ground(rect, rule!(BR_EARTHWORKS_11));
            }
        }
        found
    }
}
