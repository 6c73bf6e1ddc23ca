//! Quantities whose arithmetic must not mix: centimetres on a table, metres on a siege map,
//! movement points in halves, losses in fives, steps. All are integers inside.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub, SubAssign};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize, Serializer};

/// Why a decimal number is no quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAQuantity {
    /// Not a finite number.
    NotFinite,
    /// Outside what the type can hold.
    TooLarge,
    /// Not a whole number of the type's smallest unit.
    NotExact,
}

/// A decimal number scaled by `scale`, rounded half up at the last digit. The shortest decimal
/// text of the number decides, so that 6.005 is what the player wrote and not its binary shadow.
///
/// # Errors
/// When the number is not finite or the result leaves `i32`.
fn scaled_half_up(value: f64, scale: u32) -> Result<i32, NotAQuantity> {
    let (scaled, _) = scaled(value, scale)?;
    Ok(scaled)
}

/// Like [`scaled_half_up`], but refuses a number that needs rounding.
///
/// # Errors
/// When the number is not finite, not a multiple of `1 / scale`, or leaves `i32`.
fn scaled_exact(value: f64, scale: u32) -> Result<i32, NotAQuantity> {
    match scaled(value, scale)? {
        (scaled, true) => Ok(scaled),
        (_, false) => Err(NotAQuantity::NotExact),
    }
}

fn scaled(value: f64, scale: u32) -> Result<(i32, bool), NotAQuantity> {
    if !value.is_finite() {
        return Err(NotAQuantity::NotFinite);
    }
    if value.abs() > 1e9 {
        return Err(NotAQuantity::TooLarge);
    }
    if value.abs() < 1e-9 {
        return Ok((0, value == 0.0));
    }
    let text = value.abs().to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let ten = 10_i128.pow(u32::try_from(fraction.len()).map_err(|_| NotAQuantity::TooLarge)?);
    let digits: i128 = format!("{whole}{fraction}").parse().map_err(|_| NotAQuantity::TooLarge)?;
    let product = digits * i128::from(scale);
    let exact = product % ten == 0;
    let magnitude = if value < 0.0 {
        // Half up means towards plus infinity on the negative side too.
        -((2 * product + ten - 1) / (2 * ten))
    } else {
        (2 * product + ten) / (2 * ten)
    };
    i32::try_from(magnitude).map(|m| (m, exact)).map_err(|_| NotAQuantity::TooLarge)
}

/// Writes `raw / scale` as a JSON number: whole when it is whole.
fn serialize_scaled<S: Serializer>(raw: i32, scale: i32, serializer: S) -> Result<S::Ok, S::Error> {
    if !serializer.is_human_readable() {
        serializer.serialize_i32(raw)
    } else if raw % scale == 0 {
        serializer.serialize_i32(raw / scale)
    } else {
        serializer.serialize_f64(f64::from(raw) / f64::from(scale))
    }
}

/// Reads a number and hands it to a quantity.
struct Number<T> {
    expecting: &'static str,
    read: fn(f64) -> Result<T, NotAQuantity>,
}

impl<T> Visitor<'_> for Number<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expecting)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<T, E> {
        (self.read)(value).map_err(|_| E::invalid_value(Unexpected::Float(value), &self))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        let number = i32::try_from(value).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))?;
        (self.read)(f64::from(number)).map_err(|_| E::invalid_value(Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<T, E> {
        let number =
            i32::try_from(value).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))?;
        (self.read)(f64::from(number)).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }
}

/// Declares a quantity: an integer count of its smallest unit.
macro_rules! quantity {
    ($(#[$meta:meta])* $name:ident, $scale:literal, $unit:ident, $read:ident, $expecting:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(i32);

        impl crate::Shifted for $name {
            fn shifted(self) -> Self {
                Self(self.0.checked_add($scale).unwrap_or(self.0 - $scale))
            }
        }

        impl $name {
            /// Nothing of it.
            pub const ZERO: Self = Self(0);

            #[doc = concat!("So many ", stringify!($unit), ".")]
            #[must_use]
            pub const fn $unit(count: i32) -> Self {
                Self(count)
            }

            #[doc = concat!("How many ", stringify!($unit), " it is.")]
            #[must_use]
            pub const fn count(self) -> i32 {
                self.0
            }

            /// A whole number of units.
            #[must_use]
            pub const fn whole(units: i32) -> Self {
                Self(units * $scale)
            }

            /// From a decimal number of units.
            ///
            /// # Errors
            /// When the number is not finite, too large, or not exact where it must be.
            pub fn from_decimal(value: f64) -> Result<Self, NotAQuantity> {
                $read(value, $scale).map(Self)
            }

            /// As a decimal number of units, for drawing and for readers.
            #[must_use]
            pub fn as_decimal(self) -> f64 {
                f64::from(self.0) / f64::from($scale)
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
                all.fold(Self::ZERO, Add::add)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.as_decimal())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize_scaled(self.0, $scale, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    deserializer.deserialize_f64(Number { expecting: $expecting, read: Self::from_decimal })
                } else {
                    i32::deserialize(deserializer).map(Self)
                }
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "number", "description": $expecting })
            }
        }
    };
}

