//! Whether a body could charge another or come into contact with it within a half-period (FE-R05).
//! Two bodies enter; the answer of the movement rules along the shortest legal way leaves: straight
//! at it, else round what stands in the way, by the corners of elements and of other units.

use kernel::{Centimetres, Desk, Scripted, Silent};
use rulebook::options::tabletop::Options;

use super::super::ground::{self, Ground};
use super::super::troops::Troops;
use super::turn::{self, follows_head, turns_freely};
use super::way::{Way, head, heading};
use super::{charge_bonus, field_as_ground, half_period, water_as_ground};
use crate::geometry::{Extent, Point, Polygon, Segment};
use crate::movement::Pace;
use crate::scene::{Body, Element, Kind, Redoubt, Scene};
use crate::terrain::state::State;

/// Beyond the nearest point of the enemy, so that contact is made and not just missed.
const BEYOND: i64 = 20;

/// The most places a way round is looked for by, the nearest first.
const CORNERS: usize = 48;

/// Whether a body could reach another within a half-period, with its charge bonus where it may
/// charge.
#[must_use]
pub fn reaches(scene: &Scene, options: &Options, body: &Body, enemy: &Body) -> bool {
    let Ok(half) = half_period(body, Pace::Normal) else { return false };
    let (half, bonus) = (i64::from(half.count()), i64::from(charge_bonus(body).count()));
    let gap = body.now().gap_to(enemy.now()).rounded();
    if gap > half + bonus {
        return false;
    }
    let Some(from) = head(body.now()) else { return false };
    let straight = straight_at(body, enemy, from);
    let (here, there) = (body.now().extent, enemy.now().extent);
    if things(scene, body, enemy, scene.grid().between(&here, &there)).is_empty() {
        return in_the_open(body, from, straight, gap, (half, bonus));
    }
    let arrives = |to: &[Point], charges: bool| arrives(scene, options, body, enemy, to, charges);
    if arrives(&[straight], true) {
        return true;
    }
    if gap > half {
        return false;
    }
    // Through what slows, and round all of it.
    let troops = body.troops();
    let around = scene.grid().near(&here.grown(half));
    let obstacles: Vec<Hindrance> = things(scene, body, enemy, around)
        .into_iter()
        .filter_map(|thing| Hindrance::of(thing, &troops, options))
        .collect();
    let aside = half_front(body);
    [false, true].into_iter().any(|round_all| {
        let route = shortest(from, enemy, &obstacles, aside, half, round_all);
        route.is_some_and(|route| route.len() > 1 && arrives(&route, false))
    })
}

/// Where the head goes to meet the enemy straight on.
fn straight_at(body: &Body, enemy: &Body, from: Point) -> Point {
    let nearest = |corner: Point| {
        let points = enemy.now().figures.iter().map(move |figure| figure.base.nearest_to(corner));
        points.min_by_key(|point| point.square_to(corner)).map(|point| Segment::new(corner, point))
    };
    let path = if follows_head(body.now().formation) {
        nearest(from)
    } else {
        let corners = body.now().figures.iter().flat_map(|figure| figure.base.corners);
        corners.filter_map(nearest).min_by_key(|path| path.square())
    };
    let path = path.unwrap_or(Segment::new(from, enemy.now().centre));
    let length = path.length().max(1);
    let end = path.from.towards(path.to, length + BEYOND, length);
    from.moved(end.x - path.from.x, end.y - path.from.y)
}

/// On open ground only distance and direction count.
fn in_the_open(body: &Body, from: Point, to: Point, gap: i64, (half, bonus): (i64, i64)) -> bool {
    let formation = body.now().formation;
    let direction = heading(from, to);
    let ahead = turns_freely(formation) || body.now().facing.angle_to(direction) <= turn::STEP;
    if ahead && gap <= half + bonus && body.state < State::Unformed {
        return true;
    }
    // Whole quarters are lost to turning.
    let turning = i64::try_from(turn::before(body, body.now().facing, direction, true).len()).unwrap_or(2);
    gap <= half * (2 - turning.min(2)) / 2
}

