//! The checks that lead from what a person wrote to a table the rules may trust (terrain geometry
//! page, section 9). Every fault is reported, with the path of its field and the name of its
//! element or body.

mod bodies;
mod relief;
mod standing;
mod survey;
mod terrain;
mod together;

pub use survey::{Fault, Survey};

use std::collections::BTreeSet;

use kernel::{Phrase, Refusal, Verdict};
use rulebook::options::tabletop::{FigureLostAt40, Options};
use rulebook::phrase::tabletop_scene as say;

use super::{BodySetup, Scene, Setup, element::hundredths, index::Grid};
use crate::fire::marker::MEN_PER_FIGURE;
use crate::geometry::Point;

/// The longest side of a table: ten metres.
const LARGEST_TABLE: i64 = 100_000;
/// The shortest side of a table: ten centimetres.
const SMALLEST_TABLE: i64 = 1_000;
/// The most terrain elements.
const MOST_ELEMENTS: usize = 1_000;
/// The most bodies.
const MOST_BODIES: usize = 500;
/// The most figures on the table.
const MOST_FIGURES: i64 = 10_000;
/// The most points of one line or outline.
const MOST_POINTS: usize = 500;
/// The most points of all elements together.
const MOST_POINTS_IN_ALL: usize = 20_000;
/// The most faults reported at once.
const MOST_FAULTS: usize = 50;

/// The faults found so far.
struct Faults {
    found: Vec<Refusal>,
}

impl Faults {
    /// Notes a fault at a field of the thing of that name.
    fn add(&mut self, path: String, phrase: Phrase, name: &str) {
        self.push(Refusal::field(path, phrase).with("name", name.to_owned()));
    }

    /// Notes that the terrain chapter does not accept the thing of that name, with its rule.
    fn judge(&mut self, verdict: &Verdict<()>, path: String, phrase: Phrase, name: &str) {
        if let Err(Refusal { rule, .. }) = verdict {
            self.push(Refusal { rule: *rule, ..Refusal::field(path, phrase).with("name", name.to_owned()) });
        }
    }

    fn push(&mut self, fault: Refusal) {
        if self.found.len() < MOST_FAULTS {
            self.found.push(fault);
        }
    }

    fn any(&self) -> bool {
        !self.found.is_empty()
    }
}

/// The table being checked.
struct Table {
    width: i64,
    depth: i64,
}

impl Table {
    fn holds(&self, point: Point) -> bool {
        (0..=self.width).contains(&point.x) && (0..=self.depth).contains(&point.y)
    }
}

impl Setup {
    /// Checks everything and gives the scene. The options tell what ground does to who stands on it.
    ///
    /// # Errors
    /// Every fault, with the path of its field and the name of its element or body.
    pub fn check(&self, options: &Options) -> Result<Scene, Vec<Refusal>> {
        let mut faults = Faults { found: Vec::new() };
        let table = self.measured(&mut faults);
        if faults.any() {
            return Err(faults.found);
        }
        self.names(&mut faults);
        let elements = self.ground(&table, &mut faults);
        if faults.any() {
            return Err(faults.found);
        }
        let bodies = bodies::bodies(self, &table, &elements, &mut faults);
        if faults.any() {
            return Err(faults.found);
        }
        let scene = self.settled(&table, elements, bodies, options, &mut faults);
        if faults.any() { Err(faults.found) } else { Ok(scene) }
    }

    /// The table, if its size and the numbers of what lies on it are possible.
    fn measured(&self, faults: &mut Faults) -> Table {
        let table = Table { width: hundredths(self.width), depth: hundredths(self.depth) };
        for (field, side) in [("width", table.width), ("depth", table.depth)] {
            if !(SMALLEST_TABLE..=LARGEST_TABLE).contains(&side) {
                faults.push(
                    Refusal::field(field, say::TABLE_SIZE)
                        .with(
                            "least",
                            crate::geometry::Gap::whole(SMALLEST_TABLE * SMALLEST_TABLE).centimetres(),
                        )
                        .with(
                            "most",
                            crate::geometry::Gap::whole(LARGEST_TABLE * LARGEST_TABLE).centimetres(),
                        ),
                );
            }
        }
        self.counts(faults);
        table
    }

