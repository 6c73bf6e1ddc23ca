//! A whole march as one order (3.1, series rules 4 to 8): the stack, where it comes onto the map if it
//! waits beside it, and its steps one after the other. The order is looked over on a copy of the table,
//! as if nobody fired; on the table itself the sequence makes it stride by stride.

use kernel::{Desk, Refusal, Scripted, Silent, Verdict};
use rulebook::{phrase::danzig_ops as phrase, rule};
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::hex::Hex;
use super::map::{Terrain, map};
use super::march::{Mover, Stride, check_put_down, make};
use super::passage;
use crate::{Place, Table, UnitSet};

/// The steps of a march, one after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path([Option<Stride>; Path::MOST]);

impl Path {
    /// No march has more steps: the fastest cavalry has twelve movement points, the road gives a few more,
    /// and gates and the ferry of the fort are free.
    pub const MOST: usize = 20;

    /// The path of these steps, if they are not too many.
    #[must_use]
    pub fn of(strides: &[Stride]) -> Option<Self> {
        let mut path = Self::default();
        for (place, stride) in strides.iter().enumerate() {
            *path.0.get_mut(place)? = Some(*stride);
        }
        Some(path)
    }

    /// The steps.
    pub fn iter(&self) -> impl Iterator<Item = Stride> + '_ {
        self.0.iter().copied().flatten()
    }

    /// Whether it leads nowhere.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.first().is_none_or(Option::is_none)
    }

    /// The first step, and the path after it.
    #[must_use]
    pub fn split_first(mut self) -> Option<(Stride, Self)> {
        let first = self.0.first().copied().flatten()?;
        self.0.rotate_left(1);
        if let Some(last) = self.0.last_mut() {
            *last = None;
        }
        Some((first, self))
    }
}

impl Serialize for Path {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut steps = serializer.serialize_seq(Some(self.iter().count()))?;
        for stride in self.iter() {
            steps.serialize_element(&stride)?;
        }
        steps.end()
    }
}

impl JsonSchema for Path {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Path".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut schema = Vec::<Stride>::json_schema(generator);
        schema.insert("maxItems".to_owned(), Self::MOST.into());
        schema
    }
}

impl<'de> Deserialize<'de> for Path {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let strides = Vec::<Stride>::deserialize(deserializer)?;
        let most = Self::MOST;
        Self::of(&strides)
            .ok_or_else(|| D::Error::custom(format!("a path of {} steps: {most} at most", strides.len())))
    }
}

/// A march: who, from where if he still waits beside the map, and by which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Route {
    /// Who marches, all of one place.
    pub units: UnitSet,
    /// The hex of entry of a counter that comes onto the map.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<Hex>,
    /// The steps, one after the other.
    pub path: Path,
}

impl Route {
    /// The hex where a stack on the map begins it.
    #[must_use]
    pub fn start(&self, table: &Table) -> Option<Hex> {
        self.units.iter().find_map(|unit| match table.unit(unit).place {
            Place::Hex(hex) => Some(hex),
            _ => None,
        })
    }

    /// Where it leads, as far as its steps can be followed on the map.
    #[must_use]
    pub fn end(&self, table: &Table) -> Place {
        let first = self.units.iter().next().map_or(Place::Away, |unit| table.unit(unit).place);
        let from = self.entry.map_or(first, Place::Hex);
        self.path.iter().fold(from, |place, stride| match (stride, place) {
            (Stride::Go(heading), Place::Hex(hex)) => match hex.beyond(heading) {
                Some(next) if map().terrain(next) == Terrain::City => Place::Reserve,
                Some(next) => Place::Hex(next),
                None => place,
            },
            (Stride::LeaveCity(gate), _) => Place::Hex(gate.hexes().1),
            (Stride::LeaveConcentration(hex), _) => Place::Hex(hex),
            (Stride::EnterConcentration, _) => Place::Concentration,
            _ => place,
        })
    }
}

/// A stack as it stands in the middle of a march that is only thought of.
#[derive(Clone, Debug)]
pub struct Standpoint {
    /// The table as it would be.
    pub table: Table,
    /// The stack.
    pub mover: Mover,
    /// It may make another step; false where it has left the map.
    pub goes_on: bool,
}

impl Standpoint {
    /// A stack in hand.
    #[must_use]
    pub const fn new(table: Table, mover: Mover) -> Self {
        Self { table, mover, goes_on: true }
    }

    /// A counter that has just come onto the map.
    #[must_use]
    pub fn entered(table: &Table, units: UnitSet, hex: Hex) -> Option<Self> {
        let unit = units.iter().next()?;
        let mut table = table.clone();
        let mut desk = Desk::new(Scripted::new(&[]), Silent);
        let mover = passage::enter(&mut table, unit, hex, &mut desk);
        Some(Self::new(table, mover))
    }

    /// Makes a step as if nobody fired.
    ///
    /// # Errors
    /// Why it cannot be made; nothing is changed then.
    pub fn make(&mut self, stride: Stride) -> Verdict<()> {
        if !self.goes_on {
            return Err(Refusal::rule(rule!(DZ_3_1_04), phrase::MARCH_IS_OVER));
        }
        let mut desk = Desk::new(Scripted::new(&[]), Silent);
        self.goes_on = make(&mut self.table, &mut self.mover, stride, &mut desk)?;
        Ok(())
    }

    /// Whether it can be put down here.
    ///
    /// # Errors
    /// Why not.
    pub fn check_stop(&self) -> Verdict<()> {
        if self.goes_on { check_put_down(&self.table, &self.mover) } else { Ok(()) }
    }
}

/// Whether a path leads, step by step and if nobody fires, to a place where the stack may stay.
///
/// # Errors
/// The first step that cannot be made, or why it cannot end there.
pub fn check_path(mut from: Standpoint, path: &Path) -> Verdict<()> {
    for stride in path.iter() {
        // Who cannot stop where he stands neither turns nor forms there.
        if !stride.goes() {
            from.check_stop()?;
        }
        from.make(stride)?;
    }
    from.check_stop()
}
