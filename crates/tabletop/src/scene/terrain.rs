//! The terrain as a person writes it (terrain geometry page, section 2): plain data, read strictly.

use kernel::{Centimetres, Whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::{Facing, Point};

/// A terrain element.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ElementSetup {
    /// Its name, unlike any other on the table.
    pub id: String,
    /// What players call it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// The wood that hides it, if it lies in one (TE-4.3-10).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden_in: Option<String>,
    /// What it is.
    pub shape: Shape,
}

/// What an element is, with its geometry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A hill with a crest line.
    Hill(HillSetup),
    /// A plateau with a flat top.
    Plateau(PlateauSetup),
    /// A wood.
    Wood(WoodSetup),
    /// A track or ride through a wood.
    Track(TrackSetup),
    /// A house.
    House(HouseSetup),
    /// A village: houses along a street.
    Village(VillageSetup),
    /// A road.
    Road(RoadSetup),
    /// A bridge.
    Bridge(BridgeSetup),
    /// A stream, ditch, river or large river.
    Water(WaterSetup),
    /// A ford.
    Ford(FordSetup),
    /// A marsh or pond.
    Marsh(MarshSetup),
    /// Tall crops, a vineyard or ploughed land.
    Field(FieldSetup),
    /// A linear obstacle.
    Obstacle(ObstacleSetup),
    /// A redoubt.
    Redoubt(RedoubtSetup),
    /// A battery without gunners.
    AbandonedBattery(AbandonedSetup),
}

/// A hill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HillSetup {
    /// Its foot.
    pub outline: Vec<Point>,
    /// Its crest line, prolonged to the outline at both ends.
    pub crest: Vec<Point>,
}

/// A plateau.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlateauSetup {
    /// The foot of its slope.
    pub outline: Vec<Point>,
    /// The contour of its flat top.
    pub crest: Vec<Point>,
}

/// Kinds of wood; both play alike (TE-R86).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WoodKind {
    /// A forest.
    #[default]
    Forest,
    /// An orchard.
    Orchard,
}

/// A wood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WoodSetup {
    /// Its edge.
    pub outline: Vec<Point>,
    /// Its clearings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clearings: Vec<Vec<Point>>,
    /// Its kind.
    #[serde(default)]
    pub kind: WoodKind,
}

/// Ways through a wood.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TrackKind {
    /// A forest track.
    Track,
    /// A ride.
    Ride,
}

/// A track or ride.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TrackSetup {
    /// The wood it runs through.
    pub wood: String,
    /// Its middle line.
    pub axis: Vec<Point>,
    /// Its width.
    pub width: Centimetres,
    /// Which of the two.
    pub kind: TrackKind,
}

/// What happened to a stretch of wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DamageKind {
    /// Hard cover now, and no further.
    Degraded,
    /// Pulled down by sappers.
    Destroyed,
}

/// A damaged stretch of a house side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Damage {
    /// The side, 0 to 3.
    pub side: Whole<0, 3>,
    /// From so far along the side, from its left end as seen from outside.
    pub from: Centimetres,
    /// To so far along it.
    pub to: Centimetres,
    /// What happened.
    pub kind: DamageKind,
}

/// A house: a rectangle with four sides. Side 0 runs from `corner` towards `angle`; the others
/// follow counter-clockwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseSetup {
    /// Its first corner.
    pub corner: Point,
    /// The length of sides 0 and 2.
    pub length: Centimetres,
    /// The length of sides 1 and 3.
    pub width: Centimetres,
    /// The direction of side 0; east unless told.
    #[serde(default = "east")]
    pub angle: Facing,
    /// On fire.
    #[serde(default)]
    pub burning: bool,
    /// Opened by sappers.
    #[serde(default)]
    pub breached: bool,
    /// Damaged stretches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<Damage>,
}

/// The direction a rectangle has unless told.
const fn east() -> Facing {
    Facing::EAST
}

/// A village.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VillageSetup {
    /// Its houses.
    pub houses: Vec<String>,
    /// The road that is its street.
    pub street: String,
}

