//! Sight as the umpire tells it: the examples of the terrain chapter and every rule that hides or
//! shows, each at its limit.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use crate::asked;
use crate::support::{company, foot, guns, stand};
use serde_json::{Value, json};

fn ask(terrain: &[Value], bodies: &[Value], from: &str, to: &str) -> Value {
    put("tabletop.sight", terrain, bodies, json!({ "from": from, "to": to }))
}

/// Puts a question about a table.
fn put(question: &str, terrain: &[Value], bodies: &[Value], mut request: Value) -> Value {
    request["scene"] =
        json!({ "name": "t", "width": 200, "depth": 200, "terrain": terrain, "bodies": bodies });
    let reply = asked::ask(question, &request);
    assert!(reply["answer"].is_object(), "{reply}");
    reply
}

/// The rule that hides the body `t` from the body `s`; nothing if it is seen.
fn hidden(terrain: &[Value], bodies: &[Value]) -> Option<String> {
    ask(terrain, bodies, "s", "t")["answer"]["blocked"]["rule"].as_str().map(str::to_owned)
}

/// The rules that are told.
fn told(reply: &Value) -> Vec<&str> {
    reply["because"].as_array().unwrap().iter().map(|one| one["rule"].as_str().unwrap()).collect()
}

fn says(reply: &Value, sees: bool, rules: &[&str]) {
    assert_eq!(reply["answer"]["sees"], sees, "{}", reply["answer"]);
    for rule in rules {
        assert!(told(reply).contains(rule), "{rule} in {:?}", told(reply));
    }
}

fn line(id: &str, side: &str, figures: i32, x: f64, y: f64, facing: f64) -> Value {
    foot(id, side, &[company("a", figures, 4)], stand(x, y, facing, "line"))
}

fn open(id: &str, side: &str, figures: i32, x: f64, y: f64, facing: f64) -> Value {
    foot(id, side, &[company("a", figures, 4)], stand(x, y, facing, "skirmish"))
}

fn column(id: &str, side: &str, width: i32, x: f64, y: f64, facing: f64) -> Value {
    let companies: Vec<Value> = (0..3).map(|k| company(&format!("c{k}"), width, 4)).collect();
    foot(id, side, &companies, stand(x, y, facing, "company-column"))
}

fn horse(id: &str, side: &str, squadrons: &[i32], x: f64, y: f64, facing: f64, formation: &str) -> Value {
    let companies: Vec<Value> = squadrons
        .iter()
        .enumerate()
        .map(|(k, figures)| json!({ "name": format!("s{k}"), "figures": figures, "fire": 2, "weapon": "musketoon" }))
        .collect();
    json!({ "id": id, "side": side, "place": stand(x, y, facing, formation),
        "troops": { "cavalry": { "class": "light", "companies": companies } } })
}

fn revealed(mut body: Value) -> Value {
    body["record"] = json!({ "revealed": true });
    body
}

fn element(id: &str, shape: Value) -> Value {
    json!({ "id": id, "shape": shape })
}

fn ring(left: f64, low: f64, right: f64, high: f64) -> Value {
    json!([[left, low], [right, low], [right, high], [left, high]])
}

/// A hill from y = 40 to y = 60 whose crest runs along y = 50.
fn hill() -> Value {
    element(
        "ridge",
        json!({ "hill": { "outline": ring(20.0, 40.0, 180.0, 60.0), "crest": [[30, 50], [170, 50]] } }),
    )
}

/// A body astride that crest, facing north.
fn on_crest() -> Value {
    line("s", "blue", 6, 100.0, 51.0, 0.0)
}

fn wood(left: f64, low: f64, right: f64, high: f64) -> Value {
    element("grove", json!({ "wood": { "outline": ring(left, low, right, high) } }))
}

#[test]
fn te_ex_01_an_observer_astride_the_crest() {
    let seen = |masker: Value, target: Value, rule: &str| {
        says(&ask(&[hill()], &[on_crest(), masker, target], "s", "t"), true, &[rule]);
    };
    // Six centimetres behind the rear of the masker.
    seen(column("m", "red", 3, 100.0, 90.0, 180.0), line("t", "red", 12, 100.0, 103.5, 180.0), "TE-2.3-08");
    let masker = || line("m", "red", 12, 100.0, 90.0, 180.0);
    seen(masker(), horse("t", "red", &[2, 2, 2], 100.0, 98.5, 180.0, "column"), "TE-2.3-09");
    seen(masker(), horse("t", "red", &[6], 100.0, 98.5, 180.0, "line"), "TE-2.3-09");
    seen(open("m", "red", 6, 100.0, 90.0, 180.0), column("t", "red", 3, 100.0, 98.5, 180.0), "TE-2.3-10");
}

