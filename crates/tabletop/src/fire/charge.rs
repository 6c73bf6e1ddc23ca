//! Fire at a charger, section 1.4 of the fire chapter (procedure, section 4.4): path, quarter move
//! and bonus enter; how many quarters the shooter had leaves.

use kernel::{Centimetres, Clerk, Effect};
use rulebook::rule;

use super::Duration;
use crate::scene::Body;
use crate::terrain::on_table::{charge_bonus, quarter_move};

/// A body that reaches contact in this half-period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Approach {
    /// The path from its place at the start of the half-period to contact.
    pub length: Centimetres,
    /// Its base move for a quarter.
    pub quarter: Centimetres,
    /// Its charge bonus; nothing if it does not charge.
    pub bonus: Centimetres,
}

/// The fire of the body that is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// No time to fire.
    None,
    /// At contact, point-blank.
    AtContact(Duration),
    /// A quarter fire at the charger's place at the end of Q1.
    AtFirstQuarter,
}

impl Approach {
    /// The quarter in which contact comes.
    #[must_use]
    pub fn contact_quarter(self) -> Option<i32> {
        if self.length <= self.quarter + self.bonus {
            Some(1)
        } else if self.length <= self.quarter + self.quarter + self.bonus {
            Some(2)
        } else {
            None
        }
    }

    /// What the reached body may fire. `seen` is the last part of the path along which the charger
    /// is in view and in range; `waited` adds a quarter spent still before starting; `still` tells
    /// in which quarters the shooter was (FE-R11).
    pub fn received(
        self,
        seen: Centimetres,
        waited: bool,
        still: [bool; 2],
        clerk: &mut impl Clerk,
    ) -> Reception {
        let Some(quarter) = self.contact_quarter() else { return Reception::None };
        let base = clerk.limit(rule!(FE_1_4_10), self.quarter).count();
        let covered = seen.count().checked_div(base).unwrap_or(2).min(quarter);
        let at_contact = self.length.count() >= quarter * base;
        // Who waited for a quarter starts in the second; a path of less than two quarters has only
        // its first whole.
        let last = if waited { 2 } else { quarter };
        let on_path =
            |q: i32| if at_contact { q <= last && q > last - covered } else { q == 1 && covered >= 1 };
        let quarters =
            (1..=2).zip(still).filter(|&(q, still)| still && (on_path(q) || (waited && q == 1))).count();
        if quarters == 0 {
            let some = Reception::AtFirstQuarter;
            return clerk.makes(rule!(FE_1_4_09), Effect::Refused, Reception::None, some);
        }
        if !clerk.holds(rule!(FE_1_4_09), true) {
            return Reception::None;
        }
        if at_contact && clerk.holds(rule!(FE_1_4_11), true) {
            if quarters >= 2 {
                return Reception::AtContact(Duration::Whole);
            }
            let quarter = clerk.rather(rule!(FE_1_4_12), Duration::Quarter, Duration::Whole);
            return Reception::AtContact(quarter);
        }
        Reception::AtFirstQuarter
    }

    /// How many complete quarters any other body has (FE-R12).
    pub fn witnessed(self, clerk: &mut impl Clerk) -> i32 {
        let Some(quarter) = self.contact_quarter() else { return 2 };
        let bonus = clerk.rather(rule!(FE_1_4_13), self.bonus, Centimetres::ZERO);
        let full = Centimetres::hundredths(quarter * self.quarter.count()) + bonus;
        if self.length == full { quarter } else { quarter - 1 }
    }
}

/// The approach of a body that its record tells of.
#[must_use]
pub fn approach(body: &Body) -> Option<Approach> {
    let contact = body.setup.record.contact.as_ref()?;
    let moved = crate::geometry::Gap::whole((body.moved[0] + body.moved[1]).pow(2)).centimetres();
    let bonus = if contact.charging {
        contact.bonus.unwrap_or_else(|| charge_bonus(body))
    } else {
        Centimetres::ZERO
    };
    Some(Approach {
        length: contact.length.unwrap_or(moved),
        quarter: contact.quarter_move.unwrap_or_else(|| quarter_move(body)),
        bonus,
    })
}

