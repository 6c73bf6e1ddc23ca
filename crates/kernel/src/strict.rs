//! Reading a request strictly: unknown fields, wrong types, doubled keys and nulls are refused by
//! the dotted path of the field. A text is first read into a tree that loses nothing, then the
//! tree into a typed request.

mod fault;

use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};

use self::fault::{Fault, choices};
use crate::{Phrase, Refusal, Verdict, phrase};

/// A JSON value as it was written: fields in order, doubled ones too.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `null`, which is never an absent field.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Whole(i64),
    /// A whole number beyond `i64`.
    Large(u64),
    /// A number with a fraction or an exponent.
    Decimal(f64),
    /// A string.
    Text(String),
    /// A list.
    List(Vec<Self>),
    /// An object.
    Object(Vec<(String, Self)>),
}

impl Node {
    /// Reads one JSON text.
    ///
    /// # Errors
    /// When the text is not JSON (depth beyond 128 included).
    pub fn parse(text: &str) -> Verdict<Self> {
        serde_json::from_str(text)
            .map_err(|error| Refusal::plain(phrase::NOT_JSON).with("detail", error.to_string()))
    }

    /// Reads a typed value out of the tree.
    ///
    /// # Errors
    /// The first fault, with the dotted path of its field.
    pub fn read<T: DeserializeOwned>(self) -> Verdict<T> {
        T::deserialize(Reader { node: self, null: Null::Refused }).map_err(Fault::into_refusal)
    }

    /// Reads an order as the record writes it: all fields named, `null` for what it leaves open. A
    /// `null` where a value is wanted is refused here too.
    ///
    /// # Errors
    /// The first fault, with the dotted path of its field.
    ///
    /// ```
    /// #[derive(serde::Deserialize)]
    /// struct Sortie {
    ///     by: Option<u8>,
    ///     groups: [Option<u8>; 2],
    /// }
    /// let sortie = kernel::Node::parse(r#"{"by":null,"groups":[7,null]}"#).unwrap();
    /// assert_eq!(sortie.clone().read::<Sortie>().err().unwrap().field.as_deref(), Some("by"));
    /// let sortie: Sortie = sortie.read_written().unwrap();
    /// assert_eq!((sortie.by, sortie.groups), (None, [Some(7), None]));
    /// ```
    pub fn read_written<T: DeserializeOwned>(self) -> Verdict<T> {
        T::deserialize(Reader { node: self, null: Null::LeftOpen }).map_err(Fault::into_refusal)
    }

    /// Takes a field out of an object.
    ///
    /// # Errors
    /// When the field is given twice.
    pub fn take(&mut self, name: &str) -> Verdict<Option<Self>> {
        let Self::Object(fields) = self else { return Ok(None) };
        let Some(place) = fields.iter().position(|(field, _)| field == name) else { return Ok(None) };
        let (_, value) = fields.remove(place);
        if fields.iter().any(|(field, _)| field == name) {
            return Err(Refusal::field(name, phrase::DUPLICATE_FIELD));
        }
        Ok(Some(value))
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Tree;
        impl<'de> Visitor<'de> for Tree {
            type Value = Node;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_unit<E>(self) -> Result<Node, E> {
                Ok(Node::Null)
            }
            fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
                Ok(Node::Bool(value))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
                Ok(Node::Whole(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
                Ok(i64::try_from(value).map_or(Node::Large(value), Node::Whole))
            }
            fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
                Ok(Node::Decimal(value))
            }
            fn visit_str<E>(self, value: &str) -> Result<Node, E> {
                Ok(Node::Text(value.to_owned()))
            }
            fn visit_string<E>(self, value: String) -> Result<Node, E> {
                Ok(Node::Text(value))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Node, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = list.next_element()? {
                    items.push(item);
                }
                Ok(Node::List(items))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Node::Object(fields))
            }
        }
        deserializer.deserialize_any(Tree)
    }
}

/// What `null` means where a value may be left out.
#[derive(Clone, Copy, PartialEq)]
enum Null {
    /// A fault: what is not meant is not written.
    Refused,
    /// Left open.
    LeftOpen,
}

/// Gives a tree to serde.
struct Reader {
    node: Node,
    null: Null,
}

/// The kinds of value a field may want, as phrases.
mod wanted {
    use crate::Phrase;
    pub(super) const FLAG: Phrase = Phrase::declared("kernel-wanted-flag");
    pub(super) const WHOLE: Phrase = Phrase::declared("kernel-wanted-whole");
    pub(super) const NUMBER: Phrase = Phrase::declared("kernel-wanted-number");
    pub(super) const TEXT: Phrase = Phrase::declared("kernel-wanted-text");
    pub(super) const LIST: Phrase = Phrase::declared("kernel-wanted-list");
    pub(super) const OBJECT: Phrase = Phrase::declared("kernel-wanted-object");
    pub(super) const ALL: [Phrase; 6] = [FLAG, WHOLE, NUMBER, TEXT, LIST, OBJECT];
}

