//! The description of the API (OpenAPI), made from the types that the API reads.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use rulebook::Asking;
use schemars::{JsonSchema, schema_for};
use serde_json::{Map, Value, json};

use super::begin::{Creation, Import};
use super::games::raw;
use super::orders::{Act, Consent, Plain, Proposal, Words};
use super::{Manners, Server};
use crate::host::Account;

pub(super) async fn get(State(server): State<Arc<Server>>) -> Response {
    raw(server.description.clone())
}

/// One address of the API.
struct Address {
    path: &'static str,
    method: &'static str,
    does: &'static str,
    request: Option<Value>,
    reply: Option<Value>,
}

fn schema<T: JsonSchema>() -> Value {
    let mut schema = schema_for!(T).to_value();
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("$schema");
    }
    schema
}

fn get_(path: &'static str, does: &'static str) -> Address {
    Address { path, method: "get", does, request: None, reply: None }
}

fn post<T: JsonSchema>(path: &'static str, does: &'static str) -> Address {
    Address { path, method: "post", does, request: Some(schema::<T>()), reply: None }
}

fn addresses() -> Vec<Address> {
    vec![
        get_("/healthz", "Whether the server and its database answer."),
        get_("/api/systems", "The systems that can be played, with their scenarios and sides."),
        get_("/api/ask", "The questions of the umpire."),
        get_("/api/games", "The games whose seats the cookies of the request open."),
        post::<Creation>("/api/games", "Begins a game; the answer holds the secret of every seat, once."),
        post::<Import>("/api/import", "Takes over a recorded game after checking every line of it."),
        get_("/api/games/{game}", "The game as the reader's seat may see it (`side` names one of several)."),
        get_("/api/games/{game}/actions", "What the reader may decide now."),
        post::<Act>("/api/games/{game}/act", "Decides."),
        post::<Plain>(
            "/api/games/{game}/undo",
            "Takes back the last decision if it neither rolled nor revealed.",
        ),
        post::<Plain>("/api/games/{game}/resign", "Gives up."),
        post::<Proposal>("/api/games/{game}/offer", "Proposes a draw, or to take back."),
        post::<Consent>("/api/games/{game}/answer", "Answers a proposal."),
        post::<Words>("/api/games/{game}/words", "Adds words of one's own before the first die."),
        get_(
            "/api/games/{game}/events",
            "Server-sent events: `state` first, then `happened`, or to a slow reader `refresh` with the number of entries. With `Last-Event-ID` what was missed comes before it. With `actions=true` they carry what the reader may decide.",
        ),
        get_("/api/games/{game}/log", "What was said, entry by entry (`since`)."),
        Address {
            reply: Some(schema::<Account>()),
            ..get_(
                "/api/games/{game}/luck",
                "The luck ledger: the faces of the dice, and what came of them, against what was to be expected.",
            )
        },
        get_("/api/games/{game}/record", "The record, once the game is over or to whoever holds every seat."),
    ]
}

/// The whole description.
pub(super) fn description(questions: &[Asking], manners: &Manners) -> Value {
    let mut paths = Map::new();
    for address in addresses() {
        let Address { path, method, does, request, reply } = address;
        let operation = operation(path, does, request, reply);
        paths.entry(path).or_insert_with(|| json!({}))[method] = operation;
    }
    for asking in questions {
        let schema = asking.schema();
        let path = format!("/api/ask/{}", asking.name);
        let key = format!("question-{}", asking.name.replace('.', "-"));
        let does = rulebook::speak_key(&key, rulebook::Lang::En);
        let mut request = schema["request"].clone();
        if let Some(fields) = request.as_object_mut() {
            fields.remove("$schema");
        }
        paths.insert(
            path.clone(),
            json!({
                "get": operation(&path, "The JSON Schema of the question.", None, None),
                "post": operation(&path, &does, Some(request), None),
            }),
        );
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Glacis", "version": env!("CARGO_PKG_VERSION") },
        "servers": [{ "url": manners.base_url }],
        "components": {
            "securitySchemes": { "seat": { "type": "http", "scheme": "bearer" } },
            "schemas": { "Refused": {
                "type": "object",
                "properties": { "refused": {
                    "type": "object",
                    "properties": {
                        "field": { "type": ["string", "null"] },
                        "rule": { "type": ["string", "null"] },
                        "message": { "type": "string" },
                    },
                    "required": ["field", "rule", "message"],
                } },
                "required": ["refused"],
            } },
        },
        "paths": paths,
    })
}

fn operation(path: &str, does: &str, request: Option<Value>, reply: Option<Value>) -> Value {
    let refused = json!({
        "description": "Refused: 400 the request, 401 no secret, 403 not yours, 404 not there, 409 too late, \
            413 too large, 422 a rule forbids it, 429 too many, 503 the database does not answer.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Refused" } } },
    });
    let mut operation = json!({
        "summary": does,
        "parameters": [{ "name": "lang", "in": "query", "schema": { "enum": ["fr", "en"] } }],
        "responses": {
            "default": refused,
            "2XX": { "description": "Done.", "content": { "application/json": { "schema": reply.unwrap_or(json!({})) } } },
        },
    });
    if path.contains("{game}") {
        operation["security"] = json!([{ "seat": [] }]);
        if let Some(parameters) = operation["parameters"].as_array_mut() {
            parameters.push(
                json!({ "name": "game", "in": "path", "required": true, "schema": { "type": "string" } }),
            );
        }
    }
    if let Some(request) = request {
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": request } } });
    }
    operation
}
