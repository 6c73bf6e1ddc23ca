//! Where what is in hand, or could be, may march: every hex, by which way, at what cost. The ways are those of
//! the candidates and the costs those of the validator (section 5 of the game page).

use std::rc::Rc;

use kernel::MovementPoints;

use crate::map::{HexId, map};
use crate::routes::{Field, Ways};
use crate::terms::{Arm, Army};

use super::march::Purse;
use super::roster::enemy;
use super::state::{Hand, State};

/// A hex in reach.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    /// The way, without the hex it begins in.
    pub(crate) path: Vec<HexId>,
    /// What it costs the slowest arm, in halves.
    pub(crate) cost: i16,
    /// What is left then of the ordinary march.
    pub(crate) left: i16,
    /// Whether it takes an extended march.
    pub(crate) extended: bool,
    /// Whether it ends in a known enemy zone.
    pub(crate) zone: bool,
}

impl State {
    /// The shortest ways of what is in hand: no farther from a known enemy zone, with the extension.
    pub(crate) fn ways_of(start: HexId, purse: &Purse, field: &Field<'_>) -> Option<Rc<Ways>> {
        let arm = if purse.left[0].is_some() { Arm::Infantry } else { Arm::Cavalry };
        let left = purse.left[0].or(purse.left[1])?;
        let most = MovementPoints::halves(i32::from((left + purse.extension).max(0)));
        Some(field.marches(arm, start, most))
    }

    /// Every hex that may be marched to.
    pub(crate) fn reach_of(&self, side: Army, hand: Hand) -> Vec<Reach> {
        let seen = self.seen(Some(side), enemy(side));
        let field = self.field_of(side, &seen, &[]);
        let Some(start) = self.body_at(side, hand.body) else { return Vec::new() };
        let purse = self.purse(side, hand);
        let Some(ways) = Self::ways_of(start, &purse, &field) else { return Vec::new() };
        let reached = |end: HexId| {
            ways.cost(end)?;
            let path = ways.path(end).get(1..)?.to_vec();
            let pays = self.steps(side, hand, &path, &seen, &field).ok()?;
            let spent = [0, 1].map(|arm| pays.iter().map(|pay| pay[arm]).sum::<i16>());
            let left = (0..2).filter_map(|arm| Some(purse.left[arm]? - spent[arm])).min().unwrap_or(0);
            let cost = spent[0].max(spent[1]);
            Some(Reach { path, cost, left: left.max(0), extended: left < 0, zone: field.in_zone(end) })
        };
        map().cells().iter().map(|cell| cell.id).filter(|&end| end != start).filter_map(reached).collect()
    }

    /// The ways of a body by what is known, however far.
    fn long_ways(&self, side: Army, hand: Hand) -> Option<Rc<Ways>> {
        let seen = self.seen(Some(side), enemy(side));
        let field = self.field_of(side, &seen, &[]);
        let start = self.body_at(side, hand.body)?;
        let purse = self.purse(side, hand);
        let far = Purse { left: purse.left.map(|left| left.map(|_| 1_000)), extension: 0 };
        Self::ways_of(start, &far, &field)
    }

    /// A way to a hex by what is known, however far; none where there is none.
    pub(crate) fn long_way(&self, side: Army, hand: Hand, to: HexId) -> Vec<HexId> {
        let ways = self.long_ways(side, hand);
        ways.map_or_else(Vec::new, |ways| ways.path(to).get(1..).unwrap_or_default().to_vec())
    }

    /// What such a way costs, in halves.
    pub(crate) fn long_cost(&self, side: Army, hand: Hand, to: HexId) -> Option<i32> {
        self.long_ways(side, hand)?.cost(to).map(MovementPoints::count)
    }
}
