//! The canonical form of a state: the bytes that the record hashes, as `docs/record.md` tells them. They
//! are this module's own, row by row of that page, and lean on no library's layout; a byte that changes
//! here is another format of the record.

use std::fmt;

use serde::ser::{self, Serialize};

/// Why something has no canonical form: it is not plain data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotPlain(String);

impl fmt::Display for NotPlain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotPlain {}

impl ser::Error for NotPlain {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

/// The bytes of a value.
///
/// # Errors
/// When it is a list whose length is not known before its end, or refuses to be written.
pub(crate) fn bytes(value: &impl Serialize) -> Result<Vec<u8>, NotPlain> {
    let mut form = Form(Vec::with_capacity(1024));
    value.serialize(&mut form)?;
    Ok(form.0)
}

/// What is written so far.
struct Form(Vec<u8>);

impl Form {
    /// A whole number without sign: groups of seven bits, lowest first, each but the last with the high bit.
    fn number(&mut self, mut number: u128) {
        loop {
            let group = (number & 0x7f) as u8;
            number >>= 7;
            if number == 0 {
                return self.0.push(group);
            }
            self.0.push(group | 0x80);
        }
    }

    /// A whole number with sign: `2n`, or `-2n - 1` if it is negative.
    fn signed(&mut self, number: i128) {
        self.number((number.cast_unsigned() << 1) ^ (number >> 127).cast_unsigned());
    }

    fn length(&mut self, length: usize) {
        self.number(length as u128);
    }

    fn counted(&mut self, length: Option<usize>) -> Result<&mut Self, NotPlain> {
        let length = length.ok_or_else(|| NotPlain("a list without a length".to_owned()))?;
        self.length(length);
        Ok(self)
    }

    /// The number of a kind in its declaration.
    fn kind(&mut self, kind: u32) -> &mut Self {
        self.number(kind.into());
        self
    }
}

type Written = Result<(), NotPlain>;

macro_rules! numbers {
    ($($method:ident($number:ty) as $through:ident;)*) => {
        $(fn $method(self, number: $number) -> Written {
            self.$through(number.into());
            Ok(())
        })*
    };
}

impl ser::Serializer for &mut Form {
    type Ok = ();
    type Error = NotPlain;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    numbers! {
        serialize_u16(u16) as number;
        serialize_u32(u32) as number;
        serialize_u64(u64) as number;
        serialize_u128(u128) as number;
        serialize_i16(i16) as signed;
        serialize_i32(i32) as signed;
        serialize_i64(i64) as signed;
        serialize_i128(i128) as signed;
    }

    fn serialize_bool(self, holds: bool) -> Written {
        self.0.push(u8::from(holds));
        Ok(())
    }

    fn serialize_u8(self, number: u8) -> Written {
        self.0.push(number);
        Ok(())
    }

    fn serialize_i8(self, number: i8) -> Written {
        self.0.push(number.cast_unsigned());
        Ok(())
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.0.extend(number.to_le_bytes());
        Ok(())
    }

    fn serialize_f64(self, number: f64) -> Written {
        self.0.extend(number.to_le_bytes());
        Ok(())
    }

    fn serialize_char(self, letter: char) -> Written {
        self.serialize_str(letter.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Written {
        self.serialize_bytes(text.as_bytes())
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.length(bytes.len());
        self.0.extend(bytes);
        Ok(())
    }

    fn serialize_none(self) -> Written {
        self.serialize_bool(false)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        self.0.push(1);
        value.serialize(self)
    }

    fn serialize_unit(self) -> Written {
        Ok(())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Written {
        Ok(())
    }

    fn serialize_unit_variant(self, _name: &'static str, kind: u32, _variant: &'static str) -> Written {
        self.kind(kind);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, value: &T) -> Written {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        kind: u32,
        _variant: &'static str,
        value: &T,
    ) -> Written {
        value.serialize(self.kind(kind))
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self, NotPlain> {
        self.counted(length)
    }

    fn serialize_tuple(self, _length: usize) -> Result<Self, NotPlain> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _name: &'static str, _length: usize) -> Result<Self, NotPlain> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        kind: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self, NotPlain> {
        Ok(self.kind(kind))
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self, NotPlain> {
        self.counted(length)
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<Self, NotPlain> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        kind: u32,
        _variant: &'static str,
        _length: usize,
    ) -> Result<Self, NotPlain> {
        Ok(self.kind(kind))
    }

    /// What has a form for people (hexadecimal digits) and one for machines is written as the latter.
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Parts stand one after the other, with nothing between them and nothing at the end.
macro_rules! parts {
    ($($part:ident::$method:ident;)*) => {
        $(impl ser::$part for &mut Form {
            type Ok = ();
            type Error = NotPlain;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
                value.serialize(&mut **self)
            }

            fn end(self) -> Written {
                Ok(())
            }
        })*
    };
}

parts! {
    SerializeSeq::serialize_element;
    SerializeTuple::serialize_element;
    SerializeTupleStruct::serialize_field;
    SerializeTupleVariant::serialize_field;
}

/// Those with names, which are not written.
macro_rules! named_parts {
    ($($part:ident;)*) => {
        $(impl ser::$part for &mut Form {
            type Ok = ();
            type Error = NotPlain;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, _name: &'static str, value: &T) -> Written {
                value.serialize(&mut **self)
            }

            fn end(self) -> Written {
                Ok(())
            }
        })*
    };
}

named_parts! {
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for &mut Form {
    type Ok = ();
    type Error = NotPlain;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        value.serialize(&mut **self)
    }

    fn end(self) -> Written {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};

    use super::bytes;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    enum Arm {
        Foot,
        Horse(u16),
        Guns { calibre: u8, horses: Option<i32> },
        Train(u8, i64),
    }

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Column {
        arms: Vec<Arm>,
        by_name: BTreeMap<String, (i8, i16)>,
        halted: bool,
        length: f64,
        width: f32,
        mark: char,
        far: u128,
        deep: i128,
        nothing: (),
        seed: [u8; 4],
    }

    #[test]
    fn what_has_no_length_has_no_form() {
        struct Endless;
        impl Serialize for Endless {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serde::ser::SerializeSeq::end(serializer.serialize_seq(None)?)
            }
        }
        assert_eq!(bytes(&Endless).unwrap_err().to_string(), "a list without a length");
    }

    prop_compose! {
        fn columns()(
            arms in prop::collection::vec(prop_oneof![
                Just(Arm::Foot),
                any::<u16>().prop_map(Arm::Horse),
                any::<(u8, Option<i32>)>().prop_map(|(calibre, horses)| Arm::Guns { calibre, horses }),
                any::<(u8, i64)>().prop_map(|(wagons, pace)| Arm::Train(wagons, pace)),
            ], 0..200),
            by_name in any::<BTreeMap<String, (i8, i16)>>(),
            (halted, length, width, mark) in any::<(bool, f64, f32, char)>(),
            (far, deep, seed) in any::<(u128, i128, [u8; 4])>(),
        ) -> Column {
            Column { arms, by_name, halted, length, width, mark, far, deep, nothing: (), seed }
        }
    }

    proptest! {
        /// Nothing is lost: two things of one form would be one thing. The form happens to be one that a
        /// library reads, and that reads back whatever was written.
        #[test]
        fn what_is_written_can_be_read_again(column in columns()) {
            let again: Column = postcard::from_bytes(&bytes(&column).unwrap()).unwrap();
            prop_assert_eq!(bytes(&again).unwrap(), bytes(&column).unwrap());
            prop_assert_eq!(again.arms, column.arms);
            prop_assert_eq!(again.by_name, column.by_name);
        }
    }
}
