//! A move and its validator (section 4.3 of the game page): where stands go, by which way, how far that
//! is, and why it is refused. What bars ways, and the way around it, is in [`super::paths`].

use std::cell::{Cell, OnceCell};

use kernel::{Refusal, Verdict};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::{Facing, Point};

use crate::terms::Arm;

use super::action::{Move, Way};
use super::crowd::{Beset, Crowd, Few, Misfit};
use super::geometry::{Around, Rect, distance, rounded};
use super::ground::{Formation, Keep};
use super::paths::{Obstacle, is_on_table};
use super::plan::{ElementId, Kind, Slot};
use super::profile::MACHINE_BASE;
use super::state::{Look, Place, STANDS, Table, Unit, UnitId, UnitSet, cm};

/// How refusals are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    /// With the facts, by the first rule that refuses.
    Full,
    /// For a list, which looks no further: by whichever rule is found first, without facts.
    Brief,
}

/// How the bases of a unit stand to each other: each as seen from the first, its machine last.
type Shape = [Option<(i64, i64, Facing)>; STANDS + 1];

/// What comes of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stance {
    /// Bases overlap.
    Crossed,
    /// They do not hang together.
    Apart,
    /// Neither.
    Whole,
}

/// Somebody who is about to move, with all that is in his way.
pub(crate) struct Mover<'t> {
    pub(super) table: &'t Table,
    /// Who.
    pub(crate) id: UnitId,
    /// As it stands now.
    pub(crate) unit: &'t Unit,
    /// Those around the ground that he can reach.
    crowd: OnceCell<Crowd>,
    /// What is in his way there, and what is in it anywhere.
    pub(super) near: OnceCell<Vec<Obstacle>>,
    pub(super) anywhere: OnceCell<Vec<Obstacle>>,
    /// Where his stands are now.
    pub(super) starts: [Option<Rect>; STANDS],
    /// The ground that he can reach; everywhere for one who is not on the table.
    pub(super) within: Option<Around>,
    pub(super) moving: UnitSet,
    /// How far he may go.
    pub(crate) allowance: i64,
    pub(super) keep: Keep,
    /// The unit that is charged, which does not bar the last leg.
    pub(super) charged: UnitSet,
    words: Words,
    /// The last shape he was asked about.
    stance: Cell<Option<(Shape, Stance)>>,
}

/// Where the stands of a unit end.
pub(crate) type Ends = Unit;

/// The shape of a unit whose stands are on the ground, or off the table.
fn shape(unit: &Unit) -> Option<Shape> {
    let mut shape = [None; STANDS + 1];
    let mut first: Option<Point> = None;
    let mut seen = |front: Point, facing: Facing| {
        let from = *first.get_or_insert(front);
        (front.x - from.x, front.y - from.y, facing)
    };
    for (part, stand) in shape.iter_mut().zip(&unit.stands) {
        match stand.place {
            Place::Ground { front, facing } => *part = Some(seen(front, facing)),
            Place::Rampart { .. } | Place::Tower { .. } => return None,
            Place::Reserve | Place::Off | Place::Out | Place::Dead => {}
        }
    }
    if let Some((front, facing)) = unit.machine {
        shape[STANDS] = Some(seen(front, facing));
    }
    Some(shape)
}

impl<'t> Mover<'t> {
    /// A unit that moves up to an allowance; units of `moving` move with it.
    pub(crate) fn new(
        table: &'t Table,
        id: UnitId,
        allowance: i64,
        moving: UnitSet,
        keep: Keep,
    ) -> Option<Self> {
        let unit = table.unit(id)?;
        let moving = moving.with(id);
        // Ways are measured a little farther than they may go before they are refused.
        let within = table.extent(unit).map(|own| own.grown(allowance.min(20_000) + 500));
        Some(Self {
            table,
            id,
            unit,
            crowd: OnceCell::new(),
            near: OnceCell::new(),
            anywhere: OnceCell::new(),
            starts: table.footprints(unit),
            within,
            moving,
            allowance,
            keep,
            charged: UnitSet::default(),
            words: Words::Full,
            stance: Cell::new(None),
        })
    }

    /// The same for a list, which wants to know what is refused and not why.
    pub(crate) fn briefly(self) -> Self {
        Self { words: Words::Brief, ..self }
    }

    /// He charges somebody, or nobody on the ground.
    pub(crate) fn charges(&mut self, target: Option<UnitId>) {
        self.charged = target.into_iter().collect();
    }

