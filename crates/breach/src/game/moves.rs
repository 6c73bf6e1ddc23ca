//! A move and its validator (section 4.3 of the game page): where stands go, by which way, how far that
//! is, and why it is refused. The path finder of charges and candidates stands beside it.

use std::cell::OnceCell;

use kernel::{Refusal, RuleId, Verdict};
use rulebook::{phrase::breach_game as phrase, rule};
use tabletop::geometry::Point;

use crate::terms::Arm;

use super::action::{Move, Way};
use super::crowd::Crowd;
use super::geometry::{Around, Rect, distance, rounded};
use super::ground::{Formation, Keep};
use super::plan::{ElementId, Kind, Slot, TABLE, Terrain};
use super::profile::MACHINE_BASE;
use super::state::{Look, Place, STANDS, Table, Unit, UnitId, UnitSet, cm};

/// Something that bars a way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obstacle {
    rect: Rect,
    /// How wide the way past it must be.
    width: i64,
    rule: RuleId,
    /// The unit it belongs to.
    unit: Option<UnitId>,
}

/// A leg of a way: a strip, drawn when something is near enough to bar it.
struct Leg {
    from: Point,
    to: Point,
    around: Around,
    narrow: OnceCell<Rect>,
    wide: OnceCell<Rect>,
}

impl Leg {
    fn new(from: Point, to: Point) -> Self {
        let around = Around::leg(from, to).grown(210);
        Self { from, to, around, narrow: OnceCell::new(), wide: OnceCell::new() }
    }

    fn meets(&self, obstacle: &Obstacle) -> bool {
        obstacle.rect.may_meet(&self.around) && {
            let strip = if obstacle.width > 200 { &self.wide } else { &self.narrow };
            let width = if obstacle.width > 200 { 400 } else { 200 };
            strip.get_or_init(|| Rect::strip(self.from, self.to, width)).overlaps(&obstacle.rect)
        }
    }
}

/// Somebody who is about to move, with all that is in his way.
pub(crate) struct Mover<'t> {
    table: &'t Table,
    /// Who.
    pub(crate) id: UnitId,
    /// As it stands now.
    pub(crate) unit: &'t Unit,
    /// Those around the ground that he can reach.
    crowd: OnceCell<Crowd>,
    /// What is in his way there, and what is in it anywhere.
    near: OnceCell<Vec<Obstacle>>,
    anywhere: OnceCell<Vec<Obstacle>>,
    /// Where his stands are now.
    starts: [Option<Rect>; STANDS],
    /// The ground that he can reach; everywhere for one who is not on the table.
    within: Option<Around>,
    moving: UnitSet,
    /// How far he may go.
    pub(crate) allowance: i64,
    keep: Keep,
    /// The unit that is charged, which does not bar the last leg.
    charged: UnitSet,
}

/// Where the stands of a unit end.
pub(crate) type Ends = Unit;

