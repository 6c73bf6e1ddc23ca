//! Plans of fortresses.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{answer, ask, refused, with};

fn part(name: &str, kind: &str, [x, y, w, d]: [i32; 4]) -> Value {
    json!({ "name": name, "kind": kind, "x_cm": x, "y_cm": y, "w_cm": w, "d_cm": d })
}

/// The keep of the third scenario: front of a tower, three walls, the gate, three walls and a tower.
fn keep() -> Value {
    let mut elements = Vec::new();
    for row in 0..3 {
        elements.push(part(&format!("left {row}"), "wall", [72, 4 * row, 2, 4]));
        elements.push(part(&format!("right {row}"), "wall", [106, 4 * row, 2, 4]));
        elements.push(part(&format!("front {row}"), "wall", [76 + 4 * row, 14, 4, 2]));
        elements.push(part(&format!("front {}", row + 3), "wall", [92 + 4 * row, 14, 4, 2]));
    }
    elements.push(part("left tower", "tower", [72, 12, 4, 4]));
    elements.push(part("right tower", "tower", [104, 12, 4, 4]));
    elements.push(part("gate", "gate", [88, 12, 4, 4]));
    json!({ "elements": elements, "defender_points": 1000 })
}

fn faults(request: &Value) -> Vec<(String, String, String)> {
    let answer = answer("breach.fortress", request);
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let violations = answer["violations"].as_array().unwrap().iter();
    violations.map(|one| (text(&one["what"]), text(&one["element"]), text(&one["rule"]))).collect()
}

#[test]
fn br_ex_19_the_parts_of_a_fortress() {
    let numbers = |points: i32| {
        let (numbers, _) = kernel::scripted(&[], |clerk| breach::fortress::wanted(points, clerk)).unwrap();
        numbers
    };
    assert_eq!(numbers(1000), (12, 2, 1));
    assert_eq!(numbers(1500), (18, 3, 1));
    assert_eq!(numbers(1250), (12, 2, 1), "two full 500s");
}

#[test]
fn the_keep_is_sound() {
    let plan = keep();
    let keep = answer("breach.fortress", &plan);
    assert_eq!((&keep["legal"], &keep["violations"]), (&json!(true), &json!([])));
    assert_eq!((&keep["walls"], &keep["towers"], &keep["gates"]), (&json!(12), &json!(2), &json!(1)));
    let named =
        |name: &str| keep["elements"].as_array().unwrap().iter().find(|one| one["name"] == name).unwrap();
    assert_eq!(named("left tower")["adjoins"], json!(["front 0", "left 2"]));
    assert_eq!((&named("left tower")["resistance"], &named("left tower")["sides"]), (&json!(30), &json!(3)));
    assert_eq!(named("left tower")["capacity"], 4);
    assert_eq!((&named("gate")["resistance"], &named("gate")["leaf"]), (&json!(25), &json!(12)));
    assert_eq!((&named("front 1")["resistance"], &named("front 1")["capacity"]), (&json!(20), &json!(1)));
    let wall = with(&plan, &json!({ "options": { "gate_kind": "wall" } }));
    let reply = ask("breach.fortress", &wall);
    let gate = reply["answer"]["elements"].as_array().unwrap().last().unwrap();
    assert_eq!((&gate["resistance"], &gate["capacity"]), (&json!(20), &json!(1)));
}

#[test]
fn every_fault_names_its_rule() {
    let one = |part: Value| json!({ "elements": [part] });
    let fault =
        |what: &str, element: &str, rule: &str| vec![(what.to_owned(), element.to_owned(), rule.to_owned())];
    assert_eq!(faults(&one(part("a", "wall", [0, 0, 5, 2]))), fault("length", "a", "BR-general-11"));
    assert_eq!(faults(&one(part("a", "tower", [0, 0, 3, 4]))), fault("base", "a", "BR-towers-01"));
    assert_eq!(faults(&one(part("a", "wall", [178, 0, 4, 2]))), fault("table", "a", "BC-3-01"));
    let crowded = with(&part("a", "wall", [0, 0, 4, 2]), &json!({ "stands": 2 }));
    assert_eq!(faults(&one(crowded)), fault("crowded", "a", "BC-14.1-01"));
    let crowded = with(&part("a", "tower", [0, 0, 4, 4]), &json!({ "stands": 5 }));
    assert_eq!(faults(&one(crowded)), fault("crowded", "a", "BR-towers-22"));
    let tall = with(&part("a", "tower", [0, 0, 3, 3]), &json!({ "tall": true }));
    assert_eq!(faults(&one(tall)), Vec::new());
    let two = json!({ "elements": [part("a", "wall", [0, 0, 4, 2]), part("b", "wall", [3, 0, 4, 2])] });
    assert_eq!(faults(&two), fault("overlap", "b", "BR-general-11"));
    let mut few = keep();
    few["elements"].as_array_mut().unwrap().pop();
    assert_eq!(faults(&few), fault("number", "-", "BR-scenario-3-03"));
    assert_eq!(answer("breach.fortress", &few)["legal"], true, "another number is a warning");
}

