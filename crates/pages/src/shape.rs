//! The shape of a question, from its JSON Schema: what a form shows, and how what was filled in
//! becomes a request.

use serde_json::{Map, Value};

use crate::query::Query;

/// How many levels of a schema are followed; what lies deeper is written as JSON.
const DEEPEST: usize = 8;
/// The most entries of a list a form shows.
const LONGEST: usize = 60;

/// A field of a question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// Its own name.
    pub(crate) name: String,
    /// Whether it must be there.
    pub(crate) required: bool,
    /// What it is if left out.
    pub(crate) default: Option<Value>,
    /// What the programmers say of it, in English.
    pub(crate) hint: Option<String>,
    /// What it holds.
    pub(crate) shape: Shape,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Shape {
    /// One of some words.
    Choice(Vec<String>),
    /// Yes or no.
    Flag,
    /// A number.
    Number { whole: bool, min: Option<f64>, max: Option<f64> },
    /// A text.
    Text,
    /// Some numbers or words.
    Row(Box<Shape>),
    /// A list of groups.
    List(Box<Shape>),
    /// Fields together.
    Group(Vec<Field>),
    /// One of several questions: a word alone, or a word with what it holds.
    Variant(Vec<(String, Option<Shape>)>),
    /// Anything else, as JSON.
    Json,
}

/// The fields of a question, from the schema of its request.
pub(crate) fn fields(schema: &Value) -> Vec<Field> {
    let request = &schema["request"];
    match shape(request, request, 0).0 {
        Shape::Group(fields) => fields,
        variant @ Shape::Variant(_) => {
            vec![Field { name: String::new(), required: true, default: None, hint: None, shape: variant }]
        }
        _ => Vec::new(),
    }
}

/// The name of the field that says which of several questions is asked.
pub(crate) fn selector(path: &str) -> &str {
    if path.is_empty() { "@" } else { path }
}

/// Which of several questions a query asks: the one it names, or the one it fills in.
pub(crate) fn variant<'a>(
    variants: &'a [(String, Option<Shape>)],
    path: &str,
    query: &Query,
) -> Option<&'a (String, Option<Shape>)> {
    let named = query.get(selector(path));
    variants
        .iter()
        .find(|(name, _)| named == Some(name.as_str()))
        .or_else(|| variants.iter().find(|(name, _)| query.begins(&under(path, name))))
}

/// Follows references and takes `null` away; gives the plain schema.
fn plain<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    for _ in 0..DEEPEST {
        if let Some(reference) = schema["$ref"].as_str() {
            schema = reference.strip_prefix('#').and_then(|path| root.pointer(path)).unwrap_or(&Value::Null);
            continue;
        }
        let Some(any) = schema["anyOf"].as_array() else { return schema };
        let mut real = any.iter().filter(|choice| choice["type"] != "null");
        match (real.next(), real.next()) {
            (Some(only), None) => schema = only,
            _ => return schema,
        }
    }
    schema
}

fn kind(schema: &Value) -> &str {
    match &schema["type"] {
        Value::String(kind) => kind,
        Value::Array(kinds) => {
            kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null").unwrap_or("")
        }
        _ => "",
    }
}

/// The shape of a schema, with its default.
fn shape(root: &Value, schema: &Value, depth: usize) -> (Shape, Option<Value>) {
    let default = schema.get("default").filter(|value| !value.is_null()).cloned();
    let schema = plain(root, schema);
    if depth > DEEPEST {
        return (Shape::Json, default);
    }
    if let Some(words) = words(schema) {
        return (Shape::Choice(words), default);
    }
    if let Some(variants) = variants(root, schema, depth) {
        return (Shape::Variant(variants), default);
    }
    let shape = match kind(schema) {
        "boolean" => Shape::Flag,
        whole @ ("integer" | "number") => Shape::Number {
            whole: whole == "integer",
            min: schema["minimum"].as_f64(),
            max: schema["maximum"].as_f64(),
        },
        "string" => Shape::Text,
        "array" => match shape(root, &schema["items"], depth + 1).0 {
            simple @ (Shape::Number { .. } | Shape::Text | Shape::Choice(_)) => Shape::Row(Box::new(simple)),
            group @ Shape::Group(_) => Shape::List(Box::new(group)),
            _ => Shape::Json,
        },
        "object" => group(root, schema, depth).unwrap_or(Shape::Json),
        _ => Shape::Json,
    };
    (shape, default)
}

