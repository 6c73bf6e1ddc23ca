//! Phase 2.3 (investment and desertion, chapter 9.1), phase 2.6 (surrender, chapter 9.2) and the end
//! of the turn.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::danzig::BreachNeedsBothWalls;
use rulebook::tables::danzig as tables;
use rulebook::{phrase, rule};

use super::french;
use crate::action::Action;
use crate::ops;
use crate::siege;
use crate::state::{Outcome, Phase, Score, State, Table};
use crate::unit::{Arm, Corps, Place, Side, UnitId};

/// The last turn.
pub(crate) const LAST_TURN: u8 = 15;

/// The operational part is over: everybody rallies; on turn 1 the turn ends, later the investment is
/// looked at.
pub(crate) fn after_rounds(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    ops::rally(&mut state.table, clerk);
    if state.table.turn == 1 && clerk.holds(rule!(DZ_2_2_02), true) {
        return end_turn(state, clerk);
    }
    if clerk.holds(rule!(DZ_9_1_01), ops::invested(&state.table)) && clerk.holds(rule!(DZ_2_3_01), true) {
        state.table.danzig.invested(clerk);
        clerk.happened(|| Event::new(phrase::danzig::INVESTED).with("morale", state.table.danzig.morale));
        if clerk.holds(rule!(DZ_9_1_04), true) {
            return Phase::DesertionRoll;
        }
    }
    french::begin(state, clerk)
}

/// Infantry of the garrison from which steps may desert.
fn may_desert(table: &Table, unit: UnitId) -> bool {
    let data = unit.data();
    let state = table.unit(unit);
    data.corps == Corps::Garrison
        && data.arm == Arm::Infantry
        && state.steps > 0
        && !matches!(state.place, Place::Away | Place::Eliminated)
}

pub(crate) fn list(state: &State, into: &mut Vec<Action>) {
    match state.phase {
        Phase::DesertionRoll => into.push(Action::RollDesertion),
        Phase::Desertion if state.clock.deserters > 0 => {
            into.extend(
                UnitId::of_side(Side::Prussian)
                    .filter(|unit| may_desert(&state.table, *unit))
                    .map(|unit| Action::Desert { unit }),
            );
        }
        _ => {}
    }
}

pub(crate) fn check(state: &State, action: &Action) -> Verdict<()> {
    match (state.phase, *action) {
        (Phase::DesertionRoll, Action::RollDesertion) => Ok(()),
        (Phase::Desertion, Action::Desert { unit }) if may_desert(&state.table, unit) => Ok(()),
        (Phase::Desertion, Action::Desert { unit }) => {
            Err(Refusal::rule(rule!(DZ_R27), phrase::danzig::CANNOT_DESERT).with("unit", unit.data().label))
        }
        _ => Err(Refusal::rule(rule!(DZ_9_1_04), phrase::danzig::NOT_NOW)),
    }
}

pub(crate) fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
    match *action {
        Action::RollDesertion => {
            let die = clerk.d6();
            let steps = tables::EXTRA_DESERTION
                .iter()
                .find(|row| row.roll == i32::from(die))
                .map_or(0, |row| u8::try_from(row.steps_lost).unwrap_or(0));
            let steps = clerk.value(rule!(DZ_9_1_02), steps);
            clerk.happened(|| Event::new(phrase::danzig::DESERTION).with("roll", die).with("steps", steps));
            state.clock.deserters = steps;
            true
        }
        Action::Desert { unit } => {
            let counter = state.table.unit_mut(unit);
            counter.steps = counter.steps.saturating_sub(1);
            counter.most = counter.most.saturating_sub(clerk.rather(rule!(DZ_9_1_03), 1, 0));
            if counter.steps == 0 {
                counter.place = Place::Eliminated;
            }
            clerk.happened(|| Event::new(phrase::danzig::DESERTS).with("unit", unit.data().label));
            state.clock.deserters = state.clock.deserters.saturating_sub(1);
            state.clock.deserters == 0
                || !UnitId::of_side(Side::Prussian).any(|unit| may_desert(&state.table, unit))
        }
        _ => true,
    }
}

pub(crate) fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    match state.phase {
        Phase::DesertionRoll if state.clock.deserters > 0 => Phase::Desertion,
        _ => french::begin(state, clerk),
    }
}

/// Phase 2.6: captures, the surrender test, and the end of the turn.
pub(crate) fn surrender(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    siege::captures(&mut state.table, clerk);
    let lost =
        clerk.holds(rule!(DZ_2_6_01), true) && state.table.danzig.morale == 0 && breached(&state.table);
    if lost && clerk.holds(rule!(DZ_9_2_01), lost) && clerk.holds(rule!(DZ_4_7_02), lost) {
        let turn = state.table.turn;
        return finish(state, Some(turn), clerk);
    }
    end_turn(state, clerk)
}

/// Whether French infantry stands on the second wall, as the surrender asks.
#[must_use]
pub(crate) fn breached(table: &Table) -> bool {
    UnitId::of_side(Side::French).any(|unit| {
        let Some(point) = siege::wall_under(table, table.unit(unit).place) else { return false };
        unit.data().arm == Arm::Infantry
            && point.is_second()
            && (table.options.breach_needs_both_walls == BreachNeedsBothWalls::False
                || siege::is_french(table, point.linked()))
    })
}

/// The declared bridge is placed; after turn 15 it is over.
fn end_turn(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    ops::place_bridge(&mut state.table, clerk);
    siege::end_turn(&mut state.table);
    state.table.danzig.construction = 0;
    if clerk.holds(rule!(DZ_1_2_01), state.table.turn >= LAST_TURN) {
        return finish(state, None, clerk);
    }
    state.begin_turn(clerk)
}

fn finish(state: &mut State, surrendered: Option<u8>, clerk: &mut impl Clerk) -> Phase {
    let key = surrendered.map_or_else(|| "never".to_owned(), |turn| turn.to_string());
    let word =
        tables::VICTORY_BY_TURN.iter().find(|row| row.surrender_at_end_of_turn == key).map(|row| row.result);
    let result = match word {
        Some("french_victory") => Score::FrenchVictory,
        Some("draw") => Score::Draw,
        Some("prussian_minor") => Score::PrussianMinor,
        _ => Score::PrussianMajor,
    };
    let result = clerk.rather(rule!(DZ_9_2_02), result, Score::Draw);
    let result = clerk.rather(rule!(DZ_9_2_03), result, Score::PrussianMinor);
    state.outcome = Some(Outcome { surrendered, result });
    clerk.happened(|| match surrendered {
        Some(turn) => Event::new(phrase::danzig::SURRENDER).with("turn", turn),
        None => Event::new(phrase::danzig::HOLDS_OUT),
    });
    Phase::GameOver
}
