//! The description of the API (OpenAPI), made from the types that the API reads.

mod components;
mod named;
mod replies;
#[cfg(test)]
mod tests;

use std::sync::{Arc, LazyLock};

use axum::extract::State;
use axum::response::Response;
use rulebook::Asking;
use schemars::{JsonSchema, schema_for};
use serde_json::{Map, Value, json};

use super::begin::{Creation, Import};
use super::games::raw;
use super::orders::{Act, Consent, Plain, Pledge, Proposal, Words};
use super::{Manners, Server};
use crate::host::{Account, Hosting};
use components::Components;

pub(super) async fn get(State(server): State<Arc<Server>>) -> Response {
    raw(server.description.clone())
}

/// What an address answers with.
#[derive(Clone, Copy)]
enum Media {
    Json,
    /// Server-sent events.
    Events,
    /// A record: one JSON object on each line.
    Record,
    /// A feed of Atom.
    Feed,
}

impl Media {
    const fn kind(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Events => "text/event-stream",
            Self::Record => "application/jsonl",
            Self::Feed => "application/atom+xml",
        }
    }
}

/// A parameter outside the path.
struct Parameter {
    name: &'static str,
    place: &'static str,
    does: &'static str,
    schema: Value,
}

fn query(name: &'static str, does: &'static str, schema: Value) -> Parameter {
    Parameter { name, place: "query", does, schema }
}

fn side() -> Parameter {
    query(
        "side",
        "The seat to look from, where several are held; `spectator` for none.",
        json!({ "type": "string" }),
    )
}

/// One address of the API.
struct Address {
    path: String,
    method: &'static str,
    /// The name of the operation, for the programs that are made from the description.
    id: String,
    does: String,
    parameters: Vec<Parameter>,
    request: Option<Value>,
    status: &'static str,
    media: Media,
    reply: Value,
    /// Another answer than that, which is no refusal.
    another: Option<Another>,
    /// A request and what it is answered with.
    example: (Option<Value>, Option<Value>),
}

/// What an address answers with instead.
struct Another {
    status: &'static str,
    does: &'static str,
    reply: Value,
}

fn get_(path: &str, id: &str, does: &str) -> Address {
    Address {
        path: path.to_owned(),
        method: "get",
        id: id.to_owned(),
        does: does.to_owned(),
        parameters: Vec::new(),
        request: None,
        status: "200",
        media: Media::Json,
        reply: json!({}),
        another: None,
        example: (None, None),
    }
}

impl Address {
    fn takes(self, request: Value) -> Self {
        Self { method: "post", request: Some(request), ..self }
    }

