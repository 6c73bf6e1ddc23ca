//! The scenes of `scenarios/tabletop`: each is in order, is drawn, and tells the story it announces.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    unreachable_pub,
    reason = "a test may fail loudly, and shares its helpers"
)]

use std::fs;
use std::path::Path;

use crate::asked::ask;
use kernel::Node;
use rulebook::options::tabletop::Options;
use serde_json::{Value, json};
use tabletop::scene::{Scene, Setup};

fn folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/tabletop")
}

fn text(name: &str) -> String {
    fs::read_to_string(folder().join(format!("{name}.json"))).unwrap()
}

fn scene(name: &str) -> Scene {
    let setup: Setup =
        Node::parse(&text(name)).unwrap().read().unwrap_or_else(|fault| panic!("{name}: {fault}"));
    setup.check(&Options::default()).unwrap_or_else(|faults| {
        panic!("{name}: {}", faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    })
}

fn written(name: &str) -> Value {
    serde_json::from_str(&text(name)).unwrap()
}

#[test]
fn every_scene_is_in_order_and_can_be_drawn() {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 8);
    for name in names {
        let scene = scene(&name);
        let svg = tabletop::draw::svg(&scene, &[]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
        for body in scene.bodies() {
            assert!(svg.contains(&body.name().replace('&', "&amp;")), "{name}: {}", body.name());
        }
        if let Ok(folder) = std::env::var("GLACIS_SVG") {
            fs::write(Path::new(&folder).join(format!("{name}.svg")), svg).unwrap();
        }
    }
}

#[test]
fn every_scene_says_in_which_state_its_ground_leaves_its_bodies() {
    let mut unsaid = Vec::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
        let scene = scene(&name);
        let worse = scene.bodies().iter().filter(|body| body.state != body.setup.state);
        unsaid.extend(worse.map(|body| format!("{name}: {} is {:?}", body.id(), body.imposed)));
    }
    assert_eq!(unsaid, Vec::<String>::new());
}

fn shoot(name: &str, more: &Value) -> Value {
    let mut request = json!({ "scene": written(name) });
    for (key, value) in more.as_object().unwrap() {
        request[key] = value.clone();
    }
    let reply = ask("tabletop.shoot", &request);
    if let Ok(folder) = std::env::var("GLACIS_SVG")
        && let Some(svg) = reply["answer"]["svg"].as_str()
    {
        let target = more["target"].as_str().unwrap_or("all");
        fs::write(
            Path::new(&folder).join(format!("{name}-{}-{target}.svg", more["shooter"].as_str().unwrap())),
            svg,
        )
        .unwrap();
    }
    reply
}

fn look(name: &str, from: &str, to: &str) -> Value {
    let reply =
        ask("tabletop.sight", &json!({ "scene": written(name), "from": from, "to": to, "draw": true }));
    if let Ok(folder) = std::env::var("GLACIS_SVG") {
        let svg = reply["answer"]["svg"].as_str().unwrap_or_else(|| panic!("{reply}"));
        fs::write(Path::new(&folder).join(format!("{name}-sight-{from}-{to}.svg")), svg).unwrap();
    }
    reply["answer"].clone()
}

#[test]
fn the_column_behind_the_hedge_has_light_cover_from_the_battery() {
    let reply = shoot(
        "column-behind-the-hedge",
        &json!({ "shooter": "battery", "target": "column", "dice": [4], "draw": true }),
    );
    let hit = &reply["answer"]["hits"][0];
    assert_eq!(hit["body"], "column", "{reply}");
    assert_eq!(hit["cover"], "light");
    // 6, deep +3, light cover -1, at 34.5 cm no band, die +1: 9; four gunners.
    assert_eq!(hit["groups"], json!([{ "factor": 9, "figures": 4, "duration": "whole", "cover": "light" }]));
}

#[test]
fn the_screen_takes_its_share_trace_3() {
    let reply = shoot(
        "skirmish-screen",
        &json!({ "shooter": "line", "target": "column", "dice": [5], "draw": true }),
    );
    let hits = reply["answer"]["hits"].as_array().unwrap_or_else(|| panic!("{reply}"));
    let told: Vec<(&str, i64)> =
        hits.iter().map(|hit| (hit["body"].as_str().unwrap(), hit["losses"].as_i64().unwrap())).collect();
    assert_eq!(told, [("screen", 25), ("column", 25)]);
}

#[test]
fn the_balls_of_the_grand_battery_go_through_two_bodies_and_stop_in_the_third() {
    let reply =
        shoot("grand-battery", &json!({ "shooter": "b12", "target": "line", "dice": [5], "draw": true }));
    let hits = reply["answer"]["hits"].as_array().unwrap_or_else(|| panic!("{reply}"));
    let order: Vec<&str> = hits.iter().map(|hit| hit["body"].as_str().unwrap()).collect();
    assert_eq!(order, ["screen", "line", "column"]);
}

