//! A roll: the leaders or units of one army, each with what is kept of it, in the order of their ids. Like a map,
//! but an id leads straight to its place, and a copy is a copy of a list.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Index;
use std::sync::atomic::{AtomicU64, Ordering};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Something with a small number of its own.
pub trait Numbered: Copy + Ord {
    /// Its number, below 96.
    fn place(self) -> usize;
}

/// More than there are leaders or units in all scenarios together.
const MOST: usize = 96;

const NOWHERE: u8 = u8::MAX;

/// A roll.
#[derive(Clone, Debug)]
pub struct Roll<K, V> {
    list: Vec<(K, V)>,
    places: [u8; MOST],
    /// When it was last changed: two rolls with the same mark are the same, since one is a copy of the other.
    mark: Mark,
}

/// The mark of a change; no two changes have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

impl Mark {
    /// The next one. Every thread counts by itself.
    fn next() -> Self {
        static THREADS: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            static NEXT: Cell<u64> = Cell::new(THREADS.fetch_add(1, Ordering::Relaxed) << 40);
        }
        NEXT.with(|next| Self(next.replace(next.get() + 1)))
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Roll<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.mark == other.mark || self.list == other.list
    }
}

impl<K: Eq, V: Eq> Eq for Roll<K, V> {}

impl<K, V> Default for Roll<K, V> {
    fn default() -> Self {
        Self { list: Vec::new(), places: [NOWHERE; MOST], mark: Mark::next() }
    }
}

impl<K: Numbered, V> Roll<K, V> {
    /// Nobody.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// When it was last changed.
    pub(crate) const fn mark(&self) -> Mark {
        self.mark
    }

    fn at(&self, key: K) -> Option<usize> {
        self.places.get(key.place()).map(|&place| usize::from(place)).filter(|&place| place < self.list.len())
    }

    /// What is kept of somebody.
    #[must_use]
    pub fn get(&self, key: &K) -> Option<&V> {
        self.at(*key).map(|place| &self.list[place].1)
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.mark = Mark::next();
        self.at(*key).map(|place| &mut self.list[place].1)
    }

    /// Whether somebody is on the roll.
    #[must_use]
    pub fn contains_key(&self, key: &K) -> bool {
        self.at(*key).is_some()
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is nobody.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Numbers the places anew.
    fn number(&mut self) {
        self.places = [NOWHERE; MOST];
        for (place, (key, _)) in self.list.iter().enumerate() {
            if let (Some(slot), Ok(place)) = (self.places.get_mut(key.place()), u8::try_from(place)) {
                *slot = place;
            }
        }
    }

    /// Puts somebody on the roll, or changes what is kept of him; gives back what was.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        self.mark = Mark::next();
        if let Some(place) = self.at(key) {
            return Some(std::mem::replace(&mut self.list[place].1, value));
        }
        let place = self.list.partition_point(|(other, _)| *other < key);
        self.list.insert(place, (key, value));
        self.number();
        None
    }

    /// Strikes somebody off.
    pub fn remove(&mut self, key: &K) -> Option<V> {
        self.mark = Mark::next();
        let place = self.at(*key)?;
        let (_, value) = self.list.remove(place);
        self.number();
        Some(value)
    }

    /// Keeps only these.
    pub fn retain(&mut self, mut keep: impl FnMut(&K, &mut V) -> bool) {
        self.mark = Mark::next();
        let before = self.list.len();
        self.list.retain_mut(|(key, value)| keep(key, value));
        if self.list.len() != before {
            self.number();
        }
    }

    /// Everybody with what is kept of him, by id.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&K, &V)> {
        self.list.iter().map(|(key, value)| (key, value))
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&K, &mut V)> {
        self.mark = Mark::next();
        self.list.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Everybody.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.list.iter().map(|(key, _)| key)
    }

    /// What is kept of everybody.
    pub fn values(&self) -> impl Iterator<Item = &V> {
        self.list.iter().map(|(_, value)| value)
    }

    /// The same, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.mark = Mark::next();
        self.list.iter_mut().map(|(_, value)| value)
    }
}

impl<K: Numbered, V: Default> Roll<K, V> {
    /// What is kept of somebody; he is put on the roll if he is not on it.
    pub fn or_default(&mut self, key: K) -> &mut V {
        self.mark = Mark::next();
        if self.at(key).is_none() {
            self.insert(key, V::default());
        }
        let place = self.at(key).unwrap_or_default();
        &mut self.list[place].1
    }
}

impl<K: Numbered, V> Index<&K> for Roll<K, V> {
    type Output = V;

    fn index(&self, key: &K) -> &V {
        &self.list[self.at(*key).unwrap_or(usize::MAX)].1
    }
}

impl<K: Numbered, V> FromIterator<(K, V)> for Roll<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let ordered: BTreeMap<K, V> = pairs.into_iter().collect();
        let list = ordered.into_iter().collect();
        let mut roll = Self { list, places: [NOWHERE; MOST], mark: Mark::next() };
        roll.number();
        roll
    }
}

impl<K: Numbered + Serialize, V: Serialize> Serialize for Roll<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K: Numbered + Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Roll<K, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(BTreeMap::<K, V>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// It is written as a map.
impl<K: JsonSchema, V: JsonSchema> JsonSchema for Roll<K, V> {
    fn schema_name() -> Cow<'static, str> {
        BTreeMap::<K, V>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<K, V>::json_schema(generator)
    }
}