/// Whether a way may lead over a place.
fn is_on_table(place: Point) -> bool {
    (0..=TABLE.0).contains(&place.x) && (0..=TABLE.1).contains(&place.y)
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
        })
    }

    /// He charges somebody, or nobody on the ground.
    pub(crate) fn charges(&mut self, target: Option<UnitId>) {
        self.charged = target.into_iter().collect();
    }

    /// What may be in his way from one place to another.
    fn obstacles(&self, from: Point, to: Point) -> &[Obstacle] {
        if self.within.is_some_and(|within| within.holds(from) && within.holds(to)) {
            self.near.get_or_init(|| {
                let crowd = self.crowd.get_or_init(|| self.around());
                self.table.obstacles(self.unit, crowd, self.keep, self.within)
            })
        } else {
            self.anywhere.get_or_init(|| {
                let all = self.table.crowd(self.unit, self.moving, None);
                self.table.obstacles(self.unit, &all, self.keep, None)
            })
        }
    }

    fn around(&self) -> Crowd {
        self.table.crowd(self.unit, self.moving, self.within)
    }

    /// Whether a stand of the unit, as it is afterwards, may be at a place, whatever moves besides it.
    pub(crate) fn fits(&self, after: &Unit, place: Place) -> Verdict<()> {
        match place {
            Place::Ground { front, facing } => {
                let (width, depth) = after.profile().base;
                self.base_fits(after, &Rect::new(front, facing, width, depth))
            }
            _ => self.table.fits(after, place, self.moving, self.keep),
        }
    }

    /// The same for a base on the ground.
    pub(crate) fn base_fits(&self, after: &Unit, rect: &Rect) -> Verdict<()> {
        let crowd = self.crowd.get_or_init(|| self.table.crowd(after, self.moving, self.within));
        if crowd.covers(after, rect) {
            self.table.fits_among(rect, crowd, self.keep)
        } else {
            self.table.ground_fits(after, rect, self.moving, self.keep)
        }
    }

    /// The allowance of a march: full or half pace (core 5.1).
    pub(crate) fn march_allowance(table: &Table, unit: &Unit, half: bool) -> i64 {
        let (full, slow) = unit.paces();
        let orderly = table.is_orderly(unit);
        if half || (rule!(BC_5_1_02).holds(!orderly) && unit.machine.is_none()) { slow } else { full }
    }

    fn clear(&self, from: Point, to: Point, last: bool) -> Verdict<()> {
        if from == to || self.unit.profile().arm == Arm::Flyer {
            return Ok(());
        }
        let leg = Leg::new(from, to);
        for obstacle in self.obstacles(from, to) {
            if last && obstacle.unit.is_some_and(|unit| self.charged.has(unit)) {
                continue;
            }
            if leg.meets(obstacle) && obstacle.rule.holds(true) {
                return Err(Refusal::rule(obstacle.rule, phrase::BLOCKED));
            }
        }
        Ok(())
    }

    /// How far a stand travels, if its way is open.
    pub(crate) fn travel(&self, way: &Way) -> Verdict<i64> {
        let Some(stand) = self.unit.stands.get(usize::from(way.stand)) else {
            return Err(Refusal::rule(rule!(BC_1_01), phrase::TOO_MANY_STANDS));
        };
        if way.via.len() > 3 {
            return Err(Refusal::rule(rule!(BR_R78), phrase::TOO_MANY_WAYPOINTS));
        }
        if stand.place == way.to {
            return Ok(0);
        }
        let base = self.unit.profile().base;
        let from = self.starts.get(usize::from(way.stand)).copied().flatten();
        let (Some(from), Some(to)) = (from, self.table.footprint(way.to, base)) else {
            return Err(Refusal::rule(rule!(BR_R74), phrase::NO_SUCH_PLACE));
        };
        match (stand.place.element(), way.to.element()) {
            (None, None) => self.travel_on_ground(from, to, &way.via),
            (Some(below), Some(above)) => self.travel_on_works(below, above),
            (Some(element), None) => self.travel_between(element, to.centre, &way.via),
            (None, Some(element)) => self.travel_between(element, from.centre, &way.via),
        }
    }

    fn travel_on_ground(&self, from: Rect, to: Rect, via: &[Point]) -> Verdict<i64> {
        let mut at = from.centre;
        let mut travel = 0;
        if self.unit.profile().arm == Arm::Flyer {
            return Ok(distance(from.centre, to.centre));
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
        let corners = start.corners.iter().zip(&to.corners).map(|(a, b)| a.square_to(*b)).max().unwrap_or(0);
        Ok(travel + rounded(corners))
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
        let mut after = *self.unit;
        let far = |travel: i64| {
            Refusal::rule(rule!(BC_5_2_02), phrase::TOO_FAR)
                .with("travel", cm(travel))
                .with("most", cm(self.allowance))
        };
        if self.unit.machine.is_some() {
            after = self.check_machine(step)?;
        } else {
            if step.machine.is_some() {
                return Err(Refusal::rule(rule!(BC_14_6_01), phrase::MACHINE_LEADS));
            }
            let mut named = 0_u8;
            for way in &step.stands {
                let at = usize::from(way.stand);
                let bit = 1_u8.checked_shl(u32::from(way.stand)).unwrap_or(0);
                if !self.unit.alive().any(|alive| alive == at) || named & bit != 0 {
                    return Err(Refusal::rule(rule!(BC_1_01), phrase::TOO_MANY_STANDS));
                }
                named |= bit;
                let travel = self.travel(way)?;
                if rule!(BC_5_2_02).holds(travel > self.allowance) {
                    return Err(far(travel));
                }
                if let Some(stand) = after.stands.get_mut(at) {
                    if stand.place != way.to {
                        stand.post = None;
                    }
                    stand.place = way.to;
                }
            }
        }
        self.ends(&after)?;
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
        let travel = self.travel_on_ground(rect, to, &[])?;
        if rule!(BC_5_2_02).holds(travel > self.allowance) {
            return Err(Refusal::rule(rule!(BC_5_2_02), phrase::TOO_FAR)
                .with("travel", cm(travel))
                .with("most", cm(self.allowance)));
        }
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
        let table = self.table;
        let footprints = table.footprints(after);
        for at in after.alive() {
            let place = after.stands[at].place;
            if place != self.unit.stands[at].place || place.element().is_some() {
                // Places of works are counted: those of this unit that went before count too.
                let own = after
                    .alive()
                    .filter(|&to| to < at && after.stands[to].place.element() == place.element());
                if let Some(element) = place.element() {
                    let others: usize = table
                        .on(element)
                        .filter(|(unit, _)| !self.moving.has(*unit))
                        .map(|(_, count)| count)
                        .sum();
                    if rule!(BR_TOWERS_22).holds(others + own.count() >= table.capacity(element)) {
                        return Err(Refusal::rule(rule!(BR_TOWERS_22), phrase::FULL));
                    }
                }
                if place != self.unit.stands[at].place {
                    match (place, &footprints[at]) {
                        (Place::Ground { .. }, Some(base)) => self.base_fits(after, base)?,
                        _ => self.fits(after, place)?,
                    }
                }
            }
        }
        let machine = after.machine_rect();
        if let Some(machine) = machine.filter(|_| after.machine != self.unit.machine) {
            self.base_fits(after, &machine)?;
        }
        let grounded = |at: &usize| after.stands[*at].place.element().is_none();
        let own = || (0..STANDS).filter(grounded).filter_map(|at| footprints[at].as_ref()).chain(&machine);
        let overlap = own().enumerate().any(|(k, one)| own().skip(k + 1).any(|two| one.overlaps(two)));
        if overlap {
            return Err(Refusal::rule(rule!(BC_5_2_01), phrase::OCCUPIED).with("unit", after.name()));
        }
        if rule!(BC_1_01).holds(!after.marks.split && !table.hangs_together(after, &footprints)) {
            return Err(Refusal::rule(rule!(BC_1_01), phrase::APART));
        }
        Ok(())
    }

    /// The shortest way of a centre with at most three waypoints, if there is one.
    pub(crate) fn path(&self, from: Point, to: Point) -> Option<Vec<Point>> {
        if self.clear(from, to, true).is_ok() {
            return Some(Vec::new());
        }
        let obstacles = self.obstacles(from, to);
        let met = |from: Point, to: Point, last: bool, known: &[usize]| -> Vec<usize> {
            let leg = Leg::new(from, to);
            let obstacles = obstacles.iter().enumerate();
            obstacles
                .filter(|(at, obstacle)| {
                    !(known.contains(at) || last && obstacle.unit.is_some_and(|unit| self.charged.has(unit)))
                        && leg.meets(obstacle)
                })
                .map(|(at, _)| at)
                .collect()
        };
        let mut known = met(from, to, true, &[]);
        for _ in 0..4 {
            known.truncate(16);
            let barring: Vec<&Obstacle> = known.iter().filter_map(|&at| obstacles.get(at)).collect();
            let way = self.around_by(from, to, &barring)?;
            let mut legs = vec![from];
            legs.extend(&way);
            legs.push(to);
            let last = legs.len() - 2;
            let more: Vec<usize> =
                (0..=last).flat_map(|k| met(legs[k], legs[k + 1], k == last, &known)).collect();
            if more.is_empty() {
                return Some(way);
            }
            known.extend(more);
            known.sort_unstable();
            known.dedup();
        }
        None
    }

    /// The shortest way around some obstacles by their corners.
    fn around_by(&self, from: Point, to: Point, barring: &[&Obstacle]) -> Option<Vec<Point>> {
        let mut nodes = vec![from];
        for obstacle in barring {
            let grown = obstacle.width / 2 + 5;
            let centre = obstacle.rect.centre;
            for corner in obstacle.rect.corners {
                let out = |value: i64, middle: i64| value + (value - middle).signum() * grown;
                let node = Point::new(out(corner.x, centre.x), out(corner.y, centre.y));
                if is_on_table(node) {
                    nodes.push(node);
                }
            }
        }
        nodes.push(to);
        let end = nodes.len() - 1;
        let clear = |one: usize, two: usize| {
            let leg = Leg::new(nodes[one], nodes[two]);
            barring.iter().all(|obstacle| {
                (two == end && obstacle.unit.is_some_and(|unit| self.charged.has(unit)))
                    || !leg.meets(obstacle)
            })
        };
        // The shortest way to each node with so many legs.
        let mut best: Vec<Vec<(i64, Vec<usize>)>> = vec![vec![(0, vec![0])]];
        let mut found: Option<(i64, Vec<Point>)> = None;
        for _ in 0..4 {
            let mut next: Vec<(i64, Vec<usize>)> = Vec::new();
            for (length, way) in best.last().into_iter().flatten() {
                let Some(&at) = way.last() else { continue };
                for to in 1..nodes.len() {
                    if way.contains(&to) {
                        continue;
                    }
                    let total = length + distance(nodes[at], nodes[to]);
                    if total > self.allowance + 400 || found.as_ref().is_some_and(|(least, _)| total > *least)
                    {
                        continue;
                    }
                    if next.iter().any(|(other, way)| way.last() == Some(&to) && *other <= total)
                        || !clear(at, to)
                    {
                        continue;
                    }
                    let mut way = way.clone();
                    way.push(to);
                    if to == end {
                        let points: Vec<Point> =
                            way.iter().skip(1).take(way.len() - 2).map(|&k| nodes[k]).collect();
                        let better =
                            found.as_ref().is_none_or(|known| (total, &points) < (known.0, &known.1));
                        if better {
                            found = Some((total, points));
                        }
                    } else {
                        next.retain(|(_, other)| other.last() != Some(&to));
                        next.push((total, way));
                    }
                }
            }
            best.push(next);
        }
        found.map(|(_, way)| way)
    }

    /// The way of a stand to a place on the ground, if it can be reached.
    pub(crate) fn reach(&self, stand: usize, to: Place) -> Option<Way> {
        let number = u8::try_from(stand).ok()?;
        let from = self.starts.get(stand).copied().flatten()?;
        let end = self.table.footprint(to, self.unit.profile().base)?;
        let mut way = Way { stand: number, via: Vec::new(), to };
        if self.unit.stands.get(stand)?.place.element().is_none() && to.element().is_none() {
            if distance(from.centre, end.centre) > self.allowance {
                return None;
            }
            way.via = self.path(from.centre, end.centre)?;
        }
        let travel = self.travel(&way).ok()?;
        (travel <= self.allowance).then_some(way)
    }
}

