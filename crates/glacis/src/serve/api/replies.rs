//! What the addresses answer with: the shape of each reply, and one of them as an example. The tests hold
//! the replies of a running server against them.

use kernel::{HexHash, Setup, Source, Terms};
use serde_json::{Map, Value, json};

use super::components::{Components, local};
use super::{capital, sample};
use crate::host::{Hosting, Order};
use crate::serve::hall::happened_schema;

/// Adds the shapes that several replies share. What is named here keeps its name: what a system brings
/// along under the same one gets another.
pub(super) fn add(components: &mut Components, systems: &[Hosting]) {
    components.add("Reason", reason());
    components.add("Refused", refused());
    components.add("Header", header());
    components
        .add("Pledged", shape(json!({ "side": text(), "commitment": hash() }), &["side", "commitment"]));
    let of = |what: &str| -> Vec<Value> {
        systems.iter().map(|system| local(&format!("{}{what}", capital(system.name)))).collect()
    };
    let action = json!({ "description": "A decision, of one system or another.", "anyOf": of("Action") });
    components.add("Action", action);
    let mapping: Map<String, Value> = systems
        .iter()
        .zip(of("Game"))
        .map(|(system, mut game)| (system.name.to_owned(), game["$ref"].take()))
        .collect();
    let discriminator = json!({ "propertyName": "system", "mapping": mapping });
    components.add("GameView", json!({ "oneOf": of("Game"), "discriminator": discriminator }));
    components.add("Happened", happened());
    components.add("Created", created());
    components.add("Offered", offered());
    components.add("State", state());
    components.add("GameEvent", game_event());
}

/// Adds what each system reads and tells, after all that has a name of its own.
pub(super) fn add_systems(components: &mut Components, systems: &[Hosting]) {
    for system in systems {
        let (name, shapes) = (capital(system.name), system.shapes());
        components.add(&format!("{name}Action"), shapes.action);
        components.add(&format!("{name}View"), shapes.view);
        components.add(&format!("{name}Outcome"), shapes.outcome);
        components.add(&format!("{name}Game"), game(system.name, &name));
    }
}

/// One reason: the rule, what it did, and its text.
fn reason() -> Value {
    shape(json!({ "rule": text(), "effect": text(), "text": text() }), &["rule", "effect", "text"])
}

/// Why something is not done: the rule that forbids it or the field that is wrong, and a sentence.
fn refused() -> Value {
    let inside = shape(
        json!({ "field": or_null(text()), "rule": or_null(text()), "message": text() }),
        &["field", "rule", "message"],
    );
    shape(json!({ "refused": inside }), &["refused"])
}

/// The first line of a record (`docs/record.md`).
fn header() -> Value {
    let named = || json!({ "type": "object", "additionalProperties": text() });
    let terms = shape(
        json!({ "machines": list(text()), "take_backs": { "type": "boolean" } }),
        &["machines", "take_backs"],
    );
    let seed = json!({ "oneOf": [
        shape(json!({ "open": hash() }), &["open"]),
        shape(json!({ "committed": hash() }), &["committed"]),
        { "type": "string", "const": "table" },
    ] });
    shape(
        json!({
            "glacis": count(), "system": text(), "scenario": text(), "options": named(), "seed": seed,
            "terms": terms, "product": text(), "chain": hash(),
        }),
        &["glacis", "system", "scenario", "options", "seed", "terms", "product", "chain"],
    )
}

/// What happened; in a stream also what the reader may decide now, where he wished for it.
fn happened() -> Value {
    let mut schema = happened_schema();
    schema["additionalProperties"] = json!(false);
    schema["properties"]["deed"] = json!({
        "description": "What kind of deed it was.",
        "enum": [
            "decide", "seal", "undo", "resign", "offer", "accept", "decline", "words", "pledge", "adopt", "reveal",
        ],
    });
    schema["properties"]["actions"] = list(local("Action"));
    schema
}

/// Where a game stands when somebody begins to listen.
fn state() -> Value {
    shape(
        json!({
            "n": count(), "to_move": or_null(text()), "deciders": list(text()), "over": { "type": "boolean" },
            "imported": count(), "actions": list(local("Action")),
        }),
        &["n", "to_move", "deciders", "over"],
    )
}

/// One event of the stream of a game: its name, its number, and its data.
fn game_event() -> Value {
    let event = |name: &str, data: Value, required: &[&str]| {
        shape(json!({ "event": { "type": "string", "const": name }, "id": count(), "data": data }), required)
    };
    let all = ["event", "id", "data"];
    json!({ "oneOf": [
        event("state", local("State"), &all),
        event("happened", local("Happened"), &all),
        event("refresh", shape(json!({ "n": count() }), &["n"]), &["event", "data"]),
        event("replaced", shape(json!({}), &[]), &["event", "data"]),
    ] })
}

