//! An answer of the umpire as a reader sees it: the result, the odds as bars, the reasons.

use maud::{Markup, html};
use rulebook::phrase::table as words;
use serde_json::Value;

use crate::page::rule_link_named;
use crate::reader::Reader;

/// How a number stands in a language.
pub(crate) fn number(reader: &Reader, text: &str) -> String {
    match reader.lang {
        rulebook::Lang::Fr => text.replace('.', ",").replace('-', "−"),
        rulebook::Lang::En => text.replace('-', "−"),
    }
}

/// The name of a field: from the words, else its own name made readable.
pub(crate) fn field_name(reader: &Reader, name: &str) -> String {
    reader
        .named(&format!("form-field-{}", name.replace('_', "-")))
        .unwrap_or_else(|| name.replace(['_', '-'], " "))
}

/// The name of a choice.
pub(crate) fn value_name(reader: &Reader, value: &str) -> String {
    let key = format!("form-value-{}", value.to_lowercase().replace(['_', '.'], "-"));
    reader.named(&key).unwrap_or_else(|| value.replace(['_', '-'], " "))
}

/// A value of an answer.
fn shown(reader: &Reader, value: &Value) -> String {
    match value {
        Value::Bool(true) => reader.say(words::YES),
        Value::Bool(false) => reader.say(words::NO),
        Value::Number(figures) => number(reader, &figures.to_string()),
        Value::String(word) if word.starts_with(|first: char| first.is_ascii_digit()) => word.clone(),
        Value::String(word) => value_name(reader, word),
        Value::Array(list) if list.is_empty() => "–".to_owned(),
        Value::Array(list) => list.iter().map(|value| shown(reader, value)).collect::<Vec<_>>().join(" · "),
        Value::Object(fields) => {
            let parts = fields
                .iter()
                .map(|(name, value)| format!("{} {}", field_name(reader, name), shown(reader, value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        Value::Null => "–".to_owned(),
    }
}

/// A share in percent with its exact fraction kept for the title.
fn percent(fraction: &str) -> f64 {
    let mut parts = fraction.split('/').filter_map(|part| part.parse::<f64>().ok());
    match (parts.next(), parts.next()) {
        (Some(cases), Some(all)) if all > 0.0 => 100.0 * cases / all,
        _ => 0.0,
    }
}

/// A bar of this length in percent.
pub(crate) fn bar(percent: f64) -> Markup {
    html! {
        svg.bar viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" {
            rect.bar-ground width="100" height="10" {}
            rect.bar-share width=(format!("{percent:.2}")) height="10" {}
        }
    }
}

/// The whole answer.
pub(crate) fn answer(reader: &Reader, json: &str) -> Markup {
    let answered: Value = serde_json::from_str(json).unwrap_or(Value::Null);
    html! {
        section.answer id="answer" data-brief=(brief(reader, &answered)) aria-live="polite" aria-atomic="true" tabindex="-1" {
            @if let Some(refused) = answered.get("refused") {
                (refusal(reader, refused))
            } @else if let Some(odds) = answered["odds"].as_array() {
                h2 { (reader.say(words::ODDS)) }
                (odds_table(reader, odds))
            } @else if let Some(result) = answered.get("answer") {
                h2 { (reader.say(words::RESULT)) }
                (result_list(reader, result))
                @if let Some(dice) = answered["dice"].as_array() {
                    p.quiet { (reader.say(words::DICE_USED)) " " @for die in dice { (die_face(die)) } }
                }
            }
            (reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice)))
        }
    }
}

/// The answer in one line, for the bar under a thumb.
fn brief(reader: &Reader, answered: &Value) -> String {
    let said = |name: &str, value: String| format!("{value} {}", field_name(reader, name));
    if answered.get("refused").is_some() {
        return format!("✕ {}", reader.say(words::REFUSED));
    }
    let wanted = ["losses", "figures_lost", "marker"];
    if let Some(odds) = answered["odds"].as_array() {
        let range = |name: &str| {
            let values: Vec<i64> =
                odds.iter().filter_map(|outcome| outcome["answer"][name].as_i64()).collect();
            let (low, high) = (values.iter().min()?, values.iter().max()?);
            Some(said(name, if low == high { low.to_string() } else { format!("{low}–{high}") }))
        };
        return wanted.iter().filter_map(|name| range(name)).collect::<Vec<_>>().join(" · ");
    }
    let value = |name: &str| answered["answer"].get(name).map(|value| said(name, shown(reader, value)));
    wanted.iter().filter_map(|name| value(name)).collect::<Vec<_>>().join(" · ")
}

fn refusal(reader: &Reader, refused: &Value) -> Markup {
    html! {
        h2.refused { (reader.say(words::REFUSED)) }
        p.refusal {
            @if let Some(field) = refused["field"].as_str() {
                strong { (path_name(reader, field)) } " : "
            }
            (refused["message"].as_str().unwrap_or_default())
        }
        @if let Some(rule) = refused["rule"].as_str() {
            ul.reasons { li { span.effect { "✕" } span.reason { (rule_link_named(rule)) " "
                @if let Some(entry) = rulebook::entry(rule) { (entry.text().get(reader.lang)) } } } }
        }
    }
}

/// The name of a field given by its dotted path.
pub(crate) fn path_name(reader: &Reader, path: &str) -> String {
    path.split('.').map(|name| field_name(reader, name)).collect::<Vec<_>>().join(" › ")
}

fn die_face(die: &Value) -> Markup {
    let pips: &[(u8, u8)] = match die.as_u64() {
        Some(1) => &[(10, 10)],
        Some(2) => &[(5, 5), (15, 15)],
        Some(3) => &[(5, 5), (10, 10), (15, 15)],
        Some(4) => &[(5, 5), (15, 5), (5, 15), (15, 15)],
        Some(5) => &[(5, 5), (15, 5), (10, 10), (5, 15), (15, 15)],
        Some(6) => &[(5, 4), (15, 4), (5, 10), (15, 10), (5, 16), (15, 16)],
        _ => &[],
    };
    html! {
        svg.die viewBox="0 0 20 20" role="img" aria-label=(die) {
            rect x="0.7" y="0.7" width="18.6" height="18.6" rx="3" {}
            @for (x, y) in pips { circle cx=(x) cy=(y) r="2" {} }
        }
    }
}

fn result_list(reader: &Reader, result: &Value) -> Markup {
    html! {
        @if let Some(fields) = result.as_object() {
            dl.result {
                @for (name, value) in fields {
                    div { dt { (field_name(reader, name)) } dd class=[matches!(value, Value::Array(_) | Value::Object(_)).then_some("long")] { (shown(reader, value)) } }
                }
            }
        } @else { p.says { (shown(reader, result)) } }
    }
}

/// The odds: a row for every answer, a column for every field that differs; what is the same in all
/// of them is said once.
fn odds_table(reader: &Reader, odds: &[Value]) -> Markup {
    let mut names: Vec<&String> = Vec::new();
    for outcome in odds {
        for (name, _) in outcome["answer"].as_object().into_iter().flatten() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let same = |name: &str| odds.windows(2).all(|pair| pair[0]["answer"][name] == pair[1]["answer"][name]);
    let (fixed, varied): (Vec<&String>, Vec<&String>) =
        names.into_iter().partition(|name| same(name) && odds.len() > 1);
    let cell = |outcome: &Value, name: &str| {
        outcome["answer"].get(name).map_or_else(|| "–".to_owned(), |value| shown(reader, value))
    };
    html! {
        @if !fixed.is_empty() {
            dl.result.result-fixed {
                @for name in &fixed { div { dt { (field_name(reader, name)) } dd { (cell(&odds[0], name)) } } }
            }
        }
        div.scroll tabindex="0" {
            table.odds {
                thead { tr {
                    th.chance scope="col" { (reader.say(words::CHANCE)) }
                    @for name in &varied { th scope="col" { (field_name(reader, name)) } }
                } }
                tbody {
                    @for outcome in odds {
                        @let fraction = outcome["p"].as_str().unwrap_or_default();
                        @let share = percent(fraction);
                        tr {
                            th.chance scope="row" title=(fraction) {
                                span.share { (number(reader, &format!("{share:.1}"))) " %" } " " (bar(share))
                            }
                            @for name in &varied { td { (cell(outcome, name)) } }
                        }
                    }
                }
            }
        }
    }
}

fn reasons(reader: &Reader, because: &[Value]) -> Markup {
    html! {
        @if !because.is_empty() {
            h3 { (reader.say(words::REASONS)) }
            ul.reasons {
                @for reason in because {
                    li {
                        span.effect { (reason["effect"].as_str().unwrap_or_default()) }
                        span.reason {
                            (rule_link_named(reason["rule"].as_str().unwrap_or_default())) " "
                            (reason["text"].as_str().unwrap_or_default())
                        }
                    }
                }
            }
        }
    }
}
