//! What a reader sees as a row of numbers, for players that learn. One function of a game writes them down;
//! whether it is the numbers or their names that are kept is the business of the pen.

use std::fmt;

use kernel::{Game, Topic};
use serde::de::{self, DeserializeOwned, Deserializer, Visitor};
use serde::{Serialize, forward_to_deserialize_any};

/// A game whose views can be written down as numbers: always as many, always in the same order.
pub trait Featured: Game {
    /// Writes down what is seen, and nothing else.
    fn features(view: &Self::View, pen: &mut impl Pen);
}

/// What features are written with.
pub trait Pen {
    /// What follows is about this: `unit[F01]`.
    fn about(&mut self, what: impl FnOnce() -> String);

    /// A number and its name.
    fn put(&mut self, name: &'static str, value: impl Into<f64>);

    /// One of several, as a number for each of them: 1 for the one, 0 for the others.
    fn one_of(&mut self, name: &'static str, which: Option<usize>, of: &[&str]);

    /// Which variant this is, as one of all of them.
    fn variant<T: Serialize + DeserializeOwned>(&mut self, name: &'static str, value: Option<&T>) {
        let all = variants::<T>();
        let which = value.and_then(|value| {
            let kind = Topic::named(value).kind;
            all.iter().position(|other| *other == kind)
        });
        self.one_of(name, which, all);
    }
}

/// Keeps the numbers.
#[derive(Clone, Debug, Default)]
pub struct Numbers(pub Vec<f32>);

impl Pen for Numbers {
    #[inline]
    fn about(&mut self, _: impl FnOnce() -> String) {}

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "who learns reckons in single precision")]
    fn put(&mut self, _: &'static str, value: impl Into<f64>) {
        self.0.push(value.into() as f32);
    }

    #[inline]
    fn one_of(&mut self, _: &'static str, which: Option<usize>, of: &[&str]) {
        self.0.extend((0..of.len()).map(|place| f32::from(u8::from(which == Some(place)))));
    }
}

/// Keeps the names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    about: String,
    /// The name of each number, in their order.
    pub all: Vec<String>,
}

impl Names {
    fn name(&self, name: &str) -> String {
        if self.about.is_empty() { name.to_owned() } else { format!("{}.{name}", self.about) }
    }
}

impl Pen for Names {
    fn about(&mut self, what: impl FnOnce() -> String) {
        self.about = what();
    }

    fn put(&mut self, name: &'static str, _: impl Into<f64>) {
        self.all.push(self.name(name));
    }

    fn one_of(&mut self, name: &'static str, _: Option<usize>, of: &[&str]) {
        let name = self.name(name);
        self.all.extend(of.iter().map(|which| format!("{name}={which}")));
    }
}

/// The names of the numbers of a view.
#[must_use]
pub fn names<G: Featured>(view: &G::View) -> Vec<String> {
    let mut names = Names::default();
    G::features(view, &mut names);
    names.all
}

/// The names of all variants of a type, as records write them; none for what has no variants.
///
/// ```
/// #[derive(serde::Deserialize)]
/// #[serde(rename_all = "kebab-case")]
/// enum Step { SetUp, Fire(u8) }
///
/// assert_eq!(opponent::features::variants::<Step>(), ["set-up", "fire"]);
/// assert!(opponent::features::variants::<u8>().is_empty());
/// ```
#[must_use]
pub fn variants<T: DeserializeOwned>() -> &'static [&'static str] {
    match T::deserialize(Asked) {
        Err(Variants(all)) => all,
        Ok(_) => &[],
    }
}

/// Is asked for a value, and looks only at what it could be.
struct Asked;

/// What it could be.
#[derive(Debug)]
struct Variants(&'static [&'static str]);

impl fmt::Display for Variants {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(", "))
    }
}

impl std::error::Error for Variants {}

impl de::Error for Variants {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self(&[])
    }
}

impl<'de> Deserializer<'de> for Asked {
    type Error = Variants;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Variants> {
        Err(Variants(&[]))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Variants> {
        Err(Variants(variants))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Variants> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
