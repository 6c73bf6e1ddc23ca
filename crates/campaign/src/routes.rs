//! Ways over the map: how far an arm gets, what its path costs, whether a line of communication
//! reaches. Costs are those of the terrain chart; Dijkstra does the rest.

mod pace;

use std::rc::Rc;

use kernel::{Clerk, Desk, MovementPoints, Scripted, Silent, Verdict};
use rulebook::options::campaign::Options;
use rulebook::rule;

use crate::map::{Cell, HEXES, HexId, HexSet, Map, NEIGHBOURS};
use crate::tables::{self, SideCost};
use crate::terms::{Arm, Game, Road, Side, Weather};
use crate::terrain::{self, Holder, Step};
use pace::{NOTHING, NOWHERE, Roads, SHUT, Steps, Water};

/// An enemy formation on the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Enemy {
    /// Where it stands.
    pub hex: HexId,
    /// Its SP, in hundredths.
    pub sp: i64,
    /// Whether its hex contains cavalry.
    pub cavalry: bool,
    /// Whether it is in forage mode.
    pub foraging: bool,
}

/// The map with the enemies on it, in some weather.
#[derive(Clone, Debug)]
pub struct Field<'a> {
    map: &'a Map,
    weather: Weather,
    game: Game,
    options: &'a Options,
    enemies: Vec<Enemy>,
    occupied: HexSet,
    /// Where an enemy exerts a zone of control.
    zones: HexSet,
    /// Where the zone of an enemy would reach if he did not forage.
    near: HexSet,
    friends: HexSet,
    changed: Vec<Changed>,
    /// Where a hexside is no longer as printed.
    mended: HexSet,
    water: Water,
}

/// A hexside that is no longer as printed: a bridge is damaged, a pontoon lies there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The hex on this side of it.
    pub from: HexId,
    /// Its direction.
    pub direction: usize,
    /// What lies there now.
    pub side: Side,
    /// The road that leads over it now.
    pub road: Road,
}

/// A hex that can be reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reached {
    /// The hex.
    pub hex: HexId,
    /// What the way there costs.
    pub cost: MovementPoints,
    /// What it costs the other arm of a mixed formation.
    pub cavalry: Option<MovementPoints>,
}

/// No way leads there.
const NONE: u16 = u16::MAX;

/// The ways found from one hex.
#[derive(Clone, Debug)]
pub struct Ways {
    /// What the way to each hex costs, in halves.
    cost: Vec<u16>,
    /// The direction of the last step to each hex.
    last: Vec<u8>,
    /// The hexes reached, nearest first, then by number.
    reached: Vec<HexId>,
}

impl Ways {
    fn new() -> Self {
        Self { cost: vec![NONE; HEXES], last: vec![u8::MAX; HEXES], reached: Vec::new() }
    }

    /// What the way to a hex costs, if there is one.
    #[must_use]
    pub fn cost(&self, to: HexId) -> Option<MovementPoints> {
        let cost = self.cost[to.place()];
        (cost != NONE).then(|| MovementPoints::halves(i32::from(cost)))
    }

    /// The hexes reached, the start among them, nearest first, then by number.
    pub fn reached(&self) -> impl Iterator<Item = (MovementPoints, HexId)> + Clone {
        self.reached.iter().map(|&hex| (MovementPoints::halves(i32::from(self.cost[hex.place()])), hex))
    }

    /// The way to a hex, both ends included; empty if there is none.
    #[must_use]
    pub fn path(&self, to: HexId) -> Vec<HexId> {
        let mut path = Vec::new();
        if self.cost(to).is_none() {
            return path;
        }
        let mut at = Some(to);
        while let Some(hex) = at {
            path.push(hex);
            let last = usize::from(self.last[hex.place()]);
            at = if last < 6 { hex.neighbour((last + 3) % 6) } else { None };
        }
        path.reverse();
        path
    }
}

fn quiet() -> Desk<Scripted<'static>, Silent> {
    Desk::new(Scripted::new(&[]), Silent)
}

/// What a bridge under the road adds to a line of communication.
fn bridge_of_line(side: Side) -> MovementPoints {
    let Some(row) = tables::side(side) else { return MovementPoints::ZERO };
    match row.cost {
        SideCost::Add(cost) if !rule!(CA_TERRAIN_31).holds(row.communication.is_some()) => cost,
        _ => row.communication.unwrap_or_default(),
    }
}

impl<'a> Field<'a> {
    /// The map with these enemies and friends on it.
    #[must_use]
    pub fn new(
        map: &'a Map,
        weather: Weather,
        game: Game,
        enemies: &[Enemy],
        friends: &[HexId],
        options: &'a Options,
    ) -> Self {
        Self::changed(map, weather, game, enemies, friends, Vec::new(), options)
    }