/// Whether the movement rules bring a body along a way into contact with that enemy, in a march or,
/// straight ahead, in a charge.
fn arrives(scene: &Scene, options: &Options, body: &Body, enemy: &Body, to: &[Point], charges: bool) -> bool {
    let mut nobody = Desk::new(Scripted::new(&[]), Silent);
    let Ok(way) = Way::new(scene, body, to, Pace::Normal) else { return false };
    let Ok((stretches, Some(foe))) = way.stretches(way.length()) else { return false };
    if !std::ptr::eq(foe, enemy) {
        return false;
    }
    let whole: Centimetres = stretches.iter().map(|stretch| stretch.cm).sum();
    let mut gets_there = |pace: Pace| {
        let judged = way.judge(&stretches, Some(foe), pace, (2, false), options, &mut nobody);
        judged.is_ok_and(|(march, _)| march.distance_cm >= whole)
    };
    // A charge is a way of its own only in that it must go straight ahead.
    let ahead = charges && Way::new(scene, body, to, Pace::Charge).is_ok();
    (ahead && gets_there(Pace::Charge)) || gets_there(Pace::Normal)
}

/// What may stop or slow a body on its way to another.
#[derive(Clone, Copy)]
enum Thing<'a> {
    Element(&'a Element),
    Unit(&'a Body),
}

/// Those of some numbered things that may hinder a body on its way to an enemy.
fn things<'a>(scene: &'a Scene, body: &Body, enemy: &Body, numbers: Vec<u32>) -> Vec<Thing<'a>> {
    let elements = scene.elements().len();
    numbers
        .into_iter()
        .filter_map(|number| {
            let number = usize::try_from(number).ok()?;
            if number < elements {
                let element = scene.elements().get(number)?;
                let acts = match &element.kind {
                    Kind::Village(_) | Kind::Track(..) => false,
                    Kind::Road(road) => !road.setup.tree_lined.is_empty(),
                    _ => true,
                };
                return acts.then_some(Thing::Element(element));
            }
            let other = scene.bodies().get(number - elements)?;
            let stands =
                other.side() != body.side() && !std::ptr::eq(other, enemy) && other.now().house.is_none();
            stands.then_some(Thing::Unit(other))
        })
        .collect()
}

/// Half the front of a body: its head stays so far from what its flanks must not touch.
fn half_front(body: &Body) -> i64 {
    let first = body.now().figures.iter().filter(|figure| figure.rank == 0);
    let ends: Vec<Point> =
        first.flat_map(|figure| [figure.base.front_left(), figure.base.front_right()]).collect();
    let (Some(&one), Some(&other)) = (ends.first(), ends.last()) else { return 0 };
    Segment::new(one, other).length() / 2 + 2
}

/// How a leg gets on with what it meets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Going {
    /// A bridge or a ford: water is no hindrance there.
    Passage,
    /// A line to be crossed by ranks.
    Line,
    /// It costs so much for so much.
    Slow(i64, i64),
    /// Closed to the body.
    Closed,
}

/// Something to go round, or across.
struct Hindrance {
    going: Going,
    /// Its outline or its line.
    corners: Vec<Point>,
    area: Option<Polygon>,
    is_water: bool,
}

