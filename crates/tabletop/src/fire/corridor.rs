//! The corridor of a battery: sections 3.4 and 3.6 of the fire chapter (procedure, section 6.3). A
//! battery and a target enter; aim axis, distance and the number of gunners that bear leave.

use kernel::Centimetres;
use rulebook::options::tabletop::{BatteryFront, CanisterLimit};
use rulebook::rule;

use super::ground::{Ground, Target};
use super::shelter::is_lower;
use super::{Calibre, Class, Projectile};
use crate::geometry::{Extent, Facing, Point, Polygon, Segment, hull, into_frame, turned};
use crate::scene::{Instant, Kind, Presence};
use crate::sight::Role;

/// One gunner's share of the front.
const LANE: i64 = 250;

/// The frame of a battery.
#[derive(Clone, Copy, Debug)]
pub struct Corridor {
    /// The middle of its front edge.
    pub origin: Point,
    /// Where it faces.
    pub facing: Facing,
    /// Half its effective front.
    pub half: i64,
    /// Gunners left.
    pub crew: i64,
    /// Its calibre.
    pub calibre: Calibre,
}

/// A target on the aim axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnAxis {
    /// The distance along the axis.
    pub distance: i64,
    /// Where the axis leaves the target.
    pub rear: i64,
}

impl Corridor {
    /// The corridor of a battery as it stands.
    #[must_use]
    pub fn of(ground: &Ground<'_>, body: usize, instant: Instant) -> Option<Self> {
        let body = ground.body(body);
        let battery = body.battery()?;
        let base = &body.at(instant).figures.first()?.base;
        let lanes = match ground.options.battery_front {
            BatteryFront::RemainingCrew => battery.crew_left(),
            BatteryFront::InitialCrew => battery.full_crew(),
        };
        Some(Self {
            origin: base.front,
            facing: base.facing,
            half: if rule!(FE_3_4_03).holds(true) { LANE * lanes / 2 } else { LANE * lanes },
            crew: battery.crew_left(),
            calibre: battery.calibre,
        })
    }

    /// A point in the frame of the battery: x to the right, y ahead, rounded.
    #[must_use]
    pub fn frame(&self, point: Point) -> Point {
        let (x, y) = into_frame(self.origin, self.facing, point);
        let round = |value: i64| (value + (1 << 29)) >> 30;
        Point::new(round(x), round(y))
    }

    /// A polygon in the frame.
    #[must_use]
    pub fn framed(&self, area: &Polygon) -> Polygon {
        let turn = |ring: &[Point]| ring.iter().map(|&point| self.frame(point)).collect::<Vec<_>>();
        Polygon::with_holes(turn(area.outline()), area.holes().iter().map(|hole| turn(hole)).collect())
    }

    /// The four corners of the corridor on the table, for quick looks and for drawing.
    #[must_use]
    pub fn corners(&self) -> [Point; 4] {
        let range = i64::from(self.calibre.bands().range.count());
        let at = |x: i64, y: i64| turned(self.origin, self.facing, x, y);
        [at(-self.half, 0), at(self.half, 0), at(self.half, range), at(-self.half, range)]
    }

    /// Whether a footprint meets the corridor: in front and within its width.
    #[must_use]
    pub fn holds(&self, footprint: &Polygon) -> bool {
        let range = i64::from(self.calibre.bands().range.count());
        rule!(FE_3_4_02).holds(!self.shadow(&self.framed(footprint), range + 1).is_empty())
    }

    /// Whether a footprint stands in front and within its width, however far.
    #[must_use]
    pub fn faces(&self, footprint: &Polygon) -> bool {
        let framed = self.framed(footprint);
        !self.shadow(&framed, framed.extent().high.y + 2).is_empty()
    }

    /// The x of the aim axis through a target's centre, limited to the corridor, and whether the
    /// centre lies within it.
    #[must_use]
    pub fn axis(&self, centre: Point) -> (i64, bool) {
        let x = self.frame(centre).x;
        let limited = x.clamp(-self.half, self.half);
        (limited, limited == x)
    }

