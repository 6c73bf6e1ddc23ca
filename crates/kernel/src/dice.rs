//! Where dice come from. Rule code asks a clerk for a die and does not know whether it is rolled,
//! read from a list or one branch of every possible outcome.
//!
//! Rule code asks for a bounded number of dice: nothing in the five books rolls "until".

use rand_chacha::ChaCha12Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use crate::{Reading, Refusal, Tally, phrase};

/// A source of dice.
pub trait Dice {
    /// The face of a die with `sides` sides, from 1 to `sides`.
    fn die(&mut self, sides: u8) -> u8;

    /// What is read off so many six-sided dice, rolled one after the other.
    fn tally(&mut self, dice: u32, reading: &Reading) -> Tally {
        (0..dice).fold(Tally::default(), |tally, _| reading.and(tally, self.die(6)))
    }
}

/// The 32 bytes a stream of live dice grows from.
pub type Seed = [u8; 32];

/// Seeded dice: the same numbers on every platform.
#[derive(Clone, Debug)]
pub struct Live {
    stream: ChaCha12Rng,
}

impl Live {
    /// Dice that follow from the seed alone.
    #[must_use]
    pub fn from_seed(seed: Seed) -> Self {
        Self { stream: ChaCha12Rng::from_seed(seed) }
    }

    /// Dice for tests and simulations, numbered.
    #[must_use]
    pub fn numbered(number: u64) -> Self {
        Self { stream: ChaCha12Rng::seed_from_u64(number) }
    }

    /// Dice of one decision of a recorded game: they follow from the mixed seed and from how many
    /// decisions have rolled before, and not from the order.
    #[must_use]
    pub fn for_roll(mixed: &Seed, rolls: u64) -> Self {
        Self::from_seed(*blake3::keyed_hash(mixed, &rolls.to_le_bytes()).as_bytes())
    }

    /// A number below `bound`, without bias; for choosing among actions in playouts.
    #[must_use]
    pub fn below(&mut self, bound: u32) -> u32 {
        // Numbers at or above the largest multiple of `bound` are drawn again.
        let bound = bound.max(1);
        let limit = u32::MAX - u32::MAX % bound;
        loop {
            let drawn = self.stream.next_u32();
            if drawn < limit {
                return drawn % bound;
            }
        }
    }
}

impl Dice for Live {
    #[allow(clippy::cast_possible_truncation, reason = "a number below a u8 fits a u8")]
    fn die(&mut self, sides: u8) -> u8 {
        self.below(u32::from(sides)) as u8 + 1
    }
}

/// Why a list of dice does not fit what was rolled. Rolls are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiceFault {
    /// The list ran out.
    #[error("roll {roll} (a die of {sides}) is missing")]
    Missing {
        /// Which roll.
        roll: usize,
        /// The sides of the die.
        sides: u8,
    },
    /// The die has no such face.
    #[error("roll {roll} shows {face}, which a die of {sides} cannot")]
    Impossible {
        /// Which roll.
        roll: usize,
        /// What the list says.
        face: u8,
        /// The sides of the die.
        sides: u8,
    },
    /// The list was longer than what was rolled.
    #[error("{given} dice were given and {used} rolled")]
    LeftOver {
        /// How many the list holds.
        given: usize,
        /// How many were rolled.
        used: usize,
    },
}

impl From<DiceFault> for Refusal {
    fn from(fault: DiceFault) -> Self {
        let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        match fault {
            DiceFault::Missing { roll, sides } => {
                Self::field("dice", phrase::DIE_MISSING).with("roll", number(roll)).with("sides", sides)
            }
            DiceFault::Impossible { roll, face, sides } => Self::field("dice", phrase::DIE_IMPOSSIBLE)
                .with("roll", number(roll))
                .with("face", face)
                .with("sides", sides),
            DiceFault::LeftOver { given, used } => Self::field("dice", phrase::DIE_LEFT_OVER)
                .with("given", number(given))
                .with("used", number(used)),
        }
    }
}

