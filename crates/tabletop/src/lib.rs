//! The miniatures table: the fire and terrain chapters as an umpire.
//!
//! A table is written as a [`scene::Setup`] (JSON), checked into a [`scene::Scene`], and asked
//! about: who sees whom ([`sight`]), who may fire at what and with what losses ([`fire`]), and what
//! the ground does to everybody ([`terrain`], [`movement`]). A table is laid by hand and kept through an
//! [`evening`].
//!
//! ```
//! use rulebook::Lang;
//!
//! let fire = tabletop::questions().into_iter().find(|question| question.name == "tabletop.fire").unwrap();
//! let reply = fire.ask(
//!     r#"{"shooter": {"weapon": "musket", "factor": 4, "figures": 12},
//!         "distance_cm": 6, "target": {"class": "mass"}, "dice": [4]}"#,
//!     Lang::En,
//! );
//! assert!(reply.json.starts_with(r#"{"answer":{"factor":6,"losses":60,"figures_lost":1,"marker":20}"#));
//! ```

mod arm;
pub mod ask;
pub mod draw;
pub mod evening;
pub mod fire;
pub mod geometry;
pub mod movement;
pub mod scene;
pub mod sight;
pub mod terrain;

pub use arm::Arm;

use rulebook::Asking;

/// The questions this table answers.
#[must_use]
pub fn questions() -> Vec<Asking> {
    let mut all = vec![
        rulebook::question::<fire::facts::Fire>(),
        rulebook::question::<fire::question::AskShoot>(),
        rulebook::question::<sight::question::AskSight>(),
        rulebook::question::<scene::question::AskScene>(),
    ];
    all.extend(ask::terrain());
    all
}
