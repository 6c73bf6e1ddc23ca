//! Beside the maps: the step of the turn, what to do in it, the tracks and the tools.

use kernel::board::{Extent, Status, Tool, Track};
use kernel::{Game as _, Phrase, Saying};
use rulebook::phrase::danzig_board as words;

use super::SIEGE;
use super::names::{kind_word, phrase, word};
use crate::siege::WorkKind;
use crate::state::{Hand, Owed, Phase, Score, State};

/// The last turn of the siege, or of the cut of it that is played.
fn last_turn(state: &State) -> u32 {
    state.cut.map_or(15, |cut| cut.last_turn().into())
}

/// Where the game stands.
pub(super) fn status(state: &State) -> Status {
    let rounds = (Phase::Retreat..Phase::DesertionRoll).contains(&state.phase);
    let round = Saying::new(words::ROUND).with("round", i64::from(state.clock.round));
    let ending = state.outcome().map(|outcome| match outcome.result {
        Score::FrenchVictory => words::FRENCH_VICTORY,
        Score::Draw => words::DRAW,
        Score::PrussianMinor => words::PRUSSIAN_MINOR,
        Score::PrussianMajor => words::PRUSSIAN_MAJOR,
    });
    Status {
        turn: Saying::new(words::TURN).with("turn", i64::from(state.table.turn)),
        step: phrase(&format!("phase-{}", word(&state.phase))),
        round: rounds.then_some(round),
        prompt: prompt(state),
        ending,
        tracks: tracks(state),
        legs: Vec::new(),
        is_young: super::lesson::is_young(state),
    }
}

/// What to do now.
fn prompt(state: &State) -> Phrase {
    match (state.table.owed.last(), state.hand) {
        (Some(Owed::Losses { .. }), _) => words::HINT_OWED_LOSSES,
        (Some(Owed::Retreat { .. }), _) => words::HINT_OWED_RETREAT,
        (Some(Owed::GiveWay(_)), _) => words::HINT_OWED_GIVE_WAY,
        (Some(Owed::Occupy { .. }), _) => words::HINT_OWED_OCCUPY,
        (Some(Owed::Battery(_)), _) => words::HINT_OWED_BATTERY,
        (Some(Owed::Excess(_)), _) => words::HINT_OWED_EXCESS,
        (Some(Owed::Occupier { .. }), _) => words::HINT_OWED_OCCUPIER,
        (None, Hand::Moving(_)) => words::HINT_HAND_MOVING,
        (None, Hand::Leaving { .. } | Hand::Running { .. }) => words::HINT_HAND_LEAVING,
        (None, Hand::Charged { .. }) => words::HINT_HAND_CHARGED,
        (None, Hand::Exposed(_)) => words::HINT_HAND_EXPOSED,
        (None, Hand::Empty | Hand::Fighting(_)) => phrase(&format!("hint-{}", word(&state.phase))),
    }
}

fn tracks(state: &State) -> Vec<Track> {
    let danzig = &state.table.danzig;
    let track = |name, value: u32, most, class| Track { name, value, most, out_of: false, class };
    vec![
        Track {
            out_of: true,
            ..track(words::TRACK_TURN, u32::from(state.table.turn), last_turn(state), "turn")
        },
        track(words::TRACK_MORALE, u32::from(danzig.morale), 25, "morale"),
        track(words::TRACK_24, u32::from(danzig.ammunition_24), 50, "ammunition"),
        track(words::TRACK_12, u32::from(danzig.ammunition_12), 250, "ammunition"),
        track(words::TRACK_BUILD, u32::from(danzig.construction), 10, "construction"),
        track(words::TRACK_REPAIR, u32::from(danzig.repair_pool), 40, "repair"),
    ]
}

/// In the building step: what to dig. What fits nowhere can still be tried; the rules then say why.
pub(super) fn tools(state: &State) -> Vec<Tool> {
    let digging = state.phase == Phase::Build && state.hand == Hand::Empty && state.table.owed.is_empty();
    let width = Extent::Fixed(50.0);
    let tool = |kind, title, key, broad, deep| Tool {
        name: kind_word(kind),
        title,
        key,
        sheet: SIEGE,
        broad,
        deep,
        snap: 75.0,
        turn: None,
    };
    let all = [
        tool(WorkKind::Sap, words::TOOL_SAP, 's', width, Extent::Length),
        tool(WorkKind::Parallel, words::TOOL_PARALLEL, 'p', Extent::Length, width),
        tool(WorkKind::Battery, words::TOOL_BATTERY, 'b', Extent::Length, width),
    ];
    all.into_iter().filter(|_| digging).collect()
}