/// A stream of events, each of this shape once its lines are taken apart and its data is read as JSON.
pub(super) fn events(of: &Value) -> Value {
    json!({ "type": "string", "contentMediaType": "text/event-stream", "contentSchema": of })
}

/// The events of a table that several lay: how many changes there are.
pub(super) fn table_events() -> Value {
    events(&shape(json!({ "data": count() }), &["data"]))
}

/// Text of another kind than JSON.
pub(super) fn text_of(kind: &str) -> Value {
    json!({ "type": "string", "contentMediaType": kind })
}

/// The schema of a question.
pub(super) fn schema() -> Value {
    let any = || json!({ "type": "object", "additionalProperties": true });
    shape(
        json!({ "question": text(), "request": any(), "answer": any() }),
        &["question", "request", "answer"],
    )
}

/// This description.
pub(super) fn described() -> Value {
    let any = || json!({ "type": "object", "additionalProperties": true });
    let properties = json!({
        "openapi": text(), "info": any(), "servers": list(any()), "components": any(), "paths": any(),
    });
    shape(properties, &["openapi", "info", "servers", "components", "paths"])
}

/// A table that somebody laid down for others: the word of its link.
pub(super) fn shared() -> Value {
    shape(json!({ "word": text(), "version": count() }), &["word", "version"])
}

/// A table that several change, or what was changed since; the whole of it has what it began as.
pub(super) fn table() -> Value {
    let start = json!({ "type": "object", "additionalProperties": true });
    shape(json!({ "version": count(), "changes": list(change()), "start": start }), &["version", "changes"])
}

/// The number of a change that was made.
pub(super) fn changed() -> Value {
    shape(json!({ "version": count() }), &["version"])
}

/// A change of a table: the things, the order of its lists, the fields and the rest, each as it was and is.
pub(super) fn change() -> Value {
    let row = |of: Vec<Value>| {
        let length = of.len();
        let mut row = json!({ "type": "array", "minItems": length, "maxItems": length });
        row["prefixItems"] = of.into();
        row["items"] = json!({});
        row
    };
    let any = || json!({});
    let patch = shape(
        json!({
            "things": list(row(vec![text(), text(), any(), any()])),
            "order": { "type": "object", "additionalProperties": row(vec![any(), any()]) },
            "fields": list(row(vec![text(), any(), any()])),
            "rest": row(vec![any(), any()]),
        }),
        &["things", "order", "fields"],
    );
    shape(json!({ "patch": patch }), &["patch"])
}

/// A game that was just begun: its record, and what a spectator sees of it.
pub(super) fn begun(system: &Hosting) -> Option<(String, Value)> {
    let scenario = (*system.scenarios.first()?).to_owned();
    let setup = Setup { scenario, ..Setup::default() };
    let seed = Source::Open(HexHash([7; 32]));
    let mut game = system.begin(&setup, seed, None, Terms::default()).ok()?;
    let first = game.deciders().first()?;
    let said = game.order(0, first, Order::Words("Bonjour !".to_owned())).ok()?;
    let lines: Vec<String> =
        std::iter::once(game.header_line()).chain(said.into_iter().map(|report| report.line)).collect();
    let mut seen = sample("view");
    seen["view"] = serde_json::from_str(&game.view(None)).ok()?;
    Some((lines.iter().map(|line| format!("{line}\n")).collect(), seen))
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
fn game(system: &str, name: &str) -> Value {
    let ended = json!({ "oneOf": [
        { "type": "null" },
        { "type": "string", "const": "drawn" },
        shape(json!({ "resigned": text() }), &["resigned"]),
        local(&format!("{name}Outcome")),
    ] });
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
        "game": text(), "system": { "type": "string", "const": system }, "sides": list(text()), "entries": count(),
        "to_move": or_null(text()), "deciders": list(text()), "sealed": list(local("Pledged")),
        "over": { "type": "boolean" }, "outcome": ended, "damaged": or_null(text()),
        "offered": { "oneOf": [
            { "type": "null" },
            shape(
                json!({ "by": or_null(text()), "offer": { "enum": ["draw", "take-back", "table-dice"] } }),
                &["by", "offer"],
            ),
        ] },
        "dice_rolled": { "type": "boolean" }, "dice": dice, "imported": or_null(count()),
        "rolls_taken_back": count(), "machine_take_backs": { "type": "boolean" },
        "header": local("Header"), "seat": text(), "seats": list(text()),
        "view": local(&format!("{name}View")), "own_order": local(&format!("{name}Action")),
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
            "actions": list(local("Action")),
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
pub(super) fn happened_by(deed: &str, beside: &Value) -> Value {
    let mut told = json!({
        "n": 1, "at": 1_794_963_518, "by": "prussian", "deed": deed, "to_move": "prussian",
        "deciders": ["prussian"], "over": deed == "resign", "said": [],
    });
    for (name, value) in beside.as_object().into_iter().flatten() {
        told[name] = value.clone();
    }
    told
}