#[test]
fn te_ex_35_targets_seen_from_a_crest() {
    let behind = |distance: f64| {
        let target = line("t", "red", 6, 100.0, 110.0 + distance, 180.0);
        hidden(&[hill(), wood(60.0, 100.0, 140.0, 110.0)], &[on_crest(), target])
    };
    assert_eq!((behind(15.0).as_deref(), behind(15.1)), (Some("TE-2.3-04"), None));
    let masked = |distance: f64| {
        let target = line("t", "red", 6, 100.0, 92.5 + distance, 180.0);
        ask(&[hill()], &[on_crest(), line("m", "red", 30, 100.0, 90.0, 180.0), target], "s", "t")
    };
    says(&masked(10.0), false, &["TE-2.3-05", "TE-2.3-07", "TE-2.3-16"]);
    says(&masked(10.1), true, &["TE-2.3-02"]);
    let at_foot = |gap: f64| {
        let target = line("t", "red", 4, 100.0, 60.0 + gap, 180.0);
        hidden(&[hill(), wood(80.0, 53.0, 120.0, 58.0)], &[on_crest(), target])
    };
    assert_eq!((at_foot(14.9).as_deref(), at_foot(15.0)), (Some("TE-2.3-06"), None));
}

/// Whether a single figure on the crest sees another, its front so far behind a wood.
fn seen_behind_a_wood(distance: f64, measure: &str) -> bool {
    let terrain = [hill(), wood(60.0, 100.0, 140.0, 110.0)];
    let (scout, target) =
        (line("s", "blue", 1, 100.0, 51.0, 0.0), line("t", "red", 1, 100.0, 110.0 + distance, 180.0));
    let request = json!({ "from": "s", "to": "t", "options": { "dead_ground_measure": measure } });
    put("tabletop.sight", &terrain, &[scout, target], request)["answer"]["sees"] == true
}

#[test]
fn dead_ground_along_the_sight_hides_only_a_base_that_lies_in_it_whole() {
    // The farthest point by which a base is seen is 2.45 cm behind its front.
    assert!(!seen_behind_a_wood(12.55, "along_the_sight"));
    assert!(seen_behind_a_wood(12.65, "along_the_sight"));
    assert!(!seen_behind_a_wood(12.65, "to_the_base"));
}

#[test]
fn te_ex_36_units_behind_a_crest() {
    let target = || column("t", "red", 3, 100.0, 110.0, 180.0);
    let behind = |body: Value| ask(&[hill()], &[body, target()], "s", "t");
    let back = |body: Value| ask(&[hill()], &[target(), body], "t", "s")["answer"]["sees"] == true;
    let infantry = |gap: f64| line("s", "blue", 6, 100.0, 50.0 - gap, 0.0);
    says(&behind(infantry(0.05)), true, &["TE-2.3-02"]);
    assert!(back(infantry(0.05)), "who occupies the crest is seen");
    for gap in [0.1, 2.5] {
        says(&behind(infantry(gap)), true, &["TE-2.3-12", "TE-2.3-13"]);
        assert!(!back(infantry(gap)), "who hides {gap} cm behind it is not");
    }
    says(&behind(infantry(2.6)), false, &["TE-2.3-01"]);
    let cavalry = |gap: f64| horse("s", "blue", &[4], 100.0, 50.0 - gap, 0.0, "line");
    let battery = |gap: f64| guns("s", 6, 4, 5, stand(100.0, 50.0 - gap, 0.0, "limbered"));
    for gap in [2.6, 5.0] {
        says(&behind(cavalry(gap)), true, &["TE-2.3-14"]);
        says(&behind(battery(gap)), true, &["TE-2.3-15"]);
    }
    says(&behind(cavalry(5.1)), false, &["TE-2.3-01"]);
    says(&behind(battery(5.1)), false, &["TE-2.3-01"]);
    let seen_hiding = ask(&[hill()], &[target(), infantry(1.0)], "t", "s");
    assert_eq!(seen_hiding["answer"]["blocked"]["by"], "ridge");
}