/// A stretch along a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Interval {
    /// From so far along the line.
    pub from: Centimetres,
    /// To so far along it.
    pub to: Centimetres,
}

/// A road.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RoadSetup {
    /// Its middle line.
    pub axis: Vec<Point>,
    /// Its width.
    pub width: Centimetres,
    /// The stretches lined with trees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tree_lined: Vec<Interval>,
}

/// A bridge: a rectangle across a watercourse, laid like a house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BridgeSetup {
    /// Its first corner.
    pub corner: Point,
    /// The length of the edge that starts there.
    pub length: Centimetres,
    /// The length of the next edge, to the left.
    pub width: Centimetres,
    /// The direction of the first edge; east unless told.
    #[serde(default = "east")]
    pub angle: Facing,
    /// The watercourse it crosses.
    pub over: String,
    /// The road it carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub road: Option<String>,
    /// Built by sappers.
    #[serde(default)]
    pub built_by_sappers: bool,
}

/// Kinds of running water.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WaterKind {
    /// A ditch.
    Ditch,
    /// A stream.
    Stream,
    /// A river.
    River,
    /// A large river.
    LargeRiver,
}

/// A watercourse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WaterSetup {
    /// Its kind.
    pub kind: WaterKind,
    /// Its middle line.
    pub axis: Vec<Point>,
    /// Its width.
    pub width: Centimetres,
}

/// A ford: a rectangle in a river, laid like a house.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FordSetup {
    /// Its first corner.
    pub corner: Point,
    /// The length of the edge that starts there.
    pub length: Centimetres,
    /// The length of the next edge, to the left.
    pub width: Centimetres,
    /// The direction of the first edge; east unless told.
    #[serde(default = "east")]
    pub angle: Facing,
    /// The river it is part of.
    pub river: String,
}

/// A marsh or pond.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MarshSetup {
    /// Its edge.
    pub outline: Vec<Point>,
    /// Whether reeds show where it is.
    #[serde(default = "yes")]
    pub vegetation: bool,
}

const fn yes() -> bool {
    true
}

/// Kinds of cultivated ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// Tall crops.
    TallCrops,
    /// A vineyard.
    Vineyard,
    /// Ploughed land.
    Ploughed,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FieldSetup {
    /// Its kind.
    pub kind: FieldKind,
    /// Its edge.
    pub outline: Vec<Point>,
}

/// What a stretch of a linear obstacle is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ObstacleClass {
    /// Nothing: pulled down, or a gap.
    Open,
    /// Light cover: hedge, palisade, barricade.
    Light,
    /// Hard cover that no ball degrades further.
    HardFinal,
    /// Hard cover: stone wall, abatis.
    Hard,
    /// The face of a redoubt.
    House,
}

/// A stretch of an obstacle with a class of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// From so far along the line.
    pub from: Centimetres,
    /// To so far along it.
    pub to: Centimetres,
    /// Its class.
    pub class: ObstacleClass,
}

/// A linear obstacle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ObstacleSetup {
    /// Its line.
    pub line: Vec<Point>,
    /// Whether the line returns to its start.
    #[serde(default)]
    pub closed: bool,
    /// Its class.
    pub class: ObstacleClass,
    /// Stretches of another class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
}

/// A redoubt: a closed line of faces with gaps at the rear.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RedoubtSetup {
    /// Its corners.
    pub line: Vec<Point>,
    /// The gaps at its rear, along the line.
    pub gaps: Vec<Interval>,
    /// Degraded or destroyed stretches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pieces: Vec<Piece>,
    /// On fire.
    #[serde(default)]
    pub burning: bool,
}

/// How a battery lost its gunners.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// Abandoned, or its gunners all lost.
    Abandoned,
    /// Spiked.
    Spiked,
    /// Overturned.
    Overturned,
}

/// A battery without gunners: an obstacle of its full base.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AbandonedSetup {
    /// The middle of its front edge.
    pub at: Point,
    /// Where it faced.
    pub facing: Facing,
    /// The gunner figures it began with.
    pub crew: Whole<1, 12>,
    /// What became of it.
    pub cause: Cause,
    /// The battery it was, for the count of its budget.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub battery: Option<String>,
}
