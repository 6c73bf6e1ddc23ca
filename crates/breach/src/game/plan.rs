//! The tables on which the scenarios are played (sections 4.2, 4.7 and 5 of the game page): elements of
//! the fortress with their slots, terrain, zones and anchors, read once from the tables.

use std::sync::LazyLock;

use kernel::Centimetres;
use rulebook::tables::breach::{
    DEPLOYMENT_ANCHORS, FORTRESS_PLAN, FORTRESS_SLOTS, GAME_TERRAIN, WORKS_ANCHORS,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tabletop::geometry::{Facing, Point};

use crate::scenario::{Scenario, Side};
use crate::score;

use super::geometry::{Around, Rect};

/// The table is so wide and so deep, in hundredths of a centimetre.
pub(crate) const TABLE: (i64, i64) = (18_000, 12_000);

/// An element of the fortress, by its place in the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct ElementId(pub u8);

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A section of wall.
    Wall,
    /// A tower of the wall.
    Tower,
    /// The gate.
    Gate,
    /// A tower by itself.
    LoneTower,
}

/// A place at the foot of an element where a stand is posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Slot {
    /// Outside.
    Outer,
    /// Outside, at the other face of a tower.
    OuterSecond,
    /// In the courtyard.
    Inner,
    /// The north side of a lone tower.
    North,
    /// Its east side.
    East,
    /// Its south side.
    South,
    /// Its west side.
    West,
}

impl Slot {
    fn named(word: &str) -> Option<Self> {
        Some(match word {
            "outer" | "outer_1" => Self::Outer,
            "outer_2" => Self::OuterSecond,
            "inner" => Self::Inner,
            "north" => Self::North,
            "east" => Self::East,
            "south" => Self::South,
            "west" => Self::West,
            _ => return None,
        })
    }

    /// Whether it lies outside the enclosure.
    #[must_use]
    pub const fn is_outside(self) -> bool {
        matches!(self, Self::Outer | Self::OuterSecond)
    }
}

/// An element as the plan has it.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Its id in the tables.
    pub(crate) id: &'static str,
    /// What it is.
    pub(crate) kind: Kind,
    /// Its ground.
    pub(crate) rect: Rect,
    /// The box of its ground.
    pub(crate) around: Around,
    /// Where its outer face looks; nothing for towers.
    pub(crate) outward: Option<Facing>,
    /// The element before it in the plan, and the one after it.
    pub(crate) beside: [Option<ElementId>; 2],
    /// Its slots.
    pub(crate) slots: Vec<(Slot, Point, Facing)>,
    /// What it counts as at the end.
    pub(crate) section: Option<score::Kind>,
}

impl Element {
    /// The pose of a slot.
    pub(crate) fn slot(&self, slot: Slot) -> Option<(Point, Facing)> {
        self.slots.iter().find(|(known, ..)| *known == slot).map(|&(_, front, facing)| (front, facing))
    }
}

/// What ground is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Terrain {
    /// A wood.
    Wood,
    /// Broken ground.
    Broken,
    /// A field.
    Field,
    /// A low obstacle.
    Hedge,
    /// A building.
    Building,
}

/// A place where a unit can be set up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    /// The middle of the front.
    pub(crate) front: Point,
    /// Where it faces.
    pub(crate) facing: Facing,
    /// Whether only guns and engines fit.
    pub(crate) gun: bool,
}

