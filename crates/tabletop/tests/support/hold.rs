//! What must hold of anything anybody may send: every question answers it or refuses it, in JSON and
//! without a panic. The fuzz targets of `fuzz/` and the property tests call the same functions.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a check fails loudly")]
#![allow(dead_code, reason = "each user takes what it needs")]
use rulebook::Lang;
use serde_json::{Value, json};

/// Any text, to every question.
pub(crate) fn any_text(text: &str) {
    for asking in tabletop::questions() {
        let reply = asking.ask(text, Lang::Fr);
        assert!(serde_json::from_str::<Value>(&reply.json).is_ok(), "{}: {}", asking.name, reply.json);
    }
}

/// Any scene, to the questions that look at one, with two of its bodies by their places.
pub(crate) fn any_scene(scene: &Value, shooter: usize, target: usize) {
    let name = |k: usize| scene["bodies"][k]["id"].as_str().unwrap_or("nobody").to_owned();
    let (from, to) = (name(shooter), name(target));
    let requests = [
        ("tabletop.scene", json!({ "scene": scene, "show": [from] })),
        ("tabletop.sight", json!({ "scene": scene, "from": from, "to": to, "draw": true })),
        ("tabletop.shoot", json!({ "scene": scene, "shooter": from })),
        (
            "tabletop.shoot",
            json!({ "scene": scene, "shooter": from, "target": to, "projectile": "canister" }),
        ),
    ];
    for (question, request) in requests {
        let asking = tabletop::questions().into_iter().find(|asking| asking.name == question).unwrap();
        let reply = asking.ask(&request.to_string(), Lang::En);
        assert!(serde_json::from_str::<Value>(&reply.json).is_ok(), "{question}: {}", reply.json);
    }
}
