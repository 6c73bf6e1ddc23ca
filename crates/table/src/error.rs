//! What a reader is told when there is no such page, or when he may not have it.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use rulebook::phrase::{table as words, umpire};

use crate::page::{Width, page};
use crate::reader::Reader;
use crate::router::sheet;

/// The page that is not there, with the way on: for every address of the house that leads nowhere.
#[must_use]
pub fn not_found(reader: &Reader) -> Response {
    let title = reader.say(umpire::LOST_TITLE);
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
            p.lead { (reader.say(umpire::LOST_WHY)) }
            p { (reader.say(umpire::LOST_LINKS)) }
            p.ways { @for (place, phrase) in ways { a.quiet-button href=(place) { (reader.say(phrase)) } " " } }
            (crate::rules::search_form(reader, ""))
        }
    };
    (StatusCode::NOT_FOUND, sheet(&page(reader, &title, None, Width::Column, &main))).into_response()
}

/// The page that says why a reader may not have what he asked for, with the way on.
#[must_use]
pub fn refusal_page(reader: &Reader, why: &str) -> String {
    let title = reader.say(words::REFUSED);
    let main = html! {
        div.lost {
            (crate::fort::sign())
            h1 { (title) }
            p.lead { (why) }
            p.ways { a.quiet-button href="/" { (reader.say(words::NAV_PLAY)) } }
        }
    };
    page(reader, &title, None, Width::Column, &main).into_string()
}