    /// The same with hexsides that are no longer as printed.
    #[must_use]
    pub fn changed(
        map: &'a Map,
        weather: Weather,
        game: Game,
        enemies: &[Enemy],
        friends: &[HexId],
        changed: Vec<Changed>,
        options: &'a Options,
    ) -> Self {
        let mut field = Self {
            map,
            weather,
            game,
            options,
            enemies: enemies.to_vec(),
            occupied: HexSet::EMPTY,
            zones: HexSet::EMPTY,
            near: HexSet::EMPTY,
            friends: friends.iter().copied().collect(),
            mended: changed
                .iter()
                .flat_map(|one| [Some(one.from), one.from.neighbour(one.direction)])
                .flatten()
                .collect(),
            changed,
            water: Water::of(weather, options),
        };
        field.stand(enemies);
        field
    }

    /// Puts enemies on the map, with their zones.
    fn stand(&mut self, enemies: &[Enemy]) {
        for enemy in enemies {
            self.occupied.insert(enemy.hex);
            self.near.insert(enemy.hex);
            self.zones.insert(enemy.hex);
            let watches = !enemy.foraging || self.game == Game::Battle;
            let sides = self.zone_sides(enemy.hex);
            for direction in 0..6 {
                if let Some(next) = enemy.hex.neighbour(direction).filter(|_| sides >> direction & 1 == 1) {
                    self.near.insert(next);
                    if watches {
                        self.zones.insert(next);
                    }
                }
            }
        }
    }

    /// The enemies whose zones a hex would lie in, in their order.
    fn holders(&self, at: HexId) -> Vec<Holder> {
        let of = |enemy: &Enemy| {
            let same_hex = enemy.hex == at;
            let reached = enemy
                .hex
                .towards(at)
                .is_some_and(|direction| self.reaches_over(self.way(enemy.hex, direction).0));
            (same_hex || reached).then_some(Holder {
                sp: enemy.sp,
                cavalry: enemy.cavalry,
                foraging: enemy.foraging,
                same_hex,
            })
        };
        self.enemies.iter().filter_map(of).collect()
    }

    /// What lies on a hexside, and the road over it.
    #[must_use]
    pub fn way(&self, from: HexId, direction: usize) -> (Side, Road) {
        let changed = self.changed.iter().find(|one| one.from == from && one.direction == direction);
        changed.map_or_else(
            || {
                let cell = self.map.cell(from);
                (cell.sides[direction], cell.roads[direction])
            },
            |one| (one.side, one.road),
        )
    }

    /// A zone of control does not reach over open water.
    fn reaches_over(&self, side: Side) -> bool {
        let side = terrain::in_weather(side, self.weather, self.options, &mut quiet());
        !matches!(side, Side::Lake | Side::PrimaryRiver)
    }

    /// Whether an enemy exerts a zone of control there.
    #[must_use]
    pub const fn in_zone(&self, hex: HexId) -> bool {
        self.zones.has(hex)
    }

    /// Whether an enemy stands there.
    #[must_use]
    pub const fn is_occupied(&self, hex: HexId) -> bool {
        self.occupied.has(hex)
    }

