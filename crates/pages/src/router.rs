//! The addresses of the pages.

use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, Path, RawQuery, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY,
    SET_COOKIE, VARY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::map_response;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use maud::Markup;
use rulebook::{Asking, Lang};

use crate::probe::Uses;
use crate::query::Query;
use crate::reader::{LANG_COOKIE, Reader, THEME_COOKIE, Theme};
use crate::shelf::{Shelf, Shelved};
use crate::system::System;
use crate::{assets, error, home, rules, table, umpire};

/// No script and no style but our own files.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What the pages know: the questions of the umpire, and by them which rules each uses.
pub struct Pages {
    questions: Vec<Asking>,
    systems: Vec<System>,
    uses: LazyLock<Uses, Box<dyn FnOnce() -> Uses + Send>>,
}

impl Pages {
    /// Pages for these questions.
    #[must_use]
    pub fn new(questions: Vec<Asking>) -> Self {
        let asked = questions.clone();
        Self { questions, systems: Vec::new(), uses: LazyLock::new(Box::new(move || Uses::of(&asked))) }
    }

    /// Adds the systems that are shown here.
    #[must_use]
    pub fn showing(mut self, systems: Vec<System>) -> Self {
        self.systems = systems;
        self
    }

    /// The systems that are shown here.
    pub(crate) fn systems(&self) -> &[System] {
        &self.systems
    }

    /// The questions, in the order given.
    #[must_use]
    pub fn questions(&self) -> &[Asking] {
        &self.questions
    }

    /// The question with this name.
    #[must_use]
    pub fn question(&self, name: &str) -> Option<&Asking> {
        self.questions.iter().find(|question| question.name == name)
    }

    pub(crate) fn uses(&self) -> &Uses {
        &self.uses
    }
}

/// All pages, with one for what is not there.
pub fn router(pages: Pages) -> Router {
    routes(pages).fallback(lost)
}

/// All pages, to be merged into a larger house.
pub fn routes(pages: Pages) -> Router {
    Router::new()
        .route("/", get(front))
        .route("/assets/{name}", get(assets::serve))
        .route("/settings/{name}/{value}", get(set))
        .route("/rules", get(rules_front))
        .route("/rules/glossary", get(glossary))
        .route("/rules/rulings", get(rulings))
        .route("/rules/book/{book}", get(book))
        .route("/rules/book/{book}/{section}", get(chapter))
        .route("/rules/tables/{name}", get(table))
        .route("/rules/{id}", get(rule))
        .route("/umpire", get(umpire_front))
        .route("/umpire/scene", get(scene).post(laid_out).layer(DefaultBodyLimit::max(LONGEST_SENT)))
        .route(table::quick::PLACE, get(two_units))
        .route("/umpire/{question}", get(ask))
        .route(table::PLACE, get(table_page))
        .route("/table/units/{lang}", get(units))
        .route("/table/example/{name}", get(example))
        .route("/table/ask/{what}", post(table_asked).layer(DefaultBodyLimit::max(LONGEST_SENT)))
        .route("/table-worker.js", get(table_worker))
        .route("/maps/{file}", get(ground))
        .layer(map_response(guarded))
        .with_state(Arc::new(pages))
}

/// The longest table as it is sent: every letter of it may need three.
const LONGEST_SENT: usize = 3 * umpire::scene::LONGEST + 1024;

type Known = State<Arc<Pages>>;

/// A page as it is sent.
pub(crate) fn sheet(markup: &Markup) -> Html<String> {
    Html(markup.0.clone())
}

async fn front(State(pages): Known, reader: Reader) -> Html<String> {
    sheet(&home::front(&reader, &pages))
}

/// A page, or a page that says why not.
fn judged(page: Result<Markup, Markup>) -> Response {
    match page {
        Ok(page) => sheet(&page).into_response(),
        Err(page) => (StatusCode::BAD_REQUEST, sheet(&page)).into_response(),
    }
}

async fn rules_front(State(_): Known, reader: Reader, RawQuery(query): RawQuery) -> Response {
    let query = Query::parse(query.as_deref().unwrap_or_default());
    judged(rules::front(&reader, query.get("q").unwrap_or_default()))
}

async fn glossary(reader: Reader, RawQuery(query): RawQuery) -> Response {
    let query = Query::parse(query.as_deref().unwrap_or_default());
    judged(rules::glossary(&reader, query.get("q").unwrap_or_default()))
}

