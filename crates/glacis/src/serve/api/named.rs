//! Programs that are made from the description give every object a type, and a type wants a name. Here what
//! stands unnamed inside another schema gets a schema of its own, named after where it stood; words to choose
//! from are one list; and the titles that types bring with them, of which many are the same, are left out.

use serde_json::{Map, Value, json};

use super::capital;
use super::components::local;

/// Names everything that a description holds.
pub(super) fn name_all(description: &mut Value) {
    let mut paths = description["paths"].take();
    let schemas = description["components"]["schemas"].take();
    let mut names = Names { schemas: schemas.as_object().cloned().unwrap_or_default() };
    for name in names.schemas.keys().cloned().collect::<Vec<_>>() {
        let mut schema = names.schemas[&name].clone();
        gather_words(&mut schema);
        names.inside(&name, &mut schema);
        names.schemas.insert(name, schema);
    }
    for operation in paths.as_object_mut().into_iter().flat_map(Map::values_mut) {
        for operation in operation.as_object_mut().into_iter().flat_map(Map::values_mut) {
            let name = format!("{}Reply", pascal(operation["operationId"].as_str().unwrap_or_default()));
            for reply in operation["responses"].as_object_mut().into_iter().flat_map(Map::values_mut) {
                for content in reply["content"].as_object_mut().into_iter().flat_map(Map::values_mut) {
                    if let Some(schema) = content.get_mut("schema") {
                        names.name(&name, schema);
                    }
                }
            }
        }
    }
    description["paths"] = paths;
    description["components"]["schemas"] = Value::Object(names.schemas);
}

/// The schemas that have a name.
struct Names {
    schemas: Map<String, Value>,
}

impl Names {
    /// Gives a schema this name if it wants one, and looks inside it.
    fn name(&mut self, name: &str, schema: &mut Value) {
        gather_words(schema);
        if !wants_name(schema) {
            return self.inside(name, schema);
        }
        let free = |name: &String| !self.schemas.contains_key(name);
        let numbered = (2..).map(|number: u32| format!("{name}{number}"));
        let Some(own) = std::iter::once(name.to_owned()).chain(numbered).find(free) else { return };
        // The name is taken before anything inside it is named.
        self.schemas.insert(own.clone(), Value::Null);
        let mut taken = std::mem::replace(schema, local(&own));
        self.inside(&own, &mut taken);
        self.schemas.insert(own, taken);
    }

    /// Names what stands inside a schema.
    fn inside(&mut self, name: &str, schema: &mut Value) {
        let Some(fields) = schema.as_object_mut() else { return };
        fields.remove("title");
        for (field, value) in fields.iter_mut() {
            match (field.as_str(), value) {
                ("properties", Value::Object(properties)) => {
                    for (property, schema) in properties {
                        self.name(&format!("{name}{}", pascal(property)), schema);
                    }
                }
                ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(forms)) => {
                    for (number, form) in (1..).zip(forms) {
                        let own = variant(form).map_or_else(|| format!("Form{number}"), |word| pascal(&word));
                        self.name(&format!("{name}{own}"), form);
                    }
                }
                ("items" | "additionalProperties", schema) => self.name(&format!("{name}Item"), schema),
                _ => {}
            }
        }
    }
}

/// Makes one list of the forms of a choice that are words. What was said of each is said of the list.
fn gather_words(schema: &mut Value) {
    for field in ["oneOf", "anyOf"] {
        let Some(forms) = schema.get(field).and_then(Value::as_array) else { continue };
        let (words, others): (Vec<&Value>, Vec<&Value>) =
            forms.iter().partition(|form| words(form).is_some());
        if words.is_empty() {
            continue;
        }
        let all: Vec<Value> = words.iter().filter_map(|form| self::words(form)).flatten().collect();
        let said: Vec<String> = words
            .iter()
            .filter_map(|form| {
                Some(format!("`{}`: {}", form["const"].as_str()?, form["description"].as_str()?))
            })
            .collect();
        let mut list = json!({ "type": "string", "enum": all });
        if !said.is_empty() {
            list["description"] = said.join(" ").into();
        }
        let others: Vec<Value> = others.into_iter().cloned().collect();
        let Some(fields) = schema.as_object_mut() else { return };
        if others.is_empty() {
            fields.remove(field);
            for (key, value) in list.as_object().into_iter().flatten() {
                fields.entry(key).or_insert_with(|| value.clone());
            }
        } else {
            fields.insert(field.to_owned(), std::iter::once(list).chain(others).collect());
        }
    }
}

/// The words that a form is, if it is nothing else.
fn words(form: &Value) -> Option<Vec<Value>> {
    let plain =
        form.as_object()?.keys().all(|key| ["const", "enum", "type", "description"].contains(&key.as_str()));
    let all = match form.get("const") {
        Some(word) => vec![word.clone()],
        None => form.get("enum")?.as_array()?.clone(),
    };
    (plain && all.iter().all(Value::is_string)).then_some(all)
}

/// Whether a program would make a type of this: an object whose properties are known, or a choice.
fn wants_name(schema: &Value) -> bool {
    ["properties", "oneOf", "anyOf"].iter().any(|field| schema.get(field).is_some())
}

/// What tells one form of a choice from the others: its only property, or the word it always says.
fn variant(form: &Value) -> Option<String> {
    if let Some([only]) = form.get("required").and_then(Value::as_array).map(Vec::as_slice) {
        return only.as_str().map(str::to_owned);
    }
    let properties = form.get("properties").and_then(Value::as_object)?;
    properties.values().find_map(|property| property.get("const")?.as_str().map(str::to_owned))
}

/// Words as the name of a type.
fn pascal(words: &str) -> String {
    words.split(|letter: char| !letter.is_ascii_alphanumeric()).map(capital).collect()
}
