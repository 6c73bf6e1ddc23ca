//! Where things may stand (sections 4.2 to 4.5 of the game page): levels, capacities, solid ground, zones
//! and formations. The ground that bases cover is in [`super::bases`].

use kernel::{Refusal, Verdict};
use rulebook::options::breach::{GateKind, WatchtowerEntry};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::{Facing, Point};

use crate::lists::Line;
use crate::scenario::{Scenario, Side};
use crate::terms::{Arm, Item};

use super::crowd::Beset;
use super::geometry::{Around, Rect, beside};
use super::plan::{Element, ElementId, Kind, Plan, plan};
use super::profile::{MACHINE_BASE, Profile, Troop, profile};
use super::state::{
    Character, CharacterId, Earthwork, Look, Place, Table, Unit, UnitId, UnitSet, Whereabouts,
};

pub(crate) use super::bases::{Boxed, nearest_of};

/// How a unit is drawn up (4.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Formation {
    /// Side by side.
    Line,
    /// One behind the other.
    Column,
    /// Anything else.
    Irregular,
}

/// How near to enemies a move may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Touching is allowed: charges.
    Contact,
    /// At least so far from enemies.
    Away(i64),
    /// At least so far from enemies and from every engaged unit.
    Clear(i64),
}

impl Keep {
    /// How far enemies must be.
    pub(crate) const fn distance(self) -> i64 {
        match self {
            Self::Contact => 0,
            Self::Away(distance) | Self::Clear(distance) => distance,
        }
    }
}

