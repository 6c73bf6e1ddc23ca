//! Where columns want to go when there is nothing to strike today: prey that can be caught, a place that
//! counts, the heaviest stack of the own army. The Austro-Russians fall back until they have come together.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use kernel::MovementPoints;
use rulebook::options::campaign::Options;
use rulebook::tables::campaign::{GAME_GOALS, GAME_VICTORY_HEXES, GameWeightsKey as Weight};

use crate::map::{HexId, map};
use crate::routes::{Field, Ways};
use crate::terms::{Arm, Army, Game, Weather};

use super::super::march::{distance, quiet};
use super::super::roster::{self, hex};
use super::super::state::Scenario;
use super::estimate::remaining;
use super::{Column, Mind, outweighs, weight};

/// Where the Austro-Russian armies meet, and where they go if the French are there first.
const RALLY: &str = "2516";
const FORTRESS: &str = "2603";
/// What must be joined to the French sources at the end, or kept from them (core 18.5).
const BRUNN: &str = "1822";

/// What the ways to the places of the tables cost infantry in clear weather, as printed.
static WAYS: LazyLock<BTreeMap<HexId, Ways>> = LazyLock::new(|| {
    let options = Options::default();
    let field = Field::new(map(), Weather::Clear, Game::Campaign, &[], &[], &options);
    let to = |goal: HexId| {
        field.ways_where(goal, MovementPoints::whole(1_000), |from, direction| {
            let next = from.neighbour(direction).filter(|&next| map().cell(next).in_play)?;
            let back = next.towards(from)?;
            field.step(Arm::Infantry, next, back, &mut quiet()).ok().flatten()
        })
    };
    let goals = GAME_GOALS.iter().map(|row| row.hex).chain(GAME_VICTORY_HEXES.iter().map(|row| row.hex));
    goals.map(hex).map(|goal| (goal, to(goal))).collect()
});

/// What is left of the way from a hex to a goal, in halves of MP; to what is no place, by the hexes between.
pub(super) fn way_left(from: HexId, goal: HexId) -> i32 {
    let way = WAYS.get(&goal).and_then(|ways| ways.cost(from));
    way.map_or_else(|| 2 * distance(from, goal), MovementPoints::count)
}

/// What a staff is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A hex to march to.
    Place(HexId),
    /// An enemy stack to march up to.
    Prey(HexId),
}

impl Goal {
    pub(super) const fn hex(self) -> HexId {
        match self {
            Self::Place(hex) | Self::Prey(hex) => hex,
        }
    }
}

impl Mind<'_> {
    /// Whether the army falls back: the Austro-Russians do until they have come together.
    pub(super) fn falls_back(&self) -> bool {
        if self.side == Army::French {
            return false;
        }
        match self.state.public.scenario {
            Scenario::Austerlitz => false,
            Scenario::Hollabrunn => true,
            Scenario::November | Scenario::December => {
                let [own, other] = [self.side, Army::French].map(|army| remaining(self.state, army));
                !outweighs(own, other, weight(Weight::RallyRatio))
            }
        }
    }

    /// Whether a column is the garrison of Brünn, on which the final score looks: the smallest column there.
    pub(super) fn is_garrison(&self, column: &Column) -> bool {
        let brunn = hex(BRUNN);
        if !self.state.politics() || column.at != brunn {
            return false;
        }
        let there = self.columns.iter().filter(|other| other.at == brunn);
        there.map(|other| (other.points.all(), other.head)).min() == Some((column.points.all(), column.head))
    }

    /// The goal of a column.
    pub(super) fn goal(&self, column: &Column) -> Option<Goal> {
        if self.falls_back() {
            return Some(Goal::Place(self.refuge(column)));
        }
        let prey = || self.prey(column, weight(Weight::SeekHexes) / 100);
        let place = || self.place().map(Goal::Place);
        prey()
            .or_else(place)
            .or_else(|| self.prey(column, i32::MAX))
            .or_else(|| self.heaviest().map(Goal::Place))
    }

    /// Where a column that falls back goes: the rally, or the fortress if the French are nearer to the rally.
    fn refuge(&self, column: &Column) -> HexId {
        let rally = hex(RALLY);
        let nearest = self.foes.iter().map(|foe| way_left(foe.hex, rally)).min();
        if nearest.is_some_and(|foe| foe < way_left(column.at, rally)) { hex(FORTRESS) } else { rally }
    }

    /// The stack that can be caught and beaten with what is near, the weak and near before others.
    fn prey(&self, column: &Column, within: i32) -> Option<Goal> {
        let with = self.own_within(4, column.at);
        let foes = self.foes.iter().filter(|foe| !foe.vedettes && distance(column.at, foe.hex) <= within);
        let beaten =
            foes.filter(|foe| outweighs(with, self.foes_within(1, foe.hex), weight(Weight::AttackRatio)));
        let best = beaten.min_by_key(|foe| (foe.sp + 2 * distance(column.at, foe.hex), foe.hex));
        best.map(|foe| Goal::Prey(foe.hex))
    }

    /// The first place that counts for the side and that it does not hold: those that give points, then the
    /// others of the tables.
    fn place(&self) -> Option<HexId> {
        let public = &self.state.public;
        let name = public.scenario.name();
        let mine = |who: &str| who == "holder" || roster::army(who) == self.side;
        let points = GAME_VICTORY_HEXES.iter().filter(|row| row.scenario == name && mine(row.who));
        let mut others: Vec<_> =
            GAME_GOALS.iter().filter(|row| row.scenario == name && mine(row.side)).collect();
        others.sort_by_key(|row| row.rank);
        let mut places = points.map(|row| row.hex).chain(others.into_iter().map(|row| row.hex)).map(hex);
        let brunn = hex(BRUNN);
        let empty = |at: HexId| at == brunn && self.state.politics() && self.own_within(0, at) == 0;
        places.find(|&at| public.control.get(&at).is_some_and(|holder| *holder != self.side) || empty(at))
    }

    /// The hex of the own army with most SP.
    pub(super) fn heaviest(&self) -> Option<HexId> {
        let here = |at: HexId| self.own_within(0, at);
        self.columns.iter().map(|column| column.at).max_by_key(|&at| (here(at), at))
    }
}