    /// The cell in a direction, if it is in play.
    fn next(&self, from: HexId, direction: usize) -> Option<&'a Cell> {
        from.neighbour(direction).map(|id| self.map.cell(id)).filter(|cell| cell.in_play)
    }

    /// What one step costs an arm: the terrain chart and the zones of control it leaves.
    ///
    /// # Errors
    /// When the hexside cannot be crossed.
    pub fn step(
        &self,
        arm: Arm,
        from: HexId,
        direction: usize,
        clerk: &mut impl Clerk,
    ) -> Verdict<Option<MovementPoints>> {
        let Some(to) = self.next(from, direction) else { return Ok(None) };
        if self.is_occupied(to.id) {
            return Ok(None);
        }
        let (side, road) = self.way(from, direction);
        let step = Step { hex: to.hex, ground: to.ground, road, side };
        let mut cost = terrain::enter(arm, step, self.weather, self.options, clerk)?;
        if self.near.has(from) {
            cost += terrain::leave_zoc(arm, &self.holders(from), self.game, clerk);
        }
        Ok(Some(cost))
    }

    /// What one step costs a line of communication: cavalry costs, roads as told, bridges free.
    fn line_step(&self, from: HexId, direction: usize, roads: Roads) -> Option<MovementPoints> {
        let to = self.next(from, direction)?;
        let (side, road) = self.way(from, direction);
        if road != Road::None {
            let road = if roads == Roads::One || road == Road::Secondary {
                tables::secondary_road()
            } else {
                tables::primary_road()
            };
            return Some(road + bridge_of_line(side));
        }
        let free = tables::side(side).is_some_and(|row| row.communication.is_some());
        let side = if free { Side::None } else { side };
        let step = Step { hex: to.hex, ground: to.ground, road, side };
        terrain::enter(Arm::Cavalry, step, self.weather, self.options, &mut quiet()).ok()
    }

    /// Shortest ways from any of these hexes that enter none that is barred, no longer than `most`: of equal ones
    /// the way over the lower hex. Every step costs something, so that the hexes of one cost are known when their
    /// turn comes.
    fn search(
        starts: &[HexId],
        most: MovementPoints,
        barred: &HexSet,
        steps: impl Fn(HexId) -> Steps,
    ) -> Ways {
        let most = u16::try_from(most.count().max(0)).unwrap_or(NONE - 1).min(NONE - 1);
        let mut ways = Ways::new();
        // No way is shorter than none, so that nobody enters where it is put down as free.
        barred.places().for_each(|place| ways.cost[place] = 0);
        let mut open = vec![starts.iter().copied().collect::<HexSet>()];
        for start in starts {
            ways.cost[start.place()] = 0;
        }
        let mut cost = 0;
        while let Some(&turn) = open.get(usize::from(cost)) {
            for place in turn.places() {
                let Some(hex) = HexId::placed(place).filter(|_| ways.cost[place] == cost) else { continue };
                ways.reached.push(hex);
                let around = &NEIGHBOURS[place];
                for (direction, more) in (0..).zip(steps(hex)) {
                    if more == SHUT {
                        continue;
                    }
                    let next = usize::from(around[usize::from(direction)]);
                    let total = cost.saturating_add(more.max(1));
                    let Some(known) = ways.cost.get_mut(next) else { continue };
                    if total <= most && total < *known {
                        *known = total;
                        ways.last[next] = direction;
                        let later = usize::from(total);
                        if open.len() <= later {
                            open.resize(later + 1, HexSet::EMPTY);
                        }
                        open[later].insert_at(next);
                    }
                }
            }
            cost += 1;
        }
        for place in barred.without(&open[0]).places() {
            ways.cost[place] = NONE;
        }
        ways
    }

    /// Every hex an arm can reach with so many MP.
    #[must_use]
    pub fn ways(&self, arm: Arm, start: HexId, most: MovementPoints) -> Ways {
        Self::search(&[start], most, &self.occupied, self.paces(arm))
    }

    /// The hexes of such ways, nearest first.
    #[must_use]
    pub fn reach(&self, arm: Arm, start: HexId, most: MovementPoints) -> Vec<Reached> {
        let ways = self.ways(arm, start, most);
        let mut reached: Vec<Reached> = self
            .map
            .cells()
            .iter()
            .filter_map(|cell| ways.cost(cell.id).map(|cost| Reached { hex: cell.id, cost, cavalry: None }))
            .collect();
        reached.sort_by_key(|reached| (reached.cost, reached.hex));
        reached
    }

    /// What a mixed formation reaches: two counts run side by side, and it stops when either is
    /// spent. For each hex the way that costs the infantry least is given, with the cavalry's count.
    #[must_use]
    pub fn reach_mixed(
        &self,
        start: HexId,
        infantry: MovementPoints,
        cavalry: MovementPoints,
    ) -> Vec<Reached> {
        let layers = usize::try_from(infantry.count()).unwrap_or(0) + 1;
        let cells = self.map.cells().len();
        // best[halves of infantry MP][hex] = the least cavalry MP; every step costs infantry something.
        let mut best: Vec<Vec<Option<MovementPoints>>> = vec![vec![None; cells]; layers];
        best[0][start.place()] = Some(MovementPoints::ZERO);
        for layer in 0..layers {
            for cell in self.map.cells() {
                let Some(ridden) = best[layer][cell.id.place()] else { continue };
                for direction in 0..6 {
                    let Some(next) = cell.id.neighbour(direction) else { continue };
                    let pay = |arm| {
                        self.pace(arm, cell.id, direction).map(|cost| MovementPoints::halves(cost.into()))
                    };
                    let (Some(foot), Some(horse)) = (pay(Arm::Infantry), pay(Arm::Cavalry)) else { continue };
                    let reached = layer + usize::try_from(foot.count()).unwrap_or(layers);
                    let total = ridden + horse;
                    if foot > MovementPoints::ZERO
                        && reached < layers
                        && total <= cavalry
                        && best[reached][next.place()].is_none_or(|known| total < known)
                    {
                        best[reached][next.place()] = Some(total);
                    }
                }
            }
        }
        let mut reached: Vec<Reached> = self
            .map
            .cells()
            .iter()
            .filter_map(|cell| {
                let layer = best.iter().position(|layer| layer[cell.id.place()].is_some())?;
                let cost = MovementPoints::halves(i32::try_from(layer).unwrap_or(i32::MAX));
                Some(Reached { hex: cell.id, cost, cavalry: best[layer][cell.id.place()] })
            })
            .collect();
        reached.sort_by_key(|reached| (reached.cost, reached.hex));
        reached
    }

    /// Lines of communication from a hex; with `blocked` the enemy stops them.
    #[must_use]
    pub fn lines(&self, start: HexId, blocked: bool) -> Ways {
        self.lines_within(start, blocked, MovementPoints::whole(10_000))
    }

    /// The same, no longer than `most`.
    #[must_use]
    pub fn lines_within(&self, start: HexId, blocked: bool, most: MovementPoints) -> Ways {
        let barred = if blocked { self.shut() } else { NOTHING };
        self.lines_past(start, &barred, most)
    }

    fn lines_past(&self, start: HexId, barred: &HexSet, most: MovementPoints) -> Ways {
        let roads = self.roads();
        let anew = |hex, direction| self.line(hex, direction, roads);
        Self::search(&[start], most, barred, self.by_chart(self.chart().out(roads), anew))
    }

    /// Where lines stop: an enemy is there, or his zone and no friend.
    fn shut(&self) -> HexSet {
        self.zones.without(&self.friends).and(&self.occupied)
    }

    /// What the line from every hex to the nearest of these ends costs, no longer than `most`. The ends may lie
    /// in an enemy zone, though no enemy may stand there.
    #[must_use]
    pub fn lines_to(&self, ends: &[HexId], most: MovementPoints) -> Rc<Ways> {
        let roads = self.roads();
        let free: Vec<HexId> = ends.iter().copied().filter(|&end| !self.is_occupied(end)).collect();
        let shut = self.shut().without(&free.iter().copied().collect::<HexSet>());
        pace::remembered(self, pace::Search::LinesTo(free.clone(), most, roads, shut), || {
            let back =
                self.by_chart(self.chart().back(roads), |to, direction| self.line_back(to, direction, roads));
            Self::search(&free, most, &NOTHING, |to| if shut.has(to) { NOWHERE } else { back(to) })
        })
    }

    /// The lines of [`lines_within`](Self::lines_within) that the enemy stops.
    #[must_use]
    pub fn lines_from(&self, start: HexId, most: MovementPoints) -> Rc<Ways> {
        let shut = self.shut();
        pace::remembered(self, pace::Search::LinesFrom(start, most, self.roads(), shut), || {
            self.lines_past(start, &shut, most)
        })
    }

    /// Where an arm may march: every hex, but no farther from a hex in an enemy zone other than the first.
    #[must_use]
    pub fn marches(&self, arm: Arm, start: HexId, most: MovementPoints) -> Rc<Ways> {
        let search = pace::Search::Marches(arm, start, most, self.game, self.enemies.clone());
        pace::remembered(self, search, || {
            let paces = self.paces(arm);
            Self::search(&[start], most, &self.occupied, |from| {
                if from != start && self.in_zone(from) { NOWHERE } else { paces(from) }
            })
        })
    }

    /// Primary road hexes between two places, free of the enemy; `None` where the road is cut.
    pub fn road_distance(&self, from: HexId, to: HexId, clerk: &mut impl Clerk) -> Option<i32> {
        let ways = self.primary_roads(from);
        Some(clerk.value(rule!(CA_ADMIN_02), ways.cost(to)?.count() / 2))
    }

    /// The ways along primary roads free of the enemy, a hex as one whole point.
    #[must_use]
    pub fn primary_roads(&self, from: HexId) -> Rc<Ways> {
        let shut = self.shut();
        pace::remembered(self, pace::Search::PrimaryRoads(from, shut), || {
            let steps =
                self.by_chart(&self.chart().roads, |hex, direction| self.primary_road(hex, direction));
            Self::search(&[from], MovementPoints::whole(10_000), &shut, steps)
        })
    }

    /// Shortest ways of an arm as `step` allows them: for whoever has reasons of his own to stop.
    #[must_use]
    pub fn ways_where(
        &self,
        start: HexId,
        most: MovementPoints,
        step: impl Fn(HexId, usize) -> Option<MovementPoints>,
    ) -> Ways {
        let halves = |points: MovementPoints| u16::try_from(points.count()).ok();
        Self::search(&[start], most, &NOTHING, |from| {
            std::array::from_fn(|direction| step(from, direction).and_then(halves).unwrap_or(SHUT))
        })
    }
}
