//! What a side may see. Nothing on the table is hidden in this game: both players and spectators see
//! the same, in a type of its own all the same, so that nothing is shown by accident.

use serde::Serialize;

use crate::ops::OpsMap;
use crate::siege::SiegeMap;
use crate::state::{Danzig, Hand, Options, Outcome, Owed, Phase, State};
use crate::unit::{Formation, Marks, Place, Side, UnitId};

/// The table as a reader sees it.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Who reads; none for a spectator.
    pub reader: Option<Side>,
    /// The options of the game.
    pub options: Options,
    /// The turn, 0 during set-up.
    pub turn: u8,
    /// The operational round.
    pub round: u16,
    /// The step of the turn.
    pub phase: Phase,
    /// Whose half-round it is.
    pub phasing: Side,
    /// The city, the stores and the once-only events.
    pub danzig: Danzig,
    /// Every counter in play or lost.
    pub counters: Vec<Counter>,
    /// The operational map.
    pub ops: OpsMap,
    /// The siege map.
    pub siege: SiegeMap,
    /// The stack being moved, and what interrupts it.
    pub hand: Hand,
    /// Decisions that come before everything else.
    pub owed: Vec<Owed>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

/// A counter as a reader sees it.
#[derive(Clone, Debug, Serialize)]
pub struct Counter {
    /// Which.
    pub unit: UnitId,
    /// What is printed on it.
    pub label: &'static str,
    /// Where it is.
    pub place: Place,
    /// Where it looks.
    pub facing: u16,
    /// Steps left.
    pub steps: u8,
    /// Steps at most.
    pub most: u8,
    /// How it is drawn up.
    pub formation: Formation,
    /// Out of order.
    pub disordered: bool,
    /// A battery on its damaged side.
    pub damaged: bool,
    /// Worked this turn.
    pub worker: bool,
}

impl View {
    /// What this reader sees.
    #[must_use]
    pub fn of(state: &State, reader: Option<Side>) -> Self {
        let counters = UnitId::all()
            .filter(|unit| state.table.unit(*unit).place != Place::Away)
            .map(|unit| {
                let counter = state.table.unit(unit);
                Counter {
                    unit,
                    label: unit.data().label,
                    place: counter.place,
                    facing: counter.facing,
                    steps: counter.steps,
                    most: counter.most,
                    formation: counter.formation,
                    disordered: counter.is_disordered(),
                    damaged: counter.marks.has(Marks::DAMAGED),
                    worker: counter.marks.has(Marks::WORKER),
                }
            })
            .collect();
        Self {
            reader,
            options: state.table.options,
            turn: state.table.turn,
            round: state.clock.round,
            phase: state.phase,
            phasing: state.clock.phasing,
            danzig: state.table.danzig.clone(),
            counters,
            ops: state.table.ops.clone(),
            siege: state.table.siege.clone(),
            hand: state.hand,
            owed: state.table.owed.clone(),
            outcome: state.outcome,
        }
    }

    /// A counter in play or lost.
    #[must_use]
    pub fn counter(&self, unit: UnitId) -> Option<&Counter> {
        let place = self.counters.binary_search_by_key(&unit, |counter| counter.unit).ok()?;
        self.counters.get(place)
    }
}
