//! From a scene to the facts of the terrain chapter: what a body stands in, which stretches its way
//! has, who touches whom (geometry page, sections 3, 5 and 7).

pub mod house;
pub mod melee;
pub mod reach;
mod turn;
pub mod way;

pub use melee::contact;
pub use reach::reaches;
pub use way::{Walked, Way};

use kernel::{Centimetres, Verdict, Whole};

use super::ground::Ground;
use super::obstacles::ObstacleClass;
use super::troops::{Arm, Troops};
use crate::geometry::{Base, Extent, Point, gap_to_line};
use crate::movement::{self, Pace};
use crate::scene::{
    self, Body, Calibre, DrillClass, Element, Figure, GunTeam, Kind, Scene, TrackKind, WaterKind, WeightClass,
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

/// Its movement on plain in a half-period, at a pace.
///
/// # Errors
/// When the tables know no such troops.
pub fn half_period(body: &Body, pace: Pace) -> Verdict<Centimetres> {
    movement::rate(&troops(body), rate_class(body), pace)
}

/// Its base move for a quarter, in its formation.
#[must_use]
pub fn quarter_move(body: &Body) -> Centimetres {
    half_period(body, Pace::Normal)
        .map_or(Centimetres::ZERO, |half| Centimetres::hundredths(half.count() / 2))
}

/// Its charge bonus, in its formation.
#[must_use]
pub fn charge_bonus(body: &Body) -> Centimetres {
    let class = match &body.setup.troops {
        scene::Troops::Cavalry(weight) if weight.class == WeightClass::Irregular => "irregular",
        _ => rate_class(body),
    };
    movement::charge_distance(&troops(body), class)
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
                if !(water.kind == WaterKind::River && ford) {
                    add(water_as_ground(water.kind), wet.len());
                }
            }
            Kind::Marsh(_, area) => add(Ground::Marsh, over(area).len()),
            Kind::Field(kind, area) => add(field_as_ground(*kind), over(area).len()),
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

/// A watercourse as ground.
const fn water_as_ground(kind: WaterKind) -> Ground {
    match kind {
        WaterKind::Ditch => Ground::Ditch,
        WaterKind::Stream => Ground::Stream,
        WaterKind::River => Ground::River,
        WaterKind::LargeRiver => Ground::LargeRiver,
    }
}

/// A field as ground.
const fn field_as_ground(kind: scene::FieldKind) -> Ground {
    match kind {
        scene::FieldKind::TallCrops => Ground::TallCrops,
        scene::FieldKind::Vineyard => Ground::Vineyard,
        scene::FieldKind::Ploughed => Ground::PloughedLand,
    }
}

/// What a body stands in now.
#[must_use]
pub fn grounds(scene: &Scene, body: &Body) -> Vec<Ground> {
    standing_in(scene, &ranked(&body.now().figures)).0
}

/// The class of a standing obstacle as rules of crossing take it.
pub(crate) const fn class(of: scene::ObstacleClass) -> Option<ObstacleClass> {
    match of {
        scene::ObstacleClass::Open => None,
        scene::ObstacleClass::Light => Some(ObstacleClass::Light),
        scene::ObstacleClass::Hard => Some(ObstacleClass::Hard),
        scene::ObstacleClass::HardFinal => Some(ObstacleClass::HardForGood),
        scene::ObstacleClass::House => Some(ObstacleClass::RedoubtFace),
    }
}
