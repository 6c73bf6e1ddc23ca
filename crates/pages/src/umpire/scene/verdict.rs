//! The umpire's answer on a scene, with the names of the bodies instead of their ids.

use kernel::Fact;
use maud::{Markup, html};
use rulebook::phrase::{table as common, umpire as words};
use rulebook::speak;
use serde_json::Value;

use super::Page;
use super::ask::Ask;
use crate::answer::{self, bar, number};
use crate::home::count;
use crate::page::rule_link_under;
use crate::reader::Reader;

/// The answer under the form.
pub(super) fn verdict(page: &Page<'_>, answered: Option<&Value>) -> Markup {
    let reader = page.reader;
    let Some(answered) = answered else {
        return html! {
            section.answer id="answer" aria-live="polite" aria-atomic="true" tabindex="-1" {
                p.quiet { (reader.say(common::NOT_ASKED)) }
            }
        };
    };
    let own = match page.chosen.ask {
        _ if answered.get("refused").is_some() => None,
        Ask::Shoot if page.chosen.query.get("to").is_none() => Some(list(page, &answered["answer"])),
        Ask::Shoot => Some(fire(page, answered)),
        Ask::Sight => Some(sight(page, &answered["answer"])),
        _ => None,
    };
    match own {
        Some(own) => html! {
            section.answer id="answer" aria-live="polite" aria-atomic="true" tabindex="-1" {
                (own)
                (answer::reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), &page.chosen.query.chosen()))
            }
        },
        None => answer::answer_named(reader, answered, &|id| page.name_of(id), &page.chosen.query.chosen()),
    }
}

/// Everything that may be fired at, and what may not, with the reason.
fn list(page: &Page<'_>, answer: &Value) -> Markup {
    let reader = page.reader;
    let targets = answer["targets"].as_array().map_or(&[][..], Vec::as_slice);
    let refused = answer["refused"].as_array().map_or(&[][..], Vec::as_slice);
    let (told, untold) = refused.split_at(refused.len().min(super::MOST_REASONS));
    html! {
        h2 { (reader.say(words::MAY_FIRE_AT)) }
        @if targets.is_empty() { p { (reader.say(words::NOBODY_ELIGIBLE)) } }
        ul.targets {
            @for target in targets {
                @let id = target["body"].as_str().unwrap_or_default();
                li {
                    a href=(fire_at(page, target)) data-live="true" { strong { (page.name_of(id)) } }
                    (side(page, target))
                    @if let Some(distance) = target["distance"].as_f64() { " · " (number(reader, &distance.to_string())) " cm" }
                    @if let Some(priority) = target["priority"].as_i64() { " · " (reader.say_with(words::PRIORITY, "count", priority)) }
                    @if target["allowed"] == false { " · " em { (reader.say(words::PRIORITY_FORBIDS)) } }
                }
            }
        }
        @if !refused.is_empty() {
            h3 { (reader.say(words::MAY_NOT_FIRE_AT)) }
            ul.targets.may-not {
                @for target in told {
                    @let id = target["body"].as_str().unwrap_or_default();
                    li {
                        a href=(fire_at(page, target)) data-live="true" { (page.name_of(id)) } (side(page, target))
                        (page.reader.lang.colon()) (target["reason"].as_str().unwrap_or_default())
                        @if let Some(rule) = target["rule"].as_str() { " " (rule_link_under(rule, &page.chosen.query.chosen())) }
                    }
                }
            }
            @if !untold.is_empty() { p.quiet { (reader.say_with(words::MORE_REFUSED, "count", count(untold.len()))) } }
        }
    }
}

fn side(page: &Page<'_>, target: &Value) -> Markup {
    html! { @if let Some(side) = target["side"].as_i64() { " (" (page.reader.say_with(words::SIDE, "count", side)) ")" } }
}

fn fire_at(page: &Page<'_>, target: &Value) -> String {
    let side = target["side"].as_i64().map(|side| side.to_string());
    super::address(&page.chosen.query.with("to", target["body"].as_str()).with("side", side.as_deref()))
}