    /// Whether a stand of the unit, as it is afterwards, may be at a place, whatever moves besides it.
    pub(crate) fn fits(&self, after: &Unit, place: Place) -> Verdict<()> {
        match place {
            Place::Ground { front, facing } => {
                let (width, depth) = after.profile().base;
                self.base_fits(after, &Rect::new(front, facing, width, depth), &Beset::BY_ALL)
            }
            _ => self.table.fits(after, place, self.moving, self.keep),
        }
    }

    /// The same for a base on the ground, with those at hand who matter to it.
    fn base_fits(&self, after: &Unit, rect: &Rect, beset: &Beset) -> Verdict<()> {
        let crowd = self.crowd_of(after);
        if crowd.covers(after, rect) {
            self.table.fits_among(rect, crowd, beset, self.keep).map_err(|misfit| self.told(misfit))
        } else {
            self.table.ground_fits(after, rect, self.moving, self.keep)
        }
    }

    /// Whether one of his stands has room at a place.
    pub(crate) fn has_room(&self, place: Place) -> bool {
        let Place::Ground { front, facing } = place else { return self.fits(self.unit, place).is_ok() };
        let (width, depth) = self.unit.profile().base;
        let rect = Rect::new(front, facing, width, depth);
        let crowd = self.crowd_of(self.unit);
        if crowd.covers(self.unit, &rect) {
            self.table.fits_among(&rect, crowd, &Beset::BY_ALL, self.keep).is_ok()
        } else {
            self.table.ground_fits(self.unit, &rect, self.moving, self.keep).is_ok()
        }
    }

    /// Where one of his stands is now.
    pub(crate) fn start(&self, at: usize) -> Option<&Rect> {
        self.starts.get(at)?.as_ref()
    }

    /// Whether a place on the ground may be near enough for one of his stands; false only where it is not.
    pub(crate) fn is_in_reach(&self, place: Place) -> bool {
        let Some(end) = self.table.footprint(place, self.unit.profile().base) else { return false };
        let most = (self.allowance + 1) * (self.allowance + 1);
        let near = |from: &Rect| from.centre.square_to(end.centre) <= most;
        let aloft = |at: usize| self.unit.stands[at].place.element().is_some();
        self.unit.alive().any(|at| aloft(at) || self.start(at).is_some_and(near))
    }

    /// Those around the ground that he can reach, for him as he is afterwards.
    pub(super) fn crowd_of(&self, after: &Unit) -> &Crowd {
        self.crowd.get_or_init(|| self.table.crowd(after, self.moving, self.within))
    }

    fn told(&self, misfit: Misfit) -> Refusal {
        match self.words {
            Words::Full => misfit.told(self.table),
            Words::Brief => misfit.brief(),
        }
    }

    /// The allowance of a march: full or half pace (core 5.1).
    pub(crate) fn march_allowance(table: &Table, unit: &Unit, half: bool) -> i64 {
        let (full, slow) = unit.paces();
        let orderly = table.is_orderly(unit);
        if half || (rule!(BC_5_1_02).holds(!orderly) && unit.machine.is_none()) { slow } else { full }
    }

    /// How far a stand travels, if its way is open.
    pub(crate) fn travel(&self, way: &Way) -> Verdict<i64> {
        let Some(stand) = self.unit.stands.get(usize::from(way.stand)) else {
            return Err(Refusal::rule(rule!(BC_1_01), phrase::TOO_MANY_STANDS));
        };
        let to = self.table.footprint(way.to, self.unit.profile().base);
        self.travel_to(way, stand.place, to.as_ref())
    }

    /// The same with the ground of its end at hand.
    fn travel_to(&self, way: &Way, place: Place, to: Option<&Rect>) -> Verdict<i64> {
        if way.via.len() > 3 {
            return Err(Refusal::rule(rule!(BR_R78), phrase::TOO_MANY_WAYPOINTS));
        }
        if place == way.to {
            return Ok(0);
        }
        let from = self.starts.get(usize::from(way.stand)).and_then(Option::as_ref);
        let (Some(from), Some(to)) = (from, to) else {
            return Err(Refusal::rule(rule!(BR_R74), phrase::NO_SUCH_PLACE));
        };
        match (place.element(), way.to.element()) {
            (None, None) => self.travel_on_ground(from, to, &way.via),
            (Some(below), Some(above)) => self.travel_on_works(below, above),
            (Some(element), None) => self.travel_between(element, to.centre, &way.via),
            (None, Some(element)) => self.travel_between(element, from.centre, &way.via),
        }
    }

