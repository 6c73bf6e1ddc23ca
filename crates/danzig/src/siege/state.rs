//! What stands on the siege map (chapter 4.7): wall points, works, the Kalke-Schanze and the mine, as
//! plain data. Units and guns are counters of the [`Table`](crate::Table); here is the ground.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::common::Brawl;
use super::geometry::{DM, Facing, Rect, Spot};
use crate::unit::{Side, UnitId};

/// How many points both walls have.
pub const WALL_POINTS: usize = 36;
/// The level of an intact wall point.
pub const INTACT: u8 = 20;
/// Long side of a trench counter, in metres (DZ-R14).
pub const LONG_M: u8 = 100;
/// Short side of a trench counter, in metres (DZ-R14).
pub const SHORT_M: u8 = 50;
/// Construction points of a turn (DZ-4.7.2-10).
pub const CONSTRUCTION_POINTS: u8 = 10;
/// Most works on the map at once: ten points a turn for fourteen turns, and the printed redoubts.
pub const MOST_WORKS: usize = 192;

/// A pink point of one of the two walls: pair `n` (1 to 9 on the Hagelsberg, then on the Bischofsberg)
/// has the first-wall point `2 n` (`H1` to `B9`) and the second-wall point `2 n + 1` (`h1` to `b9`).
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WallId(pub u8);

impl WallId {
    /// The point with this number, 0 to 35.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < WALL_POINTS { Some(Self(number)) } else { None }
    }

    /// All points, pair by pair.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..36).map(Self)
    }

    /// The points of the first wall.
    pub fn first_wall() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..18).map(|pair| Self(2 * pair))
    }

    /// The points of the second wall.
    pub fn second_wall() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..18).map(|pair| Self(2 * pair + 1))
    }

    /// Its number, 0 to 35.
    #[must_use]
    pub const fn index(self) -> usize {
        if (self.0 as usize) < WALL_POINTS { self.0 as usize } else { WALL_POINTS - 1 }
    }

    /// Whether it is on the second wall.
    #[must_use]
    pub const fn is_second(self) -> bool {
        self.0 % 2 == 1
    }

    /// The point of the other wall that a dark line joins to this one.
    #[must_use]
    pub const fn linked(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The half of the walls it belongs to.
    #[must_use]
    pub const fn half(self) -> Half {
        if self.0 < 18 { Half::Hagelsberg } else { Half::Bischofsberg }
    }

    /// Its name on the map: `H5`, `b3`.
    #[must_use]
    pub const fn code(self) -> &'static str {
        const CODES: [&str; WALL_POINTS] = [
            "H1", "h1", "H2", "h2", "H3", "h3", "H4", "h4", "H5", "h5", "H6", "h6", "H7", "h7", "H8", "h8",
            "H9", "h9", "B1", "b1", "B2", "b2", "B3", "b3", "B4", "b4", "B5", "b5", "B6", "b6", "B7", "b7",
            "B8", "b8", "B9", "b9",
        ];
        CODES[self.index()]
    }

    /// The point with this name.
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        Self::all().find(|id| id.code() == code)
    }
}

impl fmt::Debug for WallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Display for WallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl From<WallId> for kernel::Measure {
    fn from(id: WallId) -> Self {
        id.code().into()
    }
}

impl Serialize for WallId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.code())
        } else {
            serializer.serialize_u8(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for WallId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::{Error as _, Unexpected};
        const EXPECTED: &str = "H1–H9, B1–B9, h1–h9, b1–b9";
        if deserializer.is_human_readable() {
            let code = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
            Self::of_code(&code).ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&code), &EXPECTED))
        } else {
            let number = u8::deserialize(deserializer)?;
            Self::new(number)
                .ok_or_else(|| D::Error::invalid_value(Unexpected::Unsigned(number.into()), &EXPECTED))
        }
    }
}

impl JsonSchema for WallId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "WallId".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "pattern": "^[HBhb][1-9]$" })
    }
}

/// A half of the walls; the Schidlitz gate divides them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Half {
    /// Left of the gate.
    Hagelsberg,
    /// Right of the gate.
    Bischofsberg,
}

/// A set of wall points.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct WallSet(u64);

impl WallSet {
    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a point.
    #[must_use]
    pub const fn with(self, id: WallId) -> Self {
        Self(self.0 | 1 << id.0)
    }

    /// Whether the point is one of them.
    #[must_use]
    pub const fn contains(self, id: WallId) -> bool {
        self.0 >> id.0 & 1 == 1
    }

    /// The points, in order.
    pub fn iter(self) -> impl Iterator<Item = WallId> {
        WallId::all().filter(move |id| self.contains(*id))
    }
}

