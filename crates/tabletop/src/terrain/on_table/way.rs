//! The way of a body over the table: where its bases stand at each place of it, and the stretches
//! of ground it passes (geometry page, section 5).

use kernel::{Centimetres, Refusal, Verdict, Whole};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::super::charge::Charged;
use super::super::ground::Ground;
use super::super::obstacles::ObstacleClass;
use super::super::troops::Formation;
use super::{Ranked, centimetres, class, extent_of, grounds, near, rank_middles, standing_in, troops};
use crate::fire::shelter::is_on_tree_lined;
use crate::geometry::{Base, Extent, Facing, Point, Segment};
use crate::movement::{Pace, Stretch};
use crate::scene::{self, Body, Element, Kind, Presence, Scene, crew_base, size};

/// A direction as a facing, to the tenth of a degree.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounded once, within 3600")]
fn heading(from: Point, to: Point) -> Facing {
    let (dx, dy) = ((to.x - from.x) as f64, (to.y - from.y) as f64);
    Facing::tenths((dx.atan2(dy).to_degrees() * 10.0).round() as i32)
}

/// A way over the table, and where the body stands at each place of it.
pub struct Way<'a> {
    scene: &'a Scene,
    body: &'a Body,
    /// From the tail of the body through its head to the end of the way.
    trail: Vec<Point>,
    /// Where on the trail the head starts.
    start: i64,
    /// How far the way goes from there.
    length: i64,
}

/// Whether ranks follow the head, instead of the whole body shifting.
const fn follows_head(formation: Formation) -> bool {
    matches!(
        formation,
        Formation::CompanyColumn
            | Formation::DivisionColumn
            | Formation::ClosedColumn
            | Formation::Column
            | Formation::Limbered
    )
}

/// Freely turned bodies: open order and single riders.
const fn turns_freely(formation: Formation) -> bool {
    matches!(formation, Formation::Skirmish | Formation::Foragers | Formation::Single)
}

/// A line goes straight ahead or obliquely up to this angle, in tenths of a degree.
const OBLIQUE: u16 = 225;

impl<'a> Way<'a> {
    /// The way of a body to some places, one after the other.
    ///
    /// # Errors
    /// A garrison does not march; a line does not go sideways; nobody leaves the table.
    pub fn new(scene: &'a Scene, body: &'a Body, to: &[Point], pace: Pace) -> Verdict<Self> {
        let presence = body.now();
        if presence.house.is_some() {
            return Err(Refusal::rule(rule!(TE_5_2_27), phrase::IN_A_HOUSE).at("body"));
        }
        let Some(head) = head(presence) else {
            return Err(Refusal::field("body", phrase::NO_FIGURES));
        };
        let mut from = head;
        for (number, &place) in to.iter().enumerate() {
            if !scene.holds(place) {
                return Err(Refusal::field(format!("to[{number}]"), phrase::OFF_TABLE));
            }
            let direction = heading(from, place);
            let apart = if pace == Pace::Backward {
                1800 - presence.facing.angle_to(direction)
            } else {
                presence.facing.angle_to(direction)
            };
            let free = turns_freely(presence.formation)
                || (follows_head(presence.formation) && pace != Pace::Backward);
            if !free && place != from && apart > OBLIQUE {
                return Err(Refusal::rule(rule!(TE_R91), phrase::TURN_FIRST).at(format!("to[{number}]")));
            }
            from = place;
        }
        let depth = i64::from(troops(body).base_depth().count()) * i64::from(presence.ranks());
        let tail = crate::geometry::turned(head, presence.facing, 0, -depth.max(1));
        let mut trail = vec![tail, head];
        trail.extend(to.iter().copied());
        let start = Segment::new(tail, head).length();
        let length = to
            .iter()
            .scan(head, |from, &place| Some(Segment::new(std::mem::replace(from, place), place).length()))
            .sum();
        Ok(Self { scene, body, trail, start, length })
    }

    /// The length of the way.
    #[must_use]
    pub const fn length(&self) -> i64 {
        self.length
    }

    /// A place on the trail and the direction there.
    fn place(&self, along: i64) -> (Point, Facing) {
        let mut left = along;
        let mut last = (self.trail.first().copied().unwrap_or(Point::new(0, 0)), self.body.now().facing);
        for edge in self.trail.windows(2) {
            let segment = Segment::new(edge[0], edge[1]);
            let length = segment.length();
            if length == 0 {
                continue;
            }
            let facing = heading(edge[0], edge[1]);
            if left <= length {
                return (edge[0].towards(edge[1], left, length), facing);
            }
            left -= length;
            last = (edge[1], facing);
        }
        last
    }

