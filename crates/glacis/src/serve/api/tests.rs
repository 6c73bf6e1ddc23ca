//! The description holds what it promises to those who generate programs from it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::super::{Each, Hosts, Manners};
use super::{components, description};
use crate::host::Hosting;

fn described() -> Value {
    let manners = Manners {
        base_url: "http://127.0.0.1:1807".to_owned(),
        hosts: Hosts::Own,
        each: Each::default(),
        behind_proxy: false,
        most_listeners: 1,
    };
    let hosted = crate::systems().into_iter().filter_map(|system| system.game);
    let hosted: Vec<Hosting> = hosted.map(|game| game.hosting).collect();
    description(&crate::questions(), &hosted, &manners)
}

fn operations(api: &Value) -> Vec<(&String, &String, &Value)> {
    let paths = api["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().unwrap().iter().map(move |(method, operation)| (path, method, operation))
    });
    all.collect()
}

#[test]
fn every_reference_leads_to_a_schema() {
    let api = described();
    let (mut all, mut dangling) = (0, Vec::new());
    components::references(&api, &mut |reference| {
        all += 1;
        let place = reference.strip_prefix('#').unwrap_or("nowhere");
        if api.pointer(place).is_none() {
            dangling.push(reference.to_owned());
        }
    });
    assert_eq!(dangling, Vec::<String>::new());
    assert!(all > 500, "{all} references");
    assert!(!api.to_string().contains("$defs"), "definitions stand in one place");
}

/// Programs that are made from the description have a type of its own for every object.
#[test]
fn every_object_has_a_name() {
    fn unnamed(schema: &Value, root: bool, found: &mut Vec<Value>) {
        let Some(fields) = schema.as_object() else { return };
        if !root && (fields.contains_key("properties") || fields.contains_key("oneOf")) {
            found.push(schema.clone());
        }
        assert!(!fields.contains_key("title"), "{schema}");
        for (field, value) in fields {
            match (field.as_str(), value) {
                ("properties", Value::Object(inside)) => {
                    inside.values().for_each(|one| unnamed(one, false, found));
                }
                ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(forms)) => {
                    forms.iter().for_each(|form| unnamed(form, false, found));
                }
                ("items" | "additionalProperties", inside) => unnamed(inside, false, found),
                _ => {}
            }
        }
    }
    let api = described();
    let mut found = Vec::new();
    api["components"]["schemas"]
        .as_object()
        .unwrap()
        .values()
        .for_each(|schema| unnamed(schema, true, &mut found));
    for (_, _, operation) in operations(&api) {
        for reply in operation["responses"].as_object().unwrap().values() {
            let contents = reply["content"].as_object().unwrap().values();
            contents.for_each(|content| unnamed(&content["schema"], false, &mut found));
        }
    }
    assert_eq!(found, Vec::<Value>::new());
}

/// Two questions may give one name to two things: each keeps its own.
#[test]
fn definitions_of_one_name_are_shared_only_if_they_are_the_same() {
    let mut all = components::Components::default();
    let schema = |unit: &str| {
        serde_json::json!({
            "$schema": "x", "type": "object", "properties": { "unit": { "$ref": "#/$defs/Unit" }, "own": { "$ref": "#" } },
            "$defs": { "Unit": { "$ref": "#/$defs/Arm" }, "Arm": { "const": unit } },
        })
    };
    all.add("First", schema("foot"));
    all.add("Second", schema("foot"));
    let third = all.add("Third", schema("horse"));
    assert_eq!(third["$ref"], "#/components/schemas/Third");
    let schemas = all.into_schemas();
    let names: Vec<&str> = schemas.keys().map(String::as_str).collect();
    let names: BTreeSet<&str> = names.into_iter().collect();
    let wanted = ["Arm", "ArmOfThird", "First", "Second", "Third", "Unit", "UnitOfThird"];
    assert_eq!(names, BTreeSet::from(wanted));
    assert_eq!(schemas["UnitOfThird"]["$ref"], "#/components/schemas/ArmOfThird");
    assert_eq!(schemas["Second"]["properties"]["unit"]["$ref"], "#/components/schemas/Unit");
    assert_eq!(schemas["Third"]["properties"]["own"]["$ref"], "#/components/schemas/Third");
}

/// Whatever has parts has a name: programs that are made from the description need one for each.
#[test]
fn parts_of_schemas_have_names_of_their_own() {
    let mut all = components::Components::default();
    all.add(
        "Deed",
        serde_json::json!({ "title": "Other", "oneOf": [
            { "type": "object", "required": ["set-up"], "properties": {
                "set-up": { "type": "object", "properties": { "at": { "type": "string" } } } } },
            { "type": "string", "const": "wait" },
        ] }),
    );
    let schemas = all.into_schemas();
    let names: BTreeSet<&str> = schemas.keys().map(String::as_str).collect();
    assert_eq!(names, BTreeSet::from(["Deed", "DeedSetUp", "DeedSetUpSetUp"]));
    assert_eq!(schemas["Deed"]["oneOf"][0]["$ref"], "#/components/schemas/DeedSetUp");
    assert_eq!(schemas["DeedSetUp"]["properties"]["set-up"]["$ref"], "#/components/schemas/DeedSetUpSetUp");
    assert!(schemas["Deed"].get("title").is_none());
    let api = described();
    for (name, schema) in api["components"]["schemas"].as_object().unwrap() {
        for inner in schema["properties"].as_object().into_iter().flatten() {
            assert!(!inner.1["properties"].is_object(), "{name}.{}", inner.0);
        }
    }
}

