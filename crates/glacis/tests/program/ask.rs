//! `glacis ask` as a script sees it: lines in, lines out, exit status.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may fail loudly")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn glacis(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

fn lines(output: &Output) -> Vec<serde_json::Value> {
    String::from_utf8_lossy(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const GOOD: &str = r#"{"shooter":{"weapon":"musket","factor":4,"figures":12},"distance_cm":6.0,"target":{"class":"mass"},"dice":[4]}"#;

fn fire(change: &str, to: &str) -> String {
    let text = GOOD.replacen(change, to, 1);
    assert_ne!(text, GOOD, "{change} is in the request");
    text
}

#[test]
fn a_bad_line_does_not_stop_the_stream_and_the_status_tells() {
    let input = format!("{GOOD}\n{{\nnot json\n\n{GOOD}\n");
    let output = glacis(&["ask", "tabletop.fire"], input.as_bytes());
    let replies = lines(&output);
    assert_eq!(replies.len(), 5);
    assert_eq!(replies[0], replies[4]);
    assert_eq!(replies[0]["answer"]["losses"], 60);
    for bad in &replies[1..4] {
        assert!(bad["refused"]["message"].as_str().unwrap().starts_with("this is not JSON"), "{bad}");
        assert!(bad["refused"]["field"].is_null() && bad["refused"]["rule"].is_null());
    }
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(glacis(&["ask", "tabletop.fire"], GOOD.as_bytes()).status.code(), Some(0));
}

#[test]
fn every_impossible_value_is_refused_by_name() {
    for (change, to, field) in [
        ("\"figures\":12", "\"figures\":-12", "shooter.figures"),
        ("\"figures\":12", "\"figures\":1000000000", "shooter.figures"),
        ("\"figures\":12", "\"figures\":1.5", "shooter.figures"),
        ("\"figures\":12", "\"figures\":\"12\"", "shooter.figures"),
        ("\"figures\":12", "\"figures\":null", "shooter.figures"),
        ("\"figures\":12", "\"figures\":12,\"superior\":13", "shooter.superior"),
        ("\"figures\":12", "\"figures\":12,\"hats\":1", "shooter.hats"),
        ("\"figures\":12", "\"figures\":12,\"figures\":12", "shooter.figures"),
        ("\"musket\"", "\"bow\"", "shooter.weapon"),
        ("\"musket\"", "\"calibre-6\",\"order\":\"close\"", "shooter.order"),
        ("\"musket\"", "\"calibre-6\",\"superior\":1", "shooter.superior"),
        ("\"musket\"", "\"calibre-6\",\"state\":\"unformed\"", "shooter.state"),
        ("6.0", "-0.5", "distance_cm"),
        ("6.0", "1e300", "distance_cm"),
        ("6.0", "21.01", "distance_cm"),
        ("6.0", "6,\"projectile\":\"ball\"", "projectile"),
        ("\"mass\"", "\"mass\",\"in_position\":true", "target.in_position"),
        ("\"class\":\"mass\"", "\"arm\":\"infantry\"", "target.class"),
        ("\"mass\"", "\"mass\",\"marker\":3", "target.marker"),
        ("\"mass\"", "\"mass\",\"marker\":40", "target.marker"),
        ("\"mass\"", "\"mass\",\"figures\":0", "target.figures"),
        ("[4]", "[7]", "dice"),
        ("[4]", "[0]", "dice"),
        ("[4]", "[]", "dice"),
        ("[4]", "[4,4]", "dice"),
        ("[4]", "4", "dice"),
        ("[4]", "null", "dice"),
        ("[4]", "[4],\"options\":{\"skirmish_dice\":\"all\"}", "options.skirmish_dice"),
        ("[4]", "[4],\"options\":{\"skirmish_die\":\"all\"}", "options.skirmish_die"),
        ("[4]", "[4],\"options\":{\"skirmish_die\":1}", "options.skirmish_die"),
        ("[4]", "[4],\"lang\":\"de\"", "lang"),
        ("{\"shooter\"", "{\"wind\":1,\"shooter\"", "wind"),
    ] {
        for lang in ["fr", "en"] {
            let output = glacis(&["ask", "tabletop.fire", "--lang", lang], fire(change, to).as_bytes());
            let reply = &lines(&output)[0];
            assert_eq!(reply["refused"]["field"], field, "{to}: {reply}");
            assert!(!reply["refused"]["message"].as_str().unwrap().contains("kernel-"), "{reply}");
            assert_eq!(output.status.code(), Some(1));
        }
    }
}

#[test]
fn a_die_is_not_used_where_nothing_is_rolled() {
    let lost = fire("\"musket\"", "\"calibre-6\"").replace("6.0", "90.01");
    let reply = &lines(&glacis(&["ask", "tabletop.fire"], lost.as_bytes()))[0];
    assert_eq!(reply["answer"]["lost"], true);
    assert!(reply["answer"].get("factor").is_none() && reply.get("dice").is_none(), "{reply}");
}

#[test]
fn without_dice_the_answer_is_the_distribution() {
    let reply = &lines(&glacis(&["ask", "tabletop.fire"], fire(",\"dice\":[4]", "").as_bytes()))[0];
    let odds: Vec<(&str, i64)> = reply["odds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| (outcome["p"].as_str().unwrap(), outcome["answer"]["losses"].as_i64().unwrap()))
        .collect();
    assert_eq!(odds, [("1/3", 50), ("1/3", 60), ("1/3", 70)]);
    let certain = fire(",\"dice\":[4]", "").replace("\"figures\":12", "\"figures\":0");
    let reply = &lines(&glacis(&["ask", "tabletop.fire"], certain.as_bytes()))[0];
    assert_eq!(reply["odds"][0]["answer"]["losses"], 0);
}

#[test]
fn the_list_the_schema_and_an_unknown_question() {
    let list = glacis(&["ask", "--list"], b"");
    assert!(String::from_utf8_lossy(&list.stdout).contains("tabletop.fire"));
    let schema = glacis(&["ask", "tabletop.fire", "--schema"], b"");
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["request"]["properties"]["options"]["properties"]["rounding"]["default"], "each_step");
    assert_eq!(schema["request"]["additionalProperties"], false);
    let unknown = glacis(&["ask", "tabletop.fier"], b"");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("tabletop.fire"));
}

#[test]
fn every_question_has_a_line_in_both_languages() {
    for lang in ["fr", "en"] {
        let list = glacis(&["ask", "--list", "--lang", lang], b"");
        let list = String::from_utf8_lossy(&list.stdout).into_owned();
        assert!(!list.contains("question-"), "{list}");
    }
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    let output = glacis(&["ask", "tabletop.fire"], b"\xff\xfe\n");
    assert!(lines(&output)[0]["refused"]["message"].is_string());
}

/// A folder of this test's own, and a scene asked to be drawn.
fn drawing(name: &str) -> (std::path::PathBuf, String) {
    let folder = std::env::temp_dir().join(format!("glacis-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let scenes = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/tabletop/crest.json");
    let scene: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(scenes).unwrap()).unwrap();
    (folder, serde_json::json!({ "scene": scene }).to_string())
}

#[test]
fn a_scene_is_drawn_to_a_file_and_a_second_one_beside_it() {
    let (folder, request) = drawing("drawn");
    let path = folder.join("out.svg");
    let output = glacis(
        &["ask", "tabletop.scene", "--svg", path.to_str().unwrap()],
        format!("{request}\n{request}\n").as_bytes(),
    );
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let replies = lines(&output);
    assert_eq!(replies.len(), 2);
    assert!(replies.iter().all(|reply| reply["answer"].is_object() && reply["answer"]["svg"].is_null()));
    let first = std::fs::read_to_string(&path).unwrap();
    assert!(first.starts_with("<svg") && first.trim_end().ends_with("</svg>"));
    assert_eq!(first, std::fs::read_to_string(folder.join("out-2.svg")).unwrap());
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_picture_that_cannot_be_written_is_a_plain_error() {
    let (folder, request) = drawing("unwritable");
    let path = folder.join("nowhere").join("out.svg");
    let output = glacis(&["ask", "tabletop.scene", "--svg", path.to_str().unwrap()], request.as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("out.svg") && !said.contains("panicked"), "{said}");
    assert!(!folder.join("nowhere").exists());
    let undrawn = glacis(&["ask", "tabletop.fire", "--svg", path.to_str().unwrap()], GOOD.as_bytes());
    assert_eq!(undrawn.status.code(), Some(2), "a question without a picture");
    std::fs::remove_dir_all(folder).unwrap();
}
