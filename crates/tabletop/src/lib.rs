//! The miniatures table: the fire and terrain chapters as an umpire.
//!
//! A table is written as a [`scene::Setup`] (JSON), checked into a [`scene::Scene`], and asked
//! about: who sees whom ([`sight`]), who may fire at what and with what losses ([`fire`]), and what
//! the ground does to everybody ([`terrain`], [`movement`]). A table is laid by hand and kept through an
//! [`evening`].
//!
//! One fire, with the die that was rolled at a table and then with its exact odds:
//!
//! ```
//! use kernel::{Centimetres, Reply, with_dice, without_dice};
//! use tabletop::fire::facts::{Fire, Request, Shooter, Target};
//! use tabletop::fire::{Class, Weapon};
//!
//! // Twelve muskets at a column, six centimetres away.
//! let request = Request::new(
//!     Shooter::new(Weapon::Musket, 4, 12).unwrap(),
//!     Centimetres::whole(6),
//!     Target { class: Some(Class::Mass), ..Target::default() },
//! );
//! let options = Default::default();
//!
//! let Reply::Answered { answer, because, .. } = with_dice::<Fire>(&request, &options, &[4]).unwrap() else {
//!     unreachable!("the die is known");
//! };
//! assert_eq!((answer.factor, answer.figures_lost), (Some(6), 1));
//! assert!(because.iter().any(|because| because.rule.as_str() == "FE-5-16"));
//!
//! let Reply::Odds { outcomes, .. } = without_dice::<Fire>(&request, &options).unwrap() else {
//!     unreachable!("it rolls");
//! };
//! let factors: Vec<_> = outcomes.iter().map(|(p, answer)| (p.to_string(), answer.factor)).collect();
//! assert_eq!(factors, [5, 6, 7].map(|factor| ("1/3".to_owned(), Some(factor))));
//! ```
//!
//! The same as JSON, as `glacis ask` and the API take it (a request can be written as it is read:
//! `serde_json::to_string(&request)`):
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
