//! Phase 2.1 (chapters 5.3, 6.2 and 7.0), decision by decision: bridge declaration, Benningsen and the
//! corvette, French arrivals and ammunition, Kamenski's landing. What comes back is in `replacements`.

use kernel::{Clerk, Event, Refusal, Verdict};
use rulebook::options::danzig::KamenskiTurn;
use rulebook::tables::danzig::{self as tables, SpecialEventsEvent as SpecialEvent};
use rulebook::{phrase, rule};

use super::{Decision, Step, end_or_not_now, rounds};
use crate::action::Action;
use crate::ops::{self, Hex};
use crate::setup::LANDINGS;
use crate::state::{Clock, Options, Phase, State, Table};
use crate::unit::{Corps, Formation, Level, Marks, Place, Side, UnitId};

/// The turn on which Kamenski and Lannes arrive.
#[must_use]
pub fn relief_turn(options: &Options) -> u8 {
    match options.kamenski_turn {
        KamenskiTurn::V10 => 10,
        KamenskiTurn::V8 => 8,
    }
}

/// The turn on which a counter arrives; 0 for the garrison and for battalions.
#[must_use]
pub fn arrival(unit: UnitId, options: &Options) -> u8 {
    match unit.data().corps {
        Corps::Kamenski | Corps::Lannes => relief_turn(options),
        Corps::Besiegers | Corps::Garrison => unit.data().turn,
    }
}

/// The next turn begins.
pub(crate) fn begin_turn(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    state.table.turn += 1;
    let turn = state.table.turn;
    if let Some(days) = tables::TURN_CALENDAR.iter().find(|row| row.turn == i32::from(turn))
        && clerk.holds(rule!(DZ_2_0_03), true)
    {
        clerk.happened(|| {
            let (first, last) = (day_and_month(days.first_day), day_and_month(days.last_day));
            Event::new(phrase::danzig::TURN_BEGINS)
                .with("turn", turn)
                .with("first", first.0)
                .with("first_month", first.1)
                .with("last", last.0)
                .with("last_month", last.1)
        });
    }
    state.clock = Clock::default();
    if clerk.holds(rule!(DZ_2_0_01), turn >= 2) {
        Phase::BridgeDeclare
    } else {
        BridgeDeclare::next(state, clerk)
    }
}

/// The day and the month of a date of the calendar, such as `1807-03-19`.
fn day_and_month(date: &str) -> (u8, u8) {
    let mut parts = date.rsplit('-').map(|part| part.parse().unwrap_or_default());
    (parts.next().unwrap_or_default(), parts.next().unwrap_or_default())
}

/// Whether Lannes may enter in the present half-round.
pub(crate) fn lannes_may_enter(state: &State) -> bool {
    state.table.turn > relief_turn(&state.table.options) || lannes_is_due(state)
}

/// Whether it is the turn of Lannes's arrival, and his round or a later one.
pub(super) fn lannes_is_due(state: &State) -> bool {
    let second = if rule!(DZ_6_2_03).holds(true) { 2 } else { 1 };
    let round = if state.table.danzig.lannes_delayed { second + 1 } else { second };
    state.table.turn == relief_turn(&state.table.options) && state.clock.round >= round
}

/// Whether Lannes is still to be offered his arrival.
pub(super) fn lannes_pending(state: &State) -> bool {
    state.table.turn == relief_turn(&state.table.options) && !state.clock.lannes_offered
}

/// French units that come into play this turn wait off the map; ammunition is added.
fn receive(state: &mut State, clerk: &mut impl Clerk) {
    let table = &mut state.table;
    let turn = table.turn;
    count_lost_regiments(table);
    if !clerk.holds(rule!(DZ_2_1_01), true) {
        return;
    }
    for unit in UnitId::of_side(Side::French) {
        let due = arrival(unit, &table.options);
        let kept_back = table.marked(unit, Marks::POSTPONED);
        table.unit_mut(unit).marks.clear(Marks::POSTPONED);
        if due == turn
            && due > 0
            && table.unit(unit).place == Place::Away
            && unit.data().level != Level::Battalion
        {
            let rule = match (turn, unit.data().corps) {
                (_, Corps::Lannes) => rule!(DZ_5_3_09),
                (1, _) => rule!(DZ_5_2_02),
                (2, _) => rule!(DZ_5_3_03),
                (4, _) => rule!(DZ_5_3_05),
                (10, _) => rule!(DZ_R03),
                _ => rule!(DZ_5_3_01),
            };
            if kept_back || clerk.holds(rule, true) {
                table.unit_mut(unit).place = Place::Waiting;
            }
        }
    }
    let (twelve, twenty_four) = match turn {
        3 => (70, 0),
        5 => (100, 50),
        7 => (80, 0),
        _ => (0, 0),
    };
    if twelve > 0 {
        let rule = match turn {
            3 => rule!(DZ_5_3_04),
            5 => rule!(DZ_5_3_06),
            _ => rule!(DZ_5_3_07),
        };
        let due = clerk.modifier(rule, i32::from(twelve) + i32::from(twenty_four)) > 0;
        if due && clerk.holds(rule!(DZ_5_3_13), true) {
            table.danzig.ammunition_12 += twelve;
            table.danzig.ammunition_24 += clerk.rather(rule!(DZ_6_1_07), twenty_four, twelve);
        }
        clerk.happened(|| {
            Event::new(phrase::danzig::AMMUNITION_ARRIVES)
                .with("twelve", twelve)
                .with("twenty_four", twenty_four)
        });
    }
}

