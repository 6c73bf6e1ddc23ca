//! Beside the maps: whose decision it is, the tracks, what may be decided, the journal.

use danzig::siege::WorkKind;
use danzig::{Hand, Outcome, Owed, Phase, Place, Score, Side, State, UnitId};
use kernel::{Chooses as _, Chosen, Game as _, Line};
use maud::{Markup, html};
use rulebook::phrase::{board as words, table as common};

use super::choice::{Choice, Map, choice, kind_word};
use super::counter::whereabouts;
use super::{Seen, Told, board};
use crate::page::rule_link_under;
use crate::reader::Reader;

/// What a side is called.
#[must_use]
pub fn side_name(reader: &Reader, side: Side) -> String {
    match side {
        Side::French => reader.say(words::FRENCH),
        Side::Prussian => reader.say(words::PRUSSIAN),
    }
}

fn phase_word(phase: Phase) -> String {
    super::choice::word(&phase)
}

fn phase_name(reader: &Reader, phase: Phase) -> String {
    rulebook::speak_key(&format!("board-phase-{}", phase_word(phase)), reader.lang)
}

/// The title: whose turn it is.
pub(super) fn headline(reader: &Reader, seen: &Seen<'_>) -> String {
    let game = reader.say(rulebook::phrase::table::SYSTEM_DANZIG);
    match seen.state.to_move() {
        _ if seen.at.is_some() => format!("{} · {game}", reader.say(words::REPLAY)),
        _ if seen.over => format!("{} · {game}", reader.say(words::OVER)),
        Some(side) if seen.deciding() == Some(side) => {
            format!("● {} · {game}", reader.say(words::YOUR_DECISION))
        }
        Some(side) => {
            format!("{} · {game}", reader.say_with(words::DECIDES, "side", side_name(reader, side).as_str()))
        }
        None => game,
    }
}

/// The panel.
pub(super) fn panel(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let state = seen.state;
    html! {
        header.turn data-n=(seen.entries) data-deciding=[seen.deciding().map(|side| side_key(side))]
            data-map=[first_map(reader, seen).map(Map::name)] {
            p.turn-number { (reader.say_with(words::TURN, "turn", i64::from(state.table.turn))) }
            h2 tabindex="-1" { (phase_name(reader, state.phase)) @if let Some(round) = round(state) { span.quiet { " · " (reader.say_with(words::ROUND, "round", round)) } } }
            p.quiet {
                @match (state.to_move(), seen.over) {
                    (_, true) | (None, _) => { (ending(reader, state)) },
                    (Some(side), _) if seen.deciding() == Some(side) => { strong { (reader.say_with(words::YOU_DECIDE, "side", side_name(reader, side).as_str())) } },
                    (Some(side), _) => { (reader.say_with(words::DECIDES, "side", side_name(reader, side).as_str())) },
                }
            }
        }
        @if let Some(why) = seen.damaged { p role="alert" { strong { (why) } } }
        (tracks(reader, state))
        @if seen.deciding().is_some() { (choices(reader, seen)) }
        @else if seen.at.is_some() { p.hint { (reader.say(words::PAST)) " " a href={ "/g/" (seen.game) } { (reader.say(words::NOW)) } } }
        @else if seen.seats.is_empty() { p.hint { (reader.say(words::WATCHING)) } }
        @else if !seen.over && seen.damaged.is_none() { p.hint { (reader.say(words::WAITING)) } }
        (super::dice::dice(reader, seen))
    }
}

/// What it is all about, for whoever sits down for the first time: open until the first trench.
pub(super) fn aim(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let steps = match seen.seats {
        [Side::French] => [
            words::AIM_FRENCH,
            words::AIM_FRENCH_ONE,
            words::AIM_FRENCH_TWO,
            words::AIM_FRENCH_THREE,
            words::AIM_FRENCH_FOUR,
        ]
        .as_slice(),
        [Side::Prussian] => &[
            words::AIM_PRUSSIAN,
            words::AIM_PRUSSIAN_ONE,
            words::AIM_PRUSSIAN_TWO,
            words::AIM_PRUSSIAN_THREE,
            words::AIM_PRUSSIAN_FOUR,
        ],
        _ => &[words::AIM_WATCHING],
    };
    let Some((goal, way)) = steps.split_first() else { return html! {} };
    html! {
        details.aim id="aim" open[seen.state.table.turn < 2] {
            summary { (reader.say(words::AIM)) }
            p { (reader.say(*goal)) }
            @if !way.is_empty() { ol { @for step in way { li { (reader.say(*step)) } } } }
        }
    }
}

/// A line that begins like a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The operational round, while rounds are played.
fn round(state: &State) -> Option<i64> {
    (Phase::Retreat..Phase::DesertionRoll).contains(&state.phase).then(|| i64::from(state.clock.round))
}

