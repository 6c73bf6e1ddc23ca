//! The ground that bases cover (sections 4.1 and 4.2 of the game page): footprints, distances between
//! units, who touches whom and what hangs together.

use rulebook::rule;
use tabletop::geometry::Point;

use crate::scenario::Side;

use super::geometry::{Around, GRAIN, Rect, root_of_four};
use super::state::{Character, Place, STANDS, Table, Unit, UnitId, UnitSet, Whereabouts};

/// A unit on the table, and a box around its stands.
pub(crate) type Boxed<'t> = (UnitId, &'t Unit, Around);

impl Table {
    /// The footprint of a place for a base of this size.
    pub(crate) fn footprint(&self, place: Place, (width, depth): (i64, i64)) -> Option<Rect> {
        match place {
            Place::Ground { front, facing } => Some(Rect::new(front, facing, width, depth)),
            Place::Rampart { element, .. } | Place::Tower { element } => self.works_rect(element),
            Place::Reserve | Place::Off | Place::Out | Place::Dead => None,
        }
    }

    /// The footprint of a stand.
    pub(crate) fn stand_rect(&self, unit: &Unit, at: usize) -> Option<Rect> {
        self.footprint(unit.stands.get(at)?.place, unit.profile().base)
    }

    /// The bases of the stands of a unit on the ground, by their numbers.
    pub(crate) fn ground_rects(&self, unit: &Unit) -> [Option<Rect>; STANDS] {
        let (width, depth) = unit.profile().base;
        unit.stands.map(|stand| match stand.place {
            Place::Ground { front, facing } => Some(Rect::new(front, facing, width, depth)),
            _ => None,
        })
    }

    /// The base of a stand on the ground.
    pub(crate) fn ground_rect(&self, unit: &Unit, at: usize) -> Option<Rect> {
        let place = unit.stands.get(at)?.place;
        place.element().is_none().then(|| self.footprint(place, unit.profile().base)).flatten()
    }

    /// All bases of a unit on the ground, its machine included.
    pub(crate) fn bases(&self, unit: &Unit) -> impl Iterator<Item = Rect> + use<> {
        let base = unit.profile().base;
        let stands = unit.stands.map(|stand| match stand.place {
            Place::Ground { front, facing } => Some((front, facing)),
            _ => None,
        });
        let bases = stands.into_iter().flatten();
        bases.map(move |(front, facing)| Rect::new(front, facing, base.0, base.1)).chain(unit.machine_rect())
    }