/// A table set up for a scenario.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// The elements, in the order of the plan.
    pub(crate) elements: Vec<Element>,
    /// The box of them all.
    pub(crate) around: Option<Around>,
    /// The terrain.
    pub(crate) terrain: Vec<(Terrain, Rect)>,
    /// Anchors of the garrison and of the besieger.
    pub(crate) anchors: [Vec<Anchor>; 2],
    /// Anchors of earthworks, likewise.
    pub(crate) works: [Vec<(&'static str, Point, Facing)>; 2],
    /// The ground of the courtyard, if there is one.
    pub(crate) courtyard: Option<Rect>,
}

/// The place of a side in a pair.
pub(crate) const fn seat(side: Side) -> usize {
    match side {
        Side::Garrison => 0,
        Side::Besieger => 1,
    }
}

/// A place of the tables.
pub(crate) fn point(x: Centimetres, y: Centimetres) -> Point {
    Point::new(i64::from(x.count()), i64::from(y.count()))
}

fn rect(x: Centimetres, y: Centimetres, w: Centimetres, d: Centimetres) -> Rect {
    let low = point(x, y);
    Rect::axis(low, low.moved(i64::from(w.count()), i64::from(d.count())))
}

/// Whole degrees.
pub(crate) fn degrees(degrees: i32) -> Facing {
    Facing::tenths(degrees * 10)
}

impl Plan {
    fn of(scenario: Scenario) -> Self {
        let own = |row: i32| row == scenario.number();
        let rows: Vec<_> = FORTRESS_PLAN.iter().filter(|row| own(row.scenario)).collect();
        let find = |id: &str| {
            let place = rows.iter().position(|row| row.id == id)?;
            u8::try_from(place).ok().map(ElementId)
        };
        let elements: Vec<Element> = rows
            .iter()
            .map(|row| Element {
                id: row.id,
                kind: match row.kind {
                    "tower" => Kind::Tower,
                    "gate" => Kind::Gate,
                    "lone_tower" => Kind::LoneTower,
                    _ => Kind::Wall,
                },
                rect: rect(row.x_cm, row.y_cm, row.w_cm, row.d_cm),
                around: Around::of(&rect(row.x_cm, row.y_cm, row.w_cm, row.d_cm)),
                outward: row.outward_deg.map(degrees),
                beside: [find(row.before), find(row.after)],
                slots: FORTRESS_SLOTS
                    .iter()
                    .filter(|slot| own(slot.scenario) && slot.element == row.id)
                    .filter_map(|slot| {
                        let place = point(slot.x_cm, slot.y_cm);
                        Some((Slot::named(slot.slot)?, place, degrees(slot.facing_deg)))
                    })
                    .collect(),
                section: match row.victory_section {
                    "wall" => Some(score::Kind::Wall),
                    "tower" => Some(score::Kind::Tower),
                    "gate" => Some(score::Kind::Gate),
                    _ => None,
                },
            })
            .collect();
        let terrain = GAME_TERRAIN
            .iter()
            .filter(|row| own(row.scenario))
            .map(|row| {
                let kind = match row.terrain {
                    "woods, tall scrub" => Terrain::Wood,
                    "broken or marshy" => Terrain::Broken,
                    "low linear obstacle" => Terrain::Hedge,
                    "single building, boulder" => Terrain::Building,
                    _ => Terrain::Field,
                };
                (kind, rect(row.x_cm, row.y_cm, row.w_cm, row.d_cm))
            })
            .collect();
        let anchors = [Side::Garrison, Side::Besieger].map(|side| {
            let rows = DEPLOYMENT_ANCHORS.iter().filter(|row| own(row.scenario) && row.side == side.id());
            rows.map(|row| Anchor {
                front: point(row.x_cm, row.y_cm),
                facing: degrees(row.facing_deg),
                gun: row.room == "gun",
            })
            .collect()
        });
        let works = [Side::Garrison, Side::Besieger].map(|side| {
            let rows = WORKS_ANCHORS.iter().filter(|row| own(row.scenario) && row.side == side.id());
            rows.map(|row| (row.anchor, point(row.x_cm, row.y_cm), degrees(row.facing_deg))).collect()
        });
        let courtyard =
            (scenario == Scenario::Keep).then(|| Rect::axis(Point::cm(74, 0), Point::cm(106, 14)));
        let around = elements.iter().map(|part| part.around).reduce(Around::and);
        Self { elements, around, terrain, anchors, works, courtyard }
    }

    /// An element of the plan.
    pub(crate) fn element(&self, id: ElementId) -> Option<&Element> {
        self.elements.get(usize::from(id.0))
    }

    /// The elements with their ids.
    pub(crate) fn each(&self) -> impl Iterator<Item = (ElementId, &Element)> {
        (0..).map(ElementId).zip(&self.elements)
    }

    /// The element with this id in the tables.
    pub(crate) fn named(&self, id: &str) -> Option<ElementId> {
        self.each().find(|(_, element)| element.id == id).map(|(id, _)| id)
    }
}

/// The table of a scenario.
pub(crate) fn plan(scenario: Scenario) -> &'static Plan {
    static PLANS: LazyLock<[Plan; 3]> = LazyLock::new(|| Scenario::ALL.map(Plan::of));
    let [watchtower, help, keep] = &*PLANS;
    match scenario {
        Scenario::Watchtower => watchtower,
        Scenario::Help => help,
        Scenario::Keep => keep,
    }
}
