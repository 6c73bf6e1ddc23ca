//! Dans la brèche !: fantasy sieges with towers, rams and oil. Here are the sums that players do
//! around the table: what an army may cost ([`army`]), the lists it is written from ([`lists`]) and
//! whether it is legal ([`roster`], [`forces`]), what a scenario is fought on ([`scenario`]), what is a
//! tower and whom it holds ([`towers`]), whether the siege of scenario 3 ends ([`end`]) and who has won
//! it ([`score`]).
//!
//! ```
//! use breach::army::{Role, budget};
//!
//! let (defender, _) = kernel::scripted(&[], |clerk| budget(Role::Defender, 2500, clerk)).unwrap();
//! assert_eq!((defender.army, defender.min_multiplier, defender.max_multiplier), (1250, 1, 2));
//! ```

pub mod army;
mod ask;
pub mod end;
pub mod forces;
pub mod lists;
mod quartermaster;
pub mod roster;
pub mod scenario;
pub mod score;
pub mod towers;

pub use ask::questions;
