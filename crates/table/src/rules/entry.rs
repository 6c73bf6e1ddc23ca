//! The permanent page of a rule or ruling.

use kernel::RuleId;
use maud::{Markup, html};
use rulebook::{Entry, Example, Lang, Rule, Ruling, phrase::table as words};

use crate::page::{Headline, Room, Width, page, rule_link};
use crate::probe::Uses;
use crate::reader::Reader;

use super::{anchor, book_name, kind_name, prose, section_name, trail};

/// The page of a rule or ruling.
pub(crate) fn entry(reader: &Reader, entry: Entry, uses: &Uses) -> Markup {
    let id = entry.id();
    let main = html! {
        @match entry {
            Entry::Rule(rule) => (of_rule(reader, rule)),
            Entry::Ruling(ruling) => (of_ruling(reader, ruling)),
        }
        (examples(reader, id))
        (questions(reader, id, uses))
        (neighbours(reader, entry))
    };
    let headline = Headline { title: id.as_str(), about: entry.text().get(reader.lang) };
    page(reader, headline, Some(Room::Rules), Width::Column, &main)
}

fn other(lang: Lang) -> Lang {
    if lang == Lang::Fr { Lang::En } else { Lang::Fr }
}

fn of_rule(reader: &Reader, rule: &Rule) -> Markup {
    let book = format!("/rules/book/{}", rule.book.name());
    let steps = [
        (book.clone(), book_name(reader, rule.book)),
        (format!("{book}#{}", anchor(rule.section)), section_name(reader, rule.section)),
    ];
    html! {
        (trail(reader, &steps))
        article.rule-text {
            h1 { (rule.id) }
            p { span.tag { (kind_name(reader, rule.kind)) }
                @if rule.leans_on_series { " " span.tag { (reader.say(words::LEANS_ON_SERIES)) } } }
            p.says { (prose(rule.text.get(reader.lang))) }
            details { summary { (reader.say(words::OTHER_LANGUAGE)) } p lang=(other(reader.lang).code()) { (rule.text.get(other(reader.lang))) } }
        }
        @if !rule.rulings.is_empty() {
            section {
                h2 { (reader.say(words::RULINGS)) }
                @for id in rule.rulings {
                    @if let Some(Entry::Ruling(ruling)) = rulebook::entry(id.as_str()) {
                        div.statement {
                            p.statement-id { (rule_link(*id)) }
                            p.quiet { (ruling.problem.get(reader.lang)) }
                            p { (prose(ruling.decision.get(reader.lang))) }
                            (options(reader, ruling))
                        }
                    }
                }
            }
        }
    }
}

fn of_ruling(reader: &Reader, ruling: &Ruling) -> Markup {
    let steps = [(format!("/rules/rulings#{}", ruling.book.name()), book_name(reader, ruling.book))];
    let settles: Vec<&Rule> =
        rulebook::rules().iter().filter(|rule| rule.rulings.contains(&ruling.id)).collect();
    html! {
        (trail(reader, &steps))
        article.rule-text {
            h1 { (ruling.id) }
            p { span.tag.tag-ruling { (reader.say(words::RULING)) } }
            h2.inline { (reader.say(words::PROBLEM)) } p { (ruling.problem.get(reader.lang)) }
            h2.inline { (reader.say(words::DECISION)) } p.says { (prose(ruling.decision.get(reader.lang))) }
            h2.inline { (reader.say(words::WHY)) } p { (ruling.why.get(reader.lang)) }
            (options(reader, ruling))
        }
        @if !settles.is_empty() {
            section {
                h2 { (reader.say(words::SETTLES)) }
                @for rule in settles {
                    div.statement { p.statement-id { (rule_link(rule.id)) } p { (rule.text.get(reader.lang)) } }
                }
            }
        }
    }
}

fn options(reader: &Reader, ruling: &Ruling) -> Markup {
    html! {
        @for option in ruling.options {
            div.option {
                p { code { (option.name) } " " (option.text.get(reader.lang)) }
                p.quiet {
                    @for (place, value) in option.values.iter().enumerate() {
                        @if place > 0 { " · " }
                        code { (value) } @if place == 0 { " (" (reader.say(words::DEFAULT)) ")" }
                    }
                }
            }
        }
    }
}

fn examples(reader: &Reader, id: RuleId) -> Markup {
    let shown: Vec<&Example> =
        rulebook::examples().iter().filter(|example| example.rules.contains(&id)).collect();
    html! {
        @if !shown.is_empty() {
            section {
                h2 { (reader.say(words::EXAMPLES)) }
                @for example in shown {
                    div.statement.example id=(example.id) {
                        p.statement-id { (example.id) }
                        p { (example.given.get(reader.lang)) }
                        p.says { "→ " (example.expect.get(reader.lang)) }
                        @if let Some(note) = &example.note { p.quiet { (note.get(reader.lang)) } }
                        p.quiet { @for rule in example.rules.iter().filter(|rule| **rule != id) { (rule_link(*rule)) " " } }
                    }
                }
            }
        }
    }
}

fn questions(reader: &Reader, id: RuleId, uses: &Uses) -> Markup {
    let used = uses.of_rule(id.as_str());
    html! {
        @if !used.is_empty() {
            section {
                h2 { (reader.say(words::QUESTIONS_THAT_USE)) }
                ul {
                    @for (question, query) in used {
                        li { a href={ "/umpire/" (question) "?" (query) } { (crate::umpire::question_name(reader, question)) }
                            span.quiet { " · " (reader.say(words::SEE_IT_ACT)) } }
                    }
                }
            }
        }
    }
}

fn neighbours(reader: &Reader, entry: Entry) -> Markup {
    let (before, after) = match entry {
        Entry::Rule(rule) => {
            around(rulebook::rules(), |other| other.id == rule.id, |other| (other.book, other.id))
        }
        Entry::Ruling(ruling) => {
            around(rulebook::rulings(), |other| other.id == ruling.id, |other| (other.book, other.id))
        }
    };
    html! {
        nav.neighbours aria-label=(reader.say(words::NEIGHBOURS)) {
            @if let Some(id) = before { a href={ "/rules/" (id) } rel="prev" { "← " (id) } }
            @if let Some(id) = after { a.next href={ "/rules/" (id) } rel="next" { (id) " →" } }
        }
    }
}

fn around<T, B: PartialEq>(
    all: &[T],
    is_it: impl Fn(&T) -> bool,
    key: impl Fn(&T) -> (B, RuleId),
) -> (Option<RuleId>, Option<RuleId>) {
    let Some(place) = all.iter().position(is_it) else { return (None, None) };
    let (book, _) = key(&all[place]);
    let same = |place: Option<usize>| {
        place.and_then(|place| all.get(place)).map(&key).filter(|(other, _)| *other == book).map(|(_, id)| id)
    };
    (same(place.checked_sub(1)), same(place.checked_add(1)))
}
