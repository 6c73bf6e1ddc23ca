//! What a reader is told when there is no such page, or when he may not have it.

use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use maud::{Markup, html};
use rulebook::phrase::{server, table as words, umpire};

use crate::page::{Headline, Width, page};
use crate::reader::Reader;
use crate::router::sheet;

/// The page that is not there, with the way on: for every address of the house that leads nowhere.
#[must_use]
pub fn not_found(reader: &Reader) -> Response {
    let page = trouble(reader, &reader.say(umpire::LOST_TITLE), &reader.say(umpire::LOST_WHY));
    (StatusCode::NOT_FOUND, sheet(&page)).into_response()
}

/// The page that says why a reader may not have what he asked for.
#[must_use]
pub fn refusal_page(reader: &Reader, why: &str) -> String {
    trouble(reader, &reader.say(words::REFUSED), why).into_string()
}

/// The page that says that more was sent than is read.
pub(crate) fn too_large(reader: &Reader) -> Response {
    let why = reader.say(server::TOO_LARGE);
    (StatusCode::PAYLOAD_TOO_LARGE, Html(refusal_page(reader, &why))).into_response()
}

fn trouble(reader: &Reader, title: &str, why: &str) -> Markup {
    let ways = [
        ("/", words::NAV_PLAY),
        ("/umpire", words::NAV_UMPIRE),
        ("/rules", words::NAV_RULES),
        ("/rules/glossary", words::GLOSSARY),
    ];
    let main = html! {
        div.lost {
            (crate::fort::sign())
            h1 { (title) }
            p.lead { (why) }
            p { (reader.say(umpire::LOST_LINKS)) }
            p.ways { @for (place, phrase) in ways { a.quiet-button href=(place) { (reader.say(phrase)) } " " } }
            (crate::rules::search_form(reader, ""))
        }
    };
    page(reader, Headline { title, about: why }, None, Width::Column, &main)
}