#[test]
fn every_operation_has_its_own_name() {
    let api = described();
    let names: Vec<&str> =
        operations(&api).iter().map(|(_, _, operation)| operation["operationId"].as_str().unwrap()).collect();
    let different: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(different.len(), names.len(), "{names:?}");
}

#[test]
fn every_address_of_the_api_is_described_with_what_its_path_holds() {
    let api = described();
    let routes =
        include_str!("../mod.rs").split(".route(\"").skip(1).filter_map(|rest| rest.split('"').next());
    for route in routes {
        let described = route.replace("{question}", "tabletop.fire");
        assert!(api["paths"][described.as_str()].is_object(), "{route}");
    }
    for (path, method, operation) in operations(&api) {
        let wanted: Vec<&str> =
            path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}')).collect();
        let parameters = operation["parameters"].as_array().unwrap();
        let declared: Vec<&str> = parameters
            .iter()
            .filter(|parameter| parameter["in"] == "path")
            .map(|parameter| parameter["name"].as_str().unwrap())
            .collect();
        assert_eq!(declared, wanted, "{method} {path}");
    }
    let named = |path: &str| -> Vec<&str> {
        let parameters = api["paths"][path]["get"]["parameters"].as_array().unwrap();
        parameters.iter().map(|parameter| parameter["name"].as_str().unwrap()).collect()
    };
    assert_eq!(
        named("/api/games/{game}/events"),
        ["game", "lang", "Accept-Language", "side", "actions", "Last-Event-ID"]
    );
    assert_eq!(named("/api/games/{game}/log"), ["game", "lang", "Accept-Language", "side", "since"]);
}

