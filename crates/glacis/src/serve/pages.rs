//! What a browser is shown. Seat links end here: the secret goes into a cookie that no script can
//! read, and is gone from the address bar.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use rulebook::{Lang, phrase as words};

use super::feed::{escaped, title};
use super::games::{answered, reading};
use super::guard::{cookie_name, language, seats};
use super::{Server, Trouble};

/// A cookie lives this long, in seconds: games last weeks.
const COOKIE_LIFE: u32 = 400 * 86400;

pub(super) fn routes() -> Router<Arc<Server>> {
    Router::new()
        .route("/", get(door))
        .route("/s/{game}/{secret}", get(sit_down))
        .route("/g/{game}", get(game))
}

fn page(title: &str, body: &str, lang: Lang) -> Response {
    Html(format!(
        "<!doctype html><html lang=\"{}\"><head><meta charset=\"utf-8\"><title>{}</title></head>\
         <body><h1>{}</h1>{body}</body></html>\n",
        lang.code(),
        escaped(title),
        escaped(title),
    ))
    .into_response()
}

/// The front door: what can be asked here.
async fn door(RawQuery(query): RawQuery, headers: HeaderMap) -> Response {
    let lang = language(&headers, query.as_deref());
    let say = |phrase| escaped(&rulebook::speak(phrase, &[], lang));
    let links: String = [
        ("/api", words::server::DOOR_API),
        ("/api/systems", words::server::DOOR_SYSTEMS),
        ("/api/games", words::server::DOOR_GAMES),
        ("/api/ask", words::server::DOOR_ASK),
        ("/healthz", words::server::DOOR_HEALTH),
    ]
    .into_iter()
    .map(|(path, phrase)| format!("<li><a href=\"{path}\">{path}</a> {}</li>", say(phrase)))
    .collect();
    page("Glacis", &format!("<p>{}</p><ul>{links}</ul>", say(words::server::DOOR)), lang)
}

/// Takes the secret of a link into a cookie and leads on to the game.
async fn sit_down(
    State(server): State<Arc<Server>>,
    Path((game, secret)): Path<(String, String)>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let seat = table.seat_of(&secret).ok_or(Trouble::WrongSecret)?;
        let name = cookie_name(&game, seat.place);
        let secure = if server.manners.base_url.starts_with("https:") { "; Secure" } else { "" };
        let cookie = format!("{name}={secret}; Path=/; Max-Age={COOKIE_LIFE}; HttpOnly; SameSite=Lax{secure}");
        let headers = [
            (header::SET_COOKIE, cookie),
            (header::LOCATION, format!("/g/{game}")),
            (header::REFERRER_POLICY, "no-referrer".to_owned()),
        ];
        Ok((StatusCode::SEE_OTHER, headers).into_response())
    };
    answered(lang, done.await)
}

/// A game; its title says whose turn it is.
async fn game(
    State(server): State<Arc<Server>>,
    Path(game): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let done = async {
        let table = server.hall.table(&game).await?;
        let held = seats(&table, &headers)?;
        let seen = server.hall.look(&table).await?;
        let game = seen.game().ok_or(Trouble::NoSuchGame)?;
        let reader = reading(&table, &held, None, game.to_move())?;
        let title = title(&table, game.to_move(), game.is_over(), reader, lang);
        let view: serde_json::Value = serde_json::from_str(&game.view(reader)).unwrap_or_default();
        let view = serde_json::to_string_pretty(&view).unwrap_or_default();
        Ok(page(&title, &format!("<pre>{}</pre>", escaped(&view)), lang))
    };
    answered(lang, done.await)
}
