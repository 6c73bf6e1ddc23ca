//! Beside the table: the step of the turn, what to do in it, the tracks, the tools, and the aim of each
//! side in each scenario.

use std::cmp::Ordering;

use kernel::board::{Extent, Leg, Status, Tool, Track, When};
use kernel::{Desk, Phrase, Saying, Scripted, Silent};
use rulebook::phrase::breach_board as words;
use serde_json::Value;

use super::TABLE;
use super::choice::ground_of;
use super::gesture::moved_unit;
use crate::end::{FIRST_ROLL, FIRST_ROLL_WITH_HELP};
use crate::game::{Formation, Place, State, Step, Unit, say};
use crate::scenario::{self, Earlier, Scenario, Side};
use crate::terms::Item;

/// Where the game stands.
pub(super) fn status(state: &State) -> Status {
    let scenario = say::scenario(state.table.scenario);
    let turn = match (state.campaign, state.turn) {
        (true, turn) => Saying::new(words::TURN_CAMPAIGN)
            .with("number", state.table.scenario.number())
            .with("scenario", scenario)
            .with("turn", turn),
        (false, 0) => Saying::new(words::TURN_SET_UP).with("scenario", scenario),
        (false, turn) => Saying::new(words::TURN).with("scenario", scenario).with("turn", turn),
    };
    let round = state.steps.last().map(|_| Saying::new(words::ACTIVE).with("side", say::side(state.active)));
    Status {
        turn,
        step: state.steps.last().map_or(words::OVER, say::step),
        round: round.filter(|_| state.turn > 0 && state.outcome.is_none()),
        prompt: prompt(state),
        ending: state.outcome.as_ref().map(|outcome| match outcome.winner {
            Side::Garrison => words::WON_GARRISON,
            Side::Besieger => words::WON_BESIEGER,
        }),
        tracks: tracks(state),
        legs: legs(state),
        is_young: super::lesson::is_young(state),
    }
}

/// What to do now.
fn prompt(state: &State) -> Phrase {
    let Some(step) = state.steps.last() else { return words::HINT_OVER };
    match step {
        Step::Orders if state.hand.commander.is_some() => words::HINT_ORDER,
        Step::Move if state.hand.half => words::HINT_MOVE_HALF,
        step => hint(step),
    }
}

/// What is said in a step, by the name that the record gives it; a step in which nobody is asked has none.
fn hint(step: &Step) -> Phrase {
    let name = match serde_json::to_value(step) {
        Ok(Value::String(name)) => name,
        Ok(Value::Object(fields)) => fields.keys().next().cloned().unwrap_or_default(),
        _ => String::new(),
    };
    let key = format!("breach-board-hint-{}", name.replace('_', "-"));
    rulebook::phrase_of(&key).unwrap_or(words::HINT_OVER)
}

/// Stands of a side that are dead, and how many it began with.
fn losses(state: &State, side: Side) -> (u32, u32) {
    let mut count = (0, 0);
    for unit in state.table.units.iter().filter(|unit| unit.side == side) {
        let own = unit.stands.iter().take(usize::from(unit.began));
        count.0 += u32::try_from(own.filter(|stand| stand.place == Place::Dead).count()).unwrap_or(0);
        count.1 += u32::from(unit.began);
    }
    count
}

fn tracks(state: &State) -> Vec<Track> {
    let last = match state.table.scenario {
        Scenario::Keep => 10,
        Scenario::Watchtower | Scenario::Help => 20,
    };
    let mut tracks = vec![Track {
        name: words::TRACK_TURN,
        value: u32::from(state.turn),
        most: last,
        out_of: state.table.scenario != Scenario::Keep,
        class: "turn",
    }];
    for (side, name, class) in [
        (Side::Garrison, words::TRACK_LOST_GARRISON, "garrison"),
        (Side::Besieger, words::TRACK_LOST_BESIEGER, "besieger"),
    ] {
        let (value, most) = losses(state, side);
        tracks.push(Track { name, value, most, out_of: true, class });
    }
    match state.table.scenario {
        Scenario::Keep if state.turn > 0 => {
            let score = state.table.score(&mut Desk::new(Scripted::new(&[]), Silent));
            let points = |points: i32| u32::try_from(points.max(0)).unwrap_or(0);
            for (name, value, class) in [
                (words::TRACK_POINTS_GARRISON, points(score.defender), "garrison"),
                (words::TRACK_POINTS_BESIEGER, points(score.attacker), "besieger"),
            ] {
                tracks.push(Track { name, value, most: 1_200, out_of: false, class });
            }
        }
        Scenario::Help => tracks.push(Track {
            name: words::TRACK_OUT,
            value: u32::from(state.table.stands_out),
            most: 3,
            out_of: true,
            class: "garrison",
        }),
        Scenario::Watchtower => tracks.push(Track {
            name: words::TRACK_HELD,
            value: state.table.holder.map_or(0, |(_, turns)| u32::from(turns) + 1),
            most: 3,
            out_of: true,
            class: "garrison",
        }),
        Scenario::Keep => {}
    }
    tracks
}

