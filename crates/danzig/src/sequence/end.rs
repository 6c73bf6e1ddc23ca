//! Phase 2.3 (investment and desertion, chapter 9.1), phase 2.6 (surrender, chapter 9.2) and the end
//! of the turn.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::danzig::BreachNeedsBothWalls;
use rulebook::tables::danzig::{self as tables, VictoryByTurnResult as Result};
use rulebook::{phrase, rule};

use super::{Decision, Step, arrivals, french};
use crate::action::Action;
use crate::cut::Cut;
use crate::ops;
use crate::siege;
use crate::state::{Outcome, Phase, Score, State, Table};
use crate::unit::{Arm, Corps, Place, Side, UnitId};

/// The last turn.
pub(crate) const LAST_TURN: u8 = 15;

/// The operational part is over: everybody rallies; on turn 1 the turn ends, later the investment is
/// looked at.
pub(super) fn after_rounds(state: &mut State, clerk: &mut impl Clerk) -> Phase {
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

/// 9.1: the desertion die.
pub(super) struct DesertionRoll;

impl Decision for DesertionRoll {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.push(Action::RollDesertion);
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::RollDesertion => Ok(()),
            _ => Err(Refusal::rule(rule!(DZ_9_1_04), phrase::danzig::NOT_NOW)),
        }
    }

    fn perform(state: &mut State, _: &Action, clerk: &mut impl Clerk) -> bool {
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
}

impl Step for DesertionRoll {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if state.clock.deserters > 0 { Phase::Desertion } else { french::begin(state, clerk) }
    }
}

/// 9.1: the Prussian chooses whose steps desert.
pub(super) struct Desertion;

impl Decision for Desertion {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        if state.clock.deserters > 0 {
            into.extend(
                UnitId::of_side(Side::Prussian)
                    .filter(|unit| may_desert(&state.table, *unit))
                    .map(|unit| Action::Desert { unit }),
            );
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::Desert { unit } if rule!(DZ_R27).holds(may_desert(&state.table, unit)) => Ok(()),
            Action::Desert { unit } => {
                Err(Refusal::rule(rule!(DZ_R27), phrase::danzig::CANNOT_DESERT)
                    .with("unit", unit.data().label))
            }
            _ => Err(Refusal::rule(rule!(DZ_9_1_04), phrase::danzig::NOT_NOW)),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::Desert { unit } = *action else { return true };
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
}

impl Step for Desertion {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        french::begin(state, clerk)
    }
}

/// Phase 2.6: captures, the surrender test, and the end of the turn.
pub(super) fn surrender(state: &mut State, clerk: &mut impl Clerk) -> Phase {
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
            && rule!(DZ_4_1_1_11).holds(point.is_second())
            && (table.options.breach_needs_both_walls == BreachNeedsBothWalls::False
                || siege::is_french(table, point.linked()))
    })
}

/// The declared bridge is placed; after turn 15, or the last turn of a cut, it is over.
fn end_turn(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    ops::place_bridge(&mut state.table, clerk);
    siege::end_turn(&mut state.table);
    state.table.danzig.construction = 0;
    let last = state.cut.map_or(LAST_TURN, Cut::last_turn);
    if clerk.holds(rule!(DZ_1_2_01), state.table.turn >= last) {
        return finish(state, None, clerk);
    }
    arrivals::begin_turn(state, clerk)
}

fn finish(state: &mut State, surrendered: Option<u8>, clerk: &mut impl Clerk) -> Phase {
    if let (Some(cut), None) = (state.cut, surrendered) {
        state.outcome = Some(Outcome { surrendered, result: cut.result(&state.table), cut: state.cut });
        clerk.happened(|| Event::new(phrase::danzig::CUT_ENDS).with("turn", cut.last_turn()));
        return Phase::GameOver;
    }
    let key = surrendered.map_or_else(|| "never".to_owned(), |turn| turn.to_string());
    let row = tables::VICTORY_BY_TURN.iter().find(|row| row.surrender_at_end_of_turn == key);
    let result = match row.map(|row| row.result) {
        Some(Result::FrenchVictory) => Score::FrenchVictory,
        Some(Result::Draw) => Score::Draw,
        Some(Result::PrussianMinor) => Score::PrussianMinor,
        Some(Result::PrussianMajor) | None => Score::PrussianMajor,
    };
    let result = clerk.rather(rule!(DZ_9_2_02), result, Score::Draw);
    let result = clerk.rather(rule!(DZ_9_2_03), result, Score::PrussianMinor);
    state.outcome = Some(Outcome { surrendered, result, cut: state.cut });
    clerk.happened(|| match surrendered {
        Some(turn) => Event::new(phrase::danzig::SURRENDER).with("turn", turn),
        None => Event::new(phrase::danzig::HOLDS_OUT),
    });
    Phase::GameOver
}

/// The game is over: nobody decides anything more.
pub(super) struct GameOver;

impl Decision for GameOver {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(_: &State, _: &mut Vec<Action>) {}

    fn check(_: &State, _: &Action) -> Verdict<()> {
        Err(Refusal::plain(kernel::phrase::GAME_OVER))
    }

    fn perform(_: &mut State, _: &Action, _: &mut impl Clerk) -> bool {
        true
    }
}

impl Step for GameOver {
    fn next(_: &mut State, _: &mut impl Clerk) -> Phase {
        Phase::GameOver
    }
}
