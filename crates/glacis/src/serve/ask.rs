//! The umpire over HTTP: the same questions, the same strictness, the same answers.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use kernel::Refusal;
use rulebook::{Answered, Asking, Lang};
use serde_json::{Value, json};

use super::games::{answered, raw};
use super::guard::language;
use super::{Server, Trouble};

pub(super) async fn list(
    State(server): State<Arc<Server>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let list: Vec<Value> = server
        .questions
        .iter()
        .map(|asking| {
            let key = format!("question-{}", asking.name.replace('.', "-"));
            json!({ "question": asking.name, "text": rulebook::speak_key(&key, lang) })
        })
        .collect();
    raw(Value::from(list).to_string())
}

fn find(server: &Server, name: &str) -> Option<Asking> {
    server.questions.iter().copied().find(|asking| asking.name == name)
}

fn unknown(name: &str, lang: Lang) -> Response {
    let refusal = Refusal::plain(kernel::phrase::UNKNOWN_QUESTION).with("name", name);
    let body = Answered::refused(&refusal, lang).json;
    (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

pub(super) async fn schema(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    match find(&server, &name) {
        Some(asking) => raw(asking.schema().to_string()),
        None => unknown(&name, language(&headers, query.as_deref())),
    }
}

pub(super) async fn answer(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let lang = language(&headers, query.as_deref());
    let Some(asking) = find(&server, &name) else { return unknown(&name, lang) };
    let done = async {
        let text = String::from_utf8(bytes.to_vec())
            .map_err(|error| Refusal::plain(kernel::phrase::NOT_JSON).with("detail", error.to_string()))?;
        let broken = |error: &dyn std::fmt::Display| Trouble::Broken(error.to_string());
        // Exact odds can take a second: not on the threads that serve everybody.
        let permit = server.thinkers.clone().acquire_owned().await.map_err(|error| broken(&error))?;
        let work = tokio::task::spawn_blocking(move || {
            let answered = asking.ask(&text, lang);
            drop(permit);
            answered
        });
        let answered = work.await.map_err(|error| broken(&error))?;
        let status = if answered.refused { refused_status(&answered.json) } else { StatusCode::OK };
        Ok((status, [(header::CONTENT_TYPE, "application/json")], answered.json).into_response())
    };
    answered(lang, done.await)
}

/// A refusal by a rule is an answer that says no; any other is a bad request.
fn refused_status(json: &str) -> StatusCode {
    let by_rule = serde_json::from_str::<Value>(json).is_ok_and(|value| value["refused"]["rule"].is_string());
    if by_rule { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::BAD_REQUEST }
}
