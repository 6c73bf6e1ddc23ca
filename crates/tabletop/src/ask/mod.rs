//! The questions of the terrain chapter, on facts or on a scene.

pub mod engineers;
pub mod fire_ground;
pub mod house;
pub mod layout;
pub mod melee_ground;
pub mod movement;
pub mod obstacle;

use kernel::Refusal;
use rulebook::Asking;

/// A refusal of something under a field of the request, which it names by its whole path.
fn within(field: &'static str) -> impl Fn(Refusal) -> Refusal {
    move |refusal| match &refusal.field {
        Some(inner) => {
            let path = format!("{field}.{inner}");
            refusal.at(path)
        }
        None => refusal,
    }
}

/// A refusal that asks for the front or the ranks of a body, which it names by its whole path.
fn of_body(body: &'static str) -> impl Fn(Refusal) -> Refusal {
    move |refusal| match refusal.field.as_deref() {
        Some("front" | "ranks") => within(body)(refusal),
        _ => refusal,
    }
}

/// The questions of the terrain chapter.
#[must_use]
pub fn terrain() -> Vec<Asking> {
    vec![
        rulebook::question::<movement::Move>(),
        rulebook::question::<melee_ground::MeleeGround>(),
        rulebook::question::<house::House>(),
        rulebook::question::<obstacle::Obstacle>(),
        rulebook::question::<engineers::Engineers>(),
        rulebook::question::<fire_ground::FireGround>(),
        rulebook::question::<layout::Layout>(),
    ]
}
