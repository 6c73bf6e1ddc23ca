//! An answer of the umpire as a reader sees it: the result, the odds as bars, the reasons.

use kernel::Chosen;
use maud::{Markup, html};
use rulebook::phrase::table as words;
use serde_json::Value;

use crate::page::rule_link_under;
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
    let key = format!("form-value-{}", value.to_lowercase().replace(['_', '.', ' '], "-"));
    reader.named(&key).unwrap_or_else(|| value.replace(['_', '-'], " "))
}

/// A value of an answer in one line; `named` knows what the ids in it are called.
fn shown(reader: &Reader, value: &Value, named: &Named<'_>) -> String {
    match value {
        Value::Bool(true) => reader.say(words::YES),
        Value::Bool(false) => reader.say(words::NO),
        Value::Number(figures) => number(reader, &figures.to_string()),
        Value::String(word) => {
            let name = named(word);
            if name != *word {
                name
            } else if word.starts_with(|first: char| first.is_ascii_digit())
                || rulebook::entry(word).is_some()
            {
                word.clone()
            } else {
                value_name(reader, word)
            }
        }
        Value::Array(list) if list.is_empty() => "–".to_owned(),
        Value::Array(list) => {
            list.iter().map(|value| shown(reader, value, named)).collect::<Vec<_>>().join(" · ")
        }
        Value::Object(fields) => {
            let parts = fields
                .iter()
                .map(|(name, value)| format!("{} {}", field_name(reader, name), shown(reader, value, named)));
            parts.collect::<Vec<_>>().join(", ")
        }
        Value::Null => "–".to_owned(),
    }
}

/// What the ids of an answer are called.
pub(crate) type Named<'a> = dyn Fn(&str) -> String + 'a;

/// Ids as they are.
fn unnamed(id: &str) -> String {
    id.to_owned()
}

/// A share in percent with its exact fraction kept for the title.
pub(crate) fn percent(fraction: &str) -> f64 {
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

/// The whole answer, asked under these options.
pub(crate) fn answer(reader: &Reader, answered: &Value, chosen: &Chosen) -> Markup {
    answer_named(reader, answered, &unnamed, chosen)
}

/// The whole answer, with the names of what it speaks of.
pub(crate) fn answer_named(reader: &Reader, answered: &Value, named: &Named<'_>, chosen: &Chosen) -> Markup {
    answer_led(reader, answered, named, chosen, None)
}

/// The whole answer, with a sentence of its own at its head.
pub(crate) fn answer_led(
    reader: &Reader,
    answered: &Value,
    named: &Named<'_>,
    chosen: &Chosen,
    lead: Option<&str>,
) -> Markup {
    let brief = brief(reader, answered);
    let brief = lead.map_or_else(|| brief.clone(), |lead| format!("{lead} · {brief}"));
    html! {
        section.answer id="answer" data-brief=(brief) aria-live="polite" aria-atomic="true" tabindex="-1" {
            @if let Some(lead) = lead { p.says { (lead) } }
            @if let Some(refused) = answered.get("refused") {
                (refusal(reader, refused, chosen))
            } @else if let Some(odds) = answered["odds"].as_array() {
                h2 { (reader.say(words::ODDS)) }
                (odds_table(reader, odds, named))
            } @else if let Some(result) = answered.get("answer") {
                h2 { (reader.say(words::RESULT)) }
                (tree(reader, result, named, 0))
                @if let Some(dice) = answered["dice"].as_array() {
                    p.quiet { (reader.say(words::DICE_USED)) " " @for die in dice { (die_face(die)) } }
                }
            }
            (reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), chosen))
        }
    }
}

/// What is looked for first in an answer.
const WANTED: [&str; 3] = ["losses", "figures_lost", "marker"];

