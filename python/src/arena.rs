//! Games for players that learn, alone or side by side.

use glacis::arena::{self, Ended, WIDTH};
use kernel::Live;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rulebook::Lang;

use crate::{played, refused, setup};

/// One game that is played by indexes.
#[pyclass(module = "glacis._glacis")]
pub(crate) struct Arena {
    arena: Box<dyn arena::Arena>,
    names: Vec<String>,
    lot: Live,
}

#[pymethods]
impl Arena {
    #[new]
    fn new(system: &str, scenario: Option<String>, options: Vec<(String, String)>) -> PyResult<Self> {
        let game = played(system)?;
        let setup = setup(&game, scenario, options);
        let arena = (game.arena)(&setup).map_err(|refusal| refused(&refusal, Lang::En))?;
        let names = arena.names();
        Ok(Self { arena, names, lot: Live::numbered(0) })
    }

    /// Begins the game of this number.
    fn begin(&mut self, number: u64) {
        self.arena.begin(number);
        self.lot = Live::numbered(!number);
    }

    /// The place of the side that is asked; nothing when it is over.
    fn asked(&self) -> Option<usize> {
        self.arena.asked()
    }

    /// The indexes that may be chosen.
    fn choices(&self) -> Vec<u16> {
        self.arena.choices().to_vec()
    }

    /// 1 for each index that may be chosen, 0 for the others.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, WIDTH, |mask| {
            for choice in self.arena.choices() {
                if let Some(mark) = mask.get_mut(usize::from(*choice)) {
                    *mark = 1;
                }
            }
            Ok(())
        })
    }

    /// What an index stands for, as JSON.
    fn meaning(&self, index: u16) -> Option<String> {
        self.arena.meaning(index).map(|meaning| meaning.to_string())
    }

    /// Chooses an index.
    fn choose(&mut self, index: u16) -> PyResult<()> {
        self.arena.choose(index).map_err(|refusal| refused(&refusal, Lang::En))
    }

    /// One of the indexes that may be chosen.
    fn any(&mut self) -> u16 {
        self.arena.any(&mut self.lot)
    }

    /// What a side sees, as numbers of single precision.
    fn features<'py>(&mut self, py: Python<'py>, reader: Option<usize>) -> PyResult<Bound<'py, PyBytes>> {
        let numbers = self.arena.features(reader);
        PyBytes::new_with(py, numbers.len() * 4, |bytes| {
            write(numbers, bytes);
            Ok(())
        })
    }

    /// The names of these numbers.
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// The kinds of decision, by index.
    fn kinds(&self) -> Vec<&'static str> {
        self.arena.kinds().to_vec()
    }

    /// What the end is worth to each side; nothing before.
    fn scores(&self) -> Option<Vec<f64>> {
        self.arena.scores()
    }

    /// How many decisions were carried out.
    fn decisions(&self) -> u64 {
        self.arena.decisions()
    }
}

/// Many games side by side.
#[pyclass(module = "glacis._glacis")]
pub(crate) struct Batch {
    batch: arena::Batch,
}

#[pymethods]
impl Batch {
    #[new]
    fn new(
        system: &str,
        games: u64,
        scenario: Option<String>,
        options: Vec<(String, String)>,
        seed: &str,
        longest: Option<u64>,
    ) -> PyResult<Self> {
        let game = played(system)?;
        let setup = setup(&game, scenario, options);
        let batch = arena::Batch::open(&game, &setup, seed, games, longest);
        Ok(Self { batch: batch.map_err(|refusal| refused(&refusal, Lang::En))? })
    }

    /// How many games, sides and numbers there are.
    fn shape(&self) -> (usize, usize, usize) {
        (self.batch.len(), self.batch.sides(), self.batch.width())
    }

    /// Gives each game its index: they come as numbers of 16 bits.
    fn step(&mut self, py: Python<'_>, indexes: &[u8]) -> PyResult<()> {
        let indexes: Vec<u16> =
            indexes.chunks_exact(2).map(|pair| u16::from_ne_bytes([pair[0], pair[1]])).collect();
        py.detach(|| self.batch.step(&indexes)).map_err(|refusal| refused(&refusal, Lang::En))
    }

    /// An index for each game that may be chosen, as numbers of 16 bits.
    fn any<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let indexes = self.batch.any();
        PyBytes::new_with(py, indexes.len() * 2, |bytes| {
            for (pair, index) in bytes.chunks_exact_mut(2).zip(indexes) {
                pair.copy_from_slice(&index.to_ne_bytes());
            }
            Ok(())
        })
    }

    /// What the side that is asked sees in each game.
    fn features<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let row = self.batch.width() * 4;
        PyBytes::new_with(py, self.batch.len() * row, |bytes| {
            self.batch.each_features(|place, numbers| {
                if let Some(bytes) = bytes.get_mut(place * row..(place + 1) * row) {
                    write(numbers, bytes);
                }
            });
            Ok(())
        })
    }

    /// 1 for each index that may be chosen, game by game.
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        PyBytes::new_with(py, self.batch.len() * WIDTH, |bytes| {
            self.batch.masks(bytes);
            Ok(())
        })
    }

    /// Who is asked in each game: one byte for each.
    fn asked<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let places: Vec<u8> =
            self.batch.asked().map(|place| u8::try_from(place).unwrap_or_default()).collect();
        PyBytes::new(py, &places)
    }

    /// What the last index did to each game: 0 it goes on, 1 it was over, 2 it was cut short.
    fn ended<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let ended: Vec<u8> = self
            .batch
            .ended()
            .map(|(ended, _)| match ended {
                Ended::No => 0,
                Ended::Over => 1,
                Ended::Cut => 2,
            })
            .collect();
        PyBytes::new(py, &ended)
    }

    /// What it was worth to each side: from -1 to 1 where a game was over, 0 elsewhere.
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let row = self.batch.sides() * 4;
        PyBytes::new_with(py, self.batch.len() * row, |bytes| {
            for (bytes, (ended, rewards)) in bytes.chunks_exact_mut(row).zip(self.batch.ended()) {
                if ended != Ended::No {
                    write(rewards, bytes);
                }
            }
            Ok(())
        })
    }
}

/// Numbers as the bytes they are made of.
fn write(numbers: &[f32], bytes: &mut [u8]) {
    for (four, number) in bytes.chunks_exact_mut(4).zip(numbers) {
        four.copy_from_slice(&number.to_ne_bytes());
    }
}
