//! What is applied to an evening: an action with the dice that were rolled for it enters; the evening
//! after it and what the rules said leave. The record is the kernel's own, made by playing everything
//! again.

use kernel::record::Deed;
use kernel::{Chosen, Desk, Game, Line, Play, Record, Refusal, Scripted, Source, Spoken};
use maud::html;
use rulebook::options::tabletop::Options;
use rulebook::phrase::{evening as words, table as common};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tabletop::evening::{Action, Evening, Seat};

use crate::page::rule_link_under;
use crate::reader::Reader;

/// What is done.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    evening: Box<Evening>,
    action: Action,
    #[serde(default)]
    dice: Vec<u8>,
}

/// What came of it. Fields stay in the order in which tables are written.
#[derive(Serialize)]
struct Acted<'a> {
    evening: &'a Evening,
    said: String,
    html: String,
    open: String,
}

/// Does it, or says why not.
pub(super) fn act(reader: &Reader, request: &Request) -> Result<String, Refusal> {
    let mut evening = (*request.evening).clone();
    let mut desk = Desk::new(Scripted::new(&request.dice), Spoken::default());
    evening.apply(Seat::Umpire, &request.action, &mut desk)?;
    desk.dice.finish().map_err(Refusal::from)?;
    let said: Vec<String> = desk
        .notes
        .lines()
        .iter()
        .filter_map(|line| match line {
            Line::Happened(event) => Some(rulebook::speak(event.phrase, &event.facts, reader.lang)),
            Line::Because(_) => None,
        })
        .collect();
    let html = html! {
        p.says { (said.join(" · ")) }
        @if !rules(&desk.notes).is_empty() && !matches!(request.action, Action::Next(_)) {
            details.why { summary { (reader.say(common::REASONS)) }
                p.quiet { @for rule in rules(&desk.notes) { (rule_link_under(rule, &Chosen::default())) " " } } }
        }
    };
    let open = open(reader, &evening).into_string();
    let acted = Acted { evening: &evening, said: said.join(" · "), html: html.into_string(), open };
    Ok(serde_json::to_string(&acted).unwrap_or_default())
}

/// The rules that acted, each once, in their order.
pub(super) fn rules(notes: &Spoken) -> Vec<&'static str> {
    let mut rules = Vec::new();
    for reason in notes.reasons() {
        let rule = reason.rule.as_str();
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// Who may still fire in this phase, each with whom the priorities give it.
pub(super) fn open(reader: &Reader, evening: &Evening) -> maud::Markup {
    let name = |id: &str| super::name_of(reader, evening.table(), id);
    let open = evening.open_fires();
    html! {
        h3 { (reader.say(words::OPEN_FIRES)) }
        @if open.is_empty() { p.quiet { (reader.say(words::NO_OPEN_FIRES)) } }
        ul.targets {
            @for fire in &open {
                li { button.link type="button" data-who=(fire.shooter) data-whom=(fire.target) { (name(&fire.shooter)) " → " (name(&fire.target)) } }
            }
        }
    }
}

/// Everything that was done since the table was laid.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Whole {
    actions: Vec<Done>,
}

/// An action with its dice.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    action: Action,
    #[serde(default)]
    dice: Vec<u8>,
}

/// A body that is laid into a house.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Inside {
    scene: tabletop::scene::Setup,
    body: String,
    house: String,
}

/// Its figures at the walls of the house.
pub(super) fn garrison(request: &Inside) -> Result<Value, Refusal> {
    let place =
        tabletop::evening::garrison(&request.scene, &Options::default(), &request.body, &request.house)?;
    Ok(json!({ "place": place }))
}

/// A record somebody else kept, or this browser earlier.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Kept {
    record: String,
}

/// An entry of a record with the evening after it.
#[derive(Serialize)]
struct After {
    action: Option<Action>,
    dice: Vec<u8>,
    evening: Evening,
}

/// Plays a record again, checking every order, die and state: each entry with the evening after it.
pub(super) fn replay(request: &Kept) -> Result<String, Refusal> {
    let record = Record::read(&request.record)?;
    let mut lines = request.record.lines();
    let mut play = Play::<Evening>::open(lines.next().unwrap_or_default(), None)?;
    let mut all = Vec::new();
    for (entry, line) in record.entries::<Seat, Action>()?.into_iter().zip(lines) {
        play.follow(line)?;
        let (action, dice) = match entry.deed {
            Deed::Decide { action, dice, .. } => (Some(action), dice),
            _ => (None, Vec::new()),
        };
        let dice = dice.iter().map(|rolled| rolled.face).collect();
        all.push(After { action, dice, evening: play.state().clone() });
    }
    Ok(serde_json::to_string(&all).unwrap_or_default())
}

/// The record of an evening, as the kernel writes it, and the table it ends with.
pub(super) fn record(request: &Whole) -> Result<Value, Refusal> {
    let empty = kernel::Setup { scenario: "empty".to_owned(), ..kernel::Setup::default() };
    let mut play = Play::<Evening>::begin(&empty, Source::Table, None)?;
    let mut lines = vec![play.header_line().to_owned()];
    for done in &request.actions {
        let step = play.decide_with(play.entries(), Seat::Umpire, &done.action, &done.dice)?;
        lines.push(step.record_line);
    }
    lines.push(String::new());
    Ok(json!({ "record": lines.join("\n"), "table": play.state().table() }))
}