impl Hindrance {
    fn of(thing: Thing<'_>, troops: &Troops, options: &Options) -> Option<Self> {
        let element = match thing {
            Thing::Unit(unit) => {
                let footprint = &unit.now().footprint;
                return Some(Self::covering(footprint, Going::Closed));
            }
            Thing::Element(element) => element,
        };
        let ground = match &element.kind {
            Kind::Obstacle(obstacle) | Kind::Redoubt(Redoubt { faces: obstacle, .. }) => {
                let corners = obstacle.standing().flat_map(|edge| [edge.from, edge.to]).collect();
                return Some(Self { going: Going::Line, corners, area: None, is_water: false });
            }
            Kind::Bridge(_, area) | Kind::Ford(_, area) => {
                return Some(Self::covering(area, Going::Passage));
            }
            Kind::Hill(_) => Ground::HillSlope,
            Kind::Plateau(_) => Ground::PlateauSlope,
            Kind::Wood(..) => Ground::Wood,
            Kind::House(_) => Ground::House,
            Kind::Water(water) => water_as_ground(water.kind),
            Kind::Marsh(..) => Ground::Marsh,
            Kind::Field(kind, _) => field_as_ground(*kind),
            Kind::Abandoned(_, base) => {
                return Some(Self::covering(&Polygon::new(base.corners.to_vec()), Going::Slow(2, 1)));
            }
            Kind::Village(_) | Kind::Track(..) | Kind::Road(_) => return None,
        };
        let mut nobody = Desk::new(Scripted::new(&[]), Silent);
        let all = ground::elements(&[ground], options, &mut nobody);
        let speed = ground::speed(&all, troops, &mut nobody);
        let going = if all.iter().any(|one| one.admits(troops, options).is_err()) {
            Going::Closed
        } else {
            Going::Slow(i64::from(speed.whole), i64::from(speed.of.max(1)))
        };
        let covering = Self::covering(element.area()?, going);
        Some(Self { is_water: ground.is_watercourse(), ..covering })
    }

    fn covering(area: &Polygon, going: Going) -> Self {
        Self { going, corners: area.outline().to_vec(), area: Some(area.clone()), is_water: false }
    }

    /// Places by which a body that goes that way can pass it, its flanks clear.
    fn places(&self, aside: i64, way: Segment) -> Vec<Point> {
        let around = Extent::of(&self.corners);
        let middle = around.low.towards(around.high, 1, 2);
        let out = |corner: Point, by: i64| {
            let length = Segment::new(middle, corner).length().max(1);
            middle.towards(corner, length + by, length)
        };
        if self.going == Going::Passage {
            // Before and behind it: the middles of its sides.
            let next = self.corners.iter().cycle().skip(1);
            return self.corners.iter().zip(next).map(|(&a, &b)| out(a.towards(b, 1, 2), BEYOND)).collect();
        }
        // Beside each corner as seen on the way, and well outside it; a front that comes to the corner
        // obliquely reaches farther than its half.
        let length = way.length().max(1);
        let (dx, dy) = (way.to.x - way.from.x, way.to.y - way.from.y);
        let beside = |corner: Point, by: i64| corner.moved(-dy * by / length, dx * by / length);
        self.corners
            .iter()
            .flat_map(|&corner| {
                let wide = aside * 5 / 4 + 5;
                [beside(corner, wide), beside(corner, -wide), out(corner, aside * 3 / 2 + 5)]
            })
            .filter(|place| !self.area.as_ref().is_some_and(|area| area.holds_strictly(*place)))
            .collect()
    }

    /// What a leg costs more because of it; nothing if it is closed.
    fn toll(&self, leg: Segment, all: &[Self], aside: i64, round_all: bool) -> Option<i64> {
        if self.going == Going::Passage {
            return Some(0);
        }
        let Some(area) = &self.area else {
            let crossed = self.corners.chunks_exact(2).any(|edge| leg.crosses(edge[0], edge[1]));
            return if !crossed {
                Some(0)
            } else if round_all {
                None
            } else {
                Some(leg.length())
            };
        };
        let parts = area.parts(leg);
        let closed = round_all || self.going == Going::Closed;
        if parts.is_empty() {
            // What is closed must not touch the flanks either.
            let brushed = closed && flanks(leg, aside).into_iter().any(|flank| area.is_entered_by(flank));
            return (!brushed).then_some(0);
        }
        let bridged = self.is_water
            && parts.iter().all(|&(from, to)| {
                let middle = leg.at(from).towards(leg.at(to), 1, 2);
                all.iter().any(|other| {
                    other.going == Going::Passage
                        && other.area.as_ref().is_some_and(|area| area.holds(middle))
                })
            });
        match self.going {
            _ if bridged => Some(0),
            Going::Slow(whole, of) if !closed => {
                let inside: i64 = parts.iter().map(|(from, to)| from.stretch(*to, leg.square())).sum();
                Some(inside * (whole - of).max(0) / of)
            }
            _ => None,
        }
    }
}