impl Table {
    /// The plan of the scenario.
    pub(crate) fn plan(&self) -> &'static Plan {
        plan(self.scenario)
    }

    /// A unit.
    pub(crate) fn unit(&self, id: UnitId) -> Option<&Unit> {
        self.units.get(usize::from(id.0))
    }

    /// A unit, to be changed.
    pub(crate) fn unit_mut(&mut self, id: UnitId) -> Option<&mut Unit> {
        self.units.get_mut(usize::from(id.0))
    }

    /// Changes a unit.
    pub(crate) fn with_unit(&mut self, id: UnitId, change: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.unit_mut(id) {
            change(unit);
        }
    }

    /// All units with their ids.
    pub(crate) fn each(&self) -> impl Iterator<Item = (UnitId, &Unit)> {
        (0..).map(UnitId).zip(&self.units)
    }

    /// The units of a side on the table.
    pub(crate) fn of_side(&self, side: Side) -> impl Iterator<Item = (UnitId, &Unit)> {
        self.each().filter(move |(_, unit)| unit.side == side && unit.is_on_table())
    }

    /// All characters with their ids.
    pub(crate) fn people(&self) -> impl Iterator<Item = (CharacterId, &Character)> {
        (0..).map(CharacterId).zip(&self.characters)
    }

    /// A character.
    pub(crate) fn character(&self, id: CharacterId) -> Option<&Character> {
        self.characters.get(usize::from(id.0))
    }

    /// Whether an element stands.
    pub(crate) fn stands(&self, element: ElementId) -> bool {
        self.elements.get(usize::from(element.0)).is_some_and(|works| !works.down)
    }

    /// Whether an element holds one stand on a walk, and not several inside.
    pub(crate) fn is_wall(&self, element: ElementId) -> bool {
        self.plan().element(element).is_some_and(|part| match part.kind {
            Kind::Wall => true,
            Kind::Gate => self.options.gate_kind == GateKind::Wall,
            Kind::Tower | Kind::LoneTower => false,
        })
    }

    /// The stands that an element holds.
    pub(crate) fn capacity(&self, element: ElementId) -> usize {
        if self.is_wall(element) { 1 } else { 4 }
    }

    /// The ground of an element; of a gate that is a wall, its outer half.
    pub(crate) fn works_rect(&self, element: ElementId) -> Option<Rect> {
        let part = self.plan().element(element)?;
        if part.kind == Kind::Gate && self.is_wall(element) {
            let low = part.rect.corners[1];
            return Some(Rect::axis(low.moved(0, 200), part.rect.corners[3]));
        }
        Some(part.rect)
    }

    /// Whether troops of a side may be in an element at all: the watchtower may be closed to the besieger
    /// (BR-R96).
    pub(crate) fn may_enter(&self, side: Side, element: ElementId) -> bool {
        let lone = self.plan().element(element).is_some_and(|part| part.kind == Kind::LoneTower);
        let closed = self.options.watchtower_entry == WatchtowerEntry::GarrisonOnly;
        !(lone && side == Side::Besieger && rule!(BR_R96).holds(closed))
    }

    /// The most that a character with a unit adds to one of its stands.
    pub(crate) fn bonus(&self, unit: UnitId) -> i32 {
        let with = self.characters.iter().filter(|one| one.place == Whereabouts::With(unit));
        with.map(|one| {
            let army = one.side.army();
            let mount = one.mount.map_or(0, |mount| profile(army, Troop::Line(mount)).attack);
            profile(army, Troop::Line(one.line)).attack + mount
        })
        .max()
        .unwrap_or(0)
    }

    /// Whether a unit spreads terror: a rider of a griffon is with it.
    pub(crate) fn terrifies(&self, unit: UnitId) -> bool {
        let mut with = self.characters.iter().filter(|one| one.place == Whereabouts::With(unit));
        with.any(|one| one.mount == Some(Line::Griffon))
    }

    /// The units with stands on an element, and how many.
    pub(crate) fn on(&self, element: ElementId) -> impl Iterator<Item = (UnitId, usize)> {
        self.each().filter_map(move |(id, unit)| {
            let there = unit.stands.iter().filter(|stand| stand.place.element() == Some(element)).count();
            (there > 0).then_some((id, there))
        })
    }

    /// Who holds an element, if anybody does.
    pub(crate) fn held_by(&self, element: ElementId) -> Option<Side> {
        self.on(element).next().and_then(|(id, _)| self.unit(id)).map(|unit| unit.side)
    }

    /// Whether the leaf of the gate is open to both sides.
    pub(crate) fn gate_is_open(&self, gate: ElementId) -> bool {
        let Some(part) = self.plan().element(gate) else { return true };
        let Some(works) = self.elements.get(usize::from(gate.0)) else { return true };
        works.down
            || works.leaf_down
            || self
                .of_side(Side::Garrison)
                .any(|(_, unit)| self.bases_near(unit, &part.rect, 0).any(|base| base.overlaps(&part.rect)))
    }

    /// How a unit is drawn up.
    pub(crate) fn formation(&self, unit: &Unit) -> Formation {
        let own: Vec<usize> = unit.alive().filter(|&at| !unit.is_skirmisher(at)).collect();
        if own.len() < 2 {
            return Formation::Line;
        }
        if rule!(BR_RAMPARTS_02).holds(unit.is_on_levels()) {
            return Formation::Irregular;
        }
        let mut rects = Vec::with_capacity(4);
        let mut faced = None;
        for &at in &own {
            match unit.stands[at].place {
                Place::Ground { facing, front } => {
                    if faced.is_some_and(|other| other != facing) {
                        return Formation::Irregular;
                    }
                    faced = Some(facing);
                    rects.push(Rect::new(front, facing, unit.profile().base.0, unit.profile().base.1));
                }
                Place::Rampart { element, look } => {
                    let same = own.iter().all(|&to| match unit.stands[to].place {
                        Place::Rampart { element: other, look: other_look } => {
                            other_look == look
                                && self.plan().element(other).map(|part| part.outward)
                                    == self.plan().element(element).map(|part| part.outward)
                        }
                        _ => false,
                    });
                    return if same { Formation::Line } else { Formation::Irregular };
                }
                _ => return Formation::Irregular,
            }
        }
        let joined = |one: Point, other: Point| one.square_to(other) <= 100;
        let chained = |linked: &dyn Fn(&Rect, &Rect) -> bool| {
            rects.iter().filter(|one| !rects.iter().any(|other| linked(other, one))).count() == 1
        };
        if chained(&|left, right| joined(left.corners[3], right.corners[0])) {
            return Formation::Line;
        }
        if chained(&|ahead, behind| {
            let middle = |a: Point, b: Point| Point::new(i64::midpoint(a.x, b.x), i64::midpoint(a.y, b.y));
            joined(middle(ahead.corners[1], ahead.corners[2]), behind.front())
        }) {
            return Formation::Column;
        }
        Formation::Irregular
    }

    /// Whether a stand of the unit is on the works, where it counts as fortified.
    pub(crate) fn is_on_works(&self, unit: &Unit) -> bool {
        unit.alive().any(|at| unit.stands[at].place.element().is_some())
    }

    /// Whether a place lies inside the enclosure: courtyard, passage or a breach.
    pub(crate) fn is_inside(&self, place: Point) -> bool {
        let plan = self.plan();
        plan.courtyard.is_some_and(|court| court.holds(place))
            || plan
                .each()
                .any(|(id, part)| part.rect.holds(place) && (!self.stands(id) || part.kind == Kind::Gate))
    }

    /// The standing elements that are solid for a side, with the passage that is open left out.
    pub(crate) fn solids(&self, side: Side) -> impl Iterator<Item = (ElementId, Rect)> {
        self.plan().each().filter_map(move |(id, part)| {
            let solid = self.stands(id) && !self.is_open_passage(side, id, part.kind);
            solid.then_some((id, part.rect))
        })
    }

    /// Whether a base lies on a standing element that is solid for a side.
    pub(crate) fn is_solid(&self, side: Side, rect: &Rect) -> bool {
        self.plan().each().any(|(id, part)| {
            part.rect.overlaps(rect) && self.stands(id) && !self.is_open_passage(side, id, part.kind)
        })
    }

    /// Whether an element is a gate whose passage is open to a side.
    fn is_open_passage(&self, side: Side, id: ElementId, kind: Kind) -> bool {
        kind == Kind::Gate && (side == Side::Garrison || self.gate_is_open(id))
    }

    /// The long sides of the passage, which are closed while the gate stands.
    pub(crate) fn passage_sides(&self) -> impl Iterator<Item = Rect> {
        let gate = self.plan().each().find(|(_, part)| part.kind == Kind::Gate);
        let standing = gate.filter(|(id, _)| self.stands(*id));
        standing.into_iter().flat_map(|(_, part)| {
            let [fl, rl, rr, fr] = part.rect.corners;
            [(rl, fl), (rr, fr)].map(|(low, high)| Rect::axis(low.moved(-3, 0), high.moved(3, 0)))
        })
    }

    /// The earthworks that stand.
    pub(crate) fn standing_works(&self) -> impl Iterator<Item = (usize, Rect)> {
        self.earthworks
            .iter()
            .enumerate()
            .filter(|(_, work)| work.standing)
            .map(|(at, work)| (at, work.rect()))
    }

    /// Whether a stand of this unit may be at a place, whatever moves besides it (V2, V6, V8 to V10, V14).
    /// Units of `moving` are not looked at.
    pub(crate) fn fits(&self, unit: &Unit, place: Place, moving: UnitSet, keep: Keep) -> Verdict<()> {
        let profile = unit.profile();
        match place {
            Place::Ground { front, facing } => {
                let rect = Rect::new(front, facing, profile.base.0, profile.base.1);
                self.ground_fits(unit, &rect, moving, keep)
            }
            Place::Rampart { element, .. } | Place::Tower { element } => {
                self.works_fit(unit, place, element, moving)
            }
            Place::Reserve | Place::Off | Place::Out | Place::Dead => {
                Err(Refusal::rule(rule!(BR_R74), phrase::NO_SUCH_PLACE))
            }
        }
    }

    /// The same for a place on or in an element.
    fn works_fit(&self, unit: &Unit, place: Place, element: ElementId, moving: UnitSet) -> Verdict<()> {
        let profile = unit.profile();
        let tower = matches!(place, Place::Tower { .. });
        if !self.stands(element) || self.is_wall(element) == tower {
            return Err(Refusal::rule(rule!(BR_R74), phrase::NO_SUCH_PLACE));
        }
        if !self.may_enter(unit.side, element) {
            return Err(Refusal::rule(rule!(BR_R96), phrase::NOT_ON_WORKS));
        }
        let foot = matches!(profile.arm, Arm::Infantry | Arm::Artillery) && !profile.engine;
        if !foot || unit.machine.is_some() {
            return Err(Refusal::rule(rule!(BC_14_1_03), phrase::NOT_ON_WORKS));
        }
        let mut there = 0;
        for (other, count) in self.on(element) {
            let Some(held) = self.unit(other) else { continue };
            if held.side != unit.side {
                return Err(Refusal::rule(rule!(BR_TOWERS_22), phrase::HELD_BY_ENEMY));
            }
            if !moving.has(other) {
                there += count;
            }
        }
        if there >= self.capacity(element) {
            return Err(Refusal::rule(rule!(BR_TOWERS_22), phrase::FULL));
        }
        Ok(())
    }

    /// The same for a base on the ground.
    pub(crate) fn ground_fits(&self, unit: &Unit, rect: &Rect, moving: UnitSet, keep: Keep) -> Verdict<()> {
        let crowd = self.crowd(unit, moving, Some(Around::of(rect)));
        self.fits_among(rect, &crowd, &Beset::BY_ALL, keep).map_err(|misfit| misfit.told(self))
    }

    /// Whether a base lies in the zone of a side (5.1 to 5.3).
    pub(crate) fn is_in_zone(&self, side: Side, rect: &Rect, machine: bool) -> Verdict<()> {
        let refuse = |rule| Err(Refusal::rule(rule, phrase::NOT_IN_ZONE));
        let deep = |low: i64, high: i64| rect.corners.iter().all(|corner| (low..=high).contains(&corner.y));
        match (self.scenario, side) {
            (Scenario::Watchtower, Side::Garrison) if !deep(0, 2_000) => refuse(rule!(BR_SCENARIO_1_08)),
            (Scenario::Watchtower, Side::Besieger) if !deep(10_000, 12_000) => {
                refuse(rule!(BR_SCENARIO_1_08))
            }
            (Scenario::Help, Side::Garrison) if !deep(0, 2_000) => refuse(rule!(BR_SCENARIO_2_10)),
            (Scenario::Help, Side::Besieger) if !deep(10_000, 12_000) => refuse(rule!(BR_SCENARIO_2_10)),
            (Scenario::Keep, Side::Garrison) => {
                let inside = self
                    .plan()
                    .courtyard
                    .is_some_and(|court| rect.corners.iter().all(|&corner| court.gap_to(corner) <= 1));
                let near = |corner: Point| {
                    self.plan().elements.iter().any(|part| {
                        part.around.grown(1_501).holds(corner) && part.rect.gap_to(corner) <= 1_500
                    })
                };
                if inside || rect.corners.iter().all(|&corner| near(corner) && !self.is_inside(corner)) {
                    Ok(())
                } else {
                    refuse(rule!(BR_SCENARIO_3_12))
                }
            }
            (Scenario::Keep, Side::Besieger) => {
                let forward =
                    machine && self.options.machine_start == rulebook::options::breach::MachineStart::Forward;
                let (least, rule) =
                    if forward { (4_500, rule!(BR_R94)) } else { (7_500, rule!(BR_SCENARIO_3_13)) };
                let near = |part: &Element| part.rect.is_near(rect, least) && part.rect.gap(rect) <= least;
                let around = self.plan().around.map(|around| around.grown(least + 2));
                if around.is_some_and(|around| rect.may_meet(&around))
                    && self.plan().elements.iter().any(near)
                {
                    refuse(rule)
                } else {
                    Ok(())
                }
            }
            _ => Ok(()),
        }
    }

    /// The places of a line or a column of so many stands, by the middle of the front of the whole.
    pub(crate) fn template(
        &self,
        unit: &Unit,
        formation: Formation,
        front: Point,
        facing: Facing,
    ) -> ([Place; 4], Option<(Point, Facing)>) {
        let (width, depth) = unit.profile().base;
        let count = i64::from(unit.began.min(4));
        let count = if unit.is_on_table() { i64::from(unit.strength()) } else { count };
        let mut places = [Place::Dead; 4];
        let machine = unit.item.is_machine();
        let behind = if machine { MACHINE_BASE.1 } else { 0 };
        for (place, k) in places.iter_mut().zip(0..count) {
            let at = if machine || formation == Formation::Column {
                beside(front, facing, 0, -(behind + depth * k))
            } else {
                beside(front, facing, (2 * k - count + 1) * width / 2, 0)
            };
            *place = Place::Ground { front: at, facing };
        }
        (places, machine.then_some((front, facing)))
    }
}