async fn rulings(reader: Reader) -> Html<String> {
    sheet(&rules::rulings(&reader))
}

async fn book(reader: Reader, Path(name): Path<String>) -> Response {
    match rulebook::Book::ALL.iter().find(|book| book.name() == name) {
        Some(book) => sheet(&rules::book(&reader, *book)).into_response(),
        None => error::not_found(&reader),
    }
}

async fn chapter(
    State(pages): Known,
    reader: Reader,
    Path((name, section)): Path<(String, String)>,
) -> Response {
    let book = rulebook::Book::ALL.iter().find(|book| book.name() == name);
    match book.and_then(|book| rules::chapter(&reader, pages.systems(), *book, &section)) {
        Some(page) => sheet(&page).into_response(),
        None => error::not_found(&reader),
    }
}

async fn table(reader: Reader, Path(name): Path<String>) -> Response {
    match rulebook::printed_table(&name) {
        Some(table) => sheet(&rules::table(&reader, table)).into_response(),
        None => error::not_found(&reader),
    }
}

async fn rule(
    State(pages): Known,
    reader: Reader,
    Path(id): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let chosen = Query::parse(query.as_deref().unwrap_or_default()).chosen();
    match rulebook::entry(&id) {
        Some(entry) if entry.id().as_str() == id => {
            sheet(&rules::entry(&reader, entry, pages.uses(), &chosen)).into_response()
        }
        Some(entry) => moved(&format!("/rules/{}", entry.id())),
        None => error::not_found(&reader),
    }
}

async fn umpire_front(State(pages): Known, reader: Reader) -> Html<String> {
    sheet(&umpire::front(&reader, &pages))
}

async fn ask(
    State(pages): Known,
    reader: Reader,
    shelf: Option<Extension<Shelved>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = Query::parse(query.as_deref().unwrap_or_default());
    match pages.question(&name) {
        Some(question) => judged(umpire::ask(&reader, &pages, question, &query, on(shelf.as_ref()))),
        None => error::not_found(&reader),
    }
}

/// The shelf that came with a request.
fn on(shelf: Option<&Extension<Shelved>>) -> Option<&dyn Shelf> {
    shelf.map(|Extension(Shelved(shelf))| &**shelf)
}

async fn scene(
    State(pages): Known,
    reader: Reader,
    shelf: Option<Extension<Shelved>>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = Query::parse(query.as_deref().unwrap_or_default());
    judged(umpire::scene::viewer(&reader, &pages, &query, on(shelf.as_ref())))
}

/// A table that is too long for an address is sent, put on the shelf, and shown from there.
async fn laid_out(
    State(pages): Known,
    reader: Reader,
    shelf: Option<Extension<Shelved>>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Ok(body) = body else { return error::too_large(&reader) };
    let query = Query::parse(&String::from_utf8_lossy(&body));
    let shown = umpire::scene::viewer(&reader, &pages, &query, on(shelf.as_ref()));
    match (on(shelf.as_ref()), query.get("table")) {
        (Some(shelf), Some(text)) if shown.is_ok() => moved(&umpire::scene::kept_address(&shelf.keep(text))),
        _ => judged(shown),
    }
}

/// The table that is laid by hand.
async fn table_page(reader: Reader) -> Html<String> {
    sheet(&table::page(&reader))
}

/// Two units, asked about without a table.
async fn two_units(State(pages): Known, reader: Reader, RawQuery(query): RawQuery) -> Html<String> {
    let query = Query::parse(query.as_deref().unwrap_or_default());
    sheet(&table::quick::page(&reader, &pages, &query))
}

/// The units of the national lists, in a language.
async fn units(reader: Reader, Path(lang): Path<String>) -> Response {
    match Lang::from_code(&lang) {
        Some(lang) => kept_json(table::palette(&Reader::of(lang)).to_string()),
        None => error::not_found(&reader),
    }
}

/// An example as it was written, to the byte.
async fn example(reader: Reader, Path(name): Path<String>) -> Response {
    match umpire::scene::example_text(&name) {
        Some(text) => kept_json(text.to_owned()),
        None => error::not_found(&reader),
    }
}