    /// Where a line parallel to the facing meets a footprint (already in the frame).
    #[must_use]
    pub fn meets(footprint: &Polygon, x: i64) -> Option<OnAxis> {
        let (mut near, mut far) = (i64::MAX, i64::MIN);
        let mut take = |y: i64| {
            near = near.min(y);
            far = far.max(y);
        };
        for edge in footprint.edges() {
            let (a, b) = (edge.from, edge.to);
            if a.x == b.x {
                if a.x == x {
                    take(a.y);
                    take(b.y);
                }
            } else if (a.x.min(b.x)..=a.x.max(b.x)).contains(&x) {
                take(a.towards(b, x - a.x, b.x - a.x).y);
            }
        }
        (near <= far && far >= 0).then(|| OnAxis { distance: near.max(0), rear: far })
    }

    /// The parts of the front that lie behind what of an area (in the frame) stands nearer than `d`.
    fn shadow(&self, area: &Polygon, d: i64) -> Vec<(i64, i64)> {
        let (left, right) = (-self.half, self.half);
        let mut found = Vec::new();
        if area.extent().low.y >= d || area.extent().high.y < 0 {
            return found;
        }
        let mut push = |from: i64, to: i64| {
            let (from, to) = (from.min(to).max(left), from.max(to).min(right));
            if from <= to {
                found.push((from, to));
            }
        };
        let top = d - 1;
        for edge in area.edges() {
            let (mut a, mut b) =
                if edge.from.y <= edge.to.y { (edge.from, edge.to) } else { (edge.to, edge.from) };
            if b.y < 0 || a.y > top {
                continue;
            }
            let whole = b.y - a.y;
            let (low, high) = (a, b);
            if a.y < 0 {
                a = low.towards(high, -low.y, whole);
            }
            if b.y > top {
                b = low.towards(high, top - low.y, whole);
            }
            push(a.x, b.x);
        }
        for y in [0, top] {
            let across = Segment::new(Point::new(left, y), Point::new(right, y));
            for (from, to) in area.parts(across) {
                push(across.at(from).x, across.at(to).x);
            }
        }
        found
    }
}

/// The total length of a union of intervals.
fn union_length(mut parts: Vec<(i64, i64)>) -> i64 {
    parts.sort_unstable();
    let (mut total, mut reached) = (0, i64::MIN);
    for (from, to) in parts {
        if to > reached {
            total += to - from.max(reached);
            reached = to;
        }
    }
    total
}

/// What masks whom, for the count of gunners.
#[derive(Clone, Copy)]
pub struct Count<'p> {
    /// The target.
    pub target: Target,
    /// How it stands.
    pub presence: &'p Presence,
    /// When it is fired at.
    pub instant: Instant,
    /// The x of the aim axis.
    pub axis: i64,
    /// The distance along the axis.
    pub distance: i64,
    /// What is fired.
    pub projectile: Projectile,
    /// Bodies already passed by the same ball.
    pub passed: &'p [usize],
}