impl Unit {
    /// What its troops can do.
    pub(crate) fn profile(&self) -> &'static Profile {
        profile(self.side.army(), self.troop)
    }

    /// Whether this stand is an attached skirmisher.
    pub(crate) fn is_skirmisher(&self, at: usize) -> bool {
        self.skirmisher && at + 1 == usize::from(self.began)
    }

    /// The base of its covered machine.
    pub(crate) fn machine_rect(&self) -> Option<Rect> {
        self.machine.map(|(front, facing)| Rect::new(front, facing, MACHINE_BASE.0, MACHINE_BASE.1))
    }

    /// Whether it carries a portable ram or pushes a covered machine.
    pub(crate) fn is_burdened(&self) -> bool {
        self.item == Item::PortableRam || self.item.is_machine()
    }

    /// Its pace at full and at half, in hundredths of a centimetre.
    pub(crate) fn paces(&self) -> (i64, i64) {
        if self.item.is_machine() && (self.machine.is_some() || !self.is_on_table()) {
            return (1_500, 750);
        }
        if self.item == Item::PortableRam && !rule!(BR_PORTABLE_RAM_02).holds(true) {
            return (1_500, 750);
        }
        match self.profile().arm {
            Arm::Infantry | Arm::Monster => (2_000, 1_000),
            Arm::Cavalry | Arm::Chariot => (3_000, 1_500),
            Arm::Artillery => (1_000, 500),
            Arm::Flyer => (10_000, 1_000),
        }
    }

    /// The Attack of its stands in combat, of this one.
    pub(crate) fn attack(&self, at: usize) -> i32 {
        if self.is_skirmisher(at) { 4 } else { self.profile().attack }
    }

    /// Whether its stands are on different levels.
    pub(crate) fn is_on_levels(&self) -> bool {
        let mut levels = self.alive().map(|at| self.stands[at].place.level());
        let first = levels.next();
        levels.any(|level| Some(level) != first)
    }

    /// Whether it is Rangers, infantry or whatever else of one line.
    pub(crate) fn is_line(&self, line: Line) -> bool {
        self.troop == Troop::Line(line)
    }
}

impl Item {
    /// Whether it is a covered machine.
    pub(crate) const fn is_machine(self) -> bool {
        matches!(self, Self::Ram | Self::SiegeTower | Self::Sow)
    }

    /// Whether it rams.
    pub(crate) const fn rams(self) -> bool {
        matches!(self, Self::Ram | Self::PortableRam)
    }
}

impl Earthwork {
    /// Its ground.
    pub(crate) fn rect(&self) -> Rect {
        Rect::new(self.front, self.facing, 400, 100)
    }
}

/// The place of a stand that looks out, on or in an element.
pub(crate) fn aloft(table: &Table, element: ElementId, look: Look) -> Place {
    if table.is_wall(element) { Place::Rampart { element, look } } else { Place::Tower { element } }
}
