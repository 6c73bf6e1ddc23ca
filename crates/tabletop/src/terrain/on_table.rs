//! From a scene to the facts of the terrain chapter: what a body stands in, which stretches its way
//! has, who touches whom (geometry page, sections 3, 5 and 7).

use kernel::{Centimetres, Clerk, Refusal, Verdict, Whole};
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::charge::Charged;
use super::ground::Ground;
use super::melee::{self, Fighter, Place};
use super::obstacles::ObstacleClass;
use super::troops::{Arm, Formation, Troops};
use crate::fire::shelter::{is_on_tree_lined, mean_up};
use crate::geometry::{Base, Extent, Facing, Point, Segment, gap_to_line, into_frame};
use crate::movement::{Pace, Stretch};
use crate::scene::{
    self, Body, Calibre, DrillClass, Element, Figure, GunTeam, Kind, Presence, Scene, TrackKind, WaterKind,
    WeightClass, crew_base, size,
};

/// Hundredths as a quantity; a table is far smaller than what it can hold.
fn centimetres(hundredths: i64) -> Centimetres {
    Centimetres::hundredths(i32::try_from(hundredths).unwrap_or(i32::MAX))
}

/// The body as ground sees it.
#[must_use]
pub fn troops(body: &Body) -> Troops {
    let arm = match &body.setup.troops {
        scene::Troops::Infantry(_) => Arm::Infantry,
        scene::Troops::Cavalry(_) | scene::Troops::Officer(_) => Arm::Cavalry,
        scene::Troops::Artillery(battery) => match battery.team {
            GunTeam::Foot => Arm::FootArtillery,
            GunTeam::Horse => Arm::HorseArtillery,
        },
    };
    let presence = body.now();
    let front = presence.figures.iter().filter(|figure| figure.rank == 0).count();
    Troops {
        arm,
        formation: presence.formation,
        state: body.setup.state,
        status: body.setup.status,
        front: i32::try_from(front).ok().and_then(Whole::new),
        ranks: Whole::new(i32::from(presence.ranks())),
    }
}

/// Its class in the table of rates.
#[must_use]
pub fn rate_class(body: &Body) -> &'static str {
    match &body.setup.troops {
        scene::Troops::Infantry(drill) => match drill.class {
            DrillClass::A => "A",
            DrillClass::B => "B",
            DrillClass::C => "C",
        },
        scene::Troops::Cavalry(weight) => match weight.class {
            WeightClass::Light | WeightClass::Irregular => "light",
            WeightClass::Medium => "medium",
            WeightClass::Heavy => "heavy",
        },
        scene::Troops::Artillery(battery) => match (battery.team, battery.calibre) {
            (GunTeam::Horse, _) => "horse",
            (GunTeam::Foot, Calibre::Twelve) => "foot_12",
            (GunTeam::Foot, Calibre::Eight | Calibre::Nine) => "foot_8_9",
            (GunTeam::Foot, _) => "foot_3_4_6",
        },
        scene::Troops::Officer(_) => "-",
    }
}

/// A base of a body with its rank.
#[derive(Clone, Debug)]
pub(crate) struct Ranked {
    /// The base.
    pub(crate) base: Base,
    /// Its rank, 0 the first.
    pub(crate) rank: u16,
}

fn ranked(figures: &[Figure]) -> Vec<Ranked> {
    figures.iter().map(|figure| Ranked { base: figure.base.clone(), rank: figure.rank }).collect()
}

fn extent_of(bases: &[Ranked]) -> Extent {
    bases.iter().fold(Extent::of(&[]), |all, one| all.and(one.base.extent))
}

fn near<'a>(scene: &'a Scene, extent: &Extent) -> impl Iterator<Item = &'a Element> + use<'a> {
    scene
        .grid()
        .near(extent)
        .into_iter()
        .filter_map(|number| usize::try_from(number).ok().and_then(|number| scene.elements().get(number)))
}