#[test]
fn te_ex_39_figures_in_a_wood() {
    let copse = || wood(80.0, 80.0, 120.0, 120.0);
    let out = |depth: f64| {
        let looker = line("s", "blue", 4, 100.0, 120.0 - depth, 0.0);
        hidden(&[copse()], &[looker, column("t", "red", 3, 100.0, 150.0, 180.0)])
    };
    assert_eq!((out(1.9), out(2.0).as_deref()), (None, Some("TE-4.2-02")));
    let inside = |gap: f64| {
        let looker = line("s", "blue", 4, 100.0, 95.0, 0.0);
        [looker, line("t", "red", 4, 100.0, 95.0 + gap, 180.0)]
    };
    let seen = |gap: f64| hidden(&[copse()], &inside(gap));
    assert_eq!((seen(8.0), seen(8.1).as_deref()), (None, Some("TE-4.2-03")));
    let fire = |gap: f64| {
        let list = put("tabletop.shoot", &[copse()], &inside(gap), json!({ "shooter": "s" }));
        list["answer"]["targets"][0]["body"].as_str() == Some("t")
    };
    assert_eq!((fire(8.0), fire(8.1)), (true, false));
}

#[test]
fn te_ex_54_a_walled_farm() {
    let farm = json!({ "id": "farm", "hidden_in": "grove",
        "shape": { "house": { "corner": [95, 95], "length": 9, "width": 8 } } });
    let terrain = [wood(80.0, 80.0, 120.0, 120.0), farm];
    let outside = ask(&terrain, &[line("s", "blue", 4, 100.0, 79.0, 0.0)], "s", "farm");
    says(&outside, false, &["TE-4.3-10"]);
    assert_eq!(outside["answer"]["blocked"]["by"], "grove");
    let within = ask(&terrain, &[line("s", "blue", 4, 100.0, 87.0, 0.0)], "s", "farm");
    says(&within, true, &["TE-4.3-10"]);
    let farther = ask(&terrain, &[line("s", "blue", 4, 100.0, 86.0, 0.0)], "s", "farm");
    says(&farther, false, &["TE-4.3-10"]);
    says(&ask(&terrain, &[line("s", "blue", 4, 100.0, 60.0, 0.0)], "s", "grove"), true, &[]);
}

#[test]
fn a_clearing_is_known_only_to_those_within_the_wood() {
    let outline = ring(80.0, 80.0, 120.0, 120.0);
    let glade = element(
        "grove",
        json!({ "wood": { "outline": outline, "clearings": [ring(94.0, 94.0, 106.0, 106.0)] } }),
    );
    let camped = || line("t", "red", 2, 100.0, 100.0, 180.0);
    let outside = line("s", "blue", 4, 100.0, 70.0, 0.0);
    assert_eq!(hidden(std::slice::from_ref(&glade), &[outside, camped()]).as_deref(), Some("TE-4.3-10"));
    assert_eq!(hidden(&[glade], &[line("s", "blue", 2, 100.0, 93.5, 0.0), camped()]), None);
}

#[test]
fn a_wood_hides_what_is_behind_and_in_it() {
    let copse = || wood(80.0, 80.0, 120.0, 120.0);
    let looker = || line("s", "blue", 4, 100.0, 60.0, 0.0);
    let seen = |target: Value| ask(&[copse()], &[looker(), target], "s", "t");
    says(&seen(line("t", "red", 4, 100.0, 140.0, 180.0)), false, &["TE-4.2-01", "TE-1.3-02"]);
    says(&seen(revealed(line("t", "red", 4, 100.0, 90.0, 180.0))), false, &["TE-4.2-04"]);
    let at_edge = || line("t", "red", 4, 100.0, 80.5, 180.0);
    says(&seen(at_edge()), false, &["TE-4.2-05"]);
    assert_eq!(seen(revealed(at_edge()))["answer"]["sees"], true, "once it has fired");
}

/// A plateau with its top from (60, 60) to (140, 140) and a slope of ten centimetres.
fn plateau() -> Value {
    element(
        "table",
        json!({ "plateau": { "outline": ring(50.0, 50.0, 150.0, 150.0), "crest": ring(60.0, 60.0, 140.0, 140.0) } }),
    )
}

