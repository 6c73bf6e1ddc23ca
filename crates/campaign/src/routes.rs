//! Ways over the map: how far an arm gets, what its path costs, whether a line of communication
//! reaches. Costs are those of the terrain chart; Dijkstra does the rest.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use kernel::{Clerk, Desk, MovementPoints, Scripted, Silent, Verdict};
use rulebook::options::campaign::{CommunicationRoads, Options};
use rulebook::rule;

use crate::map::{Cell, HexId, Map};
use crate::tables::{self, SideCost};
use crate::terms::{Arm, Game, Road, Side, Weather};
use crate::terrain::{self, Holder, Step};

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
    occupied: Vec<bool>,
    zones: Vec<Vec<Holder>>,
    friends: Vec<HexId>,
    changed: Vec<Changed>,
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

/// The ways found from one hex.
#[derive(Clone, Debug)]
pub struct Ways {
    cost: Vec<Option<MovementPoints>>,
    from: Vec<Option<HexId>>,
}

impl Ways {
    /// What the way to a hex costs, if there is one.
    #[must_use]
    pub fn cost(&self, to: HexId) -> Option<MovementPoints> {
        self.cost[to.place()]
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
            at = self.from[hex.place()];
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
        let mut field = Self {
            map,
            weather,
            game,
            options,
            occupied: vec![false; map.cells().len()],
            zones: vec![Vec::new(); map.cells().len()],
            friends: friends.to_vec(),
            changed: Vec::new(),
        };
        field.stand(enemies);
        field
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
        let mut field = Self::new(map, weather, game, &[], friends, options);
        field.changed = changed;
        field.stand(enemies);
        field
    }

    /// Puts enemies on the map, with their zones.
    fn stand(&mut self, enemies: &[Enemy]) {
        let field = self;
        for enemy in enemies {
            let holder =
                Holder { sp: enemy.sp, cavalry: enemy.cavalry, foraging: enemy.foraging, same_hex: false };
            field.occupied[enemy.hex.place()] = true;
            field.zones[enemy.hex.place()].push(Holder { same_hex: true, ..holder });
            for direction in 0..6 {
                if let Some(next) = enemy.hex.neighbour(direction)
                    && field.reaches_over(field.way(enemy.hex, direction).0)
                {
                    field.zones[next.place()].push(holder);
                }
            }
        }
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

    /// Whether a friendly formation stands there.
    fn is_held(&self, hex: HexId) -> bool {
        self.friends.contains(&hex)
    }

    /// Whether an enemy exerts a zone of control there.
    #[must_use]
    pub fn in_zone(&self, hex: HexId) -> bool {
        self.zones[hex.place()]
            .iter()
            .any(|holder| holder.same_hex || !holder.foraging || self.game == Game::Battle)
    }

    /// Whether an enemy stands there.
    #[must_use]
    pub fn is_occupied(&self, hex: HexId) -> bool {
        self.occupied[hex.place()]
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
        let zones = &self.zones[from.place()];
        if !zones.is_empty() {
            cost += terrain::leave_zoc(arm, zones, self.game, clerk);
        }
        Ok(Some(cost))
    }

    /// What one step costs a line of communication: cavalry costs, roads as told, bridges free.
    fn line_step(&self, from: HexId, direction: usize, road_at_one: bool) -> Option<MovementPoints> {
        let to = self.next(from, direction)?;
        let (side, road) = self.way(from, direction);
        if road != Road::None {
            let road = if road_at_one || road == Road::Secondary {
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

    /// Shortest ways from a hex, no longer than `most`.
    fn shortest(
        &self,
        start: HexId,
        most: MovementPoints,
        step: impl Fn(HexId, usize) -> Option<MovementPoints>,
    ) -> Ways {
        let cells = self.map.cells().len();
        let mut ways = Ways { cost: vec![None; cells], from: vec![None; cells] };
        let mut open = BinaryHeap::new();
        ways.cost[start.place()] = Some(MovementPoints::ZERO);
        open.push(Reverse((MovementPoints::ZERO, start)));
        while let Some(Reverse((cost, hex))) = open.pop() {
            if ways.cost(hex).is_some_and(|best| best < cost) {
                continue;
            }
            for direction in 0..6 {
                let Some(next) = hex.neighbour(direction) else { continue };
                let Some(more) = step(hex, direction) else { continue };
                let total = cost + more;
                if total <= most && ways.cost(next).is_none_or(|best| total < best) {
                    ways.cost[next.place()] = Some(total);
                    ways.from[next.place()] = Some(hex);
                    open.push(Reverse((total, next)));
                }
            }
        }
        ways
    }

    /// Every hex an arm can reach with so many MP.
    #[must_use]
    pub fn ways(&self, arm: Arm, start: HexId, most: MovementPoints) -> Ways {
        self.shortest(start, most, |hex, direction| {
            self.step(arm, hex, direction, &mut quiet()).ok().flatten()
        })
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
                    let pay = |arm| self.step(arm, cell.id, direction, &mut quiet()).ok().flatten();
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
        let road_at_one =
            self.game == Game::Battle || self.options.communication_roads == CommunicationRoads::OneMp;
        self.shortest(start, most, |hex, direction| {
            let next = hex.neighbour(direction)?;
            if blocked && (self.is_occupied(next) || (self.in_zone(next) && !self.is_held(next))) {
                return None;
            }
            self.line_step(hex, direction, road_at_one)
        })
    }

    /// Primary road hexes between two places, free of the enemy; `None` where the road is cut.
    pub fn road_distance(&self, from: HexId, to: HexId, clerk: &mut impl Clerk) -> Option<i32> {
        let ways = self.primary_roads(from);
        Some(clerk.value(rule!(CA_ADMIN_02), ways.cost(to)?.count() / 2))
    }

    /// The ways along primary roads free of the enemy, a hex as one whole point.
    #[must_use]
    pub fn primary_roads(&self, from: HexId) -> Ways {
        self.shortest(from, MovementPoints::whole(10_000), |hex, direction| {
            let next = hex.neighbour(direction)?;
            let open = !self.is_occupied(next) && (!self.in_zone(next) || self.is_held(next));
            (open && self.way(hex, direction).1 == Road::Primary).then_some(MovementPoints::whole(1))
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
        self.shortest(start, most, step)
    }
}