quantity!(
    /// A length on the gaming table, in hundredths of a centimetre (FE-R69).
    Centimetres, 100, hundredths, scaled_half_up, "cm"
);
quantity!(
    /// A length on the siege map, in hundredths of a metre.
    Metres, 100, hundredths, scaled_half_up, "m"
);
quantity!(
    /// A length on a model, in hundredths of a millimetre.
    Millimetres, 100, hundredths, scaled_half_up, "mm"
);
quantity!(
    /// Points of an army list, counted in halves.
    ArmyPoints, 2, halves, scaled_exact, "0.5, 1, 1.5 …"
);
quantity!(
    /// Movement points, counted in halves.
    MovementPoints, 2, halves, scaled_exact, "0.5, 1, 1.5 …"
);
quantity!(
    /// Men lost, counted in fives (FE-4.3-02): a multiple of 5.
    Losses, 1, men, scaled_exact, "5, 10, 15 …"
);
quantity!(
    /// Steps of a unit or of a work.
    Steps, 1, ones, scaled_exact, "1, 2, 3 …"
);

/// A whole number between two bounds, both included; anything else is refused when read.
///
/// ```
/// use kernel::Whole;
/// assert!(serde_json::from_str::<Whole<1, 6>>("7").unwrap_err().to_string().contains("expected 1–6"));
/// assert_eq!(serde_json::from_str::<Whole<1, 6>>("6").unwrap().get(), 6);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Whole<const MIN: i32, const MAX: i32>(i32);

impl<const MIN: i32, const MAX: i32> Whole<MIN, MAX> {
    /// The number, if it lies within the bounds.
    #[must_use]
    pub fn new(value: i32) -> Option<Self> {
        (MIN..=MAX).contains(&value).then_some(Self(value))
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0
    }
}

impl<const MIN: i32, const MAX: i32> Default for Whole<MIN, MAX> {
    /// Nothing, or the lowest number where nothing is too little.
    fn default() -> Self {
        Self(0.clamp(MIN, MAX))
    }
}

impl<'de, const MIN: i32, const MAX: i32> Deserialize<'de> for Whole<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = i64::deserialize(deserializer)?;
        i32::try_from(value).ok().and_then(Self::new).ok_or_else(|| {
            de::Error::invalid_value(Unexpected::Signed(value), &format!("{MIN}–{MAX}").as_str())
        })
    }
}

impl<const MIN: i32, const MAX: i32> JsonSchema for Whole<MIN, MAX> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        format!("Whole{MIN}To{MAX}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_distance_is_rounded_half_up_from_the_written_digits() {
        for (written, hundredths) in
            [("6", 600), ("6.005", 601), ("6.0049", 600), ("16.25", 1625), ("1.005", 101), ("0.1", 10)]
        {
            let read: Centimetres = serde_json::from_str(written).unwrap();
            assert_eq!(read, Centimetres::hundredths(hundredths), "{written}");
        }
    }

    #[test]
    fn movement_points_are_halves_and_nothing_finer() {
        assert_eq!(serde_json::from_str::<MovementPoints>("2.5").unwrap(), MovementPoints::halves(5));
        let refused = serde_json::from_str::<MovementPoints>("2.25").unwrap_err().to_string();
        assert!(refused.contains("0.5, 1, 1.5"), "{refused}");
        assert_eq!(serde_json::to_string(&MovementPoints::halves(5)).unwrap(), "2.5");
        assert_eq!(serde_json::to_string(&MovementPoints::halves(4)).unwrap(), "2");
    }

    #[test]
    fn numbers_beyond_the_table_are_no_quantity() {
        for beyond in ["1e300", "1000000000"] {
            let refused = serde_json::from_str::<Centimetres>(beyond).unwrap_err().to_string();
            assert!(refused.starts_with("invalid value") && refused.contains("cm"), "{refused}");
        }
        assert_eq!(Centimetres::from_decimal(f64::NAN), Err(NotAQuantity::NotFinite));
        assert_eq!(Centimetres::from_decimal(1e-300), Ok(Centimetres::ZERO));
    }
}