    /// How far it is straight on, whatever is in the way: by air from middle to middle, else as far as the
    /// corner goes that goes farthest.
    pub(super) fn straight(&self, from: &Rect, to: &Rect) -> i64 {
        if self.unit.profile().arm == Arm::Flyer {
            return distance(from.centre, to.centre);
        }
        let corners = from.corners.iter().zip(&to.corners).map(|(a, b)| a.square_to(*b)).max();
        rounded(corners.unwrap_or(0))
    }

    fn travel_on_ground(&self, from: &Rect, to: &Rect, via: &[Point]) -> Verdict<i64> {
        let mut at = from.centre;
        let mut travel = 0;
        if self.unit.profile().arm == Arm::Flyer {
            return Ok(self.straight(from, to));
        }
        for &next in via {
            if rule!(BC_5_6_01).holds(!is_on_table(next)) {
                return Err(Refusal::rule(rule!(BC_5_6_01), phrase::OFF_THE_TABLE));
            }
            self.clear(at, next, false)?;
            travel += distance(at, next);
            at = next;
        }
        self.clear(at, to.centre, true)?;
        let start = from.shifted(at.x - from.centre.x, at.y - from.centre.y);
        Ok(travel + self.straight(&start, to))
    }

    /// Nobody goes farther than he may.
    fn not_too_far(&self, travel: i64) -> Verdict<()> {
        if rule!(BC_5_2_02).holds(travel > self.allowance) {
            let refusal = Refusal::rule(rule!(BC_5_2_02), phrase::TOO_FAR);
            return Err(match self.words {
                Words::Full => refusal.with("travel", cm(travel)).with("most", cm(self.allowance)),
                Words::Brief => refusal,
            });
        }
        Ok(())
    }

    /// From element to element, by those that adjoin.
    fn travel_on_works(&self, from: ElementId, to: ElementId) -> Verdict<i64> {
        let plan = self.table.plan();
        let passable = |element: ElementId| {
            self.table.stands(element)
                && (self.table.on(element).all(|(unit, _)| unit == self.id)
                    || (!self.table.is_wall(element) && self.table.held_by(element) == Some(self.unit.side)))
        };
        for direction in [0, 1] {
            let (mut at, mut travel) = (from, 0);
            while let Some(next) =
                plan.element(at).and_then(|part| part.beside.get(direction).copied().flatten())
            {
                let (Some(here), Some(there)) = (self.table.works_rect(at), self.table.works_rect(next))
                else {
                    break;
                };
                travel += distance(here.centre, there.centre);
                if next == to {
                    return Ok(travel);
                }
                if !passable(next) {
                    break;
                }
                at = next;
            }
        }
        Err(Refusal::rule(rule!(BC_14_1_05), phrase::NO_WAY_UP))
    }

    /// Up or down between an element and the ground.
    fn travel_between(&self, element: ElementId, ground: Point, via: &[Point]) -> Verdict<i64> {
        let refused = Err(Refusal::rule(rule!(BC_14_1_05), phrase::NO_WAY_UP));
        let Some(part) = self.table.plan().element(element) else { return refused };
        let door = match part.kind {
            Kind::LoneTower => {
                let entrance = self.table.entrance.and_then(|slot| part.slot(slot));
                let Some((door, _)) = entrance else { return refused };
                door
            }
            Kind::Wall | Kind::Gate if self.table.is_wall(element) => part.rect.centre,
            _ => match part.slot(Slot::Inner) {
                Some((door, _)) => door,
                None => return refused,
            },
        };
        let inside = part.kind == Kind::LoneTower || self.table.is_inside(ground);
        if rule!(BC_14_1_05).holds(!inside) {
            return refused;
        }
        let mut travel = if part.kind == Kind::LoneTower { 0 } else { distance(part.rect.centre, door) };
        let mut at = door;
        for &next in via.iter().rev().chain([&ground]) {
            let clear = self.clear_but(at, next, element);
            if !clear {
                return Err(Refusal::rule(rule!(BC_5_2_04), phrase::BLOCKED));
            }
            travel += distance(at, next);
            at = next;
        }
        Ok(travel)
    }

    /// Whether a leg that begins at an element is clear of everything else.
    fn clear_but(&self, from: Point, to: Point, element: ElementId) -> bool {
        let own = self.table.plan().element(element).map(|part| part.rect);
        let strip = Rect::strip(from, to, 200);
        from == to
            || self.obstacles(from, to).iter().all(|obstacle| {
                own.is_some_and(|own| own == obstacle.rect)
                    || obstacle.unit.is_none()
                    || !strip.overlaps(&obstacle.rect)
            })
    }

