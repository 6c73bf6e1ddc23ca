//! The umpire over HTTP: the same questions, the same strictness, the same answers.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rulebook::Asking;
use serde_json::{Value, json};

use super::games::raw;
use super::guard::{Asker, Sent};
use super::{Server, Trouble};

pub(super) async fn list(State(server): State<Arc<Server>>, asker: Asker) -> Response {
    let list: Vec<Value> = server
        .questions
        .iter()
        .map(|asking| {
            let key = format!("question-{}", asking.name.replace('.', "-"));
            json!({ "question": asking.name, "text": rulebook::speak_key(&key, asker.lang) })
        })
        .collect();
    raw(Value::from(list).to_string())
}

fn find(server: &Server, name: &str) -> Result<Asking, Trouble> {
    let asking = server.questions.iter().copied().find(|asking| asking.name == name);
    asking.ok_or_else(|| Trouble::NoSuchQuestion(name.to_owned()))
}

pub(super) async fn schema(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
) -> Result<Response, Trouble> {
    Ok(raw(find(&server, &name)?.schema().to_string()))
}

pub(super) async fn answer(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
    asker: Asker,
    sent: Sent,
) -> Result<Response, Trouble> {
    let asking = find(&server, &name)?;
    let text = sent.text()?.to_owned();
    let broken = |error: &dyn std::fmt::Display| Trouble::Broken(error.to_string());
    // Exact odds can take a second: not on the threads that serve everybody.
    let permit = server.thinkers.clone().acquire_owned().await.map_err(|error| broken(&error))?;
    let work = tokio::task::spawn_blocking(move || {
        let answered = asking.ask(&text, asker.lang);
        drop(permit);
        answered
    });
    let answered = work.await.map_err(|error| broken(&error))?;
    let status = if answered.refused { refused_status(&answered.json) } else { StatusCode::OK };
    Ok((status, [(header::CONTENT_TYPE, "application/json")], answered.json).into_response())
}

/// A refusal by a rule is an answer that says no; any other is a bad request.
fn refused_status(json: &str) -> StatusCode {
    let by_rule = serde_json::from_str::<Value>(json).is_ok_and(|value| value["refused"]["rule"].is_string());
    if by_rule { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::BAD_REQUEST }
}