/// The middle of each rank.
fn rank_middles(bases: &[Ranked]) -> Vec<Point> {
    let last = bases.iter().map(|one| one.rank).max().unwrap_or(0);
    (0..=last)
        .filter_map(|rank| {
            let mut row = bases.iter().filter(|one| one.rank == rank);
            let first = row.next()?;
            let end = row.next_back().unwrap_or(first);
            Some(first.base.centre.towards(end.base.centre, 1, 2))
        })
        .collect()
}

/// Whether every rank stands on one road, bridge or street.
fn is_on_road(bases: &[Ranked], elements: &[&Element]) -> bool {
    let middles = rank_middles(bases);
    !middles.is_empty()
        && middles.iter().all(|&middle| {
            elements.iter().any(|element| match &element.kind {
                Kind::Road(road) => {
                    let width = i64::from(road.setup.width.count());
                    gap_to_line(middle, &road.setup.axis).rounded() * 2 <= width
                }
                Kind::Bridge(_, area) => area.holds(middle),
                _ => false,
            })
        })
}

/// The elements some base overlaps, and whether only part of the body does.
pub(crate) fn standing_in(scene: &Scene, bases: &[Ranked]) -> (Vec<Ground>, bool, bool) {
    let elements: Vec<&Element> = near(scene, &extent_of(bases)).collect();
    let mut found: Vec<Ground> = Vec::new();
    let mut least = bases.len();
    let mut add = |ground: Ground, count: usize| {
        if count > 0 {
            least = least.min(count);
            if !found.contains(&ground) {
                found.push(ground);
            }
        }
    };
    let over = |area: &crate::geometry::Polygon| -> Vec<&Base> {
        bases.iter().map(|one| &one.base).filter(|base| base.overlaps(area)).collect()
    };
    for element in &elements {
        match &element.kind {
            Kind::Hill(hill) => {
                add(Ground::HillSlope, over(&hill.outline).len());
                let astride = bases.iter().filter(|one| one.base.gap_to_line(&hill.crest).touches()).count();
                add(Ground::HillCrest, astride);
            }
            Kind::Plateau(plateau) => {
                let on = over(&plateau.outline);
                let top = on
                    .iter()
                    .filter(|base| base.corners.iter().all(|&corner| plateau.top.holds(corner)))
                    .count();
                add(Ground::PlateauTop, top);
                add(Ground::PlateauSlope, on.len() - top);
            }
            Kind::Wood(area, _) => {
                let inside = over(area);
                add(Ground::Wood, inside.len());
                let in_clearing = bases
                    .iter()
                    .filter(|one| {
                        area.outline_holds_strictly(one.base.centre) && !area.holds(one.base.centre)
                    })
                    .count();
                add(Ground::Clearing, in_clearing);
                let tracked = elements.iter().find_map(|way| match &way.kind {
                    Kind::Track(track, strip) if track.wood == element.id => {
                        let keeps = !inside.is_empty()
                            && inside.iter().all(|base| strip.holds(base.centre))
                            && rank_middles(bases).iter().all(|&m| strip.holds(m) || !area.holds(m));
                        keeps.then_some(track.kind)
                    }
                    _ => None,
                });
                match tracked {
                    Some(TrackKind::Track) => add(Ground::ForestTrack, inside.len()),
                    Some(TrackKind::Ride) => add(Ground::Ride, inside.len()),
                    None => {}
                }
            }
            Kind::House(house) => add(Ground::House, over(&house.area).len()),
            Kind::Bridge(_, area) => add(Ground::Bridge, over(area).len()),
            Kind::Ford(_, area) => add(Ground::Ford, over(area).len()),
            Kind::Water(water) => {
                let wet = over(&water.area);
                let ford = wet.iter().all(|base| {
                    elements
                        .iter()
                        .any(|other| matches!(&other.kind, Kind::Ford(_, area) if base.overlaps(area)))
                });
                let ground = match water.kind {
                    WaterKind::Ditch => Ground::Ditch,
                    WaterKind::Stream => Ground::Stream,
                    WaterKind::River => Ground::River,
                    WaterKind::LargeRiver => Ground::LargeRiver,
                };
                if !(water.kind == WaterKind::River && ford) {
                    add(ground, wet.len());
                }
            }
            Kind::Marsh(_, area) => add(Ground::Marsh, over(area).len()),
            Kind::Field(kind, area) => {
                let ground = match kind {
                    scene::FieldKind::TallCrops => Ground::TallCrops,
                    scene::FieldKind::Vineyard => Ground::Vineyard,
                    scene::FieldKind::Ploughed => Ground::PloughedLand,
                };
                add(ground, over(area).len());
            }
            Kind::Redoubt(redoubt) => add(Ground::Redoubt, over(&redoubt.interior).len()),
            Kind::Abandoned(_, gun) => {
                add(Ground::AbandonedBattery, bases.iter().filter(|one| one.base.overlaps_base(gun)).count());
            }
            Kind::Road(road) => add(Ground::Road, over(&road.area).len()),
            Kind::Village(_) | Kind::Track(..) | Kind::Obstacle(_) => {}
        }
    }
    found.sort_unstable();
    let partly = !found.is_empty() && least < bases.len();
    let on_road = is_on_road(bases, &elements);
    (found, partly, on_road)
}

