//! The umpire's envelope: one JSON object in, one JSON object out, in the shapes that others script
//! against.

use kernel::{
    Asked, Because, Chooses, Chosen, Drawn, Gallery, Inquiry, Node, Options, Question, Refusal, Reply,
    RuleId, Verdict,
};
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
    /// Whether there is something to draw in its answers.
    pub draws: bool,
    ask: fn(&str, Lang, Gallery) -> Replied,
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
        Replied::refused(refusal, lang).answered()
    }
}

/// A reply before it is written down.
pub struct Replied {
    content: Box<dyn Content>,
    /// The picture beside it, where one was asked for.
    pub picture: Option<String>,
    /// By whom it is refused, if it is.
    pub refused_by: Option<RefusedBy>,
}

/// Who refuses to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedBy {
    /// A rule: it is an answer that says no.
    Rule(RuleId),
    /// Whoever reads the requests: what was sent makes no sense.
    Reader,
}

/// What can be written as a line, or taken as a tree.
trait Content {
    fn line(&self) -> serde_json::Result<String>;
    fn tree(&self) -> serde_json::Result<Value>;
}

impl<T: Serialize> Content for T {
    fn line(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    fn tree(&self) -> serde_json::Result<Value> {
        serde_json::to_value(self)
    }
}

impl Replied {
    /// A refusal, in the words of a language.
    #[must_use]
    pub fn refused(refusal: &Refusal, lang: Lang) -> Self {
        let content = json!({ "refused": {
            "field": refusal.field,
            "rule": refusal.rule,
            "message": words::refusal(refusal, lang),
        } });
        let by = refusal.rule.map_or(RefusedBy::Reader, RefusedBy::Rule);
        Self { content: Box::new(content), picture: None, refused_by: Some(by) }
    }

    /// Whether it is a refusal.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.refused_by.is_some()
    }

    /// One JSON object, on one line.
    #[must_use]
    pub fn line(&self) -> String {
        self.content.line().unwrap_or_else(|error| unwritten(&error).to_string())
    }

    /// The same as a tree, for whoever looks into it.
    #[must_use]
    pub fn tree(&self) -> Value {
        self.content.tree().unwrap_or_else(|error| unwritten(&error))
    }

    /// As it is sent.
    #[must_use]
    pub fn answered(&self) -> Answered {
        Answered { json: self.line(), refused: self.is_refused() }
    }
}

/// What stands for a reply that cannot be written: its answer has keys that are no text, say.
fn unwritten(error: &serde_json::Error) -> Value {
    json!({ "refused": { "field": null, "rule": null, "message": error.to_string() } })
}

impl Asking {
    /// Answers one JSON object; `lang` is used unless the request names its own.
    #[must_use]
    pub fn ask(&self, request: &str, lang: Lang) -> Answered {
        self.reply(request, lang).answered()
    }

    /// The same, before it is written down.
    #[must_use]
    pub fn reply(&self, request: &str, lang: Lang) -> Replied {
        (self.ask)(request, lang, Gallery::Within)
    }

    /// The same with the picture of its likeliest answer beside it, whatever the request wishes.
    #[must_use]
    pub fn drawn(&self, request: &str, lang: Lang) -> Replied {
        (self.ask)(request, lang, Gallery::Beside)
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
    ask: fn(&P, &str, Lang) -> Replied,
    schema: fn() -> Value,
}

impl<P> Inquiring<P> {
    /// Answers one JSON object; `lang` is used unless the request names its own.
    #[must_use]
    pub fn ask(&self, position: &P, request: &str, lang: Lang) -> Answered {
        self.reply(position, request, lang).answered()
    }

    /// The same, before it is written down.
    #[must_use]
    pub fn reply(&self, position: &P, request: &str, lang: Lang) -> Replied {
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

fn inquire<I: Inquiry>(position: &I::Position, request: &str, lang: Lang) -> Replied {
    reply(request, lang, |asked, _| Ok((asked.answer_on::<I>(position)?, None, position.chosen())))
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
    Asking { name: Q::NAME, draws: Q::DRAWS, ask: ask::<Q>, schema: schema::<Q> }
}

fn ask<Q: Question>(request: &str, lang: Lang, gallery: Gallery) -> Replied {
    reply(request, lang, |asked, lang| {
        let options: Q::Options = asked.chosen()?;
        let say = |refusal: &Refusal| words::refusal(refusal, lang);
        let (reply, picture) = asked.answer::<Q>(&options, gallery)?;
        let reply = reply.map(|Drawn { answer, svg }| Drawn { answer: Q::said(answer, &say), svg });
        Ok((reply, picture, options.chosen()))
    })
}

/// Takes a request apart, has it answered, and wraps the reply.
fn reply<A: Serialize + 'static>(
    request: &str,
    lang: Lang,
    answer: impl FnOnce(Asked, Lang) -> Verdict<(Reply<A>, Option<String>, Chosen)>,
) -> Replied {
    let asked = match Node::parse(request).map_err(|refusal| (None, refusal)).and_then(Asked::new) {
        Ok(asked) => asked,
        Err((named, refusal)) => return Replied::refused(&refusal, spoken(named.as_deref(), lang)),
    };
    let lang = spoken(asked.lang.as_deref(), lang);
    match answer(asked, lang) {
        Ok((reply, picture, chosen)) => {
            Replied { content: Box::new(Envelope { reply, chosen, lang }), picture, refused_by: None }
        }
        Err(refusal) => Replied::refused(&refusal, lang),
    }
}

fn spoken(named: Option<&str>, lang: Lang) -> Lang {
    named.and_then(Lang::from_code).unwrap_or(lang)
}

/// A reply in the shape of the umpire.
struct Envelope<A> {
    reply: Reply<A>,
    chosen: Chosen,
    lang: Lang,
}

impl<A: Serialize> Serialize for Envelope<A> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let reasons = |because| Reasons { because, chosen: &self.chosen, lang: self.lang };
        let mut map = serializer.serialize_map(None)?;
        match &self.reply {
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
            rule: RuleId,
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
    let mut answer = answered::<Q::Answer>();
    if Q::DRAWS
        && let Some(properties) = answer.get_mut("properties").and_then(Value::as_object_mut)
    {
        let picture = json!({ "description": "The picture, where one was wished for.", "type": "string" });
        properties.insert("svg".to_owned(), picture);
    }
    json!({ "question": Q::NAME, "request": request, "answer": answer })
}

/// The schema of an answer as it is written: what is left out when there is nothing to say is not
/// required.
fn answered<A: JsonSchema>() -> Schema {
    SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<A>()
}

/// The schema of a request as its reader takes it: a field that may be left out is never null.
#[must_use]
pub fn without_null(schema: Value) -> Value {
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