#[test]
fn streams_and_records_are_no_json() {
    let api = described();
    let kind = |path: &str| -> Vec<String> {
        let content = &api["paths"][path]["get"]["responses"]["200"]["content"];
        content.as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(kind("/api/games/{game}/events"), ["text/event-stream"]);
    assert_eq!(kind("/api/games/{game}/record"), ["application/jsonl"]);
    assert_eq!(kind("/feed/{game}/{seat}/{word}"), ["application/atom+xml"]);
    assert_eq!(kind("/api/games/{game}"), ["application/json"]);
}

#[test]
fn dice_are_described_where_they_are_taken() {
    let api = described();
    let takes = |question: &str| api["components"]["schemas"][question]["properties"].get("dice").is_some();
    assert!(takes("CampaignCombatRequest") && !takes("CampaignMoveCostRequest"));
}

/// What is sent is read strictly: where a field may be left out, null is refused, and described nowhere.
/// Only a decision is read as the record writes it, with null for what it leaves open.
#[test]
fn nothing_that_is_sent_may_be_null() {
    fn nulls(api: &Value, schema: &Value, place: &str, depth: usize, found: &mut Vec<String>) {
        if let Some(reference) = schema["$ref"].as_str() {
            if depth < 12 && reference != "#/components/schemas/Action" {
                nulls(api, api.pointer(&reference[1..]).unwrap(), place, depth + 1, found);
            }
            return;
        }
        match schema {
            Value::Array(all) => all.iter().for_each(|one| nulls(api, one, place, depth, found)),
            Value::Object(fields) => {
                for (name, inner) in fields {
                    let null = inner.is_null()
                        || matches!(name.as_str(), "type" | "enum")
                            && (inner == "null"
                                || inner
                                    .as_array()
                                    .is_some_and(|all| all.iter().any(|one| one.is_null() || one == "null")));
                    if null {
                        found.push(format!("{place}.{name}"));
                    }
                    nulls(api, inner, &format!("{place}.{name}"), depth, found);
                }
            }
            _ => {}
        }
    }
    let api = described();
    let (mut sent, mut found) = (0, Vec::new());
    for (path, method, operation) in operations(&api) {
        let body = &operation["requestBody"]["content"];
        sent += usize::from(body.is_object());
        nulls(&api, body, &format!("{method} {path}"), 0, &mut found);
    }
    assert!(sent > 20, "{sent} bodies");
    assert_eq!(found, Vec::<String>::new());
}

/// The virtual environment that `cargo xtask` makes.
const PYTHON: &str = "../../target/python/bin/python";

/// The word of those who know the format best; `cargo xtask test` fetches it.
#[test]
fn the_validator_of_openapi_finds_no_fault() {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join(PYTHON);
    if !python.exists() {
        eprintln!("skipped (1): there is no openapi-spec-validator here; `cargo xtask python` fetches it");
        return;
    }
    let mut validator = Command::new(python)
        .args(["-m", "openapi_spec_validator", "--validation-errors", "all", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let text = described().to_string();
    std::io::Write::write_all(&mut validator.stdin.take().unwrap(), text.as_bytes()).unwrap();
    let told = validator.wait_with_output().unwrap();
    let words = format!("{}{}", String::from_utf8_lossy(&told.stdout), String::from_utf8_lossy(&told.stderr));
    assert!(told.status.success(), "{words}");
}

/// Whoever reads the description sees of every question what is asked, and what is answered today.
#[test]
fn every_question_has_an_example_that_is_answered() {
    let api = described();
    for asking in crate::questions() {
        let operation = &api["paths"][format!("/api/ask/{}", asking.name)]["post"];
        let content = |place: &Value| place["content"]["application/json"]["example"].clone();
        assert!(content(&operation["requestBody"]).is_object(), "{}: no request", asking.name);
        let told = content(&operation["responses"]["200"]);
        assert!(
            told.get("refused").is_none() && (told.get("answer").is_some() || told["odds"].is_array()),
            "{}: {told}",
            asking.name
        );
    }
    let asked: BTreeSet<String> =
        serde_json::from_str::<serde_json::Map<String, Value>>(include_str!("../../../api/examples.json"))
            .unwrap()
            .into_iter()
            .map(|(name, _)| name)
            .collect();
    assert_eq!(asked, crate::questions().iter().map(|asking| asking.name.to_owned()).collect());
}

/// Whatever is sent and told has a shape and an example of it.
#[test]
fn every_operation_is_typed_and_shown() {
    let api = described();
    let all = operations(&api);
    let (mut untyped, mut orders) = (Vec::new(), 0);
    for (path, method, operation) in &all {
        for (status, reply) in operation["responses"].as_object().unwrap() {
            let content = reply["content"].as_object().unwrap().values().next().unwrap();
            let schema = content["schema"].as_object().unwrap();
            // A stream, a record and a feed are texts, and say of what kind.
            let text = schema.get("type").is_some_and(|kind| kind == "string");
            if schema.is_empty() || text && !schema.contains_key("contentMediaType") {
                untyped.push(format!("{method} {path} {status}"));
            }
            let shown = status.starts_with('2') || status == "default";
            assert!(!shown || content.get("example").is_some(), "{method} {path} {status}: no example");
        }
        let request = &operation["requestBody"]["content"]["application/json"];
        if *method == "post" {
            orders += 1;
            assert!(request["example"].is_object(), "{path}: no request");
        }
    }
    assert_eq!(untyped, Vec::<String>::new());
    assert!(orders > 60 && all.len() > 120, "{orders} of {}", all.len());
}

/// What a game shows and takes is told in the shapes of its system, and so are the events of its stream.
#[test]
fn every_system_has_shapes_of_its_own() {
    fn empty(api: &Value, schema: &Value, seen: &mut BTreeSet<String>, place: &str, found: &mut Vec<String>) {
        if let Some(reference) = schema["$ref"].as_str() {
            if seen.insert(reference.to_owned()) {
                empty(api, api.pointer(&reference[1..]).unwrap(), seen, reference, found);
            }
            return;
        }
        if schema.as_bool() == Some(true) || schema.as_object().is_some_and(serde_json::Map::is_empty) {
            found.push(place.to_owned());
        }
        for part in ["properties", "$defs"] {
            for (name, inner) in schema[part].as_object().into_iter().flatten() {
                empty(api, inner, seen, &format!("{place}.{name}"), found);
            }
        }
        for part in ["items", "additionalProperties", "contentSchema"] {
            if schema[part].is_object() {
                empty(api, &schema[part], seen, &format!("{place}.{part}"), found);
            }
        }
        for part in ["oneOf", "anyOf", "allOf", "prefixItems"] {
            for inner in schema[part].as_array().into_iter().flatten() {
                empty(api, inner, seen, &format!("{place}.{part}"), found);
            }
        }
    }
    let api = described();
    let schemas = &api["components"]["schemas"];
    for system in crate::systems().iter().filter(|system| system.game.is_some()) {
        let name = super::capital(system.name());
        for shape in ["Action", "View", "Outcome", "Game"] {
            let shape = format!("{name}{shape}");
            assert!(schemas[&shape].is_object(), "{shape}");
            let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
            empty(&api, &schemas[&shape], &mut seen, &shape, &mut found);
            assert_eq!(found, Vec::<String>::new(), "anything goes there");
        }
        let mapping = &schemas["GameView"]["discriminator"]["mapping"][system.name()];
        assert_eq!(*mapping, format!("#/components/schemas/{name}Game"));
        assert_eq!(schemas[format!("{name}Game")]["properties"]["system"]["const"], system.name());
    }
    let stream = &api["paths"]["/api/games/{game}/events"]["get"]["responses"]["200"]["content"];
    let event = stream["text/event-stream"]["schema"]["contentSchema"]["$ref"].as_str().unwrap();
    let kinds = api.pointer(&event[1..]).unwrap()["oneOf"].as_array().unwrap();
    let kind =
        |of: &Value| api.pointer(&of["$ref"].as_str().unwrap()[1..]).unwrap()["properties"]["event"].clone();
    let kinds: Vec<String> = kinds.iter().map(|of| kind(of)["const"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["state", "happened", "refresh", "replaced"]);
}
