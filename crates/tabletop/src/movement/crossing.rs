//! Obstacles met on a march (TE-R75): the approach, then whole ranks each half-period.

use kernel::{Centimetres, Clerk, Verdict};

use super::{Going, Marcher, Pace, THIRDS};
use crate::terrain::charge;
use crate::terrain::obstacles::{ObstacleClass, cross};

impl Marcher<'_> {
    /// The obstacle the body crosses in the coming half-period: it stands at it, or reaches it with
    /// enough of the reduced allowance left for one rank.
    pub(super) fn obstacle_ahead(&self, half: i64, going: &Going) -> Option<ObstacleClass> {
        let here = self.march.way.get(self.at)?;
        if self.across < self.deep
            && let Some(class) = here.obstacle
        {
            return Some(class);
        }
        if self.turns_next() {
            return None;
        }
        let class = self.march.way.get(self.at + 1)?.obstacle?;
        let fraction = class.fraction();
        let allowance = half * i64::from(fraction.of) / i64::from(fraction.whole);
        let depth = i64::from(self.march.troops.base_depth().count());
        (self.approach(going).1 + depth <= allowance).then_some(class)
    }

    /// What is left of the stretch at hand, and what it costs.
    fn approach(&self, going: &Going) -> (i64, i64) {
        let length = self.march.way.get(self.at).map_or(0, |stretch| i64::from(stretch.cm.count().max(0)));
        let left = (length - self.done).max(0);
        (left, left * i64::from(going.fraction.whole) / i64::from(going.fraction.of.max(1)))
    }

    /// A half-period of crossing (TE-R75): the approach, whole ranks, and on once all are over.
    pub(super) fn cross_by_rank(
        &mut self,
        class: ObstacleClass,
        half: i64,
        quarters: i32,
        going: &mut Going,
        clerk: &mut impl Clerk,
    ) -> Verdict<()> {
        charge::not_across(self.march.pace == Pace::Charge)?;
        cross::may_cross(class, self.march.troops)?;
        let at_it = self.march.way.get(self.at).is_some_and(|stretch| stretch.obstacle.is_some())
            && self.across < self.deep;
        let (mut moved, mut approach_cost) = (0, 0);
        if !at_it {
            let (distance, cost) = self.approach(going);
            (moved, approach_cost) = (distance, cost);
            self.note(distance, cost * THIRDS);
            self.next_stretch();
            *going = self.enter(clerk)?;
        }
        if let Some(imposed) = cross::imposes(class, self.march.troops, self.options, clerk) {
            self.state = self.state.max(imposed);
        }
        let as_cm = |value: i64| Centimetres::hundredths(i32::try_from(value).unwrap_or(i32::MAX));
        let before = self.across;
        let step = cross::half_period(
            class,
            self.march.troops,
            as_cm(half * i64::from(quarters) / 2),
            as_cm(approach_cost),
            self.across,
            clerk,
        )?;
        self.across = step.ranks_across;
        // Ranks across make room: the head goes on by a base for each that follows.
        let passed = i64::from(self.across - before) * i64::from(self.march.troops.base_depth().count());
        let (room, _) = self.approach(going);
        let ahead = passed.min(room);
        self.done += ahead;
        moved += ahead;
        self.note(ahead, passed * THIRDS);
        if let Some(cost) = self.costs.get_mut(self.at) {
            cost.2 = Some(self.across);
        }
        if self.across >= self.deep {
            let mut left = i64::from(step.left.count()) * THIRDS;
            let mut whole_road = false;
            self.advance(&mut left, &mut moved, going, &mut whole_road, clerk)?;
        }
        let first = moved / i64::from(quarters.max(1));
        self.quarters.push(first);
        if quarters == 2 {
            self.quarters.push(moved - first);
        }
        Ok(())
    }
}
