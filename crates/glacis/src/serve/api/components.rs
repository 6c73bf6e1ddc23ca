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

    pub(super) fn into_schemas(self) -> Map<String, Value> {
        self.schemas
    }
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
