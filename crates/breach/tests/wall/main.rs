//! The umpire at the wall: the examples of the ledgers and of the shapes that others script against,
//! every refusal by its field and rule, and what must hold for any request.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use serde_json::{Value, json};

#[path = "../asking/mod.rs"]
mod asking;

mod assault;
mod bombard;
mod chance;
mod corners;
mod oil;
mod order;
mod plan;
mod shoot;
mod works;

use asking::{answer, ask, refused};

/// The rules of a reply with what they did.
fn reasons(reply: &Value) -> Vec<(String, String)> {
    let text = |because: &Value, name: &str| because[name].as_str().unwrap().to_owned();
    let reasons = reply["because"].as_array().unwrap().iter();
    reasons.map(|because| (text(because, "rule"), text(because, "effect"))).collect()
}

/// The chance of an outcome of which these fields are such, over all of the odds.
fn chance(reply: &Value, fields: &Value) -> kernel::Chance {
    let outcomes = reply["odds"].as_array().unwrap_or_else(|| panic!("no odds: {reply}"));
    let fits =
        |answer: &Value| fields.as_object().unwrap().iter().all(|(name, value)| &answer[name] == value);
    let (mut cases, mut of) = (0_u128, 1_u128);
    for outcome in outcomes.iter().filter(|outcome| fits(&outcome["answer"])) {
        let (favourable, whole) = outcome["p"].as_str().unwrap().split_once('/').unwrap();
        let (favourable, whole): (u128, u128) = (favourable.parse().unwrap(), whole.parse().unwrap());
        (cases, of) = (cases * whole + favourable * of, of * whole);
        let common = gcd(cases, of);
        (cases, of) = (cases / common, of / common);
    }
    kernel::Chance::new(cases, of)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a.max(1) } else { gcd(b, a % b) }
}

/// A request with some fields otherwise; null takes one out.
fn with(request: &Value, changes: &Value) -> Value {
    let mut request = request.clone();
    change(&mut request, changes);
    request
}

fn change(value: &mut Value, changes: &Value) {
    for (name, new) in changes.as_object().unwrap() {
        match new {
            Value::Null => {
                value.as_object_mut().unwrap().remove(name);
            }
            Value::Object(_) if value[name].is_object() => change(&mut value[name], new),
            _ => value[name] = new.clone(),
        }
    }
}

#[test]
fn requests_are_read_strictly() {
    let shoot = shoot::request();
    for (changes, field) in [
        (json!({ "surprise": 1 }), "surprise"),
        (json!({ "distance_cm": 25.001 }), "distance_cm"),
        (json!({ "distance_cm": -1 }), "distance_cm"),
        (json!({ "distance_cm": "25" }), "distance_cm"),
        (json!({ "target": { "armour": 2 } }), "target.armour"),
        (json!({ "target": { "armour": 7 } }), "target.armour"),
        (json!({ "target": { "hits": 0 } }), "target.hits"),
        (json!({ "target": { "stands": 5 } }), "target.stands"),
        (json!({ "target": { "cover": "wood" } }), "target.cover"),
        (json!({ "shooter": { "attack": 4 } }), "shooter.attack"),
        (json!({ "shooter": { "stands": null } }), "shooter.stands"),
        (json!({ "options": { "weather": "rain" } }), "options.weather"),
        (json!({ "dice": [] }), "dice"),
        (json!({ "dice": [4, 6, 7] }), "dice"),
        (json!({ "dice": [4, 6, 5, 5, 4, 2, 6, 3, 1] }), "dice"),
    ] {
        assert_eq!(refused("breach.shoot", &with(&shoot, &changes)), (field.to_owned(), "-".to_owned()));
    }
    let mut null = shoot;
    null["at_charger"] = Value::Null;
    assert_eq!(refused("breach.shoot", &null).0, "at_charger");
}