/// What a body stands in now.
#[must_use]
pub fn grounds(scene: &Scene, body: &Body) -> Vec<Ground> {
    standing_in(scene, &ranked(&body.now().figures)).0
}

/// The class of a standing obstacle as rules of crossing take it.
const fn class(of: scene::ObstacleClass) -> Option<ObstacleClass> {
    match of {
        scene::ObstacleClass::Open => None,
        scene::ObstacleClass::Light => Some(ObstacleClass::Light),
        scene::ObstacleClass::Hard => Some(ObstacleClass::Hard),
        scene::ObstacleClass::HardFinal => Some(ObstacleClass::HardForGood),
        scene::ObstacleClass::House => Some(ObstacleClass::RedoubtFace),
    }
}

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

/// Two bodies in contact: the ground of their melee, and each as a fighter.
///
/// # Errors
/// When they are not in contact.
pub fn melee<'a>(
    scene: &Scene,
    attacker: &'a Body,
    defender: &'a Body,
    clerk: &mut impl Clerk,
) -> Verdict<(Place, Fighter, Fighter)> {
    let (a, d) = (attacker.now(), defender.now());
    if d.house.is_some() || a.house.is_some() {
        return Err(Refusal::plain(phrase::ASK_HOUSE));
    }
    let between = near(scene, &d.extent.grown(10)).find_map(|element| {
        let line = match &element.kind {
            Kind::Obstacle(obstacle) => obstacle,
            Kind::Redoubt(redoubt) => &redoubt.faces,
            _ => return None,
        };
        let crossed =
            line.crossings(Segment::new(a.centre, d.centre)).filter_map(|(_, _, of)| class(of)).max()?;
        Some((line, crossed))
    });
    let touching = |own: &Presence, enemy: &Presence| {
        own.front()
            .filter(|figure| match between {
                Some((line, _)) => {
                    line.gap_to(&figure.base).touches()
                        && enemy.front().any(|other| {
                            line.gap_to(&other.base).touches() && opposite(&figure.base, &other.base)
                        })
                }
                None => enemy.figures.iter().any(|other| figure.base.gap_to(&other.base).touches()),
            })
            .count()
    };
    let (mine, theirs) = (touching(a, d), touching(d, a));
    if mine == 0 && theirs == 0 {
        return Err(Refusal::plain(phrase::NOT_IN_CONTACT).with("gap", a.gap_to(d).centimetres()));
    }
    let fighter = |body: &Body, touching: usize| Fighter {
        troops: troops(body),
        figures: Whole::new(i32::try_from(body.strength()).unwrap_or(1)).unwrap_or_else(melee::one),
        touching: i32::try_from(touching).ok().and_then(Whole::new).unwrap_or_else(melee::none),
        followed: false,
        moving: body.moved.iter().any(|&moved| moved > 0),
        charging: body.setup.record.contact.as_ref().is_some_and(|contact| contact.charging),
    };
    let place = match between {
        Some((line, class)) => Place::Obstacle(melee::Obstacle {
            class,
            defender_touches: d.figures.iter().any(|figure| line.gap_to(&figure.base).touches()),
            attacker_kept_contact: false,
            from_open_side: false,
            defender_caught: false,
            followed_across: None,
        }),
        None => open_place(scene, attacker, defender),
    };
    clerk.applied(rule!(TE_R77));
    Ok((place, fighter(attacker, mine), fighter(defender, theirs)))
}