#[test]
fn from_a_plateau_and_up_to_it() {
    let plain = |gap: f64| line("t", "red", 3, 100.0, 60.0 - gap, 0.0);
    let from =
        |y: f64, gap: f64| ask(&[plateau()], &[line("s", "blue", 6, 100.0, y, 180.0), plain(gap)], "s", "t");
    says(&from(60.0, 12.0), true, &["TE-3.2-01"]);
    says(&from(80.0, 15.0), false, &["TE-3.2-02", "TE-2.3-16"]);
    says(&from(80.0, 15.1), true, &["TE-3.2-02"]);
    let up = |gap: f64| {
        let below = line("s", "blue", 3, 100.0, 60.0 - gap, 0.0);
        ask(&[plateau()], &[below, line("t", "red", 6, 100.0, 80.0, 180.0)], "s", "t")
    };
    says(&up(15.0), false, &["TE-3.2-03"]);
    says(&up(15.1), true, &["TE-3.2-03"]);
}

#[test]
fn te_ex_37_a_plateau_and_the_plain_below() {
    // One on the top, 4 cm behind the contour, the other in the plain so far from it.
    let pair = |gap: f64| {
        [line("s", "blue", 6, 100.0, 60.0 + 4.0, 180.0), line("t", "red", 6, 100.0, 60.0 - gap, 0.0)]
    };
    let sees = |gap: f64| [("s", "t"), ("t", "s")].map(|(from, to)| ask(&[plateau()], &pair(gap), from, to));
    for (seen, rule) in sees(15.0).iter().zip(["TE-3.2-02", "TE-3.2-03"]) {
        assert_eq!(seen["answer"]["blocked"]["rule"], rule, "{seen}");
    }
    assert!(sees(15.1).iter().all(|seen| seen["answer"]["sees"] == true));
    let shoot = |gap: f64| {
        ["s", "t"].map(|shooter| {
            put("tabletop.shoot", &[plateau()], &pair(gap), json!({ "shooter": shooter }))["answer"].clone()
        })
    };
    for (list, rule) in shoot(15.0).iter().zip(["TE-3.2-02", "TE-3.2-03"]) {
        assert_eq!(list["refused"][0]["rule"], rule, "{list}");
    }
    for list in shoot(15.1) {
        let target = &list["targets"][0];
        let distance = target["distance"].as_f64().unwrap();
        assert!((19.1..=21.0).contains(&distance), "within the 21 cm of a musket: {list}");
    }
}

fn house(garrison: bool, shown: bool) -> (Vec<Value>, Value) {
    let terrain = vec![
        element("road", json!({ "road": { "axis": [[0, 98], [200, 98]], "width": 4 } })),
        element("inn", json!({ "house": { "corner": [95, 100.2], "length": 10, "width": 8 } })),
    ];
    let mut body = foot(
        "t",
        "red",
        &[company("a", 4, 4)],
        json!({ "garrison": { "house": "inn", "posts": [{ "side": 0, "company": "a", "figures": 4 }] } }),
    );
    if !garrison {
        body = line("t", "red", 3, 100.0, 120.0, 180.0);
    }
    (terrain, if shown { revealed(body) } else { body })
}

#[test]
fn houses_block_and_hide_and_are_looked_out_of() {
    let looker = || line("s", "blue", 3, 100.0, 80.0, 0.0);
    let (terrain, behind) = house(false, false);
    says(&ask(&terrain, &[looker(), behind], "s", "t"), false, &["TE-5.3-02", "TE-1.3-02"]);
    let (terrain, quiet) = house(true, false);
    says(&ask(&terrain, &[looker(), quiet.clone()], "s", "t"), false, &["TE-5.3-04"]);
    let (_, fired) = house(true, true);
    assert_eq!(ask(&terrain, &[looker(), fired], "s", "t")["answer"]["sees"], true);
    says(&ask(&terrain, &[looker(), quiet.clone()], "t", "s"), true, &["TE-5.3-01"]);
    let aside = line("s", "blue", 3, 100.0, 140.0, 180.0);
    says(&ask(&terrain, &[aside, quiet], "t", "s"), false, &["TE-5.3-01"]);
    let mut with_hill = terrain;
    with_hill.push(hill());
    let behind = |gap: f64| line("t", "red", 3, 100.0, 108.2 + gap, 180.0);
    says(&ask(&with_hill, &[on_crest(), behind(10.0)], "s", "t"), false, &["TE-5.3-03"]);
    assert_eq!(ask(&with_hill, &[on_crest(), behind(15.1)], "s", "t")["answer"]["sees"], true);
}

