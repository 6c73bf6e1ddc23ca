//! Terrain elements with the geometry the predicates need (terrain geometry page, section 2).

use kernel::Centimetres;

use super::terrain::{
    AbandonedSetup, BridgeSetup, FieldKind, FordSetup, HouseSetup, MarshSetup, ObstacleClass, RedoubtSetup,
    RoadSetup, TrackSetup, VillageSetup, WaterKind, WoodKind,
};
use crate::geometry::{Base, Extent, Facing, Gap, Point, Polygon, Ratio, Segment};

/// A terrain element that passed the checks.
#[derive(Clone, Debug)]
pub struct Element {
    /// Its name.
    pub id: String,
    /// What players call it.
    pub label: String,
    /// The wood that hides it.
    pub hidden_in: Option<String>,
    /// What it is.
    pub kind: Kind,
    /// The box around it.
    pub extent: Extent,
}

/// What an element is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A hill.
    Hill(Hill),
    /// A plateau.
    Plateau(Plateau),
    /// A wood.
    Wood(Polygon, WoodKind),
    /// A track or ride, with its strip.
    Track(TrackSetup, Polygon),
    /// A house.
    House(House),
    /// A village.
    Village(VillageSetup),
    /// A road.
    Road(Road),
    /// A bridge, with its rectangle.
    Bridge(BridgeSetup, Polygon),
    /// A watercourse.
    Water(Water),
    /// A ford, with its rectangle.
    Ford(FordSetup, Polygon),
    /// A marsh.
    Marsh(MarshSetup, Polygon),
    /// A field.
    Field(FieldKind, Polygon),
    /// A linear obstacle.
    Obstacle(Obstacle),
    /// A redoubt.
    Redoubt(Redoubt),
    /// A battery without gunners, with its base.
    Abandoned(AbandonedSetup, Base),
}

/// A hill: foot, crest, prolonged crest and the two slopes it parts.
#[derive(Clone, Debug)]
pub struct Hill {
    /// Its foot.
    pub outline: Polygon,
    /// The crest as drawn.
    pub crest: Vec<Point>,
    /// The crest prolonged to the outline at both ends.
    pub long_crest: Vec<Point>,
    /// The slope to the left of the drawing direction, then the one to the right.
    pub slopes: [Polygon; 2],
}

/// A plateau.
#[derive(Clone, Debug)]
pub struct Plateau {
    /// The foot of its slope.
    pub outline: Polygon,
    /// Its flat top.
    pub top: Polygon,
    /// The contour as a closed line: the first point comes again at the end.
    pub contour: Vec<Point>,
}

/// A house.
#[derive(Clone, Debug)]
pub struct House {
    /// As written.
    pub setup: HouseSetup,
    /// Its ground.
    pub area: Polygon,
    /// Its four sides.
    pub sides: [HouseSide; 4],
}

/// One side of a house.
#[derive(Clone, Debug)]
pub struct HouseSide {
    /// Its left end as seen from outside.
    pub left: Point,
    /// Its right end as seen from outside.
    pub right: Point,
    /// The outward normal.
    pub facing: Facing,
    /// Its length as written.
    pub length: i64,
    /// How many figures it holds.
    pub capacity: u16,
}

impl HouseSide {
    /// The wall behind one slot of 1.5 cm, counted from the left end as seen from outside, as the
    /// place of a figure.
    #[must_use]
    pub fn slot(&self, slot: u16) -> Base {
        let at = |along: i64| self.left.towards(self.right, along.min(self.length), self.length.max(1));
        let from = i64::from(slot) * 150;
        // Seen from within, left and right change places: the figure faces outwards.
        Base::at_wall(at(from + 150), at(from), self.facing)
    }

    /// The side as a segment.
    #[must_use]
    pub const fn wall(&self) -> Segment {
        Segment::new(self.left, self.right)
    }
}

/// Which side of which house, by place in the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Garrisoned {
    /// The house, by its place among the elements.
    pub house: usize,
    /// The side.
    pub side: u8,
}

/// A road.
#[derive(Clone, Debug)]
pub struct Road {
    /// As written.
    pub setup: RoadSetup,
    /// Its strip.
    pub area: Polygon,
}

/// A watercourse.
#[derive(Clone, Debug)]
pub struct Water {
    /// Its kind.
    pub kind: WaterKind,
    /// Its middle line.
    pub axis: Vec<Point>,
    /// Its left and right bank.
    pub banks: [Vec<Point>; 2],
    /// The water.
    pub area: Polygon,
}

