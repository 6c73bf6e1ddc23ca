//! The schemas of all requests and answers in one place. A schema brings its definitions with it,
//! under names that hold only inside it; here each gets a name that holds in the whole description,
//! and every reference is turned to it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// Where the definitions of a schema stand inside it.
const INSIDE: &str = "#/$defs/";

/// A reference to a schema of the description.
pub(super) fn local(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The schemas gathered so far.
#[derive(Default)]
pub(super) struct Components {
    schemas: Map<String, Value>,
    /// What each was with all it leans on, before its references were turned.
    origins: BTreeMap<String, String>,
}

impl Components {
    /// Takes a schema and its definitions in; gives back the reference to it. Equal definitions of
    /// one name are shared, different ones are told apart by the schema they came with.
    pub(super) fn add(&mut self, name: &str, mut schema: Value) -> Value {
        let mut definitions = Map::new();
        if let Some(fields) = schema.as_object_mut() {
            fields.remove("$schema");
            if let Some(Value::Object(inside)) = fields.remove("$defs") {
                definitions = inside;
            }
        }
        let mut names = BTreeMap::new();
        for inside in definitions.keys() {
            let origin = origin(inside, &definitions);
            let known = self.origins.get(inside).is_none_or(|other| *other == origin);
            let outside = if known { inside.clone() } else { format!("{inside}Of{name}") };
            self.origins.insert(outside.clone(), origin);
            names.insert(inside.clone(), outside);
        }
        // The root itself takes part: a schema may speak of itself, and a name may be taken.
        let root =
            if names.values().any(|taken| taken == name) { format!("{name}Root") } else { name.to_owned() };
        for (inside, mut definition) in definitions {
            turn(&mut definition, &names, &root);
            self.schemas.insert(names[&inside].clone(), definition);
        }
        turn(&mut schema, &names, &root);
        self.origins.insert(root.clone(), schema.to_string());
        self.schemas.insert(root.clone(), schema);
        local(&root)
    }

    /// All of them, each under one name: what stands within another and has parts of its own gets one too,
    /// so that programs that are made from the description find a name for everything.
    pub(super) fn into_schemas(self) -> Map<String, Value> {
        let mut named = Named { known: self.schemas.keys().cloned().collect(), schemas: Map::new() };
        for (name, mut schema) in self.schemas {
            if let Some(fields) = schema.as_object_mut() {
                fields.remove("title");
            }
            named.inside(&mut schema, &name);
            named.schemas.insert(name, schema);
        }
        named.schemas
    }
}

/// Schemas whose parts are named.
struct Named {
    /// The names that are taken.
    known: BTreeSet<String>,
    schemas: Map<String, Value>,
}

impl Named {
    /// Names what stands within a schema of this name.
    fn inside(&mut self, schema: &mut Value, name: &str) {
        let Some(fields) = schema.as_object_mut() else { return };
        for (part, inner) in fields {
            match (part.as_str(), inner) {
                ("properties", Value::Object(properties)) => {
                    for (property, inner) in properties {
                        self.part(inner, &format!("{name}{}", pascal(property)));
                    }
                }
                ("items" | "additionalProperties" | "contentSchema", inner) => {
                    self.part(inner, &format!("{name}Item"));
                }
                ("oneOf" | "anyOf" | "prefixItems", Value::Array(choices)) => {
                    for choice in choices {
                        let own = distinctive(choice);
                        self.part(choice, &format!("{name}{own}"));
                    }
                }
                _ => {}
            }
        }
    }

    /// Names a part, if it has parts of its own; gives it the name that it tells itself, or this one.
    fn part(&mut self, part: &mut Value, name: &str) {
        let told = part["title"].as_str().map(str::to_owned);
        let wanted = told.unwrap_or_else(|| name.to_owned());
        self.inside(part, &wanted);
        if part["properties"].is_object() {
            let mut own = wanted.clone();
            let mut number = 2;
            while !self.known.insert(own.clone()) {
                own = format!("{wanted}{number}");
                number += 1;
            }
            if let Some(fields) = part.as_object_mut() {
                fields.remove("title");
            }
            self.schemas.insert(own.clone(), std::mem::replace(part, local(&own)));
        }
    }
}

/// What tells a choice from the others: the one thing it must have, or what it is always.
fn distinctive(choice: &Value) -> String {
    let only = choice["required"].as_array().and_then(|all| all.first()).and_then(Value::as_str);
    let constant = choice["properties"]["event"]["const"].as_str();
    constant.or(only).map(pascal).unwrap_or_default()
}

/// A name as types bear it: `set-up_the rest` is `SetUpTheRest`.
fn pascal(name: &str) -> String {
    name.split(|letter: char| !letter.is_alphanumeric()).map(super::capital).collect()
}

/// A definition with all those it leans on, as text.
fn origin(name: &str, definitions: &Map<String, Value>) -> String {
    let mut seen = BTreeSet::new();
    let mut open = vec![name.to_owned()];
    while let Some(name) = open.pop() {
        if let Some(definition) = definitions.get(&name).filter(|_| seen.insert(name.clone())) {
            references(definition, &mut |reference| {
                open.extend(reference.strip_prefix(INSIDE).map(str::to_owned));
            });
        }
    }
    let leans_on: BTreeMap<&String, &Value> =
        seen.iter().filter_map(|name| Some((name, definitions.get(name)?))).collect();
    json!(leans_on).to_string()
}

/// Every reference within a schema.
pub(super) fn references(schema: &Value, found: &mut impl FnMut(&str)) {
    match schema {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(reference) if name == "$ref" => found(reference),
                    other => references(other, found),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        _ => {}
    }
}

/// Turns the references within a schema to the names that hold outside.
fn turn(schema: &mut Value, names: &BTreeMap<String, String>, root: &str) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(reference)) = fields.get_mut("$ref") {
                let name = match reference.strip_prefix(INSIDE) {
                    Some(inside) => names.get(inside).map(String::as_str),
                    None => (reference == "#").then_some(root),
                };
                if let Some(name) = name {
                    *reference = format!("#/components/schemas/{name}");
                }
            }
            fields.values_mut().for_each(|value| turn(value, names, root));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| turn(item, names, root)),
        _ => {}
    }
}