    /// The elements that have a geometry, by name, so that no verdict depends on the order in which
    /// they were written.
    fn ground(&self, table: &Table, faults: &mut Faults) -> Vec<super::Element> {
        let mut elements = terrain::elements(self, table, faults);
        elements.sort_by(|one, other| one.id.cmp(&other.id));
        elements
    }

    /// The scene, with what its ground makes of those who stand on it.
    fn settled(
        &self,
        table: &Table,
        elements: Vec<super::Element>,
        bodies: Vec<super::Body>,
        options: &Options,
        faults: &mut Faults,
    ) -> Scene {
        let extents = elements
            .iter()
            .map(|element| element.extent)
            .chain(bodies.iter().map(|body| {
                body.presences.iter().fold(body.now().extent, |extent, presence| extent.and(presence.extent))
            }))
            .collect();
        let mut scene = Scene {
            grid: Grid::new(table.width, table.depth, extents),
            setup: self.clone(),
            width: table.width,
            depth: table.depth,
            elements,
            bodies,
        };
        standing::settle(&mut scene, options, faults);
        scene
    }

    /// Checks everything and gives the scene, or the first fault, as a question needs it. `field` is
    /// the path of the scene in the request. A full marker stands only where 40 must be exceeded
    /// (FE-R54).
    ///
    /// # Errors
    /// The first fault.
    pub fn checked(&self, field: &str, options: &Options) -> Verdict<Scene> {
        if let Some(mut fault) = self.full_marker(options) {
            fault.field = fault.field.map(|path| format!("{field}.{path}"));
            return Err(fault);
        }
        self.check(options).map_err(|faults| {
            faults.into_iter().next().map_or_else(
                || Refusal::field(field, kernel::phrase::BAD_VALUE),
                |mut fault| {
                    fault.field = Some(match fault.field {
                        Some(path) => format!("{field}.{path}"),
                        None => field.to_owned(),
                    });
                    fault
                },
            )
        })
    }

    /// The first marker that is full where a figure goes at exactly so many losses (FE-R54).
    fn full_marker(&self, options: &Options) -> Option<Refusal> {
        let full = |body: &BodySetup| body.marker.count() >= MEN_PER_FIGURE;
        let place = self.bodies.iter().position(full)?;
        (options.figure_lost_at_40 == FigureLostAt40::Reached).then(|| {
            Refusal::field(format!("bodies.{place}.marker"), say::MARKER)
                .with("name", self.bodies[place].id.clone())
                .with("most", MEN_PER_FIGURE - 5)
        })
    }

    fn counts(&self, faults: &mut Faults) {
        let mut many = |field: &str, found: usize, most: usize| {
            if found > most {
                faults.push(
                    Refusal::field(field, say::TOO_MANY)
                        .with("found", i64::try_from(found).unwrap_or(i64::MAX))
                        .with("most", i64::try_from(most).unwrap_or(i64::MAX)),
                );
            }
        };
        many("terrain", self.terrain.len(), MOST_ELEMENTS);
        many("bodies", self.bodies.len(), MOST_BODIES);
        let points: usize = self.terrain.iter().map(|element| terrain::points(&element.shape)).sum();
        many("terrain", points, MOST_POINTS_IN_ALL);
    }

    fn names(&self, faults: &mut Faults) {
        let mut seen = BTreeSet::new();
        let all = self
            .terrain
            .iter()
            .enumerate()
            .map(|(k, element)| (format!("terrain.{k}.id"), &element.id))
            .chain(self.bodies.iter().enumerate().map(|(k, body)| (format!("bodies.{k}.id"), &body.id)));
        for (path, id) in all {
            if id.is_empty() || id.chars().count() > 60 {
                faults.add(path, say::NAME_LENGTH, id);
            } else if !seen.insert(id) {
                faults.add(path, say::NAME_TWICE, id);
            }
        }
    }
}
