//! The morale of Danzig (chapter 9.1): every event that moves the track, most of them once in a game.

use kernel::{Clerk, RuleId};
use rulebook::rule;
use rulebook::tables::danzig::MoraleEventsEvent as MoraleEvent;

use crate::state::Danzig;

impl Danzig {
    fn shift(&mut self, rule: RuleId, event: MoraleEvent, clerk: &mut impl Clerk) {
        let by = clerk.rather(rule!(DZ_9_1_05), event.row().morale_change, 0);
        let by = clerk.modifier(rule, by);
        self.morale = self.morale.saturating_add_signed(i8::try_from(by).unwrap_or(0));
    }

    /// The investment is complete this turn.
    pub fn invested(&mut self, clerk: &mut impl Clerk) {
        self.shift(rule!(DZ_9_1_06), MoraleEvent::InvestmentTurn, clerk);
    }

    /// A mortar has set the city on fire.
    pub fn set_on_fire(&mut self, clerk: &mut impl Clerk) {
        self.shift(rule!(DZ_9_1_07), MoraleEvent::MortarFire, clerk);
    }

    /// The corvette has come through, or has not.
    pub fn corvette(&mut self, came_through: bool, clerk: &mut impl Clerk) {
        if came_through {
            self.shift(rule!(DZ_9_1_09), MoraleEvent::CorvetteSucceeds, clerk);
        } else {
            self.shift(rule!(DZ_9_1_08), MoraleEvent::CorvetteFails, clerk);
        }
    }

    /// A wall point has come down to level 0.
    pub fn wall_point_at_zero(&mut self, clerk: &mut impl Clerk) {
        if !self.first_zero_done {
            self.first_zero_done = true;
            self.shift(rule!(DZ_9_1_10), MoraleEvent::WallPointZero, clerk);
        }
    }

    /// Benningsen has moved.
    pub fn benningsen(&mut self, clerk: &mut impl Clerk) {
        if !self.benningsen_done {
            self.benningsen_done = true;
            self.shift(rule!(DZ_9_1_11), MoraleEvent::BenningsenMoves, clerk);
        }
    }

    /// A unit of Kamenski has reached the city or an approach of the concentration area.
    pub fn relieved(&mut self, clerk: &mut impl Clerk) {
        if !self.relief_done {
            self.relief_done = true;
            self.shift(rule!(DZ_9_1_12), MoraleEvent::ReliefKamenski, clerk);
        }
    }

    /// French infantry stands on a point of the second wall.
    pub fn second_line_entered(&mut self, clerk: &mut impl Clerk) {
        if !self.second_line_done {
            self.second_line_done = true;
            self.shift(rule!(DZ_9_1_13), MoraleEvent::SecondLineEntered, clerk);
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::scripted;

    use super::*;

    /// The track after an event, from 10.
    fn after(event: impl Fn(&mut Danzig, &mut kernel::Desk<kernel::Scripted<'_>, kernel::Spoken>)) -> u8 {
        let mut danzig = Danzig { morale: 10, ..Danzig::default() };
        scripted(&[], |clerk| event(&mut danzig, clerk)).unwrap();
        danzig.morale
    }

    #[test]
    fn dz_9_1_06_to_13_what_each_event_does_to_the_track() {
        assert_eq!(after(|danzig, clerk| danzig.invested(clerk)), 9);
        assert_eq!(after(|danzig, clerk| danzig.set_on_fire(clerk)), 9);
        assert_eq!(after(|danzig, clerk| danzig.corvette(false, clerk)), 8);
        assert_eq!(after(|danzig, clerk| danzig.corvette(true, clerk)), 12);
        assert_eq!(after(|danzig, clerk| danzig.wall_point_at_zero(clerk)), 8);
        assert_eq!(after(|danzig, clerk| danzig.benningsen(clerk)), 12);
        assert_eq!(after(|danzig, clerk| danzig.relieved(clerk)), 13);
        assert_eq!(after(|danzig, clerk| danzig.second_line_entered(clerk)), 8);
    }

    #[test]
    fn dz_9_1_10_to_13_what_happens_once_in_a_game_happens_once() {
        let twice = after(|danzig, clerk| {
            for _ in 0..2 {
                danzig.wall_point_at_zero(clerk);
                danzig.benningsen(clerk);
                danzig.relieved(clerk);
                danzig.second_line_entered(clerk);
            }
        });
        assert_eq!(twice, 10 - 2 + 2 + 3 - 2);
    }
}