#[test]
fn what_lies_low_does_not_block() {
    let terrain = [
        element("hedge", json!({ "obstacle": { "line": [[80, 100], [120, 100]], "class": "light" } })),
        element("wall", json!({ "obstacle": { "line": [[80, 102], [120, 102]], "class": "hard" } })),
        element(
            "furrows",
            json!({ "field": { "kind": "ploughed", "outline": ring(80.0, 104.0, 120.0, 110.0) } }),
        ),
        element(
            "gun",
            json!({ "abandoned-battery": { "at": [100, 118], "facing": 0, "crew": 4, "cause": "spiked" } }),
        ),
    ];
    let bodies = [line("s", "blue", 2, 100.0, 90.0, 0.0), line("t", "red", 2, 100.0, 130.0, 180.0)];
    says(&ask(&terrain, &bodies, "s", "t"), true, &["TE-8.2-01", "TE-9.2-09", "TE-9.3-06"]);
}

/// A field of tall crops.
fn rye() -> Value {
    element("rye", json!({ "field": { "kind": "tall-crops", "outline": ring(80.0, 80.0, 120.0, 120.0) } }))
}

#[test]
fn te_ex_47_infantry_in_wheat() {
    let seen = |from: Value, to: Value| ask(&[rye()], &[from, to], "s", "t");
    let inside = |id: &str, side: &str, y: f64| line(id, side, 4, 100.0, y, 0.0);
    // Five centimetres from the edge, and from whoever stands behind it.
    let outside = |id: &str| line(id, "red", 4, 100.0, 120.0 + 5.0, 180.0);
    let edge = |depth: f64| inside("t", "blue", 120.0 - depth);
    for depth in [1.9, 2.0] {
        says(&seen(outside("s"), edge(depth)), false, &["TE-9.2-05"]);
    }
    let out = |depth: f64| seen(inside("s", "blue", 120.0 - depth), outside("t"));
    assert_eq!(out(1.9)["answer"]["sees"], true);
    says(&out(2.0), false, &["TE-9.2-06", "TE-2.3-16"]);
    let within = |gap: f64| seen(inside("s", "blue", 95.0), line("t", "red", 4, 100.0, 95.0 + gap, 180.0));
    assert_eq!(within(3.9)["answer"]["sees"], true);
    says(&within(4.0), false, &["TE-9.2-08"]);
    for depth in [1.9, 2.0] {
        let bodies = [inside("s", "blue", 120.0 - depth), outside("t")];
        let scene = json!({ "name": "t", "width": 200, "depth": 200, "terrain": [rye()], "bodies": bodies });
        for request in [
            json!({ "scene": scene, "shooter": "s" }),
            json!({ "scene": scene, "shooter": "s", "target": "t" }),
        ] {
            let reply = asked::ask("tabletop.shoot", &request);
            assert_eq!(reply["refused"]["rule"], "TE-9.2-07", "{depth} cm: {reply}");
        }
    }
}

#[test]
fn who_is_hidden_is_no_target() {
    let bodies = [line("s", "blue", 6, 100.0, 90.0, 0.0), line("t", "red", 3, 100.0, 104.0, 180.0)];
    let scene = json!({ "name": "t", "width": 200, "depth": 200, "terrain": [wood(80.0, 96.0, 120.0, 101.0)], "bodies": bodies });
    let reply = asked::ask("tabletop.shoot", &json!({ "scene": scene, "shooter": "s" }));
    assert_eq!(reply["answer"]["refused"][0]["rule"], "TE-4.2-01", "{reply}");
    assert!(told(&reply).contains(&"TE-2.3-11"));
}

#[test]
fn a_hedge_may_close_around_a_meadow() {
    let meadow = element(
        "meadow",
        json!({ "obstacle": { "line": ring(80.0, 80.0, 120.0, 120.0), "closed": true, "class": "light" } }),
    );
    let scene = json!({ "name": "t", "width": 200, "depth": 200, "terrain": [meadow] });
    let reply = asked::ask("tabletop.scene", &json!({ "scene": scene, "draw": false }));
    assert!(told(&reply).contains(&"TE-8.1-04"), "{reply}");
}

/// Who stands behind a crest is not fired at, and the fire chapter says so too.
#[test]
fn nobody_fires_over_a_crest() {
    let gunner = line("s", "blue", 12, 100.0, 45.0, 0.0);
    let behind = line("t", "red", 12, 100.0, 55.0, 180.0);
    let reply = put("tabletop.shoot", &[hill()], &[gunner, behind], json!({ "shooter": "s" }));
    assert_eq!(reply["answer"]["refused"][0]["rule"], "TE-2.3-01");
    assert!(told(&reply).contains(&"FE-1.3-06"), "{:?}", told(&reply));
}