    /// Those of them that may be so near to a base; the others are not.
    pub(crate) fn bases_near<'u>(
        &self,
        unit: &'u Unit,
        rect: &'u Rect,
        distance: i64,
    ) -> impl Iterator<Item = Rect> + use<'u> {
        let (width, depth) = unit.profile().base;
        let stands = unit.stands.iter().filter_map(move |stand| match stand.place {
            Place::Ground { front, facing } if rect.may_be_near(front, width / 2 + depth, distance) => {
                Some(Rect::new(front, facing, width, depth))
            }
            _ => None,
        });
        stands.chain(unit.machine_rect())
    }

    /// The footprints of the stands of a unit, by their numbers.
    pub(crate) fn footprints(&self, unit: &Unit) -> [Option<Rect>; STANDS] {
        let base = unit.profile().base;
        unit.stands.map(|stand| self.footprint(stand.place, base))
    }

    /// A box that holds the footprints of a unit on the table.
    pub(crate) fn extent(&self, unit: &Unit) -> Option<Around> {
        let (width, depth) = unit.profile().base;
        let size = width / 2 + depth + 1;
        let boxes = unit.stands.iter().filter_map(|stand| match stand.place {
            Place::Ground { front, .. } => Some(Around::front(front, size)),
            Place::Rampart { element, .. } | Place::Tower { element } => {
                self.plan().element(element).map(|part| part.around)
            }
            Place::Reserve | Place::Off | Place::Out | Place::Dead => None,
        });
        boxes.reduce(Around::and)
    }

    /// The distance between two units.
    pub(crate) fn gap(&self, one: &Unit, other: &Unit) -> i64 {
        let theirs = self.footprints(other);
        let mut least = i64::MAX;
        for own in self.footprints(one).iter().flatten() {
            for their in theirs.iter().flatten() {
                if least == i64::MAX || own.is_near(their, least) {
                    least = least.min(own.gap(their));
                }
            }
        }
        least
    }

    /// The distance of a unit from another, if it is not more than this.
    pub(crate) fn gap_within(&self, one: &Unit, other: &Unit, distance: i64) -> Option<i64> {
        let near = self.extent(one)?.grown(distance).meets(&self.extent(other)?);
        near.then(|| self.gap_of_near(one, other, distance)).flatten()
    }

    fn gap_of_near(&self, one: &Unit, other: &Unit, distance: i64) -> Option<i64> {
        let theirs = self.footprints(other);
        let mut least = None;
        for own in self.footprints(one).iter().flatten() {
            for their in theirs.iter().flatten() {
                let most = least.unwrap_or(distance);
                if own.is_near(their, most) {
                    let gap = own.gap(their);
                    least = if gap <= most { Some(gap) } else { least };
                }
            }
        }
        least
    }

    /// Whether a unit is within a distance of another.
    pub(crate) fn is_within(&self, one: &Unit, other: &Unit, distance: i64) -> bool {
        self.gap_within(one, other, distance).is_some()
    }

    /// The units of a side on the table, and a box around each.
    pub(crate) fn boxes(&self, side: Side) -> Vec<Boxed<'_>> {
        self.of_side(side).filter_map(|(id, unit)| Some((id, unit, self.extent(unit)?))).collect()
    }

    /// Those of these within a distance of a unit, and how far they are.
    pub(crate) fn near_of<'b>(
        &self,
        unit: &'b Unit,
        distance: i64,
        others: &'b [Boxed<'_>],
    ) -> impl Iterator<Item = (i64, UnitId)> {
        let around = self.extent(unit).map(|own| own.grown(distance));
        others.iter().filter_map(move |(id, other, their)| {
            let near = around?.meets(their);
            let gap = near.then(|| self.gap_of_near(unit, other, distance)).flatten()?;
            Some((gap, *id))
        })
    }

    /// Whether one of these is within a distance of a unit.
    pub(crate) fn is_any_near(&self, unit: &Unit, distance: i64, others: &[Boxed<'_>]) -> bool {
        let Some(around) = self.extent(unit).map(|own| own.grown(distance)) else { return false };
        let own = self.footprints(unit);
        others.iter().filter(|(_, _, their)| around.meets(their)).any(|(_, other, _)| {
            let theirs = self.footprints(other);
            let near = |own: &Rect| {
                theirs
                    .iter()
                    .flatten()
                    .any(|their| own.is_near(their, distance) && own.gap(their) <= distance)
            };
            own.iter().flatten().any(near)
        })
    }

    /// Where a character is.
    pub(crate) fn whereabouts(&self, character: &Character) -> Option<Point> {
        match character.place {
            Whereabouts::With(unit) => {
                let unit = self.unit(unit)?;
                let first = unit.alive().next()?;
                self.stand_rect(unit, first).map(|rect| rect.front())
            }
            Whereabouts::At(point) => Some(point),
            Whereabouts::On(element) => self.works_rect(element).map(|rect| rect.centre),
            Whereabouts::Reserve | Whereabouts::Out | Whereabouts::Slain => None,
        }
    }

    /// The distance from a character to a unit.
    pub(crate) fn gap_to(&self, from: Point, unit: &Unit) -> i64 {
        nearest_of(&self.footprints(unit), from)
    }

    /// Whether two units touch.
    pub(crate) fn units_touch(&self, one: &Unit, other: &Unit) -> bool {
        match (self.extent(one), self.extent(other)) {
            (Some(own), Some(their)) => own.grown(GRAIN).meets(&their) && self.stands_touch(one, other),
            _ => false,
        }
    }

    fn stands_touch(&self, one: &Unit, other: &Unit) -> bool {
        let (own, theirs) = (self.footprints(one), self.footprints(other));
        one.alive().any(|at| {
            other
                .alive()
                .any(|to| touching((one.stands[at].place, &own[at]), (other.stands[to].place, &theirs[to])))
        })
    }

    /// The units of a side that touch each of its units.
    pub(crate) fn neighbours(&self, side: Side) -> Vec<UnitSet> {
        let own = self.boxes(side);
        let mut beside = vec![UnitSet::default(); self.units.len()];
        for (k, (one, unit, around)) in own.iter().enumerate() {
            let around = around.grown(GRAIN);
            for (other, held, their) in own.iter().skip(k + 1) {
                if around.meets(their) && self.stands_touch(unit, held) {
                    for (a, b) in [(one, other), (other, one)] {
                        if let Some(set) = beside.get_mut(usize::from(a.0)) {
                            *set = set.with(*b);
                        }
                    }
                }
            }
        }
        beside
    }

    /// The stands that touch the machine of their unit, as bits.
    fn at_machine(&self, unit: &Unit) -> u8 {
        let Some(machine) = unit.machine_rect() else { return 0 };
        let touches = |at: &usize| self.stand_rect(unit, *at).is_some_and(|rect| rect.touches(&machine));
        unit.alive().filter(touches).fold(0, |all, at| all | 1 << at)
    }

    /// Whether a stand is at the machine of its unit.
    pub(crate) fn holds_machine(&self, unit: &Unit) -> bool {
        self.at_machine(unit) != 0
    }

    /// The group of stands that hangs together with a stand, as bits.
    pub(crate) fn group(&self, unit: &Unit, from: usize) -> u8 {
        self.group_of(unit, from, &self.footprints(unit))
    }

    fn group_of(&self, unit: &Unit, from: usize, rects: &[Option<Rect>; STANDS]) -> u8 {
        let mut known = 1_u8 << from;
        // A machine links the stands that touch it: those behind it and those it has set on a rampart.
        let linked = self.at_machine(unit);
        let stand = |at: usize| (unit.stands[at].place, &rects[at]);
        loop {
            let mut more = known;
            if known & linked != 0 {
                more |= linked;
            }
            for at in unit.alive() {
                if known & (1 << at) == 0
                    && unit.alive().any(|to| known & (1 << to) != 0 && touching(stand(at), stand(to)))
                {
                    more |= 1 << at;
                }
            }
            if more == known {
                return known;
            }
            known = more;
        }
    }

    /// Whether the stands of a unit hang together.
    pub(crate) fn is_whole(&self, unit: &Unit) -> bool {
        self.hangs_together(unit, &self.footprints(unit))
    }

    /// The same with its footprints at hand.
    pub(crate) fn hangs_together(&self, unit: &Unit, rects: &[Option<Rect>; STANDS]) -> bool {
        unit.alive().next().is_none_or(|first| self.group_of(unit, first, rects) == unit.there())
    }
}

/// The distance of the nearest footprint from a place.
pub(crate) fn nearest_of(footprints: &[Option<Rect>; STANDS], from: Point) -> i64 {
    let squares = footprints.iter().flatten().map(|rect| rect.squares_from(from)).min();
    squares.map_or(i64::MAX, root_of_four)
}

/// Whether two stands touch, levels left aside (4.2).
fn touching((a, own): (Place, &Option<Rect>), (b, their): (Place, &Option<Rect>)) -> bool {
    if a.element().is_some() && a.element() == b.element() {
        return true;
    }
    let level = a.level() == b.level() || rule!(BR_RAMPARTS_01).holds(true);
    match (own, their) {
        (Some(own), Some(their)) => level && own.touches(their),
        _ => false,
    }
}