/// A regiment whose battalions are all lost is lost itself, and may come back as a regiment.
fn count_lost_regiments(table: &mut Table) {
    for regiment in UnitId::of_side(Side::French).filter(|unit| unit.data().level == Level::Regiment) {
        let battalions = regiment.battalions();
        let lost = table.unit(regiment).place == Place::Away
            && battalions.iter().all(|battalion| table.unit(*battalion).place == Place::Eliminated);
        if lost {
            for battalion in battalions {
                table.unit_mut(*battalion).place = Place::Away;
            }
            let counter = table.unit_mut(regiment);
            counter.place = Place::Eliminated;
            counter.steps = 0;
        }
    }
}

/// Whether the French player may still keep a unit back.
fn check_postpone(table: &Table, unit: UnitId) -> Verdict<()> {
    if !rule!(DZ_R76).holds(unit.data().corps != Corps::Kamenski) {
        return Err(Refusal::rule(rule!(DZ_R76), phrase::danzig::KAMENSKI_IS_NOT_POSTPONED));
    }
    let due = table.unit(unit).place == Place::Waiting && !table.marked(unit, Marks::POSTPONED);
    if !rule!(DZ_5_3_11).holds(due) {
        return Err(Refusal::rule(rule!(DZ_5_3_11), phrase::danzig::NOT_DUE).with("unit", unit.data().label));
    }
    Ok(())
}

fn check_kamenski(table: &Table, unit: UnitId, hex: Hex) -> Verdict<()> {
    if !rule!(DZ_3_1_11).holds(landing_next(table) == Some(unit)) {
        let waits = lands(table, unit);
        let reason = if waits { phrase::danzig::ANOTHER_COUNTER_FIRST } else { phrase::danzig::NOT_DUE };
        return Err(Refusal::rule(rule!(DZ_3_1_11), reason).with("unit", unit.data().label));
    }
    if !rule!(DZ_6_2_01).holds(LANDINGS.binary_search(&hex).is_ok()) {
        return Err(Refusal::rule(rule!(DZ_6_2_01), phrase::danzig::LANDS_IN_CAMP_OR_FORT));
    }
    ops::check_landing(table, unit, hex)
}

/// Whether a counter of Kamenski is still to land.
fn lands(table: &Table, unit: UnitId) -> bool {
    let data = unit.data();
    data.corps == Corps::Kamenski && data.regiment.is_none() && table.unit(unit).place == Place::Away
}

fn landing_next(table: &Table) -> Option<UnitId> {
    UnitId::of_side(Side::Prussian).find(|unit| lands(table, *unit))
}

/// The lowest roll with which a special event succeeds; some events have a second, easier line.
fn succeeds_on(event: SpecialEvent, easier: bool) -> u8 {
    tables::SPECIAL_EVENTS
        .iter()
        .filter(|row| row.event == event)
        .nth(usize::from(easier))
        .and_then(|row| row.success_on.split('-').next()?.parse().ok())
        .unwrap_or(u8::MAX)
}

/// 3.1.3: a French unit begins to build a bridge.
pub(super) struct BridgeDeclare;

impl Decision for BridgeDeclare {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        ops::list_bridges(&state.table, |unit, across| into.push(Action::DeclareBridge { unit, across }));
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::DeclareBridge { unit, across } => ops::check_bridge(&state.table, unit, across),
            _ => end_or_not_now(rule!(DZ_2_1_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        if let Action::DeclareBridge { unit, across } = *action {
            ops::declare_bridge(&mut state.table, unit, across, clerk);
        }
        true
    }
}

impl Step for BridgeDeclare {
    /// Benningsen on turns 5 to 9, the corvette on turn 11, then arrivals.
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        match state.table.turn {
            5..=9 if !state.table.danzig.benningsen_done => Phase::Benningsen,
            11 if rule!(DZ_5_3_10).holds(true) => Phase::Dauntless,
            _ => after_events(state, clerk),
        }
    }
}

fn after_events(state: &mut State, clerk: &mut impl Clerk) -> Phase {
    receive(state, clerk);
    Phase::ArrivalsFrench
}

/// 7.0: the dice for Benningsen's army.
pub(super) struct Benningsen;

