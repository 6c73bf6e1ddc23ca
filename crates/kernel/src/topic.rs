//! What a decision is about: offers are counted and told by it, so that a list of thousands is as light
//! as one of twenty.

use std::fmt;

use serde::Serialize;
use serde::ser::{self, Impossible, Serializer};

/// The kind of a decision, and what it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Topic {
    /// The kind: `dig`.
    pub kind: &'static str,
    /// What it is about, by the game's own number: a unit, a gallery; none if nothing in particular.
    pub subject: Option<u32>,
}

impl Topic {
    /// The name under which records write the variant of a decision, about nothing in particular.
    ///
    /// ```
    /// #[derive(serde::Serialize)]
    /// #[serde(rename_all = "snake_case")]
    /// enum Action { MarchTo(u8), Rest }
    ///
    /// assert_eq!(kernel::Topic::named(&Action::MarchTo(3)).kind, "march_to");
    /// assert_eq!(kernel::Topic::named(&Action::Rest).kind, "rest");
    /// ```
    #[must_use]
    pub fn named(action: &impl Serialize) -> Self {
        let kind = match action.serialize(Name) {
            Err(Named(name)) => name,
            Ok(never) => match never {},
        };
        Self { kind, subject: None }
    }

    /// The same about this subject.
    #[must_use]
    pub fn about(self, subject: impl Into<u32>) -> Self {
        Self { subject: Some(subject.into()), ..self }
    }
}

/// Nothing is ever written.
enum Never {}

/// Stops at the name of a variant.
struct Name;

/// The name where it stopped; none for what has no variants.
#[derive(Debug)]
struct Named(&'static str);

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Named {}

impl ser::Error for Named {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self("")
    }
}

type Stop<T> = Result<T, Named>;

macro_rules! nameless {
    ($($method:ident: $type:ty),*) => { $(fn $method(self, _: $type) -> Stop<Never> { Err(Named("")) })* };
}

impl Serializer for Name {
    type Ok = Never;
    type Error = Named;
    type SerializeSeq = Impossible<Never, Named>;
    type SerializeTuple = Impossible<Never, Named>;
    type SerializeTupleStruct = Impossible<Never, Named>;
    type SerializeTupleVariant = Impossible<Never, Named>;
    type SerializeMap = Impossible<Never, Named>;
    type SerializeStruct = Impossible<Never, Named>;
    type SerializeStructVariant = Impossible<Never, Named>;

    nameless! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32,
        serialize_f64: f64, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_unit_struct: &'static str
    }

    fn serialize_none(self) -> Stop<Never> {
        Err(Named(""))
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Stop<Never> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Stop<Never> {
        Err(Named(""))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Stop<Never> {
        Err(Named(variant))
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Stop<Never> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: &T,
    ) -> Stop<Never> {
        Err(Named(variant))
    }

    fn serialize_seq(self, _: Option<usize>) -> Stop<Self::SerializeSeq> {
        Err(Named(""))
    }

    fn serialize_tuple(self, _: usize) -> Stop<Self::SerializeTuple> {
        Err(Named(""))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Stop<Self::SerializeTupleStruct> {
        Err(Named(""))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Stop<Self::SerializeTupleVariant> {
        Err(Named(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Stop<Self::SerializeMap> {
        Err(Named(""))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Stop<Self::SerializeStruct> {
        Err(Named(""))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Stop<Self::SerializeStructVariant> {
        Err(Named(variant))
    }
}