impl FromIterator<WallId> for WallSet {
    fn from_iter<I: IntoIterator<Item = WallId>>(points: I) -> Self {
        points.into_iter().fold(Self::default(), Self::with)
    }
}

/// The state of a wall point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct WallPoint {
    /// Fortification level, 20 intact to 0 (DZ-R05).
    pub level: u8,
    /// Who holds it; French from the end of the turn on which they stand there alone (DZ-R65).
    pub holder: Side,
    /// The level at which the French stormed it, while they are on it without a work.
    pub stormed_at: u8,
    /// The turn on which they did, 0 if they did not.
    pub stormed_on: u8,
    /// The turn on which it was last demolished from within, 0 if never.
    pub demolished_on: u8,
    /// The turn on which it was last assaulted, 0 if never.
    pub assaulted_on: u8,
}

impl Default for WallPoint {
    fn default() -> Self {
        Self {
            level: INTACT,
            holder: Side::Prussian,
            stormed_at: 0,
            stormed_on: 0,
            demolished_on: 0,
            assaulted_on: 0,
        }
    }
}

/// The kinds of field fortification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum WorkKind {
    /// A sap: the way forward; its front is a short side.
    Sap,
    /// A parallel: a place of arms; its front is a long side.
    Parallel,
    /// A battery emplacement: as a parallel, and it holds a gun or a mortar.
    Battery,
}

/// Where a work lies: its centre, where its front looks, and for a sap its length in metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Pose {
    /// The centre.
    pub at: Spot,
    /// Where the front looks: along a sap, across a parallel or battery.
    pub facing: Facing,
    /// The length of the counter in metres, [`LONG_M`] unless a sap was shortened.
    pub length: u8,
}

impl Pose {
    /// A counter of full length.
    #[must_use]
    pub const fn new(at: Spot, facing: Facing) -> Self {
        Self { at, facing, length: LONG_M }
    }

    /// The ground the counter covers.
    #[must_use]
    pub const fn rect(&self, kind: WorkKind) -> Rect {
        let (long, short) = (self.length as i64 * DM, SHORT_M as i64 * DM);
        match kind {
            WorkKind::Sap => Rect::new(self.at.fine(), self.facing, long, short),
            WorkKind::Parallel | WorkKind::Battery => Rect::new(self.at.fine(), self.facing, short, long),
        }
    }
}

/// A field fortification on the map, by its slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct WorkId(pub u8);

impl WorkId {
    /// Its slot.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number, as people count: from 1.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0 as u16 + 1
    }
}

impl From<WorkId> for kernel::Measure {
    fn from(id: WorkId) -> Self {
        id.number().into()
    }
}

/// A set of works.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct WorkSet([u64; MOST_WORKS / 64]);

impl WorkSet {
    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == [0; MOST_WORKS / 64]
    }

    /// How many there are.
    #[must_use]
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Adds a work.
    pub fn insert(&mut self, id: WorkId) {
        if let Some(word) = self.0.get_mut(id.index() / 64) {
            *word |= 1 << (id.0 % 64);
        }
    }

    /// Takes a work out.
    pub fn remove(&mut self, id: WorkId) {
        if let Some(word) = self.0.get_mut(id.index() / 64) {
            *word &= !(1 << (id.0 % 64));
        }
    }

    /// Whether the work is one of them.
    #[must_use]
    pub fn contains(self, id: WorkId) -> bool {
        self.0.get(id.index() / 64).is_some_and(|word| word >> (id.0 % 64) & 1 == 1)
    }

    /// Those in both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut both = self;
        both.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= other);
        both
    }

    /// Those in either set.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mut either = self;
        either.0.iter_mut().zip(other.0).for_each(|(word, other)| *word |= other);
        either
    }

    /// Those not in the other set.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        let mut rest = self;
        rest.0.iter_mut().zip(other.0).for_each(|(word, other)| *word &= !other);
        rest
    }

    /// The works, in order of their slots.
    pub fn iter(self) -> impl Iterator<Item = WorkId> {
        self.0.into_iter().zip(0_u8..).flat_map(|(word, place)| {
            std::iter::successors((word != 0).then_some(word), |word| {
                let rest = word & (word - 1);
                (rest != 0).then_some(rest)
            })
            .filter_map(move |word| {
                u8::try_from(word.trailing_zeros()).ok().map(|bit| WorkId(place * 64 + bit))
            })
        })
    }
}

impl FromIterator<WorkId> for WorkSet {
    fn from_iter<I: IntoIterator<Item = WorkId>>(works: I) -> Self {
        let mut set = Self::default();
        works.into_iter().for_each(|id| set.insert(id));
        set
    }
}