/// What a fire does, or may do.
fn fire(page: &Page<'_>, answered: &Value) -> Markup {
    let reader = page.reader;
    let named = |id: &str| page.name_of(id);
    if let Some(odds) = answered["odds"].as_array() {
        return html! {
            h2 { (reader.say(common::ODDS)) }
            div.scroll tabindex="0" {
                table.odds.outcomes { tbody {
                    @for row in answer::joined(odds, |answer| hits(reader, &named, answer)) {
                        tr {
                            th.chance scope="row" title=(row.fraction) { span.share { (number(reader, &format!("{:.1}", row.share))) " %" } " " (bar(row.share)) }
                            td { (row.what) }
                        }
                    }
                } }
            }
        };
    }
    html! {
        h2 { (reader.say(common::RESULT)) }
        p.says { (hits(reader, &named, &answered["answer"])) }
        @if let Some(dice) = answered["dice"].as_array() {
            p.quiet { (reader.say(common::DICE_USED)) " " @for die in dice { (answer::die_face(die)) } }
        }
    }
}

/// Who was hit, in one line; `named` knows what bodies are called.
pub(crate) fn hits(reader: &Reader, named: &dyn Fn(&str) -> String, answer: &Value) -> String {
    if answer["lost"] == true {
        return reader.say(words::FIRE_LOST);
    }
    let mut parts: Vec<String> = Vec::new();
    for hit in answer["hits"].as_array().into_iter().flatten() {
        let name = named(hit["body"].as_str().unwrap_or_default());
        let number = |field: &str| hit[field].as_i64().unwrap_or(0);
        let facts = [
            Fact { name: "name", value: name.into() },
            Fact { name: "losses", value: number("losses").into() },
            Fact { name: "figures", value: number("figures_lost").into() },
            Fact { name: "marker", value: number("marker").into() },
        ];
        let phrase = if hit["destroyed"] == true { words::HIT_DESTROYED } else { words::HIT_LOSSES };
        parts.push(speak(phrase, &facts, reader.lang));
    }
    if parts.is_empty() {
        parts.push(reader.say(words::NO_LOSS));
    }
    if answer["point_blank"] == true {
        parts.push(reader.say(words::POINT_BLANK));
    }
    if answer["on_fire"] == true {
        parts.push(answer::field_name(reader, "on_fire"));
    }
    parts.join(" · ")
}

/// Whether one sees the other, and what is in between.
fn sight(page: &Page<'_>, answer: &Value) -> Markup {
    let reader = page.reader;
    let sees = answer["sees"] == true;
    let named = |name: &str| page.name_of(page.chosen.query.get(name).unwrap_or_default());
    let facts =
        [Fact { name: "from", value: named("from").into() }, Fact { name: "to", value: named("to").into() }];
    let blocked = &answer["blocked"];
    let stopped = super::drawing::mark(answer).and_then(|mark| {
        let far = number(reader, &mark.from.gap_to(mark.blocked?).centimetres().to_string());
        let facts = match blocked["by"].as_str() {
            Some(by) => vec![
                Fact { name: "what", value: page.name_of(by).into() },
                Fact { name: "distance", value: far.into() },
            ],
            None => vec![Fact { name: "distance", value: far.into() }],
        };
        let phrase = if facts.len() == 2 { words::BLOCKED_BY } else { words::BLOCKED_HERE };
        Some(speak(phrase, &facts, reader.lang))
    });
    html! {
        h2 class=[(!sees).then_some("refused")] { (speak(if sees { words::SEES } else { words::SEES_NOT }, &facts, reader.lang)) }
        @if let Some(stopped) = stopped { p.says { (stopped) @if let Some(rule) = blocked["rule"].as_str() { " · " (rule_link_under(rule, &page.chosen.query.chosen())) } } }
        @else if let Some(length) = answer["length"].as_f64() {
            p.quiet { (reader.say_with(words::LINE_LENGTH, "distance", number(reader, &length.to_string()))) }
        }
    }
}