/// Whether two bases stand opposite each other: the front of the one covers more than half of the
/// other's.
fn opposite(own: &Base, other: &Base) -> bool {
    let ends = |base: &Base| {
        [base.front_left(), base.front_right()].map(|point| into_frame(own.front, own.facing, point).0)
    };
    let ([a, b], [c, d]) = (ends(own), ends(other));
    let (low, high) = (a.min(b).max(c.min(d)), a.max(b).min(c.max(d)));
    let narrower = (a - b).abs().min((c - d).abs());
    (high - low) * 2 > narrower
}

/// The ground of a melee without an obstacle between the two.
fn open_place(scene: &Scene, attacker: &Body, defender: &Body) -> Place {
    let (a, d) = (attacker.now(), defender.now());
    for element in near(scene, &a.extent.and(d.extent)) {
        let count_in = |presence: &Presence, area: &crate::geometry::Polygon| {
            presence.figures.iter().filter(|figure| area.holds(figure.base.centre)).count()
        };
        match &element.kind {
            Kind::Wood(area, _) => {
                let (mine, theirs) = (count_in(a, area), count_in(d, area));
                if mine + theirs > 0 {
                    return Place::Wood(melee::Wood {
                        attacker_in: mine > 0,
                        defender_in: theirs > 0,
                        defender_caught: theirs > 0 && theirs < d.figures.len(),
                    });
                }
            }
            Kind::Water(water) => {
                let wet = |presence: &Presence| {
                    presence.figures.iter().any(|figure| figure.base.overlaps(&water.area))
                };
                if wet(a) || wet(d) {
                    return Place::Water(melee::Water {
                        attacker_in: wet(a),
                        defender_in: wet(d),
                        defender_pushed_in: false,
                    });
                }
            }
            Kind::Hill(_) | Kind::Plateau(_) => {
                if let (Some(mine), Some(theirs)) = (mean_up(element, a), mean_up(element, d)) {
                    return Place::Slope(melee::Slope {
                        attacker_cm: centimetres(mine.1),
                        defender_cm: centimetres(theirs.1),
                        same_slope: mine.0 == theirs.0,
                        attacker_whole_front: true,
                        defender_whole_front: true,
                    });
                }
            }
            Kind::Abandoned(_, gun) => {
                let holds = d.figures.iter().any(|figure| figure.base.gap_to(gun).touches());
                if holds {
                    return Place::AbandonedBattery(melee::Battery {
                        defender_holds: true,
                        attacker_touches: a.figures.iter().any(|figure| figure.base.gap_to(gun).touches()),
                    });
                }
            }
            Kind::Road(road) if is_on_tree_lined(road, defender, d) => {
                return Place::Road(melee::Road {
                    room_to_deploy: false,
                    tree_lined: true,
                    bridge: false,
                    flank: (450..=1350).contains(&a.facing.angle_to(d.facing)),
                });
            }
            _ => {}
        }
    }
    Place::Open
}