/// A field fortification: sap, parallel or battery emplacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Work {
    /// What it is.
    pub kind: WorkKind,
    /// Where it lies.
    pub pose: Pose,
    /// It has lost its first step.
    pub damaged: bool,
    /// The unit that built, repaired or changed it this turn and must stay.
    pub worker: Option<UnitId>,
    /// The wall points it covers.
    pub covers: WallSet,
    /// A short side lies along the border of the concentration area.
    pub at_zone: bool,
    /// The works it is joined to: they touch it, and no wall stands between.
    pub links: WorkSet,
}

impl Work {
    /// The ground it covers.
    #[must_use]
    pub const fn rect(&self) -> Rect {
        self.pose.rect(self.kind)
    }

    /// Whether it stands on a wall.
    #[must_use]
    pub const fn is_on_wall(&self) -> bool {
        !self.covers.is_empty()
    }
}

/// A printed redoubt of the siege map, `R1` to `R5`, by its number 0 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct RedoubtId(#[schemars(range(min = 0, max = 4))] pub u8);

/// A side of the Kalke-Schanze, `K1` to `K3`, by its number 0 to 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum KalkeSide {
    /// The north side.
    K1,
    /// The south side.
    K2,
    /// The west side.
    K3,
}

impl KalkeSide {
    /// The three sides.
    pub const ALL: [Self; 3] = [Self::K1, Self::K2, Self::K3];
}

/// The Kalke-Schanze.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Kalke {
    /// Who holds it.
    pub holder: Side,
    /// Damage of each side, 0 to 3.
    pub damage: [u8; 3],
    /// The turn on which the French first took it, 0 if never: no Prussian gun there afterwards.
    pub taken_on: u8,
    /// The turn of its last assault; 0: none.
    pub assaulted_on: u8,
}

impl Default for Kalke {
    fn default() -> Self {
        Self { holder: Side::Prussian, damage: [0; 3], taken_on: 0, assaulted_on: 0 }
    }
}

/// The one mine of the game.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Mine {
    /// Not dug yet.
    #[default]
    None,
    /// Dug.
    Dug {
        /// The middle of its marker and where it leads.
        pose: Pose,
        /// The point whose segment it will hit.
        under: WallId,
        /// The turn on which it was dug.
        turn: u8,
    },
    /// Exploded or countermined: there is no second one.
    Spent,
}

/// What changes on the siege map besides the counters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct SiegeMap {
    /// The wall points, in the order of [`WallId`].
    #[serde(with = "crate::state::many")]
    #[schemars(with = "Vec<WallPoint>", length(equal = WALL_POINTS))]
    pub walls: [WallPoint; WALL_POINTS],
    /// The field fortifications, by slot; a removed one leaves its slot free.
    pub works: Vec<Option<Work>>,
    /// Intact works with an intact way to the concentration area.
    pub network: WorkSet,
    /// Printed redoubts that were linked to the network at the end of an earlier turn, as bits.
    pub linked_redoubts: u8,
    /// The Kalke-Schanze.
    pub kalke: Kalke,
    /// The mine.
    pub mine: Mine,
    /// A melee whose losses are being taken.
    pub brawl: Option<Brawl>,
}

impl Default for SiegeMap {
    fn default() -> Self {
        Self {
            walls: [WallPoint::default(); WALL_POINTS],
            works: Vec::new(),
            network: WorkSet::default(),
            linked_redoubts: 0,
            kalke: Kalke::default(),
            mine: Mine::None,
            brawl: None,
        }
    }
}

impl SiegeMap {
    /// The state of a wall point.
    #[must_use]
    pub const fn wall(&self, id: WallId) -> &WallPoint {
        &self.walls[id.index()]
    }

    /// The state of a wall point, to be changed.
    pub const fn wall_mut(&mut self, id: WallId) -> &mut WallPoint {
        &mut self.walls[id.index()]
    }

    /// A work, if the slot is filled.
    #[must_use]
    pub fn work(&self, id: WorkId) -> Option<&Work> {
        self.works.get(id.index()).and_then(Option::as_ref)
    }

    /// A work, to be changed, if the slot is filled.
    pub fn work_mut(&mut self, id: WorkId) -> Option<&mut Work> {
        self.works.get_mut(id.index()).and_then(Option::as_mut)
    }

    /// All works, in order of their slots.
    pub fn all_works(&self) -> impl Iterator<Item = (WorkId, &Work)> {
        self.works.iter().zip(0_u8..).filter_map(|(work, id)| work.as_ref().map(|work| (WorkId(id), work)))
    }

    /// The work that covers a wall point.
    #[must_use]
    pub fn work_on(&self, id: WallId) -> Option<WorkId> {
        self.all_works().find(|(_, work)| work.covers.contains(id)).map(|(work, _)| work)
    }
}