/// What to do now, in a sentence.
fn hint(reader: &Reader, state: &State) -> String {
    let word = match (state.table.owed.last(), state.hand) {
        (Some(Owed::Losses { .. }), _) => "owed-losses".to_owned(),
        (Some(Owed::Retreat { .. }), _) => "owed-retreat".to_owned(),
        (Some(Owed::GiveWay(_)), _) => "owed-give-way".to_owned(),
        (Some(Owed::Occupy { .. }), _) => "owed-occupy".to_owned(),
        (Some(Owed::Battery(_)), _) => "owed-battery".to_owned(),
        (Some(Owed::Excess(_)), _) => "owed-excess".to_owned(),
        (Some(Owed::Occupier { .. }), _) => "owed-occupier".to_owned(),
        (None, Hand::Moving(_)) => "hand-moving".to_owned(),
        (None, Hand::Leaving { .. } | Hand::Running { .. }) => "hand-leaving".to_owned(),
        (None, Hand::Charged { .. }) => "hand-charged".to_owned(),
        (None, Hand::Exposed(_)) => "hand-exposed".to_owned(),
        (None, Hand::Empty | Hand::Fighting(_)) => phase_word(state.phase),
    };
    rulebook::speak_key(&format!("board-hint-{word}"), reader.lang)
}

pub(super) const fn side_key(side: Side) -> &'static str {
    match side {
        Side::French => "french",
        Side::Prussian => "prussian",
    }
}

fn ending(reader: &Reader, state: &State) -> String {
    match state.outcome() {
        Some(Outcome { result, .. }) => reader.say(match result {
            Score::FrenchVictory => words::FRENCH_VICTORY,
            Score::Draw => words::DRAW,
            Score::PrussianMinor => words::PRUSSIAN_MINOR,
            Score::PrussianMajor => words::PRUSSIAN_MAJOR,
        }),
        None => reader.say(words::OVER),
    }
}

fn tracks(reader: &Reader, state: &State) -> Markup {
    let danzig = &state.table.danzig;
    let tracks = [
        (words::TRACK_MORALE, u32::from(danzig.morale), 25, "morale"),
        (words::TRACK_24, u32::from(danzig.ammunition_24), 50, "ammunition"),
        (words::TRACK_12, u32::from(danzig.ammunition_12), 250, "ammunition"),
        (words::TRACK_BUILD, u32::from(danzig.construction), 10, "construction"),
        (words::TRACK_REPAIR, u32::from(danzig.repair_pool), 40, "repair"),
    ];
    html! {
        dl.tracks {
            div.track-turn { dt { (reader.say(words::TRACK_TURN)) } dd { (state.table.turn) " / 15" (scale(u32::from(state.table.turn), 15, "turn")) } }
            @for (phrase, value, most, class) in tracks {
                div { dt { (reader.say(phrase)) } dd { (value) (scale(value, most, class)) } }
            }
        }
    }
}

fn scale(value: u32, most: u32, class: &str) -> Markup {
    let share = 100.0 * f64::from(value.min(most)) / f64::from(most.max(1));
    html! {
        svg class={ "bar " (class) } viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.bar-ground width="100" height="10" {}
            rect.bar-share width=(format!("{share:.1}")) height="10" {}
        }
    }
}

/// The map on which something can be decided now, if there is one.
pub(super) fn first_map(reader: &Reader, seen: &Seen<'_>) -> Option<Map> {
    seen.deciding()?;
    let mut actions = Vec::new();
    seen.state.actions(seen.state.active(), &mut actions);
    actions.iter().find_map(|action| choice(reader, seen.state, action).map())
}

/// Kinds of order that neither name nor need a counter come first, as large buttons.
fn choices(reader: &Reader, seen: &Seen<'_>) -> Markup {
    let mut actions = Vec::new();
    seen.state.actions(seen.state.active(), &mut actions);
    let all: Vec<Choice> = actions.iter().map(|action| choice(reader, seen.state, action)).collect();
    let (mut plain, aimed): (Vec<&Choice>, Vec<&Choice>) =
        all.iter().partition(|choice| choice.subjects.is_empty() && choice.at.is_none());
    // What does something comes before what lets the moment pass.
    plain.sort_by_key(|choice| passes(&choice.kind));
    let mut kinds: Vec<(String, Vec<&Choice>)> = Vec::new();
    for choice in aimed {
        let heading = heading(reader, choice);
        match kinds.iter_mut().find(|(known, _)| *known == heading) {
            Some((_, list)) => list.push(choice),
            None => kinds.push((heading, vec![choice])),
        }
    }
    let mut waiting: Vec<UnitId> = all
        .iter()
        .flat_map(|choice| &choice.subjects)
        .filter_map(|thing| UnitId::of_code(thing.strip_prefix("u:")?))
        .filter(|unit| !board::is_on_a_map(seen.state.table.unit(*unit).place))
        .collect();
    waiting.sort_unstable();
    waiting.dedup();
    // Those who wait to enter come first; split regiments could only leave the siege again.
    waiting.sort_by_key(|unit| whereabouts(seen.state, *unit) == Place::Concentration);
    html! {
        section.choices aria-label=(reader.say(words::CHOICES)) {
            p.hint { (hint(reader, seen.state)) }
            @if !waiting.is_empty() { (board::tray(reader, seen.state, &waiting)) }
            (tools(reader, seen.state))
            div id="selected" {}
            @for (heading, list) in &kinds {
                details.kind data-count=(list.len()) open[list.len() <= 6 && waiting.is_empty()] {
                    summary { (heading) " " span.quiet { "(" (list.len()) ")" } }
                    ul { @for choice in list { li { (button(choice, "choice")) } } }
                }
            }
            div.plain { @for choice in plain { (button(choice, plain_class(&choice.kind))) } }
            button.undo type="button" id="undo" { (reader.say(words::UNDO)) }
            @if seen.fairness.take_backs && !seen.fairness.machines.is_empty() {
                button.undo type="button" id="take-back" { (reader.say(words::TAKE_BACK)) }
            }
        }
    }
}

