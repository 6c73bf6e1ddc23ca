//! Which questions use which rules, found by asking: each question is put some hundreds of times
//! with values of its own schema, and every rule it cites is noted with the request that made it act.

use std::collections::BTreeMap;

use rulebook::{Asking, Lang};
use serde_json::{Map, Value, json};

use crate::query::Query;
use crate::shape::{self, Field, Shape};

/// How often each question is put.
const TRIES: u32 = 400;

/// The rules and the questions that cited them.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    by_rule: BTreeMap<String, Vec<(&'static str, String)>>,
}

impl Uses {
    /// Asks and notes.
    pub(crate) fn of(questions: &[Asking]) -> Self {
        let mut uses = Self::default();
        for question in questions {
            let fields = shape::fields(&question.schema());
            let mut draw = Draw(0x9e37_79b9_7f4a_7c15);
            for attempt in 0..TRIES {
                let mut request = filled(&fields, attempt, &mut draw);
                if let Some(object) = request.as_object_mut() {
                    object.insert("dice".to_owned(), json!([draw.below(6) + 1]));
                }
                let mut reply = question.reply(&request.to_string(), Lang::En);
                if reply.is_refused() {
                    // Perhaps it rolls nothing, or more than one die.
                    if let Some(object) = request.as_object_mut() {
                        object.remove("dice");
                    }
                    reply = question.reply(&request.to_string(), Lang::En);
                }
                uses.note(question.name, &request, &reply.tree());
            }
        }
        uses
    }

    fn note(&mut self, question: &'static str, request: &Value, answered: &Value) {
        let reasons = answered["because"].as_array().into_iter().flatten();
        let rules = reasons.map(|reason| &reason["rule"]).chain([&answered["refused"]["rule"]]);
        for rule in rules.filter_map(Value::as_str) {
            let used = self.by_rule.entry(rule.to_owned()).or_default();
            if !used.iter().any(|(known, _)| *known == question) {
                used.push((question, Query::of(request).to_string()));
            }
        }
    }

    /// The questions that cited this rule, each with a request in which it acts.
    pub(crate) fn of_rule(&self, rule: &str) -> &[(&'static str, String)] {
        self.by_rule.get(rule).map_or(&[], Vec::as_slice)
    }
}

/// A plain generator: the pages must not depend on the dice of the games.
struct Draw(u64);

impl Draw {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound.max(1)
    }
}

/// A request of this shape; optional fields are there more often as the attempts go on.
fn filled(fields: &[Field], attempt: u32, draw: &mut Draw) -> Value {
    if let [only] = fields
        && only.name.is_empty()
    {
        return value(&only.shape, attempt, draw).unwrap_or_default();
    }
    let mut object = Map::new();
    for field in fields {
        if matches!(field.name.as_str(), "lang" | "dice") {
            continue;
        }
        let rare = if field.name == "options" { 4 } else { 2 + u64::from(attempt % 4) };
        let there = field.required || draw.below(rare) == 0;
        if there && let Some(value) = value(&field.shape, attempt, draw) {
            object.insert(field.name.clone(), value);
        }
    }
    Value::Object(object)
}

fn value(shape: &Shape, attempt: u32, draw: &mut Draw) -> Option<Value> {
    match shape {
        Shape::Choice(words) => {
            let place = usize::try_from(draw.below(words.len() as u64)).unwrap_or(0);
            words.get(place).map(|word| json!(word))
        }
        Shape::Flag => Some(json!(true)),
        Shape::Number { whole, min, max } => {
            let low = min.unwrap_or(0.0).max(-4.0);
            let high = max.unwrap_or(30.0).min(low + if attempt.is_multiple_of(5) { 200.0 } else { 24.0 });
            let steps = draw.below(1000);
            let number = low + (high - low) * (f64::from(u32::try_from(steps).unwrap_or(0)) / 999.0);
            if *whole {
                Some(json!(rounded(number)))
            } else {
                Some(json!(f64::from(rounded(number * 2.0)) / 2.0))
            }
        }
        Shape::Row(entry) => {
            Some(Value::Array(vec![value(entry, attempt, draw)?, value(entry, attempt, draw)?]))
        }
        Shape::List(entry) => Some(Value::Array(vec![value(entry, attempt, draw)?])),
        Shape::Group(fields) => Some(filled(fields, attempt, draw)),
        Shape::Variant(variants) => {
            let place = usize::try_from(draw.below(variants.len() as u64)).unwrap_or(0);
            let (name, inner) = variants.get(place)?;
            match inner {
                None => Some(json!(name)),
                Some(inner) => Some(json!({ name: value(inner, attempt, draw)? })),
            }
        }
        Shape::Text | Shape::Json => None,
    }
}

#[allow(clippy::cast_possible_truncation, reason = "small numbers, made above")]
fn rounded(number: f64) -> i32 {
    number.round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fire_is_found_under_the_rules_it_cites() {
        let uses = Uses::of(&tabletop::questions());
        let (question, query) = &uses.of_rule("FE-5-16")[0];
        assert_eq!(*question, "tabletop.fire");
        assert!(query.contains("target.class="));
        assert!(uses.by_rule.len() > 30, "only {} rules", uses.by_rule.len());
    }
}