    /// Whether a move is right; where the unit is afterwards.
    pub(crate) fn check(&self, step: &Move) -> Verdict<Ends> {
        if rule!(BR_R07).holds(self.unit.profile().engine) {
            return Err(Refusal::rule(rule!(BR_R07), phrase::NEVER_MOVES));
        }
        if self.unit.machine.is_some() {
            let after = self.check_machine(step)?;
            self.ends(&after)?;
            return Ok(after);
        }
        if step.machine.is_some() {
            return Err(Refusal::rule(rule!(BC_14_6_01), phrase::MACHINE_LEADS));
        }
        if self.words == Words::Brief && step.stands.iter().all(|way| way.via.is_empty()) {
            return self.check_straight(step);
        }
        let (after, footprints) = self.after(step, |way, place, to| {
            let travel = self.travel_to(way, place, to)?;
            self.not_too_far(travel)
        })?;
        self.ends_at(&after, &footprints)?;
        Ok(after)
    }

    /// The unit after a move whose ways pass, and its footprints.
    fn after(
        &self,
        step: &Move,
        pass: impl Fn(&Way, Place, Option<&Rect>) -> Verdict<()>,
    ) -> Verdict<(Unit, [Option<Rect>; STANDS])> {
        let base = self.unit.profile().base;
        let mut after = *self.unit;
        let mut footprints = self.starts;
        let mut named = 0_u8;
        for way in &step.stands {
            let at = usize::from(way.stand);
            let bit = 1_u8.checked_shl(u32::from(way.stand)).unwrap_or(0);
            if self.unit.there() & bit == 0 || named & bit != 0 {
                return Err(Refusal::rule(rule!(BC_1_01), phrase::TOO_MANY_STANDS));
            }
            named |= bit;
            if let (Some(stand), Some(footprint)) = (after.stands.get_mut(at), footprints.get_mut(at)) {
                *footprint = self.table.footprint(way.to, base);
                pass(way, stand.place, footprint.as_ref())?;
                if stand.place != way.to {
                    stand.post = None;
                }
                stand.place = way.to;
            }
        }
        Ok((after, footprints))
    }

    /// The same for a list and straight ways: what is soon found out is asked first, and what is in the way
    /// is looked for once for all stands.
    fn check_straight(&self, step: &Move) -> Verdict<Ends> {
        let on_ground = |place: Place, way: &Way| place.element().is_none() && way.to.element().is_none();
        let (after, footprints) = self.after(step, |way, place, to| {
            let from = self.starts.get(usize::from(way.stand)).and_then(Option::as_ref);
            match (from, to) {
                (Some(from), Some(to)) if on_ground(place, way) => self.not_too_far(self.straight(from, to)),
                _ => Ok(()),
            }
        })?;
        self.ends_at(&after, &footprints)?;
        let mut corridor: Option<Around> = None;
        for way in &step.stands {
            let at = usize::from(way.stand);
            if let (Some(from), Some(to)) = (&self.starts[at], &footprints[at]) {
                let leg = Around::leg(from.centre, to.centre);
                corridor = Some(corridor.map_or(leg, |known| known.and(leg)));
            }
        }
        let near = corridor.filter(|corridor| self.within.is_some_and(|within| within.covers(corridor)));
        let near = near.map(|corridor| {
            let (wide, obstacles) = (corridor.grown(210), self.near_obstacles());
            (obstacles, Few::of(obstacles, |obstacle| obstacle.rect.may_meet(&wide)))
        });
        for way in &step.stands {
            let at = usize::from(way.stand);
            let (place, to) = (self.unit.stands[at].place, footprints[at].as_ref());
            match (&near, &self.starts[at], to) {
                _ if place == way.to => {}
                (Some((obstacles, near)), Some(from), Some(to)) if on_ground(place, way) => {
                    if from.centre != to.centre && self.unit.profile().arm != Arm::Flyer {
                        self.clear_of(obstacles, near, from.centre, to.centre, true)?;
                    }
                }
                _ => self.not_too_far(self.travel_to(way, place, to)?)?,
            }
        }
        Ok(after)
    }

