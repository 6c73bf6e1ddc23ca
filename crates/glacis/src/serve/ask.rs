//! The umpire over HTTP: the same questions, the same strictness, the same answers.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rulebook::{Asking, RefusedBy, Replied};
use serde_json::{Value, json};

use super::games::raw;
use super::guard::{Asker, Sent};
use super::{LARGEST_ANSWER, Server, Trouble};

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
    asker: Asker,
) -> Result<Response, Trouble> {
    let asking = find(&server, &name)?;
    let schema = move || asking.schema().to_string();
    Ok(raw(server.hall.readers().work(&asker.whose(), schema).await?))
}

pub(super) async fn answer(
    State(server): State<Arc<Server>>,
    Path(name): Path<String>,
    asker: Asker,
    sent: Sent,
) -> Result<Response, Trouble> {
    let asking = find(&server, &name)?;
    let text = sent.text()?.to_owned();
    let (whose, lang) = (asker.whose(), asker.lang);
    let (status, json) = server
        .hall
        .readers()
        .work(&whose, move || {
            let reply = asking.reply(&text, lang);
            (status(&reply), reply.line())
        })
        .await?;
    if json.len() > LARGEST_ANSWER {
        return Err(Trouble::LargeAnswer);
    }
    Ok((status, [(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// A refusal by a rule is an answer that says no; any other is a bad request.
const fn status(reply: &Replied) -> StatusCode {
    match reply.refused_by {
        None => StatusCode::OK,
        Some(RefusedBy::Rule(_)) => StatusCode::UNPROCESSABLE_ENTITY,
        Some(RefusedBy::Reader) => StatusCode::BAD_REQUEST,
    }
}
