//! Dans la brèche !: fantasy sieges with towers, rams and oil. Here are the sums that players do
//! around the table: what an army may cost ([`army`]), the lists it is written from ([`lists`]) and
//! whether it is legal ([`roster`], [`forces`]), what a scenario is fought on ([`scenario`]), what is a
//! tower and whom it holds ([`towers`]), whether the siege of scenario 3 ends ([`end`]) and who has won
//! it ([`score`]); and what happens at the wall: orders ([`command`]), shots ([`shooting`]), guns and rams
//! against the works ([`bombard`], [`ram`]), what falls ([`collapse`]), who meets whom ([`contact`]),
//! assaults ([`combat`], [`engagement`]), oil and rocks ([`oil`]), earthworks ([`earthworks`]), plans of
//! fortresses ([`fortress`]) and their pictures ([`draw`]). The whole game is in [`game`], how it is shown in [`board`].
//!
//! ```
//! use breach::army::{Role, budget};
//!
//! let (defender, _) = kernel::scripted(&[], |clerk| budget(Role::Defender, 2500, clerk)).unwrap();
//! assert_eq!((defender.army, defender.min_multiplier, defender.max_multiplier), (1250, 1, 2));
//! ```

pub mod army;
mod ask;
pub mod board;
pub mod bombard;
pub mod collapse;
pub mod combat;
pub mod command;
pub mod contact;
pub mod draw;
pub mod earthworks;
pub mod end;
pub mod engagement;
pub mod forces;
pub mod fortress;
pub mod game;
pub mod lists;
pub mod oil;
mod quartermaster;
pub mod ram;
pub mod roster;
pub mod scenario;
pub mod score;
pub mod shooting;
pub mod terms;
pub mod towers;

pub use ask::questions;
