//! Positions that come again (DZ-3.1-02, DZ-3.1-03): how they are known, who is asked, and the dice that
//! end them.

use std::hash::{Hash, Hasher};

use kernel::{Clerk, Event};
use rulebook::{phrase, rule};

use crate::state::State;
use crate::unit::{Place, Side, UnitId};

/// Each player rolls until one is higher; he names who plays the last half-round.
pub(super) fn roll_off(state: &mut State, clerk: &mut impl Clerk) {
    let (mut french, mut prussian) = (clerk.d6(), clerk.d6());
    // A tie is rolled again; after a long row of ties the French begin, so that the dice end.
    for _ in 0..20 {
        if french != prussian {
            break;
        }
        (french, prussian) = (clerk.d6(), clerk.d6());
    }
    let higher = if french >= prussian { Side::French } else { Side::Prussian };
    state.clock.phasing = clerk.rather(rule!(DZ_3_1_03), higher, higher.other());
    state.clock.asked = 3;
    clerk.happened(|| Event::new(phrase::danzig::ROLL_OFF).with("french", french).with("prussian", prussian));
}

/// A number that two operational positions share only if they are the same.
pub(super) fn fingerprint(state: &State) -> u64 {
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    for unit in UnitId::all() {
        let counter = state.table.unit(unit);
        counter.place.hash(&mut hasher);
        if matches!(counter.place, Place::Hex(_) | Place::Crossing(_) | Place::Waiting | Place::Concentration)
        {
            counter.facing.hash(&mut hasher);
            counter.formation.hash(&mut hasher);
            counter.steps.hash(&mut hasher);
            counter.is_disordered().hash(&mut hasher);
        }
    }
    state.table.ops.hash(&mut hasher);
    (state.table.danzig.concentration_entered, state.table.danzig.relief_done).hash(&mut hasher);
    hasher.finish()
}

/// FNV-1a, with every number taken as eight bytes so that all platforms agree.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0000_0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number.unsigned_abs() as u64);
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Game as _, Setup};

    use super::*;

    #[test]
    fn whoever_is_lost_makes_another_position() {
        let mut state = State::start(&Setup::default()).unwrap();
        let unit = UnitId::of_code("P01").unwrap();
        state.table.unit_mut(unit).place = Place::Reserve;
        let before = fingerprint(&state);
        assert_eq!(fingerprint(&state), before);
        state.table.unit_mut(unit).place = Place::Eliminated;
        assert_ne!(fingerprint(&state), before);
        state.table.unit_mut(unit).place = Place::Reserve;
        state.table.danzig.relief_done = true;
        assert_ne!(fingerprint(&state), before);
    }
}