impl Table {
    /// Whether a unit goes at full pace: in line or in column, and not from the works.
    pub(crate) fn is_orderly(&self, unit: &Unit) -> bool {
        self.formation(unit) != Formation::Irregular && !self.is_on_works(unit)
    }

    /// What bars the way of a unit among others, within a box or everywhere.
    fn obstacles(&self, unit: &Unit, crowd: &Crowd, keep: Keep, within: Option<Around>) -> Vec<Obstacle> {
        let front = if unit.machine.is_some() || unit.profile().base.0 > 200 { 400 } else { 200 };
        let mut found = Vec::with_capacity(32);
        for other in crowd.others.iter().filter(|other| !other.aloft) {
            let width = if other.enemy { front } else { 200 };
            found.push(Obstacle { rect: other.rect, width, rule: rule!(BC_5_2_04), unit: Some(other.unit) });
        }
        let around = within.map(|within| within.grown(300));
        let mut ground = |rect: Rect, rule: RuleId| {
            if around.is_none_or(|around| rect.may_meet(&around)) {
                found.push(Obstacle { rect, width: 200, rule, unit: None });
            }
        };
        for (_, rect) in self.solids(unit.side) {
            ground(rect, rule!(BC_14_1_02));
        }
        for rect in self.passage_sides() {
            ground(rect, rule!(BR_R105));
        }
        let arm = unit.profile().arm;
        let burdened = unit.is_burdened();
        for (id, part) in self.plan().each() {
            if !self.stands(id) && (arm != Arm::Infantry || burdened) {
                let rule = match (arm, keep) {
                    (Arm::Infantry, _) => rule!(BR_R28),
                    (_, Keep::Contact) => rule!(BR_BREACHES_07),
                    _ => rule!(BR_BREACHES_05),
                };
                ground(part.rect, rule);
            }
        }
        for (kind, rect) in &self.plan().terrain {
            let heavy = matches!(arm, Arm::Artillery | Arm::Chariot);
            let closed = match kind {
                Terrain::Building => true,
                Terrain::Wood => arm != Arm::Infantry || burdened,
                Terrain::Broken => burdened || arm == Arm::Artillery,
                Terrain::Field => heavy,
                Terrain::Hedge => heavy || burdened,
            };
            if closed {
                ground(*rect, if burdened { rule!(BR_PORTABLE_RAM_06) } else { rule!(BC_5_5_01) });
            }
        }
        if matches!(arm, Arm::Artillery | Arm::Chariot) || burdened {
            for (_, rect) in self.standing_works() {
                ground(rect, rule!(BR_EARTHWORKS_11));
            }
        }
        found
    }

    /// A stand that looks out over the edge it came from, on the element.
    pub(crate) fn looking(&self, element: ElementId, look: Look) -> Place {
        super::ground::aloft(self, element, look)
    }
}
