//! Hand-made pages for attrition, combat and pursuit in 1805: three numbers and a die, the answer at
//! once, the odds as a small chart. What is seldom needed is folded away.

use kernel::Chosen;
use maud::{Markup, html};
use rulebook::phrase::{table as common, umpire as words};
use rulebook::{Asking, speak};
use serde_json::Value;

use super::form::{Refused, field_of, options};
use crate::answer::{self, field_name, number, percent, value_name};
use crate::query::Query;
use crate::reader::Reader;
use crate::shape::{Field, Shape};

/// A page: the question, its three fields with what stands in them at first, and its charts.
struct Sheet {
    question: &'static str,
    main: [(&'static str, &'static str); 3],
    charts: &'static [(&'static str, kernel::Phrase)],
    next: &'static [(&'static str, kernel::Phrase)],
}

const SHEETS: [Sheet; 3] = [
    Sheet {
        question: "campaign.combat",
        main: [("attacker_sp", "18"), ("defender_sp", "9"), ("ground", "plain")],
        charts: &[
            ("loser", words::CHART_LOSER),
            ("attacker", words::CHART_ATTACKER),
            ("defender", words::CHART_DEFENDER),
        ],
        next: &[("campaign.pursuit", words::NEXT_PURSUIT), ("campaign.attrition", words::NEXT_ATTRITION)],
    },
    Sheet {
        question: "campaign.attrition",
        main: [("size_sp", "22"), ("march_mp", "5"), ("ap", "8")],
        charts: &[("loss_sp", words::CHART_LOSS)],
        next: &[("campaign.combat", words::NEXT_COMBAT)],
    },
    Sheet {
        question: "campaign.pursuit",
        main: [("initiative", "4"), ("retreat", "5"), ("modifier", "0")],
        charts: &[("advance", words::CHART_ADVANCE)],
        next: &[("campaign.combat", words::NEXT_COMBAT)],
    },
];

/// Whether a question has such a page.
pub(super) fn has(question: &str) -> bool {
    SHEETS.iter().any(|sheet| sheet.question == question)
}

/// What is asked: as given, or the example if nothing is.
pub(super) fn asked(question: &str, query: &Query) -> Query {
    let sheet = SHEETS.iter().find(|sheet| sheet.question == question);
    let mut asked = query.clone();
    if query.is_empty() {
        for (name, usual) in sheet.into_iter().flat_map(|sheet| sheet.main) {
            asked = asked.with(name, Some(usual));
        }
        return asked;
    }
    if question == "campaign.attrition" {
        // One field says how many points, another of which kind.
        let kind = query.get("_fed");
        if kind == Some("forage") && query.get("ap").is_some() {
            asked = asked.with("forage", query.get("ap")).with("ap", None);
        }
        if kind == Some("none") {
            asked = asked.with("ap", None).with("out_of_supply", Some("true"));
        }
    }
    asked
}

/// The form and the answer.
pub(super) fn page(
    reader: &Reader,
    question: &Asking,
    fields: &[Field],
    query: &Query,
    answered: Option<&Value>,
    refused: Option<&Refused>,
) -> Markup {
    let Some(sheet) = SHEETS.iter().find(|sheet| sheet.question == question.name) else { return html! {} };
    let answered = answered.unwrap_or(&Value::Null);
    let fresh = query.is_empty();
    let find = |name: &str| fields.iter().find(|field| field.name == name);
    let mains = sheet.main.map(|(name, _)| name);
    let rest = fields.iter().filter(|field| {
        !mains.contains(&field.name.as_str())
            && !matches!(field.name.as_str(), "dice" | "options" | "lang" | "forage" | "out_of_supply")
    });
    let rest: Vec<&Field> = rest.collect();
    let set = rest.iter().any(|field| query.begins(&field.name));
    html! {
        div.ask.ask-campaign {
            form.question.fire action={ "/umpire/" (question.name) } method="get" data-live="answer" {
                section.pad {
                    div.pair.three {
                        @for (name, usual) in sheet.main {
                            @if let Some(field) = find(name) { (main_field(reader, field, usual, fresh, query, refused)) }
                        }
                    }
                    @if question.name == "campaign.attrition" { (fed(reader, query)) }
                }
                section.pad.pad-die aria-labelledby="pad-die" {
                    h2 id="pad-die" { (reader.say(words::DIE)) }
                    (die(reader, query))
                }
                @if !rest.is_empty() {
                    details.more open[set] {
                        summary { (reader.say(words::MORE)) }
                        @for field in &rest { (field_of(reader, query, refused, field)) }
                    }
                }
                (options(reader, fields, query, "campaign"))
                div.ask-bar { output.brief id="brief" {} button.primary type="submit" { (reader.say(common::ASK)) } " "
                    a.quiet-button href={ "/umpire/" (question.name) } { (reader.say(common::CLEAR)) } }
            }
            div {
                (result(reader, sheet, answered, &query.chosen()))
                p.next-questions { @for (question, phrase) in sheet.next { a href={ "/umpire/" (question) } { (reader.say(*phrase)) " →" } " " } }
            }
        }
    }
}

