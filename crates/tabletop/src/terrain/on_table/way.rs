//! The way of a body over the table: where its bases stand at each place of it, and the stretches
//! of ground it passes (geometry page, section 5).

use kernel::{Centimetres, Clerk, Refusal, Verdict, Whole};
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_terrain as phrase;
use rulebook::rule;

use super::super::charge::{self, Charged};
use super::super::ground::Ground;
use super::super::obstacles::ObstacleClass;
use super::super::troops::Formation;
use super::turn::{self, follows_head, turns_freely};
use super::{
    Ranked, centimetres, charge_bonus, class, extent_of, grounds, half_period, near, rank_middles,
    sappers_bridge, standing_in,
};
use crate::fire::shelter::is_on_tree_lined;
use crate::geometry::{Base, Extent, Facing, Point, Segment};
use crate::movement::{self, March, Marched, Pace, Stretch};
use crate::scene::{self, Body, Element, Kind, Presence, Scene, crew_base, size};

/// A direction as a facing, to the tenth of a degree.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "rounded once, within 3600")]
pub(super) fn heading(from: Point, to: Point) -> Facing {
    let (dx, dy) = ((to.x - from.x) as f64, (to.y - from.y) as f64);
    Facing::tenths((dx.atan2(dy).to_degrees() * 10.0).round() as i32)
}

/// A way walked for some quarters.
pub struct Walked<'a> {
    /// Its stretches, as far as the body could get.
    pub stretches: Vec<Stretch>,
    /// The enemy it ends at, reached or not.
    pub foe: Option<&'a Body>,
    /// In a charge, whether the charge bonus counts in the melee.
    pub melee_bonus: Option<bool>,
    /// How far the body got.
    pub march: Marched,
}

/// One straight leg of a way.
struct Leg {
    /// From the end of the one before.
    path: Segment,
    /// The facing after each quarter spent turning before it.
    turns: Vec<Facing>,
    /// How the body faces on it.
    facing: Facing,
}

/// A way over the table, and where the body stands at each place of it.
pub struct Way<'a> {
    scene: &'a Scene,
    body: &'a Body,
    legs: Vec<Leg>,
    /// From the tail of the body to its head: what ranks that follow still have to cover.
    tail: Segment,
    /// How far the way goes from the head.
    length: i64,
}

impl<'a> Way<'a> {
    /// The way of a body to some places, one after the other.
    ///
    /// # Errors
    /// A garrison does not march; nobody goes backwards round a corner, charges round one or leaves
    /// the table.
    pub fn new(scene: &'a Scene, body: &'a Body, to: &[Point], pace: Pace) -> Verdict<Self> {
        let presence = body.now();
        if presence.house.is_some() {
            return Err(Refusal::rule(rule!(TE_5_2_27), phrase::IN_A_HOUSE).at("body"));
        }
        let Some(head) = head(presence) else {
            return Err(Refusal::field("body", phrase::NO_FIGURES));
        };
        let (mut from, mut facing) = (head, presence.facing);
        let mut legs: Vec<Leg> = Vec::new();
        for (number, &place) in to.iter().enumerate() {
            if !scene.holds(place) {
                return Err(Refusal::field(format!("to[{number}]"), phrase::OFF_TABLE));
            }
            if place == from {
                continue;
            }
            let direction = heading(from, place);
            let refuse = |message| Err(Refusal::rule(rule!(TE_R91), message).at(format!("to[{number}]")));
            let mut turns = Vec::new();
            match pace {
                Pace::Backward => {
                    let apart = facing.turned(1800).angle_to(direction);
                    if !turns_freely(presence.formation) && apart > turn::STEP {
                        return refuse(phrase::TURN_FIRST);
                    }
                }
                // Straight ahead after a turn of 22.5° at most, from start to contact.
                Pace::Charge => {
                    let bends = legs.first().is_some_and(|leg| {
                        heading(leg.path.from, leg.path.to).angle_to(direction) > STRAIGHT
                    });
                    let aside = facing.angle_to(direction) > turn::STEP;
                    if bends || (aside && !turns_freely(presence.formation)) {
                        return refuse(phrase::CHARGE_STRAIGHT);
                    }
                }
                Pace::Normal | Pace::Forced => turns = turn::before(body, facing, direction, legs.is_empty()),
            }
            facing = turns.last().copied().unwrap_or(facing);
            let along = if follows_head(presence.formation) { direction } else { facing };
            legs.push(Leg { path: Segment::new(from, place), turns, facing: along });
            from = place;
        }
        let depth = i64::from(body.troops().base_depth().count()) * i64::from(presence.ranks());
        let tail = crate::geometry::turned(head, presence.facing, 0, -depth.max(1));
        let length = legs.iter().map(|leg| leg.path.length()).sum();
        Ok(Self { scene, body, legs, tail: Segment::new(tail, head), length })
    }

