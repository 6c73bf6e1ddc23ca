//! Strict means strict: for every question, and every inquiry about a game, a field that is unknown,
//! missing or of the wrong kind is refused by its name, at every level of the request. The requests
//! are made from the schemas, so that a new question cannot be forgotten.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::collections::BTreeSet;

use kernel::{Game, Play, Setup};
use rulebook::{Answered, Lang};
use serde_json::{Value, json};

/// Levels of a schema that are followed: none of ours is deeper, but one may hold itself.
const DEEPEST: usize = 10;

/// Something that answers requests, with the schema of them.
struct Asked {
    name: String,
    schema: Value,
    ask: Box<dyn Fn(&str) -> Answered>,
}

fn all() -> Vec<Asked> {
    let questions = glacis::questions().into_iter().map(|question| Asked {
        name: question.name.to_owned(),
        schema: question.schema()["request"].take(),
        ask: Box::new(move |request| question.ask(request, Lang::En)),
    });
    let inquiries = danzig::inquiries().into_iter().map(|inquiry| {
        let state = danzig::State::start(&Setup::default()).unwrap();
        Asked {
            name: format!("{} of a game", inquiry.name),
            schema: inquiry.schema()["request"].take(),
            ask: Box::new(move |request| inquiry.ask(&state, request, Lang::En)),
        }
    });
    questions.chain(inquiries).collect()
}

/// A place in a request: names of fields, and 0 for the first of a list.
type Place = Vec<String>;

fn under(place: &[String], name: &str) -> Place {
    let mut place = place.to_vec();
    place.push(name.to_owned());
    place
}

/// A request that holds nothing but what leads to a place, and a value there.
fn request(place: &[String], value: Value) -> String {
    let outwards = place.iter().rev();
    outwards
        .fold(value, |inner, name| if name == "0" { json!([inner]) } else { json!({ name: inner }) })
        .to_string()
}

struct Walk<'a> {
    asked: &'a Asked,
    tried: usize,
    wrong: Vec<String>,
}

impl Walk<'_> {
    /// What is refused must be one of these fields.
    fn expect(&mut self, place: &[String], value: Value, wanted: &[Place]) {
        self.tried += 1;
        let request = request(place, value);
        let answered = (self.asked.ask)(&request);
        let told: Value = serde_json::from_str(&answered.json).unwrap();
        let field = told["refused"]["field"].as_str().unwrap_or_default().to_owned();
        if !wanted.iter().any(|place| place.join(".") == field) {
            self.wrong.push(format!("{}: {request} answers {told}", self.asked.name));
        }
    }

    fn resolve<'s>(&self, root: &'s Value, schema: &'s Value) -> &'s Value {
        match schema["$ref"].as_str() {
            Some(reference) => root.pointer(reference.trim_start_matches('#')).unwrap(),
            None => schema,
        }
    }

    fn walk(&mut self, root: &Value, schema: &Value, place: &[String]) {
        if place.len() > DEEPEST {
            return;
        }
        let schema = self.resolve(root, schema);
        for several in ["oneOf", "anyOf"] {
            for one in schema[several].as_array().into_iter().flatten() {
                self.walk(root, one, place);
            }
        }
        for item in schema["prefixItems"].as_array().into_iter().flatten().take(1).chain(schema.get("items"))
        {
            if item.is_object() {
                self.walk(root, item, &under(place, "0"));
            }
        }
        let Some(fields) = schema["properties"].as_object() else { return };
        if schema["additionalProperties"] != json!(false) {
            self.wrong.push(format!("{}: {} takes unknown fields", self.asked.name, place.join(".")));
        }
        let choice = schema["required"].as_array().is_some_and(|all| all.len() == 1) && fields.len() == 1;
        if !place.is_empty() || !choice {
            self.unknown_and_missing(schema, place);
        }
        for (name, field) in fields {
            if place.is_empty() && ["options", "lang", "dice"].contains(&name.as_str()) {
                continue;
            }
            let inside = under(place, name);
            for broken in broken(self.resolve(root, field)) {
                self.expect(&inside, broken, std::slice::from_ref(&inside));
            }
            self.walk(root, field, &inside);
        }
    }

    fn unknown_and_missing(&mut self, schema: &Value, place: &[String]) {
        let required: Vec<Place> = schema["required"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|name| name.as_str().map(|name| under(place, name)))
            .collect();
        // A choice with what it holds is an object of one field: another name is another choice.
        let unknown = under(place, "an_unknown_field");
        self.expect(place, json!({ "an_unknown_field": 1 }), &[unknown, place.to_vec()]);
        if !required.is_empty() {
            let mut wanted = required;
            wanted.push(place.to_vec());
            self.expect(place, json!({}), &wanted);
        }
    }
}