/// One of the three fields: a number between two buttons, or a choice as large chips.
fn main_field(
    reader: &Reader,
    field: &Field,
    usual: &str,
    fresh: bool,
    query: &Query,
    refused: Option<&Refused>,
) -> Markup {
    let name = field.name.as_str();
    let value = query.get(name).unwrap_or(if fresh { usual } else { "" });
    let wrong = refused.filter(|(path, _)| path == name);
    let label = if name == "ap" { reader.say(words::PROVISION_VALUE) } else { field_name(reader, name) };
    match &field.shape {
        Shape::Choice(choices) => html! {
            fieldset.chips {
                legend { (label) }
                div.chip-line {
                    @for choice in choices {
                        span.chip {
                            input type="radio" id={ (name) "-" (choice) } name=(name) value=(choice) checked[value == choice];
                            label for={ (name) "-" (choice) } { (value_name(reader, choice)) }
                        }
                    }
                }
                @if let Some((_, message)) = wrong { p.wrong { (message) } }
            }
        },
        shape => {
            let (by, min) = match shape {
                Shape::Number { whole: false, .. } if name == "march_mp" => ("0.5", "0"),
                _ if name == "modifier" => ("1", "-20"),
                _ => ("1", "0"),
            };
            html! {
                div.field {
                    label for=(name) { (label) }
                    span.stepper {
                        button type="button" data-step="-1" data-for=(name) aria-label=(reader.say_with(common::LESS, "what", label.as_str())) hidden { "−" }
                        input type="number" id=(name) name=(name) value=(value) step="any" data-by=(by) min=(min) inputmode="decimal" placeholder=(usual) aria-invalid=[wrong.map(|_| "true")];
                        button type="button" data-step="1" data-for=(name) aria-label=(reader.say_with(common::MORE, "what", label.as_str())) hidden { "+" }
                    }
                    @if let Some((_, message)) = wrong { p.wrong { (message) } }
                }
            }
        }
    }
}

/// Administration points, forage, or nothing at all.
fn fed(reader: &Reader, query: &Query) -> Markup {
    let chosen = query.get("_fed").unwrap_or(if query.get("forage").is_some() {
        "forage"
    } else if query.get("out_of_supply").is_some() {
        "none"
    } else {
        "ap"
    });
    let kinds =
        [("ap", words::PROVISION_AP), ("forage", words::PROVISION_FORAGE), ("none", words::PROVISION_NONE)];
    html! {
        fieldset.chips {
            legend { (reader.say(words::PROVISION)) }
            div.chip-line {
                @for (value, phrase) in kinds {
                    span.chip {
                        input type="radio" id={ "fed-" (value) } name="_fed" value=(value) checked[chosen == value];
                        label for={ "fed-" (value) } { (reader.say(phrase)) }
                    }
                }
            }
        }
    }
}

/// The faces of a die, or none.
fn die(reader: &Reader, query: &Query) -> Markup {
    let chosen = query.get("dice").unwrap_or_default();
    html! {
        fieldset.chips.die-chips {
            legend { (reader.say(words::DIE_LEGEND)) }
            div.chip-line {
                span.chip.chip-odds {
                    input type="radio" id="dice-none" name="dice" value="" checked[chosen.is_empty()];
                    label for="dice-none" { (reader.say(words::ODDS)) }
                }
                @for face in 1..=6 {
                    span.chip {
                        input type="radio" id={ "dice-" (face) } name="dice" value=(face) checked[chosen == face.to_string()];
                        label for={ "dice-" (face) } { (face) }
                    }
                }
            }
        }
    }
}

fn result(reader: &Reader, sheet: &Sheet, answered: &Value, chosen: &Chosen) -> Markup {
    let Some(odds) = answered["odds"].as_array() else {
        return answer::answer_named(reader, answered, &str::to_owned, chosen);
    };
    html! {
        section.answer id="answer" data-brief=(brief(reader, sheet, odds)) aria-live="polite" aria-atomic="true" tabindex="-1" {
            h2 { (reader.say(common::ODDS)) }
            div.charts { @for (field, phrase) in sheet.charts { (chart(reader, &reader.say(*phrase), field, odds)) } }
            details.exact { summary { (reader.say(words::EXACT_ODDS)) } (answer::odds_table(reader, odds, &str::to_owned)) }
            (answer::reasons(reader, answered["because"].as_array().map_or(&[], Vec::as_slice), chosen))
        }
    }
}

