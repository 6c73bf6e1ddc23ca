//! Who is in contact with whom (section 4.6, "Contact", of the game page): posts, ramparts, towers and
//! bases on the ground; which units fight together.

use rulebook::rule;
use tabletop::geometry::Point;

use crate::combat;
use crate::terms::{Arm, Item};

use super::geometry::Rect;
use super::plan::{ElementId, Slot};
use super::state::{Place, State, Table, Unit, UnitId, UnitSet};

/// A stand in contact with an enemy stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Touch {
    /// The attackers' stand, where it matters who attacks.
    pub(crate) one: (UnitId, usize),
    /// The other stand.
    pub(crate) other: (UnitId, usize),
    /// Where they meet; nothing in particular on the ground.
    pub(crate) place: Option<combat::Place>,
    /// The element, where they meet at one.
    pub(crate) element: Option<ElementId>,
    /// Only by the corners of sections.
    pub(crate) corner: bool,
}

/// Whether a stand supports another: it faces the same way directly behind it, or flush beside it.
pub(crate) fn backs(fighting: &Rect, own: &Rect) -> bool {
    let [fl, rl, rr, fr] = fighting.corners;
    let rear = Point::new(i64::midpoint(rl.x, rr.x), i64::midpoint(rl.y, rr.y));
    let near = |a: Point, b: Point| a.square_to(b) <= 100;
    fighting.facing == own.facing
        && (near(own.front(), rear) || near(own.corners[3], fl) || near(own.corners[0], fr))
}

impl Table {
    /// All contacts between the two sides.
    pub(crate) fn contacts(&self) -> Vec<Touch> {
        let mut found = Vec::new();
        let there: Vec<_> =
            self.each().filter_map(|(id, unit)| Some((id, unit, self.extent(unit)?))).collect();
        for (k, &(id, unit, around)) in there.iter().enumerate() {
            self.works_contacts(id, unit, &mut found);
            let around = around.grown(420);
            for &(other, enemy, their) in there.iter().skip(k + 1) {
                if enemy.side != unit.side && around.meets(&their) && self.is_within(unit, enemy, 420) {
                    self.ground_contacts((id, unit), (other, enemy), &mut found);
                }
            }
        }
        found
    }

    fn ground_contacts(
        &self,
        (id, unit): (UnitId, &Unit),
        (other, enemy): (UnitId, &Unit),
        found: &mut Vec<Touch>,
    ) {
        for at in unit.alive() {
            for to in enemy.alive() {
                let (Some(a), Some(b)) = (self.ground_rect(unit, at), self.ground_rect(enemy, to)) else {
                    continue;
                };
                // Enemies that touch the machine touch the first stand behind it.
                let first = |unit: &Unit, at: usize| unit.alive().next() == Some(at);
                let by_machine = unit
                    .machine_rect()
                    .is_some_and(|machine| first(unit, at) && machine.touches(&b))
                    || enemy.machine_rect().is_some_and(|machine| first(enemy, to) && machine.touches(&a));
                if !a.touches(&b) && !by_machine {
                    continue;
                }
                let breach = |rect: &Rect| self.breach_at(rect.centre).is_some();
                let posted = |unit: &Unit, at: usize| unit.stands[at].post.is_some();
                let apart = (breach(&a) && posted(enemy, to)) || (breach(&b) && posted(unit, at));
                if apart && rule!(BR_RAMMING_17).holds(true) {
                    continue;
                }
                found.push(Touch {
                    one: (id, at),
                    other: (other, to),
                    place: None,
                    element: None,
                    corner: false,
                });
            }
        }
    }

    fn works_contacts(&self, id: UnitId, unit: &Unit, found: &mut Vec<Touch>) {
        for at in unit.alive() {
            let Some(post) = unit.stands[at].post else { continue };
            let rams = unit.item.rams() && post.slot != Slot::Inner;
            if rams && rule!(BR_RAMMING_14).holds(true) {
                continue;
            }
            let wall = self.is_wall(post.element);
            let place = if !wall {
                combat::Place::Tower
            } else if post.slot == Slot::Inner {
                combat::Place::Inside
            } else if unit.item == Item::SiegeTower && unit.machine.is_some() {
                combat::Place::SiegeTower
            } else {
                combat::Place::Wall
            };
            self.against(id, at, unit, post.element, place, false, found);
            if wall && let Some(part) = self.plan().element(post.element) {
                for &next in part.beside.iter().flatten() {
                    if self.is_wall(next) && self.stands(next) {
                        self.against(id, at, unit, next, place, true, found);
                    }
                }
            }
        }
        if let Some(element) = unit.along {
            let stand = unit.alive().find(|&at| {
                unit.stands[at].place.element().is_some_and(|own| {
                    self.plan().element(element).is_some_and(|part| part.beside.contains(&Some(own)))
                })
            });
            if let Some(at) = stand {
                let place = if self.is_wall(element) { combat::Place::Along } else { combat::Place::Tower };
                self.against(id, at, unit, element, place, false, found);
            }
        }
    }

    /// A stand against those on an element.
    #[allow(clippy::too_many_arguments, reason = "one contact, told once")]
    fn against(
        &self,
        id: UnitId,
        at: usize,
        unit: &Unit,
        element: ElementId,
        place: combat::Place,
        corner: bool,
        found: &mut Vec<Touch>,
    ) {
        for (other, enemy) in self.of_side(unit.side.other()) {
            for to in enemy.alive().filter(|&to| enemy.stands[to].place.element() == Some(element)) {
                found.push(Touch {
                    one: (id, at),
                    other: (other, to),
                    place: Some(place),
                    element: Some(element),
                    corner,
                });
            }
        }
    }

    /// Whether a unit flies and stands where it has attacked a wall from: at the outer foot of a section.
    pub(crate) fn is_flyer_at_wall(&self, id: UnitId) -> bool {
        let Some(unit) = self.unit(id).filter(|unit| unit.profile().arm == Arm::Flyer) else { return false };
        let foot = |place: Place| {
            self.plan().each().any(|(element, part)| {
                self.is_wall(element)
                    && part
                        .slot(Slot::Outer)
                        .is_some_and(|(front, facing)| place == Place::Ground { front, facing })
            })
        };
        unit.alive().any(|at| foot(unit.stands[at].place))
    }

    /// The units that fight together with one.
    pub(crate) fn engagement(&self, from: UnitId, touches: &[Touch]) -> UnitSet {
        let mut units = UnitSet::one(from);
        loop {
            let mut more = units;
            for touch in touches {
                if more.has(touch.one.0) || more.has(touch.other.0) {
                    more = more.with(touch.one.0).with(touch.other.0);
                }
            }
            if more == units {
                return units;
            }
            units = more;
        }
    }
}

impl State {
    /// Units without enemies in contact are free again; posts without enemies end.
    pub(crate) fn release(&mut self) {
        let touches = self.table.contacts();
        let busy: UnitSet = touches.iter().flat_map(|touch| [touch.one.0, touch.other.0]).collect();
        for (unit, id) in self.table.units.iter_mut().zip((0..).map(UnitId)) {
            if busy.has(id) {
                unit.marks.engaged = true;
                continue;
            }
            unit.marks.engaged = false;
            unit.along = None;
            if unit.rams_at().is_none() && unit.item != Item::SiegeTower {
                for stand in &mut unit.stands {
                    stand.post = None;
                }
            }
        }
    }

    /// The same at the end of the Combat phase.
    pub(crate) fn disengage(&mut self) {
        self.release();
    }
}