/// The ways of both ends of a front along a leg.
fn flanks(leg: Segment, aside: i64) -> [Segment; 2] {
    let length = leg.length().max(1);
    let (dx, dy) = (leg.to.x - leg.from.x, leg.to.y - leg.from.y);
    [aside, -aside].map(|by| {
        let (x, y) = (-dy * by / length, dx * by / length);
        Segment::new(leg.from.moved(x, y), leg.to.moved(x, y))
    })
}

/// The cheapest way by corners, as its places; the movement rules judge it afterwards.
fn shortest(
    from: Point,
    enemy: &Body,
    things: &[Hindrance],
    aside: i64,
    reach: i64,
    round_all: bool,
) -> Option<Vec<Point>> {
    let near = Extent::of(&[from]).grown(reach);
    let goal = |place: Point| {
        let points = enemy.now().figures.iter().map(|figure| figure.base.nearest_to(place));
        points.min_by_key(|point| point.square_to(place)).unwrap_or(enemy.now().centre)
    };
    // No way from there is shorter than straight on.
    let beyond = |place: Point| Segment::new(place, goal(place)).length();
    let mut nodes: Vec<Point> = things
        .iter()
        .flat_map(|thing| thing.places(aside, Segment::new(from, enemy.now().centre)))
        .filter(|corner| {
            near.holds(*corner) && beyond(*corner) + Segment::new(from, *corner).length() <= reach
        })
        .collect();
    nodes.sort_unstable_by_key(|corner| (corner.square_to(from), *corner));
    nodes.dedup();
    nodes.truncate(CORNERS);
    nodes.insert(0, from);
    let left: Vec<i64> = nodes.iter().map(|&place| beyond(place)).collect();
    let cost = |leg: Segment| {
        things
            .iter()
            .try_fold(leg.length(), |sum, thing| Some(sum + thing.toll(leg, things, aside, round_all)?))
    };
    // Dijkstra over so few places needs no heap.
    let mut best: Vec<Option<(i64, usize)>> = vec![None; nodes.len()];
    let mut done = vec![false; nodes.len()];
    best[0] = Some((0, 0));
    let mut arrival: Option<(i64, usize)> = None;
    while let Some(here) =
        (0..nodes.len()).filter(|&k| !done[k]).min_by_key(|&k| best[k].map_or(i64::MAX, |b| b.0))
    {
        let Some((spent, _)) = best[here] else { break };
        done[here] = true;
        if spent > reach {
            break;
        }
        if spent + left[here] <= reach
            && let Some(last) = cost(Segment::new(nodes[here], goal(nodes[here])))
            && spent + last <= reach
            && arrival.is_none_or(|(total, _)| spent + last < total)
        {
            arrival = Some((spent + last, here));
        }
        for next in 1..nodes.len() {
            if done[next] {
                continue;
            }
            let leg = Segment::new(nodes[here], nodes[next]);
            if spent + leg.length() + left[next] > reach {
                continue;
            }
            if let Some(leg) = cost(leg)
                && best[next].is_none_or(|(known, _)| spent + leg < known)
            {
                best[next] = Some((spent + leg, here));
            }
        }
    }
    let (_, mut at) = arrival?;
    let end = goal(nodes[at]);
    let length = Segment::new(nodes[at], end).length().max(1);
    let mut route = vec![nodes[at].towards(end, length + BEYOND, length)];
    while at != 0 {
        route.push(nodes[at]);
        at = best[at]?.1;
    }
    route.reverse();
    Some(route)
}
