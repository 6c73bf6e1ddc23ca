//! The counters of both armies (chapters 3 and 4): what they are called and what may change about each
//! of them, as a few bytes. What never changes is in the [roster](crate::roster).

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ops::Hex;
use crate::roster::{ROSTER, Unit};
use crate::siege::{Spot, WallId, WorkId};

/// How many counters there are.
pub const UNITS: usize = COUNT as usize;

/// The same, as the numbers of counters are kept.
const COUNT: u8 = 128;

/// The two players. The Russians play with the Prussian, the Saxons, Poles and Badeners with the
/// French.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The besieger.
    French,
    /// The besieged and those who come to relieve him.
    Prussian,
}

impl Side {
    /// The other player.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::French => Self::Prussian,
            Self::Prussian => Self::French,
        }
    }
}

/// A nation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Nation {
    /// Grand duchy of Baden.
    Baden,
    /// France.
    France,
    /// Poland, the Legion of the North included.
    Poland,
    /// Saxony.
    Saxony,
    /// Prussia.
    Prussia,
    /// Russia.
    Russia,
}

/// What kind of troops a counter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Arm {
    /// Foot.
    Infantry,
    /// Hussars, chasseurs, lancers, Cossacks.
    LightCavalry,
    /// Cuirassiers and dragoons.
    HeavyCavalry,
    /// Field guns, two batteries to the counter.
    FieldArtillery,
    /// French 24-pounders.
    Siege24,
    /// French 12-pounders.
    Siege12,
    /// Mortars.
    Mortar,
    /// Prussian fortress batteries.
    Fortress,
}

impl Arm {
    /// Whether it rides.
    #[must_use]
    pub const fn is_cavalry(self) -> bool {
        matches!(self, Self::LightCavalry | Self::HeavyCavalry)
    }

    /// Whether it is artillery of any kind.
    #[must_use]
    pub const fn is_artillery(self) -> bool {
        matches!(self, Self::FieldArtillery | Self::Siege24 | Self::Siege12 | Self::Mortar | Self::Fortress)
    }

    /// Whether it belongs to the French siege train: siege guns and mortars.
    #[must_use]
    pub const fn is_siege_train(self) -> bool {
        matches!(self, Self::Siege24 | Self::Siege12 | Self::Mortar)
    }
}

/// The body of troops a counter came with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Corps {
    /// Lefebvre's besieging corps.
    Besiegers,
    /// Lannes, from the east.
    Lannes,
    /// The garrison of Danzig.
    Garrison,
    /// Kamenski, from the sea.
    Kamenski,
}

/// Whether a counter is a regiment, one of its battalions, or something that is never divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A French infantry regiment: whole on the operational map, battalions on the siege map.
    Regiment,
    /// A battalion: of the garrison, or the siege-map form of half a French regiment.
    Battalion,
    /// Cavalry, guns, Lannes's and Kamenski's regiments: one counter on both maps.
    Single,
}

/// A counter, by its number in the roster: French 0 to 37, French battalions 38 to 67, Lannes 68
/// to 77, garrison 78 to 117, Kamenski 118 to 127, the last of them the second battalion of his
/// Fusiliers inside the city.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitId(u8);

impl UnitId {
    /// The counter with this number; numbers too large give the last one.
    #[must_use]
    pub const fn new(number: u8) -> Self {
        if number < COUNT { Self(number) } else { Self(COUNT - 1) }
    }

    /// Its number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The counter with this code in the rosters (`F01`, `F01a`, `P24`).
    #[must_use]
    pub fn of_code(code: &str) -> Option<Self> {
        ROSTER.iter().position(|unit| unit.code == code).and_then(|at| u8::try_from(at).ok()).map(Self)
    }

