//! The campaign as others see it: questions in, answers out.

mod cells;
mod examples;
mod map;
mod odds;
mod options;
mod properties;
mod rules;
mod sheets;
mod umpire;

use rulebook::Lang;
use serde_json::Value;

/// Asks a question; the reply as JSON.
fn ask(question: &str, request: &str) -> Value {
    let asking = campaign::questions()
        .into_iter()
        .find(|asking| asking.name == question)
        .unwrap_or_else(|| panic!("there is no question {question}"));
    serde_json::from_str(&asking.ask(request, Lang::En).json).unwrap()
}

/// Asks a question that must be answered with certainty.
fn answer(question: &str, request: &str) -> Value {
    let reply = ask(question, request);
    assert!(reply.get("answer").is_some(), "{question} {request}: {reply}");
    reply["answer"].clone()
}

/// Asks a question that must be refused; the field and the rule.
fn refused(question: &str, request: &str) -> (Option<String>, Option<String>) {
    let reply = ask(question, request);
    let refused = &reply["refused"];
    assert!(refused.is_object(), "{question} {request}: {reply}");
    let text = |name: &str| refused[name].as_str().map(str::to_owned);
    (text("field"), text("rule"))
}

/// Whether a reply cites a rule, and with which effect.
fn effect(reply: &Value, rule: &str) -> Option<String> {
    reply["because"]
        .as_array()?
        .iter()
        .find(|because| because["rule"] == rule)
        .and_then(|because| because["effect"].as_str())
        .map(str::to_owned)
}