/// What the table's script asks of the umpire.
async fn table_asked(
    State(pages): Known,
    reader: Reader,
    Path(what): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let Ok(body) = body else { return error::too_large(&reader) };
    match table::answer(&reader, &pages, &what, &String::from_utf8_lossy(&body)) {
        Some(text) => {
            ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], text).into_response()
        }
        None => error::not_found(&reader),
    }
}

/// The worker stands at the root, so that it may serve the table's page.
async fn table_worker() -> Response {
    let headers = [(CONTENT_TYPE, "text/javascript; charset=utf-8"), (CACHE_CONTROL, "no-cache")];
    (headers, assets::TABLE_WORKER).into_response()
}

/// A map, or the names of its places: drawn once for each language, kept by the browser.
async fn ground(State(pages): Known, reader: Reader, Path(file): Path<String>) -> Response {
    let mut parts = file.rsplitn(3, '.');
    let (Some(kind), Some(lang), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
        return error::not_found(&reader);
    };
    let map = pages.systems.iter().find_map(|system| system.map(name));
    let (Some(map), Some(lang)) = (map, Lang::from_code(lang)) else { return error::not_found(&reader) };
    match (kind, map.places) {
        ("svg", _) => {
            // A picture may carry its own style: the policy of the pages does not reach into it.
            let headers = [
                (CONTENT_TYPE, "image/svg+xml"),
                (CACHE_CONTROL, "public, max-age=86400"),
                (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"),
            ];
            (headers, map.drawn(lang).to_string()).into_response()
        }
        ("json", Some(places)) => kept_json(places(lang)),
        _ => error::not_found(&reader),
    }
}

/// Names that stay as they are.
fn kept_json(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "public, max-age=86400")], text).into_response()
}

async fn lost(reader: Reader) -> Response {
    error::not_found(&reader)
}

/// Remembers a setting in a cookie and goes back.
async fn set(
    reader: Reader,
    Path((name, value)): Path<(String, String)>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = Query::parse(query.as_deref().unwrap_or_default());
    let cookie = match name.as_str() {
        "lang" => Lang::from_code(&value).map(|lang| (LANG_COOKIE, lang.code())),
        "theme" => Theme::ALL
            .into_iter()
            .find(|theme| theme.name() == value)
            .map(|theme| (THEME_COOKIE, theme.name())),
        _ => None,
    };
    let Some((cookie, value)) = cookie else { return error::not_found(&reader) };
    let mut response = moved(within(query.get("to").unwrap_or("/")));
    let cookie = format!("{cookie}={value}; Path=/; Max-Age=31536000; SameSite=Lax");
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    response
}

/// A place of this house, and no other: a path whose every letter is a plain one of an address.
/// Browsers drop tabs and line breaks and read a backslash as a slash, so that anything else may
/// begin with the name of another site; two slashes anywhere may once a dot before them is dropped.
fn within(place: &str) -> &str {
    let plain = place.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    let local = place.starts_with('/') && !place.contains("//");
    if plain && local { place } else { "/" }
}

fn moved(place: &str) -> Response {
    match HeaderValue::from_str(place) {
        Ok(place) => (StatusCode::SEE_OTHER, [(LOCATION, place)]).into_response(),
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn guarded(mut response: Response) -> Response {
    let headers: &mut HeaderMap = response.headers_mut();
    let mut put = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    put(CONTENT_SECURITY_POLICY, POLICY);
    put(X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(REFERRER_POLICY, "same-origin");
    if headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        headers.insert(VARY, HeaderValue::from_static("Accept-Language, Cookie"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn a_setting_never_leads_out_of_the_house() {
        for here in
            ["/", "/rules?q=glacis", "/umpire/scene?z=a-b_c&way=40+25%3B50+30#answer", "/rules?q=%C3%A9"]
        {
            assert_eq!(within(here), here);
        }
        for elsewhere in [
            "",
            "evil.example",
            "https://evil.example",
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "/\t/evil.example",
            "\t//evil.example",
            "/\u{b}/evil.example",
            "/\0/evil.example",
            "/ /evil.example",
            "/\r\n/evil.example",
            "/a\r\nset-cookie: b",
            "/\u{7f}/evil.example",
            "/\u{a0}/evil.example",
            "/\u{ff0f}evil.example",
        ] {
            assert_eq!(within(elsewhere), "/", "{elsewhere:?}");
        }
    }
}
