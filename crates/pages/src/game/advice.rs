//! The machine at the reader's elbow: what it is doing, what it is after, and what it would order in his place.

use kernel::Fact;
use kernel::board::Position;
use maud::{Markup, html};
use rulebook::phrase::board as words;

use super::{Seen, ask};
use crate::reader::Reader;
use crate::typography;

/// An order that the machine would give, the best first.
#[derive(Clone, Debug, PartialEq)]
pub struct Advised {
    /// The order, as JSON.
    pub action: String,
    /// The score that it promises, from 0 to 1, and how many playouts say so; nothing where the doctrine of
    /// the game says so without thinking ahead.
    pub promise: Option<(f64, u32)>,
}

/// So many orders are weighed before the reader's eyes.
const MOST: usize = 4;

/// What the machine would order: the order with its odds, to be given with one click, and what it was weighed
/// against.
#[must_use]
pub fn game_advice(reader: &Reader, position: &dyn Position, advised: &[Advised]) -> String {
    let label = |action: &str| position.label(action).map(|label| reader.tell(&label));
    let Some((best, name)) = advised.first().and_then(|best| Some((best, label(&best.action)?))) else {
        return html! { p.quiet { (reader.say(words::NO_ADVICE)) } }.into_string();
    };
    let others: Vec<(String, &Advised)> = advised
        .iter()
        .skip(1)
        .take(MOST - 1)
        .filter_map(|other| Some((label(&other.action)?, other)))
        .collect();
    let advice = html! {
        div.advice {
            h3 { (reader.say_with(words::ADVICE, "order", name.as_str())) }
            p.worth { (promise(reader, best)) }
            (ask::odds(reader, position, &best.action))
            @if !others.is_empty() {
                details { summary { (reader.say(words::ADVICE_OTHERS)) }
                    ul { @for (name, other) in &others { li { (name) " · " (promise(reader, other)) } } }
                }
            }
            div.confirms { button.primary.confirm.advised type="button" data-action=(best.action) { "✓ " (name) } }
        }
    };
    typography::set(reader.lang, &advice.into_string())
}

fn promise(reader: &Reader, advised: &Advised) -> String {
    match advised.promise {
        None => reader.say(words::ADVICE_DOCTRINE),
        Some((score, playouts)) => {
            let facts = [
                Fact { name: "score", value: format!("{:.0}", score * 100.0).into() },
                Fact { name: "playouts", value: i64::from(playouts).into() },
            ];
            rulebook::speak(words::ADVICE_WORTH, &facts, reader.lang)
        }
    }
}

/// That a machine is thinking, and what those that play are after.
pub(super) fn machines(reader: &Reader, seen: &Seen<'_>) -> Markup {
    if seen.over || seen.at.is_some() || seen.damaged.is_some() {
        return html! {};
    }
    let machines = &seen.fairness.machines;
    let thinking: Vec<usize> =
        seen.awaited.iter().copied().filter(|place| machines.contains(place)).collect();
    let after = machines.iter().filter_map(|place| Some((*place, seen.position.intention(*place)?)));
    html! {
        @if !thinking.is_empty() {
            p.thinking role="status" { span.pulse aria-hidden="true" {} (reader.say_with(words::THINKING, "side", seen.side_names(reader, &thinking))) }
        }
        @for (place, saying) in after {
            p.intention { strong { (seen.side_name(reader, place)) } " · " (reader.tell(&saying)) }
        }
    }
}
