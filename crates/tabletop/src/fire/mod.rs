//! The fire chapter. A fire is worked out in the order of the book: base factor, modifiers
//! ([`modifiers`]), one die ([`die`]), the loss table and its arithmetic ([`losses`]), the marker
//! and the figures it takes ([`marker`]). [`facts`] asks all of it as one question.

pub mod aim;
pub mod battery;
pub mod charge;
pub mod corridor;
pub mod declare;
pub mod die;
pub mod facts;
pub mod ground;
pub mod losses;
pub mod marker;
pub mod measure;
pub mod modifiers;
pub mod phase;
mod point_blank;
pub mod priority;
pub mod question;
mod received;
pub mod removal;
pub mod shelter;
pub mod weapon;

pub use die::Order;
pub use losses::{Duration, Group};
pub use marker::Toll;
pub use modifiers::{Class, Cover, Mark, State};
pub use weapon::{Calibre, Projectile, SmallArm, Weapon};
