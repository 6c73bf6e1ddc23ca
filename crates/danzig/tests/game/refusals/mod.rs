//! An illegal order of each kind is refused with the rule that forbids it, and nothing changes: one
//! row for each refusal.

mod operations;
mod owed;
mod sequence;
mod siege;

use std::collections::BTreeSet;

use danzig::ops::Hex;
use danzig::{Action, Phase, State, UnitId};
use kernel::{Desk, Game as _, Live, Setup, Silent};

pub(super) fn start(options: &[(&str, &str)]) -> State {
    let options = options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    State::start(&Setup { scenario: String::new(), options }).expect("legal options")
}

/// The game after the suggested set-up, at the first decision of turn 1.
pub(super) fn turn_one() -> State {
    let mut state = start(&[]);
    for action in [Action::SetUpTheRest, Action::SetUpDone] {
        decide(&mut state, &action);
    }
    assert!(danzig::setup::is_complete(&state));
    state
}

pub(super) fn decide(state: &mut State, action: &Action) {
    let side = state.to_move().expect("somebody is to move");
    let mut desk = Desk::new(Live::numbered(1), Silent);
    state.apply(side, action, &mut desk).expect("a legal action");
}

/// The table of turn 1, put into a phase.
pub(super) fn at(phase: Phase, turn: u8) -> State {
    let mut state = turn_one();
    state.phase = phase;
    state.table.turn = turn;
    state
}

pub(super) fn unit(code: &str) -> UnitId {
    UnitId::of_code(code).expect("a unit of the roster")
}

pub(super) fn hex(number: u16) -> Hex {
    Hex::at(number / 100, number % 100).expect("a hex of the map")
}

/// A row: what is ordered, on which table, and the rule that forbids it.
pub(super) struct Row {
    pub(super) what: &'static str,
    pub(super) state: State,
    pub(super) action: Action,
    pub(super) rule: &'static str,
}

pub(super) fn row(what: &'static str, state: State, action: Action, rule: &'static str) -> Row {
    Row { what, state, action, rule }
}

pub(super) fn with(mut state: State, change: impl FnOnce(&mut State)) -> State {
    change(&mut state);
    state
}

fn rows() -> Vec<Row> {
    let mut rows = sequence::rows();
    rows.extend(operations::rows());
    rows.extend(siege::rows());
    rows.extend(owed::rows());
    rows
}

/// The kind of an order, as it is written in a record.
fn kind(action: &Action) -> String {
    match serde_json::to_value(action).expect("an order can be written") {
        serde_json::Value::Object(fields) => fields.keys().next().cloned().unwrap_or_default(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

/// Every kind of order but those that only say that nothing (more) is done.
const KINDS: [&str; 55] = [
    "assault",
    "boats-start",
    "bombard",
    "build",
    "build-redoubt",
    "charge",
    "choose-occupier",
    "claim-repetition",
    "commit-defender",
    "counter-attack-fire",
    "countermine",
    "declare-bridge",
    "declare-counter-attack",
    "declare-sortie",
    "defensive-fire",
    "desert",
    "displace-battery",
    "enfilade-fire",
    "enter-map",
    "explode-mine",
    "field-fire",
    "fire",
    "fire-battery",
    "fire-mortar",
    "fire-siege-gun",
    "garrison",
    "give-way",
    "march",
    "march-along",
    "melee",
    "name-last-half",
    "occupy",
    "opportunity-fire",
    "opportunity-shot",
    "place-excess",
    "place-kamenski",
    "postpone",
    "put-down",
    "react",
    "repair-battery",
    "repair-wall",
    "replace-french",
    "replace-prussian",
    "retreat",
    "roll-benningsen",
    "roll-dauntless",
    "roll-desertion",
    "set-battery",
    "set-city-unit",
    "set-outside-unit",
    "set-up-done",
    "set-up-the-rest",
    "siege-move",
    "take-loss",
    "take-up",
];

#[test]
fn every_kind_of_order_has_its_rows() {
    let kinds: BTreeSet<String> = rows().iter().map(|row| kind(&row.action)).collect();
    for kind in KINDS {
        assert!(kinds.contains(kind), "no illegal order of the kind {kind}");
    }
}

#[test]
fn every_illegal_order_names_its_rule_and_changes_nothing() {
    let mut faults = Vec::new();
    for Row { what, state, action, rule } in rows() {
        let mut after = state.clone();
        let mut desk = Desk::new(Live::numbered(3), Silent);
        let side = state.to_move().expect("somebody is to move");
        match after.apply(side, &action, &mut desk) {
            Ok(_) => faults.push(format!("{what}: was allowed")),
            Err(refusal) => {
                let found =
                    refusal.rule.map_or_else(|| format!("no rule ({refusal})"), |rule| rule.to_string());
                if found != rule {
                    faults.push(format!("{what}: refused by {found}, not {rule}"));
                }
            }
        }
        if after != state {
            faults.push(format!("{what}: the table changed"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