#[test]
fn the_crest_hides_what_lies_behind_it() {
    let seen = look("crest", "column", "foot");
    assert_eq!(seen["sees"], true, "{}", seen["blocked"]);
    let hidden = look("crest", "column", "watch");
    assert_eq!(hidden["sees"], false);
    assert_eq!(hidden["blocked"]["by"], "ridge");
    assert_eq!(look("crest", "column", "reserve")["sees"], false);
    assert_eq!(look("crest", "watch", "column")["sees"], true, "the scouts look over the crest");
    assert_eq!(look("crest", "foot", "hidden")["sees"], true, "from above, past the inn");
}

#[test]
fn the_garrison_fires_from_the_sides_that_nobody_touches_fe_ex_51() {
    let touched = shoot(
        "village-street",
        &json!({ "shooter": "garrison", "part": { "side": 0 }, "target": "assault" }),
    );
    assert_eq!(touched["refused"]["rule"], "TE-5.4-03", "{touched}");
    let free =
        shoot("village-street", &json!({ "shooter": "garrison", "part": { "side": 1 }, "draw": true }));
    assert!(free["answer"]["slots"].as_array().is_some(), "{free}");
}

#[test]
fn the_face_that_is_struck_fires_point_blank_and_its_neighbours_do_not() {
    let struck = shoot(
        "square-charged",
        &json!({ "shooter": "square", "part": { "face": 0 }, "target": "cuirassiers", "dice": [2], "draw": true }),
    );
    assert_eq!(struck["answer"]["point_blank"], true, "{struck}");
    let list = shoot("square-charged", &json!({ "shooter": "square", "part": { "face": 0 } }));
    assert_eq!(list["answer"]["slots"], json!(["charged"]), "{list}");
    let flank = shoot("square-charged", &json!({ "shooter": "square", "part": { "face": 1 } }));
    assert_eq!(flank["answer"]["slots"], json!(["first", "joint", "second"]), "{flank}");
}

#[test]
fn nobody_fires_while_wading_and_the_ford_gives_no_cover() {
    let wading = shoot("river-crossing", &json!({ "shooter": "ligne", "target": "erbach" }));
    assert_eq!(wading["refused"]["rule"], "TE-6.3-07", "{wading}");
    let fired = shoot(
        "river-crossing",
        &json!({ "shooter": "erbach", "target": "ligne", "dice": [3], "draw": true }),
    );
    assert_eq!(fired["answer"]["hits"][0]["cover"], "none", "{fired}");
}

#[test]
fn the_wood_hides_its_depth_and_shelters_its_edge() {
    assert_eq!(look("wood-edge", "line", "supports")["sees"], false);
    let fired =
        shoot("wood-edge", &json!({ "shooter": "line", "target": "jager", "dice": [3], "draw": true }));
    assert_eq!(fired["answer"]["hits"][0]["cover"], "light", "{fired}");
}

#[test]
fn the_farm_is_hard_cover_and_the_guns_may_set_it_on_fire() {
    let fired = shoot("fortified-farm", &json!({ "shooter": "column-a", "target": "light", "dice": [3] }));
    assert!(fired["refused"]["rule"].is_string(), "a marching column does not fire: {fired}");
    let list = shoot("fortified-farm", &json!({ "shooter": "light", "part": { "side": 0 }, "draw": true }));
    assert!(list["answer"]["targets"].as_array().is_some_and(|all| !all.is_empty()), "{list}");
}

/// FE-3.3-08: whether canister or ball would reach is not measured before it is announced.
#[test]
fn a_battery_is_not_told_the_distances_that_small_arms_are() {
    let guns = shoot("grand-battery", &json!({ "shooter": "b12" }));
    let targets = guns["answer"]["targets"].as_array().unwrap_or_else(|| panic!("{guns}"));
    assert!(!targets.is_empty() && targets.iter().all(|one| one.get("distance").is_none()), "{guns}");
    let foot = shoot("wood-edge", &json!({ "shooter": "line" }));
    let targets = foot["answer"]["targets"].as_array().unwrap_or_else(|| panic!("{foot}"));
    assert!(!targets.is_empty() && targets.iter().all(|one| one["distance"].is_number()), "{foot}");
}

/// FE-3.2-02 and FE-3.1-02: the crews of the table, and FE-R32 between and beyond them.
#[test]
fn fe_3_2_02_a_crew_has_half_as_many_figures_as_guns_three_to_six() {
    let crews = [6, 8, 12, 10, 4, 24].map(tabletop::scene::crew_by_guns);
    assert_eq!(crews, [3, 4, 6, 5, 3, 6]);
}