    fn with(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Self {
        self.parameters.extend(parameters);
        self
    }

    fn gives(self, media: Media, reply: Value) -> Self {
        Self { media, reply, ..self }
    }

    fn or(self, another: Another) -> Self {
        Self { another: Some(another), ..self }
    }

    /// For example, this request.
    fn asked(self, request: Value) -> Self {
        Self { example: (Some(request), self.example.1), ..self }
    }

    /// For example, this reply.
    fn told(self, reply: Value) -> Self {
        Self { example: (self.example.0, Some(reply)), ..self }
    }

    /// It makes something new.
    fn creates(self) -> Self {
        Self { status: "201", ..self }
    }
}

fn addresses(components: &mut Components, systems: &[Hosting]) -> Vec<Address> {
    /// What is sent: it is read strictly, as requests are.
    fn named<T: JsonSchema>(components: &mut Components) -> Value {
        components.add(&T::schema_name(), rulebook::without_null(schema_for!(T).to_value()))
    }
    replies::add(components, systems);
    let happened = || components::local("Happened");
    let (record, seen) = systems.first().and_then(replies::begun).unwrap_or_default();
    let seats: Map<String, Value> = systems
        .first()
        .and_then(|system| system.sides().into_iter().next())
        .map(|side| (side, json!("sensible")))
        .into_iter()
        .collect();
    // A decision is one of a system's own.
    let mut act = schema_for!(Act).to_value();
    act["properties"]["action"] = components::local("Action");
    let act = components.add("Act", rulebook::without_null(act));
    vec![
        get_("/healthz", "health", "Whether the server and its database answer.")
            .gives(Media::Json, replies::health())
            .or(Another { status: "503", does: "Nothing can be kept now.", reply: replies::health() })
            .told(json!({ "status": "ok", "version": "0.1.0", "games": { "damaged": 0, "opened": 2, "replayed": 310 } })),
        get_("/api", "describe", "This description.")
            .gives(Media::Json, replies::described())
            .told(json!({
                "openapi": "3.1.0", "info": { "title": "Glacis", "version": "0.1.0" }, "servers": [],
                "components": {}, "paths": {},
            })),
        get_(
            "/api/systems",
            "listSystems",
            "The systems that can be played, with their scenarios and sides.",
        )
        .gives(Media::Json, replies::systems())
        .told(sample("systems")),
        get_("/api/ask", "listQuestions", "The questions of the umpire.")
            .gives(Media::Json, replies::questions())
            .told(json!([{ "question": "tabletop.fire", "text": "one fire from facts" }])),
        get_("/api/games", "listGames", "The games whose seats the cookies of the request open.")
            .gives(Media::Json, json!({ "type": "array", "items": components::local("GameView") }))
            .told(json!([])),
        get_("/api/games", "createGame", "Begins a game; the answer holds the secret of every seat, once.")
            .takes(named::<Creation>(components))
            .gives(Media::Json, components::local("Created"))
            .asked(sample("creation"))
            .told(sample("created"))
            .creates(),
        get_("/api/import", "importGame", "Takes over a recorded game after checking every line of it.")
            .takes(named::<Import>(components))
            .gives(Media::Json, components::local("Created"))
            .asked(json!({ "record": record, "seats": seats }))
            .told(sample("created"))
            .creates(),
        get_("/api/games/{game}", "viewGame", "The game as the reader's seat may see it.")
            .with([side()])
            .gives(Media::Json, components::local("GameView"))
            .told(seen),
        get_("/api/games/{game}/actions", "listActions", "What the reader may decide now: all of it, or stage by stage.")
            .with([
                side(),
                query("stage", "`kinds`: only the kinds of decision, with how many there are of each.", json!({ "enum": ["kinds"] })),
                query("kind", "Only what the decisions of this kind are about, with how many there are of each.", json!({ "type": "string" })),
                query("subject", "With a kind: the decisions about this subject; `none` for those about nothing in particular.", json!({ "type": "string" })),
            ])
            .gives(Media::Json, components::local("Offered"))
            .told(json!({
                "entries": 0, "to_move": "prussian", "deciders": ["prussian"],
                "actions": [{ "set-city-unit": { "unit": "P01", "place": "reserve" } }, "set-up-the-rest"],
            })),
        get_("/api/games/{game}/act", "act", "Decides.")
            .takes(act)
            .gives(Media::Json, happened())
            .asked(json!({ "seen": 0, "action": "set-up-the-rest" }))
            .told(replies::happened_by("decide", &json!({ "said": [{ "rule": "DZ-5.1-08", "effect": "applies" }] }))),
        get_(
            "/api/games/{game}/undo",
            "undo",
            "Takes back the last decision if it neither rolled nor revealed.",
        )
        .takes(named::<Plain>(components))
        .gives(Media::Json, happened())
        .asked(json!({ "seen": 1 }))
        .told(replies::happened_by("undo", &json!({}))),
        get_("/api/games/{game}/resign", "resign", "Gives up.")
            .takes(named::<Plain>(components))
            .gives(Media::Json, happened())
            .asked(json!({ "seen": 1 }))
            .told(replies::happened_by("resign", &json!({ "to_move": null, "deciders": [] }))),
        get_(
            "/api/games/{game}/offer",
            "offer",
            "Proposes a draw, to take back, or to roll further dice on a real table.",
        )
        .takes(named::<Proposal>(components))
        .gives(Media::Json, happened())
        .asked(json!({ "seen": 1, "offer": "draw" }))
        .told(replies::happened_by("offer", &json!({}))),
        get_("/api/games/{game}/answer", "answerOffer", "Answers a proposal.")
            .takes(named::<Consent>(components))
            .gives(Media::Json, happened())
            .asked(json!({ "seen": 2, "accept": false }))
            .told(replies::happened_by("decline", &json!({}))),
        get_("/api/games/{game}/words", "addWords", "Says something to the others.")
            .takes(named::<Words>(components))
            .gives(Media::Json, happened())
            .asked(json!({ "seen": 1, "words": "Bonjour !" }))
            .told(replies::happened_by("words", &json!({ "words": "Bonjour !" }))),
        get_(
            "/api/games/{game}/pledge",
            "pledge",
            "Puts a seed of the seat's own into the dice, once and before the first of them.",
        )
        .takes(named::<Pledge>(components))
        .gives(Media::Json, happened())
        .asked(json!({ "seed": "5a".repeat(32) }))
        .told(replies::happened_by("pledge", &json!({}))),
        get_(
            "/api/games/{game}/events",
            "streamEvents",
            "Server-sent events: `state` first, then `happened`, or to a slow reader `refresh` with the number of entries; `replaced` at the end of a stream that a newer one of the same seat pushed out.",
        )
        .with([
            side(),
            query(
                "actions",
                "Whether events carry what the reader may decide.",
                json!({ "type": "boolean" }),
            ),
            Parameter {
                name: "Last-Event-ID",
                place: "header",
                does: "The last event heard: what was missed comes before the rest.",
                schema: json!({ "type": "integer", "minimum": 0 }),
            },
        ])
        .gives(Media::Events, replies::events(&components::local("GameEvent")))
        .told(sample("events")),
        get_("/api/games/{game}/log", "readLog", "What was said, entry by entry.").with([
            side(),
            query("since", "Only what came after this entry.", json!({ "type": "integer", "minimum": 0 })),
        ])
        .gives(Media::Json, json!({ "type": "array", "items": happened() }))
        .told(json!([replies::happened_by("words", &json!({ "words": "Bonjour !" }))])),
        get_(
            "/api/games/{game}/luck",
            "luck",
            "The luck ledger: the faces of the dice, and what came of them, against what was to be expected.",
        )
        .gives(Media::Json, components.add(&Account::schema_name(), schema_for!(Account).to_value()))
        .told(sample("luck")),
        get_(
            "/api/games/{game}/record",
            "record",
            "The record, once the game is over or to whoever holds every seat: one JSON object on each line.",
        )
        .gives(Media::Record, replies::text_of(Media::Record.kind()))
        .told(record.into()),
        get_(
            "/feed/{game}/{seat}/{word}",
            "feed",
            "A seat's feed of what happened; its address holds a word of its own.",
        )
        .gives(Media::Feed, replies::text_of(Media::Feed.kind()))
        .told(sample("feed")),
    ]
}

/// Tables that several lay together.
fn of_tables(components: &mut Components) -> [Address; 4] {
    let seen =
        || query("seen", "So many changes the reader knows.", json!({ "type": "integer", "minimum": 0 }));
    let table = components.add("SharedTable", replies::table());
    let change = components.add("TableChange", replies::change());
    let laid = json!({ "description": "The table as its pages lay it.", "type": "object", "additionalProperties": true });
    let late =
        Another { status: "409", does: "Others came first: this is what was missed.", reply: table.clone() };
    [
        get_(
            "/table/shared",
            "shareTable",
            "Lays a table that several change together; the answer holds the word of its link.",
        )
        .takes(laid)
        .gives(Media::Json, replies::shared())
        .asked(sample("table"))
        .told(sample("shared")),
        get_("/table/shared/{word}", "readTable", "A table that several change, or its changes since.")
            .with([seen()])
            .gives(Media::Json, table)
            .told(sample("laid")),
        get_(
            "/table/shared/{word}",
            "changeTable",
            "Changes it as it stood after so many changes; who does not know the last one is told, by 409, what he missed.",
        )
        .takes(change)
        .with([seen()])
        .gives(Media::Json, replies::changed())
        .or(late)
        .asked(sample("change"))
        .told(json!({ "version": 1 })),
        get_(
            "/table/shared/{word}/events",
            "streamTable",
            "Server-sent events: the number of changes, at once and after each.",
        )
        .gives(Media::Events, replies::table_events())
        .told("data: 0\n\ndata: 1\n\n".into()),
    ]
}

/// The two addresses of a question.
fn of_question(asking: &Asking, components: &mut Components) -> [Address; 2] {
    let path = format!("/api/ask/{}", asking.name);
    let name: String = asking.name.split(['.', '-']).map(capital).collect();
    let key = format!("question-{}", asking.name.replace('.', "-"));
    let mut schema = asking.schema();
    let request = components.add(&format!("{name}Request"), schema["request"].take());
    let answer = components.add(&format!("{name}Answer"), schema["answer"].take());
    let because = json!({ "type": "array", "items": components::local("Reason") });
    let reply = json!({ "oneOf": [
        {
            "title": format!("{name}Answered"),
            "type": "object",
            "properties": {
                "answer": answer, "because": because,
                "dice": { "type": "array", "items": { "type": "integer" } },
            },
            "required": ["answer", "because"],
            "additionalProperties": false,
        },
        {
            "title": format!("{name}Odds"),
            "type": "object",
            "properties": {
                "odds": { "type": "array", "items": {
                    "title": format!("{name}Outcome"),
                    "type": "object",
                    "properties": { "p": { "type": "string" }, "answer": answer },
                    "required": ["p", "answer"],
                    "additionalProperties": false,
                } },
                "because": because,
            },
            "required": ["odds", "because"],
            "additionalProperties": false,
        },
    ] });
    let reply = components.add(&format!("{name}Reply"), reply);
    let asks = rulebook::speak_key(&key, rulebook::Lang::En);
    let ask = get_(&path, &format!("ask{name}"), &asks).takes(request).gives(Media::Json, reply);
    let schema = get_(&path, &format!("schema{name}"), "The JSON Schema of the question.");
    let shown = asking.schema();
    let schema = schema.gives(Media::Json, replies::schema()).told(json!({
        "question": asking.name,
        "request": { "title": shown["request"]["title"], "type": "object" },
        "answer": { "title": shown["answer"]["title"] },
    }));
    match example_of(asking.name) {
        // What it is answered with is what it is answered with now.
        Some(request) => {
            let told = asking.ask(&request.to_string(), rulebook::Lang::En).json;
            [schema, ask.asked(request).told(serde_json::from_str(&told).unwrap_or_default())]
        }
        None => [schema, ask],
    }
}

/// A request of this question, from the list of them.
fn example_of(question: &str) -> Option<Value> {
    static ALL: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../../api/examples.json")).unwrap_or_default()
    });
    ALL.get(question).cloned()
}