    /// Where the head is after so much of the way, and where it faces.
    #[must_use]
    pub fn head(&self, along: i64) -> (Point, Facing) {
        let (at, facing) = self.place(self.start + along);
        let presence = self.body.now();
        let turned = follows_head(presence.formation) && along > 0;
        (at, if turned { facing } else { presence.facing })
    }

    /// The bases after so much of the way.
    pub(crate) fn bases(&self, along: i64) -> Vec<Ranked> {
        let presence = self.body.now();
        let origin = head(presence).unwrap_or(Point::new(0, 0));
        if !follows_head(presence.formation) || along == 0 {
            let at = self.place(self.start + along).0;
            let (dx, dy) = (at.x - origin.x, at.y - origin.y);
            return presence
                .figures
                .iter()
                .map(|figure| Ranked { base: shifted(&figure.base, dx, dy), rank: figure.rank })
                .collect();
        }
        if presence.formation == Formation::Limbered {
            let (at, facing) = self.head(along);
            let crew = self.body.battery().map_or(1, scene::Battery::full_crew);
            return vec![Ranked { base: crew_base(at, facing, crew, presence.formation), rank: 0 }];
        }
        let (width, depth) = size(self.body.arm, presence.formation);
        presence
            .figures
            .iter()
            .map(|figure| {
                let behind = i64::from(figure.rank) * depth;
                let (at, facing) = self.place(self.start + along - behind);
                let in_rank = presence.figures.iter().filter(|other| other.rank == figure.rank).count();
                let files = i64::try_from(in_rank).unwrap_or(1);
                let aside2 = width * (2 * i64::from(figure.file) + 1 - files);
                Ranked { base: Base::placed(at, facing, (aside2, 0), 0, (width, depth)), rank: figure.rank }
            })
            .collect()
    }

    /// The stretches of the way as far as `reach`, and the enemy it ends at.
    ///
    /// # Errors
    /// When it leaves the table.
    pub fn stretches(&self, reach: i64) -> Verdict<(Vec<Stretch>, Option<&'a Body>)> {
        let end = self.length.min(reach);
        let mut all: Vec<Stretch> = Vec::new();
        let mut crossed: Vec<&str> = Vec::new();
        let mut at = 0;
        let mut foe = None;
        let bases = self.bases(0);
        for (element, _) in self.lines(&bases) {
            crossed.push(&element.id);
        }
        while at < end {
            let step = STEP.min(end - at);
            at += step;
            let bases = self.bases(at);
            if !bases.iter().all(|one| one.base.corners.iter().all(|&corner| self.scene.holds(corner))) {
                return Err(Refusal::field("to", phrase::OFF_TABLE));
            }
            let mut obstacle = None;
            for (element, class) in self.lines(&bases) {
                if !crossed.contains(&element.id.as_str()) {
                    crossed.push(&element.id);
                    obstacle = obstacle.max(Some(class));
                }
            }
            let (ground, partly, on_road) = standing_in(self.scene, &bases);
            let length = centimetres(step);
            match all.last_mut() {
                Some(last)
                    if obstacle.is_none()
                        && last.ground == ground
                        && last.partly == partly
                        && last.on_road == on_road =>
                {
                    last.cm += length;
                }
                _ => {
                    let mut stretch = Stretch::new(length, &ground);
                    stretch.partly = partly;
                    stretch.on_road = on_road;
                    stretch.obstacle = obstacle;
                    stretch.bridge_width_cm = self.sapper_bridge(&bases);
                    all.push(stretch);
                }
            }
            foe = self.enemy_touched(&bases);
            if foe.is_some() {
                break;
            }
        }
        if let Some((class, across)) = self.half_over() {
            if let Some(first) = all.first_mut() {
                first.obstacle = Some(class);
                first.ranks_across = across;
            }
        // An obstacle at the very first step is crossed from contact.
        } else if all.first().is_some_and(|stretch| stretch.obstacle.is_some()) {
            all.insert(0, Stretch::new(Centimetres::ZERO, &[]));
        }
        Ok((all, foe))
    }

    /// The obstacle that some ranks have crossed and others have not, and how many have.
    fn half_over(&self) -> Option<(ObstacleClass, Whole<0, 99>)> {
        let presence = self.body.now();
        let bases = self.bases(0);
        let head = head(presence)?;
        near(self.scene, &extent_of(&bases)).find_map(|element| {
            let line = match &element.kind {
                Kind::Obstacle(obstacle) => obstacle,
                Kind::Redoubt(redoubt) => &redoubt.faces,
                _ => return None,
            };
            let over =
                |middle: Point| line.crossings(Segment::new(head, middle)).find_map(|(_, _, of)| class(of));
            let middles = rank_middles(&bases);
            let class = middles.iter().find_map(|&middle| over(middle))?;
            let across = middles.iter().filter(|&&middle| over(middle).is_none()).count();
            let across = i32::try_from(across).ok().and_then(Whole::new)?;
            (across.get() > 0).then_some((class, across))
        })
    }

