//! Questions put as a player puts them: one JSON object in, one out.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]
use rulebook::Lang;
use serde_json::Value;

pub(crate) fn ask(name: &str, request: &Value) -> Value {
    let question = tabletop::questions().into_iter().find(|question| question.name == name).unwrap();
    serde_json::from_str(&question.ask(&request.to_string(), Lang::En).json).unwrap()
}