impl Decision for Benningsen {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.push(Action::RollBenningsen);
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::RollBenningsen => Ok(()),
            _ => Err(Refusal::rule(rule!(DZ_R77), phrase::danzig::NOT_NOW)),
        }
    }

    fn perform(state: &mut State, _: &Action, clerk: &mut impl Clerk) -> bool {
        let table = &mut state.table;
        let [first, second] = clerk.two_d6();
        let roll = clerk.rather(rule!(DZ_7_0_03), first + second, 0);
        if roll >= clerk.rather(rule!(DZ_7_0_01), succeeds_on(SpecialEvent::Benningsen, false), 0) {
            table.danzig.benningsen(clerk);
            // The dice fall before anybody arrives, on the turn of his arrival too.
            if table.turn <= relief_turn(&table.options) {
                table.danzig.lannes_delayed = true;
            }
            clerk.happened(|| Event::new(phrase::danzig::BENNINGSEN_MOVES));
        } else {
            clerk.happened(|| Event::new(phrase::danzig::BENNINGSEN_STAYS).with("roll", first + second));
        }
        true
    }
}

impl Step for Benningsen {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        after_events(state, clerk)
    }
}

/// 7.0: the die for the corvette.
pub(super) struct Dauntless;

impl Decision for Dauntless {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(_: &State, into: &mut Vec<Action>) {
        into.push(Action::RollDauntless);
    }

    fn check(_: &State, action: &Action) -> Verdict<()> {
        match action {
            Action::RollDauntless => Ok(()),
            _ => Err(Refusal::rule(rule!(DZ_R77), phrase::danzig::NOT_NOW)),
        }
    }

    fn perform(state: &mut State, _: &Action, clerk: &mut impl Clerk) -> bool {
        let die = clerk.d6();
        let watched = ops::french_beside_vistula(&state.table);
        let came_through =
            die >= clerk.rather(rule!(DZ_7_0_02), succeeds_on(SpecialEvent::Dauntless, !watched), 0);
        clerk.applied(rule!(DZ_5_3_10));
        state.table.danzig.corvette(came_through, clerk);
        clerk.happened(|| {
            Event::new(if came_through {
                phrase::danzig::DAUNTLESS_COMES_THROUGH
            } else {
                phrase::danzig::DAUNTLESS_FAILS
            })
            .with("roll", die)
        });
        true
    }
}

impl Step for Dauntless {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        after_events(state, clerk)
    }
}

/// 5.3: French units that are due may come a turn later.
pub(super) struct ArrivalsFrench;

impl Decision for ArrivalsFrench {
    fn decider(_: &State) -> Side {
        Side::French
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        into.push(Action::EndPhase);
        let table = &state.table;
        let due = UnitId::of_side(Side::French).filter(|unit| table.unit(*unit).place == Place::Waiting);
        for unit in due.filter(|unit| check_postpone(table, *unit).is_ok()) {
            into.push(Action::Postpone { unit });
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::Postpone { unit } => check_postpone(&state.table, unit),
            _ => end_or_not_now(rule!(DZ_2_1_01), action),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::Postpone { unit } = *action else { return true };
        let kept_back = clerk.rather(rule!(DZ_5_3_11), Marks::POSTPONED, Marks::default());
        state.table.unit_mut(unit).marks.set(kept_back);
        false
    }
}

impl Step for ArrivalsFrench {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if state.table.turn >= relief_turn(&state.table.options) {
            Phase::ArrivalsKamenski
        } else {
            ArrivalsKamenski::next(state, clerk)
        }
    }
}

/// 6.2: Kamenski's units land in the camp or in the fort, one after the other.
pub(super) struct ArrivalsKamenski;

impl Decision for ArrivalsKamenski {
    fn decider(_: &State) -> Side {
        Side::Prussian
    }

    fn offer(state: &State, into: &mut Vec<Action>) {
        let table = &state.table;
        if let Some(unit) = landing_next(table) {
            for &hex in LANDINGS.iter().filter(|hex| check_kamenski(table, unit, **hex).is_ok()) {
                into.push(Action::PlaceKamenski { unit, hex });
            }
        }
        if into.is_empty() {
            into.push(Action::EndPhase);
        }
    }

    fn check(state: &State, action: &Action) -> Verdict<()> {
        match *action {
            Action::PlaceKamenski { unit, hex } => check_kamenski(&state.table, unit, hex),
            Action::EndPhase => {
                let mut offered = Vec::new();
                Self::offer(state, &mut offered);
                if offered.contains(action) {
                    return Ok(());
                }
                Err(Refusal::rule(rule!(DZ_3_1_11), phrase::danzig::NOT_ALL_PLACED))
            }
            _ => Err(Refusal::rule(rule!(DZ_2_1_01), phrase::danzig::NOT_NOW)),
        }
    }

    fn perform(state: &mut State, action: &Action, clerk: &mut impl Clerk) -> bool {
        let Action::PlaceKamenski { unit, hex } = *action else { return true };
        clerk.applied(rule!(DZ_6_2_01));
        let counter = state.table.unit_mut(unit);
        counter.place = clerk.rather(rule!(DZ_5_3_08), Place::Hex(hex), Place::Eliminated);
        counter.formation = Formation::at_entry(unit.data().arm);
        clerk.applied(rule!(DZ_3_1_11));
        landing_next(&state.table).is_none()
    }
}

impl Step for ArrivalsKamenski {
    fn next(state: &mut State, clerk: &mut impl Clerk) -> Phase {
        if state.table.turn >= 2 { Phase::ReplacementFrench } else { rounds::begin(state, clerk) }
    }
}
