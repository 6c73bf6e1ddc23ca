//! The umpire's pages: a list of questions, a form for each, the answer under it. The whole
//! question is in the address.

mod fire;
mod form;
mod march;

use maud::{Markup, html};
use rulebook::{Asking, phrase::table as words};
use serde_json::Value;

use crate::page::{Room, Width, page};
use crate::query::Query;
use crate::reader::Reader;
use crate::router::Pages;
use crate::{answer, shape};

/// What a question is about, in words.
pub(crate) fn question_name(reader: &Reader, name: &str) -> String {
    reader.named(&format!("question-{}", name.replace('.', "-"))).unwrap_or_else(|| name.to_owned())
}

/// The short name of a question, for titles.
fn title(reader: &Reader, name: &str) -> String {
    reader.named(&format!("table-question-{}", name.replace('.', "-"))).unwrap_or_else(|| name.to_owned())
}

/// The list of questions, by system.
pub(crate) fn front(reader: &Reader, pages: &Pages) -> Markup {
    let mut systems: Vec<(&str, Vec<&Asking>)> = Vec::new();
    for question in pages.questions() {
        let system = question.name.split('.').next().unwrap_or_default();
        match systems.iter_mut().find(|(known, _)| *known == system) {
            Some((_, list)) => list.push(question),
            None => systems.push((system, vec![question])),
        }
    }
    let main = html! {
        h1 { (reader.say(words::UMPIRE_TITLE)) }
        p.lead { (reader.say(words::UMPIRE_LEAD)) }
        @for (system, questions) in &systems {
            section {
                h2 { (reader.named(&format!("table-system-{system}")).unwrap_or_else(|| (*system).to_owned())) }
                ul.questions {
                    @for question in questions {
                        li { a href={ "/umpire/" (question.name) } {
                            strong { (title(reader, question.name)) }
                            @let lead = question_name(reader, question.name);
                            @if lead != question.name { span { (lead) } }
                        } }
                    }
                }
            }
        }
    };
    page(reader, &reader.say(words::UMPIRE_TITLE), Some(Room::Umpire), Width::Column, &main)
}

/// The page of one question: its form and, if something was asked, the answer.
pub(crate) fn question(reader: &Reader, question: &Asking, query: &Query) -> Markup {
    let fields = shape::fields(&question.schema());
    let asked = !query.is_empty() && query.get("_add").is_none();
    let answered = asked.then(|| {
        let request = shape::request(&fields, query);
        question.ask(&request.to_string(), reader.lang)
    });
    let refused = answered.as_ref().filter(|answered| answered.refused).and_then(|answered| {
        let answered: Value = serde_json::from_str(&answered.json).ok()?;
        let refused = &answered["refused"];
        Some((refused["field"].as_str()?.to_owned(), refused["message"].as_str()?.to_owned()))
    });
    let system = question.name.split('.').next().unwrap_or_default();
    let result = html! {
        @match &answered {
            Some(answered) => (answer::answer(reader, &answered.json)),
            None => section.answer id="answer" aria-live="polite" aria-atomic="true" tabindex="-1" { p.quiet { (reader.say(words::NOT_ASKED)) } },
        }
    };
    let main = html! {
        nav.trail aria-label=(reader.say(words::TRAIL)) { a href="/umpire" { (reader.say(words::NAV_UMPIRE)) } }
        h1 { (title(reader, question.name)) }
        @let lead = question_name(reader, question.name);
        @if lead != question.name { p.lead { (lead) } }
        @if question.name == "tabletop.fire" {
            (fire::form(reader, question, &fields, query, &result))
        } @else if question.name == "campaign.reach" {
            div.ask.ask-map {
                (march::map(reader, query, answered.as_ref().map(|answered| answered.json.as_str())))
                div { (form::form(reader, question, &fields, query, system, refused.as_ref())) (result) }
            }
        } @else {
            div.ask {
                (form::form(reader, question, &fields, query, system, refused.as_ref()))
                (result)
            }
        }
        details.raw {
            summary { (reader.say(words::FOR_PROGRAMS)) }
            p { code { "POST /api/ask/" (question.name) } }
            @if asked { pre tabindex="0" { code { (serde_json::to_string_pretty(&shape::request(&fields, query)).unwrap_or_default()) } } }
        }
    };
    page(reader, &title(reader, question.name), Some(Room::Umpire), Width::Wide, &main)
}