/// A linear obstacle: a line cut into intervals, each with its class.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// Its line; a closed one returns to its first point.
    pub line: Vec<Point>,
    /// Sorted, disjoint, maximal intervals along the line that cover it.
    pub pieces: Vec<(i64, i64, ObstacleClass)>,
}

impl Obstacle {
    /// The rounded length of its line: the sum of its edges.
    #[must_use]
    pub fn length(&self) -> i64 {
        length_of(&self.line)
    }

    /// The class at a place along the line.
    #[must_use]
    pub fn class_at(&self, along: i64) -> ObstacleClass {
        self.pieces
            .iter()
            .find(|(from, to, _)| (*from..*to).contains(&along))
            .or(self.pieces.last())
            .map_or(ObstacleClass::Open, |&(_, _, class)| class)
    }

    /// Every crossing of a segment with the line: where on the segment, where along the line and
    /// the class there. Half-open test on each edge.
    pub fn crossings(&self, segment: Segment) -> impl Iterator<Item = (Ratio, i64, ObstacleClass)> + '_ {
        let mut before = 0;
        self.line.windows(2).filter_map(move |edge| {
            let start = before;
            before += Segment::new(edge[0], edge[1]).length();
            if !segment.crosses(edge[0], edge[1]) {
                return None;
            }
            let on_segment = segment.meeting(edge[0], edge[1])?;
            let on_edge = Segment::new(edge[0], edge[1]).meeting(segment.from, segment.to)?;
            let along = start + Ratio::START.stretch(on_edge, edge[0].square_to(edge[1]));
            Some((on_segment, along, self.class_at(along)))
        })
    }

    /// The distance from a base to its stretches that are not open.
    #[must_use]
    pub fn gap_to(&self, base: &Base) -> Gap {
        self.standing().map(|edge| base.gap_to_segment(edge)).min().unwrap_or(Gap::FAR)
    }

    /// Its stretches that are not open, as segments.
    pub fn standing(&self) -> impl Iterator<Item = Segment> + '_ {
        self.stretches().map(|(stretch, _)| stretch)
    }

    /// Its stretches that are not open, each with its class.
    pub fn stretches(&self) -> impl Iterator<Item = (Segment, ObstacleClass)> + '_ {
        let mut before = 0;
        self.line.windows(2).flat_map(move |edge| {
            let (a, b) = (edge[0], edge[1]);
            let length = Segment::new(a, b).length();
            let start = before;
            before += length;
            self.pieces.iter().filter_map(move |&(from, to, class)| {
                let (from, to) = ((from - start).max(0), (to - start).min(length));
                (class != ObstacleClass::Open && from < to)
                    .then(|| (Segment::new(a.towards(b, from, length), a.towards(b, to, length)), class))
            })
        })
    }
}

/// The sum of the rounded lengths of the edges of a line.
#[must_use]
pub(crate) fn length_of(line: &[Point]) -> i64 {
    line.windows(2).map(|edge| Segment::new(edge[0], edge[1]).length()).sum()
}

/// A redoubt.
#[derive(Clone, Debug)]
pub struct Redoubt {
    /// As written.
    pub setup: RedoubtSetup,
    /// What it encloses.
    pub interior: Polygon,
    /// Its faces; the gaps are open.
    pub faces: Obstacle,
}

impl Element {
    /// The area it covers, if it covers one.
    #[must_use]
    pub const fn area(&self) -> Option<&Polygon> {
        match &self.kind {
            Kind::Hill(hill) => Some(&hill.outline),
            Kind::Plateau(plateau) => Some(&plateau.outline),
            Kind::Wood(area, _)
            | Kind::Track(_, area)
            | Kind::Bridge(_, area)
            | Kind::Ford(_, area)
            | Kind::Marsh(_, area)
            | Kind::Field(_, area) => Some(area),
            Kind::House(house) => Some(&house.area),
            Kind::Road(road) => Some(&road.area),
            Kind::Water(water) => Some(&water.area),
            Kind::Redoubt(redoubt) => Some(&redoubt.interior),
            Kind::Village(_) | Kind::Obstacle(_) | Kind::Abandoned(..) => None,
        }
    }

    /// The name players read: the label, or the id without one.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.label.is_empty() { &self.id } else { &self.label }
    }
}

/// Hundredths of a quantity.
pub(crate) fn hundredths(length: Centimetres) -> i64 {
    i64::from(length.count())
}