    /// The length of the way.
    #[must_use]
    pub const fn length(&self) -> i64 {
        self.length
    }

    /// A place of the way, and how the body faces there; before its beginning, where the ranks that
    /// follow the head still are.
    fn place(&self, along: i64) -> (Point, Facing) {
        if along <= 0 || self.legs.is_empty() {
            let length = self.tail.length();
            let from_tail = (length + along).max(0);
            return (self.tail.from.towards(self.tail.to, from_tail, length), self.body.now().facing);
        }
        let mut left = along;
        let mut last = (self.tail.to, self.body.now().facing);
        for leg in &self.legs {
            let length = leg.path.length();
            if left <= length {
                return (leg.path.from.towards(leg.path.to, left, length.max(1)), leg.facing);
            }
            left -= length;
            last = (leg.path.to, leg.facing);
        }
        last
    }

    /// Where the head is after so much of the way and so many quarters of turning, and where it
    /// faces.
    #[must_use]
    pub fn head(&self, along: i64, turned: usize) -> (Point, Facing) {
        let (at, on_leg) = self.place(along);
        if follows_head(self.body.now().formation) {
            return (at, on_leg);
        }
        let steps = self.legs.iter().flat_map(|leg| &leg.turns).copied();
        (at, steps.take(turned).last().unwrap_or(self.body.now().facing))
    }

    /// The bases after so much of the way.
    pub(crate) fn bases(&self, along: i64) -> Vec<Ranked> {
        let (_, facing) = self.place(along);
        self.bases_facing(along, facing)
    }

    /// The bases after so much of the way; a body that does not follow its head faces so.
    fn bases_facing(&self, along: i64, facing: Facing) -> Vec<Ranked> {
        let presence = self.body.now();
        if !follows_head(presence.formation) || along == 0 {
            let at = self.place(along).0;
            let by = i32::from(facing.count()) - i32::from(presence.facing.count());
            let put = |base: &Base| {
                if along == 0 && by == 0 { base.clone() } else { put(base, self.tail.to, at, by) }
            };
            return presence
                .figures
                .iter()
                .map(|figure| Ranked { base: put(&figure.base), rank: figure.rank })
                .collect();
        }
        if presence.formation == Formation::Limbered {
            let (at, facing) = self.place(along);
            let crew = self.body.battery().map_or(1, scene::Battery::full_crew);
            return vec![Ranked { base: crew_base(at, facing, crew, presence.formation), rank: 0 }];
        }
        let (width, depth) = size(self.body.arm, presence.formation);
        presence
            .figures
            .iter()
            .map(|figure| {
                let behind = i64::from(figure.rank) * depth;
                let (at, facing) = self.place(along - behind);
                let in_rank = presence.figures.iter().filter(|other| other.rank == figure.rank).count();
                let files = i64::try_from(in_rank).unwrap_or(1);
                let aside2 = width * (2 * i64::from(figure.file) + 1 - files);
                Ranked { base: Base::placed(at, facing, (aside2, 0), 0, (width, depth)), rank: figure.rank }
            })
            .collect()
    }

    /// The quarters of turning before the leg that begins so far along the way.
    fn turns_at(&self, along: i64) -> Whole<0, 40> {
        let mut begins = 0;
        for leg in &self.legs {
            if begins == along {
                return i32::try_from(leg.turns.len()).ok().and_then(Whole::new).unwrap_or_default();
            }
            begins += leg.path.length();
        }
        Whole::default()
    }

    /// Where the leg ends on which so much of the way lies.
    fn leg_end(&self, along: i64) -> i64 {
        let mut end = 0;
        for leg in &self.legs {
            end += leg.path.length();
            if end > along {
                break;
            }
        }
        end
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
            // A leg begins with the turn it needs, so that no step goes round a corner.
            let turns = self.turns_at(at);
            let step = STEP.min(end - at).min((self.leg_end(at) - at).max(1));
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
                        && turns.get() == 0
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
                    stretch.turn_quarters = turns;
                    stretch.bridge_width_cm = sappers_bridge(self.scene, &bases);
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
        // A hollow square faces out again where it arrives.
        if foe.is_none()
            && self.body.now().formation == Formation::HollowSquare
            && end == self.length
            && let Some(last) = all.last()
        {
            let mut stands = Stretch::new(Centimetres::ZERO, &last.ground);
            stands.partly = last.partly;
            stands.turn_quarters = Whole::new(1).unwrap_or_default();
            all.push(stands);
        }
        Ok((all, foe))
    }