/// The chart's first thing in one line, for the bar under a thumb.
fn brief(reader: &Reader, sheet: &Sheet, odds: &[Value]) -> String {
    let Some((field, phrase)) = sheet.charts.first() else { return String::new() };
    let shares = shares(odds, field);
    let best = shares.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or_else(String::new, |(value, share)| {
        format!("{}{}{} {share:.0} %", reader.say(*phrase), reader.lang.colon(), label(reader, value))
    })
}

/// How likely each value of a field is, in percent, in order.
fn shares(odds: &[Value], field: &str) -> Vec<(Value, f64)> {
    let mut all: Vec<(Value, f64)> = Vec::new();
    for outcome in odds {
        let share = percent(outcome["p"].as_str().unwrap_or_default());
        let value = &outcome["answer"][field];
        match all.iter_mut().find(|(known, _)| known == value) {
            Some((_, sum)) => *sum += share,
            None => all.push((value.clone(), share)),
        }
    }
    all.sort_by(|(a, _), (b, _)| match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        _ => a.to_string().cmp(&b.to_string()),
    });
    all
}

fn label(reader: &Reader, value: &Value) -> String {
    match value {
        Value::Number(figures) => number(reader, &figures.to_string()),
        Value::String(word) => value_name(reader, word),
        _ => "–".to_owned(),
    }
}

/// A small chart: a column for each value, its chance above, the value below.
fn chart(reader: &Reader, title: &str, field: &str, odds: &[Value]) -> Markup {
    const HIGH: f64 = 90.0;
    let shares = shares(odds, field);
    // Words need more room than figures.
    let step: f64 = if shares.iter().any(|(value, _)| value.is_string()) { 104.0 } else { 64.0 };
    let most = shares.iter().map(|(_, share)| *share).fold(1.0, f64::max);
    let mean = shares
        .iter()
        .map(|(value, share)| value.as_f64().map(|value| value * share / 100.0))
        .sum::<Option<f64>>()
        .map(|mean| number(reader, &format!("{mean:.1}")));
    let list: Vec<String> = shares
        .iter()
        .map(|(value, share)| {
            format!("{} {} %", label(reader, value), number(reader, &format!("{share:.0}")))
        })
        .collect();
    let facts = [
        kernel::Fact { name: "what", value: title.to_owned().into() },
        kernel::Fact { name: "list", value: list.join(", ").into() },
    ];
    let columns = shares.iter().scan(0.0, |x, (value, share)| {
        let at = *x;
        *x += step;
        Some((at, value, *share))
    });
    let wide = shares.iter().fold(0.0_f64, |wide, _| wide + step).max(step);
    html! {
        figure.chart {
            figcaption { (title) @if let Some(mean) = mean { " · " span.quiet { (reader.say_with(words::MEAN, "mean", mean)) } } }
            svg viewBox=(format!("0 0 {wide:.0} 130")) width=(format!("{wide:.0}")) role="img" aria-label=(speak(words::CHART_SPOKEN, &facts, reader.lang)) {
                path.ground d=(format!("M0 110H{wide:.0}")) {}
                @for (at, value, share) in columns {
                    @let high = HIGH * share / most;
                    rect x=(format!("{:.1}", at + step / 2.0 - 22.0)) y=(format!("{:.1}", 110.0 - high)) width="44" height=(format!("{high:.1}")) {}
                    text.share x=(format!("{:.1}", at + step / 2.0)) y=(format!("{:.1}", 105.0 - high)) { (number(reader, &format!("{share:.0}"))) " %" }
                    text.value x=(format!("{:.1}", at + step / 2.0)) y="126" { (label(reader, value)) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulebook::Lang;

    #[test]
    fn a_combat_is_charted_before_anything_is_typed() {
        let question = campaign::questions().into_iter().find(|one| one.name == "campaign.combat").unwrap();
        let reader = Reader::of(Lang::En);
        let shown = super::super::question(&reader, &question, &Query::default()).into_string();
        // Two to one on open ground: four faces of six are bad for the defender.
        assert!(shown.contains("Who loses the combat: attacker 33 %, defender 67 %"), "{shown}");
        assert_eq!(shown.matches("class=\"chart\"").count(), 3);
        let rolled = Query::parse("attacker_sp=18&defender_sp=9&ground=plain&dice=3");
        assert!(super::super::question(&reader, &question, &rolled).into_string().contains("2-1"));
    }

    #[test]
    fn points_of_forage_are_not_administration() {
        let query = Query::parse("size_sp=22&march_mp=5&ap=3.5&_fed=forage");
        let asked = asked("campaign.attrition", &query);
        assert_eq!((asked.get("ap"), asked.get("forage")), (None, Some("3.5")));
        let cut = asked_none();
        assert_eq!((cut.get("ap"), cut.get("out_of_supply")), (None, Some("true")));
    }

    fn asked_none() -> Query {
        asked("campaign.attrition", &Query::parse("size_sp=22&march_mp=5&ap=3&_fed=none"))
    }
}
