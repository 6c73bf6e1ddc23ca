//! The umpire's envelope: one JSON object in, one JSON object out, in the shapes that others script
//! against.

use kernel::{Asked, Because, Chooses, Chosen, Inquiry, Node, Options, Question, Refusal, Reply};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, schema_for};
use serde::Serialize;
use serde::ser::{SerializeMap, SerializeSeq, Serializer};
use serde_json::{Value, json};

use crate::{Lang, text, words};

/// A question that can be asked by name.
#[derive(Clone, Copy)]
pub struct Asking {
    /// Its name: `tabletop.fire`.
    pub name: &'static str,
    ask: fn(&str, Lang) -> Answered,
    schema: fn() -> Value,
}

/// A reply as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// One JSON object, on one line.
    pub json: String,
    /// Whether it is a refusal.
    pub refused: bool,
}

impl Answered {
    /// A refusal as it is sent.
    #[must_use]
    pub fn refused(refusal: &Refusal, lang: Lang) -> Self {
        let json = json!({ "refused": {
            "field": refusal.field,
            "rule": refusal.rule,
            "message": words::refusal(refusal, lang),
        } });
        Self { json: json.to_string(), refused: true }
    }
}

impl Asking {
    /// Answers one JSON object; `lang` is used unless the request names its own.
    #[must_use]
    pub fn ask(&self, request: &str, lang: Lang) -> Answered {
        (self.ask)(request, lang)
    }

    /// The JSON Schema of the request and of the reply.
    #[must_use]
    pub fn schema(&self) -> Value {
        (self.schema)()
    }
}

/// A question that can be asked by name about a position `P` of a game.
pub struct Inquiring<P: 'static> {
    /// The name of the question: `danzig.arc`.
    pub name: &'static str,
    ask: fn(&P, &str, Lang) -> Answered,
    schema: fn() -> Value,
}

impl<P> Inquiring<P> {
    /// Answers one JSON object; `lang` is used unless the request names its own.
    #[must_use]
    pub fn ask(&self, position: &P, request: &str, lang: Lang) -> Answered {
        (self.ask)(position, request, lang)
    }

    /// The JSON Schema of the request and of the reply.
    #[must_use]
    pub fn schema(&self) -> Value {
        (self.schema)()
    }
}

/// Makes a typed inquiry one that can be asked by name.
#[must_use]
pub fn inquiry<I: Inquiry>() -> Inquiring<I::Position> {
    Inquiring { name: I::NAME, ask: inquire::<I>, schema: inquiry_schema::<I> }
}

fn inquire<I: Inquiry>(position: &I::Position, request: &str, lang: Lang) -> Answered {
    reply(request, lang, |asked, _| Ok((asked.answer_on::<I>(position)?, position.chosen())))
}

fn inquiry_schema<I: Inquiry>() -> Value {
    let mut request = without_null(schema_for!(I::Request).to_value());
    if let Some(properties) = request.get_mut("properties").and_then(Value::as_object_mut) {
        add_shared(properties, I::ROLLS);
    }
    json!({ "question": I::NAME, "request": request, "answer": answered::<I::Answer>() })
}

/// Makes a typed question one that can be asked by name.
#[must_use]
pub fn question<Q: Question>() -> Asking {
    Asking { name: Q::NAME, ask: ask::<Q>, schema: schema::<Q> }
}

fn ask<Q: Question>(request: &str, lang: Lang) -> Answered {
    reply(request, lang, |asked, lang| {
        let options: Q::Options = asked.chosen()?;
        let say = |refusal: &Refusal| words::refusal(refusal, lang);
        Ok((asked.answer::<Q>(&options)?.map(|answer| Q::said(answer, &say)), options.chosen()))
    })
}

/// Takes a request apart, has it answered, and wraps the reply.
fn reply<A: Serialize>(
    request: &str,
    lang: Lang,
    answer: impl FnOnce(Asked, Lang) -> kernel::Verdict<(Reply<A>, Chosen)>,
) -> Answered {
    let asked = match Node::parse(request).map_err(|refusal| (None, refusal)).and_then(Asked::new) {
        Ok(asked) => asked,
        Err((named, refusal)) => return Answered::refused(&refusal, spoken(named.as_deref(), lang)),
    };
    let lang = spoken(asked.lang.as_deref(), lang);
    let sent = answer(asked, lang).and_then(|(reply, chosen)| {
        serde_json::to_string(&Envelope { reply: &reply, chosen: &chosen, lang })
            .map_err(|error| Refusal::plain(kernel::phrase::BAD_VALUE).with("found", error.to_string()))
    });
    match sent {
        Ok(json) => Answered { json, refused: false },
        Err(refusal) => Answered::refused(&refusal, lang),
    }
}

