//! From a scene to the facts of the terrain chapter: what a body stands in, which stretches its way
//! has, who touches whom (geometry page, sections 3, 5 and 7).

mod footing;
pub mod house;
pub mod melee;
pub mod reach;
mod turn;
pub mod way;

pub(crate) use footing::standing;
pub use melee::{Contact, Rear, contact};
pub use reach::reaches;
pub use way::{Walked, Way};

use kernel::{Centimetres, Verdict};

use super::ground::Ground;
use super::obstacles::ObstacleClass;
use crate::fire::Calibre;
use crate::geometry::{Base, Extent, Point, Polygon, gap_to_line};
use crate::movement::{self, ChargeType, Pace, RateClass};
use crate::scene::{
    self, Body, DrillClass, Element, Figure, GunTeam, Kind, Muster, Scene, TrackKind, WaterKind, WeightClass,
};

/// Hundredths as a quantity; a table is far smaller than what it can hold.
fn centimetres(hundredths: i64) -> Centimetres {
    Centimetres::hundredths(i32::try_from(hundredths).unwrap_or(i32::MAX))
}

/// Its class in the table of rates.
#[must_use]
pub fn rate_class(body: &Body) -> RateClass {
    match &body.setup.troops {
        Muster::Infantry(drill) => match drill.class {
            DrillClass::A => RateClass::A,
            DrillClass::B => RateClass::B,
            DrillClass::C => RateClass::C,
        },
        Muster::Cavalry(weight) => match weight.class {
            WeightClass::Light | WeightClass::Irregular => RateClass::Light,
            WeightClass::Medium => RateClass::Medium,
            WeightClass::Heavy => RateClass::Heavy,
        },
        Muster::Artillery(battery) => match (battery.team, battery.calibre) {
            (GunTeam::Horse, _) => RateClass::Horse,
            (GunTeam::Foot, Calibre::Twelve) => RateClass::Foot12,
            (GunTeam::Foot, Calibre::Eight | Calibre::Nine) => RateClass::Foot8_9,
            (GunTeam::Foot, _) => RateClass::Foot3_4_6,
        },
        Muster::Officer(_) => RateClass::Blank,
    }
}

/// Its movement on plain in a half-period, at a pace.
///
/// # Errors
/// When the tables know no such troops.
pub fn half_period(body: &Body, pace: Pace) -> Verdict<Centimetres> {
    movement::rate(&body.troops(), rate_class(body), pace)
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
    let cavalry = match &body.setup.troops {
        Muster::Cavalry(weight) => Some(match weight.class {
            WeightClass::Light => ChargeType::Light,
            WeightClass::Medium => ChargeType::Medium,
            WeightClass::Heavy => ChargeType::Heavy,
            WeightClass::Irregular => ChargeType::Irregular,
        }),
        _ => None,
    };
    movement::charge_distance(&body.troops(), cavalry)
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
    let over = |area: &Polygon| -> Vec<&Base> {
        bases.iter().map(|one| &one.base).filter(|base| base.overlaps(area)).collect()
    };
    let bridges = Bridges::near(&elements);
    let (mut swims, mut crosses) = (false, false);
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
                let keeps_to = |kind: TrackKind| {
                    elements.iter().any(|way| match &way.kind {
                        Kind::Track(track, strip) if track.wood == element.id && track.kind == kind => {
                            !inside.is_empty()
                                && inside.iter().all(|base| strip.holds(base.centre))
                                && rank_middles(bases).iter().all(|&m| strip.holds(m) || !area.holds(m))
                        }
                        _ => false,
                    })
                };
                if keeps_to(TrackKind::Ride) {
                    add(Ground::Ride, inside.len());
                } else if keeps_to(TrackKind::Track) {
                    add(Ground::ForestTrack, inside.len());
                }
            }
            Kind::House(house) => add(Ground::House, over(&house.area).len()),
            Kind::Bridge(_, area) => add(Ground::Bridge, over(area).len()),
            Kind::Ford(_, area) => add(Ground::Ford, over(area).len()),
            Kind::Water(water) => {
                let over_water: Vec<&Ranked> =
                    bases.iter().filter(|one| one.base.overlaps(&water.area)).collect();
                let (dry, wet): (Vec<&Ranked>, Vec<&Ranked>) =
                    over_water.into_iter().partition(|one| bridges.carry(one, bases, &water.area));
                let wet: Vec<&Base> = wet.into_iter().map(|one| &one.base).collect();
                crosses |= !dry.is_empty();
                swims |= !wet.is_empty();
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
    // Who stands in the water beside a bridge is not on it.
    found.retain(|ground| *ground != Ground::Bridge || crosses || !swims);
    found.sort_unstable();
    let partly = !found.is_empty() && least < bases.len();
    let on_road = is_on_road(bases, &elements);
    (found, partly, on_road)
}

/// The bridges near a body.
struct Bridges<'a> {
    areas: Vec<&'a Polygon>,
}

impl<'a> Bridges<'a> {
    fn near(elements: &[&'a Element]) -> Self {
        let area = |element: &&'a Element| match &element.kind {
            Kind::Bridge(_, area) => Some(area),
            _ => None,
        };
        Self { areas: elements.iter().filter_map(area).collect() }
    }

    /// Whether a bridge carries a base over some water: the middle of the base is on it, or that of a
    /// rank no wider than a road takes, or nothing of the base hangs over the water beside it.
    fn carry(&self, one: &Ranked, bases: &[Ranked], water: &Polygon) -> bool {
        let rank: Vec<&Ranked> = bases.iter().filter(|other| other.rank == one.rank).collect();
        let ends = match rank.as_slice() {
            [first, .., last] if rank.len() <= 3 => (first, last),
            _ => (&one, &one),
        };
        let middle = |of: fn(&Base) -> Point| of(&ends.0.base).towards(of(&ends.1.base), 1, 2);
        let rear = |base: &Base| base.front.towards(base.centre, 2, 1);
        let middles = [middle(|base| base.front), middle(|base| base.centre), middle(rear)];
        self.areas.iter().any(|bridge| {
            one.base.overlaps(bridge)
                && (middles.iter().any(|&middle| bridge.holds(middle))
                    || one.base.corners.iter().all(|&corner| bridge.holds(corner) || !water.holds(corner)))
        })
    }
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

/// The width of the sappers' bridge some base overlaps; of the narrowest, if there are several.
fn sappers_bridge(scene: &Scene, bases: &[Ranked]) -> Option<Centimetres> {
    near(scene, &extent_of(bases))
        .filter_map(|element| match &element.kind {
            Kind::Bridge(bridge, area)
                if bridge.built_by_sappers && bases.iter().any(|one| one.base.overlaps(area)) =>
            {
                Some(bridge.length.min(bridge.width))
            }
            _ => None,
        })
        .min()
}

/// What a body stands in now.
#[must_use]
pub fn grounds(scene: &Scene, body: &Body) -> Vec<Ground> {
    grounds_of(scene, body.now())
}

/// What a body would stand in if it stood so.
pub(crate) fn grounds_of(scene: &Scene, presence: &scene::Presence) -> Vec<Ground> {
    standing_in(scene, &ranked(&presence.figures)).0
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