#[cfg(test)]
mod tests {
    use kernel::{Desk, Scripted, Spoken};

    use super::*;

    const STILL: [bool; 2] = [true, true];

    fn cm(hundredths: i32) -> Centimetres {
        Centimetres::hundredths(hundredths)
    }

    fn desk() -> Desk<Scripted<'static>, Spoken> {
        Desk::new(Scripted::new(&[]), Spoken::default())
    }

    fn receive(length: i32, bonus: i32) -> Reception {
        let approach = Approach { length: cm(length), quarter: cm(450), bonus: cm(bonus) };
        approach.received(cm(length), false, STILL, &mut desk())
    }

    fn witness(length: i32, bonus: i32) -> i32 {
        let approach = Approach { length: cm(length), quarter: cm(450), bonus: cm(bonus) };
        approach.witnessed(&mut desk())
    }

    #[test]
    fn fe_ex_06_the_charged_line_fires_point_blank_for_a_quarter() {
        assert_eq!(receive(600, 400), Reception::AtContact(Duration::Quarter));
    }

    #[test]
    fn fe_ex_07_its_neighbour_has_no_time() {
        assert_eq!(witness(600, 400), 0);
    }

    #[test]
    fn fe_ex_43_every_length_of_charge() {
        use Duration::{Quarter, Whole};
        use Reception::{AtContact, AtFirstQuarter, None};
        let lengths = [300, 450, 600, 850, 870, 900, 1200, 1300];
        assert_eq!(
            lengths.map(|length| receive(length, 400)),
            [
                None,
                AtContact(Quarter),
                AtContact(Quarter),
                AtContact(Quarter),
                AtFirstQuarter,
                AtContact(Whole),
                AtContact(Whole),
                AtContact(Whole)
            ]
        );
        assert_eq!(lengths.map(|length| witness(length, 400)), [0, 0, 0, 1, 1, 1, 1, 2]);
    }

    #[test]
    fn fe_ex_53_walking_into_contact() {
        use Duration::{Quarter, Whole};
        use Reception::{AtContact, AtFirstQuarter, None};
        let lengths = [300, 450, 600, 900];
        assert_eq!(
            lengths.map(|length| receive(length, 0)),
            [None, AtContact(Quarter), AtFirstQuarter, AtContact(Whole)]
        );
        assert_eq!(lengths.map(|length| witness(length, 0)), [0, 1, 1, 2]);
    }

    #[test]
    fn a_quarter_in_which_the_shooter_moved_does_not_count() {
        let approach = Approach { length: cm(900), quarter: cm(450), bonus: cm(400) };
        let fire = |still| approach.received(cm(900), false, still, &mut desk());
        assert_eq!(fire([false, true]), Reception::AtContact(Duration::Quarter));
        assert_eq!(fire([false, false]), Reception::None);
        let hidden = approach.received(cm(440), false, STILL, &mut desk());
        assert_eq!(hidden, Reception::None, "seen for less than a quarter");
        let waiting = Approach { length: cm(450), ..approach };
        let waited = |still| waiting.received(cm(450), true, still, &mut desk());
        assert_eq!(waited(STILL), Reception::AtContact(Duration::Whole));
        for one_of_both in [[true, false], [false, true]] {
            assert_eq!(waited(one_of_both), Reception::AtContact(Duration::Quarter));
        }
        assert_eq!(waited([false, false]), Reception::None);
    }

    #[test]
    fn the_quarter_measured_at_its_end_is_the_one_that_counts() {
        let approach = Approach { length: cm(870), quarter: cm(450), bonus: cm(400) };
        let fire = |still| approach.received(cm(870), false, still, &mut desk());
        assert_eq!(fire([true, false]), Reception::AtFirstQuarter);
        assert_eq!(fire([false, true]), Reception::None);
    }
}