/// The scenarios of a campaign: who has won which, and what the next one inherits from that.
fn legs(state: &State) -> Vec<Leg> {
    if !state.campaign {
        return Vec::new();
    }
    let mut quiet = Desk::new(Scripted::new(&[]), Silent);
    let won = |place: usize| state.winners.get(place).copied();
    let mut leg = |(place, scenario): (usize, Scenario)| {
        let when = match state.winners.len().cmp(&place) {
            Ordering::Greater => When::Past,
            Ordering::Equal => When::Now,
            Ordering::Less => When::Ahead,
        };
        let mut told: Vec<Saying> = won(place)
            .map(|winner| Saying::new(words::LEG_WON).with("side", say::side(winner)))
            .into_iter()
            .collect();
        // What this scenario inherits, once the one before it is decided.
        match scenario {
            Scenario::Help if won(0).is_some() => {
                let earlier = Earlier { first: won(0), second: None };
                let sections = scenario::works(earlier, &mut quiet).sections;
                told.push(match sections {
                    0 => Saying::new(words::LEG_NO_WORKS),
                    sections => Saying::new(words::LEG_WORKS).with("sections", sections),
                });
            }
            Scenario::Keep if won(1).is_some() => {
                let helped = won(1) == Some(Side::Garrison);
                let first = if helped { FIRST_ROLL_WITH_HELP } else { FIRST_ROLL };
                told.push(Saying::new(words::LEG_END_ROLL).with("turn", first));
            }
            _ => {}
        }
        Leg { name: say::scenario(scenario), when, told }
    };
    Scenario::ALL.into_iter().enumerate().map(&mut leg).collect()
}

/// What can be placed freely now, with the ground it takes.
pub(super) fn tools(state: &State) -> Vec<Tool> {
    // The garrison looks down the sheet, the besieger up it.
    let ahead = if state.asked == Some(Side::Garrison) { 270 } else { 90 };
    let tool = |name, title, key, (broad, deep): (f64, f64)| Tool {
        name,
        title,
        key,
        sheet: TABLE,
        broad: Extent::Fixed(broad),
        deep: Extent::Fixed(deep),
        snap: 26.0,
        turn: Some(ahead),
    };
    match state.steps.last() {
        Some(Step::Works(side)) if works_left(state, *side) => {
            vec![tool("work", words::TOOL_WORK, 'w', (40.0, 10.0))]
        }
        Some(Step::DeployCharacters | Step::Characters) => {
            vec![tool("character", words::TOOL_CHARACTER, 'c', (16.0, 16.0))]
        }
        Some(Step::Deploy | Step::Move) => {
            let Some(one) = moved_unit(state).and_then(|id| state.table.unit(id)) else { return Vec::new() };
            let setting_up = !one.is_on_table();
            let item = if setting_up { state.gift(one) } else { one.item };
            let wanted = Unit { item, ..*one };
            let stands = i64::from(if setting_up { one.began } else { one.strength() });
            let ground = |formation| {
                let (broad, deep) = ground_of(&wanted, formation, stands);
                (millimetres(broad), millimetres(deep))
            };
            if item.is_machine() && (setting_up || one.machine.is_some()) {
                return vec![tool("machine", machine_title(item), 'm', ground(Formation::Column))];
            }
            let line = tool("line", words::TOOL_LINE, 'l', ground(Formation::Line));
            let column = tool("column", words::TOOL_COLUMN, 'c', ground(Formation::Column));
            // As it stands comes first.
            match (stands, state.table.formation(one)) {
                (1, _) => vec![line],
                (_, Formation::Column) if !setting_up => vec![column, line],
                _ => vec![line, column],
            }
        }
        _ => Vec::new(),
    }
}

fn works_left(state: &State, side: Side) -> bool {
    let stores = match side {
        Side::Garrison => state.table.stores[0],
        Side::Besieger => state.table.stores[1],
    };
    stores.earthworks > 0
}

const fn machine_title(item: Item) -> Phrase {
    match item {
        Item::SiegeTower => words::TOOL_SIEGE_TOWER,
        Item::Sow => words::TOOL_SOW,
        _ => words::TOOL_RAM,
    }
}

/// Hundredths of a centimetre as millimetres.
#[allow(clippy::cast_precision_loss, reason = "bases are a few hundred hundredths of a centimetre wide")]
const fn millimetres(length: i64) -> f64 {
    length as f64 / 10.0
}

/// What it is all about.
pub(super) const fn aims(reader: Option<Side>) -> &'static [Phrase] {
    match reader {
        Some(Side::Garrison) => &[
            words::AIM_GARRISON,
            words::AIM_GARRISON_ONE,
            words::AIM_GARRISON_TWO,
            words::AIM_GARRISON_THREE,
        ],
        Some(Side::Besieger) => &[
            words::AIM_BESIEGER,
            words::AIM_BESIEGER_ONE,
            words::AIM_BESIEGER_TWO,
            words::AIM_BESIEGER_THREE,
        ],
        None => &[words::AIM_WATCHING],
    }
}