/// An example of what an operation is sent or answers, from the list of them.
fn sample(name: &str) -> Value {
    static ALL: LazyLock<Map<String, Value>> = LazyLock::new(|| {
        serde_json::from_str(include_str!("../../../api/operations.json")).unwrap_or_default()
    });
    ALL.get(name).cloned().unwrap_or_default()
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The whole description.
pub(super) fn description(questions: &[Asking], systems: &[Hosting], manners: &Manners) -> Value {
    let mut components = Components::default();
    let mut all = addresses(&mut components, systems);
    all.extend(of_tables(&mut components));
    replies::add_systems(&mut components, systems);
    all.extend(questions.iter().flat_map(|asking| of_question(asking, &mut components)));
    let mut paths = Map::new();
    for address in &all {
        paths.entry(address.path.clone()).or_insert_with(|| json!({}))[address.method] = operation(address);
    }
    let mut description = json!({
        "openapi": "3.1.0",
        "info": { "title": "Glacis", "version": env!("CARGO_PKG_VERSION") },
        "servers": [{ "url": manners.base_url }],
        "components": {
            "securitySchemes": { "seat": {
                "type": "http",
                "scheme": "bearer",
                "description": "The secret of a seat; browsers hold it in a cookie instead.",
            } },
            "schemas": components.into_schemas(),
        },
        "paths": paths,
    });
    named::name_all(&mut description);
    description
}

fn operation(address: &Address) -> Value {
    let in_path = address.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let mut parameters: Vec<Value> = in_path
        .map(|name| json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } }))
        .collect();
    parameters.push(json!({
        "name": "lang", "in": "query", "description": "The language; that of `Accept-Language` unless told.",
        "schema": { "enum": ["fr", "en"] },
    }));
    parameters.push(json!({
        "name": "Accept-Language", "in": "header", "description": "The languages the reader prefers.",
        "schema": { "type": "string" },
    }));
    parameters.extend(address.parameters.iter().map(|Parameter { name, place, does, schema }| {
        json!({ "name": name, "in": place, "description": does, "schema": schema })
    }));
    let mut operation = json!({
        "operationId": address.id,
        "summary": address.does,
        "parameters": parameters,
        "responses": {
            (address.status): {
                "description": "Done.",
                "content": { (address.media.kind()): { "schema": address.reply } },
            },
            "default": {
                "description": "Refused: 400 the request, 401 no secret, 403 not yours, 404 not there, 409 too late, \
                    413 too large, 422 a rule forbids it, 423 the game is damaged, \
                    429 too many, 503 nothing can be kept now.",
                "content": { "application/json": {
                    "schema": components::local("Refused"), "example": sample("refused"),
                } },
            },
        },
    });
    if let Some(Another { status, does, reply }) = &address.another {
        operation["responses"][*status] =
            json!({ "description": does, "content": { "application/json": { "schema": reply } } });
    }
    if address.path.starts_with("/api/games/{game}") {
        operation["security"] = json!([{ "seat": [] }]);
    }
    if let Some(request) = &address.request {
        operation["requestBody"] =
            json!({ "required": true, "content": { "application/json": { "schema": request } } });
    }
    let (request, reply) = &address.example;
    if let Some(request) = request {
        operation["requestBody"]["content"]["application/json"]["example"] = request.clone();
    }
    if let Some(reply) = reply {
        operation["responses"][address.status]["content"][address.media.kind()]["example"] = reply.clone();
    }
    operation
}