/// The phrases for kinds of values that the reader speaks.
#[must_use]
pub const fn wanted_phrases() -> [Phrase; 6] {
    wanted::ALL
}

macro_rules! reads {
    ($($method:ident => $kind:ident),* $(,)?) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.deserialize_any(visitor).map_err(|fault| fault.wanted(wanted::$kind))
        })*
    };
}

impl<'de> Deserializer<'de> for Reader {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.node {
            Node::Null => visitor.visit_unit(),
            Node::Bool(value) => visitor.visit_bool(value),
            Node::Whole(value) => visitor.visit_i64(value),
            Node::Large(value) => visitor.visit_u64(value),
            Node::Decimal(value) => visitor.visit_f64(value),
            Node::Text(value) => visitor.visit_string(value),
            Node::List(items) => {
                let length = items.len();
                let mut list = Items { items: items.into_iter(), place: 0, null: self.null };
                let value = visitor.visit_seq(&mut list)?;
                if list.items.len() > 0 {
                    return Err(de::Error::invalid_length(length, &list.place.to_string().as_str()));
                }
                Ok(value)
            }
            Node::Object(fields) => {
                visitor.visit_map(Fields { fields: fields.into_iter(), value: None, null: self.null })
            }
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.null == Null::LeftOpen && self.node == Node::Null {
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.node {
            Node::Text(name) => {
                let name: StrDeserializer<'_, Fault> = name.as_str().into_deserializer();
                visitor.visit_enum(name)
            }
            Node::Object(mut fields) if fields.len() == 1 => {
                let (name, value) = fields.remove(0);
                visitor.visit_enum(Variant { name, value, null: self.null })
            }
            other => Err(Fault::new(phrase::UNKNOWN_CHOICE, Some(other.brief()), choices(variants))),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        // A list would be read field by field; a request is an object.
        match &self.node {
            // Whatever the type says of fields it does not know, nothing that was written is passed over.
            Node::Object(fields) => match fields.iter().find(|(name, _)| !known.contains(&name.as_str())) {
                Some((name, _)) => Err(de::Error::unknown_field(name, known)),
                None => self.deserialize_any(visitor),
            },
            other => Err(Fault::new(phrase::WRONG_TYPE, Some(other.brief()), Some(wanted::OBJECT.into()))),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_seq(visitor)
    }

    reads! {
        deserialize_bool => FLAG,
        deserialize_i8 => WHOLE, deserialize_i16 => WHOLE, deserialize_i32 => WHOLE, deserialize_i64 => WHOLE,
        deserialize_u8 => WHOLE, deserialize_u16 => WHOLE, deserialize_u32 => WHOLE, deserialize_u64 => WHOLE,
        deserialize_f32 => NUMBER, deserialize_f64 => NUMBER,
        deserialize_str => TEXT, deserialize_string => TEXT, deserialize_char => TEXT,
        deserialize_seq => LIST, deserialize_map => OBJECT,
    }

    forward_to_deserialize_any! { i128 u128 bytes byte_buf unit unit_struct identifier ignored_any }
}

impl Node {
    fn brief(&self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Bool(value) => value.to_string(),
            Self::Whole(value) => value.to_string(),
            Self::Large(value) => value.to_string(),
            Self::Decimal(value) => value.to_string(),
            Self::Text(value) => format!("\"{value}\""),
            Self::List(_) => "[…]".to_owned(),
            Self::Object(_) => "{…}".to_owned(),
        }
    }
}

struct Items {
    items: std::vec::IntoIter<Node>,
    place: usize,
    null: Null,
}

impl<'de> SeqAccess<'de> for &mut Items {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(item) = self.items.next() else { return Ok(None) };
        let place = self.place;
        self.place += 1;
        seed.deserialize(Reader { node: item, null: self.null })
            .map(Some)
            .map_err(|fault| fault.under(&place.to_string()))
    }
}

struct Fields {
    fields: std::vec::IntoIter<(String, Node)>,
    value: Option<(String, Node)>,
    null: Null,
}

impl<'de> MapAccess<'de> for Fields {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let Some((name, value)) = self.fields.next() else { return Ok(None) };
        let key: StrDeserializer<'_, Fault> = name.as_str().into_deserializer();
        let key = seed.deserialize(key)?;
        self.value = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let (name, value) = self.value.take().ok_or_else(|| de::Error::custom("value without key"))?;
        seed.deserialize(Reader { node: value, null: self.null }).map_err(|fault| fault.under(&name))
    }
}

