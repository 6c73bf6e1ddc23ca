//! The table as data. A [`Setup`] is what a person wrote; a [`Scene`] is what the rules may trust:
//! every element with its geometry, every body with its figures on bases at the three instants of
//! the half-period. [`Setup::check`] leads from one to the other, or names every fault.

mod body;
mod check;
mod element;
mod figures;
mod index;
mod muster;
pub mod question;
mod record;
mod setup;
mod terrain;

pub(crate) use body::counting;
pub use body::{Body, Class, Imposed, Instant, Presence};
pub use check::{Fault, Survey};
pub use element::{
    Element, Garrisoned, Hill, House, HouseSide, Kind, Obstacle, Plateau, Redoubt, Road, Water,
};
pub use figures::{Figure, crew_base, crew_by_guns, layout, size};
pub use index::Grid;
pub use muster::{
    Battery, Company, Drill, DrillClass, GunTeam, Muster, Officer, Weapon, Weight, WeightClass,
};
pub use record::{Action, ActionKind, Contact, Record};
pub use setup::{
    BaseAt, Bases, BodySetup, Busy, Figures, Formation, GarrisonAt, HouseAction, Order, OrderKind, Place,
    Post, Setup, Side, Situation, Stand, State, Status,
};
pub use terrain::{
    AbandonedSetup, BridgeSetup, Cause, Damage, DamageKind, ElementSetup, FieldKind, FieldSetup, FordSetup,
    HillSetup, HouseSetup, Interval, MarshSetup, ObstacleClass, ObstacleSetup, Piece, PlateauSetup,
    RedoubtSetup, RoadSetup, Shape, TrackKind, TrackSetup, VillageSetup, WaterKind, WaterSetup, WoodKind,
    WoodSetup,
};

use kernel::Refusal;

use crate::geometry::Point;

/// A table that passed every check.
#[derive(Clone, Debug)]
pub struct Scene {
    setup: Setup,
    width: i64,
    depth: i64,
    elements: Vec<Element>,
    bodies: Vec<Body>,
    grid: Grid,
}

impl Scene {
    /// What it was made from.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The width of the table, west to east, in hundredths of a centimetre.
    #[must_use]
    pub const fn width(&self) -> i64 {
        self.width
    }

    /// The depth of the table, south to north.
    #[must_use]
    pub const fn depth(&self) -> i64 {
        self.depth
    }

    /// The terrain, sorted by name.
    #[must_use]
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The bodies, in the order they were written.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Where things stand, for quick looks around.
    #[must_use]
    pub const fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The body of that name, or the refusal of the field that named it.
    ///
    /// # Errors
    /// When there is no such body.
    pub fn body(&self, id: &str, field: &str) -> Result<&Body, Refusal> {
        self.bodies.iter().find(|body| body.setup.id == id).ok_or_else(|| {
            Refusal::field(field, rulebook::phrase::tabletop_scene::NO_SUCH_BODY).with("id", id.to_owned())
        })
    }

    /// The terrain element of that name, or the refusal of the field that named it.
    ///
    /// # Errors
    /// When there is no such element.
    pub fn element(&self, id: &str, field: &str) -> Result<&Element, Refusal> {
        self.elements.iter().find(|element| element.id == id).ok_or_else(|| {
            Refusal::field(field, rulebook::phrase::tabletop_scene::NO_SUCH_ELEMENT).with("id", id.to_owned())
        })
    }

    /// Whether a point lies on the table.
    #[must_use]
    pub const fn holds(&self, point: Point) -> bool {
        point.x >= 0 && point.y >= 0 && point.x <= self.width && point.y <= self.depth
    }
}
