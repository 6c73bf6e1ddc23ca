//! A question as an address: `shooter.figures=12` stands for `{"shooter": {"figures": 12}}`.

use std::fmt::Write;

use serde_json::Value;

/// The pairs of a query, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the part of an address after `?`.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self(
            form_urlencoded::parse(text.as_bytes())
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }

    /// The query that asks what this JSON object asks.
    #[must_use]
    pub fn of(request: &Value) -> Self {
        let mut pairs = Vec::new();
        flatten("", request, &mut pairs);
        Self(pairs)
    }

    /// The value of a field, unless it is left empty.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(name, value)| name == path && !value.trim().is_empty())
            .map(|(_, value)| value.trim())
    }

    /// The same question with one field changed, or left out.
    #[must_use]
    pub fn with(&self, name: &str, value: Option<&str>) -> Self {
        let mut pairs = self.0.clone();
        match (pairs.iter().position(|(known, _)| known == name), value) {
            (Some(place), Some(value)) => value.clone_into(&mut pairs[place].1),
            (None, Some(value)) => pairs.push((name.to_owned(), value.to_owned())),
            (_, None) => pairs.retain(|(known, _)| known != name),
        }
        Self(pairs)
    }

    /// What is given inside a field: the names within it and their values.
    pub(crate) fn under<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.0.iter().filter(|(_, value)| !value.trim().is_empty()).filter_map(move |(name, value)| {
            Some((name.strip_prefix(path)?.strip_prefix('.')?, value.trim()))
        })
    }

    /// The options it names.
    pub(crate) fn chosen(&self) -> kernel::Chosen {
        self.under("options").map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Whether nothing is asked; names that begin with `_` belong to the form.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.0.iter().any(|(name, value)| !name.starts_with('_') && !value.trim().is_empty())
    }

    /// Whether something is given for a field or inside it.
    pub(crate) fn begins(&self, name: &str) -> bool {
        self.0.iter().any(|(path, value)| {
            !value.trim().is_empty()
                && path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }

    /// How many numbered fields there are under a path: one more than the highest number.
    #[must_use]
    pub fn count(&self, path: &str) -> usize {
        let numbers = self.0.iter().filter_map(|(name, _)| {
            let rest = name.strip_prefix(path)?.strip_prefix('.')?;
            rest.split('.').next()?.parse::<usize>().ok()
        });
        numbers.max().map_or(0, |highest| highest.saturating_add(1))
    }
}

impl std::fmt::Display for Query {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = form_urlencoded::Serializer::new(String::new());
        f.write_str(&text.extend_pairs(&self.0).finish())
    }
}

fn flatten(path: &str, value: &Value, pairs: &mut Vec<(String, String)>) {
    let under = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| flatten(&under(name), value, pairs)),
        Value::Array(list) if list.iter().all(|value| value.is_number() || value.is_string()) => {
            let mut text = String::new();
            for (place, value) in list.iter().enumerate() {
                let _ = write!(text, "{}{}", if place == 0 { "" } else { " " }, plain(value));
            }
            pairs.push((path.to_owned(), text));
        }
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(place, value)| flatten(&under(&place.to_string()), value, pairs));
        }
        Value::Null => {}
        other => pairs.push((path.to_owned(), plain(other))),
    }
}

/// A value without quotes.
pub(crate) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_question_becomes_an_address() {
        let request = json!({ "shooter": { "weapon": "musket", "figures": 12 }, "dice": [4, 5],
            "sections": [{ "kind": "wall" }] });
        let query = Query::of(&request);
        assert_eq!(
            query.to_string(),
            "dice=4+5&sections.0.kind=wall&shooter.figures=12&shooter.weapon=musket"
        );
        assert_eq!(Query::parse(&query.to_string()), query);
        assert_eq!(query.count("sections"), 1);
        assert_eq!(query.get("dice"), Some("4 5"));
    }

    #[test]
    fn one_field_is_changed_and_the_rest_kept() {
        let query = Query::parse("a=1&b=2&options.x=y");
        assert_eq!(query.with("b", Some("3")).to_string(), "a=1&b=3&options.x=y");
        assert_eq!(query.with("b", None).with("c", Some("4")).to_string(), "a=1&options.x=y&c=4");
        assert_eq!(query.under("options").collect::<Vec<_>>(), [("x", "y")]);
    }

    #[test]
    fn an_empty_form_asks_nothing() {
        assert!(Query::parse("").is_empty());
        assert!(Query::parse("a=&b=+&_add=sections").is_empty());
        assert!(!Query::parse("a=1").is_empty());
    }
}
