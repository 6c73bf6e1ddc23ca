//! `danzig.morale`: one morale test, as facts or of a counter of a saved game.

use kernel::{Clerk, Inquiry, Question, Refusal, Verdict, Whole};
use rulebook::phrase::danzig_siege as phrase;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Options, Place, State, UnitId};

/// One morale test.
pub(super) struct Morale;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoraleRequest {
    /// The morale value.
    morale: Whole<1, 6>,
    /// Steps left, 2 unless told.
    steps: Option<Whole<1, 20>>,
    /// Steps at full strength, those left unless told.
    full: Option<Whole<1, 20>>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub(super) struct MoraleAnswer {
    passed: bool,
}

impl Question for Morale {
    const NAME: &'static str = "danzig.morale";
    const ROLLS: bool = true;
    type Options = Options;
    type Request = MoraleRequest;
    type Answer = MoraleAnswer;

    fn answer(request: &MoraleRequest, _: &Options, clerk: &mut impl Clerk) -> Verdict<MoraleAnswer> {
        let small = |value: i32| u8::try_from(value).unwrap_or(u8::MAX);
        let steps = request.steps.map_or(2, |steps| small(steps.get()));
        let full = request.full.map_or(steps, |full| small(full.get()));
        if full < steps {
            return Err(Refusal::field("full", phrase::MORE_THAN_FULL));
        }
        let passed = crate::siege::morale_test(small(request.morale.get()), steps, full, clerk);
        Ok(MoraleAnswer { passed })
    }
}

/// A counter of a saved game.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Counter {
    /// Who tests.
    unit: UnitId,
}

impl Inquiry for Morale {
    const NAME: &'static str = <Self as Question>::NAME;
    const ROLLS: bool = <Self as Question>::ROLLS;
    type Position = State;
    type Request = Counter;
    type Answer = MoraleAnswer;

    fn answer(state: &State, request: &Counter, clerk: &mut impl Clerk) -> Verdict<MoraleAnswer> {
        let unit = request.unit;
        let counter = state.table.unit(unit);
        let passed = match counter.place {
            Place::Hex(hex) => crate::ops::holds(&state.table, unit, hex, clerk),
            place if place.is_siege() => {
                crate::siege::morale_test(unit.data().morale, counter.steps, unit.data().steps, clerk)
            }
            _ => return Err(Refusal::field("unit", phrase::NOT_ON_THE_MAP).with("unit", unit.data().label)),
        };
        Ok(MoraleAnswer { passed })
    }
}
