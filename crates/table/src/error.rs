//! What a reader is told when there is no such page.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::html;
use rulebook::phrase::table as words;

use crate::page::{Width, page};
use crate::reader::Reader;
use crate::router::sheet;

/// The page that is not there.
pub(crate) fn not_found(reader: &Reader) -> Response {
    let title = reader.say(words::NOT_FOUND);
    let main = html! {
        h1 { (title) }
        p { (reader.say(words::NOT_FOUND_WHY)) }
        p { a href="/" { (reader.say(words::NOT_FOUND_HOME)) } " · " a href="/rules" { (reader.say(words::NAV_RULES)) } }
    };
    (StatusCode::NOT_FOUND, sheet(&page(reader, &title, None, Width::Column, &main))).into_response()
}