/// The answer in one line, for the bar under a thumb.
fn brief(reader: &Reader, answered: &Value) -> String {
    let said = |name: &str, value: String| format!("{value} {}", field_name(reader, name));
    if answered.get("refused").is_some() {
        return format!("✕ {}", reader.say(words::REFUSED));
    }
    if let Some(odds) = answered["odds"].as_array() {
        let range = |name: &str| {
            let values: Vec<i64> =
                odds.iter().filter_map(|outcome| outcome["answer"][name].as_i64()).collect();
            let (low, high) = (values.iter().min()?, values.iter().max()?);
            Some(said(name, if low == high { low.to_string() } else { format!("{low}–{high}") }))
        };
        return WANTED.iter().filter_map(|name| range(name)).collect::<Vec<_>>().join(" · ");
    }
    let value =
        |name: &str| answered["answer"].get(name).map(|value| said(name, shown(reader, value, &unnamed)));
    WANTED.iter().filter_map(|name| value(name)).collect::<Vec<_>>().join(" · ")
}

pub(crate) fn refusal(reader: &Reader, refused: &Value, chosen: &Chosen) -> Markup {
    html! {
        h2.refused { (reader.say(words::REFUSED)) }
        p.refusal {
            @if let Some(field) = refused["field"].as_str() {
                strong { (path_name(reader, field)) } (reader.lang.colon())
            }
            (refused["message"].as_str().unwrap_or_default())
        }
        @if let Some(rule) = refused["rule"].as_str() {
            ul.reasons { li { span.effect { "✕" } span.reason { (rule_link_under(rule, chosen)) " "
                @if let Some(entry) = rulebook::entry(rule) { (crate::rules::prose(entry.text_under(chosen).get(reader.lang))) } } } }
        }
    }
}

/// The name of a field given by its dotted path.
pub(crate) fn path_name(reader: &Reader, path: &str) -> String {
    path.split('.').map(|name| field_name(reader, name)).collect::<Vec<_>>().join(" › ")
}

pub(crate) fn die_face(die: &Value) -> Markup {
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

/// Whether a value stands in one line.
fn is_plain(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().all(|value| !value.is_array() && !value.is_object()),
        Value::Object(fields) => fields.is_empty(),
        _ => true,
    }
}

/// A result as it is built: plain values side by side, lists of like things as tables, the rest
/// under its name.
fn tree(reader: &Reader, result: &Value, named: &Named<'_>, depth: usize) -> Markup {
    match result {
        Value::Object(fields) if depth < 6 => html! {
            dl.result {
                @for (name, value) in fields.iter().filter(|(_, value)| is_plain(value)) {
                    div { dt { (field_name(reader, name)) } dd class=[value.is_array().then_some("long")] { (shown(reader, value, named)) } }
                }
            }
            @for (name, value) in fields.iter().filter(|(_, value)| !is_plain(value)) {
                section.branch { h3 { (field_name(reader, name)) } (tree(reader, value, named, depth + 1)) }
            }
        },
        Value::Array(list) if depth < 6 && list.iter().all(Value::is_object) => rows(reader, list, named),
        other => html! { p.says { (shown(reader, other, named)) } },
    }
}

/// Things of one kind as a table.
fn rows(reader: &Reader, list: &[Value], named: &Named<'_>) -> Markup {
    let mut names: Vec<&String> = Vec::new();
    for (name, _) in list.iter().filter_map(Value::as_object).flatten() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    html! {
        div.scroll tabindex="0" {
            table.things {
                thead { tr { @for name in &names { th scope="col" { (field_name(reader, name)) } } } }
                tbody {
                    @for thing in list {
                        tr { @for name in &names { td { (thing.get(name.as_str()).map_or_else(|| "–".to_owned(), |value| shown(reader, value, named))) } } }
                    }
                }
            }
        }
    }
}

/// How the die fell is the way to an outcome, not the outcome.
const THROWN: [&str; 2] = ["die", "roll"];

/// Outcomes that a reader cannot tell apart, as one.
pub(crate) struct Shown<T> {
    /// What he sees.
    pub(crate) what: T,
    /// Their chance in percent.
    pub(crate) share: f64,
    /// The same as an exact fraction.
    pub(crate) fraction: String,
}