fn spoken(named: Option<&str>, lang: Lang) -> Lang {
    named.and_then(Lang::from_code).unwrap_or(lang)
}

/// A reply in the shape of the umpire.
struct Envelope<'a, A> {
    reply: &'a Reply<A>,
    chosen: &'a Chosen,
    lang: Lang,
}

impl<A: Serialize> Serialize for Envelope<'_, A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reasons = |because| Reasons { because, chosen: self.chosen, lang: self.lang };
        let mut map = serializer.serialize_map(None)?;
        match self.reply {
            Reply::Answered { answer, because, dice } => {
                map.serialize_entry("answer", answer)?;
                map.serialize_entry("because", &reasons(because))?;
                if !dice.is_empty() {
                    map.serialize_entry("dice", dice)?;
                }
            }
            Reply::Odds { outcomes, because } => {
                let odds: Vec<Outcome<'_, A>> =
                    outcomes.iter().map(|(chance, answer)| Outcome { p: chance, answer }).collect();
                map.serialize_entry("odds", &odds)?;
                map.serialize_entry("because", &reasons(because))?;
            }
        }
        map.end()
    }
}

#[derive(Serialize)]
struct Outcome<'a, A> {
    p: &'a kernel::Chance,
    answer: &'a A,
}

/// Reasons with the text of their rule, as the options chosen have it.
struct Reasons<'a> {
    because: &'a [Because],
    chosen: &'a Chosen,
    lang: Lang,
}

impl Serialize for Reasons<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Reason<'a> {
            rule: kernel::RuleId,
            effect: &'a str,
            text: &'static str,
        }
        let mut list = serializer.serialize_seq(Some(self.because.len()))?;
        for because in self.because {
            list.serialize_element(&Reason {
                rule: because.rule,
                effect: &words::effect(&because.effect, self.lang),
                text: text(because.rule, self.chosen, self.lang),
            })?;
        }
        list.end()
    }
}

fn schema<Q: Question>() -> Value {
    let mut request = without_null(schema_for!(Q::Request).to_value());
    if let Some(properties) = request.get_mut("properties").and_then(Value::as_object_mut) {
        let options: serde_json::Map<String, Value> = Q::Options::all()
            .into_iter()
            .map(|(name, values)| (name.to_owned(), json!({ "enum": values, "default": values[0] })))
            .collect();
        properties.insert(
            "options".to_owned(),
            json!({ "type": "object", "properties": options, "additionalProperties": false }),
        );
        add_shared(properties, Q::ROLLS);
    }
    json!({ "question": Q::NAME, "request": request, "answer": answered::<Q::Answer>() })
}

/// The schema of an answer as it is written: what is left out when there is nothing to say is not
/// required.
fn answered<A: JsonSchema>() -> Schema {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<A>()
}

/// The schema of a request as its reader takes it: a field that may be left out is never null.
fn without_null(schema: Value) -> Value {
    let is_null = |one: &Value| one.is_null() || one["type"] == "null" || one == "null";
    match schema {
        Value::Array(all) => Value::Array(all.into_iter().map(without_null).collect()),
        Value::Object(fields) => {
            let mut kept = serde_json::Map::new();
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("default", Value::Null) => {}
                    ("type" | "enum" | "anyOf" | "oneOf", Value::Array(all)) => {
                        let mut rest: Vec<Value> =
                            all.into_iter().filter(|one| !is_null(one)).map(without_null).collect();
                        match (name.as_str(), rest.len()) {
                            // What is left of a choice is the thing itself.
                            ("anyOf" | "oneOf", 1) => {
                                if let Some(Value::Object(only)) = rest.pop() {
                                    kept.extend(only);
                                }
                            }
                            ("type", 1) => kept.extend(rest.pop().map(|only| (name, only))),
                            _ => {
                                kept.insert(name, Value::Array(rest));
                            }
                        }
                    }
                    (_, value) => {
                        kept.insert(name, without_null(value));
                    }
                }
            }
            Value::Object(kept)
        }
        plain => plain,
    }
}

/// The fields that every request shares; dice only where they may be rolled.
fn add_shared(properties: &mut serde_json::Map<String, Value>, rolls: bool) {
    properties.insert("lang".to_owned(), json!({ "enum": ["fr", "en"] }));
    if rolls {
        properties.insert(
            "dice".to_owned(),
            json!({ "type": "array", "items": { "type": "integer", "minimum": 1 }, "minItems": 1 }),
        );
    }
}
