//! How the tests ask: a question by its name, its reply as JSON.

use rulebook::Lang;
use serde_json::Value;

/// Asks a question; the reply as JSON.
pub(crate) fn ask(question: &str, request: &Value) -> Value {
    let asking = breach::questions()
        .into_iter()
        .find(|asking| asking.name == question)
        .unwrap_or_else(|| panic!("there is no question {question}"));
    serde_json::from_str(&asking.ask(&request.to_string(), Lang::En).json).unwrap()
}

/// The answer to a question that must not be refused.
pub(crate) fn answer(question: &str, request: &Value) -> Value {
    let reply = ask(question, request);
    assert!(reply["answer"].is_object(), "{question} {request}: {reply}");
    reply["answer"].clone()
}

/// Field and rule of a refusal; a dash where there is none.
pub(crate) fn refused(question: &str, request: &Value) -> (String, String) {
    let reply = ask(question, request);
    assert!(reply["refused"].is_object(), "{question} {request}: {reply}");
    let text = |name: &str| reply["refused"][name].as_str().unwrap_or("-").to_owned();
    (text("field"), text("rule"))
}