/// Dice from a list: those of a test, of a record, or of a player at his own table.
///
/// A list that does not fit is remembered as a fault; the rule code goes on with the lowest face
/// and whatever it decided must be thrown away when [`finish`](Self::finish) reports the fault.
#[derive(Clone, Debug)]
#[must_use = "finish() says whether the list fitted"]
pub struct Scripted<'a> {
    faces: &'a [u8],
    used: usize,
    fault: Option<DiceFault>,
}

impl<'a> Scripted<'a> {
    /// Dice that show these faces, in this order.
    pub const fn new(faces: &'a [u8]) -> Self {
        Self { faces, used: 0, fault: None }
    }

    /// How many dice were asked for.
    #[must_use]
    pub const fn used(&self) -> usize {
        self.used
    }

    /// Whether the list was exactly what was rolled.
    ///
    /// # Errors
    /// The first fault: a missing, impossible or left-over roll.
    pub fn finish(self) -> Result<(), DiceFault> {
        match self.fault {
            Some(fault) => Err(fault),
            None if self.used < self.faces.len() => {
                Err(DiceFault::LeftOver { given: self.faces.len(), used: self.used })
            }
            None => Ok(()),
        }
    }
}

impl Dice for Scripted<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        let roll = self.used + 1;
        let face = match self.faces.get(self.used) {
            Some(&face) if (1..=sides).contains(&face) => Ok(face),
            Some(&face) => Err(DiceFault::Impossible { roll, face, sides }),
            None => Err(DiceFault::Missing { roll, sides }),
        };
        self.used = roll;
        face.unwrap_or_else(|fault| {
            self.fault.get_or_insert(fault);
            1
        })
    }
}

/// Other dice, with every face that they showed kept in order.
#[derive(Clone, Debug, Default)]
pub struct Kept<D> {
    dice: D,
    faces: Vec<u8>,
    sides: Vec<u8>,
}

impl<D> Kept<D> {
    /// Keeps what these dice show.
    pub const fn new(dice: D) -> Self {
        Self { dice, faces: Vec::new(), sides: Vec::new() }
    }

    /// How many sides each of these dice had.
    #[must_use]
    pub fn sides(&self) -> &[u8] {
        &self.sides
    }

    /// The faces shown so far.
    #[must_use]
    pub fn faces(&self) -> &[u8] {
        &self.faces
    }

    /// The dice and the faces shown.
    pub fn into_parts(self) -> (D, Vec<u8>) {
        (self.dice, self.faces)
    }
}

impl<D: Dice> Dice for Kept<D> {
    fn die(&mut self, sides: u8) -> u8 {
        let face = self.dice.die(sides);
        self.faces.push(face);
        self.sides.push(sides);
        face
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn live_dice_are_the_same_everywhere() {
        let mut dice = Live::from_seed([7; 32]);
        let rolled: Vec<u8> = (0..16).map(|_| dice.die(6)).collect();
        assert_eq!(
            rolled,
            [5, 6, 4, 3, 1, 3, 2, 2, 6, 6, 1, 3, 5, 4, 4, 6],
            "the stream is part of the format"
        );
    }

    #[test]
    fn every_roll_of_a_game_has_dice_of_its_own() {
        let roll = |rolls: u64| {
            let mut dice = Live::for_roll(&[1; 32], rolls);
            [(); 12].map(|()| dice.die(6))
        };
        assert_eq!(roll(3), roll(3));
        assert_ne!(roll(3), roll(4));
    }

    #[test]
    fn a_list_that_runs_out_says_which_roll_was_missing() {
        let mut dice = Scripted::new(&[4]);
        assert_eq!((dice.die(6), dice.die(8)), (4, 1));
        assert_eq!(dice.finish(), Err(DiceFault::Missing { roll: 2, sides: 8 }));
    }

    #[test]
    fn a_roll_left_over_is_a_fault() {
        let mut dice = Scripted::new(&[4, 5]);
        dice.die(6);
        assert_eq!(dice.finish(), Err(DiceFault::LeftOver { given: 2, used: 1 }));
    }

    #[test]
    fn an_impossible_face_is_a_fault() {
        let mut dice = Scripted::new(&[7]);
        dice.die(6);
        assert_eq!(dice.finish(), Err(DiceFault::Impossible { roll: 1, face: 7, sides: 6 }));
    }
}