/// Values that a field of this kind cannot hold.
fn broken(schema: &Value) -> Vec<Value> {
    let other = match schema["type"].as_str() {
        Some("string") => json!(7),
        Some("integer" | "number") => json!("seven"),
        Some("boolean") => json!(1),
        Some("array") => json!({ "an_unknown_field": 1 }),
        Some("object") => json!([[]]),
        _ => return vec![Value::Null],
    };
    vec![Value::Null, other]
}

#[test]
fn an_unknown_missing_or_broken_field_is_refused_by_its_name_at_every_level() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for asked in &all() {
        let mut walk = Walk { asked, tried: 0, wrong: Vec::new() };
        walk.walk(&asked.schema, &asked.schema, &[]);
        assert!(walk.tried > 0, "{} was tried", asked.name);
        tried += walk.tried;
        wrong.append(&mut walk.wrong);
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried > 1_000, "{tried} requests");
}

#[test]
fn a_question_that_never_rolls_refuses_dice() {
    let (mut rolling, mut calm) = (0, 0);
    for asked in all() {
        if asked.schema["properties"].get("dice").is_some() {
            rolling += 1;
            continue;
        }
        calm += 1;
        let told: Value = serde_json::from_str(&(asked.ask)(r#"{"dice": [9]}"#).json).unwrap();
        assert_eq!(told["refused"]["field"], "dice", "{}: {told}", asked.name);
        assert_eq!(told["refused"]["message"], "no die is rolled for this question");
    }
    assert!(rolling > 15 && calm > 15, "{rolling} {calm}");
}

/// What does not matter for the answer is read all the same.
#[test]
fn a_zone_of_control_is_read_whole() {
    let questions = glacis::questions();
    let cost = questions.iter().find(|question| question.name == "campaign.move-cost").unwrap();
    for (zone, field) in [
        (json!({ "enemy_sp": 5, "campaign": false }), "leaves_zoc.enemy_has_cavalry"),
        (json!({ "enemy_has_cavalry": false, "campaign": false }), "leaves_zoc.enemy_sp"),
        (json!({ "enemy_sp": 0, "enemy_has_cavalry": false, "campaign": false }), "leaves_zoc.enemy_sp"),
        (json!({ "enemy_sp": "many", "enemy_has_cavalry": false, "campaign": false }), "leaves_zoc.enemy_sp"),
        (json!({ "enemy_sp": 5, "enemy_has_cavalry": false }), "leaves_zoc.campaign"),
        (json!({ "enemy_sp": 5, "enemy_has_cavalry": false, "campaign": 1 }), "leaves_zoc.campaign"),
    ] {
        for arm in ["infantry", "cavalry", "artillery"] {
            let request = json!({ "arm": arm, "hex": "clear", "leaves_zoc": zone }).to_string();
            let told: Value = serde_json::from_str(&cost.ask(&request, Lang::En).json).unwrap();
            assert_eq!(told["refused"]["field"], field, "{request}: {told}");
        }
    }
}

/// A reason quotes the option that is played, in a question and about a game.
#[test]
fn a_reason_quotes_the_option_that_is_played() {
    let questions = glacis::questions();
    let admin = questions.iter().find(|question| question.name == "campaign.admin").unwrap();
    let because = |option: &str, lang: Lang| -> Vec<String> {
        let request = json!({
            "source": "krems", "distance": 30, "options": { "krems_far": option }, "lang": lang.code(),
        });
        let told: Value = serde_json::from_str(&admin.ask(&request.to_string(), lang).json).unwrap();
        let reasons = told["because"].as_array().unwrap_or_else(|| panic!("{told}"));
        reasons.iter().map(|reason| reason["text"].as_str().unwrap().to_owned()).collect()
    };
    let nothing = because("nothing", Lang::En);
    assert!(nothing.iter().any(|text| text.contains("no AP is received")), "{nothing:?}");
    assert!(
        !nothing.iter().any(|text| text.contains("reduced by 1") || text.contains("far_minus")),
        "{nothing:?}"
    );
    let french = because("nothing", Lang::Fr);
    assert!(french.iter().any(|text| text.contains("aucun AP")), "{french:?}");
    let far = because("same_as_far", Lang::En);
    assert!(far.iter().any(|text| text.contains("the whole column far")), "{far:?}");
    let default = because("minus_1", Lang::En);
    assert!(default.iter().any(|text| text.contains("far_minus")), "{default:?}");
}

/// Every object in a value, by its place, with a field more in it.
fn with_more(value: &Value) -> Vec<Value> {
    let mut all = Vec::new();
    match value {
        Value::Object(fields) => {
            let mut more = fields.clone();
            more.insert("evil".to_owned(), json!({ "a": 1 }));
            all.push(Value::Object(more));
            for (name, inner) in fields {
                for changed in with_more(inner) {
                    let mut outer = fields.clone();
                    outer.insert(name.clone(), changed);
                    all.push(Value::Object(outer));
                }
            }
        }
        Value::Array(items) => {
            for (place, inner) in items.iter().enumerate() {
                for changed in with_more(inner) {
                    let mut outer = items.clone();
                    outer[place] = changed;
                    all.push(Value::Array(outer));
                }
            }
        }
        _ => {}
    }
    all
}

#[test]
fn no_field_of_an_order_is_passed_over() {
    let (mut kinds, mut named) = (BTreeSet::new(), 0);
    // A whole siege: everything that is offered anywhere in it.
    let record = include_str!("../../../../scenarios/danzig/1807.record");
    let mut lines = record.lines();
    let mut play = Play::<danzig::State>::open(lines.next().unwrap(), None).unwrap();
    let mut actions = Vec::new();
    for line in lines {
        actions.clear();
        for place in play.state().deciders().iter() {
            play.state().actions(danzig::State::SIDES[place], &mut actions);
        }
        for action in &actions {
            let written = serde_json::to_value(action).unwrap();
            let Some((kind, _)) = written.as_object().and_then(|fields| fields.iter().next()) else {
                continue;
            };
            if !kinds.insert(kind.clone()) {
                continue;
            }
            let read = |value: &Value| {
                kernel::Node::parse(&value.to_string()).unwrap().read_written::<danzig::Action>()
            };
            assert_eq!(read(&written).as_ref(), Ok(action));
            for more in with_more(&written) {
                let refusal = read(&more).expect_err("a field nobody asked for");
                // Beside the name of a choice it is another choice; inside, a field that is named.
                if refusal.reason == kernel::phrase::UNKNOWN_FIELD {
                    assert!(refusal.field.unwrap().ends_with("evil"), "{more}");
                    named += 1;
                } else {
                    assert_eq!(refusal.reason, kernel::phrase::UNKNOWN_CHOICE, "{more}");
                }
            }
        }
        play.follow(line).unwrap();
    }
    assert!(kinds.len() > 20 && named > 20, "{named} of {kinds:?}");
}