/// The words of a choice, if it is one.
fn words(schema: &Value) -> Option<Vec<String>> {
    if let Some(list) = schema["enum"].as_array() {
        return list
            .iter()
            .filter(|word| !word.is_null())
            .map(|word| word.as_str().map(str::to_owned))
            .collect();
    }
    if let Some(word) = schema["const"].as_str() {
        return Some(vec![word.to_owned()]);
    }
    let mut all = Vec::new();
    for part in schema["oneOf"].as_array()? {
        all.extend(words(part)?);
    }
    Some(all)
}

/// The questions of a choice between several, if it is one.
fn variants(root: &Value, schema: &Value, depth: usize) -> Option<Vec<(String, Option<Shape>)>> {
    let mut all = Vec::new();
    for part in schema["oneOf"].as_array()? {
        if let Some(plain) = words(part) {
            all.extend(plain.into_iter().map(|word| (word, None)));
            continue;
        }
        let properties = part["properties"].as_object().filter(|properties| properties.len() == 1)?;
        let (name, inner) = properties.iter().next()?;
        all.push((name.clone(), Some(shape(root, inner, depth + 1).0)));
    }
    (!all.is_empty()).then_some(all)
}

fn group(root: &Value, schema: &Value, depth: usize) -> Option<Shape> {
    let properties = schema["properties"].as_object()?;
    let required: Vec<&str> = schema["required"]
        .as_array()
        .map(|list| list.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    let mut fields: Vec<Field> = properties
        .iter()
        .map(|(name, schema)| {
            let (shape, default) = shape(root, schema, depth + 1);
            let hint = schema["description"].as_str().map(str::to_owned);
            Field { name: name.clone(), required: required.contains(&name.as_str()), default, hint, shape }
        })
        .collect();
    // What must be filled in comes first; the order is kept otherwise.
    fields.sort_by_key(|field| !field.required);
    Some(Shape::Group(fields))
}

/// The path of a field inside another.
pub(crate) fn under(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

/// The request that a query asks for. What does not fit is handed on as it is, so that the umpire
/// refuses it by name.
pub(crate) fn request(fields: &[Field], query: &Query) -> Value {
    gather_fields(fields, "", query).unwrap_or_else(|| Value::Object(Map::new()))
}

fn gather_fields(fields: &[Field], path: &str, query: &Query) -> Option<Value> {
    let mut object = Map::new();
    for field in fields {
        if field.name.is_empty() {
            return gather(&field.shape, path, query);
        }
        if let Some(value) = gather(&field.shape, &under(path, &field.name), query) {
            object.insert(field.name.clone(), value);
        }
    }
    (!object.is_empty()).then_some(Value::Object(object))
}

fn gather(shape: &Shape, path: &str, query: &Query) -> Option<Value> {
    match shape {
        Shape::Group(fields) => gather_fields(fields, path, query),
        Shape::Variant(variants) => match variant(variants, path, query) {
            Some((name, None)) => Some(Value::String(name.clone())),
            Some((name, Some(inner))) => {
                let value =
                    gather(inner, &under(path, name), query).unwrap_or_else(|| Value::Object(Map::new()));
                Some(Value::Object(Map::from_iter([(name.clone(), value)])))
            }
            None => query.get(selector(path)).map(|text| Value::String(text.to_owned())),
        },
        Shape::List(entry) => {
            let all: Vec<Value> = (0..query.count(path).min(LONGEST))
                .filter_map(|place| gather(entry, &under(path, &place.to_string()), query))
                .collect();
            (!all.is_empty()).then_some(Value::Array(all))
        }
        Shape::Row(entry) => {
            let text = query.get(path)?;
            let parts = text.split([' ', ';', '\t']).filter(|part| !part.is_empty());
            Some(Value::Array(parts.map(|part| leaf(entry, part)).collect()))
        }
        other => query.get(path).map(|text| leaf(other, text)),
    }
}

fn leaf(shape: &Shape, text: &str) -> Value {
    let as_text = || Value::String(text.to_owned());
    match shape {
        Shape::Flag => match text {
            "true" | "on" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => as_text(),
        },
        Shape::Number { .. } => {
            let number = text.replace(',', ".").replace('−', "-");
            let number = number.strip_prefix('+').unwrap_or(&number);
            match serde_json::from_str::<Value>(number) {
                Ok(value @ Value::Number(_)) => value,
                _ => as_text(),
            }
        }
        Shape::Json => serde_json::from_str(text).unwrap_or_else(|_| as_text()),
        _ => as_text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fire() -> Vec<Field> {
        fields(&tabletop::questions()[0].schema())
    }

    #[test]
    fn every_field_of_a_fire_is_known() {
        let fields = fire();
        let named =
            |fields: &[Field], name: &str| fields.iter().find(|field| field.name == name).cloned().unwrap();
        let Shape::Group(shooter) = named(&fields, "shooter").shape else { unreachable!("a group") };
        let Shape::Choice(weapons) = named(&shooter, "weapon").shape else { unreachable!("a choice") };
        assert_eq!(weapons.len(), 9);
        assert_eq!(
            named(&shooter, "figures").shape,
            Shape::Number { whole: true, min: Some(0.0), max: Some(999.0) }
        );
        assert!(matches!(named(&shooter, "superior").shape, Shape::Number { whole: true, .. }));
        assert!(matches!(named(&fields, "dice").shape, Shape::Row(_)));
        let Shape::Group(target) = named(&fields, "target").shape else { unreachable!("a group") };
        assert_eq!(named(&target, "uphill").shape, Shape::Flag);
        assert!(!target.iter().any(|field| field.shape == Shape::Json));
    }

    #[test]
    fn a_form_becomes_a_request_and_back() {
        let request = json!({ "shooter": { "weapon": "musket", "factor": 4, "figures": 12 },
            "distance_cm": 6.5, "target": { "class": "mass", "uphill": true }, "dice": [4],
            "options": { "figure_lost_at_40": "yes" } });
        let query = Query::of(&request);
        assert_eq!(super::request(&fire(), &query)["target"], request["target"]);
        assert_eq!(super::request(&fire(), &query)["dice"], request["dice"]);
        assert_eq!(super::request(&fire(), &query)["distance_cm"], json!(6.5));
    }

    #[test]
    fn one_of_several_questions_is_asked() {
        let questions = tabletop::questions();
        let shape_of = |name: &str| fields(&questions.iter().find(|one| one.name == name).unwrap().schema());
        let obstacle = shape_of("tabletop.obstacle");
        let query = Query::parse("@=reorient&reorient.base_would_meet_obstacle=true");
        assert_eq!(request(&obstacle, &query), json!({ "reorient": { "base_would_meet_obstacle": true } }));
        // Without the selector, what is filled in says which.
        assert_eq!(request(&obstacle, &Query::of(&request(&obstacle, &query))), request(&obstacle, &query));
        let ground = shape_of("tabletop.fire-ground");
        assert_eq!(
            request(&ground, &Query::parse("@=plateau&plateau=on-top")),
            json!({ "plateau": "on-top" })
        );
        assert_eq!(
            request(&ground, &Query::parse("plateau=from-plain&plateau.from-plain=12")),
            json!({ "plateau": { "from-plain": 12 } })
        );
        assert_eq!(request(&ground, &Query::parse("@=wood")), json!({ "wood": {} }));
    }

    #[test]
    fn what_does_not_fit_is_handed_on() {
        let query = Query::parse("distance_cm=6,5&shooter.figures=many&target.uphill=perhaps");
        let request = request(&fire(), &query);
        assert_eq!(request["distance_cm"], json!(6.5));
        assert_eq!(request["shooter"]["figures"], json!("many"));
        assert_eq!(request["target"]["uphill"], json!("perhaps"));
    }
}
