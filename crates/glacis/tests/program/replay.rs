//! `glacis replay` and `glacis verify` on the siege that is checked in: the record is believed, and its
//! commentary is told in the reader's language.
#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

fn glacis(arguments: &[&str]) -> String {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/danzig/1807.record");
    let output = Command::new(env!("CARGO_BIN_EXE_glacis")).args(arguments).arg(record).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_siege_of_1807_is_believed() {
    let said = glacis(&["verify", "--lang", "en"]);
    assert!(said.contains("seed"), "{said}");
}

#[test]
fn the_commentary_is_told_in_both_languages() {
    let french = glacis(&["replay", "--lang", "fr"]);
    assert!(french.contains("La tranchée est ouverte"));
    assert!(french.contains("Dantzig capitule"));
    let english = glacis(&["replay", "--lang", "en"]);
    assert!(english.contains("The trenches are open"));
    assert!(english.contains("Danzig surrenders, the breach made"));
    assert!(!glacis(&["replay", "--quiet"]).contains("The trenches are open"));
}

/// What a question about the position after so many entries is answered, and whether it was refused.
fn asked(question: &str, at: &str, request: &str) -> (bool, String) {
    let record = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios/danzig/1807.record");
    let mut child = Command::new(env!("CARGO_BIN_EXE_glacis"))
        .args(["ask", question, "--lang", "en", "--at", at, "--game"])
        .arg(record)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(request.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    (!output.status.success(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn the_umpire_answers_about_a_position_of_the_record() {
    let (refused, said) = asked("danzig.morale", "40", r#"{"unit": "P02"}"#);
    assert!(!refused && said.contains(r#""p":"2/3""#), "{said}");
    let (refused, said) = asked("danzig.morale", "40", r#"{"unit": "K01"}"#);
    assert!(refused && said.contains(r#""field":"unit""#), "Kamenski has not landed: {said}");
}
