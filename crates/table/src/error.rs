//! What a reader is told when there is no such page, or when he may not have it.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use rulebook::phrase::table as words;

use crate::page::{Width, page};
use crate::reader::Reader;
use crate::router::sheet;

/// The page that is not there, with its status.
pub(crate) fn not_found(reader: &Reader) -> Response {
    let page = trouble(reader, &reader.say(words::NOT_FOUND), &reader.say(words::NOT_FOUND_WHY));
    (StatusCode::NOT_FOUND, sheet(&page)).into_response()
}

/// The page of an address at which there is nothing.
#[must_use]
pub fn not_found_page(reader: &Reader) -> String {
    trouble(reader, &reader.say(words::NOT_FOUND), &reader.say(words::NOT_FOUND_WHY)).into_string()
}

/// The page that says why a reader may not have what he asked for.
#[must_use]
pub fn refusal_page(reader: &Reader, why: &str) -> String {
    trouble(reader, &reader.say(words::REFUSED), why).into_string()
}

fn trouble(reader: &Reader, title: &str, why: &str) -> Markup {
    let main = html! {
        h1 { (title) }
        p { (why) }
        p { a href="/" { (reader.say(words::NOT_FOUND_HOME)) } " · " a href="/rules" { (reader.say(words::NAV_RULES)) } }
    };
    page(reader, title, None, Width::Column, &main)
}