    /// Walks the way at a pace for so many quarters: a charge if it may be made, a march otherwise.
    ///
    /// # Errors
    /// The rule that forbids it.
    pub fn walk(
        &self,
        reach: i64,
        pace: Pace,
        quarters: i32,
        road_bonus: bool,
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<Walked<'a>> {
        let (stretches, foe) = self.stretches(reach)?;
        let (march, melee_bonus) =
            self.judge(&stretches, foe, pace, (quarters, road_bonus), options, clerk)?;
        Ok(Walked { stretches, foe, melee_bonus, march })
    }

    /// How far the body gets on these stretches of the way, and in a charge whether its bonus counts
    /// in the melee.
    pub(super) fn judge(
        &self,
        stretches: &[Stretch],
        foe: Option<&Body>,
        pace: Pace,
        (quarters, road_bonus): (i32, bool),
        options: &Options,
        clerk: &mut impl Clerk,
    ) -> Verdict<(Marched, Option<bool>)> {
        let troops = self.body.troops();
        let mut melee_bonus = None;
        if pace == Pace::Charge
            && let Some(foe) = foe
        {
            let whole: Centimetres = stretches.iter().map(|stretch| stretch.cm).sum();
            let path = charge::Way {
                ground: stretches.iter().flat_map(|stretch| stretch.ground.iter().copied()).collect(),
                on_road: stretches.iter().all(|stretch| stretch.on_road),
                crosses_obstacle: stretches.iter().any(|stretch| stretch.obstacle.is_some()),
            };
            let target = self.charged(foe, i64::from(whole.count()));
            melee_bonus = Some(charge::may_charge(&troops, &path, &target, options, clerk)?.melee_bonus);
        }
        // On the way ground imposes by itself; what it starts from has done so already.
        let written = troops.clone().in_state(self.body.setup.state);
        let march = movement::march(
            &March {
                troops: &written,
                half_period: half_period(self.body, pace).map_err(|refusal| refusal.at("body"))?,
                pace,
                quarters,
                way: stretches,
                road_bonus,
                charge_bonus: charge_bonus(self.body),
                loosened: self.body.imposed.map(|imposed| imposed.state),
            },
            options,
            clerk,
        )?;
        Ok((march, melee_bonus))
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

    /// The friend on whom the body would end after so much of the way and of turning, if any.
    #[must_use]
    pub fn ends_on(&self, along: i64, turned: usize) -> Option<&'a Body> {
        let bases = self.bases_facing(along, self.head(along, turned).1);
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

    /// The elements the body stands in after so much of the way and of turning.
    #[must_use]
    pub fn grounds_at(&self, along: i64, turned: usize) -> Vec<Ground> {
        standing_in(self.scene, &self.bases_facing(along, self.head(along, turned).1)).0
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
        let aim = Segment::new(self.place(along).0, theirs.centre);
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
                    let flank = (450..=1350).contains(&self.place(along).1.angle_to(theirs.facing));
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

/// Legs that differ by no more, in tenths of a degree, are one straight way whose places were rounded.
const STRAIGHT: u16 = 10;

/// The middle of the front of the first rank.
pub(super) fn head(presence: &Presence) -> Option<Point> {
    let mut row = presence.figures.iter().filter(|figure| figure.rank == 0);
    let first = row.next()?;
    let last = row.next_back().unwrap_or(first);
    Some(first.base.front.towards(last.base.front, 1, 2))
}

/// A base whose body has gone from one place to another and turned by so many tenths about it.
fn put(base: &Base, from: Point, at: Point, by: i32) -> Base {
    let turn = Facing::tenths(by);
    let go = |point: Point| crate::geometry::turned(at, turn, point.x - from.x, point.y - from.y);
    let corners = base.corners.map(go);
    Base {
        corners,
        front: go(base.front),
        centre: go(base.centre),
        facing: base.facing.turned(by),
        points: base.points.map(go),
        extent: Extent::of(&corners),
    }
}