impl Ground<'_> {
    /// The footprint of a target: its hull, or the garrisoned stretch of a house side.
    #[must_use]
    pub fn footprint(&self, target: Target, presence: &Presence) -> Polygon {
        match target.side {
            None => presence.footprint.clone(),
            Some(_) => hull(self.marks(target, presence).flat_map(|figure| figure.base.corners).collect()),
        }
    }

    /// The centre of a target: the mean of its base centres.
    #[must_use]
    pub fn centre(&self, target: Target, presence: &Presence) -> Point {
        if target.side.is_none() {
            return presence.centre;
        }
        let (mut sum, mut count) = (Point::default(), 0);
        for figure in self.marks(target, presence) {
            sum = sum.moved(figure.base.centre.x, figure.base.centre.y);
            count += 1;
        }
        Point::default().towards(sum, 1, count.max(1))
    }

    /// The length of front that cannot be used against a target (FE-R40).
    #[must_use]
    pub fn unusable(&self, battery: usize, corridor: &Corridor, count: Count<'_>) -> i64 {
        let scene = self.scene;
        let mut parts = Vec::new();
        let outlook = self.outlook(count.instant);
        let high = !outlook.roles(battery).is_empty() && count.projectile == Projectile::Ball;
        for number in scene.grid().near(&Extent::of(&corridor.corners())) {
            let number = usize::try_from(number).unwrap_or(0);
            if let Some(element) = scene.elements().get(number) {
                let area = match &element.kind {
                    Kind::Wood(area, _) => area,
                    Kind::House(house) => &house.area,
                    Kind::Hill(hill) => &hill.outline,
                    Kind::Plateau(plateau) => &plateau.outline,
                    _ => continue,
                };
                let holds_target = count.presence.house == Some(number)
                    || count.presence.figures.iter().any(|figure| area.holds(figure.base.centre));
                if !holds_target && !area.holds(corridor.origin) {
                    parts.extend(corridor.shadow(&corridor.framed(area), count.distance));
                }
                continue;
            }
            let place = number - scene.elements().len();
            let body = self.body(place);
            let presence = body.at(count.instant);
            let masks = place != battery
                && place != count.target.body
                && !count.passed.contains(&place)
                && presence.house.is_none()
                && matches!(presence.class, Some(Class::Line | Class::Mass));
            if !masks {
                continue;
            }
            let overflown = high
                && is_lower(scene, count.instant, self.body(battery), body)
                && self.body(battery).at(count.instant).gap_to(presence).rounded() > 200;
            if overflown {
                continue;
            }
            for figure in &presence.figures {
                let base = Polygon::new(figure.base.corners.to_vec());
                parts.extend(corridor.shadow(&corridor.framed(&base), count.distance));
            }
        }
        let footprint = corridor.framed(&self.footprint(count.target, count.presence));
        let (left, right) = (footprint.extent().low.x, footprint.extent().high.x);
        if rule!(FE_3_4_06).holds(left < -corridor.half || right > corridor.half) {
            // Only the part of the front opposite the target bears on it.
            parts.push((-corridor.half, left.clamp(-corridor.half, corridor.half)));
            parts.push((right.clamp(-corridor.half, corridor.half), corridor.half));
        }
        if count.projectile == Projectile::Canister {
            for lane in 0..(2 * corridor.half / LANE) {
                let from = -corridor.half + lane * LANE;
                let distance =
                    Corridor::meets(&footprint, from + LANE / 2).map_or(count.distance, |on| on.distance);
                if !self.canister_reaches(corridor.calibre, distance) {
                    parts.push((from, from + LANE));
                }
            }
        }
        union_length(parts)
    }

    /// How many gunners bear on a target.
    #[must_use]
    pub fn bearing(&self, battery: usize, corridor: &Corridor, count: Count<'_>) -> i64 {
        (corridor.crew - self.unusable(battery, corridor, count) / LANE).max(0)
    }

    /// Whether canister reaches so far.
    #[must_use]
    pub fn canister_reaches(&self, calibre: Calibre, distance: i64) -> bool {
        let limit = i64::from(calibre.bands().canister.count());
        rule!(FE_3_3_04).holds(match self.options.canister_limit {
            CanisterLimit::Inclusive => distance <= limit,
            CanisterLimit::Strict => distance < limit,
        })
    }

    /// Whether a battery stands on a plateau and a target lower than its top.
    #[must_use]
    pub fn fires_down(&self, battery: usize, target: &Presence) -> bool {
        self.outlook(Instant::P2).roles(battery).iter().any(|&(place, role)| {
            matches!(role, Role::Top | Role::Contour | Role::Hidden(_))
                && match &self.scene.elements()[place].kind {
                    Kind::Plateau(plateau) => {
                        !target.figures.iter().any(|figure| plateau.top.holds(figure.base.centre))
                    }
                    _ => false,
                }
        })
    }
}

/// Hundredths as a quantity.
pub(crate) fn cm(hundredths: i64) -> Centimetres {
    crate::geometry::Gap::whole(hundredths * hundredths).centimetres()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_parts_count_once() {
        assert_eq!(union_length(vec![(0, 100), (50, 150), (200, 250), (240, 245)]), 200);
        assert_eq!(union_length(Vec::new()), 0);
    }

    #[test]
    fn the_shadow_of_an_area_is_its_width_as_far_as_it_stands_in_front() {
        let corridor = Corridor {
            origin: Point::cm(50, 50),
            facing: Facing::NORTH,
            half: 500,
            crew: 4,
            calibre: Calibre::Six,
        };
        let square = |x: i64, y: i64, side: i64| {
            Polygon::new(vec![
                Point::new(x, y),
                Point::new(x + side, y),
                Point::new(x + side, y + side),
                Point::new(x, y + side),
            ])
        };
        assert_eq!(union_length(corridor.shadow(&square(-200, 1000, 300), 5000)), 300);
        assert_eq!(union_length(corridor.shadow(&square(-700, 1000, 300), 5000)), 100);
        assert!(corridor.shadow(&square(-200, 1000, 300), 1000).is_empty(), "not nearer");
        assert_eq!(union_length(corridor.shadow(&square(-2000, -2000, 4000), 500)), 1000, "all around");
    }
}