#[test]
fn br_ex_27_seventy_five_centimetres_apart() {
    // 15 cm of the defender and 60 more: no corner lies more than 75 cm from a fortress along the middle.
    let wide: Vec<Value> = (0..45).map(|k| part(&format!("w{k}"), "wall", [4 * k, 50, 4, 2])).collect();
    let found = faults(&json!({ "elements": wide, "defender_points": 1000 }));
    assert!(found.contains(&("zone".to_owned(), "-".to_owned(), "BR-scenario-3-13".to_owned())), "{found:?}");
}

#[test]
fn a_plan_is_drawn_where_a_picture_is_wanted() {
    assert!(answer("breach.fortress", &keep()).get("svg").is_none());
    let mut drawn = keep();
    drawn["draw"] = json!(true);
    drawn["elements"][0]["name"] = json!("<wall & co>");
    drawn["elements"][2]["destroyed"] = json!(true);
    drawn["elements"][3]["destruction_dice"] = json!(3);
    drawn["elements"][4] = with(&drawn["elements"][4], &json!({ "stands": 1, "taken": true, "oil": true }));
    let answer = answer("breach.fortress", &drawn);
    let svg = answer["svg"].as_str().unwrap();
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
    assert!(svg.contains("&lt;wall &amp; co&gt;") && !svg.contains("<wall"));
}

#[test]
fn plans_that_cannot_be_are_refused() {
    let plan = |part: Value| json!({ "elements": [part] });
    let wall = part("a", "wall", [0, 0, 4, 2]);
    assert_eq!(refused("breach.fortress", &json!({ "elements": [] })).0, "elements");
    assert_eq!(refused("breach.fortress", &plan(with(&wall, &json!({ "w_cm": 0 })))).0, "elements.0.w_cm");
    assert_eq!(refused("breach.fortress", &plan(with(&wall, &json!({ "x_cm": 5000 })))).0, "elements.0.x_cm");
    assert_eq!(refused("breach.fortress", &plan(with(&wall, &json!({ "name": "" })))).0, "elements.0.name");
    assert_eq!(refused("breach.fortress", &json!({ "elements": [wall, wall] })).0, "elements.1.name");
}

prop_compose! {
    fn any_part()(kind in prop::sample::select(vec!["wall", "tower", "gate"]), x in 0..20_000, y in 0..13_000,
        w in 1..800, d in 1..800, tall: bool, destroyed: bool, dice in 0..21, stands in 0..8, taken: bool, oil: bool) -> Value {
        let cm = |hundredths: i32| f64::from(hundredths) / 100.0;
        json!({ "kind": kind, "x_cm": cm(x), "y_cm": cm(y), "w_cm": cm(w), "d_cm": cm(d), "tall": tall,
            "destroyed": destroyed, "destruction_dice": dice, "stands": stands, "taken": taken, "oil": oil })
    }
}

proptest! {
    #[test]
    fn any_plan_is_answered_and_every_violation_names_its_rule(
        mut parts in prop::collection::vec(any_part(), 1..30), points in prop::option::of(1..5000), draw: bool,
    ) {
        for (place, part) in parts.iter_mut().enumerate() {
            part["name"] = json!(format!("p{place}"));
        }
        let mut request = json!({ "elements": parts, "draw": draw });
        if let Some(points) = points {
            request["defender_points"] = json!(points);
        }
        let answer = answer("breach.fortress", &request);
        for violation in answer["violations"].as_array().unwrap() {
            let rule = violation["rule"].as_str().unwrap();
            prop_assert!(rulebook::entry(rule).is_some(), "{rule}");
        }
    }
}
