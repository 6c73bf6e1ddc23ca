//! The morale of Danzig (chapter 9.1): every event that moves the track, most of them once in a game.

use kernel::{Clerk, RuleId};
use rulebook::rule;
use rulebook::tables::danzig::MORALE_EVENTS;

use crate::state::Danzig;

impl Danzig {
    fn shift(&mut self, rule: RuleId, event: &str, clerk: &mut impl Clerk) {
        let by = MORALE_EVENTS.iter().find(|row| row.event == event).map_or(0, |row| row.morale_change);
        let by = clerk.rather(rule!(DZ_9_1_05), by, 0);
        let by = clerk.modifier(rule, by);
        self.morale = self.morale.saturating_add_signed(i8::try_from(by).unwrap_or(0));
    }

    /// The investment is complete this turn.
    pub fn invested(&mut self, clerk: &mut impl Clerk) {
        self.shift(rule!(DZ_9_1_06), "investment_turn", clerk);
    }

    /// A mortar has set the city on fire.
    pub fn set_on_fire(&mut self, clerk: &mut impl Clerk) {
        self.shift(rule!(DZ_9_1_07), "mortar_fire", clerk);
    }

    /// The corvette has come through, or has not.
    pub fn corvette(&mut self, came_through: bool, clerk: &mut impl Clerk) {
        if came_through {
            self.shift(rule!(DZ_9_1_09), "corvette_succeeds", clerk);
        } else {
            self.shift(rule!(DZ_9_1_08), "corvette_fails", clerk);
        }
    }

    /// A wall point has come down to level 0.
    pub fn wall_point_at_zero(&mut self, clerk: &mut impl Clerk) {
        if !self.first_zero_done {
            self.first_zero_done = true;
            self.shift(rule!(DZ_9_1_10), "wall_point_zero", clerk);
        }
    }

    /// Benningsen has moved.
    pub fn benningsen(&mut self, clerk: &mut impl Clerk) {
        if !self.benningsen_done {
            self.benningsen_done = true;
            self.shift(rule!(DZ_9_1_11), "benningsen_moves", clerk);
        }
    }

    /// A unit of Kamenski has reached the city or an approach of the concentration area.
    pub fn relieved(&mut self, clerk: &mut impl Clerk) {
        if !self.relief_done {
            self.relief_done = true;
            self.shift(rule!(DZ_9_1_12), "relief_kamenski", clerk);
        }
    }

    /// French infantry stands on a point of the second wall.
    pub fn second_line_entered(&mut self, clerk: &mut impl Clerk) {
        if !self.second_line_done {
            self.second_line_done = true;
            self.shift(rule!(DZ_9_1_13), "second_line_entered", clerk);
        }
    }
}
