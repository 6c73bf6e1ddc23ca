//! What the addresses of games answer with: the shape of each reply, and one of them as an example. The
//! tests hold the replies of a running server against them.

use serde_json::{Value, json};

use super::components::{Components, local};
use crate::serve::hall::happened_schema;

/// Adds the shapes that several replies share.
pub(super) fn add(components: &mut Components) {
    components.add("Happened", happened_schema());
    components.add(
        "Pledged",
        shape(json!({ "side": { "type": "string" }, "commitment": hash() }), &["side", "commitment"]),
    );
    components.add("Created", created());
    components.add("GameView", game());
    components.add("Offered", offered());
}

fn shape(properties: Value, required: &[&str]) -> Value {
    let mut schema = json!({ "type": "object", "required": required, "additionalProperties": false });
    schema["properties"] = properties;
    schema
}

fn list(items: Value) -> Value {
    let mut schema = json!({ "type": "array" });
    schema["items"] = items;
    schema
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn count() -> Value {
    json!({ "type": "integer", "minimum": 0 })
}

fn or_null(mut schema: Value) -> Value {
    schema["type"] = json!([schema["type"].take(), "null"]);
    schema
}

fn hash() -> Value {
    json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
}

/// A new game: the only reply with secrets.
fn created() -> Value {
    let seat = shape(
        json!({ "side": text(), "player": text(), "secret": text(), "link": text(), "feed": text() }),
        &["side", "player", "secret", "link", "feed"],
    );
    shape(
        json!({ "game": text(), "seats": list(seat), "commitment": or_null(hash()) }),
        &["game", "seats", "commitment"],
    )
}

/// A game as a seat may see it; what a system shows of itself is its own.
fn game() -> Value {
    let dice = shape(
        json!({
            "source": { "enum": ["open", "committed", "table"] },
            "since": count(),
            "commitment": or_null(hash()),
            "pledges": list(local("Pledged")),
            "may_pledge": list(text()),
        }),
        &["source", "since", "commitment", "pledges", "may_pledge"],
    );
    let properties = json!({
        "game": text(), "system": text(), "sides": list(text()), "entries": count(),
        "to_move": or_null(text()), "deciders": list(text()), "sealed": list(local("Pledged")),
        "over": { "type": "boolean" }, "outcome": {}, "damaged": or_null(text()),
        "offered": { "oneOf": [
            { "type": "null" },
            shape(
                json!({ "by": or_null(text()), "offer": { "enum": ["draw", "take-back", "table-dice"] } }),
                &["by", "offer"],
            ),
        ] },
        "dice_rolled": { "type": "boolean" }, "dice": dice, "imported": or_null(count()),
        "rolls_taken_back": count(), "machine_take_backs": { "type": "boolean" },
        "header": { "type": "object" }, "seat": text(), "seats": list(text()), "view": {}, "own_order": {},
    });
    shape(
        properties,
        &[
            "game",
            "system",
            "sides",
            "entries",
            "to_move",
            "deciders",
            "sealed",
            "over",
            "outcome",
            "damaged",
            "offered",
            "dice_rolled",
            "dice",
            "imported",
            "rolls_taken_back",
            "machine_take_backs",
            "header",
        ],
    )
}

/// What a seat may decide: all of it, or one stage of it.
fn offered() -> Value {
    let counted = |name: &str, of: Value| shape(json!({ name: of, "count": count() }), &[name, "count"]);
    shape(
        json!({
            "entries": count(), "to_move": or_null(text()), "deciders": list(text()),
            "actions": list(json!({})),
            "kinds": list(counted("kind", text())),
            "subjects": list(counted("subject", or_null(count()))),
        }),
        &["entries", "to_move", "deciders"],
    )
}

pub(super) fn health() -> Value {
    let games = shape(
        json!({ "damaged": count(), "opened": count(), "replayed": count() }),
        &["damaged", "opened", "replayed"],
    );
    shape(
        json!({
            "status": { "enum": ["ok", "damaged", "unavailable"] }, "version": text(), "games": games,
            "trouble": text(),
        }),
        &["status", "version", "games"],
    )
}

pub(super) fn systems() -> Value {
    list(shape(
        json!({ "system": text(), "scenarios": list(text()), "sides": list(text()) }),
        &["system", "scenarios", "sides"],
    ))
}

pub(super) fn questions() -> Value {
    list(shape(json!({ "question": text(), "text": text() }), &["question", "text"]))
}

/// What happened, as an order of this kind is answered with; beside it what else is told of that kind.
pub(super) fn happened(deed: &str, beside: &Value) -> Value {
    let mut told = json!({
        "n": 1, "at": 1_794_963_518, "by": "prussian", "deed": deed, "to_move": "prussian",
        "deciders": ["prussian"], "over": deed == "resign", "said": [],
    });
    for (name, value) in beside.as_object().into_iter().flatten() {
        told[name] = value.clone();
    }
    told
}