    /// What the roster says of it.
    #[must_use]
    pub fn data(self) -> &'static Unit {
        // The roster has exactly `UNITS` entries and the number is below it.
        &ROSTER[self.index()]
    }

    /// All counters, in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..COUNT).map(Self)
    }

    /// The counters of a side, in order.
    pub fn of_side(side: Side) -> impl Iterator<Item = Self> {
        match side {
            Side::French => (0..78).map(Self),
            Side::Prussian => (78..COUNT).map(Self),
        }
    }

    /// The player who owns it.
    #[must_use]
    pub const fn side(self) -> Side {
        if self.0 < 78 { Side::French } else { Side::Prussian }
    }

    /// The regiment of a French battalion, or of the second one of Kamenski's Fusiliers.
    #[must_use]
    pub fn regiment(self) -> Option<Self> {
        self.data().regiment
    }

    /// The battalions of a French regiment: none, one or two; the second one of Kamenski's Fusiliers.
    #[must_use]
    pub fn battalions(self) -> &'static [Self] {
        &self.data().battalions
    }
}

impl fmt::Debug for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.data().code)
    }
}

impl fmt::Display for UnitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.data().code)
    }
}

impl Serialize for UnitId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(self.data().code)
        } else {
            serializer.serialize_u8(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for UnitId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error as _;
        if deserializer.is_human_readable() {
            let code = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
            Self::of_code(&code).ok_or_else(|| D::Error::custom(format!("no unit {code}")))
        } else {
            let number = u8::deserialize(deserializer)?;
            if usize::from(number) < UNITS {
                Ok(Self(number))
            } else {
                Err(D::Error::custom(format!("no unit {number}")))
            }
        }
    }
}

impl JsonSchema for UnitId {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "UnitId".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "description": "a unit's code in the rosters: F01, F01a, P24" })
    }
}

/// A set of counters.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnitSet(u128);

impl UnitSet {
    /// No counter.
    pub const EMPTY: Self = Self(0);

    /// One counter.
    #[must_use]
    pub const fn of(unit: UnitId) -> Self {
        Self(1 << unit.0)
    }

    /// Adds a counter.
    pub const fn insert(&mut self, unit: UnitId) {
        self.0 |= 1 << unit.0;
    }

    /// Takes a counter out.
    pub const fn remove(&mut self, unit: UnitId) {
        self.0 &= !(1 << unit.0);
    }

    /// Whether it holds the counter.
    #[must_use]
    pub const fn has(self, unit: UnitId) -> bool {
        self.0 & (1 << unit.0) != 0
    }

    /// Whether it holds none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many it holds.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The counters, in order.
    pub fn iter(self) -> impl Iterator<Item = UnitId> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let at = u8::try_from(rest.trailing_zeros()).ok()?;
            rest &= rest.wrapping_sub(1);
            (usize::from(at) < UNITS).then_some(UnitId(at))
        })
    }
}

impl FromIterator<UnitId> for UnitSet {
    fn from_iter<I: IntoIterator<Item = UnitId>>(units: I) -> Self {
        let mut set = Self::EMPTY;
        for unit in units {
            set.insert(unit);
        }
        set
    }
}

impl fmt::Debug for UnitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Serialize for UnitSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_seq(self.iter())
        } else {
            serializer.serialize_u128(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for UnitSet {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Ok(Vec::<UnitId>::deserialize(deserializer)?.into_iter().collect());
        }
        // Every bit is a counter.
        const { assert!(UNITS == 128) };
        u128::deserialize(deserializer).map(Self)
    }
}

impl JsonSchema for UnitSet {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "UnitSet".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<UnitId>::json_schema(generator)
    }
}

/// How the men of a counter are drawn up on the operational map.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Formation {
    /// Infantry, the normal order.
    #[default]
    Column,
    /// Infantry in line.
    Line,
    /// Infantry in square.
    Square,
    /// Light infantry in open order.
    Skirmish,
    /// In forest or village.
    Adapted,
    /// Cavalry in order.
    Formed,
    /// Cavalry after a charge.
    Blown,
    /// Guns on the move.
    Limbered,
    /// Guns ready to fire.
    Unlimbered,
}

impl Formation {
    /// The order a counter of this arm is in when it enters the map.
    #[must_use]
    pub const fn at_entry(arm: Arm) -> Self {
        match arm {
            Arm::Infantry => Self::Column,
            Arm::LightCavalry | Arm::HeavyCavalry => Self::Formed,
            _ => Self::Limbered,
        }
    }
}

