//! The miniatures table as others see it: scenes and questions in, verdicts and losses out.

mod answers;
#[path = "../support/asked.rs"]
mod asked;
mod evening;
mod examples;
mod fights;
mod fire;
mod fire_corners;
#[path = "../support/hold.rs"]
mod hold;
#[path = "../support/large.rs"]
mod large;
mod lawyer;
mod properties;
mod rules;
mod scenes;
mod sight;
mod standing;
#[path = "../support/table.rs"]
mod support;
mod terrain_questions;
