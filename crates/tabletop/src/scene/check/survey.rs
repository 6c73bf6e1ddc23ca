//! A table that is being laid: it is looked over as it lies, in order or not. What was written enters;
//! every thing that has a geometry, and every fault with the thing it belongs to, leave. A table
//! without a fault is the scene that [`Setup::checked`] gives.

use kernel::Refusal;
use rulebook::options::tabletop::Options;
use rulebook::phrase::tabletop_scene as say;

use super::{Faults, bodies};
use crate::scene::{Body, Element, Scene, Setup};

/// Something that cannot stay as it lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The element or body, by its name; nothing where it is the table itself.
    pub thing: Option<String>,
    /// Why.
    pub refusal: Refusal,
}

/// A table as it lies.
#[derive(Clone, Debug)]
pub struct Survey {
    laid: Laid,
    faults: Vec<Fault>,
}

#[derive(Clone, Debug)]
enum Laid {
    /// Everything is in order.
    Whole(Box<Scene>),
    /// What has a geometry, each by itself.
    Apart(Vec<Element>, Vec<Body>),
}

impl Survey {
    /// The scene, if everything is in order.
    #[must_use]
    pub fn scene(&self) -> Option<&Scene> {
        match &self.laid {
            Laid::Whole(scene) => Some(scene),
            Laid::Apart(..) => None,
        }
    }

    /// The elements that have a geometry, sorted by name.
    #[must_use]
    pub fn elements(&self) -> &[Element] {
        match &self.laid {
            Laid::Whole(scene) => scene.elements(),
            Laid::Apart(elements, _) => elements,
        }
    }

    /// The bodies whose figures have a place.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        match &self.laid {
            Laid::Whole(scene) => scene.bodies(),
            Laid::Apart(_, bodies) => bodies,
        }
    }

    /// Everything that is wrong; nothing exactly when there is a scene.
    #[must_use]
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }
}

impl Setup {
    /// Looks a table over as it lies.
    #[must_use]
    pub fn survey(&self, options: &Options) -> Survey {
        let mut faults = Faults { found: Vec::new() };
        let table = self.measured(&mut faults);
        if faults.any() {
            return self.surveyed(Laid::Apart(Vec::new(), Vec::new()), faults);
        }
        faults.found.extend(self.full_marker(options));
        self.names(&mut faults);
        let mut of_ground = Faults { found: Vec::new() };
        let elements = self.ground(&table, &mut of_ground);
        let mut of_bodies = Faults { found: Vec::new() };
        let bodies = bodies::bodies(self, &table, &elements, &mut of_bodies);
        if of_ground.any() {
            // Who leans on ground that cannot lie so has no fault of his own.
            let laid = |id: &str| self.terrain.iter().any(|element| element.id == id);
            of_bodies.found.retain(|fault| {
                let leans = fault.facts.iter().any(|fact| fact.name == "id" && laid(&fact.value.to_string()));
                fault.reason != say::NO_SUCH_ELEMENT || !leans
            });
        }
        let apart = of_ground.any() || of_bodies.any() || faults.any();
        faults.found.append(&mut of_ground.found);
        faults.found.append(&mut of_bodies.found);
        if apart {
            return self.surveyed(Laid::Apart(elements, bodies), faults);
        }
        let scene = self.settled(&table, elements, bodies, options, &mut faults);
        let laid = if faults.any() {
            Laid::Apart(scene.elements, scene.bodies)
        } else {
            Laid::Whole(Box::new(scene))
        };
        self.surveyed(laid, faults)
    }

    fn surveyed(&self, laid: Laid, faults: Faults) -> Survey {
        let faults = faults.found.into_iter().map(|refusal| Fault { thing: self.named(&refusal), refusal });
        Survey { laid, faults: faults.collect() }
    }

    /// The thing whose field a fault names.
    fn named(&self, fault: &Refusal) -> Option<String> {
        let mut path = fault.field.as_deref()?.split('.');
        let (list, place) = (path.next()?, path.next()?.parse::<usize>().ok()?);
        match list {
            "terrain" => self.terrain.get(place).map(|element| element.id.clone()),
            "bodies" => self.bodies.get(place).map(|body| body.id.clone()),
            _ => None,
        }
    }
}