/// The odds with outcomes that look the same joined, in the order they came.
pub(crate) fn joined<T: PartialEq>(odds: &[Value], look: impl Fn(&Value) -> T) -> Vec<Shown<T>> {
    let mut all: Vec<Shown<T>> = Vec::new();
    for outcome in odds {
        let fraction = outcome["p"].as_str().unwrap_or_default();
        let what = look(&outcome["answer"]);
        match all.iter_mut().find(|known| known.what == what) {
            Some(known) => {
                known.share += percent(fraction);
                known.fraction = sum(&known.fraction, fraction);
            }
            None => all.push(Shown { what, share: percent(fraction), fraction: fraction.to_owned() }),
        }
    }
    all
}

/// Two exact fractions as one; side by side where their sum would be too long to count.
fn sum(one: &str, other: &str) -> String {
    let read = |text: &str| {
        let (favourable, of) = text.split_once('/')?;
        Some((favourable.parse::<u128>().ok()?, of.parse::<u128>().ok()?))
    };
    let added = read(one).zip(read(other)).and_then(|((a, of_a), (b, of_b))| {
        let cases = a.checked_mul(of_b)?.checked_add(b.checked_mul(of_a)?)?;
        Some(kernel::Chance::new(cases, of_a.checked_mul(of_b)?).to_string())
    });
    added.unwrap_or_else(|| format!("{one} + {other}"))
}

/// The odds: a row for every outcome, a column for every field that differs; what is the same in all
/// of them is said once.
pub(crate) fn odds_table(reader: &Reader, odds: &[Value], named: &Named<'_>) -> Markup {
    let mut names: Vec<&String> = Vec::new();
    for outcome in odds {
        for (name, _) in outcome["answer"].as_object().into_iter().flatten() {
            if !names.contains(&name) && !THROWN.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    // What is looked for first stands first: a phone shows few columns.
    names.sort_by_key(|name| WANTED.iter().position(|wanted| wanted == name).unwrap_or(WANTED.len()));
    let same = |name: &str| odds.windows(2).all(|pair| pair[0]["answer"][name] == pair[1]["answer"][name]);
    let (fixed, varied): (Vec<&String>, Vec<&String>) =
        names.into_iter().partition(|name| same(name) && odds.len() > 1);
    let cell = |answer: &Value, name: &str| {
        answer.get(name).map_or_else(|| "–".to_owned(), |value| shown(reader, value, named))
    };
    let rows = joined(odds, |answer| varied.iter().map(|name| cell(answer, name)).collect::<Vec<_>>());
    html! {
        @if !fixed.is_empty() {
            dl.result.result-fixed {
                @for name in &fixed { div { dt { (field_name(reader, name)) } dd { (cell(&odds[0]["answer"], name)) } } }
            }
        }
        div.scroll tabindex="0" {
            table.odds {
                thead { tr {
                    th.chance scope="col" { (reader.say(words::CHANCE)) }
                    @for name in &varied { th scope="col" { (field_name(reader, name)) } }
                } }
                tbody {
                    @for row in &rows {
                        tr {
                            th.chance scope="row" title=(row.fraction) {
                                span.share { (number(reader, &format!("{:.1}", row.share))) " %" } " " (bar(row.share))
                            }
                            @for cell in &row.what { td { (cell) } }
                        }
                    }
                }
            }
        }
    }
}

pub(crate) fn reasons(reader: &Reader, because: &[Value], chosen: &Chosen) -> Markup {
    html! {
        @if !because.is_empty() {
            h3 { (reader.say(words::REASONS)) }
            ul.reasons {
                @for reason in because {
                    li {
                        span.effect { (reason["effect"].as_str().unwrap_or_default()) }
                        span.reason {
                            (rule_link_under(reason["rule"].as_str().unwrap_or_default(), chosen)) " "
                            (reason["text"].as_str().unwrap_or_default())
                        }
                    }
                }
            }
        }
    }
}
