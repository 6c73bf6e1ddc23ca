//! What a side may see. Nothing on the table is hidden in this game: both players and spectators see
//! all of it, and a state can be told from what any of them sees.

use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use crate::ops::OpsMap;
use crate::siege::SiegeMap;
use crate::state::{Danzig, Hand, Options, Outcome, Owed, Phase, State};
use crate::unit::{Formation, Marks, Place, Side, UnitId, UnitState};

/// The table as a reader sees it.
#[derive(Clone, Debug)]
pub struct View {
    /// Who reads; none for a spectator.
    pub reader: Option<Side>,
    /// All there is.
    pub state: State,
}

impl View {
    /// What this reader sees.
    #[must_use]
    pub fn of(state: &State, reader: Option<Side>) -> Self {
        Self { reader, state: state.clone() }
    }

    /// A counter in play or lost.
    #[must_use]
    pub fn counter(&self, unit: UnitId) -> Option<&UnitState> {
        Some(self.state.table.unit(unit)).filter(|counter| counter.place != Place::Away)
    }

    /// The counters of a side in play or lost, in order.
    pub fn counters(&self, side: Side) -> impl Iterator<Item = (UnitId, &UnitState)> {
        UnitId::of_side(side).filter_map(|unit| Some((unit, self.counter(unit)?)))
    }
}

impl Serialize for View {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Shown::of(self).serialize(serializer)
    }
}

impl JsonSchema for View {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "View".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Shown::json_schema(generator)
    }
}

/// The table as it is told to a reader.
#[derive(Serialize, JsonSchema)]
struct Shown<'a> {
    /// Who reads; none for a spectator.
    reader: Option<Side>,
    /// The options of the game.
    options: &'a Options,
    /// The turn, 0 during set-up.
    turn: u8,
    /// The operational round.
    round: u16,
    /// The step of the turn.
    phase: Phase,
    /// Whose half-round it is.
    phasing: Side,
    /// The city, the stores and the once-only events.
    danzig: &'a Danzig,
    /// Every counter in play or lost.
    counters: Vec<Counter>,
    /// The operational map.
    ops: &'a OpsMap,
    /// The siege map.
    siege: &'a SiegeMap,
    /// The stack being moved, and what interrupts it.
    hand: Hand,
    /// Decisions that come before everything else.
    owed: &'a [Owed],
    /// How it ended.
    outcome: Option<Outcome>,
}

/// A counter as it is told.
#[derive(Serialize, JsonSchema)]
struct Counter {
    /// Which.
    unit: UnitId,
    /// What is printed on it.
    label: &'static str,
    /// Where it is.
    place: Place,
    /// Where it looks.
    facing: u16,
    /// Steps left.
    steps: u8,
    /// Steps at most.
    most: u8,
    /// How it is drawn up.
    formation: Formation,
    /// Out of order.
    disordered: bool,
    /// A battery on its damaged side.
    damaged: bool,
    /// Worked this turn.
    worker: bool,
}

impl<'a> Shown<'a> {
    fn of(view: &'a View) -> Self {
        let View { reader, state } = view;
        let counters = UnitId::all().filter_map(|unit| Some((unit, view.counter(unit)?)));
        Self {
            reader: *reader,
            options: &state.table.options,
            turn: state.table.turn,
            round: state.clock.round,
            phase: state.phase,
            phasing: state.clock.phasing,
            danzig: &state.table.danzig,
            counters: counters
                .map(|(unit, counter)| Counter {
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
                })
                .collect(),
            ops: &state.table.ops,
            siege: &state.table.siege,
            hand: state.hand,
            owed: &state.table.owed,
            outcome: state.outcome,
        }
    }
}