    fn check_machine(&self, step: &Move) -> Verdict<Ends> {
        let mut after = *self.unit;
        if !step.stands.is_empty() {
            return Err(Refusal::rule(rule!(BC_14_6_01), phrase::MACHINE_LEADS));
        }
        let (Some((front, facing)), Some(rect)) = (step.machine, self.unit.machine_rect()) else {
            return Ok(after);
        };
        let to = Rect::new(front, facing, MACHINE_BASE.0, MACHINE_BASE.1);
        self.not_too_far(self.travel_on_ground(&rect, &to, &[])?)?;
        let (places, machine) = self.table.template(self.unit, Formation::Column, front, facing);
        after.machine = machine;
        for (at, place) in self.unit.alive().zip(places) {
            after.stands[at].place = place;
            after.stands[at].post = None;
        }
        Ok(after)
    }

    /// The checks of where a unit ends (V2, V6 to V10), for moves and placings of every kind.
    pub(crate) fn ends(&self, after: &Unit) -> Verdict<()> {
        self.ends_at(after, &self.table.footprints(after))
    }

    /// The same with its footprints at hand.
    fn ends_at(&self, after: &Unit, footprints: &[Option<Rect>; STANDS]) -> Verdict<()> {
        let table = self.table;
        let machine = after.machine_rect();
        // Who is around matters to all bases alike.
        let beset = OnceCell::new();
        let besetting = || {
            let grounded =
                after.stands.iter().zip(footprints).filter(|(stand, _)| stand.place.element().is_none());
            let bases = grounded.filter_map(|(_, base)| base.as_ref()).chain(&machine);
            let around = bases.map(Around::of).reduce(Around::and);
            around.map_or(Beset::BY_ALL, |around| self.crowd_of(after).beset(&around, self.keep))
        };
        let base_fits = |base: &Rect| self.base_fits(after, base, beset.get_or_init(besetting));
        for at in after.alive() {
            let place = after.stands[at].place;
            let moved = place != self.unit.stands[at].place;
            if let Some(element) = place.element() {
                // Places of works are counted: those of this unit that went before count too.
                let own =
                    after.alive().filter(|&to| to < at && after.stands[to].place.element() == Some(element));
                let others: usize = table
                    .on(element)
                    .filter(|(unit, _)| !self.moving.has(*unit))
                    .map(|(_, count)| count)
                    .sum();
                if rule!(BR_TOWERS_22).holds(others + own.count() >= table.capacity(element)) {
                    return Err(Refusal::rule(rule!(BR_TOWERS_22), phrase::FULL));
                }
            }
            if moved {
                match (place, &footprints[at]) {
                    (Place::Ground { .. }, Some(base)) => base_fits(base)?,
                    _ => self.fits(after, place)?,
                }
            }
        }
        if let Some(machine) = machine.filter(|_| after.machine != self.unit.machine) {
            base_fits(&machine)?;
        }
        let stance = self.stance(after, footprints, machine.as_ref());
        if stance == Stance::Crossed {
            let refusal = Refusal::rule(rule!(BC_5_2_01), phrase::OCCUPIED);
            return Err(match self.words {
                Words::Full => refusal.with("unit", after.name()),
                Words::Brief => refusal,
            });
        }
        if rule!(BC_1_01).holds(!after.marks.split && stance == Stance::Apart) {
            return Err(Refusal::rule(rule!(BC_1_01), phrase::APART));
        }
        Ok(())
    }

    /// How the bases of a unit stand to each other. What rounding makes of a base depends on its facing alone,
    /// so that the same shape is the same everywhere.
    fn stance(&self, after: &Unit, footprints: &[Option<Rect>; STANDS], machine: Option<&Rect>) -> Stance {
        let shape = shape(after);
        if let (Some(shape), Some((known, stance))) = (&shape, self.stance.get())
            && *shape == known
        {
            return stance;
        }
        let grounded = |at: &usize| after.stands[*at].place.element().is_none();
        let own = || (0..STANDS).filter(grounded).filter_map(|at| footprints[at].as_ref()).chain(machine);
        let crossed = own().enumerate().any(|(k, one)| own().skip(k + 1).any(|two| one.overlaps(two)));
        let stance = if crossed {
            Stance::Crossed
        } else if self.table.hangs_together(after, footprints) {
            Stance::Whole
        } else {
            Stance::Apart
        };
        self.stance.set(shape.map(|shape| (shape, stance)));
        stance
    }
}

impl Table {
    /// Whether a unit goes at full pace: in line or in column, and not from the works.
    pub(crate) fn is_orderly(&self, unit: &Unit) -> bool {
        self.formation(unit) != Formation::Irregular && !self.is_on_works(unit)
    }

    /// A stand that looks out over the edge it came from, on the element.
    pub(crate) fn looking(&self, element: ElementId, look: Look) -> Place {
        super::ground::aloft(self, element, look)
    }
}
