//! What a reader asks of a game before he decides: what may come of it, where to, and why not.

use kernel::board::{Forecast, Gesture, Meant, Outlook, Position, Price, Reached, Variants};
use kernel::{Because, Chance, Chosen, Event, Refusal, Saying};
use maud::{Markup, PreEscaped, html};
use rulebook::phrase::{board as words, table as common};
use serde_json::{Value, json};

use crate::page::rule_link_under;
use crate::query::Query;
use crate::reader::Reader;

/// So many outcomes are told, the likeliest first.
const MOST_OUTCOMES: usize = 12;
/// So many reasons are told.
const MOST_REASONS: usize = 40;

/// Every outcome of an order with its exact chance, from the code that will carry it out.
pub(super) fn odds(reader: &Reader, position: &dyn Position, action: &str) -> Markup {
    let said = |event: &Event| rulebook::speak(event.phrase, &event.facts, reader.lang);
    match position.forecast(action, &said) {
        Ok(forecast) => html! {
            (told(reader, &forecast, &position.chosen()))
            @if let Some((sheet, drawing)) = position.sketch(action) {
                // The script lays it over its sheet while the order is considered.
                svg data-sketch=(sheet) hidden { (PreEscaped(drawing)) }
            }
        },
        Err(refusal) => refused(reader, position, &refusal),
    }
}

fn told(reader: &Reader, forecast: &Forecast, chosen: &Chosen) -> Markup {
    let Forecast { outcomes, because, price, warnings, is_told_by_price, variants } = forecast;
    let Some(outcomes) = outcomes else {
        return html! { (prices(reader, price)) (warned(reader, warnings)) p.outcomes.quiet { (reader.say(words::TOO_MANY)) } };
    };
    let text = |outlook: &Outlook| match outlook {
        Outlook::Answered => reader.say(words::ANSWERED),
        Outlook::Settled(lines) if lines.is_empty() => reader.say(words::NO_EFFECT),
        Outlook::Settled(lines) => lines.join(" · "),
    };
    html! {
        (prices(reader, price))
        (warned(reader, warnings))
        @if let Some(variants) = variants { (alternatives(reader, variants)) }
        @match outcomes.as_slice() {
            [_] if *is_told_by_price => {},
            [(Outlook::Answered, _)] => { p.outcomes { (text(&Outlook::Answered)) } },
            [(outlook, _)] => { p.outcomes data-certain { "100 % · " (text(outlook)) } },
            rows => { (table(reader, rows, &text)) },
        }
        @if !because.is_empty() { (reasons(reader, because, chosen)) }
    }
}

fn table(reader: &Reader, rows: &[(Outlook, Chance)], text: &dyn Fn(&Outlook) -> String) -> Markup {
    html! {
        table.odds.outcomes { tbody {
            @for (outlook, chance) in rows.iter().take(MOST_OUTCOMES) {
                @let share = 100.0 * chance.as_f64();
                tr { th.chance scope="row" title=(chance) { span.share { (crate::answer::number(reader, &format!("{share:.1}"))) " %" } " " (crate::answer::bar(share)) }
                    td { (text(outlook)) } }
            }
        } }
        @if rows.len() > MOST_OUTCOMES { p.quiet { "… " (rows.len() - MOST_OUTCOMES) } }
    }
}

fn reasons(reader: &Reader, because: &[Because], chosen: &Chosen) -> Markup {
    html! {
        details { summary { (reader.say(common::REASONS)) }
            ul.reasons { @for reason in because.iter().take(MOST_REASONS) { li {
                span.effect { (rulebook::effect(&reason.effect, reader.lang)) }
                span.reason { (rule_link_under(reason.rule.as_str(), chosen)) " " (rulebook::text(reason.rule, chosen, reader.lang)) }
            } } }
        }
    }
}

fn prices(reader: &Reader, prices: &[Price]) -> Markup {
    html! {
        @for Price { of, before, after } in prices {
            p.price { (reader.say(*of)) " " strong { "−" (before - after) } " " span.quiet { "(" (before) " → " (after) ")" } }
        }
    }
}

/// What should be known beforehand.
fn warned(reader: &Reader, warnings: &[Saying]) -> Markup {
    html! { @for warning in warnings { p.warning { "⚠ " (reader.tell(warning)) } } }
}

/// The same order by somebody else.
fn alternatives(reader: &Reader, variants: &Variants<Value>) -> Markup {
    html! {
        div.variants { label for="variant" { (reader.say(variants.title)) }
            select id="variant" {
                @for (place, (name, action)) in variants.each.iter().enumerate() {
                    option value=(action) selected[place == variants.meant] { (reader.measure(name)) }
                }
            }
        }
    }
}

/// A refusal as it is shown.
fn refused(reader: &Reader, position: &dyn Position, refusal: &Refusal) -> Markup {
    html! {
        p.refusal { "✕ " (rulebook::refusal(refusal, reader.lang))
            @if let Some(rule) = refusal.rule { " " (rule_link_under(rule.as_str(), &position.chosen())) } }
    }
}

/// What a query says somebody did with his hand.
fn gesture(query: &Query) -> Gesture {
    let text = |name: &str| query.get(name).map(str::to_owned);
    let number = |name: &str| query.get(name).and_then(|text| text.parse::<i32>().ok());
    Gesture {
        subject: text("subject"),
        object: text("object"),
        at: number("x").zip(number("y")),
        tool: text("tool"),
        facing: number("facing"),
        length: number("length"),
    }
}

/// Why what was tried cannot be done; if it can, what may come of it.
pub(super) fn why(reader: &Reader, position: &dyn Position, query: &Query) -> Markup {
    match position.meant(&gesture(query)) {
        Meant::Order(offered) => html! {
            p data-fits=(offered.action) { (reader.tell(&offered.choice.label)) }
            (odds(reader, position, &offered.action))
        },
        Meant::Refused(refusal) => refused(reader, position, &refusal),
        Meant::NobodyChosen => html! { p.refusal { "✕ " (reader.say(words::CHOOSE_FIRST)) } },
    }
}

/// Where pieces may go: each place with its cost and the orders that lead there.
pub(super) fn reach(reader: &Reader, position: &dyn Position, query: &Query) -> Value {
    let pieces: Vec<String> = query
        .get("pieces")
        .unwrap_or_default()
        .split(' ')
        .filter(|piece| !piece.is_empty())
        .map(str::to_owned)
        .collect();
    let place = |reached: &Reached<Value>| {
        let (sheet, (x, y)) = reached.at;
        json!({
            "to": reached.to, "name": reader.measure(&reached.name), "map": sheet, "at": [x.round(), y.round()],
            "cost": reached.cost, "left": reached.left, "fire": reached.under_fire,
            "stops": reached.stops, "halts": reached.halts, "asks": reached.asks, "way": reached.way,
        })
    };
    match position.reach(&pieces) {
        Ok(places) => json!({ "places": places.iter().map(place).collect::<Vec<_>>() }),
        Err(refusal) => json!({
            "refused": rulebook::refusal(&refusal, reader.lang), "rule": refusal.rule, "places": [],
        }),
    }
}