/// Where a counter is: on one of the two maps, or off both.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// Not in play: not yet arrived, or a battalion whose regiment is whole, or a regiment that
    /// stands on the siege map as battalions.
    #[default]
    Away,
    /// Arrived, and free to enter the operational map in a French half-round.
    Waiting,
    /// Lost.
    Eliminated,
    /// On the operational map.
    Hex(Hex),
    /// On boats between two hexes of the Vistula's banks, bound for this one.
    Crossing(Hex),
    /// In the city: the grey blocks of the siege map.
    Reserve,
    /// On a point of either wall.
    Wall(WallId),
    /// On the green point behind the pair of this second-wall point, while a counter-attack lasts.
    Green(WallId),
    /// In the Kalke-Schanze.
    Kalke,
    /// In the box from which the Kalke-Schanze is stormed.
    KalkeBox,
    /// In the concentration area.
    Concentration,
    /// In a field work.
    Work(WorkId),
    /// In the open on the siege map.
    Open(Spot),
}

impl Place {
    /// Whether it lies on the operational map (boats included).
    #[must_use]
    pub const fn is_operational(self) -> bool {
        matches!(self, Self::Hex(_) | Self::Crossing(_))
    }

    /// Whether it lies on the siege map, the city and the concentration area included.
    #[must_use]
    pub const fn is_siege(self) -> bool {
        !matches!(self, Self::Away | Self::Waiting | Self::Eliminated | Self::Hex(_) | Self::Crossing(_))
    }
}

/// Yes-or-no facts about a counter.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Marks(u16);

impl Marks {
    /// Out of order: it retreats and neither fires nor attacks.
    pub const DISORDERED: Self = Self(1);
    /// A Prussian battery turned to its damaged side.
    pub const DAMAGED: Self = Self(1 << 1);
    /// Moved in this movement step.
    pub const MOVED: Self = Self(1 << 2);
    /// Fired in this step (a Prussian siege battery or a mortar: in this turn).
    pub const FIRED: Self = Self(1 << 3);
    /// Fired at a moving enemy in this movement step; no defensive fire follows.
    pub const FIRED_OPPORTUNITY: Self = Self(1 << 4);
    /// Worked in this turn.
    pub const WORKER: Self = Self(1 << 5);
    /// Stormed, or took part in a melee, in this turn or step.
    pub const ASSAULTED: Self = Self(1 << 6);
    /// Building the bridge since the start of the turn.
    pub const BRIDGING: Self = Self(1 << 7);
    /// The French player keeps it off the map this turn.
    pub const POSTPONED: Self = Self(1 << 8);
    /// In the concentration area since the start of the round.
    pub const SETTLED: Self = Self(1 << 9);
    /// Charged in this movement step.
    pub const CHARGED: Self = Self(1 << 11);

    /// A battery that has turned in this step.
    pub const PIVOTED: Self = Self(1 << 12);

    /// Whether all of these are set.
    #[must_use]
    pub const fn has(self, marks: Self) -> bool {
        self.0 & marks.0 == marks.0
    }

    /// Sets them.
    pub const fn set(&mut self, marks: Self) {
        self.0 |= marks.0;
    }

    /// Clears them.
    pub const fn clear(&mut self, marks: Self) {
        self.0 &= !marks.0;
    }

    /// Both sets.
    #[must_use]
    pub const fn and(self, marks: Self) -> Self {
        Self(self.0 | marks.0)
    }
}

/// What may change about a counter.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
pub struct UnitState {
    /// Where it is.
    pub place: Place,
    /// Hexside 0 to 5 on the operational map; whole degrees (0 to 359, counted from the x axis
    /// towards the y axis) for guns on the siege map.
    pub facing: u16,
    /// Steps left.
    pub steps: u8,
    /// Steps it may be brought back to; desertion lowers it.
    pub most: u8,
    /// How it is drawn up on the operational map.
    pub formation: Formation,
    /// Yes-or-no facts.
    pub marks: Marks,
}

impl UnitState {
    /// Whether it is out of order.
    #[must_use]
    pub const fn is_disordered(&self) -> bool {
        self.marks.has(Marks::DISORDERED)
    }

    /// Whether it stands on the operational map in order.
    #[must_use]
    pub const fn stands_in_order(&self) -> bool {
        matches!(self.place, Place::Hex(_)) && !self.is_disordered()
    }
}