    /// Standing obstacles and faces that the bases stand across.
    fn lines(&self, bases: &[Ranked]) -> Vec<(&'a Element, ObstacleClass)> {
        near(self.scene, &extent_of(bases))
            .filter_map(|element| {
                let line = match &element.kind {
                    Kind::Obstacle(obstacle) => obstacle,
                    Kind::Redoubt(redoubt) => &redoubt.faces,
                    _ => return None,
                };
                bases
                    .iter()
                    .filter(|one| one.rank == 0)
                    .flat_map(|one| {
                        let base = &one.base;
                        let axis = Segment::new(base.front, base.centre);
                        line.crossings(axis).filter_map(|(_, _, of)| class(of))
                    })
                    .max()
                    .map(|class| (element, class))
            })
            .collect()
    }

    fn sapper_bridge(&self, bases: &[Ranked]) -> Option<Centimetres> {
        near(self.scene, &extent_of(bases)).find_map(|element| match &element.kind {
            Kind::Bridge(bridge, area)
                if bridge.built_by_sappers && bases.iter().any(|one| one.base.overlaps(area)) =>
            {
                Some(bridge.length.min(bridge.width))
            }
            _ => None,
        })
    }

    fn enemy_touched(&self, bases: &[Ranked]) -> Option<&'a Body> {
        let extent = extent_of(bases).grown(10);
        self.scene.bodies().iter().find(|other| {
            other.side() != self.body.side()
                && other.now().extent.meets(&extent)
                && other
                    .now()
                    .figures
                    .iter()
                    .any(|theirs| bases.iter().any(|one| one.base.gap_to(&theirs.base).touches()))
        })
    }

    /// The friend on whom the body would end, if any.
    #[must_use]
    pub fn ends_on(&self, along: i64) -> Option<&'a Body> {
        let bases = self.bases(along);
        let extent = extent_of(&bases);
        self.scene.bodies().iter().find(|other| {
            other.id() != self.body.id()
                && other.now().house.is_none()
                && other.now().extent.meets(&extent)
                && other
                    .now()
                    .figures
                    .iter()
                    .any(|theirs| bases.iter().any(|one| one.base.overlaps_base(&theirs.base)))
        })
    }

    /// The elements the body stands in after so much of the way.
    #[must_use]
    pub fn grounds_at(&self, along: i64) -> Vec<Ground> {
        standing_in(self.scene, &self.bases(along)).0
    }

    /// What forbids or colours a charge at that enemy, by the ground.
    #[must_use]
    pub fn charged(&self, target: &Body, along: i64) -> Charged {
        let bases = self.bases(along);
        let theirs = target.now();
        let ground = grounds(self.scene, target);
        let own = standing_in(self.scene, &bases).0;
        let mut charged = Charged {
            from_outside: ground.iter().all(|one| !own.contains(one)),
            ground,
            in_house: theirs.house.is_some(),
            ..Charged::default()
        };
        let aim = Segment::new(self.head(along).0, theirs.centre);
        for element in near(self.scene, &theirs.extent.grown(10)) {
            let line = match &element.kind {
                Kind::Obstacle(obstacle) => obstacle,
                Kind::Redoubt(redoubt) => &redoubt.faces,
                Kind::Water(water) => {
                    let first_out = theirs
                        .figures
                        .iter()
                        .filter(|figure| figure.rank == 0)
                        .all(|figure| !figure.base.overlaps(&water.area));
                    charged.first_rank_out_of_water |= first_out;
                    continue;
                }
                Kind::Road(road) => {
                    let lined = is_on_tree_lined(road, target, theirs);
                    let flank = (450..=1350).contains(&self.head(along).1.angle_to(theirs.facing));
                    charged.between_trees |= lined && flank;
                    continue;
                }
                _ => continue,
            };
            if theirs.figures.iter().any(|figure| line.gap_to(&figure.base).touches()) {
                charged.holds_obstacle = true;
                charged.from_open_side = line.crossings(aim).all(|(_, _, of)| class(of).is_none());
            }
        }
        charged
    }
}

/// Steps of a march.
const STEP: i64 = 10;

/// The middle of the front of the first rank.
fn head(presence: &Presence) -> Option<Point> {
    let mut row = presence.figures.iter().filter(|figure| figure.rank == 0);
    let first = row.next()?;
    let last = row.next_back().unwrap_or(first);
    Some(first.base.front.towards(last.base.front, 1, 2))
}

fn shifted(base: &Base, dx: i64, dy: i64) -> Base {
    let go = |point: Point| point.moved(dx, dy);
    let corners = base.corners.map(go);
    Base {
        corners,
        front: go(base.front),
        centre: go(base.centre),
        facing: base.facing,
        points: base.points.map(go),
        extent: Extent::of(&corners),
    }
}