struct Variant {
    name: String,
    value: Node,
    null: Null,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let name: StrDeserializer<'_, Fault> = self.name.as_str().into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

/// What a choice holds: its faults lie under its name.
impl<'de> VariantAccess<'de> for Variant {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        let fault = Fault::new(phrase::WRONG_TYPE, Some(self.value.brief()), Some(wanted::TEXT.into()));
        Err(fault.under(&self.name))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(Reader { node: self.value, null: self.null })
            .map_err(|fault| fault.under(&self.name))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        Reader { node: self.value, null: self.null }
            .deserialize_seq(visitor)
            .map_err(|fault| fault.under(&self.name))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        Reader { node: self.value, null: self.null }
            .deserialize_struct("", fields, visitor)
            .map_err(|fault| fault.under(&self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(deny_unknown_fields)]
    struct Shooter {
        figures: u8,
        weapon: Weapon,
        #[serde(default)]
        superior: u8,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "kebab-case")]
    enum Weapon {
        Musket,
        Rifle,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Request {
        shooter: Shooter,
        #[serde(default)]
        #[allow(dead_code, reason = "only its faults are read")]
        sections: Vec<Shooter>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    #[allow(dead_code, reason = "only its faults are read")]
    enum Order {
        Fire(Shooter),
        Aim(Weapon),
        March { to: u8, by: Option<u8> },
        Halt,
    }

    #[test]
    fn a_fault_inside_a_choice_lies_under_its_name() {
        let refused = |text: &str| Node::parse(text).and_then(Node::read::<Order>).unwrap_err().to_string();
        for (text, message) in [
            (
                r#"{"fire": {"figures": 1, "weapon": "bow"}}"#,
                "refused at fire.weapon: kernel-unknown-choice found=\"bow\" expected=musket, rifle",
            ),
            (
                r#"{"aim": "bow"}"#,
                "refused at aim: kernel-unknown-choice found=\"bow\" expected=musket, rifle",
            ),
            (r#"{"fire": {"figures": 1}}"#, "refused at fire.weapon: kernel-missing-field"),
            (
                r#"{"charge": {}}"#,
                "refused: kernel-unknown-choice found=\"charge\" expected=fire, aim, march, halt",
            ),
            (
                r#"{"march": {"to": 1, "by": 2, "evil": {"a": 1}}}"#,
                "refused at march.evil: kernel-unknown-field expected=to, by",
            ),
            (
                r#"{"march": [1, 2]}"#,
                "refused at march: kernel-wrong-type found=[…] expected=kernel-wanted-object",
            ),
            (r#"{"halt": 1}"#, "refused at halt: kernel-wrong-type found=1 expected=kernel-wanted-text"),
        ] {
            assert_eq!(refused(text), message, "{text}");
        }
    }

    fn refused(text: &str) -> String {
        Node::parse(text).and_then(Node::read::<Request>).unwrap_err().to_string()
    }

    #[test]
    fn a_good_request_is_read() {
        let request: Request =
            Node::parse(r#"{"shooter": {"figures": 12, "weapon": "musket"}}"#).unwrap().read().unwrap();
        assert_eq!(request.shooter, Shooter { figures: 12, weapon: Weapon::Musket, superior: 0 });
    }

    #[test]
    fn every_fault_names_its_field() {
        for (text, message) in [
            ("{", "refused: kernel-not-json detail=EOF while parsing an object at line 1 column 1"),
            ("[]", "refused: kernel-wrong-type found=[…] expected=kernel-wanted-object"),
            ("{}", "refused at shooter: kernel-missing-field"),
            (
                r#"{"shooter": null}"#,
                "refused at shooter: kernel-wrong-type found=null expected=kernel-wanted-object",
            ),
            (
                r#"{"shooter": {"figures": 12, "weapon": "musket", "superior": null}}"#,
                "refused at shooter.superior: kernel-wrong-type found=null expected=kernel-wanted-whole",
            ),
            (
                r#"{"shooter": {"figures": 1e9, "weapon": "musket"}}"#,
                "refused at shooter.figures: kernel-wrong-type found=1000000000 expected=kernel-wanted-whole",
            ),
            (
                r#"{"shooter": {"figures": 1000000000, "weapon": "musket"}}"#,
                "refused at shooter.figures: kernel-impossible-value found=1000000000 expected=u8",
            ),
            (
                r#"{"shooter": {"figures": 1, "weapon": "bow"}}"#,
                "refused at shooter.weapon: kernel-unknown-choice found=\"bow\" expected=musket, rifle",
            ),
            (
                r#"{"shooter": {"figures": 1, "weapon": "rifle", "hat": 1}}"#,
                "refused at shooter.hat: kernel-unknown-field expected=figures, weapon, superior",
            ),
            (
                r#"{"shooter": {"figures": 1, "weapon": "rifle", "figures": 2}}"#,
                "refused at shooter.figures: kernel-duplicate-field",
            ),
            (
                r#"{"shooter": {"figures": 1, "weapon": "rifle"}, "sections": [{"figures": true, "weapon": "rifle"}]}"#,
                "refused at sections.0.figures: kernel-wrong-type found=true expected=kernel-wanted-whole",
            ),
        ] {
            assert_eq!(refused(text), message, "{text}");
        }
    }
}