/// Whether an order only ends something.
fn passes(kind: &str) -> bool {
    matches!(kind, "end-phase" | "pass" | "decline" | "set-up-done")
}

fn plain_class(kind: &str) -> &'static str {
    if passes(kind) { "choice ends" } else { "choice primary" }
}

fn heading(reader: &Reader, choice: &Choice) -> String {
    rulebook::speak_key(&format!("board-kind-{}", choice.kind), reader.lang)
}

fn button(choice: &Choice, class: &str) -> Markup {
    let at = choice.at.map(|(_, x, y)| format!("{x:.1} {y:.1}"));
    let pose = choice.pose.map(|(kind, pose)| {
        format!(
            "{} {} {} {} {}",
            kind_word(kind),
            f64::from(pose.at.x) / 10.0,
            f64::from(pose.at.y) / 10.0,
            pose.facing.get(),
            pose.length
        )
    });
    html! {
        button class=(class) type="button" data-action=(choice.action) data-kind=(choice.kind)
            data-subjects=[(!choice.subjects.is_empty()).then(|| choice.subjects.join(" "))]
            data-object=[choice.object.as_deref()] data-map=[choice.map().map(Map::name)]
            data-at=[at] data-pose=[pose] { (choice.label) }
    }
}

/// In the building step: what to dig. What fits nowhere can still be tried; the rules then say why.
fn tools(reader: &Reader, state: &State) -> Markup {
    let digging = state.phase == Phase::Build && state.hand == Hand::Empty && state.table.owed.is_empty();
    html! {
        @if digging {
            div.tools role="group" aria-label=(reader.say(words::TOOLS)) {
                @for kind in [WorkKind::Sap, WorkKind::Parallel, WorkKind::Battery].map(kind_word) {
                    button.tool type="button" data-tool=(kind) aria-pressed="false" { (rulebook::speak_key(&format!("board-tool-{kind}"), reader.lang)) }
                }
            }
        }
    }
}

/// The journal, the newest entry first: the whole of it, or what the page adds as the game goes on.
pub(super) fn journal(reader: &Reader, seen: &Seen<'_>) -> Markup {
    html! { @for told in seen.told.iter().rev() { (entry(reader, told, &seen.state.chosen())) } }
}

/// An entry: what was ordered, then each event, which opens into its reasons.
fn entry(reader: &Reader, told: &Told, chosen: &Chosen) -> Markup {
    let mut events: Vec<(String, Vec<&kernel::Because>)> = Vec::new();
    let mut because = Vec::new();
    for line in &told.said {
        match line {
            Line::Because(reason) => because.push(reason),
            Line::Happened(event) => {
                let text = sentence(&rulebook::speak(event.phrase, &event.facts, reader.lang));
                let reasons = std::mem::take(&mut because);
                // What only repeats the order keeps its reasons.
                if told.order.as_deref() != Some(text.as_str()) {
                    events.push((text, reasons));
                } else if !reasons.is_empty() {
                    events.push((reader.say(common::REASONS), reasons));
                }
            }
        }
    }
    if let Some((_, reasons)) = events.last_mut() {
        reasons.append(&mut because);
    }
    if events.is_empty() && !because.is_empty() {
        let nothing = if told.rolled { words::NO_EFFECT } else { common::REASONS };
        events.push((sentence(&reader.say(nothing)), because));
    }
    html! {
        @if told.order.is_some() || !events.is_empty() {
            li class=[told.by.map(side_key)] data-n=(told.n) {
                @if let Some(order) = &told.order { span.order { (order) } }
                @for (text, reasons) in &events {
                    @if reasons.is_empty() { span.event { (text) } } @else {
                        details { summary { (text) }
                            ul.reasons { @for reason in reasons { li {
                                span.effect { (rulebook::effect(&reason.effect, reader.lang)) }
                                span.reason { (rule_link_under(reason.rule.as_str(), chosen)) }
                            } } }
                        }
                    }
                }
            }
        }
    }
}
